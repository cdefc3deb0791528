/* SPDX-License-Identifier: Apache-2.0 */
/* Records as text and back: every 64-byte string, every field, every generation; what a reader may write by hand;
 * and what is wrong with what is not so.
 *
 * OPENDVE_SEED, OPENDVE_ROUNDS and OPENDVE_SHARD as in differential/shard.h. From two rounds on, every value of every
 * field of at most 16 bits is tried for every opcode on every generation, else for every format on gen3. */
#include "random.h"
#include "records.h"
#include "shard.h"
#include "test.h"
#include <opendve/codec.h>
#include <opendve/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_ROUND = 1050000 };

static test_shard shard;
static dve_text_source source;
static dve_text_result result;

/* The record's line gives the record. */
static void comes_back(const dve_record *record, uint8_t gen)
{
    char line[DVE_RECORD_TEXT];
    dve_insn insn;
    dve_record again;
    dve_decode(record, &insn);
    size_t length = dve_text_print(&insn, gen, line, sizeof line);
    if (length >= sizeof line || line[length])
        fail_msg("seed %llu: the line of %s has %zu bytes", (unsigned long long)shard.seed, record_text(record), length);
    source.gen = gen;
    dve_status status = dve_text_parse(&source, line, length, &result);
    dve_encode(&result.insn, &again);
    if (status || result.kind != DVE_TEXT_RECORD || memcmp(record, &again, sizeof again) != 0)
        fail_msg("seed %llu, gen%u: text changes\n  %s\n  %s\n  %s\n  %s", (unsigned long long)shard.seed, gen,
                 record_text(record), record_text(&again), line, status ? result.error[0].message : "");
    shard_saw(&shard, line, length);
}

static void begin(void)
{
    dve_text_begin(&source, 0);
    assert_int_equal(dve_text_parse(&source, ".dve 1", 6, &result), DVE_OK);
}

/* ---- records ---- */

static void random_bytes(test_random *r, dve_record *out)
{
    for (unsigned b = 0; b < DVE_RECORD_BYTES; b += 4) {
        uint32_t bits = random_bits(r);
        memcpy(out->byte + b, &bits, 4);
    }
}

static void set_field(const dve_field_info *field, dve_insn *insn, uint32_t value)
{
    insn->value[field->slot] = field->width < 32 ? value & ((1u << field->width) - 1) : value;
}

/* What a compiler might write: places in memory, short walks, few events, small numbers, plain floats. */
static uint32_t likely(test_random *r, const dve_field_info *field)
{
    static const uint32_t floats[] = {0, 0x3f800000, 0xff800000, 0xff7fffff, 0x80000000, 0x7fc00000, 0x7f800001,
                                      0xffc00000, 1, 0x7f7fffff, 0x3dcccccd, 0x4b800000};
    static const uint32_t markers[] = {0, 0, 0, 0, 0x80000000, 0x40000000, 0xc0000000, 0x20000000, 0xa0000000,
                                       0x60000000, 0xe0000000};
    switch (field->kind) {
    case DVE_KIND_ADDR: {
        uint32_t marker = RANDOM_OF(r, markers);
        return marker | random_below(r, marker ? 80 : DVE_PSUM_END + 0x1000);
    }
    case DVE_KIND_INT: return random_chance(r, 60) ? 1 : random_below(r, 9) - 4;
    case DVE_KIND_F32: case DVE_KIND_WORD: return random_chance(r, 60) ? RANDOM_OF(r, floats) : random_bits(r);
    case DVE_KIND_DTYPE: return random_below(r, 33);
    case DVE_KIND_UINT: return random_chance(r, 60) ? 1 : random_below(r, 20000);
    case DVE_KIND_CHANNELS: return random_below(r, 131);
    case DVE_KIND_ZERO: case DVE_KIND_RAW: return random_chance(r, 97) ? 0 : random_bits(r);
    default: return random_chance(r, 80) ? random_below(r, 16) : random_bits(r);
    }
}

