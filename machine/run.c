/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a record: decode, check, resolve, wait, find hazards, execute, update. A program has the first two
 * behind it. */
#include "machine.h"
#include <stdint.h>
#include <string.h>

static int is_control(uint8_t opcode)
{
    return opcode >= 0xa0 && opcode <= 0xb7;
}

static dve_status refuse(dve_stop *stop, dve_refusal reason)
{
    stop->reason = reason;
    return reason == DVE_REFUSED_RECORDS ? DVE_E_BUDGET : DVE_E_FINDING;
}

static dve_status judge(const dve_machine *m, const dve_insn *insn, dve_stop *stop)
{
    stop->broken = dve_check(insn, m->config.gen, stop->diags, DVE_MAX_DIAGS);
    return stop->broken ? refuse(stop, DVE_REFUSED_ILLEGAL) : DVE_OK;
}

/* Data types matter where elements are taken as numbers, be it for the accumulator only. */
static dve_assumption_set assumptions_of(const dve_job *job)
{
    dve_assumption_set used = dve_assumptions_of_opcode(job->op->opcode) | job->assumptions;
    uint8_t values = job->op->command_slot ? job->op->values : (uint8_t)(job->op->values & ~job->moves);
    for (unsigned s = 0; s < job->sources; s++)
        if (values >> s & 1)
            used |= dve_assumptions_of_dtype(job->source[s].walk.dtype, DVE_ACCESS_READ);
    if (job->dst && job->op->values_out && !(job->moves & DVE_MOVES_ALL))
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

/* Table sets are the vector engine's: they say nothing of other engines' records. */
static int disabled(const dve_machine *m, uint8_t opcode)
{
    return m->config.gated && dve_opcode(opcode)->engine[m->config.gen - DVE_GEN_FIRST] == 'D' &&
           !(m->config.enabled[opcode / 8] >> opcode % 8 & 1);
}

/* Compilers send a MatchReplace8 within a few records of the Max8 that it belongs to. */
enum { SOON = 5 };

/* Opcodes lie `step` bytes apart. */
static int replaces_soon(const uint8_t *later, size_t step, size_t count)
{
    for (size_t i = 0; i < count && i < SOON; i++)
        if (later[i * step] == DVE_OPCODE_MATCH_REPLACE8)
            return 1;
    return 0;
}

static dve_status run_one(dve_machine *m, const dve_insn *insn, uint8_t opcode, int checked, int soon, dve_stop *stop)
{
    dve_step step = {.record = stop->record, .insn = insn};
    dve_status status = checked ? DVE_OK : judge(m, insn, stop);
    if (status)
        return status;
    if (is_control(opcode) && m->config.skip_control) {
        step.skipped = 1;
        observe(m, &step);
        return DVE_OK;
    }
    if (disabled(m, opcode))
        return refuse(stop, DVE_REFUSED_DISABLED);
    dve_job job = {.machine = m, .insn = insn, .record = stop->record};
    job.channels = dve_insn_channels(insn);
    job.replaces_soon = soon;
    job.op = m->op[opcode];
    if (!job.op)
        return refuse(stop, not_executed(m, opcode));
    if (m->config.max_records && m->executed >= m->config.max_records) {
        stop->given = m->executed + 1;
        stop->limit = m->config.max_records;
        return refuse(stop, DVE_REFUSED_RECORDS);
    }
    if ((status = dve_job_resolve(&job, stop)) != DVE_OK || (status = dve_wait(m, insn, stop)) != DVE_OK)
        return status;
    dve_job_hazards(&job);
    dve_job_execute(&job);
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
        int soon = records[i].byte[0] == DVE_OPCODE_MAX8 &&
                   replaces_soon((const uint8_t *)(records + i + 1), sizeof *records, count - i - 1);
        status = run_one(m, &stop->insn, records[i].byte[0], 0, soon, stop);
        if (status == DVE_OK)
            m->next_record++;
    }
    dve_memo_drop(m);
    return status;
}

dve_status dve_machine_run_program(dve_machine *m, const dve_program *program, dve_stop *stop)
{
    dve_status status = program->gen == m->config.gen ? DVE_OK : DVE_E_USAGE;
    const uint8_t *opcode = dve_program_opcodes(program);
    memset(stop, 0, sizeof *stop);
    for (size_t i = 0; i < program->count && status == DVE_OK; i++) {
        stop->record = m->next_record;
        const dve_insn *insn = &program->insn[i];
        int soon = opcode[i] == DVE_OPCODE_MAX8 && replaces_soon(opcode + i + 1, 1, program->count - i - 1);
        status = run_one(m, insn, opcode[i], 1, soon, stop);
        if (status == DVE_OK)
            m->next_record++;
        else
            stop->insn = *insn;
    }
    dve_memo_drop(m);
    return status;
}

size_t dve_program_size(size_t count)
{
    size_t each = sizeof(dve_insn) + 1, most = (SIZE_MAX - sizeof(dve_program)) / each;
    return count > most ? 0 : sizeof(dve_program) + count * each;
}

dve_status dve_program_make(void *memory, size_t size, uint8_t gen, const dve_record *records, size_t count,
                            dve_program **out, dve_stop *stop)
{
    dve_program *program = memory;
    size_t needed = dve_program_size(count);
    *out = NULL;
    memset(stop, 0, sizeof *stop);
    if (!dve_generation(gen) || !memory || (uintptr_t)memory % 64 || !needed || size < needed)
        return DVE_E_USAGE;
    program->count = count;
    program->gen = gen;
    uint8_t *opcodes = (uint8_t *)&program->insn[count];
    for (size_t i = 0; i < count; i++) {
        opcodes[i] = records[i].byte[0];
        dve_decode(&records[i], &program->insn[i]);
        stop->broken = dve_check(&program->insn[i], gen, stop->diags, DVE_MAX_DIAGS);
        if (!stop->broken)
            continue;
        stop->record = i;
        stop->insn = program->insn[i];
        return refuse(stop, DVE_REFUSED_ILLEGAL);
    }
    *out = program;
    return DVE_OK;
}

const char *dve_hazard_name(dve_hazard_kind kind)
{
    static const char *const names[DVE_HAZARD_KINDS] = {"never-written", "power-on-state", "channel-mismatch",
                                                        "partial-overlap", "destination-twice", "through-fp32"};
    return (unsigned)kind < DVE_HAZARD_KINDS ? names[kind] : NULL;
}
