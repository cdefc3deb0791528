/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle's own test: numbers and vectors printed in the specification, typed in by hand. */
#include "selftest.h"

#include <stdio.h>

static unsigned passed, failed;

#define SAME(got, want) check_same((got), (want), __LINE__, #got)

static void check_same(uint32_t got, uint32_t want, int line, const char *text)
{
    if (got == want) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: failed: %s is 0x%x, wanted 0x%x\n", __FILE__, line, text, (unsigned)got, (unsigned)want);
}

enum {
    I8 = 2, U8 = 3, I16 = 4, U16 = 5, BF16 = 6, FP16 = 7, I32 = 8, U32 = 9, FP32 = 10, FP32R = 11,
    E3M4 = 13, E4M3 = 14, E5M2 = 15
};

static const oracle_settings plain;
static const oracle_settings saturating = {1, 0, 0, 0};
static const oracle_settings fn = {0, 1, 0, 0};
static const oracle_settings fn_saturating = {1, 1, 0, 0};

static uint32_t from(unsigned dtype, float value, const oracle_settings *s)
{
    return oracle_from_fp32(dtype, fp32(value), s);
}

static void test_largest_and_smallest(void)
{
    SAME(oracle_to_fp32(E3M4, 0x6f, &plain), fp32(15.5f));
    SAME(oracle_to_fp32(E3M4, 0x01, &plain), fp32(0x1p-6f));
    SAME(oracle_to_fp32(E3M4, 0x10, &plain), fp32(0x1p-2f));
    SAME(oracle_to_fp32(E4M3, 0x77, &plain), fp32(240.0f));
    SAME(oracle_to_fp32(E4M3, 0x01, &plain), fp32(0x1p-9f));
    SAME(oracle_to_fp32(E4M3, 0x08, &plain), fp32(0x1p-6f));
    SAME(oracle_to_fp32(E4M3, 0xf8, &plain), 0xff800000u);
    SAME(oracle_to_fp32(E4M3, 0x7e, &fn), fp32(448.0f));
    SAME(oracle_to_fp32(E4M3, 0x78, &fn), fp32(256.0f));
    SAME(oracle_to_fp32(E5M2, 0x7b, &plain), fp32(57344.0f));
    SAME(oracle_to_fp32(E5M2, 0x01, &plain), fp32(0x1p-16f));
    SAME(oracle_to_fp32(E5M2, 0x04, &plain), fp32(0x1p-14f));
    SAME(oracle_to_fp32(FP16, 0x7bff, &plain), fp32(65504.0f));
    SAME(oracle_to_fp32(FP16, 0x0001, &plain), fp32(0x1p-24f));
    SAME(oracle_to_fp32(FP16, 0x8400, &plain), fp32(-0x1p-14f));
    SAME(oracle_to_fp32(BF16, 0x8001, &plain), 0x80010000u);
    SAME(oracle_to_fp32(BF16, 0x7f80, &plain), 0x7f800000u);
}

static void test_nan_patterns(void)
{
    const uint32_t negative_nan = 0xff812345u;

    SAME(oracle_from_fp32(BF16, negative_nan, &plain), 0x7fc0);
    SAME(oracle_from_fp32(FP16, negative_nan, &plain), 0x7e00);
    SAME(oracle_from_fp32(E3M4, negative_nan, &plain), 0x78);
    SAME(oracle_from_fp32(E4M3, negative_nan, &plain), 0x7c);
    SAME(oracle_from_fp32(E4M3, negative_nan, &fn_saturating), 0x7f);
    SAME(oracle_from_fp32(E5M2, negative_nan, &saturating), 0x7e);
    SAME(oracle_from_fp32(FP32R, negative_nan, &plain), 0x7fc00000u);
    SAME(oracle_from_fp32(FP32, negative_nan, &plain), negative_nan);
    SAME(oracle_from_fp32(I8, negative_nan, &plain), 0x80);
    SAME(oracle_from_fp32(I16, 0x7fc00000u, &plain), 0x7fff);
    SAME(oracle_from_fp32(I32, negative_nan, &plain), 0x80000000u);
    SAME(oracle_from_fp32(U8, negative_nan, &plain), 0);
    SAME(oracle_from_fp32(U32, 0x7f800001u, &plain), 0xffffffffu);
    SAME(oracle_to_fp32(E4M3, 0xff, &fn), 0x7fc00000u);
    SAME(oracle_to_fp32(E5M2, 0x7d, &plain), 0x7fc00000u);
    SAME(oracle_to_fp32(FP16, 0xfc01, &plain), 0x7fc00000u);
    SAME(oracle_convert(BF16, BF16, 0xffa5, &plain), 0xffa5);
    SAME(oracle_convert(BF16, FP16, 0xffa5, &plain), 0x7e00);
    SAME(oracle_convert(BF16, I8, 0xffa5, &plain), 0x80); /* one change of dtype: the sign counts */
    SAME(oracle_convert(FP16, U16, 0xfc01, &plain), 0);
    SAME(oracle_convert(E5M2, I32, 0x7d, &plain), 0x7fffffffu);
    SAME(oracle_convert(E4M3, I32, 0xff, &fn), 0x80000000u);
}

