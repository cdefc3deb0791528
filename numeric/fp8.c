/* SPDX-License-Identifier: Apache-2.0 */
/* The 8-bit floats: E3M4, E4M3 (IEEE-like or FN) and E5M2. Numbers from CAST, SIM, ALLM, choices
 * from R9: both the overflow and the E4M3 variant are assumptions with a switch. */
#include <opendve/isa.h>
#include <opendve/num.h>

#include "small_float.h"
#include "spans.h"

/* An IEEE-like format is given by its mantissa and bias: the exponent of all ones holds infinity
 * (mantissa 0) and NaN. The NaN that is written has the top mantissa bit: 0x78, 0x7c, 0x7e (R9). */
static inline dve_small_float ieee_like(uint32_t mantissa, uint32_t bias)
{
    const uint32_t infinity = UINT32_C(0x80) - (UINT32_C(1) << mantissa);
    const dve_small_float f = {
        .mantissa = mantissa, .bias = bias, .sign = 0x80, .sign_shift = 24,
        .max_code = infinity - 1, .first_nan = infinity + 1,
        .quiet_nan = infinity | UINT32_C(1) << (mantissa - 1),
        .overflow = infinity, .overflow_sign = 0x80,
    };
    return f;
}

/* OCP E4M3FN gives all but one code of the top exponent to numbers: 448 is 0x7e, NaN is 0x7f.
 * 464, the tie between 448 and the missing 480, rounds to the even 448; beyond it and for infinity
 * the answer is NaN, which has no sign here (R9, R32). */
static inline dve_small_float e4m3fn(void)
{
    const dve_small_float f = {
        .mantissa = 3, .bias = 7, .sign = 0x80, .sign_shift = 24,
        .max_code = 0x7e, .first_nan = 0x7f, .quiet_nan = 0x7f,
        .overflow = 0x7f, .overflow_sign = 0,
    };
    return f;
}

static inline dve_small_float fp8_format(const dve_num_config *c, uint8_t dtype)
{
    dve_small_float f;
    if (dtype == DVE_DTYPE_FP8_E5M2) {
        f = ieee_like(2, 15);
    } else if (dtype == DVE_DTYPE_FP8_E3M4) {
        f = ieee_like(4, 3);
    } else if (c->e4m3 == DVE_E4M3_FN) {
        f = e4m3fn();
    } else {
        f = ieee_like(3, 7);
    }
    if (c->fp8_overflow == DVE_FP8_OVERFLOW_SATURATE) {
        f.overflow = f.max_code;
        f.overflow_sign = f.sign;
    }
    return f;
}

uint32_t dve_fp8_to_f32(const dve_num_config *c, uint8_t dtype, uint32_t bits)
{
    return dve_small_to_f32(fp8_format(c, dtype), bits);
}

uint32_t dve_fp8_from_f32(const dve_num_config *c, uint8_t dtype, uint32_t f32)
{
    return dve_small_from_f32(fp8_format(c, dtype), f32);
}

void dve_fp8_load_span(const dve_num_config *c, uint8_t dtype, const uint8_t *restrict src, size_t n,
                       uint32_t *restrict out)
{
    const dve_small_float f = fp8_format(c, dtype);
    for (size_t i = 0; i < n; i++) {
        out[i] = dve_small_to_f32(f, src[i]);
    }
}

/* Codes are made as words and narrowed by themselves: in one loop gcc narrows each part of the expression, which takes
 * more time than the conversion. */
enum { BLOCK = 256 };

static void codes_of(dve_small_float f, const uint32_t *restrict in, size_t n, uint32_t *restrict codes)
{
    if (f.overflow_sign == 0) {
        for (size_t i = 0; i < n; i++) {
            codes[i] = dve_small_from_f32(f, in[i]);
        }
        return;
    }
    f.overflow_sign = UINT32_MAX;                /* a constant, so that the loop need not ask */
    for (size_t i = 0; i < n; i++) {
        codes[i] = dve_small_from_f32(f, in[i]);
    }
}

void dve_fp8_store_span(const dve_num_config *c, uint8_t dtype, const uint32_t *restrict in, size_t n,
                        uint8_t *restrict dst)
{
    uint32_t codes[BLOCK];
    for (size_t done = 0, now; done < n; done += now) {
        now = n - done < BLOCK ? n - done : BLOCK;
        codes_of(fp8_format(c, dtype), in + done, now, codes);
        for (size_t i = 0; i < now; i++) {
            dst[done + i] = (uint8_t)codes[i];
        }
    }
}
