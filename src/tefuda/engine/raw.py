"""The bytes of records and arrays, in compiled code and in plain Python."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from tefuda.engine.record import StateRecord
from tefuda.engine.verbs import rule

Kind = TypeVar("Kind")

Numba = Any  #: an object of Numba's compiler, which brings no types

Values = Sequence[ir.Value]

Lowering = tuple[Numba, Callable[..., ir.Value]]  #: the type of an intrinsic, and what writes its instructions


@intrinsic  # type: ignore[untyped-decorator]
def address(typing_context: Numba, record: types.Type) -> Lowering:
    """The address of a record's first byte; compiled code only."""

    def generate(context: Numba, builder: ir.IRBuilder, signature: Numba, arguments: Values) -> ir.Value:
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint8)(record), generate


@intrinsic  # type: ignore[untyped-decorator]
def store_eight(typing_context: Numba, row: types.Type, at: types.Type, word: types.Type) -> Lowering:
    """Write a word over eight bytes of a row of int8, from any byte on; compiled code only."""

    def generate(context: Numba, builder: ir.IRBuilder, signature: Numba, arguments: Values) -> ir.Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def store_bits(typing_context: Numba, row: types.Type, at: types.Type, word: types.Type) -> Lowering:
    """Write the bits of a word, the lowest first, as 64 bytes of 0 and 1 into a row of int8; compiled code only."""

    def generate(context: Numba, builder: ir.IRBuilder, signature: Numba, arguments: Values) -> ir.Value:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        bits = builder.bitcast(arguments[2], ir.VectorType(ir.IntType(1), 64))
        numbers = builder.zext(bits, ir.VectorType(ir.IntType(8), 64))
        place = builder.bitcast(builder.gep(data, [arguments[1]]), numbers.type.as_pointer())
        builder.store(numbers, place, align=1)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _without_owner(typing_context: Numba, given: types.Type) -> Lowering:
    """Strip an array, or the arrays of a tuple, of reference counts."""

    def lend(context: Numba, builder: ir.IRBuilder, kind: types.Type, value: ir.Value) -> ir.Value:
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, value)
            array.meminfo, array.parent = (
                context.get_constant_null(types.MemInfoPointer(types.voidptr)),
                context.get_constant_null(types.pyobject),
            )
            return array._getvalue()
        if isinstance(kind, types.BaseTuple):
            for place, each in enumerate(kind):
                lent = lend(context, builder, each, builder.extract_value(value, place))
                value = builder.insert_value(value, lent, place)
        return value

    def generate(context: Numba, builder: ir.IRBuilder, signature: Numba, arguments: Values) -> ir.Value:
        return lend(context, builder, signature.args[0], arguments[0])

    return given(given), generate


def borrowed(arrays: Kind) -> Kind:
    """An array, or a tuple with arrays, that the caller of this function keeps alive.

    Compiled code counts who holds an array at nearly every call that hands it on, by an instruction that all cores must
    agree on. A kernel that borrows its arrays first is spared that. Never borrow what the same function has
    made: it may be gone after its last use."""
    return arrays


@overload(borrowed, strict=False)  # type: ignore[untyped-decorator]
def _borrowed(arrays: types.Type) -> Callable[..., object]:
    return lambda arrays: _without_owner(arrays)


def copy(source: StateRecord, target: StateRecord) -> None:
    """Make ``target`` equal to ``source``, a record of the same dtype."""
    for name in target.dtype.names or ():
        target[name] = source[name]


@overload(copy, strict=False)  # type: ignore[untyped-decorator]
def _copy(source: types.Type, target: types.Type) -> Callable[..., object] | None:
    if not isinstance(source, types.Record) or source != target:
        return None
    width = source.size

    def move(source: StateRecord, target: StateRecord) -> None:
        read, write = carray(address(source), width), carray(address(target), width)
        for k in range(width):
            write[k] = read[k]

    return move


def same(one: StateRecord, other: StateRecord) -> bool:
    """True if two records of the same dtype are equal, byte for byte."""
    return bool(one.tobytes() == other.tobytes())


@overload(same, strict=False)  # type: ignore[untyped-decorator]
def _same(one: types.Type, other: types.Type) -> Callable[..., object] | None:
    if not isinstance(one, types.Record) or one != other:
        return None
    width = one.size

    def compare(one: StateRecord, other: StateRecord) -> bool:
        first, second = carray(address(one), width), carray(address(other), width)
        for k in range(width):
            if first[k] != second[k]:
                return False
        return True

    return compare


@rule
def overwrite(out: NDArray[np.generic], values: NDArray[np.generic]) -> None:
    """``out[:] = values``, which takes over a second to compile: its error would tell both shapes."""
    for k in range(len(out)):
        out[k] = values[k]
