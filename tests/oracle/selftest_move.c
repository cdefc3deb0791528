/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-made records of data movement. */
#include "selftest.h"

static void load_mask(oracle_machine *m, const uint8_t mask[32])
{
    blank(0x69);
    memcpy(rec + 32, mask, 32);
    CHECK(step(m) == ORACLE_DONE && memcmp(oracle_mask(m), mask, 32) == 0);
}

/* Partition p holds p, p + 128, p + 256, ... as u16. */
static void number_partitions(oracle_machine *m, unsigned count)
{
    for (unsigned p = 0; p < 128; p++)
        for (unsigned i = 0; i < count; i++)
            put(oracle_bytes(m, 0, p) + 2 * i, 2, p + 128 * i);
}

/* How many of the lanes hold what partition want[lane] held at first, elements 0 and 1. */
static unsigned hold(oracle_machine *m, uint32_t offset, unsigned lanes, const unsigned *want)
{
    unsigned good = 0;

    for (unsigned p = 0; p < lanes; p++) {
        const uint8_t *at = oracle_bytes(m, 0, p) + offset;

        good += get(at, 2) == want[p] && get(at + 2, 2) == want[p] + 128;
    }
    return good;
}

static void test_shuffle(void)
{
    oracle_machine *m = oracle_new(2, NULL);
    uint8_t mask[32] = {0};
    unsigned want[128];

    for (unsigned i = 0; i < 32; i++)
        CHECK(oracle_mask(m)[i] == i);
    number_partitions(m, 2);
    move(0x6a, 5, 5, 96, 0x4000, 2); /* the mask at power-on moves nothing about */
    for (unsigned p = 0; p < 128; p++)
        want[p] = p;
    CHECK(step(m) == ORACLE_DONE && hold(m, 0x4000, 96, want) == 96 && get(oracle_bytes(m, 0, 96) + 0x4000, 4) == 0);

    load_mask(m, mask); /* 32 zeros: the first partition of every quadrant */
    move(0x6a, 5, 5, 128, 0x4000, 2);
    for (unsigned p = 0; p < 128; p++)
        want[p] = p / 32 * 32;
    CHECK(step(m) == ORACLE_DONE && hold(m, 0x4000, 128, want) == 128);

    for (unsigned i = 0; i < 32; i++) /* rotation, in place, two lanes left alone */
        mask[i] = (uint8_t)((i + 31) % 32);
    mask[5] = 255;
    mask[9] = 0x20;
    load_mask(m, mask);
    move(0x6a, 5, 5, 64, 0, 2);
    for (unsigned p = 0; p < 128; p++)
        want[p] = p >= 64 || p % 32 == 5 || p % 32 == 9 ? p : p / 32 * 32 + (p + 31) % 32;
    CHECK(step(m) == ORACLE_DONE && hold(m, 0, 128, want) == 128);

    mask[0] = 0x3f; /* has bit 5 as well */
    mask[1] = 1;
    load_mask(m, mask);
    move(0x6a, 5, 5, 32, 0x01804000, 2); /* into another quadrant */
    CHECK(step(m) == ORACLE_DONE && get(oracle_bytes(m, 0, 97) + 0x4000, 2) == 0);
    CHECK(get(oracle_bytes(m, 0, 96) + 0x4000, 2) == 96); /* still from the 32 zeros */
    oracle_free(m);
}

/* Element e of partition p is p + 128 e; two tiles beside each other, two blocks below each other. */
static void test_transpose(void)
{
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t mask[32] = {0};
    unsigned good = 0;

    number_partitions(m, 64);
    move(0x6b, 5, 5, 32, 0x4000, 32);
    CHECK(step(m) == ORACLE_DONE);
    for (unsigned p = 0; p < 32; p++)
        for (unsigned e = 0; e < 32; e++)
            good += get(oracle_bytes(m, 0, p) + 0x4000 + 2 * e, 2) == e + 128 * p;
    CHECK(good == 1024 && get(oracle_bytes(m, 0, 32) + 0x4000, 2) == 0);

    move(0x6b, 5, 5, 64, 0x4000, 64);
    CHECK(step(m) == ORACLE_DONE);
    good = 0;
    for (unsigned p = 0; p < 64; p++)
        for (unsigned e = 0; e < 64; e++)
            good += get(oracle_bytes(m, 0, p) + 0x4000 + 2 * e, 2) ==
                    p / 32 * 32 + e % 32 + 128 * (e / 32 * 32 + p % 32);
    CHECK(good == 4096);

    for (unsigned i = 0; i < 32; i++)
        mask[i] = i < 7 ? 0 : 0x20;
    load_mask(m, mask);
    move(0x6b, 5, 5, 32, 0, 32); /* in place, masked: seven output partitions; a destination of 9 elements */
    rec[38] = 1;
    put(rec + 56, 2, 9);
    CHECK(step(m) == ORACLE_DONE);
    CHECK(get(oracle_bytes(m, 0, 6), 2) == 6 * 128 && get(oracle_bytes(m, 0, 6) + 16, 2) == 8 + 6 * 128);
    CHECK(get(oracle_bytes(m, 0, 6) + 18, 2) == 6 + 9 * 128 && get(oracle_bytes(m, 0, 7) + 2, 2) == 7 + 128);
    oracle_free(m);
}

