/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the rule table: which rules apply to a record, and asks each its question. */
#include "check.h"
#include <string.h>

static dve_predicate_fn *const predicates[] = {
#define PREDICATE(name, question) dve_ask_##name,
#include <opendve/isa/predicates.def>
#undef PREDICATE
};

void dve_found(dve_checker *c, const char *field, uint8_t byte, int64_t value, int64_t low, int64_t high)
{
    if (c->broken < c->capacity) {
        dve_diag *diag = &c->out[c->broken];
        memset(diag, 0, sizeof *diag);
        diag->rule = c->rule_number;
        diag->byte = byte;
        diag->gen = c->gen;
        diag->field = field;
        diag->value = value;
        diag->low = low;
        diag->high = high;
    }
    c->broken++;
}

void dve_found_field(dve_checker *c, int64_t low, int64_t high)
{
    const dve_field_info *field = dve_ruled(c);
    dve_found(c, field->name, field->byte, c->insn->value[field->slot], low, high);
}

static void begin(dve_checker *c, const dve_insn *insn, uint8_t gen, dve_diag *out, size_t capacity)
{
    size_t rows;
    memset(c, 0, sizeof *c);
    c->insn = insn;
    c->format = dve_format(insn->format);
    c->fields = dve_isa_fields(&rows) + c->format->first_field;
    c->operands = dve_isa_operands(&rows) + c->format->first_operand;
    c->channels = dve_insn_channels(insn);
    if (c->channels > DVE_LANES)
        c->channels = 0;
    c->gen = gen;
    c->out = out;
    c->capacity = out ? capacity : 0;
}

static void ask(dve_checker *c, const dve_rule_info *rules, size_t first, size_t count)
{
    uint8_t opcode = dve_insn_opcode(c->insn);
    unsigned mark = c->gen - DVE_GEN_FIRST;
    for (size_t i = first; i < first + count; i++) {
        const dve_rule_info *rule = &rules[i];
        if (rule->opcode != DVE_OPCODE_ANY && rule->opcode != opcode)
            continue;
        if ((mark >= DVE_GEN_COUNT || rule->gens[mark] != 'Y') && rule->predicate != DVE_PREDICATE_PRESENT)
            continue;
        c->rule = rule;
        c->rule_number = (uint16_t)i;
        predicates[rule->predicate](c);
    }
}

size_t dve_check(const dve_insn *insn, uint8_t gen, dve_diag *out, size_t capacity)
{
    return dve_check_quick(insn, gen) ? 0 : dve_check_all(insn, gen, out, capacity);
}

size_t dve_check_all(const dve_insn *insn, uint8_t gen, dve_diag *out, size_t capacity)
{
    dve_checker c;
    begin(&c, insn, gen, out, capacity);
    size_t rows;
    const dve_rule_info *rules = dve_isa_rules(&rows);
    ask(&c, rules, 0, dve_format(DVE_FORMAT_RAW)->first_rule);    /* those for every format stand first */
    ask(&c, rules, c.format->first_rule, c.format->rules);
    return c.broken;
}

size_t dve_check_address(const dve_insn *insn, const dve_operand_info *operand, uint32_t word, uint8_t gen,
                         dve_diag *out, size_t capacity)
{
    dve_checker c;
    begin(&c, insn, gen, out, capacity);
    size_t count;
    const dve_rule_info *rules = dve_isa_rules(&count);
    static const uint16_t asked[] = {DVE_RULE_addr_marker, DVE_RULE_addr_aligned, DVE_RULE_addr_window,
                                     DVE_RULE_start_partition, DVE_RULE_start_active, DVE_RULE_psum_write,
                                     DVE_RULE_walk_in_partition};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        c.rule_number = asked[i];
        c.rule = &rules[asked[i]];
        dve_ask_address(&c, operand, word);
    }
    return c.broken;
}
