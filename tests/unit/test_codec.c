/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to fields and back: total, exact, and by the rows of isa/formats.def. */
#include "random.h"
#include "records.h"
#include "test.h"
#include <opendve/codec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 20260730 };

static void comes_back(const dve_record *record)
{
    dve_insn insn;
    dve_record again;
    memset(&insn, 0xa5, sizeof insn);
    memset(&again, 0x5a, sizeof again);
    dve_decode(record, &insn);
    dve_encode(&insn, &again);
    if (memcmp(record, &again, sizeof again) != 0)
        fail_msg("seed %d: decoding and encoding changes\n  %s\n  %s", SEED, record_text(record), record_text(&again));
}

static void random_record(test_random *r, dve_record *record)
{
    for (unsigned b = 0; b < DVE_RECORD_BYTES; b++)
        record->byte[b] = (uint8_t)random_bits(r);
}

/* Every opcode byte, every single flipped bit of zeros, of ones and of random bytes. */
static void every_opcode_every_bit(void **state)
{
    (void)state;
    test_random r = {SEED};
    for (unsigned opcode = 0; opcode < 256; opcode++)
        for (unsigned fill = 0; fill < 3; fill++) {
            dve_record record;
            random_record(&r, &record);
            if (fill < 2)
                memset(&record, fill ? 0xff : 0, sizeof record);
            record.byte[0] = (uint8_t)opcode;
            comes_back(&record);
            for (unsigned bit = 0; bit < 8 * DVE_RECORD_BYTES; bit++) {
                dve_record flipped = record;
                flipped.byte[bit / 8] ^= (uint8_t)(1u << bit % 8);
                comes_back(&flipped);
            }
        }
}

static void a_million_random_records(void **state)
{
    (void)state;
    test_random r = {SEED + 1};
    for (unsigned i = 0; i < 1000000; i++) {
        dve_record record;
        random_record(&r, &record);
        if (i % 2)
            record.byte[0] = record_opcodes[i / 2 % record_opcode_count];
        comes_back(&record);
    }
}

/* What the field's bytes hold, read by hand. */
static uint32_t bytes_of(const dve_record *record, const dve_field_info *field)
{
    uint64_t bits = 0;
    for (unsigned b = 0; b < 8 && field->byte + b < DVE_RECORD_BYTES; b++)
        bits |= (uint64_t)record->byte[field->byte + b] << 8 * b;
    return (uint32_t)(bits >> field->bit & ((UINT64_C(1) << field->width) - 1));
}

static void field_holds(const dve_insn *base, const dve_field_info *field, uint32_t value)
{
    dve_insn insn = *base, again;
    dve_record record;
    insn.value[field->slot] = value;
    dve_encode(&insn, &record);
    dve_decode(&record, &again);
    if (again.format != insn.format && strcmp(field->name, "extended_opcode") == 0)
        return;                                  /* it chooses the format, as the opcode does */
    if (memcmp(&insn, &again, sizeof insn) != 0 || bytes_of(&record, field) != value)
        fail_msg("%s.%s does not hold 0x%x\n  %s", dve_format(base->format)->name, field->name, value,
                 record_text(&record));
}

/* Every value of every field of at most 16 bits of every described format, beside zeros or beside ones: the codec
 * knows no generations, and tells opcodes by their format. OPENDVE_ROUNDS=2 takes every opcode, beside both. The
 * opcode is not a value of its own format. */
static void every_value_of_small_fields(void **state)
{
    (void)state;
    size_t rows;
    const char *rounds = getenv("OPENDVE_ROUNDS");
    int all = rounds && strtoul(rounds, NULL, 10) > 1;
    uint8_t swept[DVE_FORMAT_COUNT] = {0};
    for (size_t o = 0; o < record_opcode_count; o++)
        for (int fill = 0; fill < 256; fill += 255) {
            dve_record record;
            dve_insn insn;
            memset(&record, fill, sizeof record);
            record.byte[0] = record_opcodes[o];
            dve_decode(&record, &insn);
            if (!all && (swept[insn.format] || (insn.format % 2 == 0) != (fill == 0)))
                continue;
            swept[insn.format] = 1;
            const dve_format_info *format = dve_format(insn.format);
            const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
            for (unsigned f = 1; f < format->fields; f++)
                for (uint32_t value = 0; field[f].width <= 16 && value < 1u << field[f].width; value++)
                    field_holds(&insn, &field[f], value);
        }
}

/* Wider fields: every single bit, and random words. */
static void wide_fields(void **state)
{
    (void)state;
    test_random r = {SEED + 2};
    size_t rows;
    for (size_t o = 0; o < record_opcode_count; o++) {
        dve_record record;
        dve_insn insn;
        record_base(record_opcodes[o], &record);
        dve_decode(&record, &insn);
        const dve_format_info *format = dve_format(insn.format);
        const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
        for (unsigned f = 1; f < format->fields; f++)
            for (unsigned i = 0; field[f].width == 32 && i < 1000; i++)
                field_holds(&insn, &field[f], i < 32 ? 1u << i : random_bits(&r));
    }
}

