/* SPDX-License-Identifier: Apache-2.0 */
/* Top-k by instruction records, and the plans that run it.
 *
 * A plan is a complete, replayable description of a computation: records, and the steps that bring rows
 * of an input onto the machine, run records, fetch results and put them together on the host. Selection
 * is the records' work alone; host steps move bytes, add numbers and look up numbers.
 *
 *     dve_topk_options options;
 *     dve_topk_defaults(&options);
 *     options.rows = 300; options.columns = 50257; options.k = 8;
 *     dve_plan *plan;
 *     if (dve_plan_new(&options, &plan, &error) == DVE_OK)
 *         dve_plan_run(plan, machine, scores, values, indices, &stop, &error);
 *
 * Arrays are rows * columns elements in C order, little-endian as on the wire. Plans are constant once
 * made and may be shared by threads; a machine may not. These calls allocate. */
#ifndef OPENDVE_TOPK_H
#define OPENDVE_TOPK_H

#include <opendve/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DVE_TOPK_MAX_TILE = 16384,       /* elements that one search takes */
    DVE_TOPK_MAX_MERGED_K = 8192     /* largest k of rows longer than that */
};
#define DVE_TOPK_ABSENT UINT32_C(0xffffffff)     /* index beside a value that stands nowhere in the row */

typedef enum dve_topk_method {
    DVE_TOPK_FIND,                   /* a round: Max8, FindIndex8, MatchReplace8, each search with its key load */
    DVE_TOPK_REPLACE_INDICES         /* a round: Max8, key load, MatchReplace8, DveReadIndices; gen3 and later */
} dve_topk_method;

typedef struct dve_topk_options {
    uint32_t size;                   /* sizeof of this struct */
    uint8_t gen;                     /* 2..5 */
    uint8_t dtype;                   /* wire code of the elements: any that is 1, 2 or 4 bytes long, but fp32r */
    uint8_t method;                  /* dve_topk_method */
    uint8_t reserved;
    uint32_t replace;                /* fp32 bits of the value that marks taken elements; not NaN */
    uint64_t rows, columns;          /* of the input; columns below 2^32 - 1 */
    uint64_t k;                      /* 1..columns */
    dve_settings settings;
} dve_topk_options;

/* gen3, fp32, find, marker -inf; rows, columns and k are 0 and must be set. */
void dve_topk_defaults(dve_topk_options *out);

/* ---- Plans ---- */

typedef enum dve_plan_action {
    DVE_PLAN_PUT, DVE_PLAN_RUN, DVE_PLAN_GET, DVE_PLAN_ADD, DVE_PLAN_LOOKUP, DVE_PLAN_CUT,
    DVE_PLAN_ACTIONS
} dve_plan_action;

enum {
    DVE_PLAN_MAX_BUFFERS = 256,
    DVE_PLAN_VALUES = 0,             /* outputs */
    DVE_PLAN_INDICES = 1
};
#define DVE_PLAN_INPUT UINT32_C(0xffffffff)      /* as `buffer` of a put: the input array */

/* One step. Buffers are host arrays of up to 128 rows, made by the gets that fill them; a step works on
 * their first `rows` rows. Members that a step does not list are 0.
 *   put     buffer (or the input, from row `row`), column, columns, rows, padding, place: copies columns
 *           to the partitions from `place` on, then writes `padding` elements of -inf behind them; with
 *           columns 0 padding alone, of the data type that is worked in
 *   run     first, count: records
 *   get     place, dtype, rows, columns into buffer from column `column` on
 *   add     rows, column, columns of buffer: elements of `limit` and above become all ones, to the
 *           others base is added
 *   lookup  rows, column, columns of buffer: each element e becomes element e of the same row of
 *           `through`; all ones stay
 *   cut     rows, column, columns of buffer to the rows of `output` from `row` on, its columns from 0 */
typedef struct dve_plan_step {
    uint8_t action;                  /* dve_plan_action */
    uint8_t dtype;
    uint8_t output;                  /* DVE_PLAN_VALUES or DVE_PLAN_INDICES */
    uint8_t reserved;
    uint32_t buffer, through;
    uint32_t rows;                   /* 1..128 */
    uint32_t padding;
    uint32_t base, limit;
    dve_place place;
    uint64_t row, column, columns;
    uint64_t first, count;
} dve_plan_step;

typedef struct dve_plan dve_plan;

