/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware tables. Every image here is synthetic: built by this test from the figures that sources print (ruling R27). */
#include "test.h"
#include <opendve/firmware.h>
#include <string.h>

enum { IMAGE = 0x3000 };
static uint8_t image[IMAGE];

static void put_word(size_t at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        image[at + i] = (uint8_t)(word >> 8 * i);
}

static void put_code(size_t at, uint8_t b0, uint8_t b1, uint8_t b2)
{
    image[at] = b0;
    image[at + 1] = b1;
    image[at + 2] = b2;
}

/* ---- dispatch ---- */

static void gen5_synthetic_image(void)
{
    const dve_dispatch_info *info = dve_dispatch(5);
    size_t rows;
    const dve_dispatch_target_info *row = dve_isa_dispatch_targets(&rows);
    memset(image, 0, sizeof image);
    for (size_t i = 0; i < info->count; i++)
        put_word(info->offset + 4 * i, info->normal);
    for (size_t i = 0; i < rows; i++)
        if (row[i].gen == 5)
            put_word(info->offset + 4u * (row[i].opcode - info->bias), row[i].target);
    put_code(0x2eff, 0xa5, 0x15, 0xff);
    put_code(0x2f1f, 0xa5, 0x19, 0xff);
    put_code(0x2058, 0x36, 0x61, 0x00);
    put_code(0x20b8, 0x36, 0x61, 0x00);
}

static void gen5_defaults_are_those_of_ruling_27(void **state)
{
    const dve_dispatch_info *info = dve_dispatch(5);
    (void)state;
    assert_int_equal(info->offset, 0x820);
    assert_int_equal(DVE_DISPATCH_DEVICE + info->offset, 0x80820);
    assert_int_equal(info->count, 187);
    assert_int_equal(info->bias, 0x30);
    assert_int_equal(info->normal, 0x2f90);
    assert_int_equal(dve_dispatch(4)->offset, 0x800);
    assert_int_equal(dve_dispatch(4)->normal, 0x31e3);
    assert_int_equal(dve_dispatch(4)->count, 187);
    assert_int_equal(dve_dispatch(3)->bias, 0x41);
    assert_int_equal(dve_dispatch(3)->count, 170);
    assert_int_equal(dve_dispatch(3)->offset, 0x814);
    assert_null(dve_dispatch(2));
    assert_null(dve_dispatch(6));
}

static void the_vectors_of_ruling_27_decode(void **state)
{
    static const struct { uint8_t opcode; size_t index; uint32_t target; } entries[] = {
        {0x9b, 107, 0x2eff}, {0xe9, 185, 0x2f1f}, {0x9a, 106, 0x2eef}, {0xe6, 182, 0x2ef7},
        {0xea, 186, 0x2ea7}, {0x6e, 62, 0x2def},  {0x6f, 63, 0x2e37},
    };
    const uint8_t *table = image + 0x820;
    dve_firmware_code code = {image, sizeof image, 0};
    uint32_t callee, frame;
    uint8_t reg;
    (void)state;
    gen5_synthetic_image();
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        assert_int_equal(entries[i].opcode - 0x30, entries[i].index);
        assert_int_equal(dve_firmware_word(table, entries[i].index), entries[i].target);
    }
    assert_int_equal(dve_firmware_default(table, 187, 0x2f90), 0x2f90);
    assert_int_equal(dve_firmware_targets(table, 187, 0x2f90), 7);
    assert_true(dve_firmware_call8(&code, 0x2eff, &callee));
    assert_int_equal(callee, 0x2058);
    assert_true(dve_firmware_entry(&code, callee, &reg, &frame));
    assert_int_equal(reg, 1);
    assert_int_equal(frame, 48);
    assert_true(dve_firmware_call8(&code, 0x2f1f, &callee));
    assert_int_equal(callee, 0x20b8);
    assert_true(dve_firmware_entry(&code, callee, &reg, &frame));
    assert_false(dve_firmware_call8(&code, 0x2eef, &callee));            /* zeros are no call */
}

