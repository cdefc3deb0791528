/* SPDX-License-Identifier: Apache-2.0 */
/* opendve tables names: the opcodes of a directory's sets and their names on each generation. */
#include "tables.h"
#include "table.h"
#include <string.h>

enum { GENS = 3 };                               /* generations with table sets */

/* With --set, others of the directory may be malformed or not whole: nothing is told of them. */
static int has_entry(const tables_set *s, unsigned op)
{
    return op && tables_usable(s) && dve_table_row_used(&s->set, DVE_TABLE_OPCODE, op);
}

static int in_ops(const tables_set *s, unsigned op)
{
    for (size_t i = 0; !s->malformed && i < s->ops_count; i++)
        if (s->ops[i] == (int32_t)op)
            return 1;
    return 0;
}

/* Whether any wanted set enables the opcode (2) or holds an entry for it (1). */
static int wanted(const tables_job *job, unsigned op)
{
    int found = 0;
    for (size_t i = 0; i < job->dir.sets; i++) {
        const tables_set *s = &job->dir.set[i];
        if (job->set && strcmp(job->set, s->name) != 0)
            continue;
        if (in_ops(s, op))
            return 2;
        found |= has_entry(s, op);
    }
    return found;
}

static void sets_text(const tables_job *job, unsigned op, int entries, char *out, size_t capacity)
{
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; i < job->dir.sets && used + 1 < capacity; i++) {
        const tables_set *s = &job->dir.set[i];
        if (entries ? has_entry(s, op) && !in_ops(s, op) : in_ops(s, op))
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? ", " : "", s->name);
    }
}

static json_object *sets_json(const tables_job *job, unsigned op, int entries)
{
    json_object *list = json_object_new_array();
    for (size_t i = 0; i < job->dir.sets; i++) {
        const tables_set *s = &job->dir.set[i];
        if (entries ? has_entry(s, op) && !in_ops(s, op) : in_ops(s, op))
            json_object_array_add(list, json_object_new_string(s->name));
    }
    return list;
}

/* Compiler instruction kinds that become the opcode, with their ordinals, which are no opcodes. */
static json_object *kinds_json(unsigned op)
{
    size_t count;
    const dve_ordinal_info *kind = dve_isa_ordinals(&count);
    json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        if (!memchr(kind[i].wire, (int)op, kind[i].count))
            continue;
        json_object *row = json_object_new_object();
        json_object_object_add(row, "ordinal", json_object_new_int(kind[i].ordinal.value));
        json_object_object_add(row, "name", json_object_new_string(kind[i].name));
        json_object_array_add(list, row);
    }
    return list;
}

static dve_status names_json(const tables_job *job)
{
    cli_report r;
    tables_report_begin(&r, "names", &job->dir);
    cli_report_list(&r, "opcodes");
    for (unsigned op = 1; op < DVE_TABLE_SLOTS; op++) {
        if (!wanted(job, op))
            continue;
        json_object *row = tables_json_opcode((uint8_t)op, job->dir.gen), *names = json_object_new_object();
        for (uint8_t g = DVE_GEN_FIRST; g < DVE_GEN_FIRST + GENS; g++)
            json_object_object_add(names, dve_generation(g)->name,
                                   json_object_new_string(dve_wire_name((dve_wire_opcode){(uint8_t)op}, g)));
        json_object_object_add(row, "names", names);
        json_object_object_add(row, "sets", sets_json(job, op, 0));
        json_object_object_add(row, "resident", sets_json(job, op, 1));
        json_object_object_add(row, "compiler_kinds", kinds_json(op));
        cli_report_element(&r, row);
    }
    cli_report_list_end(&r);
    return cli_report_end(&r);
}

static dve_status names_text(const tables_job *job)
{
    static const char *const headings[] = {">opcode", "hex", "gen2", "gen3", "gen4", "sets", NULL};
    cli_table table;
    unsigned shown = 0;
    tables_text_head(&job->dir);
    cli_table_begin(&table, headings);
    for (unsigned op = 1; op < DVE_TABLE_SLOTS; op++) {
        char sets[600], resident[600];
        int kind = wanted(job, op);
        if (!kind)
            continue;
        shown++;
        cli_table_add(&table, "%u", op);
        cli_table_add(&table, "0x%02x", op);
        for (uint8_t g = DVE_GEN_FIRST; g < DVE_GEN_FIRST + GENS; g++)
            cli_table_add(&table, "%s", dve_wire_name((dve_wire_opcode){(uint8_t)op}, g));
        sets_text(job, op, 0, sets, sizeof sets);
        sets_text(job, op, 1, resident, sizeof resident);
        cli_table_add(&table, "%.400s%s%.400s%s", sets, *resident ? (*sets ? " (resident in " : "(resident in ") : "",
                      resident, *resident ? ")" : "");
    }
    if (!cli_table_end(&table, stdout))
        return cli_fail(DVE_E_INTERNAL, "not enough memory");
    printf("%u opcodes; Unknown: the generation's table of names lacks it; resident: an entry without being enabled\n", shown);
    return cli_flush();
}

dve_status tables_names(tables_job *job)
{
    const tables_set *picked;
    dve_status status = tables_pick_shown(&job->dir, job->set, &picked);
    if (!status)
        status = tables_svg(job, &job->dir, picked, NULL);
    if (status)
        return status;
    return job->json ? names_json(job) : names_text(job);
}
