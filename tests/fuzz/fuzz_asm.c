/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a text source. What is accepted must come back: its record printed and parsed again is the same. */
#include "fuzz.h"
#include <opendve/text.h>
#include <stdlib.h>
#include <string.h>

static dve_text_source source;

static void must(int holds)
{
    if (!holds)
        abort();
}

static void accepted(const dve_insn *insn)
{
    static dve_text_source again;
    static dve_text_result result;
    char line[DVE_RECORD_TEXT];
    dve_record before, after;
    dve_encode(insn, &before);
    size_t length = dve_text_print(insn, source.gen, line, sizeof line);
    must(length < sizeof line && !line[length]);
    dve_text_begin(&again, source.gen);
    must(dve_text_parse(&again, ".dve 1", 6, &result) == DVE_OK);
    must(dve_text_parse(&again, line, length, &result) == DVE_OK && result.kind == DVE_TEXT_RECORD);
    dve_encode(&result.insn, &after);
    must(memcmp(&before, &after, sizeof after) == 0);
}

static void refused(const dve_text_result *result, size_t length)
{
    must(result->errors > 0);
    for (size_t i = 0; i < result->errors && i < DVE_TEXT_ERRORS; i++) {
        const dve_text_error *error = &result->error[i];
        must(error->column >= 1 && error->column <= length + 1 && error->length >= 1);
        must(*error->message && memchr(error->message, 0, sizeof error->message));
        must(memchr(error->hint, 0, sizeof error->hint) != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static dve_text_result result;
    size_t at = 0;
    dve_text_begin(&source, size ? data[0] % 6 : 0);
    while (at < size) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = (end ? (size_t)(end - data) : size) - at;
        /* A copy of its own, so that a sanitizer sees each byte read beyond the line. */
        char *line = malloc(length ? length : 1);
        must(line != NULL);
        memcpy(line, data + at, length);
        if (dve_text_parse(&source, line, length, &result))
            refused(&result, length);
        else if (result.kind == DVE_TEXT_RECORD)
            accepted(&result.insn);
        free(line);
        at += length + 1;
    }
    if (dve_text_end(&source, &result))
        refused(&result, 0);
    return 0;
}
