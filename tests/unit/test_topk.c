/* SPDX-License-Identifier: Apache-2.0 */
/* Top-k by records against a sort by (value descending, position ascending), its hazards one by one, and
 * that the records alone decide: with a wrong instruction in the table the answer is wrong. */
#include "test.h"

#include "ops/ops.h"
#include "random.h"
#include <opendve/host.h>
#include <opendve/topk.h>
#include <stdlib.h>
#include <string.h>

#define NEGATIVE_INFINITY UINT32_C(0xff800000)

static const dve_num_config num;

/* One top-k: input and results of its shape. */
typedef struct trial {
    dve_topk_options options;
    uint32_t size;
    uint8_t *input, *values, *indices;
    dve_topk_hazard hazards[512];
    unsigned hazard_count, machine_hazards, expected;    /* of the machine's */
} trial;

static void trial_begin(trial *t, uint64_t rows, uint64_t columns, uint64_t k, uint8_t dtype)
{
    memset(t, 0, sizeof *t);
    dve_topk_defaults(&t->options);
    t->options.rows = rows;
    t->options.columns = columns;
    t->options.k = k;
    t->options.dtype = dtype;
    t->size = dve_num_size(dtype);
    t->input = calloc(rows * columns, t->size);
    t->values = calloc(rows * k, t->size);
    t->indices = calloc(rows * k, 4);
    assert_true(t->input && t->values && t->indices);
}

static void trial_end(trial *t)
{
    free(t->input);
    free(t->values);
    free(t->indices);
}

static void set_bits(trial *t, uint64_t row, uint64_t column, uint32_t bits)
{
    dve_num_store_bits(t->size, bits, t->input + (row * t->options.columns + column) * t->size);
}

static void set(trial *t, uint64_t row, uint64_t column, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    set_bits(t, row, column, dve_num_from_f32(&num, t->options.dtype, bits));
}

static uint32_t input_bits(const trial *t, uint64_t row, uint64_t column)
{
    return dve_num_load_bits(t->size, t->input + (row * t->options.columns + column) * t->size);
}

static uint32_t value_bits(const trial *t, uint64_t row, uint64_t rank)
{
    return dve_num_load_bits(t->size, t->values + (row * t->options.k + rank) * t->size);
}

static uint32_t index_of(const trial *t, uint64_t row, uint64_t rank)
{
    return dve_num_load_bits(4, t->indices + (row * t->options.k + rank) * 4);
}

/* Descending, so that no two elements are equal and none needs care. */
static void fill_descending(trial *t)
{
    for (uint64_t r = 0; r < t->options.rows; r++)
        for (uint64_t c = 0; c < t->options.columns; c++)
            set(t, r, c, 1000.0f - (float)c);
}

/* Finite values; one in three rows has few distinct ones, so that equals are everywhere. */
static void fill_random(trial *t, uint32_t seed)
{
    test_random random = {seed};
    uint8_t dtype = t->options.dtype;
    uint32_t mask = t->size == 4 ? 0xffffffff : t->size == 2 ? 0xffff : 0xff;
    if (dtype == DVE_DTYPE_INT32 || dtype == DVE_DTYPE_UINT32)
        mask = 0xffffff;                         /* what fp32 holds */
    for (uint64_t r = 0; r < t->options.rows; r++)
        for (uint64_t c = 0; c < t->options.columns; c++) {
            if (r % 3 == 0) {
                set(t, r, c, (float)random_below(&random, 9) - 4.0f);
                continue;
            }
            uint32_t bits = random_bits(&random) & mask;
            while ((dve_num_to_f32(&num, t->options.dtype, bits) & 0x7f800000) == 0x7f800000)
                bits = random_bits(&random) & mask;
            set_bits(t, r, c, bits);
        }
}

static void take_hazard(void *context, const dve_topk_hazard *hazard)
{
    trial *t = context;
    if (t->hazard_count < LENGTH(t->hazards))
        t->hazards[t->hazard_count] = *hazard;
    t->hazard_count++;
}

static void take_machine_hazard(void *context, const dve_hazard *hazard)
{
    trial *t = context;
    (void)hazard;
    t->machine_hazards++;
}

static dve_machine *make_machine(trial *t, const dve_op *ops)
{
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.gen = t->options.gen;
    config.settings = t->options.settings;
    config.ops = ops;
    config.observer = (dve_observer){.context = t, .hazard = take_machine_hazard};
    dve_machine *machine = dve_machine_new(&config);
    assert_non_null(machine);
    return machine;
}

