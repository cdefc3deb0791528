/* SPDX-License-Identifier: Apache-2.0 */
/* Operators on rows of fp32 patterns. The operator is chosen outside the loop, so that each loop is one
 * operation that compilers turn into vectors. */
#include "operators.h"

#include <string.h>

/* EACH(operator) for the 22 that num.h names, in the order of their codes; bypass is a copy. */
#define FOR_OPERATORS(EACH)                                                                                  \
    EACH(ADD) EACH(SUBTRACT) EACH(MULT) EACH(DIVIDE) EACH(MAX) EACH(MIN) EACH(LOGICAL_AND) EACH(LOGICAL_OR) \
    EACH(LOGICAL_XOR) EACH(IS_EQ) EACH(IS_GT) EACH(IS_GE) EACH(IS_LE) EACH(IS_LT) EACH(ABSOLUTE_DIFF)       \
    EACH(IS_NE) EACH(ABSOLUTE_VALUE) EACH(ABS_MAX) EACH(ABS_MIN) EACH(RELU) EACH(SQUARE)

void dve_num_alu_f32_n(uint8_t op, const uint32_t *restrict a, const uint32_t *restrict b, size_t n,
                       uint32_t *restrict out)
{
    switch (op) {
    case DVE_ALU_OP_BYPASS:
        if (n > 0) {
            memcpy(out, a, n * sizeof *out);
        }
        break;
#define EACH(name)                                                      \
    case DVE_ALU_OP_##name:                                             \
        for (size_t i = 0; i < n; i++) {                                \
            out[i] = dve_op_apply(DVE_ALU_OP_##name, a[i], b[i]);       \
        }                                                               \
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

enum { GROUP = 64 };

/* How many of a group a maximum cannot pass over: those not below it. NaN counts, and all do beside NaN. */
static uint32_t not_below(const uint32_t *t, float acc)
{
    uint32_t count = 0;
    for (size_t i = 0; i < GROUP; i++) {
        count += dve_f32_value(t[i]) < acc ? 0u : 1u;
    }
    return count;
}

static uint32_t not_above(const uint32_t *t, float acc)
{
    uint32_t count = 0;
    for (size_t i = 0; i < GROUP; i++) {
        count += dve_f32_value(t[i]) > acc ? 0u : 1u;
    }
    return count;
}

/* Maximum or minimum: most groups change nothing, and one look at a group is cheaper than a chain through it. */
DVE_ALWAYS_INLINE uint32_t fold_extreme(uint8_t op, const uint32_t *t, size_t n, uint32_t acc)
{
    size_t i = 0;
    for (; i + GROUP <= n; i += GROUP) {
        const float so_far = dve_f32_value(acc);
        if ((op == DVE_ALU_OP_MAX ? not_below(t + i, so_far) : not_above(t + i, so_far)) == 0) {
            continue;
        }
        for (size_t j = i; j < i + GROUP; j++) {
            acc = dve_op_apply(op, t[j], acc);
        }
    }
    for (; i < n; i++) {
        acc = dve_op_apply(op, t[i], acc);
    }
    return acc;
}

static uint32_t above(const uint32_t *t, float acc)
{
    uint32_t count = 0;
    for (size_t i = 0; i < GROUP; i++) {
        count += dve_f32_value(t[i]) > acc ? 1u : 0u;
    }
    return count;
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

/* Operators of accumulators, but for the two above. */
#define FOR_SUMS(EACH) EACH(ADD) EACH(SUBTRACT) EACH(MULT)

uint32_t dve_num_fold_f32_n(uint8_t op, const uint32_t *t, size_t n, uint32_t acc)
{
    switch (op) {
    case DVE_ALU_OP_MAX: return fold_extreme(DVE_ALU_OP_MAX, t, n, acc);
    case DVE_ALU_OP_MIN: return fold_extreme(DVE_ALU_OP_MIN, t, n, acc);
#define EACH(name)                                                      \
    case DVE_ALU_OP_##name:                                             \
        for (size_t i = 0; i < n; i++) {                                \
            acc = dve_op_apply(DVE_ALU_OP_##name, t[i], acc);           \
        }                                                               \
        return acc;
    FOR_SUMS(EACH)
#undef EACH
    default:
        for (size_t i = 0; i < n; i++) {
            acc = dve_op_apply(op, t[i], acc);
        }
        return acc;
    }
}

uint32_t dve_num_scan_f32_n(uint8_t op, const uint32_t *restrict t, size_t n, uint32_t acc, uint32_t *restrict out)
{
    switch (op) {
#define EACH(name)                                                      \
    case DVE_ALU_OP_##name:                                             \
        for (size_t i = 0; i < n; i++) {                                \
            out[i] = acc = dve_op_apply(DVE_ALU_OP_##name, t[i], acc);  \
        }                                                               \
        return acc;
    FOR_SUMS(EACH) EACH(MAX) EACH(MIN)
#undef EACH
    default:
        for (size_t i = 0; i < n; i++) {
            out[i] = acc = dve_op_apply(op, t[i], acc);
        }
        return acc;
    }
}
