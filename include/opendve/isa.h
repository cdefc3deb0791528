/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set as data: constants, and read-only tables for introspection.
 *
 * Every fact stands once, as a row of isa/NAME.def; this header and all other code derive from those
 * rows. Tables are constant and safe to read from any thread. Each row carries the keys of its sources
 * (see dve_isa_sources) and a confidence: O observed, D derived from observed facts, I inferred,
 * U unknown (the project's own choice). */
#ifndef OPENDVE_ISA_H
#define OPENDVE_ISA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DVE_GEN_FIRST = 2,
    DVE_GEN_DEFAULT = 3,
    DVE_GEN_LAST = 5,
    DVE_GEN_COUNT = 4,
    DVE_LANES = 128,          /* partitions, and lanes of the engine */
    DVE_RECORD_BYTES = 64,
    DVE_ADDR_REGISTERS = 64,
    DVE_SEMAPHORES = 256,
    DVE_MAX_SLOTS = 64        /* 32-bit values of a decoded record, see codec.h */
};

/* Address map (all generations): SBUF from 0, PSUM from DVE_PSUM_BASE, 29 address bits. */
#define DVE_PSUM_BASE 0x2000000u
#define DVE_PSUM_END 0x2400000u
#define DVE_ADDR_MASK 0x1fffffffu

/* DVE_DTYPE_FP32 = 0x0a ... : wire codes of data types. */
enum {
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) DVE_DTYPE_##name = code,
#include <opendve/isa/dtypes.def>
#undef DTYPE
};

/* DVE_ALU_OP_ADD = 0x04, DVE_WAIT_MODE_NONE = 0, ... : members of every enum. */
enum {
#define ENUM(set, name, value, text, gens, meaning, source, conf) DVE_##set##_##name = value,
#include <opendve/isa/enums.def>
#undef ENUM
};

/* DVE_OPCODE_MAX8 = 0x6c ... */
enum {
#define OPCODE(value, name, camel, mnemonic, format, engine, gens, token, meaning, source, conf) \
    DVE_OPCODE_##name = value,
#include <opendve/isa/opcodes.def>
#undef OPCODE
    DVE_OPCODE_ANY = 0x100
};

/* DVE_FORMAT_RAW = 0, DVE_FORMAT_S2_BN ... */
enum {
#define FORMAT(format, starts, meaning, source, conf) DVE_FORMAT_##format,
#include <opendve/isa/formats.def>
    DVE_FORMAT_COUNT,
    DVE_FORMAT_ANY = 0xff,
#define UNDESCRIBED(format) DVE_FORMAT_##format = DVE_FORMAT_RAW,
#include <opendve/isa/formats.def>
};

/* DVE_FIELD_S2_BN_dtype ... : index of a field's row in dve_isa_fields. */
enum {
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) \
    DVE_FIELD_##format##_##name,
#include <opendve/isa/formats.def>
    DVE_FIELD_COUNT,
    DVE_FIELD_NONE = 0xffff
};

/* DVE_SLOT_S2_BN_dtype ... : place of a field's value in dve_insn.value. A field of up to 32 bits takes
 * one slot, a wider one the next (width + 31) / 32. The nine fields of the frame have the same slots in
 * every format: DVE_SLOT_RAW_opcode serves all. */
enum {
#define FORMAT(format, starts, meaning, source, conf) DVE_SLOT_##format##_BEFORE = -1,
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) \
    DVE_SLOT_##format##_##name,                                                              \
    DVE_SLOT_##format##_##name##_LAST = DVE_SLOT_##format##_##name + ((width) + 31) / 32 - 1,
#define END(format) DVE_SLOTS_##format,
#include <opendve/isa/formats.def>
};

/* Kinds of fields, see isa/formats.def. */
typedef enum dve_field_kind {
    DVE_KIND_UINT, DVE_KIND_INT, DVE_KIND_CHANNELS, DVE_KIND_F32, DVE_KIND_WORD, DVE_KIND_ADDR, DVE_KIND_DTYPE,
    DVE_KIND_ENUM, DVE_KIND_LABEL, DVE_KIND_OPCODE, DVE_KIND_ZERO, DVE_KIND_RAW, DVE_KIND_PORTS, DVE_KIND_BYTES
} dve_field_kind;

typedef enum dve_access { DVE_ACCESS_READ, DVE_ACCESS_WRITE } dve_access;
/* How an operand may be addressed beside plainly: by an index list from gen4 on, or by nothing else. */
typedef enum dve_operand_form { DVE_OPERAND_PLAIN, DVE_OPERAND_MEMORY, DVE_OPERAND_INDIRECT } dve_operand_form;
typedef enum dve_severity { DVE_SEVERITY_ERROR, DVE_SEVERITY_ASSUMPTION } dve_severity;

