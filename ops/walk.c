/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing along access patterns, in runs of the fastest dimension so that data types are told
 * apart once a run and not once an element. Whole walks: move.c. */
#include "ops.h"
#include "../numeric/loops.h"
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

uint8_t *dve_cursor_bytes(const dve_cursor *c)
{
    ptrdiff_t offset = 0;
    for (unsigned d = 0; d < 4; d++)
        offset += (ptrdiff_t)c->at[d] * c->walk->step[d];
    return c->walk->bytes + offset;
}

void dve_cursor_advance(dve_cursor *c, uint32_t elements)
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

/* How many of `wanted` elements follow in the run that the cursor stands in. */
static uint32_t run_of(const dve_cursor *c, uint32_t wanted)
{
    return smaller(c->walk->num[0] - c->at[0], wanted);
}

void dve_cursor_skip(dve_cursor *c, uint32_t elements)
{
    for (uint32_t run; elements; elements -= run) {
        run = run_of(c, elements);
        dve_cursor_advance(c, run);
    }
}

/* fp32 elements that lie side by side need no copy where the host stores words as the engine does. */
static int in_place(const dve_walk *walk, const uint8_t *bytes)
{
    const uint16_t probe = 1;
    return walk->dtype == DVE_DTYPE_FP32 && walk->step[0] == 4 && *(const uint8_t *)&probe == 1 &&
           (uintptr_t)bytes % sizeof(uint32_t) == 0;
}

const uint32_t *dve_read_f32(dve_cursor *from, const dve_num_config *num, uint32_t n, uint32_t buffer[DVE_BLOCK])
{
    const dve_walk *walk = from->walk;
    const uint32_t *values = buffer;
    for (uint32_t held = 0, run; held < n; held += run) {
        const uint8_t *bytes = dve_cursor_bytes(from);
        run = run_of(from, n - held);
        if (run == n && in_place(walk, bytes))
            values = (const uint32_t *)(const void *)bytes;
        else
            dve_num_load_f32(num, walk->dtype, bytes, walk->step[0], run, buffer + held);
        dve_cursor_advance(from, run);
    }
    return values;
}

static int is_integer(uint8_t dtype)
{
    return (dtype >= DVE_DTYPE_INT8 && dtype <= DVE_DTYPE_UINT16) || dtype == DVE_DTYPE_INT32 ||
           dtype == DVE_DTYPE_UINT32;
}

const uint32_t *dve_read_moved(dve_cursor *from, uint8_t to, const dve_num_config *num, uint32_t n,
                               uint32_t buffer[DVE_BLOCK])
{
    uint32_t bits[DVE_BLOCK];
    dve_cursor raw = *from;
    const uint32_t *values = dve_read_f32(from, num, n, buffer);
    if (values != buffer || from->walk->size == 4 || is_integer(from->walk->dtype) || !is_integer(to))
        return values;
    dve_read_bits(&raw, n, bits);
    for (uint32_t i = 0; i < n; i++)             /* numbers have theirs already */
        buffer[i] |= (bits[i] >> (8 * from->walk->size - 1)) << 31;
    return values;
}

void dve_copy_f32(dve_cursor *from, const dve_num_config *num, uint32_t n, uint32_t buffer[DVE_BLOCK])
{
    for (uint32_t run; n; n -= run, buffer += run) {
        run = run_of(from, n);
        dve_num_load_f32(num, from->walk->dtype, dve_cursor_bytes(from), from->walk->step[0], run, buffer);
        dve_cursor_advance(from, run);
    }
}

void dve_write_f32(dve_cursor *to, const dve_num_config *num, const uint32_t *values, uint32_t n)
{
    for (uint32_t run; n; n -= run, values += run) {
        run = run_of(to, n);
        dve_num_store_f32(num, to->walk->dtype, values, run, dve_cursor_bytes(to), to->walk->step[0]);
        dve_cursor_advance(to, run);
    }
}

void dve_read_bits(dve_cursor *from, uint32_t n, uint32_t buffer[DVE_BLOCK])
{
    for (uint32_t run; n; n -= run, buffer += run) {
        run = run_of(from, n);
        dve_num_load_bits_n(from->walk->size, dve_cursor_bytes(from), from->walk->step[0], run, buffer);
        dve_cursor_advance(from, run);
    }
}

void dve_write_bits(dve_cursor *to, const uint32_t *bits, uint32_t n)
{
    for (uint32_t run; n; n -= run, bits += run) {
        run = run_of(to, n);
        dve_num_store_bits_n(to->walk->size, bits, run, dve_cursor_bytes(to), to->walk->step[0]);
        dve_cursor_advance(to, run);
    }
}

/* Whether all bytes of a run are marked already: the usual case. */
static int all_marked(const uint8_t *map, size_t from, size_t to)
{
    uint8_t all = 0xff;
    for (size_t i = from / 8 + 1; i < to / 8; i++)
        all &= map[i];
    return all == 0xff && map[from / 8] == 0xff && map[to / 8] == 0xff;
}

