/* SPDX-License-Identifier: Apache-2.0 */
/* What printing and parsing of records share: which field is written how, and under which name. */
#ifndef DVE_TEXT_SYNTAX_H
#define DVE_TEXT_SYNTAX_H

#include "emit.h"
#include <opendve/text.h>

/* How the value of a field is written. */
typedef enum dve_form {
    DVE_FORM_UNSIGNED,               /* 128 */
    DVE_FORM_SIGNED,                 /* -1 */
    DVE_FORM_F32,                    /* 1.5, -inf, nan, 0x7fc00001 */
    DVE_FORM_WORD,                   /* 0x3f800000; read as well: 1.5, sbuf[0]+0x40 */
    DVE_FORM_BITS,                   /* 0x1f */
    DVE_FORM_NAMED,                  /* member of an enum, else 0x1f */
    DVE_FORM_DTYPE,                  /* fp32, dtype:0x17 */
    DVE_FORM_ADDR,                   /* sbuf[0]+0x40, reg[5], @0x60000000 */
    DVE_FORM_BYTES                   /* 00ff10: bytes in the order of the record */
} dve_form;

/* What a field is to the text. */
typedef enum dve_role {
    DVE_ROLE_FRAME,                  /* left out where it is as always */
    DVE_ROLE_SPARE,                  /* reserved or undescribed: left out where it is zero */
    DVE_ROLE_OPERAND,                /* part of an operand, or its data type: written there */
    DVE_ROLE_PLAIN                   /* always written, left out only by hand */
} dve_role;

enum { DVE_FRAME_FIELDS = 9, DVE_FRAME_WORDS = DVE_RECORD_BYTES / 4 };

/* A format with its rows. */
typedef struct dve_layout {
    const dve_format_info *format;
    const dve_field_info *field;     /* format->fields of them */
    const dve_operand_info *operand; /* format->operands of them */
} dve_layout;

dve_layout dve_layout_of(uint8_t format);
dve_form dve_form_of(const dve_field_info *field);
dve_role dve_role_of(const dve_layout *layout, unsigned field);
/* Whether the wait or update mode uses semaphore_value. */
int dve_mode_has_value(const char *set, uint32_t mode);

/* Reading a value narrower than 32 bits. */
static inline uint32_t dve_field_mask(const dve_field_info *field)
{
    return field->width < 32 ? (UINT32_C(1) << field->width) - 1 : UINT32_MAX;
}

/* Index list and data of an operand with an indirect marker; operands of fewer dimensions have no room. */
enum { DVE_INDIRECT = 0x20000000, DVE_INDIRECT_DIMS = 3 };
static inline int dve_is_indirect(uint32_t word, unsigned dims)
{
    return (word >> 29 & 3) == 1 && dims >= DVE_INDIRECT_DIMS;
}

/* Registers: "reg" is an address, "shape_reg" a shape, "addr_shape_reg" both. */
enum { DVE_REGISTER_FORMS = 3 };
extern const struct dve_register_form {
    const char *name;
    uint32_t marker;
} dve_register_forms[DVE_REGISTER_FORMS];

/* Values, without their names. */
void dve_emit_address(dve_emit *e, uint32_t word, uint8_t gen);
void dve_emit_dtype(dve_emit *e, uint32_t code);
void dve_emit_named(dve_emit *e, const char *set, uint32_t value);
void dve_emit_operand(dve_emit *e, const dve_insn *insn, const dve_operand_info *operand, uint8_t gen);
void dve_emit_field(dve_emit *e, const dve_insn *insn, const dve_field_info *field, uint8_t gen);

#endif
