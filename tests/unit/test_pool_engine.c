/* SPDX-License-Identifier: Apache-2.0 */
/* The neighbours of the pool engine that a pipeline of the vector engine needs. */
#include "machines.h"
#include "moves.h"
#include <string.h>

enum { DATA = 0, INDEX = 0x1000, OUT = 0x2000 };

static dve_record nonzero(uint32_t partition, uint32_t channels, uint32_t count)
{
    dve_record record = moves_record(0xf2, channels);
    SET(&record, S3D3_NONZERO_WITH_COUNT_index_offset, 16);
    SET(&record, S3D3_NONZERO_WITH_COUNT_padding_val, UINT32_MAX);
    moves_operand(&record, 0, sbuf(partition, DATA), 1, count);
    moves_operand(&record, 1, sbuf(partition, OUT), 1, count + 1);
    return record;
}

/* Positions behind the offset, padding, count; at multiples of 16 alone. */
static void nonzero_positions(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 16, DATA, (const float[]){0, 1, 1, -0.0f, 0, 1, 0, 0}, 8);
    PUT(&w, 32, DATA, 4, 0x7fc00000, 0x80000000, 1, 0, 0, 0, 0, 0xffffffff);   /* NaN counts, -0 does not */
    dve_record record = nonzero(16, 20, 8);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);              /* partitions between were not read */
    WORDS_ARE(&w, 16, OUT, 4, 17, 18, 21, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 3);
    WORDS_ARE(&w, 32, OUT, 4, 16, 18, 23, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 3);
    uint32_t first;
    assert_int_equal(dve_machine_unwritten(w.m, &(dve_place){DVE_SPACE_SBUF, 17, OUT}, 36, &first), 36);
    for (uint32_t from = DATA; from <= OUT; from += OUT - DATA) {              /* neither read nor written is known for them */
        dve_record next = moves_record(0x46, 4);
        moves_operand(&next, 0, sbuf(32, from), 1, 8);
        moves_operand(&next, 1, sbuf(32, 0x3000), 1, 8);
        assert_int_equal(run(&w, &next), DVE_OK);
        assert_int_equal(w.hazards, 1);
        assert_int_equal(w.hazard[0].partition, 33);
        assert_true(w.hazard[0].count == 3 * 32);
    }
    SET(&record, S3D3_NONZERO_WITH_COUNT_in_dtype, DVE_DTYPE_INT32);
    SET(&record, S3D3_NONZERO_WITH_COUNT_index_offset, 0x7fffffff);            /* wraps */
    assert_int_equal(run(&w, &record), DVE_OK);
    WORDS_ARE(&w, 32, OUT, 4, 0x7fffffff, 0x80000000, 0x80000001, 0x80000006);
    unwatch(&w);
}

/* The lane is read before it is written, wherever the results lie. */
static void nonzero_onto_itself(void **state)
{
    (void)state;
    for (int shift = -4; shift <= 4; shift += 4) {
        watched w;
        watch(&w, NULL);
        put_floats(&w, 0, 64, (const float[]){1, 0, 1, 1}, 4);
        dve_record record = nonzero(0, 1, 4);
        moves_operand(&record, 0, sbuf(0, 64), 1, 4);
        moves_operand(&record, 1, sbuf(0, (uint32_t)(64 + shift)), 1, 5);
        assert_int_equal(run(&w, &record), DVE_OK);
        assert_int_equal(w.hazards, 0);
        WORDS_ARE(&w, 0, (uint32_t)(64 + shift), 4, 16, 18, 19, UINT32_MAX, 3);
        unwatch(&w);
    }
}

/* Both immediates behind pointers that start `up` and `down` of the destination: lanes write what others read, in
 * either direction, and every lane has read before one writes. */
