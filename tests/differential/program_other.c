/* SPDX-License-Identifier: Apache-2.0 */
/* Random records of accumulators, data movement and the pool engine. */
#include "program_parts.h"
#include "records.h"
#include <opendve/num.h>
#include <string.h>

static const uint8_t integers[] = {DVE_DTYPE_INT8, DVE_DTYPE_UINT8, DVE_DTYPE_INT16, DVE_DTYPE_UINT16, DVE_DTYPE_INT32,
                                   DVE_DTYPE_UINT32};
static const uint8_t floats[] = {DVE_DTYPE_FP32, DVE_DTYPE_FP32, DVE_DTYPE_BF16, DVE_DTYPE_FP16, DVE_DTYPE_FP8_E3M4,
                                 DVE_DTYPE_FP8_E4M3, DVE_DTYPE_FP8_E5M2};
static const uint8_t folds[] = {DVE_ALU_OP_ADD, DVE_ALU_OP_SUBTRACT, DVE_ALU_OP_MULT, DVE_ALU_OP_MAX, DVE_ALU_OP_MIN};

static uint8_t operator(program *p)
{
    uint8_t op;
    if (random_chance(p->random, 20))
        return DVE_ALU_OP_BYPASS;
    do
        op = (uint8_t)random_below(p->random, 0x24);
    while (!dve_num_is_general_arith(op, random_chance(p->random, 99) ? p->gen : 4));
    return op;
}

/* The widths are those of 32-bit integers too, which few of these take. */
static uint8_t narrow(program *p)
{
    uint8_t d = program_dtype(p, 0);
    return d == DVE_DTYPE_INT32 || d == DVE_DTYPE_UINT32 ? DVE_DTYPE_FP32 : d;
}

static uint8_t as_wide(program *p, uint8_t dtype)
{
    uint32_t size = dve_num_size(dtype);
    return (uint8_t)(size == 1 ? 2 + random_below(p->random, 2) : size == 2 ? 4 + random_below(p->random, 2)
                                                                            : 8 + random_below(p->random, 2));
}

/* Where the record will write, in this lane or in another. */
static void onto_results(program *p, const dve_record *record, uint32_t size, dve_place *place)
{
    size_t rows;
    dve_insn insn;
    dve_place results;
    test_random *r = p->random;
    dve_decode(record, &insn);
    const dve_format_info *format = dve_format(insn.format);
    const dve_operand_info *row = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++)
        if (row[i].access == DVE_ACCESS_WRITE && program_place(p, &insn, &row[i], &results))
            *place = results;
    place->offset = place->offset / size * size + size * random_below(r, 8);
    if (random_chance(r, 60))
        place->partition = program_start(r, dve_insn_channels(&insn), format->starts);
}

