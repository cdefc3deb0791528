/* SPDX-License-Identifier: Apache-2.0 */
/* The search cluster by numbers that are printed somewhere or worked out by hand. */
#include "machines.h"
#include "test.h"
#include <string.h>

enum { DATA = 0, KEYS = 0x1000, VALUES = 0x2000, INDICES = 0x3000, NONE = -1 };

static dve_record one_lane(uint8_t opcode)
{
    dve_record record;
    record_base(opcode, &record);
    record.byte[34] = 1;                         /* num_active_channels, in every format (R6) */
    return record;
}

/* MatchValueLoad of 8 keys from KEYS: forwards from the first, or backwards from the last. */
static void load_keys(watched *w, int step)
{
    dve_record record = one_lane(0x6d);
    record_place(&record, DVE_ACCESS_READ, sbuf(0, step > 0 ? KEYS : KEYS + 28), step, 8);
    assert_int_equal(run(w, &record), DVE_OK);
}

static void find(watched *w, uint32_t count)
{
    dve_record record = one_lane(0x6e);
    SET(&record, S4D2_BN_out_dtype, DVE_DTYPE_UINT32);
    record_place(&record, DVE_ACCESS_READ, sbuf(0, DATA), 1, count);
    record_place(&record, DVE_ACCESS_WRITE, sbuf(0, INDICES), 1, 8);
    assert_int_equal(run(w, &record), DVE_OK);
}

static void replace(watched *w, uint32_t count, uint32_t value, uint32_t dst)
{
    dve_record record = one_lane(0x6f);
    SET(&record, S4D4_MR_immediate, value);
    record_place(&record, DVE_ACCESS_READ, sbuf(0, DATA), 1, count);
    record_place(&record, DVE_ACCESS_WRITE, sbuf(0, dst), 1, count);
    assert_int_equal(run(w, &record), DVE_OK);
}

static void read_indices(watched *w, uint32_t addr, int step)
{
    dve_record record = one_lane(0xe9);
    SET(&record, D4_MR_dtype, DVE_DTYPE_UINT32);
    record_place(&record, DVE_ACCESS_WRITE, addr, step, 8);
    assert_int_equal(run(w, &record), DVE_OK);
}

static void max8(watched *w, uint32_t count, uint32_t dst, int step)
{
    dve_record record = one_lane(0x6c);
    record_place(&record, DVE_ACCESS_READ, sbuf(0, DATA), 1, count);
    record_place(&record, DVE_ACCESS_WRITE, dst, step, 8);
    assert_int_equal(run(w, &record), DVE_OK);
}

static void indices_are(watched *w, const int wanted[8])
{
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal((int32_t)get_word(w, 0, INDICES + 4 * n, 4), wanted[n]);
}

/* R3: data 1 2 3 4 8 8 8 8 8 8 8, vals 3 8 8 8 8 8 8 8. */
static const float r3_data[] = {1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8}, r3_vals[] = {3, 8, 8, 8, 8, 8, 8, 8};

static void published_find(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, r3_data, LENGTH(r3_data));
    put_floats(&w, 0, KEYS, r3_vals, LENGTH(r3_vals));
    load_keys(&w, -1);
    find(&w, LENGTH(r3_data));
    indices_are(&w, (const int[]){2, 4, 5, 6, 7, 8, 9, 10});
    unwatch(&w);
}

static void published_replace(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, r3_data, LENGTH(r3_data));
    put_floats(&w, 0, KEYS, r3_vals, LENGTH(r3_vals));
    load_keys(&w, 1);
    replace(&w, LENGTH(r3_data), 0xc2c60000, VALUES);
    read_indices(&w, sbuf(0, INDICES + 28), -1);
    indices_are(&w, (const int[]){2, 10, 9, 8, 7, 6, 5, 4});
    static const uint32_t wanted[] = {0x3f800000, 0x40000000, 0xc2c60000, 0x40800000, 0xc2c60000, 0xc2c60000};
    for (uint32_t i = 0; i < LENGTH(wanted); i++)
        assert_int_equal(get_word(&w, 0, VALUES + 4 * i, 4), wanted[i]);
    unwatch(&w);
}

/* Max8 writes smallest first; MatchValueLoad reverses: with positive steps both, key 0 is the largest. */
static void two_reversals_compose(void **state)
{
    (void)state;
    static const float data[] = {5, 1, 9, 9, 3, 7, 2, 8, 6, 4, 0, 9};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, data, LENGTH(data));
    max8(&w, LENGTH(data), sbuf(0, KEYS), 1);
    static const uint32_t ascending[] = {0x40800000, 0x40a00000, 0x40c00000, 0x40e00000,
                                         0x41000000, 0x41100000, 0x41100000, 0x41100000};
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get_word(&w, 0, KEYS + 4 * n, 4), ascending[n]);
    load_keys(&w, 1);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(dve_machine_lane(w.m, 0)->key[n], ascending[7 - n]);
    find(&w, LENGTH(data));
    indices_are(&w, (const int[]){2, 3, 11, 7, 5, 8, 0, 9});
    unwatch(&w);
}

