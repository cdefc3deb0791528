/* SPDX-License-Identifier: Apache-2.0 */
/* StreamShuffle 0x6a: lanes of every 32 take over each other's elements.
 *
 * Preconditions  32, 64, 96 or 128 channels; as many elements as results, one data type (GAP).
 * Effect         lane i of each 32 receives all elements of the lane that mask byte i names in its low five
 *                bits, bits as they are; with bit 5 set, as in 255, it keeps what it holds and is not
 *                written (NKI; R24, assumption).
 * State          reads the shuffle mask.
 * Order          all 32 lanes are read before any is written (R25). In one place that is done in blocks:
 *                what a block of elements writes, no later block reads. */
#include "ops.h"

static dve_walk lane_of(const dve_walk *first, size_t stride, uint32_t lane)
{
    dve_walk walk = *first;
    walk.bytes += stride * lane;
    return walk;
}

static void in_place(dve_tile *tile)
{
    enum { COLUMNS = 64 };
    uint32_t bits[DVE_SHUFFLE_LANES][COLUMNS], n;
    dve_cursor at = dve_cursor_of(&tile->src);
    for (uint32_t left = tile->src.count; left; left -= n) {
        dve_cursor next = at;
        n = left < COLUMNS ? left : COLUMNS;
        for (uint32_t l = 0; l < tile->lanes; l++) {
            dve_walk walk = lane_of(&tile->src, tile->src_stride, l);
            next = at;
            next.walk = &walk;
            dve_read_bits(&next, n, bits[l]);
        }
        for (uint32_t l = 0; l < tile->lanes; l++) {
            dve_walk walk = lane_of(&tile->dst, tile->dst_stride, l);
            dve_cursor to = at;
            to.walk = &walk;
            if (!(tile->mask[l] & DVE_SHUFFLE_OFF))
                dve_write_bits(&to, bits[tile->mask[l] % DVE_SHUFFLE_LANES], n);
        }
        at = next;
        at.walk = &tile->src;
    }
}

void dve_op_stream_shuffle(dve_tile *tile)
{
    for (uint32_t l = 0; l < tile->lanes; l++)
        if (tile->mask[l] & DVE_SHUFFLE_OFF)
            tile->skipped |= 1u << l;
    if (tile->in_place) {
        in_place(tile);
        return;
    }
    for (uint32_t l = 0; l < tile->lanes; l++) {
        dve_walk from = lane_of(&tile->src, tile->src_stride, tile->mask[l] % DVE_SHUFFLE_LANES);
        dve_walk to = lane_of(&tile->dst, tile->dst_stride, l);
        if (!(tile->skipped >> l & 1))
            dve_walk_move(&from, &to, tile->twice);
    }
}
