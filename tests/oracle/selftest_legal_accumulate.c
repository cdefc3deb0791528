/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the accumulator family, once kept and once broken. */
#include "selftest.h"

/* Source selector and word of an fp32 immediate that the record has inline. */
static void test_immediate(int gen, unsigned source, unsigned word)
{
    uint8_t kept[64];

    memcpy(kept, rec, sizeof kept);
    CHECK(changed_field(gen, word, 4, 0x7fc00001u) == 1);
    CHECK(changed(gen, source, 3) == 0 && changed(gen, source, 9) == 0);
    rec[source] = 1;
    CHECK(changed_field(gen, word, 4, 0x01001000u) == 1 && changed_field(gen, word, 4, 0x01001002u) == 0);
    CHECK(changed_field(gen, word, 4, 0x01041000u) == 0 && changed_field(gen, word, 4, 0x02100000u) == 1);
    CHECK(changed_field(gen, word, 4, 0x02104000u) == 0 && changed_field(gen, word, 4, 0x02400000u) == 0);
    CHECK(changed_field(gen, word, 4, 0x80000001u) == 0 && changed_field(gen, word, 4, 0x40000001u) == 0);
    rec[source] = 2;
    CHECK(changed_field(gen, word, 4, 63) == 1 && changed_field(gen, word, 4, 64) == 0);
    CHECK(changed_field(gen, word, 4, 0x80000001u) == 0 && changed_field(gen, word, 4, 0x101) == 0);
    memcpy(rec, kept, sizeof kept);
}

/* An operand of 4-byte elements that may be indirect from gen4 on. */
static void test_indirect(unsigned at)
{
    uint8_t kept[64];

    memcpy(kept, rec, sizeof kept);
    put(rec + at, 4, 0x20000200u);
    put(rec + at + 4, 4, 0x00003000u);
    put(rec + at + 8, 2, 5);
    CHECK(oracle_is_legal(3, rec) == 0 && oracle_is_legal(4, rec) == 1 && oracle_is_legal(5, rec) == 1);
    CHECK(changed_field(4, at + 8, 2, 0) == 0);
    CHECK(changed(4, at, 2) == 0);                              /* the index address has 4 bytes */
    CHECK(changed(4, at + 4, 2) == 0);                          /* as the elements have */
    CHECK(changed(4, at + 7, 0x20) == 0 && changed(4, at + 7, 0x80) == 0);
    CHECK(changed_field(4, at, 4, 0x20800200u) == 0);           /* another quadrant than the data */
    CHECK(changed_field(4, at + 4, 4, 0x02100000u) == 1);       /* but PSUM goes with any */
    CHECK(changed_field(4, at, 4, 0x22000200u) == 0);           /* index in PSUM, data in SBUF */
    CHECK(changed_field(4, at, 4, 0xa000003fu) == 1 && changed_field(4, at, 4, 0xa0000040u) == 0);
    CHECK(changed_field(4, at, 4, 0xa0000140u) == 0 && changed_field(4, at, 4, 0x60000200u) == 0);
    CHECK(changed_field(4, at, 4, 0x20040200u) == 0 && changed_field(4, at + 4, 4, 0x00043000u) == 0);
    memcpy(rec, kept, sizeof kept);
}

static void test_cache(void)
{
    cache(0x9a, 3, 0x04, 1.0f, 0x04, 8);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1 && changed(gen, 0, 0xe6) == 1);
    CHECK(oracle_is_legal(1, rec) == -1 && changed(3, 0, 0x43) == -1);
    CHECK(changed(3, 1, 17) == 0 && changed(3, 4, 8) == 0);
    CHECK(allowed(3, 12) == 3 && changed(3, 12, 2) == 1 && changed(3, 12, 4) == 1 && changed(3, 12, 0) == 0);
    CHECK(changed(3, 13, 1) == 0 && changed(3, 15, 1) == 0 && allowed(3, 38) == 1);
    put(rec + 16, 4, 0x1000);
    CHECK(allowed(3, 32) == 10 && changed(3, 32, 0x8) == 0 && changed(3, 32, 0xb) == 0 && changed(3, 32, 0x5) == 1);
    CHECK(allowed(3, 33) == 13 && changed(3, 33, 0x8) == 1 && changed(3, 33, 0xb) == 1 && changed(3, 33, 0xc) == 0);
    CHECK(allowed(3, 34) == 128 && changed(3, 34, 0) == 0);
    CHECK(allowed(2, 36) == 17 && allowed(4, 36) == 21 && changed(3, 36, 0x23) == 0 && changed(3, 36, 0x07) == 0);
    CHECK(allowed(4, 37) == 5 && changed(3, 37, 0) == 0 && changed(3, 37, 0x09) == 1);
    CHECK(changed(3, 39, 1) == 0 && changed(3, 44, 1) == 0 && changed(3, 47, 0x80) == 0);
    CHECK(changed(3, 26, 7) == 0 && changed(3, 58, 9) == 0 && changed(3, 26, 0) == 0);
    CHECK(changed_field(3, 48, 4, 0x02000000u) == 1 && changed_field(3, 48, 4, 0x00040000u) == 0);
    CHECK(changed_field(3, 48, 4, 224 * 1024 - 28) == 0 && changed_field(3, 48, 4, 224 * 1024 - 32) == 1);
    rec[33] = 6;
    CHECK(changed_field(3, 48, 4, 0x02000000u) == 0 && changed_field(3, 16, 4, 0x02000000u) == 1);
    put(rec + 16, 4, 0x40000001u); /* a count that nobody knows matches any */
    CHECK(changed(3, 58, 9) == 1);
    cache(0xe6, 4, 0x04, 1.0f, 0x04, 8);
    test_immediate(3, 35, 40);
    test_immediate(2, 39, 44);
    test_indirect(16);
    test_indirect(48);
}

