#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve run: a text source executed, arrays by names; opendve check of a source. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
import numpy as np
x = np.random.default_rng(7).random((128, 64)).astype(np.float32)
np.save("scores.npy", x)
np.save("rows.npy", x[:4])
np.save("columns.npy", x[:, :8])
np.save("half.npy", x.astype(np.float16))
np.save("flat.npy", x[0])
END
cp "$here/../golden/top8.dve" .
numpy() { holds python -c "import numpy as np, sys
x = np.load('scores.npy')
sys.exit(not ($1))"; }

run 0 run top8.dve --set scores=scores.npy --get best=best.npy --get where=where.npy
silent
clean
numpy "np.array_equal(np.load('best.npy'), -np.sort(-x, 1)[:, :8])"
numpy "np.array_equal(np.load('where.npy'), np.argsort(-x, 1, kind='stable')[:, :8]) and np.load('where.npy').dtype == np.uint32"
# The same records through exec.
run 0 asm top8.dve -o top8.bin
run 0 exec top8.bin --put 'sbuf[0]@0=scores.npy' --get 'sbuf[0:128]@0x1000:fp32:8=other.npy'
same best.npy other.npy
"$program" run - --set scores=scores.npy --get best=other.npy --threads 2 <top8.dve 2>.err
holds test $? = 0
same best.npy other.npy
run 0 run top8.dve --set scores=scores.npy --stats
prints 'Max8'
run 0 run top8.dve --set scores=scores.npy --json
valid run
json "d['schema'] == 'opendve.run/1' and d['records'] == 3 and d['hazards'] == [] and d['stopped'] is None"
run 0 run top8.dve --set scores=scores.npy --trace t.json --state-out s.bin
holds test -s t.json -a -s s.bin
run 0 run top8.dve --get best=other.npy --uninit zero
quiet
run 0 run top8.dve --get best=other.npy
says 'never-written'
run 1 run top8.dve --get best=strict.npy --strict
absent strict.npy
run 0 run top8.dve --gen cayman --set scores=scores.npy --assume hidden_state=partition --json
printf '.dve 1\n.tensor v psum[3]:fp32[64]\n' >one.dve
run 0 run one.dve --set v=flat.npy --get v=other.npy
numpy "np.array_equal(np.load('other.npy'), x[:1])"

# ---- wrong usage ----
wrong() {
    local wanted=$1
    shift
    run 2 run "$@"
    says "$wanted"
    absent out.npy
}
wrong 'declares no tensor "score"; did you mean scores?' top8.dve --set score=scores.npy
wrong 'allowed is NAME=F.npy' top8.dve --set scores --get best=out.npy
wrong 'allowed is NAME=F.npy' top8.dve --set =scores.npy --get best=out.npy
wrong 'allowed is NAME=F.npy' top8.dve --get best=
wrong 'the array has 4 rows of 64, the tensor has 128 partitions of 64' top8.dve --set scores=rows.npy --get best=out.npy
wrong 'the array has 128 rows of 8, the tensor' top8.dve --set scores=columns.npy --get best=out.npy
wrong 'elements of fp32 have 4 bytes' top8.dve --set scores=half.npy --get best=out.npy
wrong 'the source is for gen3, gen4 was asked for' top8.dve --gen gen4 --get best=out.npy
wrong 'run takes one file' --get best=out.npy
wrong 'there is no option --put' top8.dve --put 'sbuf[0]@0=scores.npy'
printf '.dve 1\n.tensor v sbuf[0]+0x38000:fp32[64]\n.tensor w sbuf[0]:uint64[64]\n' >far.dve
wrong 'lie outside the partition' far.dve --get v=out.npy
wrong 'that no array holds' far.dve --get w=out.npy

# ---- stops and mistakes ----
sed 's/\(best+28\[-1:8\] num.*=\)128 /\1200 /' top8.dve >illegal.dve
run 1 run illegal.dve --set scores=scores.npy --get best=out.npy
says 'illegal.dve:10: record 1 MatchValueLoad is refused on gen3: the record breaks 1 rule'
says 'num_active_channels (byte 34) is 200'
absent out.npy
run 1 run illegal.dve --set scores=scores.npy --json
valid run
json "d['stopped']['record'] == 1 and d['records'] == 1"
run 1 run illegal.dve --set scores=scores.npy --get best=out.npy --get-on-error
holds test -s out.npy
rm -f out.npy
sed 's/where, num/were, num/' top8.dve >typo.dve
run 3 run typo.dve --set scores=scores.npy --get best=out.npy
says 'typo.dve:11:34: "were" is neither a memory nor a tensor'
absent out.npy
run 3 run missing.dve
run 4 run top8.dve --set scores=scores.npy --max-records 2 --get best=out.npy
says 'top8.dve:11: record 2'
absent out.npy

# ---- check ----
run 0 check top8.dve
quiet
prints '3 records, 3 legal, 0 illegal (0 errors, 0 assumptions) on gen3'
run 1 check illegal.dve
prints 'illegal.dve:10:1: record 1 MatchValueLoad: num_active_channels (byte 34) is 200, allowed 1..128'
run 1 check illegal.dve --json
valid check
json "d['records'][1]['line'] == 10 and d['records'][1]['column'] == 1 and not d['records'][1]['legal'] and d['complete']"
run 1 check illegal.dve --max-errors 1
prints 'stopped after 1 broken rule'
run 3 check typo.dve
says 'typo.dve:11:34'
prints '2 records, 2 legal'
run 3 check typo.dve --json
valid check
json "d['error'].startswith('typo.dve:11:34') and not d['complete']"
run 2 check top8.dve --gen gen2
says 'the source is for gen3'
holds test ! -s .out
printf '.dve 1\n.gen gen4\n  nop\n' >nop.dve
run 0 check nop.dve --json
valid check
json "d['gen'] == 'gen4' and d['records'][0]['column'] == 3"
summary
