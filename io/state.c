/* SPDX-License-Identifier: Apache-2.0 */
/* Writing of state files, and what reading shares. */
#include "state_internal.h"

#include <string.h>

/* Four bits at a time: small, and fast enough beside the disk. */
uint32_t dve_state_crc(uint32_t crc, const uint8_t *bytes, size_t size)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc = table[(crc ^ bytes[i]) & 15] ^ crc >> 4;
        crc = table[(crc ^ bytes[i] >> 4) & 15] ^ crc >> 4;
    }
    return ~crc;
}

/* The word of a blank-separated list that has this number. */
size_t dve_state_reading(const char *values, unsigned number, const char **word)
{
    for (; number && *values; number--) {
        values += strcspn(values, " ");
        values += strspn(values, " ");
    }
    *word = values;
    return strcspn(values, " ");
}

typedef struct writer {
    dve_state_sink *sink;
    void *context;
    uint32_t crc;
    dve_status status;
} writer;

static void put(writer *w, const void *bytes, size_t size)
{
    if (w->status != DVE_OK)
        return;
    w->crc = dve_state_crc(w->crc, bytes, size);
    w->status = w->sink(w->context, bytes, size);
}

/* `bytes` low bytes of a value, little-endian. */
static void put_uint(writer *w, uint64_t value, unsigned bytes)
{
    uint8_t text[8];
    for (unsigned b = 0; b < bytes; b++)
        text[b] = (uint8_t)(value >> 8 * b);
    put(w, text, bytes);
}

static void put_words(writer *w, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_uint(w, words[i], 4);
}

static void put_text(writer *w, const char *text, size_t length)
{
    put_uint(w, length, 2);
    put(w, text, length);
}

/* Settings by name, so that a table that gained rows still reads older files. */
static void put_settings(writer *w, const dve_settings *settings)
{
    size_t count, chosen = 0;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    for (size_t i = 0; i < count; i++)
        chosen += *rows[i].values != '\0';
    put_uint(w, chosen, 2);
    for (size_t i = 0; i < count; i++) {
        const char *word;
        if (!*rows[i].values)
            continue;
        size_t length = dve_state_reading(rows[i].values, settings->value[i], &word);
        put_text(w, rows[i].id, strlen(rows[i].id));
        put_text(w, word, length);
    }
}

static void put_assumptions(writer *w, dve_assumption_set used)
{
    size_t count, named = 0;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    for (size_t i = 0; i < count; i++)
        named += used >> i & 1;
    put_uint(w, named, 2);
    for (size_t i = 0; i < count; i++)
        if (used >> i & 1)
            put_text(w, rows[i].id, strlen(rows[i].id));
}

static int pool_is_clear(dve_machine *machine)
{
    static const uint8_t clear[DVE_POOL_BYTES];
    for (uint32_t l = 0; l < DVE_LANES; l++)
        if (memcmp(dve_machine_pool_bytes(machine, l), clear, DVE_POOL_BYTES) != 0)
            return 0;
    return 1;
}

static void put_pool_buffer(writer *w, dve_machine *machine)
{
    const dve_pool_range *range = dve_machine_pool_range(machine);
    uint32_t lanes = pool_is_clear(machine) ? 0 : DVE_LANES;
    put_uint(w, range->start_index, 4);
    put_uint(w, range->mask, 4);
    put_uint(w, range->dtype, 4);
    for (uint32_t l = 0; l < DVE_LANES; l++)
        put_uint(w, range->loaded[l], 2);
    put_uint(w, lanes, 4);
    for (uint32_t l = 0; l < lanes; l++)
        put(w, dve_machine_pool_bytes(machine, l), DVE_POOL_BYTES);
}

static void put_hidden_state(writer *w, dve_machine *machine)
{
    for (uint32_t l = 0; l < DVE_LANES; l++) {
        const dve_lane_state *lane = dve_machine_lane(machine, l);
        put_words(w, lane->key, 8);
        put_words(w, lane->flop, 8);
        put_uint(w, lane->accumulator, 4);
        put_uint(w, lane->matched, 4);
    }
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++) {
        const dve_producer *producer = dve_machine_producer(machine, (uint8_t)(1u << part));
        put(w, producer->lanes, sizeof producer->lanes);
        put_uint(w, producer->channels, 2);
        put_uint(w, producer->quadrant, 2);
    }
    put(w, dve_machine_mask(machine), DVE_SHUFFLE_LANES);
    put_pool_buffer(w, machine);
}

static uint32_t next_bit(const uint8_t *map, uint32_t from, uint32_t end, int wanted)
{
    uint8_t none = wanted ? 0x00 : 0xff;
    while (from < end) {
        if (from % 8 == 0 && map[from / 8] == none) {
            from += 8;
            continue;
        }
        if ((map[from / 8] >> from % 8 & 1) == wanted)
            return from;
        from++;
    }
    return end;
}

/* Written bytes as runs: only they differ from a fresh machine. */
static void put_partition(writer *w, dve_machine *machine, dve_space space, uint32_t partition)
{
    uint32_t active;
    const uint8_t *bytes = dve_machine_bytes(machine, space, partition, &active);
    const uint8_t *map = dve_machine_written(machine, space, partition);
    for (uint32_t from = next_bit(map, 0, active, 1); from < active;) {
        uint32_t to = next_bit(map, from, active, 0);
        put_uint(w, (uint64_t)space, 1);
        put_uint(w, partition, 1);
        put_uint(w, 0, 2);
        put_uint(w, from, 4);
        put_uint(w, to - from, 4);
        put(w, bytes + from, to - from);
        from = next_bit(map, to, active, 1);
    }
}

dve_status dve_state_save(dve_machine *machine, dve_assumption_set used, dve_state_sink *sink, void *context)
{
    static const uint8_t no_run[DVE_STATE_RUN_BYTES] = {0};
    const dve_machine_config *config = dve_machine_get_config(machine);
    writer w = {.sink = sink, .context = context, .status = DVE_OK};
    put(&w, DVE_STATE_MAGIC, DVE_STATE_MAGIC_BYTES);
    put_uint(&w, DVE_STATE_VERSION, 4);
    put_uint(&w, config->gen, 4);
    put_uint(&w, dve_machine_next_record(machine), 8);
    put_settings(&w, &config->settings);
    put_assumptions(&w, used);
    put_hidden_state(&w, machine);
    put_words(&w, dve_machine_semaphores(machine), DVE_SEMAPHORES);
    put(&w, dve_machine_events(machine), DVE_SEMAPHORES / 8);
    put_words(&w, dve_machine_registers(machine), DVE_ADDR_REGISTERS);
    for (uint32_t p = 0; p < DVE_LANES; p++)
        put_partition(&w, machine, DVE_SPACE_SBUF, p);
    for (uint32_t p = 0; p < DVE_LANES; p++)
        put_partition(&w, machine, DVE_SPACE_PSUM, p);
    put(&w, no_run, sizeof no_run);
    put_uint(&w, w.crc, 4);
    return w.status;
}

typedef struct output {
    dve_outset *set;
    unsigned index;
    dve_error *err;
} output;

static dve_status to_output(void *context, const void *bytes, size_t size)
{
    output *o = context;
    return dve_outset_write(o->set, o->index, bytes, size, o->err);
}

dve_status dve_state_write(dve_machine *machine, dve_assumption_set used, dve_outset *set, unsigned index,
                           dve_error *err)
{
    output o = {.set = set, .index = index, .err = err};
    return dve_state_save(machine, used, to_output, &o);
}
