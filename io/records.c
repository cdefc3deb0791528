/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
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
    dve_record_stream *s = st == DVE_OK ? malloc(sizeof *s) : NULL;
    char *copy = s ? malloc(strlen(name) + 1) : NULL;
    if (!copy) {
        free(s);
        if (!is_stdin)
            (void)close(fd);
        if (st == DVE_OK)
            dve_error_set(err, "%.200s: not enough memory", name);
        return DVE_E_INPUT;
    }
    memcpy(copy, name, strlen(name) + 1);
    s->name = copy;
    s->fd = fd;
    s->is_stdin = is_stdin;
    s->ended = false;
    s->read_errno = 0;
    s->records = 0;
    s->partial = 0;
    *stream = s;
    return DVE_OK;
}

/* Fills the buffer to its end or to the end of the input; blocks are full whatever sizes a pipe delivers. */
static size_t fill(dve_record_stream *s)
{
    size_t used = 0;
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
    if (stream->ended)
        return finish(stream, err);
    size_t used = fill(stream);
    block->count = used / DVE_RECORD_SIZE;
    stream->records += block->count;
    stream->partial = used % DVE_RECORD_SIZE;
    return block->count ? DVE_OK : finish(stream, err);
}

void dve_record_stream_close(dve_record_stream *stream)
{
    if (!stream)
        return;
    if (!stream->is_stdin)
        (void)close(stream->fd);
    free(stream->name);
    free(stream);
}
