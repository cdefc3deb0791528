/* SPDX-License-Identifier: Apache-2.0 */
/* Says of most legal records that they are legal, in a fraction of the time that asking every rule takes.
 *
 * The same rows of isa/rules.def become straight code here, one function a format, with the opcode a constant in each
 * use, so that compilers leave only the rules that apply. What all tensor operands are asked is asked at once. A
 * predicate without a short form here is asked as check.c asks it; a new one does not compile until it is in the list.
 * Answers are necessary and sufficient only in one direction: 0 says nothing, and check.c then asks every rule. */
#include "check.h"
#include <string.h>

#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#define SHARED static __attribute__((noinline))      /* code that is used for many opcodes stays in the caches */
#else
#define INLINE static inline
#define SHARED static
#endif

/* A memory: addresses from `base` on, partitions 1 << shift apart of which `active` bytes are real. */
typedef struct memory {
    uint32_t base, active, inside;   /* bits of an address that are the byte of a partition */
    uint8_t shift;
} memory;

typedef struct quick {
    const dve_insn *insn;
    const uint32_t *v;
    const memory *memory;            /* SBUF and PSUM of the generation */
    const uint8_t *size;             /* its data types */
    uint32_t channels;
    uint32_t start_mask, start_room; /* bits that a start partition has not; lanes from it on, 1 if any will do */
    uint8_t gen, mark;
    uint64_t count[DVE_MAX_SLOTS];   /* of each operand, in the slot of its first count */
} quick;

/* Tables of this file alone, so that compilers see what is in them. */
static const uint8_t slots[] = {
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) DVE_SLOT_##format##_##name,
#include <opendve/isa/formats.def>
};
static const uint16_t widths[] = {
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) width,
#include <opendve/isa/formats.def>
};
static const uint32_t dtype_sets[] = {
#define ONE(dtype) | 1u << DVE_DTYPE_##dtype
#define DTYPE_SET(name, text, members) 0 members,
#include <opendve/isa/sets.def>
#undef ONE
};
#define MARK(gens, m) ((gens)[m] == 'Y' || (gens)[m] == 'n' || (gens)[m] == '.' || (gens)[m] == 'P')
#define MARKS(gens) (MARK(gens, 0) | MARK(gens, 1) << 1 | MARK(gens, 2) << 2 | MARK(gens, 3) << 3)
#define ASKED(gens) (((gens)[0] == 'Y') | ((gens)[1] == 'Y') << 1 | ((gens)[2] == 'Y') << 2 | ((gens)[3] == 'Y') << 3)

/* Enums: which generations have a member, and which set each field is of. */
enum {
#define ENUM_SET(name) SET_##name,
#include <opendve/isa/enumsets.def>
    SETS
};
static const uint8_t members[SETS][256] = {
#define ENUM(set, name, value, text, gens, meaning, source, conf) [SET_##set][value] = MARKS(gens),
#include <opendve/isa/enums.def>
#undef ENUM
};
static const uint8_t sets[] = {
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) SET_##type,
#include <opendve/isa/formats.def>
};
static const uint8_t operators[][256] = {
#define OP(name) [DVE_ALU_OP_##name] = 1,
#define OPERATOR_SET(name, text, list) [DVE_OPERATORS_##name] = {list},
#include <opendve/isa/sets.def>
#undef OP
};

/* Bytes of the data types in each generation; 0 for what it lacks. */
static const uint8_t sizes[DVE_GEN_COUNT][256] = {
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) [code] = MARK(gens, 0) ? bytes : 0,
    {
#include <opendve/isa/dtypes.def>
#undef DTYPE
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) [code] = MARK(gens, 1) ? bytes : 0,
    }, {
#include <opendve/isa/dtypes.def>
#undef DTYPE
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) [code] = MARK(gens, 2) ? bytes : 0,
    }, {
#include <opendve/isa/dtypes.def>
#undef DTYPE
#define DTYPE(name, code, text, bytes, gens, meaning, source, conf) [code] = MARK(gens, 3) ? bytes : 0,
    }, {
#include <opendve/isa/dtypes.def>
#undef DTYPE
    },
};

