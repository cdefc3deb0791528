/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a machine holds as bytes, and back; docs/state-file.md has the layout. */
#ifndef OPENDVE_STATE_H
#define OPENDVE_STATE_H

#include <opendve/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DVE_STATE_VERSION = 3 };

/* Takes the next bytes of a state; anything but DVE_OK ends the writing. */
typedef dve_status dve_state_sink(void *context, const void *bytes, size_t size);

/* Gives the machine's state to `sink`, in pieces. `used` are the assumptions that it rests on. The sink's status. */
dve_status dve_state_save(dve_machine *machine, dve_assumption_set used, dve_state_sink *sink, void *context);

/* Takes a state into a machine that has done nothing yet. DVE_E_INPUT: no state, damaged, or of an unknown version;
 * DVE_E_USAGE: of another generation or with other settings than the machine's. The machine is then unchanged.
 * *used receives the assumptions that the state rests on; `name` is what messages call it. */
dve_status dve_state_parse(const uint8_t *bytes, size_t size, const char *name, dve_machine *machine,
                           dve_assumption_set *used, dve_error *error);

#ifdef __cplusplus
}
#endif
#endif
