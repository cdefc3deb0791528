/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the JSON reports of `opendve tables`. */
#include "tables.h"
#include <string.h>

static json_object *file_json(const tables_file *file)
{
    json_object *object = json_object_new_object();
    char text[80];
    json_object_object_add(object, "name", cli_json_text(file->name));
    json_object_object_add(object, "bytes", file->bytes ? cli_json_int((int64_t)file->size) : NULL);
    json_object_object_add(object, "sha256", cli_json_text(file->bytes ? file->sha256 : NULL));
    json_object_object_add(object, "md5", cli_json_text(file->bytes ? file->md5 : NULL));
    if (file->known)
        snprintf(text, sizeof text, "build 2.24.5133.0 %s %s", dve_generation(file->known->gen)->name, file->known->set);
    json_object_object_add(object, "known", cli_json_text(file->known ? text : NULL));
    return object;
}

json_object *tables_json_set_head(const tables_dir *dir, const tables_set *set)
{
    json_object *object = json_object_new_object(), *files = json_object_new_object();
    const dve_roster_info *roster = dve_roster(dir->gen, set->name);
    char hex[2 * DVE_SHA256_BYTES + 1];
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++)
        if (set->file[key].name)
            json_object_object_add(files, dve_table_key_name(key), file_json(&set->file[key]));
    json_object_object_add(object, "name", json_object_new_string(set->name));
    json_object_object_add(object, "files", files);
    json_object_object_add(object, "ops", json_object_get(set->ops_given));
    json_object_object_add(object, "roster", cli_json_text(tables_roster_word(roster, set)));
    json_object_object_add(object, "runtime_sha256", cli_json_text(tables_runtime_hash(set, hex)));
    return object;
}

json_object *tables_json_entry(const dve_table_entry *entry)
{
    json_object *object = json_object_new_object();
    json_object_object_add(object, "raw", tables_json_hex(entry->raw, 3));
    json_object_object_add(object, "row", json_object_new_int64(entry->row));
    json_object_object_add(object, "slow", json_object_new_int64((int64_t)entry->slow));
    json_object_object_add(object, "slow_alt", json_object_new_int64((int64_t)entry->slow_alt));
    json_object_object_add(object, "gap_bit", json_object_new_int(entry->gap));
    json_object_object_add(object, "enabled", json_object_new_boolean(entry->enabled));
    return object;
}

static json_object *lane_json(uint8_t gen, const dve_table_lane *lane, int number)
{
    json_object *object = json_object_new_object();
    json_object_object_add(object, "lane", json_object_new_int(number));
    json_object_object_add(object, "word", tables_json_hex(lane->word, gen == 2 ? 8 : 16));
    json_object_object_add(object, "class", json_object_new_string(dve_lane_class_name(lane->kind)));
    json_object_object_add(object, "valid", json_object_new_int(lane->valid));
    json_object_object_add(object, "mode", json_object_new_int(lane->mode));
    json_object_object_add(object, "stage", json_object_new_int(lane->stage));
    if (gen == 2) {
        json_object_object_add(object, "opa", json_object_new_int(lane->opa));
        json_object_object_add(object, "opb", json_object_new_int(lane->opb));
        json_object_object_add(object, "mux", json_object_new_int(lane->mux));
    } else {
        json_object_object_add(object, "low", tables_json_hex(lane->low, 1));
        json_object_object_add(object, "high", tables_json_hex(lane->high, 1));
    }
    return object;
}

json_object *tables_json_block(uint8_t gen, const dve_table_block *block, uint32_t row)
{
    json_object *object = json_object_new_object(), *lanes = json_object_new_array();
    for (int l = 0; l < DVE_TABLE_LANES; l++)
        json_object_array_add(lanes, lane_json(gen, &block->lane[l], l));
    json_object_object_add(object, "row", json_object_new_int64(row));
    json_object_object_add(object, "class", json_object_new_string(dve_block_class_name(block->kind)));
    json_object_object_add(object, "configured", json_object_new_int(block->configured));
    json_object_object_add(object, "lanes", lanes);
    return object;
}

/* The two groupings of a slow row that are possible: neither is claimed. */
static void slow_groups(json_object *object, const uint8_t *bytes)
{
    uint64_t head = 0;
    json_object *twelve = json_object_new_array(), *six = json_object_new_array();
    for (unsigned i = 0; i < 6; i++)
        head |= (uint64_t)bytes[i] << 8 * i;
    for (unsigned i = 0; i < 4; i++)
        json_object_array_add(twelve, tables_json_hex(head >> 12 * i & 0xfff, 3));
    for (unsigned i = 0; i < 8; i++)
        json_object_array_add(six, json_object_new_int((int)(head >> 6 * i & 0x3f)));
    json_object_object_add(object, "steps_of_12_bits", twelve);
    json_object_object_add(object, "lanes_of_6_bits", six);
    json_object_object_add(object, "mask_or_count", json_object_new_int(bytes[6]));
}

json_object *tables_json_row(const dve_table_set *set, unsigned key, uint64_t row)
{
    size_t count;
    char text[64];
    const dve_table_field *field = dve_table_control_fields(&count);
    const uint8_t *bytes = dve_table_row(set, key, row);
    if (!bytes)
        return NULL;
    json_object *object = json_object_new_object(), *fields = json_object_new_object();
    json_object_object_add(object, "table", json_object_new_string(dve_table_key_name(key)));
    json_object_object_add(object, "row", json_object_new_int64((int64_t)row));
    json_object_object_add(object, "bytes", json_object_new_string(tables_hex(bytes, 16, text, sizeof text)));
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 0;
        for (unsigned b = field[i].width; field[i].key == key && b > 0; b--)
            value = value << 8 | bytes[field[i].at + b - 1];
        if (field[i].key == key)
            json_object_object_add(fields, field[i].name, tables_json_hex(value, 2 * field[i].width));
    }
    json_object_object_add(object, "fields", fields);
    if (key == DVE_TABLE_CONTROL_SLOW)
        slow_groups(object, bytes);
    return object;
}

json_object *tables_json_census(const tables_set *set)
{
    dve_table_census census;
    json_object *object = json_object_new_object();
    dve_table_count(&set->set, &census);
#define COUNT(member) json_object_object_add(object, #member, json_object_new_int64((int64_t)census.member))
    COUNT(slots), COUNT(slow_slots), COUNT(disabled_slots);
    json_object_object_add(object, "max_entry", tables_json_hex(census.max_entry, 3));
    COUNT(control_rows), COUNT(slow_rows), COUNT(words), COUNT(idle_words), COUNT(config_words), COUNT(zero_blocks);
    COUNT(pass_blocks), COUNT(active_blocks), COUNT(backbone_rows);
#undef COUNT
    json_object_object_add(object, "matches", cli_json_text(tables_census_matches(set, &census) ? "build 2.24.5133.0" : NULL));
    return object;
}

void tables_report_begin(cli_report *r, const char *name, const tables_dir *dir)
{
    char text[40];
    snprintf(text, sizeof text, "tables-%s", name);
    cli_report_begin(r, text, dir->gen);
    cli_report_member(r, "gen_from", cli_json_text(dir->gen_from));
}
