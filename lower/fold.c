/* SPDX-License-Identifier: Apache-2.0 */
/* What folds results into the accumulator of a lane: TensorScalarCache, CopyPredicated, RangeSelect; and
 * DveReadAccumulator, which any of them may be followed by. */
#include "build.h"

#define OPERAND(name) DVE_OPERAND_##name

static void put_read(dve_lowering *l, uint8_t dst, uint32_t negated)
{
    int64_t count = dve_low_count(dve_low_access(l, dst));
    if (count != 1)
        DVE_REFUSE_AT(l, result_count, dst, count, 1, 1);
    dve_low_begin(l, DVE_OPCODE_DVE_READ_ACCUMULATOR, l->in->channels);
    dve_low_put(l, "dst", dst);
    dve_low_set(l, DVE_SLOT_D1_RD_dst_element_count, 1);
    dve_low_set(l, DVE_SLOT_D1_RD_negated, negated);
    dve_low_emit(l);
}

void dve_low_DVE_READ_ACCUMULATOR(dve_lowering *l)
{
    put_read(l, OPERAND(dst), dve_low_flag(l, OPERAND(negated)));
}

static void put_result(dve_lowering *l)
{
    if (dve_low_given(l, OPERAND(result)))
        put_read(l, OPERAND(result), 0);
}

/* Without a command a result stands for one that starts anew. */
static uint8_t command_or_result(dve_lowering *l)
{
    return dve_low_accumulate(l, OPERAND(accumulate),
                              dve_low_given(l, OPERAND(result)) ? DVE_ACCUM_CMD_ZERO_ACCUMULATE : DVE_ACCUM_CMD_IDLE);
}

void dve_low_TENSOR_SCALAR_CACHE(dve_lowering *l)
{
    uint32_t source = 0;
    uint8_t command = dve_low_accumulate(l, OPERAND(accumulate), DVE_ACCUM_CMD_IDLE);
    int starts = command == DVE_ACCUM_CMD_LOAD_ACCUMULATE, reduces = l->in->operand[OPERAND(mode)].integer == 0;
    if (command == DVE_ACCUM_CMD_IDLE && dve_low_given(l, OPERAND(result)))
        command = DVE_ACCUM_CMD_ZERO_ACCUMULATE;
    if (command == DVE_ACCUM_CMD_IDLE)
        DVE_REFUSE(l, no_accumulator, accumulate, NONE, 0, 0, 0);
    if (starts && !dve_low_given(l, OPERAND(imm1)))
        DVE_REFUSE(l, start_missing, imm1, NONE, 0, 0, 0);
    if (!starts && dve_low_given(l, OPERAND(imm1)))
        DVE_REFUSE(l, start_alone, imm1, NONE, 0, 0, 0);
    dve_low_begin(l, reduces ? DVE_OPCODE_TENSOR_SCALAR_CACHE_REDUCE : DVE_OPCODE_TENSOR_SCALAR_CACHE_CUMULATIVE,
                  l->in->channels);
    dve_low_put(l, "src", OPERAND(src));
    dve_low_put(l, "dst", OPERAND(dst));
    dve_low_set(l, DVE_SLOT_S3D3_TS_accumulator_cmd, command);
    dve_low_set(l, DVE_SLOT_S3D3_TS_op0, dve_low_operator(l, OPERAND(op0)));
    dve_low_set(l, DVE_SLOT_S3D3_TS_op1, dve_low_operator(l, OPERAND(op1)));
    dve_low_set(l, DVE_SLOT_S3D3_TS_imm0, dve_low_scalar(l, OPERAND(imm0), DVE_DTYPE_FP32, &source));
    dve_low_set(l, DVE_SLOT_S3D3_TS_imm0_src, source);
    if (starts && dve_low_given(l, OPERAND(imm1))) {
        dve_low_set(l, DVE_SLOT_S3D3_TS_imm1, dve_low_scalar(l, OPERAND(imm1), DVE_DTYPE_FP32, &source));
        dve_low_set(l, DVE_SLOT_S3D3_TS_imm1_src, source);
    }
    dve_low_emit(l);
    put_result(l);
}

