/* SPDX-License-Identifier: Apache-2.0 */
/* Compiler instructions to records.
 *
 * One structure holds any of them: which operation, how many channels, and a value for each operand that it
 * takes, in the place that the operand's name numbers (DVE_OPERAND_data ...). Which operands an operation
 * takes, and what kind of value each wants, stands in tables (dve_lower_operations, dve_lower_operands), so
 * that readers of files and bindings of other languages need no code per operation:
 *
 *     dve_lower_instruction max = {.operation = DVE_LOWER_MAX, .channels = 128};
 *     max.operand[DVE_OPERAND_data] = dve_lower_tensor(DVE_SPACE_SBUF, 0, 0, DVE_DTYPE_FP32, 1024);
 *     max.operand[DVE_OPERAND_maxvals] = dve_lower_tensor(DVE_SPACE_SBUF, 0, 8192, DVE_DTYPE_FP32, 8);
 *     dve_record record[1];
 *     size_t count;
 *     dve_lower_fault fault;
 *     dve_status status = dve_lower(&max, &(dve_lower_target){.gen = 3}, record, 1, &count, &fault);
 *
 * Lowering refuses what no record can say, and what compilers refuse before they emit; it never asks
 * whether a record is legal: dve_check does. Nothing is emitted of an instruction that is refused.
 *
 * This is core: no heap, no printing. dve_lower_fault_text of text.h says a fault in words. All rows are constant. */
#ifndef OPENDVE_LOWER_H
#define OPENDVE_LOWER_H

#include <opendve/codec.h>
#include <opendve/num.h>
#include <opendve/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DVE_LOWER_MAX ... : operations, rows of dve_lower_operations. */
enum {
#define OPERATION(name, text, number, gens, instead, records, meaning, source, conf) DVE_LOWER_##name,
#include <opendve/lower/operations.def>
    DVE_LOWER_OPERATIONS
};

/* DVE_OPERAND_data ... : places of dve_lower_instruction.operand. */
enum {
#define OPERAND_NAME(name) DVE_OPERAND_##name,
#include <opendve/lower/operations.def>
    DVE_LOWER_OPERANDS,
    DVE_OPERAND_NONE = 0xff
};

/* DVE_LOWER_REFUSAL_missing ... : rows of dve_lower_refusals. */
enum {
#define REFUSAL(id, status, text, allowed, source) DVE_LOWER_REFUSAL_##id,
#include <opendve/lower/refusals.def>
    DVE_LOWER_REFUSALS
};

enum {
    DVE_LOWER_AXES = 16,         /* axes that a tensor can hold */
    DVE_LOWER_LANES = 32,        /* entries of a shuffle mask */
    DVE_LOWER_MAX_RECORDS = 256  /* more than any instruction needs: Gather of 65535 elements takes 256 */
};

/* A data type, an operator or an accumulate command: a wire code (DVE_DTYPE_*, DVE_ALU_OP_*, DVE_ACCUM_CMD_*),
 * or the compiler's ordinal, which the generation's table maps (isa/compiler.def). */
typedef struct dve_lower_code {
    int64_t number;
    uint8_t is_ordinal;
} dve_lower_code;

/* One axis of a walk: `step` in elements (int16), `count` 1..65535. */
typedef struct dve_lower_axis {
    int64_t step, count;
} dve_lower_axis;

/* As `channels` of an access pattern: 0 of them, which no instruction has, so that it is refused. */
#define DVE_LOWER_NO_CHANNELS INT64_MIN

/* An access pattern: elements of `dtype` in each of `channels` partitions from `partition` on, `offset` bytes
 * behind its start. No axis is one element. */
typedef struct dve_lower_access {
    dve_space space;
    int64_t partition, offset;
    int64_t channels;            /* 0: as many as the instruction has */
    dve_lower_code dtype;
    uint32_t axes;               /* as written, those of count 1 included: the compiler's rank is one more */
    dve_lower_axis axis[DVE_LOWER_AXES];     /* fastest first */
    const struct dve_lower_access *indirect; /* the list of indices, NULL for none */
} dve_lower_access;

