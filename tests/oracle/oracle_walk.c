/* SPDX-License-Identifier: Apache-2.0 */
/* Operands: where they start, where each element lies, and whether that is allowed. */
#include "oracle_internal.h"

#define PSUM_BASE 0x2000000u
#define PSUM_END 0x2400000u
#define SBUF_STRIDE 0x40000u
#define PSUM_STRIDE 0x8000u

/* Byte by byte, so that the host's byte order does not matter. */
uint32_t oracle_load(const uint8_t *p, unsigned size)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)p[i] << (8 * i);
    return value;
}

void oracle_store(uint8_t *p, unsigned size, uint32_t value)
{
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i) & 0xff);
}

unsigned oracle_size(unsigned dtype)
{
    switch (dtype) {
    case ORACLE_I8: case ORACLE_U8: case ORACLE_E3M4: case ORACLE_E4M3: case ORACLE_E5M2: return 1;
    case ORACLE_I16: case ORACLE_U16: case ORACLE_BF16: case ORACLE_FP16: return 2;
    case ORACLE_I32: case ORACLE_U32: case ORACLE_FP32: case ORACLE_FP32R: return 4;
    default: return 0;
    }
}

uint32_t oracle_active_bytes(int gen, int psum)
{
    if (psum)
        return 16u * 1024;
    switch (gen) {
    case 2: return 192u * 1024;
    case 3: return 224u * 1024;
    default: return 256u * 1024; /* gen5 runs with gen4's map */
    }
}

oracle_operand oracle_operand_at(const uint8_t *record, unsigned at, unsigned dims, unsigned dtype, int write)
{
    oracle_operand op = {oracle_load(record + at, 4), dims, dtype, write, {0, 0, 0, 0}, {1, 1, 1, 1},
                         0, 0, ORACLE_START_QUADRANT, ORACLE_INDIRECT_NEVER, 0};

    if (dims >= 3) {
        op.data_word = oracle_load(record + at + 4, 4);
        op.indices = oracle_load(record + at + 8, 2);
    }
    for (unsigned d = 0; d < dims; d++) {
        int64_t step = (int64_t)oracle_load(record + at + 4 + 2 * d, 2);

        op.step[d] = step >= 0x8000 ? step - 0x10000 : step;
        op.num[d] = oracle_load(record + at + 4 + 2 * dims + 2 * d, 2);
    }
    return op;
}

uint64_t oracle_count(const oracle_operand *op)
{
    return op->num[0] * op->num[1] * op->num[2] * op->num[3]; /* at most 65535 to the fourth: fits */
}

/* Marker values, the top three bits: 0 immediate, 4 address register, 2 shape register, 6 both; 1 and 5 are indirect,
 * with the index vector at an address or in a register. */
static unsigned marker_of(uint32_t word)
{
    return (unsigned)(word >> 29);
}

int oracle_shape_from_register(const oracle_operand *op)
{
    return marker_of(op->word) == 2 || marker_of(op->word) == 6;
}

int oracle_address_from_register(const oracle_operand *op)
{
    return marker_of(op->word) == 4 || marker_of(op->word) == 6;
}

int oracle_is_indirect(const oracle_operand *op)
{
    return marker_of(op->word) == 1 || marker_of(op->word) == 5;
}

/* OPEN: what an indirect operand counts as is not said, so rules about counts are waived for it. */
int oracle_count_unknown(const oracle_operand *op)
{
    return oracle_shape_from_register(op) || oracle_is_indirect(op);
}

/* Larger groups of channels may start at fewer partitions. */
static int start_partition_allowed(unsigned starts, unsigned partition, unsigned channels)
{
    if (starts != ORACLE_START_QUADRANT)
        return partition % (starts == ORACLE_START_SIXTEEN ? 16 : 32) == 0 && partition + channels <= 128;
    if (channels > 64)
        return partition == 0;
    if (channels > 32)
        return partition == 0 || partition == 64;
    return partition % 32 == 0;
}

int oracle_locate(int gen, uint32_t word, const oracle_operand *op, unsigned channels, oracle_place *place)
{
    uint32_t base, stride;

    if (marker_of(word) != 0 || word >= PSUM_END || word % oracle_size(op->dtype) != 0)
        return 0;
    place->psum = word >= PSUM_BASE;
    base = place->psum ? PSUM_BASE : 0;
    stride = place->psum ? PSUM_STRIDE : SBUF_STRIDE;
    place->partition = (unsigned)((word - base) / stride);
    place->offset = (word - base) % stride;
    if (place->psum && (op->sbuf_only || (op->write && oracle_size(op->dtype) != 4)))
        return 0;
    return place->offset < oracle_active_bytes(gen, place->psum) &&
           start_partition_allowed(op->starts, place->partition, channels);
}

