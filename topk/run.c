/* SPDX-License-Identifier: Apache-2.0 */
/* Runs plans. Steps were judged when the plan was made, so offsets need no care here; only what depends
 * on data is checked. Multi-byte elements stay in wire order throughout. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

typedef struct runner {
    const dve_plan *plan;
    const dve_plan_step *step;
    dve_machine *machine;
    const uint8_t *input;
    uint8_t *output[2];
    uint8_t *buffers[DVE_PLAN_MAX_BUFFERS];
    dve_error *error;
} runner;

static uint8_t *buffer_at(const runner *r, uint32_t number, uint64_t row, uint64_t column)
{
    const dve_plan_buffer *b = &r->plan->buffers[number];
    return r->buffers[number] + (row * b->columns + column) * b->bytes;
}

/* One element of -inf. */
static void infinity_of(uint8_t dtype, uint8_t out[4])
{
    static const dve_num_config num;
    dve_num_store_bits(dve_num_size(dtype), dve_num_from_f32(&num, dtype, DVE_F32_INFINITY | 0x80000000u), out);
}

/* Rows begin..end-1 of a put. Partitions share no bytes, so rows may go in any order. */
static void put_rows(void *argument, uint32_t begin, uint32_t end)
{
    const runner *r = argument;
    const dve_plan_step *s = r->step;
    const dve_topk_options *o = &r->plan->options;
    int whole = s->buffer == DVE_PLAN_INPUT;
    uint8_t dtype = !s->columns ? dve_topk_working_dtype(o) : whole ? o->dtype : r->plan->buffers[s->buffer].dtype;
    uint32_t size = dve_num_size(dtype), active;
    uint8_t infinity[4];
    infinity_of(dtype, infinity);
    for (uint32_t i = begin; i < end; i++) {
        const uint8_t *from = whole ? r->input + ((s->row + i) * o->columns + s->column) * size
                                    : buffer_at(r, s->buffer, i, s->column);
        dve_place place = {s->place.space, s->place.partition + i, s->place.offset};
        uint8_t *to = dve_machine_bytes(r->machine, place.space, place.partition, &active) + place.offset;
        if (s->columns)
            memcpy(to, from, s->columns * size);
        for (uint64_t p = s->columns; p < s->columns + s->padding; p++)
            memcpy(to + p * size, infinity, size);
        dve_machine_mark(r->machine, &place, (uint32_t)(s->columns + s->padding) * size);
    }
}

static void put(runner *r)
{
    const dve_machine_config *config = dve_machine_get_config(r->machine);
    if (config->parallel_for)
        config->parallel_for(config->parallel_context, r->step->rows, put_rows, r);
    else
        put_rows(r, 0, r->step->rows);
}

static void report_unwritten(const runner *r, const dve_hazard *hazard)
{
    const dve_observer *observer = &dve_machine_get_config(r->machine)->observer;
    if (hazard->count && observer->hazard)
        observer->hazard(observer->context, hazard);
}

static void get(runner *r)
{
    const dve_plan_step *s = r->step;
    uint32_t bytes = (uint32_t)s->columns * dve_num_size(s->dtype), active;
    int zero = dve_machine_get_config(r->machine)->uninit_zero;
    dve_hazard hazard = {.kind = DVE_HAZARD_NEVER_WRITTEN, .record = UINT64_MAX, .operand = "get",
                         .space = s->place.space};
    for (uint32_t i = 0; i < s->rows; i++) {
        dve_place place = {s->place.space, s->place.partition + i, s->place.offset};
        const uint8_t *from = dve_machine_bytes(r->machine, place.space, place.partition, &active) + place.offset;
        uint8_t *to = buffer_at(r, s->buffer, i, s->column);
        memcpy(to, from, bytes);
        uint32_t first;
        uint64_t open = dve_machine_unwritten(r->machine, &place, bytes, &first);
        if (!open || zero)
            continue;
        if (!hazard.count) {
            hazard.partition = place.partition;
            hazard.byte = first;
        }
        hazard.count += open;
        const uint8_t *written = dve_machine_written(r->machine, place.space, place.partition);
        for (uint32_t b = place.offset; b < place.offset + bytes; b++)
            if (!(written[b / 8] >> b % 8 & 1))
                to[b - place.offset] = 0;
    }
    report_unwritten(r, &hazard);
}

static void add(runner *r)
{
    const dve_plan_step *s = r->step;
    for (uint32_t i = 0; i < s->rows; i++) {
        uint8_t *at = buffer_at(r, s->buffer, i, s->column);
        for (uint64_t c = 0; c < s->columns; c++, at += 4) {
            uint32_t e = dve_num_load_bits(4, at);
            dve_num_store_bits(4, e < s->limit ? e + s->base : DVE_TOPK_ABSENT, at);
        }
    }
}

