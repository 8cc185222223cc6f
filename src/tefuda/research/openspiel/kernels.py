"""The compiled part of ``nodes``: one call for each step from a node to the next."""

import threading
from typing import Any

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.playout import MOST_ACTIONS, is_among, random_playout
from tefuda.engine.raw import copy
from tefuda.engine.record import SPECTATOR
from tefuda.engine.rng import bits32
from tefuda.engine.turn import write_turn
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe


class Buffers(threading.local):
    """What the kernels write into; each thread has its own.

    Args:
        record: dtype of the game's record.
        seats: at the table.

    Attributes:
        out, numbers: int64, and the same as a memoryview, read faster.
        memory: uint64 of shape (1,).
        views, words: a record of shape (1,), and the same bytes as uint32.
        payoffs: int64 of shape (seats,).
    """

    def __init__(self, record: np.dtype[Any], seats: int) -> None:
        self.out = np.zeros(MOST_ACTIONS, np.int64)
        self.numbers = self.out.data
        self.memory = np.zeros(1, np.uint64)
        self.views = np.zeros(1, record)
        self.words = self.views.view(np.uint32)
        self.payoffs = np.zeros(seats, np.int64)


@rule
def move(
    states: Any, action: int, following: Any, equal: int, memory: Any, views: Any, words: Any, out: Any
) -> int:  # fmt: skip
    """Make the move in a copy, ``following[0]``; then ``note``, and after it in ``out`` what others are shown of it."""
    shown = verbs.disguise(states[0], action)
    copy(states[0], following[0])
    verbs.apply(following[0], action)
    n = note(following, equal, memory, views, words, out)
    out[n + 1] = shown
    return n


@rule
def note(states: Any, equal: int, memory: Any, views: Any, words: Any, out: Any) -> int:
    """Let everybody remember what is public now; then ``write_full_turn``.

    Args:
        states: of shape (1,).
        equal: as ``write_full_turn`` takes it.
        memory: uint64 of shape (1,), changed.
        views: record of shape (1,), a workplace.
        words: uint32, the same bytes as ``views``.
        out: int64 buffer, written.
    """
    observe(states[0], SPECTATOR, views[0])
    remember(words, memory)
    return write_full_turn(states, equal, out)


@rule
def write_full_turn(states: Any, equal: int, out: Any) -> int:
    """``write_turn``, but of actions that differ only in which of equal cards they use all are written, not one.

    Only so is what a player has done legal in every world that agrees with it: which action stands for the others
    depends on cards that others do not see.

    Args:
        states: of shape (1,).
        equal: the number of actions of a game in which cards are equal, else 0.
        out: int64 buffer, written.
    """
    n = write_turn(states, out)
    if equal == 0 or n == 0:
        return n
    mover, listed, n = out[n], out[:n].copy(), 0
    for action in range(equal):
        if is_among(verbs.listed(states[0], action), listed, len(listed)):
            out[n] = action
            n += 1
    out[n] = mover
    return n


@rule
def fingerprint(states: Any, seat: int, memory: Any, views: Any, words: Any) -> None:
    """Observe as a seat, and add what it sees to the memory."""
    observe(states[0], seat, views[0])
    remember(words, memory)


@rule
def remember(words: Any, memory: Any) -> None:
    """Mix these words into the fingerprint: a random number generator that every word disturbs."""
    for k in range(len(words)):
        memory[0] ^= np.uint64(words[k])
        bits32(memory)


@rule
def draw_world(states: Any, seat: int, rng: Any, views: Any, world: Any, equal: int, out: Any) -> int:
    """Fill ``world[0]`` with what the seat may take for the truth; then ``write_full_turn`` of it."""
    observe(states[0], seat, views[0])
    verbs.imagine(views[0], rng, world[0])
    return write_full_turn(world, equal, out)


@rule
def play_out(states: Any, rng: Any, end: Any, out: Any) -> None:
    """Fill ``end[0]`` with how the deal might end: everybody makes random actions; ``out`` is an int64 buffer."""
    copy(states[0], end[0])
    random_playout(end, 0, rng, out)


@rule
def settle(states: Any, payoffs: Any) -> None:
    """What each seat receives, into int64 of shape (seats,)."""
    verbs.payoff(states[0], payoffs)
