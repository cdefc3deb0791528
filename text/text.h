/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts share. */
#ifndef DVE_TEXT_INTERNAL_H
#define DVE_TEXT_INTERNAL_H

#include <opendve/text.h>

/* A line that grows in a caller's buffer. */
typedef struct dve_line {
    char *text;
    size_t capacity, used;
} dve_line;

/* An empty line; a buffer of no bytes stays untouched. */
dve_line dve_line_begin(char *out, size_t capacity);
/* Appends as printf does; what does not fit leaves "..." at the end. */
void dve_line_add(dve_line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
