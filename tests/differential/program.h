/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs of records, and random memory for them to work on. */
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

#include "random.h"
#include <opendve/codec.h>

typedef struct program {
    test_random *random;
    uint8_t gen;
    uint8_t mixed;               /* all instructions, not the searches alone */
    uint8_t wide;                /* many lanes in most records of few elements */
    uint8_t dtype;               /* that most records use for a while */
    uint8_t gathered;            /* data type of the pool buffer, 0 none */
    uint32_t pool[16];           /* fp32 values that data and keys share for a while */
    uint32_t registers[DVE_ADDR_REGISTERS];
} program;

void program_begin(program *p, test_random *random, uint8_t gen);
/* A new working data type and value pool. */
void program_turn(program *p);

/* The next record. It is legal nine times in ten. It may name an address register: then *reg is its number
 * and `registers` holds its new value, else *reg is -1. */
void program_record(program *p, dve_record *out, int *reg);

/* A random element of the working data: often one of the pool, often a special value. */
uint32_t program_element(program *p, uint8_t dtype);

/* Place of an operand, its register resolved; 0 if it has none. */
int program_place(const program *p, const dve_insn *insn, const dve_operand_info *operand, dve_place *out);

#endif
