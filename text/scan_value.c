/* SPDX-License-Identifier: Apache-2.0 */
/* Names, places, addresses and operands of a line. */
#include "scan.h"
#include <string.h>

enum { SHOWN = 60, HINT = 128 };

static int shown(dve_word word)
{
    return (int)(word.length < SHOWN ? word.length : SHOWN);
}

static int is_number(dve_word word)
{
    return word.length && *word.text >= '0' && *word.text <= '9';
}

static int unknown_name(dve_scan *s, const char *what, const char *set, uint32_t high, dve_word word)
{
    size_t rows;
    char hint[HINT];
    const dve_enum_info *row = dve_isa_enums(&rows);
    dve_guess guess = dve_guess_begin(word.text, word.length);
    for (size_t i = 0; i < rows; i++)
        if (row[i].value <= high && strcmp(row[i].set, set) == 0)
            dve_guess_try(&guess, row[i].name);
    return dve_scan_fail(s, word.at, s->at,
                         dve_scan_hint(&guess, "`opendve isa enums` lists the names; a number is taken as it is", hint,
                                       sizeof hint),
                         "%s: there is no \"%.*s\"", what, shown(word), word.text);
}

int dve_scan_named(dve_scan *s, const char *what, const char *set, uint32_t high, uint32_t *out)
{
    size_t rows;
    const dve_enum_info *row = dve_isa_enums(&rows);
    dve_word word = dve_scan_peek(s);
    if (is_number(word))
        return dve_scan_number(s, what, 0, high, out);
    dve_scan_word(s);
    if (!word.length)
        return dve_scan_expected(s, what, "write a name or a number");
    for (size_t i = 0; i < rows; i++)
        if (dve_word_is(word, row[i].name) && row[i].value <= high && strcmp(row[i].set, set) == 0) {
            *out = row[i].value;
            return 1;
        }
    return unknown_name(s, what, set, high, word);
}

static int unknown_dtype(dve_scan *s, const char *what, dve_word word)
{
    size_t rows;
    char hint[HINT];
    const dve_dtype_info *row = dve_isa_dtypes(&rows);
    dve_guess guess = dve_guess_begin(word.text, word.length);
    for (size_t i = 0; i < rows; i++)
        dve_guess_try(&guess, row[i].name);
    return dve_scan_fail(s, word.at, s->at,
                         dve_scan_hint(&guess, "data types are fp32, bf16, uint16 ... or dtype:0x17 by code", hint,
                                       sizeof hint),
                         "%s: there is no data type \"%.*s\"", what, shown(word), word.text);
}

int dve_scan_dtype(dve_scan *s, const char *what, uint32_t high, uint32_t *out)
{
    size_t rows;
    const dve_dtype_info *row = dve_isa_dtypes(&rows);
    dve_word word = dve_scan_word(s);
    if (!word.length)
        return dve_scan_expected(s, what, "data types are fp32, bf16, uint16 ... or dtype:0x17 by code");
    if (dve_word_is(word, "dtype"))
        return dve_scan_must(s, ':', "a code is written dtype:0x17") && dve_scan_number(s, what, 0, high, out);
    for (size_t i = 0; i < rows; i++) {
        if (!dve_word_is(word, row[i].name))
            continue;
        if (row[i].code > high)
            return dve_scan_fail(s, word.at, s->at, "", "%s: the code of %s, 0x%x, is above 0x%x", what, row[i].name,
                                 row[i].code, (unsigned)high);
        *out = row[i].code;
        return 1;
    }
    return unknown_dtype(s, what, word);
}

int dve_scan_place(dve_scan *s, dve_word word, dve_place *out, uint32_t *partitions)
{
    static const char hint[] = "a place is written sbuf[0]+0x40: partition, then byte offset";
    const dve_generation_info *generation = dve_generation(s->source->gen);
    out->space = *word.text == 's' ? DVE_SPACE_SBUF : DVE_SPACE_PSUM;
    uint32_t stride = out->space == DVE_SPACE_SBUF ? generation->sbuf_stride : generation->psum_stride;
    uint32_t end = out->space == DVE_SPACE_SBUF ? DVE_PSUM_BASE : DVE_PSUM_END - DVE_PSUM_BASE;
    uint32_t last = end / stride < DVE_LANES ? end / stride - 1 : DVE_LANES - 1;
    out->offset = 0;
    if (!dve_scan_must(s, '[', hint) || !dve_scan_number(s, "partition", 0, last, &out->partition))
        return 0;
    if (partitions && dve_scan_take(s, ':') &&
        !dve_scan_number(s, "number of partitions", 1, DVE_LANES - out->partition, partitions))
        return 0;
    if (!dve_scan_must(s, ']', hint))
        return 0;
    return !dve_scan_take(s, '+') || dve_scan_number(s, "byte offset", 0, stride - 1, &out->offset);
}

