/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The general arithmetic operators on fp32 patterns.
 *
 * Sums and products are taken in double and rounded once more.  That equals one rounding: a product of two fp32 is
 * exact in double, and a sum rounded to 53 bits cannot land on a new tie of 24 bits (53 >= 2 * 24 + 2); sums in the
 * subnormal range are exact.
 */
#include "oracle_internal.h"

#define ONE 0x3f800000u

static uint32_t truth(int condition)
{
    return condition ? ONE : 0;
}

/* direction 1 keeps the larger, -1 the smaller; a NaN loses; zeros of either sign are equal and the first stays. */
static uint32_t pick(uint32_t a, uint32_t b, int direction)
{
    double difference;

    if (oracle_is_nan(a) && oracle_is_nan(b))
        return ORACLE_QNAN;
    if (oracle_is_nan(a))
        return b;
    if (oracle_is_nan(b))
        return a;
    if (a == b)
        return a; /* also keeps infinity minus infinity away */
    difference = oracle_value(b) - oracle_value(a);
    return difference * direction > 0 ? b : a;
}

static uint32_t logical(unsigned op, uint32_t a, uint32_t b)
{
    int x = (a & ~ORACLE_SIGN) != 0, y = (b & ~ORACLE_SIGN) != 0; /* a NaN is true */

    if (op == 0x0d)
        return truth(x && y);
    return truth(op == 0x0e ? x || y : x != y);
}

static uint32_t compare(unsigned op, uint32_t a, uint32_t b)
{
    double x, y;

    if (oracle_is_nan(a) || oracle_is_nan(b))
        return truth(op == 0x18);
    x = oracle_value(a);
    y = oracle_value(b);
    switch (op) {
    case 0x12: return truth(x == y);
    case 0x13: return truth(x > y);
    case 0x14: return truth(x >= y);
    case 0x15: return truth(x <= y);
    case 0x16: return truth(x < y);
    default: return truth(x != y);
    }
}

static uint32_t magnitude_or_nan(uint32_t bits)
{
    return oracle_is_nan(bits) ? ORACLE_QNAN : bits & ~ORACLE_SIGN;
}

static uint32_t arithmetic(unsigned op, uint32_t a, uint32_t b)
{
    double x, y;

    if (oracle_is_nan(a) || oracle_is_nan(b))
        return ORACLE_QNAN;
    x = oracle_value(a);
    y = oracle_value(b);
    switch (op) {
    case 0x04: return oracle_encode(x + y);
    case 0x06: return oracle_encode(x * y);
    case 0x05: return oracle_encode(x - y);
    default: return magnitude_or_nan(oracle_encode(x - y));
    }
}

uint32_t oracle_alu_fp32(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case 0x00: return a;
    case 0x04: case 0x05: case 0x06: case 0x17: return arithmetic(op, a, b);
    case 0x08: return pick(a, b, 1);
    case 0x09: return pick(a, b, -1);
    case 0x0d: case 0x0e: case 0x0f: return logical(op, a, b);
    case 0x12: case 0x13: case 0x14: case 0x15: case 0x16: case 0x18: return compare(op, a, b);
    case 0x19: return magnitude_or_nan(a);
    case 0x20: return pick(magnitude_or_nan(a), magnitude_or_nan(b), 1);
    case 0x21: return pick(magnitude_or_nan(a), magnitude_or_nan(b), -1);
    /* OPEN: relu(-0) is max(-0, 0), and between zeros the first operand stays: -0. */
    case 0x22: return oracle_is_nan(a) ? ORACLE_QNAN : pick(a, 0, 1);
    case 0x23: return arithmetic(0x06, a, a);
    default: return 0;
    }
}
