/* SPDX-License-Identifier: Apache-2.0 */
#include "v_common.h"
#undef N
#undef LANES
#undef COLUMN
#undef HALF_INFINITY
#undef HALF_DTYPE
#undef half_value
#define N(name) name##_f16
#define HALF_INFINITY 0x7c00
#define HALF_DTYPE DVE_DTYPE_FP16

/* Not for NaN. The product moves the exponent, exactly, subnormal numbers included. */
ALWAYS float value_of_f16(uint32_t bits)
{
    uint32_t magnitude = (bits & 0x7fff) << 13, sign = (bits & 0x8000) << 16;
    float moved = dve_f32_value(magnitude) * 0x1p112f;
    return dve_f32_value(sign | (magnitude < 0x0f800000u ? dve_f32_bits(moved) : DVE_F32_INFINITY));
}
#define half_value(bits) value_of_f16(bits)
#include "element_half.h"
