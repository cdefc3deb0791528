/* SPDX-License-Identifier: Apache-2.0 */
/* realpath is in the XSI part of POSIX.1-2008, renameat2 is Linux's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "outfile.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 256, NO_SLOT = -1, FILE_BUFFER = 1 << 16, MAX_WRITE = 1 << 30, MAX_LINKS = 40 };

/* ---- the list of temporaries that a signal handler may walk ---- */

enum { SLOT_FREE, SLOT_OWNED, SLOT_LIVE, SLOT_REMOVING };

/*
 * path belongs to whoever moved the state away from LIVE or FREE, so it is never freed under a handler's hands.
 * Lock-free atomics are the only ones that a handler may touch.
 */
static struct slot {
    atomic_int state;
    const char *path;
} slots[SLOTS];

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler needs lock-free atomics");

/* A full table costs only the clean-up after a signal, so it is no error. */
static int slot_add(const char *path)
{
    for (int i = 0; i < SLOTS; i++) {
        int expected = SLOT_FREE;
        if (!atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_OWNED))
            continue;
        slots[i].path = path;
        atomic_store(&slots[i].state, SLOT_LIVE);
        return i;
    }
    return NO_SLOT;
}

static void slot_remove(int i)
{
    int expected = SLOT_LIVE;
    if (i == NO_SLOT)
        return;
    /* A handler that is at this slot runs on another thread, and an unlink away from letting go. */
    while (!atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_OWNED))
        expected = SLOT_LIVE;
    slots[i].path = NULL;
    atomic_store(&slots[i].state, SLOT_FREE);
}

void dve_outset_unlink_temporaries(void)
{
    int saved = errno;
    for (int i = 0; i < SLOTS; i++) {
        int expected = SLOT_LIVE;
        if (!atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_REMOVING))
            continue;
        (void)unlink(slots[i].path);
        atomic_store(&slots[i].state, SLOT_LIVE);
    }
    errno = saved;
}

/* ---- one output ---- */

typedef struct output {
    char *name;      /* for messages: the path as given, or "stdout" */
    char *target;    /* what is renamed to, or opened at commit; NULL for stdout */
    char *temporary; /* NULL: kept in memory and written at commit */
    int fd, slot;
    bool is_stdout, exists;
    bool exchanged;     /* the temporary holds what the file held before */
    struct stat info;   /* of the file itself, if it exists */
    struct stat parent; /* of its directory, if it does not */
    uint8_t *buffer;
    size_t used, cap;
} output;

/* A file that no output may replace. */
typedef struct input {
    struct input *next;
    dev_t device;
    ino_t inode;
    char *what;
} input;

struct dve_outset {
    unsigned count;
    bool failed;
    input *inputs;
    output outputs[DVE_OUTSET_MAX];
};

static dve_status fail(const char *name, const char *what, const char *reason, dve_error *err)
{
    dve_error_set(err, "%.200s: %s: %s", name, what, reason);
    return DVE_E_OUTPUT;
}

