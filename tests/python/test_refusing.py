# SPDX-License-Identifier: Apache-2.0
"""With a library that refuses everything, every test of nisa and of topk must fail: they test the library, and not the
package or themselves."""
import json
import os
import subprocess
import sys
import unittest

from support import ROOT

RUN = """
import json, sys, unittest
result = unittest.TestResult()
suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
suite.run(result)
bad = {test.id() for test, _ in result.failures + result.errors}
def names(part):
    return [name for test in part for name in names(test)] if hasattr(part, "__iter__") else [part.id()]
suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
print(json.dumps({"passed": sorted(set(names(suite)) - bad), "failed": sorted(bad)}))
"""


class Refusing(unittest.TestCase):
    def outcome(self, library, *modules):
        environment = dict(os.environ, OPENDVE_LIBRARY=os.environ[library])
        done = subprocess.run([sys.executable, "-c", RUN, *modules], env=environment, capture_output=True, text=True,
                              check=True, cwd=ROOT / "tests" / "python")
        return json.loads(done.stdout)

    def test_every_test_fails(self):
        outcome = self.outcome("OPENDVE_REFUSING", "test_nisa", "test_topk")
        self.assertEqual(outcome["passed"], [])
        self.assertGreater(len(outcome["failed"]), 30)

    def test_the_real_library_passes(self):
        outcome = self.outcome("OPENDVE_LIBRARY", "test_topk")
        self.assertEqual(outcome["failed"], [])
        self.assertGreater(len(outcome["passed"]), 5)


if __name__ == "__main__":
    unittest.main()
