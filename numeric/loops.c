/* SPDX-License-Identifier: Apache-2.0 */
#include "loops.h"

const dve_loops dve_loops_here = {
    dve_load_rows, dve_store_rows, dve_num_alu_scalar_n, dve_num_max_f32_n, dve_num_fold_lanes,
    dve_num_scan_lanes, dve_num_recur_lanes, dve_reduce_planes, dve_scan_planes, dve_recur_planes, dve_num_blend_bits_n, dve_fill_bits_n, dve_num_lost_n, dve_turn_lanes,
};
