/* SPDX-License-Identifier: Apache-2.0 */
/* RangeSelect 0xbc (gen3 and later): elements whose number lies in a range, and the maximum of all results.
 *
 * Preconditions  floating-point data; as many elements as results; base integral, from 0 to 2^24 and with the
 *                count no further; five comparisons; fill value -FLT_MAX; command Idle, Accumulate or
 *                ZeroAccumulate (RSEL; R17, R36).
 * Effect         k = fp32(base + number of the element); where k comp0 bound0 and k comp1 bound1 the result
 *                is the element, elsewhere the fill value (NKI; R10, R36). An element moves as bits between
 *                equal data types (R32).
 * State          acc = acc max result over all results, from what it was or from -inf; Idle leaves it alone
 *                (NKI; R36, assumption).
 * Order          each element is read before its own write (R25). */
#include "ops.h"
#include "../numeric/loops.h"
#include <string.h>

uint8_t dve_moves_range_select(const dve_insn *insn)
{
    return insn->value[DVE_SLOT_S2D2_RS_in_dtype] == insn->value[DVE_SLOT_S2D2_RS_out_dtype] ? 1 : 0;
}

/* Numbers of elements from `first` on, as fp32: at most 2^24, so exact. */
static void number(uint32_t first, uint32_t n, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++) {
        float value = (float)(int32_t)(first + i);
        memcpy(&out[i], &value, sizeof value);
    }
}

void dve_op_range_select(const dve_lane *lane)
{
    const uint32_t *v = lane->insn->value;
    uint8_t comp0 = (uint8_t)v[DVE_SLOT_S2D2_RS_comp_op0], comp1 = (uint8_t)v[DVE_SLOT_S2D2_RS_comp_op1];
    uint32_t command = v[DVE_SLOT_S2D2_RS_reduce_cmd];
    uint32_t acc = dve_accumulator_start(lane, command, DVE_ALU_OP_MAX, 0);
    uint32_t next = dve_num_from_f32(lane->num, DVE_DTYPE_UINT32, v[DVE_SLOT_S2D2_RS_base]);
    dve_selection selection = dve_selection_of(lane, &lane->src, v[DVE_SLOT_S2D2_RS_fill_val]);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t k[DVE_BLOCK], inside[DVE_BLOCK], results[DVE_BLOCK], n;
    while ((n = dve_blocks_next(&blocks)) != 0) {
        number(next, n, k);
        dve_loops_of(lane->num)->alu_scalar(comp0, k, lane->imm[0], n, inside);
        dve_loops_of(lane->num)->alu_scalar(comp1, k, lane->imm[1], n, results);
        for (uint32_t i = 0; i < n; i++)
            inside[i] = 0u - (uint32_t)((inside[i] & results[i]) != 0);
        dve_select(&selection, lane, inside, n, results);
        if (command != DVE_ACCUM_CMD_IDLE)
            acc = dve_loops_of(lane->num)->max(acc, results, n);
        next += n;
    }
    lane->state->accumulator = acc;
}
