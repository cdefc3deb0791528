/* SPDX-License-Identifier: Apache-2.0 */
/* How long and from which seed a differential test runs, and the digest of what it saw.
 *
 * OPENDVE_SEED    number that all randomness starts from (default 1)
 * OPENDVE_ROUNDS  times the usual amount of random work (default 1)
 * OPENDVE_SHARD   i/n: the i-th of n disjoint parts, i from 0 (default 0/1)
 * tests/soak.sh sets them. Fixed patterns are tried once: from seed 1, in shard 0. */
#ifndef TEST_SHARD_H
#define TEST_SHARD_H

#include "random.h"
#include <stddef.h>

typedef struct test_shard {
    uint64_t seed, rounds;
    unsigned part, parts;
    uint64_t cases, digest;      /* of all shard_saw calls */
} test_shard;

/* Reads the environment; ends the program with a message where it makes no sense. */
void shard_begin(test_shard *shard);
/* Random numbers that depend on seed, part and `stream` only. */
test_random shard_random(const test_shard *shard, uint64_t stream);
/* Whether fixed patterns are this run's to try. */
int shard_fixed(const test_shard *shard);
/* One case with its result, of which `bytes` bytes enter the digest. */
void shard_saw(test_shard *shard, const void *result, size_t bytes);
/* Prints a line "NAME seed=S shard=I/N cases=C digest=D" that soak.sh reads. */
void shard_report(const test_shard *shard, const char *name);

#endif
