/* SPDX-License-Identifier: Apache-2.0 */
/* The hazards of memory against a byte-by-byte account of random programs: which bytes were never written,
 * which bytes source and destination share, which are written twice, and which a record marks. */
#include "machines.h"
#include "program.h"
#include "shard.h"
#include "test.h"
#include <opendve/num.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 4, RECORDS = 1500, MAX_BYTES = 0x40000 };

static test_shard shard;
static uint64_t reported[DVE_HAZARD_KINDS], quiet;

/* Who wrote what: one byte for each byte of memory. */
typedef struct account {
    uint8_t *written[2];         /* SBUF, PSUM: partition after partition */
    uint32_t active[2];
} account;

/* The elements of an operand as byte offsets in its partition, in walk order. */
typedef struct visit {
    dve_place place;
    uint32_t size, count;
    uint32_t offset[20000];
    uint8_t times[MAX_BYTES];    /* how often each byte is visited, up to 2 */
} visit;

static visit source, destination;

static void visit_all(const program *p, const dve_insn *insn, const dve_operand_info *operand, visit *v)
{
    dve_pattern pattern;
    dve_insn_pattern(insn, operand, &pattern);
    assert_true(program_place(p, insn, operand, &v->place));
    v->size = dve_num_size(pattern.dtype);
    v->count = 0;
    memset(v->times, 0, sizeof v->times);
    for (int w = 0; w < pattern.num[3]; w++)
        for (int z = 0; z < pattern.num[2]; z++)
            for (int y = 0; y < pattern.num[1]; y++)
                for (int x = 0; x < pattern.num[0]; x++) {
                    int element = x * pattern.step[0] + y * pattern.step[1] + z * pattern.step[2] + w * pattern.step[3];
                    v->offset[v->count++] = (uint32_t)((int)v->place.offset + element * (int)v->size);
                }
    for (uint32_t i = 0; i < v->count; i++)
        for (uint32_t b = 0; b < v->size; b++) {
            uint8_t *times = &v->times[v->offset[i] + b];
            *times = (uint8_t)(*times < 2 ? *times + 1 : 2);
        }
}

static uint8_t *written(const account *a, const dve_place *place, uint32_t lane)
{
    return a->written[place->space] + (size_t)(place->partition + lane) * a->active[place->space];
}

static const dve_hazard *reported_hazard(const watched *w, dve_hazard_kind kind)
{
    const dve_hazard *found = NULL;
    for (size_t i = 0; i < w->hazards; i++)
        if (w->hazard[i].kind == kind) {
            assert_null(found);                  /* one of a kind in a record */
            found = &w->hazard[i];
        }
    return found;
}

static void expect(const watched *w, dve_hazard_kind kind, const dve_record *record, uint64_t count, uint32_t partition,
                   uint32_t byte)
{
    const dve_hazard *h = reported_hazard(w, kind);
    ++*(h ? &reported[kind] : &quiet);
    if (!h && count == 0)
        return;
    if (!h || !count || h->partition != partition || h->byte != byte ||
        (kind == DVE_HAZARD_NEVER_WRITTEN && h->count != count))
        fail_msg("seed %llu: %s %s, partition %u byte %u count %llu; by hand partition %u byte %u count %llu\n  %s",
                 (unsigned long long)shard.seed, dve_hazard_name(kind), h ? "reported" : "missing",
                 h ? h->partition : 0, h ? h->byte : 0, (unsigned long long)(h ? h->count : 0), partition, byte,
                 (unsigned long long)count, record_text(record));
}

static void judge_source(const watched *w, const account *a, const dve_record *record)
{
    uint64_t count = 0;
    uint32_t partition = 0, byte = 0;
    for (uint32_t lane = 0; lane < record->byte[34]; lane++) {
        const uint8_t *map = written(a, &source.place, lane);
        for (uint32_t i = 0; i < a->active[source.place.space]; i++)
            if (source.times[i] && !map[i] && count++ == 0) {
                partition = source.place.partition + lane;
                byte = i;
            }
    }
    expect(w, DVE_HAZARD_NEVER_WRITTEN, record, count, partition, byte);
}

static int same_walk(void)
{
    return source.size == destination.size && source.count == destination.count &&
           memcmp(source.offset, destination.offset, source.count * sizeof source.offset[0]) == 0;
}

static void judge_overlap(const watched *w, const account *a, const dve_record *record)
{
    uint32_t byte = 0, active = a->active[source.place.space];
    int together = source.place.space == destination.place.space &&
                   source.place.partition == destination.place.partition && !same_walk() && record->byte[0] == 0x6f;
    while (together && byte < active && !(source.times[byte] && destination.times[byte]))
        byte++;
    together = together && byte < active;
    expect(w, DVE_HAZARD_PARTIAL_OVERLAP, record, (uint64_t)together, together ? source.place.partition : 0,
           together ? byte : 0);
}

