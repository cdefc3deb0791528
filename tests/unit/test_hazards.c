/* SPDX-License-Identifier: Apache-2.0 */
/* The written map and the hazards, one by one, with every member. */
#include "machines.h"
#include "test.h"
#include <string.h>

/* Marks bytes of a partition as written. */
static void mark(watched *w, dve_space space, uint32_t partition, uint32_t offset, uint32_t count)
{
    dve_place place = {space, partition, offset};
    assert_int_equal(dve_machine_mark(w->m, &place, count), DVE_OK);
}

static void mark_lanes(watched *w, uint32_t partition, uint32_t lanes, uint32_t offset, uint32_t count)
{
    for (uint32_t l = 0; l < lanes; l++)
        mark(w, DVE_SPACE_SBUF, partition + l, offset, count);
}

static uint64_t unwritten(watched *w, uint32_t partition, uint32_t offset, uint32_t count, uint32_t *first)
{
    dve_place place = {DVE_SPACE_SBUF, partition, offset};
    return dve_machine_unwritten(w->m, &place, count, first);
}

/* The one hazard of the last run, or a failure. */
static const dve_hazard *only(watched *w, dve_hazard_kind kind)
{
    assert_int_equal(w->hazards, 1);
    assert_int_equal(w->hazard[0].kind, kind);
    return &w->hazard[0];
}

static dve_record lanes(uint8_t opcode, uint8_t channels)
{
    dve_record record;
    record_base(opcode, &record);
    record.byte[34] = channels;
    return record;
}

/* Keys for so many channels from a partition on, all bytes written. */
static void keys(watched *w, uint32_t partition, uint8_t channels)
{
    dve_record record = lanes(0x6d, channels);
    mark_lanes(w, partition, channels, 0x10000, 32);
    record_place(&record, DVE_ACCESS_READ, sbuf(partition, 0x10000), 1, 8);
    assert_int_equal(run(w, &record), DVE_OK);
    assert_int_equal(w->hazards, 0);
}

/* ---- The written map ---- */

static void map_ranges(void **state)
{
    (void)state;
    watched w;
    uint32_t first;
    watch(&w, NULL);
    for (uint32_t from = 0; from < 20; from++)
        for (uint32_t count = 0; count < 40; count++) {
            dve_machine_reset(w.m);
            mark(&w, DVE_SPACE_SBUF, 3, from, count);
            for (uint32_t byte = 0; byte < 64; byte++) {
                int inside = byte >= from && byte < from + count;
                assert_int_equal(unwritten(&w, 3, byte, 1, &first), !inside);
                assert_int_equal(first, inside ? 0 : byte);
            }
            assert_true(unwritten(&w, 3, 0, 64, &first) == 64 - count);
            assert_int_equal(first, from == 0 ? count : 0);
            assert_true(unwritten(&w, 2, 0, 64, &first) == 64 && unwritten(&w, 4, 0, 64, &first) == 64);
        }
    unwatch(&w);
}

static void map_ends(void **state)
{
    (void)state;
    watched w;
    uint32_t first, active;
    watch(&w, NULL);
    (void)dve_machine_bytes(w.m, DVE_SPACE_SBUF, 0, &active);
    assert_int_equal(active, 224 * 1024);
    dve_place last = {DVE_SPACE_SBUF, 127, active - 1};
    assert_int_equal(dve_machine_mark(w.m, &last, 1), DVE_OK);
    assert_int_equal(dve_machine_mark(w.m, &last, 2), DVE_E_USAGE);
    assert_int_equal(dve_machine_mark(w.m, &last, UINT32_MAX), DVE_E_USAGE);
    assert_int_equal(unwritten(&w, 127, active - 2, 2, &first), 1);
    assert_int_equal(first, active - 2);
    assert_int_equal(unwritten(&w, 127, active, 0, &first), 0);
    assert_int_equal(unwritten(&w, 127, active, 1, &first), 0);
    last.partition = 128;
    assert_int_equal(dve_machine_mark(w.m, &last, 1), DVE_E_USAGE);
    assert_null(dve_machine_bytes(w.m, DVE_SPACE_SBUF, 128, &active));
    assert_int_equal(active, 0);
    assert_null(dve_machine_written(w.m, DVE_SPACE_PSUM, 128));
    unwatch(&w);
}

