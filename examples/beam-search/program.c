/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bigram/model.h"
#include "../bigram/util.h"

const char *const stage_text[STAGE_COUNT] = {
#define STAGE(name, text) text,
    STAGES
#undef STAGE
};

uint32_t tile_offset(uint32_t tile)
{
    static const uint32_t elements[TILE_COUNT] = {
#define TILE(name, elements, text) elements,
        TILES
#undef TILE
    };
    uint32_t offset = 0;
    for (uint32_t i = 0; i < tile; i++)
        offset += elements[i] * 4;
    return offset;
}

/* What the stages below need; `in` is the instruction that is being put together. */
struct maker {
    struct program *program;
    const struct question *q;
    uint32_t vocabulary, kept; /* kept: candidates of a beam, the width in whole eights */
    dve_lower_target target;
    dve_lower_instruction in;
    enum stage stage;
    int code;
};

static int append(void *context, const dve_record *record)
{
    struct maker *m = context;
    struct program *p = m->program;
    if (p->count == p->room) {
        p->room = p->room * 2 + 256;
        p->records = resize(p->records, p->room, sizeof *p->records);
        p->stage = resize(p->stage, p->room, sizeof *p->stage);
    }
    p->stage[p->count] = (uint8_t)m->stage;
    p->records[p->count++] = *record;
    return 0;
}

static void begin(struct maker *m, uint32_t operation, int64_t channels)
{
    memset(&m->in, 0, sizeof m->in);
    m->in.operation = operation;
    m->in.channels = channels;
}

static void lower(struct maker *m)
{
    dve_lower_fault fault;
    char text[DVE_TEXT];
    if (m->code == OK && dve_lower_each(&m->in, &m->target, append, m, &fault) != DVE_OK)
        m->code = fail(INTERNAL, "%s", dve_lower_fault_text(&fault, text, sizeof text));
    m->program->assumptions |= dve_lower_assumptions(m->in.operation);
}

#define OPERAND(name) m->in.operand[DVE_OPERAND_##name]
#define FP32(name, count) dve_lower_tensor(DVE_SPACE_SBUF, 0, tile_offset(TILE_##name), DVE_DTYPE_FP32, count)
#define UINT32(name, count) dve_lower_tensor(DVE_SPACE_SBUF, 0, tile_offset(TILE_##name), DVE_DTYPE_UINT32, count)
#define NUMBER(value) ((dve_lower_value){.kind = DVE_LOWER_NUMBER, .number = value})
#define OPERATOR(name) ((dve_lower_value){.kind = DVE_LOWER_CODE, .code = {DVE_ALU_OP_##name, 0}})
#define COMMAND(name) ((dve_lower_value){.kind = DVE_LOWER_CODE, .code = {DVE_ACCUM_CMD_##name, 0}})
#define MODE(place) ((dve_lower_value){.kind = DVE_LOWER_INTEGER, .integer = place})

enum { REDUCE, CUMULATIVE }; /* modes of TensorScalarCache */

/* A tensor walked by two axes, the first one faster. */
static dve_lower_value walk(dve_lower_value tensor, int64_t step0, int64_t count0, int64_t step1, int64_t count1)
{
    tensor.access.axes = 2;
    tensor.access.axis[0] = (dve_lower_axis){step0, count0};
    tensor.access.axis[1] = (dve_lower_axis){step1, count1};
    return tensor;
}

static dve_lower_value moved(dve_lower_value tensor, uint32_t elements)
{
    tensor.access.offset += 4 * (int64_t)elements;
    return tensor;
}

static void fill(struct maker *m, uint32_t channels, dve_lower_value dst, double value)
{
    begin(m, DVE_LOWER_MEMSET, channels);
    OPERAND(dst) = dst;
    OPERAND(value) = NUMBER(value);
    lower(m);
}

static void copy(struct maker *m, dve_lower_value src, dve_lower_value dst)
{
    begin(m, DVE_LOWER_TENSOR_COPY, 1);
    OPERAND(src) = src;
    OPERAND(dst) = dst;
    lower(m);
}

/* The `kept` best of `row`, descending, and where they stand: eight a round, each round striking what it took.
 * Of equal values the first in the row comes first. */
