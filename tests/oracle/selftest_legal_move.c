/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of data movement, once kept and once broken. */
#include "selftest.h"

static void test_mask(void)
{
    blank(0x69);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(allowed(3, 32) == 65 && allowed(3, 63) == 65 && changed(3, 40, 63) == 1 && changed(3, 40, 255) == 1);
    CHECK(changed(3, 40, 64) == 0 && changed(3, 40, 254) == 0);
    CHECK(changed(3, 12, 1) == 0 && changed(3, 13, 1) == 0 && changed(3, 14, 1) == 0 && changed(3, 31, 1) == 0);
    CHECK(changed(3, 1, 15) == 0 && changed(3, 6, 6) == 0);
}

static void test_moves(void)
{
    move(0x46, 0xa, 0xa, 7, 0x4000, 64);
    CHECK(oracle_is_legal(2, rec) == 1 && allowed(3, 34) == 128 && allowed(3, 32) == 1 && changed(3, 0, 0x48) == -1);
    CHECK(changed(3, 35, 1) == 0 && allowed(3, 36) == 1 && allowed(3, 37) == 2 && changed(3, 37, 2) == 1);
    CHECK(changed(3, 38, 1) == 0 && changed(3, 39, 1) == 0 && changed(3, 43, 1) == 0);
    CHECK(changed(3, 24, 63) == 0 && changed(3, 56, 63) == 0);
    rec[32] = rec[33] = 0xb;
    CHECK(oracle_is_legal(3, rec) == 0);
    rec[0] = 0x47;
    CHECK(oracle_is_legal(3, rec) == 0 && changed(3, 32, 0xa) == 1);
    CHECK(changed(3, 32, 0x2) == 1 && changed(3, 32, 0xc) == 0);
    rec[32] = 0x2;
    CHECK(allowed(3, 33) == 13 && changed(3, 38, 1) == 0 && changed(3, 24, 63) == 0);

    move(0x6a, 0x6, 0x6, 32, 0x4000, 50);
    CHECK(oracle_is_legal(2, rec) == 1 && allowed(3, 34) == 4 && changed(3, 34, 96) == 1 && changed(3, 34, 33) == 0);
    CHECK(allowed(3, 32) == 1 && allowed(3, 33) == 1 && allowed(3, 35) == 1 && allowed(3, 36) == 1);
    CHECK(allowed(3, 37) == 2 && allowed(3, 38) == 1 && changed(3, 41, 1) == 0);
    CHECK(changed(3, 24, 49) == 0 && changed(3, 56, 49) == 0);
    CHECK(changed_field(3, 44, 4, 0x00800000u) == 1 && changed_field(3, 44, 4, 0x00040000u) == 0);
    rec[34] = 64;
    CHECK(changed_field(3, 44, 4, 0x00800000u) == 0 && changed_field(3, 44, 4, 0x01000000u) == 1);
    rec[32] = rec[33] = 0xb;
    CHECK(oracle_is_legal(3, rec) == 0);
    rec[32] = rec[33] = 0x1;
    CHECK(oracle_is_legal(3, rec) == 0);

    move(0x6b, 0x9, 0x9, 32, 0x4000, 64);
    CHECK(oracle_is_legal(2, rec) == 1 && allowed(3, 34) == 4 && allowed(3, 38) == 2 && allowed(3, 37) == 2);
    CHECK(changed(3, 24, 63) == 0 && changed(3, 24, 32) == 0 && changed(3, 24, 96) == 1); /* multiples, dst 64 */
    CHECK(changed(3, 56, 63) == 1 && changed(3, 56, 65) == 0 && changed(3, 56, 1) == 1);
    CHECK(changed(3, 35, 1) == 0 && changed(3, 36, 4) == 0 && changed(3, 33, 0x8) == 0);
    put(rec + 26, 2, 3);
    put(rec + 24, 2, 32);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 26, 1) == 0);
    CHECK(changed_field(3, 12, 4, 0x20000200u) == 0);
    put(rec + 16, 4, 0x3000);
    put(rec + 20, 2, 3);
    CHECK(changed_field(4, 12, 4, 0x20000200u) == 1);
}

