/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of 32 by 32 elements, lanes and elements exchanged: rectangles that registers hold, in turn. */
#include "loops.h"
#include "squares.h"

#include <string.h>

enum {
    SIDE = DVE_NUM_TURNED,
    /* Bytes of a lane that are worked on in turn: as many of 64 lanes stay in the caches, and are long enough for the
     * processor to see what will be read next. */
    STRETCH = 4096
};

/* COLUMNS elements of each of ROWS lanes become ROWS elements of COLUMNS lanes. */
enum { COLUMNS1 = 1, ROWS1 = 1 };
static inline void turn1(const uint8_t *src, size_t src_stride, uint8_t *dst, size_t dst_stride)
{
    (void)src_stride;
    (void)dst_stride;
    *dst = *src;
}

#ifdef DVE_HAS_SQUARES
enum { COLUMNS2 = DVE_SQUARE2, ROWS2 = DVE_ROWS2, COLUMNS4 = DVE_SQUARE4, ROWS4 = DVE_SQUARE4 };
#define TURN(size)                                                                                       \
    static inline void turn##size(const uint8_t *src, size_t src_stride, uint8_t *dst, size_t dst_stride) \
    {                                                                                                    \
        dve_words##size row[COLUMNS##size];                                                              \
        DVE_EACH_ROW##size(READ##size)                                                                   \
        dve_exchange##size(row);                                                                         \
        DVE_EACH_ROW##size(WRITE)                                                                        \
    }
#define READ(to, j) memcpy(&(to), src + (j) * src_stride, sizeof(to));
#define WRITE(i) memcpy(dst + (i) * dst_stride, &row[i], sizeof row[i]);
#define READ4(j) READ(row[j], j)
#ifdef __AVX2__
#define READ2(j)                       \
    {                                  \
        dve_eight2 first, second;      \
        READ(first, j)                 \
        READ(second, (j) + COLUMNS2)   \
        row[j] = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); \
    }
#else
#define READ2(j) READ(row[j], j)
#endif
#else
enum { COLUMNS2 = 1, ROWS2 = 1, COLUMNS4 = 1, ROWS4 = 1 };
#define TURN(size)                                                                                       \
    static inline void turn##size(const uint8_t *src, size_t src_stride, uint8_t *dst, size_t dst_stride) \
    {                                                                                                    \
        (void)src_stride;                                                                                \
        (void)dst_stride;                                                                                \
        memcpy(dst, src, size);                                                                          \
    }
#endif
TURN(2)
TURN(4)

/* Few lanes are written at a time, each from end to end, and each line of theirs at once. */
#define BLOCKS(size)                                                                     \
    for (size_t i = 0; i < SIDE; i += COLUMNS##size) {                                   \
        for (size_t block = 0; block < n; block += SIDE) {                               \
            for (size_t j = 0; j < SIDE; j += ROWS##size) {                              \
                turn##size(src + j * src_stride + (block + i) * (size), src_stride,      \
                           dst + i * dst_stride + (block + j) * (size), dst_stride);     \
            }                                                                            \
        }                                                                                \
    }

static void stretch(uint32_t size, const uint8_t *restrict src, size_t src_stride, size_t n, uint8_t *restrict dst,
                    size_t dst_stride)
{
    if (size == 1) {
        BLOCKS(1)
    } else if (size == 2) {
        BLOCKS(2)
    } else {
        BLOCKS(4)
    }
}

void dve_turn_lanes(uint32_t size, const uint8_t *src, size_t src_stride, size_t n, uint8_t *dst, size_t dst_stride)
{
    const size_t most = STRETCH / size;
    for (size_t done = 0; done < n; done += most) {
        stretch(size, src + done * size, src_stride, n - done < most ? n - done : most, dst + done * size, dst_stride);
    }
}