static char *copy_bytes(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

/* Joins directory and base with a slash. */
static char *join(const char *directory, const char *base)
{
    size_t d = strlen(directory), b = strlen(base);
    char *path = malloc(d + b + 2);
    if (!path)
        return NULL;
    memcpy(path, directory, d);
    path[d] = '/';
    memcpy(path + d + 1, base, b + 1);
    return path;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The directory part of a path, "." and "/" included. */
static char *directory_of(const char *path)
{
    size_t n = (size_t)(base_of(path) - path);
    if (n == 0)
        return copy_bytes(".", 1);
    return copy_bytes(path, n > 1 ? n - 1 : n);
}

static void output_clear(output *o)
{
    if (o->fd >= 0)
        (void)close(o->fd);
    if (o->temporary)
        (void)unlink(o->temporary); /* ENOENT once it is renamed */
    slot_remove(o->slot);
    free(o->name);
    free(o->target);
    free(o->temporary);
    free(o->buffer);
    memset(o, 0, sizeof *o);
    o->fd = -1;
    o->slot = NO_SLOT;
}

/* ---- where an output goes ---- */

/* Follows a link that leads to no file yet; NULL with errno on failure. Links that lead somewhere go to realpath. */
static char *follow_dangling(const char *path)
{
    char text[PATH_MAX];
    char *at = copy_bytes(path, strlen(path));
    for (int i = 0; at && i < MAX_LINKS; i++) {
        ssize_t n = readlink(at, text, sizeof text - 1);
        if (n < 0)
            return at;
        text[n] = '\0';
        char *directory = text[0] == '/' ? NULL : directory_of(at);
        char *next = text[0] == '/' ? copy_bytes(text, (size_t)n) : directory ? join(directory, text) : NULL;
        free(directory);
        free(at);
        at = next;
    }
    if (at)
        errno = ELOOP;
    free(at);
    return NULL;
}

/* The place of a file that does not exist: its real directory and its name. */
static dve_status resolve_new(output *o, const char *path, dve_error *err)
{
    char *end = follow_dangling(path);
    char *directory = end ? directory_of(end) : NULL;
    char *real = directory ? realpath(directory, NULL) : NULL;
    dve_status st = DVE_OK;
    if (!real || stat(real, &o->parent))
        st = fail(o->name, "cannot create", strerror(errno), err);
    else if (!*base_of(end))
        st = fail(o->name, "cannot create", strerror(*path ? EISDIR : ENOENT), err);
    else if (!(o->target = join(real, base_of(end))))
        st = fail(o->name, "cannot create", strerror(ENOMEM), err);
    free(real);
    free(directory);
    free(end);
    return st;
}

/*
 * Names of open descriptors: replacing the file behind one would leave the descriptor with the old file, so they are
 * written to.
 */
static bool names_descriptor(const char *path)
{
    return !strncmp(path, "/dev/fd/", 8) || !strcmp(path, "/dev/stderr") || !strncmp(path, "/proc/", 6);
}

/* Finds out what path is; sets target, exists, info or parent, and whether a temporary is wanted. */
static dve_status resolve(output *o, const char *path, bool *temporary, dve_error *err)
{
    *temporary = false;
    if (o->is_stdout) {
        /* A closed stdout is found out at commit, by the write. */
        o->exists = fstat(STDOUT_FILENO, &o->info) == 0;
        return DVE_OK;
    }
    if (stat(path, &o->info)) {
        if (errno != ENOENT)
            return fail(o->name, "cannot write", strerror(errno), err);
        *temporary = true;
        return resolve_new(o, path, err);
    }
    o->exists = true;
    if (S_ISDIR(o->info.st_mode))
        return fail(o->name, "cannot write", strerror(EISDIR), err);
    /* A rename would get past write protection; asking here keeps it. */
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
        return fail(o->name, "cannot write", strerror(errno), err);
    *temporary = S_ISREG(o->info.st_mode) && !names_descriptor(path);
    o->target = *temporary ? realpath(path, NULL) : copy_bytes(path, strlen(path));
    return o->target ? DVE_OK : fail(o->name, "cannot write", strerror(errno), err);
}

static bool same_file(const output *a, const output *b)
{
    if (a->is_stdout && b->is_stdout)
        return true;
    if (a->exists != b->exists)
        return false;
    if (a->exists) /* bytes for /dev/null, a terminal and the like do not get in each other's way */
        return !S_ISCHR(a->info.st_mode) && a->info.st_dev == b->info.st_dev && a->info.st_ino == b->info.st_ino;
    return a->parent.st_dev == b->parent.st_dev && a->parent.st_ino == b->parent.st_ino &&
           !strcmp(base_of(a->target), base_of(b->target));
}

static dve_status refuse_same(const dve_outset *set, const output *o, dve_error *err)
{
    for (unsigned i = 0; i < set->count; i++) {
        if (!same_file(&set->outputs[i], o))
            continue;
        dve_error_set(err, "outputs '%.200s' and '%.200s' are the same file; give each output its own",
                      set->outputs[i].name, o->name);
        return DVE_E_USAGE;
    }
    return DVE_OK;
}

static dve_status refuse_input(const dve_outset *set, const output *o, dve_error *err)
{
    for (const input *i = set->inputs; i; i = i->next) {
        if (!o->exists || i->device != o->info.st_dev || i->inode != o->info.st_ino)
            continue;
        dve_error_set(err, "'%.200s' is %.200s, and no output replaces an input", o->name, i->what);
        return DVE_E_USAGE;
    }
    return DVE_OK;
}

/* ---- temporaries ---- */

/* A short name of its own, as a long base name could leave no room for a suffix. */
static void temporary_name(char *text, size_t cap)
{
    static atomic_uint serial;
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    unsigned n = atomic_fetch_add(&serial, 1);
    (void)snprintf(text, cap, ".opendve-%lx-%x-%lx.tmp", (unsigned long)getpid(), n, (unsigned long)now.tv_nsec);
}

/* Opens o->temporary and puts it on the list in one step, as a signal sees it. */
static void create_listed(output *o)
{
    sigset_t old;
    /* What replaces a file must not be readable by more people than that file, not even for a moment. */
    mode_t mode = o->exists ? S_IRUSR | S_IWUSR : S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    dve_hold_signals(&old);
    o->fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    int saved = errno;
    if (o->fd >= 0)
        o->slot = slot_add(o->temporary);
    dve_release_signals(&old);
    errno = saved;
}

static dve_status create_temporary(output *o, dve_error *err)
{
    char base[96];
    char *directory = directory_of(o->target);
    for (int attempt = 0; directory && o->fd < 0 && attempt < 100; attempt++) {
        temporary_name(base, sizeof base);
        free(o->temporary);
        o->temporary = join(directory, base);
        if (!o->temporary)
            break;
        create_listed(o);
        if (o->fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    int saved = errno;
    free(directory);
    if (o->fd < 0) {
        free(o->temporary); /* whatever bears that name is not ours to unlink */
        o->temporary = NULL;
        return fail(o->name, "cannot create a temporary file beside it", strerror(saved), err);
    }
    if (!o->exists)
        return DVE_OK;
    /* The owner first, as chown may clear mode bits; only root may give files away, and others lose nothing. */
    if (fchown(o->fd, o->info.st_uid, o->info.st_gid))
        errno = 0;
    if (fchmod(o->fd, o->info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)))
        return fail(o->name, "cannot set the permissions", strerror(errno), err);
    return DVE_OK;
}

/* ---- writing ---- */

static dve_status write_all(int fd, const char *name, const uint8_t *data, size_t n, dve_error *err)
{
    while (n) {
        ssize_t done = write(fd, data, n < MAX_WRITE ? n : MAX_WRITE);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) { /* a stdout that someone made non-blocking */
            struct pollfd wait = {.fd = fd, .events = POLLOUT, .revents = 0};
            (void)poll(&wait, 1, -1);
            continue;
        }
        if (done < 0)
            return fail(name, "cannot write", strerror(errno), err);
        if (done == 0)
            return fail(name, "cannot write", "nothing was taken", err);
        data += done;
        n -= (size_t)done;
    }
    return DVE_OK;
}

static dve_status flush(output *o, dve_error *err)
{
    size_t n = o->used;
    o->used = 0;
    return write_all(o->fd, o->name, o->buffer, n, err);
}

/* Makes room for n more bytes behind the used ones. */
static dve_status reserve(output *o, size_t n, size_t least, dve_error *err)
{
    if (o->cap - o->used >= n)
        return DVE_OK;
    size_t cap = o->cap ? o->cap : least;
    while (cap - o->used < n && cap <= SIZE_MAX / 2)
        cap *= 2;
    uint8_t *more = cap - o->used < n ? NULL : realloc(o->buffer, cap);
    if (!more)
        return fail(o->name, "cannot write", strerror(ENOMEM), err);
    o->buffer = more;
    o->cap = cap;
    return DVE_OK;
}

static dve_status append(output *o, const uint8_t *data, size_t n, dve_error *err)
{
    dve_status st = DVE_OK;
    if (o->temporary && n > FILE_BUFFER - o->used)
        st = flush(o, err);
    if (st != DVE_OK)
        return st;
    if (o->temporary && n >= FILE_BUFFER)
        return write_all(o->fd, o->name, data, n, err);
    st = reserve(o, n, FILE_BUFFER, err);
    if (st != DVE_OK)
        return st;
    memcpy(o->buffer + o->used, data, n);
    o->used += n;
    return DVE_OK;
}

/* ---- the steps of commit ---- */

static dve_status close_temporary(output *o, dve_error *err)
{
    dve_status st = flush(o, err);
    if (st != DVE_OK)
        return st;
    int fd = o->fd;
    o->fd = -1;
    /* After EINTR the descriptor is gone all the same on Linux, and the data is where it was. */
    if (close(fd) && errno != EINTR)
        return fail(o->name, "cannot write", strerror(errno), err);
    return DVE_OK;
}

static dve_status write_direct(output *o, dve_error *err)
{
    if (o->is_stdout) {
        /* What the program printed before belongs before. */
        if (fflush(stdout))
            return fail(o->name, "cannot write", strerror(errno), err);
        return write_all(STDOUT_FILENO, o->name, o->buffer, o->used, err);
    }
    int fd;
    do
        fd = open(o->target, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return fail(o->name, "cannot write", strerror(errno), err);
    dve_status st = write_all(fd, o->name, o->buffer, o->used, err);
    if (close(fd) && errno != EINTR && st == DVE_OK)
        st = fail(o->name, "cannot write", strerror(errno), err);
    return st;
}

/* Puts the new content under its name. An existing file changes places with it, where the file system can,
 * so that the old content is at hand until every rename is done. */
static bool put_in_place(output *o)
{
    if (o->exists && renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->target, RENAME_EXCHANGE) == 0) {
        o->exchanged = true;
        return true;
    }
    return rename(o->temporary, o->target) == 0;
}

static void take_back(const output *o)
{
    if (o->exchanged)
        (void)renameat2(AT_FDCWD, o->temporary, AT_FDCWD, o->target, RENAME_EXCHANGE);
    else if (!o->exists)
        (void)unlink(o->target);
}

static dve_status rename_all(dve_outset *set, dve_error *err)
{
    dve_status st = DVE_OK;
    unsigned done = 0;
    for (; done < set->count; done++) {
        output *o = &set->outputs[done];
        if (!o->temporary || put_in_place(o))
            continue;
        st = fail(o->name, "cannot write", strerror(errno), err);
        break;
    }
    for (unsigned i = 0; st != DVE_OK && i < done; i++)
        if (set->outputs[i].temporary)
            take_back(&set->outputs[i]);
    return st;
}

/* ---- the set ---- */

dve_status dve_outset_new(dve_outset **set, dve_error *err)
{
    *set = calloc(1, sizeof **set);
    if (*set)
        return DVE_OK;
    dve_error_set(err, "not enough memory");
    return DVE_E_INTERNAL;
}

bool dve_outset_is_stdout(const char *path)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; path && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(path, names[i]) == 0)
            return true;
    return false;
}

