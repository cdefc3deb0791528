/* SPDX-License-Identifier: Apache-2.0 */
/* opendve run: a text source on the model of the engine, arrays in and out by the names of its tensors. */
#include "commands.h"
#include "exec.h"
#include <stdlib.h>
#include <string.h>

const cli_option cli_run_options[] = {
    {"set", 0, "NAME=F.npy", "an array into a tensor that the source declares"},
    {"get", 0, "NAME=F.npy", "a tensor into an array"},
    EXEC_RUN_OPTIONS
    {0},
};

/* ---- the source ---- */

static int grow(exec_program *p)
{
    size_t capacity = p->capacity ? 2 * p->capacity : 256;
    dve_record *record = realloc(p->record, capacity * sizeof *record);
    if (!record)
        return 0;
    p->record = record;
    uint64_t *line = realloc(p->line, capacity * sizeof *line);
    if (!line)
        return 0;
    p->line = line;
    p->capacity = capacity;
    return 1;
}

static dve_status take(void *context, const cli_source *source)
{
    exec_program *p = context;
    if (p->count == p->capacity && !grow(p))
        return cli_fail(DVE_E_INTERNAL, "not enough memory for %zu records", p->count + 1);
    p->line[p->count] = source->line;
    dve_encode(&source->result.insn, &p->record[p->count++]);
    return DVE_OK;
}

/* ---- tensors ---- */

static dve_status unknown_tensor(const exec_program *p, const char *option, const char *name)
{
    char hint[96];
    const dve_text_source *text = &p->source.text;
    cli_guess guess = cli_guess_begin(name);
    for (uint32_t i = 0; i < text->tensors; i++)
        cli_guess_try(&guess, text->tensor[i].name);
    return cli_fail(DVE_E_USAGE, "option --%s: %.200s declares no tensor \"%s\"%s", option, p->source.name, name,
                    cli_guess_hint(&guess, "", hint, sizeof hint));
}

/* NAME=F.npy */
static dve_status place_of(const exec *e, const char *option, const char *text, cli_place *out)
{
    char name[DVE_TENSOR_NAME];
    size_t length = strcspn(text, "=");
    if (!length || length >= sizeof name || !text[length] || !text[length + 1])
        return cli_fail(DVE_E_USAGE, "option --%s: \"%.200s\" was given, allowed is NAME=F.npy, NAME a .tensor of the source",
                        option, text);
    memcpy(name, text, length);
    name[length] = '\0';
    const dve_tensor *tensor = dve_text_tensor(&e->program->source.text, name);
    if (!tensor)
        return unknown_tensor(e->program, option, name);
    if (!dve_num_size(tensor->dtype))
        return cli_fail(DVE_E_USAGE, "option --%s: %s is of a data type (0x%02x) that no array holds", option, name,
                        tensor->dtype);
    *out = (cli_place){.option = option, .text = text, .path = text + length + 1, .place = tensor->place,
                       .partitions = tensor->partitions, .dtype = tensor->dtype, .elements = tensor->elements};
    return cli_place_inside(option, out, out->partitions, out->elements * dve_num_size(out->dtype), e->config.gen);
}

dve_status exec_program_places(exec *e)
{
    const char *text;
    dve_status status = DVE_OK;
    for (unsigned n = 0; !status && (text = cli_value_at(e->a, "set", n)); n++)
        status = place_of(e, "set", text, &e->put[e->puts++]);
    for (unsigned n = 0; !status && (text = cli_value_at(e->a, "get", n)); n++) {
        if (e->gets == DVE_OUTSET_MAX)
            return cli_fail(DVE_E_USAGE, "option --get was given more than %d times", (int)DVE_OUTSET_MAX);
        status = place_of(e, "get", text, &e->get[e->gets++]);
    }
    return status;
}

/* ---- the run ---- */

/* In blocks, for the progress line. */
static dve_status run_records(exec *e)
{
    enum { BLOCK = 4096 };
    const exec_program *p = e->program;
    dve_status status = exec_open_outputs(e);
    if (status)
        return status;
    exec_begin_report(e);
    for (size_t at = 0; !status && at < p->count; at += BLOCK) {
        status = dve_machine_run(e->machine, p->record + at, p->count - at < BLOCK ? p->count - at : BLOCK, &e->stop);
        e->stop.record -= e->base;
        cli_progress(at);
    }
    cli_progress_end();
    if (status)
        exec_tell_stop(e, status);
    return exec_finish(e, status, NULL);
}

static dve_status run(exec *e, exec_program *p)
{
    uint8_t gen;
    const char *path;
    dve_status status = cli_one_file(e->a, &path);
    if (!status)
        status = cli_source_gen(e->a, &gen);
    if (!status)
        status = cli_source_read(&p->source, path, gen, take, p);
    if (!status)
        status = exec_arguments(e);
    if (!status)
        status = exec_machine(e);
    if (!status)
        status = exec_inputs(e);
    return status ? status : run_records(e);
}

dve_status cli_run(const cli_arguments *a)
{
    static exec e;
    static exec_program p;
    e.a = a;
    e.program = &p;
    dve_status status = run(&e, &p);
    exec_free(&e);
    free(p.record);
    free(p.line);
    return status;
}
