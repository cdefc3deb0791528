/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The accumulator family: 0x9a, 0xe6, 0xe5, 0xea, 0xbc and the drain 0x9b.
 *
 * Every element is read, computed and written before the next one is read.  Everything is fp32 until the write.
 * OPEN: an immediate is read once per lane, before the walk.  OPEN: with hidden state by physical partition, a lane is
 * named by the (first) source of a record, and by the destination of a drain.
 */
#include "oracle_state.h"

#define BYPASS 0x00u
#define MAX 0x08u

enum { ACCUMULATE = 2, ZERO_ACCUMULATE = 3, LOAD_ACCUMULATE = 4 };

/* What leaves the other operand of an addition, a product, a maximum or a minimum as it is. */
static uint32_t identity(unsigned op)
{
    switch (op) {
    case 0x06: return 0x3f800000u;
    case 0x08: return ORACLE_SIGN | ORACLE_INF;
    case 0x09: return ORACLE_INF;
    default: return 0;
    }
}

/* 0x9a writes in op0 imm0 and keeps the fold; 0xe6 writes the fold after each element. */
static void cache_lane(oracle_machine *m, const uint8_t *r, const bound_operand *src, const bound_operand *dst,
                       const bound_scalar imm[2], unsigned c)
{
    uint32_t scalar = oracle_scalar_bits(m, &imm[0], c), *accumulator = &oracle_hidden(m, src, c)->accumulator;
    uint64_t count = oracle_count(&src->op);

    if (r[12] == ZERO_ACCUMULATE)
        *accumulator = identity(r[37]);
    else if (r[12] == LOAD_ACCUMULATE)
        *accumulator = oracle_scalar_bits(m, &imm[1], c);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = oracle_read(m, src, c, i);
        uint32_t t = oracle_alu_fp32(r[36], oracle_to_fp32(r[32], bits, &m->settings), scalar);
        uint32_t result;

        *accumulator = oracle_alu_fp32(r[37], t, *accumulator);
        if (r[0] == 0xe6)
            result = oracle_from_fp32(r[33], *accumulator, &m->settings);
        else if (r[36] == BYPASS)
            result = oracle_convert(r[32], r[33], bits, &m->settings);
        else
            result = oracle_from_fp32(r[33], t, &m->settings);
        oracle_write(m, dst, c, i, result);
    }
}

oracle_result oracle_run_cache(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = oracle_operand_at(r, 16, 3, r[32], 0), out = oracle_operand_at(r, 48, 3, r[33], 1);
    oracle_scalar imm0 = oracle_scalar_at(r, 35, 40, ORACLE_FP32, ORACLE_START_QUADRANT);
    oracle_scalar imm1 = oracle_scalar_at(r, 39, 44, ORACLE_FP32, ORACLE_START_QUADRANT);
    bound_operand src, dst;
    bound_scalar imm[2];

    if (!oracle_bind(m, &in, r[34], &src) || !oracle_bind(m, &out, r[34], &dst) ||
        !oracle_bind_scalar(m, &imm0, r[34], &imm[0]) || !oracle_bind_scalar(m, &imm1, r[34], &imm[1]))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[34]; c++)
        cache_lane(m, r, &src, &dst, imm, c);
    return ORACLE_DONE;
}

/* The operands that 0xe5 and 0xea share. */
typedef struct stt_record {
    bound_operand src[2], dst;
    bound_scalar imm;
} stt_record;

static int bind_stt(const oracle_machine *m, const uint8_t *r, stt_record *s)
{
    oracle_operand first = oracle_operand_at(r, 12, 2, r[40] & 15u, 0);
    oracle_operand second = oracle_operand_at(r, 24, 2, r[40] >> 4, 0);
    oracle_operand out = oracle_operand_at(r, 48, 2, r[41], 1);
    oracle_scalar imm = oracle_scalar_at(r, 39, 60, ORACLE_FP32, ORACLE_START_QUADRANT);

    return oracle_bind(m, &first, r[42], &s->src[0]) && oracle_bind(m, &second, r[42], &s->src[1]) &&
           oracle_bind(m, &out, r[42], &s->dst) && oracle_bind_scalar(m, &imm, r[42], &s->imm);
}

static uint32_t apply(unsigned op, int swapped, uint32_t a, uint32_t b)
{
    return swapped ? oracle_alu_fp32(op, b, a) : oracle_alu_fp32(op, a, b);
}

/* OPEN: the state is fp32 even where both operators are Bypass: a narrow NaN or a wide integer goes through it. */
oracle_result oracle_run_scan(oracle_machine *m, const uint8_t *r)
{
    stt_record s;

    if (!bind_stt(m, r, &s))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[42]; c++) {
        uint32_t state = oracle_scalar_bits(m, &s.imm, c);

        for (uint64_t i = 0; i < oracle_count(&s.dst.op); i++) {
            uint32_t x = oracle_read_fp32(m, &s.src[0], c, i), y = oracle_read_fp32(m, &s.src[1], c, i);

            state = apply(r[36], r[38] & 1, x, state);
            state = apply(r[37], r[38] & 2, state, y);
            oracle_write(m, &s.dst, c, i, oracle_from_fp32(r[41], state, &m->settings));
        }
    }
    return ORACLE_DONE;
}

