/* SPDX-License-Identifier: Apache-2.0 */
/* The bigram model: which word follows which, and how often. */
#ifndef BIGRAM_MODEL_H
#define BIGRAM_MODEL_H

#include <stddef.h>
#include <stdint.h>

struct word {
    uint32_t letters; /* offset in model.letters */
    uint32_t length;
    uint32_t count; /* occurrences in the text */
    uint32_t first; /* order of first appearance */
};

/* A word's number is its place in `words`: most frequent first, equal counts by first appearance. */
struct model {
    unsigned char *letters;
    size_t letters_used, letters_room;
    struct word *words;
    uint32_t word_count, word_room;
    uint32_t vocabulary; /* the first so many words take part in the model */
    uint32_t *table;     /* open hash table of word numbers plus 1 */
    uint32_t table_size;
    uint32_t *tokens; /* the text, one number a word */
    uint32_t token_count, token_room;
    uint32_t stops;    /* sentence ends among the tokens */
    uint32_t gaps;     /* tokens that are no word */
    size_t bytes;
    uint32_t *starts;  /* followers of word w: followers[starts[w]] up to followers[starts[w + 1]] */
    uint32_t *followers;
    uint64_t total; /* occurrences of all words of the vocabulary */
};

#define NO_WORD UINT32_MAX

/* Reads and counts a text; `name` is for messages. Returns an exit code; model_free is right in either case. */
int model_load(struct model *m, const char *name, uint32_t largest_vocabulary);
void model_free(struct model *m);

const unsigned char *model_letters(const struct model *m, uint32_t word);

/* The number of the last word of a phrase; prints why and returns an exit code if it has none. */
int model_context(const struct model *m, const char *phrase, uint32_t *word);

/* The number of the word that ends sentences, NO_WORD if the vocabulary lacks it. */
uint32_t model_stop(const struct model *m);

/*
 * Natural logarithms of P(w | context) for each w of the vocabulary, smoothed after Witten and Bell:
 *     P(w | c) = (count(c w) + kinds(c) * P(w)) / (count(c *) + kinds(c)),   P(w) = count(w) / count(*)
 * kinds(c) being the number of different followers of c. `counts` is scratch: one zero per word, zero again after.
 */
void model_row(const struct model *m, uint32_t context, uint32_t *counts, float *row);

uint64_t model_distinct_bigrams(const struct model *m);

#endif
