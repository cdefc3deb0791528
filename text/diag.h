/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts about rules share. */
#ifndef DVE_TEXT_DIAG_H
#define DVE_TEXT_DIAG_H

#include "text.h"

const dve_rule_info *dve_diag_rule(const dve_diag *diag);
/* The field's row in the record's format; NULL for operands. */
const dve_field_info *dve_diag_field(const dve_insn *insn, const char *name);
/* Data type of the operand whose address word stands at `byte`; empty where there is none. */
const char *dve_diag_dtype(const dve_insn *insn, uint8_t byte, char *out, size_t capacity);

void dve_line_dtype(dve_line *line, uint8_t code);
void dve_line_count(dve_line *line, int64_t count);

#endif
