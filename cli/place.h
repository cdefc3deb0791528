/* SPDX-License-Identifier: Apache-2.0 */
/* Places of on-chip memory on the command line: SPACE[P:C]@OFF:D:N=F.npy. */
#ifndef DVE_CLI_PLACE_H
#define DVE_CLI_PLACE_H

#include "cli.h"

typedef struct cli_place {
    const char *option;          /* "put", as messages name it */
    const char *text;            /* as given */
    const char *path;            /* behind the '=' */
    dve_place place;
    uint32_t partitions;         /* 1 where C is left out */
    uint8_t dtype;               /* DVE_DTYPE_INVALID where D is left out */
    uint64_t elements;           /* per partition; 0 where N is left out */
} cli_place;

/* Parses the value of --put (no C, no N) or --get (N needed). Ranges are judged by cli_place_inside. */
dve_status cli_place_parse(const char *option, const char *text, cli_place *out);
/* Whether `bytes` a partition fit from the place on, in that many partitions; DVE_E_USAGE with a message. */
dve_status cli_place_inside(const char *option, const cli_place *place, uint64_t partitions, uint64_t bytes,
                            uint8_t gen);

#endif
