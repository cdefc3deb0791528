/* SPDX-License-Identifier: Apache-2.0 */
/* Table sets as views of bytes, and the rows of isa/tables.def, isa/integrity.def and isa/ordinals.def. */
#include "tables.h"
#include <string.h>

#define CONF(letter) (#letter)[0]
#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* By generation and key, because every row and word that is read asks; zeros where there is no table. */
static const dve_table_info tables[][DVE_TABLE_KEYS] = {
#define TABLE(generation, key, bytes, rows, data, source, conf) \
    [generation - DVE_GEN_FIRST][DVE_TABLE_##key] =             \
        {generation, DVE_TABLE_##key, bytes, rows, (bytes) / (rows), data, source, CONF(conf)},
#include <opendve/isa/tables.def>
};

static const dve_table_fingerprint fingerprints[] = {
#define FINGERPRINT(generation, set, key, digest, text, source, conf) \
    {generation, DVE_TABLE_##key, set, digest, text, source, CONF(conf)},
#include <opendve/isa/tables.def>
};

static const dve_table_field lane_fields[] = {
#define LANE_FIELD(generation, name, bit, width, meaning, source, conf) \
    {generation, DVE_TABLE_DATAPATH, #name, bit, width, meaning, source, CONF(conf)},
#include <opendve/isa/tables.def>
};

static const dve_table_field control_fields[] = {
#define CONTROL_FIELD(key, name, byte, bytes, meaning, source, conf) \
    {0, DVE_TABLE_##key, name, byte, bytes, meaning, source, CONF(conf)},
#include <opendve/isa/tables.def>
};

static const dve_integrity_info integrity[] = {
#define INTEGRITY(id, severity, scope, question, source, conf) \
    {#id, DVE_INTEGRITY_##severity, #scope, question, source, CONF(conf)},
#include <opendve/isa/integrity.def>
};

#define MEMBERS(...) (const uint8_t[]){__VA_ARGS__}
static const dve_ordinal_info ordinals[] = {
#define ORDINAL(ordinal, name, note, source, conf, ...) \
    {{ordinal}, name, note, sizeof MEMBERS(__VA_ARGS__), MEMBERS(__VA_ARGS__), source, CONF(conf)},
#include <opendve/isa/ordinals.def>
};

/* Positions as constants, so that the layouts below can name them. */
enum {
#define LANE_FIELD(generation, name, bit, width, meaning, source, conf) LANE_##generation##_##name = bit,
#include <opendve/isa/tables.def>
#define LANE_TOP(generation, highest, absent, source, conf) TOP_##generation = highest, ABSENT_##generation = absent,
#include <opendve/isa/tables.def>
};

static const dve_table_layout layouts[] = {
#define ENTRY(generation, row_bits, idle, source, conf)                                                          \
    {row_bits, LANE_##generation##_VALID, LANE_##generation##_MODE, LANE_##generation##_STAGE, TOP_##generation, \
     idle, ABSENT_##generation},
#include <opendve/isa/tables.def>
};

const dve_table_layout *dve_table_layout_of(uint8_t gen)
{
    return gen >= DVE_GEN_FIRST && gen - DVE_GEN_FIRST < (int)ROWS(layouts) ? &layouts[gen - DVE_GEN_FIRST] : NULL;
}

const char *dve_table_key_name(unsigned key)
{
    static const char *const names[] = {
#define TABLE_KEY(key, name) name,
#include <opendve/isa/tables.def>
    };
    return key < ROWS(names) ? names[key] : NULL;
}

const dve_table_info *dve_table_of(uint8_t gen, unsigned key)
{
    unsigned at = (unsigned)gen - DVE_GEN_FIRST;
    return at < ROWS(tables) && key < DVE_TABLE_KEYS && tables[at][key].bytes ? &tables[at][key] : NULL;
}

const dve_table_fingerprint *dve_table_fingerprints(size_t *count)
{
    *count = ROWS(fingerprints);
    return fingerprints;
}

int dve_table_fingerprint_is(const dve_table_fingerprint *known, const char *hex)
{
    size_t head = 0, length = strlen(hex), whole = strlen(known->text);
    while (known->text[head] && known->text[head] != '.')
        head++;
    if (head == whole)
        return length == whole && memcmp(known->text, hex, whole) == 0;
    size_t tail = whole - head - 3;              /* "..." */
    return length >= head + tail && memcmp(known->text, hex, head) == 0 &&
           memcmp(known->text + head + 3, hex + length - tail, tail) == 0;
}

const dve_table_field *dve_table_lane_fields(size_t *count)
{
    *count = ROWS(lane_fields);
    return lane_fields;
}

const dve_table_field *dve_table_control_fields(size_t *count)
{
    *count = ROWS(control_fields);
    return control_fields;
}

const dve_integrity_info *dve_isa_integrity(size_t *count)
{
    *count = ROWS(integrity);
    return integrity;
}

const dve_ordinal_info *dve_isa_ordinals(size_t *count)
{
    *count = ROWS(ordinals);
    return ordinals;
}

const dve_ordinal_info *dve_ordinal(dve_compiler_ordinal ordinal)
{
    for (size_t i = 0; i < ROWS(ordinals); i++)
        if (ordinals[i].ordinal.value == ordinal.value)
            return &ordinals[i];
    return NULL;
}

const char *dve_wire_name(dve_wire_opcode opcode, uint8_t gen)
{
    const dve_opcode_info *info = dve_opcode(opcode.value);
    char mark = info && dve_generation(gen) ? info->gens[gen - DVE_GEN_FIRST] : '-';
    return mark == '-' || mark == 'X' ? "Unknown" : info->name;
}

dve_table_key dve_table_control_key(uint8_t gen)
{
    return dve_table_of(gen, DVE_TABLE_CONTROL) ? DVE_TABLE_CONTROL : DVE_TABLE_CONTROL_FAST;
}

dve_status dve_table_set_make(uint8_t gen, const dve_table_blob blobs[DVE_TABLE_KEYS], const int32_t *ops,
                              size_t ops_count, dve_table_set *out, unsigned *bad)
{
    memset(out, 0, sizeof *out);
    *bad = DVE_TABLE_KEYS;
    if (!dve_table_layout_of(gen))
        return DVE_E_USAGE;
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        const dve_table_info *info = dve_table_of(gen, key);
        if ((info != NULL) != (blobs[key].bytes != NULL) || (info && info->bytes != blobs[key].size)) {
            memset(out, 0, sizeof *out);
            *bad = key;
            return DVE_E_INPUT;
        }
        out->table[key] = blobs[key].bytes;
    }
    out->gen = gen;
    out->ops = ops;
    out->ops_count = ops_count;
    return DVE_OK;
}

int dve_table_enabled(const dve_table_set *set, dve_wire_opcode opcode)
{
    for (size_t i = 0; i < set->ops_count; i++)
        if (set->ops[i] == opcode.value)
            return 1;
    return 0;
}

static void enable(uint8_t enabled[32], int32_t opcode)
{
    if (opcode >= 0 && opcode < DVE_TABLE_SLOTS)
        enabled[opcode / 8] |= (uint8_t)(1u << opcode % 8);
}

void dve_table_enable(const dve_table_set *set, uint8_t enabled[32])
{
    memset(enabled, 0, 32);
    for (size_t i = 0; i < set->ops_count; i++)
        enable(enabled, set->ops[i]);
}

dve_status dve_roster_enable(const dve_roster_info *roster, uint8_t enabled[32])
{
    memset(enabled, 0, 32);
    for (unsigned i = 0; i < roster->known; i++)
        enable(enabled, roster->opcode[i]);
    return roster->known ? DVE_OK : DVE_E_USAGE;
}
