#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An independent reading of lowering.md: a SPEC and a generation in, records or a refusal out.

    lower_oracle.py SPEC.json [--gen G] [--mode generate|collect]

lower(spec, gen) returns an Outcome:
    exit      0 records, 1 refused, 3 not the SPEC language
    allow     the exits that the text permits; more than one where it is ambiguous (NOTES.md)
    kind      "records", "refusal" (found before any record is judged), "rules" (a record breaks a rule), "language"
    reason    a short name
    records   list of 64-byte strings (for "rules" too: what `collect` counts)
    census    list of (opcode, count), first seen first
"""
import json
import struct
import sys

import rules
from values import COMPILER, FP32, OURS, SIZE, WIRE, number_bits

GENS = {"gen2": 2, "sunda": 2, "trn1": 2, "inf2": 2, "nc-v2": 2, "core_v2": 2,
        "gen3": 3, "cayman": 3, "trn2": 3, "nc-v3": 3, "core_v3": 3,
        "gen4": 4, "mariana": 4, "trn3": 4, "nc-v4": 4, "core_v4": 4,
        "gen5": 5, "maverick": 5, "nc-v5": 5}
NAMES = {0x46: "Copy", 0x47: "Cast", 0x49: "Memset", 0x4d: "Rng", 0x67: "PoolBufferLoad", 0x68: "Gather",
         0x69: "LoadMaskSelect", 0x6a: "StreamShuffle", 0x6b: "StreamTranspose", 0x6c: "Max8", 0x6d: "MatchValueLoad",
         0x6e: "FindIndex8", 0x6f: "MatchReplace8", 0x72: "CopyPredicated", 0x99: "CastPredicated",
         0x9a: "TensorScalarCacheReduce", 0x9b: "DveReadAccumulator", 0xbc: "RangeSelect",
         0xe6: "TensorScalarCacheCumulative", 0xe7: "IndirectCopy", 0xe8: "CopyPredicatedScalar",
         0xe9: "DveReadIndices", 0xea: "SelectReduce", 0xf2: "NonzeroWithCount"}
POOL = (0x67, 0x68, 0xe7, 0xf2)      # no DVE roster holds them (opcodes.md 2.1)

ALU = {"bypass": 0, "bitwise_not": 1, "arith_shift_left": 2, "arith_shift_right": 3, "add": 4, "subtract": 5,
       "mult": 6, "divide": 7, "max": 8, "min": 9, "bitwise_and": 0xa, "bitwise_or": 0xb, "bitwise_xor": 0xc,
       "logical_and": 0xd, "logical_or": 0xe, "logical_xor": 0xf, "logical_shift_left": 0x10,
       "logical_shift_right": 0x11, "is_eq": 0x12, "is_gt": 0x13, "is_ge": 0x14, "is_le": 0x15, "is_lt": 0x16,
       "absolute_diff": 0x17, "is_ne": 0x18, "absolute_value": 0x19, "pow": 0x1a, "mod": 0x1b, "crc32": 0x1c,
       "rsqrt": 0x1d, "abs_max": 0x20, "abs_min": 0x21, "relu": 0x22, "square": 0x23}
ORDINAL_ALU = {n: n for n in range(19)}
ORDINAL_ALU.update({19: 0x18, 20: 0x13, 21: 0x14, 22: 0x16, 23: 0x15, 26: 0x1a, 27: 0x1b, 28: 0x1d, 29: 0x19})
GEN4_ALU = {30: 0x20, 31: 0x21, 32: 0xc8}
ACCUM = {"Idle": 0, "Zero": 1, "ZeroAccumulate": 3, "AddAccumulate": 2, "LoadAccumulate": 4}
ORDINAL_ACCUM = {0: 0, 1: 1, 3: 3, 4: 2, 5: 4}


class Stop(Exception):
    def __init__(self, exit_code, reason, allow=None):
        super().__init__(reason)
        self.exit, self.reason, self.allow = exit_code, reason, set(allow or {exit_code})


def language(reason, allow=None):
    raise Stop(3, reason, allow)


def refuse(reason, allow=None):
    raise Stop(1, reason, allow)


class Outcome:
    def __init__(self, exit_code, kind, reason="", records=(), allow=None, notes=()):
        self.exit, self.kind, self.reason, self.records = exit_code, kind, reason, [bytes(r) for r in records]
        self.allow = set(allow or {exit_code})
        self.notes = list(notes)
        self.census = []
        seen = {}
        for record in self.records:
            seen[record[0]] = seen.get(record[0], 0) + 1
        self.census = list(seen.items())


# ---------------------------------------------------------------- the SPEC language

def is_int(x):
    return type(x) is int


def is_number(x):
    return type(x) in (int, float)


def whole(x, what):
    if not is_int(x):
        language(what + " is not a whole number")
    return x


class AP:
    def __init__(self, o, what):
        if type(o) is not dict:
            language(what + " is not an AP")
        need = {"space", "partition", "offset", "dtype", "pattern"}
        if not need <= set(o) or not set(o) <= need | {"channels", "indirect"}:
            language(what + " members")
        if o["space"] not in ("sbuf", "psum"):
            language(what + " space")
        self.psum = o["space"] == "psum"
        self.partition, self.offset = whole(o["partition"], "partition"), whole(o["offset"], "offset")
        d = o["dtype"]
        if type(d) is str:
            if d not in OURS and d not in COMPILER:
                language(what + " dtype name", {1, 3})
            self.ordinal = OURS[d] if d in OURS else COMPILER.index(d)
        else:
            self.ordinal = whole(d, "dtype")
        if type(o["pattern"]) is not list:
            language(what + " pattern")
        self.pattern = []
        for pair in o["pattern"]:
            if type(pair) is not list or len(pair) != 2:
                language(what + " pattern pair")
            self.pattern.append((whole(pair[0], "step"), whole(pair[1], "count")))
        self.channels = whole(o["channels"], "channels") if "channels" in o else None
        self.indirect = AP(o["indirect"], what + " index") if "indirect" in o else None
        self.what = what

    @property
    def axes(self):
        return [(s, n) for s, n in self.pattern if n != 1]

    @property
    def count(self):
        total = 1
        for _, n in self.pattern:
            total *= n
        return total

    def gate(self, channels):
        """What any use of an access pattern asks for."""
        for step, n in self.pattern:
            if not -32768 <= step <= 32767:
                refuse(self.what + " step outside int16")
            if not 1 <= n <= 65535:
                refuse(self.what + " count outside 1..65535")
        if not 0 <= self.ordinal < len(COMPILER):
            refuse(self.what + " dtype ordinal", {1, 3})
        if not 0 <= self.partition < 128:
            refuse(self.what + " partition", {1, 3})
        if self.offset < 0 or self.offset >= (0x8000 if self.psum else 0x40000):
            refuse(self.what + " offset", {1, 3})
        if self.channels is not None and self.channels != channels:
            refuse("partition counts differ: " + self.what)

    def wire(self, gen):
        return WIRE[gen][self.ordinal]

    def size(self, gen):
        return SIZE[self.wire(gen)]

    @property
    def address(self):
        return (0x2000000 + self.partition * 0x8000 if self.psum else self.partition * 0x40000) + self.offset


class Scalar:
    """A JSON number, a named value, raw bits, a pointer or a register."""

    def __init__(self, o, what):
        self.what, self.kind = what, None
        if is_number(o):
            self.kind, self.value = "number", o
        elif o in ("inf", "-inf", "nan") and type(o) is str:
            self.kind, self.value = "number", float(o)
        elif type(o) is dict and set(o) == {"bits"}:
            text = o["bits"]
            try:
                self.kind, self.value = "bits", int(text, 16) if text.startswith("0x") else None
            except (ValueError, AttributeError):
                self.value = None
            if self.value is None or not 0 <= self.value < 1 << 32:
                language(what + " bits", {1, 3})
        elif type(o) is dict and set(o) == {"reg"}:
            self.kind, self.value = "reg", whole(o["reg"], "reg")
        elif type(o) is dict and "space" in o:
            self.kind, self.value = "pointer", AP(o, what)
        else:
            language(what + " is not a scalar")

    def inline(self, dtype):
        if self.kind == "bits":
            return self.value
        if self.kind != "number":
            refuse(self.what + " must be inline", {1, 3})
        word = number_bits(self.value, dtype) if dtype in SIZE and dtype not in (1, 12, 16) else 0
        if word is None:
            refuse(self.what + ": converting directly and by way of fp32 differ", {0, 1, 3})
        return word

    def field(self, dtype, gen, channels):
        """(source, word) for a layout with a source field."""
        if self.kind == "reg":
            if not 0 <= self.value < 64:
                refuse(self.what + " register", {1, 3})
            return 2, self.value
        if self.kind == "pointer":
            ap = self.value
            ap.gate(channels)
            if ap.indirect:
                refuse(self.what + " pointer cannot be indirect")
            if ap.count != 1:
                refuse(self.what + " pointer is one element", {1, 3})
            if ap.wire(gen) != dtype:
                refuse(self.what + " pointer dtype", {1, 3})
            return 1, ap.address
        return 0, self.inline(dtype)


def flag(o, what):
    if type(o) is bool:
        return int(o)
    if is_int(o) and o in (0, 1):
        return o
    language(what + " flag")


def operator(o, gen, what):
    if type(o) is str:
        if o not in ALU:
            language(what + " operator name", {1, 3})
        return ALU[o]
    table = {**ORDINAL_ALU, **(GEN4_ALU if gen >= 4 else {})}
    if whole(o, what) not in table:
        refuse(what + " operator ordinal without a wire code")
    return table[o]


def accumulate(o):
    if type(o) is str:
        if o == "Accumulate":
            refuse("accumulate: the compiler's Accumulate has no wire form; AddAccumulate")
        if o not in ACCUM:
            language("accumulate name", {1, 3})
        return ACCUM[o]
    if whole(o, "accumulate") == 2:
        refuse("accumulate: the compiler's Accumulate has no wire form; AddAccumulate")
    if o not in ORDINAL_ACCUM:
        refuse("accumulate ordinal", {1, 3})
    return ORDINAL_ACCUM[o]


OPERANDS = {  # op -> (needed, optional)
    "Max": ("data maxvals", ""), "MaxIndex": ("maxvals data indices", ""),
    "MatchReplace": ("maxvals data dst imm", ""),
    "MaxIndexAndMatchReplace": ("maxvals data dst imm indices", ""), "StreamShuffle": ("src dst mask", ""),
    "StreamTranspose": ("src dst", ""), "TensorCopy": ("src dst", ""),
    "NonzeroWithCount": ("src dst index_offset padding_val", ""),
    "TensorScalarCache": ("mode src dst op0 op1 imm0", "imm1 accumulate result"),
    "CopyPredicated": ("pred src dst", "reduce_op imm0 reverse accumulate result"),
    "Select": ("pred on_true on_false dst", ""),
    "RangeSelect": ("src dst base comp_op0 comp_op1 bound0 bound1", "fill accumulate result"),
    "Memset": ("dst value", "mode"), "DveReadAccumulator": ("dst", "negated"), "Gather": ("data indices dst", ""),
    "IndirectCopy": ("data indices dst elements_per_index", "")}
ALWAYS_AP = {"data", "maxvals", "indices", "dst", "pred", "result"}
SCALARS = {"imm", "imm0", "imm1", "index_offset", "padding_val", "bound0", "bound1", "value", "base", "fill"}


def looks_like_ap(o):
    return type(o) is dict and ("space" in o or "pattern" in o or "partition" in o)


def parse(o):
    if type(o) is not dict or type(o.get("op")) is not str or o["op"] not in OPERANDS:
        language("unknown op")
    op = o["op"]
    needed, optional = (set(x.split()) for x in OPERANDS[op])
    given = set(o) - {"op", "channels"}
    if "channels" not in o:
        language("channels missing")
    if not needed <= given or not given <= needed | optional:
        language(op + " members")
    if op == "CopyPredicated" and given & optional:
        if not {"reduce_op", "imm0"} <= given:
            language("CopyPredicated: reducing form without reduce_op and imm0")
    i = {"op": op, "channels": whole(o["channels"], "channels")}
    for name in given:
        v = o[name]
        if name in ALWAYS_AP:
            i[name] = AP(v, name)
        elif name in ("src", "on_true", "on_false"):
            scalar_ok = op in ("CopyPredicated", "Select")
            i[name] = AP(v, name) if looks_like_ap(v) or not scalar_ok else Scalar(v, name)
        elif name in SCALARS:
            i[name] = Scalar(v, name)
        elif name in ("reverse", "negated"):
            i[name] = flag(v, name)
        elif name == "mode":
            allowed = ("Reduce", "Cumulative", "Scan") if op == "TensorScalarCache" else ("Const", "Random")
            if v not in allowed:
                language("mode", {1, 3} if type(v) is str else None)
            i[name] = v
        elif name == "mask":
            if type(v) is not list or not all(is_int(x) for x in v):
                language("mask")
            if len(v) != 32 or not all(0 <= x <= 31 or x == 255 for x in v):
                language("mask: 32 numbers, 0..31 or 255", {1, 3})
            i[name] = v
        elif name == "elements_per_index":
            i[name] = whole(v, name)
        else:
            if not (is_int(v) or type(v) is str):
                language(name)
            i[name] = v
    return i


# ---------------------------------------------------------------- bytes

class Record:
    def __init__(self, opcode):
        self.b = bytearray(64)
        self.b[0], self.b[1] = opcode, 0x10


    def byte(self, at, value):
        self.b[at] = value & 0xff
        return self

    def word(self, at, value):
        struct.pack_into("<I", self.b, at, value & 0xffffffff)
        return self

    def half(self, at, value):
        struct.pack_into("<H", self.b, at, value & 0xffff)
        return self

    def tensor(self, at, address, axes, dims, spare=(1, 1)):
        axes = list(axes) + [spare] * (dims - len(axes))
        struct.pack_into("<I%dh%dH" % (dims, dims), self.b, at, address & 0xffffffff,
                         *[s for s, _ in axes], *[n for _, n in axes])
        return self


class Lowering:
    def __init__(self, i, gen):
        self.i, self.gen, self.channels, self.out = i, gen, i["channels"], []
        if not 1 <= self.channels <= 128:
            refuse("channels outside 1..128", {1, 3})
        for name, v in i.items():
            if isinstance(v, AP):
                v.gate(self.channels)
                if v.indirect:
                    v.indirect.gate(self.channels)
                if name in ("data", "src") and len(v.pattern) > 4:
                    refuse(name + " rank above 5")
                if name == "maxvals" and len(v.pattern) > 2:
                    refuse("maxvals rank above 3")

    def new(self, opcode):
        self.out.append(Record(opcode))
        return self.out[-1]

    def pack(self, record, at, ap, dims, indirect=False):
        """An operand as written: unit axes dropped, innermost first."""
        if ap.indirect:
            if not (indirect and self.gen >= 4):
                refuse(ap.what + " cannot be indirect")
            self.ambiguous_indirect = True
            record.word(at, ap.indirect.address | 0x20000000).word(at + 4, ap.address).half(at + 8, ap.indirect.count)
            return
        if len(ap.axes) > dims:
            refuse("%s has more axes than the record's %d" % (ap.what, dims))
        record.tensor(at, ap.address, ap.axes, dims)

    def reverse(self, record, at, ap, dims, spare):
        if ap.indirect:
            refuse(ap.what + " cannot be indirect")
        if len(ap.axes) != 1 or ap.axes[0][1] != 8:
            refuse(ap.what + " is not one axis of 8")
        step = ap.axes[0][0]
        if -step > 32767:
            refuse(ap.what + " negated step outside int16")
        address = ap.address + 7 * step * ap.size(self.gen)
        record.tensor(at, address, [(-step, 8)], dims, spare)

    def nibbles(self, low, high):
        a, b = low.wire(self.gen), high.wire(self.gen)
        if a > 15 or b > 15:
            refuse("dtype 0x10 in a field of two")
        return a | b << 4

    def since(self, gen, reason):
        if self.gen < gen:
            refuse(reason)

    # one method an op ------------------------------------------------------

    def Max(self):
        i, r = self.i, self.new(0x6c)
        self.search_gates()
        self.pack(r, 12, i["data"], 4)
        r.byte(32, i["data"].wire(self.gen)).byte(33, i["maxvals"].wire(self.gen)).byte(34, self.channels)
        self.reverse(r, 48, i["maxvals"], 2, (0, 1))

    def search_gates(self):
        if self.i["maxvals"].count != 8:
            refuse("maxvals count is not 8")
        if not 8 <= self.i["data"].count <= 16384:
            refuse("data count outside 8..16384")

    def key_load(self, reversed_):
        keys, r = self.i["maxvals"], self.new(0x6d)
        if reversed_:
            self.reverse(r, 16, keys, 2, (0, 1))
        else:
            self.pack(r, 16, keys, 2)
        r.byte(32, keys.wire(self.gen)).byte(34, self.channels)

    def MaxIndex(self):
        i = self.i
        self.search_gates()
        self.key_load(True)
        r = self.new(0x6e)
        self.pack(r, 12, i["data"], 4)
        r.byte(32, i["data"].wire(self.gen)).byte(33, i["indices"].wire(self.gen)).byte(34, self.channels)
        self.pack(r, 48, i["indices"], 2)

    def MatchReplace(self):
        i = self.i
        self.search_gates()
        self.key_load(False)
        r = self.new(0x6f)
        self.pack(r, 12, i["data"], 4)
        r.byte(32, i["data"].wire(self.gen)).byte(33, i["dst"].wire(self.gen)).byte(34, self.channels)
        r.word(40, i["imm"].inline(FP32))
        self.pack(r, 44, i["dst"], 4)

    def MaxIndexAndMatchReplace(self):
        self.since(3, "MaxIndexAndMatchReplace is gen3 and later; find_index8, then match_replace8")
        self.MatchReplace()
        indices, r = self.i["indices"], self.new(0xe9)
        r.word(28, 8).byte(32, indices.wire(self.gen)).byte(34, self.channels)
        self.reverse(r, 44, indices, 4, (1, 1))

    def same_dtype(self, a, b):
        if a.ordinal != b.ordinal:
            refuse("dtype change: %s, %s" % (a.what, b.what),
                   {0, 1} if a.wire(self.gen) == b.wire(self.gen) else None)

    def tile(self, opcode, src, dst, channels, mask_enable=0):
        r = self.new(opcode)
        self.pack(r, 12, src, 4, indirect=opcode != 0x6b)
        r.byte(32, src.wire(self.gen)).byte(33, dst.wire(self.gen)).byte(34, channels).byte(38, mask_enable)
        self.pack(r, 44, dst, 4, indirect=True)
        return r

    def mask(self, mask):
        self.new(0x69).b[32:64] = bytes(mask)

    def StreamShuffle(self):
        i = self.i
        self.same_dtype(i["src"], i["dst"])
        self.mask([0x20 if m == 255 else m for m in i["mask"]])
        self.tile(0x6a, i["src"], i["dst"], (self.channels + 31) // 32 * 32)

    def StreamTranspose(self):
        i, n = self.i, self.channels
        if n > 32 and n % 32:
            refuse("StreamTranspose of %d channels: two instructions" % n)
        self.same_dtype(i["src"], i["dst"])
        if len(i["src"].axes) > 3:
            refuse("src: the fourth count is 1")
        if len(i["dst"].axes) > 3:
            refuse("dst: the fourth count is 1", {0, 1})
        if n % 32:
            self.mask([0 if lane < n else 0x20 for lane in range(32)])
            self.tile(0x6b, i["src"], i["dst"], 32, 1)
        else:
            self.tile(0x6b, i["src"], i["dst"], n, 0)

    def TensorCopy(self):
        i = self.i
        self.tile(0x46 if i["src"].ordinal == i["dst"].ordinal else 0x47, i["src"], i["dst"], self.channels)

    def NonzeroWithCount(self):
        self.since(3, "NonzeroWithCount is gen3 and later")
        i, r = self.i, self.new(0xf2)
        r.byte(12, self.channels).byte(13, i["src"].wire(self.gen)).byte(14, i["dst"].wire(self.gen))
        self.pack(r, 16, i["src"], 3)
        for name, source_at, at in (("index_offset", 15, 32), ("padding_val", 36, 40)):
            s = i[name]
            if s.kind == "number":
                if s.value != s.value or s.value in (float("inf"), float("-inf")) or s.value != int(s.value) or \
                        not -2**31 <= s.value < 2**31:
                    refuse(name + " is not an int32", {1, 3})
                r.word(at, int(s.value))
            else:
                source, word = s.field(RANGE_I32, self.gen, self.channels)
                r.byte(source_at, source).word(at, word)
        self.pack(r, 44, i["dst"], 3)

    def drain(self, ap, negated=0):
        r = self.new(0x9b)
        if ap.count != 1:
            refuse(ap.what + " is one element")
        r.word(28, 1).byte(32, ap.wire(self.gen)).byte(33, negated).byte(34, self.channels)
        self.pack(r, 44, ap, 1)

    def TensorScalarCache(self):
        i = self.i
        r = self.new(0x9a if i["mode"] == "Reduce" else 0xe6)
        cmd = accumulate(i["accumulate"]) if "accumulate" in i else 0
        if cmd == 0:
            if "result" not in i:
                refuse("accumulate absent or Idle, and no result")
            cmd = 3
        if ("imm1" in i) != (cmd == 4):
            refuse("imm1 goes with LoadAccumulate")
        r.byte(12, cmd)
        self.pack(r, 16, i["src"], 3, indirect=True)
        r.byte(32, i["src"].wire(self.gen)).byte(33, i["dst"].wire(self.gen)).byte(34, self.channels)
        source, word = i["imm0"].field(FP32, self.gen, self.channels)
        r.byte(35, source).word(40, word)
        r.byte(36, operator(i["op0"], self.gen, "op0")).byte(37, operator(i["op1"], self.gen, "op1"))
        if "imm1" in i:
            source, word = i["imm1"].field(FP32, self.gen, self.channels)
            r.byte(39, source).word(44, word)
        self.pack(r, 48, i["dst"], 3, indirect=True)
        if "result" in i:
            self.drain(i["result"])

    def command(self):
        """CopyPredicated's and RangeSelect's accumulate."""
        if "accumulate" in self.i:
            return accumulate(self.i["accumulate"])
        return 3 if "result" in self.i else 0

    def predicated(self, pred, data, dst):
        r = self.new(0x72 if data.ordinal == dst.ordinal else 0x99)
        if data.ordinal != dst.ordinal and data.wire(self.gen) == dst.wire(self.gen):
            self.ambiguous_cast = True
        r.byte(12, self.nibbles(pred, data)).byte(13, dst.wire(self.gen)).byte(15, self.channels)
        self.pack(r, 16, pred, 3, indirect=True)
        self.pack(r, 32, data, 3, indirect=True)
        self.pack(r, 48, dst, 3, indirect=True)

    def predicated_scalar(self, pred, scalar, dst):
        r, d = self.new(0xe8), dst.wire(self.gen)
        self.pack(r, 16, pred, 3, indirect=True)
        source, word = scalar.field(d, self.gen, self.channels)
        r.byte(32, pred.wire(self.gen)).byte(33, 1).byte(34, self.channels).byte(41, d).byte(42, d)
        r.byte(43, source).word(44, word)
        self.pack(r, 48, dst, 3, indirect=True)

    def CopyPredicated(self):
        i = self.i
        if "reduce_op" in i:
            op = operator(i["reduce_op"], self.gen, "reduce_op")
            if op != 0:
                return self.select_reduce(op)
            refuse("Bypass as reduce_op beside the other members of the reducing form", {0, 1, 3})
        if isinstance(i["src"], AP):
            self.predicated(i["pred"], i["src"], i["dst"])
        else:
            self.predicated_scalar(i["pred"], i["src"], i["dst"])

    def select_reduce(self, op):
        i = self.i
        if not isinstance(i["src"], AP):
            refuse("src of the reducing form is an AP", {1, 3})
        r = self.new(0xea)
        self.pack(r, 12, i["pred"], 2)
        self.pack(r, 24, i["src"], 2)
        r.byte(37, op).byte(38, i.get("reverse", 0))
        source, word = i["imm0"].field(FP32, self.gen, self.channels)
        r.byte(39, source).word(60, word)
        r.byte(40, self.nibbles(i["pred"], i["src"])).byte(41, i["dst"].wire(self.gen)).byte(42, self.channels)
        r.byte(43, FP32).byte(44, self.command())
        self.pack(r, 48, i["dst"], 2)
        if "result" in i:
            self.drain(i["result"])

    def Select(self):
        i = self.i
        dst = i["dst"]
        for name in ("pred", "on_true"):
            if isinstance(i[name], AP):
                verdict = overlap(dst, i[name], self.channels, self.gen)
                if verdict:
                    refuse("dst overlaps " + name, {0, 1} if verdict == "interleaved" else None)
        if isinstance(i["on_false"], AP):
            self.tile(0x46 if i["on_false"].ordinal == dst.ordinal else 0x47, i["on_false"], dst, self.channels)
        else:
            self.fill(dst, i["on_false"])
        if isinstance(i["on_true"], AP):
            self.predicated(i["pred"], i["on_true"], dst)
        else:
            self.predicated_scalar(i["pred"], i["on_true"], dst)

    def RangeSelect(self):
        self.since(3, "RangeSelect is gen3 and later")
        i, r = self.i, self.new(0xbc)
        if i["src"].count != i["dst"].count:
            refuse("element counts of src and dst differ")
        if "fill" in i and i["fill"].inline(FP32) != 0xff7fffff:
            refuse("fill is not -FLT_MAX")
        r.byte(12, self.channels).byte(13, self.nibbles(i["src"], i["dst"])).byte(14, self.command()).byte(15, 8)
        r.word(16, i["base"].inline(FP32)).word(20, 0xff7fffff)
        self.pack(r, 24, i["src"], 2)
        for n in (0, 1):
            r.byte(36 + n, operator(i["comp_op%d" % n], self.gen, "comp_op%d" % n))
            source, word = i["bound%d" % n].field(FP32, self.gen, self.channels)
            r.byte(38 + n, source).word(40 + 4 * n, word)
        self.pack(r, 48, i["dst"], 2)
        if "result" in i:
            self.drain(i["result"])

    def fill(self, dst, scalar):
        r = self.new(0x49)
        r.word(28, dst.count).byte(32, dst.wire(self.gen)).byte(34, self.channels)
        r.word(40, scalar.inline(dst.wire(self.gen)))
        self.pack(r, 44, dst, 4)

    def Memset(self):
        dst = self.i["dst"]
        if self.i.get("mode", "Const") == "Const":
            self.fill(dst, self.i["value"])
            return
        r = self.new(0x4d)
        r.word(28, dst.count).byte(32, dst.wire(self.gen)).byte(34, self.channels)
        self.pack(r, 44, dst, 4)

    def DveReadAccumulator(self):
        self.drain(self.i["dst"], self.i.get("negated", 0))

    def Gather(self):
        i = self.i
        data, indices, dst = i["data"], i["indices"], i["dst"]
        if len(data.axes) != 1:
            refuse("data has one axis longer than 1", None if data.axes else {0, 1})
        if data.ordinal != dst.ordinal:
            refuse("dst has data's dtype", {0, 1} if data.wire(self.gen) == dst.wire(self.gen) else None)
        if data.indirect or indices.indirect or dst.indirect:
            refuse("cannot be indirect")
        step, n = data.axes[0]
        for first in range(0, n, 512):
            r, count = self.new(0x67), min(512, n - first)
            if count == 1 and step != 1:
                self.ambiguous_tail = True
            address = data.address + first * step * data.size(self.gen)
            r.tensor(12, address, [(step, count)] if count > 1 else [], 4)
            r.byte(32, data.wire(self.gen)).byte(34, self.channels).word(40, first).word(44, 0x1ff)
            r = self.new(0x68)
            self.pack(r, 12, indices, 4)
            r.byte(32, indices.wire(self.gen)).byte(33, dst.wire(self.gen)).byte(34, self.channels)
            r.byte(36, int(first > 0))
            self.pack(r, 44, dst, 4)

    def IndirectCopy(self):
        i, r = self.i, self.new(0xe7)
        data, indices, dst = i["data"], i["indices"], i["dst"]
        if data.indirect or indices.indirect or dst.indirect:
            refuse("cannot be indirect", {0, 1})
        if dst.count > 65535 or data.count > 65535:
            refuse("element count does not fit its 16 bits")
        if indices.wire(self.gen) != 5:
            refuse("index dtype is uint16")
        needed = -(-dst.count // max(i["elements_per_index"], 1))
        for ap in (data, indices):      # the record holds their addresses only
            low, high = spans(ap, self.gen)
            if [s for s, _ in ap.axes] not in ([], [1]) or low < 0 or high > rules.ACTIVE[self.gen]:
                refuse(ap.what + ": a shape that the record cannot say", {0, 1})
        if indices.count * 16 < needed or needed * i["elements_per_index"] != dst.count:
            refuse("indices do not fit dst", {0, 1})
        r.word(12, indices.address | 0x20000000).word(16, data.address).half(20, dst.count)
        r.byte(32, data.wire(self.gen)).byte(33, dst.wire(self.gen)).byte(34, self.channels)
        if not 0 <= i["elements_per_index"] <= 255:
            refuse("elements_per_index", {1, 3})
        r.byte(35, i["elements_per_index"]).half(38, data.count)
        self.pack(r, 44, dst, 4)


RANGE_I32 = 8


def spans(ap, gen):
    size = ap.size(gen)
    reach = [s * (n - 1) * size for s, n in ap.pattern]
    return ap.offset + sum(x for x in reach if x < 0), ap.offset + sum(x for x in reach if x > 0) + size


def byte_set(ap, gen):
    offsets = [ap.offset]
    for step, n in ap.pattern:
        offsets = [o + step * k * ap.size(gen) for o in offsets for k in range(n)]
    return {o + b for o in offsets for b in range(ap.size(gen))}


def overlap(a, b, channels, gen):
    if a.psum != b.psum or abs(a.partition - b.partition) >= channels:
        return None
    (x, y), (u, v) = spans(a, gen), spans(b, gen)
    if y <= u or v <= x:
        return None
    if a.count <= 70000 and b.count <= 70000 and not byte_set(a, gen) & byte_set(b, gen):
        return "interleaved"
    return "bytes"


def lower(spec, gen):
    records, ambiguous = [], []
    try:
        if type(spec) is not dict or spec.get("schema") != "opendve.lower/1" or \
                set(spec) != {"schema", "instructions"} or type(spec["instructions"]) is not list:
            language("not a lowering SPEC")
        parsed = []
        for o in spec["instructions"]:
            parsed.append(parse(o))
        for i in parsed:
            work = Lowering(i, gen)
            try:
                getattr(work, i["op"])()
            except struct.error:
                refuse("a value does not fit its field", {1, 3})
            records += [bytes(r.b) for r in work.out]
            ambiguous += [k for k in ("ambiguous_indirect", "ambiguous_cast", "ambiguous_tail") if hasattr(work, k)]
    except Stop as stop:
        return Outcome(stop.exit, "language" if stop.exit == 3 else "refusal", stop.reason, allow=stop.allow)
    wrong = ["record %d: %s" % (n, name) for n, r in enumerate(records) for name in rules.broken(gen, r)]
    if wrong:
        return Outcome(1, "rules", "; ".join(wrong), records, allow={0, 1} if ambiguous else None, notes=ambiguous)
    return Outcome(0, "records", "", records, notes=ambiguous)


def lower_text(text, gen):
    def no(_):
        raise ValueError("not JSON")
    try:
        spec = json.loads(text, parse_constant=no)
    except (ValueError, RecursionError):
        return Outcome(3, "language", "not JSON")
    return lower(spec, gen)


def main(argv):
    args, gen, mode = [], 3, "generate"
    it = iter(argv)
    for a in it:
        if a == "--gen":
            gen = GENS[next(it)]
        elif a == "--mode":
            mode = next(it)
        else:
            args.append(a)
    with open(args[0], encoding="utf-8") as f:
        outcome = lower_text(f.read(), gen)
    code = outcome.exit
    if mode == "collect" and outcome.kind == "rules":
        code = 0
    if code:
        print("%s: %s" % (outcome.kind, outcome.reason), file=sys.stderr)
        return code
    for record in outcome.records:
        print("0x%02x %s" % (record[0], NAMES[record[0]]) if mode == "collect" else record.hex())
    print("census gen%d" % gen)
    for opcode, count in outcome.census:
        print("0x%02x %s %d" % (opcode, NAMES[opcode], count))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
