/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands share: options, messages, reports. */
#ifndef DVE_CLI_H
#define DVE_CLI_H

#include <json-c/json.h>
#include <opendve/opendve.h>
#include <opendve/text.h>
#include <stdio.h>
#include "text/guess.h"

/* One option of a command: --name VALUE (or --name=VALUE), or a flag where `value` is NULL. */
typedef struct cli_option {
    const char *name;            /* "gen" */
    char letter;                 /* 'k' for -k, 0 for none */
    const char *value;           /* "G", NULL for a flag */
    const char *help;
} cli_option;

/* What stood on the command line. */
typedef struct cli_arguments {
    const struct cli_command *command;
    struct { const cli_option *option; const char *value; } given[256];
    unsigned options;
    const char *operand[64];     /* the rest, in order */
    unsigned operands;
} cli_arguments;

/* A command, one row of cli/commands.def. Options end with a NULL name; every command has --help,
 * --gen, --json and --assume besides its own unless `plain` is set. */
typedef struct cli_command {
    const char *name, *summary, *synopsis, *example;
    const cli_option *options;
    dve_status (*run)(const cli_arguments *arguments);
    int plain;
} cli_command;

extern const cli_command cli_commands[];         /* ends with a NULL name */
const cli_command *cli_command_named(const char *name);      /* NULL if there is none */

/* What the manual page says about a command; its summary if there is no more. */
const char *cli_about(const cli_command *command);

/* Sorts the words behind the command's name into options and operands; DVE_E_USAGE with a message. */
dve_status cli_parse(const cli_command *command, int count, char **words, cli_arguments *out);
/* Option n of a command, its own before those that all have; NULL behind the last. */
const cli_option *cli_option_at(const cli_command *command, unsigned n);
/* The help of one command, or of all, on `stream`. */
void cli_help_command(FILE *stream, const cli_command *command);
void cli_help_all(FILE *stream);

/* The name nearest to a mistyped word; NULL until cli_guess_try saw one that is near. */
typedef dve_guess cli_guess;
cli_guess cli_guess_begin(const char *word);
void cli_guess_try(cli_guess *guess, const char *name);
/* "; did you mean PREFIXNAME?" or "", in `out`. */
const char *cli_guess_hint(const cli_guess *guess, const char *prefix, char *out, size_t capacity);

/* Last value of an option, NULL if it was not given (flags: "" if given). Never exits. */
const char *cli_value(const cli_arguments *a, const char *name);
int cli_flag(const cli_arguments *a, const char *name);
/* The n-th value of an option that may repeat, NULL behind the last. */
const char *cli_value_at(const cli_arguments *a, const char *name, unsigned n);
/* An unsigned number, decimal or 0x hex, in low..high; DVE_E_USAGE with a message that names option,
 * given and allowed. `out` keeps its value where the option is absent. */
dve_status cli_number(const cli_arguments *a, const char *name, uint64_t low, uint64_t high, uint64_t *out);
/* The same for one word: `what` is what messages call it. */
dve_status cli_parse_number(const char *what, const char *text, uint64_t low, uint64_t high, uint64_t *out);
/* The only file operand; DVE_E_USAGE with the synopsis where there is none or several. */
dve_status cli_one_file(const cli_arguments *a, const char **out);
/* The generation (default gen3) and settings that --gen and --assume NAME=VALUE choose. */
dve_status cli_gen(const cli_arguments *a, uint8_t *out);
dve_status cli_settings(const cli_arguments *a, dve_settings *out);
/* --simd and --unfused, as rows of a table of options, and read into a config. */
#define CLI_SIMD_OPTIONS                                                                                                \
    {"simd", 0, "LEVEL", "vector instructions of this host for searches: best (default), scalar, sse2, avx2, avx512; "  \
                         "results never depend on it"},                                                                 \
    {"unfused", 0, NULL, "every search reads its source again; results never depend on it"},
dve_status cli_simd(const cli_arguments *a, dve_machine_config *out);

