/* SPDX-License-Identifier: Apache-2.0 */
/* How two sets differ: by opcode, because rows are numbered anew in each set, and position by position. */
#include "tables.h"
#include <string.h>

static int same_row(const dve_table_set *a, uint64_t row_a, const dve_table_set *b, uint64_t row_b, unsigned key)
{
    const uint8_t *in_a = dve_table_row(a, key, row_a), *in_b = dve_table_row(b, key, row_b);
    if (!in_a || !in_b)
        return in_a == in_b;
    return memcmp(in_a, in_b, dve_table_of(a->gen, key)->stride) == 0;
}

/* Within a generation words are compared whole; across generations only what is known to be at home in both. */
static uint8_t lanes_that_differ(const dve_table_set *a, uint32_t row_a, const dve_table_set *b, uint32_t row_b)
{
    dve_table_block in_a, in_b;
    uint8_t lanes = 0;
    dve_table_block_at(a, row_a, &in_a);
    dve_table_block_at(b, row_b, &in_b);
    for (unsigned l = 0; l < DVE_TABLE_LANES; l++) {
        const dve_table_lane *x = &in_a.lane[l], *y = &in_b.lane[l];
        int differ = a->gen == b->gen ? x->word != y->word
                                      : x->kind != y->kind || x->valid != y->valid || x->mode != y->mode ||
                                            x->stage != y->stage;
        lanes |= (uint8_t)(differ ? 1u << l : 0);
    }
    return lanes;
}

/* Selectors double from gen2 to gen3 where an opcode has one in both, and stay from gen3 to gen4: the other reading is
 * the same number everywhere. */
static uint8_t breaks_doubling(const dve_table_opcode_diff *d)
{
    return d->first.slow && d->second.slow && (d->first.slow_alt != d->second.slow_alt || d->first.gap || d->second.gap);
}

void dve_table_compare_opcode(const dve_table_set *first, const dve_table_set *second, dve_wire_opcode opcode,
                              dve_table_opcode_diff *out)
{
    memset(out, 0, sizeof *out);
    out->opcode = opcode;
    dve_table_entry_at(first, opcode, &out->first);
    dve_table_entry_at(second, opcode, &out->second);
    if (!out->first.raw || !out->second.raw) {
        out->change = out->first.raw ? DVE_TABLE_DROPPED : out->second.raw ? DVE_TABLE_ADDED : DVE_TABLE_SAME;
        return;
    }
    unsigned control = dve_table_control_key(first->gen);
    int same_keys = control == (unsigned)dve_table_control_key(second->gen);
    out->lanes = lanes_that_differ(first, out->first.row, second, out->second.row);
    out->control = same_keys && !same_row(first, out->first.row, second, out->second.row, control);
    if (same_keys && control == DVE_TABLE_CONTROL_FAST) {
        const dve_table_entry *a = &out->first, *b = &out->second;
        out->slow = !a->slow != !b->slow ||
                    (a->slow && !same_row(first, a->slow, second, b->slow, DVE_TABLE_CONTROL_SLOW));
    }
    out->selector = first->gen != second->gen && breaks_doubling(out);
    int selects_other = first->gen == second->gen ? out->first.slow != out->second.slow
                                                  : out->selector || !out->first.slow != !out->second.slow;
    if (out->lanes || out->control || out->slow || selects_other)
        out->change = DVE_TABLE_CHANGED;
    else if (out->first.row != out->second.row)
        out->change = DVE_TABLE_MOVED;
}

/* Words of a table that are compared as one number. */
static uint32_t word_bytes(const dve_table_info *info)
{
    return info->stride < 8 ? info->stride : 8;
}

static uint64_t pattern_at(const dve_table_set *a, const dve_table_set *b, unsigned key, uint32_t at, uint32_t size)
{
    return dve_table_number(a->table[key] + at, size) ^ dve_table_number(b->table[key] + at, size);
}

/* Distinct patterns, none of them 0: a table of twice as many places as a datapath table has words. */
enum { PATTERNS = 4096 };
typedef struct pattern_set {
    uint64_t place[PATTERNS];
} pattern_set;

/* Whether the pattern is new. */
static int add_pattern(pattern_set *set, uint64_t pattern)
{
    uint32_t at = (uint32_t)(pattern * UINT64_C(0x9e3779b97f4a7c15) >> 52);
    while (set->place[at] && set->place[at] != pattern)
        at = (at + 1) % PATTERNS;
    int is_new = !set->place[at];
    set->place[at] = pattern;
    return is_new;
}

static void note_row(dve_table_diff *out, uint32_t row)
{
    if (out->row[row / 8] >> row % 8 & 1)
        return;
    out->row[row / 8] |= (uint8_t)(1u << row % 8);
    out->rows++;
    if (out->first_row < 0)
        out->first_row = (int32_t)row;
    out->last_row = (int32_t)row;
}

void dve_table_compare(const dve_table_set *first, const dve_table_set *second, unsigned key, dve_table_diff *out)
{
    const dve_table_info *info = dve_table_of(first->gen, key), *other = dve_table_of(second->gen, key);
    memset(out, 0, sizeof *out);
    out->first_byte = DVE_NOWHERE;
    out->first_row = out->last_row = DVE_NOWHERE;
    if (!info || !other || info->bytes != other->bytes || info->rows != other->rows)
        return;
    out->comparable = 1;
    uint32_t size = word_bytes(info);
    pattern_set seen;
    memset(&seen, 0, sizeof seen);
    for (uint32_t at = 0; at < info->bytes; at += size) {
        if (at % info->stride == 0 && memcmp(first->table[key] + at, second->table[key] + at, info->stride) == 0) {
            at += info->stride - size;
            continue;
        }
        uint64_t pattern = pattern_at(first, second, key, at, size);
        if (!pattern)
            continue;
        out->words++;
        out->patterns += (uint32_t)add_pattern(&seen, pattern);
        note_row(out, at / info->stride);
        for (uint32_t i = at; i < at + size; i++) {
            if (first->table[key][i] == second->table[key][i])
                continue;
            out->bytes++;
            if (out->first_byte < 0)
                out->first_byte = i;
        }
    }
}
