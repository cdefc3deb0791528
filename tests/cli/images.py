# SPDX-License-Identifier: Apache-2.0
"""Synthetic firmware images for tests, built from the figures that public notes print. None of them is a vendor's."""
import struct


def save(name, data):
    with open(name, "wb") as file:
        file.write(data)


def kernels(*records):
    """Of (opcode, spec, address)."""
    return b"".join(struct.pack("<HBBI", 0, spec, opcode, address) for opcode, spec, address in records)


# The 18 of gen2 in order, where 0x44 shares 0x43's function, and the 17 of gen3's first image.
GEN2_KERNELS = [(o, 0, 0x1000 + 0x100 * (15 if o == 0x44 else i)) for i, o in enumerate(
    bytes.fromhex("e774676846 47b8bb7e417c7d497a79434492"))]
GEN3_KERNELS = [(0x7e, 0, 0x01000080), (0x7c, 0, 0x010003f8), (0x7d, 0, 0x01000410), (0x45, 0, 0x01000b90),
                (0x51, 0, 0x0100105c), (0x41, 0, 0x01000f1c), (0xf0, 0, 0x01003370), (0xf0, 1, 0x01003380),
                (0xf0, 2, 0x01003484), (0xf0, 4, 0x010037a8), (0xf0, 3, 0x01003a60), (0x52, 0, 0x01003b40),
                (0x46, 0, 0x010040c0), (0x47, 0, 0x01004160), (0xbe, 0, 0x01004204), (0xf2, 0, 0x0100484c),
                (0x7b, 0, 0x01004dc4)]


def dispatch(offset, count, bias, default, entries, size=0x3200, code=()):
    """A table of words at offset; entries: {opcode: target}; code: {address: hex}."""
    image = bytearray(size)
    for i in range(count):
        struct.pack_into("<I", image, offset + 4 * i, entries.get(bias + i, default))
    for address, text in dict(code).items():
        image[address:address + 3] = bytes.fromhex(text)
    return bytes(image)


GEN5_ENTRIES = {0x9b: 0x2eff, 0xe9: 0x2f1f, 0x9a: 0x2eef, 0xe6: 0x2ef7, 0xea: 0x2ea7, 0x6e: 0x2def, 0x6f: 0x2e37}
GEN5_CODE = {0x2eff: "a515ff", 0x2f1f: "a519ff", 0x2058: "366100", 0x20b8: "366100"}


def cam(slots, classes=None):
    """slots: (opcode, mask) or (opcode, mask, enable), from slot 0; with classes the table follows."""
    out = b"".join(struct.pack("<IIII", s[0], s[1], s[2] if len(s) > 2 else 1, 0) for s in slots)
    out += bytes(0x400 - len(out))
    if classes is not None:
        rows = b"".join(bytes(0x14) + struct.pack("<I", c) + bytes(128 - 0x18) for c in classes)
        out += rows + bytes(0x2000 - len(rows))
    return out


CONTROL = [(o, 0xff) for o in (0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xb0, 0xb1, 0xb2)]
GEN4_ARMED = CONTROL + [(o, 0xff) for o in bytes.fromhex(
    "414d514252838443935345464748 4e5e648e656a6b707172 7778 e0e1e2e3")] + [
    (0x1e3, 0x1ff), (0x98, 0xff), (0x30, 0xff), (0x9f, 0xff), (0, 0)]
GEN5_ARMED = CONTROL + [(o, 0xff) for o in bytes.fromhex(
    "2325 30 414243454647484d4e 5152535 85e 6162656a6b6c6d6e6f 727778 83848e 939899 9f e0e1e2e3".replace(" ", ""))] + [(0, 0)]
