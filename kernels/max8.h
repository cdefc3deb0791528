/* SPDX-License-Identifier: Apache-2.0 */
/* Max8, for every level and element type: v_LEVEL.h and element_TYPE.h are included before.
 *
 * One pass takes the maximum of every group: element i belongs to lane i % LANES of block i / (LANES depth), and a lane
 * of a block is a group of `depth` elements. Distinct lanes hold distinct elements, so that the 8th largest of 16
 * maxima of whole lanes is a bound that 8 elements reach. Only groups that reach it are looked at again. Data that makes
 * many groups reach it raises it first, by the same rule applied to the maxima of those groups; ties at the bound are
 * settled in walk order, block by block. So the work beside the pass is bounded for any data. */
#include "best.h"

typedef struct N(field) {
    const N(elem) *v;
    const uint32_t *maxima;
    uint32_t n, depth, blocks;
    N(rank) bound;
    int above;                   /* candidates exceed the bound; else they reach it */
    int clean;
} N(field);

ALWAYS uint32_t N(append)(uint32_t bits, uint32_t base, uint32_t *out)
{
    uint32_t n = append(bits & 0xffff, base, out);
    return LANES == 16 ? n : n + append(bits >> 16, base + 16, out + n);
}

ALWAYS N(vec) N(pass)(const N(elem) *v, uint32_t n, uint32_t depth, int clean, uint32_t *maxima)
{
    N(vec) low = N(set1)(N(lowest)), all = low, m;
    for (; n >= LANES * depth; n -= LANES * depth, v += LANES * depth, maxima += 16) {
        m = N(max)(N(load)(v, clean), low);
        for (uint32_t j = 1; j < depth; j++)
            m = N(max)(N(load)(v + LANES * j, clean), m);
        N(keep)(maxima, m);
        all = N(max)(m, all);
    }
    if (!n)
        return all;
    m = low;
    for (; n >= LANES; n -= LANES, v += LANES)
        m = N(max)(N(load)(v, clean), m);
    if (n)
        m = N(max)(N(part)(v, n, clean), m);
    N(keep)(maxima, m);
    return N(max)(m, all);
}

/* Groups that reach the bound, or exceed it: LANES block + lane. What is more than the limit is not listed. */
ALWAYS uint32_t N(list_groups)(const N(field) *f, uint32_t limit, uint32_t *groups)
{
    N(vec) bound = N(set1)(f->bound);
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->blocks && n <= limit; b++)
        n += N(append)(N(reach)(N(fetch)(f->maxima + 16 * b), bound, f->above), LANES * b, groups + n);
    return n;
}

/* Elements of one group that reach the bound, or exceed it. */
ALWAYS uint32_t N(list_column)(const N(field) *f, uint32_t group, uint32_t *out)
{
    uint32_t first = group / LANES * LANES * f->depth + group % LANES, n = 0;
    if (first - group % LANES + LANES * f->depth > f->n) {       /* the last block is cut off */
        for (uint32_t i = first; i < f->n; i += LANES) {
            N(rank) rank = N(rank_of)(f->v[i]);
            if (f->above ? rank > f->bound : rank >= f->bound)
                out[n++] = i;
        }
        return n;
    }
    for (uint32_t j = 0; j < f->depth; j += COLUMN) {
        unsigned bits = N(column)(f->v + first + LANES * j, f->bound, f->above);
        for (uint32_t c = 0; c < COLUMN; c += 4)
            n += append4(bits >> c & 15, first + LANES * (j + c), LANES == 16 ? 4 : 5, out + n);
    }
    return n;
}

