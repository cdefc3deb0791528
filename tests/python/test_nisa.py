# SPDX-License-Identifier: Apache-2.0
"""Each function equals its NumPy description on random data, and refuses what the engine refuses. Every test makes one
call that succeeds: with a library that refuses everything none may pass (test_refusing.py)."""
import unittest

import numpy as np
from effect import Machine as Effect
from support import Case

import opendve
from opendve import nisa

INF = np.float32(np.inf)


def best8(x):
    """Values and positions, descending, the earlier of equal ones first."""
    order = np.argsort(-x.astype(np.float64), axis=1, kind="stable")[:, :8]
    return np.take_along_axis(x, order, 1), order.astype(np.uint32)


def fold(operator, t, start):
    """(...((t0 op start), t1 op ...)): every step, in fp32."""
    acc, steps = np.broadcast_to(np.float32(start), t.shape[:1]).copy(), []
    for e in range(t.shape[1]):
        acc = operator(t[:, e], acc)
        steps.append(acc)
    return np.stack(steps, 1)


class Nisa(Case):
    def floats(self, *shape):
        return self.random.normal(size=shape).astype(np.float32)

    def few(self, *shape):
        """Many equal values."""
        return self.random.integers(-4, 5, shape).astype(np.float32)

    def effect(self, gen, *calls):
        """Runs calls on the tiles of a machine, and the independent description of their instructions on a copy of its
        memory; all bytes must be the same after each."""
        machine = opendve.Machine(gen, uninit="zero")
        tiles, made = calls[0](machine), []
        other = Effect(machine.sbuf.copy(), machine.psum.copy())
        for call in calls[1:]:
            made.append(call(*tiles))
            other.run({"instructions": list(made[-1].spec)}, machine.gen_number)
            self.assertTrue(np.array_equal(other.memory[False], machine.sbuf), made[-1])
            self.assertTrue(np.array_equal(other.memory[True], machine.psum), made[-1])
        return made


