/* SPDX-License-Identifier: Apache-2.0 */
/* opendve exec: records on the model of the engine. */
#include "exec.h"
#include "commands.h"
#include "io/records.h"

const cli_option cli_exec_options[] = {
    {"put", 0, "SPACE[P]@OFF[:D]=F.npy", "rows of an array into partitions P and up, at byte OFF"},
    {"get", 0, "SPACE[P:C]@OFF:D:N=F.npy", "N elements of each of C partitions into an array"},
    {"state-in", 0, "S", "begin with a state that --state-out wrote"},
    {"state-out", 0, "S", "write memory, hidden state, semaphores and registers"},
    {"sem", 0, "I=V", "set semaphore I"},
    {"reg", 0, "I=V", "set address register I"},
    {"waits", 0, "honour|ignore", "ignore: waits are taken as satisfied"},
    {"skip-control", 0, NULL, "check and count control records (0xa0-0xb7) instead of refusing them"},
    {"stats", 0, NULL, "records, elements and estimated time by opcode on stdout"},
    {"trace", 0, "T.json", "a Chrome trace in modelled time"},
    {"convert", 0, NULL, "take float64 as float32, int64 as int32"},
    {"strict", 0, NULL, "a hazard is a failure"},
    {"uninit", 0, "report|zero", "zero: memory begins as zero, without hazard"},
    {"max-records", 0, "N", "execute no more than N records"},
    {"max-elements", 0, "N", "no operand of more than N elements a lane"},
    {"threads", 0, "N", "threads that share the lanes, 1..128 (default 1); results never depend on it"},
    {"get-on-error", 0, NULL, "write the outputs of a run that failed too"},
    {"plan", 0, "P.json", "replay a plan of topk; its records are beside it"},
    {"in", 0, "F.npy", "input of the plan"},
    {"values", 0, "V.npy", "values that the plan gives"},
    {"indices", 0, "I.npy", "indices that the plan gives"},
    {"tables", 0, "DIR[:SET]", "not in this version"},
    {"roster", 0, "NAME", "not in this version"},
    {0},
};

/* Runs block after block; *error tells of an input that cannot be read. */
static dve_status run_stream(exec *e, dve_record_stream *stream, dve_error *error)
{
    dve_record_block block;
    for (;;) {
        dve_status status = dve_record_stream_next(stream, &block, error);
        if (status || !block.count)
            return status;
        const dve_record *records = (const dve_record *)(const void *)block.bytes;
        status = dve_machine_run(e->machine, records, block.count, &e->stop);
        e->stop.record -= e->base;
        if (status)
            return status;
        cli_progress(block.first + block.count);
    }
}

static dve_status run_records(exec *e)
{
    dve_error error;
    dve_record_stream *stream;
    dve_status status = dve_record_stream_open(e->records, &stream, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    status = exec_open_outputs(e);
    if (status) {
        dve_record_stream_close(stream);
        return status;
    }
    exec_begin_report(e);
    status = run_stream(e, stream, &error);
    dve_record_stream_close(stream);
    cli_progress_end();
    const char *failed = status == DVE_E_INPUT ? error.text : NULL;
    if (failed)
        cli_fail(status, "%s", failed);
    else if (status)
        exec_tell_stop(e, status);
    return exec_finish(e, status, failed);
}

static dve_status run(exec *e)
{
    dve_status status = exec_arguments(e);
    if (!status && !e->records)
        return exec_plan(e);
    if (!status)
        status = exec_machine(e);
    if (!status)
        status = exec_inputs(e);
    return status ? status : run_records(e);
}

dve_status cli_exec(const cli_arguments *a)
{
    static exec e;
    e.a = a;
    dve_status status = run(&e);
    exec_free(&e);
    return status;
}
