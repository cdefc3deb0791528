# SPDX-License-Identifier: Apache-2.0
"""Compiler instructions to records: the language of `opendve lower` (docs/lowering.md), as Python values.

>>> from opendve.records import disassemble
>>> scores = {"space": "sbuf", "partition": 0, "offset": 0, "dtype": "fp32", "pattern": [[1, 64]]}
>>> best = dict(scores, offset=1024, pattern=[[1, 8]])
>>> lower({"op": "Max", "channels": 128, "data": scores, "maxvals": best})
<Records Max8>
>>> lower({"op": "Max", "channels": 128, "data": dict(scores, pattern=[[1, 7]]), "maxvals": best})
Traceback (most recent call last):
opendve.errors.Refused: Max: data has 7 elements, allowed 8..16384 [data_count]
"""
from __future__ import annotations

import ctypes
import re
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, cast

from . import isa
from ._arguments import real, whole, wrong
from ._library import C, S, lib, table
from ._refusals import of_lowering
from .errors import InputError
from .records import Records

_COMMON = ("op", "channels")
_SCHEMA = "opendve.lower/1"
_BITS = re.compile("0x[0-9a-fA-F]{1,8}")
_NAMED = ("inf", "-inf", "nan")
_MEMBERS = ("space", "partition", "offset", "dtype", "pattern", "channels", "indirect")


def _wrong(op: str, operand: str, given: Any, allowed: str, rule: str = "kind") -> InputError:
    return cast(InputError, wrong(op, operand, given, allowed, rule, InputError))


def _operation(name: Any) -> Tuple[int, Any]:
    for number, row in enumerate(table("lower_operations")):
        if isinstance(name, str) and row.name.decode() == name:
            return number, row
    raise _wrong("lower", "op", name, ", ".join(row.name.decode() for row in table("lower_operations")), "op")


def _integer(op: str, operand: str, value: Any) -> int:
    return whole(op, operand, value, rule="kind", kind=InputError)


def _code(op: str, operand: str, value: Any, by_name: Any, code: Any) -> None:
    """A name, or an integer, which is the compiler's ordinal."""
    if isinstance(value, str):
        if "\0" in value or not by_name(value.encode(errors="replace"), ctypes.byref(code)):
            raise _wrong(op, operand, value, "a known name", "name")
    else:
        code.number, code.is_ordinal = _integer(op, operand, value), 1


