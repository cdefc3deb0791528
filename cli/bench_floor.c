/* SPDX-License-Identifier: Apache-2.0 */
/* The floor of a search: one maximum over the array, with the widest registers of the CPU. */
#include "bench.h"
#include <string.h>

#if defined(__GNUC__) && defined(__x86_64__)
#define BENCH_X86 1
#include <immintrin.h>
#endif

enum { LANES = 32 };

/* What is left over. */
static float maximum_of_few(const float *values, size_t n, float best)
{
    for (size_t i = 0; i < n; i++)
        best = values[i] > best ? values[i] : best;
    return best;
}

#ifndef BENCH_X86
/* Independent maxima, so that the compiler may use what registers the build has. */
static float maximum_plain(const float *values, size_t n)
{
    float best[LANES];
    size_t i = 0;
    for (int j = 0; j < LANES; j++)
        best[j] = -3.0e38f;
    for (; i + LANES <= n; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            best[j] = values[i + j] > best[j] ? values[i + j] : best[j];
    return maximum_of_few(values + i, n - i, maximum_of_few(best, LANES, best[0]));
}
#else
__attribute__((target("sse2"))) static float maximum_sse2(const float *values, size_t n)
{
    __m128 best[8];
    float last[4];
    size_t i = 0;
    for (int j = 0; j < 8; j++)
        best[j] = _mm_set1_ps(-3.0e38f);
    for (; i + 32 <= n; i += 32)
        for (size_t j = 0; j < 8; j++)
            best[j] = _mm_max_ps(_mm_loadu_ps(values + i + 4 * j), best[j]);
    for (int j = 1; j < 8; j++)
        best[0] = _mm_max_ps(best[j], best[0]);
    _mm_storeu_ps(last, best[0]);
    return maximum_of_few(values + i, n - i, maximum_of_few(last, 4, last[0]));
}

__attribute__((target("avx2"))) static float maximum_avx2(const float *values, size_t n)
{
    __m256 best[8];
    float last[8];
    size_t i = 0;
    for (int j = 0; j < 8; j++)
        best[j] = _mm256_set1_ps(-3.0e38f);
    for (; i + 64 <= n; i += 64)
        for (size_t j = 0; j < 8; j++)
            best[j] = _mm256_max_ps(_mm256_loadu_ps(values + i + 8 * j), best[j]);
    for (int j = 1; j < 8; j++)
        best[0] = _mm256_max_ps(best[j], best[0]);
    _mm256_storeu_ps(last, best[0]);
    return maximum_of_few(values + i, n - i, maximum_of_few(last, 8, last[0]));
}

__attribute__((target("avx512f"))) static float maximum_avx512(const float *values, size_t n)
{
    __m512 best[8];
    float last[16];
    size_t i = 0;
    for (int j = 0; j < 8; j++)
        best[j] = _mm512_set1_ps(-3.0e38f);
    for (; i + 128 <= n; i += 128)
        for (size_t j = 0; j < 8; j++)
            best[j] = _mm512_max_ps(_mm512_loadu_ps(values + i + 16 * j), best[j]);
    for (int j = 1; j < 8; j++)
        best[0] = _mm512_max_ps(best[j], best[0]);
    _mm512_storeu_ps(last, best[0]);
    return maximum_of_few(values + i, n - i, maximum_of_few(last, 16, last[0]));
}
#endif

bench_level bench_level_best(void)
{
    switch (dve_simd_best()) {
    case DVE_SIMD_AVX512: return BENCH_AVX512;
    case DVE_SIMD_AVX2: return BENCH_AVX2;
    default: return BENCH_PLAIN;
    }
}

const char *bench_level_name(bench_level level)
{
    static const char *const names[] = {"plain", "avx2", "avx512"};
    return names[level];
}

float bench_maximum(bench_level level, const float *values, size_t n)
{
#ifdef BENCH_X86
    switch (level) {
    case BENCH_AVX512: return maximum_avx512(values, n);
    case BENCH_AVX2: return maximum_avx2(values, n);
    default: return maximum_sse2(values, n);
    }
#else
    (void)level;
    return maximum_plain(values, n);
#endif
}
