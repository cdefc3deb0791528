#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve isa --json, the one document for other tools, and what it says about generations. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

run 0 isa
topics=$(<.out)
run 0 isa --json
quiet
valid isa
cp .out all.json
json "d['schema'] == 'opendve.isa/1' and d['every_generation']"
json "[k for k in d if k not in ('schema', 'version', 'gen', 'every_generation')] == '''$topics'''.split()"
# Each table is what its own command prints, and its schema is the schema of that.
for topic in $topics; do
    run 0 isa "$topic" --json
    valid "isa-$topic"
    json "d['$topic'] == json.load(open('all.json'))['$topic']"
    json "[json.load(open('$schemas/isa.schema.json'))['properties']['$topic']] == [json.load(open('$schemas/isa-$topic.schema.json'))['properties']['$topic']]"
done
for gen in gen2 gen3 gen4 gen5; do
    run 0 isa --json --gen $gen
    valid isa
    json "d['gen'] == '$gen' and not d['every_generation']"
done

# Capability: a line a generation.
run 0 isa opcodes --json
json "[[g['defined'] for g in o['generations']] for o in d['opcodes'] if o['name'] == 'DveReadIndices'] == [[False, True, True, True]]"
json "[[g['maintained'] for g in o['generations']] for o in d['opcodes'] if o['value'] == 0x44] == [[False] * 4]"
json "[[g['maintained'] for g in o['generations']] for o in d['opcodes'] if o['value'] == 0x30] == [[None] * 4]"
json "[o['generations'][3]['sets'] for o in d['opcodes'] if o['name'] == 'Max8'] == [None]"
json "[o['generations'][0]['sets'] for o in d['opcodes'] if o['name'] == 'Max8'] == [['default']]"
json "[o['generations'][0]['sets'] for o in d['opcodes'] if o['value'] == 0x9a] == [['transformer']]"
# Sets whose members no source prints: those that sources rule out are not told. On gen2 they hold opcodes of the two known sets.
json "all(len(o['generations'][0]['sets_unknown']) == (3 if o['generations'][0]['sets'] else 0) for o in d['opcodes'])"
json "[o['value'] for o in d['opcodes'] if o['value'] in (0x67, 0xd7, 0x8a) and o['generations'][0]['sets_unknown']] == [0x8a]"
json "all(len(o['generations'][1]['sets_unknown']) == (4 if o['generations'][1]['sets'] else 0) for o in d['opcodes'])"
json "{o['value'] for o in d['opcodes'] if 'default' in o['generations'][2]['sets'] and not o['generations'][2]['sets_unknown']} == {48, 82, 119, 120, 132, 188, 224, 225, 226, 227}"
json "sum(o['generations'][2]['sets_unknown'] == ['transformer'] for o in d['opcodes']) == 49"
json "all(o['generations'][3]['sets_unknown'] is None for o in d['opcodes'])"
json "[o['generations'][2]['executed'] for o in d['opcodes'] if o['name'] == 'Max8'] == [True]"
json "all(not g['executed'] or g['defined'] for o in d['opcodes'] for g in o['generations'])"
json "[sum('default' in (o['generations'][g]['sets'] or []) for o in d['opcodes']) for g in range(3)] == [46, 52, 59]"
run 0 isa opcodes --gen gen2
prints 'default, transformer (3 unknown)'

# Rosters: what is unpublished says so.
run 0 isa rosters
prints 'gen2  transformer_fwd   44'
prints 'unknown'
run 0 isa rosters --json
json "[(r['gen'], r['set'], r['count'], len(r['opcodes'])) for r in d['rosters'] if r['default']] == [('gen2', 'default', 46, 46), ('gen3', 'default', 52, 52), ('gen4', 'default', 59, 59)]"
json "all((r['opcodes'] is None) == (r['confidence'] == 'unknown') for r in d['rosters'])"
run 0 isa effects
prints 'max8'

summary
