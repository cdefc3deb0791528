/* SPDX-License-Identifier: Apache-2.0 */
/* Memset 0x49: fills the destination with one value.
 *
 * Preconditions  dst_element_count is what the pattern has (R37, assumption); bits of set_value above the
 *                data type are zero (GAP).
 * Effect         every element gets the low bits of set_value, without conversion (GAP). */
#include "ops.h"

void dve_op_memset(const dve_lane *lane)
{
    dve_walk_fill(&lane->dst, lane->insn->value[DVE_SLOT_D4_MR_set_value]);
}
