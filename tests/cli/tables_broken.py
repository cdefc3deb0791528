# SPDX-License-Identifier: Apache-2.0
"""One broken variant of synthetic tables for each integrity rule, and all rules that must fire with it (JSON on stdout).

Every variant is a directory of its own in the folder that is the argument; INFO rules that tell counts of every set
are not listed."""
import json, os, shutil, sys
import tablesets
from tablesets import IDLE

TOLD = {"unreferenced_row", "slow_backbone"}     # of every set
variants = {}


def variant(name, *rules, gen=4, sets=(), also=()):
    """The function changes the sets in place. `rules` are those that it must break, `also` those that follow."""
    def keep(change):
        variants[name] = (gen, sets, change, set(rules) | set(also))
        return change
    return keep


def only_default(gen):
    return {2: tablesets.gen2, 3: tablesets.gen3, 4: tablesets.gen4}[gen]()[:1]


# ---- dve_info.json and files: the function gets the folder and the document ----

def document(name, *rules, gen=4, also=()):
    def keep(change):
        variants[name] = (gen, "document", change, set(rules) | set(also))
        return change
    return keep


@document("keys_mixed", "info_shape")
def _(folder, info):
    info["dve_table_keys"] = ["opcode_table", "control_table", "control_slow_table", "datapath_table"]


@document("keys_missing", "info_shape")
def _(folder, info):
    del info["dve_table_keys"]


@document("set_without_file", "info_shape")
def _(folder, info):
    del info["tables"][0]["datapath_table"]


@document("ops_are_words", "info_shape", also=("unrostered_slot",))
def _(folder, info):
    info["tables"][0]["ops"][3] = "68"


@document("no_ops", "info_shape")
def _(folder, info):
    del info["tables"][0]["ops"]


@document("no_sets", "info_shape")
def _(folder, info):
    info["tables"] = []


@document("name_with_escape", "info_shape", also=("default_set", "file_name"))
def _(folder, info):
    info["tables"][0]["name"] = "\x1b[31mred"


@document("three_keys_for_four", "table_size", "file_name", gen=3)
def _(folder, info):
    info["dve_table_keys"] = tablesets.KEYS[2]
    info["tables"][0]["control_table"] = info["tables"][0].pop("control_fast_table")


@document("same_name_twice", "set_unique")
def _(folder, info):
    info["tables"].append(dict(info["tables"][0]))


@document("no_default", "default_set", also=("file_name",))
def _(folder, info):
    info["tables"][0]["name"] = "usual"


@document("other_file_name", "file_name")
def _(folder, info):
    os.rename(os.path.join(folder, "default_opcode_table.bin"), os.path.join(folder, "opcodes.bin"))
    info["tables"][0]["opcode_table"] = "opcodes.bin"


@document("file_elsewhere", "file_path")
def _(folder, info):
    info["tables"][0]["opcode_table"] = "../default_opcode_table.bin"


@document("file_missing", "file_present")
def _(folder, info):
    os.remove(os.path.join(folder, "default_datapath_table.bin"))


@document("file_is_folder", "file_present")
def _(folder, info):
    os.remove(os.path.join(folder, "default_datapath_table.bin"))
    os.mkdir(os.path.join(folder, "default_datapath_table.bin"))


@document("file_short", "table_size")
def _(folder, info):
    os.truncate(os.path.join(folder, "default_control_slow_table.bin"), 4095)


@document("file_empty", "table_size")
def _(folder, info):
    os.truncate(os.path.join(folder, "default_control_slow_table.bin"), 0)


@document("stamp_missing", "version_stamp")
def _(folder, info):
    os.remove(os.path.join(folder, "version.json"))


@document("stamp_longer", "version_stamp")
def _(folder, info):
    with open(os.path.join(folder, "version.json"), "a") as f:
        f.write("\n")


@document("stamp_number", "version_stamp")
def _(folder, info):
    with open(os.path.join(folder, "version.json"), "w") as f:
        f.write('{"KaenaDVE":1}'.ljust(79) + "\n")


