/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, pointers and codes as fields have them. */
#include "build.h"
#include <string.h>

static uint64_t f64_bits(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint32_t f32_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static int is_nan(double number)
{
    return (f64_bits(number) & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

/* To the nearest fp32; where `odd`, cut instead, with the last bit set if that changed the value: narrower
 * formats then round as if they had seen the double. */
static uint32_t to_f32(double number, int odd)
{
    if (is_nan(number))
        return DVE_F32_QUIET_NAN;
    float nearest = (float)number;
    uint32_t bits = f32_bits(nearest);
    uint64_t given = f64_bits(number) & INT64_MAX, rounded = f64_bits((double)nearest) & INT64_MAX;
    if (!odd || given == rounded)
        return bits;
    return (rounded > given ? bits - 1 : bits) | 1;
}

/* To the nearest integer of a type with ends low and high, ties to even. */
static uint32_t to_integer(double number, double low, double high)
{
    if (number <= low)
        return (uint32_t)(int64_t)low;
    if (number >= high)
        return (uint32_t)(int64_t)high;
    int64_t whole = (int64_t)number;
    double rest = number - (double)whole;
    if (rest > 0.5 || (rest == 0.5 && whole & 1))
        whole++;
    if (rest < -0.5 || (rest == -0.5 && whole & 1))
        whole--;
    return (uint32_t)whole;
}

static uint32_t to_dtype(const dve_num_config *num, double number, uint8_t dtype)
{
    if (!is_nan(number))
        switch (dtype) {
        case DVE_DTYPE_INT8: return to_integer(number, INT8_MIN, INT8_MAX) & 0xff;
        case DVE_DTYPE_UINT8: return to_integer(number, 0, UINT8_MAX);
        case DVE_DTYPE_INT16: return to_integer(number, INT16_MIN, INT16_MAX) & 0xffff;
        case DVE_DTYPE_UINT16: return to_integer(number, 0, UINT16_MAX);
        case DVE_DTYPE_INT32: return to_integer(number, INT32_MIN, INT32_MAX);
        case DVE_DTYPE_UINT32: return to_integer(number, 0, UINT32_MAX);
        default: break;
        }
    return dve_num_from_f32(num, dtype, to_f32(number, dtype != DVE_DTYPE_FP32));
}

/* A pointer is an address and nothing else: what it points to must be what the engine reads there. */
static uint32_t pointer(dve_lowering *l, uint8_t operand, uint8_t dtype)
{
    const dve_lower_access *a = dve_low_access(l, operand);
    if (a->indirect)
        DVE_REFUSE_AT(l, indirect, operand, 0, 0, 0);
    else if (dve_low_count(a) != 1)
        DVE_REFUSE_AT(l, pointer_count, operand, dve_low_count(a), 1, 1);
    else if (dve_low_dtype(l, operand) != dtype)
        DVE_REFUSE_AT(l, pointer_dtype, operand, dve_low_dtype(l, operand), dtype, dtype);
    return dve_low_address(l, a);
}

uint32_t dve_low_scalar(dve_lowering *l, uint8_t operand, uint8_t dtype, uint32_t *source)
{
    const dve_lower_value *value = &l->in->operand[operand];
    if (l->refused)
        return 0;
    if (source)
        *source = value->kind == DVE_LOWER_TENSOR     ? DVE_IMM_SRC_POINTER
                  : value->kind == DVE_LOWER_REGISTER ? DVE_IMM_SRC_REG_PTR
                                                      : DVE_IMM_SRC_INSTRUCTION;
    switch (value->kind) {
    case DVE_LOWER_BITS: return value->bits;
    case DVE_LOWER_NUMBER:
        if (!dve_num_size(dtype))
            DVE_REFUSE_AT(l, value_dtype, operand, dtype, 0, 0);
        return to_dtype(&l->target->num, value->number, dtype);
    case DVE_LOWER_TENSOR:
        if (source)
            return pointer(l, operand, dtype);
        break;
    default:
        if (source && (value->integer < 0 || value->integer >= DVE_ADDR_REGISTERS))
            DVE_REFUSE_AT(l, register, operand, value->integer, 0,
                           DVE_ADDR_REGISTERS - 1);
        if (source)
            return (uint8_t)value->integer;
        break;
    }
    DVE_REFUSE_AT(l, no_source, operand, 0, 0, 0);
    return 0;
}

uint32_t dve_low_int32(dve_lowering *l, uint8_t operand, uint32_t *source)
{
    const dve_lower_value *value = &l->in->operand[operand];
    if (value->kind == DVE_LOWER_NUMBER &&
        !(value->number >= INT32_MIN && value->number <= INT32_MAX && value->number == (double)(int64_t)value->number))
        DVE_REFUSE_AT(l, integer, operand, 0, INT32_MIN, INT32_MAX);
    return dve_low_scalar(l, operand, DVE_DTYPE_INT32, source);
}

/* The row of an ordinal; NULL where it has no wire code on any generation. */
static const dve_compiler_code_info *row_of(const dve_compiler_code_info *rows, size_t count, int64_t ordinal)
{
    return ordinal >= 0 && (uint64_t)ordinal < count && rows[ordinal].wire >= 0 ? &rows[ordinal] : NULL;
}

uint8_t dve_low_operator(dve_lowering *l, uint8_t operand)
{
    size_t count;
    dve_lower_code code = l->in->operand[operand].code;
    const dve_compiler_code_info *rows = dve_compiler_operators(&count);
    const char *gens = "YYYY";
    if (code.is_ordinal) {
        rows = row_of(rows, count, code.number);
        if (!rows)
            DVE_REFUSE_AT(l, operator, operand, code.number, 0, 0);
        if (!rows)
            return 0;
        gens = rows->gens;
        code.number = rows->wire;
    } else {
        int is_code = code.number >= 0 && code.number < 256;
        const dve_enum_info *member = is_code ? dve_enum_member("ALU_OP", (uint8_t)code.number) : NULL;
        if (member)
            gens = member->gens;
    }
    if (!dve_marked(gens, l->target->gen))
        dve_low_first_gen(l, DVE_LOWER_REFUSAL_operator_generation, operand, gens);
    return (uint8_t)code.number;
}

uint8_t dve_low_accumulate(dve_lowering *l, uint8_t operand, uint8_t absent)
{
    size_t count;
    dve_lower_code code = l->in->operand[operand].code;
    const dve_compiler_code_info *rows = dve_compiler_accumulates(&count);
    if (!dve_low_given(l, operand))
        return absent;
    if (!code.is_ordinal)
        return (uint8_t)code.number;
    const dve_compiler_code_info *row = row_of(rows, count, code.number);
    if (row)
        return (uint8_t)row->wire;
    if (code.number >= 0 && (uint64_t)code.number < count)
        DVE_REFUSE_AT(l, accumulate_hint, operand, code.number, 0, 0);
    else
        DVE_REFUSE_AT(l, accumulate, operand, code.number, 0, 0);
    return absent;
}

int64_t dve_low_integer(const dve_lowering *l, uint8_t operand, int64_t absent)
{
    return dve_low_given(l, operand) ? l->in->operand[operand].integer : absent;
}

uint32_t dve_low_flag(dve_lowering *l, uint8_t operand)
{
    int64_t flag = dve_low_integer(l, operand, 0);
    if (flag != 0 && flag != 1)
        DVE_REFUSE_AT(l, flag, operand, flag, 0, 1);
    return flag == 1;
}
