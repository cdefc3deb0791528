/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_info: which opcodes the pool engine answers with a function. */
#include <opendve/firmware.h>

uint32_t dve_firmware_word(const uint8_t *table, size_t index)
{
    const uint8_t *b = table + 4 * index;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

dve_status dve_firmware_kernel(const uint8_t bytes[DVE_KERNEL_BYTES], dve_kernel_record *out, dve_error *error)
{
    out->opcode = bytes[3];
    out->spec = bytes[2];
    out->key = (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16;
    out->address = dve_firmware_word(bytes, 1);
    if (!bytes[0] && !bytes[1])
        return DVE_OK;
    dve_error_set(error, "bytes 0 and 1 are 0x%02x 0x%02x, allowed is zero: no record of a kernel_info table", bytes[0],
                  bytes[1]);
    return DVE_E_INPUT;
}
