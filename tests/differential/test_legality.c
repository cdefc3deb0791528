/* SPDX-License-Identifier: Apache-2.0 */
/* The rule table against the oracle's hand-written verdict, on random and structured records. */
#include "oracle.h"
#include "records.h"
#include "shard.h"
#include "test.h"
#include <stdio.h>
#include <string.h>

enum { RECORDS = 1 << 20 };

static test_shard shard;

/* The oracle reads the sources more loosely than the rule table in two places, both noted in its text:
 * it leaves byte 36 of RegStore and byte 48 of the two ImmLd opcodes free. The table asks that a field of
 * an enum holds a member (opcodes 3.0: D4_MR's validator demands 0; IMM_SRC has three members). */
static uint64_t ruled;

static int is_ruled_difference(const dve_record *record, const dve_diag *diags, size_t broken)
{
    uint8_t opcode = record->byte[0];
    uint16_t rule = opcode == 0x4b ? DVE_RULE_d4_mr_serialization : DVE_RULE_s2_bn_imm0_src;
    return broken == 1 && diags[0].rule == rule && (opcode == 0x4b || opcode == 0x70 || opcode == 0x71);
}

static void judge(const dve_record *record, uint8_t gen)
{
    dve_insn insn;
    if (!memchr(record_opcodes, record->byte[0], record_opcode_count - 1))
        return;                                  /* only formats that both describe */
    dve_diag diags[DVE_MAX_DIAGS];
    dve_decode(record, &insn);
    size_t broken = dve_check(&insn, gen, diags, DVE_MAX_DIAGS), rows;
    int legal = oracle_is_legal(gen, record->byte);
    assert_true(broken <= DVE_MAX_DIAGS);
    if (legal < 0)
        return;                                  /* an opcode that the oracle does not judge */
    if (legal != (broken == 0)) {
        if (is_ruled_difference(record, diags, broken)) {
            ruled++;
            return;
        }
        fail_msg("seed %llu, gen%u: the oracle says %s, the table %s\n  %s", (unsigned long long)shard.seed, gen,
                 legal ? "legal" : "illegal", broken ? dve_isa_rules(&rows)[diags[0].rule].id : "legal",
                 record_text(record));
    }
    uint8_t verdict = (uint8_t)legal;
    shard_saw(&shard, &verdict, 1);
}

static const uint32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 31, 32, 33, 64, 96, 127, 128, 129, 255, 256,
                                   257, 512, 513, 544, 0x3ff8, 0x3fff, 0x4000, 0x4001, 0x7fff, 0x8000, 0xfff8, 0xffff};

static uint32_t count(test_random *r)
{
    static const uint32_t common[] = {1, 1, 1, 2, 3, 4, 8, 16};
    return random_chance(r, 80) ? RANDOM_OF(r, common) : RANDOM_OF(r, numbers);
}

