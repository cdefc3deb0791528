/* SPDX-License-Identifier: Apache-2.0 */
/* The sequencer's dispatch table, and the two instructions at the ends of a trampoline. */
#include <opendve/firmware.h>

/* Byte 0 of the instructions: the operation in bits 0-3, which one of its kind in bits 4-5. Of the call bits 6-7 belong
 * to the offset, of the entry they are zero. */
enum { CALL8 = 0x25, CALL_BITS = 0x3f, ENTRY = 0x36 };

static size_t occurrences(const uint8_t *table, size_t count, uint32_t word)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += dve_firmware_word(table, i) == word;
    return n;
}

uint32_t dve_firmware_default(const uint8_t *table, size_t count, uint32_t printed)
{
    if (printed && occurrences(table, count, printed))
        return printed;
    uint32_t best = 0;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t word = dve_firmware_word(table, i);
        size_t n = occurrences(table, count, word);
        if (n > most || (n == most && word < best)) {
            most = n;
            best = word;
        }
    }
    return best;
}

size_t dve_firmware_targets(const uint8_t *table, size_t count, uint32_t normal)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t word = dve_firmware_word(table, i);
        if (word != normal && occurrences(table, i, word) == 0)
            n++;
    }
    return n;
}

/* The 24 bits at an address; 0 where they are not all in the code. */
static int fetch(const dve_firmware_code *code, uint32_t address, uint32_t *bits)
{
    if (address < code->base || code->size < 3 || address - code->base > code->size - 3)
        return 0;
    const uint8_t *b = code->bytes + (address - code->base);
    *bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16;
    return 1;
}

int dve_firmware_call8(const dve_firmware_code *code, uint32_t address, uint32_t *callee)
{
    uint32_t bits;
    if (!fetch(code, address, &bits) || (bits & CALL_BITS) != CALL8)
        return 0;
    uint32_t offset = bits >> 6;
    if (offset & 0x20000)
        offset |= 0xfffc0000;
    *callee = (address & ~(uint32_t)3) + 4 + (offset << 2);
    return 1;
}

int dve_firmware_entry(const dve_firmware_code *code, uint32_t address, uint8_t *reg, uint32_t *frame)
{
    uint32_t bits;
    if (!fetch(code, address, &bits) || (bits & 0xff) != ENTRY)
        return 0;
    *reg = (uint8_t)(bits >> 8 & 15);
    *frame = (bits >> 12) << 3;
    return 1;
}
