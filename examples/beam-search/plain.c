/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include <stdbool.h>
#include <string.h>

struct candidate {
    float score, alone; /* alone: ln P of the word itself */
    uint32_t beam, word;
};

/* The best so far, one more than there are beams: the last tells of a tie. */
struct best {
    struct candidate list[MOST_BEAMS + 1];
    uint32_t count, room;
};

/* Candidates come in the order of beams, then words; so of equals the earlier stays ahead. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return a->beam == b->beam && a->alone > b->alone;
}

static void offer(struct best *best, struct candidate c)
{
    uint32_t place = best->count;
    while (place > 0 && is_better(&c, &best->list[place - 1]))
        place--;
    if (place == best->room)
        return;
    if (best->count < best->room)
        best->count++;
    memmove(&best->list[place + 1], &best->list[place], (best->count - 1 - place) * sizeof c);
    best->list[place] = c;
}

/* All candidates of one beam; `last` is its last word. */
static void go_on(struct rows *rows, const struct question *q, uint32_t step, uint32_t beam, uint32_t last, float score,
                  struct best *best)
{
    if (step > 0 && last == q->end) {
        offer(best, (struct candidate){score, 0, beam, q->end});
        return;
    }
    const float *row = rows_get(rows, last);
    for (uint32_t w = 0; w < rows->model->vocabulary; w++)
        if (w != q->end || step >= q->shortest)
            offer(best, (struct candidate){score + row[w], row[w], beam, w});
}

uint32_t plain_search(struct rows *rows, const struct question *q, struct answer *a)
{
    uint32_t beams = 1, ties = 0;
    struct answer old = {0};
    for (uint32_t step = 0; step < q->length; step++) {
        struct best best = {.room = q->width + 1};
        for (uint32_t b = 0; b < beams; b++)
            go_on(rows, q, step, b, step ? old.word[b][step - 1] : q->prompt, old.score[b], &best);
        beams = best.count < q->width ? best.count : q->width;
        ties += best.count > q->width && best.list[q->width].score == best.list[q->width - 1].score;
        memset(a, 0, sizeof *a);
        for (uint32_t b = 0; b < beams; b++) {
            const struct candidate *c = &best.list[b];
            memcpy(a->word[b], old.word[c->beam], sizeof a->word[b]);
            a->word[b][step] = c->word;
            a->score[b] = c->score;
        }
        old = *a;
    }
    return ties;
}
