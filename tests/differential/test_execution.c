/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs on the machine and on the oracle: long ones of the searches, shorter ones of everything that
 * executes. After every record: the same verdict, the same hidden state in every lane, the same bytes in every
 * partition that an operand touches. After every program: the same bytes everywhere. */
#include "ops/ops.h"
#include "oracle.h"
#include "program.h"
#include "records.h"
#include "shard.h"
#include "test.h"
#include <opendve/host.h>
#include <opendve/num.h>
#include <stdio.h>
#include <string.h>

enum { PROGRAMS = 16, RECORDS = 2000, MIXED_PROGRAMS = 400, MIXED_RECORDS = 100, TURN = 25, SHARED = 0x6000, LIST = 256,
       MOST = 4194304 };       /* elements of an operand: the oracle takes no more */

static test_shard shard;
static uint64_t done, refused, lanes[256];

typedef struct pair {
    dve_machine *machine;
    oracle_machine *oracle;
    program program;
    uint64_t session, index;
    dve_record record;
} pair;

/* Sessions take turns at the levels of vectors, for each has loops of its own; where the host lacks one, its best. */
static uint8_t level_of(uint64_t session)
{
    uint8_t simd = (uint8_t)(session / 2 % DVE_SIMD_LEVELS);
    return dve_simd_supported(simd) ? simd : DVE_SIMD_BEST;
}

static void setup(pair *p, test_random *r, uint64_t session)
{
    dve_machine_config config;
    oracle_settings settings = {(int)random_below(r, 2), (int)random_below(r, 2), 11, (int)random_below(r, 2)};
    static const int widths[] = {11, 10, 13};
    dve_machine_defaults(&config);
    config.simd = level_of(session);
    config.max_elements = MOST;
    uint8_t width = (uint8_t)random_below(r, 3);
    settings.fp32r_bits = widths[width];
    config.gen = (uint8_t)(DVE_GEN_FIRST + random_below(r, DVE_GEN_COUNT));
    config.settings.value[DVE_ASSUMPTION_fp8_overflow] = (uint8_t)settings.fp8_saturate;
    config.settings.value[DVE_ASSUMPTION_e4m3] = (uint8_t)settings.e4m3_fn;
    config.settings.value[DVE_ASSUMPTION_fp32r_bits] = width;
    config.settings.value[DVE_ASSUMPTION_hidden_state] = (uint8_t)settings.hidden_by_partition;
    memset(p, 0, sizeof *p);
    p->session = session;
    p->machine = dve_machine_new(&config);
    p->oracle = oracle_new(config.gen, &settings);
    assert_non_null(p->machine);
    assert_non_null(p->oracle);
    program_begin(&p->program, r, config.gen);
}

static void differs(const pair *p, const char *what, uint32_t where, uint32_t got, uint32_t want)
{
    fail_msg("seed %llu shard %u/%u program %llu record %llu gen%u: %s %u is 0x%x, the oracle has 0x%x\n  %s",
             (unsigned long long)shard.seed, shard.part, shard.parts, (unsigned long long)p->session,
             (unsigned long long)p->index, p->program.gen, what, where, got, want, record_text(&p->record));
}

static void compare_bytes(const pair *p, dve_space space, uint32_t partition)
{
    uint32_t active;
    const uint8_t *got = dve_machine_bytes(p->machine, space, partition, &active);
    const uint8_t *want = oracle_bytes(p->oracle, space == DVE_SPACE_PSUM, partition);
    assert_int_equal(active, oracle_active_bytes(p->program.gen, space == DVE_SPACE_PSUM));
    if (memcmp(got, want, active) == 0)
        return;
    for (uint32_t i = 0; i < active; i++)
        if (got[i] != want[i])
            differs(p, space == DVE_SPACE_PSUM ? "PSUM partition * 0x1000000 + byte" : "SBUF partition * 0x1000000 + byte",
                    partition << 24 | i, got[i], want[i]);
}

/* What the buffer holds once it was given back is nobody's business. */
static void compare_pool(const pair *p)
{
    const dve_pool_range *got = dve_machine_pool_range(p->machine);
    const oracle_pool_range *want = oracle_pool(p->oracle);
    if (got->dtype != want->dtype)
        differs(p, "pool buffer, data type", 0, got->dtype, want->dtype);
    if (!got->dtype)
        return;
    if (got->start_index != want->start_index || got->mask != want->mask)
        differs(p, "pool buffer; mask", got->mask, got->start_index, want->start_index);
    for (uint32_t lane = 0; lane < DVE_LANES; lane++) {
        const uint8_t *mine = dve_machine_pool_bytes(p->machine, lane), *others = oracle_pool_bytes(p->oracle, lane);
        for (uint32_t i = 0; i < DVE_POOL_BYTES && memcmp(mine, others, DVE_POOL_BYTES); i++)
            if (mine[i] != others[i])
                differs(p, "pool buffer, lane * 0x1000 + byte", lane << 12 | i, mine[i], others[i]);
    }
}

