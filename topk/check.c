/* SPDX-License-Identifier: Apache-2.0 */
/* Judges plans: after it a run only copies inside arrays that are large enough. Also the plan's accessors. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

typedef struct judge {
    dve_plan *plan;
    const dve_plan_step *step;
    dve_plan_fault *fault;
    dve_error *error;
    uint64_t *cut_rows;          /* rows of each output that cuts have filled so far */
} judge;

static const char *action_name(const dve_plan_step *step)
{
    static const char *const names[DVE_PLAN_ACTIONS] = {"put", "run", "get", "add", "lookup", "cut"};
    return step->action < DVE_PLAN_ACTIONS ? names[step->action] : "step";
}

/* The member, its value and the range that it should lie in. */
static dve_status within(const judge *j, const char *member, uint64_t given, uint64_t low, uint64_t high)
{
    if (given >= low && given <= high)
        return DVE_OK;
    j->fault->member = member;
    if (low > high)
        dve_error_set(j->error, "%s: %s is %llu; nothing is allowed here", action_name(j->step), member,
                      (unsigned long long)given);
    else
        dve_error_set(j->error, "%s: %s is %llu; allowed: %llu..%llu", action_name(j->step), member,
                      (unsigned long long)given, (unsigned long long)low, (unsigned long long)high);
    return DVE_E_INPUT;
}

