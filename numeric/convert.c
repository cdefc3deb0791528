/* SPDX-License-Identifier: Apache-2.0 */
/* One value from any data type to any other, by way of fp32 (docs/rulings.md R9). */
#include <opendve/isa.h>
#include <opendve/num.h>

#include "spans.h"
#include "wire.h"

uint32_t dve_num_size(uint8_t dtype)
{
    switch (dtype) {
    case DVE_DTYPE_INT8:
    case DVE_DTYPE_UINT8:
    case DVE_DTYPE_FP8_E3M4:
    case DVE_DTYPE_FP8_E4M3:
    case DVE_DTYPE_FP8_E5M2: return 1;
    case DVE_DTYPE_INT16:
    case DVE_DTYPE_UINT16:
    case DVE_DTYPE_BF16:
    case DVE_DTYPE_FP16: return 2;
    case DVE_DTYPE_INT32:
    case DVE_DTYPE_UINT32:
    case DVE_DTYPE_FP32:
    case DVE_DTYPE_FP32R: return 4;
    default: return 0;
    }
}

uint32_t dve_num_to_f32(const dve_num_config *c, uint8_t dtype, uint32_t bits)
{
    switch (dtype) {
    case DVE_DTYPE_FP32:
    case DVE_DTYPE_FP32R: return bits; /* an FP32R word is an fp32 word (docs/rulings.md R9) */
    case DVE_DTYPE_BF16: return dve_bf16_to_f32(bits);
    case DVE_DTYPE_FP16: return dve_fp16_to_f32(bits);
    case DVE_DTYPE_FP8_E3M4:
    case DVE_DTYPE_FP8_E4M3:
    case DVE_DTYPE_FP8_E5M2: return dve_fp8_to_f32(c, dtype, bits);
    default: return dve_int_to_f32(dtype, bits); /* 0 for what is no integer either */
    }
}

uint32_t dve_num_from_f32(const dve_num_config *c, uint8_t dtype, uint32_t f32)
{
    switch (dtype) {
    case DVE_DTYPE_FP32: return f32;
    case DVE_DTYPE_FP32R: return dve_fp32r_from_f32(c, f32);
    case DVE_DTYPE_BF16: return dve_bf16_from_f32(f32);
    case DVE_DTYPE_FP16: return dve_fp16_from_f32(f32);
    case DVE_DTYPE_FP8_E3M4:
    case DVE_DTYPE_FP8_E4M3:
    case DVE_DTYPE_FP8_E5M2: return dve_fp8_from_f32(c, dtype, f32);
    default: return dve_int_from_f32(dtype, f32);
    }
}

uint32_t dve_num_convert(const dve_num_config *c, uint8_t from, uint8_t to, uint32_t bits)
{
    if (from == to) {
        const uint32_t size = dve_num_size(from);
        return size == 0 ? 0 : bits & (UINT32_C(0xffffffff) >> (32 - 8 * size));
    }
    uint32_t f32 = dve_num_to_f32(c, from, bits);
    /* Integers know the sign of a NaN, that of a narrow float is lost in fp32 (R9). */
    if (dve_f32_is_nan(f32)) {
        f32 |= (bits >> (8 * dve_num_size(from) - 1)) << 31;
    }
    /* From FP32R to FP32 only the name changes; a NaN does with it (R32). */
    if (to == DVE_DTYPE_FP32 && dve_f32_is_nan(f32)) {
        return DVE_F32_QUIET_NAN;
    }
    return dve_num_from_f32(c, to, f32);
}

uint32_t dve_num_load_bits(uint32_t bytes, const uint8_t *src)
{
    switch (bytes) {
    case 1: return *src;
    case 2: return dve_wire_load16(src);
    case 4: return dve_wire_load32(src);
    default: return 0;
    }
}

void dve_num_store_bits(uint32_t bytes, uint32_t bits, uint8_t *dst)
{
    switch (bytes) {
    case 1: *dst = (uint8_t)bits; break;
    case 2: dve_wire_store16(dst, bits); break;
    case 4: dve_wire_store32(dst, bits); break;
    default: break;
    }
}
