/* SPDX-License-Identifier: Apache-2.0 */
/* Operators on rows of fp32 patterns. The operator is chosen outside the loop, so that each loop is one
 * operation that compilers turn into vectors. */
#include "loops.h"
#include "operators.h"

#include <string.h>

/* EACH(operator) for the 22 that num.h names, in the order of their codes; bypass is a copy. */
#define FOR_OPERATORS(EACH)                                                                                  \
    EACH(ADD) EACH(SUBTRACT) EACH(MULT) EACH(DIVIDE) EACH(MAX) EACH(MIN) EACH(LOGICAL_AND) EACH(LOGICAL_OR) \
    EACH(LOGICAL_XOR) EACH(IS_EQ) EACH(IS_GT) EACH(IS_GE) EACH(IS_LE) EACH(IS_LT) EACH(ABSOLUTE_DIFF)       \
    EACH(IS_NE) EACH(ABSOLUTE_VALUE) EACH(ABS_MAX) EACH(ABS_MIN) EACH(RELU) EACH(SQUARE)

/* The step of b is a constant of each caller: 0 is one operand for all. */
DVE_ALWAYS_INLINE void alu_n(uint8_t op, const uint32_t *restrict a, const uint32_t *restrict b, size_t step, size_t n,
                             uint32_t *restrict out)
{
    switch (op) {
    case DVE_ALU_OP_BYPASS:
        if (n > 0) {
            memcpy(out, a, n * sizeof *out);
        }
        break;
#define EACH(name)                                                       \
    case DVE_ALU_OP_##name:                                              \
        for (size_t i = 0; i < n; i++) {                                 \
            out[i] = dve_op_apply(DVE_ALU_OP_##name, a[i], b[i * step]); \
        }                                                                \
        break;
    FOR_OPERATORS(EACH)
#undef EACH
    default:
        for (size_t i = 0; i < n; i++) {
            out[i] = DVE_F32_QUIET_NAN;
        }
        break;
    }
}

void dve_num_alu_f32_n(uint8_t op, const uint32_t *restrict a, const uint32_t *restrict b, size_t n,
                       uint32_t *restrict out)
{
    alu_n(op, a, b, 1, n, out);
}

void dve_num_alu_scalar_n(uint8_t op, const uint32_t *restrict a, uint32_t b, size_t n, uint32_t *restrict out)
{
    alu_n(op, a, &b, 0, n, out);
}

enum { GROUP = 64 };

/* How many of a group lie above (below) a value; never NaN. */
static uint32_t above(const uint32_t *t, float value)
{
    uint32_t count = 0;
    for (size_t i = 0; i < GROUP; i++) {
        count += dve_f32_value(t[i]) > value ? 1u : 0u;
    }
    return count;
}

static uint32_t below(const uint32_t *t, float value)
{
    uint32_t count = 0;
    for (size_t i = 0; i < GROUP; i++) {
        count += dve_f32_value(t[i]) < value ? 1u : 0u;
    }
    return count;
}

/* Whether the group leaves an extreme as it is. Of equals the newer stays, which shows with zeros alone: they,
 * and NaN, are never passed over. */
DVE_ALWAYS_INLINE bool passes(uint8_t op, const uint32_t *t, uint32_t acc)
{
    const float value = dve_f32_value(acc);
    return (value < 0 || value > 0) && (op == DVE_ALU_OP_MAX ? above(t, value) : below(t, value)) == 0;
}

/* Maximum or minimum: most groups change nothing, and one look at a group is cheaper than a chain through it. */
DVE_ALWAYS_INLINE uint32_t fold_extreme(uint8_t op, const uint32_t *t, size_t n, uint32_t acc)
{
    size_t i = 0;
    for (; i + GROUP <= n; i += GROUP) {
        for (size_t j = passes(op, t + i, acc) ? i + GROUP : i; j < i + GROUP; j++) {
            acc = dve_op_apply(op, t[j], acc);
        }
    }
    for (; i < n; i++) {
        acc = dve_op_apply(op, t[i], acc);
    }
    return acc;
}

uint32_t dve_num_max_f32_n(uint32_t acc, const uint32_t *t, size_t n)
{
    size_t i = 0;
    for (; i + GROUP <= n; i += GROUP) {
        if (!dve_f32_is_nan(acc) && above(t + i, dve_f32_value(acc)) == 0) {
            continue;
        }
        for (size_t j = i; j < i + GROUP; j++) {
            acc = dve_op_apply(DVE_ALU_OP_MAX, acc, t[j]);
        }
    }
    for (; i < n; i++) {
        acc = dve_op_apply(DVE_ALU_OP_MAX, acc, t[i]);
    }
    return acc;
}

/* Sums, differences and products: what was NaN once stays NaN, so that one look at the end of the chain, or at
 * each result beside it, gives what a look at each link would. */
DVE_ALWAYS_INLINE float link(uint8_t op, float t, float acc)
{
    return op == DVE_ALU_OP_ADD ? t + acc : op == DVE_ALU_OP_SUBTRACT ? t - acc : t * acc;
}

DVE_ALWAYS_INLINE uint32_t fold_sum(uint8_t op, const uint32_t *t, size_t n, uint32_t acc)
{
    float so_far = dve_f32_value(acc);
    for (size_t i = 0; i < n; i++) {
        so_far = link(op, dve_f32_value(t[i]), so_far);
    }
    return n > 0 ? dve_op_arith(so_far) : acc;
}

DVE_ALWAYS_INLINE uint32_t scan_sum(uint8_t op, const uint32_t *t, size_t n, uint32_t acc, uint32_t *out)
{
    float so_far = dve_f32_value(acc);
    for (size_t i = 0; i < n; i++) {
        so_far = link(op, dve_f32_value(t[i]), so_far);
        out[i] = dve_op_arith(so_far);
    }
    return n > 0 ? dve_op_arith(so_far) : acc;
}

/* Where a group changes nothing, its results are all the extreme so far. */
DVE_ALWAYS_INLINE uint32_t scan_extreme(uint8_t op, const uint32_t *restrict t, size_t n, uint32_t acc,
                                        uint32_t *restrict out)
{
    size_t i = 0;
    for (; i + GROUP <= n; i += GROUP) {
        if (passes(op, t + i, acc)) {
            for (size_t j = 0; j < GROUP; j++) {
                out[i + j] = acc;
            }
            continue;
        }
        for (size_t j = 0; j < GROUP; j++) {
            out[i + j] = acc = dve_op_apply(op, t[i + j], acc);
        }
    }
    for (; i < n; i++) {
        out[i] = acc = dve_op_apply(op, t[i], acc);
    }
    return acc;
}

uint32_t dve_num_fold_f32_n(uint8_t op, const uint32_t *t, size_t n, uint32_t acc)
{
    switch (op) {
    case DVE_ALU_OP_ADD: return fold_sum(DVE_ALU_OP_ADD, t, n, acc);
    case DVE_ALU_OP_SUBTRACT: return fold_sum(DVE_ALU_OP_SUBTRACT, t, n, acc);
    case DVE_ALU_OP_MULT: return fold_sum(DVE_ALU_OP_MULT, t, n, acc);
    case DVE_ALU_OP_MAX: return fold_extreme(DVE_ALU_OP_MAX, t, n, acc);
    case DVE_ALU_OP_MIN: return fold_extreme(DVE_ALU_OP_MIN, t, n, acc);
    default:
        for (size_t i = 0; i < n; i++) {
            acc = dve_num_alu_f32(op, t[i], acc);
        }
        return acc;
    }
}

uint32_t dve_num_scan_f32_n(uint8_t op, const uint32_t *restrict t, size_t n, uint32_t acc, uint32_t *restrict out)
{
    switch (op) {
    case DVE_ALU_OP_ADD: return scan_sum(DVE_ALU_OP_ADD, t, n, acc, out);
    case DVE_ALU_OP_SUBTRACT: return scan_sum(DVE_ALU_OP_SUBTRACT, t, n, acc, out);
    case DVE_ALU_OP_MULT: return scan_sum(DVE_ALU_OP_MULT, t, n, acc, out);
    case DVE_ALU_OP_MAX: return scan_extreme(DVE_ALU_OP_MAX, t, n, acc, out);
    case DVE_ALU_OP_MIN: return scan_extreme(DVE_ALU_OP_MIN, t, n, acc, out);
    default:
        for (size_t i = 0; i < n; i++) {
            out[i] = acc = dve_num_alu_f32(op, t[i], acc);
        }
        return acc;
    }
}

/* s = a s + b, by far the most used recurrence. */
static uint32_t recur_linear(const uint32_t *restrict a, const uint32_t *restrict b, size_t n, uint32_t s,
                             uint32_t *restrict out)
{
    float so_far = dve_f32_value(s);
    for (size_t i = 0; i < n; i++) {
        so_far = dve_f32_value(a[i]) * so_far + dve_f32_value(b[i]);
        out[i] = dve_op_arith(so_far);
    }
    return n > 0 ? out[n - 1] : s;
}

uint32_t dve_num_recur_f32_n(uint8_t op0, uint8_t op1, uint8_t reverse, const uint32_t *restrict a,
                             const uint32_t *restrict b, size_t n, uint32_t s, uint32_t *restrict out)
{
    if (op0 == DVE_ALU_OP_MULT && op1 == DVE_ALU_OP_ADD) {       /* either way round: both commute */
        return recur_linear(a, b, n, s, out);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t u = reverse & 1 ? dve_num_alu_f32(op0, s, a[i]) : dve_num_alu_f32(op0, a[i], s);
        out[i] = s = reverse & 2 ? dve_num_alu_f32(op1, b[i], u) : dve_num_alu_f32(op1, u, b[i]);
    }
    return s;
}
