# SPDX-License-Identifier: Apache-2.0
"""What the library says about a refusal, as exceptions."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Tuple, Type

from ._library import C, lib, say, table
from .errors import BudgetExceeded, Error, InputError, InternalError, Refused, UsageError


@dataclass(frozen=True)
class Broken:
    """One rule that a record breaks."""

    rule: str
    field: str
    byte: int
    value: str
    allowed: str
    severity: str
    source: str
    text: str


def broken(index: int, insn: Any, diag: Any) -> Broken:
    row = table("isa_rules")[diag.rule]
    return Broken(row.id.decode(), (diag.field or b"").decode(), diag.byte,
                  say(lib.dve_diag_value_text, ctypes.byref(insn), ctypes.byref(diag)),
                  say(lib.dve_diag_allowed_text, ctypes.byref(insn), ctypes.byref(diag)),
                  lib.dve_severity_name(row.severity).decode(), row.source.decode(),
                  say(lib.dve_diag_text, index, ctypes.byref(insn), ctypes.byref(diag)))


def all_broken(index: int, insn: Any, diags: Any, count: int) -> Tuple[Broken, ...]:
    """In the order of the bytes, as the program prints them."""
    found = (broken(index, insn, diags[i]) for i in range(min(count, C.MAX_DIAGS)))
    return tuple(sorted(found, key=lambda one: one.byte))


def of_lowering(fault: Any, status: int) -> Error:
    """Why an instruction was not lowered."""
    kind = {C.E_FINDING: Refused, C.E_INPUT: InputError, C.E_USAGE: UsageError}.get(status, InternalError)
    refusals, operations = table("lower_refusals"), table("lower_operations")
    if fault.refusal >= len(refusals) or fault.operation >= len(operations):
        return kind(operation="lower", given=f"status {status}")
    fields = dict(operation=operations[fault.operation].name.decode(),
                  operand=(lib.dve_lower_operand_name(fault.operand) or b"").decode(),
                  given=say(lib.dve_lower_fault_found_text, ctypes.byref(fault)),
                  allowed=say(lib.dve_lower_fault_allowed_text, ctypes.byref(fault)),
                  rule=refusals[fault.refusal].id.decode())
    return kind(say(lib.dve_lower_fault_text, ctypes.byref(fault)), **fields)


def of_broken(found: Tuple[Broken, ...], operation: str, message: str = "", kind: Type[Refused] = Refused) -> Refused:
    """A record that breaks rules; the first of them is what the exception's members tell."""
    first = found[0]
    error = kind(message + "; ".join(b.text for b in found), operation=operation, operand=first.field, given=first.value,
                 allowed=first.allowed, rule=first.rule)
    error.broken = found
    return error


def of_stop(stop: Any, status: int, gen: int) -> Refused:
    """Why a run stopped."""
    kind = BudgetExceeded if status == C.E_BUDGET else Refused
    message = say(lib.dve_stop_text, ctypes.byref(stop), gen)
    operation = say(lib.dve_opcode_text, stop.insn.value[0])
    found = all_broken(stop.record, stop.insn, stop.diags, stop.broken)
    if found:
        return of_broken(found, operation, message + ": ", kind)
    return kind(message, operation=operation, operand=(stop.operand or b"").decode(), given=str(stop.given),
                allowed=f"at most {stop.limit}" if stop.limit else "",
                rule=(lib.dve_refusal_name(stop.reason) or b"refused").decode())


def of_status(status: int, text: str, operation: str) -> Error:
    kind = {C.E_FINDING: Refused, C.E_USAGE: UsageError, C.E_INPUT: InputError}.get(status, InternalError)
    return kind(text or f"{operation}: status {status}", operation=operation, given=text)
