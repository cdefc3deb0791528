/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a match, for all element types: their range, a table of their values, and who takes an element. */
#ifndef DVE_KERNELS_KEYS_H
#define DVE_KERNELS_KEYS_H

#include "v_common.h"

enum {
    SHORT = 1024,                /* rows that are filtered without a branch */
    DOUBTS = 32                  /* candidates after which a table is worth its making */
};

typedef struct keys {
    float key[8];
    uint32_t open;               /* bit n: key n can still take an element */
    uint32_t position[9];        /* the last for what nobody takes */
} keys;

/* NaN keys take nothing: they are as good as closed here, but their flag stays. */
static void keys_of(const dve_match *match, keys *out)
{
    out->open = 0;
    for (uint32_t n = 0; n < 8; n++) {
        out->key[n] = dve_f32_value(match->key[n]);
        out->open |= (uint32_t)(!(match->matched >> n & 1) && out->key[n] == out->key[n]) << n;
    }
    memcpy(out->position, match->position, sizeof match->position);
}

static void keys_end(const keys *k, uint32_t open_before, dve_match *match)
{
    match->matched = (uint8_t)(match->matched | (open_before & ~k->open));
    memcpy(match->position, k->position, sizeof match->position);
}

/* The lowest open key that equals a value takes it; 0 if none does. */
ALWAYS int take(keys *k, float value, uint32_t at)
{
    __m128 v = _mm_set1_ps(value);
    uint32_t equal = (uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(_mm_loadu_ps(k->key), v)) |
                     (uint32_t)_mm_movemask_ps(_mm_cmpeq_ps(_mm_loadu_ps(k->key + 4), v)) << 4;
    equal &= k->open;
    k->position[__builtin_ctz(equal | 0x100)] = at;
    k->open &= ~(equal & (0u - equal));
    return equal != 0;
}

/* Slots of the open keys by one factor, equal values in one; 0 if different values want the same. */
ALWAYS int place(const keys *k, uint32_t factor, int shift, slots *out)
{
    const float nan = dve_f32_value(DVE_F32_QUIET_NAN);
    uint32_t taken = 0;
    for (uint32_t open = k->open; open; open &= open - 1) {
        uint32_t n = (uint32_t)__builtin_ctz(open), s = dve_f32_bits(k->key[n] + 0.0f) * factor >> shift;
        if (taken >> s & 1 && out->slot[s] != k->key[n])
            return 0;
        taken |= 1u << s;
        out->slot[s] = k->key[n];
        out->of_key[n] = (uint8_t)s;
    }
    for (uint32_t s = 0; s < DVE_SLOTS_MOST; s++)
        out->slot[s] = taken >> s & 1 ? out->slot[s] : nan;
    out->factor = factor;
    return 1;
}

/* A table of the open keys' values; `shift` is SLOT_SHIFT of the level, 32 for none. 0 if there is none, which is a matter of luck. */
static int slots_of(const keys *k, int shift, slots *out)
{
    uint32_t factor = 0x9e3779b1u;
    if (shift == 32) {                           /* no product: each in its own */
        for (uint32_t n = 0; n < 8; n++) {
            out->slot[n] = k->open >> n & 1 ? k->key[n] : dve_f32_value(DVE_F32_QUIET_NAN);
            out->of_key[n] = (uint8_t)n;
        }
        return 1;
    }
    for (int tries = 0; tries < 1000; tries++, factor = factor * 0x2c9277b5u + 0xac564b06u)
        if (place(k, factor | 1, shift, out))
            return 1;
    return 0;
}

/* Takes values out that only keys of `closed` had. */
static void slots_drop(const keys *k, uint32_t closed, slots *s)
{
    uint32_t used = 0;
    for (uint32_t open = k->open; open; open &= open - 1)
        used |= 1u << s->of_key[__builtin_ctz(open)];
    for (; closed; closed &= closed - 1) {
        uint8_t slot = s->of_key[__builtin_ctz(closed)];
        if (!(used >> slot & 1))
            s->slot[slot] = dve_f32_value(DVE_F32_QUIET_NAN);
    }
}

#endif
