#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# opendve neff, and disasm, check and exec with packages: synthetic ones, made with Python's own modules. Argument: the program.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python - <<'END'
from packages import *
plain = pack(members())
save("two.neff", package(plain))
save("one.neff", package(plain, version=1))
save("pax.neff", package(pack(members(), tarfile.PAX_FORMAT, "./")))
save("ustar.neff", package(pack(members(), tarfile.USTAR_FORMAT)))
long = "sg00/" + "deep/" * 30 + "dve.bin"
renamed = members(**{"sg00/dve.json": engine(long[5:]), long: STREAM})
del renamed["sg00/dve.bin"]
save("long.gnu.neff", package(pack(renamed)))
save("long.pax.neff", package(pack(renamed, tarfile.PAX_FORMAT)))
save("split.neff", package(pack({**members(), "p" * 80 + "/" + "n" * 60: b"x"}, tarfile.USTAR_FORMAT)))
save("global.neff", package(pack(members(), tarfile.PAX_FORMAT, pax_headers={"comment": "hello"})))
big = info("ids.bin", b"ids", uid=1 << 40)
save("base256.neff", package(pack(list(members().items()) + [big])))
save("bare.tgz", squeeze(plain))
save("bare.tgz.tail", squeeze(plain) + b"\0\0\0")
save("bare.tar", plain)
save("tail.neff", package(plain, tail=b"behind"))
save("features.neff", package(plain, features=1 << 27))
save("features1.neff", package(plain, features=1 << 27, major=1))
save("vnc.neff", package(plain, vnc=3))
save("stream", STREAM)
save("other", OTHER)

# Headers that are refused.
stored = squeeze(plain)
for name, fields in {"version0": dict(version=0), "version3": dict(version=3), "major3": dict(major=3), "empty": dict(size=0),
                     "long": dict(size=len(stored) + 1), "huge": dict(size=2**64 - 1), "header": dict(header_size=0x401)}.items():
    save("bad.%s.neff" % name, header(stored, **fields) + stored)
