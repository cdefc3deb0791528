/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates about immediates: values, pointers, register numbers. */
#include "check.h"
#include <string.h>

/* Only the low bytes of the word that the data type (field row low) fills may be used. */
void dve_ask_FITS_DTYPE(dve_checker *c)
{
    uint32_t size = dve_size(c, dve_value(c, c->rule->low));
    if (size > 0 && size < 4 && dve_given(c) >> 8 * size)
        dve_found_field(c, 0, (1 << 8 * size) - 1);
}

void dve_ask_INLINE_FITS(dve_checker *c)
{
    if (dve_value(c, c->rule->high) == DVE_IMM_SRC_INSTRUCTION)
        dve_ask_FITS_DTYPE(c);
}

void dve_ask_INLINE_BOOL(dve_checker *c)
{
    if (dve_value(c, c->rule->low) == DVE_IMM_SRC_INSTRUCTION && dve_given(c) > 1)
        dve_found_field(c, 0, 1);
}

/* Alignment that the rule asks: so many bytes, or the size of a data type; invalid stands for fp32 where a
 * rule on the field itself allows it. */
static uint32_t alignment(const dve_checker *c)
{
    if (c->rule->low < c->format->first_field)
        return c->rule->low;
    uint32_t code = dve_value(c, c->rule->low), size = dve_size(c, code);
    return code == DVE_DTYPE_INVALID ? 4 : size ? size : 1;
}

/* Where each lane finds its value: a plain address under the start rule of the record (R13). */
static int pointer_good(const dve_checker *c, uint32_t word, uint32_t align)
{
    dve_place place;
    return dve_addr_marker(word) == 0 && word % align == 0 && dve_addr_place(word, c->gen, &place) &&
           dve_start_takes(c, place.partition) && place.offset < dve_active(c->gen, place.space);
}

/* A pointer, or the number of a register that holds one. */
static void ask_pointer(dve_checker *c, uint32_t source)
{
    uint32_t align = alignment(c);
    if (source == DVE_IMM_SRC_REG_PTR) {
        if (dve_given(c) >= DVE_ADDR_REGISTERS)
            dve_found_field(c, 0, DVE_ADDR_REGISTERS - 1);
    } else if (!pointer_good(c, dve_given(c), align)) {
        dve_found_field(c, align, align);
    }
}

void dve_ask_POINTER(dve_checker *c)
{
    ask_pointer(c, c->rule->high == DVE_FIELD_NONE ? DVE_IMM_SRC_POINTER : dve_value(c, c->rule->high));
}

void dve_ask_SCALAR(dve_checker *c)
{
    uint32_t source = dve_value(c, c->rule->high);
    if (source == DVE_IMM_SRC_POINTER || source == DVE_IMM_SRC_REG_PTR)
        ask_pointer(c, source);
}

void dve_ask_PLAIN_ADDRESS(dve_checker *c)
{
    uint32_t word = dve_given(c);
    dve_place place;
    int good = dve_addr_marker(word) == DVE_ADDR_MARKER_ADDR_REG
                   ? (word & DVE_ADDR_MASK) < DVE_ADDR_REGISTERS
                   : pointer_good(c, word, c->rule->low) && dve_addr_place(word, c->gen, &place) &&
                         place.space == DVE_SPACE_SBUF;
    if (!good)
        dve_found_field(c, c->rule->low, c->rule->low);
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Whether the bits are a whole number of 0..limit, and which; limit is at most 2^24. */
static int whole(uint32_t bits, uint32_t limit, uint32_t *out)
{
    float value = float_of(bits);
    if (!(value >= 0.0f && value <= (float)limit))
        return 0;
    *out = (uint32_t)value;
    return (float)*out == value;
}

void dve_ask_INDEX_BASE(dve_checker *c)
{
    uint32_t base;
    if (!whole(dve_given(c), c->rule->high, &base))
        dve_found_field(c, 0, c->rule->high);
}

void dve_ask_INDEX_END(dve_checker *c)
{
    dve_pattern pattern;
    uint32_t base;
    const dve_operand_info *operand = dve_operand_of(c, dve_named(c, c->rule->low));
    if (!operand || dve_addr_shape_register(c->insn->value[operand->addr_slot]) ||
        !whole(dve_given(c), c->rule->high, &base))
        return;
    dve_insn_pattern(c->insn, operand, &pattern);
    uint64_t room = c->rule->high - base;
    if (dve_pattern_count(&pattern) > room)
        dve_found_field(c, 0, c->rule->high);
}

/* The source of the other field stands in the byte behind that of the ruled one. */
void dve_ask_BELOW(dve_checker *c)
{
    const dve_field_info *from = dve_named(c, c->rule->high);
    if (c->insn->value[from->slot] || c->insn->value[from->slot + 1])
        return;
    if (!(float_of(dve_given(c)) < float_of(dve_value(c, c->rule->low))))
        dve_found_field(c, dve_value(c, c->rule->low), dve_value(c, c->rule->low));
}
