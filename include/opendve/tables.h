/* SPDX-License-Identifier: Apache-2.0 */
/* Microcode table sets of the vector engine, from bytes in memory: what an opcode reaches, whether a set is sound,
 * how two sets differ.
 *
 * A set is three tables on gen2 (opcode, control, datapath) and four from gen3 on (the control table is split in a
 * fast and a slow one). A wire opcode is the index of a slot of the opcode table; its entry holds a row of the control
 * table, which is also the row of its datapath block, and above that a slow selector.
 *
 * What the selector selects is inferred only. Two readings are given: `slow`, the row of the slow table that one page
 * takes it for, and `slow_alt`, a number that counts in twos from gen3 on and is then the same on all generations.
 *
 * Nothing here opens files, allocates or keeps state; sets point into the caller's bytes. docs/tables.md has the
 * formats and their sources. */
#ifndef OPENDVE_TABLES_H
#define OPENDVE_TABLES_H

#include <opendve/isa.h>
#include <opendve/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Two numberings that overlap and must not be mixed, so each is a type: byte 0 of a record, which is the slot of an
 * opcode table, and the ordinal of the compiler's instruction kind. */
typedef struct dve_wire_opcode {
    uint8_t value;
} dve_wire_opcode;

typedef struct dve_compiler_ordinal {
    uint8_t value;
} dve_compiler_ordinal;

/* A compiler instruction kind and what it becomes. */
typedef struct dve_ordinal_info {
    dve_compiler_ordinal ordinal;
    const char *name, *note;
    uint8_t count;
    const uint8_t *wire;         /* `count` wire opcodes */
    const char *source;
    char conf;
} dve_ordinal_info;

const dve_ordinal_info *dve_isa_ordinals(size_t *count);
const dve_ordinal_info *dve_ordinal(dve_compiler_ordinal ordinal);      /* NULL if unknown */
/* The name that a generation has for a wire opcode: "Unknown" where its table of names lacks it (R23). */
const char *dve_wire_name(dve_wire_opcode opcode, uint8_t gen);

/* DVE_TABLE_OPCODE = 0, DVE_TABLE_CONTROL ... : the tables of sets. */
typedef enum dve_table_key {
#define TABLE_KEY(key, name) DVE_TABLE_##key,
#include <opendve/isa/tables.def>
    DVE_TABLE_KEYS
} dve_table_key;

enum { DVE_TABLE_SLOTS = 256, DVE_TABLE_LANES = 8, DVE_TABLE_BLOCK_BYTES = 64, DVE_TABLE_MAX_ROWS = 256 };

typedef struct dve_table_info {
    uint8_t gen, key;
    uint32_t bytes, rows, stride;        /* rows * stride == bytes; an opcode table has 256 rows, its slots */
    uint32_t data;                       /* bytes of a row that carry data; the rest is zero */
    const char *source;
    char conf;
} dve_table_info;

/* "opcode_table" ...; NULL if there is no such key. */
const char *dve_table_key_name(unsigned key);
/* NULL where the generation has no such table; gen5 has none. */
const dve_table_info *dve_table_of(uint8_t gen, unsigned key);

/* A published digest of a table file. */
typedef struct dve_table_fingerprint {
    uint8_t gen, key;
    const char *set, *digest;            /* "sha256" or "md5" */
    const char *text;                    /* lower-case hex; "head...tail" where only the ends are known */
    const char *source;
    char conf;
} dve_table_fingerprint;

const dve_table_fingerprint *dve_table_fingerprints(size_t *count);
/* Whether a digest, lower-case hex and whole, is that one. */
int dve_table_fingerprint_is(const dve_table_fingerprint *known, const char *hex);

/* Fields of datapath words and control rows, for printers. */
typedef struct dve_table_field {
    uint8_t gen;                         /* of datapath words; 0 for control rows */
    uint8_t key;
    const char *name;
    uint8_t at, width;                   /* bits of a word, bytes of a row */
    const char *meaning, *source;
    char conf;
} dve_table_field;

const dve_table_field *dve_table_lane_fields(size_t *count);
const dve_table_field *dve_table_control_fields(size_t *count);

/* ---- Sets ---- */

typedef struct dve_table_blob {
    const uint8_t *bytes;
    size_t size;
} dve_table_blob;

typedef struct dve_table_set {
    uint8_t gen;
    const uint8_t *table[DVE_TABLE_KEYS];        /* NULL where the generation has no such table */
    const int32_t *ops;                  /* the opcodes that dve_info.json enables, in its order */
    size_t ops_count;
} dve_table_set;

