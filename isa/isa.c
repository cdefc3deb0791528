/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of isa/NAME.def as constant arrays, and look-ups in them. */
#include <opendve/isa.h>
#include <string.h>

#define CONF(letter) (#letter)[0]
#define ROWS(table) (sizeof(table) / sizeof((table)[0]))
#define TABLE(function, type, rows)     \
    const type *function(size_t *count) \
    {                                   \
        *count = ROWS(rows);            \
        return rows;                    \
    }

static const dve_generation_info generations[] = {
#define GENERATION(number, name, aliases, clock, sbuf_active, sbuf_stride, psum_active, psum_stride, runs_as, note, \
                   source, conf)                                                                                    \
    {number, runs_as, clock, sbuf_active, sbuf_stride, psum_active, psum_stride, name, aliases, note, source, CONF(conf)},
#include <opendve/isa/generations.def>
};
TABLE(dve_isa_generations, dve_generation_info, generations)

static const dve_dtype_info dtypes[] = {
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) \
    {code, bytes, text, gens, meaning, source, CONF(conf)},
#include <opendve/isa/dtypes.def>
#undef DTYPE
};
TABLE(dve_isa_dtypes, dve_dtype_info, dtypes)

enum {
#define ENUM_SET(name) SET_##name,
#include <opendve/isa/enumsets.def>
    SETS
};
static const char *const set_names[SETS] = {
#define ENUM_SET(name) #name,
#include <opendve/isa/enumsets.def>
};
static const dve_enum_info enums[] = {
#define ENUM(set, name, value, text, gens, meaning, source, conf) \
    {#set, text, value, gens, meaning, source, CONF(conf)},
#include <opendve/isa/enums.def>
#undef ENUM
};
TABLE(dve_isa_enums, dve_enum_info, enums)

/* Row of each member, plus one. */
enum {
#define ENUM(set, name, value, text, gens, meaning, source, conf) MEMBER_ROW_##set##_##name,
#include <opendve/isa/enums.def>
#undef ENUM
};
static const uint16_t member_row[SETS][256] = {
#define ENUM(set, name, value, text, gens, meaning, source, conf) [SET_##set][value] = MEMBER_ROW_##set##_##name + 1,
#include <opendve/isa/enums.def>
#undef ENUM
};

static const dve_opcode_info opcodes[] = {
#define OPCODE(value, name, camel, mnemonic, format, engine, gens, token, meaning, source, conf)                 \
    {value, DVE_FORMAT_##format, #camel, #mnemonic, #format, engine, gens, token, meaning, source, CONF(conf)},
#include <opendve/isa/opcodes.def>
#undef OPCODE
};
TABLE(dve_isa_opcodes, dve_opcode_info, opcodes)

/* Row of each opcode in `opcodes`, plus one; 0 where no source names the byte. */
enum {
#define OPCODE(value, name, camel, mnemonic, format, engine, gens, token, meaning, source, conf) ROW_##name,
#include <opendve/isa/opcodes.def>
#undef OPCODE
};
static const uint8_t opcode_row[256] = {
#define OPCODE(value, name, camel, mnemonic, format, engine, gens, token, meaning, source, conf) \
    [value] = ROW_##name + 1,
#include <opendve/isa/opcodes.def>
#undef OPCODE
};

static const dve_field_info fields[] = {
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf)                       \
    {#name, DVE_FORMAT_##format, byte, bit, width, DVE_SLOT_##format##_##name, ((width) + 31) / 32, DVE_KIND_##kind, \
     #type, SET_##type, gens, unit, meaning, source, CONF(conf)},
#include <opendve/isa/formats.def>
};
TABLE(dve_isa_fields, dve_field_info, fields)

static const dve_operand_info operands[] = {
#define OPERAND(format, name, byte, dims, access, dtype, form)                                  \
    {#name, DVE_FORMAT_##format, byte, dims, DVE_ACCESS_##access, DVE_FIELD_##format##_##dtype, \
     DVE_SLOT_##format##_##name##_start_addr, DVE_SLOT_##format##_##dtype, DVE_OPERAND_##form},
#include <opendve/isa/formats.def>
};
TABLE(dve_isa_operands, dve_operand_info, operands)

/* First rows and row counts of each format: counted by enumerators that END steps back over. */
enum {
#define FORMAT(format, starts, meaning, source, conf) \
    FIRST_FIELD_##format, FIELDS_STEP_##format = FIRST_FIELD_##format - 1,
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) FIELD_##format##_##name,
#define END(format) AFTER_FIELD_##format, FIELDS_BACK_##format = AFTER_FIELD_##format - 1,
#include <opendve/isa/formats.def>
};
enum {
#define FORMAT(format, starts, meaning, source, conf) \
    FIRST_OPERAND_##format, OPERANDS_STEP_##format = FIRST_OPERAND_##format - 1,
#define OPERAND(format, name, byte, dims, access, dtype, form) OPERAND_##format##_##name,
#define END(format) AFTER_OPERAND_##format, OPERANDS_BACK_##format = AFTER_OPERAND_##format - 1,
#include <opendve/isa/formats.def>
};
enum {
#define RULES_OF(format) FIRST_RULE_##format, RULES_STEP_##format = FIRST_RULE_##format - 1,
#define RULE(id, format, opcode, gens, field, predicate, low, high, severity, allowed, vendor, source, conf) RULE_ROW_##id,
#define RULES_END(format) AFTER_RULE_##format, RULES_BACK_##format = AFTER_RULE_##format - 1,
#include <opendve/isa/rules.def>
};
/* The last member sums over the format's fields: the slot of the one that counts channels, or 0. */
#define COUNTS(kind) (DVE_KIND_##kind == DVE_KIND_CHANNELS || DVE_KIND_##kind == DVE_KIND_PORTS)
static const dve_format_info formats[] = {
#define FORMAT(format, starts, meaning, source, conf)                                             \
    {#format, meaning, source, FIRST_FIELD_##format, AFTER_FIELD_##format - FIRST_FIELD_##format, \
     FIRST_RULE_##format, AFTER_RULE_##format - FIRST_RULE_##format,                              \
     FIRST_OPERAND_##format, AFTER_OPERAND_##format - FIRST_OPERAND_##format, DVE_SLOTS_##format, starts, CONF(conf), 0
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) \
    + (COUNTS(kind) ? DVE_SLOT_##format##_##name : 0)
#define END(format) },
#include <opendve/isa/formats.def>
};
TABLE(dve_isa_formats, dve_format_info, formats)

static const dve_dtype_set_info dtype_sets[] = {
#define ONE(dtype) | 1u << DVE_DTYPE_##dtype
#define DTYPE_SET(name, text, members) {#name, text, 0 members},
#include <opendve/isa/sets.def>
#undef ONE
};
TABLE(dve_isa_dtype_sets, dve_dtype_set_info, dtype_sets)

static const dve_operator_set_info operator_sets[] = {
#define OPERATOR_SET(name, text, members) {#name, text},
#include <opendve/isa/sets.def>
};
TABLE(dve_isa_operator_sets, dve_operator_set_info, operator_sets)

static int operator_listed(uint8_t set, uint8_t op)
{
    switch (set) {
#define OP(name) case DVE_ALU_OP_##name:
#define OPERATOR_SET(name, text, members)            \
    case DVE_OPERATORS_##name:                       \
        switch (op) { members return 1; default: return 0; }
#include <opendve/isa/sets.def>
#undef OP
    default: return 0;
    }
}

/* Rules for every record name frame fields, which are RAW's first, or none in particular. */
enum {
    DVE_FIELD_ANY_opcode = DVE_FIELD_RAW_opcode,
    DVE_FIELD_ANY_inst_word_len = DVE_FIELD_RAW_inst_word_len,
    DVE_FIELD_ANY_wait_mode = DVE_FIELD_RAW_wait_mode,
    DVE_FIELD_ANY_update_mode = DVE_FIELD_RAW_update_mode,
    DVE_FIELD_ANY_every = DVE_FIELD_NONE
};
static const dve_rule_info rules[] = {
#define RULE(id, format, opcode, gens, field, predicate, low, high, severity, allowed, vendor, source, conf)       \
    {#id, DVE_FORMAT_##format, DVE_OPCODE_##opcode, gens, DVE_FIELD_##format##_##field, DVE_PREDICATE_##predicate, \
     low, high, DVE_SEVERITY_##severity, allowed, vendor, source, CONF(conf)},
#include <opendve/isa/rules.def>
};
TABLE(dve_isa_rules, dve_rule_info, rules)

static const dve_assumption_info assumptions[] = {
#define ASSUMPTION(id, values, meaning, why, ruling) {#id, values, meaning, why, ruling},
#include <opendve/isa/assumptions.def>
};
TABLE(dve_isa_assumptions, dve_assumption_info, assumptions)

static const dve_source_info sources[] = {
#define SOURCE(key, title, kind, date, taken) {#key, title, kind, date, taken},
#include <opendve/isa/sources.def>
#undef SOURCE
};
TABLE(dve_isa_sources, dve_source_info, sources)

static const char *const questions[] = {
#define PREDICATE(name, question) question,
#include <opendve/isa/predicates.def>
#undef PREDICATE
};

const char *dve_isa_predicate(uint8_t predicate)
{
    return predicate < ROWS(questions) ? questions[predicate] : "";
}

const dve_generation_info *dve_generation(uint8_t gen)
{
    if (gen < DVE_GEN_FIRST || gen > DVE_GEN_LAST)
        return NULL;
    return &generations[gen - DVE_GEN_FIRST];
}

/* Whether `word`, of `length` bytes, stands in a blank-separated list. */
static int listed(const char *list, const char *word, size_t length)
{
    while (*list) {
        size_t span = 0;
        while (list[span] && list[span] != ' ')
            span++;
        if (span == length && memcmp(list, word, length) == 0)
            return 1;
        list += span;
        while (*list == ' ')
            list++;
    }
    return 0;
}

const dve_generation_info *dve_generation_by_name(const char *name)
{
    if (!name || !*name || strchr(name, ' '))
        return NULL;
    for (size_t i = 0; i < ROWS(generations); i++)
        if (strcmp(generations[i].name, name) == 0 || listed(generations[i].aliases, name, strlen(name)))
            return &generations[i];
    return NULL;
}

const dve_opcode_info *dve_opcode(uint8_t value)
{
    return opcode_row[value] ? &opcodes[opcode_row[value] - 1] : NULL;
}

const dve_opcode_info *dve_opcode_by_mnemonic(const char *mnemonic)
{
    for (size_t i = 0; mnemonic && i < ROWS(opcodes); i++)
        if (strcmp(opcodes[i].mnemonic, mnemonic) == 0)
            return &opcodes[i];
#define ALIAS(other, name)                       \
    if (mnemonic && strcmp(mnemonic, #other) == 0) \
        return dve_opcode(DVE_OPCODE_##name);
#include <opendve/isa/aliases.def>
#undef ALIAS
    return NULL;
}

const dve_format_info *dve_format(uint8_t format)
{
    return format < ROWS(formats) ? &formats[format] : NULL;
}

int dve_opcode_has_format(uint8_t value, uint8_t format)
{
    const dve_opcode_info *op = dve_opcode(value);
    return op && (op->format == format || (op->format == DVE_FORMAT_EXTENDED && format == DVE_FORMAT_EXTENDED_TTA));
}

/* Row of each data type, plus one. */
enum {
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) DTYPE_ROW_##name,
#include <opendve/isa/dtypes.def>
#undef DTYPE
};
static const uint8_t dtype_row[256] = {
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) [code] = DTYPE_ROW_##name + 1,
#include <opendve/isa/dtypes.def>
#undef DTYPE
};

const dve_dtype_info *dve_dtype(uint8_t code)
{
    return dtype_row[code] ? &dtypes[dtype_row[code] - 1] : NULL;
}

const dve_dtype_info *dve_dtype_by_name(const char *name)
{
    for (size_t i = 0; name && i < ROWS(dtypes); i++)
        if (strcmp(dtypes[i].name, name) == 0)
            return &dtypes[i];
    return NULL;
}

static const dve_enum_info *member_of(unsigned set, uint8_t value)
{
    return set < SETS && member_row[set][value] ? &enums[member_row[set][value] - 1] : NULL;
}

const dve_enum_info *dve_enum_member(const char *set, uint8_t value)
{
    unsigned number = 0;
    while (set && number < SETS && strcmp(set_names[number], set) != 0)
        number++;
    return set ? member_of(number, value) : NULL;
}

const dve_enum_info *dve_field_member(const dve_field_info *field, uint8_t value)
{
    return member_of(field->type_number, value);
}

int dve_operator_in(uint8_t set, uint8_t op, uint8_t gen)
{
    const dve_enum_info *member = member_of(SET_ALU_OP, op);
    return member && dve_marked(member->gens, gen) && operator_listed(set, op);
}

int dve_marked(const char *gens, uint8_t gen)
{
    if (!gens || gen < DVE_GEN_FIRST || gen > DVE_GEN_LAST)
        return 0;
    char mark = gens[gen - DVE_GEN_FIRST];
    return mark == 'Y' || mark == 'n' || mark == '.' || mark == 'P';
}

int dve_opcode_present(uint8_t value, uint8_t gen)
{
    const dve_opcode_info *op = dve_opcode(value);
    return op && dve_marked(op->gens, gen);
}

const char *dve_opcode_engine(uint8_t value, uint8_t gen)
{
    const dve_opcode_info *op = dve_opcode(value);
    if (!op || gen < DVE_GEN_FIRST || gen > DVE_GEN_LAST)
        return "unknown";
    switch (op->engine[gen - DVE_GEN_FIRST]) {
    case 'D': return "DVE";
    case 'K': return "pool kernel";
    case 'P': return "pool";
    case 'S': return "sequencer";
    case 'A': return "ACT";
    case 'E': return "PE";
    case '-': return "none";
    default: return "unknown";
    }
}

uint64_t dve_cost_cycles(uint8_t opcode, uint8_t gen, uint64_t elements)
{
    static const struct {
        uint8_t opcode;
        uint16_t per_element, fixed[3];
    } costs[] = {
#define COST(opcode, per_element, gen2, gen3, gen4, source) {DVE_OPCODE_##opcode, per_element, {gen2, gen3, gen4}},
#include <opendve/isa/costs.def>
#undef COST
    };
    const dve_generation_info *generation = dve_generation(gen);
    for (size_t i = 0; generation && i < ROWS(costs); i++) {
        if (costs[i].opcode != opcode)
            continue;
        uint64_t cycles = costs[i].per_element * elements;
        return (cycles < 64 ? 64 : cycles) + costs[i].fixed[generation->runs_as - DVE_GEN_FIRST];
    }
    return 0;
}

dve_assumption_set dve_assumptions_of_opcode(uint8_t opcode)
{
    dve_assumption_set used = 0;
#define USES_OPCODE(name, id) \
    if (opcode == DVE_OPCODE_##name) used |= (dve_assumption_set)1 << DVE_ASSUMPTION_##id;
#include <opendve/isa/assumptions.def>
    return used;
}

dve_assumption_set dve_assumptions_of_dtype(uint8_t dtype, dve_access access)
{
    dve_assumption_set used = 0;
#define USES_DTYPE(name, way, id)                                  \
    if (dtype == DVE_DTYPE_##name && access == DVE_ACCESS_##way) \
        used |= (dve_assumption_set)1 << DVE_ASSUMPTION_##id;
#include <opendve/isa/assumptions.def>
    return used;
}

int dve_settings_valid(const dve_settings *settings)
{
    for (size_t i = 0; i < ROWS(assumptions); i++) {
        unsigned words = 1;
        for (const char *c = assumptions[i].values; *c; c++)
            words += *c == ' ';
        if (settings->value[i] >= words)
            return 0;
    }
    return 1;
}
