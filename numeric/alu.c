/* SPDX-License-Identifier: Apache-2.0 */
/* Which operators there are, the arithmetic ones on single values, and those on bits. */
#include <opendve/isa.h>
#include <opendve/num.h>

#include "operators.h"

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

uint32_t dve_num_alu_f32(uint8_t op, uint32_t a, uint32_t b)
{
    return dve_op_apply(op, a, b);
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
