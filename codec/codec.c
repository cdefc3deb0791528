/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to field values and back, driven by the rows of isa/formats.def. */
#include <opendve/codec.h>
#include <stddef.h>
#include <string.h>

static inline uint8_t format_of(const uint8_t *byte)
{
    static const uint8_t formats[256] = {        /* RAW, which is 0, for what is no opcode */
#define OPCODE(value, name, camel, mnemonic, of, engine, gens, token, meaning, source, conf) [value] = DVE_FORMAT_##of,
#include <opendve/isa/opcodes.def>
#undef OPCODE
    };
    uint8_t format = formats[byte[0]];
    if (format == DVE_FORMAT_EXTENDED && byte[12] == DVE_EXTENDED_OP_TENSOR_TENSOR)
        return DVE_FORMAT_EXTENDED_TTA;
    return format;
}

uint8_t dve_record_format(const dve_record *record)
{
    return format_of(record->byte);
}
_Static_assert(DVE_FORMAT_RAW == 0, "formats of opcodes begin with it");

static uint32_t word_at(const uint8_t *byte)
{
    return byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

/* The first bytes of a word, 1..4 of them. */
static inline uint32_t bytes_at(const uint8_t *byte, unsigned bytes)
{
    uint32_t word = byte[0];
    if (bytes >= 4)
        return word_at(byte);
    if (bytes >= 2)
        word |= (uint32_t)byte[1] << 8;
    if (bytes >= 3)
        word |= (uint32_t)byte[2] << 16;
    return word;
}

/* One field, all of it known to the compiler but the bytes; more than 32 bits are whole bytes. */
static inline void take(const uint8_t *byte, unsigned at, unsigned bit, unsigned width, uint32_t *value)
{
    if (width < 32)
        *value = bytes_at(&byte[at], (bit + width + 7) / 8) >> bit & ((1u << (width & 31)) - 1u);
    else
        for (unsigned b = 0; b < width / 8u; b += 4)
            value[b / 4] = bytes_at(&byte[at + b], width / 8u - b);
}

/* The frame that all formats share: eight bytes and a word. */
enum { FRAME = 9 };
#define FORMAT(format, starts, meaning, source, conf) \
    _Static_assert(DVE_SLOT_##format##_opcode == 0 && (unsigned)DVE_SLOT_##format##_semaphore_value == FRAME - 1, "frame of " #format);
#include <opendve/isa/formats.def>

/* In pieces that compilers make a few wide stores of: for more they call or repeat, which takes as long as the fields. */
static inline void zero(uint32_t *value, unsigned n)
{
    for (; n >= 16; n -= 16, value += 16)
        memset(value, 0, 16 * sizeof *value);
    for (; n >= 4; n -= 4, value += 4)
        memset(value, 0, 4 * sizeof *value);
    for (; n; n--)
        *value++ = 0;
}

/* What does not depend on the format comes first: one piece of code, done while the branch to the others is taken. */
void dve_decode(const dve_record *record, dve_insn *out)
{
    const uint8_t *restrict bytes = record->byte;
    uint32_t *restrict value = out->value;
    memset(out, 0, offsetof(dve_insn, value));   /* with what lies between members: decoded records compare as bytes */
    out->format = format_of(bytes);
    for (unsigned i = 0; i + 1 < FRAME; i++)
        value[i] = bytes[i];
    value[FRAME - 1] = word_at(&bytes[FRAME - 1]);
    switch (out->format) {
#define FORMAT(format, starts, meaning, source, conf) case DVE_FORMAT_##format:
#define FIELD(format, name, at, bit, width, kind, type, gens, unit, meaning, source, conf) \
    if ((unsigned)DVE_SLOT_##format##_##name >= FRAME)                                     \
        take(bytes, at, bit, width, &value[DVE_SLOT_##format##_##name]);
#define END(format)                                                        \
    zero(&value[DVE_SLOTS_##format], DVE_MAX_SLOTS - DVE_SLOTS_##format);  \
    break;
#include <opendve/isa/formats.def>
    default: break;
    }
}

void dve_encode(const dve_insn *insn, dve_record *out)
{
    memset(out, 0, sizeof *out);
    size_t rows;
    const dve_field_info *field = dve_isa_fields(&rows);
    const dve_format_info *format = dve_format(insn->format);
    if (!format)
        format = dve_format(DVE_FORMAT_RAW);
    field += format->first_field;
    for (unsigned i = 0; i < format->fields; i++, field++) {
        const uint32_t *value = &insn->value[field->slot];
        if (field->width < 32) {
            uint32_t bits = (*value & ((1u << field->width) - 1u)) << field->bit;
            for (unsigned b = 0; bits; b++, bits >>= 8)
                out->byte[field->byte + b] |= (uint8_t)bits;
            continue;
        }
        for (unsigned b = 0; b < field->width / 8u; b++)
            out->byte[field->byte + b] = (uint8_t)(value[b / 4] >> 8 * (b % 4));
    }
}

void dve_insn_pattern(const dve_insn *insn, const dve_operand_info *operand, dve_pattern *out)
{
    const uint32_t *value = &insn->value[operand->addr_slot];
    memset(out, 0, sizeof *out);
    out->addr = value[0];
    out->dims = operand->dims;
    out->dtype = (uint8_t)insn->value[operand->dtype_slot];
    for (unsigned d = 0; d < 4; d++) {
        out->num[d] = 1;
        if (d >= operand->dims)
            continue;
        uint16_t step = (uint16_t)value[1 + d];
        out->step[d] = (int16_t)(step < 0x8000 ? step : (int32_t)step - 0x10000);
        out->num[d] = (uint16_t)value[1 + operand->dims + d];
    }
}

int dve_insn_indirect(const dve_insn *insn, const dve_operand_info *operand, dve_indirect *out)
{
    const uint32_t *value = &insn->value[operand->addr_slot];
    memset(out, 0, sizeof *out);
    if (operand->form == DVE_OPERAND_PLAIN)
        return 0;
    out->index = value[0];
    out->data = (value[1] & 0xffff) | value[2] << 16;
    out->count = (uint16_t)value[3];
    return dve_addr_indirect(value[0]);
}

void dve_insn_mx(const dve_insn *insn, dve_mx_pattern *out)
{
    uint32_t direction = insn->value[DVE_SLOT_S3DMX1_QUANT_dst_direction];
    memset(out, 0, sizeof *out);
    out->data = insn->value[DVE_SLOT_S3DMX1_QUANT_dst_data_addr];
    out->scale = insn->value[DVE_SLOT_S3DMX1_QUANT_dst_scale_addr];
    out->extent = (uint16_t)insn->value[DVE_SLOT_S3DMX1_QUANT_dst_extent];
    out->step = (int8_t)(direction == 0x01 ? 1 : direction == 0xff ? -1 : 0);
    out->scale_partition = (uint8_t)insn->value[DVE_SLOT_S3DMX1_QUANT_scale_partition];
    out->dtype = (uint8_t)insn->value[DVE_SLOT_S3DMX1_QUANT_data_dtype];
}

uint32_t dve_insn_channels(const dve_insn *insn)
{
    const dve_format_info *format = dve_format(insn->format);
    if (!format || !format->channels_slot)
        return 0;
    uint32_t count = insn->value[format->channels_slot];
    if (insn->format == DVE_FORMAT_EXTENDED_TTA)
        return count ? 16 * count : DVE_LANES;
    return count;
}

uint64_t dve_pattern_count(const dve_pattern *pattern)
{
    return (uint64_t)pattern->num[0] * pattern->num[1] * ((uint64_t)pattern->num[2] * pattern->num[3]);
}

void dve_pattern_extent(const dve_pattern *pattern, uint32_t size, int64_t *lowest, int64_t *highest)
{
    int64_t low = 0, high = 0;
    if (dve_pattern_count(pattern) && size) {
        for (unsigned d = 0; d < 4; d++) {
            int64_t reach = (int64_t)pattern->step[d] * (pattern->num[d] - 1);
            *(reach < 0 ? &low : &high) += reach;
        }
        low *= size;
        high = high * size + size - 1;
    }
    *lowest = low;
    *highest = high;
}

int dve_addr_place(uint32_t word, uint8_t gen, dve_place *out)
{
    memset(out, 0, sizeof *out);
    const dve_generation_info *generation = dve_generation(gen);
    uint32_t address = word & DVE_ADDR_MASK;
    if (!generation || address >= DVE_PSUM_END)
        return 0;
    uint32_t stride = generation->sbuf_stride;
    if (address >= DVE_PSUM_BASE) {
        out->space = DVE_SPACE_PSUM;
        address -= DVE_PSUM_BASE;
        stride = generation->psum_stride;
    }
    out->partition = address / stride;
    out->offset = address % stride;
    return 1;
}

uint32_t dve_place_addr(const dve_place *place, uint8_t gen)
{
    const dve_generation_info *generation = dve_generation(gen);
    if (!generation)
        return 0;
    if (place->space == DVE_SPACE_PSUM)
        return DVE_PSUM_BASE + place->partition * generation->psum_stride + place->offset;
    return place->partition * generation->sbuf_stride + place->offset;
}
