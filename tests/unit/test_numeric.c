/* SPDX-License-Identifier: Apache-2.0 */
/* The numeric core: every number of the rulings, then properties over whole formats. The references
 * here are slow and of another kind than the code under test: formats are decoded with ldexp, and
 * rounding searches the exact midpoints of neighbouring codes. No tolerance anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <opendve/isa.h>
#include <opendve/num.h>

#define QNAN DVE_F32_QUIET_NAN
#define INF DVE_F32_INFINITY
#define NEG UINT32_C(0x80000000)
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const dve_num_config STANDARD = {0, 0, 0, 0};
static const dve_num_config SATURATE = {.fp8_overflow = DVE_FP8_OVERFLOW_SATURATE};
static const dve_num_config FN = {.e4m3 = DVE_E4M3_FN};
static const dve_num_config FN_SATURATE = {.fp8_overflow = DVE_FP8_OVERFLOW_SATURATE, .e4m3 = DVE_E4M3_FN};

static const uint8_t CONVERTIBLE[] = {
    DVE_DTYPE_INT8, DVE_DTYPE_UINT8, DVE_DTYPE_INT16, DVE_DTYPE_UINT16, DVE_DTYPE_BF16, DVE_DTYPE_FP16,
    DVE_DTYPE_INT32, DVE_DTYPE_UINT32, DVE_DTYPE_FP32, DVE_DTYPE_FP32R, DVE_DTYPE_FP8_E3M4,
    DVE_DTYPE_FP8_E4M3, DVE_DTYPE_FP8_E5M2,
};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float value_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One line that says what went wrong, then the end of this test. */
static void same(const char *what, uint32_t in, uint32_t got, uint32_t want)
{
    if (got != want) {
        fail_msg("%s of 0x%08x: got 0x%08x, want 0x%08x", what, in, got, want);
    }
}

/* Lower halves around the ties of every format: bf16 drops 16 bits, fp16 13, FP32R 10, 12, 13. */
static const uint32_t LOWER[] = {
    0x0000, 0x0001, 0x01ff, 0x0200, 0x0201, 0x0800, 0x0fff, 0x1000, 0x1001, 0x2000, 0x3000, 0x7fff, 0x8000,
    0x8001, 0xefff, 0xf000, 0xffff,
};

/* Every upper half with every boundary lower half: 1.1 million patterns, all binades, both signs. */
static void sweep(void (*check)(const void *context, uint32_t f32), const void *context)
{
    for (uint32_t upper = 0; upper < 0x10000; upper++) {
        for (size_t i = 0; i < LENGTH(LOWER); i++) {
            check(context, upper << 16 | LOWER[i]);
        }
    }
}

/* ---- Small floats against a decoder and a search ---- */

typedef struct format {
    const char *name;
    uint8_t dtype;
    dve_num_config config;
    int mantissa, bias;
    uint32_t sign, max_code, quiet_nan, overflow, negative_overflow;
} format;

static const format FORMATS[] = {
    {"bf16", DVE_DTYPE_BF16, {0}, 7, 127, 0x8000, 0x7f7f, 0x7fc0, 0x7f80, 0xff80},
    {"bf16 (saturating fp8)", DVE_DTYPE_BF16, {.fp8_overflow = 1}, 7, 127, 0x8000, 0x7f7f, 0x7fc0, 0x7f80, 0xff80},
    {"fp16", DVE_DTYPE_FP16, {0}, 10, 15, 0x8000, 0x7bff, 0x7e00, 0x7c00, 0xfc00},
    {"fp16 (saturating fp8)", DVE_DTYPE_FP16, {.fp8_overflow = 1}, 10, 15, 0x8000, 0x7bff, 0x7e00, 0x7c00, 0xfc00},
    {"e3m4", DVE_DTYPE_FP8_E3M4, {0}, 4, 3, 0x80, 0x6f, 0x78, 0x70, 0xf0},
    {"e3m4 saturating", DVE_DTYPE_FP8_E3M4, {.fp8_overflow = 1}, 4, 3, 0x80, 0x6f, 0x78, 0x6f, 0xef},
    {"e4m3", DVE_DTYPE_FP8_E4M3, {0}, 3, 7, 0x80, 0x77, 0x7c, 0x78, 0xf8},
    {"e4m3 saturating", DVE_DTYPE_FP8_E4M3, {.fp8_overflow = 1}, 3, 7, 0x80, 0x77, 0x7c, 0x77, 0xf7},
    {"e4m3fn", DVE_DTYPE_FP8_E4M3, {.e4m3 = 1}, 3, 7, 0x80, 0x7e, 0x7f, 0x7f, 0x7f},
    {"e4m3fn saturating", DVE_DTYPE_FP8_E4M3, {.fp8_overflow = 1, .e4m3 = 1}, 3, 7, 0x80, 0x7e, 0x7f, 0x7e, 0xfe},
    {"e5m2", DVE_DTYPE_FP8_E5M2, {0}, 2, 15, 0x80, 0x7b, 0x7e, 0x7c, 0xfc},
    {"e5m2 saturating", DVE_DTYPE_FP8_E5M2, {.fp8_overflow = 1}, 2, 15, 0x80, 0x7b, 0x7e, 0x7b, 0xfb},
};

/* The value of a code without sign. It also answers for the code after the largest finite one: the
 * number that would stand there, which is what overflow is measured against. */
static double decode(const format *f, uint32_t code)
{
    const int exponent = (int)(code >> f->mantissa);
    const int mantissa = (int)(code & ((1u << f->mantissa) - 1));
    const int hidden = exponent > 0 ? 1 << f->mantissa : 0;
    return ldexp(hidden + mantissa, (exponent > 0 ? exponent : 1) - f->bias - f->mantissa);
}

/* Midpoint of code and code + 1, exact as a double; computed once a format. */
static double midpoints[0x8000];

static void find_midpoints(const format *f)
{
    for (uint32_t code = 0; code <= f->max_code; code++) {
        midpoints[code] = (decode(f, code) + decode(f, code + 1)) / 2;
    }
}

static uint32_t nearest(const format *f, uint32_t f32)
{
    const double value = fabs((double)value_of(f32));
    uint32_t low = 0, high = f->max_code + 1; /* the answer is the first code whose midpoint is not passed */
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const bool passed = value > midpoints[middle] || (value == midpoints[middle] && (middle & 1));
        low = passed ? middle + 1 : low;
        high = passed ? high : middle;
    }
    const bool negative = f32 >> 31;
    if (low > f->max_code) {
        return negative ? f->negative_overflow : f->overflow;
    }
    return negative ? low | f->sign : low;
}

static void check_narrowing(const void *context, uint32_t f32)
{
    const format *f = context;
    const uint32_t want = dve_f32_is_nan(f32) ? f->quiet_nan : nearest(f, f32);
    same(f->name, f32, dve_num_from_f32(&f->config, f->dtype, f32), want);
}

static void narrowing_is_nearest_even(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(FORMATS); i++) {
        find_midpoints(&FORMATS[i]);
        sweep(check_narrowing, &FORMATS[i]);
    }
}

/* Beside every midpoint of every format: the tie itself and the next fp32 value on both sides. */
static void narrowing_at_every_tie(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(FORMATS); i++) {
        const format *f = &FORMATS[i];
        find_midpoints(f);
        for (uint32_t code = 0; code <= f->max_code; code++) {
            const uint32_t tie = bits_of((float)midpoints[code]);
            for (uint32_t f32 = tie - 1; f32 <= tie + 1; f32++) {
                check_narrowing(f, f32);
                check_narrowing(f, f32 | NEG);
            }
        }
    }
}

