/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of the machine's block of memory, and access to its parts. */
#include "machine.h"
#include <string.h>

static size_t aligned(size_t n)
{
    return (n + 63) / 64 * 64;
}

/* Partitions lie this much further apart than they are long. Their sizes are multiples of 4096, and caches find a
 * line by the low bits of its address: the same byte of many partitions would compete for a few places. */
enum { SKEW = 5 * 64 };

/* Places every region behind the struct and answers the whole size. */
static size_t lay_out(const dve_generation_info *g, struct dve_machine *m)
{
    size_t at = aligned(sizeof *m);
    m->active[DVE_SPACE_SBUF] = g->sbuf_active;
    m->active[DVE_SPACE_PSUM] = g->psum_active;
    for (unsigned s = 0; s < DVE_SPACES; s++)
        m->stride[s] = m->active[s] + SKEW;
    for (unsigned i = 0; i <= DVE_MAX_SOURCES; i++) {
        m->scratch_at[i] = at;
        at += aligned(m->active[DVE_SPACE_SBUF] / 8);
    }
    m->pool_at = at;
    at += (size_t)DVE_LANES * DVE_POOL_BYTES;
    for (unsigned s = 0; s < DVE_SPACES; s++) {
        m->written_at[s] = at;
        at += aligned((size_t)DVE_LANES * (m->active[s] / 8));
    }
    for (unsigned s = 0; s < DVE_SPACES; s++) {
        m->bytes_at[s] = at;
        at += aligned(DVE_LANES * m->stride[s]);
    }
    m->snapshot_at = m->maxima_at = at;          /* touched by few records only */
    return at + aligned(DVE_SNAPSHOT_LANES * m->stride[DVE_SPACE_SBUF]);
}

/* A config that can be served: the generation it runs as, else NULL. */
static const dve_generation_info *served(const dve_machine_config *config)
{
    if (!config || config->size != sizeof *config || !dve_settings_valid(&config->settings) ||
        !dve_simd_supported(config->simd))
        return NULL;
    const dve_generation_info *g = dve_generation(config->gen);
    return g ? dve_generation(g->runs_as) : NULL;
}

void dve_machine_defaults(dve_machine_config *out)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    out->gen = DVE_GEN_DEFAULT;
}

size_t dve_machine_size(const dve_machine_config *config)
{
    struct dve_machine layout;
    const dve_generation_info *g = served(config);
    return g ? lay_out(g, &layout) : 0;
}

/* The loops of numeric/ for a level of kernels/. */
static uint8_t vectors_of(uint8_t simd)
{
    switch (simd == DVE_SIMD_BEST ? dve_simd_best() : simd) {
    case DVE_SIMD_AVX512: return DVE_VECTORS_AVX512;
    case DVE_SIMD_AVX2: return DVE_VECTORS_AVX2;
    default: return DVE_VECTORS_PLAIN;
    }
}

void dve_settings_num(const dve_settings *settings, dve_num_config *out)
{
    static const uint8_t widths[] = {11, 10, 13};
    memset(out, 0, sizeof *out);
    out->fp8_overflow = settings->value[DVE_ASSUMPTION_fp8_overflow];
    out->e4m3 = settings->value[DVE_ASSUMPTION_e4m3];
    out->fp32r_bits = widths[settings->value[DVE_ASSUMPTION_fp32r_bits] % 3];
}

/* Power-on values that are not zero (R2): keys match nothing, flops are all ones, the mask is the identity. */
static void power_on(struct dve_machine *m)
{
    for (unsigned l = 0; l < DVE_LANES; l++) {
        memset(&m->lane[l], 0, sizeof m->lane[l]);
        for (unsigned n = 0; n < 8; n++) {
            m->lane[l].key[n] = DVE_F32_QUIET_NAN;
            m->lane[l].flop[n] = UINT32_MAX;
        }
    }
    memset(m->producer, 0, sizeof m->producer);
    memset(m->semaphore, 0, sizeof m->semaphore);
    memset(m->reg, 0, sizeof m->reg);
    memset(m->event, 0, sizeof m->event);
    for (unsigned i = 0; i < DVE_SHUFFLE_LANES; i++)
        m->mask[i] = (uint8_t)i;
    memset(&m->pool_range, 0, sizeof m->pool_range);
    m->next_record = m->executed = 0;
    m->assumptions = 0;
}

