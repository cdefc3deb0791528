/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of other people's files on their way to a terminal. */
#include "cli.h"
#include "neff/neff.h"
#include <string.h>

/* Controls (C0, DEL, C1) move the cursor or change the terminal; line separators and the characters that set the direction of
 * writing (marks, embeddings, overrides, isolates) show a text as another one. */
static int acts(uint32_t character)
{
    static const struct { uint16_t first, last; } ranges[] = {
        {0x0000, 0x001f}, {0x007f, 0x009f}, {0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (character >= ranges[i].first && character <= ranges[i].last)
            return 1;
    return 0;
}

size_t cli_shown_piece(const char *text, size_t size, int json, char out[CLI_SHOWN_PIECE])
{
    uint32_t character;
    size_t bytes = dve_neff_character((const uint8_t *)text, size, &character);
    if (!bytes && json)
        strcpy(out, "\\ufffd");
    else if (!bytes)
        snprintf(out, CLI_SHOWN_PIECE, "\\x%02x", (unsigned char)*text);
    else if (acts(character))
        snprintf(out, CLI_SHOWN_PIECE, "\\u%04x", (unsigned)character & 0xffff);
    else {
        memcpy(out, text, bytes);
        out[bytes] = '\0';
    }
    return bytes ? bytes : 1;
}

const char *cli_shown(const char *text, char *out, size_t capacity)
{
    static const char cut[] = "...";
    size_t size = strlen(text), used = 0, kept = 0;          /* `kept`: what stays if not all of it fits */
    while (size) {
        char piece[CLI_SHOWN_PIECE];
        size_t bytes = cli_shown_piece(text, size, 0, piece), length = strlen(piece);
        if (used + length >= capacity) {
            memcpy(out + kept, cut, sizeof cut);
            return out;
        }
        memcpy(out + used, piece, length);
        used += length;
        if (used + sizeof cut <= capacity)
            kept = used;
        text += bytes;
        size -= bytes;
    }
    out[used] = '\0';
    return out;
}
