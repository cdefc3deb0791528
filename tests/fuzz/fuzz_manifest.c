/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON, and, parted by 0xff, as the manifest files of an archive whose streams and tables are there. */
#include "fuzz.h"
#include "neff/json.h"
#include <opendve/neff.h>
#include <stdlib.h>
#include <string.h>

static void must(int holds)
{
    if (!holds)
        abort();
}

/* Values lie inside what holds them, in order, and texts are terminated. */
static void walk(neff_json value, unsigned depth)
{
    char text[64];
    neff_json key = value, inner, rest;
    must(depth <= DVE_NEFF_JSON_DEPTH && value.at < value.end);
    if (dve_neff_json_text(value, text, sizeof text))
        must(dve_neff_json_is_string(value) && strlen(text) < sizeof text);
    if (!dve_neff_json_is_object(value) && !dve_neff_json_is_array(value))
        return;
    const uint8_t *at = value.at;
    for (rest = dve_neff_json_inside(value); dve_neff_json_next(&rest, &key, &inner);) {
        must(inner.at > at && inner.end < value.end);
        if (dve_neff_json_is_object(value))
            must(key.at > at && key.end < inner.at && *key.at == '"');
        at = inner.end - 1;
        walk(inner, depth + 1);
    }
}

static void octal(uint8_t *out, unsigned digits, size_t value)
{
    for (; digits-- > 0; value >>= 3)
        out[digits] = (uint8_t)('0' + (value & 7));
}

/* A file of the archive: a header block and its data. */
static size_t put(uint8_t *out, const char *name, const uint8_t *data, size_t size)
{
    unsigned sum = 0;
    size_t padded = (size + 511) / 512 * 512;
    memset(out, 0, 512);
    memcpy(out, name, strlen(name));
    octal(out + 124, 11, size);
    out[156] = '0';
    memcpy(out + 257, "ustar\0" "00", 8);
    memset(out + 148, ' ', 8);
    for (unsigned i = 0; i < 265; i++)
        sum += out[i];
    octal(out + 148, 7, sum);
    memcpy(out + 512, data, size);
    memset(out + 512 + size, 0, padded - size);
    return 512 + padded;
}

static void follow(const uint8_t *tar, size_t size)
{
    dve_archive *archive;
    dve_neff_chain *chain;
    dve_error error;
    size_t count;
    must(dve_archive_open(tar, size, &archive, &error) == DVE_OK);
    must(dve_neff_chain_open(archive, &chain, &error) == DVE_OK);
    const dve_neff_graph *graph = dve_neff_graphs(chain, &count);
    for (size_t i = 0; i < count; i++) {
        must(graph[i].kelf && dve_archive_find(archive, graph[i].kelf) != NULL);
        must(!graph[i].stream || graph[i].json);
        must(!graph[i].gen || graph[i].target);
        must(!graph[i].stream || dve_archive_find(archive, graph[i].stream->name) == graph[i].stream);
    }
    const char *const *warning = dve_neff_warnings(chain, &count);
    for (size_t i = 0; i < count; i++)
        must(*warning[i] != '\0');
    dve_neff_chain_close(chain);
    dve_archive_close(archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"neff.json", "kelf-0.json", "d/def.json", "d/dve.json"};
    static const uint8_t stream[64] = {0x6c, 0x10};
    neff_json whole;
    size_t bad = 0;
    uint8_t *bytes = malloc(size ? size : 1), *tar = malloc(size + 16 * 1024);
    must(bytes && tar);
    memcpy(bytes, data, size);
    if (dve_neff_json_whole(bytes, size, &whole, &bad) == NEFF_JSON_GOOD)
        walk(whole, 0);
    else
        must(bad <= size);
    size_t at = 0, used = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t *end = i < 3 ? memchr(bytes + at, 0xff, size - at) : NULL;
        size_t length = end ? (size_t)(end - bytes) - at : size - at;
        used += put(tar + used, names[i], bytes + at, length);
        at += length + (end ? 1 : 0);
    }
    used += put(tar + used, "d/s.bin", stream, sizeof stream);
    used += put(tar + used, "d/t.bin", stream, sizeof stream);
    memset(tar + used, 0, 1024);
    follow(tar, used + 1024);
    free(tar);
    free(bytes);
    return 0;
}