static void run_with(trial *t, const dve_op *ops)
{
    dve_error error = {""};
    dve_plan *plan;
    dve_stop stop;
    dve_machine *machine = make_machine(t, ops);
    if (dve_plan_new(&t->options, &plan, &error) != DVE_OK)
        fail_msg("%s", error.text);
    if (dve_plan_run(plan, machine, t->input, t->values, t->indices, &stop, &error) != DVE_OK)
        fail_msg("%s", error.text);
    assert_int_equal(dve_machine_next_record(machine), dve_plan_executes(plan));
    assert_int_equal(t->machine_hazards, t->expected);
    t->hazard_count = 0;
    assert_int_equal(dve_topk_hazards(&t->options, t->input, t->values, NULL, NULL, take_hazard, t), DVE_OK);
    dve_plan_free(plan);
    dve_machine_free(machine);
}

static void run(trial *t)
{
    run_with(t, NULL);
}

/* ---- the sort ---- */

typedef struct item {
    int32_t order;
    uint32_t position;
} item;

static int by_rank(const void *left, const void *right)
{
    const item *a = left, *b = right;
    if (a->order != b->order)
        return a->order > b->order ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

/* How many results differ from the sort's: in bits and position, or in value alone. */
static unsigned wrong_results(const trial *t, int values_only)
{
    uint64_t columns = t->options.columns;
    item *items = malloc(columns * sizeof *items);
    unsigned wrong = 0;
    assert_non_null(items);
    for (uint64_t r = 0; r < t->options.rows; r++) {
        for (uint64_t c = 0; c < columns; c++)
            items[c] = (item){dve_f32_order(dve_num_to_f32(&num, t->options.dtype, input_bits(t, r, c))), (uint32_t)c};
        qsort(items, columns, sizeof *items, by_rank);
        for (uint64_t i = 0; i < t->options.k; i++) {
            uint32_t got = dve_num_to_f32(&num, t->options.dtype, value_bits(t, r, i));
            wrong += dve_f32_order(got) != items[i].order;
            if (!values_only)
                wrong += index_of(t, r, i) != items[i].position ||
                         value_bits(t, r, i) != input_bits(t, r, items[i].position);
        }
    }
    free(items);
    return wrong;
}

static void check_shape(uint64_t rows, uint64_t columns, uint64_t k, uint8_t dtype, uint8_t gen)
{
    trial t;
    trial_begin(&t, rows, columns, k, dtype);
    t.options.gen = gen;
    fill_random(&t, (uint32_t)(rows * 7919 + columns * 31 + k));
    run(&t);
    if (wrong_results(&t, 0))
        fail_msg("%llu x %llu, k %llu, dtype %u: differs from the sort", (unsigned long long)rows,
                 (unsigned long long)columns, (unsigned long long)k, dtype);
    for (unsigned i = 0; i < t.hazard_count && i < LENGTH(t.hazards); i++)
        assert_false(dve_topk_hazard_alters(t.hazards[i].kind));
    trial_end(&t);
}

static void equals_the_sort(void **state)
{
    static const struct { uint64_t rows, columns, k; } shapes[] = {
        {1, 1, 1}, {3, 7, 7}, {2, 8, 8}, {5, 9, 9}, {128, 16, 8}, {129, 40, 9}, {300, 33, 17}, {257, 100, 1},
        {4, 1000, 1000}, {130, 640, 64}, {2, 4096, 4096}, {3, 16384, 100},
    };
    static const uint8_t dtypes[] = {DVE_DTYPE_FP32, DVE_DTYPE_FP16, DVE_DTYPE_BF16};
    (void)state;
    for (unsigned i = 0; i < LENGTH(shapes); i++)
        check_shape(shapes[i].rows, shapes[i].columns, shapes[i].k, dtypes[i % 3], (uint8_t)(2 + i % 4));
    for (unsigned d = 0; d < 3; d++)
        for (uint64_t k = 1; k <= 20; k++)
            check_shape(6, 20, k, dtypes[d], 3);
}

/* Integers and fp8 are worked on as an fp32 copy that Cast records make, and come back as they were. */
static void casts_equal_the_sort(void **state)
{
    static const uint8_t dtypes[] = {DVE_DTYPE_INT8,     DVE_DTYPE_UINT8,    DVE_DTYPE_INT16,
                                     DVE_DTYPE_UINT16,   DVE_DTYPE_INT32,    DVE_DTYPE_UINT32,
                                     DVE_DTYPE_FP8_E3M4, DVE_DTYPE_FP8_E4M3, DVE_DTYPE_FP8_E5M2};
    (void)state;
    for (unsigned d = 0; d < LENGTH(dtypes); d++) {
        for (uint64_t k = 1; k <= 7; k += 3)
            check_shape(3, 7, k, dtypes[d], (uint8_t)(2 + d % 4));   /* padded in the copy */
        check_shape(130, 40, 20, dtypes[d], 3);
        check_shape(2, 16384 + 300, 40, dtypes[d], 3);
    }
    check_shape(1, 16384, 16384, DVE_DTYPE_INT32, 2);
}

static void tiles_merge(void **state)
{
    (void)state;
    check_shape(2, 16385, 8, DVE_DTYPE_FP32, 3);
    check_shape(3, 16384 * 2 + 3, 20, DVE_DTYPE_BF16, 3);
    check_shape(1, 60000, 512, DVE_DTYPE_FP32, 2);
    check_shape(130, 20000, 3, DVE_DTYPE_FP16, 4);
    check_shape(1, 35000, 2048, DVE_DTYPE_FP32, 3);
}

/* Values of the sort; inside a round, equals in descending order of position. */
static void replace_indices(void **state)
{
    trial t;
    (void)state;
    for (uint64_t k = 1; k <= 30; k += 3) {
        trial_begin(&t, 9, 77, k, k % 2 ? DVE_DTYPE_FP32 : DVE_DTYPE_BF16);
        t.options.method = DVE_TOPK_REPLACE_INDICES;
        fill_random(&t, (uint32_t)k);
        run(&t);
        assert_int_equal(wrong_results(&t, 1), 0);
        for (uint64_t r = 0; r < 9; r++)
            for (uint64_t i = 0; i < k; i++)
                assert_true(dve_f32_eq(dve_num_to_f32(&num, t.options.dtype, value_bits(&t, r, i)),
                                       dve_num_to_f32(&num, t.options.dtype,
                                                      input_bits(&t, r, index_of(&t, r, i)))));
        trial_end(&t);
    }
    static const float data[11] = {1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8};     /* the published vector's */
    static const uint32_t places[8] = {10, 9, 8, 7, 6, 5, 4, 3};
    trial_begin(&t, 1, 11, 8, DVE_DTYPE_FP32);
    t.options.method = DVE_TOPK_REPLACE_INDICES;
    for (unsigned c = 0; c < 11; c++)
        set(&t, 0, c, data[c]);
    run(&t);
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(index_of(&t, 0, i), places[i]);
    trial_end(&t);
}

static void refuses(void **state)
{
    dve_topk_options good, bad;
    (void)state;
    dve_topk_defaults(&good);
    good.rows = 4;
    good.columns = 20;
    good.k = 5;
#define REFUSED(change, word)                                                        \
    do {                                                                             \
        dve_error error = {""};                                                      \
        dve_plan *plan = (dve_plan *)(void *)&error;                                 \
        bad = good;                                                                  \
        change;                                                                      \
        assert_int_equal(dve_plan_new(&bad, &plan, &error), DVE_E_USAGE);            \
        assert_null(plan);                                                           \
        if (!strstr(error.text, word))                                               \
            fail_msg("'%s' is not in '%s'", word, error.text);                       \
    } while (0)
    REFUSED(bad.k = 0, "1..20");
    REFUSED(bad.k = 21, "k is 21");
    REFUSED(bad.rows = 0, "rows");
    REFUSED(bad.columns = 0, "columns");
    REFUSED(bad.columns = UINT64_C(1) << 33, "columns");
    REFUSED(bad.replace = DVE_F32_QUIET_NAN, "nan");
    REFUSED(bad.dtype = DVE_DTYPE_FP32R, "fp32r");
    REFUSED(bad.dtype = DVE_DTYPE_INT64, "int64");
    REFUSED(bad.gen = 7, "generation");
    REFUSED(bad.method = 9, "method");
    REFUSED((bad.method = DVE_TOPK_REPLACE_INDICES, bad.gen = 2), "find");
    REFUSED((bad.method = DVE_TOPK_REPLACE_INDICES, bad.columns = 16385), "16384");
    REFUSED((bad.columns = 16385, bad.k = 8193), "8192");
    REFUSED(bad.settings.value[DVE_ASSUMPTION_hidden_state] = 2, "setting");
    REFUSED(bad.size = 1, "size");
#undef REFUSED
}

/* N = K = 16384 in fp32 fills a partition of gen2 to the last byte, integers with their casts too. */
static void fits(uint8_t dtype, size_t casts)
{
    dve_topk_options options;
    dve_error error;
    dve_plan *plan;
    size_t steps, records;
    dve_topk_defaults(&options);
    options.gen = 2;
    options.dtype = dtype;
    options.rows = 1;
    options.columns = options.k = 16384;
    assert_int_equal(dve_plan_new(&options, &plan, &error), DVE_OK);
    const dve_record *record = dve_plan_records(plan, &records);
    assert_int_equal(records, 2048 * 5 - 2 + casts);
    for (size_t i = 0; i < records; i++) {
        dve_insn insn;
        dve_decode(&record[i], &insn);
        assert_int_equal(dve_check(&insn, 2, NULL, 0), 0);
    }
    const dve_plan_step *step = dve_plan_steps(plan, &steps);
    assert_int_equal(steps, 7);
    assert_int_equal(step[3].place.offset + step[3].columns * 4, 192 * 1024);
    dve_plan_free(plan);
}

static void fits_gen2(void **state)
{
    (void)state;
    fits(DVE_DTYPE_FP32, 0);
    fits(DVE_DTYPE_INT32, 2);
    fits(DVE_DTYPE_UINT8, 2);
}

/* ---- hazards ---- */

static const dve_topk_hazard *only_hazard(const trial *t, dve_topk_hazard_kind kind, uint64_t row)
{
    assert_int_equal(t->hazard_count, 1);
    assert_int_equal(t->hazards[0].kind, kind);
    assert_int_equal(t->hazards[0].row, row);
    return &t->hazards[0];
}

static void hazard_free_rows(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 300, 50, 11, DVE_DTYPE_FP32);
    fill_descending(&t);
    run(&t);
    assert_int_equal(t.hazard_count, 0);
    trial_end(&t);
}

