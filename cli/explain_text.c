/* SPDX-License-Identifier: Apache-2.0 */
/* An explanation for people, in 80 columns. All sections are there, whatever is known. */
#include "explain.h"
#include "isa.h"
#include "wrap.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { KIND = 8, VALUE = 14, TEXT = 4096 };

static const char *none(const char *text)
{
    return *text ? text : "none";
}

static void print_head(const explain_subject *s)
{
    char text[DVE_RECORD_TEXT];
    const dve_generation_info *generation = dve_generation(s->gen);
    if (s->info)
        snprintf(text, sizeof text, "%s (0x%02x, %s) on %s", s->info->mnemonic, s->opcode, s->info->name,
                 generation->name);
    else
        snprintf(text, sizeof text, "opcode 0x%02x on %s", s->opcode, generation->name);
    cli_wrap(stdout, 0, 4, text);
    cli_wrap(stdout, 0, 0, s->info ? s->info->meaning : "no source names this opcode");
    if (s->info && !dve_opcode_present(s->opcode, s->gen))
        printf("not defined on %s\n", generation->name);
    if (*generation->note)
        cli_wrap(stdout, 0, 0, generation->note);
    if (!s->record)
        return;
    putchar('\n');
    dve_text_print(&s->insn, s->gen, text, sizeof text);
    cli_wrap(stdout, 0, 4, text);
    if (s->broken)
        printf("illegal: it breaks %zu rule%s\n", s->broken, s->broken == 1 ? "" : "s");
    else
        puts("legal");
}

static void byte_text(const dve_field_info *field, char *out, size_t capacity)
{
    unsigned bits = field->bit + field->width, last = field->byte + (bits + 7u) / 8 - 1;
    if (bits % 8 || field->bit)
        snprintf(out, capacity, "%u:%u..%u", field->byte, field->bit, bits - 1);
    else if (last > field->byte)
        snprintf(out, capacity, "%u..%u", field->byte, last);
    else
        snprintf(out, capacity, "%u", field->byte);
}

static unsigned longest_name(const dve_format_info *format, const dve_field_info *field)
{
    size_t longest = 0;
    for (unsigned i = 0; i < format->fields; i++)
        longest = strlen(field[i].name) > longest ? strlen(field[i].name) : longest;
    return (unsigned)longest;
}

/* What a field is, and its value where that is too long for its column. */
static void field_text(const dve_field_info *field, const char *value, char *out, size_t capacity)
{
    int named = strcmp(field->type, "NONE") != 0;
    snprintf(out, capacity, "%s%s%s%s%s%s%s [%s\t%c]", field->meaning, *field->unit ? ", " : "", field->unit,
             named ? "; enum\t" : "", named ? field->type : "", value ? " = " : "", value ? value : "", field->source,
             field->conf);
}

static void print_field(const explain_subject *s, const dve_field_info *field, unsigned number, unsigned names)
{
    char where[24], value[DVE_RECORD_TEXT], text[DVE_RECORD_TEXT + TEXT];
    unsigned width = s->record ? VALUE : KIND;
    byte_text(field, where, sizeof where);
    if (s->record)
        dve_text_field(&s->insn, field, s->gen, value, sizeof value);
    else
        snprintf(value, sizeof value, "%s", cli_isa_kind(field->kind));
    int fits = strlen(value) <= width;
    field_text(field, fits ? NULL : value, text, sizeof text);
    printf("  %c %-7s %-*s %-*s ", cli_isa_letter(field, number), where, (int)names, field->name, (int)width,
           fits ? value : "");
    unsigned at = 14 + names + width;
    cli_wrap(stdout, at, at + 24 > CLI_WIDTH ? CLI_WIDTH - 24 : at, text);
}

static void print_format(const dve_format_info *format)
{
    char text[TEXT];
    snprintf(text, sizeof text, "record format %s: %s [%s\t%c]", format->name, format->meaning, format->source,
             format->conf);
    printf("  ");
    cli_wrap(stdout, 2, 4, text);
}

