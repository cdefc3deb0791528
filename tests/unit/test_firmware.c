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

/* ---- the project's rows against everything that is printed (tests/tables/firmware.def) ---- */

/* The rows of an image, in order, and no others: the project adds none of its own. */
static const struct printed_kernel { const char *gens, *table; uint8_t opcode, spec; } printed_kernels[] = {
#define PRINTED_KERNEL(generations, table, opcode, spec, address) {generations, table, opcode, spec},
#include "../tables/firmware.def"
};

static int names(const char *list, const char *name)
{
    const char *at = strstr(list, name);
    size_t length = strlen(name);
    return at && (at == list || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ');
}

static void kernel_rows_are_those_printed(void **state)
{
    static const struct { uint8_t gen; const char *table; size_t count; } images[] = {
        {2, "POOL", 18}, {3, "EXTISA_0", 17}, {4, "EXTISA_0", 17}, {5, "EXTISA_0", 17}, {3, "EXTISA_1", 1}, {3, "EXTISA_2", 2},
        {3, "EXTISA_3", 9}};
    size_t rows, all = sizeof printed_kernels / sizeof printed_kernels[0];
    const dve_kernel_info *row = dve_isa_kernels(&rows);
    (void)state;
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        size_t at = 0, found = 0;
        for (size_t k = 0; k < rows; k++) {
            if (!dve_marked(row[k].gens, images[i].gen) || !names(row[k].images, images[i].table))
                continue;
            while (at < all && (!strchr(printed_kernels[at].gens, '0' + images[i].gen) ||
                                strcmp(printed_kernels[at].table, images[i].table) != 0))
                at++;
            assert_true(at < all);
            assert_int_equal(row[k].opcode, printed_kernels[at].opcode);
            assert_int_equal(row[k].spec, printed_kernels[at].spec);
            at++;
            found++;
        }
        assert_int_equal(found, images[i].count);
    }
    static const uint8_t never[] = {
#define PRINTED_NO_KERNELS(...) __VA_ARGS__
#include "../tables/firmware.def"
    };
    assert_int_equal(sizeof never, 19);
    for (size_t i = 0; i < sizeof never; i++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++)
            assert_false(dve_opcode_pool_kernel(never[i], gen));
}

static void dispatch_rows_are_those_printed(void **state)
{
    static const struct { uint8_t gen; const char *engine; uint32_t address, entries, bias, normal, targets; } tables[] = {
#define PRINTED_DISPATCH(...) {__VA_ARGS__},
#include "../tables/firmware.def"
    };
    static const struct { uint8_t gen, opcode; uint32_t target, callee; } targets[] = {
#define PRINTED_TARGET(...) {__VA_ARGS__},
#include "../tables/firmware.def"
    };
    static const struct { uint8_t gen; const char *where, *what; uint32_t address; } places[] = {
#define PRINTED_PLACE(...) {__VA_ARGS__},
#include "../tables/firmware.def"
    };
    size_t rows, found;
    const dve_dispatch_info *table = dve_isa_dispatch(&rows);
    (void)state;
    assert_int_equal(rows, sizeof tables / sizeof tables[0]);
    for (size_t i = found = 0; i < rows; i++)
        for (size_t k = 0; k < rows; k++)
            found += table[i].gen == tables[k].gen && strcmp(table[i].engine, tables[k].engine) == 0 &&
                     table[i].offset + DVE_DISPATCH_DEVICE == tables[k].address && table[i].count == tables[k].entries &&
                     table[i].bias == tables[k].bias && table[i].normal == tables[k].normal && table[i].targets == tables[k].targets;
    assert_int_equal(found, rows);
    for (uint8_t gen = 3; gen <= 5; gen++)
        assert_string_equal(dve_dispatch(gen)->engine, "DVE");
    const dve_dispatch_target_info *target = dve_isa_dispatch_targets(&rows);
    assert_int_equal(rows, sizeof targets / sizeof targets[0]);
    for (size_t i = found = 0; i < rows; i++)
        for (size_t k = 0; k < rows; k++)
            found += target[i].gen == targets[k].gen && target[i].opcode == targets[k].opcode && target[i].target == targets[k].target &&
                     target[i].callee == targets[k].callee;
    assert_int_equal(found, rows);
    const dve_dispatch_place_info *place = dve_isa_dispatch_places(&rows);
    assert_int_equal(rows, sizeof places / sizeof places[0]);
    for (size_t i = found = 0; i < rows; i++)
        for (size_t k = 0; k < rows; k++)
            found += place[i].gen == places[k].gen && strcmp(place[i].image, places[k].where) == 0 &&
                     strcmp(place[i].what, places[k].what) == 0 && place[i].address == places[k].address;
    assert_int_equal(found, rows);
}

static void cams_are_those_printed(void **state)
{
    static const struct { uint8_t gen; const char *engine; unsigned armed; const char *digest; } cams[] = {
#define PRINTED_CAM(...) {__VA_ARGS__},
#include "../tables/firmware.def"
    };
    size_t rows, found = 0, told = 0;
    const dve_cam_info *cam = dve_isa_cams(&rows);
    (void)state;
    assert_int_equal(rows, sizeof cams / sizeof cams[0]);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < rows; k++)
            found += cam[i].gen == cams[k].gen && strcmp(cam[i].engine, cams[k].engine) == 0 && cam[i].armed == cams[k].armed &&
                     strcmp(cam[i].sha256, cams[k].digest) == 0;
    assert_int_equal(found, rows);
    /* No CAM with such a digest can be made here, so that the reader's look-up is given digests. */
    for (size_t k = 0; k < rows; k++) {
        char whole[65] = "";
        memset(whole, '0', 64);
        memcpy(whole, cams[k].digest, strlen(cams[k].digest));
        const dve_cam_info *known = dve_cam_known(whole);
        if (!*cams[k].digest) {
            assert_null(known);
            continue;
        }
        told++;
        assert_non_null(known);
        assert_int_equal(known->gen, cams[k].gen);
        assert_string_equal(known->engine, cams[k].engine);
        whole[7]++;
        assert_null(dve_cam_known(whole));
        assert_null(dve_cam_known(""));
    }
    assert_int_equal(told, 3);
}

