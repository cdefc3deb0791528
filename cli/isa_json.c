/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `opendve isa` for tools. Every row says where it comes from. */
#include "isa.h"
#include <string.h>

json_object *cli_isa_json_gens(const char *gens)
{
    json_object *list = json_object_new_array();
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++)
        if (dve_marked(gens, g))
            json_object_array_add(list, json_object_new_string(dve_generation(g)->name));
    return list;
}

json_object *cli_isa_json_words(const char *text, char separator)
{
    json_object *list = json_object_new_array();
    const char stop[] = {separator, '\0'};
    while (*text) {
        size_t span = strcspn(text, stop);
        if (span)
            json_object_array_add(list, json_object_new_string_len(text, (int)span));
        text += span + (text[span] ? 1 : 0);
    }
    return list;
}

void cli_isa_json_origin(json_object *row, const char *source, char conf)
{
    const char *word = conf == 'O' ? "observed" : conf == 'D' ? "derived" : conf == 'I' ? "inferred" : "unknown";
    json_object_object_add(row, "sources", cli_isa_json_words(source, ','));
    json_object_object_add(row, "confidence", json_object_new_string(word));
}

static void add_text(json_object *row, const char *name, const char *text)
{
    json_object_object_add(row, name, cli_json_text(*text ? text : NULL));
}

static void add_hex(json_object *row, const char *name, unsigned value)
{
    char text[16];
    snprintf(text, sizeof text, "0x%02x", value);
    json_object_object_add(row, name, json_object_new_string(text));
}

static const char *presence(char mark)
{
    switch (mark) {
    case 'Y': return "maintained";
    case 'n': return "not maintained";
    case '.': return "no flag known";
    case 'P': return "pseudo";
    case '?': return "only a name";
    case 'X': return "sentinel";
    default: return "absent";
    }
}

void cli_isa_json_opcodes(const isa_view *view, cli_report *r)
{
    size_t count;
    const dve_opcode_info *rows = dve_isa_opcodes(&count);
    for (size_t i = 0; i < count; i++) {
        const dve_opcode_info *o = &rows[i];
        if (!cli_isa_shown(view, o->gens))
            continue;
        json_object *row = json_object_new_object(), *present = json_object_new_object();
        json_object *engines = json_object_new_object();
        add_hex(row, "opcode", o->value);
        json_object_object_add(row, "value", json_object_new_int(o->value));
        add_text(row, "name", o->name);
        add_text(row, "mnemonic", o->mnemonic);
        add_text(row, "structure", o->structure);
        add_text(row, "format", o->format == DVE_FORMAT_RAW ? "" : dve_format(o->format)->name);
        add_text(row, "engine", dve_opcode_engine(o->value, view->gen));
        json_object_object_add(row, "pool_kernel", json_object_new_boolean(dve_opcode_pool_kernel(o->value, view->gen)));
        json_object_object_add(row, "present", json_object_new_boolean(dve_opcode_present(o->value, view->gen)));
        for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
            const char *name = dve_generation(g)->name;
            json_object_object_add(present, name, json_object_new_string(presence(o->gens[g - DVE_GEN_FIRST])));
            json_object_object_add(engines, name, json_object_new_string(dve_opcode_engine(o->value, g)));
        }
        json_object_object_add(row, "presence", present);
        json_object_object_add(row, "engines", engines);
        json_object_object_add(row, "generations", cli_isa_json_capability(o, o->value));
        add_text(row, "token", o->token);
        add_text(row, "meaning", o->meaning);
        cli_isa_json_origin(row, o->source, o->conf);
        cli_report_element(r, row);
    }
}

static json_object *enum_row(const char *set, unsigned value, const char *name, const char *gens, const char *meaning)
{
    json_object *row = json_object_new_object();
    add_text(row, "enum", set);
    json_object_object_add(row, "value", json_object_new_int((int)value));
    add_hex(row, "hex", value);
    add_text(row, "name", name);
    json_object_object_add(row, "generations", cli_isa_json_gens(gens));
    add_text(row, "meaning", meaning);
    return row;
}

void cli_isa_json_enums(const isa_view *view, cli_report *r)
{
    size_t count;
    const dve_enum_info *rows = dve_isa_enums(&count);
    for (size_t i = 0; i < count; i++) {
        if (!cli_isa_shown(view, rows[i].gens))
            continue;
        json_object *row = enum_row(rows[i].set, rows[i].value, rows[i].name, rows[i].gens, rows[i].meaning);
        cli_isa_json_origin(row, rows[i].source, rows[i].conf);
        cli_report_element(r, row);
    }
    const dve_dtype_info *dtypes = dve_isa_dtypes(&count);
    for (size_t i = 0; i < count; i++) {
        if (!cli_isa_shown(view, dtypes[i].gens))
            continue;
        json_object *row = enum_row("DTYPE", dtypes[i].code, dtypes[i].name, dtypes[i].gens, dtypes[i].meaning);
        json_object_object_add(row, "bytes", dtypes[i].bytes ? json_object_new_int(dtypes[i].bytes) : NULL);
        cli_isa_json_origin(row, dtypes[i].source, dtypes[i].conf);
        cli_report_element(r, row);
    }
}

static json_object *memory(uint32_t active, uint32_t stride)
{
    json_object *row = json_object_new_object();
    json_object_object_add(row, "active", json_object_new_int64(active));
    json_object_object_add(row, "stride", json_object_new_int64(stride));
    return row;
}

void cli_isa_json_generations(const isa_view *view, cli_report *r)
{
    size_t count;
    const dve_generation_info *rows = dve_isa_generations(&count);
    for (size_t i = 0; i < count; i++) {
        const dve_generation_info *g = &rows[i];
        if (!view->all && g->number != view->gen)
            continue;
        json_object *row = json_object_new_object();
        add_text(row, "name", g->name);
        json_object_object_add(row, "number", json_object_new_int(g->number));
        json_object_object_add(row, "aliases", cli_isa_json_words(g->aliases, ' '));
        json_object_object_add(row, "clock_mhz", json_object_new_int64(g->clock_mhz));
        json_object_object_add(row, "partitions", json_object_new_int(DVE_LANES));
        json_object_object_add(row, "sbuf", memory(g->sbuf_active, g->sbuf_stride));
        json_object_object_add(row, "psum", memory(g->psum_active, g->psum_stride));
        add_text(row, "runs_as", dve_generation(g->runs_as)->name);
        add_text(row, "note", g->note);
        cli_isa_json_origin(row, g->source, g->conf);
        cli_report_element(r, row);
    }
}

void cli_isa_json_sources(const isa_view *view, cli_report *r)
{
    size_t count;
    (void)view;
    const dve_source_info *rows = dve_isa_sources(&count);
    for (size_t i = 0; i < count; i++) {
        json_object *row = json_object_new_object();
        add_text(row, "key", rows[i].key);
        add_text(row, "title", rows[i].title);
        add_text(row, "kind", rows[i].kind);
        add_text(row, "date", rows[i].date);
        add_text(row, "taken", rows[i].taken);
        cli_report_element(r, row);
    }
}
