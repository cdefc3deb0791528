/* SPDX-License-Identifier: Apache-2.0 */
/* opendve tables: microcode table sets of the vector engine. */
#include "commands.h"
#include "tables.h"
#include <string.h>

const cli_option cli_tables_options[] = {
    {"set", 0, "NAME", "one set only, as DIR:SET says it too; lookup and diff take default without it"},
    {"svg", 0, "F", "draw the set: its slots, the rows and lanes that they reach"},
    {0},
};

static const char *const actions[] = {"show", "check", "names", "lookup", "diff"};
enum { ACTIONS = sizeof actions / sizeof actions[0], LOOKUP = 3, DIFF = 4 };

dve_status tables_gen(const cli_arguments *a, uint8_t *out)
{
    *out = 0;
    return cli_flag(a, "gen") ? cli_gen(a, out) : DVE_OK;
}

static dve_status which(const cli_arguments *a, unsigned *out)
{
    char hint[64];
    const char *word = a->operands ? a->operand[0] : "";
    cli_guess guess = cli_guess_begin(word);
    for (*out = 0; *out < ACTIONS; ++*out) {
        if (strcmp(word, actions[*out]) == 0)
            return DVE_OK;
        cli_guess_try(&guess, actions[*out]);
    }
    return cli_fail(DVE_E_USAGE, "tables: \"%.100s\" was given%s; allowed are show, check, names, lookup and diff", word,
                    cli_guess_hint(&guess, "", hint, sizeof hint));
}

static dve_status operands(const cli_arguments *a, unsigned action)
{
    unsigned wanted = action == LOOKUP || action == DIFF ? 3 : 2;
    if (a->operands == wanted)
        return DVE_OK;
    return cli_fail(DVE_E_USAGE, "tables %s takes %s, %u words were given", actions[action],
                    action == LOOKUP ? "an opcode and a directory, with :SET or without"
                    : action == DIFF ? "two directories, each with :SET or without"
                                     : "one directory, with :SET or without", a->operands - 1);
}

/* A number or a mnemonic. */
static dve_status opcode_of(const char *word, uint8_t *out)
{
    uint64_t value;
    const dve_opcode_info *info = dve_opcode_by_mnemonic(word);
    *out = info ? info->value : 0;
    if (info)
        return DVE_OK;
    if (word[0] < '0' || word[0] > '9') {
        size_t count;
        char hint[96];
        const dve_opcode_info *rows = dve_isa_opcodes(&count);
        cli_guess guess = cli_guess_begin(word);
        for (size_t i = 0; i < count; i++)
            cli_guess_try(&guess, rows[i].mnemonic);
        return cli_fail(DVE_E_USAGE, "tables lookup: there is no opcode \"%.100s\"%s; `opendve isa opcodes` lists them",
                        word, cli_guess_hint(&guess, "", hint, sizeof hint));
    }
    dve_status status = cli_parse_number("tables lookup, OPCODE", word, 0, 255, &value);
    *out = status ? 0 : (uint8_t)value;
    return status;
}

static dve_status lookup(tables_job *job)
{
    uint8_t opcode;
    dve_status status = opcode_of(job->a->operand[1], &opcode);
    if (!status)
        status = tables_open_set(job->a->operand[2], job->set, job->gen, &job->dir, &job->first);
    if (!status)
        status = tables_svg_open(job);
    return status ? status : tables_lookup(job, opcode);
}

static dve_status diff(tables_job *job)
{
    job->dir.one_of_two = job->other.one_of_two = 1;
    dve_status status = tables_open_set(job->a->operand[1], job->set, job->gen, &job->dir, &job->first);
    if (!status)
        status = tables_open_set(job->a->operand[2], job->set, job->gen, &job->other, &job->second);
    if (!status)
        status = tables_svg_open(job);
    return status ? status : tables_diff(job);
}

static dve_status one_directory(tables_job *job, unsigned action)
{
    static dve_status (*const run[])(tables_job *) = {tables_show, tables_check, tables_names};
    dve_status status = tables_open_named(job->a->operand[1], job->gen, &job->dir, &job->set);
    if (!status)
        status = tables_svg_open(job);
    return status ? status : run[action](job);
}

dve_status cli_tables(const cli_arguments *a)
{
    static tables_job job;
    unsigned action;
    dve_settings settings;
    job.a = a;
    job.json = cli_flag(a, "json");
    job.set = cli_value(a, "set");
    dve_status status = which(a, &action);
    if (!status)
        status = operands(a, action);
    if (!status)
        status = tables_gen(a, &job.gen);
    if (!status)
        status = cli_settings(a, &settings);
    if (status)
        return status;
    status = action == LOOKUP ? lookup(&job) : action == DIFF ? diff(&job) : one_directory(&job, action);
    status = tables_svg_close(&job, status);
    tables_close(&job.dir);
    tables_close(&job.other);
    return status;
}
