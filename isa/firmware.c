/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed of the firmware's tables: the rows of kernels, armed, dispatch and tokens, and look-ups in them. */
#include <opendve/isa.h>
#include <string.h>

#define CONF(letter) (#letter)[0]
#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

enum { FIRST_CONTROL = 0xa0, LAST_CONTROL = 0xb2 };      /* 13 of these are armed, and no source says which */

static const dve_kernel_info kernels[] = {
#define KERNEL(gens, opcode, spec, images, source, conf) \
    {gens, DVE_OPCODE_##opcode, spec, images, source, CONF(conf)},
#include <opendve/isa/kernels.def>
#undef KERNEL
};

static const dve_armed_info armed[] = {
#define ARMED(gens, opcode, high, mask, slot, source, conf) \
    {gens, DVE_OPCODE_##opcode, slot, (high) << 8 | DVE_OPCODE_##opcode, mask, source, CONF(conf)},
#include <opendve/isa/armed.def>
};

static const dve_cam_info cams[] = {
#define CAM(gen, engine, armed, digest, source, conf) {gen, armed, engine, digest, source, CONF(conf)},
#include <opendve/isa/armed.def>
};

static const dve_dispatch_info dispatch[] = {
#define DISPATCH(gen, image, engine, offset, count, bias, normal, targets, source, conf) \
    {gen, bias, count, targets, offset, normal, image, engine, source, CONF(conf)},
#include <opendve/isa/dispatch.def>
};

static const dve_dispatch_target_info targets[] = {
#define DISPATCH_TARGET(gen, opcode, target, callee, source, conf) \
    {gen, DVE_OPCODE_##opcode, target, callee, source, CONF(conf)},
#include <opendve/isa/dispatch.def>
};

static const dve_dispatch_place_info places[] = {
#define DISPATCH_PLACE(gen, image, what, address, source, conf) {gen, address, image, what, source, CONF(conf)},
#include <opendve/isa/dispatch.def>
};

static const dve_token_info tokens[] = {
#define TOKEN_COPIES(name, copies, engine, source, conf) {name, copies, engine, source, CONF(conf)},
#include <opendve/isa/tokens.def>
#undef TOKEN_COPIES
};

const dve_kernel_info *dve_isa_kernels(size_t *count)
{
    *count = ROWS(kernels);
    return kernels;
}

const dve_armed_info *dve_isa_armed(size_t *count)
{
    *count = ROWS(armed);
    return armed;
}

const dve_dispatch_info *dve_isa_dispatch(size_t *count)
{
    *count = ROWS(dispatch);
    return dispatch;
}

const dve_dispatch_target_info *dve_isa_dispatch_targets(size_t *count)
{
    *count = ROWS(targets);
    return targets;
}

const dve_dispatch_place_info *dve_isa_dispatch_places(size_t *count)
{
    *count = ROWS(places);
    return places;
}

const dve_cam_info *dve_isa_cams(size_t *count)
{
    *count = ROWS(cams);
    return cams;
}

const dve_token_info *dve_isa_tokens(size_t *count)
{
    *count = ROWS(tokens);
    return tokens;
}

int dve_opcode_pool_kernel(uint8_t value, uint8_t gen)
{
    for (size_t i = 0; i < ROWS(kernels); i++)
        if (kernels[i].opcode == value && dve_marked(kernels[i].gens, gen))
            return 1;
    return 0;
}

dve_armed dve_opcode_armed(uint8_t value, uint8_t gen)
{
    for (size_t i = 0; i < ROWS(armed); i++)
        if (armed[i].opcode == value && dve_marked(armed[i].gens, gen))
            return DVE_ARMED_YES;
    int whole = (gen == 4 || gen == 5) && (value < FIRST_CONTROL || value > LAST_CONTROL);
    return whole ? DVE_ARMED_NO : DVE_ARMED_UNKNOWN;
}

const dve_dispatch_info *dve_dispatch(uint8_t gen)
{
    for (size_t i = 0; i < ROWS(dispatch); i++)
        if (dispatch[i].gen == gen && strcmp(dispatch[i].engine, "DVE") == 0)
            return &dispatch[i];
    return NULL;
}

const dve_cam_info *dve_cam_known(const char *sha256)
{
    for (size_t i = 0; i < ROWS(cams); i++) {
        size_t digits = strlen(cams[i].sha256);
        if (digits && strlen(sha256) >= digits && memcmp(sha256, cams[i].sha256, digits) == 0)
            return &cams[i];
    }
    return NULL;
}

/* A row that names the token beats those for any. */
const char *dve_token_engine(const char *name, size_t length, uint64_t copies)
{
    for (size_t i = 0; i < ROWS(tokens); i++) {
        if (tokens[i].name[0] && (strlen(tokens[i].name) != length || memcmp(tokens[i].name, name, length) != 0))
            continue;
        if (tokens[i].copies == copies)
            return tokens[i].engine;
    }
    return NULL;
}