static uint32_t widened(const format *f, uint32_t code)
{
    const uint32_t magnitude = code & (f->sign - 1);
    const uint32_t sign = code & f->sign ? NEG : 0;
    if (magnitude <= f->max_code) {
        return bits_of((float)decode(f, magnitude)) | sign;
    }
    const bool has_infinity = f->max_code + 1 != f->quiet_nan;
    return has_infinity && magnitude == f->max_code + 1 ? INF | sign : QNAN;
}

static void widening_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(FORMATS); i++) {
        for (uint32_t code = 0; code < 2 * FORMATS[i].sign; code++) {
            same(FORMATS[i].name, code, dve_num_to_f32(&FORMATS[i].config, FORMATS[i].dtype, code),
                 widened(&FORMATS[i], code));
        }
    }
}

/* A code comes back from fp32 as itself; NaN as the quiet one, infinity saturated where asked for. */
static void codes_survive_fp32(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(FORMATS); i++) {
        const format *f = &FORMATS[i];
        for (uint32_t code = 0; code < 2 * f->sign; code++) {
            const uint32_t f32 = dve_num_to_f32(&f->config, f->dtype, code);
            uint32_t want = code;
            if (dve_f32_is_nan(f32)) {
                want = f->quiet_nan;
            } else if ((f32 & ~NEG) == INF) {
                want = f32 >> 31 ? f->negative_overflow : f->overflow;
            }
            same(f->name, code, dve_num_from_f32(&f->config, f->dtype, f32), want);
        }
    }
    static const uint8_t integers[] = {DVE_DTYPE_INT8, DVE_DTYPE_UINT8, DVE_DTYPE_INT16, DVE_DTYPE_UINT16};
    for (size_t i = 0; i < LENGTH(integers); i++) {
        const uint32_t codes = 1u << (8 * dve_num_size(integers[i]));
        for (uint32_t code = 0; code < codes; code++) {
            const uint32_t f32 = dve_num_to_f32(&STANDARD, integers[i], code);
            same("small integer", code, dve_num_from_f32(&STANDARD, integers[i], f32), code);
        }
    }
}

/* What a result is worth, as an integer that grows with it; the NaN of an overflow counts as largest. */
static int64_t worth(uint8_t dtype, uint32_t bits)
{
    switch (dtype) {
    case DVE_DTYPE_INT8: return (int8_t)bits;
    case DVE_DTYPE_INT16: return (int16_t)bits;
    case DVE_DTYPE_INT32: return (int32_t)bits;
    case DVE_DTYPE_UINT8:
    case DVE_DTYPE_UINT16:
    case DVE_DTYPE_UINT32: return bits;
    default: break;
    }
    const uint32_t sign = 1u << (8 * dve_num_size(dtype) - 1);
    const int64_t magnitude = bits & (sign - 1);
    return bits & sign ? -magnitude : magnitude;
}

/* A larger input never gives a smaller output: from -inf up to +inf. FN without saturation is left
 * out on the negative side, where its overflow is a NaN without sign. */
static void narrowing_is_monotone(void **state)
{
    (void)state;
    static const dve_num_config *configs[] = {&STANDARD, &SATURATE, &FN, &FN_SATURATE};
    for (size_t c = 0; c < LENGTH(configs); c++) {
        for (size_t d = 0; d < LENGTH(CONVERTIBLE); d++) {
            const uint8_t dtype = CONVERTIBLE[d];
            const bool unsigned_nan = configs[c] == &FN && dtype == DVE_DTYPE_FP8_E4M3;
            int64_t last = INT64_MIN;
            for (int32_t upper = unsigned_nan ? 0 : -0x7f80; upper <= 0x7f80; upper++) {
                const uint32_t f32 = upper < 0 ? NEG | (uint32_t)-upper << 16 : (uint32_t)upper << 16;
                const int64_t now = worth(dtype, dve_num_from_f32(configs[c], dtype, f32));
                if (now < last) {
                    fail_msg("dtype 0x%02x falls at 0x%08x", dtype, f32);
                }
                last = now;
            }
        }
    }
}

/* ---- The numbers of R9, R32 and CAST, SIM, ALLM, one by one ---- */

