/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of 64 bytes with AVX2. See v_common.h. */
#ifndef DVE_KERNELS_V_AVX2_H
#define DVE_KERNELS_V_AVX2_H

#include "byte_list.h"
#include "v_common.h"
#include <immintrin.h>

typedef struct vf { __m256 a, b; } vf;
typedef struct vh { __m256i a, b; } vh;
typedef struct vm { __m256i a, b; } vm;

#define COMPARE(x, y, how)                                      \
    (vm){_mm256_castps_si256(_mm256_cmp_ps((x).a, (y).a, how)), \
         _mm256_castps_si256(_mm256_cmp_ps((x).b, (y).b, how))}

ALWAYS vf vf_load(const word_f32 *p) { return (vf){_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
ALWAYS vf vf_set1(float x) { return (vf){_mm256_set1_ps(x), _mm256_set1_ps(x)}; }
ALWAYS vf vf_max(vf x, vf y) { return (vf){_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)}; }
ALWAYS vm vf_ge(vf x, vf y) { return COMPARE(x, y, _CMP_GE_OQ); }
ALWAYS vm vf_gt(vf x, vf y) { return COMPARE(x, y, _CMP_GT_OQ); }
ALWAYS vm vf_eq(vf x, vf y) { return COMPARE(x, y, _CMP_EQ_OQ); }
ALWAYS vm vm_or(vm x, vm y) { return (vm){_mm256_or_si256(x.a, y.a), _mm256_or_si256(x.b, y.b)}; }
ALWAYS vm vm_and(vm x, vm y) { return (vm){_mm256_and_si256(x.a, y.a), _mm256_and_si256(x.b, y.b)}; }
ALWAYS vm vf_in(vf x, vf low, vf high) { return vm_and(vf_ge(x, low), vf_ge(high, x)); }

ALWAYS void vf_store(word_f32 *p, vf x)
{
    _mm256_storeu_ps(p, x.a);
    _mm256_storeu_ps(p + 8, x.b);
}

/* The first n of 8 lanes; n may be less than 0 or above 8. */
ALWAYS __m256 first_lanes(const word_f32 *p, int32_t n)
{
    __m256i here = _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_blendv_ps(_mm256_set1_ps(dve_nan), _mm256_maskload_ps(p, here), _mm256_castsi256_ps(here));
}

ALWAYS vf vf_part(const word_f32 *p, uint32_t n)
{
    return (vf){first_lanes(p, (int32_t)n), n > 8 ? first_lanes(p + 8, (int32_t)n - 8) : _mm256_set1_ps(dve_nan)};
}

ALWAYS int vm_any(vm x)
{
    __m256i any = _mm256_or_si256(x.a, x.b);
    return !_mm256_testz_si256(any, any);
}

ALWAYS vh vh_load(const void *p)
{
    return (vh){_mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)p + 1)};
}

ALWAYS void vh_store(void *p, vh x)
{
    _mm256_storeu_si256((__m256i *)p, x.a);
    _mm256_storeu_si256((__m256i *)p + 1, x.b);
}

ALWAYS vh vh_set1(int x) { return (vh){_mm256_set1_epi16((short)x), _mm256_set1_epi16((short)x)}; }
ALWAYS vh vh_max(vh x, vh y) { return (vh){_mm256_max_epi16(x.a, y.a), _mm256_max_epi16(x.b, y.b)}; }
ALWAYS vm vh_gt(vh x, vh y) { return (vm){_mm256_cmpgt_epi16(x.a, y.a), _mm256_cmpgt_epi16(x.b, y.b)}; }
ALWAYS vm vh_eq(vh x, vh y) { return (vm){_mm256_cmpeq_epi16(x.a, y.a), _mm256_cmpeq_epi16(x.b, y.b)}; }

ALWAYS vm vm_not(vm x)
{
    return (vm){_mm256_xor_si256(x.a, _mm256_set1_epi32(-1)), _mm256_xor_si256(x.b, _mm256_set1_epi32(-1))};
}

ALWAYS vh vh_order(vh x)
{
    __m256i magnitude = _mm256_set1_epi16(0x7fff);
    return (vh){_mm256_sign_epi16(_mm256_and_si256(x.a, magnitude), x.a),
                _mm256_sign_epi16(_mm256_and_si256(x.b, magnitude), x.b)};
}

