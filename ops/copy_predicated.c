/* SPDX-License-Identifier: Apache-2.0 */
/* CopyPredicated 0x72: moves those elements whose predicate is true.
 *
 * Preconditions  integer predicates; as many of them as elements and results; one data type (CAP, GAP).
 * Effect         where the predicate is not 0 the result is the element, bits as they are; elsewhere the
 *                destination keeps what it holds, and does not count as written or read (CAP, NKI).
 * Order          predicate and element are read, then their result is written (R25, R33). */
#include "ops.h"

void dve_op_copy_predicated(const dve_lane *lane)
{
    dve_cursor predicates = dve_cursor_of(&lane->src), from = dve_cursor_of(&lane->src1);
    dve_cursor to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t n;
    if (!lane->stepwise && dve_move_run_where(&to, lane, &predicates, &from, blocks.left))
        return;
    while ((n = dve_blocks_next(&blocks)) != 0)
        dve_move_where(&to, lane, &predicates, &from, n);
}
