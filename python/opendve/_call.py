# SPDX-License-Identifier: Apache-2.0
"""How a function of nisa becomes records and runs: operands, their memory, and what comes back."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import dtypes, isa
from ._arguments import shown
from ._library import C, lib
from .dtypes import Array
from .errors import BudgetExceeded, Error, Refused, UsageError
from .lowering import lower
from .machine import Machine, default_machine
from ._refusals import of_broken
from .records import Records, check
from .runs import Run
from .tile import Tile


class Bits:
    """An array of raw bits, and what they are: `Bits(uint16_array, "bf16")`."""

    def __init__(self, array: Array, kind: Any) -> None:
        self.kind = dtypes.kind_of(kind)
        self.array = array
        dtypes.bits_of(array, self.kind, "Bits")


Operand = Union[Tile, Array, Bits]


class Call:
    """A call that ran: its records and what the run reported; `spec` has its instructions as `lower` takes them, where
    that language can say them."""

    def __init__(self, name: str, spec: Tuple[Dict[str, Any], ...], run: Run) -> None:
        self.name, self.spec, self.run = name, spec, run

    @property
    def records(self) -> Records:
        return self.run.records

    @property
    def hazards(self) -> Tuple[Any, ...]:
        return self.run.hazards

    @property
    def text(self) -> str:
        """The records as lines of .dve text."""
        return self.records.text(self.run.gen)

    def __repr__(self) -> str:
        return f"<Call {self.name}: {', '.join(record.name for record in self.records)}>"


def is_operand(value: Any) -> bool:
    return isinstance(value, (Tile, Bits)) or (isinstance(value, np.ndarray) and value.ndim > 0)


class Build:
    """Operands of one call. Tiles stay where they are; arrays are brought to a machine and back."""

    def __init__(self, name: str, machine: Optional[Machine], engine: Any, *values: Any, label: Optional[str] = None) -> None:
        self.name, self.label = name, label or name
        tiles = [value for value in values if isinstance(value, Tile)]
        self.machine = machine or (tiles[0].machine if tiles else default_machine())
        for tile in tiles:
            if tile.machine is not self.machine:
                raise UsageError(operation=name, operand=repr(tile), given="lies on another machine",
                                 allowed="tiles of one machine", rule="machine")
        if engine not in (None, "vector", "unknown") and getattr(engine, "name", "") not in ("vector", "unknown"):
            self.refuse("engine", f"is {engine!r}", "vector", "engine")
        self._arrays: List[Tuple[Array, Tile]] = []
        self._loaded: List[Tile] = []                # those that hold their array
        self._back: List[Tuple[Array, Tile]] = []
        self._flat = False
        self._scope: Any = None

    def __enter__(self) -> "Build":
        self._scope = self.machine.scope()
        self._scope.__enter__()
        return self

    def __exit__(self, *why: Any) -> None:
        self._scope.__exit__(*why)

    def elementwise(self, *values: Any) -> None:
        """Arrays of equal shape are placed flat: what works element by element sees no axes, whatever its record can
        walk."""
        shapes = {getattr(value.array if isinstance(value, Bits) else value, "shape", None) for value in values}
        self._flat = len(shapes) == 1

    def refuse(self, operand: str, given: str, allowed: str, rule: str) -> None:
        raise Refused(operation=self.name, operand=operand, given=given, allowed=allowed, rule=rule)

    def tile(self, operand: str, value: Any, write: bool = False, keep: bool = False,
             room: Tuple[int, int] = (0, 0)) -> Tile:
        """The tile of an operand. Of arrays: `write` brings it back afterwards, `keep` also brings it there before;
        `room` is the least number of partitions and elements that it takes, zero behind the array."""
        if isinstance(value, Tile):
            return value
        if not is_operand(value):
            self.refuse(operand, f"is {shown(value)}", "a Tile, an array [partitions, ...], or Bits", "tile")
        kind = value.kind if isinstance(value, Bits) else None
        array = value.array if isinstance(value, Bits) else value
        for known, tile in self._arrays:             # in place: the same array is the same tile
            if _same(known, array):
                break
        else:
            tile = self._place(operand, array, kind, room)
        if (not write or keep) and not any(tile is loaded for loaded in self._loaded):
            tile.put(array.reshape(tile.shape))
            self._loaded.append(tile)
        if write:
            if not array.flags.writeable:
                self.refuse(operand, "is an array that cannot be written", "a writeable one", "writeable")
            self._back.append((array, tile))
        return tile

    def _place(self, operand: str, array: Array, kind: Optional[str], room: Tuple[int, int]) -> Tile:
        if array.size == 0 or array.shape[0] > C.LANES:
            self.refuse(operand, f"has shape {array.shape}", "1..128 partitions and no empty axis", "partitions")
        partitions, count = array.shape[0], int(np.prod(array.shape[1:], dtype=np.int64))
        try:
            kind = kind or dtypes.kind_of(array.dtype)
            if partitions < room[0] or count < room[1]:
                whole = self.machine.tile((max(partitions, room[0]), max(count, room[1])), kind)
                whole.put(np.zeros(whole.shape, dtypes.carrier(kind)))
                tile = whole[:partitions, :count]
            else:
                tile = self.machine.tile((partitions, count) if self._flat else array.shape, kind)
        except Error as error:
            self._name(error, operand)
            raise
        self._arrays.append((array, tile))
        return tile

    def scalar(self, operand: str, value: Any) -> Any:
        """A number, or one value per partition."""
        if is_operand(value):
            return self.tile(operand, value).access()
        if isinstance(value, (int, float, np.generic)):
            return value.item() if isinstance(value, np.generic) else value
        if isinstance(value, np.ndarray):
            return value.item()
        self.refuse(operand, f"is {shown(value)}", "a number, or a tile or array of one element a partition", "scalar")
        return None

    def go(self, *specs: Dict[str, Any], records: Any = None, change: Any = None, names: Optional[Dict[str, str]] = None) -> Call:
        """Lowers, runs and brings results back. `names` are this function's for operands of the instruction."""
        try:
            out = lower(specs, self.machine.gen_number, self.machine.settings) + Records(records() if records else ())
            if change:
                out = Records([change(record) for record in out])
            for verdict in check(out, self.machine.gen_number):      # before the first record has an effect
                if not verdict:
                    raise of_broken(verdict.broken, verdict.record.name)
            self._afford(len(out))
            run = self.machine.run(out)
        except Error as error:
            self._name(error, _argument(names or {}, error.operation, error.operand))
            raise
        run.also(self._lowered(specs))
        for array, tile in self._back:
            value = tile.get(raw=True).reshape(array.shape)
            array[...] = value if array.dtype.kind in "fiu" else value.view(array.dtype)
        return Call(self.label, () if change else specs, run)

    def _afford(self, count: int) -> None:
        """The budget of records holds the whole call: it would end between two records otherwise."""
        left = self.machine.records_left
        if left is not None and count > left:
            raise BudgetExceeded(operation=self.name, operand="max_records", given=f"takes {count} records",
                                 allowed=f"the {left} that max_records leaves", rule="max-records")

    def _lowered(self, specs: Tuple[Dict[str, Any], ...]) -> int:
        """Assumptions of the bytes of the records, as a set."""
        numbers = {row.name: i for i, row in enumerate(isa.operations())}
        used = 0
        for spec in specs:
            used |= int(lib.dve_lower_assumptions(numbers[spec["op"]]))
        return used

    def _name(self, error: Error, operand: str) -> None:
        """Says of an error of the library which function and operand it is about."""
        error.args = (f"{self.name}{f' ({operand})' if operand else ''}: {error}",)
        error.operation, error.operand = self.name, operand


_PART = re.compile(r"_(start_addr|dtype|step\d|num\d|src|ptr)$")
_RECORDS_OWN = {"in": "src", "num_active_channels": "channels", "accumulator_cmd": "accumulate", "reversed_pred": "reverse_pred"}


def _argument(names: Dict[str, str], record: str, field: str) -> str:
    """A function's argument for an operand of an instruction or a field of a record: the parts of an operand (address,
    data type, walk) are that operand. `names` has "Record.operand" where records of one call differ."""
    part = _PART.sub("", field)
    part = "dst" if part == "out" else _RECORDS_OWN.get(part, part)
    for key in (f"{record}.{field}", f"{record}.{part}", field, part):
        if key in names:
            return names[key]
    return part if part != "channels" else "dst"


def _same(a: Array, b: Array) -> bool:
    return (a.__array_interface__["data"][0] == b.__array_interface__["data"][0] and a.shape == b.shape
            and a.strides == b.strides and a.dtype == b.dtype)


__all__ = ["Bits", "Build", "Call", "Operand", "is_operand"]
