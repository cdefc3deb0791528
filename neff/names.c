/* SPDX-License-Identifier: Apache-2.0 */
/* Names of members: what may become a file below a folder, and nothing else. */
#include "neff.h"
#include <string.h>

enum { NAME_PARTS = 64 };

/* Overlong forms, surrogates and values above 0x10ffff are none. */
size_t dve_neff_character(const uint8_t *s, size_t size, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    uint32_t value = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    *character = value;
    if (length < 2)
        return length;
    if (length > size)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3fu);
    }
    *character = value;
    return value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0 : length;
}

int dve_neff_text(const uint8_t *bytes, size_t size)
{
    size_t length;
    uint32_t character;
    for (size_t i = 0; i < size; i += length) {
        length = dve_neff_character(bytes + i, size - i, &character);
        if (!length || bytes[i] < 0x20 || bytes[i] == 0x7f)
            return 0;
    }
    return 1;
}

const char *dve_neff_name_judge(char **name, int directory)
{
    char *at = *name;
    if (strncmp(at, "./", 2) == 0)
        at += 2;
    else if (strcmp(at, ".") == 0 && directory)
        at++;
    size_t length = strlen(at);
    if (*at == '/')
        return "an absolute name";
    if (directory && length && at[length - 1] == '/')
        at[--length] = '\0';
    *name = at;
    if (!length)
        return directory ? NULL : "a member has no name";
    if (!dve_neff_text((const uint8_t *)at, length))
        return "a name with control characters, or that is not UTF-8";
    for (unsigned parts = 1; ; parts++, at++) {
        const char *part = at;
        size_t span = strcspn(part, "/");
        if (span == 2 && memcmp(part, "..", 2) == 0)
            return "a name that leads out of the folder (..)";
        if (span == 0 || (span == 1 && *part == '.'))
            return "a name with an empty part or a dot as a part";
        if (parts > NAME_PARTS)
            return "a name of more than 64 parts";
        at += span;
        if (!*at)
            return NULL;
    }
}