/* "opendve: " message on stderr; answers `status`, so that `return cli_fail(DVE_E_USAGE, ...)` reads well. */
dve_status cli_fail(dve_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same without an error: a hazard or a note. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is odd about a file and no error: the first CLI_NOTES_TOLD on stderr, with how many there are if they are more, and up to
 * CLI_NOTES_MOST in `list`, for a report. */
enum { CLI_NOTES_TOLD = 16, CLI_NOTES_MOST = 65536 };
typedef struct cli_notes {
    const char *name;            /* of the file; it must stay */
    json_object *list;           /* texts */
    size_t count;
} cli_notes;
void cli_notes_begin(cli_notes *notes, const char *name);
void cli_notes_add(cli_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_notes_end(cli_notes *notes);            /* releases them; nothing to do for one that was not begun */

/* Texts that come from files (names, sentences with names in them) as a terminal may have them: what acts on it, or turns the order
 * of what is shown, becomes "\u009b", a byte that is no UTF-8 "\x9b". Messages, cells of tables and JSON documents pass here by
 * themselves (in JSON such a byte is U+FFFD); other output of a name calls cli_shown, which ends in "..." what does not fit in
 * `capacity` (4 at least). */
enum { CLI_SHOWN_GROWS = 6, CLI_SHOWN_PIECE = CLI_SHOWN_GROWS + 1 };       /* what a byte may become; room for a character */
enum { CLI_SHOWN_NAME = CLI_SHOWN_GROWS * 4096 };            /* room for any name of a package */
const char *cli_shown(const char *text, char *out, size_t capacity);
/* One character of `size` bytes of text; answers how many of them it was. */
size_t cli_shown_piece(const char *text, size_t size, int json, char out[CLI_SHOWN_PIECE]);

/* "N records" on stderr, once a second after the first, on a terminal only; the last call clears it. */
void cli_progress(uint64_t records);
void cli_progress_end(void);

/* Everything printed to stdout has arrived, else DVE_E_OUTPUT with a message (none for a closed pipe). */
dve_status cli_flush(void);

/* JSON reports: one document on stdout. begin writes schema ("opendve.NAME/1"), version and gen; member
 * adds one member and takes the object over; the list calls stream an array of any length; end closes
 * the document and answers DVE_E_OUTPUT if stdout failed. */
typedef struct cli_report { FILE *stream; int members, elements; } cli_report;
void cli_report_begin(cli_report *r, const char *name, uint8_t gen);
void cli_report_member(cli_report *r, const char *name, json_object *value);
void cli_report_list(cli_report *r, const char *name);
void cli_report_element(cli_report *r, json_object *value);
void cli_report_list_end(cli_report *r);
dve_status cli_report_end(cli_report *r);

/* Values of reports. */
json_object *cli_json_u64(uint64_t value);       /* a string: 64-bit integers do not survive JSON */
json_object *cli_json_int(int64_t value);        /* a number, for what fits 53 bits */
json_object *cli_json_text(const char *text);    /* null for NULL */
json_object *cli_json_f32(uint32_t bits);        /* {"bits":"0x...","value":...}; value a string where JSON lacks it */
/* The same for any dtype, the bits as wide as it is. */
json_object *cli_json_bits(uint8_t dtype, uint32_t bits, const dve_num_config *num);
json_object *cli_json_assumptions(dve_assumption_set set);   /* array of ids */
/* Broken rules in the order of reports: byte, then rule. */
void cli_sort_diags(dve_diag *diags, size_t count);
/* One broken rule as reports show it: rule, field, byte, value, allowed, severity, source. */
json_object *cli_json_diag(const dve_insn *insn, const dve_diag *diag);
/* A named tensor of a text source: name, space, partition, partitions, offset, dtype, elements. */
json_object *cli_json_tensor(const dve_tensor *tensor);
/* Shortest decimal that reads back as the same fp32 ("1", "0.1", "-inf", "nan"); returns out. */
char *cli_f32_text(uint32_t bits, char out[32]);

#endif
