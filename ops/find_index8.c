/* SPDX-License-Identifier: Apache-2.0 */
/* FindIndex8 0x6e: for each of the 8 keys the position of the element it consumes.
 *
 * Preconditions  8..16384 elements, 8 results in uint16 or uint32 (SC).
 * Effect         result n is the position of the element that key n consumed, all ones if it consumed
 *                none (SC, NKI, measured on trn1 and trn3: HW_K, HW_D).
 * State          leaves the positions in the index flops (R5, assumption); consumed keys stay closed
 *                until the next MatchValueLoad.
 * Order          the lane is read whole before anything is written (R33). */
#include "positions.h"

void dve_op_find_index8(const dve_lane *lane)
{
    dve_match match;
    dve_match_begin(lane->state, &match);
    dve_match_walk(&match, &lane->src, lane->num);
    dve_match_end(&match, lane->state);
    dve_write_positions(lane);
}
