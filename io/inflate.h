/* SPDX-License-Identifier: Apache-2.0 */
/* A gzip member in memory, by zlib. Part of the program, not of libopendve, which needs libc only. */
#ifndef DVE_IO_INFLATE_H
#define DVE_IO_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#include <opendve/status.h>
#include "whole.h"

/* Unpacks the gzip member at the start of `bytes` into *out, which the caller frees; *used is how many bytes it takes, and
 * what stands behind it is the caller's business. DVE_E_INPUT: damaged, cut, or more than `limit` bytes, which is seen
 * while unpacking. DVE_E_INTERNAL: memory ran out. *out is then empty. */
dve_status dve_gunzip(const uint8_t *bytes, size_t size, uint64_t limit, dve_whole *out, size_t *used, dve_error *error);

#endif
