# SPDX-License-Identifier: Apache-2.0
"""The machine: memories, hidden state, and the execution of records."""
from __future__ import annotations

import ctypes
import os
import threading
import weakref
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import dtypes, isa
from ._arguments import whole, word, wrong
from ._library import C, HAZARD, S, STATE_SINK, STEP, lib
from ._refusals import of_status, of_stop
from .dtypes import Array
from .errors import InputError, InternalError, UsageError
from .records import Program, Records
from .runs import Log, Run
from .tile import Tile

_SPACES = {"sbuf": C.SPACE_SBUF, "psum": C.SPACE_PSUM}
_ALIGN = 64


class _Pool:
    """Threads of the library that share the lanes of a record."""

    def __init__(self, threads: int) -> None:
        self.handle = lib.dve_pool_new(threads)
        if not self.handle:
            raise InternalError("no threads could be started")
        weakref.finalize(self, lib.dve_pool_free, self.handle)


class Machine:
    """A machine of one generation on fresh memory. One thread at a time may use it.

    `settings` are readings of assumptions, as `opendve isa assumptions` lists them (`fp8_overflow="saturate"`);
    `uninit` is "report" or "zero", `waits` "honour" or "ignore"; `threads` share the lanes of a record, 0 means one
    per processor; `simd` is the level of the host's vector instructions ("scalar", "sse2", ...; "best" also looks at
    OPENDVE_SIMD), `unfused` keeps searches from building on each other. Results depend on none of the three.

    >>> m = Machine("trn2", e4m3="fn")
    >>> m.gen, m.sbuf.shape, m.psum.shape
    ('gen3', (128, 229376), (128, 16384))
    >>> Machine(e4m3="maybe")
    Traceback (most recent call last):
    opendve.errors.UsageError: Machine: e4m3 is 'maybe', allowed ieee or fn [settings]
    """

    def __init__(self, gen: isa.Gen = C.GEN_DEFAULT, *, uninit: str = "report", waits: str = "honour",
                 skip_control: bool = False, max_records: int = 0, max_elements: int = 0, threads: int = 1,
                 simd: str = "best", unfused: bool = False, **settings: str) -> None:
        self._info = isa.generation(gen)
        threads = whole("Machine", "threads", threads, 0, 1024)
        self._pool = _Pool(threads) if threads != 1 else None
        config = self._config = S.machine_config()
        lib.dve_machine_defaults(ctypes.byref(config))
        config.gen = self._info.number
        config.uninit_zero = _choice("uninit", uninit, ("report", "zero"))
        config.ignore_waits = _choice("waits", waits, ("honour", "ignore"))
        config.skip_control = bool(skip_control)
        config.simd, config.unfused = _simd(simd), bool(unfused)
        config.max_records = whole("Machine", "max_records", max_records, 0)
        config.max_elements = whole("Machine", "max_elements", max_elements, 0)
        self._executed = 0                           # records that count for max_records
        for number, reading in isa.settings(settings):
            config.settings.value[number] = reading
        if self._pool:
            config.parallel_for = ctypes.cast(lib.dve_pool_run, ctypes.c_void_p).value
            config.parallel_context = self._pool.handle
        self._busy = threading.Lock()
        self._log = Log()
        self._callbacks = (STEP(self._log.step), HAZARD(self._log.hazard))
        self._earlier = 0                            # assumptions of a state that was loaded
        self._next: Dict[str, int] = {"sbuf": 0, "psum": 0}
        self.last: Optional[Run] = None              # what the last `run` reported
        self._make()

    def _make(self) -> None:
        size = lib.dve_machine_size(ctypes.byref(self._config))
        room = np.zeros(size + _ALIGN, np.uint8)     # fresh zero pages, committed as they are touched
        start = -room.ctypes.data % _ALIGN
        self.block = room[start:start + size]        # all of the machine; views share it and keep it
        out = ctypes.c_void_p()
        status = lib.dve_machine_init(self.block.ctypes.data, size, ctypes.byref(self._config), ctypes.byref(out))
        if status:
            raise of_status(status, "", "Machine")
        self._handle = out.value
        self._memory: Dict[str, Array] = {}
        self._written: Dict[str, Array] = {}
        for name, space in _SPACES.items():
            active = ctypes.c_uint32()
            places = [lib.dve_machine_bytes(self._handle, space, p, ctypes.byref(active)) for p in range(2)]
            maps = [lib.dve_machine_written(self._handle, space, p) for p in range(2)]
            self._memory[name] = self._array(places[0], (C.LANES, active.value), np.uint8, (places[1] - places[0], 1))
            self._written[name] = self._array(maps[0], (C.LANES, active.value // 8), np.uint8, (maps[1] - maps[0], 1))

    def _array(self, address: int, shape: Sequence[int], dtype: Any, strides: Any = None) -> Array:
        """Part of the machine as an array that keeps it alive."""
        return np.ndarray(tuple(shape), dtype, self.block, address - self.block.ctypes.data, strides)

    @property
    def gen(self) -> str:
        return str(self._info.name)

    @property
    def gen_number(self) -> int:
        return int(self._info.number)

    @property
    def settings(self) -> Dict[str, str]:
        return {row.id: row.values.split()[self._config.settings.value[i]]
                for i, row in enumerate(isa.assumptions()) if row.values}

    def __repr__(self) -> str:
        return f"<Machine {self.gen}>"

    # ---- memory ----

    def memory(self, space: str) -> Array:
        """All active bytes [128, bytes of a partition], without a copy."""
        return self._memory[_space(space)]

    def written_map(self, space: str) -> Array:
        """One bit per byte of `memory`: whether anything wrote it. Bit b of byte i is that of byte 8 i + b."""
        return self._written[_space(space)]

    @property
    def sbuf(self) -> Array:
        return self._memory["sbuf"]

    @property
    def psum(self) -> Array:
        return self._memory["psum"]

    def tile(self, shape: Sequence[int], dtype: Any = "fp32", space: str = "sbuf", partition: int = 0,
             offset: Optional[int] = None) -> Tile:
        """A contiguous tile [partitions, ...]. Without `offset` behind all that was placed so before."""
        kind = dtypes.kind_of(dtype)
        if not isinstance(shape, (tuple, list, np.ndarray)):
            raise wrong("Machine.tile", "shape", shape, "a tuple of integers", "shape")
        shape = tuple(whole("Machine.tile", "shape", n) for n in shape)
        partition = whole("Machine.tile", "partition", partition)
        offset = offset if offset is None else whole("Machine.tile", "offset", offset)
        active = self.memory(space).shape[1]
        if not shape or min(shape) < 1 or not 0 <= partition < C.LANES or shape[0] > C.LANES - partition:
            raise UsageError(operation="Machine.tile", given=f"has shape {shape} from partition {partition}",
                             allowed=f"1..{C.LANES} partitions, of {C.LANES}, and no empty axis", rule="partitions")
        bytes_each = int(np.prod(shape[1:], dtype=np.int64)) * dtypes.SIZES[kind]
        at = self._next[space] if offset is None else offset
        if at < 0 or at + bytes_each > active:
            raise UsageError(operation="Machine.tile", given=f"takes bytes {at}..{at + bytes_each - 1} of a partition",
                             allowed=f"0..{active - 1} in {space} of {self.gen}", rule="walk_in_partition")
        if offset is None:
            self._next[space] = (at + bytes_each + _ALIGN - 1) // _ALIGN * _ALIGN
        strides = [int(np.prod(shape[i + 1:], dtype=np.int64)) for i in range(1, len(shape))]
        return Tile(self, space, partition, at, kind, shape, strides)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Tiles that are placed inside are forgotten at its end: their bytes are given out again."""
        before = dict(self._next)
        try:
            yield
        finally:
            self._next = before

    def put(self, array: Any, dtype: Any = None, space: str = "sbuf", partition: int = 0,
            offset: Optional[int] = None) -> Tile:
        """Places an array [partitions, ...] and answers its tile. `dtype` names what raw bits are."""
        array = np.asarray(array)
        tile = self.tile(array.shape, dtypes.kind_of(array.dtype) if dtype is None else dtype, space, partition, offset)
        tile.put(array)
        return tile

    def get(self, partitions: int, elements: int, dtype: Any = "fp32", space: str = "sbuf", partition: int = 0,
            offset: int = 0) -> Array:
        """A copy of `elements` contiguous elements of each partition."""
        return self.tile((partitions, elements), dtype, space, partition, offset).get()

    def tensors(self, program: Program) -> Dict[str, Tile]:
        """The tensors that a program names, as tiles."""
        return {t.name: self.tile((t.partitions, t.elements), t.dtype, t.space, t.partition, t.offset)
                for t in program.tensors.values()}

    # ---- hidden state, without a copy ----

    def _lanes(self, member: str, shape: Sequence[int]) -> Array:
        first, second = (lib.dve_machine_lane(self._handle, lane) for lane in range(2))
        place = getattr(S.lane_state, member).offset
        dtype = np.uint8 if member == "matched" else np.uint32
        strides = (second - first, 4)[:1 + len(shape)]
        return self._array(first + place, (C.LANES, *shape), dtype, strides)

    @property
    def keys(self) -> Array:
        """Match values [128, 8], as fp32 bits."""
        return self._lanes("key", (8,))

    @property
    def flops(self) -> Array:
        """Index flops [128, 8]."""
        return self._lanes("flop", (8,))

    @property
    def accumulators(self) -> Array:
        """Lane accumulators [128], as fp32 bits."""
        return self._lanes("accumulator", ())

    @property
    def shuffle_mask(self) -> Array:
        return self._array(lib.dve_machine_mask(self._handle), (C.LOWER_LANES,), np.uint8)

    @property
    def semaphores(self) -> Array:
        return self._array(lib.dve_machine_semaphores(self._handle), (C.SEMAPHORES,), np.uint32)

    @property
    def registers(self) -> Array:
        return self._array(lib.dve_machine_registers(self._handle), (C.ADDR_REGISTERS,), np.uint32)

    @property
    def assumptions(self) -> Tuple[str, ...]:
        """Ids of the assumptions that the machine's state rests on."""
        return isa.names_of(self._earlier | lib.dve_machine_assumptions(self._handle))

    def reset(self) -> None:
        """Forgets everything but the configuration. Bytes that were changed through views and never marked stay."""
        with self._alone():
            lib.dve_machine_reset(self._handle)
            self._earlier, self.last, self._executed = 0, None, 0
            self._next = {"sbuf": 0, "psum": 0}

    # ---- execution ----

    @property
    def records_left(self) -> Optional[int]:
        """How many records max_records still lets run; None without a limit."""
        return max(0, self._config.max_records - self._executed) if self._config.max_records else None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise UsageError(operation="Machine", given="is running in another thread", allowed="one thread at a time",
                             rule="threads")
        try:
            yield
        finally:
            self._busy.release()

    def run(self, records: Any, observe: bool = True) -> Run:
        """Executes records in order and reports. A refused record changes nothing, nothing after it runs, and
        `Refused` is raised, whose `run` is what ran before. Without `observe` steps are not reported."""
        records = Records(records)
        stop = S.stop()
        counted = bool(self._config.max_records and self._config.skip_control)   # skipped ones are not in the budget
        with self._alone():
            self._log.begin()
            observer = S.observer(None, *(ctypes.cast(c, ctypes.c_void_p).value for c in self._callbacks))
            if not observe and not counted:
                observer.step = None
            lib.dve_machine_set_observer(self._handle, ctypes.byref(observer))
            before = lib.dve_machine_next_record(self._handle)
            status = lib.dve_machine_run(self._handle, records.bytes, len(records), ctypes.byref(stop))
            steps, hazards = self._log.end()
            self._executed += lib.dve_machine_next_record(self._handle) - before - sum(step[5] for step in steps)
            self.last = Run(self._info, records, steps if observe else [], hazards)
        if status:
            error = of_stop(stop, status, self._info.number)
            error.run = self.last
            raise error
        return self.last

    # ---- state files ----

    def state(self) -> bytes:
        """Everything that the machine holds, in the format of docs/state-file.md."""
        parts: List[bytes] = []

        def take(_: Any, data: int, size: int) -> int:
            parts.append(ctypes.string_at(data, size))
            return 0

        with self._alone():
            used = self._earlier | lib.dve_machine_assumptions(self._handle)
            status = lib.dve_state_save(self._handle, used, STATE_SINK(take), None)
        if status:
            raise of_status(status, "", "Machine.state")
        return b"".join(parts)

    def save_state(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes `state` to a file, which appears whole or not at all."""
        target = Path(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            temporary.write_bytes(self.state())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)

    @classmethod
    def from_state(cls, state: Union[bytes, str, "os.PathLike[str]"], gen: Optional[isa.Gen] = None,
                   **config: Any) -> "Machine":
        """A machine that goes on where a state ended. Without `gen` that of the state; other settings than the
        state's are refused."""
        name = "state" if isinstance(state, bytes) else str(state)
        try:
            data = state if isinstance(state, bytes) else Path(state).read_bytes()
        except (OSError, TypeError, ValueError) as why:
            raise wrong("Machine.from_state", "state", state, f"bytes, or a file that can be read ({why})", "file",
                        InputError) from None
        if gen is None:
            number = int.from_bytes(data[12:16], "little")
            gen = number if C.GEN_FIRST <= number <= C.GEN_LAST else C.GEN_DEFAULT
        machine = cls(gen, **config)
        used, error = ctypes.c_uint64(), S.error()
        status = lib.dve_state_parse(data, len(data), name.encode(), machine._handle, ctypes.byref(used),
                                     ctypes.byref(error))
        if status:
            refused = of_status(status, error.text.decode(errors="replace"), "Machine.from_state")
            refused.operand, refused.allowed, refused.rule = "state", "a state of docs/state-file.md for this machine", "state"
            raise refused
        machine._earlier = used.value
        for space in _SPACES:                        # new tiles go behind what is there
            taken = np.nonzero(machine.written_map(space).any(axis=0))[0]
            if taken.size:
                machine._next[space] = (8 * int(taken[-1]) + 8 + _ALIGN - 1) // _ALIGN * _ALIGN
        return machine


def _choice(name: str, value: str, words: Sequence[str]) -> int:
    return words.index(word("Machine", name, value, words))


def _simd(name: str) -> int:
    """A level by name; where the environment names one that this host lacks, the best."""
    levels = [lib.dve_simd_name(level).decode() for level in range(C.SIMD_LEVELS) if lib.dve_simd_supported(level)]
    if name == "best" and os.environ.get("OPENDVE_SIMD") in levels:
        name = os.environ["OPENDVE_SIMD"]
    _choice("simd", name, levels)
    return next(level for level in range(C.SIMD_LEVELS) if lib.dve_simd_name(level).decode() == name)


def _space(space: str) -> str:
    return word("Machine", "space", space, tuple(_SPACES))


_thread = threading.local()


def default_machine() -> Machine:
    """The machine of this thread that functions use which are given arrays and no machine: gen3, all defaults."""
    if not hasattr(_thread, "machine"):
        _thread.machine = Machine()
    machine: Machine = _thread.machine
    return machine


__all__ = ["Machine", "InputError", "default_machine"]
