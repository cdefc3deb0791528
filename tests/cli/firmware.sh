#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve firmware: the four readers on synthetic images. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
from images import *
save("gen2.kit", kernels(*GEN2_KERNELS))
save("gen3.kit", kernels(*GEN3_KERNELS))
save("again.kit", kernels((0x7e, 0, 16), (0x7e, 1, 24), (0x7e, 0, 24)))
save("bad.kit", kernels((0x7e, 0, 16)) + bytes([0, 9, 0, 0x7c, 0, 0, 0, 0]))
save("cut.kit", kernels((0x7e, 0, 16)) + b"\0\0\0")
save("gen5.bin", dispatch(0x820, 187, 0x30, 0x2f90, GEN5_ENTRIES, code=GEN5_CODE))
save("table.bin", dispatch(0, 187, 0x30, 0x2f90, GEN5_ENTRIES, size=187 * 4))
save("code.bin", dispatch(0, 0, 0, 0, {}, code=GEN5_CODE)[0x2000:])
save("gen4.bin", dispatch(0x800, 187, 0x30, 0x31e3, {0xe0: 0x3182, 0xe1: 0x318a}))
save("gen3.bin", dispatch(0x814, 170, 0x41, 0x777, {0x61: 0x308e, 0x62: 0x308e, 0x63: 0x309e}))
save("tie.bin", dispatch(0, 4, 0x41, 9, {0x42: 5, 0x44: 5}, size=16))
save("based.bin", dispatch(0, 2, 0x41, 0x10000, {0x42: 0x1000b}, size=32, code={11: "250100", 28: "362100"}))
save("gen4.cam", cam(GEN4_ARMED))
save("gen4.prof", cam(GEN4_ARMED, [100 + i for i in range(64)]) + b"more")
save("gen5.cam", cam(GEN5_ARMED))
save("fewer.cam", cam(GEN5_ARMED[:13] + [(0xaa, 0xff)] + GEN5_ARMED[14:-1] + [(0x44, 0xff), (0, 0)]))
save("order.cam", cam([(0x41, 0xff), (0, 0), (0, 0, 0), (0x42, 0xff)]))
save("mask.cam", cam([(0x41, 0xfe)]))
save("enable.cam", cam([(0x41, 0xff), (0x42, 0xff, 2)]))
fourth = bytearray(cam([(0x41, 0xff)]))
fourth[28] = 1
save("fourth.cam", bytes(fourth))
save("keys.cam", cam([(0x41, 0xff), (0x12345678, 0xff), (0x41, 0xff), (0x41, 0x1ff), (0x41, 0xff, 0), (0x41, 0xff), (0, 0)]))
save("table.prof", cam(GEN4_ARMED, [0])[0x400:])
save("names.bin", b"S: EngineNop\0" * 13 + b"S: Max8 found\n" * 4 + b"S: CopyPredicated\0S: CopyPredicatedReduce\0" * 4
     + b"S: Act\0" * 3 + b"S: Seq-A/B,c.d\0" * 16 + b"xS: Max8\0S:Max8\0S: .Max8\0" + b"S: Once")
END

# kernel-info
run 0 firmware kernel-info gen2.kit --gen gen2
says 'record 16 shares the function at 0x00001f00 with record 15'
prints '18 kernel_info records at file offset 0x0, names of gen2'
prints 'IndirectCopy'
run 0 firmware kernel-info gen2.kit --gen gen2 --json
valid firmware-kernel-info
json "[r['opcode'] for r in d['records']] == list(bytes.fromhex('e774676846 47b8bb7e417c7d497a79434492'))"
json "d['records'][4] == {'index': 4, 'offset': 32, 'opcode': 0x46, 'spec': 0, 'key': 0x46000000, 'address': 0x1400, 'name': 'Copy', 'engine': 'DVE'}"
json "len(d['notes']) == 1 and d['gen'] == 'gen2'"
run 0 firmware kernel-info gen3.kit --json
quiet
valid firmware-kernel-info
json "len(d['records']) == 17 and d['records'][9]['key'] == 0xf0040000 and d['records'][9]['address'] == 0x010037a8 and d['records'][9]['name'] == 'ExtendedInst'"
json "[r['engine'] for r in d['records'] if r['opcode'] == 0x7e] == ['pool kernel']"
run 0 firmware kernel-info gen3.kit --offset 8 --count 2 --json
json "[(r['index'], r['offset'], r['opcode']) for r in d['records']] == [(0, 8, 0x7c), (1, 16, 0x7d)]"
run 0 firmware kernel-info gen3.kit --base 0x01000000 --json
valid firmware-kernel-info
json "[r['file_offset'] for r in d['records']][:2] == [0x80, None]"
run 0 firmware kernel-info gen3.kit --base 0x01000000
prints '0x01000080  0x80'
run 0 firmware kernel-info again.kit --json
says 'record 2 repeats the key 0x7e000000 of record 0'
says 'record 2 shares the function at 0x00000018 with record 1'
json "len(d['notes']) == 2"
run 3 firmware kernel-info bad.kit
says 'record 1 at file offset 0x8: bytes 0 and 1 are 0x00 0x09, allowed is zero'
holds test ! -s .out
run 3 firmware kernel-info bad.kit --json
holds test ! -s .out
run 3 firmware kernel-info cut.kit
says 'allowed is a multiple of 8'
run 0 firmware kernel-info cut.kit --count 1
run 3 firmware kernel-info cut.kit --count 2
says 'there are 1'
run 3 firmware kernel-info gen3.kit --offset 0x88
says 'nothing is there'
: >empty
run 3 firmware kernel-info empty

