/* SPDX-License-Identifier: Apache-2.0 */
#include "wrap.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_wrap(FILE *stream, unsigned at, unsigned indent, const char *text)
{
    int fresh = 1;                               /* no word stands on the line yet */
    while (*(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        size_t room = CLI_WIDTH > at ? CLI_WIDTH - at : 0;
        if (length + (fresh ? 0 : 1) > room && !(fresh && at == indent)) {
            fprintf(stream, "\n%*s", (int)indent, "");
            at = indent;
            fresh = 1;
            continue;
        }
        if (length > room)
            length = room;
        if (!fresh)
            fputc(' ', stream);
        for (size_t i = 0; i < length; i++)
            fputc(text[i] == CLI_JOINT ? ' ' : text[i], stream);
        at += (unsigned)length + (fresh ? 0 : 1);
        text += length;
        fresh = 0;
    }
    fputc('\n', stream);
}

static int bold(FILE *stream)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(off && *off) && !(term && strcmp(term, "dumb") == 0) && isatty(fileno(stream));
}

void cli_heading(FILE *stream, const char *text)
{
    int on = bold(stream);
    fprintf(stream, "\n%s%s%s\n", on ? "\033[1m" : "", text, on ? "\033[0m" : "");
}
