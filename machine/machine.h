/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the machine. Regions follow the struct in one block of memory; offsets are from its start. */
#ifndef DVE_MACHINE_INTERNAL_H
#define DVE_MACHINE_INTERNAL_H

#include "../kernels/kernels.h"
#include "../ops/ops.h"
#include <opendve/machine.h>

enum { DVE_SPACES = 2, DVE_MAX_SOURCES = 2, DVE_SNAPSHOT_LANES = 32, DVE_BLOCKS = 8 };

/* Bytes from..to-1 of a partition. */
typedef struct dve_interval {
    uint32_t from, to;
} dve_interval;

/* The same bytes of several partitions, `end` not among them. */
typedef struct dve_block {
    dve_space space;
    uint32_t first, end;
    dve_interval bytes;
} dve_block;

/* What the last Max8 found out about its source, and what became of that: see search.c. */
typedef struct dve_memo {
    dve_place place;
    uint32_t bytes, channels;    /* a lane; lanes */
    uint8_t dtype;
    uint8_t top_known;           /* `top` holds its largest elements */
    uint8_t maxima_known;        /* and the maxima of its groups are at maxima_at */
    dve_top8 top[DVE_LANES];
} dve_memo;

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
    const dve_op *op[256];                      /* what executes each opcode; NULL if nothing does */
    uint8_t mask[DVE_SHUFFLE_LANES];
    dve_pool_range pool_range;
    uint32_t active[DVE_SPACES];                /* bytes of a partition */
    size_t stride[DVE_SPACES];                  /* from one partition to the next */
    const dve_kernels *kernels;                 /* NULL: scalar */
    dve_interval known[DVE_SPACES][DVE_LANES];  /* written: a part of what the maps say */
    dve_block block[DVE_BLOCKS];                /* and so are these, of records' operands */
    uint32_t next_block;
    uint32_t immediate[2][DVE_LANES];           /* behind pointers, of the record that is executed */
    dve_memo memo;
    size_t bytes_at[DVE_SPACES], written_at[DVE_SPACES];
    size_t scratch_at[DVE_MAX_SOURCES + 1];     /* maps of one partition's bytes, one an operand */
    size_t pool_at;                             /* DVE_POOL_BYTES a lane */
    size_t maxima_at;                           /* DVE_ROW_MAXIMA words a lane, in the place of snapshots */
    size_t snapshot_at;                         /* bytes of DVE_SNAPSHOT_LANES partitions, see execute.c */
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
    const char *name;
    dve_pattern pattern;
    dve_place place;
    dve_walk walk;               /* in normal form; bytes points into the first partition */
    size_t lane_stride;          /* bytes from one partition to the next */
    dve_footprint footprint;
} dve_resolved;

/* An immediate: one value for all lanes, or one a lane where `bytes` is not NULL. */
typedef struct dve_immediate {
    const char *name;            /* NULL: the instruction has none */
    uint32_t bits, size;
    dve_place place;
    const uint8_t *bytes;
    size_t lane_stride;
} dve_immediate;

/* A record on its way through the machine. */
typedef struct dve_job {
    dve_machine *machine;
    const dve_insn *insn;
    const dve_op *op;
    uint64_t record;
    uint32_t channels, lane_step;    /* lanes 0, lane_step, ... below channels work */
    dve_resolved source[DVE_MAX_SOURCES], destination;
    unsigned sources;
    dve_resolved *dst;           /* NULL where the format has none */
    dve_immediate imm[2];
    uint8_t reads, writes;       /* DVE_STATE_ bits of this record */
    uint8_t moves;
    dve_assumption_set assumptions;  /* beside those of its opcode and data types */
    uint64_t elements;           /* of the largest operand */
    uint32_t state_base;         /* lane l's hidden state is lane[state_base + l] */
    uint32_t quadrant;
    int stepwise;
    int replaces_soon;           /* a MatchReplace8 follows: what a Max8 learns is worth keeping */
    int memo_kept;               /* what this record wrote is in the memo */
    int shares, in_place;        /* source 0 and dst share bytes; ... and are one walk without a byte twice */
    uint32_t skipped[DVE_LANES / 16];   /* of each tile, see dve_tile */
} dve_job;

/* A checked program: its records, decoded, and behind them their opcodes side by side, so that nothing waits for a
 * record of 260 bytes to say what it is. */
struct dve_program {
    size_t count;
    uint8_t gen;
    dve_insn insn[];
};

static inline const uint8_t *dve_program_opcodes(const dve_program *program)
{
    return (const uint8_t *)&program->insn[program->count];
}

/* memory.c */
uint8_t *dve_machine_at(dve_machine *m, size_t offset);
/* Clear bits of map[from..to] (bit numbers, inclusive), *first the lowest. */
uint64_t dve_bits_clear(const uint8_t *map, uint32_t from, uint32_t to, uint32_t *first);
void dve_bits_set(uint8_t *map, uint32_t from, uint32_t to);
/* The same of the bits that `wanted` has set, and setting those, in bytes first..last. */
uint64_t dve_bits_missing(const uint8_t *map, const uint8_t *wanted, uint32_t first_byte, uint32_t last_byte,
                          uint32_t *first);
