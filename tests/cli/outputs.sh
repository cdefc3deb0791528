#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No output replaces an input, whatever the command. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
import json
from records import *
import numpy as np
import tablesets
save("r.bin", max8(0, 0x1000, 64))
np.save("x.npy", np.arange(128 * 64, dtype=np.float32).reshape(128, 64))
np.save("y.npy", np.arange(128 * 64, dtype=np.float32).reshape(128, 64))
tablesets.write_set("t", 2, tablesets.gen2())
tablesets.write_set("u", 3, tablesets.gen3())
ap = {"space": "sbuf", "partition": 0, "offset": 0, "dtype": "fp32", "pattern": [[1, 8]]}
json.dump({"schema": "opendve.lower/1", "instructions": [{"op": "Memset", "channels": 8, "dst": ap, "value": 1}]}, open("s.json", "w"))
END
cat >p.dve <<'END'
.dve 1
.tensor x sbuf[0:128]+0x0:fp32[64]
.tensor best sbuf[0:128]+0x1000:fp32[8]
max8 src=x dst=best num_active_channels=128
END
put=(--put 'sbuf[0]@0=x.npy')
run 0 exec r.bin "${put[@]}" --state-out s.state
run 0 topk y.npy -k 8 --plan plan.json
run 0 lower s.json --split-engines engines
cp engines/dve.bin copy.bin

# kept FILE OUTPUT INPUT ARGS...: exit 2, OUTPUT (an option) and INPUT are named, and FILE stays as it is.
kept() {
    local file=$1 output=$2 input=$3
    shift 3
    cp "$file" before
    run 2 "$@"
    says "opendve: option --$output: "
    says " is $input, and no output replaces an input"
    holds test ! -s .out
    same "$file" before
    clean
}
reads() { # as kept, INPUT is an option or the command's name
    local file=$1 output=$2 input=$3
    shift 3
    kept "$file" "$output" "what $input reads" "$@"
}

reads p.dve output asm asm p.dve -o p.dve
reads r.bin output disasm disasm r.bin -o r.bin
reads r.bin output disasm disasm r.bin -o r.bin --json
reads s.json output lower lower s.json -o s.json
reads s.json output lower lower s.json -o s.json --json
reads engines/dve.bin output disasm disasm engines/dve.bin -o engines/../engines/dve.bin
cp s.json engines/pool.bin
reads engines/pool.bin split-engines lower lower engines/pool.bin --split-engines engines
same engines/dve.bin copy.bin
for option in values indices trace; do
    reads x.npy $option topk topk x.npy -k 8 --$option x.npy
    reads y.npy $option 'option --in' exec --plan plan.json --in y.npy --$option y.npy
    reads plan.json $option 'option --plan' exec --plan plan.json --in y.npy --$option plan.json
    reads plan.bin $option 'option --plan' exec --plan plan.json --in y.npy --$option plan.bin
done
cp x.npy x.json
reads x.json plan topk topk x.json -k 8 --plan x.json
cp x.npy z.bin
reads z.bin plan topk topk z.bin -k 8 --plan z.json
absent z.json
get=sbuf[0:128]@0x1000:fp32:8
reads x.npy get 'option --put' exec r.bin "${put[@]}" --get "$get=x.npy"
reads r.bin get exec exec r.bin "${put[@]}" --get "$get=r.bin"
reads x.npy trace 'option --put' exec r.bin "${put[@]}" --trace x.npy
reads x.npy state-out 'option --put' exec r.bin "${put[@]}" --state-out x.npy
reads r.bin state-out exec exec r.bin "${put[@]}" --state-out r.bin
reads s.state get 'option --state-in' exec r.bin --state-in s.state --get "$get=s.state"
reads s.state trace 'option --state-in' exec r.bin --state-in s.state --trace s.state
reads x.npy get 'option --set' run p.dve --set x=x.npy --get best=x.npy
reads p.dve get run run p.dve --set x=x.npy --get best=p.dve
reads p.dve trace run run p.dve --set x=x.npy --trace p.dve
for file in dve_info.json version.json default_opcode_table.bin transformer_bwd2_datapath_table.bin; do
    kept t/$file get 'a file of the table sets t' exec r.bin "${put[@]}" --gen gen2 --tables t --get "$get=t/$file"
    kept t/$file trace 'a file of the table sets t' run p.dve --gen gen2 --tables t:transformer_fwd --trace t/$file
    for action in show names check 'lookup 65' 'diff t:transformer'; do
        # shellcheck disable=SC2086
        kept t/$file svg 'a file of the table sets t' tables $action t --svg t/$file
    done
    kept t/$file svg 'a file of the table sets t' tables diff t u --svg t/$file
done
kept u/default_control_slow_table.bin svg 'a file of the table sets u' tables diff t u --svg u/default_control_slow_table.bin

# By another name, and as stdin.
ln -s x.npy link.npy
ln x.npy hard.npy
reads x.npy values topk topk x.npy -k 8 --values link.npy
reads x.npy values topk topk link.npy -k 8 --values hard.npy
cp p.dve before
last='asm - -o p.dve <p.dve'
"$program" asm - -o p.dve <p.dve >.out 2>.err
holds test $? = 2
says "option --output: 'p.dve' is what asm reads"
same p.dve before

# A state file is carried on in place.
run 0 exec r.bin --state-in s.state --state-out once.state
cp s.state inplace.state
run 0 exec r.bin --state-in inplace.state --state-out inplace.state
same once.state inplace.state
# Devices and missing files are nobody's; a copy of an input is another file.
run 0 topk x.npy -k 8 --values /dev/null --indices /dev/null
cp x.npy other.npy
run 0 topk x.npy -k 8 --values other.npy
run 3 topk missing.npy -k 8 --values missing.npy
absent missing.npy
summary
