/* SPDX-License-Identifier: Apache-2.0 */
/* opendve topk: the K largest values of each row, found by records on the model of the engine. */
#include "commands.h"
#include "outputs.h"
#include "topk.h"
#include "trace.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_topk_options[] = {
    {"k", 'k', "K", "how many values of each row, 1..columns (K <= 8192 beyond 16384 columns)"},
    {"dtype", 0, "D", "what raw bits (uint8, uint16, void) are: bf16 or an fp8 kind"},
    {"values", 0, "V.npy", "write the values, [rows, K] in the input's dtype; - is stdout"},
    {"indices", 0, "I.npy", "write the columns they stand in, [rows, K] uint32; - is stdout"},
    {"method", 0, "M", "find (default), or replace-indices (gen3 and later, up to 16384 columns)"},
    {"replace", 0, "X", "value that marks taken elements, default -inf"},
    {"plan", 0, "P.json", "write what was run, its records beside it in P.bin"},
    {"listing", 0, NULL, "print the instruction stream"},
    {"stats", 0, NULL, "print records, elements and estimated cost per opcode"},
    {"trace", 0, "T.json", "write a Chrome trace in modelled time"},
    {"threads", 0, "N", "threads, 1..128; default one per processor, results never depend on it"},
    CLI_SIMD_OPTIONS
    {"strict", 0, NULL, "exit 1 and write no file where a hazard of class alters is found"},
    {"convert", 0, NULL, "take float64 as float32 and int64 as int32"},
    {0},
};

enum { SMALL = 1 << 16 };        /* elements of a batch that are not worth waking threads for */

typedef struct outputs {
    dve_outset *set;
    unsigned values, indices, trace;
    cli_plan_files plan;
} outputs;

typedef struct job {
    const cli_arguments *arguments;
    const char *path;
    dve_topk_options options;
    uint64_t threads;
    dve_array input;
    void *values, *indices;
    dve_plan *plan;
    dve_machine *machine;
    outputs out;
    cli_trace trace;
    int traced;
    topk_report report;
} job;

/* ---- the command line ---- */

/* A decimal number, or inf; DVE_E_USAGE for anything else, NaN included. */
static dve_status read_replace(const char *text, uint32_t *out)
{
    char *end;
    float value = strtof(text, &end);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (!*text || isspace((unsigned char)*text) || *end)
        return cli_fail(DVE_E_USAGE, "option --replace: \"%.100s\" was given, allowed is a number, inf or -inf", text);
    *out = bits;
    return DVE_OK;
}

static dve_status read_method(const char *text, uint8_t *out)
{
    if (strcmp(text, "find") == 0)
        *out = DVE_TOPK_FIND;
    else if (strcmp(text, "replace-indices") == 0)
        *out = DVE_TOPK_REPLACE_INDICES;
    else
        return cli_fail(DVE_E_USAGE, "option --method: \"%.100s\" was given, allowed: find, replace-indices", text);
    return DVE_OK;
}

/* Stdout takes one document. */
static dve_status check_stdout(const job *j)
{
    static const char *const files[] = {"values", "indices", "trace"};
    static const char *const texts[] = {"json", "listing", "stats"};
    const char *first = NULL;
    for (unsigned i = 0; i < 3; i++) {
        const char *path = cli_value(j->arguments, files[i]);
        if (!dve_outset_is_stdout(path))
            continue;
        if (first)
            return cli_fail(DVE_E_USAGE, "--%s and --%s cannot both go to stdout", first, files[i]);
        first = files[i];
    }
    for (unsigned i = 0; i < 3; i++)
        if (first && cli_flag(j->arguments, texts[i]))
            return cli_fail(DVE_E_USAGE, "--%s and --%s cannot both go to stdout", first, texts[i]);
    if (cli_flag(j->arguments, "json") && cli_flag(j->arguments, "listing"))
        return cli_fail(DVE_E_USAGE, "--json and --listing cannot both go to stdout");
    return DVE_OK;
}