static dve_status wrong(const judge *j, const char *member, const char *why)
{
    j->fault->member = member;
    dve_error_set(j->error, "%s: %s", action_name(j->step), why);
    return DVE_E_INPUT;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* `elements` of `size` bytes on as many partitions as the step has rows. */
static dve_status check_place(const judge *j, uint64_t elements, uint32_t size)
{
    const dve_place *place = &j->step->place;
    const dve_generation_info *g = dve_generation(dve_generation(j->plan->options.gen)->runs_as);
    uint32_t active = place->space == DVE_SPACE_SBUF ? g->sbuf_active : g->psum_active;
    if (place->space != DVE_SPACE_SBUF && place->space != DVE_SPACE_PSUM)
        return wrong(j, "place", "the place's space is neither sbuf nor psum");
    dve_status status = within(j, "rows", j->step->rows, 1, DVE_LANES);
    if (!status)
        status = within(j, "place.partition", place->partition, 0, DVE_LANES - j->step->rows);
    if (!status)
        status = within(j, "columns", elements, 1, active / size);
    return status ? status : within(j, "place.offset", place->offset, 0, active - elements * size);
}

/* Rows and columns of a buffer that earlier gets have filled. */
static dve_status check_read(const judge *j, const char *member, uint32_t number, const char *column_name,
                             uint64_t column, uint64_t columns)
{
    dve_status status = within(j, member, number, 0, DVE_PLAN_MAX_BUFFERS - 1);
    if (status)
        return status;
    const dve_plan_buffer *b = &j->plan->buffers[number];
    if (!b->columns)
        return wrong(j, member, "no earlier get fills this buffer");
    status = within(j, "rows", j->step->rows, 1, b->rows);
    if (!status)
        status = within(j, "columns", columns, 0, b->columns);
    return status ? status : within(j, column_name, column, 0, b->columns - columns);
}

/* -inf is what padding consists of. */
static int has_infinity(uint8_t dtype)
{
    return dtype == DVE_DTYPE_FP32 || dtype == DVE_DTYPE_FP16 || dtype == DVE_DTYPE_BF16;
}

static dve_status check_put(const judge *j)
{
    const dve_plan_step *s = j->step;
    const dve_topk_options *o = &j->plan->options;
    uint8_t dtype = o->dtype;
    dve_status status;
    if (s->buffer != DVE_PLAN_INPUT) {
        status = check_read(j, "from", s->buffer, "column", s->column, s->columns);
        if (!status)
            status = within(j, "row", s->row, 0, 0);
        if (status)
            return status;
        dtype = j->plan->buffers[s->buffer].dtype;
    } else {
        status = within(j, "rows", s->rows, 1, DVE_LANES);
        if (!status)
            status = within(j, "row", s->row, 0, less(o->rows, s->rows));
        if (!status && s->row + s->rows > o->rows)
            status = wrong(j, "rows", "more rows than the input has");
        if (!status)
            status = within(j, "columns", s->columns, 0, o->columns);
        if (!status)
            status = within(j, "column", s->column, 0, o->columns - s->columns);
        if (status)
            return status;
    }
    if (!s->columns)
        dtype = dve_topk_working_dtype(o);
    if (s->padding && !has_infinity(dtype))
        return wrong(j, "padding", "the elements have no -inf to pad with");
    return check_place(j, s->columns + s->padding, dve_num_size(dtype));
}

static dve_status check_run(const judge *j)
{
    dve_status status = within(j, "count", j->step->count, 1, j->plan->record_count);
    return status ? status : within(j, "first", j->step->first, 0, j->plan->record_count - j->step->count);
}

static dve_status check_get(const judge *j)
{
    const dve_plan_step *s = j->step;
    uint64_t widest = (j->plan->options.columns + 7) / 8 * 8;
    uint32_t size = dve_num_size(s->dtype);
    if (!size)
        return wrong(j, "dtype", "the data type is none that values have");
    dve_status status = within(j, "buffer", s->buffer, 0, DVE_PLAN_MAX_BUFFERS - 1);
    if (!status)
        status = check_place(j, s->columns, size);
    if (!status)
        status = within(j, "columns", s->columns, 1, widest);
    if (!status)
        status = within(j, "at", s->column, 0, widest - s->columns);
    if (status)
        return status;
    dve_plan_buffer *b = &j->plan->buffers[s->buffer];
    if (b->columns && b->dtype != s->dtype)
        return wrong(j, "dtype", "an earlier get fills this buffer with another data type");
    b->dtype = s->dtype;
    b->bytes = (uint8_t)size;
    b->rows = s->rows > b->rows ? s->rows : b->rows;
    b->columns = s->column + s->columns > b->columns ? s->column + s->columns : b->columns;
    return DVE_OK;
}

static dve_status check_positions(const judge *j, const char *member, uint32_t number)
{
    return j->plan->buffers[number].dtype == DVE_DTYPE_UINT32 ? DVE_OK
                                                              : wrong(j, member, "this buffer does not hold uint32");
}

static dve_status check_host(const judge *j)
{
    const dve_plan_step *s = j->step;
    dve_status status = check_read(j, "buffer", s->buffer, "at", s->column, s->columns);
    if (!status)
        status = check_positions(j, "buffer", s->buffer);
    if (!status && s->action == DVE_PLAN_ADD)
        status = within(j, "base", s->base, 0, DVE_TOPK_ABSENT - s->limit);
    if (!status && s->action == DVE_PLAN_LOOKUP)
        status = check_read(j, "through", s->through, "at", 0, 1);
    return status || s->action == DVE_PLAN_ADD ? status : check_positions(j, "through", s->through);
}

static dve_status check_cut(const judge *j)
{
    const dve_plan_step *s = j->step;
    const dve_topk_options *o = &j->plan->options;
    dve_status status = within(j, "to", s->output, DVE_PLAN_VALUES, DVE_PLAN_INDICES);
    if (!status)
        status = check_read(j, "buffer", s->buffer, "column", s->column, s->columns);
    if (!status)
        status = within(j, "columns", s->columns, o->k, o->k);
    uint64_t *filled = &j->cut_rows[status ? 0 : s->output];
    if (!status)                                 /* outputs are filled from the first row to the last */
        status = within(j, "row", s->row, *filled, *filled);
    if (!status)
        status = within(j, "rows", s->rows, 1, o->rows - *filled);
    if (!status)
        *filled += s->rows;
    if (status || s->output == DVE_PLAN_INDICES)
        return status ? status : check_positions(j, "buffer", s->buffer);
    return j->plan->buffers[s->buffer].dtype == o->dtype
               ? DVE_OK : wrong(j, "buffer", "this buffer does not hold the plan's data type");
}

static dve_status check_step(const judge *j)
{
    switch (j->step->action) {
    case DVE_PLAN_PUT: return check_put(j);
    case DVE_PLAN_RUN: return check_run(j);
    case DVE_PLAN_GET: return check_get(j);
    case DVE_PLAN_ADD: case DVE_PLAN_LOOKUP: return check_host(j);
    case DVE_PLAN_CUT: return check_cut(j);
    default: return wrong(j, "step", "the step is none of put, run, get, add, lookup, cut");
    }
}

dve_status dve_plan_check(dve_plan *plan, dve_plan_fault *fault, dve_error *error)
{
    *fault = (dve_plan_fault){UINT64_MAX, ""};
    memset(plan->buffers, 0, sizeof plan->buffers);
    uint64_t cut_rows[2] = {0, 0};
    for (size_t i = 0; i < plan->step_count; i++) {
        judge j = {plan, &plan->steps[i], fault, error, cut_rows};
        fault->step = i;
        dve_status status = check_step(&j);
        if (status)
            return status;
    }
    *fault = (dve_plan_fault){UINT64_MAX, "steps"};
    for (unsigned i = 0; i < 2; i++)
        if (cut_rows[i] != plan->options.rows) {
            dve_error_set(error, "the cuts fill %llu rows of %s; needed: all %llu", (unsigned long long)cut_rows[i],
                          i == DVE_PLAN_VALUES ? "values" : "indices", (unsigned long long)plan->options.rows);
            return DVE_E_INPUT;
        }
    *fault = (dve_plan_fault){UINT64_MAX, ""};
    return DVE_OK;
}

/* A copy of at least one byte, so that an empty array is no failure. */
static void *copy_of(const void *items, size_t count, size_t size)
{
    void *copy = count < SIZE_MAX / 2 / size ? malloc(count * size + 1) : NULL;
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

dve_status dve_plan_from_steps(const dve_topk_options *options, const dve_plan_step *steps, size_t count,
                               const dve_record *records, size_t record_count, dve_plan **out,
                               dve_plan_fault *fault, dve_error *error)
{
    *out = NULL;
    *fault = (dve_plan_fault){UINT64_MAX, ""};
    if (dve_topk_check(options, &fault->member, error) != DVE_OK)
        return DVE_E_INPUT;
    dve_plan *plan = calloc(1, sizeof *plan);
    if (plan) {
        plan->options = *options;
        plan->steps = copy_of(steps, count, sizeof *steps);
        plan->records = copy_of(records, record_count, sizeof *records);
        plan->step_count = plan->step_room = count;
        plan->record_count = plan->record_room = record_count;
    }
    dve_status status = DVE_E_INTERNAL;
    if (plan && plan->steps && plan->records)
        status = dve_plan_check(plan, fault, error);
    else
        dve_error_set(error, "no memory for the plan");
    if (status)
        dve_plan_free(plan);
    else
        *out = plan;
    return status;
}

const dve_topk_options *dve_plan_options(const dve_plan *plan)
{
    return &plan->options;
}

const dve_plan_step *dve_plan_steps(const dve_plan *plan, size_t *count)
{
    *count = plan->step_count;
    return plan->steps;
}

const dve_record *dve_plan_records(const dve_plan *plan, size_t *count)
{
    *count = plan->record_count;
    return plan->records;
}

uint64_t dve_plan_executes(const dve_plan *plan)
{
    uint64_t records = 0;
    for (size_t i = 0; i < plan->step_count; i++)
        records += plan->steps[i].count;
    return records;
}
