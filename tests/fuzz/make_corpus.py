#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fuzz/corpus anew: synthetic tars, manifests and packages, small and of every kind that the readers know.

    PYTHONPATH=tests/cli /usr/bin/python3 tests/fuzz/make_corpus.py
"""
import os

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
stored = squeeze(tar)
packages = {"two": package(tar), "one": package(tar, version=1), "gzip": stored, "tar": tar, "tail": package(tar, tail=b"x"),
            "cut": package(tar)[:-20], "features": package(tar, features=1 << 40, vnc=9), "version": package(tar, version=3),
            "two_members": header(stored * 2) + stored * 2, "bomb": squeeze(bytes(5 << 20))}
for name, data in packages.items():
    write("neff", name, data)
