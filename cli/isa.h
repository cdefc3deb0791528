/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of `opendve isa` share. */
#ifndef DVE_CLI_ISA_H
#define DVE_CLI_ISA_H

#include "cli.h"
#include "table.h"

/* Which rows are wanted: those of one generation, or all. `gen` then answers what differs by generation. */
typedef struct isa_view {
    uint8_t gen;
    int all;
} isa_view;

/* Whether rows with such marks are wanted. */
int cli_isa_shown(const isa_view *view, const char *gens);
/* Whether anything of a format is: an opcode of the generation has it. RAW serves every generation. */
int cli_isa_format_shown(const isa_view *view, uint8_t format);
int cli_isa_rule_shown(const isa_view *view, const dve_rule_info *rule);
int cli_isa_assumption_shown(const isa_view *view, size_t assumption);
/* "every record", "Max8" or "S2_BN": what a rule is about. */
const char *cli_isa_rule_where(const dve_rule_info *rule);
/* "uint", "dtype", ... */
const char *cli_isa_kind(dve_field_kind kind);

/* The letter of a format's field in rulers. */
char cli_isa_letter(const dve_field_info *field, unsigned number);
/* One letter a field over the 64 bytes. */
void cli_isa_ruler(const dve_field_info *fields, unsigned count);

/* isa_capability.c: "yes", "no", "pseudo", ...; the table sets that hold an opcode. `opcode` may be NULL. */
const char *cli_isa_defined(const dve_opcode_info *opcode, uint8_t gen);
const char *cli_isa_maintained(const dve_opcode_info *opcode, uint8_t gen);
const char *cli_isa_armed(uint8_t opcode, uint8_t gen);
const char *cli_isa_sets(uint8_t opcode, uint8_t gen, char *out, size_t capacity);
json_object *cli_isa_json_capability(const dve_opcode_info *opcode, uint8_t value);

/* isa_text.c, isa_formats.c, isa_capability.c, isa_integrity.c: tables for people. */
dve_status cli_isa_text_opcodes(const isa_view *view);
dve_status cli_isa_text_formats(const isa_view *view);
dve_status cli_isa_text_fields(const isa_view *view);
dve_status cli_isa_text_enums(const isa_view *view);
dve_status cli_isa_text_rules(const isa_view *view);
dve_status cli_isa_text_generations(const isa_view *view);
dve_status cli_isa_text_assumptions(const isa_view *view);
dve_status cli_isa_text_sources(const isa_view *view);
dve_status cli_isa_text_rosters(const isa_view *view);
dve_status cli_isa_text_effects(const isa_view *view);
dve_status cli_isa_text_integrity(const isa_view *view);

/* isa_json.c, isa_json_rows.c, isa_integrity.c: the elements of each list, for tools. */
void cli_isa_json_opcodes(const isa_view *view, cli_report *r);
void cli_isa_json_formats(const isa_view *view, cli_report *r);
void cli_isa_json_fields(const isa_view *view, cli_report *r);
void cli_isa_json_enums(const isa_view *view, cli_report *r);
void cli_isa_json_rules(const isa_view *view, cli_report *r);
void cli_isa_json_generations(const isa_view *view, cli_report *r);
void cli_isa_json_assumptions(const isa_view *view, cli_report *r);
void cli_isa_json_sources(const isa_view *view, cli_report *r);
void cli_isa_json_rosters(const isa_view *view, cli_report *r);
void cli_isa_json_effects(const isa_view *view, cli_report *r);
void cli_isa_json_integrity(const isa_view *view, cli_report *r);

/* Members of JSON rows. */
json_object *cli_isa_json_gens(const char *gens);            /* ["gen3", "gen4"] */
json_object *cli_isa_json_words(const char *text, char separator);
void cli_isa_json_origin(json_object *row, const char *source, char conf);
json_object *cli_isa_json_field(const dve_field_info *field);
json_object *cli_isa_json_rule(const dve_rule_info *rule);

#endif
