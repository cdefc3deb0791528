/* SPDX-License-Identifier: Apache-2.0 */
/* The little of NumPy's .npy format that this example needs. */
#ifndef NEXT_WORD_NPY_H
#define NEXT_WORD_NPY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../bigram/util.h"

/* Version 1.0, '<f4', C order, data at a multiple of 64. Errors stay in the stream, for output_finish. */
void npy_write_header(FILE *out, size_t rows, size_t columns);
void npy_write_row(FILE *out, const float *row, size_t columns);

/* A two-dimensional array of 4-byte elements; one of one dimension is one row. */
struct npy {
    struct bytes file;
    const unsigned char *data;
    size_t rows, columns;
};

/* Reads an array of the given descr ("<f4" or "<u4"); prints why not and returns BAD_INPUT. */
int npy_read(struct npy *array, const char *path, const char *descr);
uint32_t npy_bits(const struct npy *array, size_t row, size_t column);
void npy_free(struct npy *array);

#endif
