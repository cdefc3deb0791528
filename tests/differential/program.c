/* SPDX-License-Identifier: Apache-2.0 */
#include "program_parts.h"
#include "oracle.h"
#include "records.h"
#include <opendve/num.h>
#include <string.h>

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f800001,
    0x40000000, 0xc0000000, 0x43800000, 0x477fe000, 0x4b800000, 0x4b800001, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff,
};

void program_begin(program *p, test_random *random, uint8_t gen)
{
    memset(p, 0, sizeof *p);
    p->random = random;
    p->gen = gen;
    program_turn(p);
}

void program_turn(program *p)
{
    static const uint8_t dtypes[] = {DVE_DTYPE_FP32, DVE_DTYPE_FP32, DVE_DTYPE_FP32, DVE_DTYPE_BF16, DVE_DTYPE_FP16,
                                     DVE_DTYPE_INT32, DVE_DTYPE_UINT32, DVE_DTYPE_UINT16, DVE_DTYPE_UINT8,
                                     DVE_DTYPE_INT8, DVE_DTYPE_INT16, DVE_DTYPE_FP8_E3M4, DVE_DTYPE_FP8_E4M3,
                                     DVE_DTYPE_FP8_E5M2};
    test_random *r = p->random;
    p->dtype = RANDOM_OF(r, dtypes);
    for (unsigned i = 0; i < 16; i++)
        p->pool[i] = random_chance(r, 40) ? RANDOM_OF(r, special) : random_bits(r);
    if (random_chance(r, 30))                    /* few values: everything is a tie */
        for (unsigned i = 3; i < 16; i++)
            p->pool[i] = p->pool[i % 3];
}

uint32_t program_element(program *p, uint8_t dtype)
{
    test_random *r = p->random;
    if (random_chance(r, 10))
        return random_bits(r);
    uint32_t value = random_chance(r, 75) ? RANDOM_OF(r, p->pool) : RANDOM_OF(r, special);
    return dtype == DVE_DTYPE_FP32 ? value : oracle_from_fp32(dtype, value, NULL);
}

uint8_t program_dtype(program *p, int output)
{
    static const uint8_t out[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15};
    static const uint8_t in[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15};
    if (random_chance(p->random, 65))
        return p->dtype;
    return output ? RANDOM_OF(p->random, out) : RANDOM_OF(p->random, in);
}

/* MatchReplace8 takes seven types. */
static uint8_t replace_dtype(program *p)
{
    static const uint8_t seven[] = {3, 5, 6, 7, 8, 9, 10};
    return memchr(seven, p->dtype, sizeof seven) && random_chance(p->random, 65) ? p->dtype
                                                                                : RANDOM_OF(p->random, seven);
}

static uint32_t search_count(test_random *r)
{
    uint32_t kind = random_below(r, 200);
    if (kind < 120)
        return 8 + random_below(r, 57);
    if (kind < 180)
        return 65 + random_below(r, 400);
    if (kind < 194)
        return 256 * (1 + random_below(r, 4));
    if (kind < 197)
        return 1000 + random_below(r, 5000);
    return kind == 197 ? 16384 : kind == 198 ? 16385 - random_below(r, 300) : 7;
}

uint32_t program_channels(const program *p, uint32_t elements)
{
    test_random *r = p->random;
    static const uint32_t many[] = {5, 8, 31, 32, 33, 63, 64, 65, 127, 128};
    if (elements > 500 || random_chance(r, p->wide ? 30 : 94))
        return 1 + random_below(r, 4);
    return RANDOM_OF(r, many);
}

uint32_t program_start(test_random *r, uint32_t n, uint32_t starts)
{
    if (random_chance(r, 1))
        return random_below(r, 128);
    if (starts)                                  /* the pool engine's rule */
        return n > 128 ? 0 : random_below(r, (128 - n) / starts + 1) * starts;
    return n > 64 ? 0 : n > 32 ? 64 * random_below(r, 2) : 32 * random_below(r, 4);
}

/* Counts and steps of a walk, and how far it reaches in elements. */
typedef struct layout {
    uint32_t num[4];
    int32_t step[4];
    int64_t low, high;
} layout;

