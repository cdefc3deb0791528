/* SPDX-License-Identifier: Apache-2.0 */
/* Static legality: header, events, the five formats S2_BN, S4D2_BN, S4D4_MR, D4_MR, D1_RD, and who judges what. */
#include "oracle_legal.h"

#define MAX_SEARCH 16384u

/* Header and events.  OPEN: debug_cmd and debug_hint (bytes 2, 3) are free, and so are event indices and
 * the semaphore value: no rule about them is known. */
static int common_legal(const uint8_t *r)
{
    if (r[1] != 16)
        return 0;
    if (!ONE_OF(r[4], 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0e, 0x0f, 0x81, 0x82, 0x83, 0x84, 0x85))
        return 0;
    if (!ONE_OF(r[6], 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x07, 0x09, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x19, 0x85,
                0x87, 0x89, 0x95, 0x97, 0x99))
        return 0;
    return 1;
}

/* S4D2_BN's even_count and odd_count: compared by value, so -0.0 is zero; a NaN is neither zero nor finite. */
static int zero_counts(const uint8_t *r)
{
    return (oracle_load(r + 40, 4) & ~ORACLE_SIGN) == 0 && (oracle_load(r + 44, 4) & ~ORACLE_SIGN) == 0;
}

static int finite_counts(const uint8_t *r)
{
    return (oracle_load(r + 40, 4) & ~ORACLE_SIGN) < ORACLE_INF && (oracle_load(r + 44, 4) & ~ORACLE_SIGN) < ORACLE_INF;
}

static int s4d2_bn_legal(int gen, const uint8_t *r)
{
    unsigned in = r[32], out = r[33], channels = r[34];
    oracle_operand src = oracle_operand_at(r, 12, 4, in, 0);
    oracle_operand dst = oracle_operand_at(r, 48, 2, out, 1);

    if (!zero_bytes(r, 35, 39) || !zero_bytes(r, 60, 63) || !valid_dtype(in, 0) || !valid_dtype(out, 1))
        return 0;
    if (!oracle_operand_legal(gen, &src, channels) || !oracle_operand_legal(gen, &dst, channels))
        return 0;
    switch (r[0]) {
    /* OPEN: 0x60 keeps its two count limits and leaves even/odd_count free; its and 0x62's dtypes are any valid. */
    case 0x60:
        return count_is(&src, 1, 256) && count_is(&dst, 3, 3);
    /* OPEN: 0x61 and 0x82 take any valid input dtype; one page of the compiler book limits it to three floats. */
    case 0x82:
        if (channels % 32 != 0 || !count_multiple_of(&src, 32))
            return 0;
        /* fall through */
    case 0x61:
        return count_is(&src, 1, 512) && count_is(&dst, 6, 6) && finite_counts(r) &&
               ONE_OF(out, ORACLE_FP32, ORACLE_BF16, ORACLE_FP16);
    /* OPEN: one page wants a multiple of 6 for 0x62; the header's 3 is used. */
    case 0x62:
        return count_multiple_of(&src, 3) && count_is(&dst, 2, 2) && zero_counts(r);
    case 0x6e:
        if (!ONE_OF(out, ORACLE_U16, ORACLE_U32))
            return 0;
        /* fall through */
    default: /* and 0x6c */
        return count_is(&src, 8, MAX_SEARCH) && count_is(&dst, 8, 8) && zero_counts(r);
    }
}

/* 0x64's batch mean: 0 and 1 both mean a pointer to one fp32 per lane, 2 a register that holds one. */
static int mean_pointer_legal(int gen, const uint8_t *r)
{
    oracle_scalar mean = oracle_scalar_at(r, 48, 44, ORACLE_FP32, ORACLE_START_QUADRANT);

    if (mean.source == 0)
        mean.source = 1;
    return oracle_scalar_legal(gen, &mean, r[34]);
}

static int s2_bn_legal(int gen, const uint8_t *r)
{
    unsigned dtype = r[32];
    oracle_operand src = oracle_operand_at(r, 16, 2, dtype, 0);

    if (!zero_bytes(r, 12, 15) || r[33] != 0 || !zero_bytes(r, 35, 43) || !zero_bytes(r, 49, 63))
        return 0;
    if (!valid_dtype(dtype, 0) || !oracle_operand_legal(gen, &src, r[34]))
        return 0;
    switch (r[0]) {
    case 0x64:
        if (!ONE_OF(dtype, ORACLE_FP32, ORACLE_FP16, ORACLE_BF16) || !mean_pointer_legal(gen, r))
            return 0;
        return count_is(&src, 3, 3); /* 3 is prime: the shape is 3x1 or 1x3 */
    case 0x6d:
        return count_is(&src, 8, 8) && zero_bytes(r, 28, 31) && zero_bytes(r, 44, 48);
    /* 0x70 and 0x71.  OPEN: byte 48 and the number of scalars are free. */
    default:
        return zero_bytes(r, 28, 31) && zero_bytes(r, 44, 47);
    }
}

