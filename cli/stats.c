/* SPDX-License-Identifier: Apache-2.0 */
#include "stats.h"
#include "table.h"
#include <inttypes.h>

void cli_stats_step(cli_stats *stats, const dve_step *step)
{
    uint8_t opcode = dve_insn_opcode(step->insn);
    if (step->skipped) {
        stats->skipped++;
        return;
    }
    stats->records++;
    stats->opcode[opcode].records++;
    stats->opcode[opcode].elements += step->elements;
    stats->opcode[opcode].cycles += step->cycles;
}

void cli_stats_hazard(cli_stats *stats, const dve_hazard *hazard)
{
    char text[DVE_TEXT];
    if (stats->hazards_total++ < CLI_HAZARDS_SHOWN)
        cli_note("hazard: %s", dve_hazard_text(hazard, text, sizeof text));
    if ((unsigned)hazard->kind < DVE_HAZARD_KINDS)
        stats->hazards[hazard->kind]++;
}

/* "never-written 2, power-on-state 1" */
static const char *kinds_text(const cli_stats *stats, char *out, size_t capacity)
{
    size_t used = 0;
    out[0] = '\0';
    for (unsigned k = 0; k < DVE_HAZARD_KINDS && used < capacity; k++)
        if (stats->hazards[k])
            used += (size_t)snprintf(out + used, capacity - used, "%s%s %" PRIu64, used ? ", " : "",
                                     dve_hazard_name((dve_hazard_kind)k), stats->hazards[k]);
    return out;
}

void cli_stats_hazard_total(const cli_stats *stats)
{
    char text[256];
    if (stats->hazards_total)
        cli_note("%" PRIu64 " hazard%s in all (%s): results may not be what was intended", stats->hazards_total,
                 stats->hazards_total == 1 ? "" : "s", kinds_text(stats, text, sizeof text));
}

uint32_t cli_clock(uint8_t gen)
{
    return dve_generation(dve_generation(gen)->runs_as)->clock_mhz;
}

char *cli_ns_text(uint64_t cycles, uint8_t gen, char out[40])
{
    uint64_t mhz = cli_clock(gen), ns = cycles / mhz * 1000;
    uint64_t rest = (cycles % mhz * 1000000 + mhz / 2) / mhz;    /* thousandths, rounded */
    snprintf(out, 40, "%" PRIu64 ".%03" PRIu64, ns + rest / 1000, rest % 1000);
    return out;
}

static void add_row(cli_table *table, const char *name, uint64_t records, uint64_t elements, uint64_t cycles,
                    uint8_t gen)
{
    char text[40];
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%" PRIu64, records);
    cli_table_add(table, "%" PRIu64, elements);
    cli_table_add(table, "%" PRIu64, cycles);
    cli_table_add(table, "%s", cli_ns_text(cycles, gen, text));
}

void cli_print_assumptions(dve_assumption_set used)
{
    size_t count;
    unsigned printed = 0;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    for (size_t i = 0; i < count; i++)
        if (used >> i & 1)
            printf("%s%s", printed++ ? ", " : "assumptions: ", rows[i].id);
    if (printed)
        putchar('\n');
}

dve_status cli_stats_table(const cli_stats *stats, uint8_t gen)
{
    static const char *const headings[] = {"opcode", ">records", ">elements", ">cycles (estimate)", ">ns (estimate)",
                                           NULL};
    char text[64];
    uint64_t elements = 0, cycles = 0;
    cli_table table;
    cli_table_begin(&table, headings);
    for (unsigned o = 0; o < 256; o++) {
        if (!stats->opcode[o].records)
            continue;
        add_row(&table, dve_opcode_text((uint8_t)o, text, sizeof text), stats->opcode[o].records,
                stats->opcode[o].elements, stats->opcode[o].cycles, gen);
        elements += stats->opcode[o].elements;
        cycles += stats->opcode[o].cycles;
    }
    add_row(&table, "total", stats->records, elements, cycles, gen);
    return cli_table_end(&table, stdout) ? DVE_OK : cli_fail(DVE_E_INTERNAL, "not enough memory");
}

