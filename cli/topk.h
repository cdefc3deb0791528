/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of `opendve topk` share. */
#ifndef DVE_CLI_TOPK_H
#define DVE_CLI_TOPK_H

#include "plan_json.h"
#include "stats.h"

typedef struct topk_report {
    const dve_plan *plan;
    const dve_topk_options *options;
    const void *input, *values, *indices;
    dve_pool *pool;
    cli_stats stats;
    uint64_t cycles;
    dve_assumption_set assumptions;
    uint64_t hazards[DVE_TOPK_HAZARD_KINDS], hazards_total, hazards_altering;
} topk_report;

/* Counts the hazards and tells the first of them, and how many there are, on stderr. */
dve_status cli_topk_hazards(topk_report *report);
dve_status cli_topk_json(topk_report *report);
/* The first rows, as a table. */
dve_status cli_topk_table(const topk_report *report);
dve_status cli_topk_stats(const topk_report *report);
/* "estimated cost: 45 cycles, 0.047 us (gen3, estimate)" */
void cli_topk_cost(const topk_report *report);

/* The records of a plan, each run of shared records once. */
dve_status cli_plan_listing(const dve_plan *plan);

#endif
