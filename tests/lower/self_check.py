#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The oracle against the vectors by hand: two derivations of the same text."""
import sys

from lower_oracle import lower
from vectors_by_hand import CASES

bad = 0
for v in CASES:
    o = lower(v["spec"], v["gen"])
    if "records" in v:
        got = [r.hex() for r in o.records] if o.exit == 0 else [o.reason]
        if got != v["records"]:
            bad += 1
            print("DIFFERS", v["name"], o.kind, o.reason)
            for a, b in zip(v["records"], got):
                if a != b:
                    print("  hand  ", a)
                    print("  oracle", b)
    elif o.exit != v["exit"]:
        bad += 1
        print("DIFFERS", v["name"], o.exit, o.reason)
print(bad, "differences")
sys.exit(bool(bad))
