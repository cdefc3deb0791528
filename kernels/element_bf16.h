/* SPDX-License-Identifier: Apache-2.0 */
#include "v_common.h"
#undef N
#undef LANES
#undef COLUMN
#undef HALF_INFINITY
#undef HALF_DTYPE
#undef half_value
#define N(name) name##_bf16
#define HALF_INFINITY 0x7f80
#define HALF_DTYPE DVE_DTYPE_BF16
#define half_value(bits) dve_f32_value((uint32_t)(bits) << 16)
#include "element_half.h"