INLINE uint32_t size_of(const quick *q, uint32_t code)
{
    return q->size[code & 255];
}

/* Sizes are those of the generation that it runs as; of one that runs as another nothing is said here. */
#define LOG2(n) (15 + ((n) > 1 << 15) + ((n) > 1 << 16) + ((n) > 1 << 17) + ((n) > 1 << 18) + ((n) > 1 << 19))
static const memory memories[DVE_GEN_COUNT][2] = {
#define GENERATION(number, name, aliases, clock, sbuf_active, sbuf_stride, psum_active, psum_stride, runs_as, note, \
                   source, conf)                                                                                    \
    [number - DVE_GEN_FIRST] = {{0, number == runs_as ? sbuf_active : 0, sbuf_stride - 1, LOG2(sbuf_stride)},       \
                                {DVE_PSUM_BASE, number == runs_as ? psum_active : 0, psum_stride - 1, LOG2(psum_stride)}},
#include <opendve/isa/generations.def>
#undef GENERATION
};
#define GENERATION(number, name, aliases, clock, sbuf_active, sbuf_stride, psum_active, psum_stride, runs_as, note, \
                   source, conf)                                                                                    \
    _Static_assert(1 << LOG2(sbuf_stride) == sbuf_stride && 1 << LOG2(psum_stride) == psum_stride &&                \
                   DVE_PSUM_BASE == DVE_LANES * sbuf_stride && DVE_PSUM_END == DVE_PSUM_BASE + DVE_LANES * psum_stride, \
                   "partitions of " name);
#include <opendve/isa/generations.def>
#undef GENERATION

static const memory *memory_of(const quick *q, uint32_t word)
{
    return &q->memory[word >= DVE_PSUM_BASE];
}

static uint32_t partition_of(const memory *m, uint32_t word)
{
    return (word - m->base) >> m->shift;
}

/* Which start partitions the record's channels take (R13). */
INLINE void starts_of(quick *q, uint32_t starts)
{
    q->start_mask = starts ? starts - 1 : q->channels > 64 ? 127 : q->channels > 32 ? 63 : 31;
    q->start_room = starts && q->channels ? q->channels : 1;
}

/* A plain address at which each lane finds something; `align` is a power of two. No partition of 0..127 is outside both
 * memories. */
INLINE int place_good(const quick *q, uint32_t word, uint32_t align)
{
    const memory *m = memory_of(q, word);
    uint32_t partition = partition_of(m, word);
    return (((word & (align - 1)) | (partition & q->start_mask)) == 0) & (partition + q->start_room <= DVE_LANES) &
           ((word & m->inside) < m->active);
}

/* An operand with a plain address, all of it legal; `write` is all ones or 0. What must not be is gathered in `bad`, and
 * in `room` what must not be negative. */
INLINE int operand_good(quick *q, unsigned slot, unsigned dims, uint32_t write, unsigned dtype_slot)
{
    const uint32_t *v = q->v + slot;
    uint32_t word = v[0], size = size_of(q, q->v[dtype_slot]);
    const memory *m = memory_of(q, word);
    uint32_t partition = partition_of(m, word), psum = 0u - (word >= DVE_PSUM_BASE);
    uint32_t bad = (word & (size - 1)) | (partition & q->start_mask) | (write & psum & (size ^ 4));
    int64_t offset = word & m->inside, low = 0, all = 0, room;
    uint64_t count = 1;
    for (unsigned d = 0; d < dims; d++) {
        uint16_t num = (uint16_t)v[1 + dims + d];
        int32_t step = (int32_t)((v[1 + d] & 0xffff) ^ 0x8000) - 0x8000;
        int64_t reach = (int64_t)step * ((int64_t)num - 1);
        low += reach & -(int64_t)(reach < 0);
        all += reach;
        count *= num;
    }
    q->count[slot + 1 + dims] = count;
    room = (int64_t)(DVE_LANES - q->start_room) - partition;
    room |= offset + low * size;
    room |= m->active - offset - (all - low + 1) * size;
    return (bad == 0) & (room >= 0) & (count != 0) & (size != 0);
}

