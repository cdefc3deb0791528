/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fp32 bit patterns as exact doubles and back.
 *
 * Every fp32 number is a double, and so is the sum of two neighbouring fp32 numbers.  Comparing 2x with that sum
 * compares the distances to both neighbours without any rounding, which is all that "nearest, ties to even" needs.
 */
#include "oracle_internal.h"

#include <math.h>

#define POW2_RANGE 200

double oracle_pow2(int exponent)
{
    static double table[2 * POW2_RANGE + 1];

    if (table[POW2_RANGE] != 1.0) {
        double up = 1.0, down = 1.0;

        for (int i = 1; i <= POW2_RANGE; i++) {
            up *= 2.0;
            down *= 0.5;
            table[POW2_RANGE + i] = up;
            table[POW2_RANGE - i] = down;
        }
        table[POW2_RANGE] = 1.0;
    }
    return table[POW2_RANGE + exponent];
}

int oracle_is_nan(uint32_t fp32_bits)
{
    return (fp32_bits & ~ORACLE_SIGN) > ORACLE_INF;
}

double oracle_magnitude(uint32_t magnitude_bits)
{
    uint32_t exponent = magnitude_bits >> 23;
    uint32_t fraction = magnitude_bits & 0x7fffffu;

    if (exponent == 0)
        return (double)fraction * oracle_pow2(-149);
    return (double)(fraction | 0x800000u) * oracle_pow2((int)exponent - 150);
}

double oracle_value(uint32_t fp32_bits)
{
    uint32_t magnitude = fp32_bits & ~ORACLE_SIGN;
    double value = magnitude == ORACLE_INF ? HUGE_VAL : oracle_magnitude(magnitude);

    return fp32_bits & ORACLE_SIGN ? -value : value;
}

/* The patterns 0..0x7f800000 are sorted by value, so they serve as their own table: find the last one not above x. */
static uint32_t nearest_magnitude(double x)
{
    uint32_t low = 0, high = ORACLE_INF;
    double twice = 2.0 * x, sum;

    if (x >= oracle_magnitude(ORACLE_INF))
        return ORACLE_INF;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (oracle_magnitude(middle) <= x)
            low = middle;
        else
            high = middle;
    }
    sum = oracle_magnitude(low) + oracle_magnitude(high);
    if (twice != sum)
        return twice < sum ? low : high;
    return low & 1u ? high : low;
}

uint32_t oracle_encode(double value)
{
    uint32_t sign = signbit(value) ? ORACLE_SIGN : 0;

    if (value != value)
        return ORACLE_QNAN;
    return sign | nearest_magnitude(sign ? -value : value);
}
