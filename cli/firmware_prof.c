/* SPDX-License-Identifier: Apache-2.0 */
/* opendve firmware prof: what the decode profiler is armed with. */
#include "firmware.h"
#include "io/digest.h"
#include <inttypes.h>
#include <string.h>

enum { FIRST_CONTROL = 0xa0, LAST_CONTROL = 0xb2, SATURATE = 0x100 };

/* Ruling R21: sources disagree, and nothing here depends on who is right. */
static const char *const readings[] = {
    "armed slots enable the dispatch of their opcodes",
    "armed slots are instrumentation: the profiler counts their opcodes, dispatch does not look at them",
};

typedef struct prof_table {
    dve_cam_slot slot[DVE_CAM_SLOTS];
    unsigned count, armed;
    const uint8_t *rows;         /* the table behind the CAM, NULL where there is none */
    const dve_cam_info *known;   /* whose printed digest begins as that of the CAM, else NULL */
} prof_table;

static dve_status find_rows(const firmware_view *view, prof_table *table)
{
    size_t rest;
    dve_status status = cli_firmware_rest(view, "a profiler CAM", &rest);
    if (status)
        return status;
    if (rest >= DVE_PROF_BYTES)
        table->rows = view->image.bytes + view->offset + DVE_CAM_BYTES;
    else if (rest != DVE_CAM_BYTES)
        return cli_fail(DVE_E_INPUT, "%.200s: %zu bytes from file offset 0x%" PRIx64 " on, allowed are 1024 (a CAM) or at least "
                        "9216 (a CAM and its table)%s", view->name, rest, view->offset,
                        rest == DVE_PROF_BYTES - DVE_CAM_BYTES ? "; 8192 bytes are a table without its CAM" : "");
    return DVE_OK;
}

static dve_status read_slots(firmware_view *view, prof_table *table)
{
    dve_error error;
    table->count = view->count ? (unsigned)view->count : DVE_CAM_SLOTS;
    for (unsigned i = 0; i < table->count; i++) {
        uint64_t at = view->offset + i * DVE_CAM_SLOT_BYTES;
        dve_status status = dve_firmware_cam(view->image.bytes + at, &table->slot[i], &error);
        if (status)
            return cli_fail(status, "%.200s: slot %u at file offset 0x%" PRIx64 ": %s", view->name, i, at, error.text);
        table->armed += table->slot[i].enable;
    }
    return DVE_OK;
}

static void find_known(const firmware_view *view, prof_table *table)
{
    uint8_t digest[DVE_SHA256_BYTES];
    char hex[2 * DVE_SHA256_BYTES + 1];
    dve_sha256(view->image.bytes + view->offset, DVE_CAM_BYTES, digest);
    table->known = dve_cam_known(dve_digest_hex(digest, sizeof digest, hex));
}

static void note_order(firmware_view *view, const prof_table *table)
{
    unsigned last = 0;
    for (unsigned i = 0; i < table->count; i++)
        if (table->slot[i].enable)
            last = i;
    for (unsigned i = 0; i < last; i++) {
        if (!table->slot[i].enable)
            cli_notes_add(&view->notes, "slot %u is a gap: it is not armed and a later one is", i);
        if (table->slot[i].wildcard)
            cli_notes_add(&view->notes, "slot %u is a wildcard and not the last armed slot", i);
    }
}

/* A key's bits outside its mask are compared with nothing; of two equal slots the second never answers. */
static void note_keys(firmware_view *view, const prof_table *table)
{
    for (unsigned i = 0; i < table->count; i++) {
        const dve_cam_slot *slot = &table->slot[i];
        if (slot->enable && slot->opcode & ~slot->mask)
            cli_notes_add(&view->notes, "slot %u: key 0x%" PRIx32 " has bits outside its mask 0x%" PRIx32, i, slot->opcode, slot->mask);
        for (unsigned k = 0; k < i; k++)
            if (slot->enable && table->slot[k].enable && table->slot[k].opcode == slot->opcode && table->slot[k].mask == slot->mask) {
                cli_notes_add(&view->notes, "slot %u is armed for the same key 0x%" PRIx32 " under the same mask as slot %u", i,
                                  slot->opcode, k);
                break;
            }
    }
}

