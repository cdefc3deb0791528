/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DVE_IO_NPY_H
#define DVE_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <opendve/status.h>

/* Element kinds. The V kinds are raw bits of that many bytes (bf16, fp8, ...): the caller names what they mean. */
enum dve_array_kind {
    DVE_ARRAY_F32 = 1,
    DVE_ARRAY_F16 = 2,
    DVE_ARRAY_I8 = 3,
    DVE_ARRAY_U8 = 4,
    DVE_ARRAY_I16 = 5,
    DVE_ARRAY_U16 = 6,
    DVE_ARRAY_I32 = 7,
    DVE_ARRAY_U32 = 8,
    DVE_ARRAY_V1 = 9,
    DVE_ARRAY_V2 = 10,
    DVE_ARRAY_V4 = 11
};

enum { DVE_ARRAY_MAX_DIMS = 32 };

/* Every header that dve_npy_header writes has this size: two dimensions never outgrow it. */
enum { DVE_NPY_HEADER_BYTES = 128 };

#define DVE_NPY_DEFAULT_MAX_BYTES (UINT64_C(16) << 30)

/*
 * An array in memory. Two dimensions and up: the first axis is rows, the rest flattened in C order; one dimension is
 * one row. data holds rows * columns elements in C order, little-endian on every host, 64-byte aligned.
 */
typedef struct dve_array {
    uint32_t kind;     /* enum dve_array_kind */
    uint32_t itemsize; /* bytes of an element */
    uint64_t rows, columns;
    unsigned ndim;
    uint64_t shape[DVE_ARRAY_MAX_DIMS]; /* as the file states it */
    uint8_t *data;
    size_t bytes;
    void *owner; /* what dve_array_free releases */
} dve_array;

typedef struct dve_npy_options {
    bool convert;       /* float64 to float32 (round to nearest even), int64 to int32 (range checked) */
    uint64_t max_bytes; /* limit on the data of the file; 0 stands for DVE_NPY_DEFAULT_MAX_BYTES */
} dve_npy_options;

/*
 * Reads one .npy file ("-" is stdin; pipes are fine). options may be NULL. On any failure *out is all zero and needs
 * no free. DVE_E_USAGE: a dtype that is not taken. DVE_E_INPUT: anything else that is wrong with the file.
 */
dve_status dve_npy_read(const char *path, const dve_npy_options *options, dve_array *out, dve_error *err);

/* The same from memory; name is what messages call it. */
dve_status dve_npy_parse(const void *buffer, size_t size, const char *name, const dve_npy_options *options,
                         dve_array *out, dve_error *err);

/* Releases the data and clears the struct. NULL and a zeroed array are fine. */
void dve_array_free(dve_array *array);

/*
 * Writes the bytes that come before the data of a rows x columns array: version 1.0, C order, little-endian, byte for
 * byte what np.save writes. The only failure is a caller's mistake (kind, or cap under 128): DVE_E_INTERNAL, *len 0.
 */
dve_status dve_npy_header(uint32_t kind, uint64_t rows, uint64_t columns, uint8_t *buf, size_t cap, size_t *len);

/* Bytes of an element, 0 for an unknown kind. */
uint32_t dve_array_kind_size(uint32_t kind);

/* NumPy's name ("float32", "void2" for raw bits of two bytes), "?" for an unknown kind. */
const char *dve_array_kind_name(uint32_t kind);

#endif
