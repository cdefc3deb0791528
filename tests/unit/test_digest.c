/* SPDX-License-Identifier: Apache-2.0 */
/* Digests against their published examples (RFC 1321, FIPS 180-2). */
#include "test.h"
#include "io/digest.h"
#include <string.h>

typedef struct example {
    const char *text, *md5, *sha256;
} example;

static const example examples[] = {
    {"", "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "900150983cd24fb0d6963f7d28e17f72", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "8215ef0796a20bcaaae116d3876c664a",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
};

static void published(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < LENGTH(examples); i++) {
        uint8_t md5[DVE_MD5_BYTES], sha[DVE_SHA256_BYTES];
        char text[2 * DVE_SHA256_BYTES + 1];
        size_t length = strlen(examples[i].text);
        dve_md5(examples[i].text, length, md5);
        assert_string_equal(dve_digest_hex(md5, sizeof md5, text), examples[i].md5);
        dve_sha256(examples[i].text, length, sha);
        assert_string_equal(dve_digest_hex(sha, sizeof sha, text), examples[i].sha256);
    }
}

static void in_pieces(void **unused)
{
    (void)unused;
    const example *last = &examples[LENGTH(examples) - 1];
    uint8_t sha[DVE_SHA256_BYTES];
    char text[2 * DVE_SHA256_BYTES + 1];
    dve_sha256_sum *sum = dve_sha256_begin();
    assert_non_null(sum);
    dve_sha256_add(sum, last->text, 5);
    dve_sha256_add(sum, NULL, 0);
    dve_sha256_add(sum, last->text + 5, strlen(last->text) - 5);
    dve_sha256_end(sum, sha);
    assert_string_equal(dve_digest_hex(sha, sizeof sha, text), last->sha256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published), cmocka_unit_test(in_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
