/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of 64 bytes with SSE2 alone: what every x86-64 has. See v_common.h. */
#ifndef DVE_KERNELS_V_SSE2_H
#define DVE_KERNELS_V_SSE2_H

#include "v_common.h"

typedef struct vf { __m128 q[4]; } vf;
typedef struct vh { __m128i q[4]; } vh;
typedef struct vm { __m128i q[4]; } vm;

#define EACH(expression)                 \
    do {                                 \
        for (int i = 0; i < 4; i++)      \
            out.q[i] = (expression);     \
        return out;                      \
    } while (0)

ALWAYS vf vf_load(const word_f32 *p) { vf out; EACH(_mm_loadu_ps(p + 4 * i)); }
ALWAYS vf vf_set1(float x) { vf out; EACH(_mm_set1_ps(x)); }
ALWAYS vf vf_max(vf x, vf y) { vf out; EACH(_mm_max_ps(x.q[i], y.q[i])); }
ALWAYS vm vf_ge(vf x, vf y) { vm out; EACH(_mm_castps_si128(_mm_cmpge_ps(x.q[i], y.q[i]))); }
ALWAYS vm vf_gt(vf x, vf y) { vm out; EACH(_mm_castps_si128(_mm_cmpgt_ps(x.q[i], y.q[i]))); }
ALWAYS vm vf_eq(vf x, vf y) { vm out; EACH(_mm_castps_si128(_mm_cmpeq_ps(x.q[i], y.q[i]))); }
ALWAYS vm vm_or(vm x, vm y) { vm out; EACH(_mm_or_si128(x.q[i], y.q[i])); }
ALWAYS vm vm_and(vm x, vm y) { vm out; EACH(_mm_and_si128(x.q[i], y.q[i])); }
ALWAYS vm vf_in(vf x, vf low, vf high) { return vm_and(vf_ge(x, low), vf_ge(high, x)); }

ALWAYS void vf_store(word_f32 *p, vf x)
{
    for (int i = 0; i < 4; i++)
        _mm_storeu_ps(p + 4 * i, x.q[i]);
}

ALWAYS vf vf_part(const word_f32 *p, uint32_t n)
{
    float all[16];
    vf_store(all, vf_set1(dve_nan));
    for (uint32_t i = 0; i < n; i++)
        all[i] = p[i];
    return vf_load(all);
}

ALWAYS int vm_any(vm x)
{
    return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(x.q[0], x.q[1]), _mm_or_si128(x.q[2], x.q[3]))) != 0;
}

ALWAYS vh vh_load(const void *p) { vh out; EACH(_mm_loadu_si128((const __m128i *)p + i)); }
ALWAYS vh vh_set1(int x) { vh out; EACH(_mm_set1_epi16((short)x)); }
ALWAYS vh vh_max(vh x, vh y) { vh out; EACH(_mm_max_epi16(x.q[i], y.q[i])); }
ALWAYS vh vh_order(vh x) { vh out; EACH(order8(x.q[i])); }
ALWAYS vm vh_gt(vh x, vh y) { vm out; EACH(_mm_cmpgt_epi16(x.q[i], y.q[i])); }
ALWAYS vm vh_eq(vh x, vh y) { vm out; EACH(_mm_cmpeq_epi16(x.q[i], y.q[i])); }
ALWAYS vm vm_not(vm x) { vm out; EACH(_mm_xor_si128(x.q[i], _mm_set1_epi32(-1))); }

ALWAYS vh vh_clean(vh x, int most)
{
    vh out;
    vm nan = vh_gt(x, vh_set1(most));
    EACH(_mm_or_si128(_mm_andnot_si128(nan.q[i], x.q[i]), _mm_slli_epi16(nan.q[i], 15)));
}

ALWAYS void vh_store(void *p, vh x)
{
    for (int i = 0; i < 4; i++)
        _mm_storeu_si128((__m128i *)p + i, x.q[i]);
}

ALWAYS uint32_t vh_bits(vm x)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(x.q[0], x.q[1])) |
           (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(x.q[2], x.q[3])) << 16;
}

ALWAYS uint32_t vf_bits(vm x)
{
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(x.q[i])) << 4 * i;
    return bits;
}

enum { SLOT_SHIFT = 32 };        /* no look-up: one after the other */
typedef slots vtable;
ALWAYS vtable table_of(const slots *s) { return *s; }

ALWAYS vm vf_found(vf x, const vtable *table)
{
    vm found = vf_eq(x, vf_set1(table->slot[0]));
    for (uint32_t i = 1; i < 8; i++)
        found = vm_or(found, vf_eq(x, vf_set1(table->slot[i])));
    return found;
}

ALWAYS uint32_t lanes_before(const float values[16], const uint32_t positions[16], float v, uint32_t p)
{
    __m128 value = _mm_set1_ps(v);
    __m128i position = _mm_set1_epi32((int32_t)p);
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++) {
        __m128 x = _mm_loadu_ps(values + 4 * i);
        __m128i at = _mm_loadu_si128((const __m128i *)(const void *)(positions + 4 * i));
        __m128 tie = _mm_and_ps(_mm_cmpeq_ps(x, value), _mm_castsi128_ps(_mm_cmplt_epi32(at, position)));
        bits |= (uint32_t)_mm_movemask_ps(_mm_or_ps(_mm_cmpgt_ps(x, value), tie)) << 4 * i;
    }
    return bits;
}

ALWAYS uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)nibble_count[bits & 15] + nibble_count[bits >> 4 & 15] + nibble_count[bits >> 8 & 15] +
           nibble_count[bits >> 12 & 15];
}

ALWAYS uint32_t append(uint32_t bits, uint32_t base, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; bits; i += 4, bits >>= 4)
        n += append4(bits & 15, base + i, 0, out + n);
    return n;
}

#endif
