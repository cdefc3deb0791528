/* SPDX-License-Identifier: Apache-2.0 */
/* Hidden state of one lane of the engine: what instructions leave for each other (R2). */
#ifndef OPENDVE_LANE_H
#define OPENDVE_LANE_H

#include <stdint.h>

/* Keys and accumulator are fp32 bit patterns. */
typedef struct dve_lane_state {
    uint32_t key[8];             /* match values; NaN matches nothing */
    uint32_t flop[8];            /* positions that the last search left; all ones: none */
    uint32_t accumulator;
    uint8_t matched;             /* bit n: key n has been consumed */
    uint8_t reserved[3];
} dve_lane_state;

/* The parts of it, as bits. */
enum {
    DVE_STATE_KEYS = 1,
    DVE_STATE_FLOPS = 2,
    DVE_STATE_ACCUMULATOR = 4,
    DVE_STATE_PARTS = 3          /* how many */
};

#endif
