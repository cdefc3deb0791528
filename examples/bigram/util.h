/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, memory, arguments and whole files, for programs that use the bigram model. */
#ifndef BIGRAM_UTIL_H
#define BIGRAM_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The exit codes are those of opendve itself. */
enum { OK = 0, BAD_USAGE = 2, BAD_INPUT = 3, BAD_OUTPUT = 5, INTERNAL = 70 };

#if defined(__GNUC__)
#define PRINTF_LIKE __attribute__((format(printf, 2, 3)))
#else
#define PRINTF_LIKE
#endif

/* What messages begin with; each program says it. */
extern const char program_name[];

/* Prints "PROGRAM: MESSAGE" on stderr and returns the code, so that a caller can `return fail(...)`. */
int fail(int code, const char *format, ...) PRINTF_LIKE;

/* realloc for `count` elements that ends the program instead of failing. */
void *resize(void *old, size_t count, size_t element);

/* If argument `*i` is the option: true, and its value from "=..." or from the next argument (NULL if there is none). */
bool takes(const char *option, int argc, char **argv, int *i, const char **value);

/* Takes arguments one by one: options go to `option`, which answers an exit code and may move *i on, operands to the front
 * of argv. All behind "--" are operands. */
typedef int option_reader(void *context, int argc, char **argv, int *i);
int read_arguments(option_reader *option, void *context, int argc, char **argv, int *operand_count);

/* The value of an option: decimal, or hexadecimal with 0x. Prints why not and returns BAD_USAGE. */
int read_number(const char *option, const char *text, uint32_t smallest, uint32_t largest, uint32_t *result);

struct bytes {
    unsigned char *data;
    size_t size;
};

/* Reads a whole file ("-" is stdin). On failure prints why, returns BAD_INPUT and leaves nothing to free. */
int read_file(const char *path, struct bytes *result);

/*
 * An output appears under its name only when it is complete: it is written beside it, output_finish
 * closes it, output_commit renames it. With two outputs, both are finished before the first commit.
 * A device, a pipe or a link is written directly; "-" is stdout.
 */
struct output {
    const char *path;
    char *temporary; /* NULL: written directly */
    FILE *stream;
};

int output_open(struct output *out, const char *path);
int output_finish(struct output *out);
int output_commit(struct output *out);
void output_drop(struct output *out); /* whatever is left; right in every state, also all zero */

#endif
