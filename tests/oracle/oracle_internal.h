/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the oracle's own files; tests include oracle.h only. */
#ifndef ORACLE_INTERNAL_H
#define ORACLE_INTERNAL_H

#include "oracle.h"

/* Wire dtype codes. */
enum {
    ORACLE_I8 = 0x2, ORACLE_U8 = 0x3, ORACLE_I16 = 0x4, ORACLE_U16 = 0x5, ORACLE_BF16 = 0x6, ORACLE_FP16 = 0x7,
    ORACLE_I32 = 0x8, ORACLE_U32 = 0x9, ORACLE_FP32 = 0xa, ORACLE_FP32R = 0xb, ORACLE_E3M4 = 0xd, ORACLE_E4M3 = 0xe,
    ORACLE_E5M2 = 0xf
};

#define ORACLE_QNAN 0x7fc00000u
#define ORACLE_INF 0x7f800000u
#define ORACLE_SIGN 0x80000000u
#define ORACLE_ALL_ONES 0xffffffffu

/* oracle_number.c: fp32 patterns as exact doubles and back. */
double oracle_pow2(int exponent);                 /* |exponent| <= 200 */
int oracle_is_nan(uint32_t fp32_bits);
double oracle_value(uint32_t fp32_bits);          /* infinities stay infinities; NaN must be excluded before */
double oracle_magnitude(uint32_t magnitude_bits); /* 0x7f800000 is 2^128 here, the step after the largest finite */
uint32_t oracle_encode(double value);             /* nearest fp32, ties to even, any NaN -> 0x7fc00000 */

/* Where an operand may start. */
enum {
    ORACLE_START_QUADRANT, /* the more channels, the fewer of the partitions 0, 32, 64, 96 */
    ORACLE_START_SIXTEEN,  /* multiples of 16, all channels inside */
    ORACLE_START_THIRTYTWO /* multiples of 32, all channels inside */
};

/* Whether an operand may be, or must be, an index vector with a data address. */
enum { ORACLE_INDIRECT_NEVER, ORACLE_INDIRECT_GEN4, ORACLE_INDIRECT_MUST };

/* oracle_walk.c: little-endian access, operands, addresses. */
typedef struct oracle_operand {
    uint32_t word; /* the address word */
    unsigned dims;
    unsigned dtype;
    int write;
    int64_t step[4];
    uint64_t num[4];
    uint32_t data_word; /* of the indirect form, like the number of indices; 3-D and 4-D operands only */
    unsigned indices;
    unsigned starts, indirect; /* the enumerations above; 0 unless the caller says otherwise */
    int sbuf_only;
} oracle_operand;

typedef struct oracle_place { /* where an immediate address points */
    int psum;
    unsigned partition;
    uint32_t offset;
} oracle_place;

uint32_t oracle_load(const uint8_t *p, unsigned size); /* 1, 2 or 4 bytes, little-endian */
void oracle_store(uint8_t *p, unsigned size, uint32_t value);
unsigned oracle_size(unsigned dtype); /* 0 for a code that no operand may have */

oracle_operand oracle_operand_at(const uint8_t *record, unsigned at, unsigned dims, unsigned dtype, int write);
uint64_t oracle_count(const oracle_operand *op);
int oracle_shape_from_register(const oracle_operand *op);
int oracle_address_from_register(const oracle_operand *op);
int oracle_is_indirect(const oracle_operand *op);
int oracle_count_unknown(const oracle_operand *op); /* from a register, or indirect: no rule about counts applies */
int oracle_locate(int gen, uint32_t word, const oracle_operand *op, unsigned channels, oracle_place *place);
int oracle_walk_inside(int gen, const oracle_operand *op, const oracle_place *place);
int oracle_operand_legal(int gen, const oracle_operand *op, unsigned channels);
uint32_t oracle_element_offset(const oracle_operand *op, const oracle_place *place, uint64_t element);
int oracle_pair_legal(const oracle_operand *a, const oracle_operand *b); /* two sources of one record */

/* An immediate: source selector and word, as the record has them.  As an operand it is one element, no pattern. */
typedef struct oracle_scalar {
    unsigned source; /* 0 inline, 1 pointer, 2 register that holds a pointer */
    oracle_operand op;
} oracle_scalar;

oracle_scalar oracle_scalar_at(const uint8_t *record, unsigned source_at, unsigned word_at, unsigned dtype,
                               unsigned starts);
int oracle_scalar_legal(int gen, const oracle_scalar *scalar, unsigned channels);

/* oracle_sort.c */
typedef struct oracle_item {
    double value;
    uint32_t bits;
    uint32_t position;
} oracle_item;

void oracle_sort(oracle_item *items, size_t count); /* value descending, position ascending */

#endif
