/* SPDX-License-Identifier: Apache-2.0 */
/* A machine under observation, for tests: keeps what the observer saw of the last run. */
#ifndef TEST_MACHINES_H
#define TEST_MACHINES_H

#include "records.h"
#include <opendve/host.h>

typedef struct watched {
    dve_machine *m;
    dve_stop stop;
    dve_hazard hazard[32];       /* of the last run */
    dve_step step[32];
    size_t hazards, steps;
    char order[65];              /* 'h' and 's' as they came */
} watched;

/* A fresh machine; `config` NULL for the defaults. The observer and the size are filled in here. */
void watch(watched *w, const dve_machine_config *config);
void unwatch(watched *w);

dve_status run(watched *w, const dve_record *record);
dve_status run_all(watched *w, const dve_record *records, size_t count);

/* Puts words of `bytes` bytes side by side into a partition of SBUF and marks them written. */
void put_words(watched *w, uint32_t partition, uint32_t offset, unsigned bytes, const uint32_t *words, size_t count);
uint32_t get_word(watched *w, uint32_t partition, uint32_t offset, unsigned bytes);
/* fp32 numbers. */
void put_floats(watched *w, uint32_t partition, uint32_t offset, const float *values, size_t count);

/* SBUF address of a byte of a partition. */
uint32_t sbuf(uint32_t partition, uint32_t offset);

#endif
