/* SPDX-License-Identifier: Apache-2.0 */
/* Compiler ordinals and names, and the wire codes that stand for them. */
#include "build.h"
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define CONF(letter) (#letter)[0]

static const dve_compiler_dtype_info dtypes[] = {
#define COMPILER_DTYPE(ordinal, name, bytes, wire, wire4, same, source, conf)                                       \
    {name, ordinal, bytes, DVE_DTYPE_##wire, DVE_DTYPE_##wire4, DVE_DTYPE_##same, source, CONF(conf)},
#include <opendve/isa/compiler.def>
};

const dve_compiler_dtype_info *dve_compiler_dtypes(size_t *count)
{
    *count = ROWS(dtypes);
    return dtypes;
}

enum { DVE_ALU_OP_NONE = -1, DVE_ACCUM_CMD_NONE = -1 };

static const dve_compiler_code_info operators[] = {
#define COMPILER_OPERATOR(ordinal, name, gens, source, conf) {"", ordinal, DVE_ALU_OP_##name, gens, source, CONF(conf)},
#include <opendve/isa/compiler.def>
};

const dve_compiler_code_info *dve_compiler_operators(size_t *count)
{
    *count = ROWS(operators);
    return operators;
}

static const dve_compiler_code_info accumulates[] = {
#define COMPILER_ACCUMULATE(ordinal, text, name, source, conf) \
    {text, ordinal, DVE_ACCUM_CMD_##name, "YYYY", source, CONF(conf)},
#include <opendve/isa/compiler.def>
};

const dve_compiler_code_info *dve_compiler_accumulates(size_t *count)
{
    *count = ROWS(accumulates);
    return accumulates;
}

int dve_lower_dtype_by_name(const char *name, dve_lower_code *out)
{
    const dve_dtype_info *info = dve_dtype_by_name(name);
    memset(out, 0, sizeof *out);
    if (info)
        out->number = info->code;
    for (size_t i = 0; name && !info && i < ROWS(dtypes); i++)
        if (strcmp(dtypes[i].name, name) == 0) {
            out->number = dtypes[i].ordinal;
            out->is_ordinal = 1;
            return 1;
        }
    return info != NULL;
}

int dve_lower_operator_by_name(const char *name, dve_lower_code *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned code = 0; name && code < 256; code++) {
        const dve_enum_info *member = dve_enum_member("ALU_OP", (uint8_t)code);
        if (member && strcmp(member->name, name) == 0) {
            out->number = code;
            return 1;
        }
    }
    return 0;
}

int dve_lower_accumulate_by_name(const char *name, dve_lower_code *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; name && i < ROWS(accumulates); i++)
        if (strcmp(accumulates[i].name, name) == 0) {
            out->number = accumulates[i].ordinal;
            out->is_ordinal = 1;
            return 1;
        }
    return 0;
}

int dve_lower_dtype_wire(const dve_lower_code *dtype, uint8_t gen)
{
    if (!dve_generation(gen) || dtype->number < 0)
        return -1;
    if (dtype->is_ordinal) {
        if (dtype->number >= (int64_t)ROWS(dtypes))
            return -1;
        const dve_compiler_dtype_info *row = &dtypes[dtype->number];
        return gen < 4 ? row->wire : row->wire4;
    }
    const dve_dtype_info *info = dtype->number < 256 ? dve_dtype((uint8_t)dtype->number) : NULL;
    return info && dve_marked(info->gens, gen) ? info->code : -1;
}

unsigned dve_low_identity(const dve_lower_code *dtype)
{
    if (dtype->is_ordinal)
        return (unsigned)dtype->number;
    for (size_t i = 0; i < ROWS(dtypes); i++)
        if (dtypes[i].same == dtype->number && dtype->number != DVE_DTYPE_INVALID)
            return dtypes[i].ordinal;
    return 0x100u | (unsigned)dtype->number;
}