typedef enum dve_lower_kind {
    DVE_LOWER_ABSENT,            /* the operand is not given */
    DVE_LOWER_TENSOR,            /* access; where a scalar is wanted: a pointer to one value a lane */
    DVE_LOWER_NUMBER,            /* number, converted to the data type that the field has */
    DVE_LOWER_BITS,              /* bits: the word as it stands in the record */
    DVE_LOWER_REGISTER,          /* integer: the register that holds a pointer */
    DVE_LOWER_CODE,              /* code */
    DVE_LOWER_INTEGER,           /* integer: a flag, a count, the number of a mode's word */
    DVE_LOWER_MASK               /* mask */
} dve_lower_kind;

typedef struct dve_lower_mask {
    uint32_t count;              /* as given; must be DVE_LOWER_LANES */
    int64_t lane[DVE_LOWER_LANES];
} dve_lower_mask;

/* The value of an operand. Doubles are only the way in: their conversion is R9's, in one rounding. */
typedef struct dve_lower_value {
    dve_lower_kind kind;
    union {
        dve_lower_access access;
        double number;
        uint32_t bits;
        int64_t integer;
        dve_lower_code code;
        dve_lower_mask mask;
    };
} dve_lower_value;

typedef struct dve_lower_instruction {
    uint32_t operation;          /* DVE_LOWER_* */
    int64_t channels;            /* 1..128 */
    dve_lower_value operand[DVE_LOWER_OPERANDS];
} dve_lower_instruction;

/* What is lowered for: the generation, and how immediates convert (all zero: the defaults). */
typedef struct dve_lower_target {
    uint8_t gen;                 /* 2..5 */
    dve_num_config num;
} dve_lower_target;

/* Why an instruction was refused. */
typedef struct dve_lower_fault {
    uint8_t refusal;             /* row of dve_lower_refusals */
    uint8_t operation;
    uint8_t operand;             /* DVE_OPERAND_*, or DVE_OPERAND_NONE: the instruction itself */
    uint8_t other;               /* the operand that it is compared with, or DVE_OPERAND_NONE */
    uint8_t gen;                 /* lowered for */
    uint8_t first_gen;           /* of the generations that have it; 0 where that is not the question */
    int64_t given, low, high;    /* what was given, and what the refusal's text calls {low} and {high} */
} dve_lower_fault;

/* Takes one record; answers nonzero to end the lowering, which then answers DVE_E_OUTPUT. */
typedef int (*dve_lower_sink)(void *context, const dve_record *record);

/* Lowers one instruction. DVE_OK; DVE_E_FINDING: refused; DVE_E_INPUT: an operand is missing, not taken or of
 * the wrong kind; DVE_E_USAGE: no such operation or generation. *fault is written whatever the status.
 * Writes the first `capacity` records and says in *count how many there are in all (0 unless DVE_OK). */
dve_status dve_lower(const dve_lower_instruction *instruction, const dve_lower_target *target, dve_record *out,
                     size_t capacity, size_t *count, dve_lower_fault *fault);
/* The same, each record given to `sink`. */
dve_status dve_lower_each(const dve_lower_instruction *instruction, const dve_lower_target *target,
                          dve_lower_sink sink, void *context, dve_lower_fault *fault);
/* Only whether the operands are those that the operation takes: DVE_OK, DVE_E_INPUT or DVE_E_USAGE. */
dve_status dve_lower_form(const dve_lower_instruction *instruction, dve_lower_fault *fault);

/* A tensor of one axis of step 1 as an operand; `dtype` is a wire code. */
dve_lower_value dve_lower_tensor(dve_space space, uint32_t partition, uint32_t offset, uint8_t dtype, uint32_t count);

/* ---- tables ---- */

typedef enum dve_lower_role {
    DVE_ROLE_TENSOR,             /* DVE_LOWER_TENSOR */
    DVE_ROLE_SCALAR,             /* NUMBER, BITS; TENSOR (a pointer), REGISTER where the record can say so */
    DVE_ROLE_SOURCE,             /* TENSOR, the elements themselves, or a scalar */
    DVE_ROLE_INT32,              /* as SCALAR; numbers must be integers */
    DVE_ROLE_OPERATOR,           /* CODE, of ALU_OP */
    DVE_ROLE_ACCUMULATE,         /* CODE, of ACCUM_CMD */
    DVE_ROLE_MODE,               /* INTEGER: place of a word in `words` */
    DVE_ROLE_FLAG,               /* INTEGER 0 or 1 */
    DVE_ROLE_COUNT,              /* INTEGER */
    DVE_ROLE_LANES               /* MASK */
} dve_lower_role;

