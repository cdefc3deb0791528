/* SPDX-License-Identifier: Apache-2.0 */
/* Which hazards the records of an opcode can meet. */
#include "machine.h"

#define BIT(kind) (UINT32_C(1) << DVE_HAZARD_##kind)

uint32_t dve_hazards_of_opcode(uint8_t opcode)
{
    size_t rows;
    uint32_t kinds = 0;
    int reads = 0, writes = 0;
    const dve_op *op = dve_op_table;
    const dve_opcode_info *info = dve_opcode(opcode);
    while (dve_op_runs(op) && op->opcode != opcode)
        op++;
    if (!dve_op_runs(op) || !info)
        return 0;
    const dve_format_info *format = dve_format(info->format);
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++) {
        reads |= operand[i].access == DVE_ACCESS_READ;
        writes |= operand[i].access == DVE_ACCESS_WRITE;
    }
    int pointers = op->imm[0].word != 0;
    int state = (op->reads & ~DVE_STATE_MASK) || op->command_slot;
    if (reads || pointers)
        kinds |= BIT(NEVER_WRITTEN);
    if (op->reads || state || op->mask_slot)
        kinds |= BIT(POWER_ON_STATE);
    if (state)                                   /* the mask serves all channels */
        kinds |= BIT(CHANNEL_MISMATCH);
    if (reads && writes && !op->reads_all_first)
        kinds |= BIT(PARTIAL_OVERLAP);
    if (writes)
        kinds |= BIT(DESTINATION_TWICE);
    if (op->values)
        kinds |= BIT(THROUGH_FP32);
    return kinds;
}
