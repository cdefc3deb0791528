/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-made records of the accumulator family. */
#include "selftest.h"

#define MINUS_ZERO 0x80000000u
#define QUIET 0x7fc00000u
#define MINUS_INF 0xff800000u
#define LOWEST 0xff7fffffu

/* s = 1 * s + x over three tiles of one row; the last column of a tile is the next one's start, per lane by pointer. */
static void test_running_sum(void)
{
    static const float rows[2][6] = {{1, 2, 3, 4, 5, 6}, {10, 0, -1, 0.5f, 2, 100}};
    static const float sums[2][6] = {{1, 3, 6, 10, 15, 21}, {10, 10, 9, 9.5f, 11.5f, 111.5f}};
    oracle_machine *m = oracle_new(2, NULL);

    for (unsigned lane = 0; lane < 2; lane++) {
        for (unsigned i = 0; i < 6; i++)
            put(oracle_bytes(m, 0, lane) + 4 * i, 4, fp32(1.0f));
        fill(oracle_bytes(m, 0, lane) + 0x1000, rows[lane], 6);
    }
    for (uint32_t tile = 0; tile < 3; tile++) {
        two_sources(0xe5, 0x06, 0x04, 0xaa, 0.0f, 2);
        rec[42] = 2;
        put(rec + 12, 4, 8 * tile);
        put(rec + 24, 4, 0x1000 + 8 * tile);
        put(rec + 48, 4, 0x4000 + 8 * tile);
        if (tile > 0) {
            rec[39] = tile == 2 ? 2 : 1; /* the last time the pointer comes from a register */
            put(rec + 60, 4, tile == 2 ? 7 : 0x4000 + 8 * tile - 4);
            oracle_set_register(m, 7, 0x4000 + 8 * tile - 4);
        }
        CHECK(step(m) == ORACLE_DONE);
    }
    for (unsigned lane = 0; lane < 2; lane++)
        CHECK(equal(oracle_bytes(m, 0, lane) + 0x4000, sums[lane], 6) == 6);
    oracle_set_register(m, 7, 0x02400000);
    CHECK(step(m) == ORACLE_REFUSED);
    oracle_free(m);
}

/* The four orders of the scan, a state that is not rounded, and Bypass. */
static void test_scan(void)
{
    static const float a[3] = {5, 7, 9}, b[3] = {1, 2, 3};
    static const float want[4][3] = {{2, 3, 3}, {-4, -13, -25}, {-2, -7, -13}, {4, 5, 7}};
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    fill(sbuf, a, 3);
    fill(sbuf + 0x1000, b, 3);
    for (uint8_t reverse = 0; reverse < 4; reverse++) {
        /* none: (a - s) - b; first: (s - a) - b; second: b - (a - s); both: b - (s - a) */
        two_sources(0xe5, 0x05, 0x05, 0xaa, 2.0f, 3);
        rec[38] = reverse;
        CHECK(step(m) == ORACLE_DONE && equal(sbuf + 0x4000, want[reverse], 3) == 3);
    }
    put(sbuf, 4, fp32(1.0f));
    put(sbuf + 4, 4, fp32(1.0f));
    put(sbuf + 0x1000, 4, fp32(0.003f));
    put(sbuf + 0x1004, 4, fp32(0.003f));
    two_sources(0xe5, 0x06, 0x04, 0xaa, 1.0f, 2); /* 1.003 shows as 1, but stays 1.003 for the sum */
    rec[41] = 0x6;
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 2) == 0x3f80 && get(sbuf + 0x4002, 2) == 0x3f81);
    two_sources(0xe5, 0x00, 0x00, 0x88, 1.0f, 1);
    rec[41] = 0x8;
    put(sbuf, 4, 16777217);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 16777216);
    two_sources(0xe5, 0x08, 0x04, 0xaa, -1.0f, 2); /* a NaN loses the maximum, not the sum */
    put(sbuf, 4, 0xffc00001u);
    put(sbuf + 4, 4, fp32(3.0f));
    put(sbuf + 0x1000, 4, 0);
    put(sbuf + 0x1004, 4, 0xff800001u);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == fp32(-1.0f) && get(sbuf + 0x4004, 4) == QUIET);
    oracle_free(m);
}