static void test_overflow(void)
{
    SAME(from(E4M3, 247.9f, &plain), 0x77);
    SAME(from(E4M3, 248.0f, &plain), 0x78); /* a tie, and infinity is the even side */
    SAME(from(E4M3, -1e30f, &plain), 0xf8);
    SAME(from(E4M3, -1e30f, &saturating), 0xf7);
    SAME(from(E4M3, 464.0f, &fn), 0x7e);
    SAME(from(E4M3, -464.0f, &fn_saturating), 0xfe);
    SAME(oracle_from_fp32(E4M3, fp32(464.0f) + 1, &fn), 0x7f);
    SAME(oracle_from_fp32(E4M3, fp32(464.0f) + 1, &fn_saturating), 0x7e);
    SAME(oracle_from_fp32(E5M2, fp32(61440.0f) - 1, &plain), 0x7b);
    SAME(from(E5M2, 61440.0f, &plain), 0x7c);
    SAME(from(E5M2, 61440.0f, &saturating), 0x7b);
    SAME(from(E3M4, 15.75f, &plain), 0x70);
    SAME(from(E3M4, 15.7f, &plain), 0x6f);
    SAME(oracle_from_fp32(E5M2, 0xff800000u, &saturating), 0xfb);
    SAME(oracle_from_fp32(FP16, 0x477fefffu, &plain), 0x7bff); /* one below 65520 */
    SAME(from(FP16, 65520.0f, &plain), 0x7c00);
    SAME(from(FP16, -65520.0f, &saturating), 0xfc00); /* saturation is an fp8 matter */
    SAME(oracle_from_fp32(BF16, 0x7f7f8000u, &plain), 0x7f80);
    SAME(oracle_from_fp32(BF16, 0x7f7f7fffu, &plain), 0x7f7f);
    SAME(oracle_from_fp32(FP16, 0xff7fffffu, &plain), 0xfc00); /* the lowest fp32 becomes -infinity */
}

static void test_ties_and_subnormals(void)
{
    SAME(oracle_from_fp32(BF16, 0x3f808000u, &plain), 0x3f80);
    SAME(oracle_from_fp32(BF16, 0x3f818000u, &plain), 0x3f82);
    SAME(oracle_from_fp32(BF16, 0x00008000u, &plain), 0x0000);
    SAME(oracle_from_fp32(BF16, 0x00008001u, &plain), 0x0001);
    SAME(from(FP16, 2049.0f, &plain), 0x6800);
    SAME(from(FP16, 2051.0f, &plain), 0x6802);
    SAME(from(FP16, 0x1p-25f, &plain), 0x0000);
    SAME(from(FP16, -0x1.000002p-25f, &plain), 0x8001);
    SAME(from(FP16, 0x1.8p-24f, &plain), 0x0002);
    SAME(oracle_from_fp32(FP16, 0x00000001u, &plain), 0x0000);
    SAME(from(E4M3, 0x1p-10f, &fn), 0x00);
    SAME(from(E4M3, 0x1.000002p-10f, &fn), 0x01); /* just above half the smallest subnormal is not flushed */
    SAME(from(E4M3, -0x1p-11f, &plain), 0x80);
    SAME(from(E5M2, 0x1.8p-17f, &plain), 0x01);
    SAME(from(E5M2, 1.125f, &plain), 0x3c);
    SAME(from(E5M2, 1.375f, &plain), 0x3e);
    SAME(from(E3M4, 1.03125f, &plain), 0x30);
    SAME(oracle_from_fp32(FP32R, 0x3f800800u, &plain), 0x3f800000u);
    SAME(oracle_from_fp32(FP32R, 0x3f801800u, &plain), 0x3f802000u);
    SAME(oracle_from_fp32(FP32R, 0xbf800801u, &plain), 0xbf801000u);
    SAME(oracle_from_fp32(FP32R, 0x7f7fffffu, &plain), 0x7f800000u);
    SAME(oracle_from_fp32(FP32R, 0x3f801000u, &(oracle_settings){0, 0, 10, 0}), 0x3f800000u);
    SAME(oracle_from_fp32(FP32R, 0x3f800600u, &(oracle_settings){0, 0, 13, 0}), 0x3f800800u);
}

