/* SPDX-License-Identifier: Apache-2.0 */
/* fp32 as max8.h and find.h want an element type described: N(name) gives names of their own to each.
 *   LANES                of a vector `vec`; elements of a row are `elem`, and are ordered by a `rank`
 *   load part            vectors of ranks of elements, NaN ranking lowest or nowhere; `clean` says that the row has
 *                        NaN that would rank highest
 *   fetch keep           vectors of ranks of maxima
 *   value                an element as fp32
 *   numbers              which elements of a vector, NaN not cleaned, are no NaN
 *   column               COLUMN elements LANES apart: which reach the bound, or exceed it, as bits */
#include "v_common.h"

#undef N
#undef LANES
#undef COLUMN
#define N(name) name##_f32
#define LANES 16u
#define COLUMN 4u

typedef word_f32 elem_f32;
typedef float rank_f32;
typedef vf vec_f32;
typedef vtable vtable_f32;

static const rank_f32 lowest_f32 = -__builtin_inff();

ALWAYS vf load_f32(const elem_f32 *p, int clean) { (void)clean; return vf_load(p); }
ALWAYS vf part_f32(const elem_f32 *p, uint32_t n, int clean) { (void)clean; return vf_part(p, n); }
ALWAYS vf fetch_f32(const uint32_t *maxima) { return vf_load((const word_f32 *)(const void *)maxima); }
ALWAYS void keep_f32(uint32_t *maxima, vf x) { vf_store((word_f32 *)(void *)maxima, x); }
ALWAYS vf set1_f32(rank_f32 x) { return vf_set1(x); }
ALWAYS vf max_f32(vf x, vf y) { return vf_max(x, y); }
ALWAYS uint32_t reach_f32(vf x, vf bound, int above) { return vf_bits(above ? vf_gt(x, bound) : vf_ge(x, bound)); }
ALWAYS rank_f32 rank_of_f32(elem_f32 x) { return x; }
ALWAYS float value_f32(elem_f32 x) { return x; }
ALWAYS vm numbers_f32(vf x) { return vf_ge(x, vf_set1(lowest_f32)); }
ALWAYS int has_high_nan_f32(vf all) { (void)all; return 0; }
ALWAYS float number_f32(rank_f32 x) { return x; }

ALWAYS unsigned column_f32(const elem_f32 *v, rank_f32 bound, int above)
{
    __m128 x = _mm_setr_ps(v[0], v[16], v[32], v[48]), b = _mm_set1_ps(bound);
    return (unsigned)_mm_movemask_ps(above ? _mm_cmpgt_ps(x, b) : _mm_cmpge_ps(x, b));
}

/* Sixteen maxima of a sixteenth of the row each. */
ALWAYS void sixteen_f32(vf all, float out[16])
{
    vf_store(out, all);
}

ALWAYS rank_f32 one_maximum_f32(const uint32_t *maxima, uint32_t group)
{
    return ((const word_f32 *)(const void *)maxima)[group];
}

ALWAYS void set_maximum_f32(uint32_t *maxima, uint32_t group, rank_f32 x)
{
    ((word_f32 *)(void *)maxima)[group] = x;
}

/* Elements of a group: few where rows are short, for then the groups cost more than the pass. */
ALWAYS uint32_t depth_f32(uint32_t n)
{
    return n <= 1024 ? 4 : n <= 4096 ? 8 : 16;
}

/* ---- find.h: the rank of a key, if elements can have it; ranks in a range; ranks of a table; whether a sieve went
 * through the row up to `at` ---- */

ALWAYS int rank_of_key_f32(float key, rank_f32 *out) { *out = key; return 1; }
ALWAYS vm in_f32(vf x, vf low, vf high) { return vf_in(x, low, high); }
ALWAYS vtable table_f32(const slots *s) { return table_of(s); }
ALWAYS vm found_f32(vf x, const vtable *table) { return vf_found(x, table); }
ALWAYS uint32_t bits_f32(vm x) { return vf_bits(x); }
enum { SHIFT_f32 = SLOT_SHIFT };

#ifdef V_SIEVE
#include "sift.h"
ALWAYS int sieved_f32(keys *k, const elem_f32 *v, uint32_t n, uint32_t *at) { *at = sift_row(k, v, n); return 1; }
#else
#include "keys.h"
ALWAYS int sieved_f32(keys *k, const elem_f32 *v, uint32_t n, uint32_t *at) { (void)k, (void)v, (void)n, (void)at; return 0; }
#endif
