/* SPDX-License-Identifier: Apache-2.0 */
/* What a record is about to do that its author may not have meant. Found before it runs; at most one
 * hazard per record, kind and operand (docs/hazards.md). */
#include "machine.h"
#include "../numeric/loops.h"

void dve_report(dve_job *job, dve_hazard *hazard)
{
    const dve_observer *observer = &job->machine->config.observer;
    hazard->record = job->record;
    if (observer->hazard)
        observer->hazard(observer->context, hazard);
}

/* Bytes of the footprint that nothing wrote, in one partition. */
static uint64_t unwritten(dve_machine *m, const dve_footprint *f, dve_space space, uint32_t partition, uint32_t *first)
{
    if (!f->map)
        return dve_count_unwritten(m, space, partition, f->lowest, f->highest, first);
    return dve_bits_missing(dve_written_map(m, space, partition), f->map, f->lowest / 8, f->highest / 8, first);
}

void dve_report_unwritten(dve_job *job, const char *name, const dve_place *place, const dve_footprint *footprint,
                          uint32_t first_lane, uint32_t end, uint32_t step, dve_hazard *hazard)
{
    struct dve_machine *m = job->machine;
    const dve_interval *known = m->known[place->space] + place->partition;
    uint32_t lowest = footprint->lowest, highest = footprint->highest, begin = place->partition + first_lane;
    uint64_t before = hazard->count;
    if (!footprint->map && dve_known_block(m, place->space, begin, place->partition + end, lowest, highest))
        return;
    for (uint32_t l = first_lane; l < end; l += step) {
        uint32_t partition = place->partition + l, first = 0;
        if (!footprint->map && known[l].from <= lowest && highest < known[l].to)     /* the usual case */
            continue;
        uint64_t count = unwritten(m, footprint, place->space, partition, &first);
        if (count && !hazard->count) {
            hazard->operand = name;
            hazard->space = place->space;
            hazard->partition = partition;
            hazard->byte = first;
        }
        hazard->count += count;
    }
    if (!footprint->map && step == 1 && first_lane < end && hazard->count == before)
        dve_learn_block(m, place->space, begin, place->partition + end, lowest, highest);
}

static void never_written(dve_job *job, const char *name, const dve_place *place, const dve_footprint *footprint)
{
    dve_hazard hazard = {.kind = DVE_HAZARD_NEVER_WRITTEN};
    dve_report_unwritten(job, name, place, footprint, 0, job->channels, job->lane_step, &hazard);
    if (hazard.count)
        dve_report(job, &hazard);
}

static void pointer_never_written(dve_job *job, const dve_immediate *imm)
{
    dve_footprint one = {.lowest = imm->place.offset, .highest = imm->place.offset + imm->size - 1};
    never_written(job, imm->name, &imm->place, &one);
}

static const char *state_name(unsigned part)
{
    static const char *const names[DVE_STATE_PARTS] = {"keys", "flops", "accumulator", "mask", "pool_buffer"};
    return names[part];
}

/* Whether an index of a lane finds an element of the pool buffer that no load filled. */
static int finds_unloaded(const dve_job *job, uint32_t lane)
{
    const dve_pool_range *range = &job->machine->pool_range;
    dve_walk walk = job->source[0].walk;
    uint32_t index[DVE_BLOCK], size = dve_num_size(range->dtype), n, at;
    walk.bytes += lane * job->source[0].lane_stride;
    dve_cursor from = dve_cursor_of(&walk);
    for (uint32_t done = 0; done < walk.count; done += n) {
        n = walk.count - done < DVE_BLOCK ? walk.count - done : DVE_BLOCK;
        dve_read_bits(&from, n, index);
        for (uint32_t i = 0; i < n; i++)
            if (dve_pool_hits(range, index[i], &at) && (at + 1) * size > range->loaded[lane])
                return 1;
    }
    return 0;
}

static int reads_unset(const dve_job *job, unsigned part, uint32_t l)
{
    uint32_t lane = (dve_state_base(job, part) + l) % DVE_LANES;
    return !(job->machine->producer[part].lanes[lane / 8] >> lane % 8 & 1) ||
           (1u << part == DVE_STATE_POOL_BUFFER && finds_unloaded(job, lane));
}

static void hidden_state(dve_job *job, unsigned part)
{
    const dve_producer *producer = &job->machine->producer[part];
    dve_hazard unset = {.kind = DVE_HAZARD_POWER_ON_STATE, .state = state_name(part)};
    static const uint8_t all[sizeof producer->lanes] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                        255, 255, 255, 255, 255, 255, 255, 255};
    int set = 1u << part != DVE_STATE_POOL_BUFFER && memcmp(producer->lanes, all, sizeof all) == 0;
    for (uint32_t l = 0; l < job->channels && !set; l++)
        if (reads_unset(job, part, l) && unset.count++ == 0)
            unset.lane = l;
    if (unset.count) {
        job->assumptions |= (dve_assumption_set)1 << DVE_ASSUMPTION_power_on_state;
        dve_report(job, &unset);
    }
    dve_hazard mismatch = {.kind = DVE_HAZARD_CHANNEL_MISMATCH, .state = state_name(part)};
    if (1u << part == DVE_STATE_MASK)            /* it serves every quadrant */
        return;
    if (producer->channels && producer->quadrant != job->quadrant) {
        mismatch.count = job->channels;
    } else if (producer->channels && job->channels > producer->channels) {
        mismatch.lane = producer->channels;
        mismatch.count = job->channels - producer->channels;
    }
    if (mismatch.count)
        dve_report(job, &mismatch);
}

