/* SPDX-License-Identifier: Apache-2.0 */
/* The machine: on-chip memories, hidden state, semaphores, and the execution of records.
 *
 * One machine belongs to one thread at a time. Memory comes from the caller and no call allocates,
 * prints or aborts. Records run in order; a refused record changes nothing and nothing after it runs. */
#ifndef OPENDVE_MACHINE_H
#define OPENDVE_MACHINE_H

#include <opendve/check.h>
#include <opendve/lane.h>
#include <opendve/num.h>
#include <opendve/simd.h>
#include <opendve/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dve_machine dve_machine;

/* What a run reports beside its results. All kinds mean that results may not be what was intended. */
typedef enum dve_hazard_kind {
    DVE_HAZARD_NEVER_WRITTEN,       /* bytes were read that nothing wrote */
    DVE_HAZARD_POWER_ON_STATE,      /* hidden state was read that nothing set */
    DVE_HAZARD_CHANNEL_MISMATCH,    /* hidden state was set for fewer channels or another quadrant */
    DVE_HAZARD_PARTIAL_OVERLAP,     /* source and destination share bytes other than as one walk */
    DVE_HAZARD_DESTINATION_TWICE,   /* a destination visits a byte twice */
    DVE_HAZARD_THROUGH_FP32,        /* a 32-bit integer changed on its way through fp32 (R18) */
    DVE_HAZARD_KINDS
} dve_hazard_kind;

typedef struct dve_hazard {
    dve_hazard_kind kind;
    uint64_t record;
    const char *operand;         /* "src", or the field of a pointer; NULL for hidden state. Of an overlap: the
                                    source */
    const char *other;           /* of an overlap: the destination, else NULL */
    const char *state;           /* "keys", "flops", "accumulator", "mask", "pool_buffer"; NULL for memory */
    dve_space space;
    uint32_t partition, byte;    /* lowest partition and its lowest byte */
    uint32_t lane, element;      /* first lane, and first element in it */
    uint64_t count;              /* bytes, channels or elements over all lanes */
} dve_hazard;

/* "never-written" ...; NULL if unknown. */
const char *dve_hazard_name(dve_hazard_kind kind);

/* Bit k set: records of the opcode can meet hazard kind k. 0 for an opcode that does not execute. */
uint32_t dve_hazards_of_opcode(uint8_t opcode);

/* One record that was executed or, control records only, skipped. */
typedef struct dve_step {
    uint64_t record;
    const dve_insn *insn;
    uint64_t elements;           /* of the largest operand, a lane */
    uint64_t cycles;             /* estimated, see dve_cost_cycles */
    dve_assumption_set assumptions;
    int skipped;
} dve_step;

/* Called in record order, hazards before their record's step. Either function may be NULL. */
typedef struct dve_observer {
    void *context;
    void (*step)(void *context, const dve_step *step);
    void (*hazard)(void *context, const dve_hazard *hazard);
} dve_observer;

/* Runs body(argument, begin, end) over parts of 0..count-1 and returns when all are done. */
typedef void dve_parallel_for(void *context, uint32_t count,
                              void (*body)(void *argument, uint32_t begin, uint32_t end), void *argument);

struct dve_op;                   /* instructions by table, see ops/ops.h */

typedef struct dve_machine_config {
    uint32_t size;               /* sizeof of this struct */
    uint8_t gen;                 /* 2..5 */
    uint8_t uninit_zero;         /* memory that nothing wrote is zero and no hazard */
    uint8_t ignore_waits;        /* waits are taken as satisfied; their side effects happen */
    uint8_t skip_control;        /* control records (0xa0..0xb7) are judged, counted and skipped */
    uint8_t simd;                /* DVE_SIMD_: vector instructions of the host; 0 the best */
    uint8_t unfused;             /* every search reads its source, whatever the search before found out */
    uint8_t reserved[2];         /* 0 */
    dve_settings settings;
    uint64_t max_records;        /* budgets: executed records, elements a lane of one record; 0 none */
    uint64_t max_elements;
    dve_observer observer;
    dve_parallel_for *parallel_for;   /* NULL: lanes run one after the other */
    void *parallel_context;
    const struct dve_op *ops;    /* NULL: the library's own */
    uint8_t gated;               /* records of the vector engine run only if a table set enables their opcode (R23) */
    uint8_t enabled[32];         /* bit op % 8 of byte op / 8; see dve_table_enable and dve_roster_enable */
} dve_machine_config;