static uint32_t address(test_random *r)
{
    static const uint32_t starts[] = {0, 0, 0, 32, 64, 96, 1, 16, 31, 127};
    static const uint32_t edges[] = {0x30000, 0x38000, 0x40000, 0x3fff, 0x4000, 0x8000};
    static const uint32_t markers[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t partition = RANDOM_OF(r, starts);
    uint32_t word = random_chance(r, 25) ? DVE_PSUM_BASE + partition * 0x8000 : partition * 0x40000;
    if (random_chance(r, 20))
        return RANDOM_OF(r, markers) << 29 | random_below(r, random_chance(r, 80) ? 64 : 0x10000);
    if (random_chance(r, 30))
        word += RANDOM_OF(r, edges);
    word += random_below(r, 16) * 8;
    if (random_chance(r, 20))
        word += random_below(r, 32) - 16;
    if (random_chance(r, 2))
        word = RANDOM_OF(r, markers) << 29 | random_bits(r) >> random_below(r, 32);
    return word;
}

/* Addresses, steps and counts of every operand; the product of the counts is often one that rules name. */
static void randomise_operands(test_random *r, dve_record *record)
{
    size_t rows;
    const dve_field_info *field = dve_isa_fields(&rows);
    uint8_t format = dve_opcode(record->byte[0])->format;
    for (size_t i = 0; i < rows; i++) {
        if (field[i].format != format || field[i].byte < 12)
            continue;
        if (field[i].kind == DVE_KIND_ADDR && random_chance(r, 60))
            record_set(record, (uint16_t)i, address(r));
        else if (strstr(field[i].name, "_step") && random_chance(r, 40))
            record_set(record, (uint16_t)i, random_chance(r, 90) ? random_below(r, 9) - 4 : random_bits(r));
        else if (strstr(field[i].name, "_num") && random_chance(r, 10))
            record_set(record, (uint16_t)i, count(r));
    }
}

/* Sources of immediates, operators, and one data type for all operands: what rules between fields speak of. */
static void randomise_relations(test_random *r, dve_record *record)
{
    size_t rows;
    const dve_format_info *format = dve_format(dve_record_format(record));
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    uint32_t dtype = 2 + random_below(r, 14);
    int same = random_chance(r, 40);
    for (unsigned i = 0; i < format->fields; i++) {
        uint16_t row = (uint16_t)(format->first_field + i);
        if (field[i].kind == DVE_KIND_DTYPE && same)
            record_set(record, row, dtype);
        else if (strcmp(field[i].type, "IMM_SRC") == 0 && random_chance(r, 40))
            record_set(record, row, random_below(r, 3));
        else if (field[i].kind == DVE_KIND_WORD && random_chance(r, 40))
            record_set(record, row, address(r));
        else if (field[i].kind == DVE_KIND_F32 && random_chance(r, 10))
            record_set(record, row, 0x4b800000 - random_below(r, 40));    /* just below 2^24 */
        else if (strcmp(field[i].type, "ALU_OP") == 0 && random_chance(r, 20))
            record_set(record, row, random_below(r, 0x28));
        else if (strcmp(field[i].type, "ACCUM_CMD") == 0 && random_chance(r, 30))
            record_set(record, row, random_below(r, 6));
    }
}

/* An index list in an operand that may have one. */
static void randomise_indirect(test_random *r, dve_record *record)
{
    size_t rows;
    const dve_format_info *format = dve_format(dve_record_format(record));
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++) {
        uint32_t words[] = {address(r), address(r), count(r)};
        if (operand[i].form == DVE_OPERAND_PLAIN || !random_chance(r, operand[i].form == DVE_OPERAND_INDIRECT ? 70 : 15))
            continue;
        if (random_chance(r, 90))
            words[0] = 1u << 29 | random_below(r, 2) << 31 | (words[0] & DVE_ADDR_MASK);
        for (unsigned b = 0; b < 10; b++)
            record->byte[operand[i].byte + b] = (uint8_t)(words[b / 4] >> 8 * (b % 4));
    }
}

static void randomise_scalars(test_random *r, dve_record *record)
{
    static const uint32_t words[] = {0, 1, 2, 4, 8, 63, 64, 0xff, 0x100, 0xffff, 0x10000, 0x800000, 0x1000000,
                                     0x7f7fffff, 0x7f800000, 0x7fc00000, 0x80000000, 0xff800000, 0xffffffff};
    size_t rows;
    const dve_field_info *field = dve_isa_fields(&rows);
    uint8_t format = dve_opcode(record->byte[0])->format;
    for (size_t i = 0; i < rows; i++) {
        if (field[i].format != format || field[i].byte < 1)
            continue;
        if (field[i].kind == DVE_KIND_DTYPE && random_chance(r, 30))
            record_set(record, (uint16_t)i, random_chance(r, 95) ? random_below(r, 17) : random_bits(r));
        else if (field[i].kind == DVE_KIND_CHANNELS && random_chance(r, 60))
            record_set(record, (uint16_t)i, random_chance(r, 95) ? 1 + random_below(r, 128) : random_bits(r));
        else if (field[i].kind == DVE_KIND_ENUM && random_chance(r, 5))
            record_set(record, (uint16_t)i, random_bits(r) & 0x9f);
        else if ((field[i].kind == DVE_KIND_WORD || field[i].kind == DVE_KIND_F32) && random_chance(r, 15))
            record_set(record, (uint16_t)i, RANDOM_OF(r, words));
    }
}

