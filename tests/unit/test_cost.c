/* SPDX-License-Identifier: Apache-2.0 */
/* The cost model against what was measured on a chip (source HW_K): 64 rounds of max8, find_index8 and
 * match_replace8 over 128 rows on gen2, with a launch floor of 0.15 ms. The estimate claims 2 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <opendve/isa.h>

static uint64_t round_cycles(uint8_t gen, uint64_t n)
{
    return dve_cost_cycles(DVE_OPCODE_MAX8, gen, n) + 2 * dve_cost_cycles(DVE_OPCODE_MATCH_VALUE_LOAD, gen, 8) +
           dve_cost_cycles(DVE_OPCODE_FIND_INDEX8, gen, n) + dve_cost_cycles(DVE_OPCODE_MATCH_REPLACE8, gen, n);
}

static void test_measured_points(void **state)
{
    (void)state;
    static const struct {
        uint64_t n, measured_ns;
    } points[] = {{512, 350000}, {8192, 1680000}, {16384, 3100000}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        uint64_t ns = 150000 + 64 * round_cycles(2, points[i].n) * 1000 / dve_generation(2)->clock_mhz;
        assert_in_range(ns, points[i].measured_ns * 98 / 100, points[i].measured_ns * 102 / 100);
    }
}

static void test_fixed_parts(void **state)
{
    (void)state;
    assert_int_equal(dve_cost_cycles(DVE_OPCODE_MATCH_VALUE_LOAD, 3, 8), 64 + 130);
    assert_int_equal(dve_cost_cycles(DVE_OPCODE_MAX8, 3, 16384), 16384 + 64);
    assert_int_equal(dve_cost_cycles(DVE_OPCODE_MAX8, 4, 10), 64 + 64);
    assert_int_equal(dve_cost_cycles(DVE_OPCODE_MAX8, 5, 10), dve_cost_cycles(DVE_OPCODE_MAX8, 4, 10));
    assert_int_equal(dve_cost_cycles(DVE_OPCODE_HALT, 3, 10), 0);
    assert_int_equal(dve_cost_cycles(DVE_OPCODE_MAX8, 7, 10), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_measured_points),
        cmocka_unit_test(test_fixed_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
