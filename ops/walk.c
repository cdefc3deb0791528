/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and copying along access patterns, in runs of the fastest dimension so that data types are
 * told apart once a run and not once an element. */
#include "ops.h"
#include <string.h>

uint8_t *dve_walk_at(const dve_walk *walk, uint32_t i)
{
    ptrdiff_t offset = 0;
    for (unsigned d = 0; d < 4; d++) {
        offset += (ptrdiff_t)(i % walk->num[d]) * walk->step[d];
        i /= walk->num[d];
    }
    return walk->bytes + offset;
}

/* A place in a walk: the element at at[], which starts a run of num[0] - at[0] elements. */
typedef struct cursor {
    const dve_walk *walk;
    uint32_t at[4];
} cursor;

static uint8_t *cursor_bytes(const cursor *c)
{
    ptrdiff_t offset = 0;
    for (unsigned d = 0; d < 4; d++)
        offset += (ptrdiff_t)c->at[d] * c->walk->step[d];
    return c->walk->bytes + offset;
}

static void cursor_advance(cursor *c, uint32_t elements)
{
    c->at[0] += elements;
    for (unsigned d = 0; d < 3 && c->at[d] >= c->walk->num[d]; d++) {
        c->at[d] = 0;
        c->at[d + 1]++;
    }
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void dve_reader_begin(const dve_walk *walk, dve_reader *out)
{
    memset(out, 0, sizeof *out);
    out->walk = *walk;
    out->left = walk->count;
}

/* fp32 elements that lie side by side need no copy where the host stores words as the engine does. */
static int in_place(const dve_walk *walk, const uint8_t *bytes)
{
    const uint16_t probe = 1;
    return walk->dtype == DVE_DTYPE_FP32 && walk->step[0] == 4 && *(const uint8_t *)&probe == 1 &&
           (uintptr_t)bytes % sizeof(uint32_t) == 0;
}

uint32_t dve_reader_next(dve_reader *reader, const dve_num_config *num, uint32_t buffer[DVE_BLOCK],
                         const uint32_t **values)
{
    cursor c = {&reader->walk, {reader->at[0], reader->at[1], reader->at[2], reader->at[3]}};
    uint32_t held = 0, wanted = smaller(reader->left, DVE_BLOCK);
    *values = buffer;
    while (held < wanted) {
        uint8_t *bytes = cursor_bytes(&c);
        uint32_t run = smaller(reader->walk.num[0] - c.at[0], wanted - held);
        if (held == 0 && run == wanted && in_place(&reader->walk, bytes))
            *values = (const uint32_t *)(const void *)bytes;
        else
            dve_num_load_f32(num, reader->walk.dtype, bytes, reader->walk.step[0], run, buffer + held);
        held += run;
        cursor_advance(&c, run);
    }
    memcpy(reader->at, c.at, sizeof reader->at);
    reader->left -= held;
    return held;
}

int dve_walk_keeps_bits(const dve_walk *src, const dve_walk *dst)
{
    return src->dtype == dst->dtype && src->dtype != DVE_DTYPE_INT32 && src->dtype != DVE_DTYPE_UINT32;
}

static void copy_bits(const dve_walk *src, const uint8_t *from, const dve_walk *dst, uint8_t *to, uint32_t n)
{
    if (src->step[0] == src->size && dst->step[0] == dst->size) {
        memmove(to, from, (size_t)n * src->size);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        memmove(to + (ptrdiff_t)i * dst->step[0], from + (ptrdiff_t)i * src->step[0], src->size);
}

void dve_walk_copy(const dve_walk *src, const dve_walk *dst, const dve_num_config *num)
{
    cursor from = {src, {0}}, to = {dst, {0}};
    int keeps = dve_walk_keeps_bits(src, dst);
    uint32_t buffer[DVE_BLOCK];
    for (uint32_t left = src->count; left;) {
        uint32_t run = smaller(left, smaller(src->num[0] - from.at[0], dst->num[0] - to.at[0]));
        if (!keeps)
            run = smaller(run, DVE_BLOCK);
        if (keeps) {
            copy_bits(src, cursor_bytes(&from), dst, cursor_bytes(&to), run);
        } else {
            dve_num_load_f32(num, src->dtype, cursor_bytes(&from), src->step[0], run, buffer);
            dve_num_store_f32(num, dst->dtype, buffer, run, cursor_bytes(&to), dst->step[0]);
        }
        cursor_advance(&from, run);
        cursor_advance(&to, run);
        left -= run;
    }
}
