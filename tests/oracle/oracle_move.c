/* SPDX-License-Identifier: Apache-2.0 */
/* Data movement on the vector engine: shuffle mask, shuffle, transpose, copies, predicated copies, fill. */
#include "oracle_state.h"

#include <stdlib.h>

#define MASK_SKIP 0x20u /* 255 has this bit as well */

oracle_result oracle_run_mask(oracle_machine *m, const uint8_t *r)
{
    for (unsigned lane = 0; lane < 32; lane++)
        m->mask[lane] = r[32 + lane];
    return ORACLE_DONE;
}

/* The tile is a copy of the whole source: tile[lane * count + element]. */
static void shuffle(oracle_machine *m, const bound_operand *dst, const uint32_t *tile, unsigned channels)
{
    uint64_t count = oracle_count(&dst->op);

    for (unsigned lane = 0; lane < channels; lane++) {
        unsigned mask = m->mask[lane % 32], from = lane / 32 * 32 + mask % 32;

        if (mask & MASK_SKIP)
            continue;
        for (uint64_t e = 0; e < count; e++)
            oracle_write(m, dst, lane, e, tile[from * count + e]);
    }
}

static void transpose(oracle_machine *m, const bound_operand *dst, const uint32_t *tile, uint64_t src_count,
                      unsigned channels, int masked)
{
    uint64_t count = oracle_count(&dst->op);

    for (unsigned lane = 0; lane < channels; lane++) {
        unsigned within = lane % 32, block = lane - within;

        if (masked && m->mask[within] & MASK_SKIP)
            continue;
        for (uint64_t e = 0; e < count; e++)
            oracle_write(m, dst, lane, e, tile[(block + e % 32) * src_count + (e - e % 32) + within]);
    }
}

/* OPEN: a count of the source's fourth dimension above 1 is a compiler's limit, not a rule of the record. */
oracle_result oracle_run_tile(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = oracle_operand_at(r, 12, 4, r[32], 0), out = oracle_operand_at(r, 44, 4, r[33], 1);
    bound_operand src, dst;
    uint32_t *tile;

    if (!oracle_bind(m, &in, r[34], &src) || !oracle_bind(m, &out, r[34], &dst))
        return ORACLE_REFUSED;
    tile = oracle_read_tile(m, &src, r[34]);
    if (r[0] == 0x6a)
        shuffle(m, &dst, tile, r[34]);
    else
        transpose(m, &dst, tile, oracle_count(&in), r[34], r[38]);
    free(tile);
    return ORACLE_DONE;
}

/* OPEN: Cast and CastPredicated between equal dtypes move bits, 32-bit integers and NaN payloads included. */
oracle_result oracle_run_copy(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = oracle_operand_at(r, 12, 4, r[32], 0), out = oracle_operand_at(r, 44, 4, r[33], 1);
    bound_operand src, dst;

    if (!oracle_bind(m, &in, r[34], &src) || !oracle_bind(m, &out, r[34], &dst))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[34]; c++)
        for (uint64_t i = 0; i < oracle_count(&in); i++) {
            uint32_t bits = oracle_read(m, &src, c, i);

            oracle_write(m, &dst, c, i, oracle_convert(r[32], r[33], bits, &m->settings));
        }
    return ORACLE_DONE;
}

oracle_result oracle_run_predicated(oracle_machine *m, const uint8_t *r)
{
    unsigned from = r[12] >> 4, to = r[13], channels = r[15];
    oracle_operand first = oracle_operand_at(r, 16, 3, r[12] & 15u, 0), second = oracle_operand_at(r, 32, 3, from, 0);
    oracle_operand out = oracle_operand_at(r, 48, 3, to, 1);
    bound_operand pred, src, dst;

    if (!oracle_bind(m, &first, channels, &pred) || !oracle_bind(m, &second, channels, &src) ||
        !oracle_bind(m, &out, channels, &dst))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < channels; c++)
        for (uint64_t i = 0; i < oracle_count(&out); i++) {
            uint32_t bits = oracle_read(m, &src, c, i);

            if (oracle_read(m, &pred, c, i) != 0)
                oracle_write(m, &dst, c, i, oracle_convert(from, to, bits, &m->settings));
        }
    return ORACLE_DONE;
}

/* Writes the scalar where the truth of the predicate equals reversed_pred. */
oracle_result oracle_run_pred_scalar(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = oracle_operand_at(r, 16, 3, r[32], 0), out = oracle_operand_at(r, 48, 3, r[42], 1);
    oracle_scalar imm = oracle_scalar_at(r, 43, 44, r[41], ORACLE_START_QUADRANT);
    bound_operand pred, dst;
    bound_scalar scalar;

    if (!oracle_bind(m, &in, r[34], &pred) || !oracle_bind(m, &out, r[34], &dst) ||
        !oracle_bind_scalar(m, &imm, r[34], &scalar))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[34]; c++) {
        uint32_t bits = oracle_scalar_bits(m, &scalar, c);

        for (uint64_t i = 0; i < oracle_count(&out); i++)
            if ((oracle_read(m, &pred, c, i) != 0) == (r[33] == 1))
                oracle_write(m, &dst, c, i, bits);
    }
    return ORACLE_DONE;
}

oracle_result oracle_run_ts_select(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = oracle_operand_at(r, 16, 3, r[34], 0), out = oracle_operand_at(r, 48, 3, r[34], 1);
    oracle_scalar imm = oracle_scalar_at(r, 38, 40, r[34], ORACLE_START_QUADRANT);
    oracle_scalar flag = oracle_scalar_at(r, 39, 44, r[35], ORACLE_START_QUADRANT);
    bound_operand src, dst;
    bound_scalar scalar, pred;

    if (!oracle_bind(m, &in, r[33], &src) || !oracle_bind(m, &out, r[33], &dst) ||
        !oracle_bind_scalar(m, &imm, r[33], &scalar) || !oracle_bind_scalar(m, &flag, r[33], &pred))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[33]; c++) {
        uint32_t bits = oracle_scalar_bits(m, &scalar, c);
        int tensor = (oracle_scalar_bits(m, &pred, c) != 0) != (r[32] == 1);

        for (uint64_t i = 0; i < oracle_count(&out); i++) {
            uint32_t element = oracle_read(m, &src, c, i);

            oracle_write(m, &dst, c, i, tensor ? element : bits);
        }
    }
    return ORACLE_DONE;
}

oracle_result oracle_run_memset(oracle_machine *m, const uint8_t *r)
{
    oracle_operand out = oracle_operand_at(r, 44, 4, r[32], 1);
    bound_operand dst;

    if (!oracle_bind(m, &out, r[34], &dst))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[34]; c++)
        for (uint64_t i = 0; i < oracle_count(&out); i++)
            oracle_write(m, &dst, c, i, oracle_load(r + 40, 4));
    return ORACLE_DONE;
}