static void print_fields(const explain_subject *s)
{
    size_t rows;
    const dve_format_info *format = dve_format(s->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    unsigned names = longest_name(format, field);
    cli_heading(stdout, "Bit ruler");
    if (s->format == DVE_FORMAT_RAW)
        puts("  no source describes the record behind its frame");
    else
        print_format(format);
    cli_isa_ruler(field, format->fields);
    cli_heading(stdout, "Fields");
    printf("    %-7s %-*s %-*s meaning [sources confidence]\n", "byte", (int)names, "field", s->record ? VALUE : KIND,
           s->record ? "value" : "kind");
    for (unsigned i = 0; i < format->fields; i++)
        if (dve_marked(field[i].gens, s->gen))
            print_field(s, &field[i], i, names);
    const dve_note_info *note = dve_isa_notes(&rows);
    for (size_t i = 0; i < rows; i++)
        if (cli_explain_has_note(s, &note[i])) {
            char text[TEXT];
            snprintf(text, sizeof text, "%s [%s\t%c]", note[i].text, note[i].source, note[i].conf);
            printf("  note: ");
            cli_wrap(stdout, 8, 8, text);
        }
}

/* "num_active_channels (byte 34): 1..128", or what is wrong with it. */
static void rule_text(const explain_subject *s, const dve_rule_info *rule, const dve_diag *diag, char *out,
                      size_t capacity)
{
    size_t rows;
    char allowed[DVE_TEXT], given[DVE_TEXT], where[64] = "every operand";
    const dve_field_info *field = rule->field == DVE_FIELD_NONE ? NULL : &dve_isa_fields(&rows)[rule->field];
    if (diag)
        snprintf(where, sizeof where, "%.40s (byte\t%u)", diag->field ? diag->field : "record", diag->byte);
    else if (field)
        snprintf(where, sizeof where, "%.40s (byte\t%u)", field->name, field->byte);
    if (diag)
        snprintf(out, capacity, "%s: %s is %s, allowed %s", rule->id, where,
                 dve_diag_value_text(&s->insn, diag, given, sizeof given),
                 dve_diag_allowed_text(&s->insn, diag, allowed, sizeof allowed));
    else if (rule->predicate == DVE_PREDICATE_START_PARTITION && dve_format(s->format)->starts)
        snprintf(out, capacity, "%s: %s, a multiple of %u, all channels below partition %u", rule->id, where,
                 dve_format(s->format)->starts, DVE_LANES);
    else if (rule->predicate == DVE_PREDICATE_START_PARTITION)
        snprintf(out, capacity, "%s: %s, 0 for more than 64 channels, 0 or 64 for 33..64, 0, 32, 64 or 96 for 1..32",
                 rule->id, where);
    else
        snprintf(out, capacity, "%s: %s, %s", rule->id, where, dve_rule_allowed_text(rule, allowed, sizeof allowed));
}

static void print_rule(const explain_subject *s, size_t row)
{
    size_t rows;
    char told[TEXT], text[TEXT + DVE_TEXT];
    const dve_rule_info *rule = &dve_isa_rules(&rows)[row];
    const dve_diag *diag = cli_explain_broken(s, row);
    rule_text(s, rule, diag, told, sizeof told);
    snprintf(text, sizeof text, "%s%s [%s\t%c]", told, rule->severity == DVE_SEVERITY_ASSUMPTION ? " (assumption)" : "",
             rule->source, rule->conf);
    if (s->record)
        printf("  %-6s ", diag ? "BROKEN" : "holds");
    else
        printf("  ");
    cli_wrap(stdout, s->record ? 9 : 2, s->record ? 11 : 6, text);
}

static void print_rules(const explain_subject *s)
{
    size_t rows;
    unsigned shown = 0;
    const dve_rule_info *rule = dve_isa_rules(&rows);
    cli_heading(stdout, "Rules");
    for (size_t i = 0; i < rows; i++)
        if (cli_explain_has_rule(s, &rule[i])) {
            print_rule(s, i);
            shown++;
        }
    if (!shown)
        puts("  none known");
}

static void print_effect(const explain_subject *s)
{
    char text[TEXT];
    const dve_effect_info *effect = dve_effect(s->opcode);
    cli_heading(stdout, "Effect");
    printf("  ");
    if (effect)
        snprintf(text, sizeof text, "%s [%s\t%c]", effect->effect, effect->source, effect->conf);
    else
        snprintf(text, sizeof text, "none known: %s", s->info ? s->info->meaning : "no source names this opcode");
    cli_wrap(stdout, 2, 2, text);
    cli_heading(stdout, "Hidden state");
    printf("  read     %s\n", effect ? none(effect->reads) : "none known");
    printf("  written  %s\n", effect ? none(effect->writes) : "none known");
}

static void print_cost(const explain_subject *s)
{
    cli_heading(stdout, "Cost");
    if (!dve_cost_cycles(s->opcode, s->gen, 1)) {
        puts("  none known");
        return;
    }
    printf("  elements a lane");
    for (unsigned p = 0; p < EXPLAIN_POINTS; p++)
        printf("  %7u", cli_explain_points[p]);
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
        if (!dve_opcode_present(s->opcode, g))
            continue;
        printf("\n  %-15s", dve_generation(g)->name);
        for (unsigned p = 0; p < EXPLAIN_POINTS; p++)
            printf("  %7" PRIu64, dve_cost_cycles(s->opcode, g, cli_explain_points[p]));
        printf("  cycles at %u MHz", dve_generation(g)->clock_mhz);
    }
    puts("\n  an estimate, see assumption cost");
}