ALWAYS vh vh_clean(vh x, int most)
{
    vm nan = vh_gt(x, vh_set1(most));
    __m256i least = _mm256_set1_epi16(INT16_MIN);
    return (vh){_mm256_blendv_epi8(x.a, least, nan.a), _mm256_blendv_epi8(x.b, least, nan.b)};
}

ALWAYS uint32_t vh_bits(vm x)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(x.a, x.b), 0xd8));
}

ALWAYS uint32_t half_bits(__m256i x)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(x));
}

ALWAYS uint32_t vf_bits(vm x)
{
    return half_bits(x.a) | half_bits(x.b) << 8;
}

enum { SLOT_SHIFT = 28 };        /* 16 slots in two registers */
typedef struct vtable { __m256 low, high; __m256i factor; } vtable;

ALWAYS vtable table_of(const slots *s)
{
    return (vtable){_mm256_loadu_ps(s->slot), _mm256_loadu_ps(s->slot + 8), _mm256_set1_epi32((int32_t)s->factor)};
}

/* Adding +0 gives both zeros the same slot. */
ALWAYS __m256i found_in(__m256 x, const vtable *table)
{
    __m256i product = _mm256_mullo_epi32(_mm256_castps_si256(_mm256_add_ps(x, _mm256_setzero_ps())), table->factor);
    __m256i slot = _mm256_srli_epi32(product, SLOT_SHIFT);
    __m256 value = _mm256_blendv_ps(_mm256_permutevar8x32_ps(table->low, slot),
                                    _mm256_permutevar8x32_ps(table->high, slot), _mm256_castsi256_ps(product));
    return _mm256_castps_si256(_mm256_cmp_ps(x, value, _CMP_EQ_OQ));
}

ALWAYS vm vf_found(vf x, const vtable *table)
{
    return (vm){found_in(x.a, table), found_in(x.b, table)};
}

/* A sieve for keys that may lie anywhere. 16 bits of a product stand for an element, and bit k of each of four tables
 * says which of their nibbles key k has: what no key has in all four is none of them. Two elements in 2^16 look alike
 * that are not. */
#define V_SIEVE 1
typedef struct vsieve { __m256i nibble[4]; } vsieve;
enum { SIEVE_FACTOR = (int32_t)0x9e3779b1u };

ALWAYS vsieve sieve_of(const float key[8])
{
    const __m256i each = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i second = _mm256_setr_epi32(0, 0, 0, 0, 0x01010101, 0x01010101, 0x01010101, 0x01010101);
    const __m256i fourth = _mm256_add_epi8(second, _mm256_set1_epi8(2));
    __m256 keys = _mm256_add_ps(_mm256_loadu_ps(key), _mm256_setzero_ps());     /* both zeros are +0 */
    __m256i x = _mm256_mullo_epi32(_mm256_castps_si256(keys), _mm256_set1_epi32(SIEVE_FACTOR));
    x = _mm256_srli_epi32(x, 16);                /* a nibble a byte */
    x = _mm256_and_si256(_mm256_or_si256(x, _mm256_slli_epi32(x, 8)), _mm256_set1_epi32(0x00ff00ff));
    x = _mm256_and_si256(_mm256_or_si256(x, _mm256_slli_epi32(x, 4)), _mm256_set1_epi32(0x0f0f0f0f));
    int32_t nibbles[8];
    _mm256_storeu_si256((__m256i *)(void *)nibbles, x);
    __m256i low = _mm256_setzero_si256(), high = low;
    for (int k = 0; k < 8; k++) {
        __m256i bit = _mm256_set1_epi8((char)(1 << k)), four = _mm256_set1_epi32(nibbles[k]);
        low = _mm256_or_si256(low, _mm256_and_si256(bit, _mm256_cmpeq_epi8(_mm256_shuffle_epi8(four, second), each)));
        high = _mm256_or_si256(high, _mm256_and_si256(bit, _mm256_cmpeq_epi8(_mm256_shuffle_epi8(four, fourth), each)));
    }
    int zeros = _mm256_movemask_ps(_mm256_cmp_ps(keys, _mm256_setzero_ps(), _CMP_EQ_OQ));
    __m256i minus = _mm256_cmpeq_epi8(each, _mm256_set1_epi8(8));               /* the product of -0 is its only bit */
    vsieve out = {{_mm256_permute2x128_si256(low, low, 0x00), _mm256_permute2x128_si256(low, low, 0x11),
                   _mm256_permute2x128_si256(high, high, 0x00), _mm256_permute2x128_si256(high, high, 0x11)}};
    out.nibble[3] = _mm256_or_si256(out.nibble[3], _mm256_and_si256(minus, _mm256_set1_epi8((char)zeros)));
    return out;
}

