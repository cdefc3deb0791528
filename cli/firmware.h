/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of firmware images share. */
#ifndef DVE_CLI_FIRMWARE_H
#define DVE_CLI_FIRMWARE_H

#include "cli.h"
#include "io/whole.h"
#include "table.h"

/* The image and what the options say of it. */
typedef struct firmware_view {
    const cli_arguments *arguments;
    const char *name;                /* of the file, for messages */
    uint8_t gen;
    int json;
    dve_whole image;
    uint64_t offset, count, base;
    cli_notes notes;
} firmware_view;

/* The four readers, a row of cmd_firmware.c each. The image is read, `offset` and `count` hold the reader's defaults or what was
 * given (`count` 0: not given). */
dve_status cli_firmware_kernels(firmware_view *view);
dve_status cli_firmware_dispatch(firmware_view *view);
dve_status cli_firmware_prof(firmware_view *view);
dve_status cli_firmware_tokens(firmware_view *view);

/* The bytes of the image behind --offset; none is DVE_E_INPUT with a message. */
dve_status cli_firmware_rest(const firmware_view *view, const char *what, size_t *out);
/* "Max8", or NULL. */
const char *cli_firmware_opcode(uint32_t opcode);
/* Ends a report with its notes. */
dve_status cli_firmware_end(firmware_view *view, cli_report *r);

#endif
