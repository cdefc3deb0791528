/* SPDX-License-Identifier: Apache-2.0 */
#include "lint.h"
#include <string.h>

static const lint_cover real_covers[] = {
    {"gen5", "gen5_as_gen4"},
    {"UPDATE_MODE", "event_bits"},
    {"inst_word_len_quantize_mx", "quantize_mx_length"},
    {"addr_marker", "shape_register_form"},
    {"walk_in_partition", "walk_in_partition"},
    {"memset_count", "memset_count"},
    {"rng_count", "memset_count"},
    {"read_indices_dst_count", NULL},            /* R37 takes the element count that RS prints */
    {"range_select_base", NULL},                 /* R17, R36 say how the printed limit is meant */
    {"scalar_tensor_tensor_bitvec_imm0_width", NULL},    /* R29 takes the rule of S3D3_TS for all of them */
    {"copy_predicated_scalar_src0_imm_width", NULL},
    {"tensor_scalar_select_src1_imm_width", NULL},
    {"gather_immediate_width", NULL},
};

void lint_real(lint_tables *out)
{
    out->generations = dve_isa_generations(&out->generation_count);
    out->dtypes = dve_isa_dtypes(&out->dtype_count);
    out->enums = dve_isa_enums(&out->enum_count);
    out->opcodes = dve_isa_opcodes(&out->opcode_count);
    out->formats = dve_isa_formats(&out->format_count);
    out->fields = dve_isa_fields(&out->field_count);
    out->operands = dve_isa_operands(&out->operand_count);
    out->dtype_sets = dve_isa_dtype_sets(&out->dtype_set_count);
    out->rules = dve_isa_rules(&out->rule_count);
    out->assumptions = dve_isa_assumptions(&out->assumption_count);
    out->sources = dve_isa_sources(&out->source_count);
    out->covers = real_covers;
    out->cover_count = sizeof real_covers / sizeof real_covers[0];
}

void lint_problem(linter *l, const char *problem, const char *row)
{
    l->problems++;
    if (l->report)
        l->report(l->context, problem, row);
}

void lint_marks(linter *l, const char *marks, const char *letters, const char *row)
{
    int runs = 0;
    if (strlen(marks) != DVE_GEN_COUNT) {
        lint_problem(l, "marks are not four", row);
        return;
    }
    for (unsigned i = 0; i < DVE_GEN_COUNT; i++) {
        if (!strchr(letters, marks[i])) {
            lint_problem(l, "unknown mark", row);
            return;
        }
        runs += marks[i] != '-' && (i == 0 || marks[i - 1] == '-');
    }
    if (runs == 0)
        lint_problem(l, "in no generation", row);
    if (runs > 1)
        lint_problem(l, "a hole between generations", row);
}

static int source_known(const lint_tables *t, const char *key, size_t length)
{
    for (size_t i = 0; i < t->source_count; i++)
        if (strlen(t->sources[i].key) == length && memcmp(t->sources[i].key, key, length) == 0)
            return 1;
    return 0;
}

void lint_origin(linter *l, const char *source, char conf, const char *row)
{
    if (conf != 'O' && conf != 'I' && conf != 'U' && conf != 'D')
        lint_problem(l, "no confidence", row);
    if (!*source)
        lint_problem(l, "no source", row);
    while (*source) {
        size_t length = strcspn(source, ",");
        if (!source_known(l->t, source, length))
            lint_problem(l, "unknown source", row);
        source += length;
        source += *source == ',';
    }
}

static int names_ruling(const char *source)
{
    const char *at = strstr(source, "RULING");
    return at && (at == source || at[-1] == ',') && (at[6] == 0 || at[6] == ',');
}

static int assumption_known(const lint_tables *t, const char *id)
{
    for (size_t i = 0; i < t->assumption_count; i++)
        if (strcmp(t->assumptions[i].id, id) == 0)
            return 1;
    return 0;
}

void lint_ruling(linter *l, const char *source, int assumed, const char *row)
{
    if (!names_ruling(source) && !assumed)
        return;
    for (size_t i = 0; i < l->t->cover_count; i++) {
        const lint_cover *cover = &l->t->covers[i];
        if (strcmp(cover->row, row) == 0 && (!cover->assumption || assumption_known(l->t, cover->assumption)))
            return;
    }
    lint_problem(l, "assumed without an assumption", row);
}

