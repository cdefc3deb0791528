/* SPDX-License-Identifier: Apache-2.0 */
/* Cast 0x47: moves elements from one pattern to another of another data type.
 *
 * Preconditions  as many elements as results (CPY).
 * Effect         through fp32, so that integers above 2^24 change (CPY; R9, R18); a NaN becomes the quiet
 *                NaN of the target, or the end of an integer's range that its sign points to. Between equal data types bits as they are (R9, R32).
 * Order          element by element, each read before its own write (R25). */
#include "ops.h"

uint8_t dve_moves_cast(const dve_insn *insn)
{
    return insn->value[DVE_SLOT_S4D4_TR_in_dtype] == insn->value[DVE_SLOT_S4D4_TR_out_dtype] ? DVE_MOVES_ALL | 1 : 0;
}

void dve_op_cast(const dve_lane *lane)
{
    if (lane->moves) {
        dve_op_copy(lane);
    } else if (!lane->stepwise) {
        dve_walk_convert(&lane->src, &lane->dst, lane->num);
    } else {
        dve_cursor from = dve_cursor_of(&lane->src), to = dve_cursor_of(&lane->dst);
        dve_blocks blocks = dve_blocks_of(lane);
        uint32_t n;
        while ((n = dve_blocks_next(&blocks)) != 0) {
            uint32_t buffer[DVE_BLOCK], value;
            value = *dve_read_moved(&from, lane->dst.dtype, lane->num, n, buffer);
            dve_write_f32(&to, lane->num, &value, n);
        }
    }
}
