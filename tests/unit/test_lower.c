/* SPDX-License-Identifier: Apache-2.0 */
/* What lowered instructions do when they run, against plain loops. Their bytes are tested by tests/cli/lower.sh. */
#include "lowering.h"
#include "moves.h"
#include "random.h"
#include <stdlib.h>
#include <string.h>

enum {
    DATA = 0, VALUES = 0x4000, INDICES = 0x4100, DST = 0x8000, PRED = 0xc000, RESULT = 0x4200, LANES = 2, MOST = 700
};

/* Lowers `in`, finds every record legal, runs them. */
static void lower_and_run(watched *w, uint8_t gen)
{
    dve_record record[DVE_LOWER_MAX_RECORDS];
    size_t count;
    dve_lower_fault fault;
    char text[DVE_TEXT];
    dve_status status = dve_lower(&in, &(dve_lower_target){.gen = gen}, record, LENGTH(record), &count, &fault);
    if (status)
        fail_msg("%s", dve_lower_fault_text(&fault, text, sizeof text));
    for (size_t i = 0; i < count; i++) {
        dve_insn insn;
        dve_decode(&record[i], &insn);
        assert_int_equal(dve_check(&insn, gen, NULL, 0), 0);
    }
    assert_int_equal(run_all(w, record, count), DVE_OK);
}

/* Small numbers, full of equals. */
static void fill(watched *w, test_random *r, uint32_t lanes, uint32_t offset, uint32_t count, float *out)
{
    for (uint32_t lane = 0; lane < lanes; lane++) {
        for (uint32_t i = 0; i < count; i++)
            out[lane * MOST + i] = (float)random_below(r, 40) - 12;
        put_floats(w, lane, offset, out + lane * MOST, count);
    }
}

static float float_at(watched *w, uint32_t lane, uint32_t offset)
{
    uint32_t bits = get_word(w, lane, offset, 4);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void floats_are(watched *w, uint32_t lane, uint32_t offset, const float *wanted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(&(float){float_at(w, lane, offset + 4 * i)}, &wanted[i], 4) != 0)
            fail_msg("lane %u element %u: %g, wanted %g", lane, i, (double)float_at(w, lane, offset + 4 * i),
                     (double)wanted[i]);
}

static float data[128 * MOST], other[128 * MOST], wanted[MOST];

/* ---- search ---- */

static int descending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

/* Keys in the order given pair with equal elements from the front, each element once. */
static void find(const float *row, uint32_t count, const float *keys, int first, int step, uint32_t *at)
{
    uint8_t taken[MOST] = {0};
    for (int k = first, n = 0; n < 8; k += step, n++) {
        at[k] = UINT32_MAX;
        for (uint32_t i = 0; i < count && at[k] == UINT32_MAX; i++)
            if (!taken[i] && row[i] == keys[k]) {
                taken[i] = 1;
                at[k] = i;
            }
    }
}

static void search(void **state)
{
    (void)state;
    watched w;
    test_random r = {1};
    watch(&w, NULL);
    for (uint32_t count = 8; count < 200; count += 37) {
        fill(&w, &r, LANES, DATA, count, data);
        begin(DVE_LOWER_MAX, LANES);
        SET_OPERAND(data, T(DATA, FP32, count));
        SET_OPERAND(maxvals, T(VALUES, FP32, 8));
        lower_and_run(&w, 3);
        begin(DVE_LOWER_MAX_INDEX, LANES);
        SET_OPERAND(data, T(DATA, FP32, count));
        SET_OPERAND(maxvals, T(VALUES, FP32, 8));
        SET_OPERAND(indices, T(INDICES, UINT32, 8));
        lower_and_run(&w, 2);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t at[8];
            memcpy(wanted, data + lane * MOST, count * sizeof *wanted);
            qsort(wanted, count, sizeof *wanted, descending);
            floats_are(&w, lane, VALUES, wanted, 8);
            find(data + lane * MOST, count, wanted, 0, 1, at);
            words_are(&w, lane, INDICES, 4, at, 8);
        }
    }
    unwatch(&w);
}

