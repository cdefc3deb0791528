/* SPDX-License-Identifier: Apache-2.0 */
/* Words, marks and errors of a line. */
#include "scan.h"
#include <stdarg.h>

int dve_scan_fail(dve_scan *s, size_t from, size_t to, const char *hint, const char *format, ...)
{
    dve_text_result *out = s->out;
    va_list arguments;
    if (out->errors++ >= DVE_TEXT_ERRORS)
        return 0;
    dve_text_error *error = &out->error[out->errors - 1];
    error->column = (uint32_t)from + 1;
    error->length = to > from ? (uint32_t)(to - from) : 1;
    dve_emit e = {.out = error->message, .capacity = sizeof error->message};
    va_start(arguments, format);
    dve_emit_list(&e, format, &arguments);
    va_end(arguments);
    dve_emit_end(&e);
    dve_emit h = {.out = error->hint, .capacity = sizeof error->hint};
    dve_emit_text(&h, hint ? hint : "");
    dve_emit_end(&h);
    return 0;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Bytes of words: hexadecimal digits by their value plus 1, other letters and '_' as 17. */
static const uint8_t kind[256] = {
    ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ['A'] = 11, 12, 13, 14, 15, 16, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17,
    ['_'] = 17,
    ['a'] = 11, 12, 13, 14, 15, 16, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17,
};

static int is_word(char c)
{
    return kind[(unsigned char)c] != 0;
}

unsigned dve_scan_digit(char c)
{
    return kind[(unsigned char)c] ? kind[(unsigned char)c] - 1u : 16;
}

static int is_comment(char c)
{
    return c == '#' || c == ';';
}

void dve_scan_blanks(dve_scan *s)
{
    while (s->at < s->length && is_blank(s->text[s->at]))
        s->at++;
}

int dve_scan_done(dve_scan *s)
{
    dve_scan_blanks(s);
    return s->at == s->length || is_comment(s->text[s->at]);
}

int dve_scan_take(dve_scan *s, char c)
{
    dve_scan_blanks(s);
    if (s->at == s->length || s->text[s->at] != c)
        return 0;
    s->at++;
    return 1;
}

int dve_scan_expected(dve_scan *s, const char *what, const char *hint)
{
    if (dve_scan_done(s))
        return dve_scan_fail(s, s->at, s->at, hint, "%s is missing", what);
    size_t from = s->at, to = from;
    while (to < s->length && is_word(s->text[to]))
        to++;
    unsigned char c = (unsigned char)s->text[from];
    if (to > from)
        return dve_scan_fail(s, from, to, hint, "%s is missing before \"%.*s\"", what,
                             (int)(to - from < 60 ? to - from : 60), s->text + from);
    if (c < ' ' || c > '~')
        return dve_scan_fail(s, from, from, hint, "%s is missing before byte 0x%x", what, (unsigned)c);
    return dve_scan_fail(s, from, from, hint, "%s is missing before '%c'", what, c);
}

int dve_scan_must(dve_scan *s, char c, const char *hint)
{
    char what[] = {'\'', c, '\'', '\0'};
    return dve_scan_take(s, c) ? 1 : dve_scan_expected(s, what, hint);
}

dve_word dve_scan_word(dve_scan *s)
{
    dve_scan_blanks(s);
    dve_word word = {.text = s->text + s->at, .at = s->at};
    while (s->at < s->length && is_word(s->text[s->at]))
        s->at++;
    word.length = s->at - word.at;
    return word;
}

dve_word dve_scan_peek(dve_scan *s)
{
    dve_word word = dve_scan_word(s);
    s->at = word.at;
    return word;
}

void dve_scan_skip(dve_scan *s)
{
    int depth = 0;
    for (; s->at < s->length && !is_comment(s->text[s->at]); s->at++) {
        char c = s->text[s->at];
        if (c == '[' || c == '(')
            depth++;
        else if (c == ']' || c == ')')
            depth -= depth > 0;
        else if (!depth && (is_blank(c) || c == ','))
            return;
    }
}

const char *dve_scan_hint(const dve_guess *guess, const char *otherwise, char *out, size_t capacity)
{
    dve_emit e = {.out = out, .capacity = capacity};
    if (guess->best)
        dve_emit_add(&e, "did you mean %s?", guess->best);
    else
        dve_emit_text(&e, otherwise);
    dve_emit_end(&e);
    return out;
}
