/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of DVE_NUM_LANES lanes; fewer lanes go one by one. */
#include "loops.h"
#include "operators.h"

#include <string.h>

#define LANES(l) for (uint32_t l = 0; l < DVE_NUM_LANES; l++)

/* ---- Sums: NaN needs no care on the way, see alu_bulk.c ---- */

DVE_ALWAYS_INLINE float link(uint8_t op, float t, float acc)
{
    return op == DVE_ALU_OP_ADD ? t + acc : op == DVE_ALU_OP_SUBTRACT ? t - acc : t * acc;
}

DVE_ALWAYS_INLINE void fold_sums(uint8_t op, const dve_num_row *restrict t, size_t n, uint32_t *restrict acc)
{
    float s[DVE_NUM_LANES];
    LANES(l) s[l] = dve_f32_value(acc[l]);
    for (size_t i = 0; i < n; i++) {
        LANES(l) s[l] = link(op, dve_f32_value(t[l].value[i]), s[l]);
    }
    LANES(l) acc[l] = dve_op_arith(s[l]);
}

/* A lane that ends as a number had no NaN on its way. */
static void end(const float *last, dve_num_row *out, size_t n, uint32_t *acc)
{
    LANES(l) {
        acc[l] = dve_op_arith(last[l]);
        for (size_t i = 0; i < n && dve_f32_is_nan(acc[l]); i++) {
            out[l].value[i] = dve_op_canonical(out[l].value[i]);
        }
    }
}

DVE_ALWAYS_INLINE void scan_sums(uint8_t op, const dve_num_row *restrict t, size_t n, uint32_t *restrict acc,
                                 dve_num_row *restrict out)
{
    float s[DVE_NUM_LANES];
    LANES(l) s[l] = dve_f32_value(acc[l]);
    for (size_t i = 0; i < n; i++) {
        LANES(l) {
            s[l] = link(op, dve_f32_value(t[l].value[i]), s[l]);
            out[l].value[i] = dve_f32_bits(s[l]);
        }
    }
    end(s, out, n, acc);
}

static void recur_linear(const dve_num_row *restrict a, const dve_num_row *restrict b, size_t n, uint32_t *restrict s,
                         dve_num_row *restrict out)
{
    float so_far[DVE_NUM_LANES];
    LANES(l) so_far[l] = dve_f32_value(s[l]);
    for (size_t i = 0; i < n; i++) {
        LANES(l) {
            so_far[l] = dve_f32_value(a[l].value[i]) * so_far[l] + dve_f32_value(b[l].value[i]);
            out[l].value[i] = dve_f32_bits(so_far[l]);
        }
    }
    end(so_far, out, n, s);
}

/* ---- Any operator: one step of all lanes is one row of its loop ---- */

static void step(uint8_t op, const uint32_t *restrict a, const uint32_t *restrict b, uint32_t *restrict out)
{
    dve_num_alu_f32_n(op, a, b, DVE_NUM_LANES, out);
}

static void column(const dve_num_row *t, size_t i, uint32_t *out)
{
    LANES(l) out[l] = t[l].value[i];
}

static void recur_any(uint8_t op0, uint8_t op1, uint8_t reverse, const dve_num_row *a, const dve_num_row *b, size_t n,
                      uint32_t *s, dve_num_row *out)
{
    uint32_t x[DVE_NUM_LANES], y[DVE_NUM_LANES], u[DVE_NUM_LANES], next[DVE_NUM_LANES];
    for (size_t i = 0; i < n; i++) {
        column(a, i, x);
        column(b, i, y);
        step(op0, reverse & 1 ? s : x, reverse & 1 ? x : s, u);
        step(op1, reverse & 2 ? y : u, reverse & 2 ? u : y, next);
        LANES(l) out[l].value[i] = s[l] = next[l];
    }
}

/* ---- Calls ---- */

static int is_sum(uint8_t op)
{
    return op == DVE_ALU_OP_ADD || op == DVE_ALU_OP_SUBTRACT || op == DVE_ALU_OP_MULT;
}

void dve_num_fold_lanes(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc)
{
    if (lanes == DVE_NUM_LANES && is_sum(op) && n > 0) {
        switch (op) {
        case DVE_ALU_OP_ADD: fold_sums(DVE_ALU_OP_ADD, t, n, acc); return;
        case DVE_ALU_OP_SUBTRACT: fold_sums(DVE_ALU_OP_SUBTRACT, t, n, acc); return;
        default: fold_sums(DVE_ALU_OP_MULT, t, n, acc); return;
        }
    }
    for (uint32_t l = 0; l < lanes; l++) {
        acc[l] = dve_num_fold_f32_n(op, t[l].value, n, acc[l]);
    }
}

void dve_num_scan_lanes(uint8_t op, const dve_num_row *t, uint32_t lanes, size_t n, uint32_t *acc, dve_num_row *out)
{
    if (lanes == DVE_NUM_LANES && is_sum(op) && n > 0) {
        switch (op) {
        case DVE_ALU_OP_ADD: scan_sums(DVE_ALU_OP_ADD, t, n, acc, out); return;
        case DVE_ALU_OP_SUBTRACT: scan_sums(DVE_ALU_OP_SUBTRACT, t, n, acc, out); return;
        default: scan_sums(DVE_ALU_OP_MULT, t, n, acc, out); return;
        }
    }
    for (uint32_t l = 0; l < lanes; l++) {
        acc[l] = dve_num_scan_f32_n(op, t[l].value, n, acc[l], out[l].value);
    }
}

void dve_num_recur_lanes(uint8_t op0, uint8_t op1, uint8_t reverse, const dve_num_row *a, const dve_num_row *b,
                         uint32_t lanes, size_t n, uint32_t *s, dve_num_row *out)
{
    int linear = op0 == DVE_ALU_OP_MULT && op1 == DVE_ALU_OP_ADD;
    if (lanes == DVE_NUM_LANES && n > 0) {
        if (linear) {
            recur_linear(a, b, n, s, out);
        } else {
            recur_any(op0, op1, reverse, a, b, n, s, out);
        }
        return;
    }
    for (uint32_t l = 0; l < lanes; l++) {
        s[l] = dve_num_recur_f32_n(op0, op1, reverse, a[l].value, b[l].value, n, s[l], out[l].value);
    }
}