static void hazard_marker_in_data(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 300, 50, 11, DVE_DTYPE_FP32);
    fill_descending(&t);
    for (unsigned c = 20; c < 40; c++)
        set_bits(&t, 299, c, NEGATIVE_INFINITY);
    run(&t);
    const dve_topk_hazard *h = only_hazard(&t, DVE_TOPK_MARKER_IN_DATA, 299);
    assert_int_equal(h->count, 20);
    assert_int_equal(h->listed, 16);
    assert_int_equal(h->columns[0], 20);
    assert_int_equal(h->columns[15], 35);
    assert_int_equal(h->value, NEGATIVE_INFINITY);
    assert_true(h->round == UINT64_MAX);
    assert_int_equal(wrong_results(&t, 0), 0);
    trial_end(&t);
}

/* The marker is rounded before it is compared, and its zero has no sign. */
static void hazard_marker_is_rounded(void **state)
{
    trial t;
    float marker = 1e-30f;
    (void)state;
    trial_begin(&t, 1, 50, 3, DVE_DTYPE_FP16);
    fill_descending(&t);
    memcpy(&t.options.replace, &marker, sizeof marker);
    assert_int_equal(dve_topk_marker(&t.options), 0);
    set_bits(&t, 0, 30, 0x8000);
    run(&t);
    const dve_topk_hazard *h = only_hazard(&t, DVE_TOPK_MARKER_IN_DATA, 0);
    assert_int_equal(h->columns[0], 30);
    trial_end(&t);
}

