/* SPDX-License-Identifier: Apache-2.0 */
/* What a record is about to do that its author may not have meant. Found before it runs; at most one
 * hazard per record, kind and operand (docs/hazards.md). */
#include "machine.h"

static void report(dve_job *job, dve_hazard *hazard)
{
    const dve_observer *observer = &job->machine->config.observer;
    hazard->record = job->record;
    if (observer->hazard)
        observer->hazard(observer->context, hazard);
}

/* Bytes of the footprint that nothing wrote, in one partition. */
static uint64_t unwritten(const dve_footprint *f, const uint8_t *written, uint32_t *first)
{
    if (!f->map)
        return dve_bits_clear(written, f->lowest, f->highest, first);
    uint64_t count = 0;
    for (uint32_t byte = f->lowest; byte <= f->highest; byte++) {
        if (!(f->map[byte / 8] & ~written[byte / 8])) {
            byte |= 7;                           /* nothing in this byte of the map */
            continue;
        }
        if (f->map[byte / 8] >> byte % 8 & 1 && !(written[byte / 8] >> byte % 8 & 1) && count++ == 0)
            *first = byte;
    }
    return count;
}

static void never_written(dve_job *job, const dve_resolved *src)
{
    dve_hazard hazard = {.kind = DVE_HAZARD_NEVER_WRITTEN, .operand = src->operand->name, .space = src->place.space};
    for (uint32_t l = 0; l < job->channels; l++) {
        uint32_t partition = src->place.partition + l, first = 0;
        const uint8_t *written = dve_machine_written(job->machine, src->place.space, partition);
        uint64_t count = unwritten(&src->footprint, written, &first);
        if (count && !hazard.count) {
            hazard.partition = partition;
            hazard.byte = first;
        }
        hazard.count += count;
    }
    if (hazard.count)
        report(job, &hazard);
}

static const char *state_name(unsigned part)
{
    static const char *const names[DVE_STATE_PARTS] = {"keys", "flops", "accumulator"};
    return names[part];
}

static void hidden_state(dve_job *job, unsigned part)
{
    const dve_producer *producer = &job->machine->producer[part];
    dve_hazard unset = {.kind = DVE_HAZARD_POWER_ON_STATE, .state = state_name(part)};
    for (uint32_t l = 0; l < job->channels; l++) {
        uint32_t lane = (job->state_base + l) % DVE_LANES;
        if (!(producer->lanes[lane / 8] >> lane % 8 & 1) && unset.count++ == 0)
            unset.lane = l;
    }
    if (unset.count)
        report(job, &unset);
    dve_hazard mismatch = {.kind = DVE_HAZARD_CHANNEL_MISMATCH, .state = state_name(part)};
    if (producer->channels && producer->quadrant != job->quadrant) {
        mismatch.count = job->channels;
    } else if (producer->channels && job->channels > producer->channels) {
        mismatch.lane = producer->channels;
        mismatch.count = job->channels - producer->channels;
    }
    if (mismatch.count)
        report(job, &mismatch);
}

static void overlap(dve_job *job)
{
    const dve_resolved *src = job->src, *dst = job->dst;
    uint32_t byte;
    if (src->place.space != dst->place.space || src->place.partition != dst->place.partition ||
        dve_walk_same(src, dst) || !dve_footprint_shared(&src->footprint, &dst->footprint, &byte))
        return;
    job->stepwise = 1;
    if (job->op->reads_all_first)
        return;
    dve_hazard hazard = {.kind = DVE_HAZARD_PARTIAL_OVERLAP, .operand = src->operand->name,
                         .other = dst->operand->name, .space = src->place.space,
                         .partition = src->place.partition, .byte = byte};
    report(job, &hazard);
}

static void destination_twice(dve_job *job)
{
    const dve_resolved *dst = job->dst;
    if (!dst->footprint.twice)
        return;
    job->stepwise = 1;
    dve_hazard hazard = {.kind = DVE_HAZARD_DESTINATION_TWICE, .operand = dst->operand->name,
                         .space = dst->place.space, .partition = dst->place.partition,
                         .byte = dst->footprint.twice_byte};
    report(job, &hazard);
}

/* fp32 holds an integer whose significant bits span no more than 24. */
static int fp32_holds(uint32_t bits, int is_signed)
{
    uint32_t magnitude = is_signed && bits >> 31 ? 0u - bits : bits;
    return magnitude == 0 || magnitude / (magnitude & (0u - magnitude)) < 1u << 24;
}

static void through_fp32(dve_job *job)
{
    dve_walk walk = job->src->walk;
    if (walk.dtype != DVE_DTYPE_INT32 && walk.dtype != DVE_DTYPE_UINT32)
        return;
    dve_hazard hazard = {.kind = DVE_HAZARD_THROUGH_FP32, .operand = job->src->operand->name};
    for (uint32_t l = 0; l < job->channels; l++, walk.bytes += job->src->lane_stride)
        for (uint32_t i = 0; i < walk.count; i++)
            if (!fp32_holds(dve_num_load_bits(4, dve_walk_at(&walk, i)), walk.dtype == DVE_DTYPE_INT32) &&
                hazard.count++ == 0) {
                hazard.lane = l;
                hazard.element = i;
            }
    if (hazard.count)
        report(job, &hazard);
}

void dve_job_hazards(dve_job *job)
{
    struct dve_machine *m = job->machine;
    for (unsigned i = 0; i < job->operands; i++) {
        dve_resolved *operand = &job->operand[i];
        dve_footprint_of(operand, dve_machine_at(m, m->scratch_at[i % 2]), &operand->footprint);
    }
    if (job->src && !m->config.uninit_zero)
        never_written(job, job->src);
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++)
        if (job->op->reads >> part & 1)
            hidden_state(job, part);
    if (job->src && job->dst)
        overlap(job);
    if (job->dst)
        destination_twice(job);
    if (job->src && job->op->through_fp32)
        through_fp32(job);
}
