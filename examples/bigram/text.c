/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdint.h>
#include <string.h>

enum class { OTHER, LETTER, APOSTROPHE, STOP };

/*
 * Lower-casing by table, so that the result depends on no locale: under tr_TR the C library's own
 * would keep "I" apart from "i". Covers what takes at most two bytes: Latin, Greek, Cyrillic.
 */
static const struct {
    uint16_t first, last, every;
    int16_t add;
} capitals[] = {
    {0x0041, 0x005A, 1, 32}, {0x00C0, 0x00D6, 1, 32}, {0x00D8, 0x00DE, 1, 32}, {0x0100, 0x012E, 2, 1},
    {0x0132, 0x0136, 2, 1},  {0x0139, 0x0147, 2, 1},  {0x014A, 0x0176, 2, 1},  {0x0178, 0x0178, 1, -121},
    {0x0179, 0x017D, 2, 1},  {0x0386, 0x0386, 1, 38}, {0x0388, 0x038A, 1, 37}, {0x038C, 0x038C, 1, 64},
    {0x038E, 0x038F, 1, 63}, {0x0391, 0x03A1, 1, 32}, {0x03A3, 0x03AB, 1, 32}, {0x0400, 0x040F, 1, 80},
    {0x0410, 0x042F, 1, 32},
};

static int lower(int c)
{
    for (size_t i = 0; i < sizeof capitals / sizeof *capitals; i++)
        if (c >= capitals[i].first && c <= capitals[i].last && (c - capitals[i].first) % capitals[i].every == 0)
            return c + capitals[i].add;
    return c;
}

/* General Punctuation, U+2000 to U+206F, of which only the third byte is left to look at. */
static enum class classify_punctuation(int second, int third)
{
    if (second == 0x80 && third == 0x99) /* the typographic apostrophe */
        return APOSTROPHE;
    if (second == 0x80 && third == 0xA6) /* the ellipsis */
        return STOP;
    if (second == 0x80 && (third == 0x8C || third == 0x8D)) /* joiners stand inside words */
        return LETTER;
    return OTHER;
}

/* What stands at `at` (before `end`), and how many bytes it takes. Bytes that are no UTF-8 are letters of one byte. */
static enum class classify(const unsigned char *at, const unsigned char *end, size_t *bytes)
{
    int c = at[0], second = end - at > 1 ? at[1] : 0, third = end - at > 2 ? at[2] : 0;
    *bytes = 1;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return LETTER;
    if (c < 0x80)
        return c == '\'' ? APOSTROPHE : c == '.' || c == '!' || c == '?' ? STOP : OTHER;
    if (c >= 0xC2 && c <= 0xDF && second >> 6 == 2) {
        *bytes = 2;
        bool latin_sign = c == 0xC2 && second != 0xAA && second != 0xB5 && second != 0xBA;
        return latin_sign ? OTHER : LETTER;
    }
    if (c == 0xE2 && (second == 0x80 || second == 0x81) && third >> 6 == 2) {
        *bytes = 3;
        return classify_punctuation(second, third);
    }
    if (c == 0xEF && second == 0xBB && third == 0xBF) { /* byte order mark */
        *bytes = 3;
        return OTHER;
    }
    return LETTER;
}

void scan(struct scanner *s, const void *text, size_t size)
{
    s->at = text;
    s->end = s->at + size;
    s->after_stop = false;
    s->length = 0;
}

/* Appends a letter in lower case; past the longest word only the length grows. */
static void append(struct scanner *s, const unsigned char *letter, size_t bytes)
{
    unsigned char out[3];
    memcpy(out, letter, bytes);
    if (bytes == 1 && *letter >= 'A' && *letter <= 'Z') {
        out[0] = (unsigned char)(*letter + 32);
    } else if (bytes == 2) {
        int c = lower((letter[0] & 31) << 6 | (letter[1] & 63));
        out[0] = (unsigned char)(0xC0 | c >> 6);
        out[1] = (unsigned char)(0x80 | (c & 63));
    }
    if (s->length + bytes <= LONGEST_WORD)
        memcpy(s->word + s->length, out, bytes);
    s->length += bytes;
}

static enum token read_word(struct scanner *s)
{
    s->length = 0;
    while (s->at < s->end) {
        size_t bytes, after;
        enum class kind = classify(s->at, s->end, &bytes);
        if (kind == LETTER)
            append(s, s->at, bytes);
        else if (kind == APOSTROPHE && s->at + bytes < s->end && classify(s->at + bytes, s->end, &after) == LETTER)
            append(s, (const unsigned char *)"'", 1);
        else
            break;
        s->at += bytes;
    }
    return s->length <= LONGEST_WORD ? TOKEN_WORD : TOKEN_TOO_LONG;
}

enum token next_token(struct scanner *s)
{
    while (s->at < s->end) {
        size_t bytes;
        enum class kind = classify(s->at, s->end, &bytes);
        if (kind == LETTER) {
            s->after_stop = false;
            return read_word(s);
        }
        s->at += bytes;
        if (kind == STOP && !s->after_stop) {
            s->after_stop = true;
            s->word[0] = '.';
            s->length = 1;
            return TOKEN_STOP;
        }
    }
    return TOKEN_END;
}

size_t columns_of(const unsigned char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += text[i] >> 6 != 2;
    return columns;
}
