# SPDX-License-Identifier: Apache-2.0
"""Records for the tests, written from the published layouts, independently of the program."""
import struct

INT8, UINT8, UINT16, BF16, FP16, INT32, UINT32, FP32, FP32R = 2, 3, 5, 6, 7, 8, 9, 10, 11
PSUM = 0x2000000


def sbuf(partition, offset):
    return partition * 0x40000 + offset


def frame(opcode, channels, wait=0, wait_idx=0, update=0, update_idx=0, sem=0):
    b = bytearray(64)
    b[0], b[1], b[4], b[5], b[6], b[7], b[34] = opcode, 16, wait, wait_idx, update, update_idx, channels
    struct.pack_into("<I", b, 8, sem)
    return b


def walk4(b, at, addr, steps, nums):
    struct.pack_into("<I4h4H", b, at, addr, *steps, *nums)


def walk2(b, at, addr, steps, nums):
    struct.pack_into("<I2h2H", b, at, addr, *steps, *nums)


def max8(src, dst, columns, n=128, in_dtype=FP32, out_dtype=FP32, opcode=0x6c, step=-1, **events):
    """dst is the lowest byte; a negative step starts at the last element."""
    b = frame(opcode, n, **events)
    size = {FP32: 4, UINT32: 4, INT32: 4, FP32R: 4, BF16: 2, FP16: 2, UINT16: 2}.get(out_dtype, 1)
    walk4(b, 12, src, (1, 0, 0, 0), (columns, 1, 1, 1))
    b[32], b[33] = in_dtype, out_dtype
    walk2(b, 48, dst + (7 * size if step < 0 else 0), (step, 0), (8, 1))
    return bytes(b)


def find_index8(src, dst, columns, n=128, in_dtype=FP32, out_dtype=UINT32, **events):
    return max8(src, dst, columns, n, in_dtype, out_dtype, 0x6e, 1, **events)


def key_load(src, n=128, dtype=FP32, step=-1, **events):
    b = frame(0x6d, n, **events)
    walk2(b, 16, src + (28 if step < 0 else 0), (step, 0), (8, 1))
    b[32] = dtype
    return bytes(b)


def replace8(src, dst, columns, fill=0xff800000, n=128, in_dtype=FP32, out_dtype=FP32, **events):
    b = frame(0x6f, n, **events)
    walk4(b, 12, src, (1, 0, 0, 0), (columns, 1, 1, 1))
    b[32], b[33] = in_dtype, out_dtype
    struct.pack_into("<I", b, 40, fill)
    walk4(b, 44, dst, (1, 0, 0, 0), (columns, 1, 1, 1))
    return bytes(b)


def read_indices(dst, n=128, dtype=UINT32, **events):
    b = frame(0xe9, n, **events)
    b[32] = dtype
    struct.pack_into("<I", b, 28, 8)
    walk4(b, 44, dst, (1, 0, 0, 0), (8, 1, 1, 1))
    return bytes(b)


def nop(**events):
    b = frame(0xa0, 0, **events)
    return bytes(b)


def changed(record, **bytes_at):
    """The record with bytes changed: changed(r, b34=0)."""
    b = bytearray(record)
    for name, value in bytes_at.items():
        b[int(name[1:])] = value
    return bytes(b)


def changed16(record, at, value):
    b = bytearray(record)
    struct.pack_into("<h" if value < 0 else "<H", b, at, value)
    return bytes(b)


def changed32(record, at, value):
    b = bytearray(record)
    struct.pack_into("<I", b, at, value)
    return bytes(b)


def save(name, *records):
    with open(name, "wb") as f:
        f.write(b"".join(records))
