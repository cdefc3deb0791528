/* SPDX-License-Identifier: Apache-2.0 */
/* Included before everything else in files that are compiled again for wider vectors: what a linker sees gets the
 * name of the level behind it. CMakeLists.txt lists the files and levels. */
#ifndef OPENDVE_NUMERIC_LEVELS_H
#define OPENDVE_NUMERIC_LEVELS_H

#ifdef DVE_LEVEL
#define DVE_LEVEL_JOIN(name, level) name##_##level
#define DVE_LEVEL_NAME(name, level) DVE_LEVEL_JOIN(name, level)
#define dve_fp32r_from_f32 DVE_LEVEL_NAME(dve_fp32r_from_f32, DVE_LEVEL)
#define dve_fp32_load_span DVE_LEVEL_NAME(dve_fp32_load_span, DVE_LEVEL)
#define dve_fp32_store_span DVE_LEVEL_NAME(dve_fp32_store_span, DVE_LEVEL)
#define dve_fp32r_store_span DVE_LEVEL_NAME(dve_fp32r_store_span, DVE_LEVEL)
#define dve_bf16_to_f32 DVE_LEVEL_NAME(dve_bf16_to_f32, DVE_LEVEL)
#define dve_bf16_from_f32 DVE_LEVEL_NAME(dve_bf16_from_f32, DVE_LEVEL)
#define dve_bf16_load_span DVE_LEVEL_NAME(dve_bf16_load_span, DVE_LEVEL)
#define dve_bf16_store_span DVE_LEVEL_NAME(dve_bf16_store_span, DVE_LEVEL)
#define dve_fp16_to_f32 DVE_LEVEL_NAME(dve_fp16_to_f32, DVE_LEVEL)
#define dve_fp16_from_f32 DVE_LEVEL_NAME(dve_fp16_from_f32, DVE_LEVEL)
#define dve_fp16_load_span DVE_LEVEL_NAME(dve_fp16_load_span, DVE_LEVEL)
#define dve_fp16_store_span DVE_LEVEL_NAME(dve_fp16_store_span, DVE_LEVEL)
#define dve_fp8_to_f32 DVE_LEVEL_NAME(dve_fp8_to_f32, DVE_LEVEL)
#define dve_fp8_from_f32 DVE_LEVEL_NAME(dve_fp8_from_f32, DVE_LEVEL)
#define dve_fp8_load_span DVE_LEVEL_NAME(dve_fp8_load_span, DVE_LEVEL)
#define dve_fp8_store_span DVE_LEVEL_NAME(dve_fp8_store_span, DVE_LEVEL)
#define dve_int_to_f32 DVE_LEVEL_NAME(dve_int_to_f32, DVE_LEVEL)
#define dve_int_from_f32 DVE_LEVEL_NAME(dve_int_from_f32, DVE_LEVEL)
#define dve_int_load_span DVE_LEVEL_NAME(dve_int_load_span, DVE_LEVEL)
#define dve_int_store_span DVE_LEVEL_NAME(dve_int_store_span, DVE_LEVEL)
#define dve_num_alu_f32_n DVE_LEVEL_NAME(dve_num_alu_f32_n, DVE_LEVEL)
#define dve_num_alu_scalar_n DVE_LEVEL_NAME(dve_num_alu_scalar_n, DVE_LEVEL)
#define dve_num_max_f32_n DVE_LEVEL_NAME(dve_num_max_f32_n, DVE_LEVEL)
#define dve_num_fold_f32_n DVE_LEVEL_NAME(dve_num_fold_f32_n, DVE_LEVEL)
#define dve_num_scan_f32_n DVE_LEVEL_NAME(dve_num_scan_f32_n, DVE_LEVEL)
#define dve_num_recur_f32_n DVE_LEVEL_NAME(dve_num_recur_f32_n, DVE_LEVEL)
#define dve_num_fold_lanes DVE_LEVEL_NAME(dve_num_fold_lanes, DVE_LEVEL)
#define dve_num_scan_lanes DVE_LEVEL_NAME(dve_num_scan_lanes, DVE_LEVEL)
#define dve_num_recur_lanes DVE_LEVEL_NAME(dve_num_recur_lanes, DVE_LEVEL)
#define dve_num_blend_bits_n DVE_LEVEL_NAME(dve_num_blend_bits_n, DVE_LEVEL)
#define dve_num_load_bits_n DVE_LEVEL_NAME(dve_num_load_bits_n, DVE_LEVEL)
#define dve_num_store_bits_n DVE_LEVEL_NAME(dve_num_store_bits_n, DVE_LEVEL)
#define dve_fill_bits_n DVE_LEVEL_NAME(dve_fill_bits_n, DVE_LEVEL)
#define dve_num_lost_n DVE_LEVEL_NAME(dve_num_lost_n, DVE_LEVEL)
#define dve_reduce_planes DVE_LEVEL_NAME(dve_reduce_planes, DVE_LEVEL)
#define dve_scan_planes DVE_LEVEL_NAME(dve_scan_planes, DVE_LEVEL)
#define dve_recur_planes DVE_LEVEL_NAME(dve_recur_planes, DVE_LEVEL)
#define dve_turn_lanes DVE_LEVEL_NAME(dve_turn_lanes, DVE_LEVEL)
#define dve_load_rows DVE_LEVEL_NAME(dve_load_rows, DVE_LEVEL)
#define dve_store_rows DVE_LEVEL_NAME(dve_store_rows, DVE_LEVEL)
#define dve_loops_here DVE_LEVEL_NAME(dve_loops_here, DVE_LEVEL)
#endif

#endif
