# SPDX-License-Identifier: Apache-2.0
"""Synthetic microcode tables around what public pages print (tests/tables/printed.def), with the published figures.

No byte comes from a vendor's file. What is not printed is invented: rows and words that no page shows, the opcodes of
sets whose rosters are unpublished. `write(folder)` makes synthetic_dve_bin_gen2, _gen3 and _gen4 in a folder;
`python tablesets.py FOLDER` does the same."""
import json, os, random, re, struct, sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS = {2: ["opcode_table", "control_table", "datapath_table"]}
KEYS[3] = KEYS[4] = ["opcode_table", "control_fast_table", "control_slow_table", "datapath_table"]
IDLE = {2: 1 << 20, 3: 1 << 32, 4: 1 << 42}
ROWS = {2: 128, 3: 256, 4: 256}
CORE = [*range(65, 74), 77, 78, *range(81, 85), 88, 94, *range(97, 103), *range(105, 112), 114, 127, 130, 131, 132, 142,
        148, 153, 157, 158, 229, 232, 234]
OPS = {2: sorted(CORE + [140, 141, 159]), 3: sorted(CORE + [96, 147, 152, 154, 155, 188, 230, 233, 240])}
OPS[4] = sorted(OPS[3] + [48, 119, 120, 224, 225, 226, 227])


def printed(kind, table="printed.def"):
    """The rows of a kind, values as Python has them."""
    text = open(os.path.join(HERE, "../tables", table)).read()
    for row in re.findall(r"^PRINTED_%s\((.*)\)$" % kind, text, re.M):
        cells = [c.strip() for c in row.split(",")]
        yield [c.strip('"') if c.startswith('"') else int(c, 0) if c[0].isdigit() else c for c in cells]


class Set:
    """One table set, taken apart: entries, control rows, datapath blocks as lists of eight words."""

    def __init__(self, gen, name, ops):
        self.gen, self.name, self.ops = gen, name, list(ops)
        self.entry = [0] * 256
        self.control = {k: [bytearray(16) for _ in range(ROWS[gen])] for k in KEYS[gen] if "control" in k}
        self.block = [[0] * 8 for _ in range(ROWS[gen])]

    def copy(self, name, ops):
        other = Set(self.gen, name, ops)
        other.entry = list(self.entry)
        other.control = {k: [bytearray(r) for r in rows] for k, rows in self.control.items()}
        other.block = [list(b) for b in self.block]
        return other

    def bits(self):
        return 7 if self.gen == 2 else 8

    def put(self, op, row, selector=0):
        self.entry[op] = row | selector << self.bits()

    def row(self, op):
        return self.entry[op] & ((1 << self.bits()) - 1)

    def disable(self, *ops):
        for op in ops:
            self.entry[op] = 0
        self.ops = [op for op in self.ops if op not in ops]

    def table(self, key):
        if key == "opcode_table":
            return struct.pack("<256" + ("Q" if self.gen == 2 else "I"), *self.entry)
        if key == "datapath_table":
            return b"".join(struct.pack("<8Q", *b) for b in self.block)
        return b"".join(bytes(r) for r in self.control[key])

    def file(self, key):
        return "%s_%s.bin" % (self.name, key)


def chance(*seed):
    return random.Random("synthetic %s" % (seed,))


def word(gen, rnd, valid=1):
    """An invented configured lane: known bits only."""
    if gen == 2:
        return rnd.randrange(1, 1 << 15) | rnd.choice([0, 4, 0x24]) << 14 | valid << 20 | rnd.randrange(8) << 24
    shift = {3: 32, 4: 42}[gen]
    high = 0xa << 56 if gen == 4 and rnd.randrange(2) else 0
    return rnd.randrange(1, 1 << 23) | valid << shift | rnd.randrange(8) << shift + 4 & (1 << shift + 7) - 1 | high


