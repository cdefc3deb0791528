/* SPDX-License-Identifier: Apache-2.0 */
/* opendve check: which rules each record of a file breaks. */
#include "check_set.h"
#include "commands.h"
#include "io/records.h"
#include "neff.h"
#include "source.h"
#include <inttypes.h>
#include <string.h>

const cli_option cli_check_options[] = {
    {"graph", 0, "NAME", "of a NEFF: only the streams of that graph"},
    {"tables", 0, "DIR[:SET]", "warn of opcodes that this microcode table set does not enable"},
    {"max-errors", 0, "N", "stop after N broken rules; 0, the default, never stops"},
    {0},
};

/* What has been found so far. */
typedef struct findings {
    uint64_t records, legal, errors, assumptions;
    uint64_t limit;              /* of broken rules; 0 for none */
    uint8_t gen;
    int json, full;              /* full: the limit is reached */
    const cli_source *source;    /* of text, NULL for records */
    const char *member;          /* of a package, NULL for other records */
    uint64_t index;              /* of the record in its stream */
    check_set *set;              /* that the streams run with */
    cli_report report;
} findings;

static json_object *record_json(const findings *f, const dve_insn *insn, size_t broken)
{
    uint8_t opcode = dve_insn_opcode(insn);
    const dve_opcode_info *info = dve_opcode(opcode);
    json_object *object = json_object_new_object();
    char text[16];
    snprintf(text, sizeof text, "0x%02x", opcode);
    if (f->member)
        json_object_object_add(object, "member", cli_json_text(f->member));
    json_object_object_add(object, "index", cli_json_int((int64_t)f->index));
    if (f->source) {
        json_object_object_add(object, "line", cli_json_int((int64_t)f->source->line));
        json_object_object_add(object, "column", cli_json_int(f->source->result.column));
    }
    json_object_object_add(object, "opcode", cli_json_text(info ? info->name : text));
    json_object_object_add(object, "mnemonic", cli_json_text(info ? info->mnemonic : NULL));
    json_object_object_add(object, "format",
                           cli_json_text(insn->format == DVE_FORMAT_RAW ? NULL : dve_format(insn->format)->name));
    json_object_object_add(object, "engine", cli_json_text(dve_opcode_engine(opcode, f->gen)));
    json_object_object_add(object, "legal", json_object_new_boolean(broken == 0));
    return object;
}

/* Counts a broken rule and shows it. */
static void found(findings *f, const dve_insn *insn, const dve_diag *diag, json_object *list)
{
    char text[DVE_TEXT];
    size_t count;
    if (dve_isa_rules(&count)[diag->rule].severity == DVE_SEVERITY_ASSUMPTION)
        f->assumptions++;
    else
        f->errors++;
    f->full = f->limit && f->errors + f->assumptions >= f->limit;
    if (list) {
        json_object_array_add(list, cli_json_diag(insn, diag));
        return;
    }
    if (f->source)
        printf("%s:%" PRIu64 ":%u: ", f->source->name, f->source->line, f->source->result.column);
    printf("%s\n", dve_diag_text(f->index, insn, diag, text, sizeof text));
}

static void judge(findings *f, const dve_insn *insn)
{
    dve_diag diags[DVE_MAX_DIAGS];
    size_t broken = dve_check(insn, f->gen, diags, DVE_MAX_DIAGS);
    cli_sort_diags(diags, broken < DVE_MAX_DIAGS ? broken : DVE_MAX_DIAGS);
    json_object *list = f->json ? json_object_new_array() : NULL;
    for (size_t i = 0; i < broken && i < DVE_MAX_DIAGS && !f->full; i++)
        found(f, insn, &diags[i], list);
    if (list) {
        json_object *object = record_json(f, insn, broken);
        json_object_object_add(object, "broken", list);
        cli_report_element(&f->report, object);
    }
    check_set_take(f->set, dve_insn_opcode(insn), f->index);
    f->legal += broken == 0;
    f->records++;
    f->index++;
}

static dve_status judge_all(findings *f, dve_record_stream *stream, dve_error *error)
{
    dve_record_block block;
    dve_status status = dve_record_stream_next(stream, &block, error);
    while (status == DVE_OK && block.count && !f->full && !ferror(stdout)) {
        for (size_t i = 0; i < block.count && !f->full; i++) {
            dve_record record;
            dve_insn insn;
            memcpy(record.byte, block.bytes + i * DVE_RECORD_BYTES, sizeof record.byte);
            dve_decode(&record, &insn);
            judge(f, &insn);
        }
        cli_progress(f->records);
        if (!f->full)
            status = dve_record_stream_next(stream, &block, error);
    }
    return status;
}

static dve_status end_json(findings *f, const char *error)
{
    cli_report *r = &f->report;
    json_object *counts = json_object_new_object();
    json_object_object_add(counts, "records", cli_json_int((int64_t)f->records));
    json_object_object_add(counts, "legal", cli_json_int((int64_t)f->legal));
    json_object_object_add(counts, "illegal", cli_json_int((int64_t)(f->records - f->legal)));
    json_object_object_add(counts, "errors", cli_json_int((int64_t)f->errors));
    json_object_object_add(counts, "assumptions", cli_json_int((int64_t)f->assumptions));
    cli_report_list_end(r);
    cli_report_member(r, "warnings", check_set_json(f->set));
    cli_report_member(r, "counts", counts);
    cli_report_member(r, "complete", json_object_new_boolean(!f->full && !error));
    cli_report_member(r, "error", cli_json_text(error));
    return cli_report_end(r);
}

