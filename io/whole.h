/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file in memory. */
#ifndef DVE_IO_WHOLE_H
#define DVE_IO_WHOLE_H

#include <stddef.h>
#include <stdint.h>

#include <opendve/status.h>

/* Bytes of a file; `bytes` is never NULL after success, has room for one byte more, and is freed with free(). */
typedef struct dve_whole {
    uint8_t *bytes;
    size_t size;
} dve_whole;

/* Reads a file, a pipe, or stdin ("-"). DVE_E_INPUT when it cannot be read or has more than `limit` bytes, DVE_E_INTERNAL
 * when memory ran out; *out is then empty. */
dve_status dve_whole_read(const char *path, size_t limit, dve_whole *out, dve_error *error);
/* The same from an open descriptor, which stays open: what is left of it, behind `size` bytes that *out already holds. On
 * failure they are freed. `name` is for messages. */
dve_status dve_whole_append(int fd, const char *name, size_t limit, dve_whole *out, dve_error *error);
/* A regular file to read; -1 and a message for anything else: a FIFO is refused and not waited for. */
int dve_whole_open(const char *path, const char *name, dve_error *error);

#endif