/* A record marks exactly the bytes that it writes. */
static void records_mark(void **state)
{
    (void)state;
    watched w;
    uint32_t first;
    watch(&w, NULL);
    mark_lanes(&w, 0, 2, 0, 64);
    dve_record record = lanes(0x6c, 2);
    record_place(&record, DVE_ACCESS_WRITE, sbuf(0, 0x2002), 3, 8);
    SET(&record, S4D2_BN_out_dtype, DVE_DTYPE_BF16);
    assert_int_equal(run(&w, &record), DVE_OK);
    for (uint32_t byte = 0; byte < 64; byte++) {
        int inside = byte >= 2 && byte < 2 + 7 * 6 + 2 && (byte - 2) % 6 < 2;
        assert_int_equal(unwritten(&w, 1, 0x2000 + byte, 1, &first), !inside);
        assert_int_equal(unwritten(&w, 2, 0x2000 + byte, 1, &first), 1);
    }
    unwatch(&w);
}

/* ---- never-written ---- */

/* Keys of a byte, for so many channels from an address on: what of them is not written, and where that begins. Twice, for
 * the first time must not be taken for an answer to the second. */
static void load(watched *w, uint32_t address, uint8_t channels, uint64_t unwritten, uint32_t partition, uint32_t byte)
{
    dve_record record = lanes(0x6d, channels);
    record_place(&record, DVE_ACCESS_READ, address, 1, 8);
    SET(&record, S2_BN_dtype, DVE_DTYPE_FP8_E4M3);
    for (int times = 0; times < 2; times++) {
        assert_int_equal(run(w, &record), DVE_OK);
        assert_int_equal(w->hazards, unwritten != 0);
        if (!unwritten)
            continue;
        const dve_hazard *hazard = only(w, DVE_HAZARD_NEVER_WRITTEN);
        assert_int_equal(hazard->partition, partition);
        assert_int_equal(hazard->byte, byte);
        assert_true(hazard->count == unwritten);
    }
}

/* What one record found written is remembered for the next, and for nothing beside it. */
static void remembered_blocks(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    for (int times = 0; times < 2; times++) {
        for (uint32_t i = 0; i < 20; i++)        /* more than there is room for */
            mark_lanes(&w, 32, 4, 0x100 * i, 8);
        for (uint32_t i = 0; i < 60; i++)
            load(&w, sbuf(32, 0x100 * (i % 20)), 4, 0, 0, 0);
        load(&w, sbuf(32, 0x1301), 4, 4, 32, 0x1308);
        load(&w, sbuf(32, 0x12ff), 4, 4, 32, 0x12ff);
        load(&w, sbuf(32, 0x1300), 5, 8, 36, 0x1300);
        load(&w, sbuf(0, 0x1300), 4, 4 * 8, 0, 0x1300);
        load(&w, DVE_PSUM_BASE + 32 * 0x8000 + 0x1300, 4, 4 * 8, 32, 0x1300);
        load(&w, sbuf(32, 0x1300), 4, 0, 0, 0);
        dve_machine_written(w.m, DVE_SPACE_SBUF, 34)[0x1304 / 8] = 0xef;
        load(&w, sbuf(32, 0x1300), 4, 1, 34, 0x1304);
        load(&w, sbuf(32, 0x1300), 2, 0, 0, 0);
        dve_machine_reset(w.m);
        load(&w, sbuf(32, 0x1300), 2, 2 * 8, 32, 0x1300);
        dve_machine_reset(w.m);
    }
    unwatch(&w);
}

