/* SPDX-License-Identifier: Apache-2.0 */
/* Random search programs on machines that differ in their level of vector instructions, in whether searches build on
 * each other, and in threads: memory, hidden state and hazards are the same after every single record. */
#include "kinds.h"
#include "machines.h"
#include "random.h"
#include "test.h"
#include <opendve/num.h>
#include <string.h>

enum { RECORDS = 14, LANES_MOST = 34, PROGRAMS = 260 };

/* One program. Offsets are bytes of a partition. */
typedef struct program {
    uint64_t seed;
    unsigned kind;
    uint32_t n, channels, data, other, values, indices, bytes;
    uint8_t dtype, size;
    dve_record records[RECORDS];
    uint32_t count;
} program;

/* A machine, and a digest of all that can be seen after each record. */
typedef struct witness {
    dve_machine *m;
    const program *p;
    const uint8_t *sbuf[LANES_MOST], *map[LANES_MOST];
    const dve_lane_state *lane;
    uint64_t hazards, digest[RECORDS];
    uint32_t steps;
} witness;

static uint64_t mix(uint64_t digest, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (uint64_t word; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 29;
    }
    for (; size; size--)
        digest = (digest ^ *at++) * UINT64_C(0x100000001b3);
    return digest;
}

static void saw_step(void *context, const dve_step *step)
{
    witness *w = context;
    uint64_t digest = mix(w->hazards, &step->assumptions, sizeof step->assumptions);
    for (uint32_t l = 0; l < w->p->channels; l++) {
        digest = mix(digest, w->sbuf[l], w->p->bytes);
        digest = mix(digest, w->map[l], w->p->bytes / 8);
    }
    if (w->steps < RECORDS)
        w->digest[w->steps] = mix(digest, w->lane, DVE_LANES * sizeof *w->lane);
    w->steps++;
}

static void saw_hazard(void *context, const dve_hazard *hazard)
{
    witness *w = context;
    const uint64_t words[] = {(uint64_t)hazard->kind, hazard->record, hazard->partition, hazard->byte, hazard->lane,
                              hazard->element, hazard->count};
    w->hazards = mix(w->hazards, words, sizeof words);
}

/* ---- Programs ---- */

static dve_record *next(program *p, uint8_t opcode)
{
    dve_record *record = &p->records[p->count++];
    record_base(opcode, record);
    record->byte[34] = (uint8_t)p->channels;
    return record;
}

static void max8(program *p, int step, uint32_t src, uint32_t dst)
{
    dve_record *record = next(p, 0x6c);
    SET(record, S4D2_BN_in_dtype, p->dtype);
    SET(record, S4D2_BN_out_dtype, p->dtype);
    record_place(record, DVE_ACCESS_READ, sbuf(0, src), step, p->n);
    record_place(record, DVE_ACCESS_WRITE, sbuf(0, dst + 7u * p->size), -1, 8);
}

static void load(program *p, int backwards)
{
    dve_record *record = next(p, 0x6d);
    SET(record, S2_BN_dtype, p->dtype);
    record_place(record, DVE_ACCESS_READ, sbuf(0, backwards ? p->values + 7u * p->size : p->values), backwards ? -1 : 1, 8);
}

static void find_among(program *p, uint8_t dtype, uint32_t n, uint32_t dst)
{
    dve_record *record = next(p, 0x6e);
    SET(record, S4D2_BN_in_dtype, dtype);
    SET(record, S4D2_BN_out_dtype, p->seed % 3 ? DVE_DTYPE_UINT32 : DVE_DTYPE_UINT16);
    record_place(record, DVE_ACCESS_READ, sbuf(0, p->data), 1, n);
    record_place(record, DVE_ACCESS_WRITE, sbuf(0, dst), 1, 8);
}

static void find(program *p, uint32_t dst)
{
    find_among(p, p->dtype, p->n, dst);
}

static void replace(program *p, uint32_t dst, uint32_t value)
{
    dve_record *record = next(p, 0x6f);
    SET(record, S4D4_MR_in_dtype, p->dtype);
    SET(record, S4D4_MR_out_dtype, p->dtype);
    SET(record, S4D4_MR_immediate, value);
    record_place(record, DVE_ACCESS_READ, sbuf(0, p->data), 1, p->n);
    record_place(record, DVE_ACCESS_WRITE, sbuf(0, dst), 1, p->n);
}

