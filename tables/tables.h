/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of tables/ share. */
#ifndef DVE_TABLES_INTERNAL_H
#define DVE_TABLES_INTERNAL_H

#include <opendve/tables.h>

/* What isa/tables.def says of entries and words of a generation. */
typedef struct dve_table_layout {
    uint8_t row_bits, valid, mode, stage, top;
    uint64_t idle_entry, absent;
} dve_table_layout;

const dve_table_layout *dve_table_layout_of(uint8_t gen);    /* NULL for a generation without tables */

/* A little-endian number of 1..8 bytes. */
uint64_t dve_table_number(const uint8_t *bytes, uint32_t size);
uint64_t dve_table_word(const dve_table_set *set, uint32_t row, uint32_t lane);

static inline int dve_bit(const uint8_t *bits, uint32_t n)
{
    return bits[n / 8] >> n % 8 & 1;
}

#endif
