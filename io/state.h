/* SPDX-License-Identifier: Apache-2.0 */
/* State files: everything that a machine holds, byte by byte as docs/state-file.md lays it out. */
#ifndef DVE_IO_STATE_H
#define DVE_IO_STATE_H

#include <opendve/state.h>

#include "outfile.h"

/* Appends the machine's state to an open output. `used` are the assumptions that it rests on. */
dve_status dve_state_write(dve_machine *machine, dve_assumption_set used, dve_outset *set, unsigned index,
                           dve_error *err);

/* dve_state_parse of a file or pipe ("-" is stdin). */
dve_status dve_state_read(const char *path, dve_machine *machine, dve_assumption_set *used, dve_error *err);

/* CRC-32 of ISO 3309, as zip and png use it; begins with crc 0 and may be continued. */
uint32_t dve_state_crc(uint32_t crc, const uint8_t *bytes, size_t size);

#endif
