/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers of up to 1280 bits, enough for any decimal that decides how an fp32 rounds. */
#ifndef DVE_TEXT_BIG_H
#define DVE_TEXT_BIG_H

#include <stdint.h>

enum { DVE_BIG_LIMBS = 40 };
typedef struct dve_big {
    uint32_t limb[DVE_BIG_LIMBS];    /* lowest first */
    unsigned used;                   /* the highest one used is not zero */
} dve_big;

void dve_big_set(dve_big *b, uint32_t value);
/* b = b * factor + add */
void dve_big_scale(dve_big *b, uint32_t factor, uint32_t add);
void dve_big_times_power10(dve_big *b, unsigned power);
void dve_big_shift_left(dve_big *b, unsigned bits);
unsigned dve_big_bits(const dve_big *b);
void dve_big_add(dve_big *a, const dve_big *b);
/* a -= b; a must not be below b. */
void dve_big_subtract(dve_big *a, const dve_big *b);
/* Below, at or above 0 as a is below, at or above b. */
int dve_big_compare(const dve_big *a, const dve_big *b);

#endif
