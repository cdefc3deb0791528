/* SPDX-License-Identifier: Apache-2.0 */
/* Table sets from bytes. The bytes are synthetic: what tests/tables/printed.def lists, and zeros. */
#include "test.h"
#include "machines.h"
#include <opendve/tables.h>
#include <string.h>

typedef struct fixture {
    uint8_t bytes[DVE_TABLE_KEYS][16384];
    int32_t ops[256];
    dve_table_set set;
} fixture;

static fixture first, second;

static void put(uint8_t *at, uint64_t value, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_entry(fixture *f, uint8_t gen, unsigned op, uint64_t raw)
{
    uint32_t stride = dve_table_of(gen, DVE_TABLE_OPCODE)->stride;
    put(f->bytes[DVE_TABLE_OPCODE] + op * stride, raw, stride);
}

static uint64_t raw_of(const fixture *f, uint8_t gen, unsigned op)
{
    uint32_t stride = dve_table_of(gen, DVE_TABLE_OPCODE)->stride;
    uint64_t raw = 0;
    for (uint32_t i = stride; i > 0; i--)
        raw = raw << 8 | f->bytes[DVE_TABLE_OPCODE][op * stride + i - 1];
    return raw;
}

static unsigned bits_of(uint8_t gen)
{
    return gen == 2 ? 7 : 8;
}

/* Two hex digits a byte; ?? leaves it. */
static void put_row(fixture *f, uint8_t gen, unsigned key, unsigned row, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t *at = f->bytes[key] + row * dve_table_of(gen, key)->stride;
    for (unsigned i = 0; i < 16; i++, text += 3)
        if (text[0] != '?')
            at[i] = (uint8_t)((strchr(digits, text[0]) - digits) << 4 | (strchr(digits, text[1]) - digits));
}

/* Rows that no page prints: opcodes whose lanes are printed get one of their own. */
static void own_row(fixture *f, uint8_t gen, unsigned op)
{
    if (!raw_of(f, gen, op))
        put_entry(f, gen, op, 20 + op % 40);
}

typedef struct printed_value { uint8_t gen; const char *set; unsigned op; uint64_t value; char kind; } printed_value;
static const printed_value entries[] = {
#define PRINTED_ENTRY(generation, set, opcode, raw) {generation, set, opcode, raw, 'e'},
#define PRINTED_DERIVED(generation, set, opcode, raw) {generation, set, opcode, raw, 'e'},
#define PRINTED_ROW(generation, set, opcode, row) {generation, set, opcode, row, 'r'},
#define PRINTED_SELECTOR(generation, set, opcode, selector) {generation, set, opcode, selector, 's'},
#include "tables/printed.def"
};

typedef struct printed_row { uint8_t gen; const char *set; uint8_t key; unsigned row; const char *bytes; } printed_row;
static const printed_row rows[] = {
#define PRINTED_CONTROL(generation, set, key, row, bytes) {generation, set, DVE_TABLE_##key, row, bytes},
#include "tables/printed.def"
};

typedef struct printed_lane { uint8_t gen, op, lane; uint64_t word; uint8_t valid, mode, stage; } printed_lane;
static const printed_lane lanes[] = {
#define PRINTED_LANE(generation, opcode, lane, word, valid, mode, stage) \
    {generation, opcode, lane, UINT64_C(word), valid, mode, stage},
#include "tables/printed.def"
};

static const struct { uint8_t op, lane, opa, opb; uint16_t mux; } gen2_lanes[] = {
#define PRINTED_LANE2(opcode, lane, opa, opb, mux) {opcode, lane, opa, opb, mux},
#include "tables/printed.def"
};

static dve_table_set *make(fixture *f, uint8_t gen, size_t ops)
{
    dve_table_blob blobs[DVE_TABLE_KEYS];
    unsigned bad;
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        const dve_table_info *info = dve_table_of(gen, key);
        blobs[key] = info ? (dve_table_blob){f->bytes[key], info->bytes} : (dve_table_blob){NULL, 0};
    }
    assert_int_equal(dve_table_set_make(gen, blobs, f->ops, ops, &f->set, &bad), DVE_OK);
    assert_int_equal(bad, DVE_TABLE_KEYS);
    return &f->set;
}

