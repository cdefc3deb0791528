# SPDX-License-Identifier: Apache-2.0
"""Records of 64 bytes: fields, text, legality, explanation.

>>> program = assemble('''.dve 1
... .tensor x sbuf[0]+0x0:fp32[12]
... .tensor y sbuf[0]+0x40:fp32[8]
... max8 src=x dst=y+28[-1:8] num_active_channels=1''')
>>> program[0].mnemonic, program[0].fields["src_num0"], len(program.bytes)
('max8', 12, 64)
>>> assemble(disassemble(program)).bytes == program.bytes
True
>>> verdict, = check(program[0].replace(num_active_channels=129))
>>> print(verdict.broken[0].text)
record 0 Max8: num_active_channels (byte 34) is 129, allowed 1..128 [s4d2_bn_channels]
"""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import isa
from ._arguments import shown, whole, wrong
from ._library import C, S, lib, say, table
from ._refusals import Broken, all_broken
from .dtypes import Array
from .errors import AssemblyError, InputError, UsageError

SIZE: int = C.RECORD_BYTES


@lru_cache(maxsize=None)
def _fields(format_number: int) -> Dict[str, Any]:
    """Rows of a format's fields by name."""
    row = table("isa_formats")[format_number]
    fields = table("isa_fields")[row.first_field:row.first_field + row.fields]
    return {field.name.decode(): field for field in fields}


@lru_cache(maxsize=None)
def _operands(format_number: int) -> Dict[str, Any]:
    row = table("isa_formats")[format_number]
    return {o.name.decode(): o for o in table("isa_operands")[row.first_operand:row.first_operand + row.operands]}


def _value(insn: Any, field: Any) -> int:
    value: int = sum(int(insn.value[field.slot + i]) << 32 * i for i in range(field.slots))
    if field.kind == C.KIND_INT and value >> (field.width - 1) & 1:
        value -= 1 << field.width
    return value


def _set(insn: Any, field: Any, value: int) -> None:
    name = field.name.decode()
    if not -(1 << field.width - 1) <= value < 1 << field.width:
        raise UsageError(operation="record", operand=name, given=f"is {shown(value)}", allowed=f"{field.width} bits",
                         rule="width")
    value &= (1 << field.width) - 1
    for i in range(field.slots):
        insn.value[field.slot + i] = value >> 32 * i & 0xffffffff


class Record:
    """One instruction: 64 bytes that never change."""

    __slots__ = ("bytes",)

    def __init__(self, data: Any) -> None:
        self.bytes = bytes(data)
        if len(self.bytes) != SIZE:
            raise InputError(operation="record", given=f"{len(self.bytes)} bytes were given", allowed=str(SIZE))

    @property
    def insn(self) -> Any:
        """The decoded structure of the library."""
        insn = S.insn()
        lib.dve_decode(ctypes.byref(S.record.from_buffer_copy(self.bytes)), ctypes.byref(insn))
        return insn

    @property
    def opcode(self) -> int:
        return self.bytes[0]

    @property
    def name(self) -> str:
        return say(lib.dve_opcode_text, self.opcode)

    @property
    def mnemonic(self) -> str:
        found = lib.dve_opcode(self.opcode)
        return str(found[0].mnemonic.decode()) if found else f"0x{self.opcode:02x}"

    @property
    def format(self) -> str:
        return str(table("isa_formats")[self.insn.format].name.decode())

    @property
    def fields(self) -> Dict[str, int]:
        """Every field's bits as a number, in the order of the record."""
        insn = self.insn
        return {name: _value(insn, field) for name, field in _fields(insn.format).items()}

    def replace(self, **fields: int) -> "Record":
        """The same record with other values in some fields."""
        insn = self.insn
        _fill(insn, fields)
        return _encode(insn)

    def text(self, gen: isa.Gen = C.GEN_DEFAULT) -> str:
        """Its line of .dve text."""
        return say(lib.dve_text_print, ctypes.byref(self.insn), isa.generation(gen).number, capacity=C.RECORD_TEXT)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.bytes == other.bytes

    def __hash__(self) -> int:
        return hash(self.bytes)

    def __repr__(self) -> str:
        return f"<Record {self.name}>"


def _fill(insn: Any, fields: Mapping[str, int]) -> None:
    known = _fields(insn.format)
    for name, value in fields.items():
        if name not in known:
            raise UsageError(operation="record", operand=name, given="is no field of "
                             + table("isa_formats")[insn.format].name.decode(), allowed=", ".join(known), rule="fields")
        _set(insn, known[name], whole("record", name, value, -(1 << 63), (1 << 64) - 1))


