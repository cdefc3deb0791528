/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line of exec says. */
#include "exec.h"
#include "io/outfile.h"
#include <string.h>

/* Whether an option with two words has the second one. */
static dve_status choice(const exec *e, const char *name, const char *first, const char *second, uint8_t *out)
{
    const char *value = cli_value(e->a, name);
    if (!value || strcmp(value, first) == 0)
        return DVE_OK;
    *out = 1;
    if (strcmp(value, second) == 0)
        return DVE_OK;
    return cli_fail(DVE_E_USAGE, "option --%s: \"%.100s\" was given, allowed are %s and %s", name, value, first,
                    second);
}

/* A plan brings its own inputs; without one the plan's options mean nothing. */
static dve_status plan_or_records(exec *e)
{
    static const char *const never[] = {"put", "get", "state-in"}, *const only[] = {"in", "values", "indices"};
    int plan = cli_flag(e->a, "plan");
    for (unsigned i = 0; i < 3; i++) {
        if (plan && cli_flag(e->a, never[i]))
            return cli_fail(DVE_E_USAGE, "option --%s and --plan exclude each other: the plan says what goes where",
                            never[i]);
        if (!plan && cli_flag(e->a, only[i]))
            return cli_fail(DVE_E_USAGE, "option --%s belongs to --plan P.json; records take --put and --get", only[i]);
    }
    if (!plan)
        return cli_one_file(e->a, &e->records);
    if (e->a->operands)
        return cli_fail(DVE_E_USAGE, "a record file and --plan exclude each other: the plan names its records");
    if (!cli_flag(e->a, "in"))
        return cli_fail(DVE_E_USAGE, "--plan needs an input: --in F.npy");
    return DVE_OK;
}

static dve_status places(exec *e)
{
    const char *text;
    dve_status status = DVE_OK;
    if (e->program)
        return exec_program_places(e);
    for (unsigned n = 0; !status && (text = cli_value_at(e->a, "put", n)); n++)
        status = cli_place_parse("put", text, &e->put[e->puts++]);
    for (unsigned n = 0; !status && (text = cli_value_at(e->a, "get", n)); n++) {
        if (e->gets == DVE_OUTSET_MAX)
            return cli_fail(DVE_E_USAGE, "option --get was given more than %d times", (int)DVE_OUTSET_MAX);
        cli_place *get = &e->get[e->gets++];
        status = cli_place_parse("get", text, get);
        if (!status)
            status = cli_place_inside("get", get, get->partitions, get->elements * dve_num_size(get->dtype),
                                      e->config.gen);
    }
    return status;
}

/* --sem and --reg: judged here, set by exec_inputs. */
static dve_status cells(const exec *e, const char *name, uint64_t last)
{
    const char *text;
    for (unsigned n = 0; (text = cli_value_at(e->a, name, n)); n++) {
        char what[48], index[32];
        uint64_t value;
        size_t length = strcspn(text, "=");
        if (!text[length] || length >= sizeof index)
            return cli_fail(DVE_E_USAGE, "option --%s: \"%.100s\" was given, allowed is I=V", name, text);
        memcpy(index, text, length);
        index[length] = '\0';
        snprintf(what, sizeof what, "option --%s, I", name);
        dve_status status = cli_parse_number(what, index, 0, last, &value);
        snprintf(what, sizeof what, "option --%s, V", name);
        if (!status)
            status = cli_parse_number(what, text + length + 1, 0, UINT32_MAX, &value);
        if (status)
            return status;
    }
    return DVE_OK;
}

static int is_stdin(const char *path)
{
    return path && (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0 || strcmp(path, "/dev/fd/0") == 0);
}

/* stdin and stdout serve once each. */
static dve_status streams(const exec *e)
{
    unsigned in = 0, out = e->json || e->stats_wanted ? 1 : 0;
    static const char *const inputs[] = {"state-in", "in", "plan"};
    static const char *const outputs[] = {"state-out", "trace", "values", "indices"};
    for (unsigned i = 0; i < 3; i++)
        in += is_stdin(cli_value(e->a, inputs[i])) ? 1 : 0;
    for (unsigned i = 0; i < 4; i++)
        out += dve_outset_is_stdout(cli_value(e->a, outputs[i])) ? 1 : 0;
    for (unsigned i = 0; i < e->puts; i++)
        in += is_stdin(e->put[i].path) ? 1 : 0;
    for (unsigned i = 0; i < e->gets; i++)
        out += dve_outset_is_stdout(e->get[i].path) ? 1 : 0;
    in += is_stdin(e->records) ? 1 : 0;
    if (in > 1)
        return cli_fail(DVE_E_USAGE, "stdin (-) was given for %u inputs, it serves for one", in);
    if (out > 1)
        return cli_fail(DVE_E_USAGE, "stdout was given for %u outputs (--json and --stats print there too), it serves "
                        "for one", out);
    return DVE_OK;
}

static dve_status numbers(exec *e)
{
    dve_status status = cli_number(e->a, "max-records", 1, UINT64_MAX, &e->config.max_records);
    if (!status)
        status = cli_number(e->a, "max-elements", 1, UINT64_MAX, &e->config.max_elements);
    if (!status)
        status = cells(e, "sem", DVE_SEMAPHORES - 1);
    if (!status)
        status = cells(e, "reg", DVE_ADDR_REGISTERS - 1);
    uint64_t threads = 0;                        /* one per processor */
    if (!status)
        status = cli_number(e->a, "threads", 1, DVE_LANES, &threads);
    if (status || threads == 1)
        return status;
    e->pool = dve_pool_new((unsigned)threads);
    if (!e->pool)
        return cli_fail(DVE_E_INTERNAL, "not enough memory for threads");
    e->config.parallel_for = dve_pool_run;
    e->config.parallel_context = e->pool;
    return DVE_OK;
}

dve_status exec_arguments(exec *e)
{
    dve_machine_defaults(&e->config);
    e->json = cli_flag(e->a, "json");
    e->stats_wanted = cli_flag(e->a, "stats");
    e->strict = cli_flag(e->a, "strict");
    e->on_error = cli_flag(e->a, "get-on-error");
    e->config.skip_control = cli_flag(e->a, "skip-control") ? 1 : 0;
    e->state_output = e->trace_output = EXEC_NO_OUTPUT;
    dve_status status = cli_gen(e->a, &e->config.gen);
    if (e->program)
        e->config.gen = e->program->source.text.gen;
    if (!status)
        status = cli_settings(e->a, &e->config.settings);
    if (!status)
        status = cli_simd(e->a, &e->config);
    if (!status)
        status = plan_or_records(e);
    if (!status && (e->program || e->records))   /* a plan says its generation itself */
        status = exec_gate(e, e->program || cli_flag(e->a, "gen"));
    if (!status)
        status = choice(e, "waits", "honour", "ignore", &e->config.ignore_waits);
    if (!status)
        status = choice(e, "uninit", "report", "zero", &e->config.uninit_zero);
    if (!status)
        status = places(e);
    if (!status)
        status = streams(e);
    return status ? status : numbers(e);
}
