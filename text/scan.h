/* SPDX-License-Identifier: Apache-2.0 */
/* One line under the reader's finger, and what is wrong with it. */
#ifndef DVE_TEXT_SCAN_H
#define DVE_TEXT_SCAN_H

#include "guess.h"
#include "syntax.h"

typedef struct dve_scan {
    const char *text;
    size_t length, at;
    dve_text_source *source;
    dve_text_result *out;
} dve_scan;

/* Letters, digits and '_' from some place on: a name or a number. */
typedef struct dve_word {
    const char *text;
    size_t at, length;
} dve_word;

/* Records an error of bytes from..to (at least one), and answers 0. `hint` may be NULL; formats as dve_emit_add. */
int dve_scan_fail(dve_scan *s, size_t from, size_t to, const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The same for what stands here: "...: X was found". */
int dve_scan_expected(dve_scan *s, const char *what, const char *hint);

void dve_scan_blanks(dve_scan *s);
/* Whether nothing but a comment is left; skips blanks. */
int dve_scan_done(dve_scan *s);
/* Takes `c`, after blanks, if it is there; dve_scan_must complains otherwise: "X is missing". */
int dve_scan_take(dve_scan *s, char c);
int dve_scan_must(dve_scan *s, char c, const char *hint);
/* The next word, after blanks; of length 0 where none begins. It is taken. */
dve_word dve_scan_word(dve_scan *s);
/* The next word without taking it. */
dve_word dve_scan_peek(dve_scan *s);
static inline int dve_word_is(dve_word word, const char *name)
{
    size_t i = 0;
    while (i < word.length && name[i] == word.text[i])   /* a name's end is no part of a word */
        i++;
    return i == word.length && !name[i];
}
/* The value of a hexadecimal digit, 16 for any other byte. */
unsigned dve_scan_digit(char c);
/* Moves behind the damaged value: to a blank or comma outside of brackets. */
void dve_scan_skip(dve_scan *s);
/* "; did you mean X?" as a hint: "did you mean X?" in `out`, or `otherwise`. */
const char *dve_scan_hint(const dve_guess *guess, const char *otherwise, char *out, size_t capacity);

/* Values. Each answers 1, or 0 after an error; `what` is what messages call them. */
int dve_scan_number(dve_scan *s, const char *what, uint32_t low, uint32_t high, uint32_t *out);
int dve_scan_signed(dve_scan *s, const char *what, unsigned width, uint32_t *out);
int dve_scan_f32(dve_scan *s, const char *what, uint32_t *out);
int dve_scan_word_value(dve_scan *s, const char *what, uint32_t *out);
int dve_scan_named(dve_scan *s, const char *what, const char *set, uint32_t high, uint32_t *out);
int dve_scan_dtype(dve_scan *s, const char *what, uint32_t high, uint32_t *out);
int dve_scan_hex(dve_scan *s, const char *what, unsigned bytes, uint32_t *value);
/* "sbuf" or "psum", already taken as `word`: [P], or [P:C] where `partitions` is not NULL, and +OFF. */
int dve_scan_place(dve_scan *s, dve_word word, dve_place *out, uint32_t *partitions);
/* An address word; *tensor is the tensor that a name stands for, else NULL. */
int dve_scan_address(dve_scan *s, uint32_t *word, const dve_tensor **tensor);
int dve_scan_operand(dve_scan *s, const dve_operand_info *operand, uint32_t dtype_high, dve_insn *insn,
                     uint32_t *dtype);

#endif
