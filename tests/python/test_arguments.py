# SPDX-License-Identifier: Apache-2.0
"""Wrong arguments are exceptions of the package that say operation, operand, given, allowed and rule; never Python's own,
and never another number than was meant."""
import unittest
from functools import partial

import numpy as np
from support import Case

import opendve
from opendve import nisa

INF, NAN = float("inf"), float("nan")
DATA = {"space": "sbuf", "partition": 0, "offset": 0, "dtype": "fp32", "pattern": [[1, 64]]}
BEST = dict(DATA, offset=1024, pattern=[[1, 8]])
LOOP = dict(DATA)
LOOP["indirect"] = LOOP


class Arguments(Case):
    def wrong(self, operand, call, *arguments, **named):
        """An error about that operand, with all its members."""
        with self.subTest(operand=operand, call=call, named=str(named)[:80]):
            with self.assertRaises(opendve.Error) as caught:
                call(*arguments, **named)
            members = {name: getattr(caught.exception, name) for name in ("operation", "operand", "given", "allowed", "rule")}
            self.assertTrue(all(members.values()), members)
            self.assertEqual(members["operand"], operand)
            return caught.exception

    def test_lower(self):
        instruction = {"op": "Max", "channels": 128, "data": DATA, "maxvals": BEST}
        self.assertEqual(len(opendve.lower({"schema": "opendve.lower/1", "instructions": [instruction]})), 1)
        for channels in (NAN, INF, 1.5, True, "4", None, 1 << 64):
            self.wrong("channels", opendve.lower, dict(instruction, channels=channels))
        for change in (dict(offset=1 << 70), dict(pattern=[[1, 2**64 + 8]]), dict(pattern=[[1, 8, 2]]), dict(pattern="abc"),
                       dict(pattern=None), dict(pattern=[3]), dict(indirect=None), dict(indirect=LOOP), dict(channels=0),
                       dict(dtype=None), dict(dtype="fp32\0"), dict(space=[])):
            self.wrong("data", opendve.lower, dict(instruction, data=dict(DATA, **change)))
        for given in ([3], None, "abc", 7, {"schema": "opendve.lower/1"}):
            self.wrong("instructions", opendve.lower, given)
        self.wrong("schema", opendve.lower, {"schema": "opendve.lower/7", "instructions": [instruction]})
        self.wrong("op", opendve.lower, {"op": []})

    def test_scalars_of_lower(self):
        fill = {"op": "Memset", "channels": 4, "dst": BEST, "value": {"bits": "0x3fc00000"}}
        self.assertEqual(opendve.lower(fill), opendve.lower(dict(fill, value=1.5)))
        self.assertEqual(opendve.lower(dict(fill, value="-inf")), opendve.lower(dict(fill, value=-INF)))
        for value in ({"bits": "zz"}, {"bits": 5}, {"bits": "-1"}, {"bits": "0x100000000"}, {"bits": "0x1\n"}, True, "1.5",
                      10**400, 10**6000, None, [1]):
            self.wrong("value", opendve.lower, dict(fill, value=value))

    def test_records(self):
        for fields in (dict(src=dict(DATA, dtype="zz")), dict(src=dict(dtype="zz")), dict(src=3),
                       dict(src=dict(DATA, pattern=[[1, 1.5]])), dict(num_active_channels="a"), dict(num_active_channels=1.9)):
            self.wrong(next(iter(fields)), opendve.make, "max8", **fields)
        record = opendve.make("max8", num_active_channels=3)
        self.assertEqual(opendve.explain(record.bytes.hex()).record, record)
        self.wrong("opcode", opendve.explain, "zz" * 64)

    def test_machines(self):
        for name, value in (("threads", -1), ("threads", "a"), ("max_records", -1), ("max_elements", 0.5)):
            self.wrong(name, opendve.Machine, **{name: value})
        machine = opendve.Machine()
        self.wrong("offset", machine.get, 1, 2, offset=.5)
        self.wrong("shape", machine.tile, (1.9, 2.9))
        self.wrong("shape", machine.tile, None)
        self.wrong("dtype", machine.tile, (1, 2), [])
        for given in (5, None, [5], "abc"):
            self.wrong("records", machine.run, given)
        for given in ("/nofile", b"junk", 3):
            self.wrong("state", opendve.Machine.from_state, given)
        self.wrong("gen", opendve.Machine, [])

    def test_topk(self):
        x = np.zeros((2, 9), np.float32)
        for k in ("a", INF, NAN, None, 0, True):
            self.wrong("k", opendve.topk, x, k)
        for axis in (None, .5, 2, "a"):
            self.wrong("axis", opendve.topk, x, 1, axis)
        for name, value in (("replace", "a"), ("replace", NAN), ("method", "foo"), ("threads", "a"), ("dtype", "zz"), ("gen", []),
                            ("e4m3", [])):
            self.wrong(name, opendve.topk, x, 1, **{name: value})
        self.wrong("x", opendve.topk, x.astype(float), 1)
        self.wrong("method", opendve.topk, x, 1, method="replace-indices", gen="gen2")
        self.wrong("axis", opendve.argmax, x, 2)
        self.wrong("x", opendve.argmax, x[:, :0])

    def test_nisa(self):
        x = np.zeros((32, 16), np.float32)
        for mask in ([.5] * 32, [NAN] * 32, None, ["a"] * 32, [None] * 32):
            self.wrong("shuffle_mask", nisa.nc_stream_shuffle, x, x.copy(), mask)
        gather = partial(nisa.local_gather, x, x, x.astype(np.uint16))
        for value in ("x", 1.5, INF, 0):
            self.wrong("num_elem_per_idx", gather, value)
        for value in (-1, "x"):
            self.wrong("num_valid_indices", gather, 1, value)
        for value in (True, x[:, :1]):
            self.wrong("value", nisa.memset, x, value)
        self.wrong("initial", nisa.tensor_tensor_scan, x, x, x, 10**400, "add", "add")


