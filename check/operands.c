/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates about tensor operands: address words, counts, walks. */
#include "check.h"

uint32_t dve_channels(const dve_checker *c)
{
    for (unsigned i = 0; i < c->format->fields; i++)
        if (c->fields[i].kind == DVE_KIND_CHANNELS) {
            uint32_t channels = c->insn->value[c->fields[i].slot];
            return channels <= DVE_LANES ? channels : 0;
        }
    return 0;
}

uint32_t dve_operand_size(const dve_checker *c, const dve_operand_info *operand)
{
    const dve_dtype_info *dtype = dve_dtype((uint8_t)c->insn->value[operand->dtype_slot]);
    return dtype && dve_marked(dtype->gens, c->gen) ? dtype->bytes : 0;
}

int dve_start_takes(uint32_t partition, uint32_t channels)
{
    if (channels > 64)
        return partition == 0;
    if (channels > 32)
        return partition == 0 || partition == 64;
    return partition % 32 == 0 && partition < DVE_LANES;
}

uint32_t dve_active(uint8_t gen, dve_space space)
{
    const dve_generation_info *g = dve_generation(dve_generation(gen)->runs_as);
    return space == DVE_SPACE_PSUM ? g->psum_active : g->sbuf_active;
}

static void address_found(dve_checker *c, const dve_operand_info *operand, uint32_t word, int64_t low, int64_t high)
{
    size_t rows;
    const dve_field_info *field = dve_isa_fields(&rows) + c->format->first_field;
    for (unsigned i = 0; i < c->format->fields; i++)
        if (field[i].slot == operand->addr_slot)
            dve_found(c, field[i].name, operand->byte, word, low, high);
}

/* Walks that a register shapes or that have no elements are not known here. */
static void ask_walk(dve_checker *c, const dve_operand_info *operand, const dve_pattern *pattern,
                     const dve_place *place, uint32_t size)
{
    int64_t low, high, active = dve_active(c->gen, place->space);
    if (!size || !dve_pattern_count(pattern))
        return;
    dve_pattern_extent(pattern, size, &low, &high);
    low += place->offset;
    high += place->offset;
    if (low < 0 || high >= active)
        dve_found(c, operand->name, operand->byte, low < 0 ? low : high, 0, active - 1);
}

void dve_ask_address(dve_checker *c, const dve_operand_info *operand, const dve_pattern *pattern)
{
    uint32_t word = pattern->addr, size = dve_operand_size(c, operand), channels = dve_channels(c);
    dve_place place;
    int inside = dve_addr_place(word, c->gen, &place);
    switch (c->rule->predicate) {
    case DVE_PREDICATE_ADDR_MARKER:
        if (dve_addr_marker(word) != 0)
            address_found(c, operand, word, 0, 0);
        break;
    case DVE_PREDICATE_ADDR_ALIGNED:
        if (size && word % size)
            address_found(c, operand, word, size, size);
        break;
    case DVE_PREDICATE_ADDR_WINDOW:
        if (!inside)
            address_found(c, operand, word, 0, 0);
        break;
    case DVE_PREDICATE_START_PARTITION:
        if (inside && channels && !dve_start_takes(place.partition, channels))
            address_found(c, operand, word, channels, channels);
        break;
    case DVE_PREDICATE_START_ACTIVE:
        if (inside && place.offset >= dve_active(c->gen, place.space))
            address_found(c, operand, word, 0, dve_active(c->gen, place.space) - 1);
        break;
    case DVE_PREDICATE_PSUM_WRITE:
        if (inside && place.space == DVE_SPACE_PSUM && operand->access == DVE_ACCESS_WRITE && size && size != 4)
            address_found(c, operand, word, 4, 4);
        break;
    case DVE_PREDICATE_WALK_INSIDE:
        if (inside && place.offset < dve_active(c->gen, place.space))
            ask_walk(c, operand, pattern, &place, size);
        break;
    default:
        break;
    }
}

/* Asks an address question of every operand whose word is an immediate. */
static void each_immediate(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        dve_pattern pattern;
        dve_insn_pattern(c->insn, &c->operands[i], &pattern);
        if (dve_addr_marker(pattern.addr) == DVE_ADDR_MARKER_IMM)
            dve_ask_address(c, &c->operands[i], &pattern);
    }
}

void dve_ask_ADDR_ALIGNED(dve_checker *c) { each_immediate(c); }
void dve_ask_ADDR_WINDOW(dve_checker *c) { each_immediate(c); }
void dve_ask_START_PARTITION(dve_checker *c) { each_immediate(c); }
void dve_ask_START_ACTIVE(dve_checker *c) { each_immediate(c); }
void dve_ask_PSUM_WRITE(dve_checker *c) { each_immediate(c); }
void dve_ask_WALK_INSIDE(dve_checker *c) { each_immediate(c); }

/* Register forms are legal everywhere; the indirect forms only in operands that take them (R29), and
 * none of the formats described so far has such an operand. */