static void printed_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const dve_num_config *config;
        uint8_t dtype;
        uint32_t f32, want;
    } rows[] = {
        {"bf16 NaN", &STANDARD, DVE_DTYPE_BF16, 0xffc12345, 0x7fc0},
        {"bf16 NaN with a payload below bit 16", &STANDARD, DVE_DTYPE_BF16, 0x7f800001, 0x7fc0},
        {"bf16 all ones", &STANDARD, DVE_DTYPE_BF16, 0xffffffff, 0x7fc0},
        {"bf16 overflow", &STANDARD, DVE_DTYPE_BF16, 0x7f7fffff, 0x7f80},
        {"bf16 lowest fp32 (range_select)", &STANDARD, DVE_DTYPE_BF16, 0xff7fffff, 0xff80},
        {"bf16 tie to even, down", &STANDARD, DVE_DTYPE_BF16, 0x3f808000, 0x3f80},
        {"bf16 tie to even, up", &STANDARD, DVE_DTYPE_BF16, 0x3f818000, 0x3f82},
        {"bf16 subnormal", &STANDARD, DVE_DTYPE_BF16, 0x00010000, 0x0001},
        {"bf16 -0", &STANDARD, DVE_DTYPE_BF16, 0x80000000, 0x8000},
        {"fp16 NaN", &STANDARD, DVE_DTYPE_FP16, 0xff800001, 0x7e00},
        {"fp16 65504", &STANDARD, DVE_DTYPE_FP16, 0x477fe000, 0x7bff},
        {"fp16 below 65520", &STANDARD, DVE_DTYPE_FP16, 0x477fefff, 0x7bff},
        {"fp16 65520", &STANDARD, DVE_DTYPE_FP16, 0x477ff000, 0x7c00},
        {"fp16 above 0x477fffff", &STANDARD, DVE_DTYPE_FP16, 0x47800000, 0x7c00},
        {"fp16 lowest fp32", &STANDARD, DVE_DTYPE_FP16, 0xff7fffff, 0xfc00},
        {"fp16 smallest normal 2^-14", &STANDARD, DVE_DTYPE_FP16, 0x38800000, 0x0400},
        {"fp16 rounds up into normal", &STANDARD, DVE_DTYPE_FP16, 0x387fffff, 0x0400},
        {"fp16 smallest 2^-24", &STANDARD, DVE_DTYPE_FP16, 0x33800000, 0x0001},
        {"fp16 tie 2^-25", &STANDARD, DVE_DTYPE_FP16, 0x33000000, 0x0000},
        {"fp16 above the tie", &STANDARD, DVE_DTYPE_FP16, 0x33000001, 0x0001},
        {"fp16 fp32 subnormal", &STANDARD, DVE_DTYPE_FP16, 0x807fffff, 0x8000},
        {"e4m3 240", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x43700000, 0x77},
        {"e4m3 below 248", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x4377ffff, 0x77},
        {"e4m3 248", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x43780000, 0x78},
        {"e4m3 -248", &STANDARD, DVE_DTYPE_FP8_E4M3, 0xc3780000, 0xf8},
        {"e4m3 lowest fp32", &STANDARD, DVE_DTYPE_FP8_E4M3, 0xff7fffff, 0xf8},
        {"e4m3 inf", &STANDARD, DVE_DTYPE_FP8_E4M3, INF, 0x78},
        {"e4m3 NaN", &STANDARD, DVE_DTYPE_FP8_E4M3, 0xffc00000, 0x7c},
        {"e4m3 saturated", &SATURATE, DVE_DTYPE_FP8_E4M3, 0x43780000, 0x77},
        {"e4m3 saturated inf", &SATURATE, DVE_DTYPE_FP8_E4M3, INF, 0x77},
        {"e4m3 saturated -inf", &SATURATE, DVE_DTYPE_FP8_E4M3, NEG | INF, 0xf7},
        {"e4m3 saturated NaN", &SATURATE, DVE_DTYPE_FP8_E4M3, QNAN, 0x7c},
        {"e4m3 smallest normal 2^-6", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x3c800000, 0x08},
        {"e4m3 smallest 2^-9", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x3b000000, 0x01},
        {"e4m3 tie 2^-10", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x3a800000, 0x00},
        {"e4m3 above the tie", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x3a800001, 0x01},
        {"e4m3 -0", &STANDARD, DVE_DTYPE_FP8_E4M3, 0x80000000, 0x80},
        {"e4m3fn 448", &FN, DVE_DTYPE_FP8_E4M3, 0x43e00000, 0x7e},
        {"e4m3fn 464", &FN, DVE_DTYPE_FP8_E4M3, 0x43e80000, 0x7e},
        {"e4m3fn -464", &FN, DVE_DTYPE_FP8_E4M3, 0xc3e80000, 0xfe},
        {"e4m3fn above 464", &FN, DVE_DTYPE_FP8_E4M3, 0x43e80001, 0x7f},
        {"e4m3fn below -464", &FN, DVE_DTYPE_FP8_E4M3, 0xc3e80001, 0x7f},
        {"e4m3fn inf", &FN, DVE_DTYPE_FP8_E4M3, INF, 0x7f},
        {"e4m3fn -inf", &FN, DVE_DTYPE_FP8_E4M3, NEG | INF, 0x7f},
        {"e4m3fn NaN", &FN, DVE_DTYPE_FP8_E4M3, 0xff800001, 0x7f},
        {"e4m3fn saturated above 464", &FN_SATURATE, DVE_DTYPE_FP8_E4M3, 0x43e80001, 0x7e},
        {"e4m3fn saturated inf", &FN_SATURATE, DVE_DTYPE_FP8_E4M3, INF, 0x7e},
        {"e4m3fn saturated -inf", &FN_SATURATE, DVE_DTYPE_FP8_E4M3, NEG | INF, 0xfe},
        {"e4m3fn saturated NaN", &FN_SATURATE, DVE_DTYPE_FP8_E4M3, QNAN, 0x7f},
        {"e5m2 57344", &STANDARD, DVE_DTYPE_FP8_E5M2, 0x47600000, 0x7b},
        {"e5m2 below 61440", &STANDARD, DVE_DTYPE_FP8_E5M2, 0x476fffff, 0x7b},
        {"e5m2 61440", &STANDARD, DVE_DTYPE_FP8_E5M2, 0x47700000, 0x7c},
        {"e5m2 61440 saturated", &SATURATE, DVE_DTYPE_FP8_E5M2, 0x47700000, 0x7b},
        {"e5m2 lowest fp32", &STANDARD, DVE_DTYPE_FP8_E5M2, 0xff7fffff, 0xfc},
        {"e5m2 -inf saturated", &SATURATE, DVE_DTYPE_FP8_E5M2, NEG | INF, 0xfb},
        {"e5m2 NaN", &STANDARD, DVE_DTYPE_FP8_E5M2, 0xffffffff, 0x7e},
        {"e5m2 NaN, FN for e4m3", &FN_SATURATE, DVE_DTYPE_FP8_E5M2, QNAN, 0x7e},
        {"e5m2 smallest normal 2^-14", &STANDARD, DVE_DTYPE_FP8_E5M2, 0x38800000, 0x04},
        {"e5m2 smallest 2^-16", &STANDARD, DVE_DTYPE_FP8_E5M2, 0x37800000, 0x01},
        {"e5m2 tie 2^-17", &STANDARD, DVE_DTYPE_FP8_E5M2, 0x37000000, 0x00},
        {"e5m2 above the tie", &STANDARD, DVE_DTYPE_FP8_E5M2, 0x37000001, 0x01},
        {"e3m4 15.5", &STANDARD, DVE_DTYPE_FP8_E3M4, 0x41780000, 0x6f},
        {"e3m4 15.75", &STANDARD, DVE_DTYPE_FP8_E3M4, 0x417c0000, 0x70},
        {"e3m4 -15.75", &STANDARD, DVE_DTYPE_FP8_E3M4, 0xc17c0000, 0xf0},
        {"e3m4 15.75 saturated", &SATURATE, DVE_DTYPE_FP8_E3M4, 0x417c0000, 0x6f},
        {"e3m4 NaN", &STANDARD, DVE_DTYPE_FP8_E3M4, QNAN, 0x78},
        {"e3m4 smallest normal 2^-2", &STANDARD, DVE_DTYPE_FP8_E3M4, 0x3e800000, 0x10},
        {"e3m4 smallest 2^-6", &STANDARD, DVE_DTYPE_FP8_E3M4, 0x3c800000, 0x01},
        {"fp32 keeps a NaN", &STANDARD, DVE_DTYPE_FP32, 0xff812345, 0xff812345},
        {"fp32r NaN", &STANDARD, DVE_DTYPE_FP32R, 0xff800001, QNAN},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        same(rows[i].what, rows[i].f32, dve_num_from_f32(rows[i].config, rows[i].dtype, rows[i].f32), rows[i].want);
    }
}

static void fp32r_numbers(void **state)
{
    (void)state;
    static const struct {
        uint8_t bits;
        uint32_t f32, want;
    } rows[] = {
        {0, 0x3f800800, 0x3f800000},  /* a tie, kept part even */
        {0, 0x3f801800, 0x3f802000},  /* a tie, kept part odd */
        {0, 0x3f800801, 0x3f801000},
        {0, 0x3f8007ff, 0x3f800000},
        {0, 0x3ffff800, 0x40000000},  /* carries into the exponent */
        {0, 0x7f7ff800, 0x7f800000},  /* and into infinity */
        {0, 0xff7fffff, 0xff800000},
        {0, 0x7f7ff7ff, 0x7f7ff000},
        {0, 0x80000000, 0x80000000},
        {0, 0x00000800, 0x00000000},  /* subnormals round in their last places */
        {0, 0x80000801, 0x80001000},
        {0, 0xff800000, 0xff800000},
        {11, 0x3f801800, 0x3f802000},
        {10, 0x3f801000, 0x3f800000},
        {10, 0x3f803000, 0x3f804000},
        {10, 0x3f801001, 0x3f802000},
        {13, 0x3f800200, 0x3f800000},
        {13, 0x3f800600, 0x3f800800},
        {13, 0x3f800201, 0x3f800400},
        {13, 0x7fffffff, QNAN},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const dve_num_config config = {.fp32r_bits = rows[i].bits};
        same("fp32r", rows[i].f32, dve_num_from_f32(&config, DVE_DTYPE_FP32R, rows[i].f32), rows[i].want);
        same("fp32r as input", rows[i].want, dve_num_to_f32(&config, DVE_DTYPE_FP32R, rows[i].want), rows[i].want);
    }
}

/* The reference scales so that the last kept place is one and rounds there, in the host's double. */
static void check_fp32r(const void *context, uint32_t f32)
{
    const int kept = *(const int *)context;
    const dve_num_config config = {.fp32r_bits = (uint8_t)kept};
    uint32_t want = QNAN;
    if (!dve_f32_is_nan(f32)) {
        const int field = (int)(f32 >> 23 & 0xff);
        const int place = (field > 0 ? field : 1) - 127 - kept;
        const double value = (double)value_of(f32);
        want = field == 255 ? f32 : bits_of((float)copysign(ldexp(rint(ldexp(value, -place)), place), value));
    }
    same("fp32r", f32, dve_num_from_f32(&config, DVE_DTYPE_FP32R, f32), want);
}