static void test_integers(void)
{
    SAME(from(I8, 2.5f, &plain), 2);
    SAME(from(I8, 3.5f, &plain), 4);
    SAME(from(I8, -2.5f, &plain), 0xfe);
    SAME(from(I8, -0.75f, &plain), 0xff);
    SAME(from(I8, 127.5f, &plain), 0x7f);
    SAME(from(I8, -1000.0f, &plain), 0x80);
    SAME(from(U8, 255.4f, &plain), 0xff);
    SAME(from(U8, 254.5f, &plain), 0xfe);
    SAME(from(U8, -3.0f, &plain), 0);
    SAME(from(U16, 65535.5f, &plain), 0xffff);
    SAME(from(I32, 2147483648.0f, &plain), 0x7fffffffu);
    SAME(from(I32, -2147483648.0f, &plain), 0x80000000u);
    SAME(from(U32, 4294967040.0f, &plain), 0xffffff00u);
    SAME(oracle_from_fp32(U32, 0x7f800000u, &plain), 0xffffffffu);
    SAME(oracle_from_fp32(I16, 0xff800000u, &plain), 0x8000);
    SAME(oracle_to_fp32(I32, 16777217u, &plain), fp32(16777216.0f));
    SAME(oracle_to_fp32(U32, 0xffffffffu, &plain), fp32(4294967296.0f));
    SAME(oracle_to_fp32(I8, 0x80, &plain), fp32(-128.0f));
    SAME(oracle_to_fp32(I16, 0xffff, &plain), fp32(-1.0f));
    SAME(oracle_convert(I32, I32, 16777217u, &plain), 16777217u);
    SAME(oracle_convert(I32, U8, 0xffffffffu, &plain), 0);
    SAME(oracle_to_fp32(0xc, 5, &plain), 0);
}

/* Every code of every small format survives the way to fp32 and back, apart from NaN. */
static void test_round_trips(void)
{
    static const unsigned narrow[] = {E3M4, E4M3, E5M2, BF16, FP16, I8, U8, I16, U16};
    unsigned broken = 0;

    for (unsigned d = 0; d < sizeof narrow / sizeof *narrow; d++) {
        uint32_t codes = narrow[d] >= E3M4 || narrow[d] <= U8 ? 256 : 65536;

        for (uint32_t code = 0; code < codes; code++) {
            uint32_t wide = oracle_to_fp32(narrow[d], code, &plain);

            if ((wide & 0x7fffffffu) <= 0x7f800000u && oracle_from_fp32(narrow[d], wide, NULL) != code)
                broken++;
        }
    }
    SAME(broken, 0);
}

static void test_arithmetic(void)
{
    const uint32_t one = fp32(1.0f), nan = 0xffc00001u, zero = 0, minus_zero = 0x80000000u;

    SAME(oracle_alu_fp32(0x00, nan, one), nan);
    SAME(oracle_alu_fp32(0x04, fp32(16777216.0f), one), fp32(16777216.0f));
    SAME(oracle_alu_fp32(0x04, 0x7f800000u, 0xff800000u), 0x7fc00000u);
    SAME(oracle_alu_fp32(0x05, one, one), zero);
    SAME(oracle_alu_fp32(0x06, 0x00000001u, fp32(0.5f)), zero);
    SAME(oracle_alu_fp32(0x06, 0x00000003u, fp32(0.5f)), 2);
    SAME(oracle_alu_fp32(0x06, fp32(-1e30f), fp32(1e30f)), 0xff800000u);
    SAME(oracle_alu_fp32(0x08, nan, one), one);
    SAME(oracle_alu_fp32(0x09, one, nan), one);
    SAME(oracle_alu_fp32(0x08, nan, nan), 0x7fc00000u);
    SAME(oracle_alu_fp32(0x08, minus_zero, zero), minus_zero);
    SAME(oracle_alu_fp32(0x09, zero, minus_zero), zero);
    SAME(oracle_alu_fp32(0x0d, nan, one), one);
    SAME(oracle_alu_fp32(0x0f, one, minus_zero), one);
    SAME(oracle_alu_fp32(0x12, zero, minus_zero), one);
    SAME(oracle_alu_fp32(0x14, nan, nan), zero);
    SAME(oracle_alu_fp32(0x18, nan, nan), one);
    SAME(oracle_alu_fp32(0x16, fp32(-2.0f), one), one);
    SAME(oracle_alu_fp32(0x17, one, fp32(3.0f)), fp32(2.0f));
    SAME(oracle_alu_fp32(0x19, fp32(-3.0f), zero), fp32(3.0f));
    SAME(oracle_alu_fp32(0x20, fp32(-3.0f), fp32(2.0f)), fp32(3.0f));
    SAME(oracle_alu_fp32(0x21, nan, fp32(-2.0f)), fp32(2.0f));
    SAME(oracle_alu_fp32(0x22, fp32(-2.0f), zero), zero);
    SAME(oracle_alu_fp32(0x22, nan, zero), 0x7fc00000u);
    SAME(oracle_alu_fp32(0x23, fp32(-3.0f), zero), fp32(9.0f));
    SAME(oracle_alu_fp32(0x07, one, one), 0);
}

void oracle_selftest_check(int condition, const char *file, int line, const char *text)
{
    if (condition) {
        passed++;
        return;
    }
    failed++;
    printf("%s:%d: failed: %s\n", file, line, text);
}

int main(void)
{
    test_largest_and_smallest();
    test_nan_patterns();
    test_overflow();
    test_ties_and_subnormals();
    test_integers();
    test_round_trips();
    test_arithmetic();
    CHECK(!oracle_new(1, NULL));
    oracle_selftest_records();
    oracle_selftest_legal();
    oracle_selftest_accumulate();
    oracle_selftest_move();
    oracle_selftest_pool();
    oracle_selftest_legal_accumulate();
    oracle_selftest_legal_move();
    oracle_selftest_legal_pool();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
