/* SPDX-License-Identifier: Apache-2.0 */
/* Records of instructions whose operands and channels stand anywhere, for tests. */
#ifndef TEST_MOVES_H
#define TEST_MOVES_H

#include "machines.h"
#include "test.h"

/* record_base with another number of channels. */
static inline dve_record moves_record(uint8_t opcode, uint32_t channels)
{
    dve_record record;
    dve_insn insn;
    record_base(opcode, &record);
    dve_decode(&record, &insn);
    if (dve_format(insn.format)->channels_slot)
        insn.value[dve_format(insn.format)->channels_slot] = channels;
    dve_encode(&insn, &record);
    return record;
}

/* Gives the n-th operand of the record one dimension. */
static inline void moves_operand(dve_record *record, unsigned n, uint32_t addr, int step, uint32_t count)
{
    size_t rows;
    dve_insn insn;
    dve_decode(record, &insn);
    const dve_operand_info *row = dve_isa_operands(&rows) + dve_format(insn.format)->first_operand + n;
    uint32_t *value = &insn.value[row->addr_slot];
    value[0] = addr;
    for (unsigned d = 0; d < row->dims; d++) {
        value[1 + d] = d ? 1 : (uint16_t)step;
        value[1 + row->dims + d] = d ? 1 : count;
    }
    dve_encode(&insn, record);
}

/* Puts words into SBUF, and compares with what stands there. */
#define PUT(w, partition, offset, bytes, ...)                               \
    put_words(w, partition, offset, bytes, (const uint32_t[]){__VA_ARGS__}, \
              LENGTH(((const uint32_t[]){__VA_ARGS__})))
#define WORDS_ARE(w, partition, offset, bytes, ...)                         \
    words_are(w, partition, offset, bytes, (const uint32_t[]){__VA_ARGS__}, \
              (uint32_t)LENGTH(((const uint32_t[]){__VA_ARGS__})))

static inline void words_are(watched *w, uint32_t partition, uint32_t offset, unsigned bytes, const uint32_t *wanted,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(get_word(w, partition, offset + bytes * i, bytes), wanted[i]);
}

#endif
