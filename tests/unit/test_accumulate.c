/* SPDX-License-Identifier: Apache-2.0 */
/* The accumulator family by numbers worked out by hand, its hidden state, and what it reports and refuses. */
#include "machines.h"
#include "moves.h"
#include "test.h"
#include <string.h>

enum { DATA = 0, MORE = 0x1000, OUT = 0x2000, SUM = 0x3000, POINTERS = 0x4000 };

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float out(watched *w, uint32_t offset, uint32_t i)
{
    uint32_t bits = get_word(w, 0, offset + 4 * i, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void outs_are(watched *w, const float *wanted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(get_word(w, 0, OUT + 4 * i, 4), bits_of(wanted[i]));
}

static uint32_t accumulator(watched *w, uint32_t lane)
{
    return dve_machine_lane(w->m, lane)->accumulator;
}

static dve_record cache(uint8_t opcode, uint8_t op0, float imm0, uint8_t op1, uint8_t command, uint32_t count)
{
    dve_record record = moves_record(opcode, 1);
    SET(&record, S3D3_TS_op0, op0);
    SET(&record, S3D3_TS_imm0, bits_of(imm0));
    SET(&record, S3D3_TS_op1, op1);
    SET(&record, S3D3_TS_accumulator_cmd, command);
    moves_operand(&record, 0, sbuf(0, DATA), 1, count);
    moves_operand(&record, 1, sbuf(0, OUT), 1, count);
    return record;
}

static dve_record drain(uint8_t dtype, int negated)
{
    dve_record record = moves_record(0x9b, 1);
    SET(&record, D1_RD_dtype, dtype);
    SET(&record, D1_RD_negated, negated != 0);
    moves_operand(&record, 0, sbuf(0, SUM), 1, 1);
    return record;
}

static const float numbers[] = {1, 2, 3, 4, 5};

/* 0x9a writes the element-wise results; their sum comes out by a drain, as often as wanted, and negated. */
static void reduce_and_drain(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, numbers, 5);
    dve_record record = cache(0x9a, DVE_ALU_OP_MULT, 2, DVE_ALU_OP_ADD, DVE_ACCUM_CMD_ZERO_ACCUMULATE, 5);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    outs_are(&w, (const float[]){2, 4, 6, 8, 10}, 5);
    for (int negated = 0; negated < 2; negated++) {
        record = drain(DVE_DTYPE_FP32, negated);
        assert_int_equal(run(&w, &record), DVE_OK);
        assert_int_equal(w.hazards, 0);
        assert_int_equal(get_word(&w, 0, SUM, 4), bits_of(negated ? -30.0f : 30.0f));
        assert_int_equal(accumulator(&w, 0), bits_of(30));
    }
    record = drain(DVE_DTYPE_FP8_E4M3, 0);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(get_word(&w, 0, SUM, 1), 0x5f);         /* 30 in E4M3: 1.875 x 16 */
    unwatch(&w);
}

/* load, reduce and reset of the cumulative op; subtract folds as t - acc (R10). */
static void cumulative_chain(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, numbers, 3);
    dve_record record = cache(0xe6, DVE_ALU_OP_BYPASS, 0, DVE_ALU_OP_ADD, DVE_ACCUM_CMD_LOAD_ACCUMULATE, 3);
    SET(&record, S3D3_TS_imm1, bits_of(10));
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    outs_are(&w, (const float[]){11, 13, 16}, 3);
    record = cache(0xe6, DVE_ALU_OP_BYPASS, 0, DVE_ALU_OP_SUBTRACT, DVE_ACCUM_CMD_ACCUMULATE, 3);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    outs_are(&w, (const float[]){-15, 17, -14}, 3);
    record = cache(0xe6, DVE_ALU_OP_ADD, -2, DVE_ALU_OP_MULT, DVE_ACCUM_CMD_ZERO_ACCUMULATE, 3);
    assert_int_equal(run(&w, &record), DVE_OK);
    outs_are(&w, (const float[]){-1, -0.0f, -0.0f}, 3);
    assert_int_equal(accumulator(&w, 0), 0x80000000);
    unwatch(&w);
}

