/* SPDX-License-Identifier: Apache-2.0 */
#include "npy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Everything is read into memory and nothing is mapped: a mapped file that another process cuts short kills its
 * reader with SIGBUS, and one copy is cheap next to executing records over the data.
 */

enum { ALIGNMENT = 64, DESCR_CAP = 64, FIRST_CHUNK = 1 << 20, MAX_READ = 1 << 30 };

/* NumPy's own limit for a header it trusts is 10,000 bytes; only structured dtypes, which are refused, need more. */
enum { MAX_HEADER = 1 << 20 };

typedef struct kind_row {
    uint32_t kind, itemsize;
    char type;       /* NumPy's type character */
    char written[4]; /* descr in files we write */
    const char *name;
} kind_row;

static const kind_row kind_rows[] = {
    {DVE_ARRAY_F32, 4, 'f', "<f4", "float32"}, {DVE_ARRAY_F16, 2, 'f', "<f2", "float16"},
    {DVE_ARRAY_I8, 1, 'i', "|i1", "int8"},     {DVE_ARRAY_U8, 1, 'u', "|u1", "uint8"},
    {DVE_ARRAY_I16, 2, 'i', "<i2", "int16"},   {DVE_ARRAY_U16, 2, 'u', "<u2", "uint16"},
    {DVE_ARRAY_I32, 4, 'i', "<i4", "int32"},   {DVE_ARRAY_U32, 4, 'u', "<u4", "uint32"},
    {DVE_ARRAY_V1, 1, 'V', "|V1", "void1"},    {DVE_ARRAY_V2, 2, 'V', "|V2", "void2"},
    {DVE_ARRAY_V4, 4, 'V', "|V4", "void4"},
};

static const kind_row *kind_find(uint32_t kind)
{
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++)
        if (kind_rows[i].kind == kind)
            return &kind_rows[i];
    return NULL;
}

uint32_t dve_array_kind_size(uint32_t kind)
{
    const kind_row *row = kind_find(kind);
    return row ? row->itemsize : 0;
}

const char *dve_array_kind_name(uint32_t kind)
{
    const kind_row *row = kind_find(kind);
    return row ? row->name : "?";
}

/* ---- where bytes come from: a descriptor or memory ---- */

typedef struct source {
    const char *name;
    const uint8_t *memory; /* NULL: read from fd */
    int fd;
    uint64_t offset; /* bytes taken so far */
    uint64_t size;   /* whole size if known, else 0: a hint for allocation, never trusted */
    dve_error *err;
} source;

/* Takes up to want bytes; fewer only at the end. */
static dve_status source_take(source *s, uint8_t *to, size_t want, size_t *got)
{
    size_t done = 0;
    if (s->memory) {
        uint64_t left = s->size - s->offset;
        done = left < want ? (size_t)left : want;
        if (done)
            memcpy(to, s->memory + s->offset, done);
    }
    while (!s->memory && done < want) {
        size_t ask = want - done < MAX_READ ? want - done : MAX_READ;
        ssize_t n = read(s->fd, to + done, ask);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            dve_error_set(s->err, "%.200s: cannot read at byte offset %" PRIu64 ": %s", s->name, s->offset + done,
                          strerror(errno));
            *got = done;
            return DVE_E_INPUT;
        }
        if (n == 0)
            break;
        done += (size_t)n;
    }
    s->offset += done;
    *got = done;
    return DVE_OK;
}

/* Takes exactly want bytes of the part called what. */
static dve_status source_need(source *s, uint8_t *to, size_t want, const char *what)
{
    uint64_t at = s->offset;
    size_t got;
    dve_status st = source_take(s, to, want, &got);
    if (st != DVE_OK || got == want)
        return st;
    dve_error_set(s->err,
                  "%.200s: byte offset %" PRIu64
                  ": the file ends inside the %s: expected %zu bytes from byte offset %" PRIu64 ", found %zu",
                  s->name, s->offset, what, want, at, got);
    return DVE_E_INPUT;
}

