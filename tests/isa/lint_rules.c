/* SPDX-License-Identifier: Apache-2.0 */
/* Formats, their fields and operands, and the rules about them. */
#include "lint.h"
#include <string.h>

enum { FRAME_FIELDS = 9, RECORD_BITS = 8 * DVE_RECORD_BYTES };

static int enum_known(const lint_tables *t, const char *set)
{
    for (size_t i = 0; i < t->enum_count; i++)
        if (strcmp(t->enums[i].set, set) == 0)
            return 1;
    return 0;
}

static void lint_type(linter *l, const dve_field_info *f)
{
    int typed = f->kind == DVE_KIND_ENUM || f->kind == DVE_KIND_LABEL;
    if (typed ? !enum_known(l->t, f->type) : strcmp(f->type, "NONE") != 0)
        lint_problem(l, "unknown enum", f->name);
    if ((f->kind == DVE_KIND_CHANNELS || f->kind == DVE_KIND_OPCODE || f->kind == DVE_KIND_LABEL) && f->width != 8)
        lint_problem(l, "not a byte", f->name);
    if ((f->kind == DVE_KIND_ENUM || f->kind == DVE_KIND_DTYPE) && f->width != 8 && f->width != 4)
        lint_problem(l, "neither a byte nor half of one", f->name);
    if (f->kind == DVE_KIND_PORTS && f->width != 3)
        lint_problem(l, "not three bits", f->name);
    if (f->kind == DVE_KIND_INT && f->width != 16 && f->width != 32)
        lint_problem(l, "an integer of odd width", f->name);
    if ((f->kind == DVE_KIND_ADDR || f->kind == DVE_KIND_F32 || f->kind == DVE_KIND_WORD) && f->width != 32)
        lint_problem(l, "not a word", f->name);
}

/* Claims the field's bits in `owners`; anything claimed twice or outside the record is a problem. */
static void claim(linter *l, const dve_field_info *f, uint8_t owners[RECORD_BITS])
{
    unsigned from = 8u * f->byte + f->bit, to = from + f->width;
    int twice = 0;
    if (f->bit > 7 || f->width == 0 || to > RECORD_BITS) {
        lint_problem(l, "outside the record", f->name);
        return;
    }
    for (unsigned bit = from; bit < to; bit++)
        twice |= owners[bit]++;
    if (twice)
        lint_problem(l, "bits claimed twice", f->name);
    if (f->width > 8 ? f->bit || f->width % 8 : f->bit + f->width > 8)
        lint_problem(l, "a field that is not of whole bytes, nor inside one", f->name);
}

static void lint_field(linter *l, const dve_format_info *format, const dve_field_info *first, unsigned number)
{
    const dve_field_info *f = &first[number], *frame = &l->t->fields[l->t->formats[DVE_FORMAT_RAW].first_field];
    if (f->format != format - l->t->formats)
        lint_problem(l, "field of another format", f->name);
    for (unsigned k = 0; k < number; k++)
        if (strcmp(first[k].name, f->name) == 0)
            lint_problem(l, "duplicate name", f->name);
    if (f->slots != (f->width + 31) / 32 || (number && f->slot != first[number - 1].slot + first[number - 1].slots))
        lint_problem(l, "slots", f->name);
    if (number < FRAME_FIELDS && (strcmp(f->name, frame[number].name) != 0 || f->byte != frame[number].byte ||
                                  f->width != frame[number].width || f->slot != frame[number].slot))
        lint_problem(l, "not the frame", f->name);
    lint_type(l, f);
    lint_marks(l, f->gens, "Y-", f->name);
    lint_origin(l, f->source, f->conf, f->name);
    lint_ruling(l, f->source, 0, f->name);
}

