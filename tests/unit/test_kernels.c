/* SPDX-License-Identifier: Apache-2.0 */
/* Every level of vector instructions against the scalar walk: the kernels by themselves, on all kinds of data, lengths
 * and alignments. (test_fused has them in the machine.) */
#include "test.h"

#include "kernels/kernels.h"
#include "kinds.h"
#include "random.h"
#include <string.h>

enum { ROOM = DVE_ROW_MOST + 64, GUARD = 0x7f };

static const dve_num_config num;
static uint32_t words[ROOM];
static uint8_t row_bytes[4 * ROOM];
static uint32_t maxima[DVE_ROW_MAXIMA + 1];

typedef struct element {
    uint8_t dtype, size;
    const dve_row_kernels *kernels;
} element;

/* The three element types of a level. */
static unsigned elements_of(const dve_kernels *k, element out[3])
{
    out[0] = (element){DVE_DTYPE_FP32, 4, &k->f32};
    out[1] = (element){DVE_DTYPE_BF16, 2, &k->bf16};
    out[2] = (element){DVE_DTYPE_FP16, 2, &k->f16};
    return 3;
}

static dve_walk walk_of(const element *e, uint8_t *row, uint32_t n)
{
    return (dve_walk){row, {e->size, 0, 0, 0}, {n, 1, 1, 1}, n, e->dtype, e->size};
}

/* A row of a kind that begins `shift` elements behind a border of 64 bytes. */
static uint8_t *make_row(const element *e, unsigned kind, uint64_t seed, uint32_t n, uint32_t shift)
{
    uint8_t *row = row_bytes + (64 - (uintptr_t)row_bytes % 64) % 64 + (size_t)shift * e->size;
    kind_fill(kind, seed, words, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bits = words[i];
        if (e->size == 2)                        /* random bits are the upper half, NaN payloads included */
            bits = kind == 1 || kind == 10 ? bits >> 16 : dve_num_from_f32(&num, e->dtype, bits);
        dve_num_store_bits(e->size, bits, row + (size_t)i * e->size);
    }
    return row;
}

/* One by one, as Max8 is told: what is above goes ahead of what is below it; and -inf, which changes no value. */
static void reference(const element *e, const uint8_t *row, uint32_t n, dve_top8 *out)
{
    for (int i = 0; i < 8; i++) {
        out->value[i] = 0xff800000u;
        out->position[i] = UINT32_MAX;
    }
    out->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t value = dve_num_to_f32(&num, e->dtype, dve_num_load_bits(e->size, row + (size_t)i * e->size));
        uint32_t at = out->count;
        while (at > 0 && dve_f32_gt(value, out->value[at - 1]))
            at--;
        if (at == 8 || dve_f32_is_nan(value))
            continue;
        memmove(out->value + at + 1, out->value + at, (7 - at) * 4);
        memmove(out->position + at + 1, out->position + at, (7 - at) * 4);
        out->value[at] = value;
        out->position[at] = i;
        out->count += out->count < 8;
    }
}

static void same_top(const dve_top8 *got, const dve_top8 *want, const char *level, const element *e, unsigned kind,
                     uint32_t n)
{
    if (memcmp(got, want, sizeof *got) == 0)
        return;
    for (int i = 0; i < 8; i++)
        print_error("%08x at %d, wanted %08x at %d\n", got->value[i], (int)got->position[i], want->value[i],
                    (int)want->position[i]);
    fail_msg("%s, dtype %u, %s, %u elements: %u found, wanted %u", level, e->dtype, kind_name(kind), n, got->count,
             want->count);
}

/* Lengths: all short ones in turn, the borders of blocks, and long ones. */
static uint32_t length_of(uint32_t round)
{
    static const uint32_t borders[] = {1, 2, 7, 8, 63, 64, 65, 1023, 1024, 1025, 2048, 4095, 4096, 4097, 8192, 16383, 16384};
    if (round < LENGTH(borders))
        return borders[round];
    uint32_t r = round - (uint32_t)LENGTH(borders);
    return r < 60 ? 8 + r * 5 + r % 3 : 600 + r * 197;
}

