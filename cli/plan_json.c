/* SPDX-License-Identifier: Apache-2.0 */
/* Plans as files: P.json and the records beside it. */
#include "plan_json.h"
#include "io/records.h"
#include "json_read.h"
#include "outputs.h"
#include "plan_parts.h"
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

/* P.bin for P.json; 0 unless the name ends in .json and has a stem. */
static int records_path(const char *path, char out[PATH])
{
    size_t length = strlen(path);
    if (length < 6 || length >= PATH || strcmp(path + length - 5, ".json") != 0 || path[length - 6] == '/')
        return 0;
    memcpy(out, path, length - 4);
    memcpy(out + length - 4, "bin", 4);
    return 1;
}

static dve_status bad_name(const char *path)
{
    return cli_fail(DVE_E_USAGE, "option --plan: \"%.200s\" was given, allowed is a name of up to %d bytes that ends "
                    "in .json; the records stand beside it in .bin", path, PATH - 1);
}

dve_status cli_plan_open(dve_outset *set, const char *path, cli_plan_files *out)
{
    char bin[PATH];
    dve_error error;
    if (!records_path(path, bin))
        return bad_name(path);
    dve_status status = cli_open_output(set, "plan", path, &out->json, &error);
    if (!status)
        status = cli_open_output(set, "plan", bin, &out->bin, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

dve_status cli_plan_spare(dve_outset *set, const cli_arguments *a, const char *path, dve_error *error)
{
    char bin[PATH];
    dve_status status = cli_spare(set, a, "plan", path, error);
    return status || !records_path(path, bin) ? status : cli_spare(set, a, "plan", bin, error);
}

typedef struct record_list {
    dve_record *record;
    size_t count, room;
} record_list;

static dve_status append(record_list *list, const dve_record_block *block)
{
    if (block->count > list->room - list->count) {
        size_t room = 2 * list->room + block->count;
        dve_record *more = room < SIZE_MAX / sizeof *more ? realloc(list->record, room * sizeof *more) : NULL;
        if (!more)
            return cli_fail(DVE_E_INTERNAL, "no memory for the plan's records");
        list->record = more;
        list->room = room;
    }
    memcpy(list->record + list->count, block->bytes, block->count * sizeof *list->record);
    list->count += block->count;
    return DVE_OK;
}

static dve_status read_records(const char *path, record_list *out)
{
    dve_record_stream *stream;
    dve_record_block block;
    dve_error error;
    dve_status status = dve_record_stream_open(path, &stream, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    do {
        status = dve_record_stream_next(stream, &block, &error);
        if (status)
            cli_fail(status, "%s", error.text);
        else if (block.count)
            status = append(out, &block);
    } while (!status && block.count);
    dve_record_stream_close(stream);
    return status;
}

/* Puts the parts together; what is wrong with them is told by its place in the document. */
static dve_status assemble(const plan_text *text, const record_list *records, dve_plan **out)
{
    dve_plan_fault fault;
    dve_error error;
    char step[32] = "";
    dve_status status = dve_plan_from_steps(&text->options, text->steps, text->count, records->record, records->count,
                                            out, &fault, &error);
    if (status != DVE_E_INPUT)
        return status ? cli_fail(status, "%.200s: %s", text->file, error.text) : DVE_OK;
    if (fault.step != UINT64_MAX)
        snprintf(step, sizeof step, ".steps[%llu]", (unsigned long long)fault.step);
    return cli_fail(DVE_E_INPUT, "%.200s: $%s.%s: %s", text->file, step, fault.member, error.text);
}

dve_status cli_plan_read(const char *path, dve_plan **out)
{
    char bin[PATH];
    plan_text text = {.file = path};
    record_list records = {NULL, 0, 0};
    *out = NULL;
    if (!records_path(path, bin))
        return bad_name(path);
    json_object *root = cli_json_read(path);
    if (!root)
        return DVE_E_INPUT;
    dve_status status = cli_plan_parse(root, &text);
    json_object_put(root);
    if (!status)
        status = read_records(bin, &records);
    if (!status)
        status = assemble(&text, &records, out);
    free(text.steps);
    free(records.record);
    return status;
}
