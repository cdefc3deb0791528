/* SPDX-License-Identifier: Apache-2.0 */
/* Access patterns by themselves, and what is read off them. */
#include "build.h"
#include <string.h>

static int judge_place(dve_lowering *l, uint8_t operand, const dve_lower_access *a)
{
    const dve_generation_info *g = dve_generation(l->target->gen);
    int64_t stride = a->space == DVE_SPACE_PSUM ? g->psum_stride : g->sbuf_stride;
    if (a->channels && a->channels != l->in->channels)
        return DVE_REFUSE_AT(l, partition_counts, operand, a->channels == DVE_LOWER_NO_CHANNELS ? 0 : a->channels,
                             l->in->channels, 0);
    if (a->partition < 0 || a->partition >= DVE_LANES)
        return DVE_REFUSE_AT(l, partition, operand, a->partition, 0, DVE_LANES - 1);
    if (a->offset < 0 || a->offset >= stride)
        return DVE_REFUSE_AT(l, offset, operand, a->offset, 0, stride - 1);
    return 1;
}

static int judge_dtype(dve_lowering *l, uint8_t operand, const dve_lower_access *a)
{
    size_t rows;
    if (dve_lower_dtype_wire(&a->dtype, l->target->gen) >= 0)
        return 1;
    dve_compiler_dtypes(&rows);
    int64_t number = a->dtype.number;
    int is_code = !a->dtype.is_ordinal && number >= 0 && number < 256;
    const dve_dtype_info *info = is_code ? dve_dtype((uint8_t)number) : NULL;
    if (info)
        dve_low_first_gen(l, DVE_LOWER_REFUSAL_dtype_generation, operand, info->gens);
    return DVE_REFUSE_AT(l, dtype, operand, number, 0, (int64_t)rows - 1);
}

static int judge_axes(dve_lowering *l, uint8_t operand, const dve_lower_access *a)
{
    int most = operand == DVE_OPERAND_data || operand == DVE_OPERAND_src ? 5 : operand == DVE_OPERAND_maxvals ? 3 : 0;
    if (most && a->axes + INT64_C(1) > most)
        return DVE_REFUSE_AT(l, rank, operand, a->axes + INT64_C(1), 1, most);
    if (a->axes > DVE_LOWER_AXES)
        return DVE_REFUSE_AT(l, axes, operand, a->axes, 0, DVE_LOWER_AXES);
    for (unsigned i = 0; i < a->axes; i++) {
        if (a->axis[i].step < INT16_MIN || a->axis[i].step > INT16_MAX)
            return DVE_REFUSE_AT(l, step, operand, a->axis[i].step, INT16_MIN, INT16_MAX);
        if (a->axis[i].count < 1 || a->axis[i].count > UINT16_MAX)
            return DVE_REFUSE_AT(l, axis_count, operand, a->axis[i].count, 1, UINT16_MAX);
    }
    return 1;
}

void dve_low_judge(dve_lowering *l, uint8_t operand)
{
    const dve_lower_access *a = dve_low_access(l, operand), *list = a->indirect;
    if (!judge_place(l, operand, a) || !judge_axes(l, operand, a) || !judge_dtype(l, operand, a) || !list)
        return;
    if (list->indirect)
        DVE_REFUSE_AT(l, nested, operand, 0, 0, 0);
    else if (judge_place(l, operand, list) && judge_axes(l, operand, list))
        judge_dtype(l, operand, list);
}

uint8_t dve_low_dtype(const dve_lowering *l, uint8_t operand)
{
    int wire = dve_lower_dtype_wire(&dve_low_access(l, operand)->dtype, l->target->gen);
    return (uint8_t)(wire < 0 ? DVE_DTYPE_INVALID : wire);
}

int dve_low_same_dtype(const dve_lowering *l, uint8_t a, uint8_t b)
{
    return dve_low_identity(&dve_low_access(l, a)->dtype) == dve_low_identity(&dve_low_access(l, b)->dtype);
}

int64_t dve_low_count(const dve_lower_access *access)
{
    int64_t count = 1;
    for (unsigned i = 0; i < access->axes; i++) {
        if (count > INT64_MAX / access->axis[i].count)
            return INT64_MAX;
        count *= access->axis[i].count;
    }
    return count;
}

unsigned dve_low_axes(const dve_lower_access *access, dve_lower_axis out[DVE_LOWER_AXES])
{
    unsigned n = 0;
    memset(out, 0, DVE_LOWER_AXES * sizeof *out);
    for (unsigned i = 0; i < access->axes; i++)
        if (access->axis[i].count != 1)
            out[n++] = access->axis[i];
    return n;
}

uint32_t dve_low_address(const dve_lowering *l, const dve_lower_access *access)
{
    dve_place place = {access->space, (uint32_t)access->partition, (uint32_t)access->offset};
    return dve_place_addr(&place, l->target->gen);
}
