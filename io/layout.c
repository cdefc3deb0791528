/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts and constants of the interface as tables, from the rows of layout.def; the compiler says all the rest. */
#include <opendve/opendve.h>

/* An enum is compatible with one of the integers. */
#define KIND(value)                                                                                                    \
    _Generic((value), uint8_t: DVE_LAYOUT_UNSIGNED, uint16_t: DVE_LAYOUT_UNSIGNED, uint32_t: DVE_LAYOUT_UNSIGNED,       \
             uint64_t: DVE_LAYOUT_UNSIGNED, int8_t: DVE_LAYOUT_SIGNED, int16_t: DVE_LAYOUT_SIGNED,                      \
             int32_t: DVE_LAYOUT_SIGNED, int64_t: DVE_LAYOUT_SIGNED, float: DVE_LAYOUT_FLOAT, double: DVE_LAYOUT_FLOAT)
#define PLACE(structure, member) ((structure *)0)->member
#define ROW(structure, member, of, kind, elements)                                                                     \
    {#structure, #member, #of, (uint32_t)(kind), (uint32_t)offsetof(structure, member),                                \
     (uint32_t)(sizeof(PLACE(structure, member)) / (elements)), (uint32_t)(elements)},
#define ELEMENTS(structure, member) (sizeof(PLACE(structure, member)) / sizeof(PLACE(structure, member)[0]))

static const dve_layout layouts[] = {
#define STRUCTURE(structure) {#structure, "", "", DVE_LAYOUT_STRUCTURE, 0, (uint32_t)sizeof(structure), 1},
#define VALUE(structure, member) ROW(structure, member, , KIND(PLACE(structure, member)), 1)
#define VALUES(structure, member) \
    ROW(structure, member, , KIND(PLACE(structure, member)[0]), ELEMENTS(structure, member))
#define TEXT(structure, member) ROW(structure, member, , DVE_LAYOUT_TEXT, sizeof(PLACE(structure, member)))
#define POINTER(structure, member, of) ROW(structure, member, of, DVE_LAYOUT_POINTER, 1)
#define MEMBER(structure, member, of) ROW(structure, member, of, DVE_LAYOUT_MEMBER, 1)
#define MEMBERS(structure, member, of) ROW(structure, member, of, DVE_LAYOUT_MEMBER, ELEMENTS(structure, member))
#include "layout.def"
};

static const dve_constant constants[] = {
#define CONSTANT(name) {#name, name},
#include "layout.def"
};

const dve_layout *dve_layouts(size_t *count)
{
    *count = sizeof layouts / sizeof layouts[0];
    return layouts;
}

const dve_constant *dve_constants(size_t *count)
{
    *count = sizeof constants / sizeof constants[0];
    return constants;
}
