/* SPDX-License-Identifier: Apache-2.0 */
/* What rules allow, in words: for one broken rule of one record, and in general. */
#include "diag.h"
#include <inttypes.h>
#include <string.h>

static void add_partitions(dve_line *line, uint8_t starts, int64_t channels)
{
    if (starts && channels > DVE_LANES) {
        dve_line_add(line, "no partition for %" PRId64 " channels", channels);
        return;
    }
    if (starts) {
        dve_line_add(line, "a multiple of %u, for %" PRId64 " channel%s at most partition %" PRId64, starts, channels,
                     channels == 1 ? "" : "s", (DVE_LANES - channels) / starts * starts);
        return;
    }
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
    const dve_field_info *field = dve_diag_field(insn, diag->field);
    const char *allowed = dve_diag_rule(diag)->allowed;
    dve_line_add(line, "%s%s%s", allowed, *allowed ? ": " : "",
                 dve_enum_text(field ? field->type : "", diag->gen, text, sizeof text));
}

/* The members of a set of operators that the generation has: by name if they are few. */
static void add_operators(dve_line *line, uint8_t set, uint8_t gen)
{
    enum { FEW = 24 };
    unsigned members = 0;
    const char *comma = "";
    for (unsigned op = 0; op < 256; op++)
        members += dve_operator_in(set, (uint8_t)op, gen) != 0;
    for (unsigned op = 0; op < 256; op++) {
        unsigned end = op;
        if (!dve_operator_in(set, (uint8_t)op, gen))
            continue;
        while (members > FEW && end < 255 && dve_operator_in(set, (uint8_t)(end + 1), gen))
            end++;
        if (members <= FEW)
            dve_line_add(line, "%s%s", comma, dve_enum_member("ALU_OP", (uint8_t)op)->name);
        else
            dve_line_add(line, end > op ? "%s0x%02x..0x%02x" : "%s0x%02x", comma, op, end);
        comma = members <= FEW ? " " : ", ";
        op = end;
    }
}

/* The operand that a rule compares with: its first count is the field of the row. */
static void add_operand(dve_line *line, uint32_t row)
{
    size_t rows;
    const char *name = dve_isa_fields(&rows)[row].name;
    const char *end = strstr(name, "_num");
    if (strncmp(name, "src_", 4) == 0)
        dve_line_add(line, "the source has");
    else
        dve_line_add(line, "%.*s has", end ? (int)(end - name) : 0, name);
}

static void add_pointer(dve_line *line, const dve_diag *diag)
{
    if (diag->low == 0)
        dve_line_add(line, "register 0..%" PRId64, diag->high);
    else
        dve_line_add(line, "a pointer aligned to %" PRId64 " in a partition that takes the channels", diag->low);
}

/* Counts that depend on another operand's. */
static void add_related_count(dve_line *line, const dve_diag *diag)
{
    const dve_rule_info *rule = dve_diag_rule(diag);
    dve_line_count(line, diag->high);
    switch (rule->predicate) {
    case DVE_PREDICATE_COUNT_SAME: dve_line_add(line, ", as many as "); break;
    case DVE_PREDICATE_COUNT_AT_MOST: dve_line_add(line, " at most, as many as "); break;
    case DVE_PREDICATE_COUNT_ONE_MORE: dve_line_add(line, ", one more than "); break;
    case DVE_PREDICATE_COUNT_TWICE: dve_line_add(line, ", twice as many as "); break;
    case DVE_PREDICATE_COUNT_COLLAPSED: dve_line_add(line, ", %" PRIu32 " for each group", rule->high); return;
    default: return;
    }
    add_operand(line, rule->low);
}

/* Data types that depend on another field. */
static void add_related_dtype(dve_line *line, const dve_diag *diag)
{
    size_t rows;
    const dve_rule_info *rule = dve_diag_rule(diag);
    const dve_dtype_set_info *sets = dve_isa_dtype_sets(&rows);
    switch (rule->predicate) {
    case DVE_PREDICATE_DTYPE_SAME_WIDTH:
        dve_line_add(line, "a data type of %" PRId64 " byte%s", diag->low, diag->low == 1 ? "" : "s");
        break;
    case DVE_PREDICATE_OP_DTYPE:
        dve_line_add(line, "%s", sets[diag->low].text);
        break;
    case DVE_PREDICATE_THRESHOLD_DTYPE:
        dve_line_add(line, "%s or 0, which means fp32", sets[diag->low ? DVE_DTYPES_FLOAT : DVE_DTYPES_FP32].text);
        break;
    default:
        dve_line_dtype(line, (uint8_t)diag->low);
        dve_line_add(line, ", for %s", dve_isa_fields(&rows)[rule->low].name);
        break;
    }
}