static int rostered(uint8_t opcode, uint8_t gen);

static void armed_rows_are_those_printed(void **state)
{
    static const struct { uint8_t gen; uint16_t key, mask; uint8_t slot; } printed[] = {
#define PRINTED_ARMED(...) {__VA_ARGS__},
#include "../tables/firmware.def"
    };
    static const uint8_t unarmed[] = {
#define PRINTED_UNARMED(generation, ...) 0, generation, __VA_ARGS__,
#include "../tables/firmware.def"
    };
    enum { PRINTED = sizeof printed / sizeof printed[0] };
    size_t rows, marks = 0, found = 0, default_only[6] = {0};
    const dve_armed_info *row = dve_isa_armed(&rows);
    (void)state;
    for (size_t i = 0; i < rows; i++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++) {
            if (!dve_marked(row[i].gens, gen))
                continue;
            marks++;
            for (size_t k = 0; k < PRINTED; k++)
                found += printed[k].gen == gen && printed[k].key == row[i].key && printed[k].mask == row[i].mask &&
                         (gen != 4 || printed[k].slot == row[i].slot);
        }
    assert_int_equal(marks, PRINTED);
    assert_int_equal(found, PRINTED);
    for (size_t k = 0; k < PRINTED; k++)
        assert_int_equal(dve_opcode_armed((uint8_t)printed[k].key, printed[k].gen), DVE_ARMED_YES);
    /* Rostered in gen4's default and not armed: the printed opcodes, and no others. */
    for (size_t i = 0, gen = 0; i < sizeof unarmed; i++) {
        if (!unarmed[i]) {
            gen = unarmed[++i];
            continue;
        }
        default_only[gen]++;
        assert_true(rostered(unarmed[i], 4));
        assert_int_equal(dve_opcode_armed(unarmed[i], (uint8_t)gen), DVE_ARMED_NO);
    }
    for (unsigned op = 0; op < 256; op++)
        for (uint8_t gen = 4; gen <= 5; gen++)
            default_only[gen] -= rostered((uint8_t)op, 4) && dve_opcode_armed((uint8_t)op, gen) == DVE_ARMED_NO;
    assert_int_equal(default_only[4], 0);
    assert_int_equal(default_only[5], 0);
}

/* R27: the pseudo opcodes 0xc1..0xdf are in every generation, but for the one printed. */
static void the_absent_pseudo_opcode_is_that_of_ruling_27(void **state)
{
    static const struct { uint8_t gen, opcode; } absent[] = {
#define PRINTED_PSEUDO_ABSENT(...) {__VA_ARGS__},
#include "../tables/firmware.def"
    };
    unsigned missing = 0;
    (void)state;
    for (unsigned op = 0xc1; op <= 0xdf; op++)
        for (uint8_t gen = DVE_GEN_FIRST; gen <= DVE_GEN_LAST; gen++)
            missing += !dve_opcode_present((uint8_t)op, gen);
    assert_int_equal(missing, 1);
    assert_false(dve_opcode_present(absent[0].opcode, absent[0].gen));
    assert_string_equal(dve_opcode(absent[0].opcode)->name, "PseudoJpegDecode");
}

/* ---- the lists among themselves ---- */

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

/* In no roster of the generation, and still the vector engine's (R22). */
static int by_page(uint8_t opcode, uint8_t gen)
{
    switch (opcode) {
    case 0x30: case 0x77: case 0x78:
        return gen <= 3;
    case 0x60: case 0x98:
        return gen == 2;
    case 0x76:
        return 1;
    case 0xf3: case 0xf4:
        return gen == 5;
    default:
        return 0;
    }
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
            /* A roster makes an opcode the vector engine's, and so do the pages that R22 names; arming does not. */
            int ours = rostered(op[i].value, g == 5 ? 4 : g) || by_page(op[i].value, g);
            if ((letter == 'D') != ours)
                fail_msg("%s on gen%u: engine %c", op[i].name, g, letter);
        }
    assert_string_equal(dve_opcode_engine(DVE_OPCODE_TENSOR_SCALAR_IMM_LD_ARITH, 4), "pool");
    assert_string_equal(dve_opcode_engine(DVE_OPCODE_ENGINE_NOP, 2), "DVE");
    assert_string_equal(dve_opcode_engine(DVE_OPCODE_ENGINE_NOP, 4), "sequencer");
    assert_string_equal(dve_opcode_engine(DVE_OPCODE_ACTIVATION_TABLE_LOAD, 5), "ACT");
    assert_string_equal(dve_opcode_engine(DVE_OPCODE_ACTIVATE2, 5), "ACT");
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
        cmocka_unit_test(kernel_rows_are_those_printed),
        cmocka_unit_test(dispatch_rows_are_those_printed),
        cmocka_unit_test(cams_are_those_printed),
        cmocka_unit_test(armed_rows_are_those_printed),
        cmocka_unit_test(the_absent_pseudo_opcode_is_that_of_ruling_27),
        cmocka_unit_test(armed_lists_have_the_printed_counts),
        cmocka_unit_test(kernels_agree_with_the_engine_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
