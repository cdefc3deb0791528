/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of 64 bytes with AVX-512 F, BW, DQ and VL. See v_common.h. */
#ifndef DVE_KERNELS_V_AVX512_H
#define DVE_KERNELS_V_AVX512_H

#include "v_common.h"
#include <immintrin.h>

typedef __m512 vf;
typedef __m512i vh;
typedef uint32_t vm;

ALWAYS vf vf_load(const word_f32 *p) { return _mm512_loadu_ps(p); }
ALWAYS vf vf_set1(float x) { return _mm512_set1_ps(x); }
ALWAYS vf vf_max(vf x, vf y) { return _mm512_max_ps(x, y); }
ALWAYS vm vf_ge(vf x, vf y) { return _mm512_cmp_ps_mask(x, y, _CMP_GE_OQ); }
ALWAYS vm vf_gt(vf x, vf y) { return _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ); }
ALWAYS vm vf_eq(vf x, vf y) { return _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ); }
ALWAYS vm vm_or(vm x, vm y) { return x | y; }
ALWAYS vm vf_in(vf x, vf low, vf high)
{
    return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(x, low, _CMP_GE_OQ), x, high, _CMP_LE_OQ);
}
ALWAYS void vf_store(word_f32 *p, vf x) { _mm512_storeu_ps(p, x); }
ALWAYS vf vf_part(const word_f32 *p, uint32_t n)
{
    return _mm512_mask_loadu_ps(_mm512_set1_ps(dve_nan), (__mmask16)((1u << n) - 1u), p);
}
ALWAYS int vm_any(vm x) { return x != 0; }
ALWAYS uint32_t vf_bits(vm x) { return x; }

ALWAYS vh vh_load(const void *p) { return _mm512_loadu_si512(p); }
ALWAYS void vh_store(void *p, vh x) { _mm512_storeu_si512(p, x); }
ALWAYS vh vh_set1(int x) { return _mm512_set1_epi16((short)x); }
ALWAYS vh vh_max(vh x, vh y) { return _mm512_max_epi16(x, y); }
ALWAYS vm vh_gt(vh x, vh y) { return _mm512_cmpgt_epi16_mask(x, y); }
ALWAYS vm vh_eq(vh x, vh y) { return _mm512_cmpeq_epi16_mask(x, y); }
ALWAYS vm vm_not(vm x) { return ~x; }
ALWAYS uint32_t vh_bits(vm x) { return x; }

ALWAYS vh vh_order(vh x)
{
    __m512i sign = _mm512_srai_epi16(x, 15);     /* (magnitude ^ sign) - sign, the first two in one */
    return _mm512_sub_epi16(_mm512_ternarylogic_epi64(x, _mm512_set1_epi16(0x7fff), sign, 0x6a), sign);
}

ALWAYS vh vh_clean(vh x, int most)
{
    return _mm512_mask_mov_epi16(x, _mm512_cmpgt_epi16_mask(x, _mm512_set1_epi16((short)most)),
                                 _mm512_set1_epi16(INT16_MIN));
}

enum { SLOT_SHIFT = 27 };        /* 32 slots in two registers */
typedef struct vtable { __m512 low, high; __m512i factor; } vtable;

ALWAYS vtable table_of(const slots *s)
{
    return (vtable){_mm512_loadu_ps(s->slot), _mm512_loadu_ps(s->slot + 16), _mm512_set1_epi32((int)s->factor)};
}

/* Adding +0 gives both zeros the same slot. */
ALWAYS vm vf_found(vf x, const vtable *table)
{
    __m512i bits = _mm512_castps_si512(_mm512_add_ps(x, _mm512_setzero_ps()));
    __m512i slot = _mm512_srli_epi32(_mm512_mullo_epi32(bits, table->factor), SLOT_SHIFT);
    return _mm512_cmp_ps_mask(x, _mm512_permutex2var_ps(table->low, slot, table->high), _CMP_EQ_OQ);
}

ALWAYS uint32_t lanes_before(const float values[16], const uint32_t positions[16], float v, uint32_t p)
{
    __m512 x = _mm512_loadu_ps(values), all = _mm512_set1_ps(v);
    __m512i at = _mm512_loadu_si512(positions);
    __mmask16 tie = _mm512_mask_cmplt_epu32_mask(_mm512_cmp_ps_mask(x, all, _CMP_EQ_OQ), at, _mm512_set1_epi32((int)p));
    return (uint32_t)_mm512_cmp_ps_mask(x, all, _CMP_GT_OQ) | tie;
}

ALWAYS uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)__builtin_popcount(bits);
}

ALWAYS uint32_t append(uint32_t bits, uint32_t base, uint32_t *out)
{
    const __m512i all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i at = _mm512_maskz_compress_epi32((__mmask16)bits, all);
    _mm512_storeu_si512(out, _mm512_add_epi32(at, _mm512_set1_epi32((int)base)));
    return count_bits(bits);
}

#endif