/* DVE_PREDICATE_EQUAL ... : what a rule asks, see isa/predicates.def. */
enum {
#define PREDICATE(name, question) DVE_PREDICATE_##name,
#include <opendve/isa/predicates.def>
#undef PREDICATE
    DVE_PREDICATE_COUNT
};

/* DVE_DTYPES_VALUE ... : index of a set of data types in dve_isa_dtype_sets. */
enum {
#define DTYPE_SET(name, text, members) DVE_DTYPES_##name,
#include <opendve/isa/sets.def>
    DVE_DTYPES_COUNT
};

/* DVE_OPERATORS_GENERAL_ARITH ... : index of a set of operators in dve_isa_operator_sets. */
enum {
#define OPERATOR_SET(name, text, members) DVE_OPERATORS_##name,
#include <opendve/isa/sets.def>
    DVE_OPERATORS_COUNT
};

/* DVE_RULE_opcode_present ... : index of a rule's row in dve_isa_rules. */
enum {
#define RULE(id, format, opcode, gens, field, predicate, low, high, severity, allowed, vendor, source, conf) \
    DVE_RULE_##id,
#include <opendve/isa/rules.def>
    DVE_RULE_COUNT
};

/* DVE_ASSUMPTION_hidden_state ... : index of an assumption's row in dve_isa_assumptions. */
enum {
#define ASSUMPTION(id, values, meaning, why, ruling) DVE_ASSUMPTION_##id,
#include <opendve/isa/assumptions.def>
    DVE_ASSUMPTION_COUNT
};

typedef struct dve_generation_info {
    uint8_t number;              /* 2..5 */
    uint8_t runs_as;             /* generation whose address map and sizes execution uses */
    uint32_t clock_mhz;
    uint32_t sbuf_active, sbuf_stride, psum_active, psum_stride;   /* bytes per partition */
    const char *name, *aliases, *note, *source;
    char conf;
} dve_generation_info;

typedef struct dve_dtype_info {
    uint8_t code;
    uint8_t bytes;               /* storage and alignment; 0: no whole number of bytes */
    const char *name, *gens, *meaning, *source;
    char conf;
} dve_dtype_info;

typedef struct dve_enum_info {
    const char *set;             /* "ALU_OP" */
    const char *name;            /* "add" */
    uint8_t value;
    const char *gens, *meaning, *source;
    char conf;
} dve_enum_info;

typedef struct dve_opcode_info {
    uint8_t value;
    uint8_t format;              /* DVE_FORMAT_RAW where the format is not described */
    const char *name;            /* "Max8" */
    const char *mnemonic;        /* "max8" */
    const char *structure;       /* name of the operand structure, "NONE" if unknown */
    const char *engine;          /* one letter a generation: D K P S A E U -, see dve_engine_name */
    const char *gens;            /* one mark a generation: Y n . present, P pseudo, - ? X not */
    const char *token, *meaning, *source;
    char conf;
} dve_opcode_info;

typedef struct dve_format_info {
    const char *name, *meaning, *source;
    uint16_t first_field, fields;        /* rows of dve_isa_fields */
    uint16_t first_rule, rules;          /* rows of dve_isa_rules beside those for every format */
    uint8_t first_operand, operands;     /* rows of dve_isa_operands */
    uint8_t slots;
    uint8_t starts;              /* operands start at multiples of so many partitions; 0: by channel count */
    char conf;
    uint8_t channels_slot;       /* slot of the channel (or port) count, 0 where the format has none */
} dve_format_info;

typedef struct dve_field_info {
    const char *name;
    uint8_t format, byte, bit;
    uint16_t width;              /* bits */
    uint8_t slot, slots;         /* place in dve_insn.value */
    dve_field_kind kind;
    const char *type;            /* enum of ENUM and LABEL fields, else "NONE" */
    uint8_t type_number;         /* for dve_field_member */
    const char *gens, *unit, *meaning, *source;
    char conf;
} dve_field_info;

typedef struct dve_operand_info {
    const char *name;            /* "src" */
    uint8_t format, byte, dims;
    dve_access access;
    uint16_t dtype_field;        /* row of dve_isa_fields */
    uint8_t addr_slot, dtype_slot;
    dve_operand_form form;
} dve_operand_info;

typedef struct dve_dtype_set_info {
    const char *name, *text;
    uint32_t members;            /* bit d set: wire code d is a member */
} dve_dtype_set_info;

/* Members are told by dve_operator_in. */
typedef struct dve_operator_set_info {
    const char *name, *text;
} dve_operator_set_info;

typedef struct dve_rule_info {
    const char *id;
    uint8_t format;              /* or DVE_FORMAT_ANY */
    uint16_t opcode;             /* or DVE_OPCODE_ANY */
    const char *gens;
    uint16_t field;              /* row of dve_isa_fields, or DVE_FIELD_NONE */
    uint8_t predicate;
    uint32_t low, high;
    dve_severity severity;
    const char *allowed, *vendor, *source;
    char conf;
} dve_rule_info;

