/* SPDX-License-Identifier: Apache-2.0 */
/* AVX-512 for hosts that have it not, in place of the compiler's header: SIMD Everywhere (Debian's libsimde-dev), and
 * what its version 0.7.4 lacks, by what the instructions are documented to do. */
#ifndef TEST_EMULATED_IMMINTRIN_H
#define TEST_EMULATED_IMMINTRIN_H

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>
#include <stdint.h>
#include <string.h>

typedef uint16_t __mmask16;

#define LANES_OF(bits, type, condition)                                           \
    do {                                                                          \
        type a[64 / sizeof(type)], b[64 / sizeof(type)];                          \
        uint32_t out = 0;                                                         \
        memcpy(a, &x, sizeof a);                                                  \
        memcpy(b, &y, sizeof b);                                                  \
        for (unsigned i = 0; i < 64 / sizeof(type); i++)                          \
            out |= (uint32_t)((bits) >> i & 1 && (condition)) << i;               \
        return out;                                                               \
    } while (0)

static inline uint32_t emulated_cmpeq_epi16(__m512i x, __m512i y) { LANES_OF(UINT32_MAX, int16_t, a[i] == b[i]); }
static inline uint32_t emulated_cmpgt_epi16(__m512i x, __m512i y) { LANES_OF(UINT32_MAX, int16_t, a[i] > b[i]); }
static inline uint32_t emulated_cmplt_epu32(uint16_t k, __m512i x, __m512i y)
{
    LANES_OF(k, uint32_t, a[i] < b[i]);
}

static inline __m512 emulated_mask_loadu_ps(__m512 x, uint16_t k, const void *p)
{
    float lanes[16];
    memcpy(lanes, &x, sizeof lanes);
    for (unsigned i = 0; i < 16; i++)
        if (k >> i & 1)
            memcpy(&lanes[i], (const char *)p + 4 * i, 4);       /* the others are not touched */
    memcpy(&x, lanes, sizeof lanes);
    return x;
}

#define _mm512_cmpeq_epi16_mask(x, y) emulated_cmpeq_epi16(x, y)
#define _mm512_cmpgt_epi16_mask(x, y) emulated_cmpgt_epi16(x, y)
#define _mm512_mask_cmplt_epu32_mask(k, x, y) ((__mmask16)emulated_cmplt_epu32(k, x, y))
#define _mm512_mask_loadu_ps(x, k, p) emulated_mask_loadu_ps(x, k, p)
#undef _mm512_mask_cmp_ps_mask
#define _mm512_mask_cmp_ps_mask(k, x, y, how) ((uint16_t)((k) & _mm512_cmp_ps_mask(x, y, how)))

#endif
