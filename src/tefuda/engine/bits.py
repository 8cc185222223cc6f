"""Sets of cards (or suits, or seats) as the bits of one non-negative 64-bit integer: up to 63 members, numbered from 0.

The only place with bit tricks. Every function works compiled and as plain Python. Members and sets are int64; small
integers from a record's fields are widened first, because ``np.int8(1) << 40`` is 0 in plain Python."""

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from llvmlite import binding, ir
from numba import config, types
from numba.extending import intrinsic, overload

from tefuda.engine.raw import Lowering, Numba, Values
from tefuda.engine.record import Ints, Word
from tefuda.engine.verbs import rule

EMPTY = 0

_ONE: Word = np.int64(1)
_ALL: Word = np.int64(-1)


def _count_instruction(name: str) -> Callable[..., Word]:
    """One of LLVM's counting instructions on an int64; ``ctlz`` and ``cttz`` take a second operand: what 0 gives."""

    @intrinsic  # type: ignore[untyped-decorator]
    def count(typing_context: Numba, word: types.Type) -> Lowering:
        def generate(context: Numba, builder: ir.IRBuilder, signature: Numba, arguments: Values) -> ir.Value:
            operands = list(arguments)
            if name != "ctpop":
                operands.append(ir.Constant(ir.IntType(1), 0))
            return getattr(builder, name)(*operands)

        return types.int64(types.int64), generate

    return count


_ones, _leading, _trailing = (_count_instruction(name) for name in ("ctpop", "ctlz", "cttz"))


def size(members: int) -> int:
    """The number of members."""
    return int(members).bit_count()


def lowest(members: int) -> int:
    """The lowest member of a set that is not empty."""
    return (int(members) & -int(members)).bit_length() - 1


def highest(members: int) -> int:
    """The highest member of a set that is not empty."""
    return int(members).bit_length() - 1


@overload(size, strict=False)  # type: ignore[untyped-decorator]
def _size(members: types.Type) -> Callable[[int], int]:
    return lambda members: _ones(np.int64(members))


@overload(lowest, strict=False)  # type: ignore[untyped-decorator]
def _lowest(members: types.Type) -> Callable[[int], int]:
    return lambda members: _trailing(np.int64(members))


@overload(highest, strict=False)  # type: ignore[untyped-decorator]
def _highest(members: types.Type) -> Callable[[int], int]:
    return lambda members: np.int64(63) - _leading(np.int64(members))


@rule
def wide(number: int) -> int:
    """Widen a number to int64: a small one from a record's field would overflow, and compile everything twice."""
    widened: Word = np.int64(number)
    return widened


@rule
def only(member: int) -> int:
    """The set of this one member."""
    return _ONE << np.int64(member)


@rule
def span(first: int, count: int) -> int:
    """The set of ``count`` members from ``first`` up."""
    return ~(_ALL << np.int64(count)) << np.int64(first)


@rule
def has(members: int, member: int) -> bool:
    """True if the set has this member."""
    return (np.int64(members) >> np.int64(member)) & _ONE != 0


@rule
def without(members: int, others: int) -> int:
    """The members that are not among the others."""
    return members & ~others


@rule
def inside(members: int, others: int) -> bool:
    """True if every member is among the others."""
    return members & ~others == 0


@rule
def without_lowest(members: int) -> int:
    """The set less its lowest member."""
    return members & (members - _ONE)


@rule
def below(members: int, member: int) -> int:
    """The members lower than this one."""
    return members & (only(member) - _ONE)


@rule
def above(members: int, member: int) -> int:
    """The members higher than this one."""
    return members & (_ALL << np.int64(member) << _ONE)


@rule
def without_highest(members: int) -> int:
    """The set, not empty, less its highest member."""
    return members & ~only(highest(members))


@rule
def lowered(members: int, by: int) -> int:
    """The members, each less ``by``; those that would fall below 0 are gone."""
    rest: Word = np.int64(members) >> np.int64(by)
    return rest


@rule
def section(members: int, first: int, count: int) -> int:
    """The members among the ``count`` from ``first`` up, numbered from 0."""
    return lowered(members, first) & span(0, count)


def nth(members: int, n: int) -> int:
    """The n-th lowest member, counted from 0."""
    for _ in range(n):
        members &= members - 1
    return lowest(members)


def _has_fast_deposit() -> bool:
    """True if this processor deposits bits (BMI2) in one step; AMD's first two kinds of Zen take over a hundred."""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:  # Numba compiles for another one
        return False
    slow = binding.get_host_cpu_name() in ("znver1", "znver2")
    return bool(binding.get_host_cpu_features().get("bmi2")) and not slow


@intrinsic  # type: ignore[untyped-decorator]
def _deposit(typing_context: Numba, word: types.Type, members: types.Type) -> Lowering:
    """The instruction PDEP: the lowest bits of the word, one to each member of the set."""

    def generate(context: Numba, builder: ir.IRBuilder, signature: Numba, arguments: Values) -> ir.Value:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, (word, word))
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=kind), arguments)

    return types.int64(types.int64, types.int64), generate


@overload(nth, strict=False)  # type: ignore[untyped-decorator]
def _nth(members: types.Type, n: types.Type) -> Callable[[int, int], int]:
    """Without a loop where that can be had: how often it runs cannot be foreseen, and to guess wrong is dear."""
    if _has_fast_deposit():
        return lambda members, n: _trailing(_deposit(_ONE << np.int64(n), np.int64(members)))

    def loop(members: int, n: int) -> int:
        for _ in range(n):
            members = without_lowest(members)
        return lowest(members)

    return loop


@rule
def list_into(members: int, out: Ints) -> int:
    """Write the members, ascending, into ``out`` and return how many there are."""
    n = 0
    while members != 0:
        out[n] = lowest(members)
        members = without_lowest(members)
        n += 1
    return n


def of(members: Iterable[int]) -> int:
    """The set of these members, for Python callers."""
    total = 0
    for member in members:
        total |= 1 << int(member)
    return total


def members_of(members: int) -> list[int]:
    """The members, ascending, for Python callers."""
    return list(_ascending(int(members)))


@lru_cache(4096)  # one table is laid out for each of its seats, and the next moment differs little
def _ascending(members: int) -> tuple[int, ...]:
    found = []
    while members:
        found.append(lowest(members))
        members &= members - 1
    return tuple(found)
