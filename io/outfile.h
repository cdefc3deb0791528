/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DVE_IO_OUTFILE_H
#define DVE_IO_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

#include <opendve/status.h>

/*
 * A set of outputs that appear together or not at all. Each regular file grows as a temporary (".opendve-*.tmp") in its
 * own directory; commit closes them all and only then renames them. Outputs that cannot be renamed to (stdout, devices,
 * FIFOs) are kept in memory and written at commit, before the renames.
 *
 * A symlink is written through, an existing file keeps its permissions (and its owner, where the system lets us), a
 * new file gets what the umask allows.
 *
 * The program must ignore SIGPIPE, so that a reader that went away is an error here and not the end of the process.
 */
typedef struct dve_outset dve_outset;

enum { DVE_OUTSET_MAX = 128 };

dve_status dve_outset_new(dve_outset **set, dve_error *err);

/* Whether a path means stdout, under any of its names; NULL does not. */
bool dve_outset_is_stdout(const char *path);

/*
 * Says that a file is an input, which no output that is opened later may replace; `what` it is, in messages ("what option
 * --put reads"). "-" is stdin, NULL none. Only regular files count, and one that is not there is none. DVE_E_INTERNAL
 * when memory ran out.
 */
dve_status dve_outset_spare(dve_outset *set, const char *path, const char *what, dve_error *err);

/*
 * Adds the output path ("-" is stdout) and gives its index for dve_outset_write.
 * DVE_E_USAGE: it is the same file as an earlier output of the set (character devices such as /dev/null may repeat) or
 * as an input that was spared, under whatever name, or it is one output too many. DVE_E_OUTPUT: it cannot be written. The set stays as it was.
 */
dve_status dve_outset_open(dve_outset *set, const char *path, unsigned *index, dve_error *err);

/* Appends n bytes. After a failure the set can only be aborted or freed. */
dve_status dve_outset_write(dve_outset *set, unsigned index, const void *data, size_t n, dve_error *err);

/*
 * Makes all outputs appear. On any failure the temporaries are gone, and so is every new file that this call had
 * already put in place; an existing file that it had already replaced gets its old content back, where the file system
 * can exchange two files. The set is then empty and can be freed or used again.
 */
dve_status dve_outset_commit(dve_outset *set, dve_error *err);

/* Drops all outputs and removes the temporaries. The set is then empty. */
void dve_outset_abort(dve_outset *set);

/* Aborts what was not committed. NULL is fine. */
void dve_outset_free(dve_outset *set);

/*
 * Unlinks the temporaries of every set of the process (the first 256 that are open at a time). Async-signal-safe: a
 * handler calls it and then _exit(130). It leaves errno alone.
 */
void dve_outset_unlink_temporaries(void);

#endif
