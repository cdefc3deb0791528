/* SPDX-License-Identifier: Apache-2.0 */
/* Top-8 of [128, 16384] fp32 against a plain maximum over the same array, in one run on one core:
 * 21 interleaved pairs, medians. Copying in and out, hazards and the written map are part of the time.
 * Exit 1 if the ratio misses the goal. */
#include <opendve/opendve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 128, COLUMNS = 16384, K = 8, RUNS = 21, GOAL = 20, LANES = 16 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Sum of uniform numbers: near enough to normal, and the same on every host. */
static void fill(float *scores)
{
    uint64_t state = 1;
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        float sum = 0;
        for (int j = 0; j < 12; j++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            sum += (float)(state >> 40) / 16777216.0f;
        }
        scores[i] = sum - 6.0f;
    }
}

/* The floor: independent maxima so that the compiler may use vector registers. */
static float maximum(const float *scores)
{
    float best[LANES];
    memcpy(best, scores, sizeof best);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i += LANES)
        for (int j = 0; j < LANES; j++)
            best[j] = scores[i + (size_t)j] > best[j] ? scores[i + (size_t)j] : best[j];
    float all = best[0];
    for (int j = 1; j < LANES; j++)
        all = best[j] > all ? best[j] : all;
    return all;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, RUNS, sizeof *times, ascending);
    return times[RUNS / 2];
}

static void ignore(void *context, const dve_topk_hazard *hazard)
{
    (void)hazard;
    ++*(uint64_t *)context;
}

int main(void)
{
    static float values[ROWS * K];
    static uint32_t indices[ROWS * K];
    static dve_stop stop;
    dve_error error = {""};
    float *scores = malloc(sizeof *scores * ROWS * COLUMNS);
    dve_topk_options options;
    dve_topk_defaults(&options);
    options.rows = ROWS;
    options.columns = COLUMNS;
    options.k = K;
    dve_plan *plan = NULL;
    dve_machine_config config;
    dve_machine_defaults(&config);
    dve_machine *machine = dve_machine_new(&config);
    if (!scores || !machine || dve_plan_new(&options, &plan, &error) != DVE_OK) {
        fprintf(stderr, "bench_topk: %s\n", error.text[0] ? error.text : "no memory");
        return 70;
    }
    fill(scores);
    double floor_us[RUNS], topk_us[RUNS], ratio[RUNS];
    float checksum = 0;
    uint64_t hazards = 0;
    for (int r = -1; r < RUNS; r++) {            /* the first pair warms up */
        double t0 = now_us();
        checksum += maximum(scores);
        double t1 = now_us();
        dve_status status = dve_plan_run(plan, machine, scores, values, indices, &stop, &error);
        if (status == DVE_OK)
            status = dve_topk_hazards(&options, scores, values, NULL, NULL, ignore, &hazards);
        double t2 = now_us();
        if (status != DVE_OK) {
            fprintf(stderr, "bench_topk: %s\n", error.text);
            return 70;
        }
        if (r < 0)
            continue;
        floor_us[r] = t1 - t0;
        topk_us[r] = t2 - t1;
        ratio[r] = topk_us[r] / floor_us[r];
    }
    double middle = median(ratio), floor_middle = median(floor_us), topk_middle = median(topk_us);
    printf("top-%d of [%d, %d] fp32, one core, %d pairs (checksum %g, %llu hazards)\n", K, ROWS, COLUMNS, RUNS,
           (double)checksum, (unsigned long long)hazards);
    printf("plain maximum %8.0f us (median; least %.0f)\n", floor_middle, floor_us[0]);
    printf("top-k         %8.0f us (median; least %.0f)\n", topk_middle, topk_us[0]);
    printf("ratio         %8.2f    (median of pairs; %.2f to %.2f; goal below %d)\n", middle, ratio[0],
           ratio[RUNS - 1], GOAL);
    dve_plan_free(plan);
    dve_machine_free(machine);
    free(scores);
    return middle < GOAL ? 0 : 1;
}
