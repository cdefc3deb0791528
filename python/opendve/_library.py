# SPDX-License-Identifier: Apache-2.0
"""Finds and loads libopendve, and says which functions of it this package calls.

ctypes.CDLL lets other Python threads run while the library works."""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, Iterator, Optional

from . import _layouts
from .errors import LibraryMissing

HERE = Path(__file__).resolve().parent
SONAME = "libopendve.so.0.1"


def candidates() -> Iterator[str]:
    """Where the library is looked for, in this order."""
    named = os.environ.get("OPENDVE_LIBRARY")
    if named:
        yield named
        return
    yield str(HERE / "_lib" / "libopendve.so")                          # installed with the package
    yield str(HERE.parent.parent / "build" / "release" / "libopendve.so")  # beside it in the source tree
    yield SONAME                                                        # wherever the system finds it


def _load() -> ctypes.CDLL:
    tried = []
    for path in candidates():
        if "/" in path and not os.path.exists(path):
            tried.append(f"{path}: not there")
            continue
        try:
            library = ctypes.CDLL(path)
            library.dve_layouts  # pylint: disable=pointless-statement
            return library
        except (OSError, AttributeError) as problem:
            tried.append(f"{path}: {problem}")
    raise LibraryMissing("libopendve was not found; build it (cmake --preset release && cmake --build --preset release), "
                         "or name it in OPENDVE_LIBRARY. Tried: " + "; ".join(tried))


lib = _load()
rows = _layouts.table(lib.dve_layouts, _layouts.Row)
S: Any = SimpleNamespace(**{name[4:]: made for name, made in _layouts.structures(rows).items()})
C: Any = SimpleNamespace(**{row.name.decode()[4:]: row.value
                            for row in _layouts.table(lib.dve_constants, _layouts.ConstantRow)})

_p = ctypes.POINTER
_text = ctypes.c_char_p
_any = ctypes.c_void_p
_u8, _u32, _u64, _int, _size = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int, ctypes.c_size_t
STEP = ctypes.CFUNCTYPE(None, _any, _p(S.step))
HAZARD = ctypes.CFUNCTYPE(None, _any, _p(S.hazard))
TOPK_HAZARD = ctypes.CFUNCTYPE(None, _any, _p(S.topk_hazard))
STATE_SINK = ctypes.CFUNCTYPE(_int, _any, _any, _size)