typedef struct dve_lower_operation_info {
    const char *name;            /* "MaxIndex" */
    int16_t number;              /* the compiler's own of the instruction, -1 if unknown */
    uint8_t first_operand, operands;     /* rows of dve_lower_operands */
    const char *gens;            /* marks for dve_marked */
    const char *instead;         /* what serves where it is absent; "" for nothing */
    const char *records;         /* opcodes in the order of emission, hex: "6d 6e" */
    const char *meaning, *source;
    char conf;
} dve_lower_operation_info;

typedef struct dve_lower_operand_info {
    const char *name;            /* "maxvals" */
    uint8_t operation, operand;  /* DVE_LOWER_*, DVE_OPERAND_* */
    dve_lower_role role;
    uint8_t required;            /* where `with` names an operand: if that one is given */
    uint8_t with;                /* the operand that must be given too, DVE_OPERAND_NONE for none */
    const char *words;           /* of a mode, blank-separated */
    const char *meaning;
} dve_lower_operand_info;

typedef struct dve_lower_refusal_info {
    const char *id;
    dve_status status;           /* DVE_E_INPUT or DVE_E_FINDING */
    const char *text, *allowed;  /* with {given} {low} {high} {other} {first} {gen} in the place of the fault's */
    const char *source;
} dve_lower_refusal_info;

typedef struct dve_compiler_dtype_info {
    const char *name;
    uint8_t ordinal, bytes;      /* bytes of the compiler's container */
    uint8_t wire, wire4;         /* on gen2 and gen3; from gen4 on */
    uint8_t same;                /* the wire data type that is this very type; DVE_DTYPE_INVALID for none */
    const char *source;
    char conf;
} dve_compiler_dtype_info;

/* An operator or an accumulate command of the compiler. */
typedef struct dve_compiler_code_info {
    const char *name;            /* of the command; "" of an operator: the wire code has its name */
    uint8_t ordinal;
    int16_t wire;                /* -1: no wire code */
    const char *gens, *source;
    char conf;
} dve_compiler_code_info;

/* Whole tables; *count receives the number of rows. */
const dve_lower_operation_info *dve_lower_operations(size_t *count);
const dve_lower_operand_info *dve_lower_operands(size_t *count);
const dve_lower_refusal_info *dve_lower_refusals(size_t *count);
const dve_compiler_dtype_info *dve_compiler_dtypes(size_t *count);
const dve_compiler_code_info *dve_compiler_operators(size_t *count);
const dve_compiler_code_info *dve_compiler_accumulates(size_t *count);

/* NULL where nothing has that name or number; `name` may be NULL. */
const dve_lower_operation_info *dve_lower_operation(uint32_t operation);
const dve_lower_operation_info *dve_lower_operation_by_name(const char *name);
const dve_lower_operand_info *dve_lower_operand(uint32_t operation, uint32_t operand);
const dve_lower_operand_info *dve_lower_operand_by_name(uint32_t operation, const char *name);
const char *dve_lower_operand_name(uint32_t operand);
/* What the bytes of its records rest on. */
dve_assumption_set dve_lower_assumptions(uint32_t operation);
/* A data type by our name ("fp32") or the compiler's ("float32"); an operator by its wire name ("is_ge"); an
 * accumulate command by the compiler's ("AddAccumulate"). 0 where nothing has that name. */
int dve_lower_dtype_by_name(const char *name, dve_lower_code *out);
int dve_lower_operator_by_name(const char *name, dve_lower_code *out);
int dve_lower_accumulate_by_name(const char *name, dve_lower_code *out);
/* The wire code of a data type on a generation; -1 where it has none. */
int dve_lower_dtype_wire(const dve_lower_code *dtype, uint8_t gen);

#ifdef __cplusplus
}
#endif
#endif