static void nonzero_pointers_onto_results(void **state)
{
    (void)state;
    static const uint32_t partitions[][2] = {{0, 0}, {0, 32}, {32, 0}, {16, 32}, {32, 32}};
    for (unsigned i = 0; i < LENGTH(partitions); i++) {
        watched w;
        watch(&w, NULL);
        dve_record record = nonzero(16, 81, 2);
        uint32_t offset = partitions[i][0], padding = partitions[i][1];
        for (uint32_t p = 0; p < DVE_LANES; p += 16) {
            PUT(&w, p, DATA, 4, 0, 1);
            PUT(&w, p, OUT, 4, 1000 * p, 100000 + p);
        }
        SET(&record, S3D3_NONZERO_WITH_COUNT_in_dtype, DVE_DTYPE_INT32);
        SET(&record, S3D3_NONZERO_WITH_COUNT_index_offset_src, DVE_IMM_SRC_POINTER);
        SET(&record, S3D3_NONZERO_WITH_COUNT_index_offset, sbuf(offset, OUT));
        SET(&record, S3D3_NONZERO_WITH_COUNT_padding_val_src, DVE_IMM_SRC_POINTER);
        SET(&record, S3D3_NONZERO_WITH_COUNT_padding_val, sbuf(padding, OUT + 4));
        assert_int_equal(run(&w, &record), DVE_OK);
        assert_int_equal(w.hazards, 0);
        for (uint32_t l = 0; l < 81; l += 16)
            WORDS_ARE(&w, 16 + l, OUT, 4, 1000 * (offset + l) + 1, 100000 + padding + l, 1);
        unwatch(&w);
    }
}

static dve_record load(uint32_t start, uint32_t from, uint32_t count)
{
    dve_record record = moves_record(0x67, 2);
    SET(&record, S4_PB_in_dtype, DVE_DTYPE_BF16);
    SET(&record, S4_PB_start_index, start);
    SET(&record, S4_PB_mask, 511);
    moves_operand(&record, 0, sbuf(0, from), 1, count);
    return record;
}

static dve_record gather(uint32_t skips, uint32_t count)
{
    dve_record record = moves_record(0x68, 2);
    SET(&record, S4D4_GT_in_dtype, DVE_DTYPE_UINT32);
    SET(&record, S4D4_GT_out_dtype, DVE_DTYPE_BF16);
    SET(&record, S4D4_GT_index_miss_behavior, skips);
    SET(&record, S4D4_GT_immediate, 0x7777);
    moves_operand(&record, 0, sbuf(0, INDEX), 1, count);
    moves_operand(&record, 1, sbuf(0, OUT), 1, count);
    return record;
}

/* A table of 514 in two chunks: the first writes the immediate for what is not there, the second leaves it. */
static void gather_in_chunks(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    for (uint32_t p = 0; p < 2; p++) {
        for (uint32_t i = 0; i < 514; i++)
            PUT(&w, p, DATA + 2 * i, 2, 0x1000 * (p + 1) + i);
        PUT(&w, p, INDEX, 4, 513, 0, 511, 512, 700);
    }
    dve_record records[] = {load(0, DATA, 512), gather(0, 5), load(512, DATA + 1024, 2), gather(1, 5)};
    assert_int_equal(run_all(&w, records, 2), DVE_OK);
    assert_int_equal(w.hazards, 0);
    WORDS_ARE(&w, 1, OUT, 2, 0x7777, 0x2000, 0x21ff, 0x7777, 0x7777);
    assert_int_equal(run_all(&w, records + 2, 2), DVE_OK);
    assert_int_equal(w.hazards, 0);
    WORDS_ARE(&w, 1, OUT, 2, 0x2201, 0x2000, 0x21ff, 0x2200, 0x20bc);          /* 700 finds what the first load left */
    unwatch(&w);
}

