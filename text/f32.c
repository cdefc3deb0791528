/* SPDX-License-Identifier: Apache-2.0 */
/* fp32 to its shortest decimal (Steele and White's free-format printing) and any decimal to the nearest
 * fp32, ties to even. Both in whole numbers: exact, the same on every host and in every locale. */
#include "big.h"
#include "emit.h"
#include "f32.h"

enum { DIGITS = 9, MANTISSA = 24, LEAST = -149, MOST = 104 };   /* powers of two of the lowest mantissa bit */

/* value = significand * 2^exponent of a finite fp32 */
static void take_apart(uint32_t bits, uint32_t *significand, int *exponent)
{
    uint32_t field = bits >> 23 & 0xff;
    *significand = (bits & 0x7fffff) | (field ? 0x800000 : 0);
    *exponent = (int)(field ? field : 1) - 150;
}

/* r / s is the value, up and down are the distances to half of the neighbours, in units of 1 / s. */
typedef struct digits {
    dve_big r, s, up, down;
    int even, point;                 /* value = 0.ddd * 10^point */
} digits;

static void scale_all(digits *d, uint32_t factor)
{
    dve_big_scale(&d->r, factor, 0);
    dve_big_scale(&d->up, factor, 0);
    dve_big_scale(&d->down, factor, 0);
}

/* Whether rounding up to the next whole multiple of s would still read back. */
static int may_round_up(const digits *d)
{
    dve_big sum = d->r;
    dve_big_add(&sum, &d->up);
    int order = dve_big_compare(&sum, &d->s);
    return d->even ? order >= 0 : order > 0;
}

static void begin_digits(digits *d, uint32_t significand, int exponent)
{
    unsigned left = exponent > 0 ? (unsigned)exponent : 0, right = exponent < 0 ? (unsigned)-exponent : 0;
    unsigned uneven = significand == 0x800000 && exponent > LEAST ? 1 : 0;   /* the neighbour below is nearer */
    int log2 = exponent - 1;
    dve_big_set(&d->r, significand);
    dve_big_shift_left(&d->r, left + 1 + uneven);
    dve_big_set(&d->s, 1);
    dve_big_shift_left(&d->s, right + 1 + uneven);
    dve_big_set(&d->up, 1);
    dve_big_shift_left(&d->up, left + uneven);
    dve_big_set(&d->down, 1);
    dve_big_shift_left(&d->down, left);
    d->even = significand % 2 == 0;
    for (uint32_t m = significand; m; m >>= 1)
        log2++;
    /* floor(log10(2^log2)) + 1: right, or one too small */
    d->point = (log2 < 0 ? -((-log2 * 78913 + 262143) >> 18) : log2 * 78913 >> 18) + 1;
    if (d->point >= 0) {
        dve_big_times_power10(&d->s, (unsigned)d->point);
    } else {
        dve_big_times_power10(&d->r, (unsigned)-d->point);
        dve_big_times_power10(&d->up, (unsigned)-d->point);
        dve_big_times_power10(&d->down, (unsigned)-d->point);
    }
    if (may_round_up(d))
        d->point++;
    else
        scale_all(d, 10);
}

/* The shortest digits; how many. */
static int make_digits(digits *d, char out[DIGITS + 1])
{
    for (int n = 0;;) {
        char digit = '0';
        for (; dve_big_compare(&d->r, &d->s) >= 0; digit++)
            dve_big_subtract(&d->r, &d->s);
        int order = dve_big_compare(&d->r, &d->down);
        int low = d->even ? order <= 0 : order < 0, high = may_round_up(d);
        if (!low && !high && n < DIGITS) {
            out[n++] = digit;
            scale_all(d, 10);
            continue;
        }
        dve_big_scale(&d->r, 2, 0);
        int up = high && (!low || dve_big_compare(&d->r, &d->s) >= 0);
        out[n++] = (char)(digit + up);
        return n;
    }
}

static void emit_scientific(dve_emit *e, const char *text, int n, int exponent)
{
    dve_emit_char(e, text[0]);
    if (n > 1)
        dve_emit_char(e, '.');
    dve_emit_bytes(e, text + 1, (size_t)n - 1);
    dve_emit_text(e, exponent < 0 ? "e-" : "e+");
    int size = exponent < 0 ? -exponent : exponent;
    if (size < 10)
        dve_emit_char(e, '0');
    dve_emit_decimal(e, (uint64_t)size);
}

static void emit_plain(dve_emit *e, const char *text, int n, int point)
{
    if (point <= 0) {
        dve_emit_text(e, "0.");
        for (int i = point; i < 0; i++)
            dve_emit_char(e, '0');
        dve_emit_bytes(e, text, (size_t)n);
        return;
    }
    dve_emit_bytes(e, text, (size_t)point);
    dve_emit_char(e, '.');
    dve_emit_bytes(e, text + point, (size_t)(n - point));
}

void dve_emit_f32(dve_emit *e, uint32_t bits)
{
    uint32_t magnitude = bits & 0x7fffffff, significand;
    int exponent;
    if (magnitude > 0x7f800000) {
        dve_emit_text(e, "nan");
        return;
    }
    if (bits >> 31)
        dve_emit_char(e, '-');
    if (magnitude == 0x7f800000 || !magnitude) {
        dve_emit_text(e, magnitude ? "inf" : "0");
        return;
    }
    digits d;
    char text[DIGITS + 1];
    take_apart(bits, &significand, &exponent);
    begin_digits(&d, significand, exponent);
    int n = make_digits(&d, text);
    if (d.point < -4 || d.point > DIGITS)
        emit_scientific(e, text, n, d.point - 1);
    else if (n > d.point)
        emit_plain(e, text, n, d.point);
    else                                         /* whole and below 10^9: all its digits */
        dve_emit_decimal(e, exponent < 0 ? significand >> -exponent : (uint64_t)significand << exponent);
}