static void compare_state(const pair *p)
{
    for (uint32_t lane = 0; lane < DVE_LANES; lane++) {
        const dve_lane_state *got = dve_machine_lane(p->machine, lane);
        const uint32_t *keys = oracle_keys(p->oracle, lane), *flops = oracle_flops(p->oracle, lane);
        for (uint32_t n = 0; n < 8; n++) {
            if (got->key[n] != keys[n])
                differs(p, "lane * 8 + key", lane * 8 + n, got->key[n], keys[n]);
            if (got->flop[n] != flops[n])
                differs(p, "lane * 8 + flop", lane * 8 + n, got->flop[n], flops[n]);
        }
        if (got->matched != *oracle_matched(p->oracle, lane))
            differs(p, "matched flags of lane", lane, got->matched, *oracle_matched(p->oracle, lane));
        if (got->accumulator != *oracle_accumulator(p->oracle, lane))
            differs(p, "accumulator of lane", lane, got->accumulator, *oracle_accumulator(p->oracle, lane));
    }
    for (uint32_t i = 0; i < DVE_SHUFFLE_LANES; i++)
        if (dve_machine_mask(p->machine)[i] != oracle_mask(p->oracle)[i])
            differs(p, "shuffle mask byte", i, dve_machine_mask(p->machine)[i], oracle_mask(p->oracle)[i]);
    compare_pool(p);
}

/* Calls `visit` for every partition of every operand that has a place. */
static void each_partition(pair *p, void (*visit)(pair *, const dve_insn *, const dve_operand_info *, dve_place *))
{
    dve_insn insn;
    size_t rows;
    dve_decode(&p->record, &insn);
    const dve_format_info *format = dve_format(insn.format);
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++) {
        dve_place place;
        if (!program_place(&p->program, &insn, &operand[i], &place))
            continue;
        for (uint32_t n = dve_insn_channels(&insn); n && place.partition < DVE_LANES; n--, place.partition++)
            visit(p, &insn, &operand[i], &place);
    }
}

static void compare_partition(pair *p, const dve_insn *insn, const dve_operand_info *operand, dve_place *place)
{
    (void)insn;
    (void)operand;
    compare_bytes(p, place->space, place->partition);
}

/* Puts elements of the program's values where a source will read them, the same on both sides. */
static void fill(pair *p, const dve_insn *insn, const dve_operand_info *operand, dve_place *place)
{
    dve_pattern pattern;
    dve_insn_pattern(insn, operand, &pattern);
    uint32_t size = dve_num_size(pattern.dtype), active;
    uint8_t *machine = dve_machine_bytes(p->machine, place->space, place->partition, &active);
    uint8_t *oracle = oracle_bytes(p->oracle, place->space == DVE_SPACE_PSUM, place->partition);
    if (operand->access != DVE_ACCESS_READ || !size || !dve_pattern_count(&pattern))
        return;
    int64_t low, high;
    dve_pattern_extent(&pattern, size, &low, &high);
    low += place->offset;
    high += place->offset;
    int often_zero = p->program.mixed && operand->addr_slot < 12;     /* predicates come first */
    for (int64_t at = low; low >= 0 && high < active && at <= high; at += size) {
        uint32_t bits = program_element(&p->program, pattern.dtype);
        if (often_zero && random_chance(p->program.random, 30))
            bits = 0;
        else if (p->record.byte[0] == DVE_OPCODE_GATHER && random_chance(p->program.random, 90))
            bits = random_below(p->program.random, 1100);
        dve_num_store_bits(size, bits, machine + at);
        dve_num_store_bits(size, bits, oracle + at);
    }
}

/* Indices that stay inside the source, wherever the list lies: else IndirectCopy would hardly ever run. */
static void fill_list(pair *p)
{
    dve_insn insn;
    dve_indirect indirect;
    dve_place list;
    size_t rows;
    test_random *r = p->program.random;
    dve_decode(&p->record, &insn);
    if (!dve_insn_indirect(&insn, dve_isa_operands(&rows) + dve_format(insn.format)->first_operand, &indirect))
        return;
    uint32_t run = insn.value[DVE_SLOT_S4D4_IC_src_num_elem_per_idx];
    uint32_t elements = insn.value[DVE_SLOT_S4D4_IC_src_buffer_size], word = indirect.index;
    if (dve_addr_marker(word) == DVE_ADDR_MARKER_INDIRECT_REG)
        word = p->program.registers[word % DVE_ADDR_REGISTERS];
    if (elements < run || !dve_addr_place(word & 0x1fffffffu, p->program.gen, &list) || list.offset + LIST > SHARED)
        return;
    for (uint32_t lane = 0; lane < dve_insn_channels(&insn) && list.partition + lane < DVE_LANES; lane++) {
        uint32_t partition = list.partition + lane, active;
        uint8_t *machine = dve_machine_bytes(p->machine, DVE_SPACE_SBUF, partition, &active) + list.offset;
        for (uint32_t at = 0; at < LIST; at += 2)
            dve_num_store_bits(2, random_below(r, elements - run + 1), machine + at);
        memcpy(oracle_bytes(p->oracle, 0, partition) + list.offset, machine, LIST);
    }
}

