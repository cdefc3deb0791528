/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of opendve bench share. */
#ifndef DVE_CLI_BENCH_H
#define DVE_CLI_BENCH_H

#include "cli.h"
#include <opendve/host.h>

enum { BENCH_RUNS = 21, BENCH_QUICK_RUNS = 15, BENCH_ROWS = 128, BENCH_RECORDS = 64 };
#define BENCH_SEED UINT64_C(0x6f70656e647665)

/* ---- Data (bench_data.c) ---- */

typedef struct bench_random {
    uint64_t state;
} bench_random;

uint64_t bench_next(bench_random *r);

typedef enum bench_kind {
#define KIND(id, what) BENCH_KIND_##id,
#include "bench_kinds.def"
    BENCH_KINDS
} bench_kind;

const char *bench_kind_name(bench_kind kind);
/* A row of n fp32 patterns. */
void bench_row(bench_random *r, bench_kind kind, uint32_t n, uint32_t *out);

/* ---- Floors (bench_floor.c) ---- */

typedef enum bench_level { BENCH_PLAIN, BENCH_AVX2, BENCH_AVX512 } bench_level;

/* The best that this CPU has. */
bench_level bench_level_best(void);
const char *bench_level_name(bench_level level);
/* The plain maximum of n fp32 values: nothing that looks at each of them can be faster. */
float bench_maximum(bench_level level, const float *values, size_t n);

/* ---- Lines (bench_lines.def) ---- */

typedef enum bench_floor {
    BENCH_FLOOR_MAX,             /* a maximum over as many fp32 values */
    BENCH_FLOOR_COPY             /* memcpy of as many bytes */
} bench_floor;

typedef enum bench_unit { BENCH_RATIO, BENCH_SPEEDUP, BENCH_NS, BENCH_GIGA } bench_unit;

/* Which vector units the bars were set with. */
typedef enum bench_bar { BENCH_BAR_ANY, BENCH_BAR_AVX512 } bench_bar;

struct bench;
struct bench_line;

/* What runs of one line gave: the value that is judged, and the times it was made of (0: none). */
typedef struct bench_result {
    unsigned runs;
    double value[BENCH_RUNS], time_us[BENCH_RUNS], floor_us[BENCH_RUNS];
    const char *kind;            /* of the data, where the worst of all was taken */
} bench_result;

typedef dve_status bench_measure(struct bench *b, const struct bench_line *line, bench_result *out);

typedef struct bench_line {
    const char *id, *what;
    bench_measure *measure;
    const char *text;            /* .dve, see bench_program */
    uint32_t columns;
    uint8_t dtype;
    uint8_t floor;               /* bench_floor */
    uint8_t worst;               /* of all kinds of data; else normal */
    uint8_t restores;            /* the records change what they read */
    uint8_t unit, bar;           /* bench_unit, bench_bar */
    uint8_t slow;                /* left out with --quick */
    double pass, aim;
} bench_line;

extern const bench_line bench_lines[];           /* ends with a NULL id */

/* What all measurements share. */
typedef struct bench {
    dve_machine *machine;
    dve_pool *pool;              /* of two threads, used while `threaded` is set */
    int threaded;
    unsigned runs;
    bench_level level;
    bench_random random;
    uint64_t hazards;
    dve_text_source source;      /* of the current program */
    dve_record records[BENCH_RECORDS];
    unsigned count;
    uint8_t *saved;              /* rows of x, where they are restored */
    float *values;               /* for floors without a machine */
    uint32_t *row;
    double sink;                 /* what floors found, so that no compiler drops them */
    /* of dve_plan_run: time that putting rows in took */
    void (*transfer)(void *argument, uint32_t begin, uint32_t end);
    double transfer_us;
} bench;

double bench_now_us(void);
/* A stopwatch: while (bench_again(&w)) { bench_start(&w); work; bench_stop(&w); }. The work is done once and then again
 * to be timed, and repeated where the system took the core away meanwhile, at most so often that it ends. */
typedef struct bench_watch {
    double before, us;
    long switches;
    int done;
} bench_watch;
int bench_again(bench_watch *w);
void bench_start(bench_watch *w);
void bench_stop(bench_watch *w);
double bench_median(const double *values, unsigned count);       /* of at most BENCH_RUNS */
double bench_quantile(const double *values, unsigned count, double q);

/* bench_machine.c */
dve_status bench_begin(bench *b, unsigned runs);
void bench_end(bench *b);
/* Parses a text: {N} is the number of columns, {T} the data type, {L} the byte of the last of 8 elements. Tensors
 * of some names are filled: x by kind, f with as many normal fp32 values, p with predicates, keys with elements
 * of x, others with normal values. */
dve_status bench_program(bench *b, const bench_line *line, bench_kind kind);
dve_status bench_run_records(bench *b);

/* bench_measure.c, bench_overhead.c */
bench_measure bench_records, bench_threads, bench_rows, bench_load, bench_store, bench_fresh, bench_program_again;
/* Time of the search stream on rows of `columns` normal values, and of its floor. */
dve_status bench_point(bench *b, uint32_t columns, double *us, double *floor_us);

#endif
