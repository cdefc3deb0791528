/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-made records, legal and illegal. */
#include "selftest.h"

static void test_common_rules(void)
{
    search(0x6c, 11);
    CHECK(oracle_is_legal(2, rec) == 1 && oracle_is_legal(5, rec) == 1 && oracle_is_legal(6, rec) == -1);
    CHECK(changed(3, 0, 0x43) == -1);
    CHECK(changed(3, 1, 17) == 0);
    CHECK(changed(3, 2, 9) == 1 && changed(3, 3, 255) == 1);
    CHECK(changed(3, 4, 0x85) == 1 && changed(3, 4, 0x86) == 0 && changed(3, 4, 0xff) == 0 && changed(3, 4, 0x0e) == 1);
    CHECK(changed(3, 6, 0x99) == 1 && changed(3, 6, 0x06) == 0 && changed(3, 6, 0xff) == 0 && changed(3, 6, 0x87) == 1);
    CHECK(changed(3, 34, 0) == 0 && changed(3, 34, 128) == 1 && changed(3, 34, 129) == 0);
    CHECK(changed(3, 35, 1) == 0 && changed(3, 63, 1) == 0);
    CHECK(changed(3, 32, 0xb) == 0 && changed(3, 33, 0xb) == 1 && changed(3, 32, 0xc) == 0 && changed(3, 33, 1) == 0);
    CHECK(changed(3, 43, 0x80) == 1 && changed(3, 40, 1) == 0);
    CHECK(changed(3, 15, 0x20) == 0 && changed(3, 15, 0x60) == 0);
    CHECK(changed(3, 15, 0xa0) == 0 && changed(3, 15, 0xe0) == 0);
    CHECK(changed(3, 15, 0x80) == 1 && changed(3, 15, 0x40) == 1 && changed(3, 15, 0xc0) == 1);
    CHECK(changed(3, 15, 0x81) == 0 && changed(3, 15, 0x04) == 0);
    CHECK(changed(3, 24, 7) == 0 && changed(3, 24, 0) == 0 && changed(3, 56, 9) == 0);
    put(rec + 12, 4, 0x8000003fu);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 12, 64) == 0 && changed(3, 24, 7) == 0);
    put(rec + 12, 4, 0xc000003fu);
    CHECK(changed(3, 24, 7) == 1 && changed(3, 24, 0) == 1);
}

static void test_addresses(void)
{
    search(0x6e, 11);
    CHECK(changed(3, 12, 2) == 0); /* alignment */
    CHECK(changed(3, 14, 4) == 0); /* partition 1 */
    put(rec + 12, 4, 0x00800000u);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 34, 33) == 0);
    put(rec + 12, 4, 0x01000000u);
    CHECK(changed(3, 34, 64) == 1 && changed(3, 34, 65) == 0);
    put(rec + 12, 4, 192 * 1024 - 44);
    CHECK(oracle_is_legal(2, rec) == 1);
    put(rec + 12, 4, 192 * 1024 - 40);
    CHECK(oracle_is_legal(2, rec) == 0 && oracle_is_legal(3, rec) == 1);
    put(rec + 12, 4, 256 * 1024 - 44);
    CHECK(oracle_is_legal(3, rec) == 0 && oracle_is_legal(4, rec) == 1 && oracle_is_legal(5, rec) == 1);
    put(rec + 12, 4, 0);
    put(rec + 48, 4, 0x02100000u);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 33, 0x5) == 0); /* PSUM takes 4-byte writes only */
    put(rec + 48, 4, 0x02104000u);
    CHECK(oracle_is_legal(3, rec) == 0);
    put(rec + 48, 4, 0x02400000u);
    CHECK(oracle_is_legal(3, rec) == 0);
    pattern(48, 2, 24, -1, 8); /* one element before the start */
    CHECK(oracle_is_legal(3, rec) == 0);
    pattern(48, 2, 28, -1, 8);
    CHECK(oracle_is_legal(3, rec) == 1);
}

static void test_formats(void)
{
    load_keys(0, 1);
    CHECK(oracle_is_legal(2, rec) == 1 && changed(2, 28, 1) == 0 && changed(2, 47, 1) == 0 && changed(2, 48, 1) == 0);
    CHECK(changed(2, 24, 7) == 0 && changed(2, 33, 1) == 0 && changed(2, 12, 1) == 0);
    read_indices(0, 1);
    CHECK(oracle_is_legal(2, rec) == 0 && oracle_is_legal(3, rec) == 1);
    CHECK(changed(3, 28, 9) == 0 && changed(3, 32, 0x8) == 0 && changed(3, 40, 1) == 0 && changed(3, 36, 1) == 0);
    replace(0x4000, 11);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 32, 0x2) == 0 && changed(3, 56, 10) == 0);
    CHECK(changed(3, 43, 0) == 1);
    pattern(12, 4, 0, 0, 16385);
    pattern(44, 4, 0, 0, 16385);
    CHECK(oracle_is_legal(3, rec) == 0);
    begin(0x49, 0x6, 0, 128);
    pattern(44, 4, 0, 1, 5);
    put(rec + 28, 4, 5);
    put(rec + 40, 4, 0xffff);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 42, 1) == 0 && changed(3, 28, 4) == 0 && changed(3, 32, 0xb) == 1);
    begin(0x9b, 0xf, 1, 128);
    pattern(44, 1, 0, 1, 1);
    put(rec + 28, 4, 1);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 33, 2) == 0 && changed(3, 32, 0x8) == 0 && changed(3, 50, 2) == 0);
    CHECK(changed(3, 0, 0x24) == 0);
    rec[33] = 0;
    rec[32] = 0xb;
    CHECK(changed(5, 0, 0x24) == 1);
    begin(0x82, 0xa, 0xa, 32);
    pattern(12, 4, 0, 1, 64);
    pattern(48, 2, 0, 1, 6);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 34, 33) == 0 && changed(3, 24, 65) == 0);
    CHECK(changed(3, 0, 0x61) == 1 && changed(3, 33, 0x9) == 0);
    put(rec + 44, 4, 0x7f800000u);
    CHECK(oracle_is_legal(3, rec) == 0);
    begin(0x64, 0xa, 0, 128);
    pattern(16, 2, 0, 1, 3);
    CHECK(oracle_is_legal(3, rec) == 1 && changed(3, 44, 2) == 0 && changed(3, 46, 4) == 0 && changed(3, 48, 3) == 0);
    CHECK(changed(3, 48, 1) == 1 && changed(3, 24, 4) == 0 && changed(3, 32, 0x8) == 0);
    rec[48] = 2;
    CHECK(changed(3, 44, 63) == 1 && changed(3, 44, 64) == 0 && changed(3, 47, 0x80) == 0);
}

void oracle_selftest_legal(void)
{
    test_common_rules();
    test_addresses();
    test_formats();
}
