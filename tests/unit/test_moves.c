/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, casts, fills, selects, shuffles and transposes by numbers worked out by hand: what moves, what stays,
 * what counts as written. */
#include "machines.h"
#include "moves.h"
#include <opendve/num.h>
#include <string.h>

enum { DATA = 0, MASK = 0x1000, OUT = 0x2000, POINTERS = 0x4000 };

static uint64_t unwritten(watched *w, uint32_t partition, uint32_t offset, uint32_t count)
{
    uint32_t first;
    dve_place place = {DVE_SPACE_SBUF, partition, offset};
    return dve_machine_unwritten(w->m, &place, count, &first);
}

static dve_record copy(uint8_t opcode, uint8_t in, uint8_t out, uint32_t from, uint32_t to, uint32_t count)
{
    dve_record record = moves_record(opcode, 1);
    SET(&record, S4D4_TR_in_dtype, in);
    SET(&record, S4D4_TR_out_dtype, out);
    moves_operand(&record, 0, sbuf(0, from), 1, count);
    moves_operand(&record, 1, sbuf(0, to), 1, count);
    return record;
}

static void run_quietly(watched *w, const dve_record *record)
{
    assert_int_equal(run(w, record), DVE_OK);
    if (w->hazards)
        fail_msg("hazard %s of %s", dve_hazard_name(w->hazard[0].kind), w->hazard[0].operand);
}

/* ---- copies ---- */

static void copies_keep_bits(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, DATA, 4, 0xffc12345, 0x7f800001, 0x01000001, 0x80000000);
    static const uint8_t dtypes[] = {DVE_DTYPE_FP32, DVE_DTYPE_INT32, DVE_DTYPE_UINT32};
    for (size_t i = 0; i < LENGTH(dtypes); i++)
        for (uint8_t opcode = 0x46; opcode <= 0x47; opcode++) {
            dve_record record = copy(opcode, dtypes[i], dtypes[i], DATA, OUT, 4);
            run_quietly(&w, &record);
            WORDS_ARE(&w, 0, OUT, 4, 0xffc12345, 0x7f800001, 0x01000001, 0x80000000);
        }
    dve_record record = copy(0x46, DVE_DTYPE_FP32, DVE_DTYPE_FP32, DATA + 12, OUT + 64, 4);
    SET(&record, S4D4_TR_src_step0, 0xffff);     /* backwards, into every second place */
    SET(&record, S4D4_TR_dst_step0, 2);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT + 64, 4, 0x80000000, 0, 0x01000001, 0, 0x7f800001, 0, 0xffc12345);
    assert_int_equal(unwritten(&w, 0, OUT + 64, 28), 12);
    unwatch(&w);
}

static void casts(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, DATA, 4, 0x3f000000, 0x3fc00000, 0xc3480000, 0x7f800000, 0xffc00001);
    dve_record record = copy(0x47, DVE_DTYPE_FP32, DVE_DTYPE_INT8, DATA, OUT, 5);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT, 1, 0, 2, 0x80, 0x7f, 0x80);
    assert_true(w.step[0].assumptions >> DVE_ASSUMPTION_int_from_nan & 1);
    record = copy(0x47, DVE_DTYPE_FP32, DVE_DTYPE_BF16, DATA, OUT, 5);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT, 2, 0x3f00, 0x3fc0, 0xc348, 0x7f80, 0x7fc0);
    assert_int_equal(w.step[0].cycles, 64 + 64);
    PUT(&w, 0, DATA, 4, 7, 0x01000001, 0xfeffffff, 0x02000000);
    record = copy(0x47, DVE_DTYPE_INT32, DVE_DTYPE_FP32, DATA, OUT, 4);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_THROUGH_FP32);
    assert_true(w.hazard[0].count == 2 && w.hazard[0].element == 1);
    WORDS_ARE(&w, 0, OUT, 4, 0x40e00000, 0x4b800000, 0xcb800000, 0x4c000000);
    unwatch(&w);
}

/* R25: each element is read just before its own result is written. */
/* Every NaN of a narrow float: how many, and words[] of them. */
static uint32_t all_nan(uint8_t dtype, uint32_t *words)
{
    uint32_t count = 0, size = dve_num_size(dtype);
    static const dve_num_config num;
    for (uint32_t bits = 0; bits < 1u << 8 * size; bits++)
        if (dve_f32_is_nan(dve_num_to_f32(&num, dtype, bits)))
            words[count++] = bits;
    return count;
}

