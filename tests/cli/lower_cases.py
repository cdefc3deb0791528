# SPDX-License-Identifier: Apache-2.0
"""Compiler instructions with the records that they must give, written from the published layouts byte by byte,
and instructions that are refused. Writes NAME.json, NAME.bin, and the lists accepted and refused."""
import json
import struct

WIRE = dict(uint64=1, int8=2, uint8=3, int16=4, uint16=5, bf16=6, fp16=7, int32=8, uint32=9, fp32=10, fp32r=11,
            int64=12, fp8_e3m4=13, fp8_e4m3=14, fp8_e5m2=15)
NINF, LOWEST = 0xff800000, 0xff7fffff
accepted, refused = [], []


def ap(offset, pattern, dtype="fp32", space="sbuf", partition=0, **more):
    """An access pattern; a number stands for that many elements side by side."""
    if not isinstance(pattern, list):
        pattern = [[1, pattern]]
    return dict(space=space, partition=partition, offset=offset, dtype=dtype, pattern=pattern, **more)


def op(name, channels=128, **operands):
    return dict(op=name, channels=channels, **operands)


def document(name, *instructions):
    with open(name + ".json", "w") as f:
        json.dump({"schema": "opendve.lower/1", "instructions": list(instructions)}, f)


def rec(opcode, **at):
    """A record of zeros but for its header and the given bytes: b34=128, w40=32 bits, h20=16 bits."""
    r = bytearray(64)
    r[0], r[1] = opcode, 16
    for place, value in at.items():
        width = {"b": "<B", "h": "<H", "w": "<I"}[place[0]]
        struct.pack_into(width, r, int(place[1:]), value)
    return r


def walk(r, at, address, dims, *pairs, spare=1):
    """An address, `dims` steps, `dims` counts."""
    pairs = list(pairs) + [(spare, 1)] * (dims - len(pairs))
    struct.pack_into(f"<I{dims}h{dims}H", r, at, address, *[p[0] for p in pairs], *[p[1] for p in pairs])
    return r


def takes(name, instruction, *records, gens=("gen3",)):
    document(name, instruction)
    with open(name + ".bin", "wb") as f:
        f.write(b"".join(bytes(r) for r in records))
    accepted.extend((name, gen) for gen in gens)


def refuses(instruction, text, status=1, gen="gen3"):
    name = f"r{len(refused)}"
    document(name, instruction)
    refused.append((name, gen, str(status), text))


ALL = ("gen2", "gen3", "gen4", "gen5")
LATER = ALL[1:]

# ---- search ----
data, vals = ap(0, 1024), ap(0x2000, 8)


def max8(count=1024):
    return walk(walk(rec(0x6c, b32=10, b33=10, b34=128), 12, 0, 4, (1, count)), 48, 0x201c, 2, (-1, 8), spare=0)


def load(backwards, dtype=10, address=0x2000, channels=128):
    """0x6d: byte 33 is not written; the spare step is 0 where the keys are walked from their end."""
    r = rec(0x6d, b32=dtype, b34=channels)
    return walk(r, 16, 0x201c if backwards else address, 2, (-1 if backwards else 1, 8), spare=0 if backwards else 1)


def replace(imm, count=1024):
    r = walk(rec(0x6f, b32=10, b33=10, b34=128, w40=imm), 12, 0, 4, (1, count))
    return walk(r, 44, 0, 4, (1, count))


find = walk(walk(rec(0x6e, b32=10, b33=9, b34=128), 12, 0, 4, (1, 1024)), 48, 0x2020, 2, (1, 8))
takes("max", op("Max", data=data, maxvals=vals), max8(), gens=ALL)
takes("max_ordinals", op("Max", data=ap(0, 1024, 16), maxvals=ap(0x2000, 8, "float32")), max8())
takes("max_psum", op("Max", 32, data=ap(0x100, 8, "bf16", partition=32), maxvals=ap(4, [[2, 8]], space="psum", partition=64)),
      walk(walk(rec(0x6c, b32=6, b33=10, b34=32), 12, 32 * 0x40000 + 0x100, 4, (1, 8)), 48,
           0x2000000 + 64 * 0x8000 + 4 + 7 * 2 * 4, 2, (-2, 8), spare=0), gens=ALL)
takes("max_dropped", op("Max", data=ap(0x100, [[9, 1], [1, 4], [8, 2], [7, 1]]), maxvals=ap(0x2000, [[5, 1], [-1, 8]])),
      walk(walk(rec(0x6c, b32=10, b33=10, b34=128), 12, 0x100, 4, (1, 4), (8, 2)), 48, 0x2000 - 28, 2, (1, 8), spare=0))
takes("max_index", op("MaxIndex", maxvals=vals, data=data, indices=ap(0x2020, 8, "uint32")), load(True), find, gens=ALL)
takes("max_index_broadcast", op("MaxIndex", maxvals=ap(0x2000, [[0, 8]]), data=data, indices=ap(0x2020, 8, "uint32")),
      walk(rec(0x6d, b32=10, b34=128), 16, 0x2000, 2, (0, 8), spare=0), find)