static void test_copies(void)
{
    static const uint32_t words[4] = {0xff812345u, 0x80000000u, 0x477fffffu, 0x00000001u};
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    for (unsigned i = 0; i < 4; i++)
        put(sbuf + 4 * i, 4, words[i]);
    move(0x46, 0xa, 0xa, 1, 0x4000, 4);
    CHECK(step(m) == ORACLE_DONE && memcmp(sbuf, sbuf + 0x4000, 16) == 0);
    move(0x47, 0xa, 0x7, 1, 0x4000, 4);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0x80007e00u && get(sbuf + 0x4004, 4) == 0x00007c00u);
    move(0x47, 0xa, 0xa, 1, 0x4000, 4);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == words[0]);
    move(0x47, 0x3, 0xa, 1, 0, 4); /* widening in place: the first result covers the next three inputs */
    CHECK(step(m) == ORACLE_DONE && get(sbuf, 4) == fp32(69.0f) && get(sbuf + 4, 4) == 0);
    begin(0x49, 0x5, 0, 2);
    pattern(44, 4, 0x6000, 2, 3);
    put(rec + 28, 4, 3);
    put(rec + 40, 4, 0xabcd);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x6000, 4) == 0xabcd && get(sbuf + 0x6008, 4) == 0xabcd);
    CHECK(get(oracle_bytes(m, 0, 1) + 0x6004, 4) == 0xabcd && get(oracle_bytes(m, 0, 2) + 0x6004, 4) == 0);
    begin(0x4d, 0x5, 0, 2);
    pattern(44, 4, 0x6000, 2, 3);
    put(rec + 28, 4, 3);
    CHECK(oracle_is_legal(3, rec) == 1 && step(m) == ORACLE_REFUSED);
    oracle_free(m);
}

static void test_predicated(void)
{
    oracle_machine *m = oracle_new(3, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    put(sbuf, 4, 0x00800001u);
    put(sbuf + 0x1000, 4, 0xff800001u);
    put(sbuf + 0x1004, 4, fp32(2.0f));
    put(sbuf + 0x1008, 4, fp32(2.5f));
    memset(sbuf + 0x4000, 0x11, 16);
    predicated(0x72, 0xa, 0xa, 3);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0xff800001u && get(sbuf + 0x4004, 4) == 0x11111111u);
    CHECK(get(sbuf + 0x4008, 4) == fp32(2.5f) && get(sbuf + 0x400c, 4) == 0x11111111u);
    memset(sbuf + 0x4000, 0x11, 16);
    predicated(0x99, 0xa, 0x4, 3);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0x11118000u && get(sbuf + 0x4004, 2) == 2);
    predicated(0x99, 0xa, 0x6, 1);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 2) == 0x7fc0);

    memset(sbuf + 0x4000, 0x11, 16);
    pred_scalar(0x6, 0, 0xbeef, 3); /* false writes */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0xbeef1111u && get(sbuf + 0x4004, 2) == 0x1111);
    memset(sbuf + 0x4000, 0x11, 16);
    pred_scalar(0x6, 1, 0xbeef, 3); /* true writes */
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 0x1111beefu && get(sbuf + 0x4004, 2) == 0xbeef);
    rec[43] = 1;
    put(rec + 44, 4, 0x1004);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4004, 2) == 0);
    rec[43] = 2;
    put(rec + 44, 4, 9);
    oracle_set_register(m, 9, 0x1006);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4004, 2) == 0x4000);
    oracle_set_register(m, 9, 0x1007); /* two bytes want an even address */
    CHECK(step(m) == ORACLE_REFUSED);
    oracle_free(m);
}

static void test_scalar_select(void)
{
    oracle_machine *m = oracle_new(5, NULL);
    uint8_t *sbuf = oracle_bytes(m, 0, 0);

    put(sbuf + 0x1000, 4, 0x7fabcdefu);
    put(sbuf + 0x2000, 4, 0x100);
    for (unsigned reversed = 0; reversed < 2; reversed++)
        for (unsigned pred = 0; pred < 2; pred++) {
            ts_select(0xa, 0x9, (uint8_t)reversed, 0xfff00001u, 1);
            put(rec + 44, 4, pred);
            CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == (pred != reversed ? 0x7fabcdefu : 0xfff00001u));
        }
    ts_select(0xa, 0x8, 0, 0x1000, 1);
    rec[38] = rec[39] = 1;
    put(rec + 44, 4, 0x2000); /* any integer is true */
    put(sbuf + 0x1000, 4, 5);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 5);
    put(sbuf + 0x2000, 4, 0);
    put(rec + 40, 4, 0x2004);
    put(sbuf + 0x2004, 4, 6);
    CHECK(step(m) == ORACLE_DONE && get(sbuf + 0x4000, 4) == 6);
    oracle_free(m);
}

void oracle_selftest_move(void)
{
    test_shuffle();
    test_transpose();
    test_copies();
    test_predicated();
    test_scalar_select();
}
