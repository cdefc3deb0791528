/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of lowering. The first refusal of an instruction stays; what follows then does nothing. */
#ifndef DVE_LOWER_BUILD_H
#define DVE_LOWER_BUILD_H

#include <opendve/lower.h>

typedef struct dve_lowering {
    const dve_lower_instruction *in;
    const dve_lower_target *target;
    dve_lower_sink sink;        /* NULL: only look whether anything is refused */
    void *context;
    dve_lower_fault *fault;
    uint8_t refused, ended;      /* ended: by the sink */
    dve_insn insn;               /* the record that is being built */
} dve_lowering;

#define DVE_REFUSE(l, id, operand, other, given, low, high)                                               \
    dve_low_refuse(l, DVE_LOWER_REFUSAL_##id, DVE_OPERAND_##operand, DVE_OPERAND_##other, given, low, high)

/* The same for an operand that a variable numbers. */
#define DVE_REFUSE_AT(l, id, operand, given, low, high) \
    dve_low_refuse(l, DVE_LOWER_REFUSAL_##id, operand, DVE_OPERAND_NONE, given, low, high)

/* lower.c */
/* Answers 0, so that `return dve_low_refuse(...)` reads well. */
int dve_low_refuse(dve_lowering *l, uint8_t refusal, uint8_t operand, uint8_t other, int64_t given, int64_t low,
                   int64_t high);
void dve_low_first_gen(dve_lowering *l, uint8_t refusal, uint8_t operand, const char *gens);

static inline int dve_low_given(const dve_lowering *l, uint8_t operand)
{
    return l->in->operand[operand].kind != DVE_LOWER_ABSENT;
}
static inline int dve_low_is_tensor(const dve_lowering *l, uint8_t operand)
{
    return l->in->operand[operand].kind == DVE_LOWER_TENSOR;
}
static inline const dve_lower_access *dve_low_access(const dve_lowering *l, uint8_t operand)
{
    return &l->in->operand[operand].access;
}

/* compiler.c */
/* The compiler's own type: two types may share a wire code. */
unsigned dve_low_identity(const dve_lower_code *dtype);

/* access.c */
/* Judges an access pattern by itself: place, axes, data type. Everything below relies on that. */
void dve_low_judge(dve_lowering *l, uint8_t operand);
uint8_t dve_low_dtype(const dve_lowering *l, uint8_t operand);
int dve_low_same_dtype(const dve_lowering *l, uint8_t a, uint8_t b);
/* Elements a lane, INT64_MAX where there are more. */
int64_t dve_low_count(const dve_lower_access *access);
/* The axes longer than 1, in order; answers how many. */
unsigned dve_low_axes(const dve_lower_access *access, dve_lower_axis out[DVE_LOWER_AXES]);
uint32_t dve_low_address(const dve_lowering *l, const dve_lower_access *access);

/* record.c */
/* An empty record: opcode, length, channels. */
void dve_low_begin(dve_lowering *l, uint8_t opcode, int64_t channels);
void dve_low_set(dve_lowering *l, unsigned slot, uint32_t value);
/* Fills the record's operand `name`, its data type included, with an operand of the instruction as it is
 * written; or backwards, for eight elements on one axis: the spare dimensions then have the step given. */
void dve_low_put(dve_lowering *l, const char *name, uint8_t operand);
void dve_low_put_backwards(dve_lowering *l, const char *name, uint8_t operand, int16_t spare);
/* A part of one axis. */
void dve_low_put_part(dve_lowering *l, const char *name, uint8_t operand, int64_t first, int64_t count);
void dve_low_emit(dve_lowering *l);

/* scalar.c */
/* The word of a scalar of wire type `dtype`, and into *source where it comes from. `source` is NULL where the
 * record has no field for that. */
uint32_t dve_low_scalar(dve_lowering *l, uint8_t operand, uint8_t dtype, uint32_t *source);
uint32_t dve_low_int32(dve_lowering *l, uint8_t operand, uint32_t *source);
uint8_t dve_low_operator(dve_lowering *l, uint8_t operand);
/* `absent` where it is not given. */
uint8_t dve_low_accumulate(dve_lowering *l, uint8_t operand, uint8_t absent);
int64_t dve_low_integer(const dve_lowering *l, uint8_t operand, int64_t absent);
uint32_t dve_low_flag(dve_lowering *l, uint8_t operand);

/* overlap.c */
/* Whether the two share a byte; also where that is too long a question. Both judged. */
int dve_low_overlap(const dve_lowering *l, uint8_t a, uint8_t b);

/* search.c, move.c, fold.c, pool.c: one function an operation. */
typedef void dve_low_fn(dve_lowering *l);
dve_low_fn dve_low_MAX, dve_low_MAX_INDEX, dve_low_MATCH_REPLACE, dve_low_MAX_INDEX_AND_MATCH_REPLACE;
dve_low_fn dve_low_STREAM_SHUFFLE, dve_low_STREAM_TRANSPOSE, dve_low_TENSOR_COPY, dve_low_MEMSET, dve_low_SELECT;
dve_low_fn dve_low_TENSOR_SCALAR_CACHE, dve_low_COPY_PREDICATED, dve_low_RANGE_SELECT, dve_low_DVE_READ_ACCUMULATOR;
dve_low_fn dve_low_NONZERO_WITH_COUNT, dve_low_GATHER, dve_low_INDIRECT_COPY;

/* move.c: dst gets src under pred, records of both CopyPredicated and Select. */
void dve_low_predicated(dve_lowering *l, uint8_t pred, uint8_t src);

#endif
