/* SPDX-License-Identifier: Apache-2.0 */
#include "digest.h"
#include <stdlib.h>
#include <sys/types.h>

#include <md5.h>
#include <sha2.h>

struct dve_sha256_sum {
    SHA2_CTX context;
};

void dve_md5(const void *bytes, size_t size, uint8_t out[DVE_MD5_BYTES])
{
    MD5_CTX context;
    MD5Init(&context);
    if (size)
        MD5Update(&context, bytes, size);
    MD5Final(out, &context);
}

void dve_sha256(const void *bytes, size_t size, uint8_t out[DVE_SHA256_BYTES])
{
    SHA2_CTX context;
    SHA256Init(&context);
    if (size)
        SHA256Update(&context, bytes, size);
    SHA256Final(out, &context);
}

dve_sha256_sum *dve_sha256_begin(void)
{
    dve_sha256_sum *sum = malloc(sizeof *sum);
    if (sum)
        SHA256Init(&sum->context);
    return sum;
}

void dve_sha256_add(dve_sha256_sum *sum, const void *bytes, size_t size)
{
    if (size)
        SHA256Update(&sum->context, bytes, size);
}

void dve_sha256_end(dve_sha256_sum *sum, uint8_t out[DVE_SHA256_BYTES])
{
    SHA256Final(out, &sum->context);
    free(sum);
}

char *dve_digest_hex(const uint8_t *digest, size_t size, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[2 * size] = '\0';
    return out;
}