/* The rows of printed entries that tell a callee agree with the trampoline bytes that ruling R27 prints. */
static void printed_callees_are_what_the_bytes_say(void **state)
{
    size_t rows, told = 0;
    const dve_dispatch_target_info *row = dve_isa_dispatch_targets(&rows);
    dve_firmware_code code = {image, sizeof image, 0};
    (void)state;
    gen5_synthetic_image();
    for (size_t i = 0; i < rows; i++) {
        uint32_t callee = 0;
        assert_non_null(dve_dispatch(row[i].gen));
        assert_in_range(row[i].opcode, dve_dispatch(row[i].gen)->bias,
                        dve_dispatch(row[i].gen)->bias + dve_dispatch(row[i].gen)->count - 1);
        if (!row[i].callee)
            continue;
        told++;
        assert_true(dve_firmware_call8(&code, row[i].target, &callee));
        assert_int_equal(callee, row[i].callee);
    }
    assert_int_equal(told, 2);
}

static void calls_go_both_ways_and_stay_in_the_code(void **state)
{
    static const uint8_t forward[] = {0x25, 0x01, 0x00, 0x65, 0x00, 0x80, 0x15, 0x00, 0x00, 0x25, 0x01};
    dve_firmware_code code = {forward, sizeof forward, 0x1000};
    uint32_t callee;
    (void)state;
    assert_true(dve_firmware_call8(&code, 0x1000, &callee));             /* offset 4 words */
    assert_int_equal(callee, 0x1000 + 4 + 16);
    assert_true(dve_firmware_call8(&code, 0x1003, &callee));             /* the most negative offset and a bit 6 */
    assert_int_equal(callee, (uint32_t)(0x1000 + 4 - 4 * 0x20000 + 4));
    assert_false(dve_firmware_call8(&code, 0x1006, &callee));            /* call4 */
    assert_false(dve_firmware_call8(&code, 0x1009, &callee));            /* two of three bytes */
    assert_false(dve_firmware_call8(&code, 0xfff, &callee));
    assert_false(dve_firmware_call8(&code, 0xffffffff, &callee));
    code.size = 2;
    assert_false(dve_firmware_call8(&code, 0x1000, &callee));
}

static void the_default_is_printed_else_most_frequent_else_lowest(void **state)
{
    static const uint8_t tie[] = {9, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0};
    (void)state;
    assert_int_equal(dve_firmware_default(tie, 5, 7), 7);
    assert_int_equal(dve_firmware_default(tie, 5, 8), 5);
    assert_int_equal(dve_firmware_default(tie, 5, 0), 5);
    assert_int_equal(dve_firmware_default(tie, 3, 0), 9);
    assert_int_equal(dve_firmware_default(tie, 1, 0), 9);
    assert_int_equal(dve_firmware_targets(tie, 5, 5), 2);
    assert_int_equal(dve_firmware_targets(tie, 1, 9), 0);
}

/* ---- kernel_info and the CAM ---- */

static void kernel_records_decode(void **state)
{
    static const uint8_t record[] = {0, 0, 4, 0xf0, 0xa8, 0x37, 0x00, 0x01}, broken[] = {0, 1, 4, 0xf0, 0, 0, 0, 0};
    dve_kernel_record out;
    dve_error error;
    (void)state;
    assert_int_equal(dve_firmware_kernel(record, &out, &error), DVE_OK);
    assert_int_equal(out.opcode, 0xf0);
    assert_int_equal(out.spec, 4);
    assert_int_equal(out.key, 0xf0040000);
    assert_int_equal(out.address, 0x010037a8);
    assert_int_equal(dve_firmware_kernel(broken, &out, &error), DVE_E_INPUT);
    assert_non_null(strstr(error.text, "0x01"));
}