static void hazard_marker_above_cut(void **state)
{
    trial t;
    float marker = 995.5f;
    (void)state;
    trial_begin(&t, 300, 50, 20, DVE_DTYPE_FP32);
    fill_descending(&t);
    for (uint64_t r = 0; r < 299; r++)
        for (unsigned c = 0; c < 50; c++)
            set(&t, r, c, 2000.0f - (float)c);
    memcpy(&t.options.replace, &marker, sizeof marker);
    run(&t);
    const dve_topk_hazard *h = only_hazard(&t, DVE_TOPK_MARKER_ABOVE_CUT, 299);
    assert_int_equal(h->count, 1);
    assert_int_equal(h->columns[0], 19);         /* of the sort, though the records went astray */
    assert_int_equal(h->value, input_bits(&t, 299, 19));
    assert_int_equal(h->round, 2);
    assert_int_not_equal(wrong_results(&t, 0), 0);
    trial_end(&t);
}

/* Integers above 2^24: what the copy cannot hold is told, as the integer that it is. */
static void hazard_through_fp32(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 3, 50, 3, DVE_DTYPE_INT32);
    for (uint64_t r = 0; r < 3; r++)
        for (uint64_t c = 0; c < 50; c++)
            set_bits(&t, r, c, (uint32_t)(r * 64 + c));
    set_bits(&t, 1, 7, 0x01000001);
    set_bits(&t, 1, 9, 0x01000002);              /* even: fp32 holds it */
    set_bits(&t, 1, 30, 0xfeffffff);             /* -(2^24 + 1) */
    t.expected = 1;                              /* the cast's */
    run(&t);
    const dve_topk_hazard *h = only_hazard(&t, DVE_TOPK_THROUGH_FP32, 1);
    assert_int_equal(h->count, 2);
    assert_int_equal(h->columns[0], 7);
    assert_int_equal(h->columns[1], 30);
    assert_int_equal(h->value, 0x01000001);
    assert_true(h->round == UINT64_MAX && dve_topk_hazard_alters(h->kind));
    assert_int_equal(value_bits(&t, 1, 0), 0x01000002);
    assert_int_equal(value_bits(&t, 1, 1), 0x01000000);     /* what the records give for 0x01000001 */
    trial_end(&t);
}