save("bad.md5.neff", header(stored, digest=bytes(32)) + stored)
save("bad.sha.neff", header(plain, version=1, digest=bytes(32)) + plain)
save("bad.cut.neff", header(stored)[:1000])
save("bad.notgzip.neff", header(plain) + plain)
cut = stored[:len(stored) // 2]
save("bad.cutgzip.neff", header(cut) + cut)
flipped = bytearray(stored)
flipped[-6] ^= 1
save("bad.crc.neff", header(bytes(flipped)) + bytes(flipped))

# Archives that are refused, one for each reason.
def hostile(name, tar):
    save("hostile.%s.neff" % name, package(tar))
    save("hostile.%s.one.neff" % name, package(tar, version=1))

extra = lambda *parts: pack(list(members().items()) + list(parts))
hostile("dotdot", extra(("sg00/../../evil", b"x")))
hostile("dotdot2", extra(("..", b"x")))
hostile("dotdotdir", extra(("../up", None)))
hostile("absolute", extra(("/evil", b"x")))
hostile("dotabsolute", extra((".//evil", b"x")))
hostile("emptypart", extra(("a//b", b"x")))
hostile("dotpart", extra(("a/./b", b"x")))
hostile("newline", extra(("a\nb", b"x")))
hostile("latin", extra(info("a\udce4", b"x")))
hostile("symlink", extra(info("link", kind=tarfile.SYMTYPE, linkname="/etc/passwd")))
hostile("hardlink", extra(info("link", kind=tarfile.LNKTYPE, linkname="neff.json")))
hostile("chardev", extra(info("dev", kind=tarfile.CHRTYPE)))
hostile("blockdev", extra(info("dev", kind=tarfile.BLKTYPE)))
hostile("fifo", extra(info("fifo", kind=tarfile.FIFOTYPE)))
hostile("contiguous", extra(info("cont", b"x", kind=tarfile.CONTTYPE)))
hostile("sparse", extra(info("sparse", bytes(512), kind=tarfile.GNUTYPE_SPARSE)))
paxsparse = info("sparse", b"x", pax_headers={"GNU.sparse.major": "1"})
hostile("paxsparse", pack([paxsparse], tarfile.PAX_FORMAT))
hostile("duplicate", extra(("neff.json", b"{}")))
hostile("duplicatedot", extra(("./neff.json", b"{}")))
hostile("duplicatedir", extra(("sg00", None)))
hostile("underfile", extra(("neff.json/x", b"x")))
hostile("underfile2", extra(("z/x", b"x"), ("z", b"x")))
hostile("fileanddir", extra(("sg00", b"x")))
blocks = plain.rstrip(b"\0")
blocks += bytes(-len(blocks) % 512)
hostile("noend", blocks)
hostile("oneblock", blocks + bytes(512))
hostile("oneblockmore", blocks + bytes(512) + plain)
hostile("after", blocks + bytes(1024) + plain)
hostile("after1", blocks + bytes(1024 + 511) + b"x")
hostile("ragged", blocks + bytes(1000))
hostile("none", b"")
broken = bytearray(plain)
broken[0] ^= 1
hostile("checksum", bytes(broken))
def patched(tar, at, text):
    out = bytearray(tar)
    out[at:at + len(text)] = text
    out[148:156] = b" " * 8
    out[148:156] = b"%06o\0 " % sum(out[:512])
    return bytes(out)
hostile("toolong", patched(plain, 124, b"77777777777\0"))
hostile("base256long", patched(plain, 124, b"\x80" + b"\0" * 3 + b"\xff" * 8))
hostile("badsize", patched(plain, 124, b"00000000x00\0"))
hostile("negative", patched(plain, 124, b"\xff" * 12))
hostile("v7", patched(plain, 257, b"\0" * 8))
def pax(records, kind=b"x"):
    one, _ = info("x", records, kind=kind)
    body = one.tobuf(tarfile.USTAR_FORMAT) + records + bytes(-len(records) % 512)
    return body + plain
hostile("paxlength", pax(b"99 path=a\n"))
hostile("paxnodigits", pax(b"x path=a\n"))
hostile("paxnonewline", pax(b"9 path=ab"))
hostile("paxnoequals", pax(b"8 patha\n"))
hostile("paxsize", pax(b"10 size=x\n"))
hostile("paxempty", pax(b"8 path=\n"))
hostile("paxnul", pax(b"11 path=a\0\n"))
hostile("paxpathdotdot", pax(b"13 path=../a\n"))
hostile("paxglobalpath", pax(b"10 path=a\n", b"g"))
hostile("paxtwice", pax(b"10 path=a\n")[:1024] + pax(b"10 path=b\n"))
hostile("longandpax", pax(b"2\0", b"L")[:1024] + pax(b"10 path=b\n"))
hostile("longempty", pax(b"\0", b"L"))
hostile("dangling", pax(b"10 path=a\n")[:1024] + bytes(1024))
hostile("hugepax", pax(b"%d comment=" % (1 << 21) + b"a" * ((1 << 21) - 9 - len("%d" % (1 << 21)) - 1) + b"\n"))
hostile("dirdata", patched(pack([("d", None)]), 124, b"00000000001\0"))
hostile("deepname", extra(("d/" * 64 + "f", b"x")))
hostile("second", plain)
two = squeeze(plain) + squeeze(plain)
save("hostile.second.neff", header(two) + two)
save("hostile.second.one.neff", two)
junk = squeeze(plain) + b"junk"
save("hostile.junk.neff", header(junk) + junk)

# Bombs, and the largest that are none.
def raw(size):
    """A tar of one member of zeros, `size` bytes in all."""
    return pack([info("zero", bytes(size - 1536))], form=tarfile.USTAR_FORMAT)[:size]
assert len(raw(1 << 20)) == 1 << 20
save("four.neff", package(raw(4 << 20)))
save("bomb.neff", package(raw((4 << 20) + 512)))
save("bomb.tgz", squeeze(raw(64 << 20)))
save("bomb.one.neff", package(raw(8 << 20), version=1))
def many(count):
    out = bytearray()
    for i in range(count):
        one, _ = info("d%05d" % i, kind=tarfile.DIRTYPE)
        out += one.tobuf(tarfile.USTAR_FORMAT)
    return bytes(out) + bytes(1024)
save("many.neff", package(many(65536), version=1))
save("toomany.neff", package(many(65537), version=1))

# Manifests.
def kelf(graphs, target="v3"):
    return dump({"graphs": graphs, "target": target})
graph = lambda n: {"name": "sg%02d" % n, "definition": "sg%02d/def.json" % n}
def several(targets=("v3",), **changes):
    out = members(**{"sg01/def.json": dump({"dve": "dve.json"}), "sg01/dve.json": engine("dve.bin"), "sg01/dve.bin": OTHER})
    out["neff.json"] = dump({"a": [{"kelf": "kelf-%d.json" % i} for i in range(len(targets))]})
    del out["kelf-a.json"]
    for i, target in enumerate(targets):
        out["kelf-%d.json" % i] = kelf([graph(i)] if len(targets) > 1 else [graph(1), graph(0), graph(1)], target)
    out.update(changes)
    return out
save("several.neff", package(pack(several())))
save("targets.neff", package(pack(several(("v3", "v4")))))
save("anyand.neff", package(pack(several(("*", "mariana")))))
for target in ("v2", "sunda", "cayman", "v4", "mariana", "*", "nonsense", None):
    save("target.%s.neff" % (target if target != "*" else "any"), package(pack(members(target))))
legacy = members()
legacy["kelp.json"] = legacy.pop("neff.json")
save("legacy.neff", package(pack(legacy)))
unnamed = several()
unnamed["neff.json"] = b"{}"
unnamed["kelf-1.json"] = kelf([graph(0)])
unnamed["sg00/kelf-2.json"] = b"nothing"
save("unnamed.neff", package(pack(unnamed)))
save("attributes.neff", package(pack(members(**{"neff.json": dump([[{"x": {"attributes": {"kelf": "./kelf-a.json", "k": ["}", "\\\"]"]}}}]])}))))
save("escaped.neff", package(pack(members(**{"neff.json": b'{"\\u006belf":"kelf\\u002da.json"}'}))))
save("dangling.neff", package(pack(members(**{"neff.json": dump({"kelf": "no.json", "x": {"kelf": "kelf-a.json"}}),
                                              "kelf-a.json": kelf([graph(0), graph(7), {"name": "none"}])}))))
save("noinstr.neff", package(pack(members(**{"sg00/dve.json": engine("gone.bin")}))))
save("nodve.neff", package(pack(members(**{"sg00/def.json": dump({"pe": "pe.json"})}))))
save("notjson.neff", package(pack(members(**{"sg00/def.json": b'{"dve": "dve.json",}'}))))
save("notjson2.neff", package(pack(members(**{"neff.json": b"\xff", "kelf-a.json": b"[" * 100}))))
save("nomanifest.neff", package(pack([("x", b"y")])))
save("odd.neff", package(pack(members(**{"sg00/dve.bin": STREAM + b"odd"}))))
save("emptystream.neff", package(pack(members(**{"sg00/dve.bin": b""}))))
save("tables4.neff", package(pack(with_tables(TABLES4))))
save("tables3.neff", package(pack(with_tables(TABLES3, target="v2"))))
save("tablesdef.neff", package(pack(with_tables(TABLES4, "sg00/def.json"))))
half = dict(TABLES4)
del half["datapath_table"]
save("tableshalf.neff", package(pack(with_tables(half))))
both = with_tables(TABLES3, "sg00/def.json")
both["sg00/dve.json"] = engine("dve.bin", dve_tables={"opcode_table": "t_opcode_table.bin"})
save("tablesboth.neff", package(pack(both)))
# Work stays bounded: every graph names the same large files.
many = {"neff.json": dump([{"kelf": "k.json"}] * 1000), "k.json": kelf([{"name": "g", "definition": "d.json"}] * 20000),
        "d.json": dump({"x": "y" * (1 << 20), "dve": "e.json"}), "e.json": engine("s.bin", x="z" * (1 << 20)), "s.bin": STREAM * 500}
save("amplify.neff", package(pack(many), version=1))
graphs = {"neff.json": dump({"kelf": "k.json"}), "k.json": b'{"graphs":[' + b"{}," * 65536 + b"{}]}"}
save("graphs.neff", package(pack(graphs), version=1))
save("kelfs.neff", package(pack({"neff.json": b"[" + b",".join(b'{"kelf":"n%d"}' % i for i in range(5000)) + b"]"})))
END

# ---- list
for name in two one pax ustar long.gnu long.pax split global base256 bare.tgz bare.tar tail legacy attributes escaped; do
    file=$name
    [[ -e $file ]] || file=$name.neff
    run 0 neff list "$file" --json
    valid neff-list
    json "d['gen'] == 'gen3' and len(d['graphs']) == 1 and d['graphs'][0]['dve']['records'] == 3 and d['graphs'][0]['definition'] == 'sg00/def.json'"
    json "(d['header'] is None) == ('$name'[:4] == 'bare') and len(d['warnings']) == ('$name' in ('tail', 'bare.tgz', 'bare.tar'))"
    cp .out first
    run 0 neff list "$file" --json
    same first .out
    # extract: byte for byte what went in.
    run 0 neff extract "$file" -C "out.$name"
    holds python - "$file" "out.$name" <<'END'
import gzip, io, os, sys, tarfile
data = open(sys.argv[1], "rb").read()
data = data[0x400:] if data[8:16] == bytes([0, 4, 0, 0, 0, 0, 0, 0]) else data
if data[:2] == b"\x1f\x8b":
    import zlib
    data = zlib.decompressobj(31).decompress(data)
wanted = {}
with tarfile.open(fileobj=io.BytesIO(data)) as tar:
    for one in tar:
        name = one.name[2:] if one.name.startswith("./") else one.name
        if one.isreg() and not name.endswith("wavegraph-bin.json"):
            wanted[name] = tar.extractfile(one).read()
got = {}
for folder, _, files in os.walk(sys.argv[2]):
    for name in files:
        path = os.path.join(folder, name)
        got[os.path.relpath(path, sys.argv[2])] = open(path, "rb").read()
sys.exit(got != wanted or len(got) < 13)
END
done
run 0 neff list two.neff --json
quiet
json "d['graphs'] == [{'name': 'sg00', 'kelf': 'kelf-a.json', 'definition': 'sg00/def.json', 'target': 'cayman', 'gen': 'gen3', 'dve': {'json': 'sg00/dve.json', 'stream': 'sg00/dve.bin', 'records': 3, 'tables': None}}]"
json "[m for m in d['members'] if m['skipped']] == [{'name': 'sg00/wavegraph-bin.json', 'type': 'file', 'size': 2, 'skipped': True}]"
json "[m['name'] for m in d['members'] if m['type'] == 'directory'] == ['sg00']"
json "d['header']['package_version'] == '2' and d['header']['data_size'] == str(len(open('two.neff', 'rb').read()) - 1024) and d['header']['name'] == 'synthetic' and d['header']['vnc_size'] == 1"
run 0 neff list two.neff
prints 'sg00   cayman  gen3  sg00/def.json  sg00/dve.bin        3  built in'
prints 'wavegraph-bin.json (skipped)'
run 0 neff list bare.tgz
says 'a bare gzip archive, without the header of a NEFF'
run 0 neff list bare.tgz.tail
says '3 bytes stand behind the archive'
run 0 neff list tail.neff
says '6 bytes stand behind the archive'
run 0 neff list features.neff
says 'feature_bits (byte 544) is 0x8000000'
run 0 neff list features1.neff
quiet
run 0 neff list vnc.neff
says 'vnc_size (byte 552) is 3'
same stream out.two/sg00/dve.bin
same stream "out.long.pax/sg00/$(printf 'deep/%.0s' {1..30})dve.bin"
absent out.two/sg00/wavegraph-bin.json
run 0 neff extract two.neff -C out.json/deeper --json
valid neff-extract
json "[s['name'] for s in d['skipped']] == ['sg00/wavegraph-bin.json'] and len(d['written']) == 13 and d['tables'] == []"
mkdir here
(cd here && "$program" neff extract ../two.neff >/dev/null)
same stream here/sg00/dve.bin

# ---- names that would act on a terminal are printed as escapes, and are the same names in JSON
python - <<'END'
from packages import *
acting = "a\x9b31m\u202eb\u2066c\u061cd\u2028"
graph = "\x1b[2J" + acting + "\n\x7f"
named = members("\x9dv9", **{"neff.json": dump({"kelf": "kelf-a.json", "x": {"kelf": "gone" + acting}}),
                           acting + ".bin": STREAM, acting + "/x.wavegraph-bin.json": b"{}", "sg00/dve.json": engine(acting)})
named["kelf-a.json"] = dump({"graphs": [{"name": graph, "definition": acting + "/def.json"}], "target": "\x9dv9"})
named.update({acting + "/def.json": dump({"dve": "e.json"}), acting + "/e.json": engine(acting), acting + "/" + acting: STREAM + b"."})
save("acting.neff", package(pack(named, tarfile.PAX_FORMAT)))
named[acting + "/" + acting] = STREAM
save("acting.good.neff", package(pack(named, tarfile.PAX_FORMAT)))
save("acting.refused.neff", package(pack({**named, "../" + acting: b""}, tarfile.PAX_FORMAT)))
long = "\u00e9" * 200
save("longname.neff", package(pack({"neff.json": dump({"kelf": "k"}), "k": dump({"graphs": [{"name": "n" * 2000, "definition": "x" * 99 + long}]})})))
END
run 0 neff list acting.neff --json
tame
valid neff-list
acting="'a\\x9b31m\\u202eb\\u2066c\\u061cd\\u2028'"
json "$acting + '.bin' in [m['name'] for m in d['members']]"
json "d['graphs'][0]['name'] == '\\x1b[2J' + $acting + '\\n\\x7f' and d['graphs'][0]['dve']['stream'] == $acting + '/' + $acting"
json "any($acting in w for w in d['warnings'])"
for command in 'neff list' 'neff extract -C acting' 'neff extract -C acting2 --json' disasm 'disasm --json' check 'check --json' 'check --graph x'; do
    # shellcheck disable=SC2086
    run 0 $command acting.good.neff
    tame
done
run 0 neff list acting.good.neff
prints '\u001b[2Ja\u009b31m\u202eb\u2066c\u061cd\u2028\u000a\u007f'
run 0 check acting.good.neff
prints 'a\u009b31m\u202eb\u2066c\u061cd\u2028/a\u009b31m\u202eb\u2066c\u061cd\u2028:'
run 3 check acting.neff
tame
says 'member a\u009b31m\u202eb'
run 3 neff list acting.refused.neff
tame
run 3 neff list $'none\xc2\x9bm\xe2\x80\xae\x9b.neff'
tame
says 'none\u009bm\u202e\x9b.neff'
run 5 neff extract acting.good.neff -C acting
tame
# A name is shown whole, and a warning that is cut inside a character is JSON all the same.
run 0 neff list longname.neff
prints "$(printf 'n%.0s' {1..2000})"
run 0 neff list longname.neff --json
valid neff-list
json "d['graphs'][0]['name'] == 'n' * 2000"

# ---- refused headers: list, extract, disasm, check; nothing is written
for file in bad.*.neff; do
    for command in 'neff list' 'neff extract -C none'; do
        # shellcheck disable=SC2086
        run 3 $command "$file"
        holds test ! -s .out
        absent none
    done
done
for name in version0 version3 major3 empty long huge md5 sha notgzip cutgzip crc; do
    for command in disasm check; do
        run 3 $command bad.$name.neff
        holds test ! -s .out
        run 3 $command bad.$name.neff --json
        holds test ! -s .out
    done
done
run 3 neff list bad.version3.neff
says 'pkg_version (byte 0) is 3, allowed are 1 and 2'
run 3 neff list bad.major3.neff
says 'major version (byte 24) is 3'
run 3 neff list bad.empty.neff
says 'data_size (byte 16) is 0'
run 3 neff list bad.huge.neff
says 'data_size (byte 16) is 18446744073709551615'
run 3 neff list bad.md5.neff
says 'MD5'
run 3 neff list bad.sha.neff
says 'SHA-256'
run 3 neff list bad.header.neff
says 'no NEFF'
run 3 neff list bad.notgzip.neff
says 'gzip data is damaged'
run 3 neff list bad.cutgzip.neff
says 'gzip data is cut'
run 3 neff list stream
says 'no NEFF'
run 3 neff list /dev/null
run 3 neff list missing.neff
run 3 neff list .

# ---- hostile archives
for file in hostile.*.neff; do
    run 3 neff list "$file"
    holds test ! -s .out
    run 3 neff extract "$file" -C none/deeper
    holds test ! -s .out
    absent none
    run 3 disasm --graph sg00 "$file"
    holds test ! -s .out
done
absent evil
absent ../evil
while read -r name what; do
    run 3 neff list "hostile.$name.neff"
    says "$what"
done <<'END'
dotdot a name that leads out of the folder (..): "sg00/../../evil"
absolute an absolute name
symlink a symbolic link
hardlink a hard link
chardev a device
fifo a fifo
sparse a sparse member
paxsparse a sparse member
duplicate two members of one name: "neff.json"
duplicatedot two members of one name: "neff.json"
duplicatedir two members of one name: "sg00"
underfile a member under a name that is a file: "neff.json/x"
underfile2 a member under a name that is a file: "z/x"
fileanddir two members of one name: "sg00"
noend without its two zero blocks
oneblock does not end with two zero blocks
oneblockmore does not end with two zero blocks
after data follows the tar's two zero blocks
after1 data follows the tar's two zero blocks
second a second gzip member
junk 4 bytes follow the gzip member inside the archive
checksum its checksum does not hold
toolong longer than what is left
deepname more than 64 parts
END

# ---- bombs
run 0 neff list four.neff
run 3 neff list bomb.neff
says 'it unpacks to more than 4194304 bytes'
run 3 neff list bomb.tgz
run 0 neff list bomb.one.neff
run 0 neff list many.neff
run 3 neff list toomany.neff
says 'more than 65536 members'
run 0 neff list amplify.neff --json
json "len(d['graphs']) == 20000"
run 0 check amplify.neff --gen gen3
holds test "$(grep -c '^s.bin' .out)" = 1
prints '1500 records'
run 3 neff list graphs.neff
says 'more than 65536 graphs'
run 0 neff list kelfs.neff --json
valid neff-list
json "len(d['warnings']) == 256"
says '256 notes, the first 16 are shown'
holds test "$(grep -c "neff.json: kelf refers" .err)" = 16

# ---- manifests
run 0 neff list dangling.neff --json
valid neff-list
says 'neff.json: kelf refers to "no.json", which is not in the archive'
says 'kelf-a.json: definition refers to "sg07/def.json"'
says 'kelf-a.json: a graph without a definition'
json "[g['dve'] is None for g in d['graphs']] == [False, True, True] and len(d['warnings']) == 3"
run 0 neff extract dangling.neff -C out.dangling
run 0 neff list noinstr.neff --json
says 'instr refers to "sg00/gone.bin"'
json "d['graphs'][0]['dve'] == {'json': 'sg00/dve.json', 'stream': None, 'records': None, 'tables': None}"
run 0 neff list nodve.neff --json
quiet
json "d['graphs'][0]['dve'] is None"
run 0 neff list notjson.neff
says 'sg00/def.json: not JSON at byte 19'
run 0 neff list notjson2.neff --json
says 'neff.json: not JSON at byte 0'
says 'kelf-a.json: nested more than 64 deep (the limit) at byte 64, and not read'
json "d['graphs'] == []"
# 64 deep is read, 65 is not, and a member that is not JSON says so.
python -c "
from packages import *
for deep in (64, 65):
    save('deep.%d.neff' % deep, package(pack(members(**{'neff.json': b'[' * (deep - 1) + b'{\"kelf\":\"kelf-a.json\"}' + b']' * (deep - 1)}))))"
run 0 neff list deep.64.neff --json
quiet
json "len(d['graphs']) == 1"
run 0 neff list deep.65.neff --json
says 'neff.json: nested more than 64 deep (the limit) at byte 64, and not read'
holds test "$(grep -c 'not JSON' .err)" = 0
run 0 neff list nomanifest.neff --json
json "d['graphs'] == [] and len(d['warnings']) == 1"
run 0 neff list unnamed.neff --json
json "[(g['kelf'], g['name']) for g in d['graphs']] == [('kelf-0.json', 'sg01'), ('kelf-0.json', 'sg00'), ('kelf-0.json', 'sg01'), ('kelf-1.json', 'sg00')]"
run 0 neff list odd.neff
says 'sg00/dve.bin: 195 bytes, a stream is a multiple of 64'
run 0 neff extract odd.neff -C out.odd
holds test "$(stat -c %s out.odd/sg00/dve.bin)" = 195
for command in check disasm; do
    run 3 $command odd.neff
    says 'member sg00/dve.bin: record 3 at byte offset 192 has 3 of 64 bytes'
    holds test ! -s .out
done

# ---- generations
while read -r target gen note; do
    run 0 neff list "target.$target.neff" --json
    json "d['gen'] == '$gen'"
    run 0 check "target.$target.neff" --json
    json "d['gen'] == '$gen'"
    if [[ $note ]]; then says "$note"; else quiet; fi
done <<'END'
v2 gen2
sunda gen2
cayman gen3
v4 gen4
mariana gen4
any gen3 it names no single target, so gen3 is taken
None gen3 it names no single target, so gen3 is taken
nonsense gen3 target "nonsense" is no generation that is known
END
run 2 neff list target.v4.neff --gen gen3
says "the package's target is gen4"
for command in 'neff list' 'neff extract -C none' disasm check; do
    # shellcheck disable=SC2086
    run 2 $command target.v4.neff --gen gen3
    holds test ! -s .out
    # shellcheck disable=SC2086
    run 0 $command target.v4.neff --gen mariana
    rm -rf none
done
run 0 neff list target.any.neff --gen gen4 --json
quiet
json "d['gen'] == 'gen4' and d['graphs'][0]['gen'] is None"
run 0 neff list targets.neff --json
says 'it has graphs for several targets, so gen3 is taken'
run 0 disasm targets.neff --graph sg01 --json
quiet
json "d['gen'] == 'gen4'"
# A target beside * decides nothing, but for a graph of its own.
run 0 neff list anyand.neff --json
says 'it has graphs for one target and graphs for any, so gen3 is taken'
json "d['gen'] == 'gen3' and [g['gen'] for g in d['graphs']] == [None, 'gen4']"
for gen in gen2 gen4; do
    run 0 neff list anyand.neff --gen $gen --json
    quiet
    json "d['gen'] == '$gen'"
done
run 0 check anyand.neff --graph sg00
says 'it names no single target, so gen3 is taken'
run 0 disasm anyand.neff --graph sg01 --json
quiet
json "d['gen'] == 'gen4'"
run 2 disasm anyand.neff --graph sg01 --gen gen3
# A name that no graph has does not take the target away.
for command in disasm check; do
    run 0 $command target.v4.neff --graph nosuch --json
    says 'no graph is called "nosuch"'
    json "d['gen'] == 'gen4' and d['records'] == []"
    holds test "$(wc -l <.err)" = 1
    run 2 $command target.v4.neff --graph nosuch --gen gen3
    says "the package's target is gen4"
    holds test ! -s .out
    run 0 $command target.v4.neff --graph nosuch --gen gen4
    run 0 $command targets.neff --graph nosuch
    says 'it has graphs for several targets, so gen3 is taken'
done

# ---- streams as records
run 0 disasm two.neff -o two.dve
quiet
run 0 asm two.dve -o two.bin
same two.bin stream
run 0 disasm two.neff --json
valid disasm
json "[(r['member'], r['index']) for r in d['records']] == [('sg00/dve.bin', i) for i in range(3)]"
run 0 disasm several.neff
holds test "$(grep '^#' .out | tr '\n' ' ')" = '# sg01/dve.bin # sg00/dve.bin '
cat other stream >both
"$program" asm .out -o both.bin 2>.err
same both both.bin
run 1 check several.neff
prints 'sg01/dve.bin:'
prints 'record 1 Max8: num_active_channels (byte 34) is 0'
prints 'sg00/dve.bin:'
prints '5 records, 4 legal, 1 illegal'
run 1 check several.neff --json
valid check
json "[(r['member'], r['index'], r['legal']) for r in d['records']] == [('sg01/dve.bin', 0, True), ('sg01/dve.bin', 1, False)] + [('sg00/dve.bin', i, True) for i in range(3)]"
run 1 check several.neff --json --max-errors 1
valid check
json "len(d['records']) == 2 and not d['complete']"
run 0 check several.neff --graph sg00
prints '3 records, 3 legal'
run 0 check several.neff --graph nosuch --json
valid check
says 'no graph is called "nosuch"'
json "d['records'] == []"
run 0 disasm nodve.neff --json
valid disasm
json "d['records'] == []"
run 0 check emptystream.neff
prints 'sg00/dve.bin:'
prints '0 records'
cat two.neff | "$program" check - >.out 2>.err
holds test $? = 0
prints '3 records, 3 legal'
run 0 check bare.tgz
says 'a bare gzip archive'
run 0 disasm bare.tar
run 0 check stream
holds test "$(wc -l <.out)" = 1
run 3 check stream --graph sg00
says 'no NEFF'
run 2 check two.dve --graph sg00
# A stream's opcodes against the tables that its graph names (integrity rule stream_opcodes), each graph with its own.
python - <<'END'
import json
from packages import *
one = with_tables(TABLES4)
one["kelf-a.json"] = dump({"graphs": [{"name": n, "definition": n + "/def.json"} for n in ("sg00", "sg01", "sg02")],
                           "version": "0.5", "target": "cayman"})
whole = table(4, {0: 0x600, 0x6c: 0x10, 0x6d: 0x10, 0x6e: 0x10})
for name, key in (("sg01", "whole.bin"), ("sg02", None)):
    one[name] = None
    one[name + "/def.json"] = dump({"dve": "dve.json"})
    one[name + "/dve.json"] = engine("dve.bin", **({"dve_tables": {"opcode_table": key}} if key else {}))
    one[name + "/dve.bin"] = STREAM
one["sg01/whole.bin"] = whole
save("served.neff", package(pack(one)))
save("oddtable.neff", package(pack(with_tables({**TABLES4, "opcode_table": b"o" * 1000}))))
END
run 0 check served.neff
quiet
prints 'warning: set neff does not enable opcode 0x6d (MatchValueLoad): 1 record, the first is record 1 [stream_opcodes]'
prints '9 records, 9 legal'
prints '2 warnings about the table set'
run 0 check served.neff --json
valid check
json "[(w['member'], w['opcode'], w['records'], w['first']) for w in d['warnings']] == [('sg00/dve.bin', 0x6d, 1, 1), ('sg00/dve.bin', 0x6e, 1, 2)]"
run 0 check served.neff --graph sg01 --json
json "d['warnings'] == [] and d['counts']['records'] == 3"
run 0 check served.neff --graph sg02
quiet
run 0 check oddtable.neff --json
says '1000 bytes are no opcode table of gen3'
json "d['warnings'] == []"
# Slots that gen2's tables hold for no set count as not enabled.
run 0 check tables3.neff --json
json "[w['opcode'] for w in d['warnings']] == [0x6d, 0x6e]"
# One record stays a record, even with a package's or an archive's first bytes.
python -c "
from records import save
save('like.bin', bytes([2,0,0,0,0,0,0,0,0,4]) + bytes(54))
save('like2.bin', bytes([0x1f,0x8b,8,0]) + bytes(60))"
for file in like.bin like2.bin; do
    run 0 disasm $file -o like.dve
    run 0 asm like.dve -o again.bin
    same again.bin $file
done
# exec runs what was extracted.
python -c "import numpy as np; np.save('in.npy', np.random.default_rng(1).standard_normal((128, 64)).astype(np.float32))"
run 0 exec out.two/sg00/dve.bin --put 'sbuf[0]@0=in.npy' --get 'sbuf[0:128]@0x1040:uint32:8=top.npy' --waits ignore --skip-control
holds python -c "
import numpy as np, sys
x, top = np.load('in.npy'), np.load('top.npy')
sys.exit(not (top == np.argsort(-x, axis=1, kind='stable')[:, :8]).all())"
# Real streams have control records and wait for other engines: both options are needed, and each does its part.
python - <<'END'
from packages import *
stream = [changed(frame(0xa0, 0), b1=16), max8(0, 0x1000, 64, wait=1, wait_idx=7, sem=3), changed(frame(0xa2, 0), b1=16),
          key_load(0x1000), find_index8(0, 0x1040, 64)]
save("waiting.neff", package(pack(members(**{"sg00/dve.bin": b"".join(bytes(r) for r in stream)}))))
END
run 0 neff extract waiting.neff -C out.waiting
where=(--put 'sbuf[0]@0=in.npy' --get 'sbuf[0:128]@0x1040:uint32:8=waited.npy')
run 1 exec out.waiting/sg00/dve.bin "${where[@]}" --waits ignore
says 'EventSemaphore'
run 1 exec out.waiting/sg00/dve.bin "${where[@]}" --skip-control --json
json "d['stopped']['record'] == 1"
says 'semaphore 7'
absent waited.npy
run 0 exec out.waiting/sg00/dve.bin "${where[@]}" --waits ignore --skip-control --json
json "d['records'] == 3"
same waited.npy top.npy
# exec and explain take records; a package would be read as records of its header.
for file in two.neff bare.tgz bare.tar; do
    for command in exec explain; do
        run 3 $command $file
        says "$file: a NEFF or an archive was given, $command takes records: \`opendve neff extract\` unpacks"
        holds test ! -s .out
    done
done
"$program" explain - <two.neff >.out 2>.err
holds test $? = 3
says 'stdin: a NEFF'
run 0 explain like.bin

# ---- tables
run 0 neff extract tables4.neff -C out.t4 --tables-dir tables --json
quiet
valid neff-extract
json "d['tables'] == ['dve_bin_gen3/neff_%s.bin' % k for k in ('opcode_table', 'control_fast_table', 'control_slow_table', 'datapath_table')] + ['dve_bin_gen3/dve_info.json']"
json "d['graphs'][0]['dve']['tables']['datapath_table'] == 'sg00/t_datapath_table.bin'"
holds python -c "
import json, sys
from packages import TABLES4
d = json.load(open('tables/dve_bin_gen3/dve_info.json'))
one = d['tables'][0]
sys.exit(not (d['dve_table_keys'] == ['opcode_table', 'control_fast_table', 'control_slow_table', 'datapath_table'] and
    len(d['tables']) == 1 and one['name'] == 'neff' and one['ops'] == [0x46, 0x6c, 0xf0] and
    all(open('tables/dve_bin_gen3/' + one[k], 'rb').read() == TABLES4[k] and one[k] == 'neff_%s.bin' % k for k in TABLES4)))"
run 0 neff extract tables3.neff -C out.t3 --tables-dir tables
holds python -c "
import json, sys
d = json.load(open('tables/dve_bin_gen2/dve_info.json'))
sys.exit(not (d['dve_table_keys'] == ['opcode_table', 'control_table', 'datapath_table'] and d['tables'][0]['ops'] == [0x6c]))"
# What was written is what `tables` reads.
for gen in gen2 gen3; do
    run 0 tables check tables/dve_bin_$gen --json
    json "d['gen'] == '$gen'"
    run 0 tables lookup max8 tables/dve_bin_$gen:neff
done
run 1 tables lookup copy tables/dve_bin_gen2:neff
run 0 neff extract tablesdef.neff -C out.td --tables-dir tables.def
# A folder that holds one table directory and no more stands for it; one with two does not.
run 0 tables lookup max8 tables.def:neff --json
json "d['gen'] == 'gen3'"
run 3 tables check tables
same tables/dve_bin_gen3/neff_opcode_table.bin tables.def/dve_bin_gen3/neff_opcode_table.bin
# The engine's own table set comes before the definition's, whole.
run 0 neff list tablesboth.neff --json
json "list(d['graphs'][0]['dve']['tables']) == ['opcode_table']"
run 0 neff extract tablesboth.neff -C out.tb --tables-dir none
says 'its table set has no datapath_table and is not written'
absent none
run 0 neff extract tableshalf.neff -C out.th --tables-dir none --json
valid neff-extract
says 'no table set to write'
run 0 neff extract two.neff -C out.nt --tables-dir none
says "a runtime takes its own default tables"
absent none

# A set that is written and that `tables` refuses: each thing wrong with it is told, in text and JSON; it is odd and no error.
python - <<'END'
from packages import *
def unfit(name, tables, target, **sizes):
    tables = {**tables, **{key: bytes(size) for key, size in sizes.items()}}
    save("unfit.%s.neff" % name, package(pack(with_tables(tables, target=target))))
    return tables
fast = dict(TABLES3)
fast["control_fast_table"] = fast.pop("control_table")
three = dict(TABLES4)
del three["control_slow_table"]
unfit("fast", fast, "v2")
unfit("four", TABLES4, "v2")
unfit("three", three, "v3")
unfit("five", {**TABLES4, "control_table": b"c" * 2048}, "v4")
unfit("size", TABLES4, "v3", datapath_table=16383)
unfit("empty", TABLES4, "v4", control_slow_table=0)
unfit("gen5", TABLES4, "v5")
unfit("gen2", TABLES3, "*")
odd = with_tables(TABLES4)
odd["sg00/dve.json"] = odd["sg00/dve.json"].replace(b'"dve_tables": {', b'"dve_tables": {"slow_table": "x", ')
save("unfit.key.neff", package(pack(odd)))
# Two sets, the first of them another generation's.
both = with_tables(TABLES3)
both.update({"kelf-b.json": both["kelf-a.json"].replace(b"cayman", b"v4").replace(b"sg00", b"sg01"), "sg01/def.json": dump({"dve": "dve.json"}),
             "sg01/dve.json": engine("dve.bin", dve_tables={k: k for k in TABLES4}), "sg01/dve.bin": STREAM})
both.update({"sg01/" + k: v for k, v in TABLES4.items()})
both["kelf-a.json"] = both["kelf-a.json"].replace(b"cayman", b"v2")
both["neff.json"] = dump([{"kelf": "kelf-a.json"}, {"kelf": "kelf-b.json"}])
save("unfit.both.neff", package(pack(both)))
END
unfit() { # NAME GEN WARNING...
    local name=$1 gen=$2 warning
    shift 2
    run 0 neff extract "unfit.$name.neff" -C "unfit.$name" --tables-dir "unfit.$name.tables" --json
    valid neff-extract
    json "len(d['warnings']) == $# + 1 and 'is written as it is; \`opendve tables\` refuses it, or reads it as another' in d['warnings'][-1]"
    for warning; do
        says "$warning"
        json "any('''$warning''' in w for w in d['warnings'])"
    done
    holds test -s "unfit.$name.tables/dve_bin_$gen/dve_info.json"
    run 0 neff extract "unfit.$name.neff" -C "unfit.$name.again" --tables-dir "unfit.$name.tables.again"
    for warning; do says "$warning"; done
    # So it is: no set of that generation can be looked at.
    if "$program" tables lookup max8 "unfit.$name.tables/dve_bin_$gen:neff" --json >.out 2>.err; then json "d['gen'] != '$gen'"; fi
}
unfit fast gen2 'graph "sg00": its table set has no control_table, needed on gen2 is one of 2048 bytes' \
    'graph "sg00": its table set has a control_fast_table, allowed are on gen2 opcode_table, control_table and datapath_table'
unfit four gen2 'its opcode_table, "sg00/t_opcode_table.bin", has 1024 bytes, allowed are 2048 on gen2' 'has no control_table' \
    'has a control_fast_table' 'has a control_slow_table' 'has 16384 bytes, allowed are 8192 on gen2'
unfit three gen3 'its table set has no control_slow_table, needed on gen3 is one of 4096 bytes'
unfit five gen4 'its table set has a control_table, allowed are on gen4 opcode_table, control_fast_table, control_slow_table and datapath_table'
unfit size gen3 'its datapath_table, "sg00/t_datapath_table.bin", has 16383 bytes, allowed are 16384 on gen3'
unfit empty gen4 'its control_slow_table, "sg00/t_control_slow_table.bin", has 0 bytes, allowed are 4096 on gen4'
unfit gen5 gen5 'its table set is for gen5, allowed are gen2 to gen4'
run 0 neff extract unfit.gen2.neff -C unfit.gen2.3 --tables-dir unfit.gen2.t3
says 'graph "sg00": its table set has no control_slow_table'
run 0 neff extract unfit.gen2.neff --gen gen2 -C unfit.gen2.2 --tables-dir unfit.gen2.t2
quiet
run 0 neff extract unfit.key.neff -C unfit.key --tables-dir unfit.key.tables
says 'sg00/dve.json: dve_tables has the key "slow_table", allowed are opcode_table'
run 0 tables lookup max8 unfit.key.tables/dve_bin_gen3:neff
# The set of the generation that is read comes before the first.
run 0 neff extract unfit.both.neff --gen gen4 -C unfit.both.4 --tables-dir unfit.both.t
says 'graph "sg00": its table set is for the target gen2, allowed is gen4'
says 'graph "sg00": its table set differs from that of "sg01", which is written'
run 0 tables lookup max8 unfit.both.t/dve_bin_gen4:neff
run 0 neff extract unfit.both.neff --gen gen2 -C unfit.both.2 --tables-dir unfit.both.t
run 0 tables lookup max8 unfit.both.t/dve_bin_gen2:neff

# ---- where files go: never over what exists, never through a link, nothing kept
mkdir -p over/sg00 elsewhere
echo mine >over/sg00/dve.bin
run 5 neff extract two.neff -C over
says 'over/sg00/dve.bin: cannot write: it exists'
holds test ! -s .out
holds test "$(find over | sort | tr '\n' ' ')" = 'over over/sg00 over/sg00/dve.bin '
holds test "$(cat over/sg00/dve.bin)" = mine
mkdir dirlink filelink brokenlink fileway
ln -s ../elsewhere dirlink/sg00
ln -s ../elsewhere/stolen filelink/neff.json
ln -s nowhere brokenlink/neff.json
echo >fileway/sg00
for folder in dirlink filelink brokenlink fileway; do
    find $folder -printf '%p %y %l\n' | sort >before
    run 5 neff extract two.neff -C $folder
    find $folder -printf '%p %y %l\n' | sort >after
    same before after
done
holds test -z "$(ls elsewhere)"
run 5 neff extract two.neff -C stream
run 5 neff extract two.neff -C stream/deeper
mkdir locked
chmod a-w locked
if [[ $(id -u) != 0 ]]; then run 5 neff extract two.neff -C locked/new; fi
# Tables that cannot be written take the members with them, and folders that were made.
run 5 neff extract tables4.neff -C fresh/a/b --tables-dir tables
absent fresh
mkdir kept
run 5 neff extract tables4.neff -C kept --tables-dir stream
holds test -z "$(ls -A kept)"
# A name that two of the outputs share.
python -c "
from packages import *
save('clash.neff', package(pack({**with_tables(TABLES4), 'dve_bin_gen3/dve_info.json': b'{}'})))"
run 5 neff extract clash.neff -C clash --tables-dir clash
says 'it exists'
absent clash
# What could not be put in place is not told of as written.
holds test ! -s .out
run 5 neff extract clash.neff -C clash --tables-dir clash --json
holds test ! -s .out
# The target folder itself may be a link: it is the user's.
ln -s elsewhere mylink
run 0 neff extract two.neff -C mylink
same stream elsewhere/sg00/dve.bin
# A report that cannot be written, a full disk, a signal: nothing is left.
"$program" neff extract two.neff -C full >/dev/full 2>.err
holds test $? = 5
absent full
(ulimit -f 8; exec "$program" neff extract tables4.neff -C limited >/dev/null 2>.err)
holds test $? = 5
absent limited
python - "$program" <<'END'
import subprocess, sys, time, signal, os, shutil
from packages import *
save("large.neff", package(pack([("m%05d" % i, b"x" * 4096) for i in range(20000)]), version=1))
left = 0
for wait in (0.02, 0.05, 0.1, 0.2, 0.4):
    one = subprocess.Popen([sys.argv[1], "neff", "extract", "large.neff", "-C", "stopped"], stdout=subprocess.DEVNULL)
    time.sleep(wait)
    one.send_signal(signal.SIGINT)
    status = one.wait()
    there = os.path.isdir("stopped")
    if (status == 130 and there) or (status == 0 and len(os.listdir("stopped")) != 20000) or status not in (0, 130):
        left += 1
    shutil.rmtree("stopped", ignore_errors=True)
open("left", "w").write(str(left))
END
holds test "$(cat left)" = 0
# Files are told of when they are there; a signal while nobody listens takes them back, and so does a reader that goes away.
python - "$program" <<'END'
import os, signal, subprocess, sys, time
def begin():
    one = subprocess.Popen([sys.argv[1], "neff", "extract", "large.neff", "-C", "told/of", "--tables-dir", "told/of/x"], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL)
    one.stdout.read(1)
    assert len(os.listdir("told/of")) == 20000
    return one
wrong = []
one = begin()
one.send_signal(signal.SIGINT)
if one.wait() != 130 or os.path.exists("told"):
    wrong.append("SIGINT: %d" % one.returncode)
one = begin()
one.stdout.close()
if one.wait() != 5 or os.path.exists("told"):
    wrong.append("no reader: %d" % one.returncode)
open("wrong", "w").write(" ".join(wrong))
END
holds test $? = 0
holds test -z "$(cat wrong)"
clean
for folder in out.*; do holds test -z "$(find "$folder" -name '.opendve*')"; done

# ---- usage
run 2 neff
run 2 neff list
run 2 neff list a b
run 2 neff show two.neff
says 'allowed are list and extract'
run 2 neff list two.neff -C x
says 'option --directory was given, it is for extract'
run 2 neff list two.neff --tables-dir x
run 2 neff extract two.neff -C ''
run 2 neff list missing.neff --gen gen9
"$program" neff list - --json <two.neff >.out 2>.err
holds test $? = 0
valid neff-list
broken_pipe 5 neff list two.neff

summary
