/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of elements. Adjacent elements go straight through the span loop of their format; spread
 * ones are first gathered into (or last scattered from) a small block, so that one vectorised loop
 * a format serves every step. */
#include <opendve/isa.h>
#include <opendve/num.h>

#include <string.h>

#include "loops.h"
#include "spans.h"

enum { BLOCK = 256, WIDEST = 4 }; /* elements of a block; bytes of the widest element */

static void load_span(const dve_num_config *c, uint8_t dtype, const uint8_t *src, size_t n, uint32_t *out)
{
    switch (dtype) {
    case DVE_DTYPE_FP32:
    case DVE_DTYPE_FP32R: dve_fp32_load_span(src, n, out); break;
    case DVE_DTYPE_BF16: dve_bf16_load_span(src, n, out); break;
    case DVE_DTYPE_FP16: dve_fp16_load_span(src, n, out); break;
    case DVE_DTYPE_FP8_E3M4:
    case DVE_DTYPE_FP8_E4M3:
    case DVE_DTYPE_FP8_E5M2: dve_fp8_load_span(c, dtype, src, n, out); break;
    default: dve_int_load_span(dtype, src, n, out); break;
    }
}

static void store_span(const dve_num_config *c, uint8_t dtype, const uint32_t *in, size_t n, uint8_t *dst)
{
    switch (dtype) {
    case DVE_DTYPE_FP32: dve_fp32_store_span(in, n, dst); break;
    case DVE_DTYPE_FP32R: dve_fp32r_store_span(c, in, n, dst); break;
    case DVE_DTYPE_BF16: dve_bf16_store_span(in, n, dst); break;
    case DVE_DTYPE_FP16: dve_fp16_store_span(in, n, dst); break;
    case DVE_DTYPE_FP8_E3M4:
    case DVE_DTYPE_FP8_E4M3:
    case DVE_DTYPE_FP8_E5M2: dve_fp8_store_span(c, dtype, in, n, dst); break;
    default: dve_int_store_span(dtype, in, n, dst); break;
    }
}

/* Moves bytes only, so wire order does not matter. memcpy of a constant size is one move. */
static void gather(uint32_t size, const uint8_t *src, ptrdiff_t step, size_t n, uint8_t *block)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t *element = src + (ptrdiff_t)i * step;
        switch (size) {
        case 1: block[i] = *element; break;
        case 2: memcpy(block + 2 * i, element, 2); break;
        default: memcpy(block + 4 * i, element, 4); break;
        }
    }
}

static void scatter(uint32_t size, const uint8_t *block, size_t n, uint8_t *dst, ptrdiff_t step)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t *element = dst + (ptrdiff_t)i * step;
        switch (size) {
        case 1: *element = block[i]; break;
        case 2: memcpy(element, block + 2 * i, 2); break;
        default: memcpy(element, block + 4 * i, 4); break;
        }
    }
}

static void fill(uint32_t f32, size_t n, uint32_t *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = f32;
    }
}

void dve_load_rows(const dve_num_config *c, uint8_t dtype, const uint8_t *src, ptrdiff_t step, size_t n,
                   uint32_t *out)
{
    const uint32_t size = dve_num_size(dtype);
    if (size == 0) {
        fill(0, n, out);
    } else if (step == (ptrdiff_t)size) {
        load_span(c, dtype, src, n, out);
    } else if (step == 0 && n > 0) {
        fill(dve_num_to_f32(c, dtype, dve_num_load_bits(size, src)), n, out);
    } else {
        uint8_t block[BLOCK * WIDEST];
        for (size_t done = 0; done < n; done += BLOCK) {
            const size_t now = n - done < BLOCK ? n - done : BLOCK;
            gather(size, src + (ptrdiff_t)done * step, step, now, block);
            load_span(c, dtype, block, now, out + done);
        }
    }
}

void dve_store_rows(const dve_num_config *c, uint8_t dtype, const uint32_t *in, size_t n, uint8_t *dst,
                    ptrdiff_t step)
{
    const uint32_t size = dve_num_size(dtype);
    if (size == 0) {
        return;
    }
    if (step == (ptrdiff_t)size) {
        store_span(c, dtype, in, n, dst);
        return;
    }
    uint8_t block[BLOCK * WIDEST];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t now = n - done < BLOCK ? n - done : BLOCK;
        store_span(c, dtype, in + done, now, block);
        scatter(size, block, now, dst + (ptrdiff_t)done * step, step);
    }
}