#define OPERAND_OF(dims)                                                               \
    SHARED int operand_##dims(quick *q, unsigned slot, uint32_t write, unsigned dtype_slot) \
    {                                                                                  \
        return operand_good(q, slot, dims, write, dtype_slot);                         \
    }
OPERAND_OF(1) OPERAND_OF(2) OPERAND_OF(3) OPERAND_OF(4)

/* An operand that is read by way of a list of indices whose address stands in the record (R29). */
SHARED int listed_good(quick *q, unsigned slot, unsigned dims, unsigned dtype_slot)
{
    const uint32_t *v = q->v + slot;
    uint32_t index = v[0] & DVE_ADDR_MASK, data = (v[1] & 0xffff) | v[2] << 16;
    uint32_t size = size_of(q, q->v[dtype_slot]);
    int same = partition_of(q->memory, index) / 32 == partition_of(q->memory, data) / 32;    /* PSUM's are none of them */
    q->count[slot + 1 + dims] = 0;   /* not known: rules on counts ask nothing */
    return dve_addr_marker(v[0]) == DVE_ADDR_MARKER_INDIRECT_IMM && size && place_good(q, index, 4) &&
           place_good(q, data, size) && (v[3] & 0xffff) && (data >= DVE_PSUM_BASE || same);
}

/* Two plain addresses in SBUF, in one quadrant; or one of them in PSUM. */
enum { OTHER, SAME, ONE_PSUM };
static int quadrants(const quick *q, uint32_t a, uint32_t b)
{
    int psum = (a >= DVE_PSUM_BASE) + (b >= DVE_PSUM_BASE);
    if (a >= DVE_PSUM_END || b >= DVE_PSUM_END || !q->memory->active)
        return OTHER;
    return psum == 1 ? ONE_PSUM : psum == 0 && partition_of(q->memory, a) / 32 == partition_of(q->memory, b) / 32 ? SAME : OTHER;
}

/* Where a pointer points, invalid standing for fp32 where a rule on the data type allows it. */
static int pointer_good(const quick *q, uint32_t word, uint32_t align)
{
    return place_good(q, word, align);
}

static uint32_t alignment_of(const quick *q, uint32_t dtype)
{
    uint32_t size = size_of(q, dtype);
    return dtype == DVE_DTYPE_INVALID ? 4 : size ? size : 1;
}

INLINE uint32_t or_of(const uint32_t *v, unsigned n)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < n; i++)
        all |= v[i];
    return all;
}

SHARED int bytes_good(const uint32_t *v, unsigned bytes, uint32_t below, uint32_t also)
{
    int good = 1;
    for (unsigned b = 0; b < bytes; b++) {
        uint32_t byte = v[b / 4] >> 8 * (b % 4) & 0xff;
        good &= (byte < below) | (byte == also);
    }
    return good;
}

/* Elements that are left of an operand when the dimensions up to one of a code are; 0 if it is no code. */
static uint64_t collapsed(const quick *q, unsigned counts, unsigned dims, uint32_t subdim)
{
    uint64_t group = 1;
    if (subdim < DVE_SUBDIM_X || subdim > DVE_SUBDIM_XYZW)
        return 0;
    for (unsigned d = 0; d < dims && d + 1 < subdim; d++)
        group *= q->v[counts + d] & 0xffff;
    return q->count[counts] / group;
}

/* Asks a rule as check.c does. */
static int ask(const quick *q, uint16_t number, dve_predicate_fn *predicate)
{
    size_t rows;
    dve_checker c;
    memset(&c, 0, sizeof c);
    c.insn = q->insn;
    c.format = dve_format(q->insn->format);
    c.fields = dve_isa_fields(&rows) + c.format->first_field;
    c.operands = dve_isa_operands(&rows) + c.format->first_operand;
    c.channels = q->channels;
    c.gen = q->gen;
    c.rule = &dve_isa_rules(&rows)[number];
    c.rule_number = number;
    predicate(&c);
    return c.broken == 0;
}

