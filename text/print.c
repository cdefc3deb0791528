/* SPDX-License-Identifier: Apache-2.0 */
/* A record as a line of .dve text. Total: every record has a line that dve_text_parse turns back into the
 * same 64 bytes, legal or not. */
#include "syntax.h"
#include <string.h>

void dve_emit_address(dve_emit *e, uint32_t word, uint8_t gen)
{
    dve_place place;
    uint32_t marker = word & ~DVE_ADDR_MASK, rest = word & DVE_ADDR_MASK;
    if (!marker && dve_addr_place(word, gen, &place) && dve_place_addr(&place, gen) == word) {
        dve_emit_text(e, dve_space_name(place.space));
        dve_emit_char(e, '[');
        dve_emit_decimal(e, place.partition);
        dve_emit_text(e, "]+0x");
        dve_emit_hex(e, place.offset, 1);
        return;
    }
    for (unsigned i = 0; i < DVE_REGISTER_FORMS; i++)
        if (marker == dve_register_forms[i].marker && rest < DVE_ADDR_REGISTERS) {
            dve_emit_add(e, "%s[%u]", dve_register_forms[i].name, (unsigned)rest);
            return;
        }
    dve_emit_text(e, "@0x");
    dve_emit_hex(e, word, 8);
}

/* As dve_dtype_text: only types that the vector engine computes with have their names in listings. */
void dve_emit_dtype(dve_emit *e, uint32_t code)
{
    const dve_dtype_info *dtype = code <= DVE_DTYPE_FP8_E5M2 ? dve_dtype((uint8_t)code) : NULL;
    if (dtype && (dtype->bytes == 1 || dtype->bytes == 2 || dtype->bytes == 4)) {
        dve_emit_text(e, dtype->name);
        return;
    }
    dve_emit_text(e, "dtype:0x");
    dve_emit_hex(e, code, 2);
}

void dve_emit_named(dve_emit *e, const char *set, uint32_t value)
{
    const dve_enum_info *member = value < 256 ? dve_enum_member(set, (uint8_t)value) : NULL;
    if (member) {
        dve_emit_text(e, member->name);
        return;
    }
    dve_emit_text(e, "0x");
    dve_emit_hex(e, value, 2);
}

static void emit_signed(dve_emit *e, uint32_t bits, unsigned width)
{
    uint32_t sign = UINT32_C(1) << (width - 1);
    if (bits & sign)
        dve_emit_char(e, '-');
    dve_emit_decimal(e, bits & sign ? 2 * (uint64_t)sign - bits : bits);
}

/* The bytes that 32-bit values hold, lowest first. */
static void emit_memory(dve_emit *e, const uint32_t *value, unsigned bytes)
{
    for (unsigned b = 0; b < bytes; b++)
        dve_emit_hex(e, value[b / 4] >> 8 * (b % 4) & 0xff, 2);
}

static void emit_indirect(dve_emit *e, const uint32_t *value, unsigned dims, uint8_t gen)
{
    dve_emit_text(e, "indirect(");
    dve_emit_address(e, value[0] & ~(uint32_t)DVE_INDIRECT, gen);
    dve_emit_text(e, ", ");
    dve_emit_address(e, value[1] | value[2] << 16, gen);
    dve_emit_text(e, ", ");
    dve_emit_decimal(e, value[3]);
    uint32_t rest = 0;
    for (unsigned i = 4; i <= 2 * dims; i++)
        rest |= value[i];
    if (rest)
        dve_emit_text(e, ", ");
    for (unsigned i = 4; rest && i <= 2 * dims; i++)
        emit_memory(e, &value[i], 2);
    dve_emit_char(e, ')');
}

/* [step:count,...], innermost first; trailing dimensions of step 1 and count 1 go without saying. */
static void emit_dimensions(dve_emit *e, const uint32_t *step, const uint32_t *num, unsigned dims)
{
    while (dims > 1 && step[dims - 1] == 1 && num[dims - 1] == 1)
        dims--;
    for (unsigned d = 0; d < dims; d++) {
        dve_emit_char(e, d ? ',' : '[');
        emit_signed(e, step[d], 16);
        dve_emit_char(e, ':');
        dve_emit_decimal(e, num[d]);
    }
    dve_emit_char(e, ']');
}

void dve_emit_operand(dve_emit *e, const dve_insn *insn, const dve_operand_info *operand, uint8_t gen)
{
    const uint32_t *value = &insn->value[operand->addr_slot];
    unsigned dims = operand->dims;
    int indirect = dve_is_indirect(value[0], dims);
    if (indirect)
        emit_indirect(e, value, dims, gen);
    else
        dve_emit_address(e, value[0], gen);
    dve_emit_char(e, ':');
    dve_emit_dtype(e, insn->value[operand->dtype_slot]);
    if (!indirect)
        emit_dimensions(e, value + 1, value + 1 + dims, dims);
}

