# SPDX-License-Identifier: Apache-2.0
"""opendve: an exact model of the vector engine of NeuronCores, and a toolkit for its 64-byte instructions.

    import numpy as np, opendve
    values, indices = opendve.topk(np.random.rand(300, 50257).astype(np.float32), 8)

docs/python.md is the manual."""
from . import isa, nisa
from ._call import Bits, Call
from ._explain import Explanation, Field, explain
from ._library import lib as _lib
from ._refusals import Broken
from ._topk import ABSENT, Plan, TopK, TopkHazard, argmax, topk
from .errors import (AssemblyError, BudgetExceeded, Error, InputError, InternalError, LibraryMissing, NeverWritten, Refused,
                     UsageError)
from .lowering import lower
from .machine import Machine, default_machine
from .records import Program, Record, Records, Tensor, Verdict, assemble, check, disassemble, make
from .runs import Hazard, Run, Stat, Step
from .tile import Tile

__version__: str = _lib.dve_version().decode()
__all__ = ["ABSENT", "AssemblyError", "Bits", "Broken", "BudgetExceeded", "Call", "Error", "Explanation", "Field", "Hazard",
           "InputError", "InternalError", "LibraryMissing", "Machine", "NeverWritten", "Plan", "Program", "Record",
           "Records", "Refused", "Run", "Stat", "Step", "Tensor", "Tile", "TopK", "TopkHazard", "UsageError", "Verdict",
           "argmax", "assemble", "check", "default_machine", "disassemble", "explain", "isa", "lower", "make", "nisa", "topk"]
