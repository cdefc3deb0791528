/* SPDX-License-Identifier: Apache-2.0 */
#include <opendve/status.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Fills the message; a text that does not fit ends in "..." rather than mid-sentence unmarked. */
void dve_error_set(dve_error *error, const char *format, ...)
{
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    if (length < 0)
        error->text[0] = '\0';
    else if ((size_t)length >= sizeof error->text)
        memcpy(error->text + sizeof error->text - 4, "...", 4);
}
