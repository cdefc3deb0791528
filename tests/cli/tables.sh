#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve tables on synthetic sets (tablesets.py), and machines gated by them. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python "$here/tablesets.py" .
g2=synthetic_dve_bin_gen2 g3=synthetic_dve_bin_gen3 g4=synthetic_dve_bin_gen4

# ---- what stands in the directories ----

for d in $g2 $g3 $g4; do
    gen=${d##*_}
    run 0 tables check $d
    quiet
    prints '0 errors, 0 warnings'
    holds test "$(grep -c '^\(error\|warning\)' .out)" = 0
    run 0 tables check $d --json
    valid tables-check
    json "d['good'] and d['counts']['errors'] == 0 and d['counts']['warnings'] == 0 and d['gen'] == '${gen#bin_}'"
    # Published figures hold, and that is all that is said of them; nothing synthetic is taken for a vendor's file.
    json "{f['rule'] for f in d['findings']} <= {'unreferenced_row', 'slow_backbone', 'census_match'}"
    json "[(f['set'], f['severity']) for f in d['findings'] if f['rule'] == 'census_match'] == [('default', 'info')]"
    run 0 tables show $d --json
    quiet
    valid tables-show
    cp .out show.json
    json "[s['name'] for s in d['sets'] if s['census']['matches'] == 'build 2.24.5133.0'] == ['default']"
    json "all(f['known'] is None for s in d['sets'] for f in s['files'].values())"
    run 0 tables check $d
    prints "info: default: all $([[ $d == $g2 ]] && echo 9 || { [[ $d == $g3 ]] && echo 6 || echo 9; }) counts are those observed of build 2.24.5133.0 [census_match]"
    run 0 tables show $d
    holds test "$(grep -c '^these are all counts that were observed of build 2.24.5133.0$' .out)" = 1
    holds test "$(grep -c '^set ' .out)" = "$(python -c "import json; print(len(json.load(open('show.json'))['sets']))")"
    run 0 tables names $d
    quiet
    run 0 tables names $d --json
    valid tables-names
done

# Every printed entry, row, selector, control row and lane, in the whole chain from file to report.
for d in $g2 $g3 $g4; do
    for set in $(python -c "import json; print(*[s['name'] for s in json.load(open('$d/dve_info.json'))['tables']])"); do
        run 0 tables show $d --set "$set" --json
        valid tables-show
        cp .out "$d.$set.json"
    done
done
python - <<'END' >.asserted || bad 'printed values are not as printed'
import json
from tablesets import printed
def shown(gen, name):
    return json.load(open("synthetic_dve_bin_gen%d.%s.json" % (gen, name)))["sets"][0]
n = 0
def same(a, b, what):
    global n
    n += 1
    assert a == b, (what, a, b)
for kind in ("ENTRY", "DERIVED"):
    for gen, name, op, raw in printed(kind):
        bits = 7 if gen == 2 else 8
        slot = [s for s in shown(gen, name)["slots"] if s["value"] == op]
        same(len(slot), int(raw != 0), (gen, name, op))
        for s in slot:
            same((int(s["raw"], 16), s["row"], s["slow"]), (raw, raw & (1 << bits) - 1, raw >> bits), (gen, name, op))
            same(s["slow_alt"], raw >> (7 if gen == 2 else 9), (gen, name, op))
for gen, name, op, row in printed("ROW"):
    same([s["row"] for s in shown(gen, name)["slots"] if s["value"] == op], [row], (gen, name, op))
for gen, name, op, selector in printed("SELECTOR"):
    same([s["slow"] for s in shown(gen, name)["slots"] if s["value"] == op], [selector], (gen, name, op))
for gen, name, key, row, text in printed("CONTROL"):
    rows = {r["row"]: r["bytes"].split() for r in shown(gen, name)["rows"][key.lower() + "_table"]}
    for i, byte in enumerate(text.split()):
        same(rows.get(row, ["00"] * 16)[i] if byte != "??" else byte, byte, (gen, name, key, row, i))
for gen, op, lane, word, valid, mode, stage in printed("LANE"):
    s = shown(gen, "default")
    row = [e["row"] for e in s["slots"] if e["value"] == op][0]
    l = [b for b in s["blocks"] if b["row"] == row][0]["lanes"][lane]
    same((int(l["word"], 16), l["valid"], l["mode"], l["stage"], l["class"]), (word, valid, mode, stage, "config"), (gen, op, lane))
for op, lane, opa, opb, mux in printed("LANE2"):
    s = shown(2, "default")
    row = [e["row"] for e in s["slots"] if e["value"] == op][0]
    l = [b for b in s["blocks"] if b["row"] == row][0]["lanes"][lane]
    same((l["opa"], l["opb"], l["mux"]), (opa, opb, mux), (op, lane))
slow = [r["bytes"] for r in shown(4, "default")["rows"]["control_slow_table"]]
for text, count in printed("BACKBONE"):
    same(sum(r[3:].startswith(text) for r in slow), count, text)
row48 = [r for r in shown(4, "default")["rows"]["control_slow_table"] if r["row"] == 48][0]
same((row48["steps_of_12_bits"], row48["lanes_of_6_bits"]), (["0x300", "0x30c", "0x30c", "0x30c"], [0] + [12] * 7), "row 48")
# Sizes, rosters and their growth, names.
for gen, sizes in ((2, [2048, 2048, 8192]), (3, [1024, 4096, 4096, 16384]), (4, [1024, 4096, 4096, 16384])):
    s = shown(gen, "default")
    same([f["bytes"] for f in s["files"].values()], sizes, gen)
    same(s["roster"], "as published", gen)
ops = {g: set(shown(g, "default")["ops"]) for g in (2, 3, 4)}
same([len(ops[g]) for g in (2, 3, 4)], [46, 52, 59], "growth")
same((ops[3] - ops[2], ops[2] - ops[3]), ({96, 147, 152, 154, 155, 188, 230, 233, 240}, {140, 141, 159}), "gen3")
same((ops[4] - ops[3], ops[3] - ops[4]), ({48, 119, 120, 224, 225, 226, 227}, set()), "gen4")
same(shown(2, "transformer")["roster"], "as published", "transformer")
same(shown(4, "saturate")["ops"], shown(4, "default")["ops"], "saturate")
same(shown(2, "transformer_fwd")["roster"], "unpublished, the count agrees", "fwd")
same(shown(3, "transformer")["roster"], "unpublished", "gen3 transformer")
same([shown(g, "default")["census"]["disabled_slots"] for g in (2, 3, 4)], [4, 0, 0], "residents")
print(n)
END
holds test "$(cat .asserted)" -ge 200

# What the text of a set shows of rows and lanes, against the printed ones.
run 0 tables show $g4 --set default
prints '48  00 c3 30 0c c3 30 01 00 00 00 00 00 00 00 00 00  300 30c 30c 30c  0 12 12 12 12 12 12 12'
holds grep -qE '^ *48 .* 00000001  0x41 TensorTensorArithOp' .out
holds grep -qE '^ *111 +00 00 e8 00 a0 82 08 00( 00){8}  00 +00 +e8 00 +a0 82 +08 +00 ' .out
prints 'step_selector: byte 6..6, 0x09 arithmetic, 0x08 copies, 0x79 block scaling [CTL I]'
prints 'count_or_mask: byte 6..6, a loop count, or a mask of lanes [CTL I]'
holds grep -qE '^ *16 +active +[0-9] +0  0x0a00040000001438  config +1 +0 +0$' .out
prints 'STAGE: bit 46..48'
run 0 tables show $g2 --set default
holds grep -qE '^ *2 +active +2 +0  0x0211441c  config +1 +0 +2 +0x1c +4 +0x028$' .out
holds grep -qE '^ *41 +active +8 +3  0x077d6000  config +1 +3 +7 +0x00 +0 +0x1ac$' .out
# Exclusive ors of words: gen4's saturate has 65 distinct ones of the datapath, among them the printed one.
run 1 tables diff $g4 $g4:saturate --json
valid tables-diff
json "all(len(t['masks']) == t['patterns'] and t['masks'] == sorted(set(t['masks'])) for t in d['tables'])"
json "[(len(t['masks']), '0x0001800001540000' in t['masks']) for t in d['tables'] if t['table'] == 'datapath_table'] == [(65, True)]"
json "[t['masks'] for t in d['tables'] if t['table'] == 'opcode_table'] == [['0x0000000000000001']]"
run 1 tables diff $g4 $g4:saturate
prints 'opcode_table, exclusive ors: 0x1'
prints 'and 57 more, --json lists them'

# ---- lookup ----

run 0 tables lookup 65 $g2 --json
valid tables-lookup
json "(d['raw'], d['row'], d['slow'], d['slow_alt'], d['slow_row'], d['enabled']) == ('0x003', 3, 0, 0, None, True)"
json "d['control']['table'] == 'control_table' and d['block']['lanes'][0]['word'] == '0x0010041c' and d['block']['class'] == 'active'"
run 0 tables lookup tensor_tensor_arith_op $g3 --json
valid tables-lookup
json "(d['raw'], d['row'], d['slow'], d['slow_alt'], d['gap_bit']) == ('0x3008', 8, 48, 24, 0) and d['set'] == 'default'"
json "d['control']['table'] == 'control_fast_table' and d['slow_row']['row'] == 48 and d['slow_row_alt']['row'] == 24"
json "d['assumptions'] == ['slow_selector']"
run 0 tables lookup 0x41 $g4
prints 'selector: 48 (entry >> 8), or 24 (entry >> 9, bit 8 is 0)'
prints 'control_fast_table row 16: 00 00 00 00 20 80 09 00'
prints '0x0a00040000001438  config'
run 0 tables lookup 102 $g2
prints 'selector: 19; gen2 ships nothing that it could select'
prints 'datapath block 79: zero'
run 0 tables lookup 227 $g4:saturate --json
json "d['control']['bytes'].startswith('01 92 00 00 08 80 01 00') and d['set'] == 'saturate'"
run 0 tables lookup 227 $g4 --set saturate
prints 'in set saturate'
# DIR:SET is the same as --set for every action; naming two sets for one directory is refused.
cp -r $g2 "name:transformer"
for action in show check names 'lookup 65' "diff $g2:transformer"; do
    # shellcheck disable=SC2086
    run 0 tables $action $g2:transformer --json
    cp .out colon.json
    # shellcheck disable=SC2086
    run 0 tables $action $g2 --set transformer --json
    same .out colon.json
    # shellcheck disable=SC2086
    run 0 tables $action $g2:transformer --set transformer --json
    same .out colon.json
    # shellcheck disable=SC2086
    run 2 tables $action $g2:transformer --set default --json
    says 'option --set: default was given, synthetic_dve_bin_gen2:transformer names another set'
    holds test ! -s .out
    # shellcheck disable=SC2086
    run 2 tables $action $g2:transformr
    says 'did you mean transformer?'
done
run 2 tables diff $g2 $g2:transformer --set default
run 0 tables check $g2:transformer --json
json "{f['set'] for f in d['findings']} == {'transformer'}"
# A directory of that very name wins.
run 0 tables show name:transformer --json
json "len(d['sets']) == 5"
run 0 tables show name:transformer --set default
# Disabled: nothing in the table, a resident, the idle slot.
run 1 tables lookup 108 $g2:transformer --json
valid tables-lookup
json "d['enabled'] is False and d['raw'] == '0x000' and d['row'] is None and d['block'] is None and d['slot'] == 'absent'"
says 'opcode 0x6c is not enabled in set transformer'
run 1 tables lookup 147 $g2 --json
valid tables-lookup
json "d['slot'] == 'resident' and d['raw'] == '0x102' and not d['enabled']"
says 'although the table has an entry'
run 1 tables lookup 0 $g2
prints 'entry: 0x180'
run 2 tables lookup max9 $g2
says 'did you mean max8?'
run 2 tables lookup 256 $g2
run 2 tables lookup -1 $g2
run 2 tables lookup 65 $g2:deflt
says 'did you mean default?'

# ---- names: what a generation's table of names lacks ----

run 0 tables names $g4 --json
json "{o['value'] for o in d['opcodes'] if o['names']['gen2'] == 'Unknown'} == {188, 224, 225, 226, 227, 233}"
json "{o['value'] for o in d['opcodes'] if o['names']['gen3'] == 'Unknown'} == {224, 225, 226, 227}"
json "[o['compiler_kinds'] for o in d['opcodes'] if o['value'] == 227] == [[{'ordinal': 96, 'name': 'QuantizeMx'}]]"
json "[o['names']['gen4'] for o in d['opcodes'] if o['value'] == 96] == ['BatchNormStats']"
run 0 tables names $g2 --json
json "{o['value'] for o in d['opcodes'] if o['names']['gen2'] == 'Unknown'} == {241, 242}"
json "{o['value'] for o in d['opcodes'] if o['names']['gen3'] == 'Unknown'} == {138, 139, 140, 141, 143}"
json "{o['value'] for o in d['opcodes'] if 'default' in o['resident']} == {147, 240, 241, 242}"
json "len([o for o in d['opcodes'] if o['sets']]) == 52"
run 0 tables names $g2 --set default
prints '50 opcodes'

# ---- differences ----

run 0 tables diff $g4 $g4
prints 'identical'
run 0 tables diff $g2:default $g2 --json
valid tables-diff
json "d['identical'] and d['opcodes'] == []"
run 1 tables diff $g4 $g4:saturate --json
valid tables-diff
json "not d['identical'] and d['ops_added'] == [] and d['ops_dropped'] == []"
json "{t['table']: (t['rows'], t['words']) for t in d['tables'] if t['table'] != 'datapath_table'} == {'opcode_table': (2, 2), 'control_fast_table': (28, 28), 'control_slow_table': (17, 17)}"
json "[(t['rows'], t['words'], t['patterns'], t['first_byte']) for t in d['tables'] if t['table'] == 'datapath_table'] == [(29, 134, 65, 9161)]"
json "{o['value']: (o['first']['row'], o['second']['row']) for o in d['opcodes'] if o['value'] in (225, 234)} == {225: (170, 171), 234: (180, 181)}"
run 1 tables diff $g2 $g2:transformer --json
json "sorted(d['ops_added']) == [138, 139, 143, 154, 155, 230] and sorted(d['ops_dropped']) == [88, 108, 109, 110, 111]"
json "[(t['rows'], t['words']) for t in d['tables']] == [(34, 34), (0, 0), (93, 588)]"
json "{o['change'] for o in d['opcodes'] if o['value'] in (88, 108, 109, 110, 111)} == {'dropped'}"
run 1 tables diff $g4 $g4:transformer --json
json "[t['rows'] for t in d['tables'] if t['table'] == 'control_fast_table'] == [170]"
# Across generations: selectors double, and 65 gains one.
run 1 tables diff $g2 $g3 --json
valid tables-diff
json "not any(o['breaks_doubling'] for o in d['opcodes']) and not any(t['comparable'] for t in d['tables'])"
json "{o['value'] for o in d['opcodes'] if o['first']['slow'] and o['second']['slow']} == {0, 73, 77, 102, 105, 106, 107, 130, 131, 132, 147, 240}"
json "[o['change'] for o in d['opcodes'] if o['value'] == 65] == ['changed']"
run 1 tables diff $g2 $g3
prints 'gained a selector'
prints 'not comparable: another layout'
run 1 tables diff $g2 $g3 --gen gen3
run 1 tables diff $g3 $g4 --json
json "not any(o['breaks_doubling'] for o in d['opcodes'])"
# A pure renumbering is told as such.
python - <<'END'
import tablesets
a = tablesets.gen2()[0]
b = a.copy("default", a.ops)
r, to = a.row(66), 127
b.control["control_table"][to], b.block[to] = bytearray(a.control["control_table"][r]), list(a.block[r])
b.put(66, to)
tablesets.write_set("renumbered_gen2", 2, [b])
# A selector that does not double.
c = tablesets.gen3()[0]
c.put(73, 48, 7)
tablesets.write_set("odd_gen3", 3, [c])
END
run 1 tables diff $g2 renumbered_gen2 --json
json "[(o['value'], o['change'], o['lanes']) for o in d['opcodes']] == [(66, 'moved', [])]"
run 1 tables diff $g2 odd_gen3 --json
json "[o['value'] for o in d['opcodes'] if o['breaks_doubling']] == [73]"
run 1 tables diff $g2 odd_gen3
prints 'selector (not doubled)'

# ---- which generation (R40) ----

gen_of() { # DIRECTORY GEN WHY
    run 0 tables show "$1" --json
    json "(d['gen'], d['gen_from']) == ('$2', '$3')"
}
cp -r $g4 plain4
cp -r $g3 plain3
cp -r $g4 named_gen3
gen_of $g2 gen2 'three tables a set'
gen_of $g4 gen4 "the directory\\'s name"
gen_of $g4/ gen4 "the directory\\'s name"
gen_of plain4 gen4 'opcode 227 or a set named saturate'
gen_of plain3 gen3 'four tables a set, without opcode 227 and saturate'
gen_of named_gen3 gen3 "the directory\\'s name"
run 0 tables show plain3 --gen trn3 --json
json "(d['gen'], d['gen_from']) == ('gen4', '--gen')"
(cd $g4 && "$program" tables show . --json >../.out)
json "d['gen_from'] == \"the directory's name\""
run 2 tables show $g2 --gen gen3
says 'three tables, as gen2 has'
run 2 tables show $g3 --gen gen2
run 2 tables show $g3 --gen gen5
run 2 tables show $g2 --gen gen9

# ---- every integrity rule, on its broken variant ----

python "$here/tables_broken.py" broken >broken.json
last='check of the broken variants'
python - "$program" "$schemas/tables-check.schema.json" <<'END' && good || bad 'broken variants'
import json, subprocess, sys
import jsonschema
schema = jsonschema.Draft202012Validator(json.load(open(sys.argv[2])))
wrong = []
for name, (path, rules) in json.load(open("broken.json")).items():
    run = subprocess.run([sys.argv[1], "tables", "check", path, "--json"], capture_output=True, text=True)
    text = subprocess.run([sys.argv[1], "tables", "check", path], capture_output=True)
    report = json.loads(run.stdout)
    told = {f["rule"] for f in report["findings"]} - {"unreferenced_row", "slow_backbone"}
    # Where a default set was judged, its counts either match those of the build or do not.
    judged = {f["set"] for f in report["findings"] if f["rule"] in ("census", "census_match")}
    if "census" in told and "census_match" in told or not judged <= {"default"}:
        wrong.append((name, "census"))
    told -= {"census_match"}
    errors = [f for f in report["findings"] if f["severity"] == "error"]
    if told != set(rules):
        wrong.append((name, "told", sorted(told), "wanted", rules))
    if (run.returncode, text.returncode) != (int(bool(errors)), int(bool(errors))) or run.stderr or text.stderr:
        wrong.append((name, "exit", run.returncode, text.returncode, run.stderr, text.stderr))
    if report["good"] != (not errors) or report["counts"]["errors"] != len(errors) or list(schema.iter_errors(report)):
        wrong.append((name, "report"))
    if any(byte < 32 and byte != 10 or byte == 127 for byte in text.stdout):
        wrong.append((name, "control characters"))
for line in wrong:
    print(*line)
sys.exit(bool(wrong))
END
# The two rules that tell of every set, on every set: which rows no entry leads to, and how many hold the backbone, both
# counted here from the sets themselves. A row that an entry is led to is no longer told.
last='rules that tell of every set'
python - "$program" <<'END' && good || bad 'rules that tell of every set'
import json, re, subprocess, sys
import tablesets
def findings(folder, name, rule):
    run = subprocess.run([sys.argv[1], "tables", "check", folder, "--set", name, "--json"], capture_output=True, text=True)
    return {f["table"]: f["given"] for f in json.loads(run.stdout)["findings"] if f["rule"] == rule}
def ranges(text):
    parts = [part.split("..") for part in text.split(", ")]
    return {r for part in parts for r in range(int(part[0]), int(part[-1]) + 1)}
def rows(s, key):
    reached = {v >> s.bits() if "slow" in key else s.row(op) for op, v in enumerate(s.entry) if v} - ({0} if "slow" in key else set())
    return {r for r, row in enumerate(s.control[key]) if any(row)} - reached
def compare(folder, s):
    told = findings(folder, s.name, "unreferenced_row")
    assert set(told) == {key for key in s.control if rows(s, key)}, (folder, s.name, told)
    for key, given in told.items():
        count, named = re.fullmatch(r"(\d+) used rows are reached by no entry: (.*)", given).groups()
        assert ranges(named) == rows(s, key) and int(count) == len(rows(s, key)), (folder, s.name, key)
    spine = [key for key in s.control if s.gen == 2 or "slow" in key][0]
    count = sum(bytes(row[1:4]) == bytes([0xc3, 0x30, 0x0c]) for row in s.control[spine])
    wanted = {spine: "%d rows hold c3 30 0c at bytes 1..3" % count} if count or s.gen > 2 else {}
    assert findings(folder, s.name, "slow_backbone") == wanted, (folder, s.name, wanted)
    return count
sets = {2: tablesets.gen2(), 3: tablesets.gen3(), 4: tablesets.gen4()}
counts = {gen: [compare("synthetic_dve_bin_gen%d" % gen, s) for s in sets[gen]] for gen in sets}
# gen4's printed lines have 56, 26 and 9 rows with the backbone at these bytes.
assert counts[2] == [0] * 5 and counts[4][0] == 56 + 26 + 9, counts
for gen in sets:
    s = sets[gen][0]
    key = [k for k in s.control if "slow" not in k][0]
    row = max(rows(s, key))
    s.put(200, row)
    if gen > 2:
        s.put(201, 0, max(rows(s, "control_slow_table")))
        s.control["control_slow_table"][100][1:4] = bytes([0xc3, 0x30, 0x0c])
    tablesets.write_set("led/synthetic_led_gen%d" % gen, gen, [s])
    assert row not in rows(s, key)
    compare("led/synthetic_led_gen%d" % gen, s)
END
# No rule is without a variant but these two, census_match, which tells of good sets (above), stream_opcodes, whose variants
# are streams (below), and one more: no test can make a file that has a published digest, and the
# program takes its digests from nowhere but its own rows. test_tables compares digests with each row, and with changed ones.
python - "$here/../../isa/integrity.def" <<'END' && good || bad 'rules without a broken variant'
import json, re, sys
ids = set(re.findall(r"^INTEGRITY\((\w+),", open(sys.argv[1]).read(), re.M))
broken = {r for _, rules in json.load(open("broken.json")).values() for r in rules}
assert len(ids) >= 35 and ids - broken == {"fingerprint", "unreferenced_row", "slow_backbone", "census_match", "stream_opcodes"}, ids - broken
END
run 0 tables check "$(python -c "import json; print(json.load(open('broken.json'))['backbone_gen2'][0])")"
prints '1 rows hold c3 30 0c at bytes 1..3, allowed is none on gen2 [slow_backbone]'
# A finding names set, table, opcode, row and lane.
run 0 tables check broken/lane_bit_gen4/synthetic_broken_gen4
prints 'warning: default datapath_table row 16 lane 0 (byte 1024): 0x2a00040000001438, allowed is bits of 0x1fffffffffffffff [lane_bits]'
run 1 tables check broken/no_entry/synthetic_broken_gen4
prints 'error: default opcode_table opcode 0x48 Reciprocal: enabled, and the entry is 0, allowed is an entry [rostered_slot]'
# Figures of a build warn where default's counts are that build's, and inform elsewhere; both name it.
while read -r name gen severity; do
    run 0 tables check broken/$name/synthetic_broken_gen$gen --json
    json "{f['severity'] for f in d['findings'] if f['rule'].endswith('_figures')} == {'$severity'}"
    json "all('build 2.24.5133.0' in f['allowed'] for f in d['findings'] if f['rule'].endswith('_figures'))"
    json "('census_match' in [f['rule'] for f in d['findings']]) == ('$severity' == 'warning')"
    json "d['counts']['warnings'] == sum(f['severity'] == 'warning' for f in d['findings'])"
done <<'END'
saturate_word 4 warning
saturate_word_elsewhere 4 info
transformer_row 4 warning
transformer_slot 2 warning
transformer_slot_elsewhere 2 info
END
run 0 tables check broken/saturate_word/synthetic_broken_gen4
prints 'warning: saturate datapath_table: words that differ: 135, allowed is 134 in build 2.24.5133.0 [saturate_figures]'
run 0 tables check broken/saturate_word_elsewhere/synthetic_broken_gen4
prints 'info: saturate datapath_table: words that differ: 135, allowed is 134 in build 2.24.5133.0 [saturate_figures]'
# Which figures of saturate a variant breaks.
while read -r name wanted; do
    run 0 tables check broken/$name/synthetic_broken_gen4 --json
    json "[(f['table'], f['opcode'], f['row'], f['given']) for f in d['findings'] if f['rule'] == 'saturate_figures'] == $wanted"
done <<'END'
saturate_steps [('opcode_table', 225, None, 'entry: 175'), ('opcode_table', 234, None, 'entry: 177')]
saturate_slots [('opcode_table', None, None, 'last slot that differs: 240'), ('opcode_table', 234, None, 'entry: 180')]
saturate_slow_row [('control_slow_table', None, 3, 'rows that differ outside 143..182: 1')]
END
run 0 tables check broken/saturate_block/synthetic_broken_gen4 --json
json "('datapath_table', 183, 'blocks that differ outside 143..182: 1') in [(f['table'], f['row'], f['given']) for f in d['findings']]"
run 3 tables check broken/none
run 3 tables show broken/file_short/synthetic_broken_gen4
says 'has 4095 bytes, allowed is 4096 bytes on gen4 [table_size]'
run 3 tables lookup 65 broken/file_missing/synthetic_broken_gen4
says '[file_present]'
run 3 tables diff $g4 broken/keys_mixed/synthetic_broken_gen4
says '[info_shape]'
# Opcodes are told as they are given, however large.
python - <<'END'
import json
import tablesets
tablesets.write_set("far_gen2", 2, tablesets.gen2())
info = tablesets.info(2, tablesets.gen2())
info["tables"][0]["ops"] += [2**31 - 1, 2**31, 2**32 + 65, 2**63, 2**64 - 1, -2**63, 300]
json.dump(info, open("far_gen2/dve_info.json", "w"))
END
run 0 tables check far_gen2
for op in 2147483647 2147483648 4294967361 9223372036854775808 18446744073709551615 -9223372036854775808 300; do
    prints "warning: default: opcode $op, allowed is 1..255 [ops_range]"
done
prints 'warning: default: opcode -9223372036854775808 behind 18446744073709551615, allowed is ascending, each once [ops_order]'
run 0 tables check far_gen2 --json
json "[f['rule'] for f in d['findings'] if f['rule'].startswith('ops_')].count('ops_range') == 7"
json "[f['rule'] for f in d['findings']].count('ops_order') == 1"
run 0 tables show far_gen2 --set default --json
valid tables-show
json "d['sets'][0]['ops'][-7:] == [2**31 - 1, 2**31, 2**32 + 65, 2**63, 2**64 - 1, -2**63, 300] and d['sets'][0]['roster'].startswith('differs')"
# What check calls malformed no other action takes for good, and no run is gated by it.
python - <<'END'
import json
import tablesets
def malformed(folder, change, **of_set):
    tablesets.write_set("malformed/" + folder, 2, tablesets.gen2())
    info = tablesets.info(2, tablesets.gen2())
    info["tables"][0].update(of_set)
    change(info["tables"][0])
    json.dump(info, open("malformed/%s/dve_info.json" % folder, "w"))
malformed("word", lambda s: s["ops"].__setitem__(3, "68"))
malformed("half", lambda s: s["ops"].__setitem__(3, 68.5))
malformed("list", lambda s: s["ops"].append([70]))
malformed("noops", lambda s: s.pop("ops"))
malformed("number", lambda s: None, name=5)
malformed("nameless", lambda s: s.pop("name"))
malformed("escape", lambda s: None, name="\x1b[31mred")
END
python -c "from records import *; save('idle.bin', key_load(0x1000))"
while read -r name why; do
    for action in 'show' 'names' 'lookup 65' 'diff malformed/word:transformer'; do
        # shellcheck disable=SC2086
        run 3 tables $action malformed/$name --svg malformed.svg
        says "malformed/$name, "
        says "$why"
        says '[info_shape]'
        holds test ! -s .out
        absent malformed.svg
    done
    run 3 exec idle.bin --gen gen2 --tables malformed/$name
    says "$why"
    run 1 tables check malformed/$name
    prints "error: ${why#set }"
done <<'END'
word set default: ops[3] is "68", allowed is a whole number
half set default: ops[3] is 68.5, allowed is a whole number
list set default: ops[46] is [ 70 ], allowed is a whole number
noops set default: no array "ops", allowed is an array of opcodes
number tables[0]: no string "name" that can be printed
nameless tables[0]: no string "name" that can be printed
escape tables[0]: no string "name" that can be printed
END
# A good set beside it is shown alone.
run 0 tables show malformed/escape --set transformer
run 0 tables lookup 65 malformed/word:transformer
run 0 tables names malformed/number --set transformer --json
valid tables-names
json "all('' not in o['sets'] + o['resident'] for o in d['opcodes'])"
run 3 tables names broken/file_missing/synthetic_broken_gen4
says '[file_present]'
run 2 tables check $g4 --set saturat
says 'did you mean saturate?'
run 0 tables check $g4 --set saturate --json
json "{f['set'] for f in d['findings']} == {'saturate'}"

# ---- documents that are none ----

mkdir odd
for text in '' '{' '[]' 'null' '{"dve_table_keys":[]} x' '{"tables":1e999}' '"dve_table_keys"'; do
    printf '%s' "$text" >odd/dve_info.json
    "$program" tables check odd >.out 2>.err
    status=$?
    last="check of '$text'"
    holds test $status = 3 -o $status = 1
    "$program" tables show odd >.out 2>.err
    holds test $? = 3
done
head -c 3000 $g4/dve_info.json >odd/dve_info.json
run 3 tables check odd
says 'not JSON'
run 3 tables check $g4/dve_info.json
run 3 tables check ''
# Files that are none: a FIFO would be waited for, and a device never ends.
mkdir odd/fifo odd/device odd/folder
mkfifo odd/fifo/dve_info.json
ln -s /dev/zero odd/device/dve_info.json
mkdir odd/folder/dve_info.json
for kind in fifo device folder; do
    last="check of a $kind"
    timeout 20 "$program" tables check odd/$kind >.out 2>.err
    holds test $? = 3
    says "odd/$kind/dve_info.json: cannot read: it is no regular file"
done
for file in default_opcode_table.bin version.json; do
    rm -rf odd/set
    cp -r $g2 odd/set
    rm odd/set/$file
    mkfifo odd/set/$file
    last="check with $file as a FIFO"
    timeout 20 "$program" tables check odd/set >.out 2>.err
    holds test $? = "$([[ $file == version.json ]] && echo 0 || echo 1)"
    prints "$file: cannot read: it is no regular file"
done
run 2 tables
run 2 tables sho $g4
says 'did you mean show?'
run 2 tables show
run 2 tables show $g4 $g3
run 2 tables lookup $g4
run 2 tables diff $g4
run 0 tables --help
prints 'opendve tables lookup'

# ---- the map ----

for pair in "$g2 default" "$g3 default" "$g4 saturate"; do
    read -r d set <<<"$pair"
    run 0 tables show $d --set "$set" --svg map.svg
    quiet
    python - $d "$set" <<'END' && good || bad "the map of $pair"
import re, sys
import xml.etree.ElementTree as ET
import tablesets
gen = int(sys.argv[1][-1])
s = [s for s in {2: tablesets.gen2, 3: tablesets.gen3, 4: tablesets.gen4}[gen]() if s.name == sys.argv[2]][0]
NS = "{http://www.w3.org/2000/svg}"
root = ET.parse("map.svg").getroot()
groups = {k: [g for g in root.iter(NS + "g") if g.get("class", "").split()[:1] == [k] and (g.get("data-row") or g.get("data-opcode"))]
          for k in ("slot", "path", "block")}
# The 256 slots, lit where the table has an entry, with entry, row and selector.
assert [int(g.get("data-opcode")) for g in groups["slot"]] == list(range(256))
for g in groups["slot"]:
    op, title = int(g.get("data-opcode")), g.find(NS + "title")
    assert (title is not None) == (s.entry[op] != 0)
    if s.entry[op]:
        raw, row, selector = re.search(r"entry 0x([0-9a-f]+), row (\d+), selector (\d+)", title.text).groups()
        assert (int(raw, 16), int(row), int(selector)) == (s.entry[op], s.row(op), s.entry[op] >> s.bits())
        assert title.text.startswith("0x%02x " % op)
        kind = "enabled" if op in s.ops else "resident" if op else "idle"
        assert g.get("class").split()[1] == kind
# Each opcode's row, and every lit lane of its block: the title names opcode, row and lane.
lit = 0
def lanes(g, row, names):
    global lit
    cells = [r for r in g.findall(NS + "rect")]
    assert [int(c.get("data-lane")) for c in cells] == list(range(8))
    for lane, c in enumerate(cells):
        word, title = s.block[row][lane], c.find(NS + "title")
        kind = "zero" if not word else "idle" if word == tablesets.IDLE[gen] else "config"
        assert c.get("class") == "lane " + kind and (title is not None) == (word != 0)
        if word:
            lit += 1
            assert ", row %d, lane %d: 0x%x, %s" % (row, lane, word, kind) in title.text
            assert all(n in title.text for n in names), (title.text, names)
assert [int(g.get("data-opcode")) for g in groups["path"]] == [op for op in range(256) if s.entry[op]]
for g in groups["path"]:
    op = int(g.get("data-opcode"))
    assert (int(g.get("data-row")), int(g.get("data-slow"))) == (s.row(op), s.entry[op] >> s.bits())
    lanes(g, s.row(op), ["0x%02x " % op])
assert [int(g.get("data-row")) for g in groups["block"]] == list(range(tablesets.ROWS[gen]))
for g in groups["block"]:
    row = int(g.get("data-row"))
    names = ["0x%02x " % op for op in range(256) if s.entry[op] and s.row(op) == row] or ["no opcode"]
    lanes(g, row, names)
    assert ("alone" in g.get("class").split()) == (names == ["no opcode"])
assert lit > 700
END
done
run 0 tables lookup 65 $g2 --svg one.svg
holds grep -q 'class="slot enabled marked" data-opcode="65"' one.svg
holds test "$(grep -c 'class="block[^"]* marked"\|class="block marked"' one.svg)" = 1
run 1 tables diff $g4 $g4:saturate --svg two.svg
holds test "$(grep -c 'class="block[^"]*marked"' two.svg)" = 29
run 1 tables check broken/orphan/synthetic_broken_gen4 --svg three.svg
holds grep -q 'class="block alone marked" data-row="250"' three.svg
run 1 tables lookup 147 $g2 --svg no.svg
holds grep -q '</svg>' no.svg
# Exit 1 is an answer, and the drawing part of it. What ends for another reason leaves none.
# The report comes first: where nobody reads it, no drawing appears.
for action in show names check 'lookup 65' 'lookup 147' "diff $g2:transformer"; do
    for form in '' --json; do
        # shellcheck disable=SC2086
        broken_pipe 5 tables $action $g2 $form --svg unread.svg
        absent unread.svg
        # shellcheck disable=SC2086
        run 2 tables $action $g2 --json --svg -
        holds test ! -s .out
    done
    # What cannot be written is known before the work.
    # shellcheck disable=SC2086
    run 5 tables $action $g2 --svg no/such/map.svg
    holds test ! -s .out
done
run 3 tables diff $g2 broken/file_missing/synthetic_broken_gen4 --svg unread.svg
absent unread.svg
# Where there is nothing to draw, the answer of check stays what it is.
for set in broken/file_short/synthetic_broken_gen4 broken/no_sets/synthetic_broken_gen4 malformed/word; do
    run 1 tables check $set --svg unread.svg
    says 'option --svg: nothing is drawn'
    run 1 tables check $set --json --svg unread.svg
    valid tables-check
    absent unread.svg
done
run 0 tables check malformed/word:transformer --svg good.svg
quiet
holds grep -q '</svg>' good.svg
clean
run 0 tables names $g2 --svg - --set transformer
prints '</svg>'
run 2 tables show $g2 --json --svg -
run 5 tables show $g2 --svg no/such/map.svg
run 5 tables show $g2 --svg /dev/full
clean
python - <<'END'
import tablesets
s = tablesets.gen2()[0]
s.name = 'a<b>&"c'
tablesets.write_set("markup_gen2", 2, [s])
END
run 0 tables show markup_gen2 --svg markup.svg
holds python -c "
import xml.etree.ElementTree as ET
assert any('a<b>&\"c' in (t.text or '') for t in ET.parse('markup.svg').getroot().iter())"

# ---- streams against the set that they run with ----

python - <<'END'
from records import *
save("served.bin", max8(0, 0x1000, 64), key_load(0x1000), find_index8(0, 0x1040, 64))
# Control records and pseudo opcodes are no set's business; other engines' opcodes are, in a stream of this engine.
save("beside.bin", *[changed(frame(o, 0), b1=16) for o in (0xa0, 0xa1, 0xb3, 0xc1, 0xdf)])
save("mixed.bin", read_indices(0x1080), max8(0, 0x1000, 64), read_indices(0x1080), changed(frame(0xa2, 0), b1=16))
END
run 0 check served.bin --tables $g3 --json
says "synthetic_dve_bin_gen3: gen3 (the directory's name)"
valid check
json "d['warnings'] == []"
run 0 check served.bin --tables $g2 --gen gen2
quiet
holds test "$(wc -l <.out)" = 1
# gen2's transformer drops the search opcodes: a warning an opcode, and the verdict and the exit stay.
run 0 check served.bin --tables $g2:transformer --gen gen2
quiet
prints 'warning: set transformer does not enable opcode 0x6d (MatchValueLoad): 1 record, the first is record 1 [stream_opcodes]'
prints '3 records, 3 legal, 0 illegal'
prints '3 warnings about the table set'
run 0 check served.bin --tables $g2:transformer --gen gen2 --json
valid check
json "d['gen'] == 'gen2' and [(w['set'], w['opcode'], w['name'], w['records'], w['first'], w['severity']) for w in d['warnings']] == [('transformer', 0x6c, 'Max8', 1, 0, 'warning'), ('transformer', 0x6d, 'MatchValueLoad', 1, 1, 'warning'), ('transformer', 0x6e, 'FindIndex8', 1, 2, 'warning')]"
json "all(r['legal'] for r in d['records'])"
run 1 check mixed.bin --tables $g2 --json
valid check
json "[(w['opcode'], w['records'], w['first']) for w in d['warnings']] == [(0xe9, 2, 0)]"
run 0 check beside.bin --tables $g3 --json
json "d['warnings'] == [] and d['counts']['records'] == 5"
"$program" disasm served.bin --gen gen2 -o served.dve
run 0 check served.dve --tables $g2:transformer --json
valid check
json "[w['opcode'] for w in d['warnings']] == [0x6c, 0x6d, 0x6e]"
run 2 check served.dve --tables $g3
run 2 check served.bin --tables $g2:transformr
says 'did you mean transformer?'
run 2 check served.bin --tables $g2 --gen gen3
run 3 check served.bin --tables nosuch
run 3 check served.bin --tables broken/file_short/synthetic_broken_gen4

# ---- machines gated by a set (R23) ----

python - <<'END'
from records import *
import numpy as np
save("search.bin", max8(0, 0x1000, 64), key_load(0x1000), find_index8(0, 0x1040, 64))
save("other.bin", *[bytes(changed(frame(0xa2, 0), b1=16))])
np.save("big.npy", np.array([[1e9, 3, -1e9]], np.float32))
np.save("x.npy", np.arange(128 * 64, dtype=np.float32).reshape(128, 64))
END
put=(--put 'sbuf[0]@0=x.npy')
run 0 exec search.bin "${put[@]}" --gen gen2 --tables $g2
says 'entries of opcodes that it does not enable, they do not run: 147, 240..242 [R23]'
# What is enabled and has no entry runs, and is told of.
run 0 exec search.bin "${put[@]}" --tables broken/no_slot/synthetic_broken_gen4
says 'set default enables opcodes without an entry, they run: 108 [R23]'
run 1 exec search.bin "${put[@]}" --gen gen2 --tables $g2:transformer --get 'sbuf[0:1]@0x1000:fp32:8=none.npy' --json
valid exec
json "d['stopped']['reason'] == 'disabled' and d['stopped']['record'] == 0 and d['records'] == 0"
says 'the table set does not enable opcode 0x6c [R23]'
absent none.npy
run 0 exec search.bin "${put[@]}" --gen gen2 --roster default
quiet
run 1 exec search.bin "${put[@]}" --gen gen2 --roster transformer
run 2 exec search.bin "${put[@]}" --gen gen2 --roster transformer_fwd
says 'no source prints the opcodes of transformer_fwd of gen2'
run 2 exec search.bin "${put[@]}" --gen gen2 --roster defualt
says 'did you mean default?'
run 2 exec search.bin "${put[@]}" --gen gen5 --roster default
says 'no published table set'
run 2 exec search.bin "${put[@]}" --gen gen4 --tables $g2
run 2 exec search.bin "${put[@]}" --roster default --tables $g3
# Without --gen the directory's generation is the run's.
run 0 exec search.bin "${put[@]}" --tables $g4 --json
valid exec
json "d['gen'] == 'gen4' and 'table_generation' in d['assumptions']"
says "synthetic_dve_bin_gen4: gen4 (the directory's name)"
run 3 exec search.bin "${put[@]}" --tables broken/file_short/synthetic_broken_gen4
# Other engines' records are not the set's business: a pool-engine copy is refused for itself or run.
run 0 exec other.bin --skip-control --roster default
# saturate: conversions to fp8 clamp, as a named assumption; --assume beats it.
cat >clamp.dve <<'END'
.dve 1
.tensor x sbuf[0]+0x0:fp32[3]
.tensor y sbuf[0]+0x40:fp8_e4m3[3]
cast src=x dst=y num_active_channels=1
END
clamp() { # BYTES YES-OR-NO OPTION...
    local bytes=$1 named=$2
    shift 2
    run 0 run clamp.dve --set x=big.npy --get y=y.npy --gen gen4 --json "$@"
    valid run
    json "('saturate_set' in d['assumptions']) == $named"
    holds python -c "import numpy; assert numpy.load('y.npy').tobytes().hex() == '$bytes'"
}
clamp 7844f8 False
clamp 7844f8 False --roster default
clamp 7744f7 True --roster saturate
clamp 7744f7 True --tables $g4:saturate
clamp 7844f8 False --tables $g4
clamp 7844f8 False --roster saturate --assume fp8_overflow=infinity
clamp 7744f7 False --assume fp8_overflow=saturate
# A set named so needs no conversion to be named in vain.
run 0 exec search.bin "${put[@]}" --gen gen4 --roster saturate --json
json "'saturate_set' not in d['assumptions']"
# Plans are gated too.
run 0 topk x.npy -k 8 --values v.npy --plan plan.json --gen gen2
run 0 exec --plan plan.json --in x.npy --values w.npy --roster default
same v.npy w.npy
run 1 exec --plan plan.json --in x.npy --values u.npy --roster transformer
absent u.npy
summary
