# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the tests of the program. `run WANTED ARGS...` runs it and checks the exit status; `says`,
# `prints` and `silent` look at what it wrote; `holds` checks any other condition.
set -uo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
schemas=$here/../../docs/schema
program=$(realpath "${1:?usage: $0 PROGRAM}")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

# Python that has numpy; tests/cli/records.py builds records.
python() { PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$@"; }

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    printf 'FAILED %s:%s: %s\n' "$(basename "$0")" "${BASH_LINENO[1]}" "$*"
}

run() {
    local wanted=$1
    shift
    last="opendve $*"
    "$program" "$@" >"$work/.out" 2>"$work/.err" </dev/null
    local status=$?
    if ((status == wanted)); then good; else
        bad "$last: exit $status, wanted $wanted"
        head -5 "$work/.err"
    fi
}
says() { if grep -qF -- "$1" "$work/.err"; then good; else bad "$last: stderr lacks \"$1\":" "$(head -5 "$work/.err")"; fi; }
prints() { if grep -qF -- "$1" "$work/.out"; then good; else bad "$last: stdout lacks \"$1\":" "$(head -5 "$work/.out")"; fi; }
silent() { if [[ ! -s $work/.out && ! -s $work/.err ]]; then good; else bad "$last: it printed" "$(cat "$work/.out" "$work/.err")"; fi; }
quiet() { if [[ ! -s $work/.err ]]; then good; else bad "$last: stderr has" "$(cat "$work/.err")"; fi; }
holds() {
    if "$@"; then good; else bad "$* (after $last)"; fi
}
# FILE is as tests/golden/NAME has it; with OPENDVE_REBASE=1 it becomes that.
golden() { # NAME FILE
    if [[ ${OPENDVE_REBASE-} == 1 ]]; then cp "$2" "$here/../golden/$1"; fi
    if diff -u "$here/../golden/$1" "$2" >"$work/.diff"; then good; else
        bad "$last: differs from tests/golden/$1 (OPENDVE_REBASE=1 makes it so):" "$(head -30 "$work/.diff")"
    fi
}
same() { holds cmp -s "$1" "$2"; }
absent() { if [[ -e $1 ]]; then bad "$1 is there (after $last)"; else good; fi; }
# Nothing printed would act on a terminal: no controls but the newline, no separators, no turns of the direction of writing.
tame() {
    if python - "$work/.out" "$work/.err" 2>"$work/.why" <<'END'
import re, sys
for name in sys.argv[1:]:
    text = open(name, "rb").read().decode()
    found = re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
    assert not found, "%s: %r" % (name, text[found.start() - 20:found.end() + 20])
END
    then good; else bad "$last: $(tail -1 "$work/.why")"; fi
}
# No temporaries are left in the work directory.
clean() { if compgen -G '.opendve-*' >/dev/null; then bad "temporaries are left: $(ls -a)"; else good; fi; }
# A Python expression over `d`, the last JSON document, is true.
json() {
    if python -c "import json,sys
d = json.load(open('$work/.out'))
sys.exit(not ($1))"; then good; else bad "$last: not so: $1"; fi
}
# The last document fits docs/schema/NAME.schema.json.
valid() {
    if python -c "import json, sys, jsonschema
schema = json.load(open('$schemas/$1.schema.json'))
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(json.load(open('$work/.out')))" 2>"$work/.why"; then good; else
        bad "$last: does not fit $1: $(grep -v '^ ' "$work/.why" | tail -3)"
    fi
}
# Runs the program with a stdout whose reader is gone; it exits with WANTED and says nothing more.
broken_pipe() {
    local wanted=$1
    shift
    last="opendve $* | nobody"
    python -c "import os, signal, subprocess, sys
r, w = os.pipe()
os.close(r)
sys.exit(subprocess.run(sys.argv[1:], stdout=w).returncode)" "$program" "$@" 2>"$work/.err" </dev/null
    holds test $? = "$wanted"
    quiet
}
summary() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
    exit
}
