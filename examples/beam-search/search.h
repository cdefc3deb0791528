/* SPDX-License-Identifier: Apache-2.0 */
/* Beam search by the records of program.h, executed by the library's machine. */
#ifndef BEAM_SEARCH_SEARCH_H
#define BEAM_SEARCH_SEARCH_H

#include "program.h"
#include "rows.h"

/* What was executed, stage by stage, and the assumptions that the results rest on. */
struct cost {
    uint64_t records[STAGE_COUNT], cycles[STAGE_COUNT];
    dve_assumption_set assumptions;
};

/*
 * Runs all steps on a fresh machine of the program's generation. Between steps the host reads the last words of the
 * beams and writes the model's rows for them: it is the model, and does nothing else. Returns an exit code, having
 * said why: any hazard counts as a failure, for these records should meet none.
 */
int search_run(const struct program *p, const struct question *q, uint8_t gen, struct rows *rows, struct answer *a,
               struct cost *cost);

/* Makes the program and runs it. */
int search_answer(const struct question *q, uint8_t gen, struct rows *rows, struct answer *a, struct cost *cost);

#endif
