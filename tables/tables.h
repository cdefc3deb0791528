/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of tables/ share. */
#ifndef DVE_TABLES_INTERNAL_H
#define DVE_TABLES_INTERNAL_H

#include <opendve/tables.h>
#include <string.h>

/* What isa/tables.def says of entries and words of a generation. */
typedef struct dve_table_layout {
    uint8_t row_bits, valid, mode, stage, top;
    uint64_t idle_entry, absent;
} dve_table_layout;

const dve_table_layout *dve_table_layout_of(uint8_t gen);    /* NULL for a generation without tables */

/* A published count of the default set of build 2.24.5133.0, and the same of a census. */
typedef struct dve_table_figure {
    const char *what;
    uint64_t given, wanted;
    char conf;
} dve_table_figure;

enum { DVE_TABLE_FIGURES = 16 };             /* at most, of a generation */

/* Those of a generation; how many. */
size_t dve_table_figures(uint8_t gen, const dve_table_census *count, dve_table_figure out[DVE_TABLE_FIGURES]);

/* A little-endian number of 1..8 bytes. */
uint64_t dve_table_number(const uint8_t *bytes, uint32_t size);
/* An entry but for `enabled`, which takes a search. Who goes over all opcodes asks dve_table_enable once. */
void dve_table_entry_read(const dve_table_set *set, unsigned opcode, dve_table_entry *out);

/* The words of a datapath block, without their fields. */
typedef struct dve_table_words {
    dve_block_class kind;
    uint8_t configured;
    uint64_t word[DVE_TABLE_LANES];
    dve_lane_class lane[DVE_TABLE_LANES];
} dve_table_words;

void dve_table_words_at(const dve_table_set *set, uint32_t row, dve_table_words *out);

static inline uint64_t dve_table_eight(const uint8_t *bytes)
{
    uint64_t number = 0;
    uint8_t all[8];
    memcpy(all, bytes, 8);               /* one access, where bytes in a loop would be eight */
    for (unsigned i = 8; i > 0; i--)
        number = number << 8 | all[i - 1];
    return number;
}

static inline int dve_bit(const uint8_t *bits, uint32_t n)
{
    return bits[n / 8] >> n % 8 & 1;
}

#endif
