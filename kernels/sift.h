/* SPDX-License-Identifier: Apache-2.0 */
/* The match core on rows of fp32 where the level has a sieve (v_common.h): it says which steps of a block may have what
 * a key looks for, without a branch; then the elements of those steps that pass are offered to the keys in order. */
#ifndef DVE_KERNELS_SIFT_H
#define DVE_KERNELS_SIFT_H

#include "keys.h"

enum {
    STEP = 64,                   /* elements that a sieve takes at once */
    BLOCK_STEPS = 32,
    VAIN = 128                   /* elements that pass for nothing, after which it is no good for this row */
};

typedef struct sifting {
    keys *keys;
    const word_f32 *v;
    uint32_t n, vain;
    vsieve sieve;
    float last[STEP];            /* the last step, if the row ends within it */
} sifting;

ALWAYS void offer_step(sifting *f, uint32_t at)
{
    const word_f32 *v = at + STEP <= f->n ? f->v + at : f->last;
    for (uint64_t which = sift_bits(v, &f->sieve); which; which &= which - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(which);
        f->vain += !take(f->keys, v[i], at + i);
    }
}

/* The steps of a block from element `at` on; answers where to go on. Keys that took an element in this block stay in
 * the sieve while nothing passes for them in vain, so that no step waits for the one before. */
ALWAYS uint32_t sift_block(sifting *f, uint32_t at)
{
    uint32_t whole = (f->n - at) / STEP, steps = 0, some = 0;
    for (; steps < BLOCK_STEPS && steps < whole; steps++)
        some |= (uint32_t)vm_any(sift(f->v + at + STEP * steps, &f->sieve)) << steps;
    if (steps < BLOCK_STEPS && at + STEP * steps < f->n) {
        some |= (uint32_t)vm_any(sift(f->last, &f->sieve)) << steps;
        steps++;
    }
    for (; some && f->keys->open; some &= some - 1) {
        uint32_t step = (uint32_t)__builtin_ctz(some), vain = f->vain;
        offer_step(f, at + STEP * step);
        if (f->vain != vain)
            sieve_keep(&f->sieve, f->keys->open);
        if (f->vain > VAIN)
            return at + STEP * (step + 1);
    }
    sieve_keep(&f->sieve, f->keys->open);
    return at + STEP * steps;
}

/* Offers elements until the row ends or too many pass in vain; answers where it stopped. */
static uint32_t sift_row(keys *k, const word_f32 *v, uint32_t n)
{
    sifting f;
    uint32_t i = 0;
    f.keys = k;
    f.v = v;
    f.n = n;
    f.vain = 0;
    f.sieve = sieve_of(k->key);
    sieve_keep(&f.sieve, k->open);
    for (uint32_t j = 0, whole = n - n % STEP; whole < n && j < STEP; j++)
        f.last[j] = whole + j < n ? v[whole + j] : dve_nan;
    while (k->open && i < n && f.vain <= VAIN)
        i = sift_block(&f, i);
    return i < n ? i : n;
}

#endif