/* Elements that no load filled: by lane, up to the last byte, and until the buffer is given back. */
static void gather_of_what_was_not_loaded(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    for (uint32_t p = 0; p < 2; p++)
        PUT(&w, p, DATA, 2, 11, 12, 13, 14, 15);
    dve_record five = load(0, DATA, 5), four = load(0, DATA, 4), record = gather(0, 4), give_back = record;
    SET(&four, S4_PB_num_active_channels, 1);
    PUT(&w, 0, INDEX, 4, 0, 4, 512, UINT32_MAX);         /* misses read nothing */
    PUT(&w, 1, INDEX, 4, 3, 2, 1, 0);
    assert_int_equal(run(&w, &five), DVE_OK);
    assert_int_equal(run(&w, &four), DVE_OK);            /* leaves element 4, which was loaded before */
    SET(&record, S4D4_GT_num_active_channels, 1);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    WORDS_ARE(&w, 0, OUT, 2, 11, 15, 0x7777, 0x7777);

    assert_int_equal(run(&w, &five), DVE_OK);
    PUT(&w, 1, INDEX, 4, 5, 511, 5, 0);
    SET(&record, S4D4_GT_num_active_channels, 2);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_POWER_ON_STATE);
    assert_true(w.hazard[0].lane == 1 && w.hazard[0].count == 1);
    assert_string_equal(w.hazard[0].state, "pool_buffer");
    assert_true(w.step[0].assumptions >> DVE_ASSUMPTION_power_on_state & 1);
    WORDS_ARE(&w, 1, OUT, 2, 0, 0, 0, 11);

    PUT(&w, 1, INDEX, 4, 0, 0, 0, 0);
    SET(&give_back, S4D4_GT_free_pool_buffer, 1);
    assert_int_equal(run(&w, &give_back), DVE_OK);
    four = load(0, DATA, 4);
    assert_int_equal(run(&w, &four), DVE_OK);
    assert_int_equal(run(&w, &record), DVE_OK);          /* element 4 was given back */
    assert_true(w.hazards == 1 && w.hazard[0].lane == 0 && w.hazard[0].count == 1);
    unwatch(&w);
}

static void gather_without_a_buffer(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, INDEX, 4, 0, 1);
    PUT(&w, 1, INDEX, 4, 0, 1);
    PUT(&w, 0, DATA, 2, 0x1111, 0x2222);
    PUT(&w, 1, DATA, 2, 0x3333, 0x4444);
    dve_record read = gather(0, 2), give_back = read, set = load(0, DATA, 2);
    assert_int_equal(run(&w, &read), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_POWER_ON_STATE && w.hazard[0].count == 2);
    assert_string_equal(w.hazard[0].state, "pool_buffer");
    WORDS_ARE(&w, 1, OUT, 2, 0x7777, 0x7777);
    SET(&give_back, S4D4_GT_free_pool_buffer, 1);
    assert_int_equal(run(&w, &set), DVE_OK);
    assert_int_equal(run(&w, &give_back), DVE_OK);
    assert_int_equal(w.hazards, 0);
    WORDS_ARE(&w, 1, OUT, 2, 0x3333, 0x4444);
    assert_int_equal(run(&w, &read), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_POWER_ON_STATE);
    assert_int_equal(run(&w, &set), DVE_OK);
    SET(&read, S4D4_GT_out_dtype, DVE_DTYPE_FP32);
    SET(&read, S4D4_GT_immediate, 0);
    assert_int_equal(run(&w, &read), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_POOL_WIDTH);
    assert_true(w.stop.given == 2 && w.stop.limit == 4);
    unwatch(&w);
}

/* 32 lanes, two lists; 3 runs of 2 elements. */
static dve_record indirect(uint32_t run, uint32_t results)
{
    dve_record record = moves_record(0xe7, 32);
    uint32_t data = sbuf(0, DATA);
    SET(&record, S4D4_IC_in_dtype, DVE_DTYPE_UINT16);
    SET(&record, S4D4_IC_out_dtype, DVE_DTYPE_UINT16);
    SET(&record, S4D4_IC_src_start_addr, 0x20000000 | sbuf(0, INDEX));
    SET(&record, S4D4_IC_src_step0, data & 0xffff);
    SET(&record, S4D4_IC_src_step1, data >> 16);
    SET(&record, S4D4_IC_src_step2, results);
    SET(&record, S4D4_IC_src_num_elem_per_idx, run);
    SET(&record, S4D4_IC_src_buffer_size, 8);
    moves_operand(&record, 1, sbuf(0, OUT), 1, results);
    return record;
}

