/* SPDX-License-Identifier: Apache-2.0 */
/* What is explained, and what the tables say about it. */
#include "explain.h"
#include <string.h>

const uint32_t cli_explain_points[EXPLAIN_POINTS] = {64, 512, 4096, 16384};

void cli_explain_opcode(uint8_t opcode, uint8_t gen, explain_subject *out)
{
    memset(out, 0, sizeof *out);
    out->opcode = opcode;
    out->gen = gen;
    out->info = dve_opcode(opcode);
    out->format = out->info ? out->info->format : DVE_FORMAT_RAW;
}

void cli_explain_record(const dve_record *record, uint8_t gen, explain_subject *out)
{
    cli_explain_opcode(record->byte[0], gen, out);
    out->record = record;
    dve_decode(record, &out->insn);
    out->format = out->insn.format;
    out->broken = dve_check(&out->insn, gen, out->diags, DVE_MAX_DIAGS);
}

int cli_explain_has_rule(const explain_subject *s, const dve_rule_info *rule)
{
    return dve_marked(rule->gens, s->gen) && (rule->format == DVE_FORMAT_ANY || rule->format == s->format) &&
           (rule->opcode == DVE_OPCODE_ANY || rule->opcode == s->opcode);
}

const dve_diag *cli_explain_broken(const explain_subject *s, size_t rule)
{
    for (size_t i = 0; i < s->broken && i < DVE_MAX_DIAGS; i++)
        if (s->diags[i].rule == rule)
            return &s->diags[i];
    return NULL;
}

int cli_explain_has_note(const explain_subject *s, const dve_note_info *note)
{
    return (note->format == DVE_FORMAT_ANY || note->format == s->format) &&
           (note->opcode == DVE_OPCODE_ANY || note->opcode == s->opcode);
}

dve_assumption_set cli_explain_assumptions(const explain_subject *s)
{
    size_t rows;
    dve_assumption_set set = dve_assumptions_of_opcode(s->opcode);
    if (s->record) {
        const dve_format_info *format = dve_format(s->format);
        const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
        for (unsigned i = 0; i < format->operands; i++)
            set |= dve_assumptions_of_dtype((uint8_t)s->insn.value[operand[i].dtype_slot], operand[i].access);
    }
    if (dve_cost_cycles(s->opcode, s->gen, 1))
        set |= (dve_assumption_set)1 << DVE_ASSUMPTION_cost;
    if (s->gen == 5)
        set |= (dve_assumption_set)1 << DVE_ASSUMPTION_gen5_as_gen4;
    return set;
}

static void add_sources(explain_sources *out, const char *keys)
{
    size_t rows;
    const dve_source_info *source = dve_isa_sources(&rows);
    while (*keys) {
        size_t length = strcspn(keys, ",");
        for (size_t i = 0; i < rows && i < sizeof out->row; i++)
            if (strlen(source[i].key) == length && memcmp(source[i].key, keys, length) == 0)
                out->row[i] = 1;
        keys += length + (keys[length] == ',');
    }
}

void cli_explain_sources(const explain_subject *s, explain_sources *out)
{
    size_t rows;
    const dve_format_info *format = dve_format(s->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    const dve_effect_info *effect = dve_effect(s->opcode);
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < format->fields; i++)
        if (dve_marked(field[i].gens, s->gen))
            add_sources(out, field[i].source);
    const dve_rule_info *rule = dve_isa_rules(&rows);
    for (size_t i = 0; i < rows; i++)
        if (cli_explain_has_rule(s, &rule[i]))
            add_sources(out, rule[i].source);
    const dve_note_info *note = dve_isa_notes(&rows);
    for (size_t i = 0; i < rows; i++)
        if (cli_explain_has_note(s, &note[i]))
            add_sources(out, note[i].source);
    add_sources(out, format->source);
    add_sources(out, effect ? effect->source : "");
    add_sources(out, s->info ? s->info->source : "");
}

const char *cli_explain_hazard(dve_hazard_kind kind)
{
    static const char *const told[DVE_HAZARD_KINDS] = {
        "bytes are read that nothing wrote",
        "hidden state is read that nothing set since power-on",
        "hidden state was set for fewer channels, or from another start quadrant",
        "source and destination share bytes other than as one walk",
        "the destination visits a byte twice",
        "a 32-bit integer changes on its way through fp32: it is above 2^24",
    };
    return (unsigned)kind < DVE_HAZARD_KINDS && told[kind] ? told[kind] : "";
}