static dve_status end_text(const findings *f)
{
    const dve_generation_info *generation = dve_generation(f->gen);
    uint64_t illegal = f->records - f->legal;
    printf("%" PRIu64 " record%s, %" PRIu64 " legal, %" PRIu64 " illegal (%" PRIu64 " error%s, %" PRIu64
           " assumption%s) on %s\n",
           f->records, f->records == 1 ? "" : "s", f->legal, illegal, f->errors, f->errors == 1 ? "" : "s",
           f->assumptions, f->assumptions == 1 ? "" : "s", generation->name);
    if (f->set->warnings)
        printf("%" PRIu64 " warning%s about the table set\n", f->set->warnings, f->set->warnings == 1 ? "" : "s");
    if (f->full)
        printf("stopped after %" PRIu64 " broken rule%s (--max-errors)\n", f->limit, f->limit == 1 ? "" : "s");
    if (*generation->note)
        printf("%s: %s\n", generation->name, generation->note);
    return cli_flush();
}

/* Text sources and records are told apart by the name alone: any 64 bytes are a record. */
static int is_text(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".dve") == 0;
}

static void begin(findings *f)
{
    if (!f->json)
        return;
    cli_report_begin(&f->report, "check", f->gen);
    cli_report_list(&f->report, "records");
}

static dve_status answer(const findings *f)
{
    return f->errors + f->assumptions ? DVE_E_FINDING : DVE_OK;
}

static dve_status take(void *context, const cli_source *source)
{
    findings *f = context;
    f->source = source;
    f->gen = source->text.gen;
    if (!f->records)
        begin(f);
    judge(f, &source->result.insn);
    /* More than is wanted, or nobody listens: the answer only ends the reading. */
    return f->full || ferror(stdout) ? DVE_E_FINDING : DVE_OK;
}

/* The generation may be the source's, so the document begins with the first record. */
static dve_status check_text(findings *f, const char *path, uint8_t gen)
{
    static cli_source source;
    dve_status status = cli_source_read(&source, path, gen, take, f);
    int malformed = status && status != DVE_E_FINDING;
    if (malformed && (!source.line || status == DVE_E_USAGE))
        return status;                           /* nothing was looked at */
    if (!f->records) {
        f->gen = source.text.gen;
        begin(f);
    }
    check_set_tell(f->set, f->gen, f->json, NULL);
    dve_status printed = f->json ? end_json(f, malformed ? source.first.text : NULL) : end_text(f);
    return malformed ? status : printed ? printed : answer(f);
}

static dve_status end(findings *f, dve_status status, const char *message)
{
    cli_progress_end();
    dve_status printed = f->json ? end_json(f, status ? message : NULL) : end_text(f);
    if (status)
        return cli_fail(status, "%s", message);
    return printed ? printed : answer(f);
}

/* ---- the streams of a package ---- */

static dve_status begin_package(void *context, uint8_t gen)
{
    findings *f = context;
    if (f->set->given && f->set->gen != gen)
        return cli_fail(DVE_E_USAGE, "option --tables: a set of %s was given, the package is for %s",
                        dve_generation(f->set->gen)->name, dve_generation(gen)->name);
    f->gen = gen;
    begin(f);
    return DVE_OK;
}

static void take_graph(void *context, const dve_neff_graph *graph)
{
    findings *f = context;
    check_set_graph(f->set, graph, f->gen);
}

static dve_status take_stream(void *context, const char *member, dve_record_stream *stream)
{
    findings *f = context;
    dve_error error;
    char text[CLI_SHOWN_NAME];
    f->member = member;
    f->index = 0;
    if (f->full)
        return DVE_OK;
    if (!f->json)
        printf("%s:\n", cli_shown(member, text, sizeof text));
    dve_status status = judge_all(f, stream, &error);
    check_set_tell(f->set, f->gen, f->json, member);
    return status;
}

static dve_status check_package(findings *f, const cli_arguments *a, const char *path, dve_record_stream *stream)
{
    const cli_neff_reader reader = {begin_package, take_graph, take_stream, f};
    dve_status status = cli_neff_records(a, path, stream, &reader);
    return status ? status : end(f, DVE_OK, NULL);
}

static dve_status check(findings *f, const cli_arguments *a, const char *path)
{
    dve_error error;
    dve_record_stream *stream;
    dve_status status = dve_record_stream_open(path, &stream, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    if (cli_neff_is(stream, cli_value(a, "graph"))) {
        status = check_package(f, a, path, stream);
    } else {
        begin(f);
        status = judge_all(f, stream, &error);
        check_set_tell(f->set, f->gen, f->json, NULL);
        status = end(f, status, error.text);
    }
    dve_record_stream_close(stream);
    return status;
}

static dve_status take_options(findings *f, const cli_arguments *a, const char **path, uint8_t *text_gen)
{
    dve_settings settings;
    dve_status status = cli_one_file(a, path);
    if (!status)
        status = cli_gen(a, &f->gen);
    if (!status)
        status = cli_settings(a, &settings);
    if (!status)
        status = cli_number(a, "max-errors", 0, UINT64_MAX, &f->limit);
    if (!status)
        status = check_set_open(f->set, a, cli_flag(a, "gen"), &f->gen);
    *text_gen = cli_flag(a, "gen") || f->set->given ? f->gen : 0;
    return status;
}

dve_status cli_check(const cli_arguments *a)
{
    static check_set set;
    findings f = {.json = cli_flag(a, "json"), .set = &set};
    const char *path;
    uint8_t text_gen;
    dve_status status = take_options(&f, a, &path, &text_gen);
    if (!status && is_text(path) && cli_flag(a, "graph"))
        status = cli_fail(DVE_E_USAGE, "option --graph was given for a text source, it is for a NEFF");
    if (!status)
        status = is_text(path) ? check_text(&f, path, text_gen) : check(&f, a, path);
    check_set_close(&set);
    return status;
}
