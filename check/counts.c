/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates about element counts. None holds where a register or an index list shapes an operand. */
#include "check.h"

const dve_operand_info *dve_operand_of(const dve_checker *c, const dve_field_info *field)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        if (field->byte >= operand->byte && field->byte < operand->byte + 4 + 4 * operand->dims)
            return operand;
    }
    return NULL;
}

/* Whether the record says how many elements the operand has. */
static int is_counted(const dve_checker *c, const dve_operand_info *operand)
{
    dve_indirect indirect;
    return !dve_addr_shape_register(c->insn->value[operand->addr_slot]) && !dve_listed(c, operand, &indirect);
}

/* The operand with the field of a row, and its pattern; NULL if its count is not known. */
static const dve_operand_info *counted(const dve_checker *c, uint32_t row, dve_pattern *pattern)
{
    const dve_operand_info *operand = dve_operand_of(c, dve_named(c, row));
    if (!operand || !is_counted(c, operand))
        return NULL;
    dve_insn_pattern(c->insn, operand, pattern);
    return operand;
}

static int64_t bounded(uint64_t count)
{
    return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

static void count_found(dve_checker *c, const dve_operand_info *operand, uint64_t count, uint64_t low, uint64_t high)
{
    dve_found(c, operand->name, (uint8_t)(operand->byte + 4 + 2 * operand->dims), bounded(count), bounded(low),
              bounded(high));
}

void dve_ask_COUNT_RANGE(dve_checker *c)
{
    dve_pattern pattern;
    const dve_operand_info *operand = counted(c, c->rule->field, &pattern);
    if (!operand)
        return;
    uint64_t count = dve_pattern_count(&pattern);
    if (count < c->rule->low || count > c->rule->high)
        count_found(c, operand, count, c->rule->low, c->rule->high);
}

void dve_ask_COUNT_MULTIPLE(dve_checker *c)
{
    dve_pattern pattern;
    const dve_operand_info *operand = counted(c, c->rule->field, &pattern);
    if (operand && dve_pattern_count(&pattern) % c->rule->low)
        count_found(c, operand, dve_pattern_count(&pattern), c->rule->low, c->rule->low);
}

void dve_ask_COUNT_MULTIPLE_WHEN(dve_checker *c)
{
    if (dve_value(c, c->rule->high))
        dve_ask_COUNT_MULTIPLE(c);
}

/* The ruled operand with its count, and the count of the operand of a row; NULL if one of them is not known. */
static const dve_operand_info *both(const dve_checker *c, uint32_t row, uint64_t *count, uint64_t *other)
{
    dve_pattern pattern;
    *count = *other = 0;
    if (!counted(c, row, &pattern))
        return NULL;
    *other = dve_pattern_count(&pattern);
    const dve_operand_info *operand = counted(c, c->rule->field, &pattern);
    *count = operand ? dve_pattern_count(&pattern) : 0;
    return operand;
}

/* As many as the operand low has or, where that is not known, as the operand high. */
void dve_ask_COUNT_SAME(dve_checker *c)
{
    uint64_t count, other;
    const dve_operand_info *operand = both(c, c->rule->low, &count, &other);
    if (!operand && c->rule->high)
        operand = both(c, c->rule->high, &count, &other);
    if (operand && count != other)
        count_found(c, operand, count, other, other);
}

void dve_ask_COUNT_AT_MOST(dve_checker *c)
{
    uint64_t count, other;
    const dve_operand_info *operand = both(c, c->rule->low, &count, &other);
    if (operand && count > other)
        count_found(c, operand, count, 1, other);
}

void dve_ask_COUNT_ONE_MORE(dve_checker *c)
{
    uint64_t count, other;
    const dve_operand_info *operand = both(c, c->rule->low, &count, &other);
    if (operand && count != other + 1)
        count_found(c, operand, count, other + 1, other + 1);
}

/* No count is as large as 2^63: 65535 to the fourth power has 64 bits, its double 65; so halves are compared. */
void dve_ask_COUNT_TWICE(dve_checker *c)
{
    uint64_t count, other;
    const dve_operand_info *operand = both(c, c->rule->low, &count, &other);
    if (operand && (count % 2 || count / 2 != other))
        count_found(c, operand, count, 2 * other, 2 * other);
}

void dve_ask_COUNT_TAGS(dve_checker *c)
{
    uint64_t count, other;
    const dve_operand_info *operand = both(c, c->rule->low, &count, &other);
    uint64_t wanted = dve_value(c, c->rule->high) ? other / 4 : other;
    if (operand && count != wanted)
        count_found(c, operand, count, wanted, wanted);
}

/* Product of the counts along the dimensions of a subdim code; 0 if it is no code. */
static uint64_t group_of(const dve_pattern *pattern, uint32_t subdim)
{
    uint64_t group = 1;
    if (subdim < DVE_SUBDIM_X || subdim > DVE_SUBDIM_XYZW)
        return 0;
    for (unsigned d = 0; d + 1 < subdim; d++)
        group *= pattern->num[d];
    return group;
}

void dve_ask_GROUP_AT_LEAST(dve_checker *c)
{
    dve_pattern pattern;
    const dve_operand_info *operand = counted(c, c->rule->field, &pattern);
    uint64_t group = operand ? group_of(&pattern, dve_value(c, c->rule->low)) : 0;
    if (group && group < c->rule->high)
        count_found(c, operand, group, c->rule->high, group);
}

/* The source is the operand that is read. */
void dve_ask_COUNT_COLLAPSED(dve_checker *c)
{
    dve_pattern source, pattern;
    const dve_operand_info *from = c->operands, *operand = counted(c, c->rule->field, &pattern);
    while (from < c->operands + c->format->operands && from->access != DVE_ACCESS_READ)
        from++;
    if (!operand || from == c->operands + c->format->operands || !is_counted(c, from))
        return;
    dve_insn_pattern(c->insn, from, &source);
    uint64_t group = group_of(&source, dve_value(c, c->rule->low)), count = dve_pattern_count(&pattern);
    uint64_t wanted = group ? dve_pattern_count(&source) / group * c->rule->high : 0;
    if (group && count != wanted)
        count_found(c, operand, count, wanted, wanted);
}

void dve_ask_COUNT_FIELD(dve_checker *c)
{
    const dve_field_info *field = dve_ruled(c);
    for (unsigned i = 0; i < c->format->operands; i++) {
        dve_pattern pattern;
        if (c->operands[i].access != DVE_ACCESS_WRITE || !is_counted(c, &c->operands[i]))
            continue;
        dve_insn_pattern(c->insn, &c->operands[i], &pattern);
        uint64_t count = dve_pattern_count(&pattern);
        if (c->insn->value[field->slot] != count)
            dve_found(c, field->name, field->byte, c->insn->value[field->slot], bounded(count), bounded(count));
    }
}

void dve_ask_STATE_WORDS(dve_checker *c)
{
    static const struct {
        uint8_t algorithm, words;
    } sizes[] = {{DVE_RAND_ALGORITHM_LFSR, 1},   {DVE_RAND_ALGORITHM_LFSR, 2},   {DVE_RAND_ALGORITHM_LFSR, 4},
                 {DVE_RAND_ALGORITHM_PHILOX, 7}, {DVE_RAND_ALGORITHM_XORWOW, 6}, {DVE_RAND_ALGORITHM_XORWOW, 24}};
    dve_pattern pattern;
    const dve_operand_info *operand = counted(c, c->rule->field, &pattern);
    if (!operand)
        return;
    uint64_t count = dve_pattern_count(&pattern);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].algorithm == dve_value(c, c->rule->low) && sizes[i].words == count)
            return;
    count_found(c, operand, count, 0, 0);
}