static void add_markers(dve_line *line, const dve_diag *diag)
{
    static const char *const markers[] = {"0x00, 0x40, 0x80 or 0xc0", "0x00, 0x20, 0x40, 0x80, 0xa0 or 0xc0", "0x20 or 0xa0"};
    int64_t form = diag->low == DVE_OPERAND_MEMORY && diag->gen < 4 ? DVE_OPERAND_PLAIN : diag->low;
    dve_line_add(line, "%s in the top three bits", markers[form]);
}

/* Rules whose row leaves the wording to the record. */
static void add_by_record(dve_line *line, const dve_insn *insn, const dve_diag *diag)
{
    char text[32];
    switch (dve_diag_rule(diag)->predicate) {
    case DVE_PREDICATE_ADDR_MARKER:
        add_markers(line, diag);
        break;
    case DVE_PREDICATE_OPERATOR_IN:
        add_operators(line, (uint8_t)diag->low, diag->gen);
        break;
    case DVE_PREDICATE_DTYPE_SAME: case DVE_PREDICATE_DTYPE_SAME_WIDTH: case DVE_PREDICATE_OP_DTYPE:
    case DVE_PREDICATE_SHIFT_COUNT: case DVE_PREDICATE_RECORD_DTYPE: case DVE_PREDICATE_THRESHOLD_DTYPE:
        add_related_dtype(line, diag);
        break;
    case DVE_PREDICATE_POINTER: case DVE_PREDICATE_SCALAR:
        add_pointer(line, diag);
        break;
    case DVE_PREDICATE_PLAIN_ADDRESS:
        dve_line_add(line, "an SBUF address aligned to %" PRId64 " in a partition that takes the channels, or register 0..63",
                     diag->low);
        break;
    case DVE_PREDICATE_PAIR:
        dve_line_add(line, diag->low ? "SBUF, for the other source is in PSUM" : "PSUM, or the quadrant of the other source");
        break;
    case DVE_PREDICATE_COUNT_SAME: case DVE_PREDICATE_COUNT_AT_MOST: case DVE_PREDICATE_COUNT_ONE_MORE:
    case DVE_PREDICATE_COUNT_TWICE: case DVE_PREDICATE_COUNT_COLLAPSED: case DVE_PREDICATE_COUNT_TAGS:
        add_related_count(line, diag);
        break;
    case DVE_PREDICATE_ADDR_ALIGNED:
        dve_line_add(line, "a multiple of %" PRId64 " for %s", diag->low,
                     dve_diag_dtype(insn, diag->byte, text, sizeof text));
        break;
    case DVE_PREDICATE_START_PARTITION:
        add_partitions(line, dve_format(insn->format)->starts, diag->low);
        break;
    case DVE_PREDICATE_START_ACTIVE:
        dve_line_add(line, "byte 0x0..0x%" PRIx64 " of a partition", (uint64_t)diag->high);
        break;
    case DVE_PREDICATE_WALK_INSIDE:
        dve_line_add(line, "bytes %" PRId64 "..%" PRId64, diag->low, diag->high);
        break;
    case DVE_PREDICATE_COUNT_FIELD:
        dve_line_add(line, "%" PRId64 ", the product of the destination's counts", diag->low);
        break;
    case DVE_PREDICATE_FITS_DTYPE: case DVE_PREDICATE_INLINE_FITS:
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
    const dve_rule_info *rule = dve_diag_rule(diag);
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

/* What the predicates allow where the row has no words of its own. */
static const char *general_allowed(uint8_t predicate)
{
    switch (predicate) {
    case DVE_PREDICATE_PRESENT: return "an opcode of the generation";
    case DVE_PREDICATE_ADDR_ALIGNED: return "a multiple of the element size";
    case DVE_PREDICATE_START_ACTIVE: return "a byte inside the active bytes of a partition";
    case DVE_PREDICATE_WALK_INSIDE: return "bytes inside the active bytes of the partition";
    case DVE_PREDICATE_ADDR_MARKER:
        return "0x00, 0x40, 0x80 or 0xc0 in the top three bits, 0x20 or 0xa0 in operands that take index lists";
    case DVE_PREDICATE_COUNT_FIELD: return "the product of the destination's counts";
    case DVE_PREDICATE_COUNT_TAGS: return "as many elements as the data, a quarter if packed";
    case DVE_PREDICATE_FITS_DTYPE: return "zero above the width of the data type";
    case DVE_PREDICATE_INLINE_FITS: return "zero above the width of the data type, if the value stands in the record";
    case DVE_PREDICATE_SHIFT_COUNT: return "the data type of src0, or uint32 for a shift of 64-bit integers";
    case DVE_PREDICATE_RECORD_DTYPE: return "uint16 for 1-byte data, uint32 for 2-byte data";
    case DVE_PREDICATE_THRESHOLD_DTYPE: return "fp32 or 0; any float for a threshold in memory and float data";
    case DVE_PREDICATE_PLAIN_ADDRESS: return "an aligned SBUF address in a partition that takes the channels, or register 0..63";
    case DVE_PREDICATE_PAIR: return "not both in PSUM; one quadrant if both are in SBUF";
    default: return "";
    }
}

/* Vector formats go by the number of channels, some formats of the pool engine by multiples. */
static void add_starts(dve_line *line)
{
    size_t rows;
    const dve_format_info *format = dve_isa_formats(&rows);
    dve_line_add(line, "0 for more than 64 channels, 0 or 64 for 33..64, 0, 32, 64 or 96 for 1..32");
    for (unsigned starts = 1; starts < DVE_LANES; starts++) {
        unsigned named = 0;
        for (size_t i = 0; i < rows; i++)
            if (format[i].starts == starts)
                dve_line_add(line, "%s%s", named++ ? " " : "; in ", format[i].name);
        if (named)
            dve_line_add(line, " a multiple of %u, all channels below partition %u", starts, DVE_LANES);
    }
}

static void add_alignment(dve_line *line, uint32_t low)
{
    size_t rows;
    if (low <= 8)
        dve_line_add(line, "%" PRIu32, low);
    else
        dve_line_add(line, "%s", dve_isa_fields(&rows)[low].name);
}

/* What a rule between fields or operands allows, whatever the record. */
static void add_relation(dve_line *line, const dve_rule_info *rule)
{
    size_t rows;
    const dve_dtype_set_info *sets = dve_isa_dtype_sets(&rows);
    switch (rule->predicate) {
    case DVE_PREDICATE_DTYPE_SAME:
        dve_line_add(line, "the data type in %s", dve_isa_fields(&rows)[rule->low].name);
        break;
    case DVE_PREDICATE_DTYPE_SAME_WIDTH:
        dve_line_add(line, "as wide as %s", dve_isa_fields(&rows)[rule->low].name);
        break;
    case DVE_PREDICATE_OP_DTYPE:
        dve_line_add(line, "%s; %s for an integer operator", sets[rule->high].text, sets[DVE_DTYPES_WIDE_INTEGER].text);
        break;
    case DVE_PREDICATE_POINTER: case DVE_PREDICATE_SCALAR:
        dve_line_add(line, "%sa pointer aligned to ", rule->predicate == DVE_PREDICATE_SCALAR ? "a value, " : "");
        add_alignment(line, rule->low);
        dve_line_add(line, " in a partition that takes the channels, or register 0..63");
        break;
    case DVE_PREDICATE_START_PARTITION:
        add_starts(line);
        break;
    case DVE_PREDICATE_COUNT_SAME:
        dve_line_add(line, "as many elements as ");
        add_operand(line, rule->low);
        break;
    case DVE_PREDICATE_COUNT_AT_MOST:
        dve_line_add(line, "no more elements than ");
        add_operand(line, rule->low);
        break;
    case DVE_PREDICATE_COUNT_ONE_MORE:
        dve_line_add(line, "one element more than ");
        add_operand(line, rule->low);
        break;
    case DVE_PREDICATE_COUNT_TWICE:
        dve_line_add(line, "twice as many elements as ");
        add_operand(line, rule->low);
        break;
    case DVE_PREDICATE_COUNT_COLLAPSED:
        dve_line_add(line, "%" PRIu32 " element%s for each group along %s", rule->high, rule->high == 1 ? "" : "s",
                     dve_isa_fields(&rows)[rule->low].name);
        break;
    default:
        dve_line_add(line, "%s", general_allowed(rule->predicate));
        break;
    }
}

/* The last generation of the rule has all operators of its set. */
static uint8_t last_gen(const char *gens)
{
    uint8_t gen = DVE_GEN_LAST;
    while (gen > DVE_GEN_FIRST && !dve_marked(gens, gen))
        gen--;
    return gen;
}

char *dve_rule_allowed_text(const dve_rule_info *rule, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    size_t sets;
    if (*rule->allowed)
        dve_line_add(&line, "%s", rule->allowed);
    else if (rule->predicate == DVE_PREDICATE_DTYPE_IN)
        dve_line_add(&line, "%s", dve_isa_dtype_sets(&sets)[rule->low].text);
    else if (rule->predicate == DVE_PREDICATE_OPERATOR_IN)
        add_operators(&line, (uint8_t)rule->low, last_gen(rule->gens));
    else
        add_relation(&line, rule);
    return out;
}
