/* SPDX-License-Identifier: Apache-2.0 */
#include "big.h"
#include <string.h>

void dve_big_set(dve_big *b, uint32_t value)
{
    b->limb[0] = value;
    b->used = value ? 1 : 0;
}

void dve_big_scale(dve_big *b, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (unsigned i = 0; i < b->used; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->used < DVE_BIG_LIMBS)
        b->limb[b->used++] = (uint32_t)carry;
}

void dve_big_times_power10(dve_big *b, unsigned power)
{
    for (; power >= 9; power -= 9)
        dve_big_scale(b, 1000000000, 0);
    uint32_t rest = 1;
    while (power--)
        rest *= 10;
    dve_big_scale(b, rest, 0);
}

void dve_big_shift_left(dve_big *b, unsigned bits)
{
    unsigned limbs = bits / 32;
    if (!b->used || b->used + limbs > DVE_BIG_LIMBS)
        return;
    if (limbs) {
        memmove(b->limb + limbs, b->limb, b->used * sizeof b->limb[0]);
        memset(b->limb, 0, limbs * sizeof b->limb[0]);
        b->used += limbs;
    }
    if (bits % 32)
        dve_big_scale(b, UINT32_C(1) << bits % 32, 0);
}

unsigned dve_big_bits(const dve_big *b)
{
    if (!b->used)
        return 0;
    unsigned bits = 32 * (b->used - 1);
    for (uint32_t top = b->limb[b->used - 1]; top; top >>= 1)
        bits++;
    return bits;
}

void dve_big_add(dve_big *a, const dve_big *b)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < b->used || carry; i++) {
        if (i == DVE_BIG_LIMBS)
            return;
        if (i >= a->used)
            a->limb[a->used++] = 0;
        carry += (uint64_t)a->limb[i] + (i < b->used ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void dve_big_subtract(dve_big *a, const dve_big *b)
{
    uint32_t borrow = 0;
    for (unsigned i = 0; i < a->used; i++) {
        uint64_t taken = (uint64_t)(i < b->used ? b->limb[i] : 0) + borrow;
        borrow = a->limb[i] < taken ? 1 : 0;
        a->limb[i] = (uint32_t)(a->limb[i] - taken);
    }
    while (a->used && !a->limb[a->used - 1])
        a->used--;
}

int dve_big_compare(const dve_big *a, const dve_big *b)
{
    if (a->used != b->used)
        return a->used < b->used ? -1 : 1;
    for (unsigned i = a->used; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}
