# SPDX-License-Identifier: Apache-2.0
"""The instruction set as the library's tables have it: generations, opcodes, data types, assumptions, rules.

>>> generation("trn2").name, generation(4).clock_mhz
('gen3', 1200)
>>> opcode("max8").value, opcode(0x6c).name
(108, 'Max8')
>>> [d.name for d in dtypes() if d.bytes == 2]
['int16', 'uint16', 'bf16', 'fp16']
"""
from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Dict, Iterator, List, Tuple, Union

from ._arguments import wrong
from ._library import C, lib, table
from .errors import UsageError

Gen = Union[int, str]
_GENERATIONS = "2..5, gen2..gen5, or an alias"


def plain(row: Any) -> SimpleNamespace:
    """A row with text as str."""
    members = {}
    for name, *_ in row._fields_:
        value = getattr(row, name)
        members[name] = value.decode() if isinstance(value, bytes) else value
    return SimpleNamespace(**{name: value for name, value in members.items() if not name.startswith("_")})


def _rows(name: str) -> List[SimpleNamespace]:
    if name not in _plain:
        _plain[name] = [plain(row) for row in table(name)]
    return list(_plain[name])


_plain: Dict[str, List[SimpleNamespace]] = {}


def generations() -> List[SimpleNamespace]:
    return _rows("isa_generations")


def opcodes() -> List[SimpleNamespace]:
    return _rows("isa_opcodes")


def dtypes() -> List[SimpleNamespace]:
    return _rows("isa_dtypes")


def enums() -> List[SimpleNamespace]:
    return _rows("isa_enums")


def rules() -> List[SimpleNamespace]:
    return _rows("isa_rules")


def assumptions() -> List[SimpleNamespace]:
    """Readings that sources leave open; those with `values` are settings of a Machine."""
    return _rows("isa_assumptions")


def operations() -> List[SimpleNamespace]:
    """What `lower` takes."""
    return _rows("lower_operations")


def generation(gen: Gen) -> SimpleNamespace:
    """A generation by number, name or alias."""
    if not isinstance(gen, (int, str)):
        raise wrong("generation", "gen", gen, _GENERATIONS, "generation")
    return _generation(gen)


@lru_cache(maxsize=64)
def _generation(gen: Gen) -> SimpleNamespace:
    found = lib.dve_generation(gen) if isinstance(gen, int) and 0 <= gen < 256 else \
        lib.dve_generation_by_name(str(gen).encode(errors="replace"))
    if not found:
        raise wrong("generation", "gen", gen, _GENERATIONS, "generation")
    return plain(found[0])


def opcode(name: Union[int, str]) -> SimpleNamespace:
    """An opcode by number, mnemonic or name."""
    found = lib.dve_opcode(name) if isinstance(name, int) and 0 <= name < 256 else \
        lib.dve_opcode_by_mnemonic(str(name).encode(errors="replace"))
    if found:
        return plain(found[0])
    for row in opcodes():
        if row.name == name:
            return row
    raise wrong("opcode", "opcode", name, "a mnemonic, or a number of the tables", "opcode")


def names_of(bits: int) -> Tuple[str, ...]:
    """Ids of a set of assumptions."""
    return tuple(row.id for i, row in enumerate(assumptions()) if bits >> i & 1)


def settings(chosen: Dict[str, str]) -> Iterator[Tuple[int, int]]:
    """(assumption, reading) of each NAME=VALUE."""
    if not chosen:
        return
    known = {row.id: (i, row.values.split()) for i, row in enumerate(assumptions()) if row.values}
    for name, value in chosen.items():
        if name not in known:
            raise UsageError(operation="Machine", operand=name, given="was given", allowed=", ".join(sorted(known)),
                             rule="settings")
        number, words = known[name]
        if str(value) not in words:
            raise UsageError(operation="Machine", operand=name, given=f"is {value!r}", allowed=" or ".join(words),
                             rule="settings")
        yield number, words.index(str(value))


DEFAULT_GEN: int = C.GEN_DEFAULT
