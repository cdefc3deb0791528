/* SPDX-License-Identifier: Apache-2.0 */
/* fp32 and FP32R, the fp32 word that keeps fewer mantissa bits. */
#include <opendve/num.h>

#include "choose.h"
#include "spans.h"
#include "wire.h"

/* Mantissa bits that FP32R drops. Three readings of the format exist (CAST, TT, ASH): 11 bits
 * kept is the default, 10 (tfloat32) and 13 (1-8-13) are the switch of R9. */
static uint32_t fp32r_drop(const dve_num_config *c)
{
    return c->fp32r_bits == 10 ? 13 : c->fp32r_bits == 13 ? 10 : 12;
}

/* Round to nearest even within the word; a carry walks through the exponent up to infinity, which
 * is its own fixed point. NaN is the quiet one (R32). */
static inline uint32_t fp32r_round(uint32_t f32, uint32_t drop)
{
    const uint32_t half = (UINT32_C(1) << (drop - 1)) - 1;
    const uint32_t rounded = (f32 + half + ((f32 >> drop) & 1)) >> drop << drop;
    return dve_choose(dve_mask_nan(f32), DVE_F32_QUIET_NAN, rounded);
}

uint32_t dve_fp32r_from_f32(const dve_num_config *c, uint32_t f32)
{
    return fp32r_round(f32, fp32r_drop(c));
}

void dve_fp32_load_span(const uint8_t *restrict src, size_t n, uint32_t *restrict out)
{
#if DVE_WIRE_IS_HOST
    if (n > 0) { /* null pointers are fine for nothing, but not to memcpy */
        memcpy(out, src, n * sizeof *out);
    }
#else
    for (size_t i = 0; i < n; i++) {
        out[i] = dve_wire_load32(src + 4 * i);
    }
#endif
}

void dve_fp32_store_span(const uint32_t *restrict in, size_t n, uint8_t *restrict dst)
{
#if DVE_WIRE_IS_HOST
    if (n > 0) {
        memcpy(dst, in, n * sizeof *in);
    }
#else
    for (size_t i = 0; i < n; i++) {
        dve_wire_store32(dst + 4 * i, in[i]);
    }
#endif
}

void dve_fp32r_store_span(const dve_num_config *c, const uint32_t *restrict in, size_t n, uint8_t *restrict dst)
{
    const uint32_t drop = fp32r_drop(c);
    for (size_t i = 0; i < n; i++) {
        dve_wire_store32(dst + 4 * i, fp32r_round(in[i], drop));
    }
}