class Search(Nisa):
    def test_max8(self):
        for x in (self.floats(128, 300), self.few(33, 64), self.floats(5, 4, 25)):
            best = np.empty((x.shape[0], 8), np.float32)
            call = nisa.max8(best, x)
            self.same(best, best8(x.reshape(x.shape[0], -1))[0])
            self.assertEqual([r.name for r in call.records], ["Max8"])
        self.refused(lambda: nisa.max8(best, x.reshape(5, -1)[:, :7]), "src", "data_count", says="8..16384")
        self.refused(lambda: nisa.max8(best, np.zeros((5, 16385), np.float32)), "src", "data_count")
        self.refused(lambda: nisa.max8(best[:, :4], x), "dst", "maxvals_count")
        self.refused(lambda: nisa.max8(best, x[:3]), "dst", "partition_counts")

    def test_max8_dtypes_and_nan(self):
        x = self.floats(16, 40)
        x[:, ::3] = np.nan
        best = np.empty((16, 8), np.float16)
        nisa.max8(best, x)
        self.same(best, best8(np.where(np.isnan(x), -INF, x))[0].astype(np.float16))
        whole = self.random.integers(-99, 99, (16, 40)).astype(np.int16)
        back = np.empty((16, 8), np.int16)
        nisa.max8(back, whole)
        self.same(back, best8(whole)[0])

    def test_nc_find_index8(self):
        x = self.few(128, 100)
        best, where = best8(x)
        got = np.empty((128, 8), np.uint32)
        call = nisa.nc_find_index8(got, x, best)
        self.same(got, where)                        # equal keys take ascending positions
        self.assertEqual([r.name for r in call.records], ["MatchValueLoad", "FindIndex8"])
        narrow = np.empty((128, 8), np.uint16)
        nisa.nc_find_index8(narrow, x, np.full((128, 8), 77, np.float32))
        self.same(narrow, np.full((128, 8), 0xffff, np.uint16))
        self.refused(lambda: nisa.nc_find_index8(np.empty((128, 8), np.int32), x, best), "dst", "find_index8_out_dtype")
        self.refused(lambda: nisa.nc_find_index8(got, x, best[:, :7]), "vals", "maxvals_count")

    def test_nc_match_replace8(self):
        x = self.few(64, 50)
        best, where = best8(x)
        wanted = x.copy()
        np.put_along_axis(wanted, where.astype(np.int64), -INF, 1)
        out = np.empty_like(x)
        call = nisa.nc_match_replace8(out, x, best, -np.inf)
        self.same(out, wanted)
        self.assertEqual([r.name for r in call.records], ["MatchValueLoad", "MatchReplace8"])
        place = x.copy()
        nisa.nc_match_replace8(place, place, best, -np.inf)
        self.same(place, wanted)
        self.refused(lambda: nisa.nc_match_replace8(out, x[:, :7], best, 0.0), "data", "data_count")
        self.refused(lambda: nisa.nc_match_replace8(out, x, best, best[:, :1]), "imm", "no_source")

    def test_nc_match_replace8_with_indices(self):
        data = np.array([[1, 2, 3, 4, 8, 8, 8, 8, 8, 8, 8]], np.float32)
        vals = np.array([[3, 8, 8, 8, 8, 8, 8, 8]], np.float32)
        out, where = np.empty_like(data), np.empty((1, 8), np.uint32)
        call = nisa.nc_match_replace8(out, data, vals, 0.5, where)
        self.same(where, np.array([[2, 10, 9, 8, 7, 6, 5, 4]], np.uint32))   # the published vector
        self.same(out, np.array([[1, 2, .5, 4] + [.5] * 7], np.float32))
        self.assertEqual([r.name for r in call.records], ["MatchValueLoad", "MatchReplace8", "DveReadIndices"])
        nisa.nc_find_index8(where, data, vals)
        self.same(where, np.array([[2, 4, 5, 6, 7, 8, 9, 10]], np.uint32))
        self.refused(lambda: nisa.nc_match_replace8(out, data, vals, 0.5, where, machine=opendve.Machine("gen2")), "",
                     "generation", says="find_index8, then match_replace8")

    def test_rounds_equal_a_sort(self):
        x = self.few(128, 200)
        made = self.effect("gen3", lambda m: (m.put(x), m.tile((128, 8)), m.tile((128, 8), "uint32")),
                           *[lambda d, v, i: nisa.max8(v, d), lambda d, v, i: nisa.nc_find_index8(i, d, v),
                             lambda d, v, i: nisa.nc_match_replace8(d, d, v, -np.inf)] * 3)
        machine = opendve.Machine()
        data, best, where = machine.put(x), machine.tile((128, 8)), machine.tile((128, 8), "uint32")
        got = []
        for _ in range(3):
            nisa.max8(best, data)
            nisa.nc_find_index8(where, data, best)
            nisa.nc_match_replace8(data, data, best, -np.inf)
            got.append(where.get())
        self.same(np.concatenate(got, 1), np.argsort(-x, axis=1, kind="stable")[:, :24].astype(np.uint32))
        self.assertEqual(sum(len(call.records) for call in made), 15)

    def test_a_broadcast_key(self):
        machine = opendve.Machine()
        data = machine.put(np.array([[1, 5, 2, 5, 0, 0, 0, 0]], np.float32))
        best, where = machine.tile((1, 8)), machine.tile((1, 8), "uint16")
        nisa.max8(best, data)
        nisa.nc_find_index8(where, data, best[:, :1].broadcast_to((1, 8)))
        self.same(where.get(), np.array([[1, 3] + [0xffff] * 6], np.uint16))


