/* SPDX-License-Identifier: Apache-2.0 */
/* opendve exec --plan: what topk wrote, run again. */
#include "exec.h"
#include "outputs.h"
#include "plan_json.h"
#include <stdlib.h>
#include <string.h>

typedef struct replay {
    dve_plan *plan;
    dve_array input;
    void *values, *indices;
    unsigned values_output, indices_output;
} replay;

/* The plan says generation and settings; the command line may repeat them. */
static dve_status adopt(exec *e, const dve_topk_options *options)
{
    if (cli_flag(e->a, "gen") && e->config.gen != options->gen)
        return cli_fail(DVE_E_USAGE, "option --gen: %s was given, the plan is for %s",
                        dve_generation(e->config.gen)->name, dve_generation(options->gen)->name);
    if (cli_flag(e->a, "assume") && memcmp(&e->config.settings, &options->settings, sizeof options->settings) != 0)
        return cli_fail(DVE_E_USAGE, "option --assume: the plan was made with other settings");
    e->config.gen = options->gen;
    e->config.settings = options->settings;
    return DVE_OK;
}

static dve_status open_array(exec *e, const char *option, unsigned *output)
{
    dve_error error;
    const char *path = cli_value(e->a, option);
    *output = EXEC_NO_OUTPUT;
    dve_status status = path ? cli_open_output(e->outputs, option, path, output, &error) : DVE_OK;
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

static dve_status open_outputs(exec *e, replay *r, const dve_topk_options *options)
{
    uint64_t elements = options->rows * options->k;
    dve_status status = exec_open_outputs(e);
    if (!status)
        status = open_array(e, "values", &r->values_output);
    if (!status)
        status = open_array(e, "indices", &r->indices_output);
    if (status)
        return status;
    r->values = calloc(elements ? elements : 1, dve_num_size(options->dtype));
    r->indices = calloc(elements ? elements : 1, sizeof(uint32_t));
    return r->values && r->indices ? DVE_OK : cli_fail(DVE_E_INTERNAL, "not enough memory for the results");
}

/* Runs the plan and adds its arrays to the outputs. */
static dve_status run(exec *e, replay *r, const dve_topk_options *options)
{
    dve_error error = {{0}};
    exec_begin_report(e);
    dve_status status = dve_plan_run(r->plan, e->machine, r->input.data, r->values, r->indices, &e->stop, &error);
    if (status && e->stop.reason != DVE_REFUSED_NOT)
        exec_tell_stop(e, status);
    else if (status)
        cli_fail(status, "%s", error.text);
    dve_status written = DVE_OK;
    if (r->values_output != EXEC_NO_OUTPUT)
        written = cli_array_write(e->outputs, r->values_output, options->dtype, options->rows, options->k, r->values);
    if (!written && r->indices_output != EXEC_NO_OUTPUT)
        written = cli_array_write(e->outputs, r->indices_output, DVE_DTYPE_UINT32, options->rows, options->k,
                                  r->indices);
    const char *failed = status && e->stop.reason == DVE_REFUSED_NOT ? error.text : NULL;
    return exec_finish(e, status ? status : written, failed);
}

static dve_status replay_plan(exec *e, replay *r)
{
    const dve_topk_options *options = dve_plan_options(r->plan);
    dve_status status = adopt(e, options);
    if (!status)
        status = exec_gate(e, 1);
    if (!status)
        status = cli_plan_input(r->plan, cli_value(e->a, "in"), cli_flag(e->a, "convert"), &r->input);
    if (!status)
        status = exec_machine(e);
    if (!status)
        status = exec_inputs(e);
    if (!status)
        status = open_outputs(e, r, options);
    return status ? status : run(e, r, options);
}

dve_status exec_plan(exec *e)
{
    replay r;
    memset(&r, 0, sizeof r);
    dve_status status = cli_plan_read(cli_value(e->a, "plan"), &r.plan);
    if (!status)
        status = replay_plan(e, &r);
    free(r.values);
    free(r.indices);
    dve_array_free(&r.input);
    dve_plan_free(r.plan);
    return status;
}
