# SPDX-License-Identifier: Apache-2.0
"""Is a 64-byte record legal?  Only the opcodes that lowering emits, and only from the text of the specification.

broken(gen, record) gives the names of what is wrong; an empty list means legal.  Names are this file's own.
"""
import struct

from values import (BF16, FLOATS, FP16, FP32, FP32R, I8, I16, I32, INTS, SIZE, U8, U16, U32)

PSUM, PSUM_END = 0x2000000, 0x2400000
ACTIVE = {2: 192 << 10, 3: 224 << 10, 4: 256 << 10, 5: 256 << 10}   # README, Generations; gen5 runs gen4's map
PLAIN = INTS + FLOATS                                                # valid_dtype without FP32R
GENERAL = (0, 4, 5, 6, 8, 9, 0xd, 0xe, 0xf, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19)
QUADRANT, SIXTEEN, THIRTYTWO = "quadrant", "sixteen", "thirty-two"


class Judge:
    def __init__(self, gen, record):
        self.gen, self.r, self.wrong = gen, bytes(record), []

    def need(self, condition, name):
        if not condition:
            self.wrong.append(name)

    def u16(self, at):
        return struct.unpack_from("<H", self.r, at)[0]

    def u32(self, at):
        return struct.unpack_from("<I", self.r, at)[0]

    def zero(self, first, last, name="reserved"):
        self.need(not any(self.r[first:last + 1]), "%s bytes %d..%d" % (name, first, last))

    def start(self, word, size, channels, rule, name):
        """The start partition and the start byte.  Returns (psum, partition, offset) or None."""
        if word >= PSUM_END:
            self.need(False, name + " window")
            return None
        psum = word >= PSUM
        stride = 0x8000 if psum else 0x40000
        partition, offset = divmod(word - (PSUM if psum else 0), stride)
        active = 16 << 10 if psum else ACTIVE[self.gen]
        self.need(word % size == 0, name + " alignment")
        self.need(offset < active, name + " start outside the active bytes")
        if rule == QUADRANT:
            allowed = (0,) if channels > 64 else (0, 64) if channels > 32 else (0, 32, 64, 96)
            self.need(partition in allowed, name + " start partition")
        else:
            step = 16 if rule == SIXTEEN else 32
            self.need(partition % step == 0 and partition + channels <= 128, name + " start partition")
        return psum, partition, offset, active

    def operand(self, at, dims, dtype, channels, name, write=False, rule=QUADRANT, sbuf=False, indirect=False):
        """Returns the product of the counts, or None where the indirect form waives it."""
        size = SIZE.get(dtype, 1)
        word = self.u32(at)
        if word >> 29 == 1:
            if not (indirect and self.gen >= 4):
                self.need(False, name + " indirect")
                return None
            self.start(word & 0x1fffffff, 4, channels, rule, name + " index")
            self.start(self.u32(at + 4), size, channels, rule, name + " data")
            self.need(self.u16(at + 8) > 0, name + " indices")
            return None
        self.need(word >> 29 == 0, name + " marker")
        where = self.start(word & 0x1fffffff, size, channels, rule, name)
        steps = struct.unpack_from("<%dh" % dims, self.r, at + 4)
        counts = struct.unpack_from("<%dH" % dims, self.r, at + 4 + 2 * dims)
        self.need(all(counts), name + " count")
        if where and all(counts):
            reach = [step * (count - 1) * size for step, count in zip(steps, counts)]
            low = where[2] + sum(x for x in reach if x < 0)
            high = where[2] + sum(x for x in reach if x > 0) + size
            self.need(low >= 0 and high <= where[3], name + " walk leaves the partition")
            self.need(not (where[0] and sbuf), name + " must be in sbuf")
            self.need(not (where[0] and write and size != 4), name + " writes a narrow dtype to psum")
        total = 1
        for count in counts:
            total *= count
        return total

    def pair(self, a, b):
        """R13: two sources are not both in PSUM; both in SBUF share the quadrant."""
        x, y = self.u32(a), self.u32(b)
        if x >> 29 or y >> 29:
            return
        if x >= PSUM and y >= PSUM:
            self.need(False, "both sources in psum")
        elif x < PSUM and y < PSUM:
            self.need(x // (32 * 0x40000) == y // (32 * 0x40000), "sources in different quadrants")

    def scalar(self, source, at, dtype, channels, name, rule=QUADRANT):
        size = SIZE.get(dtype, 4)
        word = self.u32(at)
        if source == 0:
            self.need(size >= 4 or word >> (8 * size) == 0, name + " upper bits")
        elif source == 1:
            self.need(word >> 29 == 0, name + " marker")
            where = self.start(word & 0x1fffffff, size, channels, rule, name)
            if where:
                self.need(where[2] + size <= where[3], name + " pointer leaves the partition")
        elif source == 2:
            self.need(word < 64, name + " register")
        else:
            self.need(False, name + " source")

    def arith(self, op):
        return op in GENERAL or (self.gen >= 4 and op in (0x20, 0x21, 0x22, 0x23))


def s4d2_bn(j):
    r = j.r
    src = j.operand(12, 4, r[32], r[34], "src")
    dst = j.operand(48, 2, r[33], r[34], "dst", write=True)
    j.need(r[32] in PLAIN, "in_dtype")
    j.need(r[33] in ((U16, U32) if r[0] == 0x6e else PLAIN + (FP32R,)), "out_dtype")
    j.need(src is None or 8 <= src <= 16384, "src count")
    j.need(dst == 8, "dst count")
    j.zero(35, 39)
    j.zero(40, 47, "counts")
    j.zero(60, 63)


def s2_bn(j):
    r = j.r
    j.need(j.operand(16, 2, r[32], r[34], "src") == 8, "src count")
    j.need(r[32] in PLAIN, "dtype")
    j.zero(12, 15)
    j.zero(28, 31)
    j.zero(33, 33)
    j.zero(35, 63)


def s4d4_mr(j):
    r = j.r
    allowed = (FP16, BF16, U8, U16, U32, FP32, I32)
    src = j.operand(12, 4, r[32], r[34], "src")
    dst = j.operand(44, 4, r[33], r[34], "dst", write=True)
    j.need(r[32] in allowed, "in_dtype")
    j.need(r[33] in allowed, "out_dtype")
    j.need(src <= 16384, "src count")
    j.need(src == dst, "same count")
    j.zero(35, 39)


def d4_mr(j):
    r = j.r
    dst = j.operand(44, 4, r[32], r[34], "dst", write=True)
    j.need(j.u32(28) == dst, "count field")
    j.zero(12, 27)
    j.zero(33, 33)
    j.zero(35, 39)
    if r[0] == 0x49:
        j.need(r[32] in PLAIN + (FP32R,), "dtype")
        j.scalar(0, 40, r[32], r[34], "value")
        return
    j.need(r[32] in (INTS if r[0] == 0x4d else (U16, U32)), "dtype")
    j.zero(40, 43, "set_value")
    if r[0] == 0xe9:
        j.need(dst == 8, "dst count")


def d1_rd(j):
    r = j.r
    j.need(j.operand(44, 1, r[32], r[34], "dst", write=True) == 1, "dst count")
    j.need(j.u32(28) == 1, "count field")
    j.need(r[32] in FLOATS + (FP32R,), "dtype")
    j.need(r[33] <= 1, "negated")
    j.zero(12, 27)
    j.zero(35, 43)
    j.zero(52, 63)


def ctrl_im(j):
    j.zero(12, 31)
    j.need(all(b < 64 or b == 255 for b in j.r[32:]), "mask byte")


def s4d4_tr(j):
    r = j.r
    src = j.operand(12, 4, r[32], r[34], "src", indirect=True)
    dst = j.operand(44, 4, r[33], r[34], "dst", write=True, indirect=True)
    j.need(r[32] in PLAIN, "in_dtype")
    j.need(r[33] in PLAIN + (FP32R,), "out_dtype")
    j.need(r[0] == 0x47 or r[32] == r[33], "same dtype")
    j.zero(35, 36, "negated, op")
    j.need(r[37] in (0, 2), "op_dim")
    j.need(r[38] <= (1 if r[0] == 0x6b else 0), "mask_enable")
    j.zero(39, 43)
    if r[0] in (0x6a, 0x6b):
        j.need(r[34] in (32, 64, 96, 128), "channels by quadrants")
    if src is None or dst is None:
        return
    if r[0] == 0x6b:
        j.need(src % 32 == 0, "src count by 32")
        j.need(dst <= src, "dst count")
    else:
        j.need(src == dst, "same count")


def s3s3d3_tt(j):
    r = j.r
    pred, data, channels = r[12] & 15, r[12] >> 4, r[15]
    counts = [j.operand(16, 3, pred, channels, "pred", indirect=True),
              j.operand(32, 3, data, channels, "data", indirect=True),
              j.operand(48, 3, r[13], channels, "dst", write=True, indirect=True)]
    j.need(pred in INTS, "pred dtype")
    j.need(data in PLAIN, "data dtype")
    j.need(r[13] in PLAIN, "out dtype")
    j.need(r[0] == 0x99 or data == r[13], "same dtype")
    j.need(r[14] == 0, "op")
    j.need(len({c for c in counts if c is not None}) <= 1, "same count")
    j.pair(16, 32)


def pred_scalar(j):
    r = j.r
    pred = j.operand(16, 3, r[32], r[34], "pred", indirect=True)
    dst = j.operand(48, 3, r[42], r[34], "dst", write=True, indirect=True)
    j.need(r[32] in INTS, "pred dtype")
    j.need(r[33] <= 1, "reversed_pred")
    j.need(r[41] in PLAIN and r[41] == r[42], "dtype")
    j.scalar(r[43], 44, r[41], r[34], "scalar")
    j.need(None in (pred, dst) or pred == dst, "same count")
    j.zero(12, 15)
    j.zero(35, 40)


def s3d3_ts(j):
    r = j.r
    src = j.operand(16, 3, r[32], r[34], "src", indirect=True)
    dst = j.operand(48, 3, r[33], r[34], "dst", write=True, indirect=True)
    j.need(r[12] in (2, 3, 4), "accumulator_cmd")
    j.zero(13, 15)
    j.need(r[32] in FLOATS + (I8, U8, I16, U16), "in_dtype")
    j.need(r[33] in PLAIN + (FP32R,), "out_dtype")
    j.need(j.arith(r[36]), "op0")
    j.need(r[37] in (4, 5, 6, 8, 9), "op1")
    j.need(r[38] == 0, "reverse")
    j.scalar(r[35], 40, FP32, r[34], "imm0")
    if r[12] == 4:
        j.scalar(r[39], 44, FP32, r[34], "imm1")
    else:
        j.zero(39, 39)
        j.zero(44, 47, "imm1")
    j.need(None in (src, dst) or src == dst, "same count")


def s2s2d2_stt(j):
    r = j.r
    pred, data, channels = r[40] & 15, r[40] >> 4, r[42]
    counts = {j.operand(12, 2, pred, channels, "pred"), j.operand(24, 2, data, channels, "data"),
              j.operand(48, 2, r[41], channels, "dst", write=True)}
    j.need(pred in INTS, "pred dtype")
    j.need(data in PLAIN and data not in (I32, U32), "data dtype")
    j.need(r[41] in PLAIN + (FP32R,), "out dtype")
    j.need(r[36] == 0, "op0")
    j.need(r[37] == 8, "op1")
    j.need(r[38] <= 1, "reverse")
    j.need(r[43] == FP32, "imm0_dtype")
    j.need(r[44] in (0, 2, 3), "accumulator_cmd")
    j.zero(45, 47)
    j.scalar(r[39], 60, FP32, channels, "imm0")
    j.need(len(counts) == 1, "same count")
    j.pair(12, 24)


def s2d2_rs(j):
    r = j.r
    channels = r[12]
    src = j.operand(24, 2, r[13] & 15, channels, "src")
    dst = j.operand(48, 2, r[13] >> 4, channels, "dst", write=True)
    j.need(j.gen >= 3, "generation")
    j.need(r[13] & 15 in FLOATS, "in dtype")
    j.need(r[13] >> 4 in FLOATS + (FP32R,), "out dtype")
    j.need(r[14] in (0, 2, 3), "reduce_cmd")
    j.need(r[15] == 8, "reduce_op")
    base = struct.unpack_from("<f", r, 16)[0]
    j.need(0 <= base <= 1 << 24 and base == int(base if base == base and abs(base) < 1e30 else -1), "base")
    j.need(not base == base or base + src <= 1 << 24, "base + count")
    j.need(j.u32(20) == 0xff7fffff, "fill")
    j.need(r[36] in (0x12, 0x13, 0x14, 0x15, 0x16), "comp_op0")
    j.need(r[37] in (0x12, 0x13, 0x14, 0x15, 0x16), "comp_op1")
    j.scalar(r[38], 40, FP32, channels, "bound0")
    j.scalar(r[39], 44, FP32, channels, "bound1")
    j.need(src == dst, "same count")
    j.zero(60, 63)


def nonzero(j):
    r = j.r
    src = j.operand(16, 3, r[13], r[12], "src", rule=SIXTEEN, sbuf=True)
    dst = j.operand(44, 3, r[14], r[12], "dst", write=True, rule=SIXTEEN, sbuf=True)
    j.need(j.gen >= 3, "generation")
    j.need(r[13] in (FP32, I32), "in dtype")
    j.need(r[14] == I32, "out dtype")
    j.scalar(r[15], 32, I32, r[12], "index_offset", rule=SIXTEEN)
    j.scalar(r[36], 40, I32, r[12], "padding_val", rule=SIXTEEN)
    j.zero(37, 39)
    j.zero(60, 63)
    j.need(src + 1 == dst, "count + 1")


def s4_pb(j):
    r = j.r
    src = j.operand(12, 4, r[32], r[34], "src", rule=SIXTEEN, sbuf=True)
    j.need(r[32] in PLAIN, "dtype")
    j.need(src <= 512, "src count")
    j.zero(33, 33)
    j.zero(35, 39)
    j.zero(48, 63)


def s4d4_gt(j):
    r = j.r
    src = j.operand(12, 4, r[32], r[34], "src", rule=SIXTEEN, sbuf=j.gen == 5)
    dst = j.operand(44, 4, r[33], r[34], "dst", write=True, rule=SIXTEEN, sbuf=j.gen == 5)
    j.need(r[32] in (U8, U16, U32), "index dtype")
    j.need(r[33] in PLAIN + (FP32R,), "out dtype")
    j.need(r[36] <= 1 and r[37] <= 1, "miss, free")
    j.need(src == dst, "same count")
    j.zero(35, 35)
    j.zero(38, 39)


def s4d4_ic(j):
    r = j.r
    j.need(j.u32(12) >> 29 == 1, "src indirect")
    j.start(j.u32(12) & 0x1fffffff, 4, r[34], THIRTYTWO, "index")
    j.start(j.u32(16), SIZE.get(r[32], 1), r[34], THIRTYTWO, "data")
    j.need(j.u32(12) & 0x1fffffff < PSUM and j.u32(16) < PSUM, "sbuf only")
    j.need((j.u32(12) & 0x1fffffff) // (32 * 0x40000) == j.u32(16) // (32 * 0x40000), "index and data quadrants")
    j.operand(44, 4, r[33], r[34], "dst", write=True, rule=THIRTYTWO, sbuf=True)
    j.need(r[32] in PLAIN and r[32] == r[33], "dtype")
    j.need(r[34] % 16 == 0, "channels by 16")
    j.need(r[35] in (1, 2, 4, 8, 16, 32), "elements per index")
    j.need(j.u16(20) > 0 and r[35] and j.u16(20) / r[35] <= 4096, "num_elem")
    j.need(j.u16(38) > 1, "src_buffer_size")
    j.zero(36, 37)
    j.zero(40, 43)


FORMAT = {0x6c: (s4d2_bn, 34), 0x6e: (s4d2_bn, 34), 0x6d: (s2_bn, 34), 0x6f: (s4d4_mr, 34), 0x49: (d4_mr, 34),
          0x4d: (d4_mr, 34), 0xe9: (d4_mr, 34), 0x9b: (d1_rd, 34), 0x69: (ctrl_im, None), 0x46: (s4d4_tr, 34),
          0x47: (s4d4_tr, 34), 0x6a: (s4d4_tr, 34), 0x6b: (s4d4_tr, 34), 0x72: (s3s3d3_tt, 15),
          0x99: (s3s3d3_tt, 15), 0xe8: (pred_scalar, 34), 0x9a: (s3d3_ts, 34), 0xe6: (s3d3_ts, 34),
          0xea: (s2s2d2_stt, 42), 0xbc: (s2d2_rs, 12), 0xf2: (nonzero, 12), 0x67: (s4_pb, 34), 0x68: (s4d4_gt, 34),
          0xe7: (s4d4_ic, 34)}


def broken(gen, record):
    judge = Judge(gen, record)
    check, channels_at = FORMAT[record[0]]
    judge.need(record[1] == 16, "inst_word_len")
    if channels_at is not None:
        judge.need(1 <= record[channels_at] <= 128, "channels")
    if record[0] == 0xe9:
        judge.need(gen >= 3, "generation")
    check(judge)
    return judge.wrong
