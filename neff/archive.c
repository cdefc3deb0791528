/* SPDX-License-Identifier: Apache-2.0 */
/* A whole tar: its members in order, and by name. */
#include "neff.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, EXTENSION = 1 << 20 };       /* most bytes of a long name or a pax header */

struct dve_archive {
    dve_archive_member *member;
    const dve_archive_member **by_name;
    size_t count, room;
};

/* Where the reading is, and what earlier blocks said of the next member. */
typedef struct reader {
    dve_archive *archive;
    const uint8_t *bytes;
    size_t size, at;
    int has_name, has_pax;
    char name[NEFF_NAME];
    neff_pax pax;
    dve_error *error;
} reader;

static dve_status refuse(const reader *r, const char *what, const char *name)
{
    dve_error_set(r->error, "archive byte %zu: %s%s%.200s%s", r->at, what, *name ? ": \"" : "", name, *name ? "\"" : "");
    return DVE_E_INPUT;
}

static dve_status no_memory(const reader *r)
{
    dve_error_set(r->error, "not enough memory");
    return DVE_E_INTERNAL;
}

/* Names are compared with '/' before all else, so that what is under a name follows it at once. */
static int compare(const char *x, const char *y)
{
    for (; *x && *x == *y; x++)
        y++;
    unsigned a = *x == '/' ? 1 : (uint8_t)*x, b = *y == '/' ? 1 : (uint8_t)*y;
    return a < b ? -1 : a > b;
}

static int by_name(const void *a, const void *b)
{
    return compare((*(const dve_archive_member *const *)a)->name, (*(const dve_archive_member *const *)b)->name);
}

/* ---- members ---- */

static dve_status add(reader *r, const char *name, const neff_block *block, int directory)
{
    static const char wavegraph[] = "wavegraph-bin.json";
    dve_archive *a = r->archive;
    if (a->count == DVE_ARCHIVE_MEMBERS)
        return refuse(r, "more than 65536 members", "");
    if (a->count == a->room) {
        size_t room = a->room ? 2 * a->room : 64;
        dve_archive_member *more = realloc(a->member, room * sizeof *more);
        if (!more)
            return no_memory(r);
        a->member = more;
        a->room = room;
    }
    size_t length = strlen(name), tail = sizeof wavegraph - 1;
    char *copy = malloc(length + 1);
    if (!copy)
        return no_memory(r);
    memcpy(copy, name, length + 1);
    int skipped = !directory && length >= tail && strcmp(name + length - tail, wavegraph) == 0;
    a->member[a->count++] = (dve_archive_member){copy, block->data, (size_t)block->size, (uint8_t)directory, (uint8_t)skipped};
    return DVE_OK;
}

static const char *refused_type(uint8_t type)
{
    switch (type) {
    case '1': return "a hard link, which is not taken";
    case '2': return "a symbolic link, which is not taken";
    case '3': case '4': return "a device, which is not taken";
    case '6': return "a fifo, which is not taken";
    case 'S': return "a sparse member, which is not taken";
    default: return "a member of a type that is not taken";
    }
}

/* The name that holds: a pax header's, a long one, or the header's own. */
static const char *settle_name(reader *r, const neff_block *block)
{
    const char *wrong = NULL;
    if (r->has_name && r->pax.path)
        return "a member with both a long name and a pax name";
    if (r->pax.path) {
        if (r->pax.path_length >= NEFF_NAME || memchr(r->pax.path, 0, r->pax.path_length))
            return "a name of more than 4095 bytes or with a zero byte";
        memcpy(r->name, r->pax.path, r->pax.path_length);
        r->name[r->pax.path_length] = '\0';
    } else if (!r->has_name) {
        wrong = dve_neff_block_name(block, r->name);
    }
    return wrong;
}

static dve_status take_member(reader *r, neff_block *block)
{
    int directory = block->type == '5';
    char *name = r->name;
    const char *wrong = settle_name(r, block);
    if (wrong)
        return refuse(r, wrong, "");
    if (block->type != '0' && block->type != '\0' && !directory)
        return refuse(r, refused_type(block->type), name);
    if (directory && block->size)
        return refuse(r, "a directory with data", name);
    wrong = dve_neff_name_judge(&name, directory);
    if (wrong)
        return refuse(r, wrong, name);
    r->has_name = r->has_pax = 0;
    memset(&r->pax, 0, sizeof r->pax);
    return *name ? add(r, name, block, directory) : DVE_OK;              /* "./" itself is the folder */
}

/* ---- blocks ---- */

static dve_status take_long_name(reader *r, const neff_block *block)
{
    const uint8_t *end = memchr(block->data, 0, (size_t)block->size);
    size_t length = end ? (size_t)(end - block->data) : (size_t)block->size;
    if (block->type == 'K')
        return DVE_OK;                           /* the target of a link, which will be refused */
    if (r->has_name || !length || length >= NEFF_NAME)
        return refuse(r, "a long name that is empty, repeated, or of more than 4095 bytes", "");
    memcpy(r->name, block->data, length);
    r->name[length] = '\0';
    r->has_name = 1;
    return DVE_OK;
}

