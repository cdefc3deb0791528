/* SPDX-License-Identifier: Apache-2.0 */
/* Search records on [128, N] against a plain maximum over the same bytes: one core, everything interleaved, medians of
 * ratios. Records go through dve_machine_run with hazards and the written map on.
 *   bench_search [RUNS [KIND [N...]]]        KIND: a number of tests/kinds.c, or all */
#include <opendve/opendve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/kinds.h"
#if defined __x86_64__
#include <immintrin.h>
#endif

enum { ROWS = 128, MOST = 101, VALUES = 0x18000, INDICES = 0x18800, OTHER = 0x20000 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* ---- The floor, in the widest vectors of the host ---- */

static float floor_plain(const float *v, size_t n)
{
    float best[32], all;
    memcpy(best, v, sizeof best);
    for (size_t i = 0; i < n; i += 32)
        for (size_t j = 0; j < 32; j++)
            best[j] = v[i + j] > best[j] ? v[i + j] : best[j];
    all = best[0];
    for (int j = 1; j < 32; j++)
        all = best[j] > all ? best[j] : all;
    return all;
}

#if defined __x86_64__
__attribute__((target("avx2"))) static float floor_avx2(const float *v, size_t n)
{
    __m256 a = _mm256_loadu_ps(v), b = a, c = a, d = a;
    for (size_t i = 0; i < n; i += 32) {
        a = _mm256_max_ps(_mm256_loadu_ps(v + i), a);
        b = _mm256_max_ps(_mm256_loadu_ps(v + i + 8), b);
        c = _mm256_max_ps(_mm256_loadu_ps(v + i + 16), c);
        d = _mm256_max_ps(_mm256_loadu_ps(v + i + 24), d);
    }
    float best[8];
    _mm256_storeu_ps(best, _mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d)));
    for (int j = 1; j < 8; j++)
        best[0] = best[j] > best[0] ? best[j] : best[0];
    return best[0];
}

__attribute__((target("avx512f"))) static float floor_avx512(const float *v, size_t n)
{
    __m512 a = _mm512_loadu_ps(v), b = a;
    for (size_t i = 0; i < n; i += 32) {
        a = _mm512_max_ps(_mm512_loadu_ps(v + i), a);
        b = _mm512_max_ps(_mm512_loadu_ps(v + i + 16), b);
    }
    return _mm512_reduce_max_ps(_mm512_max_ps(a, b));
}
#endif

static float (*floor_best(void))(const float *v, size_t n)
{
#if defined __x86_64__
    if (dve_simd_supported(DVE_SIMD_AVX512))
        return floor_avx512;
    if (dve_simd_supported(DVE_SIMD_AVX2))
        return floor_avx2;
#endif
    return floor_plain;
}

/* ---- Records ---- */

typedef struct work {
    const char *name;
    dve_record records[48];
    size_t count;
    double us[MOST], ratio[MOST];
} work;

