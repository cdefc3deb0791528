/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of a lane (isa/enums.def). Their special values are ruling R20, an assumption
 * but for max, which a chip showed to return the operand that is not NaN.
 *
 * Addition, multiplication and division of C floats are the IEEE operations, subnormals included;
 * choices and comparisons work on patterns, so that NaN and zero signs follow R20 and not the
 * host. */
#include <opendve/isa.h>
#include <opendve/num.h>

#include "wire.h"

#define SIGN UINT32_C(0x80000000)

/* R30: 17 operators everywhere, four more from generation 4 on. */
bool dve_num_is_general_arith(uint8_t op, uint8_t gen)
{
    switch (op) {
    case DVE_ALU_OP_BYPASS:
    case DVE_ALU_OP_ADD:
    case DVE_ALU_OP_SUBTRACT:
    case DVE_ALU_OP_MULT:
    case DVE_ALU_OP_MAX:
    case DVE_ALU_OP_MIN:
    case DVE_ALU_OP_LOGICAL_AND:
    case DVE_ALU_OP_LOGICAL_OR:
    case DVE_ALU_OP_LOGICAL_XOR:
    case DVE_ALU_OP_IS_EQ:
    case DVE_ALU_OP_IS_GT:
    case DVE_ALU_OP_IS_GE:
    case DVE_ALU_OP_IS_LE:
    case DVE_ALU_OP_IS_LT:
    case DVE_ALU_OP_ABSOLUTE_DIFF:
    case DVE_ALU_OP_IS_NE:
    case DVE_ALU_OP_ABSOLUTE_VALUE: return gen >= 2;
    case DVE_ALU_OP_ABS_MAX:
    case DVE_ALU_OP_ABS_MIN:
    case DVE_ALU_OP_RELU:
    case DVE_ALU_OP_SQUARE: return gen >= 4;
    default: return false;
    }
}

/* The pattern of an arithmetic result: every NaN is the one quiet NaN, without sign (R20). */
static inline uint32_t arith(float value)
{
    const uint32_t bits = dve_f32_bits(value);
    return dve_f32_is_nan(bits) ? DVE_F32_QUIET_NAN : bits;
}

static inline uint32_t without_nan_payload(uint32_t a)
{
    return dve_f32_is_nan(a) ? DVE_F32_QUIET_NAN : a;
}

/* Compare and logical results are 1.0 or 0.0 before conversion (R20). */
static inline uint32_t truth(bool value)
{
    return value ? DVE_F32_ONE : 0;
}

/* Anything but a zero is true, NaN too (R20). */
static inline bool is_true(uint32_t a)
{
    return (a & ~SIGN) != 0;
}

/* The operand that is not NaN; the first one if neither exceeds the other, as with two zeros. */
static inline uint32_t larger(uint32_t a, uint32_t b)
{
    return without_nan_payload(dve_f32_is_nan(a) || dve_f32_gt(b, a) ? b : a);
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return without_nan_payload(dve_f32_is_nan(a) || dve_f32_gt(a, b) ? b : a);
}

/* max(a, 0) but for NaN, which stays NaN (R20). So -0 stays -0: the first of two zeros. */
static inline uint32_t relu(uint32_t a)
{
    return dve_f32_is_nan(a) ? DVE_F32_QUIET_NAN : larger(a, 0);
}

