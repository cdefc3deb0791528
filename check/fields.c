/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates about single fields and words. */
#include "check.h"

static const dve_field_info *ruled(const dve_checker *c)
{
    unsigned first = c->rule->format == DVE_FORMAT_ANY ? 0 : c->format->first_field;
    return &c->fields[c->rule->field - first];
}

static uint32_t given(const dve_checker *c)
{
    return c->insn->value[ruled(c)->slot];
}

/* Records that the ruled field breaks the rule. */
static void field_found(dve_checker *c, int64_t low, int64_t high)
{
    const dve_field_info *field = ruled(c);
    dve_found(c, field->name, field->byte, c->insn->value[field->slot], low, high);
}

void dve_ask_PRESENT(dve_checker *c)
{
    if (!dve_opcode_present(dve_insn_opcode(c->insn), c->gen))
        field_found(c, 0, 0);
}

void dve_ask_EQUAL(dve_checker *c)
{
    if (given(c) != c->rule->low)
        field_found(c, c->rule->low, c->rule->low);
}

void dve_ask_EQUAL_EXCEPT(dve_checker *c)
{
    if (dve_insn_opcode(c->insn) != c->rule->high && given(c) != c->rule->low)
        field_found(c, c->rule->low, c->rule->low);
}

void dve_ask_RANGE(dve_checker *c)
{
    if (given(c) < c->rule->low || given(c) > c->rule->high)
        field_found(c, c->rule->low, c->rule->high);
}

void dve_ask_MULTIPLE(dve_checker *c)
{
    if (given(c) % c->rule->low)
        field_found(c, c->rule->low, c->rule->low);
}

void dve_ask_MEMBER(dve_checker *c)
{
    const dve_enum_info *member = dve_enum_member(ruled(c)->type, (uint8_t)given(c));
    if (!member || !dve_marked(member->gens, c->gen))
        field_found(c, 0, 0);
}

void dve_ask_DTYPE_IN(dve_checker *c)
{
    size_t count;
    const dve_dtype_set_info *set = &dve_isa_dtype_sets(&count)[c->rule->low];
    uint32_t code = given(c);
    if (code > 31 || !(set->members >> code & 1))
        field_found(c, c->rule->low, c->rule->low);
}

void dve_ask_ZERO_VALUE(dve_checker *c)
{
    if (given(c) << 1)
        field_found(c, 0, 0);
}

void dve_ask_FINITE(dve_checker *c)
{
    if ((given(c) & 0x7f800000u) == 0x7f800000u)
        field_found(c, 0, 0);
}

/* Reports each reserved field once, at its first nonzero byte. */
void dve_ask_RESERVED(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->fields; i++) {
        const dve_field_info *field = &c->fields[i];
        if (field->kind != DVE_KIND_ZERO)
            continue;
        const uint32_t *value = &c->insn->value[field->slot];
        unsigned b = 0, bytes = field->width / 8u;
        while (b < bytes && !(value[b / 4] >> 8 * (b % 4) & 0xff))
            b++;
        if (b < bytes)
            dve_found(c, field->name, (uint8_t)(field->byte + b), value[b / 4] >> 8 * (b % 4) & 0xff, 0, 0);
    }
}

/* Only the low bytes of the word that the data type (field row low) fills may be used. */
void dve_ask_FITS_DTYPE(dve_checker *c)
{
    uint32_t code = c->insn->value[c->fields[c->rule->low - c->format->first_field].slot];
    const dve_dtype_info *dtype = dve_dtype((uint8_t)code);
    if (dtype && dtype->bytes > 0 && dtype->bytes < 4 && given(c) >> 8 * dtype->bytes)
        field_found(c, 0, (1 << 8 * dtype->bytes) - 1);
}

/* A pointer immediate obeys the start rule of the record (R13); its source field (row high) says when
 * the word is a register number instead. */
void dve_ask_POINTER(dve_checker *c)
{
    uint32_t word = given(c);
    uint32_t source = c->insn->value[c->fields[c->rule->high - c->format->first_field].slot];
    if (source == DVE_IMM_SRC_REG_PTR) {
        if (word >= DVE_ADDR_REGISTERS)
            field_found(c, 0, DVE_ADDR_REGISTERS - 1);
        return;
    }
    dve_place place;
    int good = dve_addr_marker(word) == 0 && word % c->rule->low == 0 && dve_addr_place(word, c->gen, &place) &&
               dve_start_takes(place.partition, dve_channels(c)) && place.offset < dve_active(c->gen, place.space);
    if (!good)
        field_found(c, 0, 0);
}
