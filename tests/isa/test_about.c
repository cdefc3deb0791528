/* SPDX-License-Identifier: Apache-2.0 */
/* Effects, notes and rosters against the other tables, and against what executes. */
#include "test.h"
#include "ops/ops.h"
#include <opendve/machine.h>
#include <string.h>

static int source_exists(const char *key, size_t length)
{
    size_t rows;
    const dve_source_info *source = dve_isa_sources(&rows);
    for (size_t i = 0; i < rows; i++)
        if (strlen(source[i].key) == length && memcmp(source[i].key, key, length) == 0)
            return 1;
    return 0;
}

static void has_sources(const char *keys)
{
    assert_true(*keys);
    while (*keys) {
        size_t length = strcspn(keys, ",");
        if (!source_exists(keys, length))
            fail_msg("no source %.*s", (int)length, keys);
        keys += length + (keys[length] == ',');
    }
}

static void firmware_rows_have_sources(void **state)
{
    size_t rows;
    (void)state;
    for (const dve_kernel_info *row = dve_isa_kernels(&rows), *end = row + rows; row < end; row++)
        has_sources(row->source);
    for (const dve_armed_info *row = dve_isa_armed(&rows), *end = row + rows; row < end; row++)
        has_sources(row->source);
    for (const dve_dispatch_info *row = dve_isa_dispatch(&rows), *end = row + rows; row < end; row++)
        has_sources(row->source);
    for (const dve_dispatch_target_info *row = dve_isa_dispatch_targets(&rows), *end = row + rows; row < end; row++)
        has_sources(row->source);
    for (const dve_dispatch_place_info *row = dve_isa_dispatch_places(&rows), *end = row + rows; row < end; row++)
        has_sources(row->source);
    for (const dve_cam_info *row = dve_isa_cams(&rows), *end = row + rows; row < end; row++)
        has_sources(row->source);
    for (const dve_token_info *row = dve_isa_tokens(&rows), *end = row + rows; row < end; row++)
        has_sources(row->source);
}

/* ---- rosters ---- */

static void rosters_are_known_or_said_not_to_be(void **state)
{
    size_t rows;
    const dve_roster_info *roster = dve_isa_rosters(&rows);
    (void)state;
    for (size_t i = 0; i < rows; i++) {
        has_sources(roster[i].source);
        assert_true(roster[i].known == 0 || roster[i].known == roster[i].count);
        assert_int_equal(roster[i].known == 0, roster[i].conf == 'U');
        for (unsigned m = 0; m < roster[i].known; m++) {
            assert_true(m == 0 || roster[i].opcode[m] > roster[i].opcode[m - 1]);
            if (!dve_opcode_present(roster[i].opcode[m], roster[i].gen))
                fail_msg("gen%u %s: opcode %u is not defined", roster[i].gen, roster[i].set, roster[i].opcode[m]);
            assert_true(dve_roster_holds(&roster[i], roster[i].opcode[m]));
        }
        for (unsigned op = 0; op < 256 && roster[i].known; op++)
            assert_int_equal(dve_roster_may_hold(&roster[i], (uint8_t)op), dve_roster_holds(&roster[i], (uint8_t)op));
        assert_ptr_equal(dve_roster(roster[i].gen, roster[i].set), &roster[i]);
    }
    assert_null(dve_roster(5, "default"));
    assert_null(dve_roster(3, NULL));
    assert_false(dve_roster_holds(NULL, DVE_OPCODE_MAX8));
}

/* What sources leave to sets whose members they do not print: 52 opcodes on gen2, the 52 of gen3's default, 49 on gen4. */
static void unpublished_rosters_are_bounded(void **state)
{
    static const unsigned wanted[] = {[2] = 52, [3] = 52, [4] = 49};
    size_t rows, unknown = 0;
    const dve_roster_info *roster = dve_isa_rosters(&rows);
    (void)state;
    for (size_t i = 0; i < rows; i++) {
        unsigned possible = 0;
        for (unsigned op = 0; op < 256; op++)
            possible += dve_roster_may_hold(&roster[i], (uint8_t)op) != 0;
        if (roster[i].known)
            continue;
        unknown++;
        assert_int_equal(possible, wanted[roster[i].gen]);
        assert_true(roster[i].count < possible);
    }
    assert_int_equal(unknown, 8);
    assert_false(dve_roster_may_hold(NULL, DVE_OPCODE_MAX8));
    assert_true(dve_roster_may_hold(dve_roster(2, "transformer_fwd"), 138));
    assert_false(dve_roster_may_hold(dve_roster(2, "transformer_fwd"), 240));
    assert_false(dve_roster_may_hold(dve_roster(4, "transformer"), 48));
}

static void default_rosters_grow(void **state)
{
    static const uint8_t gen2_only[] = {140, 141, 159}, from_gen3[] = {96, 147, 152, 154, 155, 188, 230, 233, 240},
                         from_gen4[] = {48, 119, 120, 224, 225, 226, 227};
    const dve_roster_info *gen2 = dve_roster(2, "default"), *gen3 = dve_roster(3, "default"),
                          *gen4 = dve_roster(4, "default");
    (void)state;
    assert_int_equal(gen2->known, 46);
    assert_int_equal(gen3->known, 52);
    assert_int_equal(gen4->known, 59);
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        int leaves = memchr(gen2_only, (int)opcode, sizeof gen2_only) != NULL;
        int joins3 = memchr(from_gen3, (int)opcode, sizeof from_gen3) != NULL;
        int joins4 = memchr(from_gen4, (int)opcode, sizeof from_gen4) != NULL;
        int in2 = dve_roster_holds(gen2, (uint8_t)opcode), in3 = dve_roster_holds(gen3, (uint8_t)opcode);
        assert_int_equal(in3, (in2 && !leaves) || joins3);
        assert_int_equal(dve_roster_holds(gen4, (uint8_t)opcode), in3 || joins4);
        assert_int_equal(dve_roster_holds(dve_roster(4, "saturate"), (uint8_t)opcode),
                         dve_roster_holds(gen4, (uint8_t)opcode));
    }
    /* gen2's transformer set gives the search cluster up for the accumulator family (R23). */
    assert_false(dve_roster_holds(dve_roster(2, "transformer"), DVE_OPCODE_MAX8));
    assert_true(dve_roster_holds(dve_roster(2, "transformer"), DVE_OPCODE_TENSOR_SCALAR_CACHE_REDUCE));
}

