/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"
#include <string.h>

static const char *const names[KINDS] = {
    "normal", "random-bits", "ascending", "descending", "equal", "few", "one-lane", "one-lane-ascending",
    "one-per-block", "nan", "all-nan", "infinities", "zeros", "denormals", "masked", "all-masked",
    "ties-at-top", "negative", "late", "sawtooth", "nan-and-masked", "eight-lanes",
};

const char *kind_name(unsigned kind)
{
    return kind < KINDS ? names[kind] : NULL;
}

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Near enough to normal. */
static float normal(uint64_t *state)
{
    float sum = 0;
    for (int j = 0; j < 6; j++)
        sum += (float)(next(state) >> 8) / 16777216.0f;
    return (sum - 3.0f) * 1.4f;
}

static uint32_t element(unsigned kind, uint64_t *s, uint32_t i, uint32_t n)
{
    static const uint32_t zeros[4] = {0, 0x80000000u, 0, 0x80000000u};
    static const uint32_t infinities[4] = {0x7f800000u, 0xff800000u, 0x3f800000u, 0xbf800000u};
    uint32_t r = next(s);
    switch (kind) {
    case 1: return r;
    case 2: return bits_of((float)i);
    case 3: return bits_of(-(float)i);
    case 4: return bits_of(1.5f);
    case 5: return bits_of((float)(r & 3));
    case 6: return bits_of(i % 16 == 3 ? 100.0f + normal(s) : normal(s));
    case 7: return bits_of(i % 16 == 3 ? 100.0f + (float)i : normal(s));
    case 8: return bits_of(i % 256 == r % 256 ? 100.0f + normal(s) : normal(s));
    case 9: return r % 5 == 0 ? 0x7fc00000u ^ (r & 0x803fffffu) : bits_of(normal(s));
    case 10: return 0x7f800001u ^ (r & 0x807ffffeu);
    case 11: return infinities[r & 3];
    case 12: return zeros[r & 3];
    case 13: return r & 0x807fffffu;
    case 14: return r % 8 ? 0xff800000u : bits_of(normal(s));
    case 15: return 0xff800000u;
    case 16: return bits_of(r % 7 == 0 ? 9.0f : normal(s));
    case 17: return bits_of(-1.0f - (float)(r >> 8));
    case 18: return bits_of(i + 9 > n ? 50.0f : i % 97 == 0 ? 40.0f : normal(s));
    case 19: return bits_of((float)(i % 61));
    case 20: return r % 64 == 0 && i < n / 3 ? bits_of(normal(s)) : r & 1 ? 0xff800000u : 0xffc00000u;
    case 21: return bits_of(i % 16 < 8 ? (float)i : -(float)i);
    default: return bits_of(normal(s));
    }
}

void kind_fill(unsigned kind, uint64_t seed, uint32_t *out, uint32_t n)
{
    uint64_t state = seed * 977 + kind + 1;
    for (uint32_t i = 0; i < n; i++)
        out[i] = element(kind, &state, i, n);
}
