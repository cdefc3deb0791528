/* SPDX-License-Identifier: Apache-2.0 */
/* Max8 0x6c: the 8 largest values of a lane.
 *
 * Preconditions  8..16384 elements, 8 results; any data type through fp32 (SC, NKI).
 * Effect         results leave smallest first along the destination walk (R1, header note in SC).
 * Ties           the earlier element ranks as the larger; +0 and -0 are equal (R1, assumption).
 * NaN            never enters; missing results are -inf (R1, assumption).
 * Order          the lane is read whole before anything is written (R33). */
#include "ops.h"
#include <string.h>

enum { GROUP = 32 };

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Whether a value of the group exceeds the 8th largest so far: one branch for many elements. */
static int any_above(const uint32_t *values, float bound)
{
    int above = 0;
    for (int i = 0; i < GROUP; i++)
        above |= as_float(values[i]) > bound;
    return above;
}

/* Keeps `best` descending; equal values stay behind those already there. */
static void insert(uint32_t best[8], uint32_t value)
{
    int at = 7;
    while (at > 0 && dve_f32_gt(value, best[at - 1])) {
        best[at] = best[at - 1];
        at--;
    }
    best[at] = value;
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
        for (uint32_t i = 0; i < held;) {
            uint32_t group = held - i < GROUP ? held - i : GROUP;
            if (group == GROUP && !any_above(values + i, as_float(best[7]))) {
                i += GROUP;
                continue;
            }
            for (uint32_t end = i + group; i < end; i++)
                if (dve_f32_gt(values[i], best[7]))
                    insert(best, values[i]);
        }
    }
    for (uint32_t n = 0; n < 8; n++)
        dve_num_store_bits(lane->dst.size, dve_num_from_f32(lane->num, lane->dst.dtype, best[7 - n]),
                           dve_walk_at(&lane->dst, n));
}