static int unknown_address(dve_scan *s, dve_word word)
{
    char hint[HINT];
    dve_guess guess = dve_guess_begin(word.text, word.length);
    dve_guess_try(&guess, "sbuf");
    dve_guess_try(&guess, "psum");
    for (unsigned i = 0; i < DVE_REGISTER_FORMS; i++)
        dve_guess_try(&guess, dve_register_forms[i].name);
    for (uint32_t i = 0; i < s->source->tensors; i++)
        dve_guess_try(&guess, s->source->tensor[i].name);
    return dve_scan_fail(s, word.at, s->at,
                         dve_scan_hint(&guess, "sbuf[0]+0x40, psum[0]+0x40, reg[5], a .tensor or @0x00000040", hint,
                                       sizeof hint),
                         "\"%.*s\" is neither a memory nor a tensor", shown(word), word.text);
}

int dve_scan_address(dve_scan *s, uint32_t *word, const dve_tensor **tensor)
{
    dve_place place;
    *tensor = NULL;
    if (dve_scan_take(s, '@'))
        return dve_scan_number(s, "address word", 0, UINT32_MAX, word);
    dve_word name = dve_scan_word(s);
    if (!name.length)
        return dve_scan_expected(s, "an address", "sbuf[0]+0x40, psum[0]+0x40, reg[5], a .tensor or @0x00000040");
    if (dve_word_is(name, "sbuf") || dve_word_is(name, "psum")) {
        if (!dve_scan_place(s, name, &place, NULL))
            return 0;
        *word = dve_place_addr(&place, s->source->gen);
        return 1;
    }
    for (unsigned i = 0; i < DVE_REGISTER_FORMS; i++) {
        if (!dve_word_is(name, dve_register_forms[i].name))
            continue;
        uint32_t number;
        if (!dve_scan_must(s, '[', "a register is written reg[5]") ||
            !dve_scan_number(s, "register", 0, DVE_ADDR_REGISTERS - 1, &number) ||
            !dve_scan_must(s, ']', "a register is written reg[5]"))
            return 0;
        *word = dve_register_forms[i].marker | number;
        return 1;
    }
    for (uint32_t i = 0; i < s->source->tensors; i++)
        if (dve_word_is(name, s->source->tensor[i].name)) {
            *tensor = &s->source->tensor[i];
            *word = dve_place_addr(&(*tensor)->place, s->source->gen);
            return 1;
        }
    return unknown_address(s, name);
}

/* [step:count,...]; dimensions that are not written have step 1 and count 1. */
static int scan_dimensions(dve_scan *s, const dve_operand_info *operand, uint32_t *step, uint32_t *num)
{
    static const char hint[] = "a walk is written [step:count,step:count], innermost first";
    for (unsigned d = 0; d < operand->dims; d++)
        step[d] = num[d] = 1;
    for (unsigned d = 0;; d++) {
        dve_scan_blanks(s);
        if (d == operand->dims)
            return dve_scan_fail(s, s->at, s->at, "", "%s has %u dimension%s, more were given", operand->name,
                                 operand->dims, operand->dims == 1 ? "" : "s");
        if (!dve_scan_signed(s, "step", 16, &step[d]) || !dve_scan_must(s, ':', hint) ||
            !dve_scan_number(s, "count", 0, UINT16_MAX, &num[d]))
            return 0;
        if (!dve_scan_take(s, ','))
            return dve_scan_must(s, ']', hint);
    }
}

