/* SPDX-License-Identifier: Apache-2.0 */
/* Chains along eight lanes from memory to memory, a few elements of all lanes at a time, which stay in registers. So
 * the lanes are read and written as so many streams, each from end to end, which is the way in which memory is fast;
 * and with rows and columns exchanged a vector holds one element of each lane, a link of all their chains. */
#include "loops.h"
#include "operators.h"
#include "squares.h"

#include <string.h>

#if defined(DVE_HAS_SQUARES) && DVE_WIRE_IS_HOST

enum { SIDE = DVE_SQUARE4, GROUPS = DVE_NUM_LANES / SIDE };
typedef dve_words4 vector;

static int knows(const dve_num_plane *p)
{
    return p->dtype == DVE_DTYPE_FP32 || p->dtype == DVE_DTYPE_BF16;
}

/* ---- What operators.h and half.c do to a pattern ---- */

DVE_ALWAYS_INLINE vector all(uint32_t bits)
{
    return (vector){0} + bits;
}

DVE_ALWAYS_INLINE vector is_nan(vector a)
{
    return (vector)((dve_floats4)a != (dve_floats4)a);
}

DVE_ALWAYS_INLINE vector canonical(vector a)
{
    return dve_choose4(is_nan(a), all(DVE_F32_QUIET_NAN), a);
}

/* But for NaN, see apply(): one that is canonical fp32 becomes so as bf16. */
DVE_ALWAYS_INLINE vector widen(dve_halves4 bits)
{
    return dve_widen4(bits) << 16;
}

DVE_ALWAYS_INLINE dve_halves4 narrow(vector a)
{
    return dve_narrow4((a + 0x7fff + ((a >> 16) & 1)) >> 16);
}

/* t op acc. An extreme that was canonical stays so, for it never chooses a t that is NaN. Other results become so
 * where they are stored, and a sum that was NaN once stays NaN (alu_bulk.c). */
DVE_ALWAYS_INLINE vector link(uint8_t op, vector t, vector acc)
{
    const dve_floats4 x = (dve_floats4)t, y = (dve_floats4)acc;
    switch (op) {
    case DVE_ALU_OP_ADD: return (vector)(x + y);
    case DVE_ALU_OP_SUBTRACT: return (vector)(x - y);
    case DVE_ALU_OP_MULT: return (vector)(x * y);
    case DVE_ALU_OP_MAX: return dve_choose4(is_nan(t) | (vector)(y > x), acc, t);
    default: return dve_choose4(is_nan(t) | (vector)(y < x), acc, t);
    }
}

static int links(uint8_t op)
{
    return op == DVE_ALU_OP_ADD || op == DVE_ALU_OP_SUBTRACT || op == DVE_ALU_OP_MULT || op == DVE_ALU_OP_MAX ||
           op == DVE_ALU_OP_MIN;
}

/* A case of a switch: `STEP` for each vector, with the operator as the constant `which`. */
#define CASE(name, STEP)                         \
    case DVE_ALU_OP_##name: {                    \
        const uint8_t which = DVE_ALU_OP_##name; \
        DVE_EACH_ROW4(STEP)                      \
        break;                                   \
    }

/* ---- Squares: SIDE elements from `first` on of the SIDE lanes from `lane` on, a vector a lane ---- */

DVE_ALWAYS_INLINE void load(const dve_num_plane p, size_t lane, size_t first, vector *row)
{
    if (p.dtype == DVE_DTYPE_FP32) {
#define READ(l) memcpy(&row[l], p.bytes + (lane + (l)) * p.stride + 4 * first, sizeof row[l]);
        DVE_EACH_ROW4(READ)
#undef READ
    } else {
        dve_halves4 half;
#define READ(l)                                                                        \
    memcpy(&half, p.bytes + (lane + (l)) * p.stride + 2 * first, sizeof half);         \
    row[l] = widen(half);
        DVE_EACH_ROW4(READ)
#undef READ
    }
}

