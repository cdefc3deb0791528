/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that several formats share. */
#ifndef ORACLE_LEGAL_H
#define ORACLE_LEGAL_H

#include "oracle_internal.h"

static inline int zero_bytes(const uint8_t *r, unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++)
        if (r[i] != 0)
            return 0;
    return 1;
}

static inline int valid_dtype(unsigned dtype, int fp32r_allowed)
{
    return oracle_size(dtype) != 0 && (fp32r_allowed || dtype != ORACLE_FP32R);
}

static inline int one_of(unsigned value, const uint8_t *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == value)
            return 1;
    return 0;
}
#define ONE_OF(value, ...) \
    one_of((value), (const uint8_t[]){__VA_ARGS__}, (unsigned)sizeof((const uint8_t[]){__VA_ARGS__}))

static inline int float_dtype(unsigned dtype, int fp32r_allowed)
{
    return ONE_OF(dtype, ORACLE_E3M4, ORACLE_E4M3, ORACLE_E5M2, ORACLE_FP16, ORACLE_BF16, ORACLE_FP32) ||
           (fp32r_allowed && dtype == ORACLE_FP32R);
}

static inline int int_dtype(unsigned dtype)
{
    return ONE_OF(dtype, ORACLE_I8, ORACLE_I16, ORACLE_I32, ORACLE_U8, ORACLE_U16, ORACLE_U32);
}

static inline int channels_legal(unsigned channels)
{
    return channels >= 1 && channels <= 128;
}

/* A rule about an operand's element count does not hold where the count is unknown. */
static inline int count_is(const oracle_operand *op, uint64_t low, uint64_t high)
{
    return oracle_count_unknown(op) || (oracle_count(op) >= low && oracle_count(op) <= high);
}

static inline int count_multiple_of(const oracle_operand *op, uint64_t factor)
{
    return oracle_count_unknown(op) || oracle_count(op) % factor == 0;
}

static inline int same_count(const oracle_operand *a, const oracle_operand *b)
{
    return oracle_count_unknown(a) || oracle_count_unknown(b) || oracle_count(a) == oracle_count(b);
}

/* oracle_legal_accumulate.c, oracle_legal_move.c, oracle_legal_pool.c; header and events have been judged. */
int oracle_s3d3_ts_legal(int gen, const uint8_t *r);
int oracle_s2s2d2_stt_legal(int gen, const uint8_t *r);
int oracle_s2d2_rs_legal(int gen, const uint8_t *r);
int oracle_ctrl_im_legal(const uint8_t *r);
int oracle_s4d4_tr_legal(int gen, const uint8_t *r);
int oracle_s3s3d3_tt_legal(int gen, const uint8_t *r);
int oracle_pred_scalar_legal(int gen, const uint8_t *r);
int oracle_ts_select_legal(int gen, const uint8_t *r);
int oracle_nonzero_legal(int gen, const uint8_t *r);
int oracle_s4_pb_legal(int gen, const uint8_t *r);
int oracle_s4d4_gt_legal(int gen, const uint8_t *r);
int oracle_s4d4_ic_legal(int gen, const uint8_t *r);

#endif
