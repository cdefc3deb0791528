/* SPDX-License-Identifier: Apache-2.0 */
#include "emit.h"
#include <string.h>

void dve_emit_bytes(dve_emit *e, const char *text, size_t length)
{
    if (e->length + length < e->capacity)
        memcpy(e->out + e->length, text, length);
    else
        for (size_t i = 0; i < length && e->length + i + 1 < e->capacity; i++)
            e->out[e->length + i] = text[i];
    e->length += length;
}

void dve_emit_text(dve_emit *e, const char *text)
{
    dve_emit_bytes(e, text, strlen(text));
}

void dve_emit_decimal(dve_emit *e, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    dve_emit_bytes(e, digits + at, sizeof digits - at);
}

void dve_emit_hex(dve_emit *e, uint64_t value, unsigned digits)
{
    char text[16];
    size_t at = sizeof text;
    do
        text[--at] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    while (sizeof text - at < digits && at)
        text[--at] = '0';
    dve_emit_bytes(e, text + at, sizeof text - at);
}

static void emit_signed(dve_emit *e, int value)
{
    if (value < 0)
        dve_emit_char(e, '-');
    dve_emit_decimal(e, value < 0 ? (uint64_t)-(int64_t)value : (uint64_t)value);
}

/* One argument; *format stands behind the '%' and is left at its last letter. */
static void emit_argument(dve_emit *e, const char **format, va_list *arguments)
{
    const char *text;
    switch (**format) {
    case 's':
        dve_emit_text(e, va_arg(*arguments, const char *));
        break;
    case '.':                                    /* %.*s: a length and a text without an end */
        *format += 2;
        int length = va_arg(*arguments, int);
        text = va_arg(*arguments, const char *);
        dve_emit_bytes(e, text, length > 0 ? (size_t)length : 0);
        break;
    case 'u':
        dve_emit_decimal(e, va_arg(*arguments, unsigned));
        break;
    case 'd':
        emit_signed(e, va_arg(*arguments, int));
        break;
    case 'x':
        dve_emit_hex(e, va_arg(*arguments, unsigned), 1);
        break;
    case 'c':
        dve_emit_char(e, (char)va_arg(*arguments, int));
        break;
    default:
        dve_emit_char(e, **format);
        break;
    }
}

void dve_emit_list(dve_emit *e, const char *format, va_list *arguments)
{
    for (; *format; format++)
        if (*format == '%') {
            format++;
            emit_argument(e, &format, arguments);
        } else {
            dve_emit_char(e, *format);
        }
}

void dve_emit_add(dve_emit *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    dve_emit_list(e, format, &arguments);
    va_end(arguments);
}

size_t dve_emit_end(dve_emit *e)
{
    if (e->capacity)
        e->out[e->length < e->capacity ? e->length : e->capacity - 1] = '\0';
    return e->length;
}