static void structured(test_random *r, uint8_t opcode, dve_record *out)
{
    size_t rows;
    dve_insn insn;
    memset(out, 0, sizeof *out);
    out->byte[0] = opcode;
    out->byte[1] = 16;
    out->byte[12] = random_chance(r, 50) ? 2 : 0;    /* the sub-operation of extended_inst that has a format */
    dve_decode(out, &insn);
    const dve_format_info *format = dve_format(insn.format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    for (unsigned f = random_chance(r, 70) ? 9 : 1; f < format->fields; f++) {
        if (strcmp(field[f].name, "extended_opcode") == 0)
            continue;
        for (unsigned s = 0; s < field[f].slots; s++) {
            uint32_t value = likely(r, &field[f]);
            insn.value[field[f].slot + s] = value;
        }
        if (field[f].slots == 1)
            set_field(&field[f], &insn, insn.value[field[f].slot]);
    }
    dve_encode(&insn, out);
}

static void every_record_comes_back(void **state)
{
    (void)state;
    test_random r = shard_random(&shard, 1);
    begin();
    for (uint64_t i = 0; i < PER_ROUND * shard.rounds; i++) {
        dve_record record;
        uint8_t opcode = (uint8_t)i, gen = (uint8_t)(DVE_GEN_FIRST + (i >> 8) % DVE_GEN_COUNT);
        if (i >> 10 & 1) {
            structured(&r, opcode, &record);
        } else {
            random_bytes(&r, &record);
            record.byte[0] = opcode;
        }
        comes_back(&record, gen);
    }
}

/* Every opcode byte: zeros, ones, a plain record, and each of their bits flipped. */
static void every_flipped_bit_comes_back(void **state)
{
    (void)state;
    test_random r = shard_random(&shard, 2);
    begin();
    for (unsigned opcode = 0; opcode < 256 && shard_fixed(&shard); opcode++)
        for (unsigned fill = 0; fill < 3; fill++) {
            dve_record record, flipped;
            structured(&r, (uint8_t)opcode, &record);
            if (fill < 2)
                memset(&record, fill ? 0xff : 0, sizeof record);
            record.byte[0] = (uint8_t)opcode;
            for (unsigned bit = 0; bit < 8 * DVE_RECORD_BYTES; bit++) {
                flipped = record;
                flipped.byte[bit / 8] ^= (uint8_t)(1u << bit % 8);
                comes_back(&flipped, (uint8_t)(DVE_GEN_FIRST + bit % DVE_GEN_COUNT));
            }
        }
}

/* Every value of every field of at most 16 bits: all such fields of a format at once, each from another start. */
static void every_value_comes_back(uint8_t opcode, uint8_t sub, uint8_t gen)
{
    size_t rows;
    dve_record record = {{opcode, 16}};
    dve_insn insn, base;
    record.byte[12] = sub;
    dve_decode(&record, &base);
    const dve_format_info *format = dve_format(base.format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    for (uint32_t k = 0; k < 0x10000; k++) {
        insn = base;
        for (unsigned f = 1; f < format->fields; f++)
            if (field[f].width <= 16 && !(base.format == DVE_FORMAT_EXTENDED_TTA && f == 9))
                set_field(&field[f], &insn, k + 7919 * f);
        dve_encode(&insn, &record);
        comes_back(&record, gen);
    }
}

static void every_value_of_small_fields(void **state)
{
    (void)state;
    uint8_t done[256] = {0};
    int all = shard.rounds > 1;
    begin();
    for (unsigned opcode = 0; opcode < 256 && shard_fixed(&shard); opcode++) {
        const dve_opcode_info *info = dve_opcode((uint8_t)opcode);
        if (!info || (done[info->format]++ && !all))
            continue;
        for (uint8_t gen = all ? DVE_GEN_FIRST : DVE_GEN_DEFAULT; gen <= (all ? DVE_GEN_LAST : DVE_GEN_DEFAULT); gen++) {
            every_value_comes_back((uint8_t)opcode, 0, gen);
            if (info->format == DVE_FORMAT_EXTENDED)
                every_value_comes_back((uint8_t)opcode, 2, gen);
        }
    }
}

/* Only bytes that no source names become raw lines. */
static void raw_lines_only_where_nothing_is_known(void **state)
{
    (void)state;
    char line[DVE_RECORD_TEXT];
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        dve_record record = {{(uint8_t)opcode, 16}};
        dve_insn insn;
        dve_decode(&record, &insn);
        dve_text_print(&insn, 3, line, sizeof line);
        assert_int_equal(strncmp(line, "raw ", 4) == 0, !dve_opcode((uint8_t)opcode));
    }
}

/* Names must not clash, or one field would hide another. */
static void names_are_unique(void **state)
{
    (void)state;
    static const char *const taken[] = {"wait", "update", "value", "raw", "opcode"};
    size_t rows, formats;
    const dve_format_info *format = dve_isa_formats(&formats);
    for (size_t n = 0; n < formats; n++) {
        const dve_field_info *field = dve_isa_fields(&rows) + format[n].first_field;
        const dve_operand_info *operand = dve_isa_operands(&rows) + format[n].first_operand;
        for (unsigned f = 0; f < format[n].fields; f++) {
            for (unsigned g = 0; g < f; g++)
                assert_string_not_equal(field[f].name, field[g].name);
            for (unsigned i = 0; i < LENGTH(taken) && f; i++)
                assert_string_not_equal(field[f].name, taken[i]);
            for (unsigned i = 0; i < format[n].operands; i++)
                assert_string_not_equal(field[f].name, operand[i].name);
        }
    }
}

/* ---- floats ---- */

static void floats_come_back(void **state)
{
    (void)state;
    test_random r = shard_random(&shard, 3);
    for (unsigned i = 0; i < 400000; i++) {
        char text[DVE_F32_TEXT], libc[DVE_F32_TEXT];
        uint32_t bits = i < 0x20000 ? (i >> 1 << 16) - (i & 1) : random_bits(&r), again;
        float value, read;
        memcpy(&value, &bits, sizeof bits);
        if ((bits & 0x7fffffff) >= 0x7f800000)
            continue;
        dve_f32_text(bits, text);
        read = strtof(text, NULL);
        memcpy(&again, &read, sizeof again);
        if (again != bits)
            fail_msg("0x%08x is printed as %s, which is 0x%08x", bits, text, again);
        /* no shorter decimal reads back */
        int digits = 0;
        for (const char *c = text; *c && *c != 'e'; c++)
            digits += *c >= '0' && *c <= '9' && (digits || *c != '0');
        if (digits < 2 || strlen(text) > 12 + (bits >> 31))
            continue;
        snprintf(libc, sizeof libc, "%.*e", digits - 2, (double)value);
        read = strtof(libc, NULL);
        memcpy(&again, &read, sizeof again);
        if (again == bits && strchr(text, '.'))
            fail_msg("0x%08x is printed as %s, shorter is %s", bits, text, libc);
    }
}

/* Our reader of decimals against the C library's. */
static void decimals_are_read_as_strtof_reads_them(void **state)
{
    (void)state;
    static const char *const chosen[] = {
        "1", "0.1", ".5", "5.", "1e10", "1e+10", "1E-10", "-0", "0", "0e5", "1e-45", "7e-46", "7.1e-46", "1e-50", "0.7e-45",
        "1.17549435e-38", "1.1754942e-38", "1.1754943e-38", "3.4028235e38", "3.40282356e38", "3.4028235677973366e38",
        "16777217", "16777219", "16777217.0000000000000000000000000000001", "33554434", "8388608.5", "8388609.5",
        "8388608.50000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        "0.000000000000000000000000000000000000000000000700649232162408535461864791644958065640130970938257885878534141944"
        "895541342930300743319094181060791015625",
        "0.000000000000000000000000000000000000000000000700649232162408535461864791644958065640130970938257885878534141944"
        "8955413429303007433190941810607910156250000000000000000000000000000001",
        "123456789012345678901234567890", "0.00000000000000000000000000000000000000000000000000000000000000001e40"};
    test_random r = shard_random(&shard, 4);
    begin();
    for (unsigned i = 0; i < 300000 + LENGTH(chosen); i++) {
        char text[240], line[400];
        uint32_t wanted;
        if (i < LENGTH(chosen)) {
            snprintf(text, sizeof text, "%s", chosen[i]);
        } else {
            uint32_t a = random_bits(&r), b = random_bits(&r) >> random_below(&r, 32);
            snprintf(text, sizeof text, "%s%u.%ue%d", a & 1 ? "-" : "", a >> random_below(&r, 32), b,
                     (int)random_below(&r, 92) - 56);
        }
        float value = strtof(text, NULL);
        memcpy(&wanted, &value, sizeof wanted);
        int length = snprintf(line, sizeof line,
                              "match_replace8 src=sbuf[0]:fp32[1:8] dst=sbuf[0]:fp32[1:8] num_active_channels=1 "
                              "immediate=%s", text);
        dve_status status = dve_text_parse(&source, line, (size_t)length, &result);
        if ((wanted & 0x7fffffff) == 0x7f800000) {
            assert_int_equal(status, DVE_E_INPUT);
            assert_non_null(strstr(result.error[0].message, "too large for fp32"));
        } else if (status || result.insn.value[DVE_SLOT_S4D4_MR_immediate] != wanted) {
            fail_msg("%s is 0x%08x, was read as 0x%08x %s", text, wanted,
                     result.insn.value[DVE_SLOT_S4D4_MR_immediate], status ? result.error[0].message : "");
        }
    }
}

/* ---- by hand ---- */

static void parse(const char *line)
{
    (void)dve_text_parse(&source, line, strlen(line), &result);
}

static void reads_as(const char *line, const char *wanted)
{
    char text[DVE_RECORD_TEXT];
    parse(line);
    if (result.errors)
        fail_msg("%s\n  %u: %s (%s)", line, result.error[0].column, result.error[0].message, result.error[0].hint);
    dve_text_print(&result.insn, source.gen, text, sizeof text);
    assert_string_equal(text, wanted);
}

#define READ "dve_read_accumulator dst=sbuf[0]+0x0:fp32[1:1] dst_element_count=1 negated=false num_active_channels=1"
#define BARE "dve_read_accumulator dst=sbuf[0]+0x0:fp32[1:1] dst_element_count=1 num_active_channels=1"
#define AFTER(columns) (uint32_t)sizeof BARE + (columns)
#define LOAD "match_value_load src=sbuf[0]+0x0:fp32[1:8] imm1=0x0 num_active_channels=1 imm0_ptr=0x0 imm0_src=instruction"

static void what_may_be_written(void **state)
{
    (void)state;
    begin();
    reads_as(READ, READ);
    reads_as("dve_read_accumulator num_active_channels=1,dst=sbuf[0]:fp32[1:1],dst_element_count=0x1", READ);
    reads_as("\tdve_read_accumulator  dst = sbuf [ 0 ] + 0 : fp32 [ 1 : 1 ] ,\tdst_element_count=1 num_active_channels=1# c", READ);
    reads_as("dve_read_accumulator dst=sbuf[0]:dtype:0x0a[1:1] dst_element_count=1 num_active_channels=1; dtype=bf16\r", READ);
    reads_as("dve_read_accumulator dst=sbuf[0]:fp32[1:1] dtype=fp32 dst_element_count=1 num_active_channels=1 negated=0", READ);
    reads_as("dve_read_accumulator dst=@0x00000000:fp32[0x1:1] dst_element_count=1 num_active_channels=1", READ);
    reads_as(READ " inst_word_len=16 debug_cmd=none debug_hint=0 reserved0=0 wait=none update=none(0) value=0", READ);
    reads_as("dve_read_accumulator dst=reg[63]:uint64[-1:0] num_active_channels=0",
             "dve_read_accumulator dst=reg[63]:dtype:0x01[-1:0] dst_element_count=0 negated=false num_active_channels=0");
    reads_as(READ " wait=sem_ge_imm(3) value=7 update=0x42(255) debug_cmd=0xee",
             READ " wait=sem_ge_imm(3) update=0x42(255) value=7 debug_cmd=0xee");
    reads_as(READ " wait_mode=evt_set wait_idx=5 semaphore_value=4294967295", READ " wait=evt_set(5) value=4294967295");
    reads_as("match_value_load src=sbuf[0]:fp32[1:8] num_active_channels=1", LOAD);
    reads_as("match_value_load src=sbuf[0]:fp32[1:8,1:1] imm1=0.0 imm0_ptr=sbuf[0] num_active_channels=1", LOAD);
    reads_as("match_value_load src=psum[127]+0x7fff:bf16[-32768:8,0xffff:65535] imm1=1.5 imm0_ptr=sbuf[32]+0x40 num_active_channels=1",
             "match_value_load src=psum[127]+0x7fff:bf16[-32768:8,-1:65535] imm1=0x3fc00000 num_active_channels=1 "
             "imm0_ptr=0x800040 imm0_src=instruction");
    reads_as("match_value_load src=addr_shape_reg[1]:fp32[1:8] imm1=-inf imm0_ptr=reg[5] num_active_channels=1",
             "match_value_load src=addr_shape_reg[1]:fp32[1:8] imm1=0xff800000 num_active_channels=1 imm0_ptr=0x80000005 "
             "imm0_src=instruction");
    reads_as("raw 0b10 0000 " "00000000000000000000000000000000" "00000000000000000000000000000000"
             "00000000000000000000000000000000" "000000000000000000000000",
             "raw 0b100000" "00000000000000000000000000000000" "00000000000000000000000000000000"
             "00000000000000000000000000000000" "000000000000000000000000");
    reads_as("nop", "nop");
    parse("stream_shuffle_mask");
    assert_int_equal(result.errors, 0);
    assert_int_equal(dve_insn_opcode(&result.insn), 0x69);
    parse("   # nothing");
    assert_int_equal(result.kind, DVE_TEXT_NOTHING);
    parse("");
    assert_int_equal(result.kind, DVE_TEXT_NOTHING);
    parse("  nop");
    assert_int_equal(result.column, 3);
}

static void indirect_operands(void **state)
{
    (void)state;
    begin();
    reads_as("copy src=indirect(sbuf[0]+0x200,sbuf[32],64):bf16 dst=sbuf[0]:bf16[1:64] num_active_channels=32",
             "copy src=indirect(sbuf[0]+0x200, sbuf[32]+0x0, 64):bf16 dst=sbuf[0]+0x0:bf16[1:64] num_active_channels=32 "
             "negated=false op=bypass op_dim=unused mask_enable=false");
    assert_int_equal(result.insn.value[DVE_SLOT_S4D4_TR_src_start_addr], 0x20000200);
    assert_int_equal(result.insn.value[DVE_SLOT_S4D4_TR_src_step1], 0x0080);
    reads_as("copy src=indirect(reg[7], @0xdeadbeef, 0, 0001000200030004ffff):bf16 dst=sbuf[0]:bf16[1:64] num_active_channels=32",
             "copy src=indirect(reg[7], @0xdeadbeef, 0, 0001000200030004ffff):bf16 dst=sbuf[0]+0x0:bf16[1:64] "
             "num_active_channels=32 negated=false op=bypass op_dim=unused mask_enable=false");
    reads_as("extended_inst extended_opcode=tensor_tensor src0=sbuf[0]:fp32[1:8] src1=sbuf[0]:fp32[1:8] "
             "dst=sbuf[0]:fp32[1:8] op=add",
             "extended_inst src0=sbuf[0]+0x0:fp32[1:8] src1=sbuf[0]+0x0:fp32[1:8] dst=sbuf[0]+0x0:fp32[1:8] "
             "extended_opcode=tensor_tensor has_read=0 has_write=0 num_active_ports=0 op=add");
    reads_as("extended_inst extended_opcode=0x55", "extended_inst extended_opcode=0x55");
}

static void tensors(void **state)
{
    (void)state;
    char line[80];
    begin();
    parse(".tensor scores sbuf[32:64]+0x100:bf16[1024] # all of it");
    assert_int_equal(result.errors, 0);
    const dve_tensor *t = dve_text_tensor(&source, "scores");
    assert_non_null(t);
    assert_null(dve_text_tensor(&source, "score"));
    assert_int_equal(t->place.partition, 32);
    assert_int_equal(t->place.offset, 0x100);
    assert_int_equal(t->partitions, 64);
    assert_int_equal(t->elements, 1024);
    assert_int_equal(t->dtype, DVE_DTYPE_BF16);
    reads_as("match_value_load src=scores num_active_channels=1",
             "match_value_load src=sbuf[32]+0x100:bf16[1:1024] imm1=0x0 num_active_channels=1 imm0_ptr=0x0 imm0_src=instruction");
    reads_as("match_value_load src=scores[-1:8] num_active_channels=1 imm0_ptr=scores",
             "match_value_load src=sbuf[32]+0x100:bf16[-1:8] imm1=0x0 num_active_channels=1 imm0_ptr=0x800100 imm0_src=instruction");
    reads_as("match_value_load src=scores+14:fp16[-1:8] num_active_channels=1",
             "match_value_load src=sbuf[32]+0x10e:fp16[-1:8] imm1=0x0 num_active_channels=1 imm0_ptr=0x0 imm0_src=instruction");
    for (unsigned i = 1; i < DVE_TENSORS; i++) {
        snprintf(line, sizeof line, ".tensor t%u psum[0]:fp32[8]", i);
        parse(line);
        assert_int_equal(result.errors, 0);
    }
    parse(".tensor more psum[0]:fp32[8]");
    assert_int_equal(result.errors, 1);
}

/* ---- what is wrong ---- */

static void is_wrong(const char *line, uint32_t column, const char *message)
{
    parse(line);
    if (!result.errors || result.error[0].column != column || !strstr(result.error[0].message, message))
        fail_msg("%s\n  wanted %u: %s\n  found %u: %s (%s)", line, column, message, result.errors ? result.error[0].column : 0,
                 result.errors ? result.error[0].message : "nothing", result.errors ? result.error[0].hint : "");
    for (unsigned s = 0; s < DVE_MAX_SLOTS; s++)
        assert_int_equal(result.insn.value[s], 0);
}

static void hints(const char *hint)
{
    if (!strstr(result.error[0].hint, hint))
        fail_msg("\"%s\" hints at \"%s\", not at \"%s\"", result.error[0].message, result.error[0].hint, hint);
}

static void errors_have_places(void **state)
{
    (void)state;
    begin();
    is_wrong("max9", 1, "there is no instruction max9");
    hints("did you mean max8?");
    is_wrong("max8", 1, "max8 lacks src, dst and num_active_channels");
    is_wrong("  dve_read_accumulator num_active_channels=1", 3, "lacks dst");
    is_wrong(BARE " negatid=true", AFTER(1), "has no field negatid");
    hints("did you mean negated?");
    is_wrong(BARE " negated=maybe", AFTER(9), "there is no \"maybe\"");
    is_wrong(BARE " negated=true negated=true", AFTER(14), "negated is given twice");
    is_wrong(BARE " wait=none wait_idx=3", AFTER(11), "wait_idx is given twice");
    is_wrong(BARE " dtype=bf16", AFTER(7), "dtype is fp32 already");
    is_wrong(BARE " reserved0=00", AFTER(11), "2 hex digits were given, needed are 32");
    is_wrong(BARE " debug_hint=256", AFTER(12), "256 was given, allowed is 0..255");
    is_wrong(BARE " debug_hint=-1", AFTER(12), "debug_hint is missing before '-'");
    is_wrong(BARE " debug_hint=1x", AFTER(12), "\"1x\" is no number");
    is_wrong(BARE " debug_hint", AFTER(11), "'=' is missing");
    is_wrong(BARE " debug_hint=1debug_cmd=2", AFTER(12), "is no number");
    is_wrong(BARE ",", AFTER(1), "a field is missing behind the comma");
    is_wrong(BARE " =", AFTER(1), "a field is missing before '='");
    is_wrong(BARE " dst_step0=1", AFTER(1), "dst_step0 is part of operand dst");
    is_wrong("dve_read_accumulator dst=sbuf[128]:fp32[1:1] num_active_channels=1", 31, "128 was given, allowed is 0..127");
    is_wrong("dve_read_accumulator dst=sbuf[0]+0x40000:fp32[1:1] num_active_channels=1", 34, "allowed is 0x0..0x3ffff");
    is_wrong("dve_read_accumulator dst=psum[0]+0x8000:fp32[1:1] num_active_channels=1", 34, "allowed is 0x0..0x7fff");
    is_wrong("dve_read_accumulator dst=spuf[0]:fp32[1:1] num_active_channels=1", 26, "\"spuf\" is neither a memory nor a tensor");
    hints("did you mean sbuf?");
    is_wrong("dve_read_accumulator dst=sbuf[0]:fp33[1:1] num_active_channels=1", 34, "there is no data type \"fp33\"");
    is_wrong("dve_read_accumulator dst=sbuf[0][1:1] num_active_channels=1", 33, "the data type is missing before '['");
    is_wrong("dve_read_accumulator dst=sbuf[0]:fp32 num_active_channels=1", 39, "'[' is missing before \"num_active_channels\"");
    is_wrong("dve_read_accumulator dst=sbuf[0]:fp32[1:1,1:1] num_active_channels=1", 43, "dst has 1 dimension, more were given");
    is_wrong("dve_read_accumulator dst=sbuf[0]:fp32[32768:1] num_active_channels=1", 39, "allowed is -32768..32767");
    is_wrong("dve_read_accumulator dst=sbuf[0]:fp32[-32769:1] num_active_channels=1", 39, "-32769 was given");
    is_wrong("dve_read_accumulator dst=sbuf[0]:fp32[1:65536] num_active_channels=1", 41, "allowed is 0..65535");
    is_wrong("dve_read_accumulator dst=reg[64]:fp32[1:1] num_active_channels=1", 30, "64 was given, allowed is 0..63");
    is_wrong("dve_read_accumulator dst=indirect(sbuf[0], sbuf[0], 1):fp32 num_active_channels=1", 26, "too few for an indirect form");
    is_wrong("dve_read_accumulator dst=@0x100000000:fp32[1:1] num_active_channels=1", 27, "allowed is 0x0..0xffffffff");
    is_wrong("tensor_tensor_arith_op src0=sbuf[0]:dtype:0x10[1:1]", 43, "allowed is 0x0..0xf");
    is_wrong("tensor_tensor_arith_op src0=sbuf[0]:fp4_e2m1[1:1]", 37, "the code of fp4_e2m1, 0x10, is above 0xf");
    is_wrong("match_value_load src=sbuf[0]:fp32[1:8] imm1=1 num_active_channels=1", 45, "1 could be a float or bits");
    hints("2.0 for a float");
    is_wrong("match_value_load src=sbuf[0]:fp32[1:8] imm1=1.5.5 num_active_channels=1", 45, "\"1.5.5\" is no float");
    is_wrong("match_value_load src=sbuf[0]:fp32[1:8] imm1=1e39 num_active_channels=1", 45, "1e39 is too large for fp32");
    is_wrong("match_value_load src=sbuf[0]:fp32[1:8] imm1=1e num_active_channels=1", 45, "is no float");
    is_wrong("raw 00", 1, "2 hex digits were given, needed are 128");
    is_wrong("raw 0g", 6, "no hex digit");
    is_wrong("\x01", 1, "an instruction is missing before byte 0x1");
    is_wrong(BARE " \xff", AFTER(1), "a field is missing before byte 0xff");
    is_wrong(".dve 1", 1, "another .dve line");
    is_wrong(".tensr x", 1, "there is no directive .tensr");
    hints("did you mean .tensor?");
    is_wrong(".tensor 1 sbuf[0]:fp32[8]", 9, "the tensor's name is missing");
    is_wrong(".tensor sbuf sbuf[0]:fp32[8]", 9, "sbuf has a meaning of its own");
    is_wrong(".tensor x dram[0]:fp32[8]", 11, "the place of tensor x is missing");
    is_wrong(".tensor x sbuf[100:29]:fp32[8]", 20, "allowed is 1..28");
    is_wrong(".tensor x sbuf[0]:fp32[0]", 24, "0 was given");
    is_wrong(".tensor y sbuf[0]:fp32[8] more", 27, "more than the directive takes");
    is_wrong(".tensor y sbuf[0]:fp32[8]", 9, "tensor y was declared before");
    parse(".tensor long sbuf[0]:fp32[70000]");
    is_wrong("match_value_load src=long num_active_channels=1", 22, "tensor long has 70000 elements");
    parse("max8 src=spuf[0] dts=sbuf[0]:fp32[1:8] even_count=x");
    assert_int_equal(result.errors, 4);
    assert_int_equal(result.error[1].column, 18);
}

static void the_first_line(void **state)
{
    (void)state;
    dve_text_begin(&source, 0);
    parse("# a comment may stand before it");
    assert_int_equal(result.errors, 0);
    is_wrong("nop", 1, "does not begin with its version");
    parse("nop");
    assert_int_equal(result.errors, 0);             /* told once */
    dve_text_begin(&source, 0);
    assert_int_equal(dve_text_end(&source, &result), DVE_E_INPUT);
    dve_text_begin(&source, 0);
    is_wrong(".dve 2", 6, "version 2 of the text is unknown");
    parse("rubbish");
    assert_int_equal(result.errors, 0);
    dve_text_begin(&source, 0);
    is_wrong(".dve", 5, "version of the text is missing");
    dve_text_begin(&source, 0);
    parse("\xef\xbb\xbf.dve 1 ; with the mark of some editors");
    assert_int_equal(result.errors, 0);
    assert_int_equal(dve_text_end(&source, &result), DVE_OK);
}

static void the_generation(void **state)
{
    (void)state;
    begin();
    assert_int_equal(source.gen, 3);
    parse(".gen nc-v4");
    assert_int_equal(result.errors, 0);
    assert_int_equal(source.gen, 4);
    is_wrong(".gen gen4", 1, "another .gen line");
    begin();
    is_wrong(".gen gen9", 6, "there is no generation \"gen9\"");
    begin();
    is_wrong(".gen", 5, "the generation is missing");
    begin();
    parse("nop");
    is_wrong(".gen gen3", 1, "behind records");
    dve_text_begin(&source, 2);
    parse(".dve 1");
    assert_int_equal(dve_text_parse(&source, ".gen trn2", 9, &result), DVE_E_USAGE);
    assert_string_equal(result.error[0].message, "the source is for gen3, gen2 was asked for");
    dve_text_begin(&source, 3);
    parse(".dve 1");
    assert_int_equal(dve_text_parse(&source, ".gen trn2", 9, &result), DVE_OK);
}

static void long_lines(void **state)
{
    (void)state;
    static char line[DVE_TEXT_LINE + 2];
    begin();
    memset(line, ' ', sizeof line);
    memcpy(line, READ, sizeof READ - 1);
    assert_int_equal(dve_text_parse(&source, line, DVE_TEXT_LINE, &result), DVE_OK);
    assert_int_equal(dve_text_parse(&source, line, DVE_TEXT_LINE + 1, &result), DVE_E_INPUT);
    memset(line, '9', DVE_TEXT_LINE);
    memcpy(line, "raw ", 4);
    assert_int_equal(dve_text_parse(&source, line, DVE_TEXT_LINE, &result), DVE_E_INPUT);
    for (size_t i = 0; i < DVE_TEXT_LINE; i++)
        line[i] = i % 2 ? '=' : ' ';
    memcpy(line, "max8 ", 5);
    assert_int_equal(dve_text_parse(&source, line, DVE_TEXT_LINE, &result), DVE_E_INPUT);
    assert_true(result.errors > DVE_TEXT_ERRORS);
}

/* A buffer that is too short is filled as far as it goes, and the length is told all the same. */
static void short_buffers(void **state)
{
    (void)state;
    char whole[DVE_RECORD_TEXT], part[DVE_RECORD_TEXT];
    dve_record record = {{0x6c, 17, 1, 2, 5, 3, 0x13, 4, 9}};
    dve_insn insn;
    dve_decode(&record, &insn);
    size_t length = dve_text_print(&insn, 3, whole, sizeof whole);
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        memset(part, 'x', sizeof part);
        assert_int_equal(dve_text_print(&insn, 3, part, capacity), length);
        if (capacity)
            assert_int_equal(part[capacity - 1], capacity <= length ? '\0' : '\0');
        assert_int_equal(strncmp(part, whole, capacity ? capacity - 1 : 0), 0);
        assert_int_equal(part[capacity], 'x');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record_comes_back),
        cmocka_unit_test(every_flipped_bit_comes_back),
        cmocka_unit_test(every_value_of_small_fields),
        cmocka_unit_test(raw_lines_only_where_nothing_is_known),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(floats_come_back),
        cmocka_unit_test(decimals_are_read_as_strtof_reads_them),
        cmocka_unit_test(what_may_be_written),
        cmocka_unit_test(indirect_operands),
        cmocka_unit_test(tensors),
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(the_first_line),
        cmocka_unit_test(the_generation),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(short_buffers),
    };
    shard_begin(&shard);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    shard_report(&shard, "text");
    return failed;
}