/* Encoding takes only the low bits of a value that is wider than its field. */
static void values_too_wide(void **state)
{
    (void)state;
    dve_record base, record;
    dve_insn insn;
    record_base(0x6c, &base);
    dve_decode(&base, &insn);
    insn.value[DVE_SLOT_S4D2_BN_num_active_channels] |= 0xffffff00u;
    insn.value[DVE_SLOT_S4D2_BN_src_num0] |= 0xffff0000u;
    dve_encode(&insn, &record);
    assert_memory_equal(&record, &base, sizeof record);
    insn.format = 0xee;                          /* no such format: the frame, and no payload that is known */
    dve_encode(&insn, &record);
    assert_memory_equal(&record, &base, 12);
}

/* The frame has the same slots in every format. */
static void frame_slots(void **state)
{
    (void)state;
    size_t rows;
    for (size_t o = 0; o < record_opcode_count; o++) {
        dve_record record;
        dve_insn insn;
        record_base(record_opcodes[o], &record);
        for (unsigned b = 1; b < 12; b++)
            record.byte[b] = (uint8_t)(0xa0 + b);
        dve_decode(&record, &insn);
        assert_int_equal(dve_insn_opcode(&insn), record_opcodes[o]);
        assert_int_equal(insn.value[DVE_SLOT_RAW_inst_word_len], 0xa1);
        assert_int_equal(insn.value[DVE_SLOT_RAW_wait_mode], 0xa4);
        assert_int_equal(insn.value[DVE_SLOT_RAW_update_idx], 0xa7);
        assert_int_equal(insn.value[DVE_SLOT_RAW_semaphore_value], 0xabaaa9a8u);
        for (unsigned slot = dve_format(insn.format)->slots; slot < DVE_MAX_SLOTS; slot++)
            assert_int_equal(insn.value[slot], 0);
    }
    assert_true(dve_isa_fields(&rows)[DVE_FIELD_RAW_payload].slots == 13);
}

/* ---- Patterns ---- */

static void patterns_of_operands(void **state)
{
    (void)state;
    dve_record record;
    dve_insn insn;
    dve_pattern p;
    size_t rows;
    const dve_operand_info *operands = dve_isa_operands(&rows) + dve_format(DVE_FORMAT_S4D2_BN)->first_operand;
    record_base(0x6e, &record);
    SET(&record, S4D2_BN_src_start_addr, 0x01800104);
    SET(&record, S4D2_BN_src_step0, 0xffff);
    SET(&record, S4D2_BN_src_step1, 0x8000);
    SET(&record, S4D2_BN_src_step2, 0x7fff);
    SET(&record, S4D2_BN_src_step3, 0);
    SET(&record, S4D2_BN_src_num1, 0xffff);
    SET(&record, S4D2_BN_src_num2, 2);
    SET(&record, S4D2_BN_src_num3, 0);
    dve_decode(&record, &insn);
    dve_insn_pattern(&insn, &operands[0], &p);
    static const int16_t steps[] = {-1, -32768, 32767, 0};
    static const uint16_t nums[] = {16, 65535, 2, 0};
    assert_int_equal(p.addr, 0x01800104);
    assert_int_equal(p.dims, 4);
    assert_int_equal(p.dtype, DVE_DTYPE_FP32);
    assert_memory_equal(p.step, steps, sizeof steps);
    assert_memory_equal(p.num, nums, sizeof nums);
    assert_int_equal(dve_pattern_count(&p), 0);
    dve_insn_pattern(&insn, &operands[1], &p);
    assert_int_equal(p.dims, 2);
    assert_int_equal(p.dtype, DVE_DTYPE_UINT16);
    assert_int_equal(p.num[2], 1);               /* dimensions that the operand lacks */
    assert_int_equal(p.step[3], 0);
    assert_int_equal(dve_pattern_count(&p), 8);
}

static void largest_counts(void **state)
{
    (void)state;
    dve_pattern p = {.num = {65535, 65535, 65535, 65535}, .step = {32767, -32768, 32767, -32768}, .dims = 4};
    int64_t low, high;
    assert_true(dve_pattern_count(&p) == UINT64_C(65535) * 65535 * 65535 * 65535);
    dve_pattern_extent(&p, 4, &low, &high);
    assert_true(low == 2 * INT64_C(-32768) * 65534 * 4);
    assert_true(high == 2 * INT64_C(32767) * 65534 * 4 + 3);
    dve_pattern_extent(&p, 0, &low, &high);
    assert_true(low == 0 && high == 0);
}

