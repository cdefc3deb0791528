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
    oracle_operand op = {oracle_load(record + at, 4), dims, dtype, write, {0, 0, 0, 0}, {1, 1, 1, 1}};

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

/* Marker values, the top three bits: 0 immediate, 4 address register, 2 shape register, 6 both. */
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

/* Larger groups of channels may start at fewer partitions. */
static int start_partition_allowed(unsigned partition, unsigned channels)
{
    if (channels > 64)
        return partition == 0;
    if (channels > 32)
        return partition == 0 || partition == 64;
    return partition % 32 == 0;
}

int oracle_locate(int gen, uint32_t word, unsigned dtype, int write, unsigned channels, oracle_place *place)
{
    uint32_t base, stride;

    if (marker_of(word) != 0 || word >= PSUM_END || word % oracle_size(dtype) != 0)
        return 0;
    place->psum = word >= PSUM_BASE;
    base = place->psum ? PSUM_BASE : 0;
    stride = place->psum ? PSUM_STRIDE : SBUF_STRIDE;
    place->partition = (unsigned)((word - base) / stride);
    place->offset = (word - base) % stride;
    if (place->psum && write && oracle_size(dtype) != 4)
        return 0;
    return place->offset < oracle_active_bytes(gen, place->psum) &&
           start_partition_allowed(place->partition, channels);
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

int oracle_operand_legal(int gen, const oracle_operand *op, unsigned channels)
{
    unsigned marker = marker_of(op->word);
    oracle_place place;

    if (oracle_size(op->dtype) == 0 || (marker != 0 && marker != 2 && marker != 4 && marker != 6))
        return 0;
    if (!oracle_shape_from_register(op) && oracle_count(op) == 0)
        return 0;
    if (marker != 0) /* only the register number is known before run time */
        return (op->word & 0x1fffffffu) < 64;
    return oracle_locate(gen, op->word, op->dtype, op->write, channels, &place) &&
           oracle_walk_inside(gen, op, &place);
}