/* In place but for one element, so that the engine makes a copy first. */
static void transpose(program *p, uint32_t at)
{
    dve_record *record = next(p, 0x6b);
    record->byte[34] = 32;
    record_place(record, DVE_ACCESS_READ, sbuf(0, at / 4 * 4), 1, 32);
    record_place(record, DVE_ACCESS_WRITE, sbuf(0, at / 4 * 4 + 4), 1, 32);
}

/* Something that changes the data behind the back of the searches. */
static void disturb(program *p, test_random *r)
{
    uint32_t at = p->data + random_below(r, p->n) * p->size;
    if (random_chance(r, 30)) {
        transpose(p, p->data);
        return;
    }
    dve_record *record = next(p, 0x49);
    SET(record, D4_MR_dtype, p->dtype);
    SET(record, D4_MR_dst_element_count, 1);
    SET(record, D4_MR_set_value, p->size == 4 ? 0x42c80000 : p->dtype == DVE_DTYPE_BF16 ? 0x42c8 : 0x5640);
    record_place(record, DVE_ACCESS_WRITE, sbuf(0, at), 1, 1);
}

/* One round of a top-k. */
static void round_of(program *p, test_random *r)
{
    static const uint32_t markers[] = {0xff800000, 0xff800000, 0, 0x41a00000};
    max8(p, 1, p->data, p->values);
    load(p, 1);
    if (random_chance(r, 80)) {
        find(p, p->indices);
        load(p, random_chance(r, 20));
    }
    replace(p, p->data, RANDOM_OF(r, markers));
}

/* What a note must not be taken for: the same keys when the elements are gone, when they were consumed, among fewer
 * elements, among elements of another type. */
static void stale(program *p, test_random *r)
{
    static const uint8_t others[][2] = {{DVE_DTYPE_BF16, DVE_DTYPE_FP16}, {DVE_DTYPE_FP16, DVE_DTYPE_BF16},
                                        {DVE_DTYPE_FP32, DVE_DTYPE_INT32}};
    uint8_t other = others[p->dtype == DVE_DTYPE_BF16 ? 0 : p->dtype == DVE_DTYPE_FP16 ? 1 : 2][1];
    max8(p, 1, p->data, p->values);
    load(p, 1);
    switch (random_below(r, 5)) {
    case 0: replace(p, p->data, 0); load(p, 1); break;
    case 1: find(p, p->indices); break;
    case 2: find_among(p, p->dtype, p->n > 16 ? p->n / 2 : 8, p->indices); return;
    case 3: find_among(p, other, p->n, p->indices); return;
    default: replace(p, p->data, 0xff800000); transpose(p, p->other); max8(p, 1, p->data, p->values); return;
    }
    find(p, p->values + 32);
}

static void compose(program *p, test_random *r)
{
    uint32_t row = p->n * p->size;
    while (p->count + 6 <= RECORDS) {
        switch (random_below(r, 14)) {
        case 0: max8(p, 1, p->data, p->values); break;
        case 1: max8(p, 1, p->other, p->values); break;
        case 2: max8(p, 1, p->data, p->data + random_below(r, p->n - 7) * p->size); break;
        case 3: load(p, (int)random_below(r, 2)); break;
        case 4: find(p, random_chance(r, 30) ? (p->data + row / 2) / 4 * 4 : p->indices); break;
        case 5: replace(p, random_chance(r, 50) ? p->other : p->data, 0xff800000); break;
        case 6: replace(p, p->data + p->size, 0x3f800000); break;
        case 7: disturb(p, r); break;
        case 8: max8(p, -1, p->data + row - p->size, p->values); break;
        case 9: max8(p, 1, p->data + 16u * p->size, p->values); break;       /* runs into the gap behind */
        case 10: case 11: stale(p, r); break;
        default: round_of(p, r); break;
        }
    }
}

