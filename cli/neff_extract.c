/* SPDX-License-Identifier: Apache-2.0 */
/* opendve neff extract: the members as files, and the table set as a folder that `tables` reads. */
#include "neff.h"
#include "io/tree.h"
#include <opendve/tables.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 96, GEN2_SLOT = 8, SLOT = 4, SLOTS = 256, LARGEST = 1 << 16 };
_Static_assert((int)DVE_NEFF_TABLES == (int)DVE_TABLE_KEYS, "a package names the tables of sets, in their order");

typedef struct extraction {
    cli_package *neff;
    const char *folder, *tables_folder;
    dve_tree *tree, *tables;
    const dve_neff_graph *set;       /* whose tables are written; NULL for none */
    char set_folder[32];
    json_object *written;            /* of the tables, names below their folder */
} extraction;

static dve_status stage_members(extraction *e)
{
    dve_error error;
    dve_status status = dve_tree_open(e->folder, &e->tree, &error);
    for (size_t i = 0; i < e->neff->member_count && !status; i++) {
        const dve_archive_member *m = &e->neff->members[i];
        if (!m->directory && !m->skipped)
            status = dve_tree_add(e->tree, m->name, m->data, m->size, &error);
    }
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

/* ---- the table set ---- */

/* A set has an opcode table, a datapath table and at least one control table; what lacks is told. */
static const char *missing_table(const dve_neff_graph *g)
{
    int control = 0;
    for (unsigned i = 0; i < DVE_NEFF_TABLES; i++) {
        const char *key = dve_neff_table_key(i);
        if (strncmp(key, "control", 7) == 0)
            control |= g->table[i] != NULL;
        else if (!g->table[i])
            return key;
    }
    return control ? NULL : "control table";
}

static int has_tables(const dve_neff_graph *g)
{
    for (unsigned i = 0; i < DVE_NEFF_TABLES; i++)
        if (g->table[i])
            return 1;
    return 0;
}

/* Whether the bytes are the same; no table of a generation is larger than LARGEST, and larger ones are not looked into. */
static int same_tables(const dve_neff_graph *a, const dve_neff_graph *b)
{
    for (unsigned i = 0; i < DVE_NEFF_TABLES; i++) {
        const dve_archive_member *x = a->table[i], *y = b->table[i];
        if (x != y && (!x || !y || x->size != y->size || x->size > LARGEST || memcmp(x->data, y->data, x->size) != 0))
            return 0;
    }
    return 1;
}

/* What of a set is not as the generation has it, so that `tables` would refuse it; each thing is told in `notes`, if that is no NULL. */
static unsigned misfits(const dve_neff_graph *g, uint8_t gen, cli_notes *notes)
{
    const char *name = dve_generation(gen)->name, *graph = g->name ? g->name : "";
    unsigned found = g->gen && g->gen != gen;
    if (found && notes)
        cli_notes_add(notes, "graph \"%.100s\": its table set is for the target %s, allowed is %s, which the package is read as; "
                      "--gen chooses another", graph, dve_generation(g->gen)->name, name);
    if (!dve_table_of(gen, DVE_TABLE_OPCODE)) {
        if (notes)
            cli_notes_add(notes, "graph \"%.100s\": its table set is for %s, allowed are gen2 to gen4: no tables of %s are known", graph,
                          name, name);
        return found + 1;
    }
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        const dve_table_info *info = dve_table_of(gen, key);
        const dve_archive_member *m = g->table[key];
        const char *table = dve_neff_table_key(key);
        if (info ? m && m->size == info->bytes : !m)
            continue;
        found++;
        if (notes && !info)
            cli_notes_add(notes, "graph \"%.100s\": its table set has a %s, allowed are on %s %s", graph, table, name,
                          dve_table_control_key(gen) == DVE_TABLE_CONTROL ? "opcode_table, control_table and datapath_table"
                          : "opcode_table, control_fast_table, control_slow_table and datapath_table");
        else if (notes && m)
            cli_notes_add(notes, "graph \"%.100s\": its %s, \"%.300s\", has %zu bytes, allowed are %u on %s", graph, table, m->name,
                          m->size, info->bytes, name);
        else if (notes)
            cli_notes_add(notes, "graph \"%.100s\": its table set has no %s, needed on %s is one of %u bytes", graph, table, name,
                          info->bytes);
    }
    return found;
}

