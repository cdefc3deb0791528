/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of data that searches must not differ on, however they are made. */
#ifndef TEST_KINDS_H
#define TEST_KINDS_H

#include <stdint.h>

enum { KINDS = 22 };

/* "normal" ...; NULL from KINDS on. */
const char *kind_name(unsigned kind);
/* n fp32 patterns of a kind; equal seeds give equal data. */
void kind_fill(unsigned kind, uint64_t seed, uint32_t *out, uint32_t n);

#endif
