"""Nodes of the game tree, as OpenSpiel's states hold them. A node never changes: every move makes another.

A state is therefore copied by copying a reference. Besides the game's record a ``PlayNode`` carries what everybody has
seen happen (``plays``) and a fingerprint of everything that was ever public (``memory``). These and a seat's view of
the record are what the seat knows: its information state with perfect recall, which tells nothing that it may not know.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.play import MOST_ACTIONS, is_among
from tefuda.engine.raw import copy
from tefuda.engine.record import SPECTATOR, Ints, Rng, States
from tefuda.engine.rng import bits32
from tefuda.engine.turn import write_turn
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe
from tefuda.table.view import View

if TYPE_CHECKING:
    from tefuda.research.openspiel.game_parameters import Rules

CHANCE, TERMINAL = -1, -4
"""OpenSpiel's numbers for nobody's turn: ``pyspiel.PlayerId``."""

EMPTY_MEMORY = 1 << 62  #: not 0, on which zeros would leave no mark

Outcomes = list[tuple[int, float]]


class Buffers(threading.local):
    """Buffers that the kernels write into; each thread has its own."""

    def __init__(self, record: np.dtype[np.void], seats: int) -> None:
        self.out = np.zeros(MOST_ACTIONS, np.int64)
        self.numbers = self.out.data  # the same integers as a memoryview, which is read faster
        self.memory = np.zeros(1, np.uint64)
        self.views = np.zeros(1, record)
        self.words = self.views.view(np.uint32)  # the bytes of the view
        self.payoffs = np.zeros(seats, np.int64)


class ChanceNode:
    """A moment before the first action, in which chance decides."""

    __slots__ = ("legal", "player", "rules")

    def __init__(self, rules: Rules) -> None:
        self.rules, self.player = rules, CHANCE
        self.legal: list[int] = []

    def __deepcopy__(self, memo: object) -> ChanceNode:
        return self

    def returns(self) -> list[float]:
        """Nobody has received anything."""
        return [0.0] * self.rules.game.seats


class DealNode(ChanceNode):
    """A draw from the random number of the deal, digit by digit, then from the deck, card by card.

    ``drawn`` is what chance has decided so far, ``left`` the cards not yet drawn, ascending."""

    __slots__ = ("drawn", "left")

    def __init__(self, rules: Rules, drawn: tuple[int, ...], left: tuple[int, ...]) -> None:
        super().__init__(rules)
        self.drawn, self.left = drawn, left

    def outcomes(self) -> Outcomes:
        """Outcomes of the next draw, ascending, each with its probability."""
        if len(self.drawn) < len(self.rules.digits):
            return self.rules.digits[len(self.drawn)]
        return [(card, copies / len(self.left)) for card, copies in Counter(self.left).items()]

    def outcome_name(self, outcome: int) -> str:
        """The outcome in words."""
        digit = len(self.drawn) < len(self.rules.digits)
        return f"chance {outcome}" if digit else self.rules.description.cards[outcome]

    def after(self, outcome: int) -> DealNode | PlayNode:
        """The node after an outcome. ``TefudaError`` if chance cannot decide so."""
        choices = range(len(self.rules.digits[0])) if len(self.drawn) < len(self.rules.digits) else self.left
        if outcome not in choices:
            raise TefudaError(f"{outcome} is no outcome of this chance node; chance_outcomes() lists them")
        drawn, left = (*self.drawn, outcome), self.left
        if len(self.drawn) >= len(self.rules.digits):
            place = left.index(outcome)
            left = left[:place] + left[place + 1 :]
        return DealNode(self.rules, drawn, left) if left else self.rules.deal(drawn)

    def __str__(self) -> str:
        return f"{self.rules}: drawn {' '.join(map(str, self.drawn)) or 'nothing'}"


class WorldsNode(ChanceNode):
    """The single chance node of a deal that is one of a few worlds, alike to the eye, or all different deals.

    ``counts`` say how often each comes among equally likely cases; 1 by default."""

    __slots__ = ("counts", "worlds")

    def __init__(self, rules: Rules, worlds: list[PlayNode], counts: Sequence[int] = ()) -> None:
        super().__init__(rules)
        self.worlds, self.counts = worlds, tuple(counts) or (1,) * len(worlds)

    def outcomes(self) -> Outcomes:
        """The worlds, by number."""
        total = sum(self.counts)
        return [(number, count / total) for number, count in enumerate(self.counts)]

    def outcome_name(self, outcome: int) -> str:
        """The world in words."""
        return f"world {outcome}"

    def after(self, outcome: int) -> PlayNode:
        """The world of this number. ``TefudaError`` if there is none of this number."""
        if not 0 <= outcome < len(self.worlds):
            raise TefudaError(f"{outcome} is no outcome of this chance node; they are 0 to {len(self.worlds) - 1}")
        return self.worlds[outcome]

    def __str__(self) -> str:
        return f"{self.rules}: one of {len(self.worlds)} worlds"


class PlayNode:
    """A moment of play, or its end.

    Args:
        states: the record, shape (1,), never changed from now on.
        numbers: what ``write_full_turn`` wrote: the mover's legal actions, then the mover.
        plays: what everybody has seen done, as mover × actions + action; hidden ones as ``disguise`` shows them.
        story: the same, in words.
        memory: fingerprint of every spectator's view so far.
    """

    __slots__ = ("legal", "memory", "player", "plays", "rules", "states", "story")

    def __init__(
        self,
        rules: Rules,
        states: States,
        numbers: list[int],
        plays: tuple[int, ...] = (),
        story: str = "",
        memory: int = EMPTY_MEMORY,
    ) -> None:
        self.rules, self.states, self.plays, self.story, self.memory = rules, states, plays, story, memory
        mover = numbers.pop()
        self.player = mover if mover >= 0 else TERMINAL
        self.legal = numbers

    def __deepcopy__(self, memo: object) -> PlayNode:
        return self

    def after(self, action: int) -> PlayNode:
        """The node after an action of the mover. ``TefudaError`` if it is not legal."""
        if action not in self.legal:
            legal = ", ".join(map(str, self.legal)) or "none"
            raise TefudaError(f"action {action} is not legal here; legal are {legal}")
        rules, work = self.rules, self.rules.work
        states = np.empty(1, rules.record)
        work.memory[0] = self.memory
        n = move(self.states, action, states, rules.equal, work.memory, work.views, work.words, work.out)
        numbers = work.numbers[: n + 2].tolist()
        shown = numbers.pop()
        play = f" {self.player}:{rules.word(shown)}"
        plays = (*self.plays, self.player * rules.description.actions + shown)
        return PlayNode(rules, states, numbers, plays, self.story + play, int(work.memory[0]))

    def imagine(self, seat: int, rng: Rng) -> PlayNode:
        """A world drawn at random from those that agree with all that a seat knows."""
        work = self.rules.work
        states = np.empty(1, self.rules.record)
        n = draw_world(self.states, seat, rng, work.views, states, self.rules.equal, work.out)
        return PlayNode(self.rules, states, work.numbers[: n + 1].tolist(), self.plays, self.story, self.memory)

    def returns(self) -> list[float]:
        """Each seat's reward, as people count it; 0 before the end."""
        if self.player != TERMINAL:
            return [0.0] * self.rules.game.seats
        payoffs = self.rules.work.payoffs
        verbs.payoff(self.states[0], payoffs)
        worths: list[float] = (payoffs @ self.rules.worths).tolist()
        return worths

    def knowledge(self, seat: int) -> str:
        """A key of what a seat knows: its hand, what everybody has seen done, and a fingerprint of all it has seen."""
        work = self.rules.work
        work.memory[0] = self.memory
        fingerprint(self.states, seat, work.memory, work.views, work.words)
        field = self.rules.fields.get("hands")
        hand = View(self.rules.description, self.states, seat).plain(field) if field and seat != SPECTATOR else ()
        return f"{seat}|{' '.join(hand)}|{self.story}|{int(work.memory[0]):016x}"

    def view(self, seat: int) -> States:
        """The view of a seat now, shape (1,); valid until another is asked for."""
        work = self.rules.work
        fingerprint(self.states, seat, work.memory, work.views, work.words)
        return work.views

    def __str__(self) -> str:
        seats = "; ".join(self.knowledge(seat) for seat in range(self.rules.game.seats))
        return f"{self.rules}: {seats}"


