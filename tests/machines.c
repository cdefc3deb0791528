/* SPDX-License-Identifier: Apache-2.0 */
#include "machines.h"
#include "test.h"
#include <opendve/num.h>
#include <string.h>

static void note(watched *w, char what)
{
    size_t length = strlen(w->order);
    if (length + 1 < sizeof w->order)
        w->order[length] = what;
}

static void saw_step(void *context, const dve_step *step)
{
    watched *w = context;
    note(w, 's');
    if (w->steps < LENGTH(w->step))
        w->step[w->steps] = *step;
    w->steps++;
}

static void saw_hazard(void *context, const dve_hazard *hazard)
{
    watched *w = context;
    note(w, 'h');
    if (w->hazards < LENGTH(w->hazard))
        w->hazard[w->hazards] = *hazard;
    w->hazards++;
}

void watch(watched *w, const dve_machine_config *config)
{
    dve_machine_config c;
    memset(w, 0, sizeof *w);
    dve_machine_defaults(&c);
    if (config)
        c = *config;
    c.observer = (dve_observer){w, saw_step, saw_hazard};
    w->m = dve_machine_new(&c);
    assert_non_null(w->m);
}

void unwatch(watched *w)
{
    dve_machine_free(w->m);
    w->m = NULL;
}

dve_status run_all(watched *w, const dve_record *records, size_t count)
{
    w->hazards = w->steps = 0;
    memset(w->order, 0, sizeof w->order);
    return dve_machine_run(w->m, records, count, &w->stop);
}

dve_status run(watched *w, const dve_record *record)
{
    return run_all(w, record, 1);
}

void put_words(watched *w, uint32_t partition, uint32_t offset, unsigned bytes, const uint32_t *words, size_t count)
{
    uint32_t active;
    uint8_t *at = dve_machine_bytes(w->m, DVE_SPACE_SBUF, partition, &active);
    dve_place place = {DVE_SPACE_SBUF, partition, offset};
    assert_int_equal(dve_machine_mark(w->m, &place, (uint32_t)count * bytes), DVE_OK);
    for (size_t i = 0; i < count; i++)
        dve_num_store_bits(bytes, words[i], at + offset + i * bytes);
}

void put_floats(watched *w, uint32_t partition, uint32_t offset, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_words(w, partition, offset + 4 * (uint32_t)i, 4, &bits, 1);
    }
}

uint32_t get_word(watched *w, uint32_t partition, uint32_t offset, unsigned bytes)
{
    uint32_t active;
    const uint8_t *at = dve_machine_bytes(w->m, DVE_SPACE_SBUF, partition, &active);
    assert_true(at && offset + bytes <= active);
    return dve_num_load_bits(bytes, at + offset);
}

uint32_t sbuf(uint32_t partition, uint32_t offset)
{
    return partition * 0x40000 + offset;
}
