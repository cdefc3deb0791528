/* SPDX-License-Identifier: Apache-2.0 */
/* Squares of words in vector registers, and exchanging their rows and columns. Vectors are as wide as the level's, for
 * wider ones would be taken apart element by element. Which end of a word comes first does not matter. */
#ifndef OPENDVE_NUMERIC_SQUARES_H
#define OPENDVE_NUMERIC_SQUARES_H

#include <stdint.h>

#if defined(__GNUC__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define DVE_HAS_SQUARES
#endif
#endif

#ifdef DVE_HAS_SQUARES
#define DVE_SQUARE_INLINE static inline __attribute__((always_inline))

/* Steps are written out, for gcc keeps what a loop indexes in memory. */
#define DVE_EACH4(STEP) STEP(0) STEP(1) STEP(2) STEP(3)
#define DVE_EACH8(STEP) DVE_EACH4(STEP) STEP(4) STEP(5) STEP(6) STEP(7)

/* ---- 16 bits: squares of 8 by 8, with AVX2 two side by side ---- */

#define DVE_EACH_ROW2 DVE_EACH8
typedef uint16_t dve_eight2 __attribute__((vector_size(16)));
#ifdef __AVX2__
enum { DVE_ROWS2 = 16 };
typedef uint16_t dve_words2 __attribute__((vector_size(32)));
#define DVE_LOWER2 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27
#define DVE_UPPER2 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31
#else
enum { DVE_ROWS2 = 8 };
typedef dve_eight2 dve_words2;
#define DVE_LOWER2 0, 8, 1, 9, 2, 10, 3, 11
#define DVE_UPPER2 4, 12, 5, 13, 6, 14, 7, 15
#endif
enum { DVE_SQUARE2 = 8 };

/* Words of the first four rows between those of the others. Three times, it exchanges the number of a row and that of
 * a word, a bit at a time. */
DVE_SQUARE_INLINE void dve_interleave2(const dve_words2 *in, dve_words2 *out)
{
#define STEP(i)                                                                   \
    out[2 * i] = __builtin_shufflevector(in[i], in[i + 4], DVE_LOWER2);           \
    out[2 * i + 1] = __builtin_shufflevector(in[i], in[i + 4], DVE_UPPER2);
    DVE_EACH4(STEP)
#undef STEP
}

DVE_SQUARE_INLINE void dve_exchange2(dve_words2 *row)
{
    dve_words2 a[DVE_SQUARE2], b[DVE_SQUARE2];
    dve_interleave2(row, a);
    dve_interleave2(a, b);
    dve_interleave2(b, row);
}

/* ---- 32 bits ---- */

#ifdef __AVX2__
enum { DVE_SQUARE4 = 8 };
#define DVE_EACH_ROW4 DVE_EACH8
typedef uint32_t dve_words4 __attribute__((vector_size(32)));
typedef float dve_floats4 __attribute__((vector_size(32)));
typedef uint16_t dve_halves4 __attribute__((vector_size(16)));

/* yes where the mask is all ones, no where it is 0. What takes several instructions if written generally, and one if
 * named, is named; by the compiler's own names, for their header needs a C library. */
DVE_SQUARE_INLINE dve_words4 dve_choose4(dve_words4 mask, dve_words4 yes, dve_words4 no)
{
    return (dve_words4)__builtin_ia32_blendvps256((dve_floats4)no, (dve_floats4)yes, (dve_floats4)mask);
}

DVE_SQUARE_INLINE dve_words4 dve_widen4(dve_halves4 a)
{
#ifdef __clang__
    return __builtin_convertvector(a, dve_words4);
#else
    typedef short eight __attribute__((vector_size(16)));
    return (dve_words4)__builtin_ia32_pmovzxwd256((eight)a);
#endif
}

/* Words below 2^16. */
DVE_SQUARE_INLINE dve_halves4 dve_narrow4(dve_words4 a)
{
    typedef int words __attribute__((vector_size(32)));
    typedef long long pairs __attribute__((vector_size(32)));
    const pairs packed = (pairs)__builtin_ia32_packusdw256((words)a, (words)a);
    const pairs joined = __builtin_shufflevector(packed, packed, 0, 2, 1, 3);
    return (dve_halves4)__builtin_shufflevector(joined, joined, 0, 1);
}

/* Instructions of this width work within the halves of a register; the last step exchanges halves. */
DVE_SQUARE_INLINE void dve_exchange4(dve_words4 *row)
{
    dve_words4 a[DVE_SQUARE4], b[DVE_SQUARE4];
#define STEP(i)                                                                             \
    a[2 * i] = __builtin_shufflevector(row[2 * i], row[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13); \
    a[2 * i + 1] = __builtin_shufflevector(row[2 * i], row[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    DVE_EACH4(STEP)
#undef STEP
#define STEP(i, from)                                                                         \
    b[i] = __builtin_shufflevector(a[from], a[from + 2], 0, 1, 8, 9, 4, 5, 12, 13);           \
    b[i + 1] = __builtin_shufflevector(a[from], a[from + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    STEP(0, 0) STEP(2, 1) STEP(4, 4) STEP(6, 5)
#undef STEP
#define STEP(i)                                                                              \
    row[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);              \
    row[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    DVE_EACH4(STEP)
#undef STEP
}
#else
enum { DVE_SQUARE4 = 4 };
#define DVE_EACH_ROW4 DVE_EACH4
typedef uint32_t dve_words4 __attribute__((vector_size(16)));
typedef float dve_floats4 __attribute__((vector_size(16)));
typedef uint16_t dve_halves4 __attribute__((vector_size(8)));

DVE_SQUARE_INLINE dve_words4 dve_choose4(dve_words4 mask, dve_words4 yes, dve_words4 no)
{
    return (yes & mask) | (no & ~mask);
}

DVE_SQUARE_INLINE dve_words4 dve_widen4(dve_halves4 a)
{
    return __builtin_convertvector(a, dve_words4);
}

DVE_SQUARE_INLINE dve_halves4 dve_narrow4(dve_words4 a)
{
    return __builtin_convertvector(a, dve_halves4);
}

DVE_SQUARE_INLINE void dve_interleave4(const dve_words4 *in, dve_words4 *out)
{
#define STEP(i)                                                                     \
    out[2 * i] = __builtin_shufflevector(in[i], in[i + 2], 0, 4, 1, 5);             \
    out[2 * i + 1] = __builtin_shufflevector(in[i], in[i + 2], 2, 6, 3, 7);
    STEP(0) STEP(1)
#undef STEP
}

DVE_SQUARE_INLINE void dve_exchange4(dve_words4 *row)
{
    dve_words4 a[DVE_SQUARE4];
    dve_interleave4(row, a);
    dve_interleave4(a, row);
}
#endif
#endif
#endif
