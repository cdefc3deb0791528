/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a record that nothing stands against, and notes what it wrote.
 *
 * Lanes share nothing but constants, so that they may run in any order and at the same time, with two
 * exceptions. Where an instruction reads everything first and its destination lies on its source, the source
 * is copied first; there is room for 32 lanes of copies, used again and again: tiles have at most as many, and
 * one tile never writes what another reads in the same partitions. And where source and destination of a
 * pool-engine record begin at different partitions, a lane may write what another is still to read: such lanes
 * run in the order in which memmove would go. */
#include "machine.h"
#include <string.h>

/* What lies behind pointers is read before any lane runs, for another lane may write there. */
static void read_immediates(const dve_job *job)
{
    for (unsigned i = 0; i < 2; i++) {
        const dve_immediate *imm = &job->imm[i];
        for (uint32_t l = 0; imm->bytes && l < job->channels; l += job->lane_step)
            job->machine->immediate[i][l] = dve_num_load_bits(imm->size, imm->bytes + l * imm->lane_stride);
    }
}

static uint32_t immediate_of(const dve_job *job, unsigned i, uint32_t lane)
{
    const dve_immediate *imm = &job->imm[i];
    if (imm->bytes)
        return job->machine->immediate[i][lane];
    return imm->size && imm->size < 4 ? imm->bits & ((1u << 8 * imm->size) - 1u) : imm->bits;
}

static int needs_snapshot(const dve_job *job)
{
    return job->op->snapshot && job->shares && !(job->op->in_place && job->in_place);
}

/* Copies what the lanes from `first` on read; answers a walk of the first of them in the copy. */
static dve_walk snapshot(dve_job *job, uint32_t first, uint32_t lanes)
{
    const dve_resolved *src = &job->source[0];
    const dve_footprint *f = &src->footprint;
    dve_walk walk = src->walk;
    uint32_t before = src->place.offset - f->lowest;
    uint8_t *copy = dve_machine_at(job->machine, job->machine->snapshot_at);
    job->machine->memo.maxima_known = 0;
    for (uint32_t l = 0; l < lanes; l++)
        memcpy(copy + l * src->lane_stride, walk.bytes + (first + l) * src->lane_stride - before,
               f->highest - f->lowest + 1u);
    walk.bytes = copy + before;
    return walk;
}

static dve_walk walk_of(const dve_resolved *operand, uint32_t lane)
{
    dve_walk walk = operand->walk;
    walk.bytes += lane * operand->lane_stride;
    return walk;
}

static dve_written written_of(dve_job *job, uint32_t lane)
{
    uint32_t partition = job->dst->place.partition + lane, active;
    dve_space space = job->dst->place.space;
    return (dve_written){dve_written_map(job->machine, space, partition),
                         dve_space_bytes(job->machine, space, partition, &active)};
}

static dve_lane lane_of(dve_job *job, uint32_t l)
{
    struct dve_machine *m = job->machine;
    dve_lane lane = {.insn = job->insn, .num = &m->num, .stepwise = job->stepwise, .moves = job->moves};
    lane.state = &m->lane[(job->state_base + l) % DVE_LANES];
    lane.range = &m->pool_range;
    lane.pool = dve_machine_pool_bytes(m, l);
    if (job->sources > 0)
        lane.src = needs_snapshot(job) ? snapshot(job, l, 1) : walk_of(&job->source[0], l);
    if (job->sources > 1)
        lane.src1 = walk_of(&job->source[1], l);
    lane.src_stride = job->source[0].lane_stride;
    lane.src1_stride = job->source[1].lane_stride;
    lane.dst_stride = job->destination.lane_stride;
    if (job->dst) {
        lane.dst = walk_of(job->dst, l);
        lane.written = written_of(job, l);
    }
    for (unsigned i = 0; i < 2; i++)
        if (job->imm[i].name)
            lane.imm[i] = immediate_of(job, i, l);
    return lane;
}

static void run_lane(dve_job *job, uint32_t l)
{
    dve_lane lane = lane_of(job, l);
    job->op->run(&lane);
}

static void run_lanes(dve_job *job, uint32_t begin, uint32_t end)
{
    dve_lane lane[DVE_LANE_GROUP];
    for (uint32_t n; begin < end; begin += n) {
        n = end - begin < DVE_LANE_GROUP ? end - begin : DVE_LANE_GROUP;
        for (uint32_t l = 0; l < n; l++)
            lane[l] = lane_of(job, begin + l);
        job->op->run_lanes(lane, n);
    }
}

static void run_tile(dve_job *job, uint32_t t)
{
    struct dve_machine *m = job->machine;
    uint32_t first = t * job->op->tile_lanes, most = job->channels - first;
    dve_tile tile = {.insn = job->insn, .num = &m->num, .in_place = job->in_place, .mask = m->mask};
    tile.twice = job->dst && job->dst->footprint.twice;
    tile.lanes = most < job->op->tile_lanes ? most : job->op->tile_lanes;
    tile.range = &m->pool_range;
    tile.pool = dve_machine_pool_bytes(m, first);
    if (job->sources) {
        tile.src = needs_snapshot(job) ? snapshot(job, first, tile.lanes) : walk_of(&job->source[0], first);
        tile.src_stride = job->source[0].lane_stride;
    }
    if (job->sources > 1)
        tile.list = dve_indirect_list(job, t);
    if (job->dst) {
        tile.dst = walk_of(job->dst, first);
        tile.dst_stride = job->dst->lane_stride;
    }
    job->op->run_tile(&tile);
    job->skipped[t] = tile.skipped;
}

