/* SPDX-License-Identifier: Apache-2.0 */
/* Edits to a well-made table set of each generation, see edit() for what an input says. Each execution exercises one
 * part of tables/ on the edited set, which is then mended, so that nothing is made anew. Whatever the tables hold,
 * reading stays inside, findings point to what exists, figures are what a plain count has, and a set equals itself. */
#include "fuzz.h"
#include "tables/tables.h"
#include <stdlib.h>
#include <string.h>

enum { OPS = 64, EDITS = 16, WINDOW = 8, USED_ROWS = 126 };

typedef struct tables {
    uint8_t *table[DVE_TABLE_KEYS], *base[DVE_TABLE_KEYS];       /* each a block of its own, to see bytes beyond it */
    int32_t *ops;                                                /* used from its end on, for the same reason */
    int32_t base_ops[OPS];
    size_t count, base_count;
    unsigned keys, key[DVE_TABLE_KEYS];
    uint8_t gen;
    dve_table_set set;
} tables;

typedef struct change {
    tables *of;
    unsigned key;
    uint32_t at, size;
} change;

static struct { change edit[EDITS]; unsigned count; uint8_t opcode[EDITS + WINDOW]; unsigned opcodes; } done;
static size_t told, told_errors;

static void must(int holds)
{
    if (!holds)
        abort();
}

/* ---- a set in which every rule holds ---- */

static void put(uint8_t *at, uint64_t value, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void make_entries(tables *t, const dve_table_layout *layout)
{
    const dve_roster_info *roster = dve_roster(t->gen, "default");
    uint32_t stride = dve_table_of(t->gen, DVE_TABLE_OPCODE)->stride, slow = t->gen == 2 ? 1 : 2;
    uint8_t *entry = t->base[DVE_TABLE_OPCODE];
    put(entry, layout->idle_entry, stride);
    must(roster && roster->known && roster->known <= OPS);
    t->base_count = roster->known;
    for (unsigned i = 0; i < roster->known; i++) {
        t->base_ops[OPS - roster->known + i] = roster->opcode[i];
        put(entry + roster->opcode[i] * stride, i + 1 + ((uint64_t)(i % 31 * slow) << layout->row_bits), stride);
    }
}

static void make_rows(tables *t, const dve_table_layout *layout)
{
    static const uint8_t backbone[3] = {0xc3, 0x30, 0x0c};
    for (unsigned k = 0; k < t->keys; k++) {
        const dve_table_info *info = dve_table_of(t->gen, t->key[k]);
        for (uint32_t row = 0; row < USED_ROWS && t->key[k] != DVE_TABLE_OPCODE; row++) {
            uint8_t *at = t->base[t->key[k]] + row * info->stride;
            if (t->key[k] == DVE_TABLE_DATAPATH) {
                for (uint32_t lane = 0; lane < row % 10 && lane < DVE_TABLE_LANES; lane++)
                    put(at + 8 * lane, (UINT64_C(1) << layout->valid) + (lane < row % 5 ? row + 1 : 0), 8);
                continue;
            }
            for (uint32_t i = 0; i < info->data; i++)
                at[i] = (uint8_t)(row * 7 + i + 1);
            memcpy(at + 1, backbone, sizeof backbone);
        }
    }
}

static void make(tables *t, uint8_t gen)
{
    t->gen = gen;
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        const dve_table_info *info = dve_table_of(gen, key);
        if (!info)
            continue;
        t->key[t->keys++] = key;
        t->base[key] = calloc(info->bytes, 1);
        t->table[key] = malloc(info->bytes);
        must(t->base[key] && t->table[key]);
    }
    t->ops = malloc(OPS * sizeof *t->ops);
    must(t->ops != NULL);
    make_entries(t, dve_table_layout_of(gen));
    make_rows(t, dve_table_layout_of(gen));
    for (unsigned k = 0; k < t->keys; k++)
        memcpy(t->table[t->key[k]], t->base[t->key[k]], dve_table_of(gen, t->key[k])->bytes);
    memcpy(t->ops, t->base_ops, sizeof t->base_ops);
    t->count = t->base_count;
}