static void lint_format(linter *l, const dve_format_info *format)
{
    uint8_t owners[RECORD_BITS] = {0};
    const dve_field_info *field = &l->t->fields[format->first_field];
    unsigned channels = 0, slot = 0;
    if (format->first_field + format->fields > l->t->field_count || format->fields < FRAME_FIELDS ||
        format->first_operand + format->operands > l->t->operand_count) {
        lint_problem(l, "rows outside the table", format->name);
        return;
    }
    for (unsigned i = 0; i < format->fields; i++) {
        lint_field(l, format, field, i);
        claim(l, &field[i], owners);
        if (field[i].kind == DVE_KIND_CHANNELS || field[i].kind == DVE_KIND_PORTS) {
            channels++;
            slot = field[i].slot;
        }
    }
    if (memchr(owners, 0, sizeof owners))
        lint_problem(l, "bits that no field claims", format->name);
    if (channels > 1 || (format->operands && !channels) || format->channels_slot != slot)
        lint_problem(l, "not one channel count", format->name);
    if (DVE_LANES % (format->starts ? format->starts : 1))
        lint_problem(l, "impossible start partitions", format->name);
    if (format->slots > DVE_MAX_SLOTS ||
        format->slots != field[format->fields - 1].slot + field[format->fields - 1].slots)
        lint_problem(l, "slots", format->name);
}

void lint_formats(linter *l)
{
    for (size_t i = 0; i < l->t->format_count; i++) {
        const dve_format_info *format = &l->t->formats[i];
        lint_format(l, format);
        lint_origin(l, format->source, format->conf, format->name);
        lint_ruling(l, format->source, 0, format->name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->t->formats[k].name, format->name) == 0)
                lint_problem(l, "duplicate name", format->name);
    }
}

/* The format's field of a kind and width at a byte; NULL if there is none. */
static const dve_field_info *field_at(const lint_tables *t, uint8_t format, unsigned byte, dve_field_kind kind,
                                      unsigned width)
{
    for (size_t i = 0; i < t->field_count; i++)
        if (t->fields[i].format == format && t->fields[i].byte == byte && t->fields[i].kind == kind &&
            t->fields[i].width == width)
            return &t->fields[i];
    return NULL;
}

/* Address, then steps, then counts, each where the operand's layout puts it. */
static void lint_layout(linter *l, const dve_operand_info *o)
{
    const dve_field_info *address = field_at(l->t, o->format, o->byte, DVE_KIND_ADDR, 32);
    if (!address || address->slot != o->addr_slot) {
        lint_problem(l, "operand without an address", o->name);
        return;
    }
    for (unsigned d = 0; d < o->dims; d++) {
        const dve_field_info *step = field_at(l->t, o->format, o->byte + 4u + 2 * d, DVE_KIND_INT, 16);
        const dve_field_info *num = field_at(l->t, o->format, o->byte + 4u + 2u * o->dims + 2 * d, DVE_KIND_UINT, 16);
        if (!step || !num || step->slot != o->addr_slot + 1u + d || num->slot != o->addr_slot + 1u + o->dims + d)
            lint_problem(l, "operand without steps and counts", o->name);
    }
}

void lint_operands(linter *l)
{
    for (size_t i = 0; i < l->t->operand_count; i++) {
        const dve_operand_info *o = &l->t->operands[i];
        if (o->format >= l->t->format_count || o->dims < 1 || o->dims > 4 || o->byte < 12 ||
            o->byte + 4u + 4u * o->dims > DVE_RECORD_BYTES) {
            lint_problem(l, "operand outside the record", o->name);
            continue;
        }
        const dve_format_info *format = &l->t->formats[o->format];
        if (i < format->first_operand || i >= (size_t)format->first_operand + format->operands)
            lint_problem(l, "operand of another format", o->name);
        if (o->dtype_field >= l->t->field_count || l->t->fields[o->dtype_field].kind != DVE_KIND_DTYPE ||
            l->t->fields[o->dtype_field].format != o->format || l->t->fields[o->dtype_field].slot != o->dtype_slot)
            lint_problem(l, "operand without a data type", o->name);
        if (o->form != DVE_OPERAND_PLAIN && (o->dims < 3 || (o->form != DVE_OPERAND_MEMORY && o->form != DVE_OPERAND_INDIRECT)))
            lint_problem(l, "operand that cannot be indirect", o->name);
        if (o->access != DVE_ACCESS_READ && o->access != DVE_ACCESS_WRITE)
            lint_problem(l, "operand neither read nor written", o->name);
        for (size_t k = format->first_operand; k < i; k++)
            if (strcmp(l->t->operands[k].name, o->name) == 0)
                lint_problem(l, "duplicate name", o->name);
        lint_layout(l, o);
    }
}

