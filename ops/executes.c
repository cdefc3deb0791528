/* SPDX-License-Identifier: Apache-2.0 */
#include "ops.h"

int dve_opcode_executes(uint8_t opcode, uint8_t gen)
{
    for (const dve_op *op = dve_op_table; dve_op_runs(op); op++)
        if (op->opcode == opcode)
            return dve_opcode_present(opcode, gen);
    return 0;
}