static void hole_in_a_long_row(void **state)
{
    (void)state;
    static const uint32_t holes[] = {12345, 0, 65535, 7, 8, 64, 65528, 32768};
    watched w;
    watch(&w, NULL);
    for (size_t i = 0; i < LENGTH(holes); i++) {
        dve_machine_reset(w.m);
        for (uint32_t p = 0; p < 8; p++) {
            mark(&w, DVE_SPACE_SBUF, p, 0, p == 5 ? holes[i] : 65536);
            if (p == 5)
                mark(&w, DVE_SPACE_SBUF, p, holes[i] + 1, 65535 - holes[i]);
        }
        dve_record record = lanes(0x6c, 8);
        SET(&record, S4D2_BN_src_num0, 16384);
        assert_int_equal(run(&w, &record), DVE_OK);
        const dve_hazard *h = only(&w, DVE_HAZARD_NEVER_WRITTEN);
        assert_string_equal(h->operand, "src");
        assert_null(h->other);
        assert_null(h->state);
        assert_int_equal(h->space, DVE_SPACE_SBUF);
        assert_int_equal(h->partition, 5);
        assert_int_equal(h->byte, holes[i]);
        assert_true(h->count == 1 && h->record == 0);
    }
    unwatch(&w);
}

static void unwritten_bytes_of_all_lanes(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    mark_lanes(&w, 32, 4, 0, 64);
    mark_lanes(&w, 34, 1, 0x100, 64);
    dve_record record = lanes(0x6c, 4);
    record_place(&record, DVE_ACCESS_READ, sbuf(32, 0x20), 1, 64);
    assert_int_equal(run(&w, &record), DVE_OK);
    const dve_hazard *h = only(&w, DVE_HAZARD_NEVER_WRITTEN);
    assert_int_equal(h->partition, 32);
    assert_int_equal(h->byte, 64);
    assert_true(h->count == 3 * (256 - 32) + 256 - 32 - 32);
    unwatch(&w);
}

/* A byte that is read many times counts once. */
static void broadcast_counts_once(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    dve_record record = lanes(0x6c, 3);
    record_place(&record, DVE_ACCESS_READ, sbuf(0, 0x40), 0, 100);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(only(&w, DVE_HAZARD_NEVER_WRITTEN)->count == 12);
    assert_int_equal(w.hazard[0].byte, 0x40);
    SET(&record, S4D2_BN_src_step0, 1);          /* elements 0..9, ten times over */
    SET(&record, S4D2_BN_src_num0, 10);
    SET(&record, S4D2_BN_src_step1, 0);
    SET(&record, S4D2_BN_src_num1, 10);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(only(&w, DVE_HAZARD_NEVER_WRITTEN)->count == 3 * 40);
    SET(&record, S4D2_BN_src_step1, 1);          /* elements 0..18, overlapping */
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(only(&w, DVE_HAZARD_NEVER_WRITTEN)->count == 3 * 76);
    unwatch(&w);
}

static void negative_walks_and_psum(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    mark(&w, DVE_SPACE_PSUM, 64, 0x3fc0, 60);
    dve_record record = lanes(0x6c, 1);
    record_place(&record, DVE_ACCESS_READ, 0x2203ffc, -1, 16);
    assert_int_equal(run(&w, &record), DVE_OK);
    const dve_hazard *h = only(&w, DVE_HAZARD_NEVER_WRITTEN);
    assert_int_equal(h->space, DVE_SPACE_PSUM);
    assert_int_equal(h->partition, 64);
    assert_int_equal(h->byte, 0x3ffc);
    assert_true(h->count == 4);
    unwatch(&w);
}

static void uninit_zero(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.uninit_zero = 1;
    watch(&w, &config);
    dve_record record = lanes(0x6e, 1);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_string_equal(only(&w, DVE_HAZARD_POWER_ON_STATE)->state, "keys");
    unwatch(&w);
}

/* ---- Hidden state ---- */

static dve_record finder(watched *w, uint32_t partition, uint8_t channels)
{
    dve_record record = lanes(0x6e, channels);
    mark_lanes(w, partition, channels, 0, 64);
    record_place(&record, DVE_ACCESS_READ, sbuf(partition, 0), 1, 16);
    return record;
}

