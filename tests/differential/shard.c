/* SPDX-License-Identifier: Apache-2.0 */
#include "shard.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    uint64_t value = strtoull(text, &end, 10);
    if (*end || value == 0) {
        fprintf(stderr, "%s: a number from 1, not \"%s\"\n", name, text);
        exit(2);
    }
    return value;
}

void shard_begin(test_shard *shard)
{
    const char *text = getenv("OPENDVE_SHARD");
    int length = 0;
    *shard = (test_shard){.seed = number("OPENDVE_SEED", 1), .rounds = number("OPENDVE_ROUNDS", 1), .parts = 1,
                          .digest = UINT64_C(0xcbf29ce484222325)};
    if (text && *text &&
        (sscanf(text, "%u/%u%n", &shard->part, &shard->parts, &length) != 2 || text[length] ||
         shard->part >= shard->parts)) {
        fprintf(stderr, "OPENDVE_SHARD: i/n with i below n, not \"%s\"\n", text);
        exit(2);
    }
}

test_random shard_random(const test_shard *shard, uint64_t stream)
{
    test_random r = {shard->seed};
    r.state = random_next(&r) ^ stream;
    r.state = random_next(&r) ^ shard->part;
    r.state = random_next(&r);
    return r;
}

int shard_fixed(const test_shard *shard)
{
    return shard->seed == 1 && shard->part == 0;
}

/* FNV-1a. */
void shard_saw(test_shard *shard, const void *result, size_t bytes)
{
    const uint8_t *at = result;
    shard->cases++;
    for (size_t i = 0; i < bytes; i++)
        shard->digest = (shard->digest ^ at[i]) * UINT64_C(0x100000001b3);
}

void shard_report(const test_shard *shard, const char *name)
{
    printf("%s seed=%" PRIu64 " shard=%u/%u cases=%" PRIu64 " digest=%016" PRIx64 "\n", name, shard->seed, shard->part,
           shard->parts, shard->cases, shard->digest);
    fflush(stdout);
}
