/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the pool engine: NonzeroWithCount, Gather, IndirectCopy. */
#include "build.h"

#define OPERAND(name) DVE_OPERAND_##name

void dve_low_NONZERO_WITH_COUNT(dve_lowering *l)
{
    uint32_t source = 0;
    dve_low_begin(l, DVE_OPCODE_NONZERO_WITH_COUNT, l->in->channels);
    dve_low_put(l, "src", OPERAND(src));
    dve_low_put(l, "dst", OPERAND(dst));
    dve_low_set(l, DVE_SLOT_S3D3_NONZERO_WITH_COUNT_index_offset, dve_low_int32(l, OPERAND(index_offset), &source));
    dve_low_set(l, DVE_SLOT_S3D3_NONZERO_WITH_COUNT_index_offset_src, source);
    dve_low_set(l, DVE_SLOT_S3D3_NONZERO_WITH_COUNT_padding_val, dve_low_int32(l, OPERAND(padding_val), &source));
    dve_low_set(l, DVE_SLOT_S3D3_NONZERO_WITH_COUNT_padding_val_src, source);
    dve_low_emit(l);
}

enum { CHUNK = 512 };            /* elements of the pool buffer */

void dve_low_GATHER(dve_lowering *l)
{
    const dve_lower_access *data = dve_low_access(l, OPERAND(data));
    dve_lower_axis axis[DVE_LOWER_AXES];
    unsigned axes = dve_low_axes(data, axis);
    if (data->indirect)
        DVE_REFUSE(l, indirect, data, NONE, 0, 0, 0);
    if (axes > 1)
        DVE_REFUSE(l, gather_axes, data, NONE, axes, 1, 1);
    if (!dve_low_same_dtype(l, OPERAND(data), OPERAND(dst)))
        DVE_REFUSE(l, same_dtype, dst, data, 0, 0, 0);
    int64_t count = dve_low_count(data);
    for (int64_t first = 0; first < count && !l->refused; first += CHUNK) {
        dve_low_begin(l, DVE_OPCODE_POOL_BUFFER_LOAD, l->in->channels);
        dve_low_put_part(l, "src", OPERAND(data), first, count - first < CHUNK ? count - first : CHUNK);
        dve_low_set(l, DVE_SLOT_S4_PB_start_index, (uint32_t)first);
        dve_low_set(l, DVE_SLOT_S4_PB_mask, CHUNK - 1);
        dve_low_emit(l);
        dve_low_begin(l, DVE_OPCODE_GATHER, l->in->channels);
        dve_low_put(l, "src", OPERAND(indices));
        dve_low_put(l, "dst", OPERAND(dst));
        dve_low_set(l, DVE_SLOT_S4D4_GT_index_miss_behavior, first != 0);
        dve_low_emit(l);
    }
}

/* Only addresses and counts go into the record, so the elements must lie side by side. */
static void judge_dense(dve_lowering *l, uint8_t operand)
{
    dve_lower_axis axis[DVE_LOWER_AXES];
    unsigned axes = dve_low_axes(dve_low_access(l, operand), axis);
    int64_t step = 1;
    if (dve_low_access(l, operand)->indirect)
        DVE_REFUSE_AT(l, indirect, operand, 0, 0, 0);
    for (unsigned i = 0; i < axes; step *= axis[i++].count)
        if (axis[i].step != step) {
            DVE_REFUSE_AT(l, dense, operand, 0, 0, 0);
            return;
        }
}

static void judge_indirect(dve_lowering *l)
{
    int64_t run = dve_low_integer(l, OPERAND(elements_per_index), 0);
    int64_t data = dve_low_count(dve_low_access(l, OPERAND(data)));
    int64_t dst = dve_low_count(dve_low_access(l, OPERAND(dst)));
    int64_t list = dve_low_count(dve_low_access(l, OPERAND(indices)));
    uint8_t dtype = dve_low_dtype(l, OPERAND(indices));
    judge_dense(l, OPERAND(data));
    judge_dense(l, OPERAND(indices));
    if (list > UINT16_MAX)
        DVE_REFUSE(l, total, indices, NONE, list, 1, UINT16_MAX);
    if (data > UINT16_MAX)
        DVE_REFUSE(l, total, data, NONE, data, 1, UINT16_MAX);
    if (dst > UINT16_MAX)
        DVE_REFUSE(l, total, dst, NONE, dst, 1, UINT16_MAX);
    if (dtype != DVE_DTYPE_UINT16)
        DVE_REFUSE(l, index_dtype, indices, NONE, dtype, DVE_DTYPE_UINT16, DVE_DTYPE_UINT16);
    if (run < 0 || run > UINT8_MAX)
        DVE_REFUSE(l, byte, elements_per_index, NONE, run, 0, UINT8_MAX);
    if (run > 0 && dst % run)
        DVE_REFUSE(l, runs, dst, NONE, dst, run, run);
    if (run > 0 && 16 * list < dst / run)        /* a list goes over the 16 partitions of a group */
        DVE_REFUSE(l, indices, indices, NONE, 16 * list, dst / run, 0);
}

void dve_low_INDIRECT_COPY(dve_lowering *l)
{
    const dve_lower_access *data = dve_low_access(l, OPERAND(data));
    judge_indirect(l);
    if (l->refused)
        return;
    dve_low_begin(l, DVE_OPCODE_INDIRECT_COPY, l->in->channels);
    dve_low_put(l, "dst", OPERAND(dst));
    uint32_t *src = &l->insn.value[DVE_SLOT_S4D4_IC_src_start_addr], address = dve_low_address(l, data);
    src[0] = dve_low_address(l, dve_low_access(l, OPERAND(indices))) | (uint32_t)DVE_ADDR_MARKER_INDIRECT_IMM << 24;
    src[1] = address & 0xffff;
    src[2] = address >> 16;
    src[3] = (uint32_t)dve_low_count(dve_low_access(l, OPERAND(dst)));
    dve_low_set(l, DVE_SLOT_S4D4_IC_in_dtype, dve_low_dtype(l, OPERAND(data)));
    dve_low_set(l, DVE_SLOT_S4D4_IC_src_num_elem_per_idx, (uint32_t)dve_low_integer(l, OPERAND(elements_per_index), 0));
    dve_low_set(l, DVE_SLOT_S4D4_IC_src_buffer_size, (uint32_t)dve_low_count(data));
    dve_low_emit(l);
}
