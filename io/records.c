/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct dve_record_stream {
    char *name;
    int fd;
    bool is_stdin, ended;
    int read_errno;   /* why reading stopped, 0 at a plain end */
    uint64_t records; /* whole records handed out so far */
    size_t partial;   /* bytes of an incomplete last record */
    size_t held;      /* bytes in the buffer that were looked at and not read yet */
    const uint8_t *memory; /* what is left of bytes in memory; NULL for a file */
    size_t memory_size;
    uint8_t buffer[DVE_RECORD_BLOCK * DVE_RECORD_SIZE];
};

static dve_status check_kind(int fd, const char *name, dve_error *err)
{
    struct stat info;
    if (fstat(fd, &info))
        dve_error_set(err, "%.200s: cannot read: %s", name, strerror(errno));
    else if (S_ISDIR(info.st_mode))
        dve_error_set(err, "%.200s: cannot read: it is a directory", name);
    else
        return DVE_OK;
    return DVE_E_INPUT;
}

/* The buffer is left as it is: it is large, and every byte is written before it is read. */
static dve_record_stream *create(const char *name)
{
    dve_record_stream *s = malloc(sizeof *s);
    char *copy = s ? malloc(strlen(name) + 1) : NULL;
    if (!copy) {
        free(s);
        return NULL;
    }
    memset(s, 0, offsetof(dve_record_stream, buffer));
    memcpy(copy, name, strlen(name) + 1);
    s->name = copy;
    s->fd = -1;
    return s;
}

dve_status dve_record_stream_open(const char *path, dve_record_stream **stream, dve_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "stdin" : path;
    int fd = STDIN_FILENO;
    *stream = NULL;
    if (!is_stdin) {
        do
            fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (fd < 0 && errno == EINTR);
    }
    if (fd < 0) {
        dve_error_set(err, "%.200s: cannot open: %s", name, strerror(errno));
        return DVE_E_INPUT;
    }
    dve_status st = check_kind(fd, name, err);
    dve_record_stream *s = st == DVE_OK ? create(name) : NULL;
    if (!s) {
        if (!is_stdin)
            (void)close(fd);
        if (st == DVE_OK)
            dve_error_set(err, "%.200s: not enough memory", name);
        return DVE_E_INPUT;
    }
    s->fd = fd;
    s->is_stdin = is_stdin;
    *stream = s;
    return DVE_OK;
}

dve_status dve_record_stream_over(const uint8_t *bytes, size_t size, const char *name, dve_record_stream **stream, dve_error *err)
{
    *stream = create(name);
    if (!*stream) {
        dve_error_set(err, "%.200s: not enough memory", name);
        return DVE_E_INPUT;
    }
    (*stream)->memory = bytes;
    (*stream)->memory_size = size;
    return DVE_OK;
}

/* Fills the buffer to its end or to the end of the input; blocks are full whatever sizes a pipe delivers. */
static size_t fill(dve_record_stream *s)
{
    size_t used = 0;
    if (s->memory) {
        used = s->memory_size < sizeof s->buffer ? s->memory_size : sizeof s->buffer;
        memcpy(s->buffer, s->memory, used);
        s->memory += used;
        s->memory_size -= used;
        s->ended = used < sizeof s->buffer;
        return used;
    }
    while (used < sizeof s->buffer) {
        ssize_t n = read(s->fd, s->buffer + used, sizeof s->buffer - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            s->read_errno = n < 0 ? errno : 0;
            s->ended = true;
            break;
        }
        used += (size_t)n;
    }
    return used;
}

/* What is to be said once all whole records are out. */
static dve_status finish(const dve_record_stream *s, dve_error *err)
{
    uint64_t at = s->records * DVE_RECORD_SIZE;
    if (s->read_errno) {
        dve_error_set(err, "%.200s: cannot read at byte offset %" PRIu64 ": %s", s->name, at + s->partial,
                      strerror(s->read_errno));
        return DVE_E_INPUT;
    }
    if (s->partial == 0)
        return DVE_OK;
    dve_error_set(err,
                  "%.200s: record %" PRIu64 " at byte offset %" PRIu64 " has %zu of 64 bytes: the size, %" PRIu64
                  " bytes, is no multiple of 64",
                  s->name, s->records, at, s->partial, at + s->partial);
    return DVE_E_INPUT;
}

dve_status dve_record_stream_next(dve_record_stream *stream, dve_record_block *block, dve_error *err)
{
    block->bytes = stream->buffer;
    block->count = 0;
    block->first = stream->records;
    if (stream->ended && !stream->held)
        return finish(stream, err);
    size_t used = stream->held ? stream->held : fill(stream);
    stream->held = 0;
    block->count = used / DVE_RECORD_SIZE;
    stream->records += block->count;
    stream->partial = used % DVE_RECORD_SIZE;
    return block->count ? DVE_OK : finish(stream, err);
}

size_t dve_record_stream_peek(dve_record_stream *stream, const uint8_t **bytes)
{
    if (!stream->held && !stream->ended)
        stream->held = fill(stream);
    *bytes = stream->buffer;
    return stream->held;
}

dve_status dve_record_stream_take(dve_record_stream *s, size_t limit, dve_whole *out, dve_error *err)
{
    out->size = s->held;
    out->bytes = malloc(s->held ? s->held : 1);
    if (!out->bytes) {
        out->size = 0;
        dve_error_set(err, "%.200s: not enough memory", s->name);
        return DVE_E_INTERNAL;
    }
    memcpy(out->bytes, s->buffer, s->held);
    s->held = 0;
    if (s->read_errno) {
        dve_error_set(err, "%.200s: cannot read at byte offset %zu: %s", s->name, out->size, strerror(s->read_errno));
        free(out->bytes);
        out->bytes = NULL;
        out->size = 0;
        return DVE_E_INPUT;
    }
    return s->ended ? DVE_OK : dve_whole_append(s->fd, s->name, limit, out, err);
}

void dve_record_stream_close(dve_record_stream *stream)
{
    if (!stream)
        return;
    if (!stream->is_stdin && stream->fd >= 0)
        (void)close(stream->fd);
    free(stream->name);
    free(stream);
}
