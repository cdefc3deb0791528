/* SPDX-License-Identifier: Apache-2.0 */
/* MD5 and SHA-256 of bytes in memory, by libmd. Part of the program, not of libopendve, which needs libc only. */
#ifndef DVE_IO_DIGEST_H
#define DVE_IO_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { DVE_MD5_BYTES = 16, DVE_SHA256_BYTES = 32 };

void dve_md5(const void *bytes, size_t size, uint8_t out[DVE_MD5_BYTES]);
void dve_sha256(const void *bytes, size_t size, uint8_t out[DVE_SHA256_BYTES]);

/* SHA-256 of pieces, one after the other: begin, add each, end. */
typedef struct dve_sha256_sum dve_sha256_sum;
dve_sha256_sum *dve_sha256_begin(void);          /* NULL if memory ran out; end releases it */
void dve_sha256_add(dve_sha256_sum *sum, const void *bytes, size_t size);
void dve_sha256_end(dve_sha256_sum *sum, uint8_t out[DVE_SHA256_BYTES]);

/* Lower-case hex digits of `size` bytes and a zero: `out` has 2 * size + 1. Returns out. */
char *dve_digest_hex(const uint8_t *digest, size_t size, char *out);

#endif
