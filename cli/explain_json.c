/* SPDX-License-Identifier: Apache-2.0 */
/* An explanation for tools; docs/schema/explain.schema.json. */
#include "explain.h"
#include "isa.h"
#include <string.h>

static void add_text(json_object *row, const char *name, const char *text)
{
    json_object_object_add(row, name, cli_json_text(text && *text ? text : NULL));
}

static json_object *hex_of(const dve_record *record)
{
    char text[2 * DVE_RECORD_BYTES + 1];
    for (unsigned b = 0; b < DVE_RECORD_BYTES; b++)
        snprintf(text + 2 * b, 3, "%02x", record->byte[b]);
    return json_object_new_string(text);
}

static json_object *opcode_json(const explain_subject *s)
{
    char text[8];
    json_object *row = json_object_new_object();
    snprintf(text, sizeof text, "0x%02x", s->opcode);
    add_text(row, "opcode", text);
    json_object_object_add(row, "value", json_object_new_int(s->opcode));
    add_text(row, "name", s->info ? s->info->name : NULL);
    add_text(row, "mnemonic", s->info ? s->info->mnemonic : NULL);
    add_text(row, "meaning", s->info ? s->info->meaning : NULL);
    add_text(row, "engine", s->info ? dve_opcode_engine(s->opcode, s->gen) : NULL);
    add_text(row, "format", s->format == DVE_FORMAT_RAW ? NULL : dve_format(s->format)->name);
    return row;
}

static json_object *record_json(const explain_subject *s)
{
    char text[DVE_RECORD_TEXT];
    if (!s->record)
        return NULL;
    json_object *row = json_object_new_object();
    dve_text_print(&s->insn, s->gen, text, sizeof text);
    json_object_object_add(row, "hex", hex_of(s->record));
    add_text(row, "text", text);
    json_object_object_add(row, "legal", json_object_new_boolean(s->broken == 0));
    return row;
}

static void fields_json(const explain_subject *s, cli_report *r)
{
    size_t rows;
    char ruler[DVE_RECORD_BYTES + 1], value[DVE_RECORD_TEXT];
    const dve_format_info *format = dve_format(s->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    memset(ruler, '.', DVE_RECORD_BYTES);
    ruler[DVE_RECORD_BYTES] = '\0';
    for (unsigned i = 0; i < format->fields; i++)
        for (unsigned b = field[i].byte; b < field[i].byte + (field[i].bit + field[i].width + 7u) / 8; b++)
            if (b < DVE_RECORD_BYTES && ruler[b] == '.')
                ruler[b] = cli_isa_letter(&field[i], i);
    cli_report_member(r, "ruler", json_object_new_string(ruler));
    cli_report_list(r, "fields");
    for (unsigned i = 0; i < format->fields; i++) {
        if (!dve_marked(field[i].gens, s->gen))
            continue;
        json_object *row = cli_isa_json_field(&field[i]);
        char letter[2] = {cli_isa_letter(&field[i], i), '\0'};
        add_text(row, "letter", letter);
        if (s->record)
            dve_text_field(&s->insn, &field[i], s->gen, value, sizeof value);
        json_object_object_add(row, "value", s->record ? json_object_new_string(value) : NULL);
        cli_report_element(r, row);
    }
    cli_report_list_end(r);
}

static void notes_json(const explain_subject *s, cli_report *r)
{
    size_t rows;
    const dve_note_info *note = dve_isa_notes(&rows);
    cli_report_list(r, "notes");
    for (size_t i = 0; i < rows; i++)
        if (cli_explain_has_note(s, &note[i])) {
            json_object *row = json_object_new_object();
            add_text(row, "text", note[i].text);
            cli_isa_json_origin(row, note[i].source, note[i].conf);
            cli_report_element(r, row);
        }
    cli_report_list_end(r);
}

static void rules_json(const explain_subject *s, cli_report *r)
{
    size_t rows;
    const dve_rule_info *rule = dve_isa_rules(&rows);
    cli_report_list(r, "rules");
    for (size_t i = 0; i < rows; i++) {
        if (!cli_explain_has_rule(s, &rule[i]))
            continue;
        json_object *row = cli_isa_json_rule(&rule[i]);
        const dve_diag *diag = cli_explain_broken(s, i);
        json_object_object_add(row, "holds", s->record ? json_object_new_boolean(diag == NULL) : NULL);
        json_object_object_add(row, "broken", diag ? cli_json_diag(&s->insn, diag) : NULL);
        cli_report_element(r, row);
    }
    cli_report_list_end(r);
}

static void effect_json(const explain_subject *s, cli_report *r)
{
    const dve_effect_info *effect = dve_effect(s->opcode);
    json_object *row = NULL, *state = NULL;
    if (effect) {
        row = json_object_new_object();
        state = json_object_new_object();
        add_text(row, "text", effect->effect);
        cli_isa_json_origin(row, effect->source, effect->conf);
        add_text(state, "read", effect->reads);
        add_text(state, "written", effect->writes);
    }
    cli_report_member(r, "effect", row);
    cli_report_member(r, "hidden_state", state);
}

static void cost_json(const explain_subject *s, cli_report *r)
{
    cli_report_list(r, "cost");
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++)
        for (unsigned p = 0; p < EXPLAIN_POINTS && dve_opcode_present(s->opcode, g); p++) {
            uint64_t cycles = dve_cost_cycles(s->opcode, g, cli_explain_points[p]);
            json_object *row = json_object_new_object();
            if (!cycles) {
                json_object_put(row);
                break;
            }
            add_text(row, "gen", dve_generation(g)->name);
            json_object_object_add(row, "elements", cli_json_int(cli_explain_points[p]));
            json_object_object_add(row, "cycles", cli_json_int((int64_t)cycles));
            cli_report_element(r, row);
        }
    cli_report_list_end(r);
}