/* What the compiler writes: the destination runs backwards, memory holds the values descending (R1). */
static void descending_in_memory(void **state)
{
    (void)state;
    static const float data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, data, LENGTH(data));
    max8(&w, LENGTH(data), sbuf(0, VALUES + 28), -1);
    assert_int_equal(get_word(&w, 0, VALUES, 4), 0x41100000);
    assert_int_equal(get_word(&w, 0, VALUES + 28, 4), 0x40000000);
    unwatch(&w);
}

/* R1: NaN never enters, missing values are -inf; +0 and -0 are equal and the earlier ranks as the larger. */
static void max8_special_values(void **state)
{
    (void)state;
    static const uint32_t data[] = {0x7fc00000, 0x80000000, 0x00000000, 0xffc00001, 0x7f800001,
                                    0x80000000, 0xff800000, 0xbf800000, 0x7fffffff};
    static const uint32_t wanted[] = {0xff800000, 0xff800000, 0xff800000, 0xff800000,
                                      0xbf800000, 0x80000000, 0x00000000, 0x80000000};
    watched w;
    watch(&w, NULL);
    put_words(&w, 0, DATA, 4, data, LENGTH(data));
    max8(&w, LENGTH(data), sbuf(0, VALUES), 1);
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(get_word(&w, 0, VALUES + 4 * n, 4), wanted[n]);
    unwatch(&w);
}

/* Zeros of either sign match each other, NaN matches nothing, an absent key leaves all ones. */
static void match_special_values(void **state)
{
    (void)state;
    static const uint32_t data[] = {0x7fc00000, 0x80000000, 0x00000000, 0x7f800000,
                                    0x3f800000, 0x3f800000, 0x00000001, 0x80000001};
    static const uint32_t keys[] = {0x00000000, 0x7fc00000, 0x3f800000, 0x80000000,
                                    0x40000000, 0x80000001, 0x3f800000, 0x3f800000};
    watched w;
    watch(&w, NULL);
    put_words(&w, 0, DATA, 4, data, LENGTH(data));
    put_words(&w, 0, KEYS, 4, keys, LENGTH(keys));
    load_keys(&w, -1);
    find(&w, LENGTH(data));
    indices_are(&w, (const int[]){1, NONE, 4, 2, NONE, 7, 5, NONE});
    assert_int_equal(dve_machine_lane(w.m, 0)->matched, 0x6d);
    unwatch(&w);
}

/* Keys that one record consumed stay closed for the next, until keys are loaded again. */
static void keys_stay_closed(void **state)
{
    (void)state;
    static const float data[] = {4, 4, 4, 1, 1, 1, 1, 1}, keys[] = {4, 9, 9, 9, 9, 9, 9, 9};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, data, LENGTH(data));
    put_floats(&w, 0, KEYS, keys, LENGTH(keys));
    load_keys(&w, -1);
    find(&w, LENGTH(data));
    indices_are(&w, (const int[]){0, NONE, NONE, NONE, NONE, NONE, NONE, NONE});
    find(&w, LENGTH(data));
    indices_are(&w, (const int[]){NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE});
    load_keys(&w, -1);
    find(&w, LENGTH(data));
    indices_are(&w, (const int[]){0, NONE, NONE, NONE, NONE, NONE, NONE, NONE});
    unwatch(&w);
}

/* uint16 results: all ones stay all ones; nothing beside the eight results changes. */
static void narrow_indices(void **state)
{
    (void)state;
    static const uint32_t before[] = {0x11111111, 0x22222222, 0x33333333, 0x44444444, 0x55555555};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, r3_data, LENGTH(r3_data));
    put_floats(&w, 0, KEYS, (const float[]){8, 77, 3, 2, 1, 4, 8, 8}, 8);
    put_words(&w, 0, INDICES, 4, before, LENGTH(before));
    load_keys(&w, -1);
    dve_record record = one_lane(0x6e);
    record_place(&record, DVE_ACCESS_READ, sbuf(0, DATA), 1, LENGTH(r3_data));
    record_place(&record, DVE_ACCESS_WRITE, sbuf(0, INDICES), 1, 8);
    assert_int_equal(run(&w, &record), DVE_OK);
    static const uint16_t wanted[] = {4, 0xffff, 2, 1, 0, 3, 5, 6, 0x5555, 0x5555};
    for (uint32_t n = 0; n < LENGTH(wanted); n++)
        assert_int_equal(get_word(&w, 0, INDICES + 2 * n, 2), wanted[n]);
    unwatch(&w);
}