static void fp32r_is_nearest_even(void **state)
{
    (void)state;
    static const int kept[] = {11, 10, 13};
    for (size_t i = 0; i < LENGTH(kept); i++) {
        sweep(check_fp32r, &kept[i]);
    }
}

/* The one reference here that was written by neither of us: the compiler's half. */
#ifdef __FLT16_MAX__
__extension__ typedef _Float16 compiler_half; /* not in C11, hence the mark */

static void check_fp16(const void *context, uint32_t f32)
{
    (void)context;
    if (dve_f32_is_nan(f32)) {
        return;
    }
    const compiler_half half = (compiler_half)value_of(f32);
    uint16_t want;
    memcpy(&want, &half, sizeof want);
    same("fp16 against _Float16", f32, dve_num_from_f32(&STANDARD, DVE_DTYPE_FP16, f32), want);
}
#endif

static void fp16_is_the_compilers(void **state)
{
    (void)state;
#ifdef __FLT16_MAX__
    sweep(check_fp16, NULL);
    for (uint32_t code = 0; code < 0x10000; code++) {
        const uint16_t word = (uint16_t)code;
        compiler_half half;
        memcpy(&half, &word, sizeof half);
        const uint32_t want = (code & 0x7fff) > 0x7c00 ? QNAN : bits_of((float)half);
        same("fp16 against _Float16", code, dve_num_to_f32(&STANDARD, DVE_DTYPE_FP16, code), want);
    }
#else
    print_message("SKIPPED: this compiler has no _Float16; fp16 is checked by midpoints alone\n");
    skip();
#endif
}

/* ---- Integers ---- */

typedef struct integer {
    const char *name;
    uint8_t dtype;
    int64_t low, high;
} integer;

static const integer INTEGERS[] = {
    {"int8", DVE_DTYPE_INT8, INT8_MIN, INT8_MAX},       {"uint8", DVE_DTYPE_UINT8, 0, UINT8_MAX},
    {"int16", DVE_DTYPE_INT16, INT16_MIN, INT16_MAX},   {"uint16", DVE_DTYPE_UINT16, 0, UINT16_MAX},
    {"int32", DVE_DTYPE_INT32, INT32_MIN, INT32_MAX},   {"uint32", DVE_DTYPE_UINT32, 0, UINT32_MAX},
};

static uint32_t word_of(const integer *t, int64_t value)
{
    return (uint32_t)value & (uint32_t)(UINT32_MAX >> (32 - 8 * dve_num_size(t->dtype)));
}

static void check_to_integer(const void *context, uint32_t f32)
{
    const integer *t = context;
    int64_t want;
    if (dve_f32_is_nan(f32)) {
        want = f32 >> 31 ? t->low : t->high;
    } else {
        const long double rounded = rintl((long double)value_of(f32));
        want = rounded < (long double)t->low    ? t->low
               : rounded > (long double)t->high ? t->high
                                                : (int64_t)rounded;
    }
    same(t->name, f32, dve_num_from_f32(&STANDARD, t->dtype, f32), word_of(t, want));
}

static void fp32_to_integer(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(INTEGERS); i++) {
        const integer *t = &INTEGERS[i];
        sweep(check_to_integer, t);
        /* Every half up to 2^17, both signs: the ties of all narrow types. */
        for (int32_t halves = -0x40000; halves <= 0x40000; halves++) {
            const uint32_t f32 = bits_of((float)halves / 2);
            check_to_integer(t, f32);
            check_to_integer(t, f32 + 1);
            check_to_integer(t, f32 - 1);
        }
        /* Around the powers of two up to 2^33, where places are worth 1/4, 1/2, 1, 2, ... */
        for (int power = 0; power <= 33; power++) {
            const uint32_t at = bits_of(ldexpf(1, power));
            for (uint32_t f32 = at - 600; f32 < at + 600; f32++) {
                check_to_integer(t, f32);
                check_to_integer(t, f32 | NEG);
            }
        }
    }
}

static void integer_numbers(void **state)
{
    (void)state;
    static const struct {
        uint8_t dtype;
        uint32_t f32, want;
    } rows[] = {
        {DVE_DTYPE_INT8, 0x3f000000, 0},           /* 0.5 */
        {DVE_DTYPE_INT8, 0x3fc00000, 2},           /* 1.5 */
        {DVE_DTYPE_INT8, 0x40200000, 2},           /* 2.5 */
        {DVE_DTYPE_INT8, 0xc0200000, 0xfe},        /* -2.5 */
        {DVE_DTYPE_INT8, 0x42ff0000, 127},         /* 127.5 */
        {DVE_DTYPE_INT8, 0xc3008000, 0x80},        /* -128.5 */
        {DVE_DTYPE_INT8, 0x7fc00000, 0x7f},
        {DVE_DTYPE_INT8, 0xffc00000, 0x80},
        {DVE_DTYPE_UINT8, 0xbf800000, 0},          /* -1 */
        {DVE_DTYPE_UINT8, 0x437f8000, 255},        /* 255.5 */
        {DVE_DTYPE_UINT8, 0x7f800001, 0xff},
        {DVE_DTYPE_UINT8, 0xff800001, 0},
        {DVE_DTYPE_INT16, INF, 0x7fff},
        {DVE_DTYPE_INT16, NEG | INF, 0x8000},
        {DVE_DTYPE_INT16, 0xffffffff, 0x8000},
        {DVE_DTYPE_UINT16, 0x47800000, 0xffff},    /* 65536 */
        {DVE_DTYPE_UINT16, QNAN, 0xffff},
        {DVE_DTYPE_INT32, 0x4f000000, 0x7fffffff}, /* 2^31 */
        {DVE_DTYPE_INT32, 0x4effffff, 0x7fffff80}, /* the largest below */
        {DVE_DTYPE_INT32, 0xcf000000, 0x80000000},
        {DVE_DTYPE_INT32, 0xcf000001, 0x80000000},
        {DVE_DTYPE_INT32, 0x4afffffd, 8388606},    /* 8388606.5 */
        {DVE_DTYPE_INT32, 0x4affffff, 8388608},    /* 8388607.5 */
        {DVE_DTYPE_INT32, QNAN, 0x7fffffff},
        {DVE_DTYPE_INT32, NEG | QNAN, 0x80000000},
        {DVE_DTYPE_UINT32, 0x4f800000, 0xffffffff}, /* 2^32: how an index flop of all ones comes back */
        {DVE_DTYPE_UINT32, 0x4f7fffff, 0xffffff00},
        {DVE_DTYPE_UINT32, 0x4f000000, 0x80000000},
        {DVE_DTYPE_UINT32, QNAN, 0xffffffff},
        {DVE_DTYPE_UINT32, NEG | QNAN, 0},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        same("integer", rows[i].f32, dve_num_from_f32(&STANDARD, rows[i].dtype, rows[i].f32), rows[i].want);
    }
    /* R18: above 2^24 integers meet; hardware-facts: all ones saturates back to itself. */
    same("int32", 16777217, dve_num_to_f32(&STANDARD, DVE_DTYPE_INT32, 16777217), 0x4b800000);
    same("int32", 16777219, dve_num_to_f32(&STANDARD, DVE_DTYPE_INT32, 16777219), 0x4b800002);
    same("int32", 0x80000000, dve_num_to_f32(&STANDARD, DVE_DTYPE_INT32, 0x80000000), 0xcf000000);
    same("int32", 0x7fffffff, dve_num_to_f32(&STANDARD, DVE_DTYPE_INT32, 0x7fffffff), 0x4f000000);
    same("uint32", 0xffffffff, dve_num_to_f32(&STANDARD, DVE_DTYPE_UINT32, 0xffffffff), 0x4f800000);
    same("uint32", 0, dve_num_to_f32(&STANDARD, DVE_DTYPE_UINT32, 0), 0);
}