void dve_bits_join(uint8_t *map, const uint8_t *wanted, uint32_t first_byte, uint32_t last_byte);

/* dve_machine_bytes and dve_machine_written for the inside: they keep what is remembered. */
uint8_t *dve_space_bytes(dve_machine *m, dve_space space, uint32_t partition, uint32_t *active);
uint8_t *dve_written_map(dve_machine *m, dve_space space, uint32_t partition);

/* known.c */
/* Whether bytes from..to, inclusive, are known to be written: most records meet nothing else. */
static inline int dve_known_written(const dve_machine *m, dve_space space, uint32_t partition, uint32_t from, uint32_t to)
{
    const dve_interval *known = &m->known[space][partition];
    return known->from <= from && to < known->to;
}
/* The same of partitions first..end-1, without a look at each; and that it is so from now on. Who asks for the map
 * to clear bits makes the machine forget. */
int dve_known_block(const dve_machine *m, dve_space space, uint32_t first, uint32_t end, uint32_t from, uint32_t to);
void dve_learn_block(dve_machine *m, dve_space space, uint32_t first, uint32_t end, uint32_t from, uint32_t to);
void dve_known_forget(dve_machine *m, dve_space space, uint32_t partition);
/* Bytes from..to, inclusive. */
void dve_mark_written(dve_machine *m, dve_space space, uint32_t partition, uint32_t from, uint32_t to);
/* How many nothing wrote, *first the lowest. */
uint64_t dve_count_unwritten(dve_machine *m, dve_space space, uint32_t partition, uint32_t from, uint32_t to,
                             uint32_t *first);
void dve_memo_drop(dve_machine *m);
/* Something was written there, in some partition. */
void dve_memo_written(dve_machine *m, dve_space space, uint32_t lowest, uint32_t highest);

/* search.c: runs the record if a kernel can; else 0. */
int dve_job_search(dve_job *job);

/* walk.c */
/* Drops unit dimensions and joins dimensions that continue each other: one form for one sequence. The count must
 * not exceed DVE_MAX_ELEMENTS. */
void dve_walk_normalise(const dve_pattern *pattern, uint32_t size, dve_walk *out);
int dve_walk_same(const dve_resolved *a, const dve_resolved *b);
/* `map` is scratch for one partition, used if the walk is not dense. */
void dve_footprint_of(const dve_resolved *operand, uint8_t *map, dve_footprint *out);
/* Lowest byte that two footprints of one partition share; 0 if none. */
int dve_footprint_shared(const dve_footprint *a, const dve_footprint *b, uint32_t *byte);

/* Where lane l of the record has a part of hidden state: at dve_state_base + l. The pool buffer and the mask know
 * no partitions. */
static inline uint32_t dve_state_base(const dve_job *job, unsigned part)
{
    return 1u << part == DVE_STATE_POOL_BUFFER || 1u << part == DVE_STATE_MASK ? 0 : job->state_base;
}

/* resolve.c: finds operands, immediates and hidden state; else *stop says what is wrong with them. */
dve_status dve_job_resolve(dve_job *job, dve_stop *stop);
/* Drops findings on pairs of places and answers how many are left: the validators take any register for one of a pair,
 * so that those rules are no matter of a run. */
size_t dve_without_pairs(dve_diag *diags, size_t broken);

/* hazards.c: reports what the record is about to do wrong, and finds out how it has to be executed. */
void dve_job_hazards(dve_job *job);
void dve_report(dve_job *job, dve_hazard *hazard);
/* Adds to a hazard what nothing wrote of the footprint in the partitions of lanes first, first + step, ... */
void dve_report_unwritten(dve_job *job, const char *name, const dve_place *place, const dve_footprint *footprint,
                          uint32_t first, uint32_t end, uint32_t step, dve_hazard *hazard);

/* execute.c: runs the record, marks what it wrote. */
void dve_job_execute(dve_job *job);
int dve_job_worth_sharing(const dve_job *job);

/* indirect.c: IndirectCopy's source. */
dve_status dve_indirect_resolve(dve_job *job, const dve_operand_info *operand, dve_stop *stop);
/* Reads the lists of all tiles and judges them. */
dve_status dve_indirect_read(dve_job *job, dve_stop *stop);
/* The list of one tile. */
uint8_t *dve_indirect_list(dve_job *job, uint32_t tile);
/* Reports reads of what nothing wrote. */
void dve_indirect_hazards(dve_job *job);

/* events.c */
/* Whether the record may start; else *stop says what it waits for. */
dve_status dve_wait(dve_machine *m, const dve_insn *insn, dve_stop *stop);
/* Performs the wait's side effect and the update. */
void dve_complete(dve_machine *m, const dve_insn *insn);

#endif
