/* SPDX-License-Identifier: Apache-2.0 */
/* opendve tables check: the integrity rules of isa/integrity.def on a directory. */
#include "tables.h"
#include <inttypes.h>
#include <string.h>

typedef struct checking {
    tables_job *job;
    cli_report report;
    const tables_set *set;       /* that findings are about */
    uint64_t count[3];           /* by severity */
    uint64_t of_rule[DVE_INTEGRITY_RULES];   /* in this set: text shows the first few of each */
    const tables_set *drawn;     /* that marks are about */
    tables_marks marks;
} checking;

typedef struct told {
    const tables_set *set;       /* NULL: the directory */
    uint16_t rule;
    dve_integrity_severity severity;
    int key, opcode, row, lane;
    int64_t byte;
    const char *given, *allowed;
} told;

static const char *const severities[] = {"error", "warning", "info"};

static const dve_integrity_info *rule_of(uint16_t rule)
{
    size_t count;
    return &dve_isa_integrity(&count)[rule];
}

static void add_number(json_object *object, const char *name, int64_t value)
{
    json_object_object_add(object, name, value < 0 ? NULL : json_object_new_int64(value));
}

static json_object *told_json(const told *t, uint8_t gen)
{
    const dve_integrity_info *rule = rule_of(t->rule);
    json_object *object = json_object_new_object();
    json_object_object_add(object, "rule", json_object_new_string(rule->id));
    json_object_object_add(object, "severity", json_object_new_string(severities[t->severity]));
    json_object_object_add(object, "set", cli_json_text(t->set ? t->set->name : NULL));
    json_object_object_add(object, "table", cli_json_text(t->key < 0 ? NULL : dve_table_key_name((unsigned)t->key)));
    json_object_object_add(object, "file", cli_json_text(t->set && t->key >= 0 ? t->set->file[t->key].name : NULL));
    add_number(object, "opcode", t->opcode);
    json_object_object_add(object, "name",
                           cli_json_text(t->opcode > 0 ? dve_wire_name((dve_wire_opcode){(uint8_t)t->opcode}, gen) : NULL));
    add_number(object, "row", t->row);
    add_number(object, "lane", t->lane);
    add_number(object, "byte", t->byte);
    json_object_object_add(object, "given", json_object_new_string(t->given));
    json_object_object_add(object, "allowed", json_object_new_string(t->allowed));
    json_object_object_add(object, "question", json_object_new_string(rule->question));
    json_object_object_add(object, "source", json_object_new_string(rule->source));
    return object;
}

static void told_text(const told *t, uint8_t gen, const tables_set *sets)
{
    const dve_integrity_info *rule = rule_of(t->rule);
    char text[80];
    printf("%s: ", severities[t->severity]);
    if (t->set && *t->set->name)
        printf("%s", t->set->name);
    else if (t->set)
        printf("tables[%td]", t->set - sets);
    if (t->key >= 0)
        printf(" %s", dve_table_key_name((unsigned)t->key));
    if (t->opcode >= 0)
        printf(" opcode %s", tables_opcode_text((uint8_t)t->opcode, gen, text, sizeof text));
    if (t->row >= 0)
        printf(" row %d", t->row);
    if (t->lane >= 0)
        printf(" lane %d", t->lane);
    if (t->byte >= 0)
        printf(" (byte %" PRId64 ")", t->byte);
    printf("%s%s%s%s [%s]\n", t->set || t->key >= 0 ? ": " : "", t->given, *t->allowed ? ", allowed is " : "", t->allowed,
           rule->id);
}

enum { SHOWN = 8 };                              /* findings of a rule and set, as text */

static void tell(checking *c, const told *t)
{
    c->count[t->severity]++;
    c->of_rule[t->rule]++;
    if (c->job->json)
        cli_report_element(&c->report, told_json(t, c->job->dir.gen));
    else if (c->of_rule[t->rule] <= SHOWN)
        told_text(t, c->job->dir.gen, c->job->dir.set);
}

