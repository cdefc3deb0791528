/* SPDX-License-Identifier: Apache-2.0 */
/* Changes to tars, also to those in packages and in gzip's stored blocks, after which checksums and lengths hold again.
 * Without them nearly every input would be refused at its first header block. One in eight is left damaged. */
#include "fuzz.h"
#include <string.h>

enum { BLOCK = 512, HEADER = 1024, GZIP = 15, TRAILER = 8, AT_SIZE = 124, AT_SUM = 148, AT_TYPE = 156, AT_MAGIC = 257 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Where the tar lies; `gzip` and `header` tell what is around it. */
typedef struct place {
    size_t at, size;
    int header, gzip;
} place;

static int is_tar(const uint8_t *data, size_t size)
{
    return size >= BLOCK && memcmp(data + AT_MAGIC, "ustar", 5) == 0;
}

static int find_tar(const uint8_t *data, size_t size, place *out)
{
    static const uint8_t gzip[4] = {0x1f, 0x8b, 8, 0};
    memset(out, 0, sizeof *out);
    out->header = size > HEADER && data[8] == 0 && data[9] == HEADER >> 8 && data[0] < 3;
    out->at = out->header ? HEADER : 0;
    const uint8_t *inner = data + out->at;
    out->size = size - out->at;
    if (out->size > GZIP + TRAILER && memcmp(inner, gzip, 4) == 0 && inner[10] == 1) {
        out->gzip = 1;
        out->at += GZIP;
        out->size -= GZIP + TRAILER;
    }
    out->size -= out->size % BLOCK;
    return out->size && is_tar(data + out->at, out->size);
}

/* ---- what must hold ---- */

static void put_little(uint8_t *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t crc32_of(const uint8_t *data, size_t size)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158,
                                       0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4,
                                       0xa00ae278, 0xbdbdf21c};
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

static uint64_t octal(const uint8_t *field, unsigned digits)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < digits && field[i] >= '0' && field[i] <= '7'; i++)
        value = value << 3 | (uint64_t)(field[i] - '0');
    return value;
}

static void mend_sum(uint8_t *header)
{
    unsigned sum = 0;
    memset(header + AT_SUM, ' ', 8);
    for (unsigned i = 0; i < BLOCK; i++)
        sum += header[i];
    for (unsigned i = 6; i-- > 0; sum >>= 3)
        header[AT_SUM + i] = (uint8_t)('0' + (sum & 7));
    header[AT_SUM + 6] = 0;
}

static void mend_tar(uint8_t *tar, size_t size)
{
    for (size_t at = 0; size - at >= BLOCK && is_tar(tar + at, BLOCK);) {
        uint64_t data = octal(tar + at + AT_SIZE, 11);
        mend_sum(tar + at);
        at += BLOCK;
        if (data > size - at)
            return;
        data = (data + BLOCK - 1) / BLOCK * BLOCK;
        at += data > size - at ? size - at : (size_t)data;
    }
}

static void mend(uint8_t *data, const place *tar)
{
    uint8_t *inner = data + tar->at;
    mend_tar(inner, tar->size);
    if (tar->gzip && tar->size < 0x10000) {
        put_little(inner - 4, tar->size, 2);
        put_little(inner - 2, ~tar->size, 2);
        put_little(inner + tar->size, crc32_of(inner, tar->size), 4);
        put_little(inner + tar->size + 4, tar->size, 4);
    }
    if (tar->header) {
        data[0] = tar->gzip ? 2 : 1;
        put_little(data + 16, tar->size + (tar->gzip ? GZIP + TRAILER : 0), 8);
    }
}

/* ---- changes ---- */

/* Of a part of a block, so that all others stay where they are. */
static void change_inside(uint8_t *block, unsigned choice)
{
    static const struct { uint16_t at, size; } part[] = {{0, BLOCK}, {0, 100}, {AT_SIZE, 12}, {AT_TYPE, 1}, {345, 155}, {0, 64},
                                                         {AT_MAGIC, 8}, {0, BLOCK}};
    uint8_t *from = block + part[choice % 8].at;
    size_t size = part[choice % 8].size, left = LLVMFuzzerMutate(from, size, size);
    memset(from + left, 0, size - left);
}

static size_t change(uint8_t *data, size_t size, size_t most, place *tar, unsigned seed)
{
    static const char types[] = "00512346SLKxg";
    uint8_t *inner = data + tar->at, spare[BLOCK];
    size_t blocks = tar->size / BLOCK, one = seed / 64 % blocks, other = seed / 8192 % blocks;
    uint8_t *x = inner + one * BLOCK, *y = inner + other * BLOCK;
    switch (seed / 8 % 8) {
    case 0:
        if (size + BLOCK > most)
            break;
        memcpy(spare, y, BLOCK);
        memmove(x + BLOCK, x, size - (size_t)(x - data));
        memcpy(x, spare, BLOCK);
        tar->size += BLOCK;
        return size + BLOCK;
    case 1:
        if (blocks < 3)
            break;
        memmove(x, x + BLOCK, size - (size_t)(x - data) - BLOCK);
        tar->size -= BLOCK;
        return size - BLOCK;
    case 2:
        memcpy(spare, x, BLOCK);
        memcpy(x, y, BLOCK);
        memcpy(y, spare, BLOCK);
        return size;
    case 3:
        x[AT_TYPE] = (uint8_t)types[seed / 8192 % sizeof types];
        return size;
    default:
        break;
    }
    change_inside(x, seed / 8192);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    place tar;
    if (seed % 8 == 0 || !find_tar(data, size, &tar))
        return LLVMFuzzerMutate(data, size, most);
    size = change(data, size, most, &tar, seed);
    mend(data, &tar);
    return size;
}
