/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An independent oracle for records of the vector engine: search, accumulators, data movement, and the four pool-engine
 * records that go with them.
 *
 * It shares no code and no algorithm with the library under test, and it is slow on purpose: exact doubles, sorted
 * tables, full sorts, and addresses by division and remainder.  Not thread-safe (its tables are built on first use).
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct oracle_settings { /* all 0 = the defaults of the rulings; a null pointer means the same */
    int fp8_saturate;            /* fp8 overflow: 0 infinity, 1 saturate */
    int e4m3_fn;                 /* 0 IEEE-like (max 240), 1 OCP E4M3FN (max 448) */
    int fp32r_bits;              /* 0 means 11; else 10, 11, 13 mantissa bits kept */
    int hidden_by_partition;     /* hidden state by 0 channel number, 1 physical partition */
} oracle_settings;

/* Conversions on bit patterns.  dtype is a wire code; 64-bit and unknown codes give 0. */
uint32_t oracle_to_fp32(unsigned dtype, uint32_t bits, const oracle_settings *s);
uint32_t oracle_from_fp32(unsigned dtype, uint32_t fp32_bits, const oracle_settings *s);
/* The same dtype keeps bits, 32-bit integers included; the engine's detour through fp32 is oracle_step's business. */
uint32_t oracle_convert(unsigned from, unsigned to, uint32_t bits, const oracle_settings *s);

/* Arithmetic on fp32 bit patterns for the 21 general operators; any other op gives 0. */
uint32_t oracle_alu_fp32(unsigned op, uint32_t a, uint32_t b);

typedef struct oracle_machine oracle_machine;

oracle_machine *oracle_new(int gen, const oracle_settings *s); /* gen 2..5, else null */
void oracle_free(oracle_machine *m);
uint32_t oracle_active_bytes(int gen, int psum);
uint8_t *oracle_bytes(oracle_machine *m, int psum, unsigned partition); /* active bytes of one partition */
uint32_t *oracle_keys(oracle_machine *m, unsigned lane);                /* mv[8]; power-on NaN: matches nothing */
uint8_t *oracle_matched(oracle_machine *m, unsigned lane);              /* bit n = key n consumed; power-on 0 */
uint32_t *oracle_flops(oracle_machine *m, unsigned lane);               /* index flops[8]; power-on all ones */
uint32_t *oracle_accumulator(oracle_machine *m, unsigned lane);         /* fp32 bits; power-on +0 */
uint8_t *oracle_mask(oracle_machine *m);                                /* 32 bytes, engine-wide; power-on 0..31 */

/* The pool buffer: 2048 raw bytes a lane, element i at i times the element size; dtype 0 = nothing loaded. */
typedef struct oracle_pool_range {
    uint32_t start_index, mask;
    unsigned dtype;
} oracle_pool_range;

oracle_pool_range *oracle_pool(oracle_machine *m);
uint8_t *oracle_pool_bytes(oracle_machine *m, unsigned lane);
void oracle_set_register(oracle_machine *m, unsigned reg, uint32_t value);

typedef enum { ORACLE_DONE = 0, ORACLE_ILLEGAL = 1, ORACLE_REFUSED = 2 } oracle_result;

/* 1 legal, 0 illegal, -1 for an opcode that is not judged here or an unknown generation. */
int oracle_is_legal(int gen, const uint8_t record[64]);

/*
 * Executes 0x46 0x47 0x49 0x67..0x6f 0x72 0x98 0x99 0x9a 0x9b 0xbc 0xe5..0xea 0xf2; refuses the rest, shapes from
 * registers, indirect operands other than IndirectCopy's, and operands of more than 4194304 elements.  Writes nothing
 * unless the result is ORACLE_DONE.
 */
oracle_result oracle_step(oracle_machine *m, const uint8_t record[64]);

/* Top k of one row: value descending, position ascending, +0 equals -0.  Entries past n are -inf and all ones. */
void oracle_topk(const uint32_t *row_fp32, size_t n, size_t k, uint32_t *values, uint32_t *positions);

#endif
