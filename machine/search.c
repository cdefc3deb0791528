/* SPDX-License-Identifier: Apache-2.0 */
/* Searches whose lanes are rows of adjacent elements: kernels/ instead of ops/, with the same results.
 *
 * A Max8 leaves a note of what it found in its source and where. While nothing is written there, the searches that
 * compilers send after it need not read the source again: keys that are the values of the note, in either order, are
 * consumed by the elements of the note, for those are the first that equal them. A replacement in place changes eight
 * elements and the maxima of their groups, from which the next Max8 starts. Notes live as long as one call of
 * dve_machine_run; who asks for the machine's bytes meanwhile ends them. */
#include "machine.h"
#include <string.h>

typedef struct search {
    dve_job *job;
    const dve_row_kernels *kernels;
    uint32_t n;
    dve_memo *memo;              /* NULL: none is to be used or made */
    int noted, maxima;           /* it is about this source: its elements, its maxima */
    int keep;                    /* maxima are worth keeping */
    ptrdiff_t offset[8];         /* of the 8 elements of the other operand */
} search;

static uint8_t *lane_bytes(const dve_resolved *operand, uint32_t lane)
{
    return operand->walk.bytes + lane * operand->lane_stride;
}

static uint32_t *lane_maxima(const search *s, uint32_t lane)
{
    return (uint32_t *)(void *)dve_machine_at(s->job->machine, s->job->machine->maxima_at) +
           (size_t)lane * DVE_ROW_MAXIMA;
}

static int adjacent(const dve_walk *walk)
{
    return walk->step[0] == walk->size && walk->num[1] == 1 && walk->num[2] == 1 && walk->num[3] == 1;
}

static const dve_row_kernels *kernels_for(const dve_job *job)
{
    const dve_walk *src = &job->source[0].walk;
    const dve_kernels *k = job->machine->kernels;
    if (!k || src->count > DVE_ROW_MOST || !adjacent(src) || (uintptr_t)src->bytes % src->size)
        return NULL;
    switch (src->dtype) {
    case DVE_DTYPE_FP32: return &k->f32;
    case DVE_DTYPE_BF16: return &k->bf16;
    case DVE_DTYPE_FP16: return &k->f16;
    default: return NULL;
    }
}

static void store(const search *s, uint32_t lane, const uint32_t bits[8])
{
    uint8_t size = s->job->dst->walk.size, *to = lane_bytes(s->job->dst, lane);
    for (uint32_t n = 0; n < 8; n++)
        if (size == 4)
            memcpy(to + s->offset[n], &bits[n], 4);  /* kernels are for hosts that store words as the engine does */
        else
            dve_num_store_bits(size, bits[n], to + s->offset[n]);
}

/* ---- Max8 ---- */

static void max8_lanes(void *argument, uint32_t begin, uint32_t end)
{
    const search *s = argument;
    const dve_job *job = s->job;
    const dve_num_config *num = &job->machine->num;
    uint8_t dtype = job->dst->walk.dtype;
    uint32_t scratch[DVE_ROW_MAXIMA], bits[8], known = begin;
    dve_top8 own[DVE_LANES], *tops = s->memo ? s->memo->top : own;
    if (s->kernels->max8_short && s->n <= DVE_ROW_SHORT && !s->maxima && !s->keep)
        known += s->kernels->max8_short(lane_bytes(&job->source[0], begin), job->source[0].lane_stride, s->n, end - begin,
                                        tops + begin);
    for (uint32_t l = begin; l < end; l++) {
        const uint8_t *row = lane_bytes(&job->source[0], l);
        dve_top8 *top = tops + l;
        if (s->maxima)
            s->kernels->max8_again(row, s->n, lane_maxima(s, l), top);
        else if (l >= known)
            s->kernels->max8(row, s->n, s->keep ? lane_maxima(s, l) : scratch, top);
        for (uint32_t n = 0; n < 8; n++)
            bits[n] = dtype == DVE_DTYPE_FP32 ? top->value[7 - n] : dve_num_from_f32(num, dtype, top->value[7 - n]);
        store(s, l, bits);
    }
}

static void note(search *s)
{
    const dve_resolved *src = &s->job->source[0];
    if (!s->memo)
        return;
    s->memo->place = src->place;
    s->memo->bytes = s->n * src->walk.size;
    s->memo->dtype = src->walk.dtype;
    s->memo->channels = s->job->channels;
    s->memo->top_known = 1;
    s->memo->maxima_known = (uint8_t)(s->maxima || s->keep);
}

/* ---- The keys ---- */

static void load_lanes(void *argument, uint32_t begin, uint32_t end)
{
    const search *s = argument;
    struct dve_machine *m = s->job->machine;
    for (uint32_t l = begin; l < end; l++) {
        dve_lane_state *state = &m->lane[(s->job->state_base + l) % DVE_LANES];
        const uint8_t *from = lane_bytes(&s->job->source[0], l);
        for (uint32_t k = 0; k < 8; k++)
            memcpy(&state->key[7 - k], from + s->offset[k], 4);
        state->matched = 0;
    }
}

/* Equal keys take their elements from the lowest on, and the note has equal values in the order of their positions. */
static void reversed_positions(const dve_top8 *top, uint32_t out[8])
{
    for (uint32_t i = 0, end; i < 8; i = end) {
        end = i + 1;
        while (end < 8 && dve_f32_eq(top->value[end], top->value[i]))
            end++;
        for (uint32_t j = i; j < end; j++)
            out[7 - j] = top->position[i + (end - 1 - j)];
    }
}

