/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows in a caller's buffer: no heap, no stdio, no locale. */
#ifndef DVE_TEXT_EMIT_H
#define DVE_TEXT_EMIT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* `length` counts what was wanted, also where the buffer is too short for it. */
typedef struct dve_emit {
    char *out;
    size_t capacity, length;
} dve_emit;

static inline void dve_emit_char(dve_emit *e, char c)
{
    if (e->length + 1 < e->capacity)
        e->out[e->length] = c;
    e->length++;
}

void dve_emit_text(dve_emit *e, const char *text);
void dve_emit_bytes(dve_emit *e, const char *text, size_t length);
void dve_emit_decimal(dve_emit *e, uint64_t value);
/* At least `digits` hexadecimal digits, without 0x. */
void dve_emit_hex(dve_emit *e, uint64_t value, unsigned digits);
/* Of printf's formats: %s %.*s %u %d %x %c %%. */
void dve_emit_add(dve_emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void dve_emit_list(dve_emit *e, const char *format, va_list *arguments);
/* The shortest decimal that reads back as the same fp32; every NaN is "nan". */
void dve_emit_f32(dve_emit *e, uint32_t bits);
/* Ends the text with a zero byte; answers the length that was wanted. */
size_t dve_emit_end(dve_emit *e);

#endif