/* Takes the tables of a generation (2..4): DVE_E_INPUT if one is missing, is one too many or has another size, *bad is
 * then its key; DVE_E_USAGE for a generation without tables. All of it is written whatever the status. */
dve_status dve_table_set_make(uint8_t gen, const dve_table_blob blobs[DVE_TABLE_KEYS], const int32_t *ops,
                              size_t ops_count, dve_table_set *out, unsigned *bad);

/* Whether `ops` has the opcode: it decides what is enabled, whatever the opcode table holds (R23). */
int dve_table_enabled(const dve_table_set *set, dve_wire_opcode opcode);
/* All of them as bits, bit op % 8 of byte op / 8, as dve_machine_config.enabled wants them. */
void dve_table_enable(const dve_table_set *set, uint8_t enabled[32]);
/* The same of a published roster; DVE_E_USAGE (and no bit set) if its members are unknown. */
dve_status dve_roster_enable(const dve_roster_info *roster, uint8_t enabled[32]);

typedef struct dve_table_entry {
    uint64_t raw;                        /* 0: the table has nothing for the opcode */
    uint32_t row;
    uint64_t slow, slow_alt;             /* see above */
    uint8_t gap;                         /* bit 8, which no known entry sets; 0 on gen2 */
    uint8_t enabled;
} dve_table_entry;

void dve_table_entry_at(const dve_table_set *set, dve_wire_opcode opcode, dve_table_entry *out);

/* A row of a table, `stride` bytes; NULL outside, or where the set has no such table. */
const uint8_t *dve_table_row(const dve_table_set *set, unsigned key, uint64_t row);
int dve_table_row_used(const dve_table_set *set, unsigned key, uint64_t row);   /* any byte is not zero */
/* The control table of a set that an entry's row counts in: CONTROL on gen2, else CONTROL_FAST. */
dve_table_key dve_table_control_key(uint8_t gen);

typedef enum dve_lane_class { DVE_LANE_ZERO, DVE_LANE_IDLE, DVE_LANE_CONFIG } dve_lane_class;
typedef enum dve_block_class { DVE_BLOCK_ZERO, DVE_BLOCK_PASS, DVE_BLOCK_ACTIVE } dve_block_class;
const char *dve_lane_class_name(dve_lane_class lane);        /* "zero" "idle" "config" */
const char *dve_block_class_name(dve_block_class block);     /* "zero" "pass-through" "active" */

typedef struct dve_table_lane {
    uint64_t word;
    dve_lane_class kind;
    uint8_t valid, mode, stage;
    uint8_t opa, opb;                    /* gen2 only, else 0 */
    uint16_t mux;                        /* gen2 only, else 0 */
    uint64_t low, high;                  /* gen3 and gen4: the bits below VALID and above STAGE, as they stand */
} dve_table_lane;

typedef struct dve_table_block {
    dve_block_class kind;
    uint8_t configured;                  /* lanes that are neither zero nor idle */
    dve_table_lane lane[DVE_TABLE_LANES];
} dve_table_block;

void dve_table_lane_of(uint8_t gen, uint64_t word, dve_table_lane *out);
/* The datapath block of a control row; zeros for a row outside. */
void dve_table_block_at(const dve_table_set *set, uint32_t row, dve_table_block *out);

/* Everything that an opcode reaches. */
typedef struct dve_table_path {
    dve_wire_opcode opcode;
    dve_table_entry entry;
    const uint8_t *control;              /* the row of `entry.row`, 16 bytes */
    const uint8_t *slow, *slow_alt;      /* 16 bytes at either reading; NULL on gen2, without selector, or outside */
    dve_table_block block;
} dve_table_path;

/* DVE_E_FINDING where the opcode is not enabled; *out is filled all the same. */
dve_status dve_table_look_up(const dve_table_set *set, dve_wire_opcode opcode, dve_table_path *out);

typedef struct dve_table_census {
    uint32_t slots, slow_slots;          /* entries that are not zero, and those with a selector; slot 0 included */
    uint32_t disabled_slots;             /* of them, slot 0 aside: those that `ops` does not have */
    uint64_t max_entry;
    uint32_t control_rows, slow_rows;    /* used ones */
    uint32_t words, idle_words, config_words;
    uint32_t zero_blocks, pass_blocks, active_blocks;
    uint32_t backbone_rows;              /* with c3 30 0c at bytes 1..3, of the slow table (gen2: the control table) */
} dve_table_census;