/* The values of other hazards are those that are worked with. */
static void hazards_of_casts(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 2, 20, 3, DVE_DTYPE_FP8_E4M3);
    static const float best[2][4] = {{200, 100, 50, 25}, {200, 200, 9, 9}};
    for (uint64_t r = 0; r < 2; r++)
        for (uint64_t c = 0; c < 20; c++)
            set(&t, r, c, c < 4 ? best[r][c] : 1.0f);
    set_bits(&t, 0, 5, 0x7f);                    /* NaN */
    run(&t);
    assert_int_equal(t.hazard_count, 2);
    assert_int_equal(t.hazards[0].kind, DVE_TOPK_NAN);
    assert_int_equal(t.hazards[0].value, DVE_F32_QUIET_NAN);
    const dve_topk_hazard *tie = &t.hazards[1];
    assert_true(tie->kind == DVE_TOPK_TIE_AT_CUT && tie->row == 1);
    assert_int_equal(tie->value, 0x41100000);    /* 9 */
    trial_end(&t);
}

/* Where round 0 is the cut, the marker never mattered; it is reported all the same. */
static void hazard_marker_infinity(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 2, 50, 3, DVE_DTYPE_BF16);
    fill_descending(&t);
    set(&t, 0, 48, 990.0f);
    for (unsigned c = 2; c < 50; c++)
        set(&t, 1, c, -(float)c);
    t.options.replace = DVE_F32_INFINITY;
    run(&t);
    assert_true(t.hazard_count >= 2);
    assert_int_equal(t.hazards[t.hazard_count - 1].row, 1);
    assert_int_equal(t.hazards[t.hazard_count - 1].kind, DVE_TOPK_MARKER_ABOVE_CUT);
    assert_int_equal(wrong_results(&t, 0), 0);
    trial_end(&t);
}

static void hazard_nan(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 300, 50, 11, DVE_DTYPE_FP16);
    fill_descending(&t);
    set_bits(&t, 299, 7, 0xfe01);
    set_bits(&t, 299, 40, 0x7e00);
    run(&t);
    const dve_topk_hazard *h = only_hazard(&t, DVE_TOPK_NAN, 299);
    assert_int_equal(h->count, 2);
    assert_int_equal(h->columns[0], 7);
    assert_int_equal(h->columns[1], 40);
    assert_int_equal(h->value, 0xfe01);
    assert_int_equal(index_of(&t, 299, 7), 8);   /* passed over */
    trial_end(&t);
}

static void hazard_too_few_values(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 1, 12, 10, DVE_DTYPE_FP32);
    fill_descending(&t);
    for (unsigned c = 3; c < 12; c++)
        set_bits(&t, 0, c, 0x7fc00000);
    run(&t);
    assert_int_equal(t.hazard_count, 2);
    assert_int_equal(t.hazards[0].kind, DVE_TOPK_MARKER_ABOVE_CUT);
    assert_int_equal(t.hazards[0].value, NEGATIVE_INFINITY);
    assert_int_equal(t.hazards[0].count, 0);
    assert_int_equal(t.hazards[0].round, 1);
    assert_int_equal(t.hazards[1].kind, DVE_TOPK_NAN);
    assert_int_equal(t.hazards[1].count, 9);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(index_of(&t, 0, i), i);
    assert_int_equal(index_of(&t, 0, 3), DVE_TOPK_ABSENT);
    assert_int_equal(value_bits(&t, 0, 3), NEGATIVE_INFINITY);
    trial_end(&t);
}

