/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a .npy file: a Python dict with three keys, read strictly. */
#include "npy_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int peek(const dve_npy_parser *p)
{
    return p->at < p->size ? p->text[p->at] : -1;
}

static dve_status parse_fail(const dve_npy_parser *p, const char *expected)
{
    char found[32];
    int c = peek(p);
    if (c < 0)
        (void)snprintf(found, sizeof found, "the end of the header");
    else if (c >= 0x20 && c < 0x7f)
        (void)snprintf(found, sizeof found, "'%c'", c);
    else
        (void)snprintf(found, sizeof found, "byte 0x%02x", (unsigned)c);
    dve_error_set(p->src->err, "%.200s: byte offset %" PRIu64 ": malformed .npy header: expected %s, found %s",
                  p->src->name, p->base + p->at, expected, found);
    return DVE_E_INPUT;
}

static void skip_space(dve_npy_parser *p)
{
    int c;
    while ((c = peek(p)) == ' ' || c == '\n' || c == '\t' || c == '\r')
        p->at++;
}

/* Skips blanks, then takes c if it comes next. */
static bool accept(dve_npy_parser *p, char c)
{
    skip_space(p);
    if (peek(p) != (uint8_t)c)
        return false;
    p->at++;
    return true;
}

/* A quoted string without escapes: no key, and no dtype outside structured ones, ever had any. */
static dve_status parse_string(dve_npy_parser *p, const char *expected, char out[DESCR_CAP])
{
    skip_space(p);
    int quote = peek(p), c;
    size_t n = 0;
    if (quote != '\'' && quote != '"')
        return parse_fail(p, expected);
    for (p->at++; (c = peek(p)) != quote; p->at++) {
        if (c < 0x20 || c >= 0x7f || c == '\\')
            return parse_fail(p, "a closing quote");
        if (n + 1 == DESCR_CAP)
            return parse_fail(p, "a string under 64 characters");
        out[n++] = (char)c;
    }
    p->at++;
    out[n] = '\0';
    return DVE_OK;
}

static dve_status parse_bool(dve_npy_parser *p, bool *out)
{
    static const char *const words[2] = {"False", "True"};
    skip_space(p);
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(words[i]);
        if (p->size - p->at < n || memcmp(p->text + p->at, words[i], n))
            continue;
        p->at += n;
        *out = i == 1;
        return DVE_OK;
    }
    return parse_fail(p, "True or False");
}

/* A decimal number; Python 2 wrote long integers with an L behind. */
static dve_status parse_dimension(dve_npy_parser *p, uint64_t *out)
{
    uint64_t v = 0;
    skip_space(p);
    size_t start = p->at;
    if (peek(p) == '-')
        return parse_fail(p, "a dimension that is not negative");
    if (!dve_is_digit(peek(p)))
        return parse_fail(p, "a dimension");
    for (; dve_is_digit(peek(p)); p->at++) {
        unsigned digit = (unsigned)(peek(p) - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return parse_fail(p, "a dimension below 2^64");
        v = v * 10 + digit;
    }
    if (p->text[start] == '0' && p->at - start > 1) {
        p->at = start;
        return parse_fail(p, "a dimension without leading zeros");
    }
    if (peek(p) == 'L')
        p->at++;
    *out = v;
    return DVE_OK;
}

static dve_status parse_shape(dve_npy_parser *p, dve_npy_layout *l)
{
    if (!accept(p, '('))
        return parse_fail(p, "a shape tuple");
    l->ndim = 0;
    bool comma = true; /* may an item come next? */
    while (!accept(p, ')')) {
        if (!comma)
            return parse_fail(p, "',' or ')'");
        if (l->ndim == DVE_ARRAY_MAX_DIMS)
            return parse_fail(p, "at most 32 dimensions");
        dve_status st = parse_dimension(p, &l->shape[l->ndim]);
        if (st != DVE_OK)
            return st;
        l->ndim++;
        comma = accept(p, ',');
    }
    if (l->ndim == 1 && !comma) { /* Python reads (3) as a number, and so does np.load */
        p->at--;
        return parse_fail(p, "',' (a tuple of one)");
    }
    return DVE_OK;
}

/* One key with its value; seen has a bit per key. */
static dve_status parse_item(dve_npy_parser *p, dve_npy_layout *l, unsigned *seen)
{
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    static const char expected[] = "'descr', 'fortran_order' or 'shape', each once";
    char key[DESCR_CAP];
    unsigned k = 0;
    skip_space(p);
    dve_npy_parser at_key = *p;
    dve_status st = parse_string(p, expected, key);
    if (st != DVE_OK)
        return st;
    while (k < 3 && strcmp(key, keys[k]))
        k++;
    if (k == 3 || (*seen >> k & 1))
        return parse_fail(&at_key, expected);
    *seen |= 1u << k;
    if (!accept(p, ':'))
        return parse_fail(p, "':'");
    if (k == 1)
        return parse_bool(p, &l->fortran);
    if (k == 2)
        return parse_shape(p, l);
    skip_space(p);
    l->structured = peek(p) == '[' || peek(p) == '(';
    return l->structured ? DVE_OK : parse_string(p, "a dtype string", l->descr);
}

dve_status dve_npy_header_parse(dve_npy_parser *p, dve_npy_layout *l)
{
    unsigned seen = 0;
    bool comma = true;
    if (!accept(p, '{'))
        return parse_fail(p, "'{'");
    while (!accept(p, '}')) {
        if (!comma)
            return parse_fail(p, "',' or '}'");
        dve_status st = parse_item(p, l, &seen);
        /* A list of fields is refused whatever it says, so nobody needs to parse it. */
        if (st != DVE_OK || l->structured)
            return st;
        comma = accept(p, ',');
    }
    if (seen != 7) {
        p->at--;
        return parse_fail(p, "the keys 'descr', 'fortran_order' and 'shape'");
    }
    skip_space(p);
    return p->at == p->size ? DVE_OK : parse_fail(p, "only blanks after the dict");
}
