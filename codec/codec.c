/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to field values and back, driven by the rows of isa/formats.def. */
#include <opendve/codec.h>
#include <string.h>

static uint8_t format_of(uint8_t opcode)
{
    const dve_opcode_info *op = dve_opcode(opcode);
    return op ? op->format : DVE_FORMAT_RAW;
}

void dve_decode(const dve_record *record, dve_insn *out)
{
    memset(out, 0, sizeof *out);
    out->format = format_of(record->byte[0]);
    size_t rows;
    const dve_field_info *field = dve_isa_fields(&rows);
    const dve_format_info *format = dve_format(out->format);
    field += format->first_field;
    for (unsigned i = 0; i < format->fields; i++, field++) {
        unsigned bytes = (field->bit + field->width + 7u) / 8u;
        uint32_t *value = &out->value[field->slot];
        for (unsigned b = 0; b < bytes; b++)
            value[b / 4] |= (uint32_t)record->byte[field->byte + b] << 8 * (b % 4);
        if (field->width < 32)
            *value = *value >> field->bit & ((1u << field->width) - 1u);
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
