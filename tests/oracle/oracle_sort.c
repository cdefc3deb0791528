/* SPDX-License-Identifier: Apache-2.0 */
/* Top-k by sorting everything: the definition that the records are measured against. */
#include "oracle_internal.h"

#include <stdlib.h>

static int by_value_then_position(const void *left, const void *right)
{
    const oracle_item *a = left, *b = right;

    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

void oracle_sort(oracle_item *items, size_t count)
{
    qsort(items, count, sizeof *items, by_value_then_position);
}

void oracle_topk(const uint32_t *row_fp32, size_t n, size_t k, uint32_t *values, uint32_t *positions)
{
    oracle_item *items = malloc((n + 1) * sizeof *items); /* one more: an empty row is no failed allocation */
    size_t kept = 0;

    if (!items)
        abort();
    for (size_t i = 0; i < n; i++)
        if (!oracle_is_nan(row_fp32[i])) /* none is expected, but one would break the order of the sort */
            items[kept++] = (oracle_item){oracle_value(row_fp32[i]), row_fp32[i], (uint32_t)i};
    oracle_sort(items, kept);
    for (size_t i = 0; i < k; i++) {
        values[i] = i < kept ? items[i].bits : ORACLE_SIGN | ORACLE_INF;
        positions[i] = i < kept ? items[i].position : ORACLE_ALL_ONES;
    }
    free(items);
}
