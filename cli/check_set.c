/* SPDX-License-Identifier: Apache-2.0 */
#include "check_set.h"
#include "neff.h"
#include "tables.h"
#include <inttypes.h>
#include <string.h>

/* Streams have control records and pseudo opcodes too, which no table serves. */
static int outside_tables(uint8_t opcode)
{
    enum { FIRST_CONTROL = 0xa0, LAST_CONTROL = 0xb7, FIRST_PSEUDO = 0xc1, LAST_PSEUDO = 0xdf };
    return (opcode >= FIRST_CONTROL && opcode <= LAST_CONTROL) || (opcode >= FIRST_PSEUDO && opcode <= LAST_PSEUDO);
}

dve_status check_set_open(check_set *s, const cli_arguments *a, int gen_fixed, uint8_t *gen)
{
    const char *tables = cli_value(a, "tables");
    tables_dir dir = {0};
    const tables_set *set;
    if (!tables)
        return DVE_OK;
    dve_status status = tables_open_set(tables, NULL, gen_fixed ? *gen : 0, &dir, &set);
    if (!status) {
        s->given = s->known = 1;
        s->gen = *gen = dir.gen;
        snprintf(s->name, sizeof s->name, "%s", set->name);
        dve_table_enable(&set->set, s->enabled);
        if (!gen_fixed)
            cli_note("%.200s: %s (%s)", dir.path, dve_generation(dir.gen)->name, dir.gen_from);
    }
    tables_close(&dir);
    return status;
}

void check_set_graph(check_set *s, const dve_neff_graph *graph, uint8_t gen)
{
    const dve_archive_member *opcodes = NULL;
    const dve_table_info *wanted = dve_table_of(gen, DVE_TABLE_OPCODE);
    if (s->given)
        return;
    for (unsigned i = 0; i < DVE_NEFF_TABLES; i++)
        if (strcmp(dve_neff_table_key(i), "opcode_table") == 0)
            opcodes = graph->table[i];
    s->known = opcodes && wanted && opcodes->size == wanted->bytes;
    snprintf(s->name, sizeof s->name, "neff");
    if (s->known)
        cli_neff_enabled(opcodes, s->enabled);
    else if (opcodes)
        cli_note("member %.200s: %zu bytes are no opcode table of %s, so that opcodes are not compared with it", opcodes->name,
                 opcodes->size, dve_generation(gen)->name);
}

void check_set_take(check_set *s, uint8_t opcode, uint64_t index)
{
    if (!s->known || s->enabled[opcode / 8] >> opcode % 8 & 1 || outside_tables(opcode))
        return;
    if (!s->records[opcode]++)
        s->first[opcode] = index;
}

static void add_json(check_set *s, unsigned opcode, const char *name, const char *member)
{
    size_t count;
    const dve_integrity_info *rule = &dve_isa_integrity(&count)[DVE_INTEGRITY_RULE_stream_opcodes];
    json_object *row = json_object_new_object();
    if (member)
        json_object_object_add(row, "member", cli_json_text(member));
    json_object_object_add(row, "rule", cli_json_text(rule->id));
    json_object_object_add(row, "severity", cli_json_text("warning"));
    json_object_object_add(row, "set", cli_json_text(s->name));
    json_object_object_add(row, "opcode", cli_json_int(opcode));
    json_object_object_add(row, "name", cli_json_text(name));
    json_object_object_add(row, "records", cli_json_int((int64_t)s->records[opcode]));
    json_object_object_add(row, "first", cli_json_int((int64_t)s->first[opcode]));
    json_object_object_add(row, "source", cli_json_text(rule->source));
    if (!s->list)
        s->list = json_object_new_array();
    json_object_array_add(s->list, row);
}

void check_set_tell(check_set *s, uint8_t gen, int json, const char *member)
{
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        if (!s->records[opcode])
            continue;
        s->warnings++;
        const char *name = dve_wire_name((dve_wire_opcode){(uint8_t)opcode}, gen);
        if (json)
            add_json(s, opcode, name, member);
        else
            printf("warning: set %s does not enable opcode 0x%02x (%s): %" PRIu64 " record%s, the first is record %" PRIu64
                   " [stream_opcodes]\n", s->name, opcode, name, s->records[opcode], s->records[opcode] == 1 ? "" : "s",
                   s->first[opcode]);
    }
    memset(s->records, 0, sizeof s->records);
}

json_object *check_set_json(check_set *s)
{
    json_object *list = s->list ? s->list : json_object_new_array();
    s->list = NULL;
    return list;
}

void check_set_close(check_set *s)
{
    json_object_put(s->list);
}
