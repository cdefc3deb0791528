#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve check: verdicts, texts, JSON, odd input. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
from records import *
m = max8(0, 0x1000, 64)
save("good.bin", m, key_load(0x1000), find_index8(0, 0x1040, 64), replace8(0, 0, 64), read_indices(0x1080))
save("channels.bin", m, changed(m, b34=0))
save("leaves.bin", max8(0x37ff0, 0x1000, 64))
save("many.bin", *[changed(m, b34=0, b12=1, b1=9)] * 3)
save("read.bin", read_indices(0))
save("unknown.bin", changed(frame(0x0b, 0), b1=16))
save("raw.bin", nop(), frame(0xe4, 128))
save("wait.bin", changed(m, b4=0xff), changed(m, b6=0x06))
save("start.bin", max8(sbuf(32, 0), 0x1000, 64, 40), max8(0, sbuf(3, 0), 64, 4))
save("psum.bin", max8(0, PSUM, 64, out_dtype=BF16))
save("odd.bin", changed32(m, 12, 0x2400000), changed32(m, 12, 0x60000000), changed32(m, 12, 0x80000050),
     changed16(m, 20, 0), changed(m, b32=0x17), changed(m, b40=0x80, b43=0x3f), changed(m, b60=7),
     max8(0, 0x1000, 4), changed16(m, 30, 0), changed32(m, 12, 0x3fffc))
save("fill.bin", changed16(replace8(0, 0x2000, 9), 56, 8))
END

run 0 check good.bin
quiet
prints '5 records, 5 legal, 0 illegal (0 errors, 0 assumptions) on gen3'
holds test "$(wc -l <.out)" = 1
run 1 check channels.bin
quiet
prints 'record 1 Max8: num_active_channels (byte 34) is 0, allowed 1..128 [s4d2_bn_channels]'
prints '2 records, 1 legal, 1 illegal (1 error, 0 assumptions) on gen3'
run 1 check leaves.bin
prints 'record 0 Max8: src (byte 12) reaches byte 229615 of partition 0, allowed bytes 0..229375 [walk_in_partition] (assumption)'
run 0 check leaves.bin --gen gen4
run 1 check read.bin --gen gen2
prints 'opcode (byte 0) is 0xe9 (DveReadIndices), allowed an opcode of gen2; DveReadIndices exists on gen3, gen4 and gen5'
run 0 check read.bin --gen gen5
prints 'gen5: known at the enum and struct surface only'
run 1 check unknown.bin
prints 'record 0 opcode 0x0b: opcode (byte 0) is 0x0b'
run 1 check wait.bin
prints 'wait_mode (byte 4) is 0xff, allowed a wait mode: 0x00..0x07'
prints 'update_mode (byte 6) is 0x06, allowed an update mode'
run 1 check start.bin
prints 'src_start_addr (byte 12) is 0x00800000 (sbuf[32]@0x0), allowed partition 0 or 64 for 40 channels [start_partition]'
prints '(sbuf[3]@0x1c), allowed partition 0, 32, 64 or 96 for 4 channels'
run 1 check psum.bin
prints '(psum[0]@0xe) as bf16, allowed a 4-byte data type [psum_write]'
run 1 check odd.bin
prints 'is 0x02400000 (neither sbuf nor psum), allowed 0x0..0x1ffffff (SBUF)'
prints 'is 0x60000000 (marker 0x60)'
prints 'is 0x80000050 (register 80)'
prints 'in_dtype (byte 32) is dtype:0x17, allowed int8 uint8'
prints 'even_count (byte 40) is 0.5000076 (0x3f000080), allowed 0.0 [max8_even_count]'
prints 'is 0x07, allowed 0 [reserved_zero]'
prints 'allowed byte 0x0..0x37fff of a partition [start_active]'
prints 'src (byte 24) has 4 elements, allowed 8..16384 elements'
prints 'src_num3 (byte 30) is 0, allowed 1..65535 [num_nonzero]'
run 1 check fill.bin
prints 'has 8 elements, allowed 9 elements, as many as the source has'