typedef struct dve_assumption_info {
    const char *id;
    const char *values;          /* readings a setting can choose, blank-separated; "" if one only */
    const char *meaning, *why, *ruling;
} dve_assumption_info;

typedef struct dve_source_info {
    const char *key, *title, *kind, *date, *taken;
} dve_source_info;

/* What an instruction does, in words. Neighbours of the vector engine included; not every opcode has a row. */
typedef struct dve_effect_info {
    uint8_t opcode;
    const char *effect;
    const char *reads, *writes;  /* hidden state; "" for none */
    const char *source;
    char conf;
} dve_effect_info;

/* What surprises about a format, or about one opcode of it. */
typedef struct dve_note_info {
    uint8_t format;
    uint16_t opcode;             /* or DVE_OPCODE_ANY */
    const char *text, *source;
    char conf;
} dve_note_info;

/* The opcodes that a published set of microcode tables serves. */
typedef struct dve_roster_info {
    uint8_t gen;
    uint8_t is_default;          /* the set that is used unless another is asked for */
    uint8_t known;               /* how many stand in `opcode`, ascending; 0: no source prints them */
    uint8_t count;               /* how many the set has; 0: unpublished as well */
    uint8_t without_count;
    const uint8_t *opcode;
    const uint8_t *without;      /* of a set with known 0: opcodes that sources rule out, see dve_roster_may_hold */
    const char *set, *meaning, *source;
    char conf;
} dve_roster_info;

/* A key of the pool engine's kernel_info tables. */
typedef struct dve_kernel_info {
    const char *gens;
    uint8_t opcode, spec;        /* spec is compared with byte 12 of a record */
    const char *images, *source;
    char conf;
} dve_kernel_info;

/* What the profiler's CAM is armed with. */
typedef struct dve_armed_info {
    const char *gens;
    uint8_t opcode;
    uint8_t slot;                /* in gen4's image, 255 where it has none */
    uint16_t key, mask;          /* of bytes 0 and 1 of a record; key bit 8 is QuantizeMX's saturate bit */
    const char *source;
    char conf;
} dve_armed_info;

/* A CAM that sources tell of as a whole. */
typedef struct dve_cam_info {
    uint8_t gen, armed;          /* armed slots, the wildcard included */
    const char *engine;          /* "DVE" ..., "every engine" */
    const char *sha256;          /* how the digest of its 1024 bytes begins, "" where that is not printed */
    const char *source;
    char conf;
} dve_cam_info;

/* The dispatch table of a generation's debug image. */
typedef struct dve_dispatch_info {
    uint8_t gen, bias;           /* bias: the opcode of entry 0 */
    uint16_t count, targets;     /* words; how many of them are not the default */
    uint32_t offset;             /* of the table in the image */
    uint32_t normal;             /* the default word, 0 where no source prints it */
    const char *image, *engine, *source;
    char conf;
} dve_dispatch_info;

/* A printed entry of such a table. */
typedef struct dve_dispatch_target_info {
    uint8_t gen, opcode;
    uint32_t target, callee;     /* callee 0: not printed */
    const char *source;
    char conf;
} dve_dispatch_target_info;

/* Where else something lies in such an image. */
typedef struct dve_dispatch_place_info {
    uint8_t gen;
    uint32_t address;            /* as sources print it */
    const char *image, *what;    /* "DVE", "sub-table" */
    const char *source;
    char conf;
} dve_dispatch_place_info;

/* Which engine a self-name token belongs to, by its copies in a whole runtime library. */
typedef struct dve_token_info {
    const char *name;            /* "" for any token */
    uint32_t copies;
    const char *engine, *source;
    char conf;
} dve_token_info;

typedef enum dve_armed { DVE_ARMED_NO, DVE_ARMED_YES, DVE_ARMED_UNKNOWN } dve_armed;

