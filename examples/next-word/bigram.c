/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A word-bigram language model of any text: its scores are the input, and the words behind the
 * indices the reading, of `opendve topk`. See README.md beside this file.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bigram/model.h"
#include "../bigram/text.h"
#include "../bigram/util.h"
#include "npy.h"

/* One tile of a row in the engine's memory; longer rows work too, in tiles. */
#define DEFAULT_VOCABULARY 16384

const char program_name[] = "bigram";

static const char usage[] =
    "example:  bigram scores kjv.txt -o scores.npy --vocab-out vocab.txt \"in the\" \"and god\"\n"
    "          opendve topk scores.npy -k 8 --values v.npy --indices i.npy\n"
    "          bigram words vocab.txt v.npy i.npy \"in the\" \"and god\"\n"
    "\n"
    "bigram scores TEXT -o SCORES.npy [--vocab-out VOCAB] [--max-vocab N] CONTEXT...\n"
    "    writes one row of log-probabilities of the next word for each CONTEXT, a word or phrase\n"
    "    whose last word is in TEXT (UTF-8; - is standard input), over the N most frequent words\n"
    "    (16384), and to VOCAB these words, one a line\n"
    "bigram words VOCAB VALUES.npy INDICES.npy CONTEXT...\n"
    "    prints the words behind what topk found, with their probabilities\n"
    "bigram info TEXT\n"
    "    prints the size of TEXT in bytes, words, distinct words and distinct bigrams\n"
    "\n"
    "An argument that begins with - goes after --.\n"
    "exit: 0 good, 2 wrong usage, 3 an input cannot be used, 5 an output cannot be written\n";

struct arguments {
    const char *output, *vocabulary_output;
    uint32_t largest_vocabulary;
    bool help;
    char **operands; /* moved to the front of argv */
    int operand_count;
};

static int parse_option(void *context, int argc, char **argv, int *i)
{
    struct arguments *a = context;
    const char *option = argv[*i], *value = NULL, *size = NULL;
    if (strcmp(option, "-h") == 0 || strcmp(option, "--help") == 0) {
        a->help = true;
        return OK;
    }
    if (takes("-o", argc, argv, i, &value) || takes("--output", argc, argv, i, &value))
        a->output = value;
    else if (takes("--vocab-out", argc, argv, i, &value))
        a->vocabulary_output = value;
    else if (takes("--max-vocab", argc, argv, i, &value))
        size = value;
    else
        return fail(BAD_USAGE, "unknown option %s (see bigram --help)", option);
    if (!value || !*value)
        return fail(BAD_USAGE, "%s takes a value", option);
    /* From one bigram to a million words. */
    return size ? read_number("--max-vocab", size, 2, 1000000, &a->largest_vocabulary) : OK;
}

static int parse(struct arguments *a, int argc, char **argv)
{
    *a = (struct arguments){.largest_vocabulary = DEFAULT_VOCABULARY, .operands = argv};
    return read_arguments(parse_option, a, argc, argv, &a->operand_count);
}

static void write_vocabulary(FILE *out, const struct model *m)
{
    for (uint32_t w = 0; w < m->vocabulary; w++) {
        fwrite(model_letters(m, w), 1, m->words[w].length, out);
        fputc('\n', out);
    }
}

static void write_scores(FILE *out, const struct model *m, const uint32_t *contexts, size_t count)
{
    uint32_t *counts = resize(NULL, m->vocabulary, sizeof *counts);
    float *row = resize(NULL, m->vocabulary, sizeof *row);
    memset(counts, 0, m->vocabulary * sizeof *counts);
    npy_write_header(out, count, m->vocabulary);
    for (size_t i = 0; i < count; i++) {
        model_row(m, contexts[i], counts, row);
        npy_write_row(out, row, m->vocabulary);
    }
    free(counts);
    free(row);
}

/* Both outputs are complete before the first one gets its name. */
static int write_outputs(const struct arguments *a, const struct model *m, const uint32_t *contexts, size_t count)
{
    const bool two = a->vocabulary_output != NULL;
    struct output scores = {0}, vocabulary = {0};
    int code = output_open(&scores, a->output);
    if (code == OK && two)
        code = output_open(&vocabulary, a->vocabulary_output);
    if (code == OK) {
        write_scores(scores.stream, m, contexts, count);
        code = output_finish(&scores);
    }
    if (code == OK && two) {
        write_vocabulary(vocabulary.stream, m);
        code = output_finish(&vocabulary);
    }
    if (code == OK)
        code = output_commit(&scores);
    if (code == OK && two)
        code = output_commit(&vocabulary);
    output_drop(&vocabulary);
    output_drop(&scores);
    return code;
}

static int command_scores(const struct arguments *a)
{
    if (!a->output)
        return fail(BAD_USAGE, "scores: -o SCORES.npy is missing");
    if (a->operand_count < 2)
        return fail(BAD_USAGE, "scores: a TEXT and at least one CONTEXT are wanted");
    if (a->vocabulary_output && strcmp(a->output, a->vocabulary_output) == 0)
        return fail(BAD_USAGE, "scores: both outputs are %s", a->output);

    struct model m;
    const size_t count = (size_t)a->operand_count - 1;
    uint32_t *contexts = resize(NULL, count, sizeof *contexts);
    int code = model_load(&m, a->operands[0], a->largest_vocabulary);
    for (size_t i = 0; i < count && code == OK; i++)
        code = model_context(&m, a->operands[i + 1], &contexts[i]);
    if (code == OK)
        code = write_outputs(a, &m, contexts, count);
    free(contexts);
    model_free(&m);
    return code;
}

