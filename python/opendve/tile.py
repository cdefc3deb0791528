# SPDX-License-Identifier: Apache-2.0
"""Tiles: parts of SBUF or PSUM as arrays [partitions, ...].

>>> from opendve import Machine
>>> m = Machine()
>>> t = m.tile((2, 3, 4), "fp16")
>>> t.put(np.arange(24, dtype=np.float16).reshape(2, 3, 4))
>>> t[:, 1, ::-1].get()
array([[ 7.,  6.,  5.,  4.],
       [19., 18., 17., 16.]], dtype=float16)
>>> t[1:, ..., 0].access()["pattern"], t[1:].partition
([[4, 3]], 1)
"""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

from . import dtypes
from .dtypes import Array
from .errors import NeverWritten, UsageError

if TYPE_CHECKING:
    from .machine import Machine


class Tile:
    """Elements of `dtype` in `shape[0]` partitions; `strides` of the other axes count elements. Slicing gives another
    tile of the same bytes."""

    def __init__(self, machine: "Machine", space: str, partition: int, offset: int, dtype: str, shape: Sequence[int],
                 strides: Sequence[int]) -> None:
        self.machine, self.space, self.partition, self.offset, self.dtype = machine, space, partition, offset, dtype
        self.shape, self.strides = tuple(shape), tuple(strides)

    @property
    def partitions(self) -> int:
        return self.shape[0]

    @property
    def count(self) -> int:
        """Elements in each partition."""
        return int(np.prod(self.shape[1:], dtype=np.int64))

    @property
    def itemsize(self) -> int:
        return dtypes.SIZES[self.dtype]

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return (f"<Tile {self.space}[{self.partition}:{self.partition + self.partitions}]+0x{self.offset:x}:{self.dtype}"
                f"{list(self.shape[1:])}>")

    # ---- other tiles of the same bytes ----

    def _with(self, **changes: Any) -> "Tile":
        members = {name: getattr(self, name) for name in
                   ("machine", "space", "partition", "offset", "dtype", "shape", "strides")}
        members.update(changes)
        return Tile(**members)

    def __getitem__(self, key: Any) -> "Tile":
        keys = list(key) if isinstance(key, tuple) else [key]
        if Ellipsis in keys:
            at = keys.index(Ellipsis)
            keys[at:at + 1] = [slice(None)] * (len(self.shape) - len(keys) + 1)
        keys += [slice(None)] * (len(self.shape) - len(keys))
        if len(keys) > len(self.shape):
            raise IndexError(f"{len(keys)} indices were given, the tile has {len(self.shape)} axes")
        first = keys[0]
        if not isinstance(first, slice) or first.step not in (None, 1):
            raise UsageError(operation="Tile", operand="partitions", given=f"are indexed by {first!r}",
                             allowed="a slice of step 1, for partitions stay an axis", rule="partitions")
        start, stop, _ = first.indices(self.shape[0])
        shape, strides, offset = [max(stop - start, 0)], [], self.offset
        for index, size, stride in zip(keys[1:], self.shape[1:], self.strides):
            if isinstance(index, slice):
                begin, _, step = index.indices(size)
                shape.append(len(range(*index.indices(size))))
                strides.append(stride * step)
            else:
                begin = range(size)[index]
            offset += begin * stride * self.itemsize
        if 0 in shape:
            raise UsageError(operation="Tile", given=f"has the shape {tuple(shape)} after indexing",
                             allowed="one element at least", rule="shape")
        return self._with(partition=self.partition + start, offset=offset, shape=shape, strides=strides)

    def broadcast_to(self, shape: Sequence[int]) -> "Tile":
        """Repeats axes of length 1 behind the partitions by a step of 0; the bytes stay one."""
        wanted = tuple(shape)
        have, steps = self.shape[1:], self.strides
        missing = len(wanted) - 1 - len(have)
        if missing >= 0 and wanted[0] == self.shape[0]:
            have, steps = (1,) * missing + have, (0,) * missing + steps
            if all(h in (1, w) for h, w in zip(have, wanted[1:])):
                return self._with(shape=wanted, strides=[0 if h != w else s for h, w, s in zip(have, wanted[1:], steps)])
        raise UsageError(operation="Tile", given=f"of shape {self.shape} cannot repeat to {wanted}",
                         allowed="axes of length 1 behind the partitions", rule="shape")

    def reinterpret(self, dtype: Any) -> "Tile":
        """The same bytes as elements of another data type of the same size."""
        kind = dtypes.kind_of(dtype)
        if dtypes.SIZES[kind] != self.itemsize:
            raise UsageError(operation="Tile", given=f"of {self.dtype} cannot become {kind}",
                             allowed=f"a data type of {self.itemsize} bytes", rule="dtype")
        return self._with(dtype=kind)

    # ---- for records ----

    def access(self) -> Dict[str, Any]:
        """The tile as `lower` wants it: an access pattern, fastest axis first."""
        pattern: List[List[int]] = [[stride, size] for stride, size in zip(self.strides, self.shape[1:])][::-1]
        return {"space": self.space, "partition": self.partition, "offset": self.offset, "dtype": self.dtype,
                "pattern": pattern, "channels": self.partitions}

    # ---- for the host ----

    def view(self) -> Array:
        """The bytes themselves as a NumPy array, without a copy; bf16 and fp8 as raw bits. Writing through it marks
        nothing as written: call `mark` then, or use `put`."""
        memory = self.machine.memory(self.space)
        lowest, highest = self._extent()
        if lowest < 0 or highest > memory.shape[1]:
            raise UsageError(operation="Tile", given=f"takes bytes {lowest}..{highest - 1} of a partition",
                             allowed=f"0..{memory.shape[1] - 1}", rule="walk_in_partition")
        start = memory[self.partition:, self.offset:].ctypes.data - self.machine.block.ctypes.data
        strides = (memory.strides[0],) + tuple(stride * self.itemsize for stride in self.strides)
        return np.ndarray(self.shape, dtypes.carrier(self.dtype), self.machine.block, start, strides)

    def _extent(self) -> Tuple[int, int]:
        """First byte and the byte behind the last that the tile takes of a partition."""
        reach = [stride * (size - 1) * self.itemsize for stride, size in zip(self.strides, self.shape[1:])]
        lowest = self.offset + sum(r for r in reach if r < 0)
        return lowest, self.offset + sum(r for r in reach if r > 0) + self.itemsize

    def _bits(self) -> Tuple[slice, Array]:
        """Bytes of a partition's map of written bytes, and the bits in them that are this tile's."""
        lowest, highest = self._extent()
        begin, end = lowest // 8, (highest + 7) // 8
        bits = np.zeros(8 * (end - begin), bool)
        at = np.zeros((), np.int64)
        for stride, size in zip(self.strides, self.shape[1:]):
            at = at[..., None] + np.arange(size, dtype=np.int64) * (stride * self.itemsize)
        bits[(at[..., None] + np.arange(self.itemsize)).ravel() + (self.offset - 8 * begin)] = True
        return slice(begin, end), np.packbits(bits, bitorder="little")

    def mark(self) -> None:
        """Marks all its bytes as written."""
        self.view()
        where, bits = self._bits()
        self.machine.written_map(self.space)[self.partition:self.partition + self.partitions, where] |= bits

    def unwritten(self) -> int:
        """How many of its bytes nothing wrote."""
        where, bits = self._bits()
        have = self.machine.written_map(self.space)[self.partition:self.partition + self.partitions, where]
        return int(np.unpackbits(np.bitwise_not(have) & bits).sum())

    def put(self, array: Any) -> None:
        """Copies an array of the same shape here (elements of one partition may also be flat)."""
        values = dtypes.bits_of(array, self.dtype, "Tile.put")
        if values.shape != self.shape and values.shape != (self.partitions, self.count):
            raise UsageError(operation="Tile.put", given=f"an array of shape {values.shape} was given",
                             allowed=str(self.shape), rule="shape")
        self.view()[...] = values.reshape(self.shape)
        self.mark()

    def get(self, raw: bool = False) -> Array:
        """A copy of the elements. bf16 and fp8 come as types of ml_dtypes where it is installed, unless `raw`."""
        missing = self.unwritten()
        if missing:
            warnings.warn(f"{self!r}: {missing} bytes were never written", NeverWritten, stacklevel=2)
        bits = np.ascontiguousarray(self.view())
        kind = None if raw or np.dtype(dtypes.carrier(self.dtype)).kind == "f" else dtypes.typed(self.dtype)
        return bits.view(kind) if kind is not None else bits

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        array = self.get()
        return array if dtype is None else array.astype(dtype)
