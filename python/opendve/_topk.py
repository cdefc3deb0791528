# SPDX-License-Identifier: Apache-2.0
"""Top-k by instruction records: the library's plan, over any axis of an array.

>>> values, indices = topk(np.array([3, 1, 4, 1, 5, 9, 2, 6], np.float32), 3)
>>> values, indices
(array([9., 6., 5.], dtype=float32), array([5, 7, 4], dtype=uint32))
>>> argmax(np.array([[1, 7, 7], [5, 2, 3]], np.int32))
array([1, 0])
"""
from __future__ import annotations

import ctypes
import threading
import weakref
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from . import dtypes, isa
from ._arguments import real, whole, word, wrong
from ._library import C, S, TOPK_HAZARD, lib
from ._refusals import of_status, of_stop
from .dtypes import Array
from .errors import UsageError
from .machine import Machine
from .records import Records

ABSENT = 0xffffffff              # the index beside a value that stands nowhere in the row
_METHODS = {"find": C.TOPK_FIND, "replace-indices": C.TOPK_REPLACE_INDICES}
_SMALL = 1 << 16                 # elements of a batch that are not worth waking threads for
_local = threading.local()


@dataclass(frozen=True)
class TopkHazard:
    """What may surprise about a row; where `alters`, results can differ from a sort."""

    kind: str
    alters: bool
    row: int
    columns: Tuple[int, ...]
    count: int
    value: int
    round: Optional[int]


class TopK:
    """Result of `topk`: unpacks to values and indices."""

    def __init__(self, values: Array, indices: Array, hazards: Tuple[TopkHazard, ...]) -> None:
        self.values, self.indices, self.hazards = values, indices, hazards

    def __iter__(self) -> Iterator[Array]:
        return iter((self.values, self.indices))

    def __repr__(self) -> str:
        return f"TopK(values={self.values!r}, indices={self.indices!r})"


class Plan:
    """The plan of one shape: records and the steps around them. Constant, and shared by threads."""

    def __init__(self, options: Any) -> None:
        self.options = options
        out, error = ctypes.c_void_p(), S.error()
        status = lib.dve_plan_new(ctypes.byref(options), ctypes.byref(out), ctypes.byref(error))
        if status:
            refused = of_status(status, error.text.decode(errors="replace"), "topk")
            text = refused.given.lower()
            refused.operand = next((name for name in ("replace", "method", "k") if name in text.split()), "method")
            refused.allowed, refused.rule = refused.allowed or text.rpartition("allowed")[2].strip() or text, "plan"
            raise refused
        self.handle = out.value
        weakref.finalize(self, lib.dve_plan_free, self.handle)

    @property
    def records(self) -> Records:
        count = ctypes.c_size_t()
        first = lib.dve_plan_records(self.handle, ctypes.byref(count))
        return Records(ctypes.string_at(first, count.value * C.RECORD_BYTES))


@lru_cache(maxsize=16)
def _plan(rows: int, columns: int, k: int, kind: str, method: str, gen: int, replace: float,
          settings: Tuple[Tuple[str, str], ...]) -> Plan:
    return Plan(_options(rows, columns, k, kind, method, gen, replace, dict(settings)))


def _options(rows: int, columns: int, k: int, kind: str, method: str, gen: int, replace: float,
             settings: Dict[str, str]) -> Any:
    options = S.topk_options()
    lib.dve_topk_defaults(ctypes.byref(options))
    options.gen, options.dtype, options.method = gen, dtypes.CODES[kind], _METHODS[method]
    options.rows, options.columns = rows, columns
    options.k = k
    options.replace = int(np.array(replace, np.float32).view(np.uint32))
    for number, reading in isa.settings(settings):
        options.settings.value[number] = reading
    return options


def _machine(gen: int, threads: int, settings: Tuple[Tuple[str, Any], ...]) -> Machine:
    """A machine of this thread, kept: what it did before does not matter."""
    key = (gen, threads, settings)
    kept: Dict[Any, Machine] = _local.__dict__.setdefault("machines", {})
    if key not in kept:
        if len(kept) >= 4:                           # each holds the pages that it touched
            kept.clear()
        kept[key] = Machine(gen, threads=threads, **dict(settings))
    return kept[key]


def _hazards(plan: Plan, rows: Array, values: Array) -> Tuple[TopkHazard, ...]:
    found: List[TopkHazard] = []

    def take(_: Any, hazard: Any) -> None:
        h = hazard.contents
        found.append(TopkHazard(lib.dve_topk_hazard_name(h.kind).decode(), bool(lib.dve_topk_hazard_alters(h.kind)), h.row,
                                tuple(h.columns[:h.listed]), h.count, h.value,
                                None if h.round == 0xffffffffffffffff else h.round))

    status = lib.dve_topk_hazards(ctypes.byref(plan.options), rows.ctypes.data, values.ctypes.data, None, None,
                                  TOPK_HAZARD(take), None)
    if status:
        raise of_status(status, "", "topk")
    return tuple(found)


