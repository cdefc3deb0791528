/* SPDX-License-Identifier: Apache-2.0 */
/* opendve neff list: what a package holds. */
#include "neff.h"
#include "io/digest.h"
#include "table.h"
#include <inttypes.h>
#include <string.h>

/* Eight groups of the RFC's form. */
static const char *uuid_text(const uint8_t uuid[16], char out[40])
{
    char hex[33];
    dve_digest_hex(uuid, 16, hex);
    snprintf(out, 40, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
    return out;
}

static size_t hash_bytes(const dve_neff_header *h)
{
    return h->package_version == 1 ? DVE_SHA256_BYTES : DVE_MD5_BYTES;
}

/* ---- JSON ---- */

static json_object *header_json(const dve_neff_header *h)
{
    json_object *object = json_object_new_object(), *tpb = json_object_new_array();
    char text[2 * DVE_SHA256_BYTES + 1];
    json_object_object_add(object, "package_version", cli_json_u64(h->package_version));
    json_object_object_add(object, "header_size", cli_json_u64(h->header_size));
    json_object_object_add(object, "data_size", cli_json_u64(h->data_size));
    json_object_object_add(object, "major", cli_json_u64(h->major));
    json_object_object_add(object, "minor", cli_json_u64(h->minor));
    json_object_object_add(object, "build", json_object_new_string(h->build));
    json_object_object_add(object, "compression", cli_json_int(h->compression));
    json_object_object_add(object, "digest", json_object_new_string(h->package_version == 1 ? "SHA-256" : "MD5"));
    json_object_object_add(object, "hash", json_object_new_string(dve_digest_hex(h->hash, hash_bytes(h), text)));
    json_object_object_add(object, "uuid", json_object_new_string(uuid_text(h->uuid, text)));
    json_object_object_add(object, "name", json_object_new_string(h->name));
    json_object_object_add(object, "requested_tpb_count", cli_json_int(h->requested_tpb_count));
    for (unsigned i = 0; i < sizeof h->tpb_per_node; i++)
        json_object_array_add(tpb, cli_json_int(h->tpb_per_node[i]));
    json_object_object_add(object, "tpb_per_node", tpb);
    json_object_object_add(object, "feature_bits", cli_json_u64(h->feature_bits));
    json_object_object_add(object, "vnc_size", cli_json_int(h->vnc_size));
    return object;
}

json_object *cli_neff_graph_json(const dve_neff_graph *g)
{
    json_object *row = json_object_new_object(), *dve = NULL, *tables = NULL;
    json_object_object_add(row, "name", cli_json_text(g->name));
    json_object_object_add(row, "kelf", cli_json_text(g->kelf));
    json_object_object_add(row, "definition", cli_json_text(g->definition));
    json_object_object_add(row, "target", cli_json_text(g->target));
    json_object_object_add(row, "gen", cli_json_text(g->gen ? dve_generation(g->gen)->name : NULL));
    for (unsigned i = 0; i < DVE_NEFF_TABLES; i++)
        if (g->table[i]) {
            tables = tables ? tables : json_object_new_object();
            json_object_object_add(tables, dve_neff_table_key(i), json_object_new_string(g->table[i]->name));
        }
    if (g->json || tables) {
        dve = json_object_new_object();
        json_object_object_add(dve, "json", cli_json_text(g->json ? g->json->name : NULL));
        json_object_object_add(dve, "stream", cli_json_text(g->stream ? g->stream->name : NULL));
        json_object_object_add(dve, "records", g->stream ? cli_json_int((int64_t)(g->stream->size / DVE_RECORD_BYTES)) : NULL);
        json_object_object_add(dve, "tables", tables);
    }
    json_object_object_add(row, "dve", dve);
    return row;
}

static dve_status list_json(const cli_package *neff)
{
    cli_report r;
    cli_report_begin(&r, "neff-list", neff->gen);
    cli_report_member(&r, "header", neff->has_header ? header_json(&neff->header) : NULL);
    cli_report_list(&r, "members");
    for (size_t i = 0; i < neff->member_count; i++) {
        const dve_archive_member *m = &neff->members[i];
        json_object *row = json_object_new_object();
        json_object_object_add(row, "name", json_object_new_string(m->name));
        json_object_object_add(row, "type", json_object_new_string(m->directory ? "directory" : "file"));
        json_object_object_add(row, "size", cli_json_int((int64_t)m->size));
        json_object_object_add(row, "skipped", json_object_new_boolean(m->skipped));
        cli_report_element(&r, row);
    }
    cli_report_list_end(&r);
    cli_report_list(&r, "graphs");
    for (size_t i = 0; i < neff->graph_count; i++)
        cli_report_element(&r, cli_neff_graph_json(&neff->graphs[i]));
    cli_report_list_end(&r);
    cli_report_member(&r, "warnings", json_object_get(neff->warnings.list));
    return cli_report_end(&r);
}

/* ---- text ---- */

static void print_header(const dve_neff_header *h)
{
    char text[2 * DVE_SHA256_BYTES + 1];
    printf("package version %" PRIu64 " (%s), format %" PRIu64 ".%" PRIu64 ", %" PRIu64 " bytes stored\n", h->package_version,
           h->package_version == 1 ? "tar" : "gzip'ed tar", h->major, h->minor, h->data_size);
    printf("%s %s, which holds\n", h->package_version == 1 ? "SHA-256" : "MD5", dve_digest_hex(h->hash, hash_bytes(h), text));
    printf("name \"%s\", build \"%s\", uuid %s\n", h->name, h->build, uuid_text(h->uuid, text));
    printf("requested cores %" PRIu32 ", vnc_size %" PRIu32 ", feature bits 0x%" PRIx64 "\n", h->requested_tpb_count, h->vnc_size,
           h->feature_bits);
}

static int print_members(const cli_package *neff)
{
    static const char *const headings[] = {">bytes", "type", "member", NULL};
    cli_table table;
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < neff->member_count; i++) {
        const dve_archive_member *m = &neff->members[i];
        cli_table_add(&table, "%zu", m->size);
        cli_table_add(&table, "%s", m->directory ? "directory" : "file");
        cli_table_add(&table, "%s%s", m->name, m->skipped ? " (skipped)" : "");
    }
    printf("\n%zu member%s\n\n", neff->member_count, neff->member_count == 1 ? "" : "s");
    return cli_table_end(&table, stdout);
}