@document("stamp_half", "version_stamp")
def _(folder, info):
    with open(os.path.join(folder, "version.json"), "w") as f:
        f.write('{"KaenaDVE":{"brazil_version":""}}'.ljust(79) + "\n")


@document("ops_beyond", "ops_range", also=("ops_order",))
def _(folder, info):
    info["tables"][0]["ops"] += [256, -1]


@document("ops_unsorted", "ops_order")
def _(folder, info):
    info["tables"][0]["ops"].reverse()


@document("ops_twice", "ops_order")
def _(folder, info):
    info["tables"][0]["ops"].insert(1, info["tables"][0]["ops"][0])


# ---- sets: the function gets them ----

@variant("unknown_opcode", "known_opcode", also=("census",))
def _(s):
    s.ops.append(250)
    s.put(250, 3)


@variant("no_entry", "rostered_slot", also=("census",))
def _(s):
    s.entry[72] = 0


@variant("no_slot", "rostered_slot", also=("census",))
def _(s):
    s.entry[108] = 0


@variant("entry_unasked", "unrostered_slot", also=("census",))
def _(s):
    s.put(200, 3)


@variant("foreign_resident", "unrostered_slot", gen=3, also=("census",))
def _(s):
    s.put(241, 3)


@variant("idle_other", "idle_slot")
def _(s):
    s.put(0, 0, 4)


@variant("idle_gone", "idle_slot", also=("census",))
def _(s):
    s.entry[0] = 0


@variant("idle_enabled", "idle_rostered")
def _(s):
    s.ops.insert(0, 0)


variants["idle_enabled"][3].add("ops_range")


@variant("selector_outside", "selector_range", "entry_high_bits", also=("census",))
def _(s):
    s.put(65, 16, 256)


@variant("high_bits", "entry_high_bits", gen=2, also=("census",))
def _(s):
    s.entry[65] |= 1 << 40


@variant("gap_bit", "entry_gap_bit")
def _(s):
    s.entry[106] |= 0x100


@variant("row_unused", "control_row")
def _(s):
    s.put(72, 200)


@variant("slow_row_unused", "slow_row")
def _(s):
    s.put(106, 48, 200)


variants["slow_row_unused"][3].add("census")


@variant("reserved_fast", "reserved_bytes")
def _(s):
    s.control["control_fast_table"][5][8] = 1


@variant("reserved_slow", "reserved_bytes")
def _(s):
    s.control["control_slow_table"][5][15] = 1


@variant("reserved_gen2", "reserved_bytes", gen=2)
def _(s):
    s.control["control_table"][5][12] = 1


@variant("hole", "rows_prefix", gen=4, also=("census",))
def _(s):
    for key in s.control:
        s.control[key][60] = bytearray(16)
    s.block[60] = [0] * 8


@variant("fast_and_slow", "rows_agree", also=("census",))
def _(s):
    s.control["control_slow_table"][182][6] = 1


@variant("orphan", "orphan_block", also=("census",))
def _(s):
    s.block[250][0] = IDLE[4] | 1


@variant("lane_bit_gen2", "lane_bits", gen=2)
def _(s):
    s.block[41][0] |= 1 << 15


@variant("lane_bit_gen3", "lane_bits", gen=3)
def _(s):
    s.block[8][0] |= 1 << 39


@variant("lane_bit_gen4", "lane_bits")
def _(s):
    s.block[16][0] |= 1 << 61


@variant("unpacked", "left_packing")
def _(s):
    s.block[16][0], s.block[16][7] = s.block[16][7], s.block[16][0]


@variant("idle_after_zero", "left_packing", gen=2)
def _(s):
    s.block[20][1], s.block[20][2] = 0, IDLE[2]


@variant("copy_computes", "known_block", gen=2, also=("census",))
def _(s):
    s.block[1][0] = IDLE[2] | 1


@variant("backbone_gen2", gen=2)
def _(s):
    s.control["control_table"][5][1:4] = bytes([0xc3, 0x30, 0x0c])


# ---- sets against default: the function gets both ----