static void tell_rest(checking *c, const char *set)
{
    for (uint16_t rule = 0; rule < DVE_INTEGRITY_RULES; rule++) {
        uint64_t more = c->of_rule[rule] > SHOWN ? c->of_rule[rule] - SHOWN : 0;
        if (more && !c->job->json)
            printf("%s: %s: %" PRIu64 " more, --json lists them [%s]\n", severities[rule_of(rule)->severity], set, more,
                   rule_of(rule)->id);
    }
    memset(c->of_rule, 0, sizeof c->of_rule);
}

/* ---- findings of the library, in words ---- */

typedef struct words {
    char given[1100], allowed[160];
} words;

static void block_word(uint64_t packed, char *out, size_t capacity)
{
    snprintf(out, capacity, "%s, %u configured lanes", dve_block_class_name((dve_block_class)(packed >> 8)),
             (unsigned)(packed & 0xff));
}

#define GIVEN(...) snprintf(w->given, sizeof w->given, __VA_ARGS__)
#define ALLOWED(...) snprintf(w->allowed, sizeof w->allowed, __VA_ARGS__)

static void words_of_entry(const dve_table_finding *f, words *w)
{
    switch (f->rule) {
    case DVE_INTEGRITY_RULE_rostered_slot:
        GIVEN("enabled, and the entry is 0"), ALLOWED("an entry");
        break;
    case DVE_INTEGRITY_RULE_unrostered_slot:
        GIVEN("the entry is 0x%" PRIx64 ", and the opcode is not enabled", f->given);
        ALLOWED("0, or one of 147, 240, 241, 242 on gen2");
        break;
    case DVE_INTEGRITY_RULE_idle_slot:
    case DVE_INTEGRITY_RULE_idle_same:
        GIVEN("0x%" PRIx64, f->given), ALLOWED("0x%" PRIx64, f->wanted);
        break;
    case DVE_INTEGRITY_RULE_idle_rostered:
        GIVEN("it is enabled"), ALLOWED("an idle entry only");
        break;
    case DVE_INTEGRITY_RULE_selector_range:
        GIVEN("the selector is %" PRIu64, f->given), ALLOWED("0..%" PRIu64, f->wanted);
        break;
    case DVE_INTEGRITY_RULE_entry_high_bits:
        GIVEN("0x%" PRIx64, f->given), ALLOWED("bits below %" PRIu64, f->wanted);
        break;
    case DVE_INTEGRITY_RULE_entry_gap_bit:
        GIVEN("0x%" PRIx64, f->given), ALLOWED("bit 8 clear");
        break;
    case DVE_INTEGRITY_RULE_control_row:
    case DVE_INTEGRITY_RULE_slow_row:
        GIVEN("the row is all zero"), ALLOWED("a used row");
        break;
    default:
        break;
    }
}

