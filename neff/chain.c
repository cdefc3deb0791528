/* SPDX-License-Identifier: Apache-2.0 */
/* From neff.json over KELFs, definitions and engine files to streams and tables. References are followed, never guessed;
 * each file is read once, however often it is named. */
#include "json.h"
#include "neff.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARNINGS = 256 };

static const char *const table_keys[DVE_NEFF_TABLES] = {"opcode_table", "control_table", "control_fast_table",
                                                        "control_slow_table", "datapath_table"};

/* What a definition, with its engine file, says of the vector engine. */
typedef struct finding {
    int done;
    const dve_archive_member *json, *stream;
    const dve_archive_member *table[DVE_NEFF_TABLES];
    int has_tables;
} finding;

struct dve_neff_chain {
    dve_neff_graph *graph;
    size_t graphs, room;
    char **warning;
    size_t warnings;
    char **text;                         /* strings that graphs point to */
    size_t texts, text_room;
};

typedef struct walker {
    const dve_archive *archive;
    const dve_archive_member *members;
    dve_neff_chain *chain;
    finding *found;                      /* by member: of definitions, and apart from them of engine files */
    uint8_t *kelf;                       /* by member: it was read as a KELF */
    char name[NEFF_NAME], word[NEFF_NAME];
    dve_status status;
    dve_error *error;
} walker;

const char *dve_neff_table_key(unsigned n)
{
    return n < DVE_NEFF_TABLES ? table_keys[n] : NULL;
}

static void stop(walker *w, dve_status status, const char *why)
{
    if (!w->status)
        dve_error_set(w->error, "%s", why);
    w->status = w->status ? w->status : status;
}

/* A copy that lives as long as the chain. */
static const char *keep(walker *w, const char *text)
{
    dve_neff_chain *c = w->chain;
    size_t bytes = strlen(text) + 1;
    if (c->texts == c->text_room) {
        size_t room = c->text_room ? 2 * c->text_room : 64;
        char **more = realloc(c->text, room * sizeof *more);
        if (more) {
            c->text = more;
            c->text_room = room;
        }
    }
    char *copy = c->texts < c->text_room ? malloc(bytes) : NULL;
    if (!copy) {
        stop(w, DVE_E_INTERNAL, "not enough memory");
        return NULL;
    }
    memcpy(copy, text, bytes);
    return c->text[c->texts++] = copy;
}

__attribute__((format(printf, 2, 3))) static void warn(walker *w, const char *format, ...)
{
    dve_neff_chain *c = w->chain;
    char text[1024];
    va_list arguments;
    if (!c->warning)
        c->warning = malloc(WARNINGS * sizeof *c->warning);
    if (!c->warning) {
        stop(w, DVE_E_INTERNAL, "not enough memory");
        return;
    }
    if (c->warnings == WARNINGS)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (c->warnings == WARNINGS - 1)
        snprintf(text, sizeof text, "and more, which are not told");
    char *copy = malloc(strlen(text) + 1);
    if (!copy) {
        stop(w, DVE_E_INTERNAL, "not enough memory");
        return;
    }
    memcpy(copy, text, strlen(text) + 1);
    c->warning[c->warnings++] = copy;
}

/* ---- members ---- */

/* The file that `where` refers to as `name`, which begins at `from`; none is a warning. */
static const dve_archive_member *refer(walker *w, const char *where, const char *what, char *name, size_t from)
{
    if (strncmp(name + from, "./", 2) == 0)
        memmove(name + from, name + from + 2, strlen(name + from + 2) + 1);
    const dve_archive_member *member = dve_archive_find(w->archive, name);
    if (member && !member->directory)
        return member;
    warn(w, "%.300s: %s refers to \"%.300s\", which is not in the archive", where, what, name);
    return NULL;
}

/* The same, `name` being a file name in the folder of `beside`. */
static const dve_archive_member *refer_beside(walker *w, const dve_archive_member *beside, const char *what, neff_json value)
{
    const char *slash = strrchr(beside->name, '/');
    size_t folder = slash ? (size_t)(slash + 1 - beside->name) : 0;
    memcpy(w->name, beside->name, folder);
    if (dve_neff_json_text(value, w->name + folder, sizeof w->name - folder))
        return refer(w, beside->name, what, w->name, folder);
    warn(w, "%.300s: %s is no file name", beside->name, what);
    return NULL;
}

static int read_json(walker *w, const dve_archive_member *member, neff_json *out)
{
    size_t bad;
    neff_json_verdict verdict = dve_neff_json_whole(member->data, member->size, out, &bad);
    if (verdict == NEFF_JSON_DEEP)
        warn(w, "%.300s: nested more than %d deep (the limit) at byte %zu, and not read", member->name, DVE_NEFF_JSON_DEPTH, bad);
    else if (verdict == NEFF_JSON_WRONG)
        warn(w, "%.300s: not JSON at byte %zu", member->name, bad);
    return verdict == NEFF_JSON_GOOD;
}

/* ---- definitions and engine files ---- */

