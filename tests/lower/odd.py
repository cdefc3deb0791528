#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Odd inputs: the exit must be 1 or 3 (0 where listed), never a crash, and a failure leaves no file.  odd.py BIN"""
import json
import os
import subprocess
import sys
import tempfile

from make_specs import P, simple, wrap

BIG = 10**30
CASES = {
    "count_product_overflows": (json.dumps(wrap(simple("Memset", dst=P((0, 65535), (0, 65535), (0, 65535), (0, 65535))))), {1}),
    "count_product_2_32": (json.dumps(wrap(simple("Memset", dst=P((0, 32768), (0, 32768), (0, 4))))), {1}),
    "count_product_2_32_copy": (json.dumps(wrap(simple("TensorCopy", src=P((0, 65535), (0, 65535)), dst=P((0, 65535), (0, 65535))))), {0, 1}),
    "data_count_product_wraps_to_64": (json.dumps(wrap(simple("Max", data=P((0, 32768), (0, 32768), (0, 4))))), {1}),
    "gather_16384_elements": (json.dumps(wrap(simple("Gather", data=dict(P((0, 65535)))))), {0, 1}),
    "huge_channels": (json.dumps(wrap(simple("Max", channels=BIG))), {1, 3}),
    "huge_step": (json.dumps(wrap(simple("Max", data=P((BIG, 8))))), {1, 3}),
    "huge_offset": (json.dumps(wrap(simple("Max", data={"offset": BIG}))), {1, 3}),
    "huge_partition": (json.dumps(wrap(simple("Max", data={"partition": 2**32}))), {1, 3}),
    "negative_channels": (json.dumps(wrap(simple("Max", channels=-1))), {1, 3}),
    "channels_256_plus_128": (json.dumps(wrap(simple("Max", channels=384))), {1, 3}),
    "per_index_258": (json.dumps(wrap(simple("IndirectCopy", elements_per_index=258))), {1, 3}),
    "dst_65536_plus": (json.dumps(wrap(simple("IndirectCopy", dst=P((0, 32768), (0, 2))))), {1}),
    "data_65538": (json.dumps(wrap(simple("IndirectCopy", data=P((1, 32769), (0, 2))))), {1}),
    "dtype_2_32": (json.dumps(wrap(simple("Max", data={"dtype": 2**32 + 16}))), {1, 3}),
    "operator_negative": (json.dumps(wrap(simple("TensorScalarCache", op0=-1))), {1, 3}),
    "operator_260": (json.dumps(wrap(simple("TensorScalarCache", op0=260))), {1}),
    "accumulate_259": (json.dumps(wrap(simple("TensorScalarCache", accumulate=259))), {1, 3}),
    "register_300": (json.dumps(wrap(simple("TensorScalarCache", imm0={"reg": 300}))), {1, 3}),
    "register_minus": (json.dumps(wrap(simple("TensorScalarCache", imm0={"reg": -1}))), {1, 3}),
    "bits_33": (json.dumps(wrap(simple("TensorScalarCache", imm0={"bits": "0x100000000"}))), {1, 3}),
    "bits_text": (json.dumps(wrap(simple("TensorScalarCache", imm0={"bits": "zz"}))), {3}),
    "bits_and_reg": (json.dumps(wrap(simple("TensorScalarCache", imm0={"bits": "0x0", "reg": 1}))), {3}),
    "scalar_null": (json.dumps(wrap(simple("MatchReplace", imm=[None]))), {3}),
    "scalar_true": (json.dumps(wrap(simple("MatchReplace", imm=True))), {3}),
    "nan_literal": ('{"schema":"opendve.lower/1","instructions":[],"x":NaN}', {3}),
    "top_member": ('{"schema":"opendve.lower/1","instructions":[],"x":1}', {3}),
    "trailing": (json.dumps(wrap(simple("Max"))) + " x", {3}),
    "two_documents": (json.dumps(wrap(simple("Max"))) * 2, {3}),
    "cut": (json.dumps(wrap(simple("Max")))[:-2], {3}),
    "deep": ("[" * 100000, {3}),
    "deep_pattern": ('{"schema":"opendve.lower/1","instructions":[{"op":"Memset","channels":1,"value":1,"dst":' + '{"indirect":' * 20000, {3}),
    "nul": (json.dumps(wrap(simple("Max"))).replace("sbuf", "sbuf\0"), {3}),
    "nul_escape": (json.dumps(wrap(simple("Max"))).replace("sbuf", "sbuf\\u0000"), {3}),
    "bad_utf8": (json.dumps(wrap(simple("Max"))).encode().replace(b"sbuf", b"sb\xff"), {3}),
    "duplicate_member": (json.dumps(wrap(simple("Max"))).replace('"channels": 128', '"channels": 128, "channels": 64'), {0, 1, 3}),
    "comment": ("// x\n" + json.dumps(wrap(simple("Max"))), {3}),
    "leading_zero": (json.dumps(wrap(simple("Max"))).replace("128", "0128"), {3}),
    "hex_number": (json.dumps(wrap(simple("Max"))).replace("128", "0x80"), {3}),
    "plus_number": (json.dumps(wrap(simple("Max"))).replace("128", "+128"), {3}),
    "escaped_name": (json.dumps(wrap(simple("Max"))).replace('"op"', '"\\u006fp"'), {0}),
    "scalar_1e400": (json.dumps(wrap(simple("MatchReplace"))).replace('"-inf"', "1e400"), {0, 1, 3}),
    "scalar_long": (json.dumps(wrap(simple("MatchReplace"))).replace('"-inf"', "1." + "0" * 5000 + "1"), {0}),
    "indirect_in_indirect": (json.dumps(wrap(simple("TensorCopy", src={"indirect": simple("TensorCopy", src={"indirect": simple("Max")["data"]})["src"]}))), {1, 3}),
    "mask_of_numbers": (json.dumps(wrap(simple("StreamShuffle", mask=[256 + k for k in range(32)]))), {1, 3}),
    "thousand_instructions": (json.dumps(wrap(*[simple("Max")] * 1000)), {0}),
}


def main(program):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        spec, out = os.path.join(folder, "s.json"), os.path.join(folder, "o.bin")
        for gen in ("gen2", "gen3", "gen4", "gen5"):
            for name, (text, allow) in CASES.items():
                with open(spec, "wb") as f:
                    f.write(text if isinstance(text, bytes) else text.encode())
                if os.path.exists(out):
                    os.remove(out)
                p = subprocess.run([program, "lower", spec, "--gen", gen, "-o", out], capture_output=True, timeout=60)
                if p.returncode not in allow or (p.returncode and os.path.exists(out)) or (p.returncode and not p.stderr):
                    bad += 1
                    print("DIFFERS odd %s %s: exit %d, allowed %s, file %s: %s" %
                          (gen, name, p.returncode, sorted(allow), os.path.exists(out), p.stderr[:200]))
    print("%d odd inputs, %d differences" % (4 * len(CASES), bad))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
