/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "util.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Offsets and counts of a text are kept in 32 bits; this keeps them far from wrapping. */
#define LARGEST_FILE ((size_t)1 << 30)

int fail(int code, const char *format, ...)
{
    va_list list;
    fprintf(stderr, "%s: ", program_name);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return code;
}

void *resize(void *old, size_t count, size_t element)
{
    if (count == 0)
        count = 1;
    void *result = count > SIZE_MAX / element ? NULL : realloc(old, count * element);
    if (!result)
        exit(fail(INTERNAL, "out of memory for %zu elements of %zu bytes", count, element));
    return result;
}

bool takes(const char *option, int argc, char **argv, int *i, const char **value)
{
    const size_t length = strlen(option);
    if (strncmp(argv[*i], option, length) != 0)
        return false;
    if (argv[*i][length] == '=') {
        *value = argv[*i] + length + 1;
        return true;
    }
    if (argv[*i][length] != 0)
        return false;
    *value = *i + 1 < argc ? argv[++*i] : NULL;
    return true;
}

int read_arguments(option_reader *option, void *context, int argc, char **argv, int *operand_count)
{
    bool options = true;
    *operand_count = 0;
    for (int i = 0; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
        } else if (options && argv[i][0] == '-' && argv[i][1] != 0) {
            int code = option(context, argc, argv, &i);
            if (code != OK)
                return code;
        } else {
            argv[(*operand_count)++] = argv[i];
        }
    }
    return OK;
}

int read_number(const char *option, const char *text, uint32_t smallest, uint32_t largest, uint32_t *result)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    const size_t valid = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (valid > 0 && valid < 12 && digits[valid] == 0) {
        unsigned long long value = strtoull(digits, NULL, hex ? 16 : 10);
        if (value >= smallest && value <= largest) {
            *result = (uint32_t)value;
            return OK;
        }
    }
    return fail(BAD_USAGE, "%s: \"%s\" is no number from %" PRIu32 " to %" PRIu32, option, text, smallest, largest);
}

static int read_stream(FILE *in, const char *path, struct bytes *result)
{
    size_t room = 0;
    *result = (struct bytes){NULL, 0};
    do {
        if (result->size == room) {
            room = room ? room * 2 : 1 << 16;
            result->data = resize(result->data, room, 1);
        }
        result->size += fread(result->data + result->size, 1, room - result->size, in);
    } while (!feof(in) && !ferror(in) && result->size <= LARGEST_FILE);

    int code = OK;
    if (ferror(in))
        code = fail(BAD_INPUT, "cannot read %s: %s", path, strerror(errno));
    else if (result->size > LARGEST_FILE)
        code = fail(BAD_INPUT, "%s is larger than %zu bytes, the most that this program takes", path, LARGEST_FILE);
    if (code != OK) {
        free(result->data);
        *result = (struct bytes){NULL, 0};
    }
    return code;
}

int read_file(const char *path, struct bytes *result)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, "standard input", result);
    FILE *in = fopen(path, "rb");
    if (!in)
        return fail(BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    int code = read_stream(in, path, result);
    fclose(in);
    return code;
}

/* Renaming over /dev/full or a symbolic link would replace it; only regular files and free names are renamed to. */
static bool is_special(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

int output_open(struct output *out, const char *path)
{
    *out = (struct output){path, NULL, NULL};
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return OK;
    }
    if (!is_special(path)) {
        size_t room = strlen(path) + 32;
        out->temporary = resize(NULL, room, 1);
        snprintf(out->temporary, room, "%s.%ld.partial", path, (long)getpid());
    }
    /* "x" never opens what somebody else put there. */
    out->stream = fopen(out->temporary ? out->temporary : path, out->temporary ? "wbx" : "wb");
    if (out->stream)
        return OK;
    int why = errno;
    free(out->temporary);
    out->temporary = NULL;
    return fail(BAD_OUTPUT, "cannot write %s: %s", path, strerror(why));
}

int output_finish(struct output *out)
{
    bool bad = ferror(out->stream) != 0;
    int why = errno;
    if (fflush(out->stream) != 0) {
        bad = true;
        why = errno;
    }
    if (out->stream != stdout && fclose(out->stream) != 0 && !bad) {
        bad = true;
        why = errno;
    }
    out->stream = NULL;
    return bad ? fail(BAD_OUTPUT, "cannot write %s: %s", out->path, strerror(why)) : OK;
}

int output_commit(struct output *out)
{
    if (out->temporary && rename(out->temporary, out->path) != 0)
        return fail(BAD_OUTPUT, "cannot write %s: %s", out->path, strerror(errno));
    free(out->temporary);
    out->temporary = NULL;
    return OK;
}

void output_drop(struct output *out)
{
    if (out->stream && out->stream != stdout)
        fclose(out->stream);
    out->stream = NULL;
    if (out->temporary)
        remove(out->temporary);
    free(out->temporary);
    out->temporary = NULL;
}
