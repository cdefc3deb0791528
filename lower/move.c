/* SPDX-License-Identifier: Apache-2.0 */
/* StreamShuffle, StreamTranspose, TensorCopy, Memset, Select. */
#include "build.h"

#define OPERAND(name) DVE_OPERAND_##name

enum { QUADRANT = 32, LANE_OFF = 0x20, KEEP = 255 };

static void put_mask(dve_lowering *l, const uint8_t lane[QUADRANT])
{
    dve_low_begin(l, DVE_OPCODE_LOAD_MASK_SELECT, 0);
    for (unsigned i = 0; i < QUADRANT; i++)
        l->insn.value[DVE_SLOT_CTRL_IM_immediate + i / 4] |= (uint32_t)lane[i] << 8 * (i % 4);
    dve_low_emit(l);
}

static void put_move(dve_lowering *l, uint8_t opcode, int64_t channels, uint8_t src, uint8_t dst)
{
    dve_low_begin(l, opcode, channels);
    dve_low_put(l, "src", src);
    dve_low_put(l, "dst", dst);
}

static void same_dtype(dve_lowering *l)
{
    if (!dve_low_same_dtype(l, OPERAND(src), OPERAND(dst)))
        DVE_REFUSE(l, same_dtype, dst, src, 0, 0, 0);
}

void dve_low_STREAM_SHUFFLE(dve_lowering *l)
{
    const dve_lower_mask *mask = &l->in->operand[OPERAND(mask)].mask;
    uint8_t lane[QUADRANT];
    if (mask->count != QUADRANT)
        DVE_REFUSE(l, mask_count, mask, NONE, mask->count, QUADRANT, QUADRANT);
    for (unsigned i = 0; i < QUADRANT && mask->count == QUADRANT; i++) {
        if ((mask->lane[i] < 0 || mask->lane[i] >= QUADRANT) && mask->lane[i] != KEEP)
            DVE_REFUSE(l, mask_lane, mask, NONE, mask->lane[i], i, 0);
        lane[i] = mask->lane[i] == KEEP ? LANE_OFF : (uint8_t)mask->lane[i];
    }
    same_dtype(l);
    if (l->refused)
        return;
    put_mask(l, lane);
    put_move(l, DVE_OPCODE_STREAM_SHUFFLE, (l->in->channels + QUADRANT - 1) / QUADRANT * QUADRANT, OPERAND(src),
             OPERAND(dst));
    dve_low_emit(l);
}

static void judge_transpose(dve_lowering *l)
{
    const dve_lower_access *src = dve_low_access(l, OPERAND(src));
    int64_t channels = l->in->channels, count = dve_low_count(src);
    dve_lower_axis axis[DVE_LOWER_AXES];
    if (channels > QUADRANT && channels % QUADRANT)
        DVE_REFUSE(l, transpose_channels, NONE, NONE, channels, channels / QUADRANT * QUADRANT, channels % QUADRANT);
    if (src->indirect)
        DVE_REFUSE(l, indirect, src, NONE, 0, 0, 0);
    if (count % QUADRANT)
        DVE_REFUSE(l, transpose_count, src, NONE, count, QUADRANT, QUADRANT);
    if (dve_low_axes(src, axis) > 3)
        DVE_REFUSE(l, transpose_fourth, src, NONE, 4, 0, 3);
    same_dtype(l);
}

void dve_low_STREAM_TRANSPOSE(dve_lowering *l)
{
    int partial = l->in->channels < QUADRANT;
    judge_transpose(l);
    if (partial) {
        uint8_t lane[QUADRANT];
        for (unsigned i = 0; i < QUADRANT; i++)
            lane[i] = (int64_t)i < l->in->channels ? 0 : LANE_OFF;
        put_mask(l, lane);
    }
    put_move(l, DVE_OPCODE_STREAM_TRANSPOSE, partial ? QUADRANT : l->in->channels, OPERAND(src), OPERAND(dst));
    dve_low_set(l, DVE_SLOT_S4D4_TR_mask_enable, (uint32_t)partial);
    dve_low_emit(l);
}

