/* SPDX-License-Identifier: Apache-2.0 */
/* Any 64 bytes as a record; one more chooses the generation, and how short a buffer may be. The line, parsed, is the
 * same 64 bytes, and a buffer that is too short is never left. */
#include "fuzz.h"
#include <opendve/text.h>
#include <stdlib.h>
#include <string.h>

static void must(int holds)
{
    if (!holds)
        abort();
}

static void comes_back(const dve_record *record, uint8_t gen, size_t share)
{
    static dve_text_source source;
    static dve_text_result result;
    char line[DVE_RECORD_TEXT];
    dve_insn insn;
    dve_record again;
    dve_decode(record, &insn);
    size_t length = dve_text_print(&insn, gen, line, sizeof line);
    must(length < sizeof line && strlen(line) == length);
    size_t part = length * share / 256;
    char *little = malloc(part + 1);
    must(little != NULL && dve_text_print(&insn, gen, little, part + 1) == length && strlen(little) == part);
    free(little);
    dve_text_begin(&source, gen);
    must(dve_text_parse(&source, ".dve 1", 6, &result) == DVE_OK);
    must(dve_text_parse(&source, line, length, &result) == DVE_OK && result.kind == DVE_TEXT_RECORD);
    dve_encode(&result.insn, &again);
    must(memcmp(record, &again, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dve_record record = {{0}};
    uint8_t choice = size > DVE_RECORD_BYTES ? data[DVE_RECORD_BYTES] : 1;
    memcpy(record.byte, data, size < DVE_RECORD_BYTES ? size : DVE_RECORD_BYTES);
    comes_back(&record, (uint8_t)(DVE_GEN_FIRST + choice % DVE_GEN_COUNT), choice);
    return 0;
}
