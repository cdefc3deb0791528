/* SPDX-License-Identifier: Apache-2.0 */
/* The vocabulary in which instructions are written.
 *
 * An instruction is a function of one lane: it sees the bytes of its partition through walks, and the
 * hidden state of the lane. Where lanes exchange elements it is a function of a tile of lanes. machine/ has
 * resolved addresses, judged legality and found hazards before; an op assumes all that and only computes. */
#ifndef DVE_OPS_H
#define DVE_OPS_H

#include <opendve/codec.h>
#include <opendve/lane.h>
#include <opendve/num.h>

#include "../numeric/loops.h"

/* Elements of one lane in stream order: element (x, y, z, w) lies at
 * bytes + x step[0] + y step[1] + z step[2] + w step[3] (steps in bytes), x fastest. */
typedef struct dve_walk {
    uint8_t *bytes;
    int32_t step[4];
    uint32_t num[4];
    uint32_t count;              /* product of num */
    uint8_t dtype, size;         /* wire code, bytes per element */
} dve_walk;

/* Which bytes of a partition hold something; for instructions that do not write all of their destination. */
typedef struct dve_written {
    uint8_t *map;                /* a bit per byte */
    const uint8_t *origin;       /* the byte of bit 0 */
} dve_written;

typedef struct dve_lane {
    const dve_insn *insn;
    const dve_num_config *num;
    dve_lane_state *state;
    dve_walk src, src1, dst;     /* READ operands in their order in the record, and WRITE; empty where missing */
    size_t src_stride, src1_stride, dst_stride;      /* bytes to the next lane of a group */
    uint32_t imm[2];             /* immediates of this lane, bits of the data types that the op's row names */
    dve_written written;
    const uint8_t *pool;         /* this lane's part of the pool buffer */
    const dve_pool_range *range;
    int stepwise;                /* a source and dst share bytes in another order than element by element, or
                                    dst visits a byte twice: each element must be read only when its turn
                                    comes (R25) */
    uint8_t moves;               /* bit s: elements of source s that reach dst do so as bits, see dve_op */
} dve_lane;

enum { DVE_MOVES_ALL = 0x80 };   /* in `moves`: no result of the record is converted */

typedef void dve_op_fn(const dve_lane *lane);

/* The same of several lanes of one record, block by block in turn: their walks differ in nothing but `bytes`. */
enum { DVE_LANE_GROUP = 8 };
typedef void dve_lanes_fn(const dve_lane *lanes, uint32_t count);

/* Lanes that exchange elements, or share state. */
typedef struct dve_tile {
    const dve_insn *insn;
    const dve_num_config *num;
    uint32_t lanes;
    dve_walk src, dst;           /* of the first lane */
    size_t src_stride, dst_stride;   /* bytes to the next lane */
    int in_place;                /* src and dst are one walk that visits no byte twice; else they share none */
    int twice;                   /* dst visits a byte twice */
    uint8_t *mask;               /* the shuffle mask */
    dve_pool_range *range;
    uint8_t *pool;               /* of the first lane, DVE_POOL_BYTES a lane */
    const uint8_t *list;         /* IndirectCopy: uint16 indices, in their order */
    uint32_t skipped;            /* out: bit l is set where lane l of the tile was not written */
} dve_tile;

typedef void dve_tile_fn(dve_tile *tile);

/* An immediate of an instruction, by slots of its fields (R29). */
typedef struct dve_op_immediate {
    uint8_t word;                /* 0: the instruction has none */
    uint8_t source;              /* of IMM_SRC */
    uint8_t dtype, dtype_slot;   /* wire code; 0: the one in that slot */
} dve_op_immediate;

typedef struct dve_op {
    uint8_t opcode;
    uint8_t reads, writes;       /* DVE_STATE_... */
    uint8_t command_slot;        /* of an accumulator command, which says whether the accumulator is read or written */
    uint8_t mask_slot;           /* of a field that must be 1 for the shuffle mask to be read */
    uint8_t values;              /* bit s: source s is read as numbers, through fp32 (R18) */
    uint8_t values_out;          /* dst receives converted numbers, not positions or bits */
    uint8_t reads_all_first;     /* R33: the whole lane is read before anything is written */
    uint8_t snapshot;            /* ... and that is left to the caller where source and dst share bytes, */
    uint8_t in_place;            /* unless they are one walk that visits no byte twice */
    uint8_t lane_step;           /* only lanes that are multiples of it work; 0: all */
    uint8_t tile_lanes;          /* lanes of a tile */
    uint8_t free_slot;           /* of a field that, when 1, gives the pool buffer back afterwards */
    uint8_t writes_some;         /* not all of dst: run() marks what it writes */
    dve_op_immediate imm[2];
    /* Bit s: elements of source s do not go through fp32 into results of this record: they move as bits (R32),
     * or no result depends on them; and DVE_MOVES_ALL. NULL: none. */
    uint8_t (*moves)(const dve_insn *insn);
    dve_op_fn *run;
    dve_lanes_fn *run_lanes;     /* or this */
    dve_tile_fn *run_tile;       /* or this */
} dve_op;