takes("max_index_planes", op("MaxIndex", maxvals=vals, data=data, indices=ap(0x2020, [[1, 4], [6, 2]], "uint16")),
      load(True), walk(walk(rec(0x6e, b32=10, b33=5, b34=128), 12, 0, 4, (1, 1024)), 48, 0x2020, 2, (1, 4), (6, 2)))
takes("match_replace", op("MatchReplace", maxvals=vals, data=data, dst=data, imm="-inf"), load(False), replace(NINF), gens=ALL)
for name, imm, bits in (("one", 1, 0x3f800000), ("one_point", 1.0, 0x3f800000), ("nan", "nan", 0x7fc00000),
                        ("inf", "inf", 0x7f800000), ("raw", {"bits": "0xffc12345"}, 0xffc12345),
                        ("tenth", 0.1, 0x3dcccccd), ("tiny", 1e-45, 1), ("huge", 1e39, 0x7f800000), ("minus", -0.0, 0x80000000)):
    takes("replace_" + name, op("MatchReplace", maxvals=vals, data=data, dst=data, imm=imm), load(False), replace(bits))
takes("replace_planes", op("MatchReplace", maxvals=ap(0x2000, [[1, 2], [4, 4]]), data=data, dst=data, imm="-inf"),
      walk(rec(0x6d, b32=10, b34=128), 16, 0x2000, 2, (1, 2), (4, 4)), replace(NINF))
takes("replace_dtype", op("MatchReplace", maxvals=vals, data=data, dst=ap(0, 1024, "bf16"), imm="-inf"), load(False),
      walk(walk(rec(0x6f, b32=10, b33=6, b34=128, w40=NINF), 12, 0, 4, (1, 1024)), 44, 0, 4, (1, 1024)))
both = op("MaxIndexAndMatchReplace", maxvals=vals, data=data, dst=data, imm="-inf", indices=ap(0x2020, 8, "uint16"))
takes("both", both, load(False), replace(NINF),
      walk(rec(0xe9, w28=8, b32=5, b34=128), 44, 0x2020 + 14, 4, (-1, 8)), gens=LATER)
refuses(both, "is not on gen2, allowed from gen3 on; before, use find_index8, then match_replace8", gen="gen2")


def search_refusals(name, **others):
    good = dict(maxvals=vals, data=data, **others)

    def bad(text, **changes):
        refuses(op(name, **{**good, **changes}), f"{name}: " + text)
    bad("maxvals has 7 elements, allowed 8 [maxvals_count]", maxvals=ap(0x2000, 7))
    bad("data has 7 elements, allowed 8..16384 [data_count]", data=ap(0, 7))
    bad("data has 16385 elements", data=ap(0, 16385))
    bad("data has rank 6, its partitions included, allowed at most 5", data=ap(0, [[1, 1024]] + [[1, 1]] * 4))
    bad("maxvals has rank 4, its partitions included, allowed at most 3", maxvals=ap(0x2000, [[1, 8], [1, 1], [1, 1]]))
    bad("data is indirect, allowed a plain access pattern", data=ap(0, 1024, indirect=ap(0x3000, 4, "uint32")))
    bad("maxvals is indirect", maxvals=ap(0x2000, 8, indirect=ap(0x3000, 4, "uint32")))
    # What is told is what was given, from one end of the integers to the other.
    for given in (64, 0, 0.0, -1, 129, -2**63 + 1, 2**63 - 1):
        bad("maxvals has %d channels, allowed 128, the instruction's [partition_counts]" % given,
            maxvals=ap(0x2000, 8, channels=given))