static void make_program(program *p, uint64_t seed)
{
    static const uint32_t lengths[] = {8, 9, 33, 64, 100, 512, 1000, 1024, 1500, 4096, 5000, 16384};
    static const uint8_t dtypes[] = {DVE_DTYPE_FP32, DVE_DTYPE_FP32, DVE_DTYPE_BF16, DVE_DTYPE_FP16};
    test_random r = {seed};
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->kind = (unsigned)(seed % KINDS);
    p->n = RANDOM_OF(&r, lengths);
    p->channels = p->n > 1500 ? 2 : random_chance(&r, 10) ? LANES_MOST : 3;
    p->dtype = RANDOM_OF(&r, dtypes);
    p->size = (uint8_t)dve_num_size(p->dtype);
    p->data = 64 * random_below(&r, 3) + p->size * random_below(&r, 8) + 64;
    p->other = (p->data + p->n * p->size + 300) / 4 * 4;
    p->values = (p->other + p->n * p->size + 300) / 64 * 64;
    p->indices = p->values + 64;
    p->bytes = p->indices + 64;
    compose(p, &r);
}

/* ---- Machines ---- */

static void put_data(witness *w)
{
    static uint32_t words[16384];
    static const dve_num_config num;
    const program *p = w->p;
    for (uint32_t l = 0; l < LANES_MOST; l++) {
        uint32_t active;
        uint8_t *bytes = dve_machine_bytes(w->m, DVE_SPACE_SBUF, l, &active);
        kind_fill(p->kind, p->seed + l, words, p->n);
        for (uint32_t copy = 0; copy < 2; copy++) {
            dve_place place = {DVE_SPACE_SBUF, l, copy ? p->other : p->data};
            dve_num_store_f32(&num, p->dtype, words, p->n, bytes + place.offset, p->size);
            dve_machine_mark(w->m, &place, (p->n - copy) * p->size);     /* one element of the other stays a hazard */
        }
        w->sbuf[l] = bytes;
        w->map[l] = dve_machine_written(w->m, DVE_SPACE_SBUF, l);
    }
    w->lane = dve_machine_lane(w->m, 0);
}

static void run_program(witness *w, const program *p, uint8_t simd, uint8_t unfused, dve_pool *pool, int singly)
{
    static dve_stop stop;
    dve_machine_config config;
    dve_machine_defaults(&config);
    memset(w, 0, sizeof *w);
    config.simd = simd;
    config.unfused = unfused;
    config.observer = (dve_observer){w, saw_step, saw_hazard};
    config.parallel_for = pool ? dve_pool_run : NULL;
    config.parallel_context = pool;
    w->m = dve_machine_new(&config);
    w->p = p;
    assert_non_null(w->m);
    put_data(w);
    for (uint32_t i = 0; i < p->count; i += singly ? 1 : p->count)
        if (dve_machine_run(w->m, p->records + i, singly ? 1 : p->count, &stop) != DVE_OK)
            fail_msg("program %llu: record %llu refused: %s", (unsigned long long)p->seed,
                     (unsigned long long)stop.record, record_text(&p->records[stop.record]));
    dve_machine_free(w->m);
    assert_int_equal(w->steps, p->count);
}

static void compare(const witness *w, const witness *scalar, const program *p, uint8_t simd, const char *how)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (w->digest[i] != scalar->digest[i])
            fail_msg("program %llu (%s, dtype %u, %u elements, %u lanes): record %u differs on level %s, %s: %s",
                     (unsigned long long)p->seed, kind_name(p->kind), p->dtype, p->n, p->channels, i,
                     dve_simd_name(simd), how, record_text(&p->records[i]));
}

static void every_record(void **state)
{
    (void)state;
    static witness scalar, other;
    static program p;
    dve_pool *pool = dve_pool_new(3);
    for (uint8_t simd = DVE_SIMD_SCALAR + 1; simd < DVE_SIMD_LEVELS; simd++)
        if (!dve_simd_supported(simd))
            print_message("SKIPPED: machines of level %s, which this host has not\n", dve_simd_name(simd));
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        make_program(&p, seed);
        run_program(&scalar, &p, DVE_SIMD_SCALAR, 1, NULL, 0);
        for (uint8_t simd = DVE_SIMD_SCALAR; simd < DVE_SIMD_LEVELS; simd++) {
            if (!dve_simd_supported(simd))
                continue;
            run_program(&other, &p, simd, 1, NULL, 0);
            compare(&other, &scalar, &p, simd, "unfused");
            run_program(&other, &p, simd, 0, NULL, 0);
            compare(&other, &scalar, &p, simd, "fused");
            if (seed % 4)
                continue;
            run_program(&other, &p, simd, 0, pool, 0);
            compare(&other, &scalar, &p, simd, "fused, three threads");
            run_program(&other, &p, simd, 0, NULL, 1);
            compare(&other, &scalar, &p, simd, "one record at a time");
        }
    }
    dve_pool_free(pool);
}

