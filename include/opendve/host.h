/* SPDX-License-Identifier: Apache-2.0 */
/* Conveniences for hosts with an operating system: machines on fresh memory, and a pool of threads.
 * These calls allocate; nothing in machine.h does. */
#ifndef OPENDVE_HOST_H
#define OPENDVE_HOST_H

#include <opendve/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A machine on zero pages that are committed as they are touched. NULL without memory or for a config
 * that dve_machine_init refuses. Where config->simd is DVE_SIMD_BEST, the environment variable OPENDVE_SIMD may name another
 * level; what this host has not is ignored. dve_machine_free takes NULL. */
dve_machine *dve_machine_new(const dve_machine_config *config);
void dve_machine_free(dve_machine *machine);

/* Threads that share the lanes of each record. `threads` counts the calling one, 0 means one per
 * processor. NULL without memory or threads; a pool of 1 starts no thread. Results never depend on it. */
typedef struct dve_pool dve_pool;
dve_pool *dve_pool_new(unsigned threads);
void dve_pool_free(dve_pool *pool);
/* A dve_parallel_for whose context is the pool. One call at a time. */
void dve_pool_run(void *pool, uint32_t count, void (*body)(void *argument, uint32_t begin, uint32_t end),
                  void *argument);

#ifdef __cplusplus
}
#endif
#endif
