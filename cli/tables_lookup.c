/* SPDX-License-Identifier: Apache-2.0 */
/* opendve tables lookup: what one opcode reaches in a set. */
#include "tables.h"
#include <inttypes.h>

static dve_status print_json(const tables_job *job, const dve_table_path *path)
{
    const dve_table_set *set = &job->first->set;
    const dve_table_entry *e = &path->entry;
    cli_report r;
    tables_report_begin(&r, "lookup", &job->dir);
    cli_report_member(&r, "set", json_object_new_string(job->first->name));
    cli_report_member(&r, "opcode", tables_json_hex(path->opcode.value, 2));
    cli_report_member(&r, "value", json_object_new_int(path->opcode.value));
    cli_report_member(&r, "name", cli_json_text(path->opcode.value ? dve_wire_name(path->opcode, set->gen) : "idle"));
    cli_report_member(&r, "slot", json_object_new_string(tables_slot_kind(set, path->opcode.value)));
    cli_report_member(&r, "enabled", json_object_new_boolean(e->enabled));
    cli_report_member(&r, "raw", tables_json_hex(e->raw, 3));
    cli_report_member(&r, "row", e->raw ? json_object_new_int64(e->row) : NULL);
    cli_report_member(&r, "slow", e->raw ? json_object_new_int64((int64_t)e->slow) : NULL);
    cli_report_member(&r, "slow_alt", e->raw ? json_object_new_int64((int64_t)e->slow_alt) : NULL);
    cli_report_member(&r, "gap_bit", json_object_new_int(e->gap));
    cli_report_member(&r, "control", e->raw ? tables_json_row(set, dve_table_control_key(set->gen), e->row) : NULL);
    cli_report_member(&r, "slow_row", path->slow ? tables_json_row(set, DVE_TABLE_CONTROL_SLOW, e->slow) : NULL);
    cli_report_member(&r, "slow_row_alt", path->slow_alt ? tables_json_row(set, DVE_TABLE_CONTROL_SLOW, e->slow_alt) : NULL);
    cli_report_member(&r, "block", e->raw ? tables_json_block(set->gen, &path->block, e->row) : NULL);
    cli_report_member(&r, "assumptions", cli_json_assumptions((dve_assumption_set)1 << DVE_ASSUMPTION_slow_selector));
    return cli_report_end(&r);
}

static void print_selector(const dve_table_set *set, const dve_table_path *path)
{
    const dve_table_entry *e = &path->entry;
    int split = set->table[DVE_TABLE_CONTROL_SLOW] != NULL;
    printf("selector: %" PRIu64, e->slow);
    if (split)
        printf(" (entry >> 8), or %" PRIu64 " (entry >> 9, bit 8 is %u)", e->slow_alt, e->gap);
    printf("; %s\n", !e->slow ? "none: the fast row alone" : split ? "what it selects is inferred" :
                                                           "gen2 ships nothing that it could select");
    if (!split || !e->slow)
        return;
    printf("as a row of the slow table:\n");
    tables_text_row(set, DVE_TABLE_CONTROL_SLOW, e->slow);
    printf("as a number that counts in twos:\n");
    tables_text_row(set, DVE_TABLE_CONTROL_SLOW, e->slow_alt);
}

static dve_status print_text(const tables_job *job, const dve_table_path *path)
{
    char text[80];
    const dve_table_set *set = &job->first->set;
    uint8_t opcode = path->opcode.value;
    printf("%s in set %s of %s (%s): %s\n", tables_opcode_text(opcode, set->gen, text, sizeof text), job->first->name,
           dve_generation(set->gen)->name, job->dir.gen_from, tables_slot_kind(set, opcode));
    printf("entry: 0x%03" PRIx64 "\n", path->entry.raw);
    if (!path->entry.raw)
        return cli_flush();
    printf("row: %u\n", path->entry.row);
    print_selector(set, path);
    tables_text_row(set, dve_table_control_key(set->gen), path->entry.row);
    printf("datapath block %u: %s, %u lane%s configured\n", path->entry.row, dve_block_class_name(path->block.kind),
           path->block.configured, path->block.configured == 1 ? "" : "s");
    dve_status status = tables_text_block(set->gen, &path->block);
    return status ? status : cli_flush();
}

dve_status tables_lookup(tables_job *job, uint8_t opcode)
{
    dve_table_path path;
    tables_marks marks = {.meaning = "the opcode that was looked up, and its row"};
    dve_status found = dve_table_look_up(&job->first->set, (dve_wire_opcode){opcode}, &path);
    marks.slot[opcode / 8] |= (uint8_t)(1u << opcode % 8);
    if (path.entry.raw)
        marks.row[path.entry.row / 8] |= (uint8_t)(1u << path.entry.row % 8);
    dve_status status = tables_svg(job, &job->dir, job->first, &marks);
    if (!status)
        status = job->json ? print_json(job, &path) : print_text(job, &path);
    if (!status && !found && !path.entry.raw)
        cli_note("opcode 0x%02x is enabled by dve_info.json, and the table has no entry for it [R23]", opcode);
    if (!status && found)
        return cli_fail(found, "opcode 0x%02x is not enabled in set %s of %s%s", opcode, job->first->name, job->dir.path,
                        path.entry.raw && opcode ? ", although the table has an entry for it" : "");
    return status;
}
