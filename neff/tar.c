/* SPDX-License-Identifier: Apache-2.0 */
/* One header block of a tar, and the records of pax headers. */
#include "neff.h"
#include <string.h>

enum { BLOCK = 512, AT_NAME = 0, AT_SIZE = 124, AT_SUM = 148, AT_TYPE = 156, AT_MAGIC = 257, AT_PREFIX = 345 };
enum { NAME = 100, PREFIX = 155, NUMBER = 12, SUM = 8 };

int dve_neff_zero(const uint8_t *bytes, size_t size)
{
    return !size || (!bytes[0] && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Octal digits between blanks, ended by a blank, a zero or the field; or, with the top bit set, a binary number. */
static int read_number(const uint8_t *field, unsigned size, uint64_t *out)
{
    unsigned i = 0;
    uint64_t value = 0;
    if (field[0] == 0x80) {
        for (i = 1; i < size; i++) {
            if (value >> 56)
                return 0;
            value = value << 8 | field[i];
        }
        *out = value;
        return 1;
    }
    while (i < size && field[i] == ' ')
        i++;
    for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
        value = value << 3 | (uint64_t)(field[i] - '0');             /* 12 digits have 36 bits */
    for (; i < size; i++)
        if (field[i] != ' ' && field[i] != '\0')
            return 0;
    *out = value;
    return 1;
}

const char *dve_neff_block_read(const uint8_t *header, neff_block *out)
{
    uint64_t stated, sum = 0;
    out->header = header;
    out->data = header + BLOCK;
    out->type = header[AT_TYPE];
    out->posix = memcmp(header + AT_MAGIC, "ustar\0" "00", 8) == 0;
    for (unsigned i = 0; i < BLOCK; i++)
        sum += header[i];
    for (unsigned i = AT_SUM; i < AT_SUM + SUM; i++)
        sum += ' ' - (uint64_t)header[i];
    if (!out->posix && memcmp(header + AT_MAGIC, "ustar  ", 8) != 0)
        return "no header of a tar member: neither POSIX's nor GNU's mark at byte 257 of the block";
    if (!read_number(header + AT_SUM, SUM, &stated) || stated != sum)
        return "no header of a tar member: its checksum does not hold";
    if (!read_number(header + AT_SIZE, NUMBER, &out->size))
        return "the size of a member is no number";
    return NULL;
}

static size_t bounded(const uint8_t *text, size_t most)
{
    const uint8_t *end = memchr(text, 0, most);
    return end ? (size_t)(end - text) : most;
}

const char *dve_neff_block_name(const neff_block *block, char *out)
{
    const uint8_t *prefix = block->header + AT_PREFIX, *name = block->header + AT_NAME;
    size_t front = block->posix ? bounded(prefix, PREFIX) : 0, length = bounded(name, NAME);
    memcpy(out, prefix, front);
    if (front)
        out[front++] = '/';
    memcpy(out + front, name, length);
    out[front + length] = '\0';
    return length ? NULL : "a member has no name";
}

/* ---- pax: "LENGTH KEY=VALUE\n", the length with itself ---- */

static int is_key(const uint8_t *key, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(key, name, length) == 0;
}

static int read_decimal(const uint8_t *text, size_t length, uint64_t *out)
{
    uint64_t value = 0;
    if (!length || length > 18)
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return 0;
        value = 10 * value + (uint64_t)(text[i] - '0');
    }
    *out = value;
    return 1;
}

static const char *take_record(const uint8_t *key, size_t key_length, const uint8_t *value, size_t length, int global,
                               neff_pax *out)
{
    int path = is_key(key, key_length, "path"), size = is_key(key, key_length, "size");
    if (key_length >= 10 && memcmp(key, "GNU.sparse", 10) == 0)
        return "a sparse member, which is not taken";
    if (global && (path || size))
        return "a global pax header renames or resizes members, which is not taken";
    if (path) {
        out->path = value;
        out->path_length = length;
        return length ? NULL : "a member has no name";
    }
    if (size && !read_decimal(value, length, &out->size))
        return "the size in a pax header is no number";
    out->has_size |= size;
    return NULL;
}

const char *dve_neff_pax_read(const uint8_t *data, size_t size, int global, neff_pax *out)
{
    static const char malformed[] = "a pax header is malformed";
    while (size) {
        const uint8_t *blank = memchr(data, ' ', size < 20 ? size : 20);
        uint64_t length;
        if (!blank || !read_decimal(data, (size_t)(blank - data), &length) || length > size)
            return malformed;
        const uint8_t *end = data + length;              /* behind the newline */
        if (end <= blank + 1 || end[-1] != '\n')
            return malformed;
        const uint8_t *equals = memchr(blank + 1, '=', (size_t)(end - 1 - (blank + 1)));
        if (!equals || equals == blank + 1)
            return malformed;
        const char *wrong = take_record(blank + 1, (size_t)(equals - blank - 1), equals + 1, (size_t)(end - 1 - (equals + 1)),
                                        global, out);
        if (wrong)
            return wrong;
        data = end;
        size -= (size_t)length;
    }
    return NULL;
}