/* Of the sets that have what a set needs: the first that fits the generation, else the first. */
static const dve_neff_graph *pick_set(const cli_package *neff)
{
    const dve_neff_graph *first = NULL;
    for (size_t i = 0; i < neff->graph_count; i++) {
        const dve_neff_graph *g = &neff->graphs[i];
        if (!has_tables(g) || missing_table(g))
            continue;
        if (!misfits(g, neff->gen, NULL))
            return g;
        first = first ? first : g;
    }
    return first;
}

static int same_set(const dve_neff_graph *a, const dve_neff_graph *b)
{
    return a && a->gen == b->gen && memcmp(a->table, b->table, sizeof a->table) == 0;
}

static void choose_set(extraction *e)
{
    cli_notes *notes = &e->neff->warnings;
    const dve_neff_graph *told = NULL;           /* the set that was told of last: many graphs may name it */
    e->set = pick_set(e->neff);
    for (size_t i = 0; i < e->neff->graph_count; i++) {
        const dve_neff_graph *g = &e->neff->graphs[i];
        if (!has_tables(g) || same_set(told, g))
            continue;
        told = g;
        const char *missing = missing_table(g);
        unsigned wrong = missing ? 0 : misfits(g, e->neff->gen, notes);
        if (missing)
            cli_notes_add(notes, "graph \"%.100s\": its table set has no %s and is not written", g->name ? g->name : "", missing);
        else if (g == e->set && wrong)
            cli_notes_add(notes, "graph \"%.100s\": its table set is written as it is; `opendve tables` refuses it, or reads it as another "
                          "generation's", g->name ? g->name : "");
        else if (!same_tables(e->set, g))
            cli_notes_add(notes, "graph \"%.100s\": its table set differs from that of \"%.100s\", which is written",
                          g->name ? g->name : "", e->set->name ? e->set->name : "");
    }
    if (!e->set)
        cli_notes_add(notes, "no table set to write: a runtime takes its own default tables");
}

void cli_neff_enabled(const dve_archive_member *table, uint8_t enabled[32])
{
    static const uint8_t residents[] = {0x93, 0xf0, 0xf1, 0xf2};
    size_t slot = table->size / SLOTS;
    memset(enabled, 0, 32);
    if (table->size != SLOT * SLOTS && table->size != GEN2_SLOT * SLOTS)
        return;
    for (unsigned opcode = 1; opcode < SLOTS; opcode++) {
        int used = 0, resident = slot == GEN2_SLOT && memchr(residents, (int)opcode, sizeof residents);
        for (size_t i = 0; i < slot; i++)
            used |= table->data[opcode * slot + i];
        if (used && !resident)
            enabled[opcode / 8] |= (uint8_t)(1u << opcode % 8);
    }
}

static json_object *opcodes_of(const dve_archive_member *table)
{
    uint8_t enabled[32];
    json_object *list = json_object_new_array();
    cli_neff_enabled(table, enabled);
    for (unsigned opcode = 0; opcode < SLOTS; opcode++)
        if (enabled[opcode / 8] >> opcode % 8 & 1)
            json_object_array_add(list, json_object_new_int((int)opcode));
    return list;
}

static dve_status add_table_file(extraction *e, const char *name, const void *bytes, size_t size, dve_error *error)
{
    char path[NAME + sizeof e->set_folder];
    snprintf(path, sizeof path, "%s/%s", e->set_folder, name);
    json_object_array_add(e->written, json_object_new_string(path));
    return dve_tree_add(e->tables, path, bytes, size, error);
}