/* What a reset leaves: nothing that changes the operator. */
static void resets(void **state)
{
    (void)state;
    static const struct {
        uint8_t op;
        float wanted;
    } cases[] = {{DVE_ALU_OP_ADD, -7}, {DVE_ALU_OP_SUBTRACT, -7}, {DVE_ALU_OP_MULT, -7}, {DVE_ALU_OP_MAX, -7},
                 {DVE_ALU_OP_MIN, -7}};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, (const float[]){-7}, 1);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        dve_record record = cache(0x9a, DVE_ALU_OP_BYPASS, 0, cases[i].op, DVE_ACCUM_CMD_ZERO_ACCUMULATE, 1);
        assert_int_equal(run(&w, &record), DVE_OK);
        assert_int_equal(accumulator(&w, 0), bits_of(cases[i].wanted));
    }
    unwatch(&w);
}

/* Results are rounded on the way out only; the fold sees them before. */
static void folds_before_rounding(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, (const float[]){1.001f, 1.001f}, 2);
    dve_record record = cache(0x9a, DVE_ALU_OP_BYPASS, 0, DVE_ALU_OP_ADD, DVE_ACCUM_CMD_ZERO_ACCUMULATE, 2);
    SET(&record, S3D3_TS_out_dtype, DVE_DTYPE_BF16);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(get_word(&w, 0, OUT, 2), 0x3f80);
    assert_int_equal(accumulator(&w, 0), bits_of(1.001f + 1.001f));
    unwatch(&w);
}

/* A bypass between equal data types moves bits; the fold takes the NaN as any NaN. */
static void bypass_keeps_payloads(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_words(&w, 0, DATA, 2, (const uint32_t[]){0x7fc5, 0x4000, 0xffaa}, 3);
    dve_record record = cache(0x9a, DVE_ALU_OP_BYPASS, 0, DVE_ALU_OP_MAX, DVE_ACCUM_CMD_ZERO_ACCUMULATE, 3);
    SET(&record, S3D3_TS_in_dtype, DVE_DTYPE_BF16);
    SET(&record, S3D3_TS_out_dtype, DVE_DTYPE_BF16);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(get_word(&w, 0, OUT, 2), 0x7fc5);
    assert_int_equal(get_word(&w, 0, OUT + 4, 2), 0xffaa);
    assert_int_equal(accumulator(&w, 0), bits_of(2));
    unwatch(&w);
}

static dve_record scan(uint32_t first, uint32_t count, float start)
{
    dve_record record = moves_record(0xe5, 1);
    SET(&record, S2S2D2_STT_op0, DVE_ALU_OP_MULT);
    SET(&record, S2S2D2_STT_op1, DVE_ALU_OP_ADD);
    SET(&record, S2S2D2_STT_imm0, bits_of(start));
    moves_operand(&record, 0, sbuf(0, MORE + 4 * first), 1, count);
    moves_operand(&record, 1, sbuf(0, DATA + 4 * first), 1, count);
    moves_operand(&record, 2, sbuf(0, OUT + 4 * first), 1, count);
    return record;
}

/* Running sums: ones times the state plus the element, carried over tiles by the last column. */
static void scan_over_tiles(void **state)
{
    (void)state;
    static const float ones[] = {1, 1, 1, 1, 1};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, numbers, 5);
    put_floats(&w, 0, MORE, ones, 5);
    dve_record record = scan(0, 3, 0);
    assert_int_equal(run(&w, &record), DVE_OK);
    record = scan(3, 2, 0);
    SET(&record, S2S2D2_STT_imm0, sbuf(0, OUT + 8));
    SET(&record, S2S2D2_STT_imm0_src, DVE_IMM_SRC_POINTER);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    outs_are(&w, (const float[]){1, 3, 6, 10, 15}, 5);
    assert_int_equal(accumulator(&w, 0), 0);     /* it has no part in it */
    unwatch(&w);
}

/* Both reversals: u = s - a, s = b - u. */
static void scan_reversed(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, (const float[]){10, 20}, 2);
    put_floats(&w, 0, MORE, (const float[]){1, 2}, 2);
    dve_record record = scan(0, 2, 5);
    SET(&record, S2S2D2_STT_op0, DVE_ALU_OP_SUBTRACT);
    SET(&record, S2S2D2_STT_op1, DVE_ALU_OP_SUBTRACT);
    SET(&record, S2S2D2_STT_reverse_operands, DVE_REV_OPS_BOTH);
    assert_int_equal(run(&w, &record), DVE_OK);
    outs_are(&w, (const float[]){10 - (5 - 1), 20 - (6 - 2)}, 2);
    SET(&record, S2S2D2_STT_reverse_operands, DVE_REV_OPS_NONE);
    assert_int_equal(run(&w, &record), DVE_OK);
    outs_are(&w, (const float[]){(1 - 5) - 10, (2 + 14) - 20}, 2);
    unwatch(&w);
}