static void hazards_json(const explain_subject *s, cli_report *r)
{
    uint32_t kinds = dve_hazards_of_opcode(s->opcode);
    cli_report_list(r, "hazards");
    for (unsigned k = 0; k < DVE_HAZARD_KINDS; k++)
        if (kinds >> k & 1) {
            json_object *row = json_object_new_object();
            add_text(row, "kind", dve_hazard_name((dve_hazard_kind)k));
            add_text(row, "meaning", cli_explain_hazard((dve_hazard_kind)k));
            cli_report_element(r, row);
        }
    cli_report_list_end(r);
}

static void sources_json(const explain_subject *s, cli_report *r)
{
    size_t rows;
    explain_sources used;
    cli_explain_sources(s, &used);
    const dve_source_info *source = dve_isa_sources(&rows);
    cli_report_list(r, "sources");
    for (size_t i = 0; i < rows; i++)
        if (used.row[i]) {
            json_object *row = json_object_new_object();
            add_text(row, "key", source[i].key);
            add_text(row, "title", source[i].title);
            add_text(row, "kind", source[i].kind);
            add_text(row, "date", source[i].date);
            cli_report_element(r, row);
        }
    cli_report_list_end(r);
    cli_report_member(r, "assumptions", cli_json_assumptions(cli_explain_assumptions(s)));
}

/* ---- the worked example ---- */

static json_object *values_json(const explain_tensor *t, const uint8_t *values)
{
    char text[40];
    json_object *rows = json_object_new_array();
    for (uint32_t p = 0; p < t->tensor->partitions; p++) {
        json_object *row = json_object_new_array();
        for (uint32_t i = 0; i < t->tensor->elements; i++) {
            cli_example_value(t, values, (size_t)p * t->tensor->elements + i, text, sizeof text);
            json_object_array_add(row, json_object_new_string(text));
        }
        json_object_array_add(rows, row);
    }
    return rows;
}

static json_object *tensors_json(const explain_example *e)
{
    json_object *list = json_object_new_array();
    for (unsigned i = 0; i < e->tensors; i++) {
        char dtype[24];
        const explain_tensor *t = &e->tensor[i];
        json_object *row = json_object_new_object();
        add_text(row, "name", t->tensor->name);
        add_text(row, "space", dve_space_name(t->tensor->place.space));
        json_object_object_add(row, "partition", cli_json_int(t->tensor->place.partition));
        json_object_object_add(row, "offset", cli_json_int(t->tensor->place.offset));
        add_text(row, "dtype", dve_dtype_text(t->tensor->dtype, dtype, sizeof dtype));
        json_object_object_add(row, "before", t->given ? values_json(t, t->before) : NULL);
        json_object_object_add(row, "after", e->executed ? values_json(t, t->after) : NULL);
        json_object_array_add(list, row);
    }
    return list;
}

json_object *cli_explain_example_json(const explain_subject *s, const explain_example *e)
{
    if (!e)
        return NULL;
    json_object *row = json_object_new_object(), *records = json_object_new_array();
    json_object *lines = cli_isa_json_words(e->source, '\n');
    for (unsigned i = 0; i < e->records; i++)
        json_object_array_add(records, hex_of(&e->record[i]));
    add_text(row, "gen", dve_generation(e->gen)->name);
    add_text(row, "title", e->title);
    json_object_object_add(row, "source", lines);
    json_object_object_add(row, "records", records);
    json_object_object_add(row, "executed", json_object_new_boolean(e->executed));
    json_object_object_add(row, "why_not", e->executed ? NULL : cli_json_text(cli_example_why_not(e, s->opcode)));
    json_object_object_add(row, "tensors", tensors_json(e));
    json_object_object_add(row, "cycles", e->executed ? cli_json_int((int64_t)e->cycles) : NULL);
    json_object_object_add(row, "hazards", e->executed ? cli_json_int(e->hazards) : NULL);
    return row;
}

dve_status cli_explain_json(const explain_subject *s)
{
    cli_report r;
    explain_example *example;
    dve_status status = cli_example_new(s->opcode, s->gen, &example);
    if (status)
        return status;
    cli_report_begin(&r, "explain", s->gen);
    cli_report_member(&r, "subject", cli_json_text(s->record ? "record" : "opcode"));
    cli_report_member(&r, "opcode", opcode_json(s));
    cli_report_member(&r, "record", record_json(s));
    fields_json(s, &r);
    notes_json(s, &r);
    rules_json(s, &r);
    effect_json(s, &r);
    cli_report_member(&r, "generations", cli_isa_json_capability(s->info, s->opcode));
    cost_json(s, &r);
    hazards_json(s, &r);
    cli_report_member(&r, "example", cli_explain_example_json(s, example));
    sources_json(s, &r);
    cli_example_free(example);
    return cli_report_end(&r);
}