/* Bytes that the caller changes between runs, and an observer between records, count. */
static void meddle(void *context, const dve_step *step)
{
    dve_machine *m = *(dve_machine **)context;
    uint32_t active;
    const float largest = 63;
    if (dve_insn_opcode(step->insn) == 0x6d)
        memcpy(dve_machine_bytes(m, DVE_SPACE_SBUF, 0, &active) + 4, &largest, sizeof largest);
}

static void meddling(void **state)
{
    (void)state;
    static dve_stop stop;
    for (int observed = 0; observed < 2; observed++) {
        program p = {.n = 64, .channels = 1, .values = 1024, .indices = 1100, .dtype = DVE_DTYPE_FP32, .size = 4, .seed = 1};
        dve_machine_config config;
        dve_machine *m = NULL;
        dve_machine_defaults(&config);
        if (observed)
            config.observer = (dve_observer){&m, meddle, NULL};
        m = dve_machine_new(&config);
        assert_non_null(m);
        uint32_t active, words[64];
        uint8_t *bytes = dve_machine_bytes(m, DVE_SPACE_SBUF, 0, &active);
        kind_fill(2, 1, words, 64);              /* ascending, to 63 */
        memcpy(bytes, words, sizeof words);
        max8(&p, 1, 0, p.values);
        load(&p, 1);
        find(&p, p.indices);
        assert_int_equal(dve_machine_run(m, p.records, observed ? 3 : 2, &stop), DVE_OK);
        memcpy(bytes + 4, &words[63], 4);        /* the largest now stands at 1, too */
        if (!observed)
            assert_int_equal(dve_machine_run(m, p.records + 2, 1, &stop), DVE_OK);
        assert_int_equal(dve_num_load_bits(4, bytes + p.indices), 1);
        assert_int_equal(dve_num_load_bits(4, bytes + p.indices + 4), 62);
        dve_machine_free(m);
    }
}

static uint64_t unwritten(dve_machine *m, uint32_t from, uint32_t count, uint32_t *first)
{
    dve_place place = {DVE_SPACE_SBUF, 5, from};
    return dve_machine_unwritten(m, &place, count, first);
}

/* Bytes that are known to be written are not looked at again: that must not take in others. */
static void known_bytes(void **state)
{
    (void)state;
    uint32_t first;
    dve_machine *m = dve_machine_new(NULL);
    assert_null(m);
    dve_machine_config config;
    dve_machine_defaults(&config);
    m = dve_machine_new(&config);
    assert_non_null(m);
    assert_int_equal(dve_machine_mark(m, &(dve_place){DVE_SPACE_SBUF, 5, 100}, 50), DVE_OK);
    assert_int_equal(dve_machine_mark(m, &(dve_place){DVE_SPACE_SBUF, 5, 200}, 60), DVE_OK);
    assert_int_equal(unwritten(m, 100, 160, &first), 50);
    assert_int_equal(first, 150);
    assert_int_equal(unwritten(m, 100, 50, &first) + unwritten(m, 200, 60, &first), 0);
    assert_int_equal(unwritten(m, 99, 2, &first), 1);
    assert_int_equal(unwritten(m, 259, 2, &first), 1);
    assert_int_equal(dve_machine_mark(m, &(dve_place){DVE_SPACE_SBUF, 5, 150}, 50), DVE_OK);
    assert_int_equal(unwritten(m, 100, 160, &first), 0);
    dve_machine_written(m, DVE_SPACE_SBUF, 5)[120 / 8] = 0;
    assert_int_equal(unwritten(m, 100, 160, &first), 8);
    assert_int_equal(first, 120);
    dve_machine_reset(m);
    assert_int_equal(unwritten(m, 100, 160, &first), 160);
    dve_machine_free(m);
}

static void refused_levels(void **state)
{
    (void)state;
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.simd = DVE_SIMD_LEVELS;
    assert_int_equal(dve_machine_size(&config), 0);
    assert_null(dve_machine_new(&config));
    for (config.simd = 0; config.simd < DVE_SIMD_LEVELS; config.simd++)
        assert_int_equal(dve_machine_size(&config) != 0, dve_simd_supported(config.simd));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record),
        cmocka_unit_test(meddling),
        cmocka_unit_test(known_bytes),
        cmocka_unit_test(refused_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
