/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DVE_OPS_POSITIONS_H
#define DVE_OPS_POSITIONS_H

#include "ops.h"

/* Writes the 8 positions of the index flops, flop 0 first, in uint16 or uint32: all ones stay all ones. */
static inline void dve_write_positions(const dve_lane *lane)
{
    for (uint32_t n = 0; n < 8; n++)
        dve_num_store_bits(lane->dst.size, lane->state->flop[n], dve_walk_at(&lane->dst, n));
}

#endif