static void check_from_integer(const void *context, uint32_t bits)
{
    const integer *t = context;
    const uint32_t word = word_of(t, bits);
    const int64_t value = worth(t->dtype, word);
    same(t->name, bits, dve_num_to_f32(&STANDARD, t->dtype, bits), bits_of((float)(long double)value));
}

static void integer_to_fp32(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(INTEGERS); i++) {
        sweep(check_from_integer, &INTEGERS[i]);
        /* Around every power of two: the ties at each number of dropped bits. */
        for (int power = 0; power < 32; power++) {
            for (uint32_t near = 0; near < 2048; near++) {
                check_from_integer(&INTEGERS[i], (UINT32_C(1) << power) + near - 1024);
                check_from_integer(&INTEGERS[i], 0 - ((UINT32_C(1) << power) + near - 1024));
            }
        }
    }
}

/* ---- Any type to any type ---- */

static void sizes(void **state)
{
    (void)state;
    static const uint32_t want[] = {0, 0, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 0, 1, 1, 1};
    for (uint32_t dtype = 0; dtype < 256; dtype++) {
        same("size", dtype, dve_num_size((uint8_t)dtype), dtype < LENGTH(want) ? want[dtype] : 0);
        if (dve_num_size((uint8_t)dtype) == 0) {
            same("to", dtype, dve_num_to_f32(&STANDARD, (uint8_t)dtype, 0x3f800000), 0);
            same("from", dtype, dve_num_from_f32(&STANDARD, (uint8_t)dtype, 0x3f800000), 0);
            same("same", dtype, dve_num_convert(&STANDARD, (uint8_t)dtype, (uint8_t)dtype, 0x3f800000), 0);
        }
    }
}

static void equal_types_keep_bits(void **state)
{
    (void)state;
    for (size_t d = 0; d < LENGTH(CONVERTIBLE); d++) {
        const uint8_t dtype = CONVERTIBLE[d];
        const uint32_t mask = UINT32_MAX >> (32 - 8 * dve_num_size(dtype));
        for (uint32_t upper = 0; upper < 0x10000; upper++) {
            const uint32_t bits = upper << 16 | upper;
            same("move", bits, dve_num_convert(&SATURATE, dtype, dtype, bits), bits & mask);
        }
    }
}

static void conversions_meet_in_fp32(void **state)
{
    (void)state;
    for (size_t from = 0; from < LENGTH(CONVERTIBLE); from++) {
        for (size_t to = 0; to < LENGTH(CONVERTIBLE); to++) {
            for (uint32_t upper = 0; from != to && upper < 0x10000; upper += 7) {
                const uint32_t bits = upper << 16 | upper;
                const uint32_t f32 = dve_num_to_f32(&FN, CONVERTIBLE[from], bits);
                const bool nan_to_fp32 = CONVERTIBLE[to] == DVE_DTYPE_FP32 && dve_f32_is_nan(f32);
                const uint32_t sign = bits >> (8 * dve_num_size(CONVERTIBLE[from]) - 1) << 31;
                const uint32_t moved = dve_f32_is_nan(f32) ? f32 | sign : f32;
                const uint32_t want = nan_to_fp32 ? QNAN : dve_num_from_f32(&FN, CONVERTIBLE[to], moved);
                same("convert", bits, dve_num_convert(&FN, CONVERTIBLE[from], CONVERTIBLE[to], bits), want);
            }
        }
    }
    /* R32: the sign of a NaN goes when it becomes another float; it chooses the end of an integer's range (R9). */
    same("bf16 NaN to fp16", 0xffff, dve_num_convert(&STANDARD, DVE_DTYPE_BF16, DVE_DTYPE_FP16, 0xffff), 0x7e00);
    same("bf16 NaN to fp32", 0xff81, dve_num_convert(&STANDARD, DVE_DTYPE_BF16, DVE_DTYPE_FP32, 0xff81), QNAN);
    same("fp32r NaN to fp32", 0xffffffff, dve_num_convert(&STANDARD, DVE_DTYPE_FP32R, DVE_DTYPE_FP32, 0xffffffff),
         QNAN);
    same("fp16 NaN to int8", 0xfe00, dve_num_convert(&STANDARD, DVE_DTYPE_FP16, DVE_DTYPE_INT8, 0xfe00), 0x80);
    same("fp32 NaN to int8", 0xffc00000, dve_num_convert(&STANDARD, DVE_DTYPE_FP32, DVE_DTYPE_INT8, 0xffc00000),
         0x80);
    same("int8 -1 to uint8", 0xff, dve_num_convert(&STANDARD, DVE_DTYPE_INT8, DVE_DTYPE_UINT8, 0xff), 0);
    same("int32 to uint32", 16777217, dve_num_convert(&STANDARD, DVE_DTYPE_INT32, DVE_DTYPE_UINT32, 16777217),
         16777216);
}

static void words_in_wire_order(void **state)
{
    (void)state;
    const uint8_t bytes[5] = {0xaa, 0x11, 0x22, 0x33, 0x84};
    same("load", 1, dve_num_load_bits(1, bytes + 1), 0x11);
    same("load", 2, dve_num_load_bits(2, bytes + 1), 0x2211);
    same("load", 4, dve_num_load_bits(4, bytes + 1), 0x84332211);
    same("load", 3, dve_num_load_bits(3, bytes + 1), 0);
    static const uint8_t want[5][6] = {{0, 0, 0, 0, 0, 0},
                                       {0, 0x11, 0, 0, 0, 0},
                                       {0, 0x11, 0x22, 0, 0, 0},
                                       {0, 0, 0, 0, 0, 0},
                                       {0, 0x11, 0x22, 0x33, 0x84, 0}};
    for (uint32_t size = 0; size < 5; size++) {
        uint8_t out[6] = {0};
        dve_num_store_bits(size, 0x84332211, out + 1);
        assert_memory_equal(out, want[size], sizeof out);
    }
}

/* ---- Rows ---- */

enum { ROW = 700, ROOM = 64 + ROW * 16 };

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Steps that are spread, backwards, overlapping, adjacent and zero, from an odd address. */
static void check_row(const dve_num_config *config, uint8_t dtype, ptrdiff_t step, size_t n)
{
    static uint8_t memory[ROOM], expected[ROOM];
    static uint32_t values[ROW];
    const uint32_t size = dve_num_size(dtype);
    uint32_t seed = 0x9e3779b9 ^ dtype;
    for (size_t i = 0; i < ROOM; i++) {
        memory[i] = (uint8_t)(next_random(&seed) >> 11);
    }
    const size_t start = step < 0 ? (size_t)-step * ROW + 1 : 1;
    dve_num_load_f32(config, dtype, memory + start, step, n, values);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *at = memory + start + (ptrdiff_t)i * step;
        same("row load", (uint32_t)i, values[i], dve_num_to_f32(config, dtype, dve_num_load_bits(size, at)));
    }
    memcpy(expected, memory, ROOM);
    for (size_t i = 0; i < n; i++) {
        values[i] = next_random(&seed);
        dve_num_store_bits(size, dve_num_from_f32(config, dtype, values[i]), expected + start + (ptrdiff_t)i * step);
    }
    dve_num_store_f32(config, dtype, values, n, memory + start, step);
    assert_memory_equal(memory, expected, ROOM);
}