static dve_status take_block(reader *r, neff_block *block)
{
    const char *wrong;
    if (block->type != 'L' && block->type != 'K' && block->type != 'x' && block->type != 'g')
        return take_member(r, block);
    if (block->size > EXTENSION)
        return refuse(r, "an extended header of more than 1 MiB", "");
    if (block->type == 'L' || block->type == 'K')
        return take_long_name(r, block);
    if (block->type == 'x' && r->has_pax)
        return refuse(r, "two pax headers for one member", "");
    r->has_pax |= block->type == 'x';
    neff_pax ignored = {0};
    wrong = dve_neff_pax_read(block->data, (size_t)block->size, block->type == 'g', block->type == 'g' ? &ignored : &r->pax);
    return wrong ? refuse(r, wrong, "") : DVE_OK;
}

/* Two zero blocks end a tar, and nothing but zeros may follow. */
static dve_status take_end(reader *r)
{
    if (r->size - r->at < 2 * BLOCK || !dve_neff_zero(r->bytes + r->at, 2 * BLOCK))
        return refuse(r, "the tar does not end with two zero blocks", "");
    if (r->has_name || r->has_pax)
        return refuse(r, "the tar ends behind an extended header, without its member", "");
    for (r->at += 2 * BLOCK; r->at < r->size; r->at++)
        if (r->bytes[r->at])
            return refuse(r, "data follows the tar's two zero blocks", "");
    return DVE_OK;
}

static dve_status read_members(reader *r)
{
    for (;;) {
        neff_block block;
        if (r->size - r->at < BLOCK)
            return refuse(r, "the tar ends without its two zero blocks", "");
        if (dve_neff_zero(r->bytes + r->at, BLOCK))
            return take_end(r);
        const char *wrong = dve_neff_block_read(r->bytes + r->at, &block);
        if (wrong)
            return refuse(r, wrong, "");
        if (r->pax.has_size && (block.type == '0' || block.type == '\0'))
            block.size = r->pax.size;
        size_t left = r->size - r->at - BLOCK;
        if (block.size > left || (BLOCK - block.size % BLOCK) % BLOCK > left - block.size)
            return refuse(r, "a member is longer than what is left of the tar", "");
        dve_status status = take_block(r, &block);
        if (status)
            return status;
        r->at += BLOCK + (size_t)((block.size + BLOCK - 1) / BLOCK * BLOCK);
    }
}

static dve_status sort_names(reader *r)
{
    dve_archive *a = r->archive;
    a->by_name = malloc((a->count ? a->count : 1) * sizeof *a->by_name);
    if (!a->by_name)
        return no_memory(r);
    for (size_t i = 0; i < a->count; i++)
        a->by_name[i] = &a->member[i];
    qsort(a->by_name, a->count, sizeof *a->by_name, by_name);
    for (size_t i = 1; i < a->count; i++) {
        const dve_archive_member *one = a->by_name[i - 1], *next = a->by_name[i];
        size_t length = strlen(one->name);
        if (strcmp(one->name, next->name) == 0)
            return refuse(r, "two members of one name", next->name);
        if (!one->directory && strncmp(one->name, next->name, length) == 0 && next->name[length] == '/')
            return refuse(r, "a member under a name that is a file", next->name);
    }
    return DVE_OK;
}

dve_status dve_archive_open(const uint8_t *tar, size_t size, dve_archive **out, dve_error *error)
{
    *out = NULL;
    reader *r = calloc(1, sizeof *r);
    dve_archive *archive = r ? calloc(1, sizeof *archive) : NULL;
    if (!archive) {
        free(r);
        dve_error_set(error, "not enough memory");
        return DVE_E_INTERNAL;
    }
    r->archive = archive;
    r->bytes = tar;
    r->size = size;
    r->error = error;
    dve_status status = read_members(r);
    if (!status)
        status = sort_names(r);
    free(r);
    if (status)
        dve_archive_close(archive);
    else
        *out = archive;
    return status;
}

void dve_archive_close(dve_archive *archive)
{
    if (!archive)
        return;
    for (size_t i = 0; i < archive->count; i++)
        free((void *)(uintptr_t)archive->member[i].name);
    free(archive->member);
    free(archive->by_name);
    free(archive);
}

const dve_archive_member *dve_archive_members(const dve_archive *archive, size_t *count)
{
    *count = archive->count;
    return archive->member;
}

const dve_archive_member *dve_archive_find(const dve_archive *archive, const char *name)
{
    size_t low = 0, high = archive->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(archive->by_name[middle]->name, name);
        if (order == 0)
            return archive->by_name[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
