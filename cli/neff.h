/* SPDX-License-Identifier: Apache-2.0 */
/* A NEFF as the commands use it: read, judged, unpacked, and its manifest followed. */
#ifndef DVE_CLI_NEFF_H
#define DVE_CLI_NEFF_H

#include "cli.h"
#include "io/records.h"
#include "io/whole.h"
#include <opendve/neff.h>

typedef struct cli_package {
    const char *name;                /* of the file, for messages */
    int has_header;
    dve_neff_header header;
    dve_whole file, unpacked;        /* unpacked is empty where the tar lies in the file as it is */
    dve_archive *archive;
    dve_neff_chain *chain;
    const dve_archive_member *members;
    const dve_neff_graph *graphs;
    size_t member_count, graph_count;
    uint8_t gen;                     /* see cli_neff_gen */
    cli_notes warnings;
} cli_package;

/* Takes over the bytes of the file. Whatever is refused is told, and answered with DVE_E_INPUT; close it all the same. */
dve_status cli_neff_take(cli_package *neff, const char *name, dve_whole *file);
dve_status cli_neff_read(cli_package *neff, const char *path);
void cli_neff_close(cli_package *neff);

/* The generation: the one target of the graphs named `graph`, of all for NULL or where none has the name; DVE_E_USAGE if --gen
 * differs. Several targets, any (also beside one), or none: --gen, else gen3, and a note says so. */
dve_status cli_neff_gen(cli_package *neff, const cli_arguments *a, const char *graph);

/* The streams of the vector engine in chain order, each member once, of the graphs named `graph` (all for NULL), to be freed.
 * DVE_E_INPUT, told, unless each is whole records. Says also when no graph has the name. */
dve_status cli_neff_streams(const cli_package *neff, const char *graph, const dve_archive_member ***out, size_t *count);

/* Whether a file of records is a package: `graph` is what --graph says, NULL without it. */
int cli_neff_is(dve_record_stream *stream, const char *graph);

/* The opcodes with a slot in an opcode table, but for slot 0 and those that gen2's tables hold for no set: bit op % 8 of byte
 * op / 8. None where it has the size of no opcode table. */
void cli_neff_enabled(const dve_archive_member *table, uint8_t enabled[32]);

/* Refuses a package where a command takes records only, with the word that helps. */
dve_status cli_neff_refuse(dve_record_stream *stream, const char *path, const char *command);

/* What a command does with a package in place of its records: `begin` once, when it is certain that all can be read, then
 * for each stream `graph` with the first graph that names it, unless that is NULL, and `stream`. Any answer but DVE_OK ends it. */
typedef struct cli_neff_reader {
    dve_status (*begin)(void *context, uint8_t gen);
    void (*graph)(void *context, const dve_neff_graph *graph);
    dve_status (*stream)(void *context, const char *member, dve_record_stream *stream);
    void *context;
} cli_neff_reader;

/* Reads the package in `records`, which was opened from `path` and stays the caller's to close. Refusals are told. */
dve_status cli_neff_records(const cli_arguments *a, const char *path, dve_record_stream *records, const cli_neff_reader *reader);

/* One graph as reports show it. */
json_object *cli_neff_graph_json(const dve_neff_graph *graph);

/* The two commands. */
dve_status cli_neff_list(cli_package *neff, int json);
dve_status cli_neff_extract(cli_package *neff, const cli_arguments *a);

#endif
