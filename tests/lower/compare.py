#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a program's `lower` and `exec` with this folder's oracle.

    compare.py BIN [--random N] [--seed S] [--no-exec] [--no-modes] [--exec-only] [--keep DIR] [-v]

1. vectors_by_hand.py: exit code, bytes, words that a message must hold.
2. every named defect and N random SPECs against lower_oracle.py: exit code, bytes, no file after a failure.
3. for the accepted ones, modes: collect, check, --json, census, --split-engines.
4. executable ones: memory random, `exec` of the program's own records, every byte of both arenas against effect.py.
--exec-only takes the oracle's records, for a program without `lower`.  Exit 1 at any difference.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import effect
import lower_oracle
import make_specs
from lower_oracle import AP, NAMES, POOL, Scalar, lower, lower_text, parse
from vectors_by_hand import CASES
from values import FP32, INTS, SIZE, from_fp32, is_nan, to_fp32



class Run:
    def __init__(self, options):
        self.o, self.failures, self.tally = options, [], {}
        self.dir = tempfile.mkdtemp(prefix="lowering-")
        self.booleans = self.zero_one = None

    def path(self, name):
        return os.path.join(self.dir, name)

    def count(self, what):
        self.tally[what] = self.tally.get(what, 0) + 1

    def fail(self, name, what, spec=None):
        self.failures.append((name, what))
        print("DIFFERS %s: %s" % (name, what))
        if self.o.keep and spec is not None:
            os.makedirs(self.o.keep, exist_ok=True)
            with open(os.path.join(self.o.keep, name.replace("/", "_") + ".json"), "w", encoding="utf-8") as f:
                f.write(spec)

    def call(self, *arguments):
        p = subprocess.run([self.o.bin, *arguments], capture_output=True, timeout=120)
        return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")

    def lower(self, text, gen, *more, out="out.bin"):
        with open(self.path("spec.json"), "w", encoding="utf-8") as f:
            f.write(text)
        if os.path.exists(self.path(out)):
            os.remove(self.path(out))
        return self.call("lower", self.path("spec.json"), "--gen", "gen%d" % gen, *more)

    def spelled(self, spec):
        """Flags in the style that the program takes (true or 1)."""
        text = json.dumps(spec)
        if self.booleans is False:
            for name in ("negated", "reverse"):
                text = text.replace('"%s": true' % name, '"%s": 1' % name)
                text = text.replace('"%s": false' % name, '"%s": 0' % name)
        return text

    def probe(self):
        for style, value in (("booleans", True), ("zero_one", 1)):
            spec = make_specs.wrap(make_specs.simple("DveReadAccumulator", negated=value))
            code, _, _ = self.lower(json.dumps(spec), 3, "-o", self.path("out.bin"))
            setattr(self, style, code == 0)
        print("flags: true/false %s, 0/1 %s" % ("taken" if self.booleans else "not taken",
                                                "taken" if self.zero_one else "not taken"))
        if not (self.booleans or self.zero_one):
            self.fail("flags", "neither true nor 1 is taken for negated")

    # 1 and 2 -----------------------------------------------------------------

    def bytes_of(self, name, text, gen, allow, records, says=()):
        """True where the program wrote exactly these records."""
        code, out, err = self.lower(text, gen, "-o", self.path("out.bin"))
        written = os.path.exists(self.path("out.bin"))
        if code not in allow:
            self.fail(name, "gen%d exit %d, expected %s; %s" % (gen, code, sorted(allow), (err or out).strip()[:300]), text)
            return False
        if code:
            if written:
                self.fail(name, "a file was left after exit %d" % code, text)
            if not err.strip():
                self.fail(name, "no message on stderr", text)
            for word in says:
                if word not in err:
                    self.fail(name, "the message lacks %r: %s" % (word, err.strip()[:300]), text)
            return False
        if records is None:
            return False
        got = open(self.path("out.bin"), "rb").read() if written else b""
        if got != b"".join(records):
            self.fail(name, "gen%d bytes:\n%s" % (gen, difference(got, records)), text)
            return False
        return True

    def modes(self, name, text, gen, outcome):
        want = [(op, NAMES[op], n) for op, n in outcome.census]
        code, out, _ = self.lower(text, gen, "-o", self.path("out.bin"))
        self.census(name, "generate", out, gen, want, text)
        code, out, _ = self.lower(text, gen)
        if code != 0:
            self.fail(name, "without -o, exit %d" % code, text)
        self.census(name, "generate without -o", out, gen, want, text)
        p = subprocess.run([self.o.bin, "lower", self.path("spec.json"), "--gen", "gen%d" % gen, "-o", "-"],
                           capture_output=True, timeout=120)
        if p.returncode != 0 or p.stdout != b"".join(outcome.records):
            self.fail(name, "-o -: exit %d, %d bytes on stdout" % (p.returncode, len(p.stdout)), text)
        self.census(name, "-o -", p.stderr.decode("utf-8", "replace"), gen, want, text)
        code, out, _ = self.lower(text, gen, "--mode", "collect")
        lines = [line.split() for line in out.split("census gen")[0].splitlines() if line.strip()]
        if code != 0 or [(int(a[0], 16), a[1]) for a in lines] != [(r[0], NAMES[r[0]]) for r in outcome.records]:
            self.fail(name, "collect, exit %d: %s" % (code, out[:200]), text)
        self.census(name, "collect", out, gen, want, text)
        code, out, _ = self.lower(text, gen, "--mode", "check")
        if code != 0:
            self.fail(name, "check, exit %d" % code, text)
        self.census(name, "check", out, gen, want, text)
        code, _, _ = self.lower(text, gen, "--mode", "check", "-o", self.path("out.bin"))
        if code != 2 or os.path.exists(self.path("out.bin")):
            self.fail(name, "check -o, exit %d" % code, text)
        code, out, _ = self.lower(text, gen, "--json", "-o", self.path("out.bin"))
        try:
            d = json.loads(out)
            got = ([int(str(x), 0) for x in d["opcodes"]], [(int(str(c["opcode"]), 0), c["name"], c["count"]) for c in d["census"]],
                   d["mode"], d["gen"], d["schema"])
        except (ValueError, KeyError, TypeError):
            got = out[:200]
        if got != ([r[0] for r in outcome.records], want, "generate", "gen%d" % gen, "opendve.lower/1"):
            self.fail(name, "--json: %s" % (got,), text)
        folder = self.path("split")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        code, _, err = self.lower(text, gen, "--split-engines", folder)
        parts = {"dve.bin": b"", "pool.bin": b""}
        for r in outcome.records:
            parts["pool.bin" if r[0] in POOL else "dve.bin"] += r
        for file, data in parts.items():
            at = os.path.join(folder, file)
            got = open(at, "rb").read() if os.path.exists(at) else b""
            if code != 0 or got != data:
                self.fail(name, "--split-engines %s, exit %d %s" % (file, code, err[:100]), text)
        self.count("modes")

    def collect_of_rules(self, name, text, gen, outcome):
        """Records that break a rule: check judges them; collect does not, where no gate can be meant."""
        code, _, err = self.lower(text, gen, "--mode", "collect")
        if code != 0 and name.split()[1] in make_specs.RECORD_ONLY:
            self.fail(name, "collect judged a record: exit %d %s" % (code, err.strip()[:200]), text)
        code, _, _ = self.lower(text, gen, "--mode", "check")
        if code != 1:
            self.fail(name, "check did not judge: exit %d" % code, text)
        self.count("modes")

    def census(self, name, mode, out, gen, want, text):
        head = "census gen%d" % gen
        lines = out.splitlines()
        if head not in lines:
            self.fail(name, "%s prints no line %r: %s" % (mode, head, out[:200]), text)
            return
        got = []
        for line in lines[lines.index(head) + 1:]:
            part = line.split()
            if len(part) == 3 and part[0].startswith("0x"):
                got.append((int(part[0], 16), part[1], int(part[2])))
        if got != want:
            self.fail(name, "%s census %s, expected %s" % (mode, got, want), text)

    # 4 ---------------------------------------------------------------------

    def execute(self, name, case, text, records):
        gen, rng = case["gen"], np.random.default_rng(abs(hash_name(name)))
        memory = [rng.integers(0, 256, (128, n), dtype=np.uint8) for n in case["bytes"]]
        machine = effect.Machine(*memory)
        machine.gen = gen
        fill(machine, case, rng)
        for file, data in zip(("sbuf.npy", "psum.npy"), memory):
            np.save(self.path(file), data)
        with open(self.path("run.bin"), "wb") as f:
            f.write(b"".join(records))
        with np.errstate(all="ignore"):
            machine.run(case["spec"], gen)
        arguments = ["exec", self.path("run.bin"), "--gen", "gen%d" % gen]
        for space, n in zip(("sbuf", "psum"), case["bytes"]):
            arguments += ["--put", "%s[0]@0=%s" % (space, self.path(space + ".npy")),
                          "--get", "%s[0:128]@0:uint8:%d=%s" % (space, n, self.path(space + "_out.npy"))]
        code, out, err = self.call(*arguments)
        if code != 0:
            self.fail(name, "gen%d exec exit %d: %s" % (gen, code, (err or out).strip()[:300]), text)
            return
        for space, want in zip(("sbuf", "psum"), memory):
            got = np.load(self.path(space + "_out.npy"))
            if not np.array_equal(got, want):
                lane, byte = np.argwhere(got != want)[0]
                where = owner(case, space, int(lane), int(byte))
                self.fail(name, "gen%d effect: %d bytes of %s differ, first partition %d byte 0x%x (%s): got %02x, expected %02x" %
                          (gen, int((got != want).sum()), space, lane, byte, where, got[lane, byte], want[lane, byte]), text)
                return
        self.count("executed")
        for i in case["spec"]["instructions"]:
            self.count("executed " + i["op"])