# JSON: one row per record, broken rules by byte, then rule.
run 0 check good.bin --json
quiet
valid check
json "[r['index'] for r in d['records']] == [0, 1, 2, 3, 4]"
json "[r['mnemonic'] for r in d['records']] == ['max8', 'match_value_load', 'find_index8', 'match_replace8', 'dve_read_indices']"
json "all(r['legal'] and r['broken'] == [] and r['engine'] == 'DVE' for r in d['records'])"
json "[r['format'] for r in d['records']] == ['S4D2_BN', 'S2_BN', 'S4D2_BN', 'S4D4_MR', 'D4_MR']"
json "d['counts'] == {'records': 5, 'legal': 5, 'illegal': 0, 'errors': 0, 'assumptions': 0} and d['complete'] and d['error'] is None"
run 1 check channels.bin --json
valid check
json "d['records'][1]['broken'] == [{'rule': 's4d2_bn_channels', 'field': 'num_active_channels', 'byte': 34, 'value': '0', 'allowed': '1..128', 'severity': 'error', 'source': 'SC'}]"
run 1 check leaves.bin --json
json "d['records'][0]['legal'] is False and d['records'][0]['broken'][0]['severity'] == 'assumption'"
json "d['counts']['assumptions'] == 1 and d['counts']['errors'] == 0"
run 1 check many.bin --json
json "[b['byte'] for b in d['records'][0]['broken']] == [1, 12, 34]"
run 0 check raw.bin --json
valid check
json "[(r['format'], r['engine']) for r in d['records']] == [(None, 'sequencer'), (None, 'pool kernel')]"
run 1 check unknown.bin --json
json "d['records'][0]['opcode'] == '0x0b' and d['records'][0]['mnemonic'] is None and d['records'][0]['format'] is None"
run 0 check read.bin --json --gen maverick
valid check
json "d['gen'] == 'gen5' and 'gen_note' in d"

# --max-errors stops there.
run 1 check many.bin --max-errors 4
holds test "$(grep -c '^record' .out)" = 4
prints 'stopped after 4 broken rules'
run 1 check many.bin --max-errors 4 --json
valid check
json "sum(len(r['broken']) for r in d['records']) == 4 and not d['complete'] and d['counts']['records'] == 2"
run 1 check many.bin --max-errors 0
holds test "$(grep -c '^record' .out)" = 9

# Input of all kinds.
: >empty.bin
run 0 check empty.bin
prints '0 records, 0 legal'
run 0 check empty.bin --json
valid check
head -c 63 good.bin >short.bin
run 3 check short.bin
says '63 of 64 bytes'
head -c 127 good.bin >cut.bin
run 3 check cut.bin --json
says 'no multiple of 64'
valid check
json "len(d['records']) == 1 and d['error'] and not d['complete']"
run 3 check missing.bin
says 'missing.bin: cannot open: No such file or directory'
holds test ! -s .out
run 3 check .
says 'directory'
run 3 check ''
run 0 check /dev/null
"$program" check - <good.bin >.out 2>.err
holds test $? = 0
prints '5 records, 5 legal'
cat channels.bin | "$program" check --json - >.out 2>.err
holds test $? = 1
valid check
"$program" check - <&- >.out 2>.err
holds test $? = 3
"$program" check channels.bin >/dev/full 2>.err
holds test $? = 5
says 'stdout: cannot write: No space left on device'
"$program" check channels.bin --json >&- 2>.err
holds test $? = 5
broken_pipe 5 check many.bin
broken_pipe 5 check many.bin --json

# Constant memory: 64 MiB of records through a pipe in 40 MiB of address space (a sanitizer takes more).
limit=40000
if grep -q __asan_init "$program"; then limit=unlimited; fi
python -c "
import sys
block = open('good.bin', 'rb').read() * 3277
for _ in range(64): sys.stdout.buffer.write(block)" |
    (ulimit -v $limit; exec "$program" check -) >.out 2>.err
holds test "${PIPESTATUS[1]}" = 0
prints '1048640 records, 1048640 legal'
# Random records never fail.
python -c "
import numpy as np
np.random.default_rng(3).integers(0, 256, 64 * 1500, dtype=np.uint8).tofile('random.bin')"
for gen in gen2 gen3 gen4 gen5; do
    run 1 check random.bin --json --gen $gen
    quiet
    valid check
    json "len(d['records']) == 1500"
    run 1 check random.bin --gen $gen
    holds test "$(grep -c '\.\.\.$' .out)" = 0
done

# The last start partition is one that the format takes.
printf '.dve 1\n%s\n' 'indirect_copy src=indirect(sbuf[0]+0x1000, sbuf[0], 32):uint16 dst=sbuf[112]:uint16[1:32] src_num_elem_per_idx=1 src_buffer_size=64 num_active_channels=16' >last.dve
run 1 check last.dve
prints 'allowed a multiple of 32, for 16 channels at most partition 96 [start_partition]'

summary
