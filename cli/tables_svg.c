/* SPDX-License-Identifier: Apache-2.0 */
/* The map of a table set as SVG: the 256 slots of the opcode table, the rows that each opcode reaches, and the lanes of
 * every datapath block. Whatever is lit says in its <title> what it is. */
#include "tables.h"
#include "outputs.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum {
    WIDTH = 1180, MARGIN = 20, TOP = 96,
    SLOT_W = 30, SLOT_H = 20,                    /* 16 by 16 slots */
    LANE_W = 9, LANE_H = 9,
    PATH_H = 13, PATH_COLUMNS = 3, PATH_W = 380,
    BLOCK_COLUMNS = 8
};

typedef struct drawing {
    dve_outset *out;
    unsigned file;
    dve_status status;
    dve_error error;
    const tables_dir *dir;
    const tables_set *set;
    const tables_marks *marks;
} drawing;

static void put(drawing *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(drawing *d, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!d->status && length > 0)
        d->status = dve_outset_write(d->out, d->file, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1,
                                     &d->error);
}

/* Names come from files: nothing in them may be markup. */
static void put_text(drawing *d, const char *text)
{
    for (; *text; text++) {
        if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
            put(d, "&#%d;", *text);
        else
            put(d, "%c", *text);
    }
}

static int marked(const drawing *d, const uint8_t *bits, unsigned n)
{
    return d->marks && bits[n / 8] >> n % 8 & 1;
}

static void label(drawing *d, int x, int y, const char *class, const char *text)
{
    put(d, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    put_text(d, text);
    put(d, "</text>\n");
}

/* ---- slots ---- */

static void slot(drawing *d, unsigned op)
{
    char name[80];
    dve_table_entry e;
    const dve_table_set *set = &d->set->set;
    const char *kind = tables_slot_kind(set, (uint8_t)op);
    int x = MARGIN + 36 + (int)(op % 16) * SLOT_W, y = TOP + (int)(op / 16) * SLOT_H;
    dve_table_entry_at(set, (dve_wire_opcode){(uint8_t)op}, &e);
    put(d, "<g class=\"slot %s%s\" data-opcode=\"%u\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", kind,
        d->marks && marked(d, d->marks->slot, op) ? " marked" : "", op, x, y, SLOT_W - 2, SLOT_H - 2);
    if (e.raw || e.enabled) {
        put(d, "<text x=\"%d\" y=\"%d\">%u</text>", x + SLOT_W / 2 - 1, y + 13, e.row);
        put(d, "<title>%s: %s, entry 0x%" PRIx64 ", row %u, selector %" PRIu64 "</title>",
            tables_opcode_text((uint8_t)op, set->gen, name, sizeof name), kind, e.raw, e.row, e.slow);
    }
    put(d, "</g>\n");
}

static void slots(drawing *d)
{
    char text[8];
    label(d, MARGIN, TOP - 24, "head", "Slots of the opcode table: each holds its row");
    for (int i = 0; i < 16; i++) {
        snprintf(text, sizeof text, "_%x", i);
        label(d, MARGIN + 36 + i * SLOT_W + 9, TOP - 6, "axis", text);
        snprintf(text, sizeof text, "0x%x_", i);
        label(d, MARGIN, TOP + i * SLOT_H + 13, "axis", text);
    }
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++)
        slot(d, op);
}

/* ---- lanes ---- */

static void lane_cell(drawing *d, int x, int y, const dve_table_lane *lane, unsigned row, unsigned l, const char *who)
{
    put(d, "<rect class=\"lane %s\" data-row=\"%u\" data-lane=\"%u\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">",
        dve_lane_class_name(lane->kind), row, l, x, y, LANE_W - 1, LANE_H - 1);
    if (lane->kind != DVE_LANE_ZERO)
        put(d, "<title>%s, row %u, lane %u: 0x%" PRIx64 ", %s</title>", who, row, l, lane->word,
            dve_lane_class_name(lane->kind));
    put(d, "</rect>\n");
}

/* One line an opcode: its row, its selector, the lanes of its block. */
static void path(drawing *d, unsigned op, unsigned number, unsigned lines, int top)
{
    char name[80], text[120];
    dve_table_path p;
    int x = MARGIN + (int)(number / lines) * PATH_W, y = top + (int)(number % lines) * PATH_H;
    dve_table_look_up(&d->set->set, (dve_wire_opcode){(uint8_t)op}, &p);
    tables_opcode_text((uint8_t)op, d->set->set.gen, name, sizeof name);
    put(d, "<g class=\"path%s\" data-opcode=\"%u\" data-row=\"%u\" data-slow=\"%" PRIu64 "\">\n",
        d->marks && marked(d, d->marks->slot, op) ? " marked" : "", op, p.entry.row, p.entry.slow);
    label(d, x, y + 9, "name", name);
    snprintf(text, sizeof text, p.entry.slow ? "%u + %" PRIu64 : "%u", p.entry.row, p.entry.slow);
    label(d, x + 216, y + 9, "name", text);
    for (unsigned l = 0; l < DVE_TABLE_LANES; l++)
        lane_cell(d, x + 270 + (int)l * LANE_W, y + 1, &p.block.lane[l], p.entry.row, l, name);
    put(d, "</g>\n");
}

