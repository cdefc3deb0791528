/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed of an answer and of what it cost. */
#ifndef BEAM_SEARCH_REPORT_H
#define BEAM_SEARCH_REPORT_H

#include "search.h"

enum { FIRST_GEN = 2, LAST_GEN = 5, GENS = LAST_GEN - FIRST_GEN + 1 };

void report_answer(const struct model *m, const struct question *q, const char *prompt, const struct answer *a);
/* Records per step, and what each stage cost on every generation; `p` gives the names of the instructions. */
void report_cost(const struct program *p, const struct question *q, const struct cost cost[GENS]);

#endif
