/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_WIDTH = 46 };

/* The sentence up to its end; "..." where it has none. */
static void print_sentence(const struct model *m, const struct question *q, const char *prompt, const uint32_t *words)
{
    uint32_t t = 0;
    fputs(prompt, stdout);
    for (; t < q->length && words[t] != q->end; t++)
        printf(" %.*s", (int)m->words[words[t]].length, (const char *)model_letters(m, words[t]));
    fputs(t < q->length ? ".\n" : " ...\n", stdout);
}

void report_answer(const struct model *m, const struct question *q, const char *prompt, const struct answer *a)
{
    for (uint32_t b = 0; b < q->width; b++) {
        printf("%9.4f  ", (double)a->score[b]);
        print_sentence(m, q, prompt, a->word[b]);
    }
    putchar('\n');
}

static void print_steps(const struct program *p, const struct question *q)
{
    const uint32_t barred = q->end == NO_WORD ? 0 : q->shortest < q->length ? q->shortest : q->length;
    printf("records: %" PRIu32 " to set up; ", p->step[0]);
    if (barred > 0)
        printf("%" PRIu32 " in each of the first %" PRIu32 " steps%s", p->step[1] - p->step[0], barred,
               barred < q->length ? ", " : "");
    if (barred < q->length)
        printf("%" PRIu32 " in each %sstep", p->step[q->length] - p->step[q->length - 1], barred > 0 ? "other " : "");
    printf("\n\n");
}

/* Which instructions a stage consists of, each named once, and the engine of those that are not the vector engine's. */
static void print_names(const struct program *p, enum stage stage)
{
    bool seen[256] = {false};
    printf("   ");
    for (uint32_t i = 0; i < p->count; i++) {
        const uint8_t opcode = p->records[i].byte[0];
        char text[DVE_TEXT];
        if (p->stage[i] != stage || seen[opcode])
            continue;
        seen[opcode] = true;
        printf(" %s%s", dve_opcode_text(opcode, text, sizeof text),
               strncmp(dve_opcode_engine(opcode, FIRST_GEN), "pool", 4) == 0 ? " (pool engine)" : "");
    }
    putchar('\n');
}

static void print_stage(const char *text, uint64_t records, const uint64_t cycles[GENS])
{
    printf("%-*s %7" PRIu64, TEXT_WIDTH, text, records);
    for (int g = 0; g < GENS; g++) {
        const dve_generation_info *info = dve_generation((uint8_t)(FIRST_GEN + g));
        printf(" %8.2f", (double)cycles[g] / dve_generation(info->runs_as)->clock_mhz);
    }
    putchar('\n');
}

static void print_assumptions(dve_assumption_set set)
{
    size_t count;
    const dve_assumption_info *rows = dve_isa_assumptions(&count);
    printf("\nassumptions used (opendve isa assumptions):\n   ");
    for (size_t i = 0; i < count; i++)
        if (set >> i & 1)
            printf(" %s", rows[i].id);
    putchar('\n');
}

void report_cost(const struct program *p, const struct question *q, const struct cost cost[GENS])
{
    uint64_t records = 0, total[GENS] = {0};
    dve_assumption_set assumptions = p->assumptions;
    print_steps(p, q);
    printf("%-*s %7s", TEXT_WIDTH, "one prompt, engine time in us, estimated", "records");
    for (int g = 0; g < GENS; g++)
        printf(" %8s", dve_generation((uint8_t)(FIRST_GEN + g))->name);
    putchar('\n');
    for (enum stage s = 0; s < STAGE_COUNT; s++) {
        uint64_t cycles[GENS];
        if (cost[0].records[s] == 0)
            continue;
        for (int g = 0; g < GENS; g++) {
            cycles[g] = cost[g].cycles[s];
            total[g] += cycles[g];
        }
        records += cost[0].records[s];
        print_stage(stage_text[s], cost[0].records[s], cycles);
        print_names(p, s);
    }
    print_stage("in all", records, total);
    for (int g = 0; g < GENS; g++)
        assumptions |= cost[g].assumptions;
    printf("gen5 runs as gen4 here, with its clock\n");
    print_assumptions(assumptions);
}