search_refusals("Max")
search_refusals("MaxIndex", indices=ap(0x2020, 8, "uint32"))
search_refusals("MatchReplace", dst=data, imm=0)
search_refusals("MaxIndexAndMatchReplace", dst=data, imm=0, indices=ap(0x2020, 8, "uint32"))
refuses(op("Max", data=data, maxvals=ap(0x2000, [[1, 2], [2, 4]])), "maxvals is no single axis of 8")
refuses(op("MaxIndex", data=data, maxvals=ap(0x2000, [[1, 2], [2, 4]]), indices=ap(0x2020, 8, "uint32")), "no single axis of 8")
refuses({**both, "indices": ap(0x2020, [[1, 2], [2, 4]], "uint16")}, "indices is no single axis of 8")
refuses({**both, "indices": ap(0x2020, 4, "uint16")}, "indices is no single axis of 8")
refuses(op("Max", data=data, maxvals=ap(0x2000, [[-32768, 8]])), "maxvals has a step of -32768")
refuses(op("Max", data=data, maxvals=ap(8, [[-1, 8]])), "maxvals has its last element at byte -20")
refuses(op("Max", data=data, maxvals=ap(0x3fff0, 8)), "maxvals has its last element at byte 262156")
refuses(op("MaxIndex", data=data, maxvals=vals, indices=ap(0x2020, 7, "uint32")), "dst (byte 56) has 7 elements")
refuses(op("MatchReplace", maxvals=vals, data=data, dst=data, imm=ap(0, 1)), "imm comes from memory or a register")
refuses(op("MatchReplace", maxvals=vals, data=data, dst=data, imm={"reg": 3}), "imm comes from memory or a register")
refuses(op("MatchReplace", maxvals=vals, data=data, dst=ap(0, 1023), imm=0), "dst (byte 56) has 1023 elements")
refuses(op("Max", data=ap(0, [[40000, 8]]), maxvals=vals), "data has a step of 40000, allowed -32768..32767")
refuses(op("Max", data=ap(0, [[1, 65536]]), maxvals=vals), "data has an axis of 65536 elements, allowed 1..65535")
refuses(op("Max", data=ap(0, [[1, 0]]), maxvals=vals), "data has an axis of 0 elements")
refuses(op("Max", data=ap(0, 64, partition=128), maxvals=vals), "data starts in partition 128, allowed 0..127")
refuses(op("Max", data=ap(-4, 64), maxvals=vals), "data starts at byte -4 of its partition, allowed 0..262143")
refuses(op("Max", data=ap(0x8000, 64, space="psum"), maxvals=vals), "data starts at byte 32768 of its partition, allowed 0..32767")
deep = {**data, "indirect": data}
for _ in range(3):
    refuses(op("TensorCopy", src=deep, dst=data), "src has an indirect list of indices" if deep["indirect"] is not data else
            "src is indirect, which records of gen3 cannot say")
    deep = {**data, "indirect": deep}
refuses(op("Max", 0, data=data, maxvals=vals), "Max: 0 channels were given, allowed 1..128")
refuses(op("Max", 129, data=data, maxvals=vals), "Max: 129 channels were given")
refuses(op("Max", data=ap(0, 64, 20), maxvals=vals), "data has data type 20, which has no wire code")
refuses(op("Max", data=ap(0, 64, "fp32r"), maxvals=vals), "in_dtype (byte 32) is fp32r")

# ---- moves ----
shuffle_mask = [255] + list(range(31))
lane_bytes = bytes([0x20] + list(range(31)))


def masks(bytes32):
    r = rec(0x69)
    r[32:] = bytes32
    return r


def move(opcode, channels, count, dst_count=None, src=10, dst=10, to=0x1000, **more):
    r = walk(rec(opcode, b32=src, b33=dst, b34=channels, **more), 12, 0, 4, (1, count))
    return walk(r, 44, to, 4, (1, dst_count or count))


takes("shuffle", op("StreamShuffle", 40, src=ap(0, 16), dst=ap(0x1000, 16), mask=shuffle_mask), masks(lane_bytes),
      move(0x6a, 64, 16), gens=ALL)
takes("transpose", op("StreamTranspose", 96, src=ap(0, 64), dst=ap(0x1000, 64)), move(0x6b, 96, 64), gens=ALL)
takes("transpose32", op("StreamTranspose", 32, src=ap(0, 32), dst=ap(0x1000, 32)), move(0x6b, 32, 32))
takes("transpose10", op("StreamTranspose", 10, src=ap(0, 64), dst=ap(0x1000, 40)),
      masks(bytes([0] * 10 + [0x20] * 22)), move(0x6b, 32, 64, 40, b38=1), gens=ALL)
takes("copy", op("TensorCopy", src=ap(0, 64), dst=ap(0x1000, 64)), move(0x46, 128, 64), gens=ALL)
takes("cast", op("TensorCopy", src=ap(0, 64, "bf16"), dst=ap(0x1000, 64)), move(0x47, 128, 64, src=6))
takes("cast_same_wire", op("TensorCopy", src=ap(0, 64, "uint8"), dst=ap(0x1000, 64, "float8_e8m0fnu")),
      move(0x47, 128, 64, src=3, dst=3))
takes("cast_e4m3", op("TensorCopy", src=ap(0, 64, 5), dst=ap(0x1000, 64, "fp8_e4m3")), move(0x47, 128, 64, src=14, dst=14))
takes("copy_fp4", op("TensorCopy", src=ap(0, 64, 2), dst=ap(0x1000, 64, "float4_e2m1fn_x4")),
      move(0x46, 128, 64, src=5, dst=5), gens=("gen2", "gen3"))
takes("copy_indirect", op("TensorCopy", 32, src=ap(0x400, 4, indirect=ap(0x800, 4, "uint32")), dst=ap(0x1000, 4)),
      walk(rec(0x46, w12=0x20000800, w16=0x400, h20=4, b32=10, b33=10, b34=32), 44, 0x1000, 4, (1, 4)),
      gens=("gen4", "gen5"))
refuses(op("TensorCopy", 32, src=ap(0x400, 4, indirect=ap(0x800, 4, "uint32")), dst=ap(0x1000, 4)),
        "src is indirect, which records of gen3 cannot say, allowed from gen4 on")
