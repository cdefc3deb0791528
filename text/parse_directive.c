/* SPDX-License-Identifier: Apache-2.0 */
/* .dve VERSION, .gen G, .tensor NAME PLACE */
#include "parse.h"
#include <string.h>

/* Where the directive's name, dot included, stands. */
#define NAMED(name) (name).at - 1, (name).at + (name).length

static void parse_version(dve_scan *s, dve_word name)
{
    uint32_t version;
    if (s->source->version) {
        dve_scan_fail(s, NAMED(name), "it stands once, on the first line", "another .dve line");
        return;
    }
    dve_scan_blanks(s);
    size_t from = s->at;
    if (!dve_scan_number(s, "version of the text", 0, UINT32_MAX, &version) || version != DVE_TEXT_VERSION) {
        if (!s->out->errors)
            dve_scan_fail(s, from, s->at, "this program reads .dve 1", "version %u of the text is unknown",
                          (unsigned)version);
        s->source->ended = 1;
    }
    s->source->version = DVE_TEXT_VERSION;
}

/* Anything but blanks and comments: aliases such as nc-v3 are no words. */
static size_t take_alias(dve_scan *s, char *out, size_t capacity)
{
    size_t length = 0;
    for (; !dve_scan_done(s) && (!length || (s->text[s->at - 1] != ' ' && s->text[s->at - 1] != '\t')); s->at++)
        if (length + 1 < capacity)
            out[length++] = s->text[s->at];
    out[length] = '\0';
    return length;
}

/* Addresses depend on the generation, so it is stated before them. Answers 0, or DVE_E_USAGE. */
static int parse_gen(dve_scan *s, dve_word name)
{
    char word[24];
    dve_text_source *source = s->source;
    if (source->gen_stated)
        return dve_scan_fail(s, NAMED(name), "it stands once", "another .gen line");
    if (source->records || source->tensors)
        return dve_scan_fail(s, NAMED(name), "addresses depend on it", ".gen stands behind records or tensors");
    source->gen_stated = 1;
    dve_scan_blanks(s);
    size_t from = s->at, length = take_alias(s, word, sizeof word);
    const dve_generation_info *generation = dve_generation_by_name(word);
    if (!generation)
        return dve_scan_fail(s, from, from + length, "gen2, gen3, gen4, gen5, or an alias: `opendve isa generations`",
                             length ? "there is no generation \"%s\"" : "the generation is missing%s", word);
    if (source->gen_wanted && source->gen_wanted != generation->number) {
        source->ended = 1;
        dve_scan_fail(s, from, from + length, "", "the source is for %s, %s was asked for", generation->name,
                      dve_generation(source->gen_wanted)->name);
        return DVE_E_USAGE;
    }
    source->gen = generation->number;
    return 0;
}

/* A name that no address could be. */
static int tensor_name(dve_scan *s, dve_word *name)
{
    static const char *const taken[] = {"sbuf", "psum", "reg", "shape_reg", "addr_shape_reg", "indirect", "inf", "nan"};
    *name = dve_scan_word(s);
    if (!name->length || (*name->text >= '0' && *name->text <= '9'))
        return dve_scan_fail(s, name->at, s->at, "letters, digits and _, no digit first", "the tensor's name is missing");
    if (name->length >= DVE_TENSOR_NAME)
        return dve_scan_fail(s, name->at, s->at, "", "the name has %u letters, allowed are %d", (unsigned)name->length,
                             DVE_TENSOR_NAME - 1);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (dve_word_is(*name, taken[i]))
            return dve_scan_fail(s, name->at, s->at, "take another name", "%s has a meaning of its own", taken[i]);
    for (uint32_t i = 0; i < s->source->tensors; i++)
        if (dve_word_is(*name, s->source->tensor[i].name))
            return dve_scan_fail(s, name->at, s->at, "", "tensor %s was declared before", s->source->tensor[i].name);
    return 1;
}

static int parse_tensor(dve_scan *s, dve_tensor *out)
{
    static const char hint[] = ".tensor NAME sbuf[0:128]+0x40:fp32[1024]: space, first partition and how many, "
                               "byte offset, data type, elements a partition";
    dve_word name;
    uint32_t dtype;
    if (!tensor_name(s, &name))
        return 0;
    memcpy(out->name, name.text, name.length);
    out->partitions = 1;
    dve_word space = dve_scan_word(s);
    if (!dve_word_is(space, "sbuf") && !dve_word_is(space, "psum"))
        return dve_scan_fail(s, space.at, s->at, hint, "the place of tensor %s is missing", out->name);
    if (!dve_scan_place(s, space, &out->place, &out->partitions) || !dve_scan_must(s, ':', hint) ||
        !dve_scan_dtype(s, "data type", UINT8_MAX, &dtype) || !dve_scan_must(s, '[', hint) ||
        !dve_scan_number(s, "elements a partition", 1, DVE_ADDR_MASK, &out->elements))
        return 0;
    out->dtype = (uint8_t)dtype;
    return dve_scan_must(s, ']', hint);
}

static void declare_tensor(dve_scan *s, dve_word name)
{
    dve_text_source *source = s->source;
    if (source->tensors == DVE_TENSORS) {
        dve_scan_fail(s, NAMED(name), "", "more than %d tensors", DVE_TENSORS);
        return;
    }
    dve_tensor *out = &source->tensor[source->tensors];
    memset(out, 0, sizeof *out);
    /* Known even if damaged, so that its uses are no errors of their own. */
    if (parse_tensor(s, out) || (*out->name && out->elements))
        source->tensors++;
}

dve_status dve_parse_directive(dve_scan *s)
{
    static const char *const names[] = {".dve", ".gen", ".tensor"};
    char hint[64];
    dve_word name = dve_scan_word(s);
    int status = DVE_OK;
    if (dve_word_is(name, "dve")) {
        parse_version(s, name);
    } else if (dve_word_is(name, "gen")) {
        status = parse_gen(s, name);
    } else if (dve_word_is(name, "tensor")) {
        declare_tensor(s, name);
    } else {
        dve_guess guess = dve_guess_begin(name.text - 1, name.length + 1);
        for (unsigned i = 0; i < 3; i++)
            dve_guess_try(&guess, names[i]);
        dve_scan_fail(s, NAMED(name), dve_scan_hint(&guess, ".dve, .gen and .tensor are known", hint, sizeof hint),
                      "there is no directive .%.*s", (int)(name.length < 60 ? name.length : 60), name.text);
    }
    if (!s->out->errors && !dve_scan_done(s))
        dve_scan_fail(s, s->at, s->length, "a comment begins with # or ;", "more than the directive takes");
    return (dve_status)status;
}