class Named(Case):
    """What a record refuses is said of the function's argument."""

    def test_fields_are_arguments(self):
        machine = opendve.Machine()
        x, p = np.zeros((4, 16), np.float32), np.zeros((4, 16), np.uint8)
        for operand, rule, call in (
                ("on_true", "select_reduce_src1_dtype", lambda: nisa.select_reduce(x, p, x.astype(np.int32), 0.0)),
                ("reduce_cmd", "select_reduce_accumulator_cmd",
                 lambda: nisa.select_reduce(x, p, x, 0.0, reduce_cmd="load_reduce")),
                ("dst", "psum_write", lambda: nisa.memset(machine.tile((4, 6), "fp16", "psum"), 1.0))):
            self.refused(call, operand, rule)
        deep = machine.tile((4, 8, 8, 8))[:, ::2, ::2, ::2]
        error = self.refused(lambda: nisa.tensor_tensor_scan(deep, deep, deep, 0.0, "add", "add"), "data0", "dimensions",
                             opendve.UsageError)
        self.assertEqual(error.operation, "tensor_tensor_scan")

    def test_a_budget_holds_the_whole_call(self):
        x, best, where = np.zeros((2, 9), np.float32), np.zeros((2, 8), np.float32), np.zeros((2, 8), np.uint32)
        machine = opendve.Machine(max_records=3, uninit="zero")
        tiles = [machine.put(array) for array in (where, x, best)]
        nisa.nc_find_index8(*tiles)
        before = machine.state()
        self.assertEqual(machine.records_left, 1)
        self.refused(lambda: nisa.nc_find_index8(*tiles), "max_records", "max-records", opendve.BudgetExceeded)
        self.assertEqual(machine.state(), before)
        nisa.max8(tiles[2], tiles[1])
        self.assertEqual(machine.records_left, 0)
        self.refused(lambda: nisa.max8(tiles[2], tiles[1]), "max_records", "max-records", opendve.BudgetExceeded)
        machine.reset()
        self.assertEqual(machine.records_left, 3)

    def test_arrays_of_many_axes(self):
        data = self.random.normal(size=(4, 2, 2, 2, 2)).astype(np.float32)
        out, p = np.zeros_like(data), self.random.integers(0, 2, data.shape).astype(np.uint8)
        nisa.select_reduce(out, p, data, -1.0)
        self.same(out, np.where(p, data, np.float32(-1)))
        nisa.range_select(out, data, "greater_equal", "less", 0.0, 99.0)
        self.same(out, data)
        nisa.tensor_tensor_scan(out, np.ones_like(data), data, 0.0, "multiply", "add")
        self.same(out.reshape(4, 16), np.cumsum(data.reshape(4, 16), 1, dtype=np.float32))

    def test_one_value_a_partition(self):
        p, one = np.tile(np.array([0, 1], np.uint8), (4, 4)), self.random.normal(size=(4, 1)).astype(np.float32)
        for reverse in (False, True):
            out = np.zeros((4, 8), np.float32)
            call = nisa.tensor_copy_predicated(out, one, p, reverse)
            self.same(out, np.where(p != reverse, one, np.float32(0)))
            self.assertEqual([r.name for r in call.records], ["CopyPredicatedScalar"])
        self.refused(lambda: nisa.tensor_copy_predicated(out, one.astype(np.int32), p), "src", "pointer")

    def test_assumptions_of_lowering(self):
        x, total = np.ones((4, 8), np.float32), np.empty((4, 1), np.float32)
        best = np.zeros((4, 8), np.float32)
        calls = (nisa.max8(best, x), nisa.nc_find_index8(best.astype(np.uint32), x, best),
                 nisa.tensor_scalar_reduce(x, x, "add", 0.0, "add", total), nisa.nc_transpose(np.empty((8, 4), np.float32), x))
        numbers = {row.name: i for i, row in enumerate(opendve.isa.operations())}
        found = set()
        for call in calls:
            wanted = opendve.isa.names_of(opendve._library.lib.dve_lower_assumptions(numbers[call.spec[0]["op"]]))
            self.assertLessEqual(set(wanted), set(call.run.assumptions))
            self.assertLessEqual(set(wanted), set((call.run + call.run).assumptions))
            found |= set(wanted)
        self.assertTrue(found)


if __name__ == "__main__":
    unittest.main()
