/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: options anywhere, `--name VALUE` or `--name=VALUE`, `-k 8` or `-k8`, `--` ends them. */
#include "cli.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const cli_option common[] = {
    {"gen", 0, "G", "generation: gen2, gen3 (default), gen4, gen5 or an alias"},
    {"json", 0, NULL, "one JSON document on stdout"},
    {"assume", 0, "NAME=VALUE", "choose a reading of an assumption, see opendve isa assumptions"},
    {"help", 'h', NULL, "this text"},
};
enum { COMMON = sizeof common / sizeof common[0] };

const cli_option *cli_option_at(const cli_command *command, unsigned n)
{
    unsigned own = 0;
    while (command->options[own].name)
        own++;
    if (n < own)
        return &command->options[n];
    n = n - own + (command->plain ? COMMON - 1 : 0);
    return n < COMMON ? &common[n] : NULL;
}

static const cli_option *find_long(const cli_command *command, const char *name, size_t length)
{
    const cli_option *option;
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++)
        if (strncmp(option->name, name, length) == 0 && option->name[length] == '\0')
            return option;
    return NULL;
}

static const cli_option *find_letter(const cli_command *command, char letter)
{
    const cli_option *option;
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++)
        if (option->letter && option->letter == letter)
            return option;
    return NULL;
}

static dve_status unknown_option(const cli_command *command, const char *name, size_t length)
{
    char word[64], hint[96];
    const cli_option *option;
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), name);
    cli_guess guess = cli_guess_begin(word);
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++)
        cli_guess_try(&guess, option->name);
    const char *best = cli_guess_hint(&guess, "--", hint, sizeof hint);
    return cli_fail(DVE_E_USAGE, "%s: there is no option --%s%s; `opendve help %s` lists them", command->name, word,
                    best, command->name);
}

static dve_status add(cli_arguments *a, const cli_option *option, const char *value)
{
    if (a->options == sizeof a->given / sizeof a->given[0])
        return cli_fail(DVE_E_USAGE, "more than %u options", a->options);
    a->given[a->options].option = option;
    a->given[a->options++].value = value;
    return DVE_OK;
}

/* Takes the word at *at, which begins with '-', and its value, which may be the next word. */
static dve_status take_option(cli_arguments *a, int count, char **words, int *at)
{
    const char *word = words[*at], *value = NULL;
    const cli_option *option;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_long(a->command, word + 2, length);
        if (!option)
            return unknown_option(a->command, word + 2, length);
        if (word[2 + length])
            value = word + 2 + length + 1;
    } else {
        option = find_letter(a->command, word[1]);
        if (!option)
            return cli_fail(DVE_E_USAGE, "%s: there is no option -%c; `opendve help %s` lists them", a->command->name,
                            word[1], a->command->name);
        if (word[2])
            value = word + 2;
    }
    if (!option->value && value)
        return cli_fail(DVE_E_USAGE, "option --%s takes no value, \"%.200s\" was given", option->name, value);
    if (option->value && !value) {
        if (*at + 1 == count)
            return cli_fail(DVE_E_USAGE, "option --%s needs a value: --%s %s", option->name, option->name,
                            option->value);
        value = words[++*at];
    }
    return add(a, option, value ? value : "");
}

dve_status cli_parse(const cli_command *command, int count, char **words, cli_arguments *out)
{
    memset(out, 0, sizeof *out);
    out->command = command;
    int only_operands = 0;
    for (int i = 0; i < count; i++) {
        if (!only_operands && strcmp(words[i], "--") == 0) {
            only_operands = 1;
            continue;
        }
        if (!only_operands && words[i][0] == '-' && words[i][1]) {
            dve_status status = take_option(out, count, words, &i);
            if (status)
                return status;
            continue;
        }
        if (out->operands == sizeof out->operand / sizeof out->operand[0])
            return cli_fail(DVE_E_USAGE, "%s: more than %u operands", command->name, out->operands);
        out->operand[out->operands++] = words[i];
    }
    return DVE_OK;
}

const char *cli_value_at(const cli_arguments *a, const char *name, unsigned n)
{
    for (unsigned i = 0; i < a->options; i++)
        if (strcmp(a->given[i].option->name, name) == 0 && n-- == 0)
            return a->given[i].value;
    return NULL;
}

const char *cli_value(const cli_arguments *a, const char *name)
{
    const char *value = NULL;
    for (unsigned i = 0; i < a->options; i++)
        if (strcmp(a->given[i].option->name, name) == 0)
            value = a->given[i].value;
    return value;
}

int cli_flag(const cli_arguments *a, const char *name)
{
    return cli_value(a, name) != NULL;
}

/* Digits only: no sign, no blanks, no octal. */
static int read_number(const char *text, uint64_t *out)
{
    int hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = text + (hex ? 2 : 0);
    size_t length = strlen(digits);
    if (!length || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != length)
        return 0;
    errno = 0;
    *out = strtoull(digits, NULL, hex ? 16 : 10);
    return errno == 0;
}

dve_status cli_parse_number(const char *what, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    uint64_t value;
    if (!read_number(text, &value) || value < low || value > high)
        return cli_fail(DVE_E_USAGE,
                        "%s: \"%.100s\" was given, allowed is a decimal number or hex with 0x, %" PRIu64 "..%" PRIu64,
                        what, text, low, high);
    *out = value;
    return DVE_OK;
}

dve_status cli_number(const cli_arguments *a, const char *name, uint64_t low, uint64_t high, uint64_t *out)
{
    char what[80];
    const char *value = cli_value(a, name);
    snprintf(what, sizeof what, "option --%s", name);
    return value ? cli_parse_number(what, value, low, high, out) : DVE_OK;
}

dve_status cli_one_file(const cli_arguments *a, const char **out)
{
    *out = a->operand[0];
    if (a->operands == 1)
        return DVE_OK;
    return cli_fail(DVE_E_USAGE, "%s takes one file, %u were given: opendve %s %s", a->command->name, a->operands,
                    a->command->name, a->command->synopsis);
}