static dve_status no_memory(const source *s, uint64_t bytes)
{
    dve_error_set(s->err, "%.200s: not enough memory for %" PRIu64 " bytes", s->name, bytes);
    return DVE_E_INPUT;
}

static uint8_t *aligned(size_t bytes)
{
    void *p = NULL;
    return posix_memalign(&p, ALIGNMENT, bytes) ? NULL : p;
}

/* ---- the header: a Python dict with three keys ---- */

enum conversion { CONVERT_NONE, CONVERT_F64, CONVERT_I64 };

typedef struct layout {
    char descr[DESCR_CAP];
    bool structured, fortran, swap;
    uint32_t kind;
    uint32_t file_item; /* bytes of an element in the file */
    enum conversion convert;
    unsigned ndim;
    uint64_t shape[DVE_ARRAY_MAX_DIMS];
    uint64_t file_bytes;
} layout;

typedef struct parser {
    const uint8_t *text;
    size_t size, at;
    const source *src;
    uint64_t base; /* file offset of text[0] */
} parser;

static int peek(const parser *p)
{
    return p->at < p->size ? p->text[p->at] : -1;
}

static dve_status parse_fail(const parser *p, const char *expected)
{
    char found[32];
    int c = peek(p);
    if (c < 0)
        (void)snprintf(found, sizeof found, "the end of the header");
    else if (c >= 0x20 && c < 0x7f)
        (void)snprintf(found, sizeof found, "'%c'", c);
    else
        (void)snprintf(found, sizeof found, "byte 0x%02x", (unsigned)c);
    dve_error_set(p->src->err, "%.200s: byte offset %" PRIu64 ": malformed .npy header: expected %s, found %s",
                  p->src->name, p->base + p->at, expected, found);
    return DVE_E_INPUT;
}

static void skip_space(parser *p)
{
    int c;
    while ((c = peek(p)) == ' ' || c == '\n' || c == '\t' || c == '\r')
        p->at++;
}

/* Skips blanks, then takes c if it comes next. */
static bool accept(parser *p, char c)
{
    skip_space(p);
    if (peek(p) != (uint8_t)c)
        return false;
    p->at++;
    return true;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* A quoted string without escapes: no key, and no dtype outside structured ones, ever had any. */
static dve_status parse_string(parser *p, const char *expected, char out[DESCR_CAP])
{
    skip_space(p);
    int quote = peek(p), c;
    size_t n = 0;
    if (quote != '\'' && quote != '"')
        return parse_fail(p, expected);
    for (p->at++; (c = peek(p)) != quote; p->at++) {
        if (c < 0x20 || c >= 0x7f || c == '\\')
            return parse_fail(p, "a closing quote");
        if (n + 1 == DESCR_CAP)
            return parse_fail(p, "a string under 64 characters");
        out[n++] = (char)c;
    }
    p->at++;
    out[n] = '\0';
    return DVE_OK;
}

static dve_status parse_bool(parser *p, bool *out)
{
    static const char *const words[2] = {"False", "True"};
    skip_space(p);
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(words[i]);
        if (p->size - p->at < n || memcmp(p->text + p->at, words[i], n))
            continue;
        p->at += n;
        *out = i == 1;
        return DVE_OK;
    }
    return parse_fail(p, "True or False");
}