void dve_emit_field(dve_emit *e, const dve_insn *insn, const dve_field_info *field, uint8_t gen)
{
    const uint32_t *value = &insn->value[field->slot];
    switch (dve_form_of(field)) {
    case DVE_FORM_UNSIGNED:
        dve_emit_decimal(e, *value);
        return;
    case DVE_FORM_SIGNED:
        emit_signed(e, *value, field->width);
        return;
    case DVE_FORM_NAMED:
        dve_emit_named(e, field->type, *value);
        return;
    case DVE_FORM_DTYPE:
        dve_emit_dtype(e, *value);
        return;
    case DVE_FORM_ADDR:
        dve_emit_address(e, *value, gen);
        return;
    case DVE_FORM_BYTES:
        emit_memory(e, value, field->width / 8u);
        return;
    case DVE_FORM_F32:
        if ((*value & 0x7fffffff) <= 0x7f800000 || *value == 0x7fc00000) {
            dve_emit_f32(e, *value);
            return;
        }
        break;                                   /* a NaN that "nan" does not stand for */
    default:
        break;
    }
    dve_emit_text(e, "0x");
    dve_emit_hex(e, *value, 1);
}

static void begin_field(dve_emit *e, const char *name)
{
    dve_emit_char(e, ' ');
    dve_emit_text(e, name);
    dve_emit_char(e, '=');
}

/* wait=MODE(INDEX) or update=MODE(INDEX) */
static void emit_event(dve_emit *e, const char *name, const char *set, uint32_t mode, uint32_t index)
{
    if (!mode && !index)
        return;
    begin_field(e, name);
    dve_emit_named(e, set, mode);
    dve_emit_char(e, '(');
    dve_emit_decimal(e, index);
    dve_emit_char(e, ')');
}

static void emit_frame(dve_emit *e, const dve_insn *insn, const dve_layout *layout, uint8_t gen)
{
    const uint32_t *value = insn->value;
    static const struct { uint8_t slot; uint8_t usual; } plain[] = {
        {DVE_SLOT_RAW_inst_word_len, DVE_FRAME_WORDS}, {DVE_SLOT_RAW_debug_cmd, 0}, {DVE_SLOT_RAW_debug_hint, 0}};
    uint32_t wait = value[DVE_SLOT_RAW_wait_mode], update = value[DVE_SLOT_RAW_update_mode];
    emit_event(e, "wait", "WAIT_MODE", wait, value[DVE_SLOT_RAW_wait_idx]);
    emit_event(e, "update", "UPDATE_MODE", update, value[DVE_SLOT_RAW_update_idx]);
    if (value[DVE_SLOT_RAW_semaphore_value] || dve_mode_has_value("WAIT_MODE", wait) ||
        dve_mode_has_value("UPDATE_MODE", update)) {
        begin_field(e, "value");
        dve_emit_decimal(e, value[DVE_SLOT_RAW_semaphore_value]);
    }
    for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (value[plain[i].slot] != plain[i].usual) {
            begin_field(e, layout->field[plain[i].slot].name);
            dve_emit_field(e, insn, &layout->field[plain[i].slot], gen);
        }
}

static void emit_fields(dve_emit *e, const dve_insn *insn, const dve_layout *layout, uint8_t gen)
{
    for (unsigned i = DVE_FRAME_FIELDS; i < layout->format->fields; i++) {
        const dve_field_info *field = &layout->field[i];
        dve_role role = dve_role_of(layout, i);
        uint32_t any = role == DVE_ROLE_PLAIN ? 1 : 0;
        for (unsigned s = 0; role == DVE_ROLE_SPARE && s < field->slots; s++)
            any |= insn->value[field->slot + s];
        if (!any)
            continue;
        begin_field(e, field->name);
        dve_emit_field(e, insn, field, gen);
    }
}

/* Where no source names the opcode: the bytes. */
static void emit_raw(dve_emit *e, const dve_insn *insn)
{
    dve_record record;
    dve_encode(insn, &record);
    dve_emit_text(e, "raw ");
    for (unsigned b = 0; b < DVE_RECORD_BYTES; b++)
        dve_emit_hex(e, record.byte[b], 2);
}

size_t dve_text_print(const dve_insn *insn, uint8_t gen, char *out, size_t capacity)
{
    dve_emit e = {.out = out, .capacity = capacity};
    const dve_opcode_info *opcode = dve_opcode(dve_insn_opcode(insn));
    dve_insn own;
    if (!opcode) {
        emit_raw(&e, insn);
        return dve_emit_end(&e);
    }
    if (insn->format != opcode->format || insn->format == DVE_FORMAT_EXTENDED) {
        dve_record record;                       /* made by hand, it may have another format than its bytes */
        dve_encode(insn, &record);
        dve_decode(&record, &own);
        insn = &own;
    }
    dve_layout layout = dve_layout_of(insn->format);
    dve_emit_text(&e, opcode->mnemonic);
    for (unsigned i = 0; i < layout.format->operands; i++) {
        begin_field(&e, layout.operand[i].name);
        dve_emit_operand(&e, insn, &layout.operand[i], gen);
    }
    emit_fields(&e, insn, &layout, gen);
    emit_frame(&e, insn, &layout, gen);
    return dve_emit_end(&e);
}

size_t dve_text_field(const dve_insn *insn, const dve_field_info *field, uint8_t gen, char *out, size_t capacity)
{
    dve_emit e = {.out = out, .capacity = capacity};
    dve_emit_field(&e, insn, field, gen);
    return dve_emit_end(&e);
}

size_t dve_text_operand(const dve_insn *insn, const dve_operand_info *operand, uint8_t gen, char *out,
                        size_t capacity)
{
    dve_emit e = {.out = out, .capacity = capacity};
    dve_emit_operand(&e, insn, operand, gen);
    return dve_emit_end(&e);
}