static void search(struct maker *m, uint32_t channels, dve_lower_value row, dve_lower_value values,
                   dve_lower_value positions)
{
    for (uint32_t done = 0; done < m->kept; done += 8) {
        begin(m, DVE_LOWER_MAX, channels);
        OPERAND(data) = row;
        OPERAND(maxvals) = moved(values, done);
        lower(m);
        begin(m, DVE_LOWER_MAX_INDEX, channels);
        OPERAND(maxvals) = moved(values, done);
        OPERAND(data) = row;
        OPERAND(indices) = moved(positions, done);
        lower(m);
        if (done + 8 == m->kept)
            break;
        begin(m, DVE_LOWER_MATCH_REPLACE, channels);
        OPERAND(maxvals) = moved(values, done);
        OPERAND(data) = row;
        OPERAND(dst) = row;
        OPERAND(imm) = NUMBER(-INFINITY);
        lower(m);
    }
}

/* dst <- src where the beam of a lane has ended. */
static void where_ended(struct maker *m, dve_lower_value dst, uint32_t count, double value)
{
    begin(m, DVE_LOWER_COPY_PREDICATED, m->q->width);
    OPERAND(pred) = walk(UINT32(ENDED, 1), 0, count, 1, 1);
    OPERAND(src) = NUMBER(value);
    OPERAND(dst) = dst;
    lower(m);
}

static void transpose(struct maker *m, dve_lower_value src, dve_lower_value dst)
{
    begin(m, DVE_LOWER_STREAM_TRANSPOSE, LANES);
    OPERAND(src) = src;
    OPERAND(dst) = dst;
    lower(m);
}

static void gather(struct maker *m, uint32_t channels, dve_lower_value data, dve_lower_value indices,
                   dve_lower_value dst)
{
    begin(m, DVE_LOWER_GATHER, channels);
    OPERAND(data) = data;
    OPERAND(indices) = indices;
    OPERAND(dst) = dst;
    lower(m);
}

/* Lane 0 of src to lanes first..last of dst. */
static void from_lane_0(struct maker *m, dve_lower_value src, dve_lower_value dst, uint32_t first, uint32_t last)
{
    dve_lower_value mask = {.kind = DVE_LOWER_MASK, .mask = {.count = LANES}};
    for (uint32_t i = 0; i < LANES; i++)
        mask.mask.lane[i] = i >= first && i <= last ? 0 : 255;
    begin(m, DVE_LOWER_STREAM_SHUFFLE, LANES);
    OPERAND(src) = src;
    OPERAND(dst) = dst;
    OPERAND(mask) = mask;
    lower(m);
}

static void tensor_scalar(struct maker *m, uint32_t channels, dve_lower_value src, dve_lower_value op,
                          dve_lower_value scalar, dve_lower_value dst)
{
    begin(m, DVE_LOWER_TENSOR_SCALAR_CACHE, channels);
    OPERAND(mode) = MODE(REDUCE);
    OPERAND(src) = src;
    OPERAND(dst) = dst;
    OPERAND(op0) = op;
    OPERAND(imm0) = scalar;
    OPERAND(op1) = OPERATOR(MAX); /* the maximum stays in the accumulator, where nobody asks for it */
    OPERAND(accumulate) = COMMAND(ZERO_ACCUMULATE);
    lower(m);
}

/* Beam 0 alone counts at first, for all go on from the prompt: the others score -inf. */
static void set_up(struct maker *m)
{
    const uint32_t width = m->q->width, scratch = (tile_offset(TILE_COUNT) - tile_offset(TILE_BEST)) / 4;
    m->stage = STAGE_SETUP;
    fill(m, LANES, UINT32(BEST, scratch), 0);
    fill(m, LANES, FP32(SCORE, 1), -INFINITY);
    fill(m, 1, FP32(SCORE, 1), 0);
    /* 0, 1, 2 ... as running sums of ones from -1; then each of them `kept` times. */
    begin(m, DVE_LOWER_TENSOR_SCALAR_CACHE, 1);
    OPERAND(mode) = MODE(CUMULATIVE);
    OPERAND(src) = FP32(NUMBERS, width);
    OPERAND(dst) = FP32(NUMBERS, width);
    OPERAND(op0) = OPERATOR(ADD);
    OPERAND(imm0) = NUMBER(1);
    OPERAND(op1) = OPERATOR(ADD);
    OPERAND(imm1) = NUMBER(-1);
    OPERAND(accumulate) = COMMAND(LOAD_ACCUMULATE);
    lower(m);
    copy(m, walk(FP32(NUMBERS, 1), 0, m->kept, 1, width), UINT32(BEAM_OF, width * m->kept));
}

