/* SPDX-License-Identifier: Apache-2.0 */
/* What `opendve topk` says about a run. */
#include "table.h"
#include "topk.h"
#include <inttypes.h>

enum { ROWS_SHOWN = 4, RANKS_SHOWN = 8 };

static const dve_num_config num;                 /* fp32, fp16 and bf16 have no settings */

static int is_integer(uint8_t dtype)
{
    return (dtype >= DVE_DTYPE_INT8 && dtype <= DVE_DTYPE_UINT16) || dtype == DVE_DTYPE_INT32 ||
           dtype == DVE_DTYPE_UINT32;
}

/* Bits of an integer data type as a number. */
static int64_t integer_of(uint8_t dtype, uint32_t bits)
{
    uint32_t width = 8 * dve_num_size(dtype), top = 1u << (width - 1);
    int is_signed = dtype == DVE_DTYPE_INT8 || dtype == DVE_DTYPE_INT16 || dtype == DVE_DTYPE_INT32;
    return is_signed ? (int64_t)(bits ^ top) - (int64_t)top : (int64_t)bits;
}

/* A number of the input's data type, or of the one that is worked in. */
static char *value_text(const dve_topk_options *options, uint8_t dtype, uint32_t bits, char out[DVE_F32_TEXT])
{
    dve_num_config config = num;
    config.e4m3 = options->settings.value[DVE_ASSUMPTION_e4m3];
    if (!is_integer(dtype))
        return dve_f32_text(dve_num_to_f32(&config, dtype, bits), out);
    snprintf(out, DVE_F32_TEXT, "%" PRId64, integer_of(dtype, bits));
    return out;
}

/* ---- hazards ---- */

static void tell(const topk_report *r, const dve_topk_hazard *h)
{
    char columns[160] = "", value[DVE_F32_TEXT];
    size_t used = 0;
    for (unsigned i = 0; i < h->listed && used + 16 < sizeof columns; i++)
        used += (size_t)snprintf(columns + used, sizeof columns - used, "%s%" PRIu32, i ? ", " : "", h->columns[i]);
    if (h->count > h->listed || used + 16 >= sizeof columns)
        snprintf(columns + used, sizeof columns - used, ", ...");
    uint8_t dtype = h->kind == DVE_TOPK_THROUGH_FP32 ? r->options->dtype : dve_topk_working_dtype(r->options);
    value_text(r->options, dtype, h->value, value);
    const char *name = dve_topk_hazard_name(h->kind), *s = h->count == 1 ? "" : "s";
    switch (h->kind) {
    case DVE_TOPK_MARKER_IN_DATA:
        cli_note("hazard: row %" PRIu64 ": %s (may alter): %" PRIu64 " element%s equal%s the replace value %s, "
                 "column%s %s", h->row, name, h->count, s, h->count == 1 ? "s" : "", value, s, columns);
        break;
    case DVE_TOPK_MARKER_ABOVE_CUT:
        cli_note("hazard: row %" PRIu64 ": %s (alters): the replace value is not below the k-th value %s, %s%s, "
                 "round %" PRIu64, h->row, name, value, h->count ? "column " : "which no column holds", columns,
                 h->round);
        break;
    case DVE_TOPK_NAN:
        cli_note("hazard: row %" PRIu64 ": %s (alters): %" PRIu64 " element%s NaN, column%s %s", h->row, name,
                 h->count, h->count == 1 ? " is" : "s are", s, columns);
        break;
    case DVE_TOPK_THROUGH_FP32:
        cli_note("hazard: row %" PRIu64 ": %s (alters): %" PRIu64 " integer%s no fp32 value, the first is %s, "
                 "column%s %s", h->row, name, h->count, h->count == 1 ? " is" : "s are", value, s, columns);
        break;
    case DVE_TOPK_TIE_AT_CUT:
        cli_note("hazard: row %" PRIu64 ": %s (informs): the k-th and the next are both %s, columns %s, round %" PRIu64,
                 h->row, name, value, columns, h->round);
        break;
    default:
        cli_note("hazard: row %" PRIu64 ": %s (informs): %" PRIu32 " element%s, padded with -inf to 8", h->row, name,
                 h->value, h->value == 1 ? "" : "s");
    }
}

static void count_hazard(void *context, const dve_topk_hazard *hazard)
{
    topk_report *r = context;
    if (r->hazards_total++ < CLI_HAZARDS_SHOWN)
        tell(r, hazard);
    r->hazards[hazard->kind]++;
    r->hazards_altering += dve_topk_hazard_alters(hazard->kind) != 0;
}