def _run(rows: Array, k: int, kind: str, method: str, gen: isa.Gen, replace: float, threads: int, hazards: bool,
         settings: Dict[str, str]) -> Tuple[Array, Array, Tuple[TopkHazard, ...]]:
    number = isa.generation(gen).number
    chosen = tuple(sorted(settings.items()))
    plan = _plan(rows.shape[0], rows.shape[1], k, kind, method, number, replace, chosen)
    values = np.empty((rows.shape[0], k), rows.dtype)
    indices = np.empty((rows.shape[0], k), np.uint32)
    small = min(rows.shape[0], C.LANES) * rows.shape[1] < _SMALL
    machine = _machine(number, 1 if small else threads, chosen)
    stop, error = S.stop(), S.error()
    with machine._alone():                           # pylint: disable=protected-access
        status = lib.dve_plan_run(plan.handle, machine._handle, rows.ctypes.data, values.ctypes.data,
                                  indices.ctypes.data, ctypes.byref(stop), ctypes.byref(error))
    if status and stop.reason != C.REFUSED_NOT:
        raise of_stop(stop, status, number)
    if status:
        raise of_status(status, error.text.decode(errors="replace"), "topk")
    return values, indices, _hazards(plan, rows, values) if hazards else ()


def _named(operand: str, act: Callable[[], Any]) -> Any:
    """What `act` answers; its errors are about an argument of topk."""
    try:
        return act()
    except UsageError as error:
        error.operation, error.operand = "topk", operand
        raise


def topk(x: Any, k: int, axis: int = -1, method: str = "find", *, dtype: Any = None, gen: isa.Gen = C.GEN_DEFAULT,
         replace: float = float("-inf"), threads: int = 0, hazards: bool = False, **settings: str) -> TopK:
    """The k largest along an axis, found by records that run on the model: values in x's data type and uint32
    indices, value descending, then position ascending.

    `dtype` names what raw bits are ("bf16", "fp8_e4m3"). `method` is "find", or "replace-indices" (gen3 and later, up
    to 16384 elements). With `hazards` the result's hazards say what may surprise: NaN, the marker among the data,
    ties at the cut. Without a hazard that alters, the result equals a sort."""
    array = x if isinstance(x, np.ndarray) else np.asarray(x)
    kind = _named("x" if dtype is None else "dtype", lambda: dtypes.kind_of(array.dtype if dtype is None else dtype))
    if array.ndim == 0:
        raise wrong("topk", "x", array, "an array of 1 axis at least", "axes")
    axis = whole("topk", "axis", axis, -array.ndim, array.ndim - 1, rule="axis") % array.ndim
    if array.shape[axis] == 0:
        raise wrong("topk", "x", array, "1 element at least in each row", "columns")
    k = whole("topk", "k", k, 1, array.shape[axis], rule="k")
    threads = whole("topk", "threads", threads, 0, 1024)
    settings = {name: str(value) for name, value in settings.items()}
    word("topk", "method", method, tuple(_METHODS))
    replace = real("topk", "replace", replace)
    at_end = axis == array.ndim - 1
    last = array if at_end else np.moveaxis(array, axis, -1)
    bits = np.ascontiguousarray(_named("x", lambda: dtypes.bits_of(last, kind, "topk")))
    rows = bits.reshape(-1, last.shape[-1])
    shape = last.shape[:-1] + (k,)
    found: Tuple[TopkHazard, ...] = ()
    if rows.shape[0] == 0:
        values, indices = np.empty((0, k), rows.dtype), np.empty((0, k), np.uint32)
    else:
        values, indices, found = _run(rows, k, kind, method, gen, replace, threads, hazards, settings)
    if values.dtype != array.dtype:
        values = values.astype(array.dtype) if array.dtype.kind in "fiu" else values.view(array.dtype)
    values, indices = values.reshape(shape), indices.reshape(shape)
    if not at_end:
        values, indices = np.moveaxis(values, -1, axis), np.moveaxis(indices, -1, axis)
    return TopK(values, indices, found)


def argmax(x: Any, axis: Optional[int] = -1, **options: Any) -> Any:
    """Where the largest element stands, the first of equal ones; NaN never counts, and -1 says that there is nothing
    else. `axis` None takes the array as one row."""
    array = np.asarray(x)
    if axis is not None and array.ndim:
        axis = whole("topk", "axis", axis, -array.ndim, array.ndim - 1, rule="axis")
    if axis is None:
        array, axis = array.reshape(-1), 0
    found = topk(array, 1, axis, **options).indices.take(0, axis=axis)
    return np.where(found == ABSENT, -1, found.astype(np.int64)).astype(np.intp)[()]