/* ---- the printed lists ---- */

/* Which of the control opcodes are armed is printed nowhere, so nothing is said of them. */
static int control(uint32_t opcode)
{
    return opcode >= FIRST_CONTROL && opcode <= LAST_CONTROL;
}

static int printed(const dve_cam_slot *slot, uint8_t gen)
{
    size_t count;
    const dve_armed_info *armed = dve_isa_armed(&count);
    for (size_t i = 0; i < count; i++)
        if (dve_marked(armed[i].gens, gen) && armed[i].key == slot->opcode && armed[i].mask == slot->mask)
            return 1;
    return 0;
}

static int in_image(const prof_table *table, const dve_armed_info *armed)
{
    for (unsigned i = 0; i < table->count; i++)
        if (table->slot[i].enable && table->slot[i].opcode == armed->key && table->slot[i].mask == armed->mask)
            return 1;
    return 0;
}

static const char *name_of(uint32_t opcode)
{
    const char *name = cli_firmware_opcode(opcode & 0xff);
    return name ? name : "unknown";
}

static void note_differences(firmware_view *view, const prof_table *table)
{
    size_t count;
    const dve_armed_info *armed = dve_isa_armed(&count);
    const char *gen = dve_generation(view->gen)->name;
    if (view->gen < 4)
        return;
    if (table->count < DVE_CAM_SLOTS) {          /* what was not read may be armed, and what was read is not the list */
        cli_notes_add(&view->notes, "%u of %d slots were read: they are not compared with the printed list of %s", table->count,
                      DVE_CAM_SLOTS, gen);
        return;
    }
    for (unsigned i = 0; i < table->count; i++) {
        const dve_cam_slot *slot = &table->slot[i];
        if (slot->enable && !slot->wildcard && !control(slot->opcode) && !printed(slot, view->gen))
            cli_notes_add(&view->notes, "slot %u: opcode 0x%" PRIx32 " (%s) under mask 0x%" PRIx32 " is not in the printed list of %s",
                          i, slot->opcode, name_of(slot->opcode), slot->mask, gen);
    }
    for (size_t i = 0; i < count; i++)
        if (dve_marked(armed[i].gens, view->gen) && !in_image(table, &armed[i]))
            cli_notes_add(&view->notes, "opcode 0x%x (%s) under mask 0x%x is in the printed list of %s and not armed", armed[i].key,
                          name_of(armed[i].key), armed[i].mask, gen);
}

/* ---- printing ---- */

static json_object *cam_json(const dve_cam_info *cam)
{
    json_object *row = json_object_new_object();
    json_object_object_add(row, "gen", cli_json_text(dve_generation(cam->gen)->name));
    json_object_object_add(row, "engine", cli_json_text(cam->engine));
    json_object_object_add(row, "armed", cli_json_int(cam->armed));
    return row;
}

/* The counts that sources print for the generation's engines. */
static json_object *printed_counts(uint8_t gen)
{
    json_object *rows = json_object_new_array();
    size_t count;
    const dve_cam_info *cam = dve_isa_cams(&count);
    for (size_t i = 0; i < count; i++)
        if (cam[i].gen == gen)
            json_object_array_add(rows, cam_json(&cam[i]));
    return rows;
}

static void tell_counts(const firmware_view *view, const prof_table *table)
{
    size_t count;
    const dve_cam_info *cam = dve_isa_cams(&count);
    const char *separator = "armed in the images of which sources tell: ";
    if (table->known)
        printf("known by the first digits of its SHA-256, %s: %s, %s\n", table->known->sha256,
               dve_generation(table->known->gen)->name, table->known->engine);
    for (size_t i = 0; i < count; i++) {
        if (cam[i].gen != view->gen)
            continue;
        printf("%s%s %u", separator, cam[i].engine, cam[i].armed);
        separator = ", ";
    }
    puts(*separator == ',' ? "\n" : "");
}