static dve_status stage_info(extraction *e, json_object *keys, json_object *set, dve_error *error)
{
    json_object *info = json_object_new_object(), *sets = json_object_new_array();
    json_object_object_add(info, "dve_table_keys", keys);
    json_object_array_add(sets, set);
    json_object_object_add(info, "tables", sets);
    size_t length;
    const char *text = json_object_to_json_string_length(info, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    char *line = malloc(length + 1);
    dve_status status = DVE_E_INTERNAL;
    if (line) {
        memcpy(line, text, length);
        line[length] = '\n';
        status = add_table_file(e, "dve_info.json", line, length + 1, error);
    } else {
        dve_error_set(error, "not enough memory");
    }
    free(line);
    json_object_put(info);
    return status;
}

static dve_status stage_tables(extraction *e)
{
    dve_error error;
    json_object *keys = json_object_new_array(), *set = json_object_new_object();
    const dve_archive_member *opcodes = NULL;
    json_object_object_add(set, "name", json_object_new_string("neff"));
    snprintf(e->set_folder, sizeof e->set_folder, "dve_bin_%s", dve_generation(e->neff->gen)->name);
    dve_status status = dve_tree_open(e->tables_folder, &e->tables, &error);
    for (unsigned i = 0; i < DVE_NEFF_TABLES && !status; i++) {
        const dve_archive_member *m = e->set->table[i];
        char name[NAME];
        if (!m)
            continue;
        opcodes = strcmp(dve_neff_table_key(i), "opcode_table") == 0 ? m : opcodes;
        snprintf(name, sizeof name, "neff_%s.bin", dve_neff_table_key(i));
        json_object_array_add(keys, json_object_new_string(dve_neff_table_key(i)));
        json_object_object_add(set, dve_neff_table_key(i), json_object_new_string(name));
        status = add_table_file(e, name, m->data, m->size, &error);
    }
    if (status) {
        json_object_put(keys);
        json_object_put(set);
        return cli_fail(status, "%s", error.text);
    }
    json_object_object_add(set, "ops", opcodes_of(opcodes));
    status = stage_info(e, keys, set, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

/* ---- the report ---- */

static dve_status report_json(const extraction *e)
{
    cli_report r;
    cli_report_begin(&r, "neff-extract", e->neff->gen);
    for (int skipped = 0; skipped <= 1; skipped++) {
        cli_report_list(&r, skipped ? "skipped" : "written");
        for (size_t i = 0; i < e->neff->member_count; i++) {
            const dve_archive_member *m = &e->neff->members[i];
            json_object *row;
            if (m->directory || m->skipped != skipped)
                continue;
            row = json_object_new_object();
            json_object_object_add(row, "name", json_object_new_string(m->name));
            json_object_object_add(row, "size", cli_json_int((int64_t)m->size));
            cli_report_element(&r, row);
        }
        cli_report_list_end(&r);
    }
    cli_report_member(&r, "tables", json_object_get(e->written));
    cli_report_list(&r, "graphs");
    for (size_t i = 0; i < e->neff->graph_count; i++)
        cli_report_element(&r, cli_neff_graph_json(&e->neff->graphs[i]));
    cli_report_list_end(&r);
    cli_report_member(&r, "warnings", json_object_get(e->neff->warnings.list));
    return cli_report_end(&r);
}

static dve_status report_text(const extraction *e)
{
    char text[CLI_SHOWN_NAME];
    size_t files = 0;
    for (size_t i = 0; i < e->neff->member_count; i++) {
        const dve_archive_member *m = &e->neff->members[i];
        if (m->directory)
            continue;
        files += !m->skipped;
        printf("%10zu  %s%s\n", m->size, cli_shown(m->name, text, sizeof text), m->skipped ? " (skipped)" : "");
    }
    for (size_t i = 0; i < json_object_array_length(e->written); i++)
        printf("     table  %s\n", json_object_get_string(json_object_array_get_idx(e->written, i)));
    printf("%zu file%s, records of %s\n", files, files == 1 ? "" : "s", dve_generation(e->neff->gen)->name);
    return cli_flush();
}

/* All is written beside its place, then put in place, then told. What nobody could be told of is taken back (dve_tree_free). */
static dve_status run(extraction *e, int json)
{
    dve_error error;
    dve_status status = stage_members(e);
    if (!status && e->tables_folder) {
        choose_set(e);
        status = e->set ? stage_tables(e) : DVE_OK;
    }
    if (status)
        return status;
    dve_tree *const trees[] = {e->tree, e->tables};
    unsigned count = e->tables ? 2 : 1;
    status = dve_tree_commit(trees, count, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    status = json ? report_json(e) : report_text(e);
    if (!status)
        dve_tree_keep(trees, count);
    return status;
}

dve_status cli_neff_extract(cli_package *neff, const cli_arguments *a)
{
    extraction e = {.neff = neff, .folder = cli_value(a, "directory"), .tables_folder = cli_value(a, "tables-dir")};
    e.folder = e.folder ? e.folder : ".";
    e.written = json_object_new_array();
    dve_status status = run(&e, cli_flag(a, "json"));
    dve_tree_free(e.tables);
    dve_tree_free(e.tree);
    json_object_put(e.written);
    return status;
}