static void see(const pair *p, dve_status status)
{
    shard_saw(&shard, &status, sizeof status);
    shard.cases--;
    const dve_lane_state *lane = dve_machine_lane(p->machine, 0);
    shard_saw(&shard, lane, offsetof(dve_lane_state, accumulator));
}

static void count_lanes(const dve_record *record)
{
    dve_insn insn;
    dve_decode(record, &insn);
    uint32_t channels = dve_insn_channels(&insn);
    lanes[dve_insn_opcode(&insn)] += channels ? channels : DVE_LANES;    /* 0x69 sets a mask for all of them */
}

static int executes(uint8_t opcode)
{
    const dve_op *op = dve_op_table;
    while (dve_op_runs(op) && op->opcode != opcode)
        op++;
    return dve_op_runs(op);
}

/* Pointers and index lists find values of all kinds in the first bytes of all partitions. */
static void fill_shared(pair *p)
{
    test_random *r = p->program.random;
    for (uint32_t partition = 0; partition < DVE_LANES; partition++) {
        uint32_t active;
        uint8_t *machine = dve_machine_bytes(p->machine, DVE_SPACE_SBUF, partition, &active);
        for (uint32_t at = 0; at < SHARED; at += 4) {
            uint32_t bits = at < 0x5000 ? program_element(&p->program, DVE_DTYPE_FP32)
                                        : random_below(r, 600) | random_below(r, 500) << 16;
            dve_num_store_bits(4, bits, machine + at);
        }
        memcpy(oracle_bytes(p->oracle, 0, partition), machine, SHARED);
    }
}

static void step(pair *p)
{
    dve_stop stop;
    int reg;
    program_record(&p->program, &p->record, &reg);
    if (reg >= 0) {
        dve_machine_registers(p->machine)[reg] = p->program.registers[reg];
        oracle_set_register(p->oracle, (unsigned)reg, p->program.registers[reg]);
    }
    if (!executes(p->record.byte[0]))            /* a flipped bit has made it something else */
        return;
    if (p->record.byte[0] == DVE_OPCODE_INDIRECT_COPY) {
        if (random_chance(p->program.random, 90))
            fill_list(p);
    } else if (random_chance(p->program.random, 60)) {
        each_partition(p, fill);
    }
    dve_status status = dve_machine_run(p->machine, &p->record, 1, &stop);
    oracle_result result = oracle_step(p->oracle, p->record.byte);
    if ((status == DVE_OK) != (result == ORACLE_DONE) || (status != DVE_OK && status != DVE_E_FINDING && status != DVE_E_BUDGET))
        differs(p, "verdict; reason", stop.reason, (uint32_t)status, (uint32_t)result);
    if (result == ORACLE_ILLEGAL && stop.reason != DVE_REFUSED_ILLEGAL)
        differs(p, "reason", 0, stop.reason, (uint32_t)result);
    ++*(status == DVE_OK ? &done : &refused);
    if (status == DVE_OK)
        count_lanes(&p->record);
    compare_state(p);
    each_partition(p, compare_partition);
    see(p, status);
}

static void session(uint64_t number, int mixed)
{
    test_random r = shard_random(&shard, number);
    pair p;
    setup(&p, &r, number);
    p.program.mixed = (uint8_t)mixed;
    p.program.wide = (uint8_t)(mixed && number % 2);
    if (mixed)
        fill_shared(&p);
    for (p.index = 0; p.index < (mixed ? MIXED_RECORDS : RECORDS); p.index++) {
        if (p.index % TURN == 0)
            program_turn(&p.program);
        step(&p);
    }
    for (uint32_t partition = 0; partition < DVE_LANES; partition++) {
        compare_bytes(&p, DVE_SPACE_SBUF, partition);
        compare_bytes(&p, DVE_SPACE_PSUM, partition);
    }
    dve_machine_free(p.machine);
    oracle_free(p.oracle);
}

static void programs(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < PROGRAMS * shard.rounds; number++)
        session(number, 0);
    /* Programs that were refused throughout would show nothing, nor would ones without a refusal. */
    print_message("execution: %llu executed, %llu refused\n", (unsigned long long)done, (unsigned long long)refused);
    assert_true(done > 3 * refused && refused > done / 50);
}

static void mixed_programs(void **state)
{
    (void)state;
    done = refused = 0;
    for (uint64_t number = 0; number < MIXED_PROGRAMS * shard.rounds; number++)
        session(UINT64_C(1) << 32 | number, 1);
    print_message("mixed: %llu executed, %llu refused\n", (unsigned long long)done, (unsigned long long)refused);
    assert_true(done > 3 * refused && refused > done / 50);
}

/* "execution_lanes 0x46=N ...": lanes of executed records, for soak.sh. */
static void report_lanes(void)
{
    printf("execution_lanes");
    for (const dve_op *op = dve_op_table; dve_op_runs(op); op++)
        printf(" 0x%02x=%llu", op->opcode, (unsigned long long)lanes[op->opcode]);
    putchar('\n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mixed_programs), cmocka_unit_test(programs)};
    shard_begin(&shard);
    int failed = cmocka_run_group_tests_name("execution", tests, NULL, NULL);
    report_lanes();
    shard_report(&shard, "execution");
    return failed;
}
