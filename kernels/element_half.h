/* SPDX-License-Identifier: Apache-2.0 */
/* bf16 and fp16 for max8.h and find.h, see element_f32.h. N, HALF_INFINITY and half_value are defined before.
 *
 * Elements are ordered by integers: the magnitude, negated where the sign is set. So both zeros are 0, -NaN lies below
 * -inf, and +NaN above +inf: rows that have it there are gone through once more, with those moved below all. */
#define LANES 32u
#define COLUMN 8u

typedef word_u16 N(elem);
typedef int N(rank);
typedef vh N(vec);
typedef struct N(vtable) {
    vh rank[8];
} N(vtable);

enum { N(lowest) = -HALF_INFINITY, N(SHIFT) = 32 };

ALWAYS vh N(load)(const N(elem) *p, int clean)
{
    vh x = vh_order(vh_load(p));
    return clean ? vh_clean(x, HALF_INFINITY) : x;
}

ALWAYS vh N(part)(const N(elem) *p, uint32_t n, int clean)
{
    uint16_t all[32];
    for (uint32_t i = 0; i < 32; i++)
        all[i] = i < n ? p[i] : 0xffff;          /* lower than all: a NaN */
    return N(load)(all, clean);
}

ALWAYS vh N(fetch)(const uint32_t *maxima) { return vh_load(maxima); }
ALWAYS void N(keep)(uint32_t *maxima, vh x) { vh_store(maxima, x); }
ALWAYS vh N(set1)(N(rank) x) { return vh_set1(x); }
ALWAYS vh N(max)(vh x, vh y) { return vh_max(x, y); }
ALWAYS vm N(numbers)(vh x) { return vm_not(vm_or(vh_gt(vh_set1(N(lowest)), x), vh_gt(x, vh_set1(HALF_INFINITY)))); }
ALWAYS int N(has_high_nan)(vh all) { return vm_any(vh_gt(all, vh_set1(HALF_INFINITY))); }
ALWAYS float N(number)(N(rank) x) { return (float)x; }
ALWAYS float N(value)(N(elem) x) { return half_value(x); }

ALWAYS uint32_t N(reach)(vh x, vh bound, int above)
{
    return above ? vh_bits(vh_gt(x, bound)) : ~vh_bits(vh_gt(bound, x));
}

ALWAYS N(rank) N(rank_of)(N(elem) x)
{
    int magnitude = x & 0x7fff;
    return x >> 15 ? -magnitude : magnitude > HALF_INFINITY ? INT16_MIN : magnitude;
}

ALWAYS unsigned N(column)(const N(elem) *v, N(rank) bound, int above)
{
    __m128i x = order8(_mm_setr_epi16((short)v[0], (short)v[32], (short)v[64], (short)v[96], (short)v[128],
                                      (short)v[160], (short)v[192], (short)v[224]));
    __m128i b = _mm_set1_epi16((short)(above ? bound : bound - 1));
    __m128i in = _mm_andnot_si128(_mm_cmpgt_epi16(x, _mm_set1_epi16(HALF_INFINITY)), _mm_cmpgt_epi16(x, b));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(in, _mm_setzero_si128()));
}

ALWAYS void N(sixteen)(vh all, float out[16])
{
    int16_t lanes[32];
    vh_store(lanes, all);
    for (int i = 0; i < 16; i++)
        out[i] = lanes[i] > lanes[i + 16] ? lanes[i] : lanes[i + 16];
}

ALWAYS N(rank) N(one_maximum)(const uint32_t *maxima, uint32_t group)
{
    return (int16_t)((const word_u16 *)(const void *)maxima)[group];
}

ALWAYS void N(set_maximum)(uint32_t *maxima, uint32_t group, N(rank) x)
{
    ((word_u16 *)(void *)maxima)[group] = (uint16_t)x;
}

ALWAYS uint32_t N(depth)(uint32_t n)
{
    return n <= 4096 ? 8 : 16;
}

/* ---- find.h ---- */

#include "keys.h"
ALWAYS int N(sieved)(keys *k, const N(elem) *v, uint32_t n, uint32_t *at) { (void)k, (void)v, (void)n, (void)at; return 0; }

static int N(rank_of_key)(float key, N(rank) *out)
{
    static const dve_num_config num;
    uint32_t bits = dve_num_from_f32(&num, HALF_DTYPE, dve_f32_bits(key));
    *out = N(rank_of)((uint16_t)bits);
    return half_value((uint16_t)bits) == key;
}

ALWAYS vm N(in)(vh x, vh low, vh high)
{
    return vm_not(vm_or(vh_gt(low, x), vh_gt(x, high)));
}

ALWAYS N(vtable) N(table)(const slots *s)
{
    N(vtable) out;
    N(rank) rank;
    for (int i = 0; i < 8; i++)                  /* what no element is where there is no value */
        out.rank[i] = vh_set1(s->slot[i] == s->slot[i] && N(rank_of_key)(s->slot[i], &rank) ? rank : INT16_MIN);
    return out;
}

ALWAYS vm N(found)(vh x, const N(vtable) *table)
{
    vm found = vh_eq(x, table->rank[0]);
    for (int i = 1; i < 8; i++)
        found = vm_or(found, vh_eq(x, table->rank[i]));
    return found;
}

ALWAYS uint32_t N(bits)(vm x) { return vh_bits(x); }