def fill_blocks(s, kinds, configured, idle, active_rows, rnd):
    """Blocks of `active_rows` that are still zero become active, so that the set has so many configured and idle words."""
    have = sum(w not in (0, IDLE[s.gen]) for b in s.block for w in b)
    free = [r for r in active_rows if s.block[r] == [0] * 8]
    left = configured - have
    assert len(free) <= left <= 8 * len(free), (s.gen, left, len(free))
    for n, r in enumerate(free):
        k = kinds.get(r) or left // (len(free) - n)
        rest = sum(kinds.get(q, 0) or 1 for q in free[n + 1:])
        k = max(1, min(8, k, left - rest))
        s.block[r] = [word(s.gen, rnd) for _ in range(k)] + [0] * (8 - k)
        left -= k
    assert left == 0, left
    missing = idle - sum(w == IDLE[s.gen] for b in s.block for w in b)
    for b in s.block:
        for l in range(8):
            if missing and b[l] == 0 and l and b[l - 1] and any(w not in (0, IDLE[s.gen]) for w in b):
                b[l], missing = IDLE[s.gen], missing - 1
    assert missing == 0, missing


def put_printed(s):
    for kind in ("ENTRY", "DERIVED"):
        for gen, name, op, raw in printed(kind):
            if (gen, name) == (s.gen, s.name):
                s.entry[op] = raw
    for gen, name, key, row, text in printed("CONTROL"):
        if (gen, name) == (s.gen, s.name):
            for i, byte in enumerate(text.split()):
                if byte != "??":
                    s.control[key.lower() + "_table"][row][i] = int(byte, 16)


def put_lanes(s):
    for gen, op, lane, value, *_ in printed("LANE"):
        if gen == s.gen:
            s.block[s.row(op)][lane] = value


def free_rows(s, top):
    taken = {s.row(op) for op in range(256) if s.entry[op]}
    return iter(r for r in range(1, top) if r not in taken and s.block[r] == [0] * 8)


# ---- gen2 ----

LANES2 = {66: 2, 69: 2, 82: 2, 98: 8, 99: 7, 100: 4, 101: 6, 109: 7, 114: 8, 140: 5, 141: 5, 157: 8, 158: 8, 229: 1, 234: 8}
ALL_IDLE2, ZERO2 = [1, 36, 39, 45, 48, 105], [10, 37, 79, 98, 102, 127, 120, 121, 122, 123, 124, 125, 126]
MIXED2 = [0, 20, 21, 22, 23, 24, 25, 26, 27, 28]


def gen2_entries(s):
    put_printed(s)
    for op, row in [(70, 1), (71, 1), (81, 3), (67, 2), (68, 2), (83, 2), (84, 2), (72, 10), (78, 39), (94, 39), (88, 8),
                    (97, 41), (108, 80), (110, 98), (111, 102), (127, 77)]:
        s.put(op, row)
    s.put(130, 41, 2)
    rows = (r for r in free_rows(s, 120) if r not in ALL_IDLE2 + ZERO2 + MIXED2)
    for op in OPS[2]:
        if not s.entry[op]:
            s.put(op, next(rows), 2 if op in (131, 132) else 0)


def gen2_control(s, rnd):
    modes = [0x5555] * 55 + [0x5550] * 16 + [0x5505] * 11 + [0x5520] * 4 + [0x55c0] * 2 + [0x5540, 0x5501, 0x4555] * 13
    for r in range(127):
        row = s.control["control_table"][r]
        row[0], row[1] = modes[r] & 255, modes[r] >> 8
        row[2] = 0x10 if r < 48 else 0x80 if r >= 123 else 0x83 if r == 122 else r % 0x10
        row[4] = r % 0x40
        if r and r < 76 and r != 8:
            row[8] = 1 + r % 5
    s.control["control_table"][0][8] = 1
    s.control["control_table"][0][6] = 0x10
    s.control["control_table"][8][8:12] = bytes([0x00, 0xc0, 0x00, 0x04])


def gen2_blocks(s, rnd):
    put_lanes(s)
    s.block[s.row(66)][0] = word(2, rnd)
    for r in ALL_IDLE2:
        s.block[r] = [IDLE[2]] * 8
    for r in MIXED2:
        s.block[r] = [IDLE[2]] * 2 + [0] * 6
    for op, k in ((65, 1), (67, 2), (88, 4)):
        s.block[s.row(op)][k:] = [IDLE[2]] * (8 - k)
    s.block[77] = [word(2, rnd) & ~(7 << 24) | stage << 24 for stage in (5, 7, 7, 3, 3, 3, 1)] + [0]
    s.block[80] = [word(2, rnd)] + [0] * 7
    s.block[s.row(99)] = [word(2, rnd) & ~255 | opa for opa in (5, 6, 6, 27, 166, 27, 155)] + [0]
    s.block[116] = [word(2, rnd) for _ in range(7)] + [0]
    s.block[119] = list(s.block[116])
    kinds = {s.row(op): k for op, k in LANES2.items() if op not in (66, 99)}
    active = [r for r in range(128) if r not in ALL_IDLE2 + ZERO2 + MIXED2]
    fill_blocks(s, kinds, 401, 256, active, rnd)


