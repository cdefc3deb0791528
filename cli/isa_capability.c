/* SPDX-License-Identifier: Apache-2.0 */
/* What each generation, each table set and this version make of an opcode; the tables of rosters and effects. */
#include "isa.h"
#include <string.h>

static char mark_of(const dve_opcode_info *opcode, uint8_t gen)
{
    return opcode ? opcode->gens[gen - DVE_GEN_FIRST] : '-';
}

const char *cli_isa_defined(const dve_opcode_info *opcode, uint8_t gen)
{
    switch (mark_of(opcode, gen)) {
    case 'Y': case 'n': case '.': return "yes";
    case 'P': return "pseudo";
    case '?': return "name only";
    case 'X': return "sentinel";
    default: return "no";
    }
}

const char *cli_isa_maintained(const dve_opcode_info *opcode, uint8_t gen)
{
    switch (mark_of(opcode, gen)) {
    case 'Y': return "yes";
    case 'n': return "no";
    case '-': return "-";
    default: return "unknown";
    }
}

const char *cli_isa_armed(uint8_t opcode, uint8_t gen)
{
    switch (dve_opcode_armed(opcode, gen)) {
    case DVE_ARMED_YES: return "yes";
    case DVE_ARMED_NO: return "no";
    default: return "unknown";
    }
}

/* "default, transformer"; what no source prints is told as such. */
const char *cli_isa_sets(uint8_t opcode, uint8_t gen, char *out, size_t capacity)
{
    size_t count, used = 0;
    unsigned sets = 0, unknown = 0;
    const dve_roster_info *roster = dve_isa_rosters(&count);
    *out = '\0';
    for (size_t i = 0; i < count && used < capacity; i++) {
        if (roster[i].gen != gen)
            continue;
        sets++;
        unknown += roster[i].known == 0 && dve_roster_may_hold(&roster[i], opcode);
        if (dve_roster_holds(&roster[i], opcode))
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? ", " : "", roster[i].set);
    }
    if (!sets)
        return "unknown";
    if (!used)
        return "none";
    if (unknown && used < capacity)
        snprintf(out + used, capacity - used, " (%u unknown)", unknown);
    return out;
}

json_object *cli_isa_json_capability(const dve_opcode_info *opcode, uint8_t value)
{
    json_object *list = json_object_new_array();
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
        size_t count;
        unsigned published = 0;
        const dve_roster_info *roster = dve_isa_rosters(&count);
        json_object *row = json_object_new_object(), *sets = json_object_new_array(), *open = json_object_new_array();
        for (size_t i = 0; i < count; i++) {
            published += roster[i].gen == g;
            if (roster[i].gen == g && !roster[i].known && dve_roster_may_hold(&roster[i], value))
                json_object_array_add(open, json_object_new_string(roster[i].set));
            if (roster[i].gen == g && dve_roster_holds(&roster[i], value))
                json_object_array_add(sets, json_object_new_string(roster[i].set));
        }
        const char *maintained = cli_isa_maintained(opcode, g);
        json_object_object_add(row, "gen", json_object_new_string(dve_generation(g)->name));
        json_object_object_add(row, "defined", json_object_new_boolean(opcode && dve_marked(opcode->gens, g)));
        json_object_object_add(row, "maintained", strcmp(maintained, "yes") == 0  ? json_object_new_boolean(1)
                                                  : strcmp(maintained, "no") == 0 ? json_object_new_boolean(0)
                                                                                  : NULL);
        json_object_object_add(row, "engine", cli_json_text(opcode ? dve_opcode_engine(value, g) : "unknown"));
        json_object_object_add(row, "pool_kernel", json_object_new_boolean(dve_opcode_pool_kernel(value, g)));
        dve_armed armed = dve_opcode_armed(value, g);
        json_object_object_add(row, "armed", armed == DVE_ARMED_UNKNOWN ? NULL : json_object_new_boolean(armed == DVE_ARMED_YES));
        if (!published) {
            json_object_put(sets);
            json_object_put(open);
        }
        json_object_object_add(row, "sets", published ? sets : NULL);
        json_object_object_add(row, "sets_unknown", published ? open : NULL);
        json_object_object_add(row, "executed", json_object_new_boolean(dve_opcode_executes(value, g)));
        json_object_array_add(list, row);
    }
    return list;
}

static void count_text(char out[16], unsigned count)
{
    snprintf(out, 16, count ? "%u" : "unknown", count);
}

