/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that is measured, its programs and its data. */
#define _GNU_SOURCE 1            /* sched_setaffinity, MADV_HUGEPAGE */
#include "bench.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

double bench_now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* How often this thread lost its core. */
static long switches(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

int bench_again(bench_watch *w)
{
    enum { ATTEMPTS = 30 };
    return w->done < 2 || (w->done < ATTEMPTS && switches() != w->switches);
}

void bench_start(bench_watch *w)
{
    w->switches = switches();
    w->before = bench_now_us();
}

void bench_stop(bench_watch *w)
{
    w->us = bench_now_us() - w->before;
    w->done++;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(const double *values, unsigned count, double q)
{
    double sorted[BENCH_RUNS];
    memcpy(sorted, values, count * sizeof *values);
    qsort(sorted, count, sizeof *sorted, ascending);
    return sorted[(unsigned)(q * (count - 1) + 0.5)];
}

double bench_median(const double *values, unsigned count)
{
    return bench_quantile(values, count, 0.5);
}

/* ---- threads and cores ---- */

/* Stays on the first `cores` of the cores that the process may use; how many it got. */
static int pin(int cores)
{
    cpu_set_t all, chosen;
    int got = 0;
    CPU_ZERO(&chosen);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return 0;
    for (size_t c = 0; c < CPU_SETSIZE && got < cores; c++)
        if (CPU_ISSET(c, &all)) {
            CPU_SET(c, &chosen);
            got++;
        }
    return sched_setaffinity(0, sizeof chosen, &chosen) == 0 ? got : 0;
}

/* One core or two, and what rows cost that a plan puts in. */
static void share(void *context, uint32_t count, void (*body)(void *argument, uint32_t begin, uint32_t end),
                  void *argument)
{
    bench *b = context;
    double before = bench_now_us();
    if (b->threaded)
        dve_pool_run(b->pool, count, body, argument);
    else
        body(argument, 0, count);
    if (!b->transfer)
        b->transfer = body;                      /* a plan begins with one */
    if (b->transfer == body)
        b->transfer_us += bench_now_us() - before;
}

static void on_hazard(void *context, const dve_hazard *hazard)
{
    (void)hazard;
    ((bench *)context)->hazards++;
}

/* On huge pages where the system has them: page walks are not what is measured. */
static void *huge_pages(size_t bytes)
{
    enum { HUGE = 1 << 21 };
    bytes = (bytes + HUGE - 1) / HUGE * HUGE;
    void *memory = aligned_alloc(HUGE, bytes);
    if (!memory)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memset(memory, 0, bytes);
}

dve_status bench_begin(bench *b, unsigned runs)
{
    memset(b, 0, sizeof *b);
    b->runs = runs;
    b->level = bench_level_best();
    b->random.state = BENCH_SEED;
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.observer = (dve_observer){b, NULL, on_hazard};
    config.parallel_for = share;
    config.parallel_context = b;
    size_t size = dve_machine_size(&config);
    if (pin(2) == 2)
        b->pool = dve_pool_new(2);               /* its thread keeps both cores */
    pin(1);
    void *memory = huge_pages(size);
    b->saved = huge_pages((size_t)BENCH_ROWS * 65536);
    b->values = huge_pages(sizeof *b->values * BENCH_ROWS * 151936);
    b->row = malloc(sizeof *b->row * 151936);
    if (!memory || !b->saved || !b->values || !b->row)
        return cli_fail(DVE_E_INTERNAL, "not enough memory to measure");
    return dve_machine_init(memory, size, &config, &b->machine);
}

void bench_end(bench *b)
{
    dve_pool_free(b->pool);
    free(b->machine);
    free(b->saved);
    free(b->values);
    free(b->row);
}

/* ---- programs ---- */

static size_t expand(const bench_line *line, const char *text, char *out, size_t capacity)
{
    size_t at = 0;
    while (*text && *text != '\n' && at + 64 < capacity) {
        if (strncmp(text, "{N}", 3) == 0)
            at += (size_t)snprintf(out + at, 16, "%u", line->columns);
        else if (strncmp(text, "{T}", 3) == 0)
            at += strlen(dve_dtype_text(line->dtype, out + at, 32));
        else if (strncmp(text, "{L}", 3) == 0)
            at += (size_t)snprintf(out + at, 16, "0x%x", 7 * dve_num_size(line->dtype));
        else {
            out[at++] = *text++;
            continue;
        }
        text += 3;
    }
    out[at] = '\0';
    return at;
}

static dve_status parse(bench *b, const bench_line *line)
{
    static dve_text_result result;
    char text[512];
    b->count = 0;
    dve_text_begin(&b->source, DVE_GEN_DEFAULT);
    dve_status status = dve_text_parse(&b->source, ".dve 1", 6, &result);
    for (const char *at = line->text; *at && !status; at += *at == '\n') {
        status = dve_text_parse(&b->source, text, expand(line, at, text, sizeof text), &result);
        at += strcspn(at, "\n");
        if (status || result.kind != DVE_TEXT_RECORD)
            continue;
        if (b->count == BENCH_RECORDS)
            return cli_fail(DVE_E_INTERNAL, "line %s: too many records", line->id);
        dve_encode(&result.insn, &b->records[b->count++]);
    }
    return status ? cli_fail(DVE_E_INTERNAL, "line %s: %s", line->id, result.error[0].message) : DVE_OK;
}

/* ---- data ---- */

static uint8_t *row_of(bench *b, const dve_tensor *t, uint32_t row)
{
    uint32_t active;
    return dve_machine_bytes(b->machine, t->place.space, t->place.partition + row, &active) + t->place.offset;
}

static void fill(bench *b, const dve_tensor *t, bench_kind kind)
{
    static const dve_num_config num;
    uint32_t size = dve_num_size(t->dtype);
    const dve_tensor *x = dve_text_tensor(&b->source, "x");
    for (uint32_t row = 0; row < t->partitions; row++) {
        uint8_t *to = row_of(b, t, row);
        dve_place place = {t->place.space, t->place.partition + row, t->place.offset};
        if (strcmp(t->name, "keys") == 0) {
            for (uint32_t i = 0; i < t->elements; i++)
                memcpy(to + i * size, row_of(b, x, row) + bench_next(&b->random) % x->elements * size, size);
        } else if (strcmp(t->name, "p") == 0 || strcmp(t->name, "wide") == 0) {
            for (uint32_t i = 0; i < t->elements; i++)
                dve_num_store_bits(size, (uint32_t)bench_next(&b->random) & (*t->name == 'p' ? 1u : UINT32_MAX),
                                   to + i * size);
        } else {
            bench_row(&b->random, strcmp(t->name, "x") == 0 ? kind : BENCH_KIND_normal, t->elements, b->row);
            dve_num_store_f32(&num, t->dtype, b->row, t->elements, to, size);
        }
        dve_machine_mark(b->machine, &place, t->elements * size);
    }
}

dve_status bench_program(bench *b, const bench_line *line, bench_kind kind)
{
    dve_machine_reset(b->machine);
    dve_status status = parse(b, line);
    for (uint32_t i = 0; i < b->source.tensors && !status; i++)
        fill(b, &b->source.tensor[i], kind);
    return status;
}

dve_status bench_run_records(bench *b)
{
    static dve_stop stop;
    char text[DVE_TEXT];
    dve_status status = dve_machine_run(b->machine, b->records, b->count, &stop);
    return status ? cli_fail(DVE_E_INTERNAL, "%s", dve_stop_text(&stop, DVE_GEN_DEFAULT, text, sizeof text)) : DVE_OK;
}
