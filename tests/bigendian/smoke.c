/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that depends on the byte order of the host, with answers that do not: records as bytes, conversions, the
 * search instructions and arrays. Runs on every host; CI runs it on a big-endian one too. */
#include <opendve/opendve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle/oracle.h"
#include "io/npy.h"

static unsigned passed, failed;
static uint8_t rec[64];                  /* the record under construction */
static uint8_t *sbuf;                    /* partition 0 of the machine */

#define SAME(got, want) check_same((uint32_t)(got), (uint32_t)(want), __LINE__, #got)

static void check_same(uint32_t got, uint32_t want, int line, const char *text)
{
    if (got == want) {
        passed++;
        return;
    }
    failed++;
    printf("smoke.c:%d: failed: %s is 0x%x, wanted 0x%x\n", line, text, (unsigned)got, (unsigned)want);
}

static void put(uint8_t *p, unsigned size, uint32_t value)
{
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t get(const uint8_t *p, unsigned size)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)p[i] << (8 * i);
    return value;
}

static uint32_t fp32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void begin(uint8_t opcode, uint8_t in, uint8_t out)
{
    memset(rec, 0, sizeof rec);
    rec[0] = opcode;
    rec[1] = 16;
    rec[32] = in;
    rec[33] = out;
    rec[34] = 1;
}

/* A walk along the first dimension. */
static void pattern(unsigned at, unsigned dims, uint32_t word, int step, unsigned num)
{
    put(rec + at, 4, word);
    for (unsigned d = 0; d < dims; d++) {
        put(rec + at + 4 + 2 * d, 2, d ? 1u : (uint32_t)step & 0xffffu);
        put(rec + at + 4 + 2 * dims + 2 * d, 2, d ? 1u : num);
    }
}

static void load_keys(uint32_t word, int step)
{
    begin(DVE_OPCODE_MATCH_VALUE_LOAD, DVE_DTYPE_FP32, 0);
    pattern(16, 2, word, step, 8);
}

/* Max8 or FindIndex8 of the elements at 0, results to 0x2000. */
static void search(uint8_t opcode, unsigned num)
{
    begin(opcode, DVE_DTYPE_FP32, opcode == DVE_OPCODE_MAX8 ? DVE_DTYPE_FP32 : DVE_DTYPE_UINT32);
    pattern(12, 4, 0, 1, num);
    pattern(48, 2, 0x2000, 1, 8);
}

static void replace(uint32_t dst, unsigned num)
{
    begin(DVE_OPCODE_MATCH_REPLACE8, DVE_DTYPE_FP32, DVE_DTYPE_FP32);
    pattern(12, 4, 0, 1, num);
    pattern(44, 4, dst, 1, num);
    put(rec + 40, 4, fp32(-7.0f));
}

static void read_indices(uint32_t word, int step)
{
    begin(DVE_OPCODE_DVE_READ_INDICES, DVE_DTYPE_UINT32, 0);
    put(rec + 28, 4, 8);
    pattern(44, 4, word, step, 8);
}

static dve_record record_of(void)
{
    dve_record record;
    memcpy(record.byte, rec, sizeof record.byte);
    return record;
}

/* Decodes the record under construction; it must encode to the same bytes. */
static dve_insn decoded(void)
{
    dve_record record = record_of(), back;
    dve_insn insn;
    memset(&back, 0xa5, sizeof back);
    dve_decode(&record, &insn);
    dve_encode(&insn, &back);
    SAME(memcmp(&record, &back, sizeof record), 0);
    return insn;
}

