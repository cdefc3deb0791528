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
#include "../numeric/loops.h"

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

/* What goes through the lanes as planes. */
static uint32_t in_planes(const dve_lane *lane, uint32_t count, uint32_t *s)
{
    const uint32_t *v = lane->insn->value;
    dve_num_plane a = dve_plane_of(&lane->src, lane->src_stride), b = dve_plane_of(&lane->src1, lane->src1_stride);
    dve_num_plane dst = dve_plane_of(&lane->dst, lane->dst_stride);
    if (!dve_group_is_full(lane, count) || !dve_is_dense(&lane->src) || !dve_is_dense(&lane->src1) ||
        !dve_is_dense(&lane->dst))
        return 0;
    return (uint32_t)dve_loops_of(lane->num)->recur_planes((uint8_t)v[DVE_SLOT_S2S2D2_STT_op0],
        (uint8_t)v[DVE_SLOT_S2S2D2_STT_op1], &a, &b, lane->dst.count, s, &dst);
}

void dve_op_tensor_tensor_scan_arith(const dve_lane *lane, uint32_t count)
{
    dve_cursor from0 = dve_cursor_of(&lane->src), from1 = dve_cursor_of(&lane->src1), to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    const uint32_t *v = lane->insn->value;
    uint8_t op0 = (uint8_t)v[DVE_SLOT_S2S2D2_STT_op0], op1 = (uint8_t)v[DVE_SLOT_S2S2D2_STT_op1];
    uint8_t reverse = (uint8_t)v[DVE_SLOT_S2S2D2_STT_reverse_operands];
    uint32_t s[DVE_LANE_GROUP], n;
    dve_num_row a[DVE_LANE_GROUP], b[DVE_LANE_GROUP], out[DVE_LANE_GROUP];
    for (uint32_t l = 0; l < count; l++)
        s[l] = dve_num_to_f32(lane->num, (uint8_t)v[DVE_SLOT_S2S2D2_STT_imm0_dtype], lane[l].imm[0]);
    n = in_planes(lane, count, s);
    dve_cursor_skip(&from0, n);
    dve_cursor_skip(&from1, n);
    dve_cursor_skip(&to, n);
    blocks.left -= n;
    while ((n = dve_blocks_next(&blocks)) != 0) {
        dve_cursor here0 = from0, here1 = from1, there = to;
        for (uint32_t l = 0; l < count; l++) {
            from0 = dve_cursor_in(&here0, &lane[l].src);
            from1 = dve_cursor_in(&here1, &lane[l].src1);
            dve_copy_f32(&from0, lane->num, n, a[l].value);
            dve_copy_f32(&from1, lane->num, n, b[l].value);
        }
        dve_loops_of(lane->num)->recur_lanes(op0, op1, reverse, a, b, count, n, s, out);
        for (uint32_t l = 0; l < count; l++) {
            to = dve_cursor_in(&there, &lane[l].dst);
            dve_write_f32(&to, lane->num, out[l].value, n);
        }
    }
}
