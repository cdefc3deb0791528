/* SPDX-License-Identifier: Apache-2.0 */
/* MNEMONIC name=value name=value ... */
#include "parse.h"
#include <string.h>

enum { SHOWN = 60, HINT = 128, EXTENDED_AT = 12 };
enum { BY_OPERAND = 1, BY_NAME = 2 };        /* where a value came from */

typedef struct reading {
    dve_scan *s;
    dve_insn *insn;
    dve_layout layout;
    const char *mnemonic;
    uint8_t seen[DVE_MAX_SLOTS];     /* BY_OPERAND, BY_NAME; of an operand: that of its address */
    uint8_t meant[DVE_MAX_SLOTS];    /* an unknown name was near to this operand's */
} reading;

/* A name that stands before '='. */
typedef struct named {
    dve_word word;
    int shown;                       /* its length in messages */
} named;

static int twice(reading *r, const named *n)
{
    return dve_scan_fail(r->s, n->word.at, n->word.at + n->word.length, "", "%.*s is given twice", n->shown,
                         n->word.text);
}

static const dve_field_info *field_at_slot(const reading *r, unsigned slot)
{
    const dve_field_info *field = r->layout.field;
    while (field->slot != slot)
        field++;
    return field;
}

/* The data type of an operand stands in a field that another operand may share. */
static int set_dtype(reading *r, size_t from, unsigned slot, uint32_t dtype, uint8_t by)
{
    char other[32];
    if (r->seen[slot] && r->insn->value[slot] != dtype) {
        dve_emit e = {.out = other, .capacity = sizeof other};
        dve_emit_dtype(&e, r->insn->value[slot]);
        dve_emit_end(&e);
        return dve_scan_fail(r->s, from, r->s->at, "operands that share a data type must agree",
                             "%s is %s already", field_at_slot(r, slot)->name, other);
    }
    r->insn->value[slot] = dtype;
    r->seen[slot] |= by;
    return 1;
}

static int parse_operand(reading *r, const named *n, const dve_operand_info *operand)
{
    uint32_t dtype = 0, high = dve_field_mask(field_at_slot(r, operand->dtype_slot));
    if (r->seen[operand->addr_slot])
        return twice(r, n);
    r->seen[operand->addr_slot] = 1;
    dve_scan_blanks(r->s);
    size_t from = r->s->at;
    return dve_scan_operand(r->s, operand, high, r->insn, &dtype) &&
           set_dtype(r, from, operand->dtype_slot, dtype, BY_OPERAND);
}

/* MODE(INDEX), or MODE alone for index 0 */
static int parse_event(reading *r, const named *n, const char *set, unsigned mode, unsigned index)
{
    uint32_t *value = r->insn->value;
    if (r->seen[mode] || r->seen[index])
        return twice(r, n);
    r->seen[mode] = r->seen[index] = BY_NAME;
    if (!dve_scan_named(r->s, "mode", set, UINT8_MAX, &value[mode]))
        return 0;
    return !dve_scan_take(r->s, '(') || (dve_scan_number(r->s, "index", 0, UINT8_MAX, &value[index]) &&
                                         dve_scan_must(r->s, ')', "an event is written sem_ge_imm(3)"));
}

static int parse_field(reading *r, const named *n, const dve_field_info *field)
{
    dve_scan *s = r->s;
    uint32_t *value = &r->insn->value[field->slot], mask = dve_field_mask(field);
    const dve_tensor *tensor;
    uint32_t dtype = 0;
    if (r->seen[field->slot] & BY_NAME)
        return twice(r, n);
    dve_scan_blanks(s);
    size_t from = s->at;
    if (dve_form_of(field) == DVE_FORM_DTYPE)
        return dve_scan_dtype(s, field->name, mask, &dtype) && set_dtype(r, from, field->slot, dtype, BY_NAME);
    r->seen[field->slot] |= BY_NAME;
    switch (dve_form_of(field)) {
    case DVE_FORM_SIGNED: return dve_scan_signed(s, field->name, field->width, value);
    case DVE_FORM_F32: return dve_scan_f32(s, field->name, value);
    case DVE_FORM_WORD: return dve_scan_word_value(s, field->name, value);
    case DVE_FORM_NAMED: return dve_scan_named(s, field->name, field->type, mask, value);
    case DVE_FORM_ADDR: return dve_scan_address(s, value, &tensor);
    case DVE_FORM_BYTES: return dve_scan_hex(s, field->name, field->width / 8u, value);
    default: return dve_scan_number(s, field->name, 0, mask, value);
    }
}

