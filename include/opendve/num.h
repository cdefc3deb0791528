/* SPDX-License-Identifier: Apache-2.0 */
/* The number formats of the vector engine and its arithmetic, on bit patterns.
 *
 * A value travels as the bit pattern of its format, in the low bits of a uint32_t: never as a
 * `float`, so that NaN payloads, zero signs and subnormals survive every call. Bits above the
 * format's width are ignored on input and zero on output.
 *
 * Data types are the wire codes DVE_DTYPE_*, operators the wire codes DVE_ALU_OP_* of
 * <opendve/isa.h>. No call fails: each says what it answers for a code that it does not know.
 *
 * The host's floating-point mode must be the one a C program starts with: round to nearest,
 * subnormals not flushed.
 *
 * Sources: rulings R9, R18, R20, R30, R32; keys CAST, SIM, ALLM. What is an assumption
 * there is an assumption here. */
#ifndef OPENDVE_NUM_H
#define OPENDVE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a finite value beyond the largest finite fp8 value becomes (R9, assumption). Saturating
 * also turns an infinite input into the largest finite value of its sign: this is what a
 * saturating conversion means in the OCP 8-bit specification. It never touches NaN. */
enum { DVE_FP8_OVERFLOW_INFINITY = 0, DVE_FP8_OVERFLOW_SATURATE = 1 };

/* Which format the wire code FP8_E4M3 stands for (R9, assumption; the chip decides it outside the
 * record). IEEE: infinity 0x78, largest finite value 240. FN: no infinity, NaN 0x7f, largest
 * finite value 448; beyond 464, and for infinity, NaN or 448 by the switch above. */
enum { DVE_E4M3_IEEE = 0, DVE_E4M3_FN = 1 };

/* Vector instructions that calls on many values may use; the host must have them. A level that the build lacks is
 * the plain one. */
enum { DVE_VECTORS_PLAIN = 0, DVE_VECTORS_AVX2 = 1, DVE_VECTORS_AVX512 = 2 /* F, BW, DQ, VL */ };

/* The switches of the rulings. All zero is the default of each. */
typedef struct dve_num_config {
    uint8_t fp8_overflow; /* DVE_FP8_OVERFLOW_* */
    uint8_t e4m3;         /* DVE_E4M3_* */
    uint8_t fp32r_bits;   /* mantissa bits that FP32R keeps: 11, 10 or 13; any other value is 11 */
    uint8_t vectors;      /* DVE_VECTORS_*: of calls on many values; results never depend on it */
} dve_num_config;

/* The NaN of arithmetic results and of conversions to fp32 (R20, R32). */
#define DVE_F32_QUIET_NAN UINT32_C(0x7fc00000)
#define DVE_F32_INFINITY UINT32_C(0x7f800000)
#define DVE_F32_ONE UINT32_C(0x3f800000)

/* ---- One value ---- */

/* Bytes of one element: 1, 2 or 4. 0 = not a type that converts: 64-bit integers, packed types,
 * scales, unknown codes (isa/dtypes.def). */
uint32_t dve_num_size(uint8_t dtype);

/* `bits` of `dtype` as fp32. Integers round to nearest even (R9, docs/rulings.md R9), everything
 * else is exact. A NaN of bf16, fp16 or fp8 becomes 0x7fc00000 (R32). FP32 and FP32R keep their
 * bits. A type that does not convert gives 0. */
uint32_t dve_num_to_f32(const dve_num_config *c, uint8_t dtype, uint32_t bits);

/* The fp32 pattern `f32` as `dtype`, rounded to nearest even (R9). Integers saturate; NaN gives
 * the smallest value (unsigned: 0) with the sign bit set, else the largest (docs/rulings.md R9).
 * bf16 and fp16 overflow to infinity. NaN becomes the format's quiet NaN without sign (R32):
 * bf16 0x7fc0, fp16 0x7e00, fp8 e5m2 0x7e, e4m3 0x7c (FN 0x7f), e3m4 0x78, fp32r 0x7fc00000.
 * FP32 keeps its bits: who passes the NaN of an operation canonicalises it before.
 * A type that does not convert gives 0. */
uint32_t dve_num_from_f32(const dve_num_config *c, uint8_t dtype, uint32_t f32);

/* `bits` of type `from` as type `to`, by way of fp32. Equal types keep every bit (R32), other
 * pairs lose what fp32 loses: integers above 2^24 (R18); floats lose the sign of a NaN, integers go by it (R9). */
uint32_t dve_num_convert(const dve_num_config *c, uint8_t from, uint8_t to, uint32_t bits);

/* ---- Many values ----
 * `n` elements; consecutive elements of the byte side begin `step` bytes apart: any sign, 0 repeats
 * one element, no alignment needed. The address of element i is src + i * step; no other address
 * is formed. Bytes are in wire order, little-endian. The two sides must not overlap. */

/* n elements of `dtype` at `src` -> n fp32 patterns; element for element dve_num_to_f32. */
void dve_num_load_f32(const dve_num_config *c, uint8_t dtype, const uint8_t *src, ptrdiff_t step, size_t n,
                      uint32_t *out);