def hash_name(name):
    value = 0
    for c in name.encode():
        value = (value * 131 + c) % (1 << 61)
    return value


def difference(got, records):
    lines = ["%d bytes, expected %d" % (len(got), 64 * len(records))]
    for n, want in enumerate(records):
        part = got[64 * n:64 * n + 64]
        if part != want:
            lines += ["record %d expected %s" % (n, want.hex()), "record %d got      %s" % (n, part.hex()),
                      "at bytes " + " ".join(str(k) for k in range(64) if part[k:k + 1] != want[k:k + 1])]
    return "\n".join(lines)


def owner(case, space, lane, byte):
    found = []
    for n, o in enumerate(case["spec"]["instructions"]):
        i = parse(o)
        for k, v in i.items():
            if isinstance(v, AP) and v.psum == (space == "psum"):
                at = set()
                offsets = [v.offset]
                size = v.size(case["gen"])
                for step, count in v.pattern:
                    offsets = [x + step * size * c for c in range(count) for x in offsets]
                at = {x + b for x in offsets for b in range(size)}
                if byte in at and v.partition <= lane < v.partition + (i["channels"] + 31) // 32 * 32:
                    found.append("%d.%s lane %d" % (n, k, lane - v.partition))
    return ", ".join(found) or "no operand"


