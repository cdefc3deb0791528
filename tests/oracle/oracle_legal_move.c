/* SPDX-License-Identifier: Apache-2.0 */
/* Static legality of data movement: CTRL_IM (0x69), S4D4_TR (0x46, 0x47, 0x6a, 0x6b), S3S3D3_TT (0x72, 0x99),
 * S3D3_CP_PRED_SCALAR (0xe8), S3D3_TS_SELECT (0x98). */
#include "oracle_legal.h"

int oracle_ctrl_im_legal(const uint8_t *r)
{
    if (!zero_bytes(r, 12, 31))
        return 0;
    for (unsigned i = 32; i < 64; i++)
        if (r[i] >= 64 && r[i] != 255)
            return 0;
    return 1;
}

static int whole_quadrants(unsigned channels)
{
    return ONE_OF(channels, 32, 64, 96, 128);
}

/* OPEN: StreamShuffle and StreamTranspose may be indirect from gen4 on, like every user of the format. */
int oracle_s4d4_tr_legal(int gen, const uint8_t *r)
{
    oracle_operand src = oracle_operand_at(r, 12, 4, r[32], 0), dst = oracle_operand_at(r, 44, 4, r[33], 1);

    src.indirect = dst.indirect = ORACLE_INDIRECT_GEN4;
    if (!channels_legal(r[34]) || !zero_bytes(r, 35, 36) || !ONE_OF(r[37], 0, 2) || !zero_bytes(r, 39, 43))
        return 0;
    if (!valid_dtype(r[32], 0) || !valid_dtype(r[33], 1) || (r[0] != 0x47 && r[32] != r[33]))
        return 0;
    if (r[38] > (r[0] == 0x6b ? 1 : 0) || (r[0] >= 0x6a && !whole_quadrants(r[34])))
        return 0;
    if (!oracle_operand_legal(gen, &src, r[34]) || !oracle_operand_legal(gen, &dst, r[34]))
        return 0;
    if (r[0] != 0x6b)
        return same_count(&src, &dst);
    /* OPEN: with one of the two shapes in a register, the other one's own count is still judged. */
    return count_multiple_of(&src, 32) &&
           (oracle_count_unknown(&src) || oracle_count_unknown(&dst) || oracle_count(&dst) <= oracle_count(&src));
}

/* OPEN: CastPredicated does not write FP32R either. */
int oracle_s3s3d3_tt_legal(int gen, const uint8_t *r)
{
    unsigned pred_dtype = r[12] & 15u, data_dtype = r[12] >> 4, channels = r[15];
    oracle_operand pred = oracle_operand_at(r, 16, 3, pred_dtype, 0), data = oracle_operand_at(r, 32, 3, data_dtype, 0);
    oracle_operand dst = oracle_operand_at(r, 48, 3, r[13], 1);

    pred.indirect = data.indirect = dst.indirect = ORACLE_INDIRECT_GEN4;
    if (r[14] != 0 || !channels_legal(channels) || !int_dtype(pred_dtype) || !valid_dtype(data_dtype, 0) ||
        !valid_dtype(r[13], 0) || (r[0] == 0x72 && data_dtype != r[13]))
        return 0;
    if (!oracle_operand_legal(gen, &pred, channels) || !oracle_operand_legal(gen, &data, channels) ||
        !oracle_operand_legal(gen, &dst, channels))
        return 0;
    return same_count(&pred, &data) && same_count(&pred, &dst) && same_count(&data, &dst) &&
           oracle_pair_legal(&pred, &data);
}

int oracle_pred_scalar_legal(int gen, const uint8_t *r)
{
    oracle_operand pred = oracle_operand_at(r, 16, 3, r[32], 0), dst = oracle_operand_at(r, 48, 3, r[42], 1);
    oracle_scalar scalar = oracle_scalar_at(r, 43, 44, r[41], ORACLE_START_QUADRANT);

    pred.indirect = dst.indirect = ORACLE_INDIRECT_GEN4;
    if (!zero_bytes(r, 12, 15) || !zero_bytes(r, 35, 40) || r[33] > 1 || !channels_legal(r[34]))
        return 0;
    if (!int_dtype(r[32]) || !valid_dtype(r[41], 0) || r[41] != r[42] || !oracle_scalar_legal(gen, &scalar, r[34]))
        return 0;
    return oracle_operand_legal(gen, &pred, r[34]) && oracle_operand_legal(gen, &dst, r[34]) && same_count(&pred, &dst);
}

/* OPEN: its one dtype is read as well as written, so it is not FP32R. */
int oracle_ts_select_legal(int gen, const uint8_t *r)
{
    oracle_operand src = oracle_operand_at(r, 16, 3, r[34], 0), dst = oracle_operand_at(r, 48, 3, r[34], 1);
    oracle_scalar scalar = oracle_scalar_at(r, 38, 40, r[34], ORACLE_START_QUADRANT);
    oracle_scalar pred = oracle_scalar_at(r, 39, 44, r[35], ORACLE_START_QUADRANT);

    if (!zero_bytes(r, 12, 15) || !zero_bytes(r, 36, 37) || r[32] > 1 || !channels_legal(r[33]))
        return 0;
    if (!valid_dtype(r[34], 0) || !int_dtype(r[35]) || oracle_size(r[34]) != oracle_size(r[35]))
        return 0;
    if (!oracle_scalar_legal(gen, &scalar, r[33]) || !oracle_scalar_legal(gen, &pred, r[33]))
        return 0;
    if (r[39] == 0 && oracle_load(r + 44, 4) > 1)
        return 0;
    return oracle_operand_legal(gen, &src, r[33]) && oracle_operand_legal(gen, &dst, r[33]) && same_count(&src, &dst);
}
