/* SPDX-License-Identifier: Apache-2.0 */
/* DveReadAccumulator 0x9b: writes out the accumulator of a lane.
 *
 * Preconditions  1 result of a floating-point data type, no source (RS).
 * Effect         the accumulator, or with `negated` minus it; a NaN keeps its sign (NKI; R32).
 * State          stays as it is (NKI, R2). */
#include "ops.h"

void dve_op_dve_read_accumulator(const dve_lane *lane)
{
    uint32_t value = lane->state->accumulator;
    if (lane->insn->value[DVE_SLOT_D1_RD_negated] && !dve_f32_is_nan(value))
        value ^= 0x80000000u;
    dve_num_store_bits(lane->dst.size, dve_num_from_f32(lane->num, lane->dst.dtype, value), lane->dst.bytes);
}
