/* SPDX-License-Identifier: Apache-2.0 */
/* Hidden state of the engine: what instructions leave for each other (R2). */
#ifndef OPENDVE_LANE_H
#define OPENDVE_LANE_H

#include <stdint.h>

/* Of one lane. Keys and accumulator are fp32 bit patterns. */
typedef struct dve_lane_state {
    uint32_t key[8];             /* match values; NaN matches nothing */
    uint32_t flop[8];            /* positions that the last search left; all ones: none */
    uint32_t accumulator;
    uint8_t matched;             /* bit n: key n has been consumed */
    uint8_t reserved[3];
} dve_lane_state;

/* The shuffle mask serves all lanes: byte i says from which of 32 lanes output lane i takes its elements;
 * with bit 5 set it takes none (R24). */
enum {
    DVE_SHUFFLE_LANES = 32,
    DVE_SHUFFLE_OFF = 0x20
};

/* The pool buffer holds up to 512 elements a lane as raw bits, element i at i times its size. */
enum {
    DVE_POOL_ELEMENTS = 512,
    DVE_POOL_BYTES = 4 * DVE_POOL_ELEMENTS
};
typedef struct dve_pool_range {
    uint32_t start_index, mask;  /* index x stands at x & mask where the rest of x is start_index */
    uint8_t dtype;               /* wire code of the elements; 0: nothing was loaded */
    uint8_t reserved[3];
    uint16_t loaded[128];        /* bytes of each lane that were ever loaded, from the first on */
} dve_pool_range;

/* The parts of it, as bits. */
enum {
    DVE_STATE_KEYS = 1,
    DVE_STATE_FLOPS = 2,
    DVE_STATE_ACCUMULATOR = 4,
    DVE_STATE_MASK = 8,
    DVE_STATE_POOL_BUFFER = 16,
    DVE_STATE_PARTS = 5          /* how many */
};

#endif