/* Spreads the prime factors of `count` over the dimensions. */
static void factor(test_random *r, unsigned dims, uint32_t count, uint32_t num[4])
{
    int one_dimension = random_chance(r, 40);
    for (unsigned d = 0; d < 4; d++)
        num[d] = 1;
    for (uint32_t prime = 2; count > 1; prime++) {
        if (prime * prime > count)
            prime = count;
        for (; count % prime == 0; count /= prime)
            num[one_dimension ? 0 : random_below(r, dims)] *= prime;
    }
}

enum { COMPACT, REVERSED, STRIDED, BROADCAST, WILD, STYLES };

static void lay_out(test_random *r, unsigned dims, uint32_t count, unsigned style, layout *out)
{
    factor(r, dims, count, out->num);
    out->low = out->high = 0;
    int32_t next = style == STRIDED ? 1 + (int32_t)random_below(r, 4) : 1;
    unsigned still = style == BROADCAST ? random_below(r, dims) : 4;
    for (unsigned d = 0; d < 4; d++) {
        int32_t step = style == WILD ? (int32_t)random_below(r, 17) - 8 : style == REVERSED ? -next : next;
        out->step[d] = d == still || d >= dims ? 0 : step;
        if (next * (int32_t)out->num[d] < 0x8000)
            next *= (int32_t)out->num[d];
        int64_t reach = (int64_t)out->step[d] * (out->num[d] - 1);
        *(reach < 0 ? &out->low : &out->high) += reach;
    }
}

/* An offset at which the walk fits, in one of three windows of a partition so that operands often meet. */
static uint32_t offset_for(program *p, const layout *walk, uint32_t size, uint32_t active)
{
    test_random *r = p->random;
    int64_t reach = (walk->high - walk->low + 1) * (int64_t)size, room = (int64_t)active - reach;
    int64_t lowest = (int64_t)random_below(r, 64) * (int64_t)size;
    if (random_chance(r, 15))
        lowest = room / size * size - (int64_t)random_below(r, 8) * (int64_t)size;
    else if (random_chance(r, 10))
        lowest = 0x2000 + lowest;
    if (room >= 0 && random_chance(r, 99))
        lowest = lowest < 0 ? 0 : lowest > room ? room / size * size : lowest;
    int64_t offset = lowest - walk->low * (int64_t)size;
    return offset < 0 ? 0 : (uint32_t)offset & 0x3ffff;
}

uint32_t program_word_or_register(program *p, uint32_t word, int *reg)
{
    test_random *r = p->random;
    if (random_chance(r, 1))
        return word | 0x20000000u << random_below(r, 3);
    if (*reg >= 0 || !random_chance(r, 8))
        return word;
    *reg = (int)random_below(r, DVE_ADDR_REGISTERS);
    p->registers[*reg] = random_chance(r, 95) ? word : random_bits(r) >> random_below(r, 8);
    return 0x80000000u | (uint32_t)*reg;
}

static void put16(dve_record *record, unsigned at, uint32_t value)
{
    record->byte[at] = (uint8_t)value;
    record->byte[at + 1] = (uint8_t)(value >> 8);
}

void program_operand(program *p, dve_record *record, const program_shape *shape, dve_place *place, int *reg)
{
    test_random *r = p->random;
    layout walk;
    unsigned at = shape->at, dims = shape->dims;
    uint32_t size = shape->size, count = shape->count;
    int psum = random_chance(r, shape->pool ? 1 : shape->write && size != 4 ? 1 : 15);
    uint32_t active = oracle_active_bytes(p->gen, psum);
    static const unsigned styles[] = {COMPACT, COMPACT, COMPACT, REVERSED, STRIDED, STRIDED, BROADCAST, WILD};
    lay_out(r, dims, count, RANDOM_OF(r, styles), &walk);
    if ((walk.high - walk.low + 1) * (int64_t)size > (int64_t)active)
        lay_out(r, dims, count, COMPACT, &walk);
    *place = (dve_place){.space = psum ? DVE_SPACE_PSUM : DVE_SPACE_SBUF, .partition = shape->partition};
    place->offset = offset_for(p, &walk, size ? size : 1, active);
    uint32_t word = program_word_or_register(p, dve_place_addr(place, p->gen), reg);
    put16(record, at, word);
    put16(record, at + 2, word >> 16);
    for (unsigned d = 0; d < dims; d++) {
        put16(record, at + 4 + 2 * d, (uint32_t)walk.step[d]);
        put16(record, at + 4 + 2 * dims + 2 * d, walk.num[d]);
    }
}