static dve_status lookup(runner *r)
{
    const dve_plan_step *s = r->step;
    uint64_t columns = r->plan->buffers[s->through].columns;
    for (uint32_t i = 0; i < s->rows; i++) {
        uint8_t *at = buffer_at(r, s->buffer, i, s->column);
        for (uint64_t c = 0; c < s->columns; c++, at += 4) {
            uint32_t e = dve_num_load_bits(4, at);
            if (e == DVE_TOPK_ABSENT)
                continue;
            if (e >= columns) {
                dve_error_set(r->error, "lookup: element %llu of row %u is %u; buffer %u has %llu columns",
                              (unsigned long long)(s->column + c), i, e, s->through, (unsigned long long)columns);
                return DVE_E_FINDING;
            }
            memcpy(at, buffer_at(r, s->through, i, e), 4);
        }
    }
    return DVE_OK;
}

static void cut(runner *r)
{
    const dve_plan_step *s = r->step;
    uint64_t k = r->plan->options.k;
    uint32_t size = r->plan->buffers[s->buffer].bytes;
    for (uint32_t i = 0; r->output[s->output] && i < s->rows; i++)
        memcpy(r->output[s->output] + (s->row + i) * k * size, buffer_at(r, s->buffer, i, s->column),
               s->columns * size);
}

static dve_status run_records(runner *r, dve_stop *stop)
{
    dve_status status = dve_machine_run(r->machine, r->plan->records + r->step->first, r->step->count, stop);
    if (status)
        dve_error_set(r->error, "the machine refused record %llu", (unsigned long long)stop->record);
    return status;
}

static dve_status run_step(runner *r, dve_stop *stop)
{
    switch (r->step->action) {
    case DVE_PLAN_PUT: put(r); return DVE_OK;
    case DVE_PLAN_RUN: return run_records(r, stop);
    case DVE_PLAN_GET: get(r); return DVE_OK;
    case DVE_PLAN_ADD: add(r); return DVE_OK;
    case DVE_PLAN_LOOKUP: return lookup(r);
    default: cut(r); return DVE_OK;
    }
}

static int make_buffers(runner *r)
{
    for (unsigned i = 0; i < DVE_PLAN_MAX_BUFFERS; i++) {
        const dve_plan_buffer *b = &r->plan->buffers[i];
        if (b->columns && !(r->buffers[i] = calloc(b->columns, (size_t)b->rows * b->bytes)))
            return 0;
    }
    return 1;
}

/* The machine must mean what the plan's author meant. */
static dve_status check_machine(const dve_plan *plan, const dve_machine *machine, dve_error *error)
{
    const dve_machine_config *config = dve_machine_get_config(machine);
    const dve_topk_options *o = &plan->options;
    if (config->gen != o->gen)
        dve_error_set(error, "the plan is for gen%u, the machine is gen%u", o->gen, config->gen);
    else if (memcmp(&config->settings, &o->settings, sizeof o->settings) != 0)
        dve_error_set(error, "the plan was made with other machine settings");
    else
        return DVE_OK;
    return DVE_E_USAGE;
}

dve_status dve_plan_run(const dve_plan *plan, dve_machine *machine, const void *input, void *values,
                        void *indices, dve_stop *stop, dve_error *error)
{
    memset(stop, 0, sizeof *stop);
    dve_status status = check_machine(plan, machine, error);
    if (status)
        return status;
    runner r = {.plan = plan, .machine = machine, .input = input, .error = error};
    r.output[DVE_PLAN_VALUES] = values;
    r.output[DVE_PLAN_INDICES] = indices;
    for (unsigned i = 0; i < 2; i++)             /* a plan need not cut every element */
        if (r.output[i])
            memset(r.output[i], 0, plan->options.rows * plan->options.k *
                                       dve_num_size(i == DVE_PLAN_VALUES ? plan->options.dtype : DVE_DTYPE_UINT32));
    if (!make_buffers(&r)) {
        dve_error_set(error, "no memory for the plan's buffers");
        status = DVE_E_INTERNAL;
    }
    for (size_t i = 0; status == DVE_OK && i < plan->step_count; i++) {
        r.step = &plan->steps[i];
        status = run_step(&r, stop);
    }
    for (unsigned i = 0; i < DVE_PLAN_MAX_BUFFERS; i++)
        free(r.buffers[i]);
    return status;
}
