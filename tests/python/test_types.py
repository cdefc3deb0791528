# SPDX-License-Identifier: Apache-2.0
"""The package's types hold, strictly, for the oldest Python that it is for."""
import importlib.util
import subprocess
import sys
import tempfile
import unittest

from support import ROOT

USER = """
import numpy as np
import opendve
from opendve import nisa

values, indices = opendve.topk(np.zeros((2, 9), np.float32), 3)
cycles: int = nisa.max8(np.zeros((2, 8), np.float32), np.zeros((2, 9), np.float32)).run.cycles
rules: list[str] = [b.rule for v in opendve.check(b"") for b in v.broken]
"""


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.cache.cleanup)

    def mypy(self, *arguments):
        return subprocess.run([sys.executable, "-W", "ignore", "-m", "mypy", "--strict", "--python-version", "3.9",
                               "--cache-dir", self.cache.name, *arguments], cwd=ROOT / "python", capture_output=True, text=True,
                              check=False)

    def test_package(self):
        done = self.mypy("opendve")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_users(self):
        done = self.mypy("-c", USER)
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.mypy("-c", USER.replace("cycles: int", "cycles: str"))
        self.assertEqual(done.returncode, 1)
        self.assertIn('variable has type "str"', done.stdout)


if __name__ == "__main__":
    if not importlib.util.find_spec("mypy"):
        print("skipped: there is no mypy")
        sys.exit(77)
    unittest.main()