# dispatch: ruling R27, with the code in the image and in another one.
for image in 'gen5.bin' 'table.bin --offset 0 --code code.bin --code-base 0x2000'; do
    # shellcheck disable=SC2086
    run 0 firmware dispatch $image --gen gen5 --json
    quiet
    valid firmware-dispatch
    json "(d['count'], d['bias'], d['default'], d['real_targets']) == (187, 0x30, 0x2f90, 7)"
    json "{e['opcode']: e['target'] for e in d['entries']} == {0x9b: 0x2eff, 0xe9: 0x2f1f, 0x9a: 0x2eef, 0xe6: 0x2ef7, 0xea: 0x2ea7, 0x6e: 0x2def, 0x6f: 0x2e37}"
    json "[e for e in d['entries'] if e['call8']] == [{'opcode': 0x9b, 'name': 'DveReadAccumulator', 'index': 107, 'target': 0x2eff, 'call8': 0x2058, 'entry': {'reg': 1, 'frame': 48}}, {'opcode': 0xe9, 'name': 'DveReadIndices', 'index': 185, 'target': 0x2f1f, 'call8': 0x20b8, 'entry': {'reg': 1, 'frame': 48}}]"
    json "all(e['entry'] is None for e in d['entries'] if e['call8'] is None)"
done
run 0 firmware dispatch gen5.bin --gen maverick
prints 'file offset 0x820 (device address 0x80820): 187 words, entry 0 is opcode 0x30'
prints 'default word 0x2f90; 7 entries differ from it, 7 real targets'
prints '0x9b      107  0x2eff  0x2058  a1, 48  DveReadAccumulator'
run 0 firmware dispatch gen4.bin --gen gen4 --json
json "(d['offset'], d['device_address'], d['default']) == (0x800, 0x80800, 0x31e3) and [(e['opcode'], e['target'], e['call8']) for e in d['entries']] == [(0xe0, 0x3182, None), (0xe1, 0x318a, None)]"
# gen3: the most frequent word; 0x61 and 0x62 share a target. It ends at 0xea (C15).
run 0 firmware dispatch gen3.bin --json
valid firmware-dispatch
json "(d['offset'], d['count'], d['bias'], d['default'], d['real_targets'], len(d['entries'])) == (0x814, 170, 0x41, 0x777, 2, 3)"
# Another image's table: its printed default does not occur.
run 0 firmware dispatch gen3.bin --gen gen5 --offset 0x814 --count 170 --bias 0x41 --json
json "d['default'] == 0x777"
run 0 firmware dispatch tie.bin --offset 0 --count 4 --json
json "d['default'] == 5 and [e['opcode'] for e in d['entries']] == [0x41, 0x43]"
run 0 firmware dispatch based.bin --offset 0 --count 2 --base 0x10000 --json
json "[(e['target'], e['call8'], e['entry']) for e in d['entries']] == [(0x1000b, 0x1001c, {'reg': 1, 'frame': 16})]"
run 0 firmware dispatch based.bin --offset 0 --count 2 --json
json "[(e['target'], e['call8'], e['entry']) for e in d['entries']] == [(0x1000b, None, None)]"
run 2 firmware dispatch gen5.bin --gen gen2
says "gen2's sequencer"
run 2 firmware dispatch missing.bin --gen sunda
run 3 firmware dispatch table.bin --gen gen5
says 'nothing is there'
run 3 firmware dispatch table.bin --gen gen5 --offset 4
says 'a dispatch table of 187 words at file offset 0x4 needs 748 bytes, there are 744'
run 2 firmware dispatch gen5.bin --count 200
says 'opcodes end at 0xff'
run 2 firmware dispatch gen5.bin --count 257
run 2 firmware dispatch gen5.bin --bias 256
run 2 firmware dispatch gen5.bin --code-base 4
says 'without --code'
run 3 firmware dispatch gen5.bin --gen gen5 --code missing.bin
run 2 firmware dispatch - --code -

