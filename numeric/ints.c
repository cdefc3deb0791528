/* SPDX-License-Identifier: Apache-2.0 */
/* 8-, 16- and 32-bit integers to and from fp32 (R9, R18, docs/rulings.md R9): to nearest even, then
 * saturated; NaN goes to the end of the range that its sign bit points to.
 *
 * The C conversions and single additions used here are exact, or round once, to nearest even.
 * Nothing branches, so compilers work on whole vectors. */
#include <opendve/isa.h>
#include <opendve/num.h>

#include "choose.h"
#include "spans.h"
#include "wire.h"

/* ---- Integer to fp32 ---- */

/* Sign extension written without the conversions that C leaves to the implementation. */
static inline uint32_t from_int8(uint32_t bits)
{
    return dve_f32_bits((float)((int32_t)((bits & 0xff) ^ 0x80) - 0x80));
}

static inline uint32_t from_uint8(uint32_t bits)
{
    return dve_f32_bits((float)(int32_t)(bits & 0xff));
}

static inline uint32_t from_int16(uint32_t bits)
{
    return dve_f32_bits((float)((int32_t)((bits & 0xffff) ^ 0x8000) - 0x8000));
}

static inline uint32_t from_uint16(uint32_t bits)
{
    return dve_f32_bits((float)(int32_t)(bits & 0xffff));
}

static inline uint32_t from_int32(uint32_t bits)
{
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return dve_f32_bits((float)value);
}

/* In halves, because vector units convert signed words only. Both products and both conversions
 * are exact; the one addition rounds. */
static inline uint32_t from_uint32(uint32_t bits)
{
    const float high = (float)(int32_t)(bits >> 16) * 65536.0f;
    const float low = (float)(int32_t)(bits & 0xffff);
    return dve_f32_bits(high + low);
}

/* ---- fp32 to integer ----
 * Sign and magnitude apart: rounding to nearest even is the same on both sides of zero. As patterns,
 * magnitudes order like integers, with NaN above infinity: so NaN saturates to the end of its sign,
 * as docs/rulings.md R9 has it, without a case of its own. */

#define TWO_TO_23 UINT32_C(0x4b000000) /* from here on every fp32 value is an integer */
#define TWO_TO_31 UINT32_C(0x4f000000)
#define TWO_TO_32 UINT32_C(0x4f800000)

static inline uint32_t magnitude_of(uint32_t f32)
{
    return f32 & UINT32_C(0x7fffffff);
}

static inline uint32_t at_most(uint32_t magnitude, uint32_t limit)
{
    return dve_choose(dve_mask_below(magnitude, limit), magnitude, limit);
}

/* `magnitude` if the sign bit is 0, its negative if 1. */
static inline uint32_t with_sign(uint32_t magnitude, uint32_t sign)
{
    return (magnitude ^ (0 - sign)) + sign;
}

/* Below 2^23. In the binade that starts there the last place is worth one: the addition rounds to
 * integers, to nearest even, and the low bits of the sum are the result. */
static inline uint32_t round_small(uint32_t magnitude)
{
    return dve_f32_bits(dve_f32_value(magnitude) + dve_f32_value(TWO_TO_23)) - TWO_TO_23;
}

/* Below 2^31. */
static inline uint32_t round_large(uint32_t magnitude)
{
    const uint32_t whole = (uint32_t)(int32_t)dve_f32_value(magnitude);
    return dve_choose(dve_mask_below(magnitude, TWO_TO_23), round_small(magnitude), whole);
}

/* The limits are integers: saturating before rounding gives what saturating after it does. */
static inline uint32_t to_signed(uint32_t f32, uint32_t highest, uint32_t lowest)
{
    const uint32_t sign = f32 >> 31;
    const uint32_t limit = dve_choose(0 - sign, lowest, highest);
    return with_sign(round_small(at_most(magnitude_of(f32), limit)), sign);
}

static inline uint32_t to_unsigned(uint32_t f32, uint32_t highest)
{
    const uint32_t positive = (f32 >> 31) - 1; /* all ones, or 0 */
    return round_small(at_most(magnitude_of(f32), highest)) & positive;
}

static inline uint32_t to_int32(uint32_t f32)
{
    const uint32_t sign = f32 >> 31;
    const uint32_t magnitude = magnitude_of(f32);
    const uint32_t inside = round_large(at_most(magnitude, TWO_TO_31 - 1));
    const uint32_t end = UINT32_C(0x7fffffff) + sign;
    return with_sign(dve_choose(dve_mask_below(magnitude, TWO_TO_31), inside, end), sign);
}

