/* SPDX-License-Identifier: Apache-2.0 */
/* Which levels there are. */
#include "kernels.h"

#if defined __x86_64__
#define X86 1
#else
#define X86 0
#endif

int dve_simd_supported(uint8_t simd)
{
    switch (simd) {
    case DVE_SIMD_BEST: case DVE_SIMD_SCALAR: return 1;
#if X86
    case DVE_SIMD_SSE2: return 1;
    case DVE_SIMD_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    case DVE_SIMD_AVX512:
        return dve_simd_supported(DVE_SIMD_AVX2) && __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    default: return 0;
    }
}

uint8_t dve_simd_best(void)
{
    uint8_t simd = DVE_SIMD_LEVELS - 1;
    while (!dve_simd_supported(simd))
        simd--;
    return simd;
}

const char *dve_simd_name(uint8_t simd)
{
    static const char *const names[DVE_SIMD_LEVELS] = {"best", "scalar", "sse2", "avx2", "avx512"};
    return simd < DVE_SIMD_LEVELS ? names[simd] : NULL;
}

const dve_kernels *dve_kernels_of(uint8_t simd)
{
    switch (simd == DVE_SIMD_BEST ? dve_simd_best() : simd) {
#if X86
    case DVE_SIMD_SSE2: return &dve_kernels_sse2;
    case DVE_SIMD_AVX2: return &dve_kernels_avx2;
    case DVE_SIMD_AVX512: return &dve_kernels_avx512;
#endif
    default: return NULL;
    }
}
