#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve asm: text to records; mistakes with their places. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
from records import *
import struct
# As the hand-written source: spare dimensions are written as step 1.
def ones(b, at, dims, used=1):
    b = bytearray(b)
    for d in range(used, dims):
        struct.pack_into("<h", b, at + 4 + 2 * d, 1)
    return bytes(b)
m = ones(ones(max8(0, 0x1000, 64), 12, 4), 48, 2)
k = ones(key_load(0x1000), 16, 2)
f = ones(ones(find_index8(0, 0x1020, 64), 12, 4), 48, 2)
save("top8.bin", m, k, f)
save("nop.bin", bytes([0xa4, 16]) + bytes(62))
END
cp "$here"/../golden/*.dve .

run 0 asm top8.dve -o out.bin
silent
same out.bin top8.bin
clean
run 0 asm top8.dve -oout.bin
run 0 asm --output=out.bin top8.dve
"$program" asm - -o - <top8.dve >out.bin 2>.err
holds test $? = 0
same out.bin top8.bin
tail -n +1 top8.dve | "$program" asm - -o - | tail -c +1 >out.bin
same out.bin top8.bin
run 0 asm top8.dve --json
quiet
valid asm
json "d['records'] == 3 and d['gen'] == 'gen3' and d['errors'] == 0 and d['error'] is None"
json "d['tensors'][1] == {'name': 'best', 'space': 'sbuf', 'partition': 0, 'partitions': 128, 'offset': 4096, 'dtype': 'fp32', 'elements': 8}"
run 0 asm top8.dve -o out.bin --json
same out.bin top8.bin
run 0 disasm top8.bin
golden top8.out.dve .out
printf '.dve 1\r\nnop\r\n' >crlf.dve
run 0 asm crlf.dve -o out.bin
same out.bin nop.bin
printf '\xef\xbb\xbf.dve 1\n# no newline at the end\nnop' >mark.dve
run 0 asm mark.dve -o out.bin
same out.bin nop.bin

# The guide's example is the golden source.
python -c "
import sys
text = open('$here/../../docs/text.md').read()
sys.exit(open('top8.dve').read() != '.dve 1' + text.split('\`\`\`\n.dve 1', 1)[1].split('\`\`\`', 1)[0])"
holds test $? = 0

# ---- generations ----
run 2 asm top8.dve --gen gen2 -o other.bin
says 'top8.dve:2:6: the source is for gen3, gen2 was asked for'
absent other.bin
run 0 asm top8.dve --gen trn2 -o out.bin
same out.bin top8.bin
printf '.dve 1\nnop\n' >nop.dve
run 0 asm nop.dve --gen gen4 --json
json "d['gen'] == 'gen4' and d['records'] == 1"
printf '.dve 1\n.gen mariana\nnop\n' >nop4.dve
run 0 asm nop4.dve --json
json "d['gen'] == 'gen4'"

# ---- mistakes ----
run 3 asm errors.dve -o other.bin
golden errors.txt .err
absent other.bin
clean
run 3 asm errors.dve --json
valid asm
json "d['errors'] == 19 and d['records'] == 0 and d['error'].startswith('errors.dve:5:9: tensor scores')"
{ printf '.dve 1\n'; yes bad | head -300; } >many.dve
run 3 asm many.dve -o other.bin
holds test "$(grep -c 'there is no instruction bad' .err)" = 20
says '300 errors, the first 20 are shown'
"$program" asm many.dve -o - >out.bin 2>/dev/null
holds test ! -s out.bin
printf '.dve 2\nnonsense\n' >v2.dve
run 3 asm v2.dve -o other.bin
says 'v2.dve:1:6: version 2 of the text is unknown'
holds test "$(grep -c '^opendve' .err)" = 1
printf 'nop\n' >headless.dve
run 3 asm headless.dve -o other.bin
says 'headless.dve:1:1: the text does not begin with its version'
: >empty.dve
run 3 asm empty.dve -o other.bin
says 'empty.dve:1:1: the text is empty'
printf '.dve 1\n' >one.dve
run 0 asm one.dve -o out.bin
holds test -e out.bin -a ! -s out.bin
python -c "
open('long.dve', 'w').write('.dve 1\n' + 'nop ' + 65532 * ' ' + '\nnop' + 65534 * ' ' + '\nnop\nno\n')
open('longer.dve', 'w').write('.dve 1\n' + 1000000 * 'x')
open('nul.dve', 'wb').write(b'.dve 1\nnop \0\n\xff\xfe\n')"
run 3 asm long.dve -o other.bin
says 'long.dve:3:65537: the line has more than 65536 bytes'
says 'long.dve:5:1: there is no instruction no'
holds test "$(grep -c '^opendve' .err)" = 2
run 3 asm longer.dve -o other.bin
holds test "$(grep -c '^opendve' .err)" = 1
run 3 asm nul.dve -o other.bin
says 'nul.dve:2:5: a field is missing before byte 0x0'
says 'nul.dve:3:1: an instruction is missing before byte 0xff'
run 3 asm missing.dve -o other.bin
says 'missing.dve: cannot open: No such file or directory'
run 3 asm . -o other.bin
says 'directory'
run 2 asm top8.dve
says 'asm needs an output'
run 2 asm top8.dve -o - --json
run 2 asm
run 5 asm top8.dve -o no/where.bin
"$program" asm top8.dve -o - >/dev/full 2>.err
holds test $? = 5
"$program" asm - -o x.bin <&- 2>.err
holds test $? = 3
broken_pipe 5 asm top8.dve -o -

# Constant memory: two million lines in 40 MiB of address space (a sanitizer takes more).
limit=40000
if grep -q __asan_init "$program"; then limit=unlimited; fi
{ cat top8.dve; sed -n 10p top8.dve | python -c "
import sys
line = sys.stdin.read() * 1000
for _ in range(300): sys.stdout.write(line)"; } |
    (ulimit -v $limit; exec "$program" asm - -o -) | wc -c >.out
holds test "$(cat .out)" = $((64 * 300003))
summary
