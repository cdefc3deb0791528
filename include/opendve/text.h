/* SPDX-License-Identifier: Apache-2.0 */
/* Plain-language text of values, broken rules, hazards and stops.
 *
 * Text is English, one line, without a final newline and the same everywhere (no locale). A text that
 * does not fit its buffer ends in "...". `gen` is the generation that the record was judged on. */
#ifndef OPENDVE_TEXT_H
#define OPENDVE_TEXT_H

#include <opendve/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DVE_TEXT = 512,              /* bytes that hold any text of this header */
    DVE_F32_TEXT = 32
};

/* The shortest decimal that reads back as the same fp32: "1", "0.1", "1e+10", "-0", "-inf", "nan". */
char *dve_f32_text(uint32_t bits, char out[DVE_F32_TEXT]);

/* "sbuf" or "psum"; NULL for no space. */
const char *dve_space_name(dve_space space);
/* "fp32", or "dtype:0x17" for a wire code that is no named type of the listings. */
char *dve_dtype_text(uint8_t code, char *out, size_t capacity);
/* An address word with the place that it decodes to: "0x00040010 (sbuf[1]@0x10)". */
char *dve_addr_text(uint32_t word, uint8_t gen, char *out, size_t capacity);
/* "Max8", or "opcode 0xff" where no source names the byte. */
char *dve_opcode_text(uint8_t opcode, char *out, size_t capacity);
/* Which generations the marks of a row name: "gen3, gen4 and gen5". */
char *dve_gens_text(const char *gens, char *out, size_t capacity);
/* Members of a wire enum on a generation: names where they are few, else their codes. */
char *dve_enum_text(const char *set, uint8_t gen, char *out, size_t capacity);

/* What a rule allows, whatever the record. */
char *dve_rule_allowed_text(const dve_rule_info *rule, char *out, size_t capacity);

/* One broken rule of `insn`: what was given, what is allowed, and both in a sentence:
 * "record 3 Max8: num_active_channels (byte 34) is 0, allowed 1..128 [max8_channels]". */
char *dve_diag_value_text(const dve_insn *insn, const dve_diag *diag, char *out, size_t capacity);
char *dve_diag_allowed_text(const dve_insn *insn, const dve_diag *diag, char *out, size_t capacity);
char *dve_diag_text(uint64_t record, const dve_insn *insn, const dve_diag *diag, char *out, size_t capacity);
/* "error" or "assumption". */
const char *dve_severity_name(dve_severity severity);

/* "record 3, never-written: src reads 32 bytes that nothing wrote, first sbuf[0]@0x40". */
char *dve_hazard_text(const dve_hazard *hazard, char *out, size_t capacity);

/* "illegal", "wait", ...; NULL for a reason that is none. */
const char *dve_refusal_name(dve_refusal reason);
/* Why a run stopped, the operation and the rule named. Broken rules are told by dve_diag_text. */
char *dve_stop_text(const dve_stop *stop, uint8_t gen, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
