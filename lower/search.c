/* SPDX-License-Identifier: Apache-2.0 */
/* Max, MaxIndex, MatchReplace, MaxIndexAndMatchReplace. */
#include "build.h"

#define OPERAND(name) DVE_OPERAND_##name

/* What compilers ask of all four before they emit (DSE, PEN). */
static void judge(dve_lowering *l)
{
    const dve_lower_access *data = dve_low_access(l, OPERAND(data)), *maxvals = dve_low_access(l, OPERAND(maxvals));
    int64_t count = dve_low_count(data), eight = dve_low_count(maxvals);
    if (data->indirect)
        DVE_REFUSE(l, indirect, data, NONE, 0, 0, 0);
    if (maxvals->indirect)
        DVE_REFUSE(l, indirect, maxvals, NONE, 0, 0, 0);
    if (eight != 8)
        DVE_REFUSE(l, maxvals_count, maxvals, NONE, eight, 8, 8);
    if (count < 8 || count > 16384)
        DVE_REFUSE(l, data_count, data, NONE, count, 8, 16384);
}

void dve_low_MAX(dve_lowering *l)
{
    judge(l);
    dve_low_begin(l, DVE_OPCODE_MAX8, l->in->channels);
    dve_low_put(l, "src", OPERAND(data));
    dve_low_put_backwards(l, "dst", OPERAND(maxvals), 0);
    dve_low_emit(l);
}

void dve_low_MAX_INDEX(dve_lowering *l)
{
    judge(l);
    dve_low_begin(l, DVE_OPCODE_MATCH_VALUE_LOAD, l->in->channels);
    dve_low_put_backwards(l, "src", OPERAND(maxvals), 0);
    dve_low_emit(l);
    dve_low_begin(l, DVE_OPCODE_FIND_INDEX8, l->in->channels);
    dve_low_put(l, "src", OPERAND(data));
    dve_low_put(l, "dst", OPERAND(indices));
    dve_low_emit(l);
}

void dve_low_MATCH_REPLACE(dve_lowering *l)
{
    judge(l);
    dve_low_begin(l, DVE_OPCODE_MATCH_VALUE_LOAD, l->in->channels);
    dve_low_put(l, "src", OPERAND(maxvals));
    dve_low_emit(l);
    dve_low_begin(l, DVE_OPCODE_MATCH_REPLACE8, l->in->channels);
    dve_low_put(l, "src", OPERAND(data));
    dve_low_put(l, "dst", OPERAND(dst));
    dve_low_set(l, DVE_SLOT_S4D4_MR_immediate, dve_low_scalar(l, OPERAND(imm), DVE_DTYPE_FP32, NULL));
    dve_low_emit(l);
}

void dve_low_MAX_INDEX_AND_MATCH_REPLACE(dve_lowering *l)
{
    dve_low_MATCH_REPLACE(l);
    dve_low_begin(l, DVE_OPCODE_DVE_READ_INDICES, l->in->channels);
    dve_low_put_backwards(l, "dst", OPERAND(indices), 1);
    dve_low_set(l, DVE_SLOT_D4_MR_dst_element_count, 8);
    dve_low_emit(l);
}
