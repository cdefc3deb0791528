/* SPDX-License-Identifier: Apache-2.0 */
/* From UTF-8 bytes to words. */
#ifndef BIGRAM_TEXT_H
#define BIGRAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Longer runs of letters are no words (base64, a binary file); the model treats them as a gap in the text. */
#define LONGEST_WORD 255

enum token { TOKEN_END, TOKEN_WORD, TOKEN_STOP, TOKEN_TOO_LONG };

struct scanner {
    const unsigned char *at, *end;
    bool after_stop;
    size_t length;                  /* of `word`, for TOKEN_WORD and TOKEN_STOP */
    unsigned char word[LONGEST_WORD]; /* lower case, not terminated */
};

void scan(struct scanner *s, const void *text, size_t size);

/*
 * The next token. A word is a run of letters (ASCII letters and every byte from 0x80 up except for
 * punctuation) with apostrophes inside it. Any run of . ! ? and the ellipsis is one TOKEN_STOP, whose
 * word is ".". All else separates.
 */
enum token next_token(struct scanner *s);

/* Columns that the text takes on a terminal, taking one for each UTF-8 sequence. */
size_t columns_of(const unsigned char *text, size_t length);

#endif
