/* SPDX-License-Identifier: Apache-2.0 */
/* Choices without branches and without comparisons. Compilers turn these into a few 32-bit vector
 * operations; given `a < b ? x : y` in a loop over 16-bit data, gcc compares in 16 bits and spends
 * more on reshaping masks than on the conversion (twice the time, measured for fp16). */
#ifndef OPENDVE_NUMERIC_CHOOSE_H
#define OPENDVE_NUMERIC_CHOOSE_H

#include <opendve/num.h>

/* All ones if a < b, else 0. Both are below 2^31, so the difference tells by its top bit. */
static inline uint32_t dve_mask_below(uint32_t a, uint32_t b)
{
    return 0 - ((a - b) >> 31);
}

/* Of two below 2^31. Compilers have one instruction for signed words where they know the ternary. */
static inline uint32_t dve_smaller(uint32_t a, uint32_t b)
{
    return (uint32_t)((int32_t)a < (int32_t)b ? (int32_t)a : (int32_t)b);
}

static inline uint32_t dve_larger(uint32_t a, uint32_t b)
{
    return (uint32_t)((int32_t)a > (int32_t)b ? (int32_t)a : (int32_t)b);
}

static inline uint32_t dve_choose(uint32_t mask, uint32_t yes, uint32_t no)
{
    return (yes & mask) | (no & ~mask);
}

/* All ones if the fp32 pattern is NaN. */
static inline uint32_t dve_mask_nan(uint32_t f32)
{
    return dve_mask_below(DVE_F32_INFINITY, f32 & UINT32_C(0x7fffffff));
}

#endif
