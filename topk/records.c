/* SPDX-License-Identifier: Apache-2.0 */
/* The records of one search, lowered as compilers lower the calls (rulings R3 and R4). */
#include "plan.h"
#include <opendve/lower.h>
#include <string.h>

void dve_search_lay_out(const dve_topk_options *options, dve_search *s)
{
    uint32_t size = dve_num_size(dve_topk_working_dtype(options));
    s->rounds = (s->winners + 7) / 8;
    s->loaded = s->width < 8 ? 8 : s->width;
    s->data = (dve_place){DVE_SPACE_SBUF, 0, 0};
    s->values = (dve_place){DVE_SPACE_SBUF, 0, (s->loaded * size + 3) / 4 * 4};
    s->indices = (dve_place){DVE_SPACE_SBUF, 0, s->values.offset + s->rounds * 8 * size};
    s->raw = s->values;
}

static dve_lower_instruction instruction(uint32_t operation, const dve_search *s)
{
    dve_lower_instruction in;
    memset(&in, 0, sizeof in);
    in.operation = operation;
    in.channels = s->channels;
    return in;
}

/* `count` elements side by side, `offset` bytes behind a place. */
static dve_lower_value side_by_side(const dve_place *place, uint32_t offset, uint8_t dtype, uint32_t count)
{
    return dve_lower_tensor(place->space, place->partition, place->offset + offset, dtype, count);
}

/* Appends the records of an instruction; there is room. Nothing that a search asks for is refused. */
static dve_status append(dve_plan *plan, const dve_lower_instruction *in)
{
    dve_lower_target target = {.gen = plan->options.gen};
    dve_lower_fault fault;
    size_t count, room = plan->record_room - plan->record_count;
    if (dve_lower(in, &target, plan->records + plan->record_count, room, &count, &fault) || count > room)
        return DVE_E_INTERNAL;
    plan->record_count += count;
    return DVE_OK;
}

/* Round `r`, at most 5 records. The last one has nothing left to hide, unless the positions come out of the
 * replacement. */
static dve_status append_round(dve_plan *plan, const dve_search *s, uint32_t r)
{
    static const dve_num_config num;
    const dve_topk_options *o = &plan->options;
    uint8_t dtype = dve_topk_working_dtype(o);
    int finds = o->method == DVE_TOPK_FIND;
    dve_lower_value data = side_by_side(&s->data, 0, dtype, s->loaded);
    dve_lower_value values = side_by_side(&s->values, r * 8 * dve_num_size(dtype), dtype, 8);
    dve_lower_value indices = side_by_side(&s->indices, r * 8 * 4, DVE_DTYPE_UINT32, 8);
    dve_lower_instruction in = instruction(DVE_LOWER_MAX, s);
    in.operand[DVE_OPERAND_data] = data;
    in.operand[DVE_OPERAND_maxvals] = values;
    dve_status status = append(plan, &in);
    if (finds && !status) {
        in.operation = DVE_LOWER_MAX_INDEX;
        in.operand[DVE_OPERAND_indices] = indices;
        status = append(plan, &in);
    }
    if (status || (finds && r + 1 == s->rounds))
        return status;
    in.operation = finds ? DVE_LOWER_MATCH_REPLACE : DVE_LOWER_MAX_INDEX_AND_MATCH_REPLACE;
    in.operand[DVE_OPERAND_dst] = data;
    in.operand[DVE_OPERAND_imm].kind = DVE_LOWER_BITS;
    in.operand[DVE_OPERAND_imm].bits = dve_num_to_f32(&num, dtype, dve_topk_marker(o));
    if (finds)
        in.operand[DVE_OPERAND_indices].kind = DVE_LOWER_ABSENT;
    else
        in.operand[DVE_OPERAND_indices] = indices;
    return append(plan, &in);
}

/* Between two dense rows of different data types. */
static dve_status append_cast(dve_plan *plan, const dve_search *s, dve_lower_value src, dve_lower_value dst)
{
    dve_lower_instruction in = instruction(DVE_LOWER_TENSOR_COPY, s);
    in.operand[DVE_OPERAND_src] = src;
    in.operand[DVE_OPERAND_dst] = dst;
    return append(plan, &in);
}

dve_status dve_search_records(dve_plan *plan, const dve_search *s)
{
    uint8_t dtype = plan->options.dtype;
    dve_status status = DVE_OK;
    void *items = plan->records;
    int fits = dve_plan_reserve(&items, plan->record_count, &plan->record_room, (size_t)s->rounds * 5 + 2,
                                sizeof *plan->records);
    plan->records = items;
    if (!fits)
        return DVE_E_INTERNAL;
    if (s->casts_in)
        status = append_cast(plan, s, side_by_side(&s->raw, 0, dtype, s->width),
                             side_by_side(&s->data, 0, DVE_DTYPE_FP32, s->width));
    for (uint32_t r = 0; r < s->rounds && !status; r++)
        status = append_round(plan, s, r);
    if (s->casts_out && !status)
        status = append_cast(plan, s, side_by_side(&s->values, 0, DVE_DTYPE_FP32, s->winners),
                             side_by_side(&s->data, 0, dtype, s->winners));
    return status;
}
