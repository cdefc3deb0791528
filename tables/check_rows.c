/* SPDX-License-Identifier: Apache-2.0 */
/* Integrity of one set: control rows, datapath blocks, counts. */
#include "check.h"
#include <string.h>

static dve_table_finding at_row(uint16_t rule, unsigned key, uint32_t row)
{
    dve_table_finding f = DVE_FINDING_OF(rule);
    f.key = (int16_t)key;
    f.row = (int16_t)row;
    return f;
}

/* Control tables of the set, one or two. */
static unsigned control_keys(const dve_table_set *set, unsigned key[2])
{
    key[0] = dve_table_control_key(set->gen);
    key[1] = DVE_TABLE_CONTROL_SLOW;
    return set->table[key[1]] ? 2 : 1;
}

static void check_reserved(dve_table_checker *c)
{
    unsigned key[2], keys = control_keys(c->set, key);
    for (unsigned k = 0; k < keys; k++) {
        const dve_table_info *info = dve_table_of(c->set->gen, key[k]);
        for (uint32_t at = 0; at < info->bytes; at++) {
            if (at % info->stride < info->data || !c->set->table[key[k]][at])
                continue;
            dve_table_finding f = at_row(DVE_INTEGRITY_RULE_reserved_bytes, key[k], at / info->stride);
            f.byte = at;
            f.given = c->set->table[key[k]][at];
            dve_table_tell(c, f);
        }
    }
}

/* The first unused row that a used one follows. */
static void check_prefix(dve_table_checker *c)
{
    unsigned key[2], keys = control_keys(c->set, key);
    for (unsigned k = 0; k < keys; k++) {
        uint32_t rows = dve_table_of(c->set->gen, key[k])->rows, last = rows;
        while (last && !dve_bit(c->used[key[k]], last - 1))
            last--;
        for (uint32_t row = 0; row < last; row++)
            if (!dve_bit(c->used[key[k]], row)) {
                dve_table_finding f = at_row(DVE_INTEGRITY_RULE_rows_prefix, key[k], row);
                f.given = last - 1;
                dve_table_tell(c, f);
            }
    }
}

static void check_agreement(dve_table_checker *c)
{
    unsigned key[2];
    if (control_keys(c->set, key) != 2)
        return;
    for (uint32_t row = 0; row < DVE_TABLE_MAX_ROWS; row++) {
        int fast = dve_bit(c->used[key[0]], row), slow = dve_bit(c->used[key[1]], row);
        if (fast != slow)
            dve_table_tell(c, at_row(DVE_INTEGRITY_RULE_rows_agree, key[fast ? 1 : 0], row));
    }
}

static void check_orphans(dve_table_checker *c)
{
    unsigned control = dve_table_control_key(c->set->gen);
    uint32_t rows = dve_table_of(c->set->gen, DVE_TABLE_DATAPATH)->rows;
    for (uint32_t row = 0; row < rows; row++) {
        dve_table_words block;
        dve_table_words_at(c->set, row, &block);
        if (block.kind != DVE_BLOCK_ACTIVE || dve_bit(c->used[control], row))
            continue;
        dve_table_finding f = at_row(DVE_INTEGRITY_RULE_orphan_block, DVE_TABLE_DATAPATH, row);
        f.given = block.configured;
        dve_table_tell(c, f);
    }
}

static void tell_lane(dve_table_checker *c, uint16_t rule, uint32_t row, uint32_t lane, uint64_t given, uint64_t wanted)
{
    dve_table_finding f = at_row(rule, DVE_TABLE_DATAPATH, row);
    f.lane = (int16_t)lane;
    f.byte = (int64_t)row * DVE_TABLE_BLOCK_BYTES + 8 * lane;
    f.given = given;
    f.wanted = wanted;
    dve_table_tell(c, f);
}