/* ---- reading ---- */

enum { KEPT = 120 };                 /* digits that can matter: the longest tie between two fp32 has 113 */

typedef struct decimal {
    dve_big digits;
    unsigned kept;                   /* without leading zeros */
    int power;                       /* value = digits * 10^power */
} decimal;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_digit(decimal *d, char c, int fraction)
{
    int lost = d->kept >= KEPT;
    if (!lost && (d->kept || c != '0')) {
        if (d->kept++)
            dve_big_scale(&d->digits, 10, (uint32_t)(c - '0'));
        else
            dve_big_set(&d->digits, (uint32_t)(c - '0'));
    } else if (lost && c != '0') {
        d->digits.limb[0] |= 1;                  /* "and a bit more" is all that counts from here on */
    }
    d->power += fraction ? (lost ? 0 : -1) : (lost ? 1 : 0);
}

static const char *read_exponent(const char *at, const char *end, int *out)
{
    int value = 0, negative = 0;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (at == end || !is_digit(*at))
        return NULL;
    for (; at < end && is_digit(*at); at++)
        if (value < 100000)
            value = 10 * value + (*at - '0');
    *out = negative ? -value : value;
    return at;
}

static int read_decimal(const char *at, const char *end, decimal *out)
{
    int seen = 0, fraction = 0, exponent = 0;
    dve_big_set(&out->digits, 0);
    out->kept = 0;
    out->power = 0;
    for (; at < end && (is_digit(*at) || (*at == '.' && !fraction)); at++)
        if (*at == '.') {
            fraction = 1;
        } else {
            seen = 1;
            add_digit(out, *at, fraction);
        }
    if (seen && at < end && (*at == 'e' || *at == 'E'))
        at = read_exponent(at + 1, end, &exponent);
    out->power += exponent;
    return seen && at == end;
}

/* num / den rounded to a significand of at most 24 bits; `power` of two of its lowest bit. */
static uint32_t divide(dve_big *num, dve_big *den, int *power)
{
    int shift = (int)dve_big_bits(num) - (int)dve_big_bits(den) - MANTISSA;
    if (shift < LEAST)
        shift = LEAST;
    if (shift > 0)
        dve_big_shift_left(den, (unsigned)shift);
    else
        dve_big_shift_left(num, (unsigned)-shift);
    uint32_t quotient = 0;
    dve_big_shift_left(den, MANTISSA);           /* the quotient has at most 25 bits */
    for (int bit = MANTISSA; bit >= 0; bit--) {
        quotient <<= 1;
        if (dve_big_compare(num, den) >= 0) {
            dve_big_subtract(num, den);
            quotient |= 1;
        }
        dve_big_scale(num, 2, 0);
    }
    /* num is twice the remainder now */
    int order = dve_big_compare(num, den), rest = num->used != 0;
    *power = shift;
    if (quotient >> MANTISSA) {
        int odd = quotient & 1;
        quotient >>= 1;
        ++*power;
        return quotient + (odd && (rest || quotient & 1) ? 1 : 0);
    }
    return quotient + (order > 0 || (order == 0 && quotient & 1) ? 1 : 0);
}

static int round_decimal(decimal *d, uint32_t *bits)
{
    int power;
    dve_big den;
    int magnitude = d->power + (int)d->kept;     /* below 10^magnitude */
    *bits = 0;
    if (!d->kept || magnitude < -46)
        return DVE_F32_READ;
    if (magnitude > 39)
        return DVE_F32_TOO_LARGE;
    dve_big_set(&den, 1);
    if (d->power >= 0)
        dve_big_times_power10(&d->digits, (unsigned)d->power);
    else
        dve_big_times_power10(&den, (unsigned)-d->power);
    uint32_t significand = divide(&d->digits, &den, &power);
    if (significand >> MANTISSA) {
        significand >>= 1;
        power++;
    }
    if (power > MOST)
        return DVE_F32_TOO_LARGE;
    *bits = significand >> (MANTISSA - 1) ? (uint32_t)(power + 150) << 23 | (significand & 0x7fffff) : significand;
    return DVE_F32_READ;
}

/* Whether `text` is `word`, in letters of either case. */
static int is_word(const char *text, const char *end, const char *word)
{
    for (; text < end && *word; text++, word++)
        if ((*text | 0x20) != *word)
            return 0;
    return text == end && !*word;
}

int dve_f32_read(const char *text, size_t length, uint32_t *bits)
{
    const char *end = text + length;
    uint32_t sign = 0;
    decimal d;
    *bits = 0;
    if (text < end && (*text == '-' || *text == '+'))
        sign = *text++ == '-' ? UINT32_C(1) << 31 : 0;
    int result = DVE_F32_READ;
    if (is_word(text, end, "inf"))
        *bits = 0x7f800000;
    else if (is_word(text, end, "nan"))
        *bits = 0x7fc00000;
    else if (read_decimal(text, end, &d))
        result = round_decimal(&d, bits);
    else
        return DVE_F32_NOT;
    *bits |= sign;
    return result;
}