/* Everything that is printed of a set; opcodes whose entry is printed are enabled. */
static dve_table_set *printed_set(fixture *f, uint8_t gen, const char *name)
{
    size_t ops = 0;
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < LENGTH(entries); i++) {
        const printed_value *v = &entries[i];
        if (v->gen != gen || strcmp(v->set, name) != 0)
            continue;
        put_entry(f, gen, v->op, v->kind == 's' ? v->value << bits_of(gen) : v->value);
    }
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].gen == gen && strcmp(rows[i].set, name) == 0)
            put_row(f, gen, rows[i].key, rows[i].row, rows[i].bytes);
    for (size_t i = 0; i < LENGTH(lanes) && strcmp(name, "default") == 0; i++) {
        if (lanes[i].gen != gen)
            continue;
        own_row(f, gen, lanes[i].op);
        uint64_t row = raw_of(f, gen, lanes[i].op) & ((1u << bits_of(gen)) - 1);
        put(f->bytes[DVE_TABLE_DATAPATH] + row * 64 + 8 * lanes[i].lane, lanes[i].word, 8);
    }
    for (int32_t op = 1; op < 256; op++)
        if (raw_of(f, gen, (unsigned)op))
            f->ops[ops++] = op;
    return make(f, gen, ops);
}

static void printed_entries(void **unused)
{
    (void)unused;
    assert_true(LENGTH(entries) >= 80);
    for (size_t i = 0; i < LENGTH(entries); i++) {
        const printed_value *v = &entries[i];
        dve_table_path path;
        dve_table_set *set = printed_set(&first, v->gen, v->set);
        dve_status status = dve_table_look_up(set, (dve_wire_opcode){(uint8_t)v->op}, &path);
        const dve_table_entry *e = &path.entry;
        unsigned bits = bits_of(v->gen);
        assert_int_equal(e->row, e->raw & ((1u << bits) - 1));
        assert_int_equal(e->slow, e->raw >> bits);
        assert_int_equal(e->slow_alt, e->raw >> (v->gen == 2 ? 7 : 9));
        assert_int_equal(e->gap, 0);
        assert_int_equal(v->kind == 'e' ? e->raw : v->kind == 'r' ? e->row : e->slow, v->value);
        assert_int_equal(status, v->op && e->raw ? DVE_OK : DVE_E_FINDING);
        assert_int_equal(status == DVE_OK, e->enabled);
        assert_ptr_equal(path.control, dve_table_row(set, dve_table_control_key(v->gen), e->row));
        assert_int_equal(path.slow != NULL, v->gen != 2 && e->slow);
    }
}

/* The bytes at a printed offset are the row, read by the library from a file of zeros but for them. */
static void printed_offsets(void **unused)
{
    static const struct { uint8_t gen, key, row; uint32_t offset; } places[] = {
#define PRINTED_OFFSET(generation, key, row, offset) {generation, DVE_TABLE_##key, row, offset},
#include "../tables/printed.def"
    };
    static const uint8_t bytes[8] = {0x08, 0x30, 0, 0, 0, 0, 0, 0};
    (void)unused;
    for (size_t i = 0; i < LENGTH(places); i++) {
        uint8_t gen = places[i].gen, key = places[i].key, row = places[i].row;
        memset(&first, 0, sizeof first);
        memcpy(first.bytes[key] + places[i].offset, bytes, sizeof bytes);
        dve_table_set *set = make(&first, gen, 0);
        dve_table_entry entry;
        dve_table_block block;
        dve_table_entry_at(set, (dve_wire_opcode){row}, &entry);
        dve_table_block_at(set, row, &block);
        assert_int_equal(entry.raw, key == DVE_TABLE_OPCODE ? 0x3008 : 0);
        assert_int_equal(block.lane[0].word, key == DVE_TABLE_DATAPATH ? 0x3008 : 0);
        if (key == DVE_TABLE_OPCODE) {
            assert_int_equal(entry.row, 8);
            assert_int_equal(entry.slow, 48);
        } else
            assert_memory_equal(dve_table_row(set, key, row), bytes, sizeof bytes);
    }
}