# One compiled call for each step from a node to the next


@rule
def move(
    states: States, action: int, following: States,
    equal: int, memory: Rng, views: States, words: NDArray[np.uint32], out: Ints,
) -> int:  # fmt: skip
    """Make the move in a copy, ``following[0]``; then ``begin``. Last in ``out`` stands what others are shown of it."""
    shown = verbs.disguise(states[0], action)
    copy(states[0], following[0])
    verbs.apply(following[0], action)
    n = begin(following, equal, memory, views, words, out)
    out[n + 1] = shown
    return n


@rule
def begin(states: States, equal: int, memory: Rng, views: States, words: NDArray[np.uint32], out: Ints) -> int:
    """Let everybody remember what is public now; then ``write_full_turn``. ``words`` are the bytes of ``views``."""
    fingerprint(states, SPECTATOR, memory, views, words)
    return write_full_turn(states, equal, out)


@rule
def write_full_turn(states: States, equal: int, out: Ints) -> int:
    """``write_turn``, but of actions that differ only in which of equal cards they use all are written, not one.

    Only so is what a player has done legal in every world that agrees with it: which action stands for the others
    depends on cards that others do not see. ``equal`` is the number of actions if the game has equal cards, else 0."""
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
def fingerprint(states: States, seat: int, memory: Rng, views: States, words: NDArray[np.uint32]) -> None:
    """Observe as a seat, and mix what it sees into the memory: a random number generator that every word disturbs."""
    observe(states[0], seat, views[0])
    for k in range(len(words)):
        memory[0] ^= np.uint64(words[k])
        bits32(memory)


@rule
def draw_world(states: States, seat: int, rng: Rng, views: States, world: States, equal: int, out: Ints) -> int:
    """Fill ``world[0]`` with what the seat may take for the truth; then ``write_full_turn`` of it."""
    observe(states[0], seat, views[0])
    verbs.imagine(views[0], rng, world[0])
    return write_full_turn(world, equal, out)
