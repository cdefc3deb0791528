/* SPDX-License-Identifier: Apache-2.0 */
/* Broken rules in words: what was given, what is allowed, and both in a sentence. */
#include "text.h"
#include <inttypes.h>
#include <string.h>

static const dve_rule_info *rule_of(const dve_diag *diag)
{
    size_t count;
    const dve_rule_info *rules = dve_isa_rules(&count);
    return &rules[diag->rule < count ? diag->rule : 0];
}

/* The field's row in the record's format; NULL for operands. */
static const dve_field_info *field_of(const dve_insn *insn, const char *name)
{
    size_t rows;
    const dve_format_info *format = dve_format(insn->format);
    const dve_field_info *field = dve_isa_fields(&rows) + format->first_field;
    for (unsigned i = 0; i < format->fields; i++)
        if (name && strcmp(field[i].name, name) == 0)
            return &field[i];
    return NULL;
}

/* Data type of the operand whose address word stands at `byte`; empty where there is none. */
static const char *operand_dtype(const dve_insn *insn, uint8_t byte, char *out, size_t capacity)
{
    size_t rows;
    const dve_format_info *format = dve_format(insn->format);
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++)
        if (operand[i].byte == byte)
            return dve_dtype_text((uint8_t)insn->value[operand[i].dtype_slot], out, capacity);
    return "";
}

static void add_dtype(dve_line *line, uint8_t code)
{
    char text[32];
    dve_dtype_text(code, text, sizeof text);
    dve_line_add(line, strncmp(text, "dtype:", 6) == 0 ? "%s" : "%s (0x%02x)", text, code);
}

/* Bits of a field in the way that suits its kind. */
static void add_field(dve_line *line, const dve_field_info *field, uint32_t bits)
{
    char text[DVE_F32_TEXT];
    const dve_enum_info *member;
    switch (field ? field->kind : DVE_KIND_WORD) {
    case DVE_KIND_UINT: case DVE_KIND_CHANNELS:
        dve_line_add(line, "%" PRIu32, bits);
        break;
    case DVE_KIND_INT:
        dve_line_add(line, "%d", (int)(int16_t)bits);
        break;
    case DVE_KIND_F32:
        dve_line_add(line, "%s (0x%08" PRIx32 ")", dve_f32_text(bits, text), bits);
        break;
    case DVE_KIND_DTYPE:
        add_dtype(line, (uint8_t)bits);
        break;
    case DVE_KIND_ENUM: case DVE_KIND_LABEL:
        member = dve_enum_member(field->type, (uint8_t)bits);
        dve_line_add(line, member ? "0x%02" PRIx32 " (%s)" : "0x%02" PRIx32, bits, member ? member->name : "");
        break;
    case DVE_KIND_OPCODE:
        dve_line_add(line, dve_opcode((uint8_t)bits) ? "0x%02" PRIx32 " (%s)" : "0x%02" PRIx32, bits,
                     dve_opcode((uint8_t)bits) ? dve_opcode((uint8_t)bits)->name : "");
        break;
    default:
        dve_line_add(line, "0x%" PRIx32, bits);
        break;
    }
}

static void add_count(dve_line *line, int64_t count)
{
    dve_line_add(line, "%" PRId64 " element%s", count, count == 1 ? "" : "s");
}

char *dve_diag_value_text(const dve_insn *insn, const dve_diag *diag, char *out, size_t capacity)
{
    char text[64];
    dve_line line = dve_line_begin(out, capacity);
    uint32_t word = (uint32_t)diag->value;
    switch (rule_of(diag)->predicate) {
    case DVE_PREDICATE_COUNT_RANGE: case DVE_PREDICATE_COUNT_MULTIPLE: case DVE_PREDICATE_COUNT_SAME:
    case DVE_PREDICATE_THREE_BY_ONE:
        add_count(&line, diag->value);
        break;
    case DVE_PREDICATE_RESERVED: case DVE_PREDICATE_FITS_DTYPE: case DVE_PREDICATE_POINTER:
        dve_line_add(&line, "0x%02" PRIx32, word);
        break;
    case DVE_PREDICATE_WALK_INSIDE:
        dve_line_add(&line, "byte %" PRId64, diag->value);
        break;
    case DVE_PREDICATE_ADDR_REGISTER:
        dve_line_add(&line, "0x%08" PRIx32 " (register %" PRIu32 ")", word, word & DVE_ADDR_MASK);
        break;
    case DVE_PREDICATE_ADDR_MARKER: case DVE_PREDICATE_ADDR_ALIGNED: case DVE_PREDICATE_ADDR_WINDOW:
    case DVE_PREDICATE_START_PARTITION: case DVE_PREDICATE_START_ACTIVE:
        dve_line_add(&line, "%s", dve_addr_text(word, diag->gen, text, sizeof text));
        break;
    case DVE_PREDICATE_PSUM_WRITE:
        dve_line_add(&line, "%s", dve_addr_text(word, diag->gen, text, sizeof text));
        dve_line_add(&line, " as %s", operand_dtype(insn, diag->byte, text, sizeof text));
        break;
    default:
        add_field(&line, field_of(insn, diag->field), word);
        break;
    }
    return out;
}

static void add_partitions(dve_line *line, int64_t channels)
{
    dve_line_add(line, "partition %s for %" PRId64 " channel%s",
                 channels > 64 ? "0" : channels > 32 ? "0 or 64" : "0, 32, 64 or 96", channels,
                 channels == 1 ? "" : "s");
}

