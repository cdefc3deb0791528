/* SPDX-License-Identifier: Apache-2.0 */
/* What a .npy file says of itself: which dtypes are taken, and how large the data is. */
#include "npy_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NumPy's own limit for a header it trusts is 10,000 bytes; only structured dtypes, which are refused, need more. */
enum { MAX_HEADER = 1 << 20 };

static dve_status refuse(const dve_source *s, const char *what, const char *hint)
{
    dve_error_set(s->err, "%.200s: %s; use %s", s->name, what, hint);
    return DVE_E_USAGE;
}

/* The sentence that helps, for dtypes that exist and are not taken; DVE_OK for a dtype that does not exist. */
static dve_status refuse_dtype(const dve_source *s, char type, unsigned size, bool sized)
{
    char what[64];
    switch (type) {
    case 'O':
        return refuse(s, "object arrays are never loaded (they are pickles, which can run code)",
                      ".astype(np.float32)");
    case 'S':
    case 'a':
    case 'U':
    case 'T':
        return refuse(s, "strings are not taken", ".astype(np.float32)");
    case 'M':
    case 'm':
        return refuse(s, "dates and times are not taken", ".astype(np.int64), then .astype(np.int32)");
    case 'V':
        return sized ? refuse(s, "void is taken with 1, 2 or 4 bytes an element only",
                              ".view(np.uint8), .view(np.uint16) or .view(np.uint32)")
                     : DVE_OK;
    case 'b':
        return size == 1 ? refuse(s, "bool is not taken", ".astype(np.uint8)") : DVE_OK;
    case 'c':
        if (size != 8 && size != 16 && size != 24 && size != 32)
            return DVE_OK;
        (void)snprintf(what, sizeof what, "complex%u is not taken", size * 8);
        return refuse(s, what, ".real.astype(np.float32) or .imag.astype(np.float32)");
    case 'f':
        if (size == 8)
            return refuse(s, "float64 is not taken", ".astype(np.float32) or --convert");
        return size == 12 || size == 16 ? refuse(s, "long double is not taken", ".astype(np.float32)") : DVE_OK;
    case 'i':
        return size == 8 ? refuse(s, "int64 is not taken", ".astype(np.int32) or --convert") : DVE_OK;
    case 'u':
        return size == 8 ? refuse(s, "uint64 is not taken", ".astype(np.uint32)") : DVE_OK;
    default:
        return DVE_OK;
    }
}

/* Fills kind, item size and conversion for a dtype that is taken. */
static bool take_dtype(dve_npy_layout *l, char type, unsigned size, bool convert)
{
    l->file_item = size;
    l->convert = CONVERT_NONE;
    /* ml_dtypes has called some of its 8-bit floats "f1": raw bits, like its "V1". */
    if (type == 'f' && size == 1)
        type = 'V';
    if (convert && size == 8 && (type == 'f' || type == 'i')) {
        l->convert = type == 'f' ? CONVERT_F64 : CONVERT_I64;
        l->kind = type == 'f' ? DVE_ARRAY_F32 : DVE_ARRAY_I32;
        return true;
    }
    for (size_t i = 0; i < sizeof dve_npy_kinds / sizeof dve_npy_kinds[0]; i++) {
        if (dve_npy_kinds[i].type != type || dve_npy_kinds[i].itemsize != size)
            continue;
        l->kind = dve_npy_kinds[i].kind;
        return true;
    }
    return false;
}

/*
 * An order character, a type character, a size. Only '>' swaps. '=' and '|' say nothing about order, NumPy writes
 * neither for wide numbers, and the same file must read the same on every host: both count as little-endian.
 */
static dve_status read_descr(const dve_source *s, dve_npy_layout *l, bool convert)
{
    if (l->structured)
        return refuse(s, "structured dtypes are not taken", "one field, as in a['name'].astype(np.float32)");
    const char *d = l->descr;
    bool order = d[0] == '<' || d[0] == '>' || d[0] == '=' || d[0] == '|';
    if (order && d[1]) {
        unsigned size = 0, digits = 0;
        const char *rest = d + 2;
        /* Three digits say all that matters: anything longer is no number that is taken. */
        for (; dve_is_digit((unsigned char)*rest); rest++)
            if (digits++ < 3)
                size = size * 10 + (unsigned)(*rest - '0');
        bool plain = *rest == '\0' && digits <= 3 && d[2] != '0';
        if (plain && take_dtype(l, d[1], size, convert)) {
            l->swap = d[0] == '>' && size > 1;
            return DVE_OK;
        }
        bool unit = *rest == '[' && (d[1] == 'M' || d[1] == 'm');
        dve_status st = *rest == '\0' || unit ? refuse_dtype(s, d[1], plain || unit ? size : 0, digits > 0) : DVE_OK;
        if (st != DVE_OK)
            return st;
    }
    dve_error_set(s->err, "%.200s: malformed .npy header: expected a dtype such as '<f4', found '%s'", s->name, d);
    return DVE_E_INPUT;
}

