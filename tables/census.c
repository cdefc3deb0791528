/* SPDX-License-Identifier: Apache-2.0 */
/* What a set holds, in numbers. */
#include "tables.h"
#include <string.h>

static void count_slots(const dve_table_set *set, dve_table_census *out)
{
    uint8_t enabled[32];
    dve_table_enable(set, enabled);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_entry entry;
        dve_table_entry_read(set, op, &entry);
        out->slots += entry.raw != 0;
        out->slow_slots += entry.slow != 0;
        out->disabled_slots += op && entry.raw && !dve_bit(enabled, op);
        if (entry.raw > out->max_entry)
            out->max_entry = entry.raw;
    }
}

static void count_rows(const dve_table_set *set, dve_table_census *out)
{
    static const uint8_t backbone[3] = {0xc3, 0x30, 0x0c};
    unsigned control = dve_table_control_key(set->gen);
    unsigned spine = set->table[DVE_TABLE_CONTROL_SLOW] ? DVE_TABLE_CONTROL_SLOW : control;
    for (uint32_t row = 0; row < dve_table_of(set->gen, control)->rows; row++) {
        out->control_rows += (uint32_t)dve_table_row_used(set, control, row);
        out->slow_rows += (uint32_t)dve_table_row_used(set, DVE_TABLE_CONTROL_SLOW, row);
        out->backbone_rows += memcmp(dve_table_row(set, spine, row) + 1, backbone, sizeof backbone) == 0;
    }
}

static void count_blocks(const dve_table_set *set, dve_table_census *out)
{
    for (uint32_t row = 0; row < dve_table_of(set->gen, DVE_TABLE_DATAPATH)->rows; row++) {
        dve_table_words block;
        dve_table_words_at(set, row, &block);
        out->zero_blocks += block.kind == DVE_BLOCK_ZERO;
        out->pass_blocks += block.kind == DVE_BLOCK_PASS;
        out->active_blocks += block.kind == DVE_BLOCK_ACTIVE;
        out->config_words += block.configured;
        for (unsigned l = 0; l < DVE_TABLE_LANES; l++) {
            out->words += block.word[l] != 0;
            out->idle_words += block.lane[l] == DVE_LANE_IDLE;
        }
    }
}

void dve_table_count(const dve_table_set *set, dve_table_census *out)
{
    memset(out, 0, sizeof *out);
    count_slots(set, out);
    count_rows(set, out);
    count_blocks(set, out);
}

size_t dve_table_figures(uint8_t gen, const dve_table_census *count, dve_table_figure out[DVE_TABLE_FIGURES])
{
    size_t figures = 0;
    const struct { uint8_t gen; dve_table_figure figure; } every[] = {
#define GIVEN_SLOTS count->slots
#define GIVEN_SLOW_SLOTS count->slow_slots
#define GIVEN_MAX_ENTRY count->max_entry
#define GIVEN_CONTROL_ROWS count->control_rows
#define GIVEN_SLOW_ROWS count->slow_rows
#define GIVEN_WORDS count->words
#define GIVEN_IDLE_WORDS count->idle_words
#define GIVEN_CONFIG_WORDS count->config_words
#define GIVEN_ZERO_BLOCKS count->zero_blocks
#define GIVEN_PASS_BLOCKS count->pass_blocks
#define GIVEN_ACTIVE_BLOCKS count->active_blocks
#define FIGURE(generation, name, value, source, conf) {generation, {#name, GIVEN_##name, value, #conf[0]}},
#include <opendve/isa/tables.def>
    };
    for (size_t i = 0; i < sizeof every / sizeof every[0]; i++)
        if (every[i].gen == gen && figures < DVE_TABLE_FIGURES)
            out[figures++] = every[i].figure;
    return figures;
}

/* Counts that a page only infers do not decide: one page gives gen3 gen4's number of control rows. */
uint32_t dve_table_census_matches(uint8_t gen, const dve_table_census *census)
{
    dve_table_figure figure[DVE_TABLE_FIGURES];
    size_t figures = dve_table_figures(gen, census, figure);
    uint32_t met = 0;
    for (size_t i = 0; i < figures; i++) {
        if (figure[i].conf == 'I')
            continue;
        if (figure[i].given != figure[i].wanted)
            return 0;
        met++;
    }
    return met;
}

uint32_t dve_table_unreferenced(const dve_table_set *set, unsigned key, uint8_t rows[32])
{
    const dve_table_info *info = dve_table_of(set->gen, key);
    uint8_t reached[32] = {0};
    uint32_t count = 0;
    memset(rows, 0, 32);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_entry entry;
        dve_table_entry_read(set, op, &entry);
        uint64_t row = key == DVE_TABLE_CONTROL_SLOW ? entry.slow : entry.row;
        if (entry.raw && row < DVE_TABLE_MAX_ROWS && (key != DVE_TABLE_CONTROL_SLOW || row))
            reached[row / 8] |= (uint8_t)(1u << row % 8);
    }
    for (uint32_t row = 0; info && row < info->rows; row++) {
        if (!dve_table_row_used(set, key, row) || dve_bit(reached, row))
            continue;
        rows[row / 8] |= (uint8_t)(1u << row % 8);
        count++;
    }
    return count;
}
