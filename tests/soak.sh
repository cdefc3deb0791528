#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Long runs of the differential tests, and of records as text and back.
#
#   tests/soak.sh BUILD SECONDS [I/N [NAME...]]   new seeds until the seconds are over, the I-th of N disjoint
#                                                 parts; of the programs with these names only
#   tests/soak.sh --check BUILD         whether it could run: nothing is run and nothing written
#
# Example: tests/soak.sh build/release 3600 0/2 & tests/soak.sh build/release 3600 1/2 & wait
#
# Every run goes on from the seed after the last one in docs/reliability.md. It ends with a row there: date,
# commit, part, seeds, cases of each program, a digest of all report lines, and how many lanes each executed
# instruction was compared in, at least. The same commit, seeds and
# part give the same digest on any host. Exit status: 0, 1 if the library and the oracle differed, 2 usage.
set -uo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
log=$root/docs/reliability.md
programs=(legality conversions execution memory_hazards text)

usage() {
    sed -n '/^#   /s/^#   //p' "$0" >&2
    exit 2
}

program() { # NAME
    echo "$build/tests/test_$1"
}

able() {
    local name
    for name in "${programs[@]}"; do
        [[ -x $(program "$name") ]] || { echo "no $(program "$name"): build it first" >&2; return 1; }
    done
    grep -q '^| date | commit | part | seeds | ' "$log" || { echo "$log has no table to append to" >&2; return 1; }
}

# The seed to begin with: one more than the last of this part's rows, at least 2 (ctest has 1).
first_seed() {
    awk -F'|' -v part="$part" '$4 ~ part { split($5, s, "-"); if (s[2] + 0 > last) last = s[2] + 0 } END { print (last < 1 ? 1 : last) + 1 }' "$log"
}

if [[ ${1-} == --check ]]; then
    (($# == 2)) || usage
    build=$2
    able
    exit
fi
(($# >= 2)) || usage
build=$1 seconds=$2 part=${3-0/1}
chosen=("${@:4}")
(($# > 3)) || chosen=("${programs[@]}")
[[ $seconds =~ ^[1-9][0-9]*$ && $part =~ ^[0-9]+/[0-9]+$ ]] || usage
able || exit 2

reports=$(mktemp)
trap 'rm -f "$reports"' EXIT
first=$(first_seed)
seed=$first
while ((SECONDS < seconds)); do
    for name in "${chosen[@]}"; do
        if ! output=$(OPENDVE_SEED=$seed OPENDVE_ROUNDS=1 OPENDVE_SHARD=$part "$(program "$name")" 2>&1); then
            printf '%s\nFAILED: %s, seed %s, part %s\n' "$output" "$name" "$seed" "$part"
            exit 1
        fi
        grep -E "^$name(_lanes)? " <<<"$output" >>"$reports"
    done
    seed=$((seed + 1))
done

cases() { # NAME
    awk -v name="$1" '$1 == name { sub("cases=", "", $4); n += $4 } END { printf "%d", n }' "$reports"
}
commit=$(git -C "$root" rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
git -C "$root" diff --quiet HEAD -- isa codec check numeric ops machine text include tests/oracle tests/differential 2>/dev/null || commit=$commit+
row="| $(date -u +%F) | $commit | $part | $first-$((seed - 1)) "
for name in "${programs[@]}"; do
    row+="| $(cases "$name") "
done
fewest=$(awk '$1 == "execution_lanes" { for (i = 2; i <= NF; i++) { split($i, s, "="); n[s[1]] += s[2] } }
    END { for (o in n) if (least == "" || n[o] < n[least]) least = o; print n[least], "(" least ")" }' "$reports")
row+="| $(sha256sum <"$reports" | cut -c1-16) | $fewest |"
echo "$row" | tee -a "$log"
