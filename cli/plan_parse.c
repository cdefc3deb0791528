/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a plan. Files come from anywhere: every member is judged, unknown ones included, and messages
 * say where it stands. */
#include "json_read.h"
#include "plan_parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_MEMBERS = 11 };

/* ---- values; `where` is the JSON path of the object that should have the member ---- */

static dve_status take_number(const plan_text *r, const char *where, json_object *object, const char *name,
                              uint64_t most, uint64_t *out)
{
    json_object *value;
    dve_status status = cli_json_take(r->file, where, object, name, json_type_int, &value);
    if (status)
        return status;
    int64_t given = json_object_get_int64(value);
    if (given < 0 || given == INT64_MAX || (uint64_t)given > most)         /* larger numbers read as INT64_MAX */
        return cli_json_wrong(r->file, where, name, "%s was given; allowed: 0..%" PRIu64, json_object_get_string(value),
                     most < INT64_MAX ? most : INT64_MAX - 1);
    *out = (uint64_t)given;
    return DVE_OK;
}

static dve_status take_text(const plan_text *r, const char *where, json_object *object, const char *name,
                            const char **out)
{
    json_object *value;
    dve_status status = cli_json_take(r->file, where, object, name, json_type_string, &value);
    if (!status)
        *out = json_object_get_string(value);
    return status;
}

/* The number of a word in a list of `count`. */
static dve_status take_word(const plan_text *r, const char *where, json_object *object, const char *name,
                            const char *const *words, unsigned count, uint8_t *out)
{
    const char *text;
    dve_status status = take_text(r, where, object, name, &text);
    for (unsigned i = 0; !status && i < count; i++)
        if (strcmp(words[i], text) == 0) {
            *out = (uint8_t)i;
            return DVE_OK;
        }
    if (status)
        return status;
    char allowed[128] = "";
    for (unsigned i = 0; i < count; i++)
        snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s", i ? ", " : "", words[i]);
    return cli_json_wrong(r->file, where, name, "\"%.40s\" was given; allowed: %s", text, allowed);
}

static dve_status take_dtype(const plan_text *r, const char *where, json_object *object, uint8_t *out)
{
    const char *text;
    dve_status status = take_text(r, where, object, "dtype", &text);
    const dve_dtype_info *info = status ? NULL : dve_dtype_by_name(text);
    if (!status && !info)
        return cli_json_wrong(r->file, where, "dtype", "\"%.40s\" is no data type", text);
    if (info)
        *out = info->code;
    return status;
}

static dve_status take_place(const plan_text *r, const char *where, json_object *object, dve_place *out)
{
    static const char *const spaces[2] = {"sbuf", "psum"};
    char inside[64];
    json_object *place;
    uint8_t space = 0;
    uint64_t partition = 0, offset = 0;
    dve_status status = cli_json_take(r->file, where, object, "place", json_type_object, &place);
    snprintf(inside, sizeof inside, "%s.place", where);
    if (!status)
        status = take_word(r, inside, place, "space", spaces, 2, &space);
    if (!status)
        status = take_number(r, inside, place, "partition", DVE_LANES - 1, &partition);
    if (!status)
        status = take_number(r, inside, place, "offset", UINT32_MAX, &offset);
    if (!status && json_object_object_length(place) != 3)
        status = cli_json_wrong(r->file, inside, "", "allowed are the members space, partition, offset");
    *out = (dve_place){(dve_space)space, (uint32_t)partition, (uint32_t)offset};
    return status;
}

static dve_status take_member(const plan_text *r, const char *where, json_object *object, const plan_member *member,
                              dve_plan_step *step)
{
    unsigned char *at = (unsigned char *)step + member->offset;
    uint64_t u64 = 0;
    uint32_t u32;
    uint8_t byte = 0;
    dve_place place;
    json_object *from;
    dve_status status;
    switch (member->kind) {
    case PLAN_PLACE:
        status = take_place(r, where, object, &place);
        memcpy(at, &place, sizeof place);
        return status;
    case PLAN_DTYPE: return take_dtype(r, where, object, at);
    case PLAN_OUTPUT:
        status = take_word(r, where, object, member->name, plan_outputs, 2, &byte);
        *at = byte;
        return status;
    case PLAN_U64:
        status = take_number(r, where, object, member->name, INT64_MAX, &u64);
        memcpy(at, &u64, sizeof u64);
        return status;
    default:
        if (member->kind == PLAN_FROM && json_object_object_get_ex(object, member->name, &from) &&
            json_object_is_type(from, json_type_string) && strcmp(json_object_get_string(from), "input") == 0) {
            u64 = DVE_PLAN_INPUT;
            status = DVE_OK;
        } else {
            status = take_number(r, where, object, member->name,
                                 member->kind == PLAN_FROM ? DVE_PLAN_MAX_BUFFERS - 1 : UINT32_MAX, &u64);
        }
        u32 = (uint32_t)u64;
        memcpy(at, &u32, sizeof u32);
        return status;
    }
}

static dve_status take_step(const plan_text *r, size_t number, json_object *object, dve_plan_step *step)
{
    char where[48];
    int members = 1;
    dve_status status = DVE_OK;
    memset(step, 0, sizeof *step);
    snprintf(where, sizeof where, "$.steps[%zu]", number);
    if (!json_object_is_type(object, json_type_object))
        return cli_json_wrong(r->file, where, "", "%s was given; allowed: object",
                              json_type_to_name(json_object_get_type(object)));
    status = take_word(r, where, object, "step", plan_actions, DVE_PLAN_ACTIONS, &step->action);
    for (unsigned m = 0; m < PLAN_MEMBERS && !status; m++) {
        if (!(plan_members[m].actions >> step->action & 1))
            continue;
        status = take_member(r, where, object, &plan_members[m], step);
        members++;
    }
    if (!status && json_object_object_length(object) != members)
        status = cli_json_wrong(r->file, where, "", "%s has members that it does not take", plan_actions[step->action]);
    return status;
}