/* A scalar: in the record, behind a pointer, or behind a pointer in a register. */
static void scalar(program *p, dve_record *record, uint16_t word, uint16_t source, uint8_t dtype, uint32_t partition,
                   int *reg)
{
    test_random *r = p->random;
    uint32_t size = dve_num_size(dtype);
    dve_place place = {DVE_SPACE_SBUF, partition, 0x3000 + size * random_below(r, 64)};
    if (random_chance(r, 30))
        onto_results(p, record, size, &place);
    if (random_chance(r, 60)) {
        record_set(record, word, program_element(p, dtype));
        return;
    }
    uint32_t pointer = dve_place_addr(&place, p->gen) + (random_chance(r, 1) ? 1 : 0);
    if (*reg < 0 && random_chance(r, 30)) {
        *reg = (int)random_below(r, DVE_ADDR_REGISTERS);
        p->registers[*reg] = pointer;
        record_set(record, word, (uint32_t)*reg);
        record_set(record, source, DVE_IMM_SRC_REG_PTR);
    } else {
        record_set(record, word, pointer);
        record_set(record, source, DVE_IMM_SRC_POINTER);
    }
}
#define SCALAR(format, word, source, dtype) \
    scalar(p, record, DVE_FIELD_##format##_##word, DVE_FIELD_##format##_##source, dtype, start, reg)

static void dtypes(program *p, dve_record *record)
{
    test_random *r = p->random;
    switch (record->byte[0]) {
    case 0x47: case 0x46: case 0x6a: case 0x6b:
        SET(record, S4D4_TR_in_dtype, program_dtype(p, 0));
        SET(record, S4D4_TR_out_dtype, record->byte[0] == 0x47 ? program_dtype(p, 1) : record->byte[32]);
        SET(record, S4D4_TR_op_dim, 2 * random_below(r, 2));
        break;
    case 0x49: SET(record, D4_MR_dtype, program_dtype(p, 1)); break;
    case 0x72: case 0x99:
        SET(record, S3S3D3_TT_src0_dtype, RANDOM_OF(r, integers));
        SET(record, S3S3D3_TT_src1_dtype, program_dtype(p, 0));
        SET(record, S3S3D3_TT_out_dtype, record->byte[0] == 0x99 ? program_dtype(p, 0)
                                                                 : record_get(record, DVE_FIELD_S3S3D3_TT_src1_dtype));
        break;
    case 0x98:
        SET(record, S3D3_TS_SELECT_dtype, program_dtype(p, 0));
        SET(record, S3D3_TS_SELECT_pred_imm_dtype, as_wide(p, record->byte[34]));
        break;
    case 0x9a: case 0xe6:
        SET(record, S3D3_TS_in_dtype, narrow(p));
        SET(record, S3D3_TS_out_dtype, program_dtype(p, 1));
        break;
    case 0xe5: case 0xea:
        SET(record, S2S2D2_STT_src0_dtype, record->byte[0] == 0xe5 ? program_dtype(p, 0) : RANDOM_OF(r, integers));
        SET(record, S2S2D2_STT_src1_dtype, record->byte[0] == 0xe5 ? program_dtype(p, 0) : narrow(p));
        SET(record, S2S2D2_STT_out_dtype, program_dtype(p, 1));
        break;
    case 0xe8:
        SET(record, S3D3_CP_PRED_SCALAR_pred_dtype, RANDOM_OF(r, integers));
        SET(record, S3D3_CP_PRED_SCALAR_in_dtype, program_dtype(p, 0));
        SET(record, S3D3_CP_PRED_SCALAR_out_dtype, record->byte[41]);
        break;
    case 0xbc:
        SET(record, S2D2_RS_in_dtype, RANDOM_OF(r, floats));
        SET(record, S2D2_RS_out_dtype, random_chance(r, 10) ? DVE_DTYPE_FP32R : RANDOM_OF(r, floats));
        break;
    case 0x9b: SET(record, D1_RD_dtype, random_chance(r, 10) ? DVE_DTYPE_FP32R : RANDOM_OF(r, floats)); break;
    case 0xf2:
        SET(record, S3D3_NONZERO_WITH_COUNT_in_dtype, random_chance(r, 50) ? DVE_DTYPE_INT32 : DVE_DTYPE_FP32);
        break;
    case 0x67: SET(record, S4_PB_in_dtype, program_dtype(p, 0)); break;
    case 0x68:
        SET(record, S4D4_GT_in_dtype, RANDOM_OF(r, ((const uint8_t[]){DVE_DTYPE_UINT8, DVE_DTYPE_UINT16,
                                                                      DVE_DTYPE_UINT16, DVE_DTYPE_UINT32})));
        SET(record, S4D4_GT_out_dtype, p->gathered && random_chance(r, 90) ? p->gathered : program_dtype(p, 1));
        break;
    case 0xe7:
        SET(record, S4D4_IC_in_dtype, program_dtype(p, 0));
        SET(record, S4D4_IC_out_dtype, record->byte[32]);
        break;
    default: break;
    }
}

static uint32_t lanes(program *p, dve_record *record, uint32_t count)
{
    uint32_t n = program_channels(p, count);
    switch (record->byte[0]) {
    case 0x6a: case 0x6b: return 32 * (random_chance(p->random, 60) ? 1 : 1 + random_below(p->random, 4));
    case 0xe7: return 16 * (random_chance(p->random, 60) ? 1 : 1 + random_below(p->random, 8));
    case 0xf2: case 0x68: case 0x67: return random_chance(p->random, 70) ? n : 1 + random_below(p->random, 60);
    default: return n;
    }
}

static uint32_t elements(program *p, const dve_record *record)
{
    test_random *r = p->random;
    uint32_t n = random_chance(r, 80) ? 1 + random_below(r, 40) : random_chance(r, 90) ? 1 + random_below(r, 600)
                                                                                      : 1 + random_below(r, 9000);
    switch (record->byte[0]) {
    case 0x6b: return 32 * (1 + n % 8);
    case 0x67: return 1 + n % (random_chance(r, 95) ? 512 : 520);
    case 0xe7: return (1 + n % 60) << random_below(r, 6);
    default: return n;
    }
}

/* Every operand of the format with its count; the first place that is read comes back. */
static void operands(program *p, dve_record *record, uint32_t count, uint32_t start, int *reg)
{
    size_t rows;
    dve_insn insn;
    test_random *r = p->random;
    dve_decode(record, &insn);
    const dve_format_info *format = dve_format(insn.format);
    const dve_operand_info *row = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++) {
        dve_place place;
        uint8_t dtype = (uint8_t)insn.value[row[i].dtype_slot], opcode = record->byte[0];
        program_shape shape = {.at = row[i].byte, .dims = row[i].dims, .size = dve_num_size(dtype), .count = count};
        shape.pool = format->starts != 0;
        shape.write = row[i].access == DVE_ACCESS_WRITE;
        shape.partition = start;
        if (shape.write && random_chance(r, 60))
            shape.partition = program_start(r, dve_insn_channels(&insn), format->starts);
        if (row[i].form == DVE_OPERAND_INDIRECT)
            continue;
        if (shape.write && opcode == 0x6b && random_chance(r, 20))
            shape.count = 1 + random_below(r, count);
        if (shape.write && opcode == 0xf2)
            shape.count = count + 1;
        if (opcode == 0x9b)
            shape.count = 1;
        program_operand(p, record, &shape, &place, reg);
    }
}