static void hazard_tie_at_cut(void **state)
{
    trial t;
    (void)state;
    for (int method = 0; method < 2; method++) {
        trial_begin(&t, 300, 50, 9, DVE_DTYPE_BF16);
        t.options.method = (uint8_t)method;
        for (uint64_t r = 0; r < 300; r++)
            for (unsigned c = 0; c < 50; c++)
                set(&t, r, c, 100.0f - (float)c);
        set(&t, 299, 30, 92.0f);                 /* column 8 is the 9th */
        set(&t, 299, 49, 92.0f);
        set(&t, 5, 20, 95.0f);                   /* equals above the cut are no hazard */
        run(&t);
        const dve_topk_hazard *h = only_hazard(&t, DVE_TOPK_TIE_AT_CUT, 299);
        assert_int_equal(h->count, 2);
        assert_int_equal(h->columns[0], 8);
        assert_int_equal(h->columns[1], 30);
        assert_int_equal(h->value, input_bits(&t, 299, 8));
        assert_int_equal(h->round, 1);
        assert_false(dve_topk_hazard_alters(h->kind));
        trial_end(&t);
    }
}

static void hazard_short_row(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 2, 3, 3, DVE_DTYPE_FP32);
    fill_descending(&t);
    set_bits(&t, 1, 2, NEGATIVE_INFINITY);       /* comes before the padding: it stands in front */
    run(&t);
    assert_int_equal(t.hazard_count, 4);
    assert_int_equal(t.hazards[0].kind, DVE_TOPK_SHORT_ROW);
    assert_int_equal(t.hazards[0].value, 3);
    assert_int_equal(t.hazards[0].count, 0);
    assert_int_equal(t.hazards[1].kind, DVE_TOPK_MARKER_IN_DATA);
    assert_int_equal(t.hazards[2].kind, DVE_TOPK_MARKER_ABOVE_CUT);
    assert_int_equal(t.hazards[3].kind, DVE_TOPK_SHORT_ROW);
    assert_int_equal(wrong_results(&t, 0), 0);
    trial_end(&t);
    trial_begin(&t, 1, 3, 3, DVE_DTYPE_FP32);    /* padding never shows as a position */
    fill_descending(&t);
    set_bits(&t, 0, 1, 0x7fc00000);
    run(&t);
    assert_int_equal(index_of(&t, 0, 1), 2);
    assert_int_equal(index_of(&t, 0, 2), DVE_TOPK_ABSENT);
    trial_end(&t);
}

/* Hazards of a long row count columns of the whole row. */
static void hazard_in_tiles(void **state)
{
    trial t;
    (void)state;
    trial_begin(&t, 2, 40000, 9, DVE_DTYPE_FP32);
    for (unsigned c = 0; c < 40000; c++) {
        set(&t, 0, c, (float)c);
        set(&t, 1, c, (float)c);
    }
    set(&t, 1, 0, 39991.0f);
    run(&t);
    const dve_topk_hazard *h = only_hazard(&t, DVE_TOPK_TIE_AT_CUT, 1);
    assert_int_equal(h->columns[0], 0);
    assert_int_equal(h->columns[1], 39991);
    assert_int_equal(wrong_results(&t, 0), 0);
    trial_end(&t);
}

/* ---- the records decide ---- */

static void max8_takes_the_first(const dve_lane *lane)
{
    for (uint32_t n = 0; n < 8; n++)
        dve_num_store_bits(lane->dst.size, dve_num_load_bits(lane->src.size, dve_walk_at(&lane->src, n)),
                           dve_walk_at(&lane->dst, n));
}

static void find_says_zero(const dve_lane *lane)
{
    for (uint32_t n = 0; n < 8; n++)
        dve_num_store_bits(lane->dst.size, 0, dve_walk_at(&lane->dst, n));
}

static void replace_replaces_nothing(const dve_lane *lane)
{
    (void)lane;
}