static void view(tables *t, unsigned absent, size_t wrong)
{
    dve_table_blob blobs[DVE_TABLE_KEYS] = {{NULL, 0}};
    unsigned bad;
    for (unsigned k = 0; k < t->keys; k++)
        blobs[t->key[k]] = (dve_table_blob){t->table[t->key[k]], dve_table_of(t->gen, t->key[k])->bytes};
    if (wrong) {
        dve_table_set none;
        blobs[absent] = wrong & 1 || !blobs[absent].bytes ? (dve_table_blob){blobs[absent].bytes ? NULL : t->base[0], 0}
                                                         : (dve_table_blob){t->base[0], blobs[absent].size - wrong};
        must(dve_table_set_make(t->gen, blobs, t->ops, 0, &none, &bad) == DVE_E_INPUT && bad == absent && !none.gen);
        uint8_t gen = (uint8_t)(wrong % 2 ? 1 : 5 + wrong);
        must(dve_table_set_make(gen, blobs, t->ops, 0, &none, &bad) == DVE_E_USAGE);
        return;
    }
    must(dve_table_set_make(t->gen, blobs, t->ops + OPS - t->count, t->count, &t->set, &bad) == DVE_OK);
}

/* ---- edits ---- */

static void note_opcode(const tables *t, unsigned key, uint32_t at)
{
    if (key == DVE_TABLE_OPCODE)
        done.opcode[done.opcodes++] = (uint8_t)(at / dve_table_of(t->gen, key)->stride);
}

/* Whole tables, or a row that is like another. */
static void fill(tables *t, change *c, const uint8_t *data, size_t size, uint16_t from)
{
    const dve_table_info *info = dve_table_of(t->gen, c->key);
    uint8_t *table = t->table[c->key];
    if (!size) {
        c->at = c->at / info->stride * info->stride;
        c->size = info->stride;
        memmove(table + c->at, table + from % info->rows * info->stride, info->stride);
        return;
    }
    c->at = 0;
    c->size = info->bytes;
    memcpy(table, data, size);
    for (size_t have = size; have < info->bytes; have *= 2)
        memcpy(table + have, table, info->bytes - have < have ? info->bytes - have : have);
}

static void edit_ops(tables *t, const uint8_t *data, size_t size, uint16_t where)
{
    if (where & 0x100)
        t->count = where % (OPS + 1);
    for (size_t i = 0; i < size; i++)
        t->ops[(where + i) % OPS] = data[i] == 255 ? 1000 : data[i] == 254 ? -1 : data[i];
}

/* A byte (bits 0 to 2: below 4 bytes into that table, 4 and 5 fill one, 6 and 7 change the list of opcodes; bit 3: of the
 * second set; bits 4 to 7: how many bytes follow), two bytes (where), and those that follow. Answers how many were used. */
static size_t edit(tables *of[2], const uint8_t *data, size_t size)
{
    tables *t = of[data[0] >> 3 & 1];
    uint16_t where = (uint16_t)(data[1] | data[2] << 8);
    size_t bytes = data[0] >> 4;
    bytes = bytes < size - 3 ? bytes : size - 3;
    if ((data[0] & 7) >= 6) {
        edit_ops(t, data + 3, bytes, where);
        return 3 + bytes;
    }
    change *c = &done.edit[done.count++];
    c->of = t;
    c->key = t->key[(data[0] & 4 ? where / 64 : data[0] & 3) % t->keys];
    const dve_table_info *info = dve_table_of(t->gen, c->key);
    c->at = where % info->bytes;
    if (data[0] & 4) {
        fill(t, c, data + 3, bytes, (uint16_t)(where >> 8));
    } else {
        c->size = (uint32_t)(bytes < info->bytes - c->at ? bytes : info->bytes - c->at);
        memcpy(t->table[c->key] + c->at, data + 3, c->size);
    }
    note_opcode(t, c->key, c->at);
    return 3 + bytes;
}

static void undo(tables *of[2])
{
    for (unsigned i = 0; i < done.count; i++) {
        const change *c = &done.edit[i];
        memcpy(c->of->table[c->key] + c->at, c->of->base[c->key] + c->at, c->size);
    }
    for (unsigned i = 0; i < 2; i++) {
        memcpy(of[i]->ops, of[i]->base_ops, sizeof of[i]->base_ops);
        of[i]->count = of[i]->base_count;
    }
}

