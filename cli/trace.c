/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"
#include <inttypes.h>
#include <string.h>

static void put(cli_trace *trace, const char *text)
{
    if (!trace->status)
        trace->status = dve_outset_write(trace->set, trace->index, text, strlen(text), &trace->error);
}

/* Cycles in microseconds with six decimals, by integers: the same text everywhere. */
static const char *us_text(uint64_t cycles, uint8_t gen, char out[40])
{
    uint64_t mhz = dve_generation(dve_generation(gen)->runs_as)->clock_mhz;
    snprintf(out, 40, "%" PRIu64 ".%06" PRIu64, cycles / mhz, cycles % mhz * 1000000 / mhz);
    return out;
}

void cli_trace_begin(cli_trace *trace, dve_outset *set, unsigned index, uint8_t gen)
{
    char text[512];
    memset(trace, 0, sizeof *trace);
    trace->set = set;
    trace->index = index;
    trace->gen = gen;
    snprintf(text, sizeof text,
             "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"schema\":\"opendve.trace/1\",\"version\":\"%s\","
             "\"gen\":\"%s\",\"time\":\"modelled, an estimate\"},\n\"traceEvents\":[\n"
             "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"vector engine\"}}",
             OPENDVE_VERSION, dve_generation(gen)->name);
    put(trace, text);
}

void cli_trace_step(cli_trace *trace, const dve_step *step)
{
    char text[512], name[64], begin[40], length[40];
    snprintf(text, sizeof text,
             ",\n{\"name\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%s,\"dur\":%s,\"args\":{\"record\":%" PRIu64
             ",\"elements\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"skipped\":%s}}",
             dve_opcode_text(dve_insn_opcode(step->insn), name, sizeof name), us_text(trace->cycles, trace->gen, begin),
             us_text(step->cycles, trace->gen, length), step->record, step->elements, step->cycles,
             step->skipped ? "true" : "false");
    put(trace, text);
    trace->cycles += step->cycles;
    trace->slices++;
}

dve_status cli_trace_end(cli_trace *trace, dve_error *error)
{
    put(trace, "\n]}\n");
    if (trace->status)
        *error = trace->error;
    return trace->status;
}