static void check_lane_bits(dve_table_checker *c)
{
    uint64_t allowed = (((UINT64_C(1) << c->layout->top) << 1) - 1) & ~c->layout->absent;
    uint32_t rows = dve_table_of(c->set->gen, DVE_TABLE_DATAPATH)->rows;
    for (uint32_t row = 0; row < rows; row++) {
        dve_table_words block;
        dve_table_words_at(c->set, row, &block);
        for (uint32_t l = 0; l < DVE_TABLE_LANES; l++)
            if (block.word[l] & ~allowed)
                tell_lane(c, DVE_INTEGRITY_RULE_lane_bits, row, l, block.word[l], allowed);
    }
}

/* Configured lanes, then idle ones, then zeros. */
static void check_packing(dve_table_checker *c)
{
    uint32_t rows = dve_table_of(c->set->gen, DVE_TABLE_DATAPATH)->rows;
    for (uint32_t row = 0; row < rows; row++) {
        dve_table_words block;
        dve_table_words_at(c->set, row, &block);
        for (uint32_t l = 1; l < DVE_TABLE_LANES; l++)
            if (block.lane[l] > block.lane[l - 1])
                tell_lane(c, DVE_INTEGRITY_RULE_left_packing, row, l, block.word[l], block.word[l - 1]);
    }
}

static void check_known_blocks(dve_table_checker *c)
{
    static const struct { uint8_t gen, opcode, kind, configured; } known[] = {
#define BLOCK(generation, opcode, class, lanes, source, conf) {generation, opcode, DVE_BLOCK_##class, lanes},
#include <opendve/isa/tables.def>
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0] && strcmp(c->name, "default") == 0; i++) {
        dve_table_path path;
        if (known[i].gen != c->set->gen)
            continue;
        dve_table_look_up(c->set, (dve_wire_opcode){known[i].opcode}, &path);
        if (!path.entry.raw)
            continue;
        if (path.block.kind == known[i].kind && path.block.configured == known[i].configured)
            continue;
        dve_table_finding f = at_row(DVE_INTEGRITY_RULE_known_block, DVE_TABLE_DATAPATH, path.entry.row);
        f.opcode = known[i].opcode;
        f.given = (uint64_t)path.block.kind << 8 | path.block.configured;
        f.wanted = (uint64_t)known[i].kind << 8 | known[i].configured;
        dve_table_tell(c, f);
    }
}

static void tell_unreferenced(dve_table_checker *c)
{
    unsigned key[2], keys = control_keys(c->set, key);
    for (unsigned k = 0; k < keys; k++) {
        uint8_t rows[32];
        dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_unreferenced_row);
        f.key = (int16_t)key[k];
        f.given = dve_table_unreferenced(c->set, key[k], rows);
        if (f.given)
            dve_table_tell(c, f);
    }
}

static void tell_figures(dve_table_checker *c)
{
    dve_table_census count;
    dve_table_count(c->set, &count);
    dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_slow_backbone);
    f.key = (int16_t)(c->set->table[DVE_TABLE_CONTROL_SLOW] ? DVE_TABLE_CONTROL_SLOW : DVE_TABLE_CONTROL);
    f.given = count.backbone_rows;
    if (f.given || f.key == DVE_TABLE_CONTROL_SLOW)
        dve_table_tell(c, f);
    dve_table_figure figure[DVE_TABLE_FIGURES];
    size_t figures = strcmp(c->name, "default") == 0 ? dve_table_figures(c->set->gen, &count, figure) : 0;
    for (size_t i = 0; i < figures; i++) {
        if (figure[i].given == figure[i].wanted)
            continue;
        f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_census);
        f.what = figure[i].what;
        f.given = figure[i].given;
        f.wanted = figure[i].wanted;
        dve_table_tell(c, f);
    }
    f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_census_match);
    f.given = figures ? dve_table_census_matches(c->set->gen, &count) : 0;
    if (f.given)
        dve_table_tell(c, f);
}

void dve_table_check_rows(dve_table_checker *c)
{
    check_reserved(c);
    check_prefix(c);
    check_agreement(c);
    check_orphans(c);
    check_lane_bits(c);
    check_packing(c);
    check_known_blocks(c);
    tell_unreferenced(c);
    tell_figures(c);
}
