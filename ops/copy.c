/* SPDX-License-Identifier: Apache-2.0 */
/* Copy 0x46: moves elements from one pattern to another.
 *
 * Preconditions  as many elements as results, one data type (CPY).
 * Effect         bits as they are, NaN payloads and integers included (CPY, NKI; R32).
 * Order          element by element, each read before its own write (R25). */
#include "ops.h"

void dve_op_copy(const dve_lane *lane)
{
    if (!lane->stepwise) {
        dve_walk_move(&lane->src, &lane->dst, 0);
        return;
    }
    dve_cursor from = dve_cursor_of(&lane->src), to = dve_cursor_of(&lane->dst);
    dve_blocks blocks = dve_blocks_of(lane);
    uint32_t bits[DVE_BLOCK], n;
    while ((n = dve_blocks_next(&blocks)) != 0) {
        dve_read_bits(&from, n, bits);
        dve_write_bits(&to, bits, n);
    }
}