static const dve_opcode_info *opcode_of(const lint_tables *t, uint16_t value)
{
    for (size_t i = 0; i < t->opcode_count; i++)
        if (t->opcodes[i].value == value)
            return &t->opcodes[i];
    return NULL;
}

/* The rule's opcode has the rule's format and exists wherever the rule does. */
static void lint_ruled_opcode(linter *l, const dve_rule_info *r)
{
    if (r->opcode == DVE_OPCODE_ANY)
        return;
    const dve_opcode_info *o = opcode_of(l->t, r->opcode);
    if (!o) {
        lint_problem(l, "rule about an unknown opcode", r->id);
        return;
    }
    if (r->format != DVE_FORMAT_ANY && o->format != r->format &&
        !(o->format == DVE_FORMAT_EXTENDED && r->format == DVE_FORMAT_EXTENDED_TTA))
        lint_problem(l, "rule's opcode has another format", r->id);
    for (unsigned i = 0; i < DVE_GEN_COUNT && strlen(r->gens) == DVE_GEN_COUNT && strlen(o->gens) == DVE_GEN_COUNT; i++)
        if (r->gens[i] == 'Y' && !strchr("Yn.P", o->gens[i])) {
            lint_problem(l, "rule in a generation that lacks its opcode", r->id);
            break;
        }
}

/* The rule's field belongs to its format, or to the frame. */
static void lint_ruled_field(linter *l, const dve_rule_info *r)
{
    if (r->field == DVE_FIELD_NONE) {
        if (r->format != DVE_FORMAT_ANY)
            lint_problem(l, "rule without a field", r->id);
        return;
    }
    const dve_field_info *f = r->field < l->t->field_count ? &l->t->fields[r->field] : NULL;
    int frame = f && r->field < l->t->formats[DVE_FORMAT_RAW].first_field + FRAME_FIELDS;
    if (!f || (r->format == DVE_FORMAT_ANY ? !frame : f->format != r->format))
        lint_problem(l, "rule about a field of another format", r->id);
    if (f && (r->predicate == DVE_PREDICATE_DTYPE_IN || r->predicate == DVE_PREDICATE_DTYPE_SAME) &&
        f->kind != DVE_KIND_DTYPE)
        lint_problem(l, "rule about a data type that is none", r->id);
    if (f && r->predicate == DVE_PREDICATE_MEMBER && f->kind != DVE_KIND_ENUM)
        lint_problem(l, "rule about a member of no enum", r->id);
}

/* Whether a number of a rule is the row of a field of the rule's format, of a kind. */
static int names(const linter *l, const dve_rule_info *r, uint32_t row, dve_field_kind kind)
{
    return row < l->t->field_count && l->t->fields[row].kind == kind && l->t->fields[row].format == r->format;
}

