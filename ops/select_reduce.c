/* SPDX-License-Identifier: Apache-2.0 */
/* SelectReduce 0xea: each element or one value in its place, and the maximum of all results.
 *
 * Preconditions  integer predicates; no 32-bit integers as data; as many predicates as elements and results;
 *                op1 max; command Idle, Accumulate or ZeroAccumulate (CPR).
 * Effect         a true predicate gives the element of src1, a false one imm0; reverse_operands First
 *                exchanges them (NKI; R10, assumption). An element moves as bits between equal data types (R32).
 * State          acc = acc max result over all results, from what it was or from -inf; Idle leaves it alone
 *                (NKI; R10, assumption).
 * Order          predicate and element are read, then their result is written (R25, R33). */
#include "ops.h"
#include "../numeric/loops.h"

uint8_t dve_moves_select_reduce(const dve_insn *insn)
{
    return insn->value[DVE_SLOT_S2S2D2_STT_src1_dtype] == insn->value[DVE_SLOT_S2S2D2_STT_out_dtype] ? 2 : 0;
}

void dve_op_select_reduce(const dve_lane *lane)
{
    const uint32_t *v = lane->insn->value;
    uint32_t command = v[DVE_SLOT_S2S2D2_STT_accumulator_cmd];
    uint32_t reversed = v[DVE_SLOT_S2S2D2_STT_reverse_operands] == DVE_REV_OPS_NONE ? 0 : UINT32_MAX;
    uint32_t acc = dve_accumulator_start(lane, command, DVE_ALU_OP_MAX, 0);
    dve_cursor predicates = dve_cursor_of(&lane->src);
    dve_selection selection = dve_selection_of(lane, &lane->src1, lane->imm[0]);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t predicate[DVE_BLOCK], results[DVE_BLOCK], n;
    while ((n = dve_blocks_next(&blocks)) != 0) {
        dve_read_bits(&predicates, n, predicate);
        for (uint32_t i = 0; i < n; i++)
            predicate[i] = (0u - (uint32_t)(predicate[i] != 0)) ^ reversed;
        dve_select(&selection, lane, predicate, n, results);
        if (command != DVE_ACCUM_CMD_IDLE)
            acc = dve_loops_of(lane->num)->max(acc, results, n);
    }
    lane->state->accumulator = acc;
}
