/* SPDX-License-Identifier: Apache-2.0 */
/* LoadMaskSelect 0x69: sets the shuffle mask. One seed calls it stream_shuffle (R8).
 *
 * Preconditions  32 bytes below 64, or 255 (GAP).
 * State          the mask, byte for byte; it serves every 32 lanes alike (NKI). */
#include "ops.h"

void dve_op_load_mask_select(dve_tile *tile)
{
    const uint32_t *words = &tile->insn->value[DVE_SLOT_CTRL_IM_immediate];
    for (unsigned i = 0; i < DVE_SHUFFLE_LANES; i++)
        tile->mask[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}
