/* SPDX-License-Identifier: Apache-2.0 */
/* opendve tables show: what a directory of table sets holds. */
#include "tables.h"
#include "table.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

static json_object *slots_json(const tables_set *s)
{
    json_object *list = json_object_new_array();
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_path path;
        dve_table_look_up(&s->set, (dve_wire_opcode){(uint8_t)op}, &path);
        if (!path.entry.raw && !path.entry.enabled)
            continue;
        json_object *row = tables_json_opcode((uint8_t)op, s->set.gen), *entry = tables_json_entry(&path.entry);
        json_object_object_foreach(entry, name, value)
            json_object_object_add(row, name, json_object_get(value));
        json_object_put(entry);
        json_object_object_add(row, "slot", json_object_new_string(tables_slot_kind(&s->set, (uint8_t)op)));
        json_object_object_add(row, "class", json_object_new_string(dve_block_class_name(path.block.kind)));
        json_object_object_add(row, "configured", json_object_new_int(path.block.configured));
        json_object_array_add(list, row);
    }
    return list;
}

static json_object *rows_json(const tables_set *s, unsigned key)
{
    json_object *list = json_object_new_array();
    for (uint32_t row = 0; row < dve_table_of(s->set.gen, key)->rows; row++)
        if (dve_table_row_used(&s->set, key, row))
            json_object_array_add(list, tables_json_row(&s->set, key, row));
    return list;
}

static json_object *unreferenced_json(const tables_set *s)
{
    json_object *object = json_object_new_object();
    for (unsigned key = DVE_TABLE_CONTROL; key < DVE_TABLE_DATAPATH; key++) {
        uint8_t rows[32];
        char text[1024];
        if (!s->set.table[key])
            continue;
        dve_table_unreferenced(&s->set, key, rows);
        json_object_object_add(object, dve_table_key_name(key),
                               json_object_new_string(tables_ranges(rows, text, sizeof text)));
    }
    return object;
}

/* Everything of a set; the long lists only where one set was asked for. */
static json_object *set_json(const tables_dir *dir, const tables_set *s, int whole)
{
    json_object *object = tables_json_set_head(dir, s), *rows = json_object_new_object(), *blocks;
    json_object_object_add(object, "census", tables_json_census(s));
    json_object_object_add(object, "slots", slots_json(s));
    json_object_object_add(object, "unreferenced_rows", unreferenced_json(s));
    for (unsigned key = DVE_TABLE_CONTROL; whole && key < DVE_TABLE_DATAPATH; key++)
        if (s->set.table[key])
            json_object_object_add(rows, dve_table_key_name(key), rows_json(s, key));
    if (!whole) {
        json_object_put(rows);
        return object;
    }
    blocks = json_object_new_array();
    for (uint32_t row = 0; row < dve_table_of(s->set.gen, DVE_TABLE_DATAPATH)->rows; row++) {
        dve_table_block block;
        dve_table_block_at(&s->set, row, &block);
        if (block.kind != DVE_BLOCK_ZERO)
            json_object_array_add(blocks, tables_json_block(s->set.gen, &block, row));
    }
    json_object_object_add(object, "rows", rows);
    json_object_object_add(object, "blocks", blocks);
    return object;
}

static dve_status show_json(const tables_job *job, const tables_set *one)
{
    cli_report r;
    tables_report_begin(&r, "show", &job->dir);
    cli_report_list(&r, "sets");
    for (size_t i = 0; i < job->dir.sets; i++)
        if (!one || one == &job->dir.set[i])
            cli_report_element(&r, set_json(&job->dir, &job->dir.set[i], one != NULL));
    cli_report_list_end(&r);
    return cli_report_end(&r);
}

/* ---- text ---- */

static dve_status finish(cli_table *table)
{
    return cli_table_end(table, stdout) ? DVE_OK : cli_fail(DVE_E_INTERNAL, "not enough memory");
}

static dve_status files_text(const tables_set *s)
{
    static const char *const headings[] = {"table", ">bytes", "sha256", "known", "file", NULL};
    cli_table table;
    cli_table_begin(&table, headings);
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        const tables_file *f = &s->file[key];
        char known[80] = "no";
        if (!f->name)
            continue;
        if (f->known)
            snprintf(known, sizeof known, "build 2.24.5133.0 %s %s", dve_generation(f->known->gen)->name, f->known->set);
        cli_table_add(&table, "%s", dve_table_key_name(key));
        cli_table_add(&table, "%zu", f->size);
        cli_table_add(&table, "%s", f->bytes ? f->sha256 : "-");
        cli_table_add(&table, "%s", known);
        cli_table_add(&table, "%s", tables_has_controls(f->name) ? "?" : f->name);
    }
    return finish(&table);
}

