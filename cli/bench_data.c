/* SPDX-License-Identifier: Apache-2.0 */
/* Data of measurements: the same on every host, from one seed. */
#include "bench.h"
#include <string.h>

uint64_t bench_next(bench_random *r)             /* splitmix64 */
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

const char *bench_kind_name(bench_kind kind)
{
    static const char *const names[] = {
#define KIND(id, what) #id,
#include "bench_kinds.def"
    };
    return names[kind];
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float uniform(bench_random *r)
{
    return (float)(bench_next(r) >> 40) / 16777216.0f;
}

/* Sum of uniform numbers: near enough to normal. */
static float normal(bench_random *r)
{
    uint64_t a = bench_next(r), b = bench_next(r);
    double sum = (double)(uint32_t)a + (double)(a >> 32) + (double)(uint32_t)b + (double)(b >> 32);
    return (float)((sum / 4294967296.0 - 2.0) * 1.7320508);
}

static uint32_t value_of(bench_random *r, bench_kind kind, uint32_t i, uint32_t n)
{
    static const float eight[] = {-3, -1, -0.5f, 0, 0.25f, 1, 2, 5};
    float number = (float)i;
    switch (kind) {
    case BENCH_KIND_uniform: return bits_of(uniform(r));
    case BENCH_KIND_ascending: return bits_of(number);
    case BENCH_KIND_descending: return bits_of((float)(n - i));
    case BENCH_KIND_equal: return bits_of(1.5f);
    case BENCH_KIND_few: return bits_of(eight[bench_next(r) % 8]);
    case BENCH_KIND_two: return bits_of((float)(bench_next(r) % 2));
    case BENCH_KIND_bits: return (uint32_t)bench_next(r);
    case BENCH_KIND_half_nan: return i % 2 ? UINT32_C(0x7fc00000) : bits_of(normal(r));
    case BENCH_KIND_nan: return UINT32_C(0x7fc00000);
    case BENCH_KIND_infinities:
        return i % 64 ? bits_of(normal(r)) : UINT32_C(0x7f800000) | (uint32_t)(bench_next(r) & 1) << 31;
    case BENCH_KIND_zeros: return (uint32_t)(bench_next(r) & 1) << 31;
    case BENCH_KIND_subnormals: return (uint32_t)bench_next(r) & UINT32_C(0x807fffff);
    case BENCH_KIND_masked: return i < n / 2 ? bits_of(normal(r)) : UINT32_C(0xff800000);
    case BENCH_KIND_negative: return bits_of(-1.0f - uniform(r));
    case BENCH_KIND_late: return bits_of(i + 8 < n ? normal(r) : 10.0f + uniform(r));
    case BENCH_KIND_one_lane: return bits_of(i % 16 == 3 ? 100.0f + uniform(r) : normal(r));
    case BENCH_KIND_one_a_block: return bits_of(i % 64 == 7 ? 100.0f + number : normal(r));
    case BENCH_KIND_steps: return bits_of((float)(i / 100));
    default: return bits_of(normal(r));
    }
}

void bench_row(bench_random *r, bench_kind kind, uint32_t n, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = value_of(r, kind, i, n);
}