static inline uint32_t to_uint32(uint32_t f32)
{
    const uint32_t positive = (f32 >> 31) - 1;
    const uint32_t magnitude = magnitude_of(f32);
    const uint32_t lower = round_large(at_most(magnitude, TWO_TO_31 - 1));
    const uint32_t upper = magnitude << 8 | UINT32_C(0x80000000); /* 2^31 .. 2^32: the mantissa, moved up */
    const uint32_t inside = dve_choose(dve_mask_below(magnitude, TWO_TO_31), lower, upper);
    return (inside | ~dve_mask_below(magnitude, TWO_TO_32)) & positive;
}

static inline uint32_t to_int8(uint32_t f32)
{
    return to_signed(f32, UINT32_C(0x42fe0000), UINT32_C(0x43000000)) & 0xff; /* 127, 128 */
}

static inline uint32_t to_uint8(uint32_t f32)
{
    return to_unsigned(f32, UINT32_C(0x437f0000)); /* 255 */
}

static inline uint32_t to_int16(uint32_t f32)
{
    return to_signed(f32, UINT32_C(0x46fffe00), UINT32_C(0x47000000)) & 0xffff; /* 32767, 32768 */
}

static inline uint32_t to_uint16(uint32_t f32)
{
    return to_unsigned(f32, UINT32_C(0x477fff00)); /* 65535 */
}

/* ---- One value ---- */

uint32_t dve_int_to_f32(uint8_t dtype, uint32_t bits)
{
    switch (dtype) {
    case DVE_DTYPE_INT8: return from_int8(bits);
    case DVE_DTYPE_UINT8: return from_uint8(bits);
    case DVE_DTYPE_INT16: return from_int16(bits);
    case DVE_DTYPE_UINT16: return from_uint16(bits);
    case DVE_DTYPE_INT32: return from_int32(bits);
    case DVE_DTYPE_UINT32: return from_uint32(bits);
    default: return 0;
    }
}

uint32_t dve_int_from_f32(uint8_t dtype, uint32_t f32)
{
    switch (dtype) {
    case DVE_DTYPE_INT8: return to_int8(f32);
    case DVE_DTYPE_UINT8: return to_uint8(f32);
    case DVE_DTYPE_INT16: return to_int16(f32);
    case DVE_DTYPE_UINT16: return to_uint16(f32);
    case DVE_DTYPE_INT32: return to_int32(f32);
    case DVE_DTYPE_UINT32: return to_uint32(f32);
    default: return 0;
    }
}

/* ---- Spans ---- */

static inline uint32_t load8(const uint8_t *p)
{
    return *p;
}

static inline void store8(uint8_t *p, uint32_t bits)
{
    *p = (uint8_t)bits;
}

/* One loop a case: the conversion is inlined and the loop has no decision left in it. */
#define LOAD_EACH(bytes, load, convert)                                \
    for (size_t i = 0; i < n; i++) {                                   \
        out[i] = convert(load(src + (bytes) * i));                     \
    }                                                                  \
    break

#define STORE_EACH(bytes, store, convert)                              \
    for (size_t i = 0; i < n; i++) {                                   \
        store(dst + (bytes) * i, convert(in[i]));                      \
    }                                                                  \
    break

void dve_int_load_span(uint8_t dtype, const uint8_t *restrict src, size_t n, uint32_t *restrict out)
{
    switch (dtype) {
    case DVE_DTYPE_INT8: LOAD_EACH(1, load8, from_int8);
    case DVE_DTYPE_UINT8: LOAD_EACH(1, load8, from_uint8);
    case DVE_DTYPE_INT16: LOAD_EACH(2, dve_wire_load16, from_int16);
    case DVE_DTYPE_UINT16: LOAD_EACH(2, dve_wire_load16, from_uint16);
    case DVE_DTYPE_INT32: LOAD_EACH(4, dve_wire_load32, from_int32);
    case DVE_DTYPE_UINT32: LOAD_EACH(4, dve_wire_load32, from_uint32);
    default: break;
    }
}

void dve_int_store_span(uint8_t dtype, const uint32_t *restrict in, size_t n, uint8_t *restrict dst)
{
    switch (dtype) {
    case DVE_DTYPE_INT8: STORE_EACH(1, store8, to_int8);
    case DVE_DTYPE_UINT8: STORE_EACH(1, store8, to_uint8);
    case DVE_DTYPE_INT16: STORE_EACH(2, dve_wire_store16, to_int16);
    case DVE_DTYPE_UINT16: STORE_EACH(2, dve_wire_store16, to_uint16);
    case DVE_DTYPE_INT32: STORE_EACH(4, dve_wire_store32, to_int32);
    case DVE_DTYPE_UINT32: STORE_EACH(4, dve_wire_store32, to_uint32);
    default: break;
    }
}