class Accumulators(Nisa):
    def test_select_reduce(self):
        p = self.random.integers(0, 2, (100, 60)).astype(np.uint8)
        x, low = self.floats(100, 60), self.floats(100, 1)
        out, top = np.empty_like(x), np.empty((100, 1), np.float32)
        call = nisa.select_reduce(out, p, x, low, top, nisa.reduce_cmd.reset_reduce)
        self.same(out, np.where(p != 0, x, low))
        self.same(top, out.max(1, keepdims=True))    # of all results, on_false's among them
        self.assertEqual([r.name for r in call.records], ["SelectReduce", "DveReadAccumulator"])
        nisa.select_reduce(out, p, x, -1.5, reverse_pred=True)
        self.same(out, np.where(p != 0, np.float32(-1.5), x))
        self.refused(lambda: nisa.select_reduce(out, p, x, 0.0, reduce_op=np.add), "reduce_op", "select_reduce_op1")
        self.refused(lambda: nisa.select_reduce(out, p.astype(np.int32), x, 0.0), "predicate", "nki_predicate_dtype")
        self.refused(lambda: nisa.select_reduce(out, p, x, 0.0, reduce_cmd="load_reduce"), "reduce_cmd",
                     "select_reduce_accumulator_cmd")
        self.refused(lambda: nisa.select_reduce(out, p, x.astype(np.int32), 0.0), "on_true", "select_reduce_src1_dtype")

    def test_select_reduce_goes_on(self):
        machine = opendve.Machine()
        x = self.floats(32, 40)
        pred, tops = np.ones((32, 40), np.uint8), np.empty((32, 1), np.float32)
        out = np.empty_like(x)
        nisa.select_reduce(out, pred, x, 0.0, None, "reset_reduce", machine=machine)
        nisa.select_reduce(out, pred, x + 1, 0.0, tops, "reduce", machine=machine)
        self.same(tops, np.maximum(x.max(1), (x + 1).max(1))[:, None])

    def test_range_select(self):
        x = self.floats(128, 70)
        first, last = (np.sort(self.random.integers(0, 70, (2, 128, 1)), 0).astype(np.float32) + 10)
        out, top = np.empty_like(x), np.empty((128, 1), np.float32)
        call = nisa.range_select(out, x, np.greater_equal, np.less, first, last, reduce_res=top, range_start=10)
        k = np.arange(10, 80, dtype=np.float32)[None]
        wanted = np.where((k >= first) & (k < last), x, np.finfo(np.float32).min)
        self.same(out, wanted)
        self.same(top, wanted.max(1, keepdims=True))
        self.assertEqual([r.name for r in call.records], ["RangeSelect", "DveReadAccumulator"])
        self.refused(lambda: nisa.range_select(out, x, "add", "less", first, last), "comp_op0", "range_select_comp_op0")
        self.refused(lambda: nisa.range_select(out, x, "less", "less", first, last, on_false_value=0.0), "on_false_value", "fill")
        self.refused(lambda: nisa.range_select(out, x, "less", "less", first, last, machine=opendve.Machine("trn1")), "",
                     "generation")
        self.refused(lambda: nisa.range_select(out, x, "less", "less", first, last, range_start=float(1 << 24)), "range_start",
                     "range_select_end")

    def test_tensor_scalar_cumulative(self):
        x, scale = self.floats(40, 90), self.floats(40, 1)
        out = np.empty_like(x)
        for op1, numpy, start in (("add", np.add, 0), ("maximum", np.maximum, -INF), ("multiply", np.multiply, 1),
                                  (np.minimum, np.minimum, INF), ("subtract", np.subtract, 0)):
            call = nisa.tensor_scalar_cumulative(out, x, np.multiply, op1, scale)
            self.same(out, fold(numpy, x * scale, start))
        self.assertEqual([r.name for r in call.records], ["TensorScalarCacheCumulative"])
        nisa.tensor_scalar_cumulative(out, x, "add", "add", 0.5, 3.0, nisa.reduce_cmd.load_reduce)
        self.same(out, fold(np.add, x + np.float32(0.5), 3))
        last = out[:, -1].copy()
        nisa.tensor_scalar_cumulative(out, x, "add", "add", 0.5, reduce_cmd="reduce")
        self.same(out, fold(np.add, x + np.float32(0.5), last))
        self.refused(lambda: nisa.tensor_scalar_cumulative(out, x, "add", "is_gt", 0.0), "op1",
                     "tensor_scalar_cache_cumulative_op1")
        self.refused(lambda: nisa.tensor_scalar_cumulative(out, x, "add", "add", 0.0, 1.0), "imm1", "start_alone")
        self.refused(lambda: nisa.tensor_scalar_cumulative(out, x, "add", "add", 0.0, None, "load_reduce"), "imm1",
                     "start_missing")
        self.refused(lambda: nisa.tensor_scalar_cumulative(out, x.astype(np.int32), "add", "add", 0.0), "src",
                     "tensor_scalar_cache_cumulative_in_dtype")

    def test_tensor_scalar_reduce(self):
        x = self.floats(128, 33)
        out, total = np.empty_like(x), np.empty((128, 1), np.float32)
        call = nisa.tensor_scalar_reduce(out, x, np.subtract, 0.25, np.add, total)
        self.same(out, x - np.float32(0.25))
        self.same(total, fold(np.add, x - np.float32(0.25), 0)[:, -1:])
        self.assertEqual([r.name for r in call.records], ["TensorScalarCacheReduce", "DveReadAccumulator"])
        nisa.tensor_scalar_reduce(out, x, "multiply", 2.0, "maximum", None)
        self.same(out, x * np.float32(2))
        self.refused(lambda: nisa.tensor_scalar_reduce(out, x, "add", 0.0, "add", total, reverse0=True), "reverse0",
                     "reverse_operands")
        self.refused(lambda: nisa.tensor_scalar_reduce(out, x, "add", 0.0, "add", out), "reduce_res", "result_count")
        self.refused(lambda: nisa.tensor_scalar_reduce(out[:, :8], x, "add", 0.0, "add", total), "dst",
                     "s3d3_ts_same_count")

    def test_tensor_tensor_scan(self):
        a, b, s = self.floats(90, 50), self.floats(90, 50), self.floats(90, 1)
        out = np.empty_like(a)

        def scan(step, start):
            state, all_of_them = np.broadcast_to(start, (90,)), []
            for e in range(50):
                state = step(state, a[:, e], b[:, e]).astype(np.float32)
                all_of_them.append(state)
            return np.stack(all_of_them, 1)

        call = nisa.tensor_tensor_scan(out, a, b, s, np.multiply, np.add)
        self.same(out, scan(lambda s, x, y: x * s + y, s[:, 0]))
        self.assertEqual([r.name for r in call.records], ["TensorTensorScanArith"])
        nisa.tensor_tensor_scan(out, a, b, 0.5, "subtract", "subtract", reverse0=True)
        self.same(out, scan(lambda s, x, y: (s - x) - y, np.float32(0.5)))
        nisa.tensor_tensor_scan(out, a, b, 0.5, "subtract", "subtract", reverse1=True)
        self.same(out, scan(lambda s, x, y: y - (x - s), np.float32(0.5)))
        self.refused(lambda: nisa.tensor_tensor_scan(out, a, b[:, :49], 0.0, "add", "add"), "data1", "s2s2d2_stt_src_count")
        self.refused(lambda: nisa.tensor_tensor_scan(out, a, b[:50], 0.0, "add", "add"), "data1", "partition_counts")
        self.refused(lambda: nisa.tensor_tensor_scan(out, a, b, 0.0, "divide", "add"), "op0", "tensor_tensor_scan_arith_op0")
        self.refused(lambda: nisa.tensor_tensor_scan(out, a, b, s[:8], "add", "add"), "initial", "pointer")

    def test_against_the_description(self):
        x = self.floats(128, 24)
        p = self.random.integers(0, 2, (128, 24)).astype(np.int16)
        for gen in ("gen3", "gen4"):
            made = self.effect(
                gen, lambda m: (m.put(x), m.put(p), m.tile((128, 24), "bf16"), m.tile((128, 1)), m.tile((128, 24))),
                lambda x, p, o, r, q: nisa.tensor_scalar_reduce(o, x, "add", 0.3, "multiply", r),
                lambda x, p, o, r, q: nisa.tensor_scalar_cumulative(q, o, "maximum", "add", r, reduce_cmd="reduce"),
                lambda x, p, o, r, q: nisa.select_reduce(o, p, q, r, r, "reset_reduce"),
                lambda x, p, o, r, q: nisa.range_select(q, o, "greater", "less", 3.0, r,
                                                        "reduce", r, range_start=2.0))
            self.assertEqual(len(made), 4)


