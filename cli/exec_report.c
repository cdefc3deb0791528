/* SPDX-License-Identifier: Apache-2.0 */
/* What a run reports while it goes and when it has ended. */
#include "exec.h"
#include <inttypes.h>

static void on_step(void *context, const dve_step *step)
{
    exec *e = context;
    dve_step own = *step;
    own.record -= e->base;
    cli_stats_step(&e->stats, &own);
    if (e->trace_output != EXEC_NO_OUTPUT)
        cli_trace_step(&e->trace, &own);
}

static void on_hazard(void *context, const dve_hazard *hazard)
{
    exec *e = context;
    dve_hazard own = *hazard;
    if (own.record != UINT64_MAX)
        own.record -= e->base;
    exec_hazard(e, &own);
}

void exec_hazard(exec *e, const dve_hazard *hazard)
{
    cli_stats_hazard(&e->stats, hazard);
    if (e->json)
        cli_report_element(&e->report, cli_hazard_json(hazard));
}

void exec_observe(exec *e)
{
    dve_observer observer = {.context = e, .step = on_step, .hazard = on_hazard};
    dve_machine_set_observer(e->machine, &observer);
}

/* Hazards come first in the document, as they come first in time: nothing is kept in memory. */
void exec_begin_report(exec *e)
{
    if (!e->json)
        return;
    cli_report_begin(&e->report, e->program ? "run" : "exec", e->config.gen);
    cli_report_list(&e->report, "hazards");
}

dve_status exec_tell_stop(const exec *e, dve_status status)
{
    char text[DVE_TEXT];
    const dve_stop *stop = &e->stop;
    dve_diag diags[DVE_MAX_DIAGS];
    size_t broken = stop->broken < DVE_MAX_DIAGS ? stop->broken : DVE_MAX_DIAGS;
    dve_stop_text(stop, e->config.gen, text, sizeof text);
    if (e->program)
        cli_fail(status, "%.200s:%" PRIu64 ": %s", e->program->source.name, e->program->line[stop->record], text);
    else if (e->records)
        cli_fail(status, "%.200s, byte %" PRIu64 ": %s", e->records, stop->record * DVE_RECORD_BYTES, text);
    else
        cli_fail(status, "%s", text);
    for (size_t i = 0; i < broken; i++)
        diags[i] = stop->diags[i];
    cli_sort_diags(diags, broken);
    if (stop->reason == DVE_REFUSED_CONTROL)
        cli_note("--skip-control skips them");
    for (size_t i = 0; i < broken; i++)
        cli_fail(status, "%s", dve_diag_text(stop->record, &stop->insn, &diags[i], text, sizeof text));
    return status;
}

static json_object *stop_json(const exec *e)
{
    char text[DVE_TEXT];
    const dve_stop *stop = &e->stop;
    dve_diag diags[DVE_MAX_DIAGS];
    size_t broken = stop->broken < DVE_MAX_DIAGS ? stop->broken : DVE_MAX_DIAGS;
    if (stop->reason == DVE_REFUSED_NOT)
        return NULL;
    json_object *object = json_object_new_object(), *list = json_object_new_array();
    json_object_object_add(object, "record", cli_json_int((int64_t)stop->record));
    json_object_object_add(object, "reason", cli_json_text(dve_refusal_name(stop->reason)));
    json_object_object_add(object, "message", cli_json_text(dve_stop_text(stop, e->config.gen, text, sizeof text)));
    for (size_t i = 0; i < broken; i++)
        diags[i] = stop->diags[i];
    cli_sort_diags(diags, broken);
    for (size_t i = 0; i < broken; i++)
        json_object_array_add(list, cli_json_diag(&stop->insn, &diags[i]));
    json_object_object_add(object, "broken", list);
    return object;
}

/* Times rest on the assumption `cost`. */
static dve_assumption_set assumptions(const exec *e)
{
    dve_assumption_set used = exec_gate_assumptions(e, e->earlier | dve_machine_assumptions(e->machine));
    return e->stats.records ? used | (dve_assumption_set)1 << DVE_ASSUMPTION_cost : used;
}

dve_status exec_end_report(exec *e, const char *error)
{
    cli_report *r = &e->report;
    if (!e->json) {
        dve_status status = e->stats_wanted ? cli_stats_text(&e->stats, e->config.gen, assumptions(e)) : DVE_OK;
        return status ? status : cli_flush();
    }
    cli_report_list_end(r);
    cli_report_member(r, "records", cli_json_int((int64_t)e->stats.records));
    cli_report_member(r, "skipped", cli_json_int((int64_t)e->stats.skipped));
    cli_report_member(r, "stats", cli_stats_json(&e->stats, e->config.gen));
    cli_report_member(r, "hazard_counts", cli_stats_hazards_json(&e->stats));
    cli_report_member(r, "assumptions", cli_json_assumptions(assumptions(e)));
    cli_report_member(r, "stopped", stop_json(e));
    cli_report_member(r, "error", cli_json_text(error));
    return cli_report_end(r);
}

dve_status exec_finish(exec *e, dve_status status, const char *error)
{
    dve_error text;
    dve_status written = status && !e->on_error ? DVE_OK : exec_write_outputs(e);
    cli_stats_hazard_total(&e->stats);
    if (!status && e->strict && e->stats.hazards_total)
        status = cli_fail(DVE_E_FINDING, "--strict: %" PRIu64 " hazard%s, so no output is written%s",
                          e->stats.hazards_total, e->stats.hazards_total == 1 ? "" : "s",
                          e->on_error ? " but on demand" : "");
    dve_status printed = exec_end_report(e, error);
    if (!written)
        written = printed;
    if (written || (status && !e->on_error))
        dve_outset_abort(e->outputs);
    else if ((written = dve_outset_commit(e->outputs, &text)) != DVE_OK)
        cli_fail(written, "%s", text.text);
    return status ? status : written;
}
