/* SPDX-License-Identifier: Apache-2.0 */
/* What each command's file defines: its options, and what runs it. */
#ifndef DVE_CLI_COMMANDS_H
#define DVE_CLI_COMMANDS_H

#include "cli.h"

#define COMMAND(name, plain, summary, synopsis, example) \
    extern const cli_option cli_##name##_options[];      \
    dve_status cli_##name(const cli_arguments *arguments);
#include "commands.def"

#endif
