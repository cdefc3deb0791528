/* SPDX-License-Identifier: Apache-2.0 */
/* Where the operands, immediates and hidden state of a record are. Words that a register holds are judged here by
 * the rules that they would have met in the record (R29). */
#include "machine.h"
#include <string.h>

static dve_status refuse(dve_stop *stop, dve_refusal reason, const char *operand)
{
    stop->operand = operand;
    stop->reason = reason;
    return DVE_E_FINDING;
}

/* An address register holds the word that would stand in the field; it is judged as one. */
static dve_status resolve_address(dve_job *job, const dve_operand_info *row, dve_resolved *operand, dve_stop *stop)
{
    uint32_t word = operand->pattern.addr;
    uint8_t gen = job->machine->config.gen;
    if (dve_addr_shape_register(word))
        return refuse(stop, DVE_REFUSED_SHAPE_REGISTER, row->name);
    if (dve_addr_indirect(word))
        return refuse(stop, DVE_REFUSED_INDIRECT, row->name);
    if (dve_addr_marker(word) == DVE_ADDR_MARKER_ADDR_REG) {
        word = job->machine->reg[word % DVE_ADDR_REGISTERS];
        stop->broken = dve_check_address(job->insn, row, word, gen, stop->diags, DVE_MAX_DIAGS);
        if (stop->broken)
            return refuse(stop, DVE_REFUSED_ILLEGAL, row->name);
        operand->pattern.addr = word;
    }
    dve_addr_place(word, gen, &operand->place);
    return DVE_OK;
}

static dve_status resolve_operand(dve_job *job, const dve_operand_info *row, dve_stop *stop)
{
    if (row->form == DVE_OPERAND_INDIRECT)
        return dve_indirect_resolve(job, row, stop);
    dve_resolved *operand = &job->destination;
    if (row->access == DVE_ACCESS_WRITE)
        job->dst = operand;
    else
        operand = &job->source[job->sources++];
    operand->name = row->name;
    dve_insn_pattern(job->insn, row, &operand->pattern);
    return resolve_address(job, row, operand, stop);
}

size_t dve_without_pairs(dve_diag *diags, size_t broken)
{
    size_t rows, kept = 0;
    const dve_rule_info *rules = dve_isa_rules(&rows);
    for (size_t i = 0; i < broken && i < DVE_MAX_DIAGS; i++) {
        uint8_t predicate = rules[diags[i].rule].predicate;
        if (predicate != DVE_PREDICATE_PAIR && predicate != DVE_PREDICATE_SAME_QUADRANT &&
            predicate != DVE_PREDICATE_INDIRECT_QUADRANT)
            diags[kept++] = diags[i];
    }
    return kept;
}

/* Rules on the memory that operands lie in are asked again with the words that registers hold in their place. */
static dve_status judge_registers(dve_job *job, dve_stop *stop)
{
    size_t rows;
    dve_insn inlined = *job->insn;
    const dve_format_info *format = dve_format(inlined.format);
    const dve_operand_info *row = dve_isa_operands(&rows) + format->first_operand;
    const char *name = NULL;
    for (unsigned i = 0; i < format->operands; i++) {
        uint32_t *word = &inlined.value[row[i].addr_slot];
        if (dve_addr_marker(*word) != DVE_ADDR_MARKER_ADDR_REG)
            continue;
        *word = job->machine->reg[*word % DVE_ADDR_REGISTERS];
        name = row[i].name;
    }
    if (name)
        stop->broken = dve_without_pairs(stop->diags, dve_check(&inlined, job->machine->config.gen, stop->diags,
                                                                DVE_MAX_DIAGS));
    return name && stop->broken ? refuse(stop, DVE_REFUSED_ILLEGAL, name) : DVE_OK;
}

/* Counts fit 32 bits from here on. */
static dve_status limit_elements(dve_job *job, dve_stop *stop)
{
    uint64_t budget = job->machine->config.max_elements;
    for (unsigned i = 0; i <= job->sources; i++) {
        const dve_resolved *operand = i < job->sources ? &job->source[i] : job->dst;
        uint64_t count = operand ? dve_pattern_count(&operand->pattern) : 0;
        job->elements = count > job->elements ? count : job->elements;
    }
    stop->given = job->elements;
    stop->limit = budget && budget < DVE_MAX_ELEMENTS ? budget : DVE_MAX_ELEMENTS;
    if (job->elements > stop->limit) {
        stop->reason = DVE_REFUSED_ELEMENTS;
        return DVE_E_BUDGET;
    }
    stop->given = stop->limit = 0;
    return DVE_OK;
}

static void place_walk(dve_machine *m, dve_resolved *operand)
{
    uint32_t active;
    uint8_t *bytes = dve_space_bytes(m, operand->place.space, operand->place.partition, &active);
    dve_walk_normalise(&operand->pattern, dve_num_size(operand->pattern.dtype), &operand->walk);
    operand->walk.bytes = bytes + operand->place.offset;
    operand->lane_stride = m->stride[operand->place.space];
}