/* Behind "indirect": (INDEX, DATA, COUNT) or (INDEX, DATA, COUNT, REST) */
static int scan_indirect(dve_scan *s, const dve_operand_info *operand, uint32_t *value)
{
    static const char hint[] = "written indirect(sbuf[0]+0x200, sbuf[0]+0x1000, 64): index list, data, how many";
    const dve_tensor *tensor;
    uint32_t index = 0, data = 0, count = 0, rest[4] = {0};
    if (!dve_scan_must(s, '(', hint))
        return 0;
    size_t from = s->at;
    if (!dve_scan_address(s, &index, &tensor))
        return 0;
    if (index & 0x60000000)
        return dve_scan_fail(s, from, s->at, hint, "the address of an index list is plain or in a register");
    if (!dve_scan_must(s, ',', hint) || !dve_scan_address(s, &data, &tensor) || !dve_scan_must(s, ',', hint) ||
        !dve_scan_number(s, "number of indices", 0, UINT16_MAX, &count))
        return 0;
    if (dve_scan_take(s, ',') && !dve_scan_hex(s, "rest of the operand", 4u * operand->dims - 6, rest))
        return 0;
    value[0] = index | DVE_INDIRECT;
    value[1] = data & 0xffff;
    value[2] = data >> 16;
    value[3] = count;
    for (unsigned i = 4; i <= 2u * operand->dims; i++)
        value[i] = rest[(i - 4) / 2] >> 16 * ((i - 4) % 2) & 0xffff;
    return dve_scan_must(s, ')', hint);
}

/* A tensor's name alone is all of it; with +OFF or [walk] a part, whose data type may be another. */
static int scan_walk(dve_scan *s, const dve_operand_info *operand, uint32_t *value, uint32_t dtype_high,
                     uint32_t *dtype)
{
    const dve_tensor *tensor;
    uint32_t offset = 0, *step = value + 1, *num = value + 1 + operand->dims;
    size_t from = s->at;
    if (!dve_scan_address(s, &value[0], &tensor))
        return 0;
    int moved = tensor && dve_scan_take(s, '+');
    if (moved && !dve_scan_number(s, "byte offset", 0, DVE_ADDR_MASK - value[0], &offset))
        return 0;
    value[0] += offset;
    if (dve_scan_take(s, ':')) {
        if (!dve_scan_dtype(s, "data type", dtype_high, dtype))
            return 0;
    } else if (!tensor) {
        return dve_scan_expected(s, "the data type", "an operand is written sbuf[0]+0x40:fp32[1:8]");
    } else if (tensor->dtype > dtype_high) {
        return dve_scan_fail(s, from, s->at, "", "the code of tensor %s's data type, 0x%x, is above 0x%x", tensor->name,
                             tensor->dtype, (unsigned)dtype_high);
    } else {
        *dtype = tensor->dtype;
    }
    if (!tensor || moved || dve_scan_take(s, '[')) {
        if ((!tensor || moved) && !dve_scan_must(s, '[', "a walk is written [step:count,step:count], innermost first"))
            return 0;
        return scan_dimensions(s, operand, step, num);
    }
    for (unsigned d = 0; d < operand->dims; d++)
        step[d] = num[d] = 1;
    if (tensor->elements > UINT16_MAX)
        return dve_scan_fail(s, from, s->at, "write a walk of several dimensions behind the name",
                             "tensor %s has %u elements, one dimension holds %u", tensor->name,
                             (unsigned)tensor->elements, (unsigned)UINT16_MAX);
    num[0] = tensor->elements;
    return 1;
}

int dve_scan_operand(dve_scan *s, const dve_operand_info *operand, uint32_t dtype_high, dve_insn *insn,
                     uint32_t *dtype)
{
    uint32_t *value = &insn->value[operand->addr_slot];
    dve_scan_blanks(s);
    if (!dve_word_is(dve_scan_peek(s), "indirect"))
        return scan_walk(s, operand, value, dtype_high, dtype);
    dve_word word = dve_scan_word(s);
    if (operand->dims < DVE_INDIRECT_DIMS)
        return dve_scan_fail(s, word.at, s->at, "", "%s has %u dimensions, too few for an indirect form", operand->name,
                             operand->dims);
    return scan_indirect(s, operand, value) &&
           dve_scan_must(s, ':', "the data type follows, as in indirect(...):fp32") &&
           dve_scan_dtype(s, "data type", dtype_high, dtype);
}
