/* SPDX-License-Identifier: Apache-2.0 */
/* TensorScalarCacheReduce 0x9a: one operator with a scalar on each element, and a reduction of the results.
 *
 * Preconditions  as many elements as results; no 32-bit integers in; op1 add, subtract, mult, max or min;
 *                command Accumulate, ZeroAccumulate or LoadAccumulate (TSR).
 * Effect         t = element op0 imm0 in fp32 is the result, and acc = t op1 acc goes on in the accumulator
 *                (NKI; R10, assumption). A bypass between equal data types moves bits (R32).
 * State          the accumulator, from what it was, from what does not change op1, or from imm1.
 * Order          strictly along the walk, in fp32, before any rounding of results (R11, assumption); each
 *                element is read before its own write (R25). */
#include "ops.h"
#include "../numeric/loops.h"

uint8_t dve_moves_cache_reduce(const dve_insn *insn)
{
    const uint32_t *v = insn->value;
    return v[DVE_SLOT_S3D3_TS_op0] == DVE_ALU_OP_BYPASS && v[DVE_SLOT_S3D3_TS_in_dtype] == v[DVE_SLOT_S3D3_TS_out_dtype]
               ? DVE_MOVES_ALL | 1 : 0;
}

/* The next n results of a lane into t, and out. */
static void results(const dve_lane *lane, uint8_t op0, dve_cursor *from, dve_cursor *to, uint32_t n, uint32_t *t)
{
    uint32_t buffer[DVE_BLOCK];
    dve_cursor raw = *from;
    const uint32_t *values = dve_read_moved(from, lane->dst.dtype, lane->num, n, buffer);
    dve_loops_of(lane->num)->alu_scalar(op0, values, lane->imm[0], n, t);
    if (lane->moves) {
        dve_read_bits(&raw, n, buffer);
        dve_write_bits(to, buffer, n);
    } else {
        dve_write_f32(to, lane->num, t, n);
    }
}

/* What goes through the lanes as planes; elements that move as bits do so if they are those of fp32. */
static uint32_t in_planes(const dve_lane *lane, uint32_t count, uint32_t *acc)
{
    const uint32_t *v = lane->insn->value;
    dve_num_plane src = dve_plane_of(&lane->src, lane->src_stride), dst = dve_plane_of(&lane->dst, lane->dst_stride);
    uint32_t imm[DVE_LANE_GROUP];
    if (!dve_group_is_full(lane, count) || !dve_is_dense(&lane->src) || !dve_is_dense(&lane->dst) ||
        (lane->moves && dst.dtype != DVE_DTYPE_FP32))
        return 0;
    for (uint32_t l = 0; l < count; l++)
        imm[l] = lane[l].imm[0];
    return (uint32_t)dve_loops_of(lane->num)->reduce_planes((uint8_t)v[DVE_SLOT_S3D3_TS_op0],
        (uint8_t)v[DVE_SLOT_S3D3_TS_op1], &src, imm, lane->dst.count, acc, &dst);
}

void dve_op_tensor_scalar_cache_reduce(const dve_lane *lane, uint32_t count)
{
    const uint32_t *v = lane->insn->value;
    uint8_t op0 = (uint8_t)v[DVE_SLOT_S3D3_TS_op0], op1 = (uint8_t)v[DVE_SLOT_S3D3_TS_op1];
    dve_cursor from = dve_cursor_of(&lane->src), to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t acc[DVE_LANE_GROUP], n;
    dve_num_row t[DVE_LANE_GROUP];
    for (uint32_t l = 0; l < count; l++)
        acc[l] = dve_accumulator_start(&lane[l], v[DVE_SLOT_S3D3_TS_accumulator_cmd], op1, lane[l].imm[1]);
    n = in_planes(lane, count, acc);
    dve_cursor_skip(&from, n);
    dve_cursor_skip(&to, n);
    blocks.left -= n;
    while ((n = dve_blocks_next(&blocks)) != 0) {
        dve_cursor here = from, there = to;
        for (uint32_t l = 0; l < count; l++) {
            from = dve_cursor_in(&here, &lane[l].src);
            to = dve_cursor_in(&there, &lane[l].dst);
            results(&lane[l], op0, &from, &to, n, t[l].value);
        }
        dve_loops_of(lane->num)->fold_lanes(op1, t, count, n, acc);
    }
    for (uint32_t l = 0; l < count; l++)
        lane[l].state->accumulator = acc[l];
}
