/* SPDX-License-Identifier: Apache-2.0 */
/* What the text of a plan consists of: one table for reading and writing. */
#ifndef DVE_CLI_PLAN_PARTS_H
#define DVE_CLI_PLAN_PARTS_H

#include "cli.h"
#include <stddef.h>

typedef enum plan_kind { PLAN_U32, PLAN_U64, PLAN_FROM, PLAN_DTYPE, PLAN_OUTPUT, PLAN_PLACE } plan_kind;

typedef struct plan_member {
    unsigned actions;            /* bit a: steps of action a have it */
    const char *name;
    plan_kind kind;
    size_t offset;               /* in dve_plan_step */
} plan_member;

#define A(action) (1u << DVE_PLAN_##action)
#define MEMBER(actions, name, kind, field) {actions, name, PLAN_##kind, offsetof(dve_plan_step, field)}
/* In the order in which they are written. */
static const plan_member plan_members[] = {
    MEMBER(A(PUT), "from", FROM, buffer),
    MEMBER(A(RUN), "first", U64, first),
    MEMBER(A(RUN), "count", U64, count),
    MEMBER(A(GET) | A(ADD) | A(LOOKUP) | A(CUT), "buffer", U32, buffer),
    MEMBER(A(LOOKUP), "through", U32, through),
    MEMBER(A(CUT), "to", OUTPUT, output),
    MEMBER(A(PUT) | A(CUT), "row", U64, row),
    MEMBER(A(PUT) | A(GET) | A(ADD) | A(LOOKUP) | A(CUT), "rows", U32, rows),
    MEMBER(A(PUT) | A(CUT), "column", U64, column),
    MEMBER(A(GET) | A(ADD) | A(LOOKUP), "at", U64, column),
    MEMBER(A(PUT) | A(GET) | A(ADD) | A(LOOKUP) | A(CUT), "columns", U64, columns),
    MEMBER(A(PUT), "padding", U32, padding),
    MEMBER(A(PUT) | A(GET), "place", PLACE, place),
    MEMBER(A(GET), "dtype", DTYPE, dtype),
    MEMBER(A(ADD), "base", U32, base),
    MEMBER(A(ADD), "limit", U32, limit),
};
#undef A
#undef MEMBER

enum { PLAN_MEMBERS = sizeof plan_members / sizeof plan_members[0] };

/* What a plan's text says; `steps` is the caller's to free. */
typedef struct plan_text {
    const char *file;            /* for messages */
    dve_topk_options options;
    dve_plan_step *steps;
    size_t count;
} plan_text;

/* Takes every member of the document, DVE_E_INPUT with a message that holds the JSON path. */
dve_status cli_plan_parse(json_object *root, plan_text *out);

static const char *const plan_actions[DVE_PLAN_ACTIONS] = {"put", "run", "get", "add", "lookup", "cut"};
static const char *const plan_outputs[2] = {"values", "indices"};
static const char *const plan_methods[2] = {"find", "replace-indices"};

#endif
