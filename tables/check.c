/* SPDX-License-Identifier: Apache-2.0 */
/* Integrity of one set: opcodes and entries. Rows and blocks are judged in check_rows.c. */
#include "check.h"
#include <string.h>

void dve_table_tell(dve_table_checker *c, dve_table_finding finding)
{
    size_t count;
    int of_a_build = finding.rule == DVE_INTEGRITY_RULE_saturate_figures || finding.rule == DVE_INTEGRITY_RULE_transformer_figures;
    finding.severity = of_a_build && c->build_unknown ? DVE_INTEGRITY_INFO : dve_isa_integrity(&count)[finding.rule].severity;
    c->errors += finding.severity == DVE_INTEGRITY_ERROR;
    if (c->report)
        c->report(c->context, &finding);
}

static dve_table_finding at_opcode(uint16_t rule, unsigned opcode, uint64_t given, uint64_t wanted)
{
    dve_table_finding f = DVE_FINDING_OF(rule);
    f.opcode = (int16_t)opcode;
    f.key = DVE_TABLE_OPCODE;
    f.given = given;
    f.wanted = wanted;
    return f;
}

static void entry_at(const dve_table_checker *c, unsigned opcode, dve_table_entry *out)
{
    *out = c->entry[opcode];
}

static void note_used(dve_table_checker *c, unsigned key)
{
    const dve_table_info *info = dve_table_of(c->set->gen, key);
    for (uint32_t row = 0; info && row < info->rows; row++)
        if (dve_table_row_used(c->set, key, row))
            c->used[key][row / 8] |= (uint8_t)(1u << row % 8);
}

static void prepare(dve_table_checker *c)
{
    dve_table_enable(c->set, c->enabled);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_entry_read(c->set, op, &c->entry[op]);
        c->entry[op].enabled = (uint8_t)dve_bit(c->enabled, op);
    }
    memset(c->used, 0, sizeof c->used);
    note_used(c, dve_table_control_key(c->set->gen));
    note_used(c, DVE_TABLE_CONTROL_SLOW);
}

/* Some published set enables it: the universe of 65. Three opcodes are in sets alone whose rosters are known. */
static int published(unsigned opcode)
{
    size_t count;
    const dve_roster_info *roster = dve_isa_rosters(&count);
    for (size_t i = 0; i < count; i++)
        if (dve_roster_holds(&roster[i], (uint8_t)opcode))
            return 1;
    return 0;
}

static void check_ops(dve_table_checker *c)
{
    const dve_table_set *set = c->set;
    for (size_t i = 0; i < set->ops_count; i++)
        if (set->ops[i] < 1 || set->ops[i] > 255) {
            dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_ops_range);
            f.given = (uint64_t)(int64_t)set->ops[i];
            dve_table_tell(c, f);
        }
    for (size_t i = 1; i < set->ops_count; i++)
        if (set->ops[i] <= set->ops[i - 1]) {
            dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_ops_order);
            f.given = (uint64_t)(int64_t)set->ops[i];
            f.wanted = (uint64_t)(int64_t)set->ops[i - 1];
            dve_table_tell(c, f);
        }
    for (unsigned op = 1; op < DVE_TABLE_SLOTS; op++)
        if (dve_bit(c->enabled, op) && !published(op)) {
            dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_known_opcode);
            f.opcode = (int16_t)op;
            dve_table_tell(c, f);
        }
    const dve_roster_info *bound = dve_roster(set->gen, c->name);
    for (unsigned op = 1; op < DVE_TABLE_SLOTS && bound && !bound->known; op++)
        if (dve_table_enabled(set, (dve_wire_opcode){(uint8_t)op}) && !dve_roster_may_hold(bound, (uint8_t)op)) {
            dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_possible_opcode);
            f.opcode = (int16_t)op;
            dve_table_tell(c, f);
        }
}

