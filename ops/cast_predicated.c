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
    uint32_t predicate[DVE_BLOCK], buffer[DVE_BLOCK], bits[DVE_BLOCK], n;
    if (lane->moves) {
        dve_op_copy_predicated(lane);
        return;
    }
    while ((n = dve_blocks_next(&blocks)) != 0) {
        dve_read_bits(&predicates, n, predicate);
        const uint32_t *values = dve_read_moved(&from, lane->dst.dtype, lane->num, n, buffer);
        dve_bits_of(lane, values, n, bits);
        dve_write_bits_where(&to, &lane->written, predicate, bits, n);
    }
}