static void power_on(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    dve_record find = finder(&w, 0, 7), read = lanes(0xe9, 9);
    assert_int_equal(run(&w, &find), DVE_OK);
    const dve_hazard *h = only(&w, DVE_HAZARD_POWER_ON_STATE);
    assert_string_equal(h->state, "keys");
    assert_null(h->operand);
    assert_true(h->lane == 0 && h->count == 7);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get_word(&w, 6, 0x20000 + 2 * n, 2), 0xffff);
    assert_int_equal(run(&w, &read), DVE_OK);    /* flops of 7 channels are set now */
    assert_int_equal(w.hazards, 2);
    assert_int_equal(w.hazard[0].kind, DVE_HAZARD_POWER_ON_STATE);
    assert_string_equal(w.hazard[0].state, "flops");
    assert_true(w.hazard[0].lane == 7 && w.hazard[0].count == 2);
    assert_int_equal(w.hazard[1].kind, DVE_HAZARD_CHANNEL_MISMATCH);
    assert_true(w.hazard[1].lane == 7 && w.hazard[1].count == 2);
    assert_int_equal(get_word(&w, 8, 0x20000, 2), 0xffff);
    unwatch(&w);
}

static void more_channels_than_the_producer(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    keys(&w, 0, 6);
    keys(&w, 0, 4);
    dve_record find = finder(&w, 0, 5);          /* lane 4 was set, but by an earlier load */
    assert_int_equal(run(&w, &find), DVE_OK);
    const dve_hazard *h = only(&w, DVE_HAZARD_CHANNEL_MISMATCH);
    assert_string_equal(h->state, "keys");
    assert_true(h->lane == 4 && h->count == 1);
    find = finder(&w, 0, 3);                     /* fewer is fine */
    assert_int_equal(run(&w, &find), DVE_OK);
    assert_int_equal(w.hazards, 0);
    unwatch(&w);
}

static void another_quadrant(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    keys(&w, 64, 4);
    dve_record find = finder(&w, 32, 4);
    assert_int_equal(run(&w, &find), DVE_OK);
    const dve_hazard *h = only(&w, DVE_HAZARD_CHANNEL_MISMATCH);
    assert_true(h->lane == 0 && h->count == 4);
    find = finder(&w, 64, 4);
    assert_int_equal(run(&w, &find), DVE_OK);
    assert_int_equal(w.hazards, 0);
    unwatch(&w);
}

/* The reader of flops has no source: its destination's quadrant counts, the finder's source's. */
static void quadrant_of_the_reader(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    keys(&w, 32, 2);
    dve_record find = finder(&w, 32, 2), read = lanes(0xe9, 2);
    assert_int_equal(run(&w, &find), DVE_OK);    /* its destination is in quadrant 0 */
    assert_int_equal(w.hazards, 0);
    assert_int_equal(run(&w, &read), DVE_OK);
    assert_string_equal(only(&w, DVE_HAZARD_CHANNEL_MISMATCH)->state, "flops");
    record_place(&read, DVE_ACCESS_WRITE, sbuf(32, 0x20000), 1, 8);
    assert_int_equal(run(&w, &read), DVE_OK);
    assert_int_equal(w.hazards, 0);
    unwatch(&w);
}

static void state_by_partition(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.settings.value[DVE_ASSUMPTION_hidden_state] = 1;
    watch(&w, &config);
    keys(&w, 0, 4);
    dve_record find = finder(&w, 32, 4);
    assert_int_equal(run(&w, &find), DVE_OK);
    assert_int_equal(w.hazards, 2);              /* partitions 32..35 were never set */
    assert_int_equal(w.hazard[0].kind, DVE_HAZARD_POWER_ON_STATE);
    assert_true(w.hazard[0].lane == 0 && w.hazard[0].count == 4);
    assert_int_equal(w.hazard[1].kind, DVE_HAZARD_CHANNEL_MISMATCH);
    unwatch(&w);
}

/* ---- Overlap ---- */

