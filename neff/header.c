/* SPDX-License-Identifier: Apache-2.0 */
/* The 1024 bytes in front of a package's archive. */
#include "neff.h"
#include <inttypes.h>
#include <string.h>

enum {
    AT_VERSION = 0, AT_HEADER = 8, AT_DATA = 16, AT_MAJOR = 24, AT_MINOR = 32, AT_BUILD = 0x28, AT_COMPRESSION = 0xa8,
    AT_HASH = 0xac, AT_UUID = 0xcc, AT_NAME = 0xdc, AT_TPB_COUNT = 0x1dc, AT_TPB = 0x1e0, AT_FEATURES = 0x220, AT_VNC = 0x228,
    TAR_MAGIC = 257
};
#define UNKNOWN_FEATURES 0x7ffffffff8000000u     /* bits 27 to 62 */

static uint64_t number(const uint8_t *bytes, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static void text(const uint8_t *bytes, size_t size, char *out)
{
    size_t i = 0;
    for (; i < size && bytes[i]; i++)
        out[i] = bytes[i] >= 0x20 && bytes[i] <= 0x7e ? (char)bytes[i] : '?';
    out[i] = '\0';
}

uint64_t dve_archive_limit(uint64_t stored)
{
    const uint64_t floor = UINT64_C(4) << 20, ceiling = UINT64_C(4) << 30;
    if (stored > ceiling / 100)
        return ceiling;
    return 100 * stored > floor ? 100 * stored : floor;
}

/* A record of the engine has 16 in byte 1, so that no legal one looks like any of these. */
dve_neff_kind dve_neff_kind_of(const uint8_t *bytes, size_t size)
{
    if (size >= 4 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8 && bytes[3] < 0x20)
        return DVE_NEFF_GZIP;
    if (size >= 16 && number(bytes + AT_HEADER, 8) == DVE_NEFF_HEADER_BYTES && number(bytes, 8) < 256)
        return DVE_NEFF_PACKAGE;
    if (size >= DVE_NEFF_KIND_BYTES && memcmp(bytes + TAR_MAGIC, "ustar", 5) == 0)
        return DVE_NEFF_TAR;
    return DVE_NEFF_NOT;
}

dve_status dve_neff_header_read(const uint8_t *bytes, size_t size, dve_neff_header *out, dve_error *error)
{
    memset(out, 0, sizeof *out);
    if (size < DVE_NEFF_HEADER_BYTES) {
        dve_error_set(error, "%zu bytes, a package has 1024 in front of its archive", size);
        return DVE_E_INPUT;
    }
    out->package_version = number(bytes + AT_VERSION, 8);
    out->header_size = number(bytes + AT_HEADER, 8);
    out->data_size = number(bytes + AT_DATA, 8);
    out->major = number(bytes + AT_MAJOR, 8);
    out->minor = number(bytes + AT_MINOR, 8);
    text(bytes + AT_BUILD, 128, out->build);
    out->compression = (uint32_t)number(bytes + AT_COMPRESSION, 4);
    memcpy(out->hash, bytes + AT_HASH, sizeof out->hash);
    memcpy(out->uuid, bytes + AT_UUID, sizeof out->uuid);
    text(bytes + AT_NAME, 256, out->name);
    out->requested_tpb_count = (uint32_t)number(bytes + AT_TPB_COUNT, 4);
    memcpy(out->tpb_per_node, bytes + AT_TPB, sizeof out->tpb_per_node);
    out->feature_bits = number(bytes + AT_FEATURES, 8);
    out->vnc_size = (uint32_t)number(bytes + AT_VNC, 4);
    if (out->header_size != DVE_NEFF_HEADER_BYTES)
        dve_error_set(error, "header_size (byte 8) is %" PRIu64 ", allowed is 1024: no NEFF", out->header_size);
    else if (out->package_version < 1 || out->package_version > 2)
        dve_error_set(error, "pkg_version (byte 0) is %" PRIu64 ", allowed are 1 and 2", out->package_version);
    else if (out->major > 2)
        dve_error_set(error, "the major version (byte 24) is %" PRIu64 ", allowed is 0..2", out->major);
    else if (!out->data_size || out->data_size > size - DVE_NEFF_HEADER_BYTES)
        dve_error_set(error, "data_size (byte 16) is %" PRIu64 ", allowed is 1..%zu: the file's bytes behind the header",
                      out->data_size, size - DVE_NEFF_HEADER_BYTES);
    else
        return DVE_OK;
    return DVE_E_INPUT;
}

unsigned dve_neff_header_warnings(const dve_neff_header *header, uint64_t size, dve_error out[DVE_NEFF_HEADER_WARNINGS])
{
    unsigned n = 0;
    uint64_t end = DVE_NEFF_HEADER_BYTES + header->data_size;
    if (header->major == 2 && header->feature_bits & UNKNOWN_FEATURES)
        dve_error_set(&out[n++], "feature_bits (byte 544) is 0x%" PRIx64 ": a runtime refuses bits 27 to 62 at major version 2",
                      header->feature_bits);
    if (header->vnc_size < 1 || header->vnc_size > 2)
        dve_error_set(&out[n++], "vnc_size (byte 552) is %" PRIu32 ", known are 1 and 2", header->vnc_size);
    if (size > end)
        dve_error_set(&out[n++], "%" PRIu64 " bytes stand behind the archive, from byte offset %" PRIu64 " on", size - end, end);
    return n;
}