static void words_of_rows(const checking *c, const dve_table_finding *f, words *w)
{
    uint8_t rows[32];
    char text[1024];
    switch (f->rule) {
    case DVE_INTEGRITY_RULE_reserved_bytes:
        GIVEN("0x%02" PRIx64, f->given), ALLOWED("0");
        break;
    case DVE_INTEGRITY_RULE_rows_prefix:
        GIVEN("it is all zero, and rows up to %" PRIu64 " are used", f->given), ALLOWED("no gap");
        break;
    case DVE_INTEGRITY_RULE_rows_agree:
        GIVEN("the row is all zero, and the other control table uses it"), ALLOWED("both or neither");
        break;
    case DVE_INTEGRITY_RULE_orphan_block:
        GIVEN("%" PRIu64 " configured lanes on a control row that is all zero", f->given), ALLOWED("a used control row");
        break;
    case DVE_INTEGRITY_RULE_lane_bits:
        GIVEN("0x%" PRIx64, f->given), ALLOWED("bits of 0x%" PRIx64, f->wanted);
        break;
    case DVE_INTEGRITY_RULE_left_packing:
        GIVEN("0x%" PRIx64 " behind 0x%" PRIx64, f->given, f->wanted), ALLOWED("configured, then idle, then zero lanes");
        break;
    case DVE_INTEGRITY_RULE_known_block:
        block_word(f->given, w->given, sizeof w->given);
        block_word(f->wanted, w->allowed, sizeof w->allowed);
        break;
    case DVE_INTEGRITY_RULE_unreferenced_row:
        dve_table_unreferenced(&c->set->set, (unsigned)f->key, rows);
        GIVEN("%" PRIu64 " used rows are reached by no entry: %s", f->given, tables_ranges(rows, text, sizeof text));
        break;
    case DVE_INTEGRITY_RULE_slow_backbone:
        GIVEN("%" PRIu64 " rows hold c3 30 0c at bytes 1..3", f->given);
        if (f->key == DVE_TABLE_CONTROL)
            ALLOWED("none on gen2");
        break;
    default:
        words_of_entry(f, w);
        break;
    }
}

static void words_of(const checking *c, const dve_table_finding *f, words *w)
{
    memset(w, 0, sizeof *w);
    switch (f->rule) {
    case DVE_INTEGRITY_RULE_ops_range:
        GIVEN("opcode %" PRId64, (int64_t)f->given), ALLOWED("1..255");
        break;
    case DVE_INTEGRITY_RULE_ops_order:
        GIVEN("opcode %" PRId64 " behind %" PRId64, (int64_t)f->given, (int64_t)f->wanted), ALLOWED("ascending, each once");
        break;
    case DVE_INTEGRITY_RULE_known_opcode:
        GIVEN("it is enabled"), ALLOWED("the 65 opcodes of published sets");
        break;
    case DVE_INTEGRITY_RULE_possible_opcode:
        GIVEN("it is enabled, and no source leaves it to a set of this name"), ALLOWED("opcodes of the generation's published sets that sources do not take from it");
        break;
    case DVE_INTEGRITY_RULE_within_default:
        GIVEN("it is enabled, and default does not enable it"), ALLOWED("opcodes of default");
        break;
    case DVE_INTEGRITY_RULE_saturate_ops:
        GIVEN("%s", f->given ? "it is enabled" : "it is not enabled"), ALLOWED("the opcodes of default");
        break;
    case DVE_INTEGRITY_RULE_census_match:
        GIVEN("all %" PRIu64 " counts are those observed of build 2.24.5133.0", f->given);
        break;
    case DVE_INTEGRITY_RULE_census:
    case DVE_INTEGRITY_RULE_saturate_figures:
    case DVE_INTEGRITY_RULE_transformer_figures:
        GIVEN("%s: %" PRIu64, f->what, f->given), ALLOWED("%" PRIu64 " in build 2.24.5133.0", f->wanted);
        break;
    default:
        words_of_rows(c, f, w);
        break;
    }
}

static void take(void *context, const dve_table_finding *f)
{
    checking *c = context;
    words w;
    if (c->set->ops_far && (f->rule == DVE_INTEGRITY_RULE_ops_range || f->rule == DVE_INTEGRITY_RULE_ops_order))
        return;                                  /* told with the numbers as they are given, by tell_problems */
    words_of(c, f, &w);
    told t = {.set = c->set, .rule = f->rule, .severity = f->severity, .key = f->key, .opcode = f->opcode, .row = f->row, .lane = f->lane,
              .byte = f->byte, .given = w.given, .allowed = w.allowed};
    int marks = c->set == c->drawn && f->severity != DVE_INTEGRITY_INFO;
    if (marks && f->opcode >= 0)
        c->marks.slot[f->opcode / 8] |= (uint8_t)(1u << f->opcode % 8);
    if (marks && f->row >= 0)
        c->marks.row[f->row / 8] |= (uint8_t)(1u << f->row % 8);
    tell(c, &t);
}

