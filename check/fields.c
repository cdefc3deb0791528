/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates about the bits of single fields. */
#include "check.h"

void dve_ask_PRESENT(dve_checker *c)
{
    if (!dve_opcode_present(dve_insn_opcode(c->insn), c->gen))
        dve_found_field(c, 0, 0);
}

void dve_ask_EQUAL(dve_checker *c)
{
    if (dve_given(c) != c->rule->low)
        dve_found_field(c, c->rule->low, c->rule->low);
}

void dve_ask_EQUAL_EXCEPT(dve_checker *c)
{
    if (dve_insn_opcode(c->insn) != c->rule->high && dve_given(c) != c->rule->low)
        dve_found_field(c, c->rule->low, c->rule->low);
}

void dve_ask_EITHER(dve_checker *c)
{
    if (dve_given(c) != c->rule->low && dve_given(c) != c->rule->high)
        dve_found_field(c, c->rule->low, c->rule->high);
}

void dve_ask_RANGE(dve_checker *c)
{
    if (dve_given(c) < c->rule->low || dve_given(c) > c->rule->high)
        dve_found_field(c, c->rule->low, c->rule->high);
}

void dve_ask_ONE_OF(dve_checker *c)
{
    if (dve_given(c) > 31 || !(c->rule->low >> dve_given(c) & 1))
        dve_found_field(c, c->rule->low, c->rule->low);
}

void dve_ask_MULTIPLE(dve_checker *c)
{
    if (dve_given(c) % c->rule->low)
        dve_found_field(c, c->rule->low, c->rule->low);
}

void dve_ask_MULTIPLE_WHEN(dve_checker *c)
{
    if (dve_value(c, c->rule->high))
        dve_ask_MULTIPLE(c);
}

void dve_ask_POWER_OF_TWO(dve_checker *c)
{
    if (dve_given(c) & (dve_given(c) - 1))
        dve_found_field(c, c->rule->low, c->rule->high);
    else
        dve_ask_RANGE(c);
}

void dve_ask_ZERO_WHEN(dve_checker *c)
{
    if (dve_value(c, c->rule->low) == c->rule->high && dve_given(c))
        dve_found_field(c, 0, 0);
}

void dve_ask_ZERO_UNLESS(dve_checker *c)
{
    if (dve_value(c, c->rule->low) != c->rule->high && dve_given(c))
        dve_found_field(c, 0, 0);
}

void dve_ask_ONE_UNLESS(dve_checker *c)
{
    if (dve_value(c, c->rule->low) != c->rule->high && dve_given(c) != 0x3f800000)
        dve_found_field(c, 1, 1);
}

void dve_ask_MEMBER(dve_checker *c)
{
    const dve_enum_info *member = dve_field_member(dve_ruled(c), (uint8_t)dve_given(c));
    if (!member || !dve_marked(member->gens, c->gen))
        dve_found_field(c, 0, 0);
}

void dve_ask_ZERO_VALUE(dve_checker *c)
{
    if (dve_given(c) << 1)
        dve_found_field(c, 0, 0);
}

void dve_ask_FINITE(dve_checker *c)
{
    if ((dve_given(c) & 0x7f800000u) == 0x7f800000u)
        dve_found_field(c, 0, 0);
}

/* Byte b of a field. */
static uint32_t byte_of(const dve_checker *c, const dve_field_info *field, unsigned b)
{
    return c->insn->value[field->slot + b / 4] >> 8 * (b % 4) & 0xff;
}

/* Reports a field at its first byte that is not below `below` and not `also`. */
static void bytes_found(dve_checker *c, const dve_field_info *field, uint32_t below, uint32_t also)
{
    for (unsigned b = 0; b < (field->width + 7u) / 8u; b++) {
        uint32_t byte = byte_of(c, field, b);
        if (byte < below || byte == also)
            continue;
        dve_found(c, field->name, (uint8_t)(field->byte + b), byte, 0, below - 1);
        return;
    }
}

void dve_ask_RESERVED(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->fields; i++)
        if (c->fields[i].kind == DVE_KIND_ZERO)
            bytes_found(c, &c->fields[i], 1, 0);
}

void dve_ask_BYTES_ZERO(dve_checker *c) { bytes_found(c, dve_ruled(c), 1, 0); }
void dve_ask_MASK_BYTES(dve_checker *c) { bytes_found(c, dve_ruled(c), c->rule->low, c->rule->high); }
