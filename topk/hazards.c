/* SPDX-License-Identifier: Apache-2.0 */
/* What may surprise about a top-k (which ones, and when: docs/hazards.md).
 *
 * One fast pass a row asks whether anything can be wrong; only rows where it can are looked at closely.
 * The pass may rely on results: where the k-th value that came out is above the marker, it is the k-th of
 * the sort. For else, k' < k elements lie above the marker; all of them come out before the marker does,
 * and then the k-th that came out would be the marker, or -inf. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

enum {
    MARKED = 1,                  /* the marker is among the elements */
    REACHED = 2,                 /* not exactly k elements reach the k-th: equals, or NaN */
    ABOVE = 4,                   /* the marker is not below the k-th */
    CHANGED = 8,                 /* an integer differs from its fp32 value */
    BLOCK = 1024
};

typedef struct finder {
    const dve_topk_options *options;
    const uint8_t *input, *values;
    uint32_t size;
    int casts;                   /* worked in another data type than the input's */
    dve_num_config num;
    uint32_t marker;             /* fp32 */
    uint8_t *flags;              /* a row's */
    uint32_t *row;               /* the row under the glass, fp32 */
    uint32_t kth;                /* its k-th value, fp32 */
    uint64_t kth_at, next_at;    /* columns of the k-th and of an equal next; all ones: none */
    dve_topk_hazard hazard;
    void (*report)(void *context, const dve_topk_hazard *hazard);
    void *context;
} finder;

static const uint8_t *row_bytes(const finder *f, uint64_t row)
{
    return f->input + row * f->options->columns * f->size;
}

static uint32_t result_kth(const finder *f, uint64_t row)
{
    uint64_t at = row * f->options->k + f->options->k - 1;
    return dve_num_to_f32(&f->num, f->options->dtype, dve_num_load_bits(f->size, f->values + at * f->size));
}

static int wide_integer(uint8_t dtype)
{
    return dtype == DVE_DTYPE_INT32 || dtype == DVE_DTYPE_UINT32;
}

static int any_changed(const finder *f, const uint8_t *bytes, uint32_t n)
{
    bool is_signed = f->options->dtype == DVE_DTYPE_INT32;
    for (uint32_t i = 0; wide_integer(f->options->dtype) && i < n; i++)
        if (!dve_f32_holds_integer(dve_num_load_bits(4, bytes + (size_t)4 * i), is_signed))
            return 1;
    return 0;
}

/* Elements not below the k-th, NaN included; *marked becomes nonzero if one equals the marker. `v` are
 * fp32 as the host stores them. Two comparisons an element: this loop is what hazards cost where there
 * are none. */
static uint32_t screen(const uint8_t *v, uint32_t n, float kth, float marker, uint32_t *marked)
{
    uint32_t reach = 0, equal = 0;
    for (uint32_t i = 0; i < n; i++) {
        float e;
        memcpy(&e, v + (size_t)i * sizeof e, sizeof e);
        reach += e < kth ? 0u : 1u;
        equal |= e == marker ? 1u : 0u;
    }
    *marked |= equal;
    return reach;
}

/* Whether the wire's order of bytes is the host's. */
static int little_endian(void)
{
    const uint16_t probe = 1;
    return *(const uint8_t *)&probe == 1;
}

static void screen_row(finder *f, uint64_t row)
{
    const dve_topk_options *o = f->options;
    uint32_t block[BLOCK], marked = 0;
    int changed = 0;
    uint64_t reach = 0;
    float kth = dve_f32_value(result_kth(f, row)), marker = dve_f32_value(f->marker);
    int as_it_is = o->dtype == DVE_DTYPE_FP32 && little_endian();
    for (uint64_t c = 0; c < o->columns; c += BLOCK) {
        uint32_t n = o->columns - c < BLOCK ? (uint32_t)(o->columns - c) : BLOCK;
        const uint8_t *bytes = row_bytes(f, row) + c * f->size;
        changed = changed || any_changed(f, bytes, n);
        if (!as_it_is) {
            dve_num_load_f32(&f->num, o->dtype, bytes, (ptrdiff_t)f->size, n, block);
            bytes = (const uint8_t *)block;
        }
        reach += screen(bytes, n, kth, marker, &marked);
    }
    f->flags[row] = (uint8_t)((marked ? MARKED : 0) | (reach != o->k ? REACHED : 0) | (marker < kth ? 0 : ABOVE) |
                              (changed ? CHANGED : 0));
}

