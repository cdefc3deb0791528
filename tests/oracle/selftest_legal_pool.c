/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the pool engine's records, once kept and once broken. */
#include "selftest.h"

#define PARTITION 0x40000u

static void test_nonzero(void)
{
    nonzero(0xa, 16, 16, 0xffffffffu, 8);
    CHECK(oracle_is_legal(2, rec) == 0);
    for (int gen = 3; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(allowed(3, 12) == 128 && allowed(3, 13) == 2 && changed(3, 13, 0x8) == 1 && allowed(3, 14) == 1);
    CHECK(changed(3, 37, 1) == 0 && changed(3, 39, 1) == 0 && changed(3, 60, 1) == 0 && changed(3, 63, 1) == 0);
    CHECK(changed(3, 54, 8) == 0 && changed(3, 54, 10) == 0 && changed(3, 26, 9) == 0);
    CHECK(changed_field(3, 16, 4, 0x02000000u) == 0 && changed_field(3, 44, 4, 0x02000000u) == 0);
    CHECK(changed_field(3, 16, 4, 112 * PARTITION) == 1 && changed_field(3, 16, 4, 24 * PARTITION) == 0);
    CHECK(changed_field(3, 44, 4, 48 * PARTITION) == 1 && changed_field(3, 44, 4, 2) == 0);
    CHECK(changed(3, 15, 3) == 0 && changed(3, 36, 3) == 0 && changed_field(4, 16, 4, 0x20000200u) == 0);
    rec[15] = 1;
    CHECK(changed_field(3, 32, 4, 16 * PARTITION) == 1 && changed_field(3, 32, 4, 8 * PARTITION) == 0);
    CHECK(changed_field(3, 32, 4, 2) == 0);
    rec[36] = 2;
    CHECK(changed_field(3, 40, 4, 63) == 1 && changed_field(3, 40, 4, 64) == 0);
    put(rec + 40, 4, 1);
    put(rec + 16, 4, 96 * PARTITION);
    CHECK(changed(3, 12, 32) == 1 && changed(3, 12, 33) == 0);
    put(rec + 16, 4, 0x40000001u);
    CHECK(changed(3, 54, 77) == 1);
}

static void test_pool_load(void)
{
    pool_load(5, 16, 512, 512);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(changed(3, 33, 1) == 0 && changed(3, 35, 1) == 0 && changed(3, 39, 1) == 0 && changed(3, 48, 1) == 0);
    CHECK(changed(3, 63, 1) == 0 && allowed(3, 32) == 12 && changed(3, 32, 0xb) == 0 && allowed(3, 34) == 128);
    CHECK(changed_field(3, 24, 2, 513) == 0 && changed_field(3, 24, 2, 511) == 1);
    CHECK(changed_field(3, 12, 4, 0x02000000u) == 0 && changed_field(3, 12, 4, 112 * PARTITION) == 1);
    CHECK(changed_field(3, 12, 4, 8 * PARTITION) == 0 && changed_field(3, 40, 4, 77) == 1);
    put(rec + 12, 4, 112 * PARTITION);
    CHECK(changed(3, 34, 17) == 0);
}

static void test_gather(void)
{
    gather(5, 16, 1, 0xbeef, 8);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(allowed(3, 32) == 3 && changed(3, 32, 3) == 1 && changed(3, 32, 8) == 0);
    CHECK(changed(3, 33, 0xa) == 1 && changed(3, 33, 0xc) == 0 && changed(3, 33, 2) == 0); /* 0xbeef has two bytes */
    CHECK(allowed(3, 34) == 128 && changed(3, 35, 1) == 0 && allowed(3, 36) == 2 && allowed(3, 37) == 2);
    CHECK(changed(3, 38, 1) == 0 && changed(3, 39, 1) == 0 && changed(3, 42, 1) == 0 && changed(3, 41, 0) == 1);
    CHECK(changed(3, 24, 7) == 0 && changed(3, 56, 7) == 0);
    CHECK(changed_field(2, 12, 4, 0x02000000u) == 1 && changed_field(5, 12, 4, 0x02000000u) == 0);
    CHECK(changed_field(2, 12, 4, 8 * PARTITION) == 0 && changed_field(2, 44, 4, 16 * PARTITION) == 1);
    CHECK(changed_field(4, 12, 4, 0x20000200u) == 0);
}

static void test_indirect_copy(void)
{
    indirect_copy(5, 2, 40);
    for (int gen = 2; gen <= 5; gen++)
        CHECK(oracle_is_legal(gen, rec) == 1);
    CHECK(changed(3, 15, 0) == 0 && changed(3, 15, 0x40) == 0 && changed(3, 15, 0x80) == 0);
    CHECK(changed(3, 15, 0x60) == 0 && changed(3, 15, 0xa0) == 0); /* the address is no register number */
    CHECK(changed_field(3, 12, 4, 0xa000003fu) == 1 && changed_field(3, 12, 4, 0xa0000040u) == 0);
    CHECK(changed(3, 12, 2) == 0 && changed(3, 12, 4) == 1 && changed(3, 16, 1) == 0 && changed(3, 16, 2) == 1);
    CHECK(changed(3, 19, 0x20) == 0 && changed(3, 19, 0x80) == 0);
    CHECK(changed_field(3, 20, 2, 0) == 0 && changed_field(3, 20, 2, 8193) == 1 && changed_field(3, 20, 2, 8194) == 0);
    CHECK(changed(3, 31, 7) == 1);
    CHECK(changed_field(3, 12, 4, 0x22000200u) == 0 && changed_field(3, 16, 4, 0x02000000u) == 0);
    CHECK(changed_field(3, 12, 4, 0x20800200u) == 0 && changed_field(3, 16, 4, 32 * PARTITION) == 0);
    CHECK(changed_field(3, 44, 4, 0x02000000u) == 0 && changed_field(3, 44, 4, 96 * PARTITION) == 1);
    CHECK(changed_field(3, 44, 4, 16 * PARTITION) == 0 && changed_field(4, 44, 4, 0x20004000u) == 0);
    CHECK(changed(3, 32, 6) == 0 && changed(3, 33, 6) == 0);
    CHECK(allowed(3, 34) == 8 && changed(3, 34, 17) == 0 && allowed(3, 35) == 6 && changed(3, 35, 3) == 0);
    CHECK(changed(3, 36, 1) == 0 && changed(3, 37, 1) == 0 && changed(3, 42, 1) == 0 && changed(3, 43, 1) == 0);
    CHECK(changed_field(3, 38, 2, 1) == 0 && changed_field(3, 38, 2, 2) == 1 && changed(3, 40, 1) == 0);
    put(rec + 44, 4, 96 * PARTITION);
    CHECK(changed(3, 34, 32) == 1 && changed(3, 34, 48) == 0);
    rec[32] = rec[33] = 0xb;
    CHECK(oracle_is_legal(3, rec) == 0);
    rec[32] = rec[33] = 0xa;
    CHECK(oracle_is_legal(3, rec) == 1);
}

void oracle_selftest_legal_pool(void)
{
    test_nonzero();
    test_pool_load();
    test_gather();
    test_indirect_copy();
}