def spend_valid(s, wanted):
    """VALID in so many of the configured words; printed ones stay."""
    printed_words = {value for gen, _, _, value, *_ in printed("LANE") if gen == 2}
    have = sum(w >> 20 & 1 for b in s.block for w in b if w not in (0, IDLE[2]))
    for b in s.block:
        for l in range(8):
            if have > wanted and b[l] not in printed_words | {0, IDLE[2]} and b[l] >> 20 & 1 and b is not s.block[119]:
                b[l], have = b[l] & ~(1 << 20), have - 1
    assert have == wanted, have
    s.block[119] = list(s.block[116])


def gen2_transformer(base):
    rnd = chance(2, "transformer")
    s = base.copy("transformer", [op for op in base.ops if op not in (88, 108, 109, 110, 111)])
    s.disable(88, 108, 109, 110, 111)
    s.ops = sorted(s.ops + [138, 139, 143, 154, 155, 230])
    for n, op in enumerate((138, 139, 143, 154, 155, 230)):
        s.put(op, 60 + n)
    moved = [op for op in s.ops if op not in (138, 139, 143, 154, 155, 230, 102, 105, 106, 107, 130, 131, 132, 73, 77, 159)]
    for op in moved[:23]:
        s.put(op, s.row(op) + 1 if s.row(op) < 119 else 2)
    for n in range(93):
        lanes = 7 if n < 30 else 6
        for l in range(lanes):
            old = s.block[n][l]
            while s.block[n][l] in (old, 0, IDLE[2]):
                s.block[n][l] = word(2, rnd)
    return s


def gen2():
    rnd = chance(2)
    s = Set(2, "default", OPS[2])
    gen2_entries(s)
    gen2_control(s, rnd)
    gen2_blocks(s, rnd)
    spend_valid(s, 274)
    sets = [s, gen2_transformer(s)]
    for name, without in (("transformer_fwd", (140, 141)), ("transformer_bwd", (140,)), ("transformer_bwd2", (141, 159))):
        other = s.copy(name, s.ops)
        other.disable(*without)
        sets.append(other)
    return sets


# ---- gen3 and gen4 ----

def later_entries(s, selectors, fixed, top):
    put_printed(s)
    for op, row in fixed.items():
        s.put(op, row, selectors.get(op, 0))
    rows = free_rows(s, top)
    for op in s.ops:
        if not s.entry[op]:
            s.put(op, next(rows), selectors.get(op, 0))


def later_control(s, used, rnd, backbone=None):
    fast, slow = s.control["control_fast_table"], s.control["control_slow_table"]
    for r in range(used):
        fast[r][:8] = bytes([(0, 1, 2, 8)[r % 4], r % 92, r % 27, r % 12, 0x20, 0x80, 8 + r % 19, 0])
        slow[r][:8] = bytes([0x0c, 0xc5, 0x30, 0x0c, 0xc3, 0x30, r % 25, 0])
    put_printed(s)
    rows = []
    for text, count in backbone or []:
        rows += [bytes.fromhex(text.replace(" ", ""))] * count
    for text in [bytes(slow[r][1:7]) for r in (0, 1, 48)] if backbone else []:
        rows.remove(text)
    for r, text in zip((r for r in range(used) if r not in (0, 1, 48)), rows):
        slow[r][1:7] = text


def later_blocks(s, configured, idle, active, rnd):
    put_lanes(s)
    s.block[s.row(66)][0] = word(s.gen, rnd)
    if s.gen == 3:
        mean, m2 = 0x71005b4000, 0x77005b4000
        s.block[s.row(97)] = [mean, mean, mean, m2, mean, mean, mean, m2]
    have = [r for r in range(ROWS[s.gen]) if s.block[r] != [0] * 8]
    rest = [r for r in range(1, 182) if r not in have and r not in (s.row(70), s.row(102))]
    fill_blocks(s, {}, configured, idle, have + rest[len(have) - active:], rnd)