static dve_status print_json(firmware_view *view, const prof_table *table)
{
    cli_report r;
    json_object *texts = json_object_new_array();
    cli_report_begin(&r, "firmware-prof", view->gen);
    cli_report_member(&r, "armed", cli_json_int(table->armed));
    cli_report_list(&r, "cam");
    for (unsigned i = 0; i < table->count; i++) {
        const dve_cam_slot *slot = &table->slot[i];
        json_object *row = json_object_new_object();
        json_object_object_add(row, "slot", cli_json_int(i));
        json_object_object_add(row, "opcode", cli_json_int(slot->opcode));
        json_object_object_add(row, "mask", cli_json_int(slot->mask));
        json_object_object_add(row, "enable", cli_json_int(slot->enable));
        json_object_object_add(row, "wildcard", json_object_new_boolean(slot->wildcard));
        json_object_object_add(row, "class", table->rows ? cli_json_int(dve_firmware_class(table->rows, i)) : NULL);
        cli_report_element(&r, row);
    }
    cli_report_list_end(&r);
    for (unsigned i = 0; i < sizeof readings / sizeof readings[0]; i++)
        json_object_array_add(texts, json_object_new_string(readings[i]));
    cli_report_member(&r, "readings", texts);
    cli_report_member(&r, "known", table->known ? cam_json(table->known) : NULL);
    cli_report_member(&r, "printed", printed_counts(view->gen));
    return cli_firmware_end(view, &r);
}

static void add_row(cli_table *rows, const prof_table *table, unsigned i)
{
    const dve_cam_slot *slot = &table->slot[i];
    int saturates = slot->mask > 0xff && slot->opcode & SATURATE;
    cli_table_add(rows, "%u", i);
    cli_table_add(rows, "0x%02" PRIx32, slot->opcode);
    cli_table_add(rows, "0x%03" PRIx32, slot->mask);
    cli_table_add(rows, "%s", slot->enable ? "yes" : "no");
    if (table->rows)
        cli_table_add(rows, "0x%" PRIx32, dve_firmware_class(table->rows, i));
    else
        cli_table_add(rows, "%s", "-");
    if (slot->wildcard)
        cli_table_add(rows, "%s", "any record");
    else
        cli_table_add(rows, "%s%s", name_of(slot->opcode), saturates ? ", saturate bit set" : "");
}

static dve_status print_text(const firmware_view *view, const prof_table *table)
{
    static const char *const headings[] = {">slot", "key", "mask", "armed", "class", "name", NULL};
    cli_table rows;
    printf("profiler CAM at file offset 0x%" PRIx64 ", names of %s: %u of %u slots armed, wildcards included\n", view->offset,
           dve_generation(view->gen)->name, table->armed, table->count);
    tell_counts(view, table);
    cli_table_begin(&rows, headings);
    for (unsigned i = 0; i < table->count; i++)
        if (table->slot[i].enable || table->slot[i].opcode || table->slot[i].mask)
            add_row(&rows, table, i);
    if (!cli_table_end(&rows, stdout))
        return cli_fail(DVE_E_INTERNAL, "not enough memory");
    printf("\nTwo readings of what arming means; execution uses neither:\n- %s;\n- %s.\n", readings[0], readings[1]);
    return cli_flush();
}

dve_status cli_firmware_prof(firmware_view *view)
{
    prof_table table;
    memset(&table, 0, sizeof table);
    dve_status status = find_rows(view, &table);
    if (!status)
        status = read_slots(view, &table);
    if (status)
        return status;
    find_known(view, &table);
    note_order(view, &table);
    note_keys(view, &table);
    note_differences(view, &table);
    return view->json ? print_json(view, &table) : print_text(view, &table);
}
