/* SPDX-License-Identifier: Apache-2.0 */
/* opendve bench: how fast the library is on this CPU, against what the CPU can do at most. */
#include "bench.h"
#include "commands.h"
#include "table.h"
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

const cli_option cli_bench_options[] = {
    {"quick", 0, NULL, "fewer runs of each line, and no rows longer than a tile"},
    {"line", 0, "ID", "measure this line; may be given again"},
    {"curve", 0, NULL, "also the cost of the search stream for 8 to 151936 columns"},
    {"list", 0, NULL, "print the lines and their goals, and measure nothing"},
    {0},
};

static const char *const units[] = {"ratio", "speedup", "ns", "Gelem/s"};
static const char *const floors[] = {"maximum", "memcpy"};

typedef struct goal {
    double pass, aim;
    const char *bar;
} goal;

typedef struct state {
    const cli_arguments *arguments;
    int json, quick;
    unsigned judged, aims, passed, small, skipped;
    bench bench;
    cli_report report;
    cli_table table;
} state;

/* The goals of searches were set with AVX-512. Where the CPU lacks it they grow as the goal of the search stream does:
 * from 1.4 and 1.25 to 2 and 1.4 with AVX2, to 4 and 2.8 without. */
static goal goal_of(const bench_line *line, bench_level level)
{
    goal out = {line->pass, line->aim, "any"};
    if (line->bar == BENCH_BAR_ANY)
        return out;
    out.bar = bench_level_name(level);
    if (level == BENCH_AVX512)
        return out;
    double pass = (level == BENCH_AVX2 ? 2 : 4) / 1.4, aim = (level == BENCH_AVX2 ? 1.4 : 2.8) / 1.25;
    out.pass = line->unit == BENCH_GIGA ? out.pass / pass : out.pass * pass;
    out.aim = line->unit == BENCH_GIGA ? out.aim / aim : out.aim * aim;
    return out;
}

static const char *verdict_of(const bench_line *line, const goal *g, double value)
{
    int more = line->unit == BENCH_SPEEDUP || line->unit == BENCH_GIGA;
    if (more ? value >= g->aim : value <= g->aim)
        return "aim";
    return (more ? value >= g->pass : value <= g->pass) ? "pass" : "short";
}

/* ---- the CPU ---- */

