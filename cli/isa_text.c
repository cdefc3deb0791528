/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `opendve isa` for people. */
#include "isa.h"
#include <string.h>

static const char *const any_heading = "gen2-5";

static dve_status finish(cli_table *table)
{
    return cli_table_end(table, stdout) ? DVE_OK : DVE_E_INTERNAL;
}

/* The engine, with the pool engine's kernel beside it: "DVE+", or a letter a generation and '+' behind those that have one. */
static void engine_marks(cli_table *table, const isa_view *view, const dve_opcode_info *row)
{
    char text[2 * DVE_GEN_COUNT + 1];
    size_t used = 0;
    if (!view->all) {
        int beside = dve_opcode_pool_kernel(row->value, view->gen) && row->engine[view->gen - DVE_GEN_FIRST] != 'K';
        cli_table_add(table, "%s%s", dve_opcode_engine(row->value, view->gen), beside ? "+" : "");
        return;
    }
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
        char letter = row->engine[g - DVE_GEN_FIRST];
        text[used++] = letter;
        if (letter != 'K' && dve_opcode_pool_kernel(row->value, g))
            text[used++] = '+';
    }
    text[used] = '\0';
    cli_table_add(table, "%s", text);
}

/* Table sets, arming and execution: a mark a generation, or words where one is asked for. */
static void capability_marks(cli_table *table, const isa_view *view, uint8_t opcode, char *sets, size_t capacity)
{
    char in[DVE_GEN_COUNT + 1] = "", runs[DVE_GEN_COUNT + 1] = "", armed[DVE_GEN_COUNT + 1] = "";
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
        const char *names = cli_isa_sets(opcode, g, sets, capacity);
        in[g - DVE_GEN_FIRST] = strcmp(names, "unknown") == 0               ? '?'
                                : dve_roster_holds(dve_roster(g, "default"), opcode) ? 'Y'
                                : strcmp(names, "none") == 0                ? '-'
                                                                            : 'o';
        runs[g - DVE_GEN_FIRST] = dve_opcode_executes(opcode, g) ? 'Y' : '-';
        armed[g - DVE_GEN_FIRST] = "-Y?"[dve_opcode_armed(opcode, g)];
    }
    cli_table_add(table, "%s", view->all ? in : cli_isa_sets(opcode, view->gen, sets, capacity));
    cli_table_add(table, "%s", view->all ? armed : cli_isa_armed(opcode, view->gen));
    cli_table_add(table, "%s", view->all ? runs : dve_opcode_executes(opcode, view->gen) ? "yes" : "no");
}

dve_status cli_isa_text_opcodes(const isa_view *view)
{
    static const char *const headings[] = {"opcode", "name", "mnemonic", "record", "engine", "gen2-5", "sets", "armed",
                                           "runs", "sources", "meaning", NULL};
    size_t count;
    char sets[160];
    cli_table table;
    const dve_opcode_info *rows = dve_isa_opcodes(&count);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++) {
        const dve_opcode_info *row = &rows[i];
        if (!cli_isa_shown(view, row->gens))
            continue;
        cli_table_add(&table, "0x%02x", row->value);
        cli_table_add(&table, "%s", row->name);
        cli_table_add(&table, "%s", row->mnemonic);
        cli_table_add(&table, "%s", row->structure);
        engine_marks(&table, view, row);
        cli_table_add(&table, "%s", row->gens);
        capability_marks(&table, view, row->value, sets, sizeof sets);
        cli_table_add(&table, "%s", row->source);
        cli_table_add(&table, "%s", row->meaning);
    }
    dve_status status = finish(&table);
    fputs("\nengine: D vector engine, K pool kernel, P pool, S sequencer, A activation, E matrix, U unknown, - none;\n"
          "        + behind it: the pool engine has a kernel for the opcode as well\n"
          "gen2-5: Y maintained, n not maintained, . no flag known, P pseudo, - absent, ? only a name, X sentinel\n"
          "sets: Y in the default table set, o in another one, - in no published one, ? no set published\n"
          "armed: Y in the profiler's printed list, - not, ? not printed; that changes nothing in execution\n"
          "runs: Y this version executes it\n",
          stdout);
    return status;
}

dve_status cli_isa_text_fields(const isa_view *view)
{
    static const char *const headings[] = {"format", "field", ">byte", ">bit", ">width", "kind", "enum", "unit",
                                           "meaning", NULL};
    size_t count;
    cli_table table;
    const dve_field_info *rows = dve_isa_fields(&count);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++) {
        const dve_field_info *row = &rows[i];
        if (!cli_isa_format_shown(view, row->format) || !cli_isa_shown(view, row->gens))
            continue;
        cli_table_add(&table, "%s", dve_format(row->format)->name);
        cli_table_add(&table, "%s", row->name);
        cli_table_add(&table, "%u", row->byte);
        cli_table_add(&table, "%u", row->bit);
        cli_table_add(&table, "%u", row->width);
        cli_table_add(&table, "%s", cli_isa_kind(row->kind));
        cli_table_add(&table, "%s", strcmp(row->type, "NONE") == 0 ? "" : row->type);
        cli_table_add(&table, "%s", row->unit);
        cli_table_add(&table, "%s", row->meaning);
    }
    return finish(&table);
}

static void enum_row(cli_table *table, const char *set, unsigned value, const char *name, const char *gens,
                     const char *meaning)
{
    cli_table_add(table, "%s", set);
    cli_table_add(table, "0x%02x", value);
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", gens);
    cli_table_add(table, "%s", meaning);
}

