/* SPDX-License-Identifier: Apache-2.0 */
/* opendve firmware tokens: the names that workers bear in log texts, and how often. */
#include "firmware.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char rule[] = "What a count suggests holds for a whole runtime library only: 16 copies sequencer, 4 DVE, 3 ACT, PE or "
                           "POOL, EngineNop's 13 every engine.";

typedef struct token {
    const char *name;
    size_t length, at;
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

static int collect(const uint8_t *bytes, size_t size, token_list *list)
{
    size_t at = 0;
    token t;
    while (dve_firmware_token(bytes, size, &at, &t.at, &t.name, &t.length)) {
        if (list->count == list->room) {
            list->room = list->room ? 2 * list->room : 1024;
            token *more = realloc(list->token, list->room * sizeof *more);
            if (!more)
                return 0;
            list->token = more;
        }
        list->token[list->count++] = t;
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
            json_object_array_add(offsets, cli_json_int((int64_t)(view->offset + one[c].at)));
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

static dve_status print_text(const firmware_view *view, const token_list *list)
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
        cli_table_add(&rows, "0x%" PRIx64, view->offset + one->at);
        cli_table_add(&rows, "%.*s", (int)(one->length < 512 ? one->length : 512), one->name);
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
    size -= skip;
    if (view->count && view->count < size)
        size = (size_t)view->count;
    dve_status status = DVE_OK;
    if (!collect(view->image.bytes + skip, size, &list))
        status = cli_fail(DVE_E_INTERNAL, "not enough memory");
    else
        status = view->json ? print_json(view, &list) : print_text(view, &list);
    free(list.token);
    return status;
}
