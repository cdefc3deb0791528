/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the integrity check share. */
#ifndef DVE_TABLES_CHECK_H
#define DVE_TABLES_CHECK_H

#include "tables.h"

typedef struct dve_table_checker {
    const dve_table_set *set;
    const dve_table_layout *layout;
    const char *name;
    void *context;
    dve_table_report *report;    /* may be NULL: errors are only counted */
    int build_unknown;           /* figures that hold for one build do not warn */
    size_t errors;
    dve_table_entry entry[DVE_TABLE_SLOTS];      /* of the set, as several rules ask for all of them */
    uint8_t used[DVE_TABLE_KEYS][32];            /* of control tables: bit r, row r holds something */
    uint8_t enabled[32];                         /* what `ops` of the set has */
} dve_table_checker;

#define DVE_FINDING_OF(number)                                                                                       \
    (dve_table_finding){.rule = (number), .key = DVE_NOWHERE, .opcode = DVE_NOWHERE, .row = DVE_NOWHERE,             \
                        .lane = DVE_NOWHERE, .byte = DVE_NOWHERE}

void dve_table_tell(dve_table_checker *c, dve_table_finding finding);
/* Rules about rows, blocks and counts: those from reserved_bytes on. */
void dve_table_check_rows(dve_table_checker *c);

#endif
