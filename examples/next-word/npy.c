/* SPDX-License-Identifier: Apache-2.0 */
#include "npy.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

void npy_write_header(FILE *out, size_t rows, size_t columns)
{
    enum { PREFIX = 10, ALIGNMENT = 64 };
    char text[192];
    int length = snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %zu), }", rows,
                          columns);
    size_t used = (size_t)length;
    while ((PREFIX + used + 1) % ALIGNMENT != 0)
        text[used++] = ' ';
    text[used++] = '\n';
    fwrite(magic, 1, sizeof magic, out);
    const unsigned char rest[4] = {1, 0, (unsigned char)(used & 255), (unsigned char)(used >> 8)};
    fwrite(rest, 1, sizeof rest, out);
    fwrite(text, 1, used, out);
}

void npy_write_row(FILE *out, const float *row, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        uint32_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        const unsigned char le[4] = {(unsigned char)(bits & 255), (unsigned char)(bits >> 8 & 255),
                                     (unsigned char)(bits >> 16 & 255), (unsigned char)(bits >> 24)};
        fwrite(le, 1, sizeof le, out);
    }
}

/* The text after `'key':` in the header, or NULL. */
static const char *member(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *at = strstr(header, quoted);
    if (!at)
        return NULL;
    at += strlen(quoted);
    while (*at == ' ')
        at++;
    return at;
}

/* "(3, 8)" or "(8,)". False if it is anything else or does not fit. */
static bool read_shape(const char *at, size_t *rows, size_t *columns)
{
    size_t size[2] = {0, 0};
    int dimensions = 0;
    if (*at++ != '(')
        return false;
    while (isdigit((unsigned char)*at)) {
        if (dimensions == 2)
            return false;
        for (; isdigit((unsigned char)*at); at++) {
            if (size[dimensions] > (SIZE_MAX - 9) / 10)
                return false;
            size[dimensions] = size[dimensions] * 10 + (size_t)(*at - '0');
        }
        dimensions++;
        while (*at == ',' || *at == ' ')
            at++;
    }
    if (*at != ')' || dimensions == 0)
        return false;
    *rows = dimensions == 2 ? size[0] : 1;
    *columns = dimensions == 2 ? size[1] : size[0];
    return true;
}

static int read_header(struct npy *array, const char *path, const char *descr, const char *header, size_t left)
{
    const char *type = member(header, "descr"), *order = member(header, "fortran_order");
    const char *shape = member(header, "shape");
    char quoted[16];
    if (!type || !order || !shape)
        return fail(BAD_INPUT, "%s: the .npy header lacks descr, fortran_order or shape", path);
    snprintf(quoted, sizeof quoted, "'%s'", descr);
    if (strncmp(type, quoted, strlen(quoted)) != 0)
        return fail(BAD_INPUT, "%s: descr is %.*s; '%s' is wanted", path, (int)strcspn(type, ","), type, descr);
    if (strncmp(order, "False", 5) != 0)
        return fail(BAD_INPUT, "%s: the array is in Fortran order; C order is wanted", path);
    if (!read_shape(shape, &array->rows, &array->columns))
        return fail(BAD_INPUT, "%s: shape is %.*s; one or two dimensions are wanted", path,
                    (int)strcspn(shape, ")\n") + 1, shape);
    if (array->rows == 0 || array->columns == 0)
        return fail(BAD_INPUT, "%s: the array is empty", path);
    if (array->rows > left / 4 / array->columns || array->rows * array->columns * 4 != left)
        return fail(BAD_INPUT, "%s: %zu rows of %zu columns do not fit the %zu bytes of data", path, array->rows,
                    array->columns, left);
    return OK;
}

static int read_parts(struct npy *array, const char *path, const char *descr)
{
    const unsigned char *d = array->file.data;
    const size_t size = array->file.size;
    if (size < 12 || memcmp(d, magic, sizeof magic) != 0)
        return fail(BAD_INPUT, "%s is no .npy file", path);
    if (d[6] < 1 || d[6] > 3)
        return fail(BAD_INPUT, "%s: .npy version %d.%d; 1.0 to 3.0 are known", path, d[6], d[7]);
    const size_t prefix = d[6] == 1 ? 10 : 12;
    size_t length = (size_t)d[8] | (size_t)d[9] << 8;
    if (d[6] > 1)
        length |= (size_t)d[10] << 16 | (size_t)d[11] << 24;
    if (length > size - prefix)
        return fail(BAD_INPUT, "%s ends inside its .npy header", path);

    char *header = resize(NULL, length + 1, 1);
    memcpy(header, d + prefix, length);
    header[length] = 0;
    array->data = d + prefix + length;
    int code = read_header(array, path, descr, header, size - prefix - length);
    free(header);
    return code;
}

int npy_read(struct npy *array, const char *path, const char *descr)
{
    *array = (struct npy){0};
    int code = read_file(path, &array->file);
    if (code == OK)
        code = read_parts(array, path, descr);
    if (code != OK)
        npy_free(array);
    return code;
}

uint32_t npy_bits(const struct npy *array, size_t row, size_t column)
{
    const unsigned char *at = array->data + (row * array->columns + column) * 4;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void npy_free(struct npy *array)
{
    free(array->file.data);
    *array = (struct npy){0};
}
