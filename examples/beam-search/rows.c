/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "../bigram/util.h"

void rows_begin(struct rows *rows, const struct model *model)
{
    *rows = (struct rows){.model = model, .counts = resize(NULL, model->vocabulary, sizeof *rows->counts)};
    memset(rows->counts, 0, model->vocabulary * sizeof *rows->counts);
}

const float *rows_get(struct rows *rows, uint32_t context)
{
    const uint32_t i = context % ROWS_KEPT;
    if (rows->row[i] && rows->word[i] == context)
        return rows->row[i];
    if (!rows->row[i])
        rows->row[i] = resize(NULL, rows->model->vocabulary, sizeof **rows->row);
    rows->word[i] = context;
    model_row(rows->model, context, rows->counts, rows->row[i]);
    return rows->row[i];
}

void rows_end(struct rows *rows)
{
    for (uint32_t i = 0; i < ROWS_KEPT; i++)
        free(rows->row[i]);
    free(rows->counts);
}
