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
    uint16_t rule_number;
    uint8_t gen;
    dve_diag *out;
    size_t capacity, broken;
} dve_checker;

/* Records one finding; `low` and `high` say what is allowed. */
void dve_found(dve_checker *c, const char *field, uint8_t byte, int64_t value, int64_t low, int64_t high);

/* The record's number of active channels; 0 where the format has none or it is out of 1..128. */
uint32_t dve_channels(const dve_checker *c);
/* Size in bytes of an operand's elements; 0 if its data type has none. */
uint32_t dve_operand_size(const dve_checker *c, const dve_operand_info *operand);

/* Whether so many channels may start at a partition (R13); any partition of a quadrant start for 0. */
int dve_start_takes(uint32_t partition, uint32_t channels);
/* Active bytes of a partition. */
uint32_t dve_active(uint8_t gen, dve_space space);

/* check/fields.c and check/operands.c: one function a predicate. */
typedef void dve_predicate_fn(dve_checker *c);
#define PREDICATE(name, question) dve_predicate_fn dve_ask_##name;
#include <opendve/isa/predicates.def>
#undef PREDICATE

/* Address predicates of one operand whose word is taken as an immediate. */
void dve_ask_address(dve_checker *c, const dve_operand_info *operand, const dve_pattern *pattern);

#endif