/* ---- Short forms ----
 * x is the field's value, n the slot of the field, low and high as in the row. AT(row) is the value of the field of a
 * row, ASK(NAME) the long form. */

#define AT(row) (q->v[slots[row]])
#define COUNTED(row) (q->count[slots[row]])
#define ASK(name) ask(q, rule, dve_ask_##name)
#define Q_PRESENT(x, n, low, high) 1             /* see opcode_good */
#define Q_EQUAL(x, n, low, high) ((x) == (low))
#define Q_EQUAL_EXCEPT(x, n, low, high) (op == (high) || (x) == (low))
#define Q_EITHER(x, n, low, high) ((x) == (low) || (x) == (high))
#define Q_RANGE(x, n, low, high) ((uint32_t)(x) - (uint32_t)(low) <= (uint32_t)(high) - (uint32_t)(low))
#define Q_ONE_OF(x, n, low, high) ((x) < 32 && (uint32_t)(low) >> ((x) & 31) & 1)
#define Q_MULTIPLE(x, n, low, high) ((x) % (low) == 0)
#define Q_MULTIPLE_WHEN(x, n, low, high) (!AT(high) || (x) % (low) == 0)
#define Q_ZERO_WHEN(x, n, low, high) (AT(low) != (high) || !(x))
#define Q_ZERO_UNLESS(x, n, low, high) (AT(low) == (high) || !(x))
#define Q_ONE_UNLESS(x, n, low, high) (AT(low) == (high) || (x) == 0x3f800000u)
#define Q_MEMBER(x, n, low, high) (members[sets[row]][(x) & 255] >> q->mark & 1)
#define Q_ZERO_VALUE(x, n, low, high) (((x) << 1) == 0)
#define Q_FINITE(x, n, low, high) (((x) & 0x7f800000u) != 0x7f800000u)
#define Q_RESERVED(x, n, low, high) 1            /* see reserved_ and operands_ of the format, and those below */
#define Q_DTYPE_IN(x, n, low, high) ((x) < 32 && dtype_sets[low] >> ((x) & 31) & 1)
#define Q_DTYPE_IN_WHEN(x, n, low, high) (!AT(high) || Q_DTYPE_IN(x, n, low, high))
#define Q_DTYPE_SAME(x, n, low, high) ((x) == AT(low))
#define Q_OPERATOR_IN(x, n, low, high) (operators[low][(x) & 255] && members[SET_ALU_OP][(x) & 255] >> q->mark & 1)
#define FITS(x, low) (size_of(q, AT(low)) == 4 || ASK(FITS_DTYPE))
#define Q_FITS_DTYPE(x, n, low, high) FITS(x, low)
#define Q_INLINE_FITS(x, n, low, high) (AT(high) != DVE_IMM_SRC_INSTRUCTION || size_of(q, AT(low)) == 4 || ASK(INLINE_FITS))
#define Q_INLINE_BOOL(x, n, low, high) (AT(low) != DVE_IMM_SRC_INSTRUCTION || (x) <= 1)
/* A number of bytes, or of the row of a data type; rows of formats with such rules come behind those of the frame. */
#define ALIGNMENT(low) ((low) <= DVE_FIELD_RAW_semaphore_value ? (low) : alignment_of(q, AT(low)))
#define Q_SCALAR(x, n, low, high)                                                                            \
    (AT(high) == DVE_IMM_SRC_INSTRUCTION ||                                                                  \
     (AT(high) == DVE_IMM_SRC_POINTER && pointer_good(q, x, ALIGNMENT(low))) || ASK(SCALAR))