class Moves(Nisa):
    def test_nc_stream_shuffle(self):
        mask = self.random.permutation(32)
        mask[5] = 255
        for partitions in (32, 128):
            x, out = self.floats(partitions, 10), self.floats(partitions, 10)
            wanted = out.copy()
            for p in range(partitions):
                if mask[p % 32] != 255:
                    wanted[p] = x[p // 32 * 32 + mask[p % 32]]
            call = nisa.nc_stream_shuffle(out, x, mask)
            self.same(out, wanted)
        self.assertEqual([r.name for r in call.records], ["LoadMaskSelect", "StreamShuffle"])
        part, ten = self.floats(10, 3), np.zeros((10, 3), np.float32)
        nisa.nc_stream_shuffle(ten, part, [(i + 9) % 10 if i < 10 else 255 for i in range(32)])
        self.same(ten, np.roll(part, 1, 0))
        self.refused(lambda: nisa.nc_stream_shuffle(out, x, [0] * 31), "shuffle_mask", "mask_count")
        self.refused(lambda: nisa.nc_stream_shuffle(out, x, [0] * 31 + [32]), "shuffle_mask", "mask_lane")
        self.refused(lambda: nisa.nc_stream_shuffle(out.astype(np.float16), x, mask), "dst", "same_dtype")

    def test_nc_transpose(self):
        for p, f in ((32, 32), (7, 20), (32, 5), (1, 32), (31, 1)):
            x = self.random.integers(-9999, 9999, (p, f)).astype(np.int16)
            out = np.empty((f, p), np.int16)
            call = nisa.nc_transpose(out, x, engine="vector")
            self.same(out, np.ascontiguousarray(x.T))
            self.assertEqual(call.hazards, ())
        self.refused(lambda: nisa.nc_transpose(out, np.zeros((33, 2), np.int16)), "data", "nki_transpose_size")
        self.refused(lambda: nisa.nc_transpose(out, np.zeros((2, 2), np.int16)), "dst", "nki_transpose_shape")
        self.refused(lambda: nisa.nc_transpose(out, x, engine="tensor"), "engine", "engine")

    def test_tensor_copy(self):
        x = self.floats(128, 12) * 100
        for dtype in (np.float32, np.float16, np.int8, np.uint16, np.int32):
            out = np.empty(x.shape, dtype)
            call = nisa.tensor_copy(out, x)
            rounded = np.rint(x.astype(np.float64))
            whole = np.issubdtype(dtype, np.integer)
            self.same(out, np.clip(rounded, np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype) if whole
                      else x.astype(dtype))
        self.assertEqual([r.name for r in call.records], ["Cast"])
        bits = self.random.integers(0, 1 << 32, (128, 12), dtype=np.uint64).astype(np.uint32).view(np.float32)
        out = np.empty_like(bits)
        self.assertEqual([r.name for r in nisa.tensor_copy(out, bits).records], ["Copy"])
        self.same(out, bits)                         # NaN payloads too
        self.refused(lambda: nisa.tensor_copy(out[:, :5], bits), "dst", "copy_same_count")

    def test_tensor_copy_bf16(self):
        x = self.floats(16, 40)
        out = np.empty(x.shape, np.uint16)
        nisa.tensor_copy(opendve.Bits(out, "bf16"), x)
        bits = x.view(np.uint32).astype(np.uint64)
        self.same(out, ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16))

    def test_tensor_copy_predicated(self):
        p = self.random.integers(0, 2, (60, 30)).astype(np.uint8)
        x, old = self.floats(60, 30), self.floats(60, 30)
        out = old.copy()
        call = nisa.tensor_copy_predicated(out, x, p)
        self.same(out, np.where(p != 0, x, old))
        self.assertEqual([r.name for r in call.records], ["CopyPredicated"])
        out = old.copy()
        call = nisa.tensor_copy_predicated(out, 7.0, p)
        self.same(out, np.where(p != 0, np.float32(7), old))
        self.assertEqual([r.name for r in call.records], ["CopyPredicatedScalar"])
        nisa.tensor_copy_predicated(out, 8.0, p, reverse_pred=True)
        self.same(out, np.where(p != 0, np.float32(7), np.float32(8)))
        half = old.astype(np.float16)
        call = nisa.tensor_copy_predicated(half, x, p)
        self.same(half, np.where(p != 0, x.astype(np.float16), old.astype(np.float16)))
        self.assertEqual([r.name for r in call.records], ["CastPredicated"])
        self.refused(lambda: nisa.tensor_copy_predicated(out, x, p, reverse_pred=True), "reverse_pred", "nki_reverse_pred")
        self.refused(lambda: nisa.tensor_copy_predicated(out, x, x), "predicate", "nki_predicate_dtype")

    def test_memset(self):
        for dtype, value in ((np.float32, 0.1), (np.float16, -2.5), (np.int32, -7), (np.uint8, 200)):
            out = np.empty((128, 9), dtype)
            call = nisa.memset(out, value)
            self.same(out, np.full((128, 9), value, dtype))
        self.assertEqual([r.name for r in call.records], ["Memset"])
        machine = opendve.Machine()
        self.refused(lambda: nisa.memset(machine.tile((4, 6), "fp16", "psum"), 1.0), "dst", "psum_write")

    def test_copies_against_the_description(self):
        x = self.floats(64, 32)
        mask = [(5 * i + 3) % 32 if i % 7 else 255 for i in range(32)]
        made = self.effect(
            "gen4", lambda m: (m.put(x), m.tile((64, 32)), m.tile((64, 32), "fp32", "psum"), m.tile((64, 32), "uint8")),
            lambda x, o, q, p: nisa.memset(q, 0.75),
            lambda x, o, q, p: nisa.tensor_copy(o, x[:, ::-1]),
            lambda x, o, q, p: nisa.nc_stream_shuffle(q, o, mask),
            lambda x, o, q, p: nisa.nc_transpose(o[:32], q[32:]),
            lambda x, o, q, p: nisa.tensor_copy(p, x),
            lambda x, o, q, p: nisa.tensor_copy_predicated(o[:, 1:9], q[:, ::4], p[:, 24:]))
        self.assertEqual([len(call.records) for call in made], [1, 1, 2, 1, 1, 1])


