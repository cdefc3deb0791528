/* SPDX-License-Identifier: Apache-2.0 */
/* StreamTranspose 0x6b: exchanges lanes and elements in blocks of 32 by 32.
 *
 * Preconditions  32, 64, 96 or 128 channels; a multiple of 32 elements, no more results; one data type (ST).
 * Effect         result e of lane L of each 32 is element (e & ~31) + L of lane e & 31, bits as they are (ST,
 *                R38). With mask_enable 1 a lane whose mask byte has bit 5 set keeps what it holds and is
 *                not written (R24, assumption).
 * State          with mask_enable 1, reads the shuffle mask.
 * Order          all 32 lanes are read before any is written (R25). In one place that is done in groups of
 *                blocks: what a group writes, no later one reads. */
#include "ops.h"
#include "../numeric/loops.h"

/* Blocks are read four at a time: lanes lie far apart, and short visits to each would wait for memory. */
enum { SIDE = DVE_SHUFFLE_LANES, COLUMNS = 4 * SIDE };

static void read_lanes(const dve_tile *tile, const dve_cursor *at, uint32_t n, uint32_t bits[SIDE][COLUMNS])
{
    for (uint32_t l = 0; l < tile->lanes; l++) {
        dve_walk walk = tile->src;
        dve_cursor from = *at;
        walk.bytes += tile->src_stride * l;
        from.walk = &walk;
        dve_read_bits(&from, n, bits[l]);
    }
}

/* Results e of lane l, for e below n: column e & ~31 + l of row e & 31. */
static void write_lanes(const dve_tile *tile, const dve_cursor *at, uint32_t n, uint32_t bits[SIDE][COLUMNS])
{
    for (uint32_t l = 0; l < tile->lanes; l++) {
        uint32_t row[COLUMNS];
        dve_walk walk = tile->dst;
        dve_cursor to = *at;
        walk.bytes += tile->dst_stride * l;
        to.walk = &walk;
        for (uint32_t block = 0; block < n; block += SIDE)
            for (uint32_t e = 0; e < SIDE; e++)
                row[block + e] = bits[e][block + l];
        if (!(tile->skipped >> l & 1))
            dve_write_bits(&to, row, n);
    }
}

static int dense(const dve_walk *walk)
{
    return walk->step[0] == walk->size && walk->num[1] == 1;
}

/* Whole blocks, when every lane is written; answers how many elements of a lane that was. */
static uint32_t turn(const dve_tile *tile)
{
    uint32_t n = tile->dst.count - tile->dst.count % SIDE;
    if (tile->in_place || tile->skipped || !dense(&tile->src) || !dense(&tile->dst))
        return 0;
    dve_loops_of(tile->num)->turn(tile->src.size, tile->src.bytes, tile->src_stride, n, tile->dst.bytes, tile->dst_stride);
    return n;
}

void dve_op_stream_transpose(dve_tile *tile)
{
    uint32_t bits[SIDE][COLUMNS], n;
    dve_cursor from = dve_cursor_of(&tile->src), to = dve_cursor_of(&tile->dst);
    for (uint32_t l = 0; l < tile->lanes; l++)
        if (tile->insn->value[DVE_SLOT_S4D4_TR_mask_enable] && tile->mask[l] & DVE_SHUFFLE_OFF)
            tile->skipped |= 1u << l;
    uint32_t done = turn(tile);
    dve_cursor_skip(&from, done);
    dve_cursor_skip(&to, done);
    for (uint32_t left = tile->dst.count - done; left; left -= n) {
        n = left < COLUMNS ? left : COLUMNS;
        uint32_t read = (n + SIDE - 1) / SIDE * SIDE;            /* whole blocks: there are as many elements */
        read_lanes(tile, &from, read, bits);
        write_lanes(tile, &to, n, bits);
        dve_cursor_skip(&from, read);
        dve_cursor_skip(&to, n);
    }
}
