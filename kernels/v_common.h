/* SPDX-License-Identifier: Apache-2.0 */
/* What the levels share: SSE2, which all of them have, and small tables.
 *
 * A level's header (v_sse2.h, v_avx2.h, v_avx512.h) gives vectors of 64 bytes under the same names, so that one kernel
 * source serves all levels:
 *   vf   16 fp32       vf_load vf_part (what is missing is NaN) vf_store vf_set1
 *                      vf_max(x, y): y unless x is above it, so that a NaN in x is passed over
 *   vh   32 int16      vh_load vh_store vh_set1 vh_max; vh_order: a sign and a magnitude become a number;
 *                      vh_clean(x, most): INT16_MIN where x is above that
 *   vm   a truth a lane of either: vf_ge vf_gt vf_eq vf_in(x, low, high) vh_gt vh_eq vm_or vm_not vm_any; vf_bits,
 *                      vh_bits: lane i in bit i
 *   lanes_before(values, positions, v, p): bits of the 16 that rank before value v at position p
 *   SLOT_SHIFT, vf_found(x, table): which elements equal a value of slots; 32 - SLOT_SHIFT bits of a product number them
 *   V_SIEVE            where there is a sieve for keys of fp32: sieve_of(key), sieve_keep(s, open) for fewer of them;
 *                      sift(p, s): whether any of 64 elements may be one, as a vm to ask vm_any of; sift_bits: which
 *   append(bits, base, out): writes base + i for each of 16 bits that is set, and anything up to 16 words behind them;
 *                      answers how many it wrote */
#ifndef DVE_KERNELS_V_COMMON_H
#define DVE_KERNELS_V_COMMON_H

#include "kernels.h"
#include <emmintrin.h>
#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

/* Bytes of rows and words of maxima, whatever others take them for. */
typedef float word_f32 __attribute__((may_alias));
typedef uint16_t word_u16 __attribute__((may_alias));

static const float dve_low = -__builtin_inff(), dve_nan = __builtin_nanf("");

/* Numbers of the bits set in 4 bits. */
static const int32_t nibble_list[16][4] = {
    {0}, {0}, {1}, {0, 1}, {2}, {0, 2}, {1, 2}, {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};
static const uint8_t nibble_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* Appends base + step i for each of 4 bits that is set, and anything up to 4 words behind. */
ALWAYS uint32_t append4(unsigned bits, uint32_t base, int step_shift, uint32_t *out)
{
    __m128i list = _mm_load_si128((const __m128i *)(const void *)nibble_list[bits]);
    list = _mm_add_epi32(_mm_slli_epi32(list, step_shift), _mm_set1_epi32((int32_t)base));
    _mm_storeu_si128((__m128i *)(void *)out, list);
    return nibble_count[bits];
}

/* Values that elements are compared with, at most 8: where a level can look up by lanes, each stands in the slot that a
 * product chooses, and one comparison does. `slot` is NaN where there is none. */
enum { DVE_SLOTS_MOST = 32 };
typedef struct slots {
    float slot[DVE_SLOTS_MOST];
    uint32_t factor;
    uint8_t of_key[8];           /* slots of the keys; without a product key n has slot n */
} slots;

/* vh_order of 8. */
ALWAYS __m128i order8(__m128i x)
{
    __m128i sign = _mm_srai_epi16(x, 15), magnitude = _mm_and_si128(x, _mm_set1_epi16(0x7fff));
    return _mm_sub_epi16(_mm_xor_si128(magnitude, sign), sign);
}

/* ---- The 8th largest of 16 ---- */

#define SHUFFLE(x, y, a, b, c, d) _mm_shuffle_ps(x, y, _MM_SHUFFLE(d, c, b, a))

ALWAYS void order(__m128 *x, __m128 *y)
{
    __m128 above = _mm_max_ps(*x, *y);
    *y = _mm_min_ps(*x, *y);
    *x = above;
}

/* Sorts 4 that rise and fall, or fall and rise. */
ALWAYS __m128 sort_bitonic(__m128 x)
{
    __m128 other = SHUFFLE(x, x, 2, 3, 0, 1);
    x = SHUFFLE(_mm_max_ps(x, other), _mm_min_ps(x, other), 0, 1, 0, 1);
    other = SHUFFLE(x, x, 1, 0, 3, 2);
    x = SHUFFLE(_mm_max_ps(x, other), _mm_min_ps(x, other), 0, 2, 0, 2);
    return SHUFFLE(x, x, 0, 2, 1, 3);
}

ALWAYS __m128 reversed(__m128 x)
{
    return SHUFFLE(x, x, 3, 2, 1, 0);
}

/* Two descending fours become the upper and lower half of a descending eight. */
ALWAYS void merge(__m128 *x, __m128 *y)
{
    *y = reversed(*y);
    order(x, y);
    *x = sort_bitonic(*x);
    *y = sort_bitonic(*y);
}

/* None of them is NaN. */
ALWAYS float eighth_of(const float lanes[16])
{
    __m128 a = _mm_loadu_ps(lanes), b = _mm_loadu_ps(lanes + 4), c = _mm_loadu_ps(lanes + 8);
    __m128 d = _mm_loadu_ps(lanes + 12);
    order(&a, &b);               /* columns of four, descending */
    order(&c, &d);
    order(&a, &c);
    order(&b, &d);
    order(&b, &c);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    merge(&a, &b);
    merge(&c, &d);
    a = _mm_max_ps(a, reversed(d));              /* of two sorted eights the upper eight */
    b = _mm_max_ps(b, reversed(c));
    a = _mm_min_ps(a, b);
    a = _mm_min_ps(a, SHUFFLE(a, a, 2, 3, 0, 1));
    a = _mm_min_ps(a, SHUFFLE(a, a, 1, 0, 3, 2));
    return _mm_cvtss_f32(a);
}

#endif