static void census_text(const tables_set *s)
{
    dve_table_census c;
    char hash[2 * DVE_SHA256_BYTES + 1] = "";
    dve_table_count(&s->set, &c);
    printf("entries: %u, %u with a selector, %u not enabled; largest 0x%" PRIx64 "\n", c.slots, c.slow_slots,
           c.disabled_slots, c.max_entry);
    printf("control rows used: %u", c.control_rows);
    if (s->set.table[DVE_TABLE_CONTROL_SLOW])
        printf(" fast, %u slow", c.slow_rows);
    printf("\ndatapath words: %u, of them %u idle and %u configured; blocks: %u zero, %u pass-through, %u active\n", c.words,
           c.idle_words, c.config_words, c.zero_blocks, c.pass_blocks, c.active_blocks);
    if (tables_census_matches(s, &c))
        printf("these are all counts that were observed of build 2.24.5133.0\n");
    if (tables_runtime_hash(s, hash))
        printf("runtime set hash (sha256): %s\n", hash);
}

static dve_status slots_text(const tables_set *s)
{
    static const char *const headings[] = {"opcode", ">entry", ">row", ">slow", ">slow_alt", "slot", "block", ">lanes", NULL};
    cli_table table;
    cli_table_begin(&table, headings);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        char text[80];
        dve_table_path path;
        dve_table_look_up(&s->set, (dve_wire_opcode){(uint8_t)op}, &path);
        if (!path.entry.raw && !path.entry.enabled)
            continue;
        cli_table_add(&table, "%s", tables_opcode_text((uint8_t)op, s->set.gen, text, sizeof text));
        cli_table_add(&table, "0x%03" PRIx64, path.entry.raw);
        cli_table_add(&table, "%u", path.entry.row);
        cli_table_add(&table, "%" PRIu64, path.entry.slow);
        cli_table_add(&table, "%" PRIu64, path.entry.slow_alt);
        cli_table_add(&table, "%s", tables_slot_kind(&s->set, (uint8_t)op));
        cli_table_add(&table, "%s", dve_block_class_name(path.block.kind));
        cli_table_add(&table, "%u", path.block.configured);
    }
    return finish(&table);
}

/* The opcodes whose entries lead to a row, by row or by selector. */
static void reached_by(const dve_table_set *set, unsigned key, uint32_t row, char *out, size_t capacity)
{
    size_t used = 0;
    *out = '\0';
    for (unsigned op = 0; op < DVE_TABLE_SLOTS && used + 40 < capacity; op++) {
        dve_table_entry e;
        char text[80];
        dve_table_entry_at(set, (dve_wire_opcode){(uint8_t)op}, &e);
        uint64_t to = key == DVE_TABLE_CONTROL_SLOW ? e.slow : e.row;
        if (e.raw && to == row && (key != DVE_TABLE_CONTROL_SLOW || to))
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? ", " : "",
                                     tables_opcode_text((uint8_t)op, set->gen, text, sizeof text));
    }
}

/* The fields that a page documents for rows of a table, one line each below it. */
static unsigned fields_of(unsigned key, const dve_table_field **out)
{
    size_t count, first = 0, fields = 0;
    const dve_table_field *field = dve_table_control_fields(&count);
    while (first < count && field[first].key != key)
        first++;
    while (first + fields < count && field[first + fields].key == key)
        fields++;
    *out = field + first;
    return (unsigned)fields;
}

static dve_status rows_text(const tables_set *s, unsigned key)
{
    const dve_table_field *field;
    unsigned fields = fields_of(key, &field), n = 0;
    int slow = key == DVE_TABLE_CONTROL_SLOW;
    const char *headings[CLI_TABLE_COLUMNS + 1] = {">row", "bytes"};
    uint8_t rows[32];
    char text[1024];
    cli_table table;
    for (n = 2; !slow && n < 2 + fields && n < CLI_TABLE_COLUMNS - 1; n++)
        headings[n] = field[n - 2].name;
    if (slow) {
        headings[n++] = "12-bit groups";
        headings[n++] = "6-bit groups";
        headings[n++] = "byte 6";
    }
    headings[n] = "reached by";
    cli_table_begin(&table, headings);
    for (uint32_t row = 0; row < dve_table_of(s->set.gen, key)->rows; row++) {
        const uint8_t *bytes = dve_table_row(&s->set, key, row);
        if (!dve_table_row_used(&s->set, key, row))
            continue;
        cli_table_add(&table, "%u", row);
        cli_table_add(&table, "%s", tables_hex(bytes, 16, text, sizeof text));
        for (unsigned f = 0; !slow && f + 2 < n; f++)
            cli_table_add(&table, "%s", tables_hex(bytes + field[f].at, field[f].width, text, sizeof text));
        for (unsigned group = 0; slow && group < 3; group++)
            cli_table_add(&table, "%s", tables_slow_group(bytes, group, text, sizeof text));
        reached_by(&s->set, key, row, text, sizeof text);
        cli_table_add(&table, "%s", *text ? text : "-");
    }
    printf("\n%s, used rows\n", dve_table_key_name(key));
    dve_status status = finish(&table);
    for (unsigned f = 0; f < fields; f++)
        printf("%s: byte %u..%u, %s [%s %c]\n", field[f].name, field[f].at, field[f].at + field[f].width - 1u, field[f].meaning,
               field[f].source, field[f].conf);
    uint32_t count = dve_table_unreferenced(&s->set, key, rows);
    printf("%u used rows are reached by no entry: %s\n", count, count ? tables_ranges(rows, text, sizeof text) : "none");
    return status;
}