dve_status dve_machine_init(void *memory, size_t size, const dve_machine_config *config, dve_machine **out)
{
    *out = NULL;
    const dve_generation_info *g = served(config);
    if (!g || !memory || (uintptr_t)memory % 64 || size < dve_machine_size(config))
        return DVE_E_USAGE;
    struct dve_machine *m = memory;
    m->config = *config;
    if (!m->config.ops)
        m->config.ops = dve_op_table;
    for (unsigned i = 0; i < UINT8_MAX && dve_op_runs(&m->config.ops[i]); i++)
        if (!m->op[m->config.ops[i].opcode])
            m->op[m->config.ops[i].opcode] = &m->config.ops[i];
    m->generation = g;
    m->kernels = dve_kernels_of(config->simd);
    dve_settings_num(&config->settings, &m->num);
    m->num.vectors = vectors_of(config->simd);
    lay_out(g, m);
    power_on(m);
    *out = m;
    return DVE_OK;
}

/* Clears what was written in a partition, and leaves pages alone that nothing touched. */
static void forget(dve_machine *m, dve_space space, uint32_t partition)
{
    enum { CHUNK = 512 };                        /* bytes of the map at a time */
    uint32_t active;
    uint8_t *bytes = dve_space_bytes(m, space, partition, &active);
    uint8_t *map = dve_written_map(m, space, partition);
    dve_known_forget(m, space, partition);
    for (uint32_t at = 0; at < active / 8; at += CHUNK) {
        uint32_t size = active / 8 - at < CHUNK ? active / 8 - at : CHUNK;
        uint8_t any = 0;
        for (uint32_t i = 0; i < size; i++)
            any |= map[at + i];
        if (!any)
            continue;
        memset(map + at, 0, size);
        memset(bytes + (size_t)at * 8, 0, (size_t)size * 8);
    }
}

void dve_machine_reset(dve_machine *m)
{
    power_on(m);
    memset(dve_machine_at(m, m->pool_at), 0, (size_t)DVE_LANES * DVE_POOL_BYTES);
    for (unsigned s = 0; s < DVE_SPACES; s++)
        for (uint32_t p = 0; p < DVE_LANES; p++)
            forget(m, (dve_space)s, p);
}

const dve_machine_config *dve_machine_get_config(const dve_machine *m)
{
    return &m->config;
}

void dve_machine_set_observer(dve_machine *m, const dve_observer *observer)
{
    m->config.observer = *observer;
}

uint8_t *dve_machine_at(dve_machine *m, size_t offset)
{
    return (uint8_t *)(void *)m + offset;
}

uint8_t *dve_space_bytes(dve_machine *m, dve_space space, uint32_t partition, uint32_t *active)
{
    int inside = partition < DVE_LANES && (unsigned)space < DVE_SPACES;
    *active = inside ? m->active[space] : 0;
    return inside ? dve_machine_at(m, m->bytes_at[space] + partition * m->stride[space]) : NULL;
}

/* Who asks may write. */
uint8_t *dve_machine_bytes(dve_machine *m, dve_space space, uint32_t partition, uint32_t *active)
{
    dve_memo_drop(m);
    return dve_space_bytes(m, space, partition, active);
}

uint8_t *dve_written_map(dve_machine *m, dve_space space, uint32_t partition)
{
    if (partition >= DVE_LANES || (unsigned)space >= DVE_SPACES)
        return NULL;
    return dve_machine_at(m, m->written_at[space] + (size_t)partition * (m->active[space] / 8));
}

/* Who asks may clear. */
uint8_t *dve_machine_written(dve_machine *m, dve_space space, uint32_t partition)
{
    uint8_t *map = dve_written_map(m, space, partition);
    if (map)
        dve_known_forget(m, space, partition);
    return map;
}

/* Whether a range lies in its partition. */
static int inside(const dve_machine *m, const dve_place *place, uint32_t count)
{
    return place->partition < DVE_LANES && (unsigned)place->space < DVE_SPACES &&
           place->offset <= m->active[place->space] && count <= m->active[place->space] - place->offset;
}

dve_status dve_machine_mark(dve_machine *m, const dve_place *place, uint32_t count)
{
    if (!inside(m, place, count))
        return DVE_E_USAGE;
    if (count)
        dve_mark_written(m, place->space, place->partition, place->offset, place->offset + count - 1);
    return DVE_OK;
}

uint64_t dve_machine_unwritten(dve_machine *m, const dve_place *place, uint32_t count, uint32_t *first)
{
    *first = 0;
    if (!count || !inside(m, place, count))
        return 0;
    return dve_count_unwritten(m, place->space, place->partition, place->offset, place->offset + count - 1, first);
}

static uint8_t low_ones(uint32_t bits)
{
    return (uint8_t)((1u << bits) - 1u);
}