dve_status dve_outset_spare(dve_outset *set, const char *path, const char *what, dve_error *err)
{
    struct stat info;
    if (!path || (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &info) : stat(path, &info)) || !S_ISREG(info.st_mode))
        return DVE_OK;
    input *i = malloc(sizeof *i);
    char *copy = copy_bytes(what, strlen(what));
    if (!i || !copy) {
        free(i);
        free(copy);
        dve_error_set(err, "not enough memory");
        return DVE_E_INTERNAL;
    }
    *i = (input){.next = set->inputs, .device = info.st_dev, .inode = info.st_ino, .what = copy};
    set->inputs = i;
    return DVE_OK;
}

dve_status dve_outset_open(dve_outset *set, const char *path, unsigned *index, dve_error *err)
{
    bool temporary = false;
    *index = 0;
    if (set->count == DVE_OUTSET_MAX) {
        dve_error_set(err, "%.200s: more than %d outputs", path, (int)DVE_OUTSET_MAX);
        return DVE_E_USAGE;
    }
    output *o = &set->outputs[set->count];
    memset(o, 0, sizeof *o);
    o->fd = -1;
    o->slot = NO_SLOT;
    o->is_stdout = dve_outset_is_stdout(path);
    const char *name = o->is_stdout ? "stdout" : path;
    o->name = copy_bytes(name, strlen(name));
    dve_status st = o->name ? resolve(o, path, &temporary, err) : fail(name, "cannot write", strerror(ENOMEM), err);
    if (st == DVE_OK)
        st = refuse_same(set, o, err);
    if (st == DVE_OK)
        st = refuse_input(set, o, err);
    if (st == DVE_OK && temporary)
        st = create_temporary(o, err);
    if (st != DVE_OK) {
        output_clear(o);
        return st;
    }
    *index = set->count++;
    return DVE_OK;
}

