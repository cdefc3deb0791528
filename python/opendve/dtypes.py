# SPDX-License-Identifier: Apache-2.0
"""Kinds of elements, and NumPy's data types for them.

bf16 and the fp8 kinds have no type in NumPy: they travel as raw bits in uint16 and uint8, or as the types of
ml_dtypes where that package is installed.

>>> kind_of(np.float16), kind_of("bfloat16"), kind_of("fp8_e5m2")
('fp16', 'bf16', 'fp8_e5m2')
>>> carrier("bf16")
dtype('uint16')
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Dict, Optional

import numpy as np

from . import isa
from ._arguments import wrong
from .errors import UsageError

Array = np.ndarray[Any, np.dtype[Any]]
_NUMPY = {"fp32": np.float32, "fp32r": np.float32, "fp16": np.float16, "int8": np.int8, "uint8": np.uint8, "int16": np.int16,
          "uint16": np.uint16, "int32": np.int32, "uint32": np.uint32}
_OTHER_NAMES = {"bfloat16": "bf16", "float8_e5m2": "fp8_e5m2", "float8_e4m3": "fp8_e4m3", "float8_e4m3fn": "fp8_e4m3",
                "float8_e3m4": "fp8_e3m4", "tfloat32": "fp32r"}
_HELP = {"float64": ".astype(np.float32)", "int64": ".astype(np.int32)", "uint64": ".astype(np.uint32)",
         "bool": ".astype(np.uint8)"}
CODES: Dict[str, int] = {row.name: row.code for row in isa.dtypes()}
SIZES: Dict[str, int] = {row.name: row.bytes for row in isa.dtypes()}
KINDS = tuple(row.name for row in isa.dtypes() if 0 < row.bytes <= 4 and row.code < 16)    # what has elements in memory


def kind_of(dtype: Any) -> str:
    """The engine's name of a data type: "fp32", "bf16", ...; takes NumPy's types and names too."""
    try:
        return _kind_of(dtype)
    except TypeError:                                # nothing that can be looked up
        raise wrong("dtype", "dtype", dtype, ", ".join(KINDS), "dtype") from None


@lru_cache(maxsize=256)
def _kind_of(dtype: Any) -> str:
    name = dtype if isinstance(dtype, str) else np.dtype(dtype).name
    if name in KINDS:
        return name
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    try:
        wanted = np.dtype(name).newbyteorder("=")
    except TypeError:
        wanted = None
    for kind, numpy in _NUMPY.items():
        if wanted == np.dtype(numpy):
            return kind
    name = str(name)
    hint = f"; {_HELP[name]} makes one" if name in _HELP else ""
    raise UsageError(operation="dtype", given=f"{name} was given",
                     allowed=", ".join(KINDS) + hint, rule="dtype")


def typed(kind: str) -> Optional["np.dtype[Any]"]:
    """The type of ml_dtypes for a kind that NumPy lacks; None without that package."""
    try:
        import ml_dtypes  # type: ignore  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None
    for name, ours in _OTHER_NAMES.items():
        if ours == kind and name != "float8_e4m3fn" and hasattr(ml_dtypes, name):
            return np.dtype(getattr(ml_dtypes, name))
    return None


@lru_cache(maxsize=64)
def carrier(kind: str) -> "np.dtype[Any]":
    """NumPy's data type for the elements of a kind: its own, or one that holds the raw bits."""
    if kind in _NUMPY:
        return np.dtype(_NUMPY[kind])
    return np.dtype({1: np.uint8, 2: np.uint16, 4: np.uint32}[SIZES[kind]])


def bits_of(values: Any, kind: str, operation: str) -> Array:
    """An array as elements of a kind: its type is that kind's, or holds its raw bits."""
    array: Array = np.asarray(values)
    wanted = carrier(kind)
    if array.dtype is wanted:
        return array
    if array.dtype.newbyteorder("=") == wanted:
        return array.astype(wanted, copy=False)
    if array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize == wanted.itemsize:
        return array.view(wanted)                    # raw bytes, and the types of ml_dtypes
    if _OTHER_NAMES.get(array.dtype.name) == kind:
        return array.view(wanted)
    raise UsageError(operation=operation, given=f"an array of {array.dtype} was given",
                     allowed=f"{kind}, which is {wanted}" + ("" if kind in _NUMPY else " with raw bits"), rule="dtype")
