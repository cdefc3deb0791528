/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of vector instructions of the host. They change how fast searches run and nothing else. */
#ifndef OPENDVE_SIMD_H
#define OPENDVE_SIMD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DVE_SIMD_BEST,               /* the highest that this host has */
    DVE_SIMD_SCALAR,             /* none: the plain walk, everywhere there */
    DVE_SIMD_SSE2,
    DVE_SIMD_AVX2,
    DVE_SIMD_AVX512,             /* F, BW, DQ, VL */
    DVE_SIMD_LEVELS              /* how many */
};

/* Whether this host, and this build, has a level; DVE_SIMD_BEST counts as one. 0 for other numbers. */
int dve_simd_supported(uint8_t simd);
/* What DVE_SIMD_BEST stands for here. */
uint8_t dve_simd_best(void);
/* "best", "scalar", "sse2", "avx2", "avx512"; NULL for other numbers. */
const char *dve_simd_name(uint8_t simd);

#ifdef __cplusplus
}
#endif
#endif