static dve_status each_hazard(topk_report *r, void (*report)(void *context, const dve_topk_hazard *hazard),
                              void *context)
{
    dve_status status = dve_topk_hazards(r->options, r->input, r->values, r->pool ? dve_pool_run : NULL, r->pool,
                                         report, context);
    return status ? cli_fail(status, "no memory to look for hazards") : DVE_OK;
}

dve_status cli_topk_hazards(topk_report *r)
{
    dve_status status = each_hazard(r, count_hazard, r);
    if (r->hazards_total)
        cli_note("%" PRIu64 " hazard%s in all: %" PRIu64 " of class alters, %" PRIu64 " of class informs",
                 r->hazards_total, r->hazards_total == 1 ? "" : "s", r->hazards_altering,
                 r->hazards_total - r->hazards_altering);
    return status;
}

/* ---- JSON ---- */

typedef struct hazard_list {
    cli_report *report;
    const dve_topk_options *options;
} hazard_list;

static json_object *value_json(const dve_topk_options *o, const dve_topk_hazard *h)
{
    if (h->kind == DVE_TOPK_SHORT_ROW)
        return cli_json_int(h->value);
    if (h->kind == DVE_TOPK_THROUGH_FP32)
        return cli_json_int(integer_of(o->dtype, h->value));
    return cli_json_bits(dve_topk_working_dtype(o), h->value, &num);
}

static void add_hazard(void *context, const dve_topk_hazard *h)
{
    hazard_list *list = context;
    json_object *row = json_object_new_object(), *columns = json_object_new_array();
    for (unsigned i = 0; i < h->listed; i++)
        json_object_array_add(columns, cli_json_int(h->columns[i]));
    json_object_object_add(row, "kind", cli_json_text(dve_topk_hazard_name(h->kind)));
    json_object_object_add(row, "class", cli_json_text(dve_topk_hazard_alters(h->kind) ? "alters" : "informs"));
    json_object_object_add(row, "row", cli_json_int((int64_t)h->row));
    json_object_object_add(row, "columns", columns);
    json_object_object_add(row, "count", cli_json_int((int64_t)h->count));
    json_object_object_add(row, "value", value_json(list->options, h));
    json_object_object_add(row, "round", h->round == UINT64_MAX ? NULL : cli_json_int((int64_t)h->round));
    cli_report_element(list->report, row);
}

static json_object *hazard_counts(const topk_report *r)
{
    json_object *counts = json_object_new_object();
    json_object_object_add(counts, "total", cli_json_int((int64_t)r->hazards_total));
    json_object_object_add(counts, "alters", cli_json_int((int64_t)r->hazards_altering));
    json_object_object_add(counts, "informs", cli_json_int((int64_t)(r->hazards_total - r->hazards_altering)));
    for (unsigned k = 0; k < DVE_TOPK_HAZARD_KINDS; k++)
        json_object_object_add(counts, dve_topk_hazard_name((dve_topk_hazard_kind)k),
                               cli_json_int((int64_t)r->hazards[k]));
    return counts;
}

static uint64_t batches_of(const topk_report *r)
{
    return (r->options->rows + DVE_LANES - 1) / DVE_LANES;
}

static json_object *cost_json(const topk_report *r)
{
    char ns[40];
    json_object *cost = json_object_new_object();
    cli_ns_text(r->cycles, r->options->gen, ns);
    json_object_object_add(cost, "cycles", cli_json_int((int64_t)r->cycles));
    json_object_object_add(cost, "ns", json_object_new_double_s((double)r->cycles * 1000 / cli_clock(r->options->gen), ns));
    json_object_object_add(cost, "estimate", json_object_new_boolean(1));
    return cost;
}

static const char *method_name(const dve_topk_options *o)
{
    return o->method == DVE_TOPK_FIND ? "find" : "replace-indices";
}

