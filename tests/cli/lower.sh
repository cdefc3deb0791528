#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve lower: bytes by hand from the published layouts, refusals, modes, outputs. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Each case is a SPEC of one instruction; NAME.bin holds the records that it must give. lower_cases.py has them.
python "$here/lower_cases.py"
accepted=0
while read -r name gen; do
    run 0 lower "$name.json" --gen "$gen" -o "$name.out"
    if [[ $gen != gen5 ]]; then quiet; fi
    same "$name.bin" "$name.out"
    run 0 lower "$name.json" --gen "$gen" --mode check
    run 0 check "$name.bin" --gen "$gen"
    accepted=$((accepted + 1))
done <accepted
holds test "$accepted" -ge 50
# REFUSED: name, generation, exit status, what the message holds.
refused=0
while IFS=$'\t' read -r name gen status text; do
    run "$status" lower "$name.json" --gen "$gen" -o refused.bin
    says "$text"
    says "$name.json: \$"
    absent refused.bin
    cat .err >>told
    refused=$((refused + 1))
done <refused
holds test "$refused" -ge 90
# Each refusal was seen; the last three only a caller of the library can cause.
for id in $(sed -n 's/^REFUSAL(\([a-z0-9_]*\),.*/\1/p' "$here/../../lower/refusals.def"); do
    case $id in kind | mode | not_taken) continue ;; esac
    if grep -qF "[$id]" told; then good; else bad "no case is refused as $id"; fi
done
clean
# Collecting runs gates and refusals, and judges no record.
while IFS=$'\t' read -r name gen status text; do
    wanted=$status
    [[ $text != *'(byte '* ]] || wanted=0
    run "$wanted" lower "$name.json" --gen "$gen" --mode collect
done <refused

# Modes, the census, and where it goes.
run 0 lower search.json --mode collect
quiet
cat >wanted <<'TEXT'
0x6c Max8
0x6d MatchValueLoad
0x6f MatchReplace8
0x6c Max8
0x6d MatchValueLoad
0x6e FindIndex8
0x67 PoolBufferLoad
0x68 Gather
census gen3
0x6c Max8 2
0x6d MatchValueLoad 2
0x6f MatchReplace8 1
0x6e FindIndex8 1
0x67 PoolBufferLoad 1
0x68 Gather 1
TEXT
same wanted .out
sed -n '/census/,$p' wanted >census
run 0 lower search.json
same census .out
run 0 lower search.json --mode check
same census .out
run 0 lower search.json -o search.bin
same census .out
holds test "$(stat -c %s search.bin)" = 512
"$program" lower search.json -o - >stream 2>.err
same stream search.bin
same census .err
"$program" lower - -o from_stdin.bin <search.json >.out 2>.err
same from_stdin.bin search.bin
for mode in collect generate check; do
    run 0 lower search.json --json --mode "$mode"
    quiet
    valid lower
    json "d['mode'] == '$mode' and d['gen'] == 'gen3' and d['instructions'] == 5"
    json "d['opcodes'] == ['0x6c', '0x6d', '0x6f', '0x6c', '0x6d', '0x6e', '0x67', '0x68']"
    json "d['census'][0] == {'opcode': '0x6c', 'name': 'Max8', 'count': 2} and len(d['census']) == 6"
    json "'lower_spare_step' in d['assumptions'] and 'lower_select' not in d['assumptions']"
    json "d['refused'] == [] and d['broken'] == []"
done
run 0 lower search.json --split-engines streams
same <(head -c 384 search.bin) streams/dve.bin
same <(tail -c 128 search.bin) streams/pool.bin
run 0 lower search.json --split-engines streams -o both.bin --gen gen5
says 'gen5: known at the enum and struct surface only'
prints 'census gen5'
same search.bin both.bin
run 0 lower max.json --split-engines one
holds test -e one/pool.bin
holds test ! -s one/pool.bin
run 0 lower nothing.json -o nothing.bin
prints 'census gen3'
holds test -e nothing.bin

# Every refusal and every broken rule is told; nothing is written.
run 1 lower several.json -o several.bin
says '$.instructions[0]: Max: maxvals has 7 elements, allowed 8 [maxvals_count]'
says '$.instructions[2]: record 1 Max8: dst_start_addr (byte 48)'
says '$.instructions[2]: record 1 Max8: src_start_addr (byte 12)'
says '$.instructions[3]: RangeSelect'
absent several.bin
run 1 lower several.json --split-engines gone
absent gone
run 1 lower several.json --json
valid lower
json "[r['instruction'] for r in d['refused']] == [0, 3] and d['refused'][0]['refusal'] == 'maxvals_count'"
json "d['refused'][0]['operand'] == 'maxvals' and {b['instruction'] for b in d['broken']} == {2}"
json "len({b['byte'] for b in d['broken']}) >= 2"
run 0 lower fp8.json -o fp8.bin --assume fp8_overflow=saturate
holds test "$(od -An -tx1 -j40 -N1 fp8.bin)" = ' 7b'
run 0 lower fp8.json -o fp8.bin
holds test "$(od -An -tx1 -j40 -N1 fp8.bin)" = ' 7c'

# Wrong usage.
run 2 lower max.json --mode check -o x.bin
says '--mode check writes no records'
run 2 lower max.json --mode check --split-engines x
run 2 lower max.json --mode collect -o x.bin
run 2 lower max.json --mode sideways
says 'collect, generate or check'
run 2 lower max.json -o - --json
run 2 lower
run 2 lower max.json max.json
run 2 lower max.json --gen gen9
absent x.bin
absent x

# Inputs and outputs that fail.
run 3 lower missing.json
run 3 lower .
printf '{"schema":"opendve.lower/1","instructions":[' >cut.json
run 3 lower cut.json
says 'not JSON'
run 5 lower max.json -o /dev/full
run 5 lower max.json -o missing/x.bin
run 5 lower max.json --split-engines missing/x
run 5 lower max.json --split-engines max.json
run 5 lower max.json -o both --split-engines both
absent both
"$program" lower max.json >/dev/full 2>.err
holds test $? = 5
clean

# The same bytes every time, in any locale.
LC_ALL=de_DE.UTF-8 "$program" lower search.json -o again.bin >/dev/null
same again.bin search.bin
summary
