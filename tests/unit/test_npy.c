/* SPDX-License-Identifier: Apache-2.0 */
/* io/npy: headers by hand, every truncation, every single-byte corruption, and NumPy itself where it is installed. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "io/npy.h"

static char folder[256];

static const dve_npy_options converting = {.convert = true, .max_bytes = 0};

/* ---- helpers ---- */

static int folder_make(void **state)
{
    const char *base = getenv("TMPDIR");
    (void)state;
    (void)snprintf(folder, sizeof folder, "%.200s/dve-npy-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name)
{
    static char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int folder_remove(void **state)
{
    (void)state;
    DIR *d = opendir(folder);
    if (!d)
        return -1;
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            (void)unlink(in_folder(e->d_name));
    (void)closedir(d);
    return rmdir(folder);
}

static void put_file(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(n ? fwrite(data, 1, n, f) : 0, n);
    assert_int_equal(fclose(f), 0);
}

/* Magic, version, length, header text, data. */
static size_t build(uint8_t *out, unsigned major, const char *header, const void *data, size_t n)
{
    size_t text = strlen(header), at = 8;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (uint8_t)major;
    out[7] = 0;
    for (size_t i = 0; i < (major == 1 ? 2u : 4u); i++)
        out[at++] = (uint8_t)(text >> (8 * i));
    memcpy(out + at, header, text);
    if (n)
        memcpy(out + at + text, data, n);
    return at + text + n;
}

/* A small valid file: uint16, shape (2, 3), values 1..6. */
static size_t build_small(uint8_t *out)
{
    static const uint8_t data[12] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0};
    size_t n;
    assert_int_equal(dve_npy_header(DVE_ARRAY_U16, 2, 3, out, DVE_NPY_HEADER_BYTES, &n), DVE_OK);
    memcpy(out + n, data, sizeof data);
    return n + sizeof data;
}

/* Parses a header with 24 bytes of data 0, 1, 2, ... behind it. */
static dve_status parse24(unsigned major, const char *header, const dve_npy_options *o, dve_array *a, dve_error *err)
{
    uint8_t file[2048], data[24];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)i;
    size_t n = build(file, major, header, data, sizeof data);
    memset(err, 0, sizeof *err);
    return dve_npy_parse(file, n, "scores.npy", o, a, err);
}

static void assert_empty(const dve_array *a)
{
    static const dve_array zero;
    assert_memory_equal(a, &zero, sizeof zero);
}

static void assert_says(const dve_error *err, const char *part)
{
    if (!strstr(err->text, part))
        fail_msg("'%s' is not in '%s'", part, err->text);
}

/* What holds for every array that is handed out. */
static void assert_consistent(const dve_array *a)
{
    assert_non_null(a->data);
    assert_true(a->rows > 0 && a->columns > 0 && a->ndim > 0 && a->ndim <= DVE_ARRAY_MAX_DIMS);
    assert_int_equal(a->itemsize, dve_array_kind_size(a->kind));
    assert_true(a->bytes == a->rows * a->columns * a->itemsize);
    assert_int_equal((uintptr_t)a->data % 64, 0);
}

/* Runs the reader with stdin replaced by fd. */
static dve_status read_stdin(int fd, dve_array *a, dve_error *err)
{
    int saved = dup(STDIN_FILENO);
    assert_true(saved >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    dve_status st = dve_npy_read("-", NULL, a, err);
    assert_true(dup2(saved, STDIN_FILENO) == STDIN_FILENO);
    (void)close(saved);
    return st;
}

/* A child that writes data into fd in small pieces. */
static pid_t feed(int fd, int other, const uint8_t *data, size_t n, size_t piece)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid)
        return pid;
    if (other >= 0)
        (void)close(other);
    while (n) {
        ssize_t done = write(fd, data, n < piece ? n : piece);
        if (done <= 0)
            _exit(1);
        data += done;
        n -= (size_t)done;
    }
    _exit(0);
}

static dve_status read_pipe(const uint8_t *data, size_t n, size_t piece, dve_array *a, dve_error *err)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = feed(ends[1], ends[0], data, n, piece);
    (void)close(ends[1]);
    dve_status st = read_stdin(ends[0], a, err);
    (void)close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return st;
}

/* ---- our headers ---- */

static void test_header_bytes(void **state)
{
    (void)state;
    uint8_t buf[DVE_NPY_HEADER_BYTES], expected[DVE_NPY_HEADER_BYTES];
    size_t len = 0;
    memset(expected, ' ', sizeof expected);
    memcpy(expected, "\x93NUMPY\x01\x00v\x00", 10);
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";
    memcpy(expected + 10, text, sizeof text - 1);
    expected[127] = '\n';
    assert_int_equal(dve_npy_header(DVE_ARRAY_F32, 3, 4, buf, sizeof buf, &len), DVE_OK);
    assert_int_equal(len, 128);
    assert_memory_equal(buf, expected, sizeof buf);
    assert_int_equal(dve_npy_header(DVE_ARRAY_V2, UINT64_MAX, UINT64_MAX, buf, sizeof buf, &len), DVE_OK);
    assert_int_equal(len, 128);
    assert_int_equal(dve_npy_header(DVE_ARRAY_F32, 3, 4, buf, 127, &len), DVE_E_INTERNAL);
    assert_int_equal(len, 0);
    assert_int_equal(dve_npy_header(0, 3, 4, buf, sizeof buf, &len), DVE_E_INTERNAL);
    assert_int_equal(dve_npy_header(12, 3, 4, buf, sizeof buf, &len), DVE_E_INTERNAL);
    assert_int_equal(dve_array_kind_size(0), 0);
    assert_string_equal(dve_array_kind_name(99), "?");
    assert_string_equal(dve_array_kind_name(DVE_ARRAY_U32), "uint32");
}