/* Whole tables; *count receives the number of rows. Never NULL. */
const dve_generation_info *dve_isa_generations(size_t *count);
const dve_dtype_info *dve_isa_dtypes(size_t *count);
const dve_enum_info *dve_isa_enums(size_t *count);
const dve_opcode_info *dve_isa_opcodes(size_t *count);
const dve_format_info *dve_isa_formats(size_t *count);
const dve_field_info *dve_isa_fields(size_t *count);
const dve_operand_info *dve_isa_operands(size_t *count);
const dve_dtype_set_info *dve_isa_dtype_sets(size_t *count);
const dve_operator_set_info *dve_isa_operator_sets(size_t *count);
const dve_rule_info *dve_isa_rules(size_t *count);
const dve_assumption_info *dve_isa_assumptions(size_t *count);
const dve_source_info *dve_isa_sources(size_t *count);
const dve_effect_info *dve_isa_effects(size_t *count);
const dve_note_info *dve_isa_notes(size_t *count);
const dve_roster_info *dve_isa_rosters(size_t *count);
const dve_kernel_info *dve_isa_kernels(size_t *count);
const dve_armed_info *dve_isa_armed(size_t *count);
const dve_dispatch_info *dve_isa_dispatch(size_t *count);
const dve_dispatch_target_info *dve_isa_dispatch_targets(size_t *count);
const dve_dispatch_place_info *dve_isa_dispatch_places(size_t *count);
const dve_cam_info *dve_isa_cams(size_t *count);
const dve_token_info *dve_isa_tokens(size_t *count);
const char *dve_isa_predicate(uint8_t predicate);

/* Look-ups. NULL (or the stated value) where nothing has that name or number; `name` may be NULL. */
const dve_generation_info *dve_generation(uint8_t gen);             /* NULL outside gen2..gen5 */
const dve_generation_info *dve_generation_by_name(const char *name);  /* "gen3" or any alias */
const dve_opcode_info *dve_opcode(uint8_t value);
/* It also takes other names that a source uses, see isa/aliases.def. */
const dve_opcode_info *dve_opcode_by_mnemonic(const char *mnemonic);
const dve_format_info *dve_format(uint8_t format);
/* Whether records of the opcode can have the format: extended_inst has two. */
int dve_opcode_has_format(uint8_t value, uint8_t format);
const dve_dtype_info *dve_dtype(uint8_t code);
const dve_dtype_info *dve_dtype_by_name(const char *name);
const dve_enum_info *dve_enum_member(const char *set, uint8_t value);
/* The member of an ENUM or LABEL field's enum. */
const dve_enum_info *dve_field_member(const dve_field_info *field, uint8_t value);
/* Whether an operator is in a set and in the generation. */
int dve_operator_in(uint8_t set, uint8_t op, uint8_t gen);

const dve_effect_info *dve_effect(uint8_t opcode);
const dve_roster_info *dve_roster(uint8_t gen, const char *set);
int dve_roster_holds(const dve_roster_info *roster, uint8_t opcode);      /* 0 for NULL */
/* The same of a set whose members are published; of another one, 0 where sources rule the opcode out: its members are some of
 * those of the generation's known sets, and not in `without`. */
int dve_roster_may_hold(const dve_roster_info *roster, uint8_t opcode);
/* Whether this library executes the opcode's records on the generation, see machine.h. */
int dve_opcode_executes(uint8_t opcode, uint8_t gen);

/* Marks such as "-YYY": nonzero if the generation's mark says present. */
int dve_marked(const char *gens, uint8_t gen);
int dve_opcode_present(uint8_t value, uint8_t gen);
/* "DVE", "pool kernel", "pool", "sequencer", "ACT", "PE", "unknown", or "none" where absent. */
const char *dve_opcode_engine(uint8_t value, uint8_t gen);

/* Whether the generation's pool engine has a kernel for the opcode, whatever engine it belongs to. */
int dve_opcode_pool_kernel(uint8_t value, uint8_t gen);
/* Whether the generation's profiler is armed for it. That changes nothing in execution (ruling R21). */
dve_armed dve_opcode_armed(uint8_t value, uint8_t gen);
/* The CAM whose SHA-256 (64 lower-case hex digits) begins as printed; NULL where none does. */
const dve_cam_info *dve_cam_known(const char *sha256);
/* The vector engine's. NULL for gen2, which has no dispatch table, and outside gen2..gen5. */
const dve_dispatch_info *dve_dispatch(uint8_t gen);
/* The engine that the number of a token's copies suggests, NULL if it suggests none. */
const char *dve_token_engine(const char *name, size_t length, uint64_t copies);

/* Estimated engine cycles of one record (assumption `cost`): `elements` is the largest operand's
 * elements a lane. 0 for an opcode without a cost row. */
uint64_t dve_cost_cycles(uint8_t opcode, uint8_t gen, uint64_t elements);

/* Chosen readings of the assumptions: value[i] numbers a word of dve_isa_assumptions()[i].values.
 * All zero is the default. */
typedef struct dve_settings {
    uint8_t value[DVE_ASSUMPTION_COUNT];
} dve_settings;

/* Nonzero if every setting numbers a reading that its assumption has. */
int dve_settings_valid(const dve_settings *settings);

/* Bit i set: result depends on assumption i. */
typedef uint64_t dve_assumption_set;
dve_assumption_set dve_assumptions_of_opcode(uint8_t opcode);
dve_assumption_set dve_assumptions_of_dtype(uint8_t dtype, dve_access access);

#ifdef __cplusplus
}
#endif
#endif