/* Byte offset of the element at the given coordinates; may be negative or past the end. */
static int64_t offset_at(const oracle_operand *op, const oracle_place *place, const uint64_t at[4])
{
    int64_t elements = 0;

    for (unsigned d = 0; d < 4; d++)
        elements += (int64_t)at[d] * op->step[d];
    return (int64_t)place->offset + elements * (int64_t)oracle_size(op->dtype);
}

/* The offset is linear in the coordinates, so its extremes lie among the sixteen corners. */
int oracle_walk_inside(int gen, const oracle_operand *op, const oracle_place *place)
{
    int64_t active = (int64_t)oracle_active_bytes(gen, place->psum);

    for (unsigned corner = 0; corner < 16; corner++) {
        uint64_t at[4];
        int64_t offset;

        for (unsigned d = 0; d < 4; d++)
            at[d] = corner >> d & 1u ? op->num[d] - 1 : 0;
        offset = offset_at(op, place, at);
        if (offset < 0 || offset + (int64_t)oracle_size(op->dtype) > active)
            return 0;
    }
    return 1;
}

uint32_t oracle_element_offset(const oracle_operand *op, const oracle_place *place, uint64_t element)
{
    uint64_t at[4];

    for (unsigned d = 0; d < 4; d++) {
        at[d] = element % op->num[d];
        element /= op->num[d];
    }
    return (uint32_t)offset_at(op, place, at);
}

/*
 * An index vector, a data address with a clear top, at least one index.  OPEN: bytes after the number of indices are
 * free; both addresses obey the start rule of the record; the index type is unknown, so no walk is checked; a source in
 * PSUM need not start on the partition of its index.
 */
static int indirect_legal(int gen, const oracle_operand *op, unsigned channels)
{
    oracle_operand index = *op;
    oracle_place index_place, data_place;

    if (op->indirect == ORACLE_INDIRECT_NEVER || (op->indirect == ORACLE_INDIRECT_GEN4 && gen < 4))
        return 0;
    if (op->indices == 0 || !oracle_locate(gen, op->data_word, op, channels, &data_place))
        return 0;
    if (marker_of(op->word) == 5)
        return (op->word & 0x1fffffffu) < 64;
    index.dtype = ORACLE_U32;
    index.write = 0;
    if (!oracle_locate(gen, op->word & 0x1fffffffu, &index, channels, &index_place))
        return 0;
    return data_place.psum || (!index_place.psum && index_place.partition / 32 == data_place.partition / 32);
}

int oracle_operand_legal(int gen, const oracle_operand *op, unsigned channels)
{
    unsigned marker = marker_of(op->word);
    oracle_place place;

    if (oracle_size(op->dtype) == 0 || marker == 3 || marker == 7)
        return 0;
    if (oracle_is_indirect(op))
        return indirect_legal(gen, op, channels);
    if (op->indirect == ORACLE_INDIRECT_MUST)
        return 0;
    if (!oracle_shape_from_register(op) && oracle_count(op) == 0)
        return 0;
    if (marker != 0) /* only the register number is known before run time */
        return (op->word & 0x1fffffffu) < 64;
    return oracle_locate(gen, op->word, op, channels, &place) && oracle_walk_inside(gen, op, &place);
}

/* OPEN: an indirect source is judged by its data address; a pair with a register is not judged again at run time. */
int oracle_pair_legal(const oracle_operand *a, const oracle_operand *b)
{
    uint32_t x = marker_of(a->word) == 1 ? a->data_word : a->word;
    uint32_t y = marker_of(b->word) == 1 ? b->data_word : b->word;

    if (marker_of(x) != 0 || marker_of(y) != 0)
        return 1;
    if (x >= PSUM_BASE || y >= PSUM_BASE)
        return x < PSUM_BASE || y < PSUM_BASE;
    return x / (32 * SBUF_STRIDE) == y / (32 * SBUF_STRIDE);
}

oracle_scalar oracle_scalar_at(const uint8_t *record, unsigned source_at, unsigned word_at, unsigned dtype,
                               unsigned starts)
{
    oracle_scalar scalar = {record[source_at], oracle_operand_at(record, word_at, 0, dtype, 0)};

    scalar.op.starts = starts;
    return scalar;
}

int oracle_scalar_legal(int gen, const oracle_scalar *scalar, unsigned channels)
{
    unsigned size = oracle_size(scalar->op.dtype);
    uint32_t word = scalar->op.word;

    switch (scalar->source) {
    case 0: return size == 4 || (size != 0 && word >> (8 * size) == 0);
    case 1: return marker_of(word) == 0 && oracle_operand_legal(gen, &scalar->op, channels);
    case 2: return word < 64; /* the number in the first byte, three zero bytes */
    default: return 0;
    }
}