/* The candidates of each beam, on its lane. */
static void expand(struct maker *m, uint32_t step)
{
    const uint32_t width = m->q->width, end = m->q->end;
    m->stage = STAGE_BAR;
    if (end != NO_WORD && step < m->q->shortest)
        fill(m, width, moved(FP32(ROW, 1), end), -INFINITY);
    m->stage = STAGE_SEARCH;
    search(m, width, FP32(ROW, m->vocabulary), FP32(BEST, 8), UINT32(WORDS, 8));
    m->stage = STAGE_KEEP;
    if (end != NO_WORD) {
        where_ended(m, FP32(BEST, m->kept), m->kept, -INFINITY);
        where_ended(m, FP32(BEST, 1), 1, 0);
        where_ended(m, UINT32(WORDS, 1), 1, end);
    }
    m->stage = STAGE_ADD;
    tensor_scalar(m, width, FP32(BEST, m->kept), OPERATOR(ADD), FP32(SCORE, 1), FP32(TOTALS, m->kept));
}

/* The best candidates of all beams, on lane 0. Block r of a transpose puts element r of all lanes on lane 0. */
static void choose(struct maker *m)
{
    const uint32_t width = m->q->width, kept = m->kept;
    m->stage = STAGE_MERGE;
    transpose(m, walk(FP32(TOTALS, 1), 1, LANES, 1, kept), walk(FP32(MERGED, 1), kept, LANES, 1, kept));
    transpose(m, walk(UINT32(WORDS, 1), 1, LANES, 1, kept), walk(UINT32(MERGED_WORDS, 1), kept, LANES, 1, kept));
    m->stage = STAGE_CHOOSE;
    search(m, 1, FP32(MERGED, width * kept), FP32(WINNERS, 8), UINT32(POSITIONS, 8));
    m->stage = STAGE_RECOVER;
    gather(m, 1, UINT32(MERGED_WORDS, width * kept), UINT32(POSITIONS, width), UINT32(NEW_WORDS, width));
    gather(m, 1, UINT32(BEAM_OF, width * kept), UINT32(POSITIONS, width), UINT32(FROM, width));
}

/* What the next step needs to know of each beam. */
static void settle(struct maker *m, uint32_t step)
{
    const uint32_t width = m->q->width, end = m->q->end;
    m->stage = STAGE_STATE;
    transpose(m, FP32(WINNERS, LANES), FP32(SCORE, LANES));
    if (end != NO_WORD) {
        copy(m, UINT32(NEW_WORDS, width), FP32(COMPARED, width));
        tensor_scalar(m, 1, FP32(COMPARED, width), OPERATOR(IS_EQ), NUMBER(end), UINT32(NOW_ENDED, width));
        transpose(m, UINT32(NOW_ENDED, LANES), UINT32(ENDED, LANES));
    }
    m->stage = STAGE_FOLLOW;
    from_lane_0(m, UINT32(FROM, width), UINT32(FROM, width), 0, LANES - 1);
    gather(m, LANES, UINT32(HISTORY, width), UINT32(FROM, width), UINT32(HISTORY, width));
    from_lane_0(m, UINT32(NEW_WORDS, width), UINT32(HISTORY, width), step, step);
}

int program_make(struct program *p, const struct question *q, uint32_t vocabulary, uint8_t gen)
{
    struct maker m = {.program = p, .q = q, .vocabulary = vocabulary, .kept = (q->width + 7) / 8 * 8, .target = {.gen = gen}};
    *p = (struct program){0};
    set_up(&m);
    for (uint32_t step = 0; step < q->length; step++) {
        p->step[step] = p->count;
        expand(&m, step);
        choose(&m);
        settle(&m, step);
    }
    p->step[q->length] = p->count;
    return m.code;
}

void program_free(struct program *p)
{
    free(p->records);
    free(p->stage);
    *p = (struct program){0};
}
