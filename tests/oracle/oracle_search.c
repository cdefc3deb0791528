/* SPDX-License-Identifier: Apache-2.0 */
/* The five search records: Max8, MatchValueLoad, FindIndex8, MatchReplace8, DveReadIndices. */
#include "oracle_state.h"

static void match_value_load(oracle_machine *m, const bound_operand *src, unsigned channel)
{
    hidden_state *h = oracle_hidden(m, src, channel);

    for (unsigned k = 0; k < ORACLE_KEYS; k++)
        h->keys[ORACLE_KEYS - 1 - k] = oracle_read_fp32(m, src, channel, k);
    h->matched = 0;
}

static void max8(oracle_machine *m, const bound_operand *src, const bound_operand *dst, unsigned channel)
{
    uint64_t count = oracle_count(&src->op);
    size_t kept = 0;

    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = oracle_read_fp32(m, src, channel, i);

        if (!oracle_is_nan(bits))
            m->items[kept++] = (oracle_item){oracle_value(bits), bits, (uint32_t)i};
    }
    oracle_sort(m->items, kept);
    for (unsigned k = 0; k < ORACLE_KEYS; k++) {
        size_t rank = ORACLE_KEYS - 1 - k; /* the smallest leaves first */
        uint32_t bits = rank < kept ? m->items[rank].bits : ORACLE_SIGN | ORACLE_INF;

        oracle_write(m, dst, channel, k, oracle_from_fp32(dst->op.dtype, bits, &m->settings));
    }
}

static int equal_fp32(uint32_t a, uint32_t b)
{
    return !oracle_is_nan(a) && !oracle_is_nan(b) && oracle_value(a) == oracle_value(b);
}

static int is_open(const hidden_state *h, unsigned n)
{
    return (h->matched >> n & 1u) == 0;
}

/* How many open keys before n have n's value: n takes the occurrence with that number. */
static unsigned rank_among_equals(const hidden_state *h, unsigned n)
{
    unsigned rank = 0;

    for (unsigned k = 0; k < n; k++)
        if (is_open(h, k) && equal_fp32(h->keys[k], h->keys[n]))
            rank++;
    return rank;
}

static uint32_t occurrence(const oracle_item *items, uint64_t count, uint32_t key, unsigned rank)
{
    for (uint64_t i = 0; i < count; i++)
        if (equal_fp32(items[i].bits, key) && rank-- == 0)
            return (uint32_t)i;
    return ORACLE_ALL_ONES;
}

static void find_index8(oracle_machine *m, const bound_operand *src, const bound_operand *dst, unsigned channel)
{
    hidden_state *h = oracle_hidden(m, src, channel);
    uint64_t count = oracle_count(&src->op);
    uint32_t found[ORACLE_KEYS];

    for (uint64_t i = 0; i < count; i++)
        m->items[i].bits = oracle_read_fp32(m, src, channel, i);
    /* OPEN: a key consumed by an earlier record records nothing here and gives all ones. */
    for (unsigned n = 0; n < ORACLE_KEYS; n++)
        found[n] = is_open(h, n) ? occurrence(m->items, count, h->keys[n], rank_among_equals(h, n)) : ORACLE_ALL_ONES;
    for (unsigned n = 0; n < ORACLE_KEYS; n++) {
        h->flops[n] = found[n];
        if (found[n] != ORACLE_ALL_ONES)
            h->matched = (uint8_t)(h->matched | 1u << n);
        oracle_write(m, dst, channel, n, found[n]); /* a narrow store keeps the low bits: all ones stay all ones */
    }
}

/* Open keys of one value in slot order, and how many occurrences of it have passed. */
typedef struct key_group {
    uint32_t value;
    unsigned slots[ORACLE_KEYS], count, seen;
} key_group;

static unsigned group_keys(const hidden_state *h, key_group groups[ORACLE_KEYS])
{
    unsigned total = 0;

    for (unsigned n = 0; n < ORACLE_KEYS; n++) {
        unsigned g = 0;

        if (!is_open(h, n))
            continue;
        while (g < total && !equal_fp32(groups[g].value, h->keys[n]))
            g++;
        if (g == total)
            groups[total++] = (key_group){h->keys[n], {0}, 0, 0};
        groups[g].slots[groups[g].count++] = n;
    }
    return total;
}