/* Where the opcode exists, if it does anywhere. */
static void add_present(dve_line *line, const dve_diag *diag)
{
    char text[64];
    const dve_generation_info *generation = dve_generation(diag->gen);
    const dve_opcode_info *opcode = dve_opcode((uint8_t)diag->value);
    dve_line_add(line, "an opcode of %s", generation ? generation->name : "a known generation");
    if (opcode)
        dve_line_add(line, "; %s exists on %s", opcode->name, dve_gens_text(opcode->gens, text, sizeof text));
}

static void add_member(dve_line *line, const dve_insn *insn, const dve_diag *diag)
{
    char text[256];
    const dve_field_info *field = field_of(insn, diag->field);
    const char *allowed = rule_of(diag)->allowed;
    dve_line_add(line, "%s%s%s", allowed, *allowed ? ": " : "",
                 dve_enum_text(field ? field->type : "", diag->gen, text, sizeof text));
}

/* Rules whose row leaves the wording to the record. */
static void add_by_record(dve_line *line, const dve_insn *insn, const dve_diag *diag)
{
    char text[32];
    switch (rule_of(diag)->predicate) {
    case DVE_PREDICATE_ADDR_ALIGNED:
        dve_line_add(line, "a multiple of %" PRId64 " for %s", diag->low,
                     operand_dtype(insn, diag->byte, text, sizeof text));
        break;
    case DVE_PREDICATE_START_PARTITION:
        add_partitions(line, diag->low);
        break;
    case DVE_PREDICATE_START_ACTIVE:
        dve_line_add(line, "byte 0x0..0x%" PRIx64 " of a partition", (uint64_t)diag->high);
        break;
    case DVE_PREDICATE_WALK_INSIDE:
        dve_line_add(line, "bytes %" PRId64 "..%" PRId64 " of a partition", diag->low, diag->high);
        break;
    case DVE_PREDICATE_COUNT_SAME:
        add_count(line, diag->low);
        dve_line_add(line, ", as many as the source has");
        break;
    case DVE_PREDICATE_COUNT_FIELD:
        dve_line_add(line, "%" PRId64 ", the product of the destination's counts", diag->low);
        break;
    case DVE_PREDICATE_FITS_DTYPE:
        dve_line_add(line, "0x0..0x%" PRIx64 ", the width of the data type", (uint64_t)diag->high);
        break;
    default:
        dve_line_add(line, diag->low == diag->high ? "%" PRId64 : "%" PRId64 "..%" PRId64, diag->low, diag->high);
        break;
    }
}

char *dve_diag_allowed_text(const dve_insn *insn, const dve_diag *diag, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    const dve_rule_info *rule = rule_of(diag);
    size_t sets;
    if (rule->predicate == DVE_PREDICATE_PRESENT)
        add_present(&line, diag);
    else if (rule->predicate == DVE_PREDICATE_MEMBER)
        add_member(&line, insn, diag);
    else if (*rule->allowed)
        dve_line_add(&line, "%s", rule->allowed);
    else if (rule->predicate == DVE_PREDICATE_DTYPE_IN)
        dve_line_add(&line, "%s", dve_isa_dtype_sets(&sets)[rule->low].text);
    else
        add_by_record(&line, insn, diag);
    return out;
}

const char *dve_severity_name(dve_severity severity)
{
    return severity == DVE_SEVERITY_ASSUMPTION ? "assumption" : "error";
}

char *dve_diag_text(uint64_t record, const dve_insn *insn, const dve_diag *diag, char *out, size_t capacity)
{
    char text[DVE_TEXT];
    dve_line line = dve_line_begin(out, capacity);
    const dve_rule_info *rule = rule_of(diag);
    dve_line_add(&line, "record %" PRIu64 " %s: ", record,
                 dve_opcode_text(dve_insn_opcode(insn), text, sizeof text));
    dve_line_add(&line, "%s (byte %u) ", diag->field, diag->byte);
    const char *verb = rule->predicate == DVE_PREDICATE_WALK_INSIDE ? "reaches"
                       : strstr(dve_diag_value_text(insn, diag, text, sizeof text), " element") ? "has" : "is";
    dve_line_add(&line, "%s %s, ", verb, dve_diag_value_text(insn, diag, text, sizeof text));
    dve_line_add(&line, "allowed %s [%s]", dve_diag_allowed_text(insn, diag, text, sizeof text), rule->id);
    if (rule->severity == DVE_SEVERITY_ASSUMPTION)
        dve_line_add(&line, " (assumption)");
    return out;
}

/* What the predicates allow where the row has no words of its own. */
static const char *general_allowed(uint8_t predicate)
{
    switch (predicate) {
    case DVE_PREDICATE_PRESENT: return "an opcode of the generation";
    case DVE_PREDICATE_ADDR_ALIGNED: return "a multiple of the element size";
    case DVE_PREDICATE_START_PARTITION:
        return "0 for more than 64 channels, 0 or 64 for 33..64, 0, 32, 64 or 96 for 1..32";
    case DVE_PREDICATE_START_ACTIVE: return "a byte inside the active bytes of a partition";
    case DVE_PREDICATE_WALK_INSIDE: return "bytes inside the active bytes of the partition";
    case DVE_PREDICATE_COUNT_SAME: return "as many elements as the source has";
    case DVE_PREDICATE_COUNT_FIELD: return "the product of the destination's counts";
    case DVE_PREDICATE_FITS_DTYPE: return "zero above the width of the data type";
    default: return "";
    }
}

char *dve_rule_allowed_text(const dve_rule_info *rule, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    size_t sets;
    if (*rule->allowed)
        dve_line_add(&line, "%s", rule->allowed);
    else if (rule->predicate == DVE_PREDICATE_DTYPE_IN)
        dve_line_add(&line, "%s", dve_isa_dtype_sets(&sets)[rule->low].text);
    else
        dve_line_add(&line, "%s", general_allowed(rule->predicate));
    return out;
}
