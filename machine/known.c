/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered so that records need not look again: one interval a partition of which every byte is known to be
 * written, a few blocks of partitions, for the next record has the operands of the last ones as a rule; and what the last search found out about its source (machine/search.c). */
#include "machine.h"
#include <string.h>

/* Joins if the two touch, else keeps the longer. */
static void learn(dve_interval *known, uint32_t from, uint32_t to)
{
    if (from <= known->to && known->from <= to) {
        known->from = from < known->from ? from : known->from;
        known->to = to > known->to ? to : known->to;
    } else if (to - from > known->to - known->from) {
        *known = (dve_interval){from, to};
    }
}

int dve_known_block(const dve_machine *m, dve_space space, uint32_t first, uint32_t end, uint32_t from, uint32_t to)
{
    for (const dve_block *b = m->block; b < m->block + DVE_BLOCKS; b++)
        if (b->bytes.from <= from && to < b->bytes.to && b->first <= first && end <= b->end && b->space == space)
            return 1;
    return 0;
}

/* In the place of one that it holds, or of the oldest. */
void dve_learn_block(dve_machine *m, dve_space space, uint32_t first, uint32_t end, uint32_t from, uint32_t to)
{
    dve_block *at = NULL;
    for (dve_block *b = m->block; b < m->block + DVE_BLOCKS && !at; b++)
        if (b->space == space && first <= b->first && b->end <= end && from <= b->bytes.from && b->bytes.to <= to + 1)
            at = b;
    if (!at)
        at = &m->block[m->next_block++ % DVE_BLOCKS];
    *at = (dve_block){space, first, end, {from, to + 1}};
}

void dve_known_forget(dve_machine *m, dve_space space, uint32_t partition)
{
    m->known[space][partition] = (dve_interval){0, 0};
    memset(m->block, 0, sizeof m->block);
}

void dve_mark_written(dve_machine *m, dve_space space, uint32_t partition, uint32_t from, uint32_t to)
{
    dve_interval *known = &m->known[space][partition];
    if (dve_known_written(m, space, partition, from, to))
        return;
    dve_bits_set(dve_written_map(m, space, partition), from, to);
    learn(known, from, to + 1);
}

uint64_t dve_count_unwritten(dve_machine *m, dve_space space, uint32_t partition, uint32_t from, uint32_t to,
                             uint32_t *first)
{
    dve_interval *known = &m->known[space][partition];
    if (dve_known_written(m, space, partition, from, to))
        return 0;
    uint64_t count = dve_bits_clear(dve_written_map(m, space, partition), from, to, first);
    if (!count)
        learn(known, from, to + 1);
    return count;
}

void dve_memo_drop(dve_machine *m)
{
    if (m->memo.top_known || m->memo.maxima_known)   /* no write where there is nothing, for threads may be here */
        m->memo.top_known = m->memo.maxima_known = 0;
}

void dve_memo_written(dve_machine *m, dve_space space, uint32_t lowest, uint32_t highest)
{
    const dve_memo *memo = &m->memo;
    if (memo->place.space == space && lowest < memo->place.offset + memo->bytes && highest >= memo->place.offset)
        dve_memo_drop(m);
}