dve_status cli_isa_text_enums(const isa_view *view)
{
    const char *const headings[] = {"enum", "value", "name", any_heading, "meaning", NULL};
    size_t count;
    cli_table table;
    const dve_enum_info *rows = dve_isa_enums(&count);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++)
        if (cli_isa_shown(view, rows[i].gens))
            enum_row(&table, rows[i].set, rows[i].value, rows[i].name, rows[i].gens, rows[i].meaning);
    const dve_dtype_info *dtypes = dve_isa_dtypes(&count);
    for (size_t i = 0; i < count; i++)
        if (cli_isa_shown(view, dtypes[i].gens))
            enum_row(&table, "DTYPE", dtypes[i].code, dtypes[i].name, dtypes[i].gens, dtypes[i].meaning);
    return finish(&table);
}

static void rule_row(cli_table *table, const dve_rule_info *row)
{
    size_t fields;
    char text[DVE_TEXT];
    const dve_field_info *field = row->field == DVE_FIELD_NONE ? NULL : &dve_isa_fields(&fields)[row->field];
    cli_table_add(table, "%s", row->id);
    cli_table_add(table, "%s", cli_isa_rule_where(row));
    cli_table_add(table, "%s", row->gens);
    cli_table_add(table, "%s", field ? field->name : "every");
    if (field)
        cli_table_add(table, "%u", field->byte);
    else
        cli_table_add(table, "%s", "");
    cli_table_add(table, "%s", dve_severity_name(row->severity));
    cli_table_add(table, "%s", row->source);
    cli_table_add(table, "%s", row->vendor);
    cli_table_add(table, "%s", dve_rule_allowed_text(row, text, sizeof text));
}

dve_status cli_isa_text_rules(const isa_view *view)
{
    const char *const headings[] = {"rule", "of", any_heading, "field", ">byte", "severity", "source",
                                    "vendor's name", "allowed", NULL};
    size_t count;
    cli_table table;
    const dve_rule_info *rows = dve_isa_rules(&count);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++)
        if (cli_isa_rule_shown(view, &rows[i]))
            rule_row(&table, &rows[i]);
    return finish(&table);
}

dve_status cli_isa_text_generations(const isa_view *view)
{
    static const char *const headings[] = {"name", ">MHz", ">SBUF bytes", ">stride", ">PSUM bytes", ">stride",
                                           "runs as", "aliases", NULL};
    size_t count;
    cli_table table;
    const dve_generation_info *rows = dve_isa_generations(&count);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++) {
        const dve_generation_info *row = &rows[i];
        if (!view->all && row->number != view->gen)
            continue;
        cli_table_add(&table, "%s", row->name);
        cli_table_add(&table, "%u", row->clock_mhz);
        cli_table_add(&table, "%u", row->sbuf_active);
        cli_table_add(&table, "%u", row->sbuf_stride);
        cli_table_add(&table, "%u", row->psum_active);
        cli_table_add(&table, "%u", row->psum_stride);
        cli_table_add(&table, "%s", dve_generation(row->runs_as)->name);
        cli_table_add(&table, "%s", row->aliases);
    }
    dve_status status = finish(&table);
    fputs("\nsizes are bytes of one partition; MHz is the clock of the vector engine\n", stdout);
    for (size_t i = 0; view->all && i < count; i++)
        if (*rows[i].note)
            printf("%s: %s\n", rows[i].name, rows[i].note);
    return status;
}

/* "used by: Max8 FindIndex8, reading fp8_e4m3" */
static void print_uses(size_t assumption, const isa_view *view)
{
    size_t count;
    unsigned used = 0;
    const dve_opcode_info *opcodes = dve_isa_opcodes(&count);
    for (size_t i = 0; i < count; i++)
        if (dve_assumptions_of_opcode(opcodes[i].value) >> assumption & 1 && cli_isa_shown(view, opcodes[i].gens))
            printf("%s%s", used++ ? " " : "    used by: ", opcodes[i].name);
    const dve_dtype_info *dtypes = dve_isa_dtypes(&count);
    for (int access = DVE_ACCESS_READ; access <= DVE_ACCESS_WRITE; access++)
        for (size_t i = 0; i < count; i++)
            if (dve_assumptions_of_dtype(dtypes[i].code, (dve_access)access) >> assumption & 1)
                printf("%s%s %s", used++ ? ", " : "    used by: ", access == DVE_ACCESS_READ ? "reading" : "writing",
                       dtypes[i].name);
    if (used)
        putchar('\n');
}

dve_status cli_isa_text_assumptions(const isa_view *view)
{
    size_t count;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    for (size_t i = 0; i < count; i++) {
        const dve_assumption_info *row = &rows[i];
        if (!cli_isa_assumption_shown(view, i))
            continue;
        size_t first = strcspn(row->values, " ");
        printf("%s", row->id);
        if (*row->values)
            printf(" = %.*s (default) |%s", (int)first, row->values, row->values + first);
        printf("  [%s]\n    %s\n    why: %s\n", row->ruling, row->meaning, row->why);
        print_uses(i, view);
    }
    fputs("\nchoose a reading with --assume NAME=VALUE\n", stdout);
    return DVE_OK;
}

dve_status cli_isa_text_sources(const isa_view *view)
{
    static const char *const headings[] = {"key", "kind", "date", "title", "taken", NULL};
    size_t count;
    cli_table table;
    (void)view;
    const dve_source_info *rows = dve_isa_sources(&count);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++) {
        cli_table_add(&table, "%s", rows[i].key);
        cli_table_add(&table, "%s", rows[i].kind);
        cli_table_add(&table, "%s", rows[i].date);
        cli_table_add(&table, "%s", rows[i].title);
        cli_table_add(&table, "%s", rows[i].taken);
    }
    return finish(&table);
}
