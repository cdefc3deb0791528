/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler's CAM, and the class words of the table behind it. */
#include <inttypes.h>
#include <opendve/firmware.h>

enum { CLASS_WORD = 0x14 / 4 };

static dve_status wrong(dve_error *error, const char *word, uint32_t given, const char *allowed)
{
    dve_error_set(error, "%s is 0x%" PRIx32 ", allowed is %s: no slot of a profiler CAM", word, given, allowed);
    return DVE_E_INPUT;
}

dve_status dve_firmware_cam(const uint8_t bytes[DVE_CAM_SLOT_BYTES], dve_cam_slot *out, dve_error *error)
{
    uint32_t last = dve_firmware_word(bytes, 3);
    out->opcode = dve_firmware_word(bytes, 0);
    out->mask = dve_firmware_word(bytes, 1);
    out->enable = dve_firmware_word(bytes, 2);
    out->wildcard = out->enable && !out->mask;
    if (out->mask != 0 && out->mask != 0xff && out->mask != 0x1ff)
        return wrong(error, "the mask", out->mask, "0x0, 0xff or 0x1ff");
    if (out->enable > 1)
        return wrong(error, "the enable word", out->enable, "0 or 1");
    return last ? wrong(error, "the fourth word", last, "0") : DVE_OK;
}

uint32_t dve_firmware_class(const uint8_t *table, size_t slot)
{
    return dve_firmware_word(table + DVE_PROF_ROW_BYTES * slot, CLASS_WORD);
}
