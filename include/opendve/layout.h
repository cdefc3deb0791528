/* SPDX-License-Identifier: Apache-2.0 */
/* Where the members of this interface's structures lie, and what its constants are, for bindings of other languages:
 * they read it from the library that they found, and need no compiler and no second list.
 *
 * Rows of a structure stand together: first its own, then its members as they stand in its header. Members of a
 * union have the same offset. Rows are constant. */
#ifndef OPENDVE_LAYOUT_H
#define OPENDVE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dve_layout_kind {
    DVE_LAYOUT_STRUCTURE,        /* the structure itself: no member, offset 0, its whole size */
    DVE_LAYOUT_UNSIGNED,         /* integers; enums are one of the two */
    DVE_LAYOUT_SIGNED,
    DVE_LAYOUT_FLOAT,
    DVE_LAYOUT_TEXT,             /* bytes of text that a zero byte ends; `count` of them */
    DVE_LAYOUT_POINTER,          /* to `of`: a structure, "char" (text), or "" (anything else, functions too) */
    DVE_LAYOUT_MEMBER            /* a structure, `of` says which */
} dve_layout_kind;

typedef struct dve_layout {
    const char *structure;       /* "dve_place" */
    const char *member;          /* "partition"; "" in a structure's own row */
    const char *of;              /* see the kinds; else "" */
    uint32_t kind;               /* dve_layout_kind */
    uint32_t offset;             /* bytes from the start of the structure */
    uint32_t size;               /* bytes of one element */
    uint32_t count;              /* elements of an array, 1 for what is none */
} dve_layout;

typedef struct dve_constant {
    const char *name;            /* "DVE_OPERAND_data" */
    int64_t value;
} dve_constant;

/* Whole tables; *count receives the number of rows. */
const dve_layout *dve_layouts(size_t *count);
const dve_constant *dve_constants(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
