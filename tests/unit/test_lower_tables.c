/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of lowering, against the compiler's own strings and docs/lowering.md; how calls answer. */
#include "lowering.h"
#include "random.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

enum { VALUES = 0x4000, INDICES = 0x4100, DST = 0x8000, DATA = 0 };

static int sourced(const char *keys)
{
    size_t count;
    const dve_source_info *row = dve_isa_sources(&count);
    while (*keys) {
        size_t span = strcspn(keys, ","), i = 0;
        while (i < count && (strlen(row[i].key) != span || strncmp(row[i].key, keys, span) != 0))
            i++;
        if (i == count)
            return 0;
        keys += span + (keys[span] == ',');
    }
    return 1;
}

/* The strings that the compiler holds, byte for byte. */
static void compiler_maps(void **state)
{
    (void)state;
    static const uint8_t old[20] = {3, 2, 5, 0xd, 0xe, 0xe, 3, 0xf, 0xe, 0xf, 5, 4, 6, 7, 9, 8, 0xa, 0xb, 1, 0xc};
    static const uint8_t bytes[20] = {1, 1, 2, 1, 1, 1, 1, 1, 4, 4, 2, 2, 2, 2, 4, 4, 4, 4, 8, 8};
    size_t count;
    const dve_compiler_dtype_info *dtype = dve_compiler_dtypes(&count);
    assert_int_equal(count, 20);
    for (uint8_t i = 0; i < 20; i++) {
        dve_lower_code code;
        assert_true(dtype[i].ordinal == i && dtype[i].bytes == bytes[i] && sourced(dtype[i].source));
        for (uint8_t gen = 2; gen <= 5; gen++)
            assert_int_equal(dve_lower_dtype_wire(&(dve_lower_code){i, 1}, gen), i == 2 && gen >= 4 ? 0x10 : old[i]);
        assert_true(dve_lower_dtype_by_name(dtype[i].name, &code));
        assert_int_equal(dve_lower_dtype_wire(&code, 3), old[i]);
    }
    assert_int_equal(dve_lower_dtype_wire(&(dve_lower_code){20, 1}, 3), -1);
    assert_int_equal(dve_lower_dtype_wire(&(dve_lower_code){-1, 1}, 3), -1);
    assert_int_equal(dve_lower_dtype_wire(&(dve_lower_code){0x10, 0}, 3), -1);
    assert_int_equal(dve_lower_dtype_wire(&(dve_lower_code){0x10, 0}, 4), 0x10);
    static const int16_t operators[33] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                          18, 0x18, 0x13, 0x14, 0x16, 0x15, -1, -1, 0x1a, 0x1b, 0x1d, 0x19,
                                          0x20, 0x21, 0xc8};
    const dve_compiler_code_info *row = dve_compiler_operators(&count);
    assert_int_equal(count, 33);
    for (unsigned i = 0; i < 33; i++)
        assert_true(row[i].ordinal == i && row[i].wire == operators[i] &&
                    dve_marked(row[i].gens, 4) == (operators[i] >= 0) &&
                    dve_marked(row[i].gens, 3) == (operators[i] >= 0 && i < 30) && sourced(row[i].source));
    static const int16_t commands[6] = {0, 1, -1, 3, 2, 4};
    row = dve_compiler_accumulates(&count);
    assert_int_equal(count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_true(row[i].ordinal == i && row[i].wire == commands[i] && sourced(row[i].source));
}

static void tables(void **state)
{
    (void)state;
    size_t count, rows, refusals;
    const dve_lower_operation_info *operation = dve_lower_operations(&count);
    const dve_lower_operand_info *operand = dve_lower_operands(&rows);
    const dve_lower_refusal_info *refusal = dve_lower_refusals(&refusals);
    assert_int_equal(count, 16);
    size_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(operation[i].first_operand, sum);
        assert_true(sourced(operation[i].source) && dve_lower_operation(i) == &operation[i]);
        assert_ptr_equal(dve_lower_operation_by_name(operation[i].name), &operation[i]);
        for (unsigned o = 0; o < operation[i].operands; o++, sum++) {
            assert_int_equal(operand[sum].operation, i);
            assert_string_equal(operand[sum].name, dve_lower_operand_name(operand[sum].operand));
            assert_ptr_equal(dve_lower_operand_by_name(i, operand[sum].name), &operand[sum]);
            assert_true(operand[sum].with == DVE_OPERAND_NONE || dve_lower_operand(i, operand[sum].with));
            assert_true((*operand[sum].words != 0) == (operand[sum].role == DVE_ROLE_MODE));
        }
    }
    assert_int_equal(sum, rows);
    assert_null(dve_lower_operation((uint32_t)count));
    assert_null(dve_lower_operation_by_name("max"));
    assert_null(dve_lower_operand(DVE_LOWER_MAX, DVE_OPERAND_imm));
    assert_null(dve_lower_operand_name(DVE_OPERAND_NONE));
    for (size_t i = 0; i < refusals; i++)
        assert_true(sourced(refusal[i].source) &&
                    (refusal[i].status == DVE_E_INPUT || refusal[i].status == DVE_E_FINDING));
    assert_true(dve_lower_assumptions(DVE_LOWER_SELECT) == (dve_assumption_set)1 << DVE_ASSUMPTION_lower_select);
    assert_true(dve_lower_assumptions(DVE_LOWER_MAX) == 0);
}

