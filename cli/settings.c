/* SPDX-License-Identifier: Apache-2.0 */
/* --gen and --assume, and guesses at what a mistyped word meant. */
#include "cli.h"
#include <string.h>

cli_guess cli_guess_begin(const char *word)
{
    return dve_guess_begin(word, strlen(word));
}

void cli_guess_try(cli_guess *guess, const char *name)
{
    dve_guess_try(guess, name);
}

const char *cli_guess_hint(const cli_guess *guess, const char *prefix, char *out, size_t capacity)
{
    if (!guess->best)
        return "";
    snprintf(out, capacity, "; did you mean %s%s?", prefix, guess->best);
    return out;
}

dve_status cli_gen(const cli_arguments *a, uint8_t *out)
{
    const char *name = cli_value(a, "gen");
    *out = DVE_GEN_DEFAULT;
    if (!name)
        return DVE_OK;
    const dve_generation_info *generation = dve_generation_by_name(name);
    if (!generation)
        return cli_fail(DVE_E_USAGE,
                        "option --gen: \"%.100s\" was given, allowed are gen2, gen3, gen4, gen5 and the aliases that "
                        "`opendve isa generations` lists",
                        name);
    *out = generation->number;
    return DVE_OK;
}

static dve_status unknown_assumption(const char *name)
{
    size_t count;
    char hint[96];
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    cli_guess guess = cli_guess_begin(name);
    for (size_t i = 0; i < count; i++)
        if (*rows[i].values)
            cli_guess_try(&guess, rows[i].id);
    return cli_fail(DVE_E_USAGE,
                    "option --assume: there is no assumption \"%s\"%s; `opendve isa assumptions` lists them", name,
                    cli_guess_hint(&guess, "", hint, sizeof hint));
}

/* The number of `word` in a blank-separated list, -1 if it is not there. */
static int place_in(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (int n = 0; length && *list; n++) {
        size_t span = strcspn(list, " ");
        if (span == length && strncmp(list, word, span) == 0)
            return n;
        list += span + strspn(list + span, " ");
    }
    return -1;
}

static dve_status assume(const char *text, dve_settings *out)
{
    char name[64];
    size_t count, length = strcspn(text, "=");
    if (!text[length] || length >= sizeof name)
        return cli_fail(DVE_E_USAGE, "option --assume: \"%.100s\" was given, allowed is NAME=VALUE", text);
    memcpy(name, text, length);
    name[length] = '\0';
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].id, name) != 0)
            continue;
        int reading = place_in(rows[i].values, text + length + 1);
        if (!*rows[i].values)
            return cli_fail(DVE_E_USAGE, "option --assume: assumption %s has one reading only", name);
        if (reading < 0)
            return cli_fail(DVE_E_USAGE, "option --assume: %s=\"%.100s\" was given, allowed is one of: %s", name,
                            text + length + 1, rows[i].values);
        out->value[i] = (uint8_t)reading;
        return DVE_OK;
    }
    return unknown_assumption(name);
}

dve_status cli_settings(const cli_arguments *a, dve_settings *out)
{
    const char *text;
    memset(out, 0, sizeof *out);
    for (unsigned n = 0; (text = cli_value_at(a, "assume", n)); n++) {
        dve_status status = assume(text, out);
        if (status)
            return status;
    }
    return DVE_OK;
}
