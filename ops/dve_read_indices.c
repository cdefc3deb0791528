/* SPDX-License-Identifier: Apache-2.0 */
/* DveReadIndices 0xe9 (gen3 and later): writes out the 8 positions that the last search left.
 *
 * Preconditions  8 results in uint16 or uint32, no source (RS).
 * Effect         result n is index flop n, flop 0 first (RS; order: R4, assumption). */
#include "positions.h"

void dve_op_dve_read_indices(const dve_lane *lane)
{
    dve_write_positions(lane);
}
