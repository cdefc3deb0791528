/* SPDX-License-Identifier: Apache-2.0 */
/* Why lowering refused an instruction, in words. */
#include "text.h"
#include <inttypes.h>
#include <opendve/lower.h>
#include <string.h>

const char *dve_lower_role_text(dve_lower_role role)
{
    static const char *const texts[] = {
        "an access pattern", "a number, bits, or where the record can say so a pointer or a register",
        "an access pattern or a scalar", "an integer, bits, a pointer or a register", "an operator",
        "an accumulate command", "one of its words", "0 or 1", "a number", "32 lane numbers"};
    return (unsigned)role < sizeof texts / sizeof texts[0] ? texts[role] : "";
}

static void add_place(dve_line *line, const dve_lower_fault *f, const char *name, size_t length)
{
    const dve_lower_operation_info *operation = dve_lower_operation(f->operation);
    const dve_lower_operand_info *operand = dve_lower_operand(f->operation, f->operand);
    const char *other = dve_lower_operand_name(f->other);
    const dve_generation_info *gen = dve_generation(f->gen), *first = dve_generation(f->first_gen);
#define IS(word) (length == sizeof(word) - 1 && memcmp(name, word, length) == 0)
    if (IS("given"))
        dve_line_add(line, "%" PRId64, f->given);
    else if (IS("low"))
        dve_line_add(line, "%" PRId64, f->low);
    else if (IS("high"))
        dve_line_add(line, "%" PRId64, f->high);
    else if (IS("other"))
        dve_line_add(line, "%s", other ? other : "");
    else if (IS("gen"))
        dve_line_add(line, "%s", gen ? gen->name : "");
    else if (IS("first"))
        dve_line_add(line, "%s", first ? first->name : "no generation");
    else if (IS("instead") && operation && *operation->instead)
        dve_line_add(line, "; before, use %s", operation->instead);
    else if (IS("words") && operand)
        dve_line_add(line, "%s", operand->words);
    else if (IS("role") && operand)
        dve_line_add(line, "%s", dve_lower_role_text(operand->role));
#undef IS
}

/* The text of a row, with what stands in braces replaced. */
static void add_text(dve_line *line, const dve_lower_fault *f, const char *text)
{
    while (*text) {
        size_t span = strcspn(text, "{"), name = text[span] ? strcspn(text + span, "}") : 0;
        dve_line_add(line, "%.*s", (int)span, text);
        if (name)
            add_place(line, f, text + span + 1, name - 1);
        text += span + (name ? name + 1 : 0);
    }
}

static const dve_lower_refusal_info *refusal_of(const dve_lower_fault *f)
{
    size_t rows;
    const dve_lower_refusal_info *refusals = dve_lower_refusals(&rows);
    return f->refusal < rows ? &refusals[f->refusal] : NULL;
}

char *dve_lower_fault_found_text(const dve_lower_fault *f, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    if (refusal_of(f))
        add_text(&line, f, refusal_of(f)->text);
    return out;
}

char *dve_lower_fault_allowed_text(const dve_lower_fault *f, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    if (refusal_of(f))
        add_text(&line, f, refusal_of(f)->allowed);
    return out;
}

char *dve_lower_fault_text(const dve_lower_fault *f, char *out, size_t capacity)
{
    const dve_lower_refusal_info *row = refusal_of(f);
    const dve_lower_operation_info *operation = dve_lower_operation(f->operation);
    const char *operand = dve_lower_operand_name(f->operand);
    dve_line line = dve_line_begin(out, capacity);
    if (!operation || !row)
        return out;
    dve_line_add(&line, "%s%s ", operation->name, operand || *row->text == '{' ? ":" : "");
    if (operand)
        dve_line_add(&line, "%s ", operand);
    add_text(&line, f, row->text);
    if (*row->allowed) {
        dve_line_add(&line, ", allowed ");
        add_text(&line, f, row->allowed);
    }
    dve_line_add(&line, " [%s]", row->id);
    return out;
}