static void judge_destination(const watched *w, const account *a, const dve_record *record)
{
    uint32_t byte = 0, active = a->active[destination.place.space];
    while (byte < active && destination.times[byte] < 2)
        byte++;
    int twice = byte < active;
    expect(w, DVE_HAZARD_DESTINATION_TWICE, record, (uint64_t)twice, twice ? destination.place.partition : 0,
           twice ? byte : 0);
}

/* Marks by hand, then compares with the machine's map, bit by bit. */
static void judge_marks(watched *w, account *a, const dve_record *record)
{
    for (uint32_t lane = 0; lane < record->byte[34]; lane++) {
        uint8_t *mine = written(a, &destination.place, lane);
        const uint8_t *map = dve_machine_written(w->m, destination.place.space, destination.place.partition + lane);
        for (uint32_t i = 0; i < a->active[destination.place.space]; i++) {
            mine[i] |= destination.times[i] != 0;
            if ((map[i / 8] >> i % 8 & 1) != mine[i])
                fail_msg("seed %llu: byte %u of lane %u is %smarked\n  %s", (unsigned long long)shard.seed, i, lane,
                         mine[i] ? "not " : "", record_text(record));
        }
    }
}

/* Some memory is written beforehand, in runs that begin and end anywhere. */
static void write_some(watched *w, account *a, const dve_record *record, test_random *r)
{
    for (uint32_t lane = 0; lane < record->byte[34]; lane++) {
        dve_place place = source.place;
        uint32_t first = UINT32_MAX, length = random_chance(r, 50) ? MAX_BYTES : 1 + random_below(r, 200);
        for (uint32_t i = 0; i < source.count; i++)
            first = source.offset[i] < first ? source.offset[i] : first;
        place.partition += lane;
        place.offset = first + (random_chance(r, 70) ? 0 : random_below(r, 100));
        uint32_t active = a->active[place.space];
        if (place.offset >= active)
            continue;
        length = length > active - place.offset ? active - place.offset : length;
        assert_int_equal(dve_machine_mark(w->m, &place, length), DVE_OK);
        memset(written(a, &source.place, lane) + place.offset, 1, length);
    }
}

static void step(watched *w, account *a, program *p)
{
    dve_record record;
    dve_insn insn;
    size_t rows;
    int reg, has_source = 0, has_destination = 0;
    program_record(p, &record, &reg);
    dve_decode(&record, &insn);
    if (reg >= 0)
        dve_machine_registers(w->m)[reg] = p->registers[reg];
    if (run(w, &record) != DVE_OK)
        return;
    const dve_format_info *format = dve_format(insn.format);
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++) {
        int reads = operand[i].access == DVE_ACCESS_READ;
        *(reads ? &has_source : &has_destination) = 1;
        visit_all(p, &insn, &operand[i], reads ? &source : &destination);
    }
    if (has_source)
        judge_source(w, a, &record);
    if (has_source && has_destination)
        judge_overlap(w, a, &record);
    if (has_destination) {
        judge_destination(w, a, &record);
        judge_marks(w, a, &record);
    }
    if (has_source && random_chance(p->random, 50))
        write_some(w, a, &record, p->random);
    shard_saw(&shard, &w->hazards, sizeof w->hazards);
}

static void session(uint64_t number)
{
    test_random r = shard_random(&shard, 5000 + number);
    dve_machine_config config;
    watched w;
    account a;
    program p;
    dve_machine_defaults(&config);
    config.gen = (uint8_t)(DVE_GEN_FIRST + number % DVE_GEN_COUNT);
    watch(&w, &config);
    program_begin(&p, &r, config.gen);
    for (int s = 0; s < 2; s++) {
        assert_non_null(dve_machine_bytes(w.m, (dve_space)s, 0, &a.active[s]));
        a.written[s] = calloc(DVE_LANES, a.active[s]);
        assert_non_null(a.written[s]);
    }
    for (unsigned i = 0; i < RECORDS; i++) {
        if (i % 25 == 0)
            program_turn(&p);
        if (i % 300 == 299) {                    /* a reset forgets what was written, and the registers */
            dve_machine_reset(w.m);
            memset(p.registers, 0, sizeof p.registers);
            for (int s = 0; s < 2; s++)
                memset(a.written[s], 0, (size_t)DVE_LANES * a.active[s]);
        }
        step(&w, &a, &p);
    }
    free(a.written[0]);
    free(a.written[1]);
    unwatch(&w);
}

static void programs(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < PROGRAMS * shard.rounds; number++)
        session(number);
    assert_true(quiet > 1000);
    assert_true(reported[DVE_HAZARD_NEVER_WRITTEN] > 1000);
    assert_true(reported[DVE_HAZARD_PARTIAL_OVERLAP] > 100);
    assert_true(reported[DVE_HAZARD_DESTINATION_TWICE] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs)};
    shard_begin(&shard);
    int failed = cmocka_run_group_tests_name("memory_hazards", tests, NULL, NULL);
    shard_report(&shard, "memory_hazards");
    return failed;
}
