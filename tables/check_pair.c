/* SPDX-License-Identifier: Apache-2.0 */
/* Integrity of a set against its generation's default. */
#include "check.h"
#include <string.h>

static void check_within(dve_table_checker *c, const dve_table_set *base)
{
    uint8_t theirs[32];
    dve_table_enable(base, theirs);
    for (unsigned op = 1; op < DVE_TABLE_SLOTS && c->set->gen >= 3; op++) {
        if (!dve_bit(c->enabled, op) || dve_bit(theirs, op))
            continue;
        dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_within_default);
        f.opcode = (int16_t)op;
        dve_table_tell(c, f);
    }
}

static void check_idle(dve_table_checker *c, const dve_table_set *base)
{
    dve_table_entry own, theirs;
    dve_table_entry_at(c->set, (dve_wire_opcode){0}, &own);
    dve_table_entry_at(base, (dve_wire_opcode){0}, &theirs);
    if (own.raw == theirs.raw)
        return;
    dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_idle_same);
    f.key = DVE_TABLE_OPCODE;
    f.opcode = 0;
    f.given = own.raw;
    f.wanted = theirs.raw;
    dve_table_tell(c, f);
}

static void check_saturate_ops(dve_table_checker *c, const dve_table_set *base)
{
    uint8_t enabled[32];
    dve_table_enable(base, enabled);
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        int own = dve_bit(c->enabled, op), theirs = dve_bit(enabled, op);
        if (own == theirs)
            continue;
        dve_table_finding f = DVE_FINDING_OF(DVE_INTEGRITY_RULE_saturate_ops);
        f.opcode = (int16_t)op;
        f.given = (uint64_t)own;
        f.wanted = (uint64_t)theirs;
        dve_table_tell(c, f);
    }
}

/* Published differences, by the member of dve_table_diff that they are of. */
typedef struct difference {
    uint8_t gen;
    const char *set;
    uint8_t key;
    const char *what;
    uint64_t (*given)(const dve_table_diff *d);
    uint64_t wanted;
} difference;

#define GETTER(member)                                    \
    static uint64_t given_##member(const dve_table_diff *d) \
    {                                                     \
        return (uint64_t)d->member;                       \
    }
GETTER(rows)
GETTER(words)
GETTER(first_row)
GETTER(last_row)
GETTER(first_byte)

static int about(const dve_table_checker *c, uint8_t gen, const char *set)
{
    return gen == c->set->gen && strcmp(set, c->name) == 0;
}

static void tell_figure(dve_table_checker *c, dve_table_finding f, const char *what, uint64_t given, uint64_t wanted)
{
    f.what = what;
    f.given = given;
    f.wanted = wanted;
    if (given != wanted)
        dve_table_tell(c, f);
}

static void check_counts(dve_table_checker *c, const dve_table_set *base, uint16_t rule)
{
    static const difference published[] = {
#define DIFFERENCE(generation, set, key, member, what, value, source, conf) \
    {generation, set, DVE_TABLE_##key, what, given_##member, value},
#include <opendve/isa/tables.def>
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const difference *p = &published[i];
        dve_table_diff d;
        if (!about(c, p->gen, p->set))
            continue;
        dve_table_compare(base, c->set, p->key, &d);
        dve_table_finding f = DVE_FINDING_OF(rule);
        f.key = p->key;
        tell_figure(c, f, p->what, p->given(&d), p->wanted);
    }
}

/* Rows that differ where none does as published; the finding names the first. */
static void check_places(dve_table_checker *c, const dve_table_set *base, uint16_t rule)
{
    static const struct { uint8_t gen; const char *set; uint8_t key, first, last; const char *what; } published[] = {
#define DIFFERENCE_WITHIN(generation, set, key, first, last, what, source, conf) \
    {generation, set, DVE_TABLE_##key, first, last, what},
#include <opendve/isa/tables.def>
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        dve_table_diff d;
        uint64_t outside = 0;
        if (!about(c, published[i].gen, published[i].set))
            continue;
        dve_table_compare(base, c->set, published[i].key, &d);
        dve_table_finding f = DVE_FINDING_OF(rule);
        f.key = published[i].key;
        for (unsigned row = 0; row < DVE_TABLE_MAX_ROWS; row++) {
            if (!dve_bit(d.row, row) || (row >= published[i].first && row <= published[i].last))
                continue;
            f.row = outside++ ? f.row : (int16_t)row;
        }
        tell_figure(c, f, published[i].what, outside, 0);
    }
}

static void check_steps(dve_table_checker *c, const dve_table_set *base, uint16_t rule)
{
    static const struct { uint8_t gen; const char *set; uint8_t opcode, rows; } published[] = {
#define DIFFERENCE_STEP(generation, set, opcode, rows, source, conf) {generation, set, opcode, rows},
#include <opendve/isa/tables.def>
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        dve_table_entry own, theirs;
        if (!about(c, published[i].gen, published[i].set))
            continue;
        dve_table_entry_at(c->set, (dve_wire_opcode){published[i].opcode}, &own);
        dve_table_entry_at(base, (dve_wire_opcode){published[i].opcode}, &theirs);
        dve_table_finding f = DVE_FINDING_OF(rule);
        f.key = DVE_TABLE_OPCODE;
        f.opcode = published[i].opcode;
        tell_figure(c, f, "entry", own.raw, theirs.raw + published[i].rows);
    }
}

static void check_figures(dve_table_checker *c, const dve_table_set *base, uint16_t rule)
{
    check_counts(c, base, rule);
    check_places(c, base, rule);
    check_steps(c, base, rule);
}

size_t dve_table_check_pair(const dve_table_set *base, const dve_table_set *set, const char *name, void *context,
                            dve_table_report *report)
{
    dve_table_checker c = {.set = set, .name = name, .context = context, .report = report};
    c.layout = dve_table_layout_of(set->gen);
    dve_table_enable(set, c.enabled);
    if (base->gen != set->gen)
        return 0;
    dve_table_census count;
    dve_table_count(base, &count);
    c.build_unknown = !dve_table_census_matches(base->gen, &count);
    check_within(&c, base);
    check_idle(&c, base);
    if (set->gen == 4 && strcmp(name, "saturate") == 0) {
        check_saturate_ops(&c, base);
        check_figures(&c, base, DVE_INTEGRITY_RULE_saturate_figures);
    }
    if (strcmp(name, "transformer") == 0)
        check_figures(&c, base, DVE_INTEGRITY_RULE_transformer_figures);
    return c.errors;
}
