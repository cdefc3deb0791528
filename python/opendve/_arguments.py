# SPDX-License-Identifier: Apache-2.0
"""What arguments hold: the one place where a number, a name or a shape is judged.

>>> whole("topk", "k", 3.0, 1, 8)
3
>>> whole("topk", "k", 1.5, 1, 8)
Traceback (most recent call last):
opendve.errors.UsageError: topk: k is 1.5, allowed an integer, 1..8 [integer]
"""
from __future__ import annotations

import operator
from typing import Any, Sequence, Type

import numpy as np

from .errors import Error, UsageError

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1          # int64, which the library's structures hold


def shown(value: Any) -> str:
    """A value for a message, never long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):             # an integer of thousands of digits
        text = f"a {type(value).__name__} too long to show"
    return text if len(text) <= 120 else text[:117] + "..."


def wrong(operation: str, operand: str, value: Any, allowed: str, rule: str, kind: Type[Error] = UsageError) -> Error:
    return kind(operation=operation, operand=operand, given=f"is {shown(value)}", allowed=allowed, rule=rule)


def whole(operation: str, operand: str, value: Any, low: int = LOWEST, high: int = HIGHEST, *,  # pylint: disable=too-many-arguments
          rule: str = "integer", kind: Type[Error] = UsageError) -> int:
    """An integer of low..high; a float may hold it, a bool may not."""
    number = None
    if isinstance(value, (float, np.floating)):
        number = int(value) if float(value).is_integer() else None
    elif not isinstance(value, (bool, np.bool_)) and hasattr(value, "__index__"):
        try:
            number = operator.index(value)
        except TypeError:                            # an array of several
            number = None
    if number is None or not low <= number <= high:
        allowed = [] if number is not None and (low, high) != (LOWEST, HIGHEST) else ["an integer"]
        if (low, high) == (LOWEST, HIGHEST):
            allowed += ["64 bits"] if number is not None else []
        else:
            allowed.append(f"{low}.." + ("" if high == HIGHEST else str(high)))
        raise wrong(operation, operand, value, ", ".join(allowed), rule, kind)
    return number


def real(operation: str, operand: str, value: Any, allowed: str = "a number", kind: Type[Error] = UsageError) -> float:
    """A number that a double holds; no bool and no text."""
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            pass
    raise wrong(operation, operand, value, allowed, "number", kind)


def word(operation: str, operand: str, value: Any, words: Sequence[str], rule: str = "name") -> str:
    if not isinstance(value, str) or value not in words:
        raise wrong(operation, operand, value, " or ".join(words), rule)
    return value


__all__ = ["real", "shown", "whole", "word", "wrong"]
