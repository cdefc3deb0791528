/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "util.h"

const unsigned char *model_letters(const struct model *m, uint32_t word)
{
    return m->letters + m->words[word].letters;
}

/* The slot that holds the word, or the empty one where it belongs. */
static uint32_t *find_slot(const struct model *m, const unsigned char *letters, size_t length)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ letters[i]) * 16777619u;
    for (uint32_t i = hash & (m->table_size - 1);; i = (i + 1) & (m->table_size - 1)) {
        uint32_t entry = m->table[i];
        if (entry == 0)
            return &m->table[i];
        const struct word *w = &m->words[entry - 1];
        if (w->length == length && memcmp(m->letters + w->letters, letters, length) == 0)
            return &m->table[i];
    }
}

/* Enters all words anew: after the table grew, and after sorting gave them other numbers. */
static void rebuild_table(struct model *m, uint32_t size)
{
    free(m->table);
    m->table_size = size;
    m->table = resize(NULL, size, sizeof *m->table);
    memset(m->table, 0, (size_t)size * sizeof *m->table);
    for (uint32_t w = 0; w < m->word_count; w++)
        *find_slot(m, model_letters(m, w), m->words[w].length) = w + 1;
}

static uint32_t add_word(struct model *m, const unsigned char *letters, size_t length)
{
    if (m->word_count == m->word_room) {
        m->word_room = m->word_room ? m->word_room * 2 : 4096;
        m->words = resize(m->words, m->word_room, sizeof *m->words);
    }
    if (m->letters_room - m->letters_used < length) {
        m->letters_room = m->letters_room * 2 + 65536;
        m->letters = resize(m->letters, m->letters_room, 1);
    }
    memcpy(m->letters + m->letters_used, letters, length);
    m->words[m->word_count] =
        (struct word){(uint32_t)m->letters_used, (uint32_t)length, 0, m->word_count};
    m->letters_used += length;
    return m->word_count++;
}

static uint32_t intern(struct model *m, const unsigned char *letters, size_t length)
{
    if (m->word_count >= m->table_size / 2)
        rebuild_table(m, m->table_size ? m->table_size * 2 : 16384);
    uint32_t *slot = find_slot(m, letters, length);
    if (*slot == 0)
        *slot = add_word(m, letters, length) + 1;
    return *slot - 1;
}

static void add_token(struct model *m, uint32_t word)
{
    if (m->token_count == m->token_room) {
        m->token_room = m->token_room ? m->token_room * 2 : 65536;
        m->tokens = resize(m->tokens, m->token_room, sizeof *m->tokens);
    }
    m->tokens[m->token_count++] = word;
}

static void read_tokens(struct model *m, const struct bytes *text)
{
    struct scanner s;
    scan(&s, text->data, text->size);
    for (enum token kind; (kind = next_token(&s)) != TOKEN_END;) {
        uint32_t word = NO_WORD;
        if (kind == TOKEN_TOO_LONG) {
            m->gaps++;
        } else {
            word = intern(m, s.word, s.length);
            m->words[word].count++;
            m->stops += kind == TOKEN_STOP;
        }
        add_token(m, word);
    }
}

