/* SPDX-License-Identifier: Apache-2.0 */
/* Static legality of four pool-engine formats: S3D3_NONZERO_WITH_COUNT (0xf2), S4_PB (0x67), S4D4_GT (0x68),
 * S4D4_IC (0xe7).  OPEN: bytes that their layouts do not name are zero. */
#include "oracle_legal.h"

/* OPEN: PoolBufferLoad and Gather have no start rule of their own: multiples of 16, all channels inside. */
static oracle_operand operand(const uint8_t *r, unsigned at, unsigned dims, unsigned dtype, int write, int sbuf_only)
{
    oracle_operand op = oracle_operand_at(r, at, dims, dtype, write);

    op.starts = ORACLE_START_SIXTEEN;
    op.sbuf_only = sbuf_only;
    return op;
}

/* OPEN: pointer immediates obey the record's start rule and may lie in PSUM. */
int oracle_nonzero_legal(int gen, const uint8_t *r)
{
    oracle_operand src = operand(r, 16, 3, r[13], 0, 1), dst = operand(r, 44, 3, r[14], 1, 1);
    oracle_scalar offset = oracle_scalar_at(r, 15, 32, ORACLE_I32, ORACLE_START_SIXTEEN);
    oracle_scalar padding = oracle_scalar_at(r, 36, 40, ORACLE_I32, ORACLE_START_SIXTEEN);

    if (gen < 3 || !channels_legal(r[12]) || !zero_bytes(r, 37, 39) || !zero_bytes(r, 60, 63))
        return 0;
    if (!ONE_OF(r[13], ORACLE_FP32, ORACLE_I32) || r[14] != ORACLE_I32)
        return 0;
    if (!oracle_scalar_legal(gen, &offset, r[12]) || !oracle_scalar_legal(gen, &padding, r[12]))
        return 0;
    if (!oracle_operand_legal(gen, &src, r[12]) || !oracle_operand_legal(gen, &dst, r[12]))
        return 0;
    return oracle_count_unknown(&src) || oracle_count_unknown(&dst) || oracle_count(&src) + 1 == oracle_count(&dst);
}

/* OPEN: start_index and mask are free; the dtype is any that may be read. */
int oracle_s4_pb_legal(int gen, const uint8_t *r)
{
    oracle_operand src = operand(r, 12, 4, r[32], 0, 1);

    if (r[33] != 0 || !zero_bytes(r, 35, 39) || !zero_bytes(r, 48, 63) || !channels_legal(r[34]))
        return 0;
    return valid_dtype(r[32], 0) && oracle_operand_legal(gen, &src, r[34]) && count_is(&src, 1, 512);
}

/* OPEN: PSUM is allowed up to gen4; miss behaviour and free flag are 0 or 1; one output per index; the immediate is an
 * inline scalar of the output dtype, which may be FP32R. */
int oracle_s4d4_gt_legal(int gen, const uint8_t *r)
{
    oracle_operand src = operand(r, 12, 4, r[32], 0, gen == 5), dst = operand(r, 44, 4, r[33], 1, gen == 5);
    unsigned size = oracle_size(r[33]);

    if (r[35] != 0 || r[36] > 1 || r[37] > 1 || !zero_bytes(r, 38, 39) || !channels_legal(r[34]))
        return 0;
    if (!ONE_OF(r[32], ORACLE_U8, ORACLE_U16, ORACLE_U32) || !valid_dtype(r[33], 1))
        return 0;
    if (size != 4 && oracle_load(r + 40, 4) >> (8 * size) != 0)
        return 0;
    return oracle_operand_legal(gen, &src, r[34]) && oracle_operand_legal(gen, &dst, r[34]) && same_count(&src, &dst);
}

/* OPEN: the index address is aligned to 4 bytes though indices have two; num_elem / per_idx is a plain quotient. */
int oracle_s4d4_ic_legal(int gen, const uint8_t *r)
{
    oracle_operand src = operand(r, 12, 4, r[32], 0, 1), dst = operand(r, 44, 4, r[33], 1, 1);

    src.starts = dst.starts = ORACLE_START_THIRTYTWO;
    src.indirect = ORACLE_INDIRECT_MUST;
    if (r[37] != 0 || !zero_bytes(r, 42, 43) || !channels_legal(r[34]) || r[34] % 16 != 0)
        return 0;
    if (!valid_dtype(r[32], 0) || r[32] != r[33])
        return 0;
    if (!ONE_OF(r[35], 1, 2, 4, 8, 16, 32) || r[36] != 0 || oracle_load(r + 38, 2) <= 1 || !zero_bytes(r, 40, 41))
        return 0;
    return oracle_operand_legal(gen, &src, r[34]) && oracle_operand_legal(gen, &dst, r[34]) &&
           src.indices / r[35] <= 4096;
}
