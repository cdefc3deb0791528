#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve bench: what it reports; no time is judged here.
. "$(dirname "$0")/common.sh"

# Runs it where both verdicts are fine.
measure() {
    last="opendve bench $*"
    "$program" bench "$@" >.out 2>.err </dev/null
    local status=$?
    holds test $status = 0 -o $status = 1
    if [[ " $* " == *" --json "* ]]; then
        valid bench
        json "($status == 0) == (d['counts']['short'] == 0)"
    fi
    quiet
}

run 0 bench --list
quiet
prints 'stream_16384'
cp .out list

run 2 bench --line max9_512
says 'there is no line "max9_512"; did you mean max8_512?'
run 2 bench file
says 'takes no file'
run 2 bench --gen gen4
run 2 bench --quick=1

measure --quick --json --line max8_512 --line copy_bf16 --line store_e4m3
json "[l['id'] for l in d['lines']] == ['max8_512', 'copy_bf16', 'store_e4m3']"
json "[l['unit'] for l in d['lines']] == ['ratio', 'ratio', 'Gelem/s'] and [l['floor'] for l in d['lines']] == ['maximum', 'memcpy', None]"
json "d['runs'] == 15 and d['quick'] and all(l['runs'] == 15 and l['low'] <= l['value'] <= l['high'] for l in d['lines'])"
json "d['counts']['lines'] == 3 and d['counts']['aim'] <= d['counts']['pass'] == 3 - d['counts']['short']"
json "all(l['verdict'] == ('aim' if good(l, 'aim') else 'pass' if good(l, 'pass') else 'short') for l in d['lines']) if [good := lambda l, m: (l['value'] >= l[m]) if l['unit'] == 'Gelem/s' else l['value'] <= l[m]] else 0"
json "d['lines'][1]['bar'] == 'any' and d['lines'][0]['bar'] == d['machine']['simd']"
# The goals of searches widen where AVX-512 is missing.
json "d['lines'][0]['pass'] == {'avx512': 5.5, 'avx2': 7.857, 'plain': 15.71}[d['machine']['simd']]"
measure --line copy_bf16
prints 'Copy, bf16 (ratio)'
prints 'medians of 21 interleaved runs'

# Every line of the list can be measured, and no other is.
measure --quick --json --line worst_512 --line threads
json "d['lines'][0]['kind'] in ('$(sed -n 's/^KIND(\([a-z_]*\),.*/\1/p' "$here/../../cli/bench_kinds.def" | paste -sd' ')').split()"
json "d['counts']['lines'] + d['counts']['skipped'] == 2"
holds test "$(grep -c '^KIND(' "$here/../../cli/bench_kinds.def")" = 19
"$program" bench --line copy_bf16 >/dev/full 2>.err
holds test $? = 5
summary
