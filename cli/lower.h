/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of opendve lower. Messages are printed where the fault is found. */
#ifndef DVE_CLI_LOWER_H
#define DVE_CLI_LOWER_H

#include "cli.h"
#include "io/outfile.h"

/* An instruction of a SPEC, with the room for its lists of indices. */
typedef struct lower_item {
    dve_lower_instruction instruction;
    dve_lower_access list[DVE_LOWER_OPERANDS][2];    /* of the operand, and one that the list itself should not have */
} lower_item;

/* Whether the document is one, up to its instructions; *count how many. */
dve_status cli_lower_head(const char *file, json_object *root, size_t *count);
/* Reads instruction `index`. DVE_E_INPUT for what is not the language. */
dve_status cli_lower_read(const char *file, json_object *root, size_t index, lower_item *out);

/* What came of the instructions so far. */
typedef struct lower_work {
    const cli_arguments *a;
    const char *file;
    dve_lower_target target;
    dve_record *record;          /* count of them, room for more */
    size_t count, room;
    size_t instructions, refused;
    uint64_t uses[256];          /* records by opcode */
    uint8_t order[256];          /* opcodes by their first record */
    unsigned opcodes;
    uint64_t broken;             /* rules, in all records */
    size_t checked;              /* records that were looked at */
    dve_assumption_set assumptions;
    json_object *found, *refusals;   /* for --json, else NULL */
} lower_work;

/* What was lowered, on stdout, or on stderr where that has the records. */
dve_status cli_lower_census(const lower_work *w, int to_stderr);
dve_status cli_lower_report(lower_work *w, const char *mode);
/* The records into -o and --split-engines, all or nothing. */
dve_status cli_lower_write(const lower_work *w);

#endif