dve_status cli_stats_text(const cli_stats *stats, uint8_t gen, dve_assumption_set used)
{
    char text[256];
    const dve_generation_info *generation = dve_generation(gen);
    printf("%" PRIu64 " record%s executed, %" PRIu64 " skipped on %s\n\n", stats->records,
           stats->records == 1 ? "" : "s", stats->skipped, generation->name);
    dve_status status = cli_stats_table(stats, gen);
    if (status)
        return status;
    printf("\nelements are those of the largest operand, a lane; the clock is %u MHz\n", cli_clock(gen));
    kinds_text(stats, text, sizeof text);
    printf("hazards: %" PRIu64 "%s%s%s\n", stats->hazards_total, *text ? " (" : "", text, *text ? ")" : "");
    cli_print_assumptions(used);
    if (*generation->note)
        printf("%s: %s\n", generation->name, generation->note);
    return DVE_OK;
}

json_object *cli_stats_json(const cli_stats *stats, uint8_t gen)
{
    char text[40];
    json_object *list = json_object_new_array();
    for (unsigned o = 0; o < 256; o++) {
        if (!stats->opcode[o].records)
            continue;
        json_object *row = json_object_new_object();
        cli_ns_text(stats->opcode[o].cycles, gen, text);
        json_object_object_add(row, "opcode",
                               cli_json_text(dve_opcode((uint8_t)o) ? dve_opcode((uint8_t)o)->name : NULL));
        json_object_object_add(row, "records", cli_json_int((int64_t)stats->opcode[o].records));
        json_object_object_add(row, "elements", cli_json_int((int64_t)stats->opcode[o].elements));
        json_object_object_add(row, "cycles", cli_json_int((int64_t)stats->opcode[o].cycles));
        double ns = (double)stats->opcode[o].cycles * 1000 / cli_clock(gen);
        json_object_object_add(row, "ns", json_object_new_double_s(ns, text));
        json_object_object_add(row, "estimate", json_object_new_boolean(1));
        json_object_array_add(list, row);
    }
    return list;
}

json_object *cli_stats_hazards_json(const cli_stats *stats)
{
    json_object *counts = json_object_new_object();
    json_object_object_add(counts, "total", cli_json_int((int64_t)stats->hazards_total));
    for (unsigned k = 0; k < DVE_HAZARD_KINDS; k++)
        json_object_object_add(counts, dve_hazard_name((dve_hazard_kind)k), cli_json_int((int64_t)stats->hazards[k]));
    return counts;
}

static void add_place(json_object *row, const dve_hazard *h)
{
    json_object_object_add(row, "space", cli_json_text(dve_space_name(h->space)));
    json_object_object_add(row, "partition", cli_json_int(h->partition));
    json_object_object_add(row, "byte", cli_json_int(h->byte));
}

json_object *cli_hazard_json(const dve_hazard *h)
{
    json_object *row = json_object_new_object();
    json_object_object_add(row, "kind", cli_json_text(dve_hazard_name(h->kind)));
    json_object_object_add(row, "class", cli_json_text("alters"));
    json_object_object_add(row, "record", h->record == UINT64_MAX ? NULL : cli_json_int((int64_t)h->record));
    if (h->kind == DVE_HAZARD_PARTIAL_OVERLAP) {
        json_object *both = json_object_new_array();
        json_object_array_add(both, cli_json_text(h->operand));
        json_object_array_add(both, cli_json_text(h->other));
        json_object_object_add(row, "operands", both);
        add_place(row, h);
        return row;
    }
    if (h->operand)
        json_object_object_add(row, "operand", cli_json_text(h->operand));
    if (h->state)
        json_object_object_add(row, "state", cli_json_text(h->state));
    if (h->kind == DVE_HAZARD_NEVER_WRITTEN || h->kind == DVE_HAZARD_DESTINATION_TWICE)
        add_place(row, h);
    else
        json_object_object_add(row, "lane", cli_json_int(h->lane));
    if (h->kind == DVE_HAZARD_THROUGH_FP32)
        json_object_object_add(row, "element", cli_json_int(h->element));
    if (h->kind != DVE_HAZARD_DESTINATION_TWICE)
        json_object_object_add(row, "count", cli_json_int((int64_t)h->count));
    return row;
}