/* ---- parts ---- */

static uint64_t number(const uint8_t *bytes, uint32_t size)
{
    uint64_t value = 0;
    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

static int enabled(const tables *t, int32_t opcode)
{
    for (size_t i = OPS - t->count; i < OPS; i++)
        if (t->ops[i] == opcode)
            return 1;
    return 0;
}

static volatile uint8_t touched;          /* bytes that pointers lead to are read */

static void look(const tables *t)
{
    uint8_t bits[32];
    uint32_t stride = dve_table_of(t->gen, DVE_TABLE_OPCODE)->stride;
    unsigned control = t->gen == 2 ? DVE_TABLE_CONTROL : DVE_TABLE_CONTROL_FAST;
    dve_table_enable(&t->set, bits);
    for (unsigned i = 0; i < done.opcodes; i++) {
        dve_table_path path;
        dve_table_opcode_diff same;
        uint8_t op = done.opcode[i];
        int allowed = enabled(t, op);
        must(allowed == (bits[op / 8] >> op % 8 & 1));
        must((dve_table_look_up(&t->set, (dve_wire_opcode){op}, &path) == DVE_OK) == allowed);
        must(path.entry.raw == number(t->table[DVE_TABLE_OPCODE] + op * stride, stride));
        must(path.control == t->table[control] + 16 * path.entry.row && path.block.configured <= DVE_TABLE_LANES);
        must(!path.slow || path.slow == t->table[DVE_TABLE_CONTROL_SLOW] + 16 * path.entry.slow);
        touched = (uint8_t)(path.control[15] | (path.slow ? path.slow[15] : 0));
        for (unsigned l = 0; l < DVE_TABLE_LANES; l++)
            must(path.block.lane[l].word == number(t->table[DVE_TABLE_DATAPATH] + 64 * path.entry.row + 8 * l, 8));
        dve_table_compare_opcode(&t->set, &t->set, (dve_wire_opcode){op}, &same);
        must(same.change == DVE_TABLE_SAME && !same.lanes && !same.control && !same.slow);
    }
}

static void tell(void *context, const dve_table_finding *f)
{
    const dve_table_set *set = context;
    size_t count;
    must(f->rule < DVE_INTEGRITY_RULES && f->opcode < 256 && f->lane < DVE_TABLE_LANES);
    if (f->key != DVE_NOWHERE) {
        const dve_table_info *info = dve_table_of(set->gen, (unsigned)f->key);
        must(info && f->byte < (int64_t)info->bytes && f->row < (int32_t)info->rows);
    }
    told++;
    told_errors += dve_isa_integrity(&count)[f->rule].severity == DVE_INTEGRITY_ERROR;
}

static void check(tables *t, const char *name)
{
    told = told_errors = 0;
    must(dve_table_check(&t->set, name, &t->set, tell) == told_errors && told_errors <= told);
    if (!done.count && t->count == t->base_count && memcmp(t->ops, t->base_ops, sizeof t->base_ops) == 0)
        must(!told_errors || strcmp(name, "default") == 0);
}

static void check_pair(tables *a, tables *b, const char *name)
{
    told = told_errors = 0;
    size_t errors = dve_table_check_pair(&b->set, &a->set, name, &a->set, tell);
    must(errors == told_errors && (a->gen == b->gen || !told));
    must(dve_table_check_pair(&b->set, &a->set, name, NULL, NULL) == errors);
}

static void compare(const tables *a, const tables *b, unsigned key)
{
    dve_table_diff d;
    const dve_table_info *info = dve_table_of(a->gen, key), *other = dve_table_of(b->gen, key);
    dve_table_compare(&a->set, &a->set, key, &d);
    must(!d.bytes && d.first_byte == DVE_NOWHERE && d.comparable == (info != NULL));
    dve_table_compare(&a->set, &b->set, key, &d);
    must(d.patterns <= d.words && d.rows <= d.words && d.words <= d.bytes && !d.words == !d.patterns);
    if (!info || !other || info->bytes != other->bytes) {
        must(!d.comparable && !d.bytes);
        return;
    }
    uint32_t rows = 0;
    for (uint32_t row = 0; row < info->rows; row++) {
        int differs = memcmp(a->table[key] + row * info->stride, b->table[key] + row * info->stride, info->stride) != 0;
        must(differs == (d.row[row / 8] >> row % 8 & 1));
        rows += (uint32_t)differs;
    }
    must(d.rows == rows && (d.first_byte < 0) == !rows);
    must(!rows || a->table[key][d.first_byte] != b->table[key][d.first_byte]);
}

static void count(const tables *t)
{
    const dve_table_info *opcodes = dve_table_of(t->gen, DVE_TABLE_OPCODE), *blocks = dve_table_of(t->gen, DVE_TABLE_DATAPATH);
    uint8_t rows[32];
    uint32_t slots = 0, words = 0;
    dve_table_census c;
    dve_table_count(&t->set, &c);
    for (uint32_t at = 0; at < opcodes->bytes; at += opcodes->stride)
        slots += number(t->table[DVE_TABLE_OPCODE] + at, opcodes->stride) != 0;
    for (uint32_t at = 0; at < blocks->bytes; at += 8) {
        uint64_t word;
        memcpy(&word, t->table[DVE_TABLE_DATAPATH] + at, 8);
        words += word != 0;
    }
    must(c.slots == slots && c.words == words && words == c.idle_words + c.config_words);
    must(c.zero_blocks + c.pass_blocks + c.active_blocks == blocks->rows && c.slow_slots <= slots && c.disabled_slots <= slots);
    for (unsigned key = DVE_TABLE_CONTROL; key <= DVE_TABLE_CONTROL_SLOW; key++) {
        uint32_t used = key == DVE_TABLE_CONTROL_SLOW ? c.slow_rows : t->table[key] ? c.control_rows : 0;
        must(dve_table_unreferenced(&t->set, key, rows) <= used);
    }
}

static void compare_opcodes(const tables *a, const tables *b)
{
    for (unsigned i = 0; i < done.opcodes; i++) {
        dve_wire_opcode op = {done.opcode[i]};
        dve_table_opcode_diff d, back;
        dve_table_compare_opcode(&a->set, &b->set, op, &d);
        dve_table_compare_opcode(&b->set, &a->set, op, &back);
        must(d.lanes == back.lanes && d.control == back.control && d.slow == back.slow && d.selector == back.selector);
        must((d.change == DVE_TABLE_ADDED) == (back.change == DVE_TABLE_DROPPED));
        must((d.change == DVE_TABLE_CHANGED) == (back.change == DVE_TABLE_CHANGED));
    }
}

static void exercise(unsigned part, tables *a, tables *b, const char *name, uint8_t choice)
{
    switch (part) {
    case 0: view(a, choice % DVE_TABLE_KEYS, 1u + choice / DVE_TABLE_KEYS); break;
    case 1: case 2: look(a); break;
    case 3: check(a, name); break;
    case 4: check_pair(a, b, name); break;
    case 5: compare(a, b, choice % (DVE_TABLE_KEYS + 1)); break;
    case 6: count(a); break;
    default: compare_opcodes(a, b); break;
    }
    if (part == 3 && choice == 0xff)
        must(dve_table_check(&a->set, name, &a->set, tell) == dve_table_check(&a->set, name, NULL, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"default", "saturate", "transformer", "other"};
    static tables all[2][3];
    uint8_t head[3] = {0};
    for (unsigned i = 0; i < 6 && !all[1][2].gen; i++)
        make(&all[i / 3][i % 3], (uint8_t)(2 + i % 3));
    memcpy(head, data, size < 3 ? size : 3);
    unsigned gen = head[0] % 3;
    tables *of[2] = {&all[0][gen], &all[1][head[1] & 0x80 ? head[1] / 4 % 3 : gen]};
    memset(&done, 0, sizeof done);
    for (unsigned i = 0; i < WINDOW; i++)
        done.opcode[done.opcodes++] = (uint8_t)(head[2] + i);
    for (size_t at = 3; at + 3 < size && done.count < EDITS;)
        at += edit(of, data + at, size - at);
    view(of[0], 0, 0);
    view(of[1], 0, 0);
    exercise(head[0] / 3 % 8, of[0], of[1], names[head[1] % 4], head[2]);
    undo(of);
    return 0;
}
