/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages in mdoc, from the table of commands: `opendve help --man`. */
#include "manual.h"
#include <string.h>

const cli_exit cli_exits[] = {
    {0, "good; hazards and warnings do not change that, unless --strict asks for it"},
    {1, "findings: an illegal record, a refused execution, a difference"},
    {2, "wrong usage"},
    {3, "an input cannot be read or is malformed"},
    {4, "a stated budget was exceeded"},
    {5, "an output cannot be written"},
    {70, "internal error"},
    {130, "interrupted"},
    {0, NULL},
};

/* Text that begins no macro and holds no escape. */
static void put_text(FILE *stream, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            fputs("\\e", stream);
        else if (*c == '-')
            fputs("\\-", stream);
        else if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
            fprintf(stream, "\\&%c", *c);
        else
            fputc(*c, stream);
    }
}

enum { LINE = 76 };

/* Words of a sentence, in lines that are not long. */
static void put_words(FILE *stream, const char *text, size_t length)
{
    size_t column = 0;
    for (const char *end = text + length; text < end;) {
        size_t word = strcspn(text, " ");
        char copy[128];
        if (word > (size_t)(end - text))
            word = (size_t)(end - text);
        if (column)
            fputc(column + 1 + word > LINE ? '\n' : ' ', stream);
        column = column + 1 + word > LINE ? word : column + 1 + word;
        snprintf(copy, sizeof copy, "%.*s", (int)word, text);
        put_text(stream, copy);
        text += word;
        text += *text == ' ' && text < end;
    }
    fputc('\n', stream);
}

/* A line of its own for each sentence, as mdoc wants it. */
static void put_sentences(FILE *stream, const char *text)
{
    for (const char *end; *text; text = end) {
        end = strstr(text, ". ");
        end = end ? end + 1 : text + strlen(text);
        put_words(stream, text, (size_t)(end - text));
        end += *end == ' ';
    }
}

/* An argument of a macro: quoted, so that words of it are no macros. */
static void put_argument(FILE *stream, const char *text)
{
    fputs(" \"", stream);
    for (const char *c = text; *c; c++)
        fputs(*c == '"' ? "\"\"" : *c == '\\' ? "\\e" : (char[]){*c, '\0'}, stream);
    fputc('"', stream);
}

static void put_head(FILE *stream, const char *page, const char *summary)
{
    fputs(".\\\" " CLI_LICENCE "\n.\\\" Made by `opendve help --man`.\n.Dd " OPENDVE_DATE "\n.Dt ",
          stream);
    for (const char *c = page; *c; c++)
        fputc(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c, stream);
    fprintf(stream, " 1\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", page);
    put_text(stream, summary);
    fputc('\n', stream);
}

static void put_option(FILE *stream, const cli_option *option)
{
    fputs(".It", stream);
    if (option->letter)
        fprintf(stream, " Fl %c ,", option->letter);
    fprintf(stream, " Fl Fl %s", option->name);
    if (option->value) {
        fputs(" Ar", stream);
        put_argument(stream, option->value);
    }
    fputc('\n', stream);
    put_sentences(stream, option->help);
}

static void put_options(FILE *stream, const cli_command *command)
{
    const cli_option *option;
    fputs("The options are as follows:\n.Bl -tag -width Ds\n", stream);
    for (unsigned n = 0; (option = cli_option_at(command, n)); n++)
        put_option(stream, option);
    fputs(".El\n", stream);
}

static void put_exits(FILE *stream)
{
    fputs(".Sh EXIT STATUS\n.Bl -tag -width 130 -compact\n", stream);
    for (const cli_exit *row = cli_exits; row->meaning; row++) {
        fprintf(stream, ".It %d\n", row->code);
        put_sentences(stream, row->meaning);
    }
    fputs(".El\n", stream);
}

static void put_example(FILE *stream, const char *example)
{
    fputs(".Sh EXAMPLES\n.Bd -literal -offset indent\n", stream);
    put_text(stream, example);
    fputs("\n.Ed\n", stream);
}

/* The words of a synopsis: brackets, bars and option names keep their meaning, the rest are arguments. */
static void put_synopsis(FILE *stream, const cli_command *command)
{
    fprintf(stream, ".Sh SYNOPSIS\n.Nm opendve %s\n.Op Ar options\n.Ar", command->name);
    put_argument(stream, command->synopsis);
    fputc('\n', stream);
}

static void put_others(FILE *stream, const cli_command *command)
{
    unsigned printed = 0;
    fputs(".Sh SEE ALSO\n", stream);
    if (command) {
        fputs(".Xr opendve 1\n", stream);
        return;
    }
    unsigned last = 0;
    while (cli_commands[last].name)
        last++;
    /* In alphabetical order, as mdoc wants it. */
    for (const char *before = ""; printed < last; printed++) {
        const char *next = NULL;
        for (unsigned i = 0; i < last; i++)
            if (strcmp(cli_commands[i].name, before) > 0 && (!next || strcmp(cli_commands[i].name, next) < 0))
                next = cli_commands[i].name;
        fprintf(stream, ".Xr opendve-%s 1%s\n", next, printed + 1 < last ? " ," : "");
        before = next;
    }
}

static void put_command(FILE *stream, const cli_command *command)
{
    char page[64];
    snprintf(page, sizeof page, "opendve-%s", command->name);
    put_head(stream, page, command->summary);
    put_synopsis(stream, command);
    fputs(".Sh DESCRIPTION\n", stream);
    put_sentences(stream, cli_about(command));
    fputs(".Pp\n", stream);
    put_options(stream, command);
    put_exits(stream);
    put_example(stream, command->example);
    put_others(stream, command);
}

static const char about[] =
    "An exact model of the 64-byte instruction records of the vector engine of NeuronCores, and tools to read, write, "
    "judge and run them. Data go to the standard output, messages to the standard error. A file named - is the standard "
    "input or output. Numbers are decimal, or hex with 0x; where an opcode is wanted a mnemonic is taken as well.";

static void put_program(FILE *stream)
{
    put_head(stream, "opendve", "model and toolkit for the records of the vector engine");
    fputs(".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar options\n.Op Ar\n.Nm\n.Fl Fl version\n.Sh DESCRIPTION\n", stream);
    put_sentences(stream, about);
    fputs(".Pp\nThe commands are as follows:\n.Bl -tag -width Ds\n", stream);
    for (const cli_command *command = cli_commands; command->name; command++) {
        fprintf(stream, ".It Cm %s\n", command->name);
        put_text(stream, command->summary);
        fprintf(stream, "; see\n.Xr opendve-%s 1 .\n", command->name);
    }
    fputs(".El\n.Sh ENVIRONMENT\n.Bl -tag -width NO_COLOR\n.It Ev NO_COLOR\n"
          "If it is set and not empty, nothing is printed in bold or in colour.\n.El\n",
          stream);
    put_exits(stream);
    put_example(stream, "opendve topk scores.npy -k 8");
    put_others(stream, NULL);
}

void cli_manual(FILE *stream, const cli_command *command)
{
    if (command)
        put_command(stream, command);
    else
        put_program(stream);
}