/* The usual end: few groups, whose candidates come in any order. */
ALWAYS void N(from_groups)(const N(field) *f, const uint32_t *groups, uint32_t count, dve_top8 *out)
{
    uint32_t at[GROUPS * 16 + 16], n = 0;
    float value[GROUPS * 16 + 16];
    for (uint32_t i = 0; i < count; i++)
        n += N(list_column)(f, groups[i], at + n);
    if (n > FEW) {
        for (uint32_t i = 0; i < n; i++)
            value[i] = N(value)(f->v[at[i]]);
        rank_many(value, at, n, out);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        value[i] = N(value)(f->v[at[i]]);
    for (uint32_t i = n; i < FEW; i++) {
        value[i] = dve_nan;
        at[i] = (uint32_t)DVE_NO_POSITION;
    }
    rank_few(value, at, n, out);
}

/* Candidates of one block in walk order. */
static uint32_t N(list_block)(const N(field) *f, uint32_t block, uint32_t *out)
{
    uint32_t i = block * LANES * f->depth, end = i + LANES * f->depth, n = 0;
    N(vec) bound = N(set1)(f->bound);
    if (end > f->n)
        end = f->n;
    for (; i < end; i += LANES) {
        N(vec) x = end - i >= LANES ? N(load)(f->v + i, f->clean) : N(part)(f->v + i, end - i, f->clean);
        uint32_t bits = N(reach)(x, bound, f->above);
        if (bits)                                /* rows of NaN have nothing anywhere */
            n += N(append)(bits, i, out + n);
    }
    return n;
}

/* The first block that has a number or is cut off. Maxima do not tell -inf from NaN. */
static uint32_t N(first_number)(const N(field) *f)
{
    uint32_t b = 0;
    for (const N(elem) *v = f->v; (b + 1) * LANES * f->depth <= f->n; b++) {
        vm any = N(numbers)(N(load)(v, 0));
        v += LANES;
        for (uint32_t j = 1; j < f->depth; j++, v += LANES)
            any = vm_or(any, N(numbers)(N(load)(v, 0)));
        if (vm_any(any))
            return b;
    }
    return b;
}

/* Many ties at the bound: walks the blocks until 8 candidates are there, then only what exceeds the 8th counts. */
static void N(from_blocks)(N(field) *f, dve_top8 *out)
{
    uint32_t at[LANES * 16 + 16];
    out->count = 0;
    for (uint32_t b = f->bound > N(lowest) ? 0 : N(first_number)(f); b < f->blocks; b++) {
        if (!N(reach)(N(fetch)(f->maxima + 16 * b), N(set1)(f->bound), f->above))
            continue;
        uint32_t n = N(list_block)(f, b, at);
        for (uint32_t i = 0; i < n; i++)
            offer(out, N(value)(f->v[at[i]]), at[i]);
        if (out->count == 8) {
            f->bound = N(rank_of)(f->v[out->position[7]]);
            f->above = 1;
        }
    }
    pad(out);
}

/* Raises the bound until few groups exceed it. They are more than 16, so that each of the 16 lanes they are dealt to
 * exceeds it, and so does the new bound. */
static void N(raise_bound)(N(field) *f, uint32_t *groups)
{
    N(field) strict = *f;
    float lanes[16];
    strict.above = 1;
    for (;;) {
        uint32_t n = N(list_groups)(&strict, DVE_ROW_MAXIMA, groups);
        if (n <= SOON)
            break;
        for (uint32_t j = 0; j < 16; j++)
            lanes[j] = N(number)(N(one_maximum)(f->maxima, groups[j]));
        for (uint32_t i = 16; i < n; i++) {
            float x = N(number)(N(one_maximum)(f->maxima, groups[i]));
            lanes[i % 16] = x > lanes[i % 16] ? x : lanes[i % 16];
        }
        f->bound = strict.bound = (N(rank))eighth_of(lanes);
        f->above = 0;
    }
}

/* Whether no maximum is above the lowest: the row has -inf and NaN alone. */
static int N(all_lowest)(const N(field) *f)
{
    N(vec) low = N(set1)(N(lowest)), all = low;
    for (uint32_t b = 0; b < f->blocks; b++)
        all = N(max)(N(fetch)(f->maxima + 16 * b), all);
    return !N(reach)(all, low, 1);
}

static void __attribute__((noinline)) N(from_many)(N(field) *f, uint32_t *groups, dve_top8 *out)
{
    if (!(f->bound > N(lowest)) && N(all_lowest)(f)) {
        N(from_blocks)(f, out);
        return;
    }
    N(raise_bound)(f, groups);
    uint32_t n = N(list_groups)(f, GROUPS, groups);
    if (n <= GROUPS)
        N(from_groups)(f, groups, n, out);
    else
        N(from_blocks)(f, out);
}

/* Below 8 numbers, or 8 lanes with numbers, the bound is -inf. */
ALWAYS void N(from_maxima)(const N(elem) *v, uint32_t n, uint32_t depth, const uint32_t *maxima, N(vec) all, int clean,
                           dve_top8 *out)
{
    uint32_t groups[DVE_ROW_MAXIMA + 16];
    float lanes[16];
    N(sixteen)(all, lanes);
    N(field) f = {v, maxima, n, depth, (n + LANES * depth - 1) / (LANES * depth), (N(rank))eighth_of(lanes), 0, clean};
    uint32_t count = N(list_groups)(&f, GROUPS, groups);
    if (count <= GROUPS)
        N(from_groups)(&f, groups, count, out);
    else
        N(from_many)(&f, groups, out);
}

ALWAYS void N(max8_deep)(const N(elem) *v, uint32_t n, uint32_t depth, uint32_t *maxima, dve_top8 *out)
{
    N(vec) all = N(pass)(v, n, depth, 0, maxima);
    int clean = N(has_high_nan)(all);
    if (clean)
        all = N(pass)(v, n, depth, 1, maxima);
    N(from_maxima)(v, n, depth, maxima, all, clean, out);
}

static void N(max8)(const void *row, uint32_t n, uint32_t maxima[DVE_ROW_MAXIMA], dve_top8 *out)
{
    switch (N(depth)(n)) {
    case 4: N(max8_deep)(row, n, 4, maxima, out); return;
    case 8: N(max8_deep)(row, n, 8, maxima, out); return;
    default: N(max8_deep)(row, n, 16, maxima, out); return;
    }
}

/* Maxima are clean, elements may not be. */
static void N(max8_again)(const void *row, uint32_t n, const uint32_t maxima[DVE_ROW_MAXIMA], dve_top8 *out)
{
    uint32_t depth = N(depth)(n);
    N(vec) all = N(set1)(N(lowest));
    for (uint32_t b = 0; b < (n + LANES * depth - 1) / (LANES * depth); b++)
        all = N(max)(N(fetch)(maxima + 16 * b), all);
    N(from_maxima)(row, n, depth, maxima, all, 1, out);
}

static void N(changed)(const void *row, uint32_t n, uint32_t position, uint32_t maxima[DVE_ROW_MAXIMA])
{
    const N(elem) *v = row;
    uint32_t depth = N(depth)(n), block = position / (LANES * depth), lane = position % LANES;
    N(rank) most = N(lowest);
    for (uint32_t i = block * LANES * depth + lane, j = 0; j < depth && i < n; j++, i += LANES) {
        N(rank) rank = N(rank_of)(v[i]);
        most = rank > most ? rank : most;
    }
    N(set_maximum)(maxima, LANES * block + lane, most);
}