refuses(op("TensorCopy", src=ap(0, 64, "fp4_e2m1"), dst=ap(0x1000, 64)), "src has a data type that is not on gen3, allowed from gen4 on")
refuses(op("TensorCopy", src=ap(0, 64), dst=ap(0x1000, 63)), "dst (byte 56) has 63 elements")
refuses(op("TensorCopy", src=ap(0, 16), dst=ap(0x1000, [[1, 1]] * 17)), "dst has 17 axes, allowed at most 16")
refuses(op("TensorCopy", src=ap(0, 32), dst=ap(0x1000, [[1, 2]] * 5)), "dst has 5 axes longer than 1, allowed at most 4")
shuffle = op("StreamShuffle", src=ap(0, 16), dst=ap(0x1000, 16), mask=shuffle_mask)
refuses({**shuffle, "mask": shuffle_mask[:31]}, "mask has 31 entries, allowed 32")
refuses({**shuffle, "mask": shuffle_mask + [1]}, "mask has 33 entries, allowed 32")
refuses({**shuffle, "mask": [32] + shuffle_mask[1:]}, "mask holds 32 at entry 0, allowed 0..31 or 255")
refuses({**shuffle, "mask": shuffle_mask[1:] + [-1]}, "mask holds -1 at entry 31")
refuses({**shuffle, "dst": ap(0x1000, 16, "int32")}, "dst has another data type than src, allowed the same")
refuses(op("StreamTranspose", 40, src=ap(0, 64), dst=ap(0x1000, 64)),
        "40 channels were given, allowed 1..32, or a multiple of 32; two instructions do it, of 32 and of 8 channels")
refuses(op("StreamTranspose", src=ap(0, 40), dst=ap(0x1000, 40)), "src has 40 elements, allowed a multiple of 32")
refuses(op("StreamTranspose", src=ap(0, [[1, 2], [2, 2], [4, 2], [8, 4]]), dst=ap(0x1000, 32)), "src has four axes longer than 1")
refuses(op("StreamTranspose", src=ap(0, 32), dst=ap(0x1000, 32, "int32")), "dst has another data type than src")
refuses(op("StreamTranspose", src=ap(0, 32, indirect=ap(0x3000, 4, "uint32")), dst=ap(0x1000, 32)), "src is indirect", gen="gen4")
refuses(op("StreamTranspose", src=ap(0, 32), dst=ap(0x1000, 64)), "dst (byte 56) has 64 elements")

# ---- fills ----


def fill(opcode, count, dtype, value, address=0):
    return walk(rec(opcode, w28=count, b32=dtype, b34=128, w40=value), 44, address, 4, (1, count))


for name, dtype, value, bits in (
        ("fp32", "fp32", 1, 0x3f800000), ("bf16", "bf16", -1.5, 0xbfc0), ("fp16", "fp16", 65520, 0x7c00), ("int8", "int8", -200, 0x80),
        ("uint8", "uint8", 2.5, 2), ("int16", "int16", -1, 0xffff), ("int32", "int32", 16777217, 0x1000001),
        ("uint32", "uint32", 4294967295, 0xffffffff), ("uint32_cut", "uint32", -5, 0), ("inf", "uint16", "inf", 0xffff),
        ("nan", "bf16", "nan", 0x7fc0), ("e5m2", "fp8_e5m2", 1, 0x3c), ("raw", "int8", {"bits": "0x7f"}, 0x7f),
        ("halfway", "bf16", 1 + 2 ** -8 + 2 ** -30, 0x3f81), ("even", "bf16", 1 + 2 ** -8, 0x3f80)):
    takes("memset_" + name, op("Memset", dst=ap(0, 64, dtype), value=value), fill(0x49, 64, WIRE[dtype], bits))
takes("memset_const", op("Memset", dst=ap(0, 64), value=0, mode="Const"), fill(0x49, 64, 10, 0), gens=ALL)
takes("memset_random", op("Memset", dst=ap(0, 64, "uint32"), value=0, mode="Random"), fill(0x4d, 64, 9, 0), gens=ALL)
refuses(op("Memset", dst=ap(0, 64), value={"reg": 1}), "value comes from memory or a register")
refuses(op("Memset", dst=ap(0, 64, "int64"), value=1), "value cannot become wire data type 12")
refuses(op("Memset", dst=ap(0, [[0, 65535], [0, 65535], [0, 2]]), value=1), "dst has 8589672450 elements, allowed at most 4294967295")

# ---- folds ----


def read(address, negated=0, dtype=10):
    return walk(rec(0x9b, w28=1, b32=dtype, b33=negated, b34=128), 44, address, 1)


def cache(opcode, cmd, op0, op1, imm0, src0=0, imm1=0, src1=0):
    r = rec(opcode, b12=cmd, b32=10, b33=10, b34=128, b35=src0, b36=op0, b37=op1, b39=src1, w40=imm0, w44=imm1)
    return walk(walk(r, 16, 0, 3, (1, 64)), 48, 0x1000, 3, (1, 64))


