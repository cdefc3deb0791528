/* SPDX-License-Identifier: Apache-2.0 */
/* renameat2 is Linux's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "tree.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC, NUMBER = 24, ATTEMPTS = 100, NAME_MOST = 4096 };

typedef struct staged {
    char *name;
    int placed;
    size_t made;                 /* folders of the name, counted from its first, that did not exist before: see made_from */
    size_t made_from;
} staged;

struct dve_tree {
    char *folder;
    char **created;              /* folders on the way that did not exist, outer first */
    unsigned creations;
    int root, stage;             /* -1: not open */
    char stage_name[64];
    staged *file;
    size_t room;
    _Atomic size_t files;        /* names in the stage are 0 .. files - 1 */
    int committed, kept, slot;
};

/* ---- names below the folder; a signal handler comes here too ---- */

/* Goes into the folders of a name, never over a link. Answers an open folder, and in *base the last part; -1 with errno.
 * With `make`, folders that are missing are made: `made` counts them. */
static int enter(const dve_tree *t, const char *name, const char **base, int make, size_t *made_from, size_t *made)
{
    char part[NAME_MOST];
    int folder = fcntl(t->root, F_DUPFD_CLOEXEC, 0);
    size_t depth = 0;
    for (const char *slash; folder >= 0 && (slash = strchr(name, '/')) != NULL; name = slash + 1, depth++) {
        size_t length = (size_t)(slash - name);
        if (length >= sizeof part) {
            (void)close(folder);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        int next = openat(folder, part, FOLDER | O_NOFOLLOW);
        if (next < 0 && errno == ENOENT && make && mkdirat(folder, part, 0777) == 0) {
            if (!(*made)++)
                *made_from = depth;
            next = openat(folder, part, FOLDER | O_NOFOLLOW);
        }
        int reason = errno;
        (void)close(folder);
        errno = reason;
        folder = next;
    }
    *base = name;
    return folder;
}

/* ---- what a signal handler may look at ---- */

static _Atomic(dve_tree *) open_trees[DVE_TREES];

/* Decimal, without anything that a handler may not call. */
static const char *number(size_t value, char text[NUMBER])
{
    char *at = text + NUMBER - 1;
    *at = '\0';
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    return at;
}

static void remove_stage(const dve_tree *t)
{
    char text[NUMBER];
    if (t->stage < 0)
        return;
    for (size_t i = 0, n = atomic_load(&t->files); i < n; i++)
        (void)unlinkat(t->stage, number(i, text), 0);
    (void)unlinkat(t->root, t->stage_name, AT_REMOVEDIR);
}

static void remove_created(const dve_tree *t)
{
    for (unsigned i = t->creations; i-- > 0;)
        (void)rmdir(t->created[i]);
}

/* Removes the folders that were made for a name, inner first. */
static void unmake(const dve_tree *t, const staged *s)
{
    const char *base;
    char path[NAME_MOST];
    for (size_t depth = s->made_from + s->made; depth-- > s->made_from;) {
        const char *end = s->name;
        for (size_t i = 0; i <= depth; i++)
            end = strchr(i ? end + 1 : end, '/');
        size_t length = (size_t)(end - s->name);
        if (length >= sizeof path)
            continue;
        memcpy(path, s->name, length);
        path[length] = '\0';
        int folder = enter(t, path, &base, 0, NULL, NULL);
        if (folder >= 0) {
            (void)unlinkat(folder, base, AT_REMOVEDIR);
            (void)close(folder);
        }
    }
}

static void take_back(dve_tree *t)
{
    const char *base;
    for (size_t i = atomic_load(&t->files); i-- > 0;) {
        staged *s = &t->file[i];
        int folder = s->placed ? enter(t, s->name, &base, 0, NULL, NULL) : -1;
        if (folder >= 0) {
            (void)unlinkat(folder, base, 0);
            (void)close(folder);
        }
        s->placed = 0;
        unmake(t, s);
        s->made = 0;
    }
    t->committed = 0;
}

/* All that is not kept. */
static void drop(dve_tree *t)
{
    if (t->committed && !t->kept)
        take_back(t);
    remove_stage(t);
    if (!t->committed)
        remove_created(t);
}

void dve_tree_unlink_temporaries(void)
{
    int saved = errno;
    for (int i = DVE_TREES; i-- > 0;) {          /* a later one may lie in a folder that an earlier one made */
        dve_tree *t = atomic_load(&open_trees[i]);
        if (t)
            drop(t);
    }
    errno = saved;
}

/* ---- opening ---- */

static dve_status fail(const dve_tree *t, const char *name, const char *reason, dve_error *error)
{
    dve_error_set(error, "%.150s%s%.200s: cannot write: %s", t->folder, *name ? "/" : "", name, reason);
    return DVE_E_OUTPUT;
}

static char *copy(const char *text, size_t length)
{
    char *out = malloc(length + 1);
    if (out) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
    return out;
}

/* mkdir -p, which remembers what it made. */
static int create_folders(dve_tree *t)
{
    size_t length = strlen(t->folder);
    t->created = calloc(length + 1, sizeof *t->created);
    for (size_t i = 1; t->created && i <= length; i++) {
        if (i < length && t->folder[i] != '/')
            continue;
        char *path = copy(t->folder, i);
        if (!path)
            return 0;
        if (mkdir(path, 0777) == 0) {
            t->created[t->creations++] = path;
            continue;
        }
        int reason = errno;
        free(path);
        errno = reason;
        if (reason != EEXIST)
            return 0;
    }
    return t->created != NULL;
}

static int open_stage(dve_tree *t)
{
    static unsigned serial;
    for (int i = 0; i < ATTEMPTS; i++) {
        snprintf(t->stage_name, sizeof t->stage_name, ".opendve-%ld-%u.tmp", (long)getpid(), serial++);
        if (mkdirat(t->root, t->stage_name, 0700) == 0) {
            t->stage = openat(t->root, t->stage_name, FOLDER | O_NOFOLLOW);
            int reason = errno;
            if (t->stage < 0)
                (void)unlinkat(t->root, t->stage_name, AT_REMOVEDIR);
            errno = reason;
            return t->stage >= 0;
        }
        if (errno != EEXIST)
            return 0;
    }
    return 0;
}

static dve_status open_all(dve_tree *t, dve_error *error)
{
    sigset_t old;
    while (t->slot < DVE_TREES && atomic_load(&open_trees[t->slot]))
        t->slot++;
    if (t->slot == DVE_TREES)
        return fail(t, "", "too many folders at a time", error);
    dve_hold_signals(&old);
    t->root = open(t->folder, FOLDER);
    if (t->root < 0 && errno == ENOENT && create_folders(t))
        t->root = open(t->folder, FOLDER);
    int good = t->root >= 0 && open_stage(t);
    int reason = errno;
    atomic_store(&open_trees[t->slot], t);
    dve_release_signals(&old);
    return good ? DVE_OK : fail(t, "", strerror(reason), error);
}

dve_status dve_tree_open(const char *folder, dve_tree **out, dve_error *error)
{
    dve_tree *t = calloc(1, sizeof *t);
    *out = NULL;
    if (t) {
        t->root = t->stage = -1;
        t->folder = copy(folder, strlen(folder));
    }
    if (!t || !t->folder) {
        free(t);
        dve_error_set(error, "not enough memory");
        return DVE_E_INTERNAL;
    }
    dve_status status = open_all(t, error);
    if (status)
        dve_tree_free(t);
    else
        *out = t;
    return status;
}

/* ---- staging ---- */

/* Whether the name is free: its folders are folders or missing, itself it is missing. */
static dve_status expect_free(const dve_tree *t, const char *name, dve_error *error)
{
    const char *base;
    struct stat info;
    int folder = enter(t, name, &base, 0, NULL, NULL);
    if (folder < 0 && errno == ENOENT)
        return DVE_OK;
    if (folder < 0)
        return fail(t, name, errno == ENOTDIR || errno == ELOOP ? "a link or a file is where a folder should be" : strerror(errno),
                    error);
    int there = fstatat(folder, base, &info, AT_SYMLINK_NOFOLLOW) == 0, reason = errno;
    (void)close(folder);
    if (there)
        return fail(t, name, "it exists", error);
    return reason == ENOENT ? DVE_OK : fail(t, name, strerror(reason), error);
}

static dve_status write_staged(const dve_tree *t, size_t index, const uint8_t *bytes, size_t size, dve_error *error)
{
    char text[NUMBER];
    const char *name = t->file[index].name;
    int fd = openat(t->stage, number(index, text), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return fail(t, name, strerror(errno), error);
    while (size) {
        ssize_t n = write(fd, bytes, size < 1u << 30 ? size : 1u << 30);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        bytes += n;
        size -= (size_t)n;
    }
    int reason = size ? errno : 0;
    if (close(fd) && errno != EINTR && !reason)
        reason = errno;
    return reason ? fail(t, name, strerror(reason), error) : DVE_OK;
}

dve_status dve_tree_add(dve_tree *t, const char *name, const void *bytes, size_t size, dve_error *error)
{
    size_t index = atomic_load(&t->files);
    dve_status status = expect_free(t, name, error);
    if (status)
        return status;
    if (index == t->room) {
        size_t room = t->room ? 2 * t->room : 64;
        staged *more = realloc(t->file, room * sizeof *more);
        if (!more)
            return fail(t, name, strerror(ENOMEM), error);
        t->file = more;
        t->room = room;
    }
    t->file[index] = (staged){.name = copy(name, strlen(name))};
    if (!t->file[index].name)
        return fail(t, name, strerror(ENOMEM), error);
    atomic_store(&t->files, index + 1);          /* before it exists, so that a handler finds it */
    return write_staged(t, index, bytes, size, error);
}

/* ---- commit, with signals held ---- */

static int place(const dve_tree *t, size_t index, int folder, const char *base)
{
    char text[NUMBER];
    const char *from = number(index, text);
    if (renameat2(t->stage, from, folder, base, RENAME_NOREPLACE) == 0)
        return 1;
    /* Where the file system knows no such rename, a link serves: it does not replace either. */
    if (errno != EINVAL && errno != ENOSYS)
        return 0;
    return linkat(t->stage, from, folder, base, 0) == 0;
}

static dve_status place_all(dve_tree *t, dve_error *error)
{
    for (size_t i = 0, n = atomic_load(&t->files); i < n; i++) {
        staged *s = &t->file[i];
        const char *base;
        int folder = enter(t, s->name, &base, 1, &s->made_from, &s->made);
        s->placed = folder >= 0 && place(t, i, folder, base);
        int reason = errno;
        if (folder >= 0)
            (void)close(folder);
        if (!s->placed)
            return fail(t, s->name, reason == EEXIST ? "it exists" : strerror(reason), error);
    }
    return DVE_OK;
}

dve_status dve_tree_commit(dve_tree *const *trees, unsigned count, dve_error *error)
{
    sigset_t old;
    dve_status status = DVE_OK;
    dve_hold_signals(&old);
    for (unsigned i = 0; i < count && !status; i++) {
        status = place_all(trees[i], error);
        trees[i]->committed = 1;
    }
    for (unsigned i = count; status && i-- > 0;)
        take_back(trees[i]);
    for (unsigned i = 0; i < count; i++) {
        remove_stage(trees[i]);
        if (trees[i]->stage >= 0)
            (void)close(trees[i]->stage);
        trees[i]->stage = -1;
    }
    dve_release_signals(&old);
    return status;
}

void dve_tree_keep(dve_tree *const *trees, unsigned count)
{
    sigset_t old;
    dve_hold_signals(&old);
    for (unsigned i = 0; i < count; i++)
        trees[i]->kept = trees[i]->committed;
    dve_release_signals(&old);
}

void dve_tree_free(dve_tree *t)
{
    sigset_t old;
    if (!t)
        return;
    dve_hold_signals(&old);
    drop(t);
    if (t->slot < DVE_TREES)
        atomic_store(&open_trees[t->slot], NULL);
    dve_release_signals(&old);
    if (t->stage >= 0)
        (void)close(t->stage);
    if (t->root >= 0)
        (void)close(t->root);
    for (size_t i = 0, n = atomic_load(&t->files); i < n; i++)
        free(t->file[i].name);
    for (unsigned i = 0; i < t->creations; i++)
        free(t->created[i]);
    free(t->created);
    free(t->file);
    free(t->folder);
    free(t);
}