/* In one place, or nearly: the first operand that is read where the last one is. */
static void in_place(program *p, dve_record *record)
{
    size_t rows;
    const dve_format_info *format = dve_format(dve_record_format(record));
    const dve_operand_info *row = dve_isa_operands(&rows) + format->first_operand;
    if (format->operands < 2)
        return;
    unsigned last = format->operands - 1u, from = random_below(p->random, last);
    if (row[last].dims != row[from].dims || !random_chance(p->random, 20) || row[from].form == DVE_OPERAND_INDIRECT)
        return;
    memcpy(record->byte + row[last].byte, record->byte + row[from].byte, 4u + 4u * row[from].dims);
    record->byte[row[last].byte] ^= (uint8_t)(random_chance(p->random, 60) ? 0 : 4u << random_below(p->random, 4));
}

static void indirect(program *p, dve_record *record, uint32_t count, uint32_t start, int *reg)
{
    test_random *r = p->random;
    uint32_t run = 1u << random_below(r, 6), size = dve_num_size(record->byte[32]);
    while (count % run)
        run /= 2;
    dve_place list = {DVE_SPACE_SBUF, start, 0x5000 + 4 * random_below(r, 200)};
    dve_place data = {DVE_SPACE_SBUF, start, (random_chance(r, 60) ? 0 : 0x2000) + size * random_below(r, 64)};
    uint32_t word = dve_place_addr(&list, p->gen), where = dve_place_addr(&data, p->gen);
    if (*reg < 0 && random_chance(r, 10)) {
        *reg = (int)random_below(r, DVE_ADDR_REGISTERS);
        p->registers[*reg] = word;
        word = 0xa0000000u | (uint32_t)*reg;
    } else {
        word |= 0x20000000u;
    }
    SET(record, S4D4_IC_src_start_addr, word);
    SET(record, S4D4_IC_src_step0, where & 0xffff);
    SET(record, S4D4_IC_src_step1, where >> 16);
    SET(record, S4D4_IC_src_step2, count + (random_chance(r, 3) ? 1u : 0u));
    SET(record, S4D4_IC_src_step3, 0);
    SET(record, S4D4_IC_src_num0, 0);
    SET(record, S4D4_IC_src_num1, 0);
    SET(record, S4D4_IC_src_num2, 0);
    SET(record, S4D4_IC_src_num3, 0);
    SET(record, S4D4_IC_src_num_elem_per_idx, run);
    SET(record, S4D4_IC_src_buffer_size, 2 + random_below(r, 500));
}

static void movement_fields(program *p, dve_record *record, uint32_t count, uint32_t start, int *reg)
{
    test_random *r = p->random;
    switch (record->byte[0]) {
    case 0x49:
        SET(record, D4_MR_dst_element_count, count);
        SET(record, D4_MR_set_value, program_element(p, record->byte[32]));
        break;
    case 0x6b: SET(record, S4D4_TR_mask_enable, random_below(r, 2)); break;
    case 0x69:
        for (unsigned i = 0; i < 32; i++)
            record->byte[32 + i] = (uint8_t)(random_chance(r, 10) ? 255 : random_below(r, random_chance(r, 80) ? 32 : 64));
        break;
    case 0x98:
        SET(record, S3D3_TS_SELECT_reversed_pred, random_below(r, 2));
        SCALAR(S3D3_TS_SELECT, src1_imm, src1_imm_src, record->byte[34]);
        SCALAR(S3D3_TS_SELECT, pred_imm, pred_imm_src, record->byte[35]);
        if (!record->byte[39])
            SET(record, S3D3_TS_SELECT_pred_imm, random_below(r, 2));
        break;
    case 0xe8:
        SET(record, S3D3_CP_PRED_SCALAR_reversed_pred, random_below(r, 2));
        SCALAR(S3D3_CP_PRED_SCALAR, src0_imm, src0_imm_src, record->byte[41]);
        break;
    default: break;
    }
}

