/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that comes from users. */
#include "json_read.h"
#include "io/whole.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

/* How far the text is into the escape of a NUL, which json-c's strings would end at: 0 outside, 1 behind a backslash,
 * 6 behind all of it. */
static unsigned nul_escape(unsigned state, const char *text, size_t n)
{
    for (size_t i = 0; i < n && state < 6; i++)
        state = state == 0 ? text[i] == '\\' : text[i] == "\\u0000"[state] ? state + 1 : 0;
    return state;
}

/* The number that the text is in. */
typedef struct number {
    int quoted, escaped;             /* the text is in a string, behind a backslash of it */
    int fraction;                    /* it is no integer */
    size_t length;                   /* 0 outside of numbers */
    char text[40];                   /* the beginning, as a string */
} number;

static int is_far(const number *s)
{
    int minus = s->text[0] == '-';
    const char *digits = s->text + minus, *most = minus ? "9223372036854775808" : "18446744073709551615";
    size_t length = s->length - (size_t)minus, limit = strlen(most);
    return !s->fraction && (length > limit || (length == limit && strcmp(digits, most) > 0));
}

/* Whether an integer ends before `c` that 64 bits do not hold: json-c takes the nearest that they do for it. */
static int far_integer(number *s, char c)
{
    if (s->quoted) {
        s->quoted = c != '"' || s->escaped;
        s->escaped = c == '\\' && !s->escaped;
        return 0;
    }
    int digit = (c >= '0' && c <= '9') || (c == '-' && !s->length);
    if (digit || (s->length && c && strchr(".eE+-", c))) {
        s->fraction |= !digit;
        if (s->length < sizeof s->text - 1)
            s->text[s->length] = c;
        s->length++;
        return 0;
    }
    if (s->length && is_far(s))
        return 1;
    *s = (number){.quoted = c == '"'};
    return 0;
}

/* What json-c would take for something else. */
typedef struct scan {
    unsigned escape;                 /* of nul_escape */
    number number;
    int far;                         /* `number` is beyond 64 bits */
} scan;

static void look(scan *s, const char *text, size_t n)
{
    s->escape = nul_escape(s->escape, text, n);
    for (size_t i = 0; i < n && !s->far; i++)
        s->far = far_integer(&s->number, text[i]);
}

/* 0 with a message unless the document is one that this program takes. */
static int judge(const scan *s, const char *path)
{
    if (s->escape == 6)
        cli_fail(DVE_E_INPUT, "%.200s: a string holds \\u0000; allowed: text without it", path);
    else if (s->far)
        cli_fail(DVE_E_INPUT, "%.200s: $: %s%s was given; allowed: integers of 64 bits", path, s->number.text,
                 s->number.length > strlen(s->number.text) ? "..." : "");
    return s->escape != 6 && !s->far;
}

/* One JSON document and nothing behind it; NULL with a message. */
static json_object *parse(FILE *file, const char *path)
{
    static char chunk[CHUNK];
    json_tokener *tokener = json_tokener_new();
    json_object *root = NULL;
    size_t n, at = 0;
    scan scanned = {0};
    int good = 0;
    if (!tokener)
        return NULL;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    enum json_tokener_error state = json_tokener_continue;
    while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
        size_t used = 0;
        look(&scanned, chunk, n);
        if (state == json_tokener_continue) {
            root = json_tokener_parse_ex(tokener, chunk, (int)n);
            state = json_tokener_get_error(tokener);
            used = json_tokener_get_parse_end(tokener);
        }
        while (state == json_tokener_success && used < n && strchr(" \t\r\n", chunk[used]) && chunk[used])
            used++;
        at += used;
        if (state != json_tokener_continue && used < n)
            break;
    }
    if (ferror(file))
        cli_fail(DVE_E_INPUT, "%.200s: cannot read: %s", path, strerror(errno));
    else if (state != json_tokener_success || n > 0)
        cli_fail(DVE_E_INPUT, "%.200s: byte %zu: not JSON: %s", path, at,
                 state == json_tokener_success ? "something follows the document" : json_tokener_error_desc(state));
    else
        good = judge(&scanned, path);
    if (!good) {
        json_object_put(root);
        root = NULL;
    }
    json_tokener_free(tokener);
    return root;
}

static json_object *parse_and_close(FILE *file, const char *path)
{
    if (!file) {
        cli_fail(DVE_E_INPUT, "%.200s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    json_object *root = parse(file, path);
    if (file != stdin)
        fclose(file);
    return root;
}

json_object *cli_json_read(const char *path)
{
    return parse_and_close(strcmp(path, "-") == 0 ? stdin : fopen(path, "rb"), path);
}

json_object *cli_json_read_regular(const char *path)
{
    dve_error error;
    int fd = dve_whole_open(path, path, &error);
    if (fd >= 0)
        return parse_and_close(fdopen(fd, "rb"), path);
    cli_fail(DVE_E_INPUT, "%s", error.text);
    return NULL;
}

dve_status cli_json_wrong(const char *file, const char *where, const char *name, const char *format, ...)
{
    char text[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cli_fail(DVE_E_INPUT, "%.200s: %s%s%s: %s", file, where, *name ? "." : "", name, text);
}

dve_status cli_json_take(const char *file, const char *where, json_object *object, const char *name, json_type type,
                         json_object **out)
{
    if (!json_object_object_get_ex(object, name, out))
        return cli_json_wrong(file, where, name, "missing; allowed: %s", json_type_to_name(type));
    if (json_object_is_type(*out, type))
        return DVE_OK;
    return cli_json_wrong(file, where, name, "%s was given; allowed: %s",
                          json_type_to_name(json_object_get_type(*out)), json_type_to_name(type));
}