static void cam_slots_decode_and_refuse(void **state)
{
    uint8_t slot[16] = {0xe3, 1, 0, 0, 0xff, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    static const struct { unsigned byte; uint8_t value; const char *word; } wrong[] = {
        {4, 0xfe, "mask"}, {7, 1, "mask"}, {8, 2, "enable"}, {11, 1, "enable"}, {12, 1, "fourth"}, {15, 0x80, "fourth"}};
    dve_cam_slot out;
    dve_error error;
    (void)state;
    assert_int_equal(dve_firmware_cam(slot, &out, &error), DVE_OK);
    assert_int_equal(out.opcode, 0x1e3);
    assert_int_equal(out.mask, 0x1ff);
    assert_true(out.enable && !out.wildcard);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint8_t kept = slot[wrong[i].byte];
        slot[wrong[i].byte] = wrong[i].value;
        assert_int_equal(dve_firmware_cam(slot, &out, &error), DVE_E_INPUT);
        assert_non_null(strstr(error.text, wrong[i].word));
        slot[wrong[i].byte] = kept;
    }
    memset(slot, 0, sizeof slot);
    assert_int_equal(dve_firmware_cam(slot, &out, &error), DVE_OK);
    assert_false(out.wildcard);
    slot[8] = 1;
    assert_int_equal(dve_firmware_cam(slot, &out, &error), DVE_OK);
    assert_true(out.wildcard);
}

/* ---- tokens ---- */

static void expect_token(const char *text, size_t size, size_t *at, size_t found, const char *name)
{
    const char *got;
    size_t where, length;
    assert_true(dve_firmware_token((const uint8_t *)text, size, at, &where, &got, &length));
    assert_int_equal(where, found);
    assert_int_equal(length, strlen(name));
    assert_memory_equal(got, name, length);
}

static void tokens_begin_where_text_does(void **state)
{
    static const char text[] = "S: Max8\0xS: No\0S:No\0S: -x\0S: Tensor-Cumulative/Copy\nS: A.b,c_9 tail\x7fS: Z";
    const char *name;
    size_t at = 0, where, length, size = sizeof text - 1;
    (void)state;
    expect_token(text, size, &at, 0, "Max8");
    expect_token(text, size, &at, 26, "Tensor-Cumulative/Copy");
    expect_token(text, size, &at, 52, "A.b,c_9");
    expect_token(text, size, &at, size - 4, "Z");
    assert_false(dve_firmware_token((const uint8_t *)text, size, &at, &where, &name, &length));
    at = 0;
    assert_false(dve_firmware_token((const uint8_t *)"S: ", 3, &at, &where, &name, &length));
    at = 0;
    assert_false(dve_firmware_token((const uint8_t *)"", 0, &at, &where, &name, &length));
}

static void copies_suggest_an_engine(void **state)
{
    (void)state;
    assert_string_equal(dve_token_engine("Max8", 4, 4), "DVE");
    assert_string_equal(dve_token_engine("Max8", 4, 16), "sequencer");
    assert_string_equal(dve_token_engine("Max8", 4, 3), "ACT, PE or POOL");
    assert_null(dve_token_engine("Max8", 4, 13));
    assert_null(dve_token_engine("EngineNopX", 10, 13));
    assert_non_null(strstr(dve_token_engine("EngineNop", 9, 13), "every engine"));
}

/* ---- the printed lists ---- */

static unsigned armed_in(uint8_t gen)
{
    size_t rows;
    unsigned n = 0;
    const dve_armed_info *row = dve_isa_armed(&rows);
    for (size_t i = 0; i < rows; i++)
        n += dve_marked(row[i].gens, gen) != 0;
    return n;
}

