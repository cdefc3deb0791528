/* SPDX-License-Identifier: Apache-2.0 */
/* Legality: every rule of isa/rules.def that a record breaks on a generation. */
#ifndef OPENDVE_CHECK_H
#define OPENDVE_CHECK_H

#include <opendve/codec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One broken rule. The rule's row says severity and source; io-side text is in text.h. */
typedef struct dve_diag {
    uint16_t rule;               /* row of dve_isa_rules */
    uint8_t byte;                /* where in the record the offending bytes begin */
    uint8_t gen;
    uint8_t partition;           /* of a walk: where it starts, else 0 */
    const char *field;           /* the field, or the operand that a count or walk belongs to */
    int64_t value;               /* what was given: bits of the field, a count, a byte offset */
    int64_t low, high;           /* what is allowed, where the rule's row leaves it to the record */
} dve_diag;

enum { DVE_MAX_DIAGS = 64 };     /* more than any record can break */

/* Judges `insn` on generation `gen` (2..5; any other breaks opcode_present). Writes the first `capacity` broken rules
 * in the order of dve_isa_rules and returns how many there are in all: 0 means legal. */
size_t dve_check(const dve_insn *insn, uint8_t gen, dve_diag *out, size_t capacity);

/* The run-time half for address registers: judges one operand whose address word came out of a
 * register, as an immediate (alignment, window, start partition, active bytes, PSUM writes, walk).
 * `channels` is the record's. Same result as dve_check. */
size_t dve_check_address(const dve_insn *insn, const dve_operand_info *operand, uint32_t word, uint8_t gen,
                         dve_diag *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