/* The published example, and random rows: the last key is served first. */
static void replace(void **state)
{
    (void)state;
    watched w;
    test_random r = {2};
    watch(&w, NULL);
    for (int round = 0; round < 6; round++) {
        uint32_t count = round ? 8 + random_below(&r, 100) : 11;
        static const float row[] = {1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8}, keys[] = {3, 8, 8, 8, 8, 8, 8, 8};
        fill(&w, &r, LANES, DATA, count, data);
        fill(&w, &r, LANES, VALUES, 8, other);
        for (uint32_t lane = 0; lane < LANES && !round; lane++) {
            memcpy(data + lane * MOST, row, sizeof row);
            memcpy(other + lane * MOST, keys, sizeof keys);
            put_floats(&w, lane, DATA, row, 11);
            put_floats(&w, lane, VALUES, keys, 8);
        }
        begin(DVE_LOWER_MAX_INDEX_AND_MATCH_REPLACE, LANES);
        SET_OPERAND(maxvals, T(VALUES, FP32, 8));
        SET_OPERAND(data, T(DATA, FP32, count));
        SET_OPERAND(dst, T(DST, FP32, count));
        SET_OPERAND(imm, NUMBER(-99));
        SET_OPERAND(indices, T(INDICES, UINT32, 8));
        lower_and_run(&w, 3);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t at[8];
            find(data + lane * MOST, count, other + lane * MOST, 7, -1, at);
            words_are(&w, lane, INDICES, 4, at, 8);
            memcpy(wanted, data + lane * MOST, count * sizeof *wanted);
            for (unsigned k = 0; k < 8; k++)
                if (at[k] != UINT32_MAX)
                    wanted[at[k]] = -99;
            floats_are(&w, lane, DST, wanted, count);
        }
        if (!round)
            WORDS_ARE(&w, 0, INDICES, 4, 2, 10, 9, 8, 7, 6, 5, 4);
        in.operation = DVE_LOWER_MATCH_REPLACE;
        in.operand[DVE_OPERAND_indices].kind = DVE_LOWER_ABSENT;
        in.operand[DVE_OPERAND_dst].access.offset = DST + 0x1000;
        lower_and_run(&w, 2);
        floats_are(&w, LANES - 1, DST + 0x1000, wanted, count);
    }
    unwatch(&w);
}

/* ---- moves ---- */

static void shuffle_and_transpose(void **state)
{
    (void)state;
    watched w;
    test_random r = {3};
    watch(&w, NULL);
    fill(&w, &r, 64, DATA, 64, data);
    fill(&w, &r, 64, DST, 64, other);
    begin(DVE_LOWER_STREAM_SHUFFLE, 40);
    SET_OPERAND(src, T(DATA, FP32, 5));
    SET_OPERAND(dst, T(DST, FP32, 5));
    dve_lower_value *mask = &in.operand[DVE_OPERAND_mask];
    mask->kind = DVE_LOWER_MASK;
    mask->mask.count = 32;
    for (unsigned i = 0; i < 32; i++)
        mask->mask.lane[i] = i % 5 ? random_below(&r, 32) : 255;
    lower_and_run(&w, 3);
    for (uint32_t lane = 0; lane < 64; lane++) {
        int64_t from = mask->mask.lane[lane % 32];
        const float *moved = data + (lane / 32 * 32 + (uint32_t)from % 32) * MOST;
        floats_are(&w, lane, DST, from == 255 ? other + lane * MOST : moved, 5);
    }
    /* Whole tiles, then ten lanes of one with a short destination: the others stay. */
    for (int partial = 0; partial < 2; partial++) {
        uint32_t channels = partial ? 10 : 64, count = partial ? 40 : 64;
        fill(&w, &r, 64, DST, 64, other);
        begin(DVE_LOWER_STREAM_TRANSPOSE, channels);
        SET_OPERAND(src, T(DATA, FP32, 64));
        SET_OPERAND(dst, T(DST, FP32, count));
        lower_and_run(&w, 3);
        for (uint32_t lane = 0; lane < 64; lane++) {
            memcpy(wanted, other + lane * MOST, 64 * sizeof *wanted);
            for (uint32_t e = 0; e < count && lane < channels; e++)
                wanted[e] = data[(lane / 32 * 32 + e % 32) * MOST + e / 32 * 32 + lane % 32];
            floats_are(&w, lane, DST, wanted, 64);
        }
    }
    unwatch(&w);
}