#define Q_COUNT_RANGE(x, n, low, high) (q->count[n] - (uint64_t)(low) <= (uint64_t)(high) - (uint64_t)(low))
#define Q_COUNT_MULTIPLE(x, n, low, high) (q->count[n] % (low) == 0)
#define Q_COUNT_MULTIPLE_WHEN(x, n, low, high) (!AT(high) || q->count[n] % (low) == 0)
#define Q_COUNT_SAME(x, n, low, high) (q->count[n] == COUNTED(low))
#define Q_COUNT_AT_MOST(x, n, low, high) (q->count[n] <= COUNTED(low))
#define Q_COUNT_ONE_MORE(x, n, low, high) (q->count[n] == COUNTED(low) + 1)
#define Q_COUNT_TWICE(x, n, low, high) (q->count[n] % 2 == 0 && q->count[n] / 2 == COUNTED(low))
#define Q_COUNT_FIELD(x, n, low, high) ((written && (x) == q->count[written]) || ASK(COUNT_FIELD))
#define Q_NUM_EQUAL(x, n, low, high) ((x) == (low))
#define Q_ALIGNED(x, n, low, high) ((x) % (low) == 0)            /* an operand's: no marker */
#define Q_IN_SBUF(x, n, low, high) ((x) < DVE_PSUM_BASE || ASK(IN_SBUF))
#define Q_ADDR_MARKER(x, n, low, high) 1
#define Q_ADDR_REGISTER(x, n, low, high) 1
#define Q_ADDR_ALIGNED(x, n, low, high) 1
#define Q_ADDR_WINDOW(x, n, low, high) 1
#define Q_START_PARTITION(x, n, low, high) 1
#define Q_START_ACTIVE(x, n, low, high) 1
#define Q_PSUM_WRITE(x, n, low, high) 1
#define Q_NUM_NONZERO(x, n, low, high) 1
#define Q_WALK_INSIDE(x, n, low, high) 1
#define Q_INDIRECT_DATA(x, n, low, high) 1
#define Q_INDIRECT_COUNT(x, n, low, high) 1
#define Q_INDIRECT_QUADRANT(x, n, low, high) 1
#define Q_POWER_OF_TWO(x, n, low, high) (((x) & ((x) - 1)) == 0 && Q_RANGE(x, n, low, high))
#define BITS_OF_FIELD(n) or_of(&q->v[n], (widths[row] + 31u) / 32u)
#define Q_BYTES_ZERO(x, n, low, high) (BITS_OF_FIELD(n) == 0)
#define Q_MASK_BYTES(x, n, low, high) bytes_good(&q->v[n], widths[row] / 8u, low, high)
#define Q_DTYPE_SAME_WIDTH(x, n, low, high) (size_of(q, x) == size_of(q, AT(low)) && size_of(q, x))
#define Q_OP_DTYPE(x, n, low, high) \
    (dve_op_is_integer(AT(low)) ? Q_DTYPE_IN(x, n, DVE_DTYPES_WIDE_INTEGER, 0) : Q_DTYPE_IN(x, n, high, 0))
#define Q_SHIFT_COUNT(x, n, low, high) ((x) == AT(low) || ASK(SHIFT_COUNT))
#define Q_RECORD_DTYPE(x, n, low, high) ASK(RECORD_DTYPE)
#define Q_THRESHOLD_DTYPE(x, n, low, high) ASK(THRESHOLD_DTYPE)
#define Q_INT_PAIR(x, n, low, high) (!(dve_op_is_integer(x) || dve_op_is_integer(AT(low))) || ASK(INT_PAIR))
#define Q_SIGNEDNESS(x, n, low, high) ASK(SIGNEDNESS)
#define Q_SHIFTS(x, n, low, high) (size_of(q, x) == 4 || ASK(SHIFTS))
#define Q_POINTER(x, n, low, high)                                                                           \
    ((((high) == DVE_FIELD_NONE || AT(high) == DVE_IMM_SRC_POINTER) && pointer_good(q, x, ALIGNMENT(low))) || \
     ASK(POINTER))
#define Q_PLAIN_ADDRESS(x, n, low, high) ASK(PLAIN_ADDRESS)
#define Q_INDEX_BASE(x, n, low, high) ASK(INDEX_BASE)
#define Q_INDEX_END(x, n, low, high) ASK(INDEX_END)
#define Q_BELOW(x, n, low, high) ASK(BELOW)
#define Q_COUNT_COLLAPSED(x, n, low, high) \
    ((read && q->count[n] == collapsed(q, read, read_dims, AT(low)) * (high)) || ASK(COUNT_COLLAPSED))
