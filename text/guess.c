/* SPDX-License-Identifier: Apache-2.0 */
#include "guess.h"
#include <string.h>

enum { WORD = 64 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Insertions, deletions and changes of letters that turn a into b; both shorter than WORD. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned row[WORD + 1];
    for (unsigned j = 0; j <= b_length; j++)
        row[j] = j;
    for (unsigned i = 0; i < a_length; i++) {
        unsigned diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b_length; j++) {
            unsigned changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = least(changed, least(row[j], row[j + 1]) + 1);
        }
    }
    return row[b_length];
}

dve_guess dve_guess_begin(const char *word, size_t length)
{
    return (dve_guess){.word = word, .length = length,
                       .distance = length < 3 ? 2 : (unsigned)(length < 9 ? length / 3 + 1 : 4)};
}

void dve_guess_try(dve_guess *guess, const char *name)
{
    size_t length = strlen(name);
    if (guess->length >= WORD || length >= WORD)
        return;
    size_t apart = guess->length > length ? guess->length - length : length - guess->length;
    unsigned d = guess->distance + 1;
    if (guess->length >= 3 && guess->length <= length && memcmp(guess->word, name, guess->length) == 0)
        d = 1;                                   /* the beginning of a name */
    else if (apart <= guess->distance)           /* the distance is at least that */
        d = distance(guess->word, guess->length, name, length);
    if (d < guess->distance || (d == guess->distance && !guess->best && guess->length >= 3)) {
        guess->distance = d;
        guess->best = name;
    }
}
