/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"
#include <inttypes.h>
#include <string.h>

/* A position in the text, and what is wrong with it once something is. */
typedef struct cursor {
    const char *option, *text, *at;
} cursor;

static dve_status malformed(const cursor *c)
{
    int get = strcmp(c->option, "get") == 0;
    return cli_fail(DVE_E_USAGE, "option --%s: \"%.200s\" was given, allowed is %s, for example %s", c->option, c->text,
                    get ? "SPACE[P:C]@OFF:D:N=F.npy" : "SPACE[P]@OFF:D=F.npy",
                    get ? "'sbuf[0:128]@0x1000:fp32:8=top.npy'" : "'sbuf[0]@0=scores.npy'");
}

static int accept(cursor *c, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(c->at, word, length) != 0)
        return 0;
    c->at += length;
    return 1;
}

static dve_status number(cursor *c, const char *what, uint64_t low, uint64_t high, uint64_t *out)
{
    char word[32], name[64];
    size_t length = strspn(c->at, "0123456789abcdefABCDEFxX");
    if (!length || length >= sizeof word)
        return malformed(c);
    memcpy(word, c->at, length);
    word[length] = '\0';
    c->at += length;
    snprintf(name, sizeof name, "option --%s, %s", c->option, what);
    return cli_parse_number(name, word, low, high, out);
}

static dve_status space_and_partitions(cursor *c, cli_place *out)
{
    uint64_t first, count = 1;
    if (accept(c, "sbuf"))
        out->place.space = DVE_SPACE_SBUF;
    else if (accept(c, "psum"))
        out->place.space = DVE_SPACE_PSUM;
    else
        return malformed(c);
    int bracket = accept(c, "[");
    if (!bracket && !accept(c, "."))
        return malformed(c);
    dve_status status = number(c, "first partition", 0, DVE_LANES - 1, &first);
    if (!status && accept(c, ":"))
        status = strcmp(c->option, "get") ? malformed(c)
                                          : number(c, "number of partitions", 1, DVE_LANES, &count);
    if (status)
        return status;
    out->place.partition = (uint32_t)first;
    out->partitions = (uint32_t)count;
    return bracket && !accept(c, "]") ? malformed(c) : DVE_OK;
}

/* Data types that memory holds plainly: the names of the array contract. */
static dve_status dtype(cursor *c, cli_place *out)
{
    char word[32];
    size_t length = strcspn(c->at, ":=");
    if (length >= sizeof word)
        return malformed(c);
    memcpy(word, c->at, length);
    word[length] = '\0';
    c->at += length;
    const dve_dtype_info *info = dve_dtype_by_name(word);
    if (!info || !dve_num_size(info->code))
        return cli_fail(DVE_E_USAGE,
                        "option --%s: data type \"%s\" was given, allowed are fp32 fp32r fp16 bf16 fp8_e3m4 fp8_e4m3 "
                        "fp8_e5m2 int8 uint8 int16 uint16 int32 uint32",
                        c->option, word);
    out->dtype = info->code;
    return DVE_OK;
}

dve_status cli_place_parse(const char *option, const char *text, cli_place *out)
{
    cursor c = {.option = option, .text = text, .at = text};
    int get = strcmp(option, "get") == 0;
    uint64_t offset = 0;
    memset(out, 0, sizeof *out);
    out->option = option;
    out->text = text;
    dve_status status = space_and_partitions(&c, out);
    if (!status)
        status = accept(&c, "@") ? number(&c, "byte offset", 0, UINT32_MAX, &offset) : malformed(&c);
    if (!status && (get || *c.at == ':'))
        status = accept(&c, ":") ? dtype(&c, out) : malformed(&c);
    if (!status && get)
        status = accept(&c, ":") ? number(&c, "number of elements", 1, UINT32_MAX, &out->elements) : malformed(&c);
    if (status)
        return status;
    if (!accept(&c, "=") || !*c.at)
        return malformed(&c);
    out->place.offset = (uint32_t)offset;
    out->path = c.at;
    return DVE_OK;
}

dve_status cli_place_inside(const char *option, const cli_place *place, uint64_t partitions, uint64_t bytes,
                            uint8_t gen)
{
    const dve_generation_info *g = dve_generation(dve_generation(gen)->runs_as);
    uint32_t active = place->place.space == DVE_SPACE_PSUM ? g->psum_active : g->sbuf_active;
    const char *space = dve_space_name(place->place.space);
    if (partitions > DVE_LANES - place->place.partition)
        return cli_fail(DVE_E_USAGE,
                        "option --%s: %.200s: %" PRIu64 " partitions from %u on, allowed are %u: %s has partitions "
                        "0..%d", option, place->text, partitions, place->place.partition, DVE_LANES - place->place.partition,
                        space, DVE_LANES - 1);
    if (place->place.offset > active || bytes > active - place->place.offset)
        return cli_fail(DVE_E_USAGE,
                        "option --%s: %.200s: %" PRIu64 " bytes from byte %u on lie outside the partition, allowed are "
                        "bytes 0..%u of %s on %s",
                        option, place->text, bytes, place->place.offset, active - 1, space, dve_generation(gen)->name);
    return DVE_OK;
}
