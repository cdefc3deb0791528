/* SPDX-License-Identifier: Apache-2.0 */
/* What the format files give to convert.c and bulk.c: per format one value, and a span of
 * adjacent elements in wire order. A span loop and its scalar share one inline element function,
 * so they cannot differ. */
#ifndef OPENDVE_NUMERIC_SPANS_H
#define OPENDVE_NUMERIC_SPANS_H

#include <opendve/num.h>

/* f32.c */
uint32_t dve_fp32r_from_f32(const dve_num_config *c, uint32_t f32);
void dve_fp32_load_span(const uint8_t *restrict src, size_t n, uint32_t *restrict out);
void dve_fp32_store_span(const uint32_t *restrict in, size_t n, uint8_t *restrict dst);
void dve_fp32r_store_span(const dve_num_config *c, const uint32_t *restrict in, size_t n, uint8_t *restrict dst);

/* half.c */
uint32_t dve_bf16_to_f32(uint32_t bits);
uint32_t dve_bf16_from_f32(uint32_t f32);
void dve_bf16_load_span(const uint8_t *restrict src, size_t n, uint32_t *restrict out);
void dve_bf16_store_span(const uint32_t *restrict in, size_t n, uint8_t *restrict dst);
uint32_t dve_fp16_to_f32(uint32_t bits);
uint32_t dve_fp16_from_f32(uint32_t f32);
void dve_fp16_load_span(const uint8_t *restrict src, size_t n, uint32_t *restrict out);
void dve_fp16_store_span(const uint32_t *restrict in, size_t n, uint8_t *restrict dst);

/* fp8.c; dtype is one of the three FP8 codes */
uint32_t dve_fp8_to_f32(const dve_num_config *c, uint8_t dtype, uint32_t bits);
uint32_t dve_fp8_from_f32(const dve_num_config *c, uint8_t dtype, uint32_t f32);
void dve_fp8_load_span(const dve_num_config *c, uint8_t dtype, const uint8_t *restrict src, size_t n,
                       uint32_t *restrict out);
void dve_fp8_store_span(const dve_num_config *c, uint8_t dtype, const uint32_t *restrict in, size_t n,
                        uint8_t *restrict dst);

/* ints.c; dtype is one of the six codes of 8-, 16- and 32-bit integers */
uint32_t dve_int_to_f32(uint8_t dtype, uint32_t bits);
uint32_t dve_int_from_f32(uint8_t dtype, uint32_t f32);
void dve_int_load_span(uint8_t dtype, const uint8_t *restrict src, size_t n, uint32_t *restrict out);
void dve_int_store_span(uint8_t dtype, const uint32_t *restrict in, size_t n, uint8_t *restrict dst);

#endif
