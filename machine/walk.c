/* SPDX-License-Identifier: Apache-2.0 */
/* Access patterns as sequences of bytes: normal form, and which bytes of a partition they touch. */
#include "machine.h"
#include <string.h>

void dve_walk_normalise(const dve_pattern *pattern, uint32_t size, dve_walk *out)
{
    memset(out, 0, sizeof *out);
    unsigned dims = 0;
    for (unsigned d = 0; d < 4; d++) {
        int32_t step = pattern->step[d] * (int32_t)size;
        if (pattern->num[d] == 1)
            continue;
        if (dims && (int64_t)out->step[dims - 1] * out->num[dims - 1] == step) {
            out->num[dims - 1] *= pattern->num[d];
            continue;
        }
        out->step[dims] = step;
        out->num[dims++] = pattern->num[d];
    }
    if (!dims)
        out->step[0] = (int32_t)size;
    for (unsigned d = dims; d < 4; d++)
        out->num[d] = 1;
    out->count = (uint32_t)dve_pattern_count(pattern);
    out->size = (uint8_t)size;
    out->dtype = pattern->dtype;
}

int dve_walk_same(const dve_resolved *a, const dve_resolved *b)
{
    if (a->place.space != b->place.space || a->place.partition != b->place.partition ||
        a->place.offset != b->place.offset || a->walk.size != b->walk.size)
        return 0;
    for (unsigned d = 0; d < 4; d++)
        if (a->walk.num[d] != b->walk.num[d] || (a->walk.num[d] > 1 && a->walk.step[d] != b->walk.step[d]))
            return 0;
    return 1;
}

/* Dense and in order, forwards or backwards: one interval, each byte once. */
static int dense(const dve_walk *walk)
{
    int32_t step = walk->step[0];
    return walk->num[1] == 1 && (walk->num[0] == 1 || step == walk->size || step == -(int32_t)walk->size);
}

/* A dimension of step 0 visits every byte again. Takes such dimensions out; nonzero if there was one. */
static int drop_repeats(dve_walk *walk)
{
    unsigned dims = 0;
    int repeats = 0;
    for (unsigned d = 0; d < 4; d++) {
        if (walk->num[d] == 1)
            continue;
        if (walk->step[d] == 0) {
            repeats = 1;
            continue;
        }
        walk->step[dims] = walk->step[d];
        walk->num[dims++] = walk->num[d];
    }
    for (; dims < 4; dims++)
        walk->num[dims] = 1;
    return repeats;
}

/* Sets bytes from..to of the map, and notes the lowest that was set before. */
static void visit(dve_footprint *out, uint32_t from, uint32_t to)
{
    for (uint32_t i = from / 8; i <= to / 8; i++) {
        uint32_t ones = 0xff;
        if (i == from / 8)
            ones &= 0xffu << from % 8;
        if (i == to / 8)
            ones &= (2u << to % 8) - 1u;
        for (uint32_t again = out->map[i] & ones, b = 0; again; b++, again >>= 1)
            if (again & 1 && 8 * i + b < out->twice_byte) {
                out->twice = 1;
                out->twice_byte = 8 * i + b;
            }
        out->map[i] = (uint8_t)(out->map[i] | ones);
    }
}

/* All of dimension 0 from byte `at` on. */
static void visit_run(dve_footprint *out, const dve_walk *walk, int64_t at)
{
    int64_t last = at + (int64_t)walk->step[0] * (walk->num[0] - 1);
    if (walk->num[0] == 1 || walk->step[0] == walk->size || walk->step[0] == -(int32_t)walk->size) {
        visit(out, (uint32_t)(at < last ? at : last), (uint32_t)(at < last ? last : at) + walk->size - 1);
        return;
    }
    for (uint32_t i = 0; i < walk->num[0]; i++, at += walk->step[0])
        visit(out, (uint32_t)at, (uint32_t)at + walk->size - 1);
}

void dve_footprint_of(const dve_resolved *operand, uint8_t *map, dve_footprint *out)
{
    dve_walk walk = operand->walk;
    int64_t low, high;
    memset(out, 0, sizeof *out);
    dve_pattern_extent(&operand->pattern, walk.size, &low, &high);
    out->lowest = (uint32_t)(operand->place.offset + low);
    out->highest = (uint32_t)(operand->place.offset + high);
    int repeats = drop_repeats(&walk);
    if (!dense(&walk)) {
        uint32_t at[3] = {0, 0, 0};
        out->map = map;
        out->twice_byte = UINT32_MAX;
        memset(map + out->lowest / 8, 0, out->highest / 8 - out->lowest / 8 + 1);
        for (uint32_t runs = walk.num[1] * walk.num[2] * walk.num[3]; runs > 0; runs--) {
            int64_t offset = operand->place.offset;
            for (unsigned d = 0; d < 3; d++)
                offset += (int64_t)at[d] * walk.step[d + 1];
            visit_run(out, &walk, offset);
            for (unsigned d = 0; d < 3 && ++at[d] == walk.num[d + 1]; d++)
                at[d] = 0;
        }
    }
    if (repeats) {
        out->twice = 1;
        out->twice_byte = out->lowest;
    }
}

/* Which bytes of 8 i .. 8 i + 7 the footprint has. */
static uint32_t bits_of(const dve_footprint *f, uint32_t i)
{
    uint32_t ones = f->map ? f->map[i] : 0xff;
    if (i == f->lowest / 8)
        ones &= 0xffu << f->lowest % 8;
    if (i == f->highest / 8)
        ones &= (2u << f->highest % 8) - 1u;
    return ones;
}

int dve_footprint_shared(const dve_footprint *a, const dve_footprint *b, uint32_t *byte)
{
    uint32_t from = a->lowest > b->lowest ? a->lowest : b->lowest;
    uint32_t to = a->highest < b->highest ? a->highest : b->highest;
    *byte = 0;
    for (uint32_t i = from / 8; from <= to && i <= to / 8; i++) {
        uint32_t both = bits_of(a, i) & bits_of(b, i);
        if (!both)
            continue;
        *byte = 8 * i;
        for (; !(both & 1); both >>= 1)
            ++*byte;
        return 1;
    }
    return 0;
}
