# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Each says the operation, the operand or field, what was given, what is allowed, and the rule."""
from __future__ import annotations

from typing import Any, Tuple


class Error(Exception):
    """The root of all exceptions of this package; `str()` is a sentence for people."""

    operation: str = ""
    operand: str = ""
    given: str = ""
    allowed: str = ""
    rule: str = ""

    def __init__(self, message: str = "", *, operation: str = "", operand: str = "", given: str = "", allowed: str = "",
                 rule: str = "") -> None:
        if not message:
            message = f"{operation}: {operand + ' ' if operand else ''}{given}"
            message += f", allowed {allowed}" if allowed else ""
            message += f" [{rule}]" if rule else ""
        super().__init__(message)
        self.operation, self.operand, self.given, self.allowed, self.rule = operation, operand, given, allowed, rule


class LibraryMissing(Error, ImportError):
    """libopendve was not found, or is of another version."""


class UsageError(Error, ValueError):
    """An argument outside what the call takes."""


class InputError(Error, ValueError):
    """An input that cannot be read or is malformed."""


class AssemblyError(InputError):
    """Text that is no program. `errors` has (line, column, message, hint) of each mistake."""

    errors: Tuple[Tuple[int, int, str, str], ...] = ()


class Refused(Error):
    """An operation that the engine, its compiler or its rules refuse. Nothing of it happened.

    `broken` has all rules that the record breaks; `run` is what ran before it; both may be empty."""

    broken: Tuple[Any, ...] = ()
    run: Any = None


class BudgetExceeded(Refused):
    """max_records or max_elements of the machine."""


class InternalError(Error):
    """A defect of the library, or no memory."""


class NeverWritten(UserWarning):
    """Bytes were read by the host that nothing wrote."""