def elements(rng, dtype, shape, negative_nan):
    if dtype in INTS:
        wide = rng.integers(0, 1 << 32, shape, dtype=np.uint64).astype(np.uint32)
        small = rng.integers(-3, 4, shape).astype(np.int64).astype(np.uint32)
        bits = np.where(rng.random(shape) < 0.7, small, wide)
        return np.where(rng.random(shape) < 0.3, np.uint32(0), bits) & np.uint32((1 << 8 * SIZE[dtype]) - 1)
    plain = rng.normal(0, 3, shape).astype(np.float32)
    plain = np.where(rng.random(shape) < 0.5, np.round(plain), plain).astype(np.float32)
    bits = plain.view(np.uint32)
    special = np.array([0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f812345, 1, 0x80000001,
                        0x7f7fffff, 0xff7fffff, 0x33800000, 0x477fe000, 0x4f000000, 0x3f800001], np.uint32)
    bits = np.where(rng.random(shape) < rng.choice([0, 0.05, 0.3]), rng.choice(special, shape), bits)
    if not negative_nan:
        bits = np.where(is_nan(bits), bits & 0x7fffffff, bits)
    bits = from_fp32(dtype, bits)
    if dtype != FP32 and rng.random() < 0.3:
        raw = rng.integers(0, 1 << 8 * SIZE[dtype], shape).astype(np.uint32)
        sign = np.uint32(1 << (8 * SIZE[dtype] - 1))
        if not negative_nan:
            raw = np.where(is_nan(to_fp32(dtype, raw)), raw & ~sign, raw)
        bits = np.where(rng.random(shape) < 0.5, raw, bits)
    return bits.astype(np.uint32)


