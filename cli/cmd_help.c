/* SPDX-License-Identifier: Apache-2.0 */
/* opendve help: what the commands do, an example first. */
#include "commands.h"
#include "manual.h"
#include <string.h>

const cli_option cli_help_options[] = {
    {"man", 0, NULL, "the manual page of the program or the command, as mdoc"},
    {"completion", 0, "bash|zsh|fish", "the script that completes command lines in a shell"},
    {0},
};

static void print_option(FILE *stream, const cli_option *option)
{
    char left[64];
    int used = option->letter ? snprintf(left, sizeof left, "-%c, ", option->letter) : 0;
    snprintf(left + used, sizeof left - (size_t)used, "--%s%s%s", option->name, option->value ? " " : "",
             option->value ? option->value : "");
    if (strlen(left) > 24)
        fprintf(stream, "  %s\n  %-24s  %s\n", left, "", option->help);
    else
        fprintf(stream, "  %-24s  %s\n", left, option->help);
}

void cli_help_command(FILE *stream, const cli_command *command)
{
    const cli_option *option;
    fprintf(stream, "example: %s\n\nopendve %s %s [options]\n    %s\n\noptions:\n", command->example, command->name,
            command->synopsis, command->summary);
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++)
        print_option(stream, option);
    fputs("\nexit: 0 good, 1 findings, 2 wrong usage, 3 an input is unreadable or malformed, 4 a budget was\n"
          "exceeded, 5 an output cannot be written, 70 internal error, 130 interrupted\n",
          stream);
}

void cli_help_all(FILE *stream)
{
    fputs("example: opendve topk scores.npy -k 8\n\n"
          "opendve COMMAND [options] FILES\n"
          "    Exact model and toolkit for the 64-byte instruction records of the vector engine.\n\ncommands:\n",
          stream);
    for (const cli_command *command = cli_commands; command->name; command++)
        fprintf(stream, "  %-8s  %s\n", command->name, command->summary);
    fputs("\n`opendve help COMMAND` lists the options of a command, `opendve --version` prints the version.\n"
          "A file `-` is stdin or stdout. Numbers are decimal, or hex with 0x.\n",
          stream);
}

dve_status cli_help(const cli_arguments *a)
{
    if (a->operands > 1)
        return cli_fail(DVE_E_USAGE, "help takes one command, %u were given", a->operands);
    if (cli_flag(a, "completion") && (a->operands || cli_flag(a, "man")))
        return cli_fail(DVE_E_USAGE, "option --completion stands alone: the script is for all commands");
    if (cli_flag(a, "completion"))
        return cli_completion(stdout, cli_value(a, "completion"));
    const cli_command *command = a->operands ? cli_command_named(a->operand[0]) : NULL;
    if (command || !a->operands) {
        if (cli_flag(a, "man"))
            cli_manual(stdout, command);
        else if (command)
            cli_help_command(stdout, command);
        else
            cli_help_all(stdout);
        return DVE_OK;
    }
    char hint[96];
    cli_guess guess = cli_guess_begin(a->operand[0]);
    for (const cli_command *c = cli_commands; c->name; c++)
        cli_guess_try(&guess, c->name);
    return cli_fail(DVE_E_USAGE, "there is no command \"%.100s\"%s; `opendve help` lists them", a->operand[0],
                    cli_guess_hint(&guess, "", hint, sizeof hint));
}
