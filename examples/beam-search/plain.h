/* SPDX-License-Identifier: Apache-2.0 */
/* Beam search in plain C: the oracle of search.h, which shares with it the model and nothing else. */
#ifndef BEAM_SEARCH_PLAIN_H
#define BEAM_SEARCH_PLAIN_H

#include "question.h"
#include "rows.h"

/* In how many steps the first candidate left out scored as much as the last one kept. */
uint32_t plain_search(struct rows *rows, const struct question *q, struct answer *a);

#endif
