/* SPDX-License-Identifier: Apache-2.0 */
/* Packages: the JSON reader, header and limits, and streams of records in memory. Archives as such are tested by
 * tests/cli/neff.sh and tests/fuzz. */
#include "test.h"
#include "io/records.h"
#include "neff/json.h"
#include <opendve/neff.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

static neff_json_verdict judge(const char *text, size_t *bad)
{
    size_t size = strlen(text);
    uint8_t *copy = malloc(size + 1);            /* of its own, so that a sanitizer sees each byte read beyond it */
    neff_json whole;
    assert_non_null(copy);
    memcpy(copy, text, size);
    neff_json_verdict verdict = dve_neff_json_whole(copy, size, &whole, bad);
    free(copy);
    return verdict;
}

static void json_is_judged_strictly(void **state)
{
    static const char *const good[] = {
        "{}", " [ ] ", "\"\"", "0", "-0", "10", "1.5", "1e5", "1E-5", "-1.25e+10", "true", "false", "null", "[1,2]",
        "{\"a\":{\"b\":[]}}", "\"\\u00e9\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\xc3\xa9\xf0\x9f\x98\x80\"", "\"\x7f\"", "\t[\n1\r]",
        "{\"a\":1,\"a\":2}",
    };
    static const struct { const char *text; size_t at; } wrong[] = {
        {"", 0}, {" ", 1}, {"{", 1}, {"[1", 2}, {"[1,]", 3}, {"{\"a\":1,}", 7}, {"{a:1}", 1}, {"{\"a\"}", 4}, {"[1 2]", 3},
        {"01", 1}, {"-", 1}, {"1.", 2}, {".5", 0}, {"1e", 2}, {"+1", 0}, {"0x1", 1}, {"tru", 0}, {"nul", 0}, {"NaN", 0},
        {"\"", 1}, {"\"a", 2}, {"\"\n\"", 1}, {"\"\\x\"", 2}, {"\"\\u12g4\"", 2}, {"\"\\", 2}, {"\"\xff\"", 1}, {"\"\xc0\x80\"", 1},
        {"\"\xed\xa0\x80\"", 1}, {"\"\xf4\x90\x80\x80\"", 1}, {"\"\xe2\x82\"", 1}, {"{} {}", 3}, {"[]]", 2}, {"\xef\xbb\xbf{}", 0},
        {"'a'", 0}, {"[//\n]", 1}, {"}", 0}, {"[}", 1},
    };
    size_t bad;
    (void)state;
    for (size_t i = 0; i < LENGTH(good); i++)
        if (judge(good[i], &bad) != NEFF_JSON_GOOD)
            fail_msg("refused: %s", good[i]);
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        if (judge(wrong[i].text, &bad) != NEFF_JSON_WRONG)
            fail_msg("taken: %s", wrong[i].text);
        if (bad != wrong[i].at)
            fail_msg("%s: byte %zu", wrong[i].text, bad);
    }
}

static void json_nests_64_deep(void **state)
{
    char text[2 * (DVE_NEFF_JSON_DEPTH + 1) + 1] = "";
    size_t bad;
    (void)state;
    memset(text, '[', DVE_NEFF_JSON_DEPTH);
    memset(text + DVE_NEFF_JSON_DEPTH, ']', DVE_NEFF_JSON_DEPTH);
    assert_int_equal(judge(text, &bad), NEFF_JSON_GOOD);
    memset(text, '[', DVE_NEFF_JSON_DEPTH + 1);
    memset(text + DVE_NEFF_JSON_DEPTH + 1, ']', DVE_NEFF_JSON_DEPTH + 1);
    assert_int_equal(judge(text, &bad), NEFF_JSON_DEEP);
    assert_int_equal(bad, DVE_NEFF_JSON_DEPTH);
    /* what is wrong before it is too deep, or at the limit, is wrong */
    assert_int_equal(judge("[1,]", &bad), NEFF_JSON_WRONG);
    text[DVE_NEFF_JSON_DEPTH] = '}';
    assert_int_equal(judge(text, &bad), NEFF_JSON_WRONG);
}

static neff_json whole(const char *text)
{
    neff_json out;
    size_t bad;
    assert_int_equal(dve_neff_json_whole((const uint8_t *)text, strlen(text), &out, &bad), NEFF_JSON_GOOD);
    return out;
}

static void json_members_are_found(void **state)
{
    neff_json object = whole(" {\"x\" : \"}\\\"{\", \"n\":-1e5 ,\"list\":[ 1,\"a,b\" , {\"y\":[]},null ], \"x\":\"last\",\"\\u0061\":true}");
    neff_json value, key = object, rest;
    char text[16];
    unsigned n = 0;
    (void)state;
    assert_true(dve_neff_json_get(object, "x", &value));
    assert_true(dve_neff_json_text(value, text, sizeof text));
    assert_string_equal(text, "last");
    assert_true(dve_neff_json_get(object, "n", &value));
    assert_int_equal(value.end - value.at, 4);
    assert_false(dve_neff_json_text(value, text, sizeof text));
    assert_true(dve_neff_json_get(object, "a", &value));
    assert_false(dve_neff_json_get(object, "y", &value));
    assert_true(dve_neff_json_get(object, "list", &value));
    assert_false(dve_neff_json_get(value, "y", &key));
    static const char *const parts[] = {"1", "\"a,b\"", "{\"y\":[]}", "null"};
    for (rest = dve_neff_json_inside(value); dve_neff_json_next(&rest, &key, &value); n++) {
        assert_true(n < LENGTH(parts));
        assert_int_equal(value.end - value.at, strlen(parts[n]));
        assert_memory_equal(value.at, parts[n], strlen(parts[n]));
    }
    assert_int_equal(n, LENGTH(parts));
}

