#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random SPECs, reproducible from a seed.

    make_specs.py SEED COUNT [-o cases.json]

cases(seed, count) yields {name, gen, spec (or text), run, hints}: `run` says that `opendve exec` can compute the records,
`hints` bounds index operands.  Every named defect of DEFECTS comes once before the random ones.
"""
import copy
import json
import random
import sys

from lower_oracle import OURS, lower

SBUF, PSUM = 16384, 4096                     # bytes of the arenas, from offset 0 of every partition
SPELL = {"uint8": 0, "int8": 1, "float8e3": 3, "float8e4": 4, "float8e5": 7, "uint16": 10, "int16": 11,
         "bfloat16": 12, "float16": 13, "uint32": 14, "int32": 15, "float32": 16, "float32r": 17}
SIZE = {"uint8": 1, "int8": 1, "fp8_e3m4": 1, "fp8_e4m3": 1, "fp8_e5m2": 1, "uint16": 2, "int16": 2, "bf16": 2,
        "fp16": 2, "uint32": 4, "int32": 4, "fp32": 4, "fp32r": 4}
INTS = ["int8", "uint8", "int16", "uint16", "int32", "uint32"]
FLOATS = ["fp8_e3m4", "fp8_e4m3", "fp8_e5m2", "bf16", "fp16", "fp32"]
PLAIN = INTS + FLOATS
GENERAL = ["bypass", "add", "subtract", "mult", "max", "min", "logical_and", "logical_or", "logical_xor", "is_eq", "is_gt",
           "is_ge", "is_le", "is_lt", "absolute_diff", "is_ne", "absolute_value"]
GEN4 = ["abs_max", "abs_min", "relu", "square"]
OP_ORDINAL = {"bypass": 0, "add": 4, "subtract": 5, "mult": 6, "max": 8, "min": 9, "logical_and": 13, "logical_or": 14,
              "logical_xor": 15, "is_eq": 18, "is_ne": 19, "is_gt": 20, "is_ge": 21, "is_lt": 22, "is_le": 23,
              "absolute_value": 29, "abs_max": 30, "abs_min": 31}


class Maker:
    def __init__(self, rng, gen):
        self.rng, self.gen, self.used, self.hints, self.run = rng, gen, {"sbuf": 0, "psum": 0}, {}, True

    def chance(self, p):
        return self.rng.random() < p

    def dtype(self, name):
        """One of the three spellings."""
        ordinal = OURS[name]
        compiler = {v: k for k, v in SPELL.items()}[ordinal]
        return self.rng.choice([name, name, compiler, ordinal])

    def op(self, name):
        return OP_ORDINAL[name] if name in OP_ORDINAL and self.chance(0.3) else name

    def start(self, channels):
        return self.rng.choice([0] if channels > 64 else [0, 64] if channels > 32 else [0, 32, 64, 96])

    def axes(self, count, most):
        """count as up to `most` factors above 1."""
        parts, left = [], count
        while left > 1:
            if len(parts) == most - 1:
                parts.append(left)
                break
            d = self.rng.choice([d for d in range(2, left + 1) if left % d == 0])
            parts.append(d)
            left //= d
        return parts

    def pattern(self, count, most, written, write, plain=False):
        """[[step, count]] and its span in elements (low, high)."""
        if plain:
            return [[1, count]] if count > 1 or self.chance(0.5) else [], 0, count - 1
        parts = self.axes(count, 1 if self.chance(0.4) else most)
        order = list(range(len(parts)))
        self.rng.shuffle(order)
        steps, unit, low, high = [0] * len(parts), self.rng.choice([1, 1, 1, 2, 3]), 0, 0
        for k in order:
            step = unit
            if not write and self.chance(0.08):
                steps[k] = 0
                continue
            unit *= parts[k]
            if self.chance(0.15):
                unit += self.rng.randint(1, 3)
            if self.chance(0.15):
                step = -step
            steps[k] = step
            reach = step * (parts[k] - 1)
            low, high = low + min(reach, 0), high + max(reach, 0)
        pairs = [[s, n] for s, n in zip(steps, parts)]
        while len(pairs) < written and self.chance(0.2):
            pairs.insert(self.rng.randint(0, len(pairs)), [self.rng.randint(-300, 300), 1])
        return pairs, low, high

    def ap(self, count, name, channels, most=4, written=4, write=False, space=None, start=None, plain=False, one=False):
        size = SIZE[name]
        pairs, low, high = self.pattern(count, 1 if one else most, written, write, plain)
        span = (high - low + 1) * size
        if space is None:
            space = "psum" if self.chance(0.15) and not (write and size != 4) else "sbuf"
        limit = PSUM if space == "psum" else SBUF
        if self.used[space] + span + 16 > limit and space == "psum":
            space, limit = "sbuf", SBUF
        at = (self.used[space] + 3) // 4 * 4 + 4 * self.rng.randint(0, 2)
        if at + span > limit:
            raise OverflowError
        self.used[space] = at + span
        ap = {"space": space, "partition": self.start(channels) if start is None else start, "offset": at - low * size,
              "dtype": self.dtype(name), "pattern": pairs}
        if self.chance(0.1):
            ap["channels"] = channels
        return ap

    def channels(self):
        return self.rng.choice([1, 5, 17, 32, 33, 64, 65, 100, 128, 128])

    def count(self, low=1, high=160):
        return self.rng.randint(low, high)

    def scalar(self, channels, pointer=True, dtype="fp32"):
        k = self.rng.random()
        if pointer and k < 0.2:
            ap = self.ap(1, dtype, channels, plain=True)
            ap["dtype"] = dtype
            return ap
        if k < 0.3:
            return self.rng.choice(["inf", "-inf", "nan"])
        if k < 0.4:
            return {"bits": "0x%08x" % self.rng.choice([0x3f800000, 0x80000000, 0x7f800001, 0xc2280000, 0x00000001])}
        if k < 0.6 and pointer and not self.run:
            return {"reg": self.rng.randint(0, 63)}
        return self.rng.choice([0, 1, 1.0, -1, 2.5, -0.5, 3, 0.1, 100, -7.25, 1e-3, 4096])

    def narrow(self, dtype, register=False):
        """A scalar for a field of this dtype, the same by every way of converting."""
        if register and not self.run and self.chance(0.4):
            return {"reg": self.rng.randint(0, 63)}
        if self.chance(0.2):
            return {"bits": "0x%0*x" % (2 * SIZE[dtype], self.rng.getrandbits(8 * SIZE[dtype]))}
        if self.chance(0.15):
            return self.rng.choice(["inf", "-inf", "nan"])
        return self.rng.choice([0, 1, 1.0, 2, 2.5, 3.5, 100, -1, 300, 1e6, -0.5, 0.15625, 17])

    # ops ----------------------------------------------------------------

    def keys(self, n, dtype, one):
        return self.ap(8, dtype, n, most=2, written=2, one=one)

    def Max(self):
        n, d = self.channels(), self.rng.choice(PLAIN)
        out = self.rng.choice(["fp32", "fp32", d, "bf16", "fp16", "fp32r", "int16", "fp8_e5m2"])
        return {"data": self.ap(self.count(8, 400), d, n), "maxvals": self.ap(8, out, n, written=2, write=True, one=True)}, n

    def MaxIndex(self):
        n, d = self.channels(), self.rng.choice(PLAIN)
        i = {"maxvals": self.keys(n, self.rng.choice([d, d, "fp32"]), True), "data": self.ap(self.count(8, 400), d, n),
             "indices": self.ap(8, self.rng.choice(["uint32", "uint16"]), n, most=2, write=True, space="sbuf")}
        if self.chance(0.1):
            i["maxvals"]["pattern"] = [[0, 8]]
        return i, n

    def MatchReplace(self):
        n, d = self.channels(), self.rng.choice(["fp16", "bf16", "uint8", "uint16", "uint32", "fp32", "int32"])
        out = d if self.chance(0.6) else self.rng.choice(["fp16", "bf16", "uint8", "uint16", "uint32", "fp32", "int32"])
        count = self.count(8, 300)
        data = self.ap(count, d, n)
        if self.chance(0.2) and all(s for s, _ in data["pattern"]) and (data["space"] == "sbuf" or SIZE[d] == 4):
            dst = copy.deepcopy(data)
        else:
            dst = self.ap(count, out, n, write=True)
        i = {"maxvals": self.keys(n, self.rng.choice([d, d, "fp32"]), False), "data": data, "dst": dst,
             "imm": self.scalar(n, pointer=False)}
        return i, n

    def MaxIndexAndMatchReplace(self):
        i, n = self.MatchReplace()
        i["indices"] = self.ap(8, self.rng.choice(["uint32", "uint16"]), n, write=True, space="sbuf", one=True)
        return i, n

    def StreamShuffle(self):
        n, d, count = self.channels(), self.rng.choice(PLAIN), self.count()
        mask = [self.rng.choice([self.rng.randint(0, 31), 255]) if self.chance(0.3) else self.rng.randint(0, 31)
                for _ in range(32)]
        whole = (n + 31) // 32 * 32
        return {"src": self.ap(count, d, n, start=self.start(whole)),
                "dst": self.ap(count, d, n, write=True, start=self.start(whole)), "mask": mask}, n

    def StreamTranspose(self):
        n, d = self.rng.choice([1, 7, 31, 32, 64, 96, 128]), self.rng.choice(PLAIN)
        whole, count = (n + 31) // 32 * 32, 32 * self.rng.randint(1, 6)
        out = count if self.chance(0.5) else self.rng.randint(1, count)
        return {"src": self.ap(count, d, n, most=3, start=self.start(whole)),
                "dst": self.ap(out, d, n, most=3, write=True, start=self.start(whole))}, n

    def TensorCopy(self):
        n, d, count = self.channels(), self.rng.choice(PLAIN), self.count()
        out = d if self.chance(0.4) else self.rng.choice(PLAIN + ["fp32r"])
        return {"src": self.ap(count, d, n), "dst": self.ap(count, out, n, write=True)}, n

    def NonzeroWithCount(self):
        n, count = self.rng.choice([1, 16, 17, 48, 128]), self.count(1, 100)
        start = 16 * self.rng.randint(0, (128 - n) // 16)

        def number():
            if self.chance(0.2):
                return {"bits": "0x%x" % self.rng.getrandbits(32)}
            return self.rng.choice([0, -1, 16, -1.0, 2147483647, -2147483648, 7])
        return {"src": self.ap(count, self.rng.choice(["fp32", "int32"]), n, most=3, space="sbuf", start=start),
                "dst": self.ap(count + 1, "int32", n, most=3, write=True, space="sbuf", start=start),
                "index_offset": number(), "padding_val": number()}, n

    def arith(self):
        return self.op(self.rng.choice(GENERAL + (GEN4 if self.gen >= 4 else [])))

    def accum(self, names):
        ordinal = {"Idle": 0, "Zero": 1, "ZeroAccumulate": 3, "AddAccumulate": 4, "LoadAccumulate": 5}
        name = self.rng.choice(names)
        return ordinal[name] if self.chance(0.3) else name

    def TensorScalarCache(self):
        n, count = self.channels(), self.count()
        i = {"mode": self.rng.choice(["Reduce", "Cumulative", "Scan"]),
             "src": self.ap(count, self.rng.choice(FLOATS + ["int8", "uint8", "int16", "uint16"]), n, most=3),
             "dst": self.ap(count, self.rng.choice(PLAIN + ["fp32r", "fp32"]), n, most=3, write=True), "op0": self.arith(),
             "op1": self.op(self.rng.choice(["add", "subtract", "mult", "max", "min"])), "imm0": self.scalar(n)}
        if self.chance(0.6):
            i["result"] = self.result(n)
        if "result" not in i or self.chance(0.6):
            i["accumulate"] = self.accum(["ZeroAccumulate", "AddAccumulate", "LoadAccumulate"] +
                                         (["Idle"] if "result" in i else []))
            if i["accumulate"] in ("LoadAccumulate", 5):
                i["imm1"] = self.scalar(n)
        return i, n

    def result(self, n):
        return self.ap(1, self.rng.choice(["fp32", "fp32", "fp32r"] + FLOATS), n, write=True, plain=self.chance(0.5))

    def sources(self, n, a, b):
        """Two source APs: not both in PSUM, in SBUF in one quadrant."""
        start = self.start(n)
        first = self.ap(*a, start=start)
        second = self.ap(*b, start=start, space="sbuf" if first["space"] == "psum" else None)
        return first, second

    def CopyPredicated(self):
        n, count = self.channels(), self.count()
        reducing = self.chance(0.4)
        pred_dtype = self.rng.choice(INTS)
        most = 2 if reducing else 3
        data = self.rng.choice([d for d in PLAIN if d not in ("int32", "uint32")] if reducing else PLAIN)
        if not reducing and self.chance(0.4):
            out = self.rng.choice(PLAIN)
            return {"pred": self.ap(count, pred_dtype, n, most=3), "dst": self.ap(count, out, n, most=3, write=True),
                    "src": self.narrow(out, True)}, n
        pred, src = self.sources(n, (count, pred_dtype, n, most), (count, data, n, most))
        out = data if self.chance(0.5) else self.rng.choice(PLAIN + (["fp32r"] if reducing else []))
        i = {"pred": pred, "src": src, "dst": self.ap(count, out, n, most=most, write=True)}
        if reducing:
            i.update(reduce_op=self.op("max"), imm0=self.scalar(n))
            if self.chance(0.5):
                i["reverse"] = self.chance(0.5)
            self.command(i, n)
        return i, n

    def command(self, i, n):
        if self.chance(0.5):
            i["accumulate"] = self.accum(["Idle", "ZeroAccumulate", "AddAccumulate"])
        if self.chance(0.5):
            i["result"] = self.result(n)

    def Select(self):
        n, count, out = self.channels(), self.count(), self.rng.choice(PLAIN)
        pred, true = self.sources(n, (count, self.rng.choice(INTS), n, 3),
                                  (count, out if self.chance(0.5) else self.rng.choice(PLAIN), n, 3))
        false = self.ap(count, out if self.chance(0.5) else self.rng.choice(PLAIN), n)
        return {"pred": pred, "on_true": self.narrow(out, True) if self.chance(0.3) else true,
                "on_false": self.narrow(out) if self.chance(0.3) else false,
                "dst": self.ap(count, out, n, most=3, write=True)}, n

    def RangeSelect(self):
        n, count = self.channels(), self.count()
        i = {"src": self.ap(count, self.rng.choice(FLOATS), n, most=2),
             "dst": self.ap(count, self.rng.choice(FLOATS + ["fp32r", "fp32"]), n, most=2, write=True),
             "base": self.rng.choice([0, 0.0, 3, 1000, 16777216 - count]),
             "comp_op0": self.op(self.rng.choice(["is_eq", "is_gt", "is_ge", "is_le", "is_lt"])),
             "comp_op1": self.op(self.rng.choice(["is_eq", "is_gt", "is_ge", "is_le", "is_lt"])),
             "bound0": self.bound(n), "bound1": self.bound(n)}
        if self.chance(0.3):
            i["fill"] = self.rng.choice([{"bits": "0xff7fffff"}, -3.4028234663852886e38])
        self.command(i, n)
        return i, n

    def bound(self, n):
        return self.rng.randint(-3, 170) if self.chance(0.6) else self.scalar(n)

    def Memset(self):
        n, d = self.channels(), self.rng.choice(PLAIN + ["fp32r"])
        i = {"dst": self.ap(self.count(), d, n, write=True), "value": self.narrow(d)}
        k = self.rng.random()
        if k < 0.2 and d in INTS:
            i.update(mode="Random", value=0)
            self.run = False
        elif k < 0.4:
            i["mode"] = "Const"
        return i, n

    def DveReadAccumulator(self):
        n = self.channels()
        i = {"dst": self.result(n)}
        if self.chance(0.6):
            i["negated"] = self.chance(0.5)
        return i, n

    def Gather(self):
        n, d = self.rng.choice([16, 32, 64, 128]), self.rng.choice(PLAIN)
        size = self.rng.choice([2, 40, 511, 512, 514, 900]) if SIZE[d] < 4 else self.rng.choice([2, 40, 512, 700])
        step = self.rng.choice([1, 1, 2, -1]) if size < 600 else 1
        data = self.ap(size, d, n, plain=True, space="sbuf", start=0)
        if step != 1:
            room = abs(step) * (size - 1) * SIZE[d]
            data["pattern"] = [[step, size]]
            self.used["sbuf"] += room
            if self.used["sbuf"] > SBUF:
                raise OverflowError
            if step < 0:
                data["offset"] += room
        count = self.count(1, 60)
        name = self.rng.choice(["uint32", "uint16"] + (["uint8"] if size > 255 else []))
        self.hints["indices"] = [0, size - 1]
        return {"data": data, "indices": self.ap(count, name, n, space="sbuf", start=0),
                "dst": self.ap(count, d, n, write=True, space="sbuf", start=0)}, n

    def IndirectCopy(self):
        n, d, run = self.rng.choice([16, 32, 64, 128]), self.rng.choice(PLAIN), self.rng.choice([1, 2, 4, 8])
        size, columns = self.rng.randint(max(2, run), 200), self.rng.randint(1, 3)
        listed = 16 * columns if self.chance(0.5) else 16 * (columns - 1) + self.rng.randint(1, 16)
        start = self.start(n)
        self.hints["indices"] = [0, size - run]
        return {"data": self.ap(size, d, n, plain=True, space="sbuf", start=start),
                "indices": self.ap(columns, "uint16", n, plain=True, space="sbuf", start=start),
                "dst": self.ap(listed * run, d, n, write=True, space="sbuf", start=start),
                "elements_per_index": run}, n


OPS = ["Max", "MaxIndex", "MatchReplace", "MaxIndexAndMatchReplace", "StreamShuffle", "StreamTranspose", "TensorCopy",
       "NonzeroWithCount", "TensorScalarCache", "CopyPredicated", "Select", "RangeSelect", "Memset", "DveReadAccumulator",
       "Gather", "IndirectCopy"]
GEN3 = ("MaxIndexAndMatchReplace", "NonzeroWithCount", "RangeSelect")


def instruction(maker, op):
    while True:
        saved = dict(maker.used)
        try:
            body, n = getattr(maker, op)()
            return dict({"op": op, "channels": n}, **body)
        except OverflowError:
            maker.used = saved
            if sum(saved.values()) > 6000:
                raise


def wrap(*instructions):
    return {"schema": "opendve.lower/1", "instructions": list(instructions)}


# ---------------------------------------------------------------- defects

def simple(op, n=128, **members):
    def ap(offset, dtype, pattern, **more):
        return dict({"space": "sbuf", "partition": 0, "offset": offset, "dtype": dtype, "pattern": pattern}, **more)
    base = {
        "Max": dict(data=ap(0, "fp32", [[1, 64]]), maxvals=ap(4096, "fp32", [[1, 8]])),
        "MaxIndex": dict(maxvals=ap(4096, "fp32", [[1, 8]]), data=ap(0, "fp32", [[1, 64]]),
                         indices=ap(8192, "uint32", [[1, 8]])),
        "MatchReplace": dict(maxvals=ap(4096, "fp32", [[1, 8]]), data=ap(0, "fp32", [[1, 64]]),
                             dst=ap(8192, "fp32", [[1, 64]]), imm="-inf"),
        "MaxIndexAndMatchReplace": dict(maxvals=ap(4096, "fp32", [[1, 8]]), data=ap(0, "fp32", [[1, 64]]),
                                        dst=ap(8192, "fp32", [[1, 64]]), imm="-inf", indices=ap(12288, "uint16", [[1, 8]])),
        "StreamShuffle": dict(src=ap(0, "fp32", [[1, 64]]), dst=ap(4096, "fp32", [[1, 64]]), mask=list(range(32))),
        "StreamTranspose": dict(src=ap(0, "fp32", [[1, 64]]), dst=ap(4096, "fp32", [[1, 64]])),
        "TensorCopy": dict(src=ap(0, "fp32", [[1, 64]]), dst=ap(4096, "fp32", [[1, 64]])),
        "NonzeroWithCount": dict(src=ap(0, "fp32", [[1, 64]]), dst=ap(4096, "int32", [[1, 65]]), index_offset=0,
                                 padding_val=-1),
        "TensorScalarCache": dict(mode="Reduce", src=ap(0, "fp32", [[1, 64]]), dst=ap(4096, "fp32", [[1, 64]]), op0="mult",
                                  op1="add", imm0=2, accumulate="ZeroAccumulate"),
        "CopyPredicated": dict(pred=ap(0, "uint8", [[1, 64]]), src=ap(4096, "fp32", [[1, 64]]),
                               dst=ap(8192, "fp32", [[1, 64]])),
        "Reducing": dict(pred=ap(0, "uint8", [[1, 64]]), src=ap(4096, "fp32", [[1, 64]]), dst=ap(8192, "fp32", [[1, 64]]),
                         reduce_op="max", imm0=0),
        "Select": dict(pred=ap(0, "uint8", [[1, 64]]), on_true=ap(4096, "fp32", [[1, 64]]),
                       on_false=ap(8192, "fp32", [[1, 64]]), dst=ap(12288, "fp32", [[1, 64]])),
        "RangeSelect": dict(src=ap(0, "fp32", [[1, 64]]), dst=ap(4096, "fp32", [[1, 64]]), base=0, comp_op0="is_ge",
                            comp_op1="is_lt", bound0=3, bound1=9),
        "Memset": dict(dst=ap(0, "fp32", [[1, 64]]), value=1),
        "DveReadAccumulator": dict(dst=ap(0, "fp32", [])),
        "Gather": dict(data=ap(0, "fp32", [[1, 600]]), indices=ap(4096, "uint32", [[1, 8]]),
                       dst=ap(8192, "fp32", [[1, 8]])),
        "IndirectCopy": dict(data=ap(0, "fp32", [[1, 64]]), indices=ap(4096, "uint16", [[1, 2]]),
                             dst=ap(8192, "fp32", [[1, 64]]), elements_per_index=2)}
    i = dict({"op": "CopyPredicated" if op == "Reducing" else op, "channels": n}, **copy.deepcopy(base[op]))
    for k, v in members.items():
        if v is None:
            i.pop(k)
        elif type(v) is dict and type(i.get(k)) is dict and "space" in i[k] and "bits" not in v and "reg" not in v:
            i[k].update(v)
        else:
            i[k] = v
    return i


def P(*pairs):
    return {"pattern": [list(p) for p in pairs]}


ELSEWHERE = {"space": "sbuf", "partition": 0, "offset": 16000, "dtype": "uint32", "pattern": [[1, 8]]}
FP32_AT = {"space": "sbuf", "partition": 0, "offset": 16000, "dtype": "fp32", "pattern": []}
# name -> (gen, instruction).  lang_: not the language; ref_: a refusal; rule_: a record breaks a rule.
DEFECTS = {
    "lang_unknown_op": (3, dict(simple("Max"), op="Maximum")),
    "lang_missing_operand": (3, simple("Max", data=None)),
    "lang_missing_channels": (3, simple("Max", channels=None)),
    "lang_unknown_member": (3, simple("Max", extra=1)),
    "lang_member_of_another_op": (3, simple("Max", imm=1)),
    "lang_operand_not_an_ap": (3, simple("Max", data=7)),
    "lang_channels_text": (3, simple("Max", channels="128")),
    "lang_space": (3, simple("Max", data={"space": "dram"})),
    "lang_pattern_pair": (3, simple("Max", data={"pattern": [[1, 64, 1]]})),
    "lang_pattern_number": (3, simple("Max", data={"pattern": [64]})),
    "lang_pattern_text": (3, simple("Max", data={"pattern": [[1, "64"]]})),
    "lang_ap_member": (3, simple("Max", data={"bank": 1})),
    "lang_scalar_text": (3, simple("MatchReplace", imm="infinity")),
    "lang_scalar_list": (3, simple("MatchReplace", imm=[1])),
    "lang_mask_text": (3, simple("StreamShuffle", mask="identity")),
    "lang_reducing_without_imm0": (3, simple("Reducing", imm0=None)),
    "lang_imm0_without_reduce_op": (3, simple("Reducing", reduce_op=None)),
    "lang_mode_number": (3, simple("Memset", mode=1)),
    "ref_gen2_max_index_and_match_replace": (2, simple("MaxIndexAndMatchReplace")),
    "ref_gen2_nonzero": (2, simple("NonzeroWithCount")),
    "ref_gen2_range_select": (2, simple("RangeSelect")),
    "ref_partition_counts_differ": (3, simple("Max", data={"channels": 64})),
    "ref_partition_counts_differ_dst": (3, simple("TensorCopy", dst={"channels": 127})),
    "ref_indirect_max": (4, simple("Max", data={"indirect": ELSEWHERE})),
    "ref_indirect_keys": (4, simple("MaxIndex", maxvals={"indirect": ELSEWHERE})),
    "ref_indirect_transpose_src": (4, simple("StreamTranspose", src={"indirect": ELSEWHERE})),
    "ref_indirect_copy_gen3": (3, simple("TensorCopy", src={"indirect": ELSEWHERE})),
    "ref_indirect_reducing": (4, simple("Reducing", src={"indirect": ELSEWHERE})),
    "ref_indirect_memset": (4, simple("Memset", dst={"indirect": ELSEWHERE})),
    "ref_step_40000": (3, simple("Max", data=P((40000, 8)))),
    "ref_step_minus_32769": (3, simple("Max", data=P((-32769, 8)))),
    "ref_count_0": (3, simple("TensorCopy", src=P((1, 0)), dst=P((1, 0)))),
    "ref_count_65536": (3, simple("Memset", dst=P((0, 65536)))),
    "ref_data_rank_6": (3, simple("Max", data=P((1, 64), (1, 1), (1, 1), (1, 1), (1, 1)))),
    "ref_src_rank_6": (3, simple("TensorCopy", src=P((1, 2), (2, 2), (4, 2), (8, 2), (16, 4)))),
    "ref_maxvals_rank_4": (3, simple("MaxIndex", maxvals=P((1, 8), (1, 1), (1, 1)))),
    "ref_max_maxvals_rank_4": (3, simple("Max", maxvals=P((1, 8), (1, 1), (1, 1)))),
    "ref_axes_src_4_of_3": (3, simple("TensorScalarCache", src=P((1, 2), (2, 2), (4, 4), (16, 4)))),
    "ref_axes_range_src_3_of_2": (3, simple("RangeSelect", src=P((1, 4), (4, 4), (16, 4)))),
    "ref_axes_reducing_pred_3_of_2": (3, simple("Reducing", pred=P((1, 4), (4, 4), (16, 4)))),
    "ref_axes_indices_3_of_2": (3, simple("MaxIndex", indices=P((1, 2), (2, 2), (4, 2)))),
    "ref_axes_dst_5_of_4": (3, simple("TensorCopy", dst=P((1, 2), (2, 2), (4, 2), (8, 2), (16, 4)))),
    "ref_fp4_in_pair_pred": (4, simple("CopyPredicated", src={"dtype": 2})),
    "ref_fp4_in_pair_range": (4, simple("RangeSelect", dst={"dtype": "float4_e2m1fn_x4"})),
    "ref_fp4_in_pair_reducing_gen5": (5, simple("Reducing", src={"dtype": 2})),
    "ref_operator_24": (3, simple("TensorScalarCache", op0=24)),
    "ref_operator_25": (3, simple("TensorScalarCache", op1=25)),
    "ref_operator_30_gen3": (3, simple("TensorScalarCache", op0=30)),
    "ref_operator_99": (3, simple("RangeSelect", comp_op0=99)),
    "ref_accumulate_ordinal_2": (3, simple("TensorScalarCache", accumulate=2)),
    "ref_accumulate_name": (3, simple("TensorScalarCache", accumulate="Accumulate")),
    "ref_accumulate_name_range": (3, simple("RangeSelect", accumulate="Accumulate")),
    "ref_maxvals_7": (3, simple("Max", maxvals=P((1, 7)))),
    "ref_keys_9": (3, simple("MatchReplace", maxvals=P((1, 9)))),
    "ref_data_7": (3, simple("Max", data=P((1, 7)))),
    "ref_data_7_match_replace": (3, simple("MatchReplace", data=P((1, 7)), dst=P((1, 7)))),
    "ref_data_16385": (3, simple("Max", data=P((0, 16385)))),
    "ref_reversed_2x4": (3, simple("Max", maxvals=P((1, 2), (2, 4)))),
    "ref_reversed_keys_2x4": (3, simple("MaxIndex", maxvals=P((1, 4), (4, 2)))),
    "ref_reversed_indices_2x4": (3, simple("MaxIndexAndMatchReplace", indices=P((1, 4), (4, 2)))),
    "ref_reversed_step": (3, simple("MaxIndex", maxvals=dict(P((-32768, 8)), offset=16384, dtype="uint8"))),
    "ref_transpose_33": (3, simple("StreamTranspose", 33)),
    "ref_transpose_127": (3, simple("StreamTranspose", 127)),
    "ref_transpose_dtype": (3, simple("StreamTranspose", dst={"dtype": "int32"})),
    "ref_transpose_four_axes": (3, simple("StreamTranspose", src=P((1, 2), (2, 2), (4, 4), (16, 4)))),
    "ref_shuffle_dtype": (3, simple("StreamShuffle", dst={"dtype": "uint32"})),
    "ref_shuffle_mask_31_entries": (3, simple("StreamShuffle", mask=list(range(31)))),
    "ref_shuffle_mask_32": (3, simple("StreamShuffle", mask=[32] * 32)),
    "ref_shuffle_mask_minus": (3, simple("StreamShuffle", mask=[-1] * 32)),
    "ref_select_overlap_pred": (3, simple("Select", dst={"offset": 32})),
    "ref_select_overlap_true": (3, simple("Select", dst={"offset": 4096})),
    "ref_range_fill": (3, simple("RangeSelect", fill=0)),
    "ref_range_fill_inf": (3, simple("RangeSelect", fill="-inf")),
    "ref_range_counts": (3, simple("RangeSelect", dst=P((1, 63)))),
    "ref_cache_no_accumulate_no_result": (3, simple("TensorScalarCache", accumulate=None)),
    "ref_cache_idle_no_result": (3, simple("TensorScalarCache", accumulate="Idle")),
    "ref_cache_idle_ordinal_no_result": (3, simple("TensorScalarCache", accumulate=0, mode="Scan")),
    "ref_cache_imm1_without_load": (3, simple("TensorScalarCache", imm1=1)),
    "ref_cache_load_without_imm1": (3, simple("TensorScalarCache", accumulate="LoadAccumulate")),
    "ref_cache_result_of_two": (3, simple("TensorScalarCache", result=dict(FP32_AT, pattern=[[1, 2]]))),
    "ref_read_accumulator_of_two": (3, simple("DveReadAccumulator", dst=P((1, 2)))),
    "ref_gather_two_axes": (3, simple("Gather", data=P((1, 20), (20, 30)))),
    "ref_gather_dtype": (3, simple("Gather", dst={"dtype": "int32"})),
    "ref_imm_pointer": (3, simple("MatchReplace", imm=FP32_AT)),
    "ref_imm_register": (3, simple("MatchReplace", imm={"reg": 3})),
    "ref_memset_pointer": (3, simple("Memset", value=FP32_AT)),
    "ref_memset_mode": (3, simple("Memset", mode="Iota")),
    "ref_cache_mode": (3, simple("TensorScalarCache", mode="Sum")),
    "ref_nonzero_fraction": (3, simple("NonzeroWithCount", index_offset=1.5)),
    "ref_nonzero_2_31": (3, simple("NonzeroWithCount", padding_val=2147483648)),
    "ref_pointer_dtype": (3, simple("TensorScalarCache", imm0=dict(FP32_AT, dtype="int32"))),
    "ref_pointer_of_two": (3, simple("TensorScalarCache", imm0=dict(FP32_AT, pattern=[[1, 2]]))),
    "ref_channels_0": (3, simple("Max", 0)),
    "ref_channels_129": (3, simple("Max", 129)),
    "ref_index_dtype_of_indirect_copy": (3, simple("IndirectCopy", indices={"dtype": "uint32"})),
    "rule_max_reads_fp32r": (3, simple("Max", data={"dtype": "fp32r"})),
    "rule_index_dtype_fp32": (3, simple("MaxIndex", indices={"dtype": "fp32"})),
    "rule_match_replace_int8": (3, simple("MatchReplace", data={"dtype": "int8"})),
    "rule_match_replace_counts": (3, simple("MatchReplace", dst=P((1, 63)))),
    "rule_uint64": (3, simple("TensorCopy", src={"dtype": "uint64"}, dst={"dtype": "uint64"})),
    "rule_psum_narrow": (3, simple("TensorCopy", dst={"space": "psum", "dtype": "bf16"})),
    "rule_start_partition": (3, simple("TensorCopy", 33, dst={"partition": 32})),
    "rule_start_partition_shuffle": (3, simple("StreamShuffle", 65, dst={"partition": 64})),
    "rule_misaligned": (3, simple("TensorCopy", dst={"offset": 4098})),
    "rule_walk": (3, simple("TensorCopy", dst={"offset": 224 * 1024 - 4})),
    "rule_walk_gen2": (2, simple("TensorCopy", dst={"offset": 192 * 1024 - 252})),
    "rule_walk_backwards": (3, simple("TensorCopy", src=P((-1, 64)))),
    "rule_walk_psum": (3, simple("TensorCopy", dst={"space": "psum", "offset": 16 * 1024 - 8})),
    "rule_copy_counts": (3, simple("TensorCopy", dst=P((1, 63)))),
    "rule_cache_int32": (3, simple("TensorScalarCache", src={"dtype": "int32"})),
    "rule_cache_op0_divide": (3, simple("TensorScalarCache", op0="divide")),
    "rule_cache_op1_bypass": (3, simple("TensorScalarCache", op1="bypass")),
    "rule_cache_op0_square_gen3": (3, simple("TensorScalarCache", op0="square")),
    "rule_cache_zero": (3, simple("TensorScalarCache", accumulate="Zero")),
    "rule_cache_operator_32_gen4": (4, simple("TensorScalarCache", op0=32)),
    "rule_reduce_add": (3, simple("Reducing", reduce_op="add")),
    "rule_reduce_load": (3, simple("Reducing", accumulate="LoadAccumulate")),
    "rule_reduce_int32_data": (3, simple("Reducing", src={"dtype": "int32"})),
    "rule_pred_float": (3, simple("CopyPredicated", pred={"dtype": "fp32"})),
    "rule_both_psum": (3, simple("CopyPredicated", pred={"space": "psum"}, src={"space": "psum", "offset": 8192})),
    "rule_quadrants": (3, simple("CopyPredicated", 32, pred={"partition": 32})),
    "rule_pred_counts": (3, simple("CopyPredicated", pred=P((1, 63)))),
    "rule_scalar_upper_bits": (3, simple("CopyPredicated", src={"bits": "0x100"}, dst={"dtype": "int8"})),
    "rule_range_base_half": (3, simple("RangeSelect", base=0.5)),
    "rule_range_base_2_24": (3, simple("RangeSelect", base=16777216)),
    "rule_range_base_negative": (3, simple("RangeSelect", base=-1)),
    "rule_range_comp_ne": (3, simple("RangeSelect", comp_op0="is_ne")),
    "rule_range_int": (3, simple("RangeSelect", src={"dtype": "int16"})),
    "rule_memset_bits": (3, simple("Memset", dst={"dtype": "bf16"}, value={"bits": "0x13f80"})),
    "rule_accumulator_int": (3, simple("DveReadAccumulator", dst={"dtype": "int32"})),
    "rule_transpose_33_elements": (3, simple("StreamTranspose", src=P((1, 33)), dst=P((1, 33)))),
    "rule_transpose_longer_dst": (3, simple("StreamTranspose", dst=P((1, 65)))),
    "rule_nonzero_counts": (3, simple("NonzeroWithCount", dst=P((1, 64)))),
    "rule_nonzero_bf16": (3, simple("NonzeroWithCount", src={"dtype": "bf16"})),
    "rule_nonzero_psum": (3, simple("NonzeroWithCount", src={"space": "psum"})),
    "rule_nonzero_start": (3, simple("NonzeroWithCount", 16, src={"partition": 8})),
    "rule_gather_index": (3, simple("Gather", indices={"dtype": "int32"})),
    "rule_gather_data_psum": (3, simple("Gather", data={"space": "psum"})),
    "rule_indirect_3_per_index": (3, simple("IndirectCopy", elements_per_index=3, dst=P((1, 60)))),
    "rule_indirect_channels": (3, simple("IndirectCopy", 17)),
    "rule_indirect_dtype": (3, simple("IndirectCopy", dst={"dtype": "int32"})),
    "rule_fp4_gen4": (4, simple("Max", data={"dtype": 2})),
}
# rules that no reading of lowering.md makes a gate: `collect` lets them pass
RECORD_ONLY = ("rule_max_reads_fp32r", "rule_index_dtype_fp32", "rule_uint64", "rule_psum_narrow", "rule_start_partition",
               "rule_start_partition_shuffle", "rule_misaligned", "rule_walk", "rule_walk_gen2", "rule_walk_psum",
               "rule_both_psum", "rule_quadrants", "rule_nonzero_psum", "rule_nonzero_start", "rule_accumulator_int")
TEXTS = {"lang_not_json": "{", "lang_empty": "", "lang_list": "[]", "lang_schema": '{"schema":"opendve.lower/2","instructions":[]}',
         "lang_no_instructions": '{"schema":"opendve.lower/1"}',
         "lang_instructions_object": '{"schema":"opendve.lower/1","instructions":{}}'}


def one(rng, gen, number):
    maker = Maker(rng, gen)
    maker.run = rng.random() > 0.08          # registers only where nothing is executed
    ops = [o for o in OPS if gen >= 3 or o not in GEN3]
    pick = [rng.choice(ops) for _ in range(1 if rng.random() < 0.7 else rng.randint(2, 4))]
    out = []
    for op in pick:
        try:
            out.append(instruction(maker, op))
        except OverflowError:
            break
    if not out:
        return None
    return {"name": "random_%d_%s" % (number, "_".join(i["op"] for i in out)), "gen": gen, "spec": wrap(*out),
            "run": maker.run, "hints": maker.hints if len(out) == 1 else {}, "one": len(out) == 1,
            "bytes": [maker.used["sbuf"] + 32, maker.used["psum"] + 32]}


def defect(rng, case):
    """A small injury to a good spec; what it means is the oracle's business."""
    case = copy.deepcopy(case)
    i = rng.choice(case["spec"]["instructions"])
    aps = [k for k, v in i.items() if type(v) is dict and "space" in v]
    k = rng.choice(aps)
    kind = rng.choice(["channels", "step", "count", "partition", "dtype", "offset", "axes", "drop", "member", "indirect",
                       "space", "number", "walk"])
    if kind == "channels":
        i[k]["channels"] = i["channels"] % 128 + 1
    elif kind == "step" and i[k]["pattern"]:
        rng.choice(i[k]["pattern"])[0] = rng.choice([32768, -32769, 100000])
    elif kind == "count" and i[k]["pattern"]:
        rng.choice(i[k]["pattern"])[1] = rng.choice([0, 65536, 3])
    elif kind == "partition":
        i[k]["partition"] = rng.choice([1, 16, 127, 48])
    elif kind == "dtype":
        i[k]["dtype"] = rng.choice(["int8", "fp32", "fp32r", "uint64", 19, 14, "uint16", "bf16"])
    elif kind == "offset":
        i[k]["offset"] += rng.choice([1, 2])
    elif kind == "axes":
        i[k]["pattern"] = [[1, 2], [2, 2], [4, 2], [8, 2], [16, 2]]
    elif kind == "drop":
        i.pop(k)
    elif kind == "member":
        i["note"] = "x"
    elif kind == "indirect":
        i[k]["indirect"] = dict(ELSEWHERE, partition=i[k]["partition"])
        if case["gen"] >= 4:
            return None
    elif kind == "space":
        i[k]["space"] = "psum" if i[k]["space"] == "sbuf" else "sbuf"
    elif kind == "number":
        i[k] = 5
    else:
        i[k]["offset"] = 256 * 1024 - 4
    case["name"] += "+" + kind
    case["run"] = False
    return case


