/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at many values with one branch. Host comparisons are the engine's here: NaN is neither above nor below,
 * +0 is not above -0. */
#ifndef DVE_OPS_GROUP_H
#define DVE_OPS_GROUP_H

#include <opendve/num.h>
#include <stdint.h>

enum { DVE_GROUP = 64 };

/* How many values of a group lie in lowest..highest. Counting, and not stopping at the first, is what
 * lets the compiler use vector registers. */
static inline uint32_t dve_group_within(const uint32_t *values, float lowest, float highest)
{
    uint32_t within = 0;
    for (int i = 0; i < DVE_GROUP; i++) {
        float value = dve_f32_value(values[i]);
        within += ((value >= lowest) & (value <= highest)) ? 1u : 0u;
    }
    return within;
}

/* How many exceed `bound`. */
static inline uint32_t dve_group_above(const uint32_t *values, float bound)
{
    uint32_t above = 0;
    for (int i = 0; i < DVE_GROUP; i++)
        above += dve_f32_value(values[i]) > bound ? 1u : 0u;
    return above;
}

#endif