/* Plans a top-k. DVE_E_USAGE with a message for options that cannot be served, DVE_E_INTERNAL without
 * memory; *out is then NULL. */
dve_status dve_plan_new(const dve_topk_options *options, dve_plan **out, dve_error *error);

/* What keeps steps from being a plan. */
typedef struct dve_plan_fault {
    uint64_t step;                   /* number of the step; all ones: the plan's own member */
    const char *member;              /* as the plan schema calls it */
} dve_plan_fault;

/* A plan from its parts, which are copied. Everything is judged but the records, which the machine
 * judges as they run: DVE_E_INPUT, *fault saying where and *error what. */
dve_status dve_plan_from_steps(const dve_topk_options *options, const dve_plan_step *steps, size_t count,
                               const dve_record *records, size_t record_count, dve_plan **out,
                               dve_plan_fault *fault, dve_error *error);
void dve_plan_free(dve_plan *plan);              /* takes NULL */

const dve_topk_options *dve_plan_options(const dve_plan *plan);
const dve_plan_step *dve_plan_steps(const dve_plan *plan, size_t *count);
const dve_record *dve_plan_records(const dve_plan *plan, size_t *count);
/* Records that a run executes: those of all its run steps. */
uint64_t dve_plan_executes(const dve_plan *plan);

/* Runs a plan. `input` is rows * columns elements, `values` rows * k elements of the same type, `indices`
 * rows * k uint32; an output may be NULL. The machine must have the plan's generation and settings
 * (DVE_E_USAGE); what it did before does not matter. Its parallel_for also shares the copying.
 * A refused record: the machine's status, with *stop filled; outputs are then incomplete. Bytes that a
 * get reads and nothing wrote are zero, and a hazard goes to the machine's observer with record all ones
 * and operand "get". */
dve_status dve_plan_run(const dve_plan *plan, dve_machine *machine, const void *input, void *values,
                        void *indices, dve_stop *stop, dve_error *error);

/* ---- What may surprise about a top-k ---- */

typedef enum dve_topk_hazard_kind {
    DVE_TOPK_MARKER_IN_DATA,         /* an element equals the marker */
    DVE_TOPK_MARKER_ABOVE_CUT,       /* the marker is not below the k-th value */
    DVE_TOPK_NAN,
    DVE_TOPK_THROUGH_FP32,           /* an integer that fp32 does not hold */
    DVE_TOPK_TIE_AT_CUT,             /* the k-th equals the next */
    DVE_TOPK_SHORT_ROW,              /* fewer than 8 elements */
    DVE_TOPK_HAZARD_KINDS
} dve_topk_hazard_kind;

enum { DVE_TOPK_HAZARD_COLUMNS = 16 };

typedef struct dve_topk_hazard {
    dve_topk_hazard_kind kind;
    uint64_t row;
    uint64_t count;                  /* columns concerned; the first 16 stand in `columns`, ascending */
    uint32_t columns[DVE_TOPK_HAZARD_COLUMNS];
    uint32_t listed;                 /* how many stand there */
    uint32_t value;                  /* bits of the data type that is worked in; of through-fp32 the integer's; of a
                                        short row its length */
    uint64_t round;                  /* of the cut, from 0; all ones where there is none */
} dve_topk_hazard;

/* "marker-in-data" ...; NULL if unknown. */
const char *dve_topk_hazard_name(dve_topk_hazard_kind kind);
/* Whether results can differ from a sort: class alters, else informs. */
int dve_topk_hazard_alters(dve_topk_hazard_kind kind);

/* The data type that rows are worked in: their own, or fp32 for integers and fp8. Cast records make a copy of
 * them then, and give the values their own data type back. */
uint8_t dve_topk_working_dtype(const dve_topk_options *options);
/* The marker: what the replace value rounds to in that data type. */
uint32_t dve_topk_marker(const dve_topk_options *options);

/* Reports the hazards of a finished run in order of rows, then kinds. Ranks are those of the sort (value
 * descending, position ascending, NaN left out), whatever the method. `values` is what the run gave.
 * `parallel_for` may be NULL. DVE_E_INTERNAL without memory. */
dve_status dve_topk_hazards(const dve_topk_options *options, const void *input, const void *values,
                            dve_parallel_for *parallel_for, void *parallel_context,
                            void (*report)(void *context, const dve_topk_hazard *hazard), void *context);

#ifdef __cplusplus
}
#endif
#endif