static int more_frequent(const void *left, const void *right)
{
    const struct word *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Gives words their final numbers and cuts the vocabulary; a token outside it becomes a gap. */
static void rank_words(struct model *m, uint32_t largest_vocabulary)
{
    uint32_t *rank = resize(NULL, m->word_count, sizeof *rank);
    qsort(m->words, m->word_count, sizeof *m->words, more_frequent);
    m->vocabulary = m->word_count < largest_vocabulary ? m->word_count : largest_vocabulary;
    for (uint32_t w = 0; w < m->word_count; w++) {
        rank[m->words[w].first] = w < m->vocabulary ? w : NO_WORD;
        if (w < m->vocabulary)
            m->total += m->words[w].count;
    }
    for (uint32_t i = 0; i < m->token_count; i++)
        if (m->tokens[i] != NO_WORD)
            m->tokens[i] = rank[m->tokens[i]];
    free(rank);
    rebuild_table(m, m->table_size);
}

/* Sorts the second word of every bigram by its first word (a counting sort). */
static void list_followers(struct model *m)
{
    const uint32_t *t = m->tokens;
    uint32_t *next = resize(NULL, m->vocabulary, sizeof *next);
    m->starts = resize(NULL, (size_t)m->vocabulary + 1, sizeof *m->starts);
    memset(m->starts, 0, ((size_t)m->vocabulary + 1) * sizeof *m->starts);
    for (uint32_t i = 1; i < m->token_count; i++)
        if (t[i - 1] != NO_WORD && t[i] != NO_WORD)
            m->starts[t[i - 1] + 1]++;
    for (uint32_t w = 0; w < m->vocabulary; w++) {
        m->starts[w + 1] += m->starts[w];
        next[w] = m->starts[w];
    }
    m->followers = resize(NULL, m->starts[m->vocabulary], sizeof *m->followers);
    for (uint32_t i = 1; i < m->token_count; i++)
        if (t[i - 1] != NO_WORD && t[i] != NO_WORD)
            m->followers[next[t[i - 1]]++] = t[i];
    free(next);
}

int model_load(struct model *m, const char *name, uint32_t largest_vocabulary)
{
    struct bytes text;
    *m = (struct model){0};
    int code = read_file(name, &text);
    if (code != OK)
        return code;
    m->bytes = text.size;
    const unsigned char *zero = text.size ? memchr(text.data, 0, text.size) : NULL;
    if (zero) {
        code = fail(BAD_INPUT, "%s is no UTF-8 text: byte %zu is zero (a binary file, or UTF-16; iconv converts that)",
                    name, (size_t)(zero - text.data));
    } else {
        read_tokens(m, &text);
        if (m->token_count - m->gaps < 2)
            code = fail(BAD_INPUT, "%s is too small: it has %u words (%zu bytes), and a bigram takes 2", name,
                        m->token_count - m->gaps, text.size);
    }
    free(text.data);
    if (code != OK)
        return code;
    rank_words(m, largest_vocabulary);
    list_followers(m);
    return OK;
}

void model_free(struct model *m)
{
    free(m->letters);
    free(m->words);
    free(m->table);
    free(m->tokens);
    free(m->starts);
    free(m->followers);
    *m = (struct model){0};
}

/* Prints, after an unknown word, those that share most of its first letters; the more frequent one first. */
static void print_near(const struct model *m, const unsigned char *letters, size_t length)
{
    enum { SHOWN = 5 };
    uint32_t best[SHOWN] = {0};
    size_t common[SHOWN] = {0};
    for (uint32_t w = 0; w < m->vocabulary; w++) {
        const unsigned char *other = model_letters(m, w);
        size_t same = 0;
        while (same < length && same < m->words[w].length && letters[same] == other[same])
            same++;
        if (same <= common[SHOWN - 1])
            continue;
        int place = SHOWN - 1;
        for (; place > 0 && common[place - 1] < same; place--) {
            best[place] = best[place - 1];
            common[place] = common[place - 1];
        }
        best[place] = w;
        common[place] = same;
    }
    for (int i = 0; i < SHOWN && common[i] > 0; i++)
        fprintf(stderr, "%s%.*s", i ? ", " : "        words that begin like it: ", (int)m->words[best[i]].length,
                (const char *)model_letters(m, best[i]));
    if (common[0] > 0)
        fputc('\n', stderr);
}

int model_context(const struct model *m, const char *phrase, uint32_t *word)
{
    struct scanner s, last = {0};
    enum token kind = TOKEN_END;
    scan(&s, phrase, strlen(phrase));
    for (enum token k; (k = next_token(&s)) != TOKEN_END; kind = k)
        last = s;
    if (kind == TOKEN_END)
        return fail(BAD_USAGE, "the context \"%s\" has no word in it", phrase);
    if (kind == TOKEN_TOO_LONG)
        return fail(BAD_USAGE, "a context ends in a word of %zu bytes; a word has at most %d", last.length,
                    LONGEST_WORD);

    int length = (int)last.length;
    uint32_t entry = *find_slot(m, last.word, last.length);
    if (entry == 0) {
        fail(BAD_USAGE, "\"%.*s\", the last word of the context \"%s\", is not in the text", length,
             (const char *)last.word, phrase);
        print_near(m, last.word, last.length);
        return BAD_USAGE;
    }
    if (entry > m->vocabulary)
        return fail(BAD_USAGE, "\"%.*s\" is word %u by frequency, outside its vocabulary of %u (--max-vocab)",
                    length, (const char *)last.word, entry, m->vocabulary);
    *word = entry - 1;
    return OK;
}

uint32_t model_stop(const struct model *m)
{
    uint32_t entry = *find_slot(m, (const unsigned char *)".", 1);
    return entry == 0 || entry > m->vocabulary ? NO_WORD : entry - 1;
}

void model_row(const struct model *m, uint32_t context, uint32_t *counts, float *row)
{
    const uint32_t begin = m->starts[context], end = m->starts[context + 1];
    uint32_t kinds = 0;
    for (uint32_t i = begin; i < end; i++)
        kinds += counts[m->followers[i]]++ == 0;

    double all = (double)(end - begin) + kinds;
    for (uint32_t w = 0; w < m->vocabulary; w++) {
        double alone = (double)m->words[w].count / (double)m->total;
        /* The last word of a text may have no follower at all. */
        double p = kinds ? (counts[w] + kinds * alone) / all : alone;
        row[w] = (float)log(p);
    }
    for (uint32_t i = begin; i < end; i++)
        counts[m->followers[i]] = 0;
}

uint64_t model_distinct_bigrams(const struct model *m)
{
    uint64_t distinct = 0;
    uint32_t *seen = resize(NULL, m->vocabulary, sizeof *seen);
    memset(seen, 0, m->vocabulary * sizeof *seen);
    for (uint32_t w = 0; w < m->vocabulary; w++)
        for (uint32_t i = m->starts[w]; i < m->starts[w + 1]; i++) {
            distinct += seen[m->followers[i]] != w + 1;
            seen[m->followers[i]] = w + 1;
        }
    free(seen);
    return distinct;
}
