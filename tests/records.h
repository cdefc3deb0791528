/* SPDX-License-Identifier: Apache-2.0 */
/* Records for tests: a plain legal one of each opcode, and access to single fields by name. */
#ifndef TEST_RECORDS_H
#define TEST_RECORDS_H

#include <opendve/check.h>

/* Opcodes whose format is described, each of them, and one of an undescribed format at the end. */
extern const uint8_t record_opcodes[];
extern const size_t record_opcode_count;

/* A legal record (records.def): dense operands in SBUF from partition 0, the source at byte 0 and the
 * destination at byte 0x20000, 128 channels, fp32 where the opcode takes it. Legal on every generation that
 * has the opcode. */
void record_base(uint8_t opcode, dve_record *out);

/* Writes the bits of one field, `field` a row of dve_isa_fields; the first 32 bits of a wider one. */
void record_set(dve_record *record, uint16_t field, uint32_t value);
uint32_t record_get(const dve_record *record, uint16_t field);
#define SET(record, field, value) record_set((record), DVE_FIELD_##field, (value))

/* A dense one-dimensional pattern in the first operand that reads or writes. */
void record_place(dve_record *record, dve_access access, uint32_t addr, int step, uint32_t count);

/* The 64 bytes as hexadecimal text, for messages. Lives until the next call but one. */
const char *record_text(const dve_record *record);

#endif