/* ---- answers ---- */

static int stop_at_second(void *context, const dve_record *record)
{
    (void)record;
    return ++*(int *)context == 2;
}

static void refused_as(uint8_t refusal, dve_status status, const char *text)
{
    dve_lower_fault fault;
    dve_record record[3];
    char said[DVE_TEXT];
    size_t count = 9;
    assert_int_equal(dve_lower(&in, &(dve_lower_target){.gen = 3}, record, 3, &count, &fault), status);
    assert_int_equal(count, 0);
    assert_int_equal(fault.refusal, refusal);
    assert_string_equal(dve_lower_fault_text(&fault, said, sizeof said), text);
}

static void answers(void **state)
{
    (void)state;
    dve_lower_fault fault;
    dve_record record[3];
    size_t count;
    int calls = 0;
    begin(DVE_LOWER_MAX_INDEX, 128);
    SET_OPERAND(maxvals, T(VALUES, FP32, 8));
    SET_OPERAND(data, T(DATA, FP32, 64));
    SET_OPERAND(indices, T(INDICES, UINT32, 8));
    dve_lower_target target = {.gen = 3};
    memset(record, 0x55, sizeof record);
    assert_int_equal(dve_lower(&in, &target, record, 1, &count, &fault), DVE_OK);
    assert_true(count == 2 && record[0].byte[0] == 0x6d && record[1].byte[0] == 0x55);
    assert_int_equal(dve_lower(&in, &target, NULL, 0, &count, &fault), DVE_OK);
    assert_int_equal(count, 2);
    assert_int_equal(dve_lower_each(&in, &target, stop_at_second, &calls, &fault), DVE_E_OUTPUT);
    assert_int_equal(calls, 2);
    for (uint8_t gen = 0; gen < 8; gen++) {
        target.gen = gen;
        assert_int_equal(dve_lower(&in, &target, record, 3, &count, &fault), gen < 2 || gen > 5 ? DVE_E_USAGE : DVE_OK);
    }
    SET_OPERAND(dst, T(DST, FP32, 8));
    refused_as(DVE_LOWER_REFUSAL_not_taken, DVE_E_INPUT, "MaxIndex: dst was given, allowed not here [not_taken]");
    SET_OPERAND(dst, (dve_lower_value){.kind = DVE_LOWER_ABSENT});
    SET_OPERAND(data, NUMBER(1));
    refused_as(DVE_LOWER_REFUSAL_kind, DVE_E_INPUT,
               "MaxIndex: data has a value of another kind, allowed an access pattern [kind]");
    SET_OPERAND(data, (dve_lower_value){.kind = DVE_LOWER_ABSENT});
    refused_as(DVE_LOWER_REFUSAL_missing, DVE_E_INPUT, "MaxIndex: data is missing [missing]");
    begin(DVE_LOWER_MEMSET, 128);
    SET_OPERAND(dst, T(DST, FP32, 8));
    SET_OPERAND(value, NUMBER(0));
    SET_OPERAND(mode, INTEGER(2));
    refused_as(DVE_LOWER_REFUSAL_mode, DVE_E_INPUT, "Memset: mode is mode 2, allowed the modes Const Random [mode]");
    SET_OPERAND(mode, INTEGER(-1));
    assert_int_equal(dve_lower_form(&in, &fault), DVE_E_INPUT);
    SET_OPERAND(mode, INTEGER(1));
    assert_int_equal(dve_lower_form(&in, &fault), DVE_OK);
    in.operand[DVE_OPERAND_dst].access.dtype.number = 0x99;
    refused_as(DVE_LOWER_REFUSAL_dtype, DVE_E_FINDING,
               "Memset: dst has data type 153, which has no wire code, allowed the compiler's 0..19 [dtype]");
    in.operation = DVE_LOWER_OPERATIONS;
    assert_int_equal(dve_lower(&in, &(dve_lower_target){.gen = 3}, record, 3, &count, &fault), DVE_E_USAGE);
    /* The most records: one element in 65535 needs its own load. */
    begin(DVE_LOWER_GATHER, 1);
    SET_OPERAND(data, T(DATA, UINT8, 65535));
    SET_OPERAND(indices, T(DATA, UINT32, 8));
    SET_OPERAND(dst, T(DST, UINT8, 8));
    assert_int_equal(dve_lower(&in, &(dve_lower_target){.gen = 3}, NULL, 0, &count, &fault), DVE_OK);
    assert_int_equal(count, DVE_LOWER_MAX_RECORDS);
}

