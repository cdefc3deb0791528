/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of state files. A first pass judges everything, a second one fills the machine: a damaged file changes
 * nothing. */
#include "state_internal.h"
#include "whole.h"

#include <opendve/num.h>

#include <stdlib.h>
#include <string.h>

/* More than the largest state: single bytes that alternate written and never written. */
static const size_t max_bytes = (size_t)1 << 30;

typedef struct reader {
    const uint8_t *bytes;
    size_t size, at;
    const char *name;
    dve_machine *machine;
    int fill;           /* second pass */
    dve_status status;
    dve_error *err;
} reader;

static void damaged(reader *r, const char *what)
{
    if (r->status != DVE_OK)
        return;
    dve_error_set(r->err, "%.200s: damaged state file at byte offset %zu: %s", r->name, r->at, what);
    r->status = DVE_E_INPUT;
}

/* The next n bytes; NULL once anything is wrong. */
static const uint8_t *take(reader *r, size_t n)
{
    if (r->status == DVE_OK && r->size - r->at < n)
        damaged(r, "it ends too early");
    if (r->status != DVE_OK)
        return NULL;
    r->at += n;
    return r->bytes + r->at - n;
}

static uint64_t take_uint(reader *r, unsigned bytes)
{
    const uint8_t *at = take(r, bytes);
    uint64_t value = 0;
    for (unsigned b = 0; at && b < bytes; b++)
        value |= (uint64_t)at[b] << 8 * b;
    return value;
}

static void take_words(reader *r, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t value = (uint32_t)take_uint(r, 4);
        if (r->fill)
            words[i] = value;
    }
}

static const char *take_text(reader *r, size_t *length)
{
    *length = (size_t)take_uint(r, 2);
    return (const char *)take(r, *length);
}

/* Row of the assumption with a name that is not terminated; the count if there is none. */
static size_t assumption_named(const char *name, size_t length)
{
    size_t count, i = 0;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    while (i < count && !(strlen(rows[i].id) == length && memcmp(rows[i].id, name, length) == 0))
        i++;
    return i;
}

static void other_setting(reader *r, const char *id, size_t id_length, const char *word, size_t length,
                          const char *own, size_t own_length)
{
    if (r->status != DVE_OK)
        return;
    dve_error_set(r->err, "%.200s: the state was made with %.*s=%.*s, this run has %.*s; --assume %.*s=%.*s fits",
                  r->name, (int)id_length, id, (int)length, word, (int)own_length, own, (int)id_length, id, (int)length, word);
    r->status = DVE_E_USAGE;
}

static void take_settings(reader *r)
{
    size_t rows;
    const dve_assumption_info *row = dve_isa_assumptions(&rows);
    const dve_settings *settings = &dve_machine_get_config(r->machine)->settings;
    uint64_t count = take_uint(r, 2);
    for (uint64_t i = 0; i < count && r->status == DVE_OK; i++) {
        size_t id_length, length, own_length;
        const char *id = take_text(r, &id_length), *word = take_text(r, &length), *own = "no such setting";
        if (!id || !word)
            break;
        size_t a = assumption_named(id, id_length);
        own_length = a < rows ? dve_state_reading(row[a].values, settings->value[a], &own) : strlen(own);
        if (own_length != length || memcmp(own, word, length) != 0)
            other_setting(r, id, id_length, word, length, own, own_length);
    }
}

static dve_assumption_set take_assumptions(reader *r)
{
    size_t rows, length;
    dve_assumption_set used = 0;
    dve_isa_assumptions(&rows);
    uint64_t count = take_uint(r, 2);
    for (uint64_t i = 0; i < count && r->status == DVE_OK; i++) {
        const char *id = take_text(r, &length);
        size_t a = id ? assumption_named(id, length) : rows;
        if (a < rows)                            /* one that this version dropped is settled by now */
            used |= (dve_assumption_set)1 << a;
    }
    return used;
}

