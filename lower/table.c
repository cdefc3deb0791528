/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of lower/NAME.def as constant arrays, and look-ups in them. */
#include <opendve/lower.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define CONF(letter) (#letter)[0]

enum { NEED_OPTIONAL, NEED_REQUIRED };

static const dve_lower_operand_info operands[] = {
#define OPERAND(operation, name, role, need, with, words, meaning)                                              \
    {#name, DVE_LOWER_##operation, DVE_OPERAND_##name, DVE_ROLE_##role, NEED_##need, DVE_OPERAND_##with, words, \
     meaning},
#include <opendve/lower/operations.def>
};

const dve_lower_operand_info *dve_lower_operands(size_t *count)
{
    *count = ROWS(operands);
    return operands;
}

/* The first row of each operation: its operands stand between its row and the next. */
enum {
#define OPERATION(name, text, number, gens, instead, records, meaning, source, conf) \
    FIRST_##name, STEP_BACK_##name = FIRST_##name - 1,
#define OPERAND(operation, name, role, need, with, words, meaning) ROW_##operation##_##name,
#include <opendve/lower/operations.def>
};

/* Each row opens an element that the next one closes, so that OPERAND can count; the first is a stub. */
static const dve_lower_operation_info operations[] = {{
    .name = ""
#define OPERATION(text_name, text, text_number, marks, serves, opcodes, tells, keys, letter)                  \
    }, {                                                                                                      \
        .name = text, .number = text_number, .first_operand = FIRST_##text_name, .gens = marks, .instead = serves, \
        .records = opcodes, .meaning = tells, .source = keys, .conf = CONF(letter), .operands = 0
#define OPERAND(operation, name, role, need, with, words, meaning) + 1
#include <opendve/lower/operations.def>
}};

const dve_lower_operation_info *dve_lower_operations(size_t *count)
{
    *count = DVE_LOWER_OPERATIONS;
    return operations + 1;
}

static const dve_lower_refusal_info refusals[] = {
#define REFUSAL(id, status, text, allowed, source) {#id, DVE_##status, text, allowed, source},
#include <opendve/lower/refusals.def>
};

const dve_lower_refusal_info *dve_lower_refusals(size_t *count)
{
    *count = ROWS(refusals);
    return refusals;
}

static const char *const names[] = {
#define OPERAND_NAME(name) #name,
#include <opendve/lower/operations.def>
};

const char *dve_lower_operand_name(uint32_t operand)
{
    return operand < ROWS(names) ? names[operand] : NULL;
}

const dve_lower_operation_info *dve_lower_operation(uint32_t operation)
{
    return operation < DVE_LOWER_OPERATIONS ? &operations[1 + operation] : NULL;
}

const dve_lower_operation_info *dve_lower_operation_by_name(const char *name)
{
    for (unsigned i = 0; name && i < DVE_LOWER_OPERATIONS; i++)
        if (strcmp(operations[1 + i].name, name) == 0)
            return &operations[1 + i];
    return NULL;
}

const dve_lower_operand_info *dve_lower_operand(uint32_t operation, uint32_t operand)
{
    const dve_lower_operation_info *info = dve_lower_operation(operation);
    for (unsigned i = 0; info && i < info->operands; i++)
        if (operands[info->first_operand + i].operand == operand)
            return &operands[info->first_operand + i];
    return NULL;
}

const dve_lower_operand_info *dve_lower_operand_by_name(uint32_t operation, const char *name)
{
    const dve_lower_operation_info *info = dve_lower_operation(operation);
    for (unsigned i = 0; name && info && i < info->operands; i++)
        if (strcmp(operands[info->first_operand + i].name, name) == 0)
            return &operands[info->first_operand + i];
    return NULL;
}

dve_assumption_set dve_lower_assumptions(uint32_t operation)
{
    static const struct { uint8_t operation, assumption; } rows[] = {
#define ASSUMES(operation, assumption) {DVE_LOWER_##operation, DVE_ASSUMPTION_##assumption},
#include <opendve/lower/operations.def>
    };
    dve_assumption_set set = 0;
    for (size_t i = 0; i < ROWS(rows); i++)
        if (rows[i].operation == operation)
            set |= (dve_assumption_set)1 << rows[i].assumption;
    return set;
}
