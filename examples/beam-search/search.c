/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"

#include <inttypes.h>
#include <string.h>

#include "../bigram/util.h"

struct watch {
    const struct program *program;
    struct cost *cost;
    uint32_t hazards;
};

static void on_step(void *context, const dve_step *step)
{
    struct watch *w = context;
    uint8_t stage = w->program->stage[step->record];
    w->cost->records[stage]++;
    w->cost->cycles[stage] += step->cycles;
    w->cost->assumptions |= step->assumptions;
}

static void on_hazard(void *context, const dve_hazard *hazard)
{
    struct watch *w = context;
    char text[DVE_TEXT];
    if (w->hazards++ == 0)
        fail(INTERNAL, "%s", dve_hazard_text(hazard, text, sizeof text));
}

static int run(dve_machine *machine, const struct program *p, uint8_t gen, uint32_t first, uint32_t last)
{
    dve_stop stop;
    char text[DVE_TEXT];
    if (dve_machine_run(machine, p->records + first, last - first, &stop) == DVE_OK)
        return OK;
    if (stop.broken)
        return fail(INTERNAL, "%s", dve_diag_text(stop.record, &stop.insn, &stop.diags[0], text, sizeof text));
    return fail(INTERNAL, "%s", dve_stop_text(&stop, gen, text, sizeof text));
}

static uint8_t *at(dve_machine *machine, uint32_t lane, uint32_t tile, uint32_t element)
{
    uint32_t active;
    return dve_machine_bytes(machine, DVE_SPACE_SBUF, lane, &active) + tile_offset(tile) + 4 * element;
}

static void put_row(dve_machine *machine, uint32_t lane, const float *row, uint32_t count)
{
    const dve_place place = {DVE_SPACE_SBUF, lane, tile_offset(TILE_ROW)};
    for (uint32_t w = 0; w < count; w++) {
        uint32_t bits;
        memcpy(&bits, &row[w], sizeof bits);
        dve_num_store_bits(4, bits, at(machine, lane, TILE_ROW, w));
    }
    dve_machine_mark(machine, &place, count * 4);
}

static void read_answer(dve_machine *machine, const struct question *q, struct answer *a)
{
    memset(a, 0, sizeof *a);
    for (uint32_t b = 0; b < q->width; b++) {
        uint32_t bits = dve_num_load_bits(4, at(machine, 0, TILE_WINNERS, b));
        memcpy(&a->score[b], &bits, sizeof bits);
        for (uint32_t t = 0; t < q->length; t++)
            a->word[b][t] = dve_num_load_bits(4, at(machine, t, TILE_HISTORY, b));
    }
}

static int run_steps(dve_machine *machine, const struct program *p, const struct question *q, uint8_t gen,
                     struct rows *rows)
{
    int code = run(machine, p, gen, 0, p->step[0]);
    for (uint32_t t = 0; t < q->length && code == OK; t++) {
        for (uint32_t b = 0; b < q->width; b++) {
            uint32_t last = t ? dve_num_load_bits(4, at(machine, 0, TILE_NEW_WORDS, b)) : q->prompt;
            if (last >= rows->model->vocabulary)
                return fail(INTERNAL, "step %" PRIu32 " gave beam %" PRIu32 " the word %" PRIu32, t - 1, b, last);
            put_row(machine, b, rows_get(rows, last), rows->model->vocabulary);
        }
        code = run(machine, p, gen, p->step[t], p->step[t + 1]);
    }
    return code;
}

int search_run(const struct program *p, const struct question *q, uint8_t gen, struct rows *rows, struct answer *a,
               struct cost *cost)
{
    struct watch watch = {.program = p, .cost = cost};
    dve_machine_config config;
    *cost = (struct cost){0};
    dve_machine_defaults(&config);
    config.gen = gen;
    config.observer = (dve_observer){&watch, on_step, on_hazard};
    dve_machine *machine = dve_machine_new(&config);
    if (!machine)
        return fail(INTERNAL, "no memory for a machine");
    int code = run_steps(machine, p, q, gen, rows);
    if (code == OK && watch.hazards)
        code = INTERNAL;
    if (code == OK)
        read_answer(machine, q, a);
    dve_machine_free(machine);
    return code;
}

int search_answer(const struct question *q, uint8_t gen, struct rows *rows, struct answer *a, struct cost *cost)
{
    struct program p;
    int code = program_make(&p, q, rows->model->vocabulary, gen);
    if (code == OK)
        code = search_run(&p, q, gen, rows, a, cost);
    program_free(&p);
    return code;
}
