/* SPDX-License-Identifier: Apache-2.0 */
/* What can be asked of a top-k. */
#include "plan.h"
#include <string.h>

void dve_topk_defaults(dve_topk_options *out)
{
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    out->gen = DVE_GEN_DEFAULT;
    out->dtype = DVE_DTYPE_FP32;
    out->method = DVE_TOPK_FIND;
    out->replace = DVE_F32_INFINITY | 0x80000000u;
}

uint8_t dve_topk_working_dtype(const dve_topk_options *options)
{
    uint8_t dtype = options->dtype;
    return dtype == DVE_DTYPE_FP16 || dtype == DVE_DTYPE_BF16 ? dtype : DVE_DTYPE_FP32;
}

void dve_topk_num(const dve_topk_options *options, dve_num_config *out)
{
    dve_settings_num(&options->settings, out);
}

uint32_t dve_topk_marker(const dve_topk_options *options)
{
    static const dve_num_config num;
    return dve_num_from_f32(&num, dve_topk_working_dtype(options), options->replace);
}

static dve_status refuse_dtype(uint8_t dtype, dve_error *error)
{
    const dve_dtype_info *info = dve_dtype(dtype);
    dve_error_set(error, "topk: dtype %s is not taken; allowed: fp32, fp16, bf16, fp8_e3m4, fp8_e4m3, fp8_e5m2, "
                  "int8, uint8, int16, uint16, int32, uint32", info ? info->name : "unknown");
    return DVE_E_USAGE;
}

static dve_status refuse(const char **member, const char *name)
{
    *member = name;
    return DVE_E_USAGE;
}

/* What the machine needs. */
static dve_status check_machine(const dve_topk_options *o, const char **member, dve_error *error)
{
    if (!dve_generation(o->gen)) {
        dve_error_set(error, "topk: generation is %u; allowed: 2..5", o->gen);
        return refuse(member, "gen");
    }
    if (!dve_settings_valid(&o->settings)) {
        dve_error_set(error, "topk: a setting chooses a reading that its assumption does not have");
        return refuse(member, "settings");
    }
    if (!dve_num_size(o->dtype) || o->dtype == DVE_DTYPE_FP32R) {
        *member = "dtype";
        return refuse_dtype(o->dtype, error);
    }
    return DVE_OK;
}

dve_status dve_topk_check(const dve_topk_options *o, const char **member, dve_error *error)
{
    *member = "";
    if (!o || o->size != sizeof *o) {
        dve_error_set(error, "topk: options of another size than this library's");
        return refuse(member, "size");
    }
    dve_status status = check_machine(o, member, error);
    if (status)
        return status;
    if (o->rows == 0 || o->columns == 0 || o->columns >= DVE_TOPK_ABSENT) {
        dve_error_set(error, "topk: the input has %llu rows of %llu columns; allowed: at least one of each, and "
                      "columns up to 4294967294", (unsigned long long)o->rows, (unsigned long long)o->columns);
        return refuse(member, o->rows == 0 ? "rows" : "columns");
    }
    if (o->k == 0 || o->k > o->columns) {
        dve_error_set(error, "topk: k is %llu; allowed: 1..%llu, the columns of a row", (unsigned long long)o->k,
                      (unsigned long long)o->columns);
        return refuse(member, "k");
    }
    if (dve_f32_is_nan(o->replace)) {
        dve_error_set(error, "topk: replace is nan, which no search would pass over; allowed: a number, inf or -inf");
        return refuse(member, "replace");
    }
    if (o->method != DVE_TOPK_FIND && o->method != DVE_TOPK_REPLACE_INDICES) {
        dve_error_set(error, "topk: method is %u; allowed: find, replace-indices", o->method);
        return refuse(member, "method");
    }
    return DVE_OK;
}

/* Limits of the searches that this file builds. */
dve_status dve_topk_check_limits(const dve_topk_options *o, const char **member, dve_error *error)
{
    *member = o->method == DVE_TOPK_FIND ? "k" : "method";
    int replaces = o->method == DVE_TOPK_REPLACE_INDICES, tiled = o->columns > DVE_TOPK_MAX_TILE;
    if (replaces && !dve_opcode_present(DVE_OPCODE_DVE_READ_INDICES, o->gen))
        dve_error_set(error, "topk: method replace-indices needs DveReadIndices, which %s does not have; "
                      "use method find", dve_generation(o->gen)->name);
    else if (replaces && tiled)
        dve_error_set(error, "topk: method replace-indices takes rows of up to %d columns, not %llu; use method find",
                      DVE_TOPK_MAX_TILE, (unsigned long long)o->columns);
    else if (tiled && o->k > DVE_TOPK_MAX_MERGED_K)
        dve_error_set(error, "topk: k is %llu; allowed: 1..%d for rows of more than %d columns, whose winners are "
                      "merged", (unsigned long long)o->k, DVE_TOPK_MAX_MERGED_K, DVE_TOPK_MAX_TILE);
    else
        return DVE_OK;
    return DVE_E_USAGE;
}
