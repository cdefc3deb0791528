/* SPDX-License-Identifier: Apache-2.0 */
/* CastPredicated 0x99: CopyPredicated between data types.
 *
 * Preconditions  integer predicates; as many of them as elements and results (CAP, GAP).
 * Effect         where the predicate is not 0 the result is the element by way of fp32, or its bits between
 *                equal data types (CAP; R9, R32); elsewhere the destination keeps what it holds.
 * Order          predicate and element are read, then their result is written (R25, R33). */
#include "ops.h"

uint8_t dve_moves_cast_predicated(const dve_insn *insn)
{
    int equal = insn->value[DVE_SLOT_S3S3D3_TT_src1_dtype] == insn->value[DVE_SLOT_S3S3D3_TT_out_dtype];
    return equal ? DVE_MOVES_ALL | 2 : 0;
}

void dve_op_cast_predicated(const dve_lane *lane)
{
    dve_cursor predicates = dve_cursor_of(&lane->src), from = dve_cursor_of(&lane->src1);
    dve_cursor to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t buffer[DVE_BLOCK], n;
    uint8_t converted[4 * DVE_BLOCK];            /* elements as the destination holds them */
    dve_walk walk = {.bytes = converted, .step = {lane->dst.size}, .num = {DVE_BLOCK, 1, 1, 1}, .count = DVE_BLOCK,
                     .dtype = lane->dst.dtype, .size = lane->dst.size};
    if (lane->moves) {
        dve_op_copy_predicated(lane);
        return;
    }
    while ((n = dve_blocks_next(&blocks)) != 0) {
        dve_cursor block = dve_cursor_of(&walk);
        const uint32_t *values = dve_read_moved(&from, lane->dst.dtype, lane->num, n, buffer);
        dve_num_store_f32(lane->num, walk.dtype, values, n, converted, walk.size);
        dve_move_where(&to, lane, &predicates, &block, n);
    }
}
