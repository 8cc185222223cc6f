"""The bytes of a state record, in compiled code and in plain Python."""

from typing import Any

from numba import carray, types
from numba.extending import intrinsic, overload


@intrinsic  # type: ignore[untyped-decorator]
def address(typing_context: Any, record: Any) -> Any:
    """The address of a record's first byte; compiled code only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint8)(record), generate


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
