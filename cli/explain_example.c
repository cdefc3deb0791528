/* SPDX-License-Identifier: Apache-2.0 */
/* Worked examples: .dve text and values from isa/examples.def, run on a machine through the public interface. */
#include "explain.h"
#include <opendve/host.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    uint8_t opcode;
    const char *title, *source, *data;
} rows[] = {
#define EXAMPLE(opcode, title, source, data) {DVE_OPCODE_##opcode, title, source, data},
#include <opendve/isa/examples.def>
#undef EXAMPLE
};

static dve_status defect(const struct row *row, const char *what)
{
    return cli_fail(DVE_E_INTERNAL, "the example of %s: %s", dve_opcode(row->opcode)->mnemonic, what);
}

/* ---- values ---- */

static size_t values_of(const explain_tensor *t)
{
    return (size_t)t->tensor->partitions * t->tensor->elements;
}

static int is_integer(uint8_t dtype)
{
    return (dtype >= DVE_DTYPE_INT8 && dtype <= DVE_DTYPE_UINT16) || dtype == DVE_DTYPE_INT32 ||
           dtype == DVE_DTYPE_UINT32;
}

static uint32_t bits_of(const dve_tensor *tensor, const char *text, char **end)
{
    static const dve_num_config num;
    float value;
    uint32_t bits;
    if (is_integer(tensor->dtype))
        return (uint32_t)strtoll(text, end, 0);
    value = strtof(text, end);
    memcpy(&bits, &value, sizeof bits);
    return dve_num_from_f32(&num, tensor->dtype, bits);
}

size_t cli_example_value(const explain_tensor *t, const uint8_t *values, size_t at, char *out, size_t capacity)
{
    static const dve_num_config num;
    char text[DVE_F32_TEXT];
    uint32_t size = dve_num_size(t->tensor->dtype), bits = dve_num_load_bits(size, values + at * size);
    uint32_t sign = size < 4 ? UINT32_C(1) << (8 * size - 1) : UINT32_C(0x80000000);
    if (values == t->after && !t->written[at])
        return (size_t)snprintf(out, capacity, "?");
    if (!is_integer(t->tensor->dtype))
        return (size_t)snprintf(out, capacity, "%s", dve_f32_text(dve_num_to_f32(&num, t->tensor->dtype, bits), text));
    int is_signed = t->tensor->dtype == DVE_DTYPE_INT8 || t->tensor->dtype == DVE_DTYPE_INT16 ||
                    t->tensor->dtype == DVE_DTYPE_INT32;
    int64_t value = is_signed && bits & sign ? (int64_t)bits - 2 * (int64_t)sign : (int64_t)bits;
    return (size_t)snprintf(out, capacity, "%lld", (long long)value);
}

/* "3 1 4 | 1 5 9" up to ';' or the end, or "ramp"; 0 where the values are not as many as the tensor has. */
static int fill(explain_tensor *t, const char *text)
{
    uint32_t size = dve_num_size(t->tensor->dtype);
    size_t count = values_of(t), at = 0;
    char word[24], *end;
    text += strspn(text, " ");
    int ramp = strncmp(text, "ramp", 4) == 0;
    for (; ramp && at < count; at++) {
        snprintf(word, sizeof word, "%zu", at);
        dve_num_store_bits(size, bits_of(t->tensor, word, &end), t->before + at * size);
    }
    while (!ramp && *(text += strspn(text, " |")) && *text != ';') {
        uint32_t bits = bits_of(t->tensor, text, &end);
        if (end == text || at == count)
            return 0;
        dve_num_store_bits(size, bits, t->before + at++ * size);
        text = end;
    }
    t->given = 1;
    return at == count;
}

static dve_status fill_all(explain_example *e, const struct row *row)
{
    for (const char *text = row->data; *(text += strspn(text, " ;"));) {
        size_t length = strcspn(text, ":");
        explain_tensor *t = e->tensor;
        while (t < e->tensor + e->tensors &&
               (strlen(t->tensor->name) != length || memcmp(t->tensor->name, text, length)))
            t++;
        if (t == e->tensor + e->tensors || !fill(t, text + length + 1))
            return defect(row, "its data do not fit its tensors");
        text += strcspn(text, ";");
    }
    return DVE_OK;
}

/* ---- text ---- */

static dve_status take_line(explain_example *e, const struct row *row, const char *line, size_t length)
{
    dve_text_result result;
    if (dve_text_parse(&e->text, line, length, &result) != DVE_OK)
        return defect(row, result.error[0].message);
    if (result.kind != DVE_TEXT_RECORD)
        return DVE_OK;
    if (e->records == EXPLAIN_RECORDS)
        return defect(row, "too many records");
    dve_encode(&result.insn, &e->record[e->records++]);
    return DVE_OK;
}

static dve_status parse(explain_example *e, const struct row *row)
{
    dve_text_begin(&e->text, e->gen);
    dve_status status = take_line(e, row, ".dve 1", 6);
    for (const char *line = row->source; *line && !status;) {
        size_t length = strcspn(line, "\n");
        status = take_line(e, row, line, length);
        line += length + 1;
    }
    if (!status && (!e->records || e->text.tensors > EXPLAIN_TENSORS))
        status = defect(row, "no record, or too many tensors");
    return status;
}

