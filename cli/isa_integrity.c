/* SPDX-License-Identifier: Apache-2.0 */
/* The integrity rules of microcode table sets, for people and for tools. They are the same on every generation. */
#include "isa.h"
#include <ctype.h>
#include <opendve/tables.h>

static const char *const severities[] = {"error", "warning", "info"};

/* What a rule is about: the directory, a set, a set beside default, a stream of records. */
static const char *scope_of(const dve_integrity_info *rule, char out[16])
{
    size_t i = 0;
    for (; rule->scope[i] && i < 15; i++)
        out[i] = (char)tolower((unsigned char)rule->scope[i]);
    out[i] = '\0';
    return out;
}

dve_status cli_isa_text_integrity(const isa_view *view)
{
    static const char *const headings[] = {"rule", "severity", "scope", "source", "conf", "question", NULL};
    size_t count;
    char scope[16];
    cli_table table;
    const dve_integrity_info *row = dve_isa_integrity(&count);
    (void)view;
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++) {
        cli_table_add(&table, "%s", row[i].id);
        cli_table_add(&table, "%s", severities[row[i].severity]);
        cli_table_add(&table, "%s", scope_of(&row[i], scope));
        cli_table_add(&table, "%s", row[i].source);
        cli_table_add(&table, "%c", row[i].conf);
        cli_table_add(&table, "%s", row[i].question);
    }
    return cli_table_end(&table, stdout) ? DVE_OK : DVE_E_INTERNAL;
}

void cli_isa_json_integrity(const isa_view *view, cli_report *r)
{
    size_t count;
    char scope[16];
    const dve_integrity_info *rule = dve_isa_integrity(&count);
    (void)view;
    for (size_t i = 0; i < count; i++) {
        json_object *row = json_object_new_object();
        json_object_object_add(row, "id", json_object_new_string(rule[i].id));
        json_object_object_add(row, "severity", json_object_new_string(severities[rule[i].severity]));
        json_object_object_add(row, "scope", json_object_new_string(scope_of(&rule[i], scope)));
        json_object_object_add(row, "question", json_object_new_string(rule[i].question));
        cli_isa_json_origin(row, rule[i].source, rule[i].conf);
        cli_report_element(r, row);
    }
}