static void take_mask(reader *r)
{
    const uint8_t *mask = take(r, DVE_SHUFFLE_LANES);
    for (unsigned i = 0; mask && i < DVE_SHUFFLE_LANES; i++)
        if (mask[i] >= 2 * DVE_SHUFFLE_LANES && mask[i] != 0xff)
            damaged(r, "a shuffle mask that no record sets");
    if (r->fill && mask)
        memcpy(dve_machine_mask(r->machine), mask, DVE_SHUFFLE_LANES);
}

static void take_pool_buffer(reader *r)
{
    dve_pool_range *range = dve_machine_pool_range(r->machine);
    uint32_t start_index = (uint32_t)take_uint(r, 4), mask = (uint32_t)take_uint(r, 4);
    uint64_t dtype = take_uint(r, 4);
    dve_pool_range loaded = {.start_index = start_index, .mask = mask, .dtype = (uint8_t)dtype};
    for (uint32_t l = 0; l < DVE_LANES; l++) {
        loaded.loaded[l] = (uint16_t)take_uint(r, 2);
        if (loaded.loaded[l] > (dtype ? DVE_POOL_BYTES : 0))
            damaged(r, "a lane of the pool buffer with more than it holds");
    }
    uint64_t lanes = take_uint(r, 4);
    if (dtype > UINT8_MAX || (dtype ? !dve_num_size((uint8_t)dtype) : start_index || mask))
        damaged(r, "a pool buffer of no data type");
    if (lanes != 0 && lanes != DVE_LANES)
        damaged(r, "a pool buffer of some lanes only");
    for (uint32_t l = 0; l < lanes && r->status == DVE_OK; l++) {
        const uint8_t *bytes = take(r, DVE_POOL_BYTES);
        if (r->fill && bytes)
            memcpy(dve_machine_pool_bytes(r->machine, l), bytes, DVE_POOL_BYTES);
    }
    if (r->fill)
        *range = loaded;
}

static void take_hidden_state(reader *r)
{
    for (uint32_t l = 0; l < DVE_LANES; l++) {
        dve_lane_state *lane = dve_machine_lane(r->machine, l);
        take_words(r, lane->key, 8);
        take_words(r, lane->flop, 8);
        take_words(r, &lane->accumulator, 1);
        uint64_t matched = take_uint(r, 4);
        if (matched > 0xff)
            damaged(r, "matched flags of a lane beyond 8");
        if (r->fill)
            lane->matched = (uint8_t)matched;
    }
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++) {
        dve_producer *producer = dve_machine_producer(r->machine, (uint8_t)(1u << part));
        const uint8_t *lanes = take(r, sizeof producer->lanes);
        uint64_t channels = take_uint(r, 2), quadrant = take_uint(r, 2);
        if (channels > DVE_LANES || quadrant >= DVE_LANES / 32)
            damaged(r, "a producer of hidden state with impossible channels or quadrant");
        if (!r->fill || !lanes)
            continue;
        memcpy(producer->lanes, lanes, sizeof producer->lanes);
        producer->channels = (uint16_t)channels;
        producer->quadrant = (uint8_t)quadrant;
    }
    take_mask(r);
    take_pool_buffer(r);
}

/* One run of memory; 0 behind the last. `floor` is the place that it may begin at, the runs ascend. */
static int take_run(reader *r, uint64_t *floor)
{
    uint64_t space = take_uint(r, 1), partition = take_uint(r, 1), zero = take_uint(r, 2);
    uint64_t offset = take_uint(r, 4), count = take_uint(r, 4);
    if (r->status != DVE_OK || (!space && !partition && !zero && !offset && !count))
        return 0;
    uint32_t active = 0;
    uint8_t *bytes = dve_machine_bytes(r->machine, (dve_space)space, (uint32_t)partition, &active);
    uint64_t at = (space << 8 | partition) << 32 | offset;
    if (!bytes || zero || !count || offset > active || count > active - offset || at < *floor) {
        damaged(r, "a run of memory that lies nowhere");
        return 0;
    }
    *floor = at + count + 1;                     /* runs that touch would be one */
    const uint8_t *from = take(r, (size_t)count);
    if (r->fill && from) {
        dve_place place = {.space = (dve_space)space, .partition = (uint32_t)partition, .offset = (uint32_t)offset};
        memcpy(bytes + offset, from, (size_t)count);
        dve_machine_mark(r->machine, &place, (uint32_t)count);
    }
    return 1;
}

