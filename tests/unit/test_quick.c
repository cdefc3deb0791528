/* SPDX-License-Identifier: Apache-2.0 */
/* The quick answer about legality never contradicts the rules, and is given for most legal records; checked programs
 * run as their records do. */
#include "check/check.h"
#include "machines.h"
#include "random.h"
#include "test.h"
#include <stdlib.h>
#include <string.h>

enum { SEED = 11, TRIES = 2000 };

/* The opcodes of the test's records, and one whose source is found by a list of indices. */
static void legal_record(size_t o, dve_record *out)
{
    if (o < record_opcode_count) {
        record_base(record_opcodes[o], out);
        return;
    }
    memset(out, 0, sizeof *out);
    out->byte[0] = DVE_OPCODE_INDIRECT_COPY;
    record_set(out, DVE_FIELD_S4D4_IC_inst_word_len, 16);
    record_set(out, DVE_FIELD_S4D4_IC_num_active_channels, 32);
    record_set(out, DVE_FIELD_S4D4_IC_in_dtype, DVE_DTYPE_FP32);
    record_set(out, DVE_FIELD_S4D4_IC_out_dtype, DVE_DTYPE_FP32);
    record_set(out, DVE_FIELD_S4D4_IC_src_num_elem_per_idx, 1);
    record_set(out, DVE_FIELD_S4D4_IC_src_buffer_size, 16);
    record_set(out, DVE_FIELD_S4D4_IC_src_start_addr, (uint32_t)DVE_ADDR_MARKER_INDIRECT_IMM << 24 | 0x100);
    record_set(out, DVE_FIELD_S4D4_IC_src_step0, 0x2000);        /* data */
    record_set(out, DVE_FIELD_S4D4_IC_src_step2, 64);            /* indices */
    record_set(out, DVE_FIELD_S4D4_IC_dst_start_addr, 0x4000);
    record_set(out, DVE_FIELD_S4D4_IC_dst_step0, 1);
    record_set(out, DVE_FIELD_S4D4_IC_dst_num0, 64);
    record_set(out, DVE_FIELD_S4D4_IC_dst_num1, 1);
    record_set(out, DVE_FIELD_S4D4_IC_dst_num2, 1);
    record_set(out, DVE_FIELD_S4D4_IC_dst_num3, 1);
}

/* A legal record with a few bytes changed, mostly to what stands near the old value or in other records. */
static void change(test_random *r, dve_record *record)
{
    static const uint8_t likely[] = {0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x7f, 0x80, 0xff};
    for (uint32_t n = random_below(r, 4); n > 0; n--) {
        uint8_t *byte = &record->byte[1 + random_below(r, DVE_RECORD_BYTES - 1)];
        *byte = random_chance(r, 50) ? RANDOM_OF(r, likely) : (uint8_t)(*byte + random_below(r, 5) - 2);
    }
}

