"""The memory of ``vector``: the tables, what is written of each for the next seat, and who sits there."""

import math
import sys
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.play import MOST_ACTIONS
from tefuda.engine.record import States
from tefuda.table.planes import Observation, words_of

BLOCK = 128  #: tables that go through all passes together

CACHE_LINE = 64

MOST_SPARE = 3  #: sets of arrays that wait for their readers to let go of them
MEMBERS = 63  #: members of a set (``bits``)
NOTHING = -1  #: no action, in a history; nobody, in ``made_by``
UNSEEN = -1  #: instead of the largest number of an observation: the observations are written later

LEARNER = -1
"""Sits where the caller of ``step`` plays. Bots are RANDOM, HINTS, or the number of one that is asked in Python."""

FIRST_ASKED = 2  #: the number of the first player that is asked in Python, above RANDOM and HINTS

Number = TypeVar("Number", bound=np.generic)

Arrays = dict[str, Any]  #: arrays of any types, by name


class SeatedBots(NamedTuple):
    """The bots at some tables; axis 0 is the table."""

    seated: NDArray[np.int8]
    """who sits in each seat, shape (tables, seats): LEARNER, RANDOM, HINTS, or FIRST_ASKED + k"""
    rngs: NDArray[np.uint64]  #: generators of the bots, shape (tables, 1)

    def share(self, first: int, last: int) -> "SeatedBots":
        """Those at the tables from ``first`` to before ``last``."""
        return SeatedBots(self.seated[first:last], self.rngs[first:last])


class Tables(NamedTuple):
    """Some tables, and the buffers of the thread that steps them; axis 0 of most arrays is the table."""

    states: States
    rngs: NDArray[np.uint64]  #: generators of the deals, shape (tables, 1)
    allowed: NDArray[np.int64]
    """the legal actions as sets (``bits``), shape (tables, sets); actions are checked by these: users may write to
    ``masks``"""
    counts: NDArray[np.int16]  #: how many they are; 0 where the next decision has still to be found
    masks: NDArray[np.bool_]
    seats: NDArray[np.int8]
    rewards: NDArray[np.float32]
    ends: NDArray[np.bool_]
    observations: NDArray[Any]  #: int64 of shape (tables, words) if packed; of shape (tables, 0) where none are wanted
    made: NDArray[np.int64]
    """the latest actions of the deal, as rings of the wanted length (0: none): shape (tables, length); in the lowest 16
    bits of each who made it, then the action, then what the others were shown of it"""
    lengths: NDArray[np.int64]  #: how many actions have been made in the deal
    history: NDArray[np.int16]
    makers: NDArray[np.int8]
    """the seat that last made each action in the deal, as everybody was shown it, or NOTHING; shape (tables, actions),
    or (tables, 0) where it is not wanted"""
    made_by: NDArray[np.int8]  #: the same, seats counted from the seat to act
    finished: States  #: the states of the deals that the latest steps have ended; shape (0,) where they are not kept
    paid: NDArray[np.int64]  #: the payoffs of these deals, shape (tables, seats); (0, seats) where they are not kept
    # Buffers
    template: States
    relative: int  #: 1 if rewards are gains, 0 if payoffs
    pack: NDArray[np.int64]
    deck: NDArray[np.int64]
    actions: NDArray[np.int64]
    payoffs: NDArray[np.int64]
    worths: NDArray[np.float64]
    seen: States  #: a block of views; ``seen_words``, of shape (block, words), is the same memory
    seen_words: NDArray[np.int64]
    layout: NDArray[np.int64]  #: of the planes that can be other than 0

    def share(self, first: int, last: int) -> "Tables":
        """The tables from ``first`` to before ``last``, with buffers of their own."""
        by_table = self._fields[: self._fields.index("template")]
        tables: Arrays = {name: getattr(self, name)[first:last] for name in by_table}
        tables |= {name: getattr(self, name).copy() for name in ("deck", "actions", "payoffs", "worths")}
        seen = np.zeros_like(self.seen[: last - first])
        return self._replace(**tables, seen=seen, seen_words=words_of(seen))


