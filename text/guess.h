/* SPDX-License-Identifier: Apache-2.0 */
/* The name nearest to a mistyped word. */
#ifndef DVE_TEXT_GUESS_H
#define DVE_TEXT_GUESS_H

#include <stddef.h>

typedef struct dve_guess {
    const char *word;
    size_t length;
    const char *best;                /* NULL until dve_guess_try saw a name that is near */
    unsigned distance;
} dve_guess;

dve_guess dve_guess_begin(const char *word, size_t length);
void dve_guess_try(dve_guess *guess, const char *name);

#endif