void dve_table_count(const dve_table_set *set, dve_table_census *out);
/* How many counts were observed of a generation's default set in build 2.24.5133.0, if the census meets all of them, else
 * 0. Another set may have the same counts: contents are told by digests. */
uint32_t dve_table_census_matches(uint8_t gen, const dve_table_census *census);
/* Used rows of a control table that no entry leads to, as bits; how many. */
uint32_t dve_table_unreferenced(const dve_table_set *set, unsigned key, uint8_t rows[32]);

/* ---- Integrity ---- */

typedef enum dve_integrity_severity {
    DVE_INTEGRITY_ERROR, DVE_INTEGRITY_WARNING, DVE_INTEGRITY_INFO
} dve_integrity_severity;

/* DVE_INTEGRITY_RULE_rostered_slot ... : index of a row of dve_isa_integrity. */
enum {
#define INTEGRITY(id, severity, scope, question, source, conf) DVE_INTEGRITY_RULE_##id,
#include <opendve/isa/integrity.def>
    DVE_INTEGRITY_RULES
};

typedef struct dve_integrity_info {
    const char *id;
    dve_integrity_severity severity;
    const char *scope;                   /* "DIRECTORY", "SET", "PAIR" or "STREAM" */
    const char *question, *source;
    char conf;
} dve_integrity_info;

const dve_integrity_info *dve_isa_integrity(size_t *count);

enum { DVE_NOWHERE = -1 };

typedef struct dve_table_finding {
    uint16_t rule;                       /* DVE_INTEGRITY_RULE_ */
    int16_t key, opcode, row, lane;      /* DVE_NOWHERE where the finding is not about one */
    int64_t byte;                        /* in the table's file, or DVE_NOWHERE */
    const char *what;                    /* of figures: which one, else NULL */
    uint64_t given, wanted;              /* what they are follows from the rule, see docs/tables.md */
    dve_integrity_severity severity;     /* the rule's; less for figures of a build that default is not known to be of */
} dve_table_finding;

typedef void dve_table_report(void *context, const dve_table_finding *finding);

/* Tells every finding of the rules of scope SET, in the order of the rules, then of opcodes and rows. `name` is the
 * set's: rules about what is published of `default` ask for it. Answers the number of errors. */
size_t dve_table_check(const dve_table_set *set, const char *name, void *context, dve_table_report *report);
/* The same for scope PAIR: a set against its generation's default. */
size_t dve_table_check_pair(const dve_table_set *base, const dve_table_set *set, const char *name, void *context,
                            dve_table_report *report);

/* ---- Differences ---- */

typedef enum dve_table_change {
    DVE_TABLE_SAME,
    DVE_TABLE_MOVED,                     /* other rows, the same contents */
    DVE_TABLE_CHANGED,                   /* other contents */
    DVE_TABLE_ADDED, DVE_TABLE_DROPPED   /* the entry is zero in the first, in the second set */
} dve_table_change;

typedef struct dve_table_opcode_diff {
    dve_wire_opcode opcode;
    dve_table_entry first, second;
    dve_table_change change;
    uint8_t control, slow;               /* nonzero: contents of the rows differ (never across three and four keys) */
    uint8_t lanes;                       /* bit l: lane l differs; across generations by VALID, MODE and STAGE only */
    uint8_t selector;                    /* across generations: the selectors break the rule of doubling */
} dve_table_opcode_diff;

void dve_table_compare_opcode(const dve_table_set *first, const dve_table_set *second, dve_wire_opcode opcode,
                              dve_table_opcode_diff *out);

/* One table against another, position by position. */
typedef struct dve_table_diff {
    uint8_t comparable;                  /* both have the table, in one geometry; all else is 0 otherwise */
    uint32_t rows, words;                /* that differ; words of 8 bytes, of 4 in opcode tables of gen3 and gen4 */
    uint32_t patterns;                   /* distinct exclusive ors of words */
    uint32_t bytes;
    int64_t first_byte;                  /* DVE_NOWHERE where nothing differs */
    int32_t first_row, last_row;
    uint8_t row[32];                     /* bit r: row r differs */
} dve_table_diff;

void dve_table_compare(const dve_table_set *first, const dve_table_set *second, unsigned key, dve_table_diff *out);

#ifdef __cplusplus
}
#endif
#endif
