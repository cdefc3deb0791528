/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a NEFF: header, digest, archive, manifest. */
#include "neff.h"
#include "io/digest.h"
#include "io/inflate.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static dve_status refuse(const cli_package *neff, dve_status status, const dve_error *error)
{
    return cli_fail(status, "%.200s: %s", neff->name, error->text);
}

/* The digest is over the stored bytes: MD5 in package 2, SHA-256 in package 1. */
static dve_status check_digest(const cli_package *neff)
{
    const uint8_t *stored = neff->file.bytes + DVE_NEFF_HEADER_BYTES;
    size_t size = (size_t)neff->header.data_size, length = neff->header.package_version == 1 ? DVE_SHA256_BYTES : DVE_MD5_BYTES;
    uint8_t digest[DVE_SHA256_BYTES];
    char given[2 * DVE_SHA256_BYTES + 1], wanted[2 * DVE_SHA256_BYTES + 1];
    if (length == DVE_MD5_BYTES)
        dve_md5(stored, size, digest);
    else
        dve_sha256(stored, size, digest);
    if (memcmp(digest, neff->header.hash, length) == 0)
        return DVE_OK;
    return cli_fail(DVE_E_INPUT, "%.200s: the archive's %s is %s, the header (byte 172) says %s", neff->name,
                    length == DVE_MD5_BYTES ? "MD5" : "SHA-256", dve_digest_hex(digest, length, given),
                    dve_digest_hex(neff->header.hash, length, wanted));
}

/* `inside`: the stored bytes are all the archive may be; else what follows a gzip member is beside it. */
static dve_status unpack(cli_package *neff, const uint8_t *stored, size_t size, int inside)
{
    size_t used;
    dve_error error;
    dve_status status = dve_gunzip(stored, size, dve_archive_limit(size), &neff->unpacked, &used, &error);
    if (status)
        return refuse(neff, status, &error);
    size_t rest = size - used;
    if (rest >= 2 && stored[used] == 0x1f && stored[used + 1] == 0x8b)
        return cli_fail(DVE_E_INPUT, "%.200s: a second gzip member begins at byte %zu of the archive, allowed is one", neff->name,
                        used);
    if (rest && inside)
        return cli_fail(DVE_E_INPUT, "%.200s: %zu bytes follow the gzip member inside the archive, allowed are none", neff->name,
                        rest);
    if (rest)
        cli_notes_add(&neff->warnings, "%zu bytes stand behind the archive, from byte offset %zu on", rest, used);
    return DVE_OK;
}

static dve_status open_package(cli_package *neff, const uint8_t **tar, size_t *size)
{
    dve_error error, warning[DVE_NEFF_HEADER_WARNINGS];
    dve_status status = dve_neff_header_read(neff->file.bytes, neff->file.size, &neff->header, &error);
    if (status)
        return refuse(neff, status, &error);
    neff->has_header = 1;
    status = check_digest(neff);
    if (status)
        return status;
    unsigned warnings = dve_neff_header_warnings(&neff->header, neff->file.size, warning);
    for (unsigned i = 0; i < warnings; i++)
        cli_notes_add(&neff->warnings, "%s", warning[i].text);
    *tar = neff->file.bytes + DVE_NEFF_HEADER_BYTES;
    *size = (size_t)neff->header.data_size;
    return neff->header.package_version == 2 ? unpack(neff, *tar, *size, 1) : DVE_OK;
}

static dve_status open_archive(cli_package *neff)
{
    const uint8_t *tar = neff->file.bytes;
    size_t size = neff->file.size;
    dve_status status = DVE_OK;
    dve_error error;
    switch (dve_neff_kind_of(tar, size)) {
    case DVE_NEFF_PACKAGE:
        status = open_package(neff, &tar, &size);
        break;
    case DVE_NEFF_GZIP:
        cli_notes_add(&neff->warnings, "a bare gzip archive, without the header of a NEFF");
        status = unpack(neff, tar, size, 0);
        break;
    case DVE_NEFF_TAR:
        cli_notes_add(&neff->warnings, "a bare tar archive, without the header of a NEFF");
        break;
    default:
        return cli_fail(DVE_E_INPUT, "%.200s: no NEFF: header_size (byte 8) is not 1024, and it is no gzip and no tar", neff->name);
    }
    if (status)
        return status;
    if (neff->unpacked.bytes) {
        tar = neff->unpacked.bytes;
        size = neff->unpacked.size;
    }
    if (size > dve_archive_limit(UINT64_MAX))
        return cli_fail(DVE_E_INPUT, "%.200s: an archive of %zu bytes, allowed are 4 GiB", neff->name, size);
    status = dve_archive_open(tar, size, &neff->archive, &error);
    return status ? refuse(neff, status, &error) : DVE_OK;
}

