/* SPDX-License-Identifier: Apache-2.0 */
/* Max8 0x6c: the 8 largest values of a lane.
 *
 * Preconditions  8..16384 elements, 8 results; any data type through fp32 (SC, NKI).
 * Effect         results leave smallest first along the destination walk (R1, header note in SC).
 * Ties           the earlier element ranks as the larger; +0 and -0 are equal (R1, assumption).
 * NaN            never enters; missing results are -inf (R1, assumption).
 * Order          the lane is read whole before anything is written (R33). */
#include "group.h"
#include "ops.h"

/* Keeps `best` descending; equal values stay behind those already there. */
static void insert(uint32_t best[8], uint32_t value)
{
    int at = 7;
    while (at > 0 && dve_f32_value(value) > dve_f32_value(best[at - 1])) {
        best[at] = best[at - 1];
        at--;
    }
    best[at] = value;
}

static void offer(uint32_t best[8], const uint32_t *values, uint32_t n)
{
    float bound = dve_f32_value(best[7]);
    for (uint32_t i = 0; i < n; i++)
        if (dve_f32_value(values[i]) > bound) {
            insert(best, values[i]);
            bound = dve_f32_value(best[7]);
        }
}

void dve_op_max8(const dve_lane *lane)
{
    uint32_t best[8], buffer[DVE_BLOCK], held;
    const uint32_t *values;
    for (int n = 0; n < 8; n++)
        best[n] = DVE_F32_INFINITY | 0x80000000u;
    dve_reader reader;
    dve_reader_begin(&lane->src, &reader);
    while ((held = dve_reader_next(&reader, lane->num, buffer, &values)) != 0) {
        uint32_t i = 0;
        for (; i + DVE_GROUP <= held; i += DVE_GROUP)
            if (dve_group_above(values + i, dve_f32_value(best[7])))
                offer(best, values + i, DVE_GROUP);
        offer(best, values + i, held - i);
    }
    for (uint32_t n = 0; n < 8; n++)
        dve_num_store_bits(lane->dst.size, dve_num_from_f32(lane->num, lane->dst.dtype, best[7 - n]),
                           dve_walk_at(&lane->dst, n));
}