/* R18: what goes through fp32 changes, pass-through of 32-bit integers included; R32: NaN payloads do not. */
static void replace_passes(void **state)
{
    (void)state;
    static const uint32_t data[] = {0x01000001, 5, 0xfffffff0, 7, 8, 9, 10, 11}, nan = 0x7f812345;
    watched w;
    watch(&w, NULL);
    put_words(&w, 0, DATA, 4, data, LENGTH(data));
    put_floats(&w, 0, KEYS, (const float[]){7, 7, 7, 7, 7, 7, 7, 7}, 8);
    load_keys(&w, 1);
    dve_record record = one_lane(0x6f);
    SET(&record, S4D4_MR_in_dtype, DVE_DTYPE_INT32);
    SET(&record, S4D4_MR_out_dtype, DVE_DTYPE_INT32);
    SET(&record, S4D4_MR_immediate, 0xc0200000);          /* -2.5: to nearest even */
    record_place(&record, DVE_ACCESS_READ, sbuf(0, DATA), 1, 8);
    record_place(&record, DVE_ACCESS_WRITE, sbuf(0, VALUES), 1, 8);
    assert_int_equal(run(&w, &record), DVE_OK);
    static const uint32_t wanted[] = {0x01000000, 5, 0xfffffff0, 0xfffffffe, 8, 9, 10, 11};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(get_word(&w, 0, VALUES + 4 * i, 4), wanted[i]);
    put_words(&w, 0, DATA, 4, &nan, 1);
    replace(&w, 8, 0, VALUES);
    assert_int_equal(get_word(&w, 0, VALUES, 4), nan);
    unwatch(&w);
}

/* R25: element by element, each read before its own write. Shifted up by one, the first value runs through. */
static void replace_walks(void **state)
{
    (void)state;
    static const float data[] = {6, 5, 4, 3, 2, 1, 0, 7};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, data, LENGTH(data));
    put_floats(&w, 0, KEYS, (const float[]){9, 9, 9, 9, 9, 9, 9, 6}, 8);
    load_keys(&w, -1);
    replace(&w, 7, 0x41100000, 4);               /* 6 becomes 9, and 9 is the next element */
    for (uint32_t i = 1; i < 8; i++)
        assert_int_equal(get_word(&w, 0, 4 * i, 4), 0x41100000);
    static const uint32_t flops[] = {1, 2, 3, 4, 5, 6, UINT32_MAX, 0};
    assert_memory_equal(dve_machine_lane(w.m, 0)->flop, flops, sizeof flops);
    unwatch(&w);
}

/* R33: Max8 reads the lane whole, then writes, even into its own source. */
static void max8_reads_first(void **state)
{
    (void)state;
    static const float data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    watched w;
    watch(&w, NULL);
    put_floats(&w, 0, DATA, data, LENGTH(data));
    max8(&w, LENGTH(data), sbuf(0, DATA + 4), 1);
    static const uint32_t wanted[] = {0x3f800000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000,
                                      0x40e00000, 0x41000000, 0x41100000, 0x41200000, 0x41200000};
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(get_word(&w, 0, 4 * i, 4), wanted[i]);
    unwatch(&w);
}

/* R2: hidden state goes by channel number, or by partition where the setting says so. */
static void state_by_channel_or_partition(void **state)
{
    (void)state;
    for (uint8_t by_partition = 0; by_partition < 2; by_partition++) {
        watched w;
        dve_machine_config config;
        dve_machine_defaults(&config);
        config.settings.value[DVE_ASSUMPTION_hidden_state] = by_partition;
        watch(&w, &config);
        put_floats(&w, 32, KEYS, r3_vals, 8);
        dve_record record = one_lane(0x6d);
        record_place(&record, DVE_ACCESS_READ, sbuf(32, KEYS), 1, 8);
        assert_int_equal(run(&w, &record), DVE_OK);
        uint32_t lane = by_partition ? 32 : 0;
        assert_int_equal(dve_machine_lane(w.m, lane)->key[7], 0x40400000);
        assert_int_equal(dve_machine_lane(w.m, 32 - lane)->key[7], 0x7fc00000);
        assert_int_equal(dve_machine_producer(w.m, DVE_STATE_KEYS)->lanes[lane / 8], 1);
        unwatch(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_find),       cmocka_unit_test(published_replace),
        cmocka_unit_test(two_reversals_compose), cmocka_unit_test(descending_in_memory),
        cmocka_unit_test(max8_special_values),  cmocka_unit_test(match_special_values),
        cmocka_unit_test(keys_stay_closed),     cmocka_unit_test(narrow_indices),
        cmocka_unit_test(replace_passes),       cmocka_unit_test(replace_walks),
        cmocka_unit_test(max8_reads_first),     cmocka_unit_test(state_by_channel_or_partition),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