static void accumulator_fields(program *p, dve_record *record, uint32_t start, int *reg)
{
    test_random *r = p->random;
    uint32_t command;
    switch (record->byte[0]) {
    case 0x9a: case 0xe6:
        command = 2 + random_below(r, 3);
        SET(record, S3D3_TS_accumulator_cmd, command);
        SET(record, S3D3_TS_op0, operator(p));
        SET(record, S3D3_TS_op1, RANDOM_OF(r, folds));
        SCALAR(S3D3_TS, imm0, imm0_src, DVE_DTYPE_FP32);
        if (command == 4)
            SCALAR(S3D3_TS, imm1, imm1_src, DVE_DTYPE_FP32);
        break;
    case 0xe5:
        SET(record, S2S2D2_STT_op0, operator(p));
        SET(record, S2S2D2_STT_op1, operator(p));
        SET(record, S2S2D2_STT_reverse_operands, random_below(r, 4));
        SCALAR(S2S2D2_STT, imm0, imm0_src, DVE_DTYPE_FP32);
        break;
    case 0xea:
        SET(record, S2S2D2_STT_accumulator_cmd, RANDOM_OF(r, ((const uint8_t[]){0, 2, 3})));
        SET(record, S2S2D2_STT_reverse_operands, random_below(r, 2));
        SCALAR(S2S2D2_STT, imm0, imm0_src, DVE_DTYPE_FP32);
        break;
    case 0xbc:
        SET(record, S2D2_RS_reduce_cmd, RANDOM_OF(r, ((const uint8_t[]){0, 2, 3})));
        SET(record, S2D2_RS_base, random_chance(r, 70) ? 0x41200000u : 0x4b7ff000u);
        SET(record, S2D2_RS_comp_op0, 0x12 + random_below(r, 5));
        SET(record, S2D2_RS_comp_op1, 0x12 + random_below(r, 5));
        SCALAR(S2D2_RS, bound0, bound0_src, DVE_DTYPE_FP32);
        SCALAR(S2D2_RS, bound1, bound1_src, DVE_DTYPE_FP32);
        break;
    case 0x9b: SET(record, D1_RD_negated, random_below(r, 2)); break;
    default: break;
    }
}

static void pool_fields(program *p, dve_record *record, uint32_t count, uint32_t start, int *reg)
{
    test_random *r = p->random;
    switch (record->byte[0]) {
    case 0xf2:
        SCALAR(S3D3_NONZERO_WITH_COUNT, index_offset, index_offset_src, DVE_DTYPE_INT32);
        SCALAR(S3D3_NONZERO_WITH_COUNT, padding_val, padding_val_src, DVE_DTYPE_INT32);
        break;
    case 0x67:
        SET(record, S4_PB_start_index, random_chance(r, 60) ? 0 : 512 * random_below(r, 4));
        SET(record, S4_PB_mask, random_chance(r, 90) ? 511 : random_bits(r) >> random_below(r, 32));
        p->gathered = record->byte[32];
        break;
    case 0x68:
        SET(record, S4D4_GT_index_miss_behavior, random_below(r, 2));
        SET(record, S4D4_GT_free_pool_buffer, random_chance(r, 10) ? 1u : 0u);
        SET(record, S4D4_GT_immediate, program_element(p, record->byte[33]));
        break;
    case 0xe7: indirect(p, record, count, start, reg); break;
    default: break;
    }
}

void program_other_record(program *p, dve_record *record, int *reg)
{
    static const uint8_t opcodes[] = {0x46, 0x47, 0x49, 0x67, 0x68, 0x68, 0x69, 0x6a, 0x6a, 0x6b, 0x72, 0x98, 0x99,
                                      0x9a, 0x9a, 0x9b, 0xbc, 0xe5, 0xe5, 0xe6, 0xe6, 0xe7, 0xe8, 0xea, 0xea, 0xf2, 0xf2, 0xbc};
    dve_insn insn;
    record_base(RANDOM_OF(p->random, opcodes), record);
    uint32_t count = elements(p, record), n = lanes(p, record, count);
    const dve_format_info *format = dve_format(dve_record_format(record));
    dve_decode(record, &insn);
    if (format->channels_slot)
        insn.value[format->channels_slot] = n;
    dve_encode(&insn, record);
    uint32_t start = program_start(p->random, n, format->starts);
    dtypes(p, record);
    operands(p, record, count, start, reg);
    movement_fields(p, record, count, start, reg);
    accumulator_fields(p, record, start, reg);
    pool_fields(p, record, count, start, reg);
    in_place(p, record);
}
