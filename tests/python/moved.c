/* SPDX-License-Identifier: Apache-2.0 */
/* A library whose table says that members of dve_hazard lie 16 bytes further on: who reads the table believes it. */
#include <dlfcn.h>
#include <opendve/opendve.h>
#include <string.h>

enum { ROOM = 1024, FURTHER = 16 };

const dve_layout *dve_layouts(size_t *count)
{
    static dve_layout rows[ROOM];
    const dve_layout *(*real)(size_t *) = NULL;
    void *found = dlsym(RTLD_NEXT, "dve_layouts");
    memcpy(&real, &found, sizeof real);
    const dve_layout *from = real(count);
    for (size_t i = 0; i < *count && i < ROOM; i++) {
        rows[i] = from[i];
        if (strcmp(rows[i].structure, "dve_hazard") != 0)
            continue;
        if (rows[i].kind == DVE_LAYOUT_STRUCTURE)
            rows[i].size += FURTHER;
        else
            rows[i].offset += FURTHER;
    }
    return rows;
}
