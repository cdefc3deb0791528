#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve explain: opcodes, records, files, and the worked examples. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

sections='Bit ruler:Fields:Rules:Effect:Hidden state:Generations:Cost:Hazards:Worked example:Sources'
headings() { grep -E "^(${sections//:/|})\$" .out | paste -sd:; }
# No line of an explanation is wider than a terminal, but for the lines of .dve text and tables.
narrow() { ! sed '/^Worked example$/,/^Sources$/d; /^Generations$/,/^Cost$/d' .out | grep -q '.\{81\}'; }

# Every opcode byte is explained on every generation, with every section.
for gen in gen2 gen3 gen4 gen5; do
    step=5
    [[ $gen != gen3 ]] || step=1
    for ((opcode = 0; opcode < 256; opcode += step)); do
        last="explain $opcode --gen $gen"
        "$program" explain $opcode --gen $gen >.out 2>.err
        [[ $? == 0 && ! -s .err && $(headings) == "$sections" ]] || bad "$last: wrong status or sections: $(headings)"
        narrow || bad "$last: lines above 80 columns"
    done
    good
done

# An opcode is a mnemonic, another name of it, or a number below 256.
run 0 explain max8
quiet
cp .out max8.txt
for word in 108 0x6c 0X6C; do
    run 0 explain $word
    same .out max8.txt
done
run 0 explain stream_shuffle_mask
holds test "$(head -1 .out)" = 'load_mask_select (0x69, LoadMaskSelect) on gen3'
prints 'docs/names.md'
run 3 explain 256
says 'a number below 256'
run 3 explain Max8
says 'did you mean max8?'
run 3 explain no-such-file.bin
run 2 explain
run 2 explain max8 max8
run 2 explain max8 --record 1
run 2 explain max8 --gen gen9
run 0 explain 0x00
prints 'no source names this opcode'
prints 'none known'
run 0 explain quantize_mx
prints 'not defined on gen3'

# Byte 40 is told in each of its three formats, and only there.
for opcode in max8 find_index8 match_replace8 memset dve_read_indices; do
    run 0 explain $opcode
    prints 'Byte 40 has three meanings in three formats'
done
run 0 explain copy
holds test "$(grep -c 'Byte 40' .out)" = 0

# Worked examples: the published vector of match_replace8, and the top of two rows.
run 0 explain dve_read_indices --json
valid explain
json "d['example']['executed'] and d['example']['hazards'] == 0"
json "[t['after'] for t in d['example']['tensors'] if t['name'] == 'at'] == [['2 10 9 8 7 6 5 4'.split()]]"
run 0 explain dve_read_indices
prints '2 10 9 8 7 6 5 4'
run 0 explain max8
prints '9 6 5 5 4 3 3 2'
prints 'executed: 1 record'

# An example of each opcode of the vector engine: legal, executed without hazards where the opcode executes, told why
# where it does not; what is printed is what a machine gives for its records.
run 0 isa --json
cp .out isa.json
cat >judge.py <<'END2'
import json, subprocess, sys
import numpy as np
program = sys.argv[1]
types = {'fp32': 'f4', 'fp16': 'f2', 'int8': 'i1', 'uint8': 'u1', 'int16': 'i2', 'uint16': 'u2', 'int32': 'i4', 'uint32': 'u4'}
def call(*words):
    r = subprocess.run([program, *words], capture_output=True, text=True)
    return r.returncode, r.stdout, r.stderr
def explain(*words):
    status, out, err = call('explain', *words, '--json')
    assert status == 0 and not err, (words, err)
    return json.loads(out)
def again(name, e):
    """The records of an example through `opendve exec`."""
    open('e.bin', 'wb').write(b''.join(bytes.fromhex(r) for r in e['records']))
    words = ['exec', 'e.bin', '--gen', e['gen']]
    gets = []
    for n, t in enumerate(e['tensors']):
        rows = t['before'] or t['after']
        place = f"{t['space']}[{t['partition']}{{}}]@{t['offset']}"
        if t['dtype'] not in types: return
        if t['before']:
            np.save(f'in{n}.npy', np.array([[float(x) for x in row] for row in rows]).astype(types[t['dtype']]))
            words += ['--put', place.format('') + f'=in{n}.npy']
        gets.append((n, t))
        words += ['--get', place.format(f':{len(rows)}') + f":{t['dtype']}:{len(rows[0])}=out{n}.npy"]
    status, out, err = call(*words)
    assert status == 0, (name, words, err)
    for n, t in gets:
        for row, want in zip(np.load(f'out{n}.npy'), t['after']):
            for x, w in zip(row, want):
                assert w == '?' or np.dtype(types[t['dtype']]).type(float(w)) == x or (w == 'nan' and np.isnan(x)), (name, t['name'], w, x)
