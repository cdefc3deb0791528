/* SPDX-License-Identifier: Apache-2.0 */
/* Integrity of a set against its generation's default. */
#include "check.h"
#include <string.h>

static void check_within(dve_table_checker *c, const dve_table_set *base)
{
    for (unsigned op = 1; op < DVE_TABLE_SLOTS && c->set->gen >= 3; op++) {
        dve_wire_opcode opcode = {(uint8_t)op};
        if (!dve_table_enabled(c->set, opcode) || dve_table_enabled(base, opcode))
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
    for (unsigned op = 0; op < DVE_TABLE_SLOTS; op++) {
        dve_wire_opcode opcode = {(uint8_t)op};
        int own = dve_table_enabled(c->set, opcode), theirs = dve_table_enabled(base, opcode);
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
GETTER(first_byte)

static void check_figures(dve_table_checker *c, const dve_table_set *base, uint16_t rule)
{
    static const difference published[] = {
#define DIFFERENCE(generation, set, key, member, what, value, source, conf) \
    {generation, set, DVE_TABLE_##key, what, given_##member, value},
#include <opendve/isa/tables.def>
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const difference *p = &published[i];
        dve_table_diff d;
        if (p->gen != c->set->gen || strcmp(p->set, c->name) != 0)
            continue;
        dve_table_compare(base, c->set, p->key, &d);
        if (p->given(&d) == p->wanted)
            continue;
        dve_table_finding f = DVE_FINDING_OF(rule);
        f.key = p->key;
        f.what = p->what;
        f.given = p->given(&d);
        f.wanted = p->wanted;
        dve_table_tell(c, f);
    }
}

size_t dve_table_check_pair(const dve_table_set *base, const dve_table_set *set, const char *name, void *context,
                            dve_table_report *report)
{
    dve_table_checker c = {.set = set, .name = name, .context = context, .report = report};
    c.layout = dve_table_layout_of(set->gen);
    if (base->gen != set->gen)
        return 0;
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
