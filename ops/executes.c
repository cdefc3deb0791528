/* SPDX-License-Identifier: Apache-2.0 */
#include "ops.h"

int dve_opcode_executes(uint8_t opcode, uint8_t gen)
{
    for (const dve_op *op = dve_op_table; op->run || op->run_tile; op++)
        if (op->opcode == opcode)
            return dve_opcode_present(opcode, gen);
    return 0;
}