_prototypes: Dict[str, Any] = {
    # machine.h, host.h, state.h
    "machine_defaults": (None, _p(S.machine_config)),
    "machine_size": (_size, _p(S.machine_config)),
    "machine_init": (_int, _any, _size, _p(S.machine_config), _p(_any)),
    "machine_reset": (None, _any),
    "machine_set_observer": (None, _any, _p(S.observer)),
    "machine_run": (_int, _any, _any, _size, _p(S.stop)),
    "machine_next_record": (_u64, _any),
    "machine_assumptions": (_u64, _any),
    "machine_bytes": (_any, _any, _int, _u32, _p(_u32)),
    "machine_written": (_any, _any, _int, _u32),
    "machine_lane": (_any, _any, _u32),
    "machine_mask": (_any, _any),
    "machine_semaphores": (_any, _any),
    "machine_events": (_any, _any),
    "machine_registers": (_any, _any),
    "hazard_name": (_text, _int),
    "pool_new": (_any, ctypes.c_uint),
    "pool_free": (None, _any),
    "pool_run": (None, _any, _u32, _any, _any),
    "state_save": (_int, _any, _u64, STATE_SINK, _any),
    "state_parse": (_int, _any, _size, _text, _any, _p(_u64), _p(S.error)),
    # codec.h, check.h, isa.h
    "decode": (None, _p(S.record), _p(S.insn)),
    "encode": (None, _p(S.insn), _p(S.record)),
    "check": (_size, _p(S.insn), _u8, _p(S.diag), _size),
    "place_addr": (_u32, _p(S.place), _u8),
    "generation_by_name": (_p(S.generation_info), _text),
    "generation": (_p(S.generation_info), _u8),
    "opcode": (_p(S.opcode_info), _u8),
    "opcode_by_mnemonic": (_p(S.opcode_info), _text),
    "opcode_executes": (_int, _u8, _u8),
    "opcode_engine": (_text, _u8, _u8),
    "opcode_present": (_int, _u8, _u8),
    "effect": (_p(S.effect_info), _u8),
    "marked": (_int, _text, _u8),
    "cost_cycles": (_u64, _u8, _u8, _u64),
    "hazards_of_opcode": (_u32, _u8),
    "assumptions_of_opcode": (_u64, _u8),
    "dtype_by_name": (_p(S.dtype_info), _text),
    "settings_num": (None, _p(S.settings), _p(S.num_config)),
    "version": (_text,),
    "simd_supported": (_int, _u8),
    "simd_name": (_text, _u8),
    # text.h
    "text_begin": (None, _p(S.text_source), _u8),
    "text_parse": (_int, _p(S.text_source), _any, _size, _p(S.text_result)),
    "text_end": (_int, _p(S.text_source), _p(S.text_result)),
    "text_print": (_size, _p(S.insn), _u8, _any, _size),
    "text_field": (_size, _p(S.insn), _p(S.field_info), _u8, _any, _size),
    "diag_text": (_any, _u64, _p(S.insn), _p(S.diag), _any, _size),
    "diag_value_text": (_any, _p(S.insn), _p(S.diag), _any, _size),
    "diag_allowed_text": (_any, _p(S.insn), _p(S.diag), _any, _size),
    "rule_allowed_text": (_any, _p(S.rule_info), _any, _size),
    "severity_name": (_text, _int),
    "hazard_text": (_any, _p(S.hazard), _any, _size),
    "refusal_name": (_text, _int),
    "stop_text": (_any, _p(S.stop), _u8, _any, _size),
    "opcode_text": (_any, _u8, _any, _size),
    "lower_fault_text": (_any, _p(S.lower_fault), _any, _size),
    "lower_fault_found_text": (_any, _p(S.lower_fault), _any, _size),
    "lower_fault_allowed_text": (_any, _p(S.lower_fault), _any, _size),
    "lower_role_text": (_text, _int),
    # lower.h
    "lower": (_int, _p(S.lower_instruction), _p(S.lower_target), _p(S.record), _size, _p(_size), _p(S.lower_fault)),
    "lower_operand_name": (_text, _u32),
    "lower_assumptions": (_u64, _u32),
    "lower_dtype_by_name": (_int, _text, _p(S.lower_code)),
    "lower_operator_by_name": (_int, _text, _p(S.lower_code)),
    "lower_accumulate_by_name": (_int, _text, _p(S.lower_code)),
    # topk.h
    "topk_defaults": (None, _p(S.topk_options)),
    "plan_new": (_int, _p(S.topk_options), _p(_any), _p(S.error)),
    "plan_free": (None, _any),
    "plan_run": (_int, _any, _any, _any, _any, _any, _p(S.stop), _p(S.error)),
    "plan_records": (_any, _any, _p(_size)),
    "topk_hazards": (_int, _p(S.topk_options), _any, _any, _any, _any, TOPK_HAZARD, _any),
    "topk_hazard_name": (_text, _int),
    "topk_hazard_alters": (_int, _int),
}
for _name, (_restype, *_argtypes) in _prototypes.items():
    _function = getattr(lib, "dve_" + _name)
    _function.restype, _function.argtypes = _restype, _argtypes

_tables: Dict[str, Any] = {
    "isa_generations": S.generation_info, "isa_dtypes": S.dtype_info, "isa_enums": S.enum_info,
    "isa_opcodes": S.opcode_info, "isa_formats": S.format_info, "isa_fields": S.field_info,
    "isa_operands": S.operand_info, "isa_rules": S.rule_info, "isa_assumptions": S.assumption_info,
    "isa_sources": S.source_info, "isa_notes": S.note_info, "isa_effects": S.effect_info,
    "lower_operations": S.lower_operation_info, "lower_operands": S.lower_operand_info,
    "lower_refusals": S.lower_refusal_info,
}
_read: Dict[str, Any] = {}


def table(name: str) -> Any:
    """A table of the library as a list of its rows, which are constant."""
    if name not in _read:
        _read[name] = _layouts.table(getattr(lib, "dve_" + name), _tables[name])
    return _read[name]


def say(function: Any, *arguments: Any, capacity: Optional[int] = None) -> str:
    """What a function writes into a buffer of text, whose place and size are its last arguments."""
    size = capacity or C.TEXT
    buffer = ctypes.create_string_buffer(size)
    function(*arguments, ctypes.addressof(buffer), size)
    return buffer.value.decode()