dve_status cli_isa_text_rosters(const isa_view *view)
{
    static const char *const headings[] = {"gen", "set", "opcodes", "source", "conf", "members", NULL};
    size_t rows;
    cli_table table;
    const dve_roster_info *roster = dve_isa_rosters(&rows);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < rows; i++) {
        char count[16], list[512] = "unknown: ";
        size_t used = 0;
        if (!view->all && roster[i].gen != view->gen)
            continue;
        count_text(count, roster[i].count);
        for (unsigned m = 0; m < roster[i].known; m++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s0x%02x", m ? " " : "", roster[i].opcode[m]);
        cli_table_add(&table, "%s", dve_generation(roster[i].gen)->name);
        cli_table_add(&table, "%s", roster[i].set);
        cli_table_add(&table, "%s", count);
        cli_table_add(&table, "%s", roster[i].source);
        cli_table_add(&table, "%c", roster[i].conf);
        cli_table_add(&table, "%s%s", list, roster[i].known ? "" : roster[i].meaning);
    }
    dve_status status = cli_table_end(&table, stdout) ? DVE_OK : DVE_E_INTERNAL;
    fputs("\nthe opcodes that each published set of microcode tables serves; gen5 has no published set\n", stdout);
    return status;
}

void cli_isa_json_rosters(const isa_view *view, cli_report *r)
{
    size_t rows;
    const dve_roster_info *roster = dve_isa_rosters(&rows);
    for (size_t i = 0; i < rows; i++) {
        if (!view->all && roster[i].gen != view->gen)
            continue;
        json_object *row = json_object_new_object(), *list = json_object_new_array();
        for (unsigned m = 0; m < roster[i].known; m++)
            json_object_array_add(list, json_object_new_int(roster[i].opcode[m]));
        if (!roster[i].known)
            json_object_put(list);
        json_object_object_add(row, "gen", json_object_new_string(dve_generation(roster[i].gen)->name));
        json_object_object_add(row, "set", json_object_new_string(roster[i].set));
        json_object_object_add(row, "default", json_object_new_boolean(roster[i].is_default));
        json_object_object_add(row, "count", roster[i].count ? json_object_new_int(roster[i].count) : NULL);
        json_object_object_add(row, "opcodes", roster[i].known ? list : NULL);
        json_object_object_add(row, "meaning", json_object_new_string(roster[i].meaning));
        cli_isa_json_origin(row, roster[i].source, roster[i].conf);
        cli_report_element(r, row);
    }
}

dve_status cli_isa_text_effects(const isa_view *view)
{
    static const char *const headings[] = {"opcode", "mnemonic", "conf", "state read", "state written", "effect", NULL};
    size_t rows;
    cli_table table;
    const dve_effect_info *effect = dve_isa_effects(&rows);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < rows; i++) {
        const dve_opcode_info *opcode = dve_opcode(effect[i].opcode);
        if (!cli_isa_shown(view, opcode->gens))
            continue;
        cli_table_add(&table, "0x%02x", opcode->value);
        cli_table_add(&table, "%s", opcode->mnemonic);
        cli_table_add(&table, "%c", effect[i].conf);
        cli_table_add(&table, "%s", effect[i].reads);
        cli_table_add(&table, "%s", effect[i].writes);
        cli_table_add(&table, "%s", effect[i].effect);
    }
    return cli_table_end(&table, stdout) ? DVE_OK : DVE_E_INTERNAL;
}

void cli_isa_json_effects(const isa_view *view, cli_report *r)
{
    size_t rows;
    const dve_effect_info *effect = dve_isa_effects(&rows);
    for (size_t i = 0; i < rows; i++) {
        const dve_opcode_info *opcode = dve_opcode(effect[i].opcode);
        if (!cli_isa_shown(view, opcode->gens))
            continue;
        json_object *row = json_object_new_object();
        json_object_object_add(row, "opcode", json_object_new_string(opcode->name));
        json_object_object_add(row, "mnemonic", json_object_new_string(opcode->mnemonic));
        json_object_object_add(row, "effect", json_object_new_string(effect[i].effect));
        json_object_object_add(row, "state_read", cli_json_text(*effect[i].reads ? effect[i].reads : NULL));
        json_object_object_add(row, "state_written", cli_json_text(*effect[i].writes ? effect[i].writes : NULL));
        cli_isa_json_origin(row, effect[i].source, effect[i].conf);
        cli_report_element(r, row);
    }
}
