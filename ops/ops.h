/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary in which instructions are written.
 *
 * An instruction is a function of one lane: it sees the bytes of its partition through walks, and the
 * hidden state of the lane. machine/ has resolved addresses, judged legality and found hazards before;
 * an op assumes all that and only computes. */
#ifndef DVE_OPS_H
#define DVE_OPS_H

#include <opendve/codec.h>
#include <opendve/lane.h>
#include <opendve/num.h>

/* Elements of one lane in stream order: element (x, y, z, w) lies at
 * bytes + x step[0] + y step[1] + z step[2] + w step[3] (steps in bytes), x fastest. */
typedef struct dve_walk {
    uint8_t *bytes;
    int32_t step[4];
    uint32_t num[4];
    uint32_t count;              /* product of num */
    uint8_t dtype, size;         /* wire code, bytes per element */
} dve_walk;

typedef struct dve_lane {
    const dve_insn *insn;
    const dve_num_config *num;
    dve_lane_state *state;
    dve_walk src, dst;           /* empty where the format has none */
    int stepwise;                /* src and dst share bytes in another order than element by element:
                                    each element must be read only when its turn comes (R25) */
} dve_lane;

typedef void dve_op_fn(const dve_lane *lane);

typedef struct dve_op {
    uint8_t opcode;
    uint8_t reads, writes;       /* DVE_STATE_... */
    uint8_t reads_all_first;     /* R33: the whole lane is read before anything is written */
    uint8_t through_fp32;        /* R18: 32-bit integers of src lose bits */
    uint8_t values_out;          /* dst receives converted values, not positions */
    dve_op_fn *run;
} dve_op;

/* Instructions this library executes, ends with an entry whose run is NULL. */
extern const dve_op dve_op_table[];

/* Walk access. */
enum { DVE_BLOCK = 256 };        /* elements handed over at a time */

/* Reads a walk as fp32 in blocks: next() answers how many of at most DVE_BLOCK elements *values holds,
 * 0 at the end. Contiguous fp32 is handed over in place where the host allows. */
typedef struct dve_reader {
    dve_walk walk;
    uint32_t at[4];              /* next element */
    uint32_t left;
} dve_reader;

void dve_reader_begin(const dve_walk *walk, dve_reader *out);
uint32_t dve_reader_next(dve_reader *reader, const dve_num_config *num, uint32_t buffer[DVE_BLOCK],
                         const uint32_t **values);

/* Address of element number `i` of a walk. */
uint8_t *dve_walk_at(const dve_walk *walk, uint32_t i);
/* Moves every element of `src` to its place in `dst`, which has as many: bits as they are between equal
 * data types (32-bit integers excepted, R18), else through fp32. The walks are one or share no bytes. */
void dve_walk_copy(const dve_walk *src, const dve_walk *dst, const dve_num_config *num);
/* Whether that moves bits unchanged. */
int dve_walk_keeps_bits(const dve_walk *src, const dve_walk *dst);

/* The search that FindIndex8 and MatchReplace8 share (ops/match.c). */
typedef struct dve_match {
    uint32_t key[8];             /* fp32 */
    uint32_t position[8];        /* element that the key consumed; all ones: none */
    uint8_t matched;             /* bit n: key n is closed */
} dve_match;

void dve_match_begin(const dve_lane_state *state, dve_match *out);
/* The open key of lowest number that equals the value takes it and is closed; its number, or -1. */
int dve_match_one(dve_match *match, uint32_t value, uint32_t position);
/* Offers every element of the walk in turn. */
void dve_match_walk(dve_match *match, const dve_walk *src, const dve_num_config *num);
/* Leaves flags and positions in the lane. */
void dve_match_end(const dve_match *match, dve_lane_state *state);

dve_op_fn dve_op_max8, dve_op_match_value_load, dve_op_find_index8, dve_op_match_replace8,
    dve_op_dve_read_indices;

#endif
