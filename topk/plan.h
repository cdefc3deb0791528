/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of a plan. */
#ifndef DVE_TOPK_PLAN_H
#define DVE_TOPK_PLAN_H

#include <opendve/num.h>
#include <opendve/topk.h>

/* A host array that gets fill: rows x columns elements of one data type. */
typedef struct dve_plan_buffer {
    uint64_t columns;            /* 0: no get fills it */
    uint32_t rows;
    uint8_t dtype, bytes;
} dve_plan_buffer;

struct dve_plan {
    dve_topk_options options;
    dve_plan_step *steps;
    size_t step_count, step_room;
    dve_record *records;
    size_t record_count, record_room;
    dve_plan_buffer buffers[DVE_PLAN_MAX_BUFFERS];
};

/* One search of a row: `winners` of `width` elements on `channels` partitions from partition 0. Bytes of
 * a partition: the elements, then the values, then the indices. Elements of another data type than the one that
 * is worked in wait where values and indices go later, and values in their own lie where the elements were: so
 * 16384 of 16384 fit gen2. */
typedef struct dve_search {
    uint32_t channels, width, winners;
    uint8_t casts_in, casts_out; /* from the input's data type, to it */
    uint32_t rounds;             /* of 8 winners */
    uint32_t loaded;             /* elements searched: at least 8 */
    dve_place data, raw, values, indices;
} dve_search;

/* records.c */
void dve_search_lay_out(const dve_topk_options *options, dve_search *search);
/* Appends the records of a search; DVE_E_INTERNAL without memory. */
dve_status dve_search_records(dve_plan *plan, const dve_search *search);

/* options.c: DVE_E_USAGE, *member the one at fault. */
/* How the machine's settings read numbers. */
void dve_topk_num(const dve_topk_options *options, dve_num_config *out);
/* What every plan needs. */
dve_status dve_topk_check(const dve_topk_options *options, const char **member, dve_error *error);
/* What the searches that plan.c builds can do. */
dve_status dve_topk_check_limits(const dve_topk_options *options, const char **member, dve_error *error);

/* check.c */
/* Judges all steps and fills the plan's buffers. */
dve_status dve_plan_check(dve_plan *plan, dve_plan_fault *fault, dve_error *error);

/* plan.c */
/* Room for `more` elements of `size` bytes behind `count`; 0 without memory. */
int dve_plan_reserve(void **items, size_t count, size_t *room, size_t more, size_t size);

#endif