void dve_ask_INDEX_COUNT(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        dve_indirect indirect;
        if (dve_listed(c, &c->operands[i], &indirect) && dve_given(c) &&
            indirect.count / dve_given(c) > c->rule->high)
            dve_found_field(c, 0, c->rule->high);
    }
}

void dve_ask_NUM_EQUAL(dve_checker *c)
{
    dve_pattern pattern;
    if (counted(c, c->rule->field, &pattern))
        dve_ask_EQUAL(c);
}

/* Counts that a register or an index list holds are not known before the run. */
void dve_ask_NUM_NONZERO(dve_checker *c)
{
    for (unsigned i = 0; i < c->format->operands; i++) {
        const dve_operand_info *operand = &c->operands[i];
        unsigned first = operand->addr_slot + 1u + operand->dims;
        for (unsigned d = 0; is_counted(c, operand) && d < operand->dims; d++)
            if (!c->insn->value[first + d]) {
                const dve_field_info *field = c->fields;
                while (field->slot != first + d)
                    field++;
                dve_found(c, field->name, field->byte, 0, 1, 65535);
            }
    }
}

void dve_ask_THREE_BY_ONE(dve_checker *c)
{
    dve_pattern pattern;
    const dve_operand_info *operand = counted(c, c->rule->field, &pattern);
    if (operand && !(dve_pattern_count(&pattern) == 3 && (pattern.num[0] == 1 || pattern.num[1] == 1)))
        count_found(c, operand, dve_pattern_count(&pattern), 3, 3);
}