static void wrong_op_is_wrong(uint8_t opcode, dve_op_fn *wrong, uint64_t k)
{
    dve_op ops[64];
    unsigned n = 0;
    trial t;
    do {
        ops[n] = dve_op_table[n];
        if (ops[n].run && ops[n].opcode == opcode)
            ops[n].run = wrong;
    } while (dve_op_table[n++].run);
    trial_begin(&t, 3, 60, k, DVE_DTYPE_FP32);
    for (uint64_t r = 0; r < 3; r++)
        for (unsigned c = 0; c < 60; c++)
            set(&t, r, c, (float)(c * 7 % 60));
    run(&t);
    assert_int_equal(wrong_results(&t, 0), 0);
    run_with(&t, ops);
    assert_int_not_equal(wrong_results(&t, 0), 0);
    trial_end(&t);
}

static void records_decide(void **state)
{
    (void)state;
    wrong_op_is_wrong(DVE_OPCODE_MAX8, max8_takes_the_first, 4);
    wrong_op_is_wrong(DVE_OPCODE_FIND_INDEX8, find_says_zero, 4);
    wrong_op_is_wrong(DVE_OPCODE_MATCH_REPLACE8, replace_replaces_nothing, 12);
    wrong_op_is_wrong(DVE_OPCODE_MATCH_VALUE_LOAD, replace_replaces_nothing, 4);
}

/* ---- plans ---- */

static void plan_repeats(void **state)
{
    trial t;
    dve_plan *plan, *copy;
    dve_plan_fault fault;
    dve_error error;
    dve_stop stop;
    size_t steps, records;
    (void)state;
    trial_begin(&t, 140, 300, 20, DVE_DTYPE_FP32);
    fill_random(&t, 5);
    dve_machine *machine = make_machine(&t, NULL);
    assert_int_equal(dve_plan_new(&t.options, &plan, &error), DVE_OK);
    assert_int_equal(dve_plan_run(plan, machine, t.input, t.values, t.indices, &stop, &error), DVE_OK);
    assert_int_equal(wrong_results(&t, 0), 0);
    uint8_t *values = malloc(140 * 20 * 4), *indices = malloc(140 * 20 * 4);
    assert_true(values && indices);
    assert_int_equal(dve_plan_run(plan, machine, t.input, values, indices, &stop, &error), DVE_OK);
    assert_memory_equal(values, t.values, 140 * 20 * 4);
    assert_memory_equal(indices, t.indices, 140 * 20 * 4);
    const dve_plan_step *step = dve_plan_steps(plan, &steps);
    const dve_record *record = dve_plan_records(plan, &records);
    assert_int_equal(dve_plan_from_steps(dve_plan_options(plan), step, steps, record, records, &copy, &fault, &error),
                     DVE_OK);
    memset(values, 0, 140 * 20 * 4);
    assert_int_equal(dve_plan_run(copy, machine, t.input, values, NULL, &stop, &error), DVE_OK);
    assert_memory_equal(values, t.values, 140 * 20 * 4);
    assert_int_equal(t.machine_hazards, 0);
    dve_plan_free(plan);
    dve_plan_free(copy);
    dve_machine_free(machine);
    free(values);
    free(indices);
    trial_end(&t);
}

static void threads_change_nothing(void **state)
{
    trial t;
    dve_plan *plan;
    dve_error error;
    dve_stop stop;
    dve_machine_config config;
    (void)state;
    trial_begin(&t, 200, 900, 30, DVE_DTYPE_BF16);
    fill_random(&t, 6);
    dve_machine_defaults(&config);
    dve_pool *pool = dve_pool_new(3);
    config.parallel_for = dve_pool_run;
    config.parallel_context = pool;
    dve_machine *machine = dve_machine_new(&config);
    assert_int_equal(dve_plan_new(&t.options, &plan, &error), DVE_OK);
    assert_int_equal(dve_plan_run(plan, machine, t.input, t.values, t.indices, &stop, &error), DVE_OK);
    assert_int_equal(wrong_results(&t, 0), 0);
    unsigned count = 0;
    assert_int_equal(dve_topk_hazards(&t.options, t.input, t.values, NULL, NULL, take_hazard, &t), DVE_OK);
    count = t.hazard_count;
    t.hazard_count = 0;
    assert_int_equal(dve_topk_hazards(&t.options, t.input, t.values, dve_pool_run, pool, take_hazard, &t), DVE_OK);
    assert_int_equal(t.hazard_count, count);
    assert_true(count > 0);
    dve_machine_free(machine);
    dve_plan_free(plan);
    dve_pool_free(pool);
    trial_end(&t);
}