static inline int dve_op_runs(const dve_op *op)
{
    return op->run || op->run_lanes || op->run_tile;
}

/* Instructions this library executes, ends with an entry that runs nothing. */
extern const dve_op dve_op_table[];

/* ---- Walks ---- */

enum { DVE_BLOCK = 256 };        /* elements handed over at a time */

/* Address of element number `i` of a walk. */
uint8_t *dve_walk_at(const dve_walk *walk, uint32_t i);

/* A place in a walk: the element at at[], which starts a run of num[0] - at[0] elements. */
typedef struct dve_cursor {
    const dve_walk *walk;
    uint32_t at[4];
} dve_cursor;

static inline dve_cursor dve_cursor_of(const dve_walk *walk)
{
    return (dve_cursor){walk, {0, 0, 0, 0}};
}
uint8_t *dve_cursor_bytes(const dve_cursor *cursor);
/* By elements of the run that the cursor stands in; skip() by any number that is left. */
void dve_cursor_advance(dve_cursor *cursor, uint32_t elements);
void dve_cursor_skip(dve_cursor *cursor, uint32_t elements);

/* The next n elements, n at most DVE_BLOCK and at most what is left. */
/* As fp32: in `buffer`, or where they are if the host stores them so. */
const uint32_t *dve_read_f32(dve_cursor *from, const dve_num_config *num, uint32_t n, uint32_t buffer[DVE_BLOCK]);
/* Elements that move to another data type: up to an integer the NaN of a narrow float keeps its sign (R9). */
const uint32_t *dve_read_moved(dve_cursor *from, uint8_t to, const dve_num_config *num, uint32_t n,
                               uint32_t buffer[DVE_BLOCK]);
/* dve_read_f32, always in `buffer`. */
void dve_copy_f32(dve_cursor *from, const dve_num_config *num, uint32_t n, uint32_t buffer[DVE_BLOCK]);
void dve_write_f32(dve_cursor *to, const dve_num_config *num, const uint32_t *values, uint32_t n);
/* Bits as they are. */
void dve_read_bits(dve_cursor *from, uint32_t n, uint32_t buffer[DVE_BLOCK]);
void dve_write_bits(dve_cursor *to, const uint32_t *bits, uint32_t n);
/* Writes and marks those elements whose choose[i] is nonzero. */
void dve_write_bits_where(dve_cursor *to, const dve_written *written, const uint32_t *choose, const uint32_t *bits,
                          uint32_t n);

/* Moves and marks those elements whose choice is nonzero, bits as they are. */
void dve_move_where(dve_cursor *to, const dve_lane *lane, dve_cursor *choose, dve_cursor *from, uint32_t n);

/* The same of any number, if they lie side by side everywhere and are marked already; else 0, and nothing is done. */
int dve_move_run_where(dve_cursor *to, const dve_lane *lane, dve_cursor *choose, dve_cursor *from, uint32_t n);

/* The same element of the same walk of another lane. */
static inline dve_cursor dve_cursor_in(const dve_cursor *at, const dve_walk *walk)
{
    dve_cursor out = *at;
    out.walk = walk;
    return out;
}

/* Writes and marks one element's bits where the choice is not 0, or with `invert` where it is. */
void dve_fill_where(dve_cursor *to, const dve_lane *lane, dve_cursor *choose, int invert, uint32_t bits, uint32_t n);

/* One operand of a group of lanes as the loops of numeric/loops.h take it. */
static inline dve_num_plane dve_plane_of(const dve_walk *walk, size_t stride)
{
    return (dve_num_plane){walk->bytes, stride, walk->dtype};
}
/* Whether an operand has its elements side by side; whether a group can be worked on in planes if all of them have. */
static inline int dve_is_dense(const dve_walk *walk)
{
    return walk->step[0] == walk->size && walk->num[1] == 1;
}
static inline int dve_group_is_full(const dve_lane *lanes, uint32_t count)
{
    return count == DVE_LANE_GROUP && !lanes->stepwise;
}

