/* SPDX-License-Identifier: Apache-2.0 */
/* bf16 (1-8-7) and fp16 (1-5-10). Both overflow to infinity, whatever the fp8 switch says (R9). */
#include <opendve/num.h>

#include "choose.h"
#include "small_float.h"
#include "spans.h"
#include "wire.h"

/* bf16 is the upper half of an fp32 word. */
static inline uint32_t bf16_widen(uint32_t bits)
{
    const uint32_t wide = bits << 16;
    return dve_choose(dve_mask_nan(wide), DVE_F32_QUIET_NAN, wide);
}

/* Nearest even; the carry may end in infinity (docs/rulings.md R9). */
static inline uint32_t bf16_narrow(uint32_t f32)
{
    const uint32_t rounded = (f32 + UINT32_C(0x7fff) + ((f32 >> 16) & 1)) >> 16;
    return dve_choose(dve_mask_nan(f32), UINT32_C(0x7fc0), rounded);
}

/* CAST, SIM, ALLM: bias 15, largest finite value 65504, smallest 2^-24. */
static inline dve_small_float fp16_format(void)
{
    const dve_small_float f = {
        .mantissa = 10, .bias = 15, .sign = 0x8000, .sign_shift = 16,
        .max_code = 0x7bff, .first_nan = 0x7c01, .quiet_nan = 0x7e00,
        .overflow = 0x7c00, .overflow_sign = 0x8000,
    };
    return f;
}

uint32_t dve_bf16_to_f32(uint32_t bits)
{
    return bf16_widen(bits);
}

uint32_t dve_bf16_from_f32(uint32_t f32)
{
    return bf16_narrow(f32);
}

uint32_t dve_fp16_to_f32(uint32_t bits)
{
    return dve_small_to_f32(fp16_format(), bits);
}

uint32_t dve_fp16_from_f32(uint32_t f32)
{
    return dve_small_from_f32(fp16_format(), f32);
}

void dve_bf16_load_span(const uint8_t *restrict src, size_t n, uint32_t *restrict out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = bf16_widen(dve_wire_load16(src + 2 * i));
    }
}

void dve_bf16_store_span(const uint32_t *restrict in, size_t n, uint8_t *restrict dst)
{
    for (size_t i = 0; i < n; i++) {
        dve_wire_store16(dst + 2 * i, bf16_narrow(in[i]));
    }
}

void dve_fp16_load_span(const uint8_t *restrict src, size_t n, uint32_t *restrict out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = dve_small_to_f32(fp16_format(), dve_wire_load16(src + 2 * i));
    }
}

void dve_fp16_store_span(const uint32_t *restrict in, size_t n, uint8_t *restrict dst)
{
    for (size_t i = 0; i < n; i++) {
        dve_wire_store16(dst + 2 * i, dve_small_from_f32(fp16_format(), in[i]));
    }
}