/* The state is not rounded with the results. */
static void scan_state_is_fp32(void **state)
{
    (void)state;
    static const float ones[] = {1, 1}, small[] = {1.001f, 1.001f};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, small, 2);
    put_floats(&w, 0, MORE, ones, 2);
    dve_record record = scan(0, 2, 255);
    SET(&record, S2S2D2_STT_out_dtype, DVE_DTYPE_BF16);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(get_word(&w, 0, OUT, 2), 0x4380);       /* 256.001 is 256; 257.002 is 258 and not 256 */
    assert_int_equal(get_word(&w, 0, OUT + 2, 2), 0x4381);
    unwatch(&w);
}

static dve_record range(uint32_t count, float low, float high, uint8_t command)
{
    dve_record record = moves_record(0xbc, 1);
    SET(&record, S2D2_RS_reduce_cmd, command);
    SET(&record, S2D2_RS_base, bits_of(100));
    SET(&record, S2D2_RS_comp_op0, DVE_ALU_OP_IS_GE);
    SET(&record, S2D2_RS_comp_op1, DVE_ALU_OP_IS_LT);
    SET(&record, S2D2_RS_bound0, bits_of(low));
    SET(&record, S2D2_RS_bound1, bits_of(high));
    moves_operand(&record, 0, sbuf(0, DATA), 1, count);
    moves_operand(&record, 1, sbuf(0, OUT), 1, count);
    return record;
}

/* The number of an element is compared, not its value; three calls of a chain share one drain. */
static void range_select_chain(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, numbers, 5);
    dve_record chain[] = {range(5, 101, 103, DVE_ACCUM_CMD_ZERO_ACCUMULATE), range(5, 0, 101, DVE_ACCUM_CMD_ACCUMULATE),
                          range(5, 104, 200, DVE_ACCUM_CMD_IDLE), range(5, 300, 400, DVE_ACCUM_CMD_ACCUMULATE),
                          drain(DVE_DTYPE_FP32, 0)};
    assert_int_equal(run_all(&w, chain, 1), DVE_OK);
    assert_int_equal(w.hazards, 0);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(get_word(&w, 0, OUT + 4 * i, 4), i == 1 || i == 2 ? bits_of(numbers[i]) : 0xff7fffff);
    assert_int_equal(run_all(&w, chain + 1, 4), DVE_OK);
    assert_int_equal(w.hazards, 0);
    assert_true(out(&w, SUM, 0) == 3);           /* 2, 3 and 1 and the fill; Idle's 5 did not count */
    unwatch(&w);
}

/* A narrow result turns the fill value into -inf. */
static void range_select_narrow(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_words(&w, 0, DATA, 2, (const uint32_t[]){0x7fd1, 0x3f80}, 2);
    dve_record record = range(2, 100, 101, DVE_ACCUM_CMD_IDLE);
    SET(&record, S2D2_RS_in_dtype, DVE_DTYPE_BF16);
    SET(&record, S2D2_RS_out_dtype, DVE_DTYPE_BF16);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(get_word(&w, 0, OUT, 2), 0x7fd1);       /* bits as they are */
    assert_int_equal(get_word(&w, 0, OUT + 2, 2), 0xff80);
    unwatch(&w);
}

