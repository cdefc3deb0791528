/* SPDX-License-Identifier: Apache-2.0 */
/* The records against plain C, on random prompts:  beam-compare TEXT PROMPTS [SEED]. Answers are compared score by
 * score and word by word, as bits. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../bigram/util.h"
#include "plain.h"
#include "search.h"

const char program_name[] = "beam-compare";

struct tally {
    uint32_t answers, differ, ties, ended;
};

static uint32_t below(uint64_t *state, uint32_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 32) % limit);
}

static bool any_ended(const struct question *q, const struct answer *a)
{
    for (uint32_t b = 0; b < q->width; b++)
        for (uint32_t t = 0; t + 1 < q->length; t++)
            if (a->word[b][t] == q->end)
                return true;
    return false;
}

static int compare(const struct question *q, uint8_t gen, struct rows *rows, struct tally *tally)
{
    struct answer plain, records;
    struct cost cost;
    int code = search_answer(q, gen, rows, &records, &cost);
    if (code != OK)
        return code;
    tally->ties += plain_search(rows, q, &plain);
    tally->answers++;
    tally->ended += any_ended(q, &plain);
    if (memcmp(&plain, &records, sizeof plain) == 0)
        return OK;
    tally->differ++;
    fail(1, "gen%d, prompt %" PRIu32 ", width %" PRIu32 ", length %" PRIu32 ", shortest %" PRIu32 ": answers differ",
         gen, q->prompt, q->width, q->length, q->shortest);
    return OK;
}

static int compare_width(uint32_t width, uint32_t prompts, uint64_t *state, struct rows *rows, bool *good)
{
    struct tally tally = {0};
    const uint32_t vocabulary = rows->model->vocabulary;
    for (uint32_t i = 0; i < prompts; i++) {
        struct question q = {.prompt = below(state, vocabulary), .end = model_stop(rows->model), .width = width};
        q.length = 1 + below(state, i % 10 ? 10 : MOST_WORDS);
        q.shortest = below(state, 4);
        int code = compare(&q, (uint8_t)(2 + i % 4), rows, &tally);
        if (code != OK)
            return code;
    }
    printf("width %2" PRIu32 ": %" PRIu32 " prompts, %" PRIu32 " differ; %" PRIu32 " steps with a tie at the cut, %" PRIu32
           " prompts with an ended beam\n", width, tally.answers, tally.differ, tally.ties, tally.ended);
    *good = *good && tally.differ == 0;
    return OK;
}

int main(int argc, char **argv)
{
    static const uint32_t widths[] = {8, 16, 24, 1, 2, 5, 7, 9, 13, 31, 32};
    uint32_t prompts = 0, seed = 1;
    if (argc < 3 || argc > 4)
        return fail(BAD_USAGE, "TEXT, PROMPTS and perhaps SEED are wanted");
    int code = read_number("PROMPTS", argv[2], 1, 1000000, &prompts);
    if (code == OK && argc == 4)
        code = read_number("SEED", argv[3], 0, UINT32_MAX, &seed);
    struct model model;
    if (code != OK || (code = model_load(&model, argv[1], MOST_VOCABULARY)) != OK)
        return code;
    if (model.vocabulary <= MOST_BEAMS)
        return fail(BAD_INPUT, "%s has %" PRIu32 " different words; more than %d are wanted", argv[1], model.vocabulary,
                    MOST_BEAMS);
    struct rows rows;
    bool good = true;
    uint64_t state = seed;
    rows_begin(&rows, &model);
    for (size_t i = 0; i < sizeof widths / sizeof *widths && code == OK; i++)
        code = compare_width(widths[i], i < 3 ? prompts : (prompts + 9) / 10, &state, &rows, &good);
    rows_end(&rows);
    model_free(&model);
    return code != OK ? code : good ? OK : 1;
}
