/* SPDX-License-Identifier: Apache-2.0 */
#include "inflate.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum { GZIP_WINDOW = 16 + 15, PIECE = 1 << 30, FIRST = 1 << 16 };

static dve_status grow(dve_whole *out, size_t *room, uint64_t limit, dve_error *error)
{
    /* One byte more than allowed, so that the end of a member of exactly that size can be told from a longer one. */
    uint64_t wanted = *room ? 2 * (uint64_t)*room : FIRST;
    if (wanted > limit + 1)
        wanted = limit + 1;
    if (out->size > limit) {
        dve_error_set(error, "it unpacks to more than %" PRIu64 " bytes, the most for its size", limit);
        return DVE_E_INPUT;
    }
    uint8_t *more = wanted > SIZE_MAX ? NULL : realloc(out->bytes, (size_t)wanted);
    if (!more) {
        dve_error_set(error, "not enough memory");
        return DVE_E_INTERNAL;
    }
    out->bytes = more;
    *room = (size_t)wanted;
    return DVE_OK;
}

static uInt piece(size_t size)
{
    return (uInt)(size < PIECE ? size : PIECE);
}

static dve_status unpack(z_stream *z, const uint8_t *bytes, size_t size, uint64_t limit, dve_whole *out, dve_error *error)
{
    size_t room = 0, given = 0;
    for (;;) {
        if (!z->avail_in) {
            z->next_in = (z_const Bytef *)(uintptr_t)(bytes + given);
            z->avail_in = piece(size - given);
            given += z->avail_in;
        }
        if (out->size == room) {
            dve_status status = grow(out, &room, limit, error);
            if (status)
                return status;
        }
        uInt space = piece(room - out->size);
        z->next_out = out->bytes + out->size;
        z->avail_out = space;
        int state = inflate(z, Z_NO_FLUSH);
        out->size += space - z->avail_out;
        if (state == Z_STREAM_END && out->size <= limit)
            return DVE_OK;
        if (state == Z_MEM_ERROR) {
            dve_error_set(error, "not enough memory");
            return DVE_E_INTERNAL;
        }
        if (state == Z_STREAM_END || (state == Z_OK && (z->avail_out == 0 || given < size || z->avail_in)))
            continue;
        if (state == Z_OK || state == Z_BUF_ERROR)
            dve_error_set(error, "the gzip data is cut");
        else
            dve_error_set(error, "the gzip data is damaged: %s", z->msg ? z->msg : "it needs a dictionary");
        return DVE_E_INPUT;
    }
}

dve_status dve_gunzip(const uint8_t *bytes, size_t size, uint64_t limit, dve_whole *out, size_t *used, dve_error *error)
{
    z_stream z;
    memset(&z, 0, sizeof z);
    out->bytes = NULL;
    out->size = 0;
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK) {
        dve_error_set(error, "not enough memory");
        return DVE_E_INTERNAL;
    }
    dve_status status = unpack(&z, bytes, size, limit, out, error);
    *used = (size_t)((const uint8_t *)z.next_in - bytes);
    (void)inflateEnd(&z);
    if (status) {
        free(out->bytes);
        out->bytes = NULL;
        out->size = 0;
    }
    return status;
}