static void visit_all(const dve_pattern *p, int64_t size, int64_t *low, int64_t *high, uint64_t *count)
{
    *low = INT64_MAX;
    *high = INT64_MIN;
    *count = 0;
    for (int64_t w = 0; w < p->num[3]; w++)
        for (int64_t z = 0; z < p->num[2]; z++)
            for (int64_t y = 0; y < p->num[1]; y++)
                for (int64_t x = 0; x < p->num[0]; x++) {
                    int64_t at = size * (x * p->step[0] + y * p->step[1] + z * p->step[2] + w * p->step[3]);
                    *low = at < *low ? at : *low;
                    *high = at + size - 1 > *high ? at + size - 1 : *high;
                    ++*count;
                }
}

/* Extents and counts against a visit of every element. */
static void extents(void **state)
{
    (void)state;
    test_random r = {SEED + 3};
    for (unsigned i = 0; i < 100000; i++) {
        dve_pattern p = {.dims = 4};
        int64_t low, high, want_low, want_high;
        uint64_t count;
        uint32_t size = 1u << random_below(&r, 3);
        for (unsigned d = 0; d < 4; d++) {
            p.num[d] = (uint16_t)random_below(&r, 7);
            p.step[d] = (int16_t)(random_chance(&r, 50) ? (int)random_below(&r, 65536) - 32768
                                                         : (int)random_below(&r, 9) - 4);
        }
        visit_all(&p, size, &want_low, &want_high, &count);
        assert_true(dve_pattern_count(&p) == count);
        dve_pattern_extent(&p, size, &low, &high);
        if (count == 0)
            assert_true(low == 0 && high == 0);
        else if (low != want_low || high != want_high)
            fail_msg("seed %d pattern %u: extent %lld..%lld, elements lie in %lld..%lld", SEED, i, (long long)low,
                     (long long)high, (long long)want_low, (long long)want_high);
    }
}

/* ---- Places ---- */

static void places(void **state)
{
    (void)state;
    test_random r = {SEED + 4};
    for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++)
        for (unsigned i = 0; i < 200000; i++) {
            uint32_t word = random_bits(&r) >> random_below(&r, 10), address = word & DVE_ADDR_MASK;
            dve_place place;
            int inside = dve_addr_place(word, gen, &place);
            assert_int_equal(inside, address < DVE_PSUM_END);
            if (!inside) {
                assert_true(place.partition == 0 && place.offset == 0 && place.space == DVE_SPACE_SBUF);
                continue;
            }
            assert_true(place.partition < DVE_LANES);
            assert_int_equal(place.space == DVE_SPACE_PSUM, address >= DVE_PSUM_BASE);
            assert_true(place.offset < (place.space == DVE_SPACE_PSUM ? 0x8000u : 0x40000u));
            assert_int_equal(dve_place_addr(&place, gen), address);
        }
}

/* Worked address words. */
static void printed_places(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        dve_place place;
    } rows[] = {
        {0x00800000, {DVE_SPACE_SBUF, 32, 0}},      {0x01000004, {DVE_SPACE_SBUF, 64, 4}},
        {0x01800100, {DVE_SPACE_SBUF, 96, 0x100}},  {0x00040000, {DVE_SPACE_SBUF, 1, 0}},
        {0x02000000, {DVE_SPACE_PSUM, 0, 0}},       {0x02100800, {DVE_SPACE_PSUM, 32, 0x800}},
        {0x02203fff, {DVE_SPACE_PSUM, 64, 0x3fff}}, {0x02300000, {DVE_SPACE_PSUM, 96, 0}},
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
            dve_place place;
            assert_true(dve_addr_place(rows[i].word, gen, &place));
            assert_memory_equal(&place, &rows[i].place, sizeof place);
            assert_int_equal(dve_place_addr(&rows[i].place, gen), rows[i].word);
        }
    dve_place place;
    assert_false(dve_addr_place(0, 1, &place));
    assert_false(dve_addr_place(0, 6, &place));
    assert_int_equal(dve_place_addr(&rows[0].place, 6), 0);
    assert_int_equal(dve_addr_marker(0xc0000005), DVE_ADDR_MARKER_ADDR_SHAPE_REG);
    assert_true(dve_addr_shape_register(0x40000000) && !dve_addr_shape_register(0x80000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_opcode_every_bit),
        cmocka_unit_test(a_million_random_records),
        cmocka_unit_test(every_value_of_small_fields),
        cmocka_unit_test(wide_fields),
        cmocka_unit_test(values_too_wide),
        cmocka_unit_test(frame_slots),
        cmocka_unit_test(patterns_of_operands),
        cmocka_unit_test(largest_counts),
        cmocka_unit_test(extents),
        cmocka_unit_test(places),
        cmocka_unit_test(printed_places),
    };
    return cmocka_run_group_tests_name("codec", tests, NULL, NULL);
}