/* n fp32 patterns -> n elements of `dtype` at `dst`; element for element dve_num_from_f32, written
 * in order: with step 0 the last one stays. A type that does not convert writes nothing. */
void dve_num_store_f32(const dve_num_config *c, uint8_t dtype, const uint32_t *in, size_t n, uint8_t *dst,
                       ptrdiff_t step);

/* A little-endian word of 1, 2 or 4 bytes; no alignment needed. Other widths read 0, write nothing. */
uint32_t dve_num_load_bits(uint32_t bytes, const uint8_t *src);
void dve_num_store_bits(uint32_t bytes, uint32_t bits, uint8_t *dst);

/* The same for n elements at steps as above: bits as they are, zero-extended. Elements are written in order. */
void dve_num_load_bits_n(uint32_t bytes, const uint8_t *src, ptrdiff_t step, size_t n, uint32_t *out);
void dve_num_store_bits_n(uint32_t bytes, const uint32_t *in, size_t n, uint8_t *dst, ptrdiff_t step);
/* n adjacent words from `src` to `dst`, those whose word of `choose` is not 0; the others stay. No two arrays share
 * bytes. */
void dve_num_blend_bits_n(uint32_t bytes, const uint8_t *src, uint32_t choose_bytes, const uint8_t *choose, size_t n,
                          uint8_t *dst);

/* ---- Comparisons of fp32 patterns: ordered, NaN never, +0 equals -0 (R20) ---- */

static inline bool dve_f32_is_nan(uint32_t a)
{
    return (a & UINT32_C(0x7fffffff)) > DVE_F32_INFINITY;
}

/* A pattern as a number of the host, and back. */
static inline float dve_f32_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t dve_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Whether fp32 holds the 32-bit integer `bits`: its significant bits span no more than 24. */
static inline bool dve_f32_holds_integer(uint32_t bits, bool is_signed)
{
    uint32_t negative = 0u - (bits >> 31 & (uint32_t)is_signed);
    uint32_t magnitude = (bits ^ negative) - negative, lowest = magnitude & (0u - magnitude);
    return (magnitude >> 24 & (0u - lowest)) == 0;               /* no branch: loops of it become vectors */
}

/* An integer that orders fp32 values; NaN aside. Both zeros give 0. */
static inline int32_t dve_f32_order(uint32_t a)
{
    int32_t magnitude = (int32_t)(a & UINT32_C(0x7fffffff));
    return a >> 31 ? -magnitude : magnitude;
}

static inline bool dve_f32_eq(uint32_t a, uint32_t b)
{
    return !dve_f32_is_nan(a) && !dve_f32_is_nan(b) && dve_f32_order(a) == dve_f32_order(b);
}

static inline bool dve_f32_gt(uint32_t a, uint32_t b)
{
    return !dve_f32_is_nan(a) && !dve_f32_is_nan(b) && dve_f32_order(a) > dve_f32_order(b);
}

/* ---- Operators ---- */

/* Is `op` a general arithmetic operator on generation `gen` (2..5)? 17 are on 2 and 3, 21 from 4
 * on (R30, isa/enums.def). */
bool dve_num_is_general_arith(uint8_t op, uint8_t gen);

/* a op b, fp32 patterns in and out, special values by R20. Knows the 21 general arithmetic
 * operators and DIVIDE; any other code gives 0x7fc00000. BYPASS returns a bit for bit; operators
 * of one operand ignore b. */
uint32_t dve_num_alu_f32(uint8_t op, uint32_t a, uint32_t b);

/* n elements at once, each as dve_num_alu_f32 has it: out[i] = a[i] op b[i]. No two arrays share bytes. */
void dve_num_alu_f32_n(uint8_t op, const uint32_t *a, const uint32_t *b, size_t n, uint32_t *out);
/* acc = t[i] op acc, for i ascending; answers the last. A scan leaves each in out[i] too. */
uint32_t dve_num_fold_f32_n(uint8_t op, const uint32_t *t, size_t n, uint32_t acc);
uint32_t dve_num_scan_f32_n(uint8_t op, const uint32_t *t, size_t n, uint32_t acc, uint32_t *out);
/* u = a[i] op0 s, s = u op1 b[i], each s to out[i]; answers the last. Bit 0 of `reverse` swaps the operands of op0, bit
 * 1 those of op1. */
uint32_t dve_num_recur_f32_n(uint8_t op0, uint8_t op1, uint8_t reverse, const uint32_t *a, const uint32_t *b,
                             size_t n, uint32_t s, uint32_t *out);
/* acc = max(acc, t[i]): of two zeros the accumulator's stays. */
uint32_t dve_num_max_f32_n(uint32_t acc, const uint32_t *t, size_t n);

/* Is `op` one of the 9 general bit-vector operators (isa/enums.def)? */
bool dve_num_is_bitvec(uint8_t op);

/* a op b on words of 1, 2 or 4 bytes. A shift moves a by b places, b unsigned; at or beyond the
 * width it leaves 0, an arithmetic right shift the sign (R20). Another operator or width gives 0. */
uint32_t dve_num_alu_bits(uint8_t op, uint32_t width_bytes, uint32_t a, uint32_t b);

#ifdef __cplusplus
}
#endif
#endif