static void test_round_trip(void **state)
{
    (void)state;
    for (uint32_t kind = DVE_ARRAY_F32; kind <= DVE_ARRAY_V4; kind++) {
        uint8_t file[DVE_NPY_HEADER_BYTES + 64];
        size_t n, bytes = 6u * dve_array_kind_size(kind);
        dve_array a;
        dve_error err;
        assert_int_equal(dve_npy_header(kind, 2, 3, file, sizeof file, &n), DVE_OK);
        for (size_t i = 0; i < bytes; i++)
            file[n + i] = (uint8_t)(i * 37 + 1);
        assert_int_equal(dve_npy_parse(file, n + bytes, "x", NULL, &a, &err), DVE_OK);
        assert_consistent(&a);
        assert_true(a.kind == kind && a.rows == 2 && a.columns == 3 && a.ndim == 2);
        assert_true(a.shape[0] == 2 && a.shape[1] == 3 && a.bytes == bytes);
        assert_memory_equal(a.data, file + n, bytes);
        dve_array_free(&a);
        assert_empty(&a);
        dve_array_free(&a);
    }
    dve_array_free(NULL);
}

/* ---- what is taken ---- */

static void test_spellings(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }       \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
        "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 3), }\n",
        "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}\n",
        "{'shape':(2,3),'fortran_order':False,'descr':'<f4',}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }  \n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3,), }\n",
        "  { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2 , 3 ) , } \t\r\n\n",
        "{'descr': '=f4', 'fortran_order': False, 'shape': (2, 3), }\n",
        "{'descr': '|f4', 'fortran_order': False, 'shape': (2, 3), }\n",
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        for (unsigned major = 1; major <= 3; major++) {
            dve_array a;
            dve_error err;
            if (parse24(major, headers[i], NULL, &a, &err) != DVE_OK)
                fail_msg("%s: %s", headers[i], err.text);
            assert_consistent(&a);
            assert_true(a.kind == DVE_ARRAY_F32 && a.rows == 2 && a.columns == 3 && a.data[23] == 23);
            dve_array_free(&a);
        }
}

static void test_byte_orders(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        uint32_t kind, item;
        bool swapped;
    } rows[] = {
        {"<f4", DVE_ARRAY_F32, 4, false}, {">f4", DVE_ARRAY_F32, 4, true},  {"<f2", DVE_ARRAY_F16, 2, false},
        {">f2", DVE_ARRAY_F16, 2, true},  {"|i1", DVE_ARRAY_I8, 1, false},  {">i1", DVE_ARRAY_I8, 1, false},
        {"<u1", DVE_ARRAY_U8, 1, false},  {"|u1", DVE_ARRAY_U8, 1, false},  {"<i2", DVE_ARRAY_I16, 2, false},
        {">i2", DVE_ARRAY_I16, 2, true},  {"<u2", DVE_ARRAY_U16, 2, false}, {">u2", DVE_ARRAY_U16, 2, true},
        {"<i4", DVE_ARRAY_I32, 4, false}, {">i4", DVE_ARRAY_I32, 4, true},  {"<u4", DVE_ARRAY_U32, 4, false},
        {">u4", DVE_ARRAY_U32, 4, true},  {"|V1", DVE_ARRAY_V1, 1, false},  {"<V1", DVE_ARRAY_V1, 1, false},
        {"|V2", DVE_ARRAY_V2, 2, false},  {"<V2", DVE_ARRAY_V2, 2, false},  {">V2", DVE_ARRAY_V2, 2, true},
        {"|V4", DVE_ARRAY_V4, 4, false},  {">V4", DVE_ARRAY_V4, 4, true},   {"<f1", DVE_ARRAY_V1, 1, false},
        {"=u2", DVE_ARRAY_U16, 2, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char header[128];
        dve_array a;
        dve_error err;
        unsigned item = rows[i].item;
        (void)snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%u,), }\n",
                       rows[i].descr, 24 / item);
        if (parse24(1, header, NULL, &a, &err) != DVE_OK)
            fail_msg("%s: %s", header, err.text);
        assert_consistent(&a);
        assert_true(a.kind == rows[i].kind && a.rows == 1 && a.columns == 24 / item && a.ndim == 1);
        for (unsigned at = 0; at < 24; at++)
            assert_int_equal(a.data[at], rows[i].swapped ? at / item * item + item - 1 - at % item : at);
        dve_array_free(&a);
    }
}

