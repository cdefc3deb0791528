/* SPDX-License-Identifier: Apache-2.0 */
/* Machines on anonymous mappings: zero, page-aligned, committed as they are touched. */
#define _DEFAULT_SOURCE 1        /* MAP_ANONYMOUS */
#include <opendve/host.h>
#include <sys/mman.h>

dve_machine *dve_machine_new(const dve_machine_config *config)
{
    size_t size = dve_machine_size(config);
    if (!size)
        return NULL;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    dve_machine *machine;
    if (dve_machine_init(memory, size, config, &machine) != DVE_OK)
        munmap(memory, size);
    return machine;
}

void dve_machine_free(dve_machine *machine)
{
    if (machine)
        munmap(machine, dve_machine_size(dve_machine_get_config(machine)));
}
