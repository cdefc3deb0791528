/* SPDX-License-Identifier: Apache-2.0 */
/* What the makers of random records share. */
#ifndef TEST_PROGRAM_PARTS_H
#define TEST_PROGRAM_PARTS_H

#include "program.h"

/* An operand to be written at byte `at`. */
typedef struct program_shape {
    unsigned at, dims;
    uint32_t size, count;        /* of its elements */
    uint32_t partition;
    int write, pool;             /* pool: of the pool engine, which mostly stays in SBUF */
} program_shape;

/* A random walk from a random place; *place receives it. */
void program_operand(program *p, dve_record *record, const program_shape *shape, dve_place *place, int *reg);
/* A word as it stands in the record: itself, or the number of a register that holds it. */
uint32_t program_word_or_register(program *p, uint32_t word, int *reg);
uint8_t program_dtype(program *p, int output);
uint32_t program_channels(const program *p, uint32_t elements);
uint32_t program_start(test_random *r, uint32_t channels, uint32_t starts);

/* A record of any executed instruction but the searches; `out` is zero but for the length. */
void program_other_record(program *p, dve_record *out, int *reg);

#endif
