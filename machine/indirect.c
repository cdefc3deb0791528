/* SPDX-License-Identifier: Apache-2.0 */
/* IndirectCopy's source: a list of uint16 indices, and elements of which they choose (semantics 4.2).
 *
 * Source 0 of the job are the elements, `src_buffer_size` side by side in each lane; source 1 is the list, as a
 * tile of 16 lanes has it: entry j in lane j % 16, column j / 16. All lists are read before the record
 * starts; they lie behind the 16 lanes that the copies of one tile take (execute.c). */
#include "machine.h"
#include <string.h>

enum { TILE = 16 };

/* Entries of each list. */
static uint32_t entries(const dve_job *job)
{
    uint32_t run = job->insn->value[DVE_SLOT_S4D4_IC_src_num_elem_per_idx];
    return run ? (uint16_t)job->insn->value[DVE_SLOT_S4D4_IC_src_step2] / run : 0;
}

/* A register holds a plain word: it is judged in the place of the field, where no other marker is legal. */
static dve_status index_in_register(dve_job *job, const dve_operand_info *row, uint32_t *word, dve_stop *stop)
{
    dve_insn inlined = *job->insn;
    *word = job->machine->reg[*word % DVE_ADDR_REGISTERS];
    uint32_t marker = dve_addr_marker(*word) ? 0xe0000000u : 0x20000000u;
    inlined.value[row->addr_slot] = (*word & DVE_ADDR_MASK) | marker;
    stop->broken = dve_without_pairs(stop->diags, dve_check(&inlined, job->machine->config.gen, stop->diags,
                                                            DVE_MAX_DIAGS));
    if (!stop->broken)
        return DVE_OK;
    stop->operand = row->name;
    stop->reason = DVE_REFUSED_ILLEGAL;
    return DVE_E_FINDING;
}

static void describe(dve_resolved *out, const char *name, uint32_t word, uint8_t gen, uint32_t count, uint8_t dtype)
{
    out->name = name;
    out->pattern = (dve_pattern){.addr = word, .step = {1, 1, 1, 1}, .num = {(uint16_t)count, 1, 1, 1}, .dims = 1};
    out->pattern.dtype = dtype;
    dve_addr_place(word & DVE_ADDR_MASK, gen, &out->place);
}

/* R12: elements and list must end inside the partition. */
static dve_status inside(dve_job *job, const dve_resolved *operand, uint8_t byte, dve_stop *stop)
{
    uint32_t active, size = dve_num_size(operand->pattern.dtype);
    uint64_t end = operand->place.offset + (uint64_t)operand->pattern.num[0] * size;
    if (dve_space_bytes(job->machine, operand->place.space, operand->place.partition, &active) && end <= active)
        return DVE_OK;
    stop->broken = 1;
    stop->diags[0] = (dve_diag){.rule = DVE_RULE_walk_in_partition, .byte = byte, .gen = job->machine->config.gen,
                                .field = operand->name, .value = (int64_t)end - 1, .high = (int64_t)active - 1};
    stop->reason = DVE_REFUSED_ILLEGAL;
    return DVE_E_FINDING;
}

dve_status dve_indirect_resolve(dve_job *job, const dve_operand_info *row, dve_stop *stop)
{
    dve_indirect indirect;
    uint8_t gen = job->machine->config.gen, dtype = (uint8_t)job->insn->value[row->dtype_slot];
    (void)dve_insn_indirect(job->insn, row, &indirect);
    if (dve_addr_marker(indirect.index) == DVE_ADDR_MARKER_INDIRECT_REG) {
        dve_status status = index_in_register(job, row, &indirect.index, stop);
        if (status)
            return status;
    }
    describe(&job->source[0], row->name, indirect.data, gen, job->insn->value[DVE_SLOT_S4D4_IC_src_buffer_size], dtype);
    describe(&job->source[1], "index", indirect.index, gen, (entries(job) + TILE - 1) / TILE, DVE_DTYPE_UINT16);
    job->sources = 2;
    dve_status status = inside(job, &job->source[0], (uint8_t)(row->byte + 4), stop);
    return status ? status : inside(job, &job->source[1], row->byte, stop);
}

uint8_t *dve_indirect_list(dve_job *job, uint32_t tile)
{
    struct dve_machine *m = job->machine;
    size_t copies = TILE * m->stride[DVE_SPACE_SBUF];
    return dve_machine_at(m, m->snapshot_at + copies + (size_t)2 * entries(job) * tile);
}