static void copy_runs(void **state)
{
    (void)state;
    watched w;
    uint32_t first;
    watch(&w, NULL);
    for (uint32_t p = 0; p < 32; p++)
        for (uint32_t i = 0; i < 8; i++)
            PUT(&w, p, DATA + 2 * i, 2, 10 * p + i);
    PUT(&w, 0, INDEX, 2, 6);                     /* list of lanes 0..15: 6 0 3, of 16..31: 1 1 2 */
    PUT(&w, 1, INDEX, 2, 0);
    PUT(&w, 2, INDEX, 2, 3);
    PUT(&w, 16, INDEX, 2, 1);
    PUT(&w, 17, INDEX, 2, 1);
    PUT(&w, 18, INDEX, 2, 2);
    dve_record record = indirect(2, 6);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);              /* lanes 3..15 hold no part of the list */
    WORDS_ARE(&w, 5, OUT, 2, 56, 57, 50, 51, 53, 54);
    WORDS_ARE(&w, 20, OUT, 2, 201, 202, 201, 202, 202, 203);
    assert_int_equal(dve_machine_unwritten(w.m, &(dve_place){DVE_SPACE_SBUF, 5, OUT}, 14, &first), 2);

    moves_operand(&record, 1, sbuf(0, DATA), 1, 6);      /* onto its own elements: read first */
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    WORDS_ARE(&w, 5, DATA, 2, 56, 57, 50, 51, 53, 54, 56, 57);
    WORDS_ARE(&w, 20, DATA, 2, 201, 202, 201, 202, 202, 203);
    unwatch(&w);
}

static void indices_are_judged(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    for (uint32_t p = 0; p < 32; p++)
        PUT(&w, p, INDEX, 2, 0);
    dve_record record = indirect(2, 6);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_NEVER_WRITTEN);
    assert_true(w.hazard[0].count == 32 * 4 && w.hazard[0].byte == DATA);      /* elements 0 and 1, once */
    PUT(&w, 17, INDEX, 2, 7);                    /* elements 7 and 8 of 8 */
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_INDEX);
    assert_true(w.stop.given == 7 && w.stop.limit == 6);
    record = indirect(2, 6);
    SET(&record, S4D4_IC_src_step2, 8);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_INDEX_COUNT);
    PUT(&w, 17, INDEX, 2, 0);
    record = indirect(2, 6);
    SET(&record, S4D4_IC_src_start_addr, 0xa0000005);
    dve_machine_registers(w.m)[5] = sbuf(0, INDEX);
    assert_int_equal(run(&w, &record), DVE_OK);
    dve_machine_registers(w.m)[5] = 0x20000000 | sbuf(0, INDEX);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
    unwatch(&w);
}

/* Rules on the memory hold for what a register says too; those on pairs take any register. */
static void registers_are_judged(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, DATA, 2, 1, 2);
    PUT(&w, 1, DATA, 2, 3, 4);
    dve_record record = load(0, DATA, 2);
    SET(&record, S4_PB_src_start_addr, 0x80000003);
    dve_machine_registers(w.m)[3] = sbuf(0, DATA);
    assert_int_equal(run(&w, &record), DVE_OK);
    dve_machine_registers(w.m)[3] = DVE_PSUM_BASE;
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
    assert_string_equal(w.stop.operand, "src");
    dve_record pair = moves_record(0x72, 1);     /* both sources in PSUM */
    SET(&pair, S3S3D3_TT_src0_start_addr, 0x80000003);
    SET(&pair, S3S3D3_TT_src1_start_addr, DVE_PSUM_BASE + 0x100);
    assert_int_equal(run(&w, &pair), DVE_OK);
    SET(&pair, S3S3D3_TT_src0_start_addr, DVE_PSUM_BASE);
    assert_int_equal(run(&w, &pair), DVE_E_FINDING);
    dve_record far = indirect(2, 6);             /* the list not in the quadrant of the elements */
    for (uint32_t p = 0; p < 128; p++)
        PUT(&w, p, INDEX, 2, p < 64 ? 99 : 0);
    SET(&far, S4D4_IC_src_start_addr, 0xa0000005);
    dve_machine_registers(w.m)[5] = sbuf(64, INDEX);
    assert_int_equal(run(&w, &far), DVE_OK);
    SET(&far, S4D4_IC_src_start_addr, 0x20000000 | sbuf(64, INDEX));
    assert_int_equal(run(&w, &far), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
    unwatch(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nonzero_positions), cmocka_unit_test(nonzero_onto_itself),
        cmocka_unit_test(nonzero_pointers_onto_results),
        cmocka_unit_test(gather_in_chunks),  cmocka_unit_test(gather_without_a_buffer),
        cmocka_unit_test(gather_of_what_was_not_loaded),
        cmocka_unit_test(copy_runs),         cmocka_unit_test(indices_are_judged),
        cmocka_unit_test(registers_are_judged),
    };
    return cmocka_run_group_tests_name("pool_engine", tests, NULL, NULL);
}
