# SPDX-License-Identifier: Apache-2.0
"""What the library's tables say about an opcode or a record.

`opendve explain` of the program adds a bit ruler and a worked example; these are the program's own.

>>> told = explain("max8")
>>> told.name, told.engine, told.executes, told.hazards[0]
('Max8', 'DVE', True, 'never-written')
>>> told.fields[-1].name
'reserved1'
"""
from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

from . import isa
from ._library import C, lib, say, table
from ._refusals import Broken
from .records import Record, Records, check


@dataclass(frozen=True)
class Field:
    """A field of a format; `text` is its value as .dve text has it, "" where no record is explained."""

    name: str
    byte: int
    bit: int
    width: int
    meaning: str
    unit: str
    source: str
    text: str


@dataclass(frozen=True)
class Explanation:
    opcode: int
    name: str
    mnemonic: str
    gen: str
    engine: str
    present: Tuple[str, ...]
    executes: bool
    format: str
    meaning: str
    effect: str
    reads: str
    writes: str
    fields: Tuple[Field, ...]
    rules: Tuple[Tuple[str, str], ...]
    hazards: Tuple[str, ...]
    notes: Tuple[str, ...]
    assumptions: Tuple[str, ...]
    cycles: Dict[int, int]
    record: Optional[Record]
    broken: Tuple[Broken, ...]

    def __str__(self) -> str:
        lines = [f"{self.name} (0x{self.opcode:02x}, {self.mnemonic}), {self.format}, on {self.gen}: {self.meaning}",
                 f"  engine       {self.engine}{'' if self.executes else '; not executed here'}",
                 f"  generations  {', '.join(self.present) or 'none'}"]
        lines += [f"  effect       {self.effect}"] if self.effect else []
        lines += [f"  reads        {self.reads}"] if self.reads else []
        lines += [f"  writes       {self.writes}"] if self.writes else []
        lines += [f"  hazards      {', '.join(self.hazards)}"] if self.hazards else []
        lines += [f"  assumptions  {', '.join(self.assumptions)}"] if self.assumptions else []
        lines += [f"  cycles       {count} at {n} elements (estimate)" for n, count in self.cycles.items() if count]
        lines += [f"  byte {f.byte:2}      {f.name}{'=' + f.text if f.text else ''}: {f.meaning}" for f in self.fields]
        lines += [f"  note         {note}" for note in self.notes]
        lines += [f"  broken       {b.text}" for b in self.broken]
        return "\n".join(lines)


def _fits(row: Any, format_number: int, opcode: int) -> bool:
    return row.format in (C.FORMAT_ANY, format_number) and row.opcode in (C.OPCODE_ANY, opcode)


def _told_fields(format_number: int, gen: int, record: Optional[Record]) -> List[Field]:
    row = table("isa_formats")[format_number]
    out = []
    for field in table("isa_fields")[row.first_field:row.first_field + row.fields]:
        if not lib.dve_marked(field.gens, gen):
            continue
        text = ""
        if record:
            text = say(lib.dve_text_field, ctypes.byref(record.insn), ctypes.byref(field), gen, capacity=C.RECORD_TEXT)
        plain = isa.plain(field)
        out.append(Field(plain.name, plain.byte, plain.bit, plain.width, plain.meaning, plain.unit, plain.source, text))
    return out


def explain(what: Union[int, str, bytes, Record], gen: isa.Gen = C.GEN_DEFAULT) -> Explanation:
    """Explains an opcode (a number or mnemonic) or one record, whose bytes may also be 128 hexadecimal digits."""
    record = None
    if isinstance(what, str) and re.fullmatch("(0x)?[0-9a-fA-F]{128}", what):
        what = bytes.fromhex(what[-128:])
    if isinstance(what, (bytes, bytearray, memoryview, Record, Records)):
        record = what if isinstance(what, Record) else Record(Records(what).bytes)
    generation = isa.generation(gen)
    number = generation.number
    if record and not lib.dve_opcode(record.opcode):
        row: Any = None
        opcode = record.opcode
    else:
        row = isa.opcode(record.opcode if record else what)  # type: ignore[arg-type]
        opcode = row.value
    form = record.insn.format if record else row.format
    effect = lib.dve_effect(opcode)
    told = isa.plain(effect[0]) if effect else None
    rules = [(rule.id.decode(), say(lib.dve_rule_allowed_text, ctypes.byref(rule))) for rule in table("isa_rules")
             if lib.dve_marked(rule.gens, number) and _fits(rule, form, opcode)]
    hazards = lib.dve_hazards_of_opcode(opcode)
    return Explanation(
        opcode, row.name if row else say(lib.dve_opcode_text, opcode), row.mnemonic if row else f"0x{opcode:02x}",
        generation.name, lib.dve_opcode_engine(opcode, number).decode(),
        tuple(g.name for g in isa.generations() if lib.dve_opcode_present(opcode, g.number)),
        bool(lib.dve_opcode_executes(opcode, number)), table("isa_formats")[form].name.decode(),
        row.meaning if row else "", told.effect if told else "", told.reads if told else "", told.writes if told else "",
        tuple(_told_fields(form, number, record)), tuple(rules),
        tuple(lib.dve_hazard_name(k).decode() for k in range(C.HAZARD_KINDS) if hazards >> k & 1),
        tuple(note.text.decode() for note in table("isa_notes") if _fits(note, form, opcode)),
        isa.names_of(lib.dve_assumptions_of_opcode(opcode)),
        {n: lib.dve_cost_cycles(opcode, number, n) for n in (64, 512, 4096, 16384)},
        record, check(record, gen)[0].broken if record else ())