tsc = op("TensorScalarCache", mode="Reduce", src=ap(0, 64), dst=ap(0x1000, 64), op0="mult", op1="add", imm0=2)
result = ap(0x3000, [])
takes("reduce", {**tsc, "result": result}, cache(0x9a, 3, 6, 4, 0x40000000), read(0x3000), gens=ALL)
takes("reduce_idle", {**tsc, "result": result, "accumulate": "Idle"}, cache(0x9a, 3, 6, 4, 0x40000000), read(0x3000))
takes("reduce_add", {**tsc, "accumulate": "AddAccumulate"}, cache(0x9a, 2, 6, 4, 0x40000000))
takes("reduce_ordinals", {**tsc, "op0": 19, "op1": 9, "accumulate": 4, "result": ap(0x3000, [[7, 1]], "bf16")},
      cache(0x9a, 2, 0x18, 9, 0x40000000), read(0x3000, dtype=6))
takes("reduce_absolute", {**tsc, "op0": "absolute_diff", "accumulate": 3}, cache(0x9a, 3, 0x17, 4, 0x40000000))
takes("cumulative", {**tsc, "mode": "Cumulative", "accumulate": "ZeroAccumulate"}, cache(0xe6, 3, 6, 4, 0x40000000))
takes("scan", {**tsc, "mode": "Scan", "accumulate": "LoadAccumulate", "imm0": ap(0x3000, 1), "imm1": {"reg": 63}},
      cache(0xe6, 4, 6, 4, 0x3000, 1, 63, 2), gens=ALL)
takes("scan_abs", {**tsc, "mode": "Scan", "accumulate": 5, "op0": 30, "imm1": -1}, cache(0xe6, 4, 0x20, 4, 0x40000000, 0, 0xbf800000),
      gens=("gen4", "gen5"))
refuses({**tsc, "accumulate": "ZeroAccumulate", "op0": 30}, "op0 is an operator that is not on gen3, allowed from gen4 on")
refuses({**tsc, "accumulate": "ZeroAccumulate", "op0": "abs_max"}, "op0 is an operator that is not on gen3, allowed from gen4 on")
refuses({**tsc, "accumulate": "ZeroAccumulate", "op0": 24}, "op0 is compiler operator 24, which has no wire code")
refuses({**tsc, "accumulate": "ZeroAccumulate", "op0": 33}, "op0 is compiler operator 33, which has no wire code")
refuses({**tsc, "accumulate": "ZeroAccumulate", "op1": -1}, "op1 is compiler operator -1, which has no wire code")
refuses(tsc, "accumulate is idle and there is no result")
refuses({**tsc, "accumulate": 0}, "accumulate is idle and there is no result")
refuses({**tsc, "accumulate": "Accumulate"}, "accumulate is the compiler's Accumulate, which has no wire code, allowed AddAccumulate")
refuses({**tsc, "accumulate": 2}, "allowed AddAccumulate")
refuses({**tsc, "accumulate": 6}, "accumulate is compiler command 6")
refuses({**tsc, "accumulate": "Zero"}, "accumulator_cmd (byte 12)")
refuses({**tsc, "accumulate": "LoadAccumulate"}, "imm1 is missing, allowed the start that LoadAccumulate needs")
refuses({**tsc, "result": result, "imm1": 0}, "imm1 was given, allowed only with LoadAccumulate")
refuses({**tsc, "result": ap(0x3000, 2)}, "result has 2 elements, allowed 1")
refuses({**tsc, "result": result, "imm0": ap(0x3000, 1, "bf16")}, "imm0 points to another data type")
refuses({**tsc, "result": result, "imm0": ap(0x3000, 2)}, "imm0 points to 2 elements a lane")
refuses({**tsc, "result": result, "imm0": {"reg": 64}}, "imm0 is register 64, allowed 0..63")
refuses({**tsc, "result": result, "op1": "is_eq"}, "op1 (byte 37)")
refuses({**tsc, "result": result, "src": ap(0, [[1, 2]] * 4)}, "src has 4 axes longer than 1, allowed at most 3")

takes("read", op("DveReadAccumulator", dst=ap(0x3000, 1)), read(0x3000), gens=ALL)
takes("read_negated", op("DveReadAccumulator", dst=ap(0x3000, 1), negated=True), read(0x3000, 1))
takes("read_flag", op("DveReadAccumulator", dst=ap(0x3000, 1), negated=1), read(0x3000, 1))
refuses(op("DveReadAccumulator", dst=ap(0x3000, 2)), "dst has 2 elements, allowed 1")
refuses(op("DveReadAccumulator", dst=ap(0x3000, 1), negated=2), "negated is 2, allowed 0 or 1")

# ---- predicates ----
pred, src, dst = ap(0, 64, "uint8"), ap(0x400, 64), ap(0x1000, 64)


def under(opcode, pair, out=10, true_at=0x400, to=0x1000):
    r = walk(rec(opcode, b12=pair, b13=out, b15=128), 16, 0, 3, (1, 64))
    return walk(walk(r, 32, true_at, 3, (1, 64)), 48, to, 3, (1, 64))


