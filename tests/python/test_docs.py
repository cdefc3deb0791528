# SPDX-License-Identifier: Apache-2.0
"""What the manual and the modules show is true, the worked example prints what is kept beside it, drawings are whole."""
import doctest
import importlib
import inspect
import pkgutil
import re
import runpy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from support import ROOT, Case

import opendve
from opendve import nisa

EXAMPLE = ROOT / "examples" / "python" / "router.py"
SVG = "{http://www.w3.org/2000/svg}"


class Docs(Case):
    def test_modules(self):
        seen = 0
        for module in pkgutil.iter_modules(opendve.__path__):
            result = doctest.testmod(importlib.import_module("opendve." + module.name))
            self.assertEqual(result.failed, 0, module.name)
            seen += result.attempted
        self.assertGreater(seen, 30)

    def test_manual(self):
        result = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 25)

    def test_readme(self):
        code, wanted = re.search(r"^\$ PYTHONPATH=python /usr/bin/python3 -c '(.*)'\n(.*)$", (ROOT / "README.md").read_text(),
                                 re.MULTILINE).groups()
        out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        self.assertEqual(out, wanted + "\n")

    def test_manual_names_every_call(self):
        manual = (ROOT / "docs" / "python.md").read_text()
        calls = [f for name, f in vars(nisa).items() if inspect.isfunction(f) and f.__module__ == nisa.__name__ and name[0] != "_"]
        self.assertEqual(len(calls), 16)
        for call in calls:
            written = re.search(rf"^\| `{call.__name__}\((.*?)\)` \|", manual, re.MULTILINE)
            self.assertTrue(written, call.__name__)
            names = [part.split("=")[0] for part in written.group(1).split(", ")]
            own = [name for name in inspect.signature(call).parameters if name not in ("name", "machine", "engine")]
            self.assertEqual(names, own)

    def test_example(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing = Path(folder) / "t.svg"
            out = subprocess.run([sys.executable, EXAMPLE, drawing], check=True, capture_output=True, text=True).stdout
            self.assertEqual(out, EXAMPLE.with_suffix(".out").read_text())
            self.assertEqual(len(ElementTree.parse(drawing).findall(f"{SVG}rect")), 1 + 4)

    def test_example_is_right(self):
        """Its choice is that of a plain sort."""
        names = runpy.run_path(str(EXAMPLE))
        x = names["scores"]()
        chosen, _ = names["route"](x, "fp32")
        self.same(chosen, np.argsort(-x, axis=1, kind="stable")[:, :4].astype(np.uint32))


class Timeline(Case):
    def bars(self, run):
        root = ElementTree.fromstring(run.timeline())
        return [(bar.find(f"{SVG}title").text, float(bar.get("x")), float(bar.get("width")))
                for bar in root.findall(f"{SVG}rect")[1:]], root

    def test_bars_are_the_steps(self):
        machine = opendve.Machine()
        data, best = machine.tile((4, 4000)), machine.tile((4, 8))
        run = nisa.memset(data, 1.0).run + nisa.max8(best, data).run + nisa.tensor_copy(data[:, 1:], data[:, :-1]).run
        bars, root = self.bars(run)
        self.assertEqual([title.split(":")[0] for title, _, _ in bars], ["record 0 Memset", "record 1 Max8", "record 2 Copy"])
        for (_, x, width), (_, after, _) in zip(bars, bars[1:]):
            self.assertAlmostEqual(x + width + 0.5, after, delta=0.02)
        self.assertIn("share bytes", bars[2][0])
        self.assertEqual(len(root.findall(f"{SVG}path")), 1)
        self.assertIn("1 hazard", root.findall(f"{SVG}text")[1].text)

    def test_long_runs_are_drawn_in_few_bars(self):
        machine = opendve.Machine()
        tile = machine.tile((1, 8))
        fill = opendve.lower({"op": "Memset", "channels": 1, "dst": tile.access(), "value": 0})
        run = machine.run(fill.bytes * 5000)
        self.assertEqual(len(self.bars(run)[0]), 1)
        self.assertEqual(run.stats["Memset"].records, 5000)

    def test_nothing(self):
        self.assertEqual(self.bars(opendve.Machine().run(b""))[0], [])


if __name__ == "__main__":
    unittest.main()