static void max8_row(const char *level, const element *e, unsigned kind, uint32_t round)
{
    dve_top8 want, got;
    uint32_t n = length_of(round);
    uint8_t *row = make_row(e, kind, round, n, round % 17);
    maxima[DVE_ROW_MAXIMA] = GUARD;
    for (int again = 0; again < 2; again++) {
        memset(&got, GUARD, sizeof got);
        reference(e, row, n, &want);
        if (again)
            e->kernels->max8_again(row, n, maxima, &got);
        else
            e->kernels->max8(row, n, maxima, &got);
        same_top(&got, &want, level, e, kind, n);
    }
    for (uint32_t i = 0; i < 8; i++) {           /* what a MatchReplace8 does */
        if (want.position[i] == UINT32_MAX)
            continue;
        dve_num_store_bits(e->size, dve_num_from_f32(&num, e->dtype, i % 3 ? 0xff800000u : 0),
                           row + (size_t)want.position[i] * e->size);
        e->kernels->changed(row, n, want.position[i], maxima);
    }
    reference(e, row, n, &want);
    e->kernels->max8_again(row, n, maxima, &got);
    same_top(&got, &want, level, e, kind, n);
    assert_int_equal(maxima[DVE_ROW_MAXIMA], GUARD);
}

/* Keys: the largest, elements of the row, anything, or nothing; some closed. */
static void choose_keys(const element *e, const uint8_t *row, uint32_t n, unsigned how, test_random *state, dve_match *out)
{
    dve_top8 top;
    reference(e, row, n, &top);
    memset(out->position, 0xff, sizeof out->position);
    out->matched = how == 3 ? (uint8_t)random_bits(state) : 0;
    for (int i = 0; i < 8; i++) {
        uint32_t at = random_below(state, n);
        uint32_t own = dve_num_to_f32(&num, e->dtype, dve_num_load_bits(e->size, row + (size_t)at * e->size));
        uint32_t other = random_bits(state);
        switch (how % 6) {
        case 0: out->key[i] = top.value[i]; break;
        case 1: out->key[i] = top.value[7 - i]; break;
        case 2: out->key[i] = own; break;
        case 3: out->key[i] = i % 2 ? own : other; break;
        case 4: out->key[i] = i % 3 ? own ^ 0x80000000u : top.value[i]; break;
        default: out->key[i] = i % 2 ? UINT32_C(0x7fc00000) : own; break;
        }
    }
}

/* Walks and searches the row, from the same keys. */
static void same_match(const char *level, const element *e, const char *kind, uint8_t *row, uint32_t n, unsigned how,
                       const dve_match *keys)
{
    dve_walk walk = walk_of(e, row, n);
    dve_match want = *keys, got = *keys;
    dve_match_walk(&want, &walk, &num);
    e->kernels->find(row, n, &got);
    for (int i = 0; i < 8; i++)
        if (got.position[i] != want.position[i])
            fail_msg("%s, dtype %u, %s, %u elements, keys %u: key %d at %d, wanted %d", level, e->dtype, kind, n, how, i,
                     (int)got.position[i], (int)want.position[i]);
    assert_int_equal(got.matched, want.matched);
}

static void find_row(const char *level, const element *e, unsigned kind, uint32_t round)
{
    test_random state = {round * 31 + kind};
    uint32_t n = length_of(round);
    uint8_t *row = make_row(e, kind, round, n, round % 17);
    for (unsigned how = 0; how < 6; how++) {
        dve_match keys;
        choose_keys(e, row, n, how, &state, &keys);
        same_match(level, e, kind_name(kind), row, n, how, &keys);
    }
}

/* Rows side by side, each of another seed, at an odd distance. */
static void max8_rows(const char *level, const element *e, unsigned kind, uint32_t round)
{
    enum { COUNT = 21 };
    static uint8_t rows[COUNT * (DVE_ROW_SHORT + 16) * 4];
    dve_top8 got[COUNT], want;
    uint32_t n = 1 + round % DVE_ROW_SHORT, count = 1 + round % COUNT;
    size_t stride = (size_t)(n + round % 13) * e->size;
    if (!e->kernels->max8_short)
        return;
    for (uint32_t r = 0; r < count; r++)
        memcpy(rows + r * stride, make_row(e, kind, round * COUNT + r, n, 0), (size_t)n * e->size);
    memset(got, GUARD, sizeof got);
    uint32_t done = e->kernels->max8_short(rows, stride, n, count, got);
    assert_in_range(done, count < 8 ? 0 : count - 7, count);
    for (uint32_t r = 0; r < done; r++) {
        reference(e, rows + r * stride, n, &want);
        same_top(&got[r], &want, level, e, kind, n);
    }
    memset(&want, GUARD, sizeof want);
    for (uint32_t r = done; r < COUNT; r++)
        assert_memory_equal(&got[r], &want, sizeof want);
}

