# SPDX-License-Identifier: Apache-2.0
"""Public NKI instructions, by their names and in their argument order, executed as records of the engine.

Operands are tiles of a machine, or NumPy arrays [partitions, ...] of up to 128 partitions: arrays are brought to a
machine and results are written back into `dst`. Every function answers a Call: the records that ran, their text,
hazards and cost. What the engine, its compiler or NKI's own rules refuse raises `opendve.Refused`, and nothing is
written.

>>> scores = np.array([[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]], np.float32)
>>> best, where = np.empty((1, 8), np.float32), np.empty((1, 8), np.uint32)
>>> max8(best, scores).records
<Records Max8>
>>> best
array([[9., 8., 6., 5., 5., 5., 4., 3.]], dtype=float32)
>>> nc_find_index8(where, scores, best).records
<Records MatchValueLoad, FindIndex8>
>>> where
array([[ 5, 11,  7,  4,  8, 10,  2,  0]], dtype=uint32)
>>> max8(best, scores[:, :7])
Traceback (most recent call last):
opendve.errors.Refused: max8 (src): Max: data has 7 elements, allowed 8..16384 [data_count]
"""
from __future__ import annotations

import ctypes
from enum import Enum
from typing import Any, Optional, Tuple, Union

import numpy as np

from ._arguments import real, shown, whole
from ._call import Build, Call, Operand, is_operand
from ._library import C, S, lib
from .dtypes import CODES
from .machine import Machine
from .records import make
from .tile import Tile

Scalar = Union[float, int, Operand]
FP32_MIN = float(np.finfo(np.float32).min)
_FP32 = CODES["fp32"]
_BLOCK = 32                      # partitions of a quadrant

_RESULT = {"DveReadAccumulator.dst": "reduce_res", "DveReadAccumulator.dtype": "reduce_res"}

# Names of NKI's and NumPy's operators that differ from the records' own.
_OPERATORS = {"multiply": "mult", "maximum": "max", "minimum": "min", "equal": "is_equal", "not_equal": "not_equal",
              "greater": "is_gt", "greater_equal": "is_ge", "less": "is_lt", "less_equal": "is_le"}


class reduce_cmd(Enum):  # pylint: disable=invalid-name
    """What happens to the lane accumulator: NKI's names, and the compiler's."""

    idle = "Idle"
    reset = "Zero"
    reduce = "AddAccumulate"
    reset_reduce = "ZeroAccumulate"
    load_reduce = "LoadAccumulate"


def _command(b: Build, value: Any) -> str:
    if isinstance(value, Enum):
        value = value.name
    if value not in reduce_cmd.__members__:
        b.refuse("reduce_cmd", f"is {value!r}", ", ".join(reduce_cmd.__members__), "reduce_cmd")
    return str(reduce_cmd[value].value)


def _operator(value: Any) -> str:
    """An operator by name, or a function of that name: np.add, nl.maximum."""
    name = value if isinstance(value, str) else getattr(value, "__name__", str(value))
    return _OPERATORS.get(name, name)


def _wire(b: Build, operand: str, value: Any) -> int:
    code = S.lower_code()
    if not lib.dve_lower_operator_by_name(_operator(value).encode(), ctypes.byref(code)):
        b.refuse(operand, f"is {_operator(value)}", "an operator of the records", "name")
    return int(code.number)


def _start_value(b: Build, value: Scalar, partitions: int) -> Tuple[int, int]:
    """A start value as the word of a record, and where it comes from: 0 the record, 1 a pointer to one a partition."""
    scalar = b.scalar("initial", value)
    if not isinstance(scalar, dict):
        with np.errstate(over="ignore"):
            return int(np.array(real(b.name, "initial", scalar), np.float32).view(np.uint32)), 0
    tile = b.tile("initial", value)
    if (tile.dtype, tile.count, tile.partitions) != ("fp32", 1, partitions):
        b.refuse("initial", f"is {tile.count} {tile.dtype} in each of {tile.partitions} partitions",
                 f"1 fp32 in each of {partitions}", "pointer")
    return _pointer(b, tile), 1