static void copies_and_fills(void **state)
{
    (void)state;
    watched w;
    test_random r = {4};
    watch(&w, NULL);
    fill(&w, &r, LANES, DATA, 6, data);
    begin(DVE_LOWER_TENSOR_COPY, LANES);
    SET_OPERAND(src, T(DATA, FP32, 6));
    SET_OPERAND(dst, T(DST, INT8, 6));
    in.operand[DVE_OPERAND_dst].access.axis[0].step = 2;
    lower_and_run(&w, 3);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal((int8_t)get_word(&w, 1, DST + 2 * i, 1), (int)data[MOST + i]);
    begin(DVE_LOWER_MEMSET, LANES);
    SET_OPERAND(dst, T(DST, BF16, 6));
    SET_OPERAND(value, NUMBER(-2.5));
    lower_and_run(&w, 3);
    WORDS_ARE(&w, 1, DST, 2, 0xc020, 0xc020, 0xc020, 0xc020, 0xc020, 0xc020);
    unwatch(&w);
}

/* ---- predicates ---- */

static void predicates(void **state)
{
    (void)state;
    watched w;
    test_random r = {5};
    enum { N = 30 };
    uint32_t pred[N];
    watch(&w, NULL);
    for (int form = 0; form < 6; form++) {
        float most = -1e30f;
        fill(&w, &r, 1, DATA, N, data);
        fill(&w, &r, 1, DST, N, other);
        for (unsigned i = 0; i < N; i++)
            pred[i] = random_below(&r, 3);
        put_words(&w, 0, PRED, 1, pred, N);
        begin(form < 4 ? DVE_LOWER_COPY_PREDICATED : DVE_LOWER_SELECT, 1);
        SET_OPERAND(pred, T(PRED, UINT8, N));
        SET_OPERAND(dst, T(DST, FP32, N));
        if (form < 4)
            SET_OPERAND(src, form == 1 ? NUMBER(7) : T(DATA, FP32, N));
        else
            SET_OPERAND(on_true, form == 5 ? NUMBER(7) : T(DATA, FP32, N));
        if (form >= 4)
            SET_OPERAND(on_false, form == 5 ? NUMBER(-5) : T(DST, FP32, N));
        if (form == 2 || form == 3) {
            SET_OPERAND(reduce_op, OPERATOR(MAX));
            SET_OPERAND(imm0, NUMBER(-5));
            SET_OPERAND(reverse, INTEGER(form == 3));
            SET_OPERAND(result, T(RESULT, FP32, 1));
        }
        lower_and_run(&w, 3);
        for (unsigned i = 0; i < N; i++) {
            int holds = (pred[i] != 0) != (form == 3);
            float yes = form == 1 || form == 5 ? 7 : data[i], no = form == 2 || form == 3 || form == 5 ? -5 : other[i];
            wanted[i] = holds ? yes : no;
            most = wanted[i] > most ? wanted[i] : most;
        }
        floats_are(&w, 0, DST, wanted, N);
        if (form == 2 || form == 3)
            floats_are(&w, 0, RESULT, &most, 1);
    }
    unwatch(&w);
}

static void ranges(void **state)
{
    (void)state;
    watched w;
    test_random r = {6};
    enum { N = 30 };
    float most = -3.4028234663852886e38f;
    watch(&w, NULL);
    fill(&w, &r, 1, DATA, N, data);
    put_floats(&w, 0, VALUES, &(float){104}, 1);
    begin(DVE_LOWER_RANGE_SELECT, 1);
    SET_OPERAND(src, T(DATA, FP32, N));
    SET_OPERAND(dst, T(DST, FP32, N));
    SET_OPERAND(base, NUMBER(100));
    SET_OPERAND(comp_op0, OPERATOR(IS_GE));
    SET_OPERAND(comp_op1, OPERATOR(IS_LT));
    SET_OPERAND(bound0, T(VALUES, FP32, 1));
    SET_OPERAND(bound1, NUMBER(121));
    SET_OPERAND(result, T(RESULT, FP32, 1));
    lower_and_run(&w, 3);
    for (unsigned i = 0; i < N; i++) {
        wanted[i] = i >= 4 && i < 21 ? data[i] : -3.4028234663852886e38f;
        most = wanted[i] > most ? wanted[i] : most;
    }
    floats_are(&w, 0, DST, wanted, N);
    floats_are(&w, 0, RESULT, &most, 1);
    unwatch(&w);
}

/* ---- folds ---- */

