/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the plan of a top-k: rows in batches of up to 128 partitions, long rows in tiles whose winners
 * are joined in order and searched again until one search finds the rest. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

/* Records of searches that were already made: equal batches and tiles share them. Batches have two sizes
 * at most and levels two widths, so there are few. */
typedef struct known_search {
    uint32_t channels, width, winners;
    uint8_t casts_in, casts_out;
    uint64_t first, count;
} known_search;

typedef struct builder {
    dve_plan *plan;
    known_search *known;
    size_t known_count, known_room;
    uint64_t row;                /* of the batch under construction */
    uint32_t rows;
} builder;

/* What a level of the search reads: the input, or winners of the level before with their positions. */
typedef struct level {
    uint32_t values, indices;    /* buffers; DVE_PLAN_INPUT */
    uint64_t columns;
    uint32_t next;               /* first free buffer */
} level;

int dve_plan_reserve(void **items, size_t count, size_t *room, size_t more, size_t size)
{
    if (more <= *room - count)
        return 1;
    if (more > SIZE_MAX / 2 / size - count)
        return 0;
    size_t wanted = count + more > 2 * *room ? count + more : 2 * *room;
    void *grown = realloc(*items, wanted * size);
    if (!grown)
        return 0;
    *items = grown;
    *room = wanted;
    return 1;
}

static dve_status add_step(builder *b, const dve_plan_step *step)
{
    dve_plan *plan = b->plan;
    void *items = plan->steps;
    int fits = dve_plan_reserve(&items, plan->step_count, &plan->step_room, 1, sizeof *step);
    plan->steps = items;
    if (!fits)
        return DVE_E_INTERNAL;
    plan->steps[plan->step_count++] = *step;
    return DVE_OK;
}

/* The run step of a search, its records made if they are new. */
static dve_status run_step(builder *b, const dve_search *s)
{
    dve_plan_step step = {.action = DVE_PLAN_RUN, .first = b->plan->record_count};
    for (size_t i = 0; i < b->known_count; i++) {
        const known_search *k = &b->known[i];
        if (k->channels != s->channels || k->width != s->width || k->winners != s->winners ||
            k->casts_in != s->casts_in || k->casts_out != s->casts_out)
            continue;
        step.first = k->first;
        step.count = k->count;
        return add_step(b, &step);
    }
    void *items = b->known;
    int fits = dve_plan_reserve(&items, b->known_count, &b->known_room, 1, sizeof *b->known);
    b->known = items;
    dve_status status = fits ? dve_search_records(b->plan, s) : DVE_E_INTERNAL;
    if (status)
        return status;
    step.count = b->plan->record_count - step.first;
    b->known[b->known_count++] = (known_search){s->channels,  s->width,   s->winners, s->casts_in,
                                                   s->casts_out, step.first, step.count};
    return add_step(b, &step);
}

static dve_status put_steps(builder *b, const dve_search *s, const level *from, uint64_t column)
{
    dve_plan_step step = {.action = DVE_PLAN_PUT, .buffer = from->values, .rows = b->rows, .column = column,
                          .columns = s->width, .padding = s->loaded - s->width, .place = s->data};
    if (from->values == DVE_PLAN_INPUT)
        step.row = b->row;
    if (!s->casts_in)
        return add_step(b, &step);
    step.place = s->raw;
    step.padding = 0;
    dve_status status = add_step(b, &step);
    if (status || s->loaded == s->width)
        return status;
    step.place = s->data;                        /* behind the copy that the cast makes */
    step.place.offset += s->width * dve_num_size(DVE_DTYPE_FP32);
    step.columns = step.column = 0;
    step.padding = s->loaded - s->width;
    return add_step(b, &step);
}

/* Fetches the winners of a search into buffers from column `at` on, positions counted from the start of
 * the row. */
static dve_status get_steps(builder *b, const dve_search *s, const level *from, uint64_t tile, uint64_t at,
                            uint32_t values, uint32_t indices)
{
    dve_plan_step get = {.action = DVE_PLAN_GET, .buffer = values, .rows = b->rows, .column = at,
                         .columns = s->winners, .place = s->casts_out ? s->data : s->values};
    get.dtype = s->casts_out ? b->plan->options.dtype : dve_topk_working_dtype(&b->plan->options);
    dve_plan_step add = {.action = DVE_PLAN_ADD, .buffer = indices, .rows = b->rows, .column = at,
                         .columns = s->winners, .base = (uint32_t)tile, .limit = s->width};
    dve_status status = add_step(b, &get);
    get.dtype = DVE_DTYPE_UINT32;
    get.buffer = indices;
    get.place = s->indices;
    if (status || (status = add_step(b, &get)) || (status = add_step(b, &add)))
        return status;
    if (from->values == DVE_PLAN_INPUT)
        return DVE_OK;
    dve_plan_step lookup = {.action = DVE_PLAN_LOOKUP, .buffer = indices, .through = from->indices, .rows = b->rows,
                            .column = at, .columns = s->winners};
    return add_step(b, &lookup);
}

