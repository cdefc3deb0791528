/* SPDX-License-Identifier: Apache-2.0 */
/* opendve firmware tokens: the names that workers bear in log texts, and how often. */
#include "firmware.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char rule[] = "What a count suggests holds for a whole runtime library only: 16 copies sequencer, 4 DVE, 3 ACT, PE or "
                           "POOL, EngineNop's 13 every engine.";

enum { SHOWN = 512 };             /* bytes of a name in text */

typedef struct token {
    const char *name;
    size_t length, at;           /* `at`: offset in the file */
} token;

typedef struct token_list {
    token *token;
    size_t count, room;
} token_list;

static int by_name(const void *a, const void *b)
{
    const token *x = a, *y = b;
    size_t shorter = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->name, y->name, shorter);
    if (order)
        return order;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int keep(token_list *list, const token *t)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        token *more = realloc(list->token, list->room * sizeof *more);
        if (!more)
            return 0;
        list->token = more;
    }
    list->token[list->count++] = *t;
    return 1;
}

static int printable(uint8_t c)
{
    return c >= 0x20 && c <= 0x7e;
}

/* Tokens are the file's, whatever part of it is looked at: reading goes from the first to the last byte of the texts that `from` and
 * `to` lie in, and what an end of the part cuts is told and not counted. */
static int collect(firmware_view *view, size_t from, size_t to, token_list *list)
{
    const uint8_t *bytes = view->image.bytes;
    size_t first = from, last = to, at = 0;
    token t;
    while (from < to && first && printable(bytes[first - 1]))
        first--;
    while (from < to && last < view->image.size && printable(bytes[last]))
        last++;
    while (dve_firmware_token(bytes + first, last - first, &at, &t.at, &t.name, &t.length)) {
        t.at += first;
        size_t end = (size_t)(t.name - (const char *)bytes) + t.length;
        if (end <= from || t.at >= to)
            continue;
        if (t.at < from || end > to)
            cli_notes_add(&view->notes, "the token \"S: %.*s\" at file offset 0x%zx is cut by %s of what is looked at, and not counted",
                          (int)(t.length < SHOWN ? t.length : SHOWN), t.name, t.at, t.at < from ? "the start" : "the end");
        else if (!keep(list, &t))
            return 0;
    }
    if (list->count)
        qsort(list->token, list->count, sizeof *list->token, by_name);
    return 1;
}

/* How many from `first` on bear its name. */
static size_t copies(const token_list *list, size_t first)
{
    const token *one = &list->token[first];
    size_t n = 1;
    while (first + n < list->count && list->token[first + n].length == one->length &&
           memcmp(list->token[first + n].name, one->name, one->length) == 0)
        n++;
    return n;
}

static dve_status print_json(firmware_view *view, const token_list *list)
{
    cli_report r;
    cli_report_begin(&r, "firmware-tokens", view->gen);
    cli_report_list(&r, "tokens");
    for (size_t i = 0, n; i < list->count; i += n) {
        const token *one = &list->token[i];
        json_object *row = json_object_new_object(), *offsets = json_object_new_array();
        n = copies(list, i);
        for (size_t c = 0; c < n; c++)
            json_object_array_add(offsets, cli_json_int((int64_t)one[c].at));
        json_object_object_add(row, "name", json_object_new_string_len(one->name, (int)one->length));
        json_object_object_add(row, "count", cli_json_int((int64_t)n));
        json_object_object_add(row, "engine", cli_json_text(dve_token_engine(one->name, one->length, n)));
        json_object_object_add(row, "offsets", offsets);
        cli_report_element(&r, row);
    }
    cli_report_list_end(&r);
    cli_report_member(&r, "rule", json_object_new_string(rule));
    return cli_firmware_end(view, &r);
}

static dve_status print_text(const token_list *list)
{
    static const char *const headings[] = {">copies", "engine", "first at", "name", NULL};
    size_t names = 0;
    cli_table rows;
    cli_table_begin(&rows, headings);
    for (size_t i = 0, n; i < list->count; i += n, names++) {
        const token *one = &list->token[i];
        n = copies(list, i);
        const char *engine = dve_token_engine(one->name, one->length, n);
        cli_table_add(&rows, "%zu", n);
        cli_table_add(&rows, "%s", engine ? engine : "-");
        cli_table_add(&rows, "0x%zx", one->at);
        cli_table_add(&rows, "%.*s", (int)(one->length < SHOWN ? one->length : SHOWN), one->name);
    }
    printf("%zu token%s, %zu name%s\n\n", list->count, list->count == 1 ? "" : "s", names, names == 1 ? "" : "s");
    if (!cli_table_end(&rows, stdout))
        return cli_fail(DVE_E_INTERNAL, "not enough memory");
    printf("\n%s\n", rule);
    return cli_flush();
}

dve_status cli_firmware_tokens(firmware_view *view)
{
    size_t size = view->image.size, skip = view->offset < size ? (size_t)view->offset : size;
    token_list list = {0};
    if (view->offset > size)
        return cli_fail(DVE_E_INPUT, "%.200s: option --offset: 0x%" PRIx64 " was given, the file has %zu bytes", view->name,
                        view->offset, size);
    if (view->count && view->count < size - skip)
        size = skip + (size_t)view->count;
    dve_status status = DVE_OK;
    if (!collect(view, skip, size, &list))
        status = cli_fail(DVE_E_INTERNAL, "not enough memory");
    else
        status = view->json ? print_json(view, &list) : print_text(&list);
    free(list.token);
    return status;
}
