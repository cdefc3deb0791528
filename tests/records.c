/* SPDX-License-Identifier: Apache-2.0 */
#include "records.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

const uint8_t record_opcodes[] = {0x60, 0x61, 0x62, 0x82, 0x6c, 0x6e, 0x64, 0x6d, 0x70,
                                  0x71, 0x6f, 0x49, 0x4d, 0x4b, 0xe9, 0x9b, 0x24, 0x9f};
const size_t record_opcode_count = sizeof record_opcodes;

void record_set(dve_record *record, uint16_t field, uint32_t value)
{
    size_t rows;
    const dve_field_info *row = &dve_isa_fields(&rows)[field];
    assert(field < rows && row->bit == 0 && row->width % 8 == 0 && row->width <= 32);
    for (unsigned b = 0; b < row->width / 8u; b++)
        record->byte[row->byte + b] = (uint8_t)(value >> 8 * b);
}

uint32_t record_get(const dve_record *record, uint16_t field)
{
    size_t rows;
    const dve_field_info *row = &dve_isa_fields(&rows)[field];
    uint32_t value = 0;
    assert(field < rows && row->bit == 0 && row->width % 8 == 0 && row->width <= 32);
    for (unsigned b = 0; b < row->width / 8u; b++)
        value |= (uint32_t)record->byte[row->byte + b] << 8 * b;
    return value;
}

static void put(dve_record *record, unsigned at, unsigned bytes, uint32_t value)
{
    for (unsigned b = 0; b < bytes; b++)
        record->byte[at + b] = (uint8_t)(value >> 8 * b);
}

void record_place(dve_record *record, dve_access access, uint32_t addr, int step, uint32_t count)
{
    size_t rows;
    const dve_operand_info *operand = dve_isa_operands(&rows);
    uint8_t format = dve_opcode(record->byte[0])->format;
    for (size_t i = 0; i < rows; i++) {
        if (operand[i].format != format || operand[i].access != access)
            continue;
        unsigned at = operand[i].byte, dims = operand[i].dims;
        put(record, at, 4, addr);
        for (unsigned d = 0; d < dims; d++) {
            put(record, at + 4 + 2 * d, 2, d ? 1 : (uint32_t)step & 0xffff);
            put(record, at + 4 + 2 * dims + 2 * d, 2, d ? 1 : count);
        }
        return;
    }
    assert(!"no such operand");
}

/* What the opcode wants beside the frame and dense operands. */
typedef struct shape {
    uint8_t opcode, in, out;     /* bytes 32 and 33 */
    uint16_t src, dst;           /* elements; 0: no such operand */
} shape;

static const shape shapes[] = {
    {0x60, DVE_DTYPE_FP32, DVE_DTYPE_FP32, 16, 3},  {0x61, DVE_DTYPE_FP32, DVE_DTYPE_FP32, 16, 6},
    {0x62, DVE_DTYPE_FP32, DVE_DTYPE_FP32, 12, 2},  {0x82, DVE_DTYPE_FP32, DVE_DTYPE_FP32, 64, 6},
    {0x6c, DVE_DTYPE_FP32, DVE_DTYPE_FP32, 16, 8},  {0x6e, DVE_DTYPE_FP32, DVE_DTYPE_UINT16, 16, 8},
    {0x64, DVE_DTYPE_FP32, 0, 3, 0},                {0x6d, DVE_DTYPE_FP32, 0, 8, 0},
    {0x70, DVE_DTYPE_FP32, 0, 4, 0},                {0x71, DVE_DTYPE_FP32, 0, 4, 0},
    {0x6f, DVE_DTYPE_FP32, DVE_DTYPE_FP32, 16, 16}, {0x49, DVE_DTYPE_FP32, 0, 0, 16},
    {0x4d, DVE_DTYPE_UINT32, 0, 0, 16},             {0x4b, DVE_DTYPE_FP32, 0, 0, 16},
    {0xe9, DVE_DTYPE_UINT16, 0, 0, 8},              {0x9b, DVE_DTYPE_FP32, 0, 0, 1},
    {0x24, DVE_DTYPE_FP32, 0, 0, 1},
};

void record_base(uint8_t opcode, dve_record *out)
{
    memset(out, 0, sizeof *out);
    out->byte[0] = opcode;
    SET(out, RAW_inst_word_len, 16);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const shape *s = &shapes[i];
        if (s->opcode != opcode)
            continue;
        out->byte[32] = s->in;
        out->byte[33] = s->out;
        out->byte[34] = DVE_LANES;
        if (s->src)
            record_place(out, DVE_ACCESS_READ, 0, 1, s->src);
        if (s->dst)
            record_place(out, DVE_ACCESS_WRITE, 0x20000, 1, s->dst);
        if (dve_opcode(opcode)->format == DVE_FORMAT_D4_MR)
            SET(out, D4_MR_dst_element_count, s->dst);
        if (dve_opcode(opcode)->format == DVE_FORMAT_D1_RD)
            SET(out, D1_RD_dst_element_count, s->dst);
    }
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