dump = json.load(open('isa.json'))
rostered = {o for r in dump['rosters'] for o in r['opcodes'] or []}
assert len(rostered) == 65
executed = 0
for o in dump['opcodes']:
    d = explain(o['mnemonic'])
    e = d['example']
    runs = [g['executed'] for g in d['generations']]
    assert runs == [g['executed'] for g in o['generations']], o['mnemonic']
    assert e or o['value'] not in rostered, o['mnemonic']
    assert bool(e) == bool(d['effect']), o['mnemonic']
    if not e: continue
    record = explain(e['records'][-1], '--gen', e['gen'])
    assert record['opcode']['value'] == o['value'], o['mnemonic']
    assert record['record']['legal'], (o['mnemonic'], [r['broken'] for r in record['rules'] if not r['holds']])
    assert e['executed'] == runs[int(e['gen'][3]) - 2], (o['mnemonic'], e['why_not'])
    assert bool(e['why_not']) != e['executed']
    if e['executed']:
        executed += 1
        assert e['hazards'] == 0, o['mnemonic']
        again(o['mnemonic'], e)
print(executed)
END2
holds python judge.py "$program"

# A record: values, and which rules it breaks.
run 0 explain dve_read_indices --json
record=$(python -c "import json; print(json.load(open('.out'))['example']['records'][-1])")
run 0 explain "$record"
prints 'legal'
prints 'holds'
holds test "$(headings)" = "$sections"
run 0 explain "${record^^}"
prints 'legal'
run 0 explain "${record/e910/e911}"
prints 'BROKEN'
prints 'inst_word_len: inst_word_len (byte 1) is 17, allowed 16'
prints 'illegal: it breaks 1 rule'
run 0 explain "${record/e910/e911}" --json
valid explain
json "d['subject'] == 'record' and not d['record']['legal']"
json "[r['id'] for r in d['rules'] if not r['holds']] == ['inst_word_len']"
json "[f['value'] for f in d['fields'] if f['name'] == 'dst_element_count'] == ['8']"
json "sum(f['width'] for f in d['fields']) == 512 and len(d['ruler']) == 64"
run 3 explain "${record}0"
run 3 explain "${record%0}"

# A file: each record in a line or two, or one in full.
python -c "open('two.bin', 'wb').write(bytes.fromhex('$record' + '00' * 64))"
run 0 explain two.bin
prints '0  dve_read_indices'
prints 'breaks opcode_present'
prints '2 records on gen3'
run 0 explain two.bin --json
valid explain
json "[r['legal'] for r in d['records']] == [True, False] and d['complete']"
run 0 explain two.bin --record 0
cp .out full.txt
run 0 explain "$record"
same .out full.txt
run 0 explain two.bin --record 1 --json
valid explain
json "d['opcode']['value'] == 0"
run 2 explain two.bin --record 2
says '2 records'
head -c 100 two.bin >cut.bin
run 3 explain cut.bin
run 3 explain cut.bin --json
json "not d['complete'] and len(d['records']) == 1"

# A text source, whose generation is its own.
printf '.dve 1\n.gen gen4\nengine_nop\nmax8 src=sbuf[0]+0x0:fp32[1:4] dst=sbuf[0]+0x40:fp32[1:8] num_active_channels=1\n' >two.dve
run 0 explain two.dve
prints '0  engine_nop'
prints 'breaks max8_src_count'
prints '2 records on gen4'
run 0 explain two.dve --json
valid explain
json "d['gen'] == 'gen4' and [r['legal'] for r in d['records']] == [True, False]"
run 0 explain two.dve --record 1
prints 'max8 (0x6c, Max8) on gen4'
run 2 explain two.dve --gen gen3
printf 'engine_nop\n' >none.dve
run 3 explain none.dve

# Start partitions are those that check takes.
run 0 explain gather
prints 'start_partition: every operand, a multiple of 16, all channels below partition'
run 0 explain indirect_copy
prints 'start_partition: every operand, a multiple of 32, all channels below partition'
run 0 explain max8
prints 'start_partition: every operand, 0 for more than 64 channels, 0 or 64 for'

# Nothing but text: no colour in a pipe, the same in every locale.
holds test "$(grep -c $'\033' max8.txt)" = 0
LC_ALL=de_DE.UTF-8 "$program" explain max8 >german.txt
same german.txt max8.txt
"$program" explain max8 >/dev/full 2>.err
holds test $? = 5
broken_pipe 5 explain max8

summary
