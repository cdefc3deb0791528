/* SPDX-License-Identifier: Apache-2.0 */
/* From candidates to the 8 largest. A candidate is the position of an element; all are at or above the 8th
 * largest, so that nothing else can be among the 8. */
#ifndef DVE_KERNELS_BEST_H
#define DVE_KERNELS_BEST_H

#include "v_common.h"

enum {
    FEW = 16,                    /* candidates that are ranked at once */
    GROUPS = 32,                 /* groups that are looked at one by one */
    SOON = 16                    /* groups above the bound that are few enough */
};

static inline void pad(dve_top8 *out)
{
    for (uint32_t i = out->count; i < 8; i++) {
        out->value[i] = dve_f32_bits(dve_low);
        out->position[i] = (uint32_t)DVE_NO_POSITION;
    }
}

/* At most FEW of them, in any order, NaN behind them: each goes where the number of those before it says. The loop has no branch that
 * depends on data but its end. */
ALWAYS void rank_few(const float value[FEW], const uint32_t position[FEW], uint32_t n, dve_top8 *out)
{
    uint32_t ranked[FEW], at[FEW];
    for (uint32_t i = 0; i < 8; i++) {
        ranked[i] = dve_f32_bits(dve_low);
        at[i] = (uint32_t)DVE_NO_POSITION;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rank = count_bits(lanes_before(value, position, value[i], position[i]));
        ranked[rank] = dve_f32_bits(value[i]);
        at[rank] = position[i];
    }
    out->count = n < 8 ? n : 8;
    memcpy(out->value, ranked, sizeof out->value);
    memcpy(out->position, at, sizeof out->position);
}

static inline int before(float v, uint32_t p, uint32_t other, uint32_t at)
{
    float value = dve_f32_value(other);
    return v > value || (v == value && p < at);
}

/* Takes one more, if it is among the best. */
static inline void offer(dve_top8 *best, float v, uint32_t p)
{
    uint32_t i = best->count;
    if (i == 8 && !before(v, p, best->value[7], best->position[7]))
        return;
    if (i < 8)
        best->count++;
    else
        i = 7;
    for (; i > 0 && before(v, p, best->value[i - 1], best->position[i - 1]); i--) {
        best->value[i] = best->value[i - 1];
        best->position[i] = best->position[i - 1];
    }
    best->value[i] = dve_f32_bits(v);
    best->position[i] = p;
}

/* More than FEW, in any order: raises the bound as for groups while that leaves fewer. */
static void rank_many(float *value, uint32_t *position, uint32_t n, dve_top8 *out)
{
    for (uint32_t before = n + 1; n > FEW && n < before;) {
        float lanes[16], bound;
        memcpy(lanes, value, sizeof lanes);
        for (uint32_t i = 16; i < n; i++)
            lanes[i % 16] = value[i] > lanes[i % 16] ? value[i] : lanes[i % 16];
        bound = eighth_of(lanes);
        before = n;
        n = 0;
        for (uint32_t i = 0; i < before; i++) {
            float v = value[i];
            uint32_t p = position[i];
            value[n] = v;
            position[n] = p;
            n += v >= bound;
        }
    }
    if (n <= FEW) {
        for (uint32_t i = n; i < FEW; i++)
            value[i] = dve_nan;
        rank_few(value, position, n, out);
        return;
    }
    out->count = 0;
    for (uint32_t i = 0; i < n; i++)
        offer(out, value[i], position[i]);
}

#endif
