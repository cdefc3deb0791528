/* SPDX-License-Identifier: Apache-2.0 */
/* NonzeroWithCount 0xf2 (pool engine, gen3 and later): where the elements of a lane are that are not zero.
 *
 * Preconditions  fp32 or int32 in, int32 out; one result more than elements; SBUF (NWC).
 * Effect         positions of elements that are not 0, each plus the offset, which wraps; then the padding
 *                value; the last result is how many there are (NKI; R35, assumption). NaN counts, zeros of
 *                either sign do not (R19, assumption).
 * Lanes          those at partitions that are multiples of 16 (NKI, R35).
 * Order          every lane is read whole, and its immediates are, before anything is written (R33). */
#include "ops.h"

typedef struct list {
    dve_cursor to;
    uint32_t held;
    uint32_t block[DVE_BLOCK];
} list;

static void flush(list *out)
{
    dve_write_bits(&out->to, out->block, out->held);
    out->held = 0;
}

static void append(list *out, uint32_t value)
{
    out->block[out->held++] = value;
    if (out->held == DVE_BLOCK)
        flush(out);
}

void dve_op_nonzero_with_count(const dve_lane *lane)
{
    dve_cursor from = dve_cursor_of(&lane->src);
    list out = {.to = dve_cursor_of(&lane->dst)};
    uint32_t signless = lane->src.dtype == DVE_DTYPE_FP32 ? 0x7fffffffu : UINT32_MAX;
    uint32_t bits[DVE_BLOCK], count = 0, n;
    for (uint32_t done = 0; done < lane->src.count; done += n) {
        n = lane->src.count - done < DVE_BLOCK ? lane->src.count - done : DVE_BLOCK;
        dve_read_bits(&from, n, bits);
        for (uint32_t i = 0; i < n; i++)
            if (bits[i] & signless) {
                append(&out, done + i + lane->imm[0]);
                count++;
            }
    }
    for (uint32_t i = count; i < lane->src.count; i++)
        append(&out, lane->imm[1]);
    append(&out, count);
    flush(&out);
}