/* False elements become the immediate, and count: the maximum is of all results. */
static void select_reduce(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_words(&w, 0, MORE, 1, (const uint32_t[]){1, 0, 255, 0}, 4);
    put_floats(&w, 0, DATA, (const float[]){-5, -1, -3, -2}, 4);
    dve_record record = moves_record(0xea, 1);
    SET(&record, S2S2D2_STT_src0_dtype, DVE_DTYPE_UINT8);
    SET(&record, S2S2D2_STT_imm0, bits_of(-4));
    SET(&record, S2S2D2_STT_accumulator_cmd, DVE_ACCUM_CMD_ZERO_ACCUMULATE);
    moves_operand(&record, 0, sbuf(0, MORE), 1, 4);
    moves_operand(&record, 1, sbuf(0, DATA), 1, 4);
    moves_operand(&record, 2, sbuf(0, OUT), 1, 4);
    assert_int_equal(run(&w, &record), DVE_OK);
    outs_are(&w, (const float[]){-5, -4, -3, -4}, 4);
    assert_int_equal(accumulator(&w, 0), bits_of(-3));
    SET(&record, S2S2D2_STT_reverse_operands, DVE_REV_OPS_FIRST);
    SET(&record, S2S2D2_STT_accumulator_cmd, DVE_ACCUM_CMD_IDLE);
    assert_int_equal(run(&w, &record), DVE_OK);
    outs_are(&w, (const float[]){-4, -1, -4, -2}, 4);
    assert_int_equal(accumulator(&w, 0), bits_of(-3));
    SET(&record, S2S2D2_STT_accumulator_cmd, DVE_ACCUM_CMD_ACCUMULATE);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(accumulator(&w, 0), bits_of(-1));
    unwatch(&w);
}

/* Two lanes, two scalars: the pointer is a plain address, its lane is the record's channel. */
static void pointers_of_lanes(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    for (uint32_t p = 0; p < 2; p++) {
        put_floats(&w, 32 + p, DATA, numbers, 2);
        put_floats(&w, 64 + p, POINTERS, (const float[]){p ? 100.0f : 10.0f}, 1);
    }
    dve_record record = cache(0x9a, DVE_ALU_OP_ADD, 0, DVE_ALU_OP_ADD, DVE_ACCUM_CMD_ZERO_ACCUMULATE, 2);
    SET(&record, S3D3_TS_num_active_channels, 2);
    moves_operand(&record, 0, sbuf(32, DATA), 1, 2);
    moves_operand(&record, 1, sbuf(32, OUT), 1, 2);
    SET(&record, S3D3_TS_imm0_src, DVE_IMM_SRC_POINTER);
    SET(&record, S3D3_TS_imm0, sbuf(64, POINTERS));
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    assert_int_equal(get_word(&w, 32, OUT + 4, 4), bits_of(12));
    assert_int_equal(get_word(&w, 33, OUT + 4, 4), bits_of(102));
    assert_int_equal(accumulator(&w, 1), bits_of(203));

    SET(&record, S3D3_TS_imm0_src, DVE_IMM_SRC_REG_PTR);
    SET(&record, S3D3_TS_imm0, 9);
    dve_machine_registers(w.m)[9] = sbuf(64, POINTERS);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(accumulator(&w, 1), bits_of(203));
    dve_machine_registers(w.m)[9] = sbuf(64, POINTERS + 64);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 1);
    assert_int_equal(w.hazard[0].kind, DVE_HAZARD_NEVER_WRITTEN);
    assert_string_equal(w.hazard[0].operand, "imm0");
    assert_true(w.hazard[0].count == 8 && w.hazard[0].partition == 64 && w.hazard[0].byte == POINTERS + 64);
    static const uint32_t wrong[] = {POINTERS + 1, POINTERS + (1u << 18), 0x80000001, 0x2800000, POINTERS + 0x38000};
    for (size_t i = 0; i < LENGTH(wrong); i++) { /* not aligned, no start, a register form, nowhere, not active */
        dve_machine_registers(w.m)[9] = wrong[i];
        assert_int_equal(run(&w, &record), DVE_E_FINDING);
        assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
        assert_string_equal(w.stop.operand, "imm0");
        assert_true(w.stop.broken >= 1);
        assert_string_equal(w.stop.diags[0].field, "imm0");
    }
    unwatch(&w);
}

