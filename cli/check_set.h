/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the opcodes of streams are enabled by the table set that they run with: rule stream_opcodes of isa/integrity.def. */
#ifndef DVE_CLI_CHECK_SET_H
#define DVE_CLI_CHECK_SET_H

#include "cli.h"
#include <opendve/neff.h>

typedef struct check_set {
    int given;                   /* --tables names the set, whatever a package carries */
    int known;                   /* there is a set: the members below are about it */
    char name[64];
    uint8_t gen;                 /* of the directory of --tables */
    uint8_t enabled[32];
    uint64_t first[256], records[256];       /* of this stream: by opcode, those that are not enabled */
    uint64_t warnings;           /* of all streams: one an opcode and stream */
    json_object *list;           /* of them */
} check_set;

/* Takes the set of --tables, if it was given. *gen is that of --gen (`gen_fixed`), or becomes the directory's. */
dve_status check_set_open(check_set *s, const cli_arguments *a, int gen_fixed, uint8_t *gen);
/* Takes the set that a graph of a package names; none where it names none, or one that cannot be read as the generation's. */
void check_set_graph(check_set *s, const dve_neff_graph *graph, uint8_t gen);
void check_set_take(check_set *s, uint8_t opcode, uint64_t index);
/* The end of a stream: tells what was not enabled, as text or into the list, and begins anew. `member` NULL: no package. */
void check_set_tell(check_set *s, uint8_t gen, int json, const char *member);
/* For the report: null without a set. Owned by the caller. */
json_object *check_set_json(check_set *s);
void check_set_close(check_set *s);

#endif
