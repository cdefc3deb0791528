/* SPDX-License-Identifier: Apache-2.0 */
/* opendve tables diff: two sets, by opcode and position by position. */
#include "tables.h"
#include "table.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    dve_table_opcode_diff opcode[DVE_TABLE_SLOTS];
    dve_table_diff table[DVE_TABLE_KEYS];
    unsigned added, dropped;     /* opcodes that only the second, only the first set enables */
    int identical;
} comparison;

static const char *const changes[] = {"same", "moved", "changed", "added", "dropped"};

static void compare(const dve_table_set *a, const dve_table_set *b, comparison *out)
{
    memset(out, 0, sizeof *out);
    out->identical = a->gen == b->gen;
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_opcode_diff *d = &out->opcode[op];
        dve_table_compare_opcode(a, b, (dve_wire_opcode){(uint8_t)op}, d);
        out->added += d->second.enabled && !d->first.enabled;
        out->dropped += d->first.enabled && !d->second.enabled;
    }
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        dve_table_compare(a, b, key, &out->table[key]);
        out->identical &= !out->table[key].bytes;
    }
    out->identical &= !out->added && !out->dropped;
}

/* ---- exclusive ors of words ---- */

enum { MASKS = 2048, MASKS_SHOWN = 8 };          /* a datapath table has as many words */

typedef struct masks {
    uint64_t mask[MASKS];
    size_t count;                /* distinct ones, ascending */
} masks;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t word_at(const uint8_t *bytes, uint32_t size)
{
    uint64_t word = 0;
    for (uint32_t i = size; i > 0; i--)
        word = word << 8 | bytes[i - 1];
    return word;
}

/* Of a table that both sets have in one layout. */
static void find_masks(const tables_job *job, unsigned key, masks *out)
{
    const dve_table_info *info = dve_table_of(job->dir.gen, key);
    uint32_t size = info->stride < 8 ? info->stride : 8;
    size_t words = 0;
    for (uint32_t at = 0; at < info->bytes; at += size) {
        uint64_t mask = word_at(job->first->set.table[key] + at, size) ^ word_at(job->second->set.table[key] + at, size);
        if (mask)
            out->mask[words++] = mask;
    }
    qsort(out->mask, words, sizeof *out->mask, by_value);
    out->count = 0;
    for (size_t i = 0; i < words; i++)
        if (!out->count || out->mask[out->count - 1] != out->mask[i])
            out->mask[out->count++] = out->mask[i];
}

static int shown(const dve_table_opcode_diff *d)
{
    return d->change != DVE_TABLE_SAME || d->first.enabled != d->second.enabled;
}

static int enabled_changed(const dve_table_opcode_diff *d, int added)
{
    return added ? d->second.enabled && !d->first.enabled : d->first.enabled && !d->second.enabled;
}

/* ---- JSON ---- */

static json_object *which_json(const tables_dir *dir, const tables_set *set)
{
    json_object *object = json_object_new_object();
    json_object_object_add(object, "set", json_object_new_string(set->name));
    json_object_object_add(object, "gen", json_object_new_string(dve_generation(dir->gen)->name));
    json_object_object_add(object, "gen_from", json_object_new_string(dir->gen_from));
    return object;
}

static json_object *opcode_json(const dve_table_opcode_diff *d, uint8_t gen)
{
    json_object *object = tables_json_opcode(d->opcode.value, gen), *lanes = json_object_new_array();
    for (int l = 0; l < DVE_TABLE_LANES; l++)
        if (d->lanes >> l & 1)
            json_object_array_add(lanes, json_object_new_int(l));
    json_object_object_add(object, "change", json_object_new_string(changes[d->change]));
    json_object_object_add(object, "first", tables_json_entry(&d->first));
    json_object_object_add(object, "second", tables_json_entry(&d->second));
    json_object_object_add(object, "control_differs", json_object_new_boolean(d->control));
    json_object_object_add(object, "slow_differs", json_object_new_boolean(d->slow));
    json_object_object_add(object, "lanes", lanes);
    json_object_object_add(object, "breaks_doubling", json_object_new_boolean(d->selector));
    return object;
}