def scalar(dtype, bits, source=0, to=0x1000):
    r = rec(0xe8, b32=3, b33=1, b34=128, b41=dtype, b42=dtype, b43=source, w44=bits)
    return walk(walk(r, 16, 0, 3, (1, 64)), 48, to, 3, (1, 64))


def folded(cmd, reverse=0, imm=0xbf800000, source=0):
    r = rec(0xea, b36=0, b37=8, b38=reverse, b39=source, b40=0xa3, b41=10, b42=128, b43=10, b44=cmd, w60=imm)
    return walk(walk(walk(r, 12, 0, 2, (1, 64)), 24, 0x400, 2, (1, 64)), 48, 0x1000, 2, (1, 64))


cp = op("CopyPredicated", pred=pred, src=src, dst=dst)
takes("predicated", cp, under(0x72, 0xa3), gens=ALL)
takes("predicated_cast", {**cp, "src": ap(0x400, 64, "bf16")}, under(0x99, 0x63), gens=ALL)
takes("predicated_scalar", {**cp, "src": 3, "dst": ap(0x1000, 64, "bf16")}, scalar(6, 0x4040), gens=ALL)
takes("predicated_register", {**cp, "src": {"reg": 9}}, scalar(10, 9, 2))
takes("predicated_max", {**cp, "reduce_op": "max", "imm0": -1}, folded(0), gens=ALL)
takes("predicated_result", {**cp, "reduce_op": 8, "imm0": -1, "reverse": True, "result": result}, folded(3, 1), read(0x3000))
takes("predicated_idle", {**cp, "reduce_op": "max", "imm0": -1, "accumulate": "Idle", "result": result}, folded(0), read(0x3000))
takes("predicated_add", {**cp, "reduce_op": "max", "imm0": ap(0x3000, 1), "accumulate": "AddAccumulate"}, folded(2, 0, 0x3000, 1))
takes("predicated_bypass", {**cp, "reduce_op": "bypass", "imm0": 0}, under(0x72, 0xa3))
refuses({**cp, "reduce_op": "max", "imm0": 0, "src": 1}, "src is a scalar, allowed a tensor")
refuses({**cp, "reduce_op": "bypass", "imm0": 0, "result": result}, "result asks for a reduction")
refuses({**cp, "reduce_op": "add", "imm0": 0}, "op1 (byte 37)")
refuses({**cp, "src": ap(0x400, 64, "fp4_e2m1")}, "src has wire data type 16, allowed 0..15, for one byte holds two", gen="gen4")
refuses({**cp, "pred": ap(0, 64, "fp32")}, "src0_dtype (byte 12)")
sel = op("Select", pred=pred, on_true=src, on_false=ap(0x800, 64), dst=dst)
copied = walk(walk(rec(0x46, b32=10, b33=10, b34=128), 12, 0x800, 4, (1, 64)), 44, 0x1000, 4, (1, 64))
takes("select", sel, copied, under(0x72, 0xa3), gens=ALL)
takes("select_scalars", {**sel, "on_true": 1, "on_false": 0}, fill(0x49, 64, 10, 0, 0x1000), scalar(10, 0x3f800000), gens=ALL)
takes("select_casts", {**sel, "on_true": ap(0x400, 64, "bf16"), "on_false": ap(0x800, 64, "bf16")},
      walk(walk(rec(0x47, b32=6, b33=10, b34=128), 12, 0x800, 4, (1, 64)), 44, 0x1000, 4, (1, 64)), under(0x99, 0x63))
takes("select_in_place", {**sel, "on_false": dst},
      walk(walk(rec(0x46, b32=10, b33=10, b34=128), 12, 0x1000, 4, (1, 64)), 44, 0x1000, 4, (1, 64)), under(0x72, 0xa3))
even, odd = ap(0x1000, [[2, 64]]), ap(0x1004, [[2, 64]])
interleaved = walk(walk(rec(0x72, b12=0xa3, b13=10, b15=128), 16, 0, 3, (1, 64)), 32, 0x1004, 3, (2, 64))
takes("select_interleaved", {**sel, "dst": even, "on_true": odd},
      walk(walk(rec(0x46, b32=10, b33=10, b34=128), 12, 0x800, 4, (1, 64)), 44, 0x1000, 4, (2, 64)),
      walk(interleaved, 48, 0x1000, 3, (2, 64)))
refuses({**sel, "dst": ap(0x440, 64)}, "dst overlaps on_true, allowed apart")
refuses({**sel, "dst": ap(0x4fc, 64)}, "dst overlaps on_true")
refuses({**sel, "dst": ap(0x3c, 64)}, "dst overlaps pred, allowed apart")
refuses({**sel, "dst": even, "on_true": ap(0x1002, [[4, 64]], "bf16")}, "dst overlaps on_true")
refuses({**sel, "on_false": {"reg": 1}}, "on_false comes from memory or a register")

# ---- ranges ----


def ranged(cmd, b0=0x42c80000, s0=0, b1=0x43240000, s1=0, base=0x42c80000):
    r = rec(0xbc, b12=128, b13=0xaa, b14=cmd, b15=8, w16=base, w20=LOWEST, b36=0x14, b37=0x16, b38=s0, b39=s1, w40=b0, w44=b1)
    return walk(walk(r, 24, 0, 2, (1, 64)), 48, 0x1000, 2, (1, 64))