static void cpu_name(char *out, size_t capacity)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, capacity, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(out, capacity, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static json_object *machine_json(const state *s)
{
    char cpu[128];
    struct utsname name;
    json_object *object = json_object_new_object();
    cpu_name(cpu, sizeof cpu);
    json_object_object_add(object, "cpu", cli_json_text(cpu));
    json_object_object_add(object, "arch", cli_json_text(uname(&name) == 0 ? name.machine : "unknown"));
    json_object_object_add(object, "cores", cli_json_int(sysconf(_SC_NPROCESSORS_ONLN)));
    json_object_object_add(object, "simd", cli_json_text(bench_level_name(s->bench.level)));
    json_object_object_add(object, "compiler", cli_json_text(COMPILER));
    return object;
}

/* ---- reports ---- */

static json_object *number(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    return json_object_new_double_s(value, text);
}

static json_object *result_json(const bench_line *line, const goal *g, const bench_result *r, const char *verdict)
{
    json_object *object = json_object_new_object();
    double floor_us = bench_median(r->floor_us, r->runs);
    json_object_object_add(object, "id", cli_json_text(line->id));
    json_object_object_add(object, "what", cli_json_text(line->what));
    json_object_object_add(object, "unit", cli_json_text(units[line->unit]));
    json_object_object_add(object, "floor", cli_json_text(line->unit == BENCH_RATIO ? floors[line->floor] : NULL));
    json_object_object_add(object, "kind", cli_json_text(r->kind));
    json_object_object_add(object, "runs", cli_json_int(r->runs));
    json_object_object_add(object, "value", number(bench_median(r->value, r->runs)));
    json_object_object_add(object, "low", number(bench_quantile(r->value, r->runs, 0.1)));
    json_object_object_add(object, "high", number(bench_quantile(r->value, r->runs, 0.9)));
    json_object_object_add(object, "us", number(bench_median(r->time_us, r->runs)));
    json_object_object_add(object, "floor_us", floor_us > 0 ? number(floor_us) : NULL);
    json_object_object_add(object, "pass", number(g->pass));
    json_object_object_add(object, "aim", number(g->aim));
    json_object_object_add(object, "bar", cli_json_text(g->bar));
    json_object_object_add(object, "verdict", cli_json_text(verdict));
    return object;
}

static void result_text(state *s, const bench_line *line, const goal *g, const bench_result *r, const char *verdict)
{
    cli_table_add(&s->table, "%s", line->id);
    cli_table_add(&s->table, "%.3g", bench_median(r->value, r->runs));
    cli_table_add(&s->table, "%.3g..%.3g", bench_quantile(r->value, r->runs, 0.1), bench_quantile(r->value, r->runs, 0.9));
    cli_table_add(&s->table, "%.4g", bench_median(r->time_us, r->runs));
    cli_table_add(&s->table, "%.4g", bench_median(r->floor_us, r->runs));
    cli_table_add(&s->table, "%.3g", g->pass);
    cli_table_add(&s->table, "%.3g", g->aim);
    cli_table_add(&s->table, "%s", g->bar);
    cli_table_add(&s->table, "%s", verdict);
    cli_table_add(&s->table, "%s (%s)%s%s", line->what, units[line->unit], r->kind ? ": " : "", r->kind ? r->kind : "");
}

static void begin(state *s)
{
    static const char *const headings[] = {"line", ">value", ">10..90 %", ">us", ">floor us", ">pass", ">aim", "bar",
                                           "verdict", "what", NULL};
    char seed[24], cpu[128];
    snprintf(seed, sizeof seed, "0x%llx", (unsigned long long)BENCH_SEED);
    if (!s->json) {
        cpu_name(cpu, sizeof cpu);
        printf("%s, %s, %s; seed %s; medians of %u interleaved runs on one core\n", cpu,
               bench_level_name(s->bench.level), COMPILER, seed, s->bench.runs);
        cli_table_begin(&s->table, headings);
        return;
    }
    cli_report_begin(&s->report, "bench", DVE_GEN_DEFAULT);
    cli_report_member(&s->report, "seed", cli_json_text(seed));
    cli_report_member(&s->report, "runs", cli_json_int(s->bench.runs));
    cli_report_member(&s->report, "quick", json_object_new_boolean(s->quick));
    cli_report_member(&s->report, "machine", machine_json(s));
    cli_report_list(&s->report, "lines");
}

/* ---- the work ---- */

static int wanted(const state *s, const bench_line *line)
{
    const char *id;
    for (unsigned n = 0; (id = cli_value_at(s->arguments, "line", n)); n++)
        if (strcmp(id, line->id) == 0)
            return 1;
    return !cli_flag(s->arguments, "line") && !(s->quick && line->slow);
}

static dve_status check_lines(const state *s)
{
    const char *id;
    char hint[96];
    for (unsigned n = 0; (id = cli_value_at(s->arguments, "line", n)); n++) {
        const bench_line *line = bench_lines;
        cli_guess guess = cli_guess_begin(id);
        for (; line->id && strcmp(line->id, id) != 0; line++)
            cli_guess_try(&guess, line->id);
        if (!line->id)
            return cli_fail(DVE_E_USAGE, "option --line: there is no line \"%.100s\"%s; --list names them", id,
                            cli_guess_hint(&guess, "", hint, sizeof hint));
    }
    return DVE_OK;
}

static dve_status measure(state *s, const bench_line *line)
{
    static bench_result result;
    goal g = goal_of(line, s->bench.level);
    dve_status status = line->measure(&s->bench, line, &result);
    if (status)
        return status;
    if (!result.runs) {                          /* a single core */
        s->skipped++;
        return DVE_OK;
    }
    const char *verdict = verdict_of(line, &g, bench_median(result.value, result.runs));
    s->judged++;
    s->aims += verdict[0] == 'a';
    s->passed += verdict[0] != 's';
    s->small += verdict[0] == 's';
    if (s->json)
        cli_report_element(&s->report, result_json(line, &g, &result, verdict));
    else
        result_text(s, line, &g, &result, verdict);
    cli_progress(s->judged);
    return DVE_OK;
}

static dve_status curve(state *s)
{
    static const uint32_t columns[] = {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 50257, 151936};
    dve_status status = DVE_OK;
    if (s->json)
        cli_report_list(&s->report, "curve");
    else
        printf("columns  us  floor us: Max8, MatchValueLoad, FindIndex8 on 128 rows\n");
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !status; i++) {
        double us, floor_us;
        status = bench_point(&s->bench, columns[i], &us, &floor_us);
        if (!s->json) {
            printf("%7u  %.4g  %.4g\n", columns[i], us, floor_us);
            continue;
        }
        json_object *object = json_object_new_object();
        json_object_object_add(object, "columns", cli_json_int(columns[i]));
        json_object_object_add(object, "us", number(us));
        json_object_object_add(object, "floor_us", number(floor_us));
        cli_report_element(&s->report, object);
    }
    if (s->json)
        cli_report_list_end(&s->report);
    return status;
}

