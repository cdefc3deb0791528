/* SPDX-License-Identifier: Apache-2.0 */
/* The match core, for every level and element type. A filter leaves candidates, which are offered to the keys in order.
 *
 * A level may have a sieve for the elements (sift.h). Without one, or where it is no good: keys are the largest elements
 * as a rule, and then few elements lie between the least and the greatest open key. Where many do, elements are looked
 * up in a table of the open keys' values instead. */
#include "keys.h"

typedef struct N(hunt) {
    keys keys;
    const N(elem) *v;
    uint32_t n, doubts;
    int by_table;                /* -1: it was no good */
    N(rank) low, high;           /* range of the open keys */
    slots slots;
} N(hunt);

static void N(range)(N(hunt) *h)
{
    N(rank) rank;
    int first = 1;
    for (uint32_t open = h->keys.open; open; open &= open - 1) {
        (void)N(rank_of_key)(h->keys.key[__builtin_ctz(open)], &rank);
        h->low = first || rank < h->low ? rank : h->low;
        h->high = first || rank > h->high ? rank : h->high;
        first = 0;
    }
}

/* Candidates from `i` on, up to the first step that has one or the end of the row; *next receives where to go on. */
ALWAYS uint32_t N(candidates)(const N(hunt) *h, int by_table, uint32_t i, uint32_t *out, uint32_t *next)
{
    N(vtable) table = N(table)(&h->slots);
    N(vec) low = N(set1)(h->low), high = N(set1)(h->high);
    uint32_t count = 0;
    for (; i + 4 * LANES <= h->n; i += 4 * LANES) {
        vm found[4];
        for (uint32_t j = 0; j < 4; j++) {
            N(vec) x = N(load)(h->v + i + LANES * j, 0);
            found[j] = by_table ? N(found)(x, &table) : N(in)(x, low, high);
        }
        if (h->n > SHORT && !vm_any(vm_or(vm_or(found[0], found[1]), vm_or(found[2], found[3]))))
            continue;
        for (uint32_t j = 0; j < 4; j++)
            count += N(append)(N(bits)(found[j]), i + LANES * j, out + count);
        if (h->n > SHORT) {
            *next = i + 4 * LANES;
            return count;
        }
    }
    for (; i < h->n; i += LANES) {
        uint32_t left = h->n - i, real = left < LANES ? (1u << left) - 1u : UINT32_MAX >> (32 - LANES);
        N(vec) x = left < LANES ? N(part)(h->v + i, left, 0) : N(load)(h->v + i, 0);
        vm found = by_table ? N(found)(x, &table) : N(in)(x, low, high);
        count += N(append)(N(bits)(found) & real, i, out + count);
    }
    *next = h->n;
    return count;
}

static void N(find)(const void *row, uint32_t n, dve_match *match)
{
    uint32_t at[SHORT + 32], i = 0;
    N(rank) rank;
    N(hunt) h = {.v = row, .n = n};
    keys_of(match, &h.keys);
    for (uint32_t k = 0; k < 8; k++)
        if (h.keys.open >> k & 1 && !N(rank_of_key)(h.keys.key[k], &rank))
            h.keys.open &= ~(1u << k);
    uint32_t begin = h.keys.open;
    if (N(sieved)(&h.keys, h.v, n, &i) && h.keys.open && i < n)
        h.by_table = slots_of(&h.keys, N(SHIFT), &h.slots) ? 1 : -1;
    N(range)(&h);
    while (h.keys.open && i < n) {
        uint32_t next, open = h.keys.open;
        uint32_t count = h.by_table > 0 ? N(candidates)(&h, 1, i, at, &next) : N(candidates)(&h, 0, i, at, &next);
        if (!h.by_table && h.doubts + count > DOUBTS) {
            h.by_table = slots_of(&h.keys, N(SHIFT), &h.slots) ? 1 : -1;
            continue;            /* once more, with better eyes */
        }
        for (uint32_t c = 0; h.keys.open && c < count; c++)
            (void)take(&h.keys, N(value)(h.v[at[c]]), at[c]);
        h.doubts += count;
        i = next;
        if (h.keys.open == open)
            continue;
        N(range)(&h);
        if (h.by_table > 0)
            slots_drop(&h.keys, open & ~h.keys.open, &h.slots);
    }
    keys_end(&h.keys, begin, match);
}
