"""A moment of a deal as OpenSpiel's states hold it. It never changes: every move makes another, so copying is free.

Beside the game's record, a table carries what everybody has seen happen (``plays``) and a fingerprint of everything
that was ever public (``memory``). What a seat knows is all that, and its view of the record: an information state with
perfect recall, from which nothing follows that the seat may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.playout import is_among, random_playout
from tefuda.engine.raw import copy
from tefuda.engine.record import SPECTATOR
from tefuda.engine.rng import Rng, bits32
from tefuda.engine.turn import write_turn
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe

if TYPE_CHECKING:
    from tefuda.research.openspiel.rules import Rules

CHANCE, TERMINAL = -1, -4
"""OpenSpiel's numbers for nobody's turn: ``pyspiel.PlayerId``."""

EMPTY_MEMORY = 1 << 62
"""Not 0, on which zeros would leave no mark."""

Outcomes = list[tuple[int, float]]


class Dealing:
    """Before the first action: the random number of the deal, digit by digit, then the deck, card by card.

    Args:
        rules: of the game.
        drawn: what chance has decided so far.
        left: the cards not yet drawn, ascending.
    """

    __slots__ = ("drawn", "left", "legal", "player", "rules")

    def __init__(self, rules: Rules, drawn: tuple[int, ...], left: tuple[int, ...]) -> None:
        self.rules, self.drawn, self.left = rules, drawn, left
        self.player = CHANCE
        self.legal: list[int] = []

    def __deepcopy__(self, memo: Any) -> Dealing:
        return self

    def outcomes(self) -> Outcomes:
        """What chance decides next, ascending, each with its probability."""
        if len(self.drawn) < len(self.rules.digits):
            return self.rules.digits[len(self.drawn)]
        return [(card, copies / len(self.left)) for card, copies in Counter(self.left).items()]

    def outcome_name(self, outcome: int) -> str:
        """What is drawn, in words."""
        digit = len(self.drawn) < len(self.rules.digits)
        return f"chance {outcome}" if digit else self.rules.description.cards[outcome]

    def after(self, outcome: int) -> Dealing | Table:
        """What follows when chance has decided."""
        drawn, left = (*self.drawn, outcome), self.left
        if len(self.drawn) >= len(self.rules.digits):
            place = left.index(outcome)
            left = left[:place] + left[place + 1 :]
        return Dealing(self.rules, drawn, left) if left else self.rules.deal(drawn)

    def returns(self) -> list[float]:
        """Nobody has received anything."""
        return [0.0] * self.rules.game.seats

    def __str__(self) -> str:
        return f"{self.rules}: drawn {' '.join(map(str, self.drawn)) or 'nothing'}"


class Choosing:
    """Before the first action of a cut-down deal: one of a few worlds alike to the eye, all as likely."""

    __slots__ = ("legal", "player", "rules", "worlds")

    def __init__(self, rules: Rules, worlds: list[Table]) -> None:
        self.rules, self.worlds = rules, worlds
        self.player = CHANCE
        self.legal: list[int] = []

    def __deepcopy__(self, memo: Any) -> Choosing:
        return self

    def outcomes(self) -> Outcomes:
        """The worlds, by number."""
        return [(number, 1 / len(self.worlds)) for number in range(len(self.worlds))]

    def outcome_name(self, outcome: int) -> str:
        """Which world."""
        return f"world {outcome}"

    def after(self, outcome: int) -> Table:
        """That world."""
        return self.worlds[outcome]

    def returns(self) -> list[float]:
        """Nobody has received anything."""
        return [0.0] * self.rules.game.seats

    def __str__(self) -> str:
        return f"{self.rules}: one of {len(self.worlds)} worlds"


class Table:
    """A moment of play, or its end.

    Args:
        rules: of the game.
        states: the record, shape (1,), never changed from now on.
        numbers: what ``full_situation`` wrote: the mover's legal actions, then the mover.
        plays: what everybody has seen done, as mover × actions + action; hidden ones as ``disguise`` shows them.
        story: the same, in words.
        memory: fingerprint of every spectator's view so far.
        copies: what a copy is, if not the table itself. (OpenSpiel's C++ code copies states where it needs a world or a
            rollout; see ``ismcts``.)
    """

    __slots__ = ("copies", "legal", "memory", "player", "plays", "rules", "states", "story")

    def __init__(
        self,
        rules: Rules,
        states: NDArray[Any],
        numbers: list[int],
        plays: tuple[int, ...] = (),
        story: str = "",
        memory: int = EMPTY_MEMORY,
        copies: Callable[[Table], Table] | None = None,
    ) -> None:
        self.rules, self.states, self.plays, self.story, self.memory = rules, states, plays, story, memory
        mover = numbers.pop()
        self.player = mover if mover >= 0 else TERMINAL
        self.legal = numbers
        self.copies = copies

    def __deepcopy__(self, memo: Any) -> Table:
        return self if self.copies is None else self.copies(self)

    def after(self, action: int) -> Table:
        """What follows when the mover has made this legal action."""
        rules, work = self.rules, self.rules.work
        states = np.empty(1, rules.record)
        work.memory[0] = self.memory
        n = move(self.states, action, states, rules.equal, work.memory, work.views, work.words, work.out)
        numbers = work.numbers[: n + 2].tolist()
        shown = numbers.pop()
        play = f" {self.player}:{rules.word(shown)}"
        plays = (*self.plays, self.player * rules.description.actions + shown)
        return Table(rules, states, numbers, plays, self.story + play, int(work.memory[0]), self.copies)

    def imagined(self, seat: int, rng: Rng, copies: Callable[[Table], Table] | None = None) -> Table:
        """A world drawn at random from those that agree with all that a seat knows."""
        work = self.rules.work
        states = np.empty(1, self.rules.record)
        n = draw_world(self.states, seat, rng, work.views, states, self.rules.equal, work.out)
        numbers = work.numbers[: n + 1].tolist()
        return Table(self.rules, states, numbers, self.plays, self.story, self.memory, copies)

    def played_out(self, rng: Rng) -> Table:
        """The end of the deal, if everybody makes random actions from here on; what happens on the way is not told."""
        states = np.empty(1, self.rules.record)
        play_out(self.states, rng, states, self.rules.work.out)
        return Table(self.rules, states, [CHANCE], self.plays, self.story, self.memory)

    def returns(self) -> list[float]:
        """What each seat receives, as people count it; nothing before the end."""
        if self.player != TERMINAL:
            return [0.0] * self.rules.game.seats
        payoffs, unit = self.rules.work.payoffs, self.rules.description.rules.unit
        settle(self.states, payoffs)
        return [amount / unit for amount in payoffs.tolist()]

    def knowledge(self, seat: int) -> str:
        """What a seat knows, as a key: what everybody has seen done, and a fingerprint of everything it has seen."""
        work = self.rules.work
        work.memory[0] = self.memory
        fingerprint(self.states, seat, work.memory, work.views, work.words)
        return f"{seat}|{self.story}|{int(work.memory[0]):016x}"

    def view(self, seat: int) -> NDArray[Any]:
        """What a seat sees now, shape (1,); valid until another is asked for."""
        work = self.rules.work
        fingerprint(self.states, seat, work.memory, work.views, work.words)
        return work.views

    def __str__(self) -> str:
        seats = "; ".join(self.knowledge(seat) for seat in range(self.rules.game.seats))
        return f"{self.rules}: {seats}"


@rule
def begin(states: Any, deck: Any, equal: int, memory: Any, views: Any, words: Any, out: Any) -> int:
    """Deal ``states[0]``; everything else as in ``note``."""
    verbs.deal(states[0], deck)
    return note(states, equal, memory, views, words, out)


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
    """Let everybody remember what is public now; then ``full_situation``.

    Args:
        states: of shape (1,).
        equal: as ``full_situation`` takes it.
        memory: uint64 of shape (1,), changed.
        views: record of shape (1,), a workplace.
        words: uint32, the same bytes as ``views``.
        out: int64 buffer, written.
    """
    observe(states[0], SPECTATOR, views[0])
    remember(words, memory)
    return full_situation(states, equal, out)


@rule
def full_situation(states: Any, equal: int, out: Any) -> int:
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
    """Fill ``world[0]`` with what the seat may take for the truth; then ``full_situation`` of it."""
    observe(states[0], seat, views[0])
    verbs.imagine(views[0], rng, world[0])
    return full_situation(world, equal, out)


@rule
def play_out(states: Any, rng: Any, end: Any, out: Any) -> None:
    """Fill ``end[0]`` with how the deal might end: everybody makes random actions; ``out`` is an int64 buffer."""
    copy(states[0], end[0])
    random_playout(end, 0, rng, out)


@rule
def settle(states: Any, payoffs: Any) -> None:
    """What each seat receives, into int64 of shape (seats,)."""
    verbs.payoff(states[0], payoffs)