def cases(seed, count):
    for name, text in TEXTS.items():
        yield {"name": name, "gen": 3, "text": text, "run": False, "hints": {}}
    for name, (gen, i) in DEFECTS.items():
        yield {"name": name, "gen": gen, "spec": wrap(i), "run": False, "hints": {}}
    rng, number = random.Random(seed), 0
    while number < count:
        gen = rng.choice([2, 3, 3, 4, 4, 5])
        case = one(rng, gen, number)
        if case is None:
            continue
        if rng.random() < 0.3:
            case = defect(rng, case)
            if case is None:
                continue
        # Index hints hold for one instruction; several with index operands would need one each.
        if not case.get("one", True) and any(i["op"] in ("Gather", "IndirectCopy") for i in case["spec"]["instructions"]):
            case["run"] = False
        number += 1
        yield case


def main(argv):
    out = argv[argv.index("-o") + 1] if "-o" in argv else None
    built = list(cases(int(argv[0]), int(argv[1])))
    if out:
        with open(out, "w", encoding="utf-8") as f:
            json.dump(built, f, indent=1)
    tally = {}
    for case in built:
        if "spec" in case:
            o = lower(case["spec"], case["gen"])
            key = (o.kind, tuple(sorted(o.allow)))
            tally[key] = tally.get(key, 0) + 1
    for key, n in sorted(tally.items()):
        print(key, n)


if __name__ == "__main__":
    main(sys.argv[1:])
