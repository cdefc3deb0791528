/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of microcode tables, and what the parts of `opendve tables` share. */
#ifndef DVE_CLI_TABLES_H
#define DVE_CLI_TABLES_H

#include "cli.h"
#include "io/digest.h"
#include "io/outfile.h"
#include <opendve/tables.h>

enum { TABLES_PATH = 4096 };     /* bytes of a path, its NUL included */

typedef struct tables_file {
    const char *name;            /* of dve_info.json; NULL if it has none */
    uint8_t *bytes;              /* NULL if it could not be read */
    size_t size;
    char sha256[2 * DVE_SHA256_BYTES + 1], md5[2 * DVE_MD5_BYTES + 1];
    const dve_table_fingerprint *known;      /* the published digest that it has; NULL for none */
} tables_file;

typedef struct tables_set {
    const char *name;            /* "" if it has none */
    tables_file file[DVE_TABLE_KEYS];
    json_object *ops_given;      /* "ops" as dve_info.json has it, NULL without */
    int32_t *ops;                /* its whole numbers; those that do not fit lie at the ends of the range */
    size_t ops_count;
    int ops_far;                 /* there are some that do not fit */
    int whole;                   /* all tables are there and have their size: `set` may be used */
    int malformed;               /* what dve_info.json says of it is wrong: for tables check alone */
    dve_table_set set;
} tables_set;

/* What an integrity rule of the directory found, in words. */
typedef struct tables_problem {
    uint16_t rule;
    int set, key;                /* -1: not about one */
    char given[200], allowed[120];
} tables_problem;

typedef struct tables_dir {
    const char *path;            /* as given, or `lone` */
    char lone[TABLES_PATH];
    uint8_t gen;
    const char *gen_from;        /* why that generation, in words */
    int one_of_two;              /* --gen is about the directory with four tables a set, if there is one */
    int three_keys;
    json_object *info;           /* owns the names */
    tables_set *set;
    size_t sets;
    tables_problem *problem;
    size_t problems, room;
} tables_dir;

/* Reads dve_info.json and all tables of a directory. `gen` 0: no --gen was given. What is wrong with the contents is
 * kept in `problem`; DVE_E_INPUT with a message where there is nothing to look at, DVE_E_USAGE where `gen` cannot be.
 * tables_close releases it whatever the status. */
dve_status tables_open(const char *path, uint8_t gen, tables_dir *out);
void tables_close(tables_dir *dir);
/* Spares its files from outputs that are opened later; prints the message of an error. */
dve_status tables_spare(const tables_dir *dir, dve_outset *set);
/* The generation that --gen names, 0 without it. */
dve_status tables_gen(const cli_arguments *a, uint8_t *out);

int tables_has_controls(const char *text);   /* they would act on a terminal */
void tables_problem_add(tables_dir *dir, uint16_t rule, int set, int key, const char *given, const char *allowed);
/* Whether it is neither malformed nor without a table: all actions but check ask for that. */
int tables_usable(const tables_set *set);
/* The set with a name, or the one that is meant where `name` is NULL: default, else the first. DVE_E_USAGE if there is
 * none, DVE_E_INPUT if it is malformed or its tables are not whole; each with a message. */
dve_status tables_pick(const tables_dir *dir, const char *name, const tables_set **out);
/* The same for reports that show all sets where `name` is NULL: none of them may be malformed or not whole. */
dve_status tables_pick_shown(const tables_dir *dir, const char *name, const tables_set **out);
/* Opens the directory of "DIR[:SET]", which may itself have colons, and says which set is meant: that one, or *set as it
 * is, that of --set (NULL without it). DVE_E_USAGE where they differ. Only `one_of_two` of *dir must be set before. */
dve_status tables_open_named(const char *text, uint8_t gen, tables_dir *dir, const char **set);
/* The same, and picks the set. */
dve_status tables_open_set(const char *text, const char *set, uint8_t gen, tables_dir *dir, const tables_set **out);

/* tables_info.c: dve_info.json and version.json into `out`. */
dve_status tables_read_info(tables_dir *out, uint8_t gen);
char *tables_path(const tables_dir *dir, const char *name, char *out, size_t capacity);

/* "0x41 TensorTensorArithOp" and "0x41"; names are those of the generation. */
char *tables_opcode_text(uint8_t opcode, uint8_t gen, char *out, size_t capacity);
/* "16 bytes of hex" with blanks. */
char *tables_hex(const uint8_t *bytes, size_t count, char *out, size_t capacity);
/* "1, 4..7" of set bits. */
char *tables_ranges(const uint8_t bits[32], char *out, size_t capacity);
json_object *tables_json_hex(uint64_t value, int digits);
json_object *tables_json_opcode(uint8_t opcode, uint8_t gen);
/* enabled, resident, idle, empty, absent: what a slot is. */
const char *tables_slot_kind(const dve_table_set *set, uint8_t opcode);

/* tables_json.c: pieces of reports. */
json_object *tables_json_set_head(const tables_dir *dir, const tables_set *set);
json_object *tables_json_entry(const dve_table_entry *entry);
json_object *tables_json_block(uint8_t gen, const dve_table_block *block, uint32_t row);
json_object *tables_json_row(const dve_table_set *set, unsigned key, uint64_t row);
json_object *tables_json_census(const tables_set *set);
void tables_report_begin(cli_report *r, const char *name, const tables_dir *dir);

/* tables_text.c: the same for people. */
/* How the set's opcodes compare with the published roster of its name. */
const char *tables_roster_word(const dve_roster_info *roster, const tables_set *set);
/* Whether all counts are those observed of its namesake of build 2.24.5133.0; what is known is of default sets. */
int tables_census_matches(const tables_set *set, const dve_table_census *census);
/* SHA-256 over the set's tables and parameter memory, as the runtime identifies sets; NULL without memory. */
char *tables_runtime_hash(const tables_set *set, char *out);
void tables_text_head(const tables_dir *dir);
/* A slow row's bytes 0..5 as four groups of 12 bits (group 0) or eight of 6 (1), its byte 6 in binary (2). */
char *tables_slow_group(const uint8_t *bytes, unsigned group, char *out, size_t capacity);
void tables_text_row(const dve_table_set *set, unsigned key, uint64_t row);
dve_status tables_text_block(uint8_t gen, const dve_table_block *block);

/* The actions: each prints its report. */
typedef struct tables_job {
    const cli_arguments *a;
    int json;
    const char *set;             /* of --set or DIR:SET, NULL without them */
    uint8_t gen;                 /* of --gen, 0 without it */
    tables_dir dir, other;       /* `other` for diff */
    const tables_set *first, *second;
    dve_outset *svg;             /* of --svg, NULL without it */
    unsigned svg_file;
    int drawn;
} tables_job;

dve_status tables_show(tables_job *job);
dve_status tables_check(tables_job *job);
dve_status tables_names(tables_job *job);
dve_status tables_lookup(tables_job *job, uint8_t opcode);
dve_status tables_diff(tables_job *job);

/* tables_svg.c: the map of a set as a drawing. Marks are drawn around slots and rows. */
typedef struct tables_marks {
    uint8_t slot[32], row[32];
    const char *meaning;         /* of the marks; NULL for none */
} tables_marks;

/* Where --svg was given: opens its file before the work, draws, and at the end makes the file appear unless `status`,
 * which it answers, tells of an error. DVE_E_FINDING is an answer, of which the drawing is part. */
dve_status tables_svg_open(tables_job *job);
dve_status tables_svg(tables_job *job, const tables_dir *dir, const tables_set *set, const tables_marks *marks);
dve_status tables_svg_close(tables_job *job, dve_status status);

#endif
