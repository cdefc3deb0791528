/* SPDX-License-Identifier: Apache-2.0 */
/* What a run counted, by opcode, and its hazards. */
#ifndef DVE_CLI_STATS_H
#define DVE_CLI_STATS_H

#include "cli.h"

enum { CLI_HAZARDS_SHOWN = 16 };

typedef struct cli_stats {
    struct { uint64_t records, elements, cycles; } opcode[256];
    uint64_t records, skipped;
    uint64_t hazards[DVE_HAZARD_KINDS], hazards_total;
} cli_stats;

void cli_stats_step(cli_stats *stats, const dve_step *step);
/* Counts a hazard and, among the first CLI_HAZARDS_SHOWN, tells it on stderr. */
void cli_stats_hazard(cli_stats *stats, const dve_hazard *hazard);
/* "3 hazards (never-written 2, power-on-state 1)" on stderr, if there are any. */
void cli_stats_hazard_total(const cli_stats *stats);

/* One row per opcode and their total on stdout. */
dve_status cli_stats_table(const cli_stats *stats, uint8_t gen);
/* "assumptions: ..." on stdout; nothing for none. */
void cli_print_assumptions(dve_assumption_set used);
/* What --stats of exec prints on stdout. */
dve_status cli_stats_text(const cli_stats *stats, uint8_t gen, dve_assumption_set used);
/* The same as an array, one object per opcode, and as counts per hazard kind. */
json_object *cli_stats_json(const cli_stats *stats, uint8_t gen);
json_object *cli_stats_hazards_json(const cli_stats *stats);
/* One hazard: kind, class, record and what belongs to its kind. */
json_object *cli_hazard_json(const dve_hazard *hazard);

/* Clock of the generation that execution runs as, in MHz. */
uint32_t cli_clock(uint8_t gen);
/* Cycles of a generation in thousandths of nanoseconds: "1133.333". */
char *cli_ns_text(uint64_t cycles, uint8_t gen, char out[40]);

#endif