static void screen_rows(void *argument, uint32_t first, uint32_t end)
{
    for (uint32_t row = first; row < end; row++)
        screen_row(argument, row);
}

static void begin(finder *f, dve_topk_hazard_kind kind, uint32_t value)
{
    uint64_t row = f->hazard.row;
    memset(&f->hazard, 0, sizeof f->hazard);
    f->hazard.row = row;
    f->hazard.kind = kind;
    f->hazard.value = value;
    f->hazard.round = UINT64_MAX;
}

static void add_column(finder *f, uint64_t column)
{
    dve_topk_hazard *h = &f->hazard;
    if (h->listed < DVE_TOPK_HAZARD_COLUMNS)
        h->columns[h->listed++] = (uint32_t)column;
    h->count++;
}

/* In the data type that is worked in. */
static uint32_t element_bits(const finder *f, uint64_t column)
{
    return f->casts ? f->row[column] : dve_num_load_bits(f->size, row_bytes(f, f->hazard.row) + column * f->size);
}

static void marker_in_data(finder *f)
{
    begin(f, DVE_TOPK_MARKER_IN_DATA, dve_topk_marker(f->options));
    for (uint64_t c = 0; c < f->options->columns; c++)
        if (dve_f32_value(f->row[c]) == dve_f32_value(f->marker))
            add_column(f, c);
    if (f->hazard.count)
        f->report(f->context, &f->hazard);
}

static uint64_t count_nan(const finder *f)
{
    uint64_t count = 0;
    for (uint64_t c = 0; c < f->options->columns; c++)
        count += dve_f32_is_nan(f->row[c]);
    return count;
}

static void nan_in_data(finder *f)
{
    begin(f, DVE_TOPK_NAN, 0);
    for (uint64_t c = 0; c < f->options->columns; c++)
        if (dve_f32_is_nan(f->row[c]))
            add_column(f, c);
    f->hazard.value = element_bits(f, f->hazard.columns[0]);
    f->report(f->context, &f->hazard);
}

static void through_fp32(finder *f)
{
    bool is_signed = f->options->dtype == DVE_DTYPE_INT32;
    const uint8_t *bytes = row_bytes(f, f->hazard.row);
    begin(f, DVE_TOPK_THROUGH_FP32, 0);
    for (uint64_t c = 0; c < f->options->columns; c++)
        if (!dve_f32_holds_integer(dve_num_load_bits(4, bytes + 4 * c), is_signed))
            add_column(f, c);
    f->hazard.value = dve_num_load_bits(4, bytes + (size_t)4 * f->hazard.columns[0]);
    f->report(f->context, &f->hazard);
}

/* Order of values as unsigned numbers; NaN lowest. */
static uint32_t sort_key(uint32_t bits)
{
    return dve_f32_is_nan(bits) ? 0 : (uint32_t)dve_f32_order(bits) ^ 0x80000000u;
}

/* The k-th largest value, found digit by digit. Reported, never used: what is selected is what the
 * records selected. */
static void true_kth(finder *f)
{
    uint32_t found = 0, known = 0;
    uint64_t left = f->options->k;
    for (int shift = 24; shift >= 0; shift -= 8) {
        uint64_t histogram[256] = {0};
        unsigned digit = 255;
        for (uint64_t c = 0; c < f->options->columns; c++)
            if ((sort_key(f->row[c]) & known) == found)
                histogram[sort_key(f->row[c]) >> shift & 255]++;
        for (; digit > 0 && histogram[digit] < left; digit--)
            left -= histogram[digit];
        found |= (uint32_t)digit << shift;
        known |= 255u << shift;
    }
    for (uint64_t c = 0; c < f->options->columns; c++)
        if (sort_key(f->row[c]) == found)
            f->kth = f->row[c];
}

/* Where the k-th and the next stand: behind the elements above it, equals follow in order of position. */
static void place_kth(finder *f)
{
    uint64_t above = 0, nth = 0, wanted;
    float kth = dve_f32_value(f->kth);
    for (uint64_t c = 0; c < f->options->columns; c++)
        above += dve_f32_value(f->row[c]) > kth;
    wanted = f->options->k - above;
    for (uint64_t c = 0; c < f->options->columns && nth <= wanted; c++) {
        if (dve_f32_value(f->row[c]) != kth || ++nth < wanted)
            continue;
        *(nth == wanted ? &f->kth_at : &f->next_at) = c;
    }
}