static unsigned count_paths(const drawing *d)
{
    unsigned count = 0;
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++)
        count += dve_table_row_used(&d->set->set, DVE_TABLE_OPCODE, op) != 0;
    return count;
}

static int paths(drawing *d, int top)
{
    unsigned count = count_paths(d), lines = (count + PATH_COLUMNS - 1) / PATH_COLUMNS, number = 0;
    label(d, MARGIN, top - 10, "head", "What each opcode reaches: row (+ slow selector), and the lanes of the row's datapath block");
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++)
        if (dve_table_row_used(&d->set->set, DVE_TABLE_OPCODE, op))
            path(d, op, number++, lines, top);
    return top + (int)lines * PATH_H;
}

/* The opcodes of a row, for titles. */
static void who_reaches(const drawing *d, uint32_t row, char *out, size_t capacity)
{
    size_t used = 0;
    *out = '\0';
    for (unsigned op = 0; op < DVE_TABLE_SLOTS && used + 90 < capacity; op++) {
        char name[80];
        dve_table_entry e;
        dve_table_entry_at(&d->set->set, (dve_wire_opcode){(uint8_t)op}, &e);
        if (e.raw && e.row == row)
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? " and " : "",
                                     tables_opcode_text((uint8_t)op, d->set->set.gen, name, sizeof name));
    }
    if (!used)
        snprintf(out, capacity, "no opcode");
}

static int blocks(drawing *d, int top)
{
    const dve_table_info *info = dve_table_of(d->set->set.gen, DVE_TABLE_DATAPATH);
    unsigned lines = info->rows / BLOCK_COLUMNS;
    label(d, MARGIN, top - 10, "head", "All datapath blocks, by control row; a faint number: no entry leads there");
    for (uint32_t row = 0; row < info->rows; row++) {
        char who[1024], text[16];
        dve_table_block block;
        int x = MARGIN + (int)(row / lines) * 143, y = top + (int)(row % lines) * (LANE_H + 1);
        dve_table_block_at(&d->set->set, row, &block);
        who_reaches(d, row, who, sizeof who);
        int alone = strcmp(who, "no opcode") == 0;
        put(d, "<g class=\"block%s%s\" data-row=\"%u\">\n", alone ? " alone" : "",
            d->marks && marked(d, d->marks->row, row) ? " marked" : "", row);
        snprintf(text, sizeof text, "%u", row);
        label(d, x + 22, y + 8, "row", text);
        for (unsigned l = 0; l < DVE_TABLE_LANES; l++)
            lane_cell(d, x + 28 + (int)l * LANE_W, y, &block.lane[l], row, l, who);
        put(d, "</g>\n");
    }
    return top + (int)lines * (LANE_H + 1);
}

/* ---- the page ---- */

static void legend_line(drawing *d, int y, const char *class, const char *text)
{
    put(d, "<g class=\"%s\"><rect x=\"%d\" y=\"%d\" width=\"14\" height=\"12\"/></g>\n", class, MARGIN + 560, y);
    label(d, MARGIN + 582, y + 10, "name", text);
}

static void legend(drawing *d)
{
    int y = TOP;
    legend_line(d, y, "slot enabled", "enabled by dve_info.json, with an entry");
    legend_line(d, y += 18, "slot resident", "an entry without being enabled");
    legend_line(d, y += 18, "slot idle", "slot 0, the idle entry");
    legend_line(d, y += 18, "slot missing", "enabled without an entry");
    legend_line(d, y += 18, "slot absent", "nothing");
    legend_line(d, y += 26, "lane config", "a lane that is configured");
    legend_line(d, y += 18, "lane idle", "an idle lane: data passes through");
    legend_line(d, y += 18, "lane zero", "a lane that is off");
    if (d->marks && d->marks->meaning)
        legend_line(d, y + 26, "slot marked", d->marks->meaning);
}