/* A record of an instruction that moves elements from DATA to OUT, all of them chosen by the bytes at MASK. */
static dve_record mover(uint8_t opcode, uint8_t from, uint8_t to, uint32_t count)
{
    dve_record record = moves_record(opcode, 1);
    int predicated = opcode == 0x99 || opcode == 0xea;
    if (opcode == 0x47 || opcode == 0x6f) {
        record.byte[32] = from;
        record.byte[33] = to;
    } else if (opcode == 0x99) {
        SET(&record, S3S3D3_TT_src1_dtype, from);
        SET(&record, S3S3D3_TT_out_dtype, to);
    } else if (opcode == 0x9a) {
        SET(&record, S3D3_TS_in_dtype, from);
        SET(&record, S3D3_TS_out_dtype, to);
        SET(&record, S3D3_TS_op0, DVE_ALU_OP_BYPASS);
    } else {
        SET(&record, S2S2D2_STT_src1_dtype, from);
        SET(&record, S2S2D2_STT_out_dtype, to);
    }
    moves_operand(&record, 0, sbuf(0, predicated ? MASK : DATA), 1, count);
    moves_operand(&record, 1, sbuf(0, predicated ? DATA : OUT), 1, count);
    if (predicated)
        moves_operand(&record, 2, sbuf(0, OUT), 1, count);
    return record;
}

/* A NaN that moves into an integer goes to the end of the range that its own sign points to, whatever float it was
 * (R9) and whichever instruction moves it. */
static void nan_to_integers(void **state)
{
    (void)state;
    static const uint8_t floats[] = {DVE_DTYPE_BF16, DVE_DTYPE_FP16, DVE_DTYPE_FP8_E3M4, DVE_DTYPE_FP8_E4M3,
                                     DVE_DTYPE_FP8_E5M2};
    static const uint32_t counts[] = {254, 2046, 30, 14, 6};
    static const struct { uint8_t dtype; uint32_t lowest, highest; } to[] = {
        {DVE_DTYPE_INT8, 0x80, 0x7f},     {DVE_DTYPE_INT16, 0x8000, 0x7fff}, {DVE_DTYPE_INT32, 0x80000000, 0x7fffffff},
        {DVE_DTYPE_UINT8, 0, 0xff},       {DVE_DTYPE_UINT16, 0, 0xffff},     {DVE_DTYPE_UINT32, 0, 0xffffffff}};
    static const uint8_t opcodes[] = {0x47, 0x99, 0x9a, 0xea, 0x6f};
    static uint32_t words[2046], ones[2046];
    watched w;
    watch(&w, NULL);
    for (uint32_t i = 0; i < LENGTH(ones); i++)
        ones[i] = 1;
    put_words(&w, 0, MASK, 1, ones, LENGTH(ones));
    for (size_t f = 0; f < LENGTH(floats); f++)
        for (size_t t = 0; t < LENGTH(to); t++)
            for (size_t o = 0; o < LENGTH(opcodes); o++) {
                uint32_t size = dve_num_size(floats[f]), count = all_nan(floats[f], words);
                int few = opcodes[o] == 0x6f;            /* its data types are few */
                if (few && (size == 1 || to[t].dtype == DVE_DTYPE_INT8 || to[t].dtype == DVE_DTYPE_INT16))
                    continue;
                assert_int_equal(count, counts[f]);
                put_words(&w, 0, DATA, size, words, count);
                dve_record record = mover(opcodes[o], floats[f], to[t].dtype, count);
                assert_int_equal(run(&w, &record), DVE_OK);
                for (uint32_t i = 0; i < count; i++) {
                    uint32_t width = dve_num_size(to[t].dtype), got = get_word(&w, 0, OUT + width * i, width);
                    uint32_t wanted = words[i] >> (8 * size - 1) ? to[t].lowest : to[t].highest;
                    if (got != wanted)
                        fail_msg("0x%02x, data type %u to %u: 0x%x gives 0x%x, not 0x%x", opcodes[o], floats[f],
                                 to[t].dtype, words[i], got, wanted);
                }
            }
    unwatch(&w);
}

