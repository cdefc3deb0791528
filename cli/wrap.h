/* SPDX-License-Identifier: Apache-2.0 */
/* Text in 80 columns, and headings. */
#ifndef DVE_CLI_WRAP_H
#define DVE_CLI_WRAP_H

#include <stdio.h>

enum {
    CLI_WIDTH = 80,
    CLI_JOINT = '\t'                             /* a blank at which no line breaks */
};

/* Prints words from column `at` on; lines that follow begin at column `indent`. Words that are too long for a line
 * are cut. Ends the line. */
void cli_wrap(FILE *stream, unsigned at, unsigned indent, const char *text);
/* An empty line and a heading, bold on a terminal unless NO_COLOR is set. */
void cli_heading(FILE *stream, const char *text);

#endif