/* A decimal number; Python 2 wrote long integers with an L behind. */
static dve_status parse_dimension(parser *p, uint64_t *out)
{
    uint64_t v = 0;
    skip_space(p);
    size_t start = p->at;
    if (peek(p) == '-')
        return parse_fail(p, "a dimension that is not negative");
    if (!is_digit(peek(p)))
        return parse_fail(p, "a dimension");
    for (; is_digit(peek(p)); p->at++) {
        unsigned digit = (unsigned)(peek(p) - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return parse_fail(p, "a dimension below 2^64");
        v = v * 10 + digit;
    }
    if (p->text[start] == '0' && p->at - start > 1) {
        p->at = start;
        return parse_fail(p, "a dimension without leading zeros");
    }
    if (peek(p) == 'L')
        p->at++;
    *out = v;
    return DVE_OK;
}

static dve_status parse_shape(parser *p, layout *l)
{
    if (!accept(p, '('))
        return parse_fail(p, "a shape tuple");
    l->ndim = 0;
    bool comma = true; /* may an item come next? */
    while (!accept(p, ')')) {
        if (!comma)
            return parse_fail(p, "',' or ')'");
        if (l->ndim == DVE_ARRAY_MAX_DIMS)
            return parse_fail(p, "at most 32 dimensions");
        dve_status st = parse_dimension(p, &l->shape[l->ndim]);
        if (st != DVE_OK)
            return st;
        l->ndim++;
        comma = accept(p, ',');
    }
    if (l->ndim == 1 && !comma) { /* Python reads (3) as a number, and so does np.load */
        p->at--;
        return parse_fail(p, "',' (a tuple of one)");
    }
    return DVE_OK;
}

/* One key with its value; seen has a bit per key. */
static dve_status parse_item(parser *p, layout *l, unsigned *seen)
{
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    static const char expected[] = "'descr', 'fortran_order' or 'shape', each once";
    char key[DESCR_CAP];
    unsigned k = 0;
    skip_space(p);
    parser at_key = *p;
    dve_status st = parse_string(p, expected, key);
    if (st != DVE_OK)
        return st;
    while (k < 3 && strcmp(key, keys[k]))
        k++;
    if (k == 3 || (*seen >> k & 1))
        return parse_fail(&at_key, expected);
    *seen |= 1u << k;
    if (!accept(p, ':'))
        return parse_fail(p, "':'");
    if (k == 1)
        return parse_bool(p, &l->fortran);
    if (k == 2)
        return parse_shape(p, l);
    skip_space(p);
    l->structured = peek(p) == '[' || peek(p) == '(';
    return l->structured ? DVE_OK : parse_string(p, "a dtype string", l->descr);
}

static dve_status parse_header(parser *p, layout *l)
{
    unsigned seen = 0;
    bool comma = true;
    if (!accept(p, '{'))
        return parse_fail(p, "'{'");
    while (!accept(p, '}')) {
        if (!comma)
            return parse_fail(p, "',' or '}'");
        dve_status st = parse_item(p, l, &seen);
        /* A list of fields is refused whatever it says, so nobody needs to parse it. */
        if (st != DVE_OK || l->structured)
            return st;
        comma = accept(p, ',');
    }
    if (seen != 7) {
        p->at--;
        return parse_fail(p, "the keys 'descr', 'fortran_order' and 'shape'");
    }
    skip_space(p);
    return p->at == p->size ? DVE_OK : parse_fail(p, "only blanks after the dict");
}

/* ---- dtypes ---- */

static dve_status refuse(const source *s, const char *what, const char *hint)
{
    dve_error_set(s->err, "%.200s: %s; use %s", s->name, what, hint);
    return DVE_E_USAGE;
}

/* The sentence that helps, for dtypes that exist and are not taken; DVE_OK for a dtype that does not exist. */
static dve_status refuse_dtype(const source *s, char type, unsigned size, bool sized)
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
static bool take_dtype(layout *l, char type, unsigned size, bool convert)
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
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++) {
        if (kind_rows[i].type != type || kind_rows[i].itemsize != size)
            continue;
        l->kind = kind_rows[i].kind;
        return true;
    }
    return false;
}

/*
 * An order character, a type character, a size. Only '>' swaps. '=' and '|' say nothing about order, NumPy writes
 * neither for wide numbers, and the same file must read the same on every host: both count as little-endian.
 */
