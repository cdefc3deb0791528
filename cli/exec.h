/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `opendve exec`, as its parts share it. */
#ifndef DVE_CLI_EXEC_H
#define DVE_CLI_EXEC_H

#include "place.h"
#include "source.h"
#include "stats.h"
#include "trace.h"

enum { EXEC_PUTS = 256, EXEC_NO_OUTPUT = 0xffff };

/* Options of every run on the model, as rows of a table of options. */
#define EXEC_RUN_OPTIONS                                                                                 \
    {"state-in", 0, "S", "begin with a state that --state-out wrote"},                                   \
    {"state-out", 0, "S", "write memory, hidden state, semaphores and registers"},                       \
    {"sem", 0, "I=V", "set semaphore I"},                                                                \
    {"reg", 0, "I=V", "set address register I"},                                                         \
    {"waits", 0, "honour|ignore", "ignore: waits are taken as satisfied"},                               \
    {"skip-control", 0, NULL, "check and count control records (0xa0-0xb7) instead of refusing them"},   \
    {"stats", 0, NULL, "records, elements and estimated time by opcode on stdout"},                      \
    {"trace", 0, "T.json", "a Chrome trace in modelled time"},                                           \
    {"convert", 0, NULL, "take float64 as float32, int64 as int32"},                                     \
    {"strict", 0, NULL, "a hazard is a failure"},                                                        \
    {"uninit", 0, "report|zero", "zero: memory begins as zero, without hazard"},                         \
    {"max-records", 0, "N", "execute no more than N records"},                                           \
    {"max-elements", 0, "N", "no operand of more than N elements a lane"},                               \
    {"threads", 0, "N", "threads that share the lanes, 1..128; default one per processor, results never depend on it"}, \
    CLI_SIMD_OPTIONS                                                                                     \
    {"get-on-error", 0, NULL, "write the outputs of a run that failed too"},                             \
    {"tables", 0, "DIR[:SET]", "run only what a microcode table set enables (default: its set default)"},\
    {"roster", 0, "NAME", "run only what a published table set of the generation enables"},

/* The records of a text source, see cmd_run.c. */
typedef struct exec_program {
    cli_source source;
    dve_record *record;
    uint64_t *line;              /* of each record */
    size_t count, capacity;
} exec_program;

typedef struct exec {
    const cli_arguments *a;
    const exec_program *program; /* NULL for `exec` itself */
    const char *records;         /* path of the records; NULL with a plan */
    dve_machine_config config;
    dve_machine *machine;
    dve_pool *pool;
    cli_place put[EXEC_PUTS], get[DVE_OUTSET_MAX];
    unsigned puts, gets;
    int json, stats_wanted, strict, on_error;

    dve_outset *outputs;
    unsigned get_output[DVE_OUTSET_MAX], state_output, trace_output;   /* EXEC_NO_OUTPUT: not wanted */

    cli_stats stats;
    cli_trace trace;
    cli_report report;
    dve_assumption_set earlier;  /* what a state that was read rests on */
    uint64_t base;               /* number that the machine gives the first record of this run */
    dve_stop stop;
    int saturate_set, table_generation;      /* what --tables and --roster assume */
} exec;

/* exec_args.c: everything that the command line says; DVE_E_USAGE with a message. */
dve_status exec_arguments(exec *e);
/* exec_io.c: the machine with its state, arrays in, outputs opened; arrays and state out. */
dve_status exec_machine(exec *e);
dve_status exec_inputs(exec *e);
dve_status exec_outset(exec *e);                 /* makes `outputs`, unless they are there */
dve_status exec_open_outputs(exec *e);
dve_status exec_write_outputs(exec *e);
/* exec_report.c: what the machine reports as it runs, and what is said at the end. */
void exec_observe(exec *e);
void exec_begin_report(exec *e);
void exec_hazard(exec *e, const dve_hazard *hazard);
/* Tells on stderr why the run stopped; `status` is what it answered. */
dve_status exec_tell_stop(const exec *e, dve_status status);
/* The report on stdout; `error` is the message of an input or output that failed, or NULL. */
dve_status exec_end_report(exec *e, const char *error);
/* Writes outputs and report and settles what becomes of the outputs; answers the final status. */
dve_status exec_finish(exec *e, dve_status status, const char *error);
void exec_free(exec *e);

/* exec_gate.c: --tables and --roster. Without `gen_fixed` a directory's generation becomes the run's. */
dve_status exec_gate(exec *e, int gen_fixed);
/* `used`, and what the gate assumes beside it. */
dve_assumption_set exec_gate_assumptions(const exec *e, dve_assumption_set used);

/* cmd_run.c: the places of --set and --get. */
dve_status exec_program_places(exec *e);

/* exec_plan.c: the whole of `exec --plan`. */
dve_status exec_plan(exec *e);

#endif
