/* SPDX-License-Identifier: Apache-2.0 */
/* Plans made by hand: what a run reports and what is no plan; and hazards at the edges of a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <opendve/opendve.h>

typedef struct seen {
    unsigned count;
    dve_hazard last;
} seen;

static void see(void *context, const dve_hazard *hazard)
{
    seen *s = context;
    s->last = *hazard;
    s->count++;
}

static dve_topk_options options_of(uint64_t rows, uint64_t columns, uint64_t k)
{
    dve_topk_options options;
    dve_topk_defaults(&options);
    options.rows = rows;
    options.columns = columns;
    options.k = k;
    return options;
}

/* Two gets of memory that nothing wrote, cut to both outputs. */
static const dve_plan_step fetch[] = {
    {.action = DVE_PLAN_GET, .dtype = DVE_DTYPE_FP32, .buffer = 0, .rows = 1, .columns = 8, .place = {0, 0, 64}},
    {.action = DVE_PLAN_GET, .dtype = DVE_DTYPE_UINT32, .buffer = 1, .rows = 1, .columns = 8, .place = {0, 0, 96}},
    {.action = DVE_PLAN_CUT, .output = DVE_PLAN_VALUES, .buffer = 0, .rows = 1, .columns = 8},
    {.action = DVE_PLAN_CUT, .output = DVE_PLAN_INDICES, .buffer = 1, .rows = 1, .columns = 8},
};

static dve_status make(const dve_topk_options *options, size_t steps, dve_plan **plan, dve_plan_fault *fault)
{
    static const dve_record none;
    dve_error error;
    return dve_plan_from_steps(options, fetch, steps, &none, 1, plan, fault, &error);
}

static void test_get_of_unwritten(void **state)
{
    (void)state;
    dve_topk_options options = options_of(1, 8, 8);
    dve_plan *plan;
    dve_plan_fault fault;
    assert_int_equal(make(&options, 4, &plan, &fault), DVE_OK);
    seen s = {0, {0}};
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.observer = (dve_observer){&s, NULL, see};
    dve_machine *machine = dve_machine_new(&config);
    assert_non_null(machine);
    uint32_t active;
    memset(dve_machine_bytes(machine, DVE_SPACE_SBUF, 0, &active) + 64, 0x55, 64);
    dve_place written = {DVE_SPACE_SBUF, 0, 64};
    assert_int_equal(dve_machine_mark(machine, &written, 4), DVE_OK);
    float input[8] = {0}, values[8];
    uint32_t indices[8];
    memset(values, 0xff, sizeof values);
    static dve_stop stop;
    dve_error error;
    assert_int_equal(dve_plan_run(plan, machine, input, values, indices, &stop, &error), DVE_OK);
    assert_int_equal(s.count, 2);                /* 28 bytes of the first get, 32 of the second */
    assert_int_equal(s.last.kind, DVE_HAZARD_NEVER_WRITTEN);
    assert_true(s.last.record == UINT64_MAX);
    assert_string_equal(s.last.operand, "get");
    assert_int_equal(s.last.byte, 96);
    assert_int_equal(s.last.count, 32);
    uint32_t bits;
    memcpy(&bits, &values[0], sizeof bits);
    assert_int_equal(bits, 0x55555555);
    for (unsigned i = 1; i < 8; i++)
        assert_true(values[i] == 0.0f && indices[i] == 0);
    dve_machine_free(machine);
    dve_plan_free(plan);
}

/* A plan that leaves rows or columns of an output unfilled would give zeros that look like answers. */
static void test_unfilled_outputs(void **state)
{
    (void)state;
    dve_plan *plan;
    dve_plan_fault fault;
    dve_topk_options options = options_of(1, 8, 8);
    assert_int_equal(make(&options, 3, &plan, &fault), DVE_E_INPUT);        /* no indices */
    assert_string_equal(fault.member, "steps");
    options = options_of(2, 8, 8);                                          /* one of two rows */
    assert_int_equal(make(&options, 4, &plan, &fault), DVE_E_INPUT);
    options = options_of(1, 8, 7);                                          /* more columns than k */
    assert_int_equal(make(&options, 4, &plan, &fault), DVE_E_INPUT);
    assert_string_equal(fault.member, "columns");
}

typedef struct found {
    unsigned count;
    dve_topk_hazard hazard;
} found;

static void find(void *context, const dve_topk_hazard *hazard)
{
    found *f = context;
    if (hazard->kind != DVE_TOPK_MARKER_IN_DATA && hazard->kind != DVE_TOPK_NAN)
        return;
    f->hazard = *hazard;
    f->count++;
}

/* One -inf, or one NaN, at every column where a block of the scan may begin or end. */
static void test_hazards_at_every_edge(void **state)
{
    (void)state;
    enum { COLUMNS = 2100 };
    static const uint32_t at[] = {0, 1, 7, 8, 15, 16, 63, 64, 255, 256, 1022, 1023, 1024, 1025, 2047, 2048, COLUMNS - 1};
    dve_topk_options options = options_of(1, COLUMNS, 3);
    uint32_t *row = malloc(COLUMNS * sizeof *row);
    assert_non_null(row);
    const uint32_t values[3] = {0x3f800000, 0x3f800000, 0x3f800000};        /* 1.0: above all but these */
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned i = 0; i < sizeof at / sizeof at[0]; i++) {
            for (unsigned c = 0; c < COLUMNS; c++)
                row[c] = c > 100 && c < 104 ? 0x3f800000 : 0xbf800000;
            row[at[i]] = kind ? 0x7fc00001 : 0xff800000;
            found f = {0, {0}};
            assert_int_equal(dve_topk_hazards(&options, row, values, NULL, NULL, find, &f), DVE_OK);
            assert_int_equal(f.count, 1);
            assert_int_equal(f.hazard.kind, kind ? DVE_TOPK_NAN : DVE_TOPK_MARKER_IN_DATA);
            assert_int_equal(f.hazard.count, 1);
            assert_int_equal(f.hazard.columns[0], at[i]);
        }
    free(row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_get_of_unwritten),
        cmocka_unit_test(test_unfilled_outputs),
        cmocka_unit_test(test_hazards_at_every_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
