/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of `opendve explain` share. */
#ifndef DVE_CLI_EXPLAIN_H
#define DVE_CLI_EXPLAIN_H

#include "cli.h"

/* What is explained: an opcode, or one record of it. */
typedef struct explain_subject {
    uint8_t opcode, format, gen;
    const dve_opcode_info *info;         /* NULL where no source names the byte */
    const dve_record *record;            /* NULL for an opcode */
    dve_insn insn;                       /* of the record */
    size_t broken;                       /* rules; the first DVE_MAX_DIAGS stand in diags */
    dve_diag diags[DVE_MAX_DIAGS];
} explain_subject;

void cli_explain_opcode(uint8_t opcode, uint8_t gen, explain_subject *out);
void cli_explain_record(const dve_record *record, uint8_t gen, explain_subject *out);

/* Whether a rule is about the subject on its generation, and the broken rule that says so (NULL: it holds). */
int cli_explain_has_rule(const explain_subject *s, const dve_rule_info *rule);
const dve_diag *cli_explain_broken(const explain_subject *s, size_t rule);
int cli_explain_has_note(const explain_subject *s, const dve_note_info *note);
/* Assumptions that results of the subject rest on. */
dve_assumption_set cli_explain_assumptions(const explain_subject *s);
/* Bit i set: row i of dve_isa_sources is the origin of something that is told. */
typedef struct explain_sources { uint8_t row[256]; } explain_sources;
void cli_explain_sources(const explain_subject *s, explain_sources *out);
const char *cli_explain_hazard(dve_hazard_kind kind);
enum { EXPLAIN_POINTS = 4 };
extern const uint32_t cli_explain_points[EXPLAIN_POINTS];    /* elements a lane for which costs are shown */

/* explain_show.c */
void cli_explain_generations(const explain_subject *s);

/* The whole explanation, for people and for tools. */
dve_status cli_explain_text(const explain_subject *s);
dve_status cli_explain_json(const explain_subject *s);

/* ---- the worked example ---- */

typedef struct explain_tensor {
    const dve_tensor *tensor;
    uint8_t *before, *after;             /* partitions * elements values, rows one after the other */
    uint8_t *written;                    /* one byte a value: whether anything wrote it */
    int given, shown;                    /* has values before; differs, or had none, after */
} explain_tensor;

enum { EXPLAIN_RECORDS = 8, EXPLAIN_TENSORS = 8 };

typedef struct explain_example {
    uint8_t gen;                         /* that of the example: the subject's, or the first that has the opcode */
    const char *title, *source;          /* .dve text without its first line */
    dve_text_source text;
    dve_record record[EXPLAIN_RECORDS];
    unsigned records, tensors;
    explain_tensor tensor[EXPLAIN_TENSORS];
    int executed;
    unsigned hazards;
    uint64_t cycles;
    dve_stop stop;                       /* of an example that runs: why it stopped early */
    unsigned lanes;                      /* of the hidden state that is shown */
    dve_lane_state lane[2];
    unsigned state;                      /* DVE_STATE_ bits: which parts the example set */
} explain_example;

/* Builds the opcode's example and runs it where the opcode executes. *out is NULL where there is none. A defect of
 * the row is DVE_E_INTERNAL with a message. */
dve_status cli_example_new(uint8_t opcode, uint8_t gen, explain_example **out);
void cli_example_free(explain_example *example);
/* "not executed by this version", ...: why an example does not run. */
const char *cli_example_why_not(const explain_example *example, uint8_t opcode);
size_t cli_example_value(const explain_tensor *tensor, const uint8_t *values, size_t at, char *out, size_t capacity);

void cli_explain_example_text(const explain_subject *s, const explain_example *example);
json_object *cli_explain_example_json(const explain_subject *s, const explain_example *example);

#endif