/* No source says what the engine does with a run that ends behind the elements (NKI: undefined), so that such a
 * record is refused, as a walk out of a partition is (R12). */
static dve_status judge_list(const dve_job *job, const uint8_t *list, uint32_t count, dve_stop *stop)
{
    uint32_t run = job->insn->value[DVE_SLOT_S4D4_IC_src_num_elem_per_idx], elements = job->source[0].walk.count;
    for (uint32_t j = 0; j < count; j++) {
        uint32_t index = dve_num_load_bits(2, list + (size_t)2 * j);
        if (index + run <= elements)
            continue;
        stop->operand = job->source[0].name;
        stop->given = index;
        stop->limit = elements < run ? 0 : elements - run;
        stop->reason = DVE_REFUSED_INDEX;
        return DVE_E_FINDING;
    }
    return DVE_OK;
}

/* The record counts results, and each index gives a run of them. */
static dve_status judge_count(const dve_job *job, dve_stop *stop)
{
    uint32_t run = job->insn->value[DVE_SLOT_S4D4_IC_src_num_elem_per_idx];
    uint32_t count = (uint16_t)job->insn->value[DVE_SLOT_S4D4_IC_src_step2];
    if (count % run == 0 && count == job->dst->walk.count)
        return DVE_OK;
    stop->operand = job->source[0].name;
    stop->given = count;
    stop->limit = job->dst->walk.count;
    stop->reason = DVE_REFUSED_INDEX_COUNT;
    return DVE_E_FINDING;
}

dve_status dve_indirect_read(dve_job *job, dve_stop *stop)
{
    const dve_resolved *index = &job->source[1];
    dve_status status = judge_count(job, stop);
    for (uint32_t t = 0; t * TILE < job->channels && status == DVE_OK; t++) {
        uint32_t count = entries(job);
        uint8_t *list = dve_indirect_list(job, t);
        for (uint32_t j = 0; j < count; j++)
            memcpy(list + (size_t)2 * j,
                   index->walk.bytes + (t * TILE + j % TILE) * index->lane_stride + j / TILE * 2, 2);
        status = judge_list(job, list, count, stop);
    }
    return status;
}

/* Lanes of a tile have a column more or less: entry j lies in lane j % 16. */
static void report_list(dve_job *job)
{
    dve_hazard hazard = {.kind = DVE_HAZARD_NEVER_WRITTEN};
    const dve_resolved *index = &job->source[1];
    for (uint32_t l = 0; l < job->channels; l++) {
        uint32_t columns = (entries(job) + TILE - 1 - l % TILE) / TILE, first = index->place.offset;
        dve_footprint f = {.lowest = first, .highest = first + 2 * columns - 1};
        if (columns)
            dve_report_unwritten(job, index->name, &index->place, &f, l, l + 1, 1, &hazard);
    }
    if (hazard.count)
        dve_report(job, &hazard);
}

/* The bytes of a lane that a list chooses. */
static void chosen(const dve_job *job, const uint8_t *list, uint32_t count, uint8_t *map, dve_footprint *out)
{
    const dve_resolved *src = &job->source[0];
    uint32_t run = job->insn->value[DVE_SLOT_S4D4_IC_src_num_elem_per_idx], size = src->walk.size;
    *out = (dve_footprint){.lowest = src->place.offset, .highest = src->place.offset + src->walk.count * size - 1,
                           .map = map};
    memset(map + out->lowest / 8, 0, out->highest / 8 - out->lowest / 8 + 1);
    for (uint32_t j = 0; j < count; j++) {
        uint32_t from = dve_num_load_bits(2, list + (size_t)2 * j);
        dve_bits_set(map, out->lowest + from * size, out->lowest + (from + run) * size - 1);
    }
}

void dve_indirect_hazards(dve_job *job)
{
    struct dve_machine *m = job->machine;
    const dve_resolved *src = &job->source[0];
    dve_hazard hazard = {.kind = DVE_HAZARD_NEVER_WRITTEN};
    for (uint32_t t = 0; t * TILE < job->channels; t++) {
        dve_footprint f;
        chosen(job, dve_indirect_list(job, t), entries(job), dve_machine_at(m, m->scratch_at[0]), &f);
        dve_report_unwritten(job, src->name, &src->place, &f, t * TILE, (t + 1) * TILE, 1, &hazard);
    }
    if (hazard.count)
        dve_report(job, &hazard);
    report_list(job);
}