DVE_ALWAYS_INLINE void store(const dve_num_plane p, size_t lane, size_t first, const vector *row)
{
    if (p.dtype == DVE_DTYPE_FP32) {
#define WRITE(l) memcpy(p.bytes + (lane + (l)) * p.stride + 4 * first, &row[l], sizeof row[l]);
        DVE_EACH_ROW4(WRITE)
#undef WRITE
    } else {
        dve_halves4 half;
#define WRITE(l)                                                                       \
    half = narrow(row[l]);                                                             \
    memcpy(p.bytes + (lane + (l)) * p.stride + 2 * first, &half, sizeof half);
        DVE_EACH_ROW4(WRITE)
#undef WRITE
    }
}

/* By way of memory. */
DVE_ALWAYS_INLINE void apply_any(uint8_t op, vector *row, const vector *operand)
{
    uint32_t a[SIDE * SIDE], b[SIDE * SIDE], out[SIDE * SIDE];
    memcpy(a, row, sizeof a);
    memcpy(b, operand, sizeof b);
    dve_num_alu_f32_n(op, a, b, SIDE * SIDE, out);
    memcpy(row, out, sizeof out);
}

/* row op operand: the usual operators in registers. All results are canonical, but those of a bypass from fp32 to fp32:
 * they are bits. */
DVE_ALWAYS_INLINE void apply(uint8_t op, int converts, vector *row, const vector *operand)
{
#define CANONICAL(l) row[l] = canonical(row[l]);
#define APPLY(l) row[l] = canonical(link(which, row[l], operand[l]));
    switch (op) {
    case DVE_ALU_OP_BYPASS:
        if (converts) {
            DVE_EACH_ROW4(CANONICAL)
        }
        break;
    CASE(ADD, APPLY)
    CASE(SUBTRACT, APPLY)
    CASE(MULT, APPLY)
    default: apply_any(op, row, operand); break;
    }
#undef APPLY
#undef CANONICAL
}

/* ---- Chains: a vector an element, and acc goes through all of them ---- */

DVE_ALWAYS_INLINE vector fold(uint8_t op, const vector *column, vector acc)
{
#define LINK(k) acc = link(which, column[k], acc);
    switch (op) {
    CASE(ADD, LINK)
    CASE(SUBTRACT, LINK)
    CASE(MULT, LINK)
    CASE(MAX, LINK)
    default:
    CASE(MIN, LINK)
    }
#undef LINK
    return acc;
}

/* The same, and each link takes the place of its element. */
DVE_ALWAYS_INLINE vector scan(uint8_t op, vector *column, vector acc)
{
#define LINK(k)                               \
    acc = link(which, column[k], acc);        \
    column[k] = which == DVE_ALU_OP_MAX || which == DVE_ALU_OP_MIN ? acc : canonical(acc);
    switch (op) {
    CASE(ADD, LINK)
    CASE(SUBTRACT, LINK)
    CASE(MULT, LINK)
    CASE(MAX, LINK)
    default:
    CASE(MIN, LINK)
    }
#undef LINK
    return acc;
}

/* s = a s + b. */
DVE_ALWAYS_INLINE vector recur(vector *a, const vector *b, vector s)
{
#define LINK(k)                                                                            \
    s = (vector)((dve_floats4)a[k] * (dve_floats4)s + (dve_floats4)b[k]);                  \
    a[k] = canonical(s);
    DVE_EACH_ROW4(LINK)
#undef LINK
    return s;
}

/* ---- Calls ---- */

static void begin(const uint32_t *acc, vector *out)
{
    memcpy(out, acc, DVE_NUM_LANES * sizeof *acc);
    for (size_t g = 0; g < GROUPS; g++) {
        out[g] = canonical(out[g]);
    }
}

static void end(vector *acc, uint32_t *out)
{
    for (size_t g = 0; g < GROUPS; g++) {
        acc[g] = canonical(acc[g]);
    }
    memcpy(out, acc, DVE_NUM_LANES * sizeof *out);
}

/* The operand of each lane, for all its elements. */
static void spread(const uint32_t *imm, vector *out)
{
    for (size_t l = 0; l < DVE_NUM_LANES; l++) {
        out[l] = all(imm[l]);
    }
}

