/* SPDX-License-Identifier: Apache-2.0 */
/* Machines on anonymous mappings: zero, page-aligned, committed as they are touched. */
#define _DEFAULT_SOURCE 1        /* MAP_ANONYMOUS */
#include <opendve/host.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A level that the environment asks for, where the config leaves it open and the host has it. */
static uint8_t simd_of(const dve_machine_config *config)
{
    const char *name = config->simd == DVE_SIMD_BEST ? getenv("OPENDVE_SIMD") : NULL;
    for (uint8_t simd = 0; name && simd < DVE_SIMD_LEVELS; simd++)
        if (strcmp(name, dve_simd_name(simd)) == 0 && dve_simd_supported(simd))
            return simd;
    return config->simd;
}

dve_machine *dve_machine_new(const dve_machine_config *config)
{
    size_t size = dve_machine_size(config);
    if (!size)
        return NULL;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    dve_machine *machine;
    dve_machine_config chosen = *config;
    chosen.simd = simd_of(config);
    if (dve_machine_init(memory, size, &chosen, &machine) != DVE_OK)
        munmap(memory, size);
    return machine;
}

void dve_machine_free(dve_machine *machine)
{
    if (machine)
        munmap(machine, dve_machine_size(dve_machine_get_config(machine)));
}