/* Each damage is refused, and says which step and member. */
static void damaged_plans(void **state)
{
    dve_topk_options options;
    dve_plan *plan, *made;
    dve_error error;
    size_t count, records;
    (void)state;
    dve_topk_defaults(&options);
    options.rows = 130;
    options.columns = 20000;
    options.k = 9;
    assert_int_equal(dve_plan_new(&options, &plan, &error), DVE_OK);
    const dve_plan_step *good = dve_plan_steps(plan, &count);
    const dve_record *record = dve_plan_records(plan, &records);
    dve_plan_step *steps = malloc(count * sizeof *steps);
    assert_non_null(steps);
#define DAMAGED(n, change, name)                                                                               \
    do {                                                                                                       \
        dve_plan_fault fault = {0, ""};                                                                        \
        dve_plan_step *s = &steps[n];                                                                          \
        memcpy(steps, good, count * sizeof *steps);                                                            \
        change;                                                                                                \
        assert_int_equal(dve_plan_from_steps(&options, steps, count, record, records, &made, &fault, &error),  \
                         DVE_E_INPUT);                                                                         \
        assert_null(made);                                                                                     \
        assert_int_equal(fault.step, n);                                                                       \
        assert_string_equal(fault.member, name);                                                               \
    } while (0)
    assert_int_equal(good[0].action, DVE_PLAN_PUT);
    DAMAGED(0, s->rows = 129, "rows");
    DAMAGED(0, s->row = 3, "row");
    DAMAGED(0, s->columns = 20001, "columns");
    DAMAGED(0, s->column = 19999, "column");
    DAMAGED(0, s->padding = 1u << 31, "columns");
    DAMAGED(0, s->place.offset = 224 * 1024 - 4, "place.offset");
    DAMAGED(0, s->place.partition = 1, "place.partition");
    DAMAGED(0, s->place.space = (dve_space)7, "place");
    DAMAGED(0, s->buffer = 3, "from");
    DAMAGED(0, s->action = 99, "step");
    DAMAGED(1, s->first = records, "first");
    DAMAGED(1, s->count = UINT64_MAX, "count");
    DAMAGED(1, s->count = 0, "count");
    assert_int_equal(good[2].action, DVE_PLAN_GET);
    DAMAGED(2, s->dtype = DVE_DTYPE_INT64, "dtype");
    DAMAGED(2, s->buffer = DVE_PLAN_MAX_BUFFERS, "buffer");
    DAMAGED(2, s->column = UINT64_MAX, "at");
    assert_int_equal(good[4].action, DVE_PLAN_ADD);
    DAMAGED(4, s->base = UINT32_MAX, "base");
    DAMAGED(4, s->buffer = 0, "buffer");
    DAMAGED(4, s->columns = 10, "columns");
#undef DAMAGED
    free(steps);
    dve_plan_free(plan);
}

static void machine_must_fit(void **state)
{
    trial t;
    dve_plan *plan;
    dve_error error;
    dve_stop stop;
    (void)state;
    trial_begin(&t, 1, 20, 5, DVE_DTYPE_FP32);
    dve_machine *machine = make_machine(&t, NULL);
    t.options.gen = 4;
    assert_int_equal(dve_plan_new(&t.options, &plan, &error), DVE_OK);
    assert_int_equal(dve_plan_run(plan, machine, t.input, t.values, t.indices, &stop, &error), DVE_E_USAGE);
    dve_plan_free(plan);
    dve_machine_free(machine);
    trial_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_sort), cmocka_unit_test(tiles_merge), cmocka_unit_test(replace_indices),
        cmocka_unit_test(refuses), cmocka_unit_test(fits_gen2), cmocka_unit_test(hazard_free_rows),
        cmocka_unit_test(hazard_marker_in_data), cmocka_unit_test(hazard_marker_is_rounded),
        cmocka_unit_test(hazard_through_fp32), cmocka_unit_test(hazards_of_casts),
        cmocka_unit_test(casts_equal_the_sort),
        cmocka_unit_test(hazard_marker_above_cut), cmocka_unit_test(hazard_marker_infinity),
        cmocka_unit_test(hazard_nan), cmocka_unit_test(hazard_too_few_values), cmocka_unit_test(hazard_tie_at_cut),
        cmocka_unit_test(hazard_short_row), cmocka_unit_test(hazard_in_tiles), cmocka_unit_test(records_decide),
        cmocka_unit_test(plan_repeats), cmocka_unit_test(threads_change_nothing), cmocka_unit_test(damaged_plans),
        cmocka_unit_test(machine_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
