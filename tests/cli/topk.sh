#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve topk: results against a sort, hazards, outputs, plans and their replay, every exit status.
# usage: topk.sh PROGRAM
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if ! python -c 'import numpy' 2>/dev/null; then
    echo "skipped: /usr/bin/python3 has no numpy"
    exit 77
fi
python - <<'PYTHON'
import numpy as np
r = np.random.default_rng(1)
np.save("a.npy", np.floor(r.standard_normal((300, 1000)) * 40).astype("f4"))   # full of equals
np.save("half.npy", r.standard_normal((130, 300)).astype("f2"))
bf = (r.standard_normal((5, 200)).astype("f4").view("u4") >> 16).astype("u2")
np.save("bf.npy", bf)
np.save("bfv.npy", bf.view("V2"))
np.save("long.npy", r.standard_normal((3, 40000)).astype("f4"))
np.save("one.npy", np.arange(20, dtype="f4"))
np.save("cube.npy", np.arange(60, dtype=">f4").reshape(3, 4, 5))
np.save("double.npy", r.standard_normal((2, 30)))
np.save("int.npy", np.arange(20, dtype="i4").reshape(2, 10))
np.save("byte.npy", np.arange(20, dtype="u1").reshape(2, 10))
np.save("raw4.npy", np.zeros((2, 10), "V4"))
np.save("empty.npy", np.zeros((0, 5), "f4"))
np.save("short.npy", np.array([[3, 1, 2]], "f4"))
np.save("ints.npy", r.integers(-9000, 9000, (130, 300)).astype("i4"))
np.save("longs.npy", r.integers(0, 60000, (2, 20000)).astype("u2"))
np.save("few.npy", np.array([[-3, 100, 2]], "i1"))
np.save("large.npy", np.array([[16777217, 5, 16777216, 3, 2, 1, 0, -1, -2]], "i4"))
np.save("codes.npy", np.array([[0x38, 0xb8, 0x40, 0x00, 0x7f, 0x39, 0x01, 0x08]], "u1"))   # e4m3: 1 -1 2 0 nan 1.125 ...
h = np.tile(np.arange(40, 0, -1, dtype="f4"), (300, 1))
np.save("good.npy", h)
h[3, 5] = np.nan
h[7, 20:40] = -np.inf
h[299, 30] = h[299, 7]
np.save("hazards.npy", h)
open("noise.npy", "wb").write(b"\x93NUMPY\x01\x00garbage")
PYTHON