/* Searches columns tile..tile+width-1 of a level. *winners receives how many it leaves. */
static dve_status search(builder *b, const level *from, uint64_t tile, uint64_t at, uint32_t *winners)
{
    uint64_t left = from->columns - tile, k = b->plan->options.k;
    int casts = dve_topk_working_dtype(&b->plan->options) != b->plan->options.dtype;
    dve_search s = {.channels = b->rows};
    s.casts_in = casts && from->values == DVE_PLAN_INPUT;
    s.casts_out = casts && from->columns <= DVE_TOPK_MAX_TILE;   /* values stay in fp32 until the last level */
    s.width = (uint32_t)(left < DVE_TOPK_MAX_TILE ? left : DVE_TOPK_MAX_TILE);
    s.winners = k < s.width ? (uint32_t)k : s.width;
    dve_search_lay_out(&b->plan->options, &s);
    *winners = s.winners;
    dve_status status = put_steps(b, &s, from, tile);
    if (!status)
        status = run_step(b, &s);
    return status ? status : get_steps(b, &s, from, tile, at, from->next, from->next + 1);
}

/* Searches all of a level; *out becomes the level of its winners. */
static dve_status reduce(builder *b, const level *from, level *out)
{
    *out = (level){from->next, from->next + 1, 0, from->next + 2};
    for (uint64_t tile = 0; tile < from->columns; tile += DVE_TOPK_MAX_TILE) {
        uint32_t winners;
        dve_status status = search(b, from, tile, out->columns, &winners);
        if (status)
            return status;
        out->columns += winners;
    }
    return DVE_OK;
}

/* Each level at least halves the columns, or leaves no more than one search takes: k of longer rows is
 * at most half a tile. So there are at most 32 levels of two buffers. */
static dve_status batch(builder *b)
{
    level now = {DVE_PLAN_INPUT, DVE_PLAN_INPUT, b->plan->options.columns, 0};
    int last;
    do {
        level next;
        last = now.columns <= DVE_TOPK_MAX_TILE;
        dve_status status = reduce(b, &now, &next);
        if (status)
            return status;
        now = next;
    } while (!last);
    dve_plan_step cut = {.action = DVE_PLAN_CUT, .output = DVE_PLAN_VALUES, .buffer = now.values, .rows = b->rows,
                         .row = b->row, .columns = b->plan->options.k};
    dve_status status = add_step(b, &cut);
    cut.output = DVE_PLAN_INDICES;
    cut.buffer = now.indices;
    return status ? status : add_step(b, &cut);
}

dve_status dve_plan_new(const dve_topk_options *options, dve_plan **out, dve_error *error)
{
    const char *member;
    *out = NULL;
    dve_status status = dve_topk_check(options, &member, error);
    if (status || (status = dve_topk_check_limits(options, &member, error)))
        return status;
    dve_plan *plan = calloc(1, sizeof *plan);
    builder b = {.plan = plan};
    status = plan ? DVE_OK : DVE_E_INTERNAL;
    if (plan)
        plan->options = *options;
    for (uint64_t row = 0; status == DVE_OK && row < options->rows; row += DVE_LANES) {
        b.row = row;
        b.rows = options->rows - row < DVE_LANES ? (uint32_t)(options->rows - row) : DVE_LANES;
        status = batch(&b);
    }
    free(b.known);
    if (status)
        dve_error_set(error, "topk: no memory for the plan");
    dve_plan_fault fault;
    if (status || (status = dve_plan_check(plan, &fault, error)) != DVE_OK) {
        dve_plan_free(plan);
        return DVE_E_INTERNAL;
    }
    *out = plan;
    return DVE_OK;
}

void dve_plan_free(dve_plan *plan)
{
    if (!plan)
        return;
    free(plan->steps);
    free(plan->records);
    free(plan);
}
