/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions and operators against the oracle's tables and exact doubles, bit for bit. */
#include "oracle.h"
#include "shard.h"
#include "test.h"
#include <opendve/isa.h>
#include <opendve/num.h>
#include <stdio.h>

static test_shard shard;

static const uint8_t dtypes[] = {
    DVE_DTYPE_INT8, DVE_DTYPE_UINT8, DVE_DTYPE_INT16, DVE_DTYPE_UINT16, DVE_DTYPE_BF16, DVE_DTYPE_FP16,
    DVE_DTYPE_INT32, DVE_DTYPE_UINT32, DVE_DTYPE_FP32, DVE_DTYPE_FP32R, DVE_DTYPE_FP8_E3M4, DVE_DTYPE_FP8_E4M3,
    DVE_DTYPE_FP8_E5M2,
};

/* One reading of the assumptions, in both notations. */
typedef struct reading {
    dve_num_config num;
    oracle_settings oracle;
} reading;

static const reading readings[] = {
    {{0, 0, 0, 0}, {0, 0, 0, 0}},   {{1, 0, 0, 0}, {1, 0, 0, 0}},   {{0, 1, 0, 0}, {0, 1, 0, 0}},
    {{1, 1, 0, 0}, {1, 1, 0, 0}},   {{0, 0, 10, 0}, {0, 0, 10, 0}}, {{0, 0, 13, 0}, {0, 0, 13, 0}},
    {{0, 0, 11, 0}, {0, 0, 11, 0}},
};

/* Whether a reading can make a difference for the type; the default always counts. */
static int matters(uint8_t dtype, const reading *r)
{
    int fp8 = dtype == DVE_DTYPE_FP8_E3M4 || dtype == DVE_DTYPE_FP8_E4M3 || dtype == DVE_DTYPE_FP8_E5M2;
    if (r->num.fp32r_bits)
        return dtype == DVE_DTYPE_FP32R;
    if (r->num.e4m3)
        return dtype == DVE_DTYPE_FP8_E4M3;
    return !r->num.fp8_overflow || fp8;
}

static void same(const char *what, unsigned dtype, const reading *r, uint32_t in, uint32_t got, uint32_t want)
{
    if (got != want)
        fail_msg("seed %llu, %s, dtype 0x%02x, fp8_overflow %u, e4m3 %u, fp32r %u: 0x%08x gives 0x%08x, the oracle 0x%08x",
                 (unsigned long long)shard.seed, what, dtype, r->num.fp8_overflow, r->num.e4m3, r->num.fp32r_bits, in,
                 got, want);
}

static void narrow(const reading *r, uint8_t dtype, uint32_t f32)
{
    uint32_t got = dve_num_from_f32(&r->num, dtype, f32);
    same("from fp32", dtype, r, f32, got, oracle_from_fp32(dtype, f32, &r->oracle));
    shard_saw(&shard, &got, sizeof got);
}

static void widen(const reading *r, uint8_t dtype, uint32_t bits)
{
    uint32_t got = dve_num_to_f32(&r->num, dtype, bits);
    same("to fp32", dtype, r, bits, got, oracle_to_fp32(dtype, bits, &r->oracle));
    shard_saw(&shard, &got, sizeof got);
}

/* 64 lower halves: both sides of every tie of every format, ends, and a few in between. */
static uint32_t lower_half(unsigned i)
{
    unsigned bit = i / 4;                        /* 0..15 */
    static const int beside[] = {-1, 0, 1};
    if (i % 4 == 3)
        return 0xffffu << bit & 0xffffu;
    return ((1u << bit) + (uint32_t)beside[i % 4]) & 0xffffu;
}

/* 2^22 patterns a type and reading: every upper half with every such lower half. */
static void fp32_sources(void **state)
{
    (void)state;
    for (size_t d = 0; d < LENGTH(dtypes); d++)
        for (size_t k = 0; k < LENGTH(readings); k++) {
            if (!matters(dtypes[d], &readings[k]))
                continue;
            test_random r = shard_random(&shard, d * 16 + k);
            for (uint32_t upper = 0; shard_fixed(&shard) && upper < 0x10000; upper++)
                for (unsigned i = 0; i < 64; i++)
                    narrow(&readings[k], dtypes[d], upper << 16 | lower_half(i));
            for (uint64_t i = 0; i < (shard.rounds << 16); i++)
                narrow(&readings[k], dtypes[d], random_bits(&r));
        }
}

static void narrow_codes(void **state)
{
    (void)state;
    for (size_t d = 0; shard_fixed(&shard) && d < LENGTH(dtypes); d++)
        for (size_t k = 0; k < LENGTH(readings); k++)
            for (uint32_t bits = 0; bits < 0x10000 && matters(dtypes[d], &readings[k]); bits++)
                widen(&readings[k], dtypes[d], bits);
}

