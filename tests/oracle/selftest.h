/* SPDX-License-Identifier: Apache-2.0 */
/* Builders of records, shared by the two halves of the self-test that need them; each has its own record. */
#ifndef ORACLE_SELFTEST_H
#define ORACLE_SELFTEST_H

#include "oracle.h"

#include <string.h>

void oracle_selftest_records(void);
void oracle_selftest_legal(void);
void oracle_selftest_accumulate(void);
void oracle_selftest_move(void);
void oracle_selftest_pool(void);
void oracle_selftest_legal_accumulate(void);
void oracle_selftest_legal_move(void);
void oracle_selftest_legal_pool(void);
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

/* The record with one field changed: legal or not. */
static inline int changed_field(int gen, unsigned at, unsigned size, uint32_t value)
{
    uint8_t copy[64];

    memcpy(copy, rec, sizeof copy);
    put(copy + at, size, value);
    return oracle_is_legal(gen, copy);
}

static inline int changed(int gen, unsigned at, uint8_t value)
{
    return changed_field(gen, at, 1, value);
}

/* How many of the bytes the field may hold. */
static inline unsigned allowed(int gen, unsigned at)
{
    unsigned legal = 0;

    for (unsigned value = 0; value < 256; value++)
        legal += changed(gen, at, (uint8_t)value) == 1;
    return legal;
}

static inline int step(oracle_machine *m)
{
    return (int)oracle_step(m, rec);
}

static inline void blank(uint8_t opcode)
{
    memset(rec, 0, sizeof rec);
    rec[0] = opcode;
    rec[1] = 16;
}

/* Consecutive fp32 values. */
static inline void fill(uint8_t *p, const float *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put(p + 4 * i, 4, fp32(values[i]));
}

/* How many of the values stand there. */
static inline unsigned equal(const uint8_t *p, const float *values, unsigned count)
{
    unsigned same = 0;

    for (unsigned i = 0; i < count; i++)
        same += get(p + 4 * i, 4) == fp32(values[i]);
    return same;
}

/* 0x9a and 0xe6: fp32 in and out, inline scalar, one lane. */
static inline void cache(uint8_t opcode, uint8_t cmd, uint8_t op0, float imm0, uint8_t op1, unsigned num)
{
    begin(opcode, 0xa, 0xa, 1);
    rec[12] = cmd;
    rec[36] = op0;
    rec[37] = op1;
    put(rec + 40, 4, fp32(imm0));
    pattern(16, 3, 0, 1, num);
    pattern(48, 3, 0x4000, 1, num);
}

/* 0xe5 and 0xea: fp32 out, inline fp32 scalar, one lane. */
static inline void two_sources(uint8_t opcode, uint8_t op0, uint8_t op1, uint8_t dtypes, float imm0, unsigned num)
{
    blank(opcode);
    pattern(12, 2, 0, 1, num);
    pattern(24, 2, 0x1000, 1, num);
    pattern(48, 2, 0x4000, 1, num);
    rec[36] = op0;
    rec[37] = op1;
    rec[40] = dtypes;
    rec[41] = 0xa;
    rec[42] = 1;
    rec[43] = 0xa;
    put(rec + 60, 4, fp32(imm0));
}

/* low <= position < high, fp32 in and out, one lane. */
static inline void range(uint8_t cmd, float base, float low, float high, unsigned num)
{
    blank(0xbc);
    rec[12] = 1;
    rec[13] = 0xaa;
    rec[14] = cmd;
    rec[15] = 8;
    put(rec + 16, 4, fp32(base));
    put(rec + 20, 4, 0xff7fffff);
    pattern(24, 2, 0, 1, num);
    rec[36] = 0x14;
    rec[37] = 0x16;
    put(rec + 40, 4, fp32(low));
    put(rec + 44, 4, fp32(high));
    pattern(48, 2, 0x4000, 1, num);
}

static inline void drain(uint32_t word, uint8_t dtype, uint8_t negated)
{
    begin(0x9b, dtype, negated, 1);
    put(rec + 28, 4, 1);
    pattern(44, 1, word, 1, 1);
}

/* S4D4_TR: copies, shuffle, transpose. */
static inline void move(uint8_t opcode, uint8_t in, uint8_t out, uint8_t channels, uint32_t dst, unsigned num)
{
    begin(opcode, in, out, channels);
    pattern(12, 4, 0, 1, num);
    pattern(44, 4, dst, 1, num);
}

/* Predicate of dtype u8 at 0, data at 0x1000, destination at 0x4000. */
static inline void predicated(uint8_t opcode, uint8_t data, uint8_t out, unsigned num)
{
    blank(opcode);
    rec[12] = (uint8_t)(data << 4 | 3);
    rec[13] = out;
    rec[15] = 1;
    pattern(16, 3, 0, 1, num);
    pattern(32, 3, 0x1000, 1, num);
    pattern(48, 3, 0x4000, 1, num);
}

static inline void pred_scalar(uint8_t dtype, uint8_t reversed, uint32_t scalar, unsigned num)
{
    blank(0xe8);
    rec[32] = 3;
    rec[33] = reversed;
    rec[34] = 1;
    rec[41] = rec[42] = dtype;
    put(rec + 44, 4, scalar);
    pattern(16, 3, 0, 1, num);
    pattern(48, 3, 0x4000, 1, num);
}

static inline void ts_select(uint8_t dtype, uint8_t pred_dtype, uint8_t reversed, uint32_t scalar, unsigned num)
{
    blank(0x98);
    rec[32] = reversed;
    rec[33] = 1;
    rec[34] = dtype;
    rec[35] = pred_dtype;
    put(rec + 40, 4, scalar);
    pattern(16, 3, 0x1000, 1, num);
    pattern(48, 3, 0x4000, 1, num);
}

static inline void nonzero(uint8_t in, uint8_t channels, uint32_t offset, uint32_t padding, unsigned num)
{
    blank(0xf2);
    rec[12] = channels;
    rec[13] = in;
    rec[14] = 8;
    put(rec + 32, 4, offset);
    put(rec + 40, 4, padding);
    pattern(16, 3, 0, 1, num);
    pattern(44, 3, 0x4000, 1, num + 1);
}

static inline void pool_load(uint8_t dtype, uint8_t channels, uint32_t start_index, unsigned num)
{
    begin(0x67, dtype, 0, channels);
    pattern(12, 4, 0, 1, num);
    put(rec + 40, 4, start_index);
    put(rec + 44, 4, 0x1ff);
}

/* Indices of dtype u32 at 0x1000, destination at 0x4000. */
static inline void gather(uint8_t out, uint8_t channels, uint8_t miss, uint32_t immediate, unsigned num)
{
    begin(0x68, 9, out, channels);
    rec[36] = miss;
    put(rec + 40, 4, immediate);
    pattern(12, 4, 0x1000, 1, num);
    pattern(44, 4, 0x4000, 1, num);
}

/* Data of 64 elements at 0, indices at 0x1000. */
static inline void indirect_copy(uint8_t dtype, uint8_t run, unsigned num)
{
    begin(0xe7, dtype, dtype, 16);
    put(rec + 12, 4, 0x20001000);
    put(rec + 16, 4, 0);
    put(rec + 20, 2, num);
    rec[35] = run;
    put(rec + 38, 2, 64);
    pattern(44, 4, 0x4000, 1, num);
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
