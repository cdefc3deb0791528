/* SPDX-License-Identifier: Apache-2.0 */
/* The library's tables pass the linter; every table that is broken on purpose does not. */
#include "lint.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies that may be written. */
typedef struct copies {
    lint_tables tables;
    dve_generation_info *generations;
    dve_dtype_info *dtypes;
    dve_enum_info *enums;
    dve_opcode_info *opcodes;
    dve_format_info *formats;
    dve_field_info *fields;
    dve_operand_info *operands;
    dve_dtype_set_info *dtype_sets;
    dve_rule_info *rules;
    dve_assumption_info *assumptions;
    dve_source_info *sources;
} copies;

static void *copy_of(const void *rows, size_t count, size_t size)
{
    void *copy = malloc(count * size);
    assert_non_null(copy);
    memcpy(copy, rows, count * size);
    return copy;
}

#define TABLES(X)                                                                                              \
    X(generation) X(dtype) X(enum) X(opcode) X(format) X(field) X(operand) X(dtype_set) X(rule) X(assumption) \
    X(source)

static void copy_all(copies *t)
{
    lint_real(&t->tables);
#define COPY(name)                                                                                \
    t->name##s = copy_of(t->tables.name##s, t->tables.name##_count, sizeof t->tables.name##s[0]); \
    t->tables.name##s = t->name##s;
    TABLES(COPY)
#undef COPY
}

static void free_all(copies *t)
{
#define FREE(name) free(t->name##s);
    TABLES(FREE)
#undef FREE
}

/* ---- Rows by what they hold ---- */

static dve_opcode_info *opcode(copies *t, uint8_t value)
{
    for (size_t i = 0; i < t->tables.opcode_count; i++)
        if (t->opcodes[i].value == value)
            return &t->opcodes[i];
    fail_msg("no opcode 0x%02x to break", value);
    return NULL;
}

static dve_dtype_info *dtype(copies *t, const char *name)
{
    for (size_t i = 0; i < t->tables.dtype_count; i++)
        if (strcmp(t->dtypes[i].name, name) == 0)
            return &t->dtypes[i];
    fail_msg("no data type %s to break", name);
    return NULL;
}

static dve_enum_info *member(copies *t, const char *set, const char *name)
{
    for (size_t i = 0; i < t->tables.enum_count; i++)
        if (strcmp(t->enums[i].set, set) == 0 && strcmp(t->enums[i].name, name) == 0)
            return &t->enums[i];
    fail_msg("no %s %s to break", set, name);
    return NULL;
}

static dve_operand_info *operand(copies *t, uint8_t format, const char *name)
{
    for (size_t i = 0; i < t->tables.operand_count; i++)
        if (t->operands[i].format == format && strcmp(t->operands[i].name, name) == 0)
            return &t->operands[i];
    fail_msg("no operand %s to break", name);
    return NULL;
}

static dve_source_info *source(copies *t, const char *key)
{
    for (size_t i = 0; i < t->tables.source_count; i++)
        if (strcmp(t->sources[i].key, key) == 0)
            return &t->sources[i];
    fail_msg("no source %s to break", key);
    return NULL;
}

/* ---- The broken tables ---- */

#define BROKEN(name, problem, row, ...) static void break_##name(copies *t) { __VA_ARGS__; }
#define SPREADS BROKEN
#include "broken.def"

typedef struct broken {
    const char *name, *problem, *row;
    int spreads;
    void (*make)(copies *t);
} broken;

static const broken cases[] = {
#define BROKEN(name, problem, row, ...) {#name, problem, row, 0, break_##name},
#define SPREADS(name, problem, row, ...) {#name, problem, row, 1, break_##name},
#include "broken.def"
};

typedef struct findings {
    const broken *wanted;
    size_t right, wrong;
    char wrong_text[160];
} findings;

static void compare(void *context, const char *problem, const char *row)
{
    findings *f = context;
    if (strcmp(problem, f->wanted->problem) == 0 && strcmp(row, f->wanted->row) == 0) {
        f->right++;
        return;
    }
    if (f->wrong++ == 0)
        snprintf(f->wrong_text, sizeof f->wrong_text, "%s: %s", row, problem);
}

static void broken_tables_are_refused(void **state)
{
    (void)state;
    assert_true(LENGTH(cases) >= 40);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        copies t;
        findings f = {&cases[i], 0, 0, ""};
        copy_all(&t);
        cases[i].make(&t);
        size_t problems = lint(&t.tables, compare, &f);
        if (!f.right || (!cases[i].spreads && problems != 1))
            fail_msg("%s: \"%s: %s\" found %zu times, beside %zu others (%s)", cases[i].name, cases[i].row,
                     cases[i].problem, f.right, f.wrong, f.wrong_text);
        free_all(&t);
    }
}

static void print(void *context, const char *problem, const char *row)
{
    (void)context;
    print_error("%s: %s\n", row, problem);
}

static void real_tables_pass(void **state)
{
    (void)state;
    lint_tables tables;
    lint_real(&tables);
    assert_int_equal(lint(&tables, print, NULL), 0);
    assert_true(tables.opcode_count > 150 && tables.rule_count > 80 && tables.source_count > 80);
    assert_int_equal(lint(&tables, NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_tables_pass), cmocka_unit_test(broken_tables_are_refused)};
    return cmocka_run_group_tests_name("lint", tests, NULL, NULL);
}
