/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-made records, run on the oracle's machine. */
#include "selftest.h"

static const float data[11] = {1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8};
static const float vals[8] = {3, 8, 8, 8, 8, 8, 8, 8};

static oracle_machine *loaded(int gen)
{
    oracle_machine *m = oracle_new(gen, NULL);

    for (unsigned i = 0; i < 11; i++)
        put(oracle_bytes(m, 0, 0) + 4 * i, 4, fp32(data[i]));
    for (unsigned i = 0; i < 8; i++)
        put(oracle_bytes(m, 0, 0) + 0x1000 + 4 * i, 4, fp32(vals[i]));
    return m;
}

/* The published vector: find_index8 ascending, match_replace8 descending over equal keys. */
static void test_published_vector(void)
{
    static const uint32_t ascending[8] = {2, 4, 5, 6, 7, 8, 9, 10}, descending[8] = {2, 10, 9, 8, 7, 6, 5, 4};
    oracle_machine *m = loaded(3);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    load_keys(0x1000 + 28, -1);
    CHECK(step(m) == ORACLE_DONE);
    CHECK(oracle_keys(m, 0)[0] == fp32(3.0f) && oracle_keys(m, 0)[7] == fp32(8.0f));
    search(0x6e, 11);
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned n = 0; n < 8; n++)
        CHECK(get(sbuf + 0x2000 + 4 * n, 4) == ascending[n] && oracle_flops(m, 0)[n] == ascending[n]);
    CHECK(*oracle_matched(m, 0) == 0xff);

    load_keys(0x1000, 1);
    CHECK(step(m) == ORACLE_DONE && *oracle_matched(m, 0) == 0);
    CHECK(oracle_keys(m, 0)[7] == fp32(3.0f));
    replace(0, 11); /* in place */
    CHECK(step(m) == ORACLE_DONE);
    CHECK(get(sbuf + 0, 4) == fp32(1.0f) && get(sbuf + 8, 4) == fp32(-7.0f) && get(sbuf + 40, 4) == fp32(-7.0f));
    CHECK(get(sbuf + 12, 4) == fp32(4.0f));
    read_indices(0x3000 + 28, -1);
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned n = 0; n < 8; n++)
        CHECK(get(sbuf + 0x3000 + 4 * n, 4) == descending[n]);
    oracle_free(m);
}

static void test_max8(void)
{
    oracle_machine *m = loaded(2);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    put(sbuf + 4, 4, 0x80000000u); /* 1 -0 +0 4 8... : the earlier zero ranks as the larger */
    put(sbuf + 8, 4, 0);
    put(sbuf + 24, 4, 0x7fc00000u);
    search(0x6c, 9);
    CHECK(step(m) == ORACLE_DONE); /* 1 -0 0 4 8 8 NaN 8 8: eight numbers, smallest first */
    CHECK(get(sbuf + 0x2000, 4) == 0 && get(sbuf + 0x2004, 4) == 0x80000000u);
    CHECK(get(sbuf + 0x2008, 4) == fp32(1.0f) && get(sbuf + 0x201c, 4) == fp32(8.0f));
    search(0x6c, 8);
    rec[33] = 0x6;
    CHECK(step(m) == ORACLE_DONE); /* seven numbers: one slot stays -inf, in bf16 */
    CHECK(get(sbuf + 0x2000, 2) == 0xff80 && get(sbuf + 0x2002, 2) == 0 && get(sbuf + 0x200e, 2) == 0x4100);
    oracle_free(m);
}

static void test_power_on(void)
{
    oracle_machine *m = loaded(3);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    memset(sbuf + 0x3000, 7, 64);
    search(0x6e, 11);
    rec[33] = 0x5;
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned n = 0; n < 8; n++)
        CHECK(get(sbuf + 0x2000 + 2 * n, 2) == 0xffff && oracle_flops(m, 0)[n] == 0xffffffffu);
    read_indices(0x3000, 1);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x301c, 4) == 0xffffffffu && get(sbuf + 0x3020, 4) == 0x07070707u);
    CHECK(*oracle_matched(m, 127) == 0 && oracle_flops(m, 127)[7] == 0xffffffffu);
    oracle_free(m);
}