/* Identifier of listings: lower case letters, digits and underlines, a letter first. */
static int is_identifier(const char *text)
{
    return *text >= 'a' && *text <= 'z' && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

static void lint_generations(linter *l)
{
    for (size_t i = 0; i < l->t->generation_count; i++) {
        const dve_generation_info *g = &l->t->generations[i];
        if (g->number != DVE_GEN_FIRST + i || g->runs_as < DVE_GEN_FIRST || g->runs_as > DVE_GEN_LAST)
            lint_problem(l, "generation number", g->name);
        if (g->sbuf_active > g->sbuf_stride || g->psum_active > g->psum_stride || !g->sbuf_active || !g->psum_active)
            lint_problem(l, "partition size", g->name);
        if (DVE_LANES * g->sbuf_stride > DVE_PSUM_BASE || DVE_LANES * g->psum_stride > DVE_PSUM_END - DVE_PSUM_BASE)
            lint_problem(l, "partitions overlap", g->name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->t->generations[k].name, g->name) == 0)
                lint_problem(l, "duplicate name", g->name);
        lint_origin(l, g->source, g->conf, g->name);
        lint_ruling(l, g->source, g->conf == 'U', g->name);
    }
}

static void lint_dtypes(linter *l)
{
    for (size_t i = 0; i < l->t->dtype_count; i++) {
        const dve_dtype_info *d = &l->t->dtypes[i];
        if (d->code > 31)
            lint_problem(l, "code too large for a set", d->name);
        if (d->bytes != 0 && d->bytes != 1 && d->bytes != 2 && d->bytes != 4 && d->bytes != 8)
            lint_problem(l, "element size", d->name);
        for (size_t k = 0; k < i; k++) {
            if (l->t->dtypes[k].code == d->code)
                lint_problem(l, "duplicate value", d->name);
            if (strcmp(l->t->dtypes[k].name, d->name) == 0)
                lint_problem(l, "duplicate name", d->name);
        }
        if (!is_identifier(d->name))
            lint_problem(l, "not an identifier", d->name);
        lint_marks(l, d->gens, "Y-", d->name);
        lint_origin(l, d->source, d->conf, d->name);
        lint_ruling(l, d->source, 0, d->name);
    }
}

static void lint_enums(linter *l)
{
    for (size_t i = 0; i < l->t->enum_count; i++) {
        const dve_enum_info *e = &l->t->enums[i];
        for (size_t k = 0; k < i; k++) {
            if (strcmp(l->t->enums[k].set, e->set) != 0)
                continue;
            if (l->t->enums[k].value == e->value)
                lint_problem(l, "duplicate value", e->name);
            if (strcmp(l->t->enums[k].name, e->name) == 0)
                lint_problem(l, "duplicate name", e->name);
            if (l->t->enums[k].value > e->value)
                lint_problem(l, "values not ascending", e->name);
        }
        if (!is_identifier(e->name))
            lint_problem(l, "not an identifier", e->name);
        lint_marks(l, e->gens, "Y-", e->name);
        lint_origin(l, e->source, e->conf, e->name);
        lint_ruling(l, e->source, 0, e->set);
    }
}

static void lint_engines(linter *l, const dve_opcode_info *o)
{
    if (strlen(o->engine) != DVE_GEN_COUNT || strlen(o->gens) != DVE_GEN_COUNT) {
        lint_problem(l, "engines are not four", o->name);
        return;
    }
    for (unsigned i = 0; i < DVE_GEN_COUNT; i++) {
        if (!strchr("DKPSAEU-", o->engine[i]))
            lint_problem(l, "unknown engine", o->name);
        if ((o->engine[i] == '-') != (o->gens[i] == '-'))
            lint_problem(l, "engine and presence disagree", o->name);
    }
}

static void lint_opcodes(linter *l)
{
    for (size_t i = 0; i < l->t->opcode_count; i++) {
        const dve_opcode_info *o = &l->t->opcodes[i];
        for (size_t k = 0; k < i; k++) {
            const dve_opcode_info *other = &l->t->opcodes[k];
            if (other->value == o->value)
                lint_problem(l, "duplicate value", o->name);
            if (strcmp(other->name, o->name) == 0)
                lint_problem(l, "duplicate name", o->name);
            if (strcmp(other->mnemonic, o->mnemonic) == 0)
                lint_problem(l, "duplicate mnemonic", o->name);
        }
        if (!is_identifier(o->mnemonic))
            lint_problem(l, "not an identifier", o->name);
        if (o->format >= l->t->format_count)
            lint_problem(l, "unknown format", o->name);
        else if (o->format != DVE_FORMAT_RAW && strcmp(l->t->formats[o->format].name, o->structure) != 0)
            lint_problem(l, "format is not the structure", o->name);
        lint_marks(l, o->gens, "Yn.-P?X", o->name);
        lint_engines(l, o);
        lint_origin(l, o->source, o->conf, o->name);
        lint_ruling(l, o->source, 0, o->name);
    }
}