/* CopyPredicated with a reduction: SelectReduce. */
static void put_reduce(dve_lowering *l, uint8_t op)
{
    uint32_t source = 0;
    if (!dve_low_is_tensor(l, OPERAND(src))) {
        DVE_REFUSE(l, reduce_source, src, NONE, 0, 0, 0);
        return;
    }
    dve_low_begin(l, DVE_OPCODE_SELECT_REDUCE, l->in->channels);
    dve_low_put(l, "src0", OPERAND(pred));
    dve_low_put(l, "src1", OPERAND(src));
    dve_low_put(l, "dst", OPERAND(dst));
    dve_low_set(l, DVE_SLOT_S2S2D2_STT_op1, op);
    dve_low_set(l, DVE_SLOT_S2S2D2_STT_reverse_operands, dve_low_flag(l, OPERAND(reverse)));
    dve_low_set(l, DVE_SLOT_S2S2D2_STT_imm0_dtype, DVE_DTYPE_FP32);
    dve_low_set(l, DVE_SLOT_S2S2D2_STT_accumulator_cmd, command_or_result(l));
    dve_low_set(l, DVE_SLOT_S2S2D2_STT_imm0, dve_low_scalar(l, OPERAND(imm0), DVE_DTYPE_FP32, &source));
    dve_low_set(l, DVE_SLOT_S2S2D2_STT_imm0_src, source);
    dve_low_emit(l);
    put_result(l);
}

void dve_low_COPY_PREDICATED(dve_lowering *l)
{
    uint8_t op = dve_low_given(l, OPERAND(reduce_op)) ? dve_low_operator(l, OPERAND(reduce_op)) : DVE_ALU_OP_BYPASS;
    if (l->refused)
        return;
    if (op != DVE_ALU_OP_BYPASS) {
        put_reduce(l, op);
        return;
    }
    if (dve_low_given(l, OPERAND(result)))
        DVE_REFUSE(l, not_reduced, result, NONE, 0, 0, 0);
    if (dve_low_accumulate(l, OPERAND(accumulate), DVE_ACCUM_CMD_IDLE) != DVE_ACCUM_CMD_IDLE)
        DVE_REFUSE(l, not_reduced, accumulate, NONE, 0, 0, 0);
    if (dve_low_flag(l, OPERAND(reverse)))
        DVE_REFUSE(l, not_reduced, reverse, NONE, 0, 0, 0);
    dve_low_predicated(l, OPERAND(pred), OPERAND(src));
}

enum { LOWEST_FP32 = -8388609 };     /* 0xff7fffff */

void dve_low_RANGE_SELECT(dve_lowering *l)
{
    uint32_t source = 0;
    int64_t src = dve_low_count(dve_low_access(l, OPERAND(src))), dst = dve_low_count(dve_low_access(l, OPERAND(dst)));
    if (src != dst)
        DVE_REFUSE(l, same_count, dst, src, dst, src, src);
    if (dve_low_given(l, OPERAND(fill)) &&
        dve_low_scalar(l, OPERAND(fill), DVE_DTYPE_FP32, NULL) != (uint32_t)LOWEST_FP32)
        DVE_REFUSE(l, fill, fill, NONE, 0, 0, 0);
    dve_low_begin(l, DVE_OPCODE_RANGE_SELECT, l->in->channels);
    dve_low_put(l, "src", OPERAND(src));
    dve_low_put(l, "dst", OPERAND(dst));
    dve_low_set(l, DVE_SLOT_S2D2_RS_reduce_cmd, command_or_result(l));
    dve_low_set(l, DVE_SLOT_S2D2_RS_reduce_op, DVE_ALU_OP_MAX);
    dve_low_set(l, DVE_SLOT_S2D2_RS_base, dve_low_scalar(l, OPERAND(base), DVE_DTYPE_FP32, NULL));
    dve_low_set(l, DVE_SLOT_S2D2_RS_fill_val, (uint32_t)LOWEST_FP32);
    dve_low_set(l, DVE_SLOT_S2D2_RS_comp_op0, dve_low_operator(l, OPERAND(comp_op0)));
    dve_low_set(l, DVE_SLOT_S2D2_RS_comp_op1, dve_low_operator(l, OPERAND(comp_op1)));
    dve_low_set(l, DVE_SLOT_S2D2_RS_bound0, dve_low_scalar(l, OPERAND(bound0), DVE_DTYPE_FP32, &source));
    dve_low_set(l, DVE_SLOT_S2D2_RS_bound0_src, source);
    dve_low_set(l, DVE_SLOT_S2D2_RS_bound1, dve_low_scalar(l, OPERAND(bound1), DVE_DTYPE_FP32, &source));
    dve_low_set(l, DVE_SLOT_S2D2_RS_bound1_src, source);
    dve_low_emit(l);
    put_result(l);
}