def fill(machine, case, rng):
    parsed = [parse(o) for o in case["spec"]["instructions"]]
    targets = [v for i in parsed for k, v in i.items() if isinstance(v, AP) and k in ("dst", "result", "maxvals")]
    negative_nan = not any(t.wire(case["gen"]) in INTS for t in targets)
    for i in parsed:
        machine.n = i["channels"]
        lanes = (i["channels"] + 31) // 32 * 32 if i["op"].startswith("Stream") else i["channels"]
        order = sorted(i, key=lambda k: (k != "data", k))
        for k in order:
            v = i[k].value if isinstance(i[k], Scalar) and i[k].kind == "pointer" else i[k]
            if not isinstance(v, AP):
                continue
            shape = (lanes, v.count)
            dtype = v.wire(case["gen"])
            if dtype == 11:
                dtype = FP32
            bits = elements(rng, dtype, shape, negative_nan)
            if k == "indices" and "indices" in case["hints"] and i["op"] in ("Gather", "IndirectCopy"):
                low, high = case["hints"]["indices"]
                bits = rng.integers(low, high + 1, shape).astype(np.uint32)
                if i["op"] == "Gather":
                    miss = (high // 512 + 1) * 512
                    if miss < 1 << 8 * SIZE[dtype]:
                        bits = np.where(rng.random(shape) < 0.1, np.uint32(miss + 3), bits)
                bits &= np.uint32((1 << 8 * SIZE[dtype]) - 1) if SIZE[dtype] < 4 else np.uint32(0xffffffff)
            elif k == "maxvals" and i["op"] != "Max":
                source = to_fp32(i["data"].wire(case["gen"]), machine.read(i["data"], lanes))
                pick = rng.integers(0, source.shape[1], shape)
                taken = from_fp32(dtype, np.take_along_axis(source, pick, axis=1))
                taken[:, 1:3] = taken[:, :1] if rng.random() < 0.5 else taken[:, 1:3]
                bits = np.where(rng.random(shape) < 0.8, taken, bits)
            machine.write(v, bits)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("bin")
    a.add_argument("--random", type=int, default=500)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--no-exec", action="store_true")
    a.add_argument("--no-modes", action="store_true")
    a.add_argument("--exec-only", action="store_true")
    a.add_argument("--keep")
    o = a.parse_args()
    run = Run(o)
    try:
        if not o.exec_only:
            run.probe()
            for v in CASES:
                records = [bytes.fromhex(h) for h in v["records"]] if "records" in v else None
                allow = {0} if records is not None else set(v["exit"] if isinstance(v["exit"], list) else [v["exit"]])
                if "also" in v:
                    allow |= set(v["also"])
                run.count("vectors")
                run.bytes_of("vector " + v["name"], run.spelled(v["spec"]), v["gen"], allow, records, v.get("says", ()))
        for n, case in enumerate(make_specs.cases(o.seed, o.random)):
            if "text" in case:
                text, outcome = case["text"], lower_text(case["text"], case["gen"])
            else:
                text, outcome = run.spelled(case["spec"]), lower(case["spec"], case["gen"])
            name = "seed%d %s" % (o.seed, case["name"])
            records, ran = outcome.records if outcome.exit == 0 and not outcome.notes else None, o.exec_only
            if not o.exec_only:
                run.count("specs")
                run.count("specs expected " + ("ambiguous" if len(outcome.allow) > 1 else outcome.kind))
                ran = run.bytes_of(name, text, case["gen"], outcome.allow, records)
                if not o.no_modes and len(outcome.allow) == 1 and (n % 5 == 0 or not name.split()[1].startswith("random")):
                    if outcome.exit == 0 and ran:
                        run.modes(name, text, case["gen"], outcome)
                    elif outcome.kind == "rules":
                        run.collect_of_rules(name, text, case["gen"], outcome)
                    elif outcome.kind == "refusal":
                        code, _, _ = run.lower(text, case["gen"], "--mode", "collect")
                        run.count("modes")
                        if code != 1:
                            run.fail(name, "collect did not refuse: exit %d" % code, text)
            if ran and records and case["run"] and not o.no_exec:
                run.execute(name, case, text, records)
    finally:
        shutil.rmtree(run.dir, ignore_errors=True)
    for key, n in sorted(run.tally.items()):
        print("%-36s %d" % (key, n))
    print("%-36s %d" % ("differences", len(run.failures)))
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main())