#define Q_COUNT_TAGS(x, n, low, high) ASK(COUNT_TAGS)
#define Q_GROUP_AT_LEAST(x, n, low, high) ASK(GROUP_AT_LEAST)
#define Q_STATE_WORDS(x, n, low, high) ASK(STATE_WORDS)
#define Q_INDEX_COUNT(x, n, low, high) ASK(INDEX_COUNT)
#define Q_THREE_BY_ONE(x, n, low, high) \
    ((q->count[n] == 3 && (q->v[n] == 1 || q->v[(n) + 1] == 1)) || ASK(THREE_BY_ONE))
#define Q_PAIR(x, n, low, high) (quadrants(q, x, AT(low)) == ONE_PSUM || quadrants(q, x, AT(low)) == SAME || ASK(PAIR))
#define Q_SAME_QUADRANT(x, n, low, high) (quadrants(q, x, AT(low)) == SAME || ASK(SAME_QUADRANT))

/* ---- Formats ---- */

/* Channels as they stand in the record, 0 where there are none or too many. */
#define FORMAT(format, starts, meaning, source, conf) \
    INLINE uint32_t channels_##format(const quick *q) \
    {                                                 \
        uint32_t channels = 0;                        \
        (void)q;
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) \
    if (DVE_KIND_##kind == DVE_KIND_CHANNELS || DVE_KIND_##kind == DVE_KIND_PORTS)           \
        channels = DVE_KIND_##kind == DVE_KIND_CHANNELS ? q->v[DVE_SLOT_##format##_##name] : dve_insn_channels(q->insn);
#define END(format)                                    \
        return channels > DVE_LANES ? 0 : channels;    \
    }
#include <opendve/isa/formats.def>

