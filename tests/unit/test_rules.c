/* SPDX-License-Identifier: Apache-2.0 */
/* Every rule on every generation that it marks: a record that breaks it alone, and one that differs in a
 * single field and breaks nothing (rules_examples.def). */
#include "records.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

enum { NOTHING = 0xfffe };

typedef struct example {
    uint16_t rule;
    const char *gens;
    uint8_t opcode;
    struct {
        uint16_t field;
        uint32_t value;
    } given[3];
    uint16_t field, also[2];
    uint32_t bad, good;
} example;

enum { DVE_FIELD_NOTHING = NOTHING };
static const example examples[] = {
#define GIVEN(field, value) {DVE_FIELD_##field, value}
#define ROW(rule, gens, opcode, given0, given1, given2, field, also0, also1, bad, good)                             \
    {DVE_RULE_##rule, gens, opcode, {given0, given1, given2}, DVE_FIELD_##field, {DVE_FIELD_##also0, DVE_FIELD_##also1}, \
     bad, good},
#define EXAMPLE(rule, gens, opcode, given, value, field, bad, good)                                        \
    ROW(rule, gens, opcode, GIVEN(given, value), GIVEN(NOTHING, 0), GIVEN(NOTHING, 0), field, NOTHING, NOTHING, bad, good)
#define EXAMPLE2(rule, gens, opcode, given0, value0, given1, value1, field, bad, good)                     \
    ROW(rule, gens, opcode, GIVEN(given0, value0), GIVEN(given1, value1), GIVEN(NOTHING, 0), field, NOTHING, NOTHING, bad, good)
#define EXAMPLE3(rule, gens, opcode, given0, value0, given1, value1, given2, value2, field, bad, good)     \
    ROW(rule, gens, opcode, GIVEN(given0, value0), GIVEN(given1, value1), GIVEN(given2, value2), field, NOTHING, NOTHING, bad, good)
#define TOGETHER(rule, gens, opcode, given0, value0, given1, value1, field, also0, also1, bad, good)       \
    ROW(rule, gens, opcode, GIVEN(given0, value0), GIVEN(given1, value1), GIVEN(NOTHING, 0), field, also0, also1, bad, good)
#include "rules_examples.def"
};

static const dve_rule_info *rule_row(uint16_t rule)
{
    size_t count;
    return &dve_isa_rules(&count)[rule];
}

static size_t check(const dve_record *record, uint8_t gen, dve_diag diags[DVE_MAX_DIAGS])
{
    dve_insn insn;
    dve_decode(record, &insn);
    return dve_check(&insn, gen, diags, DVE_MAX_DIAGS);
}

/* The example's record with the field at a value. */
static dve_record made(const example *e, uint32_t value)
{
    dve_record record;
    record_base(e->opcode, &record);
    for (size_t i = 0; i < LENGTH(e->given); i++)
        if (e->given[i].field != NOTHING)
            record_set(&record, e->given[i].field, e->given[i].value);
    record_set(&record, e->field, value);
    for (size_t i = 0; i < LENGTH(e->also); i++)
        if (e->also[i] != NOTHING)
            record_set(&record, e->also[i], value);
    return record;
}

static void try_example(const example *e, uint8_t gen)
{
    dve_diag diags[DVE_MAX_DIAGS];
    const char *id = rule_row(e->rule)->id;
    dve_record bad = made(e, e->bad), good = made(e, e->good);
    size_t broken = check(&good, gen, diags);
    if (broken)
        fail_msg("gen%u: the good record of %s breaks %s\n  %s", gen, id, rule_row(diags[0].rule)->id,
                 record_text(&good));
    broken = check(&bad, gen, diags);
    if (broken != 1 || diags[0].rule != e->rule)
        fail_msg("gen%u: the bad record of %s breaks %zu rules, first %s\n  %s", gen, id, broken,
                 broken ? rule_row(diags[0].rule)->id : "none", record_text(&bad));
    assert_int_equal(diags[0].gen, gen);
    assert_true(diags[0].byte < DVE_RECORD_BYTES);
    assert_non_null(diags[0].field);
}

static void examples_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(examples); i++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++)
            if (dve_marked(examples[i].gens, gen))
                try_example(&examples[i], gen);
}

