/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages and shell completion, made from the table of commands. */
#ifndef DVE_CLI_MANUAL_H
#define DVE_CLI_MANUAL_H

#include "cli.h"

/* In two parts, so that tools take it for the line of what is made, not of the source. */
#define CLI_LICENCE "SPDX-License-" "Identifier: Apache-2.0"

typedef struct cli_exit {
    int code;
    const char *meaning;
} cli_exit;
extern const cli_exit cli_exits[];               /* ends with a NULL meaning */

/* The mdoc page of a command; of the program where it is NULL. */
void cli_manual(FILE *stream, const cli_command *command);
/* The script that completes command lines; DVE_E_USAGE for a shell that is none of bash, zsh and fish. */
dve_status cli_completion(FILE *stream, const char *shell);

/* What stands where a value is wanted: the words that are possible, blank-separated, or "" for a file name. The
 * text lives until the next call; NULL without memory. */
const char *cli_words_of_value(const cli_option *option);
const char *cli_words_of_operands(const cli_command *command);

#endif
