/* SPDX-License-Identifier: Apache-2.0 */
/* Formats, fields, rules and assumptions for tools. */
#include "isa.h"
#include <string.h>

static void add_text(json_object *row, const char *name, const char *text)
{
    json_object_object_add(row, name, cli_json_text(*text ? text : NULL));
}

static void add_int(json_object *row, const char *name, int value)
{
    json_object_object_add(row, name, json_object_new_int(value));
}

json_object *cli_isa_json_field(const dve_field_info *field)
{
    json_object *row = json_object_new_object();
    add_text(row, "name", field->name);
    add_int(row, "byte", field->byte);
    add_int(row, "bit", field->bit);
    add_int(row, "width", field->width);
    add_text(row, "kind", cli_isa_kind(field->kind));
    add_text(row, "enum", strcmp(field->type, "NONE") == 0 ? "" : field->type);
    json_object_object_add(row, "generations", cli_isa_json_gens(field->gens));
    add_text(row, "unit", field->unit);
    add_text(row, "meaning", field->meaning);
    cli_isa_json_origin(row, field->source, field->conf);
    return row;
}

void cli_isa_json_fields(const isa_view *view, cli_report *r)
{
    size_t count;
    const dve_field_info *rows = dve_isa_fields(&count);
    for (size_t i = 0; i < count; i++) {
        if (!cli_isa_format_shown(view, rows[i].format) || !cli_isa_shown(view, rows[i].gens))
            continue;
        json_object *row = cli_isa_json_field(&rows[i]);
        add_text(row, "format", dve_format(rows[i].format)->name);
        cli_report_element(r, row);
    }
}

static json_object *operands(const dve_format_info *format)
{
    size_t rows;
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    const dve_field_info *fields = dve_isa_fields(&rows);
    json_object *list = json_object_new_array();
    for (unsigned i = 0; i < format->operands; i++) {
        json_object *row = json_object_new_object();
        add_text(row, "name", operand[i].name);
        add_int(row, "byte", operand[i].byte);
        add_int(row, "dimensions", operand[i].dims);
        add_text(row, "access", operand[i].access == DVE_ACCESS_WRITE ? "write" : "read");
        add_text(row, "dtype_field", fields[operand[i].dtype_field].name);
        json_object_array_add(list, row);
    }
    return list;
}

void cli_isa_json_formats(const isa_view *view, cli_report *r)
{
    size_t count, rows;
    const dve_format_info *formats = dve_isa_formats(&count);
    for (size_t f = 0; f < count; f++) {
        if (!cli_isa_format_shown(view, (uint8_t)f))
            continue;
        json_object *row = json_object_new_object(), *opcodes = json_object_new_array();
        json_object *fields = json_object_new_array();
        const dve_opcode_info *opcode = dve_isa_opcodes(&rows);
        for (size_t i = 0; i < rows; i++)
            if (dve_opcode_has_format(opcode[i].value, (uint8_t)f) && cli_isa_shown(view, opcode[i].gens))
                json_object_array_add(opcodes, json_object_new_string(opcode[i].name));
        const dve_field_info *field = dve_isa_fields(&rows) + formats[f].first_field;
        for (unsigned i = 0; i < formats[f].fields; i++)
            if (cli_isa_shown(view, field[i].gens))
                json_object_array_add(fields, cli_isa_json_field(&field[i]));
        add_text(row, "name", formats[f].name);
        add_text(row, "meaning", formats[f].meaning);
        json_object_object_add(row, "opcodes", opcodes);
        json_object_object_add(row, "fields", fields);
        json_object_object_add(row, "operands", operands(&formats[f]));
        cli_isa_json_origin(row, formats[f].source, formats[f].conf);
        cli_report_element(r, row);
    }
}

json_object *cli_isa_json_rule(const dve_rule_info *rule)
{
    size_t rows;
    char text[DVE_TEXT];
    json_object *row = json_object_new_object();
    const dve_field_info *field = rule->field == DVE_FIELD_NONE ? NULL : &dve_isa_fields(&rows)[rule->field];
    add_text(row, "id", rule->id);
    add_text(row, "format", rule->format == DVE_FORMAT_ANY ? "" : dve_format(rule->format)->name);
    add_text(row, "opcode", rule->opcode == DVE_OPCODE_ANY ? "" : dve_opcode((uint8_t)rule->opcode)->name);
    json_object_object_add(row, "generations", cli_isa_json_gens(rule->gens));
    add_text(row, "field", field ? field->name : "");
    json_object_object_add(row, "byte", field ? json_object_new_int(field->byte) : NULL);
    add_text(row, "allowed", dve_rule_allowed_text(rule, text, sizeof text));
    add_text(row, "severity", dve_severity_name(rule->severity));
    add_text(row, "vendor", rule->vendor);
    cli_isa_json_origin(row, rule->source, rule->conf);
    return row;
}

void cli_isa_json_rules(const isa_view *view, cli_report *r)
{
    size_t count;
    const dve_rule_info *rows = dve_isa_rules(&count);
    for (size_t i = 0; i < count; i++)
        if (cli_isa_rule_shown(view, &rows[i]))
            cli_report_element(r, cli_isa_json_rule(&rows[i]));
}

/* Names of the data types whose reading (or writing) rests on an assumption. */
static json_object *dtypes_of(size_t assumption, dve_access access)
{
    size_t count;
    const dve_dtype_info *rows = dve_isa_dtypes(&count);
    json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++)
        if (dve_assumptions_of_dtype(rows[i].code, access) >> assumption & 1)
            json_object_array_add(list, json_object_new_string(rows[i].name));
    return list;
}

void cli_isa_json_assumptions(const isa_view *view, cli_report *r)
{
    size_t count, opcode_count;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    const dve_opcode_info *opcode = dve_isa_opcodes(&opcode_count);
    for (size_t i = 0; i < count; i++) {
        if (!cli_isa_assumption_shown(view, i))
            continue;
        json_object *row = json_object_new_object(), *opcodes = json_object_new_array();
        json_object *values = cli_isa_json_words(rows[i].values, ' ');
        for (size_t o = 0; o < opcode_count; o++)
            if (dve_assumptions_of_opcode(opcode[o].value) >> i & 1 && cli_isa_shown(view, opcode[o].gens))
                json_object_array_add(opcodes, json_object_new_string(opcode[o].name));
        add_text(row, "id", rows[i].id);
        json_object *first = json_object_array_get_idx(values, 0);
        json_object_object_add(row, "default", first ? json_object_get(first) : NULL);
        json_object_object_add(row, "values", values);
        add_text(row, "meaning", rows[i].meaning);
        add_text(row, "why", rows[i].why);
        add_text(row, "ruling", rows[i].ruling);
        json_object_object_add(row, "opcodes", opcodes);
        json_object_object_add(row, "dtypes_read", dtypes_of(i, DVE_ACCESS_READ));
        json_object_object_add(row, "dtypes_written", dtypes_of(i, DVE_ACCESS_WRITE));
        cli_report_element(r, row);
    }
}
