/* SPDX-License-Identifier: Apache-2.0 */
/* opendve firmware kernel-info: the opcodes that the pool engine answers with functions. */
#include "firmware.h"
#include <inttypes.h>
#include <stdlib.h>

typedef struct kernel_row {
    dve_kernel_record record;
    uint32_t index;
} kernel_row;

static int by_key(const void *a, const void *b)
{
    const kernel_row *x = a, *y = b;
    if (x->record.key != y->record.key)
        return x->record.key < y->record.key ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static int by_address(const void *a, const void *b)
{
    const kernel_row *x = a, *y = b;
    if (x->record.address != y->record.address)
        return x->record.address < y->record.address ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* The search is linear, so that the first of two equal keys wins. */
static void note_repeats(firmware_view *view, const kernel_row *rows, size_t count)
{
    kernel_row *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return;
    for (size_t i = 0; i < count; i++)
        sorted[i] = rows[i];
    qsort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 1, first = 0; i < count; i++) {
        first = sorted[i].record.key == sorted[first].record.key ? first : i;
        if (first != i)
            cli_notes_add(&view->notes, "record %" PRIu32 " repeats the key 0x%08" PRIx32 " of record %" PRIu32
                          ", which is found first", sorted[i].index, sorted[i].record.key, sorted[first].index);
    }
    qsort(sorted, count, sizeof *sorted, by_address);
    for (size_t i = 1, first = 0; i < count; i++) {
        first = sorted[i].record.address == sorted[first].record.address ? first : i;
        if (first != i)
            cli_notes_add(&view->notes, "record %" PRIu32 " shares the function at 0x%08" PRIx32 " with record %" PRIu32,
                          sorted[i].index, sorted[i].record.address, sorted[first].index);
    }
    free(sorted);
}

/* With --base a function is also a place in the file, if it lies there. */
static int file_offset(const firmware_view *view, uint32_t address, uint32_t *out)
{
    *out = address - (uint32_t)view->base;
    return address >= view->base && *out < view->image.size;
}

static dve_status print_json(firmware_view *view, const kernel_row *rows, size_t count)
{
    cli_report r;
    int based = cli_flag(view->arguments, "base");
    cli_report_begin(&r, "firmware-kernel-info", view->gen);
    cli_report_list(&r, "records");
    for (size_t i = 0; i < count; i++) {
        const dve_kernel_record *record = &rows[i].record;
        json_object *row = json_object_new_object();
        uint32_t place;
        json_object_object_add(row, "index", cli_json_int((int64_t)i));
        json_object_object_add(row, "offset", cli_json_int((int64_t)(view->offset + i * DVE_KERNEL_BYTES)));
        json_object_object_add(row, "opcode", cli_json_int(record->opcode));
        json_object_object_add(row, "spec", cli_json_int(record->spec));
        json_object_object_add(row, "key", cli_json_int(record->key));
        json_object_object_add(row, "address", cli_json_int(record->address));
        json_object_object_add(row, "name", cli_json_text(cli_firmware_opcode(record->opcode)));
        json_object_object_add(row, "engine", cli_json_text(dve_opcode_engine(record->opcode, view->gen)));
        if (based)
            json_object_object_add(row, "file_offset",
                                   file_offset(view, record->address, &place) ? cli_json_int(place) : NULL);
        cli_report_element(&r, row);
    }
    cli_report_list_end(&r);
    return cli_firmware_end(view, &r);
}

static dve_status print_text(const firmware_view *view, const kernel_row *rows, size_t count)
{
    static const char *const headings[] = {">record", "offset", "opcode", ">spec", "key", "function", "in file", "engine",
                                           "name", NULL};
    cli_table table;
    printf("%zu kernel_info record%s at file offset 0x%" PRIx64 ", names of %s\n\n", count, count == 1 ? "" : "s",
           view->offset, dve_generation(view->gen)->name);
    cli_table_begin(&table, headings);
    for (size_t i = 0; i < count; i++) {
        const dve_kernel_record *record = &rows[i].record;
        const char *name = cli_firmware_opcode(record->opcode);
        uint32_t place;
        cli_table_add(&table, "%zu", i);
        cli_table_add(&table, "0x%" PRIx64, view->offset + i * DVE_KERNEL_BYTES);
        cli_table_add(&table, "0x%02x", record->opcode);
        cli_table_add(&table, "%u", record->spec);
        cli_table_add(&table, "0x%08" PRIx32, record->key);
        cli_table_add(&table, "0x%08" PRIx32, record->address);
        if (cli_flag(view->arguments, "base") && file_offset(view, record->address, &place))
            cli_table_add(&table, "0x%" PRIx32, place);
        else
            cli_table_add(&table, "%s", "-");
        cli_table_add(&table, "%s", dve_opcode_engine(record->opcode, view->gen));
        cli_table_add(&table, "%s", name ? name : "unknown");
    }
    return cli_table_end(&table, stdout) ? cli_flush() : cli_fail(DVE_E_INTERNAL, "not enough memory");
}

dve_status cli_firmware_kernels(firmware_view *view)
{
    size_t rest, count;
    dve_error error;
    dve_status status = cli_firmware_rest(view, "a kernel_info table", &rest);
    if (status)
        return status;
    count = view->count ? (size_t)view->count : rest / DVE_KERNEL_BYTES;
    if (!view->count && rest % DVE_KERNEL_BYTES)
        return cli_fail(DVE_E_INPUT, "%.200s: %zu bytes from file offset 0x%" PRIx64 " to the end, allowed is a multiple of 8: "
                        "a kernel_info table is records of 8 bytes (--count says how many of them)",
                        view->name, rest, view->offset);
    if (count > rest / DVE_KERNEL_BYTES)
        return cli_fail(DVE_E_INPUT, "%.200s: option --count: %zu records were asked for, from file offset 0x%" PRIx64
                        " on there are %zu", view->name, count, view->offset, rest / DVE_KERNEL_BYTES);
    kernel_row *rows = malloc(count * sizeof *rows);
    if (!rows)
        return cli_fail(DVE_E_INTERNAL, "not enough memory");
    for (size_t i = 0; i < count && !status; i++) {
        uint64_t at = view->offset + i * DVE_KERNEL_BYTES;
        rows[i].index = (uint32_t)i;
        status = dve_firmware_kernel(view->image.bytes + at, &rows[i].record, &error);
        if (status)
            cli_fail(status, "%.200s: record %zu at file offset 0x%" PRIx64 ": %s", view->name, i, at, error.text);
    }
    if (!status) {
        note_repeats(view, rows, count);
        status = view->json ? print_json(view, rows, count) : print_text(view, rows, count);
    }
    free(rows);
    return status;
}