static void marker_above_cut(finder *f)
{
    begin(f, DVE_TOPK_MARKER_ABOVE_CUT, 0);
    f->hazard.round = (f->options->k - 1) / 8;
    if (f->kth_at == UINT64_MAX) {
        f->hazard.value = dve_num_from_f32(&f->num, dve_topk_working_dtype(f->options), DVE_F32_INFINITY | 0x80000000u);
    } else {
        f->hazard.value = element_bits(f, f->kth_at);
        add_column(f, f->kth_at);
    }
    f->report(f->context, &f->hazard);
}

static void tie_at_cut(finder *f)
{
    begin(f, DVE_TOPK_TIE_AT_CUT, element_bits(f, f->kth_at));
    f->hazard.round = (f->options->k - 1) / 8;
    add_column(f, f->kth_at);
    add_column(f, f->next_at);
    f->report(f->context, &f->hazard);
}

static void look_closely(finder *f, uint64_t row, unsigned flags)
{
    const dve_topk_options *o = f->options;
    f->hazard.row = row;
    f->kth_at = f->next_at = UINT64_MAX;
    dve_num_load_f32(&f->num, o->dtype, row_bytes(f, row), (ptrdiff_t)f->size, o->columns, f->row);
    uint64_t nans = count_nan(f);
    int complete = o->columns - nans >= o->k;
    f->kth = result_kth(f, row);
    if (complete && (flags & ABOVE || f->casts)) /* a saturating cast back may have changed the result's */
        true_kth(f);
    if (complete && flags & (ABOVE | REACHED))
        place_kth(f);
    if (flags & MARKED)
        marker_in_data(f);
    if (flags & ABOVE || !complete)
        marker_above_cut(f);
    if (nans)
        nan_in_data(f);
    if (flags & CHANGED)
        through_fp32(f);
    if (f->kth_at != UINT64_MAX && f->next_at != UINT64_MAX)
        tie_at_cut(f);
}

static void report_all(finder *f)
{
    const dve_topk_options *o = f->options;
    for (uint64_t row = 0; row < o->rows; row++) {
        f->hazard.row = row;
        if (f->flags[row])
            look_closely(f, row, f->flags[row]);
        if (o->columns < 8) {
            begin(f, DVE_TOPK_SHORT_ROW, (uint32_t)o->columns);
            f->report(f->context, &f->hazard);
        }
    }
}

/* A parallel_for counts in 32 bits; arrays of more rows than that go in parts. */
static void screen_all(finder *f, dve_parallel_for *parallel_for, void *parallel_context)
{
    finder part = *f;
    uint64_t rows = f->options->rows;
    for (uint64_t row = 0; row < rows;) {
        uint32_t n = rows - row < UINT32_MAX ? (uint32_t)(rows - row) : UINT32_MAX;
        part.input = row_bytes(f, row);
        part.values = f->values + row * f->options->k * f->size;
        part.flags = f->flags + row;
        if (parallel_for)
            parallel_for(parallel_context, n, screen_rows, &part);
        else
            screen_rows(&part, 0, n);
        row += n;
    }
}

dve_status dve_topk_hazards(const dve_topk_options *options, const void *input, const void *values,
                            dve_parallel_for *parallel_for, void *parallel_context,
                            void (*report)(void *context, const dve_topk_hazard *hazard), void *context)
{
    finder f = {.options = options, .input = input, .values = values, .size = dve_num_size(options->dtype),
                .report = report, .context = context};
    f.casts = dve_topk_working_dtype(options) != options->dtype;
    dve_topk_num(options, &f.num);
    f.marker = dve_num_to_f32(&f.num, dve_topk_working_dtype(options), dve_topk_marker(options));
    f.flags = malloc(options->rows);
    f.row = options->columns < SIZE_MAX / sizeof *f.row ? malloc(options->columns * sizeof *f.row) : NULL;
    dve_status status = f.flags && f.row ? DVE_OK : DVE_E_INTERNAL;
    if (status == DVE_OK) {
        screen_all(&f, parallel_for, parallel_context);
        report_all(&f);
    }
    free(f.flags);
    free(f.row);
    return status;
}

const char *dve_topk_hazard_name(dve_topk_hazard_kind kind)
{
    static const char *const names[DVE_TOPK_HAZARD_KINDS] = {"marker-in-data", "marker-above-cut", "nan",
                                                             "through-fp32", "tie-at-cut", "short-row"};
    return (unsigned)kind < DVE_TOPK_HAZARD_KINDS ? names[kind] : NULL;
}

int dve_topk_hazard_alters(dve_topk_hazard_kind kind)
{
    return kind <= DVE_TOPK_THROUGH_FP32;
}