dve_status cli_topk_json(topk_report *r)
{
    const dve_topk_options *o = r->options;
    cli_report report;
    hazard_list list = {&report, o};
    cli_report_begin(&report, "topk", o->gen);
    cli_report_member(&report, "rows", cli_json_int((int64_t)o->rows));
    cli_report_member(&report, "columns", cli_json_int((int64_t)o->columns));
    cli_report_member(&report, "k", cli_json_int((int64_t)o->k));
    cli_report_member(&report, "dtype", cli_json_text(dve_dtype(o->dtype)->name));
    cli_report_member(&report, "method", cli_json_text(method_name(o)));
    cli_report_member(&report, "replace", cli_json_bits(dve_topk_working_dtype(o), dve_topk_marker(o), &num));
    cli_report_member(&report, "batches", cli_json_int((int64_t)batches_of(r)));
    cli_report_member(&report, "records", cli_json_int((int64_t)r->stats.records));
    cli_report_list(&report, "hazards");
    dve_status status = r->hazards_total ? each_hazard(r, add_hazard, &list) : DVE_OK;
    cli_report_list_end(&report);
    cli_report_member(&report, "hazard_counts", hazard_counts(r));
    cli_report_member(&report, "stats", cli_stats_json(&r->stats, o->gen));
    cli_report_member(&report, "cost", cost_json(r));
    cli_report_member(&report, "assumptions", cli_json_assumptions(r->assumptions));
    dve_status printed = cli_report_end(&report);
    return status ? status : printed;
}

/* ---- text ---- */

static void print_note(const topk_report *r)
{
    const dve_generation_info *g = dve_generation(r->options->gen);
    if (*g->note)
        printf("%s: %s\n", g->name, g->note);
}

void cli_topk_cost(const topk_report *r)
{
    uint64_t mhz = cli_clock(r->options->gen);
    uint64_t thousandths = r->cycles / mhz * 1000 + (r->cycles % mhz * 1000 + mhz / 2) / mhz;
    printf("estimated cost: %" PRIu64 " cycles, %" PRIu64 ".%03" PRIu64 " us (%s, estimate)\n", r->cycles,
           thousandths / 1000, thousandths % 1000, dve_generation(r->options->gen)->name);
    print_note(r);
}

static void print_shape(const topk_report *r)
{
    const dve_topk_options *o = r->options;
    printf("top %" PRIu64 " of %" PRIu64 " row%s of %" PRIu64 " column%s, %s, method %s, on %s\n", o->k, o->rows,
           o->rows == 1 ? "" : "s", o->columns, o->columns == 1 ? "" : "s", dve_dtype(o->dtype)->name, method_name(o),
           dve_generation(o->gen)->name);
}

dve_status cli_topk_table(const topk_report *r)
{
    static const char *const headings[] = {">row", ">rank", ">value", ">index", NULL};
    const dve_topk_options *o = r->options;
    uint64_t rows = o->rows < ROWS_SHOWN ? o->rows : ROWS_SHOWN, ranks = o->k < RANKS_SHOWN ? o->k : RANKS_SHOWN;
    uint32_t size = dve_num_size(o->dtype);
    char text[DVE_F32_TEXT];
    cli_table table;
    print_shape(r);
    putchar('\n');
    cli_table_begin(&table, headings);
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t rank = 0; rank < ranks; rank++) {
            uint64_t at = row * o->k + rank;
            uint32_t index = dve_num_load_bits(4, (const uint8_t *)r->indices + 4 * at);
            cli_table_add(&table, "%" PRIu64, row);
            cli_table_add(&table, "%" PRIu64, rank);
            cli_table_add(&table, "%s", value_text(o, o->dtype, dve_num_load_bits(size, (const uint8_t *)r->values +
                                                                                         size * at), text));
            if (index == DVE_TOPK_ABSENT)
                cli_table_add(&table, "none");
            else
                cli_table_add(&table, "%" PRIu32, index);
        }
    if (!cli_table_end(&table, stdout))
        return cli_fail(DVE_E_INTERNAL, "not enough memory");
    if (rows < o->rows || ranks < o->k)
        printf("... %" PRIu64 " of %" PRIu64 " rows, %" PRIu64 " of %" PRIu64 " ranks; --values and --indices take "
               "all\n", rows, o->rows, ranks, o->k);
    printf("\n%" PRIu64 " record%s, %" PRIu64 " batch%s of up to %d rows\n", r->stats.records,
           r->stats.records == 1 ? "" : "s", batches_of(r), batches_of(r) == 1 ? "" : "es", DVE_LANES);
    return DVE_OK;
}

dve_status cli_topk_stats(const topk_report *r)
{
    dve_status status = cli_stats_table(&r->stats, r->options->gen);
    if (status)
        return status;
    printf("elements are those of the largest operand, a lane\n");
    cli_print_assumptions(r->assumptions);
    return DVE_OK;
}
