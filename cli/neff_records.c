/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of a package where a command takes records. */
#include "neff.h"
#include <stdlib.h>
#include <string.h>

int cli_neff_is(dve_record_stream *stream, const char *graph)
{
    const uint8_t *bytes;
    size_t size = dve_record_stream_peek(stream, &bytes);
    /* One record alone is a record, whatever it looks like. */
    return graph || (size > DVE_RECORD_BYTES && dve_neff_kind_of(bytes, size) != DVE_NEFF_NOT);
}

dve_status cli_neff_refuse(dve_record_stream *stream, const char *path, const char *command)
{
    if (!cli_neff_is(stream, NULL))
        return DVE_OK;
    return cli_fail(DVE_E_INPUT, "%.200s: a NEFF or an archive was given, %s takes records: `opendve neff extract` unpacks the streams "
                    "of a NEFF", strcmp(path, "-") == 0 ? "stdin" : path, command);
}

/* The first graph from *at on that the stream was taken from; there is one, as streams are in the order of their first graphs. */
static const dve_neff_graph *graph_of(const cli_package *neff, const dve_archive_member *stream, const char *name, size_t *at)
{
    const dve_neff_graph *g = &neff->graphs[*at];
    while (g->stream != stream || (name && (!g->name || strcmp(g->name, name) != 0)))
        g = &neff->graphs[++*at];
    return g;
}

static dve_status read_stream(const cli_package *neff, const dve_archive_member *member, const cli_neff_reader *reader)
{
    dve_error error;
    dve_record_stream *stream;
    char name[400];
    snprintf(name, sizeof name, "%.150s: member %.200s", neff->name, member->name);
    dve_status status = dve_record_stream_over(member->data, member->size, name, &stream, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    status = reader->stream(reader->context, member->name, stream);
    dve_record_stream_close(stream);
    return status;
}

dve_status cli_neff_records(const cli_arguments *a, const char *path, dve_record_stream *records, const cli_neff_reader *reader)
{
    const char *graph = cli_value(a, "graph");
    const dve_archive_member **stream = NULL;
    size_t count = 0, at = 0;
    cli_package neff;
    dve_whole file;
    dve_error error;
    dve_status status = dve_record_stream_take(records, SIZE_MAX / 4, &file, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    status = cli_neff_take(&neff, path, &file);
    if (!status)
        status = cli_neff_gen(&neff, a, graph);
    if (!status)
        status = cli_neff_streams(&neff, graph, &stream, &count);
    if (!status)
        status = reader->begin(reader->context, neff.gen);
    for (size_t i = 0; i < count && !status; i++) {
        if (reader->graph)
            reader->graph(reader->context, graph_of(&neff, stream[i], graph, &at));
        status = read_stream(&neff, stream[i], reader);
    }
    free(stream);
    cli_neff_close(&neff);
    return status;
}
