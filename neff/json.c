/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"
#include "neff.h"
#include <string.h>

/* ---- judging; each answers where its value ends, or NULL, and then *bad says where ---- */

typedef struct judge {
    const uint8_t *end, *bad;
    int deep;
} judge;

static const uint8_t *fail(judge *j, const uint8_t *at)
{
    j->bad = at;
    return NULL;
}

static const uint8_t *blanks(const uint8_t *at, const uint8_t *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

static int digit(const judge *j, const uint8_t *at)
{
    return at < j->end && *at >= '0' && *at <= '9';
}

static int hex(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static const uint8_t *judge_number(judge *j, const uint8_t *at)
{
    at += *at == '-';
    if (!digit(j, at))
        return fail(j, at);
    if (*at == '0')
        at++;
    else
        while (digit(j, at))
            at++;
    if (at < j->end && *at == '.') {
        if (!digit(j, ++at))
            return fail(j, at);
        while (digit(j, at))
            at++;
    }
    if (at < j->end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < j->end && (*at == '+' || *at == '-');
        if (!digit(j, at))
            return fail(j, at);
        while (digit(j, at))
            at++;
    }
    return at;
}

static const uint8_t *judge_escape(judge *j, const uint8_t *at)
{
    if (at == j->end)
        return fail(j, at);
    if (*at == 'u') {
        for (unsigned i = 1; i <= 4; i++)
            if (j->end - at <= (ptrdiff_t)i || hex(at[i]) < 0)
                return fail(j, at);
        return at + 5;
    }
    return *at && strchr("\"\\/bfnrt", *at) ? at + 1 : fail(j, at);
}

/* `at` is behind the opening quote. */
static const uint8_t *judge_string(judge *j, const uint8_t *at)
{
    while (at && at < j->end && *at != '"') {
        const uint8_t *from = at;
        if (*at == '\\') {
            at = judge_escape(j, at + 1);
            continue;
        }
        while (at < j->end && *at != '"' && *at != '\\' && *at >= 0x20)
            at++;
        /* 0x7f is legal in JSON, and no text here */
        for (const uint8_t *part = from; part < at;) {
            const uint8_t *del = memchr(part, 0x7f, (size_t)(at - part));
            const uint8_t *stop = del ? del : at;
            if (!dve_neff_text(part, (size_t)(stop - part)))
                return fail(j, part);
            part = del ? del + 1 : at;
        }
        if (at < j->end && *at < 0x20)
            return fail(j, at);
    }
    if (!at)
        return NULL;
    return at < j->end ? at + 1 : fail(j, at);
}

static const uint8_t *judge_word(judge *j, const uint8_t *at)
{
    static const char *const words[] = {"true", "false", "null"};
    for (unsigned i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(j->end - at) >= length && memcmp(at, words[i], length) == 0)
            return at + length;
    }
    return fail(j, at);
}

static const uint8_t *judge_value(judge *j, const uint8_t *at, unsigned depth);

/* Behind the opening bracket. */
static const uint8_t *judge_container(judge *j, const uint8_t *at, uint8_t close, unsigned depth)
{
    at = blanks(at, j->end);
    if (at < j->end && *at == close)
        return at + 1;
    for (;;) {
        if (close == '}') {
            if (at == j->end || *at != '"')
                return fail(j, at);
            at = judge_string(j, at + 1);
            if (!at)
                return NULL;
            at = blanks(at, j->end);
            if (at == j->end || *at != ':')
                return fail(j, at);
            at = blanks(at + 1, j->end);
        }
        at = judge_value(j, at, depth);
        if (!at)
            return NULL;
        at = blanks(at, j->end);
        if (at == j->end || (*at != ',' && *at != close))
            return fail(j, at);
        if (*at == close)
            return at + 1;
        at = blanks(at + 1, j->end);
    }
}

static const uint8_t *judge_value(judge *j, const uint8_t *at, unsigned depth)
{
    if (at == j->end)
        return fail(j, at);
    switch (*at) {
    case '{': case '[':
        j->deep = depth == DVE_NEFF_JSON_DEPTH;
        return j->deep ? fail(j, at) : judge_container(j, at + 1, *at == '{' ? '}' : ']', depth + 1);
    case '"': return judge_string(j, at + 1);
    case 't': case 'f': case 'n': return judge_word(j, at);
    default: return judge_number(j, at);
    }
}

neff_json_verdict dve_neff_json_whole(const uint8_t *bytes, size_t size, neff_json *out, size_t *bad)
{
    judge j = {bytes + size, NULL, 0};
    const uint8_t *at = blanks(bytes, j.end), *end = judge_value(&j, at, 0);
    if (end && blanks(end, j.end) != j.end) {
        j.bad = blanks(end, j.end);
        end = NULL;
    }
    if (end)
        *out = (neff_json){at, end};
    else
        *bad = (size_t)(j.bad - bytes);
    return end ? NEFF_JSON_GOOD : j.deep ? NEFF_JSON_DEEP : NEFF_JSON_WRONG;
}

/* ---- going through what was judged ---- */

int dve_neff_json_is_object(neff_json value)
{
    return *value.at == '{';
}

int dve_neff_json_is_array(neff_json value)
{
    return *value.at == '[';
}

int dve_neff_json_is_string(neff_json value)
{
    return *value.at == '"';
}

static const uint8_t *skip_string(const uint8_t *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* Behind the value at `at`. */
static const uint8_t *skip(const uint8_t *at, const uint8_t *end)
{
    unsigned depth = 0;
    if (*at == '"')
        return skip_string(at);
    if (*at != '{' && *at != '[') {
        while (at < end && !strchr(",]} \t\n\r", *at))
            at++;
        return at;
    }
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (depth);
    return at;
}

neff_json dve_neff_json_inside(neff_json container)
{
    return (neff_json){blanks(container.at + 1, container.end), container.end - 1};
}

int dve_neff_json_next(neff_json *rest, neff_json *key, neff_json *value)
{
    const uint8_t *at = blanks(rest->at, rest->end);
    if (at == rest->end)
        return 0;
    at = blanks(at + (*at == ','), rest->end);
    const uint8_t *end = skip(at, rest->end), *behind = blanks(end, rest->end);
    if (behind < rest->end && *behind == ':') {
        *key = (neff_json){at, end};
        at = blanks(behind + 1, rest->end);
        end = skip(at, rest->end);
    }
    *value = (neff_json){at, end};
    rest->at = end;
    return 1;
}

int dve_neff_json_get(neff_json object, const char *name, neff_json *out)
{
    char text[64];
    int found = 0;
    neff_json key = object, value, rest;
    if (!dve_neff_json_is_object(object))
        return 0;
    for (rest = dve_neff_json_inside(object); dve_neff_json_next(&rest, &key, &value);)
        if (dve_neff_json_text(key, text, sizeof text) && strcmp(text, name) == 0) {
            *out = value;
            found = 1;
        }
    return found;
}

/* ---- texts ---- */

static uint32_t four(const uint8_t *at)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value = value << 4 | (uint32_t)hex(at[i]);
    return value;
}

/* The character of a \u escape, with its second half; *at moves behind. 0 if it is none. */
static uint32_t unescape(const uint8_t **at)
{
    uint32_t value = four(*at);
    *at += 4;
    if (value < 0xd800 || value > 0xdfff)
        return value;
    if (value > 0xdbff || (*at)[0] != '\\' || (*at)[1] != 'u')
        return 0;
    uint32_t low = four(*at + 2);
    *at += 6;
    return low < 0xdc00 || low > 0xdfff ? 0 : 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
}

static size_t utf8(uint32_t value, char out[4])
{
    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; value >>= 6)
        out[i] = (char)(0x80 | (value & 0x3f));
    out[0] = (char)(lead[length] | value);
    return length;
}

static uint32_t plain(uint8_t c)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *place = strchr(from, c);
    return place ? (uint32_t)to[place - from] : c;
}

int dve_neff_json_text(neff_json value, char *out, size_t capacity)
{
    size_t used = 0;
    if (!dve_neff_json_is_string(value))
        return 0;
    for (const uint8_t *at = value.at + 1; at < value.end - 1;) {
        char bytes[4] = {(char)*at};
        size_t length = 1;
        if (*at++ == '\\') {
            uint8_t c = *at++;
            uint32_t character = c == 'u' ? unescape(&at) : plain(c);
            if (!character)
                return 0;
            length = utf8(character, bytes);
        }
        if (capacity - used <= length)
            return 0;
        memcpy(out + used, bytes, length);
        used += length;
    }
    if (!capacity)
        return 0;
    out[used] = '\0';
    return 1;
}
