/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a line: whole ones, floats, bits, bytes. */
#include "f32.h"
#include "scan.h"

enum { SHOWN = 60 };                 /* bytes of a wrong word that a message repeats */

static int shown(size_t length)
{
    return (int)(length < SHOWN ? length : SHOWN);
}

static int is_hex(dve_word word)
{
    return word.length > 2 && word.text[0] == '0' && (word.text[1] | 0x20) == 'x';
}

/* The value of a digit, 16 if it is none of its base. */
static unsigned digit(char c, unsigned base)
{
    unsigned value = dve_scan_digit(c);
    return value < base ? value : 16;
}

/* Decimal, or hex with 0x; 0 for what is no such number. What 60 bits cannot hold is at least 2^59. */
static int read_whole(dve_word word, uint64_t *out)
{
    unsigned base = is_hex(word) ? 16 : 10;
    *out = 0;
    for (size_t i = base == 16 ? 2 : 0; i < word.length; i++) {
        unsigned value = digit(word.text[i], base);
        if (value == 16)
            return 0;
        *out = *out >> 59 ? UINT64_MAX : *out * base + value;   /* far too large stays so */
    }
    return word.length > 0;
}

int dve_scan_number(dve_scan *s, const char *what, uint32_t low, uint32_t high, uint32_t *out)
{
    uint64_t value;
    dve_word word = dve_scan_word(s);
    if (!word.length)
        return dve_scan_expected(s, what, "a number is decimal, or hex with 0x");
    if (!read_whole(word, &value))
        return dve_scan_fail(s, word.at, s->at, "a number is decimal, or hex with 0x", "%s: \"%.*s\" is no number",
                             what, shown(word.length), word.text);
    if (value < low || value > high)
        return dve_scan_fail(s, word.at, s->at, "",
                             is_hex(word) ? "%s: %.*s was given, allowed is 0x%x..0x%x"
                                          : "%s: %.*s was given, allowed is %u..%u",
                             what, shown(word.length), word.text, (unsigned)low, (unsigned)high);
    *out = (uint32_t)value;
    return 1;
}

int dve_scan_signed(dve_scan *s, const char *what, unsigned width, uint32_t *out)
{
    uint64_t value, half = UINT64_C(1) << (width - 1);
    uint32_t mask = (uint32_t)(2 * half - 1);
    int negative = dve_scan_take(s, '-');
    dve_word word = dve_scan_word(s);
    if (!word.length)
        return dve_scan_expected(s, what, "a number is decimal, or hex bits with 0x");
    if (!read_whole(word, &value) || (negative && is_hex(word)))
        return dve_scan_fail(s, word.at, s->at, "a number is decimal, or hex bits with 0x", "%s: \"%.*s\" is no number",
                             what, shown(word.length), word.text);
    if (is_hex(word) ? value > mask : value > half - !negative)
        return dve_scan_fail(s, word.at - (size_t)negative, s->at, "", "%s: %s%.*s was given, allowed is -%u..%u",
                             what, negative ? "-" : "", shown(word.length), word.text, (unsigned)half,
                             (unsigned)(half - 1));
    *out = (uint32_t)(negative ? 0 - value : value) & mask;
    return 1;
}

/* The end of a float that begins here: signs belong to it at its begin and behind an exponent's letter. */
static size_t float_end(const dve_scan *s)
{
    size_t at = s->at;
    for (; at < s->length; at++) {
        char c = s->text[at];
        int letter = digit(c, 10) < 16 || c == '.' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
        int sign = (c == '-' || c == '+') && (at == s->at || (s->text[at - 1] | 0x20) == 'e');
        if (!letter && !sign)
            break;
    }
    return at;
}

int dve_scan_f32(dve_scan *s, const char *what, uint32_t *out)
{
    static const char hint[] = "a float is written 1.5, -2e-3, inf, nan, or as its 32 bits, 0x3fc00000";
    dve_scan_blanks(s);
    size_t end = float_end(s);
    dve_word word = {.text = s->text + s->at, .at = s->at, .length = end - s->at};
    if (!word.length)
        return dve_scan_expected(s, what, hint);
    if (is_hex(word))
        return dve_scan_number(s, what, 0, UINT32_MAX, out);
    s->at = end;
    switch (dve_f32_read(word.text, word.length, out)) {
    case DVE_F32_READ:
        return 1;
    case DVE_F32_TOO_LARGE:
        return dve_scan_fail(s, word.at, end, "the largest is 3.4028235e+38; infinity is inf",
                             "%s: %.*s is too large for fp32", what, shown(word.length), word.text);
    default:
        return dve_scan_fail(s, word.at, end, hint, "%s: \"%.*s\" is no float", what, shown(word.length), word.text);
    }
}

/* A word whose meaning hangs on other fields: "1" could be a float or bits, so it must say which. */
int dve_scan_word_value(dve_scan *s, const char *what, uint32_t *out)
{
    uint64_t value;
    dve_word word = dve_scan_peek(s);
    size_t end = float_end(s);
    int plain = word.length && word.length == end - word.at && read_whole(word, &value);
    if (is_hex(word) || (plain && value == 0))
        return dve_scan_number(s, what, 0, UINT32_MAX, out);
    if (plain)
        return dve_scan_fail(s, word.at, end, "write 2.0 for a float, 0x2 for bits, sbuf[0]+0x40 for a pointer",
                             "%s: %.*s could be a float or bits", what, shown(word.length), word.text);
    int name = word.length && digit(*word.text, 10) == 16 && !dve_word_is(word, "inf") && !dve_word_is(word, "nan");
    if (name || (s->at < s->length && s->text[s->at] == '@')) {
        const dve_tensor *tensor;
        return dve_scan_address(s, out, &tensor);
    }
    return dve_scan_f32(s, what, out);
}

int dve_scan_hex(dve_scan *s, const char *what, unsigned bytes, uint32_t *value)
{
    dve_word word = dve_scan_word(s);
    if (!word.length)
        return dve_scan_expected(s, what, "bytes are hex digits, two each, in the order of the record");
    int zero = word.length == 1 && *word.text == '0';
    for (size_t i = 0; i < word.length; i++)
        if (digit(word.text[i], 16) == 16)
            return dve_scan_fail(s, word.at + i, word.at + i, "bytes are hex digits, two each, without 0x",
                                 "%s: '%c' is no hex digit", what, word.text[i]);
    if (!zero && word.length != 2 * bytes)
        return dve_scan_fail(s, word.at, s->at, "0 stands for zeros", "%s: %u hex digits were given, needed are %u",
                             what, (unsigned)word.length, 2 * bytes);
    for (unsigned i = 0; i < (bytes + 3) / 4; i++)
        value[i] = 0;
    for (unsigned i = 0; i < 2 * bytes && !zero; i++)
        value[i / 8] |= digit(word.text[i], 16) << (8 * (i / 2 % 4) + (i % 2 ? 0 : 4));
    return 1;
}