def gen3():
    rnd = chance(3)
    selectors = {77: 6, 106: 10, 107: 4, 130: 4, 131: 4, 132: 4, 152: 2, 188: 2}
    fixed = {71: 32, 67: 16, 106: 32, 107: 104, 77: 56}
    s = Set(3, "default", OPS[3])
    later_entries(s, selectors, fixed, 125)
    later_control(s, 182, rnd)
    later_blocks(s, 443, 221, 99, rnd)
    sets = [s]
    for n, name in enumerate(("transformer", "transformer_fwd", "transformer_bwd", "transformer_bwd2")):
        other = s.copy(name, s.ops)
        other.disable(*(88, 108, 109, 110, 111)[:n + 2])
        sets.append(other)
    return sets


def saturate_of(base):
    """Differs from default in exactly the published places and numbers."""
    rnd = chance(4, "saturate")
    s = base.copy("saturate", base.ops)
    put_printed(s)
    fast, slow = s.control["control_fast_table"], s.control["control_slow_table"]
    for r in [*range(144, 170), 182]:            # 143 is printed
        fast[r][1] ^= 0x40
    fast[182][6] = slow[182][6] = 8
    for r in range(143, 159):
        slow[r][6] ^= 0x20
    patterns = [0x0001800001540000] + [0x100 << n % 20 | 1 + n for n in range(63)]
    lit = [r for r in range(144, 182) if any(w not in (0, IDLE[4]) for w in s.block[r])][:28]
    assert len(lit) == 28
    s.block[143][1] ^= 0x4000
    cells = [(r, l) for l in range(8) for r in lit if s.block[r][l] not in (0, IDLE[4])]
    assert len(cells) >= 133, len(cells)
    for n, (r, l) in enumerate(cells[:133]):
        s.block[r][l] ^= patterns[n % 64]
        assert s.block[r][l] not in (0, IDLE[4]) and s.block[r][l] < 1 << 61
    return s


def gen4():
    rnd = chance(4)
    selectors = {81: 48, 130: 4, 131: 4, 132: 4, 82: 2, 83: 2, 84: 2, 152: 2}
    fixed = {81: 16, 67: 32, 131: 24, 224: 152}
    s = Set(4, "default", OPS[4])
    later_entries(s, selectors, fixed, 180)
    later_control(s, 182, rnd, list(printed("BACKBONE")))
    later_blocks(s, 835, 233, 155, rnd)
    third = s.copy("transformer", s.ops)
    third.disable(48, 119, 120, 224, 225, 226, 227, 82, 132, 188, 88, 108, 109, 110, 111, 153)
    for r in range(170):
        third.control["control_fast_table"][r][1] ^= 0x80
    return [s, saturate_of(s), third]


# ---- files ----

def stamp():
    """80 bytes, as the published ones have, but marked."""
    text = '{"KaenaDVE":{"brazil_version":"synthetic","git_sha":"synthetic"}}'
    return text + " " * (79 - len(text)) + "\n"


def info(gen, sets):
    return {"dve_table_keys": KEYS[gen],
            "tables": [dict([("name", s.name)] + [(k, s.file(k)) for k in KEYS[gen]] + [("ops", s.ops)]) for s in sets]}


def write_set(folder, gen, sets):
    os.makedirs(folder)
    with open(os.path.join(folder, "dve_info.json"), "w") as f:
        json.dump(info(gen, sets), f, indent=4)
    with open(os.path.join(folder, "version.json"), "w") as f:
        f.write(stamp())
    with open(os.path.join(folder, "README"), "w") as f:
        f.write("Synthetic tables made by the tests of opendve. No vendor's file was read for them.\n")
    for s in sets:
        for key in KEYS[gen]:
            with open(os.path.join(folder, s.file(key)), "wb") as f:
                f.write(s.table(key))


def write(folder):
    for gen, make in ((2, gen2), (3, gen3), (4, gen4)):
        write_set(os.path.join(folder, "synthetic_dve_bin_gen%d" % gen), gen, make())


if __name__ == "__main__":
    write(sys.argv[1])
