/* SPDX-License-Identifier: Apache-2.0 */
/* The way of an instruction: its operands are judged, then its records are built twice, first without a taker. */
#include "build.h"
#include <string.h>

int dve_low_refuse(dve_lowering *l, uint8_t refusal, uint8_t operand, uint8_t other, int64_t given, int64_t low,
                   int64_t high)
{
    if (l->refused)
        return 0;
    l->refused = 1;
    l->fault->refusal = refusal;
    l->fault->operand = operand;
    l->fault->other = other;
    l->fault->given = given;
    l->fault->low = low;
    l->fault->high = high;
    return 0;
}

void dve_low_first_gen(dve_lowering *l, uint8_t refusal, uint8_t operand, const char *gens)
{
    if (l->refused)
        return;
    dve_low_refuse(l, refusal, operand, DVE_OPERAND_NONE, l->target->gen, 0, 0);
    for (uint8_t gen = DVE_GEN_LAST; gen >= DVE_GEN_FIRST; gen--)
        if (dve_marked(gens, gen))
            l->fault->first_gen = gen;
}

/* Whether a value can be what the operand's role asks for. */
static int fits(dve_lower_role role, dve_lower_kind kind)
{
    switch (role) {
    case DVE_ROLE_TENSOR: return kind == DVE_LOWER_TENSOR;
    case DVE_ROLE_SCALAR:
    case DVE_ROLE_SOURCE:
    case DVE_ROLE_INT32:
        return kind == DVE_LOWER_NUMBER || kind == DVE_LOWER_BITS || kind == DVE_LOWER_TENSOR ||
               kind == DVE_LOWER_REGISTER;
    case DVE_ROLE_OPERATOR:
    case DVE_ROLE_ACCUMULATE: return kind == DVE_LOWER_CODE;
    case DVE_ROLE_MODE:
    case DVE_ROLE_FLAG:
    case DVE_ROLE_COUNT: return kind == DVE_LOWER_INTEGER;
    case DVE_ROLE_LANES: return kind == DVE_LOWER_MASK;
    default: return 0;
    }
}

static int words(const char *list)
{
    int count = *list != 0;
    for (; *list; list++)
        count += *list == ' ';
    return count;
}

/* A reduction by Bypass is none, so it needs no value for where the predicate does not hold. */
static int is_needed(const dve_lowering *l, const dve_lower_operand_info *info)
{
    if (!info->required || info->with == DVE_OPERAND_NONE)
        return info->required;
    const dve_lower_code *op = &l->in->operand[info->with].code;
    return dve_low_given(l, info->with) && op->number != DVE_ALU_OP_BYPASS;
}

static void judge_form(dve_lowering *l, const dve_lower_operand_info *info)
{
    const dve_lower_value *value = &l->in->operand[info->operand];
    if (value->kind == DVE_LOWER_ABSENT && is_needed(l, info))
        DVE_REFUSE(l, missing, NONE, NONE, 0, 0, 0);
    else if (value->kind != DVE_LOWER_ABSENT && !fits(info->role, value->kind))
        DVE_REFUSE(l, kind, NONE, NONE, 0, 0, 0);
    else if (value->kind != DVE_LOWER_ABSENT && info->with != DVE_OPERAND_NONE && !dve_low_given(l, info->with))
        DVE_REFUSE(l, alone, NONE, NONE, 0, 0, 0);
    else if (value->kind != DVE_LOWER_ABSENT && info->role == DVE_ROLE_MODE &&
             (value->integer < 0 || value->integer >= words(info->words)))
        DVE_REFUSE(l, mode, NONE, NONE, value->integer, 0, 0);
    else
        return;
    l->fault->operand = info->operand;
    if (l->fault->refusal == DVE_LOWER_REFUSAL_alone)
        l->fault->other = info->with;
}