/* MatchReplace8 with keys that match nothing, its operands as given; all read bytes written. */
static dve_record replacer(watched *w, uint32_t src, int src_step, uint32_t dst, int dst_step, uint32_t count)
{
    dve_record record = lanes(0x6f, 1);
    dve_machine_reset(w->m);
    keys(w, 0, 1);
    mark(w, DVE_SPACE_SBUF, 0, 0, 0x8000);
    mark(w, DVE_SPACE_PSUM, 0, 0, 0x4000);
    record_place(&record, DVE_ACCESS_READ, src, src_step, count);
    record_place(&record, DVE_ACCESS_WRITE, dst, dst_step, count);
    return record;
}

static void overlaps(watched *w, const dve_record *record, int64_t byte)
{
    assert_int_equal(run(w, record), DVE_OK);
    if (byte < 0) {
        assert_int_equal(w->hazards, 0);
        return;
    }
    const dve_hazard *h = only(w, DVE_HAZARD_PARTIAL_OVERLAP);
    assert_string_equal(h->operand, "src");
    assert_string_equal(h->other, "dst");
    assert_true(h->space == DVE_SPACE_SBUF && h->partition == 0 && h->byte == byte);
}

static void partial_overlap(void **state)
{
    (void)state;
    static const struct {
        uint32_t src;
        int src_step;
        uint32_t dst;
        int dst_step;
        int64_t byte;                            /* -1: no hazard */
    } rows[] = {
        {0, 1, 4, 1, 4},          {4, 1, 0, 1, 4},         {0, 1, 60, 1, 60},        {0, 1, 64, 1, -1},
        {0, 1, 0, 1, -1},         {0, 2, 4, 2, -1},        {0, 2, 8, 2, 8},          {4, 2, 0, 2, -1},
        {0, 3, 4, 3, -1},         {0, 3, 8, 3, -1},        {0, 2, 0, 1, 0},          {60, -1, 0, 1, 0},
        {60, -1, 60, -1, -1},     {0, 2, 4, 1, 8},         {0, 1, 0x800000, 1, -1},  {0, 1, 0x2000000, 1, -1},
        {0, 2, 12, 3, 24},
    };
    watched w;
    watch(&w, NULL);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        dve_record record = replacer(&w, rows[i].src, rows[i].src_step, rows[i].dst, rows[i].dst_step, 16);
        overlaps(&w, &record, rows[i].byte);
    }
    unwatch(&w);
}

/* In place is the same walk however it is written down, but not with another element size. */
static void in_place(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    dve_record record = replacer(&w, 0, 1, 0, 1, 16);
    SET(&record, S4D4_MR_dst_num0, 4);
    SET(&record, S4D4_MR_dst_step1, 4);
    SET(&record, S4D4_MR_dst_num1, 4);
    overlaps(&w, &record, -1);
    SET(&record, S4D4_MR_dst_num1, 1);
    SET(&record, S4D4_MR_dst_step3, 4);
    SET(&record, S4D4_MR_dst_num3, 4);
    overlaps(&w, &record, -1);
    SET(&record, S4D4_MR_src_step3, 77);         /* the step of a dimension of 1 says nothing */
    overlaps(&w, &record, -1);
    record = replacer(&w, 0, 1, 0, 1, 16);
    SET(&record, S4D4_MR_out_dtype, DVE_DTYPE_BF16);
    overlaps(&w, &record, 0);
    record = replacer(&w, 0, 1, 0, 1, 16);
    SET(&record, S4D4_MR_in_dtype, DVE_DTYPE_UINT32);    /* another type of the same size */
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    unwatch(&w);
}

/* R33: they read the lane whole before they write. */
static void searches_do_not_overlap(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    keys(&w, 0, 1);
    mark(&w, DVE_SPACE_SBUF, 0, 0, 64);
    for (uint8_t opcode = 0x6c; opcode <= 0x6e; opcode += 2) {
        dve_record record = lanes(opcode, 1);
        SET(&record, S4D2_BN_dst_start_addr, 4);
        assert_int_equal(run(&w, &record), DVE_OK);
        assert_int_equal(w.hazards, 0);
    }
    unwatch(&w);
}