/* Overlap is told exactly, by every byte: small walks against a list of their bytes. */
static void overlaps(void **state)
{
    (void)state;
    test_random r = {9};
    unsigned found = 0, apart = 0;
    for (int round = 0; round < 4000; round++) {
        uint8_t touched[2048] = {0};
        int overlap = 0;
        begin(DVE_LOWER_SELECT, 1);
        SET_OPERAND(dst, T(1000 + random_below(&r, 32), FP32, 1));
        SET_OPERAND(pred, T(1000 + random_below(&r, 32), UINT8, 1));
        in.operand[DVE_OPERAND_pred].access.dtype.number = round % 2 ? DVE_DTYPE_UINT8 : DVE_DTYPE_UINT16;
        SET_OPERAND(on_true, NUMBER(0));
        SET_OPERAND(on_false, NUMBER(0));
        for (unsigned which = 0; which < 2; which++) {
            dve_lower_access *a = &in.operand[which ? DVE_OPERAND_pred : DVE_OPERAND_dst].access;
            int size = !which ? 4 : round % 2 ? 1 : 2;
            a->axes = 3;
            for (unsigned d = 0; d < 3; d++)
                a->axis[d] = (dve_lower_axis){(int)random_below(&r, 17) - 8, 1 + random_below(&r, 3)};
            for (int64_t n = 0; n < a->axis[0].count * a->axis[1].count * a->axis[2].count; n++) {
                int64_t x = n % a->axis[0].count, y = n / a->axis[0].count % a->axis[1].count,
                        z = n / a->axis[0].count / a->axis[1].count;
                int64_t at = a->offset + size * (x * a->axis[0].step + y * a->axis[1].step + z * a->axis[2].step);
                for (int b = 0; b < size; b++) {
                    overlap |= which && touched[at + b];
                    touched[at + b] |= !which;
                }
            }
        }
        dve_lower_fault fault;
        size_t count;
        dve_status status = dve_lower(&in, &(dve_lower_target){.gen = 3}, NULL, 0, &count, &fault);
        assert_int_equal(status, overlap ? DVE_E_FINDING : DVE_OK);
        *(overlap ? &found : &apart) += 1;
    }
    assert_true(found > 300 && apart > 300);
    in.operand[DVE_OPERAND_pred].access.partition = 32;
    in.operand[DVE_OPERAND_pred].access.offset = in.operand[DVE_OPERAND_dst].access.offset;
    dve_lower_fault fault;
    size_t count;
    assert_int_equal(dve_lower(&in, &(dve_lower_target){.gen = 3}, NULL, 0, &count, &fault), DVE_OK);
    in.channels = 33;
    assert_int_equal(dve_lower(&in, &(dve_lower_target){.gen = 3}, NULL, 0, &count, &fault), DVE_E_FINDING);
}

/* Every row of the tables is a row of the page. */
static void in_page(const char *page, const char *line)
{
    const char *at = strstr(page, line);
    while (at && at > page && at[-1] != '\n')
        at = strstr(at + 1, line);
    if (!at)
        fail_msg("docs/lowering.md has no line that begins: %s", line);
}

static void document(void **state)
{
    (void)state;
    static char page[1 << 17];
    char line[1024];
    FILE *file = fopen(OPENDVE_SOURCE_DIR "/docs/lowering.md", "rb");
    assert_non_null(file);
    assert_true(fread(page, 1, sizeof page - 1, file) > 0 && !ferror(file) && feof(file));
    fclose(file);
    size_t count;
    const dve_lower_operation_info *operation = dve_lower_operations(&count);
    const dve_lower_operand_info *operand = dve_lower_operands(&count);
    for (unsigned i = 0; i < DVE_LOWER_OPERATIONS; i++) {
        snprintf(line, sizeof line, "## %s\n", operation[i].name);
        in_page(page, line);
        size_t used = (size_t)snprintf(line, sizeof line, "| %s | %d | ", operation[i].name, operation[i].number);
        for (unsigned o = 0; o < operation[i].operands; o++) {
            const dve_lower_operand_info *row = &operand[operation[i].first_operand + o];
            int optional = !row->required || row->with != DVE_OPERAND_NONE;
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s%s%s", o ? ", " : "", optional ? "[" : "",
                                     row->name, optional ? "]" : "");
        }
        for (const char *at = operation[i].records; *at; at++)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s%c", at == operation[i].records ? " | " : "",
                                     *at == '|' ? "\\" : "", *at);
        snprintf(line + used, sizeof line - used, " | %s |", dve_marked(operation[i].gens, 2) ? "gen2" : "gen3");
        in_page(page, line);
    }
    const dve_lower_refusal_info *refusal = dve_lower_refusals(&count);
    for (size_t i = 0; i < count; i++) {
        snprintf(line, sizeof line, "| %s | ", refusal[i].id);
        in_page(page, line);
    }
    const dve_compiler_dtype_info *dtype = dve_compiler_dtypes(&count);
    for (size_t i = 0; i < count; i++) {
        snprintf(line, sizeof line, "| %u | %s | %u | 0x%02x | 0x%02x |", dtype[i].ordinal, dtype[i].name,
                 dtype[i].bytes, (unsigned)dtype[i].wire, (unsigned)dtype[i].wire4);
        in_page(page, line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiler_maps), cmocka_unit_test(tables),   cmocka_unit_test(answers),
        cmocka_unit_test(overlaps),      cmocka_unit_test(document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
