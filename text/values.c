/* SPDX-License-Identifier: Apache-2.0 */
/* Text of single values: floats, data types, addresses, names. */
#include "emit.h"
#include "text.h"

char *dve_f32_text(uint32_t bits, char out[DVE_F32_TEXT])
{
    dve_emit e = {.out = out, .capacity = DVE_F32_TEXT};
    dve_emit_f32(&e, bits);
    dve_emit_end(&e);
    return out;
}

const char *dve_space_name(dve_space space)
{
    static const char *const names[] = {"sbuf", "psum"};
    return (unsigned)space < 2 ? names[space] : NULL;
}

/* The data types that listings name are those that the vector engine computes with. */
char *dve_dtype_text(uint8_t code, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    const dve_dtype_info *dtype = dve_dtype(code);
    if (dtype && (dtype->bytes == 1 || dtype->bytes == 2 || dtype->bytes == 4) && code <= DVE_DTYPE_FP8_E5M2)
        dve_line_add(&line, "%s", dtype->name);
    else
        dve_line_add(&line, "dtype:0x%02x", code);
    return out;
}

char *dve_addr_text(uint32_t word, uint8_t gen, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    dve_place place;
    dve_line_add(&line, "0x%08x", word);
    if (dve_addr_marker(word))
        dve_line_add(&line, " (marker 0x%02x)", dve_addr_marker(word));
    else if (dve_addr_place(word, gen, &place))
        dve_line_add(&line, " (%s[%u]@0x%x)", dve_space_name(place.space), place.partition, place.offset);
    else
        dve_line_add(&line, " (neither sbuf nor psum)");
    return out;
}

char *dve_opcode_text(uint8_t opcode, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    const dve_opcode_info *info = dve_opcode(opcode);
    if (info)
        dve_line_add(&line, "%s", info->name);
    else
        dve_line_add(&line, "opcode 0x%02x", opcode);
    return out;
}

char *dve_gens_text(const char *gens, char *out, size_t capacity)
{
    dve_line line = dve_line_begin(out, capacity);
    unsigned total = 0, done = 0;
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++)
        total += dve_marked(gens, g) ? 1 : 0;
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++) {
        if (!dve_marked(gens, g))
            continue;
        dve_line_add(&line, "%s%s", done == 0 ? "" : done + 1 == total ? " and " : ", ", dve_generation(g)->name);
        done++;
    }
    if (!total)
        dve_line_add(&line, "no generation");
    return out;
}

/* The next code from `code` on that is (or is not) a member; 256 if there is none. */
static unsigned next_member(const char *set, uint8_t gen, unsigned code, int wanted)
{
    for (; code < 256; code++) {
        const dve_enum_info *member = dve_enum_member(set, (uint8_t)code);
        if ((member && dve_marked(member->gens, gen)) == wanted)
            break;
    }
    return code;
}

char *dve_enum_text(const char *set, uint8_t gen, char *out, size_t capacity)
{
    enum { FEW = 6 };
    dve_line line = dve_line_begin(out, capacity);
    unsigned members = 0;
    for (unsigned c = next_member(set, gen, 0, 1); c < 256; c = next_member(set, gen, c + 1, 1))
        members++;
    for (unsigned c = next_member(set, gen, 0, 1); c < 256;) {
        const char *comma = line.used ? ", " : "";
        if (members <= FEW) {
            dve_line_add(&line, "%s%s (0x%02x)", comma, dve_enum_member(set, (uint8_t)c)->name, c);
            c = next_member(set, gen, c + 1, 1);
            continue;
        }
        unsigned end = next_member(set, gen, c, 0) - 1;
        dve_line_add(&line, end > c ? "%s0x%02x..0x%02x" : "%s0x%02x", comma, c, end);
        c = next_member(set, gen, end + 1, 1);
    }
    return out;
}
