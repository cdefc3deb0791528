# SPDX-License-Identifier: Apache-2.0
"""Structures come from the library's own table, nowhere else."""
import ast
import ctypes
import json
import os
import subprocess
import sys
import unittest

from support import ROOT, Case, declared

from opendve import _layouts, _library

SHOW = """
import json
from opendve._library import S
print(json.dumps({name: getattr(S.hazard, name).offset for name, *_ in S.hazard._fields_ if name[0] != "_"}))
"""


class Layouts(Case):
    def test_every_structure_is_as_the_table_says(self):
        seen = 0
        for row in _library.rows:
            made = getattr(_library.S, row.structure.decode()[4:])
            if row.kind == _layouts.STRUCTURE:
                self.assertEqual(ctypes.sizeof(made), row.size, row.structure)
                continue
            field = getattr(made, row.member.decode())
            self.assertEqual(field.offset, row.offset, (row.structure, row.member))
            seen += 1
        self.assertGreater(seen, 250)

    def test_no_member_of_a_header_is_missing(self):
        members = {}
        for row in _library.rows:
            members.setdefault(row.structure.decode(), []).append(row.member.decode())
        for structure, names in members.items():
            self.assertEqual(names[1:], declared(structure), structure)

    def test_the_row_itself_is_as_the_table_says(self):
        own = [row for row in _library.rows if row.structure == b"dve_layout"]
        self.assertEqual(own[0].size, ctypes.sizeof(_layouts.Row))
        for row in own[1:]:
            field = getattr(_layouts.Row, row.member.decode())
            self.assertEqual((field.offset, field.size), (row.offset, row.size * row.count))

    def test_no_other_layout_stands_in_the_package(self):
        classes = {}
        for path in (ROOT / "python" / "opendve").glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ClassDef) and any(
                        isinstance(part, ast.Assign) and getattr(part.targets[0], "id", "") == "_fields_"
                        for part in node.body):
                    classes[node.name] = path.name
        self.assertEqual(classes, {"Row": "_layouts.py", "ConstantRow": "_layouts.py"})

    def test_another_table_gives_other_structures(self):
        def offsets(library):
            environment = dict(os.environ, OPENDVE_LIBRARY=library)
            out = subprocess.run([sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True)
            return json.loads(out.stdout)

        real, moved = offsets(os.environ["OPENDVE_LIBRARY"]), offsets(os.environ["OPENDVE_MOVED"])
        self.assertEqual({name: at + 16 for name, at in real.items()}, moved)

    def test_a_library_that_is_none(self):
        done = subprocess.run([sys.executable, "-c", "import opendve"], env=dict(os.environ, OPENDVE_LIBRARY="/nowhere.so"),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("libopendve was not found; build it", done.stderr)
        self.assertIn("/nowhere.so: not there", done.stderr)


if __name__ == "__main__":
    unittest.main()