struct line {
    const unsigned char *text;
    size_t length;
};

static struct line *split_lines(const struct bytes *file, size_t *count)
{
    struct line *lines = NULL;
    size_t room = 0;
    *count = 0;
    for (size_t at = 0; at < file->size;) {
        const unsigned char *start = file->data + at;
        const unsigned char *end = memchr(start, '\n', file->size - at);
        if (*count == room) {
            room = room * 2 + 1024;
            lines = resize(lines, room, sizeof *lines);
        }
        lines[*count].text = start;
        lines[*count].length = end ? (size_t)(end - start) : file->size - at;
        at += lines[(*count)++].length + 1;
    }
    return lines;
}

/* Every index must be a line of the vocabulary, and every context have its row. */
static int check_found(const struct arguments *a, const struct npy *values, const struct npy *indices, size_t words)
{
    const size_t contexts = (size_t)a->operand_count - 3;
    if (values->rows != indices->rows || values->columns != indices->columns)
        return fail(BAD_INPUT, "%s is %zu x %zu, but %s is %zu x %zu", a->operands[1], values->rows, values->columns,
                    a->operands[2], indices->rows, indices->columns);
    if (values->rows != contexts)
        return fail(BAD_USAGE, "words: %zu contexts are given, but %s has %zu rows", contexts, a->operands[1],
                    values->rows);
    for (size_t r = 0; r < indices->rows; r++)
        for (size_t c = 0; c < indices->columns; c++)
            if (npy_bits(indices, r, c) >= words)
                return fail(BAD_INPUT, "%s: index %" PRIu32 " in row %zu, column %zu is no word of %s, which has %zu",
                            a->operands[2], npy_bits(indices, r, c), r, c, a->operands[0], words);
    return OK;
}

static void print_found(const struct arguments *a, const struct npy *values, const struct npy *indices,
                        const struct line *words)
{
    size_t widest = 0;
    for (size_t i = 0; i < indices->rows * indices->columns; i++) {
        const struct line *w = &words[npy_bits(indices, 0, i)];
        size_t width = columns_of(w->text, w->length);
        widest = width > widest ? width : widest;
    }
    for (size_t r = 0; r < indices->rows; r++) {
        printf("%s%s ...\n", r ? "\n" : "", a->operands[r + 3]);
        for (size_t c = 0; c < indices->columns; c++) {
            const struct line *w = &words[npy_bits(indices, r, c)];
            uint32_t bits = npy_bits(values, r, c);
            float value;
            memcpy(&value, &bits, sizeof value);
            printf("%6zu  ", c + 1);
            fwrite(w->text, 1, w->length, stdout);
            printf("%*s  %.6f\n", (int)(widest - columns_of(w->text, w->length)), "", exp((double)value));
        }
    }
}

static int command_words(const struct arguments *a)
{
    if (a->operand_count < 4)
        return fail(BAD_USAGE, "words: VOCAB, VALUES.npy, INDICES.npy and the CONTEXTs are wanted");
    struct bytes vocabulary = {0};
    struct npy values = {0}, indices = {0};
    struct line *words = NULL;
    size_t word_count = 0;
    int code = read_file(a->operands[0], &vocabulary);
    if (code == OK)
        code = npy_read(&values, a->operands[1], "<f4");
    if (code == OK)
        code = npy_read(&indices, a->operands[2], "<u4");
    if (code == OK) {
        words = split_lines(&vocabulary, &word_count);
        code = check_found(a, &values, &indices, word_count);
    }
    if (code == OK)
        print_found(a, &values, &indices, words);
    free(words);
    free(vocabulary.data);
    npy_free(&values);
    npy_free(&indices);
    return code;
}

static int command_info(const struct arguments *a)
{
    if (a->operand_count != 1)
        return fail(BAD_USAGE, "info: one TEXT is wanted");
    struct model m;
    int code = model_load(&m, a->operands[0], UINT32_MAX);
    if (code == OK) {
        printf("bytes             %10zu\n", m.bytes);
        printf("words             %10" PRIu32 "\n", m.token_count - m.gaps - m.stops);
        printf("sentence ends     %10" PRIu32 "\n", m.stops);
        printf("vocabulary        %10" PRIu32 "\n", m.vocabulary);
        printf("distinct bigrams  %10" PRIu64 "\n", model_distinct_bigrams(&m));
    }
    model_free(&m);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(const struct arguments *);
    } commands[] = {{"scores", command_scores}, {"words", command_words}, {"info", command_info}};

    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        fputs(usage, stdout);
        return OK;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct arguments a;
        if (strcmp(name, commands[i].name) != 0)
            continue;
        int code = parse(&a, argc - 2, argv + 2);
        if (code == OK && a.help)
            fputs(usage, stdout);
        else if (code == OK)
            code = commands[i].run(&a);
        return code;
    }
    return fail(BAD_USAGE, "%s%s; the commands are scores, words and info (see bigram --help)",
                *name ? "unknown command " : "a command is missing", name);
}

int main(int argc, char **argv)
{
    int code = run(argc, argv);
    if (code == OK && (fflush(stdout) != 0 || ferror(stdout)))
        code = fail(BAD_OUTPUT, "cannot write to standard output");
    return code;
}
