/* SPDX-License-Identifier: Apache-2.0 */
/* opendve firmware dispatch: the sequencer's table of handlers, and the trampolines that it points to. */
#include "firmware.h"
#include <inttypes.h>
#include <stdlib.h>

/* The table as it lies in the image, and the code of its targets. */
typedef struct dispatch_table {
    const uint8_t *words;
    size_t count;
    uint8_t bias;
    uint32_t normal;
    dve_firmware_code code;
    dve_whole other;             /* the image of --code */
} dispatch_table;

/* What stands at a target: a call, and the entry of what it calls. */
typedef struct trampoline {
    int calls, enters;
    uint32_t callee, frame;
    uint8_t reg;
} trampoline;

static trampoline follow(const dispatch_table *table, uint32_t target)
{
    trampoline t = {0};
    t.calls = dve_firmware_call8(&table->code, target, &t.callee);
    t.enters = t.calls && dve_firmware_entry(&table->code, t.callee, &t.reg, &t.frame);
    return t;
}

static dve_status find_code(firmware_view *view, dispatch_table *table)
{
    const cli_arguments *a = view->arguments;
    const char *path = cli_value(a, "code");
    uint64_t base = 0;
    dve_error error;
    dve_status status = cli_number(a, "code-base", 0, UINT32_MAX, &base);
    if (status)
        return status;
    table->code = (dve_firmware_code){view->image.bytes, view->image.size, (uint32_t)view->base};
    if (!path)
        return DVE_OK;
    status = dve_whole_read(path, UINT32_MAX, &table->other, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    table->code = (dve_firmware_code){table->other.bytes, table->other.size, (uint32_t)base};
    return DVE_OK;
}

static dve_status find_table(firmware_view *view, dispatch_table *table)
{
    const dve_dispatch_info *known = dve_dispatch(view->gen);
    uint64_t bias = known->bias;
    size_t rest;
    dve_status status = cli_number(view->arguments, "bias", 0, 255, &bias);
    if (status)
        return status;
    if (!cli_flag(view->arguments, "offset"))
        view->offset = known->offset;
    table->count = view->count ? (size_t)view->count : known->count;
    table->bias = (uint8_t)bias;
    if (bias + table->count > 256)
        return cli_fail(DVE_E_USAGE, "firmware dispatch: %zu words from opcode 0x%02x on were asked for, allowed are %u: "
                        "opcodes end at 0xff", table->count, table->bias, 256u - table->bias);
    status = cli_firmware_rest(view, "a dispatch table", &rest);
    if (status)
        return status;
    if (rest / 4 < table->count)
        return cli_fail(DVE_E_INPUT, "%.200s: a dispatch table of %zu words at file offset 0x%" PRIx64 " needs %zu bytes, "
                        "there are %zu", view->name, table->count, view->offset, 4 * table->count, rest);
    table->words = view->image.bytes + view->offset;
    table->normal = dve_firmware_default(table->words, table->count, known->normal);
    return DVE_OK;
}

/* ---- what sources print of the generation's image ---- */

/* How many entries are printed, and how many of them are the table's. */
static void compare(const firmware_view *view, const dispatch_table *table, unsigned *printed, unsigned *same)
{
    size_t rows;
    const dve_dispatch_target_info *row = dve_isa_dispatch_targets(&rows);
    *printed = *same = 0;
    for (size_t i = 0; i < rows; i++) {
        if (row[i].gen != view->gen)
            continue;
        size_t index = (size_t)row[i].opcode - table->bias;      /* wraps below the bias */
        ++*printed;
        *same += index < table->count && dve_firmware_word(table->words, index) == row[i].target;
    }
}

static json_object *printed_json(const firmware_view *view, const dispatch_table *table)
{
    const dve_dispatch_info *known = dve_dispatch(view->gen);
    json_object *out = json_object_new_object(), *places = json_object_new_array();
    size_t rows;
    const dve_dispatch_place_info *row = dve_isa_dispatch_places(&rows);
    unsigned printed, same;
    compare(view, table, &printed, &same);
    json_object_object_add(out, "image", cli_json_text(known->image));
    json_object_object_add(out, "real_targets", cli_json_int(known->targets));
    json_object_object_add(out, "entries", cli_json_int(printed));
    json_object_object_add(out, "same", cli_json_int(same));
    for (size_t i = 0; i < rows; i++) {
        if (row[i].gen != view->gen)
            continue;
        json_object *place = json_object_new_object();
        json_object_object_add(place, "image", cli_json_text(row[i].image));
        json_object_object_add(place, "what", cli_json_text(row[i].what));
        json_object_object_add(place, "address", cli_json_int(row[i].address));
        json_object_array_add(places, place);
    }
    json_object_object_add(out, "places", places);
    return out;
}

static void printed_text(const firmware_view *view, const dispatch_table *table)
{
    const dve_dispatch_info *known = dve_dispatch(view->gen);
    size_t rows;
    const dve_dispatch_place_info *row = dve_isa_dispatch_places(&rows);
    unsigned printed, same;
    compare(view, table, &printed, &same);
    printf("sources print of %s: %u real targets, %u entries, of which %u stand here", known->image, known->targets, printed, same);
    for (size_t i = 0; i < rows; i++)
        if (row[i].gen == view->gen)
            printf("; %s of the %s image 0x%" PRIx32, row[i].what, row[i].image, row[i].address);
    fputs("\n\n", stdout);
}

/* ---- printing ---- */

static json_object *entry_json(const dispatch_table *table, size_t index, uint32_t target)
{
    json_object *row = json_object_new_object(), *entry = NULL;
    uint32_t opcode = table->bias + (uint32_t)index;
    trampoline t = follow(table, target);
    json_object_object_add(row, "opcode", cli_json_int(opcode));
    json_object_object_add(row, "name", cli_json_text(cli_firmware_opcode(opcode)));
    json_object_object_add(row, "index", cli_json_int((int64_t)index));
    json_object_object_add(row, "target", cli_json_int(target));
    json_object_object_add(row, "call8", t.calls ? cli_json_int(t.callee) : NULL);
    if (t.enters) {
        entry = json_object_new_object();
        json_object_object_add(entry, "reg", cli_json_int(t.reg));
        json_object_object_add(entry, "frame", cli_json_int(t.frame));
    }
    json_object_object_add(row, "entry", entry);
    return row;
}

static dve_status print_json(firmware_view *view, const dispatch_table *table)
{
    cli_report r;
    cli_report_begin(&r, "firmware-dispatch", view->gen);
    cli_report_member(&r, "offset", cli_json_int((int64_t)view->offset));
    cli_report_member(&r, "device_address", cli_json_int((int64_t)(DVE_DISPATCH_DEVICE + view->offset)));
    cli_report_member(&r, "count", cli_json_int((int64_t)table->count));
    cli_report_member(&r, "bias", cli_json_int(table->bias));
    cli_report_member(&r, "default", cli_json_int(table->normal));
    cli_report_member(&r, "real_targets",
                      cli_json_int((int64_t)dve_firmware_targets(table->words, table->count, table->normal)));
    cli_report_list(&r, "entries");
    for (size_t i = 0; i < table->count; i++) {
        uint32_t target = dve_firmware_word(table->words, i);
        if (target != table->normal)
            cli_report_element(&r, entry_json(table, i, target));
    }
    cli_report_list_end(&r);
    cli_report_member(&r, "printed", printed_json(view, table));
    return cli_firmware_end(view, &r);
}

static void add_row(cli_table *rows, const dispatch_table *table, size_t index, uint32_t target)
{
    uint32_t opcode = table->bias + (uint32_t)index;
    const char *name = cli_firmware_opcode(opcode);
    trampoline t = follow(table, target);
    cli_table_add(rows, "0x%02" PRIx32, opcode);
    cli_table_add(rows, "%zu", index);
    cli_table_add(rows, "0x%04" PRIx32, target);
    if (t.calls)
        cli_table_add(rows, "0x%04" PRIx32, t.callee);
    else
        cli_table_add(rows, "%s", "-");
    if (t.enters)
        cli_table_add(rows, "a%u, %" PRIu32, t.reg, t.frame);
    else
        cli_table_add(rows, "%s", "-");
    cli_table_add(rows, "%s", name ? name : "unknown");
}

static dve_status print_text(const firmware_view *view, const dispatch_table *table)
{
    static const char *const headings[] = {"opcode", ">index", "target", "call8", "entry", "name", NULL};
    size_t listed = 0;
    cli_table rows;
    cli_table_begin(&rows, headings);
    for (size_t i = 0; i < table->count; i++) {
        uint32_t target = dve_firmware_word(table->words, i);
        if (target == table->normal)
            continue;
        listed++;
        add_row(&rows, table, i, target);
    }
    printf("dispatch table of %s at file offset 0x%" PRIx64 " (device address 0x%" PRIx64 "): %zu words, entry 0 is opcode 0x%02x\n"
           "default word 0x%04" PRIx32 "; %zu entries differ from it, %zu real targets\n",
           dve_generation(view->gen)->name, view->offset, DVE_DISPATCH_DEVICE + view->offset, table->count, table->bias,
           table->normal, listed, dve_firmware_targets(table->words, table->count, table->normal));
    printed_text(view, table);
    return cli_table_end(&rows, stdout) ? cli_flush() : cli_fail(DVE_E_INTERNAL, "not enough memory");
}

dve_status cli_firmware_dispatch(firmware_view *view)
{
    dispatch_table table = {0};
    dve_status status = find_table(view, &table);
    if (!status)
        status = find_code(view, &table);
    if (!status)
        status = view->json ? print_json(view, &table) : print_text(view, &table);
    free(table.other.bytes);
    return status;
}
