/* SPDX-License-Identifier: Apache-2.0 */
/* Gather 0x68 (pool engine): looks elements up in the pool buffer.
 *
 * Preconditions  unsigned indices, as many as results (SEM_IND).
 * Effect         an index hits where its bits outside the buffer's mask are start_index, and its other bits
 *                name an element that lies in the lane's 2048 bytes; its bits are the result. A miss gives the
 *                immediate, or with index_miss_behavior 1 leaves the destination alone (SEM_IND, GAP; R19,
 *                assumption). A buffer of elements of another width is refused.
 * State          reads the pool buffer, and with free_pool_buffer 1 gives it back: nothing is loaded then.
 * Order          all indices of a lane are read before anything is written (R25). */
#include "ops.h"

static uint32_t element(const dve_lane *lane, uint32_t at)
{
    uint32_t size = dve_num_size(lane->range->dtype);
    return dve_num_load_bits(size, lane->pool + (size_t)at * size);
}

void dve_op_gather(const dve_lane *lane)
{
    dve_cursor indices = dve_cursor_of(&lane->src), to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t otherwise = lane->insn->value[DVE_SLOT_S4D4_GT_immediate];
    uint32_t skips = lane->insn->value[DVE_SLOT_S4D4_GT_index_miss_behavior];
    uint32_t index[DVE_BLOCK], write[DVE_BLOCK], bits[DVE_BLOCK], n;
    while ((n = dve_blocks_next(&blocks)) != 0) {
        dve_read_bits(&indices, n, index);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at;
            int hit = dve_pool_hits(lane->range, index[i], &at);
            bits[i] = hit ? element(lane, at) : otherwise;
            write[i] = hit || !skips;
        }
        dve_write_bits_where(&to, &lane->written, write, bits, n);
    }
}