size_t dve_reduce_planes(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n,
                         uint32_t *acc, const dve_num_plane *dst)
{
    const dve_num_plane from = *src, to = *dst;
    const int converts = from.dtype != DVE_DTYPE_FP32 || to.dtype != DVE_DTYPE_FP32;
    vector operand[DVE_NUM_LANES], so_far[GROUPS], row[SIDE];
    size_t done = 0;
    if (n < SIDE || !knows(src) || !knows(dst) || !links(op1)) {
        return 0;
    }
    spread(imm, operand);
    begin(acc, so_far);
    for (; done + SIDE <= n; done += SIDE) {
        for (size_t g = 0; g < GROUPS; g++) {
            load(from, g * SIDE, done, row);
            apply(op0, converts, row, operand + g * SIDE);
            store(to, g * SIDE, done, row);
            dve_exchange4(row);
            so_far[g] = fold(op1, row, so_far[g]);
        }
    }
    end(so_far, acc);
    return done;
}

size_t dve_scan_planes(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n, uint32_t *acc,
                       const dve_num_plane *dst)
{
    const dve_num_plane from = *src, to = *dst;
    const int converts = from.dtype != DVE_DTYPE_FP32 || to.dtype != DVE_DTYPE_FP32;
    vector operand[DVE_NUM_LANES], so_far[GROUPS], row[SIDE];
    size_t done = 0;
    if (n < SIDE || !knows(src) || !knows(dst) || !links(op1)) {
        return 0;
    }
    spread(imm, operand);
    begin(acc, so_far);
    for (; done + SIDE <= n; done += SIDE) {
        for (size_t g = 0; g < GROUPS; g++) {
            load(from, g * SIDE, done, row);
            apply(op0, converts, row, operand + g * SIDE);
            dve_exchange4(row);
            so_far[g] = scan(op1, row, so_far[g]);
            dve_exchange4(row);
            store(to, g * SIDE, done, row);
        }
    }
    end(so_far, acc);
    return done;
}

size_t dve_recur_planes(uint8_t op0, uint8_t op1, const dve_num_plane *a, const dve_num_plane *b, size_t n, uint32_t *s,
                        const dve_num_plane *dst)
{
    const dve_num_plane first = *a, second = *b, to = *dst;
    vector so_far[GROUPS], x[SIDE], y[SIDE];
    size_t done = 0;
    if (n < SIDE || !knows(a) || !knows(b) || !knows(dst) || op0 != DVE_ALU_OP_MULT || op1 != DVE_ALU_OP_ADD) {
        return 0;                                /* by far the most used recurrence */
    }
    begin(s, so_far);
    for (; done + SIDE <= n; done += SIDE) {
        for (size_t g = 0; g < GROUPS; g++) {
            load(first, g * SIDE, done, x);
            load(second, g * SIDE, done, y);
            dve_exchange4(x);
            dve_exchange4(y);
            so_far[g] = recur(x, y, so_far[g]);
            dve_exchange4(x);
            store(to, g * SIDE, done, x);
        }
    }
    end(so_far, s);
    return done;
}

#else

size_t dve_reduce_planes(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n,
                         uint32_t *acc, const dve_num_plane *dst)
{
    (void)op0, (void)op1, (void)src, (void)imm, (void)n, (void)acc, (void)dst;
    return 0;
}

size_t dve_scan_planes(uint8_t op0, uint8_t op1, const dve_num_plane *src, const uint32_t *imm, size_t n, uint32_t *acc,
                       const dve_num_plane *dst)
{
    (void)op0, (void)op1, (void)src, (void)imm, (void)n, (void)acc, (void)dst;
    return 0;
}

size_t dve_recur_planes(uint8_t op0, uint8_t op1, const dve_num_plane *a, const dve_num_plane *b, size_t n, uint32_t *s,
                        const dve_num_plane *dst)
{
    (void)op0, (void)op1, (void)a, (void)b, (void)n, (void)s, (void)dst;
    return 0;
}
#endif
