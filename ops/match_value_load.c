/* SPDX-License-Identifier: Apache-2.0 */
/* MatchValueLoad 0x6d: loads the 8 keys that the searches look for.
 *
 * Preconditions  8 elements of any data type but fp32r, no destination (SC).
 * Effect         element k becomes key 7 - k as fp32; every key is open again (SC, R2). */
#include "ops.h"

void dve_op_match_value_load(const dve_lane *lane)
{
    uint32_t buffer[DVE_BLOCK];
    const uint32_t *values;
    dve_reader reader;
    dve_reader_begin(&lane->src, &reader);
    (void)dve_reader_next(&reader, lane->num, buffer, &values);
    for (int k = 0; k < 8; k++)
        lane->state->key[7 - k] = values[k];
    lane->state->matched = 0;
}
