/* SPDX-License-Identifier: Apache-2.0 */
/* What is told about opcodes beside their layout: effects, notes, rosters. */
#include <opendve/isa.h>
#include <string.h>

#define CONF(letter) (#letter)[0]
#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const dve_effect_info effects[] = {
#define EFFECT(opcode, effect, reads, writes, source, conf) \
    {DVE_OPCODE_##opcode, effect, reads, writes, source, CONF(conf)},
#include <opendve/isa/effects.def>
#undef EFFECT
};

const dve_effect_info *dve_isa_effects(size_t *count)
{
    *count = ROWS(effects);
    return effects;
}

const dve_effect_info *dve_effect(uint8_t opcode)
{
    for (size_t i = 0; i < ROWS(effects); i++)
        if (effects[i].opcode == opcode)
            return &effects[i];
    return NULL;
}

static const dve_note_info notes[] = {
#define NOTE(format, opcode, text, source, conf) {DVE_FORMAT_##format, DVE_OPCODE_##opcode, text, source, CONF(conf)},
#include <opendve/isa/notes.def>
#undef NOTE
};

const dve_note_info *dve_isa_notes(size_t *count)
{
    *count = ROWS(notes);
    return notes;
}

#define MEMBERS(...) (const uint8_t[]){__VA_ARGS__}
static const dve_roster_info rosters[] = {
#define ROSTER(generation, set, is_default, count, meaning, source, conf, ...) \
    {generation, is_default, sizeof MEMBERS(__VA_ARGS__), count, 0, MEMBERS(__VA_ARGS__), NULL, set, meaning,       \
     source, CONF(conf)},
#define ROSTER_UNKNOWN(generation, set, count, meaning, source, conf, ...)                                           \
    {generation, 0, 0, count, sizeof MEMBERS(__VA_ARGS__), NULL, MEMBERS(__VA_ARGS__), set, meaning, source,        \
     CONF(conf)},
#include <opendve/isa/rosters.def>
};

const dve_roster_info *dve_isa_rosters(size_t *count)
{
    *count = ROWS(rosters);
    return rosters;
}

const dve_roster_info *dve_roster(uint8_t gen, const char *set)
{
    for (size_t i = 0; set && i < ROWS(rosters); i++)
        if (rosters[i].gen == gen && strcmp(rosters[i].set, set) == 0)
            return &rosters[i];
    return NULL;
}

int dve_roster_holds(const dve_roster_info *roster, uint8_t opcode)
{
    for (unsigned i = 0; roster && i < roster->known; i++)
        if (roster->opcode[i] == opcode)
            return 1;
    return 0;
}

int dve_roster_may_hold(const dve_roster_info *roster, uint8_t opcode)
{
    if (!roster || roster->known)
        return dve_roster_holds(roster, opcode);
    for (unsigned i = 0; i < roster->without_count; i++)
        if (roster->without[i] == opcode)
            return 0;
    for (size_t i = 0; i < ROWS(rosters); i++)
        if (rosters[i].gen == roster->gen && dve_roster_holds(&rosters[i], opcode))
            return 1;
    return 0;
}