static json_object *table_json(const tables_job *job, const dve_table_diff *d, unsigned key)
{
    static masks found;
    char text[1024];
    json_object *object = json_object_new_object(), *list = json_object_new_array();
    found.count = 0;
    if (d->comparable)
        find_masks(job, key, &found);
    for (size_t i = 0; i < found.count; i++)
        json_object_array_add(list, tables_json_hex(found.mask[i], 16));
    json_object_object_add(object, "table", json_object_new_string(dve_table_key_name(key)));
    json_object_object_add(object, "comparable", json_object_new_boolean(d->comparable));
    json_object_object_add(object, "rows", json_object_new_int64(d->rows));
    json_object_object_add(object, "words", json_object_new_int64(d->words));
    json_object_object_add(object, "patterns", json_object_new_int64(d->patterns));
    json_object_object_add(object, "masks", list);
    json_object_object_add(object, "bytes", json_object_new_int64(d->bytes));
    json_object_object_add(object, "first_byte", d->first_byte < 0 ? NULL : json_object_new_int64(d->first_byte));
    json_object_object_add(object, "which_rows", json_object_new_string(tables_ranges(d->row, text, sizeof text)));
    return object;
}

static json_object *roster_json(const comparison *c, int added)
{
    json_object *list = json_object_new_array();
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++)
        if (enabled_changed(&c->opcode[op], added))
            json_object_array_add(list, json_object_new_int((int)op));
    return list;
}

static dve_status diff_json(const tables_job *job, const comparison *c)
{
    cli_report r;
    tables_report_begin(&r, "diff", &job->dir);
    cli_report_member(&r, "first", which_json(&job->dir, job->first));
    cli_report_member(&r, "second", which_json(&job->other, job->second));
    cli_report_member(&r, "identical", json_object_new_boolean(c->identical));
    cli_report_member(&r, "ops_added", roster_json(c, 1));
    cli_report_member(&r, "ops_dropped", roster_json(c, 0));
    cli_report_list(&r, "opcodes");
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++)
        if (shown(&c->opcode[op]))
            cli_report_element(&r, opcode_json(&c->opcode[op], job->other.gen));
    cli_report_list_end(&r);
    cli_report_list(&r, "tables");
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++)
        if (job->first->set.table[key] || job->second->set.table[key])
            cli_report_element(&r, table_json(job, &c->table[key], key));
    cli_report_list_end(&r);
    return cli_report_end(&r);
}

/* ---- text ---- */

static void entry_cell(cli_table *table, const dve_table_entry *e)
{
    if (e->raw)
        cli_table_add(table, "0x%03" PRIx64 " (%u, %" PRIu64 ")", e->raw, e->row, e->slow);
    else
        cli_table_add(table, "-");
}

static const char *selector_word(const dve_table_opcode_diff *d)
{
    if (!d->first.raw || !d->second.raw || (d->first.slow == d->second.slow && !d->selector))
        return "";
    return d->selector ? " selector" : !d->first.slow ? " gained a selector" : !d->second.slow ? " lost its selector" : "";
}

static void what_differs(cli_table *table, const dve_table_opcode_diff *d)
{
    char text[200];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s%s%s%s%s", d->control ? " control" : "",
                                   d->slow ? " slow" : "", selector_word(d), d->selector ? " (not doubled)" : "",
                                   d->first.enabled && !d->second.enabled ? " no longer enabled" : "",
                                   !d->first.enabled && d->second.enabled ? " now enabled" : "");
    if (d->lanes)
        used += (size_t)snprintf(text + used, sizeof text - used, " lanes");
    for (unsigned l = 0; l < DVE_TABLE_LANES; l++)
        if (d->lanes >> l & 1)
            used += (size_t)snprintf(text + used, sizeof text - used, " %u", l);
    cli_table_add(table, "%s", *text ? text + 1 : "-");
}

