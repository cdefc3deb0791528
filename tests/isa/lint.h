/* SPDX-License-Identifier: Apache-2.0 */
/* Does the instruction set make sense as tables? The compiler cannot see that a bit is claimed twice or that
 * a rule speaks of another format's field; lint can. It takes any tables, so that tests can break them. */
#ifndef TEST_LINT_H
#define TEST_LINT_H

#include <opendve/isa.h>

/* Which assumption stands behind a row that rests on a ruling: a rule's id, an enum's name or a
 * generation's name, and the assumption's id. NULL: the ruling only chooses among observed sources. */
typedef struct lint_cover {
    const char *row, *assumption;
} lint_cover;

typedef struct lint_tables {
    const dve_generation_info *generations;
    const dve_dtype_info *dtypes;
    const dve_enum_info *enums;
    const dve_opcode_info *opcodes;
    const dve_format_info *formats;
    const dve_field_info *fields;
    const dve_operand_info *operands;
    const dve_dtype_set_info *dtype_sets;
    const dve_rule_info *rules;
    const dve_assumption_info *assumptions;
    const dve_source_info *sources;
    const lint_cover *covers;
    size_t generation_count, dtype_count, enum_count, opcode_count, format_count, field_count, operand_count,
        dtype_set_count, rule_count, assumption_count, source_count, cover_count;
} lint_tables;

/* The library's own tables. */
void lint_real(lint_tables *out);

/* Called for every problem: what is wrong, and the row. */
typedef void lint_report(void *context, const char *problem, const char *row);

/* How many problems there are. */
size_t lint(const lint_tables *tables, lint_report *report, void *context);

/* ---- Between lint.c and lint_rules.c ---- */

typedef struct linter {
    const lint_tables *t;
    lint_report *report;
    void *context;
    size_t problems;
} linter;

void lint_problem(linter *l, const char *problem, const char *row);
/* Four marks of `letters`, at least one present, none absent between two present. */
void lint_marks(linter *l, const char *marks, const char *letters, const char *row);
/* Known source keys, separated by commas, and a confidence letter. */
void lint_origin(linter *l, const char *source, char conf, const char *row);
/* A row that rests on a ruling has an assumption that says so. */
void lint_ruling(linter *l, const char *source, int assumed, const char *row);
void lint_formats(linter *l);
void lint_operands(linter *l);
void lint_ruled(linter *l);

#endif