/* A key consumed once stays consumed; the walk of overlapping operands reads what it has written. */
static void test_walking(void)
{
    oracle_machine *m = loaded(4);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    load_keys(0x1000, 1);
    CHECK(step(m) == ORACLE_DONE);
    search(0x6e, 11);
    CHECK(step(m) == ORACLE_DONE);
    replace(0x4000, 11);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000 + 8, 4) == fp32(3.0f) && oracle_flops(m, 0)[0] == 0xffffffffu);

    load_keys(0x1000, 1);
    CHECK(step(m) == ORACLE_DONE);
    replace(4, 10); /* each result lands on the element read next: 1 spreads */
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned i = 0; i < 11; i++)
        CHECK(get(sbuf + 4 * i, 4) == fp32(1.0f));

    put(sbuf, 4, 16777217);
    begin(0x6f, 0x8, 0x8, 1);
    pattern(12, 4, 0, 1, 1);
    pattern(44, 4, 0x5000, 1, 1);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x5000, 4) == 16777216);
    begin(0x6f, 0xa, 0x6, 1);
    put(sbuf, 4, 0xff800123u);
    pattern(12, 4, 0, 1, 1);
    pattern(44, 4, 0x5000, 1, 1);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x5000, 2) == 0x7fc0);
    oracle_free(m);
}

/* src: x fast with step -1, y with step 8, z a broadcast, w with step 64, over uint8; 2*2*2*2 elements, no keys. */
static void test_strided_walk(void)
{
    static const uint8_t want[16] = {101, 100, 109, 108, 101, 100, 109, 108, 165, 164, 173, 172, 165, 164, 173, 172};
    static const int steps[4] = {-1, 8, 0, 64};
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *src = oracle_bytes(m, 0, 33), *dst = oracle_bytes(m, 0, 65);

    for (unsigned i = 0; i < 256; i++)
        src[i] = (uint8_t)i;
    begin(0x6f, 0x3, 0x3, 2);
    put(rec + 12, 4, 0x00800000u + 101); /* partition 32 */
    pattern(44, 4, 0x01000000u + 7, 2, 16); /* partition 64, every other byte */
    for (unsigned d = 0; d < 4; d++) {
        put(rec + 16 + 2 * d, 2, (uint32_t)steps[d] & 0xffffu);
        put(rec + 24 + 2 * d, 2, 2);
    }
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned i = 0; i < 16; i++)
        CHECK(dst[7 + 2 * i] == want[i] && dst[8 + 2 * i] == 0);
    oracle_free(m);
}

static void test_registers_and_lanes(void)
{
    const oracle_settings by_partition = {0, 0, 0, 1};
    oracle_machine *m = oracle_new(3, &by_partition);

    put(oracle_bytes(m, 1, 96) + 4, 4, fp32(5.0f));
    load_keys(0x80000005u, 1);
    CHECK(oracle_is_legal(3, rec) == 1);
    oracle_set_register(m, 5, 0x02300004u); /* PSUM, partition 96 */
    CHECK(step(m) == ORACLE_DONE && oracle_keys(m, 96)[7] == fp32(5.0f) && oracle_keys(m, 0)[7] == 0x7fc00000u);
    oracle_set_register(m, 5, 0x02300002u);
    CHECK(step(m) == ORACLE_REFUSED);
    oracle_set_register(m, 5, 0x02300000u + 16384 - 28); /* the eighth value is past the end */
    CHECK(step(m) == ORACLE_REFUSED);
    oracle_set_register(m, 5, 0x80000005u);
    CHECK(step(m) == ORACLE_REFUSED);
    load_keys(0x40000005u, 1);
    rec[22] = rec[24] = 0; /* counts come from the shape register */
    CHECK(oracle_is_legal(3, rec) == 1 && step(m) == ORACLE_REFUSED);
    oracle_free(m);
}

static void test_topk(void)
{
    const uint32_t row[5] = {fp32(1.0f), 0x80000000u, fp32(3.0f), 0, fp32(3.0f)};
    static const uint32_t order[5] = {2, 4, 0, 1, 3};
    uint32_t values[6], positions[6];

    oracle_topk(row, 5, 6, values, positions);
    for (unsigned i = 0; i < 5; i++)
        CHECK(positions[i] == order[i] && values[i] == row[order[i]]);
    CHECK(positions[5] == 0xffffffffu && values[5] == 0xff800000u);
}

void oracle_selftest_records(void)
{
    test_published_vector();
    test_max8();
    test_power_on();
    test_walking();
    test_strided_walk();
    test_registers_and_lanes();
    test_topk();
}