static void overlaps_are_walked(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, DATA, 4, 1, 2, 3, 4, 5);
    dve_record record = copy(0x46, DVE_DTYPE_UINT32, DVE_DTYPE_UINT32, DATA, DATA + 4, 4);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_PARTIAL_OVERLAP && w.hazard[0].byte == 4);
    WORDS_ARE(&w, 0, DATA, 4, 1, 1, 1, 1, 1);
    PUT(&w, 0, DATA, 4, 1, 2, 3, 4, 5);
    record = copy(0x46, DVE_DTYPE_UINT32, DVE_DTYPE_UINT32, DATA, DATA, 5);
    run_quietly(&w, &record);
    record = copy(0x47, DVE_DTYPE_UINT32, DVE_DTYPE_FP32, DATA, DATA, 5);      /* one walk of one width: no hazard */
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, DATA, 4, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000);
    record = copy(0x46, DVE_DTYPE_UINT32, DVE_DTYPE_UINT32, DATA, OUT, 5);
    SET(&record, S4D4_TR_dst_step0, 0);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_DESTINATION_TWICE && w.hazard[0].byte == OUT);
    WORDS_ARE(&w, 0, OUT, 4, 0x40a00000);        /* the last one stays */
    unwatch(&w);
}

static void memset_fills(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    dve_record record = moves_record(0x49, 2);
    SET(&record, D4_MR_dtype, DVE_DTYPE_FP16);
    SET(&record, D4_MR_set_value, 0x1234);
    SET(&record, D4_MR_dst_element_count, 6);
    moves_operand(&record, 0, sbuf(32, OUT), 1, 3);
    SET(&record, D4_MR_dst_step1, 4);
    SET(&record, D4_MR_dst_num1, 2);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 33, OUT, 2, 0x1234, 0x1234, 0x1234, 0, 0x1234, 0x1234, 0x1234, 0);
    assert_int_equal(unwritten(&w, 33, OUT, 16), 4);
    assert_int_equal(unwritten(&w, 34, OUT, 16), 16);
    unwatch(&w);
}

/* ---- predicates ---- */

/* What is held back stays, is not read and is not written. */
static void predicated_copy(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, MASK, 1, 0, 1, 0, 0x80);
    PUT(&w, 0, DATA, 4, 0xffc00001, 0x7f800002, 3, 4);
    dve_record record = moves_record(0x72, 1);
    moves_operand(&record, 0, sbuf(0, MASK), 1, 4);
    moves_operand(&record, 1, sbuf(0, DATA), 1, 4);
    moves_operand(&record, 2, sbuf(0, OUT), 1, 4);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT, 4, 0, 0x7f800002, 0, 4);
    assert_int_equal(unwritten(&w, 0, OUT, 4), 4);
    assert_int_equal(unwritten(&w, 0, OUT + 4, 4), 0);
    assert_int_equal(unwritten(&w, 0, OUT, 16), 8);
    unwatch(&w);
}

/* Only integers that are converted can change. */
static void predicated_cast(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, MASK, 2, 0, 1, 1);
    PUT(&w, 0, DATA, 4, 0x01000001, 5, 0x01000003);
    PUT(&w, 0, OUT, 4, 9, 9, 9);
    dve_record record = moves_record(0x99, 1);
    SET(&record, S3S3D3_TT_src0_dtype, DVE_DTYPE_INT16);
    SET(&record, S3S3D3_TT_src1_dtype, DVE_DTYPE_UINT32);
    moves_operand(&record, 0, sbuf(0, MASK), 1, 3);
    moves_operand(&record, 1, sbuf(0, DATA), 1, 3);
    moves_operand(&record, 2, sbuf(0, OUT), 1, 3);
    assert_int_equal(run(&w, &record), DVE_OK);
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_THROUGH_FP32);
    assert_true(w.hazard[0].count == 1 && w.hazard[0].element == 2);
    assert_string_equal(w.hazard[0].operand, "src1");
    WORDS_ARE(&w, 0, OUT, 4, 9, 0x40a00000, 0x4b800002);
    unwatch(&w);
}