def _pointer(b: Build, tile: Tile) -> int:
    place = S.place(space=C.SPACE_PSUM if tile.space == "psum" else C.SPACE_SBUF, partition=tile.partition, offset=tile.offset)
    return int(lib.dve_place_addr(ctypes.byref(place), b.machine.gen_number))


def _quadrants(value: Any) -> int:
    """Partitions of an operand, up to whole quadrants: so many a shuffle touches."""
    shape = getattr(getattr(value, "array", value), "shape", None) or (1,)
    return int(min((shape[0] + _BLOCK - 1) // _BLOCK * _BLOCK, C.LANES))


def max8(dst: Operand, src: Operand, name: Optional[str] = None, *, machine: Optional[Machine] = None) -> Call:
    """The 8 largest of each partition, descending. Equal values: the earlier ranks as the larger. NaN never enters;
    missing ones are -inf."""
    with Build("max8", machine, None, dst, src, label=name) as b:
        data, out = b.tile("src", src), b.tile("dst", dst, write=True)
        return b.go({"op": "Max", "channels": data.partitions, "data": data.access(), "maxvals": out.access()},
                    names={"data": "src", "maxvals": "dst"})


def nc_find_index8(dst: Operand, data: Operand, vals: Operand, name: Optional[str] = None, *,
                   machine: Optional[Machine] = None) -> Call:
    """Where each of 8 keys stands in its partition, uint16 or uint32; equal keys take ascending positions, an absent
    one all ones."""
    with Build("nc_find_index8", machine, None, dst, data, vals, label=name) as b:
        source, keys, out = b.tile("data", data), b.tile("vals", vals), b.tile("dst", dst, write=True)
        return b.go({"op": "MaxIndex", "channels": source.partitions, "maxvals": keys.access(), "data": source.access(),
                     "indices": out.access()},
                    names={"maxvals": "vals", "indices": "dst", "MatchValueLoad.src": "vals", "MatchValueLoad.dtype": "vals",
                           "src": "data"})


def nc_match_replace8(dst: Operand, data: Operand, vals: Operand, imm: float, dst_idx: Optional[Operand] = None,
                      name: Optional[str] = None, *, machine: Optional[Machine] = None) -> Call:
    """`data` with the first occurrence of each of 8 keys replaced by `imm`; `dst` may be `data`. `dst_idx` receives
    where they stood (gen3 and later); equal keys take descending positions there."""
    with Build("nc_match_replace8", machine, None, dst, data, vals, dst_idx, label=name) as b:
        source, keys, out = b.tile("data", data), b.tile("vals", vals), b.tile("dst", dst, write=True)
        spec = {"op": "MatchReplace", "channels": source.partitions, "maxvals": keys.access(), "data": source.access(),
                "dst": out.access(), "imm": b.scalar("imm", imm)}
        if dst_idx is not None:
            spec.update(op="MaxIndexAndMatchReplace", indices=b.tile("dst_idx", dst_idx, write=True).access())
        return b.go(spec, names={"maxvals": "vals", "indices": "dst_idx", "MatchValueLoad.src": "vals",
                                 "MatchValueLoad.dtype": "vals", "DveReadIndices.dst": "dst_idx",
                                 "DveReadIndices.dtype": "dst_idx", "src": "data", "immediate": "imm"})


def select_reduce(dst: Operand, predicate: Operand, on_true: Operand, on_false: Scalar,
                  reduce_res: Optional[Operand] = None, reduce_cmd: Any = reduce_cmd.idle, reduce_op: Any = "maximum",
                  reverse_pred: bool = False, name: Optional[str] = None, *, machine: Optional[Machine] = None) -> Call:
    """`on_true` where the predicate holds, elsewhere `on_false`, one value or one a partition. The maximum of all
    results can be kept in the lane accumulator and read into `reduce_res`."""
    with Build("select_reduce", machine, None, dst, predicate, on_true, on_false, reduce_res, label=name) as b:
        b.elementwise(dst, predicate, on_true)
        pred, data = b.tile("predicate", predicate), b.tile("on_true", on_true)
        if pred.dtype not in ("int8", "uint8", "int16", "uint16"):
            b.refuse("predicate", f"is {pred.dtype}", "int8, uint8, int16, uint16", "nki_predicate_dtype")
        spec = {"op": "CopyPredicated", "channels": pred.partitions, "pred": pred.access(), "src": data.access(),
                "dst": b.tile("dst", dst, write=True).access(), "reduce_op": _operator(reduce_op),
                "imm0": b.scalar("on_false", on_false), "reverse": int(bool(reverse_pred)),
                "accumulate": _command(b, reduce_cmd)}
        if reduce_res is not None:
            spec["result"] = b.tile("reduce_res", reduce_res, write=True).access()
        return b.go(spec, names={"pred": "predicate", "src": "on_true", "imm0": "on_false", "result": "reduce_res",
                                 "accumulate": "reduce_cmd", "op1": "reduce_op", "src0": "predicate", "src1": "on_true",
                                 "op0": "predicate", **_RESULT})


def range_select(dst: Operand, on_true_tile: Operand, comp_op0: Any, comp_op1: Any, bound0: Scalar, bound1: Scalar,
                 reduce_cmd: Any = reduce_cmd.reset_reduce, reduce_res: Optional[Operand] = None,
                 reduce_op: Any = "maximum", range_start: float = 0.0, on_false_value: float = FP32_MIN,
                 name: Optional[str] = None, *, machine: Optional[Machine] = None) -> Call:
    """Elements whose index, counted from `range_start`, satisfies both comparisons; the lowest fp32 elsewhere. The
    index is compared, not the value. gen3 and later."""
    with Build("range_select", machine, None, dst, on_true_tile, bound0, bound1, reduce_res, label=name) as b:
        if _operator(reduce_op) != "max":
            b.refuse("reduce_op", f"is {_operator(reduce_op)}", "maximum", "range_select_reduce_op")
        b.elementwise(dst, on_true_tile)
        data = b.tile("on_true_tile", on_true_tile)
        spec = {"op": "RangeSelect", "channels": data.partitions, "src": data.access(),
                "dst": b.tile("dst", dst, write=True).access(), "base": range_start, "comp_op0": _operator(comp_op0),
                "comp_op1": _operator(comp_op1), "bound0": b.scalar("bound0", bound0), "bound1": b.scalar("bound1", bound1),
                "fill": on_false_value, "accumulate": _command(b, reduce_cmd)}
        if reduce_res is not None:
            spec["result"] = b.tile("reduce_res", reduce_res, write=True).access()
        return b.go(spec, names={"src": "on_true_tile", "base": "range_start", "fill": "on_false_value",
                                 "fill_val": "on_false_value", "result": "reduce_res", "accumulate": "reduce_cmd",
                                 **_RESULT})


def tensor_scalar_cumulative(dst: Operand, src: Operand, op0: Any, op1: Any, imm0: Scalar, imm1: Optional[Scalar] = None,
                             reduce_cmd: Any = reduce_cmd.reset_reduce, name: Optional[str] = None, *,
                             machine: Optional[Machine] = None) -> Call:
    """Element e is (src[e] op0 imm0) op1 what stands before it: an inclusive scan in fp32, from the identity of op1
    (reset_reduce), from imm1 (load_reduce), or from the lane accumulator (reduce)."""
    with Build("tensor_scalar_cumulative", machine, None, dst, src, imm0, imm1, label=name) as b:
        data = b.tile("src", src)
        spec = {"op": "TensorScalarCache", "mode": "Cumulative", "channels": data.partitions, "src": data.access(),
                "dst": b.tile("dst", dst, write=True).access(), "op0": _operator(op0), "op1": _operator(op1),
                "imm0": b.scalar("imm0", imm0), "accumulate": _command(b, reduce_cmd)}
        if imm1 is not None:
            spec["imm1"] = b.scalar("imm1", imm1)
        return b.go(spec, names={"accumulate": "reduce_cmd"})


def tensor_scalar_reduce(dst: Operand, data: Operand, op0: Any, operand0: Scalar, reduce_op: Any,
                         reduce_res: Optional[Operand], reverse0: bool = False, name: Optional[str] = None, *,
                         machine: Optional[Machine] = None) -> Call:
    """data op0 operand0, element by element; `reduce_res` gets the fold of all of them by `reduce_op`, in fp32 and in
    the order of the elements."""
    with Build("tensor_scalar_reduce", machine, None, dst, data, operand0, reduce_res, label=name) as b:
        if reverse0:
            b.refuse("reverse0", "is True", "False, for the record has no other form", "reverse_operands")
        source = b.tile("data", data)
        spec = {"op": "TensorScalarCache", "mode": "Reduce", "channels": source.partitions, "src": source.access(),
                "dst": b.tile("dst", dst, write=True).access(), "op0": _operator(op0), "op1": _operator(reduce_op),
                "imm0": b.scalar("operand0", operand0), "accumulate": "ZeroAccumulate"}
        if reduce_res is not None:
            spec["result"] = b.tile("reduce_res", reduce_res, write=True).access()
        return b.go(spec, names={"src": "data", "imm0": "operand0", "op1": "reduce_op", "result": "reduce_res",
                                 **_RESULT})


def tensor_tensor_scan(dst: Operand, data0: Operand, data1: Operand, initial: Scalar, op0: Any, op1: Any,
                       reverse0: bool = False, reverse1: bool = False, name: Optional[str] = None, *,
                       machine: Optional[Machine] = None) -> Call:
    """s = (data0[e] op0 s) op1 data1[e] from s = initial, in fp32; element e is s after it. `reverse0` and `reverse1`
    exchange the operands of op0 and op1."""
    with Build("tensor_tensor_scan", machine, None, dst, data0, data1, initial, label=name) as b:
        b.elementwise(dst, data0, data1)
        first, second, out = b.tile("data0", data0), b.tile("data1", data1), b.tile("dst", dst, write=True)
        for operand, tile in (("data1", second), ("dst", out)):
            if tile.partitions != first.partitions:
                b.refuse(operand, f"has {tile.partitions} partitions", f"{first.partitions}, as data0 has", "partition_counts")
        start, source = _start_value(b, initial, first.partitions)
        return b.go(records=lambda: [make(
            "tensor_tensor_scan_arith", b.machine.gen_number, src0=first.access(), src1=second.access(), dst=out.access(),
            op0=_wire(b, "op0", op0), op1=_wire(b, "op1", op1), reverse_operands=int(bool(reverse0)) | int(bool(reverse1)) << 1,
            imm0_src=source, imm0_dtype=_FP32, imm0=start, num_active_channels=first.partitions)],
            names={"src0": "data0", "src1": "data1", "imm0": "initial"})


def nc_stream_shuffle(dst: Operand, src: Operand, shuffle_mask: Any, name: Optional[str] = None, *,
                      machine: Optional[Machine] = None) -> Call:
    """Inside each quadrant of 32 partitions: partition i of dst gets partition shuffle_mask[i] of src; 255 leaves it
    alone. The engine works on whole quadrants, those of a smaller tile too."""
    with Build("nc_stream_shuffle", machine, None, dst, src, label=name) as b:
        lanes = shuffle_mask.tolist() if isinstance(shuffle_mask, np.ndarray) else shuffle_mask
        if not isinstance(lanes, (list, tuple, range)):
            b.refuse("shuffle_mask", f"is {shown(shuffle_mask)}", "a list of 32 lane numbers", "mask_count")
        rounded = _quadrants(src)
        data = b.tile("src", src, room=(rounded, 0))
        out = b.tile("dst", dst, write=True, keep=True, room=(rounded, 0))
        return b.go({"op": "StreamShuffle", "channels": data.partitions, "src": data.access(), "dst": out.access(),
                     "mask": [whole(b.name, "shuffle_mask", lane, 0, 255, rule="mask_lane") for lane in lanes]}, names={"mask": "shuffle_mask"})


def nc_transpose(dst: Operand, data: Operand, engine: Any = None, name: Optional[str] = None, *,
                 machine: Optional[Machine] = None) -> Call:
    """dst [F, P] is data [P, F] transposed, of up to 32 x 32 elements. The engine reads a whole 32 x 32 block: behind
    a smaller tile lies what it reads as well, and drops."""
    with Build("nc_transpose", machine, engine, dst, data, label=name) as b:
        source = b.tile("data", data, room=(_BLOCK, _BLOCK))
        out = b.tile("dst", dst, write=True)
        if source.partitions > _BLOCK or source.count > _BLOCK:
            b.refuse("data", f"is {source.partitions} x {source.count}", "at most 32 x 32", "nki_transpose_size")
        if (out.partitions, out.count) != (source.count, source.partitions):
            b.refuse("dst", f"is {out.partitions} x {out.count}", f"{source.count} x {source.partitions}", "nki_transpose_shape")
        block = source.access()
        axes = [axis for axis in block["pattern"] if axis[1] != 1] or [[1, 1]]
        if len(axes) > 1:
            b.refuse("data", f"has {len(axes)} axes behind its partitions", "1", "nki_transpose_shape")
        block["pattern"], block["channels"] = [[axes[0][0], _BLOCK]], out.partitions
        return b.go({"op": "StreamTranspose", "channels": out.partitions, "src": block, "dst": out.access()},
                    names={"src": "data", "immediate": "dst"})


def tensor_copy(dst: Operand, src: Operand, engine: Any = None, name: Optional[str] = None, *,
                machine: Optional[Machine] = None) -> Call:
    """A copy, bit by bit between equal data types, else through fp32."""
    with Build("tensor_copy", machine, engine, dst, src, label=name) as b:
        data = b.tile("src", src)
        return b.go({"op": "TensorCopy", "channels": data.partitions, "src": data.access(),
                     "dst": b.tile("dst", dst, write=True).access()})


def tensor_copy_predicated(dst: Operand, src: Scalar, predicate: Operand, reverse_pred: bool = False,
                           name: Optional[str] = None, *, machine: Optional[Machine] = None) -> Call:
    """Writes `src`, a tile or a scalar, where the predicate holds and leaves the rest of `dst`. `reverse_pred` writes
    where it does not hold; records can say that of scalars only."""
    with Build("tensor_copy_predicated", machine, None, dst, src, predicate, label=name) as b:
        pred, out = b.tile("predicate", predicate), b.tile("dst", dst, write=True, keep=True)
        if pred.dtype not in ("uint8", "uint16", "uint32"):
            b.refuse("predicate", f"is {pred.dtype}", "uint8, uint16, uint32", "nki_predicate_dtype")
        tensor = is_operand(src)
        names = {"pred": "predicate", "src0": "predicate", "src1": "src", "src0_imm": "src"}
        value = b.tile("src", src) if tensor else b.scalar("src", src)
        if tensor and value.count == 1 < pred.count:                 # one value a partition: the record has a pointer
            if (value.dtype, value.partitions) != (out.dtype, pred.partitions):
                b.refuse("src", f"is {value.dtype} in each of {value.partitions} partitions",
                         f"{out.dtype} in each of {pred.partitions}", "pointer")
            return b.go(records=lambda: [make(
                "copy_predicated_scalar", b.machine.gen_number, pred=pred.access(), dst=out.access(),
                in_dtype=CODES[out.dtype], src0_imm=_pointer(b, value), src0_imm_src=1,
                reversed_pred=int(not reverse_pred), num_active_channels=pred.partitions)], names=names)
        if tensor and reverse_pred:
            b.refuse("reverse_pred", "is True", "False with a tensor, for its record has no such bit", "nki_reverse_pred")
        return b.go({"op": "CopyPredicated", "channels": pred.partitions, "pred": pred.access(),
                     "src": value.access() if tensor else value, "dst": out.access()}, names=names,
                    change=(lambda record: record.replace(reversed_pred=0)) if reverse_pred else None)


def memset(dst: Operand, value: Union[float, int], engine: Any = None, name: Optional[str] = None, *,
           machine: Optional[Machine] = None) -> Call:
    """One value everywhere, converted to the data type of `dst`."""
    with Build("memset", machine, engine, dst, label=name) as b:
        out = b.tile("dst", dst, write=True)
        if is_operand(value):
            b.refuse("value", "is one value a partition", "a number, for the record has no pointer", "no_source")
        return b.go({"op": "Memset", "channels": out.partitions, "dst": out.access(), "value": b.scalar("value", value)},
                    names={"set_value": "value"})


def nonzero_with_count(dst: Operand, src: Operand, index_offset: int = 0, padding_val: int = -1,
                       name: Optional[str] = None, *, machine: Optional[Machine] = None) -> Call:
    """In partitions 0, 16, 32, ...: the positions of what is not zero, each plus `index_offset`, then `padding_val`,
    last how many there are. Other partitions are left alone. gen3 and later; a model of the pool engine's."""
    with Build("nonzero_with_count", machine, None, dst, src, label=name) as b:
        data, out = b.tile("src", src), b.tile("dst", dst, write=True, keep=True)
        return b.go({"op": "NonzeroWithCount", "channels": data.partitions, "src": data.access(), "dst": out.access(),
                     "index_offset": index_offset, "padding_val": padding_val})


def local_gather(dst: Operand, src_buffer: Operand, index: Operand, num_elem_per_idx: int = 1,
                 num_valid_indices: Optional[int] = None, name: Optional[str] = None, *,
                 machine: Optional[Machine] = None) -> Call:
    """Each group of 16 partitions shares one list of indices: its part of `index` (uint16), read partition first. The
    j-th run of `num_elem_per_idx` elements of dst begins at element list[j] of src_buffer. A model of the pool
    engine's."""
    with Build("local_gather", machine, None, dst, src_buffer, index, label=name) as b:
        data, listed = b.tile("src_buffer", src_buffer), b.tile("index", index)
        out = b.tile("dst", dst, write=True)
        each = whole(b.name, "num_elem_per_idx", num_elem_per_idx, 1)
        valid = 16 * listed.count if num_valid_indices is None else whole(b.name, "num_valid_indices", num_valid_indices, 1)
        wanted = valid * each
        if out.count != wanted:
            b.refuse("dst", f"has {out.count} elements a partition", f"{wanted}, num_valid_indices times num_elem_per_idx",
                     "nki_valid_indices")
        return b.go({"op": "IndirectCopy", "channels": data.partitions, "data": data.access(), "indices": listed.access(),
                     "dst": out.access(), "elements_per_index": each},
                    names={"data": "src_buffer", "src": "index", "indices": "index", "elements_per_index": "num_elem_per_idx"})


def nc_n_gather(dst: Operand, data: Operand, indices: Operand, name: Optional[str] = None, *,
                machine: Optional[Machine] = None) -> Call:
    """dst[p, e] = data[p, indices[p, e]], bit by bit; indices are uint32. A model of the pool engine's."""
    with Build("nc_n_gather", machine, None, dst, data, indices, label=name) as b:
        source, listed = b.tile("data", data), b.tile("indices", indices)
        if listed.dtype != "uint32":
            b.refuse("indices", f"is {listed.dtype}", "uint32", "nki_index_dtype")
        return b.go({"op": "Gather", "channels": source.partitions, "data": source.access(), "indices": listed.access(),
                     "dst": b.tile("dst", dst, write=True).access()},
                    names={"PoolBufferLoad.src": "data", "src": "indices"})
