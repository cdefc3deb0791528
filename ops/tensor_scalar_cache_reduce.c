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

uint8_t dve_moves_cache_reduce(const dve_insn *insn)
{
    const uint32_t *v = insn->value;
    return v[DVE_SLOT_S3D3_TS_op0] == DVE_ALU_OP_BYPASS && v[DVE_SLOT_S3D3_TS_in_dtype] == v[DVE_SLOT_S3D3_TS_out_dtype]
               ? DVE_MOVES_ALL | 1 : 0;
}

void dve_op_tensor_scalar_cache_reduce(const dve_lane *lane)
{
    const uint32_t *v = lane->insn->value;
    uint8_t op0 = (uint8_t)v[DVE_SLOT_S3D3_TS_op0], op1 = (uint8_t)v[DVE_SLOT_S3D3_TS_op1];
    uint32_t acc = dve_accumulator_start(lane, v[DVE_SLOT_S3D3_TS_accumulator_cmd], op1, lane->imm[1]);
    dve_cursor from = dve_cursor_of(&lane->src), raw = from, to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t scalar[DVE_BLOCK], buffer[DVE_BLOCK], t[DVE_BLOCK], n;
    dve_fill_block(scalar, lane->imm[0], lane->src.count);
    while ((n = dve_blocks_next(&blocks)) != 0) {
        const uint32_t *values = dve_read_f32(&from, lane->num, n, buffer);
        dve_num_alu_f32_n(op0, values, scalar, n, t);
        acc = dve_num_fold_f32_n(op1, t, n, acc);
        if (lane->moves) {
            dve_read_bits(&raw, n, t);
            dve_write_bits(&to, t, n);
        } else {
            dve_write_f32(&to, lane->num, t, n);
        }
    }
    lane->state->accumulator = acc;
}
