/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for tests: splitmix64, the same on every host. A failure prints the seed. */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint64_t random_next(test_random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint32_t random_bits(test_random *r)
{
    return (uint32_t)(random_next(r) >> 32);
}

/* 0..limit-1 */
static inline uint32_t random_below(test_random *r, uint32_t limit)
{
    return (uint32_t)((uint64_t)random_bits(r) * limit >> 32);
}

/* True `percent` times in a hundred. */
static inline int random_chance(test_random *r, uint32_t percent)
{
    return random_below(r, 100) < percent;
}

#define RANDOM_OF(r, array) ((array)[random_below((r), (uint32_t)(sizeof(array) / sizeof((array)[0])))])

#endif
