/* SPDX-License-Identifier: Apache-2.0 */
/* What a record costs beside its elements: decoding, judging, and finding what executes it. */
#include "bench.h"
#include "machine/machine.h"
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 4096, MANY = 256 };             /* 256 KiB of records; different ones to draw from */

static const char *const sources[] = {
#define LINE(text) text "\n"
#define EXAMPLE(opcode, title, source, data) source,
#include <opendve/isa/examples.def>
#undef EXAMPLE
};

/* Legal records of many opcodes: those of the worked examples that the generation takes. */
static unsigned gather(dve_record *out)
{
    static dve_text_source text;
    static dve_text_result result;
    unsigned count = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        dve_text_begin(&text, DVE_GEN_DEFAULT);
        dve_text_parse(&text, ".dve 1", 6, &result);
        for (const char *at = sources[i]; *at; at += *at == '\n') {
            size_t length = strcspn(at, "\n");
            dve_status status = dve_text_parse(&text, at, length, &result);
            at += length;
            if (status || result.kind != DVE_TEXT_RECORD || dve_check(&result.insn, DVE_GEN_DEFAULT, NULL, 0) ||
                count == MANY)
                continue;
            dve_encode(&result.insn, &out[count++]);
        }
    }
    return count;
}

static void nothing(const dve_lane *lane)
{
    (void)lane;
}

/* Functions of their own, so that the branch goes to many places. */
#define FOUR(n) nothing##n##0, nothing##n##1, nothing##n##2, nothing##n##3
#define DEFINE(n) static void nothing##n(const dve_lane *lane) { lane->state->accumulator += 1u + n; }
DEFINE(10) DEFINE(11) DEFINE(12) DEFINE(13) DEFINE(20) DEFINE(21) DEFINE(22) DEFINE(23)
DEFINE(30) DEFINE(31) DEFINE(32) DEFINE(33) DEFINE(40) DEFINE(41) DEFINE(42) DEFINE(43)
static dve_op_fn *const functions[] = {FOUR(1), FOUR(2), FOUR(3), FOUR(4)};

typedef struct overhead {
    dve_op ops[257];             /* one for every opcode, in the place of the library's */
    dve_machine *machine;
    dve_record *records;
    dve_program *program;
    dve_lane lane;
    dve_lane_state state;
} overhead;

static dve_status begin(bench *b, overhead *o)
{
    static dve_record many[MANY];
    static dve_stop stop;
    unsigned count = gather(many);
    dve_machine_config config;
    dve_machine_defaults(&config);
    for (unsigned i = 0; i < 256; i++) {
        o->ops[i].opcode = (uint8_t)i;
        o->ops[i].run = functions[i % (sizeof functions / sizeof *functions)];
    }
    config.ops = o->ops;
    o->machine = dve_machine_new(&config);
    o->records = aligned_alloc(64, sizeof *o->records * RECORDS);
    size_t size = (dve_program_size(RECORDS) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    if (!o->machine || !o->records || !memory || !count) {
        free(memory);
        return cli_fail(DVE_E_INTERNAL, "not enough memory to measure");
    }
    for (unsigned i = 0; i < RECORDS; i++)
        o->records[i] = many[bench_next(&b->random) % count];
    dve_status status = dve_program_make(memory, size, DVE_GEN_DEFAULT, o->records, RECORDS, &o->program, &stop);
    if (status)
        free(memory);
    return status ? cli_fail(DVE_E_INTERNAL, "a record that was legal is not") : DVE_OK;
}

static void end(overhead *o)
{
    dve_machine_free(o->machine);
    free(o->records);
    free(o->program);
}

static void dispatch(overhead *o, uint8_t opcode, const dve_insn *insn)
{
    const dve_op *op = o->machine->op[opcode];
    o->lane.insn = insn;
    (op ? op->run : nothing)(&o->lane);
}

static void fresh(overhead *o)
{
    dve_insn insn;
    for (unsigned i = 0; i < RECORDS; i++) {
        dve_decode(&o->records[i], &insn);
        if (dve_check(&insn, DVE_GEN_DEFAULT, NULL, 0) == 0)
            dispatch(o, o->records[i].byte[0], &insn);
    }
}

static void again(overhead *o)
{
    const uint8_t *opcode = dve_program_opcodes(o->program);
    for (unsigned i = 0; i < RECORDS; i++)
        dispatch(o, opcode[i], &o->program->insn[i]);
}

static dve_status measure(bench *b, void (*work)(overhead *o), bench_result *out)
{
    static overhead o;
    memset(out, 0, sizeof *out);
    memset(&o, 0, sizeof o);
    o.lane.state = &o.state;
    dve_status status = begin(b, &o);
    for (unsigned r = 0; r < b->runs && !status; r++) {
        bench_watch w = {0};
        while (bench_again(&w)) {
            bench_start(&w);
            work(&o);
            bench_stop(&w);
        }
        out->time_us[r] = w.us;
        out->value[r] = w.us * 1e3 / RECORDS;
        out->runs++;
    }
    b->sink += (double)o.state.accumulator;
    end(&o);
    return status;
}

dve_status bench_fresh(bench *b, const bench_line *line, bench_result *out)
{
    (void)line;
    return measure(b, fresh, out);
}

dve_status bench_program_again(bench *b, const bench_line *line, bench_result *out)
{
    (void)line;
    return measure(b, again, out);
}