uint32_t dve_num_alu_f32(uint8_t op, uint32_t a, uint32_t b)
{
    const float x = dve_f32_value(a);
    const float y = dve_f32_value(b);
    switch (op) {
    case DVE_ALU_OP_BYPASS: return a;
    case DVE_ALU_OP_ADD: return arith(x + y);
    case DVE_ALU_OP_SUBTRACT: return arith(x - y);
    case DVE_ALU_OP_MULT: return arith(x * y);
    case DVE_ALU_OP_DIVIDE: return arith(x / y);
    case DVE_ALU_OP_MAX: return larger(a, b);
    case DVE_ALU_OP_MIN: return smaller(a, b);
    case DVE_ALU_OP_LOGICAL_AND: return truth(is_true(a) && is_true(b));
    case DVE_ALU_OP_LOGICAL_OR: return truth(is_true(a) || is_true(b));
    case DVE_ALU_OP_LOGICAL_XOR: return truth(is_true(a) != is_true(b));
    case DVE_ALU_OP_IS_EQ: return truth(dve_f32_eq(a, b));
    case DVE_ALU_OP_IS_NE: return truth(!dve_f32_eq(a, b));
    case DVE_ALU_OP_IS_GT: return truth(dve_f32_gt(a, b));
    case DVE_ALU_OP_IS_GE: return truth(dve_f32_gt(a, b) || dve_f32_eq(a, b));
    case DVE_ALU_OP_IS_LT: return truth(dve_f32_gt(b, a));
    case DVE_ALU_OP_IS_LE: return truth(dve_f32_gt(b, a) || dve_f32_eq(a, b));
    case DVE_ALU_OP_ABSOLUTE_DIFF: return arith(x - y) & ~SIGN;
    case DVE_ALU_OP_ABSOLUTE_VALUE: return without_nan_payload(a) & ~SIGN;
    case DVE_ALU_OP_ABS_MAX: return larger(a & ~SIGN, b & ~SIGN);
    case DVE_ALU_OP_ABS_MIN: return smaller(a & ~SIGN, b & ~SIGN);
    case DVE_ALU_OP_RELU: return relu(a);
    case DVE_ALU_OP_SQUARE: return arith(x * x);
    default: return DVE_F32_QUIET_NAN;
    }
}

bool dve_num_is_bitvec(uint8_t op)
{
    switch (op) {
    case DVE_ALU_OP_BYPASS:
    case DVE_ALU_OP_BITWISE_NOT:
    case DVE_ALU_OP_ARITH_SHIFT_LEFT:
    case DVE_ALU_OP_ARITH_SHIFT_RIGHT:
    case DVE_ALU_OP_BITWISE_AND:
    case DVE_ALU_OP_BITWISE_OR:
    case DVE_ALU_OP_BITWISE_XOR:
    case DVE_ALU_OP_LOGICAL_SHIFT_LEFT:
    case DVE_ALU_OP_LOGICAL_SHIFT_RIGHT: return true;
    default: return false;
    }
}

/* R20: the word has no place left at count == width or beyond. */
static inline uint32_t shift_left(uint32_t a, uint32_t count, uint32_t width)
{
    return count < width ? a << count : 0;
}

static inline uint32_t shift_right(uint32_t a, uint32_t count, uint32_t width)
{
    return count < width ? a >> count : 0;
}

/* A negative word shifts its complement, which brings in zeros, and is complemented back. */
static inline uint32_t shift_right_signed(uint32_t a, uint32_t count, uint32_t width, uint32_t mask)
{
    const bool negative = (a >> (width - 1)) != 0;
    return negative ? ~shift_right(~a & mask, count, width) : shift_right(a, count, width);
}

uint32_t dve_num_alu_bits(uint8_t op, uint32_t width_bytes, uint32_t a, uint32_t b)
{
    if (width_bytes != 1 && width_bytes != 2 && width_bytes != 4) {
        return 0;
    }
    const uint32_t width = 8 * width_bytes;
    const uint32_t mask = UINT32_C(0xffffffff) >> (32 - width);
    a &= mask;
    b &= mask;
    switch (op) {
    case DVE_ALU_OP_BYPASS: return a;
    case DVE_ALU_OP_BITWISE_NOT: return ~a & mask;
    case DVE_ALU_OP_BITWISE_AND: return a & b;
    case DVE_ALU_OP_BITWISE_OR: return a | b;
    case DVE_ALU_OP_BITWISE_XOR: return a ^ b;
    case DVE_ALU_OP_ARITH_SHIFT_LEFT:
    case DVE_ALU_OP_LOGICAL_SHIFT_LEFT: return shift_left(a, b, width) & mask;
    case DVE_ALU_OP_LOGICAL_SHIFT_RIGHT: return shift_right(a, b, width);
    case DVE_ALU_OP_ARITH_SHIFT_RIGHT: return shift_right_signed(a, b, width, mask) & mask;
    default: return 0;
    }
}