static void figures(drawing *d)
{
    char text[160];
    dve_table_census c;
    int x = MARGIN + 560, y = TOP + 220;
    dve_table_count(&d->set->set, &c);
    snprintf(text, sizeof text, "%u entries, %u with a slow selector, %u not enabled", c.slots, c.slow_slots, c.disabled_slots);
    label(d, x, y, "name", text);
    snprintf(text, sizeof text, "%u control rows used; blocks: %u active, %u pass-through, %u zero", c.control_rows,
             c.active_blocks, c.pass_blocks, c.zero_blocks);
    label(d, x, y + 16, "name", text);
    label(d, x, y + 32, "name", "What the selector selects is inferred; it is shown as it stands above the row.");
    label(d, x, y + 48, "name", "Point at a cell to read what it holds.");
}

static void style(drawing *d)
{
    put(d, "<style>\n"
           "text { font: 11px sans-serif; fill: #222 } .title { font-size: 17px; font-weight: bold }\n"
           ".head { font-size: 13px; font-weight: bold } .axis { font: 10px monospace; fill: #666 }\n"
           ".name { font-size: 10px } .row { font-size: 8px; text-anchor: end }\n");
    put(d, "rect { fill: #f0f0f0 } .slot text { font-size: 9px; text-anchor: middle; fill: #fff }\n"
           ".slot.enabled rect { fill: #2b6cb0 } .slot.resident rect { fill: #b7791f } .slot.idle rect { fill: #4a5568 }\n"
           ".slot.missing rect { fill: #c53030 } .lane.config, .lane.config rect { fill: #2f855a }\n"
           ".lane.idle, .lane.idle rect { fill: #b5d8c4 } .lane.zero, .lane.zero rect { fill: #e6e6e6 }\n"
           ".alone .row { fill: #aaa } .marked rect { stroke: #d53f8c; stroke-width: 1.5 }\n"
           ".marked text.name, .marked text.row { fill: #b83280; font-weight: bold }\n"
           "</style>\n");
}

static void page(drawing *d)
{
    char text[300];
    unsigned lines = (count_paths(d) + PATH_COLUMNS - 1) / PATH_COLUMNS;
    int paths_top = TOP + 16 * SLOT_H + 48, blocks_top = paths_top + (int)lines * PATH_H + 48;
    int rows = (int)dve_table_of(d->set->set.gen, DVE_TABLE_DATAPATH)->rows;
    int height = blocks_top + rows / BLOCK_COLUMNS * (LANE_H + 1) + MARGIN;
    put(d, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
        WIDTH, height, WIDTH, height);
    style(d);
    put(d, "<rect width=\"%d\" height=\"%d\" style=\"fill: #fff\"/>\n", WIDTH, height);
    snprintf(text, sizeof text, "Microcode table set \"%.200s\" of %s", d->set->name, dve_generation(d->dir->gen)->name);
    label(d, MARGIN, 34, "title", text);
    snprintf(text, sizeof text, "%zu opcodes enabled, %s", d->set->ops_count,
             tables_roster_word(dve_roster(d->dir->gen, d->set->name), d->set));
    label(d, MARGIN, 52, "name", text);
    slots(d);
    legend(d);
    figures(d);
    paths(d, paths_top);
    blocks(d, blocks_top);
    put(d, "</svg>\n");
}

dve_status tables_svg_open(tables_job *job)
{
    dve_error error;
    const char *to = cli_value(job->a, "svg");
    if (!to)
        return DVE_OK;
    if (dve_outset_is_stdout(to) && job->json)
        return cli_fail(DVE_E_USAGE, "stdout was given for two outputs, --svg and --json; it serves for one");
    dve_status status = dve_outset_new(&job->svg, &error);
    if (status)
        return cli_fail(status, "%s", error.text);
    status = tables_spare(&job->dir, job->svg);
    if (!status && job->other.path)
        status = tables_spare(&job->other, job->svg);
    if (!status && (status = cli_open_output(job->svg, "svg", to, &job->svg_file, &error)) != DVE_OK)
        cli_fail(status, "%s", error.text);
    return status;
}

dve_status tables_svg(tables_job *job, const tables_dir *dir, const tables_set *set, const tables_marks *marks)
{
    drawing d = {.out = job->svg, .file = job->svg_file, .dir = dir, .set = set, .marks = marks};
    if (!job->svg)
        return DVE_OK;
    page(&d);
    job->drawn = !d.status;
    return d.status ? cli_fail(d.status, "%s", d.error.text) : DVE_OK;
}

dve_status tables_svg_close(tables_job *job, dve_status status)
{
    dve_error error;
    dve_status written = DVE_OK;
    if (job->drawn && (!status || status == DVE_E_FINDING))
        written = dve_outset_commit(job->svg, &error);
    dve_outset_free(job->svg);
    return written ? cli_fail(written, "%s", error.text) : status;
}