static void printed_rows(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        uint8_t wanted[16];
        char text[64];
        static const char digits[] = "0123456789abcdef";
        dve_table_set *set = printed_set(&first, rows[i].gen, rows[i].set);
        const uint8_t *bytes = dve_table_row(set, rows[i].key, rows[i].row);
        assert_non_null(bytes);
        memcpy(wanted, bytes, sizeof wanted);
        for (unsigned b = 0; b < 16; b++) {
            text[0] = digits[bytes[b] >> 4], text[1] = digits[bytes[b] & 15];
            if (rows[i].bytes[3 * b] != '?')
                assert_memory_equal(text, rows[i].bytes + 3 * b, 2);
        }
        assert_null(dve_table_row(set, rows[i].key, dve_table_of(rows[i].gen, rows[i].key)->rows));
    }
}

static void printed_words(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < LENGTH(lanes); i++) {
        dve_table_path path;
        dve_table_set *set = printed_set(&first, lanes[i].gen, "default");
        dve_table_look_up(set, (dve_wire_opcode){lanes[i].op}, &path);
        const dve_table_lane *l = &path.block.lane[lanes[i].lane];
        assert_true(l->word == lanes[i].word);
        assert_int_equal(l->valid, lanes[i].valid);
        assert_int_equal(l->mode, lanes[i].mode);
        assert_int_equal(l->stage, lanes[i].stage);
        assert_int_equal(l->kind, DVE_LANE_CONFIG);
        assert_int_equal(path.block.kind, DVE_BLOCK_ACTIVE);
    }
    for (size_t i = 0; i < LENGTH(gen2_lanes); i++) {
        dve_table_path path;
        dve_table_look_up(printed_set(&first, 2, "default"), (dve_wire_opcode){gen2_lanes[i].op}, &path);
        const dve_table_lane *l = &path.block.lane[gen2_lanes[i].lane];
        assert_int_equal(l->opa, gen2_lanes[i].opa);
        assert_int_equal(l->opb, gen2_lanes[i].opb);
        assert_int_equal(l->mux, gen2_lanes[i].mux);
    }
    dve_table_lane lane;
    dve_table_lane_of(4, UINT64_C(0xa00040000001438), &lane);
    assert_int_equal(lane.low, 0x1438);
    assert_int_equal(lane.high, 0x500);          /* bits 57 and 59, from bit 49 on */
    dve_table_lane_of(3, UINT64_C(1) << 32, &lane);
    assert_int_equal(lane.kind, DVE_LANE_IDLE);
    dve_table_lane_of(3, UINT64_C(1) << 20, &lane);
    assert_int_equal(lane.kind, DVE_LANE_CONFIG);
}

/* Selectors double from gen2 to gen3 for twelve opcodes, and stay from gen3 to gen4; none sets the bit below. */
static void printed_selectors(void **unused)
{
    static const struct { uint8_t op; uint64_t gen2, gen3; } doubled[] = {
        {0, 3, 6}, {73, 3, 6}, {77, 3, 6}, {102, 19, 38}, {105, 11, 22}, {106, 5, 10}, {107, 2, 4}, {130, 2, 4},
        {131, 2, 4}, {132, 2, 4}, {147, 2, 4}, {240, 6, 12}};
    (void)unused;
    printed_set(&first, 2, "default");
    printed_set(&second, 3, "default");
    for (size_t i = 0; i < LENGTH(doubled); i++) {
        dve_table_entry two, three;
        dve_table_opcode_diff diff;
        dve_table_entry_at(&first.set, (dve_wire_opcode){doubled[i].op}, &two);
        dve_table_entry_at(&second.set, (dve_wire_opcode){doubled[i].op}, &three);
        assert_int_equal(two.slow, doubled[i].gen2);
        assert_int_equal(three.slow, doubled[i].gen3);
        assert_int_equal(two.slow_alt, three.slow_alt);
        dve_table_compare_opcode(&first.set, &second.set, (dve_wire_opcode){doubled[i].op}, &diff);
        assert_false(diff.selector);
    }
    put_entry(&second, 3, 73, 0x0730);
    dve_table_opcode_diff diff;
    dve_table_compare_opcode(&first.set, &second.set, (dve_wire_opcode){73}, &diff);
    assert_true(diff.selector);
    assert_int_equal(diff.change, DVE_TABLE_CHANGED);
    dve_table_compare_opcode(&first.set, &second.set, (dve_wire_opcode){65}, &diff);
    assert_int_equal(diff.change, DVE_TABLE_CHANGED);          /* it gained a selector */
}