static void mutate(test_random *r, dve_record *record)
{
    uint32_t byte = 1 + random_below(r, 63);
    if (random_chance(r, 50))
        record->byte[byte] ^= (uint8_t)(1u << random_below(r, 8));
    else
        record->byte[byte] = (uint8_t)random_bits(r);
}

static void random_record(test_random *r, dve_record *record)
{
    uint8_t opcode;
    do {
        opcode = record_opcodes[random_below(r, (uint32_t)record_opcode_count - 1)];
        record_base(opcode, record);
    } while (oracle_is_legal(DVE_GEN_LAST, record->byte) < 0);
    if (random_chance(r, 2)) {
        for (unsigned b = 1; b < DVE_RECORD_BYTES; b++)
            record->byte[b] = (uint8_t)random_bits(r);
        return;
    }
    if (random_chance(r, 70))
        randomise_operands(r, record);
    if (random_chance(r, 60))
        randomise_scalars(r, record);
    if (random_chance(r, 50))
        randomise_relations(r, record);
    if (random_chance(r, 50))
        randomise_indirect(r, record);
    if (opcode == 0x49 && random_chance(r, 50))
        SET(record, D4_MR_dst_element_count, (uint32_t)record_get(record, DVE_FIELD_D4_MR_dst_num0));
    for (uint32_t n = random_chance(r, 25) ? random_below(r, 3) + 1 : 0; n; n--)
        mutate(r, record);
}

static void random_records(void **state)
{
    (void)state;
    test_random r = shard_random(&shard, 1);
    uint64_t verdicts[2] = {0, 0};
    for (uint64_t i = 0; i < RECORDS * shard.rounds; i++) {
        dve_record record;
        random_record(&r, &record);
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
            judge(&record, gen);
            verdicts[oracle_is_legal(gen, record.byte) == 1]++;
        }
    }
    /* A comparison of refusals alone, or of legal records alone, would show little. */
    assert_true(verdicts[0] > RECORDS / 2 && verdicts[1] > RECORDS / 2);
    print_message("legality: %llu legal, %llu illegal, %llu differ by ruling\n", (unsigned long long)verdicts[1],
                  (unsigned long long)verdicts[0], (unsigned long long)ruled);
}

/* Every value of every single byte of every base record. */
static void single_bytes(void **state)
{
    (void)state;
    if (!shard_fixed(&shard))
        return;
    for (size_t o = 0; o + 1 < record_opcode_count; o++)
        for (unsigned byte = 0; byte < DVE_RECORD_BYTES; byte++)
            for (unsigned value = 0; value < 256; value++) {
                dve_record record;
                record_base(record_opcodes[o], &record);
                record.byte[byte] = (uint8_t)value;
                for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++)
                    judge(&record, gen);
            }
}

static void dtypes_and_channels(void **state)
{
    (void)state;
    if (!shard_fixed(&shard))
        return;
    for (size_t o = 0; o + 1 < record_opcode_count; o++)
        for (unsigned in = 0; in < 34; in++)
            for (unsigned out = 0; out < 34; out++)
                for (unsigned start = 0; start < 4; start++) {
                    dve_record record;
                    record_base(record_opcodes[o], &record);
                    record.byte[32] = (uint8_t)in;
                    record.byte[33] = (uint8_t)out;
                    record.byte[34] = (uint8_t)(start + 31);
                    record.byte[51] = (uint8_t)(start & 2);       /* byte 3 of the destination at 48: PSUM */
                    judge(&record, (uint8_t)(DVE_GEN_FIRST + start));
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_bytes),
        cmocka_unit_test(dtypes_and_channels),
        cmocka_unit_test(random_records),
    };
    shard_begin(&shard);
    int failed = cmocka_run_group_tests_name("legality", tests, NULL, NULL);
    shard_report(&shard, "legality");
    return failed;
}
