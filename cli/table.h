/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned columns of text. */
#ifndef DVE_CLI_TABLE_H
#define DVE_CLI_TABLE_H

#include <stddef.h>
#include <stdio.h>

enum { CLI_TABLE_COLUMNS = 12 };

/* Cells row after row. A heading that begins with '>' aligns its column to the right; the last column is
 * printed as it is, however long. */
typedef struct cli_table {
    char **cell;
    size_t cells, room;
    unsigned columns;
    int failed;                  /* out of memory: printing says so */
} cli_table;

/* `headings` ends with NULL. */
void cli_table_begin(cli_table *table, const char *const *headings);
void cli_table_add(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the rows and frees the table. 0 if memory ran out. */
int cli_table_end(cli_table *table, FILE *stream);

#endif