def _encode(insn: Any) -> Record:
    record = S.record()
    lib.dve_encode(ctypes.byref(insn), ctypes.byref(record))
    return Record(bytes(record.byte))


def make(opcode: Union[int, str], gen: isa.Gen = C.GEN_DEFAULT, **fields: Any) -> Record:
    """A record from its fields; an operand's name takes an access pattern as `lower` does.

    >>> make("max8", num_active_channels=3).bytes[:2].hex()
    '6c10'
    """
    row, number = isa.opcode(opcode), isa.generation(gen).number
    insn = S.insn()
    insn.format = row.format
    plain: Dict[str, int] = {"opcode": row.value, "inst_word_len": 16}
    operands = _operands(row.format)
    for name, value in fields.items():
        if name in operands:
            plain.update(_pattern(operands[name], value, row.format, number))
        else:
            plain[name] = value
    _fill(insn, plain)
    return _encode(insn)


def _walk(name: str, access: Any) -> None:
    """An access pattern has what a record takes of it."""
    needed = ("space", "partition", "offset", "dtype", "pattern")
    if not isinstance(access, Mapping) or not set(needed) <= set(access):
        raise wrong("record", name, access, f"an access pattern with {', '.join(needed)}", "access")
    if access["space"] not in ("sbuf", "psum"):
        raise wrong("record", name, access["space"], "sbuf or psum as its space", "space")
    for part, high in (("partition", C.LANES - 1), ("offset", 0xffffffff)):
        whole("record", name, access[part], 0, high, rule=part)
    if not isinstance(access["dtype"], str) or not lib.dve_dtype_by_name(access["dtype"].encode(errors="replace")):
        raise wrong("record", name, access["dtype"], "a data type by name", "dtype")
    if not isinstance(access["pattern"], (list, tuple)):
        raise wrong("record", name, access["pattern"], "a list of pairs [step, count] as its pattern", "pattern")
    for axis in access["pattern"]:
        if not isinstance(axis, (list, tuple)) or len(axis) != 2:
            raise wrong("record", name, axis, "a pair [step, count] in its pattern", "pattern")
        for part in axis:
            whole("record", name, part, rule="pattern")


def _pattern(operand: Any, access: Any, format_number: int, gen: int) -> Dict[str, int]:
    """Address, data type and walk of an operand."""
    name, dims = operand.name.decode(), operand.dims
    _walk(name, access)
    axes = [axis for axis in access["pattern"] if axis[1] != 1]
    if len(axes) > dims:
        raise UsageError(operation="record", operand=name, given=f"has {len(axes)} axes longer than 1",
                         allowed=f"at most {dims}, the record's dimensions", rule="dimensions")
    space = C.SPACE_PSUM if access["space"] == "psum" else C.SPACE_SBUF
    place = S.place(space=space, partition=int(access["partition"]), offset=int(access["offset"]))
    fields = {f"{name}_start_addr": lib.dve_place_addr(ctypes.byref(place), gen)}
    for d, (step, count) in enumerate(axes + [[1, 1]] * (dims - len(axes))):
        fields[f"{name}_step{d}"], fields[f"{name}_num{d}"] = step, count
    dtype = table("isa_fields")[operand.dtype_field].name.decode()
    fields[dtype] = lib.dve_dtype_by_name(access["dtype"].encode())[0].code
    return fields


class Records(Sequence[Record]):
    """A stream of records. `array` is the same bytes as [n, 64]."""

    def __init__(self, data: Any = b"") -> None:
        self.bytes = _bytes_of(data)

    @property
    def array(self) -> Array:
        return np.frombuffer(self.bytes, np.uint8).reshape(-1, SIZE)

    def __len__(self) -> int:
        return len(self.bytes) // SIZE

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> "Records": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Record, "Records"]:
        if isinstance(index, slice):
            return Records(self.array[index].tobytes())
        return Record(self.array[index].tobytes())

    def __iter__(self) -> Iterator[Record]:
        return (self[i] for i in range(len(self)))

    def __add__(self, other: Any) -> "Records":
        return Records(self.bytes + _bytes_of(other))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Records) and self.bytes == other.bytes

    def __hash__(self) -> int:
        return hash(self.bytes)

    def text(self, gen: isa.Gen = C.GEN_DEFAULT) -> str:
        return "".join(record.text(gen) + "\n" for record in self)

    def __repr__(self) -> str:
        names = [record.name for record in self[:8]]
        return f"<Records {', '.join(names)}{', ...' if len(self) > 8 else ''}>"


