/* SPDX-License-Identifier: Apache-2.0 */
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

static dve_status give_up(dve_whole *out, dve_status status)
{
    free(out->bytes);
    out->bytes = NULL;
    out->size = 0;
    return status;
}

static dve_status too_long(const char *name, size_t limit, dve_error *error)
{
    dve_error_set(error, "%.200s: it has more than %zu bytes, the most that is read", name, limit);
    return DVE_E_INPUT;
}

/* What to take at first: the size that a regular file states, and a byte to see its end. */
static size_t guess(int fd, size_t have, size_t limit)
{
    struct stat info;
    size_t room = have + CHUNK;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 && (uintmax_t)info.st_size < SIZE_MAX - room)
        room += (size_t)info.st_size;
    return room > limit ? limit + 1 : room;
}

dve_status dve_whole_append(int fd, const char *name, size_t limit, dve_whole *out, dve_error *error)
{
    size_t room = out->size;
    limit = limit < SIZE_MAX / 2 ? limit : SIZE_MAX / 2;
    for (size_t wanted = guess(fd, out->size, limit);; wanted = room < limit / 2 ? 2 * room : limit + 1) {
        uint8_t *more = realloc(out->bytes, wanted);
        if (!more) {
            dve_error_set(error, "%.200s: not enough memory", name);
            return give_up(out, DVE_E_INTERNAL);
        }
        out->bytes = more;
        room = wanted;
        while (out->size < room) {
            ssize_t n = read(fd, out->bytes + out->size, room - out->size);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0) {
                dve_error_set(error, "%.200s: cannot read at byte offset %zu: %s", name, out->size, strerror(errno));
                return give_up(out, DVE_E_INPUT);
            }
            if (n == 0)
                return DVE_OK;
            out->size += (size_t)n;
        }
        if (out->size > limit)
            return give_up(out, too_long(name, limit, error));
    }
}

/* -1 with a message; `flags` besides those that every file is opened with. */
static int open_file(const char *path, const char *name, int flags, dve_error *error)
{
    int fd;
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        dve_error_set(error, "%.200s: cannot open: %s", name, strerror(errno));
    return fd;
}

int dve_whole_open(const char *path, const char *name, dve_error *error)
{
    struct stat info;
    int fd = open_file(path, name, O_NONBLOCK, error);
    if (fd < 0 || (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)))
        return fd;
    dve_error_set(error, "%.200s: cannot read: it is no regular file", name);
    (void)close(fd);
    return -1;
}

dve_status dve_whole_read(const char *path, size_t limit, dve_whole *out, dve_error *error)
{
    int is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "stdin" : path;
    out->bytes = NULL;
    out->size = 0;
    int fd = is_stdin ? STDIN_FILENO : open_file(path, name, 0, error);
    if (fd < 0)
        return DVE_E_INPUT;
    struct stat info;
    dve_status status = DVE_E_INPUT;
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode))
        dve_error_set(error, "%.200s: cannot read: it is a directory", name);
    else
        status = dve_whole_append(fd, name, limit, out, error);
    if (!is_stdin)
        (void)close(fd);
    return status;
}