void dve_bits_set(uint8_t *map, uint32_t from, uint32_t to)
{
    uint32_t first = from / 8, last = to / 8;
    uint8_t head = (uint8_t)~low_ones(from % 8), tail = (uint8_t)(low_ones(to % 8) << 1 | 1);
    if (first == last) {
        map[first] |= head & tail;
        return;
    }
    map[first] |= head;
    memset(map + first + 1, 0xff, last - first - 1);
    map[last] |= tail;
}

/* Clear bits of one byte under a mask. */
static uint64_t clear_in(uint8_t byte, uint8_t mask, uint32_t number, uint64_t before, uint32_t *first)
{
    uint8_t open = (uint8_t)(~byte & mask);
    uint64_t count = 0;
    for (uint32_t b = 0; b < 8; b++) {
        if (!(open >> b & 1))
            continue;
        if (before + count++ == 0)
            *first = 8 * number + b;
    }
    return count;
}

enum { STRIDE = 64 };

/* Whether the wanted bits of STRIDE bytes are all set. */
static int none_missing(const uint8_t *map, const uint8_t *wanted)
{
    uint64_t have[STRIDE / 8], want[STRIDE / 8], open = 0;
    memcpy(have, map, sizeof have);
    memcpy(want, wanted, sizeof want);
    for (unsigned i = 0; i < STRIDE / 8; i++)
        open |= want[i] & ~have[i];
    return open == 0;
}

uint64_t dve_bits_missing(const uint8_t *map, const uint8_t *wanted, uint32_t first_byte, uint32_t last_byte,
                          uint32_t *first)
{
    uint64_t count = 0;
    for (uint32_t i = first_byte; i <= last_byte; i++) {
        if (i + STRIDE <= last_byte && none_missing(map + i, wanted + i)) {
            i += STRIDE - 1;
            continue;
        }
        uint8_t open = (uint8_t)(wanted[i] & ~map[i]);
        for (uint32_t b = 0; open; b++, open >>= 1)
            if (open & 1 && count++ == 0)
                *first = 8 * i + b;
    }
    return count;
}

void dve_bits_join(uint8_t *restrict map, const uint8_t *restrict wanted, uint32_t first_byte, uint32_t last_byte)
{
    for (uint32_t i = first_byte; i <= last_byte; i++)
        map[i] |= wanted[i];
}

static int all_ones(const uint8_t *map)
{
    uint64_t words[STRIDE / 8], all = UINT64_MAX;
    memcpy(words, map, sizeof words);
    for (unsigned i = 0; i < STRIDE / 8; i++)
        all &= words[i];
    return all == UINT64_MAX;
}

uint64_t dve_bits_clear(const uint8_t *map, uint32_t from, uint32_t to, uint32_t *first)
{
    uint32_t begin = from / 8, last = to / 8;
    uint64_t count = 0;
    for (uint32_t i = begin; i <= last; i++) {
        if (i != begin && i + STRIDE < last && all_ones(map + i)) {     /* all written: the usual case */
            i += STRIDE - 1;
            continue;
        }
        uint8_t mask = 0xff;
        if (i == begin)
            mask = (uint8_t)(mask & ~low_ones(from % 8));
        if (i == last)
            mask = (uint8_t)(mask & (low_ones(to % 8) << 1 | 1));
        if ((map[i] & mask) != mask)
            count += clear_in(map[i], mask, i, count, first);
    }
    return count;
}

dve_lane_state *dve_machine_lane(dve_machine *m, uint32_t lane)
{
    return lane < DVE_LANES ? &m->lane[lane] : NULL;
}

dve_producer *dve_machine_producer(dve_machine *m, uint8_t part)
{
    for (unsigned i = 0; i < DVE_STATE_PARTS; i++)
        if (part == 1u << i)
            return &m->producer[i];
    return NULL;
}

uint8_t *dve_machine_mask(dve_machine *m)
{
    return m->mask;
}

dve_pool_range *dve_machine_pool_range(dve_machine *m)
{
    return &m->pool_range;
}

uint8_t *dve_machine_pool_bytes(dve_machine *m, uint32_t lane)
{
    return lane < DVE_LANES ? dve_machine_at(m, m->pool_at + (size_t)lane * DVE_POOL_BYTES) : NULL;
}

uint32_t *dve_machine_semaphores(dve_machine *m)
{
    return m->semaphore;
}

uint8_t *dve_machine_events(dve_machine *m)
{
    return m->event;
}

uint32_t *dve_machine_registers(dve_machine *m)
{
    return m->reg;
}

uint64_t dve_machine_next_record(const dve_machine *m)
{
    return m->next_record;
}

void dve_machine_set_next_record(dve_machine *m, uint64_t record)
{
    m->next_record = record;
    m->executed = 0;
}

dve_assumption_set dve_machine_assumptions(const dve_machine *m)
{
    return m->assumptions;
}