static void destination_twice(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    dve_record record = replacer(&w, 0, 1, 0x4008, 0, 16);
    assert_int_equal(run(&w, &record), DVE_OK);
    const dve_hazard *h = only(&w, DVE_HAZARD_DESTINATION_TWICE);
    assert_string_equal(h->operand, "dst");
    assert_true(h->space == DVE_SPACE_SBUF && h->partition == 0 && h->byte == 0x4008);
    record = replacer(&w, 0, 1, 0x4000, 1, 16);
    SET(&record, S4D4_MR_dst_num0, 4);           /* 0 1 2 3, 2 3 4 5, ... */
    SET(&record, S4D4_MR_dst_num1, 4);
    SET(&record, S4D4_MR_dst_step1, 2);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(only(&w, DVE_HAZARD_DESTINATION_TWICE)->byte, 0x4008);
    record = replacer(&w, 0, 1, 0x4000, 2, 16);  /* 0 2 4 6, 1 3 5 7: interleaved, once each */
    SET(&record, S4D4_MR_dst_num0, 4);
    SET(&record, S4D4_MR_dst_num1, 2);
    SET(&record, S4D4_MR_dst_step1, 1);
    SET(&record, S4D4_MR_dst_num2, 2);
    SET(&record, S4D4_MR_dst_step2, 8);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(w.hazards, 0);
    dve_record read = lanes(0xe9, 1);            /* without a source, too */
    record_place(&read, DVE_ACCESS_WRITE, 0x2000010, 0, 8);
    SET(&read, D4_MR_dtype, DVE_DTYPE_UINT32);
    assert_int_equal(run(&w, &read), DVE_OK);
    h = only(&w, DVE_HAZARD_DESTINATION_TWICE);
    assert_true(h->space == DVE_SPACE_PSUM && h->byte == 0x10);
    unwatch(&w);
}

/* ---- Through fp32 ---- */

static void integers_through_fp32(void **state)
{
    (void)state;
    static const struct {
        uint8_t dtype;
        uint32_t bits;
        int changes;
    } rows[] = {
        {DVE_DTYPE_INT32, 0x01000000, 0},  {DVE_DTYPE_INT32, 0x01000001, 1},  {DVE_DTYPE_INT32, 0x01000002, 0},
        {DVE_DTYPE_INT32, 0xfeffffff, 1},  {DVE_DTYPE_INT32, 0xff000000, 0},  {DVE_DTYPE_INT32, 0x80000000, 0},
        {DVE_DTYPE_INT32, 0x7fffffff, 1},  {DVE_DTYPE_INT32, 0x7fffff80, 0},  {DVE_DTYPE_INT32, 0x80000001, 1},
        {DVE_DTYPE_UINT32, 0xffffffff, 1}, {DVE_DTYPE_UINT32, 0xffffff00, 0}, {DVE_DTYPE_UINT32, 0x80000001, 1},
        {DVE_DTYPE_UINT32, 0x80000000, 0}, {DVE_DTYPE_UINT32, 0, 0},          {DVE_DTYPE_FP32, 0x01000001, 0},
        {DVE_DTYPE_UINT16, 0x01000001, 0},
    };
    watched w;
    watch(&w, NULL);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        dve_machine_reset(w.m);
        mark_lanes(&w, 0, 3, 0, 64);
        for (uint32_t p = 0; p < 3; p++)
            put_words(&w, p, 0, 4, (const uint32_t[16]){0}, 16);
        put_words(&w, 1, 4 * 9, 4, &rows[i].bits, 1);
        put_words(&w, 2, 4 * 3, 4, &rows[i].bits, 1);
        put_words(&w, 2, 4 * 5, 4, &rows[i].bits, 1);
        dve_record record = lanes(0x6c, 3);
        SET(&record, S4D2_BN_in_dtype, rows[i].dtype);
        assert_int_equal(run(&w, &record), DVE_OK);
        if (!rows[i].changes) {
            assert_int_equal(w.hazards, 0);
            continue;
        }
        const dve_hazard *h = only(&w, DVE_HAZARD_THROUGH_FP32);
        assert_string_equal(h->operand, "src");
        assert_true(h->lane == 1 && h->element == 9 && h->count == 3);
    }
    unwatch(&w);
}