static dve_status read_options(job *j)
{
    const cli_arguments *a = j->arguments;
    dve_topk_options *o = &j->options;
    dve_topk_defaults(o);
    dve_status status = cli_one_file(a, &j->path);
    if (!status)
        status = cli_gen(a, &o->gen);
    if (!status)
        status = cli_settings(a, &o->settings);
    if (!status && !cli_value(a, "k"))
        status = cli_fail(DVE_E_USAGE, "topk needs -k K, how many values of each row");
    if (!status)
        status = cli_number(a, "k", 0, UINT32_MAX, &o->k);
    if (!status)
        status = cli_number(a, "threads", 1, DVE_LANES, &j->threads);
    if (!status && cli_value(a, "replace"))
        status = read_replace(cli_value(a, "replace"), &o->replace);
    if (!status && cli_value(a, "method"))
        status = read_method(cli_value(a, "method"), &o->method);
    return status ? status : check_stdout(j);
}

/* ---- the work ---- */

static dve_status read_input(job *j)
{
    const dve_npy_options reading = {.convert = cli_flag(j->arguments, "convert") != 0};
    dve_error error = {""};
    dve_status status = dve_npy_read(j->path, &reading, &j->input, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    j->options.rows = j->input.rows;
    j->options.columns = j->input.columns;
    status = cli_array_dtype(&j->input, j->path, cli_value(j->arguments, "dtype"), &j->options.dtype);
    if (status)
        return status;
    status = dve_plan_new(&j->options, &j->plan, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

static dve_status open_one(job *j, const char *name, unsigned *index)
{
    const char *path = cli_value(j->arguments, name);
    dve_error error = {""};
    dve_status status = path ? cli_open_output(j->out.set, name, path, index, &error) : DVE_OK;
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

static dve_status open_outputs(job *j)
{
    dve_error error = {""};
    const char *plan = cli_value(j->arguments, "plan");
    dve_status status = dve_outset_new(&j->out.set, &error);
    if (!status)
        status = cli_spare(j->out.set, j->arguments, NULL, j->path, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    status = open_one(j, "values", &j->out.values);
    if (!status)
        status = open_one(j, "indices", &j->out.indices);
    if (!status && plan)
        status = cli_plan_open(j->out.set, plan, &j->out.plan);
    return status ? status : open_one(j, "trace", &j->out.trace);
}

static void on_step(void *context, const dve_step *step)
{
    job *j = context;
    cli_stats_step(&j->report.stats, step);
    j->report.cycles += step->cycles;
    if (j->traced)
        cli_trace_step(&j->trace, step);
    cli_progress(j->report.stats.records);
}

static void on_hazard(void *context, const dve_hazard *hazard)
{
    job *j = context;
    if (hazard->kind != DVE_HAZARD_THROUGH_FP32) /* of the casts: told with the rows that it concerns */
        cli_stats_hazard(&j->report.stats, hazard);
}

/* Zero pages for results: a bad size is caught here and not by the first write. */
static dve_status make_results(job *j)
{
    uint32_t size = dve_num_size(j->options.dtype);
    size_t results = (size_t)j->options.k;
    if (j->options.rows < SIZE_MAX / 4 / results) {
        results *= (size_t)j->options.rows;
        j->values = calloc(results, size);
        j->indices = calloc(results, 4);
    }
    return j->values && j->indices ? DVE_OK : cli_fail(DVE_E_INTERNAL, "no memory for the results");
}

static dve_status make_machine(job *j)
{
    dve_machine_config config;
    dve_machine_defaults(&config);
    dve_status status = cli_simd(j->arguments, &config);
    if (status)
        return status;
    uint64_t batch = j->options.rows < DVE_LANES ? j->options.rows : DVE_LANES;
    int small = batch * j->options.columns < SMALL && !cli_flag(j->arguments, "threads");
    config.gen = j->options.gen;
    config.settings = j->options.settings;
    config.observer = (dve_observer){j, on_step, on_hazard};
    j->report.pool = dve_pool_new(small ? 1 : (unsigned)j->threads);
    config.parallel_for = j->report.pool ? dve_pool_run : NULL;
    config.parallel_context = j->report.pool;
    j->machine = dve_machine_new(&config);
    return j->machine ? DVE_OK : cli_fail(DVE_E_INTERNAL, "no memory for the machine");
}

/* Nothing that topk builds is refused or hazardous; if it were, the results could not be trusted. */
static dve_status run(job *j)
{
    dve_error error = {""};
    dve_stop stop;
    char text[DVE_TEXT];
    j->traced = cli_value(j->arguments, "trace") != NULL;
    if (j->traced)
        cli_trace_begin(&j->trace, j->out.set, j->out.trace, j->options.gen);
    dve_status status = dve_plan_run(j->plan, j->machine, j->input.data, j->values, j->indices, &stop, &error);
    cli_progress_end();
    if (status && stop.reason != DVE_REFUSED_NOT)
        return cli_fail(DVE_E_INTERNAL, "%s", dve_stop_text(&stop, j->options.gen, text, sizeof text));
    if (status)
        return cli_fail(DVE_E_INTERNAL, "%s", error.text);
    if (j->report.stats.hazards_total)
        return cli_fail(DVE_E_INTERNAL, "the records of this plan are hazardous");
    j->report.plan = j->plan;
    j->report.options = &j->options;
    j->report.input = j->input.data;
    j->report.values = j->values;
    j->report.indices = j->indices;
    j->report.assumptions = dve_machine_assumptions(j->machine) | (dve_assumption_set)1 << DVE_ASSUMPTION_cost;
    return cli_topk_hazards(&j->report);
}

/* ---- results ---- */

static dve_status write_outputs(job *j)
{
    const cli_arguments *a = j->arguments;
    const dve_topk_options *o = &j->options;
    dve_error error = {""};
    dve_status status = DVE_OK;
    if (cli_value(a, "values"))
        status = cli_array_write(j->out.set, j->out.values, o->dtype, o->rows, o->k, j->values);
    if (!status && cli_value(a, "indices"))
        status = cli_array_write(j->out.set, j->out.indices, DVE_DTYPE_UINT32, o->rows, o->k, j->indices);
    if (!status && cli_value(a, "plan"))
        status = cli_plan_write(j->plan, j->out.set, &j->out.plan);
    if (!status && j->traced && (status = cli_trace_end(&j->trace, &error)) != DVE_OK)
        cli_fail(status, "%s", error.text);
    return status;
}

static dve_status print_report(job *j)
{
    const cli_arguments *a = j->arguments;
    topk_report *r = &j->report;
    static const char *const files[] = {"values", "indices", "plan", "trace", "listing"};
    int plain = 1;
    dve_status status = DVE_OK;
    if (cli_flag(a, "json"))
        return cli_topk_json(r);
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        plain = plain && !cli_value(a, files[i]);
    if (cli_flag(a, "listing"))
        status = cli_plan_listing(j->plan);
    if (!status && plain)
        status = cli_topk_table(r);
    if (!status && cli_flag(a, "stats"))
        status = cli_topk_stats(r);
    if (plain || cli_flag(a, "stats"))
        cli_topk_cost(r);
    return status ? status : cli_flush();
}

/* The report goes first: where stdout is broken, no file appears. */
static dve_status finish(job *j)
{
    int failed = cli_flag(j->arguments, "strict") && j->report.hazards_altering;
    dve_error error = {""};
    dve_status status = failed ? DVE_OK : write_outputs(j);
    if (!status)
        status = print_report(j);
    if (!status && failed)
        return cli_fail(DVE_E_FINDING, "--strict: there are hazards of class alters; no file is written");
    if (!status && (status = dve_outset_commit(j->out.set, &error)) != DVE_OK)
        cli_fail(status, "%s", error.text);
    return status;
}

dve_status cli_topk(const cli_arguments *arguments)
{
    static job j;
    j.arguments = arguments;
    dve_status status = read_options(&j);
    if (!status)
        status = read_input(&j);
    if (!status)
        status = open_outputs(&j);
    if (!status)
        status = make_results(&j);
    if (!status)
        status = make_machine(&j);
    if (!status)
        status = run(&j);
    if (!status)
        status = finish(&j);
    dve_outset_free(j.out.set);
    dve_machine_free(j.machine);
    dve_pool_free(j.report.pool);
    dve_plan_free(j.plan);
    dve_array_free(&j.input);
    free(j.values);
    free(j.indices);
    return status;
}
