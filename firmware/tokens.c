/* SPDX-License-Identifier: Apache-2.0 */
/* Self-name tokens: "S: Name" in the texts of an image. */
#include <opendve/firmware.h>
#include <string.h>

static int printable(uint8_t c)
{
    return c >= 0x20 && c <= 0x7e;
}

static int first_of_name(uint8_t c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static int in_name(uint8_t c)
{
    return first_of_name(c) || c == '/' || c == ',' || c == '.' || c == '-';
}

int dve_firmware_token(const uint8_t *bytes, size_t size, size_t *at, size_t *found, const char **name, size_t *length)
{
    for (size_t i = *at; i < size && size - i >= 4; i++) {
        const uint8_t *hit = memchr(bytes + i, 'S', size - i - 3);
        if (!hit)
            break;
        i = (size_t)(hit - bytes);
        if (hit[1] != ':' || hit[2] != ' ' || !first_of_name(hit[3]) || (i && printable(bytes[i - 1])))
            continue;
        size_t end = i + 4;
        while (end < size && in_name(bytes[end]))
            end++;
        *found = i;
        *name = (const char *)hit + 3;
        *length = end - i - 3;
        *at = end;
        return 1;
    }
    *at = size;
    return 0;
}