static void rows_equal_single_values(void **state)
{
    (void)state;
    static const dve_num_config *configs[] = {&STANDARD, &SATURATE, &FN, &FN_SATURATE};
    static const ptrdiff_t steps[] = {0, 1, 2, 3, 4, 5, 8, 15, -1, -2, -3, -4, -8, -15};
    static const size_t counts[] = {0, 1, 7, 33, 255, 256, 257, ROW};
    for (size_t c = 0; c < LENGTH(configs); c++) {
        for (size_t d = 0; d < LENGTH(CONVERTIBLE); d++) {
            for (size_t s = 0; s < LENGTH(steps); s++) {
                for (size_t n = 0; n < LENGTH(counts); n++) {
                    check_row(configs[c], CONVERTIBLE[d], steps[s], counts[n]);
                }
            }
        }
    }
}

/* The vector loops against single values over all codes, and over the sweep. */
static void rows_equal_single_values_everywhere(void **state)
{
    (void)state;
    static uint8_t bytes[0x20000], narrow[0x40000];
    static uint32_t wide[0x10000];
    for (uint32_t code = 0; code < 0x10000; code++) {
        dve_num_store_bits(2, code, bytes + 2 * code);
    }
    for (size_t d = 0; d < LENGTH(CONVERTIBLE); d++) {
        const uint8_t dtype = CONVERTIBLE[d];
        const uint32_t size = dve_num_size(dtype);
        const uint32_t n = 0x20000 / size < 0x10000 ? 0x20000 / size : 0x10000;
        dve_num_load_f32(&STANDARD, dtype, bytes, (ptrdiff_t)size, n, wide);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t bits = dve_num_load_bits(size, bytes + size * i);
            same("vector load", bits, wide[i], dve_num_to_f32(&STANDARD, dtype, bits));
        }
        for (size_t lower = 0; lower < LENGTH(LOWER); lower++) {
            for (uint32_t upper = 0; upper < 0x10000; upper++) {
                wide[upper] = upper << 16 | LOWER[lower];
            }
            dve_num_store_f32(&STANDARD, dtype, wide, 0x10000, narrow, (ptrdiff_t)size);
            for (uint32_t i = 0; i < 0x10000; i++) {
                same("vector store", wide[i], dve_num_load_bits(size, narrow + size * i),
                     dve_num_from_f32(&STANDARD, dtype, wide[i]));
            }
        }
    }
}

static void rows_of_unknown_types(void **state)
{
    (void)state;
    uint32_t values[3] = {1, 2, 3};
    uint8_t memory[4] = {9, 9, 9, 9};
    dve_num_load_f32(&STANDARD, DVE_DTYPE_UINT64, memory, 1, 3, values);
    assert_true(values[0] == 0 && values[1] == 0 && values[2] == 0);
    dve_num_store_f32(&STANDARD, DVE_DTYPE_FP4_E2M1, values, 3, memory, 1);
    assert_true(memory[0] == 9 && memory[3] == 9);
    dve_num_load_f32(&STANDARD, DVE_DTYPE_FP32, NULL, 4, 0, NULL); /* nothing, from nowhere */
    dve_num_load_f32(&STANDARD, DVE_DTYPE_FP32, NULL, 0, 0, NULL);
    dve_num_store_f32(&STANDARD, DVE_DTYPE_FP32, NULL, 0, NULL, 4);
}

/* ---- Comparisons and operators ---- */

static const uint32_t SPECIAL[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x40000000,
    0xc0400000, 0x4b800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xff800001, 0x7fc00000,
    0xffc12345, 0xffffffff,
};

static void comparisons(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(SPECIAL); i++) {
        for (size_t j = 0; j < LENGTH(SPECIAL); j++) {
            const uint32_t a = SPECIAL[i], b = SPECIAL[j];
            same("eq", a, dve_f32_eq(a, b), value_of(a) == value_of(b));
            same("gt", a, dve_f32_gt(a, b), value_of(a) > value_of(b));
        }
        const float value = value_of(SPECIAL[i]);
        same("is_nan", SPECIAL[i], dve_f32_is_nan(SPECIAL[i]), value != value);
    }
}

static void operator_sets(void **state)
{
    (void)state;
    static const uint8_t arith[] = {0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0d, 0x0e, 0x0f, 0x12, 0x13,
                                    0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x20, 0x21, 0x22, 0x23};
    static const uint8_t bitvec[] = {0x00, 0x01, 0x02, 0x03, 0x0a, 0x0b, 0x0c, 0x10, 0x11};
    for (uint32_t op = 0; op < 256; op++) {
        const bool is_arith = memchr(arith, (int)op, sizeof arith) != NULL;
        const bool is_bitvec = memchr(bitvec, (int)op, sizeof bitvec) != NULL;
        for (uint8_t gen = 2; gen <= 5; gen++) {
            const bool want = is_arith && (op < 0x20 || gen >= 4);
            same("general arith", op, dve_num_is_general_arith((uint8_t)op, gen), want);
        }
        same("bitvec", op, dve_num_is_bitvec((uint8_t)op), is_bitvec);
        if (!is_arith && op != DVE_ALU_OP_DIVIDE) {
            same("foreign operator", op, dve_num_alu_f32((uint8_t)op, 0x3f800000, 0x3f800000), QNAN);
        }
        if (!is_bitvec) {
            same("foreign operator", op, dve_num_alu_bits((uint8_t)op, 4, 3, 1), 0);
        }
    }
}

#define ONE UINT32_C(0x3f800000)
#define TWO UINT32_C(0x40000000)
#define ZERO UINT32_C(0)
#define MZERO NEG
#define SNAN UINT32_C(0xff812345) /* negative, signalling, with a payload */

