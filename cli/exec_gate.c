/* SPDX-License-Identifier: Apache-2.0 */
/* --tables and --roster: only what a table set enables runs (R23). */
#include "exec.h"
#include "tables.h"
#include <string.h>

/* An explicit --assume fp8_overflow=... beats the set's name. */
static int chosen_by_hand(const exec *e)
{
    static const char name[] = "fp8_overflow=";
    const char *text;
    for (unsigned n = 0; (text = cli_value_at(e->a, "assume", n)); n++)
        if (strncmp(text, name, sizeof name - 1) == 0)
            return 1;
    return 0;
}

static void saturate(exec *e, const char *set)
{
    if (strcmp(set, "saturate") != 0 || chosen_by_hand(e))
        return;
    e->config.settings.value[DVE_ASSUMPTION_fp8_overflow] = 1;       /* "saturate" */
    e->saturate_set = 1;
}

static dve_status unknown_roster(const exec *e, const char *name)
{
    size_t count;
    char sets[160] = "", hint[96];
    const dve_roster_info *rows = dve_isa_rosters(&count);
    cli_guess guess = cli_guess_begin(name);
    for (size_t i = 0, used = 0; i < count && used < sizeof sets; i++) {
        if (rows[i].gen != e->config.gen)
            continue;
        cli_guess_try(&guess, rows[i].set);
        used += (size_t)snprintf(sets + used, sizeof sets - used, "%s%s", used ? ", " : "", rows[i].set);
    }
    return cli_fail(DVE_E_USAGE, "option --roster: \"%.100s\" was given, %s has %s%s", name,
                    dve_generation(e->config.gen)->name, *sets ? sets : "no published table set",
                    cli_guess_hint(&guess, "", hint, sizeof hint));
}

static dve_status by_roster(exec *e, const char *name)
{
    const dve_roster_info *roster = dve_roster(e->config.gen, name);
    if (!roster)
        return unknown_roster(e, name);
    if (dve_roster_enable(roster, e->config.enabled))
        return cli_fail(DVE_E_USAGE, "option --roster: no source prints the opcodes of %s of %s; --tables takes them from a "
                        "dve_info.json", name, dve_generation(e->config.gen)->name);
    saturate(e, name);
    return DVE_OK;
}

/* Where `ops` and the opcode table disagree, `ops` decides. */
static void tell_disagreement(const tables_set *set)
{
    uint8_t without[32] = {0}, beyond[32] = {0};
    char text[600];
    for (unsigned op = 1; op < DVE_TABLE_SLOTS; op++) {
        dve_table_entry entry;
        dve_table_entry_at(&set->set, (dve_wire_opcode){(uint8_t)op}, &entry);
        if (entry.enabled && !entry.raw)
            without[op / 8] |= (uint8_t)(1u << op % 8);
        if (!entry.enabled && entry.raw)
            beyond[op / 8] |= (uint8_t)(1u << op % 8);
    }
    if (*tables_ranges(without, text, sizeof text))
        cli_note("set %s enables opcodes without an entry, they run: %s [R23]", set->name, text);
    if (*tables_ranges(beyond, text, sizeof text))
        cli_note("set %s has entries of opcodes that it does not enable, they do not run: %s [R23]", set->name, text);
}

static dve_status by_tables(exec *e, const char *text, int gen_fixed)
{
    tables_dir dir = {0};
    const tables_set *set;
    dve_status status = tables_open_set(text, NULL, gen_fixed ? e->config.gen : 0, &dir, &set);
    if (!status)
        status = exec_outset(e);
    if (!status)
        status = tables_spare(&dir, e->outputs);
    if (!status) {
        if (!gen_fixed) {
            e->config.gen = dir.gen;
            e->table_generation = !dir.three_keys;
            cli_note("%.200s: %s (%s)", dir.path, dve_generation(dir.gen)->name, dir.gen_from);
        }
        dve_table_enable(&set->set, e->config.enabled);
        tell_disagreement(set);
        saturate(e, set->name);
    }
    tables_close(&dir);
    return status;
}

dve_status exec_gate(exec *e, int gen_fixed)
{
    const char *tables = cli_value(e->a, "tables"), *roster = cli_value(e->a, "roster");
    if (tables && roster)
        return cli_fail(DVE_E_USAGE, "options --tables and --roster exclude each other");
    if (!tables && !roster)
        return DVE_OK;
    e->config.gated = 1;
    return tables ? by_tables(e, tables, gen_fixed) : by_roster(e, roster);
}

dve_assumption_set exec_gate_assumptions(const exec *e, dve_assumption_set used)
{
    if (e->saturate_set && used >> DVE_ASSUMPTION_fp8_overflow & 1)
        used |= (dve_assumption_set)1 << DVE_ASSUMPTION_saturate_set;
    if (e->table_generation)
        used |= (dve_assumption_set)1 << DVE_ASSUMPTION_table_generation;
    return used;
}