/* A row of what a sieve takes for keys and is none (kernels/v_avx2.h), and one of each behind `late` of them. */
static void look_alike_row(const char *level, const element *e, unsigned kind, uint32_t round)
{
    const uint32_t factor = 0x9e3779b1u, inverse = 0x0e8b2f51u;  /* to each other */
    static const uint32_t keys[8] = {0x3f800000u, 0xc0490fdbu, 0, 0x7f800000u, 0x00000001u, 0x42f6e979u, 0xbf800000u, 0x3f800000u};
    test_random state = {round * 31 + kind};
    uint32_t n = length_of(round), late = kind * n / KINDS;
    uint8_t *row = make_row(e, 0, round, n, round % 17);
    dve_match match;
    memset(&match, 0, sizeof match);
    memset(match.position, 0xff, sizeof match.position);
    memcpy(match.key, keys, sizeof keys);
    if (e->size != 4)
        return;
    assert_int_equal((uint32_t)(factor * inverse), 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t key = keys[random_below(&state, 8)], like = ((key * factor & 0xffff0000u) | (random_bits(&state) >> 16)) * inverse;
        dve_num_store_bits(4, i >= late && i % 5 == 0 ? key : like, row + 4 * (size_t)i);
    }
    same_match(level, e, "look-alikes", row, n, kind, &match);
}

static void each_of_level(const char *level, const dve_kernels *kernels,
                          void (*row)(const char *level, const element *e, unsigned kind, uint32_t round))
{
    element e[3];
    unsigned count = elements_of(kernels, e);
    for (unsigned i = 0; i < count; i++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            for (uint32_t round = 0; round < 90; round++)
                row(level, &e[i], kind, round);
}

#if defined EMULATED
/* The source of the AVX-512 kernels over functions that do what its instructions do. */
extern const dve_kernels dve_kernels_emulated;

static void each(void (*row)(const char *level, const element *e, unsigned kind, uint32_t round))
{
    each_of_level("avx512, emulated", &dve_kernels_emulated, row);
}
#else
static void each(void (*row)(const char *level, const element *e, unsigned kind, uint32_t round))
{
    for (uint8_t simd = DVE_SIMD_SCALAR + 1; simd < DVE_SIMD_LEVELS; simd++) {
        if (dve_simd_supported(simd))
            each_of_level(dve_simd_name(simd), dve_kernels_of(simd), row);
        else
            print_message("SKIPPED: kernels of level %s, which this host has not\n", dve_simd_name(simd));
    }
}
#endif

static void max8_kernels(void **state)
{
    (void)state;
    each(max8_row);
}

static void short_kernels(void **state)
{
    (void)state;
    each(max8_rows);
}

static void find_kernels(void **state)
{
    (void)state;
    each(find_row);
}

static void look_alikes(void **state)
{
    (void)state;
    each(look_alike_row);
}

static void levels(void **state)
{
    (void)state;
    assert_true(dve_simd_supported(DVE_SIMD_BEST) && dve_simd_supported(DVE_SIMD_SCALAR));
    assert_true(dve_simd_supported(dve_simd_best()));
    assert_int_not_equal(dve_simd_best(), DVE_SIMD_BEST);
    for (uint8_t simd = 0; simd < DVE_SIMD_LEVELS; simd++) {
        assert_non_null(dve_simd_name(simd));
        if (simd > DVE_SIMD_SCALAR && dve_simd_supported(simd))
            assert_non_null(dve_kernels_of(simd));
    }
    assert_null(dve_kernels_of(DVE_SIMD_SCALAR));
    assert_ptr_equal(dve_kernels_of(DVE_SIMD_BEST), dve_kernels_of(dve_simd_best()));
    assert_false(dve_simd_supported(DVE_SIMD_LEVELS));
    assert_null(dve_simd_name(DVE_SIMD_LEVELS));
    assert_null(dve_kernels_of(DVE_SIMD_LEVELS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),
        cmocka_unit_test(max8_kernels),
        cmocka_unit_test(short_kernels),
        cmocka_unit_test(find_kernels),
        cmocka_unit_test(look_alikes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
