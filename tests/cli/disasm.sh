#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve disasm: records to text, and that asm makes the same records of it. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
from records import *
m = max8(0, 0x1000, 64)
save("search.bin", m, key_load(0x1000), find_index8(0, 0x1040, 64, n=32), replace8(sbuf(32, 0), PSUM, 64, fill=0x3dcccccd),
     read_indices(0x1080, dtype=UINT16), max8(0, 0x1000, 64, wait=5, wait_idx=3, sem=2, update=0x13, update_idx=4),
     max8(0, 0x1000, 64, wait=6, wait_idx=200), max8(0, 0x1000, 64, wait=0xee, update=0x42, update_idx=255),
     changed32(m, 12, 0x80000005), changed32(m, 12, 0x40000007), changed32(m, 48, 0xc000003f), changed32(m, 12, 0x20000200),
     changed32(m, 12, 0x60000000), changed32(m, 12, 0x2400000), changed16(m, 16, -3), changed16(m, 30, 0),
     changed(m, b32=0x17, b33=0x10, b34=200), changed32(m, 40, 0x7fc00000), changed32(m, 44, 0xffc00001),
     changed(m, b1=17, b2=7, b3=255), changed(m, b35=1, b63=255), replace8(0, 0, 64, fill=0x7f7fffff), frame(0x0b, 3))
save("opcodes.bin", *[bytes([op, 16]) + bytes(62) for op in range(256)])
save("none.bin")
END

run 0 disasm search.bin
quiet
golden search.dve .out
cp .out search.dve
run 0 asm search.dve -o again.bin
same search.bin again.bin
run 0 disasm search.bin -o out.dve
silent
same search.dve out.dve
run 0 disasm search.bin -o -
same search.dve .out
"$program" disasm - <search.bin >.out
same search.dve .out
run 0 disasm opcodes.bin
grep -v '^raw' .out >known.dve
golden opcodes.dve known.dve
cp .out opcodes.dve
run 0 asm opcodes.dve -o again.bin
same opcodes.bin again.bin
run 0 disasm none.bin
holds test "$(cat .out)" = $'.dve 1\n.gen gen3'
run 0 disasm none.bin --gen gen5
prints '# gen5: known at the enum and struct surface only'
cp .out none.dve
run 0 asm none.dve --gen gen5 -o again.bin
same none.bin again.bin

# Raw lines for what no source names, and for nothing else.
run 0 isa opcodes --json
python -c "
import json
known = {r['value'] if isinstance(r['value'], int) else int(r['value'], 0) for r in json.load(open('.out'))['opcodes']}
lines = open('opcodes.dve').read().splitlines()[2:]
assert len(lines) == 256
assert [l.startswith('raw ') for l in lines] == [op not in known for op in range(256)], 'raw'"
holds test $? = 0

# Random records come back on every generation.
python -c "
import numpy as np
x = np.random.default_rng(5).integers(0, 256, (60000, 64), dtype=np.uint8)
x[:, 0] = np.arange(len(x))
x[::3, 1] = 16
x[::2, 2:12] = 0
x.tofile('random.bin')"
for gen in gen2 gen3 gen4 gen5; do
    run 0 disasm random.bin --gen $gen -o random.dve
    run 0 asm random.dve -o again.bin
    same random.bin again.bin
done

# ---- JSON ----
run 0 disasm search.bin --json
quiet
valid disasm
json "[r['index'] for r in d['records']] == list(range(23)) and d['error'] is None"
json "'\n'.join(r['text'] for r in d['records']) == open('search.dve').read().split('\n', 2)[2].rstrip()"
json "bytes.fromhex(''.join(r['bytes'] for r in d['records'])) == open('search.bin', 'rb').read()"
json "all(sum(f['width'] for f in r['fields']) == 512 for r in d['records'])"
json "d['records'][0]['operands'][1] == {'name': 'dst', 'access': 'write', 'text': 'sbuf[0]+0x101c:fp32[-1:8,0:1]', 'address': 0x101c, 'space': 'sbuf', 'partition': 0, 'offset': 0x101c, 'dtype': 'fp32', 'pattern': [[-1, 8], [0, 1]]}"
json "[f for f in d['records'][0]['fields'] if f['name'] == 'num_active_channels'] == [{'name': 'num_active_channels', 'byte': 34, 'bit': 0, 'width': 8, 'bits': 128, 'value': '128'}]"
json "d['records'][22]['mnemonic'] is None and d['records'][22]['format'] is None and d['records'][22]['engine'] == 'unknown'"
run 0 disasm search.bin --json -o out.dve
valid disasm
same search.dve out.dve

# ---- odd input ----
head -c 127 search.bin >cut.bin
run 3 disasm cut.bin
says 'no multiple of 64'
holds test "$(wc -l <.out)" = 3
run 3 disasm cut.bin -o other.dve
absent other.dve
clean
run 3 disasm cut.bin --json
valid disasm
json "len(d['records']) == 1 and 'no multiple of 64' in d['error']"
run 3 disasm missing.bin
run 2 disasm
run 2 disasm search.bin --json -o -
run 2 disasm search.bin --gen gen9
run 5 disasm search.bin -o no/where.dve
"$program" disasm search.bin >/dev/full 2>.err
holds test $? = 5
broken_pipe 5 disasm search.bin
limit=40000
if grep -q __asan_init "$program"; then limit=unlimited; fi
python -c "
import sys
block = open('search.bin', 'rb').read() * 450
for _ in range(30): sys.stdout.buffer.write(block)" |
    (ulimit -v $limit; exec "$program" disasm -) | tee >(wc -l >.lines) |
    (ulimit -v $limit; exec "$program" asm - -o -) | cmp - <(python -c "
import sys
block = open('search.bin', 'rb').read() * 450
for _ in range(30): sys.stdout.buffer.write(block)")
holds test $? = 0
summary
