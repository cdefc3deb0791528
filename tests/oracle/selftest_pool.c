/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-made records of the pool engine. */
#include "selftest.h"

static void test_nonzero(void)
{
    static const float row[8] = {0, 1, 1, 0, 0, 1, 0, 0};
    static const uint32_t want[9] = {17, 18, 21, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 3};
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    fill(sbuf, row, 8);
    fill(oracle_bytes(m, 0, 15), row, 8);
    put(sbuf + 16, 4, 0x80000000u);                  /* -0 is zero */
    put(oracle_bytes(m, 0, 16) + 8, 4, 0xffc00000u); /* a NaN is not */
    nonzero(0xa, 17, 16, 0xffffffffu, 8);
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned i = 0; i < 9; i++)
        CHECK(get(sbuf + 0x4000 + 4 * i, 4) == want[i]);
    CHECK(get(oracle_bytes(m, 0, 16) + 0x4000, 4) == 18 && get(oracle_bytes(m, 0, 16) + 0x4020, 4) == 1);
    CHECK(get(oracle_bytes(m, 0, 15) + 0x4000, 4) == 0);

    nonzero(0x8, 16, 0x7fffffffu, 0, 8); /* wraps; integers by bits: -0.0 is one of them */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0x80000000u && get(sbuf + 0x4020, 4) == 4);
    rec[15] = 1;
    put(rec + 32, 4, 0x3000);
    put(sbuf + 0x3000, 4, 100);
    rec[36] = 2;
    put(rec + 40, 4, 1);
    oracle_set_register(m, 1, 0x3004);
    put(sbuf + 0x3004, 4, 200);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 101 && get(sbuf + 0x401c, 4) == 200);
    nonzero(0x8, 32, 0, 0, 2); /* in place over the shifted lanes: all of them read before one writes */
    put(rec + 44, 4, 16 * 0x40000);
    put(sbuf + 4, 4, 1);
    put(oracle_bytes(m, 0, 16), 4, 1);
    put(oracle_bytes(m, 0, 16) + 4, 4, 1);
    CHECK(step(m) == ORACLE_DONE && get(oracle_bytes(m, 0, 16) + 8, 4) == 1 && get(oracle_bytes(m, 0, 32) + 8, 4) == 2);
    put(rec + 44, 4, 0x80000003u);
    oracle_set_register(m, 3, 0x02000000u); /* PSUM, at run time */
    CHECK(step(m) == ORACLE_REFUSED);
    oracle_free(m);
}

/* 600 elements in two chunks; the second one skips what the first one has written. */
static void test_gather(void)
{
    static const uint32_t indices[4] = {3, 511, 512, 599}, want[4] = {1003, 1511, 1512, 1599};
    oracle_machine *m = oracle_new(3, NULL);

    for (unsigned lane = 0; lane < 2; lane++) {
        for (unsigned i = 0; i < 600; i++)
            put(oracle_bytes(m, 0, lane) + 2 * i, 2, 1000 * (lane + 1) + i);
        for (unsigned i = 0; i < 4; i++)
            put(oracle_bytes(m, 0, lane) + 0x1000 + 4 * i, 4, indices[i]);
    }
    gather(5, 2, 0, 0xdead, 4); /* nothing is loaded: the immediate everywhere */
    CHECK(step(m) == ORACLE_DONE && get(oracle_bytes(m, 0, 1) + 0x4006, 2) == 0xdead);
    pool_load(5, 2, 0, 512);
    CHECK(step(m) == ORACLE_DONE && oracle_pool(m)->dtype == 5 && get(oracle_pool_bytes(m, 1) + 6, 2) == 2003);
    gather(5, 2, 0, 0xdead, 4);
    CHECK(step(m) == ORACLE_DONE && get(oracle_bytes(m, 0, 0) + 0x4002, 2) == 1511);
    CHECK(get(oracle_bytes(m, 0, 0) + 0x4004, 2) == 0xdead);
    pool_load(5, 2, 512, 88);
    put(rec + 12, 4, 1024);
    CHECK(step(m) == ORACLE_DONE && oracle_pool(m)->start_index == 512);
    gather(5, 2, 1, 0, 4);
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned i = 0; i < 4; i++) {
        CHECK(get(oracle_bytes(m, 0, 0) + 0x4000 + 2 * i, 2) == want[i]);
        CHECK(get(oracle_bytes(m, 0, 1) + 0x4000 + 2 * i, 2) == want[i] + 1000);
    }
    gather(9, 2, 1, 0, 4);
    CHECK(step(m) == ORACLE_REFUSED); /* the buffer holds two bytes an element */
    gather(5, 1, 0, 7, 4);
    rec[37] = 1;
    put(rec + 44, 4, 0x1000); /* over the indices: all of them are read first */
    CHECK(step(m) == ORACLE_DONE && get(oracle_bytes(m, 0, 0) + 0x1004, 4) == 0x063f05e8u);
    CHECK(oracle_pool(m)->dtype == 0);
    oracle_free(m);
}

/* Indices stand partition first: index j in partition j mod 16, column j div 16. */
static void test_indirect_copy(void)
{
    oracle_machine *m = oracle_new(2, NULL);
    unsigned good = 0;

    for (unsigned p = 0; p < 32; p++) {
        for (unsigned i = 0; i < 64; i++)
            put(oracle_bytes(m, 0, p) + 2 * i, 2, 256 * p + i);
        for (unsigned column = 0; column < 2; column++) {
            unsigned j = 16 * column + p % 16;

            put(oracle_bytes(m, 0, p) + 0x1000 + 2 * column, 2, p < 16 ? 2 * j : 62 - j);
        }
    }
    indirect_copy(5, 2, 40); /* twenty runs of two */
    rec[34] = 32;
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned p = 0; p < 32; p++)
        for (unsigned e = 0; e < 40; e++)
            good += get(oracle_bytes(m, 0, p) + 0x4000 + 2 * e, 2) ==
                    256 * p + (p < 16 ? 2 * (e / 2) : 62 - e / 2) + e % 2;
    CHECK(good == 32 * 40);
    put(rec + 12, 4, 0xa0000007u);
    oracle_set_register(m, 7, 0x1000);
    put(rec + 44, 4, 0); /* over the data: all of it is read first */
    CHECK(oracle_is_legal(2, rec) == 1 && step(m) == ORACLE_DONE);
    CHECK(get(oracle_bytes(m, 0, 16), 2) == 256 * 16 + 62 && get(oracle_bytes(m, 0, 16) + 78, 2) == 256 * 16 + 44);
    oracle_set_register(m, 7, 0x1002);
    CHECK(step(m) == ORACLE_REFUSED);
    indirect_copy(5, 2, 40);
    put(oracle_bytes(m, 0, 3) + 0x1000, 2, 0xffff);
    CHECK(step(m) == ORACLE_REFUSED);
    put(oracle_bytes(m, 0, 3) + 0x1000, 2, 62);
    CHECK(step(m) == ORACLE_DONE && get(oracle_bytes(m, 0, 1) + 0x400e, 2) == 256 + 63);
    put(oracle_bytes(m, 0, 3) + 0x1000, 2, 63);
    CHECK(step(m) == ORACLE_REFUSED);
    put(rec + 56, 2, 38);
    CHECK(oracle_is_legal(2, rec) == 1 && step(m) == ORACLE_REFUSED);
    oracle_free(m);
}

void oracle_selftest_pool(void)
{
    test_nonzero();
    test_gather();
    test_indirect_copy();
}
