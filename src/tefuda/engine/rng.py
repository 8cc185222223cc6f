"""Random numbers for the kernels: the same sequence compiled and as plain Python, on every machine.

MWC64X (multiply with carry, David B. Thomas): one 64-bit word of state, 32 random bits a step, period about 2**63,
good enough for the statistical test batteries. Its product of two 32-bit halves cannot overflow 64 bits, so that plain
Python runs it without warnings, and it costs one multiplication. It is for play and simulation, not for secrets.

A generator is an array of one uint64, changed in place."""

from collections.abc import Sequence
from operator import index
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.errors import TefudaError
from tefuda.engine.record import Rng as Rng
from tefuda.engine.record import Row, Word
from tefuda.engine.verbs import rule

_MULTIPLIER = np.uint64(4294883355)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_SMALLEST_CARRY = np.uint64(1 << 32)


def generator(seed: int | Sequence[int]) -> Rng:
    """A generator for this seed, or tuple of seeds: non-negative integers of any size, or ``TefudaError``. Different
    seeds give unrelated sequences."""
    return generators(seed, 1)[0]


def generators(seed: int | Sequence[int], count: int) -> NDArray[np.uint64]:
    """``count`` unrelated generators, as the rows of an array of shape (count, 1)."""
    numbers = _numbers(seed)
    # Their number goes first: NumPy takes (5,) and (5, 0) for the same.
    words = np.random.SeedSequence((len(numbers), *numbers)).generate_state(count, np.uint64)
    # A carry of 31 bits, not 0, keeps clear of the two states that never change, (0, 0) and (m - 1, 2**32 - 1).
    return (np.asarray(words, np.uint64).reshape(-1, 1) >> _ONE) | _SMALLEST_CARRY


def _numbers(seed: int | Sequence[int]) -> tuple[int, ...]:
    try:
        numbers = tuple(map(index, seed)) if isinstance(seed, Sequence) else (index(seed),)
    except TypeError:
        raise TefudaError(f"seed: {seed!r} is not a whole number, nor several") from None
    if min(numbers, default=0) < 0:
        raise TefudaError(f"seed: {seed!r} is below 0")
    return numbers


@rule
def bits32(rng: Rng) -> int:
    """The next 32 random bits, as a uint64."""
    word = rng[0]
    low, carry = word & _LOW, word >> _HALF
    rng[0] = low * _MULTIPLIER + carry
    return low ^ carry


@rule
def below(rng: Rng, n: int) -> int:
    """A whole number from 0 to n − 1, for n up to some thousands (the bias is below n / 2**32)."""
    chosen: Word = np.int64((bits32(rng) * np.uint64(n)) >> _HALF)
    return chosen


@rule
def chance(rng: Rng, percent: int) -> bool:
    """True this often in a hundred."""
    return below(rng, 100) < percent


class Pick(NamedTuple):
    """The best action weighed so far, its worth, and how many were worth as much; ``(-1, 0.0, 0)`` of none."""

    action: int
    worth: float
    ties: int


@rule
def better(best: Pick, action: int, worth: float, rng: Rng) -> Pick:
    """The better one, a ``Pick``; of several that are worth the same each with the same chance."""
    if best.ties == 0 or worth > best.worth:
        return Pick(action, worth, 1)
    if worth < best.worth:
        return best
    ties = best.ties + 1
    return Pick(action if below(rng, ties) == 0 else best.action, worth, ties)


@rule
def shuffle(rng: Rng, cards: Row) -> None:
    """Put the array in a random order (Fisher–Yates)."""
    for last in range(len(cards) - 1, 0, -1):
        chosen = below(rng, last + 1)
        kept = cards[last]
        cards[last] = cards[chosen]
        cards[chosen] = kept