/* Only these keys from now on. */
ALWAYS void sieve_keep(vsieve *s, uint32_t open)
{
    s->nibble[3] = _mm256_and_si256(s->nibble[3], _mm256_set1_epi8((char)open));
}

/* Of 32 elements: byte 4 i + j is about element 8 j + i, and 0 if it is no key. */
ALWAYS __m256i sift32(const word_f32 *p, const vsieve *s)
{
    const __m256i factor = _mm256_set1_epi32(SIEVE_FACTOR), digit = _mm256_set1_epi8(15), odd = _mm256_set1_epi16(-256);
    __m256i x[4];
    for (int j = 0; j < 4; j++)
        x[j] = _mm256_mullo_epi32(_mm256_castps_si256(_mm256_loadu_ps(p + 8 * j)), factor);
    __m256i even = _mm256_blend_epi16(_mm256_srli_epi32(x[0], 16), x[2], 0xaa);
    __m256i other = _mm256_blend_epi16(_mm256_srli_epi32(x[1], 16), x[3], 0xaa);
    __m256i upper = _mm256_blendv_epi8(_mm256_srli_epi16(even, 8), other, odd);
    __m256i lower = _mm256_blendv_epi8(even, _mm256_slli_epi16(other, 8), odd);
    __m256i a = _mm256_shuffle_epi8(s->nibble[0], _mm256_and_si256(lower, digit));
    __m256i b = _mm256_shuffle_epi8(s->nibble[1], _mm256_and_si256(_mm256_srli_epi16(lower, 4), digit));
    __m256i c = _mm256_shuffle_epi8(s->nibble[2], _mm256_and_si256(upper, digit));
    __m256i d = _mm256_shuffle_epi8(s->nibble[3], _mm256_and_si256(_mm256_srli_epi16(upper, 4), digit));
    return _mm256_and_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, d));
}

/* Whether any of 64 elements may be a key. */
ALWAYS vm sift(const word_f32 *p, const vsieve *s)
{
    return (vm){sift32(p, s), sift32(p + 32, s)};
}

ALWAYS uint32_t sifted32(__m256i found)
{
    __m256i none = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
    return ~(half_bits(_mm256_slli_epi32(none, 24)) | half_bits(_mm256_slli_epi32(none, 16)) << 8 |
             half_bits(_mm256_slli_epi32(none, 8)) << 16 | half_bits(none) << 24);
}

/* Which, element i in bit i. */
ALWAYS uint64_t sift_bits(const word_f32 *p, const vsieve *s)
{
    vm found = sift(p, s);
    return sifted32(found.a) | (uint64_t)sifted32(found.b) << 32;
}

ALWAYS uint32_t lanes_before(const float values[16], const uint32_t positions[16], float v, uint32_t p)
{
    __m256 value = _mm256_set1_ps(v);
    __m256i position = _mm256_set1_epi32((int32_t)p);
    vf x = vf_load(values), all = {value, value};
    vm earlier = {
        _mm256_cmpgt_epi32(position, _mm256_loadu_si256((const __m256i *)(const void *)positions)),
        _mm256_cmpgt_epi32(position, _mm256_loadu_si256((const __m256i *)(const void *)(positions + 8)))};
    return vf_bits(vm_or(vf_gt(x, all), vm_and(vf_eq(x, all), earlier)));
}

ALWAYS uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)__builtin_popcount(bits);
}

ALWAYS uint32_t append8(uint32_t bits, uint32_t base, uint32_t *out)
{
    __m128i list = _mm_loadl_epi64((const __m128i *)(const void *)byte_list[bits]);
    __m256i at = _mm256_add_epi32(_mm256_cvtepu8_epi32(list), _mm256_set1_epi32((int32_t)base));
    _mm256_storeu_si256((__m256i *)(void *)out, at);
    return count_bits(bits);
}

ALWAYS uint32_t append(uint32_t bits, uint32_t base, uint32_t *out)
{
    uint32_t n = append8(bits & 0xff, base, out);
    return n + append8(bits >> 8, base + 8, out + n);
}

#endif
