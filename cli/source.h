/* SPDX-License-Identifier: Apache-2.0 */
/* A .dve source, read line by line in constant memory; what is wrong with it goes to stderr. */
#ifndef DVE_CLI_SOURCE_H
#define DVE_CLI_SOURCE_H

#include "cli.h"

enum { CLI_SOURCE_ERRORS = 20 };     /* that are shown; the rest are counted */

typedef struct cli_source {
    const char *name;                /* as messages have it */
    dve_text_source text;
    dve_text_result result;          /* of the line read last */
    uint64_t line;                   /* its number, from 1 */
    uint64_t errors;
    dve_error first;                 /* the first of them */
} cli_source;

/* Takes a record: source->result.insn, line and column say what and where. Any other answer than DVE_OK ends
 * the reading. */
typedef dve_status cli_source_record(void *context, const cli_source *source);

/* Reads all of `path` ("-" is stdin). `gen` 0: as the source says. Every malformed line is told; records behind
 * the first one are read, but no longer handed on. DVE_E_INPUT, DVE_E_USAGE (another generation), or what
 * `take` answered. */
dve_status cli_source_read(cli_source *source, const char *path, uint8_t gen, cli_source_record *take, void *context);
/* The generation that --gen asks for, 0 without it. */
dve_status cli_source_gen(const cli_arguments *a, uint8_t *out);

#endif
