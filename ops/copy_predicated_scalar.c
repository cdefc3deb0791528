/* SPDX-License-Identifier: Apache-2.0 */
/* CopyPredicatedScalar 0xe8: writes one value where a predicate says so.
 *
 * Preconditions  integer predicates, as many as results; the scalar has the destination's data type (CPS).
 * Effect         with reversed_pred 0 a false predicate writes the scalar, with 1 a true one; elsewhere the
 *                destination keeps what it holds, and does not count as written or read (CPS).
 * Order          a predicate is read, then its result is written (R25, R33). */
#include "ops.h"

void dve_op_copy_predicated_scalar(const dve_lane *lane)
{
    dve_cursor predicates = dve_cursor_of(&lane->src), to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t writing = lane->insn->value[DVE_SLOT_S3D3_CP_PRED_SCALAR_reversed_pred];
    uint32_t n;
    while ((n = dve_blocks_next(&blocks)) != 0)
        dve_fill_where(&to, lane, &predicates, !writing, lane->imm[0], n);
}
