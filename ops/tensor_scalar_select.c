/* SPDX-License-Identifier: Apache-2.0 */
/* TensorScalarSelect 0x98: a lane's elements, or one value in all their places.
 *
 * Preconditions  as many elements as results, one data type for them and the scalar; one integer predicate
 *                a lane, as wide (G_TSS).
 * Effect         a true predicate gives the elements, a false one the scalar; reversed_pred 1 exchanges them.
 *                Bits as they are (G_TSS; R32).
 * Order          element by element, each read before its own write (R25). */
#include "ops.h"

void dve_op_tensor_scalar_select(const dve_lane *lane)
{
    int reversed = lane->insn->value[DVE_SLOT_S3D3_TS_SELECT_reversed_pred] != 0;
    if ((lane->imm[1] != 0) != reversed)
        dve_op_copy(lane);
    else
        dve_walk_fill(&lane->dst, lane->imm[0]);
}
