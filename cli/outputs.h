/* SPDX-License-Identifier: Apache-2.0 */
/* Files that commands write: no output replaces an input. Messages go to *error. */
#ifndef DVE_CLI_OUTPUTS_H
#define DVE_CLI_OUTPUTS_H

#include "cli.h"
#include "io/outfile.h"

/* Spares what an option reads, or where `option` is NULL the command itself, from outputs that are opened later. */
dve_status cli_spare(dve_outset *set, const cli_arguments *a, const char *option, const char *path, dve_error *error);
/* dve_outset_open; where an output cannot be that file, the message begins with the option. */
dve_status cli_open_output(dve_outset *set, const char *option, const char *path, unsigned *index, dve_error *error);

#endif
