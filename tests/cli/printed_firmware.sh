#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every entry of firmware tables that public pages print, put into a synthetic image and read back. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
if ! "$program" help firmware >/dev/null 2>&1; then
    echo 'SKIPPED: this program has no command firmware'
    exit 77
fi

python - <<'END'
import json, struct

def kernels(name, records):
    with open(name + ".bin", "wb") as f:
        for opcode, spec, address in records:
            f.write(struct.pack("<HBBI", 0, spec, opcode, address))
    json.dump(records, open(name + ".json", "w"))

def pairs(text):
    for part in text.split():
        key, _, address = part.partition("=")
        opcode, _, spec = key.partition("/")
        yield int(opcode, 16), int(spec or "0"), int(address or "0", 16)

# kernel_info: gen2's 18 opcodes in order (44 shares the function of 43); gen3's images with their addresses.
order = "E7 74 67 68 46 47 B8 BB 7E 41 7C 7D 49 7A 79 43 44 92".split()
kernels("gen2", [(int(o, 16), 0, 0x1000 + 16 * (n - (o == "44"))) for n, o in enumerate(order)])
kernels("image0", list(pairs("7E/0=01000080 7C/0=010003F8 7D/0=01000410 45/0=01000B90 51/0=0100105C 41/0=01000F1C "
    "F0/0=01003370 F0/1=01003380 F0/2=01003484 F0/4=010037A8 F0/3=01003A60 52/0=01003B40 46/0=010040C0 47/0=01004160 "
    "BE/0=01004204 F2/0=0100484C 7B/0=01004DC4")))
kernels("image1", list(pairs("7E")))
kernels("image2", list(pairs("7C 7D")))
kernels("image3", list(pairs("7E=01000080 7C=010003F8 7D=01000410 45=01000B90 BE=01000DAC F2=010013F4 7B=01001964 "
    "E4=01002258 F0/7=01003B64")))

def dispatch(name, offset, count, bias, normal, entries):
    words = [normal] * count
    for opcode, target in entries.items():
        words[opcode - bias] = target
    with open(name + ".bin", "wb") as f:
        f.write(bytes(offset) + struct.pack("<%dI" % count, *words))
    json.dump(sorted(entries.items()), open(name + ".json", "w"))

dispatch("dispatch3", 0x814, 170, 0x41, 0x1111, {0x61: 0x308e, 0x62: 0x308e, 0x63: 0x309e, 0x64: 0x30b6, 0x65: 0x30ae,
    0x66: 0x30e6, 0x8e: 0x30be, 0x94: 0x30a6})
dispatch("dispatch4", 0x800, 187, 0x30, 0x31e3, {0xe0: 0x3182, 0xe1: 0x318a})
dispatch("dispatch5", 0x820, 187, 0x30, 0x2f90, {0x9b: 0x2eff, 0xe9: 0x2f1f, 0x9a: 0x2eef, 0xe6: 0x2ef7, 0xea: 0x2ea7,
    0x6e: 0x2def, 0x6f: 0x2e37})

# Armed lists: 13 control opcodes, of which no page says which, the printed ones, a wildcard.
gen4 = ("41 4D 51 42 52 83 84 43 93 53 45 46 47 48 4E 5E 64 8E 65 6A 6B 70 71 72 77 78 E0 E1 E2 E3 1E3 98 30 9F").split()
control = list(range(0xa0, 0xad))
four = control + [int(o, 16) for o in gen4]
five = [o for o in four if o not in (0x64, 0x70, 0x71, 0x1e3)] + [int(o, 16) for o in "23 25 58 61 62 6C 6D 6E 6F 99".split()]
printed5 = ("23 25 30 41 42 43 45 46 47 48 4D 4E 51 52 53 58 5E 61 62 65 6A 6B 6C 6D 6E 6F 72 77 78 83 84 8E 93 98 99 9F "
    "E0 E1 E2 E3").split()
assert sorted(five[13:]) == [int(o, 16) for o in printed5] and (len(four), len(five)) == (47, 53)
for name, armed in (("prof4", four), ("prof5", five)):
    with open(name + ".bin", "wb") as f:
        for o in armed + [None]:
            f.write(struct.pack("<4I", o or 0, 0 if o is None else 0x1ff if o > 255 else 0xff, 1, 0))
        f.write(bytes(0x400 - 16 * (len(armed) + 1)))
    json.dump(armed, open(name + ".json", "w"))
END

for name in image0 image1 image2 image3; do
    run 0 firmware kernel-info $name.bin --json
    json "[[r['opcode'], r['spec'], r['address']] for r in d['records']] == json.load(open('$name.json'))"
done
run 0 firmware kernel-info gen2.bin --gen gen2 --json
json "[[r['opcode'], r['spec'], r['address']] for r in d['records']] == json.load(open('gen2.json')) and len(d['records']) == 18"
json "not {0x6c, 0x6d, 0x6e, 0x6f, 0x72, 0x98, 0x9b, 0xbc, 0xe3, 0xe5, 0xe6, 0xe8, 0xe9, 0xea} & {r['opcode'] for r in d['records']}"
for gen in 3 4 5; do
    run 0 firmware dispatch dispatch$gen.bin --gen gen$gen --json
    json "[[e['opcode'], e['target']] for e in d['entries']] == json.load(open('dispatch$gen.json'))"
    json "all(e['index'] == e['opcode'] - d['bias'] for e in d['entries'])"
done
json "(d['offset'], d['count'], d['bias'], d['default']) == (0x820, 187, 0x30, 0x2f90)"
for gen in 4 5; do
    run 0 firmware prof prof$gen.bin --gen gen$gen --json
    json "d['armed'] == len(json.load(open('prof$gen.json'))) + 1"
    json "[s['opcode'] for s in d['cam']][:d['armed'] - 1] == json.load(open('prof$gen.json'))"
    # It is the printed list, so nothing is said to differ from it.
    quiet
done
summary