static void test_fields(void)
{
    search(DVE_OPCODE_MAX8, 0x1234);
    put(rec + 8, 4, 0x89abcdefu);
    dve_insn insn = decoded();
    SAME(insn.format, DVE_FORMAT_S4D2_BN);
    SAME(insn.value[DVE_SLOT_S4D2_BN_semaphore_value], 0x89abcdefu);
    SAME(insn.value[DVE_SLOT_S4D2_BN_src_num0], 0x1234);
    SAME(insn.value[DVE_SLOT_S4D2_BN_dst_start_addr], 0x2000);

    replace(0x2002004, 9);
    insn = decoded();
    SAME(insn.value[DVE_SLOT_S4D4_MR_immediate], 0xc0e00000u);
    SAME(insn.value[DVE_SLOT_S4D4_MR_dst_start_addr], 0x2002004);
    SAME(rec[40], 0);
    SAME(rec[43], 0xc0);

    load_keys(0x101c, -1);
    insn = decoded();
    SAME(insn.value[DVE_SLOT_S2_BN_src_step0], 0xffff);
    SAME(dve_check(&insn, 3, NULL, 0), 0);
    read_indices(0x3000, 1);
    insn = decoded();
    SAME(insn.value[DVE_SLOT_D4_MR_dst_element_count], 8);
    SAME(dve_check(&insn, 3, NULL, 0), 0);
    SAME(dve_check(&insn, 2, NULL, 0) != 0, 1);
}

static void test_every_opcode(void)
{
    uint32_t state = 1;
    for (unsigned i = 0; i < 2048; i++) {
        for (unsigned b = 1; b < 64; b++) {
            state = state * 1664525u + 1013904223u;
            rec[b] = (uint8_t)(state >> 24);
        }
        rec[0] = (uint8_t)i;
        (void)decoded();
    }
}

static void test_conversions(void)
{
    static const dve_num_config c;
    static const uint8_t bytes[8] = {0x00, 0x3c, 0xff, 0x7b, 0x01, 0x00, 0x00, 0xc0};    /* fp16 */
    static const uint32_t floats[4] = {0x3f800000u, 0x477fe000u, 0x33800000u, 0xc0000000u};
    uint32_t loaded[4];
    uint8_t stored[16];

    SAME(dve_num_to_f32(&c, DVE_DTYPE_BF16, 0x4049), 0x40490000u);
    SAME(dve_num_from_f32(&c, DVE_DTYPE_BF16, 0x40490fdbu), 0x4049);
    SAME(dve_num_from_f32(&c, DVE_DTYPE_FP16, 0x40490fdbu), 0x4248);
    SAME(dve_num_from_f32(&c, DVE_DTYPE_FP8_E4M3, 0x3fc00000u), 0x3c);
    SAME(dve_num_from_f32(&c, DVE_DTYPE_INT16, 0xc7000100u), 0x8000);
    SAME(dve_num_convert(&c, DVE_DTYPE_UINT32, DVE_DTYPE_FP32, 0x01000001), 0x4b800000u);
    SAME(dve_num_convert(&c, DVE_DTYPE_INT32, DVE_DTYPE_FP32, 0xffffffffu), 0xbf800000u);

    dve_num_load_f32(&c, DVE_DTYPE_FP16, bytes, 2, 4, loaded);
    for (unsigned i = 0; i < 4; i++)
        SAME(loaded[i], floats[i]);
    dve_num_load_f32(&c, DVE_DTYPE_FP16, bytes + 6, -2, 4, loaded);
    for (unsigned i = 0; i < 4; i++)
        SAME(loaded[i], floats[3 - i]);
    dve_num_store_f32(&c, DVE_DTYPE_FP16, floats, 4, stored, 2);
    SAME(memcmp(stored, bytes, 8), 0);
    dve_num_store_f32(&c, DVE_DTYPE_FP32, floats, 4, stored, 4);
    SAME(stored[0], 0);
    SAME(stored[3], 0x3f);
    SAME(dve_num_load_bits(4, stored + 4), 0x477fe000u);
    SAME(dve_num_load_bits(2, bytes + 2), 0x7bff);
}