static const char *tables_text(const dve_neff_graph *g, char *out, size_t capacity)
{
    size_t used = 0;
    for (unsigned i = 0; i < DVE_NEFF_TABLES && used < capacity; i++)
        if (g->table[i])
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? " " : "", dve_neff_table_key(i));
    return used ? out : "built in";
}

static int print_graphs(const cli_package *neff)
{
    static const char *const headings[] = {"graph", "target", "gen", "definition", "stream", ">records", "tables", NULL};
    char text[512];
    cli_table table;
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < neff->graph_count; i++) {
        const dve_neff_graph *g = &neff->graphs[i];
        cli_table_add(&table, "%s", g->name ? g->name : "-");
        cli_table_add(&table, "%s", g->target ? g->target : "-");
        cli_table_add(&table, "%s", g->gen ? dve_generation(g->gen)->name : "-");
        cli_table_add(&table, "%s", g->definition ? g->definition : "-");
        cli_table_add(&table, "%s", g->stream ? g->stream->name : "-");
        if (g->stream)
            cli_table_add(&table, "%zu", g->stream->size / DVE_RECORD_BYTES);
        else
            cli_table_add(&table, "%s", "-");
        cli_table_add(&table, "%s", tables_text(g, text, sizeof text));
    }
    printf("\n%zu graph%s, records of %s\n\n", neff->graph_count, neff->graph_count == 1 ? "" : "s",
           dve_generation(neff->gen)->name);
    return cli_table_end(&table, stdout);
}

dve_status cli_neff_list(cli_package *neff, int json)
{
    if (json)
        return list_json(neff);
    if (neff->has_header)
        print_header(&neff->header);
    else
        puts("an archive without the header of a NEFF");
    int good = print_members(neff);
    good &= print_graphs(neff);
    return good ? cli_flush() : cli_fail(DVE_E_INTERNAL, "not enough memory");
}
