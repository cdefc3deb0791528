# SPDX-License-Identifier: Apache-2.0
"""Synthetic packages for tests, made with public tools only: tarfile, gzip, hashlib, struct. None of them is a vendor's."""
import gzip
import hashlib
import io
import json
import struct
import tarfile

from records import changed, find_index8, frame, key_load, max8, replace8, save

STREAM = b"".join(bytes(r) for r in (max8(0, 0x1000, 64), key_load(0x1000), find_index8(0, 0x1040, 64)))
OTHER = b"".join(bytes(r) for r in (max8(0, 0x1000, 16), changed(max8(0, 0x1000, 16), b34=0)))


def dump(value):
    return json.dumps(value).encode()


def engine(name, **more):
    return dump({"instr": name, "dma": [], "name": "dve_array_json", **more})


def members(target="cayman", **changes):
    """The usual members in order: {name: bytes}, None for a directory; `changes` by name with __ for / and _j for .json."""
    kelf = {"graphs": [{"name": "sg00", "definition": "sg00/def.json"}], "version": "0.5", "target": target}
    if target is None:
        del kelf["target"]
    out = {
        "neff.json": dump({"nodes": [{"function": "__kelf", "attrs": {"kelf": "kelf-a.json"}}]}),
        "kelf-a.json": dump(kelf),
        "sg00": None,
        "sg00/def.json": dump({"pe": "pe.json", "act": "act.json", "pool": "pool.json", "dve": "dve.json", "sp": "sp.json",
                               "version": "0.6-", "var": {}}),
    }
    for name, data in (("pe", bytes(64)), ("act", b""), ("pool", bytes(192)), ("sp", b"")):
        out["sg00/%s.json" % name] = engine(name + ".bin")
        out["sg00/%s.bin" % name] = data
    out["sg00/dve.json"] = engine("dve.bin")
    out["sg00/dve.bin"] = STREAM
    out["sg00/wavegraph-bin.json"] = b"{}"
    out.update(changes)
    return out


def info(name, data=b"", kind=tarfile.REGTYPE, **fields):
    one = tarfile.TarInfo(name)
    one.size, one.type, one.uname, one.gname = len(data), kind, "nobody", "nobody"
    for field, value in fields.items():
        setattr(one, field, value)
    return one, data


def pack(parts, form=tarfile.GNU_FORMAT, prefix="", **options):
    """A tar of {name: bytes} or of what info() answers."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form, **options) as tar:
        items = parts.items() if isinstance(parts, dict) else parts
        for item in items:
            if isinstance(item[0], tarfile.TarInfo):
                one, data = item
            elif item[1] is None:
                one, data = info(prefix + item[0], kind=tarfile.DIRTYPE)
            else:
                one, data = info(prefix + item[0], item[1])
            tar.addfile(one, io.BytesIO(data) if data else None)
    return out.getvalue()


def squeeze(data):
    return gzip.compress(data, 1, mtime=0)


def header(stored, version=2, size=None, header_size=0x400, major=2, minor=0, features=0, vnc=1, digest=None):
    if digest is None:
        digest = hashlib.sha256(stored).digest() if version == 1 else hashlib.md5(stored).digest() + b"0" * 16
    out = struct.pack("<QQQQQ", version, header_size, len(stored) if size is None else size, major, minor)
    out += b"synthetic build".ljust(128, b"\0") + struct.pack("<I", 1) + digest
    out += bytes.fromhex("00112233445546778899aabbccddeeff") + b"synthetic".ljust(256, b"\0")
    out += struct.pack("<I", 1) + bytes([1]) + bytes(63) + struct.pack("<QI", features, vnc)
    return out + bytes(0x400 - len(out))


def package(tar, version=2, tail=b"", **fields):
    stored = squeeze(tar) if version == 2 else tar
    return header(stored, version, **fields) + stored + tail


def table(slots, entries):
    """An opcode table of 256 words: {opcode: word}."""
    return b"".join(struct.pack("<Q" if slots == 8 else "<I", entries.get(i, 0)) for i in range(256))


TABLES4 = {"opcode_table": table(4, {0: 0x600, 0x6c: 0x10, 0x46: 0x20, 0xf0: 0xc68}), "control_fast_table": b"f" * 4096,
           "control_slow_table": b"s" * 4096, "datapath_table": b"d" * 16384}
TABLES3 = {"opcode_table": table(8, {0: 0x180, 0x6c: 0x50, 0xf0: 0x369}), "control_table": b"c" * 2048,
           "datapath_table": b"d" * 8192}


def with_tables(tables, where="sg00/dve.json", **more):
    """members() with a table set that `where` names."""
    names = {key: "t_%s.bin" % key for key in tables}
    out = members(**more)
    inside = json.loads(out[where])
    inside["dve_tables"] = names
    out[where] = dump(inside)
    for key, data in tables.items():
        out["sg00/" + names[key]] = data
    return out
