/* SPDX-License-Identifier: Apache-2.0 */
/* The machine: memories, hidden state, operands with an address, and the choice of who runs a record. */
#include "oracle_state.h"

#include <stdlib.h>

oracle_machine *oracle_new(int gen, const oracle_settings *s)
{
    oracle_machine *m;

    if (gen < 2 || gen > 5)
        return NULL;
    m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->gen = gen;
    if (s)
        m->settings = *s;
    for (int psum = 0; psum < 2; psum++) {
        m->memory[psum] = calloc(ORACLE_LANES, oracle_active_bytes(gen, psum));
        if (!m->memory[psum])
            abort();
    }
    for (unsigned lane = 0; lane < ORACLE_LANES; lane++)
        for (unsigned n = 0; n < ORACLE_KEYS; n++) {
            m->hidden[lane].keys[n] = ORACLE_QNAN; /* equals nothing */
            m->hidden[lane].flops[n] = ORACLE_ALL_ONES;
        }
    for (unsigned lane = 0; lane < 32; lane++)
        m->mask[lane] = (uint8_t)lane;
    return m;
}

void oracle_free(oracle_machine *m)
{
    if (!m)
        return;
    free(m->memory[0]);
    free(m->memory[1]);
    free(m);
}

uint8_t *oracle_bytes(oracle_machine *m, int psum, unsigned partition)
{
    return m->memory[psum != 0] + (size_t)partition * oracle_active_bytes(m->gen, psum);
}

uint32_t *oracle_keys(oracle_machine *m, unsigned lane)
{
    return m->hidden[lane].keys;
}

uint8_t *oracle_matched(oracle_machine *m, unsigned lane)
{
    return &m->hidden[lane].matched;
}

uint32_t *oracle_flops(oracle_machine *m, unsigned lane)
{
    return m->hidden[lane].flops;
}

uint32_t *oracle_accumulator(oracle_machine *m, unsigned lane)
{
    return &m->hidden[lane].accumulator;
}

uint8_t *oracle_mask(oracle_machine *m)
{
    return m->mask;
}

oracle_pool_range *oracle_pool(oracle_machine *m)
{
    return &m->pool_range;
}

uint8_t *oracle_pool_bytes(oracle_machine *m, unsigned lane)
{
    return m->pool[lane];
}

void oracle_set_register(oracle_machine *m, unsigned reg, uint32_t value)
{
    m->registers[reg % 64] = value;
}

/* Finds an operand's place, through a register if need be.  A register gives what a static check could not see. */
int oracle_bind(const oracle_machine *m, const oracle_operand *op, unsigned channels, bound_operand *bound)
{
    uint32_t word = op->word;

    if (oracle_shape_from_register(op))
        return 0; /* where the number of a shape register stands is unknown */
    if (oracle_is_indirect(op) || oracle_count(op) > ORACLE_MAX_WALK)
        return 0;
    if (oracle_address_from_register(op))
        word = m->registers[word & 0x3f];
    bound->op = *op;
    /* OPEN: the 4-byte rule for writes into PSUM holds for register addresses as well. */
    return oracle_locate(m->gen, word, op, channels, &bound->place) &&
           oracle_walk_inside(m->gen, op, &bound->place);
}

static uint8_t *element(oracle_machine *m, const bound_operand *b, unsigned channel, uint64_t number)
{
    return oracle_bytes(m, b->place.psum, b->place.partition + channel) +
           oracle_element_offset(&b->op, &b->place, number);
}

uint32_t oracle_read(oracle_machine *m, const bound_operand *b, unsigned channel, uint64_t number)
{
    return oracle_load(element(m, b, channel, number), oracle_size(b->op.dtype));
}

uint32_t oracle_read_fp32(oracle_machine *m, const bound_operand *b, unsigned channel, uint64_t number)
{
    return oracle_to_fp32(b->op.dtype, oracle_read(m, b, channel, number), &m->settings);
}

void oracle_write(oracle_machine *m, const bound_operand *b, unsigned channel, uint64_t number, uint32_t bits)
{
    oracle_store(element(m, b, channel, number), oracle_size(b->op.dtype), bits);
}

uint32_t *oracle_read_tile(oracle_machine *m, const bound_operand *b, unsigned channels)
{
    uint64_t count = oracle_count(&b->op);
    uint32_t *tile = malloc((size_t)count * channels * sizeof *tile);

    if (!tile)
        abort();
    for (unsigned c = 0; c < channels; c++)
        for (uint64_t i = 0; i < count; i++)
            tile[c * count + i] = oracle_read(m, b, c, i);
    return tile;
}

/* A register that holds a pointer is an address register. */
int oracle_bind_scalar(const oracle_machine *m, const oracle_scalar *scalar, unsigned channels, bound_scalar *bound)
{
    oracle_operand op = scalar->op;

    bound->inlined = scalar->source == 0;
    bound->word = op.word;
    if (bound->inlined)
        return 1;
    if (scalar->source == 2)
        op.word |= 0x80000000u;
    return oracle_bind(m, &op, channels, &bound->at);
}

uint32_t oracle_scalar_bits(oracle_machine *m, const bound_scalar *scalar, unsigned channel)
{
    return scalar->inlined ? scalar->word : oracle_read(m, &scalar->at, channel, 0);
}

/* reference is the operand whose partitions name the lanes when hidden state goes by physical partition. */
hidden_state *oracle_hidden(oracle_machine *m, const bound_operand *reference, unsigned channel)
{
    return &m->hidden[m->settings.hidden_by_partition ? reference->place.partition + channel : channel];
}

oracle_result oracle_step(oracle_machine *m, const uint8_t record[64])
{
    int legal = oracle_is_legal(m->gen, record);

    if (legal <= 0)
        return legal == 0 ? ORACLE_ILLEGAL : ORACLE_REFUSED;
    switch (record[0]) {
    case 0x46: case 0x47: return oracle_run_copy(m, record);
    case 0x49: return oracle_run_memset(m, record);
    case 0x67: return oracle_run_pool_load(m, record);
    case 0x68: return oracle_run_gather(m, record);
    case 0x69: return oracle_run_mask(m, record);
    case 0x6a: case 0x6b: return oracle_run_tile(m, record);
    case 0x6c: case 0x6d: case 0x6e: case 0x6f: case 0xe9: return oracle_run_search(m, record);
    case 0x72: case 0x99: return oracle_run_predicated(m, record);
    case 0x98: return oracle_run_ts_select(m, record);
    case 0x9a: case 0xe6: return oracle_run_cache(m, record);
    case 0x9b: return oracle_run_drain(m, record);
    case 0xbc: return oracle_run_range(m, record);
    case 0xe5: return oracle_run_scan(m, record);
    case 0xe7: return oracle_run_indirect(m, record);
    case 0xe8: return oracle_run_pred_scalar(m, record);
    case 0xea: return oracle_run_select(m, record);
    case 0xf2: return oracle_run_nonzero(m, record);
    default: return ORACLE_REFUSED;
    }
}