static void predicated_scalar(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, MASK, 1, 0, 1, 0, 2);
    PUT(&w, 0, OUT, 2, 1, 2, 3, 4);
    dve_record record = moves_record(0xe8, 1);
    SET(&record, S3D3_CP_PRED_SCALAR_in_dtype, DVE_DTYPE_BF16);
    SET(&record, S3D3_CP_PRED_SCALAR_out_dtype, DVE_DTYPE_BF16);
    SET(&record, S3D3_CP_PRED_SCALAR_src0_imm, 0xffaa);
    moves_operand(&record, 0, sbuf(0, MASK), 1, 4);
    moves_operand(&record, 1, sbuf(0, OUT), 1, 4);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT, 2, 0xffaa, 2, 0xffaa, 4);
    SET(&record, S3D3_CP_PRED_SCALAR_reversed_pred, 1);
    SET(&record, S3D3_CP_PRED_SCALAR_src0_imm_src, DVE_IMM_SRC_POINTER);
    SET(&record, S3D3_CP_PRED_SCALAR_src0_imm, sbuf(0, POINTERS));
    PUT(&w, 0, POINTERS, 2, 0x5555);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT, 2, 0xffaa, 0x5555, 0xffaa, 0x5555);
    unwatch(&w);
}

static void tensor_or_scalar(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, DATA, 1, 10, 11);
    PUT(&w, 1, DATA, 1, 20, 21);
    PUT(&w, 0, POINTERS, 1, 0);
    PUT(&w, 1, POINTERS, 1, 0x40);
    dve_record record = moves_record(0x98, 2);
    SET(&record, S3D3_TS_SELECT_dtype, DVE_DTYPE_UINT8);
    SET(&record, S3D3_TS_SELECT_pred_imm_dtype, DVE_DTYPE_INT8);
    SET(&record, S3D3_TS_SELECT_pred_imm_src, DVE_IMM_SRC_POINTER);
    SET(&record, S3D3_TS_SELECT_pred_imm, sbuf(0, POINTERS));
    SET(&record, S3D3_TS_SELECT_src1_imm, 99);
    moves_operand(&record, 0, sbuf(0, DATA), 1, 2);
    moves_operand(&record, 1, sbuf(0, OUT), 1, 2);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT, 1, 99, 99);
    WORDS_ARE(&w, 1, OUT, 1, 20, 21);
    SET(&record, S3D3_TS_SELECT_reversed_pred, 1);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 0, OUT, 1, 10, 11);
    WORDS_ARE(&w, 1, OUT, 1, 99, 99);
    unwatch(&w);
}

/* ---- shuffles ---- */

static void load_mask(watched *w, uint32_t (*entry)(uint32_t lane))
{
    dve_record record;
    record_base(0x69, &record);
    for (uint32_t i = 0; i < 32; i++)
        record.byte[32 + i] = (uint8_t)entry(i);
    run_quietly(w, &record);
}

static uint32_t zeros(uint32_t lane) { return lane * 0; }
static uint32_t rotate(uint32_t lane) { return (lane + 31) % 32; }
static uint32_t some_off(uint32_t lane) { return lane % 4 == 0 ? 255 : lane % 4 == 1 ? 0x20 | lane : (lane + 16) % 32; }

/* Word i of a partition is 100 partition + i. */
static void number_partitions(watched *w, uint32_t partitions, uint32_t words)
{
    for (uint32_t p = 0; p < partitions; p++)
        for (uint32_t i = 0; i < words; i++)
            PUT(w, p, DATA + 4 * i, 4, 100 * p + i);
}

static dve_record shuffle(uint8_t channels, uint32_t from, uint32_t to, uint32_t count)
{
    dve_record record = moves_record(0x6a, channels);
    SET(&record, S4D4_TR_in_dtype, DVE_DTYPE_INT32);
    SET(&record, S4D4_TR_out_dtype, DVE_DTYPE_INT32);
    moves_operand(&record, 0, from, 1, count);
    moves_operand(&record, 1, to, 1, count);
    return record;
}

