/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a tar. What is accepted has names that are safe below a folder and found again, and data that lies inside. */
#include "fuzz.h"
#include <opendve/neff.h>
#include <stdlib.h>
#include <string.h>

static void must(int holds)
{
    if (!holds)
        abort();
}

/* An independent judgement: every part is something, and neither "." nor "..". */
static int safe(const char *name)
{
    size_t length = strlen(name);
    if (!length || name[0] == '/' || name[length - 1] == '/' || strstr(name, "//"))
        return 0;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        size_t span = strcspn(part, "/");
        if ((span == 1 && part[0] == '.') || (span == 2 && part[0] == '.' && part[1] == '.'))
            return 0;
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dve_archive *archive;
    dve_error error = {""};
    size_t count;
    uint8_t *bytes = malloc(size ? size : 1);
    must(bytes != NULL);
    memcpy(bytes, data, size);
    if (dve_archive_open(bytes, size, &archive, &error)) {
        must(!archive && *error.text && memchr(error.text, 0, sizeof error.text));
        free(bytes);
        return 0;
    }
    const dve_archive_member *member = dve_archive_members(archive, &count);
    for (size_t i = 0; i < count; i++) {
        must(safe(member[i].name) && dve_archive_find(archive, member[i].name) == &member[i]);
        must(member[i].data >= bytes && member[i].size <= size - (size_t)(member[i].data - bytes));
        must(!member[i].directory || member[i].size == 0);
    }
    dve_archive_close(archive);
    free(bytes);
    return 0;
}