static void folds(void **state)
{
    (void)state;
    watched w;
    test_random r = {7};
    enum { N = 30 };
    watch(&w, NULL);
    for (int mode = 0; mode < 3; mode++) {
        float sum = mode ? 1000 : 0;
        fill(&w, &r, 1, DATA, N, data);
        begin(DVE_LOWER_TENSOR_SCALAR_CACHE, 1);
        SET_OPERAND(mode, INTEGER(mode));
        SET_OPERAND(src, T(DATA, FP32, N));
        SET_OPERAND(dst, T(DST, FP32, N));
        SET_OPERAND(op0, OPERATOR(MULT));
        SET_OPERAND(op1, OPERATOR(ADD));
        SET_OPERAND(imm0, NUMBER(3));
        if (mode) {
            SET_OPERAND(accumulate, COMMAND(5));
            SET_OPERAND(imm1, NUMBER(1000));
        }
        SET_OPERAND(result, T(RESULT, FP32, 1));
        lower_and_run(&w, 3);
        for (unsigned i = 0; i < N; i++) {
            sum += 3 * data[i];
            wanted[i] = mode ? sum : 3 * data[i];
        }
        floats_are(&w, 0, DST, wanted, N);
        floats_are(&w, 0, RESULT, &sum, 1);
        begin(DVE_LOWER_DVE_READ_ACCUMULATOR, 1);
        SET_OPERAND(dst, T(RESULT, FP32, 1));
        SET_OPERAND(negated, INTEGER(1));
        lower_and_run(&w, 3);
        sum = -sum;
        floats_are(&w, 0, RESULT, &sum, 1);
    }
    unwatch(&w);
}

/* ---- the pool engine ---- */

static void pool(void **state)
{
    (void)state;
    watched w;
    test_random r = {8};
    uint32_t at[16];
    watch(&w, NULL);
    put_floats(&w, 0, DATA, (const float[]){0, 1, 1, 0, 0, 1, 0, 0}, 8);
    begin(DVE_LOWER_NONZERO_WITH_COUNT, 1);
    SET_OPERAND(src, T(DATA, FP32, 8));
    SET_OPERAND(dst, T(DST, INT32, 9));
    SET_OPERAND(index_offset, NUMBER(16));
    SET_OPERAND(padding_val, NUMBER(-1));
    lower_and_run(&w, 3);
    WORDS_ARE(&w, 0, DST, 4, 17, 18, 21, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 3);
    fill(&w, &r, LANES, DATA, MOST, data);
    for (unsigned i = 0; i < 16; i++)
        at[i] = random_below(&r, MOST);
    put_words(&w, 0, INDICES, 4, at, 16);
    put_words(&w, 1, INDICES, 4, at, 16);
    begin(DVE_LOWER_GATHER, LANES);
    SET_OPERAND(data, T(DATA, FP32, MOST));
    SET_OPERAND(indices, T(INDICES, UINT32, 16));
    SET_OPERAND(dst, T(DST, FP32, 16));
    lower_and_run(&w, 3);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        for (unsigned i = 0; i < 16; i++)
            wanted[i] = data[lane * MOST + at[i]];
        floats_are(&w, lane, DST, wanted, 16);
    }
    /* One index in each of 16 partitions chooses a run of two. */
    fill(&w, &r, 16, DATA, 50, data);
    for (uint32_t lane = 0; lane < 16; lane++) {
        at[lane] = random_below(&r, 48);
        put_words(&w, lane, INDICES, 2, &at[lane], 1);
    }
    begin(DVE_LOWER_INDIRECT_COPY, 16);
    SET_OPERAND(data, T(DATA, FP32, 50));
    SET_OPERAND(indices, T(INDICES, UINT16, 1));
    SET_OPERAND(dst, T(DST, FP32, 32));
    SET_OPERAND(elements_per_index, INTEGER(2));
    lower_and_run(&w, 3);
    for (uint32_t lane = 0; lane < 16; lane++) {
        for (unsigned i = 0; i < 32; i++)
            wanted[i] = data[lane * MOST + at[i / 2] + i % 2];
        floats_are(&w, lane, DST, wanted, 32);
    }
    unwatch(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search),                cmocka_unit_test(replace),
        cmocka_unit_test(shuffle_and_transpose), cmocka_unit_test(copies_and_fills),
        cmocka_unit_test(predicates),            cmocka_unit_test(ranges),
        cmocka_unit_test(folds),                 cmocka_unit_test(pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
