/* SPDX-License-Identifier: Apache-2.0 */
/* NEFF packages, read from bytes that the caller holds: the header, the tar inside, and the way from its manifest to the
 * streams and tables of the vector engine. No file is opened and nothing is printed; inflating a gzip'ed archive and
 * comparing digests is the caller's part (the opendve program does both).
 *
 * Everything may be hostile: what a package cannot be is refused with DVE_E_INPUT, and work and memory are bounded by
 * the size of the input. docs/neff.md tells the layout and what is refused. */
#ifndef OPENDVE_NEFF_H
#define OPENDVE_NEFF_H

#include <opendve/isa.h>
#include <opendve/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DVE_NEFF_HEADER_BYTES = 0x400,
    DVE_NEFF_KIND_BYTES = 512,           /* that tell one kind from another */
    DVE_NEFF_HEADER_WARNINGS = 3,
    DVE_NEFF_TABLES = 5,
    DVE_ARCHIVE_MEMBERS = 65536,         /* more are refused */
    DVE_NEFF_GRAPHS = 65536,
    DVE_NEFF_JSON_DEPTH = 64             /* arrays and objects in one another; a file with more is not read, with a warning */
};
/* What an archive may unpack to: 4 GiB, and beyond the first 4 MiB no more than 100 times the stored bytes. */
uint64_t dve_archive_limit(uint64_t stored);

/* ---- the header ---- */

/* What bytes look like: nothing of the kind, a package with its header, a bare gzip or tar. */
typedef enum dve_neff_kind { DVE_NEFF_NOT, DVE_NEFF_PACKAGE, DVE_NEFF_GZIP, DVE_NEFF_TAR } dve_neff_kind;
dve_neff_kind dve_neff_kind_of(const uint8_t *bytes, size_t size);

/* Integers are little-endian in the file. */
typedef struct dve_neff_header {
    uint64_t package_version;            /* 1: raw tar, SHA-256; 2: gzip'ed tar, MD5 */
    uint64_t header_size, data_size;
    uint64_t major, minor, feature_bits;
    uint32_t compression;                /* the word at 0xa8; 1 was seen, nothing reads it */
    uint32_t requested_tpb_count, vnc_size;
    uint8_t hash[32], uuid[16], tpb_per_node[64];
    char build[129], name[257];          /* what is not ASCII text is '?' */
} dve_neff_header;

/* DVE_E_INPUT: shorter than its header, a version that is not taken, or an archive that is empty or cut. */
dve_status dve_neff_header_read(const uint8_t *bytes, size_t size, dve_neff_header *out, dve_error *error);
/* What is odd about a header that is taken; returns how many of `out` it filled. `size` is the file's. */
unsigned dve_neff_header_warnings(const dve_neff_header *header, uint64_t size, dve_error out[DVE_NEFF_HEADER_WARNINGS]);

/* ---- the archive ---- */

typedef struct dve_archive_member {
    const char *name;                    /* without a leading "./" and, for a directory, without the slash behind */
    const uint8_t *data;
    size_t size;
    uint8_t directory;
    uint8_t skipped;                     /* a wavegraph, which loaders pass over */
} dve_archive_member;

/* A tar whose every member was looked at: ustar, GNU long names and base-256 numbers, pax headers. */
typedef struct dve_archive dve_archive;

/* The bytes must stay. DVE_E_INPUT for what docs/neff.md refuses, DVE_E_INTERNAL if memory ran out; *out is then NULL. */
dve_status dve_archive_open(const uint8_t *tar, size_t size, dve_archive **out, dve_error *error);
void dve_archive_close(dve_archive *archive);                /* NULL is fine */
/* Members in their order. */
const dve_archive_member *dve_archive_members(const dve_archive *archive, size_t *count);
/* The member of that exact name, or NULL. */
const dve_archive_member *dve_archive_find(const dve_archive *archive, const char *name);

/* ---- from the manifest to the streams ---- */

typedef struct dve_neff_graph {
    const char *name, *definition;       /* as the KELF has them; NULL where it has none */
    const char *target;                  /* of the KELF, NULL where it has none */
    const char *kelf;                    /* member that names the graph */
    uint8_t gen;                         /* of the target; 0: any, none or unknown */
    const dve_archive_member *json;      /* the vector engine's JSON, NULL if there is none */
    const dve_archive_member *stream;    /* its records */
    const dve_archive_member *table[DVE_NEFF_TABLES];        /* by dve_neff_table_key; NULL where it is not named */
} dve_neff_graph;

typedef struct dve_neff_chain dve_neff_chain;

/* Follows neff.json (or kelp.json), KELFs, definitions and engine files. What dangles or is not JSON is a warning.
 * DVE_E_INPUT for too many graphs, DVE_E_INTERNAL if memory ran out; *out is then NULL. The archive must stay. */
dve_status dve_neff_chain_open(const dve_archive *archive, dve_neff_chain **out, dve_error *error);
void dve_neff_chain_close(dve_neff_chain *chain);            /* NULL is fine */
const dve_neff_graph *dve_neff_graphs(const dve_neff_chain *chain, size_t *count);
const char *const *dve_neff_warnings(const dve_neff_chain *chain, size_t *count);
/* "opcode_table", ...; NULL behind the last. */
const char *dve_neff_table_key(unsigned n);

#ifdef __cplusplus
}
#endif
#endif