static void wide_codes(void **state)
{
    (void)state;
    static const uint8_t wide[] = {DVE_DTYPE_INT32, DVE_DTYPE_UINT32, DVE_DTYPE_FP32, DVE_DTYPE_FP32R};
    for (size_t d = 0; d < LENGTH(wide); d++) {
        test_random r = shard_random(&shard, 300 + d);
        for (uint32_t upper = 0; shard_fixed(&shard) && upper < 0x10000; upper++)
            for (unsigned i = 0; i < 64; i++)
                widen(&readings[0], wide[d], upper << 16 | lower_half(i));
        for (uint64_t i = 0; i < (shard.rounds << 18); i++)
            widen(&readings[0], wide[d], random_bits(&r) >> random_below(&r, 24));
    }
}

/* Every pair of types: all codes of narrow sources, boundary and random words of wide ones. fp32r is no
 * source: it is an output only, and the two readings of a move of its NaN (R32: quiet; the oracle: as it
 * stands) cannot meet in a record. */
static void pairs(void **state)
{
    (void)state;
    for (size_t from = 0; from < LENGTH(dtypes); from++)
        for (size_t to = 0; to < LENGTH(dtypes); to++) {
            test_random r = shard_random(&shard, 400 + from * 16 + to);
            for (uint64_t i = 0; dtypes[from] != DVE_DTYPE_FP32R && i < (shard.rounds << 16); i++) {
                const reading *way = &readings[i % 3 ? i % LENGTH(readings) : 0];
                uint32_t size = dve_num_size(dtypes[from]);
                uint32_t bits = (uint32_t)i;
                if (size == 4)
                    bits = i % 2 ? random_bits(&r) : ((uint32_t)(i >> 1) << 17 | lower_half((unsigned)i / 2 % 64));
                uint32_t got = dve_num_convert(&way->num, dtypes[from], dtypes[to], bits);
                same("convert", (unsigned)dtypes[from] << 8 | dtypes[to], way, bits, got,
                     oracle_convert(dtypes[from], dtypes[to], bits, &way->oracle));
                shard_saw(&shard, &got, sizeof got);
            }
        }
}

static const uint32_t special[] = {
    0x00000000, 0x00000001, 0x00000002, 0x003fffff, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
    0x01000000, 0x1fffffff, 0x20000000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x40000000, 0x40490fdb,
    0x4b000000, 0x4b7fffff, 0x4b800000, 0x4b800001, 0x5f000000, 0x7e7fffff, 0x7e800000, 0x7f000000, 0x7f7ffffe,
    0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fa00000, 0x7fc00000, 0x7fffffff,
};

static void operate(uint8_t op, uint32_t a, uint32_t b)
{
    uint32_t got = dve_num_alu_f32(op, a, b), want = oracle_alu_fp32(op, a, b);
    if (got != want)
        fail_msg("seed %llu, operator 0x%02x of 0x%08x and 0x%08x gives 0x%08x, the oracle 0x%08x",
                 (unsigned long long)shard.seed, op, a, b, got, want);
    shard_saw(&shard, &got, sizeof got);
}

/* A number whose exponent is near the other's, so that sums round and cancel. */
static uint32_t near_by(test_random *r, uint32_t a)
{
    uint32_t b = random_bits(r), exponent = (a >> 23 & 0xff) + random_below(r, 64) - 32;
    return (b & 0x807fffff) | (exponent & 0xff) << 23;
}

static void operators(void **state)
{
    (void)state;
    unsigned known = 0;
    for (unsigned op = 0; op < 256; op++) {
        if (!dve_num_is_general_arith((uint8_t)op, 4))
            continue;
        known++;
        test_random r = shard_random(&shard, 1000 + op);
        for (size_t i = 0; i < 2 * LENGTH(special); i++)
            for (size_t j = 0; j < 2 * LENGTH(special); j++)
                operate((uint8_t)op, special[i / 2] | (uint32_t)(i % 2) << 31, special[j / 2] | (uint32_t)(j % 2) << 31);
        for (uint64_t i = 0; i < (shard.rounds << 18); i++) {
            uint32_t a = random_bits(&r);
            operate((uint8_t)op, a, i % 4 == 0 ? random_bits(&r) : i % 4 == 1 ? a ^ random_below(&r, 4) : near_by(&r, a));
        }
    }
    assert_int_equal(known, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_codes), cmocka_unit_test(wide_codes), cmocka_unit_test(fp32_sources),
        cmocka_unit_test(pairs),        cmocka_unit_test(operators),
    };
    shard_begin(&shard);
    int failed = cmocka_run_group_tests_name("conversions", tests, NULL, NULL);
    shard_report(&shard, "conversions");
    return failed;
}