static void sizes(void **unused)
{
    static const uint32_t wanted[][DVE_TABLE_KEYS] = {
        {2048, 2048, 0, 0, 8192}, {1024, 0, 4096, 4096, 16384}, {1024, 0, 4096, 4096, 16384}};
    (void)unused;
    for (uint8_t gen = 2; gen <= 4; gen++)
        for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
            const dve_table_info *info = dve_table_of(gen, key);
            assert_int_equal(info ? info->bytes : 0, wanted[gen - 2][key]);
            if (!info)
                continue;
            assert_int_equal(info->rows * info->stride, info->bytes);
            assert_true(info->data <= info->stride);
            for (int wrong = 0; wrong < 4; wrong++) {
                dve_table_blob blobs[DVE_TABLE_KEYS];
                dve_table_set set;
                unsigned bad;
                for (unsigned k = 0; k < DVE_TABLE_KEYS; k++) {
                    const dve_table_info *i = dve_table_of(gen, k);
                    blobs[k] = i ? (dve_table_blob){first.bytes[k], i->bytes} : (dve_table_blob){NULL, 0};
                }
                blobs[key].size += wrong == 0 ? 1u : wrong == 1 ? (size_t)-1 : 0;
                if (wrong == 2)
                    blobs[key] = (dve_table_blob){NULL, 0};
                unsigned extra = gen == 2 ? DVE_TABLE_CONTROL_SLOW : DVE_TABLE_CONTROL;
                if (wrong == 3)
                    blobs[extra] = (dve_table_blob){first.bytes[extra], 4096};
                assert_int_equal(dve_table_set_make(gen, blobs, NULL, 0, &set, &bad), DVE_E_INPUT);
                assert_int_equal(bad, wrong == 3 ? extra : key);
                assert_null(set.table[DVE_TABLE_OPCODE]);
            }
        }
    assert_null(dve_table_of(5, DVE_TABLE_OPCODE));
    dve_table_blob none[DVE_TABLE_KEYS] = {{NULL, 0}};
    dve_table_set set;
    unsigned bad;
    assert_int_equal(dve_table_set_make(5, none, NULL, 0, &set, &bad), DVE_E_USAGE);
    assert_null(dve_table_key_name(DVE_TABLE_KEYS));
}

/* 46, 52, 59; what no source prints is marked as unknown. */
static void rosters(void **unused)
{
    static const struct { uint8_t gen; const char *set; uint8_t count, known; } sets[] = {
        {2, "default", 46, 46}, {2, "transformer", 47, 47}, {2, "transformer_fwd", 44, 0}, {2, "transformer_bwd", 45, 0},
        {2, "transformer_bwd2", 44, 0}, {3, "default", 52, 52}, {3, "transformer", 0, 0}, {3, "transformer_fwd", 0, 0},
        {3, "transformer_bwd", 0, 0}, {3, "transformer_bwd2", 0, 0}, {4, "default", 59, 59}, {4, "saturate", 59, 59},
        {4, "transformer", 43, 0}};
    size_t count;
    unsigned universe = 0;
    (void)unused;
    dve_isa_rosters(&count);
    assert_int_equal(count, LENGTH(sets));
    for (size_t i = 0; i < LENGTH(sets); i++) {
        uint8_t enabled[32];
        unsigned members = 0;
        const dve_roster_info *roster = dve_roster(sets[i].gen, sets[i].set);
        assert_non_null(roster);
        assert_int_equal(roster->count, sets[i].count);
        assert_int_equal(roster->known, sets[i].known);
        assert_int_equal(roster->conf == 'U', roster->known == 0);
        assert_int_equal(dve_roster_enable(roster, enabled), roster->known ? DVE_OK : DVE_E_USAGE);
        for (unsigned op = 0; op < 256; op++) {
            unsigned in = enabled[op / 8] >> op % 8 & 1;
            assert_int_equal(in, dve_roster_holds(roster, (uint8_t)op));
            members += in;
        }
        assert_int_equal(members, roster->known);
    }
    for (unsigned op = 0; op < 256; op++)
        for (size_t i = 0; i < LENGTH(sets); i++)
            if (dve_roster_holds(dve_roster(sets[i].gen, sets[i].set), (uint8_t)op)) {
                universe++;
                break;
            }
    assert_int_equal(universe, 65);
}

