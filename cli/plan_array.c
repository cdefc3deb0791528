/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of scores and results: which data type they hold, and how they come out. */
#include "plan_json.h"
#include <inttypes.h>
#include <string.h>

/* Own data type of an array kind; DVE_DTYPE_INVALID for raw bits. */
static uint8_t own_dtype(uint32_t kind)
{
    switch (kind) {
    case DVE_ARRAY_F32: return DVE_DTYPE_FP32;
    case DVE_ARRAY_F16: return DVE_DTYPE_FP16;
    case DVE_ARRAY_I8: return DVE_DTYPE_INT8;
    case DVE_ARRAY_U8: return DVE_DTYPE_UINT8;
    case DVE_ARRAY_I16: return DVE_DTYPE_INT16;
    case DVE_ARRAY_U16: return DVE_DTYPE_UINT16;
    case DVE_ARRAY_I32: return DVE_DTYPE_INT32;
    case DVE_ARRAY_U32: return DVE_DTYPE_UINT32;
    default: return DVE_DTYPE_INVALID;
    }
}

/* Whether an array's elements may be the raw bits of a data type that NumPy lacks. */
static int carries(uint32_t kind, uint8_t dtype)
{
    switch (dtype) {
    case DVE_DTYPE_BF16: return kind == DVE_ARRAY_U16 || kind == DVE_ARRAY_V2;
    case DVE_DTYPE_FP8_E3M4: case DVE_DTYPE_FP8_E4M3: case DVE_DTYPE_FP8_E5M2:
        return kind == DVE_ARRAY_U8 || kind == DVE_ARRAY_V1;
    default: return 0;
    }
}

/* What --dtype may say about an array of this kind. */
static const char *choices(uint32_t kind)
{
    switch (kind) {
    case DVE_ARRAY_U8: return "uint8, fp8_e3m4, fp8_e4m3, fp8_e5m2";
    case DVE_ARRAY_V1: return "fp8_e3m4, fp8_e4m3, fp8_e5m2";
    case DVE_ARRAY_U16: return "uint16, bf16";
    case DVE_ARRAY_V2: return "bf16";
    case DVE_ARRAY_V4: return "none; use .view(np.float32)";
    default: return dve_dtype(own_dtype(kind))->name;
    }
}

dve_status cli_array_dtype(const dve_array *array, const char *path, const char *name, uint8_t *out)
{
    const char *kind = dve_array_kind_name(array->kind);
    *out = own_dtype(array->kind);
    if (!name && *out != DVE_DTYPE_INVALID)
        return DVE_OK;
    if (!name)
        return cli_fail(DVE_E_USAGE, "%.200s holds %s, raw bits: say with --dtype what they are; allowed: %s", path,
                        kind, choices(array->kind));
    const dve_dtype_info *info = dve_dtype_by_name(name);
    if (!info || (info->code != *out && !carries(array->kind, info->code)))
        return cli_fail(DVE_E_USAGE, "option --dtype: \"%.40s\" was given, but %.200s holds %s; allowed: %s", name,
                        path, kind, choices(array->kind));
    *out = info->code;
    return DVE_OK;
}

dve_status cli_plan_input(const dve_plan *plan, const char *path, int convert, dve_array *out)
{
    const dve_topk_options *o = dve_plan_options(plan);
    const dve_npy_options reading = {.convert = convert != 0};
    dve_error error = {""};
    dve_status status = dve_npy_read(path, &reading, out, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    if (out->rows != o->rows || out->columns != o->columns)
        status = cli_fail(DVE_E_USAGE,
                          "%.200s has %" PRIu64 " rows of %" PRIu64 " columns; the plan is for %" PRIu64
                          " rows of %" PRIu64,
                          path, out->rows, out->columns, o->rows, o->columns);
    else if (own_dtype(out->kind) != o->dtype && !carries(out->kind, o->dtype))
        status = cli_fail(DVE_E_USAGE, "%.200s holds %s; the plan is for %s", path, dve_array_kind_name(out->kind),
                          dve_dtype(o->dtype)->name);
    if (status)
        dve_array_free(out);
    return status;
}

static uint32_t kind_of(uint8_t dtype)
{
    for (uint32_t kind = DVE_ARRAY_F32; kind <= DVE_ARRAY_U32; kind++)
        if (own_dtype(kind) == dtype)
            return kind;
    return dve_num_size(dtype) == 1 ? DVE_ARRAY_U8 : DVE_ARRAY_U16;
}

dve_status cli_array_write(dve_outset *set, unsigned output, uint8_t dtype, uint64_t rows, uint64_t columns,
                           const void *data)
{
    uint8_t header[DVE_NPY_HEADER_BYTES];
    size_t length;
    dve_error error = {"cannot make the header of an array"};
    dve_status status = dve_npy_header(kind_of(dtype), rows, columns, header, sizeof header, &length);
    if (!status)
        status = dve_outset_write(set, output, header, length, &error);
    if (!status)
        status = dve_outset_write(set, output, data, (size_t)(rows * columns) * dve_num_size(dtype), &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}
