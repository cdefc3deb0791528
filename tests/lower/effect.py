# SPDX-License-Identifier: Apache-2.0
"""What each compiler instruction does, said on whole tensors and not on records.

Machine holds the memories and the hidden state of one core; Machine.run(spec, gen) applies every instruction of a SPEC.
The description of each op is in its method.  Rulings used: R1 to R5 (search), R9 and R32 (conversion, NaN that moves),
R10, R11, R20, R30, R36 (accumulator family), R18 (integers through fp32), R24, R38 (shuffle, transpose), R35, R19 (pool).

Hidden state per channel number (R2): keys[8] with a matched flag each, eight index flops, one fp32 accumulator; and one
32-byte lane mask for the engine.
"""
import numpy as np

from lower_oracle import AP, accumulate, operator, parse
from values import (FP32, I32, QNAN, SIGN, U32, as_bits, as_float, convert, from_fp32, is_nan, to_fp32)

ONES = np.uint32(0xffffffff)
NEG_INF = np.uint32(0xff800000)


def alu(op, a, b):
    """fp32 patterns; R20.  max/min: the non-NaN operand wins, two zeros give the first; compares with NaN 0, ne 1."""
    a, b = np.broadcast_arrays(np.asarray(a, np.uint32), np.asarray(b, np.uint32))
    if op == 0:
        return a.copy()
    na, nb = is_nan(a), is_nan(b)
    with np.errstate(all="ignore"):
        x, y = as_float(a), as_float(b)
        if op in (4, 5, 6, 0x17, 0x23):
            v = {4: lambda: x + y, 5: lambda: x - y, 6: lambda: x * y, 0x17: lambda: np.abs(x - y),
                 0x23: lambda: x * x}[op]().astype(np.float32)
            return np.where(np.isnan(v), np.uint32(QNAN), as_bits(v)).astype(np.uint32)
        if op in (8, 9, 0x20, 0x21):
            if op >= 0x20:
                a, b = a & ~np.uint32(SIGN), b & ~np.uint32(SIGN)
                x, y = as_float(a), as_float(b)
            second = (y > x) if op in (8, 0x20) else (y < x)
            v = np.where(na | (second & ~nb), b, a)
            return np.where(na & nb, np.uint32(QNAN), v).astype(np.uint32)
        if op == 0x19:
            return np.where(na, np.uint32(QNAN), a & ~np.uint32(SIGN)).astype(np.uint32)
        if op == 0x22:
            return np.where(na, np.uint32(QNAN), np.where(x < 0, np.uint32(0), a)).astype(np.uint32)
        tx, ty = na | (x != 0), nb | (y != 0)
        truth = {0xd: tx & ty, 0xe: tx | ty, 0xf: tx ^ ty, 0x12: x == y, 0x13: x > y, 0x14: x >= y, 0x15: x <= y,
                 0x16: x < y, 0x18: (x != y) | na | nb}[op]
    return np.where(truth, np.uint32(0x3f800000), np.uint32(0)).astype(np.uint32)


IDENTITY = {4: 0, 5: 0, 6: 0x3f800000, 8: 0xff800000, 9: 0x7f800000}


