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

void dve_footprint_of(const dve_resolved *operand, uint8_t *map, dve_footprint *out)
{
    const dve_walk *walk = &operand->walk;
    int64_t low, high;
    memset(out, 0, sizeof *out);
    dve_pattern_extent(&operand->pattern, walk->size, &low, &high);
    out->lowest = (uint32_t)(operand->place.offset + low);
    out->highest = (uint32_t)(operand->place.offset + high);
    if (dense(walk))
        return;
    out->map = map;
    out->twice_byte = UINT32_MAX;
    memset(map + out->lowest / 8, 0, out->highest / 8 - out->lowest / 8 + 1);
    uint32_t at[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < walk->count; i++) {
        int64_t offset = operand->place.offset;
        for (unsigned d = 0; d < 4; d++)
            offset += (int64_t)at[d] * walk->step[d];
        for (uint32_t byte = (uint32_t)offset; byte < (uint32_t)offset + walk->size; byte++) {
            uint8_t bit = (uint8_t)(1u << byte % 8);
            if (map[byte / 8] & bit && byte < out->twice_byte) {
                out->twice = 1;
                out->twice_byte = byte;
            }
            map[byte / 8] |= bit;
        }
        for (unsigned d = 0; d < 4 && ++at[d] == walk->num[d]; d++)
            at[d] = 0;
    }
}

static int touches(const dve_footprint *f, uint32_t byte)
{
    return !f->map || f->map[byte / 8] >> byte % 8 & 1;
}

int dve_footprint_shared(const dve_footprint *a, const dve_footprint *b, uint32_t *byte)
{
    uint32_t from = a->lowest > b->lowest ? a->lowest : b->lowest;
    uint32_t to = a->highest < b->highest ? a->highest : b->highest;
    *byte = 0;
    for (uint32_t at = from; at <= to && from <= to; at++)
        if (touches(a, at) && touches(b, at)) {
            *byte = at;
            return 1;
        }
    return 0;
}
