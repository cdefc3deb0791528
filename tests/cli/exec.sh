#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve exec: results, options, hazards, refusals, outputs, state files, plans. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
import numpy as np
from records import *
r = np.random.default_rng(7)
x = r.standard_normal((128, 64)).astype(np.float32)
np.save("x.npy", x)
np.save("one.npy", x[0])
np.save("half.npy", x.astype(np.float16))
np.save("fortran.npy", np.asfortranarray(x))
np.save("big.npy", x.astype(">f4"))
np.save("cube.npy", x.reshape(128, 8, 8))
np.save("tall.npy", np.zeros((129, 2), np.float32))
np.save("wide.npy", np.zeros((1, 57345), np.float32))
np.save("none.npy", np.zeros((0, 4), np.float32))
np.save("hollow.npy", np.zeros((4, 0), np.float32))
np.save("double.npy", x.astype(np.float64))
np.save("bf16.npy", (x.view(np.uint32) >> 16).astype(np.uint16))
np.save("bytes.npy", np.arange(64, dtype=np.uint8))
np.save("ints.npy", np.full((128, 64), 2**24 + 1, np.int32))
np.save("void.npy", np.arange(8, dtype=np.uint16).view("V2"))

m, k, f = max8(0, 0x1000, 64), key_load(0x1000), find_index8(0, 0x1040, 64)
save("top.bin", m, k, f, k, replace8(0, 0, 64))
save("first.bin", m, k)
save("second.bin", f, k, replace8(0, 0, 64))
save("max.bin", m)
save("max16.bin", max8(0, 0x1000, 64, in_dtype=BF16, out_dtype=BF16))
save("bad.bin", m, changed(m, b34=0, b1=9), m)
save("leave.bin", max8(0x37ff0, 0x1000, 64))
save("indices.bin", read_indices(0x2000))
save("copy.bin", frame(0x66, 0))
save("engine.bin", frame(0x85, 128))
save("control.bin", nop(update=0x13, update_idx=3), m, nop())
save("badcontrol.bin", changed(nop(), b1=3))
save("wait.bin", max8(0, 0x1000, 64, wait=5, wait_idx=3, sem=2))
save("event.bin", max8(0, 0x1000, 64, wait=6, wait_idx=200))
save("clear.bin", max8(0, 0x1000, 64, wait=0x0f, wait_idx=9), max8(0, 0x1000, 64, wait=0x0e, wait_idx=9))
save("inc.bin", *[max8(0, 0x1000, 64, update=0x13, update_idx=7)] * 3)
save("waitreg.bin", max8(0, 0x1000, 64, wait=0x81, wait_idx=4, sem=5))
save("noreg.bin", max8(0, 0x1000, 64, wait=0x81, wait_idx=4, sem=64))
save("address.bin", changed32(m, 12, 0x80000005))
save("shape.bin", changed32(m, 12, 0x40000005))
save("overlap.bin", k, replace8(0, 4, 63))
save("twice.bin", changed16(m, 52, 0))
save("fewer.bin", key_load(0x1000, 32), find_index8(0, 0x1040, 64, 64), find_index8(0, sbuf(0, 0x1040), 64, 32))
save("moved.bin", key_load(sbuf(32, 0x1000), 32), find_index8(0, 0x1040, 64, 32))
save("through.bin", max8(0, 0x1000, 64, in_dtype=INT32, out_dtype=INT32))
save("fp8.bin", max8(0, 0x1000, 64, out_dtype=0x0e))
save("many.bin", *[find_index8(0, 0x1040, 64)] * 20)
save("none.bin")
END
put=(--put 'sbuf[0]@0=x.npy')
keys=(--put 'sbuf[0]@0x1000:fp32=x.npy')
# The python expression holds; x is the input, v and i the usual results.
numpy() { holds python -c "import numpy as np, sys
x = np.load('x.npy')
sys.exit(not ($1))"; }

# ---- results ----
run 0 exec top.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=v.npy' --get 'sbuf.0:128@4160:uint32:8=i.npy' \
    --get 'sbuf[0:128]@0:fp32:64=rest.npy'
silent
clean
numpy "np.array_equal(np.load('v.npy'), -np.sort(-x, 1)[:, :8])"
numpy "np.array_equal(np.load('i.npy'), np.argsort(-x, 1, kind='stable')[:, :8]) and np.load('i.npy').dtype == np.uint32"
numpy "np.isneginf(np.load('rest.npy')).sum() == 1024"
for file in fortran big cube; do
    run 0 exec max.bin --put "sbuf[0]@0=$file.npy" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy'
    same v.npy w.npy
done
for n in 1 2 3 128; do
    run 0 exec top.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy' --threads $n
    same v.npy w.npy
done
# Vector instructions: those that this host has; the others are refused.
run 2 exec top.bin "${put[@]}" --simd mmx
says 'allowed are best, scalar, sse2, avx2 and avx512'
for level in best scalar sse2 avx2 avx512; do
    if ! "$program" exec top.bin "${put[@]}" --simd $level 2>.simd; then
        holds grep -q "this host has no $level; its best is" .simd
        OPENDVE_SIMD=$level run 2 exec top.bin "${put[@]}"
        continue
    fi
    run 0 exec top.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy' --simd $level
    same v.npy w.npy
    run 0 exec top.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy' --simd $level --unfused
    same v.npy w.npy
    OPENDVE_SIMD=$level run 0 exec top.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy'
    same v.npy w.npy
done
run 0 exec max.bin "${put[@]}" --gen gen2 --get 'sbuf[5]@0x1000:fp32:8=w.npy'
numpy "np.array_equal(np.load('w.npy'), -np.sort(-x[5:6], 1)[:, :8])"
run 0 exec max.bin "${put[@]}" --gen gen5 --get 'sbuf[127:1]@0x1000:fp32:8=w.npy' --stats
prints 'gen5: known at the enum and struct surface only'
prints 'gen5_as_gen4'
# Data types: a bf16 is raw bits, fp32r uint32, fp8 uint8; the bytes of a put are the array's.
run 0 exec max16.bin --put 'sbuf[0]@0:bf16=bf16.npy' --get 'sbuf[0:128]@0x1000:bf16:8=w.npy'
numpy "np.array_equal(np.load('w.npy').astype(np.uint32) << 16, (-np.sort(-((x.view(np.uint32) >> 16 << 16).view(np.float32)), 1)[:, :8]).view(np.uint32))"
for pair in fp32:float32 fp32r:uint32 fp16:float16 bf16:uint16 fp8_e3m4:uint8 fp8_e4m3:uint8 fp8_e5m2:uint8 int8:int8 \
    uint8:uint8 int16:int16 uint16:uint16 int32:int32 uint32:uint32; do
    run 0 exec none.bin --put 'psum[3]@16=bytes.npy' --get "psum[3]@16:${pair%:*}:4=w.npy"
    silent
    numpy "np.load('w.npy').dtype == np.${pair#*:} and np.load('w.npy').tobytes() == bytes(range(4 * np.dtype(np.${pair#*:}).itemsize))"
done
run 0 exec none.bin --put 'psum[0]@0:bf16=void.npy' --get 'psum[0]@0:uint16:8=w.npy'
numpy "np.array_equal(np.load('w.npy')[0], np.arange(8))"
run 0 exec none.bin --put 'sbuf[2]@4:uint32=one.npy' --get 'sbuf[2]@4:fp32:64=w.npy'
numpy "np.array_equal(np.load('w.npy'), x[:1])"
run 0 exec none.bin --put 'sbuf[0]@0=one.npy' --put 'sbuf[0]@4=one.npy' --get 'sbuf[0]@0:fp32:2=w.npy'
numpy "np.array_equal(np.load('w.npy'), x[:1, [0, 0]])"
run 0 exec none.bin --put 'sbuf[0]@0x37ffc=bytes.npy' --gen gen4 --get 'sbuf[0]@0x37ffc:uint8:64=w.npy'
run 0 exec fp8.bin "${put[@]}" --assume e4m3=fn --assume fp8_overflow=saturate --json
json "'e4m3' in d['assumptions'] and 'cost' in d['assumptions']"

# ---- wrong usage ----
wrong() {
    local wanted=$1
    shift
    run 2 exec "$@"
    says "$wanted"
    holds test ! -s .out
    absent out.npy
    clean
}
for place in '' sbuf 'sbuf[0' 'sbuf[0]' 'sbuf[0]0=x.npy' 'dram[0]@0=x.npy' 'sbuf(0)@0=x.npy' 'sbuf[0]@0:fp32:8=x.npy' \
    'sbuf[0:2]@0=x.npy' 'sbuf[0]@0=' 'sbuf[0]@=x.npy' 'sbuf[0]@-4=x.npy' 'sbuf0@0=x.npy'; do
    wrong 'allowed is SPACE[P]@OFF:D=F.npy' max.bin --put "$place"
done
for place in 'sbuf[0]@0=out.npy' 'sbuf[0]@0:fp32=out.npy' 'sbuf[0]@0:fp32:8' 'sbuf[0:]@0:fp32:8=out.npy' \
    'sbuf[0:1@0:fp32:8=out.npy'; do
    wrong 'allowed is SPACE[P:C]@OFF:D:N=F.npy' max.bin --get "$place"
done
for place in 'sbuf[128]@0' 'sbuf[0x80]@0' 'sbuf[0]@0x100000000'; do
    wrong 'allowed is a decimal number or hex' max.bin --put "$place=x.npy"
done
for place in 'sbuf[0:0]@0:fp32:8' 'sbuf[0:129]@0:fp32:8' 'sbuf[0]@0:fp32:0'; do
    wrong 'allowed is a decimal number or hex' max.bin --get "$place=out.npy"
done
for dtype in fp64 int64 uint64 invalid float32 fp4_e2m1 '' 0x0a; do
    wrong 'allowed are fp32 fp32r' max.bin --get "sbuf[0]@0:$dtype:8=out.npy"
done
for place in 'sbuf[0]@0x38000:fp32:1' 'sbuf[0]@229375:fp16:1' 'psum[0]@0:fp32:4097' 'sbuf[0]@0:fp32:4294967295' \
    'sbuf[0]@4294967295:fp32:1'; do
    wrong 'lie outside the partition' max.bin --get "$place=out.npy"
done
wrong 'partitions from 127 on' max.bin --get 'sbuf[127:2]@0:fp32:8=out.npy'
wrong 'partitions from 1 on, allowed are 127' max.bin --put 'sbuf[1]@0=x.npy'
wrong '129 partitions from 0 on' max.bin --put 'sbuf[0]@0=tall.npy'
wrong 'lie outside the partition' max.bin --put 'sbuf[0]@0=wide.npy'
wrong 'lie outside the partition' max.bin --put 'psum[0]@0x3fc0:uint32=one.npy'
wrong 'have 2 bytes, those of the array (float32) have 4' max.bin --put 'sbuf[0]@0:fp16=x.npy' --get 'sbuf[0]@0:fp32:1=out.npy'
wrong 'astype(np.float32)' max.bin --put 'sbuf[0]@0=double.npy'
for pair in 256=0 -1=0 x=0 0=4294967296 0 =1 0= 0=1=2; do
    run 2 exec max.bin --sem "$pair"
done
wrong '0..63' max.bin --reg 64=0
wrong 'honour and ignore' max.bin --waits never
wrong 'report and zero' max.bin --uninit one
wrong '1..' max.bin --max-records 0
wrong '1..' max.bin --max-elements 0
wrong '1..128' max.bin --threads 129
wrong '1..128' max.bin --threads 0
wrong 'exclude each other' max.bin --tables dir --roster default
wrong 'gen3 has default, transformer' max.bin --roster full
wrong 'takes one file' --put 'sbuf[0]@0=x.npy'
wrong 'takes one file' max.bin max.bin
wrong 'belongs to --plan' max.bin --in x.npy
wrong 'belongs to --plan' max.bin --values out.npy
wrong 'needs an input' --plan p.json
wrong 'exclude each other' --plan p.json --in x.npy --put 'sbuf[0]@0=x.npy'
wrong 'exclude each other' --plan p.json --in x.npy --get 'sbuf[0]@0:fp32:1=out.npy'
wrong 'exclude each other' --plan p.json --in x.npy --state-in s
wrong 'exclude each other' max.bin --plan p.json --in x.npy
wrong 'same file' max.bin --get 'sbuf[0]@0:fp32:1=out.npy' --get 'sbuf[1]@0:fp32:1=./out.npy'
wrong 'same file' max.bin --get 'sbuf[0]@0:fp32:1=out.npy' --trace out.npy
wrong 'stdout was given for 2' max.bin --json --get 'sbuf[0]@0:fp32:1=-'
wrong 'stdout was given for 2' max.bin --stats --trace -
wrong 'stdin (-) was given for 2' - --put 'sbuf[0]@0=-'
many=()
for n in {1..17}; do many+=(--get "sbuf[0]@0:fp32:1=many$n.npy"); done
run 0 exec none.bin "${many[@]}"
run 0 exec none.bin "${many[@]:0:32}"
says '16 hazards in all'

# ---- inputs ----
run 3 exec missing.bin "${put[@]}" --get 'sbuf[0]@0:fp32:1=out.npy'
says 'missing.bin: cannot open'
run 3 exec . --get 'sbuf[0]@0:fp32:1=out.npy'
run 3 exec max.bin --put 'sbuf[0]@0=missing.npy' --get 'sbuf[0]@0:fp32:1=out.npy'
run 3 exec max.bin --put 'sbuf[0]@0=none.npy'
says 'empty'
run 3 exec max.bin --put 'sbuf[0]@0=hollow.npy'
run 3 exec max.bin --put 'sbuf[0]@0=max.bin'
head -c 100 top.bin >cut.bin
run 3 exec cut.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=out.npy'
says '36 of 64 bytes'
absent out.npy
run 3 exec cut.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=kept.npy' --get-on-error --json
valid exec
json "d['records'] == 1 and d['stopped'] is None and '36 of 64 bytes' in d['error']"
same kept.npy v.npy
head -c 63 top.bin >short.bin
run 3 exec short.bin
run 0 exec none.bin
silent
run 0 exec none.bin --json
valid exec
json "d['records'] == 0 and d['stats'] == [] and d['assumptions'] == [] and d['stopped'] is None"
cat top.bin | "$program" exec - "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy'
same v.npy w.npy
cat x.npy | "$program" exec max.bin --put 'sbuf[0]@0=-' --get 'sbuf[0:128]@0x1000:fp32:8=-' >w.npy
same v.npy w.npy
clean

# ---- refusals: nothing of the record runs, nothing after it, no output ----
refused() {
    local wanted=$1 reason=$2
    shift 2
    run 1 exec "$@" --get 'sbuf[0]@0x1000:uint8:1=out.npy' --state-out out.state --trace out.json
    says "$wanted"
    absent out.npy
    absent out.state
    absent out.json
    clean
    run 1 exec "$@" --json
    valid exec
    json "d['stopped']['reason'] == '$reason' and d['stopped']['message'].startswith('record ')"
}
refused 'bad.bin, byte 64: record 1 Max8 is refused on gen3: the record breaks 2 rules' illegal bad.bin "${put[@]}"
says 'record 1 Max8: inst_word_len (byte 1) is 9, allowed 16 [inst_word_len]'
says 'record 1 Max8: num_active_channels (byte 34) is 0, allowed 1..128 [s4d2_bn_channels]'
json "d['stopped']['record'] == 1 and d['records'] == 1 and [b['byte'] for b in d['stopped']['broken']] == [1, 34]"
refused 'src (byte 12) reaches byte 229615 of partition 0, allowed bytes 0..229375' illegal leave.bin
refused 'DveReadIndices exists on gen3, gen4 and gen5' illegal indices.bin --gen gen2
refused 'this version does not execute opcode 0x66' not-executed copy.bin
refused 'runs on another engine (pool)' engine engine.bin
refused '--skip-control skips them' control control.bin
refused 'breaks 1 rule' illegal badcontrol.bin --skip-control
refused 'semaphore 3 is 1, wanted >= 2 (wait_mode, byte 4: sem_ge_imm)' wait wait.bin --sem 3=1
refused 'event 200 is clear, wanted set (wait_mode, byte 4: evt_set)' wait event.bin
refused 'event 9 is set, wanted clear' wait clear.bin "${put[@]}"
refused 'semaphore 4 is 0, wanted = 9' wait waitreg.bin --reg 5=9
refused 'register 64 (semaphore_value, byte 8), allowed 0..63' register noreg.bin
refused 'operand src takes its shape from a register' shape-register shape.bin
refused 'the address that a register holds for src breaks 1 rule' illegal address.bin --reg 5=2
says 'src_start_addr (byte 12) is 0x00000002 (sbuf[0]@0x2), allowed a multiple of 4 for fp32 [addr_aligned]'
refused 'breaks' illegal address.bin --reg 5=0x60000000
run 0 exec address.bin "${put[@]}" --reg 5=0x0 --get 'sbuf[0:128]@0x1000:fp32:8=w.npy'
same v.npy w.npy
run 0 exec wait.bin "${put[@]}" --sem 3=2
silent
run 0 exec wait.bin "${put[@]}" --sem 3=0 --sem 0x3=0x2
run 0 exec wait.bin "${put[@]}" --waits ignore
run 1 exec wait.bin "${put[@]}" --waits honour
run 1 exec clear.bin "${put[@]}"
run 0 exec clear.bin "${put[@]}" --waits ignore
run 0 exec waitreg.bin "${put[@]}" --reg 5=9 --sem 4=9
run 0 exec control.bin "${put[@]}" --skip-control --json --max-records 1
json "(d['records'], d['skipped']) == (1, 2)"
# --get-on-error shows the state at the stop.
run 1 exec bad.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy' --get-on-error --trace w.json --state-out w.state
same v.npy w.npy
numpy "len(__import__('json').load(open('w.json'))['traceEvents']) == 2"
holds test -s w.state
# Budgets.
run 4 exec top.bin "${put[@]}" --max-records 3 --get 'sbuf[0:128]@0x1000:fp32:8=out.npy'
says 'the budget of 3 records is used up'
absent out.npy
run 4 exec top.bin "${put[@]}" --max-records 3 --json
valid exec
json "d['stopped']['reason'] == 'max-records' and d['stopped']['record'] == 3 and d['records'] == 3"
run 4 exec top.bin "${put[@]}" --max-records 3 --get-on-error --get 'sbuf[0:128]@0x1000:fp32:8=w.npy'
same v.npy w.npy
run 0 exec top.bin "${put[@]}" --max-records 5 --max-elements 64
run 4 exec top.bin "${put[@]}" --max-elements 0x3f --json
says '64 elements a lane, the budget allows 63'
valid exec
json "d['stopped']['reason'] == 'max-elements' and d['records'] == 0"

# ---- hazards ----
hazard() {
    local wanted=$1
    shift
    run 0 exec "$@" --json
    valid exec
    json "$wanted"
    run 1 exec "$@" --strict --get 'sbuf[0]@0x1000:uint8:1=out.npy'
    says '--strict'
    absent out.npy
}
h="d['hazards']"
hazard "$h == [{'kind': 'never-written', 'class': 'alters', 'record': 0, 'operand': 'src', 'space': 'sbuf', 'partition': 0, 'byte': 0, 'count': 32768}]" max.bin
hazard "[(z['partition'], z['byte'], z['count']) for z in $h] == [(1, 0, 127 * 256)]" max.bin --put 'sbuf[0]@0=one.npy'
hazard "[(z['kind'], z.get('state'), z.get('lane'), z.get('count')) for z in $h] == [('power-on-state', 'keys', 0, 128)]" second.bin "${put[@]}" "${keys[@]}" --threads 2 --uninit zero
hazard "[(z['kind'], z['record'], z.get('lane'), z.get('count')) for z in $h] == [('power-on-state', 1, 32, 32), ('channel-mismatch', 1, 32, 32)]" fewer.bin "${put[@]}" "${keys[@]}"
hazard "[(z['kind'], z['record'], z['lane'], z['count']) for z in $h] == [('channel-mismatch', 1, 0, 32)]" moved.bin "${put[@]}" "${keys[@]}"
hazard "[(z['kind'], z['operands'], z['partition'], z['byte']) for z in $h] == [('partial-overlap', ['src', 'dst'], 0, 4)]" overlap.bin "${put[@]}" "${keys[@]}"
hazard "[(z['kind'], z['operand'], z['byte']) for z in $h] == [('destination-twice', 'dst', 0x101c)]" twice.bin "${put[@]}"
hazard "[(z['kind'], z['operand'], z['lane'], z['element'], z['count']) for z in $h] == [('through-fp32', 'src', 0, 0, 8192)]" through.bin --put 'sbuf[0]@0=ints.npy'
hazard "len($h) == 40 and d['hazard_counts']['total'] == 40 and d['hazard_counts']['power-on-state'] == 20" many.bin --put 'psum[0]@0=x.npy'
run 0 exec many.bin
holds test "$(grep -c '^opendve: hazard: ' .err)" = 16
says '40 hazards in all (never-written 20, power-on-state 20)'
# A get of bytes that nothing wrote gives zeros and a hazard; --uninit zero none.
run 0 exec max.bin "${put[@]}" --get 'sbuf[0:2]@0x1010:fp32:8=w.npy' --json
valid exec
json "$h == [{'kind': 'never-written', 'class': 'alters', 'record': None, 'operand': 'get', 'space': 'sbuf', 'partition': 0, 'byte': 0x1020, 'count': 32}]"
numpy "np.array_equal(np.load('w.npy')[:, 4:], np.zeros((2, 4)))"
run 1 exec max.bin "${put[@]}" --get 'sbuf[0:2]@0x1010:fp32:8=out.npy' --strict
absent out.npy
run 1 exec max.bin "${put[@]}" --get 'sbuf[0:2]@0x1010:fp32:8=out.npy' --strict --get-on-error
same out.npy w.npy
rm out.npy
run 0 exec max.bin "${put[@]}" --get 'sbuf[0:2]@0x1010:fp32:8=w2.npy' --uninit zero --strict
silent
same w.npy w2.npy
run 1 exec many.bin --uninit zero --strict
run 0 exec top.bin "${put[@]}" --strict
silent

# ---- stats and trace ----
run 0 exec top.bin "${put[@]}" --stats
quiet
prints '5 records executed, 0 skipped on gen3'
holds grep -Eq '^Max8 +1 +64 +128 +133\.333$' .out
holds grep -Eq '^MatchValueLoad +2 +16 +388 +404\.167$' .out
prints 'cycles (estimate)'
prints 'hazards: 0'
prints 'assumptions: search_special_values, hidden_state'
run 0 exec top.bin "${put[@]}" --json --gen gen2
valid exec
json "[(s['opcode'], s['records'], s['elements'], s['cycles']) for s in d['stats']] == [('Max8', 1, 64, 454), ('MatchValueLoad', 2, 16, 908), ('FindIndex8', 1, 64, 454), ('MatchReplace8', 1, 64, 454)]"
json "abs(d['stats'][0]['ns'] - 454 / 1.12) < 0.001"
run 0 exec control.bin "${put[@]}" --skip-control --trace t.json
numpy "[(e['name'], e['ts'], round(e['dur'], 6), e['args']['record']) for e in __import__('json').load(open('t.json'))['traceEvents'] if e['ph'] == 'X'] == [('EventSemaphore', 0, 0, 0), ('Max8', 0, 0.133333, 1), ('EventSemaphore', 0.133333, 0, 2)]"
run 0 exec none.bin --trace -
json "d['otherData']['schema'] == 'opendve.trace/1'"

# ---- state files ----
run 0 exec first.bin "${put[@]}" --sem 9=0x10 --reg 63=7 --state-out a.state
run 0 exec second.bin --state-in a.state --state-out b.state
silent
run 0 exec top.bin "${put[@]}" --sem 9=0x10 --reg 63=7 --state-out whole.state
same b.state whole.state
run 0 exec none.bin --state-in whole.state --state-out again.state
same again.state whole.state
run 0 exec none.bin --state-in a.state --get 'sbuf[0:128]@0x1000:fp32:8=w.npy' --state-out -
same .out a.state
same v.npy w.npy
"$program" exec second.bin --state-in - --state-out c.state <a.state
same c.state whole.state
cp a.state inout.state
run 0 exec second.bin --state-in inout.state --state-out inout.state
same inout.state whole.state
run 0 exec second.bin --state-in a.state --json
json "d['hazards'] == [] and d['records'] == 3 and 'hidden_state' in d['assumptions']"
run 0 exec none.bin --state-in a.state --json
json "d['assumptions'] == ['search_special_values', 'hidden_state']"
run 1 exec bad.bin --state-in a.state
says 'byte 64: record 1 Max8'
run 0 exec inc.bin --state-in a.state --sem 7=0xffffffff --state-out d.state
run 0 exec wait.bin --state-in d.state --sem 3=9
run 2 exec none.bin --state-in a.state --gen gen4
says 'the state is of gen3, this run is on gen4; --gen gen3 fits'
run 2 exec none.bin --state-in a.state --assume hidden_state=partition
says 'the state was made with hidden_state=channel, this run has partition'
# Accumulator, shuffle mask and pool buffer go from run to run.
cat >set.dve <<'END'
.dve 1
.tensor x sbuf[0:32]+0x0:fp32[8]
.tensor y sbuf[0:32]+0x1000:fp32[8]
memset dst=x set_value=0x40000000 dst_element_count=8 num_active_channels=32
tensor_scalar_cache_reduce src=x dst=y op0=mult imm0=2.0 op1=add accumulator_cmd=zero_accumulate num_active_channels=32
load_mask_select immediate=1f000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1dff
pool_buffer_load src=x start_index=0 mask=511 num_active_channels=32
END
cat >use.dve <<'END'
.dve 1
.tensor x sbuf[0:32]+0x0:fp32[8]
.tensor sum sbuf[0:32]+0x2000:fp32[1]
.tensor z sbuf[0:32]+0x3000:fp32[8]
.tensor zeros sbuf[0:32]+0x4000:uint32[2]
.tensor found sbuf[0:32]+0x5000:fp32[2]
dve_read_accumulator dst=sum dst_element_count=1 num_active_channels=32
stream_shuffle src=x dst=z num_active_channels=32
memset dst=zeros set_value=0 dst_element_count=2 num_active_channels=32
gather src=zeros dst=found index_miss_behavior=1 num_active_channels=32
END
{ cat set.dve; tail -n +2 use.dve | grep -v 'tensor x'; } >both.dve
for part in set use both; do run 0 asm $part.dve -o $part.bin; done
run 0 exec set.bin --state-out set.state
run 0 exec use.bin --state-in set.state --state-out use.state --strict
run 0 exec both.bin --state-out both.state
holds cmp use.state both.state
run 0 exec none.bin --state-in use.state --state-out again.state
holds cmp use.state again.state
run 1 exec use.bin --strict
says 'power-on-state: 32 channels read mask that no record set'
run 0 exec none.bin --assume hidden_state=partition --state-out p.state
run 0 exec none.bin --assume hidden_state=partition --state-in p.state
run 2 exec none.bin --state-in p.state --state-out out.npy
absent out.npy
damaged() {
    run 3 exec none.bin --state-in damaged.state --state-out out.npy
    says 'damaged.state'
    absent out.npy
}
run 3 exec none.bin --state-in missing.state
run 3 exec none.bin --state-in .
: >damaged.state && damaged
head -c 7 a.state >damaged.state && damaged
head -c 20 a.state >damaged.state && damaged
head -c -1 a.state >damaged.state && damaged
{ cat a.state; printf x; } >damaged.state && damaged
cp top.bin damaged.state && damaged
python - <<'END'
import zlib, struct
good = open("a.state", "rb").read()
assert zlib.crc32(good[:-4]) == struct.unpack("<I", good[-4:])[0]


def write(name, body):
    open(name, "wb").write(bytes(body) + struct.pack("<I", zlib.crc32(bytes(body))))


b = bytearray(good[:-4])
b[8] = 9
write("version.state", b)
b = bytearray(good[:-4])
b[12] = 77
write("gen.state", b)
end = len(good) - 16                     # the run of no bytes
for n, run in enumerate([(2, 0, 0, 0, 4), (0, 128, 0, 0, 4), (0, 0, 0, 229374, 4), (1, 127, 0, 0xffffffff, 4),
                         (1, 0, 0, 0, 0xffffffff), (0, 0, 0, 0, 4), (1, 0, 1, 0, 4), (1, 0, 0, 4, 0)]):
    write("run%d.state" % n, good[:end] + struct.pack("<BBHII", *run) + b"abcd" + good[end:-4])
write("longer.state", good[:-4] + bytes(9))
END
for file in version gen longer run0 run1 run2 run3 run4 run5 run6 run7; do
    cp $file.state damaged.state && damaged
done
# A flipped byte anywhere is found.
python -c "
b = bytearray(open('a.state', 'rb').read())
for n, at in enumerate(range(0, len(b), len(b) // 40)):
    c = bytearray(b); c[at] ^= 0x10; open('flip%d.state' % n, 'wb').write(c)"
for file in flip*.state; do run 3 exec none.bin --state-in "$file"; done

# ---- outputs: all or nothing ----
mkdir locked
run 5 exec max.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=out.npy' --get 'sbuf[0]@0x1000:fp32:8=nowhere/w.npy'
says 'nowhere/w.npy: cannot create'
absent out.npy
clean
run 5 exec max.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=out.npy' --state-out locked
absent out.npy
run 5 exec max.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=out.npy' --state-out /dev/full
says '/dev/full: cannot write'
absent out.npy
clean
"$program" exec max.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=out.npy' --json >/dev/full 2>.err
holds test $? = 5
absent out.npy
"$program" exec max.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=-' >&- 2>.err
holds test $? = 5
"$program" exec max.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=w.npy' >&-
holds test $? = 0
same v.npy w.npy
broken_pipe 5 exec max.bin "${put[@]}" --stats --get 'sbuf[0:128]@0x1000:fp32:8=out.npy'
absent out.npy
printf old >out.npy
run 1 exec bad.bin "${put[@]}" --get 'sbuf[0:128]@0x1000:fp32:8=out.npy'
holds test "$(cat out.npy)" = old
rm out.npy
# An interrupt while records come from a pipe leaves nothing behind.
interrupted() {
    local signal=$1 wanted=$2
    mkfifo "pipe$signal"
    (
        trap - INT HUP TERM
        exec /usr/bin/python3 -c "import os, signal, sys
for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(s, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])" "$program" exec "pipe$signal" "${put[@]}" \
            --get 'sbuf[0:128]@0x1000:fp32:8=out.npy' --trace out.json 2>.err
    ) &
    local child=$!
    exec 9>"pipe$signal"
    cat max.bin >&9
    local n=0
    while ! compgen -G '.opendve-*' >/dev/null && ((n++ < 200)); do sleep 0.02; done
    kill -s "$signal" $child
    wait $child
    holds test $? = "$wanted"
    exec 9>&-
    absent out.npy
    absent out.json
    clean
}
interrupted INT 130
interrupted TERM 143

# ---- plans ----
if "$program" topk --help 2>/dev/null | grep -q -- --plan; then
    run 0 topk x.npy -k 11 --values tv.npy --indices ti.npy --plan p.json
    run 0 exec --plan p.json --in x.npy --values ev.npy --indices ei.npy
    silent
    same tv.npy ev.npy
    same ti.npy ei.npy
    run 0 exec --plan p.json --in x.npy --indices ei2.npy --stats --trace p.trace --state-out p.state --threads 3
    quiet
    same ti.npy ei2.npy
    run 0 exec --plan p.json --in x.npy --json --gen gen3
    valid exec
    json "d['records'] > 0 and d['hazards'] == [] and d['stopped'] is None"
    run 0 exec --plan p.json --in x.npy --values - && cp .out ev.npy
    same tv.npy ev.npy
    run 2 exec --plan p.json --in x.npy --gen gen4
    says 'the plan is for gen3'
    run 2 exec --plan p.json --in x.npy --assume e4m3=fn
    run 2 exec --plan p.json --in one.npy
    run 2 exec --plan p.json --in half.npy
    run 3 exec --plan p.json --in missing.npy --values out.npy
    run 4 exec --plan p.json --in x.npy --values out.npy --max-records 2
    absent out.npy
    cp p.json lonely.json
    run 3 exec --plan lonely.json --in x.npy --values out.npy
    run 2 exec --plan top.bin --in x.npy
    cp top.bin nonsense.json
    run 3 exec --plan nonsense.json --in x.npy
    run 3 exec --plan missing.json --in x.npy
    python -c "b = bytearray(open('p.bin', 'rb').read()); b[64 + 34] = 0; open('q.bin', 'wb').write(b)"
    cp p.json q.json
    run 1 exec --plan q.json --in x.npy --values out.npy
    says 'record 1'
    absent out.npy
    clean
fi

summary
