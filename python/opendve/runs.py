# SPDX-License-Identifier: Apache-2.0
"""What a run reports: its steps, hazards, estimated cost, and the assumptions that it rests on."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from . import isa
from ._library import C, lib, say
from .records import Records

_NO_RECORD = 0xffffffffffffffff


@dataclass(frozen=True)
class Step:
    """One record that was executed or skipped. Cycles are an estimate."""

    record: int
    opcode: int
    name: str
    elements: int
    cycles: int
    skipped: bool
    assumptions: Tuple[str, ...]


@dataclass(frozen=True)
class Hazard:
    """A reason why results may not be what was intended; `str()` says it in words."""

    kind: str
    record: Optional[int]
    operand: str
    other: str
    state: str
    space: str
    partition: int
    byte: int
    lane: int
    element: int
    count: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Stat:
    records: int
    elements: int
    cycles: int


class Log:
    """Collects what the library's observer tells. It knows no machine, so that none is kept alive by it."""

    def __init__(self) -> None:
        self.steps: List[Tuple[int, int, int, int, int, bool]] = []
        self.hazards: List[Hazard] = []

    def begin(self) -> None:
        self.steps, self.hazards = [], []

    def end(self) -> Tuple[List[Any], List[Hazard]]:
        return self.steps, self.hazards

    def step(self, _: Any, step: Any) -> None:
        s = step.contents
        self.steps.append((s.record, s.insn.contents.value[0] & 0xff, s.elements, s.cycles, s.assumptions, bool(s.skipped)))

    def hazard(self, _: Any, hazard: Any) -> None:
        h = hazard.contents
        self.hazards.append(Hazard(
            lib.dve_hazard_name(h.kind).decode(), None if h.record == _NO_RECORD else h.record,
            (h.operand or b"").decode(), (h.other or b"").decode(), (h.state or b"").decode(),
            "psum" if h.space == C.SPACE_PSUM else "sbuf", h.partition, h.byte, h.lane, h.element, h.count,
            say(lib.dve_hazard_text, ctypes.byref(h))))


class Run:
    """A run of records on a generation."""

    def __init__(self, info: Any, records: Records, steps: List[Any], hazards: List[Hazard]) -> None:
        self._info = info
        self.gen: str = info.name
        self.records = records
        self.hazards: Tuple[Hazard, ...] = tuple(hazards)
        self._steps = steps
        self._lowered = 0

    def also(self, assumptions: int) -> None:
        """Adds what the bytes of the records rest on: a set of assumptions."""
        self._lowered |= assumptions

    def __add__(self, other: "Run") -> "Run":
        both = Run(self._info, self.records + other.records, self._steps + other._steps,
                   list(self.hazards + other.hazards))
        both.also(self._lowered | other._lowered)
        return both

    @property
    def steps(self) -> Tuple[Step, ...]:
        return tuple(Step(record, opcode, say(lib.dve_opcode_text, opcode), elements, cycles, skipped, isa.names_of(used))
                     for record, opcode, elements, cycles, used, skipped in self._steps)

    @property
    def cycles(self) -> int:
        """Estimated cycles of the engine."""
        return sum(step[3] for step in self._steps)

    @property
    def clock_mhz(self) -> int:
        return int(isa.generation(self._info.runs_as).clock_mhz)

    @property
    def ns(self) -> float:
        """Estimated time on the chip."""
        return self.cycles * 1000 / self.clock_mhz

    @property
    def assumptions(self) -> Tuple[str, ...]:
        """Ids of the assumptions that results and costs of this run rest on."""
        used = self._lowered
        for step in self._steps:
            used |= step[4]
        return isa.names_of(used | (1 << C.ASSUMPTION_cost if self.cycles else 0))

    @property
    def stats(self) -> Dict[str, Stat]:
        """Records, elements and cycles per opcode, skipped records left out."""
        sums: Dict[int, List[int]] = {}
        for _, opcode, elements, cycles, _, skipped in self._steps:
            if not skipped:
                row = sums.setdefault(opcode, [0, 0, 0])
                row[0], row[1], row[2] = row[0] + 1, row[1] + elements, row[2] + cycles
        return {say(lib.dve_opcode_text, opcode): Stat(*row) for opcode, row in sorted(sums.items())}

    def trace(self) -> Dict[str, Any]:
        """A Chrome trace in modelled time, as `opendve run --trace` writes it: json.dump makes a file of it."""
        events: List[Dict[str, Any]] = [{"name": "thread_name", "ph": "M", "pid": 1, "tid": 1,
                                         "args": {"name": "vector engine"}}]

        def us(cycles: int) -> float:
            return cycles * 1_000_000 // self.clock_mhz / 1e6

        at = 0
        for step in self.steps:
            events.append({"name": step.name, "ph": "X", "pid": 1, "tid": 1, "ts": us(at), "dur": us(step.cycles),
                           "args": {"record": step.record, "elements": step.elements, "cycles": step.cycles,
                                    "skipped": step.skipped}})
            at += step.cycles
        return {"displayTimeUnit": "ns", "otherData": {"schema": "opendve.trace/1", "version": lib.dve_version().decode(),
                                                       "gen": self.gen, "time": "modelled, an estimate"},
                "traceEvents": events}

    def timeline(self) -> str:
        """The run as an SVG drawing."""
        from .timeline import svg  # pylint: disable=import-outside-toplevel
        return svg(self)

    def __repr__(self) -> str:
        return f"<Run {self.gen}: {len(self._steps)} steps, {self.cycles} cycles, {len(self.hazards)} hazards>"
