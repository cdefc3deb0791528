/* SPDX-License-Identifier: Apache-2.0 */
/* IndirectCopy 0xe7 (pool engine): gathers runs of elements; every 16 lanes share one list of indices.
 *
 * Preconditions  a multiple of 16 channels; uint16 indices, lane after lane of the 16 and then column after
 *                column; runs of 1, 2, 4, 8, 16 or 32 elements; as many results as runs have (SEM_IND).
 * Effect         results j E .. j E + E - 1 of each lane are its own elements v .. v + E - 1, where v is index
 *                j and E the run: v counts elements (NKI). An index that reaches behind src_buffer_size is
 *                refused (R19, assumption).
 * Order          indices and elements of the lanes are read before anything is written (R25). */
#include "ops.h"

static uint32_t element(const dve_tile *tile, const dve_walk *src, uint32_t run, uint32_t i)
{
    uint32_t at = dve_num_load_bits(2, tile->list + (size_t)2 * (i / run)) + i % run;
    return dve_num_load_bits(src->size, src->bytes + (size_t)at * src->size);
}

void dve_op_indirect_copy(dve_tile *tile)
{
    uint32_t run = tile->insn->value[DVE_SLOT_S4D4_IC_src_num_elem_per_idx], bits[DVE_BLOCK], n;
    for (uint32_t l = 0; l < tile->lanes; l++) {
        dve_walk from = tile->src, walk = tile->dst;
        from.bytes += tile->src_stride * l;
        walk.bytes += tile->dst_stride * l;
        dve_cursor to = dve_cursor_of(&walk);
        for (uint32_t done = 0; done < walk.count; done += n) {
            n = walk.count - done < DVE_BLOCK ? walk.count - done : DVE_BLOCK;
            for (uint32_t i = 0; i < n; i++)
                bits[i] = element(tile, &from, run, done + i);
            dve_write_bits(&to, bits, n);
        }
    }
}
