/* SPDX-License-Identifier: Apache-2.0 */
#include "npy_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_READ = 1 << 30 };

/* Takes up to want bytes; fewer only at the end. */
dve_status dve_source_take(dve_source *s, uint8_t *to, size_t want, size_t *got)
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
dve_status dve_source_need(dve_source *s, uint8_t *to, size_t want, const char *what)
{
    uint64_t at = s->offset;
    size_t got;
    dve_status st = dve_source_take(s, to, want, &got);
    if (st != DVE_OK || got == want)
        return st;
    dve_error_set(s->err,
                  "%.200s: byte offset %" PRIu64
                  ": the file ends inside the %s: expected %zu bytes from byte offset %" PRIu64 ", found %zu",
                  s->name, s->offset, what, want, at, got);
    return DVE_E_INPUT;
}

dve_status dve_source_no_memory(const dve_source *s, uint64_t bytes)
{
    dve_error_set(s->err, "%.200s: not enough memory for %" PRIu64 " bytes", s->name, bytes);
    return DVE_E_INTERNAL;
}

uint8_t *dve_aligned_bytes(size_t bytes)
{
    void *p = NULL;
    return posix_memalign(&p, DVE_NPY_ALIGNMENT, bytes) ? NULL : p;
}