static void print_hazards(const explain_subject *s)
{
    uint32_t kinds = dve_hazards_of_opcode(s->opcode);
    cli_heading(stdout, "Hazards");
    for (unsigned k = 0; k < DVE_HAZARD_KINDS; k++)
        if (kinds >> k & 1) {
            printf("  %-17s  ", dve_hazard_name((dve_hazard_kind)k));
            cli_wrap(stdout, 21, 21, cli_explain_hazard((dve_hazard_kind)k));
        }
    if (!kinds)
        puts(dve_opcode_executes(s->opcode, s->gen) ? "  none known"
                                                    : "  none known: this version does not execute it");
}

/* The sources of one kind. */
static void print_kind(const explain_sources *used, const dve_source_info *source, size_t rows, const char *kind)
{
    printf("  %s\n", kind);
    for (size_t i = 0; i < rows; i++)
        if (used->row[i] && strcmp(source[i].kind, kind) == 0) {
            printf("    %-7s ", source[i].key);
            cli_wrap(stdout, 12, 12, source[i].title);
        }
}

static void print_assumptions(const explain_subject *s)
{
    size_t rows;
    char text[TEXT];
    dve_assumption_set set = cli_explain_assumptions(s);
    const dve_assumption_info *assumption = dve_isa_assumptions(&rows);
    puts("  assumptions used");
    for (size_t i = 0; i < rows; i++)
        if (set >> i & 1) {
            snprintf(text, sizeof text, "%s%s%s: %s", assumption[i].id, *assumption[i].values ? " = " : "",
                     assumption[i].values, assumption[i].meaning);
            printf("    ");
            cli_wrap(stdout, 4, 6, text);
        }
    if (!set)
        puts("    none known");
}

static void print_sources(const explain_subject *s)
{
    size_t rows;
    explain_sources used;
    const dve_source_info *source = dve_isa_sources(&rows);
    cli_explain_sources(s, &used);
    cli_heading(stdout, "Sources");
    for (size_t i = 0; i < rows; i++) {
        size_t first = 0;
        while (!used.row[first] || strcmp(source[first].kind, source[i].kind) != 0)
            if (++first > i)
                break;
        if (first == i)
            print_kind(&used, source, rows, source[i].kind);
    }
    puts("  confidence: O observed, D derived, I inferred, U unknown");
    print_assumptions(s);
}

dve_status cli_explain_text(const explain_subject *s)
{
    explain_example *example;
    dve_status status = cli_example_new(s->opcode, s->gen, &example);
    if (status)
        return status;
    print_head(s);
    print_fields(s);
    print_rules(s);
    print_effect(s);
    cli_explain_generations(s);
    print_cost(s);
    print_hazards(s);
    cli_explain_example_text(s, example);
    print_sources(s);
    cli_example_free(example);
    return cli_flush();
}