/* gen3, honouring waits, everything else zero. */
void dve_machine_defaults(dve_machine_config *out);

/* The readings of the assumptions that number formats have. */
void dve_settings_num(const dve_settings *settings, dve_num_config *out);

/* Bytes that a machine needs; 0 for a config that dve_machine_init would refuse. About the active
 * bytes of the generation's memories plus one bit each. */
size_t dve_machine_size(const dve_machine_config *config);

/* Makes a machine in `memory`, which must be zero (fresh from calloc or mmap, so that pages that are
 * never used are never committed), aligned to 64 and dve_machine_size bytes long. *out is NULL unless
 * the result is DVE_OK. There is nothing to destroy: release the memory. */
dve_status dve_machine_init(void *memory, size_t size, const dve_machine_config *config, dve_machine **out);

const dve_machine_config *dve_machine_get_config(const dve_machine *machine);
void dve_machine_set_observer(dve_machine *machine, const dve_observer *observer);

/* Forgets everything but the config: written bytes are zero and unwritten again, hidden state is at power-on.
 * Bytes that were changed through dve_machine_bytes and never marked stay. */
void dve_machine_reset(dve_machine *machine);

/* Why a run stopped early. */
typedef enum dve_refusal {
    DVE_REFUSED_NOT,
    DVE_REFUSED_ILLEGAL,         /* `diags` say which rules are broken */
    DVE_REFUSED_NOT_EXECUTED,    /* a legal record of an opcode that this library does not execute */
    DVE_REFUSED_ENGINE,          /* a record that another engine runs */
    DVE_REFUSED_CONTROL,         /* a control record, and skip_control is off */
    DVE_REFUSED_WAIT,            /* a wait that nothing can satisfy any more */
    DVE_REFUSED_REGISTER,        /* a wait or update names a register above 63 */
    DVE_REFUSED_SHAPE_REGISTER,  /* a shape in a register: its place in the record is unknown */
    DVE_REFUSED_RECORDS,         /* max_records */
    DVE_REFUSED_ELEMENTS,        /* max_elements, or DVE_MAX_ELEMENTS */
    DVE_REFUSED_INDIRECT,        /* an operand addressed by an index list, whose form is unknown (R29) */
    DVE_REFUSED_INDEX,           /* an index of IndirectCopy's list chooses what lies behind its source */
    DVE_REFUSED_INDEX_COUNT,     /* ... or the list does not give as many results as the destination has */
    DVE_REFUSED_POOL_WIDTH,      /* the pool buffer holds elements of another width than Gather's results */
    DVE_REFUSED_DISABLED         /* the machine is gated, and the table set does not enable the opcode */
} dve_refusal;

/* Elements a lane of the largest operand that is ever executed: walks can be longer where steps are 0. */
#define DVE_MAX_ELEMENTS UINT64_C(0x7fffffff)

typedef struct dve_stop {
    dve_refusal reason;
    uint64_t record;
    dve_insn insn;
    uint8_t wait_mode, index;    /* of a wait: what it waits for */
    uint32_t found, wanted;      /* its value and what it should have been; of a budget: wanted is 0 */
    uint64_t given, limit;       /* of a budget, index or count, register and 63, widths in bytes */
    const char *operand;         /* of a register-held address, pointer or shape, of an index list */
    size_t broken;               /* rules broken; the first DVE_MAX_DIAGS are in diags */
    dve_diag diags[DVE_MAX_DIAGS];
} dve_stop;