static void every_rule_has_examples(void **state)
{
    (void)state;
    size_t count;
    const dve_rule_info *rules = dve_isa_rules(&count);
    for (size_t rule = 0; rule < count; rule++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
            int found = 0;
            for (size_t i = 0; i < LENGTH(examples); i++)
                found |= examples[i].rule == rule && dve_marked(examples[i].gens, gen);
            if (!found && dve_marked(rules[rule].gens, gen))
                fail_msg("gen%u: rule %s has no example", gen, rules[rule].id);
        }
}

/* Rules between two fields may be mended in either. */
static int relates_fields(uint16_t rule)
{
    switch (rule_row(rule)->predicate) {
    case DVE_PREDICATE_START_PARTITION: case DVE_PREDICATE_PSUM_WRITE: case DVE_PREDICATE_COUNT_SAME:
    case DVE_PREDICATE_COUNT_COLLAPSED: case DVE_PREDICATE_STATE_WORDS:
        return 1;
    default:
        return 0;
    }
}

/* Findings point at the ruled field where the rule names one. */
static void findings_point_at_the_field(void **state)
{
    (void)state;
    size_t rows;
    const dve_field_info *fields = dve_isa_fields(&rows);
    for (size_t i = 0; i < LENGTH(examples); i++) {
        const example *e = &examples[i];
        const dve_rule_info *rule = rule_row(e->rule);
        dve_diag diags[DVE_MAX_DIAGS];
        uint8_t gen = (uint8_t)(DVE_GEN_FIRST + (strchr(e->gens, 'Y') - e->gens));
        dve_record bad = made(e, e->bad);
        assert_int_equal(check(&bad, gen, diags), 1);
        if (rule->field != DVE_FIELD_NONE && strcmp(diags[0].field, fields[rule->field].name) == 0) {
            assert_int_equal(diags[0].byte, fields[rule->field].byte);
            assert_int_equal(diags[0].value, record_get(&bad, rule->field));
        } else {                                 /* an operand, or the field that the example changes */
            const char *name = fields[e->field].name;
            assert_true(strncmp(name, diags[0].field, strlen(diags[0].field)) == 0 || relates_fields(e->rule));
        }
    }
}

static void base_records_are_legal(void **state)
{
    (void)state;
    dve_diag diags[DVE_MAX_DIAGS];
    for (size_t i = 0; i < record_opcode_count; i++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
            dve_record record;
            record_base(record_opcodes[i], &record);
            size_t broken = check(&record, gen, diags);
            assert_int_equal(broken, !dve_opcode_present(record_opcodes[i], gen));
        }
    assert_true(dve_opcode(record_opcodes[record_opcode_count - 1])->format == DVE_FORMAT_RAW);
}

static void all_broken_rules_are_reported(void **state)
{
    (void)state;
    static const uint16_t wanted[] = {DVE_RULE_inst_word_len, DVE_RULE_wait_mode, DVE_RULE_reserved_zero,
                                      DVE_RULE_addr_aligned, DVE_RULE_find_index8_out_dtype,
                                      DVE_RULE_find_index8_src_count, DVE_RULE_find_index8_odd_count};
    dve_record record;
    dve_diag diags[DVE_MAX_DIAGS];
    record_base(0x6e, &record);
    SET(&record, RAW_inst_word_len, 0);
    SET(&record, RAW_wait_mode, 0xff);
    record.byte[39] = 1;
    SET(&record, S4D2_BN_src_start_addr, 2);
    SET(&record, S4D2_BN_out_dtype, DVE_DTYPE_INT16);
    SET(&record, S4D2_BN_src_num0, 7);
    SET(&record, S4D2_BN_odd_count, 1);
    assert_int_equal(check(&record, 3, diags), LENGTH(wanted));
    for (size_t i = 0; i < LENGTH(wanted); i++)
        assert_int_equal(diags[i].rule, wanted[i]);
    assert_int_equal(diags[2].byte, 39);
    assert_string_equal(diags[2].field, "reserved0");
}