static int unknown_field(reading *r, const named *n)
{
    char hint[HINT];
    const dve_layout *l = &r->layout;
    dve_guess guess = dve_guess_begin(n->word.text, n->word.length);
    for (unsigned i = 0; i < l->format->operands; i++) {
        dve_guess_try(&guess, l->operand[i].name);
        if (guess.best == l->operand[i].name)
            r->meant[l->operand[i].addr_slot] = 1;
    }
    for (unsigned i = 1; i < l->format->fields; i++)
        if (dve_role_of(l, i) != DVE_ROLE_OPERAND)
            dve_guess_try(&guess, l->field[i].name);
    dve_guess_try(&guess, "wait");
    dve_guess_try(&guess, "update");
    dve_guess_try(&guess, "value");
    return dve_scan_fail(r->s, n->word.at, n->word.at + n->word.length,
                         dve_scan_hint(&guess, "`opendve isa fields` lists the fields", hint, sizeof hint),
                         "%s has no field %.*s", r->mnemonic, n->shown, n->word.text);
}

static int part_of_operand(reading *r, const named *n, unsigned slot)
{
    for (unsigned i = 0; i < r->layout.format->operands; i++) {
        const dve_operand_info *operand = &r->layout.operand[i];
        if (slot >= operand->addr_slot && slot <= operand->addr_slot + 2u * operand->dims) {
            char hint[HINT];
            dve_emit e = {.out = hint, .capacity = sizeof hint};
            dve_emit_add(&e, "write the whole operand: %s=sbuf[0]+0x0:fp32[1:8]", operand->name);
            dve_emit_end(&e);
            return dve_scan_fail(r->s, n->word.at, n->word.at + n->word.length, hint, "%.*s is part of operand %s",
                                 n->shown, n->word.text, operand->name);
        }
    }
    return unknown_field(r, n);
}

static int parse_value(reading *r, const named *n)
{
    const dve_layout *l = &r->layout;
    for (unsigned i = 0; i < l->format->operands; i++)
        if (dve_word_is(n->word, l->operand[i].name))
            return parse_operand(r, n, &l->operand[i]);
    if (dve_word_is(n->word, "wait"))
        return parse_event(r, n, "WAIT_MODE", DVE_SLOT_RAW_wait_mode, DVE_SLOT_RAW_wait_idx);
    if (dve_word_is(n->word, "update"))
        return parse_event(r, n, "UPDATE_MODE", DVE_SLOT_RAW_update_mode, DVE_SLOT_RAW_update_idx);
    if (dve_word_is(n->word, "value"))
        return parse_field(r, n, &l->field[DVE_SLOT_RAW_semaphore_value]);
    for (unsigned i = 1; i < l->format->fields; i++) {
        if (!dve_word_is(n->word, l->field[i].name))
            continue;
        if (dve_role_of(l, i) == DVE_ROLE_OPERAND && l->field[i].kind != DVE_KIND_DTYPE)
            return part_of_operand(r, n, l->field[i].slot);
        return parse_field(r, n, &l->field[i]);
    }
    return unknown_field(r, n);
}

/* NAME = VALUE, and what may stand behind it. */
static int parse_pair(reading *r)
{
    dve_scan *s = r->s;
    named n = {.word = dve_scan_word(s)};
    n.shown = (int)(n.word.length < SHOWN ? n.word.length : SHOWN);
    if (!n.word.length)
        return dve_scan_expected(s, "a field", "fields are written name=value");
    if (!dve_scan_must(s, '=', "fields are written name=value"))
        return 0;
    if (!parse_value(r, &n))
        return 0;
    if (dve_scan_done(s) || s->text[s->at] == ',' || s->text[s->at - 1] == ' ' || s->text[s->at - 1] == '\t')
        return 1;
    return dve_scan_expected(s, "a blank", "fields stand apart by a blank or a comma");
}

static void parse_pairs(reading *r)
{
    dve_scan *s = r->s;
    while (!dve_scan_done(s)) {
        size_t from = s->at;
        if (!parse_pair(r)) {
            if (s->at == from)
                s->at++;
            dve_scan_skip(s);
        }
        if (dve_scan_take(s, ',') && dve_scan_done(s))
            dve_scan_fail(s, s->at, s->at, "", "a field is missing behind the comma");
    }
}

