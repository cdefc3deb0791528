/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a package: header, gzip, tar and manifest, as the program reads them but for the digest. */
#include "fuzz.h"
#include "io/inflate.h"
#include <opendve/neff.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 15 };         /* no more, since time goes into unpacking */

static void must(int holds)
{
    if (!holds)
        abort();
}

static void read_tar(const uint8_t *tar, size_t size)
{
    dve_archive *archive;
    dve_neff_chain *chain;
    dve_error error;
    size_t count;
    if (dve_archive_open(tar, size, &archive, &error))
        return;
    if (dve_neff_chain_open(archive, &chain, &error) == DVE_OK) {
        const dve_neff_graph *graph = dve_neff_graphs(chain, &count);
        for (size_t i = 0; i < count; i++)
            must(!graph[i].stream || graph[i].json);
        dve_neff_chain_close(chain);
    }
    dve_archive_close(archive);
}

static void unpack(const uint8_t *bytes, size_t size)
{
    dve_whole out;
    dve_error error;
    size_t used;
    uint64_t limit = dve_archive_limit(size) < LIMIT ? dve_archive_limit(size) : LIMIT;
    if (dve_gunzip(bytes, size, limit, &out, &used, &error)) {
        must(!out.bytes && !out.size && *error.text);
        return;
    }
    must(used <= size && out.size <= limit);
    read_tar(out.bytes, out.size);
    free(out.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dve_neff_header header;
    dve_error error, warning[DVE_NEFF_HEADER_WARNINGS];
    uint8_t *bytes = malloc(size ? size : 1);
    must(bytes != NULL);
    memcpy(bytes, data, size);
    dve_neff_kind kind = dve_neff_kind_of(bytes, size);
    if (kind == DVE_NEFF_GZIP)
        unpack(bytes, size);
    if (kind == DVE_NEFF_TAR)
        read_tar(bytes, size);
    if (dve_neff_header_read(bytes, size, &header, &error) == DVE_OK) {
        must(DVE_NEFF_HEADER_BYTES + header.data_size <= size && memchr(header.name, 0, sizeof header.name));
        must(dve_neff_header_warnings(&header, size, warning) <= DVE_NEFF_HEADER_WARNINGS);
        if (header.package_version == 2)
            unpack(bytes + DVE_NEFF_HEADER_BYTES, (size_t)header.data_size);
        else
            read_tar(bytes + DVE_NEFF_HEADER_BYTES, (size_t)header.data_size);
    }
    free(bytes);
    return 0;
}
