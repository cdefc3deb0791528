# SPDX-License-Identifier: Apache-2.0
"""pip installs the package from the source tree, with the library inside; it then works from anywhere."""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import ROOT

USE = """
import numpy as np, opendve
from opendve import _library
print(opendve.__version__, _library.lib._name)
print(opendve.topk(np.array([3, 9, 4], np.float32), 2).indices.tolist())
"""


class Install(unittest.TestCase):
    def test_pip(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "tree", Path(folder) / "target"
            shutil.copytree(ROOT / "python", source / "python", ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
            shutil.copy(ROOT / "CMakeLists.txt", source)         # pip writes beside what it builds: not into our tree
            environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
            environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
            subprocess.run([sys.executable, "-W", "ignore", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                            "--no-build-isolation", "--target", target, source / "python"], env=environment, check=True,
                           capture_output=True)
            self.assertTrue((target / "opendve" / "py.typed").exists())
            environment.pop("OPENDVE_LIBRARY")
            environment["PYTHONPATH"] = str(target)
            out = subprocess.run([sys.executable, "-c", USE], env=environment, cwd=folder, check=True, capture_output=True,
                                 text=True).stdout.splitlines()
        version, library = out[0].split()
        self.assertIn(f"project(opendve VERSION {version} ", (ROOT / "CMakeLists.txt").read_text())
        self.assertEqual(Path(library), (target / "opendve" / "_lib" / "libopendve.so"))
        self.assertEqual(out[1], "[1, 2]")

    def test_in_place(self):
        """Beside a build of the tree nothing has to be set but PYTHONPATH."""
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            shutil.copytree(ROOT / "python" / "opendve", tree / "python" / "opendve")
            (tree / "build" / "release").mkdir(parents=True)
            shutil.copy(os.environ["OPENDVE_LIBRARY"], tree / "build" / "release" / "libopendve.so")
            environment = {k: v for k, v in os.environ.items() if k != "OPENDVE_LIBRARY"}
            environment["PYTHONPATH"] = str(tree / "python")
            out = subprocess.run([sys.executable, "-c", USE], env=environment, check=True, capture_output=True, text=True).stdout
        self.assertIn("build/release/libopendve.so", out)


if __name__ == "__main__":
    missing = [name for name in ("pip", "setuptools", "wheel") if not importlib.util.find_spec(name)]
    if missing:
        print("skipped: there is no", ", ".join(missing))
        sys.exit(77)
    unittest.main()