/* Capacity bounds what is written, not what is counted. */
static void capacity(void **state)
{
    (void)state;
    dve_record record;
    dve_diag diags[4];
    dve_insn insn;
    record_base(0x6e, &record);
    SET(&record, RAW_inst_word_len, 0);
    SET(&record, RAW_wait_mode, 0xff);
    SET(&record, RAW_update_mode, 0xff);
    dve_decode(&record, &insn);
    memset(diags, 0x5a, sizeof diags);
    assert_int_equal(dve_check(&insn, 3, diags, 2), 3);
    assert_int_equal(diags[1].rule, DVE_RULE_wait_mode);
    assert_int_equal(diags[2].byte, 0x5a);
    assert_int_equal(dve_check(&insn, 3, NULL, 64), 3);
    assert_int_equal(dve_check(&insn, 3, diags, 0), 3);
}

/* No record breaks more than DVE_MAX_DIAGS rules: all bytes wrong is as bad as it gets. */
static void findings_fit(void **state)
{
    (void)state;
    static const uint8_t fills[] = {0x00, 0x01, 0x3f, 0x7f, 0x80, 0xff};
    for (unsigned opcode = 0; opcode < 256; opcode++)
        for (size_t i = 0; i < LENGTH(fills); i++)
            for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
                dve_record record;
                dve_diag diags[DVE_MAX_DIAGS];
                memset(&record, fills[i], sizeof record);
                record.byte[0] = (uint8_t)opcode;
                assert_in_range(check(&record, gen, diags), 1, DVE_MAX_DIAGS);
            }
}

static void unknown_generations_have_no_opcodes(void **state)
{
    (void)state;
    static const uint8_t gens[] = {0, 1, 6, 255};
    for (size_t i = 0; i < LENGTH(gens); i++) {
        dve_record record;
        dve_diag diags[DVE_MAX_DIAGS];
        record_base(0x6c, &record);
        assert_int_equal(check(&record, gens[i], diags), 1);
        assert_int_equal(diags[0].rule, DVE_RULE_opcode_present);
    }
}

/* ---- Single flipped bits ---- */

/* How many named fields of two records of one format differ; *which the last. */
static unsigned fields_that_differ(const dve_insn *a, const dve_insn *b, const dve_field_info **which)
{
    size_t rows;
    const dve_format_info *format = dve_format(a->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    unsigned differ = 0;
    for (unsigned i = 0; i < format->fields; i++)
        if (memcmp(&a->value[field[i].slot], &b->value[field[i].slot], 4u * field[i].slots) != 0) {
            differ++;
            *which = &field[i];
        }
    return differ;
}

static void flip(const dve_record *base, unsigned bit, uint8_t gen)
{
    dve_record record = *base;
    dve_insn before, after;
    dve_diag diags[DVE_MAX_DIAGS];
    const dve_field_info *field = NULL;
    record.byte[bit / 8] ^= (uint8_t)(1u << bit % 8);
    dve_decode(base, &before);
    dve_decode(&record, &after);
    if (bit < 8) {                               /* the opcode: another instruction, perhaps another format */
        assert_int_not_equal(dve_insn_opcode(&before), dve_insn_opcode(&after));
        return;
    }
    if (before.format != after.format) {         /* another sub-operation */
        assert_int_equal(bit / 8, 12);
        assert_int_equal(dve_insn_opcode(&before), DVE_OPCODE_EXTENDED_INST);
        return;
    }
    assert_int_equal(fields_that_differ(&before, &after, &field), 1);
    assert_in_range(bit, 8u * field->byte + field->bit, 8u * field->byte + field->bit + field->width - 1);
    if (field->kind != DVE_KIND_ZERO)
        return;
    size_t broken = dve_check(&after, gen, diags, DVE_MAX_DIAGS), here = 0;
    while (here < broken && diags[here].rule != DVE_RULE_reserved_zero)
        here++;
    if (here == broken || diags[here].byte != bit / 8 || strcmp(diags[here].field, field->name) != 0)
        fail_msg("gen%u: bit %u of byte %u of a reserved field goes unseen\n  %s", gen, bit % 8, bit / 8,
                 record_text(&record));
    uint32_t mask = field->width < 8 ? (1u << field->width) - 1 : 0xff;
    assert_int_equal(diags[here].value, (uint32_t)record.byte[bit / 8] >> field->bit & mask);
}

static void every_bit_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < record_opcode_count; i++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++)
            for (unsigned bit = 0; bit < 8 * DVE_RECORD_BYTES; bit++) {
                dve_record record;
                record_base(record_opcodes[i], &record);
                if (dve_opcode_present(record_opcodes[i], gen))
                    flip(&record, bit, gen);
            }
}

