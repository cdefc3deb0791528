/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What was read and not used up. It holds the longest line and its end. */
typedef struct lines {
    int fd, ended, reason, skip;     /* reason: errno of a read that failed; skip: amid a line */
    size_t from, to;
    char bytes[2 * DVE_TEXT_LINE];
} lines;

static dve_status open_source(cli_source *s, const char *path, lines *in)
{
    struct stat info;
    in->fd = STDIN_FILENO;
    if (strcmp(path, "-") != 0)
        do
            in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (in->fd < 0 && errno == EINTR);
    if (in->fd < 0)
        return cli_fail(DVE_E_INPUT, "%.200s: cannot open: %s", s->name, strerror(errno));
    if (fstat(in->fd, &info) == 0 && !S_ISDIR(info.st_mode))
        return DVE_OK;
    int reason = errno;
    if (in->fd != STDIN_FILENO)
        (void)close(in->fd);
    return cli_fail(DVE_E_INPUT, "%.200s: cannot read: %s", s->name,
                    S_ISDIR(info.st_mode) ? "it is a directory" : strerror(reason));
}

static void fill(lines *in)
{
    memmove(in->bytes, in->bytes + in->from, in->to - in->from);
    in->to -= in->from;
    in->from = 0;
    while (in->to < sizeof in->bytes && !in->ended) {
        ssize_t n = read(in->fd, in->bytes + in->to, sizeof in->bytes - in->to);
        if (n < 0 && errno == EINTR)
            continue;
        if (n > 0)
            in->to += (size_t)n;
        in->reason = n < 0 ? errno : 0;
        in->ended = n <= 0;
    }
}

/* Passes over the rest of a line that was too long. */
static void skip_rest(lines *in)
{
    const char *end;
    while (!(end = memchr(in->bytes + in->from, '\n', in->to - in->from)) && !in->ended) {
        in->from = in->to;
        fill(in);
    }
    in->from = end ? (size_t)(end - in->bytes) + 1 : in->to;
    in->skip = 0;
}

/* The next line without its end; 0 where there is none. Of a line that is too long, enough to tell. */
static int next_line(lines *in, const char **line, size_t *length)
{
    if (in->skip)
        skip_rest(in);
    const char *end = memchr(in->bytes + in->from, '\n', in->to - in->from);
    if (!end && !in->ended) {
        fill(in);
        end = memchr(in->bytes, '\n', in->to);
    }
    *line = in->bytes + in->from;
    *length = (end ? (size_t)(end - in->bytes) : in->to) - in->from;
    if (!end && !*length)
        return 0;
    in->skip = !end && !in->ended;
    in->from += *length + (end ? 1 : 0);
    return 1;
}

/* ---- errors ---- */

enum { WINDOW = 100 };               /* bytes of a line that are shown */

/* The line, or the part around the error, and a caret under what is meant. */
static void show(const char *line, size_t length, const dve_text_error *error)
{
    size_t column = error->column - 1, from = column > WINDOW * 3 / 4 ? column - WINDOW * 3 / 4 : 0;
    size_t to = length - from > WINDOW ? from + WINDOW : length;
    fputs(from ? "  ..." : "  ", stderr);
    for (size_t i = from; i < to; i++) {
        unsigned char c = (unsigned char)line[i];
        fputc(c == '\t' ? ' ' : c < ' ' || c == 0x7f ? '?' : c, stderr);
    }
    fputs(to < length ? "...\n  " : "\n  ", stderr);
    fputs(from ? "   " : "", stderr);
    for (size_t i = from; i < column; i++)
        if (i >= length || ((unsigned char)line[i] & 0xc0) != 0x80)   /* one blank for one character of UTF-8 */
            fputc(' ', stderr);
    fputc('^', stderr);
    for (size_t i = 1; i < error->length && column + i < to; i++)
        fputc('~', stderr);
    fputc('\n', stderr);
    if (*error->hint)
        fprintf(stderr, "  hint: %s\n", error->hint);
}

static void tell(cli_source *s, dve_status status, const char *line, size_t length)
{
    const dve_text_result *r = &s->result;
    if (length && line[length - 1] == '\r')
        length--;
    for (size_t i = 0; i < r->errors; i++, s->errors++) {
        const dve_text_error *error = &r->error[i];
        if (i >= DVE_TEXT_ERRORS || s->errors >= CLI_SOURCE_ERRORS)
            continue;
        if (!s->errors)
            dve_error_set(&s->first, "%.200s:%" PRIu64 ":%u: %s", s->name, s->line, error->column, error->message);
        cli_fail(status, "%.200s:%" PRIu64 ":%u: %s", s->name, s->line, error->column, error->message);
        show(line, length, error);
    }
}

/* ---- reading ---- */

static dve_status read_lines(cli_source *s, lines *in, cli_source_record *take, void *context)
{
    const char *line;
    size_t length;
    dve_status status = DVE_OK, worst = DVE_OK;
    while (!status && next_line(in, &line, &length)) {
        s->line++;
        dve_status read = dve_text_parse(&s->text, line, length, &s->result);
        if (read)
            tell(s, read, line, length);
        worst = worst ? worst : read;
        if (!worst && s->result.kind == DVE_TEXT_RECORD) {
            status = take(context, s);
            cli_progress(s->text.records);
        }
    }
    if (!status && !in->reason && dve_text_end(&s->text, &s->result)) {
        s->line++;
        tell(s, DVE_E_INPUT, "", 0);
        worst = DVE_E_INPUT;
    }
    if (s->errors > CLI_SOURCE_ERRORS)
        cli_note("%.200s: %" PRIu64 " errors, the first %d are shown", s->name, s->errors, CLI_SOURCE_ERRORS);
    if (in->reason) {
        dve_error_set(&s->first, "%.200s: cannot read behind line %" PRIu64 ": %s", s->name, s->line,
                      strerror(in->reason));
        worst = cli_fail(DVE_E_INPUT, "%s", s->first.text);
    }
    return worst ? worst : status;
}

dve_status cli_source_read(cli_source *s, const char *path, uint8_t gen, cli_source_record *take, void *context)
{
    static lines in;
    memset(s, 0, sizeof *s);
    memset(&in, 0, offsetof(lines, bytes));
    s->name = strcmp(path, "-") == 0 ? "stdin" : path;
    dve_text_begin(&s->text, gen);
    dve_status status = open_source(s, path, &in);
    if (status)
        return status;
    status = read_lines(s, &in, take, context);
    cli_progress_end();
    if (in.fd != STDIN_FILENO)
        (void)close(in.fd);
    return status;
}

dve_status cli_source_gen(const cli_arguments *a, uint8_t *out)
{
    *out = 0;
    return cli_flag(a, "gen") ? cli_gen(a, out) : DVE_OK;
}