static dve_status make_tensors(explain_example *e)
{
    e->tensors = e->text.tensors;
    for (unsigned i = 0; i < e->tensors; i++) {
        explain_tensor *t = &e->tensor[i];
        t->tensor = &e->text.tensor[i];
        size_t count = values_of(t), bytes = count * dve_num_size(t->tensor->dtype);
        t->before = calloc(bytes + 1, 1);
        t->after = calloc(bytes + 1, 1);
        t->written = calloc(count, 1);
        if (!t->before || !t->after || !t->written)
            return cli_fail(DVE_E_INTERNAL, "not enough memory");
    }
    return DVE_OK;
}

/* ---- machine ---- */

static dve_place row_of(const explain_tensor *t, uint32_t row)
{
    dve_place place = t->tensor->place;
    place.partition += row;
    return place;
}

static void put(dve_machine *m, const explain_tensor *t)
{
    uint32_t active, bytes = t->tensor->elements * dve_num_size(t->tensor->dtype);
    for (uint32_t row = 0; row < t->tensor->partitions; row++) {
        dve_place place = row_of(t, row);
        uint8_t *memory = dve_machine_bytes(m, place.space, place.partition, &active) + place.offset;
        memcpy(memory, t->before + row * bytes, bytes);
        dve_machine_mark(m, &place, bytes);
    }
}

static void get(dve_machine *m, explain_tensor *t)
{
    uint32_t active, first, size = dve_num_size(t->tensor->dtype), bytes = t->tensor->elements * size;
    for (uint32_t row = 0; row < t->tensor->partitions; row++) {
        dve_place place = row_of(t, row);
        uint8_t *memory = dve_machine_bytes(m, place.space, place.partition, &active) + place.offset;
        memcpy(t->after + row * bytes, memory, bytes);
        for (uint32_t i = 0; i < t->tensor->elements; i++, place.offset += size)
            t->written[row * t->tensor->elements + i] = dve_machine_unwritten(m, &place, size, &first) == 0;
    }
    t->shown = !t->given || memcmp(t->before, t->after, (size_t)bytes * t->tensor->partitions) != 0;
}

static void on_hazard(void *context, const dve_hazard *hazard)
{
    (void)hazard;
    ((explain_example *)context)->hazards++;
}

static void on_step(void *context, const dve_step *step)
{
    ((explain_example *)context)->cycles += step->cycles;
}

static void get_state(explain_example *e, dve_machine *m)
{
    for (unsigned part = 0; part < DVE_STATE_PARTS; part++) {
        const dve_producer *producer = dve_machine_producer(m, (uint8_t)(1u << part));
        if (!producer || !producer->channels)
            continue;
        e->state |= 1u << part;
        if (producer->channels > e->lanes)
            e->lanes = producer->channels;
    }
    for (unsigned lane = 0; lane < 2; lane++)
        e->lane[lane] = *dve_machine_lane(m, lane);
}

static dve_status run(explain_example *e)
{
    dve_machine_config config;
    dve_machine_defaults(&config);
    config.gen = e->gen;
    config.observer = (dve_observer){e, on_step, on_hazard};
    dve_machine *m = dve_machine_new(&config);
    if (!m)
        return cli_fail(DVE_E_INTERNAL, "not enough memory for a machine");
    for (unsigned i = 0; i < e->tensors; i++)
        if (e->tensor[i].given)
            put(m, &e->tensor[i]);
    e->executed = dve_machine_run(m, e->record, e->records, &e->stop) == DVE_OK;
    for (unsigned i = 0; i < e->tensors && e->executed; i++)
        get(m, &e->tensor[i]);
    if (e->executed)
        get_state(e, m);
    dve_machine_free(m);
    return DVE_OK;
}

/* ---- all of it ---- */

static uint8_t gen_of(uint8_t opcode, uint8_t gen)
{
    if (dve_opcode_present(opcode, gen))
        return gen;
    for (uint8_t g = DVE_GEN_FIRST; g <= DVE_GEN_LAST; g++)
        if (dve_opcode_present(opcode, g))
            return g;
    return gen;
}

dve_status cli_example_new(uint8_t opcode, uint8_t gen, explain_example **out)
{
    const struct row *row = rows;
    *out = NULL;
    while (row < rows + sizeof rows / sizeof rows[0] && row->opcode != opcode)
        row++;
    if (row == rows + sizeof rows / sizeof rows[0])
        return DVE_OK;
    explain_example *e = calloc(1, sizeof *e);
    if (!e)
        return cli_fail(DVE_E_INTERNAL, "not enough memory");
    e->gen = gen_of(opcode, gen);
    e->title = row->title;
    e->source = row->source;
    dve_status status = parse(e, row);
    if (!status)
        status = make_tensors(e);
    if (!status)
        status = fill_all(e, row);
    if (!status && dve_opcode_executes(opcode, e->gen))
        status = run(e);
    if (status) {
        cli_example_free(e);
        return status;
    }
    *out = e;
    return DVE_OK;
}

void cli_example_free(explain_example *e)
{
    for (unsigned i = 0; e && i < EXPLAIN_TENSORS; i++) {
        free(e->tensor[i].before);
        free(e->tensor[i].after);
        free(e->tensor[i].written);
    }
    free(e);
}

const char *cli_example_why_not(const explain_example *e, uint8_t opcode)
{
    const char *engine = dve_opcode_engine(opcode, e->gen);
    if (e->stop.reason)
        return "the machine refused it";
    if (strcmp(engine, "DVE") != 0 && !dve_effect(opcode))
        return "it is no instruction of the vector engine";
    if (strcmp(engine, "DVE") != 0)
        return "another engine runs such records";
    const dve_effect_info *effect = dve_effect(opcode);
    return effect && effect->conf == 'U' ? "what it computes is not established" : "this version does not execute it";
}
