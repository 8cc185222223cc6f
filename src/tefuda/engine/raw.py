"""The bytes of records and arrays, in compiled code and in plain Python."""

from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, overload

from tefuda.engine.verbs import rule


@intrinsic  # type: ignore[untyped-decorator]
def address(typing_context: Any, record: Any) -> Any:
    """The address of a record's first byte; compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint8)(record), generate


@intrinsic  # type: ignore[untyped-decorator]
def store_eight(typing_context: Any, row: Any, at: Any, word: Any) -> Any:
    """Write a word over eight bytes of a row of int8, from any byte on; compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        builder.store(arguments[2], place, align=1)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def store_bits(typing_context: Any, row: Any, at: Any, word: Any) -> Any:
    """Write the bits of a word, the lowest first, as 64 bytes of 0 and 1 into a row of int8; compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        bits = builder.bitcast(arguments[2], ir.VectorType(ir.IntType(1), 64))
        numbers = builder.zext(bits, ir.VectorType(ir.IntType(8), 64))
        place = builder.bitcast(builder.gep(data, [arguments[1]]), numbers.type.as_pointer())
        builder.store(numbers, place, align=1)
        return context.get_dummy_value()

    return types.void(row, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _without_owner(typing_context: Any, given: Any) -> Any:
    """The same array, or tuple with the same arrays, as memory that nobody counts references to."""

    def lend(context: Any, builder: Any, kind: Any, value: Any) -> Any:
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

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return lend(context, builder, signature.args[0], arguments[0])

    return given(given), generate


def borrowed(arrays: Any) -> Any:
    """An array, or a tuple with arrays, that the caller of this function keeps alive.

    Compiled code counts who holds an array at nearly every call that hands it on, by an instruction that all cores must
    agree on. A kernel that borrows its arrays first is spared that. Never borrow what the same function has
    made: it may be gone after its last use.
    """
    return arrays


@overload(borrowed, strict=False)  # type: ignore[untyped-decorator]
def _borrowed(arrays: Any) -> Any:
    return lambda arrays: _without_owner(arrays)


def copy(source: Any, target: Any) -> None:
    """Make ``target`` equal to ``source``, a record of the same dtype."""
    for name in target.dtype.names:
        target[name] = source[name]


@overload(copy, strict=False)  # type: ignore[untyped-decorator]
def _copy(source: Any, target: Any) -> Any:
    if not isinstance(source, types.Record) or source != target:
        return None
    width = source.size

    def move(source: Any, target: Any) -> None:
        read, write = carray(address(source), width), carray(address(target), width)
        for k in range(width):
            write[k] = read[k]

    return move


def same(one: Any, other: Any) -> bool:
    """Whether two records of the same dtype are equal, byte for byte."""
    return bool(one.tobytes() == other.tobytes())


@overload(same, strict=False)  # type: ignore[untyped-decorator]
def _same(one: Any, other: Any) -> Any:
    if not isinstance(one, types.Record) or one != other:
        return None
    width = one.size

    def compare(one: Any, other: Any) -> bool:
        first, second = carray(address(one), width), carray(address(other), width)
        for k in range(width):
            if first[k] != second[k]:
                return False
        return True

    return compare


@rule
def overwrite(out: Any, values: Any) -> None:
    """``out[:] = values``, which takes over a second to compile: its error would tell both shapes."""
    for k in range(len(out)):
        out[k] = values[k]