static dve_status follow(cli_package *neff)
{
    dve_error error;
    size_t count;
    dve_status status = dve_neff_chain_open(neff->archive, &neff->chain, &error);
    if (status)
        return refuse(neff, status, &error);
    neff->members = dve_archive_members(neff->archive, &neff->member_count);
    neff->graphs = dve_neff_graphs(neff->chain, &neff->graph_count);
    const char *const *warning = dve_neff_warnings(neff->chain, &count);
    for (size_t i = 0; i < count; i++)
        cli_notes_add(&neff->warnings, "%s", warning[i]);
    return DVE_OK;
}

dve_status cli_neff_take(cli_package *neff, const char *name, dve_whole *file)
{
    memset(neff, 0, sizeof *neff);
    neff->name = strcmp(name, "-") == 0 ? "stdin" : name;
    neff->gen = DVE_GEN_DEFAULT;
    neff->file = *file;
    file->bytes = NULL;
    cli_notes_begin(&neff->warnings, neff->name);
    dve_status status = open_archive(neff);
    return status ? status : follow(neff);
}

dve_status cli_neff_read(cli_package *neff, const char *path)
{
    dve_whole file;
    dve_error error;
    memset(neff, 0, sizeof *neff);
    dve_status status = dve_whole_read(path, SIZE_MAX / 4, &file, &error);
    return status ? cli_fail(status, "%s", error.text) : cli_neff_take(neff, path, &file);
}

void cli_neff_close(cli_package *neff)
{
    dve_neff_chain_close(neff->chain);
    dve_archive_close(neff->archive);
    free(neff->unpacked.bytes);
    free(neff->file.bytes);
    cli_notes_end(&neff->warnings);
    memset(neff, 0, sizeof *neff);
}

/* ---- graphs ---- */

static int selected(const dve_neff_graph *g, const char *graph)
{
    return !graph || (g->name && strcmp(g->name, graph) == 0);
}

/* A name that no graph has selects nothing to read, but the package keeps its target. */
static const char *known_graph(const cli_package *neff, const char *graph)
{
    for (size_t i = 0; i < neff->graph_count; i++)
        if (selected(&neff->graphs[i], graph))
            return graph;
    return NULL;
}

/* The one target of all; 0, and in words why, if there is none. */
static uint8_t single_target(const cli_package *neff, const char *graph, const char **why)
{
    uint8_t target = 0;
    int open = 0, several = 0;                   /* `open`: for any generation, without a target, or with one that is unknown */
    for (size_t i = 0; i < neff->graph_count; i++) {
        uint8_t gen = neff->graphs[i].gen;
        if (!selected(&neff->graphs[i], graph))
            continue;
        open |= !gen;
        several |= target && gen && target != gen;
        target = gen ? gen : target;
    }
    *why = several ? "it has graphs for several targets"
           : target ? "it has graphs for one target and graphs for any" : "it names no single target";
    return several || open ? 0 : target;
}

dve_status cli_neff_gen(cli_package *neff, const cli_arguments *a, const char *graph)
{
    const char *why;
    uint8_t target = single_target(neff, known_graph(neff, graph), &why);
    dve_status status = cli_gen(a, &neff->gen);
    if (status)
        return status;
    if (target && cli_flag(a, "gen") && neff->gen != target)
        return cli_fail(DVE_E_USAGE, "option --gen: %s was given, the package's target is %s: %.200s",
                        dve_generation(neff->gen)->name, dve_generation(target)->name, neff->name);
    if (target)
        neff->gen = target;
    else if (!cli_flag(a, "gen"))
        cli_note("%.200s: %s, so %s is taken; --gen chooses another", neff->name, why, dve_generation(neff->gen)->name);
    return DVE_OK;
}

static dve_status whole_records(const cli_package *neff, const dve_archive_member *stream)
{
    size_t rest = stream->size % DVE_RECORD_BYTES;
    if (!rest)
        return DVE_OK;
    return cli_fail(DVE_E_INPUT, "%.200s: member %.200s: record %zu at byte offset %zu has %zu of 64 bytes: the size, %zu bytes, "
                    "is no multiple of 64", neff->name, stream->name, stream->size / DVE_RECORD_BYTES, stream->size - rest, rest,
                    stream->size);
}

dve_status cli_neff_streams(const cli_package *neff, const char *graph, const dve_archive_member ***out, size_t *count)
{
    const dve_archive_member **list = calloc(neff->graph_count + 1, sizeof *list);
    uint8_t *seen = calloc(neff->member_count + 1, 1);
    size_t n = 0, named = 0;
    dve_status status = list && seen ? DVE_OK : cli_fail(DVE_E_INTERNAL, "not enough memory");
    for (size_t i = 0; i < neff->graph_count && !status; i++) {
        const dve_neff_graph *g = &neff->graphs[i];
        if (!selected(g, graph))
            continue;
        named++;
        if (!g->stream || seen[g->stream - neff->members])
            continue;
        seen[g->stream - neff->members] = 1;
        list[n++] = g->stream;
        status = whole_records(neff, g->stream);
    }
    free(seen);
    if (graph && !named && !status)
        cli_note("%.200s: no graph is called \"%.100s\"; `opendve neff list` names them", neff->name, graph);
    if (status) {
        free(list);
        list = NULL;
        n = 0;
    }
    *out = list;
    *count = n;
    return status;
}