static void warn_unknown_tables(walker *w, const dve_archive_member *from, neff_json tables)
{
    neff_json key = tables, value, rest;
    for (rest = dve_neff_json_inside(tables); dve_neff_json_next(&rest, &key, &value);) {
        unsigned i = 0;
        int text = dve_neff_json_text(key, w->word, sizeof w->word);
        while (i < DVE_NEFF_TABLES && !(text && strcmp(w->word, table_keys[i]) == 0))
            i++;
        if (i == DVE_NEFF_TABLES)
            warn(w, "%.300s: dve_tables has the key \"%.100s\", allowed are opcode_table, control_table, control_fast_table, "
                 "control_slow_table and datapath_table", from->name, text ? w->word : "");
    }
}

static void take_tables(walker *w, const dve_archive_member *from, neff_json object, finding *out)
{
    neff_json tables, value;
    if (!dve_neff_json_get(object, "dve_tables", &tables))
        return;
    if (!dve_neff_json_is_object(tables)) {
        warn(w, "%.300s: dve_tables is no object", from->name);
        return;
    }
    out->has_tables = 1;
    warn_unknown_tables(w, from, tables);
    for (unsigned i = 0; i < DVE_NEFF_TABLES; i++)
        if (dve_neff_json_get(tables, table_keys[i], &value))
            out->table[i] = refer_beside(w, from, table_keys[i], value);
}

static const finding *read_engine(walker *w, const dve_archive_member *member)
{
    size_t count;
    dve_archive_members(w->archive, &count);
    finding *f = &w->found[count + (size_t)(member - w->members)];
    neff_json engine, value;
    if (f->done)
        return f;
    f->done = 1;
    if (!read_json(w, member, &engine))
        return f;
    if (dve_neff_json_get(engine, "instr", &value))
        f->stream = refer_beside(w, member, "instr", value);
    take_tables(w, member, engine, f);
    if (f->stream && f->stream->size % DVE_RECORD_BYTES)
        warn(w, "%.300s: %zu bytes, a stream is a multiple of 64", f->stream->name, f->stream->size);
    return f;
}

static const finding *read_definition(walker *w, const dve_archive_member *member)
{
    finding *f = &w->found[member - w->members];
    neff_json definition, value;
    if (f->done)
        return f;
    f->done = 1;
    if (!read_json(w, member, &definition))
        return f;
    if (!dve_neff_json_get(definition, "dve", &value))
        return f;                                /* legal: the vector engine has nothing to do */
    f->json = refer_beside(w, member, "dve", value);
    if (f->json) {
        const finding *engine = read_engine(w, f->json);
        f->stream = engine->stream;
        f->has_tables = engine->has_tables;
        memcpy(f->table, engine->table, sizeof f->table);
    }
    if (!f->has_tables)
        take_tables(w, member, definition, f);
    return f;
}

/* ---- KELFs ---- */

static uint8_t generation_of(const char *target)
{
    const dve_generation_info *generation = dve_generation_by_name(target);
    if (generation)
        return generation->number;
    if (target[0] == 'v' && target[1] >= '2' && target[1] <= '5' && !target[2])
        return (uint8_t)(target[1] - '0');
    return 0;
}

static const char *text_of(walker *w, neff_json object, const char *name)
{
    neff_json value;
    if (!dve_neff_json_get(object, name, &value) || !dve_neff_json_text(value, w->word, sizeof w->word))
        return NULL;
    return keep(w, w->word);
}

static void take_graph(walker *w, const dve_archive_member *kelf, const char *target, uint8_t gen, neff_json graph)
{
    dve_neff_chain *c = w->chain;
    if (c->graphs == DVE_NEFF_GRAPHS) {
        stop(w, DVE_E_INPUT, "more than 65536 graphs");
        return;
    }
    if (c->graphs == c->room) {
        size_t room = c->room ? 2 * c->room : 16;
        dve_neff_graph *more = realloc(c->graph, room * sizeof *more);
        if (!more) {
            stop(w, DVE_E_INTERNAL, "not enough memory");
            return;
        }
        c->graph = more;
        c->room = room;
    }
    dve_neff_graph g = {.target = target, .kelf = kelf->name, .gen = gen};
    g.name = text_of(w, graph, "name");
    g.definition = text_of(w, graph, "definition");
    const dve_archive_member *member = NULL;
    if (g.definition) {
        memcpy(w->name, g.definition, strlen(g.definition) + 1);
        member = refer(w, kelf->name, "definition", w->name, 0);
    } else {
        warn(w, "%.300s: a graph without a definition", kelf->name);
    }
    if (member) {
        const finding *f = read_definition(w, member);
        g.json = f->json;
        g.stream = f->stream;
        memcpy(g.table, f->table, sizeof g.table);
    }
    c->graph[c->graphs++] = g;
}

