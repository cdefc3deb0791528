/* SPDX-License-Identifier: Apache-2.0 */
/* opendve lower: compiler instructions to records. */
#include "commands.h"
#include "json_read.h"
#include "lower.h"
#include <stdlib.h>
#include <string.h>

const cli_option cli_lower_options[] = {
    {"mode", 0, "MODE", "collect: list the opcodes; generate: make the records (default); "
     "check: make and judge them, write nothing"},
    {"output", 'o', "RECORDS.bin", "the records, 64 bytes each; - is stdout"},
    {"split-engines", 0, "DIR", "one stream an engine: DIR/dve.bin and DIR/pool.bin"},
    {0},
};

static int keep(void *context, const dve_record *record)
{
    lower_work *w = context;
    uint8_t opcode = record->byte[0];
    if (w->count == w->room) {
        size_t room = 2 * w->room + 256;
        dve_record *more = room < SIZE_MAX / sizeof *more ? realloc(w->record, room * sizeof *more) : NULL;
        if (!more)
            return 1;
        w->record = more;
        w->room = room;
    }
    w->record[w->count++] = *record;
    if (!w->uses[opcode]++)
        w->order[w->opcodes++] = opcode;
    return 0;
}

/* What an instruction was refused for. */
static void refused(lower_work *w, size_t index, const dve_lower_fault *fault)
{
    size_t rows;
    char text[DVE_TEXT];
    w->refused++;
    dve_lower_fault_text(fault, text, sizeof text);
    cli_fail(DVE_E_FINDING, "%.200s: $.instructions[%zu]: %s", w->file, index, text);
    if (!w->refusals)
        return;
    json_object *row = json_object_new_object();
    json_object_object_add(row, "instruction", cli_json_int((int64_t)index));
    json_object_object_add(row, "op", cli_json_text(dve_lower_operation(fault->operation)->name));
    json_object_object_add(row, "operand", cli_json_text(dve_lower_operand_name(fault->operand)));
    json_object_object_add(row, "refusal", cli_json_text(dve_lower_refusals(&rows)[fault->refusal].id));
    json_object_object_add(row, "text", cli_json_text(text));
    json_object_array_add(w->refusals, row);
}

/* Judges the records of instruction `index`: those that were not looked at yet. */
static void judge(lower_work *w, size_t index)
{
    for (; w->checked < w->count; w->checked++) {
        dve_insn insn;
        dve_diag diags[DVE_MAX_DIAGS];
        char text[DVE_TEXT];
        dve_decode(&w->record[w->checked], &insn);
        size_t broken = dve_check(&insn, w->target.gen, diags, DVE_MAX_DIAGS);
        cli_sort_diags(diags, broken);
        for (size_t i = 0; i < broken; i++) {
            cli_fail(DVE_E_FINDING, "%.200s: $.instructions[%zu]: %s", w->file, index,
                     dve_diag_text(w->checked, &insn, &diags[i], text, sizeof text));
            if (!w->found)
                continue;
            json_object *row = cli_json_diag(&insn, &diags[i]);
            json_object_object_add(row, "instruction", cli_json_int((int64_t)index));
            json_object_object_add(row, "record", cli_json_int((int64_t)w->checked));
            json_object_array_add(w->found, row);
        }
        w->broken += broken;
    }
}

static dve_status lower_one(lower_work *w, json_object *root, size_t index, int checks)
{
    static lower_item item;
    dve_lower_fault fault;
    dve_status status = cli_lower_read(w->file, root, index, &item);
    if (status)
        return status;
    status = dve_lower_each(&item.instruction, &w->target, keep, w, &fault);
    if (status == DVE_E_OUTPUT)
        return cli_fail(DVE_E_INTERNAL, "no memory for the records");
    if (status)
        refused(w, index, &fault);
    else
        w->assumptions |= dve_lower_assumptions(item.instruction.operation);
    if (!status && checks)
        judge(w, index);
    return DVE_OK;
}

/* The whole document is read first: what is not the language is told before anything is refused. */
static dve_status lower_all(lower_work *w, json_object *root, int checks)
{
    static lower_item item;
    size_t count;
    dve_status status = cli_lower_head(w->file, root, &count);
    for (size_t i = 0; i < count && !status; i++)
        status = cli_lower_read(w->file, root, i, &item);
    w->instructions = status ? 0 : count;
    for (size_t i = 0; i < w->instructions && !status; i++)
        status = lower_one(w, root, i, checks);
    return status;
}

static dve_status finish(lower_work *w, const char *mode)
{
    const char *output = cli_value(w->a, "output");
    const char *note = dve_generation(w->target.gen)->note;
    int json = cli_flag(w->a, "json");
    dve_status answer = w->refused || w->broken ? DVE_E_FINDING : DVE_OK, printed = DVE_OK;
    if (*note && !json)
        cli_note("%s: %s", dve_generation(w->target.gen)->name, note);
    if (!answer)
        answer = cli_lower_write(w);
    if (answer == DVE_E_USAGE)                   /* an output that cannot be: nothing was made */
        return answer;
    if (json)
        printed = cli_lower_report(w, mode);
    else if (!w->refused && answer != DVE_E_OUTPUT)
        printed = cli_lower_census(w, output && dve_outset_is_stdout(output));
    return answer ? answer : printed;
}

static dve_status arguments(lower_work *w, const char *mode, const char **file)
{
    const char *output = cli_value(w->a, "output");
    int writes = output || cli_flag(w->a, "split-engines");
    dve_settings settings;
    dve_status status = cli_one_file(w->a, file);
    if (!status)
        status = cli_gen(w->a, &w->target.gen);
    if (!status)
        status = cli_settings(w->a, &settings);
    if (status)
        return status;
    dve_settings_num(&settings, &w->target.num);
    if (strcmp(mode, "collect") != 0 && strcmp(mode, "generate") != 0 && strcmp(mode, "check") != 0)
        return cli_fail(DVE_E_USAGE, "option --mode: \"%.40s\" was given, allowed is collect, generate or check", mode);
    if (writes && strcmp(mode, "generate") != 0)
        return cli_fail(DVE_E_USAGE, "--mode %s writes no records: -o and --split-engines go with generate", mode);
    if (output && dve_outset_is_stdout(output) && cli_flag(w->a, "json"))
        return cli_fail(DVE_E_USAGE, "stdout was given for the records and for --json, it serves for one");
    return DVE_OK;
}

dve_status cli_lower(const cli_arguments *a)
{
    static lower_work w;
    const char *mode = cli_value(a, "mode") ? cli_value(a, "mode") : "generate";
    w.a = a;
    dve_status status = arguments(&w, mode, &w.file);
    if (status)
        return status;
    json_object *root = cli_json_read(w.file);
    if (!root)
        return DVE_E_INPUT;
    if (cli_flag(a, "json")) {
        w.found = json_object_new_array();
        w.refusals = json_object_new_array();
    }
    status = lower_all(&w, root, strcmp(mode, "collect") != 0);
    if (!status)
        status = finish(&w, mode);
    json_object_put(root);
    free(w.record);
    return status;
}
