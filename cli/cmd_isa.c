/* SPDX-License-Identifier: Apache-2.0 */
/* opendve isa: the tables of the instruction set. */
#include "isa.h"
#include "commands.h"
#include <string.h>

const cli_option cli_isa_options[] = {{0}};

static const struct topic {
    const char *name;
    dve_status (*text)(const isa_view *view);
    void (*json)(const isa_view *view, cli_report *r);
} topics[] = {
    {"opcodes", cli_isa_text_opcodes, cli_isa_json_opcodes},
    {"formats", cli_isa_text_formats, cli_isa_json_formats},
    {"fields", cli_isa_text_fields, cli_isa_json_fields},
    {"enums", cli_isa_text_enums, cli_isa_json_enums},
    {"rules", cli_isa_text_rules, cli_isa_json_rules},
    {"generations", cli_isa_text_generations, cli_isa_json_generations},
    {"assumptions", cli_isa_text_assumptions, cli_isa_json_assumptions},
    {"sources", cli_isa_text_sources, cli_isa_json_sources},
    {"rosters", cli_isa_text_rosters, cli_isa_json_rosters},
    {"effects", cli_isa_text_effects, cli_isa_json_effects},
    {"integrity", cli_isa_text_integrity, cli_isa_json_integrity},
};
enum { TOPICS = sizeof topics / sizeof topics[0] };

int cli_isa_shown(const isa_view *view, const char *gens)
{
    return view->all || dve_marked(gens, view->gen);
}

int cli_isa_format_shown(const isa_view *view, uint8_t format)
{
    size_t count;
    const dve_opcode_info *opcodes = dve_isa_opcodes(&count);
    if (view->all || format == DVE_FORMAT_RAW)
        return 1;
    for (size_t i = 0; i < count; i++)
        if (dve_opcode_has_format(opcodes[i].value, format) && dve_marked(opcodes[i].gens, view->gen))
            return 1;
    return 0;
}

int cli_isa_rule_shown(const isa_view *view, const dve_rule_info *rule)
{
    if (view->all)
        return 1;
    if (!dve_marked(rule->gens, view->gen))
        return 0;
    if (rule->opcode != DVE_OPCODE_ANY)
        return dve_opcode_present((uint8_t)rule->opcode, view->gen);
    return rule->format == DVE_FORMAT_ANY || cli_isa_format_shown(view, rule->format);
}

int cli_isa_assumption_shown(const isa_view *view, size_t assumption)
{
    return view->all || view->gen == 5 || assumption != DVE_ASSUMPTION_gen5_as_gen4;
}

const char *cli_isa_rule_where(const dve_rule_info *rule)
{
    if (rule->opcode != DVE_OPCODE_ANY)
        return dve_opcode((uint8_t)rule->opcode)->name;
    return rule->format == DVE_FORMAT_ANY ? "every record" : dve_format(rule->format)->name;
}

const char *cli_isa_kind(dve_field_kind kind)
{
    static const char *const names[] = {"uint", "int", "channels", "f32", "word", "address", "dtype", "enum", "label",
                                        "opcode", "reserved", "raw", "ports", "bytes"};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "raw";
}

static dve_status print_json(const struct topic *topic, const isa_view *view)
{
    cli_report report;
    char name[32];
    snprintf(name, sizeof name, "isa.%s", topic->name);
    cli_report_begin(&report, name, view->gen);
    cli_report_member(&report, "every_generation", json_object_new_boolean(view->all));
    cli_report_list(&report, topic->name);
    topic->json(view, &report);
    cli_report_list_end(&report);
    return cli_report_end(&report);
}

/* The one document for other tools: every table. */
static dve_status print_all(const isa_view *view)
{
    cli_report report;
    cli_report_begin(&report, "isa", view->gen);
    cli_report_member(&report, "every_generation", json_object_new_boolean(view->all));
    for (unsigned i = 0; i < TOPICS; i++) {
        cli_report_list(&report, topics[i].name);
        topics[i].json(view, &report);
        cli_report_list_end(&report);
    }
    return cli_report_end(&report);
}

static dve_status print_text(const struct topic *topic, const isa_view *view)
{
    const dve_generation_info *generation = dve_generation(view->gen);
    printf("%s of %s\n\n", topic->name, view->all ? "every generation, gen2 to gen5" : generation->name);
    dve_status status = topic->text(view);
    if (status)
        return cli_fail(status, "not enough memory");
    if (!view->all && *generation->note)
        printf("\n%s: %s\n", generation->name, generation->note);
    return cli_flush();
}

static dve_status list_topics(void)
{
    for (unsigned i = 0; i < TOPICS; i++)
        printf("%s\n", topics[i].name);
    return cli_flush();
}

static dve_status unknown_topic(const char *name)
{
    char hint[64];
    cli_guess guess = cli_guess_begin(name);
    for (unsigned i = 0; i < TOPICS; i++)
        cli_guess_try(&guess, topics[i].name);
    return cli_fail(DVE_E_USAGE,
                    "isa: there is no table \"%.100s\"%s; allowed are opcodes, formats, fields, enums, rules, "
                    "generations, assumptions, sources, rosters, effects and integrity",
                    name, cli_guess_hint(&guess, "", hint, sizeof hint));
}

dve_status cli_isa(const cli_arguments *a)
{
    isa_view view = {.all = !cli_value(a, "gen")};
    dve_settings settings;
    dve_status status = cli_gen(a, &view.gen);
    if (!status)
        status = cli_settings(a, &settings);
    if (status)
        return status;
    if (a->operands > 1)
        return cli_fail(DVE_E_USAGE, "isa takes one table, %u were given: opendve isa %s", a->operands,
                        a->command->synopsis);
    if (!a->operands && cli_flag(a, "json"))
        return print_all(&view);
    if (!a->operands)
        return list_topics();
    for (unsigned i = 0; i < TOPICS; i++)
        if (strcmp(topics[i].name, a->operand[0]) == 0)
            return cli_flag(a, "json") ? print_json(&topics[i], &view) : print_text(&topics[i], &view);
    return unknown_topic(a->operand[0]);
}
