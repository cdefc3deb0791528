/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values: floats with their bits, 64-bit integers as strings. */
#include "cli.h"
#include "neff/neff.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_object *cli_json_u64(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_object_new_string(text);
}

json_object *cli_json_int(int64_t value)
{
    return json_object_new_int64(value);
}

/* Names of files need not be UTF-8; JSON must be. */
json_object *cli_json_text(const char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen(text);
    char *clean = malloc(size + 1);
    for (size_t i = 0; clean && i < size;) {
        uint32_t character;
        size_t bytes = dve_neff_character((const uint8_t *)text + i, size - i, &character);
        if (bytes)
            memcpy(clean + i, text + i, bytes);
        else
            clean[i] = '?';
        i += bytes ? bytes : 1;
    }
    json_object *value = clean ? json_object_new_string_len(clean, (int)size) : NULL;
    free(clean);
    return value;
}

char *cli_f32_text(uint32_t bits, char out[32])
{
    return dve_f32_text(bits, out);
}

/* JSON has no infinities and no NaN. */
static json_object *float_value(uint32_t bits)
{
    char text[DVE_F32_TEXT];
    float value;
    dve_f32_text(bits, text);
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? json_object_new_double_s((double)value, text) : json_object_new_string(text);
}

static json_object *with_bits(uint32_t bits, unsigned bytes, json_object *value)
{
    char text[16];
    json_object *object = json_object_new_object();
    snprintf(text, sizeof text, "0x%0*x", (int)(2 * bytes), bits);
    json_object_object_add(object, "bits", json_object_new_string(text));
    json_object_object_add(object, "value", value);
    return object;
}

json_object *cli_json_f32(uint32_t bits)
{
    return with_bits(bits, 4, float_value(bits));
}

json_object *cli_json_bits(uint8_t dtype, uint32_t bits, const dve_num_config *num)
{
    unsigned bytes = dve_num_size(dtype);
    if (!bytes)
        return with_bits(bits, 4, NULL);
    if (bytes < 4)
        bits &= (1u << 8 * bytes) - 1;
    switch (dtype) {
    case DVE_DTYPE_UINT8: case DVE_DTYPE_UINT16: case DVE_DTYPE_UINT32:
        return with_bits(bits, bytes, json_object_new_int64(bits));
    case DVE_DTYPE_INT8:
        return with_bits(bits, bytes, json_object_new_int64((int64_t)bits - (bits & 0x80u ? 0x100 : 0)));
    case DVE_DTYPE_INT16:
        return with_bits(bits, bytes, json_object_new_int64((int64_t)bits - (bits & 0x8000u ? 0x10000 : 0)));
    case DVE_DTYPE_INT32:
        return with_bits(bits, bytes, json_object_new_int64((int64_t)bits - (bits >> 31 ? INT64_C(0x100000000) : 0)));
    default:
        return with_bits(bits, bytes, float_value(dve_num_to_f32(num, dtype, bits)));
    }
}

json_object *cli_json_assumptions(dve_assumption_set set)
{
    size_t count;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    json_object *list = json_object_new_array();
    for (size_t i = 0; i < count; i++)
        if (set >> i & 1)
            json_object_array_add(list, json_object_new_string(rows[i].id));
    return list;
}

void cli_sort_diags(dve_diag *diags, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        dve_diag moved = diags[i];
        size_t at = i;
        for (; at && diags[at - 1].byte > moved.byte; at--)
            diags[at] = diags[at - 1];
        diags[at] = moved;
    }
}

json_object *cli_json_diag(const dve_insn *insn, const dve_diag *diag)
{
    char text[DVE_TEXT];
    size_t count;
    const dve_rule_info *rule = &dve_isa_rules(&count)[diag->rule];
    json_object *object = json_object_new_object();
    json_object_object_add(object, "rule", json_object_new_string(rule->id));
    json_object_object_add(object, "field", cli_json_text(diag->field));
    json_object_object_add(object, "byte", json_object_new_int(diag->byte));
    json_object_object_add(object, "value",
                           json_object_new_string(dve_diag_value_text(insn, diag, text, sizeof text)));
    json_object_object_add(object, "allowed",
                           json_object_new_string(dve_diag_allowed_text(insn, diag, text, sizeof text)));
    json_object_object_add(object, "severity", json_object_new_string(dve_severity_name(rule->severity)));
    json_object_object_add(object, "source", json_object_new_string(rule->source));
    return object;
}

json_object *cli_json_tensor(const dve_tensor *tensor)
{
    char text[32];
    json_object *object = json_object_new_object();
    json_object_object_add(object, "name", json_object_new_string(tensor->name));
    json_object_object_add(object, "space", json_object_new_string(dve_space_name(tensor->place.space)));
    json_object_object_add(object, "partition", json_object_new_int((int)tensor->place.partition));
    json_object_object_add(object, "partitions", json_object_new_int((int)tensor->partitions));
    json_object_object_add(object, "offset", json_object_new_int((int)tensor->place.offset));
    json_object_object_add(object, "dtype", json_object_new_string(dve_dtype_text(tensor->dtype, text, sizeof text)));
    json_object_object_add(object, "elements", json_object_new_int((int)tensor->elements));
    return object;
}
