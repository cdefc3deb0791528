# SPDX-License-Identifier: Apache-2.0
"""topk and argmax equal the sort, and the program's own topk."""
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import Case, program

import opendve


def sorted_best(x, k, axis=-1):
    order = np.argsort(-x.astype(np.float64), axis=axis, kind="stable").take(range(k), axis)
    return np.take_along_axis(x, order, axis), order.astype(np.uint32)


class Topk(Case):
    def check(self, x, k, axis=-1, **options):
        got = opendve.topk(x, k, axis, **options)
        values, indices = sorted_best(x, k, axis)
        self.same(got.values, values)
        self.same(got.indices, indices)
        return got

    def test_every_axis(self):
        x = self.random.normal(size=(6, 50, 70)).astype(np.float32)
        for axis in (0, 1, 2, -1, -3):
            self.check(x, 5, axis)
        self.check(x[0, 0], 70)
        self.check(x[:, ::2, ::-1], 9, 1)            # views that are not contiguous
        self.check(np.asfortranarray(x[0]), 3)

    def test_every_data_type(self):
        for dtype in (np.float32, np.float16, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, ">f4"):
            x = self.random.integers(0, 120, (20, 90)).astype(dtype)     # many ties
            got = opendve.topk(x, 11)
            values, indices = sorted_best(x, 11)
            self.same(got.indices, indices)
            self.same(got.values, values)

    def test_raw_bits(self):
        x = self.random.normal(size=(9, 40)).astype(np.float32)
        bits = (x.view(np.uint32) >> 16).astype(np.uint16)
        got = opendve.topk(bits, 4, dtype="bf16")
        back = (bits.astype(np.uint32) << 16).view(np.float32)
        values, indices = sorted_best(back, 4)
        self.same(got.indices, indices)
        self.same(got.values, (values.view(np.uint32) >> 16).astype(np.uint16))

    def test_long_and_many_rows(self):
        self.check(self.random.normal(size=(3, 40000)).astype(np.float32), 20)
        self.check(self.random.normal(size=(300, 130)).astype(np.float32), 8, threads=2)

    def test_replace_indices(self):
        x = self.random.permutation(4000).reshape(4, 1000).astype(np.float32)
        self.check(x, 16, method="replace-indices")
        with self.assertRaisesRegex(opendve.UsageError, "find"):
            opendve.topk(x, 16, method="replace-indices", gen="gen2")

    def test_hazards(self):
        x = np.array([[1, 2, np.nan, 3, 3, 0, -1, -2], [5, 4, 3, 2, 1, 0, -1, -np.inf]], np.float32)
        found = opendve.topk(x, 1, hazards=True)
        self.assertEqual([(h.kind, h.alters, h.row, h.columns) for h in found.hazards],
                         [("nan", True, 0, (2,)), ("tie-at-cut", False, 0, (3, 4)), ("marker-in-data", True, 1, (7,))])
        self.assertEqual(opendve.topk(x, 1).hazards, ())

    def test_absent(self):
        x = np.array([[np.nan, 7, np.nan]], np.float32)
        self.assertEqual(opendve.topk(x, 2).indices.tolist(), [[1, opendve.ABSENT]])
        self.assertEqual(opendve.argmax(np.full((2, 3), np.nan, np.float32)).tolist(), [-1, -1])

    def test_argmax(self):
        x = self.random.integers(0, 9, (7, 8, 30)).astype(np.float32)
        for axis in (0, 1, 2, -1):
            self.same(opendve.argmax(x, axis), np.argmax(x, axis))
        self.assertEqual(opendve.argmax(x, None), np.argmax(x))

    def test_refusals(self):
        x = np.zeros((2, 9), np.float32)
        self.same(opendve.topk(x, 9).values, x)
        for call, says in ((lambda: opendve.topk(x, 0), "k is 0, allowed 1..9"), (lambda: opendve.topk(x, 10), "allowed 1..9"),
                           (lambda: opendve.topk(x, 1, 2), "axis is 2, allowed -2..1"),
                           (lambda: opendve.topk(x.astype(float), 1), "float64 was given"),
                           (lambda: opendve.topk(x, 1, method="sort"), "find or replace-indices"),
                           (lambda: opendve.topk(x, 1, dtype="bf16"), "raw bits"),
                           (lambda: opendve.topk(x, 1, replace=float("nan")), "NaN|nan"),
                           (lambda: opendve.topk(x, 1, e4m3="x"), "ieee or fn")):
            with self.assertRaisesRegex(opendve.UsageError, says):
                call()

    def test_no_rows(self):
        self.check(np.ones((1, 4), np.float32), 2)
        got = opendve.topk(np.zeros((0, 4), np.float32), 2)
        self.assertEqual((got.values.shape, got.indices.shape), ((0, 2), (0, 2)))

    def test_as_the_program(self):
        x = self.random.integers(-9, 9, (140, 60)).astype(np.float16)
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder)
            np.save(at / "x.npy", x)
            program("topk", at / "x.npy", "-k", 13, "--values", at / "v.npy", "--indices", at / "i.npy")
            got = opendve.topk(x, 13)
            self.same(got.values, np.load(at / "v.npy"))
            self.same(got.indices, np.load(at / "i.npy"))


if __name__ == "__main__":
    unittest.main()