/* The mask serves every quadrant; 70 words span two blocks of the walk in place. */
static void shuffles(void **state)
{
    (void)state;
    static uint32_t (*const entries[])(uint32_t) = {zeros, rotate, some_off};
    for (size_t e = 0; e < LENGTH(entries); e++)
        for (uint32_t shift = 0; shift <= 12; shift += 4) {      /* in place, and shifted onto itself */
            watched w;
            watch(&w, NULL);
            number_partitions(&w, 64, 74);
            load_mask(&w, entries[e]);
            dve_record record = shuffle(64, sbuf(0, DATA), sbuf(0, DATA + shift), 70);
            run_quietly(&w, &record);
            for (uint32_t p = 0; p < 64; p++) {
                uint32_t entry = entries[e](p % 32);
                for (uint32_t i = 0; i < 70; i++)
                    assert_int_equal(get_word(&w, p, DATA + shift + 4 * i, 4),
                                     entry & 0x20 ? 100 * p + i + shift / 4 : 100 * (p / 32 * 32 + entry % 32) + i);
            }
            unwatch(&w);
        }
}

/* What a shuffle leaves out is not taken for written by the records behind it. */
static void shuffles_write_some(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    number_partitions(&w, 32, 8);
    load_mask(&w, some_off);
    dve_record record = shuffle(32, sbuf(0, DATA), sbuf(0, OUT), 8);
    run_quietly(&w, &record);
    for (int times = 0; times < 2; times++) {
        dve_record next = copy(0x46, DVE_DTYPE_FP32, DVE_DTYPE_FP32, OUT, OUT + 0x100, 8);
        SET(&next, S4D4_TR_num_active_channels, 8);
        assert_int_equal(run(&w, &next), DVE_OK);
        assert_int_equal(w.hazards, 1);
        assert_int_equal(w.hazard[0].kind, DVE_HAZARD_NEVER_WRITTEN);
        assert_int_equal(w.hazard[0].count, 4 * 32);             /* of partitions 0, 1, 4, 5 */
    }
    unwatch(&w);
}

/* Elsewhere: lanes that are left alone are not written. */
static void shuffle_marks(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    number_partitions(&w, 32, 3);
    dve_record record = shuffle(32, sbuf(0, DATA), sbuf(64, OUT), 3);
    assert_int_equal(run(&w, &record), DVE_OK);  /* at power-on the mask is the identity, and that is told */
    assert_true(w.hazards == 1 && w.hazard[0].kind == DVE_HAZARD_POWER_ON_STATE && w.hazard[0].count == 32);
    assert_string_equal(w.hazard[0].state, "mask");
    WORDS_ARE(&w, 69, OUT, 4, 500, 501, 502);
    load_mask(&w, some_off);
    record = shuffle(32, sbuf(0, DATA), sbuf(96, OUT), 3);
    run_quietly(&w, &record);
    WORDS_ARE(&w, 98, OUT, 4, 1800, 1801, 1802);
    assert_int_equal(unwritten(&w, 96, OUT, 12), 12);
    assert_int_equal(unwritten(&w, 97, OUT, 12), 12);
    assert_int_equal(unwritten(&w, 98, OUT, 12), 0);
    unwatch(&w);
}

/* ---- transposes ---- */

static dve_record transpose(uint32_t from, uint32_t to, uint32_t count, uint32_t results, uint32_t masked)
{
    dve_record record = moves_record(0x6b, 32);
    SET(&record, S4D4_TR_in_dtype, DVE_DTYPE_INT32);
    SET(&record, S4D4_TR_out_dtype, DVE_DTYPE_INT32);
    SET(&record, S4D4_TR_mask_enable, masked);
    moves_operand(&record, 0, sbuf(0, from), 1, count);
    moves_operand(&record, 1, sbuf(0, to), 1, results);
    return record;
}

/* R38, with as many results and with fewer, elsewhere, in place and shifted onto itself. */
static void transposes(void **state)
{
    (void)state;
    static const struct {
        uint32_t to, results;
    } cases[] = {{OUT, 64}, {OUT, 40}, {OUT, 1}, {DATA, 64}, {DATA + 4, 64}, {DATA + 8, 50}};
    for (size_t c = 0; c < LENGTH(cases); c++) {
        watched w;
        watch(&w, NULL);
        number_partitions(&w, 32, 64);
        dve_record record = transpose(DATA, cases[c].to, 64, cases[c].results, 0);
        run_quietly(&w, &record);
        for (uint32_t p = 0; p < 32; p++)
            for (uint32_t e = 0; e < cases[c].results; e++)
                assert_int_equal(get_word(&w, p, cases[c].to + 4 * e, 4), 100 * (e & 31) + (e & ~31u) + p);
        if (cases[c].to == OUT)
            assert_int_equal(unwritten(&w, 31, OUT, 256), 4 * (64 - cases[c].results));
        unwatch(&w);
    }
}