@variant("transformer_exponential", "possible_opcode", sets=("transformer",))
def _(base, s):
    s.ops = sorted(s.ops + [48])
    s.entry[48] = base.entry[48]


@variant("forward_extended", "possible_opcode", gen=2, sets=("transformer_fwd",))
def _(base, s):
    s.ops = sorted(s.ops + [240])


@variant("transformer_more", "within_default", gen=3, sets=("transformer",), also=("known_opcode", "possible_opcode"))
def _(base, s):
    s.ops.append(250)
    s.put(250, 3)


@variant("idle_differs", "idle_same", "idle_slot", gen=3, sets=("transformer",))
def _(base, s):
    s.put(0, 0, 4)


@variant("saturate_less", "saturate_ops", sets=("saturate",), also=("saturate_figures",))
def _(base, s):
    s.disable(225)


@variant("saturate_word", "saturate_figures", sets=("saturate",))
def _(base, s):
    s.block[143][0] ^= 4


@variant("saturate_steps", "saturate_figures", sets=("saturate",))
def _(base, s):
    s.entry[225] += 4                # 5 rows on and 3 back: still two slots, 225 and 234
    s.entry[234] -= 4


@variant("saturate_slots", "saturate_figures", sets=("saturate",))
def _(base, s):
    s.entry[234], s.entry[240] = base.entry[234], base.entry[240] + 1


@variant("saturate_slow_row", "saturate_figures", sets=("saturate",))
def _(base, s):
    s.control["control_slow_table"][3][6] ^= 0x20
    s.control["control_slow_table"][144] = bytearray(base.control["control_slow_table"][144])


@variant("saturate_block", "saturate_figures", sets=("saturate",))
def _(base, s):
    """A block behind 182 differs in place of one before."""
    row = next(r for r in range(181, 143, -1) if s.block[r] != base.block[r])
    spare = [(w, b) for w, b in zip(s.block[row], base.block[row]) if w != b]
    s.block[row] = list(base.block[row])
    s.block[183] = [IDLE[4] | 1 << n for n in range(len(spare))] + [0] * (8 - len(spare))
    for key in s.control:
        s.control[key][183][6] = 1


# The same in a directory whose default set has other counts than the build that the figures are of.

def other_build(*sets):
    reached = {s.row(op) for s in sets for op in range(256)}
    row = next(r for r in range(50, 120) if r not in reached and sets[0].block[r][0] not in (0, IDLE[sets[0].gen]))
    for s in sets:
        s.block[row] = [IDLE[s.gen]] * 2 + [0] * 6


@variant("saturate_word_elsewhere", "saturate_figures", sets=("saturate",), also=("census",))
def _(base, s):
    other_build(base, s)
    s.block[143][0] ^= 4


@variant("transformer_slot_elsewhere", "transformer_figures", gen=2, sets=("transformer",), also=("census",))
def _(base, s):
    other_build(base, s)
    s.entry[66] = base.entry[66]


@variant("transformer_row", "transformer_figures", sets=("transformer",))
def _(base, s):
    s.control["control_fast_table"][3] = bytearray(base.control["control_fast_table"][3])


@variant("transformer_slot", "transformer_figures", gen=2, sets=("transformer",))
def _(base, s):
    s.entry[66] = base.entry[66]


def make(folder, name):
    gen, sets, change, rules = variants[name]
    every = {2: tablesets.gen2, 3: tablesets.gen3, 4: tablesets.gen4}[gen]()
    chosen = [s for s in every if s.name == "default" or s.name in sets]
    path = os.path.join(folder, name, "synthetic_broken_gen%d" % gen)
    if sets != "document":
        change(*chosen)
    tablesets.write_set(path, gen, chosen)
    if sets == "document":
        info = tablesets.info(gen, chosen)
        change(path, info)
        with open(os.path.join(path, "dve_info.json"), "w") as f:
            json.dump(info, f, indent=4)
    return path, sorted(rules)


if __name__ == "__main__":
    print(json.dumps({name: make(sys.argv[1], name) for name in variants}))
