/* SPDX-License-Identifier: Apache-2.0 */
/* The accumulator of a lane under a command. One fp32 value serves the whole family and lives across records
 * (NKI); what resets it depends on the operator that follows (NKI; semantics 0.3). */
#include "ops.h"

static uint32_t identity(uint8_t op)
{
    switch (op) {
    case DVE_ALU_OP_MULT: return DVE_F32_ONE;
    case DVE_ALU_OP_MAX: return DVE_F32_INFINITY | 0x80000000u;
    case DVE_ALU_OP_MIN: return DVE_F32_INFINITY;
    default: return 0;
    }
}

uint32_t dve_accumulator_start(const dve_lane *lane, uint32_t command, uint8_t op, uint32_t seed)
{
    switch (command) {
    case DVE_ACCUM_CMD_ZERO_ACCUMULATE: return identity(op);
    case DVE_ACCUM_CMD_LOAD_ACCUMULATE: return seed;
    default: return lane->state->accumulator;
    }
}