/* The opcodes of all published sets: 65. Each has an effect, and D as its engine where a set of the generation
 * holds it. */
static void the_universe_is_described(void **state)
{
    size_t rows;
    unsigned universe = 0;
    const dve_roster_info *roster = dve_isa_rosters(&rows);
    (void)state;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        int held = 0;
        for (size_t i = 0; i < rows; i++)
            if (dve_roster_holds(&roster[i], (uint8_t)opcode)) {
                held = 1;
                assert_string_equal(dve_opcode_engine((uint8_t)opcode, roster[i].gen), "DVE");
            }
        universe += (unsigned)held;
        if (held && !dve_effect((uint8_t)opcode))
            fail_msg("opcode %u has no effect row", opcode);
    }
    assert_int_equal(universe, 65);
}

/* ---- effects ---- */

static void effects_are_ascending_and_sourced(void **state)
{
    size_t rows;
    const dve_effect_info *effect = dve_isa_effects(&rows);
    (void)state;
    for (size_t i = 0; i < rows; i++) {
        const char *name = dve_opcode(effect[i].opcode)->name;
        assert_true(i == 0 || effect[i].opcode > effect[i - 1].opcode);
        assert_ptr_equal(dve_effect(effect[i].opcode), &effect[i]);
        has_sources(effect[i].source);
        assert_true(strchr("ODIU", effect[i].conf) && effect[i].conf);
        if (effect[i].conf == 'U' && !strstr(effect[i].effect, "not established"))
            fail_msg("%s: it does not say what is not established", name);
        if (effect[i].effect[strlen(effect[i].effect) - 1] != '.')
            fail_msg("%s: the effect ends without a full stop", name);
    }
    assert_null(dve_effect(0));
}

static int names(const char *text, uint8_t parts)
{
    return ((parts & DVE_STATE_KEYS) == 0 || strstr(text, "keys")) &&
           ((parts & DVE_STATE_FLOPS) == 0 || strstr(text, "index flops")) &&
           ((parts & DVE_STATE_ACCUMULATOR) == 0 || strstr(text, "accumulator"));
}

/* What executes has an effect, and the effect names the hidden state that its row in ops/ does. Matched flags and
 * keys are one part there. */
static void effects_name_the_state_that_is_used(void **state)
{
    (void)state;
    for (const dve_op *op = dve_op_table; op->run; op++) {
        const dve_effect_info *effect = dve_effect(op->opcode);
        const char *name = dve_opcode(op->opcode)->name;
        if (!effect)
            fail_msg("%s executes and has no effect row", name);
        if (!names(effect->reads, op->reads) || !names(effect->writes, op->writes))
            fail_msg("%s: the effect does not name the hidden state of ops/table.c", name);
        assert_true(dve_opcode_executes(op->opcode, 4) == dve_opcode_present(op->opcode, 4));
        assert_true(op->reads == 0 || dve_hazards_of_opcode(op->opcode) >> DVE_HAZARD_POWER_ON_STATE & 1);
    }
    assert_false(dve_opcode_executes(DVE_OPCODE_MATMUL, 3));
    assert_false(dve_opcode_executes(DVE_OPCODE_DVE_READ_INDICES, 2));
    assert_int_equal(dve_hazards_of_opcode(DVE_OPCODE_MATMUL), 0);
}

/* ---- notes and aliases ---- */

static void notes_reach_somebody(void **state)
{
    size_t rows;
    unsigned byte40 = 0;
    const dve_note_info *note = dve_isa_notes(&rows);
    (void)state;
    for (size_t i = 0; i < rows; i++) {
        has_sources(note[i].source);
        assert_true(note[i].format == DVE_FORMAT_ANY || dve_format(note[i].format));
        if (note[i].opcode != DVE_OPCODE_ANY && note[i].format != DVE_FORMAT_ANY)
            assert_true(dve_opcode_has_format((uint8_t)note[i].opcode, note[i].format));
        byte40 += strstr(note[i].text, "Byte 40") != NULL;
    }
    assert_int_equal(byte40, 3);
}

static void other_names_are_taken(void **state)
{
    (void)state;
    assert_ptr_equal(dve_opcode_by_mnemonic("stream_shuffle_mask"), dve_opcode(DVE_OPCODE_LOAD_MASK_SELECT));
    assert_null(dve_opcode_by_mnemonic("stream_shuffle_masks"));
    assert_null(dve_opcode_by_mnemonic(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(firmware_rows_have_sources),
        cmocka_unit_test(rosters_are_known_or_said_not_to_be),
        cmocka_unit_test(unpublished_rosters_are_bounded),
        cmocka_unit_test(default_rosters_grow),
        cmocka_unit_test(the_universe_is_described),
        cmocka_unit_test(effects_are_ascending_and_sourced),
        cmocka_unit_test(effects_name_the_state_that_is_used),
        cmocka_unit_test(notes_reach_somebody),
        cmocka_unit_test(other_names_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