/* Checks the shape against overflow and the limit. */
static dve_status measure(const dve_source *s, dve_npy_layout *l, uint64_t limit)
{
    if (l->ndim == 0) {
        dve_error_set(s->err,
                      "%.200s: expected an array of one dimension or more, found a single value; use .reshape(1)",
                      s->name);
        return DVE_E_INPUT;
    }
    for (unsigned d = 0; d < l->ndim; d++)
        if (l->shape[d] == 0) {
            dve_error_set(s->err, "%.200s: empty array: dimension %u is 0", s->name, d);
            return DVE_E_INPUT;
        }
    uint64_t bytes = l->file_item;
    if (limit > SIZE_MAX - DVE_NPY_ALIGNMENT)
        limit = SIZE_MAX - DVE_NPY_ALIGNMENT;
    for (unsigned d = 0; d < l->ndim; d++) {
        if (l->shape[d] > limit / bytes) {
            dve_error_set(s->err,
                          "%.200s: the shape in the header asks for more than the limit of %" PRIu64
                          " bytes (at dimension %u, which is %" PRIu64 ")",
                          s->name, limit, d, l->shape[d]);
            return DVE_E_INPUT;
        }
        bytes *= l->shape[d];
    }
    l->file_bytes = bytes;
    return DVE_OK;
}

/* Magic and version. A file that is something else is told from one that was cut short. */
static dve_status read_magic(dve_source *s, unsigned *major)
{
    static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    uint8_t head[8];
    size_t got;
    dve_status st = dve_source_take(s, head, sizeof head, &got);
    if (st != DVE_OK)
        return st;
    size_t n = got < sizeof magic ? got : sizeof magic;
    if (got == 0)
        dve_error_set(s->err, "%.200s: byte offset 0: empty file, expected a .npy header", s->name);
    else if (got >= 4 && !memcmp(head, "PK\003\004", 4))
        dve_error_set(s->err,
                      "%.200s: byte offset 0: expected the .npy magic, found a zip archive (.npz?); "
                      "use np.save for one array",
                      s->name);
    else if (memcmp(head, magic, n))
        dve_error_set(s->err, "%.200s: byte offset 0: not a .npy file: expected the bytes 93 4e 55 4d 50 59", s->name);
    else if (got < sizeof head)
        dve_error_set(s->err, "%.200s: byte offset %zu: the file ends inside the magic and version: expected 8 bytes",
                      s->name, got);
    else if (head[6] < 1 || head[6] > 3 || head[7] != 0)
        dve_error_set(s->err, "%.200s: byte offset 6: expected .npy version 1.0, 2.0 or 3.0, found %u.%u", s->name,
                      (unsigned)head[6], (unsigned)head[7]);
    else {
        *major = head[6];
        return DVE_OK;
    }
    return DVE_E_INPUT;
}

dve_status dve_npy_layout_read(dve_source *s, const dve_npy_options *o, dve_npy_layout *l)
{
    unsigned major = 0;
    uint8_t le[4] = {0, 0, 0, 0};
    dve_status st = read_magic(s, &major);
    if (st != DVE_OK)
        return st;
    uint64_t at = s->offset;
    st = dve_source_need(s, le, major == 1 ? 2 : 4, "header length");
    if (st != DVE_OK)
        return st;
    uint32_t size = (uint32_t)le[0] | (uint32_t)le[1] << 8 | (uint32_t)le[2] << 16 | (uint32_t)le[3] << 24;
    if (size > MAX_HEADER) {
        dve_error_set(
            s->err, "%.200s: byte offset %" PRIu64 ": expected a header of at most %d bytes, its length says %" PRIu32,
            s->name, at, (int)MAX_HEADER, size);
        return DVE_E_INPUT;
    }
    uint8_t *text = malloc((size_t)size + 1);
    if (!text)
        return dve_source_no_memory(s, size);
    dve_npy_parser p = {.text = text, .size = size, .at = 0, .src = s, .base = s->offset};
    st = dve_source_need(s, text, size, "header");
    if (st == DVE_OK)
        st = dve_npy_header_parse(&p, l);
    free(text);
    if (st == DVE_OK)
        st = read_descr(s, l, o->convert);
    return st == DVE_OK ? measure(s, l, o->max_bytes ? o->max_bytes : DVE_NPY_DEFAULT_MAX_BYTES) : st;
}
