/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions by table: all finite magnitudes of a small format, sorted, plus the first one past the largest finite.
 * A number nearer to that last entry than to the largest finite one has overflowed.
 */
#include "oracle_internal.h"

#include <stdlib.h>

typedef struct small_format {
    unsigned total_bits, fraction_bits;
    int bias;
    uint32_t past_finite; /* the first magnitude code that is not finite: infinity, or e4m3fn's only NaN */
    uint32_t quiet_nan;
    int has_infinity, is_fp8;
    double *table; /* past_finite + 1 entries, built on first use */
} small_format;

static small_format formats[] = {
    {16, 7, 127, 0x7f80, 0x7fc0, 1, 0, NULL}, /* bf16 */
    {16, 10, 15, 0x7c00, 0x7e00, 1, 0, NULL}, /* fp16 */
    {8, 4, 3, 0x70, 0x78, 1, 1, NULL},        /* e3m4 */
    {8, 3, 7, 0x78, 0x7c, 1, 1, NULL},        /* e4m3, IEEE-like */
    {8, 2, 15, 0x7c, 0x7e, 1, 1, NULL},       /* e5m2 */
    {8, 3, 7, 0x7f, 0x7f, 0, 1, NULL},        /* e4m3fn */
};

static small_format *format_of(unsigned dtype, const oracle_settings *s)
{
    switch (dtype) {
    case ORACLE_BF16: return &formats[0];
    case ORACLE_FP16: return &formats[1];
    case ORACLE_E3M4: return &formats[2];
    case ORACLE_E4M3: return s && s->e4m3_fn ? &formats[5] : &formats[3];
    case ORACLE_E5M2: return &formats[4];
    default: return NULL;
    }
}

static void build_table(small_format *f)
{
    if (f->table)
        return;
    f->table = malloc(((size_t)f->past_finite + 1) * sizeof *f->table);
    if (!f->table)
        abort();
    for (uint32_t code = 0; code <= f->past_finite; code++) {
        int exponent = (int)(code >> f->fraction_bits);
        uint32_t fraction = code & ((1u << f->fraction_bits) - 1);

        if (exponent == 0)
            exponent = 1; /* subnormals share the scale of the smallest normals, without the leading one */
        else
            fraction |= 1u << f->fraction_bits;
        f->table[code] = (double)fraction * oracle_pow2(exponent - f->bias - (int)f->fraction_bits);
    }
}

static uint32_t small_to_fp32(small_format *f, uint32_t bits)
{
    uint32_t sign_bit = 1u << (f->total_bits - 1);
    uint32_t sign = bits & sign_bit ? ORACLE_SIGN : 0;
    uint32_t code = bits & (sign_bit - 1);

    build_table(f);
    if (code < f->past_finite)
        return sign | oracle_encode(f->table[code]);
    if (code == f->past_finite && f->has_infinity)
        return sign | ORACLE_INF;
    return ORACLE_QNAN;
}