static void test_scan(void)
{
    two_sources(0xe5, 0x06, 0x04, 0xaa, 1.0f, 8);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(allowed(3, 36) == 17 && allowed(3, 37) == 17 && allowed(5, 36) == 21 && changed(3, 37, 0) == 1);
    CHECK(allowed(3, 38) == 4 && allowed(3, 42) == 128 && allowed(3, 43) == 1 && allowed(3, 44) == 1);
    CHECK(changed(3, 45, 1) == 0 && changed(3, 47, 1) == 0);
    CHECK(allowed(3, 40) == 144 && changed(3, 40, 0x89) == 1 && changed(3, 40, 0xab) == 0 && changed(3, 40, 0xba) == 0);
    CHECK(allowed(3, 41) == 13 && changed(3, 41, 0xb) == 1);
    CHECK(changed(3, 20, 7) == 0 && changed(3, 32, 7) == 0 && changed(3, 56, 7) == 0);
    CHECK(changed_field(3, 24, 4, 0x00801000u) == 0); /* both in SBUF, not in one quadrant */
    CHECK(changed_field(3, 24, 4, 0x02001000u) == 1); /* one in PSUM */
    CHECK(changed_field(3, 24, 4, 0x80000001u) == 1 && changed_field(3, 48, 4, 0x01800000u) == 1);
    put(rec + 12, 4, 0x00800000u);
    CHECK(changed_field(3, 24, 4, 0x00801000u) == 1 && changed_field(3, 24, 4, 0x02001000u) == 1);
    put(rec + 12, 4, 0x02000000u);
    CHECK(changed_field(3, 24, 4, 0x02001000u) == 0 && changed_field(3, 24, 4, 0x40000000u) == 1);
    CHECK(changed_field(5, 12, 4, 0x20000200u) == 0); /* two dimensions have no indirect form */
    test_immediate(4, 39, 60);
}

static void test_select(void)
{
    two_sources(0xea, 0x00, 0x08, 0xa3, 1.0f, 8);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(allowed(3, 36) == 1 && allowed(3, 37) == 1 && allowed(3, 38) == 2 && changed(3, 38, 1) == 1);
    CHECK(allowed(3, 44) == 3 && changed(3, 44, 1) == 0 && changed(3, 44, 4) == 0 && changed(3, 44, 2) == 1);
    CHECK(allowed(3, 40) == 60 && changed(3, 40, 0xaa) == 0 && changed(3, 40, 0x83) == 0 && changed(3, 40, 0x98) == 0);
    CHECK(allowed(3, 41) == 13 && allowed(3, 43) == 1 && changed(3, 46, 1) == 0 && changed(3, 42, 129) == 0);
    CHECK(changed(3, 20, 7) == 0 && changed(3, 32, 7) == 0 && changed(3, 56, 7) == 0);
    CHECK(changed_field(3, 24, 4, 0x00801000u) == 0 && changed_field(3, 24, 4, 0x02001000u) == 1);
    test_immediate(3, 39, 60);
}

static void test_range(void)
{
    range(3, 100.0f, 101.0f, 104.0f, 8);
    CHECK(oracle_is_legal(2, rec) == 0);
    for (int gen = 3; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(allowed(3, 12) == 128 && allowed(3, 14) == 3 && changed(3, 14, 4) == 0 && allowed(3, 15) == 1);
    CHECK(allowed(3, 13) == 42 && changed(3, 13, 0xba) == 1 && changed(3, 13, 0xab) == 0 && changed(3, 13, 0xa8) == 0);
    CHECK(changed_field(3, 20, 4, 0xff800000u) == 0 && changed(3, 60, 1) == 0 && changed(3, 63, 1) == 0);
    CHECK(allowed(3, 36) == 5 && allowed(3, 37) == 5 && changed(3, 36, 0x18) == 0 && changed(3, 37, 0x12) == 1);
    CHECK(changed(3, 32, 7) == 0 && changed(3, 56, 7) == 0);
    CHECK(changed_field(3, 16, 4, fp32(100.5f)) == 0 && changed_field(3, 16, 4, fp32(-1.0f)) == 0);
    CHECK(changed_field(3, 16, 4, fp32(16777208.0f)) == 1 && changed_field(3, 16, 4, fp32(16777209.0f)) == 0);
    CHECK(changed_field(3, 16, 4, 0x7f800000u) == 0 && changed_field(3, 16, 4, 0x7fc00000u) == 0);
    CHECK(changed_field(3, 16, 4, 0x80000000u) == 1);
    put(rec + 24, 4, 0x40000000u);
    CHECK(changed_field(3, 16, 4, fp32(16777216.0f)) == 1 && changed_field(3, 16, 4, fp32(16777218.0f)) == 0);
    put(rec + 24, 4, 0);
    test_immediate(3, 38, 40);
    test_immediate(3, 39, 44);
}

void oracle_selftest_legal_accumulate(void)
{
    test_cache();
    test_scan();
    test_select();
    test_range();
}