/* Source s and the destination. What is read first may lie anywhere. */
static void overlap(dve_job *job, unsigned s)
{
    const dve_resolved *src = &job->source[s], *dst = job->dst;
    uint32_t byte;
    if (src->place.space != dst->place.space || src->place.partition != dst->place.partition ||
        !dve_footprint_shared(&src->footprint, &dst->footprint, &byte))
        return;
    int same = dve_walk_same(src, dst);
    job->shares |= s == 0;
    job->in_place |= s == 0 && same && !dst->footprint.twice;
    if (same)
        return;
    job->stepwise |= !job->op->snapshot;
    if (job->op->reads_all_first)
        return;
    dve_hazard hazard = {.kind = DVE_HAZARD_PARTIAL_OVERLAP, .operand = src->name, .other = dst->name,
                         .space = src->place.space, .partition = src->place.partition, .byte = byte};
    dve_report(job, &hazard);
}

static void destination_twice(dve_job *job)
{
    const dve_resolved *dst = job->dst;
    if (!dst->footprint.twice)
        return;
    job->stepwise = 1;
    dve_hazard hazard = {.kind = DVE_HAZARD_DESTINATION_TWICE, .operand = dst->name, .space = dst->place.space,
                         .partition = dst->place.partition, .byte = dst->footprint.twice_byte};
    dve_report(job, &hazard);
}

/* Integers of one lane that fp32 does not hold; `predicate` chooses among them where it is not NULL. */
static void look_at_lane(const dve_job *job, const dve_walk *walk, const dve_walk *predicate, uint32_t lane,
                         dve_hazard *hazard)
{
    const dve_loops *loops = dve_loops_of(&job->machine->num);
    uint32_t bits[DVE_BLOCK], chosen[DVE_BLOCK], n;
    bool is_signed = walk->dtype == DVE_DTYPE_INT32;
    dve_cursor from = dve_cursor_of(walk), choice = dve_cursor_of(predicate);
    for (uint32_t done = 0; done < walk->count; done += n) {
        n = walk->count - done < DVE_BLOCK ? walk->count - done : DVE_BLOCK;
        dve_read_bits(&from, n, bits);
        if (predicate) {
            dve_read_bits(&choice, n, chosen);
            for (uint32_t i = 0; i < n; i++)
                bits[i] &= 0u - (uint32_t)(chosen[i] != 0);      /* fp32 holds 0 */
        }
        uint32_t lost = loops->lost(bits, is_signed, n);
        if (lost && !hazard->count) {
            uint32_t i = 0;
            while (!loops->lost(&bits[i], is_signed, 1))
                i++;
            hazard->lane = lane;
            hazard->element = done + i;
        }
        hazard->count += lost;
    }
}

/* Elements that a predicate holds back stay where they are; it is source 0 then. */
static void through_fp32(dve_job *job, unsigned s)
{
    dve_walk walk = job->source[s].walk, predicate = job->source[0].walk;
    int chosen = s > 0 && job->op->writes_some;
    dve_hazard hazard = {.kind = DVE_HAZARD_THROUGH_FP32, .operand = job->source[s].name};
    if (walk.dtype != DVE_DTYPE_INT32 && walk.dtype != DVE_DTYPE_UINT32)
        return;
    for (uint32_t l = 0; l < job->channels; l++) {
        look_at_lane(job, &walk, chosen ? &predicate : NULL, l, &hazard);
        walk.bytes += job->source[s].lane_stride;
        predicate.bytes += job->source[0].lane_stride;
    }
    if (hazard.count)
        dve_report(job, &hazard);
}

static void sources_and_immediates(dve_job *job)
{
    int listed = job->insn->format == DVE_FORMAT_S4D4_IC;
    if (job->machine->config.uninit_zero)
        return;
    if (listed)
        dve_indirect_hazards(job);
    for (unsigned s = 0; s < job->sources && !listed; s++)
        never_written(job, job->source[s].name, &job->source[s].place, &job->source[s].footprint);
    for (unsigned i = 0; i < 2; i++)
        if (job->imm[i].bytes)
            pointer_never_written(job, &job->imm[i]);
}

void dve_job_hazards(dve_job *job)
{
    struct dve_machine *m = job->machine;
    for (unsigned s = 0; s < job->sources; s++)
        dve_footprint_of(&job->source[s], dve_machine_at(m, m->scratch_at[s]), &job->source[s].footprint);
    if (job->dst)
        dve_footprint_of(job->dst, dve_machine_at(m, m->scratch_at[DVE_MAX_SOURCES]), &job->dst->footprint);
    sources_and_immediates(job);
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++)
        if (job->reads >> part & 1)
            hidden_state(job, part);
    for (unsigned s = 0; s < job->sources && job->dst; s++)
        overlap(job, s);
    if (job->dst)
        destination_twice(job);
    for (unsigned s = 0; s < job->sources; s++)
        if ((job->op->values & ~job->moves) >> s & 1)
            through_fp32(job, s);
}