/* Whether the note says what the keys of a lane consume; then they do. */
static int consumed_by_note(const dve_top8 *top, dve_match *match)
{
    uint32_t turned[8];
    if (match->matched)
        return 0;
    for (uint32_t n = 0; n < 8; n++)
        turned[n] = top->value[7 - n];
    if (memcmp(match->key, top->value, sizeof match->key) == 0)
        memcpy(match->position, top->position, sizeof match->position);
    else if (memcmp(match->key, turned, sizeof turned) == 0)
        reversed_positions(top, match->position);
    else
        return 0;
    for (uint32_t n = 0; n < 8; n++)             /* fewer than 8 numbers: the note has all that a key can equal */
        match->matched = (uint8_t)(match->matched | (match->position[n] != UINT32_MAX) << n);
    return 1;
}

static dve_lane_state *match_lane(const search *s, uint32_t lane, dve_match *match)
{
    dve_lane_state *state = &s->job->machine->lane[(s->job->state_base + lane) % DVE_LANES];
    dve_match_begin(state, match);
    if (!s->noted || !consumed_by_note(&s->memo->top[lane], match))
        s->kernels->find(lane_bytes(&s->job->source[0], lane), s->n, match);
    dve_match_end(match, state);
    return state;
}

static void find_lanes(void *argument, uint32_t begin, uint32_t end)
{
    const search *s = argument;
    dve_match match;
    for (uint32_t l = begin; l < end; l++) {
        match_lane(s, l, &match);
        store(s, l, match.position);
    }
}

static void replace_lanes(void *argument, uint32_t begin, uint32_t end)
{
    const search *s = argument;
    const dve_walk *dst = &s->job->dst->walk;
    uint32_t value = s->job->insn->value[DVE_SLOT_S4D4_MR_immediate];
    uint32_t bits = dve_num_from_f32(&s->job->machine->num, dst->dtype, value);
    dve_match match;
    for (uint32_t l = begin; l < end; l++) {
        const uint8_t *from = lane_bytes(&s->job->source[0], l);
        uint8_t *to = lane_bytes(s->job->dst, l);
        match_lane(s, l, &match);
        if (from != to)
            memcpy(to, from, (size_t)s->n * dst->size);
        for (uint32_t n = 0; n < 8; n++)
            if (match.position[n] != UINT32_MAX)
                memcpy(to + (size_t)match.position[n] * dst->size, &bits, dst->size);
        for (uint32_t n = 0; n < 8 && s->maxima; n++)
            if (match.position[n] != UINT32_MAX)
                s->kernels->changed(to, s->n, match.position[n], lane_maxima(s, l));
    }
}

/* ---- ---- */

static void run(search *s, void (*lanes)(void *argument, uint32_t begin, uint32_t end))
{
    const dve_machine_config *config = &s->job->machine->config;
    if (config->parallel_for && dve_job_worth_sharing(s->job))
        config->parallel_for(config->parallel_context, s->job->channels, lanes, s);
    else
        lanes(s, 0, s->job->channels);
}

static void eight_offsets(const dve_walk *walk, ptrdiff_t offset[8])
{
    for (uint32_t n = 0; n < 8; n++)
        offset[n] = dve_walk_at(walk, n) - walk->bytes;
}

static void consult_memo(search *s)
{
    struct dve_machine *m = s->job->machine;
    const dve_resolved *src = &s->job->source[0];
    if (m->config.unfused)
        return;
    s->memo = &m->memo;
    int same = m->memo.place.space == src->place.space && m->memo.place.partition == src->place.partition &&
               m->memo.place.offset == src->place.offset && m->memo.dtype == src->walk.dtype &&
               m->memo.bytes == s->n * src->walk.size && m->memo.channels >= s->job->channels;
    s->noted = same && m->memo.top_known;
    s->maxima = same && m->memo.maxima_known;
}

static int search_of(dve_job *job, search *s)
{
    *s = (search){.job = job, .kernels = kernels_for(job), .n = job->source[0].walk.count, .keep = job->replaces_soon};
    if (!s->kernels || !s->kernels->max8)
        return 0;
    consult_memo(s);
    s->keep &= s->memo != NULL;
    return 1;
}

static int replace(search *s)
{
    dve_job *job = s->job;
    if (job->stepwise || !adjacent(&job->dst->walk) || job->dst->walk.dtype != job->source[0].walk.dtype)
        return 0;
    int in_place = job->dst->walk.bytes == job->source[0].walk.bytes;
    s->maxima &= in_place;
    run(s, replace_lanes);
    if (in_place) {
        job->memo_kept = s->maxima;
        s->job->machine->memo.top_known = 0;
    }
    return 1;
}

int dve_job_search(dve_job *job)
{
    search s;
    if (job->op->run == dve_op_match_value_load && job->machine->kernels &&
        job->source[0].walk.dtype == DVE_DTYPE_FP32) {
        s = (search){.job = job};
        eight_offsets(&job->source[0].walk, s.offset);
        run(&s, load_lanes);
        return 1;
    }
    if (job->op->run != dve_op_max8 && job->op->run != dve_op_find_index8 && job->op->run != dve_op_match_replace8)
        return 0;
    if (!search_of(job, &s))
        return 0;
    if (job->op->run == dve_op_match_replace8)
        return replace(&s);
    eight_offsets(&job->dst->walk, s.offset);
    if (job->op->run == dve_op_find_index8) {
        run(&s, find_lanes);
        return 1;
    }
    run(&s, max8_lanes);
    note(&s);
    return 1;
}
