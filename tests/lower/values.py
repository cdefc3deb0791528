# SPDX-License-Identifier: Apache-2.0
"""Element types: names, sizes and bit-exact conversions through fp32 (rulings R9, R32; operands.md 4.1 to 4.4).

Bit patterns travel in numpy uint32 arrays, whatever the width of the element.
"""
import numpy as np

I8, U8, I16, U16, BF16, FP16, I32, U32, FP32, FP32R = 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
E3M4, E4M3, E5M2 = 13, 14, 15
SIZE = {1: 8, I8: 1, U8: 1, I16: 2, U16: 2, BF16: 2, FP16: 2, I32: 4, U32: 4, FP32: 4, FP32R: 4, 12: 8,
        E3M4: 1, E4M3: 1, E5M2: 1, 0x10: 1}
INTS = (I8, U8, I16, U16, I32, U32)
FLOATS = (E3M4, E4M3, E5M2, BF16, FP16, FP32)
RANGE = {I8: (-128, 127), U8: (0, 255), I16: (-32768, 32767), U16: (0, 65535), I32: (-2**31, 2**31 - 1), U32: (0, 2**32 - 1)}

# ours -> compiler ordinal.  The first ordinal with that wire tag: fp8_e4m3 is float8e4, uint8 is uint8.
OURS = {"uint8": 0, "int8": 1, "fp8_e3m4": 3, "fp8_e4m3": 4, "fp8_e5m2": 7, "uint16": 10, "int16": 11, "bf16": 12,
        "fp16": 13, "uint32": 14, "int32": 15, "fp32": 16, "fp32r": 17}
COMPILER = ["uint8", "int8", "float4_e2m1fn_x4", "float8e3", "float8e4", "float8_e4m3fn", "float8_e8m0fnu", "float8e5",
            "float8_e4m3fn_x4", "float8_e5m2_x4", "uint16", "int16", "bfloat16", "float16", "uint32", "int32",
            "float32", "float32r", "uint64", "int64"]
_OLD = bytes.fromhex("0302050d0e0e030f0e0f05040607090 80a0b010c".replace(" ", ""))
WIRE = {2: _OLD, 3: _OLD, 4: _OLD[:2] + b"\x10" + _OLD[3:]}
WIRE[5] = WIRE[4]

QNAN, INF, SIGN = 0x7fc00000, 0x7f800000, 0x80000000

# name -> (total bits, fraction bits, bias, first code past the finite ones, quiet NaN)
_SMALL = {BF16: (16, 7, 127, 0x7f80, 0x7fc0), FP16: (16, 10, 15, 0x7c00, 0x7e00), E3M4: (8, 4, 3, 0x70, 0x78),
          E4M3: (8, 3, 7, 0x78, 0x7c), E5M2: (8, 2, 15, 0x7c, 0x7e)}


def _magnitudes(dtype):
    _, fraction, bias, past, _ = _SMALL[dtype]
    code = np.arange(past + 1)
    exponent, mantissa = code >> fraction, code & ((1 << fraction) - 1)
    mantissa = np.where(exponent > 0, mantissa + (1 << fraction), mantissa)
    return mantissa.astype(np.float64) * np.exp2((np.maximum(exponent, 1) - bias - fraction).astype(np.float64))


_TABLE = {d: _magnitudes(d) for d in _SMALL}
_MIDDLE = {d: (t[1:] + t[:-1]) / 2 for d, t in _TABLE.items()}


def is_nan(bits):
    return (np.asarray(bits, np.uint32) & 0x7fffffff) > INF


def as_float(bits):
    return np.ascontiguousarray(np.asarray(bits, np.uint32)).view(np.float32)


def as_bits(values):
    return np.ascontiguousarray(np.asarray(values, np.float32)).view(np.uint32)


def to_fp32(dtype, bits):
    bits = np.asarray(bits, np.uint32)
    if dtype in (FP32, FP32R):
        return bits.copy()
    if dtype in RANGE:
        width = 8 * SIZE[dtype]
        value = bits.astype(np.int64) & ((1 << width) - 1)
        if RANGE[dtype][0] < 0:
            value = np.where(value > RANGE[dtype][1], value - (1 << width), value)
        return as_bits(value.astype(np.float64).astype(np.float32))
    total, _, _, past, _ = _SMALL[dtype]
    sign = (bits >> (total - 1) & 1) << 31
    code = bits & ((1 << (total - 1)) - 1)
    with np.errstate(all="ignore"):
        value = as_bits(_TABLE[dtype][np.minimum(code, past)].astype(np.float32))
    value = np.where(code == past, np.uint32(INF), value) | sign.astype(np.uint32)
    return np.where(code > past, np.uint32(QNAN), value).astype(np.uint32)


def from_fp32(dtype, bits):
    bits = np.asarray(bits, np.uint32)
    if dtype == FP32:
        return bits.copy()
    nan = is_nan(bits)
    if dtype == FP32R:  # 11 mantissa bits, ties to even; the carry may reach infinity
        low = bits & 0xfff
        kept = bits & ~np.uint32(0xfff)
        up = (low > 0x800) | ((low == 0x800) & ((bits >> 12 & 1) == 1))
        return np.where(nan, np.uint32(QNAN), kept + up.astype(np.uint32) * 0x1000).astype(np.uint32)
    with np.errstate(all="ignore"):
        value = as_float(bits).astype(np.float64)
    if dtype in RANGE:
        low, high = RANGE[dtype]
        whole = np.clip(np.where(nan, 0.0, np.rint(value)), low, high)
        whole = np.where(nan, np.where(bits >> 31 == 1, low, high), whole)
        return (whole.astype(np.int64) & ((1 << 8 * SIZE[dtype]) - 1)).astype(np.uint32)
    total, _, _, past, quiet = _SMALL[dtype]
    magnitude = np.where(nan, 0.0, np.abs(value))
    middle = _MIDDLE[dtype]
    code = np.searchsorted(middle, magnitude, side="left")  # first code whose upper middle is not below
    tie = (code < len(middle)) & (middle[np.minimum(code, len(middle) - 1)] == magnitude)
    code = np.where(tie & (code & 1 == 1), code + 1, code)
    code = code.astype(np.uint32) | ((bits >> 31) << (total - 1)).astype(np.uint32)
    return np.where(nan, np.uint32(quiet), code).astype(np.uint32)


def convert(source, target, bits):
    """A move: equal dtypes keep bits, different ones go through fp32."""
    bits = np.asarray(bits, np.uint32)
    return bits.copy() if source == target else from_fp32(target, to_fp32(source, bits))


def number_bits(value, dtype):
    """A JSON number in the dtype of a field.  Returns None where the two readings (by way of fp32, or straight from the
    number) differ."""
    with np.errstate(all="ignore"):
        single = np.float32(value)
    through = int(from_fp32(dtype, as_bits([single]))[0])
    if dtype in (FP32, FP32R) or value != value:
        return through
    if dtype in RANGE:
        low, high = RANGE[dtype]
        if isinstance(value, int):
            straight = min(max(value, low), high)
        else:
            straight = int(min(max(np.rint(np.float64(value)), low), high))
        straight &= (1 << 8 * SIZE[dtype]) - 1
        return through if straight == through else None
    table, middle = _TABLE[dtype], _MIDDLE[dtype]
    magnitude = abs(float(value))
    code = int(np.searchsorted(middle, magnitude, side="left"))
    if code < len(middle) and middle[code] == magnitude and code & 1:
        code += 1
    straight = code | (int(np.signbit(np.float64(value))) << (_SMALL[dtype][0] - 1))
    return through if straight == through else None
