/* SPDX-License-Identifier: Apache-2.0 */
/* Hazards, and why a run stopped, in words. */
#include "text.h"
#include <inttypes.h>

char *dve_hazard_text(const dve_hazard *h, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    const char *space = dve_space_name(h->space);
    if (h->record != UINT64_MAX)                 /* all ones: a read by the host */
        dve_line_add(&line, "record %" PRIu64 ", ", h->record);
    dve_line_add(&line, "%s: ", dve_hazard_name(h->kind));
    switch (h->kind) {
    case DVE_HAZARD_NEVER_WRITTEN:
        dve_line_add(&line, "%s reads %" PRIu64 " byte%s that nothing wrote, first %s[%u]@0x%x", h->operand, h->count,
                     h->count == 1 ? "" : "s", space, h->partition, h->byte);
        break;
    case DVE_HAZARD_POWER_ON_STATE:
        dve_line_add(&line, "%" PRIu64 " channel%s read %s that no record set, first channel %u", h->count,
                     h->count == 1 ? "" : "s", h->state, h->lane);
        break;
    case DVE_HAZARD_CHANNEL_MISMATCH:
        dve_line_add(&line, "%" PRIu64 " channel%s read %s that were set for fewer channels or another quadrant, first "
                     "channel %u", h->count, h->count == 1 ? "" : "s", h->state, h->lane);
        break;
    case DVE_HAZARD_PARTIAL_OVERLAP:
        dve_line_add(&line, "%s and %s share bytes but are not the same walk, first %s[%u]@0x%x", h->operand, h->other,
                     space, h->partition, h->byte);
        break;
    case DVE_HAZARD_DESTINATION_TWICE:
        dve_line_add(&line, "%s writes a byte twice, first %s[%u]@0x%x", h->operand, space, h->partition, h->byte);
        break;
    case DVE_HAZARD_THROUGH_FP32:
        dve_line_add(&line, "%" PRIu64 " integer%s of %s change on the way through fp32, first channel %u element %u",
                     h->count, h->count == 1 ? "" : "s", h->operand, h->lane, h->element);
        break;
    default:
        break;
    }
    return out;
}

const char *dve_refusal_name(dve_refusal reason)
{
    static const char *const names[] = {"none", "illegal", "not-executed", "engine", "control", "wait", "register",
                                        "shape-register", "max-records", "max-elements", "indirect", "index",
                                        "index-count", "pool-width", "disabled"};
    return (unsigned)reason < sizeof names / sizeof names[0] ? names[reason] : NULL;
}

/* "semaphore 3 is 0, wanted >= 1 (sem_ge_imm)" */
static void add_wait(dve_line *line, const dve_stop *stop)
{
    static const char *const signs[] = {"", "= ", "< ", "<= ", "> ", ">= "};
    const dve_enum_info *mode = dve_enum_member("WAIT_MODE", stop->wait_mode);
    unsigned compare = stop->wait_mode & 0x7fu;
    dve_line_add(line, "waits for what can no longer come: ");
    if (compare >= 1 && compare <= 5)
        dve_line_add(line, "semaphore %u is %" PRIu32 ", wanted %s%" PRIu32, stop->index, stop->found, signs[compare],
                     stop->wanted);
    else
        dve_line_add(line, "event %u is %s, wanted %s", stop->index, stop->found ? "set" : "clear",
                     stop->wanted ? "set" : "clear");
    dve_line_add(line, " (wait_mode, byte 4: %s)", mode ? mode->name : "?");
}

static void add_illegal(dve_line *line, const dve_stop *stop)
{
    if (stop->operand)
        dve_line_add(line, "the address that a register holds for %s", stop->operand);
    else
        dve_line_add(line, "the record");
    dve_line_add(line, " breaks %zu rule%s", stop->broken, stop->broken == 1 ? "" : "s");
}

static void add_reason(dve_line *line, const dve_stop *stop, uint8_t gen)
{
    uint8_t opcode = dve_insn_opcode(&stop->insn);
    switch (stop->reason) {
    case DVE_REFUSED_ILLEGAL:
        add_illegal(line, stop);
        break;
    case DVE_REFUSED_NOT_EXECUTED:
        dve_line_add(line, "this version does not execute opcode 0x%02x", opcode);
        break;
    case DVE_REFUSED_ENGINE:
        dve_line_add(line, "opcode 0x%02x runs on another engine (%s), not on the vector engine [R19]", opcode,
                     dve_opcode_engine(opcode, gen));
        break;
    case DVE_REFUSED_CONTROL:
        dve_line_add(line, "opcode 0x%02x is a control record (0xa0..0xb7); they are skipped only on demand", opcode);
        break;
    case DVE_REFUSED_WAIT:
        add_wait(line, stop);
        break;
    case DVE_REFUSED_REGISTER:
        dve_line_add(line, "its wait or update names register %" PRIu64 " (semaphore_value, byte 8), allowed "
                     "0..%" PRIu64 " [R34]", stop->given, stop->limit);
        break;
    case DVE_REFUSED_SHAPE_REGISTER:
        dve_line_add(line, "operand %s takes its shape from a register, and where the register's number stands is "
                     "unknown [R29]", stop->operand);
        break;
    case DVE_REFUSED_INDIRECT:
        dve_line_add(line, "operand %s is addressed by an index list, and what its entries mean is unknown [R29]",
                     stop->operand);
        break;
    case DVE_REFUSED_INDEX:
        dve_line_add(line, "an index of operand %s is %" PRIu64 ", allowed 0..%" PRIu64 " [R12]", stop->operand,
                     stop->given, stop->limit);
        break;
    case DVE_REFUSED_INDEX_COUNT:
        dve_line_add(line, "the indices of operand %s are for %" PRIu64 " results, in whole runs; the destination has "
                     "%" PRIu64, stop->operand, stop->given, stop->limit);
        break;
    case DVE_REFUSED_POOL_WIDTH:
        dve_line_add(line, "operand %s has elements of %" PRIu64 " bytes, the pool buffer holds elements of %" PRIu64,
                     stop->operand, stop->limit, stop->given);
        break;
    case DVE_REFUSED_DISABLED:
        dve_line_add(line, "the table set does not enable opcode 0x%02x [R23]", opcode);
        break;
    case DVE_REFUSED_RECORDS:
        dve_line_add(line, "the budget of %" PRIu64 " records is used up", stop->limit);
        break;
    case DVE_REFUSED_ELEMENTS:
        dve_line_add(line, "its largest operand has %" PRIu64 " elements a lane, the budget allows %" PRIu64,
                     stop->given, stop->limit);
        break;
    default:
        dve_line_add(line, "not refused");
        break;
    }
}

char *dve_stop_text(const dve_stop *stop, uint8_t gen, char *out, size_t capacity)
{
    char text[64];
    dve_line line = dve_line_begin(out, capacity);
    dve_line_add(&line, "record %" PRIu64 " %s is refused on %s: ", stop->record,
                 dve_opcode_text(dve_insn_opcode(&stop->insn), text, sizeof text),
                 dve_generation(gen) ? dve_generation(gen)->name : "an unknown generation");
    add_reason(&line, stop, gen);
    return out;
}
