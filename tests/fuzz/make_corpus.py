#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fuzz/corpus anew: synthetic tars, manifests and packages, small and of every kind that the readers know.

    PYTHONPATH=tests/cli /usr/bin/python3 tests/fuzz/make_corpus.py
"""
import gzip
import os
import random

from packages import *

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def write(folder, name, data):
    os.makedirs(os.path.join(HERE, folder), exist_ok=True)
    save(os.path.join(HERE, folder, name), data)


def short(parts, form=tarfile.GNU_FORMAT, **options):
    """A tar without the padding behind its two zero blocks."""
    tar = pack(parts, form, **options).rstrip(b"\0")
    return tar + bytes(-len(tar) % 512 + 1024)


few = [("neff.json", dump({"kelf": "k.json"})), ("d", None), ("d/def.json", dump({"dve": "dve.json"})),
       ("k.json", dump({"graphs": [{"name": "g", "definition": "d/def.json"}], "target": "v4"})),
       ("d/dve.json", engine("s.bin", dve_tables={"opcode_table": "s.bin"})), ("d/s.bin", STREAM)]
deep = [("long/" * 30 + "f", b"x")]
tars = {"gnu": short(few), "ustar": short(few, tarfile.USTAR_FORMAT), "longname": short(deep),
        "pax": short(deep, tarfile.PAX_FORMAT, pax_headers={"comment": "c"}), "empty": bytes(1024),
        "prefix": short([("p" * 90 + "/" + "n" * 60, b"x")], tarfile.USTAR_FORMAT),
        "base256": short([info("i", b"x", uid=1 << 40)]), "noend": short(few)[:-1024], "dotdot": short([("../f", b"x")]),
        "symlink": short([info("l", kind=tarfile.SYMTYPE, linkname="f")]),
        "sparse": short([info("s", bytes(512), kind=tarfile.GNUTYPE_SPARSE)]),
        "paxsparse": short([info("s", b"x", pax_headers={"GNU.sparse.major": "1"})], tarfile.PAX_FORMAT),
        "twice": short([("f", b"x"), ("f", b"y")]), "under": short([("f", b"x"), ("f/g", b"y")])}
for name, tar in tars.items():
    write("tar", name, tar)

kelf = dump({"graphs": [{"name": "g", "definition": "d/def.json"}, {}, 1], "target": "cayman"})
definition, dve = dump({"dve": "dve.json"}), engine("s.bin", dve_tables={"opcode_table": "t.bin", "control_table": "none"})
manifests = {"plain": [dump({"nodes": [{"attrs": {"kelf": "kelf-0.json"}}]}), kelf, definition, dve],
             "named": [b"{}", kelf, definition, dve], "tables": [b"[]", kelf, dump({"dve": "./dve.json", "dve_tables": {}}), dve],
             "escapes": [b'{"\\u006belf":"kelf\\u002d0.json","x":"\\ud83d\\ude00\\ud800\\"\\\\\\b"}', b"[]", b"{}", b"null"],
             "numbers": [b"[0,-1.5e+3,1E-9,true,false,null]", b"-", b"1.", b"01"],
             "deep": [b"[" * 64 + b"]" * 64, b"[" * 65 + b"]" * 65, b'{"dve":1}', b'{"instr":{}}'],
             "odd": [b'{"kelf":5,"a":{"kelf":"\\u0000"}}', b'{"graphs":{},"target":[]}', b'{"a":1,}', b"\xef\xbb\xbf{}"]}
for name, parts in manifests.items():
    write("manifest", name, b"\xff".join(parts))

tar = tars["gnu"]
stored, flat = squeeze(tar), gzip.compress(tar, 0, mtime=0)
packages = {"two": package(tar), "one": package(tar, version=1), "gzip": stored, "tar": tar, "tail": package(tar, tail=b"x"),
            "cut": package(tar)[:-20], "features": package(tar, features=1 << 40, vnc=9), "version": package(tar, version=3),
            "stored": flat, "stored_two": header(flat) + flat,
            "two_members": header(stored * 2) + stored * 2, "bomb": squeeze(bytes(40 << 10))}
for name, data in packages.items():
    write("neff", name, data)

# For fuzz_tables.c: what is exercised and on which generation, names and the second set's, an opcode; then edits.
edits = {"none": b"", "entry": b"\x40\x00\x01\xff\x7f\x00\x00", "ones": b"\x14\xc0\x00\xff", "zeros": b"\x14\x40\x00\x00",
         "lanes": b"\x82\x40\x01" + b"\x01" * 8 + b"\x8b\x80\x01" + b"\x80" * 8, "row": b"\x04\x81\x05\x0c\x40\x02",
         "ops": b"\x37\x10\x01\xff\xfe\x41\x1e\x00\x00\x07", "second": b"\x19\x02\x03\x55\x1c\x80\x00\xaa"}
random.seed(1)
edits["random"] = random.randbytes(120)
for part in range(8):
    for number, (name, data) in enumerate(edits.items()):
        choice, names = 3 * part + (part + number) % 3, (part * 5 + number) % 4
        if number % 4 == 3:
            names |= 0x80 | number % 3 * 4
        write("tables", "%d_%s" % (part, name), bytes([choice, names, (0xff, 0xe0, 0x40, 0x01)[(part + number) % 4]]) + data)
