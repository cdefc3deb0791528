/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction stream of a plan, readable. */
#include "topk.h"
#include <inttypes.h>
#include <stdlib.h>

/* "dst sbuf[0]+0x101c:fp32 [-1,8]" */
static void print_operand(const dve_insn *insn, const dve_operand_info *operand, uint8_t gen)
{
    dve_pattern pattern;
    dve_place place;
    char text[64];
    dve_insn_pattern(insn, operand, &pattern);
    printf("  %s ", operand->name);
    if (dve_addr_marker(pattern.addr) == 0 && dve_addr_place(pattern.addr, gen, &place))
        printf("%s[%" PRIu32 "]+0x%" PRIx32, dve_space_name(place.space), place.partition, place.offset);
    else
        printf("0x%08" PRIx32, pattern.addr);
    printf(":%s ", dve_dtype_text(pattern.dtype, text, sizeof text));
    for (unsigned d = 0; d < pattern.dims; d++)
        if (d == 0 || pattern.num[d] != 1)
            printf("[%d,%u]", pattern.step[d], pattern.num[d]);
}

static void print_record(size_t number, const dve_record *record, uint8_t gen)
{
    dve_insn insn;
    char name[64];
    size_t count;
    dve_decode(record, &insn);
    const dve_format_info *format = dve_format(insn.format);
    const dve_operand_info *operand = dve_isa_operands(&count) + format->first_operand;
    uint8_t opcode = dve_insn_opcode(&insn);
    printf("%8zu  0x%02x  %-14s", number, opcode, dve_opcode_text(opcode, name, sizeof name));
    for (unsigned i = 0; i < format->operands; i++)
        print_operand(&insn, &operand[i], gen);
    if (opcode == DVE_OPCODE_MATCH_REPLACE8)
        printf("  replace %s", dve_f32_text(insn.value[DVE_SLOT_S4D4_MR_immediate], name));
    putchar('\n');
}

static unsigned channels_of(const dve_record *record)
{
    dve_insn insn;
    size_t count;
    dve_decode(record, &insn);
    const dve_format_info *format = dve_format(insn.format);
    const dve_field_info *field = dve_isa_fields(&count) + format->first_field;
    for (unsigned i = 0; i < format->fields; i++)
        if (field[i].kind == DVE_KIND_CHANNELS)
            return insn.value[field[i].slot];
    return 0;
}

/* A range of records, and how many run steps name it. */
typedef struct stream {
    uint64_t first, count, times;
} stream;

/* Ranges in the order in which they are first run; NULL without memory. Those of a plan that topk made
 * are few; of a foreign plan there may be as many as steps, so the newest is looked at first. */
static stream *streams_of(const dve_plan *plan, size_t *found)
{
    size_t count;
    const dve_plan_step *steps = dve_plan_steps(plan, &count);
    stream *list = malloc((count + 1) * sizeof *list);
    *found = 0;
    for (size_t i = 0; list && i < count; i++) {
        size_t at = *found;
        if (steps[i].action != DVE_PLAN_RUN)
            continue;
        while (at && (list[at - 1].first != steps[i].first || list[at - 1].count != steps[i].count))
            at--;
        if (at)
            list[at - 1].times++;
        else
            list[(*found)++] = (stream){steps[i].first, steps[i].count, 1};
    }
    return list;
}

dve_status cli_plan_listing(const dve_plan *plan)
{
    const dve_topk_options *o = dve_plan_options(plan);
    const dve_generation_info *generation = dve_generation(o->gen);
    size_t count, records;
    const dve_record *record = dve_plan_records(plan, &records);
    stream *list = streams_of(plan, &count);
    if (!list)
        return cli_fail(DVE_E_INTERNAL, "no memory for the listing");
    for (size_t i = 0; i < count && !ferror(stdout); i++) {
        printf("stream %zu: %" PRIu64 " records on %u partitions, %" PRIu64 " time%s\n", i, list[i].count,
               channels_of(&record[list[i].first]), list[i].times, list[i].times == 1 ? "" : "s");
        for (uint64_t n = list[i].first; n < list[i].first + list[i].count; n++)
            print_record(n, &record[n], o->gen);
    }
    printf("%" PRIu64 " record%s in all on %s\n", dve_plan_executes(plan), dve_plan_executes(plan) == 1 ? "" : "s",
           generation->name);
    if (*generation->note)
        printf("%s: %s\n", generation->name, generation->note);
    free(list);
    return DVE_OK;
}