/* Parts begin..end-1: lanes that work, or tiles. */
static void run_parts(void *argument, uint32_t begin, uint32_t end)
{
    dve_job *job = argument;
    if (job->op->run_lanes) {
        run_lanes(job, begin, end);
        return;
    }
    for (uint32_t part = begin; part < end; part++)
        job->op->run ? run_lane(job, part * job->lane_step) : run_tile(job, part);
}

static uint32_t parts_of(const dve_job *job)
{
    uint32_t lanes = job->op->run_tile ? job->op->tile_lanes : job->lane_step;
    return job->channels ? (job->channels + lanes - 1) / lanes : 1;
}

/* -1, 1: lanes must run downwards, upwards, for lanes write what others read. */
static int direction(const dve_job *job)
{
    for (unsigned i = 0; i < job->sources && job->dst; i++) {
        const dve_place *from = &job->source[i].place, *to = &job->dst->place;
        if (from->space != to->space || from->partition == to->partition)
            continue;
        if (to->partition > from->partition && to->partition < from->partition + job->channels)
            return -1;
        if (from->partition > to->partition && from->partition < to->partition + job->channels)
            return 1;
    }
    return 0;
}

int dve_job_worth_sharing(const dve_job *job)
{
    enum { LEAST = 1 << 14 };                    /* less takes less time than handing it out */
    return job->elements * job->channels >= LEAST;
}

static void run_all(dve_job *job)
{
    const dve_machine_config *config = &job->machine->config;
    uint32_t parts = parts_of(job);
    int way = direction(job);
    if (way < 0)
        for (uint32_t part = parts; part > 0; part--)
            run_parts(job, part - 1, part);
    else if (way > 0 || needs_snapshot(job) || !config->parallel_for || !dve_job_worth_sharing(job))
        run_parts(job, 0, parts);
    else
        config->parallel_for(config->parallel_context, parts, run_parts, job);
}

static int lane_written(const dve_job *job, uint32_t lane)
{
    uint32_t lanes = job->op->tile_lanes;
    return !lanes || lanes > 32 || !(job->skipped[lane / lanes] >> lane % lanes & 1);
}

static void mark_written(dve_job *job)
{
    const dve_resolved *dst = job->dst;
    const dve_footprint *f = &dst->footprint;
    uint32_t first = dst->place.partition, end = first + job->channels;
    int all = !f->map && job->lane_step == 1 && job->channels;
    if (all && dve_known_block(job->machine, dst->place.space, first, end, f->lowest, f->highest))
        return;
    for (uint32_t l = 0; l < job->channels; l += job->lane_step) {
        uint32_t partition = first + l;
        if (!f->map && dve_known_written(job->machine, dst->place.space, partition, f->lowest, f->highest))
            continue;
        if (!lane_written(job, l)) {
            all = 0;
            continue;
        }
        if (f->map)
            dve_bits_join(dve_written_map(job->machine, dst->place.space, partition), f->map, f->lowest / 8,
                          f->highest / 8);
        else
            dve_mark_written(job->machine, dst->place.space, partition, f->lowest, f->highest);
    }
    if (all)
        dve_learn_block(job->machine, dst->place.space, first, end, f->lowest, f->highest);
}

/* A record without channels is about all lanes. */
static void mark_state(dve_job *job)
{
    uint32_t channels = job->channels ? job->channels : DVE_LANES;
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++) {
        dve_producer *producer = &job->machine->producer[part];
        if (!(job->writes >> part & 1))
            continue;
        producer->channels = (uint16_t)channels;
        producer->quadrant = (uint8_t)job->quadrant;
        if (channels == DVE_LANES)
            memset(producer->lanes, 0xff, sizeof producer->lanes);
        for (uint32_t l = 0; l < channels && channels < DVE_LANES; l++) {
            uint32_t lane = (dve_state_base(job, part) + l) % DVE_LANES;
            producer->lanes[lane / 8] |= (uint8_t)(1u << lane % 8);
        }
    }
}

/* Nothing can be read from a buffer that was given back; its bytes stay. */
static void free_pool_buffer(struct dve_machine *m)
{
    memset(&m->pool_range, 0, sizeof m->pool_range);
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++)
        if (1u << part == DVE_STATE_POOL_BUFFER)
            memset(&m->producer[part], 0, sizeof m->producer[part]);
}

void dve_job_execute(dve_job *job)
{
    read_immediates(job);
    if (direction(job) || !dve_job_search(job))
        run_all(job);
    if (job->dst && !job->op->writes_some)
        mark_written(job);
    if (job->dst && !job->memo_kept)
        dve_memo_written(job->machine, job->dst->place.space, job->dst->footprint.lowest, job->dst->footprint.highest);
    mark_state(job);
    if (job->op->free_slot && job->insn->value[job->op->free_slot])
        free_pool_buffer(job->machine);
}
