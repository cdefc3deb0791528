/* SPDX-License-Identifier: Apache-2.0 */
/* The SPEC language: compiler instructions as JSON. What an operand takes is told by the tables of lower.h. */
#include "json_read.h"
#include "lower.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a value stands. */
typedef struct spot {
    const char *file;
    char path[160];
} spot;

static spot inside(const spot *at, const char *name)
{
    spot in = {.file = at->file};
    snprintf(in.path, sizeof in.path, "%.100s%s%.50s", at->path, *name == '[' ? "" : ".", name);
    return in;
}

static spot inside_list(const spot *at, size_t index)
{
    char name[32];
    snprintf(name, sizeof name, "[%zu]", index);
    return inside(at, name);
}

static dve_status wrong(const spot *at, json_object *value, const char *allowed)
{
    const char *given = json_object_is_type(value, json_type_object) || json_object_is_type(value, json_type_array)
                            ? json_type_to_name(json_object_get_type(value))
                            : json_object_to_json_string(value);
    return cli_json_wrong(at->file, at->path, "", "%.60s was given; allowed: %s", given, allowed);
}

static dve_status want(const spot *at, json_object *value, json_type type)
{
    return json_object_is_type(value, type) ? DVE_OK : wrong(at, value, json_type_to_name(type));
}

/* A number as JSON has it: the parser also takes the words NaN and Infinity. */
static int is_number(json_object *value)
{
    const char *text = json_object_is_type(value, json_type_double) ? json_object_to_json_string(value) : "0";
    return json_object_is_type(value, json_type_int) ||
           (json_object_is_type(value, json_type_double) && strchr("0123456789", text[*text == '-']));
}

/* 1 and 1.0 are the same number. INT64_MIN is DVE_LOWER_NO_CHANNELS; larger numbers than INT64_MAX read as that. */
static dve_status read_integer(const spot *at, json_object *value, int64_t *out)
{
    *out = 0;
    if (!is_number(value))
        return wrong(at, value, "an integer");
    if (json_object_is_type(value, json_type_int)) {
        *out = json_object_get_int64(value);
        if (*out == INT64_MIN || json_object_get_uint64(value) > INT64_MAX)
            return wrong(at, value, "an integer from -9223372036854775807 to 9223372036854775807");
        return DVE_OK;
    }
    double number = json_object_get_double(value);
    if (!(fabs(number) <= 9e15) || number != floor(number))
        return wrong(at, value, "an integer");
    *out = (int64_t)number;
    return DVE_OK;
}

static dve_status read_member(const spot *at, json_object *object, const char *name, int64_t *out)
{
    json_object *value;
    spot in = inside(at, name);
    if (!json_object_object_get_ex(object, name, &value))
        return cli_json_wrong(at->file, at->path, name, "missing; allowed: an integer");
    return read_integer(&in, value, out);
}

/* ---- access patterns ---- */

static dve_status read_space(const spot *at, json_object *object, dve_space *out)
{
    json_object *value;
    spot in = inside(at, "space");
    dve_status status = cli_json_take(at->file, at->path, object, "space", json_type_string, &value);
    if (status)
        return status;
    *out = strcmp(json_object_get_string(value), "psum") == 0 ? DVE_SPACE_PSUM : DVE_SPACE_SBUF;
    return strcmp(json_object_get_string(value), dve_space_name(*out)) == 0 ? DVE_OK : wrong(&in, value, "sbuf, psum");
}

typedef int by_name(const char *name, dve_lower_code *out);

/* A name, or a compiler ordinal. */
static dve_status read_code(const spot *at, json_object *value, by_name *named, const char *allowed,
                            dve_lower_code *out)
{
    memset(out, 0, sizeof *out);
    if (json_object_is_type(value, json_type_string))
        return named(json_object_get_string(value), out) ? DVE_OK : wrong(at, value, allowed);
    if (!is_number(value))
        return wrong(at, value, allowed);
    out->is_ordinal = 1;
    return read_integer(at, value, &out->number);
}

