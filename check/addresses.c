/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates about where operands lie: address words, start partitions, walks. */
#include "check.h"

int dve_start_takes(const dve_checker *c, uint32_t partition)
{
    if (c->format->starts)
        return partition % c->format->starts == 0 && partition + c->channels <= DVE_LANES;
    if (c->channels > 64)
        return partition == 0;
    if (c->channels > 32)
        return partition == 0 || partition == 64;
    return partition % 32 == 0 && partition < DVE_LANES;
}

uint32_t dve_active(uint8_t gen, dve_space space)
{
    const dve_generation_info *g = dve_generation(dve_generation(gen)->runs_as);
    return space == DVE_SPACE_PSUM ? g->psum_active : g->sbuf_active;
}

static uint32_t word_of(const dve_checker *c, const dve_operand_info *operand)
{
    return c->insn->value[operand->addr_slot];
}

static void word_found(dve_checker *c, const dve_operand_info *operand, uint32_t word, int64_t low, int64_t high)
{
    const dve_field_info *field = c->fields;
    while (field->slot != operand->addr_slot)
        field++;
    dve_found(c, field->name, operand->byte, word, low, high);
}

/* A plain address of an operand: its own, that of its index list, or that of the data behind the list. */
typedef struct target {
    const dve_operand_info *operand;
    uint32_t word, size;         /* of an element; 0 if not known */
    int is_write, is_data;
} target;

static void target_found(dve_checker *c, const target *t, int64_t low, int64_t high)
{
    if (t->is_data)
        dve_found(c, t->operand->name, (uint8_t)(t->operand->byte + 4), t->word, low, high);
    else
        word_found(c, t->operand, t->word, low, high);
}

static void ask_target(dve_checker *c, const target *t)
{
    dve_place place;
    int inside = dve_addr_place(t->word, c->gen, &place);
    switch (c->rule->predicate) {
    case DVE_PREDICATE_ADDR_ALIGNED:
        if (t->size && t->word % t->size)
            target_found(c, t, t->size, t->size);
        break;
    case DVE_PREDICATE_ADDR_WINDOW:
        if (!inside)
            target_found(c, t, 0, 0);
        break;
    case DVE_PREDICATE_START_PARTITION:
        if (inside && c->channels && !dve_start_takes(c, place.partition))
            target_found(c, t, c->channels, c->channels);
        break;
    case DVE_PREDICATE_START_ACTIVE:
        if (inside && place.offset >= dve_active(c->gen, place.space))
            target_found(c, t, 0, dve_active(c->gen, place.space) - 1);
        break;
    case DVE_PREDICATE_PSUM_WRITE:
        if (inside && place.space == DVE_SPACE_PSUM && t->is_write && t->size && t->size != 4)
            target_found(c, t, 4, 4);
        break;
    default:
        break;
    }
}

/* Walks that a register shapes or that have no elements are not known here. */
static void ask_walk(dve_checker *c, const dve_operand_info *operand, uint32_t word, uint32_t size)
{
    dve_pattern pattern;
    dve_place place;
    dve_insn_pattern(c->insn, operand, &pattern);
    if (!size || !dve_pattern_count(&pattern) || !dve_addr_place(word, c->gen, &place))
        return;
    int64_t low, high, active = dve_active(c->gen, place.space);
    if (place.offset >= active)
        return;
    dve_pattern_extent(&pattern, size, &low, &high);
    low += place.offset;
    high += place.offset;
    if (low >= 0 && high < active)
        return;
    dve_found(c, operand->name, operand->byte, low < 0 ? low : high, 0, active - 1);
    if (c->broken <= c->capacity)
        c->out[c->broken - 1].partition = (uint8_t)place.partition;
}

/* Index lists are read, and hold 4-byte numbers. */
static target index_of(const dve_operand_info *operand, uint32_t word)
{
    return (target){operand, word & DVE_ADDR_MASK, 4, 0, 0};
}

void dve_ask_address(dve_checker *c, const dve_operand_info *operand, uint32_t word)
{
    uint32_t size = dve_size(c, c->insn->value[operand->dtype_slot]);
    target t = {operand, word, size, operand->access == DVE_ACCESS_WRITE, 0};
    dve_indirect indirect;
    int listed = dve_listed(c, operand, &indirect);
    if (listed)
        t = index_of(operand, word);
    if (c->rule->predicate == DVE_PREDICATE_ADDR_MARKER && dve_addr_marker(word) != 0)
        word_found(c, operand, word, 0, 0);
    else if (c->rule->predicate == DVE_PREDICATE_WALK_INSIDE && !listed)
        ask_walk(c, operand, word, size);
    else
        ask_target(c, &t);
}

/* Asks an address question of every address that stands in the record. */
static void each_immediate(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        uint32_t word = word_of(c, operand);
        dve_indirect indirect;
        if (dve_addr_marker(word) == DVE_ADDR_MARKER_IMM) {
            dve_ask_address(c, operand, word);
        } else if (dve_listed(c, operand, &indirect)) {
            target index = index_of(operand, word);
            target data = {operand, indirect.data, dve_size(c, c->insn->value[operand->dtype_slot]),
                           operand->access == DVE_ACCESS_WRITE, 1};
            if (dve_addr_marker(word) == DVE_ADDR_MARKER_INDIRECT_IMM)
                ask_target(c, &index);
            if (dve_addr_marker(indirect.data) == 0)
                ask_target(c, &data);
        }
    }
}

