/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates about data types and operators. */
#include "check.h"

static int in_set(uint32_t code, uint32_t set)
{
    size_t count;
    return code < 32 && dve_isa_dtype_sets(&count)[set].members >> code & 1;
}

void dve_ask_DTYPE_IN(dve_checker *c)
{
    if (!in_set(dve_given(c), c->rule->low))
        dve_found_field(c, c->rule->low, c->rule->low);
}

void dve_ask_DTYPE_IN_WHEN(dve_checker *c)
{
    if (dve_value(c, c->rule->high))
        dve_ask_DTYPE_IN(c);
}

void dve_ask_DTYPE_SAME(dve_checker *c)
{
    uint32_t wanted = dve_value(c, c->rule->low);
    if (dve_given(c) != wanted)
        dve_found_field(c, wanted, wanted);
}

void dve_ask_DTYPE_SAME_WIDTH(dve_checker *c)
{
    uint32_t wanted = dve_size(c, dve_value(c, c->rule->low));
    if (dve_size(c, dve_given(c)) != wanted)
        dve_found_field(c, wanted, wanted);
}

void dve_ask_OP_DTYPE(dve_checker *c)
{
    uint32_t set = dve_op_is_integer(dve_value(c, c->rule->low)) ? DVE_DTYPES_WIDE_INTEGER : c->rule->high;
    if (!in_set(dve_given(c), set))
        dve_found_field(c, set, set);
}

static int is_left_shift(uint32_t op)
{
    return op == DVE_ALU_OP_ARITH_SHIFT_LEFT || op == DVE_ALU_OP_LOGICAL_SHIFT_LEFT;
}

static int is_right_shift(uint32_t op)
{
    return op == DVE_ALU_OP_ARITH_SHIFT_RIGHT || op == DVE_ALU_OP_LOGICAL_SHIFT_RIGHT;
}

void dve_ask_SHIFT_COUNT(dve_checker *c)
{
    uint32_t wanted = dve_value(c, c->rule->low), op = dve_value(c, c->rule->high);
    int wide = dve_size(c, wanted) == 8 && (is_left_shift(op) || is_right_shift(op));
    if (dve_given(c) != wanted && !(wide && dve_given(c) == DVE_DTYPE_UINT32))
        dve_found_field(c, wanted, wanted);
}

void dve_ask_RECORD_DTYPE(dve_checker *c)
{
    uint32_t size = dve_size(c, dve_value(c, c->rule->low));
    uint32_t wanted = size == 1 ? DVE_DTYPE_UINT16 : DVE_DTYPE_UINT32;
    if ((size == 1 || size == 2) && dve_given(c) != wanted)
        dve_found_field(c, wanted, wanted);
}

/* 0 stands for fp32. */
void dve_ask_THRESHOLD_DTYPE(dve_checker *c)
{
    uint32_t given = dve_given(c);
    int any = in_set(dve_value(c, c->rule->low), DVE_DTYPES_FLOAT) && dve_value(c, c->rule->high) != DVE_IMM_SRC_INSTRUCTION;
    if (given != DVE_DTYPE_INVALID && !in_set(given, any ? DVE_DTYPES_FLOAT : DVE_DTYPES_FP32))
        dve_found_field(c, any, any);
}

void dve_ask_OPERATOR_IN(dve_checker *c)
{
    if (!dve_operator_in((uint8_t)c->rule->low, (uint8_t)dve_given(c), c->gen))
        dve_found_field(c, c->rule->low, c->rule->low);
}

void dve_ask_INT_PAIR(dve_checker *c)
{
    uint32_t one = dve_value(c, c->rule->low), other = dve_given(c);
    uint8_t set = (uint8_t)c->rule->high;
    if ((dve_op_is_integer(one) || dve_op_is_integer(other)) &&
        !(dve_operator_in(set, (uint8_t)one, c->gen) && dve_operator_in(set, (uint8_t)other, c->gen)))
        dve_found_field(c, set, set);
}

/* Whether all operands have types of the set. */
static int all_in(const dve_checker *c, uint32_t set)
{
    for (unsigned i = 0; i < c->format->operands; i++)
        if (!in_set(c->insn->value[c->operands[i].dtype_slot], set))
            return 0;
    return 1;
}

void dve_ask_SIGNEDNESS(dve_checker *c)
{
    uint8_t op = (uint8_t)dve_given(c);
    int is_signed = dve_operator_in(DVE_OPERATORS_SIGNED, op, c->gen);
    int is_unsigned = dve_operator_in(DVE_OPERATORS_UNSIGNED, op, c->gen);
    if ((is_signed || is_unsigned) && !(is_signed && all_in(c, DVE_DTYPES_SIGNED_INTEGER)) &&
        !(is_unsigned && all_in(c, DVE_DTYPES_UNSIGNED_INTEGER)))
        dve_found_field(c, is_signed, is_unsigned);
}

void dve_ask_SHIFTS(dve_checker *c)
{
    uint32_t op0 = dve_value(c, c->rule->low), op1 = dve_value(c, c->rule->high);
    int wide = (is_left_shift(op0) && is_right_shift(op1)) || op0 == DVE_ALU_OP_ARITH_SHIFT_RIGHT ||
               op1 == DVE_ALU_OP_ARITH_SHIFT_RIGHT;
    if (wide && dve_size(c, dve_given(c)) != 4)
        dve_found_field(c, 4, 4);
}
