/* SPDX-License-Identifier: Apache-2.0 */
/* Files below a folder that appear together or not at all, for names that come from somebody else: nothing is written
 * outside the folder, through a link, or over what exists. */
#ifndef DVE_IO_TREE_H
#define DVE_IO_TREE_H

#include <stddef.h>

#include <opendve/status.h>

typedef struct dve_tree dve_tree;

enum { DVE_TREES = 4 };                  /* that may be open at a time */

/* Opens a folder, or creates it with the folders above it. Contents gather in ".opendve-*.tmp" inside it. The folder's
 * own path is the user's and may lead over links. DVE_E_OUTPUT; *out is then NULL. */
dve_status dve_tree_open(const char *folder, dve_tree **out, dve_error *error);

/* Adds a file: `name` is relative, its parts parted by single slashes, none of them "." or "..". DVE_E_OUTPUT if it
 * cannot be written, if the name exists, or if it leads over a link or a file. */
dve_status dve_tree_add(dve_tree *tree, const char *name, const void *bytes, size_t size, dve_error *error);

/* Puts the files of all trees in place. On failure none of them is there, nor any folder that was made for them. */
dve_status dve_tree_commit(dve_tree *const *trees, unsigned count, dve_error *error);

/* What was committed stays from here on: for a caller that tells of it first, and takes it back if nobody could be told. */
void dve_tree_keep(dve_tree *const *trees, unsigned count);

/* Removes what was not committed and kept, folders that were created for it included. NULL is fine. */
void dve_tree_free(dve_tree *tree);

/* For a signal handler that ends the process: removes what is not kept. Async-signal-safe. */
void dve_tree_unlink_temporaries(void);

#endif
