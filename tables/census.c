/* SPDX-License-Identifier: Apache-2.0 */
/* What a set holds, in numbers. */
#include "tables.h"
#include <string.h>

static void count_slots(const dve_table_set *set, dve_table_census *out)
{
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_entry entry;
        dve_table_entry_at(set, (dve_wire_opcode){(uint8_t)op}, &entry);
        out->slots += entry.raw != 0;
        out->slow_slots += entry.slow != 0;
        out->disabled_slots += op && entry.raw && !entry.enabled;
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
        dve_table_block block;
        dve_table_block_at(set, row, &block);
        out->zero_blocks += block.kind == DVE_BLOCK_ZERO;
        out->pass_blocks += block.kind == DVE_BLOCK_PASS;
        out->active_blocks += block.kind == DVE_BLOCK_ACTIVE;
        out->config_words += block.configured;
        for (unsigned l = 0; l < DVE_TABLE_LANES; l++) {
            out->words += block.lane[l].word != 0;
            out->idle_words += block.lane[l].kind == DVE_LANE_IDLE;
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

uint32_t dve_table_unreferenced(const dve_table_set *set, unsigned key, uint8_t rows[32])
{
    const dve_table_info *info = dve_table_of(set->gen, key);
    uint8_t reached[32] = {0};
    uint32_t count = 0;
    memset(rows, 0, 32);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_entry entry;
        dve_table_entry_at(set, (dve_wire_opcode){(uint8_t)op}, &entry);
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