static void json_texts_are_decoded_or_refused(void **state)
{
    char text[8];
    (void)state;
    assert_true(dve_neff_json_text(whole("\"\\u0041\\n\\/\""), text, sizeof text));
    assert_string_equal(text, "A\n/");
    assert_true(dve_neff_json_text(whole("\"\\ud83d\\ude00\""), text, sizeof text));
    assert_string_equal(text, "\xf0\x9f\x98\x80");
    assert_true(dve_neff_json_text(whole("\"\\u00e9\\u20ac\""), text, sizeof text));
    assert_string_equal(text, "\xc3\xa9\xe2\x82\xac");
    assert_true(dve_neff_json_text(whole("\"1234567\""), text, sizeof text));
    assert_false(dve_neff_json_text(whole("\"12345678\""), text, sizeof text));
    assert_false(dve_neff_json_text(whole("\"a\\u0000b\""), text, sizeof text));
    assert_false(dve_neff_json_text(whole("\"\\ud83d\""), text, sizeof text));
    assert_false(dve_neff_json_text(whole("\"\\ud83dx\""), text, sizeof text));
    assert_false(dve_neff_json_text(whole("\"\\ud83d\\u0041\""), text, sizeof text));
    assert_false(dve_neff_json_text(whole("\"\\ude00\""), text, sizeof text));
    assert_false(dve_neff_json_text(whole("[]"), text, sizeof text));
}

/* ---- header ---- */

static void archives_have_limits(void **state)
{
    (void)state;
    assert_int_equal(dve_archive_limit(0), 4 << 20);
    assert_int_equal(dve_archive_limit(41943), 4 << 20);
    assert_int_equal(dve_archive_limit(41944), 4194400);
    assert_int_equal(dve_archive_limit(42949672), 4294967200);
    assert_int_equal(dve_archive_limit(42949673), INT64_C(4) << 30);
    assert_int_equal(dve_archive_limit(UINT64_MAX), INT64_C(4) << 30);
}

static void kinds_are_told_apart(void **state)
{
    uint8_t bytes[512] = {2};
    (void)state;
    bytes[9] = 4;
    assert_int_equal(dve_neff_kind_of(bytes, sizeof bytes), DVE_NEFF_PACKAGE);
    assert_int_equal(dve_neff_kind_of(bytes, 15), DVE_NEFF_NOT);
    bytes[1] = 16;                               /* a record's length: no package */
    assert_int_equal(dve_neff_kind_of(bytes, sizeof bytes), DVE_NEFF_NOT);
    memcpy(bytes + 257, "ustar", 5);
    assert_int_equal(dve_neff_kind_of(bytes, sizeof bytes), DVE_NEFF_TAR);
    assert_int_equal(dve_neff_kind_of(bytes, 511), DVE_NEFF_NOT);
    memcpy(bytes, "\x1f\x8b\x08", 3);
    bytes[3] = 0;
    assert_int_equal(dve_neff_kind_of(bytes, sizeof bytes), DVE_NEFF_GZIP);
    bytes[3] = 0x20;
    assert_int_equal(dve_neff_kind_of(bytes, 64), DVE_NEFF_NOT);
}

/* ---- streams in memory ---- */

static void memory_streams_give_blocks_and_ends(void **state)
{
    enum { RECORDS = DVE_RECORD_BLOCK + 3 };
    size_t size = RECORDS * DVE_RECORD_SIZE;
    uint8_t *bytes = malloc(size + 5);
    dve_record_stream *stream;
    dve_record_block block;
    dve_error error;
    const uint8_t *head;
    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < size + 5; i++)
        bytes[i] = (uint8_t)(i / DVE_RECORD_SIZE);
    assert_int_equal(dve_record_stream_over(bytes, size + 5, "m", &stream, &error), DVE_OK);
    assert_int_equal(dve_record_stream_peek(stream, &head), DVE_RECORD_BLOCK * DVE_RECORD_SIZE);
    assert_int_equal(head[64], 1);
    assert_int_equal(dve_record_stream_peek(stream, &head), DVE_RECORD_BLOCK * DVE_RECORD_SIZE);
    assert_int_equal(dve_record_stream_next(stream, &block, &error), DVE_OK);
    assert_int_equal(block.count, DVE_RECORD_BLOCK);
    assert_int_equal(block.first, 0);
    assert_int_equal(block.bytes[0], 0);
    assert_int_equal(dve_record_stream_next(stream, &block, &error), DVE_OK);
    assert_int_equal(block.count, 3);
    assert_int_equal(block.first, DVE_RECORD_BLOCK);
    assert_int_equal(dve_record_stream_next(stream, &block, &error), DVE_E_INPUT);
    assert_non_null(strstr(error.text, "has 5 of 64 bytes"));
    dve_record_stream_close(stream);
    assert_int_equal(dve_record_stream_over(bytes, 0, "m", &stream, &error), DVE_OK);
    assert_int_equal(dve_record_stream_peek(stream, &head), 0);
    assert_int_equal(dve_record_stream_next(stream, &block, &error), DVE_OK);
    assert_int_equal(block.count, 0);
    dve_record_stream_close(stream);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_judged_strictly),
        cmocka_unit_test(json_nests_64_deep),
        cmocka_unit_test(json_members_are_found),
        cmocka_unit_test(json_texts_are_decoded_or_refused),
        cmocka_unit_test(archives_have_limits),
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(memory_streams_give_blocks_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
