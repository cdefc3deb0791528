/* SPDX-License-Identifier: Apache-2.0 */
/* What a beam search is asked and what it answers; search.h and plain.h answer it in two ways.
 *
 * A step goes on from every beam with every word. Of all these candidates the `width` best become the next beams:
 * the higher score first, that is the beam's score plus ln P(word | last word), added in fp32; of equal scores
 * the one from the better beam; of one beam the likelier word, then the smaller number. A beam that has ended has
 * one candidate: it stays as it is, with the end as its word again. */
#ifndef BEAM_SEARCH_QUESTION_H
#define BEAM_SEARCH_QUESTION_H

#include <stdint.h>

enum { MOST_BEAMS = 32, MOST_WORDS = 32 };

struct question {
    uint32_t prompt;   /* the word that all beams go on from */
    uint32_t end;      /* the word that ends a sentence, NO_WORD for none */
    uint32_t width;    /* beams, 1..MOST_BEAMS */
    uint32_t length;   /* words to add, 1..MOST_WORDS */
    uint32_t shortest; /* words to add before the end may come */
};

struct answer {
    float score[MOST_BEAMS]; /* best first */
    uint32_t word[MOST_BEAMS][MOST_WORDS];
};

#endif