static dve_status read_axis(const spot *at, json_object *pair, dve_lower_axis *out)
{
    spot step = inside_list(at, 0), count = inside_list(at, 1);
    if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2)
        return wrong(at, pair, "a pair [step, count]");
    dve_status status = read_integer(&step, json_object_array_get_idx(pair, 0), &out->step);
    return status ? status : read_integer(&count, json_object_array_get_idx(pair, 1), &out->count);
}

static dve_status read_pattern(const spot *at, json_object *object, dve_lower_access *out)
{
    json_object *list;
    spot in = inside(at, "pattern");
    dve_status status = cli_json_take(at->file, at->path, object, "pattern", json_type_array, &list);
    size_t axes = status ? 0 : json_object_array_length(list);
    out->axes = axes < UINT32_MAX ? (uint32_t)axes : UINT32_MAX;
    for (size_t i = 0; i < axes && !status; i++) {
        dve_lower_axis axis;
        spot pair = inside_list(&in, i);
        status = read_axis(&pair, json_object_array_get_idx(list, i), &axis);
        if (i < DVE_LOWER_AXES)
            out->axis[i] = axis;
    }
    return status;
}

static dve_status no_others(const spot *at, json_object *object, const char *const *names)
{
    json_object_object_foreach(object, name, value) {
        unsigned i = 0;
        (void)value;
        while (names[i] && strcmp(names[i], name) != 0)
            i++;
        if (!names[i])
            return cli_json_wrong(at->file, at->path, "", "no member \"%.40s\" is taken here", name);
    }
    return DVE_OK;
}

/* `list` is room for its list of indices and `left` more behind that; what is nested deeper is read over the last. */
static dve_status read_access(const spot *at, json_object *object, dve_lower_access *out, dve_lower_access *list,
                              unsigned left)
{
    static const char *const names[] = {"space", "partition", "offset", "dtype", "pattern", "channels",
                                        "indirect", NULL};
    json_object *value;
    spot dtype = inside(at, "dtype"), channels = inside(at, "channels"), indirect = inside(at, "indirect");
    memset(out, 0, sizeof *out);
    dve_status status = want(at, object, json_type_object);
    if (!status)
        status = read_space(at, object, &out->space);
    if (!status)
        status = read_member(at, object, "partition", &out->partition);
    if (!status)
        status = read_member(at, object, "offset", &out->offset);
    if (!status && !json_object_object_get_ex(object, "dtype", &value))
        status = cli_json_wrong(at->file, at->path, "dtype", "missing; allowed: a data type");
    if (!status)
        status = read_code(&dtype, value, dve_lower_dtype_by_name, "a data type, or a compiler ordinal", &out->dtype);
    if (!status)
        status = read_pattern(at, object, out);
    if (!status && json_object_object_get_ex(object, "channels", &value)) {
        status = read_integer(&channels, value, &out->channels);
        if (!status && !out->channels)
            out->channels = DVE_LOWER_NO_CHANNELS;       /* 0 in the structure means that none were asked for */
    }
    if (!status)
        status = no_others(at, object, names);
    if (status || !json_object_object_get_ex(object, "indirect", &value))
        return status;
    out->indirect = list;
    return read_access(&indirect, value, list, list + left, 0);
}

/* ---- the other operands ---- */

static dve_status read_bits(const spot *at, json_object *value, uint32_t *out)
{
    const char *text = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
    size_t digits = strlen(text) < 2 ? 0 : strlen(text + 2);
    if (strncmp(text, "0x", 2) != 0 || !digits || digits > 8 || strspn(text + 2, "0123456789abcdefABCDEF") != digits)
        return wrong(at, value, "0x and one to eight hexadecimal digits");
    *out = (uint32_t)strtoul(text, NULL, 16);
    return DVE_OK;
}

