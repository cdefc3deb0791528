/* SPDX-License-Identifier: Apache-2.0 */
/* From an opcode to the rows and lanes that it reaches. */
#include "tables.h"
#include <string.h>

uint64_t dve_table_number(const uint8_t *bytes, uint32_t size)
{
    uint64_t number = 0;
    if (size == 8)
        return dve_table_eight(bytes);
    for (uint32_t i = size; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

const uint8_t *dve_table_row(const dve_table_set *set, unsigned key, uint64_t row)
{
    const dve_table_info *info = dve_table_of(set->gen, key);
    return info && row < info->rows ? set->table[key] + row * info->stride : NULL;
}

int dve_table_row_used(const dve_table_set *set, unsigned key, uint64_t row)
{
    const dve_table_info *info = dve_table_of(set->gen, key);
    const uint8_t *bytes = dve_table_row(set, key, row);
    for (uint32_t i = 0; bytes && i < info->stride; i++)
        if (bytes[i])
            return 1;
    return 0;
}

void dve_table_entry_read(const dve_table_set *set, unsigned opcode, dve_table_entry *out)
{
    const dve_table_layout *layout = dve_table_layout_of(set->gen);
    const dve_table_info *info = dve_table_of(set->gen, DVE_TABLE_OPCODE);
    memset(out, 0, sizeof *out);
    out->raw = dve_table_number(dve_table_row(set, DVE_TABLE_OPCODE, opcode), info->stride);
    out->row = (uint32_t)(out->raw & ((UINT64_C(1) << layout->row_bits) - 1));
    out->slow = out->raw >> layout->row_bits;
    /* From gen3 on a bit lies between row and selector that no known entry sets; without it the numbers of all
     * generations are the same. */
    int split = set->table[DVE_TABLE_CONTROL_SLOW] != NULL;
    out->slow_alt = split ? out->slow >> 1 : out->slow;
    out->gap = split ? out->slow & 1 : 0;
}

void dve_table_entry_at(const dve_table_set *set, dve_wire_opcode opcode, dve_table_entry *out)
{
    dve_table_entry_read(set, opcode.value, out);
    out->enabled = (uint8_t)dve_table_enabled(set, opcode);
}

const char *dve_lane_class_name(dve_lane_class lane)
{
    static const char *const names[] = {"zero", "idle", "config"};
    return (unsigned)lane < 3 ? names[lane] : NULL;
}

const char *dve_block_class_name(dve_block_class block)
{
    static const char *const names[] = {"zero", "pass-through", "active"};
    return (unsigned)block < 3 ? names[block] : NULL;
}

static uint64_t field(uint64_t word, unsigned bit, unsigned width)
{
    return width == 64 ? word : word >> bit & ((UINT64_C(1) << width) - 1);
}

static dve_lane_class kind_of(const dve_table_layout *layout, uint64_t word)
{
    return !word ? DVE_LANE_ZERO : word == UINT64_C(1) << layout->valid ? DVE_LANE_IDLE : DVE_LANE_CONFIG;
}

void dve_table_lane_of(uint8_t gen, uint64_t word, dve_table_lane *out)
{
    memset(out, 0, sizeof *out);
    const dve_table_layout *layout = dve_table_layout_of(gen);
    out->word = word;
    if (!layout)
        return;
    out->kind = kind_of(layout, word);
    out->valid = (uint8_t)field(word, layout->valid, 1);
    out->mode = (uint8_t)field(word, layout->mode, 3);
    out->stage = (uint8_t)field(word, layout->stage, 3);
    if (gen == 2) {
        size_t count;
        const dve_table_field *rows = dve_table_lane_fields(&count);
        out->opa = (uint8_t)field(word, rows[0].at, rows[0].width);
        out->opb = (uint8_t)field(word, rows[1].at, rows[1].width);
        out->mux = (uint16_t)field(word, rows[2].at, rows[2].width);
        return;
    }
    out->low = field(word, 0, layout->valid);
    out->high = word >> (layout->stage + 3);
}

void dve_table_words_at(const dve_table_set *set, uint32_t row, dve_table_words *out)
{
    const dve_table_layout *layout = dve_table_layout_of(set->gen);
    const uint8_t *block = dve_table_row(set, DVE_TABLE_DATAPATH, row);
    unsigned count[3] = {0};
    for (uint32_t l = 0; l < DVE_TABLE_LANES; l++) {
        uint64_t word = block ? dve_table_eight(block + 8 * l) : 0;
        dve_lane_class kind = kind_of(layout, word);
        out->word[l] = word;
        out->lane[l] = kind;
        count[kind]++;
    }
    out->configured = (uint8_t)count[DVE_LANE_CONFIG];
    out->kind = out->configured ? DVE_BLOCK_ACTIVE : count[DVE_LANE_IDLE] ? DVE_BLOCK_PASS : DVE_BLOCK_ZERO;
}

void dve_table_block_at(const dve_table_set *set, uint32_t row, dve_table_block *out)
{
    dve_table_words words;
    dve_table_words_at(set, row, &words);
    memset(out, 0, sizeof *out);
    out->kind = words.kind;
    out->configured = words.configured;
    for (uint32_t l = 0; l < DVE_TABLE_LANES; l++)
        dve_table_lane_of(set->gen, words.word[l], &out->lane[l]);
}

dve_status dve_table_look_up(const dve_table_set *set, dve_wire_opcode opcode, dve_table_path *out)
{
    memset(out, 0, sizeof *out);
    out->opcode = opcode;
    dve_table_entry_at(set, opcode, &out->entry);
    out->control = dve_table_row(set, dve_table_control_key(set->gen), out->entry.row);
    if (out->entry.slow) {
        out->slow = dve_table_row(set, DVE_TABLE_CONTROL_SLOW, out->entry.slow);
        out->slow_alt = dve_table_row(set, DVE_TABLE_CONTROL_SLOW, out->entry.slow_alt);
    }
    dve_table_block_at(set, out->entry.row, &out->block);
    return out->entry.enabled ? DVE_OK : DVE_E_FINDING;
}
