/* SPDX-License-Identifier: Apache-2.0 */
/* One line of .dve text: a directive, a record or nothing. */
#include "parse.h"
#include <stddef.h>
#include <string.h>

void dve_text_begin(dve_text_source *source, uint8_t gen)
{
    memset(source, 0, offsetof(dve_text_source, tensor));
    source->gen_wanted = dve_generation(gen) ? gen : 0;
    source->gen = source->gen_wanted ? source->gen_wanted : DVE_GEN_DEFAULT;
}

/* Told once; what follows is read as if the line were there. */
static void complain_of_begin(dve_scan *s)
{
    size_t to = s->at;
    while (to < s->length && s->text[to] != ' ' && to - s->at < 40)
        to++;
    dve_scan_fail(s, s->at, to, "write .dve 1 on the first line", "the text does not begin with its version");
    s->source->version = DVE_TEXT_VERSION;
}

static dve_status parse(dve_scan *s)
{
    dve_text_result *out = s->out;
    dve_status status = DVE_OK;
    out->column = (uint32_t)s->at + 1;
    int directive = s->text[s->at] == '.';
    if (directive)
        s->at++;
    if (!s->source->version && !(directive && dve_word_is(dve_scan_peek(s), "dve"))) {
        s->at -= (size_t)directive;
        complain_of_begin(s);
        s->at += (size_t)directive;
    }
    s->source->statements++;
    if (directive) {
        out->kind = DVE_TEXT_DIRECTIVE;
        status = dve_parse_directive(s);
    } else {
        out->kind = DVE_TEXT_RECORD;
        dve_parse_record(s, &out->insn);
        s->source->records++;
    }
    if (!out->errors)
        return DVE_OK;
    memset(&out->insn, 0, sizeof out->insn);
    return status ? status : DVE_E_INPUT;
}

dve_status dve_text_parse(dve_text_source *source, const char *line, size_t length, dve_text_result *out)
{
    dve_scan s = {.text = line, .length = length, .source = source, .out = out};
    out->kind = DVE_TEXT_NOTHING;
    out->column = 1;
    out->errors = 0;
    memset(&out->insn, 0, sizeof out->insn);
    if (source->ended)
        return DVE_OK;
    if (s.length && line[s.length - 1] == '\r')
        s.length--;
    if (!source->statements && s.length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
        s.at = 3;                                /* a byte order mark, as some editors write it */
    if (length > DVE_TEXT_LINE) {
        dve_scan_fail(&s, DVE_TEXT_LINE, DVE_TEXT_LINE, "", "the line has more than %u bytes", (unsigned)DVE_TEXT_LINE);
        return DVE_E_INPUT;
    }
    return dve_scan_done(&s) ? DVE_OK : parse(&s);
}

dve_status dve_text_end(const dve_text_source *source, dve_text_result *out)
{
    dve_scan s = {.text = "", .out = out};
    memset(out, 0, sizeof *out);
    out->column = 1;
    if (source->version || source->ended)
        return DVE_OK;
    dve_scan_fail(&s, 0, 0, "write .dve 1 on the first line", "the text is empty");
    return DVE_E_INPUT;
}

const dve_tensor *dve_text_tensor(const dve_text_source *source, const char *name)
{
    for (uint32_t i = 0; i < source->tensors; i++)
        if (strcmp(source->tensor[i].name, name) == 0)
            return &source->tensor[i];
    return NULL;
}