/* The slot that takes this element, or ORACLE_KEYS.  The j-th occurrence of a value goes to its group's j-th slot. */
static unsigned take_slot(key_group *groups, unsigned total, uint32_t value)
{
    for (unsigned g = 0; g < total; g++)
        if (equal_fp32(groups[g].value, value)) {
            unsigned j = groups[g].seen++;

            return j < groups[g].count ? groups[g].slots[j] : ORACLE_KEYS;
        }
    return ORACLE_KEYS;
}

/* Equal dtypes keep bits, except that 32-bit integers go through fp32 like everything the engine compares. */
static uint32_t pass_through(const oracle_machine *m, unsigned in, unsigned out, uint32_t bits)
{
    if (in == out && (in == ORACLE_I32 || in == ORACLE_U32))
        return oracle_from_fp32(out, oracle_to_fp32(in, bits, &m->settings), &m->settings);
    return oracle_convert(in, out, bits, &m->settings);
}

/* One element after the other, in memory: where the operands overlap, later reads see earlier writes. */
static void match_replace8(oracle_machine *m, const bound_operand *src, const bound_operand *dst, unsigned channel,
                           uint32_t replacement)
{
    hidden_state *h = oracle_hidden(m, src, channel);
    uint64_t count = oracle_count(&src->op);
    key_group groups[ORACLE_KEYS];
    unsigned total = group_keys(h, groups);

    for (unsigned n = 0; n < ORACLE_KEYS; n++)
        h->flops[n] = ORACLE_ALL_ONES;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = oracle_read(m, src, channel, i);
        uint32_t value = oracle_to_fp32(src->op.dtype, bits, &m->settings);
        unsigned slot = take_slot(groups, total, value);
        uint32_t result;

        if (slot < ORACLE_KEYS) {
            h->matched = (uint8_t)(h->matched | 1u << slot);
            h->flops[slot] = (uint32_t)i;
            /* OPEN: a NaN replacement written as fp32 keeps its bits, as any equal-dtype move does. */
            result = oracle_from_fp32(dst->op.dtype, replacement, &m->settings);
        } else {
            result = pass_through(m, src->op.dtype, dst->op.dtype, bits);
        }
        oracle_write(m, dst, channel, i, result);
    }
}

static void read_indices(oracle_machine *m, const bound_operand *dst, unsigned channel)
{
    const hidden_state *h = oracle_hidden(m, dst, channel);

    for (unsigned n = 0; n < ORACLE_KEYS; n++)
        oracle_write(m, dst, channel, n, h->flops[n]);
}

static int bind_operands(const oracle_machine *m, const uint8_t *r, bound_operand *src, bound_operand *dst)
{
    oracle_operand a, b;

    switch (r[0]) {
    case 0x6d:
        a = oracle_operand_at(r, 16, 2, r[32], 0);
        return oracle_bind(m, &a, r[34], src);
    case 0xe9:
        b = oracle_operand_at(r, 44, 4, r[32], 1);
        return oracle_bind(m, &b, r[34], dst);
    case 0x6f:
        b = oracle_operand_at(r, 44, 4, r[33], 1);
        break;
    default: /* 0x6c and 0x6e */
        b = oracle_operand_at(r, 48, 2, r[33], 1);
    }
    a = oracle_operand_at(r, 12, 4, r[32], 0);
    return oracle_bind(m, &a, r[34], src) && oracle_bind(m, &b, r[34], dst);
}

oracle_result oracle_run_search(oracle_machine *m, const uint8_t *r)
{
    bound_operand src, dst;
    unsigned channels = r[34];

    if (!bind_operands(m, r, &src, &dst))
        return ORACLE_REFUSED;
    /* Lanes cannot disturb each other: operands start at multiples of the channel group, so they share bytes only
     * where they have the same partition. */
    for (unsigned c = 0; c < channels; c++) {
        switch (r[0]) {
        case 0x6c: max8(m, &src, &dst, c); break;
        case 0x6d: match_value_load(m, &src, c); break;
        case 0x6e: find_index8(m, &src, &dst, c); break;
        case 0x6f: match_replace8(m, &src, &dst, c, oracle_load(r + 40, 4)); break;
        default: read_indices(m, &dst, c); break;
        }
    }
    return ORACLE_DONE;
}
