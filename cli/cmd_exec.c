/* SPDX-License-Identifier: Apache-2.0 */
/* opendve exec: records on the model of the engine. */
#include "exec.h"
#include "neff.h"
#include "commands.h"
#include "io/records.h"

const cli_option cli_exec_options[] = {
    {"put", 0, "SPACE[P]@OFF[:D]=F.npy", "rows of an array into partitions P and up, at byte OFF"},
    {"get", 0, "SPACE[P:C]@OFF:D:N=F.npy", "N elements of each of C partitions into an array"},
    EXEC_RUN_OPTIONS
    {"plan", 0, "P.json", "replay a plan of topk; its records are beside it"},
    {"in", 0, "F.npy", "input of the plan"},
    {"values", 0, "V.npy", "values that the plan gives"},
    {"indices", 0, "I.npy", "indices that the plan gives"},
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
    status = cli_neff_refuse(stream, e->records, "exec");
    if (!status)
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
