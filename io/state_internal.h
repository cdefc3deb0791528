/* SPDX-License-Identifier: Apache-2.0 */
/* What writing and reading of state files share. */
#ifndef DVE_IO_STATE_INTERNAL_H
#define DVE_IO_STATE_INTERNAL_H

#include "state.h"

#define DVE_STATE_MAGIC "DVESTATE"
enum {
    DVE_STATE_MAGIC_BYTES = 8,
    DVE_STATE_RUN_BYTES = 12 /* space, partition, 2 zero, offset, count; count 0 ends the runs */
};

/* Finds word `number` of an assumption's readings and answers its length, 0 if there are not so many. */
size_t dve_state_reading(const char *values, unsigned number, const char **word);

#endif