static void armed_lists_have_the_printed_counts(void **state)
{
    size_t rows;
    const dve_armed_info *row = dve_isa_armed(&rows);
    (void)state;
    assert_int_equal(13 + armed_in(4) + 1, 48);                          /* control opcodes, and the wildcard */
    assert_int_equal(13 + armed_in(5) + 1, 54);
    assert_int_equal(armed_in(2), 0);
    for (size_t i = 0; i < rows; i++) {
        assert_int_equal(row[i].key & 0xff, row[i].opcode);
        assert_int_equal(row[i].key & ~row[i].mask, 0);
        assert_int_equal(row[i].slot != 255, dve_marked(row[i].gens, 4) != 0);
    }
    assert_int_equal(dve_opcode_armed(DVE_OPCODE_MAX8, 4), DVE_ARMED_NO);
    assert_int_equal(dve_opcode_armed(DVE_OPCODE_MAX8, 5), DVE_ARMED_YES);
    assert_int_equal(dve_opcode_armed(DVE_OPCODE_MAX8, 3), DVE_ARMED_UNKNOWN);
    assert_int_equal(dve_opcode_armed(DVE_OPCODE_MAX8, 2), DVE_ARMED_UNKNOWN);
    assert_int_equal(dve_opcode_armed(0xa0, 5), DVE_ARMED_UNKNOWN);
    assert_int_equal(dve_opcode_armed(DVE_OPCODE_DVE_READ_INDICES, 5), DVE_ARMED_NO);
}

static int rostered(uint8_t opcode, uint8_t gen)
{
    size_t rows;
    const dve_roster_info *roster = dve_isa_rosters(&rows);
    for (size_t i = 0; i < rows; i++)
        if (roster[i].gen == gen && dve_roster_holds(&roster[i], opcode))
            return 1;
    return 0;
}

/* R22: K is an opcode that is no other engine's and has a kernel; every row is of a known opcode. */
static void kernels_agree_with_the_engine_letters(void **state)
{
    static const uint8_t gen2[] = {0xe7, 0x74, 0x67, 0x68, 0x46, 0x47, 0xb8, 0xbb, 0x7e,
                                   0x41, 0x7c, 0x7d, 0x49, 0x7a, 0x79, 0x43, 0x44, 0x92};
    size_t rows, second = 0, opcodes;
    const dve_kernel_info *row = dve_isa_kernels(&rows);
    const dve_opcode_info *op = dve_isa_opcodes(&opcodes);
    (void)state;
    for (size_t i = 0; i < rows; i++) {
        if (dve_marked(row[i].gens, 2)) {
            assert_true(second < sizeof gen2);
            assert_int_equal(row[i].opcode, gen2[second++]);
        }
        for (size_t k = 0; k < i; k++)
            assert_false(row[k].opcode == row[i].opcode && row[k].spec == row[i].spec && strcmp(row[k].gens, row[i].gens) == 0);
    }
    assert_int_equal(second, 18);
    for (size_t i = 0; i < opcodes; i++)
        for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
            char letter = op[i].engine[g - DVE_GEN_FIRST];
            if (letter == 'K' ? !dve_opcode_pool_kernel(op[i].value, g)
                              : dve_opcode_pool_kernel(op[i].value, g) && letter != 'D')
                fail_msg("%s on gen%u: engine %c", op[i].name, g, letter);
            if (rostered(op[i].value, g == 5 ? 4 : g))
                assert_int_equal(letter, 'D');
        }
    assert_true(dve_opcode_pool_kernel(DVE_OPCODE_COPY, 2));
    assert_true(dve_opcode_pool_kernel(DVE_OPCODE_EXTENDED_INST, 5));
    assert_false(dve_opcode_pool_kernel(DVE_OPCODE_MAX8, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gen5_defaults_are_those_of_ruling_27),
        cmocka_unit_test(the_vectors_of_ruling_27_decode),
        cmocka_unit_test(printed_callees_are_what_the_bytes_say),
        cmocka_unit_test(calls_go_both_ways_and_stay_in_the_code),
        cmocka_unit_test(the_default_is_printed_else_most_frequent_else_lowest),
        cmocka_unit_test(kernel_records_decode),
        cmocka_unit_test(cam_slots_decode_and_refuse),
        cmocka_unit_test(tokens_begin_where_text_does),
        cmocka_unit_test(copies_suggest_an_engine),
        cmocka_unit_test(armed_lists_have_the_printed_counts),
        cmocka_unit_test(kernels_agree_with_the_engine_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