static const char *field_name(const dve_insn *insn, uint8_t slot)
{
    size_t rows;
    const dve_format_info *format = dve_format(insn->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    unsigned i = 0;
    while (i + 1u < format->fields && field[i].slot != slot)
        i++;
    return field[i].name;
}

/* A register that holds a pointer is judged by the record that has the pointer itself. */
static dve_status pointer_in_register(dve_job *job, const dve_op_immediate *row, const char *name, uint32_t *word,
                                      dve_stop *stop)
{
    dve_insn inlined = *job->insn;
    *word = job->machine->reg[*word % DVE_ADDR_REGISTERS];
    inlined.value[row->word] = *word;
    inlined.value[row->source] = DVE_IMM_SRC_POINTER;
    stop->broken = dve_check(&inlined, job->machine->config.gen, stop->diags, DVE_MAX_DIAGS);
    return stop->broken ? refuse(stop, DVE_REFUSED_ILLEGAL, name) : DVE_OK;
}

static dve_status resolve_immediate(dve_job *job, const dve_op_immediate *row, dve_immediate *out, dve_stop *stop)
{
    uint32_t word = job->insn->value[row->word], source = job->insn->value[row->source], active;
    out->size = dve_num_size(row->dtype ? row->dtype : (uint8_t)job->insn->value[row->dtype_slot]);
    out->name = field_name(job->insn, row->word);
    out->bits = word;
    if (source == DVE_IMM_SRC_INSTRUCTION)
        return DVE_OK;
    if (source == DVE_IMM_SRC_REG_PTR) {
        dve_status status = pointer_in_register(job, row, out->name, &word, stop);
        if (status)
            return status;
    }
    dve_addr_place(word, job->machine->config.gen, &out->place);
    out->bytes = dve_space_bytes(job->machine, out->place.space, out->place.partition, &active) + out->place.offset;
    out->lane_stride = job->machine->stride[out->place.space];
    return DVE_OK;
}

/* What the record does to hidden state: some of it depends on its fields. */
static void resolve_state(dve_job *job)
{
    const dve_op *op = job->op;
    job->reads = op->reads;
    job->writes = op->writes;
    if (op->mask_slot && job->insn->value[op->mask_slot])
        job->reads |= DVE_STATE_MASK;
    uint32_t command = op->command_slot ? job->insn->value[op->command_slot] : DVE_ACCUM_CMD_IDLE;
    if (command != DVE_ACCUM_CMD_IDLE)
        job->writes |= DVE_STATE_ACCUMULATOR;
    if (command == DVE_ACCUM_CMD_ACCUMULATE)
        job->reads |= DVE_STATE_ACCUMULATOR;
    job->moves = op->moves ? op->moves(job->insn) : 0;
    job->lane_step = op->lane_step ? op->lane_step : 1;
    const dve_resolved *home = job->sources ? &job->source[0] : job->dst;
    job->quadrant = home ? home->place.partition / 32 : 0;
    int by_partition = job->machine->config.settings.value[DVE_ASSUMPTION_hidden_state];
    job->state_base = home && by_partition ? home->place.partition : 0;
}

/* Elements of the pool buffer have the width that their load gave them; nothing says how others come out. */
static dve_status judge_pool_width(const dve_job *job, dve_stop *stop)
{
    uint8_t held = job->machine->pool_range.dtype;
    if (!(job->reads & DVE_STATE_POOL_BUFFER) || !held || dve_num_size(held) == job->dst->walk.size)
        return DVE_OK;
    stop->given = dve_num_size(held);
    stop->limit = job->dst->walk.size;
    return refuse(stop, DVE_REFUSED_POOL_WIDTH, job->dst->name);
}

dve_status dve_job_resolve(dve_job *job, dve_stop *stop)
{
    size_t rows;
    const dve_format_info *format = dve_format(job->insn->format);
    const dve_operand_info *row = dve_isa_operands(&rows) + format->first_operand;
    dve_status status = DVE_OK;
    for (unsigned i = 0; i < format->operands && status == DVE_OK; i++)
        status = resolve_operand(job, &row[i], stop);
    if (status || (status = judge_registers(job, stop)) != DVE_OK || (status = limit_elements(job, stop)) != DVE_OK)
        return status;
    for (unsigned i = 0; i < job->sources; i++)
        place_walk(job->machine, &job->source[i]);
    if (job->dst)
        place_walk(job->machine, job->dst);
    if (job->insn->format == DVE_FORMAT_S4D4_IC)
        status = dve_indirect_read(job, stop);
    for (unsigned i = 0; i < 2 && status == DVE_OK; i++)
        if (job->op->imm[i].word)
            status = resolve_immediate(job, &job->op->imm[i], &job->imm[i], stop);
    resolve_state(job);
    return status ? status : judge_pool_width(job, stop);
}
