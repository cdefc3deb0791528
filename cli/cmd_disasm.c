/* SPDX-License-Identifier: Apache-2.0 */
/* opendve disasm: records to text. */
#include "commands.h"
#include "io/records.h"
#include "neff.h"
#include "outputs.h"
#include <inttypes.h>
#include <string.h>

const cli_option cli_disasm_options[] = {
    {"graph", 0, "NAME", "of a NEFF: only the streams of that graph"},
    {"output", 'o', "OUT.dve", "the text; stdout without it"},
    {0},
};

typedef struct listing {
    const cli_arguments *a;
    uint8_t gen;
    int json;
    const char *input;
    const char *member;              /* of a package, NULL for other records */
    const char *path;                /* of the output; NULL for stdout or, with --json, none */
    dve_outset *outputs;
    unsigned output;
    cli_report report;
    dve_error error;
} listing;

static dve_status put(listing *l, const char *text, size_t length)
{
    if (l->path)
        return dve_outset_write(l->outputs, l->output, text, length, &l->error);
    if (!l->json)
        fwrite(text, 1, length, stdout);
    return DVE_OK;
}

static dve_status put_head(listing *l)
{
    char head[DVE_TEXT];
    const dve_generation_info *generation = dve_generation(l->gen);
    int noted = *generation->note != 0;
    snprintf(head, sizeof head, ".dve %d\n.gen %s\n%s%s%s%s%s", DVE_TEXT_VERSION, generation->name, noted ? "# " : "",
             noted ? generation->name : "", noted ? ": " : "", generation->note, noted ? "\n" : "");
    return put(l, head, strlen(head));
}

/* ---- JSON ---- */

static json_object *field_json(const listing *l, const dve_insn *insn, const dve_field_info *field)
{
    char text[DVE_RECORD_TEXT];
    json_object *object = json_object_new_object();
    dve_text_field(insn, field, l->gen, text, sizeof text);
    json_object_object_add(object, "name", cli_json_text(field->name));
    json_object_object_add(object, "byte", json_object_new_int(field->byte));
    json_object_object_add(object, "bit", json_object_new_int(field->bit));
    json_object_object_add(object, "width", json_object_new_int(field->width));
    if (field->slots == 1)
        json_object_object_add(object, "bits", json_object_new_int64(insn->value[field->slot]));
    else
        json_object_object_add(object, "bits", NULL);
    json_object_object_add(object, "value", cli_json_text(text));
    return object;
}

static json_object *walk_json(const dve_pattern *pattern)
{
    json_object *list = json_object_new_array();
    for (unsigned d = 0; d < pattern->dims; d++) {
        json_object *pair = json_object_new_array();
        json_object_array_add(pair, json_object_new_int(pattern->step[d]));
        json_object_array_add(pair, json_object_new_int(pattern->num[d]));
        json_object_array_add(list, pair);
    }
    return list;
}

static json_object *operand_json(const listing *l, const dve_insn *insn, const dve_operand_info *operand)
{
    char text[DVE_RECORD_TEXT];
    dve_pattern pattern;
    dve_place place;
    json_object *object = json_object_new_object();
    dve_insn_pattern(insn, operand, &pattern);
    int plain = !dve_addr_marker(pattern.addr) && dve_addr_place(pattern.addr, l->gen, &place);
    json_object_object_add(object, "name", cli_json_text(operand->name));
    json_object_object_add(object, "access", cli_json_text(operand->access == DVE_ACCESS_READ ? "read" : "write"));
    dve_text_operand(insn, operand, l->gen, text, sizeof text);
    json_object_object_add(object, "text", cli_json_text(text));
    json_object_object_add(object, "address", json_object_new_int64(pattern.addr));
    json_object_object_add(object, "space", cli_json_text(plain ? dve_space_name(place.space) : NULL));
    json_object_object_add(object, "partition", plain ? json_object_new_int((int)place.partition) : NULL);
    json_object_object_add(object, "offset", plain ? json_object_new_int((int)place.offset) : NULL);
    json_object_object_add(object, "dtype", cli_json_text(dve_dtype_text(pattern.dtype, text, sizeof text)));
    json_object_object_add(object, "pattern", walk_json(&pattern));
    return object;
}

