/* SPDX-License-Identifier: Apache-2.0 */
/* Records as text that a program reads back (.dve, docs/text.md), and plain-language text of values, broken
 * rules, hazards and stops.
 *
 * Text is English, one line, without a final newline and the same everywhere (no locale). A sentence that
 * does not fit its buffer ends in "...". `gen` is the generation that the record was judged on. */
#ifndef OPENDVE_TEXT_H
#define OPENDVE_TEXT_H

#include <opendve/lower.h>
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

/* Why lowering refused an instruction: "MaxIndex: maxvals has 7 elements, allowed 8 [maxvals_count]". */
char *dve_lower_fault_text(const dve_lower_fault *fault, char *out, size_t capacity);
/* Its parts: what was found ("has 7 elements"), and what is allowed ("8"; empty where the refusal does not say). */
char *dve_lower_fault_found_text(const dve_lower_fault *fault, char *out, size_t capacity);
char *dve_lower_fault_allowed_text(const dve_lower_fault *fault, char *out, size_t capacity);
/* What an operand of that role takes: "an access pattern". */
const char *dve_lower_role_text(dve_lower_role role);

/* ---- .dve text, version 1 ----
 *
 * Neither call needs a heap, stdio or a locale; all memory is the caller's. For every 64-byte record, legal
 * or not, and every generation: its line, parsed on the same generation, gives the same 64 bytes. */
enum {
    DVE_TEXT_VERSION = 1,
    DVE_RECORD_TEXT = 2048,      /* bytes that hold the line of any record */
    DVE_TEXT_LINE = 65536,       /* longest line that a source may have, in bytes without its end */
    DVE_TENSOR_NAME = 64,
    DVE_TENSORS = 256,           /* named tensors of a source */
    DVE_TEXT_ERRORS = 8          /* of one line that are told; the rest are counted */
};

/* Writes the line of a record: mnemonic, operands, fields, events. Answers its length without the zero byte
 * that ends it; a line of `capacity` bytes or more is cut. The decoded values must fit their fields, as
 * dve_decode leaves them. */
size_t dve_text_print(const dve_insn *insn, uint8_t gen, char *out, size_t capacity);
/* The value of one field as that line has it, `field` a row of insn's format; of an operand (address, data type
 * and walk) likewise. Same result as dve_text_print. */
size_t dve_text_field(const dve_insn *insn, const dve_field_info *field, uint8_t gen, char *out, size_t capacity);
size_t dve_text_operand(const dve_insn *insn, const dve_operand_info *operand, uint8_t gen, char *out,
                        size_t capacity);

/* A part of on-chip memory with a name: `elements` of `dtype`, contiguous, in each of `partitions`. */
typedef struct dve_tensor {
    char name[DVE_TENSOR_NAME];
    dve_place place;
    uint32_t partitions, elements;
    uint8_t dtype;
} dve_tensor;

/* What the lines of one source have said so far. */
typedef struct dve_text_source {
    uint8_t gen;                 /* 2..5, valid once a line that needs it was read */
    uint8_t gen_wanted;          /* what dve_text_begin was given */
    uint8_t gen_stated;          /* the source has a .gen line */
    uint8_t version;             /* 0 before the .dve line */
    uint8_t ended;               /* another version or generation: further lines are not looked at */
    uint64_t statements, records;
    uint32_t tensors;
    dve_tensor tensor[DVE_TENSORS];
} dve_text_source;

/* What is wrong, and where: `column` counts bytes from 1, `length` of them are meant. */
typedef struct dve_text_error {
    uint32_t column, length;
    char message[256];
    char hint[256];              /* what would be right; may be empty */
} dve_text_error;

typedef enum dve_text_kind {
    DVE_TEXT_NOTHING,            /* an empty line or a comment */
    DVE_TEXT_DIRECTIVE,          /* .dve, .gen, .tensor */
    DVE_TEXT_RECORD
} dve_text_kind;

typedef struct dve_text_result {
    dve_text_kind kind;
    uint32_t column;             /* where the statement begins */
    dve_insn insn;               /* of a record without error, else all zero */
    size_t errors;               /* the first DVE_TEXT_ERRORS are in `error` */
    dve_text_error error[DVE_TEXT_ERRORS];
} dve_text_result;

/* Before the first line. `gen` 2..5: a source for another generation is an error; 0: what the source says,
 * gen3 if it says nothing. */
void dve_text_begin(dve_text_source *source, uint8_t gen);
/* Reads one line of `length` bytes, without its end. *out is filled whatever the status: DVE_OK; DVE_E_INPUT for
 * malformed text; DVE_E_USAGE where the source is for another generation than dve_text_begin was given. */
dve_status dve_text_parse(dve_text_source *source, const char *line, size_t length, dve_text_result *out);
/* After the last line: DVE_E_INPUT if there was no .dve line. */
dve_status dve_text_end(const dve_text_source *source, dve_text_result *out);
/* The tensor of that name; NULL if the source declares none such. */
const dve_tensor *dve_text_tensor(const dve_text_source *source, const char *name);

#ifdef __cplusplus
}
#endif
#endif
