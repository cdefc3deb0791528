/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax.h"
#include <string.h>

const struct dve_register_form dve_register_forms[DVE_REGISTER_FORMS] = {
    {"reg", (uint32_t)DVE_ADDR_MARKER_ADDR_REG << 24},
    {"shape_reg", (uint32_t)DVE_ADDR_MARKER_SHAPE_REG << 24},
    {"addr_shape_reg", (uint32_t)DVE_ADDR_MARKER_ADDR_SHAPE_REG << 24},
};

dve_layout dve_layout_of(uint8_t format)
{
    size_t rows;
    const dve_format_info *row = dve_format(format);
    if (!row)
        row = dve_format(DVE_FORMAT_RAW);
    return (dve_layout){row, dve_isa_fields(&rows) + row->first_field, dve_isa_operands(&rows) + row->first_operand};
}

dve_form dve_form_of(const dve_field_info *field)
{
    int whole = field->bit == 0 && field->width % 8 == 0;
    if (field->width > 32)
        return DVE_FORM_BYTES;
    switch (field->kind) {
    case DVE_KIND_UINT: case DVE_KIND_CHANNELS: case DVE_KIND_PORTS: return DVE_FORM_UNSIGNED;
    case DVE_KIND_INT: return DVE_FORM_SIGNED;
    case DVE_KIND_F32: return field->width == 32 ? DVE_FORM_F32 : DVE_FORM_BITS;
    case DVE_KIND_WORD: return field->width == 32 ? DVE_FORM_WORD : DVE_FORM_BITS;
    case DVE_KIND_ENUM: case DVE_KIND_LABEL: return DVE_FORM_NAMED;
    case DVE_KIND_DTYPE: return DVE_FORM_DTYPE;
    case DVE_KIND_ADDR: return field->width == 32 ? DVE_FORM_ADDR : DVE_FORM_BITS;
    case DVE_KIND_OPCODE: return DVE_FORM_BITS;
    default: return whole ? DVE_FORM_BYTES : DVE_FORM_BITS;
    }
}

dve_role dve_role_of(const dve_layout *layout, unsigned field)
{
    const dve_field_info *row = &layout->field[field];
    if (field < DVE_FRAME_FIELDS)
        return DVE_ROLE_FRAME;
    for (unsigned i = 0; i < layout->format->operands; i++) {
        const dve_operand_info *operand = &layout->operand[i];
        if (row->slot == operand->dtype_slot ||
            (row->slot >= operand->addr_slot && row->slot <= operand->addr_slot + 2 * operand->dims))
            return DVE_ROLE_OPERAND;
    }
    return row->kind == DVE_KIND_ZERO || row->kind == DVE_KIND_RAW ? DVE_ROLE_SPARE : DVE_ROLE_PLAIN;
}

int dve_mode_has_value(const char *set, uint32_t mode)
{
    const dve_enum_info *member = dve_enum_member(set, (uint8_t)mode);
    return member && (strstr(member->name, "_imm") || strstr(member->name, "_reg"));
}
