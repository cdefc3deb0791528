/* SPDX-License-Identifier: Apache-2.0 */
/* opendve explain: everything that is known of an opcode, a record, or the records of a file. */
#include "commands.h"
#include "explain.h"
#include "io/records.h"
#include "neff.h"
#include "source.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_explain_options[] = {
    {"record", 0, "N", "of a file: explain record N in full, instead of each in a line or two"},
    {0},
};

static unsigned hex_digit(char c)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF", *at = c ? strchr(digits, c) : NULL;
    return at ? (unsigned)(at - digits) % 16 : 16;
}

/* Exactly 128 hex digits. */
static int is_record(const char *text, dve_record *out)
{
    for (unsigned i = 0; i < 2 * DVE_RECORD_BYTES; i++) {
        unsigned digit = hex_digit(text[i]);
        if (digit == 16)
            return 0;
        out->byte[i / 2] = (uint8_t)(i % 2 ? out->byte[i / 2] | digit : digit << 4);
    }
    return text[2 * DVE_RECORD_BYTES] == '\0';
}

/* A mnemonic, or a number below 256. */
static int is_opcode(const char *text, uint8_t *out)
{
    const dve_opcode_info *info = dve_opcode_by_mnemonic(text);
    int hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + (hex ? 2 : 0);
    if (info) {
        *out = info->value;
        return 1;
    }
    size_t length = strlen(digits);
    if (!length || length > 8 || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != length)
        return 0;
    unsigned long value = strtoul(digits, NULL, hex ? 16 : 10);
    *out = (uint8_t)value;
    return value < 256;
}

static dve_status explain_one(const explain_subject *s, int json)
{
    return json ? cli_explain_json(s) : cli_explain_text(s);
}

/* ---- files ---- */

typedef struct listing {
    uint8_t gen;
    int json, only;              /* only: nothing but record `wanted` */
    uint64_t wanted, seen;
    int found, begun;
    cli_report report;
} listing;

/* The generation of a text source is known with its first record. */
static void begin(listing *l)
{
    if (!l->begun && l->json && !l->only) {
        cli_report_begin(&l->report, "explain", l->gen);
        cli_report_member(&l->report, "subject", cli_json_text("file"));
        cli_report_list(&l->report, "records");
    }
    l->begun = 1;
}

static void short_json(listing *l, const explain_subject *s, const char *text)
{
    json_object *row = json_object_new_object(), *broken = json_object_new_array();
    char name[16];
    size_t rows;
    snprintf(name, sizeof name, "0x%02x", s->opcode);
    json_object_object_add(row, "index", cli_json_int((int64_t)l->seen));
    json_object_object_add(row, "opcode", cli_json_text(s->info ? s->info->name : name));
    json_object_object_add(row, "mnemonic", cli_json_text(s->info ? s->info->mnemonic : NULL));
    json_object_object_add(row, "meaning", cli_json_text(s->info ? s->info->meaning : NULL));
    json_object_object_add(row, "text", cli_json_text(text));
    json_object_object_add(row, "legal", json_object_new_boolean(s->broken == 0));
    for (size_t i = 0; i < s->broken && i < DVE_MAX_DIAGS; i++)
        json_object_array_add(broken, json_object_new_string(dve_isa_rules(&rows)[s->diags[i].rule].id));
    json_object_object_add(row, "broken", broken);
    cli_report_element(&l->report, row);
}

static void short_text(const listing *l, const explain_subject *s, const char *text)
{
    size_t rows;
    printf("%" PRIu64 "  %s\n", l->seen, text);
    printf("    %s\n", s->info ? s->info->meaning : "no source names this opcode");
    for (size_t i = 0; i < s->broken && i < DVE_MAX_DIAGS; i++)
        printf("%s%s", i ? ", " : "    breaks ", dve_isa_rules(&rows)[s->diags[i].rule].id);
    if (s->broken)
        putchar('\n');
}

static dve_status take(listing *l, const dve_record *record)
{
    static explain_subject s;
    char text[DVE_RECORD_TEXT];
    begin(l);
    if (l->only && l->seen++ != l->wanted)
        return DVE_OK;
    l->found = 1;
    cli_explain_record(record, l->gen, &s);
    if (l->only)
        return explain_one(&s, l->json);
    dve_text_print(&s.insn, l->gen, text, sizeof text);
    if (l->json)
        short_json(l, &s, text);
    else
        short_text(l, &s, text);
    l->seen++;
    return DVE_OK;
}

static dve_status take_line(void *context, const cli_source *source)
{
    listing *l = context;
    dve_record record;
    l->gen = source->text.gen;
    dve_encode(&source->result.insn, &record);
    return take(l, &record);
}

