/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DVE_IO_RECORDS_H
#define DVE_IO_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include <opendve/status.h>
#include "whole.h"

enum { DVE_RECORD_SIZE = 64, DVE_RECORD_BLOCK = 4096 };

/* A file or pipe of 64-byte records, read a block at a time: memory does not grow with the file. */
typedef struct dve_record_stream dve_record_stream;

typedef struct dve_record_block {
    const uint8_t *bytes; /* count * 64 bytes, owned by the stream, good until the next call on it */
    size_t count;         /* 1 to DVE_RECORD_BLOCK; 0 at the end of the stream */
    uint64_t first;       /* index of the first record, counted from the start of the stream */
} dve_record_block;

/* "-" is stdin. DVE_E_INPUT when it cannot be opened or is a directory; *stream is then NULL. */
dve_status dve_record_stream_open(const char *path, dve_record_stream **stream, dve_error *err);

/* A stream over bytes in memory, which must stay; `name` is for messages. */
dve_status dve_record_stream_over(const uint8_t *bytes, size_t size, const char *name, dve_record_stream **stream, dve_error *err);

/* The first bytes, at most a block of them; records are still read from the first on. Only before any of them was read. */
size_t dve_record_stream_peek(dve_record_stream *stream, const uint8_t **bytes);

/* Everything, as dve_whole_read would give it; only before any record was read, and nothing can be read afterwards. */
dve_status dve_record_stream_take(dve_record_stream *stream, size_t limit, dve_whole *out, dve_error *err);

/*
 * The next block. A file that ends inside a record gives its whole records first and then DVE_E_INPUT, from a file and
 * from a pipe alike. An empty file is zero records and no error. An end or an error is final: later calls repeat it.
 */
dve_status dve_record_stream_next(dve_record_stream *stream, dve_record_block *block, dve_error *err);

/* NULL is fine. */
void dve_record_stream_close(dve_record_stream *stream);

#endif
