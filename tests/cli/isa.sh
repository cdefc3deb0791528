#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve isa: every table as text and as JSON. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

topics='opcodes formats fields enums rules generations assumptions sources rosters effects integrity'
run 0 isa
quiet
holds test "$(tr '\n' ' ' <.out)" = "$topics "
run 0 isa --json
run 2 isa opcode
says 'did you mean opcodes?'
run 2 isa nothing
says 'opcodes, formats, fields, enums, rules, generations, assumptions, sources, rosters, effects and integrity'
run 2 isa opcodes rules
run 2 isa opcodes --gen gen9

for topic in $topics; do
    run 0 isa "$topic"
    quiet
    holds test "$(head -1 .out)" = "$topic of every generation, gen2 to gen5"
    holds test "$(grep -c ' $' .out)" -ge 0
    cp .out first
    run 0 isa "$topic"
    same first .out
    run 0 isa "$topic" --json
    quiet
    valid "isa-$topic"
    json "d['schema'] == 'opendve.isa.$topic/1' and d['gen'] == 'gen3' and d['every_generation'] and d['$topic']"
    for gen in gen2 gen3 gen4 gen5; do
        run 0 isa "$topic" --gen $gen
        holds test "$(head -1 .out)" = "$topic of $gen"
        run 0 isa "$topic" --json --gen $gen
        valid "isa-$topic"
        json "d['gen'] == '$gen' and not d['every_generation'] and (d['$topic'] or '$topic $gen' == 'rosters gen5')"
    done
done

# Rows of a generation are those that it has.
run 0 isa opcodes --json
json "[o['name'] for o in d['opcodes'] if o['opcode'] == '0x6c'] == ['Max8']"
json "[o['value'] for o in d['opcodes']] == sorted(o['value'] for o in d['opcodes'])"
json "len(set(o['mnemonic'] for o in d['opcodes'])) == len(d['opcodes'])"
run 0 isa opcodes --json --gen gen2
json "all(o['present'] for o in d['opcodes'])"
json "not [o for o in d['opcodes'] if o['value'] == 0xe9]"
run 0 isa opcodes --json --gen trn2
json "[o['engine'] for o in d['opcodes'] if o['value'] == 0xe9] == ['DVE']"
run 0 isa rules --json --gen gen2
json "not [r for r in d['rules'] if r['id'].startswith('read_indices')]"
run 0 isa rules --json
json "[(r['field'], r['byte'], r['severity'], r['allowed']) for r in d['rules'] if r['id'] == 'max8_src_count'] == [('src_num0', 24, 'error', '8..16384 elements')]"
json "[r['severity'] for r in d['rules'] if r['id'] == 'walk_in_partition'] == ['assumption']"
json "len(set(r['id'] for r in d['rules'])) == len(d['rules']) and all(r['allowed'] for r in d['rules'])"
run 0 isa formats --json
json "all(sum(f['width'] for f in g['fields']) == 512 for g in d['formats'])"
run 0 isa generations --json
json "[(g['name'], g['clock_mhz'], g['sbuf']['active']) for g in d['generations']] == [('gen2', 1120, 196608), ('gen3', 960, 229376), ('gen4', 1200, 262144), ('gen5', 1200, 262144)]"
run 0 isa generations --gen gen5
prints 'known at the enum and struct surface only'
run 0 isa rosters --gen gen5
prints 'gen5: known at the enum and struct surface only'
# The integrity rules of table sets: those that tables check names, each once.
run 0 isa integrity --json
valid isa-integrity
json "[(r['id'], r['severity'], r['scope']) for r in d['integrity'] if r['id'] in ('rostered_slot', 'saturate_ops', 'version_stamp', 'census')] == [('version_stamp', 'warning', 'directory'), ('rostered_slot', 'error', 'set'), ('census', 'info', 'set'), ('saturate_ops', 'warning', 'pair')]"
json "len({r['id'] for r in d['integrity']}) == len(d['integrity']) == $(grep -c '^INTEGRITY(' "$here/../../isa/integrity.def")"
run 0 isa integrity
prints 'left_packing'
run 0 isa assumptions --json
json "[(a['default'], a['values']) for a in d['assumptions'] if a['id'] == 'fp32r_bits'] == [('11', ['11', '10', '13'])]"
json "[a['opcodes'] for a in d['assumptions'] if a['id'] == 'read_indices_order'] == [['DveReadIndices']]"
json "[a['dtypes_written'] for a in d['assumptions'] if a['id'] == 'e4m3'] == [['fp8_e4m3']]"
run 0 isa assumptions --json --gen gen3
json "not [a for a in d['assumptions'] if a['id'] == 'gen5_as_gen4']"
# Every source that a row names has a row of its own.
for topic in opcodes fields rules generations enums rosters effects integrity; do
    run 0 isa $topic --json
    cp .out rows
    run 0 isa sources --json
    json "set(s for r in json.load(open('rows'))['$topic'] for s in r['sources']) <= set(s['key'] for s in d['sources'])"
done
# Every setting that the list offers is taken.
run 0 isa assumptions --json
: >empty.bin
for pair in $(python -c "import json
for a in json.load(open('.out'))['assumptions']:
    for v in a['values']: print(a['id'] + '=' + v)"); do
    run 0 check empty.bin --assume "$pair"
done

# The ruler of a format covers its 64 bytes.
run 0 isa formats
holds test "$(sed -n '/^S2_BN:/,/^ *a /p' .out | tail -2 | head -1 | tr -d ' ' | wc -c)" = 65
prints 'Max8 (0x6c)'

"$program" isa rules --json >/dev/full 2>.err
holds test $? = 5

summary
