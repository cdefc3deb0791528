/* SPDX-License-Identifier: Apache-2.0 */
/* TensorTensorScan 0xe5: a recurrence along two sources.
 *
 * Preconditions  as many elements in each source as results; two general operators; command Idle (TTS).
 * Effect         s = imm0, then for each i: u = src0 op0 s, s = u op1 src1, and s is a result; bit 0 of
 *                reverse_operands swaps the operands of op0, bit 1 those of op1 (KLR, NKI; R10, assumption).
 *                Each result is converted from s, after bypasses too.
 * State          s is fp32 and is carried on unrounded (KLR); the accumulator has no part in it.
 * Order          both elements are read, then their result is written (R25, R33). */
#include "ops.h"

/* Operators that do not look at their second operand. */
static int unary(uint32_t op)
{
    return op == DVE_ALU_OP_BYPASS || op == DVE_ALU_OP_ABSOLUTE_VALUE || op == DVE_ALU_OP_RELU ||
           op == DVE_ALU_OP_SQUARE;
}

uint8_t dve_moves_scan(const dve_insn *insn)
{
    uint32_t op0 = insn->value[DVE_SLOT_S2S2D2_STT_op0], op1 = insn->value[DVE_SLOT_S2S2D2_STT_op1];
    uint32_t reverse = insn->value[DVE_SLOT_S2S2D2_STT_reverse_operands];
    int uses_u = !unary(op1) || !(reverse & 2), uses_src1 = !unary(op1) || reverse & 2;
    int uses_src0 = uses_u && (!unary(op0) || !(reverse & 1));
    return (uint8_t)((uses_src0 ? 0 : 1) | (uses_src1 ? 0 : 2));
}

void dve_op_tensor_tensor_scan_arith(const dve_lane *lane)
{
    dve_cursor from0 = dve_cursor_of(&lane->src), from1 = dve_cursor_of(&lane->src1), to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    const uint32_t *v = lane->insn->value;
    uint8_t op0 = (uint8_t)v[DVE_SLOT_S2S2D2_STT_op0], op1 = (uint8_t)v[DVE_SLOT_S2S2D2_STT_op1];
    uint8_t reverse = (uint8_t)v[DVE_SLOT_S2S2D2_STT_reverse_operands];
    uint32_t s = dve_num_to_f32(lane->num, (uint8_t)v[DVE_SLOT_S2S2D2_STT_imm0_dtype], lane->imm[0]);
    uint32_t buffer0[DVE_BLOCK], buffer1[DVE_BLOCK], out[DVE_BLOCK], n;
    while ((n = dve_blocks_next(&blocks)) != 0) {
        const uint32_t *a = dve_read_f32(&from0, lane->num, n, buffer0);
        const uint32_t *b = dve_read_f32(&from1, lane->num, n, buffer1);
        s = dve_num_recur_f32_n(op0, op1, reverse, a, b, n, s, out);
        dve_write_f32(&to, lane->num, out, n);
    }
}
