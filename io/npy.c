/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of the .npy reader and the header that we write.
 *
 * Everything is read into memory and nothing is mapped: a mapped file that another process cuts short kills its
 * reader with SIGBUS, and one copy is cheap next to executing records over the data. */
#include "npy_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const dve_npy_kind dve_npy_kinds[DVE_NPY_KINDS] = {
    {DVE_ARRAY_F32, 4, 'f', "<f4", "float32"}, {DVE_ARRAY_F16, 2, 'f', "<f2", "float16"},
    {DVE_ARRAY_I8, 1, 'i', "|i1", "int8"},     {DVE_ARRAY_U8, 1, 'u', "|u1", "uint8"},
    {DVE_ARRAY_I16, 2, 'i', "<i2", "int16"},   {DVE_ARRAY_U16, 2, 'u', "<u2", "uint16"},
    {DVE_ARRAY_I32, 4, 'i', "<i4", "int32"},   {DVE_ARRAY_U32, 4, 'u', "<u4", "uint32"},
    {DVE_ARRAY_V1, 1, 'V', "|V1", "void1"},    {DVE_ARRAY_V2, 2, 'V', "|V2", "void2"},
    {DVE_ARRAY_V4, 4, 'V', "|V4", "void4"},
};

static const dve_npy_kind *kind_find(uint32_t kind)
{
    for (size_t i = 0; i < sizeof dve_npy_kinds / sizeof dve_npy_kinds[0]; i++)
        if (dve_npy_kinds[i].kind == kind)
            return &dve_npy_kinds[i];
    return NULL;
}

uint32_t dve_array_kind_size(uint32_t kind)
{
    const dve_npy_kind *row = kind_find(kind);
    return row ? row->itemsize : 0;
}

const char *dve_array_kind_name(uint32_t kind)
{
    const dve_npy_kind *row = kind_find(kind);
    return row ? row->name : "?";
}

static void describe(const dve_npy_layout *l, dve_array *a)
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

static dve_status read_array(dve_source *s, const dve_npy_options *o, dve_array *out)
{
    dve_npy_layout l;
    uint8_t *data = NULL;
    dve_array a;
    memset(&l, 0, sizeof l);
    memset(&a, 0, sizeof a);
    dve_status st = dve_npy_layout_read(s, o, &l);
    uint64_t data_at = s->offset;
    if (st == DVE_OK)
        st = dve_npy_data_read(s, (size_t)l.file_bytes, &data);
    if (st != DVE_OK)
        return st;
    st = dve_npy_need_end(s);
    if (st == DVE_OK) {
        describe(&l, &a);
        if (l.swap)
            dve_npy_swap(data, (size_t)l.file_bytes, l.file_item);
        if (l.convert != CONVERT_NONE)
            st = dve_npy_convert(s, &l, data_at, data);
    }
    if (st == DVE_OK && l.fortran && l.ndim > 1)
        st = dve_npy_reorder(s, &a, &data);
    if (st != DVE_OK) {
        free(data);
        return st;
    }
    a.data = data;
    a.owner = data;
    *out = a;
    return DVE_OK;
}

static const dve_npy_options no_options = {false, 0};

dve_status dve_npy_parse(const void *buffer, size_t size, const char *name, const dve_npy_options *options,
                         dve_array *out, dve_error *err)
{
    static const uint8_t nothing[1] = {0};
    dve_source s = {.name = name, .memory = size ? buffer : nothing, .fd = -1, .size = size, .err = err};
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
    dve_source s = {.name = is_stdin ? "stdin" : path, .fd = STDIN_FILENO, .err = err};
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
    const dve_npy_kind *row = kind_find(kind);
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
