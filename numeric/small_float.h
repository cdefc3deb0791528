/* SPDX-License-Identifier: Apache-2.0 */
/* Floats with a narrower exponent than fp32: fp16 and the four fp8 formats (CAST, SIM, ALLM).
 *
 * Let e bits of exponent and m of mantissa stand below the sign, with bias B:
 *
 *     code = | s | e ... e | m ... m |      normal:     2^(e-B) * 1.m
 *                                           subnormal:  0.m * 2^(1-B) = m * unit
 *
 * Read as an integer, the code without its sign grows with the value. So rounding may carry from
 * the mantissa into the exponent, and "too large" is one comparison with the largest finite code.
 * Nothing here branches: both the normal and the subnormal result are computed and one is chosen,
 * which lets compilers work on whole vectors (see choose.h). */
#ifndef OPENDVE_NUMERIC_SMALL_FLOAT_H
#define OPENDVE_NUMERIC_SMALL_FLOAT_H

#include <opendve/num.h>

#include "choose.h"
#include "wire.h"

typedef struct dve_small_float {
    uint32_t mantissa;      /* m, in bits */
    uint32_t bias;          /* B */
    uint32_t sign;          /* the sign bit of a code */
    uint32_t sign_shift;    /* from there to bit 31 */
    uint32_t max_code;      /* the largest finite value */
    uint32_t first_nan;     /* this code and all above are NaN; infinity, if any, lies between */
    uint32_t quiet_nan;     /* the NaN that is written, without sign */
    uint32_t overflow;      /* what is written for a value that rounds beyond max_code: that or the code above it */
    uint32_t overflow_sign; /* mask: is the sign kept then? It is not when the result is NaN */
} dve_small_float;

static inline uint32_t dve_small_to_f32(const dve_small_float f, uint32_t code)
{
    const uint32_t magnitude = code & (f.sign - 1);
    const uint32_t sign = (code & f.sign) << f.sign_shift;
    const uint32_t normal = (magnitude << (23 - f.mantissa)) + ((127 - f.bias) << 23);
    /* unit = 2^(1-B-m). The product is exact and a normal fp32 value, or +0. */
    const float unit = dve_f32_value((128 - f.bias - f.mantissa) << 23);
    const uint32_t subnormal = dve_f32_bits((float)(int32_t)magnitude * unit);

    /* Above the largest finite code stands infinity, if the format has it, then NaN. Setting the
     * whole exponent makes the one, as its mantissa is 0; NaN loses sign and payload (R32). */
    const uint32_t is_subnormal = dve_mask_below(magnitude, UINT32_C(1) << f.mantissa);
    const uint32_t beyond = dve_mask_below(f.max_code, magnitude) & DVE_F32_INFINITY;
    const uint32_t result = dve_choose(is_subnormal, subnormal, normal) | beyond | sign;
    return dve_choose(dve_mask_below(magnitude, f.first_nan), result, DVE_F32_QUIET_NAN);
}

static inline uint32_t dve_small_from_f32(const dve_small_float f, uint32_t f32)
{
    const uint32_t drop = 23 - f.mantissa;
    const uint32_t least = (128 - f.bias) << 23; /* fp32 of the smallest normal value */
    const uint32_t sign = (f32 >> f.sign_shift) & f.sign;

    /* Nothing lies above the value that the code for overflow would have as a number; what rounds to it becomes it. */
    const uint32_t most = (f.overflow << drop) + ((127 - f.bias) << 23);
    const uint32_t magnitude = dve_smaller(f32 & UINT32_C(0x7fffffff), most);

    /* Added to a power of two whose last place is worth one place of the result, the fp32 addition itself rounds, to
     * nearest even. Below the normal values that place stays the same. What the sum exceeds the power by is the mantissa,
     * with the leading bit of normal values, which so counts the exponent up by one. */
    const uint32_t power = dve_larger(magnitude & DVE_F32_INFINITY, least);
    const uint32_t anchor = power + (drop << 23);
    const uint32_t sum = dve_f32_bits(dve_f32_value(magnitude) + dve_f32_value(anchor));
    const uint32_t code = sum - anchor + ((power - least) >> drop);

    const uint32_t keeps = f.overflow_sign | dve_mask_below(code, f.max_code + 1);
    return dve_choose(dve_mask_nan(f32), f.quiet_nan, code | (sign & keeps));
}

#endif
