/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a record: decode, check, resolve, wait, find hazards, execute, mark, update. */
#include "machine.h"
#include <string.h>

static int is_control(uint8_t opcode)
{
    return opcode >= 0xa0 && opcode <= 0xb7;
}

static dve_status refuse(dve_stop *stop, dve_refusal reason)
{
    stop->reason = reason;
    return reason == DVE_REFUSED_RECORDS || reason == DVE_REFUSED_ELEMENTS ? DVE_E_BUDGET : DVE_E_FINDING;
}

static const dve_op *op_of(const dve_machine *m, uint8_t opcode)
{
    for (const dve_op *op = m->config.ops; op->run; op++)
        if (op->opcode == opcode)
            return op;
    return NULL;
}

static dve_status judge(dve_machine *m, dve_stop *stop)
{
    stop->broken = dve_check(&stop->insn, m->config.gen, stop->diags, DVE_MAX_DIAGS);
    return stop->broken ? refuse(stop, DVE_REFUSED_ILLEGAL) : DVE_OK;
}

/* An address register holds the word that would stand in the field; it is judged as one. */
static dve_status resolve_address(dve_job *job, dve_resolved *operand, dve_stop *stop)
{
    uint32_t word = operand->pattern.addr;
    if (dve_addr_shape_register(word)) {
        stop->operand = operand->operand->name;
        return refuse(stop, DVE_REFUSED_SHAPE_REGISTER);
    }
    if (dve_addr_marker(word) == DVE_ADDR_MARKER_ADDR_REG) {
        stop->operand = operand->operand->name;
        word = job->machine->reg[word % DVE_ADDR_REGISTERS];
        stop->broken = dve_check_address(job->insn, operand->operand, word, job->machine->config.gen, stop->diags,
                                         DVE_MAX_DIAGS);
        if (stop->broken)
            return refuse(stop, DVE_REFUSED_ILLEGAL);
        operand->pattern.addr = word;
    }
    dve_addr_place(word, job->machine->config.gen, &operand->place);
    return DVE_OK;
}

static dve_status resolve(dve_job *job, dve_stop *stop)
{
    struct dve_machine *m = job->machine;
    const dve_format_info *format = dve_format(job->insn->format);
    size_t rows;
    const dve_operand_info *rows_of = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands && i < DVE_MAX_OPERANDS; i++) {
        dve_resolved *operand = &job->operand[job->operands++];
        operand->operand = &rows_of[i];
        dve_insn_pattern(job->insn, operand->operand, &operand->pattern);
        dve_status status = resolve_address(job, operand, stop);
        if (status)
            return status;
        dve_walk_normalise(&operand->pattern, dve_num_size(operand->pattern.dtype), &operand->walk);
        uint32_t active;
        uint8_t *bytes = dve_machine_bytes(m, operand->place.space, operand->place.partition, &active);
        operand->walk.bytes = bytes + operand->place.offset;
        operand->lane_stride = active;
        if (operand->walk.count > job->elements)
            job->elements = operand->walk.count;
        if (operand->operand->access == DVE_ACCESS_WRITE)
            job->dst = operand;
        else
            job->src = operand;
    }
    const dve_resolved *home = job->src ? job->src : job->dst;
    job->quadrant = home ? home->place.partition / 32 : 0;
    job->state_base = home && m->config.settings.value[DVE_ASSUMPTION_hidden_state] ? home->place.partition : 0;
    return DVE_OK;
}

static uint32_t channels_of(const dve_insn *insn)
{
    size_t rows;
    const dve_format_info *format = dve_format(insn->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    for (unsigned i = 0; i < format->fields; i++)
        if (field[i].kind == DVE_KIND_CHANNELS)
            return insn->value[field[i].slot];
    return 0;
}

/* Lanes share nothing but constants, so that they may run in any order and at the same time. */
static void run_lanes(void *argument, uint32_t begin, uint32_t end)
{
    const dve_job *job = argument;
    for (uint32_t l = begin; l < end; l++) {
        dve_lane lane = {.insn = job->insn, .num = &job->machine->num, .stepwise = job->stepwise};
        lane.state = &job->machine->lane[(job->state_base + l) % DVE_LANES];
        if (job->src) {
            lane.src = job->src->walk;
            lane.src.bytes += l * job->src->lane_stride;
        }
        if (job->dst) {
            lane.dst = job->dst->walk;
            lane.dst.bytes += l * job->dst->lane_stride;
        }
        job->op->run(&lane);
    }
}

static void mark_written(dve_job *job)
{
    const dve_resolved *dst = job->dst;
    const dve_footprint *f = &dst->footprint;
    for (uint32_t l = 0; l < job->channels; l++) {
        uint8_t *map = dve_machine_written(job->machine, dst->place.space, dst->place.partition + l);
        if (!f->map)
            dve_bits_set(map, f->lowest, f->highest);
        for (uint32_t i = f->lowest / 8; f->map && i <= f->highest / 8; i++)
            map[i] |= f->map[i];
    }
}

static void mark_state(dve_job *job)
{
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++) {
        dve_producer *producer = &job->machine->producer[part];
        if (!(job->op->writes >> part & 1))
            continue;
        producer->channels = (uint16_t)job->channels;
        producer->quadrant = (uint8_t)job->quadrant;
        for (uint32_t l = 0; l < job->channels; l++) {
            uint32_t lane = (job->state_base + l) % DVE_LANES;
            producer->lanes[lane / 8] |= (uint8_t)(1u << lane % 8);
        }
    }
}