static uint32_t first_ten(uint32_t lane) { return lane < 10 ? 0 : 0x20; }

static void transpose_masked(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    number_partitions(&w, 32, 32);
    load_mask(&w, first_ten);
    dve_record record = transpose(DATA, OUT, 32, 32, 1);
    run_quietly(&w, &record);
    assert_int_equal(get_word(&w, 9, OUT + 4 * 31, 4), 3109);
    assert_int_equal(unwritten(&w, 9, OUT, 128), 0);
    assert_int_equal(unwritten(&w, 10, OUT, 128), 128);
    record = transpose(DATA, OUT, 32, 32, 0);    /* without mask_enable the mask is not looked at */
    run_quietly(&w, &record);
    assert_int_equal(get_word(&w, 31, OUT, 4), 31);
    unwatch(&w);
}

/* ---- refusals ---- */

static void too_many_elements(void **state)
{
    (void)state;
    watched w;
    watch(&w, NULL);
    PUT(&w, 0, DATA, 4, 1);
    dve_record record = copy(0x46, DVE_DTYPE_UINT32, DVE_DTYPE_UINT32, DATA, OUT, 1);
    static const uint16_t counts[] = {DVE_FIELD_S4D4_TR_src_num0, DVE_FIELD_S4D4_TR_src_num1,
                                      DVE_FIELD_S4D4_TR_dst_num0, DVE_FIELD_S4D4_TR_dst_num1};
    static const uint16_t steps[] = {DVE_FIELD_S4D4_TR_src_step0, DVE_FIELD_S4D4_TR_src_step1,
                                     DVE_FIELD_S4D4_TR_dst_step0, DVE_FIELD_S4D4_TR_dst_step1};
    for (size_t i = 0; i < 4; i++) {
        record_set(&record, counts[i], 65535);
        record_set(&record, steps[i], 0);
    }
    assert_int_equal(run(&w, &record), DVE_E_BUDGET);
    assert_int_equal(w.stop.reason, DVE_REFUSED_ELEMENTS);
    assert_true(w.stop.given == UINT64_C(65535) * 65535 && w.stop.limit == DVE_MAX_ELEMENTS);
    assert_int_equal(unwritten(&w, 0, OUT, 4), 4);
    unwatch(&w);
}

/* A list of indices is legal from gen4 on, but what its entries mean is not known. */
static void index_lists(void **state)
{
    (void)state;
    watched w;
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.gen = 4;
    watch(&w, &config);
    dve_record record = copy(0x46, DVE_DTYPE_FP32, DVE_DTYPE_FP32, DATA, OUT, 4);
    SET(&record, S4D4_TR_src_start_addr, 0x20000000 | sbuf(0, MASK));
    SET(&record, S4D4_TR_src_step0, 0);
    SET(&record, S4D4_TR_src_step1, 0);
    SET(&record, S4D4_TR_src_step2, 4);
    assert_int_equal(run(&w, &record), DVE_E_FINDING);
    assert_int_equal(w.stop.reason, DVE_REFUSED_INDIRECT);
    assert_string_equal(w.stop.operand, "src");
    unwatch(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_keep_bits),  cmocka_unit_test(casts),
        cmocka_unit_test(nan_to_integers),
        cmocka_unit_test(overlaps_are_walked), cmocka_unit_test(memset_fills),
        cmocka_unit_test(predicated_copy),   cmocka_unit_test(predicated_cast),
        cmocka_unit_test(predicated_scalar), cmocka_unit_test(tensor_or_scalar),
        cmocka_unit_test(shuffles), cmocka_unit_test(shuffles_write_some),          cmocka_unit_test(shuffle_marks),
        cmocka_unit_test(transposes),        cmocka_unit_test(transpose_masked),
        cmocka_unit_test(too_many_elements), cmocka_unit_test(index_lists),
    };
    return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
