/* SPDX-License-Identifier: Apache-2.0 */
/* Records in the making: the frame, and operands by their names. */
#include "build.h"
#include <string.h>

void dve_low_begin(dve_lowering *l, uint8_t opcode, int64_t channels)
{
    memset(&l->insn, 0, sizeof l->insn);
    l->insn.format = dve_opcode(opcode)->format;
    l->insn.value[DVE_SLOT_RAW_opcode] = opcode;
    l->insn.value[DVE_SLOT_RAW_inst_word_len] = DVE_RECORD_BYTES / 4;
    const dve_format_info *format = dve_format(l->insn.format);
    if (format->channels_slot)
        l->insn.value[format->channels_slot] = (uint32_t)channels;
}

void dve_low_set(dve_lowering *l, unsigned slot, uint32_t value)
{
    l->insn.value[slot] = value;
}

static const dve_operand_info *operand_named(const dve_lowering *l, const char *name)
{
    size_t rows;
    const dve_format_info *format = dve_format(l->insn.format);
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    while (strcmp(operand->name, name) != 0)
        operand++;
    return operand;
}

static void set_dtype(dve_lowering *l, const dve_operand_info *to, uint8_t operand)
{
    size_t rows;
    uint8_t dtype = dve_low_dtype(l, operand);
    if (dtype >> dve_isa_fields(&rows)[to->dtype_field].width)
        DVE_REFUSE_AT(l, dtype_pair, operand, dtype, 0, 15);
    l->insn.value[to->dtype_slot] = dtype;
}

/* Unused dimensions are one element. */
static void set_walk(dve_lowering *l, const dve_operand_info *to, uint32_t address, const dve_lower_axis *axis,
                     unsigned axes, int16_t spare)
{
    uint32_t *value = &l->insn.value[to->addr_slot];
    value[0] = address;
    for (unsigned d = 0; d < to->dims; d++) {
        value[1 + d] = (uint16_t)(d < axes ? axis[d].step : spare);
        value[1u + to->dims + d] = d < axes ? (uint32_t)axis[d].count : 1;
    }
}

/* Twelve bytes: where the list lies, where the data, how many indices. */
static void set_indirect(dve_lowering *l, const dve_operand_info *to, uint8_t operand)
{
    const dve_lower_access *a = dve_low_access(l, operand);
    uint32_t *value = &l->insn.value[to->addr_slot], data = dve_low_address(l, a);
    int64_t count = dve_low_count(a->indirect);
    if (to->form != DVE_OPERAND_MEMORY || l->in->operation == DVE_LOWER_STREAM_TRANSPOSE)
        DVE_REFUSE_AT(l, indirect, operand, 0, 0, 0);
    else if (l->target->gen < 4)
        dve_low_first_gen(l, DVE_LOWER_REFUSAL_indirect_generation, operand, "--YY");
    else if (count > UINT16_MAX)
        DVE_REFUSE_AT(l, total, operand, count, 1, UINT16_MAX);
    value[0] = dve_low_address(l, a->indirect) | (uint32_t)DVE_ADDR_MARKER_INDIRECT_IMM << 24;
    value[1] = data & 0xffff;
    value[2] = data >> 16;
    value[3] = (uint16_t)count;
}

void dve_low_put(dve_lowering *l, const char *name, uint8_t operand)
{
    const dve_operand_info *to = operand_named(l, name);
    const dve_lower_access *a = dve_low_access(l, operand);
    dve_lower_axis axis[DVE_LOWER_AXES];
    if (l->refused)
        return;
    set_dtype(l, to, operand);
    if (a->indirect) {
        set_indirect(l, to, operand);
        return;
    }
    unsigned axes = dve_low_axes(a, axis);
    if (axes > to->dims)
        DVE_REFUSE_AT(l, dimensions, operand, axes, 0, to->dims);
    else
        set_walk(l, to, dve_low_address(l, a), axis, axes, 1);
}

/* The address of element n of an operand of one axis; refused where it lies outside the partition. */
static uint32_t address_of(dve_lowering *l, uint8_t operand, int64_t elements)
{
    dve_lower_access a = *dve_low_access(l, operand);
    const dve_dtype_info *dtype = dve_dtype(dve_low_dtype(l, operand));
    const dve_generation_info *g = dve_generation(l->target->gen);
    int64_t stride = a.space == DVE_SPACE_PSUM ? g->psum_stride : g->sbuf_stride;
    a.offset += elements * dtype->bytes;
    if (a.offset < 0 || a.offset >= stride) {
        DVE_REFUSE_AT(l, reversed_start, operand, a.offset, 0, stride - 1);
        return 0;
    }
    return dve_low_address(l, &a);
}

void dve_low_put_backwards(dve_lowering *l, const char *name, uint8_t operand, int16_t spare)
{
    const dve_operand_info *to = operand_named(l, name);
    const dve_lower_access *a = dve_low_access(l, operand);
    dve_lower_axis axis[DVE_LOWER_AXES];
    unsigned axes = dve_low_axes(a, axis);
    if (l->refused)
        return;
    set_dtype(l, to, operand);
    if (a->indirect)
        DVE_REFUSE_AT(l, indirect, operand, 0, 0, 0);
    else if (axes != 1 || axis[0].count != 8)
        DVE_REFUSE_AT(l, reversed_axes, operand, axes, 8, 8);
    else if (axis[0].step == INT16_MIN)
        DVE_REFUSE_AT(l, reversed_step, operand, axis[0].step, -INT16_MAX, INT16_MAX);
    if (l->refused)
        return;
    uint32_t last = address_of(l, operand, 7 * axis[0].step);
    axis[0].step = -axis[0].step;
    set_walk(l, to, last, axis, 1, spare);
}

void dve_low_put_part(dve_lowering *l, const char *name, uint8_t operand, int64_t first, int64_t count)
{
    const dve_operand_info *to = operand_named(l, name);
    dve_lower_axis axis[DVE_LOWER_AXES];
    if (l->refused)
        return;
    if (!dve_low_axes(dve_low_access(l, operand), axis))
        axis[0].step = 1;
    set_dtype(l, to, operand);
    axis[0].count = count;
    set_walk(l, to, address_of(l, operand, first * axis[0].step), axis, 1, 1);
}

void dve_low_emit(dve_lowering *l)
{
    dve_record record;
    if (l->refused || l->ended || !l->sink)
        return;
    dve_encode(&l->insn, &record);
    l->ended = l->sink(l->context, &record) != 0;
}