static json_object *record_json(const listing *l, uint64_t index, const dve_record *record, const dve_insn *insn,
                                const char *line)
{
    size_t rows;
    char text[2 * DVE_RECORD_BYTES + 1];
    uint8_t opcode = dve_insn_opcode(insn);
    const dve_opcode_info *info = dve_opcode(opcode);
    const dve_format_info *format = dve_format(insn->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    json_object *object = json_object_new_object(), *list = json_object_new_array();
    if (l->member)
        json_object_object_add(object, "member", cli_json_text(l->member));
    json_object_object_add(object, "index", cli_json_int((int64_t)index));
    snprintf(text, sizeof text, "0x%02x", opcode);
    json_object_object_add(object, "opcode", cli_json_text(info ? info->name : text));
    json_object_object_add(object, "mnemonic", cli_json_text(info ? info->mnemonic : NULL));
    json_object_object_add(object, "format", cli_json_text(insn->format == DVE_FORMAT_RAW ? NULL : format->name));
    json_object_object_add(object, "engine", cli_json_text(dve_opcode_engine(opcode, l->gen)));
    json_object_object_add(object, "text", json_object_new_string(line));
    for (unsigned b = 0; b < DVE_RECORD_BYTES; b++)
        snprintf(text + 2 * b, 3, "%02x", record->byte[b]);
    json_object_object_add(object, "bytes", json_object_new_string(text));
    for (unsigned i = 0; i < format->operands; i++)
        json_object_array_add(list, operand_json(l, insn, &operand[i]));
    json_object_object_add(object, "operands", list);
    list = json_object_new_array();
    for (unsigned i = 0; i < format->fields; i++)
        json_object_array_add(list, field_json(l, insn, &field[i]));
    json_object_object_add(object, "fields", list);
    return object;
}

/* ---- all records ---- */

static dve_status list_record(listing *l, uint64_t index, const uint8_t *bytes)
{
    char line[DVE_RECORD_TEXT + 1];
    dve_record record;
    dve_insn insn;
    memcpy(record.byte, bytes, sizeof record.byte);
    dve_decode(&record, &insn);
    size_t length = dve_text_print(&insn, l->gen, line, DVE_RECORD_TEXT);
    if (l->json)
        cli_report_element(&l->report, record_json(l, index, &record, &insn, line));
    line[length] = '\n';
    return put(l, line, length + 1);
}

static dve_status list_all(listing *l, dve_record_stream *stream)
{
    dve_record_block block;
    dve_status status = DVE_OK;
    while (!status && !(status = dve_record_stream_next(stream, &block, &l->error)) && block.count && !ferror(stdout)) {
        for (size_t i = 0; i < block.count && !status; i++)
            status = list_record(l, block.first + i, block.bytes + i * DVE_RECORD_BYTES);
        cli_progress(block.first + block.count);
    }
    cli_progress_end();
    return status;
}

static dve_status open_output(listing *l)
{
    if (!l->path)
        return DVE_OK;
    dve_status status = dve_outset_new(&l->outputs, &l->error);
    if (!status)
        status = cli_spare(l->outputs, l->a, NULL, l->input, &l->error);
    return status ? status : cli_open_output(l->outputs, "output", l->path, &l->output, &l->error);
}

static dve_status finish(listing *l, dve_status status)
{
    if (l->json) {
        cli_report_list_end(&l->report);
        cli_report_member(&l->report, "error", cli_json_text(status ? l->error.text : NULL));
    }
    dve_status printed = l->json ? cli_report_end(&l->report) : cli_flush();
    if (!status && !printed && l->path)
        status = dve_outset_commit(l->outputs, &l->error);
    dve_outset_free(l->outputs);
    if (status)
        return cli_fail(status, "%s", l->error.text);
    return printed;
}

/* Opens the output and writes what stands before the records. */
static dve_status begin(listing *l)
{
    dve_status status = open_output(l);
    if (!status)
        status = put_head(l);
    if (!status && l->json) {
        cli_report_begin(&l->report, "disasm", l->gen);
        cli_report_list(&l->report, "records");
    }
    return status;
}

/* ---- the streams of a package; messages are printed here or by cli_neff_records ---- */

static dve_status begin_package(void *context, uint8_t gen)
{
    listing *l = context;
    l->gen = gen;
    dve_status status = begin(l);
    return status ? cli_fail(status, "%s", l->error.text) : DVE_OK;
}

static dve_status take_stream(void *context, const char *member, dve_record_stream *stream)
{
    listing *l = context;
    char text[CLI_SHOWN_NAME], line[CLI_SHOWN_NAME + 8];
    l->member = member;
    snprintf(line, sizeof line, "# %s\n", cli_shown(member, text, sizeof text));
    dve_status status = put(l, line, strlen(line));
    if (!status)
        status = list_all(l, stream);
    return status ? cli_fail(status, "%s", l->error.text) : DVE_OK;
}

static dve_status disassemble_package(listing *l, dve_record_stream *stream)
{
    const cli_neff_reader reader = {begin_package, NULL, take_stream, l};
    dve_status status = cli_neff_records(l->a, l->input, stream, &reader);
    if (!status)
        return finish(l, DVE_OK);
    dve_outset_free(l->outputs);
    return status;
}

static dve_status disassemble(listing *l)
{
    dve_record_stream *stream;
    dve_status status = dve_record_stream_open(l->input, &stream, &l->error);
    if (status)
        return cli_fail(status, "%s", l->error.text);
    if (cli_neff_is(stream, cli_value(l->a, "graph"))) {
        status = disassemble_package(l, stream);
    } else if ((status = begin(l)) != DVE_OK) {
        dve_outset_free(l->outputs);
        cli_fail(status, "%s", l->error.text);
    } else {
        status = finish(l, list_all(l, stream));
    }
    dve_record_stream_close(stream);
    return status;
}

dve_status cli_disasm(const cli_arguments *a)
{
    listing l = {.a = a, .json = cli_flag(a, "json"), .path = cli_value(a, "output")};
    dve_settings settings;
    dve_status status = cli_one_file(a, &l.input);
    if (!status)
        status = cli_gen(a, &l.gen);
    if (!status)
        status = cli_settings(a, &settings);
    int is_stdout = l.path && strcmp(l.path, "-") == 0;
    if (!status && l.json && is_stdout)
        status = cli_fail(DVE_E_USAGE, "stdout was given for the text and for --json, it serves for one");
    if (is_stdout)
        l.path = NULL;               /* as it is without -o: record by record, in constant memory */
    return status ? status : disassemble(&l);
}