/* Element (i, j, k, ...) holds its C index; the file is written in Fortran order. */
static void check_fortran(unsigned ndim, const uint64_t *shape, const char *descr, unsigned item)
{
    uint64_t count = 1;
    char header[256], dims[128] = "";
    for (unsigned d = 0; d < ndim; d++) {
        count *= shape[d];
        (void)snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%" PRIu64 ",", shape[d]);
    }
    (void)snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': True, 'shape': (%s), }\n", descr, dims);
    uint8_t *data = malloc((size_t)count * item), *file = malloc((size_t)count * item + 300);
    assert_true(data && file);
    for (uint64_t c = 0; c < count; c++) {
        uint64_t rest = c, index[8], place = 0;
        for (unsigned d = ndim; d-- > 0; rest /= shape[d])
            index[d] = rest % shape[d];
        for (unsigned d = ndim; d-- > 0;)
            place = place * shape[d] + index[d];
        for (unsigned b = 0; b < item; b++)
            data[place * item + (descr[0] == '>' ? item - 1 - b : b)] = (uint8_t)(c >> (8 * b));
    }
    size_t n = build(file, 1, header, data, (size_t)count * item);
    dve_array a;
    dve_error err;
    if (dve_npy_parse(file, n, "x", NULL, &a, &err) != DVE_OK)
        fail_msg("%s: %s", header, err.text);
    assert_consistent(&a);
    assert_true(a.ndim == ndim && a.rows == (ndim == 1 ? 1 : shape[0]) && a.rows * a.columns == count);
    for (uint64_t c = 0; c < count; c++)
        for (unsigned b = 0; b < item; b++)
            assert_int_equal(a.data[c * item + b], (uint8_t)(c >> (8 * b)));
    dve_array_free(&a);
    free(data);
    free(file);
}

static void test_fortran(void **state)
{
    (void)state;
    static const uint64_t one[] = {7}, two[] = {3, 5}, tall[] = {201, 3}, row[] = {1, 9}, column[] = {130, 1},
                          three[] = {2, 3, 4}, five[] = {65, 2, 1, 3, 2};
    check_fortran(1, one, "<u2", 2);
    check_fortran(2, two, "<u2", 2);
    check_fortran(2, two, ">u4", 4);
    check_fortran(2, two, "|u1", 1);
    check_fortran(2, tall, "<u2", 2);
    check_fortran(2, row, "<i4", 4);
    check_fortran(2, column, "<i4", 4);
    check_fortran(3, three, "|V1", 1);
    check_fortran(5, five, ">u2", 2);
}

static void test_flattening(void **state)
{
    (void)state;
    dve_array a;
    dve_error err;
    assert_int_equal(parse24(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3, 4), }\n", NULL, &a, &err),
                     DVE_OK);
    assert_true(a.rows == 2 && a.columns == 12 && a.ndim == 3 && a.shape[2] == 4 && a.shape[3] == 0);
    dve_array_free(&a);
    /* 32 dimensions are NumPy's old maximum */
    char header[512] = "{'descr': '|u1', 'fortran_order': True, 'shape': (24";
    for (int i = 0; i < 31; i++)
        strcat(header, ", 1");
    char more[600];
    (void)snprintf(more, sizeof more, "%s), }\n", header);
    assert_int_equal(parse24(1, more, NULL, &a, &err), DVE_OK);
    assert_true(a.ndim == 32 && a.rows == 24 && a.columns == 1);
    dve_array_free(&a);
    (void)snprintf(more, sizeof more, "%s, 1), }\n", header);
    assert_int_equal(parse24(1, more, NULL, &a, &err), DVE_E_INPUT);
    assert_says(&err, "at most 32 dimensions");
}

/* ---- what is refused ---- */

static void test_refused_dtypes(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"'<f8'", "scores.npy: float64 is not taken; use .astype(np.float32) or --convert"},
        {"'>f8'", "float64 is not taken"},
        {"'<i8'", "scores.npy: int64 is not taken; use .astype(np.int32) or --convert"},
        {"'<u8'", "uint64 is not taken; use .astype(np.uint32)"},
        {"'<f16'", "long double is not taken; use .astype(np.float32)"},
        {"'<f12'", "long double"},
        {"'|b1'", "bool is not taken; use .astype(np.uint8)"},
        {"'<c8'", "complex64 is not taken; use .real.astype(np.float32)"},
        {"'<c16'", "complex128 is not taken"},
        {"'<c32'", "complex256 is not taken"},
        {"'|O'", "object arrays are never loaded"},
        {"'|O8'", "object arrays are never loaded"},
        {"'<U12'", "strings are not taken; use .astype(np.float32)"},
        {"'|S4'", "strings are not taken"},
        {"'|S0'", "strings are not taken"},
        {"'<M8[ns]'", "dates and times are not taken"},
        {"'<m8'", "dates and times are not taken"},
        {"'|V3'", "void is taken with 1, 2 or 4 bytes"},
        {"'|V0'", "void is taken with 1, 2 or 4 bytes"},
        {"'|V4294967298'", "void is taken with 1, 2 or 4 bytes"},
        {"[('a', '<f4'), ('b', '<i4')]", "structured dtypes are not taken; use one field"},
        {"('<f4', (2,))", "structured dtypes are not taken"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char header[256];
        dve_array a;
        dve_error err;
        (void)snprintf(header, sizeof header, "{'descr': %s, 'fortran_order': False, 'shape': (2, 3), }\n", rows[i][0]);
        dve_status st = parse24(1, header, NULL, &a, &err);
        if (st != DVE_E_USAGE)
            fail_msg("%s: %d %s", header, (int)st, err.text);
        assert_says(&err, rows[i][1]);
        assert_empty(&a);
    }
    /* --convert is for float64 and int64 only */
    static const char *const still[] = {"<u8", "|b1", "<c8", "|O", "<f16"};
    for (size_t i = 0; i < sizeof still / sizeof still[0]; i++) {
        char header[256];
        dve_array a;
        dve_error err;
        (void)snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }\n", still[i]);
        assert_int_equal(parse24(1, header, &converting, &a, &err), DVE_E_USAGE);
    }
}

