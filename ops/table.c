/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions that execute, one row each. */
#include "ops.h"

/* OP(opcode, reads, writes, reads_all_first, through_fp32, values_out, function) */
#define OP(opcode, reads, writes, first, through, out, function) \
    {DVE_OPCODE_##opcode, reads, writes, first, through, out, function}

const dve_op dve_op_table[] = {
    OP(MAX8, 0, 0, 1, 1, 1, dve_op_max8),
    OP(MATCH_VALUE_LOAD, 0, DVE_STATE_KEYS, 1, 1, 0, dve_op_match_value_load),
    OP(FIND_INDEX8, DVE_STATE_KEYS, DVE_STATE_FLOPS, 1, 1, 0, dve_op_find_index8),
    OP(MATCH_REPLACE8, DVE_STATE_KEYS, DVE_STATE_FLOPS, 0, 1, 1, dve_op_match_replace8),
    OP(DVE_READ_INDICES, DVE_STATE_FLOPS, 0, 1, 0, 0, dve_op_dve_read_indices),
    {0, 0, 0, 0, 0, 0, 0},
};