static void names(void **unused)
{
    static const uint8_t unknown2[] = {188, 224, 225, 226, 227, 233, 241, 242};
    (void)unused;
    for (unsigned op = 0; op < 256; op++) {
        int rostered = 0, lacks = memchr(unknown2, (int)op, sizeof unknown2) != NULL;
        for (uint8_t gen = 2; gen <= 4; gen++)
            rostered |= dve_roster_holds(dve_roster(gen, "default"), (uint8_t)op);
        if (rostered || lacks)
            assert_int_equal(strcmp(dve_wire_name((dve_wire_opcode){(uint8_t)op}, 2), "Unknown") == 0, lacks);
    }
    assert_string_equal(dve_wire_name((dve_wire_opcode){227}, 4), "QuantizeMX");
    assert_string_equal(dve_wire_name((dve_wire_opcode){227}, 3), "Unknown");
    assert_string_equal(dve_wire_name((dve_wire_opcode){188}, 3), "RangeSelect");
    assert_string_equal(dve_wire_name((dve_wire_opcode){65}, 9), "Unknown");
}

/* The trap: one number, two meanings. */
static void ordinals(void **unused)
{
    size_t count;
    const dve_ordinal_info *kind = dve_isa_ordinals(&count);
    (void)unused;
    assert_string_equal(dve_wire_name((dve_wire_opcode){96}, 4), "BatchNormStats");
    assert_string_equal(dve_ordinal((dve_compiler_ordinal){96})->name, "QuantizeMx");
    assert_int_equal(dve_ordinal((dve_compiler_ordinal){96})->wire[0], 227);
    assert_null(dve_ordinal((dve_compiler_ordinal){255}));
    assert_true(count >= 37);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || kind[i - 1].ordinal.value < kind[i].ordinal.value);
        assert_true(kind[i].count > 0);
        for (unsigned w = 0; w < kind[i].count; w++) {
            assert_non_null(dve_opcode(kind[i].wire[w]));
            assert_int_not_equal(kind[i].wire[w], kind[i].ordinal.value);
        }
    }
}

static void fingerprints(void **unused)
{
    size_t count;
    const dve_table_fingerprint *known = dve_table_fingerprints(&count);
    static const struct { uint8_t gen, key; const char *digest, *text; } digests[] = {
#define PRINTED_DIGEST(generation, key, digest, text) {generation, DVE_TABLE_##key, digest, text},
#include "../tables/printed.def"
    };
    size_t found = 0;
    (void)unused;
    assert_int_equal(count, LENGTH(digests));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            found += known[i].gen == digests[k].gen && known[i].key == digests[k].key && strcmp(known[i].set, "default") == 0 &&
                     strcmp(known[i].digest, digests[k].digest) == 0 && strcmp(known[i].text, digests[k].text) == 0;
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) {
        char hex[65], text[65];
        size_t digits = strcmp(known[i].digest, "md5") == 0 ? 32 : 64, length = strlen(known[i].text);
        memset(hex, '5', digits);
        hex[digits] = '\0';
        assert_false(dve_table_fingerprint_is(&known[i], hex));
        if (strstr(known[i].text, "...")) {
            assert_int_equal(length, 19);
            memcpy(hex, known[i].text, 8);
            assert_false(dve_table_fingerprint_is(&known[i], hex));
            memcpy(hex + digits - 8, known[i].text + 11, 8);
        } else {
            assert_int_equal(length, digits);
            memcpy(hex, known[i].text, digits);
        }
        assert_true(dve_table_fingerprint_is(&known[i], hex));
        memcpy(text, hex, sizeof text);
        text[3] = text[3] == '0' ? '1' : '0';
        assert_false(dve_table_fingerprint_is(&known[i], text));
        hex[digits - 1] = hex[digits - 1] == '0' ? '1' : '0';
        assert_false(dve_table_fingerprint_is(&known[i], hex));
        assert_false(dve_table_fingerprint_is(&known[i], ""));
    }
}

