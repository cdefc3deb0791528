/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the model, kept for a while: beams come by the same words again and again. */
#ifndef BEAM_SEARCH_ROWS_H
#define BEAM_SEARCH_ROWS_H

#include "../bigram/model.h"

enum { ROWS_KEPT = 512 };

struct rows {
    const struct model *model;
    uint32_t *counts;          /* scratch of model_row */
    float *row[ROWS_KEPT];     /* of word[i], where word[i] % ROWS_KEPT is i; NULL until needed */
    uint32_t word[ROWS_KEPT];
};

void rows_begin(struct rows *rows, const struct model *model);
/* ln P(w | context) for each w of the vocabulary; good until the next call. */
const float *rows_get(struct rows *rows, uint32_t context);
void rows_end(struct rows *rows);

#endif