/* Marks the chosen elements of a run. */
static void mark_where(const dve_written *written, const uint8_t *bytes, ptrdiff_t step, uint32_t size,
                       const uint32_t *choose, uint32_t n)
{
    size_t first = (size_t)(bytes - written->origin);
    if (step == (ptrdiff_t)size && all_marked(written->map, first, first + (size_t)n * size - 1))
        return;
    for (uint32_t i = 0; i < n; i++) {
        size_t at = (size_t)(bytes + (ptrdiff_t)i * step - written->origin);
        uint32_t ones = ((1u << size) - 1u) << at % 8;           /* elements lie at multiples of their size */
        if (choose[i])
            written->map[at / 8] = (uint8_t)(written->map[at / 8] | ones);
    }
}

/* Reading the old element and writing it back is the same as leaving it alone: a lane's bytes are its own. */
void dve_write_bits_where(dve_cursor *to, const dve_written *written, const uint32_t *choose, const uint32_t *bits,
                          uint32_t n)
{
    uint32_t mixed[DVE_BLOCK];
    const dve_walk *walk = to->walk;
    for (uint32_t run; n; n -= run, choose += run, bits += run) {
        uint8_t *at = dve_cursor_bytes(to);
        run = run_of(to, n);
        dve_num_load_bits_n(walk->size, at, walk->step[0], run, mixed);
        for (uint32_t i = 0; i < run; i++) {
            uint32_t mask = 0u - (uint32_t)(choose[i] != 0);
            mixed[i] = (bits[i] & mask) | (mixed[i] & ~mask);
        }
        dve_num_store_bits_n(walk->size, mixed, run, at, walk->step[0]);
        mark_where(written, at, walk->step[0], walk->size, choose, run);
        dve_cursor_advance(to, run);
    }
}

/* The bytes of the next n elements if they lie side by side, else NULL. */
static uint8_t *adjacent(const dve_cursor *c, uint32_t n)
{
    return c->walk->step[0] == c->walk->size && run_of(c, n) == n ? dve_cursor_bytes(c) : NULL;
}

int dve_move_run_where(dve_cursor *to, const dve_lane *lane, dve_cursor *choose, dve_cursor *from, uint32_t n)
{
    const dve_written *written = &lane->written;
    uint8_t *out = adjacent(to, n);
    const uint8_t *in = adjacent(from, n), *choice = adjacent(choose, n);
    size_t size = to->walk->size, first = out ? (size_t)(out - written->origin) : 0;
    if (n < DVE_BLOCK || !out || !in || !choice || in == out || choice == out ||
        !all_marked(written->map, first, first + n * size - 1))
        return 0;
    dve_loops_of(lane->num)->blend(to->walk->size, in, choose->walk->size, choice, n, out);
    dve_cursor_advance(choose, n);
    dve_cursor_advance(from, n);
    dve_cursor_advance(to, n);
    return 1;
}

void dve_move_where(dve_cursor *to, const dve_lane *lane, dve_cursor *choose, dve_cursor *from, uint32_t n)
{
    uint32_t chosen[DVE_BLOCK], bits[DVE_BLOCK];
    if (dve_move_run_where(to, lane, choose, from, n))
        return;
    dve_read_bits(choose, n, chosen);
    dve_read_bits(from, n, bits);
    dve_write_bits_where(to, &lane->written, chosen, bits, n);
}

void dve_fill_where(dve_cursor *to, const dve_lane *lane, dve_cursor *choose, int invert, uint32_t bits, uint32_t n)
{
    uint32_t chosen[DVE_BLOCK], block[DVE_BLOCK];
    uint8_t *out = adjacent(to, n);
    const uint8_t *choice = adjacent(choose, n);
    size_t size = to->walk->size, first = out ? (size_t)(out - lane->written.origin) : 0;
    if (n == DVE_BLOCK && out && choice && choice != out && all_marked(lane->written.map, first, first + n * size - 1)) {
        dve_loops_of(lane->num)->fill(to->walk->size, bits, choose->walk->size, choice, invert, n, out);
        dve_cursor_advance(choose, n);
        dve_cursor_advance(to, n);
        return;
    }
    dve_read_bits(choose, n, chosen);
    for (uint32_t i = 0; i < n; i++) {
        chosen[i] = (chosen[i] != 0) != (invert != 0);
        block[i] = bits;
    }
    dve_write_bits_where(to, &lane->written, chosen, block, n);
}

void dve_reader_begin(const dve_walk *walk, dve_reader *out)
{
    *out = (dve_reader){dve_cursor_of(walk), walk->count};
}

uint32_t dve_reader_next(dve_reader *reader, const dve_num_config *num, uint32_t buffer[DVE_BLOCK],
                         const uint32_t **values)
{
    uint32_t n = smaller(reader->left, DVE_BLOCK);
    *values = dve_read_f32(&reader->cursor, num, n, buffer);
    reader->left -= n;
    return n;
}
