/* SPDX-License-Identifier: Apache-2.0 */
/* PoolBufferLoad 0x67 (pool engine): fills the buffer that Gather looks elements up in.
 *
 * Preconditions  up to 512 elements of 1, 2 or 4 bytes a lane (GAP).
 * Effect         element i of a lane becomes element i of its part of the buffer, bits as they are; what lies
 *                behind stays (GAP; R19, assumption).
 * State          the buffer, and which indices hit it: those whose bits outside `mask` are start_index. */
#include "ops.h"

void dve_op_pool_buffer_load(dve_tile *tile)
{
    for (uint32_t l = 0; l < tile->lanes; l++) {
        dve_walk from = tile->src, to = {.step = {tile->src.size, 0, 0, 0}, .num = {tile->src.count, 1, 1, 1}};
        from.bytes += tile->src_stride * l;
        to.bytes = tile->pool + (size_t)DVE_POOL_BYTES * l;
        to.count = from.count;
        to.dtype = from.dtype;
        to.size = from.size;
        dve_walk_move(&from, &to, 0);
        if (tile->range->loaded[l] < from.count * from.size)
            tile->range->loaded[l] = (uint16_t)(from.count * from.size);
    }
    tile->range->start_index = tile->insn->value[DVE_SLOT_S4_PB_start_index];
    tile->range->mask = tile->insn->value[DVE_SLOT_S4_PB_mask];
    tile->range->dtype = tile->src.dtype;
}
