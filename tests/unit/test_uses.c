/* SPDX-License-Identifier: Apache-2.0 */
/* Which assumptions a result depends on, spelt out here a second time: a row that goes missing in
 * isa/assumptions.def would otherwise only make reports say less. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <opendve/isa.h>

#define A(id) ((dve_assumption_set)1 << DVE_ASSUMPTION_##id)

static void test_opcodes(void **state)
{
    (void)state;
    static const struct {
        uint8_t opcode;
        dve_assumption_set used;
    } rows[] = {
        {DVE_OPCODE_MAX8, A(search_special_values)},
        {DVE_OPCODE_MATCH_VALUE_LOAD, A(hidden_state)},
        {DVE_OPCODE_FIND_INDEX8, A(search_special_values) | A(hidden_state) | A(find_index8_flops)},
        {DVE_OPCODE_MATCH_REPLACE8, A(search_special_values) | A(hidden_state) | A(unmatched_flop)},
        {DVE_OPCODE_DVE_READ_INDICES, A(hidden_state) | A(find_index8_flops) | A(unmatched_flop) |
                                          A(read_indices_order) | A(read_indices_bundle)},
        {DVE_OPCODE_HALT, 0},
        {DVE_OPCODE_COPY, 0},
        {DVE_OPCODE_MEMSET, A(memset_count)},
        {DVE_OPCODE_COPY_PREDICATED_SCALAR, A(pointers_first)},
        {DVE_OPCODE_TENSOR_SCALAR_SELECT, A(pointers_first)},
        {DVE_OPCODE_TENSOR_SCALAR_CACHE_REDUCE,
         A(hidden_state) | A(accumulator_family) | A(strict_order) | A(special_arithmetic) | A(pointers_first)},
        {DVE_OPCODE_TENSOR_SCALAR_CACHE_CUMULATIVE,
         A(hidden_state) | A(accumulator_family) | A(strict_order) | A(special_arithmetic) | A(pointers_first)},
        {DVE_OPCODE_TENSOR_TENSOR_SCAN_ARITH,
         A(accumulator_family) | A(strict_order) | A(special_arithmetic) | A(pointers_first)},
        {DVE_OPCODE_SELECT_REDUCE,
         A(hidden_state) | A(select_polarity) | A(idle_accumulator) | A(special_arithmetic) | A(pointers_first)},
        {DVE_OPCODE_RANGE_SELECT,
         A(hidden_state) | A(idle_accumulator) | A(special_arithmetic) | A(pointers_first)},
        {DVE_OPCODE_DVE_READ_ACCUMULATOR, A(hidden_state)},
        {DVE_OPCODE_STREAM_SHUFFLE, A(shuffle_off)},
        {DVE_OPCODE_STREAM_TRANSPOSE, A(shuffle_off)},
        {DVE_OPCODE_NONZERO_WITH_COUNT, A(nonzero_values) | A(pointers_first) | A(lanes_read_first)},
        {DVE_OPCODE_POOL_BUFFER_LOAD, A(pool_buffer)},
        {DVE_OPCODE_GATHER, A(pool_buffer) | A(lanes_read_first)},
        {DVE_OPCODE_INDIRECT_COPY, A(indirect_copy) | A(lanes_read_first)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(dve_assumptions_of_opcode(rows[i].opcode), rows[i].used);
}

static void test_data_types(void **state)
{
    (void)state;
    dve_assumption_set fp8 = A(fp8_overflow) | A(saturate_infinity) | A(fp8_nan);
    static const uint8_t integers[] = {DVE_DTYPE_INT8,   DVE_DTYPE_UINT8, DVE_DTYPE_INT16,
                                       DVE_DTYPE_UINT16, DVE_DTYPE_INT32, DVE_DTYPE_UINT32};
    for (size_t i = 0; i < sizeof integers; i++) {
        assert_int_equal(dve_assumptions_of_dtype(integers[i], DVE_ACCESS_WRITE), A(int_from_nan));
        assert_int_equal(dve_assumptions_of_dtype(integers[i], DVE_ACCESS_READ), 0);
    }
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_FP8_E5M2, DVE_ACCESS_WRITE), fp8);
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_FP8_E3M4, DVE_ACCESS_WRITE), fp8);
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_FP8_E4M3, DVE_ACCESS_WRITE), fp8 | A(e4m3));
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_FP8_E4M3, DVE_ACCESS_READ), A(e4m3));
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_FP8_E5M2, DVE_ACCESS_READ), 0);
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_FP32R, DVE_ACCESS_WRITE), A(fp32r_bits));
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_FP32, DVE_ACCESS_WRITE), 0);
    assert_int_equal(dve_assumptions_of_dtype(DVE_DTYPE_BF16, DVE_ACCESS_WRITE), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_data_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