static void test_cache(void)
{
    static const float x[4] = {1, 4, 2, 8}, plus[4] = {2, 5, 3, 9}, scan[4] = {2, 3, 0, 9}, more[4] = {12, 17, 20, 29};
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    fill(sbuf, x, 4);
    cache(0x9a, 3, 0x04, 1.0f, 0x04, 4); /* element-wise result in memory, sum in the accumulator */
    CHECK(step(m) == ORACLE_DONE && equal(sbuf + 0x4000, plus, 4) == 4 && *oracle_accumulator(m, 0) == fp32(19.0f));
    drain(0x5000, 0xa, 1);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x5000, 4) == fp32(-19.0f) && *oracle_accumulator(m, 0) == fp32(19.0f));
    cache(0xe6, 3, 0x04, 1.0f, 0x05, 4); /* the new value minus the accumulator */
    CHECK(step(m) == ORACLE_DONE && equal(sbuf + 0x4000, scan, 4) == 4);
    cache(0xe6, 4, 0x04, 1.0f, 0x04, 4); /* load, then go on */
    put(rec + 44, 4, fp32(10.0f));
    CHECK(step(m) == ORACLE_DONE && equal(sbuf + 0x4000, more, 4) == 4);
    cache(0xe6, 2, 0x00, 0.0f, 0x08, 2);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == fp32(29.0f) && get(sbuf + 0x4004, 4) == fp32(29.0f));
    cache(0xe6, 3, 0x00, 0.0f, 0x06, 4);
    CHECK(step(m) == ORACLE_DONE && *oracle_accumulator(m, 0) == fp32(64.0f));
    cache(0xe6, 3, 0x00, 0.0f, 0x09, 4);
    CHECK(step(m) == ORACLE_DONE && *oracle_accumulator(m, 0) == fp32(1.0f));
    put(sbuf, 4, 0xffa00001u);
    cache(0xe6, 3, 0x00, 0.0f, 0x08, 1); /* the reset is minus infinity, which beats a NaN */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == MINUS_INF);
    cache(0x9a, 3, 0x00, 0.0f, 0x04, 1); /* Bypass keeps the bits of equal dtypes; the sum is the quiet NaN */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0xffa00001u && *oracle_accumulator(m, 0) == QUIET);
    rec[33] = 0x7;
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 2) == 0x7e00);
    rec[33] = 0xa;
    rec[36] = 0x04;
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == QUIET);
    drain(0x5000, 0x6, 1); /* no sign for a NaN */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x5000, 2) == 0x7fc0);
    put(sbuf, 4, 0);
    *oracle_accumulator(m, 0) = MINUS_ZERO;
    cache(0xe6, 2, 0x00, 0.0f, 0x08, 1); /* between zeros the new value stays: it is the first operand */
    CHECK(step(m) == ORACLE_DONE && *oracle_accumulator(m, 0) == 0);
    cache(0xe6, 3, 0x05, 300.0f, 0x04, 3); /* in place, one element on: each result is the next input */
    fill(sbuf, x, 4);
    put(rec + 48, 4, 4);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 4, 4) == fp32(-299.0f) && get(sbuf + 8, 4) == fp32(-898.0f));
    cache(0x9a, 3, 0x06, 2.0f, 0x08, 4); /* integers, saturated on the way out only */
    rec[32] = rec[33] = 0x2;
    put(sbuf, 4, 0x80e07f01u);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0x80c07f02u && *oracle_accumulator(m, 0) == fp32(254.0f));
    cache(0xe6, 3, 0x04, 0.0f, 0x04, 4);
    rec[38] = 1;
    CHECK(step(m) == ORACLE_ILLEGAL);
    oracle_free(m);
}

