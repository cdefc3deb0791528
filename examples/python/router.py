#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which experts see a token? Top-4 of 64 router scores for each of 128 tokens, by the instructions that the engine has
for it, in bf16 and in fp32: how much does the narrower type change, and where do ties decide?

    PYTHONPATH=python examples/python/router.py [timeline.svg]
"""
import sys

import numpy as np

import opendve
from opendve import nisa

TOKENS, EXPERTS, CHOSEN = 128, 64, 4


def scores():
    """Router scores as a small network might give them: the same on every machine."""
    mixed = np.arange(TOKENS * EXPERTS, dtype=np.uint32).reshape(TOKENS, EXPERTS)
    for factor in (0x7feb352d, 0x846ca68b):
        mixed = (mixed ^ mixed >> np.uint32(16)) * np.uint32(factor)
    return (mixed >> np.uint32(20)).astype(np.float32) / np.float32(512) - np.float32(4)


def route(x, dtype):
    """Max8 and FindIndex8 on a machine; the first columns are the choice."""
    machine = opendve.Machine("trn2")
    data, best = machine.tile(x.shape, dtype), machine.tile((TOKENS, 8), dtype)
    where = machine.tile((TOKENS, 8), "uint32")
    calls = [nisa.tensor_copy(data, machine.put(x)), nisa.max8(best, data), nisa.nc_find_index8(where, data, best)]
    return where.get()[:, :CHOSEN], sum((call.run for call in calls[1:]), calls[0].run)


def main():
    x = scores()
    exact, run = route(x, "fp32")
    rounded, _ = route(x, "bf16")
    ties = opendve.topk(x, CHOSEN, hazards=True).hazards
    moved = np.flatnonzero((np.sort(exact, 1) != np.sort(rounded, 1)).any(1))
    print(f"token 0 goes to experts {exact[0].tolist()}, in bf16 to {rounded[0].tolist()}")
    print(f"{len(moved)} of {TOKENS} tokens change an expert when scores are bf16, first {moved[:5].tolist()}")
    print(f"{len(ties)} hazards in fp32" + "".join(f"\n  {h.kind}, row {h.row}, columns {h.columns}" for h in ties[:3]))
    print(run.records.text(run.gen), end="")
    for name, stat in run.stats.items():
        print(f"{name:16} {stat.records} record  {stat.cycles:5} cycles")
    print(f"{run.ns / 1000:.3f} us on {run.gen} (estimate); hazards: {len(run.hazards)}; rests on: {', '.join(run.assumptions)}")
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(run.timeline())


if __name__ == "__main__":
    main()
