/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a .npy file: read, swapped, narrowed, brought into C order. */
#include "npy_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 1 << 20 };

/*
 * Reads the data. Memory is taken at once only when the source is known to hold as much as the header promises;
 * otherwise it grows with what really arrives, so that a lying header costs nothing.
 */
dve_status dve_npy_data_read(dve_source *s, size_t expected, uint8_t **out)
{
    uint64_t at = s->offset;
    bool whole = s->size >= at && s->size - at >= expected;
    size_t cap = whole || expected < FIRST_CHUNK ? expected : FIRST_CHUNK, used = 0, got = 0;
    uint8_t *data = dve_aligned_bytes(cap);
    if (!data)
        return dve_source_no_memory(s, cap);
    for (;;) {
        dve_status st = dve_source_take(s, data + used, cap - used, &got);
        used += got;
        if (st != DVE_OK) {
            free(data);
            return st;
        }
        if (used < cap || cap == expected)
            break;
        size_t next = cap < expected / 2 ? cap * 2 : expected;
        uint8_t *more = dve_aligned_bytes(next);
        if (more)
            memcpy(more, data, used);
        free(data);
        if (!more)
            return dve_source_no_memory(s, next);
        data = more;
        cap = next;
    }
    if (used < expected) {
        free(data);
        dve_error_set(s->err,
                      "%.200s: byte offset %" PRIu64
                      ": the file ends inside the data: expected %zu bytes from byte offset %" PRIu64 ", found %zu",
                      s->name, s->offset, expected, at, used);
        return DVE_E_INPUT;
    }
    *out = data;
    return DVE_OK;
}

/* np.load would ignore what follows; here it means that the header lies or that arrays were appended. */
dve_status dve_npy_need_end(dve_source *s)
{
    uint8_t byte;
    size_t got;
    uint64_t at = s->offset;
    dve_status st = dve_source_take(s, &byte, 1, &got);
    if (st != DVE_OK || got == 0)
        return st;
    dve_error_set(s->err,
                  "%.200s: byte offset %" PRIu64
                  ": expected the end of the file after the data that the header describes, "
                  "found more bytes",
                  s->name, at);
    return DVE_E_INPUT;
}

void dve_npy_swap(uint8_t *data, size_t bytes, size_t item)
{
    for (size_t at = 0; at < bytes; at += item)
        for (size_t a = at, b = at + item - 1; a < b; a++, b--) {
            uint8_t t = data[a];
            data[a] = data[b];
            data[b] = t;
        }
}

static uint64_t load_le64(const uint8_t *p)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | p[i];
    return v;
}

static void store_le32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

/* Round to nearest even on the bits, whatever the host rounds like; a NaN keeps its upper payload and turns quiet. */
static uint32_t f32_of_f64(uint64_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 63) << 31;
    uint64_t man = bits & ((UINT64_C(1) << 52) - 1);
    int raw = (int)(bits >> 52 & 0x7ff);
    if (raw == 0x7ff)
        return sign | 0x7f800000u | (man ? 0x400000u | (uint32_t)(man >> 29) : 0);
    int e = raw - 1023 + 127;
    if (e >= 255)
        return sign | 0x7f800000u;
    if (e < -23)
        return sign; /* under half of the smallest subnormal */
    unsigned shift = e > 0 ? 29 : (unsigned)(30 - e);
    man |= UINT64_C(1) << 52;
    uint64_t kept = man >> shift, cut = man & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    if (cut > half || (cut == half && (kept & 1)))
        kept++;
    /* kept carries the hidden bit, which adds the missing 1 to the exponent; so does a carry out of the mantissa. */
    return sign | ((e > 0 ? (uint32_t)(e - 1) << 23 : 0) + (uint32_t)kept);
}

/* Row and column of the element that stands at position k of the file. */
static void locate(const dve_npy_layout *l, uint64_t k, uint64_t *row, uint64_t *column)
{
    uint64_t index[DVE_ARRAY_MAX_DIMS] = {0};
    for (unsigned i = 0; i < l->ndim; i++) {
        unsigned d = l->fortran ? i : l->ndim - 1 - i;
        index[d] = k % l->shape[d];
        k /= l->shape[d];
    }
    *row = l->ndim == 1 ? 0 : index[0];
    *column = l->ndim == 1 ? index[0] : 0;
    for (unsigned d = 1; d < l->ndim; d++)
        *column = *column * l->shape[d] + index[d];
}

/* Eight bytes an element become four, in place: writing never overtakes reading. */
dve_status dve_npy_convert(const dve_source *s, const dve_npy_layout *l, uint64_t data_at, uint8_t *data)
{
    uint64_t count = l->file_bytes / 8;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t v = load_le64(data + k * 8);
        if (l->convert == CONVERT_F64) {
            store_le32(data + k * 4, f32_of_f64(v));
            continue;
        }
        /* In range when the upper 33 bits are all equal. */
        uint64_t top = v >> 31;
        if (top != 0 && top != UINT64_MAX >> 31) {
            uint64_t row, column;
            bool negative = v >> 63;
            locate(l, k, &row, &column);
            dve_error_set(s->err,
                          "%.200s: byte offset %" PRIu64 ": row %" PRIu64 ", column %" PRIu64
                          ": the int64 value %s%" PRIu64 " does not fit int32 (-2147483648 to 2147483647)",
                          s->name, data_at + k * 8, row, column, negative ? "-" : "", negative ? UINT64_C(0) - v : v);
            return DVE_E_INPUT;
        }
        store_le32(data + k * 4, (uint32_t)v);
    }
    return DVE_OK;
}

/* Sizes are spelt out so that each copy is one move. */
static inline void copy_item(uint8_t *to, const uint8_t *from, size_t item)
{
    if (item == 4)
        memcpy(to, from, 4);
    else if (item == 2)
        memcpy(to, from, 2);
    else
        *to = *from;
}

/* A band of rows, [row, row + n), of a Fortran-order array. Columns go in C order; start is their place in the file. */
static void reorder_band(const dve_array *a, const uint8_t *from, uint8_t *to, uint64_t row, uint64_t n)
{
    uint64_t index[DVE_ARRAY_MAX_DIMS] = {0}, stride[DVE_ARRAY_MAX_DIMS], start = 0;
    size_t item = a->itemsize;
    stride[0] = 1;
    for (unsigned d = 1; d < a->ndim; d++)
        stride[d] = stride[d - 1] * a->shape[d - 1];
    for (uint64_t c = 0; c < a->columns; c++) {
        for (uint64_t r = row; r < row + n; r++) {
            copy_item(to + (size_t)(r * a->columns + c) * item, from + (size_t)(start + r) * item, item);
        }
        for (unsigned d = a->ndim - 1; d >= 1; d--) {
            start += stride[d];
            if (++index[d] < a->shape[d])
                break;
            start -= stride[d] * a->shape[d];
            index[d] = 0;
        }
    }
}

/* Fortran to C order; a band of rows is small enough for its lines to stay in the cache. */
dve_status dve_npy_reorder(const dve_source *s, const dve_array *a, uint8_t **data)
{
    enum { BAND = 64 };
    uint8_t *to = dve_aligned_bytes(a->bytes);
    if (!to)
        return dve_source_no_memory(s, a->bytes);
    for (uint64_t row = 0; row < a->rows; row += BAND)
        reorder_band(a, *data, to, row, a->rows - row < BAND ? a->rows - row : BAND);
    free(*data);
    *data = to;
    return DVE_OK;
}
