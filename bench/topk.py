#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""opendve.topk against the same calls from C, in interleaved pairs; the goal is a ratio of 1.2 at most. Never part of the
tests:

    PYTHONPATH=python bench/topk.py build/release
"""
import ctypes
import statistics
import sys
import time
from pathlib import Path

import numpy as np

import opendve

PAIRS, GOAL = 21, 1.2


def main():
    library = ctypes.CDLL(str(Path(sys.argv[1] if len(sys.argv) > 1 else "build/release") / "bench" / "libopendve_topk_call.so"))
    call = library.bench_topk_call
    call.restype = ctypes.c_double
    call.argtypes = [ctypes.c_void_p] + [ctypes.c_uint64] * 3 + [ctypes.c_uint]
    x = np.random.default_rng(1).normal(size=(128, 16384)).astype(np.float32)
    missed = False
    for k, threads in ((8, 1), (8, 0), (64, 1)):
        times = []
        for _ in range(PAIRS + 1):                   # the first pair warms up
            plain = call(x.ctypes.data, *x.shape, k, threads)
            begin = time.perf_counter()
            opendve.topk(x, k, threads=threads)
            times.append(((time.perf_counter() - begin) * 1e6, plain))
        ratio = statistics.median(mine / plain for mine, plain in times[1:])
        mine, plain = (statistics.median(column) for column in zip(*times[1:]))
        print(f"top-{k} of [128, 16384], {threads or 'all'} threads: Python {mine:.0f} us, C {plain:.0f} us, ratio {ratio:.2f}")
        missed |= ratio > GOAL
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
