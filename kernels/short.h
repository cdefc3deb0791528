/* SPDX-License-Identifier: Apache-2.0 */
/* Max8 of short rows of fp32, SIDE of them side by side: lane r of a vector belongs to row r.
 *
 * A short row costs less than looking for the few elements that matter. Each element goes where it belongs among
 * the 8 largest so far, behind those that equal it, for those came earlier: no step depends on the data. */
#ifndef DVE_KERNELS_SHORT_H
#define DVE_KERNELS_SHORT_H

#include "v_common.h"

#if defined __AVX2__
#include <immintrin.h>

enum { SIDE = 8 };
typedef __m256 side;

ALWAYS side side_load(const word_f32 *p) { return _mm256_loadu_ps(p); }
ALWAYS void side_store(uint32_t *p, side x) { _mm256_storeu_ps((word_f32 *)(void *)p, x); }
ALWAYS side side_set1(float x) { return _mm256_set1_ps(x); }
ALWAYS side side_number(uint32_t x) { return _mm256_castsi256_ps(_mm256_set1_epi32((int32_t)x)); }
ALWAYS side side_above(side x, side y) { return _mm256_cmp_ps(x, y, _CMP_GT_OQ); }
ALWAYS side side_pick(side chosen, side x, side y) { return _mm256_blendv_ps(y, x, chosen); }
ALWAYS uint32_t side_bits(side x) { return (uint32_t)_mm256_movemask_ps(x); }

/* Rows become columns. */
ALWAYS void side_turn(side x[8])
{
    __m256 pair[8], four[8];
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm256_unpacklo_ps(x[i], x[i + 1]);
        pair[i + 1] = _mm256_unpackhi_ps(x[i], x[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            four[i + 2 * j] = _mm256_shuffle_ps(pair[i + j], pair[i + 2 + j], _MM_SHUFFLE(1, 0, 1, 0));
            four[i + 2 * j + 1] = _mm256_shuffle_ps(pair[i + j], pair[i + 2 + j], _MM_SHUFFLE(3, 2, 3, 2));
        }
    for (int i = 0; i < 4; i++) {
        x[i] = _mm256_permute2f128_ps(four[i], four[i + 4], 0x20);
        x[i + 4] = _mm256_permute2f128_ps(four[i], four[i + 4], 0x31);
    }
}
#else
enum { SIDE = 4 };
typedef __m128 side;

ALWAYS side side_load(const word_f32 *p) { return _mm_loadu_ps(p); }
ALWAYS void side_store(uint32_t *p, side x) { _mm_storeu_ps((word_f32 *)(void *)p, x); }
ALWAYS side side_set1(float x) { return _mm_set1_ps(x); }
ALWAYS side side_number(uint32_t x) { return _mm_castsi128_ps(_mm_set1_epi32((int32_t)x)); }
ALWAYS side side_above(side x, side y) { return _mm_cmpgt_ps(x, y); }
ALWAYS uint32_t side_bits(side x) { return (uint32_t)_mm_movemask_ps(x); }

ALWAYS side side_pick(side chosen, side x, side y)
{
    return _mm_or_ps(_mm_and_ps(chosen, x), _mm_andnot_ps(chosen, y));
}

ALWAYS void side_turn(side x[4])
{
    _MM_TRANSPOSE4_PS(x[0], x[1], x[2], x[3]);
}
#endif

/* The 8 largest of each row so far, and where they stand. */
typedef struct best_of_rows {
    side value[8], at[8];
} best_of_rows;

ALWAYS void best_insert(best_of_rows *best, side x, side at)
{
    side above = side_above(x, best->value[7]);
    if (!side_bits(above))
        return;
    for (int k = 7; k > 0; k--) {
        side higher = side_above(x, best->value[k - 1]);
        best->value[k] = side_pick(above, side_pick(higher, best->value[k - 1], x), best->value[k]);
        best->at[k] = side_pick(above, side_pick(higher, best->at[k - 1], at), best->at[k]);
        above = higher;
    }
    best->value[0] = side_pick(above, x, best->value[0]);
    best->at[0] = side_pick(above, at, best->at[0]);
}

/* What is missing behind a row is NaN, which goes nowhere. */
ALWAYS void best_columns(best_of_rows *best, const uint8_t *rows, size_t stride, uint32_t begin, uint32_t n)
{
    side x[SIDE];
    for (uint32_t r = 0; r < SIDE; r++) {
        const uint8_t *row = rows + r * stride + 4 * begin;
        float part[SIDE];
        if (n - begin >= SIDE) {
            x[r] = side_load((const word_f32 *)(const void *)row);
            continue;
        }
        for (uint32_t i = 0; i < SIDE; i++)
            part[i] = dve_nan;
        memcpy(part, row, (size_t)4 * (n - begin));
        x[r] = side_load(part);
    }
    side_turn(x);
    for (uint32_t i = 0; i < SIDE; i++)
        best_insert(best, x[i], side_number(begin + i));
}

/* As many words of each row, beginning with word k of `x`, go to its place among the results. */
ALWAYS void best_put(const side x[8], dve_top8 *out, size_t member)
{
    for (uint32_t k = 0; k < 8; k += SIDE) {
        side turned[SIDE];
        memcpy(turned, x + k, sizeof turned);
        side_turn(turned);
        for (uint32_t r = 0; r < SIDE; r++)
            side_store((uint32_t *)(void *)((uint8_t *)(out + r) + member) + k, turned[r]);
    }
}

/* Bits of the rows that have been searched: not those whose 8th may be -inf, or not there. */
static uint32_t best_of_short(const uint8_t *rows, size_t stride, uint32_t n, dve_top8 *out)
{
    best_of_rows best;
    for (int k = 0; k < 8; k++) {
        best.value[k] = side_set1(dve_low);
        best.at[k] = side_number((uint32_t)DVE_NO_POSITION);
    }
    for (uint32_t begin = 0; begin < n; begin += SIDE)
        best_columns(&best, rows, stride, begin, n);
    best_put(best.value, out, offsetof(dve_top8, value));
    best_put(best.at, out, offsetof(dve_top8, position));
    for (uint32_t r = 0; r < SIDE; r++)
        out[r].count = 8;
    return side_bits(side_above(best.value[7], side_set1(dve_low)));
}

static uint32_t max8_short_f32(const void *rows, size_t stride, uint32_t n, uint32_t count, dve_top8 *out)
{
    const uint8_t *row = rows;
    uint32_t maxima[DVE_ROW_MAXIMA], r = 0;
    for (; r + SIDE <= count; r += SIDE) {
        uint32_t good = best_of_short(row + r * stride, stride, n, out + r);
        for (uint32_t bad = ~good & ((1u << SIDE) - 1); bad; bad &= bad - 1) {
            uint32_t at = r + (uint32_t)__builtin_ctz(bad);
            max8_f32(row + at * stride, n, maxima, out + at);
        }
    }
    return r;
}

#endif
