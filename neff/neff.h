/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the package reader share. */
#ifndef DVE_NEFF_PARTS_H
#define DVE_NEFF_PARTS_H

#include <opendve/neff.h>

enum { NEFF_NAME = 4096 };               /* bytes of a name with its zero; longer ones are refused */

/* A header block of a tar and what follows it. */
typedef struct neff_block {
    uint8_t type;                        /* the type flag */
    int posix;                           /* has the name's front part in `prefix` */
    const uint8_t *header, *data;
    uint64_t size;                       /* of the data */
} neff_block;

/* Nonzero if all bytes are zero. */
int dve_neff_zero(const uint8_t *bytes, size_t size);
/* Reads the 512 bytes of a header, but not its name; NULL or what is wrong with them. */
const char *dve_neff_block_read(const uint8_t *header, neff_block *out);
/* The name in a header; NULL or what is wrong. `out` holds NEFF_NAME bytes. */
const char *dve_neff_block_name(const neff_block *block, char *out);

/* What a pax header says of the member behind it. */
typedef struct neff_pax {
    const uint8_t *path;                 /* NULL if it says nothing */
    size_t path_length;
    int has_size;
    uint64_t size;
} neff_pax;

/* Reads the records of a pax header; NULL or what is wrong. A global one may change no member. */
const char *dve_neff_pax_read(const uint8_t *data, size_t size, int global, neff_pax *out);

/* Takes a leading "./" off and judges the rest; NULL or what is wrong. *name is moved on, and may become empty. */
const char *dve_neff_name_judge(char **name, int directory);
/* Bytes of the UTF-8 character at the front of `bytes` (`size` is not 0), and the character; 0 if it is none. */
size_t dve_neff_character(const uint8_t *bytes, size_t size, uint32_t *character);
/* Nonzero if the bytes are UTF-8 without the controls of ASCII. */
int dve_neff_text(const uint8_t *bytes, size_t size);

#endif
