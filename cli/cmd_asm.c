/* SPDX-License-Identifier: Apache-2.0 */
/* opendve asm: text to records. */
#include "commands.h"
#include "outputs.h"
#include "source.h"
#include <inttypes.h>
#include <string.h>

const cli_option cli_asm_options[] = {
    {"output", 'o', "RECORDS.bin", "the records, 64 bytes each; - is stdout"},
    {0},
};

/* Where records go. Stdout gets them from a nameless file at the end, for nothing may come of a source that is
 * wrong in its last line, and memory must not grow with it. */
typedef struct assembly {
    const cli_arguments *a;
    const char *path;                /* of the output, NULL for none */
    dve_outset *outputs;
    unsigned output;
    FILE *spool;
    cli_source source;
    size_t used;
    uint8_t block[1024 * DVE_RECORD_BYTES];
} assembly;

static dve_status flush(assembly *as)
{
    dve_error error;
    size_t bytes = as->used;
    as->used = 0;
    if (as->spool && fwrite(as->block, 1, bytes, as->spool) != bytes)
        return cli_fail(DVE_E_OUTPUT, "stdout: no room for the records that wait for it");
    if (as->spool || !as->path || !bytes)
        return DVE_OK;
    dve_status status = dve_outset_write(as->outputs, as->output, as->block, bytes, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

static dve_status take(void *context, const cli_source *source)
{
    assembly *as = context;
    dve_record record;
    dve_encode(&source->result.insn, &record);
    memcpy(as->block + as->used, record.byte, sizeof record.byte);
    as->used += sizeof record.byte;
    return as->used == sizeof as->block ? flush(as) : DVE_OK;
}

static dve_status open_output(assembly *as, const char *source)
{
    dve_error error;
    if (!as->path)
        return DVE_OK;
    if (strcmp(as->path, "-") == 0) {
        as->spool = tmpfile();
        return as->spool ? DVE_OK : cli_fail(DVE_E_OUTPUT, "stdout: no file for the records that wait for it");
    }
    dve_status status = dve_outset_new(&as->outputs, &error);
    if (!status)
        status = cli_spare(as->outputs, as->a, NULL, source, &error);
    if (!status)
        status = cli_open_output(as->outputs, "output", as->path, &as->output, &error);
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

/* Makes the output appear. */
static dve_status commit(assembly *as)
{
    dve_error error;
    size_t n;
    if (as->spool) {
        rewind(as->spool);
        while ((n = fread(as->block, 1, sizeof as->block, as->spool)) > 0 && !ferror(stdout))
            fwrite(as->block, 1, n, stdout);
        return ferror(as->spool) ? cli_fail(DVE_E_OUTPUT, "stdout: the records that wait for it cannot be read") : cli_flush();
    }
    dve_status status = as->path ? dve_outset_commit(as->outputs, &error) : DVE_OK;
    return status ? cli_fail(status, "%s", error.text) : DVE_OK;
}

static dve_status report(const assembly *as, dve_status status)
{
    cli_report r;
    const cli_source *s = &as->source;
    cli_report_begin(&r, "asm", s->text.gen);
    cli_report_member(&r, "records", cli_json_int(status ? 0 : (int64_t)s->text.records));
    cli_report_list(&r, "tensors");
    for (uint32_t i = 0; i < s->text.tensors; i++)
        cli_report_element(&r, cli_json_tensor(&s->text.tensor[i]));
    cli_report_list_end(&r);
    cli_report_member(&r, "errors", cli_json_int((int64_t)s->errors));
    cli_report_member(&r, "error", cli_json_text(*s->first.text ? s->first.text : NULL));
    return cli_report_end(&r);
}

static dve_status assemble(assembly *as, const char *path, uint8_t gen)
{
    dve_status status = open_output(as, path);
    if (!status)
        status = cli_source_read(&as->source, path, gen, take, as);
    if (!status)
        status = flush(as);
    if (!status)
        status = commit(as);
    else
        dve_outset_free(as->outputs);
    dve_status printed = cli_flag(as->a, "json") ? report(as, status) : DVE_OK;
    if (as->spool)
        fclose(as->spool);
    return status ? status : printed;
}

dve_status cli_asm(const cli_arguments *a)
{
    static assembly as;
    const char *path;
    uint8_t gen;
    dve_settings settings;
    as.a = a;
    as.path = cli_value(a, "output");
    dve_status status = cli_one_file(a, &path);
    if (!status)
        status = cli_source_gen(a, &gen);
    if (!status)
        status = cli_settings(a, &settings);
    if (!status && !as.path && !cli_flag(a, "json"))
        status = cli_fail(DVE_E_USAGE, "asm needs an output: opendve asm %.200s -o RECORDS.bin (- is stdout)", path);
    if (!status && as.path && strcmp(as.path, "-") == 0 && cli_flag(a, "json"))
        status = cli_fail(DVE_E_USAGE, "stdout was given for the records and for --json, it serves for one");
    return status ? status : assemble(&as, path, gen);
}