/* Numbers that the predicate needs, and rows that they name. */
static void lint_numbers(linter *l, const dve_rule_info *r)
{
    int bad = 0;
    switch (r->predicate) {
    case DVE_PREDICATE_RANGE:
    case DVE_PREDICATE_COUNT_RANGE: bad = r->low > r->high; break;
    case DVE_PREDICATE_MULTIPLE:
    case DVE_PREDICATE_COUNT_MULTIPLE: bad = r->low == 0; break;
    case DVE_PREDICATE_DTYPE_IN: bad = r->low >= l->t->dtype_set_count; break;
    case DVE_PREDICATE_DTYPE_IN_WHEN: bad = r->low >= l->t->dtype_set_count || !names(l, r, r->high, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_OP_DTYPE: bad = r->high >= l->t->dtype_set_count || !names(l, r, r->low, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_OPERATOR_IN: bad = r->low >= DVE_OPERATORS_COUNT; break;
    case DVE_PREDICATE_INT_PAIR: bad = r->high >= DVE_OPERATORS_COUNT || !names(l, r, r->low, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_SHIFTS: bad = !names(l, r, r->low, DVE_KIND_ENUM) || !names(l, r, r->high, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_ONE_OF: bad = r->low == 0; break;
    case DVE_PREDICATE_POWER_OF_TWO: bad = r->low > r->high; break;
    case DVE_PREDICATE_MULTIPLE_WHEN:
    case DVE_PREDICATE_COUNT_MULTIPLE_WHEN: bad = r->low == 0 || !names(l, r, r->high, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_ZERO_WHEN:
    case DVE_PREDICATE_ZERO_UNLESS:
    case DVE_PREDICATE_ONE_UNLESS: bad = !names(l, r, r->low, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_COUNT_SAME:
        bad = !names(l, r, r->low, DVE_KIND_UINT) || (r->high && !names(l, r, r->high, DVE_KIND_UINT));
        break;
    case DVE_PREDICATE_COUNT_AT_MOST:
    case DVE_PREDICATE_COUNT_ONE_MORE:
    case DVE_PREDICATE_COUNT_TWICE:
    case DVE_PREDICATE_INDEX_END: bad = !names(l, r, r->low, DVE_KIND_UINT); break;
    case DVE_PREDICATE_COUNT_TAGS: bad = !names(l, r, r->low, DVE_KIND_UINT) || !names(l, r, r->high, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_COUNT_COLLAPSED:
    case DVE_PREDICATE_GROUP_AT_LEAST: bad = r->high == 0 || !names(l, r, r->low, DVE_KIND_ENUM); break;
    case DVE_PREDICATE_PAIR:
    case DVE_PREDICATE_SAME_QUADRANT: bad = !names(l, r, r->low, DVE_KIND_ADDR); break;
    case DVE_PREDICATE_ALIGNED:
    case DVE_PREDICATE_PLAIN_ADDRESS: bad = r->low == 0; break;
    case DVE_PREDICATE_DTYPE_SAME:
    case DVE_PREDICATE_DTYPE_SAME_WIDTH:
    case DVE_PREDICATE_SHIFT_COUNT:
    case DVE_PREDICATE_RECORD_DTYPE:
    case DVE_PREDICATE_THRESHOLD_DTYPE:
    case DVE_PREDICATE_FITS_DTYPE: bad = !names(l, r, r->low, DVE_KIND_DTYPE); break;
    case DVE_PREDICATE_INLINE_FITS:
        bad = !names(l, r, r->low, DVE_KIND_DTYPE) || !names(l, r, r->high, DVE_KIND_ENUM);
        break;
    case DVE_PREDICATE_POINTER:
    case DVE_PREDICATE_SCALAR:
        bad = r->low == 0 || (r->low > 8 && !names(l, r, r->low, DVE_KIND_DTYPE)) ||
              (r->high == DVE_FIELD_NONE ? r->predicate == DVE_PREDICATE_SCALAR : !names(l, r, r->high, DVE_KIND_ENUM));
        break;
    default: break;
    }
    if (bad)
        lint_problem(l, "rule with impossible numbers", r->id);
}

void lint_ruled(linter *l)
{
    for (size_t i = 0; i < l->t->rule_count; i++) {
        const dve_rule_info *r = &l->t->rules[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->t->rules[k].id, r->id) == 0)
                lint_problem(l, "duplicate name", r->id);
        if (r->format != DVE_FORMAT_ANY && r->format >= l->t->format_count)
            lint_problem(l, "unknown format", r->id);
        if (r->format != DVE_FORMAT_ANY && r->format < l->t->format_count &&
            (i < l->t->formats[r->format].first_rule ||
             i >= (size_t)l->t->formats[r->format].first_rule + l->t->formats[r->format].rules))
            lint_problem(l, "rule outside its format's", r->id);
        if (r->format == DVE_FORMAT_ANY && i >= l->t->formats[DVE_FORMAT_RAW].first_rule)
            lint_problem(l, "rule outside its format's", r->id);
        if (r->predicate >= DVE_PREDICATE_COUNT)
            lint_problem(l, "unknown predicate", r->id);
        if (r->severity != DVE_SEVERITY_ERROR && r->severity != DVE_SEVERITY_ASSUMPTION)
            lint_problem(l, "unknown severity", r->id);
        lint_marks(l, r->gens, "Y-", r->id);
        lint_ruled_opcode(l, r);
        lint_ruled_field(l, r);
        lint_numbers(l, r);
        lint_origin(l, r->source, r->conf, r->id);
        lint_ruling(l, r->source, r->severity == DVE_SEVERITY_ASSUMPTION, r->id);
    }
}