/* Same compiler type: bits are moved; else they go through fp32, even where one wire code stands for both. */
static void put_copy(dve_lowering *l, uint8_t src)
{
    int same = dve_low_same_dtype(l, src, OPERAND(dst));
    put_move(l, same ? DVE_OPCODE_COPY : DVE_OPCODE_CAST, l->in->channels, src, OPERAND(dst));
    dve_low_emit(l);
}

void dve_low_TENSOR_COPY(dve_lowering *l)
{
    put_copy(l, OPERAND(src));
}

static void put_fill(dve_lowering *l, uint8_t opcode, uint8_t value)
{
    int64_t count = dve_low_count(dve_low_access(l, OPERAND(dst)));
    if (count > UINT32_MAX)
        DVE_REFUSE(l, total, dst, NONE, count, 1, UINT32_MAX);
    dve_low_begin(l, opcode, l->in->channels);
    dve_low_put(l, "dst", OPERAND(dst));
    dve_low_set(l, DVE_SLOT_D4_MR_dst_element_count, (uint32_t)count);
    dve_low_set(l, DVE_SLOT_D4_MR_set_value, dve_low_scalar(l, value, dve_low_dtype(l, OPERAND(dst)), NULL));
    dve_low_emit(l);
}

void dve_low_MEMSET(dve_lowering *l)
{
    int random = dve_low_integer(l, OPERAND(mode), 0) == 1;
    put_fill(l, random ? DVE_OPCODE_RNG : DVE_OPCODE_MEMSET, OPERAND(value));
}

/* A tensor: bits where the data types are one, else through fp32. A scalar: written where the predicate holds,
 * which is reversed_pred 1 (CPS). */
void dve_low_predicated(dve_lowering *l, uint8_t pred, uint8_t src)
{
    if (dve_low_is_tensor(l, src)) {
        int same = dve_low_same_dtype(l, src, OPERAND(dst));
        dve_low_begin(l, same ? DVE_OPCODE_COPY_PREDICATED : DVE_OPCODE_CAST_PREDICATED, l->in->channels);
        dve_low_put(l, "src0", pred);
        dve_low_put(l, "src1", src);
    } else {
        uint32_t source = 0;
        uint8_t dtype = dve_low_dtype(l, OPERAND(dst));
        dve_low_begin(l, DVE_OPCODE_COPY_PREDICATED_SCALAR, l->in->channels);
        dve_low_put(l, "pred", pred);
        dve_low_set(l, DVE_SLOT_S3D3_CP_PRED_SCALAR_reversed_pred, 1);
        dve_low_set(l, DVE_SLOT_S3D3_CP_PRED_SCALAR_in_dtype, dtype);
        dve_low_set(l, DVE_SLOT_S3D3_CP_PRED_SCALAR_src0_imm, dve_low_scalar(l, src, dtype, &source));
        dve_low_set(l, DVE_SLOT_S3D3_CP_PRED_SCALAR_src0_imm_src, source);
    }
    dve_low_put(l, "dst", OPERAND(dst));
    dve_low_emit(l);
}

/* dst holds on_false before pred and on_true are read. */
void dve_low_SELECT(dve_lowering *l)
{
    if (dve_low_overlap(l, OPERAND(dst), OPERAND(pred)))
        DVE_REFUSE(l, overlap, dst, pred, 0, 0, 0);
    if (dve_low_is_tensor(l, OPERAND(on_true)) && dve_low_overlap(l, OPERAND(dst), OPERAND(on_true)))
        DVE_REFUSE(l, overlap, dst, on_true, 0, 0, 0);
    if (dve_low_is_tensor(l, OPERAND(on_false)))
        put_copy(l, OPERAND(on_false));
    else
        put_fill(l, DVE_OPCODE_MEMSET, OPERAND(on_false));
    dve_low_predicated(l, OPERAND(pred), OPERAND(on_true));
}