static void rows_have_sources(const char *sources)
{
    size_t count;
    const dve_source_info *source = dve_isa_sources(&count);
    while (*sources) {
        size_t span = strcspn(sources, ","), found = 0;
        for (size_t i = 0; i < count; i++)
            found += strlen(source[i].key) == span && strncmp(source[i].key, sources, span) == 0;
        assert_int_equal(found, 1);
        sources += span + (sources[span] == ',');
    }
}

static void sources(void **unused)
{
    size_t count;
    (void)unused;
#define LOOK_AT(rows) for (size_t i = 0; (void)(rows)(&count), i < count; i++) rows_have_sources((rows)(&count)[i].source)
    LOOK_AT(dve_isa_integrity);
    LOOK_AT(dve_isa_ordinals);
    LOOK_AT(dve_table_fingerprints);
    LOOK_AT(dve_table_lane_fields);
    LOOK_AT(dve_table_control_fields);
    for (uint8_t gen = 2; gen <= 4; gen++)
        for (unsigned key = 0; key < DVE_TABLE_KEYS; key++)
            if (dve_table_of(gen, key))
                rows_have_sources(dve_table_of(gen, key)->source);
    const dve_integrity_info *rule = dve_isa_integrity(&count);
    assert_int_equal(count, DVE_INTEGRITY_RULES);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(rule[i].id, rule[j].id);
}

typedef struct seen { unsigned of_rule[DVE_INTEGRITY_RULES]; unsigned count; } seen;

static void see(void *context, const dve_table_finding *f)
{
    seen *s = context;
    s->of_rule[f->rule]++;
    s->count++;
}

static void checking(void **unused)
{
    seen s = {{0}, 0};
    (void)unused;
    /* Printed values alone: most rows are missing, and each is told. */
    dve_table_set *set = printed_set(&first, 4, "default");
    size_t errors = dve_table_check(set, "default", &s, see);
    unsigned told = s.of_rule[DVE_INTEGRITY_RULE_control_row] + s.of_rule[DVE_INTEGRITY_RULE_slow_row] +
                    s.of_rule[DVE_INTEGRITY_RULE_orphan_block];
    assert_int_equal(errors, told);
    assert_true(told > 10);
    assert_int_equal(dve_table_check(set, "default", NULL, NULL), errors);
    assert_int_equal(s.of_rule[DVE_INTEGRITY_RULE_idle_slot], 0);
    assert_int_equal(s.of_rule[DVE_INTEGRITY_RULE_entry_gap_bit], 0);
    /* An enabled opcode whose entry goes is one error more. */
    memset(&s, 0, sizeof s);
    put_entry(&first, 4, 69, 0);
    dve_table_check(set, "default", &s, see);
    assert_int_equal(s.of_rule[DVE_INTEGRITY_RULE_rostered_slot], 1);
    /* Against a set of another generation nothing is said. */
    printed_set(&second, 3, "default");
    assert_int_equal(dve_table_check_pair(&second.set, set, "saturate", &s, see), 0);
}