static void execute(dve_job *job)
{
    struct dve_machine *m = job->machine;
    if (m->config.parallel_for)
        m->config.parallel_for(m->config.parallel_context, job->channels, run_lanes, job);
    else
        run_lanes(job, 0, job->channels);
    if (job->dst)
        mark_written(job);
    mark_state(job);
}

static dve_assumption_set assumptions_of(const dve_job *job)
{
    dve_assumption_set used = dve_assumptions_of_opcode(job->op->opcode);
    if (job->src)
        used |= dve_assumptions_of_dtype(job->src->walk.dtype, DVE_ACCESS_READ);
    if (job->dst && job->op->values_out)
        used |= dve_assumptions_of_dtype(job->dst->walk.dtype, DVE_ACCESS_WRITE);
    if (job->machine->config.gen == 5)
        used |= (dve_assumption_set)1 << DVE_ASSUMPTION_gen5_as_gen4;
    return used;
}

static void observe(dve_machine *m, const dve_step *step)
{
    if (m->config.observer.step)
        m->config.observer.step(m->config.observer.context, step);
}

/* Which reason keeps a legal record from running here at all. */
static dve_refusal not_executed(const dve_machine *m, uint8_t opcode)
{
    if (is_control(opcode))
        return DVE_REFUSED_CONTROL;
    const dve_opcode_info *info = dve_opcode(opcode);
    char engine = info->engine[m->config.gen - DVE_GEN_FIRST];
    return engine == 'D' ? DVE_REFUSED_NOT_EXECUTED : DVE_REFUSED_ENGINE;
}

static dve_status run_one(dve_machine *m, dve_stop *stop)
{
    const dve_insn *insn = &stop->insn;
    uint8_t opcode = dve_insn_opcode(insn);
    dve_step step = {.record = stop->record, .insn = insn};
    dve_status status = judge(m, stop);
    if (status)
        return status;
    if (is_control(opcode) && m->config.skip_control) {
        step.skipped = 1;
        observe(m, &step);
        return DVE_OK;
    }
    dve_job job = {.machine = m, .insn = insn, .record = stop->record, .channels = channels_of(insn)};
    job.op = op_of(m, opcode);
    if (!job.op)
        return refuse(stop, not_executed(m, opcode));
    if (m->config.max_records && m->executed >= m->config.max_records) {
        stop->given = m->executed + 1;
        stop->limit = m->config.max_records;
        return refuse(stop, DVE_REFUSED_RECORDS);
    }
    if ((status = resolve(&job, stop)) != DVE_OK)
        return status;
    if (m->config.max_elements && job.elements > m->config.max_elements) {
        stop->given = job.elements;
        stop->limit = m->config.max_elements;
        return refuse(stop, DVE_REFUSED_ELEMENTS);
    }
    if ((status = dve_wait(m, insn, stop)) != DVE_OK)
        return status;
    dve_job_hazards(&job);
    execute(&job);
    dve_complete(m, insn);
    m->executed++;
    step.elements = job.elements;
    step.cycles = dve_cost_cycles(opcode, m->config.gen, job.elements);
    step.assumptions = assumptions_of(&job);
    m->assumptions |= step.assumptions;
    observe(m, &step);
    return DVE_OK;
}

dve_status dve_machine_run(dve_machine *m, const dve_record *records, size_t count, dve_stop *stop)
{
    dve_status status = DVE_OK;
    memset(stop, 0, sizeof *stop);
    for (size_t i = 0; i < count && status == DVE_OK; i++) {
        stop->record = m->next_record;
        dve_decode(&records[i], &stop->insn);
        status = run_one(m, stop);
        if (status == DVE_OK)
            m->next_record++;
    }
    return status;
}

const char *dve_hazard_name(dve_hazard_kind kind)
{
    static const char *const names[DVE_HAZARD_KINDS] = {"never-written", "power-on-state", "channel-mismatch",
                                                        "partial-overlap", "destination-twice", "through-fp32"};
    return (unsigned)kind < DVE_HAZARD_KINDS ? names[kind] : NULL;
}