/* ---- the plan's own members ---- */

static dve_status take_settings(const plan_text *r, json_object *root, dve_settings *out)
{
    json_object *settings;
    size_t count;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    dve_status status = cli_json_take(r->file, "$", root, "settings", json_type_object, &settings);
    int found = 0;
    for (size_t i = 0; i < count && !status; i++) {
        const char *text, *word = rows[i].values;
        if (!json_object_object_get_ex(settings, rows[i].id, NULL))
            continue;
        found++;
        status = take_text(r, "$.settings", settings, rows[i].id, &text);
        for (unsigned n = 0; !status; n++) {
            size_t span = strcspn(word, " ");
            if (!span)
                return cli_json_wrong(r->file, "$.settings", rows[i].id, "\"%.40s\" was given; allowed: %s", text,
                                      rows[i].values);
            out->value[i] = (uint8_t)n;
            if (strlen(text) == span && strncmp(word, text, span) == 0)
                break;
            word += span + (word[span] == ' ');
        }
    }
    if (!status && json_object_object_length(settings) != found)
        status = cli_json_wrong(r->file, "$", "settings", "it names assumptions that there are not");
    return status;
}

/* The marker: bits of the plan's data type. */
static dve_status take_replace(const plan_text *r, json_object *root, uint8_t dtype, uint32_t *out)
{
    static const dve_num_config num;
    json_object *replace;
    const char *text = "";
    dve_status status = cli_json_take(r->file, "$", root, "replace", json_type_object, &replace);
    if (!status)
        status = take_text(r, "$.replace", replace, "bits", &text);
    json_object *value = NULL;
    if (!status && (json_object_object_length(replace) != 2 || !json_object_object_get_ex(replace, "value", &value)))
        status = cli_json_wrong(r->file, "$", "replace", "allowed are the members bits, value");
    if (status)
        return status;
    unsigned long bits = strtoul(text, NULL, 16);
    if (strncmp(text, "0x", 2) != 0 || strlen(text) != 2 + 2 * dve_num_size(dtype) ||
        strspn(text + 2, "0123456789abcdefABCDEF") != 2 * dve_num_size(dtype))
        return cli_json_wrong(r->file, "$.replace", "bits", "\"%.40s\" was given; allowed: 0x and %u digits", text,
                     2 * dve_num_size(dtype));
    *out = dve_num_to_f32(&num, dtype, (uint32_t)bits);
    json_object *meant = cli_json_f32(*out), *same = NULL;
    json_object_object_get_ex(meant, "value", &same);
    int agree = json_object_equal(value, same);
    json_object_put(meant);
    return agree ? DVE_OK : cli_json_wrong(r->file, "$.replace", "value", "it is not the value of the bits");
}

static dve_status take_head(plan_text *r, json_object *root)
{
    dve_topk_options *o = &r->options;
    const char *version, *gen = "";
    static const char *const schemas[1] = {"opendve.plan/1"};
    uint8_t number;
    dve_status status = take_word(r, "$", root, "schema", schemas, 1, &number);
    if (!status)
        status = take_text(r, "$", root, "version", &version);
    if (!status)
        status = take_text(r, "$", root, "gen", &gen);
    const dve_generation_info *generation = status ? NULL : dve_generation_by_name(gen);
    if (!status && !generation)
        status = cli_json_wrong(r->file, "$", "gen", "\"%.40s\" is no generation", gen);
    if (generation)
        o->gen = generation->number;
    if (!status)
        status = take_settings(r, root, &o->settings);
    if (!status)
        status = take_number(r, "$", root, "rows", INT64_MAX, &o->rows);
    if (!status)
        status = take_number(r, "$", root, "columns", INT64_MAX, &o->columns);
    if (!status)
        status = take_number(r, "$", root, "k", INT64_MAX, &o->k);
    if (!status)
        status = take_dtype(r, "$", root, &o->dtype);
    if (!status)
        status = take_word(r, "$", root, "method", plan_methods, 2, &o->method);
    return status ? status : take_replace(r, root, dve_topk_working_dtype(o), &o->replace);
}

dve_status cli_plan_parse(json_object *root, plan_text *out)
{
    json_object *steps;
    dve_topk_defaults(&out->options);
    if (!json_object_is_type(root, json_type_object))
        return cli_json_wrong(out->file, "$", "", "%s was given; allowed: object",
                              json_type_to_name(json_object_get_type(root)));
    dve_status status = take_head(out, root);
    if (!status)
        status = cli_json_take(out->file, "$", root, "steps", json_type_array, &steps);
    if (!status && json_object_object_length(root) != HEAD_MEMBERS)
        status = cli_json_wrong(out->file, "$", "", "it has members that a plan does not take");
    if (status)
        return status;
    out->count = json_object_array_length(steps);
    out->steps = calloc(out->count + 1, sizeof *out->steps);
    if (!out->steps)
        return cli_fail(DVE_E_INTERNAL, "%.200s: no memory for the plan", out->file);
    for (size_t i = 0; i < out->count && !status; i++)
        status = take_step(out, i, json_object_array_get_idx(steps, i), &out->steps[i]);
    return status;
}