static dve_status begin(dve_lowering *l, const dve_lower_instruction *in, dve_lower_fault *fault)
{
    memset(fault, 0, sizeof *fault);
    fault->operand = fault->other = DVE_OPERAND_NONE;
    const dve_lower_operation_info *info = dve_lower_operation(in->operation);
    if (!info)
        return DVE_E_USAGE;
    fault->operation = (uint8_t)in->operation;
    l->in = in;
    l->fault = fault;
    size_t rows;
    const dve_lower_operand_info *operand = dve_lower_operands(&rows) + info->first_operand;
    for (unsigned i = 0; i < info->operands && !l->refused; i++)
        judge_form(l, &operand[i]);
    for (uint8_t name = 0; name < DVE_LOWER_OPERANDS; name++)
        if (dve_low_given(l, name) && !dve_lower_operand(in->operation, name))
            dve_low_refuse(l, DVE_LOWER_REFUSAL_not_taken, name, DVE_OPERAND_NONE, 0, 0, 0);
    return l->refused ? DVE_E_INPUT : DVE_OK;
}

dve_status dve_lower_form(const dve_lower_instruction *instruction, dve_lower_fault *fault)
{
    dve_lowering l = {0};
    return begin(&l, instruction, fault);
}

static dve_low_fn *const builders[DVE_LOWER_OPERATIONS] = {
#define OPERATION(name, text, number, gens, instead, records, meaning, source, conf) dve_low_##name,
#include <opendve/lower/operations.def>
};

/* What is the same for every operation. */
static void judge(dve_lowering *l)
{
    const dve_lower_operation_info *info = dve_lower_operation(l->in->operation);
    if (!dve_marked(info->gens, l->target->gen))
        dve_low_first_gen(l, DVE_LOWER_REFUSAL_generation, DVE_OPERAND_NONE, info->gens);
    if (l->in->channels < 1 || l->in->channels > DVE_LANES)
        DVE_REFUSE(l, channels, NONE, NONE, l->in->channels, 1, DVE_LANES);
    for (uint8_t name = 0; name < DVE_LOWER_OPERANDS; name++)
        if (dve_low_is_tensor(l, name))
            dve_low_judge(l, name);
}

dve_status dve_lower_each(const dve_lower_instruction *instruction, const dve_lower_target *target,
                          dve_lower_sink sink, void *context, dve_lower_fault *fault)
{
    dve_lowering l = {.target = target, .context = context};
    dve_status status = begin(&l, instruction, fault);
    if (status)
        return status;
    fault->gen = target->gen;
    if (!dve_generation(target->gen))
        return DVE_E_USAGE;
    judge(&l);
    if (!l.refused)
        builders[instruction->operation](&l);
    if (l.refused)
        return DVE_E_FINDING;
    l.sink = sink;
    builders[instruction->operation](&l);
    return l.ended ? DVE_E_OUTPUT : DVE_OK;
}

typedef struct buffer {
    dve_record *out;
    size_t capacity, count;
} buffer;

static int keep(void *context, const dve_record *record)
{
    buffer *b = context;
    if (b->count < b->capacity)
        b->out[b->count] = *record;
    b->count++;
    return 0;
}

dve_status dve_lower(const dve_lower_instruction *instruction, const dve_lower_target *target, dve_record *out,
                     size_t capacity, size_t *count, dve_lower_fault *fault)
{
    buffer b = {out, capacity, 0};
    dve_status status = dve_lower_each(instruction, target, keep, &b, fault);
    *count = b.count;
    return status;
}

dve_lower_value dve_lower_tensor(dve_space space, uint32_t partition, uint32_t offset, uint8_t dtype, uint32_t count)
{
    dve_lower_value value = {.kind = DVE_LOWER_TENSOR};
    value.access.space = space;
    value.access.partition = partition;
    value.access.offset = offset;
    value.access.dtype.number = dtype;
    value.access.axes = 1;
    value.access.axis[0].step = 1;
    value.access.axis[0].count = count;
    return value;
}