static void special_values(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        uint32_t a, b, want;
    } rows[] = {
        /* max and min: the operand that is not NaN, NaN of two, the first of two zeros */
        {DVE_ALU_OP_MAX, SNAN, NEG | INF, NEG | INF},
        {DVE_ALU_OP_MAX, ONE, SNAN, ONE},
        {DVE_ALU_OP_MAX, SNAN, NEG | QNAN, QNAN},
        {DVE_ALU_OP_MAX, MZERO, ZERO, MZERO},
        {DVE_ALU_OP_MAX, ZERO, MZERO, ZERO},
        {DVE_ALU_OP_MAX, ONE, TWO, TWO},
        {DVE_ALU_OP_MAX, TWO, ONE, TWO},
        {DVE_ALU_OP_MAX, NEG | TWO, NEG | ONE, NEG | ONE},
        {DVE_ALU_OP_MAX, 1, ZERO, 1},
        {DVE_ALU_OP_MIN, SNAN, INF, INF},
        {DVE_ALU_OP_MIN, ONE, SNAN, ONE},
        {DVE_ALU_OP_MIN, SNAN, SNAN, QNAN},
        {DVE_ALU_OP_MIN, MZERO, ZERO, MZERO},
        {DVE_ALU_OP_MIN, ZERO, MZERO, ZERO},
        {DVE_ALU_OP_MIN, ONE, TWO, ONE},
        {DVE_ALU_OP_MIN, NEG | ONE, NEG | TWO, NEG | TWO},
        {DVE_ALU_OP_MIN, NEG | 1, ZERO, NEG | 1},
        /* the same on magnitudes */
        {DVE_ALU_OP_ABS_MAX, NEG | TWO, ONE, TWO},
        {DVE_ALU_OP_ABS_MAX, ONE, NEG | TWO, TWO},
        {DVE_ALU_OP_ABS_MAX, SNAN, NEG | ONE, ONE},
        {DVE_ALU_OP_ABS_MAX, NEG | INF, SNAN, INF},
        {DVE_ALU_OP_ABS_MAX, SNAN, SNAN, QNAN},
        {DVE_ALU_OP_ABS_MAX, MZERO, MZERO, ZERO},
        {DVE_ALU_OP_ABS_MIN, NEG | TWO, ONE, ONE},
        {DVE_ALU_OP_ABS_MIN, NEG | ONE, TWO, ONE},
        {DVE_ALU_OP_ABS_MIN, SNAN, NEG | INF, INF},
        {DVE_ALU_OP_ABS_MIN, NEG | ONE, SNAN, ONE},
        {DVE_ALU_OP_ABS_MIN, SNAN, QNAN, QNAN},
        {DVE_ALU_OP_ABS_MIN, MZERO, ONE, ZERO},
        /* compares with NaN are 0, not-equal is 1; the zeros are equal */
        {DVE_ALU_OP_IS_EQ, SNAN, SNAN, ZERO},
        {DVE_ALU_OP_IS_EQ, ONE, QNAN, ZERO},
        {DVE_ALU_OP_IS_EQ, ZERO, MZERO, ONE},
        {DVE_ALU_OP_IS_EQ, ONE, TWO, ZERO},
        {DVE_ALU_OP_IS_NE, QNAN, QNAN, ONE},
        {DVE_ALU_OP_IS_NE, QNAN, ONE, ONE},
        {DVE_ALU_OP_IS_NE, ZERO, MZERO, ZERO},
        {DVE_ALU_OP_IS_NE, ONE, TWO, ONE},
        {DVE_ALU_OP_IS_GT, QNAN, ONE, ZERO},
        {DVE_ALU_OP_IS_GT, ONE, QNAN, ZERO},
        {DVE_ALU_OP_IS_GT, ZERO, MZERO, ZERO},
        {DVE_ALU_OP_IS_GT, TWO, ONE, ONE},
        {DVE_ALU_OP_IS_GT, 1, ZERO, ONE},
        {DVE_ALU_OP_IS_GE, QNAN, QNAN, ZERO},
        {DVE_ALU_OP_IS_GE, MZERO, ZERO, ONE},
        {DVE_ALU_OP_IS_GE, ONE, TWO, ZERO},
        {DVE_ALU_OP_IS_LE, QNAN, QNAN, ZERO},
        {DVE_ALU_OP_IS_LE, ZERO, MZERO, ONE},
        {DVE_ALU_OP_IS_LE, TWO, ONE, ZERO},
        {DVE_ALU_OP_IS_LT, QNAN, ONE, ZERO},
        {DVE_ALU_OP_IS_LT, ONE, QNAN, ZERO},
        {DVE_ALU_OP_IS_LT, MZERO, ZERO, ZERO},
        {DVE_ALU_OP_IS_LT, NEG | INF, INF, ONE},
        /* NaN is true, zeros of both signs are false, a subnormal is true */
        {DVE_ALU_OP_LOGICAL_AND, QNAN, ONE, ONE},
        {DVE_ALU_OP_LOGICAL_AND, MZERO, ONE, ZERO},
        {DVE_ALU_OP_LOGICAL_AND, 1, NEG | 1, ONE},
        {DVE_ALU_OP_LOGICAL_OR, ZERO, MZERO, ZERO},
        {DVE_ALU_OP_LOGICAL_OR, ZERO, SNAN, ONE},
        {DVE_ALU_OP_LOGICAL_OR, 1, ZERO, ONE},
        {DVE_ALU_OP_LOGICAL_XOR, QNAN, ONE, ZERO},
        {DVE_ALU_OP_LOGICAL_XOR, MZERO, QNAN, ONE},
        {DVE_ALU_OP_LOGICAL_XOR, MZERO, ZERO, ZERO},
        /* every NaN of arithmetic is 0x7fc00000, whatever made it */
        {DVE_ALU_OP_ADD, INF, NEG | INF, QNAN},
        {DVE_ALU_OP_ADD, SNAN, ONE, QNAN},
        {DVE_ALU_OP_ADD, ONE, SNAN, QNAN},
        {DVE_ALU_OP_ADD, MZERO, MZERO, MZERO},
        {DVE_ALU_OP_ADD, MZERO, ZERO, ZERO},
        {DVE_ALU_OP_ADD, 0x4b800000, ONE, 0x4b800000}, /* 2^24 + 1: a tie, to even */
        {DVE_ALU_OP_ADD, 0x7f7fffff, 0x7f7fffff, INF},
        {DVE_ALU_OP_SUBTRACT, INF, INF, QNAN},
        {DVE_ALU_OP_SUBTRACT, ONE, NEG | QNAN, QNAN},
        {DVE_ALU_OP_SUBTRACT, ONE, ONE, ZERO},
        {DVE_ALU_OP_SUBTRACT, ONE, TWO, NEG | ONE},
        {DVE_ALU_OP_MULT, ZERO, INF, QNAN},
        {DVE_ALU_OP_MULT, NEG | QNAN, ONE, QNAN},
        {DVE_ALU_OP_MULT, MZERO, ONE, MZERO},
        {DVE_ALU_OP_MULT, TWO, TWO, 0x40800000},
        {DVE_ALU_OP_DIVIDE, ZERO, MZERO, QNAN},
        {DVE_ALU_OP_DIVIDE, ONE, MZERO, NEG | INF},
        {DVE_ALU_OP_DIVIDE, ONE, 0x40400000, 0x3eaaaaab},
        {DVE_ALU_OP_ABSOLUTE_DIFF, ONE, TWO, ONE},
        {DVE_ALU_OP_ABSOLUTE_DIFF, TWO, ONE, ONE},
        {DVE_ALU_OP_ABSOLUTE_DIFF, MZERO, ZERO, ZERO},
        {DVE_ALU_OP_ABSOLUTE_DIFF, NEG | INF, NEG | INF, QNAN},
        {DVE_ALU_OP_ABSOLUTE_DIFF, ONE, SNAN, QNAN},
        {DVE_ALU_OP_ABSOLUTE_VALUE, MZERO, SNAN, ZERO},
        {DVE_ALU_OP_ABSOLUTE_VALUE, NEG | INF, ZERO, INF},
        {DVE_ALU_OP_ABSOLUTE_VALUE, SNAN, ZERO, QNAN},
        {DVE_ALU_OP_RELU, NEG | ONE, TWO, ZERO},
        {DVE_ALU_OP_RELU, TWO, SNAN, TWO},
        {DVE_ALU_OP_RELU, NEG | INF, ZERO, ZERO},
        {DVE_ALU_OP_RELU, MZERO, ZERO, MZERO},
        {DVE_ALU_OP_RELU, SNAN, ONE, QNAN},
        {DVE_ALU_OP_SQUARE, NEG | TWO, SNAN, 0x40800000},
        {DVE_ALU_OP_SQUARE, NEG | INF, ZERO, INF},
        {DVE_ALU_OP_SQUARE, NEG | QNAN, ZERO, QNAN},
        /* subnormals are kept, in and out */
        {DVE_ALU_OP_ADD, 1, 1, 2},
        {DVE_ALU_OP_SUBTRACT, 0x00800000, 1, 0x007fffff},
        {DVE_ALU_OP_MULT, 0x00800000, 0x3f000000, 0x00400000},
        {DVE_ALU_OP_MULT, 1, TWO, 2},
        {DVE_ALU_OP_SQUARE, 0x1f000000, ZERO, 0x00080000}, /* (2^-65)^2 */
        /* bypass keeps bits */
        {DVE_ALU_OP_BYPASS, SNAN, ONE, SNAN},
        {DVE_ALU_OP_BYPASS, MZERO, SNAN, MZERO},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const uint32_t got = dve_num_alu_f32(rows[i].op, rows[i].a, rows[i].b);
        if (got != rows[i].want) {
            fail_msg("op 0x%02x on 0x%08x, 0x%08x: got 0x%08x, want 0x%08x", rows[i].op, rows[i].a, rows[i].b, got,
                     rows[i].want);
        }
    }
}

