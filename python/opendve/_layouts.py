# SPDX-License-Identifier: Apache-2.0
"""Structures of libopendve, made from the tables of layouts that the library itself holds (opendve/layout.h)."""
from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Tuple, Type


class Row(ctypes.Structure):
    """A row of that table: the one structure whose layout has to be known before anything can be read."""

    _fields_ = [("structure", ctypes.c_char_p), ("member", ctypes.c_char_p), ("of", ctypes.c_char_p),
                ("kind", ctypes.c_uint32), ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32),
                ("count", ctypes.c_uint32)]


class ConstantRow(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_int64)]


STRUCTURE, UNSIGNED, SIGNED, FLOAT, TEXT, POINTER, MEMBER = range(7)
_UNSIGNED = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}
_SIGNED = {1: ctypes.c_int8, 2: ctypes.c_int16, 4: ctypes.c_int32, 8: ctypes.c_int64}
_FLOAT = {4: ctypes.c_float, 8: ctypes.c_double}


def table(function: Any, row: Type[ctypes.Structure]) -> List[Any]:
    """All rows of a function that answers a table and writes the number of its rows."""
    function.restype = ctypes.POINTER(row)
    function.argtypes = [ctypes.POINTER(ctypes.c_size_t)]
    count = ctypes.c_size_t()
    first = function(ctypes.byref(count))
    return [first[i] for i in range(count.value)]


def _type_of(row: Row, made: Dict[str, Any]) -> Any:
    of = row.of.decode()
    if row.kind == POINTER:
        one: Any = ctypes.c_char_p if of == "char" else ctypes.POINTER(made[of]) if of else ctypes.c_void_p
    elif row.kind == MEMBER:
        one = made[of]
    elif row.kind == TEXT:
        return ctypes.c_char * row.count
    else:
        numbers: Dict[int, Dict[int, Any]] = {UNSIGNED: _UNSIGNED, SIGNED: _SIGNED, FLOAT: _FLOAT}
        one = numbers[row.kind][row.size]
    return one * row.count if row.count > 1 else one


def _fields(rows: List[Row], size: int, made: Dict[str, Any]) -> Tuple[List[Tuple[str, Any]], List[str]]:
    """Fields with every gap spelled out, so that ctypes has nothing to decide; members of a union share a place."""
    places: Dict[int, List[Row]] = {}
    for row in rows:
        places.setdefault(row.offset, []).append(row)
    fields: List[Tuple[str, Any]] = []
    anonymous = []
    end = 0
    for offset in sorted(places):
        if offset > end:
            fields.append((f"_gap{end}", ctypes.c_uint8 * (offset - end)))
        members = [(row.member.decode(), _type_of(row, made)) for row in places[offset]]
        if len(members) == 1:
            fields.append(members[0])
        else:
            union = type("Union", (ctypes.Union,), {"_pack_": 1, "_layout_": "ms", "_fields_": members})
            anonymous.append(f"_union{offset}")
            fields.append((anonymous[-1], union))
        end = offset + ctypes.sizeof(fields[-1][1])
    if size > end:
        fields.append((f"_gap{end}", ctypes.c_uint8 * (size - end)))
    return fields, anonymous


def structures(rows: List[Row]) -> Dict[str, Any]:
    """Name to ctypes.Structure, of every structure of the table."""
    members: Dict[str, List[Row]] = {}
    sizes: Dict[str, int] = {}
    for row in rows:
        name = row.structure.decode()
        if row.kind == STRUCTURE:
            sizes[name], members[name] = row.size, []
        else:
            members[name].append(row)
    made: Dict[str, Any] = {name: type(name, (ctypes.Structure,), {"_pack_": 1, "_layout_": "ms"}) for name in sizes}
    done = set()

    def finish(name: str) -> None:
        if name in done:
            return
        done.add(name)
        for row in members[name]:
            if row.kind == MEMBER:
                finish(row.of.decode())
        fields, made[name]._anonymous_ = _fields(members[name], sizes[name], made)
        made[name]._fields_ = fields

    for name in sizes:
        finish(name)
    return made
