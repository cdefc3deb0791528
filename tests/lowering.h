/* SPDX-License-Identifier: Apache-2.0 */
/* One compiler instruction, put together operand by operand, for tests. */
#ifndef TEST_LOWERING_H
#define TEST_LOWERING_H

#include <opendve/text.h>
#include <string.h>

#define T(space_offset, dtype, count) dve_lower_tensor(DVE_SPACE_SBUF, 0, space_offset, DVE_DTYPE_##dtype, count)
#define NUMBER(n) ((dve_lower_value){.kind = DVE_LOWER_NUMBER, .number = n})
#define INTEGER(n) ((dve_lower_value){.kind = DVE_LOWER_INTEGER, .integer = n})
#define OPERATOR(op) ((dve_lower_value){.kind = DVE_LOWER_CODE, .code = {DVE_ALU_OP_##op, 0}})
#define COMMAND(ordinal) ((dve_lower_value){.kind = DVE_LOWER_CODE, .code = {ordinal, 1}})
#define SET_OPERAND(name, ...) in.operand[DVE_OPERAND_##name] = __VA_ARGS__

static dve_lower_instruction in;

static inline void begin(uint32_t operation, int64_t channels)
{
    memset(&in, 0, sizeof in);
    in.operation = operation;
    in.channels = channels;
}

#endif