static int s4d4_mr_legal(int gen, const uint8_t *r)
{
    static const uint8_t dtypes[] = {ORACLE_FP16, ORACLE_BF16, ORACLE_U8,  ORACLE_U16,
                                     ORACLE_U32,  ORACLE_FP32, ORACLE_I32};
    oracle_operand src = oracle_operand_at(r, 12, 4, r[32], 0);
    oracle_operand dst = oracle_operand_at(r, 44, 4, r[33], 1);

    if (!zero_bytes(r, 35, 39) || !one_of(r[32], dtypes, sizeof dtypes) || !one_of(r[33], dtypes, sizeof dtypes))
        return 0;
    if (!oracle_operand_legal(gen, &src, r[34]) || !oracle_operand_legal(gen, &dst, r[34]))
        return 0;
    /* OPEN: with the source's shape in a register the limit is not applied to the destination's own count. */
    return count_is(&src, 1, MAX_SEARCH) && same_count(&src, &dst);
}

/* The fill value may only use the bits that an element has. */
static int fill_fits(uint32_t value, unsigned size)
{
    return size == 4 || value >> (8 * size) == 0;
}

static int d4_mr_legal(int gen, const uint8_t *r)
{
    unsigned dtype = r[32];
    uint32_t field = oracle_load(r + 28, 4), set_value = oracle_load(r + 40, 4);
    oracle_operand dst = oracle_operand_at(r, 44, 4, dtype, 1);

    if (!zero_bytes(r, 12, 27) || r[33] != 0 || r[35] != 0 || !zero_bytes(r, 37, 39) || !valid_dtype(dtype, 1))
        return 0;
    if (!oracle_operand_legal(gen, &dst, r[34]))
        return 0;
    /* OPEN: for 0x4b the count, the serialization mode and the value are free (generic rules alone). */
    if (r[0] == 0x4b)
        return 1;
    if (r[36] != 0)
        return 0;
    if (r[0] == 0xe9)
        return field == 8 && count_is(&dst, 8, 8) && ONE_OF(dtype, ORACLE_U16, ORACLE_U32) && set_value == 0;
    /* 0x4d has the same count rule as 0x49, and takes integers only. */
    if (!count_is(&dst, field, field))
        return 0;
    if (r[0] == 0x49)
        return fill_fits(set_value, oracle_size(dtype));
    return set_value == 0 && ONE_OF(dtype, ORACLE_I8, ORACLE_U8, ORACLE_I16, ORACLE_U16, ORACLE_I32, ORACLE_U32);
}

static int d1_rd_legal(int gen, const uint8_t *r)
{
    unsigned dtype = r[32], negated = r[33];
    oracle_operand dst = oracle_operand_at(r, 44, 1, dtype, 1);

    if (!zero_bytes(r, 12, 27) || !zero_bytes(r, 35, 43) || !zero_bytes(r, 52, 63) || oracle_load(r + 28, 4) != 1)
        return 0;
    if (!oracle_operand_legal(gen, &dst, r[34]) || !count_is(&dst, 1, 1))
        return 0;
    if (r[0] == 0x24)
        return negated == 0 && ONE_OF(dtype, ORACLE_BF16, ORACLE_FP16, ORACLE_FP32, ORACLE_FP32R);
    return negated <= 1 && ONE_OF(dtype, ORACLE_E3M4, ORACLE_E4M3, ORACLE_E5M2, ORACLE_BF16, ORACLE_FP16, ORACLE_FP32,
                                  ORACLE_FP32R);
}

static int format_legal(int gen, const uint8_t *r)
{
    switch (r[0]) {
    case 0x60: case 0x61: case 0x62: case 0x82: case 0x6c: case 0x6e:
        return channels_legal(r[34]) && s4d2_bn_legal(gen, r);
    case 0x64: case 0x6d: case 0x70: case 0x71:
        return channels_legal(r[34]) && s2_bn_legal(gen, r);
    case 0x6f:
        return channels_legal(r[34]) && s4d4_mr_legal(gen, r);
    case 0xe9:
        return gen >= 3 && channels_legal(r[34]) && d4_mr_legal(gen, r);
    case 0x49: case 0x4d: case 0x4b:
        return channels_legal(r[34]) && d4_mr_legal(gen, r);
    case 0x9b: case 0x24:
        return channels_legal(r[34]) && d1_rd_legal(gen, r);
    case 0x9a: case 0xe6: return oracle_s3d3_ts_legal(gen, r);
    case 0xe5: case 0xea: return oracle_s2s2d2_stt_legal(gen, r);
    case 0xbc: return oracle_s2d2_rs_legal(gen, r);
    case 0x69: return oracle_ctrl_im_legal(r);
    case 0x46: case 0x47: case 0x6a: case 0x6b: return oracle_s4d4_tr_legal(gen, r);
    case 0x72: case 0x99: return oracle_s3s3d3_tt_legal(gen, r);
    case 0xe8: return oracle_pred_scalar_legal(gen, r);
    case 0x98: return oracle_ts_select_legal(gen, r);
    case 0xf2: return oracle_nonzero_legal(gen, r);
    case 0x67: return oracle_s4_pb_legal(gen, r);
    case 0x68: return oracle_s4d4_gt_legal(gen, r);
    case 0xe7: return oracle_s4d4_ic_legal(gen, r);
    default: return -1;
    }
}

int oracle_is_legal(int gen, const uint8_t record[64])
{
    int legal = gen < 2 || gen > 5 ? -1 : format_legal(gen, record);

    return legal > 0 ? common_legal(record) : legal;
}