rs = op("RangeSelect", src=ap(0, 64), dst=dst, base=100, comp_op0="is_ge", comp_op1="is_lt", bound0=100, bound1=164)
takes("range", rs, ranged(0), gens=LATER)
takes("range_ordinals", {**rs, "comp_op0": 21, "comp_op1": 22, "fill": -3.4028234663852886e38}, ranged(0))
takes("range_result", {**rs, "bound0": ap(0x3004, 1), "bound1": {"reg": 5}, "fill": {"bits": "0xFF7FFFFF"}, "result": result},
      ranged(3, 0x3004, 1, 5, 2), read(0x3000))
takes("range_add", {**rs, "accumulate": "AddAccumulate", "result": result}, ranged(2), read(0x3000))
refuses(rs, "RangeSelect is not on gen2, allowed from gen3 on", gen="gen2")
refuses({**rs, "fill": 0}, "fill is not the lowest fp32, allowed 0xff7fffff")
refuses({**rs, "dst": ap(0x1000, 63)}, "dst has 63 elements, allowed 64, as many as src")
refuses({**rs, "base": ap(0x3000, 1)}, "base comes from memory or a register")
refuses({**rs, "base": 0.5}, "base (byte 16)")
refuses({**rs, "accumulate": "LoadAccumulate"}, "reduce_cmd (byte 14)")

# ---- the pool engine ----


def nonzero(offset, pad, s0=0, s1=0):
    r = rec(0xf2, b12=128, b13=10, b14=8, b15=s0, w32=offset, b36=s1, w40=pad)
    return walk(walk(r, 16, 0, 3, (1, 64)), 44, 0x1000, 3, (1, 65))


nz = op("NonzeroWithCount", src=ap(0, 64), dst=ap(0x1000, 65, "int32"), index_offset=16, padding_val=-1)
takes("nonzero", nz, nonzero(16, 0xffffffff), gens=LATER)
takes("nonzero_same_numbers", {**nz, "index_offset": 16.0, "padding_val": {"bits": "0xffffffff"}}, nonzero(16, 0xffffffff))
refuses(nz, "NonzeroWithCount is not on gen2, allowed from gen3 on", gen="gen2")
refuses({**nz, "padding_val": 1.5}, "padding_val is not an int32, allowed an integer")
refuses({**nz, "padding_val": "nan"}, "padding_val is not an int32")
refuses({**nz, "index_offset": 2147483648}, "index_offset is not an int32")
refuses({**nz, "dst": ap(0x1000, 64, "int32")}, "dst (byte 54) has 64 elements")


def chunk(first, count, step=1):
    return walk(rec(0x67, b32=10, b34=128, w40=first, w44=0x1ff), 12, 4 * first * step, 4, (step, count))


def gather(first):
    r = walk(rec(0x68, b32=9, b33=10, b34=128, b36=1 if first else 0), 12, 0x4000, 4, (1, 16))
    return walk(r, 44, 0x5000, 4, (1, 16))


ga = op("Gather", data=ap(0, 1300), indices=ap(0x4000, 16, "uint32"), dst=ap(0x5000, 16))
takes("gather", ga, chunk(0, 512), gather(0), chunk(512, 512), gather(512), chunk(1024, 276), gather(1024), gens=ALL)
takes("gather_512", {**ga, "data": ap(0, 512)}, chunk(0, 512), gather(0))
takes("gather_step", {**ga, "data": ap(0, [[1, 1], [2, 600]])}, chunk(0, 512, 2), gather(0), chunk(512, 88, 2), gather(512))
refuses({**ga, "data": ap(0, [[1, 4], [8, 4]])}, "data has 2 axes longer than 1, allowed 1")
refuses({**ga, "dst": ap(0x5000, 16, "int32")}, "dst has another data type than data")
refuses({**ga, "data": ap(0, 1300, indirect=ap(0x6000, 4, "uint32"))}, "data is indirect", gen="gen4")
ic = op("IndirectCopy", data=ap(0, 1300), indices=ap(0x4000, 4, "uint16"), dst=ap(0x5000, 128), elements_per_index=2)
takes("indirect_copy", ic, walk(rec(0xe7, w12=0x20004000, w16=0, h20=128, b32=10, b33=10, b34=128, b35=2, h38=1300), 44, 0x5000, 4,
                                (1, 128)), gens=ALL)
refuses({**ic, "indices": ap(0x4000, 4, "uint32")}, "indices has wire data type 9, allowed uint16")
refuses({**ic, "data": ap(0, [[2, 600]])}, "data has gaps")
refuses({**ic, "dst": ap(0x5000, 127)}, "dst has 127 elements, allowed a multiple of 2")
refuses({**ic, "dst": ap(0x5000, 130)}, "indices has 64 indices for 16 partitions, allowed at least 65")
refuses({**ic, "elements_per_index": 256}, "elements_per_index is 256, allowed 0..255")
refuses({**ic, "elements_per_index": 3, "dst": ap(0x5000, 126)}, "src_num_elem_per_idx (byte 35)")
refuses({**ic, "data": ap(0, [[1, 40000], [40000, 2]])}, "data has ")

