/* SPDX-License-Identifier: Apache-2.0 */
/* The searches on rows of adjacent elements, with the vector instructions of the host.
 *
 * One table a level of instructions. All give the same bits as ops/, which is the scalar level: who has no
 * table here, or a row that no kernel takes, calls that. */
#ifndef DVE_KERNELS_H
#define DVE_KERNELS_H

#include "../ops/ops.h"
#include <opendve/simd.h>

enum {
    DVE_ROW_MOST = 16384,        /* elements of a row */
    DVE_ROW_MAXIMA = 1024,       /* words of maxima that a row needs at most */
    DVE_ROW_SHORT = 64,          /* elements of rows that are best searched several at a time */
    DVE_NO_POSITION = -1         /* as a position: all ones */
};

/* The 8 largest of a row: fp32, descending, equal ones in the order of their positions. A row that has fewer than 8 elements
 * beside NaN has `count` of them, and behind those stand -inf and positions of all ones. */
typedef struct dve_top8 {
    uint32_t value[8], position[8];
    uint32_t count;
} dve_top8;

/* Rows of one element type. A row is aligned to its elements only, and holds 1..DVE_ROW_MOST of them. */
typedef struct dve_row_kernels {
    /* Fills `maxima`, whose form is the kernel's own, and finds the largest. */
    void (*max8)(const void *row, uint32_t n, uint32_t maxima[DVE_ROW_MAXIMA], dve_top8 *out);
    /* The same from maxima that are still true of the row. */
    void (*max8_again)(const void *row, uint32_t n, const uint32_t maxima[DVE_ROW_MAXIMA], dve_top8 *out);
    /* Makes maxima true again after the element at a position has changed. */
    void (*changed)(const void *row, uint32_t n, uint32_t position, uint32_t maxima[DVE_ROW_MAXIMA]);
    /* Offers every element to the open keys, see dve_match_walk. */
    void (*find)(const void *row, uint32_t n, dve_match *match);
    /* What max8 finds in each of `count` rows, `stride` bytes apart, of at most DVE_ROW_SHORT elements. Answers how many
     * of the rows, from the first on, it has searched; the others are too few to share vectors. NULL: none. */
    uint32_t (*max8_short)(const void *rows, size_t stride, uint32_t n, uint32_t count, dve_top8 *out);
} dve_row_kernels;

typedef struct dve_kernels {
    dve_row_kernels f32, bf16, f16;
} dve_kernels;

/* NULL for DVE_SIMD_SCALAR, and for levels that this build has not. */
const dve_kernels *dve_kernels_of(uint8_t simd);

/* One file each, where the target has them. */
extern const dve_kernels dve_kernels_sse2, dve_kernels_avx2, dve_kernels_avx512;

#endif
