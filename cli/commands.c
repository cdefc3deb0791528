/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the program, in the order in which help lists them. */
#include "commands.h"
#include <string.h>

const cli_command cli_commands[] = {
#define COMMAND(name, plain, summary, synopsis, example) \
    {#name, summary, synopsis, example, cli_##name##_options, cli_##name, plain},
#include "commands.def"
    {0},
};

const char *cli_about(const cli_command *command)
{
#define ABOUT(of, text)                  \
    if (strcmp(command->name, #of) == 0) \
        return text;
#include "commands.def"
    return command->summary;
}

const cli_command *cli_command_named(const char *name)
{
    for (const cli_command *command = cli_commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}
