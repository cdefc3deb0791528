/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing between an element and one value, for SelectReduce and RangeSelect. */
#include "ops.h"

dve_selection dve_selection_of(const dve_lane *lane, const dve_walk *data, uint32_t otherwise)
{
    dve_selection out = {.raw = dve_cursor_of(data), .values = dve_cursor_of(data), .to = dve_cursor_of(&lane->dst)};
    out.keeps = data->dtype == lane->dst.dtype && data->dtype != DVE_DTYPE_FP32;   /* fp32 keeps bits anyway */
    out.otherwise = otherwise;
    out.otherwise_bits = dve_num_from_f32(lane->num, lane->dst.dtype, otherwise);
    return out;
}

void dve_select(dve_selection *s, const dve_lane *lane, const uint32_t *choose, uint32_t n, uint32_t *results)
{
    uint32_t buffer[DVE_BLOCK], bits[DVE_BLOCK];
    const uint32_t *values = dve_read_moved(&s->values, lane->dst.dtype, lane->num, n, buffer);
    for (uint32_t i = 0; i < n; i++)
        results[i] = (values[i] & choose[i]) | (s->otherwise & ~choose[i]);
    if (!s->keeps) {
        dve_write_f32(&s->to, lane->num, results, n);
        return;
    }
    dve_read_bits(&s->raw, n, bits);
    for (uint32_t i = 0; i < n; i++)
        bits[i] = (bits[i] & choose[i]) | (s->otherwise_bits & ~choose[i]);
    dve_write_bits(&s->to, bits, n);
}
