/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions that execute, one row each. */
#include "ops.h"

/* OP(opcode, function, ...) works lane by lane, LANES on a few in turn, TILE on lanes that exchange elements; the rest
 * are members of dve_op. */
#define OP(name, function, ...) {.opcode = DVE_OPCODE_##name, .run = dve_op_##function, __VA_ARGS__}
#define LANES(name, function, ...) {.opcode = DVE_OPCODE_##name, .run_lanes = dve_op_##function, __VA_ARGS__}
#define TILE(name, function, ...) {.opcode = DVE_OPCODE_##name, .run_tile = dve_op_##function, __VA_ARGS__}

/* Immediates by the names of their fields: FIXED of one data type, TYPED of the one that a field holds. */
#define FIXED(format, word_field, source_field, wire_dtype)                                  \
    {.word = DVE_SLOT_##format##_##word_field, .source = DVE_SLOT_##format##_##source_field, \
     .dtype = DVE_DTYPE_##wire_dtype}
#define TYPED(format, word_field, source_field, dtype_field)                                 \
    {.word = DVE_SLOT_##format##_##word_field, .source = DVE_SLOT_##format##_##source_field, \
     .dtype_slot = DVE_SLOT_##format##_##dtype_field}

enum { SRC = 1, SRC1 = 2 };      /* of `values` */

const dve_op dve_op_table[] = {
    OP(MAX8, max8, .values = SRC, .values_out = 1, .reads_all_first = 1),
    OP(MATCH_VALUE_LOAD, match_value_load, .values = SRC, .writes = DVE_STATE_KEYS, .reads_all_first = 1),
    OP(FIND_INDEX8, find_index8, .values = SRC, .reads = DVE_STATE_KEYS, .writes = DVE_STATE_FLOPS,
       .reads_all_first = 1),
    OP(MATCH_REPLACE8, match_replace8, .values = SRC, .values_out = 1, .reads = DVE_STATE_KEYS,
       .writes = DVE_STATE_FLOPS),
    OP(DVE_READ_INDICES, dve_read_indices, .reads = DVE_STATE_FLOPS),

    OP(COPY, copy, .values = 0),
    OP(CAST, cast, .values = SRC, .values_out = 1, .moves = dve_moves_cast),
    OP(MEMSET, memset, .values = 0),
    OP(COPY_PREDICATED, copy_predicated, .writes_some = 1),
    OP(CAST_PREDICATED, cast_predicated, .values = SRC1, .values_out = 1, .moves = dve_moves_cast_predicated,
       .writes_some = 1),
    OP(COPY_PREDICATED_SCALAR, copy_predicated_scalar, .writes_some = 1,
       .imm = {TYPED(S3D3_CP_PRED_SCALAR, src0_imm, src0_imm_src, in_dtype)}),
    OP(TENSOR_SCALAR_SELECT, tensor_scalar_select,
       .imm = {TYPED(S3D3_TS_SELECT, src1_imm, src1_imm_src, dtype),
               TYPED(S3D3_TS_SELECT, pred_imm, pred_imm_src, pred_imm_dtype)}),

    LANES(TENSOR_SCALAR_CACHE_REDUCE, tensor_scalar_cache_reduce, .values = SRC, .values_out = 1,
       .moves = dve_moves_cache_reduce, .command_slot = DVE_SLOT_S3D3_TS_accumulator_cmd,
       .imm = {FIXED(S3D3_TS, imm0, imm0_src, FP32), FIXED(S3D3_TS, imm1, imm1_src, FP32)}),
    LANES(TENSOR_SCALAR_CACHE_CUMULATIVE, tensor_scalar_cache_cumulative, .values = SRC, .values_out = 1,
       .command_slot = DVE_SLOT_S3D3_TS_accumulator_cmd,
       .imm = {FIXED(S3D3_TS, imm0, imm0_src, FP32), FIXED(S3D3_TS, imm1, imm1_src, FP32)}),
    LANES(TENSOR_TENSOR_SCAN_ARITH, tensor_tensor_scan_arith, .values = SRC | SRC1, .values_out = 1,
       .moves = dve_moves_scan, .imm = {TYPED(S2S2D2_STT, imm0, imm0_src, imm0_dtype)}),
    OP(SELECT_REDUCE, select_reduce, .values = SRC1, .values_out = 1, .moves = dve_moves_select_reduce,
       .command_slot = DVE_SLOT_S2S2D2_STT_accumulator_cmd, .imm = {FIXED(S2S2D2_STT, imm0, imm0_src, FP32)}),
    OP(RANGE_SELECT, range_select, .values = SRC, .values_out = 1, .moves = dve_moves_range_select,
       .command_slot = DVE_SLOT_S2D2_RS_reduce_cmd,
       .imm = {FIXED(S2D2_RS, bound0, bound0_src, FP32), FIXED(S2D2_RS, bound1, bound1_src, FP32)}),
    OP(DVE_READ_ACCUMULATOR, dve_read_accumulator, .values_out = 1, .reads = DVE_STATE_ACCUMULATOR),

    TILE(LOAD_MASK_SELECT, load_mask_select, .writes = DVE_STATE_MASK, .tile_lanes = DVE_SHUFFLE_LANES),
    TILE(STREAM_SHUFFLE, stream_shuffle, .reads = DVE_STATE_MASK, .reads_all_first = 1, .snapshot = 1,
         .in_place = 1, .tile_lanes = DVE_SHUFFLE_LANES),
    TILE(STREAM_TRANSPOSE, stream_transpose, .mask_slot = DVE_SLOT_S4D4_TR_mask_enable, .reads_all_first = 1,
         .snapshot = 1, .in_place = 1, .tile_lanes = DVE_SHUFFLE_LANES),

    OP(NONZERO_WITH_COUNT, nonzero_with_count, .reads_all_first = 1, .snapshot = 1, .lane_step = 16,
       .imm = {FIXED(S3D3_NONZERO_WITH_COUNT, index_offset, index_offset_src, INT32),
               FIXED(S3D3_NONZERO_WITH_COUNT, padding_val, padding_val_src, INT32)}),
    TILE(POOL_BUFFER_LOAD, pool_buffer_load, .writes = DVE_STATE_POOL_BUFFER, .tile_lanes = DVE_LANES),
    OP(GATHER, gather, .reads = DVE_STATE_POOL_BUFFER, .reads_all_first = 1, .snapshot = 1, .in_place = 1,
       .writes_some = 1, .free_slot = DVE_SLOT_S4D4_GT_free_pool_buffer),
    TILE(INDIRECT_COPY, indirect_copy, .reads_all_first = 1, .snapshot = 1, .tile_lanes = 16),
    {.run = NULL},
};
