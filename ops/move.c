/* SPDX-License-Identifier: Apache-2.0 */
/* Whole walks at once: moved, converted, filled. Source and destination share no bytes or are one walk, so that
 * elements may go in any order unless the destination visits bytes twice. */
#include "ops.h"
#include <string.h>

/* Two walks of one count as nested loops over both: steps of source and destination side by side. */
enum { LOOPS = 8 };
typedef struct loops {
    ptrdiff_t from[LOOPS], to[LOOPS];
    uint32_t num[LOOPS];
    unsigned dims;
    int in_order;
} loops;

/* What is left of the dimension that a walk stands in. */
typedef struct part {
    const dve_walk *walk;
    unsigned dim;
    uint32_t left;
    ptrdiff_t step;
} part;

static part part_of(const dve_walk *walk)
{
    return (part){walk, 0, walk->num[0], walk->step[0]};
}

static void take(part *p, uint32_t n)
{
    p->left /= n;
    p->step *= (ptrdiff_t)n;
    while (p->left == 1 && p->dim < 3) {
        p->dim++;
        p->left = p->walk->num[p->dim];
        p->step = p->walk->step[p->dim];
    }
}

/* Splits dimensions where the other walk has a shorter one; 0 where they do not divide each other. */
static int join(const dve_walk *src, const dve_walk *dst, loops *out)
{
    part from = part_of(src), to = part_of(dst);
    out->dims = 0;
    take(&from, 1);
    take(&to, 1);
    while (from.left > 1 || to.left > 1) {
        uint32_t n = from.left < to.left ? from.left : to.left;
        if (n < 2 || from.left % n || to.left % n || out->dims == LOOPS)
            return 0;
        out->num[out->dims] = n;
        out->from[out->dims] = from.step;
        out->to[out->dims++] = to.step;
        take(&from, n);
        take(&to, n);
    }
    for (unsigned d = out->dims; d < 2; d++) {
        out->num[d] = 1;
        out->from[d] = out->to[d] = 0;
    }
    out->dims = out->dims < 2 ? 2 : out->dims;
    return 1;
}

/* One plane, n1 rows of n0 elements. memcpy of a constant size is one move. */
#define EACH(bytes, f0, f1, t0, t1)                                        \
    for (uint32_t j = 0; j < n1; j++) {                                    \
        const uint8_t *s = from + (ptrdiff_t)j * (f1);                     \
        uint8_t *d = to + (ptrdiff_t)j * (t1);                             \
        for (uint32_t i = 0; i < n0; i++)                                  \
            memcpy(d + (ptrdiff_t)i * (t0), s + (ptrdiff_t)i * (f0), bytes); \
    }

#define SPREAD(bytes)                                    \
    if (l->to[0] == (bytes)) {                           \
        EACH(bytes, l->from[0], l->from[1], bytes, l->to[1]) \
    } else if (l->from[0] == (bytes)) {                  \
        EACH(bytes, bytes, l->from[1], l->to[0], l->to[1])   \
    } else {                                             \
        EACH(bytes, l->from[0], l->from[1], l->to[0], l->to[1]) \
    }

static void move_tile(uint32_t size, const loops *l, const uint8_t *restrict from, uint8_t *restrict to, uint32_t n0,
                      uint32_t n1)
{
    if (size == 1) {
        SPREAD(1)
    } else if (size == 2) {
        SPREAD(2)
    } else {
        SPREAD(4)
    }
}

static ptrdiff_t distance(ptrdiff_t step)
{
    return step < 0 ? -step : step;
}

static void move_plane(uint32_t size, const loops *l, const uint8_t *from, uint8_t *to)
{
    enum { SIDE = 16 };
    uint32_t n0 = l->num[0], n1 = l->num[1];
    if (l->from[0] == (ptrdiff_t)size && l->to[0] == (ptrdiff_t)size) {
        for (uint32_t j = 0; j < n1; j++)
            memcpy(to + (ptrdiff_t)j * l->to[1], from + (ptrdiff_t)j * l->from[1], (size_t)n0 * size);
        return;
    }
    if (n1 == 1 || l->in_order || (distance(l->from[1]) >= distance(l->from[0]) && distance(l->to[1]) >= distance(l->to[0]))) {
        move_tile(size, l, from, to, n0, n1);
        return;
    }
    /* One side goes along what is far apart on the other: a tile at a time, so that lines of the cache are used up. */
    for (uint32_t j = 0; j < n1; j += SIDE)
        for (uint32_t i = 0; i < n0; i += SIDE)
            move_tile(size, l, from + (ptrdiff_t)j * l->from[1] + (ptrdiff_t)i * l->from[0],
                      to + (ptrdiff_t)j * l->to[1] + (ptrdiff_t)i * l->to[0], n0 - i < SIDE ? n0 - i : SIDE,
                      n1 - j < SIDE ? n1 - j : SIDE);
}

static void move_all(uint32_t size, const loops *l, unsigned dim, const uint8_t *from, uint8_t *to)
{
    if (dim == 1) {
        move_plane(size, l, from, to);
        return;
    }
    for (uint32_t i = 0; i < l->num[dim]; i++)
        move_all(size, l, dim - 1, from + (ptrdiff_t)i * l->from[dim], to + (ptrdiff_t)i * l->to[dim]);
}

void dve_walk_move(const dve_walk *src, const dve_walk *dst, int in_order)
{
    loops l = {.in_order = in_order};
    if (src->bytes == dst->bytes)                /* one walk */
        return;
    if (join(src, dst, &l)) {
        move_all(src->size, &l, l.dims - 1, src->bytes, dst->bytes);
        return;
    }
    dve_cursor from = dve_cursor_of(src), to = dve_cursor_of(dst);
    uint32_t block[DVE_BLOCK];
    for (uint32_t left = src->count, n; left; left -= n) {
        n = left < DVE_BLOCK ? left : DVE_BLOCK;
        dve_read_bits(&from, n, block);
        dve_write_bits(&to, block, n);
    }
}

void dve_walk_convert(const dve_walk *src, const dve_walk *dst, const dve_num_config *num)
{
    dve_cursor from = dve_cursor_of(src), to = dve_cursor_of(dst);
    uint32_t buffer[DVE_BLOCK];
    for (uint32_t left = src->count, n; left; left -= n) {
        n = left < DVE_BLOCK ? left : DVE_BLOCK;
        const uint32_t *values = dve_read_moved(&from, dst->dtype, num, n, buffer);
        if (values != buffer && src->bytes == dst->bytes)        /* one walk: what is read there is written there */
            values = memcpy(buffer, values, n * sizeof *buffer);
        dve_write_f32(&to, num, values, n);
    }
}

void dve_walk_fill(const dve_walk *dst, uint32_t bits)
{
    dve_cursor to = dve_cursor_of(dst);
    uint32_t block[DVE_BLOCK];
    for (uint32_t i = 0; i < DVE_BLOCK; i++)
        block[i] = bits;
    for (uint32_t left = dst->count, n; left; left -= n) {
        n = left < DVE_BLOCK ? left : DVE_BLOCK;
        dve_write_bits(&to, block, n);
    }
}
