/* SPDX-License-Identifier: Apache-2.0 */
/* Threads change nothing but time: the same memory, state and hazards from 1, 2, 5 and 128 threads. */
#include "machines.h"
#include "random.h"
#include "test.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every index once, in parts that do not overlap, and all of them before the call returns. */
typedef struct tally {
    uint8_t seen[1000];
} tally;

static void count_up(void *argument, uint32_t begin, uint32_t end)
{
    tally *t = argument;
    for (uint32_t i = begin; i < end; i++)
        t->seen[i]++;
}

static void every_index_once(void **state)
{
    (void)state;
    static const unsigned threads[] = {0, 1, 2, 3, 5, 64, 1000};
    for (size_t i = 0; i < LENGTH(threads); i++) {
        dve_pool *pool = dve_pool_new(threads[i]);
        assert_non_null(pool);
        for (uint32_t count = 0; count <= 1000; count += count < 10 ? 1 : 99) {
            tally t;
            memset(&t, 0, sizeof t);
            for (unsigned times = 1; times <= 3; times++) {
                dve_pool_run(pool, count, count_up, &t);
                for (uint32_t k = 0; k < 1000; k++)
                    assert_int_equal(t.seen[k], k < count ? times : 0);
            }
        }
        dve_pool_free(pool);
    }
    dve_pool_free(NULL);
}

enum { COUNT = 64, SECONDS = 60 };

typedef struct late {
    atomic_uint done;
    uint32_t end, missing;
} late;

/* The part of index 0 does not end before all others have. */
static void wait_for_others(void *argument, uint32_t begin, uint32_t end)
{
    late *l = argument;
    if (begin == 0) {
        time_t stop = time(NULL) + SECONDS;
        while (atomic_load(&l->done) < COUNT - end && time(NULL) < stop)
            sched_yield();
        l->end = end;
        l->missing = COUNT - end - atomic_load(&l->done);
    }
    atomic_fetch_add(&l->done, end - begin);
}

/* A thread that takes long keeps only what it has begun: the rest of its part is done by others. */
static void slow_thread(void **state)
{
    (void)state;
    dve_pool *pool = dve_pool_new(2);
    assert_non_null(pool);
    for (int times = 0; times < 20; times++) {
        late l = {0};
        dve_pool_run(pool, COUNT, wait_for_others, &l);
        assert_int_equal(l.missing, 0);
        assert_int_equal(atomic_load(&l.done), COUNT);
        assert_in_range(l.end, 1, COUNT / 4);
    }
    dve_pool_free(pool);
}

enum { ROUNDS = 40 };

/* A program over all lanes: load, search, replace in place, read back. */
static void work(watched *w)
{
    test_random r = {99};
    for (uint32_t p = 0; p < DVE_LANES; p++)
        for (uint32_t i = 0; i < 4096; i += 4)
            put_words(w, p, i, 4, &(uint32_t){0x3f800000 + random_below(&r, 300)}, 1);
    dve_record records[5];
    static const uint8_t opcodes[] = {0x6c, 0x6d, 0x6f, 0xe9, 0x6e};
    for (size_t i = 0; i < LENGTH(records); i++)
        record_base(opcodes[i], &records[i]);
    SET(&records[0], S4D2_BN_src_num0, 1024);
    SET(&records[1], S2_BN_src_start_addr, 0x20000);
    record_place(&records[2], DVE_ACCESS_READ, 0, 1, 1024);
    record_place(&records[2], DVE_ACCESS_WRITE, 0, 1, 1024);
    SET(&records[2], S4D4_MR_immediate, 0xff800000);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        record_place(&records[3], DVE_ACCESS_WRITE, 0x21000 + 16 * round, 1, 8);
        assert_int_equal(run_all(w, records, LENGTH(records)), DVE_OK);
        assert_int_equal(w->steps, LENGTH(records));
    }
}

static void same_results(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 5, 128};
    watched alone;
    watch(&alone, NULL);
    work(&alone);
    assert_int_not_equal(get_word(&alone, 127, 0x21000, 4), 0);
    for (size_t i = 0; i < LENGTH(threads); i++) {
        watched w;
        dve_machine_config config;
        dve_machine_defaults(&config);
        config.parallel_for = dve_pool_run;
        config.parallel_context = dve_pool_new(threads[i]);
        assert_non_null(config.parallel_context);
        watch(&w, &config);
        work(&w);
        for (uint32_t p = 0; p < DVE_LANES; p++) {
            uint32_t active;
            const uint8_t *a = dve_machine_bytes(alone.m, DVE_SPACE_SBUF, p, &active);
            assert_memory_equal(dve_machine_bytes(w.m, DVE_SPACE_SBUF, p, &active), a, active);
            assert_memory_equal(dve_machine_written(w.m, DVE_SPACE_SBUF, p),
                                dve_machine_written(alone.m, DVE_SPACE_SBUF, p), active / 8);
            assert_memory_equal(dve_machine_lane(w.m, p), dve_machine_lane(alone.m, p), sizeof(dve_lane_state));
        }
        assert_string_equal(w.order, alone.order);
        unwatch(&w);
        dve_pool_free(config.parallel_context);
    }
    unwatch(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_index_once), cmocka_unit_test(slow_thread), cmocka_unit_test(same_results)};
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
