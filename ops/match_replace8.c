/* SPDX-License-Identifier: Apache-2.0 */
/* MatchReplace8 0x6f: copies a lane, with the elements that the 8 keys consume replaced by one value.
 *
 * Preconditions  1..16384 elements, as many results; fp16 bf16 fp32 uint8 uint16 int32 uint32 (SC).
 * Effect         an element that a key consumes becomes the fp32 immediate, the others pass: bits as
 *                they are between equal data types, through fp32 otherwise and for 32-bit integers
 *                (R18, R32).
 * State          leaves the positions in the index flops, all ones for a key without a match (RS; R5,
 *                assumption); consumed keys stay closed until the next MatchValueLoad.
 * Order          element by element, each read before its own write (R25, R33). */
#include "ops.h"

/* Equal data types keep bits, but 32-bit integers go through fp32 all the same (R18 beats R32 here). */
static int keeps_bits(const dve_lane *lane)
{
    return lane->src.dtype == lane->dst.dtype && lane->src.dtype != DVE_DTYPE_INT32 &&
           lane->src.dtype != DVE_DTYPE_UINT32;
}

/* Where writes reach elements that are still to be read, only the literal walk is right. */
static void replace_stepwise(const dve_lane *lane, dve_match *match, uint32_t replacement)
{
    int keeps = keeps_bits(lane);
    for (uint32_t i = 0; i < lane->src.count; i++) {
        uint32_t bits = dve_num_load_bits(lane->src.size, dve_walk_at(&lane->src, i));
        uint32_t value = dve_num_to_f32(lane->num, lane->src.dtype, bits);
        uint32_t passed = keeps ? bits
                          : lane->src.dtype == lane->dst.dtype
                              ? dve_num_from_f32(lane->num, lane->dst.dtype, value)
                              : dve_num_convert(lane->num, lane->src.dtype, lane->dst.dtype, bits);
        int taken = dve_match_one(match, value, i) >= 0;
        dve_num_store_bits(lane->dst.size, taken ? replacement : passed, dve_walk_at(&lane->dst, i));
    }
}

void dve_op_match_replace8(const dve_lane *lane)
{
    dve_match match;
    uint32_t replacement =
        dve_num_from_f32(lane->num, lane->dst.dtype, lane->insn->value[DVE_SLOT_S4D4_MR_immediate]);
    dve_match_begin(lane->state, &match);
    if (lane->stepwise) {
        replace_stepwise(lane, &match, replacement);
    } else {
        dve_match_walk(&match, &lane->src, lane->num);
        if (!keeps_bits(lane))
            dve_walk_convert(&lane->src, &lane->dst, lane->num);
        else if (lane->src.bytes != lane->dst.bytes)
            dve_walk_move(&lane->src, &lane->dst, 0);
        for (int n = 0; n < 8; n++)
            if (match.position[n] != UINT32_MAX)
                dve_num_store_bits(lane->dst.size, replacement, dve_walk_at(&lane->dst, match.position[n]));
    }
    dve_match_end(&match, lane->state);
}
