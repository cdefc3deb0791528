# SPDX-License-Identifier: Apache-2.0
"""Puts libopendve into the package: that of OPENDVE_LIBRARY, else the tree's release build, else one that CMake makes now."""
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

TREE = Path(__file__).resolve().parent.parent


def version():
    return re.search(r"project\(opendve VERSION ([0-9.]+)", (TREE / "CMakeLists.txt").read_text()).group(1)


def build_library(folder):
    """The library alone, by CMake in `folder`."""
    off = [f"-DOPENDVE_{part}=OFF" for part in ("PROGRAM", "TESTS", "EXAMPLES")]
    subprocess.run(["cmake", "-S", str(TREE), "-B", folder, "-DCMAKE_BUILD_TYPE=Release", *off], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "opendve_shared", "--parallel"], check=True)
    return Path(folder) / "libopendve.so"


class WithLibrary(build_py):
    def run(self):
        super().run()
        target = Path(self.build_lib) / "opendve" / "_lib" / "libopendve.so"
        target.parent.mkdir(parents=True, exist_ok=True)
        built = TREE / "build" / "release" / "libopendve.so"
        with tempfile.TemporaryDirectory() as folder:
            named = os.environ.get("OPENDVE_LIBRARY")
            source = Path(named) if named else built if built.exists() else build_library(folder)
            shutil.copyfile(source, target)


class Binary(Distribution):
    """A wheel of this machine: it holds a shared library."""

    def has_ext_modules(self):
        return True


setup(version=version(), cmdclass={"build_py": WithLibrary}, distclass=Binary)
