/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a table set: the first chooses generation and set, the rest fill the tables over and over. Whatever they
 * hold, the look-ups stay inside, the counts add up, and a set is identical to itself. */
#include "fuzz.h"
#include <opendve/tables.h>
#include <stdlib.h>
#include <string.h>

static void must(int holds)
{
    if (!holds)
        abort();
}

typedef struct tables {
    uint8_t *table[DVE_TABLE_KEYS];              /* each a block of its own, so that a sanitizer sees bytes beyond it */
    int32_t ops[64];
    dve_table_set set;
} tables;

static size_t made, told;

static void tell(void *context, const dve_table_finding *f)
{
    const dve_table_set *set = context;
    must(f->rule < DVE_INTEGRITY_RULES && f->opcode < 256 && f->lane < DVE_TABLE_LANES);
    must(f->key == DVE_NOWHERE || dve_table_of(set->gen, (unsigned)f->key) != NULL);
    if (f->key != DVE_NOWHERE) {
        const dve_table_info *info = dve_table_of(set->gen, (unsigned)f->key);
        must(f->byte < (int64_t)info->bytes && f->row < (int32_t)info->rows);
    }
    told++;
}

static void make(tables *t, uint8_t gen, const uint8_t *data, size_t size)
{
    dve_table_blob blobs[DVE_TABLE_KEYS] = {{NULL, 0}};
    unsigned bad;
    size_t at = 0, ops = size < 64 ? size : 64;
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        const dve_table_info *info = dve_table_of(gen, key);
        t->table[key] = info ? malloc(info->bytes) : NULL;
        must(!info || t->table[key]);
        for (uint32_t i = 0; info && i < info->bytes; i++)
            t->table[key][i] = size ? data[at++ % size] : 0;
        blobs[key] = (dve_table_blob){t->table[key], info ? info->bytes : 0};
    }
    for (size_t i = 0; i < ops; i++)
        t->ops[i] = data[i] == 255 ? 1000 : data[i] == 254 ? -1 : data[i];
    must(dve_table_set_make(gen, blobs, t->ops, ops, &t->set, &bad) == DVE_OK);
    blobs[DVE_TABLE_DATAPATH].size = size;
    dve_table_set wrong;
    if (size != dve_table_of(gen, DVE_TABLE_DATAPATH)->bytes)
        must(dve_table_set_make(gen, blobs, t->ops, ops, &wrong, &bad) == DVE_E_INPUT && bad == DVE_TABLE_DATAPATH);
    made++;
}

static void look(const dve_table_set *set)
{
    uint8_t enabled[32];
    unsigned slots = 0;
    dve_table_census census;
    dve_table_enable(set, enabled);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_path path;
        dve_table_opcode_diff same;
        dve_wire_opcode opcode = {(uint8_t)op};
        must((dve_table_look_up(set, opcode, &path) == DVE_OK) == (enabled[op / 8] >> op % 8 & 1));
        must(path.control && path.entry.row < DVE_TABLE_MAX_ROWS && path.block.configured <= DVE_TABLE_LANES);
        must(!path.slow || path.slow[0] + path.slow[15] >= 0);
        slots += path.entry.raw != 0;
        dve_table_compare_opcode(set, set, opcode, &same);
        must(same.change == DVE_TABLE_SAME && !same.lanes && !same.control && !same.slow);
    }
    dve_table_count(set, &census);
    must(census.slots == slots && census.words == census.idle_words + census.config_words);
    must(census.zero_blocks + census.pass_blocks + census.active_blocks == dve_table_of(set->gen, DVE_TABLE_DATAPATH)->rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"default", "saturate", "transformer", "other"};
    static tables a, b;
    uint8_t choice = size ? data[0] : 0;
    uint8_t gen = (uint8_t)(2 + choice % 3);
    make(&a, gen, data, size);
    make(&b, (uint8_t)(choice & 0x80 ? 2 + (choice >> 5) % 3 : gen), data + size / 3, size - size / 3);
    look(&a.set);
    size_t errors = dve_table_check(&a.set, names[choice / 3 % 4], &a.set, tell);
    must(errors <= told && errors == dve_table_check(&a.set, names[choice / 3 % 4], NULL, NULL));
    dve_table_check_pair(&b.set, &a.set, names[choice / 3 % 4], &a.set, tell);
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        dve_table_diff d;
        uint8_t rows[32];
        dve_table_compare(&a.set, &b.set, key, &d);
        must(d.patterns <= d.words && d.rows <= d.words && d.words <= d.bytes);
        dve_table_compare(&a.set, &a.set, key, &d);
        must(!d.bytes && d.first_byte == DVE_NOWHERE);
        if (a.set.table[key])
            dve_table_unreferenced(&a.set, key, rows);
    }
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_table_opcode_diff d;
        dve_table_compare_opcode(&a.set, &b.set, (dve_wire_opcode){(uint8_t)op}, &d);
    }
    for (unsigned key = 0; key < DVE_TABLE_KEYS; key++) {
        free(a.table[key]);
        free(b.table[key]);
    }
    return 0;
}