static int is_resident(uint8_t gen, unsigned opcode)
{
    static const struct { uint8_t gen, opcode; } residents[] = {
#define RESIDENT(generation, opcode, source, conf) {generation, opcode},
#include <opendve/isa/tables.def>
    };
    for (size_t i = 0; i < sizeof residents / sizeof residents[0]; i++)
        if (residents[i].gen == gen && residents[i].opcode == opcode)
            return 1;
    return 0;
}

/* Entries against `ops`. */
static void check_roster(dve_table_checker *c)
{
    dve_table_entry e;
    for (unsigned op = 1; op < DVE_TABLE_SLOTS; op++) {
        entry_at(c, op, &e);
        if (e.enabled && !e.raw)
            dve_table_tell(c, at_opcode(DVE_INTEGRITY_RULE_rostered_slot, op, 0, 0));
    }
    for (unsigned op = 1; op < DVE_TABLE_SLOTS; op++) {
        entry_at(c, op, &e);
        if (!e.enabled && e.raw && !is_resident(c->set->gen, op))
            dve_table_tell(c, at_opcode(DVE_INTEGRITY_RULE_unrostered_slot, op, e.raw, 0));
    }
    entry_at(c, 0, &e);
    if (e.raw != c->layout->idle_entry)
        dve_table_tell(c, at_opcode(DVE_INTEGRITY_RULE_idle_slot, 0, e.raw, c->layout->idle_entry));
    if (e.enabled)
        dve_table_tell(c, at_opcode(DVE_INTEGRITY_RULE_idle_rostered, 0, 0, 0));
}

/* gen2 has no table that its selector could leave; what it never sets are the bits above 11. */
static void check_bits(dve_table_checker *c)
{
    int split = c->set->table[DVE_TABLE_CONTROL_SLOW] != NULL;
    dve_table_entry e;
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        entry_at(c, op, &e);
        if (split && e.slow >= DVE_TABLE_MAX_ROWS)
            dve_table_tell(c, at_opcode(DVE_INTEGRITY_RULE_selector_range, op, e.slow, DVE_TABLE_MAX_ROWS - 1));
    }
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        entry_at(c, op, &e);
        if (e.raw >> (split ? 16 : 12))
            dve_table_tell(c, at_opcode(DVE_INTEGRITY_RULE_entry_high_bits, op, e.raw, split ? 16 : 12));
    }
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        entry_at(c, op, &e);
        if (e.gap)
            dve_table_tell(c, at_opcode(DVE_INTEGRITY_RULE_entry_gap_bit, op, e.raw, 0));
    }
}

/* Entries whose rows hold nothing. */
static void check_rows_reached(dve_table_checker *c)
{
    unsigned control = dve_table_control_key(c->set->gen);
    dve_table_entry e;
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        entry_at(c, op, &e);
        if (!e.raw || dve_bit(c->used[control], e.row))
            continue;
        dve_table_finding f = at_opcode(DVE_INTEGRITY_RULE_control_row, op, e.row, 0);
        f.row = (int16_t)e.row;
        f.key = (int16_t)control;
        dve_table_tell(c, f);
    }
    for (unsigned op = 0; op < DVE_TABLE_SLOTS && c->set->table[DVE_TABLE_CONTROL_SLOW]; op++) {
        entry_at(c, op, &e);
        if (!e.slow || e.slow >= DVE_TABLE_MAX_ROWS || dve_bit(c->used[DVE_TABLE_CONTROL_SLOW], (uint32_t)e.slow))
            continue;
        dve_table_finding f = at_opcode(DVE_INTEGRITY_RULE_slow_row, op, e.slow, 0);
        f.row = (int16_t)e.slow;
        f.key = DVE_TABLE_CONTROL_SLOW;
        dve_table_tell(c, f);
    }
}

size_t dve_table_check(const dve_table_set *set, const char *name, void *context, dve_table_report *report)
{
    dve_table_checker c = {.set = set, .name = name, .context = context, .report = report};
    c.layout = dve_table_layout_of(set->gen);
    prepare(&c);
    check_ops(&c);
    check_roster(&c);
    check_bits(&c);
    check_rows_reached(&c);
    dve_table_check_rows(&c);
    return c.errors;
}
