/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, JSON documents and the values in them. */
#include "cli.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void message(const char *format, va_list arguments)
{
    char text[2048], shown[CLI_SHOWN_GROWS * sizeof text];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length < 0)
        return;
    cli_progress_end();
    fflush(stdout);                              /* in the order in which things happened */
    fprintf(stderr, "opendve: %s%s\n", cli_shown(text, shown, sizeof shown), (size_t)length < sizeof text ? "" : "...");
}

dve_status cli_fail(dve_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(format, arguments);
    va_end(arguments);
    return status;
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(format, arguments);
    va_end(arguments);
}

void cli_notes_begin(cli_notes *notes, const char *name)
{
    *notes = (cli_notes){name, json_object_new_array(), 0};
}

void cli_notes_add(cli_notes *notes, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (notes->count++ < CLI_NOTES_TOLD)
        cli_note("%.200s: %s", notes->name, text);
    if (notes->count < CLI_NOTES_MOST)
        json_object_array_add(notes->list, json_object_new_string(text));
    else if (notes->count == CLI_NOTES_MOST)
        json_object_array_add(notes->list, json_object_new_string("and more, which are not told"));
}

void cli_notes_end(cli_notes *notes)
{
    if (notes->count > CLI_NOTES_TOLD)
        cli_note("%.200s: %zu notes, the first %d are shown", notes->name, notes->count, CLI_NOTES_TOLD);
    json_object_put(notes->list);
    memset(notes, 0, sizeof *notes);
}

static int progress_shown;

void cli_progress(uint64_t records)
{
    static int terminal = -1;
    static time_t last;
    struct timespec now;
    if (terminal < 0)
        terminal = isatty(STDERR_FILENO);
    if (!terminal || clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return;
    if (last && now.tv_sec > last) {
        fprintf(stderr, "\r%" PRIu64 " records", records);
        fflush(stderr);
        progress_shown = 1;
    }
    if (!last || now.tv_sec > last)
        last = now.tv_sec;
}

void cli_progress_end(void)
{
    if (progress_shown)
        fprintf(stderr, "\r%-40s\r", "");
    progress_shown = 0;
}

/* Why an earlier write to stdout failed, if that can still be found out. */
static int late_reason(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&out, 1, 0) == 1 && out.revents & POLLERR)
        return EPIPE;
    errno = 0;
    return write(STDOUT_FILENO, "", 0) < 0 ? errno : 0;
}

dve_status cli_flush(void)
{
    static int told;             /* one message is enough */
    errno = 0;
    int failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed)
        return told ? DVE_E_OUTPUT : DVE_OK;
    int reason = errno ? errno : late_reason();
    clearerr(stdout);
    if (told++ || reason == EPIPE)
        return DVE_E_OUTPUT;
    return cli_fail(DVE_E_OUTPUT, "stdout: cannot write: %s", reason ? strerror(reason) : "an earlier write failed");
}

/* ---- documents ---- */

/* What acts on a terminal stands in strings only, where it has an escape. */
static void put(cli_report *r, json_object *value)
{
    size_t left;
    const char *text = json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &left);
    for (size_t bytes; left; text += bytes, left -= bytes) {
        size_t plain = 0;
        while (plain < left && text[plain] >= ' ' && text[plain] <= '~')
            plain++;
        bytes = plain;
        if (plain) {
            fwrite(text, 1, plain, r->stream);
        } else {
            char piece[CLI_SHOWN_PIECE];
            bytes = cli_shown_piece(text, left, 1, piece);
            fputs(piece, r->stream);
        }
    }
    json_object_put(value);
}

static void open_member(cli_report *r, const char *name)
{
    fprintf(r->stream, "%s\n\"%s\":", r->members++ ? "," : "{", name);
}

void cli_report_begin(cli_report *r, const char *name, uint8_t gen)
{
    char schema[80];
    const dve_generation_info *generation = dve_generation(gen);
    r->stream = stdout;
    r->members = r->elements = 0;
    snprintf(schema, sizeof schema, "opendve.%s/1", name);
    cli_report_member(r, "schema", cli_json_text(schema));
    cli_report_member(r, "version", cli_json_text(OPENDVE_VERSION));
    cli_report_member(r, "gen", cli_json_text(generation ? generation->name : NULL));
    if (generation && *generation->note)
        cli_report_member(r, "gen_note", cli_json_text(generation->note));
}

void cli_report_member(cli_report *r, const char *name, json_object *value)
{
    open_member(r, name);
    put(r, value);
}

void cli_report_list(cli_report *r, const char *name)
{
    open_member(r, name);
    fputc('[', r->stream);
    r->elements = 0;
}

void cli_report_element(cli_report *r, json_object *value)
{
    fputs(r->elements++ ? ",\n" : "\n", r->stream);
    put(r, value);
}

void cli_report_list_end(cli_report *r)
{
    fputs(r->elements ? "\n]" : "]", r->stream);
}

dve_status cli_report_end(cli_report *r)
{
    fputs("\n}\n", r->stream);
    return cli_flush();
}