/* The address of a byte of partition 0 of SBUF is the byte. */
#define OPERAND(insn, format, name, at, step, n)                         \
    ((insn).value[DVE_SLOT_##format##_##name##_start_addr] = (at), \
     (insn).value[DVE_SLOT_##format##_##name##_step0] = (uint16_t)(step), \
     (insn).value[DVE_SLOT_##format##_##name##_num0] = (n), (insn).value[DVE_SLOT_##format##_##name##_num1] = 1)
#define OPERAND4(insn, format, name, at, step, n)                                                           \
    (OPERAND(insn, format, name, at, step, n), (insn).value[DVE_SLOT_##format##_##name##_num2] = 1, \
     (insn).value[DVE_SLOT_##format##_##name##_num3] = 1)

static dve_insn frame(uint8_t format, uint8_t opcode)
{
    dve_insn insn;
    memset(&insn, 0, sizeof insn);
    insn.format = format;
    insn.value[DVE_SLOT_RAW_opcode] = opcode;
    insn.value[DVE_SLOT_RAW_inst_word_len] = DVE_RECORD_BYTES / 4;
    return insn;
}

static void search(work *w, uint8_t opcode, uint8_t dtype, uint32_t n)
{
    int max8 = opcode == DVE_OPCODE_MAX8;
    dve_insn insn = frame(DVE_FORMAT_S4D2_BN, opcode);
    OPERAND4(insn, S4D2_BN, src, 0, 1, n);
    OPERAND(insn, S4D2_BN, dst, max8 ? VALUES + 28 : INDICES, max8 ? -1 : 1, 8);
    insn.value[DVE_SLOT_S4D2_BN_in_dtype] = dtype;
    insn.value[DVE_SLOT_S4D2_BN_out_dtype] = max8 ? DVE_DTYPE_FP32 : DVE_DTYPE_UINT32;
    insn.value[DVE_SLOT_S4D2_BN_num_active_channels] = ROWS;
    dve_encode(&insn, &w->records[w->count++]);
}

static void load(work *w, uint32_t at, int step)
{
    dve_insn insn = frame(DVE_FORMAT_S2_BN, DVE_OPCODE_MATCH_VALUE_LOAD);
    OPERAND(insn, S2_BN, src, at, step, 8);
    insn.value[DVE_SLOT_S2_BN_dtype] = DVE_DTYPE_FP32;
    insn.value[DVE_SLOT_S2_BN_num_active_channels] = ROWS;
    dve_encode(&insn, &w->records[w->count++]);
}

static void replace(work *w, uint32_t dst, uint32_t n)
{
    dve_insn insn = frame(DVE_FORMAT_S4D4_MR, DVE_OPCODE_MATCH_REPLACE8);
    OPERAND4(insn, S4D4_MR, src, 0, 1, n);
    OPERAND4(insn, S4D4_MR, dst, dst, 1, n);
    insn.value[DVE_SLOT_S4D4_MR_in_dtype] = insn.value[DVE_SLOT_S4D4_MR_out_dtype] = DVE_DTYPE_FP32;
    insn.value[DVE_SLOT_S4D4_MR_num_active_channels] = ROWS;
    insn.value[DVE_SLOT_S4D4_MR_immediate] = 0xff800000u;
    dve_encode(&insn, &w->records[w->count++]);
}

static void make_works(work *w, uint32_t n)
{
    search(&w[0], DVE_OPCODE_MAX8, DVE_DTYPE_FP32, n);
    search(&w[1], DVE_OPCODE_MAX8, DVE_DTYPE_FP32, n);
    load(&w[1], VALUES + 28, -1);
    search(&w[1], DVE_OPCODE_FIND_INDEX8, DVE_DTYPE_FP32, n);
    load(&w[2], OTHER - 64, 1);
    search(&w[2], DVE_OPCODE_FIND_INDEX8, DVE_DTYPE_FP32, n);
    load(&w[3], OTHER - 32, 1);
    search(&w[3], DVE_OPCODE_FIND_INDEX8, DVE_DTYPE_FP32, n);
    load(&w[4], OTHER - 32, 1);
    replace(&w[4], 0, n);
    load(&w[5], OTHER - 64, 1);
    replace(&w[5], OTHER, n);
    for (int round = 0; round < 8; round++) {
        search(&w[6], DVE_OPCODE_MAX8, DVE_DTYPE_FP32, n);
        load(&w[6], VALUES + 28, -1);
        search(&w[6], DVE_OPCODE_FIND_INDEX8, DVE_DTYPE_FP32, n);
        load(&w[6], VALUES, 1);
        replace(&w[6], 0, n);
    }
    search(&w[7], DVE_OPCODE_MAX8, DVE_DTYPE_BF16, n);
    load(&w[7], VALUES + 28, -1);
    search(&w[7], DVE_OPCODE_FIND_INDEX8, DVE_DTYPE_BF16, n);
    search(&w[8], DVE_OPCODE_MAX8, DVE_DTYPE_FP16, n);
    load(&w[8], VALUES + 28, -1);
    search(&w[8], DVE_OPCODE_FIND_INDEX8, DVE_DTYPE_FP16, n);
}

static const char *const names[] = {"max8", "max8+load+find", "find, keys of the row", "find, keys not there",
                                    "replace, in place", "replace, elsewhere", "top-64 in records", "bf16 max8+load+find",
                                    "fp16 max8+load+find"};
enum { WORKS = sizeof names / sizeof names[0] };

/* ---- Data ---- */

static uint32_t rows_of[ROWS][16384];

static void put(dve_machine *m, uint32_t n, uint8_t dtype)
{
    dve_num_config num = {0};
    for (uint32_t r = 0; r < ROWS; r++) {
        uint32_t active;
        uint8_t *bytes = dve_machine_bytes(m, DVE_SPACE_SBUF, r, &active);
        if (dtype == DVE_DTYPE_FP32)
            memcpy(bytes, rows_of[r], (size_t)4 * n);
        else
            dve_num_store_f32(&num, dtype, rows_of[r], n, bytes, 2);
        for (uint32_t k = 0; k < 8; k++) {       /* keys of the row, and keys that are not there */
            uint32_t own = rows_of[r][(k * 2654435761u + r * 40503u) % n], none = 0x4b000000u + k * 99991u * (k % 2 ? 1 : 3);
            none ^= k % 2 ? 0x80000000u : 0;
            memcpy(bytes + OTHER - 64 + 4 * k, &own, 4);
            memcpy(bytes + OTHER - 32 + 4 * k, &none, 4);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, size_t n)
{
    qsort(times, n, sizeof *times, ascending);
    return times[n / 2];
}

/* The rows where the records find them. */
static double floor_us(dve_machine *m, uint32_t n, float *sink)
{
    float (*pass)(const float *v, size_t n) = floor_best();
    uint32_t active;
    double begin = now_us();
    for (uint32_t r = 0; r < ROWS; r++)
        *sink += pass((const float *)(const void *)dve_machine_bytes(m, DVE_SPACE_SBUF, r, &active), n);
    return now_us() - begin;
}

static double copy_us(dve_machine *m, uint32_t n)
{
    uint32_t active;
    double begin = now_us();
    for (uint32_t r = 0; r < ROWS; r++) {
        uint8_t *bytes = dve_machine_bytes(m, DVE_SPACE_SBUF, r, &active);
        memcpy(bytes + OTHER, bytes, (size_t)4 * n);
    }
    return now_us() - begin;
}

static void measure(dve_machine *m, unsigned kind, uint32_t n, unsigned runs)
{
    static work works[WORKS];
    static dve_stop stop;
    double floors[MOST], copies[MOST];
    float sink = 0;
    memset(works, 0, sizeof works);
    make_works(works, n);
    for (uint32_t r = 0; r < ROWS; r++)
        kind_fill(kind, r + 1, rows_of[r], n);
    for (unsigned run = 0; run < runs; run++) {
        put(m, n, DVE_DTYPE_FP32);
        floor_us(m, n, &sink);
        floors[run] = floor_us(m, n, &sink);
        copy_us(m, n);
        copies[run] = copy_us(m, n);
        for (unsigned i = 0; i < WORKS; i++) {
            put(m, n, i == 7 ? DVE_DTYPE_BF16 : i == 8 ? DVE_DTYPE_FP16 : DVE_DTYPE_FP32);
            for (int warm = i == 6 ? 0 : 1; warm >= 0; warm--) {
                double begin = now_us();
                if (dve_machine_run(m, works[i].records, works[i].count, &stop) != DVE_OK) {
                    fprintf(stderr, "bench_search: %s refused, reason %d\n", names[i], (int)stop.reason);
                    exit(70);
                }
                works[i].us[run] = now_us() - begin;
            }
            works[i].ratio[run] = works[i].us[run] / (i == 5 ? copies[run] : floors[run]);
        }
    }
    printf("[128, %u] %s: plain maximum %.1f us, copy %.1f us\n", n, kind_name(kind), median(floors, runs),
           median(copies, runs));
    for (unsigned i = 0; i < WORKS; i++)
        printf("  %-24s %8.1f us  %6.2f%s\n", names[i], median(works[i].us, runs), median(works[i].ratio, runs),
               i == 5 ? " of a copy" : "");
}

int main(int argc, char **argv)
{
    static const uint32_t lengths[] = {16384, 4096, 512};
    unsigned runs = argc > 1 ? (unsigned)atoi(argv[1]) : 21, wanted = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    const char *level = getenv("OPENDVE_SIMD");
    dve_machine_config config;
    dve_machine_defaults(&config);
    for (uint8_t simd = 0; level && simd < DVE_SIMD_LEVELS; simd++)
        if (strcmp(level, dve_simd_name(simd)) == 0)
            config.simd = simd;
    dve_machine *m = dve_machine_new(&config);
    if (!m || runs < 1 || runs > MOST)
        return 64;
    for (uint32_t r = 0; r < ROWS; r++)
        dve_machine_mark(m, &(dve_place){DVE_SPACE_SBUF, r, 0}, 2 * OTHER > 0x38000 ? 0x38000 : 2 * OTHER);
    printf("level %s\n", dve_simd_name(config.simd ? config.simd : dve_simd_best()));
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (argc <= 2 ? kind == 0 : kind == wanted || argv[2][0] == 'a')
                measure(m, kind, lengths[i], runs);
    dve_machine_free(m);
    return 0;
}
