/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of a lane (isa/enums.def), one value at a time; alu.c and alu_bulk.c make of them what
 * num.h offers, so that a loop and its scalar cannot differ. Special values are ruling R20, an assumption
 * but for max, which a chip showed to return the operand that is not NaN.
 *
 * Addition, multiplication, division and comparison of C floats are the IEEE operations, subnormals included;
 * choices work on patterns, without branches, so that NaN and zero signs follow R20 and not the host, and loops
 * become vectors. */
#ifndef OPENDVE_NUMERIC_OPERATORS_H
#define OPENDVE_NUMERIC_OPERATORS_H

#include <opendve/isa.h>
#include <opendve/num.h>

#include "choose.h"
#include "wire.h"

#ifdef __GNUC__
#define DVE_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define DVE_ALWAYS_INLINE static inline
#endif

#define DVE_F32_SIGN UINT32_C(0x80000000)

DVE_ALWAYS_INLINE uint32_t dve_op_canonical(uint32_t a)
{
    return dve_choose(dve_mask_nan(a), DVE_F32_QUIET_NAN, a);
}

/* The pattern of an arithmetic result: every NaN is the one quiet NaN, without sign (R20). */
DVE_ALWAYS_INLINE uint32_t dve_op_arith(float value)
{
    return dve_op_canonical(dve_f32_bits(value));
}

/* All ones if a > b as numbers: NaN never, and zeros are equal. */
DVE_ALWAYS_INLINE uint32_t dve_op_above(uint32_t a, uint32_t b)
{
    return 0 - (uint32_t)(dve_f32_value(a) > dve_f32_value(b));
}

/* Compare and logical results are 1.0 or 0.0 before conversion (R20). */
DVE_ALWAYS_INLINE uint32_t dve_op_truth(uint32_t mask)
{
    return mask & DVE_F32_ONE;
}

/* All ones for anything but a zero, NaN too (R20). */
DVE_ALWAYS_INLINE uint32_t dve_op_true(uint32_t a)
{
    return 0 - (uint32_t)((a & ~DVE_F32_SIGN) != 0);
}

/* The operand that is not NaN; the first one if neither exceeds the other, as with two zeros. */
DVE_ALWAYS_INLINE uint32_t dve_op_larger(uint32_t a, uint32_t b)
{
    uint32_t second = dve_mask_nan(a) | dve_op_above(b, a);
    return dve_op_canonical(dve_choose(second, b, a));
}

DVE_ALWAYS_INLINE uint32_t dve_op_smaller(uint32_t a, uint32_t b)
{
    uint32_t second = dve_mask_nan(a) | dve_op_above(a, b);
    return dve_op_canonical(dve_choose(second, b, a));
}

/* max(a, 0) but for NaN, which stays NaN (R20). So -0 stays -0: the first of two zeros. */
DVE_ALWAYS_INLINE uint32_t dve_op_relu(uint32_t a)
{
    return dve_choose(dve_mask_nan(a), DVE_F32_QUIET_NAN, dve_op_larger(a, 0));
}

/* a op b; in a loop, with a constant `op`, one case remains. */
DVE_ALWAYS_INLINE uint32_t dve_op_apply(uint8_t op, uint32_t a, uint32_t b)
{
    const float x = dve_f32_value(a);
    const float y = dve_f32_value(b);
    switch (op) {
    case DVE_ALU_OP_BYPASS: return a;
    case DVE_ALU_OP_ADD: return dve_op_arith(x + y);
    case DVE_ALU_OP_SUBTRACT: return dve_op_arith(x - y);
    case DVE_ALU_OP_MULT: return dve_op_arith(x * y);
    case DVE_ALU_OP_DIVIDE: return dve_op_arith(x / y);
    case DVE_ALU_OP_MAX: return dve_op_larger(a, b);
    case DVE_ALU_OP_MIN: return dve_op_smaller(a, b);
    case DVE_ALU_OP_LOGICAL_AND: return dve_op_truth(dve_op_true(a) & dve_op_true(b));
    case DVE_ALU_OP_LOGICAL_OR: return dve_op_truth(dve_op_true(a) | dve_op_true(b));
    case DVE_ALU_OP_LOGICAL_XOR: return dve_op_truth(dve_op_true(a) ^ dve_op_true(b));
    case DVE_ALU_OP_IS_EQ: return dve_op_truth(0 - (uint32_t)(x == y));
    case DVE_ALU_OP_IS_NE: return dve_op_truth(0 - (uint32_t)(x != y));
    case DVE_ALU_OP_IS_GT: return dve_op_truth(0 - (uint32_t)(x > y));
    case DVE_ALU_OP_IS_GE: return dve_op_truth(0 - (uint32_t)(x >= y));
    case DVE_ALU_OP_IS_LT: return dve_op_truth(0 - (uint32_t)(x < y));
    case DVE_ALU_OP_IS_LE: return dve_op_truth(0 - (uint32_t)(x <= y));
    case DVE_ALU_OP_ABSOLUTE_DIFF: return dve_op_arith(x - y) & ~DVE_F32_SIGN;
    case DVE_ALU_OP_ABSOLUTE_VALUE: return dve_op_canonical(a) & ~DVE_F32_SIGN;
    case DVE_ALU_OP_ABS_MAX: return dve_op_larger(a & ~DVE_F32_SIGN, b & ~DVE_F32_SIGN);
    case DVE_ALU_OP_ABS_MIN: return dve_op_smaller(a & ~DVE_F32_SIGN, b & ~DVE_F32_SIGN);
    case DVE_ALU_OP_RELU: return dve_op_relu(a);
    case DVE_ALU_OP_SQUARE: return dve_op_arith(x * x);
    default: return DVE_F32_QUIET_NAN;
    }
}

#endif
