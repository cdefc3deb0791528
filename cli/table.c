/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"
#include "cli.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void append(cli_table *table, char *text)
{
    if (table->cells == table->room) {
        size_t room = table->room ? 2 * table->room : 256;
        char **more = realloc(table->cell, room * sizeof *more);
        if (!more) {
            free(text);
            text = NULL;
        } else {
            table->cell = more;
            table->room = room;
        }
    }
    if (!text)
        table->failed = 1;
    else
        table->cell[table->cells++] = text;
}

void cli_table_add(cli_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t bytes = (size_t)(length < 0 ? 0 : length) + 1, room = CLI_SHOWN_GROWS * bytes;
    char *text = malloc(bytes), *shown = malloc(room), *cell = NULL;
    if (text && shown) {
        va_start(arguments, format);
        vsnprintf(text, bytes, format, arguments);
        va_end(arguments);
        size_t used = strlen(cli_shown(length < 0 ? "" : text, shown, room)) + 1;
        cell = malloc(used);
        if (cell)
            memcpy(cell, shown, used);
    }
    free(text);
    free(shown);
    append(table, cell);
}

void cli_table_begin(cli_table *table, const char *const *headings)
{
    memset(table, 0, sizeof *table);
    while (headings[table->columns])
        table->columns++;
    for (unsigned c = 0; c < table->columns; c++)
        cli_table_add(table, "%s", headings[c]);
}

static int to_right(const cli_table *table, unsigned column)
{
    return table->cell[column][0] == '>';
}

static void print_row(const cli_table *table, size_t first, const size_t *width, FILE *stream)
{
    for (unsigned c = 0; c < table->columns; c++) {
        const char *text = table->cell[first + c] + (first == 0 && to_right(table, c));
        int pad = (int)width[c];
        if (to_right(table, c))
            fprintf(stream, "%*s", pad, text);
        else if (c + 1 < table->columns)
            fprintf(stream, "%-*s", pad, text);
        else
            fputs(text, stream);
        fputs(c + 1 < table->columns ? "  " : "\n", stream);
    }
}

int cli_table_end(cli_table *table, FILE *stream)
{
    size_t width[CLI_TABLE_COLUMNS] = {0};
    int good = !table->failed;
    for (size_t i = 0; good && i < table->cells; i++) {
        unsigned c = (unsigned)(i % table->columns);
        size_t length = strlen(table->cell[i]) - (i < table->columns && to_right(table, c) ? 1 : 0);
        if (length > width[c])
            width[c] = length;
    }
    for (size_t row = 0; good && row + table->columns <= table->cells; row += table->columns)
        print_row(table, row, width, stream);
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
    free(table->cell);
    memset(table, 0, sizeof *table);
    return good;
}