# ---- not the language ----


def slip(text, **changes):
    instruction = {**op("Max", data=data, maxvals=vals), **changes}
    refuses({k: v for k, v in instruction.items() if v is not None}, text, status=3)


slip('$.instructions[0].op: "Mx" is no instruction; did you mean Max?; allowed: Max, MaxIndex, MatchReplace', op="Mx")
slip("$.instructions[0].op: missing", op=None)
slip("$.instructions[0].op: int was given", op=4)
slip("$.instructions[0].channels: missing", channels=None)
slip("$.instructions[0].channels: 1.5 was given; allowed: an integer", channels=1.5)
for far in (2**63, 2**64 - 1, -2**63):
    slip("$.instructions[0].channels: %d was given; allowed: an integer from -9223372036854775807 to 9223372036854775807" % far,
         channels=far)
    slip("$.instructions[0].data.channels: %d was given" % far, data={**data, "channels": far})
    slip("$.instructions[0].data.pattern[0][1]: %d was given" % far, data={**data, "pattern": [[1, far]]})
for far in (2**64, -2**63 - 1, 10**38):
    slip(".json: $: %d was given; allowed: integers of 64 bits" % far, channels=far)
slip(".json: $: 1%s... was given; allowed: integers of 64 bits" % ("0" * 38), channels=10**60)
slip('"%d\\" is no instruction' % 10**30, op="%d\\" % 10**30)
slip("$.instructions[0]: Max: maxvals is missing", maxvals=None)
slip('$.instructions[0].imm: Max takes no such operand; allowed: op, channels, data, maxvals', imm=1)
slip("$.instructions[0].data: 4 was given; allowed: object", data=4)
slip("$.instructions[0].data.space: ", data={**data, "space": "dram"})
slip("$.instructions[0].data.dtype: ", data={**data, "dtype": "float"})
slip("$.instructions[0].data.offset: missing", data={k: v for k, v in data.items() if k != "offset"})
slip("$.instructions[0].data.pattern[0]: ", data={**data, "pattern": [[1]]})
slip("$.instructions[0].data.pattern[0][1]: ", data={**data, "pattern": [[1, "8"]]})
slip('$.instructions[0].data: no member "size" is taken here', data={**data, "size": 4})
for changes, text in (({"mode": "reduce"}, ".mode: "), ({"op0": "plus"}, ".op0: "), ({"accumulate": "add"}, ".accumulate: "),
                      ({"imm0": "infinity"}, ".imm0: "), ({"imm0": {"bits": "3f800000"}}, ".imm0.bits: "),
                      ({"imm0": {"bits": "0x123456789"}}, ".imm0.bits: "), ({"imm0": None}, "imm0"), ({"op0": None}, "op0")):
    refuses({**tsc, **changes}, text, status=3)
refuses({**cp, "imm0": 1}, "imm0 was given, allowed only with reduce_op", status=3)
refuses({**cp, "reduce_op": "max"}, "imm0 is missing", status=3)
refuses({**shuffle, "mask": 4}, ".mask: ", status=3)
refuses({**shuffle, "mask": ["1"] * 32}, ".mask[0]: ", status=3)
refuses(4, "$.instructions[0]: 4 was given; allowed: object", status=3)
for document_text, text in (('{"schema":"opendve.lower/2","instructions":[]}', "$.schema: "), ('{"instructions":[]}', "$.schema: missing"),
                            ('{"schema":"opendve.lower/1"}', "$.instructions: missing"), ("[]", "$: array was given"),
                            ('{"schema":"opendve.lower/1","instructions":[],"gen":3}', 'no member "gen"')):
    refuses(4, text, status=3)
    with open(refused[-1][0] + ".json", "w") as f:
        f.write(document_text)

# ---- several at a time ----
one_row = op("Gather", data=ap(0, 512), indices=ap(0x4000, 16, "uint32"), dst=ap(0x5000, 16))
document("search", op("Max", data=data, maxvals=vals), op("MatchReplace", maxvals=vals, data=data, dst=data, imm="-inf"),
         op("Max", data=data, maxvals=vals), op("MaxIndex", maxvals=vals, data=data, indices=ap(0x2020, 8, "uint32")), one_row)
document("nothing")
document("fp8", op("Memset", dst=ap(0, 64, "fp8_e5m2"), value=1e9))
document("several", op("Max", data=data, maxvals=ap(0x2000, 7)), rs,
         op("Max", data=ap(2, 1024, partition=3), maxvals=ap(0x2002, 8)), {**rs, "fill": 0})
with open("accepted", "w") as f:
    f.writelines(f"{name} {gen}\n" for name, gen in accepted)
with open("refused", "w") as f:
    f.writelines("\t".join(row) + "\n" for row in refused)