/* MatchReplace8 between equal integer types and a key load go through fp32 as well. */
static void other_ops_through_fp32(void **state)
{
    (void)state;
    const uint32_t bits = 0xffffffff;
    watched w;
    watch(&w, NULL);
    dve_record record = replacer(&w, 0, 1, 0x4000, 1, 16);
    SET(&record, S4D4_MR_in_dtype, DVE_DTYPE_UINT32);
    SET(&record, S4D4_MR_out_dtype, DVE_DTYPE_UINT32);
    put_words(&w, 0, 4, 4, &bits, 1);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(only(&w, DVE_HAZARD_THROUGH_FP32)->element, 1);
    assert_int_equal(get_word(&w, 0, 0x4004, 4), 0xffffffff);    /* 2^32 saturates */
    record = lanes(0x6d, 1);
    SET(&record, S2_BN_dtype, DVE_DTYPE_UINT32);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_int_equal(only(&w, DVE_HAZARD_THROUGH_FP32)->element, 1);
    unwatch(&w);
}

/* ---- Together ---- */

static void kinds_in_order(void **state)
{
    (void)state;
    static const uint32_t big = 0x01000001;
    watched w;
    watch(&w, NULL);
    dve_record record = lanes(0x6f, 1);
    put_words(&w, 0, 8, 4, &big, 1);
    SET(&record, S4D4_MR_in_dtype, DVE_DTYPE_INT32);
    record_place(&record, DVE_ACCESS_WRITE, sbuf(0, 4), 0, 16);
    dve_machine_set_next_record(w.m, 41);
    assert_int_equal(run(&w, &record), DVE_OK);
    static const dve_hazard_kind kinds[] = {DVE_HAZARD_NEVER_WRITTEN, DVE_HAZARD_POWER_ON_STATE,
                                            DVE_HAZARD_PARTIAL_OVERLAP, DVE_HAZARD_DESTINATION_TWICE,
                                            DVE_HAZARD_THROUGH_FP32};
    assert_int_equal(w.hazards, LENGTH(kinds));
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        assert_int_equal(w.hazard[i].kind, kinds[i]);
        assert_true(w.hazard[i].record == 41);
    }
    assert_string_equal(w.order, "hhhhhs");
    unwatch(&w);
}

static void names(void **state)
{
    (void)state;
    static const char *const wanted[DVE_HAZARD_KINDS] = {"never-written",   "power-on-state",    "channel-mismatch",
                                                         "partial-overlap", "destination-twice", "through-fp32"};
    for (int kind = 0; kind < DVE_HAZARD_KINDS; kind++)
        assert_string_equal(dve_hazard_name((dve_hazard_kind)kind), wanted[kind]);
    assert_null(dve_hazard_name(DVE_HAZARD_KINDS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_ranges),
        cmocka_unit_test(map_ends),
        cmocka_unit_test(records_mark),
        cmocka_unit_test(remembered_blocks),
        cmocka_unit_test(hole_in_a_long_row),
        cmocka_unit_test(unwritten_bytes_of_all_lanes),
        cmocka_unit_test(broadcast_counts_once),
        cmocka_unit_test(negative_walks_and_psum),
        cmocka_unit_test(uninit_zero),
        cmocka_unit_test(power_on),
        cmocka_unit_test(more_channels_than_the_producer),
        cmocka_unit_test(another_quadrant),
        cmocka_unit_test(quadrant_of_the_reader),
        cmocka_unit_test(state_by_partition),
        cmocka_unit_test(partial_overlap),
        cmocka_unit_test(in_place),
        cmocka_unit_test(searches_do_not_overlap),
        cmocka_unit_test(destination_twice),
        cmocka_unit_test(integers_through_fp32),
        cmocka_unit_test(other_ops_through_fp32),
        cmocka_unit_test(kinds_in_order),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests_name("hazards", tests, NULL, NULL);
}
