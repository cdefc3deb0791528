/* SPDX-License-Identifier: Apache-2.0 */
/* A Chrome trace of a run: one slice a record, in modelled time. */
#ifndef DVE_CLI_TRACE_H
#define DVE_CLI_TRACE_H

#include "cli.h"
#include "io/outfile.h"

/* Writes as records run, to an open output of a set; the first failure is kept for the end. */
typedef struct cli_trace {
    dve_outset *set;
    unsigned index;
    uint8_t gen;
    uint64_t cycles, slices;
    dve_status status;
    dve_error error;
} cli_trace;

void cli_trace_begin(cli_trace *trace, dve_outset *set, unsigned index, uint8_t gen);
void cli_trace_step(cli_trace *trace, const dve_step *step);
/* Closes the document; the status of the first failed write, with *error filled. */
dve_status cli_trace_end(cli_trace *trace, dve_error *error);

#endif