/* One by one and in bulk against the oracle: every pattern of the small types. */
static void test_every_small_value(void)
{
    static const uint8_t types[] = {DVE_DTYPE_INT8, DVE_DTYPE_UINT8, DVE_DTYPE_INT16, DVE_DTYPE_UINT16, DVE_DTYPE_BF16,
                                    DVE_DTYPE_FP16, DVE_DTYPE_FP8_E3M4, DVE_DTYPE_FP8_E4M3, DVE_DTYPE_FP8_E5M2};
    static const dve_num_config c;
    static uint8_t bytes[2 << 16], back[2 << 16];
    static uint32_t bulk[1 << 16];
    for (unsigned t = 0; t < sizeof types; t++) {
        uint32_t size = dve_num_size(types[t]), count = 1u << 8 * size, wrong = 0;
        for (uint32_t bits = 0; bits < count; bits++)
            put(bytes + size * bits, size, bits);
        dve_num_load_f32(&c, types[t], bytes, (ptrdiff_t)size, count, bulk);
        dve_num_store_f32(&c, types[t], bulk, count, back, (ptrdiff_t)size);
        for (uint32_t bits = 0; bits < count; bits++) {
            uint32_t want = oracle_to_fp32(types[t], bits, NULL);
            wrong += dve_num_to_f32(&c, types[t], bits) != want || bulk[bits] != want;
            wrong += get(back + size * bits, size) != oracle_from_fp32(types[t], want, NULL);
        }
        SAME(wrong, 0);
    }
}

static void execute(dve_machine *machine)
{
    dve_record record = record_of();
    dve_stop stop;
    SAME(dve_machine_run(machine, &record, 1, &stop), DVE_OK);
}

static void expect_floats(unsigned at, const float *want, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        SAME(get(sbuf + at + 4 * i, 4), fp32(want[i]));
}

static void expect_indices(unsigned at, const uint32_t *want, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        SAME(get(sbuf + at + 4 * i, 4), want[i]);
}

/* One round of a top-k over the scores at 0: values to 0x1000, positions to 0x2000, then the winners are taken out. */
static void round_of_8(dve_machine *machine, unsigned scores)
{
    search(DVE_OPCODE_MAX8, scores);
    put(rec + 48, 4, 0x1000);
    execute(machine);
    load_keys(0x1000, 1);
    execute(machine);
    search(DVE_OPCODE_FIND_INDEX8, scores);
    execute(machine);
    load_keys(0x1000, 1);
    execute(machine);
    replace(0, scores);
    execute(machine);
}