/* Reserved fields are zero; operands are good and counted. */
#define FORMAT(format, starts, meaning, source, conf)      \
    SHARED int shape_##format(quick *q)                    \
    {                                                      \
        uint32_t reserved = 0;                             \
        int good = 1;                                      \
        q->channels = channels_##format(q);                \
        starts_of(q, starts);
#define FIELD(format, name, byte, bit, width, kind, type, gens, unit, meaning, source, conf) \
    if (DVE_KIND_##kind == DVE_KIND_ZERO)                                                    \
        reserved |= or_of(&q->v[DVE_SLOT_##format##_##name], ((width) + 31) / 32);
#define OPERAND(format, name, byte, dims, access, dtype, form)                                                     \
    good = good && (DVE_OPERAND_##form != DVE_OPERAND_INDIRECT                                                     \
                        ? operand_##dims(q, DVE_SLOT_##format##_##name##_start_addr, 0u - (DVE_ACCESS_##access == DVE_ACCESS_WRITE), \
                                         DVE_SLOT_##format##_##dtype)                                              \
                        : DVE_ACCESS_##access == DVE_ACCESS_READ &&                                                \
                              listed_good(q, DVE_SLOT_##format##_##name##_start_addr, dims, DVE_SLOT_##format##_##dtype));
#define END(format)              \
        return good && !reserved; \
    }
#include <opendve/isa/formats.def>

/* Where the counts of the first operand that is read stand, or of the one that is written; 0 if there is none. */
#define FORMAT(format, starts, meaning, source, conf)                        \
    INLINE unsigned counts_##format(int access, unsigned *dimensions)        \
    {                                                                        \
        unsigned at = 0, found = 0;                                          \
        (void)access;                                                        \
        *dimensions = 0;
#define OPERAND(format, name, byte, dims, access_of, dtype, form)            \
        if (access == DVE_ACCESS_##access_of && found++ == 0) {              \
            at = DVE_SLOT_##format##_##name##_start_addr + 1 + dims;         \
            *dimensions = dims;                                              \
        }
#define END(format)                                              \
        return access == DVE_ACCESS_WRITE && found > 1 ? 0 : at; \
    }
#include <opendve/isa/formats.def>
INLINE unsigned counts_ANY(int access, unsigned *dimensions) { (void)access; return *dimensions = 0; }

/* Rules for every record name frame fields, or none in particular. */
enum {
    DVE_SLOT_ANY_opcode = DVE_SLOT_RAW_opcode,
    DVE_SLOT_ANY_inst_word_len = DVE_SLOT_RAW_inst_word_len,
    DVE_SLOT_ANY_wait_mode = DVE_SLOT_RAW_wait_mode,
    DVE_SLOT_ANY_update_mode = DVE_SLOT_RAW_update_mode,
    DVE_SLOT_ANY_every = 0,
    DVE_FIELD_ANY_opcode = DVE_FIELD_RAW_opcode,
    DVE_FIELD_ANY_inst_word_len = DVE_FIELD_RAW_inst_word_len,
    DVE_FIELD_ANY_wait_mode = DVE_FIELD_RAW_wait_mode,
    DVE_FIELD_ANY_update_mode = DVE_FIELD_RAW_update_mode,
    DVE_FIELD_ANY_every = 0
};

/* The rules of a format that the opcode has. */
#define RULES_OF(format)                                          \
    INLINE int rules_##format(const quick *q, const uint32_t op)  \
    {                                                             \
        int good = 1;                                             \
        unsigned read_dims, written_dims;                         \
        const unsigned read = counts_##format(DVE_ACCESS_READ, &read_dims);         \
        const unsigned written = counts_##format(DVE_ACCESS_WRITE, &written_dims);  \
        (void)op, (void)q, (void)read, (void)written;
#define RULE(id, format, opcode, gens, field, predicate, low, high, severity, allowed, vendor, source, conf)         \
        if ((DVE_OPCODE_##opcode == DVE_OPCODE_ANY || op == DVE_OPCODE_##opcode) && ASKED(gens) >> q->mark & 1) {    \
            enum { rule = DVE_RULE_##id, row = DVE_FIELD_##format##_##field };                                                                           \
            good = good && Q_##predicate(q->v[DVE_SLOT_##format##_##field], DVE_SLOT_##format##_##field, low, high);    \
        }
#define RULES_END(format) \
        return good;      \
    }
#include <opendve/isa/rules.def>

/* Formats that are not described: their records are RAW. */
#define UNDESCRIBED(format)                                                                          \
    INLINE int shape_##format(quick *q) { return shape_RAW(q); }                                 \
    INLINE int rules_##format(const quick *q, const uint32_t op) { return rules_RAW(q, op); }
#include <opendve/isa/formats.def>

SHARED int frame_good(const quick *q, uint32_t op)
{
    return rules_ANY(q, op);
}

int dve_check_quick(const dve_insn *insn, uint8_t gen)
{
    quick q;
    if (gen < DVE_GEN_FIRST || gen > DVE_GEN_LAST)
        return 0;
    q.insn = insn;
    q.v = insn->value;
    q.gen = gen;
    q.mark = (uint8_t)(gen - DVE_GEN_FIRST);
    q.memory = memories[q.mark];
    q.size = sizes[q.mark];
    q.channels = 0;
    if (!frame_good(&q, dve_insn_opcode(insn)))
        return 0;
    switch (dve_insn_opcode(insn)) {
#define OPCODE(value, name, camel, mnemonic, of, engine, gens, token, meaning, source, conf)       \
    case value:                                                                                    \
        if (insn->format == DVE_FORMAT_EXTENDED_TTA && DVE_FORMAT_##of == DVE_FORMAT_EXTENDED)     \
            return MARKS(gens) >> q.mark & 1 && shape_EXTENDED_TTA(&q) && rules_EXTENDED_TTA(&q, value); \
        return insn->format == DVE_FORMAT_##of && MARKS(gens) >> q.mark & 1 && shape_##of(&q) &&   \
               rules_##of(&q, value);
#include <opendve/isa/opcodes.def>
#undef OPCODE
    default: return 0;
    }
}