static void operand(program *p, dve_record *record, unsigned at, unsigned dims, uint32_t size, uint32_t count, int write,
                    int *reg)
{
    dve_place place;
    program_shape shape = {.at = at, .dims = dims, .size = size, .count = count, .write = write};
    shape.partition = program_start(p->random, record->byte[34], 0);
    program_operand(p, record, &shape, &place, reg);
}

static void search_record(program *p, dve_record *record, int *reg)
{
    uint32_t count = search_count(p->random), replace = record->byte[0] == 0x6f;
    static const uint8_t index[] = {DVE_DTYPE_UINT16, DVE_DTYPE_UINT32};
    uint8_t in = replace ? replace_dtype(p) : program_dtype(p, 0);
    uint8_t out = replace ? replace_dtype(p) : record->byte[0] == 0x6e ? RANDOM_OF(p->random, index) : program_dtype(p, 1);
    record->byte[32] = in;
    record->byte[33] = out;
    record->byte[34] = (uint8_t)program_channels(p, count);
    if (replace && random_chance(p->random, 20))
        count = 1 + random_below(p->random, 8);
    operand(p, record, 12, 4, dve_num_size(in), count, 0, reg);
    operand(p, record, replace ? 44 : 48, replace ? 4 : 2, dve_num_size(out), replace ? count : 8, 1, reg);
    if (replace) {
        SET(record, S4D4_MR_immediate, program_element(p, DVE_DTYPE_FP32));
        if (random_chance(p->random, 20)) {      /* in place, or nearly */
            memcpy(record->byte + 44, record->byte + 12, 20);
            record->byte[44] ^= (uint8_t)(random_chance(p->random, 50) ? 0 : 4u << random_below(p->random, 4));
        }
    }
}

static void small_record(program *p, dve_record *record, int *reg)
{
    static const uint8_t index[] = {DVE_DTYPE_UINT16, DVE_DTYPE_UINT32};
    int load = record->byte[0] == 0x6d;
    record->byte[32] = load ? program_dtype(p, 0) : RANDOM_OF(p->random, index);
    record->byte[34] = (uint8_t)program_channels(p, 8);
    operand(p, record, load ? 16 : 44, load ? 2 : 4, dve_num_size(record->byte[32]), 8, !load, reg);
    if (!load)
        SET(record, D4_MR_dst_element_count, 8);
}

void program_record(program *p, dve_record *out, int *reg)
{
    static const uint8_t opcodes[] = {0x6d, 0x6d, 0x6d, 0x6c, 0x6c, 0x6e, 0x6e, 0x6e, 0x6f, 0x6f, 0x6f, 0xe9};
    *reg = -1;
    memset(out, 0, sizeof *out);
    out->byte[0] = RANDOM_OF(p->random, opcodes);
    out->byte[1] = 16;
    if (p->mixed && random_chance(p->random, 80))
        program_other_record(p, out, reg);
    else if (out->byte[0] == 0x6d || out->byte[0] == 0xe9)
        small_record(p, out, reg);
    else
        search_record(p, out, reg);
    /* One wrong bit; events are left alone, for the oracle knows none. */
    if (random_chance(p->random, 4))
        out->byte[random_chance(p->random, 10) ? 0 : 12 + random_below(p->random, 52)] ^=
            (uint8_t)(1u << random_below(p->random, 8));
}

int program_place(const program *p, const dve_insn *insn, const dve_operand_info *operand, dve_place *out)
{
    uint32_t word = insn->value[operand->addr_slot];
    if (dve_addr_marker(word) == DVE_ADDR_MARKER_ADDR_REG)
        word = p->registers[word % DVE_ADDR_REGISTERS];
    return dve_addr_marker(word) == 0 && dve_addr_place(word, p->gen, out);
}