/* Everything between header and checksum. */
static void take_body(reader *r, dve_assumption_set *used)
{
    uint64_t next_record = take_uint(r, 8), floor = 0;
    take_settings(r);
    *used = take_assumptions(r);
    take_hidden_state(r);
    take_words(r, dve_machine_semaphores(r->machine), DVE_SEMAPHORES);
    const uint8_t *events = take(r, DVE_SEMAPHORES / 8);
    if (r->fill && events)
        memcpy(dve_machine_events(r->machine), events, DVE_SEMAPHORES / 8);
    take_words(r, dve_machine_registers(r->machine), DVE_ADDR_REGISTERS);
    while (take_run(r, &floor))
        continue;
    if (r->status == DVE_OK && r->at != r->size)
        damaged(r, "more follows than belongs to it");
    if (r->fill)
        dve_machine_set_next_record(r->machine, next_record);
}

static void take_header(reader *r)
{
    const uint8_t *magic = r->size < DVE_STATE_MAGIC_BYTES ? NULL : take(r, DVE_STATE_MAGIC_BYTES);
    if (!magic || memcmp(magic, DVE_STATE_MAGIC, DVE_STATE_MAGIC_BYTES) != 0) {
        dve_error_set(r->err, "%.200s: it is no state file: it does not begin with %s", r->name, DVE_STATE_MAGIC);
        r->status = DVE_E_INPUT;
        return;
    }
    uint64_t version = take_uint(r, 4);
    if (r->status == DVE_OK && version != DVE_STATE_VERSION) {
        dve_error_set(r->err, "%.200s: state file of version %u, this program reads version %d", r->name,
                      (unsigned)version, DVE_STATE_VERSION);
        r->status = DVE_E_INPUT;
    }
}

static void check_sum(reader *r)
{
    if (r->size < r->at + 4) {
        damaged(r, "it ends too early");
        return;
    }
    r->size -= 4;
    uint32_t wanted = 0;
    for (unsigned b = 0; b < 4; b++)
        wanted |= (uint32_t)r->bytes[r->size + b] << 8 * b;
    if (dve_state_crc(0, r->bytes, r->size) != wanted)
        damaged(r, "the checksum differs");
}

static void check_gen(reader *r)
{
    uint64_t gen = take_uint(r, 4);
    uint8_t own = dve_machine_get_config(r->machine)->gen;
    const dve_generation_info *generation = gen <= UINT8_MAX ? dve_generation((uint8_t)gen) : NULL;
    if (r->status != DVE_OK || gen == own)
        return;
    if (!generation) {
        damaged(r, "an unknown generation");
        return;
    }
    dve_error_set(r->err, "%.200s: the state is of %s, this run is on %s; --gen %s fits", r->name, generation->name,
                  dve_generation(own)->name, generation->name);
    r->status = DVE_E_USAGE;
}

dve_status dve_state_parse(const uint8_t *bytes, size_t size, const char *name, dve_machine *machine,
                           dve_assumption_set *used, dve_error *err)
{
    reader r = {.bytes = bytes, .size = size, .name = name, .machine = machine, .err = err, .status = DVE_OK};
    *used = 0;
    take_header(&r);
    if (r.status == DVE_OK)
        check_sum(&r);
    if (r.status == DVE_OK)
        check_gen(&r);
    size_t body = r.at;
    if (r.status == DVE_OK)
        take_body(&r, used);
    if (r.status != DVE_OK)
        return r.status;
    r.at = body;
    r.fill = 1;
    take_body(&r, used);
    return r.status;
}

dve_status dve_state_read(const char *path, dve_machine *machine, dve_assumption_set *used, dve_error *err)
{
    dve_whole file;
    *used = 0;
    dve_status status = dve_whole_read(path, max_bytes, &file, err);
    if (status == DVE_OK)
        status = dve_state_parse(file.bytes, file.size, strcmp(path, "-") == 0 ? "stdin" : path, machine, used, err);
    free(file.bytes);
    return status;
}