/* ---- the check ---- */

static void tell_problems(checking *c, int set)
{
    const tables_dir *dir = &c->job->dir;
    for (size_t i = 0; i < dir->problems; i++) {
        const tables_problem *p = &dir->problem[i];
        if (p->set != set)
            continue;
        told t = {.set = set < 0 ? NULL : &dir->set[set], .rule = p->rule, .severity = rule_of(p->rule)->severity, .key = p->key, .opcode = -1, .row = -1,
                  .lane = -1, .byte = -1, .given = p->given, .allowed = p->allowed};
        tell(c, &t);
    }
}

static int named(const tables_dir *dir, const char *name)
{
    for (size_t i = 0; i < dir->sets; i++)
        if (strcmp(dir->set[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void check_set(checking *c, int number)
{
    const tables_dir *dir = &c->job->dir;
    const tables_set *s = &dir->set[number];
    int base = named(dir, "default");
    c->set = s;
    tell_problems(c, number);
    if (s->whole)
        dve_table_check(&s->set, s->name, c, take);
    if (s->whole && base >= 0 && base != number && dir->set[base].whole)
        dve_table_check_pair(&dir->set[base].set, &s->set, s->name, c, take);
    tell_rest(c, s->name);
}

static dve_status end(checking *c, const tables_dir *dir)
{
    cli_report *r = &c->report;
    if (!c->job->json) {
        printf("%s: %" PRIu64 " error%s, %" PRIu64 " warning%s, %" PRIu64 " note%s on %s (%s)\n", dir->path, c->count[0],
               c->count[0] == 1 ? "" : "s", c->count[1], c->count[1] == 1 ? "" : "s", c->count[2],
               c->count[2] == 1 ? "" : "s", dve_generation(dir->gen)->name, dir->gen_from);
        return cli_flush();
    }
    json_object *counts = json_object_new_object(), *sets = json_object_new_array();
    json_object_object_add(counts, "errors", cli_json_int((int64_t)c->count[0]));
    json_object_object_add(counts, "warnings", cli_json_int((int64_t)c->count[1]));
    json_object_object_add(counts, "infos", cli_json_int((int64_t)c->count[2]));
    for (size_t i = 0; i < dir->sets; i++)
        json_object_array_add(sets, json_object_new_string(dir->set[i].name));
    cli_report_list_end(r);
    cli_report_member(r, "sets", sets);
    cli_report_member(r, "counts", counts);
    cli_report_member(r, "good", json_object_new_boolean(c->count[0] == 0));
    return cli_report_end(r);
}

dve_status tables_check(tables_job *job)
{
    static checking c;
    const tables_dir *dir = &job->dir;
    const tables_set *picked = NULL;
    int only = job->set ? named(dir, job->set) : -1, usual = named(dir, "default");
    if (job->set && only < 0 && dir->sets)
        return tables_pick(dir, job->set, &picked);      /* says which there are */
    c.job = job;
    c.drawn = dir->sets ? &dir->set[only >= 0 ? only : usual >= 0 ? usual : 0] : NULL;
    c.marks.meaning = "what errors and warnings are about";
    if (job->json) {
        tables_report_begin(&c.report, "check", dir);
        cli_report_list(&c.report, "findings");
    }
    tell_problems(&c, -1);
    for (size_t i = 0; i < dir->sets; i++)
        if (only < 0 || only == (int)i)
            check_set(&c, (int)i);
    dve_status status = end(&c, dir);
    if (!status && c.drawn && tables_usable(c.drawn))
        status = tables_svg(job, dir, c.drawn, &c.marks);
    else if (!status && job->svg)
        cli_note("option --svg: nothing is drawn, the set is malformed or not whole");
    return status ? status : c.count[0] ? DVE_E_FINDING : DVE_OK;
}
