/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of an explanation that are tables: generations, and the worked example. */
#include "explain.h"
#include "isa.h"
#include "table.h"
#include "wrap.h"
#include <inttypes.h>
#include <string.h>

enum { ROWS_SHOWN = 4, VALUES_SHOWN = 16, LINE = 1024 };

void cli_explain_generations(const explain_subject *s)
{
    static const char *const headings[] = {"  generation", "defined", "maintained", "engine", "executed", "table sets",
                                           NULL};
    char sets[160];
    cli_table table;
    cli_heading(stdout, "Generations");
    cli_table_begin(&table, headings);
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
        cli_table_add(&table, "  %s", dve_generation(g)->name);
        cli_table_add(&table, "%s", cli_isa_defined(s->info, g));
        cli_table_add(&table, "%s", cli_isa_maintained(s->info, g));
        cli_table_add(&table, "%s", s->info ? dve_opcode_engine(s->opcode, g) : "unknown");
        cli_table_add(&table, "%s", dve_opcode_executes(s->opcode, g) ? "yes" : "no");
        cli_table_add(&table, "%s", cli_isa_sets(s->opcode, g, sets, sizeof sets));
    }
    cli_table_end(&table, stdout);
    printf("  executed: by this version, %s\n", OPENDVE_VERSION);
}

/* ---- the worked example ---- */

static void print_values(const explain_tensor *t, const uint8_t *values, uint32_t row, int column)
{
    char line[LINE], text[40];
    size_t used = 0, wanted = column ? t->tensor->partitions : t->tensor->elements;
    size_t most = column ? DVE_LANES : VALUES_SHOWN;
    for (size_t i = 0; i < wanted && i < most && used + sizeof text < LINE; i++) {
        size_t at = column ? i : (size_t)row * t->tensor->elements + i;
        cli_example_value(t, values, at, text, sizeof text);
        used += (size_t)snprintf(line + used, LINE - used, "%s ", text);
    }
    if (wanted > most)
        snprintf(line + used, LINE - used, "... %zu more", wanted - most);
    cli_wrap(stdout, 12, 12, line);
}

/* One value a partition: they stand in one line. */
static void print_tensor(const explain_tensor *t, const uint8_t *values)
{
    char dtype[24];
    const dve_tensor *tensor = t->tensor;
    int column = tensor->elements == 1 && tensor->partitions > 1;
    printf("    %s, %s[%u", tensor->name, dve_space_name(tensor->place.space), tensor->place.partition);
    if (tensor->partitions > 1)
        printf("..%u", tensor->place.partition + tensor->partitions - 1);
    printf("]+0x%x, %s\n", tensor->place.offset, dve_dtype_text(tensor->dtype, dtype, sizeof dtype));
    for (uint32_t row = 0; row < (column ? 1 : tensor->partitions) && row < ROWS_SHOWN; row++) {
        if (column || tensor->partitions == 1)
            printf("            ");
        else
            printf("      %3u   ", tensor->place.partition + row);
        print_values(t, values, row, column);
    }
    if (!column && tensor->partitions > ROWS_SHOWN)
        printf("      ... %u more partitions\n", tensor->partitions - ROWS_SHOWN);
}

static void print_words(const char *name, const uint32_t *words, int positions)
{
    char text[DVE_F32_TEXT];
    printf("    %-11s", name);
    for (unsigned n = 0; n < 8; n++)
        if (positions && words[n] == UINT32_MAX)
            printf(" none");
        else if (positions)
            printf(" %u", words[n]);
        else
            printf(" %s", dve_f32_text(words[n], text));
    putchar('\n');
}

static void print_state(const explain_example *e)
{
    char text[DVE_F32_TEXT];
    for (unsigned lane = 0; lane < 2 && lane < e->lanes; lane++) {
        printf("  hidden state of lane %u after\n", lane);
        if (e->state & DVE_STATE_KEYS) {
            print_words("keys 0..7", e->lane[lane].key, 0);
            printf("    %-11s", "matched");
            for (unsigned n = 0; n < 8; n++)
                printf(" %s", e->lane[lane].matched >> n & 1 ? "yes" : "no");
            putchar('\n');
        }
        if (e->state & DVE_STATE_FLOPS)
            print_words("flops 0..7", e->lane[lane].flop, 1);
        if (e->state & DVE_STATE_ACCUMULATOR)
            printf("    %-11s %s\n", "accumulator", dve_f32_text(e->lane[lane].accumulator, text));
    }
}

static void print_source(const explain_example *e)
{
    puts("    .dve 1");
    printf("    .gen %s\n", dve_generation(e->gen)->name);
    for (const char *line = e->source; *line;) {
        int length = (int)strcspn(line, "\n");
        printf("    %.*s\n", length, line);
        line += length + 1;
    }
}

static void print_tensors(const explain_example *e)
{
    puts("  before");
    for (unsigned i = 0; i < e->tensors; i++)
        if (e->tensor[i].given)
            print_tensor(&e->tensor[i], e->tensor[i].before);
    puts("  after");
    for (unsigned i = 0; i < e->tensors; i++)
        if (e->tensor[i].shown)
            print_tensor(&e->tensor[i], e->tensor[i].after);
}

static void print_record(const explain_example *e)
{
    const dve_record *record = &e->record[e->records - 1];
    printf("  the %srecord%s", e->records > 1 ? "last " : "", "\n");
    for (unsigned b = 0; b < DVE_RECORD_BYTES; b++)
        printf("%s%02x%s", b % 16 ? "" : "    ", record->byte[b], b % 16 == 15 ? "\n" : b % 4 == 3 ? " " : "");
}

void cli_explain_example_text(const explain_subject *s, const explain_example *e)
{
    cli_heading(stdout, "Worked example");
    if (!e) {
        puts("  none known");
        return;
    }
    printf("  %s: %s\n", dve_generation(e->gen)->name, e->title);
    print_source(e);
    if (!e->executed) {
        printf("  not executed: %s\n", cli_example_why_not(e, s->opcode));
        print_record(e);
        return;
    }
    print_tensors(e);
    print_state(e);
    printf("  executed: %u record%s, %" PRIu64 " cycles (estimate), %u hazard%s\n", e->records,
           e->records == 1 ? "" : "s", e->cycles, e->hazards, e->hazards == 1 ? "" : "s");
}