/* Runs `count` records. Numbering continues from the machine's earlier runs. *stop is filled whatever
 * the status: DVE_OK (reason DVE_REFUSED_NOT), DVE_E_FINDING, or DVE_E_BUDGET. */
dve_status dve_machine_run(dve_machine *machine, const dve_record *records, size_t count, dve_stop *stop);
/* A checked program: records decoded and judged once, for any number of runs, on any machine of the generation; it is
 * constant, so that threads may share it. Memory comes from the caller, aligned to 64; there is nothing to destroy.
 * dve_program_size answers 0 for a count that no memory holds. dve_program_make fills *stop with the first illegal
 * record and answers DVE_E_FINDING, and DVE_E_USAGE for memory that does not do or an unknown generation; *out is then
 * NULL. The run is that of dve_machine_run with the same records; DVE_E_USAGE for a machine of another generation. */
typedef struct dve_program dve_program;
size_t dve_program_size(size_t count);
dve_status dve_program_make(void *memory, size_t size, uint8_t gen, const dve_record *records, size_t count,
                            dve_program **out, dve_stop *stop);
dve_status dve_machine_run_program(dve_machine *machine, const dve_program *program, dve_stop *stop);

/* Number of the next record; set it to restart numbering and the record budget. */
uint64_t dve_machine_next_record(const dve_machine *machine);
void dve_machine_set_next_record(dve_machine *machine, uint64_t record);
/* Assumptions that results so far depend on. */
dve_assumption_set dve_machine_assumptions(const dve_machine *machine);

/* Memory. The pointers stay good as long as the machine, but who writes through one from an observer must have asked for
 * it since the record before; and who clears bits of the written map, since the run before.
 * Bytes of one partition, *active of them; writing through the pointer does not mark bytes as
 * written. NULL (and *active 0) for a partition above 127. */
uint8_t *dve_machine_bytes(dve_machine *machine, dve_space space, uint32_t partition, uint32_t *active);
/* The written map of the same bytes, bit b of byte i for byte 8 i + b. */
uint8_t *dve_machine_written(dve_machine *machine, dve_space space, uint32_t partition);
/* Marks `count` bytes from a place as written. The range must lie in the partition, else DVE_E_USAGE. */
dve_status dve_machine_mark(dve_machine *machine, const dve_place *place, uint32_t count);
/* How many of them nothing wrote, *first the offset of the first; 0 outside the partition. */
uint64_t dve_machine_unwritten(dve_machine *machine, const dve_place *place, uint32_t count, uint32_t *first);

/* Hidden state. `part` is one DVE_STATE_ bit. */
dve_lane_state *dve_machine_lane(dve_machine *machine, uint32_t lane);
typedef struct dve_producer {
    uint8_t lanes[DVE_LANES / 8];     /* bit l: lane l was set since power-on */
    uint16_t channels;                /* of the last record that set it; 0: none */
    uint8_t quadrant;                 /* start partition / 32 of that record */
    uint8_t reserved;
} dve_producer;
dve_producer *dve_machine_producer(dve_machine *machine, uint8_t part);
/* The shuffle mask, DVE_SHUFFLE_LANES bytes; at power-on byte i is i. All lanes are set at once. */
uint8_t *dve_machine_mask(dve_machine *machine);
/* The pool buffer: what is loaded, and DVE_POOL_BYTES of a lane; NULL for a lane above 127. */
dve_pool_range *dve_machine_pool_range(dve_machine *machine);
uint8_t *dve_machine_pool_bytes(dve_machine *machine, uint32_t lane);

/* 256 semaphores, 256 event bits (bit e % 8 of byte e / 8), 64 address registers. */
uint32_t *dve_machine_semaphores(dve_machine *machine);
uint8_t *dve_machine_events(dve_machine *machine);
uint32_t *dve_machine_registers(dve_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
