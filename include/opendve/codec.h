/* SPDX-License-Identifier: Apache-2.0 */
/* Records and their fields. Decoding and encoding are total: every 64-byte string decodes, and the
 * result encodes to the same 64 bytes. Whether a record is legal is check.h's question. */
#ifndef OPENDVE_CODEC_H
#define OPENDVE_CODEC_H

#include <opendve/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One instruction as it stands in memory; multi-byte fields are little-endian. */
typedef struct dve_record {
    uint8_t byte[DVE_RECORD_BYTES];
} dve_record;

/* A decoded record: the bits of each field, zero-extended, in the slots that DVE_SLOT_FORMAT_field
 * numbers. Slots behind the format's last are zero. */
typedef struct dve_insn {
    uint8_t format;
    uint32_t value[DVE_MAX_SLOTS];
} dve_insn;

void dve_decode(const dve_record *record, dve_insn *out);
void dve_encode(const dve_insn *insn, dve_record *out);

/* The format that decoding gives the record: its opcode's, but sub-operation 2 of extended_inst has its own. */
uint8_t dve_record_format(const dve_record *record);
/* The record's active channels as they stand in it (ports counted as channels); 0 where the format has none. */
uint32_t dve_insn_channels(const dve_insn *insn);

static inline uint8_t dve_insn_opcode(const dve_insn *insn)
{
    return (uint8_t)insn->value[DVE_SLOT_RAW_opcode];
}

/* A tensor operand: element (x, y, z, w) of a lane lies at
 * address + size * (x step[0] + y step[1] + z step[2] + w step[3]), x fastest; steps in elements.
 * Dimensions that the operand lacks have step 0, count 1. */
typedef struct dve_pattern {
    uint32_t addr;               /* the address word, marker included */
    int16_t step[4];
    uint16_t num[4];
    uint8_t dims;
    uint8_t dtype;               /* wire code as it stands in the record */
} dve_pattern;

/* `operand` must be one of insn's format. */
void dve_insn_pattern(const dve_insn *insn, const dve_operand_info *operand, dve_pattern *out);
/* Elements per lane: the product of the counts, 0 if one is 0. */
uint64_t dve_pattern_count(const dve_pattern *pattern);
/* Lowest and highest byte that the walk touches, relative to its start; `size` is the element size in
 * bytes. Both 0 for a pattern without elements. */
void dve_pattern_extent(const dve_pattern *pattern, uint32_t size, int64_t *lowest, int64_t *highest);

/* The indirect arm of an operand of form MEMORY or INDIRECT: where the list of indices lies, where the data,
 * and how many indices there are. The record means it where dve_insn_indirect answers nonzero, that is,
 * where the marker of the operand's address word is INDIRECT_IMM or INDIRECT_REG; *out is filled anyway. */
typedef struct dve_indirect {
    uint32_t index, data;        /* address words */
    uint16_t count;
} dve_indirect;

int dve_insn_indirect(const dve_insn *insn, const dve_operand_info *operand, dve_indirect *out);

/* The block-scaled destination of quantize_mx: words of four values each upwards or downwards from `data`, one
 * scale for 8 partitions x 4 values from `scale`. */
typedef struct dve_mx_pattern {
    uint32_t data, scale;        /* address words */
    uint16_t extent;             /* values a lane, before packing */
    int8_t step;                 /* 1 or -1 words; 0 where the record holds neither */
    uint8_t scale_partition;
    uint8_t dtype;
} dve_mx_pattern;

/* `insn` must be of format S3DMX1_QUANT. */
void dve_insn_mx(const dve_insn *insn, dve_mx_pattern *out);

/* Address words. The marker stands in the top three bits, see enum ADDR_MARKER. */
static inline uint8_t dve_addr_marker(uint32_t word)
{
    return (uint8_t)(word >> 24 & 0xe0);
}
static inline int dve_addr_indirect(uint32_t word)
{
    return (word >> 29 & 3) == 1;
}
static inline int dve_addr_shape_register(uint32_t word)
{
    return (word >> 30 & 1) != 0;
}

typedef enum dve_space { DVE_SPACE_SBUF, DVE_SPACE_PSUM } dve_space;

/* A place of the on-chip memories; `offset` counts bytes inside the partition's stride. */
typedef struct dve_place {
    dve_space space;
    uint32_t partition, offset;
} dve_place;

/* Place of an immediate address; 0 if it lies in neither memory (then *out is zero). */
int dve_addr_place(uint32_t word, uint8_t gen, dve_place *out);
/* The address of a place. */
uint32_t dve_place_addr(const dve_place *place, uint8_t gen);

#ifdef __cplusplus
}
#endif
#endif