/* One or two fields get what their kind makes interesting: borders of memories and quadrants, other data types. */
static void change_fields(test_random *r, dve_record *record)
{
    static const uint32_t words[] = {0, 2, 0x800000, 0xfc0000, 0x38000, 0x30000, 0x3fffc, 0x1000000, 0x2000000, 0x2000002,
                                     0x2004000, 0x2100000, 0x23f8000, 0x2400000, 0x20000000, 0x20800000, 0x22000000,
                                     0x40000001, 0xa0000000};
    static const uint16_t halves[] = {0, 1, 2, 3, 4, 8, 0x10, 0x80, 0x100, 0x200, 0x4000, 0x7fff, 0x8000, 0xffff};
    size_t rows;
    dve_insn insn;
    dve_decode(record, &insn);
    const dve_format_info *format = dve_format(insn.format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    for (uint32_t n = 1 + random_below(r, 2); n > 0; n--) {
        const dve_field_info *f = &field[1 + random_below(r, format->fields - 1u)];
        uint32_t *value = &insn.value[f->slot];
        if (f->kind == DVE_KIND_DTYPE)
            *value = random_below(r, 17);              /* most codes there are */
        else if (f->kind == DVE_KIND_ADDR)
            *value = RANDOM_OF(r, words) ^ (random_chance(r, 50) ? 0 : *value);
        else if (f->kind == DVE_KIND_WORD)
            *value = RANDOM_OF(r, words);
        else if (f->width == 16)
            *value = RANDOM_OF(r, halves);
        else if (f->width == 8)
            *value = random_chance(r, 50) ? random_below(r, 0x12) : random_bits(r) & 0xff;
    }
    dve_encode(&insn, record);
}

static void never_contradicts(void **state)
{
    (void)state;
    test_random r = {SEED};
    uint32_t legal = 0, quick = 0;
    for (size_t o = 0; o <= record_opcode_count; o++)
        for (unsigned t = 0; t < TRIES; t++) {
            dve_record record;
            dve_insn insn;
            uint8_t gen = (uint8_t)(DVE_GEN_FIRST + random_below(&r, DVE_GEN_COUNT));
            legal_record(o, &record);
            t % 2 ? change(&r, &record) : change_fields(&r, &record);
            dve_decode(&record, &insn);
            size_t broken = dve_check_all(&insn, gen, NULL, 0);
            int fast = dve_check_quick(&insn, gen);
            if (fast && broken)
                fail_msg("opcode 0x%02x gen%u: quick, but %zu rules are broken: %s", record.byte[0], gen, broken,
                         record_text(&record));
            assert_int_equal(dve_check(&insn, gen, NULL, 0), broken);
            legal += broken == 0;
            quick += fast != 0;
        }
    assert_true(legal > 2000);
    assert_true(quick > legal / 2);
    dve_insn insn = {.format = DVE_FORMAT_COUNT};
    assert_int_equal(dve_check_quick(&insn, 3), 0);
    dve_record record;
    legal_record(record_opcode_count, &record);
    dve_decode(&record, &insn);
    assert_int_equal(dve_check_quick(&insn, 3), 1);
    record_base(DVE_OPCODE_MAX8, &record);
    dve_decode(&record, &insn);
    assert_int_equal(dve_check_quick(&insn, 3), 1);
    assert_int_equal(dve_check_quick(&insn, 1), 0);
    assert_int_equal(dve_check_quick(&insn, 6), 0);
}

enum { COUNT = 3 };

static void make_records(dve_record out[COUNT])
{
    static const uint8_t opcodes[COUNT] = {DVE_OPCODE_MAX8, DVE_OPCODE_MATCH_VALUE_LOAD, DVE_OPCODE_FIND_INDEX8};
    for (size_t i = 0; i < COUNT; i++)
        record_base(opcodes[i], &out[i]);
}

static void programs_run_as_records(void **state)
{
    (void)state;
    dve_record records[COUNT];
    dve_program *program;
    static dve_stop stop;
    make_records(records);
    size_t size = (dve_program_size(COUNT) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    assert_non_null(memory);
    assert_int_equal(dve_program_make(memory, size, 3, records, COUNT, &program, &stop), DVE_OK);
    assert_int_equal(stop.reason, DVE_REFUSED_NOT);
    watched one, other;
    watch(&one, NULL);
    watch(&other, NULL);
    for (int times = 0; times < 2; times++) {
        assert_int_equal(run_all(&one, records, COUNT), DVE_OK);
        assert_int_equal(dve_machine_run_program(other.m, program, &stop), DVE_OK);
    }
    assert_int_equal(strlen(other.order), 2 * strlen(one.order));   /* `order` of the other is about both runs */
    assert_memory_equal(other.order, one.order, strlen(one.order));
    assert_string_equal(other.order + strlen(one.order), one.order);
    assert_int_equal(dve_machine_next_record(other.m), 2 * COUNT);
    assert_int_equal(dve_machine_assumptions(other.m), dve_machine_assumptions(one.m));
    for (uint32_t p = 0; p < DVE_LANES; p++) {
        uint32_t active;
        const uint8_t *bytes = dve_machine_bytes(one.m, DVE_SPACE_SBUF, p, &active);
        assert_memory_equal(dve_machine_bytes(other.m, DVE_SPACE_SBUF, p, &active), bytes, active);
        assert_memory_equal(dve_machine_lane(other.m, p), dve_machine_lane(one.m, p), sizeof(dve_lane_state));
    }
    unwatch(&one);
    unwatch(&other);
    free(memory);
}

static void programs_refused(void **state)
{
    (void)state;
    dve_record records[COUNT];
    dve_program *program;
    static dve_stop stop;
    make_records(records);
    size_t size = (dve_program_size(COUNT) + 63) / 64 * 64;
    uint8_t *memory = aligned_alloc(64, size);
    assert_non_null(memory);
    assert_int_equal(dve_program_make(memory, dve_program_size(COUNT) - 1, 3, records, COUNT, &program, &stop), DVE_E_USAGE);
    assert_null(program);
    assert_int_equal(dve_program_make(memory + 4, size - 4, 3, records, COUNT - 1, &program, &stop), DVE_E_USAGE);
    assert_int_equal(dve_program_make(memory, size, 1, records, COUNT, &program, &stop), DVE_E_USAGE);
    assert_int_equal(dve_program_size(SIZE_MAX / 64), 0);
    records[1].byte[34] = 129;
    assert_int_equal(dve_program_make(memory, size, 3, records, COUNT, &program, &stop), DVE_E_FINDING);
    assert_null(program);
    assert_int_equal(stop.reason, DVE_REFUSED_ILLEGAL);
    assert_int_equal(stop.record, 1);
    assert_true(stop.broken > 0);
    assert_int_equal(dve_insn_opcode(&stop.insn), DVE_OPCODE_MATCH_VALUE_LOAD);
    /* Another generation; and a record that only the run can refuse. */
    make_records(records);
    records[2].byte[0] = DVE_OPCODE_MAX8;
    records[2].byte[4] = DVE_WAIT_MODE_SEM_EQ_IMM;
    records[2].byte[8] = 5;
    records[2].byte[33] = records[0].byte[33];
    assert_int_equal(dve_program_make(memory, size, 3, records, COUNT, &program, &stop), DVE_OK);
    watched w;
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.gen = 4;
    watch(&w, &config);
    assert_int_equal(dve_machine_run_program(w.m, program, &stop), DVE_E_USAGE);
    unwatch(&w);
    watch(&w, NULL);
    assert_int_equal(dve_machine_run_program(w.m, program, &stop), DVE_E_FINDING);
    assert_int_equal(stop.reason, DVE_REFUSED_WAIT);
    assert_int_equal(stop.record, 2);
    assert_int_equal(dve_insn_opcode(&stop.insn), DVE_OPCODE_MAX8);
    assert_int_equal(dve_machine_next_record(w.m), 2);
    unwatch(&w);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_contradicts),
        cmocka_unit_test(programs_run_as_records),
        cmocka_unit_test(programs_refused),
    };
    return cmocka_run_group_tests_name("quick", tests, NULL, NULL);
}