void dve_ask_ADDR_ALIGNED(dve_checker *c) { each_immediate(c); }
void dve_ask_ADDR_WINDOW(dve_checker *c) { each_immediate(c); }
void dve_ask_START_PARTITION(dve_checker *c) { each_immediate(c); }
void dve_ask_START_ACTIVE(dve_checker *c) { each_immediate(c); }
void dve_ask_PSUM_WRITE(dve_checker *c) { each_immediate(c); }
void dve_ask_WALK_INSIDE(dve_checker *c) { each_immediate(c); }

/* Register forms are legal in every operand that may do without an index list; index lists only in operands
 * that take them (R29). */
void dve_ask_ADDR_MARKER(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        uint32_t word = word_of(c, operand);
        int listed = dve_addr_indirect(word);
        int good = operand->form == DVE_OPERAND_INDIRECT ? listed
                   : listed ? operand->form == DVE_OPERAND_MEMORY && c->gen >= 4
                            : !(dve_addr_marker(word) & 0x20);
        if (!good)
            word_found(c, operand, word, operand->form, 0);
    }
}

void dve_ask_ADDR_REGISTER(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        uint32_t word = word_of(c, operand);
        int shaped = (dve_addr_marker(word) & 0x60) == 0x60;     /* no such form: ADDR_MARKER says so */
        dve_indirect indirect;
        int stray = dve_addr_indirect(word) && !dve_listed(c, operand, &indirect);
        if ((dve_addr_marker(word) & 0xc0) && !shaped && !stray && (word & DVE_ADDR_MASK) >= DVE_ADDR_REGISTERS)
            word_found(c, operand, word, 0, DVE_ADDR_REGISTERS - 1);
    }
}

void dve_ask_INDIRECT_DATA(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        dve_indirect indirect;
        if (dve_listed(c, &c->operands[i], &indirect) && dve_addr_marker(indirect.data))
            dve_found(c, c->operands[i].name, (uint8_t)(c->operands[i].byte + 4), indirect.data, 0, 0);
    }
}

void dve_ask_INDIRECT_COUNT(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        dve_indirect indirect;
        if (dve_listed(c, &c->operands[i], &indirect) && !indirect.count)
            dve_found(c, c->operands[i].name, (uint8_t)(c->operands[i].byte + 8), 0, 1, 65535);
    }
}

void dve_ask_INDIRECT_QUADRANT(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        dve_indirect indirect;
        dve_place index, data;
        if (!dve_listed(c, operand, &indirect) || dve_addr_marker(indirect.data) ||
            dve_addr_marker(indirect.index) != DVE_ADDR_MARKER_INDIRECT_IMM ||
            !dve_addr_place(indirect.index, c->gen, &index) || !dve_addr_place(indirect.data, c->gen, &data))
            continue;
        if (data.space == DVE_SPACE_SBUF &&
            (index.space != DVE_SPACE_SBUF || index.partition / 32 != data.partition / 32))
            dve_found(c, operand->name, (uint8_t)(operand->byte + 4), indirect.data, 0, 0);
    }
}

/* Where a word of an address field points; of an index list, where its data lie. 0 if the record does not say. */
static int place_of(const dve_checker *c, const dve_field_info *field, dve_place *out)
{
    uint32_t word = c->insn->value[field->slot];
    const dve_operand_info *operand = dve_operand_of(c, field);
    dve_indirect indirect;
    if (operand && dve_listed(c, operand, &indirect) &&
        dve_addr_marker(word) == DVE_ADDR_MARKER_INDIRECT_IMM)
        word = indirect.data;
    return dve_addr_marker(word) == 0 && dve_addr_place(word, c->gen, out);
}

void dve_ask_ALIGNED(dve_checker *c)
{
    if (dve_addr_marker(dve_given(c)) == 0 && dve_given(c) % c->rule->low)
        dve_found_field(c, c->rule->low, c->rule->low);
}

static int in_psum(const dve_checker *c, uint32_t word)
{
    dve_place place;
    return dve_addr_place(word, c->gen, &place) && place.space == DVE_SPACE_PSUM;
}

void dve_ask_IN_SBUF(dve_checker *c)
{
    const dve_operand_info *operand = dve_operand_of(c, dve_ruled(c));
    uint32_t word = dve_given(c);
    dve_indirect indirect;
    if (c->rule->low && !dve_op_is_integer(dve_value(c, c->rule->low)))
        return;
    if (operand && dve_listed(c, operand, &indirect)) {
        if (dve_addr_marker(word) == DVE_ADDR_MARKER_INDIRECT_IMM && in_psum(c, word))
            dve_found_field(c, 0, 0);
        if (dve_addr_marker(indirect.data) == 0 && in_psum(c, indirect.data))
            dve_found(c, operand->name, (uint8_t)(operand->byte + 4), indirect.data, 0, 0);
    } else if (dve_addr_marker(word) == 0 && in_psum(c, word)) {
        dve_found_field(c, 0, 0);
    }
}

void dve_ask_PAIR(dve_checker *c)
{
    dve_place one, other;
    if (!place_of(c, dve_named(c, c->rule->low), &one) || !place_of(c, dve_ruled(c), &other))
        return;
    int psum = (one.space == DVE_SPACE_PSUM) + (other.space == DVE_SPACE_PSUM);
    if (psum == 2 || (psum == 0 && one.partition / 32 != other.partition / 32))
        dve_found_field(c, psum, psum);
}

void dve_ask_SAME_QUADRANT(dve_checker *c)
{
    dve_place one, other;
    if (place_of(c, dve_named(c, c->rule->low), &one) && place_of(c, dve_ruled(c), &other) &&
        one.partition / 32 != other.partition / 32)
        dve_found_field(c, 0, 0);
}