static void lane_cells(cli_table *table, uint8_t gen, const dve_table_lane *lane)
{
    cli_table_add(table, "0x%0*" PRIx64, gen == 2 ? 8 : 16, lane->word);
    cli_table_add(table, "%s", dve_lane_class_name(lane->kind));
    cli_table_add(table, "%u", lane->valid);
    cli_table_add(table, "%u", lane->mode);
    cli_table_add(table, "%u", lane->stage);
    if (gen != 2)
        return;
    cli_table_add(table, "0x%02x", lane->opa);
    cli_table_add(table, "%u", lane->opb);
    cli_table_add(table, "0x%03x", lane->mux);
}

/* A line a lane that is not zero; what stands below and above the named fields of gen3 and gen4 is in the word. */
static dve_status blocks_text(const tables_set *s)
{
    static const char *const gen2[] = {">row", "class", ">lanes", ">lane", "word", "class of lane", ">VALID", ">MODE", ">STAGE",
                                       ">OPA", ">OPB", ">MUX", NULL};
    static const char *const later[] = {">row", "class", ">lanes", ">lane", "word", "class of lane", ">VALID", ">MODE", ">STAGE", NULL};
    size_t count;
    const dve_table_field *field = dve_table_lane_fields(&count);
    cli_table table;
    cli_table_begin(&table, s->set.gen == 2 ? gen2 : later);
    for (uint32_t row = 0; row < dve_table_of(s->set.gen, DVE_TABLE_DATAPATH)->rows; row++) {
        dve_table_block block;
        dve_table_block_at(&s->set, row, &block);
        for (unsigned l = 0; l < DVE_TABLE_LANES; l++) {
            if (block.lane[l].kind == DVE_LANE_ZERO)
                continue;
            cli_table_add(&table, "%u", row);
            cli_table_add(&table, "%s", dve_block_class_name(block.kind));
            cli_table_add(&table, "%u", block.configured);
            cli_table_add(&table, "%u", l);
            lane_cells(&table, s->set.gen, &block.lane[l]);
        }
    }
    printf("\ndatapath blocks, lanes that are not zero\n");
    dve_status status = finish(&table);
    for (size_t f = 0; f < count; f++)
        if (field[f].gen == s->set.gen)
            printf("%s: bit %u..%u, %s [%s %c]\n", field[f].name, field[f].at, field[f].at + field[f].width - 1u, field[f].meaning,
                   field[f].source, field[f].conf);
    return status;
}

static dve_status set_text(const tables_dir *dir, const tables_set *s, int whole)
{
    printf("\nset %s: %zu opcodes, %s\n", s->name, s->ops_count, tables_roster_word(dve_roster(dir->gen, s->name), s));
    dve_status status = files_text(s);
    if (status)
        return status;
    census_text(s);
    if (!whole)
        return DVE_OK;
    putchar('\n');
    status = slots_text(s);
    for (unsigned key = DVE_TABLE_CONTROL; !status && key < DVE_TABLE_DATAPATH; key++)
        if (s->set.table[key])
            status = rows_text(s, key);
    return status ? status : blocks_text(s);
}

static dve_status show_text(const tables_job *job, const tables_set *one)
{
    dve_status status = DVE_OK;
    tables_text_head(&job->dir);
    for (size_t i = 0; !status && i < job->dir.sets; i++)
        if (!one || one == &job->dir.set[i])
            status = set_text(&job->dir, &job->dir.set[i], one != NULL);
    if (!status && !one)
        printf("\n--set NAME shows the opcodes, rows and blocks of a set; tables check judges them\n");
    return status ? status : cli_flush();
}

dve_status tables_show(tables_job *job)
{
    const tables_set *picked;
    dve_status status = tables_pick_shown(&job->dir, job->set, &picked);
    if (!status)
        status = tables_svg(job, &job->dir, picked, NULL);
    if (status)
        return status;
    return job->json ? show_json(job, job->set ? picked : NULL) : show_text(job, job->set ? picked : NULL);
}
