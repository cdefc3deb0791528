/* SPDX-License-Identifier: Apache-2.0 */
/* Builders of records, shared by the two halves of the self-test that need them; each has its own record. */
#ifndef ORACLE_SELFTEST_H
#define ORACLE_SELFTEST_H

#include "oracle.h"

#include <string.h>

void oracle_selftest_records(void);
void oracle_selftest_legal(void);
void oracle_selftest_check(int condition, const char *file, int line, const char *text);

#define CHECK(condition) oracle_selftest_check((condition), __FILE__, __LINE__, #condition)

static uint8_t rec[64]; /* the record under construction */

static inline void put(uint8_t *p, unsigned size, uint32_t value)
{
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static inline uint32_t get(const uint8_t *p, unsigned size)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)p[i] << (8 * i);
    return value;
}

static inline uint32_t fp32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void begin(uint8_t opcode, uint8_t in, uint8_t out, uint8_t channels)
{
    memset(rec, 0, sizeof rec);
    rec[0] = opcode;
    rec[1] = 16;
    rec[32] = in;
    rec[33] = out;
    rec[34] = channels;
}

/* One-dimensional pattern; the other dimensions hold step 1, num 1. */
static inline void pattern(unsigned at, unsigned dims, uint32_t word, int step, unsigned num)
{
    put(rec + at, 4, word);
    for (unsigned d = 0; d < dims; d++) {
        put(rec + at + 4 + 2 * d, 2, d ? 1u : (uint32_t)step & 0xffffu);
        put(rec + at + 4 + 2 * dims + 2 * d, 2, d ? 1u : num);
    }
}

static inline void load_keys(uint32_t word, int step)
{
    begin(0x6d, 0xa, 0, 1);
    pattern(16, 2, word, step, 8);
}

static inline void search(uint8_t opcode, unsigned num)
{
    begin(opcode, 0xa, opcode == 0x6e ? 0x9 : 0xa, 1);
    pattern(12, 4, 0, 1, num);
    pattern(48, 2, 0x2000, 1, 8);
}

static inline void replace(uint32_t dst, unsigned num)
{
    begin(0x6f, 0xa, 0xa, 1);
    pattern(12, 4, 0, 1, num);
    pattern(44, 4, dst, 1, num);
    put(rec + 40, 4, fp32(-7.0f));
}

static inline void read_indices(uint32_t word, int step)
{
    begin(0xe9, 0x9, 0, 1);
    put(rec + 28, 4, 8);
    pattern(44, 4, word, step, 8);
}

#endif
