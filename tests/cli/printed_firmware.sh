#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every entry of firmware tables that public pages print (tests/tables/firmware.def), put into synthetic images and read back.
# test_firmware compares the same list with the project's own rows. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
import json, struct
from tablesets import printed

def rows(kind):
    return list(printed(kind, "firmware.def"))

def save(name, data, wanted):
    open(name + ".bin", "wb").write(data)
    json.dump(wanted, open(name + ".json", "w"))

images = {}
for gens, image, opcode, spec, address in rows("KERNEL"):
    # An address that is not printed is invented.
    images.setdefault((gens, image), []).append([opcode, spec, address or 0x1000 + opcode])
for (gens, image), records in images.items():
    for gen in gens:
        save("%s.gen%s.kernels" % (image, gen), b"".join(struct.pack("<HBBI", 0, s, o, a) for o, s, a in records), records)
assert len(images) == 5 and sum(len(r) for r in images.values()) == 18 + 17 + 1 + 2 + 9

for gen, engine, address, entries, bias, normal, targets in rows("DISPATCH"):
    offset, words = address - 0x80000, [normal or 0x1111] * entries
    # The pool engine's entries are not printed: its last opcode gets one, for the count.
    wanted = {o: t for g, o, t, callee in rows("TARGET") if g == gen} if engine == "DVE" else {0xf2: 0x3000}
    for opcode, target in wanted.items():
        words[opcode - bias] = target
    image = bytearray(0x3200)
    struct.pack_into("<%dI" % entries, image, offset, *words)
    for g, at, code in rows("CODE"):
        if g == gen:
            image[at:at + 3] = bytes.fromhex(code)
    callees = {o: c for g, o, t, c in rows("TARGET") if g == gen and c}
    save("%s.gen%d.dispatch" % (engine, gen), image, [entries, bias, normal or 0x1111, address,
         sorted(map(list, wanted.items())), sorted(map(list, callees.items())), targets if engine == "DVE" else None])

# 13 control opcodes, of which no page says which, the printed ones, a wildcard.
for gen in 4, 5:
    armed = [(o, 0xff) for o in range(0xa0, 0xad)] + [(k, m) for g, k, m, slot in rows("ARMED") if g == gen]
    assert all(armed[slot][0] == k for g, k, m, slot in rows("ARMED") if g == gen == 4)
    slots = b"".join(struct.pack("<4I", k, m, 1, 0) for k, m in armed + [(0, 0)])
    save("gen%d.prof" % gen, slots + bytes(0x400 - len(slots)), [len(armed) + 1, armed])
json.dump({"gen%d" % gen: sorted([e, n] for g, e, n, digest in rows("CAM") if g == gen) for gen in (2, 3, 4, 5)}, open("cams.json", "w"))
json.dump({"gen%d" % gen: sorted([i, w, a] for g, i, w, a in rows("PLACE") if g == gen) for gen in (2, 3, 4, 5)}, open("places.json", "w"))
END

for name in *.kernels.bin; do
    name=${name%.bin}
    gen=${name%.kernels}
    run 0 firmware kernel-info "$name.bin" --gen "${gen##*.}" --json
    json "[[r['opcode'], r['spec'], r['address']] for r in d['records']] == json.load(open('$name.json'))"
    json "[r['key'] for r in d['records']] == [o << 24 | s << 16 for o, s, a in json.load(open('$name.json'))]"
done
for gen in 3 4 5; do
    name=DVE.gen$gen.dispatch
    run 0 firmware dispatch $name.bin --gen gen$gen --json
    valid firmware-dispatch
    json "[d['count'], d['bias'], d['default'], d['device_address'], [[e['opcode'], e['target']] for e in d['entries']], [[e['opcode'], e['call8']] for e in d['entries'] if e['call8']], d['printed']['real_targets']] == json.load(open('$name.json'))"
    json "all(e['index'] == e['opcode'] - d['bias'] for e in d['entries'])"
    json "all(e['entry'] == {'reg': 1, 'frame': 48} for e in d['entries'] if e['call8'])"
    # All printed entries stand in it, and the program's own rows say so.
    json "d['printed']['entries'] == d['printed']['same'] == len(d['entries'])"
    json "sorted([p['image'], p['what'], p['address']] for p in d['printed']['places']) == json.load(open('places.json'))[d['gen']]"
done
run 0 firmware dispatch POOL.gen3.dispatch.bin --count 178 --json
json "[d['count'], d['bias'], d['default'], d['device_address'], [[e['opcode'], e['target']] for e in d['entries']]] == json.load(open('POOL.gen3.dispatch.json'))[:5]"
json "d['printed']['entries'] == 8 and d['printed']['same'] == 0"
run 0 firmware dispatch DVE.gen5.dispatch.bin --gen gen5
prints 'sources print of MAVERICK: 79 real targets, 7 entries, of which 7 stand here; sub-table of the DVE image 0x1490; log text of the DVE image 0x80e74'
for gen in 4 5; do
    run 0 firmware prof gen$gen.prof.bin --gen gen$gen --json
    valid firmware-prof
    json "[d['armed'], [[s['opcode'], s['mask']] for s in d['cam']][:d['armed'] - 1]] == json.load(open('gen$gen.prof.json'))"
    json "sorted([c['engine'], c['armed']] for c in d['printed']) == json.load(open('cams.json'))['gen$gen']"
    json "[c['armed'] for c in d['printed'] if c['engine'] == 'DVE'] == [d['armed']]"
    json "d['known'] is None"
    # It is the printed list, so nothing is said to differ from it.
    quiet
done
run 0 firmware prof gen5.prof.bin --json
json "d['printed'] == [{'gen': 'gen3', 'engine': 'every engine', 'armed': 47}]"
run 0 firmware prof gen4.prof.bin --gen gen4
prints 'armed in the images of which sources tell: ACT 25, DVE 48, PE 22, POOL 1'
summary
