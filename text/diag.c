/* SPDX-License-Identifier: Apache-2.0 */
/* Broken rules in words: what was given, and the sentence. */
#include "diag.h"
#include <inttypes.h>
#include <string.h>

const dve_rule_info *dve_diag_rule(const dve_diag *diag)
{
    size_t count;
    const dve_rule_info *rules = dve_isa_rules(&count);
    return &rules[diag->rule < count ? diag->rule : 0];
}

/* The field's row in the record's format; NULL for operands. */
const dve_field_info *dve_diag_field(const dve_insn *insn, const char *name)
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
const char *dve_diag_dtype(const dve_insn *insn, uint8_t byte, char *out, size_t capacity)
{
    size_t rows;
    const dve_format_info *format = dve_format(insn->format);
    const dve_operand_info *operand = dve_isa_operands(&rows) + format->first_operand;
    for (unsigned i = 0; i < format->operands; i++)
        if (operand[i].byte == byte)
            return dve_dtype_text((uint8_t)insn->value[operand[i].dtype_slot], out, capacity);
    return "";
}

void dve_line_dtype(dve_line *line, uint8_t code)
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
    case DVE_KIND_UINT: case DVE_KIND_CHANNELS: case DVE_KIND_PORTS:
        dve_line_add(line, "%" PRIu32, bits);
        break;
    case DVE_KIND_INT:
        dve_line_add(line, "%d", field->width == 16 ? (int)(int16_t)bits : (int)(int32_t)bits);
        break;
    case DVE_KIND_F32:
        dve_line_add(line, "%s (0x%08" PRIx32 ")", dve_f32_text(bits, text), bits);
        break;
    case DVE_KIND_DTYPE:
        dve_line_dtype(line, (uint8_t)bits);
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

void dve_line_count(dve_line *line, int64_t count)
{
    dve_line_add(line, "%" PRId64 " element%s", count, count == 1 ? "" : "s");
}

char *dve_diag_value_text(const dve_insn *insn, const dve_diag *diag, char *out, size_t capacity)
{
    char text[64];
    dve_line line = dve_line_begin(out, capacity);
    uint32_t word = (uint32_t)diag->value;
    switch (dve_diag_rule(diag)->predicate) {
    case DVE_PREDICATE_COUNT_RANGE: case DVE_PREDICATE_COUNT_MULTIPLE: case DVE_PREDICATE_COUNT_MULTIPLE_WHEN:
    case DVE_PREDICATE_COUNT_SAME: case DVE_PREDICATE_COUNT_AT_MOST: case DVE_PREDICATE_COUNT_ONE_MORE:
    case DVE_PREDICATE_COUNT_TWICE: case DVE_PREDICATE_COUNT_COLLAPSED: case DVE_PREDICATE_COUNT_TAGS:
    case DVE_PREDICATE_GROUP_AT_LEAST: case DVE_PREDICATE_STATE_WORDS: case DVE_PREDICATE_THREE_BY_ONE:
        dve_line_count(&line, diag->value);
        break;
    case DVE_PREDICATE_INDIRECT_COUNT:
        dve_line_add(&line, "%" PRId64 " indices", diag->value);
        break;
    case DVE_PREDICATE_RESERVED: case DVE_PREDICATE_BYTES_ZERO: case DVE_PREDICATE_MASK_BYTES:
    case DVE_PREDICATE_FITS_DTYPE: case DVE_PREDICATE_INLINE_FITS: case DVE_PREDICATE_INLINE_BOOL:
    case DVE_PREDICATE_POINTER: case DVE_PREDICATE_SCALAR:
        dve_line_add(&line, "0x%02" PRIx32, word);
        break;
    case DVE_PREDICATE_WALK_INSIDE:
        dve_line_add(&line, "byte %" PRId64 " of partition %u", diag->value, diag->partition);
        break;
    case DVE_PREDICATE_ADDR_REGISTER:
        dve_line_add(&line, "0x%08" PRIx32 " (register %" PRIu32 ")", word, word & DVE_ADDR_MASK);
        break;
    case DVE_PREDICATE_ADDR_MARKER: case DVE_PREDICATE_ADDR_ALIGNED: case DVE_PREDICATE_ADDR_WINDOW:
    case DVE_PREDICATE_START_PARTITION: case DVE_PREDICATE_START_ACTIVE: case DVE_PREDICATE_INDIRECT_DATA:
    case DVE_PREDICATE_INDIRECT_QUADRANT: case DVE_PREDICATE_ALIGNED: case DVE_PREDICATE_IN_SBUF:
    case DVE_PREDICATE_PAIR: case DVE_PREDICATE_SAME_QUADRANT: case DVE_PREDICATE_PLAIN_ADDRESS:
        dve_line_add(&line, "%s", dve_addr_text(word, diag->gen, text, sizeof text));
        break;
    case DVE_PREDICATE_PSUM_WRITE:
        dve_line_add(&line, "%s", dve_addr_text(word, diag->gen, text, sizeof text));
        dve_line_add(&line, " as %s", dve_diag_dtype(insn, diag->byte, text, sizeof text));
        break;
    default:
        add_field(&line, dve_diag_field(insn, diag->field), word);
        break;
    }
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
    const dve_rule_info *rule = dve_diag_rule(diag);
    dve_line_add(&line, "record %" PRIu64 " %s: ", record,
                 dve_opcode_text(dve_insn_opcode(insn), text, sizeof text));
    dve_line_add(&line, "%s (byte %u) ", diag->field, diag->byte);
    dve_diag_value_text(insn, diag, text, sizeof text);
    const char *verb = rule->predicate == DVE_PREDICATE_WALK_INSIDE ? "reaches"
                       : strstr(text, " element") || strstr(text, " indices") ? "has" : "is";
    dve_line_add(&line, "%s %s, ", verb, dve_diag_value_text(insn, diag, text, sizeof text));
    dve_line_add(&line, "allowed %s [%s]", dve_diag_allowed_text(insn, diag, text, sizeof text), rule->id);
    if (rule->severity == DVE_SEVERITY_ASSUMPTION)
        dve_line_add(&line, " (assumption)");
    return out;
}