static dve_status opcodes_text(const tables_job *job, const comparison *c)
{
    static const char *const headings[] = {"opcode", "change", "first (row, slow)", "second (row, slow)", "differs", NULL};
    cli_table table;
    unsigned rows = 0;
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++)
        rows += shown(&c->opcode[op]) != 0;
    if (!rows)
        return DVE_OK;
    putchar('\n');
    cli_table_begin(&table, headings);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        const dve_table_opcode_diff *d = &c->opcode[op];
        char text[80];
        if (!shown(d))
            continue;
        cli_table_add(&table, "%s", tables_opcode_text((uint8_t)op, d->second.raw ? job->other.gen : job->dir.gen, text,
                                                       sizeof text));
        cli_table_add(&table, "%s", changes[d->change]);
        entry_cell(&table, &d->first);
        entry_cell(&table, &d->second);
        what_differs(&table, d);
    }
    return cli_table_end(&table, stdout) ? DVE_OK : cli_fail(DVE_E_INTERNAL, "not enough memory");
}

static dve_status tables_part_text(const tables_job *job, const comparison *c)
{
    static const char *const headings[] = {"table", ">rows", ">words", ">patterns", ">bytes", ">first byte", "rows that differ",
                                           NULL};
    cli_table table;
    cli_table_begin(&table, headings);
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        const dve_table_diff *d = &c->table[key];
        char text[1024];
        if (!job->first->set.table[key] && !job->second->set.table[key])
            continue;
        cli_table_add(&table, "%s", dve_table_key_name(key));
        cli_table_add(&table, "%u", d->rows);
        cli_table_add(&table, "%u", d->words);
        cli_table_add(&table, "%u", d->patterns);
        cli_table_add(&table, "%u", d->bytes);
        if (d->first_byte < 0)
            cli_table_add(&table, "-");
        else
            cli_table_add(&table, "%" PRId64, d->first_byte);
        cli_table_add(&table, "%s", !d->comparable ? "not comparable: another layout" : tables_ranges(d->row, text, sizeof text));
    }
    putchar('\n');
    return cli_table_end(&table, stdout) ? DVE_OK : cli_fail(DVE_E_INTERNAL, "not enough memory");
}

static void masks_text(const tables_job *job, const comparison *c)
{
    static masks found;
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        if (!c->table[key].patterns)
            continue;
        find_masks(job, key, &found);
        printf("%s, exclusive ors:", dve_table_key_name(key));
        for (size_t i = 0; i < found.count && i < MASKS_SHOWN; i++)
            printf(" 0x%" PRIx64, found.mask[i]);
        if (found.count > MASKS_SHOWN)
            printf(", and %zu more, --json lists them", found.count - MASKS_SHOWN);
        putchar('\n');
    }
}

static void roster_text(const comparison *c, int added)
{
    unsigned count = added ? c->added : c->dropped;
    printf("opcodes enabled in the %s only: %u", added ? "second" : "first", count);
    for (unsigned op = 0, n = 0; op < DVE_TABLE_SLOTS; op++)
        if (enabled_changed(&c->opcode[op], added))
            printf("%s%u", n++ ? ", " : " (", op);
    puts(count ? ")" : "");
}

static dve_status diff_text(const tables_job *job, const comparison *c)
{
    printf("first: %s, set %s, %s (%s)\n", job->dir.path, job->first->name, dve_generation(job->dir.gen)->name,
           job->dir.gen_from);
    printf("second: %s, set %s, %s (%s)\n", job->other.path, job->second->name, dve_generation(job->other.gen)->name,
           job->other.gen_from);
    roster_text(c, 1);
    roster_text(c, 0);
    if (job->dir.gen != job->other.gen)
        printf("across generations: words by VALID, MODE and STAGE, selectors by the rule of doubling\n");
    dve_status status = opcodes_text(job, c);
    if (!status)
        status = tables_part_text(job, c);
    if (!status)
        masks_text(job, c);
    printf(c->identical ? "identical\n" : "they differ\n");
    return status ? status : cli_flush();
}

dve_status tables_diff(tables_job *job)
{
    static comparison c;
    tables_marks marks = {.meaning = "what differs from the first set"};
    compare(&job->first->set, &job->second->set, &c);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++)
        if (shown(&c.opcode[op]))
            marks.slot[op / 8] |= (uint8_t)(1u << op % 8);
    memcpy(marks.row, c.table[DVE_TABLE_DATAPATH].row, sizeof marks.row);
    dve_status status = tables_svg(job, &job->other, job->second, &marks);
    if (!status)
        status = job->json ? diff_json(job, &c) : diff_text(job, &c);
    return status ? status : c.identical ? DVE_OK : DVE_E_FINDING;
}