/* Every observed count decides whether a census is that of the build, and an inferred one does not. */
static void known_counts(void **unused)
{
    (void)unused;
#define SLOTS slots
#define SLOW_SLOTS slow_slots
#define MAX_ENTRY max_entry
#define CONTROL_ROWS control_rows
#define SLOW_ROWS slow_rows
#define WORDS words
#define IDLE_WORDS idle_words
#define CONFIG_WORDS config_words
#define ZERO_BLOCKS zero_blocks
#define PASS_BLOCKS pass_blocks
#define ACTIVE_BLOCKS active_blocks
    dve_table_census known[3] = {{0}};
    uint32_t observed[3] = {0};
#define FIGURE(generation, name, value, source, conf) \
    known[(generation) - 2].name = value;             \
    observed[(generation) - 2] += #conf[0] != 'I';
#include <opendve/isa/tables.def>
    for (uint8_t gen = 2; gen <= 4; gen++)
        assert_int_equal(dve_table_census_matches(gen, &known[gen - 2]), observed[gen - 2]);
#define FIGURE(generation, name, value, source, conf)                                                \
    do {                                                                                             \
        dve_table_census other = known[(generation) - 2];                                            \
        other.name++;                                                                                \
        assert_int_equal(dve_table_census_matches(generation, &other), #conf[0] == 'I' ? observed[(generation) - 2] : 0); \
    } while (0);
#include <opendve/isa/tables.def>
    assert_int_equal(dve_table_census_matches(3, &known[2]), 0);
    assert_int_equal(dve_table_census_matches(5, &known[2]), 0);
}

static void comparing(void **unused)
{
    dve_table_diff d;
    (void)unused;
    dve_table_set *a = printed_set(&first, 4, "default"), *b = printed_set(&second, 4, "default");
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        dve_table_compare(a, b, key, &d);
        assert_int_equal(d.comparable, dve_table_of(4, key) != NULL);
        assert_int_equal(d.bytes, 0);
        assert_int_equal(d.first_byte, DVE_NOWHERE);
    }
    second.bytes[DVE_TABLE_DATAPATH][9161] ^= 0x40;
    second.bytes[DVE_TABLE_DATAPATH][9169] ^= 0x40;
    second.bytes[DVE_TABLE_DATAPATH][9300] ^= 1;
    dve_table_compare(a, b, DVE_TABLE_DATAPATH, &d);
    assert_int_equal(d.words, 3);
    assert_int_equal(d.patterns, 2);
    assert_int_equal(d.rows, 2);
    assert_int_equal(d.first_byte, 9161);
    assert_int_equal(d.first_row, 143);
    assert_int_equal(d.last_row, 145);
}

/* A set says what the vector engine runs, and nothing of other engines (R23). */
static void gating(void **unused)
{
    dve_machine_config config;
    watched w;
    dve_record record;
    float scores[16] = {1, 5, 3, 2, 9, 7, 4, 8, 6, 0, 2, 2, 1, 1, 3, 3};
    (void)unused;
    for (int with_search = 0; with_search < 2; with_search++) {
        dve_machine_defaults(&config);
        assert_int_equal(config.gated, 0);
        config.gen = 2;
        config.gated = 1;
        assert_int_equal(dve_roster_enable(dve_roster(2, with_search ? "default" : "transformer"), config.enabled), DVE_OK);
        watch(&w, &config);
        put_floats(&w, 0, 0, scores, 16);
        record_base(DVE_OPCODE_MAX8, &record);
        record_place(&record, DVE_ACCESS_READ, sbuf(0, 0), 1, 16);
        record_place(&record, DVE_ACCESS_WRITE, sbuf(0, 256), 1, 8);
        SET(&record, S4D2_BN_num_active_channels, 1);
        assert_int_equal(run(&w, &record), with_search ? DVE_OK : DVE_E_FINDING);
        assert_int_equal(w.stop.reason, with_search ? DVE_REFUSED_NOT : DVE_REFUSED_DISABLED);
        assert_int_equal(w.steps, with_search);
        assert_int_equal(get_word(&w, 0, 256, 4), with_search ? 0x40400000 : 0);      /* the 8th largest: 3 */
        /* Illegal comes before disabled. */
        SET(&record, S4D2_BN_num_active_channels, 0);
        assert_int_equal(run(&w, &record), DVE_E_FINDING);
        assert_int_equal(w.stop.reason, DVE_REFUSED_ILLEGAL);
        unwatch(&w);
    }
    /* Nothing is enabled: a record of the pool engine runs all the same. */
    dve_machine_defaults(&config);
    config.gated = 1;
    watch(&w, &config);
    record_base(DVE_OPCODE_NONZERO_WITH_COUNT, &record);
    run(&w, &record);
    assert_int_not_equal(w.stop.reason, DVE_REFUSED_DISABLED);
    record_base(DVE_OPCODE_MAX8, &record);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_DISABLED);
    unwatch(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_entries), cmocka_unit_test(printed_offsets), cmocka_unit_test(printed_rows), cmocka_unit_test(printed_words),
        cmocka_unit_test(printed_selectors), cmocka_unit_test(sizes), cmocka_unit_test(rosters), cmocka_unit_test(names),
        cmocka_unit_test(ordinals), cmocka_unit_test(fingerprints), cmocka_unit_test(sources), cmocka_unit_test(checking), cmocka_unit_test(known_counts),
        cmocka_unit_test(comparing), cmocka_unit_test(gating)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