static void test_select_reduce(void)
{
    static const float data[4] = {3, -5, 9, 1}, picked[4] = {3, -2, -2, 1}, swapped[4] = {-2, -5, 9, -2};
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    put(sbuf, 4, 0xff000001u);
    fill(sbuf + 0x1000, data, 4);
    two_sources(0xea, 0, 8, 0xa3, -2.0f, 4);
    *oracle_accumulator(m, 0) = fp32(77.0f);
    CHECK(step(m) == ORACLE_DONE && equal(sbuf + 0x4000, picked, 4) == 4 && *oracle_accumulator(m, 0) == fp32(77.0f));
    rec[44] = 3;
    CHECK(step(m) == ORACLE_DONE && *oracle_accumulator(m, 0) == fp32(3.0f));
    rec[38] = 1;
    rec[44] = 2;
    CHECK(step(m) == ORACLE_DONE && equal(sbuf + 0x4000, swapped, 4) == 4 && *oracle_accumulator(m, 0) == fp32(9.0f));
    put(sbuf + 0x1004, 4, 0xff800123u); /* a NaN is moved, and loses the maximum */
    rec[44] = 3;
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4004, 4) == 0xff800123u && *oracle_accumulator(m, 0) == fp32(9.0f));
    rec[41] = 0x6;
    put(rec + 60, 4, 0xffc00001u); /* on_false NaN changes its dtype */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 2) == 0x7fc0 && get(sbuf + 0x4002, 2) == 0x7fc0);
    rec[39] = 1;
    put(rec + 60, 4, 0x100c);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 2) == 0x3f80);
    two_sources(0xea, 0, 8, 0x73, 0.5f, 2); /* the maximum is taken before rounding */
    rec[41] = 0x2;
    rec[44] = 3;
    put(sbuf, 2, 1);
    put(sbuf + 0x1000, 2, 0x3a00); /* 0.75 */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 2) == 1 && *oracle_accumulator(m, 0) == fp32(0.75f));
    oracle_free(m);
}

/* A chain over two tiles with one drain. */
static void test_range_select(void)
{
    static const float x[6] = {50, 4, 7, -3, 60, 70};
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    fill(sbuf, x, 6);
    range(3, 100.0f, 101.0f, 104.0f, 3); /* positions 100..102: 101 and 102 are inside */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == LOWEST && get(sbuf + 0x4004, 4) == fp32(4.0f));
    CHECK(*oracle_accumulator(m, 0) == fp32(7.0f));
    range(2, 103.0f, 101.0f, 104.0f, 3);
    put(rec + 24, 4, 12);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == fp32(-3.0f) && get(sbuf + 0x4008, 4) == LOWEST);
    drain(0x5000, 0x7, 0);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x5000, 2) == 0x4700); /* 7 */
    range(0, 0.0f, 0.0f, 0.0f, 3);
    rec[37] = 0x12;
    rec[39] = 1;
    put(rec + 44, 4, 0x2000);
    put(sbuf + 0x2000, 4, fp32(1.0f));
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == LOWEST && get(sbuf + 0x4004, 4) == fp32(4.0f));
    CHECK(*oracle_accumulator(m, 0) == fp32(7.0f));
    put(sbuf + 0x2000, 4, QUIET); /* a NaN bound holds for nothing; the fill is too low for narrow floats */
    rec[13] = 0x7a;
    rec[14] = 3;
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4002, 2) == 0xfc00 && *oracle_accumulator(m, 0) == LOWEST);
    put(sbuf, 4, MINUS_INF);
    range(3, 0.0f, 0.0f, 1.0f, 1);
    CHECK(step(m) == ORACLE_DONE && *oracle_accumulator(m, 0) == MINUS_INF);
    oracle_free(m);
}

static void test_hidden_by_partition(void)
{
    const oracle_settings by_partition = {0, 0, 0, 1};
    oracle_machine *m = oracle_new(4, &by_partition);

    put(oracle_bytes(m, 0, 33), 4, fp32(6.0f));
    cache(0x9a, 3, 0x23, 0.0f, 0x04, 1); /* square */
    rec[34] = 2;
    put(rec + 16, 4, 0x00800000);
    put(rec + 48, 4, 0x02000000);
    CHECK(step(m) == ORACLE_DONE && *oracle_accumulator(m, 33) == fp32(36.0f) && *oracle_accumulator(m, 1) == 0);
    CHECK(get(oracle_bytes(m, 1, 1), 4) == fp32(36.0f));
    cache(0x9a, 3, 0x00, 0.0f, 0x04, 1);
    put(rec + 16, 4, 0x20000000); /* an indirect source is legal, and not run */
    put(rec + 20, 4, 0x100);
    put(rec + 24, 2, 3);
    CHECK(oracle_is_legal(4, rec) == 1 && oracle_is_legal(3, rec) == 0 && step(m) == ORACLE_REFUSED);
    blank(0x24);
    rec[32] = 0xa;
    rec[34] = 1;
    put(rec + 28, 4, 1);
    pattern(44, 1, 0, 1, 1);
    CHECK(oracle_is_legal(4, rec) == 1 && step(m) == ORACLE_REFUSED);
    oracle_free(m);
}

void oracle_selftest_accumulate(void)
{
    test_running_sum();
    test_scan();
    test_cache();
    test_select_reduce();
    test_range_select();
    test_hidden_by_partition();
}
