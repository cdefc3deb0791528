/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of layouts leave out no member: what lies between two of them is only what alignment needs. */
#include "test.h"
#include <opendve/opendve.h>
#include <string.h>

static const dve_layout *rows(size_t *count)
{
    const dve_layout *row = dve_layouts(count);
    assert_true(*count > 100);
    return row;
}

static const dve_layout *find(const char *structure, const char *member)
{
    size_t count;
    const dve_layout *row = rows(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(row[i].structure, structure) == 0 && strcmp(row[i].member, member) == 0)
            return &row[i];
    fail_msg("no row %s.%s", structure, member);
    return NULL;
}

/* What an element's type needs: its size, or for a structure at most a word. */
static uint32_t alignment(const dve_layout *row)
{
    if (row->kind == DVE_LAYOUT_MEMBER)
        return (uint32_t)sizeof(uint64_t);
    return row->kind == DVE_LAYOUT_TEXT ? 1 : row->size;
}

static void test_no_member_is_missing(void **state)
{
    (void)state;
    size_t count;
    const dve_layout *row = rows(&count);
    for (size_t i = 0, own = 0, end = 0; i <= count; i++) {
        int whole = i == count || row[i].kind == DVE_LAYOUT_STRUCTURE;
        if (whole && i && row[own].size - end >= sizeof(uint64_t))
            fail_msg("%s: %u bytes, members end at %zu", row[own].structure, row[own].size, end);
        if (whole) {
            own = i;
            end = 0;
            continue;
        }
        assert_string_equal(row[i].structure, row[own].structure);
        if (row[i].offset >= end && row[i].offset - end >= alignment(&row[i]))
            fail_msg("%s: a gap before %s", row[i].structure, row[i].member);
        size_t last = (size_t)row[i].offset + (size_t)row[i].size * row[i].count;
        end = last > end ? last : end;
        assert_true(end <= row[own].size);
    }
}

static void test_rows_say_what_the_compiler_says(void **state)
{
    (void)state;
    const dve_layout *row = find("dve_insn", "value");
    assert_int_equal(row->offset, offsetof(dve_insn, value));
    assert_int_equal(row->size, 4);
    assert_int_equal(row->count, DVE_MAX_SLOTS);
    assert_int_equal(row->kind, DVE_LAYOUT_UNSIGNED);
    row = find("dve_lower_axis", "step");
    assert_int_equal(row->kind, DVE_LAYOUT_SIGNED);
    row = find("dve_lower_value", "number");
    assert_int_equal(row->kind, DVE_LAYOUT_FLOAT);
    assert_int_equal(row->offset, find("dve_lower_value", "mask")->offset);
    row = find("dve_machine_config", "settings");
    assert_int_equal(row->kind, DVE_LAYOUT_MEMBER);
    assert_string_equal(row->of, "dve_settings");
    row = find("dve_layout", "");
    assert_int_equal(row->size, sizeof(dve_layout));
    row = find("dve_error", "text");
    assert_int_equal(row->kind, DVE_LAYOUT_TEXT);
    assert_int_equal(row->count, sizeof(dve_error));
}

static void test_constants(void **state)
{
    (void)state;
    size_t count, found = 0;
    const dve_constant *constant = dve_constants(&count);
    for (size_t i = 0; i < count; i++) {
        found += strcmp(constant[i].name, "DVE_LANES") == 0 && constant[i].value == 128;
        found += strcmp(constant[i].name, "DVE_OPERAND_NONE") == 0 && constant[i].value == 0xff;
    }
    assert_int_equal(found, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_member_is_missing),
        cmocka_unit_test(test_rows_say_what_the_compiler_says),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