dve_status dve_outset_write(dve_outset *set, unsigned index, const void *data, size_t n, dve_error *err)
{
    if (set->failed || index >= set->count) {
        dve_error_set(err, "output %u cannot take data: %s", index,
                      set->failed ? "an earlier write failed" : "there is no such output");
        return set->failed ? DVE_E_OUTPUT : DVE_E_INTERNAL;
    }
    dve_status st = n ? append(&set->outputs[index], data, n, err) : DVE_OK;
    if (st != DVE_OK)
        set->failed = true;
    return st;
}

dve_status dve_outset_commit(dve_outset *set, dve_error *err)
{
    dve_status st = DVE_OK;
    if (set->failed) {
        dve_error_set(err, "the outputs cannot be written: an earlier write failed");
        st = DVE_E_OUTPUT;
    }
    for (unsigned i = 0; st == DVE_OK && i < set->count; i++)
        if (set->outputs[i].temporary)
            st = close_temporary(&set->outputs[i], err);
    for (unsigned i = 0; st == DVE_OK && i < set->count; i++)
        if (!set->outputs[i].temporary)
            st = write_direct(&set->outputs[i], err);
    if (st == DVE_OK) {
        sigset_t old;
        dve_hold_signals(&old);
        st = rename_all(set, err);
        dve_release_signals(&old);
    }
    dve_outset_abort(set); /* after the renames there is nothing left to unlink */
    return st;
}

void dve_outset_abort(dve_outset *set)
{
    for (unsigned i = 0; i < set->count; i++)
        output_clear(&set->outputs[i]);
    set->count = 0;
    set->failed = false;
    while (set->inputs) {
        input *i = set->inputs;
        set->inputs = i->next;
        free(i->what);
        free(i);
    }
}

void dve_outset_free(dve_outset *set)
{
    if (!set)
        return;
    dve_outset_abort(set);
    free(set);
}
