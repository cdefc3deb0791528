/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

dve_line dve_line_begin(char *out, size_t capacity)
{
    if (capacity)
        out[0] = '\0';
    return (dve_line){.text = out, .capacity = capacity};
}

void dve_line_add(dve_line *line, const char *format, ...)
{
    if (line->used + 1 >= line->capacity)
        return;
    size_t room = line->capacity - line->used;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line->text + line->used, room, format, arguments);
    va_end(arguments);
    if (length < 0) {
        line->text[line->used] = '\0';
        return;
    }
    if ((size_t)length < room) {
        line->used += (size_t)length;
        return;
    }
    line->used = line->capacity - 1;
    if (line->capacity > 4)
        memcpy(line->text + line->capacity - 4, "...", 4);
}
