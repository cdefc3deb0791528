/* SPDX-License-Identifier: Apache-2.0 */
/* Eight lanes in one record and each lane in a record of its own: the same bits, on every level of vectors. Groups of
 * eight go through loops of their own (numeric/planes.c) where operands are dense, and one lane never does. */
#include "machines.h"
#include "moves.h"
#include "random.h"
#include "test.h"
#include <opendve/num.h>

enum { LANES = 8, MOST = 70, X = 0, Y = 0x1000, OUT = 0x2000 };

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x3f800000, 0xbf800000, 0x3f808000, 0x3f818000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
};
static const uint8_t dtypes[] = {DVE_DTYPE_FP32, DVE_DTYPE_BF16, DVE_DTYPE_FP16};
static const uint8_t first_operators[] = {DVE_ALU_OP_BYPASS, DVE_ALU_OP_ADD, DVE_ALU_OP_SUBTRACT, DVE_ALU_OP_MULT,
                                          DVE_ALU_OP_MAX, DVE_ALU_OP_IS_GT, DVE_ALU_OP_ABSOLUTE_DIFF};
static const uint8_t chains[] = {DVE_ALU_OP_ADD, DVE_ALU_OP_SUBTRACT, DVE_ALU_OP_MULT, DVE_ALU_OP_MAX, DVE_ALU_OP_MIN};

typedef struct trial {
    uint8_t opcode, op0, op1, in, out;
    uint32_t count, x[LANES][MOST], y[LANES][MOST], imm;
} trial;

/* One kind of data a lane: numbers without special values show sums, others would be NaN soon. */
static void draw_lane(test_random *r, uint8_t dtype, uint32_t kind, uint32_t *out)
{
    dve_num_config num = {0};
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t bits = 0x3f000000 + (random_bits(r) >> 8) + (random_bits(r) & 0x80000000);
        if (random_chance(r, kind % 3 * 10))
            bits = RANDOM_OF(r, special);
        out[i] = kind == 3 && random_chance(r, 50) ? DVE_F32_QUIET_NAN : kind == 4 ? bits & 0x80000000 : bits;
        if (dtype != DVE_DTYPE_FP32)
            out[i] = dve_num_from_f32(&num, dtype, out[i]);
        if (dtype == DVE_DTYPE_BF16 && out[i] == 0x7fc0)
            out[i] = 0xff81;                     /* not the NaN that conversions make */
    }
}

static trial draw(test_random *r)
{
    static const uint8_t opcodes[] = {DVE_OPCODE_TENSOR_SCALAR_CACHE_REDUCE, DVE_OPCODE_TENSOR_SCALAR_CACHE_CUMULATIVE,
                                      DVE_OPCODE_TENSOR_TENSOR_SCAN_ARITH};
    trial t = {.opcode = RANDOM_OF(r, opcodes), .op0 = RANDOM_OF(r, first_operators), .op1 = RANDOM_OF(r, chains),
               .in = RANDOM_OF(r, dtypes), .out = RANDOM_OF(r, dtypes), .count = 1 + random_below(r, MOST)};
    if (t.opcode == DVE_OPCODE_TENSOR_TENSOR_SCAN_ARITH && random_chance(r, 80)) {
        t.op0 = DVE_ALU_OP_MULT;
        t.op1 = DVE_ALU_OP_ADD;
    }
    t.imm = random_chance(r, 50) ? RANDOM_OF(r, special) : 0x3f000000 + (random_bits(r) >> 8);
    for (uint32_t l = 0; l < LANES; l++) {
        draw_lane(r, t.in, l % 5, t.x[l]);
        draw_lane(r, t.in, (l + 1) % 2, t.y[l]);
    }
    return t;
}