static void test_malformed_headers(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", "byte offset 10: malformed .npy header: expected '{', found the end of the header"},
        {"   \n", "expected '{'"},
        {"['descr']", "byte offset 10"},
        {"{}", "the keys 'descr', 'fortran_order' and 'shape'"},
        {"{'descr': '<f4', 'fortran_order': False, }", "the keys"},
        {"{'descr': '<f4', 'shape': (2, 3), }", "the keys"},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "byte offset 27"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", "each once"},
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3), }", "',' or '}', found '''"},
        {"{'descr' '<f4', 'fortran_order': False, 'shape': (2, 3), }", "expected ':'"},
        {"{, 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "each once"},
        {"{'descr': '<f4',, 'fortran_order': False, 'shape': (2, 3), }", "each once"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), ", "found the end of the header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x", "only blanks after the dict, found 'x'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }{}", "only blanks"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3), }", "True or False"},
        {"{'descr': '<f4', 'fortran_order': Fals", "True or False"},
        {"{'descr': '<f4', 'fortran_order': None, 'shape': (2, 3), }", "True or False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3], }", "a shape tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 6, }", "a shape tuple"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (6), }", "a tuple of one"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }", "',' or ')'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,, 3), }", "a dimension"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (,), }", "a dimension"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3), }", "a dimension that is not negative"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (02, 3), }", "leading zeros"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0x2, 3), }", "',' or ')'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2.0, 3), }", "',' or ')'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616, 3), }", "below 2^64"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", "found the end of the header"},
        {"{'descr': '<f4, 'fortran_order': False, 'shape': (2, 3), }", "',' or '}'"},
        {"{'descr': '<f4\\'', 'fortran_order': False, 'shape': (2, 3), }", "a closing quote"},
        {"{'descr': '<f\x01', 'fortran_order': False, 'shape': (2, 3), }", "found byte 0x01"},
        {"{'descr': f4, 'fortran_order': False, 'shape': (2, 3), }", "a dtype string"},
        {"{'descr': 'f4', 'fortran_order': False, 'shape': (2, 3), }", "expected a dtype such as '<f4', found 'f4'"},
        {"{'descr': '', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<f', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<f04', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<f1004', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<f4x', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<q4', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<b4', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '|V', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<f4[ns]', 'fortran_order': False, 'shape': (2, 3), }", "a dtype such as"},
        {"{'descr': '<U00000000000000000000000000000000000000000000000000000000000000000000', ", "under 64 characters"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dve_array a;
        dve_error err;
        dve_status st = parse24(1, rows[i][0], NULL, &a, &err);
        if (st != DVE_E_INPUT)
            fail_msg("%s: %d %s", rows[i][0], (int)st, err.text);
        assert_says(&err, rows[i][1]);
        assert_says(&err, "scores.npy: ");
        assert_empty(&a);
    }
}

static void test_shapes_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"()", ".reshape(1)"},
        {"(0,)", "empty array: dimension 0 is 0"},
        {"(3, 0)", "empty array: dimension 1 is 0"},
        {"(4611686018427387904, 0)", "empty array"},
        {"(4294967296, 4294967296)", "more than the limit"},
        {"(18446744073709551615, 18446744073709551615)", "more than the limit"},
        {"(6, 4294967296, 3)", "(at dimension 1, which is 4294967296)"},
        {"(4294967297,)", "limit of 17179869184 bytes"},
        {"(7,)", "the file ends inside the data: expected 28 bytes from byte offset"},
        {"(1000000000,)", "the file ends inside the data: expected 4000000000 bytes"},
        {"(5,)", "expected the end of the file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char header[256];
        dve_array a;
        dve_error err;
        (void)snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }\n", rows[i][0]);
        dve_status st = parse24(2, header, NULL, &a, &err);
        if (st != DVE_E_INPUT)
            fail_msg("%s: %d %s", header, (int)st, err.text);
        assert_says(&err, rows[i][1]);
        assert_empty(&a);
    }
    /* the limit counts bytes of data, and reaching it is fine */
    dve_npy_options o = {.convert = false, .max_bytes = 24};
    dve_array a;
    dve_error err;
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
    assert_int_equal(parse24(1, header, &o, &a, &err), DVE_OK);
    dve_array_free(&a);
    o.max_bytes = 23;
    assert_int_equal(parse24(1, header, &o, &a, &err), DVE_E_INPUT);
    assert_says(&err, "limit of 23 bytes");
    o.max_bytes = 1;
    assert_int_equal(parse24(1, header, &o, &a, &err), DVE_E_INPUT);
}

static void test_not_npy(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        const char *says;
    } rows[] = {
        {"", 0, "byte offset 0: empty file"},
        {"P", 1, "not a .npy file"},
        {"1.0 2.0 3.0\n", 12, "byte offset 0: not a .npy file"},
        {"PK\003\004abcdefgh", 12, "zip archive"},
        {"\x93NUMPX\x01\x00", 8, "not a .npy file"},
        {"\x93NUM", 4, "ends inside the magic"},
        {"\x93NUMPY\x04\x00\x00\x00", 10, "byte offset 6: expected .npy version 1.0, 2.0 or 3.0, found 4.0"},
        {"\x93NUMPY\x00\x00\x00\x00", 10, "found 0.0"},
        {"\x93NUMPY\x01\x01\x00\x00", 10, "found 1.1"},
        {"\x93NUMPY\x01\x00\x10", 9, "ends inside the header length"},
        {"\x93NUMPY\x02\x00\x10\x00\x00", 11, "ends inside the header length"},
        {"\x93NUMPY\x01\x00\x10\x00{", 11, "ends inside the header: expected 16 bytes from byte offset 10, found 1"},
        {"\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13, "a header of at most 1048576 bytes, its length says 4294967295"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dve_array a;
        dve_error err;
        assert_int_equal(dve_npy_parse(rows[i].bytes, rows[i].n, "x.npy", NULL, &a, &err), DVE_E_INPUT);
        assert_says(&err, rows[i].says);
        assert_empty(&a);
        assert_int_equal(dve_npy_parse(rows[i].bytes, rows[i].n, "x.npy", NULL, &a, NULL), DVE_E_INPUT);
    }
    dve_array a;
    assert_int_equal(dve_npy_parse(NULL, 0, "x.npy", NULL, &a, NULL), DVE_E_INPUT);
}

/* ---- --convert ---- */

static uint64_t next_random(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

static uint32_t convert_f64(uint64_t bits, bool big)
{
    uint8_t file[256], data[8];
    dve_array a;
    dve_error err;
    for (unsigned i = 0; i < 8; i++)
        data[big ? 7 - i : i] = (uint8_t)(bits >> (8 * i));
    size_t n = build(file, 1, big ? "{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }\n"
                                  : "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n", data, 8);
    assert_int_equal(dve_npy_parse(file, n, "x", &converting, &a, &err), DVE_OK);
    assert_consistent(&a);
    assert_true(a.kind == DVE_ARRAY_F32 && a.bytes == 4);
    uint32_t v = (uint32_t)a.data[0] | (uint32_t)a.data[1] << 8 | (uint32_t)a.data[2] << 16 | (uint32_t)a.data[3] << 24;
    dve_array_free(&a);
    return v;
}

static void check_f64(uint64_t bits)
{
    double d;
    float f;
    uint32_t expected;
    memcpy(&d, &bits, 8);
    f = (float)d;
    memcpy(&expected, &f, 4);
    uint32_t got = convert_f64(bits, bits & 1);
    if (got != expected)
        fail_msg("%016" PRIx64 ": got %08" PRIx32 ", expected %08" PRIx32, bits, got, expected);
}

static void test_convert_f64(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    static const uint64_t edges[] = {
        0, 0x3ff0000000000000, 0x3ff0000010000000, 0x3ff0000010000001, 0x3ff0000030000000, 0x3fffffffffffffff,
        0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x47f0000000000000, 0x7fefffffffffffff,
        0x7ff0000000000000, 0x380fffffffffffff, 0x3810000000000000, 0x36a0000000000000, 0x3690000000000000,
        0x3690000000000001, 0x368fffffffffffff, 0x36b8000000000000, 0x0000000000000001, 0x000fffffffffffff,
    };
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        check_f64(edges[i]);
        check_f64(edges[i] | UINT64_C(1) << 63);
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = next_random(&seed);
        /* half of them with an exponent around float's range */
        if (i & 1)
            bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (864 + bits % 330) << 52;
        /* and some exactly at or next to a tie */
        if (i % 4 == 1)
            bits = (bits & ~UINT64_C(0x1fffffff)) | (0x0fffffff + bits % 3);
        if ((bits >> 52 & 0x7ff) != 0x7ff)
            check_f64(bits);
    }
    /* NaN: sign and upper payload stay, the quiet bit is set */
    assert_int_equal(convert_f64(0x7ff0000000000001, false), 0x7fc00000);
    assert_int_equal(convert_f64(0xfff8000000000000, true), 0xffc00000);
    assert_int_equal(convert_f64(0x7ff2345600000000, false), 0x7fd1a2b0);
}

static void test_convert_i64(void **state)
{
    (void)state;
    static const int64_t good[6] = {0, -1, INT32_MAX, INT32_MIN, 65536, -65537};
    static const int64_t bad[] = {INT64_C(2147483648), INT64_C(-2147483649), INT64_MAX, INT64_MIN};
    static const char *const texts[] = {"2147483648", "-2147483649", "9223372036854775807", "-9223372036854775808"};
    for (unsigned fortran = 0; fortran < 2; fortran++)
        for (int b = -1; b < 4; b++) {
            uint8_t file[256], data[48];
            char header[128];
            dve_array a;
            dve_error err;
            for (unsigned k = 0; k < 6; k++) /* file position 4: (1, 1) in C order, (0, 2) in Fortran order */
                for (unsigned i = 0; i < 8; i++)
                    data[k * 8 + i] = (uint8_t)((uint64_t)(b >= 0 && k == 4 ? bad[b] : good[k]) >> (8 * i));
            (void)snprintf(header, sizeof header, "{'descr': '<i8', 'fortran_order': %s, 'shape': (2, 3), }\n",
                           fortran ? "True" : "False");
            size_t n = build(file, 1, header, data, sizeof data);
            dve_status st = dve_npy_parse(file, n, "x.npy", &converting, &a, &err);
            if (b >= 0) {
                char where[64];
                (void)snprintf(where, sizeof where, "x.npy: byte offset %zu: row %d, column %d", n - 16,
                               fortran ? 0 : 1, fortran ? 2 : 1);
                assert_int_equal(st, DVE_E_INPUT);
                assert_says(&err, where);
                assert_says(&err, texts[b]);
                assert_empty(&a);
                continue;
            }
            assert_int_equal(st, DVE_OK);
            assert_consistent(&a);
            assert_true(a.kind == DVE_ARRAY_I32 && a.bytes == 24);
            for (unsigned c = 0; c < 6; c++) {
                unsigned k = fortran ? c % 3 * 2 + c / 3 : c;
                for (unsigned i = 0; i < 4; i++)
                    assert_int_equal(a.data[c * 4 + i], (uint8_t)((uint64_t)good[k] >> (8 * i)));
            }
            dve_array_free(&a);
        }
}

/* ---- damage ---- */

static void test_truncation(void **state)
{
    (void)state;
    uint8_t file[256];
    size_t n = build_small(file);
    const char *path = in_folder("cut.npy");
    for (size_t cut = 0; cut < n; cut++) {
        dve_array a;
        dve_error err;
        uint8_t *exact = malloc(cut ? cut : 1); /* so that ASan and valgrind see a read past the end */
        assert_non_null(exact);
        memcpy(exact, file, cut);
        assert_int_equal(dve_npy_parse(exact, cut, "x.npy", NULL, &a, &err), DVE_E_INPUT);
        assert_empty(&a);
        free(exact);
        assert_says(&err, "byte offset ");
        put_file(path, file, cut);
        assert_int_equal(dve_npy_read(path, NULL, &a, &err), DVE_E_INPUT);
        assert_says(&err, path);
        assert_says(&err, "byte offset ");
        assert_empty(&a);
    }
    for (size_t cut = 0; cut < n; cut += 7) {
        dve_array a;
        dve_error err;
        assert_int_equal(read_pipe(file, cut, 64, &a, &err), DVE_E_INPUT);
        assert_says(&err, "stdin: byte offset ");
    }
}

static void test_trailing(void **state)
{
    (void)state;
    uint8_t file[256];
    size_t n = build_small(file);
    dve_array a;
    dve_error err;
    file[n] = 0;
    assert_int_equal(dve_npy_parse(file, n + 1, "x.npy", NULL, &a, &err), DVE_E_INPUT);
    assert_says(&err, "x.npy: byte offset 140: expected the end of the file");
    assert_int_equal(read_pipe(file, n + 1, 64, &a, &err), DVE_E_INPUT);
}

static void test_corruption(void **state)
{
    (void)state;
    uint8_t file[256];
    size_t n = build_small(file), good = 0;
    for (size_t at = 0; at < n - 12; at++)
        for (unsigned v = 0; v < 256; v++) {
            dve_array a;
            dve_error err = {""};
            uint8_t kept = file[at];
            file[at] = (uint8_t)v;
            dve_status st = dve_npy_parse(file, n, "x.npy", at & 1 ? &converting : NULL, &a, &err);
            file[at] = kept;
            if (st == DVE_OK) {
                good++;
                assert_consistent(&a);
                assert_int_equal(a.bytes, 12);
                dve_array_free(&a);
                continue;
            }
            assert_true(st == DVE_E_INPUT || st == DVE_E_USAGE);
            assert_says(&err, "x.npy: ");
            assert_empty(&a);
        }
    assert_true(good > 128); /* the byte's own value at least, and blanks for blanks */
}

/* ---- files, pipes, stdin ---- */

static void test_files(void **state)
{
    (void)state;
    uint8_t file[256];
    size_t n = build_small(file);
    dve_array a;
    dve_error err;
    put_file(in_folder("small.npy"), file, n);
    assert_int_equal(dve_npy_read(in_folder("small.npy"), NULL, &a, &err), DVE_OK);
    assert_consistent(&a);
    assert_memory_equal(a.data, file + n - 12, 12);
    dve_array_free(&a);
    assert_int_equal(dve_npy_read(in_folder("absent.npy"), NULL, &a, &err), DVE_E_INPUT);
    assert_says(&err, "absent.npy: cannot open: No such file or directory");
    assert_empty(&a);
    assert_int_equal(dve_npy_read(folder, NULL, &a, &err), DVE_E_INPUT);
    assert_says(&err, "it is a directory");
    assert_int_equal(dve_npy_read("/dev/null", NULL, &a, &err), DVE_E_INPUT);
    assert_says(&err, "empty file");
    assert_int_equal(dve_npy_read("", NULL, &a, &err), DVE_E_INPUT);
}

static void test_streams(void **state)
{
    (void)state;
    uint8_t small[256];
    size_t n = build_small(small);
    dve_array a;
    dve_error err;
    for (size_t piece = 1; piece < 200; piece = piece * 3 + 1) {
        assert_int_equal(read_pipe(small, n, piece, &a, &err), DVE_OK);
        assert_consistent(&a);
        assert_memory_equal(a.data, small + n - 12, 12);
        dve_array_free(&a);
    }
    /* stdin may be a file, and may stand in its middle */
    small[n] = 0;
    memmove(small + 5, small, n);
    put_file(in_folder("middle.npy"), small, n + 5);
    int fd = open(in_folder("middle.npy"), O_RDONLY);
    assert_true(fd >= 0 && lseek(fd, 5, SEEK_SET) == 5);
    assert_int_equal(read_stdin(fd, &a, &err), DVE_OK);
    assert_memory_equal(a.data, small + 5 + n - 12, 12);
    dve_array_free(&a);
    (void)close(fd);
}

static void test_fifo(void **state)
{
    (void)state;
    uint8_t small[256];
    size_t n = build_small(small);
    dve_array a;
    dve_error err;
    const char *path = in_folder("fifo.npy");
    int status;
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int fd = open(path, O_WRONLY);
        _exit(fd >= 0 && write(fd, small, n) == (ssize_t)n ? 0 : 1);
    }
    assert_int_equal(dve_npy_read(path, NULL, &a, &err), DVE_OK);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_memory_equal(a.data, small + n - 12, 12);
    dve_array_free(&a);
}

/* Through a pipe memory grows with the data: several growths, and a header that promises 15 GiB costs nothing. */
static void test_growth(void **state)
{
    (void)state;
    enum { BYTES = 5000000 };
    uint8_t *file = malloc(DVE_NPY_HEADER_BYTES + BYTES);
    size_t n;
    dve_array a;
    dve_error err;
    assert_non_null(file);
    assert_int_equal(dve_npy_header(DVE_ARRAY_U8, 5, BYTES / 5, file, DVE_NPY_HEADER_BYTES, &n), DVE_OK);
    for (size_t i = 0; i < BYTES; i++)
        file[n + i] = (uint8_t)(i * 2654435761u >> 13);
    assert_int_equal(read_pipe(file, n + BYTES, 1 << 16, &a, &err), DVE_OK);
    assert_consistent(&a);
    assert_int_equal(a.bytes, BYTES);
    assert_memory_equal(a.data, file + n, BYTES);
    dve_array_free(&a);
    assert_int_equal(dve_npy_header(DVE_ARRAY_F32, 15, 1 << 28, file, DVE_NPY_HEADER_BYTES, &n), DVE_OK);
    assert_int_equal(read_pipe(file, n + BYTES, 1 << 16, &a, &err), DVE_E_INPUT);
    assert_says(&err, "expected 16106127360 bytes from byte offset 128, found 5000000");
    put_file(in_folder("lie.npy"), file, n + 5);
    assert_int_equal(dve_npy_read(in_folder("lie.npy"), NULL, &a, &err), DVE_E_INPUT);
    free(file);
}

/* ---- NumPy itself ---- */

static const char python[] = "/usr/bin/python3";

static void need_numpy(const char *test)
{
    if (access(python, X_OK) == 0 && system("/usr/bin/python3 -c 'import numpy' >/dev/null 2>&1") == 0)
        return;
    (void)fprintf(stderr, "\n*** SKIPPED: %s: %s has no numpy; nothing here was compared with NumPy ***\n\n", test,
                  python);
    skip();
}

/* Runs a script with the folder as its first argument. */
static void run_python(const char *script)
{
    char command[1024];
    put_file(in_folder("script.py"), script, strlen(script));
    (void)snprintf(command, sizeof command, "%s '%s/script.py' '%s'", python, folder, folder);
    assert_int_equal(system(command), 0);
}

static uint8_t *get_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    assert_true(size >= 0 && fseek(f, 0, SEEK_SET) == 0);
    uint8_t *data = malloc((size_t)size + 1);
    assert_non_null(data);
    *n = fread(data, 1, (size_t)size, f);
    (void)fclose(f);
    return data;
}

static void test_numpy_headers(void **state)
{
    (void)state;
    need_numpy("headers");
    run_python("import sys, numpy as np\n"
               "d = sys.argv[1]\n"
               "kinds = ['f4','f2','i1','u1','i2','u2','i4','u4','V1','V2','V4']\n"
               "shapes = [(1,1),(128,8),(3,1000000),(99999,10)]\n"
               "for k, t in enumerate(kinds):\n"
               "    for s, shape in enumerate(shapes):\n"
               "        np.save(f'{d}/h{k+1}-{s}.npy', np.zeros(shape, '<' + t if t[0] != 'V' else t))\n");
    static const uint64_t shapes[4][2] = {{1, 1}, {128, 8}, {3, 1000000}, {99999, 10}};
    for (uint32_t kind = 1; kind <= DVE_ARRAY_V4; kind++)
        for (unsigned s = 0; s < 4; s++) {
            char name[32];
            uint8_t ours[DVE_NPY_HEADER_BYTES];
            size_t n, len;
            (void)snprintf(name, sizeof name, "h%" PRIu32 "-%u.npy", kind, s);
            uint8_t *theirs = get_file(in_folder(name), &n);
            assert_int_equal(dve_npy_header(kind, shapes[s][0], shapes[s][1], ours, sizeof ours, &len), DVE_OK);
            assert_true(n == len + shapes[s][0] * shapes[s][1] * dve_array_kind_size(kind));
            assert_memory_equal(theirs, ours, len);
            free(theirs);
        }
}

/* NumPy writes arrays in many dtypes and orders, and beside each the bytes that it must be read as. */
static const char matrix[] =
    "import sys, numpy as np\n"
    "d = sys.argv[1]\n"
    "rng = np.random.default_rng(1)\n"
    "names = {'f4':1,'f2':2,'i1':3,'u1':4,'i2':5,'u2':6,'i4':7,'u4':8,'V1':9,'V2':10,'V4':11,'f8':1,'i8':7}\n"
    "out, n = open(d + '/list', 'w'), 0\n"
    "for t, kind in names.items():\n"
    "    for order in '<>':\n"
    "        for shape in [(5,), (1,), (1, 1), (3, 4), (130, 7), (2, 3, 4), (70, 2, 3, 2)]:\n"
    "            for fortran in (False, True):\n"
    "                for version in [(1, 0), (2, 0), (3, 0)]:\n"
    "                    size = int(np.prod(shape))\n"
    "                    raw = rng.integers(0, 256, size * int(t[1]), dtype=np.uint8).tobytes()\n"
    "                    a = np.frombuffer(raw, (order if t[0] != 'V' else '|') + t).reshape(shape)\n"
    "                    if t == 'f8': a = (rng.standard_normal(shape) * 1e3).astype(order + t)\n"
    "                    if t == 'i8': a = rng.integers(-2**31, 2**31, shape).astype(order + t)\n"
    "                    if fortran: a = np.asfortranarray(a)\n"
    "                    want = a if t[0] == 'V' else a.astype('<' + {'f8':'f4','i8':'i4'}.get(t, t))\n"
    "                    with open(f'{d}/m{n}.npy', 'wb') as f: np.lib.format.write_array(f, a, version)\n"
    "                    with open(f'{d}/m{n}.raw', 'wb') as f: f.write(want.tobytes('C'))\n"
    "                    rows = 1 if len(shape) == 1 else shape[0]\n"
    "                    out.write(f'{n} {kind} {rows} {size // rows}\\n'); n += 1\n"
    "out.close()\n";

static void test_numpy_arrays(void **state)
{
    (void)state;
    need_numpy("arrays");
    run_python(matrix);
    FILE *list = fopen(in_folder("list"), "r");
    assert_non_null(list);
    unsigned i, count = 0;
    uint32_t kind;
    uint64_t rows, columns;
    while (fscanf(list, "%u %" SCNu32 " %" SCNu64 " %" SCNu64, &i, &kind, &rows, &columns) == 4) {
        char name[32];
        dve_array a;
        dve_error err;
        size_t n;
        (void)snprintf(name, sizeof name, "m%u.raw", i);
        uint8_t *raw = get_file(in_folder(name), &n);
        (void)snprintf(name, sizeof name, "m%u.npy", i);
        if (dve_npy_read(in_folder(name), &converting, &a, &err) != DVE_OK)
            fail_msg("%s", err.text);
        assert_consistent(&a);
        assert_true(a.kind == kind && a.rows == rows && a.columns == columns && a.bytes == n);
        assert_memory_equal(a.data, raw, n);
        dve_array_free(&a);
        free(raw);
        count++;
    }
    (void)fclose(list);
    assert_int_equal(count, 13 * 2 * 7 * 2 * 3);
}

static void test_numpy_refused(void **state)
{
    (void)state;
    need_numpy("refused dtypes");
    run_python("import sys, numpy as np\n"
               "d = sys.argv[1]\n"
               "a = [np.zeros(3, bool), np.zeros(3, 'c8'), np.array([None, 1], object), np.array(['a', 'bc']),\n"
               "     np.array([b'a']), np.zeros(3, 'f8,i4'), np.zeros(3, 'V3'), np.zeros(3, 'M8[ns]'),\n"
               "     np.zeros(3, np.longdouble), np.zeros(3, 'u8'), np.zeros((3, 2), 'f8'), np.zeros(3, 'i8')]\n"
               "for i, x in enumerate(a): np.save(f'{d}/r{i}.npy', x)\n"
               "np.save(d + '/zero.npy', np.float32(1))\n"
               "np.save(d + '/empty.npy', np.zeros((3, 0), 'f4'))\n"
               "np.savez(d + '/z.npz', a=np.zeros(3, 'f4'))\n");
    dve_array a;
    dve_error err;
    for (unsigned i = 0; i < 12; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "r%u.npy", i);
        dve_status st = dve_npy_read(in_folder(name), NULL, &a, &err);
        if (st != DVE_E_USAGE)
            fail_msg("%s: %d %s", name, (int)st, err.text);
        assert_says(&err, "; use ");
    }
    assert_int_equal(dve_npy_read(in_folder("zero.npy"), NULL, &a, &err), DVE_E_INPUT);
    assert_int_equal(dve_npy_read(in_folder("empty.npy"), NULL, &a, &err), DVE_E_INPUT);
    assert_says(&err, "empty array");
    assert_int_equal(dve_npy_read(in_folder("z.npz"), NULL, &a, &err), DVE_E_INPUT);
    assert_says(&err, "zip archive");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_bytes),    cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_spellings),       cmocka_unit_test(test_byte_orders),
        cmocka_unit_test(test_fortran),         cmocka_unit_test(test_flattening),
        cmocka_unit_test(test_refused_dtypes),  cmocka_unit_test(test_malformed_headers),
        cmocka_unit_test(test_shapes_refused),  cmocka_unit_test(test_not_npy),
        cmocka_unit_test(test_convert_f64),     cmocka_unit_test(test_convert_i64),
        cmocka_unit_test(test_truncation),      cmocka_unit_test(test_trailing),
        cmocka_unit_test(test_corruption),      cmocka_unit_test(test_files),
        cmocka_unit_test(test_streams),         cmocka_unit_test(test_fifo),
        cmocka_unit_test(test_growth),          cmocka_unit_test(test_numpy_headers),
        cmocka_unit_test(test_numpy_arrays),    cmocka_unit_test(test_numpy_refused),
    };
    return cmocka_run_group_tests_name("npy", tests, folder_make, folder_remove);
}
