# SPDX-License-Identifier: Apache-2.0
"""What the tests share."""
import os
import re
import subprocess
import unittest
from pathlib import Path

import numpy as np

import opendve

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["OPENDVE_PROGRAM"]


def program(*arguments, status=0, text=True, **options):
    """Output of the opendve program."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=text, check=False, **options)
    if done.returncode != status:
        raise AssertionError(f"opendve {arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout


class Case(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(7)

    def same(self, got, wanted):
        """Equal to the bit, shape and type included."""
        got, wanted = np.asarray(got), np.asarray(wanted)
        self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype))
        if got.tobytes() != wanted.tobytes():
            where = np.argwhere(got != wanted)
            self.fail(f"differs at {where[:4].tolist()}: {got[tuple(where[0])] if len(where) else '(bits)'}, wanted "
                      f"{wanted[tuple(where[0])] if len(where) else ''}")

    def refused(self, call, operand, rule, kind=opendve.Refused, says=""):
        """The exception says operation, operand, given, allowed and rule, each."""
        with self.assertRaises(kind) as caught:
            call()
        error = caught.exception
        self.assertEqual((error.operand, error.rule), (operand, rule), str(error))
        self.assertTrue(error.operation and error.given and error.allowed, vars(error))
        self.assertIn(rule, str(error))
        self.assertIn(says, str(error))
        return error


def declared(structure):
    """Names of a structure's members as its header has them, in order."""
    for header in (ROOT / "include" / "opendve").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        found = re.search(r"typedef struct(?: \w+)? \{((?:[^{}]|\{[^{}]*\})*)\} " + structure + ";", text)
        if found:
            body = re.sub(r"union \{([^{}]*)\};", r"\1", found.group(1))
            body = re.sub(r"\(\*(\w+)\)\([^;]*\)", r"\1", body)
            parts = [part for statement in body.split(";") for part in statement.split(",")]
            return [re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part.strip()).group(1) for part in parts if part.strip()]
    raise AssertionError(f"no header declares {structure}")