/* The words of a set's text are its members, each once. */
static void lint_set_text(linter *l, const dve_dtype_set_info *s)
{
    uint32_t named = 0;
    for (const char *word = s->text; *word;) {
        size_t length = strcspn(word, " ");
        for (size_t i = 0; i < l->t->dtype_count; i++)
            if (strlen(l->t->dtypes[i].name) == length && memcmp(l->t->dtypes[i].name, word, length) == 0)
                named |= 1u << l->t->dtypes[i].code % 32;
        word += length;
        word += *word == ' ';
    }
    if (named != s->members)
        lint_problem(l, "text is not the members", s->name);
}

static void lint_dtype_sets(linter *l)
{
    for (size_t i = 0; i < l->t->dtype_set_count; i++) {
        const dve_dtype_set_info *s = &l->t->dtype_sets[i];
        uint32_t known = 0;
        for (size_t k = 0; k < l->t->dtype_count; k++)
            known |= 1u << l->t->dtypes[k].code % 32;
        if (!s->members)
            lint_problem(l, "empty set", s->name);
        if (s->members & ~known)
            lint_problem(l, "unknown member", s->name);
        else
            lint_set_text(l, s);
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->t->dtype_sets[k].name, s->name) == 0)
                lint_problem(l, "duplicate name", s->name);
    }
}

/* The words of a set's text are its members. */
static void lint_operator_sets(linter *l)
{
    size_t count;
    const dve_operator_set_info *sets = dve_isa_operator_sets(&count);
    for (size_t i = 0; i < count; i++) {
        unsigned words = 0, members = 0;
        for (const char *word = sets[i].text; *word; words++) {
            word += strcspn(word, " ");
            word += *word == ' ';
        }
        for (size_t e = 0; e < l->t->enum_count; e++) {
            const dve_enum_info *op = &l->t->enums[e];
            const char *at = strstr(sets[i].text, op->name);
            while (at && !((at == sets[i].text || at[-1] == ' ') && strchr(" ", at[strlen(op->name)])))
                at = strstr(at + 1, op->name);
            if (strcmp(op->set, "ALU_OP") != 0)
                continue;
            int in = dve_operator_in((uint8_t)i, op->value, DVE_GEN_LAST);
            members += in != 0;
            if (in != (at != NULL))
                lint_problem(l, "text is not the members", sets[i].name);
        }
        if (words != members)
            lint_problem(l, "text is not the members", sets[i].name);
    }
}

static void lint_assumptions(linter *l)
{
    for (size_t i = 0; i < l->t->assumption_count; i++) {
        const dve_assumption_info *a = &l->t->assumptions[i];
        if (!is_identifier(a->id))
            lint_problem(l, "not an identifier", a->id);
        if (!*a->meaning || !*a->why || !*a->ruling)
            lint_problem(l, "assumption without a reason", a->id);
        if (*a->values && !strchr(a->values, ' '))
            lint_problem(l, "a choice of one", a->id);
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->t->assumptions[k].id, a->id) == 0)
                lint_problem(l, "duplicate name", a->id);
    }
    if (l->t->assumption_count > 64)
        lint_problem(l, "more assumptions than a set holds", "assumptions");
}

static void lint_sources(linter *l)
{
    for (size_t i = 0; i < l->t->source_count; i++) {
        const dve_source_info *s = &l->t->sources[i];
        if (!*s->title || !*s->kind || !*s->date || !*s->taken)
            lint_problem(l, "source without a title, kind, date or use", s->key);
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->t->sources[k].key, s->key) == 0)
                lint_problem(l, "duplicate name", s->key);
    }
}

size_t lint(const lint_tables *tables, lint_report *report, void *context)
{
    linter l = {tables, report, context, 0};
    lint_generations(&l);
    lint_dtypes(&l);
    lint_enums(&l);
    lint_opcodes(&l);
    lint_dtype_sets(&l);
    lint_operator_sets(&l);
    lint_assumptions(&l);
    lint_sources(&l);
    lint_formats(&l);
    lint_operands(&l);
    lint_ruled(&l);
    return l.problems;
}
