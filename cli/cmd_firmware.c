/* SPDX-License-Identifier: Apache-2.0 */
/* opendve firmware: tables of firmware images. */
#include "firmware.h"
#include "commands.h"
#include <stdlib.h>
#include <string.h>

const cli_option cli_firmware_options[] = {
    {"offset", 0, "N", "where in FILE the table begins"},
    {"count", 0, "N", "kernel-info: records; dispatch: words; prof: slots; tokens: bytes to look at"},
    {"bias", 0, "N", "dispatch: the opcode of entry 0"},
    {"base", 0, "N", "dispatch, kernel-info: address of FILE's byte 0 in the space that values point into"},
    {"code", 0, "CODE", "dispatch: the image that holds the code; FILE without it"},
    {"code-base", 0, "N", "dispatch: address of CODE's byte 0; 0 without it"},
    {0},
};

/* Options beside --offset and --count: which readers take them. */
enum { TAKES_BASE = 1, TAKES_DISPATCH = 2 };

static const struct reader {
    const char *name;
    dve_status (*run)(firmware_view *view);
    uint64_t most;               /* of --count */
    int takes;
} readers[] = {
    {"kernel-info", cli_firmware_kernels, UINT32_MAX / DVE_KERNEL_BYTES, TAKES_BASE},
    {"dispatch", cli_firmware_dispatch, 256, TAKES_BASE | TAKES_DISPATCH},
    {"prof", cli_firmware_prof, DVE_CAM_SLOTS, 0},
    {"tokens", cli_firmware_tokens, UINT32_MAX, 0},
};
enum { READERS = sizeof readers / sizeof readers[0] };

dve_status cli_firmware_rest(const firmware_view *view, const char *what, size_t *out)
{
    size_t size = view->image.size;
    *out = view->offset < size ? size - (size_t)view->offset : 0;
    if (*out)
        return DVE_OK;
    return cli_fail(DVE_E_INPUT, "%.200s: %s at file offset 0x%llx: the file has %zu bytes, nothing is there", view->name,
                    what, (unsigned long long)view->offset, size);
}

const char *cli_firmware_opcode(uint32_t opcode)
{
    const dve_opcode_info *info = opcode < 256 ? dve_opcode((uint8_t)opcode) : NULL;
    return info ? info->name : NULL;
}

dve_status cli_firmware_end(firmware_view *view, cli_report *r)
{
    cli_report_member(r, "notes", json_object_get(view->notes.list));
    return cli_report_end(r);
}

static const struct reader *find_reader(const char *name)
{
    char hint[64];
    cli_guess guess = cli_guess_begin(name);
    for (unsigned i = 0; i < READERS; i++) {
        if (strcmp(readers[i].name, name) == 0)
            return &readers[i];
        cli_guess_try(&guess, readers[i].name);
    }
    cli_fail(DVE_E_USAGE, "firmware: there is no reader \"%.100s\"%s; allowed are kernel-info, dispatch, prof and tokens", name,
             cli_guess_hint(&guess, "", hint, sizeof hint));
    return NULL;
}

/* An option that the reader would ignore is a mistake of its user. */
static dve_status refuse_others(const cli_arguments *a, const struct reader *reader)
{
    static const struct { const char *name; int needs; const char *allowed; } special[] = {
        {"base", TAKES_BASE, "kernel-info and dispatch"},
        {"bias", TAKES_DISPATCH, "dispatch"},
        {"code", TAKES_DISPATCH, "dispatch"},
        {"code-base", TAKES_DISPATCH, "dispatch"},
    };
    for (unsigned i = 0; i < sizeof special / sizeof special[0]; i++)
        if (cli_flag(a, special[i].name) && !(reader->takes & special[i].needs))
            return cli_fail(DVE_E_USAGE, "firmware %s: option --%s was given, it is for %s", reader->name, special[i].name,
                            special[i].allowed);
    const char *code = cli_value(a, "code");
    if (!code && cli_flag(a, "code-base"))
        return cli_fail(DVE_E_USAGE, "firmware dispatch: option --code-base was given without --code, which it belongs to");
    if (code && strcmp(code, "-") == 0 && strcmp(a->operand[1], "-") == 0)
        return cli_fail(DVE_E_USAGE, "firmware dispatch: stdin was given for FILE and for --code, it serves for one");
    return DVE_OK;
}

static dve_status take_options(firmware_view *view, const struct reader *reader)
{
    const cli_arguments *a = view->arguments;
    dve_settings settings;
    dve_status status = refuse_others(a, reader);
    if (!status)
        status = cli_gen(a, &view->gen);
    if (!status)
        status = cli_settings(a, &settings);
    if (!status)
        status = cli_number(a, "offset", 0, UINT32_MAX, &view->offset);
    if (!status)
        status = cli_number(a, "count", 1, reader->most, &view->count);
    return status ? status : cli_number(a, "base", 0, UINT32_MAX, &view->base);
}

dve_status cli_firmware(const cli_arguments *a)
{
    firmware_view view = {.arguments = a, .json = cli_flag(a, "json")};
    if (a->operands != 2)
        return cli_fail(DVE_E_USAGE, "firmware takes a reader and one file, %u words were given: opendve firmware %s",
                        a->operands, a->command->synopsis);
    const struct reader *reader = find_reader(a->operand[0]);
    if (!reader)
        return DVE_E_USAGE;
    dve_status status = take_options(&view, reader);
    if (status)
        return status;
    /* Before anything is read: gen2 has no dispatch table. */
    if (reader->run == cli_firmware_dispatch && !dve_dispatch(view.gen))
        return cli_fail(DVE_E_USAGE, "firmware dispatch: %s was given, allowed are gen3, gen4 and gen5: gen2's sequencer "
                        "compares opcodes one after the other and has no table", dve_generation(view.gen)->name);
    dve_error error;
    view.name = strcmp(a->operand[1], "-") == 0 ? "stdin" : a->operand[1];
    status = dve_whole_read(a->operand[1], UINT32_MAX, &view.image, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    cli_notes_begin(&view.notes, view.name);
    status = reader->run(&view);
    if (!status && !view.json && *dve_generation(view.gen)->note) {
        printf("\n%s: %s\n", dve_generation(view.gen)->name, dve_generation(view.gen)->note);
        status = cli_flush();
    }
    cli_notes_end(&view.notes);
    free(view.image.bytes);
    return status;
}