def allocate(
    observation: Observation,
    count: int,
    *,
    observations: bool = False,
    dtype: type[np.int8] | type[np.float32] | type[np.int64] = np.int8,
    history: int = 0,
    made_by: bool = False,
    finished: bool = False,
    relative: bool = False,
) -> Tables:
    """Memory for so many tables of a game; nothing is dealt.

    Observations of int64 are packed. A history has so many actions; ``made_by`` is to write who made each action,
    ``finished`` to keep the states of finished deals, ``relative`` to make rewards gains."""
    game = observation.game
    actions, seen = game.description.actions, np.zeros(BLOCK, game.template.dtype)
    layout, width = observation.packed_layout() if dtype == np.int64 else (observation.layout, observation.size)
    return Tables(
        states=np.zeros(count, game.template.dtype),
        rngs=np.zeros((count, 1), np.uint64),
        allowed=np.zeros((count, -(-actions // MEMBERS)), np.int64),
        counts=np.zeros(count, np.int16),
        masks=aligned_zeros((count, actions), np.bool_),
        seats=aligned_zeros((count,), np.int8),
        rewards=aligned_zeros((count, game.seats), np.float32),
        ends=aligned_zeros((count,), np.bool_),
        observations=aligned_zeros((count, width if observations else 0), dtype),
        made=np.zeros((count, history), np.int64),
        lengths=np.zeros(count, np.int64),
        history=aligned_zeros((count, history, 2), np.int16),
        makers=np.zeros((count, actions if made_by else 0), np.int8),
        made_by=aligned_zeros((count, actions if made_by else 0), np.int8),
        finished=np.zeros(count if finished else 0, game.template.dtype),
        paid=np.zeros((count if finished else 0, game.seats), np.int64),
        template=game.template,
        relative=int(relative),
        pack=game.pack,
        deck=game.pack.copy(),
        actions=np.zeros(MOST_ACTIONS, np.int64),
        payoffs=np.zeros(game.seats, np.int64),
        worths=np.zeros(game.seats),
        seen=seen,
        seen_words=words_of(seen),
        layout=layout[observation.changing()],
    )


def aligned_zeros(shape: tuple[int, ...], dtype: np.dtype[Number] | type[Number]) -> NDArray[Number]:
    """Zeros that begin at a cache line; JAX copies other memory instead of sharing it."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + CACHE_LINE, np.uint8)
    start = -room.ctypes.data % CACHE_LINE
    return room[start : start + size].view(dtype).reshape(shape)


Made = TypeVar("Made")


class SpareArrays(Generic[Made]):
    """Sets of arrays, each of which is used again once nobody holds any part of it. Each set has arrays of the names,
    shapes and types of ``like``."""

    def __init__(self, like: Arrays) -> None:
        self._like = like
        # The arrays and their memory, what was made of them, and their references while nobody else holds any part.
        self._spares: list[tuple[list[Any], Made, list[int]]] = []

    def take(self, make: Callable[[Arrays], Made]) -> Made:
        """Make something by ``make``, or take what it made, of arrays that nobody else holds, with any contents."""
        for held, made, idle in self._spares:
            if _references(held) == idle:
                return made
        held, made = self._new(make)  # a function of its own, whose names hold nothing when references are counted
        spare = held, made, _references(held)
        self._spares = [*self._spares[1 - MOST_SPARE :], spare]  # those who keep all arrays have no use for spare ones
        return made

    def _new(self, make: Callable[[Arrays], Made]) -> tuple[list[Any], Made]:
        arrays = {name: aligned_zeros(array.shape, array.dtype) for name, array in self._like.items()}
        return [*arrays.values(), *(array.base for array in arrays.values())], make(arrays)


def _references(held: list[Any]) -> list[int]:
    """The references to each: every view of an array, and every tensor that shares its memory, is one."""
    return [sys.getrefcount(each) for each in held]