/* Only what reads the accumulator can find it unset, or set for others. */
static void hazards_of_the_accumulator(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, numbers, 5);
    put_floats(&w, 1, DATA, numbers, 5);
    dve_record fold = cache(0x9a, DVE_ALU_OP_BYPASS, 0, DVE_ALU_OP_MAX, DVE_ACCUM_CMD_ACCUMULATE, 5);
    dve_record read = drain(DVE_DTYPE_FP32, 0);
    assert_int_equal(run(&w, &read), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_POWER_ON_STATE);
    assert_string_equal(w.hazard[0].state, "accumulator");
    assert_true(w.step[0].assumptions >> DVE_ASSUMPTION_power_on_state & 1);
    assert_int_equal(run(&w, &fold), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_POWER_ON_STATE && w.hazard[0].count == 1);
    assert_int_equal(run(&w, &fold), DVE_OK);
    assert_int_equal(w.hazards, 0);
    assert_false(w.step[0].assumptions >> DVE_ASSUMPTION_power_on_state & 1);
    SET(&fold, S3D3_TS_num_active_channels, 2);
    assert_int_equal(run(&w, &fold), DVE_OK);
    assert_int_equal(w.hazards, 2);
    assert_true(w.hazard[0].kind == DVE_HAZARD_POWER_ON_STATE && w.hazard[0].lane == 1);
    assert_true(w.hazard[1].kind == DVE_HAZARD_CHANNEL_MISMATCH && w.hazard[1].lane == 1 && w.hazard[1].count == 1);
    SET(&fold, S3D3_TS_accumulator_cmd, DVE_ACCUM_CMD_ZERO_ACCUMULATE);
    assert_int_equal(run(&w, &fold), DVE_OK);
    assert_int_equal(w.hazards, 0);
    unwatch(&w);
}

/* Both sources of a pair are looked at, each by its name. */
static void hazards_of_two_sources(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, MORE, (const float[]){1, 1, 1, 1}, 4);
    dve_record record = scan(0, 4, 0);
    moves_operand(&record, 2, sbuf(0, MORE + 4), 1, 4);   /* results land on elements that are still to come */
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 2);
    assert_int_equal(w.hazard[0].kind, DVE_HAZARD_NEVER_WRITTEN);
    assert_string_equal(w.hazard[0].operand, "src1");
    assert_int_equal(w.hazard[1].kind, DVE_HAZARD_PARTIAL_OVERLAP);
    assert_string_equal(w.hazard[1].operand, "src0");
    assert_string_equal(w.hazard[1].other, "dst");
    put_floats(&w, 0, DATA, numbers, 4);
    put_floats(&w, 0, MORE, (const float[]){1, 1, 1, 1}, 4);
    assert_int_equal(run(&w, &record), DVE_OK);
    static const float wanted[] = {1, 1 * 1 + 2, 3 * 3 + 3, 12 * 12 + 4};    /* each factor is the result before it */
    for (uint32_t i = 0; i < 4; i++)
        assert_true(out(&w, MORE + 4, i) == wanted[i]);
    unwatch(&w);
}

/* What the wire does not allow: a reversed cumulative op, Idle and Zero commands, a seed that nothing loads. */
static void refused(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, numbers, 5);
    dve_record good = cache(0xe6, DVE_ALU_OP_BYPASS, 0, DVE_ALU_OP_ADD, DVE_ACCUM_CMD_ZERO_ACCUMULATE, 5), bad = good;
    SET(&bad, S3D3_TS_reverse_operands, DVE_REV_OPS_FIRST);
    assert_int_equal(run(&w, &bad), DVE_E_FINDING);
    assert_string_equal(w.stop.diags[0].field, "reverse_operands");
    for (uint32_t command = 0; command < 2; command++) {
        bad = good;
        SET(&bad, S3D3_TS_accumulator_cmd, command);
        assert_int_equal(run(&w, &bad), DVE_E_FINDING);
    }
    bad = good;
    SET(&bad, S3D3_TS_imm1, 1);
    assert_int_equal(run(&w, &bad), DVE_E_FINDING);
    dve_record activation = moves_record(0x24, 1);
    assert_int_equal(run(&w, &activation), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ENGINE);
    assert_int_equal(accumulator(&w, 0), 0);
    unwatch(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduce_and_drain),   cmocka_unit_test(cumulative_chain),
        cmocka_unit_test(resets),             cmocka_unit_test(folds_before_rounding),
        cmocka_unit_test(bypass_keeps_payloads), cmocka_unit_test(scan_over_tiles),
        cmocka_unit_test(scan_reversed),      cmocka_unit_test(scan_state_is_fp32),
        cmocka_unit_test(range_select_chain), cmocka_unit_test(range_select_narrow),
        cmocka_unit_test(select_reduce),      cmocka_unit_test(pointers_of_lanes),
        cmocka_unit_test(hazards_of_the_accumulator), cmocka_unit_test(hazards_of_two_sources),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("accumulate", tests, NULL, NULL);
}