/* Operands and the number of channels have no default. */
static void complain_of_missing(reading *r, dve_word mnemonic)
{
    const dve_layout *l = &r->layout;
    const char *missing[DVE_MAX_SLOTS];
    unsigned count = 0;
    char list[HINT];
    dve_emit e = {.out = list, .capacity = sizeof list};
    for (unsigned i = 0; i < l->format->operands; i++)
        if (!r->seen[l->operand[i].addr_slot] && !r->meant[l->operand[i].addr_slot])
            missing[count++] = l->operand[i].name;
    for (unsigned i = 0; i < l->format->fields; i++)
        if (l->field[i].kind == DVE_KIND_CHANNELS && !r->seen[l->field[i].slot])
            missing[count++] = l->field[i].name;
    if (!count)
        return;
    for (unsigned i = 0; i < count; i++)
        dve_emit_add(&e, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", missing[i]);
    dve_emit_end(&e);
    dve_scan_fail(r->s, mnemonic.at, mnemonic.at + mnemonic.length,
                  l->format->operands ? "operands are written src=sbuf[0]+0x40:fp32[1:8]" : "", "%s lacks %s",
                  r->mnemonic, list);
}

/* 128 hex digits, blanks between them as one likes. */
static void parse_raw(dve_scan *s, dve_word mnemonic, dve_insn *insn)
{
    static const char hint[] = "raw is followed by the 64 bytes, two hex digits each";
    dve_record bytes;
    unsigned digits = 0;
    memset(&bytes, 0, sizeof bytes);
    for (; !dve_scan_done(s); s->at++, digits++) {
        unsigned value = dve_scan_digit(s->text[s->at]);
        if (value == 16) {
            dve_scan_fail(s, s->at, s->at, hint, "no hex digit");
            return;
        }
        if (digits < 2 * DVE_RECORD_BYTES)
            bytes.byte[digits / 2] |= (uint8_t)(value << (digits % 2 ? 0 : 4));
    }
    if (digits != 2 * DVE_RECORD_BYTES)
        dve_scan_fail(s, mnemonic.at, s->at, hint, "%u hex digits were given, needed are %d", digits,
                      2 * DVE_RECORD_BYTES);
    dve_decode(&bytes, insn);
}

static void unknown_mnemonic(dve_scan *s, dve_word word)
{
    size_t rows;
    char hint[HINT];
    const dve_opcode_info *row = dve_isa_opcodes(&rows);
    dve_guess guess = dve_guess_begin(word.text, word.length);
    for (size_t i = 0; i < rows; i++)
        dve_guess_try(&guess, row[i].mnemonic);
    dve_guess_try(&guess, "raw");
    dve_scan_fail(s, word.at, s->at, dve_scan_hint(&guess, "`opendve isa opcodes` lists them", hint, sizeof hint),
                  "there is no instruction %.*s", (int)(word.length < SHOWN ? word.length : SHOWN), word.text);
}

/* The row of a mnemonic or of one of its other names; NULL if there is none. */
static const dve_opcode_info *opcode_named(dve_word word)
{
    char name[64];
    if (word.length >= sizeof name)
        return NULL;
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    return dve_opcode_by_mnemonic(name);
}

/* The format of a line. That of extended_inst depends on its sub-operation, which may stand anywhere. */
static uint8_t format_of(const dve_scan *s, const dve_opcode_info *opcode)
{
    dve_text_result unheard;
    dve_scan ahead = *s;
    dve_record record;
    uint32_t sub = 0;
    if (opcode->format != DVE_FORMAT_EXTENDED)
        return opcode->format;
    unheard.errors = 0;
    ahead.out = &unheard;
    while (!dve_scan_done(&ahead)) {
        dve_word word = dve_scan_word(&ahead);
        if (dve_word_is(word, "extended_opcode") && dve_scan_take(&ahead, '=') &&
            dve_scan_named(&ahead, "", "EXTENDED_OP", UINT8_MAX, &sub))
            break;
        ahead.at += word.length == 0;
    }
    memset(&record, 0, sizeof record);
    record.byte[0] = opcode->value;
    record.byte[EXTENDED_AT] = (uint8_t)sub;
    return dve_record_format(&record);
}

void dve_parse_record(dve_scan *s, dve_insn *insn)
{
    dve_word mnemonic = dve_scan_word(s);
    if (!mnemonic.length) {
        dve_scan_expected(s, "an instruction", "a line is MNEMONIC name=value ..., a directive, or a comment");
        return;
    }
    if (dve_word_is(mnemonic, "raw")) {
        parse_raw(s, mnemonic, insn);
        return;
    }
    const dve_opcode_info *opcode = opcode_named(mnemonic);
    if (!opcode) {
        unknown_mnemonic(s, mnemonic);
        return;
    }
    insn->format = format_of(s, opcode);
    reading r = {.s = s, .insn = insn, .layout = dve_layout_of(insn->format), .mnemonic = opcode->mnemonic};
    insn->value[DVE_SLOT_RAW_opcode] = opcode->value;
    insn->value[DVE_SLOT_RAW_inst_word_len] = DVE_FRAME_WORDS;
    parse_pairs(&r);
    complain_of_missing(&r, mnemonic);
}