/* Goes through a lane in blocks: block by block, each read before its own write, is element by element unless the
 * lane is stepwise; then a block is one element. */
typedef struct dve_blocks {
    uint32_t left, most;
} dve_blocks;

static inline dve_blocks dve_blocks_of(const dve_lane *lane)
{
    return (dve_blocks){lane->dst.count, lane->stepwise ? 1 : DVE_BLOCK};
}
/* Elements of the next block; 0 behind the last. */
static inline uint32_t dve_blocks_next(dve_blocks *b)
{
    uint32_t n = b->left < b->most ? b->left : b->most;
    b->left -= n;
    return n;
}

/* Reads a walk as fp32 in blocks: next() answers how many of at most DVE_BLOCK elements *values holds,
 * 0 at the end. */
typedef struct dve_reader {
    dve_cursor cursor;
    uint32_t left;
} dve_reader;

void dve_reader_begin(const dve_walk *walk, dve_reader *out);
uint32_t dve_reader_next(dve_reader *reader, const dve_num_config *num, uint32_t buffer[DVE_BLOCK],
                         const uint32_t **values);

/* Moves every element of `src` to its place in `dst`, which has as many: bits as they are, or by way of fp32.
 * The walks are one or share no bytes. A `dst` that visits a byte twice needs `in_order`. */
void dve_walk_move(const dve_walk *src, const dve_walk *dst, int in_order);
void dve_walk_convert(const dve_walk *src, const dve_walk *dst, const dve_num_config *num);
/* Fills all of `dst` with one element's bits. */
void dve_walk_fill(const dve_walk *dst, uint32_t bits);

/* ---- What instructions share ---- */

/* The value that an accumulator starts from under a command: as it was, `seed`, or what does not change `op`. */
uint32_t dve_accumulator_start(const dve_lane *lane, uint32_t command, uint8_t op, uint32_t seed);

/* Elements of a walk, or one fp32 value in their place (ops/select.c). */
typedef struct dve_selection {
    dve_cursor raw, values, to;
    int keeps;                   /* elements move as bits */
    uint32_t otherwise, otherwise_bits;
} dve_selection;

dve_selection dve_selection_of(const dve_lane *lane, const dve_walk *data, uint32_t otherwise);
/* Writes the next n results, elements where choose[i] is all ones, the value where it is 0; `results` receives them as
 * fp32 and must not be `choose`. */
void dve_select(dve_selection *selection, const dve_lane *lane, const uint32_t *choose, uint32_t n,
                uint32_t *results);

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

/* Whether an index finds an element of the pool buffer, *at: its bits outside the mask are start_index, and the
 * element lies in the lane's bytes. */
static inline int dve_pool_hits(const dve_pool_range *range, uint32_t index, uint32_t *at)
{
    *at = index & range->mask;
    return range->dtype && (index & ~range->mask) == range->start_index &&
           *at < DVE_POOL_BYTES / dve_num_size(range->dtype);
}

dve_op_fn dve_op_max8, dve_op_match_value_load, dve_op_find_index8, dve_op_match_replace8, dve_op_dve_read_indices,
    dve_op_copy, dve_op_cast, dve_op_memset, dve_op_copy_predicated, dve_op_cast_predicated,
    dve_op_copy_predicated_scalar, dve_op_tensor_scalar_select, dve_op_select_reduce, dve_op_range_select, dve_op_dve_read_accumulator, dve_op_nonzero_with_count, dve_op_gather;
dve_lanes_fn dve_op_tensor_scalar_cache_reduce, dve_op_tensor_scalar_cache_cumulative,
    dve_op_tensor_tensor_scan_arith;
dve_tile_fn dve_op_load_mask_select, dve_op_stream_shuffle, dve_op_stream_transpose, dve_op_pool_buffer_load,
    dve_op_indirect_copy;

/* For dve_op.moves, beside the instructions that they are about. */
uint8_t dve_moves_cast(const dve_insn *insn), dve_moves_cast_predicated(const dve_insn *insn),
    dve_moves_cache_reduce(const dve_insn *insn), dve_moves_scan(const dve_insn *insn),
    dve_moves_select_reduce(const dve_insn *insn), dve_moves_range_select(const dve_insn *insn);

#endif
