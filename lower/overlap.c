/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two walks share a byte: is there a choice of element and byte in each that gives one address? */
#include "build.h"

enum { BUDGET = 1 << 20 };       /* choices that are tried before the answer is yes */

/* The address difference is a sum of terms, each a factor times 0..most. */
typedef struct sum {
    struct { int64_t factor, most; } term[2 * DVE_LOWER_AXES + 2];
    unsigned terms;
    int64_t reach[2 * DVE_LOWER_AXES + 3];   /* largest sum of the terms from here on */
    unsigned tried;
} sum;

/* Larger factors first: they leave the fewest choices. A negative factor counts down from its end, which
 * moves the wanted sum. */
static void add(sum *s, int64_t factor, int64_t most, int64_t *wanted)
{
    if (!factor || !most)
        return;
    if (factor < 0) {
        *wanted -= factor * most;
        factor = -factor;
    }
    unsigned at = s->terms++;
    for (; at && s->term[at - 1].factor < factor; at--)
        s->term[at] = s->term[at - 1];
    s->term[at].factor = factor;
    s->term[at].most = most;
}

static int reachable(sum *s, unsigned at, int64_t wanted)
{
    if (wanted < 0 || wanted > s->reach[at])
        return 0;
    if (at == s->terms)
        return 1;
    if (s->tried++ >= BUDGET)
        return 1;
    int64_t factor = s->term[at].factor, high = wanted / factor, low = wanted - s->reach[at + 1];
    low = low <= 0 ? 0 : (low + factor - 1) / factor;
    if (high > s->term[at].most)
        high = s->term[at].most;
    for (int64_t n = high; n >= low; n--)
        if (reachable(s, at + 1, wanted - n * factor))
            return 1;
    return 0;
}

static void add_walk(sum *s, const dve_lowering *l, uint8_t operand, int64_t sign, int64_t *wanted)
{
    const dve_lower_access *a = dve_low_access(l, operand);
    int64_t size = dve_dtype(dve_low_dtype(l, operand))->bytes;
    if (!size)
        size = 1;
    *wanted -= sign * a->offset;
    for (unsigned i = 0; i < a->axes; i++)
        add(s, sign * size * a->axis[i].step, a->axis[i].count - 1, wanted);
    add(s, sign, size - 1, wanted);
}

int dve_low_overlap(const dve_lowering *l, uint8_t a, uint8_t b)
{
    const dve_lower_access *x = dve_low_access(l, a), *y = dve_low_access(l, b);
    sum s = {.terms = 0};
    int64_t wanted = 0;
    if (x->indirect || y->indirect)
        return 0;                /* where they go is known to the list alone */
    if (x->space != y->space || x->partition >= y->partition + l->in->channels ||
        y->partition >= x->partition + l->in->channels)
        return 0;
    add_walk(&s, l, a, 1, &wanted);
    add_walk(&s, l, b, -1, &wanted);
    for (unsigned i = s.terms; i-- > 0;)
        s.reach[i] = s.reach[i + 1] + s.term[i].factor * s.term[i].most;
    return reachable(&s, 0, wanted);
}
