/* SPDX-License-Identifier: Apache-2.0 */
/* Static legality of the accumulator family: S3D3_TS (0x9a, 0xe6), S2S2D2_STT (0xe5, 0xea), S2D2_RS (0xbc). */
#include "oracle_legal.h"

/* Seventeen operators, and four more from gen4 on. */
static int general_arith(int gen, unsigned op)
{
    if (ONE_OF(op, 0x20, 0x21, 0x22, 0x23))
        return gen >= 4;
    return ONE_OF(op, 0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0d, 0x0e, 0x0f, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
                  0x19);
}

static int narrow_int_dtype(unsigned dtype)
{
    return int_dtype(dtype) && oracle_size(dtype) < 4;
}

/* Only LoadAccumulate (4) has a seed. */
static int seed_legal(int gen, const uint8_t *r)
{
    oracle_scalar seed = oracle_scalar_at(r, 39, 44, ORACLE_FP32, ORACLE_START_QUADRANT);

    if (r[12] != 4)
        return r[39] == 0 && zero_bytes(r, 44, 47);
    return oracle_scalar_legal(gen, &seed, r[34]);
}

/* OPEN: the size limit of an indirect destination is unknown, so there is none. */
int oracle_s3d3_ts_legal(int gen, const uint8_t *r)
{
    oracle_operand src = oracle_operand_at(r, 16, 3, r[32], 0), dst = oracle_operand_at(r, 48, 3, r[33], 1);
    oracle_scalar imm0 = oracle_scalar_at(r, 35, 40, ORACLE_FP32, ORACLE_START_QUADRANT);

    src.indirect = dst.indirect = ORACLE_INDIRECT_GEN4;
    if (!ONE_OF(r[12], 2, 3, 4) || !zero_bytes(r, 13, 15) || !channels_legal(r[34]) || r[38] != 0)
        return 0;
    if ((!float_dtype(r[32], 0) && !narrow_int_dtype(r[32])) || !valid_dtype(r[33], 1))
        return 0;
    if (!general_arith(gen, r[36]) || !ONE_OF(r[37], 0x04, 0x05, 0x06, 0x08, 0x09))
        return 0;
    if (!oracle_scalar_legal(gen, &imm0, r[34]) || !seed_legal(gen, r))
        return 0;
    return oracle_operand_legal(gen, &src, r[34]) && oracle_operand_legal(gen, &dst, r[34]) && same_count(&src, &dst);
}

static int scan_legal(int gen, const uint8_t *r)
{
    return general_arith(gen, r[36]) && general_arith(gen, r[37]) && r[38] <= 3 && valid_dtype(r[40] & 15u, 0) &&
           valid_dtype(r[40] >> 4, 0) && r[44] == 0;
}

static int select_legal(const uint8_t *r)
{
    unsigned data = r[40] >> 4;

    return r[36] == 0x00 && r[37] == 0x08 && r[38] <= 1 && int_dtype(r[40] & 15u) && valid_dtype(data, 0) &&
           data != ORACLE_I32 && data != ORACLE_U32 && ONE_OF(r[44], 0, 2, 3);
}

/* OPEN: imm0_dtype is fp32 for a pointer as well as for an inline scalar. */
int oracle_s2s2d2_stt_legal(int gen, const uint8_t *r)
{
    oracle_operand src0 = oracle_operand_at(r, 12, 2, r[40] & 15u, 0);
    oracle_operand src1 = oracle_operand_at(r, 24, 2, r[40] >> 4, 0);
    oracle_operand dst = oracle_operand_at(r, 48, 2, r[41], 1);
    oracle_scalar imm0 = oracle_scalar_at(r, 39, 60, ORACLE_FP32, ORACLE_START_QUADRANT);

    if (!channels_legal(r[42]) || r[43] != ORACLE_FP32 || !zero_bytes(r, 45, 47) || !valid_dtype(r[41], 1))
        return 0;
    if (r[0] == 0xe5 ? !scan_legal(gen, r) : !select_legal(r))
        return 0;
    if (!oracle_operand_legal(gen, &src0, r[42]) || !oracle_operand_legal(gen, &src1, r[42]) ||
        !oracle_operand_legal(gen, &dst, r[42]) || !oracle_scalar_legal(gen, &imm0, r[42]))
        return 0;
    return same_count(&src0, &src1) && same_count(&src0, &dst) && same_count(&src1, &dst) &&
           oracle_pair_legal(&src0, &src1);
}

/* Positions are whole fp32 numbers up to 2^24.  OPEN: -0.0 passes as base, as the limit is on the value. */
static int base_legal(uint32_t bits, const oracle_operand *src)
{
    const double limit = 16777216.0;
    double base = oracle_is_nan(bits) ? -1.0 : oracle_value(bits);

    if (!(base >= 0.0 && base <= limit) || (double)(uint32_t)base != base)
        return 0;
    return oracle_count_unknown(src) || base + (double)oracle_count(src) <= limit;
}

int oracle_s2d2_rs_legal(int gen, const uint8_t *r)
{
    oracle_operand src = oracle_operand_at(r, 24, 2, r[13] & 15u, 0), dst = oracle_operand_at(r, 48, 2, r[13] >> 4, 1);
    oracle_scalar low = oracle_scalar_at(r, 38, 40, ORACLE_FP32, ORACLE_START_QUADRANT);
    oracle_scalar high = oracle_scalar_at(r, 39, 44, ORACLE_FP32, ORACLE_START_QUADRANT);

    if (gen < 3 || !channels_legal(r[12]) || !float_dtype(r[13] & 15u, 0) || !float_dtype(r[13] >> 4, 1))
        return 0;
    if (!ONE_OF(r[14], 0, 2, 3) || r[15] != 0x08 || oracle_load(r + 20, 4) != 0xff7fffffu || !zero_bytes(r, 60, 63))
        return 0;
    if (!ONE_OF(r[36], 0x12, 0x13, 0x14, 0x15, 0x16) || !ONE_OF(r[37], 0x12, 0x13, 0x14, 0x15, 0x16))
        return 0;
    if (!oracle_scalar_legal(gen, &low, r[12]) || !oracle_scalar_legal(gen, &high, r[12]))
        return 0;
    return oracle_operand_legal(gen, &src, r[12]) && oracle_operand_legal(gen, &dst, r[12]) && same_count(&src, &dst) &&
           base_legal(oracle_load(r + 16, 4), &src);
}