static dve_status take_all(listing *l, dve_record_stream *stream, dve_error *error)
{
    dve_record_block block;
    dve_status status = dve_record_stream_next(stream, &block, error);
    while (!status && block.count && !ferror(stdout)) {
        for (size_t i = 0; i < block.count && !status && !(l->only && l->found); i++) {
            dve_record record;
            memcpy(record.byte, block.bytes + i * DVE_RECORD_BYTES, sizeof record.byte);
            status = take(l, &record);
        }
        cli_progress(l->seen);
        if (status || (l->only && l->found))
            return status;
        status = dve_record_stream_next(stream, &block, error);
    }
    if (status)
        return cli_fail(status, "%s", error->text);
    return DVE_OK;
}

static dve_status end(listing *l, const char *path, dve_status status)
{
    cli_progress_end();
    if (l->json && !l->only) {
        cli_report_list_end(&l->report);
        cli_report_member(&l->report, "complete", json_object_new_boolean(!status));
        dve_status printed = cli_report_end(&l->report);
        return status ? status : printed;
    }
    if (!status && l->only && !l->found)
        return cli_fail(DVE_E_USAGE,
                        "option --record: %" PRIu64 " was given, %.200s has %" PRIu64 " record%s, from 0 on",
                        l->wanted, path, l->seen, l->seen == 1 ? "" : "s");
    if (!status && !l->only)
        printf("%" PRIu64 " record%s on %s\n", l->seen, l->seen == 1 ? "" : "s", dve_generation(l->gen)->name);
    return status ? status : cli_flush();
}

/* As check tells them apart: by the name alone, for any 64 bytes are a record. */
static int is_text(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".dve") == 0;
}

static dve_status explain_source(listing *l, const cli_arguments *a, const char *path)
{
    static cli_source source;
    uint8_t gen;
    dve_status status = cli_source_gen(a, &gen);
    if (!status)
        status = cli_source_read(&source, path, gen, take_line, l);
    if (!l->begun)
        l->gen = source.text.gen ? source.text.gen : l->gen;
    begin(l);
    return end(l, path, status);
}

static dve_status cannot_open(dve_status status, const char *path, const dve_error *error)
{
    size_t count;
    char hint[96];
    cli_guess guess = cli_guess_begin(path);
    const dve_opcode_info *rows = dve_isa_opcodes(&count);
    for (size_t i = 0; i < count; i++) {
        cli_guess_try(&guess, rows[i].mnemonic);
        if (strcmp(rows[i].name, path) == 0)
            guess.best = rows[i].mnemonic;
    }
    return cli_fail(status, "%s; an opcode would be a mnemonic or a number below 256, a record 128 hex digits%s",
                    error->text, cli_guess_hint(&guess, "", hint, sizeof hint));
}

static dve_status explain_file(listing *l, const char *path)
{
    dve_error error;
    dve_record_stream *stream;
    dve_status status = dve_record_stream_open(path, &stream, &error);
    if (status)
        return cannot_open(status, path, &error);
    status = cli_neff_refuse(stream, path, "explain");
    if (!status) {
        begin(l);
        status = end(l, path, take_all(l, stream, &error));
    }
    dve_record_stream_close(stream);
    return status;
}

dve_status cli_explain(const cli_arguments *a)
{
    static explain_subject s;
    static dve_record record;
    listing l = {.json = cli_flag(a, "json"), .only = cli_flag(a, "record")};
    uint8_t opcode;
    dve_settings settings;
    dve_status status = cli_gen(a, &l.gen);
    if (!status)
        status = cli_settings(a, &settings);
    if (!status)
        status = cli_number(a, "record", 0, UINT64_MAX, &l.wanted);
    if (!status && a->operands != 1)
        status = cli_fail(DVE_E_USAGE, "explain takes one opcode, record or file, %u were given: opendve explain %s",
                          a->operands, a->command->synopsis);
    if (status)
        return status;
    int is_one = 1;
    if (is_record(a->operand[0], &record))
        cli_explain_record(&record, l.gen, &s);
    else if (is_opcode(a->operand[0], &opcode))
        cli_explain_opcode(opcode, l.gen, &s);
    else
        is_one = 0;
    if (is_one && l.only)
        return cli_fail(DVE_E_USAGE, "option --record chooses in a file, \"%.40s\" is none", a->operand[0]);
    if (is_one)
        return explain_one(&s, l.json);
    return is_text(a->operand[0]) ? explain_source(&l, a, a->operand[0]) : explain_file(&l, a->operand[0]);
}
