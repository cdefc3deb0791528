/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of firmware images, read from bytes that the caller holds. Nothing here allocates, opens files or prints.
 *
 * Words in images are little-endian. What sources print about the tables is in isa.h: dve_isa_kernels, dve_isa_armed,
 * dve_isa_dispatch, dve_isa_tokens. docs/firmware.md explains the tables. */
#ifndef OPENDVE_FIRMWARE_H
#define OPENDVE_FIRMWARE_H

#include <opendve/isa.h>
#include <opendve/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DVE_KERNEL_BYTES = 8,        /* a record of a kernel_info table */
    DVE_DISPATCH_DEVICE = 0x80000,   /* device address of byte 0 of an image that holds a dispatch table */
    DVE_CAM_SLOTS = 64,
    DVE_CAM_SLOT_BYTES = 16,
    DVE_CAM_BYTES = 0x400,       /* the CAM alone */
    DVE_PROF_ROW_BYTES = 128,    /* of the table that follows it */
    DVE_PROF_BYTES = 0x2400      /* both */
};

typedef struct dve_kernel_record {
    uint8_t opcode, spec;
    uint32_t key;                /* opcode << 24 | spec << 16 */
    uint32_t address;            /* of the function */
} dve_kernel_record;

/* One record. DVE_E_INPUT if bytes 0 and 1 are not zero. */
dve_status dve_firmware_kernel(const uint8_t bytes[DVE_KERNEL_BYTES], dve_kernel_record *out, dve_error *error);

/* Word `index` of a table. */
uint32_t dve_firmware_word(const uint8_t *table, size_t index);

/* The word of a dispatch table that says "no handler": `printed` if it occurs (0 means that none is printed), else the
 * most frequent, the lowest of several. `count` is at least 1. */
uint32_t dve_firmware_default(const uint8_t *table, size_t count, uint32_t printed);
/* How many words differ from `normal` and from each other. */
size_t dve_firmware_targets(const uint8_t *table, size_t count, uint32_t normal);

/* Code, and the address of its byte 0 in the space of its jumps. */
typedef struct dve_firmware_code {
    const uint8_t *bytes;
    size_t size;
    uint32_t base;
} dve_firmware_code;

/* 1 if the three bytes at `address` lie in the code and are a windowed call of eight registers; *callee is then where
 * it goes: (address & ~3) + 4 + (signed 18-bit offset << 2). */
int dve_firmware_call8(const dve_firmware_code *code, uint32_t address, uint32_t *callee);
/* 1 if the three bytes at `address` lie in the code and enter a function: *reg is the stack pointer's register, *frame
 * the bytes of its frame. */
int dve_firmware_entry(const dve_firmware_code *code, uint32_t address, uint8_t *reg, uint32_t *frame);

typedef struct dve_cam_slot {
    uint32_t opcode, mask, enable;
    int wildcard;                /* enabled, and matches every record */
} dve_cam_slot;

/* One slot of the profiler's CAM. DVE_E_INPUT for a mask, an enable or a fourth word that it cannot have. */
dve_status dve_firmware_cam(const uint8_t bytes[DVE_CAM_SLOT_BYTES], dve_cam_slot *out, dve_error *error);
/* The class word of a slot, of the table behind the CAM. */
uint32_t dve_firmware_class(const uint8_t *table, size_t slot);

/* The next self-name token at or behind *at: "S: " at the beginning or behind a byte outside 0x20..0x7e, then a name of
 * letters, digits and _ / , . - that begins with a letter, a digit or _. 0 at the end; else 1, with *found the offset of
 * the token, *name and *length its name in `bytes`, and *at moved on. */
int dve_firmware_token(const uint8_t *bytes, size_t size, size_t *at, size_t *found, const char **name, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
