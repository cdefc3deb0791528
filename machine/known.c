/* SPDX-License-Identifier: Apache-2.0 */
/* What is remembered so that records need not look again: one interval a partition of which every byte is known to be
 * written, and what the last search found out about its source (machine/search.c). */
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
