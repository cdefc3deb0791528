/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint8_t record_opcodes[] = {
#define BASE(opcode, src, dst) opcode,
#include "records.def"
};
const size_t record_opcode_count = sizeof record_opcodes;

/* A field as bits of the record, inside a byte or whole bytes. */
static const dve_field_info *field_row(uint16_t field)
{
    size_t rows;
    const dve_field_info *row = &dve_isa_fields(&rows)[field];
    assert(field < rows && (row->bit + row->width <= 8 || (row->bit == 0 && row->width % 8 == 0)));
    return row;
}

static uint32_t mask_of(const dve_field_info *row)
{
    return row->width >= 32 ? UINT32_MAX : (1u << row->width) - 1;
}

void record_set(dve_record *record, uint16_t field, uint32_t value)
{
    const dve_field_info *row = field_row(field);
    uint32_t mask = mask_of(row);
    for (unsigned b = 0; b < 4 && 8 * b < row->width; b++) {
        uint8_t *byte = &record->byte[row->byte + b];
        *byte = (uint8_t)((*byte & ~(mask << row->bit >> 8 * b)) | (value & mask) << row->bit >> 8 * b);
    }
}

uint32_t record_get(const dve_record *record, uint16_t field)
{
    const dve_field_info *row = field_row(field);
    uint32_t mask = mask_of(row), value = 0;
    for (unsigned b = 0; b < 4 && 8 * b < row->width; b++)
        value |= (uint32_t)record->byte[row->byte + b] << 8 * b;
    return value >> row->bit & mask;
}

static void put(dve_record *record, unsigned at, unsigned bytes, uint32_t value)
{
    for (unsigned b = 0; b < bytes; b++)
        record->byte[at + b] = (uint8_t)(value >> 8 * b);
}

static void place(dve_record *record, const dve_operand_info *operand, uint32_t addr, int step, uint32_t count)
{
    unsigned at = operand->byte, dims = operand->dims;
    put(record, at, 4, addr);
    for (unsigned d = 0; d < dims; d++) {
        put(record, at + 4 + 2 * d, 2, d ? 1 : (uint32_t)step & 0xffff);
        put(record, at + 4 + 2 * dims + 2 * d, 2, d ? 1 : count);
    }
}

void record_place(dve_record *record, dve_access access, uint32_t addr, int step, uint32_t count)
{
    size_t rows;
    const dve_format_info *format = dve_format(dve_record_format(record));
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++)
        if (operand[i].access == access) {
            place(record, &operand[i], addr, step, count);
            return;
        }
    fprintf(stderr, "opcode 0x%02x has no such operand\n", record->byte[0]);
    abort();
}

/* Data types, channels, and operands: the first that is read at byte 0, the second 0x10000 behind it, the
 * first that is written at 0x20000, the second 0x8000 behind. */
static void fill(dve_record *record, uint32_t src, uint32_t dst)
{
    size_t rows;
    const dve_format_info *format = dve_format(dve_record_format(record));
    const dve_field_info *fields = dve_isa_fields(&rows);
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    uint32_t reads = 0, writes = 0x20000;
    for (unsigned i = 0; i < format->fields; i++) {
        uint16_t row = (uint16_t)(format->first_field + i);
        if (fields[row].kind == DVE_KIND_DTYPE)
            record_set(record, row, DVE_DTYPE_FP32);
        if (fields[row].kind == DVE_KIND_CHANNELS)
            record_set(record, row, DVE_LANES);
    }
    for (unsigned i = 0; i < format->operands; i++) {
        int is_write = operand[i].access == DVE_ACCESS_WRITE;
        place(record, &operand[i], is_write ? writes : reads, 1, is_write ? dst : src);
        *(is_write ? &writes : &reads) += is_write ? 0x8000 : 0x10000;
    }
}

void record_base(uint8_t opcode, dve_record *out)
{
    static const struct {
        uint8_t opcode, src, dst;
    } bases[] = {
#define BASE(opcode, src, dst) {opcode, src, dst},
#include "records.def"
    };
    static const struct {
        uint8_t opcode;
        uint16_t field;
        uint32_t value;
    } settings[] = {
#define WITH(opcode, field, value) {opcode, DVE_FIELD_##field, value},
#include "records.def"
    };
    memset(out, 0, sizeof *out);
    out->byte[0] = opcode;
    SET(out, RAW_inst_word_len, 16);
    if (opcode == DVE_OPCODE_EXTENDED_INST)
        SET(out, EXTENDED_extended_opcode, DVE_EXTENDED_OP_TENSOR_TENSOR);
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        if (bases[i].opcode == opcode)
            fill(out, bases[i].src, bases[i].dst);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (settings[i].opcode == opcode)
            record_set(out, settings[i].field, settings[i].value);
}

const char *record_text(const dve_record *record)
{
    static char text[2][2 * DVE_RECORD_BYTES + 17];
    static unsigned turn;
    char *at = text[turn++ % 2];
    const char *start = at;
    for (unsigned b = 0; b < DVE_RECORD_BYTES; b++)
        at += sprintf(at, b % 4 || !b ? "%02x" : " %02x", record->byte[b]);
    return start;
}