static void read_kelf(walker *w, const dve_archive_member *member)
{
    neff_json kelf, graphs, key, graph;
    uint8_t *read = &w->kelf[member - w->members];
    if (*read)
        return;
    *read = 1;
    if (!read_json(w, member, &kelf))
        return;
    const char *target = text_of(w, kelf, "target");
    uint8_t gen = target ? generation_of(target) : 0;
    if (target && !gen && strcmp(target, "*") != 0)
        warn(w, "%.300s: target \"%.100s\" is no generation that is known", member->name, target);
    if (!dve_neff_json_get(kelf, "graphs", &graphs) || !dve_neff_json_is_array(graphs)) {
        warn(w, "%.300s: no list of graphs", member->name);
        return;
    }
    neff_json rest = dve_neff_json_inside(graphs);
    while (!w->status && dve_neff_json_next(&rest, &key, &graph))
        take_graph(w, member, target, gen, graph);
}

/* Every string member `kelf` of an object at any depth, which covers attrs.kelf and attributes.kelf. */
static size_t follow_kelfs(walker *w, const dve_archive_member *from, neff_json value)
{
    neff_json key = value, inner, rest;
    size_t found = 0;
    if (!dve_neff_json_is_object(value) && !dve_neff_json_is_array(value))
        return 0;
    for (rest = dve_neff_json_inside(value); !w->status && dve_neff_json_next(&rest, &key, &inner);) {
        if (!dve_neff_json_is_object(value) || !dve_neff_json_is_string(inner) || !dve_neff_json_text(key, w->word, sizeof w->word) ||
            strcmp(w->word, "kelf") != 0) {
            found += follow_kelfs(w, from, inner);
            continue;
        }
        found++;
        const dve_archive_member *kelf = NULL;
        if (dve_neff_json_text(inner, w->name, sizeof w->name))
            kelf = refer(w, from->name, "kelf", w->name, 0);
        else
            warn(w, "%.300s: kelf is no file name", from->name);
        if (kelf)
            read_kelf(w, kelf);
    }
    return found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const dve_archive_member *const *)a)->name, (*(const dve_archive_member *const *)b)->name);
}

static int named_kelf(const dve_archive_member *member)
{
    size_t length = strlen(member->name);
    return !member->directory && !strchr(member->name, '/') && strncmp(member->name, "kelf-", 5) == 0 && length > 10 &&
           strcmp(member->name + length - 5, ".json") == 0;
}

/* Without a manifest that names any: the top level's kelf-*.json. */
static void take_named_kelfs(walker *w, size_t count)
{
    const dve_archive_member **kelf = malloc((count ? count : 1) * sizeof *kelf);
    size_t kelfs = 0;
    if (!kelf) {
        stop(w, DVE_E_INTERNAL, "not enough memory");
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (named_kelf(&w->members[i]))
            kelf[kelfs++] = &w->members[i];
    qsort(kelf, kelfs, sizeof *kelf, by_name);
    for (size_t i = 0; i < kelfs && !w->status; i++)
        read_kelf(w, kelf[i]);
    free(kelf);
}

static void walk(walker *w, size_t count)
{
    const dve_archive_member *manifest = dve_archive_find(w->archive, "neff.json");
    neff_json value;
    size_t named = 0;
    if (!manifest)
        manifest = dve_archive_find(w->archive, "kelp.json");
    if (!manifest || manifest->directory)
        warn(w, "the archive has neither neff.json nor kelp.json");
    else if (read_json(w, manifest, &value))
        named = follow_kelfs(w, manifest, value);
    if (!named && !w->status)
        take_named_kelfs(w, count);
}

dve_status dve_neff_chain_open(const dve_archive *archive, dve_neff_chain **out, dve_error *error)
{
    size_t count;
    walker *w = calloc(1, sizeof *w);
    *out = NULL;
    if (w) {
        w->archive = archive;
        w->error = error;
        w->members = dve_archive_members(archive, &count);
        w->chain = calloc(1, sizeof *w->chain);
        w->found = calloc(2 * count + 1, sizeof *w->found);
        w->kelf = calloc(count + 1, 1);
    }
    dve_status status = DVE_E_INTERNAL;
    if (!w || !w->chain || !w->found || !w->kelf) {
        dve_error_set(error, "not enough memory");
    } else {
        walk(w, count);
        status = w->status;
    }
    if (w) {
        free(w->found);
        free(w->kelf);
        *out = w->chain;
    }
    free(w);
    if (status) {
        dve_neff_chain_close(*out);
        *out = NULL;
    }
    return status;
}

void dve_neff_chain_close(dve_neff_chain *chain)
{
    if (!chain)
        return;
    for (size_t i = 0; i < chain->texts; i++)
        free(chain->text[i]);
    for (size_t i = 0; i < chain->warnings; i++)
        free(chain->warning[i]);
    free(chain->text);
    free(chain->warning);
    free(chain->graph);
    free(chain);
}

const dve_neff_graph *dve_neff_graphs(const dve_neff_chain *chain, size_t *count)
{
    *count = chain->graphs;
    return chain->graph;
}

const char *const *dve_neff_warnings(const dve_neff_chain *chain, size_t *count)
{
    *count = chain->warnings;
    return (const char *const *)chain->warning;
}