# prof
run 0 firmware prof gen4.cam --gen gen4 --json
quiet
valid firmware-prof
json "d['armed'] == 48 and len(d['cam']) == 64 and len(d['readings']) == 2"
json "d['cam'][43] == {'slot': 43, 'opcode': 0x1e3, 'mask': 0x1ff, 'enable': 1, 'wildcard': False, 'class': None}"
json "d['cam'][47]['wildcard'] and not d['cam'][48]['enable'] and not d['cam'][48]['wildcard']"
run 0 firmware prof gen4.prof --gen gen4 --json
quiet
json "[c['class'] for c in d['cam']] == list(range(100, 164))"
run 0 firmware prof gen4.prof --gen gen4
prints '48 of 64 slots armed'
prints 'QuantizeMX, saturate bit set'
prints 'Two readings of what arming means'
run 0 firmware prof gen5.cam --gen gen5 --json
quiet
json "d['armed'] == 54"
# Lists are compared for gen4 and gen5 only, and never inside 0xa0-0xb2.
run 0 firmware prof gen4.cam
quiet
run 0 firmware prof gen4.cam --gen gen5 --json
says 'slot 29: opcode 0x64 (BatchNormParamLoad) under mask 0xff is not in the printed list of gen5'
says 'slot 43: opcode 0x1e3 (QuantizeMX) under mask 0x1ff'
says 'opcode 0x6c (Max8) under mask 0xff is in the printed list of gen5 and not armed'
json "len(d['notes']) == 4 + 10"
run 0 firmware prof fewer.cam --gen gen5 --json
json "[('0x44' in n, '0x23' in n) for n in d['notes']] == [(True, False), (False, True)]"
run 0 firmware prof order.cam
says 'slot 1 is a wildcard and not the last armed slot'
says 'slot 2 is a gap'
prints '3 of 64 slots armed'
run 0 firmware prof order.cam --count 2 --json
json "d['armed'] == 2 and len(d['cam']) == 2"
# Slots that were not read are not called unarmed.
for count in 1 48 63; do
    run 0 firmware prof gen4.cam --gen gen4 --count $count --json
    valid firmware-prof
    json "d['notes'] == ['$count of 64 slots were read: they are not compared with the printed list of gen4']"
    run 0 firmware prof gen4.cam --gen gen5 --count $count
    says "$count of 64 slots were read: they are not compared with the printed list of gen5"
    holds test "$(wc -l <.err)" = 1
done
run 0 firmware prof gen4.cam --gen gen4 --count 64
quiet
# Bits outside the mask are compared with nothing; the second of two equal slots never answers.
run 0 firmware prof keys.cam --json
says 'slot 1: key 0x12345678 has bits outside its mask 0xff'
says 'slot 2 is armed for the same key 0x41 under the same mask as slot 0'
json "[n.split(':')[0].split(' is')[0] for n in d['notes']] == ['slot 4', 'slot 1', 'slot 2', 'slot 5']"
# gen5's reservation stands below every reader's text, and in the document.
for reader in kernel-info dispatch prof tokens; do
    case $reader in kernel-info) image=gen3.kit ;; dispatch) image=gen5.bin ;; prof) image=gen5.cam ;; tokens) image=names.bin ;; esac
    run 0 firmware $reader $image --gen gen5
    prints 'gen5: known at the enum and struct surface only'
    run 0 firmware $reader $image --gen gen5 --json
    json "d['gen_note'].startswith('known at the enum and struct surface only')"
done
run 0 firmware prof gen4.cam --gen gen4
holds test "$(grep -c surface .out)" = 0
run 3 firmware prof mask.cam
says 'slot 0 at file offset 0x0: the mask is 0xfe, allowed is 0x0, 0xff or 0x1ff'
run 3 firmware prof enable.cam
says 'slot 1 at file offset 0x10: the enable word is 0x2'
run 3 firmware prof fourth.cam
says 'slot 1 at file offset 0x10: the fourth word is 0x1'
run 3 firmware prof table.prof
says '8192 bytes are a table without its CAM'
holds test ! -s .out
run 3 firmware prof gen3.kit
says 'allowed are 1024 (a CAM) or at least 9216'
cat gen3.kit gen4.cam >behind.cam
run 0 firmware prof behind.cam --offset 136 --gen gen4 --json
json "d['armed'] == 48"
run 2 firmware prof gen4.cam --count 65

