"""The bytes of a state record, in compiled code and in plain Python."""

from typing import Any

from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, overload


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
