/* SPDX-License-Identifier: Apache-2.0 */
/* What a C program does for a top-k, for bench/topk.py to compare with: a plan, a run on a machine that is kept, fresh
 * results. Answers microseconds, or a negative number. */
#include <opendve/opendve.h>
#include <stdlib.h>
#include <time.h>

double bench_topk_call(const float *scores, uint64_t rows, uint64_t columns, uint64_t k, unsigned threads);

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static dve_machine *machine_of(unsigned threads)
{
    static dve_machine *machine;
    static unsigned made_for;
    if (machine && made_for == threads)
        return machine;
    dve_machine_free(machine);
    dve_machine_config config;
    dve_machine_defaults(&config);
    made_for = threads;
    config.parallel_context = threads == 1 ? NULL : dve_pool_new(threads);
    config.parallel_for = config.parallel_context ? dve_pool_run : NULL;
    return machine = dve_machine_new(&config);
}

double bench_topk_call(const float *scores, uint64_t rows, uint64_t columns, uint64_t k, unsigned threads)
{
    static dve_stop stop;
    dve_error error;
    dve_topk_options options;
    dve_machine *machine = machine_of(threads);
    double begin = now_us();
    dve_topk_defaults(&options);
    options.rows = rows;
    options.columns = columns;
    options.k = k;
    dve_plan *plan;
    float *values = malloc(sizeof *values * (size_t)(rows * k));
    uint32_t *indices = malloc(sizeof *indices * (size_t)(rows * k));
    dve_status status = dve_plan_new(&options, &plan, &error);
    if (!status)
        status = dve_plan_run(plan, machine, scores, values, indices, &stop, &error);
    dve_plan_free(plan);
    free(values);
    free(indices);
    return status ? -1 : now_us() - begin;
}
