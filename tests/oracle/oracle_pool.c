/* SPDX-License-Identifier: Apache-2.0 */
/* Four records of the pool engine.  All of them read everything that they need before they write anything. */
#include "oracle_state.h"

#include <stdlib.h>

static oracle_operand pool_operand(const uint8_t *r, unsigned at, unsigned dims, unsigned dtype, int write,
                                   int sbuf_only)
{
    oracle_operand op = oracle_operand_at(r, at, dims, dtype, write);

    op.starts = ORACLE_START_SIXTEEN;
    op.sbuf_only = sbuf_only;
    return op;
}

static int is_nonzero(unsigned dtype, uint32_t bits)
{
    return dtype == ORACLE_FP32 ? (bits & ~ORACLE_SIGN) != 0 : bits != 0; /* a NaN is not zero */
}

/* positions[] of the elements that are not zero */
static uint32_t list_nonzero(unsigned dtype, const uint32_t *row, uint64_t count, uint32_t *positions)
{
    uint32_t found = 0;

    for (uint64_t i = 0; i < count; i++)
        if (is_nonzero(dtype, row[i]))
            positions[found++] = (uint32_t)i;
    return found;
}

/* Positions from the front, padding after them, the count at the very end. */
static void nonzero_lane(oracle_machine *m, const bound_operand *dst, unsigned c, const uint32_t *positions,
                         uint32_t found, uint32_t offset, uint32_t padding)
{
    uint64_t last = oracle_count(&dst->op) - 1;

    for (uint64_t i = 0; i < last; i++)
        oracle_write(m, dst, c, i, i < found ? positions[i] + offset : padding);
    oracle_write(m, dst, c, last, found);
}

/* Every sixteenth partition from the start, which is a multiple of 16.  OPEN: lanes work side by side: where the
 * operands start at different partitions, every lane reads (immediates too) before any lane writes. */
oracle_result oracle_run_nonzero(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = pool_operand(r, 16, 3, r[13], 0, 1), out = pool_operand(r, 44, 3, r[14], 1, 1);
    oracle_scalar offset = oracle_scalar_at(r, 15, 32, ORACLE_I32, ORACLE_START_SIXTEEN);
    oracle_scalar padding = oracle_scalar_at(r, 36, 40, ORACLE_I32, ORACLE_START_SIXTEEN);
    uint32_t *tile, *positions, offsets[ORACLE_LANES], paddings[ORACLE_LANES];
    bound_operand src, dst;
    bound_scalar imm[2];
    uint64_t count;

    if (!oracle_bind(m, &in, r[12], &src) || !oracle_bind(m, &out, r[12], &dst) ||
        !oracle_bind_scalar(m, &offset, r[12], &imm[0]) || !oracle_bind_scalar(m, &padding, r[12], &imm[1]))
        return ORACLE_REFUSED;
    count = oracle_count(&in);
    tile = oracle_read_tile(m, &src, r[12]);
    positions = malloc((size_t)count * sizeof *positions);
    if (!positions)
        abort();
    for (unsigned c = 0; c < r[12]; c++) {
        offsets[c] = oracle_scalar_bits(m, &imm[0], c);
        paddings[c] = oracle_scalar_bits(m, &imm[1], c);
    }
    for (unsigned c = 0; c < r[12]; c += 16) {
        uint32_t found = list_nonzero(r[13], tile + c * count, count, positions);

        nonzero_lane(m, &dst, c, positions, found, offsets[c], paddings[c]);
    }
    free(positions);
    free(tile);
    return ORACLE_DONE;
}

/* OPEN: the buffer is kept by channel number whatever the setting for hidden state says; slots past the elements of
 * this record keep what they held. */
oracle_result oracle_run_pool_load(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = pool_operand(r, 12, 4, r[32], 0, 1);
    unsigned size = oracle_size(r[32]);
    bound_operand src;

    if (!oracle_bind(m, &in, r[34], &src))
        return ORACLE_REFUSED;
    for (unsigned c = 0; c < r[34]; c++)
        for (uint64_t i = 0; i < oracle_count(&in); i++)
            oracle_store(m->pool[c] + i * size, size, oracle_read(m, &src, c, i));
    m->pool_range = (oracle_pool_range){oracle_load(r + 40, 4), oracle_load(r + 44, 4), r[32]};
    return ORACLE_DONE;
}

/* High bits equal start_index: a hit, and the low bits are the slot.  OPEN: a slot past the buffer is a miss, and so is
 * everything while nothing is loaded or after a Gather that freed the buffer. */
static int pool_slot(const oracle_machine *m, uint32_t index, uint32_t *slot)
{
    const oracle_pool_range *range = &m->pool_range;

    *slot = index & range->mask;
    return range->dtype != 0 && (index & ~range->mask) == range->start_index &&
           *slot < ORACLE_POOL_BYTES / oracle_size(range->dtype);
}

