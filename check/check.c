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

static void begin(dve_checker *c, const dve_insn *insn, uint8_t gen, dve_diag *out, size_t capacity)
{
    size_t rows;
    memset(c, 0, sizeof *c);
    c->insn = insn;
    c->format = dve_format(insn->format);
    c->fields = dve_isa_fields(&rows) + c->format->first_field;
    c->operands = dve_isa_operands(&rows) + c->format->first_operand;
    c->gen = gen;
    c->out = out;
    c->capacity = out ? capacity : 0;
}

static int applies(const dve_checker *c, const dve_rule_info *rule)
{
    return (rule->format == DVE_FORMAT_ANY || rule->format == c->insn->format) &&
           (rule->opcode == DVE_OPCODE_ANY || rule->opcode == dve_insn_opcode(c->insn)) &&
           (dve_marked(rule->gens, c->gen) || rule->predicate == DVE_PREDICATE_PRESENT);
}

size_t dve_check(const dve_insn *insn, uint8_t gen, dve_diag *out, size_t capacity)
{
    dve_checker c;
    begin(&c, insn, gen, out, capacity);
    size_t count;
    const dve_rule_info *rules = dve_isa_rules(&count);
    for (size_t i = 0; i < count; i++) {
        if (!applies(&c, &rules[i]))
            continue;
        c.rule = &rules[i];
        c.rule_number = (uint16_t)i;
        predicates[rules[i].predicate](&c);
    }
    return c.broken;
}

size_t dve_check_address(const dve_insn *insn, const dve_operand_info *operand, uint32_t word, uint8_t gen,
                         dve_diag *out, size_t capacity)
{
    dve_checker c;
    begin(&c, insn, gen, out, capacity);
    dve_pattern pattern;
    dve_insn_pattern(insn, operand, &pattern);
    pattern.addr = word;
    size_t count;
    const dve_rule_info *rules = dve_isa_rules(&count);
    static const uint16_t asked[] = {DVE_RULE_addr_marker, DVE_RULE_addr_aligned, DVE_RULE_addr_window,
                                     DVE_RULE_start_partition, DVE_RULE_start_active, DVE_RULE_psum_write,
                                     DVE_RULE_walk_in_partition};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        c.rule_number = asked[i];
        c.rule = &rules[asked[i]];
        dve_ask_address(&c, operand, &pattern);
    }
    return c.broken;
}