class Pool(Nisa):
    def test_nonzero_with_count(self):
        x = self.random.integers(0, 2, (128, 20)).astype(np.int32)
        out = np.full((128, 21), 5, np.int32)
        wanted = out.copy()
        for p in range(0, 128, 16):
            found = np.flatnonzero(x[p])
            wanted[p] = np.concatenate([found + 16, np.full(20 - len(found), -1), [len(found)]])
        call = nisa.nonzero_with_count(out, x, 16)
        self.same(out, wanted)
        self.assertEqual([r.name for r in call.records], ["NonzeroWithCount"])
        vector = np.array([[0, 1, 1, 0, 0, 1, 0, 0]], np.float32)
        nine = np.zeros((1, 9), np.int32)
        nisa.nonzero_with_count(nine, vector, index_offset=16, padding_val=-1)
        self.same(nine, np.array([[17, 18, 21, -1, -1, -1, -1, -1, 3]], np.int32))    # the published vector
        self.refused(lambda: nisa.nonzero_with_count(out[:, :20], x), "dst", "nonzero_dst_count")
        self.refused(lambda: nisa.nonzero_with_count(nine, vector, machine=opendve.Machine("gen2")), "", "generation")
        self.refused(lambda: nisa.nonzero_with_count(nine, vector, 1.5), "index_offset", "integer")

    def test_local_gather(self):
        data, run = self.floats(32, 64), 4
        index = self.random.integers(0, 60, (32, 3)).astype(np.uint16)
        out = np.empty((32, 40, run), np.float32)
        call = nisa.local_gather(out, data, index, run, 40)
        wanted = np.empty_like(out)
        for p in range(32):
            listed = index[p // 16 * 16:p // 16 * 16 + 16].T.ravel()[:40].astype(int)
            wanted[p] = data[p][listed[:, None] + np.arange(run)]
        self.same(out, wanted)
        self.assertEqual([r.name for r in call.records], ["IndirectCopy"])
        self.refused(lambda: nisa.local_gather(out, data, index, run, 41), "dst", "nki_valid_indices")
        self.refused(lambda: nisa.local_gather(out, data, index.astype(np.int32), run, 40), "index", "index_dtype")
        beyond = np.full_like(index, 61)
        error = self.refused(lambda: nisa.local_gather(out, data, beyond, run, 40), "index", "index")
        self.assertEqual(error.given, "61")

    def test_nc_n_gather(self):
        for dtype in (np.float32, np.float16, np.uint8):
            data = self.random.integers(0, 200, (128, 700)).astype(dtype)
            indices = self.random.integers(0, 700, (128, 50)).astype(np.uint32)
            out = np.empty((128, 50), dtype)
            call = nisa.nc_n_gather(out, data, indices)
            self.same(out, np.take_along_axis(data, indices.astype(np.int64), 1))
        self.assertEqual([r.name for r in call.records], ["PoolBufferLoad", "Gather"] * 2)
        self.refused(lambda: nisa.nc_n_gather(out, data, indices.astype(np.uint16)), "indices", "nki_index_dtype")
        self.refused(lambda: nisa.nc_n_gather(out.astype(np.int8), data, indices), "dst", "same_dtype")


class Operands(Nisa):
    def test_a_refused_call_changes_nothing(self):
        machine = opendve.Machine()
        data = machine.put(self.floats(4, 16))
        best, where = machine.tile((4, 8)), machine.tile((4, 8), "int32")
        nisa.max8(best, data)
        before = machine.state()
        self.refused(lambda: nisa.nc_find_index8(where, data, best), "dst", "find_index8_out_dtype")
        self.assertEqual(machine.state(), before)    # not even the key load, which is legal, ran

    def test_records_can_be_read_back(self):
        best = np.empty((2, 8), np.float32)
        call = nisa.max8(best, self.floats(2, 16), name="first round")
        self.assertEqual(self.refused(lambda: nisa.max8(best, best[:, :4], name="no round"), "src", "data_count").operation, "max8")
        self.assertEqual(call.name, "first round")
        self.assertEqual(call.text, "max8 src=sbuf[0]+0x0:fp32[1:16] dst=sbuf[0]+0x5c:fp32[-1:8,0:1] num_active_channels=2 "
                         "even_count=0 odd_count=0\n")
        again = opendve.assemble(".dve 1\n" + call.text)
        self.assertEqual(again.bytes, call.records.bytes)
        self.assertEqual(opendve.lower(call.spec), call.records)
        self.assertEqual(call.run.steps[0].elements, 16)

    def test_one_array_twice(self):
        """The same array is one place, whichever operand names it first."""
        x, one = self.floats(8, 1), self.floats(8, 1)
        wanted = fold(np.add, x + one, 0)
        nisa.tensor_scalar_cumulative(one, x, "add", "add", one)
        self.same(one, wanted)
        both = self.floats(8, 4)
        wanted = both + both[:, :1]
        nisa.tensor_scalar_reduce(both, both, "add", both[:, :1].copy(), "add", None)
        self.same(both, wanted)

    def test_what_is_no_operand(self):
        best = np.empty((2, 8), np.float32)
        nisa.max8(best, self.floats(2, 16))
        self.refused(lambda: nisa.max8(best, 3.0), "src", "tile")
        self.refused(lambda: nisa.max8(best, np.zeros((129, 16), np.float32)), "src", "partitions")
        self.refused(lambda: nisa.max8(best, np.zeros((2, 16))), "src", "dtype", opendve.UsageError, "astype(np.float32)")
        self.refused(lambda: nisa.memset(np.zeros((1, 60000), np.float32), 1.0), "dst", "walk_in_partition", opendve.UsageError)
        frozen = best.copy()
        frozen.flags.writeable = False
        self.refused(lambda: nisa.max8(frozen, self.floats(2, 16)), "dst", "writeable")
        one, other = opendve.Machine(), opendve.Machine()
        self.refused(lambda: nisa.tensor_copy(one.tile((1, 8)), other.tile((1, 8))), "<Tile sbuf[0:1]+0x0:fp32[8]>", "machine",
                     opendve.UsageError)


if __name__ == "__main__":
    unittest.main()