static dve_record record_of(const trial *t, uint32_t channels)
{
    dve_record record = moves_record(t->opcode, channels);
    int scan = t->opcode == DVE_OPCODE_TENSOR_TENSOR_SCAN_ARITH;
    moves_operand(&record, 0, sbuf(0, X), 1, t->count);
    moves_operand(&record, 1, sbuf(0, scan ? Y : OUT), 1, t->count);
    if (scan) {
        moves_operand(&record, 2, sbuf(0, OUT), 1, t->count);
        SET(&record, S2S2D2_STT_op0, t->op0);
        SET(&record, S2S2D2_STT_op1, t->op1);
        SET(&record, S2S2D2_STT_src0_dtype, t->in);
        SET(&record, S2S2D2_STT_src1_dtype, t->in);
        SET(&record, S2S2D2_STT_out_dtype, t->out);
        SET(&record, S2S2D2_STT_imm0, t->imm);
        return record;
    }
    SET(&record, S3D3_TS_op0, t->op0);
    SET(&record, S3D3_TS_op1, t->op1);
    SET(&record, S3D3_TS_in_dtype, t->in);
    SET(&record, S3D3_TS_out_dtype, t->out);
    SET(&record, S3D3_TS_imm0, t->imm);
    SET(&record, S3D3_TS_imm1, t->x[0][1]);
    SET(&record, S3D3_TS_accumulator_cmd, DVE_ACCUM_CMD_LOAD_ACCUMULATE);
    return record;
}

/* Lanes `from` and following, on a machine's first partitions. */
static void run_lanes(watched *w, const trial *t, uint32_t from, uint32_t lanes)
{
    dve_record record = record_of(t, lanes);
    for (uint32_t l = 0; l < lanes; l++) {
        put_words(w, l, X, dve_num_size(t->in), t->x[from + l], t->count);
        put_words(w, l, Y, dve_num_size(t->in), t->y[from + l], t->count);
    }
    if (run(w, &record) != DVE_OK)
        fail_msg("%s: refused for %s", record_text(&record), w->stop.diags[0].field);
}

static void same(watched *group, watched *alone, const trial *t, uint32_t lane, const char *level)
{
    uint32_t size = dve_num_size(t->out);
    dve_record record = record_of(t, LANES);
    for (uint32_t i = 0; i < t->count; i++)
        if (get_word(group, lane, OUT + size * i, size) != get_word(alone, 0, OUT + size * i, size))
            fail_msg("%s, lane %u, result %u: 0x%x, alone 0x%x\n  %s", level, lane, i,
                     get_word(group, lane, OUT + size * i, size), get_word(alone, 0, OUT + size * i, size),
                     record_text(&record));
    if (t->opcode == DVE_OPCODE_TENSOR_TENSOR_SCAN_ARITH)
        return;                                  /* leaves the accumulator alone */
    if (dve_machine_lane(group->m, lane)->accumulator != dve_machine_lane(alone->m, 0)->accumulator)
        fail_msg("%s, lane %u: accumulator 0x%x, alone 0x%x\n  %s", level, lane,
                 dve_machine_lane(group->m, lane)->accumulator, dve_machine_lane(alone->m, 0)->accumulator,
                 record_text(&record));
}

static void groups_are_lanes(void **state)
{
    enum { TRIALS = 600 };
    (void)state;
    watched alone, group[DVE_SIMD_LEVELS];
    dve_machine_config config;
    test_random r = {20};
    dve_machine_defaults(&config);
    for (config.simd = DVE_SIMD_SCALAR; config.simd < DVE_SIMD_LEVELS; config.simd++)
        if (dve_simd_supported(config.simd))
            watch(&group[config.simd], &config);
    config.simd = DVE_SIMD_SCALAR;
    watch(&alone, &config);
    for (int n = 0; n < TRIALS; n++) {
        const trial t = draw(&r);
        for (uint8_t simd = DVE_SIMD_SCALAR; simd < DVE_SIMD_LEVELS; simd++)
            if (dve_simd_supported(simd))
                run_lanes(&group[simd], &t, 0, LANES);
        for (uint32_t l = 0; l < LANES; l++) {
            run_lanes(&alone, &t, l, 1);
            for (uint8_t simd = DVE_SIMD_SCALAR; simd < DVE_SIMD_LEVELS; simd++)
                if (dve_simd_supported(simd))
                    same(&group[simd], &alone, &t, l, dve_simd_name(simd));
        }
    }
    for (uint8_t simd = DVE_SIMD_SCALAR; simd < DVE_SIMD_LEVELS; simd++)
        if (dve_simd_supported(simd))
            unwatch(&group[simd]);
    unwatch(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_are_lanes)};
    return cmocka_run_group_tests_name("planes", tests, NULL, NULL);
}