class _Builder:
    """Fills one instruction; keeps alive what it points to."""

    def __init__(self, spec: Any, gen: int) -> None:
        if not isinstance(spec, Mapping):
            raise _wrong("lower", "instructions", spec, "an instruction, which is a mapping with its op")
        self.gen = gen
        self.op = str(spec.get("op"))
        self.number, self.row = _operation(spec.get("op"))
        self.instruction = S.lower_instruction()
        self.instruction.operation = self.number
        self.kept: List[Any] = []
        self.roles = {o.name.decode(): o for o in
                      table("lower_operands")[self.row.first_operand:self.row.first_operand + self.row.operands]}
        if "channels" not in spec:
            raise _wrong(self.op, "channels", None, "1..128", "missing")
        self.instruction.channels = _integer(self.op, "channels", spec["channels"])
        for name, value in spec.items():
            if name in _COMMON:
                continue
            if name not in self.roles:
                raise _wrong(self.op, str(name), value, "one of " + ", ".join(self.roles), "not_taken")
            operand = self.roles[name]
            self.fill(operand, name, value, self.instruction.operand[operand.operand])

    def fill(self, operand: Any, name: str, value: Any, out: Any) -> None:
        role = operand.role
        if role == C.ROLE_OPERATOR:
            out.kind = C.LOWER_CODE
            _code(self.op, name, value, lib.dve_lower_operator_by_name, out.code)
        elif role == C.ROLE_ACCUMULATE:
            out.kind = C.LOWER_CODE
            _code(self.op, name, value, lib.dve_lower_accumulate_by_name, out.code)
        elif role == C.ROLE_MODE:
            words = operand.words.decode().split()
            if not isinstance(value, str) or value not in words:
                raise _wrong(self.op, name, value, ", ".join(words), "mode")
            out.kind, out.integer = C.LOWER_INTEGER, words.index(value)
        elif role in (C.ROLE_FLAG, C.ROLE_COUNT):
            flag = int(value) if isinstance(value, bool) and role == C.ROLE_FLAG else value
            out.kind, out.integer = C.LOWER_INTEGER, _integer(self.op, name, flag)
        elif role == C.ROLE_LANES:
            self.mask(name, value, out)
        elif isinstance(value, Mapping) and "pattern" in value:
            out.kind = C.LOWER_TENSOR
            self.access(name, value, out.access)
        elif role == C.ROLE_TENSOR:
            raise _wrong(self.op, name, value, "an access pattern")
        else:
            self.scalar(name, value, out)

    def mask(self, name: str, value: Any, out: Any) -> None:
        if not isinstance(value, (list, tuple)):
            raise _wrong(self.op, name, value, "a list of 32 lane numbers")
        out.kind, out.mask.count = C.LOWER_MASK, len(value)
        for i, lane in enumerate(value[:C.LOWER_LANES]):
            out.mask.lane[i] = _integer(self.op, name, lane)

    def scalar(self, name: str, value: Any, out: Any) -> None:
        if isinstance(value, Mapping) and set(value) == {"bits"}:
            if not isinstance(value["bits"], str) or not _BITS.fullmatch(value["bits"]):
                raise _wrong(self.op, name, value, "0x and one to eight hexadecimal digits as its bits", "bits")
            out.kind, out.bits = C.LOWER_BITS, int(value["bits"], 16)
        elif isinstance(value, Mapping) and set(value) == {"reg"}:
            out.kind, out.integer = C.LOWER_REGISTER, _integer(self.op, name, value["reg"])
        elif isinstance(value, str) and value in _NAMED:
            out.kind, out.number = C.LOWER_NUMBER, float(value)
        else:
            out.kind = C.LOWER_NUMBER
            out.number = real(self.op, name, value, "a number, inf, -inf, nan, bits, a register or an access pattern",
                              InputError)

    def access(self, name: str, value: Any, out: Any, depth: int = 0) -> None:
        if not isinstance(value, Mapping):
            raise _wrong(self.op, name, value, "an access pattern")
        for member in _MEMBERS[:5]:
            if member not in value:
                raise _wrong(self.op, name, value, f"an access pattern with its {member}", "missing")
        for member in value:
            if member not in _MEMBERS:
                raise _wrong(self.op, name, value, f"one without {member}", "not_taken")
        if not isinstance(value["space"], str) or value["space"] not in ("sbuf", "psum"):
            raise _wrong(self.op, name, value["space"], "sbuf or psum as its space", "space")
        out.space = C.SPACE_PSUM if value["space"] == "psum" else C.SPACE_SBUF
        out.partition = _integer(self.op, name, value["partition"])
        out.offset = _integer(self.op, name, value["offset"])
        if "channels" in value:                      # 0 in the structure means none were given, and so is not passed on
            out.channels = whole(self.op, name, value["channels"], 1, rule="channels", kind=InputError)
        _code(self.op, name, value["dtype"], lib.dve_lower_dtype_by_name, out.dtype)
        self.pattern(name, value["pattern"], out)
        if "indirect" in value:
            if depth > 1:
                raise _wrong(self.op, name, value, "a list of indices that has none itself", "indirect")
            inner = S.lower_access()
            self.access(name, value["indirect"], inner, depth + 1)
            self.kept.append(inner)
            out.indirect = ctypes.pointer(inner)


    def pattern(self, name: str, value: Any, out: Any) -> None:
        if not isinstance(value, (list, tuple)):
            raise _wrong(self.op, name, value, "a list of pairs [step, count] as its pattern", "pattern")
        out.axes = len(value)
        for i, axis in enumerate(value):
            if not isinstance(axis, (list, tuple)) or len(axis) != 2:
                raise _wrong(self.op, name, axis, "a pair [step, count] in its pattern", "pattern")
            step, count = (_integer(self.op, name, part) for part in axis)
            if i < len(out.axis):
                out.axis[i].step, out.axis[i].count = step, count


def _lower_one(spec: Any, target: Any) -> bytes:
    builder = _Builder(spec, target.gen)
    room = (S.record * C.LOWER_MAX_RECORDS)()
    count, fault = ctypes.c_size_t(), S.lower_fault()
    status = lib.dve_lower(ctypes.byref(builder.instruction), ctypes.byref(target), room, C.LOWER_MAX_RECORDS,
                           ctypes.byref(count), ctypes.byref(fault))
    if status:
        raise of_lowering(fault, status)
    return bytes(room)[:count.value * C.RECORD_BYTES]


def _listed(given: Any) -> Iterable[Any]:
    """The instructions of one, of several, or of a file's whole object."""
    if isinstance(given, Mapping) and not {"schema", "instructions"} & set(given):
        return [given]
    if isinstance(given, Mapping):
        if given.get("schema", _SCHEMA) != _SCHEMA:
            raise _wrong("lower", "schema", given["schema"], _SCHEMA, "schema")
        for member in given:
            if member not in ("schema", "instructions"):
                raise _wrong("lower", str(member), given[member], "schema and instructions", "not_taken")
        given = given.get("instructions")
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise _wrong("lower", "instructions", given, "an instruction, or a list of them")
    return given


def lower(instructions: Union[Mapping[str, Any], Sequence[Mapping[str, Any]]], gen: isa.Gen = C.GEN_DEFAULT,
          settings: Optional[Dict[str, str]] = None) -> Records:
    """Records of one or several instructions. A refused one raises `Refused`, malformed ones `InputError`; whether the
    records are legal is `check`'s question."""
    many = _listed(instructions)
    target, chosen = S.lower_target(), S.settings()
    target.gen = isa.generation(gen).number
    for number, reading in isa.settings(settings or {}):
        chosen.value[number] = reading
    lib.dve_settings_num(ctypes.byref(chosen), ctypes.byref(target.num))
    return Records(b"".join(_lower_one(spec, target) for spec in many))