static dve_status read_descr(const source *s, layout *l, bool convert)
{
    if (l->structured)
        return refuse(s, "structured dtypes are not taken", "one field, as in a['name'].astype(np.float32)");
    const char *d = l->descr;
    bool order = d[0] == '<' || d[0] == '>' || d[0] == '=' || d[0] == '|';
    if (order && d[1]) {
        unsigned size = 0, digits = 0;
        const char *rest = d + 2;
        /* Three digits say all that matters: anything longer is no number that is taken. */
        for (; is_digit((unsigned char)*rest); rest++)
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
static dve_status measure(const source *s, layout *l, uint64_t limit)
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
    if (limit > SIZE_MAX - ALIGNMENT)
        limit = SIZE_MAX - ALIGNMENT;
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
static dve_status read_magic(source *s, unsigned *major)
{
    static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    uint8_t head[8];
    size_t got;
    dve_status st = source_take(s, head, sizeof head, &got);
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

static dve_status read_layout(source *s, const dve_npy_options *o, layout *l)
{
    unsigned major = 0;
    uint8_t le[4] = {0, 0, 0, 0};
    dve_status st = read_magic(s, &major);
    if (st != DVE_OK)
        return st;
    uint64_t at = s->offset;
    st = source_need(s, le, major == 1 ? 2 : 4, "header length");
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
        return no_memory(s, size);
    parser p = {.text = text, .size = size, .at = 0, .src = s, .base = s->offset};
    st = source_need(s, text, size, "header");
    if (st == DVE_OK)
        st = parse_header(&p, l);
    free(text);
    if (st == DVE_OK)
        st = read_descr(s, l, o->convert);
    return st == DVE_OK ? measure(s, l, o->max_bytes ? o->max_bytes : DVE_NPY_DEFAULT_MAX_BYTES) : st;
}

/* ---- the data ---- */

/*
 * Reads the data. Memory is taken at once only when the source is known to hold as much as the header promises;
 * otherwise it grows with what really arrives, so that a lying header costs nothing.
 */
static dve_status read_data(source *s, size_t expected, uint8_t **out)
{
    uint64_t at = s->offset;
    bool whole = s->size >= at && s->size - at >= expected;
    size_t cap = whole || expected < FIRST_CHUNK ? expected : FIRST_CHUNK, used = 0, got = 0;
    uint8_t *data = aligned(cap);
    if (!data)
        return no_memory(s, cap);
    for (;;) {
        dve_status st = source_take(s, data + used, cap - used, &got);
        used += got;
        if (st != DVE_OK) {
            free(data);
            return st;
        }
        if (used < cap || cap == expected)
            break;
        size_t next = cap < expected / 2 ? cap * 2 : expected;
        uint8_t *more = aligned(next);
        if (more)
            memcpy(more, data, used);
        free(data);
        if (!more)
            return no_memory(s, next);
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
static dve_status need_end(source *s)
{
    uint8_t byte;
    size_t got;
    uint64_t at = s->offset;
    dve_status st = source_take(s, &byte, 1, &got);
    if (st != DVE_OK || got == 0)
        return st;
    dve_error_set(s->err,
                  "%.200s: byte offset %" PRIu64
                  ": expected the end of the file after the data that the header describes, "
                  "found more bytes",
                  s->name, at);
    return DVE_E_INPUT;
}

static void swap_items(uint8_t *data, size_t bytes, size_t item)
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
static void locate(const layout *l, uint64_t k, uint64_t *row, uint64_t *column)
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
static dve_status convert_items(const source *s, const layout *l, uint64_t data_at, uint8_t *data)
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
static dve_status reorder(const source *s, const dve_array *a, uint8_t **data)
{
    enum { BAND = 64 };
    uint8_t *to = aligned(a->bytes);
    if (!to)
        return no_memory(s, a->bytes);
    for (uint64_t row = 0; row < a->rows; row += BAND)
        reorder_band(a, *data, to, row, a->rows - row < BAND ? a->rows - row : BAND);
    free(*data);
    *data = to;
    return DVE_OK;
}

static void describe(const layout *l, dve_array *a)
{
    a->kind = l->kind;
    a->itemsize = dve_array_kind_size(l->kind);
    a->ndim = l->ndim;
    memcpy(a->shape, l->shape, sizeof a->shape);
    a->rows = l->ndim == 1 ? 1 : l->shape[0];
    uint64_t items = l->file_bytes / l->file_item;
    a->columns = items / a->rows;
    a->bytes = (size_t)(items * a->itemsize);
}

static dve_status read_array(source *s, const dve_npy_options *o, dve_array *out)
{
    layout l;
    uint8_t *data = NULL;
    dve_array a;
    memset(&l, 0, sizeof l);
    memset(&a, 0, sizeof a);
    dve_status st = read_layout(s, o, &l);
    uint64_t data_at = s->offset;
    if (st == DVE_OK)
        st = read_data(s, (size_t)l.file_bytes, &data);
    if (st != DVE_OK)
        return st;
    st = need_end(s);
    if (st == DVE_OK) {
        describe(&l, &a);
        if (l.swap)
            swap_items(data, (size_t)l.file_bytes, l.file_item);
        if (l.convert != CONVERT_NONE)
            st = convert_items(s, &l, data_at, data);
    }
    if (st == DVE_OK && l.fortran && l.ndim > 1)
        st = reorder(s, &a, &data);
    if (st != DVE_OK) {
        free(data);
        return st;
    }
    a.data = data;
    a.owner = data;
    *out = a;
    return DVE_OK;
}

/* ---- entries ---- */

static const dve_npy_options no_options = {false, 0};

dve_status dve_npy_parse(const void *buffer, size_t size, const char *name, const dve_npy_options *options,
                         dve_array *out, dve_error *err)
{
    static const uint8_t nothing[1] = {0};
    source s = {.name = name, .memory = size ? buffer : nothing, .fd = -1, .size = size, .err = err};
    memset(out, 0, sizeof *out);
    return read_array(&s, options ? options : &no_options, out);
}

/* Bytes from here to the end of a regular file, else 0. stdin may stand in the middle of one. */
static uint64_t size_hint(int fd, const struct stat *info)
{
    off_t at = S_ISREG(info->st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
    return at >= 0 && info->st_size > at ? (uint64_t)(info->st_size - at) : 0;
}

dve_status dve_npy_read(const char *path, const dve_npy_options *options, dve_array *out, dve_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    source s = {.name = is_stdin ? "stdin" : path, .fd = STDIN_FILENO, .err = err};
    struct stat info;
    memset(out, 0, sizeof *out);
    if (!is_stdin) {
        do
            s.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (s.fd < 0 && errno == EINTR);
    }
    if (s.fd < 0) {
        dve_error_set(err, "%.200s: cannot open: %s", s.name, strerror(errno));
        return DVE_E_INPUT;
    }
    dve_status st = DVE_E_INPUT;
    if (fstat(s.fd, &info))
        dve_error_set(err, "%.200s: cannot read: %s", s.name, strerror(errno));
    else if (S_ISDIR(info.st_mode))
        dve_error_set(err, "%.200s: cannot read: it is a directory", s.name);
    else {
        s.size = size_hint(s.fd, &info);
        st = read_array(&s, options ? options : &no_options, out);
    }
    if (!is_stdin)
        (void)close(s.fd);
    return st;
}

void dve_array_free(dve_array *array)
{
    if (!array)
        return;
    free(array->owner);
    memset(array, 0, sizeof *array);
}

dve_status dve_npy_header(uint32_t kind, uint64_t rows, uint64_t columns, uint8_t *buf, size_t cap, size_t *len)
{
    enum { PREFIX = 10, BODY = DVE_NPY_HEADER_BYTES - PREFIX };
    const kind_row *row = kind_find(kind);
    char text[BODY + 1];
    *len = 0;
    if (!row || cap < DVE_NPY_HEADER_BYTES)
        return DVE_E_INTERNAL;
    int n =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ", %" PRIu64 "), }",
                 row->written, rows, columns);
    if (n < 0 || n >= BODY)
        return DVE_E_INTERNAL;
    memcpy(buf, "\x93NUMPY\x01\x00", 8);
    buf[8] = BODY;
    buf[9] = 0;
    memset(buf + PREFIX, ' ', BODY);
    memcpy(buf + PREFIX, text, (size_t)n);
    buf[DVE_NPY_HEADER_BYTES - 1] = '\n';
    *len = DVE_NPY_HEADER_BYTES;
    return DVE_OK;
}