class Machine:
    def __init__(self, sbuf, psum):
        """sbuf, psum: uint8 arrays [128, bytes]; they are changed in place."""
        self.memory = {False: sbuf, True: psum}
        self.keys = np.full((128, 8), QNAN, np.uint32)
        self.matched = np.zeros((128, 8), bool)
        self.flops = np.full((128, 8), ONES, np.uint32)
        self.acc = np.zeros(128, np.uint32)
        self.mask = np.arange(32)

    # elements -------------------------------------------------------------

    def offsets(self, ap):
        at = np.array([ap.offset], np.int64)
        for step, n in ap.pattern:           # fastest first
            at = (np.arange(n, dtype=np.int64)[:, None] * step * self.size(ap) + at[None, :]).ravel()
        return at

    def size(self, ap):
        return ap.size(self.gen)

    def read(self, ap, lanes=None):
        """Bit patterns [lanes, elements]."""
        lanes = self.n if lanes is None else lanes
        m, at, size = self.memory[ap.psum], self.offsets(ap), self.size(ap)
        rows = m[ap.partition:ap.partition + lanes]
        out = np.zeros((lanes, len(at)), np.uint32)
        for byte in range(size):
            out |= rows[:, at + byte].astype(np.uint32) << (8 * byte)
        return out

    def write(self, ap, bits, where=None):
        """In walk order: where a byte is visited twice the later element stays."""
        m, at, size = self.memory[ap.psum], self.offsets(ap), self.size(ap)
        bits = np.asarray(bits, np.uint32)
        lanes = bits.shape[0]
        if where is None and len(set(at.tolist())) == len(at):
            for byte in range(size):
                m[ap.partition:ap.partition + lanes, at + byte] = (bits >> (8 * byte) & 0xff).astype(np.uint8)
            return
        for e, o in enumerate(at):
            for byte in range(size):
                column = m[ap.partition:ap.partition + lanes, o + byte]
                value = (bits[:, e] >> (8 * byte) & 0xff).astype(np.uint8)
                column[:] = value if where is None else np.where(where[:, e], value, column)

    def fp32(self, ap):
        return to_fp32(ap.wire(self.gen), self.read(ap))

    def scalar(self, s, dtype=FP32):
        """One value a lane, in the dtype of its field."""
        if s.kind == "pointer":
            return self.read(s.value)[:, 0]
        return np.full(self.n, s.inline(dtype), np.uint32)

    def run(self, spec, gen):
        self.gen = gen
        for o in spec["instructions"]:
            i = parse(o)
            self.n = i["channels"]
            getattr(self, i["op"])(i)

    # search ---------------------------------------------------------------

    def Max(self, i):
        """maxvals[k] = the k-th largest of data, descending, in maxvals' dtype.  Compared through fp32.  Equal values,
        zeros of either sign included: the earlier element ranks as the larger.  NaN never enters; missing ones are
        -inf.  The engine writes k = 7 first and k = 0 last."""
        x = self.fp32(i["data"])
        top = np.full((self.n, 8), NEG_INF, np.uint32)
        for lane in range(self.n):
            row = x[lane][~is_nan(x[lane])]
            order = np.argsort(-as_float(row).astype(np.float64), kind="stable")[:8]
            top[lane, :len(order)] = row[order]
        out = from_fp32(i["maxvals"].wire(self.gen), top)
        at = self.offsets(i["maxvals"])
        self.write_columns(i["maxvals"], at, out, range(7, -1, -1))

    def write_columns(self, ap, at, bits, order):
        m, size = self.memory[ap.psum], self.size(ap)
        for k in order:
            for byte in range(size):
                m[ap.partition:ap.partition + bits.shape[0], at[k] + byte] = (bits[:, k] >> (8 * byte)) & 0xff

    def load(self, keys):
        self.keys[:self.n], self.matched[:self.n] = keys, False

    def match(self, x):
        """Each element, in order, is taken by the first open key that equals it (NaN equals nothing, +0 equals -0).
        Returns the positions by key, all ones where none."""
        found = np.full((self.n, 8), ONES, np.uint32)
        values, keys = as_float(x), as_float(self.keys[:self.n])
        taken = np.zeros(x.shape, bool)
        for lane in range(self.n):
            candidates = np.nonzero(np.isin(values[lane], keys[lane]))[0]
            for e in candidates:
                for k in range(8):
                    if not self.matched[lane, k] and values[lane, e] == keys[lane, k]:
                        self.matched[lane, k] = True
                        found[lane, k] = e
                        taken[lane, e] = True
                        break
                if self.matched[lane].all():
                    break
        self.flops[:self.n] = found
        return found, taken

    def MaxIndex(self, i):
        """indices[k] = position in data of maxvals[k]; duplicates among the keys take ascending positions, each
        occurrence once; all ones (0xffff, 0xffffffff) where absent.  Loads the keys first: mv[n] = maxvals[n]."""
        self.load(self.fp32(i["maxvals"]))
        found, _ = self.match(self.fp32(i["data"]))
        self.write(i["indices"], found)

    def MatchReplace(self, i):
        """dst = data with the first occurrence of every key replaced by imm (fp32, then dst's dtype).  mv[n] =
        maxvals[7 - n]: of equal keys the last column takes the first occurrence.  Other elements pass: equal dtypes
        keep bits, except 32-bit integers, which go through fp32; different dtypes go through fp32."""
        self.load(self.fp32(i["maxvals"])[:, ::-1])
        source, target = i["data"].wire(self.gen), i["dst"].wire(self.gen)
        bits = self.read(i["data"])
        x = to_fp32(source, bits)
        _, taken = self.match(x)
        passed = from_fp32(target, x) if source in (I32, U32) else convert(source, target, bits)
        imm = from_fp32(target, np.array([i["imm"].inline(FP32)], np.uint32))[0]
        self.write(i["dst"], np.where(taken, imm, passed))

    def MaxIndexAndMatchReplace(self, i):
        """MatchReplace; then indices[k] = the position that maxvals[k] took: of equal keys positions descend with the
        column.  All ones where absent."""
        self.MatchReplace(i)
        self.write_columns(i["indices"], self.offsets(i["indices"]), self.flops[:self.n, ::-1], range(7, -1, -1))

    # data movement ----------------------------------------------------------

    def StreamShuffle(self, i):
        """In every 32-lane block, dst lane b + l gets src lane b + mask[l], all elements; 255 leaves the lane alone.
        Works on channels rounded up to 32, so lanes beyond `channels` move as well.  The mask stays loaded."""
        lanes = (self.n + 31) // 32 * 32
        self.mask = np.array([0x20 if m == 255 else m for m in i["mask"]])
        tile = self.read(i["src"], lanes)
        lane = np.arange(lanes)
        out = tile[lane // 32 * 32 + self.mask[lane % 32] % 32]
        keep = (self.mask[lane % 32] & 0x20) == 0
        self.write(i["dst"], out, np.repeat(keep[:, None], out.shape[1], axis=1))

    def StreamTranspose(self, i):
        """32 x 32 blocks: dst element e of lane B + l is src element (e with its low five bits replaced by l) of lane
        B + e mod 32, for e below dst's count.  Lanes from `channels` on are not touched.  Below 32 channels the mask
        register holds 0 below `channels` and 0x20 above afterwards."""
        lanes = (self.n + 31) // 32 * 32
        tile, count = self.read(i["src"], lanes), i["dst"].count
        if self.n % 32:
            self.mask = np.where(np.arange(32) < self.n, 0, 0x20)
        e = np.arange(count)
        lane = np.arange(self.n)[:, None]
        self.write(i["dst"], tile[lane // 32 * 32 + e % 32, (e & ~31) + lane % 32])

    def TensorCopy(self, i):
        """Element e of src to element e of dst; counts are equal, shapes may differ.  Equal dtypes keep bits, others
        go through fp32 (round to nearest even, integers saturate)."""
        self.write(i["dst"], convert(i["src"].wire(self.gen), i["dst"].wire(self.gen), self.read(i["src"])))

    # predication ------------------------------------------------------------

    def CopyPredicated(self, i):
        """Plain: dst = src where pred is not zero, else unchanged; a scalar src is in dst's dtype.  Reducing form:
        dst = src where pred (or, with reverse, where not pred), else imm0; every element is written.  The lane
        accumulator takes the maximum of all results as fp32 before output rounding: from -inf with ZeroAccumulate,
        from what it held with AddAccumulate, untouched when Idle.  result gets the accumulator, converted."""
        pred = self.read(i["pred"]) != 0
        target = i["dst"].wire(self.gen)
        if "reduce_op" not in i:
            if isinstance(i["src"], AP):
                data = convert(i["src"].wire(self.gen), target, self.read(i["src"]))
            else:
                data = np.repeat(self.scalar(i["src"], target)[:, None], pred.shape[1], axis=1)
            return self.write(i["dst"], data, pred)
        if i.get("reverse", 0):
            pred = ~pred
        source, bits = i["src"].wire(self.gen), self.read(i["src"])
        other = np.repeat(self.scalar(i["imm0"])[:, None], pred.shape[1], axis=1)
        self.write(i["dst"], np.where(pred, convert(source, target, bits), convert(FP32, target, other)))
        self.maximum(i, np.where(pred, to_fp32(source, bits), other))

    def maximum(self, i, values):
        cmd = accumulate(i["accumulate"]) if "accumulate" in i else 3 if "result" in i else 0
        if cmd == 3:
            self.acc[:self.n] = NEG_INF
        if cmd:
            for e in range(values.shape[1]):
                self.acc[:self.n] = alu(8, self.acc[:self.n], values[:, e])
        if "result" in i:
            self.drain(i["result"], 0)

    def drain(self, ap, negated):
        value = self.acc[:self.n].copy()
        if negated:
            value = np.where(is_nan(value), value, value ^ np.uint32(SIGN)).astype(np.uint32)
        self.write(ap, from_fp32(ap.wire(self.gen), value)[:, None])

    def Select(self, i):
        """dst = on_true where pred is not zero, else on_false; scalars are in dst's dtype."""
        target = i["dst"].wire(self.gen)
        pred = self.read(i["pred"]) != 0
        arm = []
        for name in ("on_true", "on_false"):
            v = i[name]
            arm.append(convert(v.wire(self.gen), target, self.read(v)) if isinstance(v, AP) else
                       np.repeat(self.scalar(v, target)[:, None], pred.shape[1], axis=1))
        self.write(i["dst"], np.where(pred, *arm))

    def RangeSelect(self, i):
        """k = base + element number, as fp32; where (k comp_op0 bound0) and (k comp_op1 bound1) dst = src, else
        -FLT_MAX (which is -inf in fp16, bf16 and fp8).  The position is compared, not the value.  Accumulator and
        result as in the reducing form above, over all results, -FLT_MAX included."""
        source, target = i["src"].wire(self.gen), i["dst"].wire(self.gen)
        bits = self.read(i["src"])
        base = float(as_float(np.array([i["base"].inline(FP32)], np.uint32))[0])
        k = as_bits((base + np.arange(bits.shape[1])).astype(np.float32))[None, :]
        inside = np.ones(bits.shape, bool)
        for n in ("0", "1"):
            op = operator(i["comp_op" + n], self.gen, "comp")
            inside &= alu(op, np.repeat(k, self.n, axis=0), self.scalar(i["bound" + n])[:, None]) != 0
        fill = np.full(bits.shape, 0xff7fffff, np.uint32)
        self.write(i["dst"], np.where(inside, convert(source, target, bits), convert(FP32, target, fill)))
        self.maximum(i, np.where(inside, to_fp32(source, bits), fill))

    # arithmetic -------------------------------------------------------------

    def TensorScalarCache(self, i):
        """t = src op0 imm0 in fp32; acc = t op1 acc, strictly in walk order, unrounded fp32.  Seed: the identity of op1
        (ZeroAccumulate, also when accumulate is absent or Idle), imm1 (LoadAccumulate), or what the accumulator held
        (AddAccumulate).  Reduce writes t; Cumulative and Scan write acc after every element.  result gets the last
        acc.  Bypass as op0 between equal dtypes keeps bits in what Reduce writes."""
        source, target = i["src"].wire(self.gen), i["dst"].wire(self.gen)
        bits = self.read(i["src"])
        op0, op1 = operator(i["op0"], self.gen, "op0"), operator(i["op1"], self.gen, "op1")
        cmd = accumulate(i["accumulate"]) if "accumulate" in i else 0
        t = alu(op0, to_fp32(source, bits), self.scalar(i["imm0"])[:, None])
        acc = self.acc[:self.n].copy()
        if cmd in (0, 3):
            acc[:] = IDENTITY[op1]
        elif cmd == 4:
            acc[:] = self.scalar(i["imm1"])
        steps = np.zeros_like(t)
        for e in range(t.shape[1]):
            acc = alu(op1, t[:, e], acc)
            steps[:, e] = acc
        self.acc[:self.n] = acc
        if i["mode"] != "Reduce":
            out = from_fp32(target, steps)
        elif op0 == 0:
            out = convert(source, target, bits)
        else:
            out = from_fp32(target, t)
        self.write(i["dst"], out)
        if "result" in i:
            self.drain(i["result"], 0)

    def DveReadAccumulator(self, i):
        """dst = the accumulator, or its negative (NaN keeps its sign), converted; the accumulator stays."""
        self.drain(i["dst"], i.get("negated", 0))

    def Memset(self, i):
        """Const: every element of dst is the value in dst's dtype.  Random is not described: its bits are unpublished."""
        assert i.get("mode", "Const") == "Const"
        word = i["value"].inline(i["dst"].wire(self.gen))
        self.write(i["dst"], np.full((self.n, i["dst"].count), word, np.uint32))

    # pool engine ------------------------------------------------------------

    def NonzeroWithCount(self, i):
        """Lanes 0, 16, 32, ... of the operand: the positions of the elements that are not zero (NaN counts, -0 does
        not), each plus index_offset, then padding_val, then, last, how many there are.  Other lanes are untouched."""
        bits = self.read(i["src"])
        if i["src"].wire(self.gen) == FP32:
            bits = bits & 0x7fffffff
        offset, padding = self.scalar_int(i["index_offset"]), self.scalar_int(i["padding_val"])
        last = bits.shape[1]
        out = np.zeros((self.n, last + 1), np.uint32)
        for lane in range(0, self.n, 16):
            found = np.nonzero(bits[lane])[0].astype(np.uint32)
            out[lane, :last] = padding[lane]
            out[lane, :len(found)] = found + offset[lane]
            out[lane, last] = len(found)
        where = np.repeat((np.arange(self.n) % 16 == 0)[:, None], last + 1, axis=1)
        self.write(i["dst"], out, where)

    def scalar_int(self, s):
        if s.kind == "number":
            return np.full(self.n, int(s.value) & 0xffffffff, np.uint32)
        return self.scalar(s, I32)

    def Gather(self, i):
        """dst[e] = data[indices[e]], bits unchanged; an index in no chunk of 512 gives 0.  An index past the data but
        inside its last chunk is not described."""
        data, index = self.read(i["data"]), self.read(i["indices"])
        n = data.shape[1]
        miss = index >= (n + 511) // 512 * 512
        out = np.take_along_axis(data, np.minimum(index, n - 1).astype(np.int64), axis=1)
        self.write(i["dst"], np.where(miss, np.uint32(0), out))

    def IndirectCopy(self, i):
        """Groups of 16 lanes share one list of indices: the group's index tile read lane first, then column.  The j-th
        run of E elements of dst is data[v .. v + E - 1] of the same lane, v = list[j] counting elements."""
        data, index, run = self.read(i["data"]), self.read(i["indices"]), i["elements_per_index"]
        total = i["dst"].count
        out = np.zeros((self.n, total), np.uint32)
        e = np.arange(total)
        for group in range(0, self.n, 16):
            listed = index[group:group + 16].T.ravel()
            at = listed[e // run].astype(np.int64) + e % run
            out[group:group + 16] = data[group:group + 16, at]
        self.write(i["dst"], out)