static dve_status end(state *s, dve_status status)
{
    cli_progress_end();
    if (!s->json) {
        if (!cli_table_end(&s->table, stdout))
            status = cli_fail(DVE_E_INTERNAL, "not enough memory");
    } else {
        cli_report_list_end(&s->report);
    }
    if (!status && cli_flag(s->arguments, "curve"))
        status = curve(s);
    if (!s->json) {
        printf("%u line%s: %u reach the aim, %u the goal, %u fall short, %u not measured\n", s->judged + s->skipped,
               s->judged + s->skipped == 1 ? "" : "s", s->aims, s->passed, s->small, s->skipped);
    } else {
        json_object *counts = json_object_new_object();
        json_object_object_add(counts, "lines", cli_json_int(s->judged));
        json_object_object_add(counts, "aim", cli_json_int(s->aims));
        json_object_object_add(counts, "pass", cli_json_int(s->passed));
        json_object_object_add(counts, "short", cli_json_int(s->small));
        json_object_object_add(counts, "skipped", cli_json_int(s->skipped));
        cli_report_member(&s->report, "counts", counts);
    }
    dve_status printed = s->json ? cli_report_end(&s->report) : cli_flush();
    return status ? status : printed ? printed : s->small ? DVE_E_FINDING : DVE_OK;
}

static dve_status list(void)
{
    static const char *const headings[] = {"line", "unit", ">pass", ">aim", "what", NULL};
    cli_table table;
    cli_table_begin(&table, headings);
    for (const bench_line *line = bench_lines; line->id; line++) {
        cli_table_add(&table, "%s", line->id);
        cli_table_add(&table, "%s", units[line->unit]);
        cli_table_add(&table, "%g", line->pass);
        cli_table_add(&table, "%g", line->aim);
        cli_table_add(&table, "%s", line->what);
    }
    return cli_table_end(&table, stdout) ? cli_flush() : cli_fail(DVE_E_INTERNAL, "not enough memory");
}

static dve_status options(state *s)
{
    uint8_t gen;
    dve_settings settings;
    if (s->arguments->operands)
        return cli_fail(DVE_E_USAGE, "bench takes no file, \"%.100s\" was given", s->arguments->operand[0]);
    dve_status status = cli_gen(s->arguments, &gen);
    if (!status && gen != DVE_GEN_DEFAULT)
        status = cli_fail(DVE_E_USAGE, "option --gen: bench measures on gen3 only");
    if (!status)
        status = cli_settings(s->arguments, &settings);
    return status ? status : check_lines(s);
}

dve_status cli_bench(const cli_arguments *a)
{
    static state s;
    s.arguments = a;
    s.json = cli_flag(a, "json");
    s.quick = cli_flag(a, "quick");
    dve_status status = options(&s);
    if (status || cli_flag(a, "list"))
        return status ? status : list();
    status = bench_begin(&s.bench, s.quick ? BENCH_QUICK_RUNS : BENCH_RUNS);
    if (status)
        return status;
    begin(&s);
    for (const bench_line *line = bench_lines; line->id && !status; line++)
        if (wanted(&s, line))
            status = measure(&s, line);
    status = end(&s, status);
    bench_end(&s.bench);
    return status;
}