def _bytes_of(data: Any) -> bytes:
    if isinstance(data, (Record, Records)):
        return bytes(data.bytes)
    if isinstance(data, (list, tuple)):
        return b"".join(_bytes_of(part) for part in data)
    try:
        out = b"" if isinstance(data, (int, str)) else bytes(data)
    except TypeError:
        out = b""
    if isinstance(data, (int, str)) or not out and not hasattr(data, "__len__"):
        raise wrong("records", "records", data, "bytes, a Record, Records or a list of them", "records", InputError)
    if len(out) % SIZE:
        raise InputError(operation="records", given=f"{len(out)} bytes were given", allowed=f"a multiple of {SIZE}")
    return out


@dataclass(frozen=True)
class Tensor:
    """A named part of on-chip memory that a program declares."""

    name: str
    space: str
    partition: int
    partitions: int
    offset: int
    elements: int
    dtype: str


class Program(Records):
    """Assembled text: records, the generation that they are for, and named tensors."""

    def __init__(self, data: Any, gen: int, tensors: Iterable[Tensor]) -> None:
        super().__init__(data)
        self.gen = gen
        self.tensors = {tensor.name: tensor for tensor in tensors}


def _tensor(tensor: Any) -> Tensor:
    dtype = next(row.name for row in isa.dtypes() if row.code == tensor.dtype)
    space = "psum" if tensor.place.space == C.SPACE_PSUM else "sbuf"
    return Tensor(tensor.name.decode(), space, tensor.place.partition, tensor.partitions, tensor.place.offset,
                  tensor.elements, dtype)


def assemble(text: str, gen: Optional[isa.Gen] = None) -> Program:
    """Makes records of .dve text, version 1. All mistakes are reported together."""
    source, result = S.text_source(), S.text_result()
    lib.dve_text_begin(ctypes.byref(source), isa.generation(gen).number if gen is not None else 0)
    out, errors = [], []  # type: List[bytes], List[Tuple[int, int, str, str]]

    def judge(number: int, status: int) -> None:
        for i in range(min(result.errors, C.TEXT_ERRORS)):
            error = result.error[i]
            errors.append((number, error.column, error.message.decode(), error.hint.decode()))
        if status and not result.errors:
            errors.append((number, 0, f"status {status}", ""))

    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        data = (line[:-1] if line.endswith("\r") else line).encode(errors="surrogateescape")
        status = lib.dve_text_parse(ctypes.byref(source), data, len(data), ctypes.byref(result))
        judge(number, status)
        if source.ended:
            break
        if not status and result.kind == C.TEXT_RECORD:
            out.append(_encode(result.insn).bytes)
    else:
        judge(len(lines), lib.dve_text_end(ctypes.byref(source), ctypes.byref(result)))
    if errors:
        at, column, message, hint = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        problem = AssemblyError(f"{at}:{column}: {message}{'; ' + hint if hint else ''}{more}", operation="assemble",
                                operand=f"line {at}", given=message, allowed=hint)
        problem.errors = tuple(errors)
        raise problem
    tensors = [_tensor(source.tensor[i]) for i in range(source.tensors)]
    return Program(b"".join(out), source.gen or C.GEN_DEFAULT, tensors)


def disassemble(records: Any, gen: isa.Gen = C.GEN_DEFAULT) -> str:
    """.dve text that assembles to the same bytes."""
    name = isa.generation(gen).name
    return f".dve {C.TEXT_VERSION}\n.gen {name}\n" + Records(records).text(gen)


@dataclass(frozen=True)
class Verdict:
    """Whether a record is legal, and every rule that it breaks."""

    index: int
    record: Record
    broken: Tuple[Broken, ...]

    @property
    def legal(self) -> bool:
        return not self.broken

    def __bool__(self) -> bool:
        return self.legal


def check(records: Any, gen: isa.Gen = C.GEN_DEFAULT) -> List[Verdict]:
    """Judges every record on a generation."""
    number = isa.generation(gen).number
    diags = (S.diag * C.MAX_DIAGS)()
    out = []
    for index, record in enumerate(Records(records)):
        insn = record.insn
        count = lib.dve_check(ctypes.byref(insn), number, diags, C.MAX_DIAGS)
        out.append(Verdict(index, record, all_broken(index, insn, diags, count)))
    return out
