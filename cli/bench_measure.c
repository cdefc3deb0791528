/* SPDX-License-Identifier: Apache-2.0 */
/* Measures lines: our time and the floor's in turn, each after a run that is not timed, so that all start from the
 * same caches. */
#include "bench.h"
#include "commands.h"
#include <opendve/topk.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 1, RESTORES = 2, SLOW = 4 };

const bench_line bench_lines[] = {
#define FLAGS(flags) .worst = ((flags) & WORST) != 0, .restores = ((flags) & RESTORES) != 0, .slow = ((flags) & SLOW) != 0
#define RECORDS(id, what, text, columns, dtype, floor, flags, set_on, good, best)                                        \
    {#id, what, bench_records, text, columns, DVE_DTYPE_##dtype, BENCH_FLOOR_##floor, .unit = BENCH_RATIO, FLAGS(flags), \
     .bar = BENCH_BAR_##set_on, .pass = good, .aim = best},
#define OTHER(id, what, measure, text, columns, dtype, judged, flags, set_on, good, best)       \
    {#id, what, measure, text, columns, DVE_DTYPE_##dtype, 0, .unit = BENCH_##judged, FLAGS(flags), \
     .bar = BENCH_BAR_##set_on, .pass = good, .aim = best},
#include "bench_lines.def"
    {0},
};

/* ---- records ---- */

static uint8_t *row_of(bench *b, const dve_tensor *t, uint32_t row)
{
    uint32_t active;
    return dve_machine_bytes(b->machine, t->place.space, t->place.partition + row, &active) + t->place.offset;
}

static uint32_t row_bytes(const dve_tensor *t)
{
    return t->elements * dve_num_size(t->dtype);
}

static void run_maximum(bench *b)
{
    const dve_tensor *f = dve_text_tensor(&b->source, "f");
    if (!f)
        f = dve_text_tensor(&b->source, "x");
    for (uint32_t row = 0; row < f->partitions; row++)
        b->sink += (double)bench_maximum(b->level, (const float *)(const void *)row_of(b, f, row), f->elements);
}

/* Of the largest tensor, into y unless that is it. Records that touch more than twice its bytes are compared with as
 * many times more: answers how many. */
static double run_copy(bench *b)
{
    const dve_tensor *most = &b->source.tensor[0], *y = dve_text_tensor(&b->source, "y");
    double bytes = 0;
    for (uint32_t i = 0; i < b->source.tensors; i++) {
        bytes += row_bytes(&b->source.tensor[i]);
        if (row_bytes(&b->source.tensor[i]) > row_bytes(most))
            most = &b->source.tensor[i];
    }
    int inside = y && y != most && row_bytes(y) == row_bytes(most);
    for (uint32_t row = 0; row < most->partitions; row++)
        memcpy(inside ? row_of(b, y, row) : b->saved + (size_t)row * 65536, row_of(b, most, row), row_bytes(most));
    double times = bytes / (2.0 * row_bytes(most));
    return times > 1 ? times : 1;
}

static void keep_rows(bench *b, int back)
{
    const dve_tensor *x = dve_text_tensor(&b->source, "x");
    for (uint32_t row = 0; row < x->partitions; row++) {
        uint8_t *kept = b->saved + (size_t)row * 65536, *at = row_of(b, x, row);
        memcpy(back ? at : kept, back ? kept : at, row_bytes(x));
    }
}

static dve_status time_records(bench *b, const bench_line *line, double *us)
{
    bench_watch w = {0};
    dve_status status = DVE_OK;
    while (!status && bench_again(&w)) {
        if (line->restores)
            keep_rows(b, 1);
        bench_start(&w);
        status = bench_run_records(b);
        bench_stop(&w);
    }
    *us = w.us;
    return status;
}

static double time_floor(bench *b, const bench_line *line)
{
    bench_watch w = {0};
    double times = 1;
    while (bench_again(&w)) {
        bench_start(&w);
        if (line->floor == BENCH_FLOOR_COPY)
            times = run_copy(b);
        else
            run_maximum(b);
        bench_stop(&w);
    }
    return w.us * times;
}

static dve_status measure_kind(bench *b, const bench_line *line, bench_kind kind, bench_result *out)
{
    dve_status status = bench_program(b, line, kind);
    memset(out, 0, sizeof *out);
    if (line->restores && !status)
        keep_rows(b, 0);
    for (unsigned r = 0; r < b->runs && !status; r++) {
        status = time_records(b, line, &out->time_us[r]);
        out->floor_us[r] = time_floor(b, line);
        out->value[r] = out->time_us[r] / out->floor_us[r];
        out->runs++;
    }
    return status;
}

dve_status bench_records(bench *b, const bench_line *line, bench_result *out)
{
    if (!line->worst)
        return measure_kind(b, line, BENCH_KIND_normal, out);
    double worst = 0;
    dve_status status = DVE_OK;
    for (unsigned kind = 0; kind < BENCH_KINDS && !status; kind++) {
        bench_result one;
        status = measure_kind(b, line, (bench_kind)kind, &one);
        double middle = bench_median(one.value, one.runs);
        if (status || middle <= worst)
            continue;
        worst = middle;
        *out = one;
        out->kind = bench_kind_name((bench_kind)kind);
    }
    return status;
}

dve_status bench_point(bench *b, uint32_t columns, double *us, double *floor_us)
{
    bench_line line = {.id = "curve", .dtype = DVE_DTYPE_FP32, .floor = BENCH_FLOOR_MAX, .columns = columns};
    bench_result result;
    for (const bench_line *l = bench_lines; l->id; l++)
        if (strcmp(l->id, "stream_16384") == 0)
            line.text = l->text;
    if (columns > DVE_TOPK_MAX_TILE)
        line.measure = bench_rows;
    dve_status status = line.measure ? bench_rows(b, &line, &result)
                                     : measure_kind(b, &line, BENCH_KIND_normal, &result);
    *us = bench_median(result.time_us, result.runs);
    *floor_us = bench_median(result.floor_us, result.runs);
    return status;
}

dve_status bench_threads(bench *b, const bench_line *line, bench_result *out)
{
    memset(out, 0, sizeof *out);
    dve_status status = b->pool ? bench_program(b, line, BENCH_KIND_normal) : DVE_OK;
    for (unsigned r = 0; r < b->runs && b->pool && !status; r++) {
        status = time_records(b, line, &out->floor_us[r]);
        b->threaded = 1;
        if (!status)
            status = time_records(b, line, &out->time_us[r]);
        b->threaded = 0;
        out->value[r] = out->floor_us[r] / out->time_us[r];
        out->runs++;
    }
    return status;
}

/* ---- rows longer than a tile ---- */

static void run_long_maximum(bench *b, const bench_line *line)
{
    for (size_t row = 0; row < BENCH_ROWS; row++)
        b->sink += (double)bench_maximum(b->level, b->values + row * line->columns, line->columns);
}

/* The plan's time without that of putting rows in. */
static dve_status time_plan(bench *b, const dve_plan *plan, double *us)
{
    static dve_stop stop;
    static float values[BENCH_ROWS * 8];
    static uint32_t indices[BENCH_ROWS * 8];
    dve_error error = {""};
    bench_watch w = {0};
    dve_status status = DVE_OK;
    while (!status && bench_again(&w)) {
        b->transfer = NULL;
        b->transfer_us = 0;
        bench_start(&w);
        status = dve_plan_run(plan, b->machine, b->values, values, indices, &stop, &error);
        bench_stop(&w);
    }
    *us = w.us - b->transfer_us;
    return status ? cli_fail(DVE_E_INTERNAL, "%s", error.text) : DVE_OK;
}

dve_status bench_rows(bench *b, const bench_line *line, bench_result *out)
{
    dve_topk_options options;
    dve_plan *plan;
    dve_error error = {""};
    dve_topk_defaults(&options);
    options.rows = BENCH_ROWS;
    options.columns = line->columns;
    options.k = 8;
    memset(out, 0, sizeof *out);
    dve_status status = dve_plan_new(&options, &plan, &error);
    if (status)
        return cli_fail(DVE_E_INTERNAL, "%s", error.text);
    for (size_t row = 0; row < BENCH_ROWS; row++) {
        bench_row(&b->random, BENCH_KIND_normal, line->columns, b->row);
        memcpy(b->values + row * line->columns, b->row, sizeof *b->row * line->columns);
    }
    for (unsigned r = 0; r < b->runs && !status; r++) {
        status = time_plan(b, plan, &out->time_us[r]);
        bench_watch w = {0};
        while (bench_again(&w)) {
            bench_start(&w);
            run_long_maximum(b, line);
            bench_stop(&w);
        }
        out->floor_us[r] = w.us;
        out->value[r] = out->time_us[r] / out->floor_us[r];
        out->runs++;
    }
    dve_plan_free(plan);
    return status;
}

/* ---- conversions ---- */

enum { BULK = 1 << 21 };

static dve_status measure_bulk(bench *b, const bench_line *line, int store, bench_result *out)
{
    dve_num_config num = {.vectors = b->level == BENCH_AVX512 ? DVE_VECTORS_AVX512 : b->level == BENCH_AVX2};
    uint32_t size = dve_num_size(line->dtype);
    uint32_t *wide = (uint32_t *)(void *)b->values;
    uint8_t *copy = (uint8_t *)(b->values + BULK), *narrow = (uint8_t *)(b->values + 2 * BULK);
    memset(out, 0, sizeof *out);
    bench_row(&b->random, BENCH_KIND_normal, BULK, wide);
    dve_num_store_f32(&num, line->dtype, wide, BULK, narrow, size);
    for (unsigned r = 0; r < b->runs; r++) {
        bench_watch w = {0}, copying = {0};
        while (bench_again(&w)) {
            bench_start(&w);
            if (store)
                dve_num_store_f32(&num, line->dtype, wide, BULK, narrow, size);
            else
                dve_num_load_f32(&num, line->dtype, narrow, size, BULK, wide);
            bench_stop(&w);
        }
        while (bench_again(&copying)) {
            bench_start(&copying);
            memcpy(copy, wide, BULK * sizeof *wide);
            bench_stop(&copying);
        }
        out->time_us[r] = w.us;
        out->floor_us[r] = copying.us;
        b->sink += (double)copy[r];
        out->value[r] = line->unit == BENCH_GIGA ? BULK / out->time_us[r] / 1e3 : out->time_us[r] / out->floor_us[r];
        out->runs++;
    }
    return DVE_OK;
}

dve_status bench_load(bench *b, const bench_line *line, bench_result *out)
{
    return measure_bulk(b, line, 0, out);
}

dve_status bench_store(bench *b, const bench_line *line, bench_result *out)
{
    return measure_bulk(b, line, 1, out);
}