/* Code of the nearest table entry, ties to the even code. */
static uint32_t nearest_code(const small_format *f, double x)
{
    uint32_t low = 0, high = f->past_finite;
    double sum;

    if (x >= f->table[high])
        return high;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (f->table[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    sum = f->table[low] + f->table[high];
    if (2.0 * x != sum)
        return 2.0 * x < sum ? low : high;
    return low & 1u ? high : low;
}

static uint32_t small_from_fp32(small_format *f, uint32_t bits, const oracle_settings *s)
{
    uint32_t sign = bits & ORACLE_SIGN ? 1u << (f->total_bits - 1) : 0;
    uint32_t code;

    if (oracle_is_nan(bits))
        return f->quiet_nan;
    build_table(f);
    code = nearest_code(f, oracle_value(bits & ~ORACLE_SIGN));
    if (code < f->past_finite)
        return sign | code;
    /* OPEN: an infinite input counts as overflow, so it saturates too (any exponent above the largest overflows). */
    if (f->is_fp8 && s && s->fp8_saturate)
        return sign | (f->past_finite - 1);
    /* OPEN: the NaN that e4m3fn gives on overflow is written without a sign, 0x7f. */
    return f->has_infinity ? sign | f->past_finite : f->quiet_nan;
}

typedef struct int_range {
    unsigned bits;
    int64_t low, high;
} int_range;

static int int_range_of(unsigned dtype, int_range *r)
{
    switch (dtype) {
    case ORACLE_I8: *r = (int_range){8, -128, 127}; return 1;
    case ORACLE_U8: *r = (int_range){8, 0, 255}; return 1;
    case ORACLE_I16: *r = (int_range){16, -32768, 32767}; return 1;
    case ORACLE_U16: *r = (int_range){16, 0, 65535}; return 1;
    case ORACLE_I32: *r = (int_range){32, INT32_MIN, INT32_MAX}; return 1;
    case ORACLE_U32: *r = (int_range){32, 0, UINT32_MAX}; return 1;
    default: return 0;
    }
}

static uint32_t width_mask(unsigned bits)
{
    return bits == 32 ? ORACLE_ALL_ONES : (1u << bits) - 1;
}

static uint32_t int_to_fp32(const int_range *r, uint32_t bits)
{
    int64_t value = (int64_t)(bits & width_mask(r->bits));

    if (value > r->high)
        value -= (int64_t)1 << r->bits;
    return oracle_encode((double)value);
}

static uint32_t int_from_fp32(const int_range *r, uint32_t bits)
{
    int64_t whole;
    double x, rest;

    if (oracle_is_nan(bits))
        return (uint32_t)(bits & ORACLE_SIGN ? r->low : r->high) & width_mask(r->bits);
    x = oracle_value(bits);
    if (x >= (double)r->high)
        whole = r->high;
    else if (x <= (double)r->low)
        whole = r->low;
    else {
        whole = (int64_t)x; /* toward zero; the rest below one is exact */
        rest = x - (double)whole;
        if (rest > 0.5 || (rest == 0.5 && whole % 2 != 0))
            whole++;
        else if (rest < -0.5 || (rest == -0.5 && whole % 2 != 0))
            whole--;
    }
    return (uint32_t)whole & width_mask(r->bits);
}

static uint32_t fp32r_from_fp32(uint32_t bits, const oracle_settings *s)
{
    int kept = s && s->fp32r_bits ? s->fp32r_bits : 11;
    uint32_t unit = 1u << (23 - kept);
    uint32_t magnitude = bits & ~ORACLE_SIGN;
    uint32_t low = magnitude - magnitude % unit, high = low + unit, nearest;
    double twice, sum;

    if (oracle_is_nan(bits))
        return ORACLE_QNAN;
    if (low == magnitude)
        return bits;
    twice = 2.0 * oracle_magnitude(magnitude);
    sum = oracle_magnitude(low) + oracle_magnitude(high);
    if (twice != sum)
        nearest = twice < sum ? low : high;
    else
        nearest = low / unit % 2 == 0 ? low : high;
    return (bits & ORACLE_SIGN) | nearest;
}

uint32_t oracle_to_fp32(unsigned dtype, uint32_t bits, const oracle_settings *s)
{
    small_format *f = format_of(dtype, s);
    int_range r;

    /* OPEN: reading fp32r takes the bits as fp32, NaN included; no legal record of these formats reads it. */
    if (dtype == ORACLE_FP32 || dtype == ORACLE_FP32R)
        return bits;
    if (f)
        return small_to_fp32(f, bits);
    return int_range_of(dtype, &r) ? int_to_fp32(&r, bits) : 0;
}

uint32_t oracle_from_fp32(unsigned dtype, uint32_t fp32_bits, const oracle_settings *s)
{
    small_format *f = format_of(dtype, s);
    int_range r;

    if (dtype == ORACLE_FP32)
        return fp32_bits;
    if (dtype == ORACLE_FP32R)
        return fp32r_from_fp32(fp32_bits, s);
    if (f)
        return small_from_fp32(f, fp32_bits, s);
    return int_range_of(dtype, &r) ? int_from_fp32(&r, fp32_bits) : 0;
}

uint32_t oracle_convert(unsigned from, unsigned to, uint32_t bits, const oracle_settings *s)
{
    unsigned size = oracle_size(from);
    uint32_t value;
    int_range r;

    if (size == 0 || oracle_size(to) == 0)
        return 0;
    if (from == to)
        return bits & width_mask(8 * size);
    value = oracle_to_fp32(from, bits, s);
    /* OPEN: a move changes the dtype once, and the sign of the element's NaN decides which end of an integer's range
     * it becomes, whatever float the element was. */
    if (oracle_is_nan(value) && int_range_of(to, &r))
        value = bits >> (8 * size - 1) & 1u ? value | ORACLE_SIGN : value;
    return oracle_from_fp32(to, value, s);
}
