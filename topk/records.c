/* SPDX-License-Identifier: Apache-2.0 */
/* The records of one search, lowered as compilers lower the calls (rulings R3 and R4). */
#include "plan.h"
#include <string.h>

/* A tensor operand of one dimension: `count` elements from `offset` bytes behind a place. */
typedef struct run_of {
    uint32_t addr;
    int16_t step;
    uint16_t count;
} run_of;

static run_of forwards(uint8_t gen, const dve_place *place, uint32_t offset, uint32_t count)
{
    dve_place at = {place->space, place->partition, place->offset + offset};
    return (run_of){dve_place_addr(&at, gen), 1, (uint16_t)count};
}

/* From the last element to the first. */
static run_of backwards(uint8_t gen, const dve_place *place, uint32_t offset, uint32_t count, uint32_t size)
{
    run_of out = forwards(gen, place, offset + (count - 1) * size, count);
    out.step = -1;
    return out;
}

#define SET_OPERAND(insn, format, name, operand)                                            \
    do {                                                                                    \
        (insn)->value[DVE_SLOT_##format##_##name##_start_addr] = (operand).addr;            \
        (insn)->value[DVE_SLOT_##format##_##name##_step0] = (uint16_t)(operand).step;       \
        (insn)->value[DVE_SLOT_##format##_##name##_num0] = (operand).count;                 \
        (insn)->value[DVE_SLOT_##format##_##name##_num1] = 1;                               \
    } while (0)
#define SET_OPERAND4(insn, format, name, operand)                  \
    do {                                                           \
        SET_OPERAND(insn, format, name, operand);                  \
        (insn)->value[DVE_SLOT_##format##_##name##_num2] = 1;      \
        (insn)->value[DVE_SLOT_##format##_##name##_num3] = 1;      \
    } while (0)

static dve_insn frame(uint8_t format, uint8_t opcode)
{
    dve_insn insn;
    memset(&insn, 0, sizeof insn);
    insn.format = format;
    insn.value[DVE_SLOT_RAW_opcode] = opcode;
    insn.value[DVE_SLOT_RAW_inst_word_len] = DVE_RECORD_BYTES / 4;
    return insn;
}

/* Max8 and FindIndex8. */
static void search_record(uint8_t opcode, uint32_t channels, uint8_t in, run_of src, uint8_t out, run_of dst,
                          dve_record *record)
{
    dve_insn insn = frame(DVE_FORMAT_S4D2_BN, opcode);
    SET_OPERAND4(&insn, S4D2_BN, src, src);
    SET_OPERAND(&insn, S4D2_BN, dst, dst);
    insn.value[DVE_SLOT_S4D2_BN_in_dtype] = in;
    insn.value[DVE_SLOT_S4D2_BN_out_dtype] = out;
    insn.value[DVE_SLOT_S4D2_BN_num_active_channels] = channels;
    dve_encode(&insn, record);
}

static void load_record(uint32_t channels, uint8_t dtype, run_of src, dve_record *record)
{
    dve_insn insn = frame(DVE_FORMAT_S2_BN, DVE_OPCODE_MATCH_VALUE_LOAD);
    SET_OPERAND(&insn, S2_BN, src, src);
    insn.value[DVE_SLOT_S2_BN_dtype] = dtype;
    insn.value[DVE_SLOT_S2_BN_num_active_channels] = channels;
    dve_encode(&insn, record);
}

/* In place: source and destination are one walk. */
static void replace_record(uint32_t channels, uint8_t dtype, run_of data, uint32_t replacement, dve_record *record)
{
    dve_insn insn = frame(DVE_FORMAT_S4D4_MR, DVE_OPCODE_MATCH_REPLACE8);
    SET_OPERAND4(&insn, S4D4_MR, src, data);
    SET_OPERAND4(&insn, S4D4_MR, dst, data);
    insn.value[DVE_SLOT_S4D4_MR_in_dtype] = dtype;
    insn.value[DVE_SLOT_S4D4_MR_out_dtype] = dtype;
    insn.value[DVE_SLOT_S4D4_MR_num_active_channels] = channels;
    insn.value[DVE_SLOT_S4D4_MR_immediate] = replacement;
    dve_encode(&insn, record);
}

static void read_record(uint32_t channels, run_of dst, dve_record *record)
{
    dve_insn insn = frame(DVE_FORMAT_D4_MR, DVE_OPCODE_DVE_READ_INDICES);
    SET_OPERAND4(&insn, D4_MR, dst, dst);
    insn.value[DVE_SLOT_D4_MR_dst_element_count] = 8;
    insn.value[DVE_SLOT_D4_MR_dtype] = DVE_DTYPE_UINT32;
    insn.value[DVE_SLOT_D4_MR_num_active_channels] = channels;
    dve_encode(&insn, record);
}

/* Cast between two dense rows. */
static void cast_record(uint32_t channels, uint8_t in, run_of src, uint8_t out, run_of dst, dve_record *record)
{
    dve_insn insn = frame(DVE_FORMAT_S4D4_TR, DVE_OPCODE_CAST);
    SET_OPERAND4(&insn, S4D4_TR, src, src);
    SET_OPERAND4(&insn, S4D4_TR, dst, dst);
    insn.value[DVE_SLOT_S4D4_TR_in_dtype] = in;
    insn.value[DVE_SLOT_S4D4_TR_out_dtype] = out;
    insn.value[DVE_SLOT_S4D4_TR_num_active_channels] = channels;
    dve_encode(&insn, record);
}

void dve_search_lay_out(const dve_topk_options *options, dve_search *s)
{
    uint32_t size = dve_num_size(dve_topk_working_dtype(options));
    s->rounds = (s->winners + 7) / 8;
    s->loaded = s->width < 8 ? 8 : s->width;
    s->data = (dve_place){DVE_SPACE_SBUF, 0, 0};
    s->values = (dve_place){DVE_SPACE_SBUF, 0, (s->loaded * size + 3) / 4 * 4};
    s->indices = (dve_place){DVE_SPACE_SBUF, 0, s->values.offset + s->rounds * 8 * size};
    s->raw = s->values;
}

/* Round `r`; answers how many records it takes, at most 5. The last one has nothing left to hide, unless
 * the positions come out of the replacement. */
static unsigned round_records(const dve_topk_options *o, const dve_search *s, uint32_t r, dve_record out[5])
{
    uint8_t dtype = dve_topk_working_dtype(o);
    uint32_t size = dve_num_size(dtype), value_at = r * 8 * size, index_at = r * 8 * 4;
    static const dve_num_config num;
    uint32_t replacement = dve_num_to_f32(&num, dtype, dve_topk_marker(o));
    run_of data = forwards(o->gen, &s->data, 0, s->loaded);
    run_of up = forwards(o->gen, &s->values, value_at, 8);
    run_of down = backwards(o->gen, &s->values, value_at, 8, size);
    run_of positions = forwards(o->gen, &s->indices, index_at, 8);
    unsigned n = 0;
    search_record(DVE_OPCODE_MAX8, s->channels, dtype, data, dtype, down, &out[n++]);
    if (o->method == DVE_TOPK_FIND) {
        load_record(s->channels, dtype, down, &out[n++]);
        search_record(DVE_OPCODE_FIND_INDEX8, s->channels, dtype, data, DVE_DTYPE_UINT32, positions, &out[n++]);
        if (r + 1 == s->rounds)
            return n;
    }
    load_record(s->channels, dtype, up, &out[n++]);
    replace_record(s->channels, dtype, data, replacement, &out[n++]);
    if (o->method == DVE_TOPK_REPLACE_INDICES)
        read_record(s->channels, backwards(o->gen, &s->indices, index_at, 8, 4), &out[n++]);
    return n;
}

dve_status dve_search_records(dve_plan *plan, const dve_search *s)
{
    const dve_topk_options *o = &plan->options;
    void *items = plan->records;
    int fits = dve_plan_reserve(&items, plan->record_count, &plan->record_room, (size_t)s->rounds * 5 + 2,
                                sizeof *plan->records);
    plan->records = items;
    if (!fits)
        return DVE_E_INTERNAL;
    if (s->casts_in)
        cast_record(s->channels, o->dtype, forwards(o->gen, &s->raw, 0, s->width), DVE_DTYPE_FP32,
                    forwards(o->gen, &s->data, 0, s->width), &plan->records[plan->record_count++]);
    for (uint32_t r = 0; r < s->rounds; r++)
        plan->record_count += round_records(o, s, r, plan->records + plan->record_count);
    if (s->casts_out)
        cast_record(s->channels, DVE_DTYPE_FP32, forwards(o->gen, &s->values, 0, s->winners), o->dtype,
                    forwards(o->gen, &s->data, 0, s->winners), &plan->records[plan->record_count++]);
    return DVE_OK;
}