static void test_predicated(void)
{
    predicated(0x72, 0x6, 0x6, 8);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(allowed(3, 12) == 6 && changed(3, 12, 0x66) == 0 && changed(3, 12, 0x69) == 1 && changed(3, 12, 0x73) == 0);
    CHECK(allowed(3, 13) == 1 && allowed(3, 14) == 1 && allowed(3, 15) == 128);
    CHECK(changed(3, 26, 7) == 0 && changed(3, 42, 7) == 0 && changed(3, 58, 7) == 0);
    CHECK(changed_field(3, 32, 4, 0x00801000u) == 0 && changed_field(3, 32, 4, 0x02001000u) == 1);
    put(rec + 16, 4, 0x02000000u);
    CHECK(changed_field(3, 32, 4, 0x02001000u) == 0);
    put(rec + 16, 4, 0);
    CHECK(changed_field(3, 48, 4, 0x02000000u) == 0); /* two bytes into PSUM */
    rec[0] = 0x99;
    CHECK(allowed(3, 12) == 72 && allowed(3, 13) == 12 && changed(3, 13, 0xb) == 0 && changed(3, 13, 0xa) == 1);
    rec[13] = 0xb;
    CHECK(changed(3, 12, 0xb3) == 0);
    predicated(0x72, 0x6, 0x6, 8);
    put(rec + 32, 4, 0x20000200u); /* an indirect source is paired by its data */
    put(rec + 36, 4, 0x00003000u);
    put(rec + 40, 2, 3);
    CHECK(oracle_is_legal(3, rec) == 0 && oracle_is_legal(4, rec) == 1);
    CHECK(changed_field(4, 36, 4, 0x02000000u) == 1);
    put(rec + 16, 4, 0x00800000u);
    CHECK(oracle_is_legal(4, rec) == 0 && changed_field(4, 32, 4, 0xa0000001u) == 1);
}

static void test_pred_scalar(void)
{
    pred_scalar(0x6, 1, 0xbeef, 8);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(changed(3, 12, 1) == 0 && changed(3, 15, 1) == 0 && changed(3, 35, 1) == 0 && changed(3, 40, 1) == 0);
    CHECK(allowed(3, 32) == 6 && allowed(3, 33) == 2 && allowed(3, 34) == 128 && allowed(3, 41) == 1);
    CHECK(allowed(3, 42) == 1 && changed(3, 26, 7) == 0 && changed(3, 58, 7) == 0);
    CHECK(changed(3, 46, 1) == 0 && changed(3, 47, 1) == 0 && changed(3, 43, 3) == 0);
    rec[41] = rec[42] = 0xf;
    CHECK(oracle_is_legal(3, rec) == 0 && changed(3, 45, 0) == 1); /* one byte: 0xef */
    rec[41] = rec[42] = 0xb;
    CHECK(oracle_is_legal(3, rec) == 0);
    rec[41] = rec[42] = 0x6;
    rec[43] = 1;
    CHECK(changed_field(3, 44, 4, 0x1002) == 1 && changed_field(3, 44, 4, 0x1001) == 0);
    CHECK(changed_field(3, 44, 4, 0x00041002) == 0);
    rec[43] = 2;
    CHECK(changed_field(3, 44, 4, 63) == 1 && changed_field(3, 44, 4, 64) == 0);
    put(rec + 44, 4, 1);
    CHECK(changed_field(4, 48, 4, 0x20000200u) == 0);
    put(rec + 52, 4, 0x3000);
    put(rec + 56, 2, 3);
    CHECK(changed_field(4, 48, 4, 0x20000200u) == 1 && changed_field(3, 48, 4, 0x20000200u) == 0);
}

static void test_ts_select(void)
{
    ts_select(0x6, 0x5, 0, 0xbeef, 8);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(changed(3, 12, 1) == 0 && changed(3, 36, 1) == 0 && changed(3, 37, 1) == 0);
    CHECK(allowed(3, 32) == 2 && allowed(3, 33) == 128 && allowed(3, 34) == 4 && allowed(3, 35) == 2);
    CHECK(changed(3, 35, 0x6) == 0 && changed(3, 35, 0x9) == 0 && changed(3, 35, 0x4) == 1);
    CHECK(changed(3, 42, 1) == 0 && changed(3, 44, 1) == 1 && changed(3, 44, 2) == 0 && changed(3, 46, 1) == 0);
    CHECK(changed(3, 26, 7) == 0 && changed(3, 58, 7) == 0 && changed(3, 38, 3) == 0 && changed(3, 39, 3) == 0);
    CHECK(changed_field(5, 16, 4, 0x20000200u) == 0);
    rec[39] = 1;
    CHECK(changed_field(3, 44, 4, 0x2002) == 1 && changed_field(3, 44, 4, 0x2001) == 0);
    rec[39] = 2;
    CHECK(changed_field(3, 44, 4, 63) == 1 && changed_field(3, 44, 4, 64) == 0);
    put(rec + 44, 4, 0);
    rec[38] = 1;
    CHECK(changed_field(3, 40, 4, 0x2002) == 1 && changed_field(3, 40, 4, 0x2001) == 0);
    ts_select(0xb, 0x9, 0, 0, 8);
    CHECK(oracle_is_legal(3, rec) == 0 && changed(3, 34, 0xa) == 1);
}

void oracle_selftest_legal_move(void)
{
    test_mask();
    test_moves();
    test_predicated();
    test_pred_scalar();
    test_ts_select();
}
