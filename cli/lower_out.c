/* SPDX-License-Identifier: Apache-2.0 */
/* What opendve lower prints and writes. */
#include "lower.h"
#include "outputs.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *name_of(uint8_t opcode)
{
    return dve_opcode(opcode)->name;
}

dve_status cli_lower_census(const lower_work *w, int to_stderr)
{
    FILE *out = to_stderr ? stderr : stdout;
    const char *mode = cli_value(w->a, "mode");
    int lists = mode && strcmp(mode, "collect") == 0;
    for (size_t i = 0; i < w->count && lists; i++)
        fprintf(out, "0x%02x %s\n", w->record[i].byte[0], name_of(w->record[i].byte[0]));
    fprintf(out, "census %s\n", dve_generation(w->target.gen)->name);
    for (unsigned i = 0; i < w->opcodes; i++)
        fprintf(out, "0x%02x %s %" PRIu64 "\n", w->order[i], name_of(w->order[i]), w->uses[w->order[i]]);
    return cli_flush();
}

static json_object *opcode_json(uint8_t opcode)
{
    char text[8];
    snprintf(text, sizeof text, "0x%02x", opcode);
    return json_object_new_string(text);
}

dve_status cli_lower_report(lower_work *w, const char *mode)
{
    cli_report r;
    cli_report_begin(&r, "lower", w->target.gen);
    cli_report_member(&r, "mode", cli_json_text(mode));
    cli_report_member(&r, "instructions", cli_json_int((int64_t)w->instructions));
    cli_report_list(&r, "opcodes");
    for (size_t i = 0; i < w->count; i++)
        cli_report_element(&r, opcode_json(w->record[i].byte[0]));
    cli_report_list_end(&r);
    cli_report_list(&r, "census");
    for (unsigned i = 0; i < w->opcodes; i++) {
        json_object *row = json_object_new_object();
        json_object_object_add(row, "opcode", opcode_json(w->order[i]));
        json_object_object_add(row, "name", cli_json_text(name_of(w->order[i])));
        json_object_object_add(row, "count", cli_json_int((int64_t)w->uses[w->order[i]]));
        cli_report_element(&r, row);
    }
    cli_report_list_end(&r);
    cli_report_member(&r, "refused", w->refusals);
    cli_report_member(&r, "broken", w->found);
    cli_report_member(&r, "assumptions", cli_json_assumptions(w->assumptions));
    return cli_report_end(&r);
}

/* ---- files ---- */

enum { PATH = 4096 };

/* An opcode of any roster is the vector engine's, the others are the pool engine's. */
static int is_rostered(uint8_t opcode)
{
    size_t count;
    const dve_roster_info *roster = dve_isa_rosters(&count);
    for (size_t i = 0; i < count; i++)
        if (dve_roster_holds(&roster[i], opcode))
            return 1;
    return 0;
}

typedef struct streams {
    dve_outset *set;
    unsigned all, dve, pool;
    dve_error error;
} streams;

static dve_status open_split(streams *s, const char *directory)
{
    char path[PATH];
    if ((size_t)snprintf(path, sizeof path, "%s/dve.bin", directory) >= sizeof path - 4)
        return cli_fail(DVE_E_USAGE, "option --split-engines: allowed is a name of up to %d bytes", PATH - 16);
    dve_status status = cli_open_output(s->set, "split-engines", path, &s->dve, &s->error);
    snprintf(path, sizeof path, "%s/pool.bin", directory);
    if (!status)
        status = cli_open_output(s->set, "split-engines", path, &s->pool, &s->error);
    return status ? cli_fail(status, "%s", s->error.text) : DVE_OK;
}

static dve_status write_one(streams *s, unsigned output, const dve_record *record, size_t count)
{
    dve_status status = count ? dve_outset_write(s->set, output, record, count * sizeof *record, &s->error) : DVE_OK;
    return status ? cli_fail(status, "%s", s->error.text) : DVE_OK;
}

static dve_status write_all(streams *s, const lower_work *w, const char *output, const char *directory)
{
    dve_status status = dve_outset_new(&s->set, &s->error);
    if (!status)
        status = cli_spare(s->set, w->a, NULL, w->file, &s->error);
    if (!status && output)
        status = cli_open_output(s->set, "output", output, &s->all, &s->error);
    if (status)
        return cli_fail(status, "%s", s->error.text);
    if (directory)
        status = open_split(s, directory);
    if (!status && output)
        status = write_one(s, s->all, w->record, w->count);
    for (size_t i = 0; i < w->count && directory && !status; i++)
        status = write_one(s, is_rostered(w->record[i].byte[0]) ? s->dve : s->pool, &w->record[i], 1);
    if (!status && dve_outset_commit(s->set, &s->error))
        status = cli_fail(DVE_E_OUTPUT, "%s", s->error.text);
    return status;
}

dve_status cli_lower_write(const lower_work *w)
{
    const char *output = cli_value(w->a, "output"), *directory = cli_value(w->a, "split-engines");
    streams s = {NULL, 0, 0, 0, {""}};
    if (!output && !directory)
        return DVE_OK;
    int made = directory && mkdir(directory, 0777) == 0;
    if (directory && !made && errno != EEXIST)
        return cli_fail(DVE_E_OUTPUT, "%.200s: cannot make the directory: %s", directory, strerror(errno));
    dve_status status = write_all(&s, w, output, directory);
    dve_outset_free(s.set);
    if (status && made)
        rmdir(directory);
    return status;
}
