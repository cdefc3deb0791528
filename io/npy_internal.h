/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the .npy reader: bytes, header, data. */
#ifndef DVE_NPY_INTERNAL_H
#define DVE_NPY_INTERNAL_H

#include "npy.h"

enum { DESCR_CAP = 64, DVE_NPY_ALIGNMENT = 64 };

static inline bool dve_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

typedef struct dve_npy_kind {
    uint32_t kind, itemsize;
    char type;       /* NumPy's type character */
    char written[4]; /* descr in files we write */
    const char *name;
} dve_npy_kind;

enum { DVE_NPY_KINDS = 11 };
extern const dve_npy_kind dve_npy_kinds[DVE_NPY_KINDS];

/* Where bytes come from: a descriptor or memory. */
typedef struct dve_source {
    const char *name;
    const uint8_t *memory; /* NULL: read from fd */
    int fd;
    uint64_t offset; /* bytes taken so far */
    uint64_t size;   /* whole size if known, else 0: a hint for allocation, never trusted */
    dve_error *err;
} dve_source;

/* npy_source.c. Takes up to `want` bytes, fewer only at the end; or exactly that many of the part called `what`. */
dve_status dve_source_take(dve_source *s, uint8_t *to, size_t want, size_t *got);
dve_status dve_source_need(dve_source *s, uint8_t *to, size_t want, const char *what);
dve_status dve_source_no_memory(const dve_source *s, uint64_t bytes);
/* Memory aligned to 64 bytes; NULL without. */
uint8_t *dve_aligned_bytes(size_t bytes);

/* What a header says. */
enum conversion { CONVERT_NONE, CONVERT_F64, CONVERT_I64 };

typedef struct dve_npy_layout {
    char descr[DESCR_CAP];
    bool structured, fortran, swap;
    uint32_t kind;
    uint32_t file_item; /* bytes of an element in the file */
    enum conversion convert;
    unsigned ndim;
    uint64_t shape[DVE_ARRAY_MAX_DIMS];
    uint64_t file_bytes;
} dve_npy_layout;

/* npy_dict.c: the header's text, a Python dict with three keys. */
typedef struct dve_npy_parser {
    const uint8_t *text;
    size_t size, at;
    const dve_source *src;
    uint64_t base; /* file offset of text[0] */
} dve_npy_parser;
dve_status dve_npy_header_parse(dve_npy_parser *p, dve_npy_layout *l);

/* npy_layout.c: magic, version, header, dtype and shape. */
dve_status dve_npy_layout_read(dve_source *s, const dve_npy_options *o, dve_npy_layout *l);

/* npy_data.c: the elements, brought into order. */
dve_status dve_npy_data_read(dve_source *s, size_t expected, uint8_t **out);
dve_status dve_npy_need_end(dve_source *s);
void dve_npy_swap(uint8_t *data, size_t bytes, size_t item);
dve_status dve_npy_convert(const dve_source *s, const dve_npy_layout *l, uint64_t data_at, uint8_t *data);
dve_status dve_npy_reorder(const dve_source *s, const dve_array *a, uint8_t **data);

#endif
