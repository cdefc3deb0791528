/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences by beam search, decoded by the engine's instructions. See README.md beside this file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../bigram/util.h"
#include "plain.h"
#include "report.h"
#include "search.h"

const char program_name[] = "beam-search";

static const char usage[] =
    "example: beam-search --width 16 --length 10 kjv.txt \"in the\" \"and god\"\n"
    "\n"
    "beam-search [OPTION...] TEXT PROMPT...\n"
    "    goes on from the last word of each PROMPT, a word or phrase, by the bigram model of TEXT\n"
    "    (UTF-8; - is standard input), and prints the likeliest sentences that were found, with ln P,\n"
    "    and what the instructions cost on gen2 to gen5\n"
    "    --width N      beams, 1 to 32 (8)\n"
    "    --length N     words to add at most, 1 to 32 (12)\n"
    "    --shortest N   words to add before a sentence may end (5)\n"
    "    --max-vocab N  only the N most frequent words (16384, which is the most)\n"
    "    --records FILE writes the records of gen3, 64 bytes each\n"
    "An argument that begins with - goes after --.\n"
    "exit: 0 good, 1 the records and plain C disagree, 2 wrong usage, 3 an input cannot be used, 5 an output\n"
    "cannot be written\n";

struct arguments {
    struct question question;
    uint32_t largest_vocabulary;
    const char *records;
    bool help;
    char **operands; /* moved to the front of argv */
    int operand_count;
};

static int parse_option(void *context, int argc, char **argv, int *i)
{
    struct arguments *a = context;
    const struct {
        const char *name;
        uint32_t smallest, largest, *result;
    } numbers[] = {{"--width", 1, MOST_BEAMS, &a->question.width},
                   {"--length", 1, MOST_WORDS, &a->question.length},
                   {"--shortest", 0, MOST_WORDS, &a->question.shortest},
                   {"--max-vocab", 2, MOST_VOCABULARY, &a->largest_vocabulary}};
    const char *option = argv[*i], *value = NULL;
    if (strcmp(option, "-h") == 0 || strcmp(option, "--help") == 0) {
        a->help = true;
        return OK;
    }
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (takes(numbers[n].name, argc, argv, i, &value))
            return value ? read_number(numbers[n].name, value, numbers[n].smallest, numbers[n].largest, numbers[n].result)
                         : fail(BAD_USAGE, "%s takes a value", option);
    if (!takes("--records", argc, argv, i, &value))
        return fail(BAD_USAGE, "unknown option %s (see beam-search --help)", option);
    a->records = value;
    return value && *value ? OK : fail(BAD_USAGE, "%s takes a value", option);
}

static int parse(struct arguments *a, int argc, char **argv)
{
    *a = (struct arguments){.question = {.width = 8, .length = 12, .shortest = 5},
                            .largest_vocabulary = MOST_VOCABULARY, .operands = argv};
    int code = read_arguments(parse_option, a, argc, argv, &a->operand_count);
    if (code != OK)
        return code;
    if (!a->help && a->operand_count < 2)
        return fail(BAD_USAGE, "a TEXT and at least one PROMPT are wanted (see beam-search --help)");
    return OK;
}

/* Asks the records of every generation, and plain C; all must agree. */
static int decode(const struct question *q, struct rows *rows, const char *prompt, struct cost cost[GENS])
{
    struct answer plain, records = {0};
    plain_search(rows, q, &plain);
    for (int g = 0; g < GENS; g++) {
        int code = search_answer(q, (uint8_t)(FIRST_GEN + g), rows, &records, &cost[g]);
        if (code != OK)
            return code;
        if (memcmp(&records, &plain, sizeof plain) != 0)
            return fail(1, "prompt \"%s\": on gen%d the records and plain C give different sentences", prompt,
                        FIRST_GEN + g);
    }
    report_answer(rows->model, q, prompt, &records);
    return OK;
}

static int write_records(const char *path, const struct program *p)
{
    struct output out;
    int code = output_open(&out, path);
    if (code == OK) {
        fwrite(p->records, sizeof *p->records, p->count, out.stream);
        code = output_finish(&out);
    }
    if (code == OK)
        code = output_commit(&out);
    output_drop(&out);
    return code;
}

/* The records are the same whatever the prompt. */
static int report_program(const struct arguments *a, const struct question *q, uint32_t vocabulary,
                          const struct cost cost[GENS])
{
    struct program p;
    int code = program_make(&p, q, vocabulary, 3);
    if (code == OK && a->records)
        code = write_records(a->records, &p);
    if (code == OK)
        report_cost(&p, q, cost);
    program_free(&p);
    return code;
}

static int decode_all(const struct arguments *a, const struct model *m)
{
    struct question q = a->question;
    struct cost cost[GENS];
    struct rows rows;
    int code = OK;
    q.end = model_stop(m);
    rows_begin(&rows, m);
    for (int i = 1; i < a->operand_count && code == OK; i++) {
        code = model_context(m, a->operands[i], &q.prompt);
        if (code == OK)
            code = decode(&q, &rows, a->operands[i], cost);
    }
    if (code == OK) {
        printf("gen2 to gen5 and plain C agree, word by word and score by score\n");
        code = report_program(a, &q, m->vocabulary, cost);
    }
    rows_end(&rows);
    return code;
}

static int run(int argc, char **argv)
{
    struct arguments a;
    struct model m;
    int code = parse(&a, argc - 1, argv + 1);
    if (code == OK && a.help)
        fputs(usage, stdout);
    if (code != OK || a.help)
        return code;
    const uint32_t kept = (a.question.width + 7) / 8 * 8;
    code = model_load(&m, a.operands[0], a.largest_vocabulary);
    if (code == OK && m.vocabulary <= kept)
        code = fail(BAD_INPUT, "the vocabulary has %" PRIu32 " words; width %" PRIu32 " takes more than %" PRIu32,
                    m.vocabulary, a.question.width, kept);
    if (code == OK)
        code = decode_all(&a, &m);
    model_free(&m);
    return code;
}

int main(int argc, char **argv)
{
    int code = run(argc, argv);
    if (code == OK && (fflush(stdout) != 0 || ferror(stdout)))
        code = fail(BAD_OUTPUT, "cannot write to standard output");
    return code;
}