# tokens
run 0 firmware tokens names.bin --json
quiet
valid firmware-tokens
json "[(t['name'], t['count'], t['engine']) for t in d['tokens']] == [('Act', 3, 'ACT, PE or POOL'), ('CopyPredicated', 4, 'DVE'), ('CopyPredicatedReduce', 4, 'DVE'), ('EngineNop', 13, 'every engine, by its name'), ('Max8', 4, 'DVE'), ('Once', 1, None), ('Seq-A/B,c.d', 16, 'sequencer')]"
json "all(open('names.bin','rb').read()[o:o + 3 + len(t['name'])] == b'S: ' + t['name'].encode() for t in d['tokens'] for o in t['offsets'])"
json "'whole runtime library' in d['rule']"
run 0 firmware tokens names.bin
prints '45 tokens, 7 names'
prints 'holds for a whole runtime library only'
run 0 firmware tokens names.bin --offset 13 --count 26 --json
json "[(t['name'], t['offsets']) for t in d['tokens']] == [('EngineNop', [13, 26])]"
# A part of a file has no tokens that the file has not: those that an end of it cuts are told and not counted.
printf 'xS: Max8\0S: CopyPredicatedReduce\0S: Act' >window.bin
counted() { # ARGS... : NAME@OFFSET...
    local args=()
    while [[ $1 != : ]]; do
        args+=("$1")
        shift
    done
    shift
    run 0 firmware tokens window.bin "${args[@]}" --json
    valid firmware-tokens
    json "['%s@%d' % (t['name'], o) for t in d['tokens'] for o in t['offsets']] == '$*'.split()"
}
counted : Act@33 CopyPredicatedReduce@9
quiet
counted --offset 1 : Act@33 CopyPredicatedReduce@9               # "S: Max8" stands behind an x
quiet
counted --offset 9 --count 23 : CopyPredicatedReduce@9
quiet
counted --offset 9 --count 17 : # not CopyPredicated
says 'the token "S: CopyPredicatedReduce" at file offset 0x9 is cut by the end of what is looked at, and not counted'
json "len(d['notes']) == 1"
counted --offset 10 --count 22 :
says 'the token "S: CopyPredicatedReduce" at file offset 0x9 is cut by the start of what is looked at, and not counted'
counted --offset 10 : Act@33
counted --offset 33 --count 5 :
says '"S: Act" at file offset 0x21 is cut by the end'
counted --offset 33 --count 6 : Act@33
quiet
counted --offset 32 --count 1 :
quiet
counted --offset 39 :
quiet
run 0 firmware tokens window.bin --offset 10 --count 2
prints '0 tokens, 0 names'
says 'is cut by the start'
run 0 firmware tokens empty --json
valid firmware-tokens
json "d['tokens'] == []"
run 0 firmware tokens gen4.cam
quiet
prints '0 tokens, 0 names'
run 3 firmware tokens names.bin --offset 9999

# Usage and files.
for reader in prof tokens kernel-info; do
    for option in --bias --code --code-base; do
        run 2 firmware $reader gen4.cam $option 1
        says "option $option was given, it is for dispatch"
    done
done
for reader in prof tokens; do
    run 2 firmware $reader gen4.cam --base 1
    says 'it is for kernel-info and dispatch'
done
run 2 firmware
run 2 firmware prof
run 2 firmware prof a b
run 2 firmware profs gen4.cam
says 'did you mean prof?'
run 2 firmware prof gen4.cam --gen gen9
run 2 firmware prof gen4.cam --offset x
run 3 firmware prof missing.cam
says 'missing.cam: cannot open'
run 3 firmware tokens .
says 'directory'
"$program" firmware prof - --gen gen4 --json <gen4.cam >.out 2>.err
holds test $? = 0
valid firmware-prof
cat gen5.bin | "$program" firmware dispatch - --gen gen5 --json >.out 2>.err
holds test $? = 0
json "d['real_targets'] == 7"
head -c 9216 /dev/zero >zero.bin
for reader in kernel-info prof tokens; do
    run 0 firmware $reader zero.bin
    "$program" firmware $reader zero.bin --json >/dev/full 2>.err
    holds test $? = 5
done
run 0 firmware kernel-info zero.bin --json
valid firmware-kernel-info
says '2302 notes, the first 16 are shown'
json "len(d['notes']) == 2302"
# A large file of zeros is odd all over; the report stays readable.
head -c $((8 * 40000)) /dev/zero >zeros.bin
run 0 firmware kernel-info zeros.bin --json
says '79998 notes, the first 16 are shown'
json "len(d['notes']) == 65536 and d['notes'][-1] == 'and more, which are not told'"
broken_pipe 5 firmware tokens names.bin

summary