void dve_ask_ADDR_MARKER(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        uint32_t word = c->insn->value[c->operands[i].addr_slot];
        if (dve_addr_marker(word) & 0x20)
            address_found(c, &c->operands[i], word, 0, 0);
    }
}

void dve_ask_ADDR_REGISTER(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        uint32_t word = c->insn->value[c->operands[i].addr_slot];
        if ((dve_addr_marker(word) & 0xc0) && !(dve_addr_marker(word) & 0x20) &&
            (word & DVE_ADDR_MASK) >= DVE_ADDR_REGISTERS)
            address_found(c, &c->operands[i], word, 0, DVE_ADDR_REGISTERS - 1);
    }
}

/* Counts that a register holds are not known before the run. */
void dve_ask_NUM_NONZERO(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        if (dve_addr_shape_register(c->insn->value[operand->addr_slot]))
            continue;
        for (unsigned f = 0; f < c->format->fields; f++) {
            unsigned first = operand->addr_slot + 1u + operand->dims;
            if (c->fields[f].slot >= first && c->fields[f].slot < first + operand->dims &&
                !c->insn->value[c->fields[f].slot])
                dve_found(c, c->fields[f].name, c->fields[f].byte, 0, 1, 65535);
        }
    }
}

/* The operand whose first count the rule names; NULL if a register holds its shape. */
static const dve_operand_info *ruled_operand(const dve_checker *c, dve_pattern *pattern)
{
    const dve_field_info *field = &c->fields[c->rule->field - c->format->first_field];
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        if (field->byte < operand->byte || field->byte >= operand->byte + 4 + 4 * operand->dims)
            continue;
        dve_insn_pattern(c->insn, operand, pattern);
        return dve_addr_shape_register(pattern->addr) ? NULL : operand;
    }
    return NULL;
}

static void count_found(dve_checker *c, const dve_operand_info *operand, uint64_t count, int64_t low, int64_t high)
{
    int64_t value = count > INT64_MAX ? INT64_MAX : (int64_t)count;
    dve_found(c, operand->name, (uint8_t)(operand->byte + 4 + 2 * operand->dims), value, low, high);
}

/* Source and destination counts where neither is in a register; 0 otherwise. */
static int both_counts(const dve_checker *c, uint64_t *source, const dve_operand_info **to, uint64_t *destination)
{
    dve_pattern pattern;
    *to = NULL;
    *source = *destination = 0;
    for (unsigned i = 0; i < c->format->operands; i++) {
        dve_insn_pattern(c->insn, &c->operands[i], &pattern);
        if (dve_addr_shape_register(pattern.addr))
            return 0;
        if (c->operands[i].access == DVE_ACCESS_WRITE) {
            *to = &c->operands[i];
            *destination = dve_pattern_count(&pattern);
        } else {
            *source = dve_pattern_count(&pattern);
        }
    }
    return *to != NULL;
}

void dve_ask_COUNT_RANGE(dve_checker *c)
{
    dve_pattern pattern;
    const dve_operand_info *operand = ruled_operand(c, &pattern);
    if (!operand)
        return;
    uint64_t count = dve_pattern_count(&pattern);
    if (count < c->rule->low || count > c->rule->high)
        count_found(c, operand, count, c->rule->low, c->rule->high);
}

void dve_ask_COUNT_MULTIPLE(dve_checker *c)
{
    dve_pattern pattern;
    const dve_operand_info *operand = ruled_operand(c, &pattern);
    if (operand && dve_pattern_count(&pattern) % c->rule->low)
        count_found(c, operand, dve_pattern_count(&pattern), c->rule->low, c->rule->low);
}

void dve_ask_COUNT_SAME(dve_checker *c)
{
    uint64_t source, destination;
    const dve_operand_info *to;
    if (both_counts(c, &source, &to, &destination) && source != destination)
        count_found(c, to, destination, (int64_t)(source > INT64_MAX ? INT64_MAX : source), (int64_t)source);
}

void dve_ask_COUNT_FIELD(dve_checker *c)
{
    const dve_field_info *field = &c->fields[c->rule->field - c->format->first_field];
    uint64_t source, destination;
    const dve_operand_info *to;
    if (both_counts(c, &source, &to, &destination) && c->insn->value[field->slot] != destination) {
        int64_t wanted = destination > INT64_MAX ? INT64_MAX : (int64_t)destination;
        dve_found(c, field->name, field->byte, c->insn->value[field->slot], wanted, wanted);
    }
}

void dve_ask_THREE_BY_ONE(dve_checker *c)
{
    dve_pattern pattern;
    const dve_operand_info *operand = ruled_operand(c, &pattern);
    if (operand && !(dve_pattern_count(&pattern) == 3 && (pattern.num[0] == 1 || pattern.num[1] == 1)))
        count_found(c, operand, dve_pattern_count(&pattern), 3, 3);
}