/* OPEN: an element moves as raw bits; where its size is not the destination's, the record is refused. */
oracle_result oracle_run_gather(oracle_machine *m, const uint8_t *r)
{
    oracle_operand in = pool_operand(r, 12, 4, r[32], 0, m->gen == 5);
    oracle_operand out = pool_operand(r, 44, 4, r[33], 1, m->gen == 5);
    unsigned size = oracle_size(r[33]);
    bound_operand src, dst;
    uint64_t count;
    uint32_t *tile;

    if (!oracle_bind(m, &in, r[34], &src) || !oracle_bind(m, &out, r[34], &dst))
        return ORACLE_REFUSED;
    if (m->pool_range.dtype != 0 && oracle_size(m->pool_range.dtype) != size)
        return ORACLE_REFUSED;
    count = oracle_count(&in);
    tile = oracle_read_tile(m, &src, r[34]);
    for (unsigned c = 0; c < r[34]; c++)
        for (uint64_t i = 0; i < count; i++) {
            uint32_t slot;

            if (pool_slot(m, tile[c * count + i], &slot))
                oracle_write(m, &dst, c, i, oracle_load(m->pool[c] + slot * size, size));
            else if (r[36] == 0)
                oracle_write(m, &dst, c, i, oracle_load(r + 40, 4));
        }
    free(tile);
    if (r[37] == 1)
        m->pool_range.dtype = 0;
    return ORACLE_DONE;
}

/* A row of consecutive elements in SBUF. */
static oracle_operand row_operand(uint32_t word, unsigned dtype, uint64_t count)
{
    oracle_operand op = {word, 1, dtype, 0, {1, 0, 0, 0}, {count, 1, 1, 1},
                         0, 0, ORACLE_START_THIRTYTWO, ORACLE_INDIRECT_NEVER, 1};

    return op;
}

/* Moves the runs of one group of 16 partitions from the data into the tile; 0 if a run leaves the data. */
static int collect_group(oracle_machine *m, const uint8_t *r, const bound_operand *index, const bound_operand *data,
                         unsigned group, uint32_t *tile)
{
    unsigned elements = oracle_load(r + 20, 2), run = r[35];
    uint32_t room = (oracle_active_bytes(m->gen, 0) - data->place.offset) / oracle_size(r[32]);
    uint32_t buffer = oracle_load(r + 38, 2);

    if (buffer > room)
        buffer = room;
    for (unsigned e = 0; e < elements; e++) {
        unsigned j = e / run; /* the indices stand partition first */
        uint32_t v = oracle_read(m, index, group + j % 16, j / 16);
        oracle_operand one = data->op;

        /* OPEN: an index out of range, all ones included, is refused: no source defines it. */
        if (v + run > buffer)
            return 0;
        one.num[0] = (uint64_t)v + run;
        for (unsigned p = 0; p < 16; p++) {
            bound_operand at = {one, data->place};

            tile[(group + p) * elements + e] = oracle_read(m, &at, group + p, v + e % run);
        }
    }
    return 1;
}

/*
 * OPEN: the record says nothing about the destination's count; it is refused unless it equals num_elem, and so is a
 * num_elem that the run length does not divide.  OPEN: the legal record may hold data that ends past the partition.
 */
oracle_result oracle_run_indirect(oracle_machine *m, const uint8_t *r)
{
    oracle_operand from = oracle_operand_at(r, 12, 4, r[32], 0), out = oracle_operand_at(r, 44, 4, r[33], 1);
    unsigned channels = r[34], run = r[35];
    uint32_t word = from.word >> 31 ? m->registers[from.word & 63] : from.word & 0x1fffffffu;
    uint64_t columns = (from.indices / run + 15) / 16;
    oracle_operand index_row = row_operand(word, ORACLE_U16, columns);
    oracle_operand data_row = row_operand(from.data_word, r[32], 1);
    bound_operand index, data, dst;
    uint32_t *tile;
    int inside = 1;

    out.starts = ORACLE_START_THIRTYTWO;
    out.sbuf_only = 1;
    if (word % 4 != 0 || from.indices % run != 0 || oracle_shape_from_register(&out) ||
        oracle_count(&out) != from.indices)
        return ORACLE_REFUSED;
    if (!oracle_bind(m, &index_row, channels, &index) || !oracle_bind(m, &data_row, channels, &data) ||
        !oracle_bind(m, &out, channels, &dst))
        return ORACLE_REFUSED;
    tile = malloc((size_t)channels * from.indices * sizeof *tile);
    if (!tile)
        abort();
    for (unsigned group = 0; group < channels && inside; group += 16)
        inside = collect_group(m, r, &index, &data, group, tile);
    for (unsigned c = 0; c < channels && inside; c++)
        for (unsigned e = 0; e < from.indices; e++)
            oracle_write(m, &dst, c, e, tile[c * from.indices + e]);
    free(tile);
    return inside ? ORACLE_DONE : ORACLE_REFUSED;
}