/* Sums and products of random patterns against the exact result in double, rounded once. A product
 * of two fp32 values fits a double; a sum does where the exponents are close, so those are drawn. */
static void arithmetic_rounds_once(void **state)
{
    (void)state;
    uint32_t seed = 20260;
    for (int i = 0; i < 400000; i++) {
        const uint32_t a = next_random(&seed), b = next_random(&seed);
        const uint32_t near = (b & 0x807fffffu) | ((a & 0x7f800000u) ^ (b & 0x07800000u));
        if (dve_f32_is_nan(a) || dve_f32_is_nan(b) || dve_f32_is_nan(near) || (a & INF) == INF || (b & INF) == INF ||
            (near & INF) == INF) {
            continue;
        }
        const double x = (double)value_of(a), y = (double)value_of(b), z = (double)value_of(near);
        same("mult", a, dve_num_alu_f32(DVE_ALU_OP_MULT, a, b), bits_of((float)(x * y)));
        same("square", a, dve_num_alu_f32(DVE_ALU_OP_SQUARE, a, b), bits_of((float)(x * x)));
        same("add", a, dve_num_alu_f32(DVE_ALU_OP_ADD, a, near), bits_of((float)(x + z)));
        same("subtract", a, dve_num_alu_f32(DVE_ALU_OP_SUBTRACT, a, near), bits_of((float)(x - z)));
    }
}

static void shifts(void **state)
{
    (void)state;
    for (uint32_t bytes = 1; bytes <= 4; bytes *= 2) {
        const uint32_t width = 8 * bytes, mask = UINT32_MAX >> (32 - width), top = mask ^ (mask >> 1);
        static const uint32_t words[] = {0, 1, 0x80, 0x8001, 0x12345678, 0x80000000, 0xdeadbeef, 0x7fffffff,
                                         0xffffffff, 0xa5};
        static const uint32_t counts[] = {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 127, 128, 255, 0x80000000,
                                          0xffffffff};
        for (size_t i = 0; i < LENGTH(words); i++) {
            for (size_t j = 0; j < LENGTH(counts); j++) {
                const uint32_t a = words[i] & mask, count = counts[j] & mask;
                uint32_t left = a, right = a, signed_right = a; /* one place at a time */
                for (uint32_t k = 0; k < (count < 64 ? count : 64); k++) {
                    left = (left << 1) & mask;
                    right >>= 1;
                    signed_right = (signed_right >> 1) | (a & top);
                }
                const uint32_t x = words[i], y = counts[j]; /* bits above the width are ignored */
                same("logical left", x, dve_num_alu_bits(DVE_ALU_OP_LOGICAL_SHIFT_LEFT, bytes, x, y), left);
                same("arith left", x, dve_num_alu_bits(DVE_ALU_OP_ARITH_SHIFT_LEFT, bytes, x, y), left);
                same("logical right", x, dve_num_alu_bits(DVE_ALU_OP_LOGICAL_SHIFT_RIGHT, bytes, x, y), right);
                same("arith right", x, dve_num_alu_bits(DVE_ALU_OP_ARITH_SHIFT_RIGHT, bytes, x, y), signed_right);
                same("and", x, dve_num_alu_bits(DVE_ALU_OP_BITWISE_AND, bytes, x, y), x & y & mask);
                same("or", x, dve_num_alu_bits(DVE_ALU_OP_BITWISE_OR, bytes, x, y), (x | y) & mask);
                same("xor", x, dve_num_alu_bits(DVE_ALU_OP_BITWISE_XOR, bytes, x, y), (x ^ y) & mask);
                same("not", x, dve_num_alu_bits(DVE_ALU_OP_BITWISE_NOT, bytes, x, y), ~x & mask);
                same("bypass", x, dve_num_alu_bits(DVE_ALU_OP_BYPASS, bytes, x, y), a);
            }
        }
    }
    same("width 3", 1, dve_num_alu_bits(DVE_ALU_OP_BYPASS, 3, 1, 1), 0);
    same("width 0", 1, dve_num_alu_bits(DVE_ALU_OP_BYPASS, 0, 1, 1), 0);
    same("width 8", 1, dve_num_alu_bits(DVE_ALU_OP_BYPASS, 8, 1, 1), 0);
}

/* The same, spelled out: what R20 says in words. */
static void shift_numbers(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        uint32_t bytes, a, b, want;
    } rows[] = {
        {DVE_ALU_OP_ARITH_SHIFT_RIGHT, 4, 0x80000000, 31, 0xffffffff},
        {DVE_ALU_OP_ARITH_SHIFT_RIGHT, 4, 0x80000000, 32, 0xffffffff},
        {DVE_ALU_OP_ARITH_SHIFT_RIGHT, 4, 0x7fffffff, 32, 0},
        {DVE_ALU_OP_ARITH_SHIFT_RIGHT, 4, 0x80000000, 0xffffffff, 0xffffffff}, /* not -1: unsigned */
        {DVE_ALU_OP_ARITH_SHIFT_RIGHT, 1, 0x80, 1, 0xc0},
        {DVE_ALU_OP_LOGICAL_SHIFT_RIGHT, 4, 0xffffffff, 32, 0},
        {DVE_ALU_OP_LOGICAL_SHIFT_RIGHT, 2, 0xffff, 16, 0},
        {DVE_ALU_OP_LOGICAL_SHIFT_RIGHT, 1, 0x80, 7, 1},
        {DVE_ALU_OP_LOGICAL_SHIFT_LEFT, 4, 1, 32, 0},
        {DVE_ALU_OP_LOGICAL_SHIFT_LEFT, 1, 0xff, 4, 0xf0},
        {DVE_ALU_OP_ARITH_SHIFT_LEFT, 2, 0x4001, 1, 0x8002},
        {DVE_ALU_OP_ARITH_SHIFT_LEFT, 2, 0x4001, 0xffff, 0},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        same("shift", rows[i].a, dve_num_alu_bits(rows[i].op, rows[i].bytes, rows[i].a, rows[i].b), rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_numbers),
        cmocka_unit_test(narrowing_is_nearest_even),
        cmocka_unit_test(narrowing_at_every_tie),
        cmocka_unit_test(widening_is_exact),
        cmocka_unit_test(codes_survive_fp32),
        cmocka_unit_test(narrowing_is_monotone),
        cmocka_unit_test(fp32r_numbers),
        cmocka_unit_test(fp32r_is_nearest_even),
        cmocka_unit_test(fp16_is_the_compilers),
        cmocka_unit_test(integer_numbers),
        cmocka_unit_test(fp32_to_integer),
        cmocka_unit_test(integer_to_fp32),
        cmocka_unit_test(sizes),
        cmocka_unit_test(equal_types_keep_bits),
        cmocka_unit_test(conversions_meet_in_fp32),
        cmocka_unit_test(words_in_wire_order),
        cmocka_unit_test(rows_equal_single_values),
        cmocka_unit_test(rows_equal_single_values_everywhere),
        cmocka_unit_test(rows_of_unknown_types),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(operator_sets),
        cmocka_unit_test(special_values),
        cmocka_unit_test(arithmetic_rounds_once),
        cmocka_unit_test(shifts),
        cmocka_unit_test(shift_numbers),
    };
    return cmocka_run_group_tests_name("numeric", tests, NULL, NULL);
}
