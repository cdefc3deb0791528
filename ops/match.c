/* SPDX-License-Identifier: Apache-2.0 */
/* The match core of FindIndex8 and MatchReplace8.
 *
 * Elements are offered in walk order; each is consumed by the open key of lowest number that equals it
 * as an fp32 value (NaN never, +0 = -0), and that key is closed. Keys come from MatchValueLoad and stay
 * closed until the next one. Source: SC, NKI, REL; ruling R1. */
#include "group.h"
#include "ops.h"
#include <string.h>

void dve_match_begin(const dve_lane_state *state, dve_match *out)
{
    memcpy(out->key, state->key, sizeof out->key);
    memset(out->position, 0xff, sizeof out->position);
    out->matched = state->matched;
}

int dve_match_one(dve_match *match, uint32_t value, uint32_t position)
{
    for (int n = 0; n < 8; n++) {
        if (match->matched >> n & 1 || !dve_f32_eq(match->key[n], value))
            continue;
        match->matched = (uint8_t)(match->matched | 1 << n);
        match->position[n] = position;
        return n;
    }
    return -1;
}

/* Range of the open keys; 0 if none can match any more. */
static int open_range(const dve_match *match, float *lowest, float *highest)
{
    int open = 0;
    for (int n = 0; n < 8; n++) {
        if (match->matched >> n & 1 || dve_f32_is_nan(match->key[n]))
            continue;
        float key = dve_f32_value(match->key[n]);
        *lowest = open && *lowest < key ? *lowest : key;
        *highest = open && *highest > key ? *highest : key;
        open = 1;
    }
    return open;
}

void dve_match_walk(dve_match *match, const dve_walk *src, const dve_num_config *num)
{
    uint32_t buffer[DVE_BLOCK], position = 0, held;
    const uint32_t *values;
    float lowest = 0, highest = 0;
    dve_reader reader;
    dve_reader_begin(src, &reader);
    int open = open_range(match, &lowest, &highest);
    while (open && (held = dve_reader_next(&reader, num, buffer, &values)) != 0) {
        for (uint32_t i = 0, group; open && i < held; i += group) {
            group = held - i < DVE_GROUP ? held - i : DVE_GROUP;
            if (group == DVE_GROUP && !dve_group_within(values + i, lowest, highest))
                continue;
            for (uint32_t j = i; j < i + group; j++) {
                float value = dve_f32_value(values[j]);
                if (value >= lowest && value <= highest && dve_match_one(match, values[j], position + j) >= 0)
                    open = open_range(match, &lowest, &highest);
            }
        }
        position += held;
    }
}

void dve_match_end(const dve_match *match, dve_lane_state *state)
{
    state->matched = match->matched;
    memcpy(state->flop, match->position, sizeof state->flop);
}