/* A lane's running maximum for 0xea and 0xbc.  OPEN: between zeros the accumulator stays: it is the first operand. */
static void start_maximum(uint32_t *accumulator, unsigned cmd)
{
    if (cmd == ZERO_ACCUMULATE)
        *accumulator = identity(MAX);
}

static void fold_maximum(uint32_t *accumulator, unsigned cmd, uint32_t value)
{
    if (cmd == ACCUMULATE || cmd == ZERO_ACCUMULATE)
        *accumulator = oracle_alu_fp32(MAX, *accumulator, value);
}

/* A value that was selected: a dtype that stays keeps its bits.  Gives the fp32 value, writes the result. */
static uint32_t put_selected(oracle_machine *m, const bound_operand *dst, unsigned c, uint64_t i, unsigned dtype,
                             uint32_t bits)
{
    oracle_write(m, dst, c, i, oracle_convert(dtype, dst->op.dtype, bits, &m->settings));
    return oracle_to_fp32(dtype, bits, &m->settings);
}

oracle_result oracle_run_select(oracle_machine *m, const uint8_t *r)
{
    stt_record s;

    if (!bind_stt(m, r, &s))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[42]; c++) {
        uint32_t *accumulator = &oracle_hidden(m, &s.src[0], c)->accumulator;
        uint32_t otherwise = oracle_scalar_bits(m, &s.imm, c);

        start_maximum(accumulator, r[44]);
        for (uint64_t i = 0; i < oracle_count(&s.dst.op); i++) {
            int chosen = oracle_read(m, &s.src[0], c, i) != 0;
            uint32_t data = oracle_read(m, &s.src[1], c, i), value;

            if (r[38] == 1)
                chosen = !chosen;
            value = chosen ? put_selected(m, &s.dst, c, i, s.src[1].op.dtype, data)
                           : put_selected(m, &s.dst, c, i, ORACLE_FP32, otherwise);
            fold_maximum(accumulator, r[44], value);
        }
    }
    return ORACLE_DONE;
}

static int holds(unsigned compare, uint32_t a, uint32_t b)
{
    return oracle_alu_fp32(compare, a, b) != 0;
}

/* The position is compared, not the value. */
oracle_result oracle_run_range(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = oracle_operand_at(r, 24, 2, r[13] & 15u, 0), out = oracle_operand_at(r, 48, 2, r[13] >> 4, 1);
    oracle_scalar low = oracle_scalar_at(r, 38, 40, ORACLE_FP32, ORACLE_START_QUADRANT);
    oracle_scalar high = oracle_scalar_at(r, 39, 44, ORACLE_FP32, ORACLE_START_QUADRANT);
    double base = oracle_value(oracle_load(r + 16, 4));
    bound_operand src, dst;
    bound_scalar bound[2];

    if (!oracle_bind(m, &in, r[12], &src) || !oracle_bind(m, &out, r[12], &dst) ||
        !oracle_bind_scalar(m, &low, r[12], &bound[0]) || !oracle_bind_scalar(m, &high, r[12], &bound[1]))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[12]; c++) {
        uint32_t *accumulator = &oracle_hidden(m, &src, c)->accumulator;
        uint32_t b0 = oracle_scalar_bits(m, &bound[0], c), b1 = oracle_scalar_bits(m, &bound[1], c);

        start_maximum(accumulator, r[14]);
        for (uint64_t i = 0; i < oracle_count(&src.op); i++) {
            uint32_t k = oracle_encode(base + (double)i), bits = oracle_read(m, &src, c, i), value;

            value = holds(r[36], k, b0) && holds(r[37], k, b1)
                        ? put_selected(m, &dst, c, i, src.op.dtype, bits)
                        : put_selected(m, &dst, c, i, ORACLE_FP32, oracle_load(r + 20, 4));
            fold_maximum(accumulator, r[14], value);
        }
    }
    return ORACLE_DONE;
}

oracle_result oracle_run_drain(oracle_machine *m, const uint8_t *r)
{
    oracle_operand out = oracle_operand_at(r, 44, 1, r[32], 1);
    bound_operand dst;

    if (!oracle_bind(m, &out, r[34], &dst))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[34]; c++) {
        uint32_t value = oracle_hidden(m, &dst, c)->accumulator;

        if (r[33] && !oracle_is_nan(value))
            value ^= ORACLE_SIGN;
        oracle_write(m, &dst, c, 0, oracle_from_fp32(r[32], value, &m->settings));
    }
    return ORACLE_DONE;
}
