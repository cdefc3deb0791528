/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the machine. Regions follow the struct in one block of memory; offsets are from its start. */
#ifndef DVE_MACHINE_INTERNAL_H
#define DVE_MACHINE_INTERNAL_H

#include "../ops/ops.h"
#include <opendve/machine.h>

enum { DVE_SPACES = 2, DVE_MAX_OPERANDS = 4 };

struct dve_machine {
    dve_machine_config config;
    dve_num_config num;
    const dve_generation_info *generation;      /* the one whose map execution uses */
    uint64_t next_record, executed;
    dve_assumption_set assumptions;
    dve_lane_state lane[DVE_LANES];
    dve_producer producer[DVE_STATE_PARTS];
    uint32_t semaphore[DVE_SEMAPHORES];
    uint32_t reg[DVE_ADDR_REGISTERS];
    uint8_t event[DVE_SEMAPHORES / 8];
    uint32_t active[DVE_SPACES];                /* bytes of a partition */
    size_t bytes_at[DVE_SPACES], written_at[DVE_SPACES];
    size_t scratch_at[2];                       /* two maps of one partition's bytes */
};

/* The bytes that a walk touches inside a partition: an interval if dense, else the bits set in `map`
 * between lowest and highest. */
typedef struct dve_footprint {
    uint32_t lowest, highest;
    uint8_t *map;                /* NULL: every byte of the interval */
    int twice;                   /* some byte is visited twice */
    uint32_t twice_byte;         /* the lowest such */
} dve_footprint;

/* An operand of a record with its address resolved. */
typedef struct dve_resolved {
    const dve_operand_info *operand;
    dve_pattern pattern;
    dve_place place;
    dve_walk walk;               /* in normal form; bytes points into the first partition */
    size_t lane_stride;          /* bytes from one partition to the next */
    dve_footprint footprint;
} dve_resolved;

/* A record on its way through the machine. */
typedef struct dve_job {
    dve_machine *machine;
    const dve_insn *insn;
    const dve_op *op;
    uint64_t record;
    uint32_t channels;
    dve_resolved operand[DVE_MAX_OPERANDS];
    unsigned operands;
    dve_resolved *src, *dst;     /* into operand[]; NULL where the format has none */
    uint64_t elements;           /* of the largest operand */
    uint32_t state_base;         /* lane l's hidden state is lane[state_base + l] */
    uint32_t quadrant;
    int stepwise;
} dve_job;

/* memory.c */
uint8_t *dve_machine_at(dve_machine *m, size_t offset);
/* Clear bits of map[from..to] (bit numbers, inclusive), *first the lowest. */
uint64_t dve_bits_clear(const uint8_t *map, uint32_t from, uint32_t to, uint32_t *first);
void dve_bits_set(uint8_t *map, uint32_t from, uint32_t to);

/* walk.c */
/* Drops unit dimensions and joins dimensions that continue each other: one form for one sequence. */
void dve_walk_normalise(const dve_pattern *pattern, uint32_t size, dve_walk *out);
int dve_walk_same(const dve_resolved *a, const dve_resolved *b);
/* `map` is scratch for one partition, used if the walk is not dense. */
void dve_footprint_of(const dve_resolved *operand, uint8_t *map, dve_footprint *out);
/* Lowest byte that two footprints of one partition share; 0 if none. */
int dve_footprint_shared(const dve_footprint *a, const dve_footprint *b, uint32_t *byte);

/* hazards.c: reports what the record is about to do wrong. */
void dve_job_hazards(dve_job *job);

/* events.c */
/* Whether the record may start; else *stop says what it waits for. */
dve_status dve_wait(dve_machine *m, const dve_insn *insn, dve_stop *stop);
/* Performs the wait's side effect and the update. */
void dve_complete(dve_machine *m, const dve_insn *insn);

#endif
