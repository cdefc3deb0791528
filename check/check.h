/* SPDX-License-Identifier: Apache-2.0 */
/* What the predicates share: the record under judgement and where findings go. */
#ifndef DVE_CHECK_INTERNAL_H
#define DVE_CHECK_INTERNAL_H

#include <opendve/check.h>

typedef struct dve_checker {
    const dve_insn *insn;
    const dve_format_info *format;
    const dve_field_info *fields;        /* first row of the format */
    const dve_operand_info *operands;    /* first row of the format */
    const dve_rule_info *rule;
    uint32_t channels;                   /* of the record; 0 where the format has none or it is out of 1..128 */
    uint16_t rule_number;
    uint8_t gen;
    dve_diag *out;
    size_t capacity, broken;
} dve_checker;

/* Records one finding; `low` and `high` say what is allowed. */
void dve_found(dve_checker *c, const char *field, uint8_t byte, int64_t value, int64_t low, int64_t high);
/* The same about the ruled field, with its bits as value. */
void dve_found_field(dve_checker *c, int64_t low, int64_t high);

/* The ruled field, and the field of the record's format that a number of the rule means. */
static inline const dve_field_info *dve_ruled(const dve_checker *c)
{
    return &c->fields[c->rule->field - (c->rule->format == DVE_FORMAT_ANY ? 0 : c->format->first_field)];
}
static inline const dve_field_info *dve_named(const dve_checker *c, uint32_t row)
{
    return &c->fields[row - c->format->first_field];
}
/* Their bits. */
static inline uint32_t dve_given(const dve_checker *c)
{
    return c->insn->value[dve_ruled(c)->slot];
}
static inline uint32_t dve_value(const dve_checker *c, uint32_t row)
{
    return c->insn->value[dve_named(c, row)->slot];
}

/* Bytes of a data type in the generation; 0 if it has none. */
static inline uint32_t dve_size(const dve_checker *c, uint32_t code)
{
    const dve_dtype_info *dtype = dve_dtype((uint8_t)code);
    return dtype && dve_marked(dtype->gens, c->gen) ? dtype->bytes : 0;
}
/* Operators 0xc0..0xff work on integers. */
static inline int dve_op_is_integer(uint32_t op)
{
    return (op & 0xc0) == 0xc0;
}

/* Whether the record's channels may start at a partition (R13). */
int dve_start_takes(const dve_checker *c, uint32_t partition);
/* Active bytes of a partition. */
uint32_t dve_active(uint8_t gen, dve_space space);
/* Whether the operand's word starts an index list, as its form and the generation allow. */
static inline int dve_listed(const dve_checker *c, const dve_operand_info *operand, dve_indirect *out)
{
    return operand->form != DVE_OPERAND_PLAIN && dve_addr_indirect(c->insn->value[operand->addr_slot]) &&
           dve_insn_indirect(c->insn, operand, out) && (operand->form == DVE_OPERAND_INDIRECT || c->gen >= 4);
}
/* The format's operand that has a field; NULL if none has. */
const dve_operand_info *dve_operand_of(const dve_checker *c, const dve_field_info *field);

/* One function a predicate: fields.c, dtypes.c, words.c, counts.c, addresses.c. */
typedef void dve_predicate_fn(dve_checker *c);
#define PREDICATE(name, question) dve_predicate_fn dve_ask_##name;
#include <opendve/isa/predicates.def>
#undef PREDICATE

/* Not 0 only for a record that breaks no rule (quick.c). */
int dve_check_quick(const dve_insn *insn, uint8_t gen);
/* dve_check that asks every rule. */
size_t dve_check_all(const dve_insn *insn, uint8_t gen, dve_diag *out, size_t capacity);

/* Address predicates of one operand whose word is taken as an immediate. */
void dve_ask_address(dve_checker *c, const dve_operand_info *operand, uint32_t word);

#endif