# The sort: value descending, position ascending. Arguments: scores values indices k kind
cat >sorted.py <<'PYTHON'
import sys
import numpy as np
scores, values, indices, k, kind = np.load(sys.argv[1]), np.load(sys.argv[2]), np.load(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
scores = scores.reshape(scores.shape[0] if scores.ndim > 1 else 1, -1)
if scores.dtype.kind == "V":
    scores = scores.view("u2")
key = (scores.astype("u4") << 16).view("f4") if kind == "bf16" else scores.astype("f8")
order = np.argsort(-key, axis=1, kind="stable")[:, :k]
assert indices.dtype == np.uint32 and indices.shape == order.shape, (indices.dtype, indices.shape)
assert np.array_equal(indices, order)
assert values.dtype == scores.dtype.newbyteorder("<"), values.dtype
assert np.array_equal(values, np.take_along_axis(scores, order, 1))
PYTHON
topk() { # scores k kind options...
    local scores=$1 k=$2 kind=$3
    shift 3
    rm -f v.npy i.npy
    run 0 topk "$scores" -k "$k" --values v.npy --indices i.npy "$@"
    holds python sorted.py "$scores" v.npy i.npy "$k" "$kind"
}

# results
for gen in gen2 gen3 gen4 gen5; do topk a.npy 20 own --gen "$gen"; done
topk a.npy 1000 own
topk a.npy 1 own --threads 2
topk a.npy 30 own --simd scalar
topk a.npy 30 own --unfused
OPENDVE_SIMD=scalar topk a.npy 30 own
topk half.npy 9 own
topk bf.npy 11 bf16 --dtype bf16
topk bfv.npy 11 bf16 --dtype bf16
topk long.npy 70 own
topk one.npy 20 own
topk cube.npy 7 own
topk short.npy 3 own
says 'short-row'
topk ints.npy 20 own
topk ints.npy 300 own --gen gen2
topk longs.npy 9 own
topk few.npy 2 own
topk byte.npy 5 own --threads 2
run 0 topk codes.npy -k 3 --dtype fp8_e4m3 --values v.npy --indices i.npy
says 'nan (alters): 1 element is NaN, column 4'
holds python -c 'import numpy as np; v, i = np.load("v.npy"), np.load("i.npy"); assert v.dtype == np.uint8 and v.tolist() == [[0x40, 0x39, 0x38]] and i.tolist() == [[2, 5, 0]]'
run 0 topk large.npy -k 2 --values v.npy --indices i.npy
says 'through-fp32 (alters): 1 integer is no fp32 value, the first is 16777217, column 0'
holds python -c 'import numpy as np; assert np.load("v.npy").tolist() == [[16777216, 16777216]]'
run 1 topk large.npy -k 2 --strict
rm -f v.npy i.npy
run 0 topk double.npy -k 5 --convert --values v.npy
holds python -c 'import numpy as np; v = np.load("v.npy"); s = np.sort(np.load("double.npy").astype("f4"))[:, ::-1]; assert v.dtype == np.float32 and (v == s[:, :5]).all()'
run 0 topk a.npy -k 12 --method replace-indices --values v.npy --indices i.npy
holds python -c 'import numpy as np; a, v, i = np.load("a.npy"), np.load("v.npy"), np.load("i.npy"); assert (v == -np.sort(-a)[:, :12]).all() and (np.take_along_axis(a, i.astype(int), 1) == v).all()'

# text
run 0 topk good.npy -k 3
prints 'row  rank  value  index'
prints 'estimated cost: '
quiet
run 0 topk good.npy -k 3 --stats
holds grep -Eq '^estimated cost: [0-9]+ cycles, [0-9]+\.[0-9]{3} us \(gen3, estimate\)$' .out
prints 'FindIndex8'
run 0 topk good.npy -k 9 --listing --gen trn1
prints '0x6f  MatchReplace8'
prints 'sbuf[0]+0x0:fp32 [1,40]'
prints '2 times'
prints '24 records in all on gen2'
run 0 topk good.npy -k 3 --gen gen5
prints 'gen4'
run 0 topk --help
prints 'example: '

# JSON
run 0 topk good.npy -k 9 --json
json 'd["schema"] == "opendve.topk/1" and d["gen"] == "gen3" and d["rows"] == 300 and d["columns"] == 40 and d["k"] == 9'
json 'd["dtype"] == "fp32" and d["method"] == "find" and d["replace"] == {"bits": "0xff800000", "value": "-inf"}'
json 'd["batches"] == 3 and d["records"] == 24 and d["hazards"] == [] and "values" not in d'
json 'sum(s["cycles"] for s in d["stats"]) == d["cost"]["cycles"]'
run 0 topk hazards.npy -k 8 --json
says '3 hazards in all: 2 of class alters, 1 of class informs'
json '[(h["kind"], h["class"], h["row"], h["columns"], h["count"], h["round"]) for h in d["hazards"]] == [("nan", "alters", 3, [5], 1, None), ("marker-in-data", "alters", 7, list(range(20, 36)), 20, None), ("tie-at-cut", "informs", 299, [7, 30], 2, 0)]'
json 'd["hazards"][2]["value"]["value"] == 33 and d["hazard_counts"]["total"] == 3'
cp .out first.json
run 0 topk hazards.npy -k 8 --json --threads 1
same .out first.json
run 0 topk a.npy -k 8 --json --replace 1000 --assume hidden_state=partition
json 'len(d["hazards"]) >= 300 and d["hazard_counts"]["marker-above-cut"] == 300'
holds [ "$(grep -c 'hazard: row' .err)" = 16 ]
if python -c 'import jsonschema' 2>/dev/null; then
    for arguments in 'good.npy -k 9' 'hazards.npy -k 8' 'short.npy -k 2' 'a.npy -k 9 --replace 5' 'half.npy -k 1 --gen gen5'; do
        # shellcheck disable=SC2086
        run 0 topk $arguments --json
        valid topk
    done
else
    echo "skipped: no jsonschema, reports are not validated"
fi

# --strict
run 1 topk hazards.npy -k 8 --strict --values strict.npy --plan strict.json --json
json 'len(d["hazards"]) == 3'
absent strict.npy
absent strict.json
absent strict.bin
run 0 topk good.npy -k 8 --strict --values strict.npy
run 0 topk short.npy -k 2 --strict
clean

# wrong usage
usage() { # words of the message, arguments...
    local words=$1
    shift
    run 2 topk "$@"
    says "$words"
}
usage '-k K' good.npy
usage 'k is 0; allowed: 1..40' good.npy -k 0
usage 'k is 41; allowed: 1..40' good.npy -k 41
usage 'eight' good.npy -k eight
usage '8192' long.npy -k 8193
usage 'takes one file' -k 3
usage 'takes one file' good.npy one.npy -k 3
usage 'use method find' good.npy -k 3 --gen gen2 --method replace-indices
usage '16384' long.npy -k 3 --method replace-indices
usage 'find, replace-indices' good.npy -k 3 --method sort
usage 'nan' good.npy -k 3 --replace nan
usage '--replace' good.npy -k 3 --replace 1x
usage '--replace' good.npy -k 3 --replace ''
usage 'allowed: fp32' good.npy -k 3 --dtype bf16
usage 'allowed: fp32' good.npy -k 3 --dtype fp32r
usage 'allowed: uint16, bf16' bf.npy -k 3 --dtype fp16
usage 'raw bits' bfv.npy -k 3
usage '.view(np.float32)' raw4.npy -k 3
usage 'float32' double.npy -k 3
usage '--threads' good.npy -k 3 --threads 0
usage '--simd' good.npy -k 3 --simd none
usage '--gen' good.npy -k 3 --gen gen9
usage '--assume' good.npy -k 3 --assume hidden_state=none
usage 'stdout' good.npy -k 3 --values - --indices -
usage 'stdout' good.npy -k 3 --values - --json
usage 'stdout' good.npy -k 3 --json --listing
usage '.json' good.npy -k 3 --plan -
usage '.json' good.npy -k 3 --plan plan.txt
usage 'same' good.npy -k 3 --values x.npy --indices ./x.npy
usage 'same' good.npy -k 3 --plan p.json --values p.bin
usage 'same' good.npy -k 3 --plan p.json --trace p.json
absent x.npy
absent p.bin
absent p.json

# inputs and outputs that fail
run 3 topk missing.npy -k 3
run 3 topk noise.npy -k 3
run 3 topk empty.npy -k 3
run 3 topk . -k 3
run 5 topk good.npy -k 3 --values no/such/place.npy
run 5 topk good.npy -k 3 --values w.npy --indices no/such/place.npy
absent w.npy
if [[ -c /dev/full ]]; then
    run 5 topk good.npy -k 3 --values w.npy --indices /dev/full
    absent w.npy
    run 5 topk good.npy -k 3 --plan p.json --trace /dev/full
    absent p.json
    for option in --json --stats --listing; do
        "$program" topk good.npy -k 3 $option --values w.npy >/dev/full 2>.err
        holds [ $? = 5 ]
        absent w.npy
    done
fi
clean

# stdin and stdout
"$program" topk - -k 5 --values - <a.npy >piped.npy 2>.err
holds [ $? = 0 ]
run 0 topk a.npy -k 5 --values v.npy
same piped.npy v.npy
# shellcheck disable=SC2002
cat a.npy | "$program" topk - -k 5 --indices - 2>/dev/null | cat >piped.npy
run 0 topk a.npy -k 5 --indices i.npy
same piped.npy i.npy

# --trace
run 0 topk good.npy -k 9 --trace t.json
cp t.json .out
json 'len([e for e in d["traceEvents"] if e["ph"] == "X"]) == 24'

# plans
replay() { # scores, topk's arguments...
    local scores=$1
    shift
    rm -f p.json p.bin v.npy i.npy rv.npy ri.npy
    run 0 topk "$scores" "$@" --plan p.json --values v.npy --indices i.npy
    cp p.json .out
    if python -c 'import jsonschema' 2>/dev/null; then valid plan; fi
    run 0 exec --plan p.json --in "$scores" --values rv.npy --indices ri.npy
    same v.npy rv.npy
    same i.npy ri.npy
}
damage() { # what says the message, Python that changes the plan d
    python -c "import json
d = json.load(open('p.json'))
s = d['steps']
$2
json.dump(d, open('bad.json', 'w'))"
    cp p.bin bad.bin
    run 3 exec --plan bad.json --in a.npy --values rv.npy
    says "$1"
    absent rv.npy
}
if "$program" exec --help 2>/dev/null | grep -q -- --plan; then
    replay long.npy -k 70
    replay half.npy -k 17 --gen gen2
    replay bf.npy -k 9 --dtype bf16 --method replace-indices
    replay short.npy -k 2 --replace 2.5
    replay a.npy -k 12 --assume hidden_state=partition
    rm -f rv.npy ri.npy
    run 2 exec --plan p.json --in good.npy --values rv.npy
    run 2 exec --plan p.json --in half.npy --values rv.npy
    run 2 exec --plan p.json --in a.npy --values rv.npy --gen gen4
    run 0 exec --plan p.json --in a.npy --gen cayman
    damage '$.steps[0].rows' 's[0]["rows"] = 129'
    damage '$.steps[0].place.offset' 's[0]["place"]["offset"] = 1 << 20'
    damage '$.steps[0].place' 's[0]["place"] = 7'
    damage '$.steps[0]' 's[0]["more"] = 7'
    damage '$.steps[1].first' 's[1]["first"] = 10**6'
    damage '$.steps[1].count' 'del s[1]["count"]'
    damage '$.steps[2].dtype' 's[2]["dtype"] = "float"'
    damage '$.steps[2].step' 's[2]["step"] = "jump"'
    damage '$.steps[3]' 's[3] = None'
    damage '$.steps[4].buffer' 's[4]["buffer"] = 9'
    damage '$.steps' 'd["steps"] = {}'
    damage '$.settings.hidden_state' 'd["settings"]["hidden_state"] = "lane"'
    damage '$.settings' 'd["settings"]["colour"] = "red"'
    damage '$.replace.bits' 'd["replace"]["bits"] = "0x12"'
    damage '$.replace' 'd["replace"]["bits"] = "0x7fc00000"'
    damage '$.schema' 'd["schema"] = "opendve.plan/2"'
    damage '$.k' 'd["k"] = -1'
    damage '$.k' 'd["k"] = 1001'
    damage '$.rows' 'd["rows"] = "300"'
    damage '$.gen' 'd["gen"] = "gen1"'
    damage '$: ' 'd["more"] = 1'
    head -c 63 p.bin >bad.bin && cp p.json bad.json
    run 3 exec --plan bad.json --in a.npy
    head -c 64 p.bin >bad.bin
    run 3 exec --plan bad.json --in a.npy
    says '$.steps[1]'
    rm bad.bin
    run 3 exec --plan bad.json --in a.npy
    for text in '' '{' '[]' 'null' '{"schema":"opendve.plan/1"} x' '{"schema":"opendve.plan/1",}'; do
        printf '%s' "$text" >bad.json
        run 3 exec --plan bad.json --in a.npy
    done
    run 3 exec --plan missing.json --in a.npy
    run 2 exec --plan p.bin --in a.npy
    # A record that breaks a rule is the machine's finding, not the plan's.
    cp p.json bad.json
    python -c 'b = bytearray(open("p.bin", "rb").read()); b[34] = 0; open("bad.bin", "wb").write(b)'
    run 1 exec --plan bad.json --in a.npy --values rv.npy
    absent rv.npy
    clean
else
    echo "SKIPPED: exec does not take --plan, replay is not tested"
fi

summary