static dve_status read_named_number(const spot *at, json_object *value, double *out)
{
    static const struct { const char *name; double number; } words[] = {
        {"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(json_object_get_string(value), words[i].name) == 0) {
            *out = words[i].number;
            return DVE_OK;
        }
    return wrong(at, value, "a number, inf, -inf, nan");
}

static dve_status read_scalar(const spot *at, json_object *value, dve_lower_value *out, dve_lower_access *list)
{
    json_object *member;
    spot bits = inside(at, "bits"), reg = inside(at, "reg");
    out->kind = DVE_LOWER_NUMBER;
    if (json_object_is_type(value, json_type_string))
        return read_named_number(at, value, &out->number);
    if (is_number(value)) {
        out->number = json_object_get_double(value);
        return DVE_OK;
    }
    if (!json_object_is_type(value, json_type_object))
        return wrong(at, value, "a number, inf, -inf, nan, {\"bits\"}, {\"reg\"}, an access pattern");
    if (json_object_object_get_ex(value, "bits", &member) && json_object_object_length(value) == 1) {
        out->kind = DVE_LOWER_BITS;
        return read_bits(&bits, member, &out->bits);
    }
    if (json_object_object_get_ex(value, "reg", &member) && json_object_object_length(value) == 1) {
        out->kind = DVE_LOWER_REGISTER;
        return read_integer(&reg, member, &out->integer);
    }
    out->kind = DVE_LOWER_TENSOR;
    return read_access(at, value, &out->access, list, 1);
}

static dve_status read_mode(const spot *at, json_object *value, const char *words, int64_t *out)
{
    const char *given = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
    int64_t number = 0;
    for (const char *word = words; *word; number++) {
        size_t span = strcspn(word, " ");
        if (strlen(given) == span && strncmp(word, given, span) == 0) {
            *out = number;
            return DVE_OK;
        }
        word += span + (word[span] == ' ');
    }
    return wrong(at, value, words);
}

static dve_status read_mask(const spot *at, json_object *value, dve_lower_mask *out)
{
    memset(out, 0, sizeof *out);
    dve_status status = want(at, value, json_type_array);
    size_t count = status ? 0 : json_object_array_length(value);
    out->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    for (size_t i = 0; i < count && !status; i++) {
        spot in = inside_list(at, i);
        int64_t lane;
        status = read_integer(&in, json_object_array_get_idx(value, i), &lane);
        if (i < DVE_LOWER_LANES)
            out->lane[i] = lane;
    }
    return status;
}

static dve_status read_operand(const spot *at, json_object *value, const dve_lower_operand_info *info,
                               dve_lower_value *out, dve_lower_access *list)
{
    switch (info->role) {
    case DVE_ROLE_TENSOR:
        out->kind = DVE_LOWER_TENSOR;
        return read_access(at, value, &out->access, list, 1);
    case DVE_ROLE_OPERATOR:
        out->kind = DVE_LOWER_CODE;
        return read_code(at, value, dve_lower_operator_by_name, "an operator, or a compiler ordinal", &out->code);
    case DVE_ROLE_ACCUMULATE:
        out->kind = DVE_LOWER_CODE;
        return read_code(at, value, dve_lower_accumulate_by_name,
                         "Idle, Zero, ZeroAccumulate, AddAccumulate, LoadAccumulate, or a compiler ordinal",
                         &out->code);
    case DVE_ROLE_LANES:
        out->kind = DVE_LOWER_MASK;
        return read_mask(at, value, &out->mask);
    case DVE_ROLE_MODE:
        out->kind = DVE_LOWER_INTEGER;
        return read_mode(at, value, info->words, &out->integer);
    case DVE_ROLE_FLAG:
        out->kind = DVE_LOWER_INTEGER;
        out->integer = json_object_get_boolean(value);
        return json_object_is_type(value, json_type_boolean) ? DVE_OK : read_integer(at, value, &out->integer);
    case DVE_ROLE_COUNT:
        out->kind = DVE_LOWER_INTEGER;
        return read_integer(at, value, &out->integer);
    default: return read_scalar(at, value, out, list);
    }
}

/* ---- the document ---- */

enum { ALLOWED = 320 };

static void list_name(char list[ALLOWED], const char *name)
{
    size_t length = strlen(list);
    snprintf(list + length, ALLOWED - length, "%s%s", length ? ", " : "", name);
}

static dve_status unknown_operand(const spot *at, uint32_t operation, const char *name)
{
    size_t rows;
    char allowed[ALLOWED] = "op, channels";
    const dve_lower_operation_info *op = dve_lower_operation(operation);
    const dve_lower_operand_info *row = dve_lower_operands(&rows);
    for (size_t i = op->first_operand; i < (size_t)op->first_operand + op->operands; i++)
        list_name(allowed, dve_lower_operand_name(row[i].operand));
    return cli_json_wrong(at->file, at->path, name, "%s takes no such operand; allowed: %s", op->name, allowed);
}

static dve_status unknown_operation(const spot *at, json_object *value)
{
    size_t rows;
    char hint[80], allowed[ALLOWED] = "";
    const dve_lower_operation_info *row = dve_lower_operations(&rows);
    cli_guess guess = cli_guess_begin(json_object_get_string(value));
    for (size_t i = 0; i < rows; i++) {
        cli_guess_try(&guess, row[i].name);
        list_name(allowed, row[i].name);
    }
    return cli_json_wrong(at->file, at->path, "op", "\"%.40s\" is no instruction%s; allowed: %s",
                          json_object_get_string(value), cli_guess_hint(&guess, "", hint, sizeof hint), allowed);
}

static dve_status read_operands(const spot *at, json_object *object, lower_item *out)
{
    dve_status status = DVE_OK;
    json_object_object_foreach(object, name, value) {
        const dve_lower_operand_info *info = dve_lower_operand_by_name(out->instruction.operation, name);
        spot in = inside(at, name);
        if (!status && info)
            status = read_operand(&in, value, info, &out->instruction.operand[info->operand],
                                  out->list[info->operand]);
        else if (!status && strcmp(name, "op") != 0 && strcmp(name, "channels") != 0)
            status = unknown_operand(at, out->instruction.operation, name);
    }
    return status;
}

static json_object *instructions_of(json_object *root)
{
    json_object *list = NULL;
    json_object_object_get_ex(root, "instructions", &list);
    return list;
}

dve_status cli_lower_read(const char *file, json_object *root, size_t index, lower_item *out)
{
    json_object *object = json_object_array_get_idx(instructions_of(root), index), *op;
    char text[DVE_TEXT];
    dve_lower_fault fault;
    spot at = {.file = file};
    snprintf(at.path, sizeof at.path, "$.instructions[%zu]", index);
    memset(out, 0, sizeof *out);
    dve_status status = want(&at, object, json_type_object);
    if (!status)
        status = cli_json_take(file, at.path, object, "op", json_type_string, &op);
    if (status)
        return status;
    const dve_lower_operation_info *operation = dve_lower_operation_by_name(json_object_get_string(op));
    if (!operation)
        return unknown_operation(&at, op);
    size_t rows;
    out->instruction.operation = (uint32_t)(operation - dve_lower_operations(&rows));
    status = read_member(&at, object, "channels", &out->instruction.channels);
    if (!status)
        status = read_operands(&at, object, out);
    if (status || !dve_lower_form(&out->instruction, &fault))
        return status;
    return cli_json_wrong(file, at.path, "", "%s", dve_lower_fault_text(&fault, text, sizeof text));
}

dve_status cli_lower_head(const char *file, json_object *root, size_t *count)
{
    static const char *const names[] = {"schema", "instructions", NULL};
    json_object *schema = NULL, *list = NULL;
    const spot at = {.file = file, .path = "$"};
    dve_status status = want(&at, root, json_type_object);
    if (!status)
        status = cli_json_take(file, "$", root, "schema", json_type_string, &schema);
    if (!status && strcmp(json_object_get_string(schema), "opendve.lower/1") != 0)
        status = cli_json_wrong(file, "$", "schema", "\"%.40s\" was given; allowed: opendve.lower/1",
                                json_object_get_string(schema));
    if (!status)
        status = cli_json_take(file, "$", root, "instructions", json_type_array, &list);
    if (!status)
        status = no_others(&at, root, names);
    *count = status ? 0 : json_object_array_length(list);
    return status;
}