static void test_search(void)
{
    static const float scores[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    static const float best[8] = {3, 4, 5, 5, 5, 6, 8, 9}, next[8] = {-7, -7, -7, -7, 1, 1, 2, 3};
    static const float left[12] = {-7, 1, -7, 1, -7, -7, 2, -7, -7, 3, -7, -7};
    static const uint32_t best_at[8] = {5, 11, 7, 4, 8, 10, 2, 0}, next_at[8] = {9, 6, 1, 3, 0, 2, 4, 5};
    static const uint16_t halves[8] = {0x3c00, 0x7bff, 0x0001, 0xc000, 0x4248, 0x8000, 0xfc00, 0x3555};
    static const uint32_t brains[8] = {0xff80, 0xc000, 0x8000, 0x3380, 0x3eab, 0x3f80, 0x4049, 0x4780};
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.uninit_zero = 1;
    dve_machine *machine = dve_machine_new(&config);
    uint32_t active;
    if (!machine)
        exit(1);
    sbuf = dve_machine_bytes(machine, DVE_SPACE_SBUF, 0, &active);
    for (unsigned i = 0; i < 12; i++)
        put(sbuf + 4 * i, 4, fp32(scores[i]));
    round_of_8(machine, 12);
    expect_floats(0x1000, best, 8);
    expect_indices(0x2000, best_at, 8);
    expect_floats(0, left, 12);
    read_indices(0x3000, 1);
    execute(machine);
    expect_indices(0x3000, best_at, 8);
    round_of_8(machine, 12);
    expect_floats(0x1000, next, 8);
    expect_indices(0x2000, next_at, 8);

    for (unsigned i = 0; i < 8; i++)
        put(sbuf + 2 * i, 2, halves[i]);
    search(DVE_OPCODE_MAX8, 8);
    rec[32] = DVE_DTYPE_FP16;
    rec[33] = DVE_DTYPE_BF16;
    execute(machine);
    for (unsigned i = 0; i < 8; i++)
        SAME(get(sbuf + 0x2000 + 2 * i, 2), brains[i]);
    dve_machine_free(machine);
}

enum { ROWS = 3, COLUMNS = 20000, K = 20 };      /* longer than a tile: winners of two tiles are merged */

/* A whole top-k of fp16 rows with many ties, against the oracle's sort. */
static void test_topk(void)
{
    static uint8_t scores[ROWS * COLUMNS * 2], values[ROWS * K * 2], indices[ROWS * K * 4];
    static uint32_t row[COLUMNS];
    uint32_t best[K], best_at[K];
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        put(scores + 2 * i, 2, 0x3000u + i * 7919u % 1013u);
    dve_topk_options options;
    dve_topk_defaults(&options);
    options.dtype = DVE_DTYPE_FP16;
    options.rows = ROWS;
    options.columns = COLUMNS;
    options.k = K;
    dve_machine_config config;
    dve_machine_defaults(&config);
    dve_machine *machine = dve_machine_new(&config);
    dve_plan *plan;
    dve_stop stop;
    dve_error error;
    SAME(dve_plan_new(&options, &plan, &error), DVE_OK);
    if (!machine || !plan)
        exit(1);
    SAME(dve_plan_run(plan, machine, scores, values, indices, &stop, &error), DVE_OK);
    for (unsigned r = 0; r < ROWS; r++) {
        for (unsigned i = 0; i < COLUMNS; i++)
            row[i] = oracle_to_fp32(DVE_DTYPE_FP16, get(scores + 2 * (r * COLUMNS + i), 2), NULL);
        oracle_topk(row, COLUMNS, K, best, best_at);
        for (unsigned i = 0; i < K; i++) {
            SAME(oracle_to_fp32(DVE_DTYPE_FP16, get(values + 2 * (r * K + i), 2), NULL), best[i]);
            SAME(get(indices + 4 * (r * K + i), 4), best_at[i]);
        }
    }
    dve_plan_free(plan);
    dve_machine_free(machine);
}

/* The same two numbers as little-endian and as big-endian arrays; memory holds little-endian ones. */
static void test_arrays(void)
{
    static const uint8_t little[8] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, big[8] = {0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0};
    uint8_t file[DVE_NPY_HEADER_BYTES + 8];
    size_t length;
    dve_array array;
    dve_error error;
    SAME(dve_npy_header(DVE_ARRAY_F32, 1, 2, file, sizeof file, &length), DVE_OK);
    SAME(length, DVE_NPY_HEADER_BYTES);
    SAME(file[8] + 256 * file[9], DVE_NPY_HEADER_BYTES - 10);
    for (int swapped = 0; swapped < 2; swapped++) {
        char *order = memchr(file, swapped ? '<' : '>', length);
        SAME(!order, !swapped);
        if (order)
            *order = '>';
        memcpy(file + length, swapped ? big : little, 8);
        SAME(dve_npy_parse(file, length + 8, "array", NULL, &array, &error), DVE_OK);
        SAME(array.columns, 2);
        SAME(array.bytes == 8 && !memcmp(array.data, little, 8), 1);
        dve_array_free(&array);
    }
}

int main(void)
{
    test_fields();
    test_every_opcode();
    test_conversions();
    test_every_small_value();
    test_search();
    test_topk();
    test_arrays();
    const uint32_t one = 1;
    printf("%s-endian: %u passed, %u failed\n", *(const uint8_t *)&one ? "little" : "big", passed, failed);
    return failed != 0;
}
