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
    const uint32_t *values = dve_read_f32(from, lane->num, n, buffer);
    dve_loops_of(lane->num)->alu_scalar(op0, values, lane->imm[0], n, t);
    if (lane->moves) {
        dve_read_bits(&raw, n, buffer);
        dve_write_bits(to, buffer, n);
    } else {
        dve_write_f32(to, lane->num, t, n);
    }
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