/* Each reserved field is reported by itself, at its own first byte that is not zero. */
static void reserved_fields_one_by_one(void **state)
{
    (void)state;
    dve_record record;
    dve_diag diags[DVE_MAX_DIAGS];
    record_base(0x6d, &record);
    record.byte[13] = 7;
    record.byte[15] = 9;
    record.byte[33] = 1;
    record.byte[43] = 0xff;
    record.byte[63] = 2;
    assert_int_equal(check(&record, 3, diags), 4);
    static const uint8_t bytes[] = {13, 33, 43, 63}, values[] = {7, 1, 0xff, 2};
    static const char *const names[] = {"reserved0", "reserved1", "reserved2", "reserved3"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(diags[i].rule, DVE_RULE_reserved_zero);
        assert_int_equal(diags[i].byte, bytes[i]);
        assert_int_equal(diags[i].value, values[i]);
        assert_string_equal(diags[i].field, names[i]);
    }
}

/* What a register holds is judged as if it stood in the record. */
static void address_from_a_register(void **state)
{
    (void)state;
    static const uint32_t words[] = {0, 2, 4, 0x800000, 0x2000000, 0x2003fc0, 0x2003fc4, 0x2004000, 0x2400000,
                                     0x1ffffffc, 0x30000, 0x38000, 0x3ffc0, 0x3fffc};
    size_t rows;
    const dve_operand_info *operands = dve_isa_operands(&rows) + dve_format(DVE_FORMAT_S4D2_BN)->first_operand;
    for (unsigned which = 0; which < 2; which++)
        for (size_t i = 0; i < LENGTH(words); i++)
            for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
                dve_record record;
                dve_insn insn, direct;
                dve_diag a[DVE_MAX_DIAGS], b[DVE_MAX_DIAGS];
                record_base(which ? 0x6e : 0x6c, &record);
                dve_decode(&record, &direct);
                direct.value[operands[which].addr_slot] = words[i];
                insn = direct;
                insn.value[operands[which].addr_slot] = 0x80000005;
                assert_int_equal(dve_check(&insn, gen, a, DVE_MAX_DIAGS), 0);
                size_t broken = dve_check(&direct, gen, b, DVE_MAX_DIAGS);
                assert_int_equal(dve_check_address(&insn, &operands[which], words[i], gen, a, DVE_MAX_DIAGS), broken);
                for (size_t d = 0; d < broken; d++) {
                    assert_int_equal(a[d].rule, b[d].rule);
                    assert_int_equal(a[d].byte, b[d].byte);
                    assert_int_equal(a[d].value, b[d].value);
                    assert_string_equal(a[d].field, b[d].field);
                }
            }
}

/* A register that holds a word with a marker is refused, whatever the marker. */
static void marker_in_a_register(void **state)
{
    (void)state;
    size_t rows;
    const dve_operand_info *src = dve_isa_operands(&rows) + dve_format(DVE_FORMAT_S4D2_BN)->first_operand;
    for (uint32_t marker = 1; marker < 8; marker++) {
        dve_record record;
        dve_insn insn;
        dve_diag diags[DVE_MAX_DIAGS];
        record_base(0x6c, &record);
        dve_decode(&record, &insn);
        insn.value[src->addr_slot] = 0x80000005;
        size_t broken = dve_check_address(&insn, src, marker << 29, 3, diags, DVE_MAX_DIAGS);
        assert_true(broken >= 1);
        assert_int_equal(diags[0].rule, DVE_RULE_addr_marker);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_records_are_legal),      cmocka_unit_test(examples_hold),
        cmocka_unit_test(every_rule_has_examples),     cmocka_unit_test(findings_point_at_the_field),
        cmocka_unit_test(all_broken_rules_are_reported), cmocka_unit_test(capacity),
        cmocka_unit_test(findings_fit),                cmocka_unit_test(unknown_generations_have_no_opcodes),
        cmocka_unit_test(every_bit_is_named),          cmocka_unit_test(reserved_fields_one_by_one),
        cmocka_unit_test(address_from_a_register),     cmocka_unit_test(marker_in_a_register),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
