#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Hand-laid vectors.  Every record below is typed field by field from the layout tables; nothing here calls the oracle.

R(opcode, (offset, "hex"), ...) only places the bytes.  Numbers are little-endian in the hex text.
"""

def R(opcode, *fields):
    b = bytearray(64)
    b[0], b[1] = opcode, 0x10
    for at, text in fields:
        data = bytes.fromhex(text.replace("|", " "))
        assert not any(b[at:at + len(data)]) and at + len(data) <= 64, (hex(opcode), at)
        b[at:at + len(data)] = data
    return bytes(b).hex()


def sb(offset, dtype, pattern, partition=0, **more):
    return dict({"space": "sbuf", "partition": partition, "offset": offset, "dtype": dtype, "pattern": pattern}, **more)


def ps(offset, dtype, pattern, partition=0, **more):
    return dict(sb(offset, dtype, pattern, partition, **more), space="psum")


CASES = []


def case(name, gen, comment, instructions, records=None, exit=None, also=None, says=None):
    if isinstance(instructions, dict):
        instructions = [instructions]
    c = {"name": name, "gen": gen, "comment": comment,
         "spec": {"schema": "opendve.lower/1", "instructions": instructions}}
    if records is not None:
        c["records"] = records
    else:
        c["exit"] = exit
    if also:
        c["also"] = also
    if says:
        c["says"] = says
    CASES.append(c)


# patterns used often: 4-D and 2-D of 512, 64 and 8 elements, step 1
D512 = "0100 0100 0100 0100 | 0002 0100 0100 0100"
D64 = "0100 0100 0100 0100 | 4000 0100 0100 0100"
D64_3 = "0100 0100 0100 | 4000 0100 0100"
D64_2 = "0100 0100 | 4000 0100"
D8_2 = "0100 0100 | 0800 0100"
MAX64 = {"op": "Max", "channels": 128, "data": sb(0, "fp32", [[1, 64]]), "maxvals": sb(4096, "fp32", [[1, 8]])}


def changed(base, /, **members):
    out = dict(base)
    for k, v in members.items():
        if v is None:
            out.pop(k)
        else:
            out[k] = v
    return out


# ------------------------------------------------------------------ Max
case("max", 3, "lowering 2.1, 2.2: dst at its last element 0x1000 + 7*4, step -1, spare dimension step 0 count 1; other spares 1, 1",
     {"op": "Max", "channels": 128, "data": sb(0, "fp32", [[1, 512]]), "maxvals": sb(4096, "fp32", [[1, 8]])},
     [R(0x6c, (12, "00000000" + D512), (32, "0a 0a 80"), (48, "1c100000 ffff 0000 | 0800 0100"))])
case("max_step2_bf16_upper_half", 3, "lowering 2.2: step -2 in elements of dst's dtype: 0x01000200 + 7*2*2 = 0x0100021c; R13: 64 channels from partition 64",
     {"op": "Max", "channels": 64, "data": sb(0, "fp32", [[1, 512]], 64), "maxvals": sb(512, "bf16", [[2, 8]], 64)},
     [R(0x6c, (12, "00000001" + D512), (32, "0a 06 40"), (48, "1c020001 feff 0000 | 0800 0100"))])
case("max_zero_step", 3, "lowering 2.2: a step of 0 stays 0 with the base unchanged",
     changed(MAX64, maxvals=sb(4096, "fp32", [[0, 8]])),
     [R(0x6c, (12, "00000000" + D64), (32, "0a 0a 80"), (48, "00100000 0000 0000 | 0800 0100"))])
case("max_negative_step_turns_positive", 3, "lowering 2.2: step -1 from offset 0x101c: last element at 0x1000, step +1",
     changed(MAX64, maxvals=sb(4124, "fp32", [[-1, 8]])),
     [R(0x6c, (12, "00000000" + D64), (32, "0a 0a 80"), (48, "00100000 0100 0000 | 0800 0100"))])
case("max_unit_axes", 3, "lowering 1 (AP): axes of count 1 go with their step; contiguous axes are not merged; also before reversing",
     changed(MAX64, data=sb(0, "fp32", [[9, 1], [1, 4], [4, 16]]), maxvals=sb(4096, "fp32", [[5, 1], [1, 8]])),
     [R(0x6c, (12, "00000000 0100 0400 0100 0100 | 0400 1000 0100 0100"), (32, "0a 0a 80"),
        (48, "1c100000 ffff 0000 | 0800 0100"))])
case("max_psum", 3, "operands 2.2: PSUM is 0x2000000 + partition * 0x8000; fp32 may be written there: 0x2000100 + 28",
     changed(MAX64, data=ps(0, "bf16", [[1, 64]]), maxvals=ps(256, "fp32", [[1, 8]])),
     [R(0x6c, (12, "00000002" + D64), (32, "06 0a 80"), (48, "1c010002 ffff 0000 | 0800 0100"))])
case("max_compiler_dtypes", 4, "lowering 1 (dtype): compiler name and ordinal; operands 4.2: 13 = float16 = 07, 17 = float32r = 0b",
     changed(MAX64, data=sb(0, 13, [[1, 64]]), maxvals=sb(4096, "float32r", [[1, 8]])),
     [R(0x6c, (12, "00000000" + D64), (32, "07 0b 80"), (48, "1c100000 ffff 0000 | 0800 0100"))])

# ------------------------------------------------------------------ MaxIndex
case("max_index", 3, "R3, lowering 2.1, 2.2: 6d with step -1 and spare 0,1; 6e's dst as written, spare 1,1; byte 33 of 6d is never written",
     {"op": "MaxIndex", "channels": 128, "maxvals": sb(4096, "fp32", [[1, 8]]), "data": sb(0, "fp32", [[1, 512]]),
      "indices": sb(8192, "uint32", [[1, 8]])},
     [R(0x6d, (16, "1c100000 ffff 0000 | 0800 0100"), (32, "0a"), (34, "80")),
      R(0x6e, (12, "00000000" + D512), (32, "0a 09 80"), (48, "00200000" + D8_2))])
case("max_index_broadcast_key", 3, "semantics 10, lowering 2.2: one key for all eight by step 0: minus zero is zero, the base stays",
     {"op": "MaxIndex", "channels": 32, "maxvals": sb(4096, "fp32", [[0, 8]], 96), "data": sb(0, "fp32", [[1, 64]], 96),
      "indices": sb(8192, "uint16", [[1, 8]], 96)},
     [R(0x6d, (16, "00108001 0000 0000 | 0800 0100"), (32, "0a"), (34, "20")),
      R(0x6e, (12, "00008001" + D64), (32, "0a 05 20"), (48, "00208001" + D8_2))])
case("max_index_bf16", 2, "seed 001 (MatchValueLoad has no out dtype): byte 32 is the keys' dtype, byte 33 stays 0; 0x1000 + 7*2",
     {"op": "MaxIndex", "channels": 128, "maxvals": sb(4096, "bf16", [[1, 8]]), "data": sb(0, "fp16", [[1, 64]]),
      "indices": sb(8192, "uint32", [[1, 8]])},
     [R(0x6d, (16, "0e100000 ffff 0000 | 0800 0100"), (32, "06"), (34, "80")),
      R(0x6e, (12, "00000000" + D64), (32, "07 09 80"), (48, "00200000" + D8_2))])
case("max_index_indices_2x4", 3, "lowering 1 (Rank): other slots need only fit; no spare is left in the 2-D dst",
     {"op": "MaxIndex", "channels": 128, "maxvals": sb(4096, "fp32", [[1, 8]]), "data": sb(0, "fp32", [[1, 64]]),
      "indices": sb(8192, "uint32", [[1, 4], [16, 2], [3, 1]])},
     [R(0x6d, (16, "1c100000 ffff 0000 | 0800 0100"), (32, "0a"), (34, "80")),
      R(0x6e, (12, "00000000" + D64), (32, "0a 09 80"), (48, "00200000 0100 1000 | 0400 0200"))])

# ------------------------------------------------------------------ MatchReplace
MR = {"op": "MatchReplace", "channels": 128, "maxvals": sb(4096, "fp32", [[1, 8]]), "data": sb(0, "fp32", [[1, 64]]),
      "dst": sb(8192, "fp32", [[1, 64]]), "imm": "-inf"}
KEYS = R(0x6d, (16, "00100000" + D8_2), (32, "0a"), (34, "80"))
case("match_replace", 3, "R3, lowering 2.1, 2.2: the key load packs as written, spare 1,1; -inf at 40 is 0xff800000",
     MR, [KEYS, R(0x6f, (12, "00000000" + D64), (32, "0a 0a 80"), (40, "000080ff"), (44, "00200000" + D64))])
case("match_replace_keys_4x2", 3, "lowering 2.2: MatchReplace's key load packs as written, so two axes are fine",
     changed(MR, maxvals=sb(4096, "fp32", [[1, 2], [4, 4]])),
     [R(0x6d, (16, "00100000 0100 0400 | 0200 0400"), (32, "0a"), (34, "80")),
      R(0x6f, (12, "00000000" + D64), (32, "0a 0a 80"), (40, "000080ff"), (44, "00200000" + D64))])
case("match_replace_minus_one", 3, "seed 001 (two sentinels): the replace value is fp32, -1 is 0xbf800000; an integer and -1.0 are the same number (lowering 1, Scalars)",
     [changed(MR, imm=-1), changed(MR, imm=-1.0)],
     [KEYS, R(0x6f, (12, "00000000" + D64), (32, "0a 0a 80"), (40, "000080bf"), (44, "00200000" + D64))] * 2)
case("match_replace_bits_in_place_bf16", 2, "lowering 1 (Scalars): bits is the raw word, NaN payload kept; in place is legal (hardware-facts 1)",
     changed(MR, data=sb(0, "bf16", [[1, 64]]), dst=sb(0, "bf16", [[1, 64]]), imm={"bits": "0x7f812345"}),
     [KEYS, R(0x6f, (12, "00000000" + D64), (32, "06 06 80"), (40, "4523817f"), (44, "00000000" + D64))])
case("match_replace_other_dtype", 3, "lowering 2.13: dst may have another dtype than data",
     changed(MR, dst=sb(8192, "bf16", [[1, 64]])),
     [KEYS, R(0x6f, (12, "00000000" + D64), (32, "0a 06 80"), (40, "000080ff"), (44, "00200000" + D64))])
case("match_replace_of_7", 3, "lowering 2.13: fewer than 8 data elements is refused although the record would be legal",
     changed(MR, data=sb(0, "fp32", [[1, 7]]), dst=sb(8192, "fp32", [[1, 7]])), exit=1)

# ------------------------------------------------------------------ MaxIndexAndMatchReplace
MIMR = changed(MR, op="MaxIndexAndMatchReplace", indices=sb(12288, "uint32", [[1, 8]]))
case("max_index_and_match_replace", 3, "R4, lowering 2.1, 2.2: 6d 6f e9; e9 counts 8, its dst reversed from 0x3000 + 28, spares 1,1 (only Max and MaxIndex have 0,1)",
     MIMR, [KEYS, R(0x6f, (12, "00000000" + D64), (32, "0a 0a 80"), (40, "000080ff"), (44, "00200000" + D64)),
            R(0xe9, (28, "08000000"), (32, "09"), (34, "80"), (44, "1c300000 ffff 0100 0100 0100 | 0800 0100 0100 0100"))])
case("max_index_and_match_replace_u16_step", 5, "lowering 2.2: step 3 of uint16: 0x3000 + 7*3*2 = 0x302a, step -3 = fdff",
     changed(MIMR, indices=sb(12288, "uint16", [[3, 8]])),
     [KEYS, R(0x6f, (12, "00000000" + D64), (32, "0a 0a 80"), (40, "000080ff"), (44, "00200000" + D64)),
      R(0xe9, (28, "08000000"), (32, "05"), (34, "80"), (44, "2a300000 fdff 0100 0100 0100 | 0800 0100 0100 0100"))])
case("max_index_and_match_replace_gen2", 2, "R4, lowering 3: gen2 has no such form; the message names both instructions",
     MIMR, exit=1, says=["find_index8", "match_replace8"])
case("indices_not_one_axis", 3, "lowering 2.2: anything but one axis of 8 is refused for e9's dst",
     changed(MIMR, indices=sb(12288, "uint32", [[1, 2], [2, 4]])), exit=1)

# ------------------------------------------------------------------ shuffle, transpose, copy
SH = {"op": "StreamShuffle", "channels": 128, "src": sb(0, "fp32", [[1, 64]]), "dst": sb(4096, "fp32", [[1, 64]]),
      "mask": [31] + list(range(31))}
case("shuffle_rotate", 3, "lowering 2.3, semantics 3.2: mask bytes from 32, nothing else in the record; then 6a with op, op_dim, mask_enable 0",
     SH, [R(0x69, (32, "1f 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e")),
          R(0x6a, (12, "00000000" + D64), (32, "0a 0a 80"), (44, "00100000" + D64))])
case("shuffle_keep", 3, "R24, lowering 2.3: 255 becomes 0x20, which is not the number of channels | 0x20 and not 255",
     changed(SH, mask=[0] * 4 + [255] * 28),
     [R(0x69, (36, "20" * 28)), R(0x6a, (12, "00000000" + D64), (32, "0a 0a 80"), (44, "00100000" + D64))])
case("shuffle_20_channels", 3, "lowering 2.3: 6a on channels rounded up to 32, from another quadrant into the first",
     changed(SH, channels=20, mask=[5] * 32, src=sb(0, "int8", [[1, 64]], 32), dst=sb(4096, "int8", [[1, 64]])),
     [R(0x69, (32, "05" * 32)), R(0x6a, (12, "00008000" + D64), (32, "02 02 20"), (44, "00100000" + D64))])
TR = {"op": "StreamTranspose", "channels": 64, "src": sb(0, "fp32", [[1, 64]]), "dst": sb(4096, "fp32", [[1, 64]])}
case("transpose_64", 3, "R24, lowering 2.4: a multiple of 32 is 6b alone with mask_enable 0",
     TR, [R(0x6b, (12, "00000000" + D64), (32, "0a 0a 40"), (44, "00100000" + D64))])
case("transpose_32_short_dst", 4, "R38, lowering 2.4: dst may be shorter; 32 counts as a multiple",
     changed(TR, channels=32, dst=sb(4096, "fp32", [[1, 20]])),
     [R(0x6b, (12, "00000000" + D64), (32, "0a 0a 20"), (44, "00100000 0100 0100 0100 0100 | 1400 0100 0100 0100"))])
case("transpose_20", 3, "lowering 2.4: 0x00 for lanes below `channels`, 0x20 above; byte 34 = 32, byte 38 = 1",
     changed(TR, channels=20),
     [R(0x69, (52, "20 20 20 20 20 20 20 20 20 20 20 20")),
      R(0x6b, (12, "00000000" + D64), (32, "0a 0a 20"), (38, "01"), (44, "00100000" + D64))])
case("transpose_1", 2, "lowering 2.4: one lane: 31 bytes of 0x20",
     changed(TR, channels=1),
     [R(0x69, (33, "20" * 31)), R(0x6b, (12, "00000000" + D64), (32, "0a 0a 20"), (38, "01"), (44, "00100000" + D64))])
case("transpose_40", 3, "lowering 2.4: 33..127 and no multiple of 32: refused, naming two instructions",
     changed(TR, channels=40), exit=1, says=["two"])
case("copy", 3, "lowering 2.5: equal compiler dtypes: 46", {"op": "TensorCopy", "channels": 128, "src": sb(0, "int32", [[1, 64]]),
     "dst": sb(4096, 15, [[1, 8], [8, 8]])},
     [R(0x46, (12, "00000000" + D64), (32, "08 08 80"), (44, "00100000 0100 0800 0100 0100 | 0800 0800 0100 0100"))])
case("cast", 3, "lowering 2.5: different dtypes: 47", {"op": "TensorCopy", "channels": 128, "src": sb(0, "fp32", [[1, 64]]),
     "dst": sb(4096, "uint8", [[1, 64]])},
     [R(0x47, (12, "00000000" + D64), (32, "0a 03 80"), (44, "00100000" + D64))])
case("cast_of_one_tag", 3, "lowering 2.5: the compiler dtypes differ, their wire tags (0e) agree: still 47",
     {"op": "TensorCopy", "channels": 128, "src": sb(0, "float8e4", [[1, 64]]), "dst": sb(4096, "float8_e4m3fn", [[1, 64]])},
     [R(0x47, (12, "00000000" + D64), (32, "0e 0e 80"), (44, "00100000" + D64))])
case("cast_fp4_gen2", 2, "operands 4.2: ordinal 2 is 05 before gen4; against uint16 (ordinal 10, also 05) it is a cast",
     {"op": "TensorCopy", "channels": 128, "src": sb(0, 2, [[1, 64]]), "dst": sb(4096, "uint16", [[1, 64]])},
     [R(0x47, (12, "00000000" + D64), (32, "05 05 80"), (44, "00100000" + D64))])
case("copy_reversed", 3, "operands 3.1: a negative step is written as it stands; the address is the first element visited",
     {"op": "TensorCopy", "channels": 128, "src": sb(252, "fp32", [[-1, 64]]), "dst": sb(4096, "fp32", [[1, 64]])},
     [R(0x46, (12, "fc000000 ffff 0100 0100 0100 | 4000 0100 0100 0100"), (32, "0a 0a 80"), (44, "00100000" + D64))])
case("copy_one_element", 3, "lowering 1 (AP): [] is one element: all dimensions step 1, count 1",
     {"op": "TensorCopy", "channels": 128, "src": sb(0, "fp32", []), "dst": sb(4096, "fp32", [[7, 1]])},
     [R(0x46, (12, "00000000 0100 0100 0100 0100 | 0100 0100 0100 0100"), (32, "0a 0a 80"),
        (44, "00100000 0100 0100 0100 0100 | 0100 0100 0100 0100"))])

# ------------------------------------------------------------------ accumulator family
TSC = {"op": "TensorScalarCache", "channels": 128, "mode": "Reduce", "src": sb(0, "bf16", [[1, 64]]),
       "dst": sb(4096, "fp32", [[1, 64]]), "op0": "mult", "op1": "add", "imm0": 2}
RES = sb(8192, "fp32", [])
DRAIN = R(0x9b, (28, "01000000"), (32, "0a"), (34, "80"), (44, "00200000 0100 0100"))
BODY = ((16, "00000000" + D64_3), (48, "00100000" + D64_3))
case("cache_reduce_result", 3, "lowering 2.9: accumulate absent with a result is ZeroAccumulate (3); 9b appended, one element, negated 0",
     changed(TSC, result=RES), [R(0x9a, (12, "03"), (32, "06 0a 80"), (36, "06 04"), (40, "00000040"), *BODY), DRAIN])
case("cache_idle_result", 3, "lowering 2.9: Idle (ordinal 0 here) with a result is ZeroAccumulate too",
     changed(TSC, result=RES, accumulate=0),
     [R(0x9a, (12, "03"), (32, "06 0a 80"), (36, "06 04"), (40, "00000040"), *BODY), DRAIN])
case("cache_scan_and_cumulative", 3, "lowering 2.9: Cumulative and Scan are e6 with the same bytes; AddAccumulate is wire 2 (lowering 1)",
     [changed(TSC, mode="Cumulative", accumulate="AddAccumulate"), changed(TSC, mode="Scan", accumulate=4)],
     [R(0xe6, (12, "02"), (32, "06 0a 80"), (36, "06 04"), (40, "00000040"), *BODY)] * 2)
case("cache_load", 3, "lowering 1, 2.9: LoadAccumulate is wire 4 and needs imm1, at 44; bits stay raw",
     changed(TSC, accumulate="LoadAccumulate", imm1={"bits": "0x80000000"}),
     [R(0x9a, (12, "04"), (32, "06 0a 80"), (36, "06 04"), (40, "00000040"), (44, "00000080"), *BODY)])
case("cache_load_ordinal_pointers", 4, "operands 5.2: ordinal 5 is wire 4; lowering 1: an AP is source 1, a register source 2",
     changed(TSC, accumulate=5, imm0=sb(12288, "fp32", []), imm1={"reg": 9}),
     [R(0x9a, (12, "04"), (32, "06 0a 80 01 06 04"), (39, "02"), (40, "00300000"), (44, "09000000"), *BODY)])
case("cache_operator_ordinals", 3, "semantics 1.1: ordinals 23 -> 15h (is_le), 20 -> 13h (is_gt), 29 -> 19h, 19 -> 18h; absolute_diff has no ordinal and is taken by name",
     [changed(TSC, op0=23, op1=8, accumulate=3), changed(TSC, op0=20, op1=9, accumulate=3), changed(TSC, op0=29, op1=5, accumulate=3),
      changed(TSC, op0=19, op1=6, accumulate=3), changed(TSC, op0="absolute_diff", op1="max", accumulate=3)],
     [R(0x9a, (12, "03"), (32, "06 0a 80"), (36, ops), (40, "00000040"), *BODY) for ops in ("15 08", "13 09", "19 05", "18 06", "17 08")])
case("cache_operator_30_gen4", 4, "semantics 1.1: gen4 adds 30 -> 20h (abs_max), 31 -> 21h",
     [changed(TSC, op0=30, accumulate=3), changed(TSC, op0=31, accumulate=3)],
     [R(0x9a, (12, "03"), (32, "06 0a 80"), (36, ops), (40, "00000040"), *BODY) for ops in ("20 04", "21 04")])
case("cache_operator_30_gen3", 3, "semantics 1.1: 30 has no wire code before gen4", changed(TSC, op0=30, accumulate=3), exit=1)
case("cache_accumulate", 3, "lowering 1 (accumulate): the compiler's own Accumulate has no wire form; hint AddAccumulate",
     changed(TSC, accumulate="Accumulate"), exit=1, says=["AddAccumulate"])
case("cache_accumulate_ordinal_2", 3, "the same by its ordinal 2", changed(TSC, accumulate=2), exit=1, says=["AddAccumulate"])
case("cache_idle_without_result", 3, "lowering 2.9: Idle without a result is refused", changed(TSC, accumulate="Idle"), exit=1)
case("cache_imm1_without_load", 3, "lowering 2.9: imm1 if and only if LoadAccumulate", changed(TSC, accumulate=3, imm1=0), exit=1)
case("cache_zero_command", 3, "semantics 1.1: Zero has a wire code but the record rejects it", changed(TSC, accumulate="Zero"), exit=1)
case("read_accumulator_negated", 2, "semantics 1.4: count 1 at 28, negated at 33, TENSOR1D at 44",
     {"op": "DveReadAccumulator", "channels": 33, "dst": ps(16, "fp32", [[1, 1]], 64), "negated": True},
     [R(0x9b, (28, "01000000"), (32, "0a 01 21"), (44, "10002002 0100 0100"))])

# ------------------------------------------------------------------ predication
CP = {"op": "CopyPredicated", "channels": 128, "pred": sb(0, "uint8", [[1, 64]]), "src": sb(4096, "fp32", [[1, 64]]),
      "dst": sb(8192, "fp32", [[1, 64]])}
SLOTS = ((16, "00000000" + D64_3), (32, "00100000" + D64_3), (48, "00200000" + D64_3))
case("copy_predicated", 3, "lowering 2.7, semantics 4.5: low nibble predicate 3, high nibble data a; op Bypass; channels at 15",
     CP, [R(0x72, (12, "a3 0a 00 80"), *SLOTS)])
case("cast_predicated", 3, "lowering 2.7: dtypes differ: 99", changed(CP, dst=sb(8192, "fp16", [[1, 64]])),
     [R(0x99, (12, "a3 07 00 80"), *SLOTS)])
case("copy_predicated_scalar", 3, "lowering 2.7, semantics 4.6: e8 with reversed_pred 1, both dtypes dst's, 2.5 in bf16 = 0x4020 (upper half zero, R29)",
     changed(CP, src=2.5, dst=sb(8192, "bf16", [[1, 64]])),
     [R(0xe8, (16, "00000000" + D64_3), (32, "03 01 80"), (41, "06 06 00"), (44, "20400000"), (48, "00200000" + D64_3))])
case("copy_predicated_scalar_int", 3, "lowering 1 (Scalars), R9: 2.5 in int8 rounds to even: 2; register source 2 at 43",
     [changed(CP, src=2.5, dst=sb(8192, "int8", [[1, 64]])), changed(CP, src={"reg": 63}, dst=sb(8192, "int8", [[1, 64]]))],
     [R(0xe8, (16, "00000000" + D64_3), (32, "03 01 80"), (41, "02 02 00"), (44, "02000000"), (48, "00200000" + D64_3)),
      R(0xe8, (16, "00000000" + D64_3), (32, "03 01 80"), (41, "02 02 02"), (44, "3f000000"), (48, "00200000" + D64_3))])
SR = changed(CP, reduce_op="max", imm0=-1)
SR_SLOTS = ((12, "00000000" + D64_2), (24, "00100000" + D64_2), (48, "00200000" + D64_2), (60, "000080bf"))
case("select_reduce", 3, "lowering 2.7, semantics 1.2: op0 0, op1 8, imm0_dtype 0a at 43, accumulate absent without a result: Idle",
     SR, [R(0xea, (37, "08"), (40, "a3 0a 80 0a"), *SR_SLOTS)])
case("select_reduce_reverse_result", 2, "lowering 2.7 (A): byte 38 = reverse; absent with a result: ZeroAccumulate; 9b appended",
     changed(SR, reverse=True, result=sb(12288, "fp32", [])),
     [R(0xea, (37, "08 01"), (40, "a3 0a 80 0a 03"), *SR_SLOTS),
      R(0x9b, (28, "01000000"), (32, "0a"), (34, "80"), (44, "00300000 0100 0100"))])
case("select_reduce_add", 4, "operands 5.2: AddAccumulate is wire 2; reduce_op by ordinal 8; predicate int16 (4), data fp8 (f)",
     changed(SR, reduce_op=8, accumulate="AddAccumulate", pred=sb(0, "int16", [[1, 64]]), src=sb(4096, "float8e5", [[1, 64]])),
     [R(0xea, (37, "08"), (40, "f4 0a 80 0a 02"), *SR_SLOTS)])
SEL = {"op": "Select", "channels": 128, "pred": sb(0, "uint8", [[1, 64]]), "on_true": sb(4096, "fp32", [[1, 64]]),
       "on_false": sb(8192, "fp32", [[1, 64]]), "dst": sb(12288, "fp32", [[1, 64]])}
case("select", 3, "lowering 2.6: on_false into dst by 46, then on_true under pred by 72",
     SEL, [R(0x46, (12, "00200000" + D64), (32, "0a 0a 80"), (44, "00300000" + D64)),
           R(0x72, (12, "a3 0a 00 80"), (16, "00000000" + D64_3), (32, "00100000" + D64_3), (48, "00300000" + D64_3))])
case("select_casts", 3, "lowering 2.6: 47 and 99 where dtypes differ",
     changed(SEL, on_true=sb(4096, "bf16", [[1, 64]]), on_false=sb(8192, "int8", [[1, 64]])),
     [R(0x47, (12, "00200000" + D64), (32, "02 0a 80"), (44, "00300000" + D64)),
      R(0x99, (12, "63 0a 00 80"), (16, "00000000" + D64_3), (32, "00100000" + D64_3), (48, "00300000" + D64_3))])
case("select_scalars", 3, "lowering 2.6: scalar on_false is 49 (count at 28), scalar on_true is e8 with reversed_pred 1; both in dst's dtype fp16",
     changed(SEL, on_true=1, on_false=-2, dst=sb(12288, "fp16", [[1, 64]])),
     [R(0x49, (28, "40000000"), (32, "07"), (34, "80"), (40, "00c00000"), (44, "00300000" + D64)),
      R(0xe8, (16, "00000000" + D64_3), (32, "03 01 80"), (41, "07 07 00"), (44, "003c0000"), (48, "00300000" + D64_3))])
case("select_onto_pred", 3, "lowering 2.6: dst overlapping pred is refused", changed(SEL, dst=sb(60, "fp32", [[1, 64]])), exit=1)
case("select_onto_on_true", 3, "lowering 2.6: dst overlapping on_true is refused, the same tile too",
     changed(SEL, dst=sb(4096, "fp32", [[1, 64]])), exit=1)
case("select_in_place_on_false", 3, "lowering 2.6 refuses pred and on_true only: dst may be on_false itself",
     changed(SEL, dst=sb(8192, "fp32", [[1, 64]])),
     [R(0x46, (12, "00200000" + D64), (32, "0a 0a 80"), (44, "00200000" + D64)),
      R(0x72, (12, "a3 0a 00 80"), (16, "00000000" + D64_3), (32, "00100000" + D64_3), (48, "00200000" + D64_3))])

# ------------------------------------------------------------------ RangeSelect, Memset
RS = {"op": "RangeSelect", "channels": 128, "src": sb(0, "fp32", [[1, 64]]), "dst": sb(4096, "bf16", [[1, 64]]), "base": 1000,
      "comp_op0": "is_ge", "comp_op1": "is_lt", "bound0": 3, "bound1": "inf"}
case("range_select", 3, "lowering 2.8, semantics 4.4: base as fp32 0x447a0000, fill 0xff7fffff, byte 15 = 8, cmd Idle; pair low in, high out",
     RS, [R(0xbc, (12, "80 6a 00 08"), (16, "00007a44 ffff7fff"), (24, "00000000" + D64_2), (36, "14 16 00 00"),
            (40, "00004040 0000807f"), (48, "00100000" + D64_2))])
case("range_select_pointers_result", 4, "lowering 2.7, 2.8: result: ZeroAccumulate and 9b; pointer bounds: sources 1 at 38 and 39; fill may be given",
     changed(RS, bound0=sb(12288, "fp32", []), bound1=sb(12292, "fp32", []), result=sb(8192, "fp32", []),
             fill={"bits": "0xff7fffff"}, base=16777152),
     [R(0xbc, (12, "80 6a 03 08"), (16, "c0ff7f4b ffff7fff"), (24, "00000000" + D64_2), (36, "14 16 01 01"),
        (40, "00300000 04300000"), (48, "00100000" + D64_2)), DRAIN])
case("range_select_gen2", 2, "lowering 3: the message names the first generation that has it", RS, exit=1, says=["gen3"])
case("range_select_fill", 3, "lowering 2.8: a fill other than -FLT_MAX is refused", changed(RS, fill="-inf"), exit=1)
case("range_select_base_past", 3, "R36: base + count <= 2^24", changed(RS, base=16777153), exit=1)
MS = {"op": "Memset", "channels": 128, "dst": sb(4096, "fp32", [[1, 64]]), "value": 1}
case("memset_dtypes", 3, "lowering 1 (Scalars), R9: 1.0 in fp32, fp16, int16; 300 in e4m3 overflows to infinity 0x78; nan in bf16 0x7fc0",
     [MS, changed(MS, dst=sb(4096, "fp16", [[1, 64]])), changed(MS, dst=sb(4096, "int16", [[1, 64]])),
      changed(MS, dst=sb(4096, "fp8_e4m3", [[1, 64]]), value=300), changed(MS, dst=sb(4096, "bf16", [[1, 64]]), value="nan")],
     [R(0x49, (28, "40000000"), (32, d), (34, "80"), (40, v), (44, "00100000" + D64))
      for d, v in (("0a", "0000803f"), ("07", "003c0000"), ("04", "01000000"), ("0e", "78000000"), ("06", "c07f0000"))])
case("memset_saturates", 3, "R9: fp32 to integer saturates: 300 in uint8 is 255, -1 in uint8 is 0, -inf in int8 is -128",
     [changed(MS, dst=sb(4096, "uint8", [[1, 64]]), value=300), changed(MS, dst=sb(4096, "uint8", [[1, 64]]), value=-1),
      changed(MS, dst=sb(4096, "int8", [[1, 64]]), value="-inf")],
     [R(0x49, (28, "40000000"), (32, d), (34, "80"), (40, v), (44, "00100000" + D64))
      for d, v in (("03", "ff000000"), ("03", "00000000"), ("02", "80000000"))])
case("memset_fp32r", 3, "R9 (A): FP32R keeps 11 mantissa bits: 1.1 = 0x3f8ccccd -> 0x3f8cd000",
     changed(MS, dst=sb(4096, "fp32r", [[1, 64]]), value=1.1),
     [R(0x49, (28, "40000000"), (32, "0b"), (34, "80"), (40, "00d08c3f"), (44, "00100000" + D64))])
case("memset_random", 2, "semantics 4.7: Random is 4d, value field 0", changed(MS, dst=sb(4096, "uint32", [[1, 64]]), value=0, mode="Random"),
     [R(0x4d, (28, "40000000"), (32, "09"), (34, "80"), (44, "00100000" + D64))])
case("memset_bits_too_wide", 3, "R29, semantics 4.7: the upper half of a 16-bit value is zero, a rule of the record",
     changed(MS, dst=sb(4096, "bf16", [[1, 64]]), value={"bits": "0x13f80"}), exit=1)

# ------------------------------------------------------------------ pool engine
GA = {"op": "Gather", "channels": 128, "data": sb(0, "fp32", [[1, 1000]]), "indices": sb(8192, "uint32", [[1, 8]]),
      "dst": sb(12288, "fp32", [[1, 8]])}
D8 = "0100 0100 0100 0100 | 0800 0100 0100 0100"


def chunk(address, step, count, start, first, dtype="0a"):
    return [R(0x67, (12, address + step + "0100 0100 0100 | " + count + "0100 0100 0100"), (32, dtype), (34, "80"),
              (40, start), (44, "ff010000")),
            R(0x68, (12, "00200000" + D8), (32, "09 " + dtype + " 80"), (36, "00" if first else "01"), (44, "00300000" + D8))]


case("gather_two_chunks", 3, "lowering 2.10: start_index 512 c, mask 0x1ff; second chunk at 512*4 = 0x800 with 1000-512 = 0x1e8; miss 0, then 1",
     GA, chunk("00000000", "0100", "0002", "00000000", True) + chunk("00080000", "0100", "e801", "00020000", False))
case("gather_one_chunk", 2, "lowering 2.10: exactly 512 elements are one chunk",
     changed(GA, data=sb(0, "fp32", [[1, 512]])), chunk("00000000", "0100", "0002", "00000000", True))
case("gather_step", 3, "lowering 2.10: the step is kept: chunk 1 at 512*2*2 = 0x800 for bf16 with step 2",
     changed(GA, data=sb(0, "bf16", [[2, 600]]), dst=sb(12288, "bf16", [[1, 8]])),
     chunk("00000000", "0200", "0002", "00000000", True, "06") + chunk("00080000", "0200", "5800", "00020000", False, "06"))
case("gather_513", 3, "lowering 2.10: the last chunk has the rest: one element at 0x800",
     changed(GA, data=sb(0, "fp32", [[1, 513]])),
     chunk("00000000", "0100", "0002", "00000000", True) + chunk("00080000", "0100", "0100", "00020000", False))
case("gather_dtype_differs", 3, "lowering 2.10: dst has data's dtype", changed(GA, dst=sb(12288, "int32", [[1, 8]])), exit=1)
case("gather_two_axes", 3, "lowering 2.10: data has one axis longer than 1", changed(GA, data=sb(0, "fp32", [[1, 50], [50, 20]])), exit=1)
case("indirect_copy", 3, "lowering 2.11, semantics 4.2: index word with bit 29, data word, num_elem = 64 of dst at 20, bytes 22..31 zero, per-index at 35, buffer 200 at 38",
     {"op": "IndirectCopy", "channels": 32, "data": sb(0, "fp16", [[1, 200]], 32), "indices": sb(8192, "uint16", [[1, 2]], 32),
      "dst": sb(4096, "fp16", [[1, 64]], 32), "elements_per_index": 2},
     [R(0xe7, (12, "00208020 00008000 4000"), (32, "07 07 20 02 00"), (38, "c800"), (44, "00108000" + D64))])
NZ = {"op": "NonzeroWithCount", "channels": 16, "src": sb(0, "fp32", [[1, 8]], 16), "dst": sb(4096, "int32", [[1, 9]], 16),
      "index_offset": 16, "padding_val": -1}
case("nonzero_padding", 3, "seed 001 (two sentinels): padding -1 is the int32 0xffffffff at 40; offset 16 at 32; bytes 15 and 36 zero",
     NZ, [R(0xf2, (12, "10 0a 08 00"), (16, "00004000 0100 0100 0100 | 0800 0100 0100"), (32, "10000000"), (40, "ffffffff"),
            (44, "00104000 0100 0100 0100 | 0900 0100 0100"))])
case("nonzero_float_spelling", 5, "lowering 1 (Scalars): 16.0 is the number 16",
     changed(NZ, index_offset=16.0, padding_val=-1.0),
     [R(0xf2, (12, "10 0a 08 00"), (16, "00004000 0100 0100 0100 | 0800 0100 0100"), (32, "10000000"), (40, "ffffffff"),
        (44, "00104000 0100 0100 0100 | 0900 0100 0100"))])
case("nonzero_gen2", 2, "lowering 3, semantics 4.1: gen3 and later", NZ, exit=1, says=["gen3"])

# ------------------------------------------------------------------ refusals and language
case("partition_counts_differ", 3, "lowering 1 (AP): a differing `channels` is refused", changed(MAX64, data=sb(0, "fp32", [[1, 64]], channels=64)), exit=1)
case("partition_count_given", 3, "lowering 1 (AP): the same `channels` is fine", changed(MAX64, data=sb(0, "fp32", [[1, 64]], channels=128)),
     [R(0x6c, (12, "00000000" + D64), (32, "0a 0a 80"), (48, "1c100000 ffff 0000 | 0800 0100"))])
case("rank_as_written", 3, "lowering 1 (Rank): pairs count as written, unit axes included: 5 pairs + 1 > 5",
     changed(MAX64, data=sb(0, "fp32", [[1, 64], [1, 1], [1, 1], [1, 1], [1, 1]])), exit=1)
case("rank_of_maxvals", 3, "lowering 1 (Rank): maxvals at most 3", changed(MAX64, maxvals=sb(4096, "fp32", [[1, 8], [1, 1], [1, 1]])), exit=1)
case("rank_of_other_slots", 3, "lowering 1 (Rank): other slots count axes longer than 1 only: six pairs, one axis",
     {"op": "TensorCopy", "channels": 128, "src": sb(0, "fp32", [[1, 64]]),
      "dst": sb(4096, "fp32", [[1, 1], [1, 64], [2, 1], [3, 1], [4, 1], [5, 1]])},
     [R(0x46, (12, "00000000" + D64), (32, "0a 0a 80"), (44, "00100000" + D64))])
case("indirect_max", 4, "semantics 2.3: no indirect Max8 source", changed(MAX64, data=sb(0, "fp32", [[1, 64]], indirect=sb(8192, "uint32", [[1, 64]]))), exit=1)
case("step_outside_int16", 3, "lowering 1 (AP): step in int16, else a refusal", changed(MAX64, data=sb(0, "fp32", [[32768, 8]])), exit=1)
case("step_minus_32768_reversed", 3, "lowering 2.2: the negated step must fit int16", changed(MAX64, maxvals=sb(229368, "int8", [[-32768, 8]])), exit=1)
case("fp4_in_a_pair", 4, "lowering 1 (dtype): a tag of 0x10 in a field of two dtypes is refused", changed(CP, src=sb(4096, 2, [[1, 64]]), dst=sb(8192, 2, [[1, 64]])), exit=1)
case("second_instruction_refused", 3, "lowering 3: a refusal anywhere leaves no file", [MAX64, changed(MAX64, data=sb(0, "fp32", [[1, 7]]))], exit=1)
case("psum_narrow", 3, "R13: a write into PSUM needs a 4-byte dtype; a broken rule is exit 1, no file", changed(MAX64, maxvals=ps(0, "bf16", [[1, 8]])), exit=1)
case("walk_past_the_end", 2, "R12, R31: the assumption rule counts: gen2 has 192 KiB", changed(MAX64, data=sb(196608 - 252, "fp32", [[1, 64]])), exit=1)
case("walk_to_the_end", 2, "R12: exactly up to the end is fine: 0x2ff00", changed(MAX64, data=sb(196608 - 256, "fp32", [[1, 64]])),
     [R(0x6c, (12, "00ff0200" + D64), (32, "0a 0a 80"), (48, "1c100000 ffff 0000 | 0800 0100"))])
case("unknown_op", 3, "lowering 3: not the SPEC language", {"op": "Maximum", "channels": 128}, exit=3)
case("unknown_member", 3, "lowering 1: no other member", changed(MAX64, note="x"), exit=3)
case("missing_member", 3, "lowering 3: missing", changed(MAX64, maxvals=None), exit=3)
case("ill_typed_member", 3, "lowering 3: ill-typed", changed(MAX64, data="scores"), exit=3)
case("two_engines", 3, "lowering 3: emission order is kept over engines", [changed(GA, data=sb(0, "fp32", [[1, 512]])), MAX64],
     chunk("00000000", "0100", "0002", "00000000", True) +
     [R(0x6c, (12, "00000000" + D64), (32, "0a 0a 80"), (48, "1c100000 ffff 0000 | 0800 0100"))])

if __name__ == "__main__":
    names = [c["name"] for c in CASES]
    assert len(set(names)) == len(names)
    print(len(CASES), "cases,", sum("records" in c for c in CASES), "with records,", sum(len(c.get("records", ())) for c in CASES), "records")
