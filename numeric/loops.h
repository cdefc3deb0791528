/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over rows of values, once for each level of vectors that the build has (CMakeLists.txt). All levels give the
 * same bits: a loop and its compiler's vectors are one source.
 *
 * Beside what num.h offers: chains along several lanes at once. A chain waits for each of its links in turn; those of
 * other lanes fill the time. Each lane gets what the call for one lane in num.h gives it. */
#ifndef OPENDVE_NUMERIC_LOOPS_H
#define OPENDVE_NUMERIC_LOOPS_H

#include <opendve/num.h>

enum {
    DVE_NUM_LANES = 8,           /* at most */
    DVE_NUM_ROW = 256            /* values of a lane at most; rows lie so far apart */
};
typedef struct dve_num_row {
    uint32_t value[DVE_NUM_ROW];
} dve_num_row;

/* out[i] = a[i] op b. No two arrays share bytes. */
void dve_num_alu_scalar_n(uint8_t op, const uint32_t *a, uint32_t b, size_t n, uint32_t *out);

/* dve_num_fold_f32_n, dve_num_scan_f32_n and dve_num_recur_f32_n of lanes 0..lanes-1; acc and s are in and out. */
void dve_num_fold_lanes(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc);
void dve_num_scan_lanes(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc, dve_num_row *out);
void dve_num_recur_lanes(uint8_t op0, uint8_t op1, uint8_t reverse, const dve_num_row *a, const dve_num_row *b,
                         uint32_t lanes, size_t n, uint32_t *s, dve_num_row *out);

/* Elements of DVE_NUM_LANES lanes, adjacent in each, as they lie in memory; `stride` bytes from lane to lane. */
typedef struct dve_num_plane {
    uint8_t *bytes;
    size_t stride;
    uint8_t dtype;
} dve_num_plane;

/* The chains above from planes to a plane, along the first of n elements of each lane: answers how many those were, 0
 * where a data type or an operator has no such loop. Each lane has an operand of op0, and t = element op0 imm. A plane
 * that is read is the one that is written, or shares no bytes with it.
 * reduce: writes t and folds it by op1; scan: writes what op1 makes of each t; recur: s = a op0 s, s = s op1 b, and
 * writes each s, for operators that commute. */
size_t dve_reduce_planes(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n,
                         uint32_t *acc, const dve_num_plane *dst);
size_t dve_scan_planes(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n, uint32_t *acc,
                       const dve_num_plane *dst);
size_t dve_recur_planes(uint8_t op0, uint8_t op1, const dve_num_plane *a, const dve_num_plane *b, size_t n, uint32_t *s,
                        const dve_num_plane *dst);

/* n adjacent words of `dst` become `bits`, those whose word of `choose` is not 0, or with `invert` those whose word is
 * 0; the others stay. */
void dve_fill_bits_n(uint32_t bytes, uint32_t bits, uint32_t choose_bytes, const uint8_t *choose, int invert, size_t n,
                     uint8_t *dst);

/* How many 32-bit integers fp32 does not hold. */
uint32_t dve_num_lost_n(const uint32_t *bits, bool is_signed, size_t n);

/* n adjacent elements of each of DVE_NUM_TURNED lanes, a multiple of that: in each block of as many, what was element e
 * of lane l becomes element l of lane e. Source and destination share no bytes. */
enum { DVE_NUM_TURNED = 32 };
void dve_turn_lanes(uint32_t size, const uint8_t *src, size_t src_stride, size_t n, uint8_t *dst, size_t dst_stride);

/* dve_num_load_f32 and dve_num_store_f32 of one level. */
void dve_load_rows(const dve_num_config *c, uint8_t dtype, const uint8_t *src, ptrdiff_t step, size_t n,
                   uint32_t *out);
void dve_store_rows(const dve_num_config *c, uint8_t dtype, const uint32_t *in, size_t n, uint8_t *dst,
                    ptrdiff_t step);

/* The loops of one level. */
typedef struct dve_loops {
    void (*load)(const dve_num_config *c, uint8_t dtype, const uint8_t *src, ptrdiff_t step, size_t n, uint32_t *out);
    void (*store)(const dve_num_config *c, uint8_t dtype, const uint32_t *in, size_t n, uint8_t *dst, ptrdiff_t step);
    void (*alu_scalar)(uint8_t op, const uint32_t *a, uint32_t b, size_t n, uint32_t *out);
    uint32_t (*max)(uint32_t acc, const uint32_t *t, size_t n);
    void (*fold_lanes)(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc);
    void (*scan_lanes)(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc, dve_num_row *out);
    void (*recur_lanes)(uint8_t op0, uint8_t op1, uint8_t reverse, const dve_num_row *a, const dve_num_row *b,
                        uint32_t lanes, size_t n, uint32_t *s, dve_num_row *out);
    size_t (*reduce_planes)(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n,
                            uint32_t *acc, const dve_num_plane *dst);
    size_t (*scan_planes)(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n,
                          uint32_t *acc, const dve_num_plane *dst);
    size_t (*recur_planes)(uint8_t op0, uint8_t op1, const dve_num_plane *a, const dve_num_plane *b, size_t n,
                           uint32_t *s, const dve_num_plane *dst);
    void (*blend)(uint32_t bytes, const uint8_t *src, uint32_t choose_bytes, const uint8_t *choose, size_t n,
                  uint8_t *dst);
    void (*fill)(uint32_t bytes, uint32_t bits, uint32_t choose_bytes, const uint8_t *choose, int invert, size_t n,
                 uint8_t *dst);
    uint32_t (*lost)(const uint32_t *bits, bool is_signed, size_t n);
    void (*turn)(uint32_t size, const uint8_t *src, size_t src_stride, size_t n, uint8_t *dst, size_t dst_stride);
} dve_loops;

extern const dve_loops dve_loops_here;

/* The loops that a config chooses. */
const dve_loops *dve_loops_of(const dve_num_config *c);

#endif
